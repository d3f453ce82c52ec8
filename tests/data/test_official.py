"""Official files are told from others, and others are labelled wherever they stand."""

import json

import pytest

from keras_cgru.data.babi.load import load_babi, of_task
from keras_cgru.data.babi.simulated import simulate_babi
from keras_cgru.data.babi.source import ALL_TASKS, find_babi
from keras_cgru.data.lambada.source import DEVELOPMENT_FILE, LAMBADA, TEST_FILE
from keras_cgru.data.lambada.splits import load_splits
from keras_cgru.data.official import Difference, caution_of, label_of


def lambada_folder(official_data, folder, cut=None):
    """The official files, the test file cut behind so many lines."""
    folder.mkdir()
    for name in (DEVELOPMENT_FILE, TEST_FILE):
        lines = (official_data / "lambada-dataset" / name).read_bytes()
        if name == TEST_FILE and cut is not None:
            lines = b"".join(lines.splitlines(keepends=True)[:cut])
        (folder / name).write_bytes(lines)
    return folder


def test_the_official_passages_are_known(official_data):
    splits = load_splits(official_data)
    assert (splits.label, splits.caution) == ("lambada", "")
    assert splits.provenance()["kind"] == "lambada"
    assert "differences" not in splits.provenance()
    assert splits.provenance()["text_version"] == "tokenised"
    assert "NOT" not in splits.summary() and "FIRST" not in splits.summary()


def test_a_cut_test_file_is_said_everywhere(official_data, tmp_path):
    splits = load_splits(lambada_folder(official_data, tmp_path / "cut", 2500))
    assert splits.label == "lambada-unofficial"
    assert splits.caution == "NOT the official files: unofficial"
    said = f"{TEST_FILE} has 2,500 passages, not 5,153"
    assert f"NOT the official files: unofficial ({said})" in splits.summary()
    assert splits.provenance()["kind"] == "lambada-unofficial"
    assert splits.provenance()["differences"] == {"test": said}


def test_one_other_letter_is_said_too(official_data, tmp_path):
    folder = lambada_folder(official_data, tmp_path / "changed")
    content = (folder / TEST_FILE).read_bytes()
    (folder / TEST_FILE).write_bytes(content.replace(b" the ", b" teh ", 1))
    splits = load_splits(folder)
    assert splits.label == "lambada-unofficial"
    assert f"{TEST_FILE} has other content (SHA-256 " in splits.summary()


def test_a_limit_is_said(official_data):
    splits = load_splits(official_data, limit=50)
    assert splits.label == "lambada"
    assert splits.caution == "the FIRST 50 of each file"
    assert "the FIRST 50 of each file" in splits.summary()
    assert splits.provenance()["limit"] == 50
    simulated = load_splits(simulated=True, limit=50)
    assert simulated.caution == "SIMULATED stories, the FIRST 50 of each file"
    assert "SIMULATED" in simulated.summary() and "first 50" in simulated.summary()


def test_the_official_tasks_are_known(official_data):
    source = find_babi(official_data)
    assert (source.label, source.caution) == ("babi", "")
    assert len(source.files) == 2 * len(ALL_TASKS) + 1


@pytest.fixture
def babi_folder(tmp_path):
    """Tasks of so many training questions each, in a folder of this name."""

    def make(sizes, name="en"):
        inner = tmp_path / name
        inner.mkdir()
        for task, size in sizes.items():
            for split, number in (("train", size), ("test", 1000)):
                path = inner / f"qa{task}_some-name_{split}.txt"
                path.write_text(simulate_babi(task, number, seed=number % 7))
        return tmp_path if name == "en" else inner

    return make


@pytest.mark.parametrize("name", ["en", "en-10k", "hn-10k", "shuffled-10k"])
def test_ten_thousand_questions_are_no_thousand(babi_folder, name):
    folder = babi_folder({1: 10_000}, name)
    source, splits = load_babi(folder, tasks=[1])
    version = "en-10k" if name == "en" else name
    assert source.label == splits[1].source.label == f"babi-{version}"
    assert f"NOT the official files: {version}" in source.line()
    assert "10,000 questions, not 1,000" in source.line()
    assert f"NOT the official files: {version}" in splits[1].summary()
    assert splits[1].provenance()["kind"] == f"babi-{version}"


def test_each_task_is_judged_by_its_own_files(babi_folder, official_data):
    folder = babi_folder({2: 10_000, 6: 1000})
    for path in (official_data / "tasks_1-20_v1-2" / "en").glob("qa1_*"):
        (folder / "en" / path.name).write_bytes(path.read_bytes())
    source = find_babi(folder, [1, 2, 6])
    assert source.label == "babi-en-10k"
    labels = {task: of_task(source, task).label for task in (1, 2, 6)}
    assert labels == {1: "babi", 2: "babi-en-10k", 6: "babi-unofficial"}
    assert set(of_task(source, 6).differences) == {"qa6 train", "qa6 test"}
    with pytest.raises(ValueError, match="one version.*babi: 1; babi-en-10k: 2; babi-"):
        load_babi(folder, tasks=[1, 2, 6])
    _, splits = load_babi(folder, tasks=[1], limit=20)
    assert splits[1].provenance()["limit"] == 20
    assert "differences" not in splits[1].provenance()


def test_other_validation_stories_are_no_official_ones(official_data, tmp_path):
    source = official_data / "tasks_1-20_v1-2"
    (tmp_path / "en").mkdir()
    for path in (source / "en").glob("qa1_*"):
        (tmp_path / "en" / path.name).write_bytes(path.read_bytes())
    assert find_babi(tmp_path, [1]).label == "babi"
    indices = tmp_path / "en_valid_story_indices.json"
    indices.write_text(json.dumps({"1": [0, 1]}))
    assert find_babi(tmp_path, [1]).label == "babi-unofficial"


def test_labels():
    other, en_10k = Difference("unofficial", "x"), Difference("en-10k", "y")
    assert label_of("babi", {}) == "babi"
    assert label_of("babi", {"a": other}) == "babi-unofficial"
    assert label_of("babi", {"a": other, "b": en_10k}) == "babi-en-10k"
    hindi = Difference("hn-10k", "z")
    assert label_of("babi", {"a": hindi, "b": en_10k}) == "babi-unofficial"
    assert caution_of("babi-en-10k", "babi", 7) == (
        "NOT the official files: en-10k, the FIRST 7 of each file"
    )


def test_archives_and_hashes_are_hexadecimal():
    known = [*LAMBADA.archives.values(), *(f.sha256 for f in LAMBADA.official.values())]
    assert all(len(each) == 64 and int(each, 16) for each in known)
