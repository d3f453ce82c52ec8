"""A resolver that has its answers from files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from keras_cgru.coref.annotation import Annotation
from keras_cgru.coref.formats.parquet import read_annotations


class StoredAnnotations:
    """Gives the annotations of texts that `tools/annotate.py` wrote.

    A text is found by its tokens, whatever it is called: two files may hold the same
    text if they annotate it alike.

    Args:
        paths: Parquet files.

    Raises:
        FileNotFoundError, ValueError: See `read_annotations`; or two annotations of
            one text differ.
    """

    def __init__(self, paths: Iterable[str | os.PathLike[str]]) -> None:
        self.paths = tuple(os.fspath(path) for path in paths)
        self._annotations: dict[tuple[str, ...], Annotation] = {}
        for path in self.paths:
            for document in read_annotations(path):
                annotation = document.annotation
                first = self._annotations.setdefault(annotation.tokens, annotation)
                if first.clusters != annotation.clusters:
                    raise ValueError(
                        f"{path}: document {document.id!r} must have the clusters that "
                        "the same text has elsewhere in "
                        f"{', '.join(self.paths)}. Received: {annotation.clusters}"
                    )

    def resolve(
        self, tokens: Sequence[str], sentence_starts: Sequence[int] | None = None
    ) -> Annotation:
        """Looks a text up.

        Raises:
            ValueError: No file holds it; the message shows its beginning.
        """
        found = self._annotations.get(tuple(tokens))
        if found is None:
            beginning = " ".join(tokens[:12])
            raise ValueError(
                f"{', '.join(self.paths)}: must hold every text that is read. "
                f"Received: none of {len(tokens)} tokens that begins {beginning!r}"
            )
        return found
