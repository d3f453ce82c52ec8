"""Tables in Markdown."""

from keras_cgru.evaluation.markdown import span, table


def test_cells_stay_cells():
    lines = table(["name", 2], [["a|b", "c\nd"], ["", 0.5]]).splitlines()
    assert lines == ["| name | 2 |", "|---|---|", "| a\\|b | c d |", "|  | 0.5 |"]


def test_spans():
    assert (span([3]), span([1000, 3, 20])) == ("3", "3 to 1,000")
