"""What a run answered, with the texts that it answered about."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from keras_cgru.evaluation import Prediction, Run
from keras_cgru.inspection.answer import Answer
from keras_cgru.inspection.passage import Passage
from keras_cgru.inspection.reading import Reading
from keras_cgru.inspection.reading_json import read_readings

# Of a run folder. Texts repeat much, so it is a tenth of what it would be.
FILE_NAME = "readings.jsonl.gz"


def keeps_texts(run: Run) -> bool:
    """Whether a run kept its texts; those of earlier versions kept answers alone."""
    return _path(run).is_file()


def run_readings(run: Run) -> Iterator[tuple[Prediction, Reading]]:
    """Yields each prediction with its reading, in the order of the predictions.

    Labels say what run it was. A run that kept no texts has readings of the answer and
    the right one alone.

    Raises:
        ValueError: The file of texts is damaged, or is not of these predictions.
    """
    labels = _labels(run)
    if not keeps_texts(run):
        for prediction in run.predictions:
            yield prediction, _without_text(prediction, labels)
        return
    path = _path(run)
    readings = read_readings(path)
    for prediction in run.predictions:
        reading = next(readings, None)
        if reading is None or reading.id != prediction.id:
            got = "an end" if reading is None else repr(reading.id)
            raise ValueError(
                f"{path}: must have the texts of predictions.jsonl, in its order. "
                f"Received: {got} where {prediction.id!r} stands there"
            )
        yield prediction, replace(reading, labels={**labels, **reading.labels})


def _path(run: Run) -> Path:
    return run.folder / FILE_NAME


def _labels(run: Run) -> dict[str, str]:
    metrics: dict[str, Any] = dict(run.metrics)
    task = {"task": str(metrics["task"])} if "task" in metrics else {}
    said = metrics.get("caution") or run.data
    return {
        "run": str(run.folder),
        "model": f"{metrics['model']}, seed {metrics['seed']}",
        **task,
        **({"data": str(said)} if said else {}),
    }


def _without_text(prediction: Prediction, labels: dict[str, str]) -> Reading:
    answers = []
    if prediction.predicted:
        # Probabilities in half precision are a little off.
        chance = min(max(prediction.probability, 0.0), 1.0)
        answers = [Answer((prediction.predicted,), chance)]
    return Reading(
        prediction.id,
        Passage(),
        answers=tuple(answers),
        gold=(prediction.gold,) if prediction.gold else None,
        labels={**labels, "answers": "the predicted one alone was kept"},
    )
