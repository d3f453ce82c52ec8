"""Broken files say where and what (scenario 34)."""

import json

import pytest

from keras_cgru.coref.formats import FORMATS, parse_corenlp

TIMEOUT = "CoreNLP request timed out. Your document may be too long.\n"
JSON_FORMATS = ["allennlp", "corenlp", "fastcoref", "released-wikihop"]
GOOD = {
    "allennlp": {"document": ["a", "b"], "clusters": [[[0, 1]]]},
    "fastcoref": {"text": ["a", "b"], "clusters": [[[0, 2]]]},
    "corenlp": {
        "sentences": [{"index": 0, "tokens": [{"index": 1, "word": "a"}]}],
        "corefs": {"1": [{"sentNum": 1, "startIndex": 1, "endIndex": 2}]},
    },
    "released-wikihop": {
        "id": "0",
        "document": "a b",
        "mentions": [[0, 2]],
        "coref_onehot": [[[-1, 0, 0]]],
    },
}


@pytest.fixture
def read(tmp_path):
    def read_text(name, content):
        path = tmp_path / "file.coref_onehot"
        if isinstance(content, str):
            content = content.encode("utf-8")
        path.write_bytes(content)
        return FORMATS[name].read(path)

    return read_text


def row(index, coref, word="w", columns=13):
    return "\t".join(["d", "0", str(index), word, *"_" * (columns - 5), coref]) + "\n"


def conll(*rows):
    return "#begin document (d); part 0\n" + "".join(rows) + "\n#end document\n"


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (conll(row(0, "(1"), row(1, "")), 2, "cluster 1 must end in its document"),
        (conll(row(0, ""), row(1, "1)")), 3, "cluster 1 must start before it ends"),
        (conll(row(0, "(1"), row(1, "2)")), 3, "cluster 2 must start before"),
        (conll(row(0, "(1"), row(1, "1)|1)")), 3, "cluster 1 must start before"),
        (conll(row(0, "(1|1)")), 2, "cluster 1 must start before"),
        (conll(row(0, "(1|")), 2, r"must be like \(3\|4\)\|\(5\).*'\(1\|'"),
        (conll(row(0, "1")), 2, "must be like .*'1'"),
        (conll(row(0, "(1(2)")), 2, "must be like"),
        (conll(row(0, "(a)")), 2, "must be like"),
        (conll(row(0, "*")), 2, "must be like"),
        # A part of a discontinuous mention, in CorefUD's notation.
        (conll(row(0, "(1[1/2])")), 2, "must be like"),
        (conll(row(1, "")), 2, "the third column must be 0. Received: '1'"),
        (conll(row(0, ""), row(2, "")), 3, "the third column must be 1"),
        (conll(row(0, ""), "\n", row(1, "")), 4, "the third column must be 0"),
        (conll(row(0, ""), row(1, "", columns=12)), 3, "13 columns.*Received: 12"),
        (conll("d 0 0 w\n"), 2, "at least 5 columns.*'d 0 0 w'"),
        (conll(row(0, "", word="")), 2, "must hold a word"),
        (row(0, ""), 1, "must be `#begin document"),
        (conll() + TIMEOUT, 4, "must be `#begin document.*CoreNLP request"),
        (TIMEOUT, 1, "must be `#begin document"),
        (conll()[:-14], 1, "'d' must have an `#end document`"),
        (conll(conll()), 2, "'d' must end before another begins"),
    ],
)
def test_rows_of_conll(read, text, line, message):
    with pytest.raises(ValueError, match=f"file.coref_onehot:{line}: .*{message}"):
        read("conll2012", text)


@pytest.mark.parametrize("name", JSON_FORMATS)
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (TIMEOUT, "1: must be JSON .*'CoreNLP request timed out"),
        (b"\0" * 20, "1: must be text. Received: a NUL byte"),
        (b"\n\n{\0}", "3: must be text. Received: a NUL byte"),
        (b'{"id": "caf\xe9"}', "1: must be UTF-8. Received: byte 0xe9 at column 12"),
        ("[1, 2]", r"1: must be a JSON object. Received: '\[1, 2\]'"),
        ("<html>503 Service Unavailable", "1: must be JSON .*'<html>503"),
        ('{"a": 1', "1: must be JSON .*the end of the text"),
        ("{}", "1: a.* must have `"),
        ('{"a": ' + "[" * 10**5, "1: must be JSON"),
        ('{"a": ' + "1" * 5000 + "}", "1: must be JSON of a sensible size"),
    ],
)
def test_what_stands_where_json_belongs(read, name, content, message):
    with pytest.raises(ValueError, match=f"file.coref_onehot:{message}"):
        read(name, content)


@pytest.mark.parametrize("content", ["", "\n\n", "\ufeff"])
@pytest.mark.parametrize("name", ["conll2012", *JSON_FORMATS])
def test_a_file_without_a_document_is_refused(read, name, content):
    with pytest.raises(ValueError, match="file.coref_onehot: must hold a .*: none"):
        read(name, content)


@pytest.mark.parametrize("name", JSON_FORMATS)
def test_half_a_character_is_refused(read, name):
    good = json.dumps(GOOD[name])
    whole = good.replace('"a', r'"\ud83d\ude00')
    assert read(name, whole)[0].annotation.tokens[0] == "\U0001f600"
    broken = good.replace('"a', r'"\ud800')
    with pytest.raises(ValueError, match=r"onehot:2: .*lone surr.*: '\\ud800"):
        read(name, f"{good}\n{broken}\n")


def test_half_a_character_in_a_text_or_name_is_refused(read):
    for name, fields in [
        ("fastcoref", {"text": "a \ud800"}),
        ("allennlp", {"id": "\udfff"}),
        ("corenlp", {"docId": "\udfff"}),
    ]:
        with pytest.raises(ValueError, match="onehot:1: .*must be without lone surr"):
            read(name, changed(name, **fields))


@pytest.mark.parametrize("name", JSON_FORMATS)
def test_a_broken_record_among_lines_is_named(read, name):
    good = json.dumps(GOOD[name])
    assert len(read(name, f"{good}\n\n{good}\n")) == 2
    with pytest.raises(ValueError, match="file.coref_onehot:3: must be JSON"):
        read(name, f"{good}\n\n{good[:-2]}\n{good}\n")
    with pytest.raises(ValueError, match="file.coref_onehot:2: .*must have"):
        read(name, f"{good}\n{{}}\n{good}\n")


@pytest.mark.parametrize("name", ["allennlp", "corenlp"])
def test_a_fault_within_a_long_document_has_its_own_line(read, name):
    text = json.dumps(GOOD[name], indent=2)
    assert len(read(name, text)) == 1
    lines = text.splitlines()
    broken = "\n".join([*lines[:3], lines[3] + " oops", *lines[4:]])
    with pytest.raises(ValueError, match="coref_onehot:4: must be JSON .*'oops"):
        read(name, broken)


def changed(name, **fields):
    return json.dumps({**GOOD[name], **fields})


@pytest.mark.parametrize(
    ("name", "fields", "message"),
    [
        ("allennlp", {"clusters": [[[0, 2]]]}, "0 <= start <= end < 2, the end incl"),
        ("allennlp", {"clusters": [[[1, 0]]]}, r"Received: \[1, 0\]"),
        ("allennlp", {"clusters": [[[-1, 0]]]}, r"Received: \[-1, 0\]"),
        ("allennlp", {"clusters": [[[0]]]}, r"must hold \[start, end\] pairs"),
        # No discontinuous mention in one.
        ("allennlp", {"clusters": [[[0, 0, 1, 1]]]}, r"must hold \[start, end\] p"),
        ("fastcoref", {"clusters": [[[[0, 1], [1, 2]]]]}, "must be an integer"),
        ("allennlp", {"clusters": [[[0, True]]]}, "must be an integer. Received: True"),
        ("allennlp", {"clusters": [[[0, 1.0]]]}, "must be an integer. Received: 1.0"),
        ("allennlp", {"clusters": [[0]]}, "must be a list. Received: 0"),
        ("allennlp", {"clusters": {}}, "`clusters` must be a list"),
        ("allennlp", {"document": "a b"}, "`document` must be a list"),
        ("allennlp", {"document": ["a", None]}, "must be a string. Received: None"),
        ("fastcoref", {"clusters": [[[0, 3]]]}, "0 <= start < end <= 2, the end excl"),
        ("fastcoref", {"clusters": [[[1, 1]]]}, r"Received: \[1, 1\]"),
        ("fastcoref", {"text": "a b", "clusters": [[[0, 4]]]}, "end <= 3"),
        ("fastcoref", {"text": "a b", "clusters": [[[1, 2]]]}, "more than white space"),
        ("fastcoref", {"text": 3}, "`text` must be a list. Received: 3"),
        ("corenlp", {"corefs": []}, "`corefs` must be an object"),
        ("corenlp", {"docId": None}, "`docId` must be a string. Received: None"),
        ("corenlp", {"docId": 7}, "`docId` must be a string. Received: 7"),
        ("corenlp", {"sentences": {}}, "`sentences` must be a list"),
        ("corenlp", {"sentences": [{"index": 1, "tokens": []}]}, "must be 0, counted"),
        ("released-wikihop", {"mentions": [[0, 3]]}, "0 <= start < end <= 2"),
        ("released-wikihop", {"coref_onehot": [[[0, 0]]]}, "previous, relation, next"),
        ("released-wikihop", {"coref_onehot": [[[0, 0, 1]]]}, "from -1 to 0"),
        ("released-wikihop", {"coref_onehot": [[[0, 0, "0"]]]}, "an integer"),
        ("released-wikihop", {"id": 7}, "`id` must be a string"),
    ],
)
def test_fields_of_records(read, name, fields, message):
    with pytest.raises(ValueError, match=f"file.coref_onehot:2: .*{message}"):
        read(name, f"{json.dumps(GOOD[name])}\n{changed(name, **fields)}\n")


@pytest.mark.parametrize(
    ("mention", "message"),
    [
        ({"sentNum": 0}, "`sentNum` must be from 1 to 1. Received: 0"),
        ({"sentNum": 2}, "`sentNum` must be from 1 to 1. Received: 2"),
        ({"startIndex": 0}, "startIndex=0, endIndex=2"),
        ({"endIndex": 1}, "startIndex=1, endIndex=1"),
        ({"endIndex": 3}, "1 <= `startIndex` < `endIndex` <= 2"),
        ({"endIndex": None}, "`endIndex` must be an integer. Received: None"),
    ],
)
def test_mentions_of_corenlp(read, mention, message):
    record = json.loads(json.dumps(GOOD["corenlp"]))
    record["corefs"]["1"][0].update(mention)
    with pytest.raises(ValueError, match=f"onehot:1: corefs.1.0.: .*{message}"):
        read("corenlp", json.dumps(record, indent=1))


def test_tokens_of_corenlp_count_from_one(read):
    record = json.loads(json.dumps(GOOD["corenlp"]))
    record["sentences"][0]["tokens"][0]["index"] = 0
    with pytest.raises(ValueError, match=r"sentences\[0\]: .*must be 1, counted from"):
        read("corenlp", json.dumps(record))


def test_corenlp_without_coreference_says_what_is_missing(read):
    with pytest.raises(ValueError, match="must have `corefs`, which the annotator"):
        read("corenlp", json.dumps({"sentences": []}))


def test_what_a_server_sends_is_parsed_likewise():
    with pytest.raises(ValueError, match="localhost:9000:1: must be JSON .*CoreNLP re"):
        parse_corenlp(TIMEOUT, "localhost:9000")
    with pytest.raises(ValueError, match="localhost:9000:1: must be JSON"):
        parse_corenlp("\0\0", "localhost:9000")
    assert parse_corenlp(json.dumps(GOOD["corenlp"]), "x").clusters == (((0, 1),),)


@pytest.mark.parametrize(
    ("data", "chains", "message"),
    [
        ("a b\n", "[[[0, 0, 2]]]\n", "1: both ends of an item must be from 0 to 1"),
        ("a b\n", "[[[-1, 0, 1]]]\n", "1: both ends of an item must be from 0"),
        ("a b\na\n", "[]\n[[[0, 1]]]\n", "2: an item must be"),
        ("a b\n", "{}\n", "1: must be a JSON list"),
        ("a b\na b\n", "[]\n" + TIMEOUT, "2: must be JSON .*'CoreNLP"),
        ("a b\n", "[]\n[]\n", "2: .*equally many. Received: test.data ends before"),
        (
            "a\nb\n",
            "[]\n",
            "2: .*equally many. Received: test.coref_onehot ends before",
        ),
    ],
)
def test_the_two_files_of_released_lambada(tmp_path, data, chains, message):
    (tmp_path / "test.data").write_text(data, encoding="utf-8")
    path = tmp_path / "test.coref_onehot"
    path.write_text(chains, encoding="utf-8")
    with pytest.raises(ValueError, match=f"test.coref_onehot:{message}"):
        FORMATS["released-lambada"].read(path)


def test_released_lambada_wants_the_suffix_of_the_chains(tmp_path):
    with pytest.raises(ValueError, match="`path` must end in .coref_onehot"):
        FORMATS["released-lambada"].read(tmp_path / "test.data")


@pytest.mark.parametrize("name", FORMATS)
def test_a_missing_file_is_no_value_error(name, tmp_path):
    with pytest.raises(FileNotFoundError):
        FORMATS[name].read(tmp_path / "none.coref_onehot")
