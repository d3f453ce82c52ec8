"""Batches: contents, shapes, and the order that seed and epoch fix."""

import time

import keras
import numpy as np
import pytest
from tiny_model import tiny_model

from keras_cgru.data import BucketLayout, ReaderDataset, Vocabulary
from keras_cgru.data.lambada import read_lambada

# 60 documents of 40 lengths, the scenario of a public bug report.
LENGTHS = [3 + n % 40 for n in range(60)]
NUM_BUCKETS = 4


class Recorder:
    """A model that does nothing but note which examples each epoch brings."""

    def __init__(self):
        self.epochs = []
        batches = self.batches = []

        class Note(keras.callbacks.Callback):
            def on_epoch_begin(_, epoch, logs=None):
                del batches[:]

            def on_epoch_end(_, epoch, logs=None):
                self.epochs.append((epoch, list(batches)))

        self.callback = Note()

    def watch(self, dataset):
        """Notes the order that the dataset is in whenever it serves a batch."""
        serve = type(dataset).__getitem__

        class Watched(type(dataset)):
            def __getitem__(watched, index):
                self.batches.append((index, tuple(watched._chunks[index])))
                return serve(watched, index)

        dataset.__class__ = Watched
        return dataset

    def orders(self):
        """The examples of each epoch; TensorFlow fetches ahead but never twice."""
        return {
            epoch: [chunk for _, chunk in sorted(batches)]
            for epoch, batches in self.epochs
        }


def fit(dataset, **changes):
    recorder = Recorder()
    callbacks = [recorder.callback, *changes.pop("callbacks", [])]
    tiny_model().fit(recorder.watch(dataset), callbacks=callbacks, verbose=0, **changes)
    return recorder.orders()


def served(dataset):
    ends = np.cumsum([size for size, _ in dataset.shapes])
    return [tuple(chunk) for chunk in np.split(dataset.order, ends)[:-1]]


def test_a_batch_by_hand(make_example):
    examples = [
        make_example("a b a", "c", document_clusters=(1, 0, 1), query_clusters=(2,)),
        make_example("b a", "c c", answer=("a",)),
    ]
    layout = BucketLayout.from_examples(examples, num_buckets=1, multiple=4)
    dataset = ReaderDataset(examples, Vocabulary(["a", "b"], num_oov=1), layout, 2)
    inputs, answers = dataset[0]
    unknown, a, b = 1, 2, 3
    expected = {
        "document": [[a, b, a, 0], [b, a, 0, 0]],
        "document_mask": [[1, 1, 1, 0], [1, 1, 0, 0]],
        "document_clusters": [[1, 0, 1, 0], [0, 0, 0, 0]],
        "query": [[unknown, 0, 0, 0], [unknown, unknown, 0, 0]],
        "query_mask": [[1, 0, 0, 0], [1, 1, 0, 0]],
        "query_clusters": [[2, 0, 0, 0], [0, 0, 0, 0]],
        "candidate_positions": [
            [[1, 0, 1, 0], [0, 1, 0, 0], [0] * 4, [0] * 4],
            [[1, 0, 0, 0], [0, 1, 0, 0], [0] * 4, [0] * 4],
        ],
        "candidate_mask": [[1, 1, 0, 0], [1, 1, 0, 0]],
    }
    assert len(dataset) == 1
    assert inputs.keys() == expected.keys()
    for name, value in expected.items():
        kind = bool if name.endswith(("mask", "positions")) else np.int32
        assert inputs[name].dtype == kind, name
        np.testing.assert_array_equal(inputs[name], np.array(value), err_msg=name)
    assert answers.dtype == np.int32
    np.testing.assert_array_equal(answers, [0, 1])


@pytest.mark.parametrize("batch_size", [1, 7, 8, 60, 100])
@pytest.mark.parametrize("seed", [None, 3])
def test_every_example_is_served_once_in_few_shapes(make_dataset, batch_size, seed):
    dataset = make_dataset(batch_size=batch_size, shuffle_seed=seed)
    shapes, shapes_of_epoch = set(), []
    for epoch in range(3):
        dataset.set_epoch(epoch)
        batches = [dataset[index] for index in range(len(dataset))]
        assert sorted(dataset.order) == list(range(60))
        assert sum(len(answers) for _, answers in batches) == 60
        shapes_of_epoch.append(sorted(dataset.shapes))
        shapes |= {inputs["candidate_positions"].shape for inputs, _ in batches}
        for inputs, _ in batches:
            lengths = {
                value.shape[1] for name, value in inputs.items() if "doc" in name
            }
            assert len(lengths) == 1
    assert len(shapes) <= NUM_BUCKETS + 1
    assert shapes_of_epoch[0] == shapes_of_epoch[1] == shapes_of_epoch[2]


def test_order_says_which_examples_the_batches_hold(make_dataset):
    dataset = make_dataset(shuffle_seed=1)
    # Example n is the only one that begins with word "wn", its answer.
    lengths = np.concatenate([b["document_mask"].sum(1) for b, _ in dataset])
    np.testing.assert_array_equal(lengths, np.array(LENGTHS)[dataset.order])


def test_at_most_one_batch_is_smaller_and_it_is_of_the_smallest_bucket(make_dataset):
    dataset = make_dataset(shuffle_seed=1)
    partial = [shape for size, shape in dataset.shapes if size != 8]
    assert partial == [dataset.layout.shapes[0]]


def test_the_first_two_batches_have_the_extreme_shapes(make_dataset):
    for seed in (None, 0, 1, 2):
        shapes = [shape for _, shape in make_dataset(shuffle_seed=seed).shapes]
        assert shapes[0] == min(shapes)
        assert shapes[1] == max(shapes)
        assert min(shapes) != max(shapes)


def test_seed_and_epoch_fix_the_order(make_dataset):
    def order(seed, epoch):
        return make_dataset(shuffle_seed=seed, initial_epoch=epoch).order.tolist()

    assert order(1, 2) == order(1, 2)
    assert len({tuple(order(s, e)) for s in (1, 2) for e in (0, 1)}) == 4
    assert order(None, 0) == order(None, 5)


def test_fit_moves_the_epoch_on(make_dataset):
    orders = fit(make_dataset(shuffle_seed=4), epochs=4)
    expected = {
        e: served(make_dataset(shuffle_seed=4, initial_epoch=e)) for e in range(4)
    }
    assert orders == expected


def test_a_resumed_fit_serves_what_an_uninterrupted_one_serves(make_dataset):
    validation = make_dataset(shuffle_seed=9)
    whole = fit(make_dataset(shuffle_seed=4), epochs=4)
    resumed = fit(
        make_dataset(shuffle_seed=4, initial_epoch=2),
        initial_epoch=2,
        epochs=4,
        validation_data=validation,
    )
    assert resumed == {epoch: whole[epoch] for epoch in (2, 3)}
    assert whole[2] != whole[0]


@pytest.mark.parametrize("num_batches", [1, 2, 3])
def test_few_batches_are_told_from_a_look_at_the_first(make_dataset, num_batches):
    def dataset(epoch=0):
        lengths = LENGTHS[: 8 * num_batches]
        return make_dataset(lengths, shuffle_seed=4, initial_epoch=epoch)

    assert len(dataset()) == num_batches
    assert fit(dataset(), epochs=3) == {e: served(dataset(e)) for e in range(3)}


def test_the_callback_follows_an_epoch_that_a_callback_chose(make_dataset):
    class Resume(keras.callbacks.Callback):
        def on_train_begin(self, logs=None):
            # What keras.callbacks.BackupAndRestore does.
            self.model._initial_epoch = 2

    dataset = make_dataset(shuffle_seed=4)
    orders = fit(dataset, epochs=4, callbacks=[Resume(), dataset.epoch_callback()])
    expected = {
        e: served(make_dataset(shuffle_seed=4, initial_epoch=e)) for e in (2, 3)
    }
    assert orders == expected


def test_predictions_go_back_in_order(make_dataset):
    dataset, model = make_dataset(), tiny_model()
    model.set_weights([np.ones((1, 1), np.float32)])
    scores = np.zeros((60, dataset.layout.shapes[0].num_candidates))
    scores[dataset.order] = model.predict(dataset, verbose=0)
    # Every document token is a candidate here: the scores count them.
    np.testing.assert_array_equal(scores.sum(axis=1), LENGTHS)


def test_all_shapes_pass_through_fit_and_evaluate(make_dataset):
    """TensorFlow takes the signature of all batches from the first two."""
    dataset, model = make_dataset(batch_size=2, num_buckets=6), tiny_model()
    assert len({shape for _, shape in dataset.shapes}) >= 5
    history = model.fit(dataset, epochs=1, verbose=0)
    assert np.isfinite(history.history["loss"][0])
    assert np.isfinite(model.evaluate(dataset, verbose=0))


def test_an_example_that_fits_no_bucket_is_named(make_dataset, sized_examples):
    small = BucketLayout.from_examples(sized_examples([3, 4]))
    examples = sized_examples([3, 70])
    with pytest.raises(ValueError, match="Example 'example-1' must fit"):
        ReaderDataset(examples, Vocabulary.build(examples), small, 2)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"batch_size": 0}, "`batch_size` must be at least 1"),
        ({"initial_epoch": -1}, "`epoch` must be at least 0"),
        ({"lengths": []}, "`examples` must hold at least one"),
    ],
)
def test_bad_arguments_are_named(make_dataset, changes, message):
    with pytest.raises(ValueError, match=message):
        make_dataset(**changes)


def test_serving_is_fast_on_the_official_passages(official_data):
    path = official_data / "lambada-dataset" / "lambada_development_plain_text.txt"
    examples = read_lambada(path, limit=1500).examples
    layout = BucketLayout.from_examples(examples)
    dataset = ReaderDataset(examples, Vocabulary.build(examples), layout, 32)
    start = time.perf_counter()
    for index in range(len(dataset)):
        dataset[index]
    assert (time.perf_counter() - start) / len(dataset) < 0.002
