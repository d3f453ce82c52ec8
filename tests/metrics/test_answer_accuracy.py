"""A tie is no answer, nor is NaN; else as Keras's own accuracy."""

import keras
import numpy as np
import pytest

from keras_cgru.metrics import answer_accuracy, answer_metrics

NOT_MENTIONED = -1e9
NAN = float("nan")


@pytest.mark.parametrize(
    ("logits", "right"),
    [
        ([2.0, 1.0, NOT_MENTIONED], 1),
        ([-30.0, NOT_MENTIONED, NOT_MENTIONED], 1),
        ([1.0, 2.0, 0.0], 0),
        ([2.0, 2.0, 0.0], 0),
        ([NOT_MENTIONED] * 3, 0),
        ([NOT_MENTIONED], 0),
        ([0.5], 1),
        ([NAN, NAN, NAN], 0),
        ([NAN, 1.0, 0.0], 0),
        ([1.0, NAN, 0.0], 0),
    ],
)
@pytest.mark.parametrize("shape", [(1,), (1, 1)])
def test_the_first_is_right_where_it_alone_is_highest(logits, right, shape):
    found = answer_accuracy(np.zeros(shape, "int32"), np.float32([logits]))
    assert keras.ops.convert_to_numpy(found).tolist() == [right]


def test_without_ties_it_is_the_accuracy_of_keras():
    random = np.random.default_rng(0)
    logits = random.normal(size=(200, 5)).astype("float32")
    gold = random.integers(5, size=200)
    usual = keras.metrics.SparseCategoricalAccuracy()
    ours, _ = answer_metrics()
    for metric in (usual, ours):
        metric.update_state(gold, logits)
    assert ours.name == "accuracy"
    assert float(ours.result()) == float(usual.result())


def test_rows_of_weight_0_do_not_count():
    ours, cross_entropy = answer_metrics()
    logits = np.log(np.float32([[0.8, 0.2], [0.2, 0.8]]))
    for metric in (ours, cross_entropy):
        metric.update_state(np.zeros(2, "int32"), logits, sample_weight=[1.0, 0.0])
    assert float(ours.result()) == 1
    assert float(cross_entropy.result()) == pytest.approx(-np.log(0.8), rel=1e-5)
