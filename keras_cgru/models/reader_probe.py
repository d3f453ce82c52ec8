"""Looks into a reader: alpha, gated attention, and the answer's attention."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import keras
import numpy as np
from keras import ops

from keras_cgru.layers.coref_alpha import Alpha, coref_alpha
from keras_cgru.layers.coref_rnn import CorefRNN
from keras_cgru.layers.gated_attention import GatedAttention
from keras_cgru.models.reader_trace import ReaderTrace

TEXTS = ("document", "query")
RECURRENCE = re.compile(r"(document|query)_([0-9]+)(?:_(forward|backward))?")
DIRECTIONS = ("forward", "backward")


class ReaderProbe:
    """A reader together with what its layers read, for those who look.

    The layers compute alpha and attention from what they read. So a second model over
    the same layers gives what each of them reads, and the reader itself is as it was:
    no weight, no output and no cost more. It follows the reader's training.

    Args:
        model: A reader of `keras_cgru.models.ga_reader`, new, trained or loaded.

    Attributes:
        input_names: The names of the model's inputs.

    Raises:
        ValueError: It is no such reader.

    Example:

    >>> trace = ReaderProbe(reader)(batch)
    >>> trace.document_alpha[3]["backward"].shape
    (32, 96)
    """

    def __init__(self, model: keras.Model) -> None:
        layers = {layer.name: layer for layer in model.layers}
        if "answer" not in layers or "document_clusters" not in _names(model):
            raise ValueError(
                "`model` must be a reader of `keras_cgru.models.ga_reader`. Received: "
                f"{model.name!r} with the inputs {_names(model)}"
            )
        self.input_names = _names(model)
        self._answer = layers["answer"]
        self._recurrences = {
            name: layer
            for name, layer in layers.items()
            if RECURRENCE.fullmatch(name) and _is_coref(layer)
        }
        self._gates = [
            each for each in model.layers if isinstance(each, GatedAttention)
        ]
        read = [*self._recurrences.values(), *self._gates, self._answer]
        self._model = keras.Model(
            model.input, {"output": model.output, **{e.name: e.input for e in read}}
        )

    def __call__(self, inputs: Mapping[str, Any]) -> ReaderTrace:
        """Reads a batch, without dropout.

        Args:
            inputs: The model's inputs by name, as a `ReaderDataset` serves them; what
                has other names is left alone.

        Raises:
            ValueError: An input is missing.
        """
        missing = sorted(set(self._model.input) - set(inputs))
        if missing:
            raise ValueError(
                f"`inputs` must have {', '.join(missing)} as well, like the model's. "
                f"Received: {', '.join(sorted(inputs))}"
            )
        found = self._model.predict_on_batch({n: inputs[n] for n in self._model.input})
        by_layer: dict[str, dict[int, dict[str, Alpha]]] = {text: {} for text in TEXTS}
        for name, layer in self._recurrences.items():
            for direction, alpha in _alpha(name, layer, found[name]).items():
                match = RECURRENCE.fullmatch(name)
                assert match is not None  # That is how they were chosen.
                by_layer[match[1]].setdefault(int(match[2]), {})[direction] = alpha
        return ReaderTrace(
            output=ops.convert_to_numpy(found["output"]),
            attention=_attention(self._answer, found["answer"]),
            gated_attention={
                number: _attention(gate, found[gate.name])
                for number, gate in enumerate(self._gates, start=1)
            },
            document_alpha=_by_layer(by_layer["document"]),
            query_alpha=_by_layer(by_layer["query"]),
            document_linked=_linked(by_layer["document"]),
            query_linked=_linked(by_layer["query"]),
            points_at_mentions="candidate_mask" in self.input_names,
        )


def _names(model: keras.Model) -> list[str]:
    return [tensor.name for tensor in model.inputs]


def _is_coref(layer: keras.layers.Layer) -> bool:
    if isinstance(layer, keras.layers.Bidirectional):
        layer = layer.forward_layer
    return isinstance(layer, CorefRNN)


def _alpha(name: str, layer: Any, read: list[Any]) -> dict[str, Alpha]:
    """By direction. A layer reads features, ids, the states to start from, a mask."""
    x, clusters, *state, mask = read
    found = coref_alpha(layer, [x, clusters], state or None, mask)
    if isinstance(layer, keras.layers.Bidirectional):
        return dict(zip(DIRECTIONS, found, strict=True))
    return {name.rpartition("_")[2]: found}


def _attention(layer: Any, read: list[Any]) -> np.ndarray:
    num_inputs = 3 if len(read) == 5 else 2  # with the candidates' positions
    inputs, masks = read[:num_inputs], read[num_inputs:]
    if num_inputs == 3:
        masks = [masks[0], None, masks[1]]
    tensors = [ops.convert_to_tensor(each) for each in inputs]
    return np.asarray(ops.convert_to_numpy(layer.attention(tensors, masks)))


def _by_layer(found: dict[int, dict[str, Alpha]]) -> dict[int, dict[str, np.ndarray]]:
    return {
        number: {
            direction: ops.convert_to_numpy(alpha.alpha)
            for direction, alpha in sorted(directions.items(), reverse=True)
        }
        for number, directions in sorted(found.items())
    }


def _linked(found: dict[int, dict[str, Alpha]]) -> dict[str, np.ndarray]:
    # The links are those of the text: in every layer the same.
    directions = next(iter(found.values()), {})
    return {
        direction: ops.convert_to_numpy(alpha.linked)
        for direction, alpha in sorted(directions.items(), reverse=True)
    }
