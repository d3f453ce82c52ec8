"""How well found coreference clusters agree with gold ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from keras_cgru.coref.annotation import Annotation

try:
    from scorch import scores as scorch
except ImportError:
    scorch = None

_Cluster = set[tuple[int, int, int]]


@dataclass(frozen=True)
class Score:
    """Recall, precision and their harmonic mean, each from 0 to 1."""

    recall: float
    precision: float
    f1: float


@dataclass(frozen=True)
class CorefScores:
    """The three measures of the CoNLL shared tasks.

    Args:
        muc: Links that must be cut or made (Vilain et al., 1995).
        b_cubed: Overlap of clusters, mention by mention (Bagga and Baldwin, 1998).
        ceaf_e: Similarity under the best one-to-one match of entities (Luo, 2005).
        mentions: Spans of clusters, whatever the cluster.
    """

    muc: Score
    b_cubed: Score
    ceaf_e: Score
    mentions: Score

    @property
    def conll_f1(self) -> float:
        """The mean of the three F1."""
        return (self.muc.f1 + self.b_cubed.f1 + self.ceaf_e.f1) / 3

    def to_dict(self) -> dict[str, Any]:
        """All figures, for a file of results."""
        return {**asdict(self), "conll_f1": self.conll_f1}


def coref_scores(
    gold: Sequence[Annotation],
    found: Sequence[Annotation],
    within_gold: bool = False,
) -> CorefScores:
    """Scores the annotations of one or more documents together.

    Mentions agree when their spans are equal. Clusters of one mention are left out on
    both sides.

    Args:
        gold: What is right, a document each.
        found: What a resolver says of the same texts, in the same order.
        within_gold: Leave out found clusters of which the gold marks no mention, not
            even alone. Gold that marks some kinds of entity only punishes clusters of
            any other kind; these scores do not.

    Raises:
        ImportError: scorch is not installed.
        ValueError: The documents are not the same.
    """
    if scorch is None:
        raise ImportError("scores need scorch: pip install scorch==0.2.0")
    if len(gold) != len(found):
        raise ValueError(
            f"`found` must hold {len(gold)} documents, as `gold` does. "
            f"Received: {len(found)}"
        )
    key: list[_Cluster] = []
    response: list[_Cluster] = []
    for number, (right, said) in enumerate(zip(gold, found, strict=True)):
        if len(right.tokens) != len(said.tokens):
            raise ValueError(
                f"`found` must annotate the same tokens. Received: "
                f"{len(said.tokens)} tokens in document {number}, where `gold` has "
                f"{len(right.tokens)}"
            )
        marked = {span for cluster in right.clusters for span in cluster}
        key += _clusters(number, right)
        response += [
            cluster
            for cluster in _clusters(number, said)
            if not within_gold or any(span[1:] in marked for span in cluster)
        ]
    return CorefScores(
        _score(scorch.muc, key, response),
        _score(scorch.b_cubed, key, response),
        _score(scorch.ceaf_e, key, response),
        _mention_score(key, response),
    )


def _clusters(number: int, annotation: Annotation) -> list[_Cluster]:
    """The clusters with links; spans carry the document's number."""
    return [
        {(number, *span) for span in cluster}
        for cluster in annotation.clusters
        if len(cluster) > 1
    ]


def _score(
    measure: Callable[..., tuple[float, float, float]],
    key: list[_Cluster],
    response: list[_Cluster],
) -> Score:
    # Without a common mention all three are 0; scorch divides by zero there.
    if not set().union(*key) & set().union(*response):
        return Score(0.0, 0.0, 0.0)
    return Score(*map(float, measure(key, response)))


def _mention_score(key: list[_Cluster], response: list[_Cluster]) -> Score:
    right, said = set().union(*key), set().union(*response)
    both = len(right & said)
    return Score(
        both / max(len(right), 1),
        both / max(len(said), 1),
        2 * both / max(len(right) + len(said), 1),
    )
