"""A cell that takes over the programs of another gives what it gives alone."""

import json
import sys
from dataclasses import replace
from pathlib import Path

import keras
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
    import babi_cell

    yield babi_cell
    del sys.modules["babi_cell"], sys.modules["babi_training"]


@pytest.fixture
def train(module, tmp_path):
    """`train(trainer, folder, seed, **training)`: what a cell leaves but times."""

    def train_cell(trainer, folder, seed, **changes):
        how = replace(sys.modules["babi_training"].SETTINGS["best"], **TINY | changes)
        splits = simulated_babi_splits(1).first(64)
        cell = module.BabiReaderCell("ga_coref_gru", splits, seed, 0.0, how)
        run = RunFolder(tmp_path / folder / cell.name)
        metrics = trainer(cell, run, lambda text: None)
        kept = {name: metrics[name] for name in metrics if name not in TIMES}
        predictions = run.predictions.read_text(encoding="utf-8").splitlines()
        weights = keras.models.load_model(run.best_model).get_weights()
        return kept, list(map(json.loads, predictions)), weights

    return train_cell


def test_a_cell_is_the_same_after_another_as_alone(module, train):
    alone = train(module.CellTrainer(), "alone", 2, average=0.9)
    trainer = module.CellTrainer()
    train(trainer, "after", 1, average=0.9)
    _, first = trainer._last._kept
    programs = first.train_function, first.test_function, first.predict_function
    after = train(trainer, "after", 2, average=0.9)
    _, second = trainer._last._kept
    assert second is first
    assert programs == (
        second.train_function,
        second.test_function,
        second.predict_function,
    )
    assert alone[:2] == after[:2]
    for ours, theirs in zip(after[2], alone[2], strict=True):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("changes", [{"learning_rate": 0.1}, {"units": 6}])
def test_readers_of_other_settings_are_others(module, train, changes):
    trainer = module.CellTrainer()
    train(trainer, "one", 1)
    _, first = trainer._last._kept
    train(trainer, "other", 1, **changes)
    assert trainer._last._kept[1] is not first
