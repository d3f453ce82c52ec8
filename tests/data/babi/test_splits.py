"""Which stories validate: the official ones, or a tenth that is the same each time."""

import json
import re

import pytest

from keras_cgru.data.babi.splits import babi_file, read_babi_splits


def stories(number):
    return "".join(
        f"1 Person{n} is in room{n}.\n2 Where is person{n}?\troom{n}\t1\n"
        f"3 And person{n}?\troom{n}\t1\n"
        for n in range(number)
    )


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "en").mkdir()
    (tmp_path / "en" / "qa1_single_train.txt").write_text(stories(20))
    (tmp_path / "en" / "qa1_single_test.txt").write_text(stories(3))
    (tmp_path / "en" / "qa10_other_train.txt").write_text(stories(2))
    return tmp_path


def told(questions):
    return sorted({question.answer[0] for question in questions})


def test_the_official_stories_are_held_out(folder):
    indices = {"1": [0, 7], "2": [5]}
    (folder / "en_valid_story_indices.json").write_text(json.dumps(indices))
    splits = read_babi_splits(folder, 1)
    assert told(splits.validation) == ["room0", "room7"]
    assert len(splits.validation) == 4
    assert len(splits.train) == 36
    assert not set(told(splits.train)) & {"room0", "room7"}
    assert len(splits.test) == 6
    assert splits.validation_by == "official en-valid stories"
    assert "36 questions to train on, 4 to validate" in splits.summary()


def test_the_official_files_are_read_where_they_are(folder):
    (folder / "en-valid").mkdir()
    (folder / "en-valid" / "qa1_train.txt").write_text(stories(5))
    (folder / "en-valid" / "qa1_valid.txt").write_text(stories(2))
    splits = read_babi_splits(folder, 1)
    assert (len(splits.train), len(splits.validation)) == (10, 4)
    assert splits.validation_by == "official en-valid files"
    assert len({q.id for q in (*splits.train, *splits.validation)}) == 14


def test_else_a_tenth_of_the_stories_whole_and_always_the_same(folder):
    splits = read_babi_splits(folder, 1)
    assert (len(splits.train), len(splits.validation)) == (36, 4)
    assert len(told(splits.validation)) == 2
    assert not set(told(splits.train)) & set(told(splits.validation))
    assert read_babi_splits(folder, 1) == splits
    assert "a tenth of the stories" in splits.validation_by


def test_the_files_may_stand_in_the_folder_itself(folder):
    assert read_babi_splits(folder / "en", 1) == read_babi_splits(folder, 1)


def test_task_1_is_not_task_10(folder):
    assert babi_file(folder, 1, "train").name == "qa1_single_train.txt"
    with pytest.raises(ValueError, match="at least 1. Received: task=0"):
        babi_file(folder, 0, "train")


def test_a_missing_or_doubtful_file_is_named(folder):
    with pytest.raises(FileNotFoundError, match=r"qa2_\*train.txt must be one file"):
        read_babi_splits(folder, 2)
    with pytest.raises(FileNotFoundError, match=r"qa10_\*test.txt"):
        read_babi_splits(folder, 10)
    (folder / "en" / "qa1_copy_train.txt").write_text(stories(2))
    with pytest.raises(FileNotFoundError, match="Received: 2 of that name"):
        read_babi_splits(folder, 1)


@pytest.mark.parametrize(
    "content",
    ['{"2": [1]}', '{"1": []}', '{"1": [20]}', '{"1": [-1]}', '{"1": [true]}', "[1]"],
)
def test_wrong_indices_are_an_error(folder, content):
    path = folder / "en_valid_story_indices.json"
    path.write_text(content)
    with pytest.raises(ValueError, match=re.escape(str(path)) + r".*in 0\.\.19"):
        read_babi_splits(folder, 1)


def test_indices_must_leave_something_to_train_on(folder):
    path = folder / "en_valid_story_indices.json"
    path.write_text(json.dumps({"1": list(range(20))}))
    with pytest.raises(ValueError, match="must leave stories to train on"):
        read_babi_splits(folder, 1)


def test_one_story_cannot_be_divided(folder):
    (folder / "en" / "qa1_single_train.txt").write_text(stories(1))
    with pytest.raises(ValueError, match="at least 2 training stories"):
        read_babi_splits(folder, 1)
