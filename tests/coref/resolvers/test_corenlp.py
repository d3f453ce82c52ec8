"""The client of a CoreNLP server, against a server on this machine."""

import socket

import pytest

from keras_cgru.coref import Annotation
from keras_cgru.coref.resolvers import CoreNLPResolver

TOKENS = "ann saw a dog . the dog saw ann .".split()


def test_reads_the_servers_clusters(corenlp):
    annotation = CoreNLPResolver(corenlp.url).resolve(TOKENS, (0, 5))
    assert annotation == Annotation(
        TOKENS,
        [[(0, 1), (8, 9)], [(1, 2), (7, 8)], [(3, 4), (6, 7)], [(4, 5), (9, 10)]],
        (0, 5),
    )


def test_sends_tokens_as_they_are(corenlp):
    tokens = ["50%41", "a+b", "c&d=e", "naïve", "“", "日本", "%"]
    resolver = CoreNLPResolver(corenlp.url + "/")
    assert resolver.resolve(tokens, (0, 3)).tokens == tuple(tokens)
    ((text, properties),) = corenlp.requests
    assert text == "50%41 a+b c&d=e\nnaïve “ 日本 %"
    assert properties["tokenize.whitespace"] == "true"
    assert properties["ssplit.eolonly"] == "true"
    assert properties["outputFormat"] == "json"
    assert "coref" in properties["annotators"].split(",")


def test_unknown_sentences_are_the_servers(corenlp):
    annotation = CoreNLPResolver(corenlp.url).resolve(TOKENS)
    assert annotation.sentence_starts == (0,)
    ((_, properties),) = corenlp.requests
    assert properties["ssplit.eolonly"] == "false"


def test_properties_of_the_user_win(corenlp):
    properties = {"coref.algorithm": "neural", "timeout": "5"}
    CoreNLPResolver(corenlp.url, properties=properties).resolve(TOKENS)
    sent = corenlp.requests[0][1]
    assert {**sent, **properties} == sent


def test_other_tokens_are_aligned(corenlp):
    # As a server that splits at hyphens and writes brackets in its own way.
    def split(line):
        return line.replace("-", " - ").replace("(", "-LRB-").split()

    corenlp.split = split
    resolver = CoreNLPResolver(corenlp.url)
    tokens = "( third-largest town , largest ( town".split()
    annotation = resolver.resolve(tokens)
    assert annotation.tokens == tuple(tokens)
    assert annotation.clusters == (
        ((0, 1), (5, 6)),
        ((1, 2), (4, 5)),
        ((2, 3), (6, 7)),
    )
    assert resolver.num_unplaced == 0


def test_mentions_without_a_place_are_counted(corenlp):
    corenlp.split = lambda line: [*line.split(), "extra", "extra"]
    resolver = CoreNLPResolver(corenlp.url)
    assert resolver.resolve(["dog", "dog"]).clusters == (((0, 1), (1, 2)),)
    assert resolver.num_unplaced == 2
    resolver.resolve(["cat"] * 2)
    assert resolver.num_unplaced == 4


def test_another_text_is_refused(corenlp):
    corenlp.split = lambda line: ["zz", "zz"]
    with pytest.raises(ValueError, match="must annotate the text that it was given"):
        CoreNLPResolver(corenlp.url).resolve(TOKENS)


def test_an_empty_text_asks_nobody():
    assert CoreNLPResolver("http://127.0.0.1:1").resolve([]).tokens == ()


def test_timeout_text_of_the_server(corenlp):
    # As StanfordCoreNLPServer.java writes it.
    message = b"CoreNLP request timed out. Your document may be too long."
    corenlp.reply = 500, message
    with pytest.raises(TimeoutError, match="timed out. Your document may be too long"):
        CoreNLPResolver(corenlp.url).resolve(TOKENS)


def test_a_server_that_does_not_answer_in_time(corenlp):
    corenlp.delay = 2
    with pytest.raises(TimeoutError, match=r"in 0.2 seconds \(`timeout`\)"):
        CoreNLPResolver(corenlp.url, timeout=0.2).resolve(TOKENS)


def test_too_long_a_text(corenlp):
    corenlp.reply = 400, b"Request is too long to be handled by server: 5 characters."
    with pytest.raises(ValueError, match="status 400, Request is too long"):
        CoreNLPResolver(corenlp.url).resolve(TOKENS)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (b"Could not handle incoming annotation", "must be JSON"),
        (b"", "must be JSON"),
        (b'{"sentences": [], "corefs": {}', "must be JSON"),
        (b'{"sentences": ["\x00"], "corefs": {}}', "must be JSON"),
        (b'{"sentences": []}', "corefs"),
        (b"\xff\xfe", "UTF-8"),
    ],
)
def test_broken_answers_name_the_server(corenlp, answer, expected):
    corenlp.reply = 200, answer
    with pytest.raises(ValueError, match=expected) as caught:
        CoreNLPResolver(corenlp.url).resolve(TOKENS)
    assert corenlp.url in str(caught.value)


def test_nobody_listens():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
        with pytest.raises(ConnectionError, match="must be a running CoreNLP server"):
            CoreNLPResolver(url).resolve(TOKENS)


def test_another_service_listens(corenlp):
    corenlp.reply = 404, b"URI / not handled"
    with pytest.raises(ConnectionError, match="status 404, URI / not handled"):
        CoreNLPResolver(corenlp.url).resolve(TOKENS)


def test_a_server_here_is_asked_without_proxy(corenlp, monkeypatch):
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    monkeypatch.delenv("no_proxy", raising=False)
    assert CoreNLPResolver(corenlp.url).resolve(TOKENS).clusters


@pytest.mark.parametrize("url", ["localhost:9000", "ftp://a", "http://", ""])
def test_addresses_that_are_none(url):
    with pytest.raises(ValueError, match="`url` must be like"):
        CoreNLPResolver(url)


def test_timeout_must_be_positive():
    with pytest.raises(ValueError, match="`timeout` must be positive"):
        CoreNLPResolver(timeout=0)
