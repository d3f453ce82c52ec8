"""What can be annotated, and how broken files are refused."""

import json

import pytest

from keras_cgru.coref import Annotation
from keras_cgru.coref.annotating.inputs.each_document import Inputs, choose_kind
from keras_cgru.coref.annotating.inputs.found import as_they_are, attach, read_found
from keras_cgru.coref.annotating.inputs.input_kinds import INPUT_KINDS
from keras_cgru.coref.annotating.raw_document import RawDocument, split_into_chunks
from keras_cgru.coref.document import Document
from keras_cgru.coref.formats import FORMATS
from keras_cgru.data.lambada.input_kind import LAMBADA
from keras_cgru.data.wikihop.input_kind import WIKIHOP

KINDS = {**INPUT_KINDS, LAMBADA.name: LAMBADA, WIKIHOP.name: WIKIHOP}
pa = pytest.importorskip("pyarrow", reason="Parquet needs pyarrow")
pq = pytest.importorskip("pyarrow.parquet", reason="Parquet needs pyarrow")


def read_inputs(kind, paths):
    return Inputs(choose_kind(KINDS, kind, paths), paths)


def guess_kind(path):
    return choose_kind(KINDS, None, [path]).name


def test_a_text_file_is_a_document(tmp_path):
    (tmp_path / "one.txt").write_bytes("Ä.\r\n\r\nB.".encode())
    (tmp_path / "two.txt").write_bytes(b"\xef\xbb\xbfC.")
    inputs = read_inputs("text", [tmp_path / "one.txt", tmp_path / "two.txt"])
    assert list(inputs) == [
        RawDocument("one", text="Ä.\n\nB."),
        RawDocument("two", text="C."),
    ]
    assert inputs.size == 8


def test_text_files_of_one_name_are_told_apart(tmp_path):
    for name in "ab":
        (tmp_path / name).mkdir()
        (tmp_path / name / "x.txt").write_text("Hi.")
    paths = [tmp_path / name / "x.txt" for name in "ab"]
    first, second = (document.id for document in read_inputs("text", paths))
    assert (first, second) == ("a/x", "b/x")


def test_lambada_leaves_the_answer_out(tmp_path):
    path = tmp_path / "lambada_test_plain_text.txt"
    path.write_text("ann saw ben . ben saw ann\n\nhe left home\n")
    assert list(read_inputs("lambada", [path])) == [
        RawDocument("test-00000", tokens=tuple("ann saw ben . ben saw".split())),
        RawDocument("test-00001", tokens=("he", "left")),
    ]


def test_lambada_ids_are_those_of_the_reader(tmp_path):
    from keras_cgru.data.lambada import read_lambada

    path = tmp_path / "lambada_development_plain_text.txt"
    path.write_text("ann saw ben . ben `` saw '' ann\n" * 3)
    read = read_lambada(path, split="development")
    documents = {each.id: each.tokens for each in read_inputs("lambada", [path])}
    assert len(read.examples) == 3
    for example in read.examples:
        assert documents[example.id] == example.document + example.query


def test_wikihop_supports_are_paragraphs(tmp_path):
    path = tmp_path / "dev.json"
    records = [{"id": "WH_0", "supports": ["A b.", "C."], "query": "q"}]
    path.write_text(json.dumps(records))
    (document,) = read_inputs("wikihop", [path])
    assert document == RawDocument("WH_0", text="A b.\n\nC.")


def test_parquet(tmp_path):
    path = tmp_path / "a.parquet"
    rows = {
        "id": ["a", "b"],
        "tokens": [["ä", "bc"], []],
        "sentence_starts": [[0, 1], []],
        "more": [1, 2],
    }
    pq.write_table(pa.table(rows), path)
    inputs = read_inputs("parquet", [path])
    expected = [
        RawDocument("a", tokens=("ä", "bc"), sentence_starts=(0, 1)),
        RawDocument("b", tokens=(), sentence_starts=()),
    ]
    assert list(inputs) == expected
    assert list(inputs) == expected
    assert inputs.size == sum(document.size for document in expected) == 3
    pq.write_table(pa.table({"id": [7], "tokens": [["x"]]}), path)
    assert list(read_inputs("parquet", [path])) == [RawDocument("7", tokens=("x",))]


@pytest.mark.parametrize("name", ["allennlp", "conll2012", "corenlp", "fastcoref"])
def test_formats_lose_their_clusters(tmp_path, name):
    annotation = Annotation("ann ran . she hid .".split(), [[(0, 1), (3, 4)]], (0, 3))
    path = tmp_path / "file"
    FORMATS[name].write(path, [Document("d", annotation)])
    (document,) = read_inputs(name, [path])
    assert document.tokens == annotation.tokens
    assert document.found is None


def test_kinds_by_name():
    assert guess_kind("a/lambada_test_plain_text.txt") == "lambada"
    assert guess_kind("a/B.TXT") == "text"
    assert guess_kind("dev.json") == "wikihop"
    assert guess_kind("a.parquet") == "parquet"
    with pytest.raises(ValueError, match="`input` must say what a.conll holds"):
        guess_kind("a.conll")


BROKEN = {
    "utf-8": ("text", b"a\nb\xff", ":2: must be UTF-8"),
    "nul": ("lambada", b"c\0 d", ":1: must be text"),
    "json": ("wikihop", b'[\n{"id": }]', ":2: must be JSON"),
    "no list": ("wikihop", b"{}", "must be a JSON list. Received"),
    "no supports": (
        "wikihop",
        b'[{"id": "a"}]',
        r"record 0 \('a'\): `supports` must be there",
    ),
    "no record": ("wikihop", b"[3]", "record 0 must be an object. Received: 3"),
    "no texts": ("wikihop", b'[{"id": "a", "supports": "b"}]', "list of strings"),
    "no Parquet": ("parquet", b"PAR1", "must be a Parquet file"),
    "allennlp": ("allennlp", b"{}\n", ":1"),
    "deep": ("wikihop", b"[" * 200_000, "nested too deeply"),
    "digits": (
        "wikihop",
        b"[" + b"1" * 5000 + b"]",
        "must be JSON. Received: Exceeds the limit",
    ),
    "null id": ("wikihop", b'[{"id": null, "supports": []}]', "record 0: `id` must be"),
    "true id": ("wikihop", b'[{"id": true, "supports": []}]', "Received: True"),
    "list id": ("wikihop", b'[{"id": [1], "supports": []}]', r"Received: \[1\]"),
}


@pytest.mark.parametrize("kind, content, message", BROKEN.values(), ids=BROKEN)
def test_broken_files_are_named(tmp_path, kind, content, message):
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=message) as caught:
        list(read_inputs(kind, [path]))
    assert str(path) in str(caught.value)


RECORDS = {
    "nul": ("lambada", b"a b\nc\0 d\ne f", ":2: must be text"),
    "utf-8": ("lambada", b"a b\nc\xff d\ne f", ":2: must be UTF-8"),
    "wikihop": (
        "wikihop",
        b'[{"id": "a", "supports": []}, 3, {"id": "c", "supports": []}]',
        ": record 1 must be an object",
    ),
    "wikihop id": (
        "wikihop",
        b'[{"id": "a", "supports": []}, {"id": null, "supports": []},'
        b' {"id": "c", "supports": []}]',
        ": record 1: `id` must be",
    ),
    "allennlp": (
        "allennlp",
        b'{"document": ["a"], "clusters": []}\n{"document": 3}\n'
        b'{"document": ["b"], "clusters": []}\n',
        ":2: `document` must be a list",
    ),
    "json": (
        "fastcoref",
        b'{"text": ["a"], "clusters": []}\n{"text": ["b"\n'
        b'{"text": ["c"], "clusters": []}\n',
        ":2: must be JSON",
    ),
    "conll2012": (
        "conll2012",
        b"#begin document (a); part 0\na 0 0 w -\n\n#end document\n"
        b"#begin document (b); part 0\nb 0 0 w (1\n\n#end document\n"
        b"#begin document (c); part 0\nc 0 0 w -\n\n#end document\n",
        ":6: the mention of cluster 1 must end",
    ),
}


@pytest.mark.parametrize("kind, content, message", RECORDS.values(), ids=RECORDS)
def test_a_broken_record_costs_its_neighbours_nothing(tmp_path, kind, content, message):
    path = tmp_path / "file"
    path.write_bytes(content)
    first, broken, last = read_inputs(kind, [path])
    assert first.error is None and last.error is None
    assert f"{path}{message}" in broken.error


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"tokens": [["a"]]}, "must have `id` and `tokens`"),
        ({"id": ["a"], "tokens": ["a b"]}, "`tokens` must be lists of strings"),
        ({"id": ["a"], "tokens": [[1]]}, "`tokens` must be lists of strings"),
    ],
)
def test_parquet_of_another_kind(tmp_path, columns, message):
    pq.write_table(pa.table(columns), tmp_path / "a.parquet")
    with pytest.raises(ValueError, match=message):
        read_inputs("parquet", [tmp_path / "a.parquet"])


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"id": ["a", None]}, "row 1: `id` must be a string or an integer"),
        ({"tokens": [["a"], None]}, "row 1: `tokens` must be a list without nulls"),
        ({"tokens": [["a", None], []]}, "row 0: `tokens` must be a list without nulls"),
        ({"sentence_starts": [[0], [None]]}, "row 1: `sentence_starts` must be a list"),
        ({"sentence_starts": [0, 0]}, "row 0: `sentence_starts` must be a list"),
    ],
)
def test_broken_rows_of_parquet_are_named(tmp_path, columns, message):
    rows = {"id": ["a", "b"], "tokens": [["a"], ["b"]]} | columns
    pq.write_table(pa.table(rows), tmp_path / "a.parquet")
    try:
        errors = [
            each.error for each in read_inputs("parquet", [tmp_path / "a.parquet"])
        ]
    except ValueError as error:  # Both rows are broken: it is another file.
        errors = [str(error)]
    assert any(f"a.parquet: {message}" in error for error in filter(None, errors))


def test_ids_of_two_files_must_differ(tmp_path):
    paths = [tmp_path / "lambada_test_a.txt", tmp_path / "lambada_test_b.txt"]
    for path in paths:
        path.write_text("a b\n")
    with pytest.raises(ValueError, match=r"'test-00000' twice \(.*_a.txt and .*_b.txt"):
        list(split_into_chunks(read_inputs("lambada", paths)))


def test_missing_files_and_kinds(tmp_path):
    for kind in ("text", "lambada", "wikihop", "parquet", "allennlp"):
        with pytest.raises(FileNotFoundError):
            read_inputs(kind, [tmp_path / "none"])
    with pytest.raises(ValueError, match="`input` must be one of text, parquet"):
        read_inputs("xml", [tmp_path / "none"])


def documents(*ids):
    return [Document(id, Annotation([id])) for id in ids]


def raw(*ids):
    return [RawDocument(id, text=id) for id in ids]


def test_found_documents_are_matched_by_id_or_by_order():
    attached, how = attach(raw("a", "b"), documents("b", "more", "a"))
    assert how == "id"
    assert [each.found.tokens for each in attached] == [("a",), ("b",)]
    attached, how = attach(raw("a", "b"), documents("0", "1"))
    assert how == "order"
    assert [each.found.tokens for each in attached] == [("0",), ("1",)]
    every, two = raw("a", "b", "c"), documents("0", "1")
    for found in (two, documents("0", "1", "2"), documents("c", "b", "a")):
        attached, how = attach(every, found, limit=2)
        assert [each.id for each in attached] == ["a", "b"]
        ids = [each.found.tokens[0] for each in attached]
        assert (how, ids) in [("order", ["0", "1"]), ("id", ["a", "b"])]
    with pytest.raises(ValueError, match=r"as there are \(2\). Received: 3"):
        attach(raw("a", "b"), documents("0", "1", "2"))


def test_found_documents_of_several_files(tmp_path):
    paths = [tmp_path / "x.json", tmp_path / "y.json"]
    for path in paths:
        path.write_text('{"document": ["a", "a"], "clusters": [[[0, 0], [1, 1]]]}')
    found = read_found("allennlp", paths)
    assert [document.id for document in found] == ["x-0", "y-0"]
    own = list(as_they_are(found))
    assert own[1].tokens == ("a", "a")
    assert own[1].found.clusters == (((0, 1), (1, 2)),)
    with pytest.raises(ValueError, match="`from` must be one of allennlp"):
        read_found("xml", paths)


def test_chunks_are_cut_by_characters():
    texts = ["ab", "c", "", "defgh", "i"]
    several = [RawDocument(str(n), text=text) for n, text in enumerate(texts)]
    chunks = list(split_into_chunks(several, characters=3))
    assert [[position for position, _ in each.documents] for each in chunks] == [
        [0, 1],
        [2, 3],
        [4],
    ]
    assert [chunk.index for chunk in chunks] == [0, 1, 2]
    assert [chunk.size for chunk in chunks] == [3, 5, 1]
    with pytest.raises(ValueError, match="`id` must be unique. Received: 'a' twice"):
        list(split_into_chunks(raw("a", "b", "a")))


def test_a_document_is_text_or_tokens():
    with pytest.raises(ValueError, match="Received: neither"):
        RawDocument("a")
    with pytest.raises(ValueError, match="Received: both"):
        RawDocument("a", text="", tokens=())
