"""Writes stories in bAbI's file format."""

from __future__ import annotations


class BabiWriter:
    """Collects the numbered lines of stories, one after the other."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._number = 0
        self.num_questions = 0

    def begin(self) -> None:
        """Begins a story: the next line has the number 1."""
        self._number = 0

    def tell(self, sentence: str) -> int:
        """Writes a sentence; gives its line number."""
        self._number += 1
        self._lines.append(f"{self._number} {sentence}")
        return self._number

    def ask(self, question: str, answer: str, supports: list[int]) -> None:
        """Writes a question with its answer and the numbers of its supports."""
        numbers = " ".join(map(str, supports))
        self.tell(f"{question} \t{answer}\t{numbers}")
        self.num_questions += 1

    def text(self) -> str:
        """All that was written."""
        return "".join(f"{line}\n" for line in self._lines)
