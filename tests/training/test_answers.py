"""What a reader answers, above all where it cannot have chosen."""

import keras
import numpy as np
import pytest

from keras_cgru.data import (
    BucketLayout,
    DataSource,
    Example,
    ReaderDataset,
    ReadResult,
    Splits,
    Vocabulary,
)
from keras_cgru.evaluation import Prediction
from keras_cgru.inspection import read_readings
from keras_cgru.layers.attention_sum import NO_CANDIDATE
from keras_cgru.metrics import answer_metrics
from keras_cgru.models import ga_reader
from keras_cgru.training import (
    RunFolder,
    best_candidate,
    evaluate_reader,
    predict_answers,
)
from keras_cgru.training.kept_readings import MOST_ANSWERS, kept_readings


def example(name, document, candidates, answer):
    parts = tuple(tuple(candidate.split()) for candidate in candidates)
    words = tuple(document.split())
    return Example(name, words, ("who", "?"), parts, tuple(answer.split()))


# As in WikiHop: candidates of several words, some of which no document mentions.
EXAMPLES = (
    example("mentioned", "al met bo at the river", ("al", "bo"), "bo"),
    example("none", "it was a dark night", ("new york", "al"), "new york"),
    example("only one", "it was a dark night", ("al",), "al"),
)


class Fixed:
    """A reader that gives the logits that it is told, in the order served."""

    def __init__(self, dataset, logits):
        self.rows = np.float32([logits[index] for index in dataset.order])

    def predict(self, dataset, verbose):
        return self.rows


@pytest.fixture
def dataset():
    vocabulary = Vocabulary.build(EXAMPLES)
    layout = BucketLayout.from_examples(EXAMPLES)
    return ReaderDataset(EXAMPLES, vocabulary, layout, batch_size=2, full_batches=True)


def answers(dataset, *logits):
    predictions = predict_answers(Fixed(dataset, logits), dataset, EXAMPLES)
    return [(p.predicted, p.probability, p.correct) for p in predictions]


LOW = NO_CANDIDATE


def test_a_row_without_a_mention_has_no_answer(dataset):
    first, none, only = answers(dataset, [0, 1], [LOW, LOW], [LOW, LOW])
    assert first == ("bo", pytest.approx(1 / (1 + np.exp(-1)), rel=1e-6), True)
    assert none == only == ("", 0.0, False)


def test_a_tie_is_no_answer(dataset):
    tied, chosen, _ = answers(dataset, [3, 3], [LOW, -40], [0, LOW])
    assert tied == ("", 0.0, False)
    assert chosen == ("al", 1.0, False)


@pytest.mark.parametrize("row", [[np.nan, np.nan], [np.nan, 1], [1, np.nan]])
def test_nan_is_no_answer(dataset, row):
    assert answers(dataset, row, row, row) == [("", 0.0, False)] * 3


def test_padding_is_no_candidate():
    found = best_candidate(np.float32([0.1, 0.2, 0.7]), EXAMPLES[0])
    assert found == (("bo",), pytest.approx(0.2))


def test_a_reader_is_never_right_by_a_tie(dataset, tmp_path):
    """Neither in its predictions nor in the accuracy that Keras reports."""
    size = len(Vocabulary.build(EXAMPLES))
    model = ga_reader(size, 4, units=4, num_layers=1, logits=True, share_memory=False)
    model.compile(loss="mse", weighted_metrics=answer_metrics())
    result = ReadResult(EXAMPLES, 4, {"too long": 1}, "test")
    source = DataSource("data-dir", name="wikihop")
    splits = Splits(train=result, validation=result, test=result, source=source)
    metrics = evaluate_reader(model, dataset, splits, RunFolder(tmp_path))
    lines = (tmp_path / "predictions.jsonl").read_text(encoding="utf-8").splitlines()
    assert ['"predicted": ""' in line for line in lines] == [False, True, True]
    right = '"predicted": "bo"' in lines[0]
    kept = list(read_readings(tmp_path / "readings.jsonl.gz"))
    assert [reading.correct for reading in kept] == [right, False, False]
    assert metrics["accuracy_used"] == right / 3
    assert metrics["accuracy_overall"] == right / 4
    assert metrics["data"] == "wikihop" and "caution" not in metrics
    logits = model.predict(dataset, verbose=0)
    gold = [EXAMPLES[index].answer_index for index in dataset.order]
    weights = np.concatenate([dataset[batch][2] for batch in range(len(dataset))])
    accuracy, _ = answer_metrics()
    accuracy.update_state(np.array(gold), logits, sample_weight=weights)
    assert float(accuracy.result()) == pytest.approx(right / 3)
    assert np.isfinite(keras.ops.convert_to_numpy(logits)).all()


def test_texts_are_kept_with_the_most_probable_answers():
    names = tuple((f"n{number}",) for number in range(20))
    story = Example("many", ("n3", "met", "n19"), ("who",), names, ("n19",), (1, 0, 1))
    row = np.arange(24, 0, -1).astype("float32") / 300  # four of padding
    chosen = Prediction("many", "n19", "n0", 0.08)
    (reading,) = kept_readings([story], [row], [chosen], best_candidate)
    assert reading.document.tokens == story.document
    assert reading.document.clusters == ((1,), (), (1,))
    assert reading.predicted.tokens == ("n0",) and reading.gold == ("n19",)
    kept = [answer.tokens for answer in reading.answers]
    assert kept == [*names[:MOST_ANSWERS], ("n19",)]
    assert reading.answers[-1].positions == (2,)
    assert reading.labels == {"answers": "11 of 20 kept"}
    assert reading.answers[3].probability == pytest.approx(21 / 300)


def test_an_answer_of_several_words_is_kept_alone():
    story = Example("path", ("go",), ("how",), (("n", "w"),), ("n", "w"))
    rows = [np.zeros((2, 3), "float32")] * 2
    predictions = [Prediction("path", "n,w", "n,e", 0.3), Prediction("", "n,w", "", 0)]
    first, second = kept_readings(
        [story] * 2, rows, predictions, lambda scores, example: ((), 0.0), ","
    )
    assert [(a.tokens, a.probability) for a in first.answers] == [(("n", "e"), 0.3)]
    assert first.correct is False and second.answers == ()
