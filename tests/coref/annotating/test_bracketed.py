"""What a reader sees of an annotation."""

from keras_cgru.coref import Annotation
from keras_cgru.coref.annotating import bracketed


def test_nested_and_crossing_mentions():
    tokens = "mary saw her cat . it slept .".split()
    clusters = [[(0, 1), (2, 3)], [(2, 4), (5, 6)], [(3, 5), (6, 8)]]
    assert bracketed(Annotation(tokens, clusters, (0, 5))) == (
        "[mary]1 saw [[her]1 [cat]2 .]3\n[it]2 [slept .]3"
    )


def test_the_inner_mention_is_closed_first():
    clusters = [[(0, 2), (3, 4)], [(1, 2), (2, 3)]]
    assert bracketed(Annotation(list("abcd"), clusters)) == "[a [b]2]1 [c]2 [d]1"


def test_an_empty_text():
    assert bracketed(Annotation(())) == ""
