"""Compare two finished runs of a recipe by McNemar's test.

    python tools/compare.py runs/babi/coref_gru runs/babi/gru
    python tools/compare.py runs/babi/coref_gru runs/babi/gru --json

Prints both models, their accuracies, how often each is right where the other is wrong,
and the p-value. Ends with status 2 and one line on what is wrong when the folders are
incomplete or their runs cannot be compared.
"""

import argparse
import json
import sys
from collections.abc import Sequence

from keras_cgru.evaluation import compare_runs


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    parser = argparse.ArgumentParser(
        description="Compare two finished runs of a recipe by McNemar's test."
    )
    parser.add_argument("run_a", help="the run folder of the first model")
    parser.add_argument("run_b", help="the run folder of the second model")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args(arguments)
    try:
        comparison = compare_runs(options.run_a, options.run_b)
    except (OSError, ValueError) as error:
        print(f"compare: {error}", file=sys.stderr)
        return 2
    if options.json:
        print(json.dumps(comparison.to_dict(), indent=2, ensure_ascii=False))
    else:
        print(comparison)
    return 0


if __name__ == "__main__":
    sys.exit(main())
