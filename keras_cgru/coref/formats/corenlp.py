"""What Stanford CoreNLP writes with `-outputFormat json`.

`sentences` have an `index` that counts from 0, their `tokens` one that counts from 1.
In `corefs`, an object of chains, a mention has `sentNum` and `startIndex`, both
counting from 1, and `endIndex`, the position **behind** its last token. So all three
shapes of counting meet in one file; each is checked.

Reference:
    `edu/stanford/nlp/pipeline/JSONOutputter.java`, version 4.5.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from itertools import accumulate, chain
from typing import Any, NoReturn

from keras_cgru.coref.annotation import Annotation, Span
from keras_cgru.coref.document import Document
from keras_cgru.coref.formats.fields import (
    check_kind,
    make_document,
    optional_id,
    refuse,
    take,
)
from keras_cgru.coref.formats.json_records import (
    parse_json,
    read_json_records,
    write_json_lines,
)
from keras_cgru.coref.formats.records import Record, documents_of, parse_each


def corenlp_records(path: str | os.PathLike[str]) -> Iterator[Record]:
    """Yields the objects of CoreNLP's JSON, one in a file or one a line.

    The documents are named by their `docId` or else by their place in the file.
    """
    return parse_each(
        read_json_records(path), _document, lambda record: record.get("docId")
    )


def read_corenlp(path: str | os.PathLike[str]) -> list[Document]:
    """Reads CoreNLP's JSON: one object in a file, or one a line.

    Raises:
        ValueError: The file is broken; the message names file and line.
    """
    return documents_of(corenlp_records, path)


def parse_corenlp(text: str, source: str) -> Annotation:
    """Parses one object; see `parse_corenlp_document`."""
    return parse_corenlp_document(text, source).annotation


def parse_corenlp_document(text: str, source: str) -> Document:
    """Parses one object that a server sent.

    Args:
        text: The answer.
        source: Where it came from, for messages.

    Raises:
        ValueError: It is broken, no JSON at all, or without coreference, for which the
            server was asked; the message names the line.
    """
    record = parse_json(text, source)
    document = _document(f"{source}:1", record, 0)
    if document.lacks_clusters:
        _refuse_without(f"{source}:1", record)
    return document


def write_corenlp(path: str | os.PathLike[str], documents: Iterable[Document]) -> None:
    """Writes one object a line, with the fields that an annotation can fill.

    Raises:
        ValueError: A mention runs over the end of a sentence, which this form cannot
            say.
    """
    write_json_lines(path, (_record(document) for document in documents))


def _document(where: str, record: dict[str, Any], number: int) -> Document:
    sentences = [
        _sentence(f"{where}: sentences[{number}]", number, sentence)
        for number, sentence in enumerate(take(where, record, "sentences", list))
    ]
    starts = list(accumulate(map(len, sentences), initial=0))
    # The key is written where the annotator `coref` has set something.
    lacks_clusters = "corefs" not in record
    if lacks_clusters and not sentences:
        _refuse_without(where, record)
    corefs = {} if lacks_clusters else take(where, record, "corefs", dict)
    clusters = [
        [
            _span(f"{where}: corefs.{name}[{number}]", mention, sentences, starts)
            for number, mention in enumerate(
                check_kind(where, f"corefs.{name}", mentions, list)
            )
        ]
        for name, mentions in corefs.items()
    ]
    filled = [start for start, each in zip(starts, sentences, strict=False) if each]
    return make_document(
        where,
        optional_id(where, record, number, "docId"),
        chain.from_iterable(sentences),
        clusters,
        filled,
        lacks_clusters,
    )


def _refuse_without(where: str, record: dict[str, Any]) -> NoReturn:
    rule = "must have `corefs`, which the annotator `coref` adds"
    refuse(where, rule, f"only {sorted(record)}")


def _sentence(where: str, number: int, sentence: Any) -> list[str]:
    sentence = check_kind(where, "sentence", sentence, dict)
    index = take(where, sentence, "index", int)
    if index != number:
        refuse(where, f"`index` must be {number}, counted from 0", str(index))
    words = []
    for position, token in enumerate(take(where, sentence, "tokens", list), start=1):
        token = check_kind(where, "tokens[]", token, dict)
        index = take(where, token, "index", int)
        if index != position:
            refuse(
                where,
                f"`tokens[].index` must be {position}, counted from 1",
                str(index),
            )
        words.append(take(where, token, "word", str))
    return words


def _span(
    where: str, mention: Any, sentences: list[list[str]], starts: list[int]
) -> Span:
    mention = check_kind(where, "mention", mention, dict)
    number, start, end = (
        take(where, mention, name, int)
        for name in ("sentNum", "startIndex", "endIndex")
    )
    if not 1 <= number <= len(sentences):
        rule = f"`sentNum` must be from 1 to {len(sentences)}"
        refuse(where, rule, str(number))
    length = len(sentences[number - 1])
    if not 1 <= start < end <= length + 1:
        refuse(
            where,
            f"1 <= `startIndex` < `endIndex` <= {length + 1} must hold: sentence "
            f"{number} has {length} tokens, and the end is one behind",
            f"startIndex={start}, endIndex={end}",
        )
    return starts[number - 1] + start - 1, starts[number - 1] + end - 1


def _record(document: Document) -> dict[str, Any]:
    annotation = document.annotation
    ids = iter(range(1, 1 + sum(map(len, annotation.clusters))))
    corefs = {}
    for cluster in annotation.clusters:
        mentions = [_mention(document, next(ids), span) for span in cluster]
        mentions[0]["isRepresentativeMention"] = True
        # As CoreNLP does, a chain bears the id of a mention of its own.
        corefs[str(mentions[0]["id"])] = mentions
    return {
        "docId": document.id,
        "sentences": [
            {
                "index": index,
                "tokens": [
                    {"index": position, "word": word, "originalText": word}
                    for position, word in enumerate(annotation.tokens[start:end], 1)
                ],
            }
            for index, (start, end) in enumerate(annotation.sentences)
        ],
        "corefs": corefs,
    }


def _mention(document: Document, id: int, span: Span) -> dict[str, Any]:
    for number, (start, end) in enumerate(document.annotation.sentences, start=1):
        if start <= span[0] and span[1] <= end:
            return {
                "id": id,
                "text": " ".join(document.annotation.tokens[slice(*span)]),
                "startIndex": span[0] - start + 1,
                "endIndex": span[1] - start + 1,
                "sentNum": number,
                "isRepresentativeMention": False,
            }
    raise ValueError(
        f"document {document.id!r}: a mention must lie within one sentence to be "
        f"written for CoreNLP. Received: {span}"
    )
