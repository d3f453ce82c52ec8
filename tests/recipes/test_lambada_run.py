"""One run from end to end: what it prints, and what it leaves in its folder."""

import csv
import json
import re

import keras
import pytest

from keras_cgru import load_reader

FILES = {
    "events.out.tfevents.0.config",
    "events.out.tfevents.0.hparams",
    "events.out.tfevents.0.predictions",
    "config.json",
    "vocabulary.json",
    "metrics.csv",
    "best.keras",
    "backup.npz",
    "predictions.jsonl",
    "readings.jsonl.gz",
    "metrics.json",
}


def read_table(run):
    with open(run.folder / "metrics.csv", encoding="utf-8", newline="") as file:
        return [{k: float(v) for k, v in row.items()} for row in csv.DictReader(file)]


def read_predictions(run):
    text = (run.folder / "predictions.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def test_what_is_printed_before_training(finished_run):
    before, _, _ = finished_run.output.partition("Epoch 1/5")
    assert "SIMULATED" in before
    assert "no resolver and no annotations are used" in before
    assert "400 to train on, 192 to validate, 400 to test" in before
    assert "Run folder: coref_gru" in before
    parameters = finished_run.json("metrics.json")["parameters"]
    assert f"{parameters:,} parameters" in before
    assert re.search(r"5 epochs of 50 updates: roughly \d+ min", before)


def test_what_is_printed_at_the_end(finished_run):
    _, _, after = finished_run.output.partition("Epoch 5/5")
    metrics = finished_run.json("metrics.json")
    rows = {"coref_gru": (metrics["accuracy_used"], metrics["accuracy_overall"])}
    for name, values in metrics["trivial"].items():
        rows[f"{name} candidate"] = (values["used"], values["overall"])
    assert set(rows) == {
        "coref_gru",
        "random candidate",
        "most_frequent candidate",
        "last candidate",
    }
    for name, (used, overall) in rows.items():
        assert re.search(rf"^ +{name} +{used:.4f} / {overall:.4f}$", after, re.M), after
    assert "SIMULATED" in after
    assert "tensorboard --logdir coref_gru" in after


def test_run_folder_holds_these_files_and_no_others(finished_run):
    here = {path.name for path in finished_run.folder.iterdir()}
    assert here == FILES | {"train", "validation"}


def test_config(finished_run):
    config = finished_run.json("config.json")
    assert config["recipe"] == "lambada"
    asked = {"units": 8, "layers": 2, "batch_size": 8, "limit": 400, "epochs": 5}
    assert asked.items() <= config["settings"].items()
    # The backend came from the environment, and is stored all the same.
    assert config["settings"]["backend"] == keras.backend.backend()
    assert config["backend"] == keras.backend.backend()
    assert config["devices"]
    assert config["versions"]["keras"] == keras.__version__
    assert config["versions"][keras.backend.backend()]
    counts = {"train": 400, "validation": 192, "test_used": 400, "test_total": 400}
    source = {"kind": "simulated", "sha256": None, "limit": 400}
    assert config["data"] == source | {"counts": counts}


def test_vocabulary_is_that_of_the_model(finished_run):
    model = keras.models.load_model(finished_run.folder / "best.keras", compile=False)
    vocabulary = finished_run.json("vocabulary.json")
    words = next(value for value in vocabulary.values() if isinstance(value, list))
    assert "the" in words
    (table,) = [
        layer for layer in model.layers if isinstance(layer, keras.layers.Embedding)
    ]
    assert table.input_dim > len(words)
    assert model.count_params() == finished_run.json("metrics.json")["parameters"]


def test_metrics(finished_run):
    metrics = finished_run.json("metrics.json")
    table = read_table(finished_run)
    fixed = {
        "recipe": "lambada",
        "data": "simulated",
        "model": "coref_gru",
        "backend": keras.backend.backend(),
        "seed": 1,
        "epochs": 5,
        "num_examples": 400,
        "num_used": 400,
    }
    assert fixed.items() <= metrics.items()
    seconds = [row["seconds"] for row in table]
    assert metrics["train_seconds"] == pytest.approx(sum(seconds), abs=0.06)
    rate = 400 / min(seconds)
    assert metrics["examples_per_second"] == pytest.approx(rate, abs=0.06)
    best = max(table, key=lambda row: row["val_accuracy"])
    assert metrics["best_epoch"] == best["epoch"]
    assert metrics["validation_accuracy"] == best["val_accuracy"]


def test_accuracy_is_that_of_the_predictions(finished_run):
    metrics = finished_run.json("metrics.json")
    predictions = read_predictions(finished_run)
    assert [p["id"] for p in predictions] == [
        f"simulated-test-{index:05d}" for index in range(400)
    ]
    right = sum(p["gold"] == p["predicted"] for p in predictions)
    assert metrics["accuracy_used"] == right / 400
    assert metrics["accuracy_overall"] == right / 400
    assert all(0 < p["probability"] <= 1 for p in predictions)
    # One word for all, or a constant probability, would be no reading.
    assert len({p["predicted"] for p in predictions}) > 5
    assert len({p["probability"] for p in predictions}) > 300


def test_steps_of_the_event_files(
    finished_run, read_events, logged_steps, updates_per_epoch
):
    (train,) = read_events(finished_run.folder / "train")
    (validation,) = read_events(finished_run.folder / "validation")
    assert [step for step, _ in train] == logged_steps(5)
    ends = [updates_per_epoch * epoch for epoch in range(1, 6)]
    assert [step for step, _ in validation] == ends
    sevenths = [step for step, values in train if "batch_loss" in values]
    assert sevenths == list(range(7, 251, 7))


def test_event_files_hold_the_losses_of_the_table(finished_run, read_events):
    table = read_table(finished_run)
    for name, column in (("train", "loss"), ("validation", "val_loss")):
        (events,) = read_events(finished_run.folder / name)
        losses = [v["epoch_loss"] for _, v in events if "epoch_loss" in v]
        assert losses == pytest.approx([row[column] for row in table], rel=1e-6)


def test_losses_fall(finished_run):
    table = read_table(finished_run)
    assert [row["epoch"] for row in table] == [1, 2, 3, 4, 5]
    for column in ("loss", "val_loss"):
        losses = [row[column] for row in table]
        assert losses == sorted(losses, reverse=True)
        assert losses[-1] < 0.8 * losses[0]


def test_another_seed_gives_other_losses(finished_run, runs):
    (other,) = read_table(runs["seed_2"].result())
    first = read_table(finished_run)[0]
    for column in ("loss", "val_loss"):
        assert other[column] != pytest.approx(first[column], rel=1e-4)


def test_best_model_loads_in_a_new_process_and_repeats_its_answers(
    finished_run, run_python
):
    """With default safe mode, and nothing imported but the package."""
    output = run_python(PREDICT.format(folder=str(finished_run.folder)))
    predictions = read_predictions(finished_run)
    again = json.loads(output.splitlines()[-1])
    assert [p["predicted"] for p in predictions] == [word for word, _ in again]
    assert [p["probability"] for p in predictions] == pytest.approx(
        [probability for _, probability in again], rel=1e-5
    )


PREDICT = """
import json
import keras
import keras_cgru

model = keras.models.load_model({folder!r} + "/best.keras")

import numpy as np
from keras_cgru.data import ReaderDataset, Vocabulary
from keras_cgru.data.lambada.splits import load_splits

splits = load_splits(simulated=True, limit=400)
examples = splits.test.examples
vocabulary = Vocabulary.load({folder!r} + "/vocabulary.json")
# Other batches than the recipe's: an answer must not depend on its neighbours.
data = ReaderDataset(examples, vocabulary, splits.test_layout, batch_size=50)
answers = {{}}
for batch in range(len(data)):
    inputs, _ = data[batch]
    logits = keras.ops.convert_to_numpy(model.predict_on_batch(inputs))
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    probabilities = weights / weights.sum(axis=1, keepdims=True)
    for row, best in zip(probabilities, probabilities.argmax(axis=1)):
        example = examples[data.order[len(answers)]]
        answers[example.id] = ("".join(example.candidates[best]), float(row[best]))
print(json.dumps([answers[example.id] for example in examples]))
"""


def test_its_reader_completes_a_story_of_one_s_own(finished_run):
    reader = load_reader(finished_run.folder)
    reading = reader.answer(
        "Anna took the lamp. Then she went into the kitchen. By evening the lamp was "
        "in the hands of"
    )
    assert reading.query.tokens[:2] == ("by", "evening")
    assert "anna" in {answer.text for answer in reading.answers}
    total = sum(answer.probability for answer in reading.answers)
    assert total == pytest.approx(1, abs=1e-5)
    # The pronoun is linked, and so is the question's lamp.
    document, query = reading.document, reading.query
    where = {word: document.clusters[document.tokens.index(word)] for word in ("anna",)}
    assert document.clusters[document.tokens.index("she")] == where["anna"] != ()
    lamp = document.clusters[document.tokens.index("lamp")]
    assert query.clusters[query.tokens.index("lamp")] == lamp != ()
    # The mentions that carried an answer.
    best = reading.predicted
    carried = sum(document.attention[position] for position in best.positions)
    assert carried == pytest.approx(best.probability, abs=1e-5)


def test_questions_that_have_no_answer_are_refused(finished_run):
    reader = load_reader(finished_run.folder)
    for story, message in (
        ("", "sentences and the beginning of another"),
        ("Only one sentence stands", "sentences and the beginning of another"),
    ):
        with pytest.raises(ValueError, match=message):
            reader.answer(story)
    with pytest.raises(ValueError, match="`document` must hold a word"):
        reader.answer("", "who ?")
    with pytest.raises(ValueError, match="on no stop list"):
        reader.answer("he was there .", "it was")
    # Words that training never saw are read as unknown ones.
    assert reader.answer("xqzt met vbnm .", "it was").predicted is not None
