"""Sentence starts of tokenised text."""

import pytest

from keras_cgru.coref.text import find_sentence_starts


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        ("", ()),
        ("no mark at all", (0,)),
        ("one . two ! three ?! four", (0, 2, 4, 6)),
        ("mr . dunn left . he slept", (0, 5)),
        ("j . smith left . he slept", (0, 5)),
        ("so i left . he slept", (0, 4)),
        ("`` go ! '' he left . she slept", (0, 4, 7)),
        ("“ Go ! ” he said . She slept", (0, 7)),
        ("well ... he left ... She slept", (0, 5)),
        (". . .", (0,)),
    ],
)
def test_starts(text, starts):
    assert find_sentence_starts(text.split()) == starts
