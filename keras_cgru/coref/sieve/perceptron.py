"""nltk's perceptron tagger with a model that the user has."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

from keras_cgru.files import read_json

_PARTS = ("weights", "tagdict", "classes")


class _PlainUnpickler(pickle.Unpickler):
    """Reads built-in containers only: a pickle may otherwise run any code."""

    def find_class(self, module: str, name: str) -> Any:
        if module in ("builtins", "__builtin__") and name in ("set", "frozenset"):
            return getattr(__import__("builtins"), name)
        raise pickle.UnpicklingError(f"it holds {module}.{name}")


def perceptron_tagger(
    path: str | os.PathLike[str],
) -> Callable[[list[str]], list[str]]:
    """Gives a tagger for `SieveResolver` from the model in a file or folder.

    Args:
        path: A pickle of (weights, tag dictionary, classes), as `textblob-aptagger`
            carries one, or a folder with the JSON files of nltk's
            `averaged_perceptron_tagger_eng`.

    Returns:
        A function from the tokens of a sentence to their Penn Treebank tags.

    Raises:
        ImportError: nltk is not installed.
        OSError: The path cannot be read.
        ValueError: It holds no such model.
    """
    # nltk takes a second to import: only who has a model waits for it.
    try:
        from nltk.tag.perceptron import PerceptronTagger
    except ImportError as error:
        raise ImportError(
            "a perceptron tagger needs nltk: pip install 'nltk>=3.9'"
        ) from error
    path = Path(path)
    weights, dictionary, classes = _read_folder(path) if path.is_dir() else _read(path)
    tagger = PerceptronTagger(load=False)
    tagger.model.weights = weights
    tagger.tagdict = dictionary
    tagger.classes = tagger.model.classes = set(classes)

    def tag(tokens: list[str]) -> list[str]:
        return [tag for _, tag in tagger.tag(tokens)]

    return tag


def _read(path: Path) -> tuple[Any, Any, Any]:
    with open(path, "rb") as file:
        try:
            content = _PlainUnpickler(file).load()
        # A broken pickle raises whatever its bytes happen to ask for.
        except Exception as error:
            raise ValueError(
                f"{path}: must be a pickled tagger model. Received: {error}"
            ) from error
    return _check(path, content)


def _read_folder(path: Path) -> tuple[Any, Any, Any]:
    files = []
    for part in _PARTS:
        found = sorted(path.glob(f"*.{part}.json"))
        if len(found) != 1:
            raise ValueError(
                f"{path}: must hold one *.{part}.json. Received: {len(found)} of them"
            )
        files.append(read_json(found[0]))
    return _check(path, tuple(files))


def _check(path: Path, content: Any) -> tuple[Any, Any, Any]:
    if (
        isinstance(content, tuple)
        and len(content) == 3
        and isinstance(content[0], dict)
        and isinstance(content[1], dict)
        and isinstance(content[2], set | frozenset | list)
    ):
        return content[0], content[1], content[2]
    raise ValueError(
        f"{path}: must hold weights, tag dictionary and classes of a tagger. "
        f"Received: {type(content).__name__}"
    )
