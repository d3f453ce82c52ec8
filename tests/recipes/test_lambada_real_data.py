"""A slice of the real passages, where they are at hand."""

import json
import os
import re
from pathlib import Path

import pytest

from keras_cgru import load_reader
from keras_cgru.coref import ExactMatchResolver
from keras_cgru.data.lambada import read_lambada

LIMIT = 60


@pytest.fixture(scope="module")
def data():
    folder = os.environ.get("KERAS_CGRU_DATA", "")
    if not folder:
        pytest.skip("KERAS_CGRU_DATA is not set: the official files are not here")
    if not (Path(folder) / "lambada-dataset").is_dir():
        pytest.skip(f"KERAS_CGRU_DATA={folder} holds no lambada-dataset/")
    return Path(folder).resolve()


@pytest.fixture(scope="module")
def want(data):
    """The same slice of the test file, read without the recipe."""
    file = data / "lambada-dataset" / "lambada_test_plain_text.txt"
    return read_lambada(file, ExactMatchResolver(), limit=LIMIT)


@pytest.fixture(scope="module")
def real_run(data, recipe, tmp_path_factory):
    folder = tmp_path_factory.mktemp("real")
    options = f"--limit {LIMIT} --epochs 1 --units 8 --layers 1 --batch-size 64"
    output = recipe.succeed(folder, *options.split(), KERAS_CGRU_DATA=str(data))
    (run,) = (folder / "runs" / "lambada").iterdir()
    return run, output


def test_what_is_printed(real_run, want, data):
    _, output = real_run
    assert f"Data: LAMBADA, environment: {data}" in output
    assert f"test passages: kept {want.num_used} of {LIMIT} (" in output
    for reason, number in want.skipped.items():
        assert f"{number} x {reason}" in output
    assert re.search(rf"development passages: kept \d+ of {LIMIT} \(", output)
    assert f"{want.num_used} usable / all {LIMIT} passages" in output
    assert "SIMULATED" not in output and "no resolver" not in output
    assert f"Test accuracy (the FIRST {LIMIT} of each file): " in output


def test_predictions_are_of_all_usable_passages(real_run, want):
    run, _ = real_run
    lines = (run / "predictions.jsonl").read_text(encoding="utf-8").splitlines()
    predictions = [json.loads(line) for line in lines]
    assert [p["id"] for p in predictions] == [e.id for e in want.examples]
    golds = [" ".join(example.answer) for example in want.examples]
    assert [p["gold"] for p in predictions] == golds
    for prediction, example in zip(predictions, want.examples, strict=True):
        assert (prediction["predicted"],) in example.candidates
        assert 0 < prediction["probability"] <= 1


def test_accuracy_has_both_denominators(real_run, want):
    run, _ = real_run
    metrics = json.loads((run / "metrics.json").read_text(encoding="utf-8"))
    lines = (run / "predictions.jsonl").read_text(encoding="utf-8").splitlines()
    predictions = [json.loads(line) for line in lines]
    right = sum(p["gold"] == p["predicted"] for p in predictions)
    assert 0 < want.num_used < LIMIT
    assert (metrics["num_used"], metrics["num_examples"]) == (want.num_used, LIMIT)
    assert metrics["accuracy_used"] == right / want.num_used
    assert metrics["accuracy_overall"] == right / LIMIT


def test_config_holds_hashes_and_counts(real_run, want):
    run, _ = real_run
    data = json.loads((run / "config.json").read_text(encoding="utf-8"))["data"]
    assert (data["kind"], data["found_by"]) == ("lambada", "environment")
    hashes = data["sha256"]
    assert {
        "lambada_development_plain_text.txt",
        "lambada_test_plain_text.txt",
    } <= set(hashes)
    assert all(re.fullmatch("[0-9a-f]{64}", value) for value in hashes.values())
    assert data["skipped"]["test"] == dict(want.skipped)
    counts = data["counts"]
    assert (counts["test_used"], counts["test_total"]) == (want.num_used, LIMIT)
    kept = LIMIT - sum(data["skipped"]["development"].values())
    assert counts["train"] + counts["validation"] == kept


def test_its_reader_gives_the_run_s_answers(real_run, want):
    """A passage is a story without its last word, given as tokens here."""
    run, _ = real_run
    lines = (run / "predictions.jsonl").read_text(encoding="utf-8").splitlines()
    reader = load_reader(run)
    examples = want.examples[:16]
    questions = [(each.id, each.document, each.query) for each in examples]
    readings = list(reader.answer_all(questions, batch_size=16))
    for line, reading, example in zip(lines, readings, examples, strict=False):
        prediction = json.loads(line)
        assert reading.document.tokens == example.document
        clusters = [ids[0] if ids else 0 for ids in reading.document.clusters]
        assert tuple(clusters) == example.document_clusters
        assert (reading.id, reading.predicted.text) == (
            prediction["id"],
            prediction["predicted"],
        )
        share = reading.predicted.probability
        assert share == pytest.approx(prediction["probability"], abs=1e-5)
    story = (*examples[0].document, *examples[0].query)
    again = reader.answer(story)
    assert again.query.tokens == examples[0].query
    assert again.predicted.tokens == readings[0].predicted.tokens
