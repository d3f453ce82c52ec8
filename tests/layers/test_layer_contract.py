"""What Keras asks of every layer: config, shapes, gradients, training, files."""

import json

import keras
import numpy as np
import pytest
from keras import ops

from keras_cgru import CorefGRU, CorefGRUCell


def test_config_round_trip(specimen):
    layer = specimen.make()
    config = layer.get_config()
    assert json.loads(json.dumps(config)) == config
    again = type(layer).from_config(layer.get_config())
    assert again.get_config() == config


# Every option of the cell, none at its default.
CELL_OPTIONS = {
    "num_clusters": 7,
    "activation": "relu",
    "recurrent_activation": "hard_sigmoid",
    "use_bias": False,
    "kernel_initializer": "he_normal",
    "recurrent_initializer": "he_uniform",
    "bias_initializer": "ones",
    "keys_initializer": "ones",
    "kernel_regularizer": "l1",
    "recurrent_regularizer": "l2",
    "bias_regularizer": "l1",
    "keys_regularizer": "l2",
    "kernel_constraint": "non_neg",
    "recurrent_constraint": "unit_norm",
    "bias_constraint": "max_norm",
    "keys_constraint": "non_neg",
    "dropout": 0.1,
    "recurrent_dropout": 0.2,
    "seed": 11,
    "clusters_per_token": 2,
    "separate_writes": True,
}
LAYER_OPTIONS = {
    **CELL_OPTIONS,
    "return_sequences": True,
    "return_state": True,
    "go_backwards": True,
    "stateful": True,
    "unroll": True,
    "zero_output_for_mask": True,
    "use_kernel": False,
    "activity_regularizer": "l2",
    "name": "reads_on",
    "trainable": False,
    "dtype": "float16",
}


@pytest.mark.parametrize(
    ("kind", "options"),
    [(CorefGRUCell, CELL_OPTIONS), (CorefGRU, LAYER_OPTIONS)],
    ids=["cell", "layer"],
)
def test_every_option_survives_the_config(kind, options):
    config = kind(6, **options).get_config()
    default = kind(6).get_config()
    unchanged = {name for name in options if config[name] == default[name]}
    assert not unchanged
    # Nothing that the config holds is left out of this test.
    assert set(config) - set(options) <= {"units", "name", "dtype", "trainable"}
    assert kind.from_config(config).get_config() == config


def test_regularizers_and_constraints_reach_their_weights():
    layer = CorefGRU(
        4,
        3,
        kernel_regularizer=keras.regularizers.L1(1.0),
        recurrent_regularizer=keras.regularizers.L1(10.0),
        bias_regularizer=keras.regularizers.L1(100.0),
        keys_regularizer=keras.regularizers.L1(1000.0),
        keys_constraint="non_neg",
    )
    layer.build([(None, None, 3), (None, None)])
    layer.set_weights([np.full(w.shape, -0.01) for w in layer.get_weights()])
    wanted = 0.01 * (36 * 1 + 48 * 10 + 12 * 100 + 6 * 1000)
    total = float(ops.convert_to_numpy(sum(layer.losses)))
    np.testing.assert_allclose(total, wanted, rtol=1e-6)
    constrained = layer.cell.keys.constraint(layer.cell.keys.value)
    np.testing.assert_array_equal(ops.convert_to_numpy(constrained), np.zeros((3, 2)))


def test_output_shape_is_the_real_shape(specimen, compiled):
    layer = specimen.make()
    arguments = specimen.arguments(specimen.inputs)
    if specimen.packed:
        shapes = tuple(arguments.shape)
    else:
        shapes = [tuple(a.shape) for a in arguments]
    symbolic = specimen(layer, specimen.symbolic()).shape
    real = tuple(compiled(lambda: specimen(layer))().shape)
    assert tuple(layer.compute_output_shape(shapes)) == real
    assert symbolic == (None, *real[1:])


def test_output_shape_with_states(compiled):
    layer = CorefGRU(4, 3, return_sequences=True, return_state=True)
    shapes = layer.compute_output_shape([(2, 5, 3), (2, 5)])
    layer.build([(2, 5, 3), (2, 5)])
    inputs = np.ones((2, 5, 3), "float32"), np.ones((2, 5), "int32")
    real = compiled(lambda: layer(list(inputs)))()
    assert list(shapes) == [tuple(part.shape) for part in real]
    assert list(shapes) == [(2, 5, 4), (2, 4), (2, 9)]


def test_every_weight_and_feature_gets_a_gradient(
    specimen, floats_of, value_and_gradients
):
    layer = specimen.make()
    shape = specimen(layer, specimen.symbolic()).shape
    shape = (len(specimen.inputs[0]), *shape[1:])
    cotangent = np.random.default_rng(1).normal(size=shape).astype("float32")
    floats = floats_of(specimen)

    def call(*tensors):
        inputs = list(specimen.inputs)
        for index, tensor in zip(floats, tensors, strict=True):
            inputs[index] = tensor
        return [specimen(layer, inputs)]

    given = [specimen.inputs[index] for index in floats]
    _, d_inputs, d_weights = value_and_gradients(layer, call, given, [cotangent])
    assert len(d_weights) == len(layer.trainable_weights)
    for gradient in [*d_inputs, *d_weights]:
        assert np.isfinite(gradient).all()
        assert abs(gradient).max() > 1e-4


def test_one_compiled_step_changes_every_weight(specimen):
    model = specimen.model(specimen.make())
    model.compile(keras.optimizers.SGD(0.1), "mse")
    before = model.get_weights()
    shape = (len(specimen.inputs[0]), *model.output_shape[1:])
    target = np.random.default_rng(2).normal(size=shape)
    model.fit(list(specimen.inputs), target, verbose=0)
    for variable, old in zip(model.weights, before, strict=True):
        moved = abs(ops.convert_to_numpy(variable) - old).max()
        assert moved > 1e-6, variable.path


def test_saved_model_predicts_the_same(specimen, tmp_path):
    model = specimen.model(specimen.make())
    model.save(tmp_path / "model.keras")
    loaded = keras.saving.load_model(tmp_path / "model.keras")
    inputs = list(specimen.inputs)
    np.testing.assert_array_equal(
        loaded.predict(inputs, verbose=0), model.predict(inputs, verbose=0)
    )
