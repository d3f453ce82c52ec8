"""Predictions as JSON lines: round trip, and errors by file and line."""

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keras_cgru.evaluation import Prediction, read_predictions, write_predictions

predictions = st.builds(
    Prediction,
    id=st.text(st.characters(codec=None)),
    gold=st.text(st.characters(codec=None)),
    predicted=st.text(),
    probability=st.floats(0, 1),
)


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return tmp_path_factory.mktemp("predictions") / "run" / "predictions.jsonl"


@settings(deadline=None)  # a disk has no deadline
@given(st.lists(predictions, min_size=1, unique_by=lambda p: p.id))
def test_round_trip(path, given_predictions):
    """Line separators other than a newline, and lone surrogates, come back too."""
    write_predictions(path, given_predictions)
    assert read_predictions(path) == given_predictions
    assert list(path.parent.iterdir()) == [path]


def test_the_file_is_readable_utf_8(path):
    write_predictions(path, [Prediction("1", "Zoë", "zoë", 0.5)])
    text = path.read_text(encoding="utf-8")
    assert '"gold": "Zoë"' in text
    assert json.loads(text) == {
        "id": "1",
        "gold": "Zoë",
        "predicted": "zoë",
        "probability": 0.5,
    }


def test_correct_is_equality():
    assert Prediction("1", "mary", "mary", 0.5).correct
    assert not Prediction("1", "mary", "john", 0.5).correct


GOOD = '{"id": "1", "gold": "a", "predicted": "b", "probability": 0.5}\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "predictions.jsonl:1: must hold a prediction"),
        (GOOD + "{", "predictions.jsonl:2: must be JSON in UTF-8"),
        (GOOD + "\n", "predictions.jsonl:2: must be JSON in UTF-8"),
        ("[1]\n", "predictions.jsonl:1: must be a JSON object. Received: [1]"),
        (GOOD + GOOD, "predictions.jsonl:2: `id` must be unique. Received: '1', as in"),
        (GOOD.replace("gold", "good"), ":1: must have `gold`. Received: ['good',"),
        (GOOD.replace('"a"', "3"), ":1: `gold` must be a string. Received: 3"),
        (GOOD.replace("0.5", '"0.5"'), "`probability` must be a finite number"),
        (GOOD.replace("0.5", "true"), "`probability` must be a finite number"),
        (GOOD.replace("0.5", "NaN"), "`probability` must be a finite number"),
    ],
)
def test_errors_name_file_and_line(path, text, message):
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=re.escape(message)):
        read_predictions(path)


def test_another_encoding_is_named(path):
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(GOOD.replace("a", "ä").encode("latin-1"))
    with pytest.raises(ValueError, match="predictions.jsonl:1: must be JSON in UTF-8"):
        read_predictions(path)


def test_further_fields_are_left_out(path):
    path.parent.mkdir(exist_ok=True)
    path.write_text(GOOD.replace("{", '{"rank": 2, '))
    assert read_predictions(path) == [Prediction("1", "a", "b", 0.5)]


@pytest.mark.parametrize(
    "bad",
    [
        [],
        [Prediction("1", "a", "b", 0.5), Prediction("1", "a", "a", 0.5)],
        [Prediction("1", "a", "b", float("nan"))],
    ],
    ids=["none", "twice", "not a number"],
)
def test_nothing_is_written_that_could_not_be_read(path, bad):
    write_predictions(path, [Prediction("0", "a", "b", 0.5)])
    with pytest.raises(ValueError, match="predictions.jsonl:"):
        write_predictions(path, bad)
    assert read_predictions(path) == [Prediction("0", "a", "b", 0.5)]


@pytest.mark.parametrize("value", ["NaN", "1" + "0" * 400, "-Infinity", "[]", "true"])
def test_a_probability_is_a_finite_number(path, value):
    path.parent.mkdir(exist_ok=True)
    path.write_text(GOOD + GOOD.replace("0.5", value).replace('"1"', '"2"'))
    message = "predictions.jsonl:2: `probability` must be a finite number. Received:"
    with pytest.raises(ValueError, match=message) as raised:
        read_predictions(path)
    assert len(str(raised.value)) < 300


@pytest.mark.parametrize(
    "line", ["[" * 100_000, json.dumps(["x" * 100_000]), '{"id": ' + "9" * 5_000 + "}"]
)
def test_messages_are_short(path, line):
    path.parent.mkdir(exist_ok=True)
    path.write_text(GOOD + line + "\n")
    with pytest.raises(ValueError, match="predictions.jsonl:2: must be") as raised:
        read_predictions(path)
    assert len(str(raised.value)) < 500
