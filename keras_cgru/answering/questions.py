"""Questions to a reader, as lines of a file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, BinaryIO

from keras_cgru.answering.asked import Asked
from keras_cgru.files import parse_json, short
from keras_cgru.files.text_lines import split_lines_or_errors

_FIELDS = {"id", "document", "question", "story", "candidates"}


def read_questions(file: BinaryIO, name: str) -> Iterator[Asked]:
    """Reads questions, one a line, as they are needed.

    A line is an object with "document" and "question", or "story", an "id" if you like,
    and "candidates" for a reader that chooses among given answers; a line of anything
    else is a story whose last word is missing. Empty lines are left out.

    Args:
        file: An open file.
        name: What errors call it.

    Yields:
        The questions. A line that is none has its `error`: the others may do.
    """
    for number, line in split_lines_or_errors(file, name):
        place = f"{name}:{number}"
        try:
            if isinstance(line, ValueError):
                raise line
            if line.strip():
                yield _parse(line.strip(), place, number)
        except ValueError as error:
            yield Asked(str(number), place, "", None, str(error))


def _parse(line: str, place: str, number: int) -> Asked:
    """A line of an input; raises `ValueError` that names it."""
    if not line.startswith("{"):
        return Asked(str(number), place, line, None)
    found = parse_json(line, place)
    wrong = sorted(set(found) - _FIELDS)
    texts = {name: found.get(name) for name in ("document", "question", "story")}
    given = {name for name, text in texts.items() if text is not None}
    if wrong or given not in ({"document", "question"}, {"story"}):
        raise ValueError(
            f'{place}: a question must have "document" and "question", or "story", and '
            f'may have "id" and "candidates". Received: {sorted(found)}'
        )
    if not all(isinstance(texts[name], str) for name in given):
        raise ValueError(f"{place}: texts must be strings. Received: {line:.80}")
    candidates = _candidates(found.get("candidates"), place)
    id = str(number if found.get("id") is None else found["id"])
    story, document, question = (texts[n] for n in ("story", "document", "question"))
    text = story if document is None else document
    return Asked(id, place, text, question, candidates=candidates)


def _candidates(given: Any, place: str) -> tuple[str, ...] | None:
    if given is None:
        return None
    strings = isinstance(given, list) and all(isinstance(each, str) for each in given)
    if not strings or not given:
        raise ValueError(
            f"{place}: candidates must be a list of strings. Received: {short(given)}"
        )
    return tuple(given)
