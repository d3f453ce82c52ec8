"""GAP: to which of two names does a pronoun refer, in sentences of Wikipedia.

Reference:
    Webster et al. (2018), "Mind the GAP: A Balanced Corpus of Gendered Ambiguous
    Pronouns", https://aclanthology.org/Q18-1042, and the data's page
    https://github.com/google-research-datasets/gap-coreference.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from keras_cgru.coref.annotation import Annotation, Span
from keras_cgru.coref.formats.records import BadRecord
from keras_cgru.files import short
from keras_cgru.files.text_lines import read_lines_or_errors

_COLUMNS = (
    "ID Text Pronoun Pronoun-offset A A-offset A-coref B B-offset B-coref URL".split()
)
_MALE = frozenset("he him his himself".split())
_FEMALE = frozenset("she her hers herself".split())
# As in the Penn Treebank: "n't" and "'s" apart, marks alone, initials with their stop.
_TOKEN = re.compile(
    r"\w+(?=n['’]t\b)|n['’]t\b|['’](?:s|m|d|re|ll|ve)\b|[A-Z]\.|\w+(?:-\w+)*|\S",
)


@dataclass(frozen=True)
class GapExample:
    """A text with one pronoun and two names.

    Args:
        id: Its name in the file.
        tokens: The text.
        pronoun: The pronoun's token.
        names: The spans of names A and B.
        labels: Whether the pronoun refers to A, and to B.
        gender: "male" or "female", by the pronoun.
    """

    id: str
    tokens: tuple[str, ...]
    pronoun: int
    names: tuple[Span, Span]
    labels: tuple[bool, bool]
    gender: str


def read_gap(path: str | os.PathLike[str]) -> list[GapExample]:
    """Reads a file of GAP.

    Raises:
        OSError: The file cannot be read.
        ValueError: The file is not GAP's, or holds no example; the message names file
            and line.
    """
    examples = []
    for record in gap_records(path):
        if isinstance(record, BadRecord):
            raise ValueError(record.message)
        examples.append(record)
    return examples


def gap_records(path: str | os.PathLike[str]) -> Iterator[GapExample | BadRecord]:
    """Yields the examples of a file, and rows that are none.

    Raises:
        ValueError: The first line is not GAP's, or there is no other.
    """
    empty = True
    for number, line in read_lines_or_errors(path):
        where = f"{os.fspath(path)}:{number}"
        if number == 1:
            if isinstance(line, ValueError) or line.split("\t") != _COLUMNS:
                raise ValueError(
                    f"{where}: must name GAP's columns, {' '.join(_COLUMNS)}. "
                    f"Received: {str(line)[:80]!r}"
                )
            continue
        empty = False
        try:
            yield _read_row(where, line)
        except ValueError as error:
            yield BadRecord(f"row {number - 1}", str(error))
    if empty:
        raise ValueError(f"{os.fspath(path)}: must hold an example. Received: none")


def _read_row(where: str, line: str | ValueError) -> GapExample:
    if isinstance(line, ValueError):
        raise line
    fields = line.split("\t")
    if len(fields) != len(_COLUMNS):
        raise ValueError(
            f"{where}: must hold {len(_COLUMNS)} columns. Received: {len(fields)}"
        )
    return _example(where, dict(zip(_COLUMNS, fields, strict=True)))


def _example(where: str, row: dict[str, str]) -> GapExample:
    places = [(match.start(), match.end()) for match in _TOKEN.finditer(row["Text"])]
    pronoun = _span(where, row, "Pronoun", places)[0]
    word = row["Pronoun"].lower()
    if word not in _MALE | _FEMALE:
        raise ValueError(
            f"{where}: Pronoun must be one of he or she. Received: "
            f"{short(row['Pronoun'])}"
        )
    for name in ("A-coref", "B-coref"):
        if row[name].upper() not in ("TRUE", "FALSE"):
            raise ValueError(
                f"{where}: {name} must be TRUE or FALSE. Received: {short(row[name])}"
            )
    return GapExample(
        row["ID"],
        tuple(row["Text"][start:end] for start, end in places),
        pronoun,
        (_span(where, row, "A", places), _span(where, row, "B", places)),
        (row["A-coref"].upper() == "TRUE", row["B-coref"].upper() == "TRUE"),
        "male" if word in _MALE else "female",
    )


def _span(where: str, row: dict[str, str], name: str, places: list[Span]) -> Span:
    offset = row[f"{name}-offset"]
    # Python refuses to read numbers of thousands of digits.
    start = int(offset) if len(offset) < 10 and offset.isdecimal() else -1
    end = start + len(row[name])
    if start < 0 or not row[name] or row["Text"][start:end] != row[name]:
        raise ValueError(
            f"{where}: {name}-offset must be where {short(row[name])} stands in the "
            f"text. Received: {short(offset)}"
        )
    inside = [i for i, (a, b) in enumerate(places) if a < end and b > start]
    return inside[0], inside[-1] + 1


def refers(example: GapExample, annotation: Annotation) -> tuple[bool, bool]:
    """Whether the annotation links the pronoun to A, and to B.

    It does where a mention of the pronoun's cluster lies within the name, or ends with
    it ("the poet Ann Lee"); "Ann Lee's mother" is somebody else.
    """
    pronoun = (example.pronoun, example.pronoun + 1)
    mentions = {
        span
        for cluster in annotation.clusters
        if pronoun in cluster
        for span in cluster
        if span != pronoun
    }
    first, second = (
        any(
            end == last or (first <= start and end <= last)
            for start, end in mentions
            if start < last and end > first
        )
        for first, last in example.names
    )
    return first, second


@dataclass
class GapScore:
    """Counts over names: two an example."""

    true_positive: int = 0
    false_positive: int = 0
    false_negative: int = 0
    true_negative: int = 0

    def add(self, label: bool, said: bool) -> None:
        """Counts one name."""
        if said:
            self.true_positive += label
            self.false_positive += not label
        else:
            self.false_negative += label
            self.true_negative += not label

    @property
    def f1(self) -> float:
        """F1 of "refers to this name"."""
        wrong = self.false_positive + self.false_negative
        return 2 * self.true_positive / max(2 * self.true_positive + wrong, 1)

    @property
    def accuracy(self) -> float:
        """The part of the names that are judged right."""
        right = self.true_positive + self.true_negative
        wrong = self.false_positive + self.false_negative
        return right / max(right + wrong, 1)

    def to_dict(self) -> dict[str, Any]:
        """All figures, for a file of results."""
        return {**vars(self), "f1": self.f1, "accuracy": self.accuracy}


def gap_scores(
    judged: Iterable[tuple[GapExample, Annotation]],
) -> dict[str, GapScore]:
    """Scores annotations of examples, by gender.

    Returns:
        The scores of "male", "female" and "all".
    """
    scores = {name: GapScore() for name in ("male", "female", "all")}
    for example, annotation in judged:
        for label, said in zip(
            example.labels, refers(example, annotation), strict=True
        ):
            scores[example.gender].add(label, said)
            scores["all"].add(label, said)
    return scores
