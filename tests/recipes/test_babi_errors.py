"""What cannot be is refused at once, in one line, and leaves nothing behind."""

import pytest

NO_KERAS = "raise SystemExit('Keras was imported')"

WRONG = [
    # Options, the option's name, what it must be, what came.
    ("--tasks 0", "--tasks", "1..20", "0"),
    ("--tasks 21", "--tasks", "1..20", "21"),
    ("--tasks 3-1", "--tasks", "1..20", "3-1"),
    ("--tasks one", "--tasks", "1..20", "one"),
    ("--seeds 0", "--seeds", "at least 1", "0"),
    ("--threads 0", "--threads", "at least 1", "0"),
    ("--jobs 0", "--jobs", "at least 1", "0"),
    ("--units 63", "--units", "even", "63"),
    ("--layers 0", "--layers", "at least 1", "0"),
    ("--updates 0", "--updates", "at least 1", "0"),
    ("--halve-every 0", "--halve-every", "at least 1", "0"),
    ("--patience 0", "--patience", "at least 1", "0"),
    ("--limit 0", "--limit", "at least 1", "0"),
    ("--learning-rate nan", "--learning-rate", "positive", "nan"),
    ("--dropout 1.0", "--dropout", "in [0, 1)", "1.0"),
    ("--word-stddev 0", "--word-stddev", "a positive number", "0.0"),
    ("--average 1", "--average", "in (0, 1)", "1.0"),
    (
        "--same-kind True --unknown-names True",
        "--same-kind",
        "left out with --unknown-names",
        "True",
    ),
    ("--rename 1.5", "--rename", "in [0, 1]", "1.5"),
    ("--dropped-mentions 0.1 -0.2", "--dropped-mentions", "in [0, 1]", "-0.2"),
    ("--data-dir here", "--data-dir", "left out with --simulated", "here"),
    ("--model lstm", "--model", "ga_coref_gru", "lstm"),
    ("--setting good", "--setting", "paper", "good"),
]


@pytest.mark.parametrize(
    "options, name, wanted, received", WRONG, ids=[case[0] for case in WRONG]
)
def test_wrong_value(
    check_refusal, babi, make_stub, tmp_path, options, name, wanted, received
):
    path = make_stub("keras", NO_KERAS)
    done = babi(tmp_path, "--simulated", *options.split(), PYTHONPATH=path)
    check_refusal(done, tmp_path, name, wanted, received)
    assert done.stdout == ""


def test_a_missing_file_is_named(check_refusal, babi, tmp_path):
    """Scenario 31: a local folder, no network."""
    folder = tmp_path / "tasks_1-20_v1-2" / "en"
    folder.mkdir(parents=True)
    (folder / "qa1_one_train.txt").write_text("1 Al ran.\n2 Who ran?\tal\t1\n")
    working = tmp_path / "cwd"
    working.mkdir()
    done = babi(working, "--tasks", "1", "--data-dir", tmp_path)
    check_refusal(done, working, "data_dir", "qa1_*test.txt")


def test_a_broken_file_is_named_with_its_line(check_refusal, babi, tmp_path):
    folder = tmp_path / "tasks_1-20_v1-2"
    folder.mkdir(parents=True)
    good = "1 Al ran.\n2 Who ran?\tal\t1\n"
    (folder / "qa1_one_train.txt").write_text(good * 9 + "1 Al ran.\n3 Who ran?\n")
    (folder / "qa1_one_test.txt").write_text(good)
    working = tmp_path / "cwd"
    working.mkdir()
    done = babi(working, "--tasks", "1", "--data-dir", tmp_path)
    check_refusal(done, working, "qa1_one_train.txt:20: ", "a tab and its answer")


def test_a_split_without_a_usable_question_stops_before_training(
    check_refusal, babi, tmp_path
):
    folder = tmp_path / "tasks_1-20_v1-2"
    folder.mkdir(parents=True)
    story = "1 Al ran.\n2 Bo sat.\n3 Who ran?\tal\t1\n"
    (folder / "qa1_one_train.txt").write_text(story * 9)
    (folder / "qa1_one_test.txt").write_text("1 Al ran.\n2 Who sat?\tcy\t1\n")
    working = tmp_path / "cwd"
    working.mkdir()
    done = babi(working, "--tasks", "1", "--data-dir", tmp_path)
    check_refusal(done, working, "task 1: each split", "test kept 0 of 1 (1 x ")


def test_tasks_that_cannot_be_simulated(check_refusal, babi, tmp_path):
    done = babi(tmp_path, "--simulated", "--tasks", "1,17,18")
    check_refusal(done, tmp_path, "--tasks", "without the official files", "[17, 18]")


def test_missing_tensorboard_stops_before_training(
    check_refusal, babi, tmp_path, make_stub
):
    path = make_stub("tensorboard", "raise ImportError('not installed')")
    done = babi(tmp_path, "--simulated", "--tasks", "1", PYTHONPATH=path)
    check_refusal(done, tmp_path, "`tensorboard`", 'pip install "keras-cgru[recipes]"')


def test_tasks_of_the_command_line(babi, monkeypatch):
    monkeypatch.syspath_prepend(str(babi.script.parent))
    from babi import parse_tasks

    assert parse_tasks("1,2,16") == (1, 2, 16)
    assert parse_tasks("3-5,1,4") == (3, 4, 5, 1)
    assert parse_tasks("all") == () and parse_tasks(None) is None
