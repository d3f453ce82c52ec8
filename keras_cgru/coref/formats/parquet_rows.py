"""Rows of Parquet, whatever types its writer chose, with errors that name the row."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any

_INSTALL = 'pip install "keras-cgru[recipes]"'
_READ_AT_ONCE = 256


def require_pyarrow() -> Any:
    """Imports pyarrow, or says how to install it."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise ImportError(
            f"Parquet files need pyarrow. Install it with: {_INSTALL} ({error})"
        ) from error
    return pyarrow


def open_parquet(path: str | os.PathLike[str]) -> Any:
    """Opens a file.

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: It is no Parquet.
    """
    pa = require_pyarrow()
    try:
        file = pa.parquet.ParquetFile(path)
        file.schema_arrow.names  # noqa: B018 (names may be no UTF-8)
        return file
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        if isinstance(error, FileNotFoundError | IsADirectoryError | PermissionError):
            raise
        raise ValueError(
            f"{os.fspath(path)}: must be a Parquet file. Received: {_line(error)}"
        ) from error


def column_names(path: str | os.PathLike[str]) -> list[str]:
    """The names of a file's columns."""
    with open_parquet(path) as file:
        return list(file.schema_arrow.names)


def read_rows(
    path: str | os.PathLike[str], names: Sequence[str], more: Sequence[str] = ()
) -> Iterator[tuple[str, dict[str, Any] | ValueError]]:
    """Yields "file: row 0" and so on, each with the row's values.

    In the place of a row that is no text stands the `ValueError` that says so. Strings
    may be strings, large strings, views or dictionaries, lists of any kind.

    Args:
        path: The file.
        names: Columns that it must have.
        more: Columns that are read if they are there.

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: It is no Parquet, a column is missing, or `tokens` is of a type that
            must be cast.
    """
    number = 0
    for batch in _batches(path, names, more):
        for row in _rows(batch):
            where = f"{os.fspath(path)}: row {number}"
            if isinstance(row, UnicodeDecodeError):
                yield where, ValueError(f"{where}: must be UTF-8. Received: {row}")
            else:
                yield where, row
            number += 1


def num_characters(path: str | os.PathLike[str]) -> int:
    """The characters of all `tokens` of a file."""
    return sum(
        len(token)
        for batch in _batches(path, ("id", "tokens"), (), ("tokens",))
        for row in _rows(batch)
        if isinstance(row, dict)
        for token in row["tokens"] or ()
        if token is not None
    )


def check_id(where: str, id: Any) -> str:
    """An id as text; a number is one, but nothing else that is no string."""
    if not isinstance(id, str | int) or isinstance(id, bool):
        raise ValueError(
            f"{where}: `id` must be a string or an integer. Received: {str(id)[:60]}"
        )
    return str(id)


def check_list(where: str, name: str, values: Any) -> tuple[Any, ...]:
    """The items of a list without nulls."""
    if not isinstance(values, list) or None in values:
        raise ValueError(
            f"{where}: `{name}` must be a list without nulls. "
            f"Received: {str(values)[:60]}"
        )
    return tuple(values)


def _rows(batch: Any) -> Iterator[dict[str, Any] | UnicodeDecodeError]:
    try:
        yield from batch.to_pylist()
    except UnicodeDecodeError:  # It has given none, then.
        for number in range(batch.num_rows):
            try:
                yield from batch.slice(number, 1).to_pylist()
            except UnicodeDecodeError as error:
                yield error


def _batches(
    path: str | os.PathLike[str],
    names: Sequence[str],
    more: Sequence[str],
    read: Sequence[str] | None = None,
) -> Iterator[Any]:
    pa = require_pyarrow()
    with open_parquet(path) as file:
        schema = file.schema_arrow
        if not set(names) <= set(schema.names):
            listed = " and ".join(f"`{name}`" for name in names)
            raise ValueError(f"{path}: must have {listed}. Received: {schema.names}")
        kind = schema.field("tokens").type
        if not _holds_strings(pa.types, kind):
            raise ValueError(
                f"{path}: `tokens` must be lists of strings; cast the column to "
                f"list<string>. Received: {kind}"
            )
        known = read or [*names, *(name for name in more if name in schema.names)]
        try:
            yield from file.iter_batches(_READ_AT_ONCE, columns=list(known))
        except (pa.ArrowException, OSError) as error:
            raise ValueError(
                f"{path}: must be a whole Parquet file. Received: {_line(error)}"
            ) from error


def _holds_strings(types: Any, kind: Any) -> bool:
    if not _is(
        types, kind, "list large_list list_view large_list_view fixed_size_list"
    ):
        return False
    inner = kind.value_type
    if types.is_dictionary(inner):
        inner = inner.value_type
    # Of lists that are all empty the type of the strings may not be known.
    return _is(types, inner, "string large_string string_view null")


def _is(types: Any, kind: Any, names: str) -> bool:
    # Older versions of pyarrow do not know the views.
    return any(
        getattr(types, f"is_{name}", lambda kind: False)(kind) for name in names.split()
    )


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:200]
