"""Grids of cells: each trained once, by one run."""

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from keras_cgru.files import locked_folder, read_json, write_json
from keras_cgru.training import RunFolder, run_cells, unfinished_cells
from keras_cgru.training.cells import CellWorker

METRICS = {
    "validation_accuracy": 0.5,
    "accuracy_overall": 0.25,
    "updates": 3,
    "train_seconds": 1.0,
}


@dataclass(frozen=True)
class ToyCell:
    task: int
    seed: int
    units: int = 4

    @property
    def name(self):
        return f"toy/task-{self.task:02d}/seed-{self.seed}"

    def config(self):
        return {"units": self.units, "threads": 1}

    def differences(self, stored):
        if stored["units"] != self.units:
            yield "units", stored["units"], self.units


class Trainer:
    """Remembers, in its process, how many cells it has trained."""

    def __init__(self):
        self.count = 0

    def __call__(self, cell, folder, tell):
        self.count += 1
        if cell.task == 9:
            raise ValueError("task 9 cannot be trained")
        tell("is at it")
        folder.write_config(cell.config())
        write_json(folder.metrics, METRICS | {"count": self.count})
        return read_json(folder.metrics)


def finish(root, cell, **changes):
    folder = RunFolder(root / cell.name)
    folder.write_config(cell.config() | changes)
    write_json(folder.metrics, METRICS)
    return folder


@pytest.fixture
def root(tmp_path):
    return tmp_path / "cells"


def test_what_is_there_is_left_alone_and_the_rest_is_trained(root, capsys):
    grid = [ToyCell(task, seed) for task in (1, 2) for seed in (1, 2)]
    finish(root, grid[0])
    todo = unfinished_cells(grid, root)
    assert todo == grid[1:]
    assert "4 asked for, 1 finished" in capsys.readouterr().out
    assert run_cells(todo, root, Trainer()) == 0
    output = capsys.readouterr().out
    assert "  toy/task-01/seed-2 is at it\n" in output
    assert "[3/3] toy/task-02/seed-2: validation 0.500, test 0.250, 3 upd" in output
    assert unfinished_cells(grid, root) == []
    assert "count" not in read_json(root / grid[0].name / "metrics.json")
    assert not list(Path(root).rglob(".lock"))


def test_seeds_of_a_task_are_trained_by_one_object(root):
    run_cells([ToyCell(t, s) for t in (1, 2) for s in (1, 2)], root, Trainer())
    counts = {
        str(path.parent.relative_to(root)): json.loads(path.read_text())["count"]
        for path in root.rglob("metrics.json")
    }
    assert counts == {
        "toy/task-01/seed-1": 1,
        "toy/task-01/seed-2": 2,
        "toy/task-02/seed-1": 1,
        "toy/task-02/seed-2": 2,
    }


def test_a_failure_is_counted_and_told_and_costs_no_other(root, capsys):
    assert run_cells([ToyCell(9, 1), ToyCell(1, 1)], root, Trainer(), 2) == 1
    said = capsys.readouterr()
    assert "toy/task-09/seed-1 FAILED" in said.err
    assert "task 9 cannot be trained" in said.err
    assert (root / "toy/task-01/seed-1/metrics.json").exists()


def test_one_that_another_run_trains_is_left_to_it(root, capsys):
    cells = [ToyCell(1, 1), ToyCell(2, 1)]
    with locked_folder(root / cells[0].name):
        assert run_cells(cells, root, Trainer()) == 0
    said = capsys.readouterr()
    line = "toy/task-01/seed-1: left to another run, which is training it"
    assert line in said.out and said.err == ""
    assert unfinished_cells(cells, root) == cells[:1]


def test_one_that_another_run_finished_meanwhile_is_not_trained(root):
    trainer = Trainer()
    worker = CellWorker(root, trainer)
    finish(root, ToyCell(1, 1))
    assert worker(ToyCell(1, 1), print) == METRICS
    assert trainer.count == 0
    assert worker(ToyCell(1, 2), print)["count"] == 1


def test_one_that_was_trained_otherwise_is_refused(root):
    finish(root, ToyCell(1, 1), units=6)
    message = "seed-1: finished with units=6; choose another `run_dir`. Received: 4"
    with pytest.raises(ValueError, match=message):
        unfinished_cells([ToyCell(1, 1)], root)
