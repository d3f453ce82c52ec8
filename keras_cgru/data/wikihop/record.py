"""A record of WikiHop as its file holds it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from keras_cgru.files import read_json_list, short

# A support and the characters [start, end) of it.
CharacterSpan = tuple[int, int, int]


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
        check = _Checks(content, where)
        answer = check.text("answer")
        candidates = check.texts("candidates")
        if answer not in candidates:
            check.refuse("answer", "be one of the `candidates`", answer)
        for candidate in candidates:
            if not candidate.strip():
                check.refuse("candidates", "each hold a word", candidate)
        supports = check.texts("supports")
        if not any(map(str.strip, supports)):
            check.refuse("supports", "hold a text that is not empty", list(supports))
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
    for record in records_or_errors(path):
        if isinstance(record, BadWikiHopRecord):
            raise ValueError(record.message)
        yield record


def records_or_errors(
    path: str | os.PathLike[str],
) -> Iterator[WikiHopRecord | BadWikiHopRecord]:
    """As `read_records`, with what is wrong in the place of a record that is none."""
    seen: set[str] = set()
    index = -1
    for index, content in enumerate(read_json_list(path)):
        id = content.get("id") if isinstance(content, Mapping) else None
        where = f"{os.fspath(path)}: record {index}"
        where += f" ({short(id)})" if isinstance(id, str) else ""
        try:
            record = WikiHopRecord.of(content, where)
            if record.id in seen:
                raise ValueError(
                    f"{where}: `id` must be unique. Received: it a second time"
                )
        except ValueError as error:
            yield BadWikiHopRecord(index, str(error))
            continue
        seen.add(record.id)
        yield record
    if index < 0:
        raise ValueError(
            f"{os.fspath(path)}: must hold at least one record. Received: an empty list"
        )


@dataclass(frozen=True)
class BadWikiHopRecord:
    """An item that is no record.

    Args:
        index: Its place in the file, from 0.
        message: What is wrong with which field of which file.
    """

    index: int
    message: str


class _Checks:
    """Takes fields out of an item, or says what is wrong with them."""

    def __init__(self, content: Any, where: str) -> None:
        self._where = where
        if not isinstance(content, dict):
            raise ValueError(f"{where} must be an object. Received: {short(content)}")
        self._content = content

    def text(self, name: str) -> str:
        if name not in self._content:
            raise ValueError(
                f"{self._where}: `{name}` must be there. Received: "
                f"{short(sorted(self._content))}"
            )
        text = self._content[name]
        if not isinstance(text, str) or not text.strip():
            self.refuse(name, "be a string that holds a word", text)
        self._check_writable(name, text)
        return text

    def texts(self, name: str) -> tuple[str, ...]:
        if name not in self._content:
            raise ValueError(
                f"{self._where}: `{name}` must be there. Received: "
                f"{short(sorted(self._content))}"
            )
        texts = self._content[name]
        if not isinstance(texts, list) or not texts:
            self.refuse(name, "be a list of strings, not an empty one", texts)
        for text in texts:
            if not isinstance(text, str):
                self.refuse(name, "hold strings", text)
            self._check_writable(name, text)
        return tuple(texts)

    def annotations(self) -> tuple[tuple[str, ...], ...]:
        given = self._content.get("annotations")
        if given is None:
            return ()
        rule = "be a list of lists of strings, one for each annotator"
        if not isinstance(given, list) or not all(isinstance(e, list) for e in given):
            self.refuse("annotations", rule, given)
        for each in given:
            if not all(isinstance(label, str) for label in each):
                self.refuse("annotations", rule, each)
        return tuple(map(tuple, given))

    def mentions(
        self, supports: tuple[str, ...]
    ) -> tuple[tuple[CharacterSpan, ...], ...] | None:
        given = self._content.get("mentions")
        if given is None:
            return None
        if not isinstance(given, list):
            self.refuse("mentions", "be a list of clusters", given)
        for cluster in given:
            if not isinstance(cluster, list):
                self.refuse("mentions", "hold clusters, lists of spans", cluster)
            for span in cluster:
                if not _is_span(span, supports):
                    rule = "hold [support, start, end) of characters of a support"
                    self.refuse("mentions", rule, span)
        return tuple(tuple(map(tuple, cluster)) for cluster in given)  # type: ignore[arg-type]

    def refuse(self, name: str, rule: str, received: Any) -> NoReturn:
        raise ValueError(
            f"{self._where}: `{name}` must {rule}. Received: {short(received)}"
        )

    def _check_writable(self, name: str, text: str) -> None:
        """Refuses half a surrogate pair, which JSON can hold and no file in UTF-8."""
        if not text.isascii():
            try:
                text.encode("utf-8")
            except UnicodeEncodeError as error:
                self.refuse(name, "be what UTF-8 can hold", text[error.start])


def _is_span(span: Any, supports: tuple[str, ...]) -> bool:
    if not isinstance(span, list) or [type(each) for each in span] != [int] * 3:
        return False
    support, start, end = span
    if not 0 <= support < len(supports):
        return False
    return 0 <= start < end <= len(supports[support])
