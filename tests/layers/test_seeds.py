"""A random seed gives the layers what it gives Keras's GRU, in the same order."""

import keras
import numpy as np
import pytest

from keras_cgru import CorefGRU, CorefGRUCell


def drawn(make):
    """The seeds of a cell made after a random seed was set."""
    keras.utils.set_random_seed(7)
    made = make(4)
    cell = getattr(made, "cell", made)
    dropout = keras.ops.convert_to_numpy(cell.seed_generator.state.value)
    return [
        cell.kernel_initializer.seed,
        cell.recurrent_initializer.seed,
        *np.ravel(dropout).tolist(),
    ]


@pytest.mark.parametrize("make", [CorefGRUCell, CorefGRU])
def test_seeds_are_drawn_in_the_order_of_gru(make):
    """Another order would give every reader other weights and other dropout."""
    stock = drawn(keras.layers.GRUCell)
    assert drawn(make) == stock
    assert len(set(stock[:3])) == 3
