"""The format of bAbI: stories, supports, lists, and what is an error."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from keras_cgru.data.babi.questions import parse_babi, read_babi, tokenise_babi

ROOT = Path(__file__).resolve().parents[2]
TEXT = """\
1 Vera walked to the barn.
2 Otto isn't in the well-lit hall.
3 Where is Vera? \tbarn\t1
4 Vera took the key there.
5 Vera hid the map there.
6 What does Vera carry?\tkey,map\t4 5 1 2
1 The barn is north of the mill.
2 How do you go from the mill to the barn?\tn\t1
"""


@pytest.fixture
def write(tmp_path):
    def write(text, name="qa8_lists-sets_train.txt"):
        path = tmp_path / name
        path.write_bytes(text.encode("utf-8"))
        return path

    return write


def test_a_passage_is_the_sentences_of_its_story_so_far(write):
    first, second, third = read_babi(write(TEXT))
    assert first.story == (
        ("vera", "walked", "to", "the", "barn", "."),
        ("otto", "isn't", "in", "the", "well-lit", "hall", "."),
    )
    assert first.question == ("where", "is", "vera", "?")
    assert second.story[:2] == first.story
    # Neither the first question nor its answer is told.
    assert [sentence[0] for sentence in second.story] == ["vera", "otto"] + ["vera"] * 2
    assert third.story == (tuple("the barn is north of the mill .".split()),)
    assert [q.story_index for q in (first, second, third)] == [0, 0, 1]


def test_lists_and_paths_become_several_words(write):
    assert [q.answer for q in read_babi(write(TEXT))] == [
        ("barn",),
        ("key", "map"),
        ("n",),
    ]


def test_any_number_of_supports_is_kept_and_found_among_the_sentences(write):
    first, second, third = read_babi(write(TEXT))
    assert second.supports == (4, 5, 1, 2)
    # Line 3 is a question: line 4 is the third sentence.
    assert second.lines == (1, 2, 4, 5)
    assert second.support_sentences == (2, 3, 0, 1)
    assert first.supports == third.supports == (1,)


def test_ids_and_task_come_from_the_official_name_or_the_caller(write):
    official = read_babi(write(TEXT))
    assert [q.id for q in official] == [f"qa8-train-0000{n}" for n in range(3)]
    assert official[0].task == 8
    own = read_babi(write(TEXT, "mine.txt"))
    assert (own[0].id, own[0].task) == ("qa0-mine-00000", 0)
    asked = read_babi(write(TEXT, "mine.txt"), task=3, split="dev")
    assert (asked[0].id, asked[0].task) == ("qa3-dev-00000", 3)
    short = read_babi(write(TEXT, "qa12_valid.txt"))
    assert (short[0].id, short[0].task) == ("qa12-valid-00000", 12)


def test_a_passage_with_its_sentence_starts(write):
    question = read_babi(write(TEXT))[0]
    assert question.passage[6:8] == ("otto", "isn't")
    assert question.sentence_starts == (0, 6)


def test_words_are_never_split_into_letters():
    assert tokenise_babi("Zoë's 2 cats?! Née O’Hara.") == (
        *("zoë's", "2", "cats", "?", "!"),
        *("née", "o’hara", "."),
    )


def test_supports_may_be_missing_and_blank_lines_count_for_nothing():
    lines = enumerate(["1 A cat sat.", "", "2 Who sat?\tcat", "  "], start=1)
    (question,) = parse_babi(lines, "text")
    assert question.supports == ()
    assert question.answer == ("cat",)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("1 A cat sat.\nA dog.\n", 2, "must be a number and a text"),
        ("1\n", 1, "must be a number and a text"),
        ("2 A cat sat.\n", 1, "must be 1. Received: 2"),
        ("1 A.\n2 B.\n2 C.\n", 3, "must be 1 or above 2. Received: 2"),
        ("1 A cat sat.\n2 Who sat?\n", 2, "must have a tab and its answer"),
        ("1 A cat sat.\n2 Who sat?    cat    1\n", 2, "must have a tab"),
        ("1 Who sat?\tcat\t\n", 1, "must stand behind a sentence"),
        ("1 A cat.\n2 \tcat\t1\n", 2, "must have words"),
        ("1 A cat.\n2 Who?\t\t1\n", 2, "must be words, parted by commas"),
        ("1 A cat.\n2 Who?\tcat,,dog\t1\n", 2, "must be words, parted by commas"),
        ("1 A cat.\n2 Who?\tcat\t1\tx\n", 2, "must have at most two tabs"),
        ("1 A cat.\n2 Who?\tcat\tone\n", 2, "earlier sentences of the story"),
        ("1 A cat.\n2 Who?\tcat\t7\n", 2, "Received: 7"),
        ("1 A cat.\n2 Who?\tcat\t2\n", 2, "Received: 2"),
        (
            "1 A cat.\n2 Who?\tcat\t1\n3 Who?\tcat\t2\n",
            3,
            "earlier sentences of the story. Received: 2",
        ),
        ("1 A cat.\n2 A dog.\n1 An ox.\n3 Who?\tox\t2\n", 4, "Received: 2"),
        ("1 A \0cat.\n", 1, "NUL"),
    ],
)
def test_a_broken_line_is_an_error_with_file_and_line(write, text, line, message):
    path = write(text)
    with pytest.raises(ValueError) as error:
        read_babi(path)
    assert str(error.value).startswith(f"{path}:{line}: ")
    assert message in str(error.value)


@pytest.mark.parametrize("text", ["", "1 A cat sat.\n"])
def test_a_file_without_a_question_is_an_error(write, text):
    path = write(text)
    with pytest.raises(ValueError, match="at least one question") as error:
        read_babi(path)
    assert str(path) in str(error.value)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere.txt"):
        read_babi(tmp_path / "nowhere.txt")


def test_the_locale_changes_nothing(write):
    path = write("1 Zoë fährt.\n2 Wer?\tzoë\t1\n")
    script = (
        "from keras_cgru.data.babi.questions import read_babi\n"
        f"print(ascii(read_babi({str(path)!r})[0].answer))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        env={**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONPATH": str(ROOT)},
    )
    assert done.stdout.strip() == ascii(("zoë",)), done.stderr[-2000:]
