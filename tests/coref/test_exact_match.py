"""Repeated content words corefer, and nothing else does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keras_cgru.coref import STOP_WORDS, Annotation, ExactMatchResolver, Resolver


def clusters_of(text, **options):
    """Of each cluster the positions of its tokens."""
    annotation = ExactMatchResolver(**options).resolve(text.split())
    assert all(end == start + 1 for each in annotation.clusters for start, end in each)
    return [[start for start, _ in each] for each in annotation.clusters]


def test_repeated_content_words_form_clusters():
    text = "mary met john . john 's sister saw mary and the dog ."
    assert clusters_of(text) == [[0, 8], [2, 4]]


def test_repeated_stop_words_and_marks_do_not_corefer():
    assert clusters_of("the , n't `` she . the , n't `` she .") == []


def test_another_stop_list_and_a_minimum_length():
    text = "the ox saw the ox x x"
    assert clusters_of(text, stop_words={"ox"}) == [[0, 3], [5, 6]]
    assert clusters_of(text, stop_words=(), min_length=3) == [[0, 3]]


def test_case_matters_and_no_tokens_are_fine():
    assert clusters_of("Rose rose") == []
    assert ExactMatchResolver().resolve([]) == Annotation(())


def test_words_that_agree_after_normalising_corefer():
    text = "Rose saw a cat . The rose and the cats . THE cat"
    assert clusters_of(text, normalise=str.lower) == [[0, 6], [3, 12]]
    assert clusters_of(text, normalise=lambda token: token.removesuffix("s")) == [
        [3, 9, 12]
    ]


def test_tokens_and_sentences_are_kept():
    tokens = "rose . rose".split()
    expected = Annotation(tokens, [[(0, 1), (2, 3)]], (0, 2))
    assert ExactMatchResolver().resolve(tokens, (0, 2)) == expected


def test_it_is_a_resolver():
    assert isinstance(ExactMatchResolver(), Resolver)


def test_a_bad_minimum_length_is_named():
    with pytest.raises(
        ValueError, match="`min_length` must be at least 1.*min_length=0"
    ):
        ExactMatchResolver(min_length=0)


@given(st.lists(st.sampled_from(["ann", "bob", "cat", "the", "."]), max_size=20))
def test_clusters_are_the_repeated_words(tokens):
    found = {
        tuple(tokens[start] for start, _ in cluster)
        for cluster in ExactMatchResolver().resolve(tokens).clusters
    }
    repeated = {token for token in tokens if tokens.count(token) > 1}
    assert found == {(t,) * tokens.count(t) for t in repeated - STOP_WORDS}
