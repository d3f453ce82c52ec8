"""Room for lists of mentions."""

import pytest

from keras_cgru.data import BatchShape, BucketLayout


def test_a_bucket_holds_what_it_and_shorter_ones_need(make_example):
    short = make_example("a a a a b")  # 5 positions of candidates
    long = make_example("c " * 2 + "d " * 7)
    layout = BucketLayout((BatchShape(8, 8, 8), BatchShape(16, 8, 8)))
    found = layout.with_occurrences([short, long], multiple=4)
    assert [shape.num_occurrences for shape in found.shapes] == [8, 12]
    assert [shape[:3] for shape in found.shapes] == [(8, 8, 8), (16, 8, 8)]
    # A longer list in a short document makes room in the longer bucket, too.
    few = make_example("e f " * 4 + "g", candidates=(("e",),), answer=("e",))
    found = layout.with_occurrences([short, few], multiple=2)
    assert [shape.num_occurrences for shape in found.shapes] == [6, 6]


def test_no_mention_still_has_a_place(make_example):
    example = make_example("a b", candidates=(("c",),), answer=("c",))
    layout = BucketLayout.from_examples([example]).with_occurrences([example])
    assert layout.shapes[0].num_occurrences == 128


def test_an_example_that_fits_nowhere_is_refused(make_example):
    layout = BucketLayout((BatchShape(4, 8, 8),))
    with pytest.raises(ValueError, match="must fit the largest bucket"):
        layout.with_occurrences([make_example("a b c d e")])
