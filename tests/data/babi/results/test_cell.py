"""Cells from run folders and from files, and what is refused."""

import json
import math
import re
from dataclasses import replace

import pytest
from babi_cells import TRAINING, cell, metrics, write_folder

from keras_cgru.data.babi.results.cell import BabiCell
from keras_cgru.data.babi.results.cell_files import (
    read_cells,
    unique_cells,
    write_cells,
)

DESCRIBED = {"training": TRAINING, "data": "babi"}


def best_seed(*cells):
    return max(cells, key=lambda cell: cell.rank).key[2]


def write_lines(path, *contents):
    lines = [c if isinstance(c, str) else json.dumps(c) for c in contents]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_a_folder_gives_its_finished_cells_in_order(tmp_path):
    write_folder(tmp_path, "ga_gru", 10, 1)
    write_folder(tmp_path, "ga_gru", 2, 10)
    write_folder(tmp_path, "ga_gru", 2, 9, test=0.75)
    write_folder(tmp_path, "ga_coref_gru", 2, 1, dropped_mentions=0.5)
    write_folder(tmp_path, "ga_coref_gru", 2, 1)
    (write_folder(tmp_path, "ga_gru", 1, 1) / "metrics.json").unlink()  # not finished
    cells = read_cells(tmp_path)
    assert [cell.key for cell in cells] == [
        ("ga_coref_gru", 2, 1, 0.0),
        ("ga_coref_gru", 2, 1, 0.5),
        ("ga_gru", 2, 9, 0.0),
        ("ga_gru", 2, 10, 0.0),
        ("ga_gru", 10, 1, 0.0),
    ]
    assert cells[2].test_accuracy == 0.75
    assert cells[2].metrics["training"] == TRAINING
    for one in cells:
        assert one.folder == tmp_path / one.name


def test_how_many_questions_were_used_is_kept(tmp_path):
    folder = write_folder(tmp_path)
    data = {"kind": "babi", "limit": 50}
    config = json.dumps({"training": TRAINING, "data": data})
    (folder / "config.json").write_text(config, encoding="utf-8")
    (limited,) = read_cells(tmp_path)
    assert limited.metrics["limit"] == 50
    assert (
        "limit" not in read_cells(write_folder(tmp_path / "all").parents[2])[0].metrics
    )


def test_a_file_gives_what_the_folder_gave(tmp_path):
    write_folder(tmp_path / "run", "ga_gru", 2, 1, validation_loss=math.nan)
    write_folder(tmp_path / "run", "ga_gru", 1, 1, test=0.123, data="babi")
    cells = read_cells(tmp_path / "run")
    write_cells(tmp_path / "cells.jsonl", cells[::-1])
    again = read_cells(tmp_path / "cells.jsonl")
    assert [str(c.metrics) for c in again] == [str(c.metrics) for c in cells]
    assert [c.folder for c in again] == [None, None]
    assert again[1].source == f"{tmp_path}/cells.jsonl:1"
    # The same cells from two places are one each, and keep their run folders.
    for both in ([*cells, *again], [*again, *cells]):
        merged = unique_cells(both)
        assert [c.folder for c in merged] == [c.folder for c in cells]


def test_a_curve_goes_through_a_file(tmp_path):
    curve = (10, 0.25), (20, 0.5)
    known = replace(cell(seed=1), curve=curve)
    write_cells(tmp_path / "cells.jsonl", [known, cell(seed=2)])
    again = read_cells(tmp_path / "cells.jsonl")
    assert [c.curve for c in again] == [curve, None]
    assert "curve" not in again[0].metrics
    # It is kept where the same cell comes from elsewhere without it.
    for both in ([cell(seed=1), again[0]], [again[0], cell(seed=1)]):
        assert [c.curve for c in unique_cells(both)] == [curve]


@pytest.mark.parametrize(
    "curve",
    [
        3,
        [3],
        [[1]],
        [["1", 0.5]],
        [[1, "a"]],
        [[2, 0.5], [2, 0.6]],
        [[0, 0.5]],
        [[True, 0.5]],
        [[1, -0.1]],
        [[1, 1.1]],
        [[1, math.nan]],
    ],
)
def test_a_malformed_curve_is_refused_with_file_and_line(tmp_path, curve):
    good = metrics() | DESCRIBED
    path = write_lines(tmp_path / "cells.jsonl", good, good | {"curve": curve})
    message = f"{path}:2: `curve` must be pairs of updates, which grow, and a number"
    with pytest.raises(ValueError, match=re.escape(message)):
        read_cells(path)


def test_a_folder_without_a_finished_cell_gives_none(tmp_path):
    assert read_cells(tmp_path) == []


def test_missing_input(tmp_path):
    with pytest.raises(FileNotFoundError, match="/none: must be the folder that"):
        read_cells(tmp_path / "none")


def test_the_best_seed_is_chosen_by_validation_alone():
    assert best_seed(cell(seed=1, validation=0.8), cell(seed=2, test=1.0)) == 1
    by_loss = cell(seed=1), cell(seed=2, validation_loss=0.2, test=0.1)
    assert best_seed(*by_loss) == best_seed(*by_loss[::-1]) == 2
    diverged = cell(seed=1, validation_loss=math.nan), cell(seed=2, validation_loss=9)
    assert best_seed(*diverged) == best_seed(*diverged[::-1]) == 2
    equal = cell(seed=1), cell(seed=2, test=1.0)
    assert best_seed(*equal) == best_seed(*equal[::-1]) == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"task": 21}, "`task` must be from 1 to 20. Received: 21"),
        ({"task": "1"}, "`task` must be int. Received: '1'"),
        ({"seed": True}, "`seed` must be int. Received: True"),
        ({"model": None}, "`model` must be str. Received: None"),
        ({"accuracy_overall": 1.01}, "`accuracy_overall` must be from 0 to 1. Rec"),
        ({"accuracy_overall": math.nan}, "`accuracy_overall` must be from 0 to 1"),
        ({"validation_accuracy": -0.1}, "`validation_accuracy` must be from 0 to 1"),
        ({"dropped_mentions": 20}, "`dropped_mentions` must be from 0 to 1"),
        ({"updates": 0}, "`updates` must be from 1 to inf. Received: 0"),
        ({"validation_loss": "low"}, "`validation_loss` must be int or float."),
        ({"training": 64}, "`training` must be dict. Received: 64"),
        (
            {"data": "other"},
            "`data` must be babi, babi-VERSION or simulated. Received: 'other'",
        ),
    ],
)
def test_a_field_is_refused_with_file_and_line(tmp_path, change, message):
    good = metrics() | DESCRIBED
    path = write_lines(tmp_path / "cells.jsonl", good, metrics(seed=2) | good | change)
    with pytest.raises(ValueError, match=re.escape(f"{path}:2: {message}")):
        read_cells(path)


def test_a_missing_field_is_refused():
    content = metrics() | DESCRIBED
    del content["train_seconds"]
    with pytest.raises(ValueError, match="here: `train_seconds` must be int or float"):
        BabiCell(content, "here")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "must be JSON in UTF-8. Received: Expecting property name"),
        ("[]", re.escape("must be a JSON object. Received: []")),
        ("", "must be JSON in UTF-8. Received: Expecting value"),
    ],
)
def test_a_malformed_line_is_named(tmp_path, line, message):
    path = write_lines(tmp_path / "cells.jsonl", metrics() | DESCRIBED, line)
    with pytest.raises(ValueError, match=f"{re.escape(str(path))}:2: {message}"):
        read_cells(path)


def test_a_line_that_is_not_utf8_is_named(tmp_path):
    path = tmp_path / "cells.jsonl"
    path.write_bytes(json.dumps(metrics() | DESCRIBED).encode() + b"\n\xff\n")
    with pytest.raises(ValueError, match=re.escape(f"{path}:2: must be UTF-8")):
        read_cells(path)


@pytest.mark.parametrize("name", ["metrics.json", "config.json"])
def test_a_malformed_file_of_a_run_is_named(tmp_path, name):
    file = write_folder(tmp_path) / name
    file.write_text("{\n  3\n}", encoding="utf-8")
    message = re.escape(f"{file}: must be JSON in UTF-8. Received: ") + ".*line 2"
    with pytest.raises(ValueError, match=message):
        read_cells(tmp_path)
    file.write_text("3", encoding="utf-8")
    with pytest.raises(ValueError, match=re.escape(f"{file}: must be a JSON object")):
        read_cells(tmp_path)


@pytest.mark.parametrize("name", ["training", "data"])
def test_a_config_without_training_or_data_is_refused(tmp_path, name):
    file = write_folder(tmp_path) / "config.json"
    config = json.loads(file.read_text())
    file.write_text(json.dumps(config | {name: None}))
    message = re.escape(f"{file}: `{name}` must be an object. Received: None")
    with pytest.raises(ValueError, match=message):
        read_cells(tmp_path)


def test_two_different_cells_of_one_key_name_both(tmp_path):
    path = write_lines(
        tmp_path / "cells.jsonl",
        metrics(test=0.5) | DESCRIBED,
        metrics(test=0.5) | DESCRIBED,
        metrics(test=0.6) | DESCRIBED,
    )
    message = (
        f"{path}:3: must be the same cell as {path}:1, or of another model, task or "
        "seed: `accuracy_overall` is 0.5 there. Received: 0.6"
    )
    with pytest.raises(ValueError, match=re.escape(message)):
        read_cells(path)


def test_unofficial_files_are_told_apart_by_a_digest(tmp_path):
    digests = []
    for number, sha256 in enumerate(("a", "a", "b")):
        folder = write_folder(tmp_path / str(number), data="babi-en-10k")
        config = json.loads((folder / "config.json").read_text())
        config["data"]["sha256"] = {"qa1_x_train.txt": sha256}
        (folder / "config.json").write_text(json.dumps(config))
        (found,) = read_cells(tmp_path / str(number))
        assert found.caution == "NOT the official files: en-10k"
        digests.append(found.metrics["files"])
    assert digests[0] == digests[1] != digests[2]
    (official,) = read_cells(write_folder(tmp_path / "official").parents[2])
    assert "files" not in official.metrics
    assert official.caution == ""


def test_a_loss_that_json_does_not_know_is_nan():
    for loss in (math.nan, None):
        found = cell(validation_loss=loss)
        assert math.isnan(found.validation_loss)
        assert found.rank < cell(validation_loss=1e9).rank
