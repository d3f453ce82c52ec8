"""New names for the entities of a text, drawn anew each time it is read."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterable

import numpy as np

from keras_cgru.data.encoded_example import EncodedExample
from keras_cgru.data.vocabulary import Vocabulary


class EntityRenaming:
    """Gives the entities of a training example other names, each its own.

    Who is who in a text follows from which mentions corefer, not from the names. A
    reader of few examples learns the names by heart instead; one that sees each
    example under many names cannot. Two mentions of one name keep one name, two
    names stay two, and clusters, candidates and the answer's place stay as they are.

    New names are either the names of others, or those of nobody: the vocabulary's
    buckets of unknown words. Under the former a name soon means nothing; under the
    latter it still means what it does in the examples that keep theirs.

    Args:
        vocabulary: Gives the word ids.
        kinds: Groups of names, such as `entity_kinds` finds; a name changes to
            another of its group. Words of which an answer is made, other than by its
            place in the document, must not stand among them.
        rate: The share of examples that are renamed, in [0, 1].
        unknown: Whether the new names are unknown words, of no kind.

    Raises:
        ValueError: `rate` is out of its range, the vocabulary lacks a name, a name is
            of two kinds, or there are fewer unknown words than names.

    Reference:
        Hermann et al. (2015), https://arxiv.org/abs/1506.03340, permute anonymous
        entity markers for every example; here the names remain words, and some
        examples keep theirs.
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        kinds: Iterable[Collection[str]],
        rate: float,
        unknown: bool = False,
    ) -> None:
        if not 0 <= rate <= 1:
            raise ValueError(f"`rate` must be in [0, 1]. Received: rate={rate}")
        groups = [sorted(kind) for kind in kinds]
        names = [name for group in groups for name in group]
        for name in names:
            if name not in vocabulary or names.count(name) > 1:
                raise ValueError(
                    "`kinds` must hold words of the vocabulary, each once. "
                    f"Received: {name!r}"
                )
        self.rate = rate
        self._kinds = [vocabulary.encode(group) for group in groups]
        if unknown:
            if len(names) > vocabulary.num_oov:
                raise ValueError(
                    "`vocabulary` must have a bucket of unknown words for each name "
                    f"with `unknown`. Received: {vocabulary.num_oov} buckets, "
                    f"{len(names)} names"
                )
            self._kinds = [vocabulary.encode(names)] if names else []
        self.unknown = unknown
        self._unknown_ids = np.arange(1, vocabulary.num_oov + 1, dtype=np.int32)
        self._identity = np.arange(len(vocabulary), dtype=np.int32)

    def __call__(
        self, example: EncodedExample, random: np.random.Generator
    ) -> EncodedExample:
        """Renames an example, or leaves it as it is."""
        if random.random() >= self.rate:
            return example
        # A permutation: two entities never get one name.
        new_ids = self._identity.copy()
        for names in self._kinds:
            pool = self._unknown_ids if self.unknown else names
            new_ids[names] = random.permutation(pool)[: len(names)]
        return dataclasses.replace(
            example,
            document=new_ids[example.document],
            query=new_ids[example.query],
        )
