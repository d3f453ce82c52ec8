"""Names a resolver, so that other processes and machines can make the same one."""

from __future__ import annotations

import importlib
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from keras_cgru.coref.exact_match import ExactMatchResolver
from keras_cgru.coref.resolver import Resolver
from keras_cgru.coref.resolvers import (
    CoreNLPResolver,
    FastCorefResolver,
    WindowedResolver,
)
from keras_cgru.coref.text.inflection import singular

_NORMALISE: dict[str, Callable[[str], str] | None] = {
    "none": None,
    "lower": str.lower,
    "singular": lambda token: singular(token.lower()),
}


def _exact(normalise: str = "lower", **options: Any) -> Resolver:
    # By default without case: the stop words are in lower case, and running text has
    # "The" at the start of sentences.
    if normalise not in _NORMALISE:
        raise ValueError(
            f"`normalise` must be one of {', '.join(_NORMALISE)}. "
            f"Received: {normalise!r}"
        )
    return ExactMatchResolver(normalise=_NORMALISE[normalise], **options)


def _sieve(**options: Any) -> Resolver:
    from keras_cgru.coref.sieve import SieveResolver

    return SieveResolver(**options)


RESOLVERS: dict[str, Callable[..., Resolver]] = {
    "sieve": _sieve,
    "exact": _exact,
    "corenlp": CoreNLPResolver,
    "fastcoref": FastCorefResolver,
}

# Tokens in a window where a resolver cannot read a text of any length: a CoreNLP server
# takes 100,000 characters.
WINDOWS = {"corenlp": 10_000}


@dataclass(frozen=True)
class ResolverSettings:
    """Which resolver, with which arguments, in which windows.

    Args:
        name: One of `RESOLVERS`, or "module:function" of one's own, a callable that
            returns a resolver; so AllenNLP's and stanza's adapters are reached, whose
            models only the user can load. Modules are looked for in the current
            folder, too.
        options: Its arguments; for "exact", `normalise` is "none", "lower" (default)
            or "singular".
        window: Tokens in a window; None resolves each document whole.
        overlap: Tokens that neighbouring windows share.

    Raises:
        ValueError: `name` is neither.
    """

    name: str
    options: Mapping[str, Any] = field(default_factory=dict)
    window: int | None = None
    overlap: int = 0

    def __post_init__(self) -> None:
        if self.name not in RESOLVERS and ":" not in self.name:
            raise ValueError(
                f"the resolver must be one of {', '.join(RESOLVERS)}, or "
                f"module:function. Received: {self.name!r}"
            )

    @classmethod
    def choose(
        cls,
        name: str,
        options: Mapping[str, Any],
        window: int | None = None,
        overlap: int | None = None,
    ) -> ResolverSettings:
        """Settings with a window where the resolver needs one, and an overlap.

        Args:
            name: The resolver.
            options: Its arguments.
            window: Tokens in a window; None for what `WINDOWS` says.
            overlap: Tokens that windows share; None for a tenth of the window.

        Raises:
            ValueError: There is no such resolver, or the overlap does not fit.
        """
        window = WINDOWS.get(name) if window is None else window
        overlap = (window or 0) // 10 if overlap is None else overlap
        if window is not None and not 0 <= overlap < window:
            raise ValueError(
                f"the overlap must be from 0 to below the window ({window}). "
                f"Received: {overlap}"
            )
        return cls(name, options, window, overlap)

    def make(self) -> Resolver:
        """Makes the resolver.

        Raises:
            ImportError: It needs a package that is not installed, or its module or
                function does not exist.
            ValueError: An argument is refused.
        """
        try:
            made = self._factory()(**self.options)
        except (AttributeError, TypeError) as error:
            # An argument that there is not, or one of another kind.
            raise ValueError(f"resolver {self.name}: {error}") from error
        if not isinstance(made, Resolver):
            raise ValueError(
                f"resolver {self.name} must have `resolve`. "
                f"Received: {type(made).__name__}"
            )
        if self.window is None:
            return made
        return WindowedResolver(made, self.window, self.overlap)

    def to_dict(self) -> dict[str, Any]:
        """What a file of results says of the resolver."""
        return {
            "name": self.name,
            "options": dict(self.options),
            "window": self.window,
            "overlap": self.overlap if self.window is not None else None,
        }

    def _factory(self) -> Callable[..., Any]:
        if self.name in RESOLVERS:
            return RESOLVERS[self.name]
        module, _, function = self.name.partition(":")
        if os.getcwd() not in sys.path:
            # Last, so that nothing there takes the place of a package.
            sys.path.append(os.getcwd())
        try:
            return getattr(importlib.import_module(module), function)
        except AttributeError as error:
            raise ImportError(f"resolver {self.name}: {error}") from error
        except ModuleNotFoundError as error:
            raise ImportError(
                f"resolver {self.name}: {error} among what is installed, in the "
                "current folder, or where PYTHONPATH points"
            ) from error


def parse_options(pairs: Sequence[str]) -> dict[str, Any]:
    """A resolver's arguments from a command line's NAME=VALUE.

    Args:
        pairs: The arguments; a value that is no JSON is a string.

    Raises:
        ValueError: One has no name or no value.
    """
    parsed: dict[str, Any] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name.isidentifier():
            raise ValueError(f"`option` must be NAME=VALUE. Received: {pair}")
        try:
            parsed[name] = json.loads(value)
        except json.JSONDecodeError:
            parsed[name] = value
    return parsed
