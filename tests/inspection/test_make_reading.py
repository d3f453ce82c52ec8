import numpy as np
import pytest

from keras_cgru.coref import Annotation
from keras_cgru.data import Example
from keras_cgru.inspection import Answer, reading_of_annotation, reading_of_example

EXAMPLE = Example(
    id="e",
    document=("new", "york", "and", "new", "jersey"),
    query=("it", "is"),
    candidates=(("new", "york"), ("new", "jersey")),
    answer=("new", "york"),
    document_clusters=(1, 1, 0, 2, 2),
    query_clusters=(1, 0),
    metadata={"simulated": True},
)


def test_an_example_and_a_padded_row_of_each_output():
    reading = reading_of_example(
        EXAMPLE,
        probabilities=np.array([0.75, 0.25, 0, 0], "float32"),
        attention=[0.5, 0.25, 0, 0.2, 0.05, 0, 0],
        alpha={(1, "forward"): [1, 0.5, 1, 1, 0.25, 1, 1]},
        query_alpha={(1, "forward"): [0.125, 1, 1]},
        labels={"run": "a"},
    )
    assert [answer.positions for answer in reading.answers] == [(0, 1), (3, 4)]
    assert reading.correct
    assert reading.document.attention == (0.5, 0.25, 0, 0.2, 0.05)
    assert reading.document.alpha["1", "forward"] == (None, 0.5, None, None, 0.25)
    # The first mention of the query is linked where the document's memory is shared.
    assert reading.query.alpha["1", "forward"] == (0.125, None)
    assert reading.labels == {"data": "simulated", "run": "a"}


def test_an_example_alone_has_no_answers():
    reading = reading_of_example(EXAMPLE)
    assert reading.answers == ()
    assert reading.gold == ("new", "york")
    assert reading.document.clusters == ((1,), (1,), (), (2,), (2,))


def test_answers_may_be_others_than_the_candidates():
    answers = [Answer(["milk", "football"], 0.5)]
    reading = reading_of_example(EXAMPLE, answers=answers)
    assert reading.answers == tuple(answers)
    assert reading.correct is False
    with pytest.raises(ValueError, match="`answers` must be left out where"):
        reading_of_example(EXAMPLE, np.array([0.5, 0.5]), answers=answers)


def test_an_output_shorter_than_the_example_is_refused():
    for name in ("probabilities", "attention"):
        with pytest.raises(ValueError, match=f"`{name}` must hold at least"):
            reading_of_example(EXAMPLE, **{name: [0.5]})


def test_an_annotation_keeps_its_nested_mentions():
    annotation = Annotation(
        "mary saw her cat . it slept".split(), [[(0, 1), (2, 3)], [(2, 4), (5, 6)]]
    )
    reading = reading_of_annotation("text", annotation)
    assert reading.document.mentions == (
        (0, 1, 1),
        (2, 4, 2),
        (2, 3, 1),
        (5, 6, 2),
    )
    assert reading.correct is None
