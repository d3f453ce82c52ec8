"""Ids and numbers of clusters that come near what an int32 holds."""

import keras
import numpy as np
import pytest
from keras import ops

from keras_cgru import CorefGRU


def outputs_of(num_clusters, ids, weights=None):
    layer = CorefGRU(4, num_clusters, return_sequences=True)
    x = np.random.default_rng(0).normal(size=(*ids.shape, 3)).astype("float32")
    layer.build([x.shape, ids.shape])
    layer.set_weights(weights or layer.get_weights())
    return ops.convert_to_numpy(layer([x, ids])), layer.get_weights()


def test_many_clusters_of_long_texts():
    """An id times the length is past 2**31; the links are those of small ids."""
    ids = np.random.default_rng(1).integers(0, 4, (1, 3000)).astype("int32")
    want, weights = outputs_of(3, ids)
    large = np.where(ids > 0, ids + 999_996, 0).astype("int32")
    got, _ = outputs_of(1_000_000, large, weights)
    np.testing.assert_allclose(got, want, atol=1e-6)
    none, _ = outputs_of(3, np.zeros_like(ids), weights)
    assert abs(none - want).max() > 1e-3


@pytest.mark.skipif(
    keras.backend.backend() == "jax", reason="JAX has no int64 unless told"
)
def test_an_int64_that_is_small_after_a_cast():
    ids = np.array([[1, 1, 1]], "int64")
    none, weights = outputs_of(3, 0 * ids)
    got, _ = outputs_of(3, ids + 2**32, weights)
    np.testing.assert_array_equal(got, none)


@pytest.mark.parametrize("dtype", ["uint8", "int16", "uint32"])
def test_other_integer_types(dtype):
    ids = np.array([[1, 0, 1, 200, 200]])
    want, weights = outputs_of(300, ids.astype("int32"))
    got, _ = outputs_of(300, ids.astype(dtype), weights)
    np.testing.assert_array_equal(got, want)


def test_a_row_that_cannot_be_numbered():
    ids = np.zeros((1, 50_000), "int32")
    with pytest.raises(
        ValueError, match="`clusters` must have at most 46340 ids a row"
    ):
        outputs_of(1_000_000, ids)
