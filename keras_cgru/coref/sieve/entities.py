"""Entities that grow by merging, with the attributes of all their mentions."""

from __future__ import annotations

from collections.abc import Sequence

from keras_cgru.coref.sieve.mention import Mention
from keras_cgru.coref.sieve.pronouns import ANY_GENDER, ANY_NUMBER


class Entities:
    """Disjoint sets of mentions; each carries what all its members allow.

    Beside the mentions there may be unspoken members: the speaker of a quotation, say,
    is one before it is known who that is.

    Every method takes time that hardly grows with the number of members: of two sets
    that become one, the smaller is poured into the larger.

    Args:
        mentions: The mentions, each at its index.
    """

    def __init__(self, mentions: Sequence[Mention]) -> None:
        self._parents = list(range(len(mentions)))
        self.genders = [mention.gender for mention in mentions]
        self.numbers = [mention.number for mention in mentions]
        self.sizes = [1] * len(mentions)
        self._names: list[set[str] | None] = [None] * len(mentions)
        # Foes know one another by handles, so that of two merged entities the one with
        # more foes can keep its own, whichever is the root.
        self._handles = list(range(len(mentions)))
        self._foes: list[set[int] | None] = [None] * len(mentions)

    def add_unspoken(self, gender: int = ANY_GENDER, number: int = ANY_NUMBER) -> int:
        """Adds a member that no token names; gives its index."""
        index = len(self._parents)
        self._parents.append(index)
        self.genders.append(gender)
        self.numbers.append(number)
        self.sizes.append(0)
        self._names.append(None)
        self._handles.append(index)
        self._foes.append(None)
        return index

    def set_names(self, index: int, names: set[str]) -> None:
        """Gives a member that is not merged yet the words that name it."""
        self._names[index] = names

    def root(self, index: int) -> int:
        """The member that stands for the whole entity: its first one."""
        parents = self._parents
        while parents[index] != index:
            parents[index] = parents[parents[index]]
            index = parents[index]
        return index

    def keep_apart(self, a: int, b: int) -> None:
        """Says that two members are of different entities, if they are not one yet."""
        a, b = self._handles[self.root(a)], self._handles[self.root(b)]
        if a == b:
            return
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
        foes = self._foes[self._handles[a]]
        return foes is not None and self._handles[b] in foes

    def are_named_apart(self, a: int, b: int) -> bool:
        """Whether both have names and no word of these in common."""
        one, other = self._names[self.root(a)], self._names[self.root(b)]
        return bool(one and other and one.isdisjoint(other))

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
        self._merge_names(a, b)
        self._merge_foes(a, b)
        return True

    def _merge_names(self, a: int, b: int) -> None:
        one, other = self._names[a], self._names[b]
        if not other:
            return
        if one is None or len(one) < len(other):
            one, other = other, one
        if other:
            one |= other
        self._names[a] = one

    def _merge_foes(self, a: int, b: int) -> None:
        kept, gone = self._handles[a], self._handles[b]
        if len(self._foes[kept] or ()) < len(self._foes[gone] or ()):
            kept, gone = gone, kept
        self._handles[a] = kept
        foes = self._foes[gone]
        if not foes:
            return
        self._foes[gone] = None
        mine = self._foes[kept]
        assert mine is not None  # It is no smaller than `foes`.
        for foe in foes:
            theirs = self._foes[foe]
            assert theirs is not None  # Foes know one another.
            theirs.remove(gone)
            theirs.add(kept)
        mine |= foes
