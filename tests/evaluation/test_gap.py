"""GAP: its file, and what counts as an answer."""

import os
from pathlib import Path

import pytest

from keras_cgru.coref import Annotation
from keras_cgru.evaluation.gap import gap_scores, read_gap, refers

HEADER = (
    "ID\tText\tPronoun\tPronoun-offset\tA\tA-offset\tA-coref\tB\tB-offset\tB-coref\tURL"
)
TEXT = "Ann Lee's mother met Eva, and she didn't smile."


def row(text=TEXT, pronoun="she", a="Ann Lee", b="Eva", labels=("FALSE", "TRUE")):
    fields = ["t-1", text, pronoun, text.index(pronoun), a, text.index(a), labels[0]]
    fields += [b, text.index(b), labels[1], "http://x"]
    return "\t".join(map(str, fields))


@pytest.fixture
def write(tmp_path):
    def save(*rows, header=HEADER):
        path = tmp_path / "gap.tsv"
        path.write_bytes("\n".join((header, *rows, "")).encode())
        return path

    return save


def test_tokens_and_spans(write):
    (example,) = read_gap(write(row()))
    assert example.tokens == tuple(
        "Ann Lee 's mother met Eva , and she did n't smile .".split()
    )
    assert (example.pronoun, example.names) == (8, ((0, 2), (5, 6)))
    assert (example.labels, example.gender) == ((False, True), "female")


@pytest.mark.parametrize(
    ("cluster", "answer"),
    [
        ([(8, 9), (0, 2)], (True, False)),
        ([(8, 9), (1, 2)], (True, False)),
        ([(8, 9), (5, 6)], (False, True)),
        # Her mother is not Ann Lee.
        ([(8, 9), (0, 4)], (False, False)),
        ([(0, 2), (5, 6)], (False, False)),
        # A mention that holds the pronoun is not the pronoun.
        ([(7, 9), (0, 2)], (False, False)),
    ],
)
def test_answers(write, cluster, answer):
    (example,) = read_gap(write(row()))
    assert refers(example, Annotation(example.tokens, (cluster,))) == answer


def test_scores_by_gender(write):
    male = row("Bob met Ian and he left.", "he", "Bob", "Ian", ("TRUE", "FALSE"))
    woman, man = read_gap(write(row(), male))
    right = Annotation(woman.tokens, ([(8, 9), (5, 6)],))
    wrong = Annotation(man.tokens, ([(4, 5), (2, 3)],))
    scores = gap_scores([(woman, right), (man, wrong)])
    assert (scores["female"].f1, scores["female"].accuracy) == (1.0, 1.0)
    assert (scores["male"].f1, scores["male"].accuracy) == (0.0, 0.0)
    assert (scores["all"].f1, scores["all"].accuracy) == (0.5, 0.5)


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("a\tb", "2: must hold 11 columns. Received: 2"),
        (row().replace("FALSE", "NO"), "2: A-coref must be TRUE or FALSE"),
        (row(pronoun="met"), "2: Pronoun must be one of he or she"),
        (row().replace("\t21\t", "\t22\t"), "2: B-offset must be where 'Eva' stands"),
        (row().replace("\t21\t", "\tx\t"), "2: B-offset must be where 'Eva' stands"),
    ],
)
def test_broken_rows_are_named(write, line, error):
    with pytest.raises(ValueError, match=f"gap.tsv:{error}"):
        read_gap(write(line))


@pytest.mark.parametrize("content", ["", HEADER + "\n"])
def test_a_file_without_examples(write, content):
    path = write()
    path.write_text(content)
    with pytest.raises(ValueError, match="gap.tsv: must hold an example. Received"):
        read_gap(path)


def test_another_file(write):
    with pytest.raises(ValueError, match="gap.tsv:1: must name GAP's columns"):
        read_gap(write(header="ID\tText"))


def test_official_file():
    if "KERAS_CGRU_DATA" not in os.environ:
        pytest.skip("KERAS_CGRU_DATA names no folder with official data")
    path = Path(os.environ["KERAS_CGRU_DATA"]) / "coref/gap/gap-validation.tsv"
    examples = read_gap(path)
    assert len(examples) == 454
    assert sum(example.gender == "male" for example in examples) == 227
