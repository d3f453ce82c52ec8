"""Reads LAMBADA as a reading task: choose the last word from the context.

The set-up is that of Chu et al. 2017, "Broad Context Language Modeling as Reading
Comprehension": the last sentence without its last word is the query, all before it
the document, its last word the answer, and the words of the document that are on no
stop list the candidates.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Sequence
from itertools import islice

from keras_cgru.coref.annotation import Annotation
from keras_cgru.coref.resolver import Resolver
from keras_cgru.coref.text.stop_words import STOP_WORDS
from keras_cgru.coref.token_clusters import token_clusters
from keras_cgru.data.example import Example
from keras_cgru.data.lambada.last_sentence import last_sentence_start
from keras_cgru.data.lambada.version import check_tokenised
from keras_cgru.data.read_result import ReadResult
from keras_cgru.data.unusable_passage import UnusablePassage
from keras_cgru.files import read_lines

# The number of clusters of the paper's LAMBADA experiments.
NUM_CLUSTERS = 15


def split_passage(
    tokens: Sequence[str],
) -> tuple[tuple[str, ...], tuple[str, ...], str]:
    """Cuts a passage into document, query and answer.

    Args:
        tokens: The passage; its last token is the word to be guessed.

    Returns:
        The tokens of the document, those of the query, the answer.

    Raises:
        UnusablePassage: There is no document ("one sentence only") or the last
            sentence is the answer alone ("empty query").
    """
    start = last_sentence_start(tokens)
    if start == 0:
        raise UnusablePassage("one sentence only")
    if start == len(tokens) - 1:
        raise UnusablePassage("empty query")
    return tuple(tokens[:start]), tuple(tokens[start:-1]), tokens[-1]


def candidate_words(
    document: Sequence[str], stop_words: Collection[str] = STOP_WORDS
) -> tuple[tuple[str], ...]:
    """The distinct words of a document less a stop list, by first occurrence."""
    return tuple((word,) for word in dict.fromkeys(document) if word not in stop_words)


def read_lambada(
    path: str | os.PathLike[str],
    resolver: Resolver | None = None,
    stop_words: Collection[str] = STOP_WORDS,
    limit: int | None = None,
    split: str = "test",
    num_clusters: int = NUM_CLUSTERS,
) -> ReadResult:
    """Reads a file of LAMBADA passages, one a line, tokenised as in the archive.

    The resolver sees document and query but never the answer: its cluster would give
    the answer away.

    Args:
        path: The file.
        resolver: Gives the clusters; None leaves every token without one.
        stop_words: Words that are no candidates.
        limit: Reads only that many passages from the start of the file.
        split: The first part of the ids: "test" gives "test-00000", ...
        num_clusters: At most so many clusters a passage; see `token_clusters`.

    Returns:
        The usable examples, and how many passages cannot be used for which reason:
        "one sentence only", "empty query", "answer is a stop word", "answer not in
        document".

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: The file holds no passage, is not UTF-8, or is, in whole or in
            part, the raw version of the text.
    """
    if limit is not None and limit < 1:
        raise ValueError(f"`limit` must be at least 1. Received: limit={limit}")
    passages = _read_passages(path, limit)
    stop_words = frozenset(stop_words)
    examples: list[Example] = []
    skipped: Counter[str] = Counter()
    num_dropped = 0
    for index, tokens in enumerate(passages):
        id = f"{split}-{index:05d}"
        try:
            example, dropped = _to_example(
                id, index, tokens, resolver, stop_words, num_clusters
            )
        except UnusablePassage as error:
            skipped[error.reason] += 1
        else:
            examples.append(example)
            num_dropped += dropped
    return ReadResult(
        examples=tuple(examples),
        num_total=len(passages),
        skipped=dict(sorted(skipped.items())),
        source=os.fspath(path),
        num_dropped_clusters=num_dropped,
        text_version="tokenised",
    )


def _read_passages(
    path: str | os.PathLike[str], limit: int | None
) -> list[tuple[str, ...]]:
    # The whole file is looked at even under a limit: a mix must not depend on it.
    lines = [(number, line) for number, line in read_lines(path) if line.strip()]
    if not lines:
        raise ValueError(
            f"{os.fspath(path)}: must hold one passage a line. Received: no passage"
        )
    check_tokenised(path, lines)
    return [tuple(line.split()) for _, line in islice(lines, limit)]


def _to_example(
    id: str,
    index: int,
    tokens: tuple[str, ...],
    resolver: Resolver | None,
    stop_words: frozenset[str],
    num_clusters: int,
) -> tuple[Example, int]:
    document, query, answer = split_passage(tokens)
    if answer in stop_words:
        raise UnusablePassage("answer is a stop word")
    if answer not in document:
        raise UnusablePassage("answer not in document")
    text = document + query
    annotation = Annotation(text) if resolver is None else resolver.resolve(text)
    if annotation.tokens != text:
        raise ValueError(
            f"{id}: the resolver must annotate the tokens that it is given "
            f"({len(text)}). Received: {len(annotation.tokens)} tokens, or others"
        )
    found = token_clusters(annotation, num_clusters)
    example = Example(
        id=id,
        document=document,
        query=query,
        candidates=candidate_words(document, stop_words),
        answer=(answer,),
        document_clusters=found.ids[: len(document)],
        query_clusters=found.ids[len(document) :],
        metadata={"passage": index},
    )
    return example, found.num_dropped_clusters
