"""Lists that are read item by item, equal to what the whole file would give."""

import json
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keras_cgru.files import json_list, read_json_list

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@settings(max_examples=150, deadline=None)
@given(st.lists(values, max_size=6), st.integers(1, 40), st.booleans(), st.data())
def test_items_are_those_of_the_whole_list(tmp_path_factory, items, chunk, plain, data):
    text = json.dumps(
        items, ensure_ascii=plain, indent=data.draw(st.sampled_from([None, 1]))
    )
    path = tmp_path_factory.mktemp("list") / "a.json"
    path.write_text(text, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_list, "_CHUNK", chunk)
        assert list(read_json_list(path)) == items


@settings(max_examples=300, deadline=None)
@given(st.text('[]{}",:1.e-tru\\nul \n', max_size=12), st.integers(1, 9))
def test_what_is_no_list_for_json_is_none_here(tmp_path_factory, text, chunk):
    path = tmp_path_factory.mktemp("list") / "a.json"
    path.write_text(text, encoding="utf-8")
    try:
        expected = json.loads(text)
    except ValueError:
        expected = None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_list, "_CHUNK", chunk)
        if isinstance(expected, list):
            assert list(read_json_list(path)) == expected
        else:
            with pytest.raises(ValueError, match=r"a\.json:\d+: must"):
                list(read_json_list(path))


def test_errors_name_the_line(tmp_path):
    path = tmp_path / "a.json"
    path.write_text('[\n{"a": 1},\n{"a" 2}\n]')
    items = read_json_list(path)
    assert next(items) == {"a": 1}
    with pytest.raises(ValueError, match=r"a\.json:3: must be JSON.* item 1"):
        next(items)


def test_memory_does_not_grow_with_the_list(tmp_path):
    path = tmp_path / "a.json"
    item = json.dumps(["x" * 1000] * 10)
    path.write_text(f"[{','.join([item] * 2000)}]")
    assert path.stat().st_size > 20_000_000
    tracemalloc.start()
    try:
        assert sum(1 for _ in read_json_list(path)) == 2000
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 6 * json_list._CHUNK
