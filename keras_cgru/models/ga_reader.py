"""The Gated-Attention reader over Coref-GRU or GRU layers."""

from __future__ import annotations

import math
import numbers
from typing import Any

import keras
import numpy as np
from keras import layers, ops

from keras_cgru.layers.attention_sum import AttentionSum
from keras_cgru.layers.candidate_map import CandidateMap
from keras_cgru.layers.character_encoder import CharacterEncoder
from keras_cgru.layers.cluster_one_hot import ClusterOneHot
from keras_cgru.layers.gated_attention import GatedAttention
from keras_cgru.layers.in_query import InQuery
from keras_cgru.layers.softmax_answer import SoftmaxAnswer
from keras_cgru.models.recurrences import RECURRENCES, Reading, Recurrence

HEADS = ["attention_sum", "softmax"]
QUERY_WORD_DIM = 2


def ga_reader(
    vocabulary_size: int,
    embedding_dim: int = 50,
    *,
    recurrence: str = "coref_gru",
    units: int = 64,
    num_layers: int = 3,
    num_clusters: int = 15,
    dropout: float = 0.0,
    embeddings: np.ndarray | None = None,
    trainable_embeddings: bool = True,
    share_memory: bool = False,
    query_word_layer: int | None = None,
    num_characters: int | None = None,
    occurrences: bool = False,
    answer: str = "attention_sum",
    num_classes: int | None = None,
    answer_length: int | None = None,
    kernel_initializer: Any = "glorot_uniform",
    recurrent_initializer: Any = "orthogonal",
    logits: bool = False,
    name: str = "ga_reader",
) -> keras.Model:
    """Builds a reader that answers a query about a document.

    `num_layers` times, a bidirectional recurrence reads the document and another the
    query; between two layers, gated attention multiplies each document token by its
    summary of the query. The last query states attend to the document. With the
    attention-sum head each candidate, a word of the document, collects the attention
    on its mentions; with the softmax head the answer is one of a fixed set.

    Args:
        vocabulary_size: Number of word ids, 0 (padding) included.
        embedding_dim: Size of the word vectors.
        recurrence: `"coref_gru"`, `"gru"`, or `"gru_onehot"` (a GRU whose word
            vectors carry the one-hot cluster).
        units: Size of the state in each direction.
        num_layers: Number K of recurrent layers.
        num_clusters: Cluster ids outside `1..num_clusters` mean "no link".
        dropout: Rate of the dropout after each gating.
        embeddings: `(vocabulary_size, embedding_dim)` initial word vectors.
        trainable_embeddings: Whether the word vectors are trained.
        share_memory: Coref-GRU only. The memory that the document's forward pass ends
            with starts the query's, and the query's backward pass starts the
            document's, as if both were one text.
        query_word_layer: The layer, 1 to `num_layers`, that is told of each document
            token whether its word stands in the query, by a trained vector of two
            numbers. In the paper it joins the word vectors, which is 1; in the
            released code it joins the input of the last layer. None for none.
        num_characters: Number of character ids, 0 (padding) included, of a
            `CharacterEncoder` whose vectors stand behind the word vectors of document
            and query, as in the paper's WikiHop reader. None for none.
        occurrences: Whether the candidates' mentions come as a list; see below.
            Attention-sum head only.
        answer: The head, `"attention_sum"` or `"softmax"`.
        num_classes, answer_length: Softmax head only, the first needed there: see
            `SoftmaxAnswer`.
        kernel_initializer, recurrent_initializer: Initializers of the recurrences.
        logits: Whether the model gives logits in place of probabilities (see
            the head); train them with `from_logits=True`.
        name: Name of the model.

    Returns:
        A functional `keras.Model` with the named inputs `document`,
        `document_mask`, `document_clusters` `(batch, time)`, `query`, `query_mask`,
        `query_clusters` `(batch, query_time)`, `candidate_positions`
        `(batch, candidates, time)` and `candidate_mask` `(batch, candidates)`: word
        ids and cluster ids int32, masks and positions boolean. What stands in padding
        changes nothing. With `num_characters` also `document_characters` and
        `query_characters`, int32 `(batch, time, characters)`. With `occurrences`, in
        place of `candidate_positions`, `candidate_occurrences` int32
        `(batch, pairs, 2)`; see `CandidateMap`. The output is `(batch, candidates)`.
        With the softmax head the two inputs of the candidates are left out, and the
        output is `(batch, num_classes)` or `(batch, answer_length, num_classes)`.

    Raises:
        ValueError: If an argument is out of its range.

    Reference:
        Dhingra et al. (2017), https://aclanthology.org/P17-1168/, and (2018),
        https://aclanthology.org/N18-2007/. As in the code released with the latter, a
        query layer reads the query layer below it.
    """
    _check_arguments(vocabulary_size, embedding_dim, recurrence, num_layers, dropout)
    _check_query_word_layer(query_word_layer, num_layers)
    _check_head(answer, num_classes, answer_length)
    if occurrences and answer == "softmax":
        raise ValueError(
            "`occurrences` must be False with answer='softmax', which has no "
            f"candidates. Received: occurrences={occurrences}"
        )
    if num_characters is not None:
        _check_counts({"num_characters": num_characters})
    if embeddings is not None:
        _check_embeddings(embeddings, (vocabulary_size, embedding_dim))
    builder = RECURRENCES[recurrence](
        units, num_clusters, share_memory, kernel_initializer, recurrent_initializer
    )
    inputs = _inputs(answer, num_characters is not None, occurrences)
    embedding = layers.Embedding(
        vocabulary_size,
        embedding_dim,
        trainable=trainable_embeddings,
        name="embedding",
    )
    words = [embedding]
    if num_characters is not None:
        words.append(CharacterEncoder(num_characters, name="characters"))
    document = _embed("document", inputs, words, recurrence, num_clusters)
    query = _embed("query", inputs, words, recurrence, num_clusters)
    extra = {}
    if query_word_layer is not None:
        extra = {query_word_layer: _query_words(inputs)}
    document, answer_state = _read(document, query, builder, num_layers, dropout, extra)
    if num_classes is None:
        output = AttentionSum(logits=logits, name="answer")(
            [document.x, answer_state, _candidate_positions(inputs)],
            mask=[document.mask, None, inputs["candidate_mask"]],
        )
    else:
        output = SoftmaxAnswer(
            num_classes, answer_length, dropout, logits=logits, name="answer"
        )([document.x, answer_state], mask=[document.mask, None])
    model = keras.Model(inputs, output, name=name)
    if embeddings is not None:
        embedding.set_weights([embeddings])
    return model


def _inputs(answer: str, characters: bool, occurrences: bool) -> dict[str, Any]:
    shapes: dict[str, tuple[tuple, str]] = {
        "document": ((None,), "int32"),
        "document_mask": ((None,), "bool"),
        "document_clusters": ((None,), "int32"),
        "query": ((None,), "int32"),
        "query_mask": ((None,), "bool"),
        "query_clusters": ((None,), "int32"),
    }
    if characters:
        for text in ("document", "query"):
            shapes[f"{text}_characters"] = ((None, None), "int32")
    if answer == "attention_sum":
        if occurrences:
            shapes["candidate_occurrences"] = ((None, 2), "int32")
        else:
            shapes["candidate_positions"] = ((None, None), "bool")
        shapes["candidate_mask"] = ((None,), "bool")
    return {
        name: keras.Input(shape, dtype=dtype, name=name)
        for name, (shape, dtype) in shapes.items()
    }


def _embed(
    text: str,
    inputs: dict[str, Any],
    words: list[layers.Layer],
    recurrence: str,
    num_clusters: int,
) -> Reading:
    """A text's vectors: of words, of their characters, of clusters."""
    clusters, mask = inputs[f"{text}_clusters"], inputs[f"{text}_mask"]
    embedding, *more = words
    x = embedding(inputs[text])
    for encoder in more:
        x = ops.concatenate([x, encoder(inputs[f"{text}_characters"])], axis=-1)
    if recurrence == "gru_onehot":
        x = ClusterOneHot(num_clusters, name=f"{text}_one_hot")([x, clusters])
    return Reading(x, clusters, mask)


def _candidate_positions(inputs: dict[str, Any]) -> Any:
    if "candidate_positions" in inputs:
        return inputs["candidate_positions"]
    return CandidateMap(name="candidate_map")(
        [
            inputs["candidate_occurrences"],
            inputs["document"],
            inputs["candidate_mask"],
        ]
    )


def _query_words(inputs: dict[str, Any]) -> Any:
    """A vector for each token of the document: does its word stand in the query?"""
    found = InQuery(name="in_query")(
        [inputs["document"], inputs["query"]],
        mask=[inputs["document_mask"], inputs["query_mask"]],
    )
    # As wide as the released code draws it.
    stddev = math.sqrt(6 / (2 + QUERY_WORD_DIM))
    return layers.Embedding(
        2,
        QUERY_WORD_DIM,
        embeddings_initializer=keras.initializers.RandomNormal(stddev=stddev),
        name="query_word",
    )(found)


def _read(
    document: Reading,
    query: Reading,
    builder: Recurrence,
    num_layers: int,
    dropout: float,
    extra: dict[int, Any],
) -> tuple[Reading, Any]:
    """The document after the last layer, and the query's final states.

    `extra` holds further features of the document, by the layer that reads them.
    """
    state = None
    for layer in range(1, num_layers + 1):
        if layer in extra:
            features = ops.concatenate([document.x, extra[layer]], axis=-1)
            document = document.with_features(features)
        document, query, state = builder.read(document, query, layer)
        if layer == num_layers:
            break
        gate = GatedAttention(name=f"gated_attention_{layer}")
        gated = gate([document.x, query.x], mask=[document.mask, query.mask])
        if dropout:
            gated = layers.Dropout(dropout, name=f"dropout_{layer}")(gated)
        document = document.with_features(gated)
    return document, state


def _check_arguments(
    vocabulary_size: int,
    embedding_dim: int,
    recurrence: str,
    num_layers: int,
    dropout: float,
) -> None:
    if recurrence not in RECURRENCES:
        raise ValueError(
            f"`recurrence` must be one of {sorted(RECURRENCES)}. "
            f"Received: recurrence={recurrence!r}"
        )
    counts = {
        "vocabulary_size": vocabulary_size,
        "embedding_dim": embedding_dim,
        "num_layers": num_layers,
    }
    _check_counts(counts)
    if not 0 <= dropout < 1:
        raise ValueError(f"`dropout` must be in [0, 1). Received: dropout={dropout}")


def _check_counts(counts: dict[str, Any]) -> None:
    for argument, value in counts.items():
        if not isinstance(value, numbers.Integral) or value < 1:
            raise ValueError(
                f"`{argument}` must be a positive integer. Received: {argument}={value}"
            )


def _check_query_word_layer(layer: Any, num_layers: int) -> None:
    if layer is None:
        return
    if (
        not isinstance(layer, numbers.Integral)
        or isinstance(layer, bool)
        or layer not in range(1, num_layers + 1)
    ):
        raise ValueError(
            f"`query_word_layer` must be None, or in 1..num_layers={num_layers}. "
            f"Received: query_word_layer={layer!r}"
        )


def _check_head(
    answer: str, num_classes: int | None, answer_length: int | None
) -> None:
    if answer not in HEADS:
        raise ValueError(
            f"`answer` must be one of {HEADS}. Received: answer={answer!r}"
        )
    wanted = {"softmax": "a positive integer", "attention_sum": "None"}[answer]
    if (num_classes is None) == (answer == "softmax"):
        raise ValueError(
            f"`num_classes` must be {wanted} with answer={answer!r}. "
            f"Received: num_classes={num_classes}"
        )
    if answer_length is not None and answer == "attention_sum":
        raise ValueError(
            "`answer_length` must be None with answer='attention_sum'. "
            f"Received: answer_length={answer_length}"
        )


def _check_embeddings(embeddings: np.ndarray, shape: tuple[int, int]) -> None:
    if tuple(np.shape(embeddings)) != shape:
        raise ValueError(
            "`embeddings` must have shape (vocabulary_size, embedding_dim) = "
            f"{shape}. Received: shape={tuple(np.shape(embeddings))}"
        )
