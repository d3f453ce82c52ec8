"""Quoted speech: who says "I", and to whom."""

import pytest

MARKS = [("``", "''"), ("“", "”"), ('"', '"'), ("‘", "’"), ("'", "'")]


@pytest.mark.parametrize(("opening", "closing"), MARKS)
@pytest.mark.parametrize(
    "text",
    [
        "( I am here , ) said Mary .",
        "( I am here , ) Mary said .",
        "( I am here , ) quietly answered Mary .",
        "Mary said , ( I am here . )",
        "Mary turned and cried : ( I am here . )",
        "Mary , in reply , said ( I am here . )",
    ],
)
def test_i_is_the_speaker(clusters, text, opening, closing):
    quoted = text.replace("(", opening).replace(")", closing)
    (cluster,) = clusters(quoted)
    assert sorted(cluster) == ["I", "Mary"]


def test_who_is_called_is_you(clusters):
    text = "`` mary , you are late , '' said john . `` i know , '' she said ."
    assert clusters(text) == [["mary", "you", "i", "she"]]


@pytest.mark.parametrize("call", ["dear", "sir", "my boy", "darling"])
def test_words_that_call(clusters, call):
    text = f"`` you are late , {call} , '' said mary ."
    assert ["you", call] in clusters(text)


def test_speakers_take_turns(clusters):
    text = (
        "`` i am tired , '' said john . mary laughed . `` are you ? '' she asked . "
        "`` i am . '' `` i see . '' `` you do not . ''"
    )
    john, mary = clusters(text)
    assert john == ["i", "john", "you", "i"]
    assert mary == ["mary", "she", "i", "you"]


def test_two_who_are_called_are_two(clusters):
    text = "`` anna , mary , come here , '' said john . mary came . anna slept ."
    assert clusters(text) == [["anna", "anna"], ["mary", "mary"]]


def test_who_is_called_next_is_another_one(clusters):
    text = (
        "`` i am here , anna , '' said john . he turned . `` mary , are you ill ? '' "
        "`` i am , '' said mary ."
    )
    assert ["mary", "you", "i", "mary"] in clusters(text)


def test_a_broken_sentence_is_one_speaker(clusters):
    text = "`` i will come , '' said john , `` if i can . '' mary heard him ."
    assert clusters(text) == [["i", "john", "i", "him"]]


def test_he_in_speech_is_neither_speaker_nor_hearer(clusters):
    text = "`` peter , he is here , '' said john ."
    assert clusters(text) == []


def test_the_narrator_is_not_the_speaker(clusters):
    text = "I opened the door . “ I am ill , ” said Mary . I called my brother ."
    assert ["I", "I", "my"] in clusters(text)
    assert ["I", "Mary"] in clusters(text)


def test_the_narrator_speaks_too(clusters):
    text = "`` i know you , '' i said . he smiled at me ."
    assert clusters(text) == [["i", "i", "me"]]


def test_a_text_that_starts_and_stops_within_speech(clusters):
    text = "i am ill , '' said mary . `` you are not , '' said john . `` i am"
    assert clusters(text) == [["i", "mary", "you"], ["john", "i"]]


def test_marks_around_a_word_are_no_speech(clusters):
    text = "mary called it a `` treat '' . she said that i was a `` fool '' ."
    assert clusters(text) == [["mary", "she"]]


def test_an_apostrophe_opens_nothing(clusters):
    text = "`` i saw the boys ' room , '' said mary . the boys ' dog slept ."
    assert ["i", "mary"] in clusters(text)
