"""The official records that are at hand; figures were read once and looked over."""

import pytest

from keras_cgru.data.wikihop.example_parts import support_span
from keras_cgru.data.wikihop.read_result import read_all
from keras_cgru.data.wikihop.read_wikihop import read_wikihop
from keras_cgru.data.wikihop.record import read_records
from keras_cgru.data.wikihop.record_reader import RecordReader
from keras_cgru.data.wikihop.results import accuracy_by_annotation
from keras_cgru.data.wikihop.source import OFFICIAL
from keras_cgru.data.wikihop.splits import load_splits


@pytest.fixture(scope="module")
def whole():
    """Without a cut."""
    return RecordReader(max_tokens=None)


def test_nearly_all_candidates_and_every_answer_are_found(real_files, whole):
    for path in real_files.values():
        result = read_wikihop(path, whole)
        assert result.num_used == result.num_total
        counts = result.counts()
        assert counts["num_absent_candidates"] < 0.03 * counts["num_candidates"]
        assert counts["num_kept_clusters"] > 5 * result.num_used


def test_tokens_stand_where_they_say(real_files, whole):
    records = list(read_records(real_files["dev"]))
    examples = {e.id: e for e in read_all(records, whole, "dev").examples}
    for record in records:
        metadata = examples[record.id].metadata
        for token, written in enumerate(metadata["written_document"]):
            support, start, end = support_span(metadata, token)
            found = record.supports[support][start:end]
            if written[0].isalnum():
                assert found == written.replace("--", found[1:-1] or "--") or (
                    len(found) == len(written)
                )


def test_documents_are_cut(real_files):
    result = read_wikihop(real_files["train"])
    assert max(len(e.document) for e in result.examples) == 2200
    assert result.counts()["num_cut"] == 3


def test_development_records_by_annotators(real_files):
    result = read_wikihop(real_files["dev"])
    right = {example.id: True for example in result.examples}
    groups = accuracy_by_annotation(right, result.annotations)
    sizes = [group.num_total for group in groups.values()]
    assert sizes[0] == result.num_total and 0 < sizes[1] < sizes[0]
    assert 0 < sizes[2] + sizes[3] <= sizes[1]


def test_splits(real_files):
    splits = load_splits(real_files["dev"].parent)
    totals = [r.num_total for r in (splits.train, splits.validation, splits.test)]
    is_official = totals[2] == OFFICIAL["dev"].num_records
    assert splits.label == ("wikihop" if is_official else "wikihop-unofficial")
    assert splits.vectors is None or splits.vectors.name.startswith("glove")
