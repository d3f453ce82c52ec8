"""McNemar's test: do two readers differ, given their answers to the same examples?"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class McNemarResult:
    """The 2x2 table of two readers' outcomes and the test's p-value.

    Attributes:
        both_right: Examples that both answer right.
        only_a: Examples that only the first answers right.
        only_b: Examples that only the second answers right.
        both_wrong: Examples that both answer wrong.
        p_value: The probability, were the readers equally good, of a split between
            `only_a` and `only_b` at least as uneven as this one.
    """

    both_right: int
    only_a: int
    only_b: int
    both_wrong: int
    p_value: float


def mcnemar(
    correct_a: Sequence[bool] | np.ndarray, correct_b: Sequence[bool] | np.ndarray
) -> McNemarResult:
    """Compare two readers on the same examples.

    Only the examples that one answers right and the other wrong tell them apart. If
    the readers are equally good, each of these `n` favours either with probability
    1/2. The p-value is the exact two-sided binomial one,

        min(1, 2 * sum_{i <= min(only_a, only_b)} binomial(n, i) / 2^n)

    The usual chi-squared statistic only approximates it, badly where `n` is small, as
    it is for two good readers of one family. The sum is in whole numbers and rounded
    once; it equals `scipy.stats.binomtest(only_a, n).pvalue`, which would make SciPy
    (and half a second of its import) a need of the command line.

    Args:
        correct_a: For each example, whether the first reader answers it right.
        correct_b: The same for the second reader, in the same order.

    Returns:
        The table and the p-value, which is 1 when the readers never disagree.

    Raises:
        ValueError: The two differ in length, have more than one dimension, or hold
            anything but truth values.

    Reference: McNemar, Note on the sampling error of the difference between
        correlated proportions or percentages, Psychometrika 12, 1947.
    """
    a, b = _outcomes("correct_a", correct_a), _outcomes("correct_b", correct_b)
    if len(a) != len(b):
        raise ValueError(
            "`correct_a` and `correct_b` must be outcomes of the same examples. "
            f"Received: {len(a)} and {len(b)} of them"
        )
    only_a, only_b = int((a & ~b).sum()), int((~a & b).sum())
    return McNemarResult(
        both_right=int((a & b).sum()),
        only_a=only_a,
        only_b=only_b,
        both_wrong=int((~a & ~b).sum()),
        p_value=_p_value(only_a, only_b),
    )


def _p_value(only_a: int, only_b: int) -> float:
    discordant = only_a + only_b
    fewer = min(only_a, only_b)
    term = tail = 1
    for i in range(fewer):
        term = term * (discordant - i) // (i + 1)
        tail += term
    return min(1.0, 2 * tail / 2**discordant)


def _outcomes(name: str, values: Sequence[bool] | np.ndarray) -> np.ndarray:
    array = np.asarray(values)
    if array.ndim != 1:
        raise ValueError(
            f"`{name}` must have one dimension. Received: shape {array.shape}"
        )
    if not np.isin(array, (0, 1)).all():
        raise ValueError(f"`{name}` must hold truth values. Received: {values!r}")
    return array.astype(bool)
