"""One look for each chain, the same in text, image and page.

Colours are those of Okabe and Ito, which people with any of the usual colour
deficiencies tell apart, without black, which is the text's. Chains beyond the seventh
get a pattern as well; and everywhere the cluster's number stands beside the colour.

Reference:
    Color Universal Design (Okabe and Ito, 2008), https://jfly.uni-koeln.de/color/
"""

from __future__ import annotations

from typing import NamedTuple

from keras_cgru.inspection.reading import Reading

COLORS = (
    "#E69F00",  # orange
    "#56B4E9",  # sky blue
    "#009E73",  # bluish green
    "#F0E442",  # yellow
    "#0072B2",  # blue
    "#D55E00",  # vermillion
    "#CC79A7",  # reddish purple
)
# Plain, then striped, dotted, crossed.
NUM_PATTERNS = 4


class Look(NamedTuple):
    """How a cluster's mentions are drawn.

    Args:
        color: Its place in `COLORS`.
        pattern: 0 for plain, up to below `NUM_PATTERNS`.
    """

    color: int
    pattern: int


def looks(reading: Reading) -> dict[int, Look]:
    """A look for each cluster of two mentions or more, the most frequent first.

    A cluster of one mention links nothing; it gets none, so that the colours tell the
    chains apart.
    """
    chains = [(n, cluster) for cluster, n in reading.num_mentions.items() if n > 1]
    chains.sort(key=lambda chain: (-chain[0], chain[1]))
    return {
        cluster: Look(rank % len(COLORS), rank // len(COLORS) % NUM_PATTERNS)
        for rank, (_, cluster) in enumerate(chains)
    }


def ink_on(color: str) -> str:
    """Black or white, whichever is read more easily on the colour (WCAG contrast)."""
    red, green, blue = (int(color[at : at + 2], 16) / 255 for at in (1, 3, 5))
    luminance = sum(
        weight * _linear(part)
        for weight, part in ((0.2126, red), (0.7152, green), (0.0722, blue))
    )
    return "#000000" if (luminance + 0.05) ** 2 > 0.05 * 1.05 else "#FFFFFF"


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
