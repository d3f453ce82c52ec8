"""A reader that a cell takes over from another is as good as a new one."""

import dataclasses
import json
import sys
from pathlib import Path

import numpy as np
import pytest

from keras_cgru.data.babi_simulated import simulated_babi_splits
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
    module.READERS = module.Readers()
    train("after", 1, 1, average=0.9)
    (first,) = module.READERS._kept.values()
    programs = first.train_function, first.test_function, first.predict_function
    after = train("after", 1, 2, average=0.9)
    (second,) = module.READERS._kept.values()
    assert second is first
    assert programs == (
        second.train_function,
        second.test_function,
        second.predict_function,
    )
    same(after, alone)


@pytest.fixture
def take(module):
    """`take(seed, training, **options)`: a small reader of `readers`."""
    from babi_models import SETTINGS

    training = dataclasses.asdict(SETTINGS["best"])
    options = {"vocabulary_size": 9, "embedding_dim": 3, "units": 4, "num_layers": 1}

    def from_readers(readers, seed, changes, **more):
        chosen = options | more, training | changes
        model = readers.take(*chosen, seed)
        return model, lambda: readers.keep(*chosen, model)

    return from_readers


def test_a_reader_that_is_not_given_back_is_not_used_again(module, take):
    """As after a training that failed half-way."""
    readers = module.Readers()
    first, keep = take(readers, 1, {})
    keep()
    second, _ = take(readers, 2, {})
    third, _ = take(readers, 3, {})
    assert second is first and third is not first


@pytest.mark.parametrize(
    ("changes", "options"),
    [({"learning_rate": 0.1}, {}), ({}, {"units": 6}), ({}, {"num_clusters": 3})],
)
def test_readers_of_other_settings_are_others(module, take, changes, options):
    readers = module.Readers()
    first, keep = take(readers, 1, {})
    keep()
    assert take(readers, 1, changes, **options)[0] is not first


def test_only_so_many_are_kept(module):
    readers = module.Readers(limit=2)
    for name in "abc":
        readers.keep({"name": name}, {}, name)
    assert list(readers._kept.values()) == ["b", "c"]
