"""Files of the official form, sound and broken."""

import pytest

from keras_cgru.data.wikihop.record import read_records

SAID = [["follows", "multiple"], ["likely", "single"], ["not_follow", ""]]


def test_fields(write_records):
    path = write_records({"annotations": SAID, "more": {"a": [1]}}, {"query": "sport"})
    first, second = read_records(path)
    assert (first.id, first.relation, first.head) == (
        *("WH_0", "country_of_citizenship", "anna keller"),
    )
    assert first.annotations == tuple(map(tuple, SAID))
    assert first.candidates == ("belmark", "galdovia")
    assert first.mentions is None and not first.simulated
    assert (second.relation, second.head, second.annotations) == ("sport", "", ())


def test_a_relation_that_begins_like_the_head(make_record):
    record = make_record(query="sport  sport club tarnow ")
    assert (record.relation, record.head) == ("sport", "sport club tarnow")


MISSING = {
    f"without {name}": ({name: None}, name)
    for name in ("id", "query", "answer", "candidates", "supports")
}
BROKEN = {
    **MISSING,
    "number as id": ({"id": 7}, "id"),
    "empty query": ({"query": " "}, "query"),
    "answer in a list": ({"answer": ["galdovia"]}, "answer"),
    "answer elsewhere": ({"answer": "tarnow"}, "answer"),
    "candidates as text": ({"candidates": "galdovia"}, "candidates"),
    "no candidates": ({"candidates": []}, "candidates"),
    "blank candidate": ({"candidates": ["galdovia", " "]}, "candidates"),
    "number as candidate": ({"candidates": ["galdovia", 3]}, "candidates"),
    "no supports": ({"supports": []}, "supports"),
    "blank supports": ({"supports": ["", " \n"]}, "supports"),
    "number as support": ({"supports": ["a", 3]}, "supports"),
    "half a surrogate": ({"supports": ["a \ud800 b"]}, "supports"),
    "annotations as text": ({"annotations": "follows"}, "annotations"),
    "annotation as text": ({"annotations": ["follows"]}, "annotations"),
    "number as annotation": ({"annotations": [["follows", 1]]}, "annotations"),
    "mentions as text": ({"mentions": "a"}, "mentions"),
    "mention as text": ({"mentions": ["a"]}, "mentions"),
    "mention of no support": ({"mentions": [[[2, 0, 1]]]}, "mentions"),
    "mention too long": ({"mentions": [[[0, 0, 99]]]}, "mentions"),
    "mention of two": ({"mentions": [[[0, 1]]]}, "mentions"),
}


@pytest.mark.parametrize("change, name", BROKEN.values(), ids=BROKEN)
def test_a_broken_record_is_named_with_its_field(write_records, change, name):
    path = write_records({}, change)
    with pytest.raises(ValueError) as caught:
        list(read_records(path))
    message = str(caught.value)
    assert message.startswith(f"{path}: record 1") and f"`{name}` must" in message
    if name != "id":
        assert "('WH_1')" in message


def test_a_missing_key_is_named(write_records):
    path = write_records({})
    path.write_text(path.read_text().replace('"supports"', '"support"'))
    with pytest.raises(ValueError, match=r"record 0 \('WH_0'\): `supports` must be th"):
        list(read_records(path))


CONTENTS = {
    "empty file": b"",
    "empty list": b"[]",
    "object": b'{"id": "a"}',
    "text": b"WH_0",
    "numbers": b"[1, 2]",
    "lists": b"[[]]",
    "not UTF-8": b'["\xff"]',
    "deep": b"[" * 100_000,
}


@pytest.mark.parametrize("content", CONTENTS.values(), ids=CONTENTS)
def test_other_files_are_refused_by_name(tmp_path, content):
    path = tmp_path / "dev.json"
    path.write_bytes(content)
    with pytest.raises(ValueError) as caught:
        list(read_records(path))
    assert str(caught.value).startswith(str(path))


def test_every_cut_of_a_file_is_refused(write_records):
    path = write_records({}, {})
    content = path.read_bytes()
    for length in range(0, len(content), 7):
        path.write_bytes(content[:length])
        with pytest.raises(ValueError, match="dev.json:1: must be"):
            list(read_records(path))


def test_ids_must_differ(write_records):
    path = write_records({}, {}, {"id": "WH_1"})
    with pytest.raises(ValueError, match=r"record 2 \('WH_1'\): `id` must be unique"):
        list(read_records(path))
