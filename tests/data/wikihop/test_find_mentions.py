"""Candidates are found as a whole, however the tokeniser splits them."""

import re
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keras_cgru.coref.text.tokenise import tokenise
from keras_cgru.data.wikihop.find_mentions import MentionFinder, positions_of


def found(text, entity, rule="whole"):
    """The mentions of an entity in a text, each as its tokens joined by spaces."""
    tokens = tokenise(text)[0]
    spans = getattr(MentionFinder(tokens), rule)(tokenise(entity)[0])
    return [" ".join(tokens[start:end]) for start, end in spans]


def test_candidates_that_share_a_word_take_nothing_from_one_another():
    """A bug of the released code: any shared word counted."""
    text = "He left New Jersey for the new house."
    assert found(text, "new york") == []
    assert found(text, "new jersey") == ["New Jersey"]
    assert found(text, "new york", "any_word") == ["New", "new"]
    assert found(text, "new jersey", "any_word") == ["New", "Jersey", "new"]


WHOLE = {
    "three words": ("the House of Representatives sat", "house of representatives"),
    "full stop": ("He came to St. Louis.", "st. louis"),
    "last full stop": ("He came to the U.S.", "u.s."),
    "full stop before others": ("The U.S. army", "u.s."),
    "full stop left out": ("He founded Acme Inc", "acme inc."),
    "full stop of the text": ("He founded Acme Inc. in May", "acme inc"),
    "apostrophe": ("Mr. O'Neill came", "o'neill"),
    "typographic": ("Mr. O’Neill came", "o'neill"),
    "clitic": ("He saw Rosemary's Baby twice", "rosemary's baby"),
    "possessive": ("Tarnow's mayor", "tarnow"),
    "hyphen": ("He met Jean-Paul there", "jean-paul"),
    "spaced hyphen": ("the series Kamen Rider Den - O .", "kamen rider den-o"),
    "dash": ("the years 1998–2000", "1998-2000"),
    "part of a compound": ("an English-language service", "english"),
    "part of a pair": ("the band AC/DC", "dc"),
    "brackets": ("He saw Titanic (film).", "titanic (film)"),
    "bracket before": ("(Tarnow) is far", "tarnow"),
    "quotes": ('She sang "Help!" there', "help!"),
    "accents": ("in São Paulo today", "são paulo"),
    "composed": ("in Sa\u0303o Paulo today", "são paulo"),
    "decomposed": ("in São Paulo today", "sa\u0303o paulo"),
    "case that folds": ("in der Hauptstraße", "HAUPTSTRASSE"),
    "comma": ("born in Washington, D.C., in May", "washington, d.c."),
    "mask": ("it is in ___MASK7___, not in ___MASK71___", "___MASK7___"),
    "clause": ("i cannot say", "cannot"),
    "number": ("it had 4,196,457 people", "4,196,457"),
}


@pytest.mark.parametrize("text, entity", WHOLE.values(), ids=WHOLE)
def test_whole_entities_are_found_once(text, entity):
    assert len(found(text, entity)) == 1


NOT = {
    "part of a word": ("He likes Englishmen", "english"),
    "clitic": ("Mary's cat", "s"),
    "initial": ("J.R. Smith", "r"),
    "part of a number": ("in 1,933 places", "933"),
    "accent": ("in Sao Paulo", "são paulo"),
    "gap": ("New and York", "new york"),
    "other mask": ("it is in ___MASK71___", "___MASK7___"),
    "joined": ("in Newyork", "new york"),
    "part of a contraction": ("They don't", "t"),
}


@pytest.mark.parametrize("text, entity", NOT.values(), ids=NOT)
def test_other_words_are_not_found(text, entity):
    assert found(text, entity) == []


def test_positions_of_overlapping_mentions_are_named_once():
    assert positions_of([(3, 5), (0, 2), (1, 4)]) == (0, 1, 2, 3, 4)
    assert found("a b a b a", "a b a") == ["a b a", "a b a"]


words = st.lists(
    st.sampled_from("new york jersey St. O'Neil a-b é".split()), min_size=1
)


@settings(max_examples=200, deadline=None)
@given(words, words)
def test_mentions_are_those_of_a_search_by_characters(text, entity):
    """Of words without parts, all whole occurrences and no other."""
    plain = [re.sub(r"\W", "", unicodedata.normalize("NFC", w)).lower() for w in text]
    sought = [re.sub(r"\W", "", w).lower() for w in entity]
    spans = MentionFinder(plain).whole(sought)
    length = len(sought)
    starts = range(len(plain) - length + 1)
    assert spans == [(s, s + length) for s in starts if plain[s : s + length] == sought]
    for start, end in MentionFinder(text).whole(entity):
        assert 0 <= start < end <= len(text)


@settings(max_examples=200, deadline=None)
@given(words, words, words)
def test_an_entity_is_found_where_it_stands(before, entity, behind):
    spans = MentionFinder([*before, *entity, *behind]).whole(entity)
    assert (len(before), len(before) + len(entity)) in spans
