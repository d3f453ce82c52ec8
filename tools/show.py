"""Look at what a reader, or a resolver, made of a text.

    python tools/show.py --run runs/lambada/ga_coref_gru --wrong
    python tools/show.py --run RUN --against OTHER_RUN --html differences.html
    python tools/show.py --run RUN --ids 17 23 --alpha
    python tools/show.py story.parquet --limit 3
    python tools/show.py gold.conll --html gold.html
    python tools/show.py predictions.json --format allennlp

Each example is shown with its clusters and, where a run answered it, with the answers
and their probabilities: in the terminal, where everything is said without colours, too,
or as one page for the browser, which asks for nothing over the network. A run keeps the
texts that it was tested on, so neither its data nor its model is needed; with --alpha
its model reads those that are shown once more (but not WikiHop's), and tells what
coreference weighed.

Files are those of tools/annotate.py, of other coreference systems (--format), or of
readings (.jsonl, .jsonl.gz). A document that its file holds broken is named, with
status 1, and costs the others nothing.
"""

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path
from typing import Any

import tyro

from keras_cgru.backend import choose_backend
from keras_cgru.command_line import Positional, check_counts, run_command, say
from keras_cgru.coref import ExactMatchResolver
from keras_cgru.coref.formats import FORMATS, BadRecord
from keras_cgru.evaluation import Prediction, Run, compare_runs, read_run
from keras_cgru.files import check_output, input_file, short, to_path
from keras_cgru.inspection import (
    Passage,
    Reading,
    keeps_texts,
    print_reading,
    read_readings,
    reading_of_annotation,
    run_readings,
    write_page,
)

READINGS = "readings"
# What the ends of names say.
ENDS = {
    ".jsonl": READINGS,
    ".jsonl.gz": READINGS,
    ".parquet": "parquet",
    ".conll": "conll2012",
    "_conll": "conll2012",  # OntoNotes' own: v4_gold_conll
}
# As many as one looks at, and as many as a browser opens at once.
SHOWN, SHOWN_ON_A_PAGE = 10, 200

Flag = tyro.conf.FlagCreatePairsOff[bool]


@dataclass(frozen=True)
class Settings:
    """Look at what a reader, or a resolver, made of a text."""

    inputs: Positional[tuple[str, ...]] = ()
    """Files of annotated texts or of readings; none with --run."""
    format: str | None = None
    """What the files hold: readings, or a format that tools/annotate.py reads. Default:
    by their names."""
    run: str | None = None
    """Show what this run answered to its test examples."""
    against: str | None = None
    """Only where this run, on the same examples, answered otherwise."""
    wrong: Flag = False
    """Only what was answered wrong."""
    alpha: Flag = False
    """Read what is shown with the run's model again: alpha by layer and direction, and
    what each mention carried of the answer."""
    ids: tuple[str, ...] = ()
    """Only these examples or documents."""
    limit: int | None = None
    """Show so many. Default: 10, or 200 on a page."""
    html: str | None = None
    """Write a page for the browser to this file."""


@dataclass
class Chosen:
    """What is to be shown, and what came to light when it was looked for."""

    readings: Iterator[Reading]
    title: str
    bad: int = 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line and returns its exit status."""
    return run_command(
        show, Settings, name="show", description=__doc__, arguments=arguments
    )


def show(settings: Settings) -> int:
    check(settings)
    output = None if settings.html is None else check_output(settings.html, "html")
    chosen = from_run(settings) if settings.run else from_files(settings)
    chosen.readings = with_ids(chosen.readings, settings.ids)
    limit = settings.limit or (SHOWN if output is None else SHOWN_ON_A_PAGE)
    first = islice(chosen.readings, limit)
    shown = read_again(first, settings.run) if settings.alpha else first
    if output is None:
        print_all(shown, chosen)
    else:
        write_all(shown, chosen, output, settings)
    return 1 if chosen.bad else 0


def check(settings: Settings) -> None:
    """Refuses what cannot be, before anything is read."""
    check_counts(settings, "limit")
    if bool(settings.run) == bool(settings.inputs):
        raise ValueError(
            "there must be files, or --run with the folder of a run, and not both. "
            f"Received: {len(settings.inputs)} files, --run {settings.run}"
        )
    if settings.run and settings.format:
        raise ValueError(
            f"--format is of files. Received: --run, --format {settings.format}"
        )
    if settings.against and not settings.run:
        raise ValueError(
            f"--against must come with --run. Received: --against {settings.against}"
        )
    if settings.alpha and not settings.run:
        raise ValueError("--alpha must come with --run, whose model is asked")
    if settings.format not in (None, READINGS, *FORMATS):
        raise ValueError(
            f"--format must be one of {', '.join((READINGS, *FORMATS))}. Received: "
            f"{settings.format}"
        )


def from_run(settings: Settings) -> Chosen:
    assert settings.run is not None
    run = read_run(to_path(settings.run, "run"))
    if settings.alpha and run.metrics["recipe"] == "wikihop":
        raise ValueError(
            "--alpha cannot read WikiHop's records again: a run keeps their texts in "
            f"lower case, and not all candidates. Received: --run {settings.run}"
        )
    other: Run | None = None
    if settings.against:
        other = compare_runs(run.folder, to_path(settings.against, "against")).b
    if not keeps_texts(run):
        say(
            f"{run.folder} keeps no texts, as runs of earlier versions do not: its "
            "answers alone are shown."
        )
    others = {each.id: each for each in other.predictions} if other else {}
    say(f"{run.metrics['recipe']} {run.metrics['model']}: {run.accuracy}")

    def readings() -> Iterator[Reading]:
        for prediction, reading in run_readings(run):
            if settings.wrong and prediction.correct:
                continue
            if other is not None:
                answer = others[prediction.id]
                if answer.predicted == prediction.predicted:
                    continue
                reading = beside(reading, other, answer)
            yield reading

    return Chosen(readings(), f"What {run.metrics['model']} answered")


def beside(reading: Reading, run: Run, answer: Prediction) -> Reading:
    """With what the other run answered."""
    said = answer.predicted or "nothing"
    right = "right" if answer.correct else "wrong"
    label = f"{said} ({answer.probability:.0%}), {right}"
    return replace(reading, labels={**reading.labels, f"{run.folder}": label})


def from_files(settings: Settings) -> Chosen:
    paths = [input_file(path, "inputs") for path in settings.inputs]
    names = zip(paths, settings.inputs, strict=True)
    forms = [settings.format or guess_format(path, name) for path, name in names]
    chosen = Chosen(iter(()), f"What {', '.join(each.name for each in paths)} holds")

    def readings(form: str, path: Path) -> Iterator[Reading]:
        if form == READINGS:
            yield from read_readings(path)
            return
        for record in FORMATS[form].records(path):
            if isinstance(record, BadRecord):
                say(f"{record.id}: {record.message}")
                chosen.bad += 1
                continue
            yield reading_of_annotation(record.id, record.annotation)

    chosen.readings = chain.from_iterable(map(readings, forms, paths))
    if settings.wrong:
        chosen.readings = filter(lambda each: each.correct is False, chosen.readings)
    return chosen


def guess_format(path: Path, name: str) -> str:
    for end, form in ENDS.items():
        if name.lower().endswith(end) or path.name.lower().endswith(end):
            return form
    raise ValueError(
        f"--format must say what {name} holds: {', '.join((READINGS, *FORMATS))}. "
        "Received: none. (Plain text is annotated by tools/annotate.py first.)"
    )


def with_ids(readings: Iterable[Reading], ids: Sequence[str]) -> Iterator[Reading]:
    """Those of the ids, all of which must be there."""
    if not ids:
        yield from readings
        return
    missing = set(ids)
    for reading in readings:
        if reading.id in ids:
            missing.discard(reading.id)
            yield reading
    if missing:
        raise ValueError(
            "--ids must be of examples that are shown without it. Received: "
            f"{', '.join(map(short, sorted(missing)))}"
        )


def read_again(readings: Iterable[Reading], run: str | None) -> Iterator[Reading]:
    """The same, as the run's best model reads them: with alpha and attention."""
    assert run is not None  # `check` has seen to it.
    kept = list(readings)
    if not kept:
        return
    if not all(each.document.tokens for each in kept):
        raise ValueError(f"--alpha needs the texts of the run. Received: {run}")
    say(f"{len(kept)} examples are read once more ...")
    choose_backend()
    from keras_cgru.answering import load_reader  # It imports Keras.

    # The clusters are those that the run kept, whoever found them.
    reader = load_reader(to_path(run, "run"), ExactMatchResolver())
    examples = [as_it_was_read(reader, each) for each in kept]
    pairs = zip(kept, reader.read(examples), strict=True)
    for number, (each, again) in enumerate(pairs, start=1):
        if number % 100 == 0:
            say(f"{number} of {len(kept)}")
        labels = {**each.labels, **again.labels}
        labels.pop("answers", None)  # That some were not kept.
        yield replace(again, gold=each.gold, labels=labels)


def as_it_was_read(reader: Any, reading: Reading) -> Any:
    """The example of a reading, with the clusters that it had, lost ones lost."""
    document, query = reading.document, reading.query
    example = reader.example(document.tokens, query.tokens, reading.id)
    if (example.document, example.query) != (document.tokens, query.tokens):
        raise ValueError(
            f"--alpha: the run's reader must read {reading.id} in the tokens that the "
            f"run kept. Received: {short(example.document)}, {short(example.query)}"
        )
    return replace(
        example,
        document_clusters=only_ids(document),
        query_clusters=only_ids(query),
    )


def only_ids(passage: Passage) -> tuple[int, ...]:
    return tuple(ids[0] if ids else 0 for ids in passage.clusters)


def print_all(shown: Iterable[Reading], chosen: Chosen) -> None:
    number = 0
    for number, reading in enumerate(shown, start=1):
        if number > 1:
            print()
        print_reading(reading)
    tell(number, num_left(chosen))


def write_all(
    shown: Iterable[Reading], chosen: Chosen, output: Path, settings: Settings
) -> None:
    readings = list(shown)
    left = num_left(chosen)
    what = [
        *(["wrong answers only"] if settings.wrong else []),
        *([f"where {settings.against} differs"] if settings.against else []),
        *([f"the first {len(readings)} of {len(readings) + left}"] if left else []),
    ]
    write_page(output, readings, chosen.title, "; ".join(what))
    tell(len(readings), left)
    say(f"Wrote {settings.html}.")


def num_left(chosen: Chosen) -> int:
    return sum(1 for _ in chosen.readings)


def tell(number: int, left: int) -> None:
    if not number:
        say("There is nothing to be shown.")
    elif left:
        say(f"The first {number} of {number + left}; --limit shows more.")


if __name__ == "__main__":
    sys.exit(main())
