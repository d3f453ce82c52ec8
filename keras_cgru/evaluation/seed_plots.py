"""Curves of runs over seeds."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence

from keras_cgru.evaluation.figures import draw_curve, make_panels, save_figure
from keras_cgru.evaluation.seed_groups import Way


def plot_seed_curves(
    path: str | os.PathLike[str],
    ways: Sequence[Way],
    caution: str,
    formats: Sequence[str] = ("svg",),
) -> bool:
    """Validation over the epochs, a colour a way of training, a line a seed.

    Left the probability of the right answer, exp(-cross-entropy), right the accuracy.

    Args:
        path: The file; each format has its own suffix.
        ways: What was trained on the same.
        caution: What the plot must say of it.
        formats: What to write; see `save_figure`.

    Returns:
        Whether there was anything to draw.

    Raises:
        ImportError: `matplotlib` is not installed.
    """
    curves = [
        (number, way.name, run.curve("val_loss"), run.curve("val_accuracy"))
        for number, way in enumerate(ways)
        for run in way.runs
    ]
    curves = [each for each in curves if each[2] or each[3]]
    if not curves:
        return False
    titles = ["exp(-validation cross-entropy)", "validation accuracy"]
    figure, (left, right) = make_panels(titles, "epoch")
    for panel in (left, right):
        panel.locator_params(axis="x", integer=True)
    labelled: set[str] = set()
    for number, name, losses, accuracies in curves:
        label = None if name in labelled else name
        labelled.add(name)
        color = f"C{number % 10}"
        draw_curve(left, [(x, math.exp(-y)) for x, y in losses], color, label)
        draw_curve(right, accuracies, color)
    save_figure(path, figure, (left, right), caution, formats)
    return True
