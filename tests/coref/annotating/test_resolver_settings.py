"""Resolvers by name."""

import pickle
import sys
import types

import pytest

from keras_cgru.coref import ExactMatchResolver
from keras_cgru.coref.annotating import ResolverSettings
from keras_cgru.coref.resolvers import CoreNLPResolver, WindowedResolver


def test_by_name():
    resolver = ResolverSettings("exact", {"min_length": 3}).make()
    assert isinstance(resolver, ExactMatchResolver) and resolver.min_length == 3
    url = "http://localhost:9001"
    assert ResolverSettings("corenlp", {"url": url}).make().url == url
    assert isinstance(ResolverSettings("corenlp").make(), CoreNLPResolver)


@pytest.mark.parametrize(
    ("normalise", "clusters"),
    [
        ("none", (((2, 3), (3, 4)),)),
        ("lower", (((1, 2), (2, 3), (3, 4)),)),
        ("singular", (((0, 1), (1, 2), (2, 3), (3, 4)),)),
    ],
)
def test_exact_match_compares_what_it_is_told(normalise, clusters):
    resolver = ResolverSettings("exact", {"normalise": normalise}).make()
    assert resolver.resolve(["Cats", "Cat", "cat", "cat"]).clusters == clusters


@pytest.mark.parametrize("options", [{"url": 5}, {"uri": "http://localhost"}])
def test_arguments_of_another_kind_are_refused(options):
    with pytest.raises(ValueError, match="resolver corenlp: "):
        ResolverSettings("corenlp", options).make()


def test_windows():
    resolver = ResolverSettings("exact", window=100, overlap=10).make()
    assert isinstance(resolver, WindowedResolver)
    assert (resolver.size, resolver.overlap) == (100, 10)


def test_windows_by_default():
    choose = ResolverSettings.choose
    assert choose("exact", {}) == ResolverSettings("exact", {}, None, 0)
    assert choose("exact", {}, 50) == ResolverSettings("exact", {}, 50, 5)
    assert choose("exact", {}, 50, 0) == ResolverSettings("exact", {}, 50, 0)
    # A server refuses more than 100,000 characters.
    corenlp = choose("corenlp", {"url": "http://localhost:1"})
    assert (corenlp.window, corenlp.overlap) == (10_000, 1_000)
    for overlap in (-1, 50):
        with pytest.raises(ValueError, match=r"below the window \(50\)"):
            choose("exact", {}, 50, overlap)


def test_a_resolver_of_ones_own(monkeypatch):
    module = types.ModuleType("mine")
    module.make = lambda min_length=1: ExactMatchResolver(min_length=min_length)
    module.nothing = lambda: None
    monkeypatch.setitem(sys.modules, "mine", module)
    assert ResolverSettings("mine:make", {"min_length": 2}).make().min_length == 2
    with pytest.raises(ValueError, match="must have `resolve`. Received: NoneType"):
        ResolverSettings("mine:nothing").make()
    with pytest.raises(ImportError, match="mine:missing"):
        ResolverSettings("mine:missing").make()
    with pytest.raises(ImportError, match="no_such_module"):
        ResolverSettings("no_such_module:make").make()


def test_what_cannot_be_made():
    with pytest.raises(ValueError, match="must be one of sieve, exact"):
        ResolverSettings("best")
    with pytest.raises(ValueError, match="resolver exact: .*'speed'"):
        ResolverSettings("exact", {"speed": 3}).make()
    with pytest.raises(ValueError, match="`min_length` must be at least 1"):
        ResolverSettings("exact", {"min_length": 0}).make()
    with pytest.raises(ValueError, match="`normalise` must be one of none, lower"):
        ResolverSettings("exact", {"normalise": "upper"}).make()


def test_they_travel_to_other_processes():
    settings = ResolverSettings("exact", {"min_length": 3}, 100, 10)
    assert pickle.loads(pickle.dumps(settings)) == settings
