"""An annotated text with a name, as files hold many of them."""

from __future__ import annotations

from dataclasses import dataclass

from keras_cgru.coref.annotation import Annotation


@dataclass(frozen=True)
class Document:
    """A text that was read from a file or is to be written to one.

    Args:
        id: Its name in the file; where the format has none, its place in the file.
        annotation: Its tokens, sentences and clusters.
    """

    id: str
    annotation: Annotation
