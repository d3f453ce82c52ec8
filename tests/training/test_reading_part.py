"""What `ReadingPart` gives TensorBoard in a real training, on every backend."""

from __future__ import annotations

import keras
import numpy as np
import pytest

pytest.importorskip("tensorboard", reason="the extra `recipes` is not installed")
pytest.importorskip("matplotlib", reason="the extra `recipes` is not installed")

from tensorboard.compat.proto.event_pb2 import Event
from tensorboard.util import tensor_util

from keras_cgru.callbacks import TensorBoard
from keras_cgru.callbacks.event_files import event_files, read_records
from keras_cgru.data import BucketLayout, Example, ReaderDataset, Vocabulary
from keras_cgru.models import ga_reader
from keras_cgru.training import ReadingPart, few_epochs, handful

TEXT = "mary took the lamp . john saw her . she left `` it `` there .".split()
IDS = (1, 0, 0, 2, 0, 3, 0, 1, 0, 1, 0, 0, 2, 0, 0, 0)


def example(name, linked=True):
    document = tuple(TEXT)
    clusters = IDS if linked else ()
    return Example(
        name,
        document,
        ("where", "is", "she"),
        (("mary",), ("lamp",), ("john",)),
        ("lamp",),
        clusters,
        (0, 0, 1) if linked else (),
    )


@pytest.fixture(scope="module", params=["coref_gru", "gru"])
def trained(request, tmp_path_factory):
    """Two epochs of a reader, shown at the end of the second; and one not shown."""
    examples = [example(str(n)) for n in range(4)]
    vocabulary = Vocabulary.build(examples, num_oov=2)
    layout = BucketLayout.from_examples(examples)
    folder = tmp_path_factory.mktemp("run")
    part = ReadingPart(examples[:2], vocabulary, {1}, labels={"data": "made up"})
    weights, readings = [], []
    for parts in ([], [part]):
        keras.utils.set_random_seed(1)
        model = ga_reader(
            len(vocabulary),
            4,
            recurrence=request.param,
            units=4,
            num_layers=2,
            dropout=0.3,
            logits=True,
        )
        loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        model.compile(keras.optimizers.Adam(0.05), loss)
        data = ReaderDataset(examples, vocabulary, layout, 2, shuffle_seed=1)
        callbacks = [TensorBoard(folder / str(len(parts)), "epoch", parts=parts)]
        model.fit(data, epochs=3, shuffle=False, verbose=0, callbacks=callbacks)
        weights.append([keras.ops.convert_to_numpy(w.value) for w in model.weights])
        readings = part.read(model, {})
    values = {}
    for path in event_files(folder / "1" / "validation"):
        for record in read_records(path):
            event = Event.FromString(record)
            values |= {(event.step, v.tag): v for v in event.summary.value}
    return request.param, weights, values, readings


def test_at_its_epoch_each_example_has_a_picture_and_a_text(trained):
    _, _, values, _ = trained
    for number in (1, 2):
        image = tensor_util.make_ndarray(values[4, f"reading/{number}/image"].tensor)
        assert image[0] == b"480" and image[2].startswith(b"\x89PNG")
        text = values[4, f"reading/{number}/text"].tensor
        lines = tensor_util.make_ndarray(text).item().decode().splitlines()
        # Markdown shows indented lines as they are, backquotes as well.
        assert all(line.startswith("    ") or not line for line in lines)
        shown = "\n".join(lines)
        assert "data: made up" in shown and "epoch: 2" in shown
        assert "``" in shown and "[mary]1" in shown
    assert {step for step, _ in values} == {4}


def test_alpha_on_linked_tokens(trained):
    recurrence, _, values, readings = trained
    tags = {tag for _, tag in values}
    if recurrence == "gru":
        assert not any(tag.startswith("alpha") for tag in tags)
        return
    wanted = {
        f"{kind}/{text}/layer_{layer}/{way}"
        for kind in ("alpha", "alpha_mean")
        for text in ("document", "query")
        for layer in (1, 2)
        for way in ("forward", "backward")
        # The query has one mention alone: nothing stands before it.
        if text == "document"
    }
    assert {tag for tag in tags if tag.startswith("alpha")} == wanted
    for tag in wanted:
        value = values[4, tag]
        if tag.startswith("alpha_mean"):
            assert 0 < value.simple_value < 1
        else:
            # Two tokens of each of two examples have one before; backwards two others.
            rows = tensor_util.make_ndarray(value.tensor)
            assert rows[:, 2].sum() == 2 * 3
    (weights,) = {len(r.document.alpha) for r in readings}
    assert weights == 4


def test_the_mean_is_that_of_the_linked_tokens(trained):
    from keras_cgru.training.reading_part import alpha_values

    recurrence, _, _, readings = trained
    if recurrence == "gru":
        assert alpha_values(readings) == []
        return
    values = {v.tag: v for v in alpha_values(readings)}
    expected = [
        reading.document.alpha["2", "backward"][place]
        for reading in readings
        for place in (0, 3, 7)
    ]
    mean = values["alpha_mean/document/layer_2/backward"].simple_value
    assert mean == pytest.approx(np.mean(expected))


def test_what_is_shown_trains_as_what_is_not(trained):
    """To the last bit; on PyTorch too, whose dropout draws from one generator."""
    _, (plain, shown), _, _ = trained
    for one, other in zip(plain, shown, strict=True):
        assert np.array_equal(one, other)


def test_a_handful_has_links_first():
    examples = [example(str(n), linked=n % 2 == 1) for n in range(6)]
    assert [each.id for each in handful(examples, 2)] == ["1", "3"]
    assert [each.id for each in handful(examples, 5)] == ["1", "3", "5", "0", "2"]
    assert handful(examples, 0) == []
    assert len(handful(examples, 9)) == 6


@pytest.mark.parametrize(
    ("arguments", "epochs"),
    [
        ((8,), {0, 1, 3, 7}),
        ((1,), {0}),
        ((3,), {0, 1, 2}),
        ((72, 4, 3), {2, 8, 23, 71}),
    ],
)
def test_few_epochs(arguments, epochs):
    assert few_epochs(*arguments) == epochs
