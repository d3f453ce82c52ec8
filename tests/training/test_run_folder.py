"""The folder of a run: chosen, checked and read back."""

import json
import re

import pytest

from keras_cgru.training import RunFolder

CONFIG = {"recipe": "lambada", "settings": {"units": 64, "seed": 1, "limit": None}}
TABLE = "epoch,seconds,loss\n1,0.5,2.5\n2,0.5,2.25\n"


@pytest.fixture
def default(tmp_path):
    return tmp_path / "runs" / "lambada" / "name-1"


@pytest.fixture
def folder(tmp_path):
    folder = RunFolder(tmp_path / "run")
    folder.write_config(CONFIG)
    return folder


def test_first_run_takes_the_name_itself_and_makes_nothing(default, tmp_path):
    assert RunFolder.choose(None, default, resume=False).path == default
    assert list(tmp_path.iterdir()) == []


def test_further_runs_count_on(default):
    names = []
    for _ in range(4):
        folder = RunFolder.choose(None, default, resume=False)
        folder.path.mkdir(parents=True)
        names.append(folder.path.name)
    assert names == ["name-1", "name-1-2", "name-1-3", "name-1-4"]


def test_resuming_takes_the_last_run_of_the_name(default):
    for name in ("name-1", "name-1-2", "name-1-3", "name-10", "other-1"):
        default.with_name(name).mkdir(parents=True)
    assert RunFolder.choose(None, default, resume=True).path.name == "name-1-3"


@pytest.mark.parametrize(
    ("there", "last", "following"),
    [
        (("", "-3"), "name-1-3", "name-1-4"),
        (("-2",), "name-1-2", "name-1-3"),
        (("", "-2", "-9", "-10"), "name-1-10", "name-1-11"),
        # Not of this name, or not as we count.
        (("", "-02", "-x", "-2-old", "-1"), "name-1", "name-1-2"),
    ],
)
def test_a_hole_is_neither_the_end_nor_filled(default, there, last, following):
    for name in there:
        run = RunFolder(default.with_name(f"{default.name}{name}"))
        run.write_config(CONFIG)
    assert RunFolder.choose(None, default, resume=True).path.name == last
    assert RunFolder.choose(None, default, resume=False).path.name == following


def test_resuming_passes_over_what_holds_no_run(default):
    RunFolder(default).write_config(CONFIG)
    # Stopped before it wrote its config.
    default.with_name("name-1-2").mkdir()
    assert RunFolder.choose(None, default, resume=True).path == default
    assert RunFolder.choose(None, default, False).path.name == "name-1-3"


@pytest.mark.parametrize("name", ["lost+found", ".DS_Store", "._x", "Thumbs.db"])
def test_what_systems_put_there_does_not_fill_a_folder(tmp_path, default, name):
    (tmp_path / name).mkdir()
    folder = RunFolder.choose(str(tmp_path), default, resume=False)
    assert folder.path == tmp_path
    with folder.locked():
        assert {path.name for path in tmp_path.iterdir()} == {name, ".lock"}


def test_a_run_leaves_nothing_beside_its_folder(tmp_path, default):
    folder = RunFolder.choose(str(tmp_path / "run"), default, resume=False)
    with folder.locked():
        folder.write_config(CONFIG)
        assert [path.name for path in tmp_path.iterdir()] == ["run"]
    assert [path.name for path in folder.path.iterdir()] == ["config.json"]


@pytest.mark.parametrize("resume", [False, True])
def test_an_address_is_refused(default, resume):
    for asked in ("gs://bucket/x", "s3://x", "file:///tmp/x"):
        with pytest.raises(ValueError, match="`run_dir` must be a path of this mach"):
            RunFolder.choose(asked, default, resume)


def test_a_tilde_is_the_home_folder(tmp_path, default, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    folder = RunFolder.choose("~/runs/a", default, resume=False)
    assert folder.path == tmp_path / "runs" / "a"


def test_resuming_without_a_run_is_refused(default):
    with pytest.raises(FileNotFoundError, match="`resume`: there is no run at .*name"):
        RunFolder.choose(None, default, resume=True)


@pytest.mark.parametrize("exists", [False, True])
def test_named_folder_may_be_new_or_empty(tmp_path, default, exists):
    asked = tmp_path / "deep" / "mine"
    if exists:
        asked.mkdir(parents=True)
    assert RunFolder.choose(str(asked), default, resume=False).path == asked


def test_named_folder_in_use_is_refused(folder, default):
    message = re.escape(f"Received: {folder.path}, which is not empty")
    with pytest.raises(FileExistsError, match=f"`run_dir` must be .* {message}"):
        RunFolder.choose(str(folder.path), default, resume=False)
    assert RunFolder.choose(str(folder.path), default, True).path == folder.path


def test_resuming_a_folder_that_holds_no_run_is_refused(tmp_path, default):
    for name in ("nowhere", "empty"):
        asked = tmp_path / name
        if name == "empty":
            asked.mkdir()
        with pytest.raises(FileNotFoundError, match=f"{name} holds no run"):
            RunFolder.choose(str(asked), default, resume=True)


@pytest.mark.parametrize("resume", [False, True])
def test_named_file_is_refused(tmp_path, default, resume):
    file = tmp_path / "file"
    file.write_text("mine", encoding="utf-8")
    with pytest.raises(NotADirectoryError, match="`run_dir` must be a folder.*file"):
        RunFolder.choose(str(file), default, resume)


def test_config_is_readable_json(folder):
    text = folder.config.read_text(encoding="utf-8")
    assert json.loads(text) == CONFIG
    assert text.startswith('{\n  "recipe"')


def test_equal_config_passes_and_other_keys_are_not_looked_at(folder):
    changed = CONFIG | {"settings": CONFIG["settings"] | {"seed": 2}}
    folder.check_config(changed, ["recipe", "settings.units", "settings.limit"])


@pytest.mark.parametrize(
    "key, value", [("recipe", "babi"), ("settings.units", 32), ("settings.limit", 5)]
)
def test_difference_is_named_with_both_values(folder, key, value):
    *outer, name = key.split(".")
    changed = json.loads(json.dumps(CONFIG))
    (changed["settings"] if outer else changed)[name] = value
    was = CONFIG["settings"][name] if outer else CONFIG[name]
    message = (
        f"{key} must be .*{folder.path.name} began with: {was!r}. Rec.*: {value!r}"
    )
    with pytest.raises(ValueError, match=message):
        folder.check_config(changed, ["recipe", "settings.units", "settings.limit"])


def test_a_tuple_equals_the_list_that_was_stored(folder):
    folder.write_config(CONFIG | {"links": ("a", "b")})
    folder.check_config({"links": ("a", "b")}, ["links"])
    with pytest.raises(ValueError, match=r"links must be .*\['a', 'b'\]"):
        folder.check_config({"links": ("a",)}, ["links"])


def test_key_that_the_stored_config_lacks_differs(folder):
    changed = CONFIG | {"data": {"sha256": "abc"}}
    with pytest.raises(ValueError, match="data.sha256 must be .*: None. .*: 'abc'"):
        folder.check_config(changed, ["data.sha256"])


def test_a_resumed_run_may_differ_in_what_is_allowed_alone(folder, capsys):
    settings = CONFIG["settings"] | {"epochs": 3, "resume": False, "threads": 2}
    folder.write_config(CONFIG | {"settings": settings})
    resumed = CONFIG | {"settings": settings | {"epochs": 5, "resume": True}}
    folder.check_resumed(resumed, ["epochs", "resume"])
    with pytest.raises(ValueError, match="settings.epochs must be .* 3. Received: 5"):
        folder.check_resumed(resumed, ["resume"])
    folder.epochs.write_text(TABLE, encoding="utf-8")
    fewer = CONFIG | {"settings": settings | {"epochs": 1}}
    with pytest.raises(ValueError, match="`epochs` must be at least 2, .* 1"):
        folder.check_resumed(fewer, ["epochs"])
    capsys.readouterr()


@pytest.mark.parametrize("stored", [{}, {"threads": None}])
def test_an_option_that_is_not_stored_is_said_and_not_refused(folder, capsys, stored):
    settings = CONFIG["settings"] | {"epochs": 3}
    folder.write_config(CONFIG | {"settings": settings | stored})
    resumed = CONFIG | {"settings": settings | {"threads": 2}}
    folder.check_resumed(resumed, ["epochs"])
    said = "does not say with which `threads` it began; it goes on with 2."
    assert said in capsys.readouterr().out


@pytest.mark.parametrize("content", [b'{"recipe": ', b"", b"\xff\xfe{}"])
def test_broken_config_is_named(folder, content):
    folder.config.write_bytes(content)
    with pytest.raises(ValueError, match=re.escape(str(folder.config))):
        folder.check_config(CONFIG, ["recipe"])


def test_finished_is_having_the_results_of_so_many_epochs(folder):
    assert not folder.finished(5)
    folder.metrics.write_text('{"epochs": 5}', encoding="utf-8")
    assert folder.finished(5)
    assert not folder.finished(6)


def test_broken_results_are_named(folder):
    folder.metrics.write_text('{"epochs"', encoding="utf-8")
    with pytest.raises(ValueError, match=re.escape(str(folder.metrics))):
        folder.finished(5)


def test_finished_epochs_are_those_of_the_table(folder):
    assert folder.finished_epochs() == 0
    folder.epochs.write_text(TABLE, encoding="utf-8")
    assert folder.finished_epochs() == 2
    folder.epochs.write_text(TABLE.splitlines()[0] + "\n", encoding="utf-8")
    assert folder.finished_epochs() == 0
