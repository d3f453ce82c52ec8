"""How many processes a run gets; what they do is tested through the tool."""

import pytest

from keras_cgru.coref.annotating import ResolverSettings
from keras_cgru.coref.annotating.engines import local_engine
from keras_cgru.coref.annotating.engines.local_engine import choose_jobs
from keras_cgru.coref.annotating.raw_document import CHUNK_CHARACTERS

LARGE = 10**9


@pytest.fixture(autouse=True)
def eight_cores(monkeypatch):
    monkeypatch.setattr(local_engine, "available_cores", lambda: 8)


@pytest.mark.parametrize("name", ["sieve", "exact", "corenlp"])
def test_one_for_each_core(name):
    assert choose_jobs(ResolverSettings(name), LARGE) == 8
    assert choose_jobs(None, LARGE) == 8


@pytest.mark.parametrize("name", ["fastcoref", "mine:make"])
def test_one_for_a_model(name):
    assert choose_jobs(ResolverSettings(name), LARGE) == 1
    assert choose_jobs(ResolverSettings(name), LARGE, 3) == 3


def test_never_more_than_chunks():
    assert choose_jobs(ResolverSettings("sieve"), 0, 4) == 1
    assert choose_jobs(ResolverSettings("sieve"), 2 * CHUNK_CHARACTERS, 9) == 3
    assert choose_jobs(ResolverSettings("corenlp"), 2 * CHUNK_CHARACTERS) == 3


def test_little_text_is_not_worth_a_second_process():
    assert choose_jobs(ResolverSettings("sieve"), 2 * CHUNK_CHARACTERS) == 1
