"""One side of an example, the document or the query, as a reader read it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from keras_cgru.coref.antecedents import antecedents
from keras_cgru.inspection.checks import (
    as_int,
    as_probability,
    as_sequence,
    as_tokens,
    as_weight,
    refuse,
)

DIRECTIONS = ("forward", "backward")


class Mention(NamedTuple):
    """Neighbouring tokens `[start, end)` that carry one cluster."""

    start: int
    end: int
    cluster: int


class Pass(NamedTuple):
    """One reading of the passage: a layer, in one direction."""

    layer: str
    direction: str


@dataclass(frozen=True)
class Passage:
    """Tokens, their clusters, and what a reader made of each.

    Args:
        tokens: The text.
        clusters: For each token the id of its cluster, 0 for none, or a sequence of
            ids, the innermost mention's first; all 0 when left out. They are kept as
            tuples of the ids above 0.
        alpha: For each pass, `(layer, direction)`, one weight a token: how much of the
            state came from the token before, and not from the token's antecedent. None,
            NaN, or exactly 1 where the clusters give no antecedent say that the token
            was not linked; None is kept. Directions are "forward" and "backward".
        attention: For each token the share of the answer's probability that it
            carried; left out where the reader's answer points at no token.

    Raises:
        ValueError: A field breaks one of these rules; the message names the field.

    Example:

    >>> passage = Passage(["mary", "lost", "her", "cat"], [1, 0, 1, 0])
    >>> passage.mentions
    (Mention(start=0, end=1, cluster=1), Mention(start=2, end=3, cluster=1))
    """

    tokens: tuple[str, ...] = ()
    clusters: tuple[tuple[int, ...], ...] = ()
    alpha: Mapping[Pass, tuple[float | None, ...]] = field(default_factory=dict)
    attention: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        tokens = as_tokens("tokens", self.tokens)
        object.__setattr__(self, "tokens", tokens)
        clusters = self._per_token("clusters", self.clusters) or [0] * len(tokens)
        object.__setattr__(self, "clusters", tuple(map(_as_ids, clusters)))
        object.__setattr__(self, "alpha", self._checked_alpha())
        attention = self._per_token("attention", self.attention)
        shares = (as_probability("attention", share) for share in attention)
        object.__setattr__(self, "attention", tuple(shares))

    @cached_property
    def mentions(self) -> tuple[Mention, ...]:
        """Neighbouring tokens of one cluster, by where they start, the longest first.

        Two mentions of one cluster without a token between them are one here, as they
        are to a layer that reads ids.
        """
        found: list[Mention] = []
        started: dict[int, int] = {}
        for place, ids in enumerate((*self.clusters, ())):
            for cluster in set(started).difference(ids):
                found.append(Mention(started.pop(cluster), place, cluster))
            for cluster in ids:
                started.setdefault(cluster, place)
        return tuple(sorted(found, key=lambda each: (each.start, -each.end, each)))

    @property
    def linked(self) -> tuple[int, ...]:
        """The positions of the tokens for which a pass has a weight."""
        rows = zip(*self.alpha.values(), strict=True)
        return tuple(
            place
            for place, row in enumerate(rows)
            if any(weight is not None for weight in row)
        )

    def _per_token(self, name: str, values: Any) -> list[Any]:
        """The values, which must be one a token, or none at all."""
        values = as_sequence(name, values)
        if values and len(values) != len(self.tokens):
            rule = f"hold one value a token ({len(self.tokens)})"
            refuse(name, rule, f"{len(values)} values")
        return values

    def _checked_alpha(self) -> dict[Pass, tuple[float | None, ...]]:
        if not isinstance(self.alpha, Mapping):
            refuse("alpha", "map (layer, direction) to weights", self.alpha)
        checked: dict[Pass, tuple[float | None, ...]] = {}
        for given, values in self.alpha.items():
            key = _as_pass(given)
            if key in checked:
                refuse("alpha", "have distinct keys (layer, direction)", given)
            checked[key] = self._checked_weights(key, values)
        return checked

    def _checked_weights(self, key: Pass, values: Any) -> tuple[float | None, ...]:
        given = self._per_token("alpha", values)
        if len(given) != len(self.tokens):
            rule = f"hold one value a token ({len(self.tokens)})"
            refuse("alpha", rule, f"{len(given)} values")
        weights = [as_weight("alpha", each) for each in given]
        earlier = antecedents(self.clusters, backwards=key.direction == "backward")
        for place, weight in enumerate(weights):
            # The layer gives 1 without an antecedent; a weight may also round to 1.
            if weight == 1 and not any(earlier[place]):
                weights[place] = None
        return tuple(weights)


def _as_ids(ids: Any) -> tuple[int, ...]:
    several = isinstance(ids, Sequence) or getattr(ids, "shape", ()) != ()
    numbers = [as_int("clusters", each) for each in (ids if several else (ids,))]
    if min(numbers, default=0) < 0:
        refuse("clusters", "be 0 (none) or positive ids", ids)
    # Twice the same says no more than once.
    return tuple(dict.fromkeys(number for number in numbers if number))


def _as_pass(key: Any) -> Pass:
    if isinstance(key, str) or not isinstance(key, Sequence) or len(key) != 2:
        refuse("alpha", "have keys (layer, direction)", key)
    layer, direction = key
    if direction not in DIRECTIONS:
        refuse("alpha", f"have a direction of {DIRECTIONS} in each key", key)
    return Pass(str(layer), direction)
