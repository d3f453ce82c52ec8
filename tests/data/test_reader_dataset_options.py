"""Batches for a softmax head, transformed examples, and batches that are all full."""

import dataclasses

import keras
import numpy as np
import pytest
from tiny_model import tiny_model

from keras_cgru.models import ga_reader
from keras_cgru.training import whole_answer_accuracy

# 57 documents of 40 lengths: 7 batches of 8 and one of 1.
LENGTHS = [3 + n % 40 for n in range(57)]
NUM_BUCKETS = 4


def test_answers_of_a_softmax_head_come_in_the_order_served(make_dataset):
    answers = np.stack([np.arange(60), -np.arange(60)], axis=1).astype("int32")
    dataset = make_dataset(answers=answers, shuffle_seed=1)
    order = dataset.order
    served = [dataset[index] for index in range(len(dataset))]
    np.testing.assert_array_equal(
        np.concatenate([y for _, y in served]), answers[order]
    )
    for inputs, _ in served:
        assert not {"candidate_positions", "candidate_mask"} & set(inputs)


def test_a_transform_depends_on_seed_epoch_and_example_alone(make_dataset):
    def draw(example, random):
        return dataclasses.replace(
            example, document=random.integers(1, 1000, example.document.shape)
        )

    def documents(dataset):
        rows = {}
        for index in range(len(dataset)):
            for number, row in zip(
                dataset._chunks[index], dataset[index][0]["document"], strict=True
            ):
                rows[number] = tuple(row[row > 0])
        return rows

    first = documents(make_dataset(transform=draw, shuffle_seed=1))
    again = documents(make_dataset(transform=draw, shuffle_seed=1, batch_size=5))
    assert first == again
    later = documents(make_dataset(transform=draw, shuffle_seed=1, initial_epoch=1))
    other = documents(make_dataset(transform=draw, shuffle_seed=2))
    assert all(first[n] != later[n] and first[n] != other[n] for n in range(60))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"answers": np.zeros(3)}, r"`answers` must hold one entry.*\(60\).*: 3"),
        ({"transform": lambda e, r: e}, "`transform` must come with a `shuffle_seed`"),
    ],
)
def test_wrong_answers_and_transforms(make_dataset, changes, message):
    with pytest.raises(ValueError, match=message):
        make_dataset(**changes)


def test_full_batches_have_one_size_and_weigh_every_example_once(make_dataset):
    dataset = make_dataset(lengths=LENGTHS, shuffle_seed=1, full_batches=True)
    assert {size for size, _ in dataset.shapes} == {8}
    assert len(set(dataset.shapes)) <= NUM_BUCKETS
    weights = []
    for index in range(len(dataset)):
        inputs, answers, weight = dataset[index]
        assert len(answers) == len(weight) == len(inputs["document"]) == 8
        weights.append(weight)
    order, weights = dataset.order, np.concatenate(weights)
    assert sorted(order[weights > 0]) == list(range(57))
    assert (weights == 0).sum() == 7
    # All weigh the same, and by rows they weigh 1.
    np.testing.assert_allclose(weights[weights > 0], 64 / 57)


def loss_model():
    """Scores candidates with one weight, whose gradient is easy to read."""
    model = tiny_model()
    model.compile("sgd", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.set_weights([np.full((1, 1), 0.5, np.float32)])
    return model


@pytest.mark.parametrize("num_examples", [9, 3, 8, 57])
def test_the_loss_of_full_batches_is_the_mean_over_the_examples(
    make_dataset, num_examples
):
    def loss(**options):
        dataset = make_dataset(LENGTHS[:num_examples], batch_size=4, **options)
        model = loss_model()
        evaluated = model.evaluate(dataset, verbose=0)
        model.optimizer.learning_rate = 0.0
        fitted = model.fit(dataset, verbose=0, shuffle=False).history["loss"][0]
        assert fitted == pytest.approx(evaluated, rel=1e-5)
        return evaluated

    # Keras weighs each batch of an epoch by its number of examples.
    assert loss(full_batches=True) == pytest.approx(loss(), rel=1e-5)
    by_row = loss(full_batches=True, unit_weights=True)
    rows = -(-num_examples // 4) * 4
    assert by_row * rows / num_examples == pytest.approx(loss(), rel=1e-5)


@pytest.mark.parametrize("unit_weights", [False, True])
def test_rows_that_fill_a_batch_up_give_no_gradient(make_dataset, unit_weights):
    """One step over three examples and one such row, and one over the three alone."""

    def step(**options):
        model = loss_model()
        model.fit(make_dataset(LENGTHS[:3], batch_size=4, **options), verbose=0)
        return model.get_weights()[0].item() - 0.5

    expected = step() * (3 / 4 if unit_weights else 1)
    got = step(full_batches=True, unit_weights=unit_weights)
    assert got == pytest.approx(expected, rel=1e-4)


def test_unit_weights_are_exact(make_dataset):
    dataset = make_dataset(LENGTHS, full_batches=True, unit_weights=True)
    weights = np.concatenate([weight for _, _, weight in dataset])
    assert set(weights.tolist()) == {0.0, 1.0}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"workers": 3}, "`workers` must be 1: .* Received: workers=3"),
        ({"use_multiprocessing": True}, "`use_multiprocessing` must be False: .*=True"),
    ],
)
def test_workers_are_refused(make_dataset, changes, message):
    with pytest.raises(ValueError, match=message):
        make_dataset(**changes)
    dataset = make_dataset(workers=1, use_multiprocessing=False)
    ((name, value),) = changes.items()
    with pytest.raises(ValueError, match=message):
        setattr(dataset, name, value)
    assert (dataset.workers, dataset.use_multiprocessing) == (1, False)


@pytest.mark.parametrize("length", [None, 2])
def test_rows_of_weight_zero_change_no_metric(make_dataset, length):
    shape = (57,) if length is None else (57, length)
    answers = np.random.default_rng(0).integers(0, 3, shape).astype("int32")
    head = {"answer": "softmax", "num_classes": 3, "answer_length": length}
    model = ga_reader(200, 4, units=4, num_layers=1, **head)
    metric = "accuracy" if length is None else whole_answer_accuracy
    results = []
    for full in (False, True):
        dataset = make_dataset(
            lengths=LENGTHS, answers=answers, full_batches=full, num_buckets=1
        )
        model.compile(loss="sparse_categorical_crossentropy", weighted_metrics=[metric])
        results.append(model.evaluate(dataset, verbose=0, return_dict=True))
        rows = dict(zip(dataset.order, model.predict(dataset, verbose=0), strict=True))
        results.append([rows[index] for index in range(57)])
    assert results[0] == pytest.approx(results[2], rel=1e-5)
    np.testing.assert_allclose(results[1], results[3], atol=1e-6)
