"""Clusters as the chains of edges that the released Coref-GRU code reads.

An item of a chain is [previous, relation, next]. For WikiHop both ends are numbers of
mentions, or -1 where there is none; for LAMBADA they are positions of tokens. The code
enters a chain at the first token of an item's next mention and leaves it at the last
token of its previous one. The relation of coreference is 0.

Reference:
    https://github.com/bdhingra/coref-gru, `utils/MiniBatchLoader.py`, branches master
    (WikiHop) and lambada.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from keras_cgru.coref.annotation import Annotation, Cluster, Span
from keras_cgru.coref.cluster_choice import largest_first
from keras_cgru.coref.tidy_clusters import tidy_clusters

Item = Sequence[int]
COREFERENCE = 0
NO_MENTION = -1


def mention_chains(
    annotation: Annotation,
) -> tuple[list[Span], list[list[list[int]]]]:
    """Writes clusters in the form of the released WikiHop files.

    Every mention is entered and left, the first and the last, too, as in the example
    that the released layer documents. The largest clusters come first, since that code
    cuts the list.

    Returns:
        The half-open spans of all mentions, and the chains over them.
    """
    spans = sorted({span for cluster in annotation.clusters for span in cluster})
    numbers = {span: number for number, span in enumerate(spans)}
    chains = []
    for cluster in largest_first(annotation.clusters):
        ends = [NO_MENTION, *(numbers[span] for span in cluster), NO_MENTION]
        chains.append([[one, COREFERENCE, other] for one, other in pairwise(ends)])
    return spans, chains


def clusters_of_mention_chains(
    mentions: Sequence[Span], chains: Iterable[Iterable[Item]]
) -> tuple[Cluster, ...]:
    """Reads what `mention_chains` and the released WikiHop files hold.

    Mentions that no chain names are left out, as are chains without a mention and
    repetitions: none of them has an edge of its own.

    Raises:
        ValueError: An item names a mention that there is not.
    """
    return tidy_clusters(spans_of_mention_chains(mentions, chains))[0]


def spans_of_mention_chains(
    mentions: Sequence[Span], chains: Iterable[Iterable[Item]]
) -> list[list[Span]]:
    """The same as it stands there: a span, and a chain, as often as it is given."""
    clusters = []
    for chain in chains:
        numbers = {end for item in chain for end in (item[0], item[2])} - {NO_MENTION}
        for number in numbers:
            if not 0 <= number < len(mentions):
                raise ValueError(
                    "a chain must name mentions from 0 to "
                    f"{len(mentions) - 1}, or -1 for none. Received: {number}"
                )
        clusters.append([mentions[number] for number in numbers])
    return clusters


def token_chains(annotation: Annotation) -> list[list[list[int]]]:
    """Writes clusters in the form of the released LAMBADA files.

    That form has only edges between two mentions, so clusters of one mention are lost,
    and of the others where the first begins and where the last ends. The largest
    clusters come first, since the released code cuts the list.
    """
    return [
        [[one[1] - 1, COREFERENCE, other[0]] for one, other in pairwise(cluster)]
        for cluster in largest_first(annotation.clusters)
        if len(cluster) > 1
    ]


def clusters_of_token_chains(chains: Iterable[Sequence[Item]]) -> tuple[Cluster, ...]:
    """Reads what `token_chains` and the released LAMBADA files hold.

    Where an item ends on a token and the next leaves from the same or a later one,
    the two bound a mention. Every other end of an item is a mention of one token.
    """
    return tidy_clusters(spans_of_token_chains(chains))[0]


def spans_of_token_chains(chains: Iterable[Sequence[Item]]) -> list[list[Span]]:
    """The same as it stands there: a chain as often as it is given."""
    clusters = []
    for chain in chains:
        if not chain:
            continue
        spans = {(chain[0][0], chain[0][0] + 1), (chain[-1][2], chain[-1][2] + 1)}
        for (_, _, entered), (left, _, _) in pairwise(chain):
            if entered <= left:
                spans.add((entered, left + 1))
            else:
                spans.update(((entered, entered + 1), (left, left + 1)))
        clusters.append(sorted(spans))
    return clusters
