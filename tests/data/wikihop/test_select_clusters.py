"""Which clusters a question keeps."""

import pytest

from keras_cgru.coref import Annotation
from keras_cgru.data.wikihop.select_clusters import select_clusters

# Two passages of ten tokens; one cluster each for a candidate, the head, what stands
# beside the head, and what has to do with neither.
TOKENS = tuple(f"w{n}" for n in range(20))
CANDIDATE = ((10, 12), (14, 15), (16, 17))
HEAD = ((0, 2), (4, 5))
NEAR = ((6, 7), (12, 13), (18, 19))
FAR = ((13, 14), (15, 16))
ANNOTATION = Annotation(TOKENS, (CANDIDATE, HEAD, NEAR, FAR), (0, 5, 10))
SUPPORTS, SENTENCES = (0, 10), (0, 5, 10)


def kept(selected):
    """The tokens that carry a cluster."""
    return {token for token, id in enumerate(selected.ids) if id}


def covered(*clusters):
    return {token for each in clusters for s, e in each for token in range(s, e)}


def test_clusters_of_candidates_and_of_what_is_near_the_head():
    found = select_clusters(ANNOTATION, [(10, 12)], [(0, 2)], SUPPORTS)
    assert kept(found) == covered(CANDIDATE, HEAD, NEAR)
    assert (found.num_unselected, found.num_dropped) == (1, 0)
    assert found.ids[0] == found.ids[1] == found.ids[4] == 1
    # In order of first appearance.
    assert found.ids[6] == 2 and found.ids[10] == 3


def test_a_sentence_is_less_than_a_support():
    found = select_clusters(ANNOTATION, [(10, 12)], [(0, 2)], SENTENCES)
    assert kept(found) == covered(CANDIDATE, HEAD) and found.num_unselected == 2


def test_anywhere_keeps_all():
    found = select_clusters(ANNOTATION, [], [], None)
    assert kept(found) == covered(CANDIDATE, HEAD, NEAR, FAR)
    assert found.num_unselected == 0


def test_without_a_head_candidates_alone_count():
    found = select_clusters(ANNOTATION, [(10, 12)], [], SUPPORTS)
    assert kept(found) == covered(CANDIDATE) and found.num_unselected == 3


def test_a_mention_must_cover_the_candidate():
    longer = select_clusters(ANNOTATION, [(9, 12)], [], SUPPORTS)
    within = select_clusters(ANNOTATION, [(11, 12)], [], SUPPORTS)
    assert kept(longer) == set() and kept(within) == covered(CANDIDATE)


@pytest.mark.parametrize(
    "limit, expected",
    [(0, ()), (1, (CANDIDATE,)), (2, (CANDIDATE, HEAD)), (3, (CANDIDATE, HEAD, NEAR))],
)
def test_under_a_limit_candidates_and_head_come_first(limit, expected):
    found = select_clusters(ANNOTATION, [(10, 12)], [(0, 2)], SUPPORTS, limit)
    # The cluster beside the head has three mentions, the head's own has two.
    assert kept(found) == covered(*expected)
    assert (found.num_unselected, found.num_dropped) == (1, 3 - limit)


def test_single_mentions_link_nothing_and_are_not_counted():
    alone = Annotation(TOKENS, (((0, 2),), ((13, 14),)))
    found = select_clusters(alone, [(0, 2)], [], SUPPORTS)
    assert not kept(found) and (found.num_unselected, found.num_dropped) == (0, 0)
