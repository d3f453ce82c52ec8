"""What a cell's reader gets to see: coreference, names, answers."""

import dataclasses
import re
import sys
from collections import Counter
from pathlib import Path

import keras
import numpy as np
import pytest

from keras_cgru.data import DataSource
from keras_cgru.data.babi.load import of_task
from keras_cgru.data.babi.simulated import simulated_babi_splits
from keras_cgru.files import write_json
from keras_cgru.training import RunFolder, cells

RECIPES = Path(__file__).resolve().parents[2] / "recipes"


@pytest.fixture(scope="module")
def module():
    sys.path.insert(0, str(RECIPES))
    import babi_cell

    yield babi_cell
    sys.path.remove(str(RECIPES))
    for name in {"babi", "babi_cell", "babi_training"} & set(sys.modules):
        del sys.modules[name]


@pytest.fixture(scope="module")
def make(module):
    """`make(task, model, dropped, **training)`: the cell and its examples."""

    def cell_and_task(task, model="ga_coref_gru", dropped=0.0, seed=1, **training):
        how = dataclasses.replace(
            sys.modules["babi_training"].SETTINGS["best"], **training
        )
        splits = simulated_babi_splits(task).first(50)
        cell = module.BabiReaderCell(model, splits, seed, dropped, how)
        return cell, module.make_task(cell)

    return cell_and_task


@pytest.fixture
def is_finished(tmp_path):
    """Whether the cell is there, in `tmp_path`."""
    return lambda cell: cells.is_finished(cell, RunFolder(tmp_path / cell.name))


def ids(example):
    return example.document_clusters + example.query_clusters


def test_dropped_mentions_lose_their_cluster(make):
    _, whole = make(2)
    _, half = make(2, dropped=0.5)
    _, nothing = make(2, dropped=1.0)
    mentions = [sum(map(bool, ids(e))) for e in whole.test.examples]
    for split in ("train", "validation", "test"):
        pairs = zip(
            getattr(whole, split).examples, getattr(half, split).examples, strict=True
        )
        for before, after in pairs:
            assert all(
                new in (0, old)
                for new, old in zip(ids(after), ids(before), strict=True)
            )
    left = [sum(map(bool, ids(e))) for e in half.test.examples]
    assert sum(left) == pytest.approx(sum(mentions) / 2, rel=0.05)
    assert not any(any(ids(e)) for e in nothing.test.examples)


def test_random_links_are_as_many_and_the_same_for_every_seed(make):
    _, gold = make(2)
    _, drawn = make(2, "ga_random_gru")
    _, other_seed = make(2, "ga_random_gru", seed=2)
    assert drawn.test.examples == other_seed.test.examples
    for before, after in zip(gold.test.examples, drawn.test.examples, strict=True):
        assert Counter(ids(before)) == Counter(ids(after))
    changed = [
        ids(a) != ids(b)
        for a, b in zip(gold.test.examples, drawn.test.examples, strict=True)
    ]
    assert np.mean(changed) > 0.9


@pytest.mark.parametrize("task", [6, 15])
def test_the_sieve_links_in_place_of_equal_words(make, task):
    _, equal = make(task)
    _, found = make(task, resolver="sieve")
    for split in ("train", "validation", "test"):
        pairs = zip(
            getattr(equal, split).examples, getattr(found, split).examples, strict=True
        )
        for before, after in pairs:
            assert len(after.document_clusters) == len(after.document)
            assert len(after.query_clusters) == len(after.query)
            assert (
                dataclasses.replace(
                    after,
                    document_clusters=before.document_clusters,
                    query_clusters=before.query_clusters,
                )
                == before
            )
    sieved = [ids(example) for example in found.test.examples]
    assert sieved != [ids(example) for example in equal.test.examples]
    assert sum(map(any, sieved)) > len(sieved) / 2


@pytest.mark.parametrize("names", ["any", "same_kind", "unknown_names"])
@pytest.mark.parametrize("task", [2, 8])
def test_only_names_that_are_no_answers_change(module, make, task, names):
    """Task 2 points at its answers, task 8 has a softmax over them."""
    options = {} if names == "any" else {names: True}
    cell, examples = make(task, **options)
    kind_of = {name: kind for kind in examples.kinds for name in kind}
    vocabulary = module.build_vocabulary(examples)
    dataset = module.dataset(cell, examples, vocabulary, "train")
    words = {vocabulary.id_of(word): word for word in vocabulary.words}
    changed, other_kinds = set(), 0
    for epoch in range(5):
        dataset.set_epoch(epoch)
        for index in range(len(dataset)):
            inputs = dataset[index][0]
            for row, chosen in enumerate(dataset._fill(dataset._chunks[index])):
                text = examples.train.examples[chosen].document
                served = inputs["document"][row][: len(text)].tolist()
                for old, new in zip(text, served, strict=True):
                    word = words.get(new, "unknown")
                    if word != old:
                        changed |= {old, word}
                        other_kinds += kind_of[old] != kind_of.get(word)
    assert (other_kinds == 0) == (names == "same_kind")
    if names == "unknown_names":
        assert "unknown" in changed
        changed.remove("unknown")
    assert changed <= examples.entities
    answers = {word for answer in examples.classes for word in answer}
    assert changed & answers if task == 2 else not changed & answers


def test_validation_and_test_are_served_as_they_are(module, make):
    cell, examples = make(2)
    vocabulary = module.build_vocabulary(examples)
    for split in ("validation", "test"):
        assert module.dataset(cell, examples, vocabulary, split).transform is None


@pytest.mark.parametrize("task", [1, 19])
def test_vocabulary_and_clusters_have_one_size_for_all_tasks(module, make, task):
    cell, examples = make(task, units=4, layers=1)
    vocabulary = module.build_vocabulary(examples)
    options = module.reader_options(cell, examples, vocabulary)
    model = module.build(options, cell.training, cell.seed)
    assert len(vocabulary) == 128
    assert model.get_layer("embedding").input_dim == 128
    # Layers in a `Bidirectional`, too.
    assert set(re.findall(r'"num_clusters": (\d+)', model.to_json())) == {"13"}


def test_test_questions_change_no_training_batch(module, make):
    cell, examples = make(2)
    longest = max(examples.test.examples, key=lambda e: len(e.document))
    times = 2 + 2000 // len(longest.document)
    # Longer than all others, by far.
    long = dataclasses.replace(
        longest,
        document=longest.document * times,
        document_clusters=longest.document_clusters * times,
    )
    others = dataclasses.replace(
        examples,
        test=dataclasses.replace(
            examples.test, examples=(long,) * len(examples.test.examples)
        ),
    )
    vocabulary = module.build_vocabulary(examples)
    for split in ("train", "validation"):
        was, now = (
            module.dataset(cell, task, vocabulary, split) for task in (examples, others)
        )
        assert was.shapes == now.shapes
        np.testing.assert_array_equal(was.order, now.order)
    served = module.dataset(cell, others, vocabulary, "test")
    assert max(shape.document_length for _, shape in served.shapes) >= 2000


def test_another_backend_is_refused(make, tmp_path, is_finished):
    cell, _ = make(16)
    folder = tmp_path / cell.name
    write_json(folder / "metrics.json", {})
    for backend in (keras.backend.backend(), "other"):
        write_json(folder / "config.json", cell.config() | {"backend": backend})
        if backend == "other":
            with pytest.raises(ValueError, match="finished with backend='other'"):
                is_finished(cell)
        else:
            assert is_finished(cell)


def test_other_tasks_files_do_not_refuse_a_cell(make, tmp_path, is_finished):
    """A cell is finished whatever tasks are named, unless its own files differ."""
    hashes = {"qa1_x_train.txt": "a", "qa16_y_train.txt": "b", "en_valid.json": "c"}
    roles = ("qa1 train", "qa16 train", "validation stories")
    files = dict(zip(roles, map(Path, hashes), strict=True))
    cell, _ = make(16)

    def asked(**changes):
        source = DataSource("data-dir", Path(), files, hashes | changes, name="babi")
        splits = dataclasses.replace(cell.splits, source=of_task(source, 16))
        return dataclasses.replace(cell, splits=splits)

    data = asked().config()["data"]
    assert set(data["sha256"]) == {"qa16_y_train.txt", "en_valid.json"}
    folder = tmp_path / cell.name
    write_json(folder / "metrics.json", {})
    # Earlier versions kept the hashes of all tasks' files.
    for stored in (data, data | {"sha256": hashes}):
        write_json(folder / "config.json", cell.config() | {"data": stored})
        assert is_finished(asked())
        assert is_finished(asked(**{"qa1_x_train.txt": "z"}))
        with pytest.raises(ValueError, match="sha256"):
            is_finished(asked(**{"qa16_y_train.txt": "z"}))


def test_an_option_that_an_earlier_version_did_not_have_was_not_used(
    make, tmp_path, is_finished
):
    earlier, _ = make(16)
    folder = tmp_path / earlier.name
    write_json(folder / "metrics.json", {})
    config = earlier.config()
    for name in ("query_words", "word_stddev", "share_memory"):
        del config["training"][name]
    write_json(folder / "config.json", config)
    # The last two were not options then, but had a value.
    as_before = {"query_words": False, "word_stddev": 0.5, "share_memory": "always"}
    assert is_finished(make(16, **as_before)[0])
    others = {"query_words": True, "word_stddev": 0.25, "share_memory": "never"}
    for name, value in others.items():
        with pytest.raises(ValueError, match=name):
            is_finished(make(16, **as_before | {name: value})[0])


def test_cells_of_other_threads_are_refused_and_those_of_unknown_ones_kept(
    make, tmp_path, capsys
):
    cell, _ = make(16)
    write_json(tmp_path / cell.name / "metrics.json", {})
    asked = dataclasses.replace(cell, threads=1)
    for threads in (1, 2, None):
        config = asked.config() | {"threads": threads}
        if threads is None:  # Of a version that had as many as cores.
            del config["threads"]
        write_json(tmp_path / cell.name / "config.json", config)
        if threads == 2:
            with pytest.raises(ValueError, match="finished with threads=2"):
                cells.unfinished_cells([asked], tmp_path)
            continue
        assert cells.unfinished_cells([asked], tmp_path) == []
        said = "1 of them, kept as they are, do not say how many threads"
        assert (said in capsys.readouterr().out) is (threads is None)


@pytest.mark.parametrize(
    ("arguments", "patience", "average"),
    [
        ("", 8, None),
        ("--patience None", None, None),
        ("--setting paper", 5, None),
        ("--average 0.9 --setting=paper --patience None", None, 0.9),
        ("--average None --patience 3", 3, None),
    ],
)
def test_left_out_and_off_differ(module, monkeypatch, arguments, patience, average):
    import babi

    monkeypatch.setattr(sys, "argv", ["babi.py", *arguments.split()])
    seen = []
    monkeypatch.setattr(babi, "run", lambda settings: seen.append(settings.training))
    assert babi.main() == 0
    setting = "paper" if "paper" in arguments else "best"
    assert seen == [
        dataclasses.replace(
            sys.modules["babi_training"].SETTINGS[setting],
            patience=patience,
            average=average,
        )
    ]


@pytest.mark.parametrize("told", [False, True])
def test_words_of_the_question_are_told_on_request(module, make, told):
    cell, examples = make(6, units=4, layers=2, query_words=told)
    vocabulary = module.build_vocabulary(examples)
    options = module.reader_options(cell, examples, vocabulary)
    model = module.build(options, cell.training, cell.seed)
    names = [layer.name for layer in model.layers]
    assert ("in_query" in names) is told


@pytest.mark.parametrize(
    ("model", "task", "asked", "shared"),
    [
        ("ga_coref_gru", 1, "always", True),
        ("ga_coref_gru", 6, "always", True),
        ("ga_coref_gru", 1, "softmax", False),
        ("ga_coref_gru", 6, "softmax", True),
        ("ga_coref_gru", 6, "never", False),
        ("ga_random_gru", 1, "always", True),
        ("ga_gru", 6, "always", False),
    ],
)
def test_a_memory_is_shared_on_request(module, make, model, task, asked, shared):
    cell, examples = make(task, model, share_memory=asked)
    vocabulary = module.build_vocabulary(examples)
    assert module.reader_options(cell, examples, vocabulary)["share_memory"] is shared


@pytest.mark.parametrize("stddev", [0.1, 0.5])
def test_word_vectors_are_as_wide_as_asked_for(module, make, stddev):
    cell, examples = make(1, units=4, layers=1, word_stddev=stddev)
    vocabulary = module.build_vocabulary(examples)
    options = module.reader_options(cell, examples, vocabulary)
    model = module.build(options, cell.training, cell.seed)
    (vectors,) = model.get_layer("embedding").get_weights()
    assert vectors.std() == pytest.approx(stddev, rel=0.03)


@pytest.mark.parametrize(
    ("num_jobs", "sizes"),
    [(1, [3, 3, 3, 3]), (2, [3] * 4), (3, [2, 1] * 4), (9, [1] * 12)],
)
def test_seeds_of_a_cell_share_a_process_where_all_have_work(make, num_jobs, sizes):
    grid = [
        make(task, model, seed=seed)[0]
        for model in ("ga_gru", "ga_coref_gru")
        for task in (1, 6)
        for seed in (1, 2, 3)
    ]
    groups = cells.groups_of(grid, num_jobs)
    assert [cell for group in groups for cell in group] == grid
    assert [len(group) for group in groups] == sizes


def test_no_cells_are_no_groups():
    assert cells.groups_of([], 2) == []
