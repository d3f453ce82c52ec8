"""Mentions of one tokenisation land on another, and shift nothing (scenario 19)."""

import os
import random
from pathlib import Path

import pytest
from coref_strategies import annotations
from hypothesis import given, settings
from hypothesis import strategies as st

from keras_cgru.coref import Annotation, align
from keras_cgru.coref.formats import read_conll2012


def moved(source, target, *spans):
    """The spans of one cluster, moved between texts given with blanks."""
    source, target = source.split(" "), target.split(" ")
    alignment = align(Annotation(source, [spans]), target)
    (cluster,) = alignment.annotation.clusters or ((),)
    return cluster, alignment.num_unplaced


def test_the_parts_of_a_hyphenated_word_land_on_it_and_shift_nothing():
    source = "the third - largest city is Lyon , it says"
    target = "the third-largest city is Lyon , it says"
    spans = (0, 5), (3, 4), (6, 7), (8, 9)
    assert moved(source, target, *spans) == (((0, 3), (1, 2), (4, 5), (6, 7)), 0)
    assert moved(target, source, (0, 3), (4, 5)) == (((0, 5), (6, 7)), 0)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ('" I know , "', "`` I know , ''"),
        ("“ I know , ”", '" I know , "'),
        ("‘ I know , ’", "` I know , '"),
        ("' ' I know , ``", "'' I know , ”"),
        ("« I know »", "'' I know ''"),
        ("( in Rome )", "-LRB- in Rome -RRB-"),
        ("[ in { Rome } ]", "-LSB- in -LCB- Rome -RCB- -RSB-"),
        ("( in Rome )", "- LRB - in Rome -RRB-"),
        ("wait ... now", "wait … now"),
        ("wait ... now", "wait . . . . now"),
        ("wait -- now", "wait — now"),
        ("wait - - now", "wait– now"),
        ("third‐largest", "third - largest"),
        ("can not do n't", "cannot don't"),
        ("ca n't gon na", "can 't gonna"),
        ("it 's Ann 's", "it's Ann’s"),
        ("1\\/2 and/or", "1/2 and / or"),
        ("caf\u00e9 na\u0131ve", "cafe\u0301 na\u0131ve"),
        ("CAFÉ Straße", "cafe strasse"),
        ("ofﬁce １２", "office 12"),
        ("a\u00a0b so\u00adft", "a b soft"),
        ("don't\u200b stop", "do n't stop"),
    ],
)
def test_the_same_text_in_other_signs(one, other):
    """A mention before, one behind, and one of all that differs."""
    for source, target in ((one, other), (other, one)):
        length = len(source.split(" "))
        spans = [(0, 1), (1, 1 + length), (1 + length, 2 + length)]
        length = len(target.split(" "))
        found, num_unplaced = moved(f"he {source} she", f"he {target} she", *spans)
        assert num_unplaced == 0
        assert found == ((0, 1), (1, 1 + length), (1 + length, 2 + length))


def test_a_mention_ends_behind_the_name_of_a_bracket_that_was_split():
    source, target = "a ( b ) c", "a - LRB - b - RRB - c"
    assert moved(source, target, (1, 4), (4, 5)) == (((1, 8), (8, 9)), 0)
    assert moved(target, source, (1, 8), (8, 9)) == (((1, 4), (4, 5)), 0)


def test_the_full_stop_that_corenlp_repeats_shifts_nothing():
    source, target = "the U.S. . She left .", "the U.S. She left ."
    spans = (0, 2), (3, 4)
    assert moved(source, target, *spans) == (((0, 2), (2, 3)), 0)
    assert moved(target, source, (0, 2), (2, 3)) == (((0, 2), (3, 4)), 0)


def test_what_differs_is_counted_and_the_rest_stays_in_place():
    source = "Mr. Jones met the old doctor and she thanked him"
    target = "Mr. Smith met the old nurse there and she thanked him"
    spans = (0, 2), (3, 6), (7, 8), (9, 10)
    assert moved(source, target, *spans) == (((8, 9), (10, 11)), 2)


def test_a_left_out_sentence_is_counted():
    text = "ann came in . she sat down . then bob saw her and he smiled ."
    rest = "ann came in . then bob saw her and he smiled ."
    spans = (0, 1), (4, 5), (10, 11)
    assert moved(text, rest, *spans) == (((0, 1), (6, 7)), 1)
    assert moved(rest, text, (0, 1), (6, 7)) == (((0, 1), (10, 11)), 0)


def test_the_same_short_word_amid_other_words_is_no_counterpart():
    source = "yesterday all went well because he swam fast . the end"
    target = "yesterday all sorts of people asked if he was there . the end"
    assert moved(source, target, (5, 6), (6, 7)) == ((), 2)


def test_a_differing_middle_does_not_matter_where_both_ends_are_certain():
    source = "we saw the house in Oslo that John built and left it"
    target = "we saw the house in Rome that John built and left it"
    assert moved(source, target, (2, 9), (11, 12)) == (((2, 9), (11, 12)), 0)


def test_mentions_that_land_on_one_span_become_one():
    source, target = "Ann ' s dog", "Ann's dog"
    assert moved(source, target, (0, 1), (0, 3), (3, 4)) == (((0, 1), (1, 2)), 0)


def test_clusters_without_a_place_go_and_equal_ones_become_one():
    source = Annotation("a third - best x".split(), [[(1, 2)], [(3, 4)], [(4, 5)]])
    alignment = align(source, "a third-best y".split())
    assert alignment.annotation.clusters == (((1, 2),),)
    assert alignment.num_unplaced == 1


def test_sentences_move_unless_they_are_given():
    source = Annotation("Go ! I see . No.Yes it is".split(), (), (0, 2, 5, 6))
    target = "Go ! I see. No.Yes it 's".split()
    assert align(source, target).annotation.sentence_starts == (0, 2, 4, 5)
    assert align(source, target, (0, 4)).annotation.sentence_starts == (0, 4)
    glued = "Go !I see . No.Yes it".split()
    assert align(source, glued).annotation.sentence_starts == (0, 4, 5)


def test_empty_texts():
    assert align(Annotation(()), ["a"]).annotation == Annotation(["a"])
    alignment = align(Annotation(["a"], [[(0, 1)]]), [])
    assert alignment.annotation == Annotation(()) and alignment.num_unplaced == 1
    # A token without a character has no place either.
    blank = Annotation(["a", "\u200b"], [[(0, 1), (1, 2)]])
    assert align(blank, ["a"]).num_unplaced == 1


@given(annotations())
def test_a_text_aligned_to_itself_is_the_same(annotation):
    assert align(annotation, annotation.tokens).annotation == annotation


LETTERS = ["ann", "mother-in-law", "it", "-LRB-", "``", "don't", "a", "b", "'"]


@given(annotations(words=LETTERS), annotations(words=LETTERS, max_tokens=4))
def test_what_stands_before_and_behind_shifts_nothing(annotation, more):
    """Whole sentences more, at both ends: a mention lands on its own words or not."""
    before = ("XX", *more.tokens, "YY")
    target = (*before, *annotation.tokens, *before)
    alignment = align(annotation, target)
    mentions = [span for each in annotation.clusters for span in each]
    assert alignment.num_unplaced <= len(mentions)
    texts = {annotation.tokens[start:end] for start, end in mentions}
    for cluster in alignment.annotation.clusters:
        assert {target[start:end] for start, end in cluster} <= texts


def split_at_random(tokens, rng):
    """Other tokens of the same text, and where each of the given ones went."""
    pieces, places = [], []
    for token in tokens:
        cuts = sorted(
            rng.sample(
                range(1, len(token)), min(len(token) - 1, rng.choice((0, 0, 1, 2)))
            )
        )
        parts = [
            token[a:b] for a, b in zip([0, *cuts], [*cuts, len(token)], strict=True)
        ]
        if pieces and rng.random() < 0.2:
            pieces[-1] += parts.pop(0)
            first = len(pieces) - 1
        else:
            first = len(pieces)
        pieces += parts
        places.append((first, len(pieces)))
    return pieces, places


@given(annotations(words=["ann", "Ben", "mother", "é", "3", "stop"]), st.randoms())
def test_any_other_split_of_the_same_text_loses_no_mention(annotation, rng):
    tokens, places = split_at_random(annotation.tokens, rng)
    alignment = align(annotation, tokens)
    assert alignment.num_unplaced == 0
    expected = {
        frozenset((places[start][0], places[end - 1][1]) for start, end in cluster)
        for cluster in annotation.clusters
    }
    assert {frozenset(c) for c in alignment.annotation.clusters} == expected


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6))
def test_where_texts_differ_no_mention_lands_on_other_words(seed):
    """Every word occurs once, so it is known where a mention belongs."""
    rng = random.Random(seed)
    words = [f"w{number}x" for number in range(300)]
    tokens, place = [], {}
    for number, word in enumerate(words):
        what = rng.random()
        if what < 0.05:
            tokens.append(f"other{number}")
        if 0.03 < what < 0.08:
            continue
        parts = [word[:1], word[1:]] if what > 0.9 else [word]
        place[number] = (len(tokens), len(tokens) + len(parts))
        tokens += parts
    spans = [(s, min(s + rng.choice((1, 1, 2, 5)), 300)) for s in range(0, 300, 2)]
    alignment = align(Annotation(words, [[span] for span in spans]), tokens)
    placeable = {
        (place[start][0], place[end - 1][1])
        for start, end in spans
        if start in place and end - 1 in place
    }
    placed = {cluster[0] for cluster in alignment.annotation.clusters}
    assert placed <= placeable
    assert alignment.num_unplaced == len(spans) - len(placed)
    # Lost are only words that stand alone amid others.
    assert len(placeable - placed) <= 0.05 * len(spans)


def retokenise(tokens, rng):
    """As a system writes them whose tokeniser has other habits."""
    signs = {"“": "``", "”": "''", '"': "''", "(": "-LRB-", ")": "-RRB-", "--": "—"}
    for token in tokens:
        token = signs.get(token, token)
        if "-" in token[1:-1] and not token.startswith("-"):
            yield from (part for part in token.replace("-", " - ").split(" ") if part)
        elif token.isalpha() and len(token) > 3 and rng.random() < 0.1:
            yield from (token[:2], token[2:])
        else:
            yield token.lower()


@pytest.mark.skipif(
    "KERAS_CGRU_DATA" not in os.environ,
    reason="KERAS_CGRU_DATA names no folder with official data",
)
def test_the_mentions_of_litbank_survive_another_tokeniser():
    paths = sorted(Path(os.environ["KERAS_CGRU_DATA"]).glob("coref/litbank/*.conll"))
    assert paths
    for path in paths:
        (document,) = read_conll2012(path)
        there = list(retokenise(document.annotation.tokens, random.Random(0)))
        forth = align(document.annotation, there)
        back = align(forth.annotation, document.annotation.tokens)
        assert forth.num_unplaced == back.num_unplaced == 0
        assert back.annotation == document.annotation
