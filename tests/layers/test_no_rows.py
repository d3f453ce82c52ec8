"""A batch without rows gives outputs without rows, as in `keras.layers.GRU`."""

import keras
import numpy as np
import pytest
from keras import ops

from keras_cgru import (
    AttentionSum,
    CorefGRU,
    CorefGRUCell,
    GatedAttention,
    SoftmaxAnswer,
    pack_clusters,
)
from keras_cgru.layers import InQuery

X, CLUSTERS = np.zeros((0, 5, 3), "float32"), np.zeros((0, 5), "int32")
MASK = np.ones((0, 5), bool)
POSITIONS = np.zeros((0, 2, 5), bool)
PATHS = [{}, {"use_kernel": False}, {"unroll": True}, {"stateful": True}]


def _shapes(tensors):
    return [tuple(tensor.shape) for tensor in keras.tree.flatten(tensors)]


@pytest.mark.parametrize("options", PATHS, ids=str)
def test_recurrence(options):
    layer = CorefGRU(4, 3, return_sequences=True, return_state=True, **options)
    wanted = [(0, 5, 4), (0, 4), (0, 9)]
    assert _shapes(layer([X, CLUSTERS])) == wanted
    states = [ops.zeros((0, 4)), ops.zeros((0, 9))]
    assert _shapes(layer([X, CLUSTERS], mask=MASK, initial_state=states)) == wanted


def test_the_cell_and_both_directions():
    layer = keras.layers.RNN(CorefGRUCell(4, 3))
    assert _shapes(layer(pack_clusters(X, CLUSTERS))) == [(0, 4)]
    both = keras.layers.Bidirectional(CorefGRU(4, 3, recurrent_dropout=0.5))
    assert _shapes(both([X, CLUSTERS], mask=MASK, training=True)) == [(0, 8)]
    assert _shapes(keras.layers.GRU(4)(X)) == [(0, 4)]


def test_gradients_are_zero(value_and_gradients):
    layer = CorefGRU(4, 3)
    layer.build([X.shape, CLUSTERS.shape])
    _, _, d_weights = value_and_gradients(
        layer, lambda x: [layer([x, CLUSTERS])], [X], [np.zeros((0, 4), "float32")]
    )
    for gradient in d_weights:
        np.testing.assert_array_equal(gradient, 0)


def test_the_pieces_of_the_reader():
    head = [X, X[:, 0], POSITIONS]
    assert _shapes(AttentionSum()(head, mask=[MASK, None, None])) == [(0, 2)]
    assert _shapes(AttentionSum(logits=True)(head)) == [(0, 2)]
    assert _shapes(GatedAttention()([X, X], mask=[MASK, MASK])) == [(0, 5, 3)]
    answer = SoftmaxAnswer(3, length=2)([X, X[:, 0]], mask=[MASK, None])
    assert _shapes(answer) == [(0, 2, 3)]
    assert _shapes(InQuery()([CLUSTERS, CLUSTERS])) == [(0, 5)]
