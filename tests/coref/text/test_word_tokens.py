"""The tokens of a word that is remembered are those of nltk, in every place."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

nltk = pytest.importorskip("nltk.tokenize", reason="running text is split with nltk")

from keras_cgru.coref.text import tokenise  # noqa: E402
from keras_cgru.coref.text import word_tokens as module  # noqa: E402
from keras_cgru.coref.text.word_tokens import WordTokens, word_tokens  # noqa: E402

WORDS = (
    "a Ann Mr don do cannot WANNA gimme gonna-be well-known x2 3 3,4 3.88 U.S. e.g. "
    "'tis 'Twas d'ye more'n can't CAN'T it's James' is 've é ß ½ ² ı ſ ١ _ ' '' \" `` "
    "` ( ) [ ] { } < > . .. ... ! ? , : ; -- - » ” ’ “ « ‘ „ * $ % @ & – — \u0301"
).split()


@st.composite
def sentences(draw):
    parts = draw(
        st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from([" ", ""])))
    )
    return "".join(word + space for word, space in parts)


@settings(max_examples=2000, deadline=None)
@given(sentences())
@example('"Yes," said Mr. Roe, "he (John) cannot stay."')
@example("He left. ' )")
@example("''So'' it ended . ''")
@example(":3 ,a a:3 a,b")
@example("²'\u0301 <‘")
def test_as_nltk_has_them(sentence):
    expected = nltk.NLTKWordTokenizer().tokenize(" ".join(sentence.split()))
    assert word_tokens().of(sentence) == expected


def test_a_word_is_split_once(monkeypatch):
    tokens = WordTokens()
    given_to_nltk = []
    split = tokens._nltk
    monkeypatch.setattr(
        tokens, "_nltk", lambda text: given_to_nltk.append(text) or split(text)
    )
    for _ in range(3):
        assert tokens.of("She didn't know that he left, today.")[1:3] == ["did", "n't"]
    # One word with a clitic, and two ways in which marks stand behind a word.
    assert len(given_to_nltk) == 3


def test_memory_is_bounded(monkeypatch):
    monkeypatch.setattr(module, "_MOST", 10)
    monkeypatch.setattr(module, "_LONGEST", 5)
    tokens = WordTokens()
    words = [f"a{number}" for number in range(100)]
    assert tokens.of(" ".join(words)) == words
    assert tokens.of("abcdefg b") == ["abcdefg", "b"]
    assert len(tokens._middle) <= 10 and "abcdefg" not in tokens._middle


@pytest.mark.parametrize(
    "text",
    ["`` Yes , '' said Ann . `` No ''", "She said \"so\" , '' he read .", "a `b' c"],
)
def test_marks_do_not_depend_on_letters_elsewhere(text):
    tokens, _ = tokenise(text)
    assert tokenise(text + "\n\né")[0] == (*tokens, "é")
    if '"' not in text and "b" not in text:
        # Two single quotes that stand apart close, and do not open.
        assert tokens == tuple(text.split())
