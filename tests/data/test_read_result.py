"""The counts must add up."""

import pytest

from keras_cgru.data import ReadResult


def test_counts(make_example):
    result = ReadResult((make_example("a"),), 3, {"too long": 2}, "file")
    assert (result.num_used, result.num_total) == (1, 3)
    assert result.summary() == "kept 1 of 3 (2 x too long)"


def test_nothing_skipped(make_example):
    assert ReadResult((make_example("a"),), 1, {}, "file").summary() == "kept 1 of 1"


def test_counts_that_do_not_add_up_are_refused(make_example):
    with pytest.raises(ValueError, match="`num_total` must be .* num_total=5, 1 examp"):
        ReadResult((make_example("a"),), 5, {"too long": 2}, "file")
