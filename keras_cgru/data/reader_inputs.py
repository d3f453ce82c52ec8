"""What a reader takes of an example, and in which form."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from keras_cgru.data.batch_shape import BatchShape
from keras_cgru.data.bucket_layout import BucketLayout, num_occurrences, shape_of
from keras_cgru.data.character_vocabulary import CharacterVocabulary
from keras_cgru.data.collate import collate
from keras_cgru.data.encoded_example import EncodedExample
from keras_cgru.data.example import Example
from keras_cgru.data.vocabulary import Vocabulary


@dataclass(frozen=True)
class ReaderInputs:
    """The form of a reader's inputs; by default that of a reader without options.

    Args:
        characters: Gives the inputs `document_characters` and `query_characters`,
            int32 `(batch, time, word_length)`; None leaves them out.
        occurrences: Whether the candidates' mentions are served as the list
            `candidate_occurrences`, int32 `(batch, pairs, 2)`, in place of the map
            `candidate_positions`.
        apart: Whether the unknown words of one example get different buckets of the
            vocabulary, as long as there are enough. Otherwise an unknown word has the
            same bucket in every example, and now and then that of another one.
    """

    characters: CharacterVocabulary | None = None
    occurrences: bool = False
    apart: bool = False

    def encode(self, example: Example, vocabulary: Vocabulary) -> EncodedExample:
        """The arrays of an example; those of characters are made with the batch."""
        first = None
        if self.apart:
            # No bucket is that of most examples' first unknown word.
            first = zlib.crc32(example.id.encode("utf-8", "surrogatepass"))
        return EncodedExample.from_example(
            example, vocabulary, apart_from=first, written=self.characters is not None
        )

    def shape_of(self, example: Example) -> BatchShape:
        """The lengths of one example without padding."""
        shape = shape_of(example)
        if not self.occurrences:
            return shape
        return shape._replace(num_occurrences=num_occurrences(example))

    def layout(self, layout: BucketLayout, examples: Sequence[Example]) -> BucketLayout:
        """The layout with room for all that is served of these examples."""
        return layout.with_occurrences(examples) if self.occurrences else layout

    def collate(
        self, examples: Sequence[EncodedExample], shape: BatchShape
    ) -> tuple[dict[str, np.ndarray], np.ndarray]:
        """The inputs and answers of a batch; see `keras_cgru.data.collate`."""
        inputs, answers = collate(examples, shape)
        if self.characters is not None:
            for text in ("document", "query"):
                mask = inputs[f"{text}_mask"]
                words = [word for each in examples for word in each.written(text)]
                ids = np.zeros((*mask.shape, self.characters.word_length), np.int32)
                ids[mask] = self.characters.encode(words)
                inputs[f"{text}_characters"] = ids
        return inputs, answers


# Of a reader without options.
PLAIN = ReaderInputs()
