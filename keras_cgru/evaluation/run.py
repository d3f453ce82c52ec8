"""The finished run folder of a recipe, read back and checked."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from keras_cgru.evaluation.accuracy import Accuracy
from keras_cgru.evaluation.predictions import Prediction, read_predictions
from keras_cgru.files import read_json, short, to_path

_COUNTS = ("num_examples", "num_used")
_ACCURACIES = ("accuracy_used", "accuracy_overall")
_NAMES = ("recipe", "model", "backend")


@dataclass(frozen=True)
class Run:
    """What a recipe left behind of a finished run.

    Attributes:
        folder: Where it lies.
        metrics: All of `metrics.json`.
        predictions: All of `predictions.jsonl`, an entry an example used.
        accuracy: Counted from the predictions; agrees with the metrics.
        data: What it was trained and tested on, such as "lambada", "babi-en-10k",
            "simulated"; None where the folder does not say.
        sha256: The hashes of these files, by name; empty where it does not say.
    """

    folder: Path
    metrics: Mapping[str, Any]
    predictions: Sequence[Prediction]
    accuracy: Accuracy
    data: str | None = None
    sha256: Mapping[str, str] = field(default_factory=dict)


def read_run(folder: str | os.PathLike[str]) -> Run:
    """Read `metrics.json`, `predictions.jsonl` and, of `config.json`, the data.

    Raises:
        FileNotFoundError: The folder or one of the files is missing.
        ValueError: A file is malformed, or the accuracies in the metrics are not
            those of the predictions; the message names the file.
    """
    folder = to_path(folder, "folder")
    if not folder.is_dir():
        raise FileNotFoundError(
            f"{folder}: must be the folder of a run. Received: no such folder"
        )
    metrics_path = _file(folder, "metrics.json")
    metrics = _read_metrics(metrics_path)
    predictions = read_predictions(_file(folder, "predictions.jsonl"))
    if len(predictions) != metrics["num_used"]:
        raise ValueError(
            f"{metrics_path}: `num_used` must be the number of predictions, "
            f"{len(predictions)}. Received: {metrics['num_used']}"
        )
    outcomes = [prediction.correct for prediction in predictions]
    try:
        accuracy = Accuracy.count(outcomes, metrics["num_examples"])
    except ValueError as error:
        raise ValueError(f"{metrics_path}: {error}") from error
    for name, counted in zip(
        _ACCURACIES, (accuracy.used, accuracy.overall), strict=True
    ):
        # A recipe may have averaged in float32.
        if not counted - 1e-6 <= metrics[name] <= counted + 1e-6:
            raise ValueError(
                f"{metrics_path}: `{name}` must be that of predictions.jsonl, "
                f"{counted:.6f}. Received: {short(metrics[name])}"
            )
    return Run(folder, metrics, predictions, accuracy, *_read_data(folder, metrics))


def _file(folder: Path, name: str) -> Path:
    path = folder / name
    if not path.is_file():
        raise FileNotFoundError(
            f"{path}: must be a file that the recipe wrote. Received: no such file; "
            "did the run finish?"
        )
    return path


def _read_metrics(path: Path) -> dict[str, Any]:
    metrics = read_json(path)
    if not isinstance(metrics, dict):
        raise ValueError(f"{path}: must be a JSON object. Received: {short(metrics)}")
    kinds: dict[str, tuple[type, ...]] = {
        **dict.fromkeys(_NAMES, (str,)),
        **dict.fromkeys(_COUNTS, (int,)),
        **dict.fromkeys(_ACCURACIES, (int, float)),
        "seed": (int,),
    }
    for name, kind in kinds.items():
        value = metrics.get(name)
        if not isinstance(value, kind) or isinstance(value, bool):
            wanted = " or ".join(part.__name__ for part in kind)
            raise ValueError(
                f"{path}: `{name}` must be {wanted}. Received: {short(value)}"
            )
    return metrics


def _read_data(
    folder: Path, metrics: Mapping[str, Any]
) -> tuple[str | None, dict[str, str]]:
    """The label and the hashes of a run's data, as far as its folder has them."""
    path = folder / "config.json"
    config = read_json(path) if path.is_file() else {}
    data = config.get("data") if isinstance(config, dict) else None
    data = data if isinstance(data, dict) else {}
    label, hashes = metrics.get("data", data.get("kind")), data.get("sha256")
    return (
        None if label is None else str(label),
        {str(k): str(v) for k, v in hashes.items()} if isinstance(hashes, dict) else {},
    )
