"""Which records are trained on, held out and tested."""

import json
import tracemalloc

import pytest

from keras_cgru.coref import ExactMatchResolver
from keras_cgru.data.wikihop.choose_records import choose_records
from keras_cgru.data.wikihop.splits import load_splits

IDS = [f"WH_train_{n}" for n in range(2000)]


def test_records_are_held_out_by_their_names():
    chosen = choose_records(IDS)
    assert sorted(chosen.train + chosen.validation) == sorted(IDS)
    assert 60 < len(chosen.validation) < 140
    assert list(chosen.train) == [id for id in IDS if id in set(chosen.train)]
    backwards = choose_records(IDS[::-1], seed=5)
    assert set(backwards.validation) == set(chosen.validation)
    # Of a part of the file, the same ones as far as they are there.
    half = choose_records(IDS[:1000]).validation
    assert set(half) == set(chosen.validation) & set(IDS[:1000])


def test_a_sample_is_the_seed_s_and_grows():
    small, large = (choose_records(IDS, n, seed=1) for n in (100, 500))
    assert len(small.train) == 100 and set(small.train) < set(large.train)
    assert small.validation == large.validation
    other = choose_records(IDS, 100, seed=2)
    assert 0 < len(set(other.train) & set(small.train)) < 30
    assert set(choose_records(IDS[::-1], 100, seed=1).train) == set(small.train)


def test_validation_can_be_smaller():
    whole, part = (choose_records(IDS, validation_size=n) for n in (None, 10))
    assert len(part.validation) == 10
    assert set(part.validation) < set(whole.validation) and part.train == whole.train


ARGUMENTS = {
    "train_size": ({"train_size": 0}, "`train_size` must be at least 1"),
    "too many": ({"train_size": 2000}, "`train_size` must be at most 1,8"),
    "validation_size": ({"validation_size": 0}, "`validation_size` must be at least"),
    "seed": ({"seed": -1}, "`seed` must be at least 0"),
}


@pytest.mark.parametrize("change, message", ARGUMENTS.values(), ids=ARGUMENTS)
def test_sizes_are_checked(change, message):
    with pytest.raises(ValueError, match=message):
        choose_records(IDS, **change)
    with pytest.raises(ValueError, match="at least 2 training records"):
        choose_records(IDS[:1])


@pytest.fixture
def folder(write_records, tmp_path, monkeypatch):
    monkeypatch.delenv("KERAS_CGRU_DATA", raising=False)
    train = [{"id": id} for id in IDS[:40]]
    train[7]["supports"] = ["Nothing."]
    (tmp_path / "wikihop").mkdir()
    write_records(*train, name="wikihop/train.json")
    write_records({}, {"supports": ["Nothing."]}, name="wikihop/dev.json")
    return tmp_path


def test_the_development_file_is_the_test(folder):
    splits = load_splits(folder)
    assert {e.id for e in splits.test.examples} == {"WH_0"}
    assert (splits.test.num_used, splits.test.num_total) == (1, 2)
    assert splits.train.num_total + splits.validation.num_total == 40
    assert splits.label == "wikihop-unofficial"
    text = splits.summary()
    assert "train.json has 40 records, not 43,738" in text
    assert "test (the development file): kept 1 of 2 (1 x no candidate" in text
    provenance = json.loads(json.dumps(splits.provenance()))
    assert set(provenance["sha256"]) == {"train.json", "dev.json"}
    assert provenance["counts"]["test_total"] == 2
    assert provenance["reading"]["max_tokens"] == 2200


@pytest.mark.parametrize("inner", ["", "wikihop"])
def test_the_inner_folder_is_found_too(folder, inner):
    assert load_splits(folder / inner).test.num_total == 2


def test_masked_files_are_others(folder):
    with pytest.raises(FileNotFoundError, match="train.masked.json"):
        load_splits(folder, masked=True)
    for split in ("train", "dev"):
        path = folder / "wikihop" / f"{split}.json"
        path.rename(path.with_name(f"{split}.masked.json"))
    assert load_splits(folder, masked=True).label == "wikihop-masked-unofficial"


def test_only_sampled_records_are_resolved(folder):
    asked = []

    class Resolver(ExactMatchResolver):
        def resolve(self, tokens, sentence_starts=None):
            asked.append(tokens)
            return super().resolve(tokens, sentence_starts)

    splits = load_splits(folder, train_size=5, seed=3, resolver=Resolver())
    assert splits.train.num_total == 5
    used = (splits.train, splits.validation, splits.test)
    assert len(asked) == sum(result.num_used for result in used)
    again = load_splits(folder, train_size=5, seed=3)
    assert [e.id for e in again.train.examples] == [e.id for e in splits.train.examples]


def test_clusters_of_another_resolver_are_selected_when_reading(folder):
    splits = load_splits(folder, train_size=5)
    with pytest.raises(ValueError, match="`resolver` must be given to `load_splits`"):
        splits.with_clusters(ExactMatchResolver())
    gone = splits.with_clusters(dropped_mentions=1.0)
    assert not any(any(e.document_clusters) for e in gone.examples)
    assert any(any(e.document_clusters) for e in splits.examples)


def test_a_broken_file_is_named(folder):
    path = folder / "wikihop" / "dev.json"
    path.write_text(path.read_text()[:-20])
    with pytest.raises(ValueError, match="dev.json:1: must"):
        load_splits(folder)


def test_memory_is_bounded_by_the_sample(write_records, tmp_path, monkeypatch):
    monkeypatch.delenv("KERAS_CGRU_DATA", raising=False)
    text = "Galdovia is here. " + "It is a long text. " * 500
    write_records(*({"supports": [text]} for _ in range(2000)), name="train.json")
    write_records({}, name="dev.json")
    assert (tmp_path / "train.json").stat().st_size > 15_000_000
    arguments = {"train_size": 2, "validation_size": 2, "max_tokens": 100}
    load_splits(tmp_path, **arguments)  # What is loaded once, such as word lists.
    tracemalloc.start()
    try:
        load_splits(tmp_path, **arguments)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 8_000_000
