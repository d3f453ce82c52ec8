"""A reader that a cell takes over from another is as good as a new one."""

import dataclasses
import json
import sys
from pathlib import Path

import numpy as np
import pytest

from keras_cgru.data.babi.simulated import simulated_babi_splits
from keras_cgru.training import RunFolder

RECIPES = Path(__file__).resolve().parents[2] / "recipes"
TINY = {"units": 8, "layers": 1, "updates": 6, "halve_every": 2, "patience": None}
TIMES = {"train_seconds", "cpu_seconds", "examples_per_second"}


@pytest.fixture
def module(monkeypatch):
    monkeypatch.syspath_prepend(str(RECIPES))
    before = set(sys.modules)
    import babi_cell

    yield babi_cell
    for name in set(sys.modules) - before:
        if name.startswith("babi_"):
            del sys.modules[name]


@pytest.fixture
def train(module, tmp_path):
    """`train(folder, task, seed, **training)`: what a cell leaves, times left out."""
    from babi_models import SETTINGS

    def train_cell(folder, task, seed, **changes):
        training = dataclasses.asdict(SETTINGS["best"]) | TINY | changes
        cell = module.Cell("ga_coref_gru", task, seed, 0.0, training, {})
        run = RunFolder(tmp_path / folder / cell.name)
        splits = simulated_babi_splits(task).first(64)
        metrics = module.train_cell(cell, splits, run, lambda text: None)
        kept = {name: metrics[name] for name in metrics if name not in TIMES}
        predictions = run.predictions.read_text(encoding="utf-8").splitlines()
        weights = module.keras.models.load_model(run.best_model).get_weights()
        return kept, list(map(json.loads, predictions)), weights

    return train_cell


def same(left, right):
    assert left[:2] == right[:2]
    for ours, theirs in zip(left[2], right[2], strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_a_cell_is_the_same_after_another_as_alone(module, train):
    alone = train("alone", 1, 2, average=0.9)
    module.LAST_READER = module.LastReader()
    train("after", 1, 1, average=0.9)
    _, first = module.LAST_READER._kept
    programs = first.train_function, first.test_function, first.predict_function
    after = train("after", 1, 2, average=0.9)
    _, second = module.LAST_READER._kept
    assert second is first
    assert programs == (
        second.train_function,
        second.test_function,
        second.predict_function,
    )
    same(after, alone)


@pytest.fixture
def take(module):
    """`take(last, seed, training, **options)`: a small reader, and how to keep it."""
    from babi_models import SETTINGS

    training = dataclasses.asdict(SETTINGS["best"])
    options = {"vocabulary_size": 9, "embedding_dim": 3, "units": 4, "num_layers": 1}

    def from_last(last, seed, changes, **more):
        chosen = options | more, training | changes
        model = last.take(*chosen, seed)
        return model, lambda: last.keep(*chosen, model)

    return from_last


def test_a_reader_that_is_not_given_back_is_not_used_again(module, take):
    """As after a training that failed half-way."""
    last = module.LastReader()
    first, keep = take(last, 1, {})
    keep()
    second, _ = take(last, 2, {})
    third, _ = take(last, 3, {})
    assert second is first and third is not first


@pytest.mark.parametrize(
    ("changes", "options"),
    [({"learning_rate": 0.1}, {}), ({}, {"units": 6}), ({}, {"num_clusters": 3})],
)
def test_readers_of_other_settings_are_others(module, take, changes, options):
    last = module.LastReader()
    first, keep = take(last, 1, {})
    keep()
    assert take(last, 1, changes, **options)[0] is not first
