"""The reader of a run folder."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import keras

from keras_cgru.answering.trained_reader import TrainedReader
from keras_cgru.coref import Resolver
from keras_cgru.data import CharacterVocabulary, ReaderInputs, Vocabulary
from keras_cgru.data.asker import Asker
from keras_cgru.data.babi.asker import BabiAsker
from keras_cgru.data.lambada.asker import LambadaAsker
from keras_cgru.data.wikihop.asker import WikiHopAsker
from keras_cgru.files import read_json, to_path
from keras_cgru.training import RunFolder

# Those that a config is enough for.
_ASKERS: dict[str, Any] = {"lambada": LambadaAsker, "wikihop": WikiHopAsker}
RECIPES = ("lambada", "babi", "wikihop")


def load_reader(
    run: str | os.PathLike[str], resolver: Resolver | None = None
) -> TrainedReader:
    """Loads the best model of a run and what it takes to ask it.

    Args:
        run: A folder of `recipes/lambada.py` or `recipes/wikihop.py`, or a cell's
            folder of `recipes/babi.py` (`runs/babi/.../ga_coref_gru/task-01/seed-1`).
            The run need not have ended, if its first validation has.
        resolver: Finds coreference in place of the run's own resolver. Needed where
            the clusters came from annotation files.

    Raises:
        FileNotFoundError: There is no run, or something of it is missing.
        ValueError: The run is of a recipe that has no questions to ask, or of a
            version that did not keep what is needed.
    """
    folder = RunFolder(to_path(run, "run"))
    if not folder.config.exists():
        raise FileNotFoundError(_no_run(folder))
    asker = _asker(folder, read_json(folder.config), resolver)
    for path in (folder.vocabulary, folder.best_model):
        if not path.exists():
            raise FileNotFoundError(
                f"`run`: {folder.path} has no {path.name} yet: it was stopped before "
                "its first validation, or is training"
            )
    vocabulary = Vocabulary.load(folder.vocabulary)
    model = _model(folder)
    return TrainedReader(model, vocabulary, asker, _inputs(folder, model))


def _model(folder: RunFolder) -> keras.Model:
    try:
        return keras.saving.load_model(folder.best_model)
    except Exception as error:  # Of many kinds, where a copy is cut off.
        reason = str(error).partition("\n")[0] or type(error).__name__
        raise ValueError(
            f"`run`: {folder.best_model} must be a model of Keras. Received: {reason}"
        ) from error


def _inputs(folder: RunFolder, model: keras.Model) -> ReaderInputs:
    """In which form the model takes examples; its inputs tell it."""
    names = {tensor.name for tensor in model.inputs}
    # Readers that were trained on lists of mentions had unknown words apart.
    occurrences = "candidate_occurrences" in names
    if "document_characters" not in names:
        return ReaderInputs(occurrences=occurrences, apart=occurrences)
    if not folder.characters.exists():
        raise FileNotFoundError(
            f"`run`: {folder.path} has no {folder.characters.name}, which its model, a "
            "reader of characters, needs"
        )
    characters = CharacterVocabulary.load(folder.characters)
    return ReaderInputs(characters, occurrences, apart=occurrences)


def _asker(folder: RunFolder, config: Any, resolver: Resolver | None) -> Asker:
    recipe = config.get("recipe") if isinstance(config, Mapping) else None
    if recipe in _ASKERS:
        with _naming(folder.config):
            return _ASKERS[recipe].of_config(config, resolver)
    if recipe == "babi":
        if not folder.reader.exists():
            raise ValueError(
                f"`run`: {folder.path} has no {folder.reader.name}, which says what "
                "its answers mean: it was trained by an earlier version. Train it again"
            )
        kept = read_json(folder.reader)
        with _naming(folder.reader):
            return BabiAsker.from_dict(kept, resolver)
    raise ValueError(
        f"`run` must be of one of the recipes {', '.join(RECIPES)}. Received: "
        f"{recipe!r} in {folder.config}"
    )


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Errors within the block begin with the file."""
    try:
        yield
    except (ValueError, TypeError, AttributeError) as error:  # Of a value's kind.
        raise ValueError(f"{path}: {error}") from error


def _no_run(folder: RunFolder) -> str:
    cells = sorted(folder.path.glob("*/task-*/seed-*/config.json"))
    text = f"`run` must be a run's folder. Received: {folder.path}, no config.json"
    if cells:
        return f"{text}; it holds {len(cells)} cells, such as {cells[0].parent}"
    return text
