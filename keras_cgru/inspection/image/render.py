"""A reading as a picture."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal

from keras_cgru.inspection.reading import Reading

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Format = Literal["png", "svg", "pdf"]
MIN_WIDTH = 300
# Nothing of the day, the program or the user's own settings goes into a file.
_METADATA: dict[Format, dict[str, Any]] = {
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
_STYLE: dict[Any, Any] = {
    "hatch.linewidth": 0.8,
    "pdf.fonttype": 42,
    "svg.hashsalt": "keras_cgru",
    # Hinted letters are wider than measured.
    "text.hinting": "no_hinting",
}


def as_image(
    reading: Reading,
    format: Format = "png",
    width: int = 1000,
    max_tokens: int | None = 200,
) -> bytes:
    """Draws a reading.

    Tokens stand in lines. Mentions of one cluster have one colour and its number, which
    people with colour deficiencies tell apart; beyond seven chains a pattern as well.
    Under a linked token stands a bar a layer, above for reading forward, below for
    backward: its black part is 1 - alpha, what came from the mention before. A frame
    with a percentage is what a mention carried of the answer's probability. Equal
    readings give equal bytes.

    Args:
        reading: What to show.
        format: "png", "svg" or "pdf".
        width: Pixels, at least 300; at 1000 the smallest letters are 11 pixels high.
        max_tokens: A longer document is cut around its answer; None draws it whole.

    Returns:
        The content of a file.

    Raises:
        ImportError: `matplotlib` is not installed.
        ValueError: An argument is out of its range.
    """
    if format not in _METADATA:
        raise ValueError(
            f"`format` must be one of {sorted(_METADATA)}. Received: {format!r}"
        )
    file = io.BytesIO()
    with _own_style():
        figure = _draw(reading, width, max_tokens)
        figure.savefig(file, format=format, dpi=100, metadata=_METADATA[format])
    return file.getvalue()


def draw_reading(
    reading: Reading, width: int = 1000, max_tokens: int | None = 200
) -> Figure:
    """The same as a matplotlib figure, for those who want to add to it."""
    with _own_style():
        return _draw(reading, width, max_tokens)


def _draw(reading: Reading, width: int, max_tokens: int | None) -> Figure:
    from keras_cgru.inspection.image.draw_reading import draw

    if width < MIN_WIDTH:
        raise ValueError(f"`width` must be at least {MIN_WIDTH}. Received: {width}")
    return draw(reading, width, max_tokens)


@contextmanager
def _own_style() -> Iterator[None]:
    """matplotlib's defaults within the block, and the user's settings after it."""
    try:
        import matplotlib
    except ImportError as error:
        raise ImportError(
            'Images need the `matplotlib` package: pip install "keras-cgru[recipes]"'
        ) from error
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_STYLE)
        yield
