"""Takes the fields of records apart, with errors that say where."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, NoReturn, TypeVar

from keras_cgru.coref.annotation import Annotation, Span
from keras_cgru.coref.document import Document
from keras_cgru.coref.tidy_clusters import tidy_clusters

T = TypeVar("T")
# Halves of a character, which JSON can hold and UTF-8 cannot.
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_KINDS = {list: "a list", dict: "an object", str: "a string", int: "an integer"}


def refuse(where: str, rule: str, received: object) -> NoReturn:
    """Raises `ValueError` with the place, the rule, and the start of what came."""
    text = received if isinstance(received, str) else repr(received)
    raise ValueError(f"{where}: {rule}. Received: {text[:80]}")


def check_kind(where: str, name: str, value: Any, kind: type[T]) -> T:
    """Returns a value of JSON if it is of a kind; true and false are no integers."""
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        refuse(where, f"`{name}` must be {_KINDS[kind]}", repr(value))
    if isinstance(value, str) and (half := _SURROGATE.search(value)):
        part = value[max(half.start() - 20, 0) : half.end() + 20]
        refuse(where, f"`{name}` must be without lone surrogates", repr(part))
    return value


def take(where: str, record: dict[str, Any], name: str, kind: type[T]) -> T:
    """Returns a field that must be there."""
    if name not in record:
        refuse(where, f"a record must have `{name}`", f"only {sorted(record)}")
    return check_kind(where, name, record[name], kind)


def take_strings(where: str, record: dict[str, Any], name: str) -> tuple[str, ...]:
    """Returns a field that must be a list of strings."""
    strings = take(where, record, name, list)
    return tuple(check_kind(where, f"{name}[]", each, str) for each in strings)


def take_clusters(
    where: str, record: dict[str, Any], name: str, length: int, end_inclusive: bool
) -> list[list[Span]]:
    """Returns a field of clusters of [start, end] pairs, as half-open spans.

    Args:
        where: File and line.
        record: The record.
        name: The field.
        length: How many things the positions count, from 0.
        end_inclusive: Whether the format's end is the last position of the span.
    """
    clusters = take(where, record, name, list)
    return [
        [
            check_span(where, name, span, length, end_inclusive)
            for span in check_kind(where, f"{name}[]", cluster, list)
        ]
        for cluster in clusters
    ]


def check_span(
    where: str, name: str, span: Any, length: int, end_inclusive: bool
) -> Span:
    """Returns a [start, end] pair of JSON as a half-open span in 0..length."""
    pair = check_kind(where, f"{name}[][]", span, list)
    if len(pair) != 2:
        refuse(where, f"`{name}` must hold [start, end] pairs", pair)
    start, end = (check_kind(where, f"{name}[][][]", each, int) for each in pair)
    if not 0 <= start < end + end_inclusive <= length:
        rule = (
            f"0 <= start <= end < {length}, the end included"
            if end_inclusive
            else f"0 <= start < end <= {length}, the end excluded"
        )
        refuse(where, f"`{name}` must hold pairs with {rule}", pair)
    return start, end + end_inclusive


def optional_starts(where: str, record: dict[str, Any]) -> tuple[int, ...]:
    """The field `sentence_starts`, which our own writers add; else one sentence."""
    if "sentence_starts" not in record:
        return (0,)
    starts = take(where, record, "sentence_starts", list)
    return tuple(check_kind(where, "sentence_starts[]", each, int) for each in starts)


def optional_id(
    where: str, record: dict[str, Any], number: int, name: str = "id"
) -> str:
    """The document's name in a field, if it is there; else its place, from 0."""
    return take(where, record, name, str) if name in record else str(number)


def make_document(
    where: str,
    id: str,
    tokens: Iterable[str],
    clusters: Iterable[Iterable[Span]],
    sentence_starts: Iterable[int] = (0,),
    lacks_clusters: bool = False,
) -> Document:
    """Makes a document; what is wrong with it is said with its place.

    What its clusters hold twice is kept once and counted; see `tidy_clusters`.
    """
    kept, num_repeated = tidy_clusters(clusters)
    try:
        annotation = Annotation(tuple(tokens), kept, tuple(sentence_starts))
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from error
    return Document(id, annotation, num_repeated, lacks_clusters)
