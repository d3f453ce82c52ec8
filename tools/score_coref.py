"""Score a coreference resolver against gold annotations.

    python tools/score_coref.py litbank/*.conll
    python tools/score_coref.py litbank/*.conll --resolver exact --lower
    python tools/score_coref.py litbank/*.conll --within-gold --output litbank.json
    python tools/score_coref.py litbank/*.conll --errors 5
    python tools/score_coref.py gap-validation.tsv --tagger trontagger-0.1.0.pickle

Files that end in .tsv are GAP: printed are, by gender, F1 and accuracy of "the pronoun
refers to this name", and the ratio of the women's F1 to the men's. All others are
CoNLL-2012 or LitBank: printed are recall, precision and F1 of MUC, B3 and CEAF-e, the
mean of their F1 (CoNLL), and the same of the mentions' spans. Tokens and sentences are
the files' own, clusters of one mention are left out. Figures are in percent. "-" is
standard input.

Ends with status 2 and one line on what is wrong when a file is broken, without a
cluster, or a package is missing. --skip-failed scores what is left without the broken
documents, and says which they are.
"""

import os
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import tyro

from keras_cgru.command_line import print_in_utf8, run_command, say
from keras_cgru.coref import Annotation, Document, ExactMatchResolver, Resolver
from keras_cgru.coref.formats import BadRecord
from keras_cgru.coref.formats.conll2012 import conll2012_records
from keras_cgru.coref.sieve import LINKS, SieveResolver
from keras_cgru.evaluation.coref_errors import KINDS, MENTIONS, coref_errors
from keras_cgru.evaluation.coref_scores import coref_scores
from keras_cgru.evaluation.gap import GapExample, gap_records, gap_scores
from keras_cgru.files import check_output, input_file, write_json

MAX_LISTED = 20
_MEASURES = {
    "muc": "MUC",
    "b_cubed": "B3",
    "ceaf_e": "CEAF-e",
    "mentions": "mentions",
}

Flag = tyro.conf.FlagCreatePairsOff[bool]


@dataclass
class Settings:
    """Score a coreference resolver against gold annotations."""

    files: tyro.conf.Positional[tuple[str, ...]]
    """CoNLL-2012, LitBank or GAP files."""
    resolver: Literal["sieve", "exact"] = "sieve"
    """What to score."""
    lower: Flag = False
    """Lower-case the texts."""
    tagger: str | None = None
    """The sieve: a perceptron tagger's model."""
    links: str | None = None
    """The sieve: some of names,nouns,pronouns,speakers."""
    within_gold: Flag = False
    """Leave out found clusters of which the gold marks no mention."""
    errors: int | None = None
    """Also count the errors by kind and mention, and show so many of each."""
    output: str | None = None
    """Also write the figures to this JSON file."""
    skip_failed: Flag = False
    """Leave out the documents that are broken."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line and returns its exit status."""
    return run_command(
        report,
        Settings,
        name="score_coref",
        description=__doc__,
        arguments=arguments,
    )


def report(settings: Settings) -> None:
    print_in_utf8()
    if not settings.files:
        raise ValueError("there must be a file")
    if settings.errors is not None and settings.errors < 0:
        raise ValueError(f"--errors must be 0 or more. Received: {settings.errors}")
    output = check_output(settings.output) if settings.output else None
    results, lines = score(settings)
    try:
        if output is not None:
            # Before the tables: a closed pipe must not cost the figures.
            write_json(output, results)
    finally:
        print("\n".join(lines), flush=True)


def make_resolver(settings: Settings) -> Resolver:
    if settings.resolver == "sieve":
        links = settings.links.split(",") if settings.links else LINKS
        return SieveResolver(links, settings.tagger)
    if settings.links or settings.tagger:
        raise ValueError("--links and --tagger are settings of --resolver sieve")
    return ExactMatchResolver()


def score(settings: Settings) -> tuple[dict[str, Any], list[str]]:
    """Scores the resolver on all files; returns the figures, and tables of them."""
    clock = Clock(make_resolver(settings), settings.lower)
    gap = [file for file in settings.files if file.endswith(".tsv")]
    if settings.within_gold and gap:
        raise ValueError(f"--within-gold: must have CoNLL files. Received: {gap[0]}")
    results: dict[str, Any] = {
        "files": [file_name(file) for file in settings.files],
        "resolver": settings.resolver,
        "links": sorted(getattr(clock.resolver, "links", ())),
        "tagger": settings.tagger and file_name(settings.tagger),
        "lower": settings.lower,
        "within_gold": settings.within_gold,
    }
    failed: list[str] = []
    lines: list[str] = []
    conll = [file for file in settings.files if file not in gap]
    if conll:
        documents = read(conll, conll2012_records, settings.skip_failed, failed)
        results["conll"], table = score_conll(
            check_gold(conll, documents), clock, settings.within_gold, settings.errors
        )
        lines += table
    if gap:
        examples = read(gap, gap_records, settings.skip_failed, failed)
        results["gap"], table = score_gap(examples, clock)
        lines += table
    if failed:
        results["failed"] = failed
        say(f"{len(failed)} documents failed and were left out.")
    results["tokens"] = clock.tokens
    results["tokens_per_second"] = round(clock.tokens / max(clock.seconds, 1e-9))
    rate = f"{clock.tokens} tokens, {results['tokens_per_second']} a second"
    return results, [*lines, "", rate]


def read(
    files: Sequence[str],
    records: Callable[[Path], Any],
    skip_failed: bool,
    failed: list[str],
) -> list[Any]:
    """What files hold; ends at what is broken, unless it may be skipped."""
    good: list[Any] = []
    for file in files:
        before = len(good)
        for record in records(input_file(file, "files")):
            if not isinstance(record, BadRecord):
                good.append(record)
                continue
            if not skip_failed:
                raise ValueError(record.message)
            say(f"score_coref: document {record.id}: {record.message}")
            failed.append(record.id)
        if len(good) == before:
            raise ValueError(f"{file}: must hold a document. Received: none")
    return good


def check_gold(files: Sequence[str], documents: list[Document]) -> list[Document]:
    """Refuses gold without a link: whatever is found in it, all figures are 0."""
    linked = [
        any(len(cluster) > 1 for cluster in document.annotation.clusters)
        for document in documents
    ]
    if not any(linked):
        raise ValueError(
            f"{', '.join(files)}: the gold must hold a cluster of two mentions. "
            f"Received: none in {len(documents)} documents"
        )
    if not all(linked):
        number = linked.count(False)
        say(f"{number} of {len(documents)} documents have no gold cluster.")
    return documents


def file_name(path: str) -> str:
    """The name in UTF-8, whatever the locale made of it."""
    return os.fsencode(Path(path).name).decode("utf-8", "backslashreplace")


class Clock:
    """A resolver that counts tokens and seconds."""

    def __init__(self, resolver: Resolver, lower: bool) -> None:
        self.resolver = resolver
        self.lower = lower
        self.tokens = 0
        self.seconds = 0.0

    def resolve(
        self, tokens: Sequence[str], starts: Sequence[int] | None
    ) -> Annotation:
        if self.lower:
            tokens = [token.lower() for token in tokens]
        start = time.perf_counter()
        annotation = self.resolver.resolve(tokens, starts)
        self.seconds += time.perf_counter() - start
        self.tokens += len(tokens)
        return annotation


def score_conll(
    documents: list[Document], clock: Clock, within_gold: bool, num_errors: int | None
) -> tuple[dict[str, Any], list[str]]:
    gold = [document.annotation for document in documents]
    found = [clock.resolve(each.tokens, each.sentence_starts) for each in gold]
    total = coref_scores(gold, found, within_gold)
    lines = [f"{len(gold)} documents of CoNLL", f"{'':10}  recall  precision      F1"]
    for name, title in _MEASURES.items():
        each = getattr(total, name)
        lines.append(
            f"{title:10}{100 * each.recall:8.2f}{100 * each.precision:11.2f}"
            f"{100 * each.f1:8.2f}"
        )
    lines.append(f"{'CoNLL':10}{'':19}{100 * total.conll_f1:8.2f}")
    results = {"documents": len(documents), **total.to_dict()}
    if 1 < len(documents) <= MAX_LISTED:
        results["conll_f1_of"] = {
            document.id: coref_scores([right], [said], within_gold).conll_f1
            for document, right, said in zip(documents, gold, found, strict=True)
        }
        for id, f1 in results["conll_f1_of"].items():
            lines.append(f"  {100 * f1:6.2f}  {id}")
    if num_errors is not None:
        results["errors"], table = count_errors(gold, found, num_errors)
        lines += table
    return results, lines


def count_errors(
    gold: list[Annotation], found: list[Annotation], num_shown: int
) -> tuple[dict[str, dict[str, int]], list[str]]:
    """Returns the counts of errors, and a table of them with examples."""
    errors = list(coref_errors(gold, found))
    counts = {
        kind: {
            mention: sum(
                (each.kind, each.mention) == (kind, mention) for each in errors
            )
            for mention in MENTIONS
        }
        for kind in KINDS
    }
    lines = ["", f"{'':18}" + "".join(f"{mention:>12}" for mention in MENTIONS)]
    for kind, row in counts.items():
        lines.append(f"{kind:18}" + "".join(f"{count:12}" for count in row.values()))
    for kind in KINDS if num_shown else ():
        lines += ["", kind]
        shown = [each for each in errors if each.kind == kind]
        # Spread over the documents.
        for each in shown[:: max(len(shown) // num_shown, 1)][:num_shown]:
            lines.append(f"  {each.show(gold[each.document].tokens)}")
    return counts, lines


def score_gap(
    examples: list[GapExample], clock: Clock
) -> tuple[dict[str, Any], list[str]]:
    scores = gap_scores(
        (example, clock.resolve(example.tokens, None)) for example in examples
    )
    bias = scores["female"].f1 / scores["male"].f1 if scores["male"].f1 else None
    lines = [f"{len(examples)} examples of GAP", f"{'':10}      F1   accuracy"]
    for name, each in scores.items():
        lines.append(f"{name:10}{100 * each.f1:8.2f}{100 * each.accuracy:11.2f}")
    lines.append(f"{'bias':10}" + (f"{bias:8.2f}" if bias is not None else "       -"))
    results = {
        "examples": len(examples),
        **{name: each.to_dict() for name, each in scores.items()},
        "bias": bias,
    }
    return results, lines


if __name__ == "__main__":
    sys.exit(main())
