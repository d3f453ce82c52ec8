"""A table over seeds: mean, spread, the best by validation, McNemar's test."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from keras_cgru.evaluation.compare_runs import compare
from keras_cgru.evaluation.markdown import span, table
from keras_cgru.evaluation.seed_groups import Way, nearest

_HEAD = (
    "reader",
    "seeds",
    "usable: mean",
    "all: mean",
    "spread",
    "lowest to highest",
    "maximum",
    "p",
    "parameters",
    "minutes a seed",
)


def seed_table(ways: Sequence[Way], baseline: str) -> str:
    """A row a way of training, and the trivial answers, in Markdown.

    Args:
        ways: What was trained and tested on the same.
        baseline: The model that McNemar's test compares with.
    """
    rows = [_row(way, nearest(way, ways, baseline)) for way in ways]
    trivial = ways[0].runs[0].run.metrics.get("trivial", {})
    for name, each in trivial.items():
        values = _number(each["used"]), _number(each["overall"])
        row = [f"{name} candidate".replace("_", " "), "", *values]
        rows.append([*row, *[""] * (len(_HEAD) - len(row))])
    return table(_HEAD, rows)


def notes(ways: Sequence[Way], baseline: str) -> str:
    """What the columns mean."""
    accuracy = ways[0].runs[0].run.accuracy
    used = span(run.run.accuracy.num_used for way in ways for run in way.runs)
    return (
        f"Test accuracy on the {used} usable examples, and on all "
        f"{accuracy.num_total:,}, as all other figures are. spread: standard deviation "
        "over seeds; maximum: of the seed that validated best; p: McNemar's exact test "
        f"of that seed's answers against those of {baseline}, trained as much alike as "
        "there is."
    )


def _row(way: Way, base: Way | None) -> list[object]:
    overall = [run.run.accuracy.overall for run in way.runs]
    used = [run.run.accuracy.used for run in way.runs]
    several = len(overall) > 1
    seconds = statistics.fmean(run.run.metrics["train_seconds"] for run in way.runs)
    return [
        way.name,
        len(way.runs),
        _number(statistics.fmean(used)),
        _number(statistics.fmean(overall)),
        _number(statistics.stdev(overall)) if several else "",
        f"{_number(min(overall))} to {_number(max(overall))}" if several else "",
        _number(way.best.run.accuracy.overall),
        _p_value(way, base),
        span(run.run.metrics["parameters"] for run in way.runs),
        f"{seconds / 60:.1f}",
    ]


def _p_value(way: Way, base: Way | None) -> str:
    if base is None or base is way:
        return "-"
    try:
        test = compare(base.best.run, way.best.run).test
    except ValueError:
        # Another version of the package may have found other examples usable.
        return "other examples"
    return f"{test.p_value:.2g}"


def _number(value: float) -> str:
    return f"{value:.4f}"
