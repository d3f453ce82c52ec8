"""The shapes of buckets, and which bucket an example falls into."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from keras_cgru.data import BatchShape, BucketLayout
from keras_cgru.data.bucket_layout import _least_padded_ends


@pytest.fixture
def sized(make_example):
    def make(document, query, num_candidates):
        words = [f"w{n % num_candidates}" for n in range(document)]
        return make_example(" ".join(words), " ".join(["q"] * query), id="sized")

    return make


def test_shapes_by_hand(sized):
    examples = [sized(9, 20, 3), sized(10, 1, 9), sized(30, 3, 2), sized(31, 2, 17)]
    layout = BucketLayout.from_examples(examples, num_buckets=2, multiple=8)
    # Query lengths rise with the buckets; the number of candidates is one for all.
    assert layout.shapes == (BatchShape(16, 24, 24), BatchShape(32, 24, 24))
    assert [layout.bucket_of(example) for example in examples] == [0, 0, 1, 1]


def test_a_long_query_goes_to_a_longer_bucket(sized):
    layout = BucketLayout((BatchShape(8, 8, 8), BatchShape(16, 16, 8)))
    assert layout.bucket_of(sized(8, 8, 8)) == 0
    assert layout.bucket_of(sized(8, 9, 8)) == 1
    with pytest.raises(ValueError, match="Example 'sized' must fit .*query_length=17"):
        layout.bucket_of(sized(8, 17, 8))


def test_room_for_more_examples_leaves_the_buckets_of_the_others(sized):
    examples = [sized(9, 20, 3), sized(30, 3, 9)]
    layout = BucketLayout.from_examples(examples, num_buckets=2)
    assert layout.extended([sized(5, 1, 2), sized(32, 24, 16)]) == layout
    # A longer document, a longer query; more candidates alone.
    longer = layout.extended([sized(33, 1, 1), sized(8, 30, 2)])
    assert longer.shapes == (*layout.shapes, BatchShape(40, 32, 16))
    assert [longer.bucket_of(example) for example in examples] == [0, 1]
    more = layout.extended([sized(20, 1, 17)])
    assert more.shapes == (BatchShape(16, 24, 24), BatchShape(32, 24, 24))


def test_room_only_at_listed_lengths(sized):
    layout = BucketLayout.from_examples([sized(3, 1, 1)], 1, 4, (4, 8, 64))
    assert layout.extended([sized(9, 1, 1)], 4, (4, 8, 64)).shapes == (
        *layout.shapes,
        BatchShape(64, 4, 4),
    )


def test_an_empty_query_still_has_a_shape(sized):
    layout = BucketLayout.from_examples([sized(3, 0, 1)], multiple=4)
    assert layout.shapes == (BatchShape(4, 4, 4),)


def test_few_long_documents_do_not_pad_the_others(sized):
    examples = [sized(n, 1, 1) for n in [*range(40, 60), 400]]
    layout = BucketLayout.from_examples(examples, num_buckets=3)
    assert [shape.document_length for shape in layout.shapes] == [48, 64, 400]


def test_only_listed_lengths(sized):
    """Different data share shapes; beyond the list, multiples of its last."""
    options = {"num_buckets": 9, "multiple": 4, "document_lengths": (4, 8, 16)}
    layout = BucketLayout.from_examples(
        [sized(n, 2, 1) for n in (1, 4, 5, 9, 11)], **options
    )
    assert layout.shapes == tuple(BatchShape(n, 4, 4) for n in (4, 8, 16))
    longer = BucketLayout.from_examples([sized(n, 2, 1) for n in (3, 17)], **options)
    assert longer.shapes == (BatchShape(4, 4, 4), BatchShape(32, 4, 4))
    one = BucketLayout.from_examples([sized(4, 2, 1)], **options)
    assert one.shapes == (BatchShape(4, 4, 4),)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"document_lengths": (8, 12)}, r"rising multiples of 8. Received: \(8, 12\)"),
        ({"document_lengths": (16, 8)}, r"rising multiples of 8. Received: \(16, 8\)"),
        ({"document_lengths": ()}, r"`document_lengths` must be rising.*: \(\)"),
        ({"num_buckets": 0}, "`num_buckets` and `multiple` must be at least 1"),
        ({"multiple": 0}, "`num_buckets` and `multiple` must be at least 1"),
        ({"examples": []}, "`examples` must hold at least one"),
    ],
)
def test_bad_arguments_are_named(sized, changes, message):
    with pytest.raises(ValueError, match=message):
        BucketLayout.from_examples(**({"examples": [sized(3, 1, 1)]} | changes))


def test_shapes_that_fall_are_refused():
    with pytest.raises(ValueError, match=r"`shapes` must rise.*\(4, 9, 9, 0\) after"):
        BucketLayout((BatchShape(8, 8, 8), BatchShape(4, 9, 9)))
    with pytest.raises(ValueError, match="`shapes` must hold at least one"):
        BucketLayout(())


@given(st.lists(st.integers(1, 9), min_size=1, max_size=12), st.integers(1, 5))
def test_no_other_choice_of_ends_pads_less(lengths, num_buckets):
    def padded(ends):
        return sum(min(end for end in ends if end >= length) for length in lengths)

    ends = _least_padded_ends(np.array(lengths), num_buckets)
    distinct = sorted(set(lengths))
    assert len(ends) <= num_buckets
    assert ends == sorted(set(ends))
    best = min(
        padded([*chosen, distinct[-1]])
        for size in range(min(num_buckets, len(distinct)))
        for chosen in combinations(distinct[:-1], size)
    )
    assert padded(ends) == best
