"""A reader's answers, one JSON object a line."""

import json
import math
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from typing import Any

from keras_cgru.files import atomic_write, parse_json, short, to_path


@dataclass(frozen=True)
class Prediction:
    """What a reader answered to one example.

    Args:
        id: The example's id, unique within a file.
        gold: The right answer.
        predicted: The reader's answer.
        probability: The probability that the reader gave its answer.
    """

    id: str
    gold: str
    predicted: str
    probability: float

    @property
    def correct(self) -> bool:
        """Whether the answer is the right one."""
        return self.predicted == self.gold


def write_predictions(
    path: str | os.PathLike[str], predictions: Iterable[Prediction]
) -> None:
    """Write `predictions` as JSON lines in UTF-8, replacing the file as a whole.

    Raises:
        ValueError: `read_predictions` would refuse the file: there are none, two have
            the same id, or a field has the wrong type. The file stays as it was.
    """
    lines = [_line(prediction) for prediction in predictions]
    _parse_lines(path, lines)
    with atomic_write(path) as file:
        file.writelines(lines)


def read_predictions(path: str | os.PathLike[str]) -> list[Prediction]:
    """Read the file that `write_predictions` wrote, in its order.

    Other fields than those of `Prediction` are allowed and left out.

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: A line is no such object, an id comes twice, or the file is empty;
            the message names file and line.
    """
    with open(to_path(path), "rb") as file:
        return _parse_lines(path, file)


def _line(prediction: Prediction) -> bytes:
    entry = asdict(prediction)
    try:
        return json.dumps(entry, ensure_ascii=False).encode("utf-8") + b"\n"
    except UnicodeEncodeError:
        # A lone surrogate of a damaged source has no UTF-8 form, only a JSON escape.
        return json.dumps(entry).encode("ascii") + b"\n"


def _parse_lines(
    path: str | os.PathLike[str], lines: Iterable[bytes]
) -> list[Prediction]:
    predictions: list[Prediction] = []
    seen: dict[str, int] = {}
    for number, line in enumerate(lines, start=1):
        prediction = _parse(f"{path}:{number}", line)
        first = seen.setdefault(prediction.id, number)
        if first != number:
            raise ValueError(
                f"{path}:{number}: `id` must be unique. Received: "
                f"{short(prediction.id)}, as in line {first}"
            )
        predictions.append(prediction)
    if not predictions:
        raise ValueError(f"{path}:1: must hold a prediction. Received: an empty file")
    return predictions


def _parse(where: str, line: bytes) -> Prediction:
    entry = parse_json(line, where)
    if not isinstance(entry, dict):
        raise ValueError(f"{where}: must be a JSON object. Received: {short(entry)}")
    values = {}
    for field in fields(Prediction):
        if field.name not in entry:
            raise ValueError(
                f"{where}: must have `{field.name}`. Received: {short(sorted(entry))}"
            )
        value = values[field.name] = entry[field.name]
        if field.type is str and not isinstance(value, str):
            raise ValueError(
                f"{where}: `{field.name}` must be a string. Received: {short(value)}"
            )
    if not _is_finite(values["probability"]):
        raise ValueError(
            f"{where}: `probability` must be a finite number. Received: "
            f"{short(values['probability'])}"
        )
    return Prediction(**values)


def _is_finite(value: Any) -> bool:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:  # A whole number with hundreds of digits.
        return False
