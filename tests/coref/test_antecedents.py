"""The latest earlier token of a cluster, in both reading directions."""

import pytest
from coref_strategies import annotations
from hypothesis import given
from hypothesis import strategies as st

from keras_cgru.coref import Annotation, antecedents, edges, token_clusters


def test_both_directions_by_hand():
    assert antecedents((1, 0, 2, 1, 1)) == (0, 0, 0, 1, 4)
    assert antecedents((1, 0, 2, 1, 1), backwards=True) == (4, 0, 0, 5, 0)
    assert antecedents(()) == ()


def test_tokens_of_several_clusters():
    ids = ((1, 0), (2, 1), (0, 0), (1, 2))
    assert antecedents(ids) == ((0, 0), (0, 1), (0, 0), (2, 2))
    assert antecedents(ids, backwards=True) == ((2, 0), (4, 4), (0, 0), (0, 0))


def test_entries_read_what_exits_wrote():
    # "the old cat saw its tail": the pronoun reads the state behind "cat".
    found = edges(Annotation("the old cat saw its tail".split(), [[(0, 3), (4, 5)]]))
    assert antecedents(found.reads, found.writes) == (0, 0, 0, 0, 3, 0)
    back = found.backwards()
    assert antecedents(back.reads, back.writes, backwards=True) == (0, 0, 5, 0, 0, 0)


def test_lengths_must_agree():
    with pytest.raises(ValueError, match=r"`writes` must be as long as `reads` \(2\)"):
        antecedents((1, 1), (1,))


@given(annotations(), st.integers(1, 3), st.booleans())
def test_an_antecedent_is_the_nearest_one_read_strictly_before(annotation, k, back):
    ids = token_clusters(annotation, k=k).ids
    found = antecedents(ids, backwards=back)
    sets = [set(i if isinstance(i, tuple) else (i,)) - {0} for i in ids]
    for token, (own, links) in enumerate(zip(ids, found, strict=True)):
        pairs = zip(own, links, strict=True) if k > 1 else [(own, links)]
        before = range(len(ids) - 1, token, -1) if back else range(token)
        for cluster, link in pairs:
            earlier = [each + 1 for each in before if cluster in sets[each]]
            assert link == (earlier[-1] if earlier else 0)


# Scenario 33: mentions that break readers.
SENTENCE = tuple("john 's old dad met mary . they and he left".split())


@pytest.mark.parametrize(
    ("clusters", "expected"),
    [
        # Nested in a mention of its own cluster: one id, links within the mention.
        ([[(0, 4), (2, 3), (9, 10)]], (0, 1, 2, 3, 0, 0, 0, 0, 0, 4, 0)),
        # A split antecedent, "they" in both clusters: the first cluster's.
        (
            [[(0, 1), (7, 8)], [(5, 6), (7, 8)]],
            (0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0),
        ),
        # Discontinuous, "old ... met": its parts are two mentions of the cluster, as
        # the docstring of `Annotation` says.
        ([[(2, 3), (4, 5), (9, 10)]], (0, 0, 0, 0, 3, 0, 0, 0, 0, 5, 0)),
        # Over the end of the sentence.
        ([[(5, 8), (9, 10)]], (0, 0, 0, 0, 0, 0, 6, 7, 0, 8, 0)),
    ],
)
def test_odd_mentions_link_strictly_earlier(clusters, expected):
    annotation = Annotation(SENTENCE, clusters, (0, 7))
    found = antecedents(token_clusters(annotation).ids)
    assert found == expected
    assert all(link <= token for token, link in enumerate(found))


def test_a_split_antecedent_links_to_both_where_a_token_carries_two():
    annotation = Annotation(SENTENCE, [[(0, 1), (7, 8)], [(5, 6), (7, 8)]])
    assert antecedents(token_clusters(annotation, k=2).ids)[7] == (1, 6)
