"""Cross-entropy of answers of several words."""

import keras
import numpy as np

from keras_cgru.metrics import whole_answer_cross_entropy

PROBABILITIES = [[[0.1, 0.9], [0.8, 0.2]], [[0.6, 0.4], [0.3, 0.7]]]
# The same up to a constant a place: logits that are no log-probabilities.
LOGITS = np.log(PROBABILITIES).astype("float32") + np.float32([[[2.0], [-1.0]]])
WANTED = np.array([[1, 0], [1, 0]], "int32")
OF_EACH = -np.log([0.9 * 0.8, 0.4 * 0.3])


def test_words_of_an_answer_are_multiplied():
    found = keras.ops.convert_to_numpy(whole_answer_cross_entropy(WANTED, LOGITS))
    np.testing.assert_allclose(found, OF_EACH, rtol=1e-5)


def test_as_a_metric_that_leaves_out_rows_of_weight_0():
    model = keras.Sequential([keras.Input((2, 2)), keras.layers.Identity()])
    metric = keras.metrics.MeanMetricWrapper(whole_answer_cross_entropy, name="nats")
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(loss=loss, weighted_metrics=[metric])
    weights = np.array([[1], [0]], "float32")
    result = model.evaluate(
        LOGITS, WANTED, sample_weight=weights, verbose=0, return_dict=True
    )
    np.testing.assert_allclose(result["nats"], OF_EACH[0], rtol=1e-5)
