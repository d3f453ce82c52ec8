"""SieveResolver: settings, given sentences, broken input, any text at all."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from keras_cgru.coref import Annotation, Resolver
from keras_cgru.coref.sieve import LINKS, SieveResolver

STORY = (
    "`` where is my hat ? '' John asked Mary . She found the old hat . "
    "John took the hat and thanked her . `` It is mine , '' he said . `` I saw it . ''"
)
WORDS = (
    "the a his her it they i you we Mary mary john mr. Mr. old man men of 's ' `` '' “ "
    "” said saw , . ? ! and that is n't to mother dear six This ran running ' ’ ‘ . : I"
).split()


def test_it_is_a_resolver_and_keeps_the_tokens():
    resolver = SieveResolver()
    assert isinstance(resolver, Resolver)
    annotation = resolver.resolve(STORY.split())
    assert annotation.tokens == tuple(STORY.split())
    assert annotation.sentence_starts == (0, 7, 11, 17, 25, 34)
    assert annotation == resolver.resolve(list(STORY.split()))


def test_all_kinds_of_links_at_once(clusters):
    assert clusters(STORY) == [
        ["my", "John", "John", "he", "I"],
        ["Mary", "She", "her"],
        ["the old hat", "the hat"],
        ["It", "it"],
    ]


@pytest.mark.parametrize(
    ("links", "expected"),
    [
        (["names"], [["John", "John"]]),
        (["nouns"], [["the old hat", "the hat"]]),
        (["pronouns"], [["She", "her"], ["It", "it"]]),
        (["speakers"], [["my", "I"]]),
        (["names", "speakers"], [["my", "John", "John", "I"]]),
    ],
)
def test_chosen_links(clusters, links, expected):
    assert clusters(STORY, links=links) == expected


def test_links_leave_out_mentions_and_change_none(clusters):
    whole = SieveResolver().resolve(STORY.split()).clusters
    for link in LINKS:
        for cluster in SieveResolver([link]).resolve(STORY.split()).clusters:
            assert any(set(cluster) <= set(other) for other in whole)


@pytest.mark.parametrize("links", [[], ["name"], "names", ["names", "verbs"]])
def test_wrong_links_are_named(links):
    with pytest.raises(ValueError, match="`links` must hold some of names, nouns"):
        SieveResolver(links)


def test_given_sentences_are_kept_and_checked():
    tokens = "Mary left . she slept".split()
    starts = SieveResolver().resolve(tokens, (0, 3)).sentence_starts
    assert starts == (0, 3)
    for wrong in [(1, 3), (0, 9), (0, 3, 2), ()]:
        with pytest.raises(ValueError, match="`sentence_starts` must"):
            SieveResolver().resolve(tokens, wrong)


def test_no_tokens_and_empty_tokens():
    assert SieveResolver().resolve([]) == Annotation(())
    assert SieveResolver().resolve(["", "", "she", ""]).clusters == ()


def test_unicode_and_capitals_only():
    tokens = "ÉMILIE SAW ÉMILIE . ß ﬁ İ 中文 😀".split()
    assert SieveResolver().resolve(tokens).tokens == tuple(tokens)


@pytest.mark.parametrize(
    "part",
    [
        "the end of",
        "she 's",
        "`` i",
        "'' ``",
        "mary 's mother 's",
        "the old , old and",
        "of the man saw her",
    ],
)
def test_a_long_text_without_sentences(part):
    tokens = part.split() * 1000
    assert SieveResolver().resolve(tokens).tokens == tuple(tokens)


@given(st.lists(st.sampled_from(WORDS), max_size=60), st.booleans())
def test_any_text_gives_a_valid_annotation(tokens, lower):
    if lower:
        tokens = [token.lower() for token in tokens]
    annotation = SieveResolver().resolve(tokens)
    spans = [span for cluster in annotation.clusters for span in cluster]
    assert len(spans) == len(set(spans))
    assert all(len(cluster) > 1 for cluster in annotation.clusters)
    assert annotation == SieveResolver().resolve(tokens)


@given(st.lists(st.text(max_size=3), max_size=20))
def test_any_token_is_taken(tokens):
    assert SieveResolver().resolve(tokens).tokens == tuple(tokens)


@given(st.lists(st.sampled_from(WORDS), max_size=40))
@example("hand aunt man mary saw mary 's dear john and mary".split())
def test_nothing_corefers_with_what_holds_it(tokens):
    for cluster in SieveResolver().resolve(tokens).clusters:
        for start, end in cluster:
            for other_start, other_end in cluster:
                inside = start <= other_start and other_end <= end
                assert (start, end) == (other_start, other_end) or not inside
