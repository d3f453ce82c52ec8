"""Texts that are annotated ahead give the reader the clusters it would find itself."""

import importlib.util
import json
from pathlib import Path

import pytest

from keras_cgru.coref import ExactMatchResolver
from keras_cgru.coref.annotating import read_annotations
from keras_cgru.coref.annotating.inputs.each_document import Inputs
from keras_cgru.coref.annotating.inputs.stored_annotations import StoredAnnotations
from keras_cgru.data.wikihop.input_kind import WIKIHOP
from keras_cgru.data.wikihop.read_wikihop import read_wikihop
from keras_cgru.data.wikihop.record_reader import RecordReader
from keras_cgru.data.wikihop.simulated import record_to_json, simulate_records
from keras_cgru.data.wikihop.splits import load_splits

pytest.importorskip("pyarrow", reason="the tool writes Parquet")
ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def annotate():
    path = ROOT / "tools" / "annotate.py"
    spec = importlib.util.spec_from_file_location("annotate_tool", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return lambda *given: module.main([*map(str, given), "--jobs", "1"])


def same_clusters(one, other):
    pairs = list(zip(one.examples, other.examples, strict=True))
    assert pairs and any(any(e.document_clusters) for e, _ in pairs)
    for first, second in pairs:
        assert first == second


@pytest.mark.parametrize("max_tokens", [150, 2200])
def test_annotated_ahead(annotate, tmp_path, max_tokens):
    """At any length, since the whole texts are annotated."""
    records = [record_to_json(each) for each in simulate_records(60, 0)]
    for record in records:
        del record["mentions"]
    for split in ("train", "dev"):
        (tmp_path / f"{split}.json").write_text(json.dumps(records))
    out = tmp_path / "all.parquet"
    assert annotate(tmp_path / "dev.json", "--output", out) == 0
    stored, direct = (
        load_splits(tmp_path, resolver=resolver, max_tokens=max_tokens)
        for resolver in (StoredAnnotations([out]), None)
    )
    for split in ("train", "validation", "test"):
        same_clusters(getattr(stored, split), getattr(direct, split))


def test_a_file_of_other_texts_is_refused(annotate, write_records, tmp_path):
    path, out = write_records({}), tmp_path / "out.parquet"
    assert annotate(path, "--output", out, "--resolver", "exact") == 0
    other = write_records({"supports": ["Galdovia."]}, name="other.json")
    stored = RecordReader(resolver=StoredAnnotations([out]))
    assert read_wikihop(path, stored).num_used == 1
    with pytest.raises(ValueError, match="must hold every text that is read"):
        read_wikihop(other, stored)


def test_question_candidates_and_supports_are_kept(annotate, write_records, tmp_path):
    path, out = write_records({}, {"annotations": [["follows", "ü"]]}), tmp_path / "o"
    assert annotate(path, "--output", out, "--resolver", "exact") == 0
    kept = [json.loads(document.record) for document in read_annotations(out)]
    assert kept == json.loads(path.read_text())
    again = tmp_path / "again.parquet"
    arguments = ("--input", "parquet", "--output", again, "--resolver", "exact")
    assert annotate(out, *arguments) == 0
    kept = [json.loads(document.record) for document in read_annotations(again)]
    assert kept == json.loads(path.read_text())


def test_a_question_that_utf_8_cannot_hold_costs_no_run(annotate, tmp_path):
    path, out = tmp_path / "dev.json", tmp_path / "o.parquet"
    record = {"id": "a", "supports": ["x y"], "query": "a \ud800"}
    path.write_text(json.dumps([record]))
    assert annotate(path, "--output", out) == 0
    (document,) = read_annotations(out)
    assert json.loads(document.record) == record


def test_texts_without_a_question_can_be_annotated(tmp_path):
    path = tmp_path / "test.json"
    path.write_text(json.dumps([{"id": "a", "supports": ["x y", "z"]}]))
    inputs = Inputs(WIKIHOP, [path])
    (document,) = inputs
    assert (document.id, sorted(document.text.split("\n\n"))) == ("a", ["x y", "z"])
    assert inputs.size == inputs.largest == len(document.text)


def test_real_records(annotate, real_files, tmp_path):
    out = tmp_path / "dev.parquet"
    arguments = ("--resolver", "exact", "--limit", 8, "--output", out)
    assert annotate(real_files["dev"], *arguments) == 0
    stored, direct = (
        read_wikihop(real_files["dev"], RecordReader(resolver=resolver), limit=8)
        for resolver in (
            StoredAnnotations([out]),
            ExactMatchResolver(normalise=str.lower),
        )
    )
    same_clusters(stored, direct)
