"""Noun phrases: heads, modifiers, owners."""

import pytest


def test_the_same_head_with_nothing_new(clusters):
    text = "a tall sailor came in . the sailor sat down ."
    assert clusters(text) == [["a tall sailor", "the sailor"]]


@pytest.mark.parametrize(
    "text",
    [
        "a young man came in . the old man sat down .",
        "a man came in . a man sat down .",
        "the man came in . the other man sat down .",
        "the men came in . the man sat down .",
        "his hat fell . her hat fell too .",
    ],
)
def test_what_is_not_the_same(clusters, text):
    assert clusters(text) == []


def test_too_far_away(clusters):
    between = "it rained . " * 30
    assert clusters(f"a sailor left . {between} the sailor slept .") == []


def test_adjectives_of_many_kinds(clusters):
    text = "the two burly men left . the small , very old men slept ."
    assert clusters(text) == []
    text = "the small , very old men left . the burly men sat . the old men slept ."
    assert clusters(text) == [["the small , very old men", "the old men"]]


def test_one_owner_one_mother(clusters):
    text = "Lucy 's mother was ill . Lucy was sad . Her mother slept ."
    assert clusters(text) == [["Lucy", "Lucy", "Her"], ["Lucy 's mother", "Her mother"]]


def test_the_owner_is_a_mention_without_the_mark(clusters):
    text = "the boys ' room was cold . the boys were cold ."
    assert ["the boys", "the boys"] in clusters(text)


def test_is_and_has_are_no_possessive(clusters):
    text = "Lucy 's angry . Lucy 's gone . his name 's George ."
    assert clusters(text) == [["Lucy", "Lucy"]]


def test_of_belongs_to_the_phrase(clusters):
    text = "the mayor of Eastbridge smiled . the mayor left ."
    assert clusters(text) == [["the mayor of Eastbridge", "the mayor"]]


def test_a_verb_ends_the_phrase(clusters):
    text = "the old man walked home . the old man says nothing . the old man is ill ."
    assert clusters(text) == [["the old man"] * 3]
