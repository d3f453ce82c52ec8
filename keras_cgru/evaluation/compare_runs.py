"""Compare two finished runs by their answers to the same examples."""

import os
from dataclasses import asdict, dataclass
from typing import Any

from keras_cgru.evaluation.mcnemar import McNemarResult, mcnemar
from keras_cgru.evaluation.run import Run, read_run
from keras_cgru.files import short


@dataclass(frozen=True)
class Comparison:
    """Two runs and McNemar's test of their answers.

    Attributes:
        a: The first run.
        b: The second run.
        test: The 2x2 table of their outcomes and its p-value.
    """

    a: Run
    b: Run
    test: McNemarResult

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as what JSON can hold."""
        return {
            "a": _summary(self.a),
            "b": _summary(self.b),
            "mcnemar": asdict(self.test),
        }

    def __str__(self) -> str:
        test = self.test
        return "\n".join(
            [
                f"A  {_describe(self.a)}",
                f"B  {_describe(self.b)}",
                "",
                f"{'':10}{'B right':>10}{'B wrong':>10}",
                f"{'A right':10}{test.both_right:10}{test.only_a:10}",
                f"{'A wrong':10}{test.only_b:10}{test.both_wrong:10}",
                "",
                f"McNemar's exact test: p = {test.p_value:.4g}",
            ]
        )


def compare_runs(
    folder_a: str | os.PathLike[str], folder_b: str | os.PathLike[str]
) -> Comparison:
    """Compare the runs of two folders.

    Args:
        folder_a: The run folder of a recipe, with `metrics.json` and
            `predictions.jsonl`.
        folder_b: Another run on the same examples, in any order.

    Raises:
        FileNotFoundError: A folder or file is missing.
        ValueError: A file is malformed, or the runs are on different data, answer
            other examples, or take other answers for right; the message names the
            folder or file.
    """
    return compare(read_run(folder_a), read_run(folder_b))


def compare(a: Run, b: Run) -> Comparison:
    """Compares two runs that are read; see `compare_runs`."""
    _check_data(a, b)
    _check_examples(a, b)
    answers_b = {prediction.id: prediction for prediction in b.predictions}
    test = mcnemar(
        [prediction.correct for prediction in a.predictions],
        [answers_b[prediction.id].correct for prediction in a.predictions],
    )
    return Comparison(a, b, test)


def _check_data(a: Run, b: Run) -> None:
    """Refuses runs of different data, as far as their folders say which it was."""
    if None not in (a.data, b.data) and a.data != b.data:
        raise ValueError(
            f"{b.folder}: must be a run on the data of {a.folder}, {short(a.data)}. "
            f"Received: {short(b.data)}"
        )
    for name in a.sha256.keys() & b.sha256.keys():
        if a.sha256[name] != b.sha256[name]:
            raise ValueError(
                f"{b.folder}: {name} must be the file of {a.folder}, SHA-256 "
                f"{a.sha256[name]:.12}... . Received: {b.sha256[name]:.12}..."
            )
    if a.accuracy.num_total != b.accuracy.num_total:
        raise ValueError(
            f"{b.folder}: `num_examples` must be as in {a.folder}, "
            f"{a.accuracy.num_total}. Received: {b.accuracy.num_total}"
        )


def _check_examples(a: Run, b: Run) -> None:
    for run, other in ((a, b), (b, a)):
        ids = {prediction.id for prediction in other.predictions}
        lacking = [p.id for p in run.predictions if p.id not in ids]
        if lacking:
            raise ValueError(
                f"{other.folder}: must answer the same examples as {run.folder}. "
                f"Received: no answer to {len(lacking)} of them, such as "
                f"{short(lacking[0])}"
            )
    answers_b = {prediction.id: prediction for prediction in b.predictions}
    for first in a.predictions:
        second = answers_b[first.id]
        if first.gold != second.gold:
            raise ValueError(
                f"{b.folder}: the right answer to {short(first.id)} must be as in "
                f"{a.folder}, {short(first.gold)}. Received: {short(second.gold)}"
            )


def _summary(run: Run) -> dict[str, Any]:
    names = ("recipe", "model", "backend", "seed", "num_examples", "num_used")
    return {
        "folder": str(run.folder),
        **({} if run.data is None else {"data": run.data}),
        **{name: run.metrics[name] for name in names},
        "num_correct": run.accuracy.num_correct,
        "accuracy_used": run.accuracy.used,
        "accuracy_overall": run.accuracy.overall,
    }


def _describe(run: Run) -> str:
    metrics = run.metrics
    return (
        f"{metrics['recipe']} {metrics['model']} ({_caution(run)}"
        f"{metrics['backend']}, seed {metrics['seed']}): {run.accuracy}"
    )


def _caution(run: Run) -> str:
    """What must be said of data that is not the recipe's own, with what follows it."""
    known = run.data in (None, run.metrics["recipe"])
    said = run.metrics.get("caution", "" if known else f"data: {run.data}")
    return f"{said}; " if said else ""
