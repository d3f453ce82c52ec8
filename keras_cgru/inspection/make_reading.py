"""Readings made of what the package has: an example, or an annotated text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from keras_cgru.coref.annotation import Annotation
from keras_cgru.coref.token_clusters import token_clusters
from keras_cgru.inspection.answer import Answer
from keras_cgru.inspection.checks import as_sequence, refuse
from keras_cgru.inspection.passage import Passage
from keras_cgru.inspection.reading import Reading

if TYPE_CHECKING:
    from keras_cgru.data.example import Example

# Mentions nest three deep at most in the texts seen; deeper ones lose the outermost.
MAX_NESTED = 4


def reading_of_example(
    example: Example,
    probabilities: Sequence[float] = (),
    attention: Sequence[float] = (),
    alpha: Mapping[Any, Sequence[float | None]] | None = None,
    query_alpha: Mapping[Any, Sequence[float | None]] | None = None,
    answers: Sequence[Answer] = (),
    title: str = "",
    labels: Mapping[str, str] | None = None,
) -> Reading:
    """Puts an example and what a reader gave for it together.

    Values behind the example's own tokens and candidates are taken for padding, so rows
    of a batch can be given as they are.

    Args:
        example: What was asked.
        probabilities: One a candidate; left out where no reader was asked.
        attention: The answer's probability on each document token, see `Passage`.
        alpha: Weights of the document's passes, see `Passage`.
        query_alpha: The same of the query's.
        answers: In place of the candidates, where the reader answers otherwise: a list
            given word by word, or the best few of very many.
        title: See `Reading`.
        labels: See `Reading`. "data: simulated" is added where the example's metadata
            says so.

    Raises:
        ValueError: Both `probabilities` and `answers` are given, something is shorter
            than the example, or is no probability.
    """
    document, query = example.document, example.query
    if len(probabilities) and answers:
        refuse("answers", "be left out where `probabilities` are given", answers)
    chances = _unpadded("probabilities", probabilities, len(example.candidates))
    positions = example.candidate_positions()
    document_clusters: Any = example.document_clusters
    query_clusters: Any = example.query_clusters
    candidates = tuple(map(Answer, example.candidates, chances, positions))
    known = {"data": "simulated"} if example.metadata.get("simulated") else {}
    return Reading(
        id=example.id,
        document=Passage(
            document,
            document_clusters,
            _unpadded_passes(alpha, len(document)),
            tuple(_unpadded("attention", attention, len(document))),
        ),
        query=Passage(query, query_clusters, _unpadded_passes(query_alpha, len(query))),
        answers=tuple(answers) or candidates,
        gold=example.answer,
        title=title,
        labels={**known, **(labels or {})},
    )


def reading_of_annotation(
    id: str,
    annotation: Annotation,
    alpha: Mapping[Any, Sequence[float | None]] | None = None,
    title: str = "",
    labels: Mapping[str, str] | None = None,
) -> Reading:
    """Shows a text and its clusters alone, nested mentions included.

    Args:
        id: A name for the text.
        annotation: Its tokens and clusters.
        alpha: Weights of the passes of a layer that read it, see `Passage`.
        title: See `Reading`.
        labels: See `Reading`.
    """
    clusters: Any = token_clusters(annotation, k=MAX_NESTED).ids
    tokens = annotation.tokens
    passes = _unpadded_passes(alpha, len(tokens))
    document = Passage(tokens, clusters, passes)
    return Reading(id, document, title=title, labels=labels or {})


def _unpadded_passes(
    alpha: Mapping[Any, Sequence[float | None]] | None, length: int
) -> Any:
    passes = (alpha or {}).items()
    return {key: _unpadded("alpha", values, length) for key, values in passes}


def _unpadded(name: str, values: Any, length: int) -> list[Any]:
    values = as_sequence(name, values)
    if values and len(values) < length:
        refuse(name, f"hold at least {length} values", f"{len(values)} values")
    return values[:length]
