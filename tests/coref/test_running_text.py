"""Running text where tokens belong: its characters are no words."""

from unittest.mock import Mock

import pytest

from keras_cgru.coref import (
    Annotation,
    ExactMatchResolver,
    RandomLinksResolver,
    SieveResolver,
    align,
)
from keras_cgru.coref.resolvers import (
    AllenNLPResolver,
    CoreNLPResolver,
    FastCorefResolver,
    StanzaResolver,
    WindowedResolver,
)
from keras_cgru.coref.text import tokenise

RESOLVERS = [
    SieveResolver(),
    ExactMatchResolver(),
    RandomLinksResolver(SieveResolver()),
    WindowedResolver(SieveResolver(), 10, 2),
    CoreNLPResolver(),
    FastCorefResolver(Mock()),
    AllenNLPResolver(Mock()),
    StanzaResolver(Mock(config={})),
]
TEXT = "Mary met John. She liked him."


@pytest.mark.parametrize("resolver", RESOLVERS, ids=lambda each: type(each).__name__)
@pytest.mark.parametrize("text", [TEXT, ""])
def test_one_string_is_refused_with_the_call_that_reads_it(resolver, text):
    with pytest.raises(ValueError, match=r"`tokens` must be .*\*keras_cgru.coref.text"):
        resolver.resolve(text)


def test_the_call_reads_words():
    annotation = SieveResolver().resolve(*tokenise(TEXT))
    assert annotation.clusters == (((0, 1), (4, 5)), ((2, 3), (6, 7)))
    assert annotation.sentence_starts == (0, 4)


@pytest.mark.parametrize("call", [Annotation, lambda text: align(Annotation(()), text)])
@pytest.mark.parametrize("text", [TEXT, ""])
def test_an_annotation_is_not_of_characters(call, text):
    with pytest.raises(ValueError, match=r"`tokens` must be .*coref.text.tokenise"):
        call(text)
