"""Shows an annotation to a reader."""

from __future__ import annotations

from keras_cgru.coref.annotation import Annotation


def bracketed(annotation: Annotation) -> str:
    """Writes a text with its mentions in brackets that carry the cluster's number.

    Args:
        annotation: The text and its clusters.

    Returns:
        One line a sentence. Clusters are numbered from 1 by first mention.

    Example:

    >>> tokens = "mary saw her cat . it slept .".split()
    >>> clusters = (((0, 1), (2, 3)), ((2, 4), (5, 6)))
    >>> print(bracketed(Annotation(tokens, clusters, (0, 5))))
    [mary]1 saw [[her]1 cat]2 .
    [it]2 slept .
    """
    opening = [0] * len(annotation.tokens)
    closing: list[list[tuple[int, int]]] = [[] for _ in annotation.tokens]
    for number, cluster in enumerate(annotation.clusters, start=1):
        for start, end in cluster:
            opening[start] += 1
            closing[end - 1].append((-start, number))
    words = [
        "[" * opens + token + "".join(f"]{number}" for _, number in sorted(closes))
        for token, opens, closes in zip(
            annotation.tokens, opening, closing, strict=True
        )
    ]
    return "\n".join(" ".join(words[a:b]) for a, b in annotation.sentences)
