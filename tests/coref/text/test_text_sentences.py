"""Running text into sentences and tokens."""

import sys
import time

import pytest

from keras_cgru.coref.annotating import tokenise
from keras_cgru.coref.text import split_paragraphs, split_sentences


@pytest.mark.parametrize(
    "sentences",
    [
        ["Ann left.", "Ben stayed."],
        ["Is it so?", "It is!", "Well..."],
        ['"Who is it?" asked Mary.', "Nobody spoke."],
        ['"Come in."', '"No!"', "He ran."],
        ["Mr. Hill met Dr. J. Q. Adams.", "They talked."],
        ["See vol. 2 and no. 7 of it.", "No.", "He said no.", "I did."],
        ["He served in the U.S. Army.", "Then he left the U.S.", "He came back."],
        ["She said it was ... odd.", "Then … nothing.", "Wait...", "Now."],
        ["He said (or so I heard.) it rains.", "It does."],
        ["So did I.", "We ate at 5 p.m. on Mondays."],
        ["It cost 3.50 euros.", "5 men paid."],
        ["i saw him.", "he saw me!", "did he?"],
    ],
)
def test_sentences(sentences):
    assert list(split_sentences(" ".join(sentences))) == sentences
    assert list(split_sentences("\n".join(sentences) + " ")) == sentences


def test_paragraphs_are_parted_by_blank_lines():
    text = "\n\none\ntwo\n \t\nthree\n\n\n\n"
    assert list(split_paragraphs(text)) == ["one\ntwo", "three"]


def test_tokens_are_those_of_the_treebank():
    tokens, starts = tokenise("\"I don't,\" said Ann.\n\nIt's Mr. Hill's (old) cat...")
    expected = "`` I do n't , '' said Ann . It 's Mr. Hill 's ( old ) cat ..."
    assert tokens == tuple(expected.split())
    assert starts == (0, 9)


def test_a_heading_without_a_mark_is_a_sentence():
    assert tokenise("Chapter One\n\nAnn left.")[1] == (0, 2)


def test_spaces_of_all_kinds_part_tokens():
    assert tokenise("a\u00a0b\tc\u2009d")[0] == ("a", "b", "c", "d")


def test_a_text_without_tokens():
    assert tokenise(" \n\n ") == ((), ())


def test_nltk_is_optional(monkeypatch):

    from keras_cgru.coref.text.word_tokens import word_tokens

    word_tokens.cache_clear()
    monkeypatch.setitem(sys.modules, "nltk.tokenize", None)
    with pytest.raises(ImportError, match=r'pip install "keras-cgru\[recipes\]"'):
        tokenise("Ann left.")
    word_tokens.cache_clear()


# The work of each is C's, so it is timed; the square of the length would take minutes.
REPEATED = {
    "initials": "Doe, J. R. and Roe, A. B. and ",
    "dots": ".",
    "dots and spaces": ". ",
    "quotes": "\"'",
    "closed ends": ".) ' ",
    "open quotes": "“ ",
    "typographic ends": ".” ",
    "brackets": "([{)]}",
    "spaces": " ",
    "lines": "\n \t",
    "no spaces": "a.b!c?",
    "acronyms": "U.S. ",
    "contractions": "can't'll",
    "dashes": "—-–",
    "ellipses": "…..",
    "abbreviations": "Mr. e.g. No. ",
}


@pytest.mark.parametrize("part", REPEATED.values(), ids=REPEATED)
@pytest.mark.parametrize(
    ("function", "length"),
    [(tokenise, 20_000), (lambda text: list(split_sentences(text)), 100_000)],
    ids=["tokenise", "split_sentences"],
)
def test_time_grows_as_the_text_does(function, length, part):
    def seconds(length):
        text = part * (length // len(part))
        start = time.process_time()
        function(text)
        return time.process_time() - start

    short = min(seconds(length // 10) for _ in range(3))
    assert seconds(length) < 30 * short + 0.3
