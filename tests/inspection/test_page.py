import base64
import hashlib
import re
from html.parser import HTMLParser

import pytest

from keras_cgru.inspection import Passage, Reading, as_page, write_page


class Outline(HTMLParser):
    """All elements with their attributes, and the text outside style and script."""

    def __init__(self, page):
        super().__init__()
        self.elements, self.words, self._open = [], [], []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        self._open.append(tag)

    def handle_endtag(self, tag):
        while self._open and self._open.pop() != tag:
            pass

    def handle_data(self, data):
        if not {"style", "script"} & set(self._open):
            self.words.append(data)

    def all(self, tag):
        return [attributes for each, attributes in self.elements if each == tag]

    @property
    def text(self):
        return re.sub(r"\s+", " ", "".join(self.words))


def test_the_page_can_be_read_without_its_script(story):
    text = Outline(as_page([story], title="Stories", note="two runs")).text
    assert "Stories" in text
    assert "two runs" in text
    assert "WRONG. Answered mary (50 %); right: anna (40 %)" in text
    assert "mary150 % took the lamp2 . she1 gave it2 to anna325 % ." in text
    assert "the lamp2 is in the hands of" in text
    assert "40 %annaright answer" in text


def test_every_mention_can_be_reached_and_names_its_chain(story):
    marks = Outline(as_page([story])).all("mark")
    assert [mark["data-c"] for mark in marks] == list("1212332") + ["2"]
    assert all(mark["tabindex"] == "0" for mark in marks)


def test_bars_are_one_minus_alpha_and_the_weights_are_in_words(story):
    outline = Outline(as_page([story]))
    bars = [bar.get("style") for bar in outline.all("i")]
    # mary: nothing forward, 1 - 0.1 backward; then the, and lamp.
    assert bars[:4] == [None, "--l:90%", None, "--l:20%"]
    assert bars[4:6] == ["--l:40%", "--l:70%"]
    titles = [span["title"] for span in outline.all("span") if "title" in span]
    assert titles[:2] == ["α 1← 0.10", "α 1← 0.80"]


def test_the_filter_knows_right_and_wrong(story):
    right = Reading("x", story.document, answers=story.answers, gold=("mary",))
    bare = Reading("y", story.document)
    outline = Outline(as_page([story, right, bare]))
    assert [each.get("class") for each in outline.all("article")] == [
        "wrong",
        "right",
        None,
    ]
    assert "all (3)" in outline.text
    assert "wrong only (1)" in outline.text


def test_nothing_becomes_markup(hostile):
    page = as_page([hostile], title="</title><script>x()</script>", note="<img>")
    outline = Outline(page)
    kinds = {tag for tag, _ in outline.elements}
    assert not kinds & {"img", "a", "link", "iframe", "object"}
    assert len(outline.all("script")) == 1
    assert "<script>document.title='owned'</script>" in outline.text.replace("␣", " ")
    assert "\"quoted'␣&␣&amp;" in outline.text
    assert r"\x00\r\n\x9b2J" in outline.text
    for tag, attributes in outline.elements:
        assert not [name for name in attributes if name.startswith("on")], tag
    page.encode("utf-8")


def test_nothing_is_asked_for_over_the_network(story, hostile):
    page = as_page([story, hostile])
    outline = Outline(page)
    assert not [a for _, a in outline.elements if {"src", "href"} & set(a)]
    assert not re.search(r"url\(|@import|https?:", page)
    assert "fetch(" not in page
    assert "default-src 'none'" in outline.all("meta")[1]["content"]


def test_the_policy_allows_the_pages_own_script_alone(story):
    page = as_page([story])
    script = re.search(r"<script>(.*)</script>", page, re.DOTALL)[1]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = Outline(page).all("meta")[1]["content"]
    assert policy.endswith(f"script-src 'sha256-{digest}'")


def test_nested_and_crossing_mentions_have_brackets():
    clusters = [(1,), (2, 1), (2,), (1,), 0, (2,)]
    text = Outline(as_page([Reading("r", Passage(list("abcdef"), clusters))])).text
    # The first mention of 1 ends within that of 2; where a mention is the innermost
    # on all its tokens it needs no bracket.
    assert "[a b]1 c2 d1 e f2" in text


def test_a_long_document_is_cut_with_a_note(story):
    text = Outline(as_page([story], max_tokens=4)).text
    assert "… 11 tokens after, not shown" in text


def test_a_file_holds_the_page(tmp_path, story, hostile):
    path = tmp_path / "new" / "page.html"
    write_page(path, iter([story, hostile]), title="T")
    assert path.read_bytes().decode("utf-8") == as_page([story, hostile], title="T")


def test_a_page_of_no_readings_says_so():
    assert "all (0)" in Outline(as_page([])).text


def test_the_argument_is_named(story):
    with pytest.raises(ValueError, match="`max_tokens` must be at least 1"):
        as_page([story], max_tokens=0)
