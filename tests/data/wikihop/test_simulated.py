"""Simulated records: of the official form, to be answered by following links alone."""

import json
import re
from collections import Counter
from itertools import pairwise

import pytest

from keras_cgru.data import ReaderDataset
from keras_cgru.data.wikihop.find_mentions import MentionFinder
from keras_cgru.data.wikihop.read_result import read_all
from keras_cgru.data.wikihop.read_wikihop import read_wikihop
from keras_cgru.data.wikihop.record_reader import RecordReader
from keras_cgru.data.wikihop.simulated import record_to_json, simulate_records
from keras_cgru.data.wikihop.simulated_names import NAMES, SURNAMES
from keras_cgru.data.wikihop.splits import load_splits
from keras_cgru.data.wikihop.trivial import wikihop_trivial_accuracies

HOPS = {
    "workplace": r"joined|worked for|to work for",
    "seat": r"office in|moved to|run from",
    "birthplace": r"born in|came from",
    "country": r"belong|part of",
    "river": r"lies on|beside|a port on",
    "author": r"written by|work of",
    "founder": r"founded by|beginning to",
}
PATHS = {
    "country_of_workplace": "workplace seat country",
    "town_of_workplace": "workplace seat",
    "country_of_seat": "seat country",
    "country_of_birth": "birthplace country",
    "river_of_birthplace": "birthplace river",
    "birthplace_of_author": "author birthplace",
    "country_of_author": "author birthplace country",
    "workplace_of_author": "author workplace",
    "town_of_author": "author workplace seat",
    "birthplace_of_founder": "founder birthplace",
    "river_of_founder": "founder birthplace river",
}


@pytest.fixture(scope="module")
def records():
    return simulate_records(2000, 0)


@pytest.fixture(scope="module")
def examples(records):
    result = read_all(records, RecordReader(), "simulated")
    assert result.num_used == result.num_total == len(records)
    assert result.num_dropped_clusters == result.num_unselected_clusters == 0
    return result.examples


def mentioned(record, support, start, end):
    """The clusters mentioned in a stretch of a support, in order."""
    found = sorted(
        (one, number)
        for number, cluster in enumerate(record.mentions)
        for where, one, other in cluster
        if where == support and start <= one and other <= end
    )
    return list(dict.fromkeys(number for _, number in found))


def facts_of(record):
    """Relation, subject and object of all that the sentences say."""
    for support, text in enumerate(record.supports):
        ends = [0, *(m.end() for m in re.finditer(r"(?<!\bSt)\.(?: |$)", text))]
        for start, end in pairwise(ends):
            for relation, pattern in HOPS.items():
                if re.search(pattern, text[start:end]):
                    subject, object = mentioned(record, support, start, end)
                    yield support, relation, subject, object


def named(record, name):
    """The cluster with a mention of this name."""
    return next(
        number
        for number, cluster in enumerate(record.mentions)
        if name in {record.supports[s][start:end].lower() for s, start, end in cluster}
    )


def test_answers_follow_from_facts_in_different_texts(records):
    for record in records[:400]:
        facts = list(facts_of(record))
        entity, seen = named(record, record.head), []
        for hop in PATHS[record.relation].split():
            ((support, entity),) = [
                (where, object)
                for where, relation, subject, object in facts
                if relation == hop and subject == entity
            ]
            seen.append(support)
        assert entity == named(record, record.answer)
        assert len(set(seen)) == len(seen) >= 2


def test_no_text_says_who_it_speaks_of_but_by_pronoun_noun_or_surname(records):
    """So that without links the subject of a fact is not known."""
    subjects = Counter()
    for record in records[:200]:
        for support, _, subject, _ in facts_of(record):
            for where, start, end in record.mentions[subject]:
                if where == support:
                    subjects[record.supports[support][start:end].lower()] += 1
    forms = {"she", "he", "it", "its", "the firm", "the town", "the book"}
    full = sum(n for form, n in subjects.items() if form not in forms)
    # The first sentence names each subject once; surnames make up the rest.
    assert sum(subjects.values()) - full > 0.4 * full
    assert all(subjects[form] for form in forms)


def test_a_name_stands_for_one_entity(records):
    for record in records[:400]:
        owners = {}
        for number, cluster in enumerate(record.mentions):
            for support, start, end in cluster:
                form = record.supports[support][start:end]
                if form[0].isupper() and form not in ("She", "He", "It"):
                    if not form.startswith("The ") or form[4].isupper():
                        assert owners.setdefault(form, number) == number


def test_no_name_holds_another():
    names = [*SURNAMES, *(n for kind in NAMES for n in NAMES[kind])]
    assert len(names) == len(set(names)) > 170
    for name in names:
        finder = MentionFinder(name.replace(".", " .").split())
        for other in set(names) - {name}:
            assert not finder.whole(other.replace(".", " .").split())


def test_no_trivial_answer_is_better_than_chance(examples):
    """Over 2,000 records; a fair draw among five to nine candidates has 0.15."""
    found = wikihop_trivial_accuracies(examples, len(examples), examples)
    assert set(found) == {
        *("random", "most_frequent", "last", "first", "near_head", "majority")
    }
    assert 0.12 < found["random"]["used"] < 0.18
    for name, accuracy in found.items():
        # Extra candidates, of which little is said, leave at least five to guess from.
        assert accuracy["used"] < 0.25, name


def test_trivial_answers_by_hand(make_record):
    record = make_record(
        supports=["Galdovia is old. Belmark and Anna Keller are in Zemlia Belmark."],
        candidates=["zemlia", "galdovia", "belmark"],
    )
    example = RecordReader().read(record).example
    other = RecordReader().read(make_record(answer="belmark")).example
    found = wikihop_trivial_accuracies([example], 2, [example, example, other])
    used = {name: accuracy["used"] for name, accuracy in found.items()}
    assert used.pop("random") == pytest.approx(1 / 3)
    expected = {"most_frequent": 0, "last": 0, "first": 1, "near_head": 0}
    assert used == expected | {"majority": 1}
    assert found["first"]["overall"] == 0.5


def test_records_are_fixed_by_seed_split_and_place(records):
    assert simulate_records(100, 0) == records[:100]
    assert simulate_records(10, 1) != records[:10]
    test = simulate_records(10, 0, "test")
    assert {r.supports for r in test}.isdisjoint({r.supports for r in records})
    assert simulate_records(0, 0) == []
    with pytest.raises(ValueError, match="`num_records` and `seed` must be"):
        simulate_records(-1, 0)


def test_two_questions_are_asked_of_the_same_texts(records):
    for one, other in zip(records[::2], records[1::2], strict=True):
        assert one.supports == other.supports and one.relation != other.relation
    assert len({r.relation for r in records}) == len(PATHS)
    assert len({r.id for r in records}) == len(records)


def test_easier_questions_take_two_facts():
    records = simulate_records(100, 0, max_hops=2)
    assert {len(PATHS[r.relation].split()) for r in records} == {2}
    assert len({r.supports for r in records}) == 50
    with pytest.raises(ValueError, match="`max_hops` must be 2 or 3. Received: 4"):
        simulate_records(1, 0, max_hops=4)


def test_sizes(records, examples):
    assert {len(r.candidates) for r in records} == {5, 6, 7, 8, 9}
    assert {len(r.supports) for r in records} <= {5, 6, 7, 8, 9}
    lengths = [len(e.document) for e in examples]
    assert 100 < min(lengths) and max(lengths) < 260
    several = [len(c) > 1 for e in examples for c in e.candidates]
    assert 0.1 < sum(several) / len(several) < 0.6


def test_all_mentions_are_links(records, examples):
    """Every token of every mention carries its entity's cluster."""
    for record, example in zip(records[:200], examples, strict=False):
        linked = sum(len(cluster) for cluster in record.mentions if len(cluster) > 1)
        tokens = sum(id > 0 for id in example.document_clusters)
        assert tokens >= linked
        assert example.metadata["simulated"] is True


def test_the_official_form_holds_them(records, examples, tmp_path):
    path = tmp_path / "train.json"
    path.write_text(json.dumps([record_to_json(each) for each in records[:20]]))
    assert read_wikihop(path).examples == examples[:20]


def test_simulated_splits(monkeypatch):
    splits = load_splits(simulated=True, train_size=30, limit=40, seed=1)
    assert [
        len(r.examples) for r in (splits.train, splits.validation, splits.test)
    ] == [*(30, 40, 40)]
    assert splits.label == "simulated" and "SIMULATED" in splits.summary()
    other = load_splits(simulated=True, train_size=30, limit=40, seed=2)
    assert other.test.examples == splits.test.examples
    assert {e.id for e in other.train.examples}.isdisjoint(
        {e.id for e in splits.train.examples}
    )
    assert json.dumps(splits.provenance())


def test_buckets_keep_every_example():
    splits = load_splits(simulated=True, train_size=60, limit=60)
    vocabulary, vectors = splits.vocabulary_and_embeddings(0)
    assert vectors.shape[0] == len(vocabulary)
    examples = splits.train.examples
    assert len({len(e.document) for e in examples}) > 20
    dataset = ReaderDataset(examples, vocabulary, splits.layout, 16, shuffle_seed=0)
    rows = [dataset[number] for number in range(len(dataset))]
    assert sum(len(answers) for _, answers in rows) == len(examples)
    assert len({inputs["document"].shape[1] for inputs, _ in rows}) == 1
