"""Run folders as recipes leave them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from keras_cgru.evaluation import Prediction, write_predictions


@pytest.fixture
def make_run(tmp_path: Path) -> Callable[..., Path]:
    """Writes a run of five examples, four of them used; `predicted` is a word each."""

    def make(name: str, predicted: str, **metrics: Any) -> Path:
        golds = ["mary", "john", "milk", "garden"]
        answers = predicted.split()
        correct = sum(a == b for a, b in zip(answers, golds, strict=True))
        folder = tmp_path / name
        folder.mkdir()
        write_predictions(
            folder / "predictions.jsonl",
            [
                Prediction(f"story {i}", gold, answer, 0.5)
                for i, (gold, answer) in enumerate(zip(golds, answers, strict=True))
            ],
        )
        values = {
            "recipe": "babi",
            "model": name,
            "backend": "jax",
            "seed": 0,
            "parameters": 1234,
            "num_examples": 5,
            "num_used": 4,
            "accuracy_used": correct / 4,
            "accuracy_overall": correct / 5,
        }
        text = json.dumps(values | metrics)
        (folder / "metrics.json").write_text(text, encoding="utf-8")
        return folder

    return make
