"""WikiHop as a kind of input for `tools/annotate.py`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from keras_cgru.coref.annotating.inputs.input_kind import InputKind, one_by_one
from keras_cgru.coref.annotating.raw_document import RawDocument
from keras_cgru.data.wikihop.record import id_and_supports, read_items
from keras_cgru.data.wikihop.written_document import join_supports, support_order


def _read(path: Path) -> Iterator[RawDocument]:
    """A record is a document: its supports in the order in which readers take them.

    The text is that which `WrittenDocument.of` tokenises; the workers do it here, too.
    Question, candidates and supports go along with it.
    """
    for number, (where, content) in enumerate(read_items(path)):
        try:
            id, supports = id_and_supports(content, where)
        except ValueError as error:
            yield RawDocument(f"record {number}", error=str(error), file=str(path))
            continue
        text = join_supports(supports, support_order(len(supports), id))
        record = json.dumps(content)  # In ASCII: half a surrogate pair may be in it.
        yield RawDocument(id, text=text, record=record, file=str(path))


def _size(path: Path) -> int:
    """The characters of all texts, counted without holding them."""
    return sum(document.size for document in _read(path))


def _largest(path: Path) -> int:
    return max(document.size for document in _read(path))


WIKIHOP = InputKind(
    "wikihop",
    one_by_one(_read),
    fits=lambda name: name.endswith(".json"),
    size=_size,
    largest=_largest,
    tokenises=True,
)
