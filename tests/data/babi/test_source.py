"""Where bAbI is found; what LAMBADA's search has in common is tested there."""

import hashlib

import pytest

from keras_cgru.data import download
from keras_cgru.data.babi.source import FOLDER, find_babi
from keras_cgru.data.babi.splits import read_babi_splits

STORIES = "1 Vera ran.\n2 Who ran?\tvera\t1\n" * 20


@pytest.fixture(autouse=True)
def clean(monkeypatch, tmp_path):
    """No variable, an empty cache and no network."""
    monkeypatch.delenv("KERAS_CGRU_DATA", raising=False)
    monkeypatch.setenv("KERAS_HOME", str(tmp_path / "keras-home"))
    monkeypatch.setattr(download.tempfile, "gettempdir", lambda: str(tmp_path / "tmp"))
    monkeypatch.setattr(download, "_is_reachable", lambda url: False)


def make_folder(folder, tasks=(1, 2), splits=("train", "test")):
    (folder / "en").mkdir(parents=True)
    for task in tasks:
        for split in splits:
            (folder / "en" / f"qa{task}_some-name_{split}.txt").write_text(STORIES)
    return folder


@pytest.mark.parametrize("named", ["parent", "itself"])
def test_a_folder_without_a_network_is_enough(tmp_path, named):
    folder = make_folder(tmp_path / "data" / FOLDER)
    source = find_babi(folder if named == "itself" else folder.parent, tasks=[1, 2])
    assert (source.kind, source.folder) == ("data-dir", folder)
    assert list(source.files) == ["qa1 train", "qa1 test", "qa2 train", "qa2 test"]
    train = source.files["qa1 train"]
    assert source.sha256[train.name] == hashlib.sha256(train.read_bytes()).hexdigest()
    assert source.describe() == f"data-dir: {folder}"
    assert len(read_babi_splits(source.folder, 1).test) == 20


def test_validation_files_belong_to_it(tmp_path):
    folder = make_folder(tmp_path / FOLDER)
    (folder / "en-valid").mkdir()
    for split in ("train", "valid"):
        (folder / "en-valid" / f"qa1_{split}.txt").write_text(STORIES)
    source = find_babi(folder, tasks=[1])
    assert source.files["qa1 en-valid valid"].name == "qa1_valid.txt"
    assert {"qa1_train.txt", "qa1_valid.txt"} < source.sha256.keys()
    (folder / "en_valid_story_indices.json").write_text('{"1": [0]}')
    source = find_babi(folder, tasks=[1])
    assert source.files["validation stories"].name in source.sha256
    assert "qa1 en-valid valid" not in source.files


def test_the_order(tmp_path, monkeypatch):
    assert find_babi() is None
    make_folder(tmp_path / "keras-home" / "datasets" / FOLDER)
    assert find_babi(tasks=[2]).kind == "cache"
    assert find_babi(tasks=[2, 3]) is None
    make_folder(tmp_path / "variable" / FOLDER)
    monkeypatch.setenv("KERAS_CGRU_DATA", str(tmp_path / "variable"))
    assert find_babi(tasks=[2]).kind == "environment"
    make_folder(tmp_path / "argument")
    assert find_babi(tmp_path / "argument", tasks=[2]).kind == "data-dir"


@pytest.mark.parametrize("way", ["`data_dir`", "KERAS_CGRU_DATA"])
def test_a_folder_that_lacks_a_file_is_an_error(tmp_path, monkeypatch, way):
    folder = make_folder(tmp_path / FOLDER, splits=["train"])
    if way == "KERAS_CGRU_DATA":
        monkeypatch.setenv(way, str(tmp_path))
    with pytest.raises(FileNotFoundError) as error:
        find_babi(None if way == "KERAS_CGRU_DATA" else tmp_path, tasks=[1])
    assert str(error.value).startswith(f"{way} must be the folder {FOLDER}")
    assert str(error.value).endswith(f"no {folder / 'en' / 'qa1_*test.txt'}")
