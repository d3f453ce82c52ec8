"""Texts in whatever form they come: strings, bytes, arrays, tensors, data sets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count, islice
from typing import Any

import keras
import numpy as np


def read_texts(value: Any, name: str) -> tuple[list[str], bool]:
    """Gives texts as a list.

    Args:
        value: One text, or a list or array of texts of shape `(batch,)` or
            `(batch, 1)`; each a string, or bytes in UTF-8.
        name: What errors call it.

    Returns:
        The texts, and whether it was one text alone.

    Raises:
        ValueError: The shape is another, something is no string, or bytes are no UTF-8.
    """
    array = np.asarray(value, dtype=object)
    check_shape(array.shape, name)
    texts = [
        _as_string(text, position, name) for position, text in enumerate(array.flat)
    ]
    return texts, array.ndim == 0


def check_shape(shape: Any, name: str) -> None:
    """Refuses what is neither one text nor a batch of them."""
    if len(shape) > 2 or (len(shape) == 2 and shape[1] not in (1, None)):
        raise ValueError(
            f"`{name}` must be texts of shape (), (batch,) or (batch, 1). "
            f"Received: shape {tuple(shape)}"
        )


def check_tensor(tensor: Any) -> None:
    """Refuses a tensor that is not of strings, or may have any shape."""
    dtype = keras.backend.standardize_dtype(tensor.dtype)
    if dtype != "string":
        raise ValueError(f'`inputs` must have dtype="string". Received: {dtype}')
    if getattr(tensor.shape, "rank", 0) is None:
        raise ValueError(
            "`inputs` must have a known rank, which `output_signature` gives a data "
            f"set of a generator. Received: shape {tensor.shape}"
        )


def text_batches(data: Any, steps: int | None = None) -> Iterator[list[str]]:
    """Yields the texts that a layer adapts to, batch by batch.

    Args:
        data: Texts as `read_texts` takes them; or batches of them, from a
            `tf.data.Dataset`, a `keras.utils.PyDataset` or any other iterable. Of the
            tuples that a data set yields, the first member holds the texts.
        steps: At most so many batches; None reads all.

    Raises:
        ValueError: Something is no text, or there is no end to the batches.
    """
    if _is_one_batch(data):
        yield read_texts(data, "data")[0]
        return
    for batch in islice(_batches_of(data, steps), steps):
        yield read_texts(batch, "data")[0]


def _is_one_batch(data: Any) -> bool:
    return isinstance(data, str | bytes | list | tuple) or (
        hasattr(data, "__array__") and not isinstance(data, Iterator)
    )


def _batches_of(data: Any, steps: int | None) -> Iterator[Any]:
    if isinstance(data, keras.utils.PyDataset):
        length = data.num_batches
        if length is None and steps is None:
            raise ValueError(
                "`steps` must be given for a data set without end. Received: None"
            )
        indices: Iterable[int] = count() if length is None else range(length)
        return (_inputs(data[index]) for index in indices)
    if not isinstance(data, Iterable):
        raise ValueError(
            "`data` must be texts, a data set, or an iterable of batches. "
            f"Received: {data!r}"
        )
    # A `tf.data.Dataset`; in other iterables a tuple may be a batch of texts.
    return map(_inputs, data) if hasattr(data, "element_spec") else iter(data)


def _inputs(batch: Any) -> Any:
    return batch[0] if isinstance(batch, tuple) else batch


def _as_string(text: Any, position: int, name: str) -> str:
    if isinstance(text, str):
        return text
    if not isinstance(text, bytes):
        raise ValueError(
            f"`{name}` must hold strings. Received: {text!r:.80} at position {position}"
        )
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(
            f"`{name}` must hold text in UTF-8. Received: {text!r:.80} at position "
            f"{position} ({error.reason} at byte {error.start})"
        ) from error
