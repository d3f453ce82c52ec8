"""The one-hot baseline's input."""

import keras
import numpy as np
from keras import ops

from keras_cgru.layers import ClusterOneHot


def test_appends_the_one_hot_cluster():
    x = np.array([[[0.5], [1.5], [2.5], [3.5]]], "float32")
    clusters = np.array([[2, 0, 3, -1]])
    output = ClusterOneHot(2)([x, clusters])
    want = [[[0.5, 0, 1], [1.5, 0, 0], [2.5, 0, 0], [3.5, 0, 0]]]
    np.testing.assert_array_equal(ops.convert_to_numpy(output), want)


def test_passes_the_mask_of_the_features_on():
    ids = np.array([[1, 2, 0]])
    x = keras.layers.Embedding(4, 2, mask_zero=True)(ids)
    output = ClusterOneHot(2)([x, np.array([[1, 0, 1]])])
    np.testing.assert_array_equal(
        ops.convert_to_numpy(output._keras_mask), [[True, True, False]]
    )
