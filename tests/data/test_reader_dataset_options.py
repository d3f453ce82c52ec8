"""Batches for a softmax head, transformed examples, and batches that are all full."""

import dataclasses

import numpy as np
import pytest

from keras_cgru.metrics import whole_answer_accuracy
from keras_cgru.models import ga_reader

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
    assert sorted(order[weights == 1]) == list(range(57))
    assert (weights == 0).sum() == 7


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
    # Keras divides the sum of the losses by the rows, whatever their weight.
    results[2]["loss"] *= 64 / 57
    assert results[0] == pytest.approx(results[2], rel=1e-5)
    np.testing.assert_allclose(results[1], results[3], atol=1e-6)
