"""Word ids that keep unknown words apart."""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Iterable, Sequence

import numpy as np

from keras_cgru.data.example import Example
from keras_cgru.files import atomic_write, parse_json, short, to_path

_FORMAT = "keras_cgru.vocabulary"
_VERSION = 1


class Vocabulary:
    """Maps tokens to ids: padding, hashed buckets for unknown words, known words.

    Id 0 is padding, 1 to `num_oov` are the buckets, the words follow in the order
    given. A reader that points at words must tell two unknown words apart, so each
    goes to a bucket by the CRC-32 of its UTF-8 form, which is the same in every
    process, unlike `hash`.

    Args:
        words: The known words; of equal ones the first counts.
        num_oov: Number of buckets, at least 1.

    Raises:
        ValueError: `num_oov` is below 1.
        TypeError: A word is no string.
    """

    def __init__(self, words: Iterable[str], num_oov: int = 64) -> None:
        if num_oov < 1:
            raise ValueError(f"`num_oov` must be at least 1. Received: {num_oov}")
        self.num_oov = num_oov
        self.words: tuple[str, ...] = tuple(dict.fromkeys(words))
        for word in self.words:
            if not isinstance(word, str):
                raise TypeError(f"`words` must be strings. Received: {word!r}")
        first = num_oov + 1
        self._ids = {word: first + index for index, word in enumerate(self.words)}

    @classmethod
    def build(
        cls,
        examples: Iterable[Example],
        extra_words: Iterable[str] = (),
        num_oov: int = 64,
    ) -> Vocabulary:
        """Takes the words of documents, queries and candidates, in sorted order.

        Args:
            examples: The examples, of the training split alone or of all.
            extra_words: Further words, such as all that have a pretrained vector.
            num_oov: Number of buckets for unknown words.
        """
        words = set(extra_words)
        for example in examples:
            words.update(example.document, example.query, *example.candidates)
        return cls(sorted(words), num_oov)

    def __len__(self) -> int:
        """Number of ids, padding and buckets included: the rows of an embedding."""
        return 1 + self.num_oov + len(self.words)

    def __contains__(self, word: object) -> bool:
        return word in self._ids

    def id_of(self, word: str) -> int:
        """The id of one word; that of its bucket if it is unknown."""
        known = self._ids.get(word)
        if known is not None:
            return known
        # A lone surrogate has no UTF-8 form; it must not stop an evaluation.
        return 1 + zlib.crc32(word.encode("utf-8", "surrogatepass")) % self.num_oov

    def encode(self, tokens: Sequence[str]) -> np.ndarray:
        """Gives the ids of tokens.

        Args:
            tokens: Any number of tokens.

        Returns:
            int32 array of shape `(len(tokens),)`.
        """
        return np.fromiter(map(self.id_of, tokens), np.int32, count=len(tokens))

    def encode_apart(
        self, texts: Sequence[Sequence[str]], first: int = 0
    ) -> list[np.ndarray]:
        """Gives the ids of tokens of which unknown words have buckets of their own.

        The unknown words take one bucket after the other in the order in which they
        come up; only beyond `num_oov` of them do two share one.

        Args:
            texts: Texts that belong together: a word has the same id in all of them.
            first: The bucket of the first unknown word, modulo `num_oov`.

        Returns:
            For each text an int32 array of shape `(len(text),)`.
        """
        ids: dict[str, int] = {}
        known, num_oov = self._ids, self.num_oov
        for text in texts:
            for token in text:
                if token not in known and token not in ids:
                    ids[token] = 1 + (first + len(ids)) % num_oov
        return [
            np.fromiter(
                (known[t] if t in known else ids[t] for t in text),
                np.int32,
                count=len(text),
            )
            for text in texts
        ]

    def to_json(self) -> str:
        """The vocabulary as a JSON document in ASCII."""
        return json.dumps(
            {
                "format": _FORMAT,
                "version": _VERSION,
                "num_oov": self.num_oov,
                "words": self.words,
            }
        )

    @classmethod
    def from_json(cls, text: str | bytes, source: str = "text") -> Vocabulary:
        """Reads what `to_json` wrote.

        Args:
            text: The JSON document.
            source: What to call it in errors.

        Raises:
            ValueError: It is no JSON, or not that of a vocabulary of this version.
        """
        content = parse_json(text, source)
        if not isinstance(content, dict) or content.get("format") != _FORMAT:
            raise ValueError(f'{source}: must hold "format": "{_FORMAT}"')
        if content.get("version") != _VERSION:
            raise ValueError(
                f"{source}: `version` must be {_VERSION}. "
                f"Received: {content.get('version')!r}"
            )
        for name, kind in (("num_oov", int), ("words", list)):
            if type(content.get(name)) is not kind:
                raise ValueError(
                    f"{source}: `{name}` must be of type {kind.__name__}. "
                    f"Received: {short(content.get(name))}"
                )
        try:
            return cls(content["words"], content["num_oov"])
        except (TypeError, ValueError) as error:
            raise ValueError(f"{source}: {error}") from error

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the vocabulary to a file."""
        with atomic_write(path) as file:
            file.write(self.to_json().encode("utf-8") + b"\n")

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Vocabulary:
        """Reads a file that `save` wrote; errors name the file."""
        content = to_path(path).read_bytes()
        return cls.from_json(content, os.fspath(path))
