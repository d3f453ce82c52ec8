"""Names: equal, shorter, with titles; found with capitals and without."""

import pytest


def test_a_part_of_a_name_is_the_same_person(clusters):
    text = "Clara Whitfield came in . Miss Whitfield sat down . Clara smiled ."
    assert clusters(text) == [["Clara Whitfield", "Miss Whitfield", "Clara"]]


@pytest.mark.parametrize("title", ["Mrs.", "Miss", "Lady"])
def test_titles_of_two_genders_are_two_people(clusters, title):
    text = f"Mr. Dunn came in . {title} Dunn sat down . Mr. Dunn smiled ."
    assert clusters(text) == [["Mr. Dunn", "Mr. Dunn"]]


def test_a_general_and_his_wife(clusters):
    text = "General Shaw came in . Mrs. Shaw sat down . Mrs. Shaw smiled ."
    assert clusters(text) == [["Mrs. Shaw", "Mrs. Shaw"]]


def test_first_names_tell_a_family_apart(clusters):
    text = "Jane Bennet wrote to Lydia Bennet . Lydia did not answer Jane ."
    assert clusters(text) == [["Jane Bennet", "Jane"], ["Lydia Bennet", "Lydia"]]


def test_words_at_the_start_of_a_sentence_are_no_names(clusters):
    text = "Nobody came . Nobody called . Rain fell . Suddenly Rain fell again ."
    assert ["Nobody", "Nobody"] not in clusters(text)


def test_a_heading_in_capitals_and_a_number_are_no_people(clusters):
    assert clusters("CHAPTER I Storms . CHAPTER I Nobody left .") == []
    assert clusters("II Mary left . II Mary slept .") == [["Mary", "Mary"]]


@pytest.mark.parametrize(
    "text",
    [
        "`` come here , '' said drelka . nobody moved . drelka sighed .",
        "`` come here , '' drelka said . nobody moved . drelka sighed .",
        "drelka was late . nobody spoke to drelka .",
        "`` come here , drelka . '' nobody moved near drelka .",
        "mrs. drelka left . nobody followed mrs. drelka .",
        "nobody liked drelka 's hat . drelka left .",
    ],
)
def test_unknown_names_without_capitals(clusters, text):
    assert any(
        sum("drelka" in mention for mention in cluster) == 2
        for cluster in clusters(text)
    )


def test_lower_case_words_that_only_look_like_names_are_none(clusters):
    text = "she rose . the grace of the rose was a mark . he rose and left ."
    assert not any("rose" in cluster for cluster in clusters(text))
    assert clusters("a blorp sat there . the cat saw a blorp .") == []


def test_kinship_words_are_names_where_no_determiner_stands(clusters):
    text = "where did mother go ? mother left at noon ."
    assert clusters(text) == [["mother", "mother"]]


def test_a_place_is_nobody(clusters):
    text = "Ingrid lived in Torvik . She loved it . In Torvik she was happy ."
    assert clusters(text) == [["Ingrid", "She", "she"], ["Torvik", "it", "Torvik"]]
