"""What joins an epoch's event: histograms of weights, exp(-loss), a part of one's own;
and the norm of the gradients."""

import math

import keras
import numpy as np
import pytest

pytest.importorskip("tensorboard", reason="the extra `recipes` is not installed")

from tensorboard.compat.proto.event_pb2 import Event
from tensorboard.util import tensor_util

from keras_cgru import CorefGRU
from keras_cgru.callbacks import ExpLoss, TensorBoard, WeightHistograms
from keras_cgru.callbacks.event_files import event_files, read_records
from keras_cgru.callbacks.summary_values import (
    histogram_value,
    image_value,
    scalar_values,
    text_value,
)
from keras_cgru.callbacks.weight_histograms import weight_tags


def values_of(folder):
    """{(step, tag): value} of a folder; an event a step."""
    found, steps = {}, []
    for path in event_files(folder):
        for record in read_records(path):
            event = Event.FromString(record)
            if event.HasField("summary"):
                steps.append(event.step)
                found |= {(event.step, v.tag): v for v in event.summary.value}
    assert steps == sorted(set(steps))
    return found


class Noting:
    """A part of one's own."""

    folder = "validation"

    def values(self, model, epoch, logs):
        return scalar_values({"epoch": epoch, "loss_seen": logs["loss"]})


def test_parts_join_the_epochs_event(build_model, fit, validation, tmp_path):
    model = build_model()
    parts = [WeightHistograms({1}), ExpLoss(0.5), Noting()]
    callback = TensorBoard(tmp_path, update_freq=3, parts=parts)
    history = fit(model, 2, [callback], validation_data=validation)
    train, seen = values_of(tmp_path / "train"), values_of(tmp_path / "validation")
    histograms = {key: v for key, v in train.items() if key[1].startswith("weights/")}
    assert {step for step, _ in histograms} == {10}
    assert len(histograms) == len(model.trainable_weights)
    for weight in model.trainable_weights:
        (tag,) = weight_tags([weight])
        rows = tensor_util.make_ndarray(histograms[10, tag].tensor)
        array = keras.ops.convert_to_numpy(weight.value)
        assert rows[:, 2].sum() == array.size
        assert rows[0, 0] == pytest.approx(array.min(), abs=1e-5)
        assert rows[-1, 1] == pytest.approx(array.max(), abs=1e-5)
    for epoch, step in enumerate((5, 10)):
        value = seen[step, "epoch_exp(-loss)"].simple_value
        assert value == pytest.approx(math.exp(-0.5 * history["val_loss"][epoch]))
        assert seen[step, "epoch"].simple_value == epoch
        loss = pytest.approx(history["loss"][epoch])
        assert seen[step, "loss_seen"].simple_value == loss


def test_exp_loss_where_there_is_no_validation_or_no_number():
    part = ExpLoss()
    assert part.values(None, 0, {"loss": 1.0}) == []
    assert part.values(None, 0, {"val_loss": math.nan}) == []
    (value,) = part.values(None, 0, {"val_loss": -1e9})
    assert math.isfinite(value.simple_value) or value.simple_value > 1e30


def test_tags_name_layer_and_direction_and_nothing_of_the_process():
    def tags(name, made):
        x = keras.Input((3, 2))
        ids = keras.Input((3,), dtype="int32")
        for _ in range(made):  # Keras numbers what it names itself.
            keras.layers.GRU(2)
        cell = {"gru": keras.layers.GRU(2, reset_after=False), "coref": CorefGRU(2)}
        inputs = x if name == "gru" else [x, ids]
        layer = keras.layers.Bidirectional(cell[name], name="document_1")
        layer(inputs)
        alone = keras.layers.GRU(2, name="query_2_backward", reset_after=False)
        alone(x)
        return weight_tags([*layer.trainable_weights, *alone.trainable_weights])

    ways = [f"document_1/{way}" for way in ("forward", "backward")]
    assert tags("coref", 0) == [
        *(
            f"weights/{way}/{weight}"
            for way in ways
            for weight in ("kernel", "recurrent_kernel", "bias", "keys")
        ),
        *(f"weights/query_2/backward/{w}" for w in ("kernel", "recurrent_kernel")),
        "weights/query_2/backward/bias",
    ]
    with_keys = [tag for tag in tags("coref", 2) if not tag.endswith("keys")]
    assert tags("gru", 1) == with_keys


def test_weights_that_would_share_a_tag_keep_their_paths():
    cells = [keras.layers.GRUCell(2, name=f"{name}_cell") for name in "ab"]
    layer = keras.layers.RNN(cells, name="stack")
    layer(keras.Input((3, 2)))
    tags = weight_tags(layer.trainable_weights)
    assert len(set(tags)) == len(tags) == 6


def test_values_of_each_kind():
    rows = tensor_util.make_ndarray(histogram_value("a", [1, 2, np.nan, 2]).tensor)
    assert rows.shape == (30, 3)
    assert (rows[:, 2].sum(), rows[0, 2], rows[-1, 2]) == (3, 1, 2)
    (row,) = tensor_util.make_ndarray(histogram_value("a", [3.0, 3.0]).tensor)
    assert row[0] < 3 < row[1] and row[2] == 2
    assert histogram_value("a", [np.inf]) is None
    png = b"\x89PNG\r\n\x1a\n" + b"\0\0\0\rIHDR" + b"\0\0\1\0" + b"\0\0\0\2" + b"..."
    image = image_value("a", png, "what it is")
    assert list(tensor_util.make_ndarray(image.tensor)) == [b"256", b"2", png]
    assert image.metadata.plugin_data.plugin_name == "images"
    text = text_value("a", "**b** \ud800 \u00e9")
    assert tensor_util.make_ndarray(text.tensor).item() == b"**b** \\ud800 \xc3\xa9"


OPTIMIZERS = {
    "clipped": lambda: keras.optimizers.SGD(0.5, clipnorm=1e-3),
    "loss_scale": lambda: keras.optimizers.LossScaleOptimizer(
        keras.optimizers.SGD(0.5), initial_scale=4.0
    ),
}


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_the_norm_of_the_gradients(build_model, fit, tmp_path, optimizer):
    """SGD without clipping steps by the learning rate times the gradient."""

    class Steps(keras.callbacks.Callback):
        norms: list[float] = []

        def weights(self):
            arrays = [w.numpy() for w in self.model.get_layer("out").weights]
            return np.concatenate([a.ravel() for a in arrays])

        def on_train_begin(self, logs=None):
            self.norms, self.last = [], self.weights()

        def on_train_batch_end(self, batch, logs=None):
            now = self.weights()
            self.norms.append(float(np.linalg.norm(now - self.last)) / 0.5)
            self.last = now

    def build(optimizer):
        keras.utils.set_random_seed(1)
        layers = [keras.Input((6,)), keras.layers.Dense(2, name="out")]
        model = keras.Sequential(layers)
        loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        model.compile(optimizer, loss)
        return model

    steps = Steps()
    fit(build(keras.optimizers.SGD(0.5)), 1, [steps])
    model = build(OPTIMIZERS[optimizer]())
    callback = TensorBoard(tmp_path, gradient_norm=True)
    history = fit(model, 1, [callback])
    assert set(history) == {"loss"}  # No metric more.
    found = values_of(tmp_path / "train")
    norms = [found[step, "batch_gradient_norm"].simple_value for step in range(1, 6)]
    # Clipped, the weights stay about where they were: the first is that of both.
    count = 5 if optimizer == "loss_scale" else 1
    assert norms[:count] == pytest.approx(steps.norms[:count], rel=1e-3)
    assert all(norm > 0.01 for norm in norms)
    # Afterwards the optimizer is as it was, and a `fit` without it runs.
    inner = getattr(model.optimizer, "inner_optimizer", model.optimizer)
    for changed, name in ((inner, "apply"), (model.optimizer, "stateless_apply")):
        assert name not in vars(changed)
    assert "train_step" not in vars(model)
    fit(model, 1, [])
    fit(model, 1, [callback])
    assert (15, "batch_gradient_norm") in values_of(tmp_path / "train")


def test_a_gradient_norm_of_epochs_is_refused(tmp_path):
    with pytest.raises(ValueError, match="`update_freq` must be .* `gradient_norm`"):
        TensorBoard(tmp_path, "epoch", gradient_norm=True)


def test_looking_changes_no_training(build_model, fit, validation, tmp_path):
    """To the last bit, dropout and Adam included."""
    plain = build_model()
    fit(plain, 2, [], validation_data=validation)
    seen = build_model()
    parts = [WeightHistograms(), ExpLoss()]
    callback = TensorBoard(tmp_path, 1, parts=parts)
    fit(seen, 2, [callback], validation_data=validation)
    for one, other in zip(plain.weights, seen.weights, strict=True):
        assert np.array_equal(
            keras.ops.convert_to_numpy(one.value),
            keras.ops.convert_to_numpy(other.value),
        )
