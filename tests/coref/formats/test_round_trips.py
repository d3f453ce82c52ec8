"""What a format can say comes back as it was written."""

import json
from dataclasses import replace

import pytest
from coref_strategies import annotations
from coref_strategies import documents as any_documents
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from keras_cgru.coref import Annotation, Document, edges
from keras_cgru.coref.formats import FORMATS, write_released_wikihop

same_folder = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)


def documents(**options):
    """At least one: a file without any is refused."""
    return any_documents(**options).filter(bool)


def crosses(cluster):
    return any(a[0] < b[0] < a[1] < b[1] for a in cluster for b in cluster)


def there_and_back(name, found, folder):
    path = folder / "file.coref_onehot"
    FORMATS[name].write(path, found)
    return FORMATS[name].read(path)


@pytest.mark.parametrize("name", ["allennlp", "fastcoref"])
@same_folder
@given(found=documents(words=["ann", "it's", "é", "", " ", "\u2028", '"', "\n"]))
def test_json_lines_keep_everything(name, found, tmp_path):
    assert there_and_back(name, found, tmp_path) == found


@same_folder
@given(found=documents())
def test_conll_keeps_everything_or_refuses_crossing_mentions(found, tmp_path):
    if any(crosses(c) for each in found for c in each.annotation.clusters):
        with pytest.raises(ValueError, match="two mentions of a cluster must not cr"):
            there_and_back("conll2012", found, tmp_path)
    else:
        assert there_and_back("conll2012", found, tmp_path) == found


AWKWARD = [" ", "\t", "\n", "\r", "\0", "\u00a0", "\u2028", "\x85", "\ud800", "x", "#"]
NAMES = ["x", ")", "(", "; part ", "); part ", "0", "1", "01", "\u0661"]


@same_folder
@given(
    id=st.lists(st.sampled_from(NAMES + AWKWARD), max_size=4).map("".join),
    tokens=st.lists(st.sampled_from(AWKWARD) | st.text(max_size=3), max_size=3),
)
def test_conll_keeps_names_and_tokens_or_refuses_them(id, tokens, tmp_path):
    found = [Document(id, Annotation(tokens))]
    try:
        back = there_and_back("conll2012", found, tmp_path)
    except ValueError as error:
        assert str(error).startswith(f"document {id!r}: ")
    else:
        assert back == found


@pytest.mark.parametrize("id", ["x; part 0", "x; part 01", "x); part 000"])
def test_conll_refuses_a_name_that_another_part_has(id, tmp_path):
    with pytest.raises(ValueError, match=r"document .*the part of a name.*from 1"):
        there_and_back("conll2012", [Document(id, Annotation(["a"]))], tmp_path)


def test_conll_keeps_a_no_break_space(tmp_path):
    found = [Document("Dr.\u00a0X", Annotation(["Mr.\u00a0X", "\u00a0", "left"]))]
    assert there_and_back("conll2012", found, tmp_path) == found


@same_folder
@given(found=documents())
def test_corenlp_keeps_everything_or_refuses_mentions_over_sentences(found, tmp_path):
    def inside(annotation, span):
        return any(a <= span[0] and span[1] <= b for a, b in annotation.sentences)

    mentions = [
        (each.annotation, span)
        for each in found
        for cluster in each.annotation.clusters
        for span in cluster
    ]
    if all(inside(*each) for each in mentions):
        assert there_and_back("corenlp", found, tmp_path) == found
    else:
        with pytest.raises(ValueError, match="must lie within one sentence"):
            there_and_back("corenlp", found, tmp_path)


def one_sentence(document):
    """What files without sentences keep."""
    annotation = replace(document.annotation, sentence_starts=(0,))
    return Document(document.id, annotation)


@same_folder
@given(found=documents())
def test_released_wikihop_keeps_all_but_sentences(found, tmp_path):
    expected = [one_sentence(each) for each in found]
    assert there_and_back("released-wikihop", found, tmp_path) == expected


@same_folder
@given(found=documents(one_token=True))
def test_released_lambada_keeps_mentions_of_one_token(found, tmp_path):
    back = there_and_back("released-lambada", found, tmp_path)
    expected = [one_sentence(each).annotation.without_singletons() for each in found]
    assert [each.annotation for each in back] == expected
    assert [each.id for each in back] == [str(number) for number in range(len(found))]


@same_folder
@given(annotation=annotations())
def test_edges_survive_the_released_wikihop_file(annotation, tmp_path):
    (back,) = there_and_back("released-wikihop", [Document("a", annotation)], tmp_path)
    assert edges(back.annotation, k=4) == edges(annotation, k=4)


@pytest.mark.parametrize("name", [name for name in FORMATS if name != "parquet"])
def test_no_document_makes_an_empty_file(name, tmp_path):
    FORMATS[name].write(tmp_path / "file.coref_onehot", [])
    assert (tmp_path / "file.coref_onehot").read_bytes() == b""
    assert FORMATS[name].name == name


def test_parts_of_a_conll_document_keep_their_numbers(tmp_path):
    names = ["nw/a", "nw/a; part 1", "nw/a; part 12"]
    found = [Document(name, Annotation(["x"], [[(0, 1)]])) for name in names]
    assert there_and_back("conll2012", found, tmp_path) == found
    text = (tmp_path / "file.coref_onehot").read_text(encoding="utf-8")
    assert "#begin document (nw/a); part 012\nnw/a\t12\t0\tx\t" in text


def test_the_questions_of_wikihop_stand_beside_the_annotation(tmp_path):
    path = tmp_path / "training.json"
    question = {
        "query": "country x",
        "answer": "peru",
        "candidates": [["peru"]],
        "annotations": [],
    }
    documents = [Document("WH_0", Annotation(["in", "peru"], [[(0, 1), (1, 2)]]))]
    write_released_wikihop(path, documents, {"WH_0": question})
    assert json.loads(path.read_text(encoding="utf-8")) == {
        **question,
        "id": "WH_0",
        "document": "in peru",
        "mentions": [[0, 1], [1, 2]],
        "coref_onehot": [[[-1, 0, 0], [0, 0, 1], [1, 0, -1]]],
    }


BLANK = ["a b", "", "\t"]


@pytest.mark.parametrize(
    ("name", "token"),
    [
        *(("conll2012", token) for token in (*BLANK, "\0", "\ud800")),
        # The released code splits with str.split(), at a no-break space too.
        *(("released-lambada", token) for token in (*BLANK, "a\u00a0b")),
        *(("released-wikihop", token) for token in (*BLANK, "a\u00a0b")),
    ],
)
def test_a_token_that_would_not_come_back_is_refused(name, token, tmp_path):
    with pytest.raises(ValueError, match="document 'd'.*without white space"):
        there_and_back(name, [Document("d", Annotation([token]))], tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_refused_document_leaves_the_old_file(tmp_path):
    good = Document("d", Annotation(["a"]))
    there_and_back("conll2012", [good], tmp_path)
    with pytest.raises(ValueError, match="without white space"):
        there_and_back("conll2012", [good, Document("e f", good.annotation)], tmp_path)
    assert FORMATS["conll2012"].read(tmp_path / "file.coref_onehot") == [good]
