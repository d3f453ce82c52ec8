import gzip
import json
import re

import pytest

from keras_cgru.inspection import (
    read_readings,
    reading_from_json,
    reading_to_json,
    write_readings,
)


def test_json_gives_the_same_reading_back(story, hostile):
    for reading in (story, hostile):
        text = json.dumps(reading_to_json(reading), allow_nan=False)
        assert reading_from_json(json.loads(text)) == reading


def test_the_form_is_plain(story):
    entry = reading_to_json(story)
    assert entry["document"]["clusters"][:4] == [1, 0, 2, 2]
    assert entry["document"]["alpha"][0]["layer"] == "1"
    assert entry["document"]["alpha"][0]["weights"][4:6] == [None, 0.25]
    assert entry["answers"][0] == {
        "tokens": ["anna"],
        "probability": 0.4,
        "positions": [9, 11],
    }


def test_a_file_gives_the_same_readings_back(tmp_path, story, hostile):
    path = tmp_path / "readings.jsonl"
    write_readings(path, [story, hostile])
    assert list(read_readings(path)) == [story, hostile]


def test_a_compressed_file_gives_them_back_too_and_is_always_the_same(
    tmp_path, story, hostile
):
    path, again = tmp_path / "readings.jsonl.gz", tmp_path / "again.jsonl.gz"
    for each in (path, again):
        write_readings(each, [story, hostile])
    assert list(read_readings(path)) == [story, hostile]
    assert path.read_bytes() == again.read_bytes()
    write_readings(tmp_path / "plain.jsonl", [story, hostile])
    plain = (tmp_path / "plain.jsonl").read_bytes()
    assert gzip.decompress(path.read_bytes()) == plain


@pytest.mark.parametrize("damage", ["cut", "no gzip", "flipped"])
def test_a_damaged_compressed_file_is_named(tmp_path, story, damage):
    path = tmp_path / "readings.jsonl.gz"
    write_readings(path, [story] * 50)
    content = bytearray(path.read_bytes())
    if damage == "cut":
        del content[-60:]
    elif damage == "no gzip":
        content[:] = b'{"id": "a"}'
    else:
        content[len(content) // 2] ^= 255
    path.write_bytes(content)
    with pytest.raises(ValueError, match=re.escape(f"{path}:")):
        list(read_readings(path))
    with pytest.raises(FileNotFoundError):
        list(read_readings(tmp_path / "none.jsonl.gz"))


def test_only_id_and_document_are_needed():
    reading = reading_from_json({"id": "a", "document": {"tokens": ["x"]}, "new": 1})
    assert reading.document.clusters == ((),)
    assert (reading.answers, reading.gold, reading.query.tokens) == ((), None, ())


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("[]", "`reading` must be a JSON object"),
        ("{", "Expecting property name"),
        ('{"id": "a"}', "`reading` must have `id` and `document`"),
        ('{"id": "a", "document": {}}', "`document` must have `tokens`"),
        ('{"id": "a", "document": 1}', "`document` must be a JSON object"),
        (
            '{"id": "a", "document": {"tokens": ["x"], "alpha": [{"layer": 1}]}}',
            "`alpha` must be a list of objects with layer, direction, weights",
        ),
        (
            '{"id": "a", "document": {"tokens": ["x"]}, "answers": [{"tokens": []}]}',
            "`answers` must have `tokens` and `probability` each",
        ),
        (
            '{"id": "a", "document": {"tokens": ["x"]}, "answers": 3}',
            "`answers` must be a list",
        ),
    ],
)
def test_a_broken_line_is_named(tmp_path, line, message):
    path = tmp_path / "readings.jsonl"
    good = '{"id": "a", "document": {"tokens": ["x"]}}'
    path.write_text(f"{good}\n{line}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=message) as caught:
        list(read_readings(path))
    assert str(caught.value).startswith(f"{path}:2: ")
