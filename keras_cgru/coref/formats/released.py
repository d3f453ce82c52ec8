"""The files that the released Coref-GRU code reads.

For WikiHop a line is a JSON object: `document`, tokens parted by blanks; `mentions`,
half-open spans; `coref_onehot`, chains of [previous mention, relation, next mention];
`id`; and `query`, `answer`, `candidates`, `annotations`, which are the question's.

For LAMBADA there are two files, side by side: `NAME.data` holds a passage a line, with
its query and answer, and `NAME.coref_onehot` a JSON list of chains of [previous token,
relation, next token], whose tokens are those of the whole passage. What of a mention
these can say stands in `keras_cgru.coref.chains`.

Reference:
    https://github.com/bdhingra/coref-gru, `utils/DataPreprocessor.py` and
    `utils/MiniBatchLoader.py`, branches master (WikiHop) and lambada.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest
from pathlib import Path
from typing import Any

from keras_cgru.coref.chains import (
    mention_chains,
    spans_of_mention_chains,
    spans_of_token_chains,
    token_chains,
)
from keras_cgru.coref.document import Document
from keras_cgru.coref.formats.fields import (
    check_kind,
    check_span,
    make_document,
    refuse,
    take,
)
from keras_cgru.coref.formats.json_records import (
    parse_json_list,
    read_json_lines,
    write_json_lines,
)
from keras_cgru.coref.formats.records import Record, documents_of, parse_each
from keras_cgru.files.atomic_write import atomic_write
from keras_cgru.files.text_lines import read_lines_or_errors

_CHAINS_SUFFIX = ".coref_onehot"
_TEXT_SUFFIX = ".data"
# The tokens are what Python's str.split() gives, as in the released code.
_NOT_A_TOKEN = re.compile(r"^$|\s")


def read_released_wikihop(path: str | os.PathLike[str]) -> list[Document]:
    """Reads the annotated documents of `training.json` or `validation.json`.

    Returns:
        The documents by the records' `id`. Sentences are not in these files.

    Raises:
        ValueError: The file is broken; the message names file and line.
    """
    return documents_of(released_wikihop_records, path)


def released_wikihop_records(path: str | os.PathLike[str]) -> Iterator[Record]:
    """Yields the same documents, and what is none."""
    return parse_each(read_json_lines(path), _read_question)


def write_released_wikihop(
    path: str | os.PathLike[str],
    documents: Iterable[Document],
    questions: Mapping[str, Mapping[str, Any]] | None = None,
) -> None:
    """Writes a file in the form of `training.json`.

    Args:
        path: The file.
        documents: What to write.
        questions: Further fields by document name. The released code wants `query`
            (tokens parted by blanks), `answer`, `candidates` (lists of tokens) and
            `annotations`; without them the file holds only the annotation.

    Raises:
        ValueError: A token is empty or holds white space.
    """
    write_json_lines(
        path,
        (
            {**(questions or {}).get(document.id, {}), **_question(document)}
            for document in documents
        ),
    )


def read_released_lambada(path: str | os.PathLike[str]) -> list[Document]:
    """Reads `NAME.coref_onehot` and the passages of `NAME.data` beside it.

    Returns:
        A document a passage, named by its place, from "0", with its whole text: the
        answer is the last token. Sentences are not in these files.

    Raises:
        ValueError: `path` has another suffix, a file is broken, or one is longer than
            the other; the message names file and line.
    """
    return documents_of(released_lambada_records, path)


def released_lambada_records(path: str | os.PathLike[str]) -> Iterator[Record]:
    """Yields the same documents, and what is none.

    Raises:
        ValueError: One file is longer than the other: then nobody knows which chains
            belong to which passage.
    """
    return parse_each(_pairs(path), _read_passage, lambda pair: None)


def write_released_lambada(
    path: str | os.PathLike[str], documents: Iterable[Document]
) -> None:
    """Writes `NAME.coref_onehot`, and the passages into `NAME.data` beside it.

    Names and sentences are not written, and of the first and the last mention of a
    cluster only the token at which an edge leaves or enters.

    Raises:
        ValueError: `path` has another suffix, or a token is empty or holds white space.
    """
    with atomic_write(passages_path(path)) as passages, atomic_write(path) as chains:
        for document in documents:
            passages.write(_text(document).encode("utf-8") + b"\n")
            line = json.dumps(token_chains(document.annotation))
            chains.write(line.encode("utf-8") + b"\n")


def passages_path(path: str | os.PathLike[str]) -> Path:
    """The `NAME.data` beside a `NAME.coref_onehot`.

    Raises:
        ValueError: `path` has another suffix.
    """
    path = Path(path)
    if path.suffix != _CHAINS_SUFFIX:
        raise ValueError(
            f"`path` must end in {_CHAINS_SUFFIX}, with the passages in a "
            f"{_TEXT_SUFFIX} beside it. Received: {path}"
        )
    return path.with_suffix(_TEXT_SUFFIX)


def _pairs(path: str | os.PathLike[str]) -> Iterator[tuple[str, Any]]:
    passages = read_lines_or_errors(passages_path(path))
    both = zip_longest(passages, read_lines_or_errors(path), fillvalue=None)
    for number, (text, chains) in enumerate(both, start=1):
        where = f"{os.fspath(path)}:{number}"
        if text is None or chains is None:
            missing = passages_path(path) if text is None else Path(path)
            rule = "passages and lines of chains must be equally many"
            refuse(where, rule, f"{missing.name} ends before")
        broken = next((e for _, e in (text, chains) if isinstance(e, ValueError)), None)
        yield where, broken or (text[1], chains[1], os.fspath(path))


def _read_passage(where: str, pair: tuple[str, str, str], number: int) -> Document:
    text, chains, source = pair
    tokens = text.split()
    parsed = parse_json_list(chains, source, number + 1)
    clusters = spans_of_token_chains(_check_chains(where, parsed, (0, len(tokens))))
    return make_document(where, str(number), tokens, clusters)


def _read_question(where: str, record: dict[str, Any], number: int) -> Document:
    tokens = take(where, record, "document", str).split()
    mentions = [
        check_span(where, "mentions", span, len(tokens), end_inclusive=False)
        for span in take(where, record, "mentions", list)
    ]
    chains = _check_chains(
        where, take(where, record, "coref_onehot", list), (-1, len(mentions))
    )
    clusters = spans_of_mention_chains(mentions, chains)
    id = take(where, record, "id", str)
    return make_document(where, id, tokens, clusters)


def _question(document: Document) -> dict[str, Any]:
    mentions, chains = mention_chains(document.annotation)
    return {
        "id": document.id,
        "document": _text(document),
        "mentions": mentions,
        "coref_onehot": chains,
    }


def _check_chains(
    where: str, chains: list[Any], ends: tuple[int, int]
) -> list[list[list[int]]]:
    """Checks the items of chains; both ends must lie in a range."""
    for chain in chains:
        for item in check_kind(where, "coref_onehot[]", chain, list):
            item = check_kind(where, "coref_onehot[][]", item, list)
            if len(item) != 3:
                refuse(where, "an item must be [previous, relation, next]", item)
            for each in item:
                check_kind(where, "coref_onehot[][][]", each, int)
            if not all(ends[0] <= each < ends[1] for each in item[::2]):
                rule = f"both ends of an item must be from {ends[0]} to {ends[1] - 1}"
                refuse(where, rule, item)
    return chains


def _text(document: Document) -> str:
    for token in document.annotation.tokens:
        if _NOT_A_TOKEN.search(token):
            rule = "tokens must be without white space and not empty"
            refuse(f"document {document.id!r}", rule, repr(token))
    return " ".join(document.annotation.tokens)
