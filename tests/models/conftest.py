"""Small readers, a batch for them, and the whole reader again in NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import keras
import numpy as np
import pytest
from oracle import Options, Weights, bidirectional, oracle
from reader_variants import VARIANT_OPTIONS

from keras_cgru.models import ga_reader

VOCABULARY, DIM, UNITS, LAYERS, NUM_CLUSTERS = 11, 4, 4, 2, 3
TIME, QUERY_TIME, CANDIDATES = 6, 4, 3
DOCUMENT_LENGTHS, QUERY_LENGTHS, CANDIDATE_COUNTS = (6, 4, 5), (4, 2, 3), (3, 2, 3)


def build(variant: str, **options: Any) -> keras.Model:
    defaults = {"units": UNITS, "num_layers": LAYERS, "num_clusters": NUM_CLUSTERS}
    return ga_reader(
        VOCABULARY, DIM, **{**defaults, **VARIANT_OPTIONS[variant], **options}
    )


@pytest.fixture(scope="session")
def build_reader() -> Callable[..., keras.Model]:
    """`build_reader(variant, **options)`: a reader with its first weights."""
    return build


@pytest.fixture(scope="session")
def readers(randomise) -> dict[str, keras.Model]:
    """A reader of each variant with random weights; every test leaves them alone."""
    models = {variant: build(variant) for variant in VARIANT_OPTIONS}
    for model in models.values():
        randomise(model, scale=1.0)
    return models


def _lengths_mask(lengths, width):
    return np.arange(width) < np.array(lengths)[:, None]


def fill_padding(batch: dict[str, np.ndarray], seed: int) -> dict[str, np.ndarray]:
    """The batch with all that padding can hold drawn anew."""
    rng = np.random.default_rng(seed)
    filled = dict(batch)
    for text in ("document", "query"):
        mask = batch[f"{text}_mask"]
        words = rng.integers(0, VOCABULARY, mask.shape)
        clusters = rng.integers(-1, NUM_CLUSTERS + 2, mask.shape)
        filled[text] = np.where(mask, batch[text], words)
        clusters = np.where(mask, batch[f"{text}_clusters"], clusters)
        filled[f"{text}_clusters"] = clusters
    positions = batch["candidate_positions"]
    real = batch["candidate_mask"][:, :, None] & batch["document_mask"][:, None, :]
    anything = rng.random(positions.shape) < 0.5
    filled["candidate_positions"] = np.where(real, positions, anything)
    return {name: array.astype(batch[name].dtype) for name, array in filled.items()}


def make_batch(seed: int = 0) -> dict[str, np.ndarray]:
    """Three rows: a full one, one with much padding, one with a little."""
    rng = np.random.default_rng(seed)
    rows = len(DOCUMENT_LENGTHS)
    batch = {
        "document_mask": _lengths_mask(DOCUMENT_LENGTHS, TIME),
        "query_mask": _lengths_mask(QUERY_LENGTHS, QUERY_TIME),
        "candidate_mask": _lengths_mask(CANDIDATE_COUNTS, CANDIDATES),
    }
    for text, time in (("document", TIME), ("query", QUERY_TIME)):
        mask = batch[f"{text}_mask"]
        words = rng.integers(1, VOCABULARY, (rows, time)) * mask
        clusters = rng.integers(0, NUM_CLUSTERS + 1, (rows, time)) * mask
        batch[text] = words.astype("int32")
        batch[f"{text}_clusters"] = clusters.astype("int32")
    # Candidate c is met at tokens c and c + 3, if these are real.
    positions = np.zeros((rows, CANDIDATES, TIME), bool)
    for candidate in range(CANDIDATES):
        positions[:, candidate, [candidate, candidate + 3]] = True
    real = batch["candidate_mask"][:, :, None] & batch["document_mask"][:, None, :]
    batch["candidate_positions"] = positions & real
    return batch


@pytest.fixture(scope="session")
def batch() -> dict[str, np.ndarray]:
    return make_batch()


@pytest.fixture(scope="session")
def predict() -> Callable[..., np.ndarray]:
    def run(model: keras.Model, batch: dict[str, np.ndarray]) -> np.ndarray:
        return model.predict(batch, verbose=0)

    return run


@pytest.fixture(scope="session")
def refill_padding() -> Callable[..., dict[str, np.ndarray]]:
    return fill_padding


@pytest.fixture(scope="session")
def numpy_reader() -> Callable[..., np.ndarray]:
    """`numpy_reader(model, batch, variant)`: the model's probabilities, float64."""
    return read_in_numpy


def read_in_numpy(model, batch, variant) -> np.ndarray:
    vectors = model.get_layer("embedding").get_weights()[0].astype("float64")
    x = {text: vectors[batch[text]] for text in ("document", "query")}
    if variant == "gru_onehot":
        one_hot = np.eye(NUM_CLUSTERS + 1)[:, 1:]
        for text in x:
            hot = one_hot[batch[f"{text}_clusters"]]
            x[text] = np.concatenate([x[text], hot], axis=-1)
    for layer in range(1, LAYERS + 1):
        if VARIANT_OPTIONS[variant].get("query_word_layer") == layer:
            x["document"] = _with_query_words(model, batch, x["document"])
        x, answer = _read_layer(model, batch, variant, layer, x)
        if layer < LAYERS:
            x["document"] = _gate(x["document"], x["query"], batch)
    return _attention_sum(x["document"], answer, batch)


def _with_query_words(model, batch, x):
    """Token by token: is its word one of the query's?"""
    vectors = model.get_layer("query_word").get_weights()[0].astype("float64")
    found = np.zeros(x.shape[:2], int)
    for row, token in np.argwhere(batch["document_mask"]):
        words = batch["query"][row][batch["query_mask"][row]]
        found[row, token] = batch["document"][row, token] in words
    return np.concatenate([x, vectors[found]], axis=-1)


def _read_layer(model, batch, variant, layer, x):
    """Both texts read in both directions, and the query's final states."""
    shared = "shared" in variant
    outputs, final = {}, []
    for backwards in (False, True):
        memory = None
        # As one text, document before query: backwards the query comes first.
        for text in ("query", "document") if backwards else ("document", "query"):
            arrays = _weights(model, f"{text}_{layer}", shared, backwards)
            mask = batch[f"{text}_mask"]
            if variant.startswith("gru"):
                read, h = _gru(x[text], mask, arrays, backwards)
            else:
                result = oracle(
                    x[text],
                    batch[f"{text}_clusters"],
                    Weights.of(arrays),
                    Options(NUM_CLUSTERS, backwards, zero_output_for_mask=True),
                    mask=mask,
                    initial_state=memory,
                )
                read, h = result.outputs, result.h
                memory = (np.zeros_like(h), result.memory) if shared else None
            outputs[text, backwards] = read
            if text == "query":
                final.append(h)
    both = {
        text: bidirectional(outputs[text, False], outputs[text, True]) for text in x
    }
    return both, np.concatenate(final, axis=-1)


def _weights(model, name, shared, backwards):
    direction = "backward" if backwards else "forward"
    if shared:
        return model.get_layer(f"{name}_{direction}").get_weights()
    return getattr(model.get_layer(name), f"{direction}_layer").get_weights()


def _gru(x, mask, arrays, backwards):
    """`keras.layers.GRU(reset_after=False)`, gates z, r, h; zeros at padding."""
    kernel, recurrent_kernel, bias = (a.astype("float64") for a in arrays)
    outputs, final = np.zeros((*x.shape[:2], UNITS)), np.zeros((len(x), UNITS))
    for row, position in np.ndindex(*x.shape[:2]):
        token = x.shape[1] - 1 - position if backwards else position
        if not mask[row, token]:
            continue
        h = final[row]
        w_z, w_r, w_h = np.split(x[row, token] @ kernel + bias, 3)
        u_z, u_r, u_h = np.split(recurrent_kernel, 3, axis=1)
        z = 1 / (1 + np.exp(-w_z - h @ u_z))
        r = 1 / (1 + np.exp(-w_r - h @ u_r))
        final[row] = z * h + (1 - z) * np.tanh(w_h + (r * h) @ u_h)
        outputs[row, position] = final[row]
    return outputs, final


def _gate(document, query, batch):
    gated = np.zeros_like(document)
    for row, token in np.argwhere(batch["document_mask"]):
        real = query[row][batch["query_mask"][row]]
        if len(real):
            weights = np.exp(real @ document[row, token])
            summary = weights @ real / weights.sum()
            gated[row, token] = document[row, token] * summary
    return gated


def _attention_sum(document, answer, batch):
    probabilities = np.zeros(batch["candidate_mask"].shape)
    for row in range(len(document)):
        weights = np.exp(document[row] @ answer[row])
        for candidate, token in np.argwhere(batch["candidate_positions"][row]):
            real = batch["candidate_mask"][row, candidate]
            if real and batch["document_mask"][row, token]:
                probabilities[row, candidate] += weights[token]
        probabilities[row] /= max(probabilities[row].sum(), 1e-300)
    return probabilities
