"""Both denominators, and what was left out."""

import pytest

from keras_cgru.data.wikihop.read_wikihop import read_wikihop
from keras_cgru.data.wikihop.record_reader import RecordReader

SAID = [["follows", "single"]] * 3


def test_ten_records_of_which_two_are_unusable(write_records):
    changes = [{"annotations": SAID} for _ in range(10)]
    changes[3]["supports"] = ["Nothing about Belmark."]
    changes[6]["supports"] = ["Nothing at all."]
    path = write_records(*changes)
    result = read_wikihop(path)
    assert result.summary() == (
        "kept 8 of 10 (1 x answer not in document, 1 x no candidate in document)"
    )
    assert (result.num_used, result.num_total) == (8, 10)
    assert result.source == str(path)
    assert [e.id for e in result.examples] == [
        f"WH_{n}" for n in (0, 1, 2, 4, 5, 7, 8, 9)
    ]
    # Of all ten, so that a breakdown has the same denominators.
    assert list(result.annotations) == [f"WH_{n}" for n in range(10)]
    assert result.counts()["num_candidates"] == 16


def test_an_answer_lost_to_the_cut_is_counted(write_records):
    texts = {"supports": ["This is long. " * 9 + "Galdovia and Belmark."]}
    path = write_records({}, texts, texts)
    result = read_wikihop(path, RecordReader(max_tokens=20))
    assert result.skipped == {"answer lost to the cut": 2}
    assert read_wikihop(path).num_used == 3


def test_what_is_cut_absent_and_merged_is_counted(write_records):
    path = write_records(
        {"candidates": ["galdovia", "Galdovia", "zemlia"]},
        {"supports": ["Galdovia. " * 30]},
    )
    counts = read_wikihop(path, RecordReader(max_tokens=40)).counts()
    assert counts["num_absent_candidates"] == 2  # Zemlia, and Belmark of the second.
    assert counts["num_merged_candidates"] == 1
    assert (counts["num_cut"], counts["num_cut_tokens"]) == (1, 20)


def test_clusters_beyond_the_limit_are_counted(write_records):
    path = write_records({"supports": ["Galdovia saw Belmark. Belmark saw Galdovia."]})
    result = read_wikihop(path, RecordReader(num_clusters=1))
    assert (result.num_kept_clusters, result.num_dropped_clusters) == (1, 1)
    assert "1 kept, 1 beyond the limit" in result.describe()


def test_a_limit_reads_no_further(write_records):
    path = write_records({}, {}, {"answer": 3})
    assert read_wikihop(path, limit=2).num_total == 2
    with pytest.raises(ValueError, match="record 2"):
        read_wikihop(path, limit=3)
    with pytest.raises(ValueError, match="`limit` must be at least 1"):
        read_wikihop(path, limit=0)
