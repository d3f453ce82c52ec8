"""Find the coreference clusters of texts, and keep them as Parquet.

    python tools/annotate.py story.txt --output story.parquet
    python tools/annotate.py lambada_test_plain_text.txt --output test.parquet
    python tools/annotate.py wikihop/dev.json --resolver exact --output dev.parquet
    python tools/annotate.py dev.parquet --resolver corenlp --output corenlp.parquet
    python tools/annotate.py lambada_test_plain_text.txt --output test.parquet \\
        --from allennlp --annotations allennlp_test.json
    python tools/annotate.py --from corenlp --annotations out.json \\
        --format conll2012 --output out.conll
    python tools/annotate.py story.txt --preview 1
    python tools/annotate.py texts/ --output texts.parquet
    zcat book.txt.gz | python tools/annotate.py - --output book.parquet
    python tools/annotate.py --resume --output texts.parquet

Inputs are plain text (a file is a document, a blank line ends a paragraph), LAMBADA
passages (each without its last word, the answer, which another system should not have
seen either; --format released-lambada alone has it, linked to nothing), WikiHop
records, Parquet with the columns `id` and `tokens`, or one of the formats of other
systems. Clusters come from a resolver, or from another system's output, whose mentions
are moved onto the tokens of the inputs.

"-" is standard input, which is text unless --input says otherwise. A folder stands for
its files whose names fit, by name: .txt and .text, .json, .parquet; with --input those
of that kind. A text of more than 2,000,000 characters is read in pieces of 500,000 by
the rule-based resolver, and by any with a --window: with progress, on all cores, in
bounded memory. Clusters of two pieces join where these overlap.

A run that was stopped or killed goes on with --resume, which needs no other option but
--output; its output is, byte by byte, that of a run that was not stopped. A document
that fails, or that its file holds broken, is named at the end, with status 1, and costs
the others nothing; --skip-failed writes the output without it.
"""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import tyro

from keras_cgru.command_line import check_counts, print_in_utf8, run_command, say
from keras_cgru.coref.annotating import ResolverSettings, bracketed
from keras_cgru.coref.annotating.engines.local_engine import (
    choose_jobs,
    run_in_processes,
)
from keras_cgru.coref.annotating.engines.ray_engine import run_on_ray
from keras_cgru.coref.annotating.engines.worker import Worker
from keras_cgru.coref.annotating.inputs.documents import Documents, Work, read_documents
from keras_cgru.coref.annotating.inputs.each_document import choose_kind
from keras_cgru.coref.annotating.inputs.input_kinds import INPUT_KINDS
from keras_cgru.coref.annotating.inputs.input_paths import files_of
from keras_cgru.coref.annotating.outputs.job import describe_files, describe_job
from keras_cgru.coref.annotating.outputs.kept_options import options_to_keep, restored
from keras_cgru.coref.annotating.outputs.output_files import (
    check_absent,
    check_whole,
    checked_output,
    is_output_of,
    output_files,
)
from keras_cgru.coref.annotating.outputs.part import Failure
from keras_cgru.coref.annotating.outputs.part_folder import PartFolder
from keras_cgru.coref.annotating.outputs.report import Report
from keras_cgru.coref.annotating.progress_line import ProgressLine
from keras_cgru.coref.annotating.raw_document import (
    Chunk,
    split_into_chunks,
)
from keras_cgru.coref.annotating.resolver_settings import parse_options
from keras_cgru.coref.annotating.run import (
    Engine,
    annotate_parts,
    assemble,
    check_form,
)
from keras_cgru.data.lambada.input_kind import LAMBADA
from keras_cgru.data.wikihop.input_kind import WIKIHOP
from keras_cgru.files import input_file, to_path

# Those of a data set come last and are tried first: their names are like others', too.
KINDS = {**INPUT_KINDS, LAMBADA.name: LAMBADA, WIKIHOP.name: WIKIHOP}

Flag = tyro.conf.FlagCreatePairsOff[bool]


@dataclass
class Settings:
    """Find the coreference clusters of texts, and keep them as Parquet."""

    inputs: tyro.conf.Positional[tuple[str, ...]] = ()
    """Files, folders or "-"; none: the documents of --from, or of a run to resume."""
    input: str | None = None
    """What they hold: text, lambada, wikihop, parquet, or a format. Default: by their
    names."""
    output: str | None = None
    """The file to write."""
    format: str = "parquet"
    """Of the output."""
    resolver: str = "sieve"
    """sieve, exact, corenlp, fastcoref, or module:function that returns one; modules
    are also looked for in the current folder."""
    option: tyro.conf.UseAppendAction[tuple[str, ...]] = ()
    """NAME=VALUE, an argument of the resolver; the value is JSON or a string. May be
    given several times."""
    from_: Annotated[str | None, tyro.conf.arg(name="from")] = None
    """Take the clusters from another system's files of this format."""
    annotations: tuple[str, ...] = ()
    """These files."""
    window: int | None = None
    """Resolve long documents in windows of so many tokens. Default: whole, but 10,000
    for corenlp, whose server takes no more, and pieces of very long texts for sieve;
    a window of more tokens than a text has leaves it whole."""
    overlap: int | None = None
    """Tokens shared by neighbouring windows. Default: a tenth."""
    jobs: int | None = None
    """Processes. Default: one for each core, but one for fastcoref and a resolver of
    your own."""
    engine: Literal["processes", "ray"] = "processes"
    """Where they run."""
    limit: int | None = None
    """Annotate only so many documents."""
    resume: Flag = False
    """Go on with a stopped run, with the options that it was started with."""
    overwrite: Flag = False
    """Begin anew."""
    skip_failed: Flag = False
    """Write the output without the documents that fail."""
    preview: int | None = None
    """Print so many documents with their clusters, write nothing."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line and returns its exit status."""

    def start(settings: Settings) -> int:
        kept = restored(settings) if settings.resume and settings.output else None
        return annotate(settings) if kept is None else run(annotate, kept)

    def run(function: Callable[[Settings], int], default: Settings | None) -> int:
        return run_command(
            function,
            Settings,
            name="annotate",
            description=__doc__,
            arguments=arguments,
            default=default,
        )

    return run(start, None)


def annotate(settings: Settings) -> int:
    try:
        alone = not (settings.inputs or settings.from_)  # Nothing more is named.
        if (
            settings.resume
            and alone
            and settings.output
            and to_path(settings.output).is_file()
        ):
            say(f"{settings.output} is there, and no unfinished run beside it.")
            return 0
        work = check(settings)
        return preview(settings, work) if settings.preview else write(settings, work)
    except KeyboardInterrupt:
        say("\nStopped. Finished parts are kept; --resume goes on.")
        return 130


def check(settings: Settings) -> Work:
    """Refuses what cannot be, before anything is read."""
    check_counts(settings, "window jobs limit preview")
    if bool(settings.from_) != bool(settings.annotations):
        raise ValueError("--from and --annotations must be given together")
    if not settings.inputs and not settings.from_:
        raise ValueError("there must be an input file, or --from and --annotations")
    if not settings.output and not settings.preview:
        raise ValueError("--output must name the file to write, without --preview")
    if settings.resume and settings.overwrite:
        raise ValueError("--resume and --overwrite must not be given together")
    if settings.overlap is not None and settings.window is None:
        raise ValueError("--overlap must come with --window")
    check_form(settings.format)
    kind = None
    paths = files_of(settings.inputs, KINDS, settings.input)
    if paths:
        kind = choose_kind(KINDS, settings.input, paths)
        if not settings.input:
            say(f"Inputs are read as {kind.name} (--input).")
    if settings.output:
        read = [(kind.name, path) for path in paths] if kind else []
        read += [(settings.from_ or "", path) for path in settings.annotations]
        files = [file for form, path in read for file in output_files(form, path)]
        output = checked_output(settings.format, settings.output, files)
        settings.output = os.fspath(output)
        check_whole(KINDS, settings.format, kind, paths)
    return Work(
        resolver_settings(settings),
        kind,
        [input_file(path, "inputs") for path in paths],
        settings.from_,
        [input_file(path, "annotations") for path in settings.annotations],
        kind is not None and kind.whole_in == settings.format,
        settings.limit,
    )


def resolver_settings(settings: Settings) -> ResolverSettings | None:
    if settings.from_:
        return None
    options = parse_options(settings.option)
    return ResolverSettings.choose(
        settings.resolver, options, settings.window, settings.overlap
    )


def preview(settings: Settings, work: Work) -> int:
    print_in_utf8()
    documents = remarked(read_documents(work))
    worker = Worker(work.resolver)
    num_failed = 0
    for chunk in split_into_chunks(documents.first(settings.preview)):
        part = worker(chunk)
        for _, document in part.documents:
            name, annotation = f"# {document.id}", document.annotation
            if part.piece is not None:
                number, count, num_before = part.piece
                name += f", piece {number + 1} of {count}"
                annotation = annotation.window(num_before, len(annotation.tokens))
            print(f"{name}\n{bracketed(annotation)}\n")
        num_failed += report_failures(part.failures)
    return 1 if num_failed else 0


def write(settings: Settings, work: Work) -> int:
    documents = remarked(read_documents(work))
    assert settings.output is not None  # `check` has seen to it.
    resolver: dict[str, Any] = work.resolver.to_dict() if work.resolver else {
        "name": f"from {settings.from_}",
        "files": describe_files(work.annotations),
        "matched": documents.matched,
    }  # fmt: skip
    if documents.pieces is not None:
        resolver["pieces"] = documents.pieces.to_dict()
    job = describe_job(work.kind, work.inputs, resolver, settings.limit, work.whole)
    folder = PartFolder(settings.output, job, options_to_keep(settings))
    with folder.locked():
        if is_complete(settings, folder, job):
            say(f"{settings.output} is complete.")
            return 0
        folder.start(settings.resume, output_files(settings.format, settings.output))
        progress = ProgressLine(documents.size)
        try:
            engine = make_engine(settings, work.resolver, documents.size)
            report = annotate_parts(documents.each, engine, folder, progress)
        finally:
            progress.close()
            folder.clear_if_empty()
        if not make_output(settings, folder, report, job):
            return 1
        folder.clear()
    for line in report.lines(settings.output, progress.seconds):
        say(line)
    return 0


def remarked(documents: Documents) -> Documents:
    for remark in documents.remarks:
        say(remark.replace("`window`", "--window"))
    return documents


def is_complete(settings: Settings, folder: PartFolder, job: dict[str, Any]) -> bool:
    """Whether nothing is left to do; refuses to touch what only --overwrite may."""
    if settings.overwrite:
        return False
    if folder.is_unfinished:
        if settings.resume:
            return False
        raise ValueError(
            f"{folder.path} holds a run that was stopped: --resume goes on with it, "
            "--overwrite begins anew"
        )
    files = output_files(settings.format, settings.output or "")
    if settings.resume and all(file.exists() for file in files):
        if settings.format != "parquet":
            say(f"{files[0]} is there; its format keeps no settings to compare.")
            return True
        if is_output_of(job, files[0]):
            return True
    check_absent(files)
    return False


def make_engine(
    settings: Settings, resolver: ResolverSettings | None, size: int
) -> Engine:
    run: Callable[..., Any] = run_on_ray
    jobs = settings.jobs
    if settings.engine == "processes":
        run, jobs = run_in_processes, choose_jobs(resolver, size, jobs)

    def engine(chunks: Iterator[Chunk]) -> Any:
        return run(resolver, chunks, jobs)

    return engine


def make_output(
    settings: Settings, folder: PartFolder, report: Report, job: dict[str, Any]
) -> bool:
    """Writes the output; not where documents have failed that must not be left out."""
    output = settings.output or ""
    if report_failures(report.failures) and not settings.skip_failed:
        say_why_not(output, report, len(report.failures))
        return False
    folder.claim(output_files(settings.format, output))
    unsayable = assemble(
        folder,
        report.num_chunks,
        output,
        settings.format,
        job | report.metadata(),
        leave_out=settings.skip_failed,
    )
    if report_failures(unsayable) and not settings.skip_failed:
        say_why_not(output, report, len(unsayable))
        return False
    report.leave_out(unsayable)
    return True


def report_failures(failures: Sequence[Failure]) -> int:
    for failure in failures:
        say(f"annotate: document {failure.id}: {failure.message}")
    return len(failures)


def say_why_not(output: str, report: Report, num_failed: int) -> None:
    say(
        f"{num_failed} of {report.total} documents failed. The others are kept: "
        "--resume tries those again, --resume --skip-failed writes "
        f"{output} without them."
    )


if __name__ == "__main__":
    sys.exit(main())
