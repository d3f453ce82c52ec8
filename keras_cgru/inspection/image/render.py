"""A reading as a picture."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal

from keras_cgru.inspection.reading import Reading

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
    if width < MIN_WIDTH:
        raise ValueError(f"`width` must be at least {MIN_WIDTH}. Received: {width}")
    file = io.BytesIO()
    with own_style():
        # Here, so that text and page need no matplotlib.
        from keras_cgru.inspection.image.draw_reading import draw

        figure = draw(reading, width, max_tokens)
        figure.savefig(file, format=format, dpi=100, metadata=_METADATA[format])
    return file.getvalue()


@contextmanager
def own_style() -> Iterator[None]:
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
