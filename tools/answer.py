"""Ask a trained reader about texts of your own.

    python tools/answer.py --run RUN --story "Ann took the lamp. By evening it was with"
    python tools/answer.py --run RUN --document story.txt --question "Where is Mary?"
    python tools/answer.py --run RUN --input questions.jsonl --output answers.jsonl
    python tools/answer.py --run RUN --input - --json < stories.txt

RUN is the folder of a run of recipes/lambada.py, or of a cell of recipes/babi.py. An
input has one question a line: an object with "document" and "question", or "story",
and an "id" if you like; a line of anything else is a story whose last word is missing.
Answers come out in the order of the questions, each as soon as its batch is read: the
same command with --resume goes on where it was stopped.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from keras_cgru.backend import choose_backend
from keras_cgru.command_line import check_counts, refuse, run_command, say
from keras_cgru.files import (
    check_output,
    input_file,
    parse_json,
    read_lines,
    to_path,
)
from keras_cgru.inspection import Reading, print_reading, write_page

if TYPE_CHECKING:  # Keras must not be imported before its backend is chosen.
    from keras_cgru.answering import TrainedReader
    from keras_cgru.data import Example

FIELDS = {"id", "document", "question", "story"}


@dataclass(frozen=True)
class Settings:
    """Ask a trained reader about texts of your own."""

    run: str
    """The folder of the run that trained it."""
    story: str | None = None
    """A story whose last word is missing, or a file of one."""
    document: str | None = None
    """A document, or a file of one."""
    question: str | None = None
    """The question about it."""
    input: str | None = None
    """A file of questions, one a line; - for standard input."""
    output: str | None = None
    """A file for the answers, as JSON lines."""
    html: str | None = None
    """A file for the answers as a page: texts, clusters, attention and alpha."""
    json: bool = False
    """Print JSON lines in place of text."""
    top: int = 5
    """Answers that are shown of each question."""
    batch_size: int = 32
    """Questions read at once."""
    skip_failed: bool = False
    """Leave out questions that cannot be asked, and say which."""
    resume: bool = False
    """Go on in --output behind the answers that it holds."""
    overwrite: bool = False
    """Begin --output anew."""


@dataclass(frozen=True)
class Asked:
    """A question, and where it stands."""

    id: str
    place: str
    document: str
    question: str | None
    error: str = ""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    return run_command(
        answer,
        Settings,
        name="answer",
        description=__doc__,
        arguments=arguments,
        interrupted="Stopped. Answers in --output are kept; go on with --resume.",
    )


def answer(settings: Settings) -> int:
    check(settings)
    output = (
        None if settings.output is None else check_output(settings.output, "output")
    )
    html = None if settings.html is None else check_output(settings.html, "html")
    questions = questions_of(settings)
    choose_backend()
    from keras_cgru.answering import load_reader

    reader = load_reader(to_path(settings.run, "run"))
    done = answered(output, settings)
    if done:
        say(f"{done} answers are there; going on behind them.")
    failed: list[str] = []
    readings = read(reader, islice(questions, done, None), settings, failed)
    show(readings, settings, output, html, done)
    if failed:
        say(f"{len(failed)} questions were left out.")
    return 1 if failed else 0


def check(settings: Settings) -> None:
    """Refuses what cannot be before a model is loaded."""
    check_counts(settings, "top batch_size")
    ways = [settings.story, settings.document, settings.input]
    if sum(way is not None for way in ways) != 1:
        refuse("story", "given, or --document, or --input: one of them", ways)
    if (settings.document is None) != (settings.question is None):
        refuse("question", "given with --document, and only then", settings.question)
    if settings.resume and settings.output is None:
        refuse("resume", "given with --output", settings.output)
    if settings.input not in (None, "-"):
        input_file(settings.input, "input")


def questions_of(settings: Settings) -> Iterator[Asked]:
    if settings.input is None:
        text = settings.story if settings.document is None else settings.document
        yield Asked("question", "", text_of(text or ""), settings.question)
        return
    standard = settings.input == "-"
    path = settings.input if standard else str(input_file(settings.input, "input"))
    lines = enumerate(sys.stdin, 1) if standard else read_lines(path)
    name = "standard input" if standard else path
    for number, line in lines:
        if not line.strip():
            continue
        place = f"{name}:{number}"
        try:
            yield parse(line.strip(), place, number)
        except ValueError as error:  # Of one question; the others may do.
            yield Asked(str(number), place, "", None, str(error))


def text_of(text: str) -> str:
    """The text, or that of the file of this name."""
    try:
        is_file = Path(text).is_file()
    except (OSError, ValueError):  # Longer than a name can be.
        is_file = False
    return "\n".join(line for _, line in read_lines(text)) if is_file else text


def parse(line: str, place: str, number: int) -> Asked:
    """A line of an input; raises `ValueError` that names it."""
    if not line.startswith("{"):
        return Asked(str(number), place, line, None)
    found = parse_json(line, place)
    wrong = sorted(set(found) - FIELDS)
    texts = {name: found.get(name) for name in ("document", "question", "story")}
    given = {name for name, text in texts.items() if text is not None}
    if wrong or given not in ({"document", "question"}, {"story"}):
        raise ValueError(
            f'{place}: a question must have "document" and "question", or "story", and '
            f'may have "id". Received: {sorted(found)}'
        )
    if not all(isinstance(texts[name], str) for name in given):
        raise ValueError(f"{place}: texts must be strings. Received: {line:.80}")
    id = str(found.get("id", number))
    story, document, question = (texts[n] for n in ("story", "document", "question"))
    return Asked(id, place, story if document is None else document, question)


def read(
    reader: TrainedReader,
    questions: Iterable[Asked],
    settings: Settings,
    failed: list[str],
) -> Iterator[Reading | None]:
    """The answers in order; None for a question that is left out."""
    questions = iter(questions)
    while batch := list(islice(questions, settings.batch_size)):
        examples = [example_of(reader, each, settings, failed) for each in batch]
        readings = reader.read([e for e in examples if e], settings.batch_size)
        for example in examples:
            yield None if example is None else next(readings)


def example_of(
    reader: TrainedReader, asked: Asked, settings: Settings, failed: list[str]
) -> Example | None:
    try:
        if asked.error:
            raise ValueError(asked.error)
        return reader.example(asked.document, asked.question, asked.id)
    except ValueError as error:
        message = str(error)
        if asked.place and not asked.error:
            message = f"{asked.place}: {error}"
        if not settings.skip_failed:
            raise ValueError(message) from error
        say(f"left out: {message}")
        failed.append(asked.id)
        return None


def show(
    readings: Iterable[Reading | None],
    settings: Settings,
    output: Path | None,
    html: Path | None,
    done: int,
) -> None:
    kept: list[Reading] = []
    for number, reading in enumerate(readings, done + 1):
        if output is not None:
            append(output, reading, settings.top)
            if number % settings.batch_size == 0:
                say(f"{number} answers")
        if reading is None:
            continue
        if html is not None:
            kept.append(reading)
        if settings.json:
            print(as_json(reading, settings.top), flush=True)
        elif output is None and html is None:
            print_reading(replace(reading, answers=reading.ranked[: settings.top]))
    if html is not None:
        write_page(html, kept)


def as_json(reading: Reading, top: int) -> str:
    """One line: the answer, the likeliest others, and what carried them."""
    best = reading.predicted
    document = reading.document
    line: dict[str, Any] = {
        "id": reading.id,
        "answer": None if best is None else best.text,
        "probability": 0.0 if best is None else round(best.probability, 6),
        "answers": [
            {
                "answer": each.text,
                "probability": round(each.probability, 6),
                "positions": list(each.positions),
            }
            for each in reading.ranked[:top]
        ],
        "tokens": list(document.tokens),
        "clusters": [list(ids) for ids in document.clusters],
        "attention": [round(share, 6) for share in document.attention],
        "query": list(reading.query.tokens),
        "query_clusters": [list(ids) for ids in reading.query.clusters],
    }
    return json.dumps(line, ensure_ascii=False)


def append(output: Path, reading: Reading | None, top: int) -> None:
    """Adds a line, whole or not at all as far as the system allows it."""
    text = "null" if reading is None else as_json(reading, top)
    with open(output, "a", encoding="utf-8", newline="\n") as file:
        file.write(text + "\n")


def answered(output: Path | None, settings: Settings) -> int:
    """How many questions are answered; a line that was cut off is taken away."""
    if output is None or not output.is_file():
        return 0
    if settings.overwrite:
        output.write_bytes(b"")
        return 0
    data = output.read_bytes()
    if data and not settings.resume:
        raise FileExistsError(
            f"--output holds answers: {output}. Give --resume to go on behind them, or "
            "--overwrite"
        )
    whole = data[: data.rfind(b"\n") + 1]
    if whole != data:
        output.write_bytes(whole)
    return whole.count(b"\n")


if __name__ == "__main__":
    sys.exit(main())
