"""What single formats allow beyond the common case."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from keras_cgru.coref import Annotation, antecedents, token_clusters
from keras_cgru.coref.formats import (
    FORMATS,
    read_allennlp,
    read_conll2012,
    read_corenlp,
    read_fastcoref,
)

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def write(tmp_path):
    def write_text(text):
        path = tmp_path / "file"
        path.write_text(text, encoding="utf-8")
        return path

    return write_text


def test_litbank_has_tabs_and_an_empty_last_column(write):
    rows = ["d\t0\t0\tMr.\u00a0X\t" + "_\t" * 8 + "(2|(1)", "d\t0\t1\t's\t" + "_\t" * 8]
    rows += ["d\t0\t2\tdog\t" + "_\t" * 8 + "2)"]
    text = "#begin document (d); part 0\n" + "\n".join(rows) + "\n\n#end document\n"
    (document,) = read_conll2012(write(text))
    expected = Annotation(["Mr.\u00a0X", "'s", "dog"], [[(0, 3)], [(0, 1)]])
    assert (document.id, document.annotation) == ("d", expected)


def conll(*cells, name="d", part="000"):
    rows = [f"{name} 0 {i} w{i} - {cell}\n" for i, cell in enumerate(cells)]
    return f"#begin document ({name}); part {part}\n{''.join(rows)}\n#end document\n"


def test_an_end_belongs_to_the_mention_that_started_last(write):
    (document,) = read_conll2012(write(conll("(1|(1", "(1)", "1)", "1)|(2", "2)")))
    assert document.annotation.clusters == (((0, 3), (0, 4), (1, 2)), ((3, 5),))


def test_an_end_comes_before_a_start_in_the_same_place(write):
    for cell in ("1)|(1", "(1|1)"):
        (document,) = read_conll2012(write(conll("(1", cell, "1)")))
        assert document.annotation.clusters == (((0, 2), (1, 3)),)


def test_cluster_numbers_restart_in_each_part(write):
    text = conll("(0)", "(0)") + conll("(0)", "-", "(0)", part="001")
    first, second = read_conll2012(write(text))
    assert (first.id, second.id) == ("d", "d; part 1")
    assert first.annotation.clusters == (((0, 1), (1, 2)),)
    assert second.annotation.clusters == (((0, 1), (2, 3)),)


def test_mentions_may_run_over_the_end_of_a_sentence(write):
    text = conll("(0", "-").replace("\n#end", "\nd 0 0 x - 0)\n#end")
    (document,) = read_conll2012(write(text))
    assert document.annotation == Annotation(["w0", "w1", "x"], [[(0, 3)]], (0, 2))


def test_parts_of_a_discontinuous_mention_are_mentions(write):
    # "w0 w1 ... w3" and "w5" mean the same, "w2" and "w4" something else.
    (document,) = read_conll2012(write(conll("(0", "0)", "(1)", "(0)", "(1)", "(0)")))
    assert document.annotation.clusters == (
        ((0, 2), (3, 4), (5, 6)),
        ((2, 3), (4, 5)),
    )
    found = antecedents(token_clusters(document.annotation).ids)
    assert found == (0, 1, 0, 2, 3, 4)


def test_windows_line_ends_and_a_byte_order_mark(write):
    text = "\ufeff" + conll("(0)", "(0)").replace("\n", "\r\n")
    path = write("")
    path.write_bytes(text.encode("utf-8"))
    assert read_conll2012(path)[0].annotation.tokens == ("w0", "w1")


def test_a_hash_may_be_a_word(write):
    text = conll("(0)").replace(" w0 ", " # ")
    assert read_conll2012(write(text))[0].annotation.tokens == ("#",)


def test_raw_text_of_fastcoref_is_cut_where_mentions_end(write):
    text = "Ann's dog saw Dr. Lee\u00a0and\n her-self."
    spans = [["Ann", "her-self"], ["Ann's dog"], ["Dr. Lee", "Lee"]]
    clusters = [
        [[text.index(each), text.index(each) + len(each)] for each in cluster]
        for cluster in spans
    ]
    record = {"text": text, "clusters": clusters, "clusters_strings": spans}
    (document,) = read_fastcoref(write(json.dumps(record)))
    tokens = ["Ann", "'s", "dog", "saw", "Dr.", "Lee", "and", "her-self", "."]
    expected = [[(0, 1), (7, 8)], [(0, 3)], [(4, 6), (5, 6)]]
    assert document.annotation == Annotation(tokens, expected)


def test_fastcoref_leaves_out_mentions_of_special_tokens(write):
    record = {"text": ["a", "b"], "clusters": [[None, [0, 1], [1, 2]], [None]]}
    (document,) = read_fastcoref(write(json.dumps(record)))
    assert document.annotation.clusters == (((0, 1), (1, 2)),)


def test_training_data_of_fastcoref_are_not_predictions(write):
    record = {"tokens": ["a"], "clusters": [[[0, 0]]]}
    with pytest.raises(ValueError, match="file:1: .*`text` .*training data"):
        read_fastcoref(write(json.dumps(record)))


def test_names_of_corenlp_and_places_of_the_rest(write):
    record = {"sentences": [], "corefs": {}}
    path = write(json.dumps({**record, "docId": "a.txt"}) + "\n" + json.dumps(record))
    assert [each.id for each in read_corenlp(path)] == ["a.txt", "1"]
    path = write('{"document": [], "clusters": []}\n' * 2)
    assert [each.id for each in read_allennlp(path)] == ["0", "1"]


def test_a_mention_of_a_later_sentence_counts_from_its_start(write):
    words = [["a", "b"], [], ["c", "d", "e"]]
    sentences = [
        {
            "index": number,
            "tokens": [{"index": i, "word": w} for i, w in enumerate(each, start=1)],
        }
        for number, each in enumerate(words)
    ]
    mention = {"sentNum": 3, "startIndex": 2, "endIndex": 4}
    record = {"sentences": sentences, "corefs": {"5": [mention]}}
    (document,) = read_corenlp(write(json.dumps(record)))
    assert document.annotation == Annotation("a b c d e".split(), [[(3, 5)]], (0, 2))


SCRIPT = """
import sys
from pathlib import Path
from keras_cgru.coref import Annotation, Document
from keras_cgru.coref.formats import FORMATS

tokens = ["caf\\u00e9", "\\u201c", "\\u6771\\u4eac", "\\U0001f600"]
documents = [Document("0", Annotation(tokens, [[(0, 1), (2, 3)]]))]
for name, format in FORMATS.items():
    if name == "parquet":  # No text, and tried with pyarrow's own tests.
        continue
    path = Path(sys.argv[1], name + ".coref_onehot")
    format.write(path, documents)
    assert format.read(path) == documents, name
    assert "caf\\u00e9" in "".join(
        each.read_bytes().decode("utf-8") for each in path.parent.glob(name + ".*")
    )
print(sys.flags.utf8_mode, len(FORMATS))
"""


def test_the_locale_does_not_matter(tmp_path):
    environment = {
        **os.environ,
        "LC_ALL": "C",
        "PYTHONUTF8": "0",
        "PYTHONCOERCECLOCALE": "0",
        "PYTHONPATH": str(ROOT),
        "TF_CPP_MIN_LOG_LEVEL": "3",
    }
    done = subprocess.run(
        [sys.executable, "-X", "warn_default_encoding", "-c", SCRIPT, str(tmp_path)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.split() == ["0", str(len(FORMATS))]
    assert "coref/formats" not in done.stderr
