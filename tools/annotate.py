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

Inputs are plain text (a file is a document, a blank line ends a paragraph), LAMBADA
passages (each without its last word, the answer, which another system should not have
seen either; --format released-lambada alone has it, linked to nothing), WikiHop
records, Parquet with the columns `id` and `tokens`, or one of the formats of other
systems. Clusters come from a resolver, or from another system's output, whose mentions
are moved onto the tokens of the inputs.

A run that was stopped or killed goes on with --resume; its output is, byte by byte,
that of a run that was not. A document that fails is named at the end, with status 1,
and costs the others nothing.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from keras_cgru.coref.annotating.part import Failure
    from keras_cgru.coref.annotating.part_folder import PartFolder
    from keras_cgru.coref.annotating.raw_document import Chunk, RawDocument
    from keras_cgru.coref.annotating.resolver_settings import ResolverSettings
    from keras_cgru.coref.annotating.run import Engine


def say(message: str) -> None:
    print(message, file=sys.stderr)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line and returns its exit status."""
    options = make_parser().parse_args(arguments)
    choose_backend()
    if ":" in options.resolver and os.getcwd() not in sys.path:
        # Last, so that nothing there takes the place of a package.
        sys.path.append(os.getcwd())
    try:
        check(options)
        return preview(options) if options.preview else annotate(options)
    except (ImportError, OSError, RuntimeError, ValueError) as error:
        say(f"annotate: {error}")
        return 2
    except KeyboardInterrupt:
        say("\nStopped. Finished parts are kept; --resume goes on.")
        return 130


def make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name, settings in {
        "inputs": {"nargs": "*", "help": "files; none: the documents of --from"},
        "--input": {"metavar": "KIND", "help": "text, lambada, wikihop, parquet, or a "
            "format; default: by the files' names"},
        "--output": {"help": "the file to write"},
        "--format": {"default": "parquet", "help": "of the output; default: parquet"},
        "--resolver": {"default": "sieve", "help": "sieve (default), exact, corenlp, "
            "fastcoref, or module:function that returns one; modules are also "
            "looked for in the current folder"},
        "--option": {"action": "append", "default": [], "metavar": "NAME=VALUE",
            "help": "an argument of the resolver; the value is JSON or a string"},
        "--from": {"dest": "system", "metavar": "FORMAT",
            "help": "take the clusters from another system's files of this format"},
        "--annotations": {"nargs": "+", "default": [], "help": "these files"},
        "--window": {"type": positive, "metavar": "TOKENS",
            "help": "resolve long documents in windows; default: whole, but 10,000 for "
            "corenlp, whose server takes no more"},
        "--overlap": {"type": int, "metavar": "TOKENS",
            "help": "shared by neighbouring windows; default: a tenth"},
        "--jobs": {"type": positive, "help": "processes; default: one for each core, "
            "but one for fastcoref and a resolver of your own"},
        "--engine": {"choices": ["processes", "ray"], "default": "processes"},
        "--limit": {"type": positive, "help": "annotate only so many documents"},
        "--resume": {"action": "store_true", "help": "go on with a stopped run"},
        "--overwrite": {"action": "store_true", "help": "begin anew"},
        "--skip-failed": {"action": "store_true",
            "help": "write the output without the documents that fail"},
        "--preview": {"type": positive, "metavar": "N",
            "help": "print N documents with their clusters, write nothing"},
    }.items():  # fmt: skip
        parser.add_argument(name, **settings)  # type: ignore[arg-type]
    return parser


def positive(text: str) -> int:
    if not text.isdigit() or not int(text):
        raise argparse.ArgumentTypeError(f"must be 1 or more. Received: {text}")
    return int(text)


def choose_backend() -> None:
    """Names a Keras backend that is installed.

    Nothing here computes with it, but the package registers its layers on import.
    """
    installed = filter(importlib.util.find_spec, ("jax", "torch", "tensorflow"))
    if backend := next(installed, None):
        os.environ.setdefault("KERAS_BACKEND", backend)


def check(options: argparse.Namespace) -> None:
    """Refuses what cannot be, before anything is read; completes the options."""
    from keras_cgru.coref.annotating.output_files import check_answers, check_output
    from keras_cgru.coref.annotating.run import check_form

    if bool(options.system) != bool(options.annotations):
        raise ValueError("--from and --annotations must be given together")
    if not options.inputs and not options.system:
        raise ValueError("there must be an input file, or --from and --annotations")
    if not options.output and not options.preview:
        raise ValueError("--output must name the file to write, without --preview")
    if options.resume and options.overwrite:
        raise ValueError("--resume and --overwrite must not be given together")
    if options.overlap is not None and options.window is None:
        raise ValueError("--overlap must come with --window")
    check_form(options.format)
    if options.inputs:
        options.input = input_kind(options)
    if options.output:
        check_output(options.format, options.output, files_to_read(options))
        check_answers(options.format, options.input, options.inputs)
    options.answers = (options.input, options.format) == ("lambada", "released-lambada")


def input_kind(options: argparse.Namespace) -> str:
    from keras_cgru.coref.annotating.sources import guess_kind

    if options.input:
        return options.input
    kinds = set(map(guess_kind, options.inputs))
    if len(kinds) > 1:
        raise ValueError(f"inputs must be of one kind. Received: {sorted(kinds)}")
    say(f"Inputs are read as {min(kinds)} (--input).")
    return kinds.pop()


def files_to_read(options: argparse.Namespace) -> list[Path]:
    from keras_cgru.coref.annotating.output_files import output_files

    read = [(options.input, path) for path in options.inputs]
    read += [(options.system, path) for path in options.annotations]
    return [file for kind, path in read for file in output_files(kind, path)]


def preview(options: argparse.Namespace) -> int:
    from keras_cgru.coref.annotating import bracketed
    from keras_cgru.coref.annotating.raw_document import split_into_chunks
    from keras_cgru.coref.annotating.worker import Worker

    # Texts are shown as they are whatever the locale says.
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    documents, _, _ = read_documents(options)
    worker = Worker(resolver_settings(options))
    num_failed = 0
    for chunk in split_into_chunks(islice(documents, options.preview)):
        part = worker(chunk)
        for _, document in part.documents:
            print(f"# {document.id}\n{bracketed(document.annotation)}\n")
        num_failed += report_failures(part.failures)
    return 1 if num_failed else 0


def annotate(options: argparse.Namespace) -> int:
    from keras_cgru.coref.annotating.progress import Progress

    from keras_cgru.coref.annotating.job import describe_files, describe_job
    from keras_cgru.coref.annotating.output_files import output_files
    from keras_cgru.coref.annotating.part_folder import PartFolder
    from keras_cgru.coref.annotating.run import annotate_parts, assemble

    settings = resolver_settings(options)
    documents, size, matched = read_documents(options)
    resolver = settings.to_dict() if settings else {
        "name": f"from {options.system}",
        "files": describe_files(options.annotations),
        "matched": matched,
    }  # fmt: skip
    job = describe_job(
        options.input, options.inputs, resolver, options.limit, options.answers
    )
    folder = PartFolder(options.output, job)
    outputs = output_files(options.format, options.output)
    with folder.locked():
        if is_complete(options, folder, job):
            say(f"{options.output} is complete.")
            return 0
        folder.start(options.resume, outputs)
        progress = Progress(size)
        try:
            engine = make_engine(options, settings, size)
            report = annotate_parts(documents, engine, folder, progress)
        finally:
            progress.close()
            folder.clear_if_empty()
        if report_failures(report.failures) and not options.skip_failed:
            say(report.refusal(options.output, len(report.failures)))
            return 1
        metadata = job | {
            "num_documents": report.num_documents,
            "num_unplaced": report.num_unplaced,
            "failed": [failure.id for failure in report.failures],
        }
        folder.claim(outputs)
        unsayable = assemble(
            folder,
            report.num_chunks,
            options.output,
            options.format,
            metadata,
            leave_out=options.skip_failed,
        )
        if report_failures(unsayable) and not options.skip_failed:
            say(report.refusal(options.output, len(unsayable)))
            return 1
        report.leave_out(unsayable)
        folder.clear()
    for line in report.lines(options.output, progress.seconds):
        say(line)
    return 0


def resolver_settings(options: argparse.Namespace) -> ResolverSettings | None:
    from keras_cgru.coref.annotating.resolver_settings import (
        ResolverSettings,
        parse_options,
    )

    if options.system:
        return None
    return ResolverSettings.choose(
        options.resolver,
        parse_options(options.option),
        options.window,
        options.overlap,
    )


def read_documents(
    options: argparse.Namespace,
) -> tuple[Iterator[RawDocument], int, str | None]:
    """The documents, their size in characters, and by what --from was matched."""
    from keras_cgru.coref.annotating.sources import Source

    from keras_cgru.coref.annotating.found import as_they_are, attach, read_found

    found = read_found(options.system, options.annotations) if options.system else []
    if not options.inputs:
        return sized(as_they_are(found), options.limit)
    if options.input == "lambada":
        refuse_raw_lambada(options.inputs)
    source = Source(options.input, options.inputs, options.answers)
    if not options.system:
        if options.limit is None:
            return iter(source), source.size, None
        return sized(source, options.limit)
    documents, matched = attach(source, found, options.limit)
    say(f"Documents are matched by {matched}.")
    return (*sized(documents, None)[:2], matched)


def sized(documents: Any, limit: int | None) -> tuple[Iterator[RawDocument], int, None]:
    held = list(islice(documents, limit))
    return iter(held), sum(document.size for document in held), None


def refuse_raw_lambada(paths: Sequence[str]) -> None:
    from keras_cgru.data.lambada.version import check_tokenised
    from keras_cgru.files.text_lines import read_lines

    for path in paths:
        if lines := [pair for pair in read_lines(path) if pair[1].strip()]:
            check_tokenised(path, lines)


def is_complete(
    options: argparse.Namespace, folder: PartFolder, job: dict[str, Any]
) -> bool:
    """Whether nothing is left to do; refuses to touch what only --overwrite may."""
    from keras_cgru.coref.annotating.output_files import (
        check_absent,
        is_output_of,
        output_files,
    )

    if options.overwrite:
        return False
    if folder.is_unfinished:
        if options.resume:
            return False
        raise ValueError(
            f"{folder.path} holds a run that was stopped: --resume goes on with it, "
            "--overwrite begins anew"
        )
    files = output_files(options.format, options.output)
    if options.resume and all(file.exists() for file in files):
        if options.format != "parquet":
            say(f"{options.output} is there; its format keeps no settings to compare.")
            return True
        if is_output_of(job, options.output):
            return True
    check_absent(files)
    return False


def make_engine(
    options: argparse.Namespace, settings: ResolverSettings | None, size: int
) -> Engine:
    from keras_cgru.coref.annotating.process_pool import choose_jobs, run_in_processes

    from keras_cgru.coref.annotating.ray_engine import run_on_ray

    run: Callable[..., Iterator[bytes]] = run_on_ray
    jobs = options.jobs
    if options.engine == "processes":
        run, jobs = run_in_processes, choose_jobs(settings, size, jobs)

    def engine(chunks: Iterator[Chunk]) -> Iterator[bytes]:
        return run(settings, chunks, jobs)

    return engine


def report_failures(failures: Sequence[Failure]) -> int:
    for failure in failures:
        say(f"annotate: document {failure.id}: {failure.message}")
    return len(failures)


if __name__ == "__main__":
    sys.exit(main())
