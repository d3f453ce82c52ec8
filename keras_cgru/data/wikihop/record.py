"""A record of WikiHop as its file holds it."""

from __future__ import annotations

import os
from collections.abc import Iterator
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
    check = _Checks(content, where)
    return check.text("id"), check.strings("supports")


class _Checks:
    """Takes fields out of an item, or says what is wrong with them."""

    def __init__(self, content: Any, where: str) -> None:
        self._where = where
        if not isinstance(content, dict):
            raise ValueError(f"{where} must be an object. Received: {short(content)}")
        self._content = content

    def text(self, name: str) -> str:
        text = self._value(name)
        if not isinstance(text, str) or not text.strip():
            self.refuse(name, "be a string that holds a word", text)
        self._check_writable(name, text)
        return text

    def texts(self, name: str) -> tuple[str, ...]:
        texts = self.strings(name)
        if not texts:
            self.refuse(name, "be a list of strings, not an empty one", [])
        for text in texts:
            self._check_writable(name, text)
        return texts

    def strings(self, name: str) -> tuple[str, ...]:
        texts = self._value(name)
        if not isinstance(texts, list):
            self.refuse(name, "be a list of strings", texts)
        for text in texts:
            if not isinstance(text, str):
                self.refuse(name, "be a list of strings", text)
        return tuple(texts)

    def supports(self) -> tuple[str, ...]:
        supports = self.texts("supports")
        if not any(map(str.strip, supports)):
            self.refuse("supports", "hold a text that is not empty", list(supports))
        return supports

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

    def _value(self, name: str) -> Any:
        if name not in self._content:
            raise ValueError(
                f"{self._where}: `{name}` must be there. Received: "
                f"{short(sorted(self._content))}"
            )
        return self._content[name]

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
