"""An annotated text with a name, as files hold many of them."""

from __future__ import annotations

from dataclasses import dataclass, field

from keras_cgru.coref.annotation import Annotation


@dataclass(frozen=True)
class Document:
    """A text that was read from a file or is to be written to one.

    Args:
        id: Its name in the file; where the format has none, its place in the file.
        annotation: Its tokens, sentences and clusters.
        num_repeated: How many mentions its source gave twice; one of each is kept.
        lacks_clusters: Whether its source said nothing of clusters, as some systems do
            where they find none.
        record: What else its source says of it, as JSON, such as a question about it.
    """

    id: str
    annotation: Annotation
    num_repeated: int = field(default=0, compare=False)
    lacks_clusters: bool = field(default=False, compare=False)
    record: str | None = field(default=None, compare=False)
