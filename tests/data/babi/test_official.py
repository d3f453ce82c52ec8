"""The official files, where `KERAS_CGRU_DATA` names them."""

import os
from pathlib import Path

import pytest

from keras_cgru.coref.text.inflection import singular
from keras_cgru.data.babi.examples import babi_examples
from keras_cgru.data.babi.source import ALL_TASKS, FOLDER, find_babi
from keras_cgru.data.babi.splits import read_babi_splits

# "Half of the tasks in this dataset are extractive", says the paper.
EXTRACTIVE = {1, 2, 3, 4, 5, 11, 12, 13, 14, 16}
# "The maximum number of coreference clusters across all tasks".
PAPER_CLUSTERS = 13


@pytest.fixture(scope="module")
def folder():
    named = os.environ.get("KERAS_CGRU_DATA", "")
    if not named:
        pytest.skip("KERAS_CGRU_DATA is not set: the official files are not here")
    if not (Path(named) / FOLDER).is_dir():
        pytest.skip(f"KERAS_CGRU_DATA={named} holds no {FOLDER}/")
    return find_babi(named).folder


@pytest.fixture(scope="module")
def splits(folder):
    return {task: read_babi_splits(folder, task) for task in ALL_TASKS}


@pytest.fixture(scope="module")
def tasks(splits):
    return {task: babi_examples(each) for task, each in splits.items()}


def test_a_thousand_questions_each(splits):
    for each in splits.values():
        assert len(each.train) + len(each.validation) == 1000
        assert 95 <= len(each.validation) <= 100
        assert len(each.test) == 1000
        assert each.validation_by == "official en-valid stories"


def test_supports_are_found_in_every_story(splits):
    for each in splits.values():
        for question in (*each.train, *each.validation, *each.test):
            assert question.supports
            assert max(question.support_sentences) < len(question.story)


def test_half_of_the_tasks_are_extractive(tasks):
    heads = {task for task, each in tasks.items() if each.head == "attention_sum"}
    assert heads == EXTRACTIVE


def test_no_passage_has_more_clusters_than_the_paper_says(tasks):
    assert max(each.max_clusters for each in tasks.values()) == PAPER_CLUSTERS


def test_one_list_of_the_test_file_is_no_training_class(tasks):
    skipped = {task: dict(each.test.skipped) for task, each in tasks.items()}
    assert skipped.pop(8) == {"answer is no training class": 1}
    assert not any(skipped.values())


def test_that_list_is_made_of_training_words(splits):
    task = babi_examples(splits[8], by_word=True)
    assert task.test.num_used == 1000
    assert task.answer_length == 3


def test_inflection_is_what_task_15_lacked(splits, tasks):
    assert tasks[15].head == "softmax"
    animals = {"mouse", "wolf", "cat", "sheep"}
    task = babi_examples(splits[15], normalise=singular, normalise_text=True)
    assert task.head == "attention_sum"
    assert {answer for (answer,) in task.classes} == animals
    assert task.test.num_used == 1000
