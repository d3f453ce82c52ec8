"""Errors, mention by mention."""

from keras_cgru.coref import Annotation
from keras_cgru.evaluation.coref_errors import CorefError, coref_errors

TOKENS = tuple("Ann met Eva . she saw them . it slept . I left Ann".split())


def errors(gold, found):
    spans = [
        Annotation(TOKENS, tuple(tuple((i, i + 1) for i in c) for c in clusters))
        for clusters in (gold, found)
    ]
    return list(coref_errors([spans[0]], [spans[1]]))


def test_none():
    assert errors([(0, 4, 13)], [(0, 4, 13)]) == []
    # One mention alone links nothing.
    assert errors([(0, 4), (2,)], [(0, 4), (6,)]) == []


def test_missed_and_spurious():
    assert errors([(0, 4), (6, 11)], [(0, 13), (8, 11)]) == [
        CorefError("missed", "he, she", 0, (4, 5)),
        CorefError("missed", "they", 0, (6, 7)),
        CorefError("spurious", "it", 0, (8, 9)),
        CorefError("spurious", "other", 0, (13, 14)),
    ]


def test_a_wrong_antecedent_is_the_nearest_that_both_link():
    found = errors([(0, 13), (2, 4)], [(0, 4, 8, 13), (2, 11)])
    assert found == [
        CorefError("wrong antecedent", "he, she", 0, (4, 5), (0, 1)),
        CorefError("spurious", "it", 0, (8, 9)),
        CorefError("spurious", "I, you, we", 0, (11, 12)),
        CorefError("wrong antecedent", "other", 0, (13, 14), (4, 5)),
    ]
    assert found[0].show(TOKENS, 2) == "Eva . [she] saw them  <- Ann"
    assert found[1].show(TOKENS, 1) == ". [it] slept"
