"""Two run folders side by side."""

import json
import re

import pytest

from keras_cgru.evaluation import Accuracy, compare_runs, read_run


@pytest.fixture
def runs(make_run):
    a = make_run("coref_gru", "mary john milk kitchen")
    b = make_run("gru", "mary mary football garden", seed=7)
    return a, b


def test_table_and_p_by_hand(runs):
    """Right: A 1 1 1 0, B 1 0 0 1; three discordant, p = 2 * (1 + 3) / 8 = 1."""
    comparison = compare_runs(*runs)
    test = comparison.test
    assert (test.both_right, test.only_a, test.only_b, test.both_wrong) == (1, 2, 1, 0)
    assert test.p_value == 1.0
    assert comparison.a.accuracy == Accuracy(3, 4, 5)
    assert comparison.b.accuracy == Accuracy(2, 4, 5)


def test_order_of_the_examples_does_not_matter(runs):
    want = compare_runs(*runs).test
    file = runs[1] / "predictions.jsonl"
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join(reversed(lines)))
    assert compare_runs(*runs).test == want


def test_text(runs):
    assert str(compare_runs(*runs)) == (
        "A  babi coref_gru (jax, seed 0): 0.7500 of the 4 used, 0.6000 of all 5\n"
        "B  babi gru (jax, seed 7): 0.5000 of the 4 used, 0.4000 of all 5\n"
        "\n"
        "             B right   B wrong\n"
        "A right            1         2\n"
        "A wrong            1         0\n"
        "\n"
        "McNemar's exact test: p = 1"
    )


def test_json(runs):
    content = json.loads(json.dumps(compare_runs(*runs).to_dict()))
    assert content["a"] == {
        "folder": str(runs[0]),
        "recipe": "babi",
        "model": "coref_gru",
        "backend": "jax",
        "seed": 0,
        "num_examples": 5,
        "num_used": 4,
        "num_correct": 3,
        "accuracy_used": 0.75,
        "accuracy_overall": 0.6,
    }
    assert content["mcnemar"] == {
        "both_right": 1,
        "only_a": 2,
        "only_b": 1,
        "both_wrong": 0,
        "p_value": 1.0,
    }


def test_other_examples_and_other_answers_are_named(runs):
    a, b = runs
    file = b / "predictions.jsonl"
    text = file.read_text()
    file.write_text(text.replace("story 2", "tale 2"))
    message = f"{b}: must answer the same examples as {a}. Received: no answer to 1"
    with pytest.raises(ValueError, match=re.escape(message) + ".*'story 2'"):
        compare_runs(a, b)
    file.write_text(text.replace('"gold": "milk"', '"gold": "football!"'))
    message = f"{b}: the right answer to 'story 2' must be as in {a}, 'milk'. Received:"
    with pytest.raises(ValueError, match=re.escape(message) + " 'football!'"):
        compare_runs(a, b)


def test_a_run_with_fewer_examples_is_named(runs):
    a, b = runs
    file = a / "predictions.jsonl"
    file.write_text("".join(file.read_text().splitlines(keepends=True)[:3]))
    metrics = json.loads((a / "metrics.json").read_text())
    metrics |= {"num_used": 3, "accuracy_used": 1.0}
    (a / "metrics.json").write_text(json.dumps(metrics))
    message = f"{a}: must answer the same examples as {b}. .*'story 3'"
    with pytest.raises(ValueError, match=message):
        compare_runs(a, b)


@pytest.mark.parametrize("name", ["metrics.json", "predictions.jsonl"])
def test_missing_files_are_named(runs, name):
    (runs[1] / name).unlink()
    with pytest.raises(FileNotFoundError, match=f"gru/{name}: must be a file"):
        compare_runs(*runs)


def test_missing_folder_is_named(runs, tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere: must be the folder of a run"):
        compare_runs(runs[0], tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("metrics", "message"),
    [
        ({"accuracy_used": 0.8}, "`accuracy_used` must be .* 0.750000. Received: 0.8"),
        ({"accuracy_overall": 0.75}, "`accuracy_overall` must be .* 0.600000."),
        ({"accuracy_used": float("nan")}, "`accuracy_used` must be .* Received: nan"),
        ({"num_used": 5}, "`num_used` must be the number of predictions, 4. .*: 5"),
        ({"num_examples": 3}, "Counts must be .* num_total=3"),
        ({"seed": "0"}, "`seed` must be int. Received: '0'"),
        ({"model": None}, "`model` must be str. Received: None"),
        ({"accuracy_used": "high"}, "`accuracy_used` must be int or float."),
        ({"num_used": True}, "`num_used` must be int. Received: True"),
    ],
)
def test_metrics_that_do_not_fit_are_named(make_run, metrics, message):
    folder = make_run("coref_gru", "mary john milk kitchen", **metrics)
    with pytest.raises(ValueError, match="metrics.json: " + message):
        read_run(folder)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"recipe":', "must be JSON in UTF-8. Received: .*line 1"),
        (b"\xff", "must be JSON in UTF-8"),
        (b"[]", "must be a JSON object. Received: \\[\\]"),
    ],
)
def test_broken_metrics_are_named(runs, content, message):
    (runs[0] / "metrics.json").write_bytes(content)
    with pytest.raises(ValueError, match="metrics.json: " + message):
        read_run(runs[0])


def test_an_accuracy_averaged_in_float32_passes(make_run):
    folder = make_run("gru", "mary john milk garden", accuracy_used=0.99999994)
    assert read_run(folder).accuracy.used == 1.0


def test_what_the_data_is_called_is_shown(make_run):
    a = make_run("coref_gru", "mary john milk kitchen", data="babi")
    caution = {"data": "babi-en-10k", "caution": "NOT the official files: en-10k"}
    b = make_run("gru", "mary mary football garden", **caution)
    c = make_run("gru_onehot", "mary mary football garden", data="simulated")
    for run, shown, label in (
        (a, "babi coref_gru (jax, seed 0)", "babi"),
        (b, "babi gru (NOT the official files: en-10k; jax, seed 0)", "babi-en-10k"),
        (c, "babi gru_onehot (data: simulated; jax, seed 0)", "simulated"),
    ):
        comparison = compare_runs(run, run)
        assert str(comparison).splitlines()[0].startswith(f"A  {shown}: ")
        assert comparison.to_dict()["a"]["data"] == label


def test_runs_of_different_data_are_refused(make_run):
    names = iter("abcdefgh")

    def make(config=None, **metrics):
        folder = make_run(next(names), "mary john milk kitchen", **metrics)
        if config is not None:
            (folder / "config.json").write_text(json.dumps({"data": config}))
        return folder

    official = make(data="babi", config={"kind": "babi", "sha256": {"qa1": "aa"}})
    for other, message in (
        (make(data="simulated"), "must be a run on the data of .*'babi'.*'simulated'"),
        (make(config={"kind": "babi-en-10k"}), "'babi'. Received: 'babi-en-10k'"),
        (
            make(config={"kind": "babi", "sha256": {"qa1": "ab"}}),
            "qa1 must be the file",
        ),
        (
            make(num_examples=6, accuracy_overall=0.5),
            "`num_examples` must be as in.*, ",
        ),
    ):
        with pytest.raises(ValueError, match=message):
            compare_runs(official, other)
    # An older run folder, or one without its config, does not say.
    for other in (make(), make(config={"kind": "babi", "sha256": {"qa2": "x"}})):
        assert compare_runs(official, other).test.p_value == 1


@pytest.mark.parametrize("content", ["[]", '{"data": []}', '{"data": {"sha256": 1}}'])
def test_a_config_that_says_nothing_of_the_data(runs, content):
    (runs[0] / "config.json").write_text(content)
    assert read_run(runs[0]).data is None


def test_no_number_is_too_large(make_run, runs):
    folder = make_run("x", "mary john milk kitchen", accuracy_used=10**400)
    with pytest.raises(ValueError, match="`accuracy_used` must be that of") as raised:
        read_run(folder)
    assert len(str(raised.value)) < 300
