import io
import re

import pytest

from keras_cgru.inspection import Passage, Reading, as_text, print_reading
from keras_cgru.inspection.visible import columns

ANSI = re.compile(r"\x1b\[[0-9;]*m")


def test_the_whole_view_of_a_story(story):
    assert as_text(story, width=60) == STORY


STORY = """\
story-7
data: simulated; model: coref_gru
WRONG. Answered mary (50 %); right: anna (40 %)

Document (15 tokens)
  [mary]1=50% took [the lamp]2 . [she]1 gave [it]2 to
  [anna]3=25% . [anna]3=15% kept [it]2 .

Query (7 tokens)
  [the lamp]2 is in the hands of

Answers
  50 %  ████████          mary  predicted     50 % at 0
  40 %  ██████            anna  right answer  25 % at 9;
                                              15 % at 11
   0 %                    lamp

α on the document's 8 linked tokens
  1: all from the word before; 0: all from the mention
before; link: 1 - α
  at  token  cluster    1→    1←  link
   0  mary         1        0.10  |.▇|
   2  the          2        0.80  |.▂|
   3  lamp         2  0.60  0.30  |▃▆|
   5  she          1  0.25        |▆.|
   7  it           2  0.50  0.90  |▄▁|
   9  anna         3        0.40  |.▅|
  11  anna         3  0.75        |▂.|
  13  it           2  0.00        |█.|
"""


def test_ascii_says_the_same_in_ascii(story):
    text = as_text(story, width=60, ascii=True)
    assert text.isascii()
    assert "  [mary]1=50% took [the lamp]2 ." in text
    assert "alpha on the document's 8 linked tokens" in text
    assert " 1>    1<  link\n" in text
    assert " 7  it           2  0.50  0.90  |41|" in text


def test_colors_change_no_letter(story, hostile):
    for reading in (story, hostile):
        colored = as_text(reading, color=True)
        assert "\x1b[" in colored
        lines = ANSI.sub("", colored).split("\n")
        assert "\n".join(map(str.rstrip, lines)) == as_text(reading)


@pytest.mark.parametrize("ascii", [False, True])
@pytest.mark.parametrize("width", [20, 33, 80])
def test_no_token_acts_and_no_line_is_too_wide(hostile, width, ascii):
    text = as_text(hostile, width, ascii=ascii)
    controls = {c for c in text if not c.isprintable()} - {"\n", "\u200d"}
    assert controls == set()
    assert all(columns(line) <= width for line in text.split("\n"))


def test_brackets_are_none_that_the_text_has():
    passage = Passage(["[", "a", "}"], [0, 1, 0])
    assert "  [ <a>1 }\n" in as_text(Reading("r", passage))


def test_nested_mentions_have_nested_brackets():
    passage = Passage("her mother called her".split(), [(1, 2), (2,), 0, (1,)])
    assert "  [[her]1 mother]2 called [her]1\n" in as_text(Reading("r", passage))


def test_a_long_document_is_cut_around_the_answer_with_a_note(story):
    text = as_text(story, max_tokens=3)
    assert "  [mary]1=50% took [the]2\n  … 12 tokens after\n" in text
    last = Reading("r", Passage(["a"] * 9 + ["z"], attention=[0] * 9 + [1]))
    assert "  … 8 tokens before\n  a z=100%\n" in as_text(last, max_tokens=2)


def test_only_the_lowest_alphas_have_a_row_under_a_limit(story):
    text = as_text(story, max_rows=2)
    assert "linked tokens, the lowest 2\n" in text
    rows = re.findall(r"^ +(\d+)  \w+ ", text.split("link\n")[1], re.MULTILINE)
    assert rows == ["0", "13"]


def test_a_passage_of_nothing_is_shown():
    assert as_text(Reading("r", Passage())) == "r\n\nDocument (0 tokens)\n"


@pytest.mark.parametrize("option", [{"width": 19}, {"max_rows": -1}, {"max_tokens": 0}])
def test_an_option_out_of_range_is_named(story, option):
    (name,) = option
    with pytest.raises(ValueError, match=f"`{name}` must be"):
        as_text(story, **option)


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def no_settings(monkeypatch):
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    return monkeypatch


def printed(stream, reading, **options):
    print_reading(reading, stream, **options)
    return stream.getvalue()


def test_a_terminal_is_colored_and_a_file_is_not(no_settings, story):
    assert "\x1b[" in printed(Terminal(), story)
    assert "\x1b[" not in printed(io.StringIO(), story)


def test_no_color_is_respected_unless_colors_are_asked_for(no_settings, story):
    no_settings.setenv("NO_COLOR", "1")
    assert "\x1b[" not in printed(Terminal(), story)
    assert "\x1b[" in printed(Terminal(), story, color=True)
    no_settings.setenv("NO_COLOR", "")
    assert "\x1b[" in printed(Terminal(), story)
    no_settings.setenv("TERM", "dumb")
    assert "\x1b[" not in printed(Terminal(), story)


def test_the_environment_does_not_change_what_was_asked(no_settings, story):
    plain = as_text(story)
    no_settings.setenv("FORCE_COLOR", "1")
    no_settings.setenv("COLUMNS", "30")
    assert as_text(story) == plain


def test_the_width_is_the_terminals(no_settings, story):
    no_settings.setenv("COLUMNS", "40")
    assert max(map(columns, printed(io.StringIO(), story).split("\n"))) <= 40


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_a_stream_that_lacks_the_signs_gets_ascii(no_settings, hostile, encoding):
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=encoding)
    print_reading(hostile, stream)
    stream.flush()
    assert r"\u4e2d\u6587\u5b57" in raw.getvalue().decode("ascii")
