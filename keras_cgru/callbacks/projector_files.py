"""What TensorBoard's Projector shows: vectors, a word for each, and what belongs to it.

Files lie in a run's folder; TensorBoard finds them by `projector_config.pbtxt`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from keras_cgru.files import atomic_write, to_path

CONFIG = "projector_config.pbtxt"
VECTORS, METADATA = "embeddings.tsv", "embeddings-metadata.tsv"


def write_projector(
    folder: str | os.PathLike[str],
    words: Sequence[str],
    vectors: np.ndarray,
    columns: Mapping[str, Sequence[Any]] | None = None,
    name: str = "embeddings",
) -> None:
    """Writes vectors and their words; the config last, so that it names whole files.

    Args:
        folder: A run's folder: TensorBoard looks where event files lie.
        words: A label for each vector.
        vectors: `(words, dim)`, at least one.
        columns: Further values for each word, by the name of the column; TensorBoard
            colours by them.
        name: What TensorBoard calls them.

    Raises:
        ValueError: There are not as many labels, values and vectors; a vector is not
            finite; or a label is empty or has a tab or an end of line in it.
    """
    vectors, columns = np.asarray(vectors), dict(columns or {})
    if vectors.ndim != 2 or not vectors.size:
        raise ValueError(
            f"`vectors` must have shape (words, dim). Received: shape={vectors.shape}"
        )
    if not np.isfinite(vectors).all():
        raise ValueError("`vectors` must be finite. Received: NaN or infinity")
    for argument, values in {"words": words, **columns}.items():
        if len(values) != len(vectors):
            raise ValueError(
                f"`{argument}` must hold one value a vector ({len(vectors)}). "
                f"Received: {len(values)}"
            )
    # The browser splits lines at these, and trims the file's ends.
    for word in words:
        if not word.strip() or len(word.splitlines()) > 1 or "\t" in word:
            raise ValueError(
                "`words` must hold labels without tabs and ends of lines, and none "
                f"that is empty. Received: {word!r}"
            )
    target = to_path(folder, "folder")
    # Without a second column there must be no header.
    head = [("word", *columns)] if columns else []
    rows = [*head, *zip(words, *columns.values(), strict=True)]
    _write_rows(target / METADATA, rows)
    _write_rows(target / VECTORS, ([f"{x:.6g}" for x in row] for row in vectors))
    with atomic_write(target / CONFIG) as file:
        file.write(
            f'embeddings {{\n  tensor_name: "{name}"\n  tensor_path: "{VECTORS}"\n'
            f'  metadata_path: "{METADATA}"\n}}\n'.encode()
        )


def _write_rows(path: os.PathLike[str], rows: Any) -> None:
    with atomic_write(path) as file:
        for row in rows:
            line = "\t".join(map(str, row)) + "\n"
            file.write(line.encode("utf-8", "backslashreplace"))
