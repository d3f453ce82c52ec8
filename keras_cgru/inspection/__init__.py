"""What a reader did with one example, as data, text, image and page; without Keras."""

from keras_cgru.inspection.answer import Answer
from keras_cgru.inspection.html import as_page, write_page
from keras_cgru.inspection.image import as_image
from keras_cgru.inspection.make_reading import reading_of_annotation, reading_of_example
from keras_cgru.inspection.passage import Passage
from keras_cgru.inspection.reading import Reading
from keras_cgru.inspection.reading_json import (
    read_readings,
    reading_from_json,
    reading_to_json,
    write_readings,
)
from keras_cgru.inspection.run_readings import keeps_texts, run_readings
from keras_cgru.inspection.text import as_text, print_reading

__all__ = [
    "Answer",
    "Passage",
    "Reading",
    "as_image",
    "as_page",
    "as_text",
    "keeps_texts",
    "print_reading",
    "read_readings",
    "reading_from_json",
    "reading_of_annotation",
    "reading_of_example",
    "reading_to_json",
    "run_readings",
    "write_page",
    "write_readings",
]
