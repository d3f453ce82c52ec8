"""A record of WikiHop as its file holds it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from keras_cgru.data.wikihop.record_fields import CharacterSpan, RecordFields
from keras_cgru.files import read_json_list, short


@dataclass(frozen=True)
class WikiHopRecord:
    """A question about several texts, as the official JSON has it.

    Args:
        id: Its name: "WH_dev_0".
        query: The relation and the head entity: "country sms braunschweig".
        answer: One of the candidates.
        candidates: The possible answers, as they came.
        supports: The texts.
        annotations: What each annotator said, such as `("follows", "multiple")`; of
            development records alone.
        mentions: Known clusters, each of spans; None where nothing is known. Official
            records have none, simulated ones do.
        simulated: Whether the package made the record up.
    """

    id: str
    query: str
    answer: str
    candidates: tuple[str, ...]
    supports: tuple[str, ...]
    annotations: tuple[tuple[str, ...], ...] = ()
    mentions: tuple[tuple[CharacterSpan, ...], ...] | None = None
    simulated: bool = False

    @property
    def relation(self) -> str:
        """The first word of the query."""
        return self.query.split()[0]

    @property
    def head(self) -> str:
        """The entity that the query is about; "" where it names none."""
        return self.query.partition(self.relation)[2].strip()

    @classmethod
    def of(cls, content: Any, where: str) -> WikiHopRecord:
        """Checks what JSON gives for a record.

        Args:
            content: An item of the file's list.
            where: File and item, which errors name.

        Raises:
            ValueError: A key is missing, a value is of another kind, there is no
                support, or the answer is no candidate; the message names the field.
        """
        check = RecordFields(content, where)
        answer = check.text("answer")
        candidates = check.texts("candidates")
        if answer not in candidates:
            check.refuse("answer", "be one of the `candidates`", answer)
        for candidate in candidates:
            if not candidate.strip():
                check.refuse("candidates", "each hold a word", candidate)
        supports = check.supports()
        return cls(
            id=check.text("id"),
            query=check.text("query"),
            answer=answer,
            candidates=candidates,
            supports=supports,
            annotations=check.annotations(),
            mentions=check.mentions(supports),
            simulated=content.get("simulated") is True,
        )


def read_records(path: str | os.PathLike[str]) -> Iterator[WikiHopRecord]:
    """Yields the records of a file, one in memory at a time.

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: It is no list of records, or an empty one, or two have the same id;
            the message names file, record and field.
    """
    seen: set[str] = set()
    for where, content in read_items(path):
        record = WikiHopRecord.of(content, where)
        if record.id in seen:
            raise ValueError(
                f"{where}: `id` must be unique. Received: it a second time"
            )
        seen.add(record.id)
        yield record


def read_items(path: str | os.PathLike[str]) -> Iterator[tuple[str, Any]]:
    """Yields what a file's list holds, each with file and record, for errors.

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: It is no JSON list, or an empty one.
    """
    index = -1
    for index, content in enumerate(read_json_list(path)):
        id = content.get("id") if isinstance(content, dict) else None
        name = f" ({short(id)})" if isinstance(id, str) else ""
        yield f"{os.fspath(path)}: record {index}{name}", content
    if index < 0:
        raise ValueError(
            f"{os.fspath(path)}: must hold a record. Received: an empty list"
        )


def id_and_supports(content: Any, where: str) -> tuple[str, tuple[str, ...]]:
    """What a text has that is to be annotated, whether or not it has a question.

    Raises:
        ValueError: There is no id, or the supports are no list of strings.
    """
    check = RecordFields(content, where)
    return check.text("id"), check.strings("supports")
