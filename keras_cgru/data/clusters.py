"""The one way in which examples come by the clusters of their tokens."""

from __future__ import annotations

import zlib
from dataclasses import replace

import numpy as np

from keras_cgru.coref.perturb import drop_mentions
from keras_cgru.coref.perturb import random_links as link_at_random
from keras_cgru.coref.resolver import Resolver
from keras_cgru.coref.token_clusters import token_clusters
from keras_cgru.data.example import Example
from keras_cgru.data.read_result import ReadResult

# Perturbed coreference is the same for every model and seed, so that runs compare.
PERTURBATION_SEED = 2018


def with_clusters(
    result: ReadResult,
    resolver: Resolver | None = None,
    num_clusters: int | None = None,
    random_links: bool = False,
    dropped_mentions: float = 0.0,
) -> ReadResult:
    """Gives examples the clusters that a resolver finds, perturbed on request.

    Document and query are resolved as one text, without the answer, whose cluster
    would give it away. Where the metadata has `sentence_starts` of the document, the
    resolver gets these, and the query's start as one more.

    Args:
        result: The examples.
        resolver: Finds the clusters: a sieve, exact matches, or
            `keras_cgru.coref.annotating.StoredAnnotations` of files that another
            system wrote. None keeps those that the examples have.
        num_clusters: At most so many clusters an example; see `token_clusters`.
        random_links: Whether as many tokens are linked as before, but any tokens.
        dropped_mentions: The share of the mentions that lose their cluster, in [0, 1].
            What is dropped or linked depends on the example's id alone.

    Returns:
        The examples, and how many clusters did not fit.

    Raises:
        ValueError: The resolver annotates other tokens than it was given, or
            `dropped_mentions` is out of its range.
    """
    examples, num_dropped = list(result.examples), result.num_dropped_clusters
    if resolver is not None:
        found = [_resolve(example, resolver, num_clusters) for example in examples]
        examples = [example for example, _ in found]
        num_dropped = sum(dropped for _, dropped in found)
    if random_links or dropped_mentions:
        examples = [_perturb(each, random_links, dropped_mentions) for each in examples]
    return replace(result, examples=tuple(examples), num_dropped_clusters=num_dropped)


def _resolve(
    example: Example, resolver: Resolver, num_clusters: int | None
) -> tuple[Example, int]:
    text = example.document + example.query
    starts = example.metadata.get("sentence_starts")
    if starts is not None and example.query:
        starts = [*starts, len(example.document)]
    annotation = resolver.resolve(text, starts)
    if annotation.tokens != text:
        raise ValueError(
            f"{example.id}: the resolver must annotate the tokens that it is given "
            f"({len(text)}). Received: {len(annotation.tokens)} tokens, or others"
        )
    found = token_clusters(annotation, num_clusters)
    return _with_ids(example, found.ids), found.num_dropped_clusters


def _perturb(example: Example, random_links: bool, dropped_mentions: float) -> Example:
    name = zlib.crc32(example.id.encode("utf-8", "surrogatepass"))
    random = np.random.default_rng((PERTURBATION_SEED, name))
    ids = example.document_clusters + example.query_clusters
    if random_links:
        ids = link_at_random(ids, random)
    return _with_ids(example, drop_mentions(ids, dropped_mentions, random))


def _with_ids(example: Example, ids: tuple[int, ...]) -> Example:
    length = len(example.document)
    return replace(example, document_clusters=ids[:length], query_clusters=ids[length:])
