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
        candidates: The possible answers; None where the reader finds them itself.
    """

    id: str
    place: str
    document: str
    question: str | None
    error: str = ""
    candidates: tuple[str, ...] | None = None

    def check(self) -> None:
        """Raises `ValueError` if it cannot be asked, or its answer not be written."""
        if self.error:
            raise ValueError(self.error)
        where = f"{self.place}: " if self.place else ""
        texts = self.id, self.document, self.question or "", *(self.candidates or ())
        for text in texts:
            try:
                text.encode("utf-8")
            except UnicodeEncodeError as error:
                raise ValueError(
                    f"{where}texts must be Unicode. Received: {text[error.start]!a} at "
                    f"character {error.start + 1}, which is half of one"
                ) from error
