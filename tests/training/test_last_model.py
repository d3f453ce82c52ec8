"""A model that another gives its programs to is as good as a new one."""

import keras
import numpy as np
import pytest

from keras_cgru.training import LastModel

X = np.linspace(-1, 1, 24, dtype="float32").reshape(8, 3)
Y = X.sum(axis=1, keepdims=True)


def make(seed):
    keras.utils.set_random_seed(seed)
    # On PyTorch, Keras draws the masks from one generator of the process, which is no
    # state of the model.
    rate = 0.0 if keras.backend.backend() == "torch" else 0.5
    layers = [keras.layers.Dense(4), keras.layers.Dropout(rate), keras.layers.Dense(1)]
    model = keras.Sequential([keras.Input((3,)), *layers])
    model.compile(keras.optimizers.Adam(0.01, use_ema=True), "mse")
    return model


def train(model):
    model.fit(X, Y, epochs=3, batch_size=4, shuffle=False, verbose=0)
    return model.get_weights(), model.optimizer.variables


def numbers(result):
    return [np.asarray(keras.ops.convert_to_numpy(a)) for part in result for a in part]


def test_it_trains_as_a_new_one_does():
    alone = numbers(train(make(2)))
    last = LastModel()
    with last.reused_for(make(1), "kind") as first:
        train(first)
        programs = first.train_function
    with last.reused_for(make(2), "kind") as second:
        after = numbers(train(second))
    assert second is first and second.train_function is programs
    for ours, theirs in zip(after, alone, strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_one_of_another_kind_is_another():
    last = LastModel()
    with last.reused_for(make(1), ("units", 4)) as first:
        pass
    with last.reused_for(make(2), ("units", 6)) as second:
        pass
    with last.reused_for(make(3), ("units", 4)) as third:
        pass
    assert len({id(model) for model in (first, second, third)}) == 3


def test_one_whose_training_failed_is_not_used_again():
    last = LastModel()
    with last.reused_for(make(1), "kind") as first:
        pass
    with pytest.raises(ZeroDivisionError), last.reused_for(make(2), "kind"):
        raise ZeroDivisionError
    with last.reused_for(make(3), "kind") as third:
        pass
    assert third is not first
