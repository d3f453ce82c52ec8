"""Finished cells of `recipes/babi.py`, made by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from keras_cgru.data.babi.results.cell import BabiCell

TRAINING = {"units": 64, "layers": None, "dropout": 0.1, "by_word": False}


def metrics(
    model: str = "ga_coref_gru",
    task: int = 1,
    seed: int = 1,
    test: float = 0.5,
    validation: float = 0.5,
    **others: Any,
) -> dict[str, Any]:
    """What a cell's `metrics.json` holds."""
    return {
        "recipe": "babi",
        "model": model,
        "task": task,
        "seed": seed,
        "dropped_mentions": 0.0,
        "parameters": 5000,
        "accuracy_overall": test,
        "validation_accuracy": validation,
        "validation_loss": 0.25,
        "updates": 40,
        "train_seconds": 30.0,
        **others,
    }


def cell(*values: Any, training: Any = None, data: str = "babi", **others: Any):
    """A cell with `metrics`, read from nowhere."""
    described = {"training": training or TRAINING, "data": data}
    content = {**metrics(*values, **others), **described}
    return BabiCell(content, f"hand/{content['model']}-{content['seed']}")


def write_folder(
    root: Path, *values: Any, training: Any = None, data: str = "babi", **others: Any
) -> Path:
    """The run folder of a cell below `root`.

    Four epochs of ten updates, the second and the fourth validated: cross-entropies 0.5
    and 0.
    """
    content = metrics(*values, **others)
    share = content["dropped_mentions"]
    model = content["model"] + (f"-dropped-{share:g}" if share else "")
    folder = root / model / f"task-{content['task']:02d}" / f"seed-{content['seed']}"
    folder.mkdir(parents=True)
    (folder / "metrics.json").write_text(json.dumps(content), encoding="utf-8")
    config = {"training": training or TRAINING, "data": {"kind": data, "sha256": None}}
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    rows = ["epoch,loss,val_loss,val_cross_entropy"]
    rows += ["1,2,,", "2,2,0.4,0.5", "3,2,,", "4,2,0,0"]
    (folder / "metrics.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    return folder
