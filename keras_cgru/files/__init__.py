"""Files that a killed process leaves whole, locks, JSON and text with clear errors."""

from keras_cgru.files.atomic_write import atomic_write
from keras_cgru.files.json_file import read_json, write_json
from keras_cgru.files.lock import locked
from keras_cgru.files.text_lines import read_lines

__all__ = ["atomic_write", "locked", "read_json", "read_lines", "write_json"]
