"""Plurals become singulars; names and words of other kinds stay as they are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keras_cgru.coref.text import inflection
from keras_cgru.coref.text.inflection import singular


@pytest.mark.parametrize(
    ("plural", "expected"),
    [
        ("cats", "cat"),
        ("mice", "mouse"),
        ("wolves", "wolf"),
        ("sheep", "sheep"),
        ("children", "child"),
        ("women", "woman"),
        ("feet", "foot"),
        ("boxes", "box"),
        ("churches", "church"),
        ("wishes", "wish"),
        ("glasses", "glass"),
        ("buses", "bus"),
        ("viruses", "virus"),
        ("houses", "house"),
        ("causes", "cause"),
        ("horses", "horse"),
        ("roses", "rose"),
        ("cases", "case"),
        ("prizes", "prize"),
        ("quizzes", "quiz"),
        ("cities", "city"),
        ("pies", "pie"),
        ("keys", "key"),
        ("potatoes", "potato"),
        ("shoes", "shoe"),
        ("photos", "photo"),
        ("gloves", "glove"),
        ("knives", "knife"),
        ("pizzas", "pizza"),
        ("crises", "crisis"),
        ("movies", "movie"),
        ("eyes", "eye"),
        ("chocolates", "chocolate"),
        ("mother-in-laws", "mother-in-law"),
        ("book-shelves", "book-shelf"),
    ],
)
def test_plurals(plural, expected):
    assert singular(plural) == expected


@pytest.mark.parametrize(
    "word",
    """
    glass bus gas lens dress kiss tennis crisis iris virus chaos series news pajamas
    is was has does his this us as yes its themselves always perhaps towards sometimes
    james charles thomas lucas julius chris davis curtis agnes texas paris jones
    mary mouse wolf cat child box s as . ? , 's s' n't 1990s u.s. mid-
    """.split(),
)
def test_other_words_stay(word):
    assert singular(word) == word


def test_capitals_are_names():
    assert singular("Hawks") == "Hawks"
    assert singular("NBAs") == "NBAs"


def test_no_word_is_empty():
    assert singular("") == ""


# The spelling rules turn on these endings: letters at random would miss them.
_ENDINGS = "s es ies ves ses sses xes ches shes zes zzes oes uses ouses us is".split()


@given(st.text("abcehiorstuvxyz", max_size=6), st.sampled_from(_ENDINGS))
def test_the_singular_of_a_singular_is_itself(stem, ending):
    once = singular(stem + ending)
    assert once
    assert singular(once) == once


@pytest.mark.parametrize("word", sorted({*inflection._IRREGULAR.values()}))
def test_listed_singulars_stay(word):
    assert singular(word) == word
