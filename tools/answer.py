"""Ask a trained reader about texts of your own.

    python tools/answer.py --run RUN --story "Ann took the lamp. By evening it was with"
    python tools/answer.py --run RUN --document story.txt --question "Where is Mary?"
    python tools/answer.py --run RUN --input questions.jsonl --output answers.jsonl
    python tools/answer.py --run RUN --input - --json < stories.txt

RUN is the folder of a run of recipes/lambada.py or recipes/wikihop.py, or of a cell of
recipes/babi.py. An input has one question a line: an object with "document" and
"question", or "story", an "id" if you like, and "candidates" for a reader of WikiHop; a
line of anything else is a story whose last word is missing. Blank lines in a document
separate the texts that WikiHop's reader reads, and its questions are a relation and an
entity: --question "country_of_citizenship mary king".
Texts may be files, too: --story story.txt, or - for standard input.
Answers come out in the order of the questions, each as soon as its batch is read: the
same command with --resume goes on where it was stopped.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from keras_cgru.answering import AnswerFile, Asked, read_questions
from keras_cgru.backend import choose_backend
from keras_cgru.command_line import check_counts, refuse, run_command, say
from keras_cgru.coref.annotating import ResolverSettings
from keras_cgru.files import check_output, input_file, read_lines, to_path
from keras_cgru.inspection import Reading, print_reading, write_page

if TYPE_CHECKING:  # Keras must not be imported before its backend is chosen.
    from keras_cgru.answering import TrainedReader
    from keras_cgru.data import Example


@dataclass(frozen=True)
class Settings:
    """Ask a trained reader about texts of your own."""

    run: str
    """The folder of the run that trained it."""
    story: str | None = None
    """A story whose last word is missing, or a file of one; - for standard input."""
    document: str | None = None
    """A document, or a file of one; - for standard input."""
    question: str | None = None
    """The question about it."""
    candidates: tuple[str, ...] = ()
    """Possible answers to it, for a reader of WikiHop. Default: the names in the
    document."""
    input: str | None = None
    """A file of questions, one a line; - for standard input."""
    output: str | None = None
    """A file for the answers, as JSON lines."""
    html: str | None = None
    """A file for the answers as a page: texts, clusters, attention and alpha."""
    resolver: str | None = None
    """Who finds coreference: sieve, exact, corenlp, fastcoref, or module:function that
    returns a resolver. Default: as in the run, which needs one here if it was trained
    on annotations."""
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
    answers = answer_file(settings)
    html = None if settings.html is None else check_output(settings.html, "html")
    output = None if answers is None else answers.path
    check_distinct(settings, output, html)
    questions = questions_of(settings)
    resolver = settings.resolver and ResolverSettings.choose(settings.resolver, {})
    resolve = resolver.make() if resolver else None
    choose_backend()
    from keras_cgru.answering import load_reader

    with contextlib.nullcontext() if answers is None else answers.locked():
        reader = load_reader(to_path(settings.run, "run"), resolve)
        done = 0 if answers is None else answers.begin(questions)
        if done:
            say(f"{done} answers are there; going on behind them.")
        failed: list[str] = []
        readings = read(reader, questions, settings, failed)
        if not done + show(readings, settings, answers, html, done):
            say("There was no question.")
    if failed:
        say(f"{len(failed)} questions were left out.")
    return 1 if failed else 0


def answer_file(settings: Settings) -> AnswerFile | None:
    if settings.output is None:
        return None
    path = check_output(settings.output, "output")
    return AnswerFile(path, settings.resume, settings.overwrite)


def check(settings: Settings) -> None:
    """Refuses what cannot be before a model is loaded."""
    check_counts(settings, "top batch_size")
    ways = [settings.story, settings.document, settings.input]
    if sum(way is not None for way in ways) != 1:
        refuse("story", "given, or --document, or --input: one of them", ways)
    if (settings.document is None) != (settings.question is None):
        refuse("question", "given with --document, and only then", settings.question)
    if settings.candidates and settings.document is None:
        refuse("candidates", "given with --document, and only then", "none of it")
    if settings.resume and settings.output is None:
        refuse("resume", "given with --output", settings.output)
    if settings.resume and settings.overwrite:
        refuse("overwrite", "left out with --resume", settings.overwrite)


def check_distinct(settings: Settings, output: Path | None, html: Path | None) -> None:
    """No file is written over another one."""
    texts = {name: getattr(settings, name) for name in ("input", "story", "document")}
    taken = {
        os.path.realpath(os.path.expanduser(text)): f"--{name}"
        for name, text in texts.items()
        if text is not None and "\0" not in text
    }
    for name, path in (("output", output), ("html", html)):
        if path is None or str(path).startswith("/dev/"):
            continue
        if (other := taken.get(os.path.realpath(path))) is not None:
            refuse(name, f"another file than {other}", path)
        taken[os.path.realpath(path)] = f"--{name}"


def questions_of(settings: Settings) -> Iterator[Asked]:
    """The questions, as they are needed; what is no file is refused at once."""
    if settings.input is None:
        name = "story" if settings.document is None else "document"
        text = text_of(getattr(settings, name), name)
        candidates = settings.candidates or None
        asked = Asked("question", "", text, settings.question, candidates=candidates)
        return iter([asked])
    if settings.input == "-":
        if sys.stdin is None:
            refuse("input", "a file; standard input is closed", "-")
        if sys.stdin.isatty():
            say("Questions, one a line; Ctrl-D ends them.")
        return read_questions(sys.stdin.buffer, "standard input")
    return from_file(input_file(settings.input, "input"), settings.input)


def from_file(path: Path, name: str) -> Iterator[Asked]:
    with open(path, "rb") as file:
        yield from read_questions(file, name)


def text_of(text: str, name: str) -> str:
    """The text, or that of the file of this name."""
    if not names_file(text):
        return text
    return "\n".join(line for _, line in read_lines(input_file(text, name)))


def names_file(text: str) -> bool:
    # No text is written so: a name that is mistyped is not to be read as a word.
    is_name = "/" in text or text.endswith(".txt") or text == "-"
    if is_name and not any(map(str.isspace, text)):
        return True
    try:
        return os.path.isfile(os.path.expanduser(text))
    except ValueError:  # A NUL.
        return False


def read(
    reader: TrainedReader,
    questions: Iterator[Asked],
    settings: Settings,
    failed: list[str],
) -> Iterator[Reading | None]:
    """The answers in order; None for a question that is left out.

    Those before one that cannot be asked are answered before it is refused.
    """
    # Who types waits for each answer.
    typed = settings.input == "-" and sys.stdin.isatty()
    batch_size = 1 if typed else settings.batch_size
    while batch := list(islice(questions, batch_size)):
        examples: list[Example | None] = []
        refused: ValueError | None = None
        for asked in batch:
            try:
                examples.append(example_of(reader, asked))
            except ValueError as error:
                if not settings.skip_failed:
                    refused = error
                    break
                say(f"left out: {error}")
                failed.append(asked.id)
                examples.append(None)
        readings = reader.read([e for e in examples if e], batch_size)
        for example in examples:
            yield None if example is None else next(readings)
        if refused is not None:
            raise refused


def example_of(reader: TrainedReader, asked: Asked) -> Example:
    """What is read of a question; raises `ValueError` that says where it stands."""
    asked.check()
    try:
        return reader.example(
            asked.document, asked.question, asked.id, asked.candidates
        )
    except ValueError as error:
        where = f"{asked.place}: " if asked.place else ""
        # The option has a name of its own.
        message = str(error).replace("`query`", "`question`")
        raise ValueError(where + message) from error


def show(
    readings: Iterable[Reading | None],
    settings: Settings,
    answers: AnswerFile | None,
    html: Path | None,
    done: int,
) -> int:
    """Writes and prints readings as they come; gives their number."""
    number, kept = done, []
    try:
        for number, reading in enumerate(readings, done + 1):
            if answers is not None:
                line = "null" if reading is None else as_json(reading, settings.top)
                answers.append(line)
                if number % settings.batch_size == 0:
                    say(f"{number} answers")
            if reading is None:
                continue
            if html is not None:
                kept.append(reading)
            if settings.json:
                print(as_json(reading, settings.top), flush=True)
            elif answers is None and html is None:
                print_reading(replace(reading, answers=reading.ranked[: settings.top]))
    finally:  # Stopped or not: what is finished is kept.
        if html is not None and kept:
            write_page(html, kept)
    return number - done


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


if __name__ == "__main__":
    sys.exit(main())
