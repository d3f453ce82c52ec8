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
the files' own, clusters of one mention are left out. Figures are in percent.

Ends with status 2 and one line on what is wrong when a file is broken or a package is
missing.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # Keras must not be imported before its backend is chosen.
    from keras_cgru.coref.annotation import Annotation
    from keras_cgru.coref.resolver import Resolver

MAX_LISTED = 20
_MEASURES = {
    "muc": "MUC",
    "b_cubed": "B3",
    "ceaf_e": "CEAF-e",
    "mentions": "mentions",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line and returns its exit status."""
    # Texts are shown as they are whatever the locale says.
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    options = make_parser().parse_args(arguments)
    choose_backend()
    try:
        results, lines = score(options)
        try:
            if options.output:
                from keras_cgru.files import write_json

                # Before the tables: a closed pipe must not cost the figures.
                write_json(options.output, results)
        finally:
            print("\n".join(lines), flush=True)
    except (ImportError, OSError, ValueError) as error:
        print(f"score_coref: {error}", file=sys.stderr)
        return 2
    return 0


def make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="+", help="CoNLL-2012, LitBank or GAP files")
    parser.add_argument("--resolver", choices=["sieve", "exact"], default="sieve")
    parser.add_argument("--lower", action="store_true", help="lower-case the texts")
    parser.add_argument(
        "--tagger", metavar="PATH", help="the sieve: a perceptron tagger's model"
    )
    parser.add_argument(
        "--links",
        type=lambda text: text.split(","),
        metavar="NAMES,...",
        help="the sieve: some of names,nouns,pronouns,speakers",
    )
    parser.add_argument(
        "--within-gold",
        action="store_true",
        help="leave out found clusters of which the gold marks no mention",
    )
    parser.add_argument(
        "--errors",
        type=int,
        metavar="N",
        help="also count the errors by kind and mention, and show N of each",
    )
    parser.add_argument("--output", help="also write the figures to this JSON file")
    return parser


def choose_backend() -> None:
    """Names a Keras backend that is installed.

    Nothing here computes with it, but the package registers its layers on import.
    """
    installed = filter(importlib.util.find_spec, ("jax", "torch", "tensorflow"))
    if backend := next(installed, None):
        os.environ.setdefault("KERAS_BACKEND", backend)


def make_resolver(options: argparse.Namespace) -> Resolver:
    from keras_cgru.coref.exact_match import ExactMatchResolver
    from keras_cgru.coref.sieve import LINKS, SieveResolver

    if options.resolver == "sieve":
        return SieveResolver(options.links or LINKS, options.tagger)
    if options.links or options.tagger:
        raise ValueError("--links and --tagger are settings of --resolver sieve")
    return ExactMatchResolver()


def score(options: argparse.Namespace) -> tuple[dict[str, Any], list[str]]:
    """Scores the resolver on all files; returns the figures, and tables of them."""
    resolver = make_resolver(options)
    clock = Clock(resolver, options.lower)
    gap = [file for file in options.files if file.endswith(".tsv")]
    if options.within_gold and gap:
        raise ValueError(f"--within-gold: must have CoNLL files. Received: {gap[0]}")
    results: dict[str, Any] = {
        "files": [file_name(file) for file in options.files],
        "resolver": options.resolver,
        "links": sorted(getattr(resolver, "links", ())),
        "tagger": options.tagger and file_name(options.tagger),
        "lower": options.lower,
        "within_gold": options.within_gold,
    }
    lines: list[str] = []
    conll = [file for file in options.files if file not in gap]
    if conll:
        results["conll"], table = score_conll(
            conll, clock, options.within_gold, options.errors
        )
        lines += table
    if gap:
        results["gap"], table = score_gap(gap, clock)
        lines += table
    results["tokens"] = clock.tokens
    results["tokens_per_second"] = round(clock.tokens / max(clock.seconds, 1e-9))
    rate = f"{clock.tokens} tokens, {results['tokens_per_second']} a second"
    return results, [*lines, "", rate]


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
    files: list[str], clock: Clock, within_gold: bool, num_errors: int | None
) -> tuple[dict[str, Any], list[str]]:
    from keras_cgru.coref.formats import read_conll2012
    from keras_cgru.evaluation.coref_scores import coref_scores

    documents = [document for file in files for document in read_conll2012(file)]
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
    from keras_cgru.evaluation.coref_errors import KINDS, MENTIONS, coref_errors

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


def score_gap(files: list[str], clock: Clock) -> tuple[dict[str, Any], list[str]]:
    from keras_cgru.evaluation.gap import gap_scores, read_gap

    examples = [example for file in files for example in read_gap(file)]
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
