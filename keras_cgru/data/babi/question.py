"""One question of a bAbI story."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class BabiQuestion:
    """A question with the sentences that stand before it in its story.

    All tokens are lower case. A sentence keeps its full stop and a question its
    question mark, each as a token of its own. Earlier questions of the story and
    their answers are no part of the passage.

    Args:
        id: Unique and stable name: "qa2-train-00017", counted from the file's start.
        story: The sentences in order, each a tuple of tokens.
        lines: The line number of each sentence, as the file counts the story.
        question: Tokens of the question.
        answer: The words of the answer, split at commas: one for most tasks, several
            for lists and paths, in the order of the file.
        supports: Line numbers of the supporting sentences, any number of them.
        story_index: Position of the story in its file, from 0.
        task: The number of the task; 0 where nothing says it.
    """

    id: str
    story: tuple[tuple[str, ...], ...]
    lines: tuple[int, ...]
    question: tuple[str, ...]
    answer: tuple[str, ...]
    supports: tuple[int, ...]
    story_index: int
    task: int

    @property
    def passage(self) -> tuple[str, ...]:
        """The tokens of all sentences, one after the other."""
        return tuple(token for sentence in self.story for token in sentence)

    @property
    def sentence_starts(self) -> tuple[int, ...]:
        """The position in `passage` at which each sentence begins."""
        starts, position = [], 0
        for sentence in self.story:
            starts.append(position)
            position += len(sentence)
        return tuple(starts)

    @property
    def support_sentences(self) -> tuple[int, ...]:
        """Positions in `story` of the supporting sentences."""
        return tuple(self.lines.index(number) for number in self.supports)
