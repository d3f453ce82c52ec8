"""A run's predictions with their texts."""

import json
from dataclasses import replace

import pytest

from keras_cgru.evaluation import Prediction, read_run, write_predictions
from keras_cgru.inspection import (
    Answer,
    Passage,
    Reading,
    keeps_texts,
    run_readings,
    write_readings,
)

READINGS = [
    Reading(
        name,
        Passage("mary left . she ran .".split(), [1, 0, 0, 1, 0, 0]),
        answers=(Answer(["mary"], chance, [0]), Answer(["john"], 1 - chance)),
        gold=("mary",),
        labels={"data": "simulated"},
    )
    for name, chance in (("a", 0.75), ("b", 0.25))
]


@pytest.fixture
def run(tmp_path):
    """One right, one wrong, one without an answer; two of them have their texts."""
    folder = tmp_path / "run"
    folder.mkdir()
    metrics = {
        "recipe": "babi",
        "model": "ga_gru",
        "backend": "jax",
        "seed": 3,
        "task": 2,
        "num_examples": 2,
        "num_used": 2,
        "accuracy_used": 0.5,
        "accuracy_overall": 0.5,
    }
    (folder / "metrics.json").write_text(json.dumps(metrics))
    predictions = [
        Prediction(each.id, "mary", each.predicted.text, each.predicted.probability)
        for each in READINGS
    ]
    write_predictions(folder / "predictions.jsonl", predictions)
    return folder


def test_texts_come_with_their_predictions(run):
    write_readings(run / "readings.jsonl.gz", READINGS)
    found = read_run(run)
    assert keeps_texts(found)
    predictions, readings = zip(*run_readings(found), strict=True)
    assert list(predictions) == list(found.predictions)
    for reading, want in zip(readings, READINGS, strict=True):
        assert replace(reading, labels=want.labels) == want
        assert reading.labels == {
            "run": str(run),
            "model": "ga_gru, seed 3",
            "task": "2",
            "data": "simulated",
        }


def test_a_run_without_texts_has_its_answers(run):
    path = run / "predictions.jsonl"
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    lines[1] |= {"predicted": "", "probability": 0.0}
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    found = read_run(run)
    assert not keeps_texts(found)
    first, second = (reading for _, reading in run_readings(found))
    assert first.correct and first.document.tokens == ()
    assert first.predicted.probability == 0.75
    assert second.answers == () and second.gold == ("mary",)


@pytest.mark.parametrize(
    ("kept", "received"), [(READINGS[:1], "an end"), (READINGS[::-1], "'b'")]
)
def test_texts_of_other_predictions_are_refused(run, kept, received):
    write_readings(run / "readings.jsonl.gz", kept)
    message = f"readings.jsonl.gz: must have the texts of.*Received: {received} where"
    with pytest.raises(ValueError, match=message):
        list(run_readings(read_run(run)))
