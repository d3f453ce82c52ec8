"""What a cell's reader gets to see: coreference, names, answers."""

import dataclasses
import re
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from keras_cgru.data.babi.simulated import simulated_babi_splits

RECIPES = Path(__file__).resolve().parents[2] / "recipes"


@pytest.fixture(scope="module")
def module():
    before = set(sys.modules)
    sys.path.insert(0, str(RECIPES))
    import babi_cell

    yield babi_cell
    sys.path.remove(str(RECIPES))
    for name in set(sys.modules) - before:
        if name.startswith("babi_"):
            del sys.modules[name]


@pytest.fixture(scope="module")
def make(module):
    """`make(task, model, dropped, **training)`: the cell and its examples."""
    from babi_models import SETTINGS

    def cell_and_task(task, model="ga_coref_gru", dropped=0.0, seed=1, **training):
        settings = dataclasses.asdict(SETTINGS["best"]) | training
        cell = module.Cell(model, task, seed, dropped, settings, {})
        return cell, module.make_task(cell, simulated_babi_splits(task).first(50))

    return cell_and_task


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
    model = module.LAST_READER.take(options, cell.training, cell.seed)
    assert len(vocabulary) == 128
    assert model.get_layer("embedding").input_dim == 128
    # Layers in a `Bidirectional`, too.
    assert set(re.findall(r'"num_clusters": (\d+)', model.to_json())) == {"13"}


def test_titles_are_those_of_the_tables():
    from keras_cgru.data.babi.results.task_result import TITLES

    sys.path.insert(0, str(RECIPES))
    try:
        from babi_models import MODELS
    finally:
        sys.path.remove(str(RECIPES))
    assert {name: row.title for name, row in MODELS.items()} == TITLES


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


def test_another_backend_is_refused(make, tmp_path):
    import babi
    import keras

    from keras_cgru.files import write_json

    cell, _ = make(16)
    folder = tmp_path / cell.name
    write_json(folder / "metrics.json", {})
    for backend in (keras.backend.backend(), "other"):
        write_json(folder / "config.json", cell.config() | {"backend": backend})
        if backend == "other":
            with pytest.raises(ValueError, match="finished with backend='other'"):
                babi.is_finished(cell, tmp_path)
        else:
            assert babi.is_finished(cell, tmp_path)


def test_other_tasks_files_do_not_refuse_a_cell(make, tmp_path):
    """A cell is finished whatever tasks are named, unless its own files differ."""
    import babi

    from keras_cgru.files import write_json

    hashes = {"qa1_x_train.txt": "a", "qa16_y_train.txt": "b", "en_valid.json": "c"}
    cell, _ = make(16)

    def asked(**changes):
        data = {"kind": "babi", "sha256": hashes | changes}
        return dataclasses.replace(cell, data=babi.data_of(16, data))

    assert set(asked().data["sha256"]) == {"qa16_y_train.txt", "en_valid.json"}
    folder = tmp_path / cell.name
    folder.mkdir(parents=True)
    write_json(folder / "metrics.json", {})
    everything = {"kind": "babi", "sha256": hashes}
    for stored in (asked(), dataclasses.replace(cell, data=everything)):
        write_json(folder / "config.json", stored.config())
        assert babi.is_finished(asked(), tmp_path)
        assert babi.is_finished(asked(**{"qa1_x_train.txt": "z"}), tmp_path)
        with pytest.raises(ValueError, match="sha256"):
            babi.is_finished(asked(**{"qa16_y_train.txt": "z"}), tmp_path)


def test_an_option_that_an_earlier_version_did_not_have_was_not_used(make, tmp_path):
    import babi

    from keras_cgru.files import write_json

    earlier, _ = make(16)
    folder = tmp_path / earlier.name
    folder.mkdir(parents=True)
    write_json(folder / "metrics.json", {})
    config = earlier.config()
    for name in ("query_words", "word_stddev", "share_memory"):
        del config["training"][name]
    write_json(folder / "config.json", config)
    # The last two were not options then, but had a value.
    as_before = {"query_words": False, "word_stddev": 0.5, "share_memory": "always"}
    assert babi.is_finished(make(16, **as_before)[0], tmp_path)
    others = {"query_words": True, "word_stddev": 0.25, "share_memory": "never"}
    for name, value in others.items():
        with pytest.raises(ValueError, match=name):
            babi.is_finished(make(16, **as_before | {name: value})[0], tmp_path)


def test_cells_of_other_threads_are_refused_and_those_of_unknown_ones_kept(
    make, tmp_path, capsys
):
    import babi

    from keras_cgru.files import write_json

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
                babi.is_finished(asked, tmp_path)
            continue
        assert babi.is_finished(asked, tmp_path)
        babi.say_unknown_threads([asked], tmp_path)
        said = "1 of them, kept as they are, do not say how many threads"
        assert (said in capsys.readouterr().out) is (threads is None)


def test_a_cell_that_another_run_finished_meanwhile_is_not_trained(
    module, make, tmp_path, monkeypatch
):
    import babi

    from keras_cgru.files import write_json

    cell, _ = make(16)
    write_json(tmp_path / cell.name / "config.json", cell.config())
    metrics = {"accuracy_overall": 0.5}
    write_json(tmp_path / cell.name / "metrics.json", metrics)
    trained = {"accuracy_overall": 0.25}
    monkeypatch.setattr(module, "train_cell", lambda *job: trained)
    monkeypatch.setattr("keras_cgru.training.keep_memory", lambda: None)
    assert babi.work((cell, None, tmp_path), print) == metrics
    other, _ = make(16, seed=2)
    assert babi.work((other, None, tmp_path), print) == trained


@pytest.mark.parametrize("told", [False, True])
def test_words_of_the_question_are_told_on_request(module, make, told):
    cell, examples = make(6, units=4, layers=2, query_words=told)
    vocabulary = module.build_vocabulary(examples)
    options = module.reader_options(cell, examples, vocabulary)
    model = module.LAST_READER.take(options, cell.training, cell.seed)
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
    model = module.LAST_READER.take(options, cell.training, cell.seed)
    (vectors,) = model.get_layer("embedding").get_weights()
    assert vectors.std() == pytest.approx(stddev, rel=0.03)


@pytest.mark.parametrize(
    ("num_jobs", "sizes"),
    [(1, [3, 3, 3, 3]), (2, [3] * 4), (3, [2, 1] * 4), (9, [1] * 12)],
)
def test_seeds_of_a_cell_share_a_process_where_all_have_work(make, num_jobs, sizes):
    import babi

    cells = [
        make(task, model, seed=seed)[0]
        for model in ("ga_gru", "ga_coref_gru")
        for task in (1, 6)
        for seed in (1, 2, 3)
    ]
    groups = babi.groups_of(cells, num_jobs)
    assert [cell for group in groups for cell in group] == cells
    assert [len(group) for group in groups] == sizes


def test_no_cells_are_no_groups():
    sys.path.insert(0, str(RECIPES))
    try:
        import babi
    finally:
        sys.path.remove(str(RECIPES))
    assert babi.groups_of([], 2) == []
