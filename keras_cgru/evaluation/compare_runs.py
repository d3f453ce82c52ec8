"""Compare two finished runs by their answers to the same examples."""

import os
from dataclasses import asdict, dataclass
from typing import Any

from keras_cgru.evaluation.mcnemar import McNemarResult, mcnemar
from keras_cgru.evaluation.run import Run, read_run


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
        ValueError: A file is malformed, or the runs answer other examples, or take
            other answers for right; the message names the folder or file.
    """
    a, b = read_run(folder_a), read_run(folder_b)
    answers_b = {prediction.id: prediction for prediction in b.predictions}
    for run, other in ((a, b), (b, a)):
        ids = {prediction.id for prediction in other.predictions}
        lacking = [p.id for p in run.predictions if p.id not in ids]
        if lacking:
            raise ValueError(
                f"{other.folder}: must answer the same examples as {run.folder}. "
                f"Received: no answer to {len(lacking)} of them, such as {lacking[0]!r}"
            )
    for first in a.predictions:
        second = answers_b[first.id]
        if first.gold != second.gold:
            raise ValueError(
                f"{b.folder}: the right answer to {first.id!r} must be as in "
                f"{a.folder}, {first.gold!r}. Received: {second.gold!r}"
            )
    test = mcnemar(
        [prediction.correct for prediction in a.predictions],
        [answers_b[prediction.id].correct for prediction in a.predictions],
    )
    return Comparison(a, b, test)


def _summary(run: Run) -> dict[str, Any]:
    names = ("recipe", "model", "backend", "seed", "num_examples", "num_used")
    return {
        "folder": str(run.folder),
        **{name: run.metrics[name] for name in names},
        "num_correct": run.accuracy.num_correct,
        "accuracy_used": run.accuracy.used,
        "accuracy_overall": run.accuracy.overall,
    }


def _describe(run: Run) -> str:
    metrics = run.metrics
    return (
        f"{metrics['recipe']} {metrics['model']} ({metrics['backend']}, seed "
        f"{metrics['seed']}): {run.accuracy}"
    )
