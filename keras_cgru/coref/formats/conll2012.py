"""Files in the form of the CoNLL-2012 shared task.

A document is a `#begin document (name); part 000`, one token a line, an empty line
behind each sentence, and `#end document`. The third column counts the tokens of a
sentence from 0, the fourth holds the word, the last the coreference: `(3` where a
mention of cluster 3 starts, `3)` where one ends, `(3)` for one token, several joined by
`|`, and `-`, `_` or nothing for none. Cluster numbers restart in each document and
part. A line that holds a tab is split at each tab, so that its last column may be
empty, as in the 13 columns of LitBank; any other at runs of blanks.

Where mentions of one cluster nest, an end belongs to the one that started last.

Reference:
    Pradhan et al. (2012), "CoNLL-2012 Shared Task: Modeling Multilingual Unrestricted
    Coreference in OntoNotes", https://aclanthology.org/W12-4501, and
    https://conll.cemantix.org/2012/data.html; Bamman, Lewke and Mansoor (2020), "An
    Annotated Dataset of Coreference in English Literature",
    https://aclanthology.org/2020.lrec-1.6.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from itertools import combinations

from keras_cgru.coref.annotation import Annotation, Cluster
from keras_cgru.coref.document import Document
from keras_cgru.coref.formats.fields import refuse
from keras_cgru.coref.formats.open_document import PLACEHOLDER, OpenDocument
from keras_cgru.coref.formats.records import Record, documents_of, parse_each
from keras_cgru.files.atomic_write import atomic_write
from keras_cgru.files.text_lines import read_lines_or_errors

_BEGIN = re.compile(r"#begin document \((.*)\); part (\d{1,9})\s*")
_END = re.compile(r"#end document\s*")
_PART = re.compile(r"(.*); part (\d{1,9})")
# Document, part, token, word and, somewhere behind, coreference.
_MIN_COLUMNS = 5
# Others split rows at blanks, ours at tabs; a NUL and half a character are no text. A
# no-break space may stand in a word, as in the reader.
_NOT_A_WORD = re.compile(r"^$|[ \t\n\r\v\f\0\ud800-\udfff]")
# What the shared task has between the word and the coreference.
_UNKNOWN = ["-"] * 7
# Its place, and the line or what is wrong with it.
_Line = tuple[str, str | ValueError]


def conll2012_records(path: str | os.PathLike[str]) -> Iterator[Record]:
    """Yields the documents of a file, and stretches of it that are none.

    They are named as in the file; "; part 1" and so on is added to the name of every
    part but the first, part 0.

    Raises:
        ValueError: There is no document at all.
    """
    empty = True
    for record in parse_each(_blocks(path), _document, _name_of):
        empty = False
        yield record
    if empty:
        refuse(os.fspath(path), "must hold a document", "none")


def read_conll2012(path: str | os.PathLike[str]) -> list[Document]:
    """Reads a file of CoNLL-2012 or of LitBank.

    Returns:
        The documents, named as `conll2012_records` says.

    Raises:
        ValueError: The file is broken: a row without enough columns or out of order,
            a bracket that nothing opens or closes, a document that does not end, words
            that were never filled in, or no document at all. The message names file
            and line.
    """
    return documents_of(conll2012_records, path)


def write_conll2012(
    path: str | os.PathLike[str], documents: Iterable[Document]
) -> None:
    """Writes the twelve columns of CoNLL-2012, parted by tabs, `-` for all unknown.

    Raises:
        ValueError: A document cannot be written so that it is read again as it is: its
            name or a token is empty or holds a blank, a tab, an end of line, a NUL or a
            lone surrogate, its name ends like that of a part but is not, or two
            mentions of a cluster cross.
    """
    with atomic_write(path) as file:
        for document in documents:
            for line in _lines(document):
                file.write(line.encode("utf-8") + b"\n")


def _blocks(path: str | os.PathLike[str]) -> Iterator[tuple[str, list[_Line]]]:
    """The lines of each document, up to its end or the beginning of another."""
    block: list[_Line] = []
    for number, line in read_lines_or_errors(path):
        where = f"{os.fspath(path)}:{number}"
        begins = isinstance(line, str) and _BEGIN.fullmatch(line)
        if begins and block:
            yield block[0][0], [*block, (where, line)]
            block = []
        if block or isinstance(line, ValueError) or line.strip():
            block.append((where, line))
        if isinstance(line, str) and _END.fullmatch(line):
            yield block[0][0], block
            block = []
    if block:
        yield block[0][0], block


def _document(where: str, block: list[_Line], number: int) -> Document:
    current: OpenDocument | None = None
    for here, line in block:
        if isinstance(line, ValueError):
            raise line
        begin = _BEGIN.fullmatch(line)
        if current is None:
            if not begin:
                refuse(here, "must be `#begin document (name); part 000`", repr(line))
            current = OpenDocument(_id(begin[1], int(begin[2])), here)
        elif begin:
            refuse(here, f"{current.id!r} must end before another begins", line)
        elif _END.fullmatch(line):
            return current.close(here)
        elif line.strip():
            current.add(here, _columns(here, line))
        else:
            current.end_sentence()
    assert current is not None  # A block has a line.
    refuse(where, f"{current.id!r} must have an `#end document`", "none")


def _name_of(block: list[_Line]) -> str | None:
    begin = _BEGIN.fullmatch(str(block[0][1]))
    return _id(begin[1], int(begin[2])) if begin else None


def _columns(where: str, line: str) -> list[str]:
    # str.split() would break at a no-break space, which words do hold.
    columns = line.split("\t") if "\t" in line else re.split(" +", line.strip(" "))
    if len(columns) < _MIN_COLUMNS:
        refuse(where, f"a row must have at least {_MIN_COLUMNS} columns", repr(line))
    return columns


def _id(name: str, part: int) -> str:
    return name if part == 0 else f"{name}; part {part}"


def _name_and_part(id: str) -> tuple[str, int]:
    match = _PART.fullmatch(id)
    name, part = (match[1], int(match[2])) if match else (id, 0)
    if _id(name, part) != id:
        rule = "the part of a name must be from 1, without leading zeros"
        refuse(f"document {id!r}", rule, repr(id))
    return name, part


def _lines(document: Document) -> Iterator[str]:
    annotation = document.annotation
    name, number = _name_and_part(document.id)
    for cluster in annotation.clusters:
        _check_nesting(document.id, cluster)
    for text in (name, *annotation.tokens):
        if _NOT_A_WORD.search(text) or text == PLACEHOLDER:
            rule = "names and tokens must be text without white space and not empty"
            refuse(f"document {document.id!r}", rule, repr(text))
    cells = _cells(annotation)
    yield f"#begin document ({name}); part {number:03d}"
    for start, end in annotation.sentences:
        for index, token in enumerate(annotation.tokens[start:end]):
            row = [
                name,
                str(number),
                str(index),
                token,
                *_UNKNOWN,
                cells[start + index],
            ]
            yield "\t".join(row)
        yield ""
    yield "#end document"


def _check_nesting(id: str, cluster: Cluster) -> None:
    for one, other in combinations(cluster, 2):
        if one[0] < other[0] < one[1] < other[1]:
            rule = "two mentions of a cluster must not cross"
            refuse(f"document {id!r}", rule, f"{one} and {other}")


def _cells(annotation: Annotation) -> list[str]:
    opened: list[list[tuple[int, str]]] = [[] for _ in annotation.tokens]
    closed: list[list[tuple[int, str]]] = [[] for _ in annotation.tokens]
    single: list[list[str]] = [[] for _ in annotation.tokens]
    for number, cluster in enumerate(annotation.clusters):
        for start, end in cluster:
            if end - start == 1:
                single[start].append(f"({number})")
            else:
                opened[start].append((-end, f"({number}"))
                closed[end - 1].append((-start, f"{number})"))
    # Outer mentions open first and close last.
    return [
        "|".join(
            [
                *(cell for _, cell in sorted(closed[token])),
                *(cell for _, cell in sorted(opened[token])),
                *single[token],
            ]
        )
        or "-"
        for token in range(len(annotation.tokens))
    ]
