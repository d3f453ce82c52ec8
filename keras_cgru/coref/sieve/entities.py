"""Entities that grow by merging, with the attributes of all their mentions."""

from __future__ import annotations

from collections.abc import Sequence

from keras_cgru.coref.sieve.mention import Mention
from keras_cgru.coref.sieve.pronouns import ANY_GENDER, ANY_NUMBER


class Entities:
    """Disjoint sets of mentions; each carries what all its members allow.

    Beside the mentions there may be unspoken members: the speaker of a quotation, say,
    is one before it is known who that is.

    Args:
        mentions: The mentions, each at its index.
    """

    def __init__(self, mentions: Sequence[Mention]) -> None:
        self._parents = list(range(len(mentions)))
        self.genders = [mention.gender for mention in mentions]
        self.numbers = [mention.number for mention in mentions]
        self.sizes = [1] * len(mentions)
        self.names: list[frozenset[str]] = [frozenset()] * len(mentions)
        self._foes: list[set[int] | None] = [None] * len(mentions)

    def add_unspoken(self, gender: int = ANY_GENDER, number: int = ANY_NUMBER) -> int:
        """Adds a member that no token names; gives its index."""
        self._parents.append(len(self._parents))
        self.genders.append(gender)
        self.numbers.append(number)
        self.sizes.append(0)
        self.names.append(frozenset())
        self._foes.append(None)
        return len(self._parents) - 1

    def root(self, index: int) -> int:
        """The member that stands for the whole entity."""
        parents = self._parents
        while parents[index] != index:
            parents[index] = parents[parents[index]]
            index = parents[index]
        return index

    def keep_apart(self, a: int, b: int) -> None:
        """Says that two members are of different entities."""
        a, b = self.root(a), self.root(b)
        for one, other in ((a, b), (b, a)):
            foes = self._foes[one]
            if foes is None:
                self._foes[one] = {other}
            else:
                foes.add(other)

    def are_apart(self, a: int, b: int) -> bool:
        """Whether the two are known to be different, or their attributes are."""
        a, b = self.root(a), self.root(b)
        if a == b:
            return False
        if not (
            self.genders[a] & self.genders[b] and self.numbers[a] & self.numbers[b]
        ):
            return True
        foes = self._foes[a]
        return foes is not None and any(self.root(foe) == b for foe in foes)

    def are_named_apart(self, a: int, b: int) -> bool:
        """Whether both have names and no word of these in common."""
        a, b = self.root(a), self.root(b)
        one, other = self.names[a], self.names[b]
        return bool(one) and bool(other) and one.isdisjoint(other)

    def merge(self, a: int, b: int) -> bool:
        """Makes two entities one unless something speaks against it.

        Returns:
            Whether they are one now.
        """
        a, b = self.root(a), self.root(b)
        if a == b:
            return True
        if self.are_apart(a, b) or self.are_named_apart(a, b):
            return False
        if b < a:
            a, b = b, a
        self._parents[b] = a
        self.genders[a] &= self.genders[b]
        self.numbers[a] &= self.numbers[b]
        self.sizes[a] += self.sizes[b]
        self.names[a] |= self.names[b]
        foes = self._foes[b]
        if foes:
            mine = self._foes[a]
            self._foes[a] = foes if mine is None else mine | foes
        return True
