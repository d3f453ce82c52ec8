"""A model that reads raw text, on every backend."""

from __future__ import annotations

from typing import Any

import keras
import numpy as np

from keras_cgru.preprocessing.coref_text_vectorization import (
    OUTPUTS,
    CorefTextVectorization,
)
from keras_cgru.preprocessing.tensorflow_texts import is_tensorflow


@keras.saving.register_keras_serializable(package="keras_cgru")
class TextModel(keras.Model):
    """A model and the layer that makes its inputs of texts, in one.

    `fit`, `evaluate`, `predict`, their batch-wise forms and a call take lists or
    arrays of strings, which the layer turns into numbers before Keras sees them. So it
    runs on backends without tensors of strings. One `.keras` file holds the model, the
    vocabulary and the resolver's settings, and loads after `import keras_cgru`.

    The layer reads all texts of a call at once and pads them to the longest; for data
    that is too large or too uneven for that give it an `output_sequence_length`, or
    pass batches that it made: `fit` and the others take what the layer returns, too,
    and data sets of it. A `tf.data.Dataset` of texts is mapped through the layer.

    Args:
        vectorization: A `CorefTextVectorization`.
        model: A functional model whose inputs have names among those that
            `vectorization` returns: "words", "clusters", "words_mask".
        **kwargs: `name` and what else `keras.Model` takes.

    Call arguments:
        inputs: Texts, or what `vectorization` makes of them.
        training: Passed on to `model`.

    Raises:
        ValueError: An argument is something else.

    Example:

    ```python
    words = keras.Input((None,), dtype="int32", name="words")
    clusters = keras.Input((None,), dtype="int32", name="clusters")
    x = keras.layers.Embedding(encode.vocabulary_size(), 64, mask_zero=True)(words)
    x = keras.layers.Bidirectional(CorefGRU(64))([x, clusters])
    x = keras.layers.Dense(1, "sigmoid")(x)
    model = TextModel(encode, keras.Model([words, clusters], x))
    ```
    """

    def __init__(
        self,
        vectorization: CorefTextVectorization,
        model: keras.Model,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        if not isinstance(vectorization, CorefTextVectorization):
            raise ValueError(
                "`vectorization` must be a CorefTextVectorization. "
                f"Received: {vectorization!r}"
            )
        self._names = _input_names(model)
        if not self._names or not set(self._names) <= set(OUTPUTS):
            raise ValueError(
                "`model` must be a functional model with inputs named among "
                f"{', '.join(OUTPUTS)}. Received: {self._names or model!r}"
            )
        self.vectorization = vectorization
        self.model = model
        self.built = True  # as `model` is

    def __call__(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        return super().__call__(self._read(inputs), *args, **kwargs)

    def call(self, inputs: Any, training: bool = False) -> Any:
        return self.model(self._arranged(inputs), training=training)

    def fit(
        self,
        x: Any = None,
        y: Any = None,
        *args: Any,
        validation_data: Any = None,
        **kwargs: Any,
    ) -> keras.callbacks.History:
        if isinstance(validation_data, tuple | list):
            validation_data = (self._read(validation_data[0]), *validation_data[1:])
        else:
            validation_data = self._read(validation_data)
        return super().fit(
            self._read(x), y, *args, validation_data=validation_data, **kwargs
        )

    def evaluate(self, x: Any = None, *args: Any, **kwargs: Any) -> Any:
        return super().evaluate(self._read(x), *args, **kwargs)

    def predict(self, x: Any, *args: Any, **kwargs: Any) -> Any:
        return super().predict(self._read(x), *args, **kwargs)

    def train_on_batch(self, x: Any, *args: Any, **kwargs: Any) -> Any:
        return super().train_on_batch(self._read(x), *args, **kwargs)

    def test_on_batch(self, x: Any, *args: Any, **kwargs: Any) -> Any:
        return super().test_on_batch(self._read(x), *args, **kwargs)

    def predict_on_batch(self, x: Any) -> Any:
        return super().predict_on_batch(self._read(x))

    def compute_output_shape(self, input_shape: Any) -> Any:
        return self.model.compute_output_shape(input_shape)

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            "vectorization": keras.saving.serialize_keras_object(self.vectorization),
            "model": keras.saving.serialize_keras_object(self.model),
        }

    @classmethod
    def from_config(
        cls, config: dict[str, Any], custom_objects: Any = None
    ) -> TextModel:
        parts = {
            name: keras.saving.deserialize_keras_object(config[name], custom_objects)
            for name in ("vectorization", "model")
        }
        return cls(**{**config, **parts})

    def _arranged(self, inputs: Any) -> Any:
        """The model's inputs in its own structure.

        Given a dictionary that holds more, Keras may take the mask for the words.
        """
        if not isinstance(inputs, dict):
            return inputs
        chosen = {name: inputs[name] for name in self._names}
        if isinstance(self.model.input, dict):
            return chosen
        is_one = keras.utils.is_keras_tensor(self.model.input)
        return chosen[self._names[0]] if is_one else list(chosen.values())

    def _read(self, x: Any) -> Any:
        """Texts become numbers; numbers, and data sets of them, stay."""
        if isinstance(x, str | bytes) or (isinstance(x, list | tuple) and not x):
            raise ValueError(f"`x` must be a list of texts. Received: {x!r:.80}")
        if _yields_texts(x):
            return x.map(lambda text, *rest: (self.vectorization(text), *rest))
        return self.vectorization(x) if _are_texts(x) else x


def _input_names(model: Any) -> list[str]:
    """What a dictionary must call the inputs of a functional model."""
    if not getattr(model, "inputs", None):
        return []
    if isinstance(model.input, dict):
        return list(model.input)
    return [each.name for each in model.inputs]


def _are_texts(x: Any) -> bool:
    if isinstance(x, list | tuple):
        return isinstance(x[0], str | bytes) or not hasattr(x[0], "shape")
    if is_tensorflow(x):
        return x.dtype == "string"
    if keras.ops.is_tensor(x) or not hasattr(x, "__array__"):
        return False
    return np.asarray(x).dtype.kind in "OSTU"


def _yields_texts(x: Any) -> bool:
    """Whether this is a `tf.data.Dataset` whose inputs are strings."""
    spec = getattr(x, "element_spec", None)
    inputs = spec[0] if isinstance(spec, tuple) else spec
    return getattr(inputs, "dtype", None) == "string"
