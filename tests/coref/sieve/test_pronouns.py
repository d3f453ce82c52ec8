"""Third-person pronouns: agreement, subjects, what cannot be."""

import pytest


@pytest.mark.parametrize(
    ("pronoun", "antecedent"),
    [("he", "John"), ("she", "Mary"), ("they", "the boys"), ("it", "a letter")],
)
def test_gender_and_number(clusters, pronoun, antecedent):
    text = f"John and Mary gave the boys a letter . Then {pronoun} fell ."
    (cluster,) = clusters(text)
    assert cluster == [antecedent, pronoun]


def test_a_subject_before_an_object(clusters):
    assert clusters("John saw Peter . He smiled .") == [["John", "He"]]


def test_an_object_is_not_its_subject_but_a_reflexive_is(clusters):
    assert clusters("John came . Peter saw him .") == [["John", "him"]]
    assert clusters("John came . Peter saw himself .") == [["Peter", "himself"]]
    assert clusters("John saw Peter himself .") == [["Peter", "himself"]]


def test_an_owner_may_be_the_subject(clusters):
    assert clusters("Mary saw her brother .") == [["Mary", "her"]]


def test_nothing_within_reach(clusters):
    assert clusters("Mary left . " + "It rained . " * 8 + "She slept .") == []


@pytest.mark.parametrize(
    "text",
    [
        "the letter came . it was clear that nobody read .",
        "the letter came . it seemed late .",
        "the letter came . it rained .",
    ],
)
def test_it_may_stand_for_nothing(clusters, text):
    assert clusters(text) == []


def test_a_name_that_no_list_knows_gets_its_gender_from_the_text(clusters):
    text = (
        "Orrin put on his hat . Velth put on her coat . Velth looked at Orrin . "
        "He said nothing ."
    )
    assert ["Orrin", "his", "Orrin", "He"] in clusters(text)


def test_no_pronoun_joins_two_names(clusters):
    text = "Mary left . She slept . Anna left . She slept . Mary met Anna ."
    assert clusters(text) == [["Mary", "She", "Mary"], ["Anna", "She", "Anna"]]
