from itertools import combinations

import numpy as np
import pytest

from keras_cgru.inspection import Passage, Reading
from keras_cgru.inspection.palette import COLORS, ink_on, looks

# Linear RGB as full protanopia, deuteranopia and tritanopia turn it (Machado, Oliveira
# and Fernandes 2009, severity 1).
DEFICIENCIES = {
    "none": np.eye(3),
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
XYZ = np.array(
    [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
)


def linear(color):
    parts = np.array([int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)])
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def lab(rgb):
    ratio = XYZ @ np.clip(rgb, 0, 1) / XYZ.sum(axis=1)
    x, y, z = np.where(ratio > 0.008856, np.cbrt(ratio), 7.787 * ratio + 16 / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("deficiency", DEFICIENCIES)
def test_every_two_colors_differ_to_every_eye(deficiency):
    seen = [lab(DEFICIENCIES[deficiency] @ linear(color)) for color in COLORS]
    nearest = min(np.linalg.norm(a - b) for a, b in combinations(seen, 2))
    # About 2 is just noticeable.
    assert nearest > 10


@pytest.mark.parametrize("color", COLORS)
def test_the_ink_is_legible_on_its_color(color):
    paper = XYZ[1] @ linear(color) + 0.05
    ink = XYZ[1] @ linear(ink_on(color)) + 0.05
    # WCAG's least contrast for text (AA).
    assert max(paper, ink) / min(paper, ink) >= 4.5


def test_the_most_frequent_chain_comes_first_and_single_mentions_have_no_color():
    reading = Reading("r", Passage(["w"] * 11, [5, 0, 2, 0, 5, 0, 2, 0, 2, 0, 9]))
    assert looks(reading) == {2: (0, 0), 5: (1, 0)}


def test_twenty_eight_chains_look_different():
    clusters = [n for _ in range(2) for n in range(1, 29)]
    shown = looks(Reading("r", Passage(["w"] * 56, clusters)))
    assert len(set(shown.values())) == 28
