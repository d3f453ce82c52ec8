"""Tokens are found again in the text that they were made of."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from keras_cgru.coref.text.tokenise import tokenise
from keras_cgru.data.wikihop.offsets import token_offsets

TEXT = (
    "He said: \"I can’t—won’t…\" (in the U.S.) „So“ »no« ``old'' 1998–2000.\n\n"
    "L'Aubrac's 'x' cannot -- it is 5′ 3″. Café Ünïted ‘a’ b ."
)


def test_marks_that_the_tokeniser_rewrites():
    tokens = tokenise(TEXT)[0]
    offsets = token_offsets(TEXT, tokens)
    written = [TEXT[start:end] for start, end in offsets]
    assert "".join(written) == "".join(TEXT.split())
    pairs = dict(zip(tokens, written, strict=True))
    assert (pairs["--"], pairs["..."], pairs["1998-2000"]) == ("--", "…", "1998–2000")
    assert (pairs["ca"], pairs["n't"], pairs["Café"]) == ("ca", "n’t", "Café")


TWO_MARKS = re.compile(r"[^\w\s\u0301]{2}")
letters = "ab C.1,'\"`´’‘“”„«»—–-…‥\u200b\u0301éß\n ?!)(/İﬁ"


@settings(max_examples=400, deadline=None)
@given(st.text(letters, max_size=40))
def test_no_character_is_lost_or_in_two_tokens(text):
    tokens = tokenise(text)[0]
    offsets = token_offsets(text, tokens)
    assert len(offsets) == len(tokens)
    bounds = [0, *(place for span in offsets for place in span), len(text)]
    assert bounds == sorted(bounds)
    # Of "-–" the tokeniser makes "--" and "-": no two tokens are the two characters.
    if not TWO_MARKS.search(text):
        written = "".join(text[start:end] for start, end in offsets)
        assert written == "".join(text.split())
