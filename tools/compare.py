"""Compare two finished runs of a recipe by McNemar's test.

    python tools/compare.py runs/babi/coref_gru runs/babi/gru
    python tools/compare.py runs/babi/coref_gru runs/babi/gru --json

Prints both models, their accuracies, how often each is right where the other is wrong,
and the p-value. Ends with status 2 and one line on what is wrong when the folders are
incomplete or their runs cannot be compared.
"""

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from keras_cgru.command_line import Positional, run_command
from keras_cgru.evaluation import compare_runs
from keras_cgru.files import to_path


@dataclass(frozen=True)
class Settings:
    """Compare two finished runs of a recipe by McNemar's test."""

    run_a: Positional[str]
    """The run folder of the first model."""
    run_b: Positional[str]
    """The run folder of the second model."""
    json: bool = False
    """Print JSON."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    return run_command(
        compare, Settings, name="compare", description=__doc__, arguments=arguments
    )


def compare(settings: Settings) -> None:
    comparison = compare_runs(
        to_path(settings.run_a, "run_a"), to_path(settings.run_b, "run_b")
    )
    # In ASCII: an escape of the console's own would be none of JSON's.
    text = json.dumps(comparison.to_dict(), indent=2) if settings.json else comparison
    print(text)


if __name__ == "__main__":
    sys.exit(main())
