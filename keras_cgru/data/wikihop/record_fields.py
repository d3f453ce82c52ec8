"""The fields of a WikiHop record, with errors that name file, record and field."""

from __future__ import annotations

from typing import Any, NoReturn

from keras_cgru.files import short

# A support and the characters [start, end) of it.
CharacterSpan = tuple[int, int, int]


class RecordFields:
    """Takes fields out of an item, or says what is wrong with them.

    Args:
        content: An item of a file's list.
        where: File and item, which errors name.

    Raises:
        ValueError: It is no object; and in every method: the field is not there, or of
            another kind.
    """

    def __init__(self, content: Any, where: str) -> None:
        self._where = where
        if not isinstance(content, dict):
            raise ValueError(f"{where} must be an object. Received: {short(content)}")
        self._content = content

    def text(self, name: str) -> str:
        """A string with a word in it."""
        text = self._value(name)
        if not isinstance(text, str) or not text.strip():
            self.refuse(name, "be a string that holds a word", text)
        self._check_writable(name, text)
        return text

    def texts(self, name: str) -> tuple[str, ...]:
        """Strings, at least one."""
        texts = self.strings(name)
        if not texts:
            self.refuse(name, "be a list of strings, not an empty one", [])
        for text in texts:
            self._check_writable(name, text)
        return texts

    def strings(self, name: str) -> tuple[str, ...]:
        """Strings, if any."""
        texts = self._value(name)
        if not isinstance(texts, list):
            self.refuse(name, "be a list of strings", texts)
        for text in texts:
            if not isinstance(text, str):
                self.refuse(name, "be a list of strings", text)
        return tuple(texts)

    def supports(self) -> tuple[str, ...]:
        """Texts, of which one is not blank."""
        supports = self.texts("supports")
        if not any(map(str.strip, supports)):
            self.refuse("supports", "hold a text that is not empty", list(supports))
        return supports

    def annotations(self) -> tuple[tuple[str, ...], ...]:
        """What each annotator said; nothing where nobody was asked."""
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
        """Clusters of spans; None where the record has no such key."""
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
        """Raises the error of a field."""
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
