"""Runs that may stand in one table, and the seeds of each way of training."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from keras_cgru.evaluation.seed_run import SeedRun


@dataclass(frozen=True)
class Way:
    """The runs of one model that differ in their seed alone.

    Args:
        name: The model, and the options in which others of its table differ.
        runs: One a seed, by seed.
    """

    name: str
    runs: Sequence[SeedRun]

    @property
    def best(self) -> SeedRun:
        """The one that validated best; no test figure chooses it."""
        return max(self.runs, key=lambda run: run.rank)


def groups_of(runs: Iterable[SeedRun]) -> list[list[Way]]:
    """Puts together what was trained and tested on the same, in the order given.

    Runs of other files, of fewer examples (`limit`) or of simulated stories are groups
    of their own. A run that is given twice counts once.

    Raises:
        ValueError: Two different runs are of one way of training and one seed; the
            message names both.
    """
    by_data: dict[tuple, list[SeedRun]] = {}
    for run in runs:
        by_data.setdefault(run.data_key, []).append(run)
    return [_ways(group) for group in by_data.values()]


def nearest(way: Way, others: Sequence[Way], model: str) -> Way | None:
    """Of the ways of a model the one with most options in common."""
    same = [other for other in others if other.runs[0].model == model]
    options = way.runs[0].options.items()
    return max(
        same,
        key=lambda other: len(options & other.runs[0].options.items()),
        default=None,
    )


def _ways(runs: Sequence[SeedRun]) -> list[Way]:
    found: dict[tuple, dict[int, SeedRun]] = {}
    for run in runs:
        key = (run.model, *run.options.items())
        first = found.setdefault(key, {}).setdefault(run.seed, run)
        if first is not run and first.run.predictions != run.run.predictions:
            raise ValueError(
                f"{run.run.folder}: must be of another seed or trained otherwise than "
                f"{first.run.folder}. Received: {run.model}, seed {run.seed} in both"
            )
    seen: dict[str, set[str | None]] = {}
    every = [next(iter(seeds.values())) for seeds in found.values()]
    for name in {name for run in every for name in run.options}:
        seen[name] = {run.options.get(name) for run in every}
    differ = sorted(name for name, values in seen.items() if len(values) > 1)
    return [
        Way(_name(run, differ), [seeds[seed] for seed in sorted(seeds)])
        for run, seeds in zip(every, found.values(), strict=True)
    ]


def _name(run: SeedRun, differ: Sequence[str]) -> str:
    given = [f"{n} {run.options[n]}" for n in differ if n in run.options]
    return ", ".join([run.model, *(each.replace('"', "") for each in given)])
