"""What systems write twice, leave out or break, in every format."""

import json
from itertools import pairwise

import pytest

from keras_cgru.coref.annotating.inputs.each_document import Inputs
from keras_cgru.coref.annotating.inputs.input_kinds import INPUT_KINDS
from keras_cgru.coref.formats import FORMATS, BadRecord
from keras_cgru.coref.formats.parquet import read_metadata

pa = pytest.importorskip("pyarrow", reason="Parquet needs pyarrow")
pq = pytest.importorskip("pyarrow.parquet", reason="Parquet needs pyarrow")

A, B, C = (0, 1), (2, 3), (4, 5)  # Spans of "a b c d e f".
WORDS = "a b c d e f".split()
CLUSTERED = ["allennlp", "conll2012", "corenlp", "fastcoref", "parquet"]


def conll(clusters, name="d", words=WORDS):
    rows = [f"#begin document ({name}); part 000"]
    for token, word in enumerate(words):
        cell = "|".join(
            f"({number})"
            for number, cluster in enumerate(clusters)
            for start, _ in cluster
            if start == token
        )
        rows.append(f"{name} 0 {token} {word} - {cell or '-'}")
    return "\n".join([*rows, "", "#end document"])


def record(name, clusters):
    if name == "allennlp":
        pairs = [[[start, end - 1] for start, end in each] for each in clusters]
        return {"document": WORDS, "clusters": pairs}
    if name == "fastcoref":
        return {"text": WORDS, "clusters": clusters}
    if name == "fastcoref text":
        pairs = [[[2 * start, 2 * end - 1] for start, end in each] for each in clusters]
        return {"text": " ".join(WORDS), "clusters": pairs}
    if name == "released-wikihop":
        mentions = sorted({span for each in clusters for span in each})
        ends = [[-1, *map(mentions.index, each), -1] for each in clusters]
        return {
            "id": "0",
            "document": " ".join(WORDS),
            "mentions": mentions,
            "coref_onehot": [[[a, 0, b] for a, b in pairwise(each)] for each in ends],
        }
    tokens = [{"index": i, "word": word} for i, word in enumerate(WORDS, start=1)]
    corefs = {
        str(number): [
            {"sentNum": 1, "startIndex": start + 1, "endIndex": end + 1}
            for start, end in each
        ]
        for number, each in enumerate(clusters)
    }
    return {"sentences": [{"index": 0, "tokens": tokens}], "corefs": corefs}


def write(folder, name, clusters):
    path = folder / "file.coref_onehot"
    if name == "conll2012":
        path.write_text(conll(clusters))
    elif name == "parquet":
        spans = [[{"start": a, "end": b} for a, b in each] for each in clusters]
        row = {"id": ["0"], "tokens": [WORDS], "clusters": [spans]}
        pq.write_table(pa.table(row), path)
    elif name == "released-lambada":
        path.write_text(json.dumps(clusters))
        path.with_suffix(".data").write_text(" ".join(WORDS))
    else:
        path.write_text(json.dumps(record(name, clusters)))
    return path


def read(folder, name, clusters):
    path = write(folder, name, clusters)
    (document,) = FORMATS[name.split()[0]].read(path)
    return document


@pytest.mark.parametrize("name", [*CLUSTERED, "fastcoref text"])
def test_a_span_twice_in_a_cluster_is_kept_once_and_counted(tmp_path, name):
    document = read(tmp_path, name, [[A, B, B, B], [B, C]])
    assert document.annotation.clusters == ((A, B), (B, C))
    assert document.num_repeated == 2


@pytest.mark.parametrize("name", [*CLUSTERED, "fastcoref text", "released-wikihop"])
def test_a_cluster_twice_is_kept_once_and_counted(tmp_path, name):
    document = read(tmp_path, name, [[A, B], [A, B], [B, C]])
    assert document.annotation.clusters == ((A, B), (B, C))
    assert document.num_repeated == 2


@pytest.mark.parametrize("name", [*CLUSTERED, "fastcoref text", "released-wikihop"])
def test_a_span_in_two_clusters_stays_in_both(tmp_path, name):
    document = read(tmp_path, name, [[A, B], [B, C]])
    assert document.annotation.clusters == ((A, B), (B, C))
    assert document.num_repeated == 0


@pytest.mark.parametrize(
    "name", [*(n for n in CLUSTERED if n != "conll2012"), "fastcoref text"]
)
def test_an_empty_cluster_is_none(tmp_path, name):
    document = read(tmp_path, name, [[], [A, B], []])
    assert document.annotation.clusters == ((A, B),)
    assert document.num_repeated == 0 and not document.lacks_clusters


def test_chains_of_lambada(tmp_path):
    document = read(tmp_path, "released-lambada", [[[0, 0, 2]], [], [[0, 0, 2]]])
    assert document.annotation.clusters == ((A, B),)
    assert document.num_repeated == 2


def test_a_mention_of_wikihop_that_is_listed_twice(tmp_path):
    path = tmp_path / "file"
    chains = [[[-1, 0, 0], [0, 0, 1], [1, 0, 2], [2, 0, -1]]]
    twice = {"mentions": [A, B, B], "coref_onehot": chains}
    path.write_text(json.dumps(record("released-wikihop", []) | twice))
    (document,) = FORMATS["released-wikihop"].read(path)
    assert document.annotation.clusters == ((A, B),) and document.num_repeated == 1


def test_corenlp_leaves_out_what_it_did_not_find(tmp_path):
    path = tmp_path / "file"
    without = record("corenlp", [])
    del without["corefs"]
    path.write_text(json.dumps(without))
    (document,) = FORMATS["corenlp"].read(path)
    assert document.annotation.tokens == tuple(WORDS)
    assert document.annotation.clusters == () and document.lacks_clusters


def test_a_null_in_parquet_is_no_link(tmp_path):
    path = tmp_path / "file"
    both = [{"start": 0, "end": 1}, {"start": 1, "end": 2}]
    tokens = [["x", "x"], ["y"]]
    rows = {"id": ["a", "b"], "tokens": tokens, "clusters": [[both], None]}
    pq.write_table(pa.table(rows), path)
    first, second = FORMATS["parquet"].read(path)
    assert first.annotation.clusters == (((0, 1), (1, 2)),)
    assert second.annotation.clusters == () and second.lacks_clusters


LINES = ["allennlp", "corenlp", "fastcoref", "released-wikihop"]
BROKEN = {
    "cut": (b'{"id": "x", "sent', "must be JSON"),
    "said": (b"CoreNLP request timed out.", "must be JSON"),
    "list": (b"[1, 2]", "must be a JSON object"),
    "bytes": (b'{"id": "caf\xe9"}', "must be UTF-8"),
    "nul": (b"\0\0", "must be text"),
    "empty": (b"{}", "must have"),
}


@pytest.mark.parametrize("name", LINES)
@pytest.mark.parametrize("case", BROKEN)
@pytest.mark.parametrize("place", range(3))
def test_a_broken_line_costs_its_neighbours_nothing(tmp_path, name, case, place):
    content, message = BROKEN[case]
    path = tmp_path / "file"
    good = json.dumps(record(name, [[A, B]])).encode()
    lines = [good, good]
    lines.insert(place, content)
    path.write_bytes(b"\n".join(lines) + b"\n")
    records = list(FORMATS[name].records(path))
    assert [isinstance(each, BadRecord) for each in records] == [
        number == place for number in range(3)
    ]
    assert f"file:{place + 1}: " in records[place].message
    assert message in records[place].message
    with pytest.raises(ValueError, match=f"file:{place + 1}: "):
        FORMATS[name].read(path)


@pytest.mark.parametrize("name", ["allennlp", "corenlp", "fastcoref"])
def test_a_broken_record_keeps_its_name(tmp_path, name):
    field = "docId" if name == "corenlp" else "id"
    good = record(name, [[A, B]])
    broken = {**good, field: "b", "clusters": 7, "corefs": 7}
    path = tmp_path / "file"
    lines = [{**good, field: "a"}, broken, {**good, field: "c"}]
    path.write_text("\n".join(map(json.dumps, lines)))
    records = list(FORMATS[name].records(path))
    assert [each.id for each in records] == ["a", "b", "c"]
    assert isinstance(records[1], BadRecord)


@pytest.mark.parametrize(
    ("broken", "line", "message"),
    [
        (conll([], "b").replace("b 0 1 b - -", "b 0 1 b"), 12, "5 columns"),
        (conll([[A]], "b").replace("(0)", "(0"), 11, "must end in its document"),
        ("CoreNLP request timed out.\nSorry.", 10, "must be `#begin document"),
        (conll([], "b").removesuffix("#end document"), 19, "'b' must end before"),
        (conll([], "b").replace(" c ", " \0 "), 13, "must be text"),
        (conll([], "b", ["[WORD]"] * 6), 11, "[WORD]"),
    ],
)
def test_a_broken_document_of_conll(tmp_path, broken, line, message):
    path = tmp_path / "file"
    path.write_text("\n".join([conll([[A, B]], "a"), broken, conll([[A, B]], "c")]))
    records = list(FORMATS["conll2012"].records(path))
    assert [isinstance(each, BadRecord) for each in records] == [False, True, False]
    assert records[0].id == "a" and records[2].id == "c"
    assert f"file:{line}: " in records[1].message and message in records[1].message


def test_a_line_of_released_lambada(tmp_path):
    path = tmp_path / "file.coref_onehot"
    path.write_text("[[[0, 0, 1]]]\n[[0]]\n[]\n")
    path.with_suffix(".data").write_bytes(b"a a\nb\nc\xff\n")
    good, *bad = FORMATS["released-lambada"].records(path)
    assert good.annotation.clusters == (((0, 1), (1, 2)),)
    assert [each.id for each in bad] == ["1", "2"]
    assert "file.coref_onehot:2: " in bad[0].message
    assert "file.data:3: must be UTF-8" in bad[1].message


STRINGS = {
    "list of large strings": pa.list_(pa.large_string()),
    "large list": pa.large_list(pa.string()),
    "list view": pa.list_view(pa.string()),
    "large list view": pa.large_list_view(pa.large_string()),
    "list of views": pa.list_(pa.string_view()),
}


def columns_of(kind):
    tokens = [["a", "bc"], ["a"]]
    if kind in STRINGS:
        strings = STRINGS[kind].value_type
        return pa.array(tokens, STRINGS[kind]), pa.array(["x", "y"], strings)
    plain = pa.array(tokens, pa.list_(pa.string()))
    words = plain.values.dictionary_encode()
    encoded = pa.ListArray.from_arrays(plain.offsets, words)
    return encoded, pa.array(["x", "y"]).dictionary_encode()


@pytest.mark.parametrize("kind", [*STRINGS, "dictionary"])
def test_strings_of_parquet_of_every_kind(tmp_path, kind):
    tokens, ids = columns_of(kind)
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"id": ids, "tokens": tokens}), path)
    inputs = Inputs(INPUT_KINDS["parquet"], [path])
    assert [(each.id, each.tokens) for each in inputs] == [
        ("x", ("a", "bc")),
        ("y", ("a",)),
    ]
    assert inputs.size == 4
    none = pa.array([[], []], pa.list_(pa.list_(pa.int32())))
    pq.write_table(pa.table({"id": ids, "tokens": tokens, "clusters": none}), path)
    assert [each.id for each in FORMATS["parquet"].read(path)] == ["x", "y"]


def test_what_must_be_cast_is_said(tmp_path):
    path = tmp_path / "a.parquet"
    columns = {"id": ["a"], "tokens": [[b"a"]], "clusters": [[]]}
    pq.write_table(pa.table(columns), path)
    with pytest.raises(ValueError, match=r"cast the column to list<string>.*binary"):
        FORMATS["parquet"].read(path)


def test_a_torn_file_of_parquet(tmp_path):
    path = tmp_path / "a.parquet"
    ids = [str(number) for number in range(999)]
    columns = {"id": ids, "tokens": [["x"]] * 999, "clusters": [[]] * 999}
    pq.write_table(pa.table(columns), path)
    content = bytearray(path.read_bytes())
    content[4:400] = b"\xff" * 396
    path.write_bytes(content)
    with pytest.raises(ValueError, match="a.parquet: must be a whole Parquet file"):
        FORMATS["parquet"].read(path)


def test_a_row_of_parquet_that_is_no_text(tmp_path):
    path = tmp_path / "a.parquet"
    words = pa.array([b"a", b"\xff", b"c"]).view(pa.string())
    tokens = pa.ListArray.from_arrays([0, 1, 2, 3], words)
    columns = {"id": ["a", "b", "c"], "tokens": tokens, "clusters": [[], [], []]}
    pq.write_table(pa.table(columns), path)
    records = list(FORMATS["parquet"].records(path))
    assert [record.id for record in records] == ["a", "1", "c"]
    assert "a.parquet: row 1: must be UTF-8" in records[1].message
    inputs = Inputs(INPUT_KINDS["parquet"], [path])
    assert [each.error is None for each in inputs] == [True, False, True]
    assert inputs.size == 2


@pytest.mark.parametrize("content", [b"[1]", b"{", b"\xff"])
def test_metadata_of_parquet_that_is_none_of_ours(tmp_path, content):
    path = tmp_path / "a.parquet"
    schema = pa.schema([("id", pa.string())], {b"keras_cgru": content})
    pq.write_table(pa.table({"id": ["a"]}, schema), path)
    with pytest.raises(ValueError, match="a.parquet: "):
        read_metadata(path)
