"""Long texts in pieces: where they are cut, what they share, how they are joined."""

import random

import numpy as np
import pytest

from keras_cgru.coref import Annotation
from keras_cgru.coref.annotating.engines.worker import Worker
from keras_cgru.coref.annotating.outputs.part import Part, read_part
from keras_cgru.coref.annotating.pieces.cut_pieces import Pieces
from keras_cgru.coref.annotating.pieces.join_pieces import join_pieces
from keras_cgru.coref.annotating.pieces.piece_clusters import PieceClusters
from keras_cgru.coref.annotating.raw_document import RawDocument, split_into_chunks
from keras_cgru.coref.annotating.resolver_settings import ResolverSettings
from keras_cgru.coref.formats.parquet import to_documents
from keras_cgru.coref.resolvers import WindowedResolver
from keras_cgru.coref.text import tokenise

pytest.importorskip("pyarrow", reason="parts are Arrow files")
pytest.importorskip("nltk", reason="running text is tokenised with nltk")

NAMES = "Ann Ben Carla Dan Eve Fred Gina Henry Ida Jack".split()


def story(sentences, paragraph=3, seed=1):
    draw = random.Random(seed)
    text = ""
    for number in range(sentences):
        one, other = draw.sample(NAMES, 2)
        text += f'{one} saw {other}’s hat. "I like it," he said. She didn\'t.'
        text += "\n\n" if number % paragraph == 0 else " "
    return text


def joined(text, pieces, resolver="sieve", jobs=None):
    documents = pieces.of([RawDocument("a", text="x"), RawDocument("b", text=text)])
    worker = Worker(ResolverSettings(resolver))
    parts = (worker(chunk).to_bytes() for chunk in split_into_chunks(documents))
    read = [read_part(part) for part in parts]
    first, last = join_pieces(read)
    (document,) = to_documents(last[1])
    assert document.id == "b" and first[1]["id"].to_pylist() == ["a"]
    return document.annotation, len(read) - 1


def test_the_pieces_are_the_text():
    pieces = Pieces(large=3000, size=2000, shared=300)
    text = story(200)
    cut = list(pieces.of([RawDocument("b", text=text)]))
    assert "".join(each.text for each in cut) == text
    assert [each.piece.number for each in cut] == list(range(len(cut)))
    assert {each.piece.count for each in cut} == {len(cut)}
    for one, other in zip(cut, cut[1:], strict=False):
        assert other.piece.before == one.text[one.piece.shared_from :]
        assert 1 <= len(other.piece.before) and len(one.text) <= 2000
        assert one.text.endswith("\n\n")


@pytest.mark.parametrize("text", ["word. " * 2000, "word " * 2000, "x" * 9000])
def test_without_paragraphs_it_is_cut_all_the_same(text):
    pieces = Pieces(large=3000, size=2000, shared=300)
    cut = [each.text for each in pieces.of([RawDocument("b", text=text)])]
    assert "".join(cut) == text and max(map(len, cut)) <= 2000
    assert all(each.endswith(text[-1]) for each in cut)


def test_short_texts_and_tokens_are_left_whole():
    documents = [RawDocument("a", text="x" * 10), RawDocument("b", tokens=("x",) * 99)]
    assert list(Pieces(large=10, size=5, shared=1).of(documents)) == documents


def test_tokens_and_sentences_are_those_of_the_whole():
    text = story(200)
    annotation, number = joined(text, Pieces(large=3000, size=2000, shared=300))
    assert number > 4
    assert (annotation.tokens, annotation.sentence_starts) == tokenise(text)


def test_clusters_are_joined_as_those_of_windows(monkeypatch):
    """Of the very same stretches: each piece with the end of the one before."""
    pieces, text = Pieces(large=3000, size=2000, shared=300), story(200)
    annotation, _ = joined(text, pieces)
    windows, behind = [], 0
    for each in pieces.of([RawDocument("b", text=text)]):
        before = len(tokenise(each.piece.before)[0])
        end = behind + len(tokenise(each.text)[0])
        windows.append((behind - before, end))
        behind = end
    resolver = WindowedResolver(ResolverSettings("sieve").make(), 1000, 0)
    monkeypatch.setattr(resolver, "_windows", lambda *_: windows)
    expected = resolver.resolve(annotation.tokens, annotation.sentence_starts)
    assert annotation == expected
    reach = [cluster[-1][1] - cluster[0][0] for cluster in annotation.clusters]
    assert max(reach) > max(end - start for start, end in windows)


def test_a_mention_of_two_clusters_joins_nothing_and_equal_clusters_are_one():
    clusters = PieceClusters()
    for owners, starts, shared in (
        ([0, 0, 1, 1], [0, 8, 4, 8], 0),
        ([0, 0, 1], [8, 12, 9], 7),
    ):
        clusters.add(np.array(owners), np.array(starts), np.array(starts) + 1, shared)
    starts, ends, offsets = clusters.joined()
    spans = list(zip(starts.tolist(), ends.tolist(), strict=True))
    found = [tuple(spans[a:b]) for a, b in zip(offsets, offsets[1:], strict=False)]
    assert found == [
        ((0, 1), (8, 9)),
        ((4, 5), (8, 9)),
        ((8, 9), (12, 13)),
        ((9, 10),),
    ]
    assert Annotation(["x"] * 13, found).clusters == tuple(found)


def test_no_cluster_at_all():
    text = "word. " * 1000
    annotation, _ = joined(text, Pieces(large=3000, size=2000, shared=300))
    assert annotation.clusters == () and len(annotation.tokens) == 2000


def test_a_failed_piece_costs_its_document_and_no_other():
    documents = Pieces(large=3000, size=2000, shared=300).of(
        [RawDocument(name, text=story(100)) for name in "ab"]
    )
    worker = Worker(ResolverSettings("exact"))
    parts = [worker(chunk) for chunk in split_into_chunks(documents)]
    parts[1] = Part(parts[1].index, (), (), piece=(*parts[1].piece[:2], 0))
    ((_, table),) = join_pieces(read_part(part.to_bytes()) for part in parts)
    assert table["id"].to_pylist() == ["b"]


def test_who_reads_in_pieces():
    choose = ResolverSettings.choose
    assert Pieces.choose(None) is None
    assert Pieces.choose(choose("exact", {})) is None
    assert Pieces.choose(choose("sieve", {})) == Pieces()
    assert Pieces.choose(choose("corenlp", {})) == Pieces()
    wide = Pieces.choose(choose("exact", {}, 1_000_000))
    assert wide.large == wide.size == 10_000_000 and wide.shared == 1_000_000
