"""The reader: what is used, what is skipped and why, and what is refused."""

import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keras_cgru.coref import PUNCTUATION, Annotation, ExactMatchResolver
from keras_cgru.data import UnusablePassage
from keras_cgru.data.lambada import read_lambada, split_passage
from keras_cgru.files import read_lines

# Ten passages of which two have an answer that the text does not name.
TEN = """\
tom met ann . she liked tom
tom fed the dog . `` good , '' said tom
`` who is there ? '' asked ann . nobody answered ann
the lamp was lit . then tom put out the lamp
the lamp was lit . then tom went out with ann
it was cold . tom and ann lit the fire . soon the smoke rose from the fire
ann sang a song . tom did n't like the song
ann sang . tom closed the window
` go , ' said tom . ' i ca n't , ' said ann . tom sighed and looked at ann
the king slept . the guards watched the king
"""


@pytest.fixture
def write(tmp_path):
    def write_file(content, name="passages.txt"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write_file


def test_split_passage():
    document, query, answer = split_passage("tom met ann . she liked tom".split())
    assert document == ("tom", "met", "ann", ".")
    assert query == ("she", "liked")
    assert answer == "tom"


@pytest.mark.parametrize(
    ("passage", "reason"),
    [
        ("tom met ann", "one sentence only"),
        ("tom", "one sentence only"),
        ("tom met ann . tom", "empty query"),
    ],
)
def test_a_passage_that_cannot_be_split_says_why(passage, reason):
    with pytest.raises(UnusablePassage, match=reason) as error:
        split_passage(passage.split())
    assert error.value.reason == reason


def test_an_example_by_hand(write):
    path = write("tom met ann and the dog . she liked tom\n")
    (example,) = read_lambada(path, ExactMatchResolver(), split="development").examples
    assert example.id == "development-00000"
    assert example.document == tuple("tom met ann and the dog .".split())
    assert example.query == ("she", "liked")
    assert example.candidates == (("tom",), ("met",), ("ann",), ("dog",))
    assert example.answer == ("tom",)
    assert example.metadata["passage"] == 0
    # The answer is a second "tom", but the resolver does not see it.
    assert example.document_clusters == (0,) * 7
    assert example.query_clusters == (0, 0)


def test_clusters_run_over_document_and_query(write):
    path = write("tom met ann . ann liked dogs and tom met tom\n")
    (example,) = read_lambada(path, ExactMatchResolver()).examples
    assert example.document_clusters == (1, 2, 3, 0)
    assert example.query_clusters == (3, 0, 0, 0, 1, 2)


def test_clusters_are_limited_and_the_dropped_counted(write):
    path = write("tom met ann . ann liked tom and tom met tom\n")
    result = read_lambada(path, ExactMatchResolver(), num_clusters=1)
    (example,) = result.examples
    assert example.document_clusters == (1, 0, 0, 0)
    assert example.query_clusters == (0, 0, 1, 0, 1, 0)
    assert result.num_dropped_clusters == 2


def test_the_resolver_never_sees_the_answer(write):
    class Spy:
        seen = []

        def resolve(self, tokens, sentence_starts=None):
            self.seen.append(tuple(tokens))
            return Annotation(tokens)

    read_lambada(write("tom met ann . she liked tom\n"), Spy())
    assert Spy.seen == [tuple("tom met ann . she liked".split())]


def test_a_resolver_that_changes_the_tokens_is_refused(write):
    class Other:
        def resolve(self, tokens, sentence_starts=None):
            return Annotation(tokens[1:])

    message = r"test-00000: the resolver must .* given \(6\). Received: 5 tokens"
    with pytest.raises(ValueError, match=message):
        read_lambada(write("tom met ann . she liked tom\n"), Other())


def test_both_denominators_and_the_reasons(write):
    result = read_lambada(write(TEN))
    assert (result.num_used, result.num_total) == (8, 10)
    assert result.skipped == {"answer not in document": 2}
    assert result.summary() == "kept 8 of 10 (2 x answer not in document)"
    assert result.text_version == "tokenised"
    assert [example.metadata["passage"] for example in result.examples] == [
        *(0, 1, 2, 3),
        *(5, 6),
        *(8, 9),
    ]
    assert result.examples[4].id == "test-00005"


def test_every_reason_is_counted(write):
    lines = [
        "tom met ann",
        "tom met ann . tom",
        "tom saw her . he liked her",
        "tom met ann . she liked dogs",
        "tom met ann . she liked tom",
    ]
    assert read_lambada(write("\n".join(lines))).skipped == {
        "answer is a stop word": 1,
        "answer not in document": 1,
        "empty query": 1,
        "one sentence only": 1,
    }
    result = read_lambada(write("\n".join(lines)), stop_words=PUNCTUATION)
    assert "answer is a stop word" not in result.skipped
    assert ("her",) in result.examples[0].candidates


def test_a_limit_reads_from_the_start(write):
    result = read_lambada(write(TEN), limit=5)
    assert (result.num_used, result.num_total) == (4, 5)
    assert read_lambada(write(TEN), limit=50).num_total == 10
    with pytest.raises(ValueError, match="`limit` must be at least 1. .*limit=0"):
        read_lambada(write(TEN), limit=0)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_blank_lines_and_a_missing_end(write, end):
    content = end + TEN.strip().replace("\n", end + " " + end)
    assert read_lambada(write(content)).examples == read_lambada(write(TEN)).examples


@pytest.mark.parametrize("separator", ["\u2028", "\u0085", "\x0b", "\x0c", "\x1c"])
def test_other_separators_do_not_end_a_passage(write, separator):
    path = write(f"tom met{separator}ann . she liked tom\n")
    (example,) = read_lambada(path).examples
    assert example.document == ("tom", "met", "ann", ".")


def test_a_byte_order_mark_is_no_part_of_the_first_word(write):
    path = write(b"\xef\xbb\xbf" + TEN.encode())
    assert read_lambada(path).examples[0].document[0] == "tom"


@pytest.mark.parametrize("content", [b"", b"\n \r\n\n"])
def test_a_file_without_a_passage_is_refused(write, content):
    path = write(content)
    with pytest.raises(ValueError, match="must hold one passage a line") as error:
        read_lambada(path)
    assert str(path) in str(error.value)


@pytest.mark.parametrize(
    ("bad", "message"),
    [(b"\xff", "must be UTF-8. Received: byte 0xff at column 5"), (b"\0", "NUL")],
)
def test_bytes_that_are_no_text_are_refused_with_their_line(write, bad, message):
    path = write(b"tom met ann . she liked tom\r\n\rtom " + bad + b"\n")
    with pytest.raises(ValueError, match=message) as error:
        read_lambada(path)
    assert str(error.value).startswith(f"{path}:3: ")


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere.txt"):
        read_lambada(tmp_path / "nowhere.txt")


def test_the_locale_does_not_matter(write):
    path = write("zoë met élan . she liked zoë\n")
    code = (
        "import sys; from keras_cgru.data.lambada.passages import read_lambada; "
        "print(ascii(read_lambada(sys.argv[1]).examples[0].answer[0]))"
    )
    environment = os.environ | {"LC_ALL": "C", "PYTHONUTF8": "0"}
    environment["PYTHONPATH"] = os.pathsep.join(sys.path)
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)],
        env=environment,
        capture_output=True,
        check=True,
        text=True,
    )
    assert done.stdout.strip() == ascii("zoë")


@given(st.lists(st.text(st.characters(exclude_characters="\r\n\0", codec="utf-8"))))
def test_lines_come_back_as_written(tmp_path_factory, lines):
    path = tmp_path_factory.mktemp("lines") / "lines.txt"
    path.write_bytes("".join(f"{line}\n" for line in lines).encode())
    expected = list(enumerate(lines, start=1))
    if lines and lines[0].startswith("\ufeff"):
        expected[0] = (1, lines[0][1:])
    assert list(read_lines(path)) == expected


def test_the_official_files(official_data):
    counts = {}
    for split, total in (("development", 4869), ("test", 5153)):
        path = official_data / "lambada-dataset" / f"lambada_{split}_plain_text.txt"
        result = read_lambada(path, ExactMatchResolver(), split=split)
        assert result.num_total == total
        assert len({example.id for example in result.examples}) == result.num_used
        counts[split] = result.num_used
    assert counts == {"development": 4030, "test": 4234}
