"""Adapters of packages that are not here: objects that behave as theirs do.

They show that spans are counted and tokens are handed over as these packages document
it, not that any trained model is good.
"""

import sys
from types import SimpleNamespace

import pytest

from keras_cgru.coref import Annotation
from keras_cgru.coref.resolvers import (
    AllenNLPResolver,
    FastCorefResolver,
    StanzaResolver,
    WindowedResolver,
)

TOKENS = tuple("the old man sat . he slept .".split())
STARTS = (0, 5)
# "the old man" and "he"; three tokens and one, over a sentence's end.
EXPECTED = Annotation(TOKENS, [[(0, 3), (5, 6)]], STARTS)


class FastCorefModel:
    """Answers as `fastcoref.FCoref` does for pre-split texts: half-open word spans."""

    def __init__(self, clusters):
        self.clusters = clusters

    def predict(self, texts, is_split_into_words=False):
        assert is_split_into_words and isinstance(texts[0], list)
        clusters = self.clusters

        class Result:
            def get_clusters(self, as_strings=True):
                return ["strings"] if as_strings else clusters

        return [Result() for _ in texts]


class AllenNLPPredictor:
    """Answers as `CorefPredictor.predict_tokenized`: the second position inclusive."""

    def __init__(self, clusters, document=None):
        self.clusters, self.document = clusters, document

    def predict_tokenized(self, tokenized_document):
        assert isinstance(tokenized_document, list)
        document = self.document or tokenized_document
        return {"top_spans": [], "document": document, "clusters": self.clusters}


class StanzaPipeline:
    """Answers as `stanza.Pipeline`: positions within a sentence, the end exclusive."""

    config = {"tokenize_pretokenized": True}

    def __init__(self, chains, split=lambda sentence: sentence):
        self.chains, self.split = chains, split

    def __call__(self, sentences):
        assert all(isinstance(sentence, list) for sentence in sentences)
        return SimpleNamespace(
            sentences=[
                SimpleNamespace(
                    words=[SimpleNamespace(text=text) for text in self.split(sentence)]
                )
                for sentence in sentences
            ],
            coref=[
                SimpleNamespace(
                    mentions=[
                        SimpleNamespace(sentence=s, start_word=a, end_word=b)
                        for s, a, b in chain
                    ]
                )
                for chain in self.chains
            ],
        )


@pytest.mark.parametrize(
    "resolver",
    [
        FastCorefResolver(FastCorefModel([[(0, 3), (5, 6)]])),
        AllenNLPResolver(AllenNLPPredictor([[[0, 2], [5, 5]]])),
        StanzaResolver(StanzaPipeline([[(0, 0, 3), (1, 0, 1)]])),
    ],
    ids=["fastcoref", "allennlp", "stanza"],
)
def test_spans_mean_the_same_tokens(resolver):
    assert resolver.resolve(TOKENS, STARTS) == EXPECTED
    assert resolver.resolve([]).tokens == ()


def test_stanza_without_sentences_gets_one():
    resolver = StanzaResolver(StanzaPipeline([[(0, 0, 3), (0, 5, 6)]]))
    assert resolver.resolve(TOKENS).clusters == EXPECTED.clusters


def test_allennlp_tokens_of_its_own_are_aligned():
    document = "the old man sat . he sl ept . !".split()
    predictor = AllenNLPPredictor([[[0, 2], [5, 5]], [[6, 7], [9, 9]]], document)
    resolver = AllenNLPResolver(predictor)
    assert resolver.resolve(TOKENS, STARTS).clusters == (
        ((0, 3), (5, 6)),
        ((6, 7),),
    )
    assert resolver.num_unplaced == 1


def test_stanza_words_of_its_own_are_aligned():
    def split(sentence):
        return [part for token in sentence for part in token.split("-")]

    tokens = "the third-largest town . it fell .".split()
    resolver = StanzaResolver(StanzaPipeline([[(0, 0, 4), (1, 0, 1)]], split))
    assert resolver.resolve(tokens, (0, 4)).clusters == (((0, 3), (4, 5)),)


def test_a_wrong_prediction_is_refused():
    with pytest.raises(ValueError, match="0 <= start < end <= 8"):
        FastCorefResolver(FastCorefModel([[(0, 9)]])).resolve(TOKENS)
    predictor = SimpleNamespace(predict_tokenized=lambda tokens: {"clusters": []})
    with pytest.raises(ValueError, match=r"must have \['document'\]"):
        AllenNLPResolver(predictor).resolve(TOKENS)
    other = AllenNLPPredictor([[[0, 0], [1, 1]]], ["xx", "yy"])
    with pytest.raises(ValueError, match="must annotate the text that it was given"):
        AllenNLPResolver(other).resolve(TOKENS)
    pipeline = StanzaPipeline([])
    with pytest.raises(ValueError, match="must have the processor coref"):
        StanzaResolver(lambda s: SimpleNamespace(sentences=[])).resolve(TOKENS)
    assert StanzaResolver(pipeline).resolve(TOKENS).clusters == ()


def test_objects_that_are_none():
    with pytest.raises(TypeError, match="`predict_tokenized`. Received: str"):
        AllenNLPResolver("model.tar.gz")
    with pytest.raises(TypeError, match="stanza pipeline. Received: str"):
        StanzaResolver("en")
    pipeline = StanzaPipeline([])
    pipeline.config = {"tokenize_pretokenized": False}
    with pytest.raises(ValueError, match="tokenize_pretokenized=True"):
        StanzaResolver(pipeline)


def test_fastcoref_is_optional(monkeypatch):
    monkeypatch.setitem(sys.modules, "fastcoref", None)
    with pytest.raises(ImportError, match=r'pip install "keras-cgru\[fastcoref\]"'):
        FastCorefResolver()


def test_fastcoref_leaves_special_tokens_out():
    model = FastCorefModel([[(0, 3), None, (5, 6)], [None, None]])
    assert FastCorefResolver(model).resolve(TOKENS, STARTS) == EXPECTED


def word(text):
    return SimpleNamespace(text=text)


def stanza_document(sentences, chains):
    """Tokens of several words each; mentions are (sentence, start, end)."""
    return SimpleNamespace(
        sentences=[
            SimpleNamespace(
                tokens=[
                    SimpleNamespace(text=text, words=[word(w) for w in words])
                    for text, words in tokens
                ],
                words=[word(w) for _, words in tokens for w in words],
            )
            for tokens in sentences
        ],
        coref=[
            SimpleNamespace(
                mentions=[
                    SimpleNamespace(sentence=s, start_word=a, end_word=b)
                    for s, a, b in chain
                ]
            )
            for chain in chains
        ],
    )


def test_stanza_zeros_are_counted_and_overt_mentions_kept():
    tokens = "ann sleeps . eats . she".split()
    sentences = [
        [(text, [text]) for text in tokens[:3]],
        [(text, [text]) for text in tokens[3:]],
    ]
    # Before "eats" a subject is meant that is not said.
    chain = [(0, 0, 1), (1, (0, 1), (0, 1)), (1, 2, 3), (1, (0, 1), 1)]
    for zeros, chains in ((2, [chain]), (1, [[(0, (0, 1), (0, 1))]])):
        document = stanza_document(sentences, chains)
        resolver = StanzaResolver(lambda given, document=document: document)
        annotation = resolver.resolve(tokens, (0, 3))
        expected = (((0, 1), (5, 6)),) if zeros == 2 else ()
        assert annotation.clusters == expected
        assert (resolver.num_unplaced, resolver.num_repeated) == (zeros, 0)


def test_stanza_words_of_one_token():
    tokens = "vamos al mar . dámelo".split()
    split = [["vamos"], ["a", "el"], ["mar"], ["."], ["da", "me", "lo"]]
    document = stanza_document(
        [list(zip(tokens, split, strict=True))], [[(0, 2, 4), (0, 7, 8), (0, 2, 4)]]
    )
    resolver = StanzaResolver(lambda given: document)
    annotation = resolver.resolve(tokens)
    assert annotation.clusters == (((1, 3), (4, 5)),)
    assert (resolver.num_unplaced, resolver.num_repeated) == (0, 1)


def test_stanza_mentions_beyond_their_sentence_are_named():
    document = stanza_document([[("a", ["a"])]], [[(0, 0, 2)]])
    with pytest.raises(ValueError, match="words from 0 to 1 of its sentence.*0 to 2"):
        StanzaResolver(lambda given: document).resolve(["a"])


def test_what_systems_find_twice_is_kept_once_and_counted():
    class Predictor:
        def predict_tokenized(self, tokens):
            twice = [[[0, 0], [2, 2], [2, 2]], [], [[0, 0], [2, 2]]]
            return {"document": tokens, "clusters": twice}

    class Model:
        def predict(self, texts, is_split_into_words):
            twice = [[(0, 1), (2, 3), (2, 3), None], [None], [], [(0, 1), (2, 3)]]
            return [SimpleNamespace(get_clusters=lambda as_strings: twice)]

    for resolver in (AllenNLPResolver(Predictor()), FastCorefResolver(Model())):
        assert resolver.resolve(["a", "b", "a"]).clusters == (((0, 1), (2, 3)),)
        assert resolver.num_repeated == 3
        windowed = WindowedResolver(resolver, size=9, overlap=0)
        assert windowed.resolve(["a", "b", "a"]).clusters == (((0, 1), (2, 3)),)
        assert windowed.num_repeated == 6
