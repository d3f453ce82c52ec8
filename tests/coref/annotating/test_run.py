"""Chunks, parts and their folder: what a stop leaves, what a resume does."""

from http.client import RemoteDisconnected
from urllib.error import URLError

import pytest

from keras_cgru.coref import Annotation
from keras_cgru.coref.annotating import read_annotations, read_metadata
from keras_cgru.coref.annotating.engines.worker import Worker
from keras_cgru.coref.annotating.outputs.counts import Counts
from keras_cgru.coref.annotating.outputs.part import Failure, Part, read_part
from keras_cgru.coref.annotating.outputs.part_folder import PartFolder
from keras_cgru.coref.annotating.progress_line import ProgressLine
from keras_cgru.coref.annotating.raw_document import (
    CHUNK_CHARACTERS,
    Chunk,
    RawDocument,
)
from keras_cgru.coref.annotating.resolver_settings import ResolverSettings
from keras_cgru.coref.annotating.run import annotate_parts, assemble, check_form
from keras_cgru.coref.document import Document
from keras_cgru.coref.formats import FORMATS

pytest.importorskip("pyarrow", reason="parts are Arrow files")

JOB = {"resolver": {"name": "exact"}, "sources": [{"name": "a", "sha256": "0"}]}
# Each of four documents fills a chunk.
LONG = "x" * CHUNK_CHARACTERS
DOCUMENTS = [RawDocument(str(i), tokens=("cat", LONG, "cat")) for i in range(4)]


class Engine:
    """Annotates here, and can be made to stop, to fail, or to turn the order."""

    def __init__(self, stop_after=None, failing=(), backwards=False):
        self.stop_after, self.backwards = stop_after, backwards
        self.failing = failing
        self.done = []

    def __call__(self, chunks):
        worker = Worker(ResolverSettings("exact"))
        chunks = list(chunks)
        for number, chunk in enumerate(chunks[::-1] if self.backwards else chunks):
            if number == self.stop_after:
                raise KeyboardInterrupt
            self.done += [raw.id for _, raw in chunk.documents]
            part = worker(chunk)
            failed = [pair for pair in part.documents if pair[1].id in self.failing]
            yield Part(
                part.index,
                tuple(pair for pair in part.documents if pair not in failed),
                tuple(Failure(at, each.id, "no luck") for at, each in failed),
            ).to_bytes()


def run(output, engine, documents=DOCUMENTS, resume=True, job=JOB):
    folder = PartFolder(output, job)
    folder.start(resume)
    size = sum(document.size for document in documents)
    report = annotate_parts(documents, engine, folder, ProgressLine(size))
    if not report.failures:
        assemble(folder, report.num_chunks, output, "parquet", job)
        folder.clear()
    return report


@pytest.fixture
def whole(tmp_path):
    """The bytes of a run that was not stopped."""
    run(tmp_path / "whole", Engine())
    return (tmp_path / "whole").read_bytes()


def test_output_is_in_the_order_of_the_input(tmp_path, whole):
    report = run(tmp_path / "out", Engine(backwards=True))
    assert (tmp_path / "out").read_bytes() == whole
    assert [each.id for each in read_annotations(tmp_path / "out")] == list("0123")
    assert (report.num_documents, report.num_tokens, report.num_chunks) == (4, 12, 4)
    assert not (tmp_path / "out.parts").exists()
    assert read_metadata(tmp_path / "out")["resolver"] == {"name": "exact"}


@pytest.mark.parametrize("stop_after", range(4))
def test_a_stopped_run_goes_on(tmp_path, whole, stop_after):
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path / "out", Engine(stop_after=stop_after))
    assert not (tmp_path / "out").exists()
    engine = Engine()
    report = run(tmp_path / "out", engine)
    assert engine.done == list("0123")[stop_after:]
    assert (report.num_documents, report.tokens_here) == (4, 3 * (4 - stop_after))
    assert (tmp_path / "out").read_bytes() == whole


def test_a_kill_after_the_output_appeared_changes_nothing(tmp_path, whole):
    folder = PartFolder(tmp_path / "out", JOB)
    folder.start(resume=False)
    report = annotate_parts(DOCUMENTS, Engine(), folder, ProgressLine(1))
    assemble(folder, report.num_chunks, tmp_path / "out", "parquet", JOB)
    engine = Engine()
    run(tmp_path / "out", engine)
    assert engine.done == []
    assert (tmp_path / "out").read_bytes() == whole


def test_a_kill_while_the_folder_is_removed_starts_anew(tmp_path, whole):
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path / "out", Engine(stop_after=2))
    (tmp_path / "out.parts" / "job.json").unlink()
    folder = PartFolder(tmp_path / "out", {"other": "settings"})
    assert not folder.is_unfinished
    run(tmp_path / "out", Engine())
    assert (tmp_path / "out").read_bytes() == whole


def test_half_written_files_of_a_kill_do_not_count(tmp_path, whole):
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path / "out", Engine(stop_after=2))
    # As `atomic_write` leaves them when the process dies within.
    (tmp_path / "out.parts" / ".0123.tmp").write_bytes(b"half")
    run(tmp_path / "out", Engine())
    assert (tmp_path / "out").read_bytes() == whole


def test_a_resume_refuses_another_job(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path / "out", Engine(stop_after=2))
    changed = {**JOB, "sources": [{"name": "a", "sha256": "1"}]}
    with pytest.raises(ValueError, match="same sources.*'1'.*Received.*'0'"):
        run(tmp_path / "out", Engine(), job=changed)
    with pytest.raises(ValueError, match="same limit, here 3.*Received.*None"):
        run(tmp_path / "out", Engine(), job={**JOB, "limit": 3})


def test_a_start_without_resume_forgets_the_parts(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path / "out", Engine(stop_after=2))
    engine = Engine()
    run(tmp_path / "out", engine, resume=False, job={**JOB, "limit": 3})
    assert engine.done == list("0123")


def test_a_part_that_others_changed_is_named(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path / "out", Engine(stop_after=2))
    part = tmp_path / "out.parts" / "part-000001.arrow"
    content = part.read_bytes()
    part.write_bytes(content[:100])
    with pytest.raises(ValueError, match="part-000001.arrow: must be a part"):
        run(tmp_path / "out", Engine())
    part.write_bytes((tmp_path / "out.parts" / "part-000000.arrow").read_bytes())
    with pytest.raises(ValueError, match="`index` must be 1. Received: 0"):
        run(tmp_path / "out", Engine())


def test_only_what_failed_is_tried_again(tmp_path):
    documents = [RawDocument(id, tokens=(id, "cat", "cat")) for id in "abcde"]
    run(tmp_path / "whole", Engine(), documents)
    report = run(tmp_path / "out", Engine(failing="bd"), documents)
    assert [failure.id for failure in report.failures] == ["b", "d"]
    assert report.num_documents == 3
    engine = Engine(failing="d")
    report = run(tmp_path / "out", engine, documents)
    assert engine.done == ["b", "d"]
    assert (report.num_documents, report.tokens_here) == (4, 3)
    engine = Engine()
    assert run(tmp_path / "out", engine, documents).failures == []
    assert engine.done == ["d"]
    assert (tmp_path / "out").read_bytes() == (tmp_path / "whole").read_bytes()


def test_one_run_at_a_time(tmp_path):
    pytest.importorskip("fcntl", reason="there are no such locks on Windows")
    with (
        PartFolder(tmp_path / "out", JOB).locked(),
        pytest.raises(ValueError, match="must be one run's at a time"),
        PartFolder(tmp_path / "out", JOB).locked(),
    ):
        pass
    with PartFolder(tmp_path / "out", JOB).locked():
        pass
    assert list(tmp_path.iterdir()) == []


def test_other_forms(tmp_path):
    folder = PartFolder(tmp_path / "out", JOB)
    folder.start(resume=False)
    report = annotate_parts(DOCUMENTS, Engine(), folder, ProgressLine(1))
    assemble(folder, report.num_chunks, tmp_path / "new" / "x", "allennlp", JOB)
    read = FORMATS["allennlp"].read(tmp_path / "new" / "x")
    assert [document.id for document in read] == list("0123")
    assert read[0].annotation.clusters == (((0, 1), (2, 3)),)
    with pytest.raises(ValueError, match="`format` must be one of parquet, allennlp"):
        check_form("xml")


class TestWorker:
    def test_tokens_keep_their_sentences(self):
        raw = RawDocument("a", tokens=("a", "b"), sentence_starts=(0, 1))
        part = Worker(ResolverSettings("exact"))(Chunk(3, ((7, raw),)))
        assert part.index == 3
        expected = Document("a", Annotation(("a", "b"), (), (0, 1)))
        assert part.documents == ((7, expected),)

    def test_unknown_sentences_are_found(self):
        raw = RawDocument("a", tokens=tuple("ann ran . she hid .".split()))
        part = Worker(ResolverSettings("exact"))(Chunk(0, ((0, raw),)))
        assert part.documents[0][1].annotation.sentence_starts == (0, 3)

    def test_another_systems_mentions_are_moved(self):
        found = Annotation("a third - largest x".split(), [[(1, 4), (0, 1), (4, 5)]])
        raw = RawDocument("a", tokens=("a", "third-largest"), found=found)
        part = Worker(None)(Chunk(0, ((0, raw),)))
        assert part.documents[0][1].annotation.clusters == (((0, 1), (1, 2)),)
        assert part.counts == Counts(num_unplaced=1)

    def test_one_document_that_fails_is_named(self, monkeypatch):
        worker = Worker(ResolverSettings("exact"))
        resolve = worker._resolver.resolve

        def fail(tokens, starts):
            if tokens == ("bad",):
                raise OverflowError("too much")
            return resolve(tokens if tokens != ("other",) else ("odd",), starts)

        monkeypatch.setattr(worker._resolver, "resolve", fail)
        raws = [RawDocument(t, tokens=(t,)) for t in ("a", "bad", "other", "b")]
        part = worker(Chunk(0, tuple(enumerate(raws))))
        assert [(at, each.id) for at, each in part.documents] == [(0, "a"), (3, "b")]
        first, second = part.failures
        assert first == Failure(1, "bad", "OverflowError: too much")
        assert second.id == "other" and "the 1 tokens it was given" in second.message

    @pytest.mark.parametrize("sending", [False, True])
    def test_a_document_that_a_server_hangs_up_on_fails_alone(
        self, monkeypatch, sending
    ):
        worker = Worker(ResolverSettings("exact"))
        cut = RemoteDisconnected("closed") if not sending else BrokenPipeError()
        causes = {"cut": URLError(cut) if sending else cut}
        causes["gone"] = URLError(ConnectionRefusedError("refused"))

        def fail(tokens, starts):
            raise ConnectionError("no answer") from causes[tokens[0]]

        monkeypatch.setattr(worker._resolver, "resolve", fail)
        raws = {id: RawDocument(id, tokens=(id,)) for id in causes}
        (failure,) = worker(Chunk(0, ((0, raws["cut"]),))).failures
        assert failure == Failure(0, "cut", "ConnectionError: no answer")
        with pytest.raises(ConnectionError, match="no answer"):
            worker(Chunk(0, ((0, raws["gone"]),)))

    def test_half_a_surrogate_pair_fails_its_document(self):
        raws = [
            RawDocument("a", tokens=("a",)),
            RawDocument("b", tokens=("x", "\ud800")),
            RawDocument("c\udfff", tokens=("a",)),
        ]
        part = Worker(ResolverSettings("exact"))(Chunk(0, tuple(enumerate(raws))))
        assert [each.id for _, each in part.documents] == ["a"]
        first, second = part.failures
        assert (first.id, second.id) == ("b", "c\\udfff")
        assert r"Received: '\ud800' behind 'x'" in first.message
        assert Part.from_bytes(part.to_bytes()) == part

    def test_empty_tokens_have_sentences(self):
        raw = RawDocument("a", tokens=("", ".", "", "b"))
        part = Worker(ResolverSettings("exact"))(Chunk(0, ((0, raw),)))
        assert part.failures == ()

    def test_what_concerns_all_ends_the_work(self, monkeypatch):
        worker = Worker(ResolverSettings("exact"))

        def fail(tokens, starts):
            raise ConnectionError("gone")

        monkeypatch.setattr(worker._resolver, "resolve", fail)
        with pytest.raises(ConnectionError, match="gone"):
            worker(Chunk(0, ((0, RawDocument("a", tokens=("a",))),)))


def test_parts_round_trip():
    part = Part(
        4,
        ((7, Document("ä", Annotation(("x", "x"), [[(0, 1), (1, 2)]]))),),
        (Failure(8, "b", "ValueError: ü"),),
        counts=Counts(3, 2),
        seconds=0.5,
    )
    assert Part.from_bytes(part.to_bytes()) == part
    head, table = read_part(part.to_bytes())
    assert (head["num_tokens"], table.num_rows) == (2, 1)
    with pytest.raises(ValueError, match="must be a part of a run"):
        read_part(b"something else")
