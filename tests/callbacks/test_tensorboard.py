"""What the TensorBoard callback writes, read back record by record."""

import re

import keras
import numpy as np
import pytest

pytest.importorskip("tensorboard", reason="the extra `recipes` is not installed")

from tensorboard.compat.proto.event_pb2 import Event

from keras_cgru.callbacks import ExactResume, TensorBoard, batch_metrics
from keras_cgru.callbacks.event_files import event_files, read_records


def read_events(folder):
    """Returns [(step, {tag: value})] of a folder, in the order of its files."""
    events = []
    for path in event_files(folder):
        for record in read_records(path):
            event = Event.FromString(record)
            if event.HasField("summary"):
                values = {v.tag: v.simple_value for v in event.summary.value}
                events.append((event.step, values))
    return events


def steps_of(folder, prefix=""):
    return [
        step
        for step, values in read_events(folder)
        if any(tag.startswith(prefix) for tag in values)
    ]


class RecordBatches(keras.callbacks.Callback):
    """Keeps the logs that Keras hands out after each batch."""

    def __init__(self):
        super().__init__()
        self.logs = []

    def on_train_batch_end(self, batch, logs=None):
        self.logs.append(dict(logs))


def test_two_epochs_with_validation(build_model, fit, validation, tmp_path):
    batches = RecordBatches()
    history = fit(
        build_model(),
        epochs=2,
        callbacks=[TensorBoard(tmp_path, update_freq=2), batches],
        validation_data=validation,
    )
    train = dict(read_events(tmp_path / "train"))
    # Five batches an epoch: 5 and 10 are the epochs' ends, and 10 a batch's too.
    assert [step for step, _ in read_events(tmp_path / "train")] == [2, 4, 5, 6, 8, 10]
    assert steps_of(tmp_path / "train", "batch_") == [2, 4, 6, 8, 10]
    for step in (2, 4, 6, 8, 10):
        logs = batches.logs[step - 1]
        assert train[step]["batch_loss"] == pytest.approx(logs["loss"], rel=1e-6)
        assert train[step]["batch_accuracy"] == pytest.approx(logs["accuracy"])
    validated = read_events(tmp_path / "validation")
    assert [step for step, _ in validated] == [5, 10]
    for epoch, (step, values) in enumerate(validated):
        rate = pytest.approx(0.02)
        assert train[step]["epoch_learning_rate"] == rate
        for name in ("loss", "accuracy"):
            tag = f"epoch_{name}"
            assert train[step][tag] == pytest.approx(history[name][epoch])
            assert values[tag] == pytest.approx(history[f"val_{name}"][epoch])
        assert set(values) == {"epoch_loss", "epoch_accuracy"}


def test_only_epochs(build_model, fit, tmp_path):
    fit(build_model(), epochs=2, callbacks=[TensorBoard(tmp_path, "epoch")])
    events = read_events(tmp_path / "train")
    assert [step for step, _ in events] == [5, 10]
    names = ("loss", "accuracy", "learning_rate", "examples_per_second")
    tags = {f"epoch_{name}" for name in names}
    assert all(set(values) == tags for _, values in events)
    assert not (tmp_path / "validation").exists()


def test_tensorboard_itself_reads_the_files(build_model, fit, tmp_path):
    from tensorboard.backend.event_processing import plugin_event_accumulator

    fit(build_model(), epochs=1, callbacks=[TensorBoard(tmp_path)])
    reader = plugin_event_accumulator.EventAccumulator(str(tmp_path / "train"))
    reader.Reload()
    tensors = reader.Tensors("batch_loss")
    assert [event.step for event in tensors] == [1, 2, 3, 4, 5]


@pytest.mark.skipif(
    keras.config.backend() == "torch",
    reason="Keras refuses `steps_per_execution` on torch: https://github.com/keras-team/"
    "keras/blob/v3.15.1/keras/src/backend/torch/trainer.py",
)
@pytest.mark.parametrize("per_execution", [2, 3])
def test_several_steps_an_execution(build_model, fit, tmp_path, per_execution):
    """Keras then reports the last batch of each execution, and one too many."""
    model = build_model(steps_per_execution=per_execution)
    fit(model, epochs=2, callbacks=[TensorBoard(tmp_path)])
    steps = steps_of(tmp_path / "train")
    assert steps == ([2, 4, 5, 7, 9, 10] if per_execution == 2 else [3, 5, 8, 10])


@pytest.mark.parametrize(
    "optimizer",
    [
        lambda: keras.optimizers.Adam(0.02, gradient_accumulation_steps=2),
        lambda: keras.optimizers.LossScaleOptimizer(keras.optimizers.Adam(0.02)),
    ],
    ids=["accumulation", "loss_scale"],
)
def test_optimizers_that_count_otherwise(build_model, fit, tmp_path, optimizer):
    """Over two runs of five batches a step is a batch."""
    model = build_model(optimizer=optimizer())
    fit(model, epochs=1, callbacks=[TensorBoard(tmp_path)])
    fit(model, epochs=1, callbacks=[TensorBoard(tmp_path, resume=True)])
    assert steps_of(tmp_path / "train") == list(range(1, 11))


def test_a_callback_outside_a_list(build_model, validation, tmp_path):
    """On JAX its batch hooks run in threads: the file must stay in order and whole."""
    x, y = validation
    model = build_model()
    model.fit(x, y, 1, epochs=4, verbose=0, callbacks=TensorBoard(tmp_path))
    steps = steps_of(tmp_path / "train")
    assert steps == sorted(set(steps))
    assert {40, 80, 120, 160} <= set(steps)


def test_a_batch_of_its_own_stands_beside_the_mean(build_model, fit, tmp_path):
    """With batches of 7, 7, 7 and 4 a mean of means would not do."""
    x, y = np.random.default_rng(0).normal(size=(25, 6)).astype("float32"), [0, 1] * 12
    batches = [slice(0, 7), slice(7, 14), slice(14, 21), slice(21, 25)]
    y = np.array([*y, 1])
    model = build_model(optimizer=keras.optimizers.SGD(0.0))
    for layer in model.layers:
        if isinstance(layer, keras.layers.Dropout):
            layer.rate = 0.0
    callbacks = [TensorBoard(tmp_path, update_freq=2), TensorBoard(tmp_path / "all")]
    model.fit(x, y, 7, epochs=2, shuffle=False, verbose=0, callbacks=callbacks)
    every = dict(read_events(tmp_path / "all" / "train"))
    seldom = dict(read_events(tmp_path / "train"))
    for step in range(1, 9):
        part = batches[(step - 1) % 4]
        loss, accuracy = model.evaluate(x[part], y[part], verbose=0)
        for values in (every[step], seldom[step] if step % 2 == 0 else every[step]):
            assert values["batch_own_loss"] == pytest.approx(loss, rel=1e-4)
            assert values["batch_own_accuracy"] == pytest.approx(accuracy, abs=1e-5)
    # The running mean is another value.
    assert every[3]["batch_loss"] != pytest.approx(every[3]["batch_own_loss"])


def test_examples_a_second(build_model, fit, validation, tmp_path, monkeypatch):
    """At one batch a second by the clock, and validation of a hundred seconds."""
    now = [0.0]

    class Clock(keras.callbacks.Callback):
        def on_train_batch_begin(self, batch, logs=None):
            now[0] += 1

        def on_test_end(self, logs=None):
            now[0] += 100

    monkeypatch.setattr(batch_metrics.time, "perf_counter", lambda: now[0])
    callbacks = [Clock(), TensorBoard(tmp_path, update_freq=2)]
    fit(build_model(), 2, callbacks, validation_data=validation)
    events = read_events(tmp_path / "train")
    rates = {
        step: {k: v for k, v in values.items() if k.endswith("per_second")}
        for step, values in events
    }
    batch, epoch = "batch_examples_per_second", "epoch_examples_per_second"
    assert rates == {
        **{step: {batch: 8.0} for step in (2, 4, 6, 8)},
        5: {epoch: 8.0},
        10: {batch: 8.0, epoch: 8.0},
    }


def test_schedule_is_logged(build_model, fit, tmp_path):
    schedule = keras.optimizers.schedules.ExponentialDecay(0.1, 5, 0.5)
    model = build_model(optimizer=keras.optimizers.SGD(schedule))
    fit(model, epochs=2, callbacks=[TensorBoard(tmp_path, "epoch")])
    rates = [
        values["epoch_learning_rate"] for _, values in read_events(tmp_path / "train")
    ]
    assert rates == pytest.approx([0.05, 0.025])


def test_schedule_is_logged_at_each_batch(build_model, fit, tmp_path):
    schedule = keras.optimizers.schedules.ExponentialDecay(0.1, 5, 0.5)
    model = build_model(optimizer=keras.optimizers.SGD(schedule))
    fit(model, epochs=1, callbacks=[TensorBoard(tmp_path, 2)])
    events = read_events(tmp_path / "train")
    rates = {s: v["batch_learning_rate"] for s, v in events if s != 5}
    assert rates == pytest.approx({s: 0.1 * 0.5 ** (s / 5) for s in (2, 4)})


def interrupted(build_model, fit, interrupt_at, tmp_path, validation):
    """Trains one epoch and three of the five batches of the next."""
    callbacks = [
        interrupt_at(1, 3),
        TensorBoard(tmp_path),
        ExactResume(tmp_path / "resume.npz"),
    ]
    with pytest.raises(KeyboardInterrupt):
        fit(build_model(), 3, callbacks, validation_data=validation)
    callbacks[1]._close()  # what the end of the process does


def test_resumed_run_drops_the_interrupted_epoch(
    build_model, fit, interrupt_at, validation, tmp_path
):
    interrupted(build_model, fit, interrupt_at, tmp_path, validation)
    before = read_events(tmp_path / "train")
    # The third batch's event waits for the fourth, which never comes.
    assert [step for step, _ in before] == [1, 2, 3, 4, 5, 6, 7]
    # A killed process leaves a record half-written.
    (file,) = event_files(tmp_path / "train")
    file.write_bytes(file.read_bytes()[:-5])
    model = build_model(seed=99)
    epoch = ExactResume(tmp_path / "resume.npz").restore(model)
    callback = TensorBoard(tmp_path, resume=True)
    fit(model, 3, [callback], initial_epoch=epoch, validation_data=validation)
    after = read_events(tmp_path / "train")
    assert [step for step, _ in after] == list(range(1, 16))
    assert after[:5] == before[:5]
    assert steps_of(tmp_path / "validation") == [5, 10, 15]
    assert len(event_files(tmp_path / "train")) == 2
    assert not list(tmp_path.rglob("*.tmp"))


def test_a_reader_that_waits_shows_no_step_twice_over_a_resume(
    build_model, fit, interrupt_at, validation, tmp_path
):
    """As TensorBoard does: it has read what the resumed run takes back."""
    from tensorboard.backend.event_processing import (
        event_accumulator,
        plugin_event_accumulator,
    )

    interrupted(build_model, fit, interrupt_at, tmp_path, validation)
    readers = {
        (module, folder): module.EventAccumulator(str(tmp_path / folder))
        for module in (event_accumulator, plugin_event_accumulator)
        for folder in ("train", "validation")
    }

    def steps(module, folder, tag):
        reader = readers[module, folder]
        reader.Reload()
        legacy = module is event_accumulator
        return [e.step for e in (reader.Scalars if legacy else reader.Tensors)(tag)]

    for module, folder in readers:
        before = [1, 2, 3, 4, 5, 6, 7] if folder == "train" else [5]
        tag = "batch_loss" if folder == "train" else "epoch_loss"
        assert steps(module, folder, tag) == before
    model = build_model(seed=99)
    epoch = ExactResume(tmp_path / "resume.npz").restore(model)
    callback = TensorBoard(tmp_path, resume=True)
    fit(model, 3, [callback], initial_epoch=epoch, validation_data=validation)
    for module, folder in readers:
        if folder == "train":
            assert steps(module, folder, "batch_loss") == list(range(1, 16))
        assert steps(module, folder, "epoch_loss") == [5, 10, 15]


def test_without_resume_earlier_files_are_not_touched(
    build_model, fit, interrupt_at, validation, tmp_path
):
    interrupted(build_model, fit, interrupt_at, tmp_path, validation)
    before = {path: path.read_bytes() for path in tmp_path.rglob("events*")}
    fit(build_model(), 1, [TensorBoard(tmp_path)])
    assert {path: path.read_bytes() for path in before} == before
    assert len(event_files(tmp_path / "train")) == 2


def test_an_interrupted_callback_can_be_used_again(
    build_model, fit, interrupt_at, tmp_path
):
    callback, model = TensorBoard(tmp_path), build_model()
    with pytest.raises(KeyboardInterrupt):
        fit(model, 1, [callback, interrupt_at(0, 1)])
    fit(model, 1, [callback])
    assert steps_of(tmp_path / "train") == [1, 3, 4, 5, 6, 7]


def test_a_damaged_earlier_file_stops_the_run_before_it_trains(
    build_model, fit, tmp_path
):
    fit(build_model(), 1, [TensorBoard(tmp_path)])
    (file,) = event_files(tmp_path / "train")
    data = bytearray(file.read_bytes())
    data[20] ^= 1
    file.write_bytes(data)
    model = build_model()
    message = re.escape(str(file)) + ": must be a sound event file.* at byte 12"
    with pytest.raises(ValueError, match=message):
        fit(model, 1, [TensorBoard(tmp_path, resume=True)])
    assert int(model.optimizer.iterations) == 0
    assert file.read_bytes() == bytes(data)


@pytest.mark.parametrize("update_freq", [0, -1, 1.0, True, "batch", None])
def test_update_freq_is_checked(tmp_path, update_freq):
    message = f"`update_freq` must be .* Received: update_freq={update_freq!r}"
    with pytest.raises(ValueError, match=message):
        TensorBoard(tmp_path, update_freq)
