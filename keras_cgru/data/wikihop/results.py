"""WikiHop's accuracy by what annotators said of the development records."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, NamedTuple

from keras_cgru.data.official import SIMULATED, caution_of
from keras_cgru.evaluation import read_predictions
from keras_cgru.evaluation.markdown import table
from keras_cgru.evaluation.seed_groups import Way
from keras_cgru.evaluation.seed_run import SeedRun

Annotations = Sequence[Sequence[str]]
FOLLOWS = "follows"


class Majority(NamedTuple):
    """What more than half of a record's annotators say.

    Args:
        follows: Whether the answer follows from the texts; no other label counts for
            it, not "likely" either.
        passages: Whether it takes a "single" text or "multiple"; "" where there is no
            majority.
    """

    follows: bool
    passages: str


@dataclass(frozen=True)
class GroupAccuracy:
    """The accuracy over a group of records.

    Args:
        num_right: Records whose answer was right.
        num_used: Records that the reader could use.
        num_total: All records of the group.
    """

    num_right: int
    num_used: int
    num_total: int

    @property
    def accuracy_used(self) -> float | None:
        """The share of the usable ones; None of none."""
        return self.num_right / self.num_used if self.num_used else None

    @property
    def accuracy_overall(self) -> float | None:
        """The share of all, in which an unusable record is wrong; None of none."""
        return self.num_right / self.num_total if self.num_total else None


def majority_of(annotations: Annotations) -> Majority:
    """What more than half of the annotators say, which of three are two.

    The two labels of an annotator are counted apart: of (follows, single), (follows,
    multiple) and (likely, multiple) the majority says that the answer follows, and that
    it takes multiple texts. Where no label has more than half, as with a tie of two,
    there is none. An annotator who gives no label still counts for the half.

    Args:
        annotations: For each annotator "follows", "likely" or "not_follow", and
            "single", "multiple" or "".
    """
    kinds = _majority(each[0] if each else "" for each in annotations)
    passages = _majority(each[1] if len(each) > 1 else "" for each in annotations)
    return Majority(kinds == FOLLOWS, passages)


# Of all, follows, follows+single and follows+multiple; Dhingra et al. (2018), WikiHop.
PAPER = {
    "GA w/ GRU, 1,000 records": ("0.263", "0.307", "0.332", "0.287"),
    "GA w/ C-GRU, 1,000 records": ("0.330", "0.355", "0.370", "0.354"),
    "GA w/ GRU, 5,000 records": ("0.336", "0.382", "0.385", "0.390"),
    "GA w/ C-GRU, 5,000 records": ("0.401", "0.452", "0.454", "0.460"),
    "GA w/ GRU, all": ("0.549", "0.606", "0.615", "0.604"),
    "GA w/ C-GRU, all": ("0.560", "0.614", "0.616", "0.614"),
}
# The groups of the paper's table.
GROUPS: dict[str, Callable[[Majority], bool]] = {
    "all": lambda said: True,
    "follows": lambda said: said.follows,
    "follows+single": lambda said: said.follows and said.passages == "single",
    "follows+multiple": lambda said: said.follows and said.passages == "multiple",
}


def accuracy_by_annotation(
    right: Mapping[str, bool],
    annotations: Mapping[str, Annotations],
) -> dict[str, GroupAccuracy]:
    """Accuracy over all records, and over those of which a majority says something.

    Args:
        right: Whether the reader's answer was right, by the id of every usable record.
        annotations: Those of all records, usable or not, by id; records without any
            are in the group "all" alone.

    Returns:
        The groups "all", "follows", "follows+single" and "follows+multiple", in this
        order.

    Raises:
        ValueError: An answered record is not among all.
    """
    if unknown := sorted(set(right) - set(annotations)):
        raise ValueError(
            "`right` must hold ids that `annotations` has. Received: "
            f"{unknown[0]!r} and {len(unknown) - 1} more that it has not"
        )
    groups = {}
    said = {id: majority_of(each) for id, each in annotations.items()}
    for name, belongs in GROUPS.items():
        ids = [id for id in annotations if belongs(said[id])]
        answers = [right[id] for id in ids if id in right]
        groups[name] = GroupAccuracy(sum(answers), len(answers), len(ids))
    return groups


def accuracy_of_run(
    predictions: str | os.PathLike[str], annotations: Mapping[str, Annotations]
) -> dict[str, dict[str, Any]]:
    """The groups of a run, for its `metrics.json`.

    Args:
        predictions: Its `predictions.jsonl`.
        annotations: Those of all records that it was tested on, usable or not.

    Returns:
        See `to_metrics`; nothing where no record has annotations.
    """
    if not any(annotations.values()):
        return {}
    right = {each.id: each.correct for each in read_predictions(predictions)}
    return to_metrics(accuracy_by_annotation(right, annotations))


def described(run: SeedRun) -> str:
    """On what a run was trained and tested, and what makes its figures none of ours."""
    data = run.run.data or "data that its folder does not name"
    said = caution_of(data, "wikihop", run.limit)
    if data == SIMULATED:
        return f"WikiHop, trained and tested on simulated records ({said})"
    what = "WikiHop, tested on the development records"
    return what + (f" ({said})" if said else "")


def groups_table(ways: Sequence[Way]) -> str:
    """Accuracy by annotators, means over seeds, with the paper's; Markdown.

    Args:
        ways: What was trained and tested on the same.

    Returns:
        Nothing where no record has annotations.
    """
    rows: list[list[object]] = []
    for way in ways:
        found = [run.run.metrics.get("by_annotation") or {} for run in way.runs]
        if not all(
            isinstance(each, dict) and set(GROUPS) <= set(each) for each in found
        ):
            continue
        means = []
        for group in GROUPS:
            shares = [each[group]["accuracy_overall"] for each in found]
            known = [share for share in shares if share is not None]
            means.append(f"{fmean(known):.3f}" if known else "")
        rows.append([way.name, len(way.runs), *means])
    if not rows:
        return ""
    first = ways[0].runs[0].run.metrics["by_annotation"]
    sizes = [f"{group} ({first[group]['num_examples']:,})" for group in GROUPS]
    paper = [[f"paper: {name}", "", *figures] for name, figures in PAPER.items()]
    return table(["reader", "seeds", *sizes], [*rows, *paper])


def to_metrics(groups: Mapping[str, GroupAccuracy]) -> dict[str, dict[str, Any]]:
    """The groups as `metrics.json` has them: counts and both accuracies."""
    return {
        name: {
            "num_examples": group.num_total,
            "num_used": group.num_used,
            "num_right": group.num_right,
            "accuracy_used": group.accuracy_used,
            "accuracy_overall": group.accuracy_overall,
        }
        for name, group in groups.items()
    }


def _majority(labels: Iterable[str]) -> str:
    counts = Counter(labels)
    (label, number), *_ = counts.most_common(1) or [("", 0)]
    return label if 2 * number > counts.total() else ""
