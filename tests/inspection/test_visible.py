import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keras_cgru.inspection.visible import columns, visible, visible_line


@pytest.mark.parametrize(
    ("token", "shown", "in_ascii"),
    [
        ("plain", "plain", "plain"),
        ("\x1b[31m", r"\x1b[31m", r"\x1b[31m"),
        ("a\nb", r"a\nb", r"a\nb"),
        ("\x9b", r"\x9b", r"\x9b"),
        ("\u202e", r"\u202e", r"\u202e"),
        ("\u2028", r"\u2028", r"\u2028"),
        ("\ud800", r"\ud800", r"\ud800"),
        ("", "∅", "''"),
        ("a b", "a␣b", "a_b"),
        ("a\u00a0b", "a␣b", "a_b"),
        ("\u0301", "◌\u0301", r"\u0301"),
        ("中", "中", r"\u4e2d"),
        ("क\u094d\u200dष", "क\u094d\u200dष", r"\u0915\u094d\u200d\u0937"),
    ],
)
def test_a_token_is_shown(token, shown, in_ascii):
    assert visible(token) == shown
    assert visible(token, ascii=True) == in_ascii


@given(st.text(), st.booleans())
def test_nothing_that_acts_is_left(text, ascii):
    shown = visible(text, ascii)
    assert shown
    for character in shown.replace("\u200c", "").replace("\u200d", ""):
        assert unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Zl", "Zp")
        assert not character.isspace()
    assert not ascii or shown.isascii()


def test_a_line_keeps_the_spaces_between_its_words():
    assert visible_line(" new  york\t") == r"new york\t"


def test_wide_and_combining_characters_have_their_width():
    assert [columns(text) for text in ("ab", "中文", "e\u0301")] == [2, 4, 1]
