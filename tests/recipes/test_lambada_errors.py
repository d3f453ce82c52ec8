"""What cannot be is refused at once, in one line, and leaves nothing behind."""

import re

import pytest

# Whoever imports Keras has waited seconds for a refusal that needs no Keras.
NO_KERAS = "raise SystemExit('Keras was imported')"

WRONG = [
    # Options, the option's name, what it must be, what came.
    ("--units 63", "--units", "even", "63"),
    ("--units 0", "--units", "at least 1", "0"),
    ("--units 6.5", "--units", "int", "6.5"),
    ("--layers 0", "--layers", "at least 1", "0"),
    ("--num-clusters 0", "--num-clusters", "at least 1", "0"),
    ("--epochs 0", "--epochs", "at least 1", "0"),
    ("--batch-size 0", "--batch-size", "at least 1", "0"),
    ("--update-freq 0", "--update-freq", "at least 1", "0"),
    ("--limit 0", "--limit", "at least 1", "0"),
    ("--learning-rate -1", "--learning-rate", "positive", "-1"),
    ("--learning-rate nan", "--learning-rate", "positive", "nan"),
    ("--clip-norm inf", "--clip-norm", "positive", "inf"),
    ("--dropout 1.5", "--dropout", "in [0, 1)", "1.5"),
    ("--dropout nan", "--dropout", "in [0, 1)", "nan"),
    ("--threads 0", "--threads", "at least 1", "0"),
    ("--seed -1", "--seed", "in [0, 2**32)", "-1"),
    ("--seed 4294967296", "--seed", "in [0, 2**32)", "4294967296"),
    ("--data-dir here", "--data-dir", "left out with --simulated", "here"),
    ("--backend foo", "--backend", "tensorflow", "foo"),
    ("--recurrence lstm", "--recurrence", "coref_gru", "lstm"),
    ("--resolver neural", "--resolver", "sieve", "neural"),
    ("--links verbs", "--links", "names", "verbs"),
]


@pytest.fixture(scope="module")
def no_keras(make_stub):
    return make_stub("keras", NO_KERAS)


@pytest.mark.parametrize(
    "options, name, wanted, received", WRONG, ids=[case[0] for case in WRONG]
)
def test_wrong_value(
    check_refusal, recipe, no_keras, tmp_path, options, name, wanted, received
):
    done = recipe(tmp_path, "--simulated", *options.split(), PYTHONPATH=no_keras)
    check_refusal(done, tmp_path, name, wanted, received)
    assert done.stdout == ""


@pytest.mark.parametrize("backend", ["foo", "torch"])
def test_wrong_backend_in_the_environment(
    check_refusal, recipe, no_keras, tmp_path, backend
):
    done = recipe(tmp_path, "--simulated", PYTHONPATH=no_keras, KERAS_BACKEND=backend)
    check_refusal(done, tmp_path)
    assert done.stderr == (
        "lambada.py: error: KERAS_BACKEND must be one of jax, tensorflow. "
        f"Received: {backend}\n"
    )


def test_help_names_every_option(recipe, no_keras, tmp_path):
    done = recipe(tmp_path, "--help", PYTHONPATH=no_keras)
    assert (done.returncode, done.stderr) == (0, "")
    names = (
        "data-dir simulated backend recurrence units layers num-clusters dropout "
        "epochs batch-size learning-rate clip-norm seed limit update-freq run-dir "
        "resume resolver links annotations"
    )
    for name in names.split():
        assert re.search(rf"--{name}\b", done.stdout), name


def test_data_dir_that_is_not_there(check_refusal, recipe, tmp_path):
    done = recipe(tmp_path, "--data-dir", "nowhere")
    check_refusal(done, tmp_path, "data_dir", "nowhere/lambada_development_plain_text")


def test_annotations_that_are_not_there(check_refusal, recipe, tmp_path):
    done = recipe(tmp_path, "--simulated", "--annotations", "nowhere.parquet")
    check_refusal(done, tmp_path, "nowhere.parquet")


def test_data_folder_without_the_files(check_refusal, recipe, tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "cwd").mkdir()
    data = str(tmp_path / "data")
    done = recipe(tmp_path / "cwd", KERAS_CGRU_DATA=data)
    names = ("lambada_development_plain_text.txt", "lambada_test_plain_text.txt")
    files = [f"{data}/{name}" for name in names]
    check_refusal(done, tmp_path / "cwd", "KERAS_CGRU_DATA", *files)


def test_missing_tensorboard_stops_before_training(
    check_refusal, recipe, tmp_path, make_stub, tiny
):
    path = make_stub("tensorboard", "raise ImportError('not installed')")
    done = recipe(tmp_path, *tiny, PYTHONPATH=path)
    install = 'pip install "keras-cgru[recipes]"'
    check_refusal(done, tmp_path, "`tensorboard`", install)
    assert "Epoch" not in done.stdout
