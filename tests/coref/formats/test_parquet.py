"""Annotated documents in Parquet."""

from dataclasses import replace

import pytest

from keras_cgru.coref import Annotation
from keras_cgru.coref.annotating import read_annotations, read_metadata
from keras_cgru.coref.document import Document
from keras_cgru.coref.formats.parquet import to_table, write_tables

pa = pytest.importorskip("pyarrow", reason="Parquet needs pyarrow")
pq = pytest.importorskip("pyarrow.parquet", reason="Parquet needs pyarrow")

DOCUMENTS = [
    Document("a", Annotation("naïve cat . it".split(), [[(0, 2), (3, 4)]], (0, 3))),
    Document("ü/b", Annotation((), (), ())),
    Document("c", Annotation(["x"] * 4, [[(0, 1)], [(0, 2), (1, 3)]])),
]


def test_round_trip(tmp_path):
    path = tmp_path / "new" / "a.parquet"
    write_tables(path, [to_table(DOCUMENTS)], {"resolver": {"name": "exact"}})
    assert list(read_annotations(path)) == DOCUMENTS
    assert read_metadata(path)["resolver"] == {"name": "exact"}
    assert read_metadata(path)["schema_version"] == 1


def test_bytes_do_not_depend_on_how_the_tables_were_cut(tmp_path):
    many = [Document(str(i), Annotation(["x"] * (i % 5))) for i in range(2500)]
    contents = set()
    for number, sizes in enumerate(([2500], [1, 1023, 1, 1400, 75], [1024, 1476])):
        rest, tables = iter(many), []
        for size in sizes:
            tables.append(to_table([next(rest) for _ in range(size)]))
        path = tmp_path / f"{number}.parquet"
        write_tables(path, tables, {"b": 1, "a": 2})
        contents.add(path.read_bytes())
    assert len(contents) == 1
    assert pq.ParquetFile(path).num_row_groups == 3
    assert list(read_annotations(path)) == many


def test_what_else_a_source_says_is_kept(tmp_path):
    path, older = tmp_path / "a.parquet", tmp_path / "b.parquet"
    documents = [replace(DOCUMENTS[0], record='{"query": "ü"}'), *DOCUMENTS[1:]]
    write_tables(path, [to_table(documents)], {})
    assert [each.record for each in read_annotations(path)] == [
        *('{"query": "ü"}', None, None)
    ]
    # Files of before.
    pq.write_table(pq.read_table(path).drop_columns(["record"]), older)
    assert list(read_annotations(older)) == DOCUMENTS
    table = pq.read_table(older)
    pq.write_table(table.append_column("record", pa.array([1, 2, 3])), older)
    with pytest.raises(ValueError, match="row 0: `record` must be a string"):
        list(read_annotations(older))


def test_no_documents(tmp_path):
    write_tables(tmp_path / "a.parquet", [], {})
    assert list(read_annotations(tmp_path / "a.parquet")) == []


def test_other_programs_read_it(tmp_path):
    write_tables(tmp_path / "a.parquet", [to_table(DOCUMENTS)], {})
    row = pq.read_table(tmp_path / "a.parquet").to_pylist()[0]
    assert row == {
        "id": "a",
        "tokens": ["naïve", "cat", ".", "it"],
        "sentence_starts": [0, 3],
        "clusters": [[{"start": 0, "end": 2}, {"start": 3, "end": 4}]],
        "record": None,
    }


def test_files_that_are_none(tmp_path):
    text, foreign, later, other = (tmp_path / name for name in "abcd")
    text.write_text("no Parquet")
    pq.write_table(pa.table({"x": [1]}), foreign)
    write_tables(later, [], {"schema_version": 2})
    schema = pa.schema([("id", pa.string())], {b"keras_cgru": b'{"schema_version": 1}'})
    pq.write_table(pa.table({"id": ["a"]}, schema), other)
    for path, message in [
        (text, "must be a Parquet file"),
        (foreign, "must be annotations that tools/annotate.py wrote"),
        (later, "`schema_version` must be 1. Received: 2"),
        (other, "must have the columns"),
    ]:
        with pytest.raises(ValueError, match=message) as caught:
            list(read_annotations(path))
        assert str(path) in str(caught.value)
    with pytest.raises(FileNotFoundError):
        list(read_annotations(tmp_path / "none"))
