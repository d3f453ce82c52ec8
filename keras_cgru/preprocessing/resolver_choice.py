"""The resolver of a layer that is saved."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from keras_cgru.coref import Resolver
from keras_cgru.coref.annotating import ResolverSettings

# Those that need no server, no model and no code of others: what a saved layer names
# is made when it is loaded.
NAMES = ("sieve", "exact")


def make_resolver(
    resolver: str | Resolver | None, options: Mapping[str, Any] | None
) -> tuple[Resolver | None, dict[str, Any] | None]:
    """Makes the resolver that a layer is to have.

    Args:
        resolver: One of `NAMES`, a resolver, or None.
        options: Arguments of one that is named.

    Returns:
        The resolver, and its arguments as they come back from a file.

    Raises:
        ValueError: There is no such resolver, or an argument is refused.
    """
    if isinstance(resolver, str) and resolver in NAMES:
        plain = _as_json(options or {})
        return ResolverSettings(resolver, plain).make(), plain
    if isinstance(resolver, str) or not (
        resolver is None or isinstance(resolver, Resolver)
    ):
        raise ValueError(
            f"`resolver` must be {', '.join(map(repr, NAMES))}, None, or an object "
            f"with `resolve`. Received: {resolver!r}"
        )
    if options is not None:
        raise ValueError(
            "`resolver_options` must be None for a `resolver` that is not named. "
            f"Received: {options!r}"
        )
    return resolver, None


def _as_json(options: Mapping[str, Any]) -> dict[str, Any]:
    try:
        return json.loads(json.dumps(dict(options)))
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"`resolver_options` must be JSON. Received: {options!r}"
        ) from error
