"""Typographic marks mean what straight ones do: in tokens, sentences and clusters."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keras_cgru.coref import (
    STOP_WORDS,
    Annotation,
    ExactMatchResolver,
    SieveResolver,
    align,
)
from keras_cgru.coref.text import find_sentence_starts, split_sentences, tokenise
from keras_cgru.coref.text.straight import straight_text, straight_tokens
from keras_cgru.data.lambada.last_sentence import last_sentence_start

# Opening and closing marks: double, then single.
STYLES = {
    "English": "“ ” ‘ ’",
    "German": "„ “ ‚ ‘",
    "Polish": "„ ” ‚ ’",
    "Swedish": "” ” ’ ’",
    "French": "« » ‹ ›",
    "Danish": "» « › ‹",
    "dingbats": "❝ ❞ ❛ ❜",
    "wide": "＂ ＂ ＇ ＇",
    "primes": "″ ″ ′ ′",
}
TEXT = (
    "`` Mary 's here , is n't she ? '' John asked . `` Do n't go , Mary , '' he said . "
    "The boys ' dog barked -- it was the neighbours ' ... `` He cried ` help ! ' to me "
    ", '' Mary said . She saw the boys . I 'm sure they 'd gone . `` ' T is mine . ''"
)
RAW = (
    '"Mary\'s here, isn\'t she?" John asked. "Don\'t go, Mary," he said. '
    "The boys' dog barked--it was the neighbours'... \"He cried 'Help!' to me,\" "
    "Mary said. She saw the boys. I'm sure they'd gone."
)


def written(tokens, style, apostrophe="’", dash="—", ellipsis="…"):
    """The same tokens in another style."""
    opening, closing, opening_single, closing_single = STYLES[style].split()
    table = {
        "``": opening,
        "''": closing,
        "`": opening_single,
        "'": apostrophe,
        "--": dash,
        "...": ellipsis,
    }
    result = [table.get(token, token.replace("'", apostrophe)) for token in tokens]
    for position, (before, token) in enumerate(pairwise(tokens), start=1):
        if before in ". ! ? ,".split() and token == "'":
            result[position] = closing_single
    return result


# Swedish, wide and primes point nowhere, so a mark's place must tell.
DIRECTED = ["English", "German", "Polish", "French", "Danish", "dingbats"]


@pytest.mark.parametrize("style", DIRECTED)
@pytest.mark.parametrize("lower", [False, True], ids=["cased", "lower"])
def test_the_sieve_finds_the_same(style, lower):
    tokens = (TEXT.lower() if lower else TEXT).split()
    expected = SieveResolver().resolve(tokens)
    assert len(expected.clusters) >= 4
    found = SieveResolver().resolve(written(tokens, style))
    assert found.clusters == expected.clusters
    assert found.sentence_starts == expected.sentence_starts
    assert found.tokens == tuple(written(tokens, style))


@pytest.mark.parametrize("mark", ["＂", "″"])
def test_marks_without_a_direction_are_straight_double_quotes(mark):
    tokens = re.sub("``|''", '"', TEXT).split()
    other = [token.replace('"', mark) for token in tokens]
    assert (
        SieveResolver().resolve(other).clusters
        == SieveResolver().resolve(tokens).clusters
    )


WORDS = (
    "the a his her it they i you we Mary mary john mr. Mr. old man men of 's ' said "
    "saw `` '' `` '' , . ? ! ... -- and n't to mother dear This I o'hara ma'am "
    "boys oh 'em"
).split()


@given(st.lists(st.sampled_from(WORDS), max_size=50), st.sampled_from("’ʼ′´＇"))
def test_no_cluster_changes_with_the_marks(tokens, apostrophe):
    other = written(tokens, "English", apostrophe, dash="–")
    for resolver in (
        SieveResolver(),
        SieveResolver(tagger=lambda words: ["NN"] * len(words)),
        ExactMatchResolver(),
    ):
        assert resolver.resolve(other).clusters == resolver.resolve(tokens).clusters
    assert find_sentence_starts(other) == find_sentence_starts(tokens)
    assert last_sentence_start(other) == last_sentence_start(tokens)
    assert straight_tokens(other) == tokens


@pytest.mark.parametrize("style", ["English", "German", "French", "Danish", "dingbats"])
def test_running_text(style):
    opening, closing, opening_single, closing_single = STYLES[style].split()
    other = re.sub(r'(^|(?<= ))"', opening, RAW).replace('"', closing)
    other = other.replace(" 'Help!'", f" {opening_single}Help!{closing_single}")
    other = other.replace("'", "’").replace("--", "—").replace("...", "…")
    tokens, starts = tokenise(RAW)
    found, found_starts = tokenise(other)
    assert found_starts == starts
    # An opening single mark in ASCII does not say that it opens.
    assert tuple("'" if token == "`" else token for token in found) == tokens
    assert (
        SieveResolver().resolve(found, starts).clusters
        == SieveResolver().resolve(tokens, starts).clusters
    )
    assert list(map(straight_text, split_sentences(other))) == list(
        split_sentences(straight_text(other))
    )


def test_a_possessive_and_a_contraction_are_no_people():
    tokens, starts = tokenise("Mary’s dog barked. Don’t go near Mary’s dog, Tom said.")
    assert "n't" in tokens and tokens.count("'s") == 2
    annotation = SieveResolver().resolve(tokens, starts)
    words = [[" ".join(tokens[a:b]) for a, b in each] for each in annotation.clusters]
    assert words == [["Mary", "Mary"], ["Mary 's dog", "Mary 's dog"]]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("“Go—now,” he said…", "`` Go -- now , '' he said ..."),
        ("„So?“ „Ja!“", "`` So ? '' `` Ja ! ''"),
        ("»So?« »Ja!«", "`` So ? '' `` Ja ! ''"),
        ("«So?» «Ja!»", "`` So ? '' `` Ja ! ''"),
        ("‚Go!‘ he said. ‹Go!›", "` Go ! ' he said . ` Go ! '"),
        ("“‘Go!’ he said.”", "`` ` Go ! ' he said . ''"),
        ("\"'Go!' he said.\"", "`` ' Go ! ' he said . ''"),
        ('He said--"Go."', "He said -- `` Go . ''"),
        ("don`t donʼt don´t don′t don＇t", "do n't do n't do n't do n't do n't"),
        ("the boys’ room, 1990–1995 – so", "the boys ' room , 1990-1995 -- so"),
    ],
)
def test_tokens_of_running_text(text, tokens):
    assert tokenise(text)[0] == tuple(tokens.split())


def test_equal_words_are_equal_in_any_typography():
    tokens = "ma'am saw o’hara . ma’am left oʼhara , don’t “ don't ” it’s it's".split()
    clusters = ExactMatchResolver().resolve(tokens).clusters
    assert clusters == (((0, 1), (4, 5)), ((2, 3), (6, 7)))
    own = ExactMatchResolver(stop_words=["ma’am"])
    assert ((0, 1), (4, 5)) not in own.resolve(tokens).clusters


def test_stop_words_have_every_apostrophe():
    words = "don't don’t it's it’s itʼs ’s n’t ’em isn`t “ ” „ « ‹ ″ — – …".split()
    assert not [word for word in words if word not in STOP_WORDS]
    assert not [word for word in ("“mary”", "mary’s") if word in STOP_WORDS]


@pytest.mark.parametrize("style", STYLES)
def test_alignment_reads_all_as_one(style):
    tokens = TEXT.split()
    annotation = SieveResolver().resolve(tokens)
    other = written(tokens, style, "ʼ")
    moved = align(annotation, other)
    assert moved.num_unplaced == 0
    assert moved.annotation == Annotation(
        other, annotation.clusters, annotation.sentence_starts
    )


def test_the_last_sentence_of_a_passage():
    tokens = "“ go ! ” he cried . ‘ who ? ’ asked the".split()
    assert last_sentence_start(tokens) == 7
    assert last_sentence_start("„ who is it ? “ asked the".split()) == 0


def test_ascii_is_given_back():
    tokens = TEXT.split()
    assert straight_tokens(tokens) is tokens
    assert straight_text(RAW) is RAW


@given(st.text())
def test_any_text_is_made_straight(text):
    words = text.split()
    assert len(straight_tokens(words)) == len(words)
    assert straight_tokens(straight_tokens(words)) == straight_tokens(words)
    straight_text(text)
