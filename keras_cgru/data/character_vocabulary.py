"""Character ids of words."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from keras_cgru.data.example import Example
from keras_cgru.data.written import written_document, written_query
from keras_cgru.files import atomic_write, parse_json, short, to_path

_FORMAT = "keras_cgru.characters"
_VERSION = 1
UNKNOWN = 1


class CharacterVocabulary:
    """Maps the characters of words to ids: 0 padding, 1 unknown, then the known ones.

    Args:
        characters: The known characters; of equal ones the first counts.
        word_length: Characters of a word that are read; the others are cut off.

    Raises:
        ValueError: `word_length` is below 1, or an item is no single character.
    """

    def __init__(self, characters: Iterable[str], word_length: int = 16) -> None:
        if word_length < 1:
            raise ValueError(
                f"`word_length` must be at least 1. Received: {word_length}"
            )
        self.word_length = word_length
        self.characters = tuple(dict.fromkeys(characters))
        for each in self.characters:
            if not isinstance(each, str) or len(each) != 1:
                raise ValueError(
                    "`characters` must be strings of one character. Received: "
                    f"{short(each)}"
                )
        self._ids = {c: UNKNOWN + 1 + n for n, c in enumerate(self.characters)}
        # The same words come again and again.
        self._rows: dict[str, np.ndarray] = {}

    @classmethod
    def build(
        cls,
        examples: Iterable[Example],
        max_characters: int = 200,
        word_length: int = 16,
    ) -> CharacterVocabulary:
        """Takes the most frequent characters of documents and queries, as written.

        Args:
            examples: Those of the training split.
            max_characters: At most so many.
            word_length: See the class.
        """
        words: Counter[str] = Counter()
        for example in examples:
            words.update(written_document(example))
            words.update(written_query(example))
        counts: Counter[str] = Counter()
        for word, count in words.items():
            for character in word[:word_length]:
                counts[character] += count
        ranked = sorted(counts, key=lambda each: (-counts[each], each))
        return cls(ranked[:max_characters], word_length)

    def __len__(self) -> int:
        """Number of ids, padding and unknown included."""
        return UNKNOWN + 1 + len(self.characters)

    def encode(self, words: Sequence[str]) -> np.ndarray:
        """Gives the ids of the characters of words.

        Returns:
            int32 `(len(words), word_length)`, padded with 0 on the right.
        """
        if not words:
            return np.zeros((0, self.word_length), np.int32)
        return np.stack([self._row(word) for word in words])

    def _row(self, word: str) -> np.ndarray:
        row = self._rows.get(word)
        if row is None:
            row = np.zeros(self.word_length, np.int32)
            ids = [self._ids.get(each, UNKNOWN) for each in word[: self.word_length]]
            row[: len(ids)] = ids
            self._rows[word] = row
        return row

    def to_json(self) -> str:
        """The vocabulary as a JSON document in ASCII."""
        return json.dumps(
            {
                "format": _FORMAT,
                "version": _VERSION,
                "word_length": self.word_length,
                "characters": self.characters,
            }
        )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the vocabulary to a file."""
        with atomic_write(path) as file:
            file.write(self.to_json().encode("utf-8") + b"\n")

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> CharacterVocabulary:
        """Reads a file that `save` wrote.

        Raises:
            ValueError: It is none of this version; the message names the file.
        """
        content = parse_json(to_path(path).read_bytes(), path)
        wanted = {"format": _FORMAT, "version": _VERSION}
        for name, value in wanted.items():
            if not isinstance(content, dict) or content.get(name) != value:
                raise ValueError(f'{path}: must hold "{name}": {json.dumps(value)}')
        characters, length = content.get("characters"), content.get("word_length")
        if not isinstance(characters, list) or type(length) is not int:
            raise ValueError(
                f"{path}: must hold a list `characters` and a number `word_length`. "
                f"Received: {short(characters)}, {short(length)}"
            )
        try:
            return cls(characters, length)
        except (TypeError, ValueError) as error:
            raise ValueError(f"{path}: {error}") from error
