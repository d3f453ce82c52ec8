"""Annotations looked up by their texts."""

import pytest

from keras_cgru.coref import Annotation, Document
from keras_cgru.coref.annotating.inputs.stored_annotations import StoredAnnotations
from keras_cgru.coref.formats.parquet import to_table, write_tables

ANN = Annotation(("ann", "saw", "her", "cat"), (((0, 1), (2, 3)),))
BOB = Annotation(("bob", "ran"), ())


@pytest.fixture
def write(tmp_path):
    pytest.importorskip("pyarrow", reason="the extra `recipes` is not installed")

    def to_file(name, *annotations):
        documents = [Document(f"{name}-{n}", a) for n, a in enumerate(annotations)]
        write_tables(tmp_path / name, [to_table(documents)], {})
        return tmp_path / name

    return to_file


def test_a_text_is_found_in_any_file(write):
    stored = StoredAnnotations([write("a.parquet", ANN), write("b.parquet", BOB, ANN)])
    assert stored.resolve(list(ANN.tokens)) == ANN
    assert stored.resolve(BOB.tokens) == BOB


def test_a_text_that_is_not_there_is_named(write):
    path = write("a.parquet", ANN)
    with pytest.raises(ValueError, match=r"a\.parquet.*2 tokens that begins 'bob ran'"):
        StoredAnnotations([path]).resolve(BOB.tokens)


def test_two_annotations_of_one_text_must_agree(write):
    other = Annotation(ANN.tokens, ())
    paths = [write("a.parquet", ANN), write("b.parquet", other)]
    with pytest.raises(ValueError, match=r"b\.parquet: document 'b\.parquet-0' must"):
        StoredAnnotations(paths)
