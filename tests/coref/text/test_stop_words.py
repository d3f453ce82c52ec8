"""What the stop lists hold and, as much, what they do not."""

from keras_cgru.coref import FUNCTION_WORDS, PUNCTUATION, STOP_WORDS


def test_the_two_lists_are_disjoint_and_make_up_the_third():
    assert not PUNCTUATION & FUNCTION_WORDS
    assert STOP_WORDS == PUNCTUATION | FUNCTION_WORDS


def test_marks_hold_no_letter_outside_brackets():
    lettered = {mark for mark in PUNCTUATION if any(c.isalpha() for c in mark)}
    assert lettered == set("-lrb- -rrb- -lsb- -rsb- -lcb- -rcb- <br/>".split())


def test_closed_classes_are_there():
    words = "the she n't 's 're ca under because would something there '' ``".split()
    assert not [word for word in words if word not in STOP_WORDS]


def test_words_that_are_nouns_or_names_too_are_not():
    words = "will may mine one home man time hope grace back right left".split()
    assert not [word for word in words if word in STOP_WORDS]


def test_all_words_are_lower_case():
    assert all(word == word.lower() for word in STOP_WORDS)
