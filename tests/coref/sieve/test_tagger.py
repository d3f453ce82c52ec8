"""A part-of-speech tagger of the user's."""

import json
import pickle
import sys

import pytest

from keras_cgru.coref.sieve import SieveResolver, perceptron_tagger

SENTENCE = "Blick grobbed the zorp . The zorp grobbed him .".split()
TAGS = dict(
    zip(
        ["Blick", "grobbed", "the", "The", "zorp", ".", "him"],
        ["NNP", "VBD", "DT", "DT", "NN", ".", "PRP"],
        strict=True,
    )
)


def spans(annotation):
    return [
        [" ".join(annotation.tokens[start:end]) for start, end in cluster]
        for cluster in annotation.clusters
    ]


def test_it_gets_one_sentence_at_a_time_with_straight_marks():
    seen = []

    def tag(tokens):
        seen.append(tokens)
        return ["NN"] * len(tokens)

    SieveResolver(tagger=tag).resolve("“ It ’s late . ” He left .".split())
    assert seen == [["``", "It", "'s", "late", ".", "''"], ["He", "left", "."]]


def test_its_tags_decide_where_a_phrase_ends():
    # Nothing in the words tells that "fly" is no noun here.
    tokens = "the old men fly . the old men sleep .".split()
    tags = {"the": "DT", "old": "JJ", "men": "NNS", "fly": "VBP", ".": "."}
    tags["sleep"] = "VBP"
    tagged = SieveResolver(tagger=lambda words: [tags[word] for word in words])
    assert spans(tagged.resolve(tokens)) == [["the old men", "the old men"]]
    tags["fly"] = "NN"
    assert spans(tagged.resolve(tokens)) == []


@pytest.mark.parametrize(
    ("tag", "error"),
    [
        (lambda tokens: ["NN"], r"one tag a token. Received: 1 tags for 5 tokens"),
        (lambda tokens: ["NOUN"] * len(tokens), "Treebank tags. Received: 'NOUN'"),
        (
            lambda tokens: [(token, "NN") for token in tokens],
            "Received: .'grobbed', 'NN'",
        ),
    ],
)
def test_answers_that_are_no_tags(tag, error):
    with pytest.raises(ValueError, match=f"`tagger` must return .*{error}"):
        SieveResolver(tagger=tag).resolve(SENTENCE)


class TestPerceptron:
    """Models for nltk's perceptron tagger."""

    @pytest.fixture(autouse=True)
    def nltk(self):
        pytest.importorskip("nltk", reason="the tagger is nltk's")

    MODEL = ({"bias": {"NN": 1.0, "VB": 0.0}}, TAGS, {"NN", "VB", *TAGS.values()})

    @pytest.mark.parametrize("protocol", [0, 2, pickle.HIGHEST_PROTOCOL])
    def test_a_pickle(self, tmp_path, protocol):
        path = tmp_path / "model.pickle"
        path.write_bytes(pickle.dumps(self.MODEL, protocol))
        tag = perceptron_tagger(path)
        assert tag(SENTENCE) == [TAGS[token] for token in SENTENCE]
        assert tag(["unheard"]) == ["NN"]
        resolved = SieveResolver(tagger=path).resolve(SENTENCE)
        assert spans(resolved) == [["Blick", "him"], ["the zorp", "The zorp"]]

    def test_a_folder_of_json(self, tmp_path):
        for part, content in zip(
            ("weights", "tagdict", "classes"), self.MODEL, strict=True
        ):
            content = sorted(content) if isinstance(content, set) else content
            name = f"averaged_perceptron_tagger_eng.{part}.json"
            (tmp_path / name).write_text(json.dumps(content))
        assert perceptron_tagger(tmp_path)(["zorp", "unheard"]) == ["NN", "NN"]
        (tmp_path / "averaged_perceptron_tagger_eng.tagdict.json").unlink()
        with pytest.raises(ValueError, match=r"must hold one \*.tagdict.json"):
            perceptron_tagger(tmp_path)

    def test_a_pickle_runs_no_code(self, tmp_path):
        class Harm:
            def __reduce__(self):
                return (sys.exit, (3,))

        path = tmp_path / "model.pickle"
        path.write_bytes(pickle.dumps(({}, Harm(), set())))
        with pytest.raises(ValueError, match="model.pickle: must be a pickled tagger"):
            perceptron_tagger(path)

    @pytest.mark.parametrize("content", [b"", b"text", pickle.dumps([1, 2, 3])])
    def test_other_files(self, tmp_path, content):
        path = tmp_path / "model.pickle"
        path.write_bytes(content)
        with pytest.raises(ValueError, match="model.pickle: must "):
            perceptron_tagger(path)

    def test_no_file(self, tmp_path):
        with pytest.raises(FileNotFoundError):
            SieveResolver(tagger=tmp_path / "none.pickle")


def test_without_nltk_it_is_said_at_use(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "nltk.tag.perceptron", None)
    with pytest.raises(ImportError, match="pip install 'nltk"):
        SieveResolver(tagger=tmp_path)
