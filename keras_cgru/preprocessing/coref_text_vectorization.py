"""From raw text to word ids and cluster ids."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import keras
import numpy as np

from keras_cgru.coref import Resolver, token_clusters
from keras_cgru.coref.text import tokenise
from keras_cgru.data import Vocabulary
from keras_cgru.preprocessing.resolver_choice import make_resolver
from keras_cgru.preprocessing.tensorflow_texts import is_tensorflow, read_tensor
from keras_cgru.preprocessing.texts import (
    check_shape,
    check_tensor,
    read_texts,
    text_batches,
)

OUTPUTS = {"words": "int32", "clusters": "int32", "words_mask": "bool"}


@keras.saving.register_keras_serializable(package="keras_cgru")
class CorefTextVectorization(keras.layers.Layer):
    """Turns raw text into the inputs of `CorefGRU`: word ids and cluster ids.

    A text is tokenised as the resolvers read it, the resolver finds its coreference
    clusters, and words become ids: 0 is padding, 1 to `num_oov` are unknown words, the
    vocabulary follows. The vocabulary is given, or taken from texts by `adapt`. Both
    are saved with the layer.

    Args:
        max_tokens: At most so many ids, padding and unknown words included: `adapt`
            keeps the most frequent words. None keeps all.
        num_clusters: At most so many clusters a text, as in `CorefGRU`; those that
            cover most tokens stay.
        output_sequence_length: Every text is cut or padded to so many tokens; the
            resolver reads it whole all the same. None pads to the longest of the
            batch, at least one token. JAX compiles a model once a length.
        vocabulary: The known words, in the order of their ids, or a
            `keras_cgru.data.Vocabulary`, whose `num_oov` then counts. None waits for
            `adapt`.
        num_oov: Number of ids for unknown words, which are spread by their spelling.
        lowercase: Whether words are looked up in lower case; the resolver sees the
            text as it is.
        resolver: "sieve" (`keras_cgru.coref.SieveResolver`), "exact"
            (`ExactMatchResolver` without case), None for no clusters, or a resolver of
            your own. For the layer to be saved its class must have `get_config` and
            `from_config`, and be registered with
            `keras.saving.register_keras_serializable`.
        resolver_options: Arguments of "sieve" or "exact", such as
            `{"links": ["names", "pronouns"]}`; they must be JSON.
        **kwargs: `name` and what else `keras.layers.Layer` takes.

    Call arguments:
        inputs: A string or bytes in UTF-8; a list or NumPy array of them of shape
            `(batch,)` or `(batch, 1)`; or a TensorFlow tensor of strings, of these
            shapes, in `tf.data` on any backend. A symbolic input
            (`keras.Input((), dtype="string")`) is possible on TensorFlow alone, as no
            other backend has tensors of strings: see `TextModel` for the others.

    Output:
        A dictionary of `words` int32, `clusters` int32 and `words_mask` bool (False at
        padding), all `(batch, time)`, or `(time,)` of one text alone. NumPy arrays, or
        TensorFlow tensors where such a tensor came in. Name a model's inputs like
        these, and give them to `keras.Model` as a list: Keras then takes from the
        dictionary those that it needs.

    Masking:
        `keras.layers.Embedding(mask_zero=True)` over `words` masks just the padding. An
        empty text is padding alone.

    Raises:
        ValueError: An argument is out of range, there is no vocabulary yet, or the
            inputs are no texts.
        ImportError: nltk, the tokeniser, is not installed.

    Example:

    >>> texts = ["Mary met John. She liked him.", "John slept."]
    >>> encode = CorefTextVectorization()
    >>> encode.adapt(texts)
    >>> encode.get_vocabulary()
    ['', '[UNK]', '.', 'john', 'him', 'liked', 'mary', 'met', 'she', 'slept']
    >>> encode(texts)["words"]
    array([[6, 7, 3, 2, 8, 5, 4, 2],
           [3, 9, 2, 0, 0, 0, 0, 0]], dtype=int32)
    >>> encode(texts)["clusters"]
    array([[1, 0, 2, 0, 1, 0, 2, 0],
           [0, 0, 0, 0, 0, 0, 0, 0]], dtype=int32)

    In a data set: `dataset.map(lambda text, label: (encode(text), label))`, before or
    after batching; in a `keras.utils.PyDataset`: `return encode(texts), labels`.
    """

    def __init__(
        self,
        max_tokens: int | None = None,
        num_clusters: int = 50,
        output_sequence_length: int | None = None,
        vocabulary: Iterable[str] | Vocabulary | None = None,
        num_oov: int = 1,
        lowercase: bool = True,
        resolver: str | Resolver | None = "sieve",
        resolver_options: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        if isinstance(vocabulary, Vocabulary):
            num_oov, vocabulary = vocabulary.num_oov, vocabulary.words
        _check_at_least("num_oov", num_oov, 1)
        _check_at_least("num_clusters", num_clusters, 1)
        if output_sequence_length is not None:
            _check_at_least("output_sequence_length", output_sequence_length, 1)
        if max_tokens is not None:  # padding, unknown words, and one that is known
            _check_at_least("max_tokens", max_tokens, num_oov + 2)
        self.max_tokens = max_tokens
        self.num_clusters = num_clusters
        self.output_sequence_length = output_sequence_length
        self.num_oov = num_oov
        self.lowercase = lowercase
        self.resolver = resolver
        self._resolver, self.resolver_options = make_resolver(
            resolver, resolver_options
        )
        self._vocabulary: Vocabulary | None = None
        if vocabulary is not None:
            self.set_vocabulary(vocabulary)
        self.built = True  # no weights

    @property
    def vocabulary(self) -> Vocabulary:
        """The vocabulary, as `keras_cgru.data.embedding_matrix` takes it."""
        if self._vocabulary is None:
            raise ValueError(
                f"layer {self.name!r} has no vocabulary yet: call `adapt(texts)`, or "
                "make it with `vocabulary=[...]`"
            )
        return self._vocabulary

    def vocabulary_size(self) -> int:
        """Number of ids, padding and unknown words included: an embedding's rows."""
        return len(self.vocabulary)

    def get_vocabulary(self, include_special_tokens: bool = True) -> list[str]:
        """The words by id, "" and "[UNK]" for padding and unknown words first."""
        special = ["", *["[UNK]"] * self.num_oov] if include_special_tokens else []
        return [*special, *self.vocabulary.words]

    def set_vocabulary(self, vocabulary: Iterable[str]) -> None:
        """Sets the known words, in the order of their ids.

        Raises:
            ValueError: There are too many for `max_tokens`, or `lowercase` would never
                find one.
        """
        if isinstance(vocabulary, str):
            raise ValueError(
                f"`vocabulary` must be a list of words. Received: {vocabulary!r:.80}"
            )
        made = Vocabulary(vocabulary, self.num_oov)
        if self.max_tokens is not None and len(made) > self.max_tokens:
            raise ValueError(
                f"`vocabulary` must fit into max_tokens={self.max_tokens} beside "
                f"{1 + self.num_oov} ids for padding and unknown words. "
                f"Received: {len(made.words)} words"
            )
        for word in made.words if self.lowercase else ():
            if word != word.lower():
                raise ValueError(
                    "`vocabulary` must be in lower case, or the layer made with "
                    f"lowercase=False. Received: {word!r}"
                )
        self._vocabulary = made

    def adapt(self, data: Any, steps: int | None = None) -> None:
        """Makes the vocabulary anew of the words of texts.

        The most frequent come first, equally frequent ones in the order of their
        characters, whatever the order of the texts.

        Args:
            data: Texts as the layer takes them; or batches of them: a
                `tf.data.Dataset`, a `keras.utils.PyDataset`, a generator. Where a data
                set yields tuples, their first member holds the texts.
            steps: At most so many batches.

        Raises:
            ValueError: Something is no text, or there is no word in them.
        """
        counts: Counter[str] = Counter()
        for texts in text_batches(data, steps):
            for text in texts:
                counts.update(self._words(tokenise(text)[0]))
        if not counts:
            raise ValueError("`data` must hold a word. Received: none")
        ranked = sorted(counts, key=lambda word: (-counts[word], word))
        if self.max_tokens is not None:
            ranked = ranked[: self.max_tokens - 1 - self.num_oov]
        self.set_vocabulary(ranked)

    def __call__(self, inputs: Any, training: bool | None = None) -> Any:
        # Strings are tensors on no backend but TensorFlow: where they are not
        # symbolic, Keras must not try to convert them. A functional model passes
        # `training` to whatever it holds.
        if keras.utils.is_keras_tensor(inputs):
            return super().__call__(inputs)
        return self.call(inputs)

    def call(self, inputs: Any) -> Any:
        if not is_tensorflow(inputs):
            return self._encode(inputs)
        check_tensor(inputs)
        shape = self._output_shape(tuple(inputs.shape))
        return read_tensor(inputs, self._encode, OUTPUTS, shape)

    def compute_output_shape(self, input_shape: Any) -> dict[str, tuple]:
        return dict.fromkeys(OUTPUTS, self._output_shape(tuple(input_shape)))

    def compute_output_spec(self, inputs: Any) -> dict[str, keras.KerasTensor]:
        if keras.backend.backend() != "tensorflow":
            raise ValueError(
                "`inputs` must be texts on this backend, which has no tensors of "
                "strings: call the layer on the texts and the model on what it gives, "
                "or let `keras_cgru.preprocessing.TextModel` do so. "
                f"Received: inputs={inputs}, backend={keras.backend.backend()}"
            )
        check_tensor(inputs)
        self.supports_jit = False  # Python within the model, which XLA cannot compile
        shape = self._output_shape(tuple(inputs.shape))
        return {
            name: keras.KerasTensor(shape, dtype=dtype)
            for name, dtype in OUTPUTS.items()
        }

    def get_config(self) -> dict[str, Any]:
        resolver, known = self.resolver, self._vocabulary
        if resolver is not None and not isinstance(resolver, str):
            resolver = keras.saving.serialize_keras_object(resolver)
        return {
            **super().get_config(),
            "max_tokens": self.max_tokens,
            "num_clusters": self.num_clusters,
            "output_sequence_length": self.output_sequence_length,
            "vocabulary": None if known is None else list(known.words),
            "num_oov": self.num_oov,
            "lowercase": self.lowercase,
            "resolver": resolver,
            "resolver_options": self.resolver_options,
        }

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> CorefTextVectorization:
        if isinstance(config["resolver"], dict):
            resolver = keras.saving.deserialize_keras_object(config["resolver"])
            config = {**config, "resolver": resolver}
        return cls(**config)

    def _output_shape(self, input_shape: tuple) -> tuple:
        check_shape(input_shape, "inputs")
        return (*input_shape[:1], self.output_sequence_length)

    def _words(self, tokens: tuple[str, ...]) -> Iterable[str]:
        return map(str.lower, tokens) if self.lowercase else tokens

    def _encode(self, inputs: Any) -> dict[str, np.ndarray]:
        texts, is_one = read_texts(inputs, "inputs")
        rows = [self._row(text) for text in texts]
        lengths = np.array([len(words) for words, _ in rows], np.int32)
        longest = self.output_sequence_length or max([1, *lengths])
        mask = np.arange(longest) < lengths[:, None]
        arrays = []
        for part in (0, 1):
            padded = np.zeros(mask.shape, np.int32)
            if rows:
                padded[mask] = np.concatenate([row[part] for row in rows])
            arrays.append(padded)
        encoded = dict(zip(OUTPUTS, (*arrays, mask), strict=True))
        return {name: each[0] for name, each in encoded.items()} if is_one else encoded

    def _row(self, text: str) -> tuple[np.ndarray, np.ndarray]:
        """The word ids and the cluster ids of one text, cut but not padded."""
        tokens, starts = tokenise(text)
        length = self.output_sequence_length
        words = self.vocabulary.encode(list(self._words(tokens[:length])))
        if self._resolver is None or not tokens:
            return words, np.zeros(len(words), np.int32)
        annotation = self._resolver.resolve(tokens, starts)
        if len(annotation.tokens) != len(tokens):
            raise ValueError(
                f"`resolver` must annotate the tokens that it is given, {len(tokens)}. "
                f"Received: {len(annotation.tokens)} from {self._resolver!r}"
            )
        if len(words) < len(tokens):
            annotation = annotation.window(0, len(words))
        ids = token_clusters(annotation, self.num_clusters).ids
        return words, np.array(ids, np.int32)


def _check_at_least(name: str, value: int, least: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise ValueError(f"`{name}` must be at least {least}. Received: {value!r}")
