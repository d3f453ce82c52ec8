"""Reads stories and questions in the format of the bAbI tasks (Weston et al. 2015).

A line is ``number text``; a question has its answer and its supporting lines behind
it, parted by tabs. Where the number is 1 a story begins. See
https://arxiv.org/abs/1502.05698.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from keras_cgru.data.babi.question import BabiQuestion
from keras_cgru.files import read_lines, short

_FILE_NAME = re.compile(r"qa(\d+)_(?:.*_)?(train|valid|test)\.txt")
# A word, with inner apostrophes and hyphens, or one mark.
_TOKEN = re.compile(r"\w+(?:['’-]\w+)*|[^\w\s]")
# The text may begin with a tab, which leaves a question without words.
_NUMBER = re.compile(r"\d{1,9}")
_LINE = re.compile(r" *(\d{1,9}) +(.*\S.*)", re.DOTALL)


@dataclass
class _Story:
    """The sentences of the story that is being read."""

    index: int
    last_number: int = 0
    lines: list[int] = field(default_factory=list)
    sentences: list[tuple[str, ...]] = field(default_factory=list)


def tokenise_babi(text: str) -> tuple[str, ...]:
    """Lower-cases a text and cuts it into words and marks.

    >>> tokenise_babi("Mary isn't in the well-lit hall.")
    ('mary', "isn't", 'in', 'the', 'well-lit', 'hall', '.')
    """
    return tuple(_TOKEN.findall(text.lower()))


def read_babi(
    path: str | os.PathLike[str],
    task: int | None = None,
    split: str | None = None,
) -> list[BabiQuestion]:
    """Reads a file of bAbI stories.

    Args:
        path: The file.
        task: The number of the task. Default: that of the official file name
            (``qa2_two-supporting-facts_train.txt``), 0 where the name is another.
        split: The middle of the ids. Default: that of the official file name, or the
            file's name without its ending.

    Returns:
        The questions in the order of the file.

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: A line breaks the format, or there is no question; the message
            names the file and the line.
    """
    named = _FILE_NAME.fullmatch(Path(path).name)
    if task is None:
        task = int(named[1]) if named else 0
    if split is None:
        split = named[2] if named else Path(path).stem
    return parse_babi(read_lines(path), os.fspath(path), task, split)


def parse_babi(
    lines: Iterable[tuple[int, str]], source: str, task: int = 0, split: str = "text"
) -> list[BabiQuestion]:
    """The same of lines that are at hand, each with its number in the source.

    Args:
        lines: Line numbers from 1 and texts; `enumerate(text.splitlines(), 1)`.
        source: What to call the text in errors.
        task: The number of the task.
        split: The middle of the ids.

    Raises:
        ValueError: See `read_babi`.
    """
    questions: list[BabiQuestion] = []
    story = _Story(-1)
    for file_line, line in lines:
        if not line.strip():
            continue
        try:
            story, rest = _step(story, line)
            if "\t" not in rest:
                _add_sentence(story, rest)
                continue
            id = f"qa{task}-{split}-{len(questions):05d}"
            questions.append(_to_question(id, task, story, rest))
        except ValueError as error:
            raise ValueError(f"{source}:{file_line}: {error}") from error
    if not questions:
        raise ValueError(
            f"{source}: must hold at least one question (text, tab, answer). "
            "Received: none"
        )
    return questions


def _step(story: _Story, line: str) -> tuple[_Story, str]:
    """Reads the number of a line: the same story or, at 1, a new one."""
    match = _LINE.fullmatch(line)
    if not match:
        raise ValueError(
            f"a line must be a number and a text. Received: {short(line.strip())}"
        )
    number = int(match[1])
    if number == 1:
        story = _Story(story.index + 1)
    elif number <= story.last_number or story.index < 0:
        wanted = f"1 or above {story.last_number}" if story.last_number else "1"
        raise ValueError(f"the number of the line must be {wanted}. Received: {number}")
    story.last_number = number
    return story, match[2]


def _add_sentence(story: _Story, text: str) -> None:
    # Blanks in place of the tabs would turn question and answer into a sentence.
    if "?" in text:
        raise ValueError(
            "a question must have a tab and its answer behind it. Received: "
            f"{short(text)}"
        )
    story.lines.append(story.last_number)
    story.sentences.append(tokenise_babi(text))


def _to_question(id: str, task: int, story: _Story, rest: str) -> BabiQuestion:
    text, answer, *more = (part.strip() for part in rest.split("\t"))
    question = tokenise_babi(text)
    if not question:
        raise ValueError("a question must have words. Received: an empty one")
    if not story.sentences:
        raise ValueError(
            "a question must stand behind a sentence of its story. "
            f"Received: {short(text)} first"
        )
    words = tuple(word.strip().lower() for word in answer.split(","))
    if not all(words):
        raise ValueError(
            f"an answer must be words, parted by commas. Received: {short(answer)}"
        )
    if len(more) > 1:
        raise ValueError(
            "a question must have at most two tabs. "
            f"Received: {len(more) + 1} in {rest!r:.80}"
        )
    return BabiQuestion(
        id=id,
        story=tuple(story.sentences),
        lines=tuple(story.lines),
        question=question,
        answer=words,
        supports=_supports(story, more[0] if more else ""),
        story_index=story.index,
        task=task,
    )


def _supports(story: _Story, text: str) -> tuple[int, ...]:
    supports = []
    for number in text.split():
        if not _NUMBER.fullmatch(number) or int(number) not in story.lines:
            raise ValueError(
                "supports must be numbers of earlier sentences of the story. "
                f"Received: {number:.80}"
            )
        supports.append(int(number))
    return tuple(supports)
