"""A question as somebody asked it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Asked:
    """A question, and where it stands.

    Args:
        id: Its name.
        place: File and line, which errors name; may be empty.
        document: The text that it is about, or a story whose last word is missing.
        question: None for a story.
        error: Why it cannot be asked.
    """

    id: str
    place: str
    document: str
    question: str | None
    error: str = ""

    def check(self) -> None:
        """Raises `ValueError` if it cannot be asked, or its answer not be written."""
        if self.error:
            raise ValueError(self.error)
        where = f"{self.place}: " if self.place else ""
        for text in (self.id, self.document, self.question or ""):
            try:
                text.encode("utf-8")
            except UnicodeEncodeError as error:
                raise ValueError(
                    f"{where}texts must be Unicode. Received: {text[error.start]!a} at "
                    f"character {error.start + 1}, which is half of one"
                ) from error
