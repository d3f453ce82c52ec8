"""Accuracy of answers of several words."""

import keras
import numpy as np

from keras_cgru.metrics import whole_answer_accuracy

LOGITS = np.log(
    [
        [[0.1, 0.9], [0.8, 0.2]],
        [[0.6, 0.4], [0.3, 0.7]],
        [[0.1, 0.9], [0.2, 0.8]],
        [[0.9, 0.1], [0.9, 0.1]],
    ]
).astype("float32")


def test_one_wrong_word_makes_an_answer_wrong():
    wanted = np.array([[1, 0], [0, 0], [0, 0], [0, 0]], "int32")
    right = keras.ops.convert_to_numpy(whole_answer_accuracy(wanted, LOGITS))
    np.testing.assert_array_equal(right, [1, 0, 0, 1])


def test_as_a_metric_of_a_model():
    model = keras.Sequential([keras.Input((2, 2)), keras.layers.Identity()])
    metric = keras.metrics.MeanMetricWrapper(whole_answer_accuracy, name="accuracy")
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(loss=loss, metrics=[metric])
    wanted = np.array([[1, 0], [0, 1], [0, 0], [0, 0]], "int32")
    result = model.evaluate(LOGITS, wanted, verbose=0, return_dict=True)
    assert result["accuracy"] == 0.75
