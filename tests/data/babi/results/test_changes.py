"""What each change gave: pairs of cells, differences, and what is refused."""

import pytest
from babi_cells import TRAINING, cell

from keras_cgru.data.babi.results.cell_files import write_cells
from keras_cgru.data.babi.results.changes import changes_table, read_changes

WIDER = TRAINING | {"units": 128, "average": 0.9}


def cells(task, *accuracies, training=None):
    return [
        cell("ga_coref_gru", task, seed, accuracy, training=training)
        for seed, accuracy in enumerate(accuracies, start=1)
    ]


def rows(table):
    return [[f.strip() for f in line.split("|")[1:-1]] for line in table.splitlines()]


def test_differences_are_of_the_same_seeds():
    """The third seed of the base has no part in it."""
    base = [*cells(1, 0.5, 0.7, 0.0), *cells(2, 0.9, 0.9), *cells(3, 1.0)]
    wider = [*cells(1, 0.6, 0.9, training=WIDER), *cells(2, 0.85, training=WIDER)]
    head, _, first, second = rows(changes_table(base, [wider]))
    assert head == ["model", "change", "seeds", "1", "2", "mean difference"]
    assert first == ["GA w/ C-GRU", "none", "1 to 2", "0.600", "0.900", ""]
    change = "units 128, not 64; average 0.9, not none"
    assert second == [
        *("GA w/ C-GRU", change, "1 to 2"),
        *("0.750 (+0.150)", "0.850 (-0.050)", "+0.050"),
    ]


def test_every_change_and_model_has_a_row():
    base = [*cells(1, 0.5), cell("ga_gru", 1, 1, 0.2)]
    wider = cells(1, 0.6, training=WIDER)
    drier = TRAINING | {"dropout": 0.0}
    without = [
        *cells(1, 0.4, training=drier),
        cell("ga_gru", 1, 1, 0.3, training=drier),
    ]
    table = rows(changes_table(base, [wider, without]))[2:]
    assert [(row[0], row[1], row[3]) for row in table] == [
        ("GA w/ C-GRU", "none", "0.500"),
        ("GA w/ C-GRU", "units 128, not 64; average 0.9, not none", "0.600 (+0.100)"),
        ("GA w/ C-GRU", "dropout 0.0, not 0.1", "0.400 (-0.100)"),
        ("GA w/ GRU", "none", "0.200"),
        ("GA w/ GRU", "dropout 0.0, not 0.1", "0.300 (+0.100)"),
    ]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (cells(2, 0.5, training=WIDER), "counterpart"),
        (cells(1, 0.5, 0.5, training=WIDER), "counterpart"),
        ([cell("ga_coref_gru", training=WIDER, data="simulated")], "on simulated"),
        ([cell("ga_coref_gru", training=WIDER, limit=50)], "stories, 50 questions"),
        (cells(1, 0.5), "trained otherwise than hand/ga_coref_gru-1"),
    ],
)
def test_what_does_not_compare_is_refused(changed, message):
    with pytest.raises(ValueError, match=message):
        changes_table(cells(1, 0.5), [changed])


def test_one_file_may_hold_every_way(tmp_path):
    path = tmp_path / "changes.jsonl"
    drier = cells(1, 0.4, training=TRAINING | {"dropout": 0.0})
    wider = cells(1, 0.6, 0.7, training=WIDER)
    write_cells(path, [*wider, *drier])
    ways = read_changes([path])
    found = [[c.test_accuracy for c in way] for way in ways]
    assert sorted(found) == [[0.4], [0.6, 0.7]]


def test_an_option_that_an_earlier_version_did_not_have_was_not_used(tmp_path):
    path = tmp_path / "changes.jsonl"
    known = WIDER | {"query_words": False}
    write_cells(path, [*cells(1, 0.6, training=WIDER), *cells(2, 0.7, training=known)])
    (way,) = read_changes([path])
    table = rows(changes_table([*cells(1, 0.5), *cells(2, 0.5)], [way]))
    assert table[-1][1] == "units 128, not 64; average 0.9, not none"
    told = cells(1, 0.6, training=TRAINING | {"query_words": True})
    change = rows(changes_table(cells(1, 0.5), [told]))[-1][1]
    assert change == "query_words True, not none"


def test_files_without_cells_are_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match="no such folder"):
        read_changes([tmp_path / "none"])
    with pytest.raises(ValueError, match="must hold a finished cell"):
        read_changes([tmp_path])
    path = tmp_path / "twice.jsonl"
    write_cells(path, [cells(1, 0.5)[0], cells(1, 0.6)[0]])
    with pytest.raises(ValueError, match="`accuracy_overall`"):
        read_changes([path])
