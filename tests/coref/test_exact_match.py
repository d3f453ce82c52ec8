"""Repeated content words corefer, and nothing else does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keras_cgru.coref import STOP_WORDS, ExactMatchResolver, Resolver


def test_repeated_content_words_get_ids_by_first_appearance():
    tokens = "mary met john . john 's sister saw mary and the dog .".split()
    assert ExactMatchResolver().resolve(tokens) == (
        1,
        0,
        2,
        0,
        2,
        *[0] * 3,
        1,
        *[0] * 4,
    )


def test_repeated_stop_words_and_marks_do_not_corefer():
    tokens = "the , n't `` she . the , n't `` she .".split()
    assert ExactMatchResolver().resolve(tokens) == (0,) * len(tokens)


def test_another_stop_list_and_a_minimum_length():
    tokens = "the ox saw the ox x x".split()
    assert ExactMatchResolver(stop_words={"ox"}).resolve(tokens) == (
        1,
        0,
        0,
        1,
        0,
        2,
        2,
    )
    assert ExactMatchResolver((), min_length=3).resolve(tokens) == (1, 0, 0, 1, 0, 0, 0)


def test_case_matters_and_no_tokens_are_fine():
    assert ExactMatchResolver().resolve(["Rose", "rose"]) == (0, 0)
    assert ExactMatchResolver().resolve([]) == ()


def test_it_is_a_resolver():
    assert isinstance(ExactMatchResolver(), Resolver)


def test_a_bad_minimum_length_is_named():
    with pytest.raises(
        ValueError, match="`min_length` must be at least 1.*min_length=0"
    ):
        ExactMatchResolver(min_length=0)


@given(st.lists(st.sampled_from(["ann", "bob", "cat", "the", "."]), max_size=20))
def test_equal_ids_mean_equal_words(tokens):
    ids = ExactMatchResolver().resolve(tokens)
    assert len(ids) == len(tokens)
    for token, cluster in zip(tokens, ids, strict=True):
        linked = tokens.count(token) > 1 and token not in STOP_WORDS
        assert (cluster > 0) == linked
        if linked:
            assert {t for t, c in zip(tokens, ids, strict=True) if c == cluster} == {
                token
            }
    firsts = list(dict.fromkeys(cluster for cluster in ids if cluster))
    assert firsts == list(range(1, len(firsts) + 1))
