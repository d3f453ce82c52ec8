"""Run folders that lack something, and texts that are none."""

import shutil

import pytest

from keras_cgru import load_reader
from keras_cgru.coref import ExactMatchResolver
from keras_cgru.coref.sieve import SieveResolver
from keras_cgru.data import Example, Vocabulary
from keras_cgru.data.babi.asker import BabiAsker
from keras_cgru.data.lambada.asker import LambadaAsker
from keras_cgru.files import write_json

SETTINGS = {"num_clusters": 15}
LAMBADA = {"recipe": "lambada", "settings": SETTINGS, "data": {"kind": "lambada"}}
ASKER = BabiAsker(
    head="softmax",
    classes=(("no",), ("yes",)),
    answer_words=("no", "yes"),
    entities=frozenset({"mary", "hall"}),
    by_word=False,
    normalise=True,
)


@pytest.fixture
def run(tmp_path):
    """A folder with all but a model."""
    write_json(tmp_path / "config.json", LAMBADA)
    example = Example("0", ("a",), (), (("a",),), ("a",))
    Vocabulary.build([example]).save(tmp_path / "vocabulary.json")
    return tmp_path


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ([], "must be of one of the recipes"),
        ({"recipe": "gap"}, "Received: 'gap'"),
        ({"recipe": "lambada"}, r'config.json: must have "settings"'),
        ({**LAMBADA, "settings": {}}, r'"settings" with "num_clusters"'),
        (
            {**LAMBADA, "settings": {**SETTINGS, "annotations": ["a.parquet"]}},
            "`resolver` must be given",
        ),
    ],
)
def test_a_config_of_something_else(run, config, message):
    write_json(run / "config.json", config)
    with pytest.raises(ValueError, match=message):
        load_reader(run)


def test_a_model_that_is_missing_or_cut_off(run):
    with pytest.raises(FileNotFoundError, match=r"no best.keras yet"):
        load_reader(run)
    (run / "best.keras").write_bytes(b"PK\x03\x04cut off")
    with pytest.raises(ValueError, match=r"best.keras must be a model of Keras"):
        load_reader(run)
    shutil.rmtree(run)
    with pytest.raises(FileNotFoundError, match="must be a run's folder"):
        load_reader(run)


def test_a_reader_of_another_version(run):
    write_json(run / "config.json", {"recipe": "babi"})
    kept = ASKER.to_dict()
    fewer = {name: kept[name] for name in kept if name != "head"}
    for content in (fewer, {**kept, "more": 1}, []):
        write_json(run / "reader.json", content)
        with pytest.raises(ValueError, match=r"reader.json: must be an object of answ"):
            load_reader(run)


def test_values_of_another_kind(run):
    """The file is named where something in it cannot be what it stands for."""
    write_json(run / "config.json", {"recipe": "babi"})
    write_json(run / "reader.json", {**ASKER.to_dict(), "classes": None})
    with pytest.raises(ValueError, match=r"reader.json: "):
        load_reader(run)
    sieve = {**SETTINGS, "resolver": "sieve", "links": None}
    write_json(run / "config.json", {**LAMBADA, "settings": sieve})
    with pytest.raises(ValueError, match=r"config.json: "):
        load_reader(run)
    # What the data was decides nothing but the resolver of simulated stories.
    write_json(run / "config.json", {**LAMBADA, "data": None})
    with pytest.raises(FileNotFoundError, match="no best.keras yet"):
        load_reader(run)


def test_what_a_cell_keeps_makes_the_same_asker():
    assert BabiAsker.from_dict(ASKER.to_dict()) == ASKER


def test_settings_of_the_first_versions():
    asker = LambadaAsker.of_config({"settings": SETTINGS})
    assert isinstance(asker.resolver, ExactMatchResolver)
    sieve = {"settings": {**SETTINGS, "resolver": "sieve"}}
    assert isinstance(LambadaAsker.of_config(sieve).resolver, SieveResolver)


@pytest.mark.parametrize("asker", [ASKER, LambadaAsker(ExactMatchResolver())])
@pytest.mark.parametrize("text", [None, b"mary", 3, ["mary", 3]])
def test_texts_that_are_none(asker, text):
    with pytest.raises(ValueError, match="`document` must be a string, or tokens"):
        asker.example(text, "where ?")
    with pytest.raises(ValueError, match="`query` must be a string, or tokens"):
        asker.example("mary left .", text)


@pytest.mark.parametrize("asker", [ASKER, LambadaAsker(ExactMatchResolver())])
def test_texts_that_are_empty(asker):
    with pytest.raises(ValueError, match="`document` must hold a word"):
        asker.example(" ", "where ?")
    with pytest.raises(ValueError, match="`query` must hold a word"):
        asker.example("mary left .", [])
