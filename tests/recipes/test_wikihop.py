"""recipes/wikihop.py from end to end, on simulated records and on real ones."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import keras
import numpy as np
import pytest

from keras_cgru import load_reader

SHOW = Path(__file__).resolve().parents[2] / "tools" / "show.py"
TINY = (
    "--units 4 --layers 1 --batch-size 8 --num-clusters 8 --readings 0 --epochs 2 "
    "--halve-every 4"
).split()


@pytest.fixture(scope="module")
def finished(wikihop, make_run, tmp_path_factory):
    """A run on 32 simulated records."""
    root = tmp_path_factory.mktemp("wikihop")
    output = wikihop.succeed(
        root, *TINY, "--simulated", "--limit", 32, "--run-dir", "run"
    )
    return make_run(root / "run", output)


def test_what_is_printed(finished):
    metrics = finished.json("metrics.json")
    assert "SIMULATED" in finished.output
    assert "train: kept 32 of 32" in finished.output
    assert re.search(r"clusters: \d+ kept, \d+ beyond the limit", finished.output)
    row = f"{metrics['accuracy_used']:.4f} / {metrics['accuracy_overall']:.4f}"
    assert re.search(rf"^  coref_gru +{row}$", finished.output, re.M)
    for name in ("most_frequent", "last", "first", "near_head", "majority"):
        assert f"  {name} candidate" in finished.output


def test_the_command_that_asks_it_is_one_that_it_answers(finished):
    assert '--document TEXTS --question "RELATION ENTITY"' in finished.output
    assert "--story" not in finished.output


def test_show_has_its_records_but_reads_none_again(finished, environment):
    show = [sys.executable, str(SHOW), "--run", str(finished.folder), "--limit", "1"]
    shown, refused = (
        subprocess.run(
            [*show, *more], capture_output=True, encoding="utf-8", env=environment
        )
        for more in ([], ["--alpha"])
    )
    assert shown.returncode == 0 and "Query (" in shown.stdout
    assert refused.returncode == 2
    assert "--alpha cannot read WikiHop's records again" in refused.stderr


def test_what_it_leaves(finished):
    metrics, config = finished.json("metrics.json"), finished.json("config.json")
    assert (metrics["recipe"], metrics["model"]) == ("wikihop", "coref_gru")
    assert metrics["backend"] == keras.backend.backend()
    assert metrics["by_annotation"] == {}
    lines = (finished.folder / "predictions.jsonl").read_text().splitlines()
    right = [each["gold"] == each["predicted"] for each in map(json.loads, lines)]
    assert metrics["accuracy_used"] == np.mean(right)
    assert config["data"]["kind"] == "simulated"
    assert config["data"]["clusters_and_candidates"]["test"]["num_candidates"] > 64
    vocabulary = finished.json("characters.json")
    assert vocabulary["word_length"] == 16 and "A" in vocabulary["characters"]


def test_the_model_has_what_the_paper_s_reader_has(finished):
    model = keras.models.load_model(finished.folder / "best.keras")
    names = {each.name for each in model.inputs}
    assert "candidate_occurrences" in names and "document_characters" in names
    assert "candidate_positions" not in names
    encoder = model.get_layer("characters")
    assert (encoder.embedding_dim, encoder.filters, encoder.width) == (10, 50, 5)
    assert model.get_layer("query_word").output_dim == 2


def test_the_rate_is_halved(finished):
    """4 updates an epoch, halved every 4."""
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    events = EventAccumulator(str(finished.folder / "train"))
    events.Reload()
    rates = [each.value for each in events.Scalars("epoch_learning_rate")]
    # Of the update that comes next.
    assert rates == pytest.approx([0.00025, 0.000125])


def test_its_reader_can_be_asked(finished):
    reader = load_reader(finished.folder)
    texts = "Anna Keller joined Brandt Mills.\n\nBrandt Mills is a firm in Tarnow."
    reading = reader.answer(texts, "town_of_work anna keller")
    found = {answer.text for answer in reading.answers}
    assert {"tarnow", "brandt mills", "anna keller"} <= found
    assert sum(each.probability for each in reading.answers) == pytest.approx(1)
    assert set(reading.document.alpha) == {("1", "forward"), ("1", "backward")}
    given = reader.answer(texts, "town_of_work anna keller", "q", ["Tarnow", "Lodz"])
    shares = {answer.text: answer.probability for answer in given.answers}
    assert shares == {"tarnow": 1, "lodz": 0}
    with pytest.raises(ValueError, match="completes no stories"):
        reader.answer(texts)
    with pytest.raises(ValueError, match="must hold a candidate"):
        reader.answer(texts, "town_of_work anna keller", "q", ["Lodz"])


def test_its_reader_without_the_characters(finished, tmp_path):
    folder = shutil.copytree(finished.folder, tmp_path / "run")
    (folder / "characters.json").unlink()
    with pytest.raises(FileNotFoundError, match=r"has no characters\.json"):
        load_reader(folder)


def test_stopped_and_resumed_is_the_same(wikihop, finished):
    """The last epoch again, from what the first one left."""
    root = finished.folder.parent
    common = [*TINY, "--simulated", "--limit", 32, "--run-dir", "stopped"]
    wikihop.succeed(root, *common, "--epochs", 1)
    output = wikihop.succeed(root, *common, "--resume")
    assert "Going on behind epoch 1 of 2." in output
    kept, again = (
        (root / run / "predictions.jsonl").read_bytes() for run in ("run", "stopped")
    )
    assert kept == again


def test_other_links(wikihop, finished):
    """Every recurrence and perturbation has the same records in the same order."""
    root = finished.folder.parent
    wikihop.succeed(
        root,
        *(*TINY, "--simulated", "--limit", 32, "--epochs", 1, "--random-links"),
        *("--recurrence", "gru_onehot", "--no-characters", "--run-dir", "other"),
        *("--query-words", "none", "--dropped-mentions", 0.5),
    )
    ids = [
        [json.loads(line)["id"] for line in (root / run / "predictions.jsonl").open()]
        for run in ("run", "other")
    ]
    assert ids[0] == ids[1]
    model = keras.models.load_model(root / "other" / "best.keras")
    assert "document_characters" not in {each.name for each in model.inputs}
    assert not (root / "other" / "characters.json").exists()


@pytest.mark.skipif(
    not Path(os.environ.get("KERAS_CGRU_DATA", "."), "qangaroo_v1.1").is_dir(),
    reason="KERAS_CGRU_DATA names no folder with WikiHop",
)
def test_the_real_records(wikihop, tmp_path):
    data = os.environ["KERAS_CGRU_DATA"]
    output = wikihop.succeed(
        *(tmp_path, *TINY, "--epochs", 1, "--data-dir", data, "--run-dir", "run"),
        *("--max-tokens", 1500, "--no-train-embeddings"),
    )
    metrics = json.loads((tmp_path / "run" / "metrics.json").read_text())
    assert "test (the development file): kept" in output
    assert re.search(r"documents cut: [1-9]", output)
    groups = metrics["by_annotation"]
    assert list(groups) == ["all", "follows", "follows+single", "follows+multiple"]
    assert groups["all"]["num_examples"] == metrics["num_examples"] == 28
    assert groups["all"]["accuracy_overall"] == metrics["accuracy_overall"]
    assert 0 < groups["follows"]["num_examples"] < 28
