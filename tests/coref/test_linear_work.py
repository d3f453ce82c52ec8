"""What is done with clusters takes work in proportion to their mentions and tokens."""

import random

import pytest
from work import lines_run

from keras_cgru.coref import (
    Annotation,
    ExactMatchResolver,
    RandomLinksResolver,
    align,
    antecedents,
    edges,
    token_clusters,
)
from keras_cgru.coref.chains import mention_chains, token_chains
from keras_cgru.coref.resolvers import WindowedResolver

WORDS = [f"w{int(1000 * (number / 3000) ** 4)}" for number in range(3000)]


def growth(make, size):
    """The work of twice the size over that of the size; 2 where it is linear."""
    works = [lines_run(*make(number)) for number in (size, 2 * size)]
    return works[1] / works[0]


def changed(words):
    """Every tenth word is another one, or gone, or has a new one behind it."""
    draw = random.Random(1)
    result = []
    for number, word in enumerate(words):
        kind = draw.randrange(30)
        result += {0: [], 1: [word, "new"], 2: [f"x{number % 90}"]}.get(kind, [word])
    return result


def drawn(number, words):
    return random.Random(number).choices(words, k=number)


TEXTS = {
    "a few changes": lambda n: (drawn(n, WORDS), changed(drawn(n, WORDS))),
    "two texts": lambda n: (drawn(n, WORDS), drawn(n + 1, WORDS)),
    "one name": lambda n: (["mary"] * n, changed(["mary"] * n)),
    "one name and marks": lambda n: (["x", "mary"] * (n // 2) + ["y"], ["mary"] * n),
    "two words": lambda n: (drawn(n, "ab"), [*drawn(n + 1, "ab"), "c"]),
    "all different": lambda n: (list(map(str, range(n))), ["x"] * n),
    "turned round": lambda n: (
        [f"{i}" for i in range(n)],
        [f"{n - i}" for i in range(n)],
    ),
    "one token": lambda n: (["ab" * n], ["y", *"ba" * n, "x"]),
}


@pytest.mark.parametrize("texts", TEXTS.values(), ids=TEXTS)
def test_align(texts):
    def make(number):
        tokens, others = texts(number)
        spans = [[(i, i + 1)] for i in range(0, len(tokens), 5)]
        return align, Annotation(tokens, spans), others

    assert growth(make, 2500) < 2.5


def nested(number):
    """Every mention holds all before; each of another cluster."""
    spans = [[(0, i), (number - i, number)] for i in range(number // 2 + 1, number)]
    return Annotation(["a"] * number, spans)


def nested_in_one(number):
    return Annotation(["a"] * number, [[(0, i) for i in range(1, number)]])


def nested_and_apart(number):
    """Wide mentions of one cluster over many small ones of others."""
    small = [[(i, i + 1), (i + 1, i + 2)] for i in range(0, number - 4, 4)]
    wide = [(0, i) for i in range(3, number)]
    return Annotation(["a"] * number, [*small, wide])


FUNCTIONS = {
    "token_clusters": token_clusters,
    "token_clusters of some": lambda annotation: token_clusters(annotation, 5),
    "token_clusters, two a token": lambda annotation: token_clusters(annotation, k=2),
    "edges": edges,
    "mention_chains": mention_chains,
    "token_chains": token_chains,
}


@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
@pytest.mark.parametrize("make", [nested, nested_in_one, nested_and_apart])
def test_mentions_within_one_another(make, function):
    assert growth(lambda number: (function, make(number)), 300) < 2.2


@pytest.mark.parametrize(
    "resolver",
    [
        ExactMatchResolver(),
        RandomLinksResolver(ExactMatchResolver()),
        WindowedResolver(ExactMatchResolver(), 100, 50),
    ],
    ids=lambda resolver: type(resolver).__name__,
)
@pytest.mark.parametrize("words", [["Mary"], WORDS], ids=["one name", "many words"])
def test_resolvers(resolver, words):
    def make(number):
        return resolver.resolve, drawn(number, words)

    assert growth(make, 2000) < 2.2


def test_antecedents():
    assert growth(lambda number: (antecedents, [1] * number), 2000) < 2.2
