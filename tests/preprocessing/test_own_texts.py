"""From strings to predictions in another process, as the README shows it."""

import pytest

# What stands in the README, in two parts: one process trains, another one predicts.
TRAIN = """
import keras
from keras_cgru import CorefGRU, CorefTextVectorization, TextModel
texts = ["Mary met John. She liked him.", "Mary met John. She left him."]
encode = CorefTextVectorization()
encode.adapt(texts)
words = keras.Input((None,), dtype="int32", name="words")
clusters = keras.Input((None,), dtype="int32", name="clusters")
x = keras.layers.Embedding(encode.vocabulary_size(), 64, mask_zero=True)(words)
x = keras.layers.Bidirectional(CorefGRU(64))([x, clusters])
model = TextModel(encode, keras.Model([words, clusters], keras.layers.Dense(1)(x)))
model.compile("adam", "mse")
model.fit(texts, keras.ops.array([1, 0]), epochs=40)
model.save("likes.keras")
"""
PREDICT = """
import keras, keras_cgru
print(keras.saving.load_model("likes.keras").predict(["Ann met Bob. She liked him."]))
"""

# In an environment with no backend but the one that runs.
ALONE = """
import os
from importlib.machinery import PathFinder
hidden = {{"jax", "tensorflow", "torch"}} - {{os.environ["KERAS_BACKEND"]}}
find = PathFinder.find_spec
PathFinder.find_spec = lambda name, *a: None if name in hidden else find(name, *a)
os.chdir({folder!r})
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return str(tmp_path)


def test_fifteen_lines(run_python, folder):
    lines = [*TRAIN.strip().splitlines(), *PREDICT.strip().splitlines()]
    assert len(lines) == 15
    names: dict = {}
    exec(TRAIN, names)
    longer = "Bob, whom Ann had met in the garden of her house, liked her hat, he said."
    texts = [*names["texts"], "Ann met Bob. She liked him.", longer]
    likes, leaves, unseen, _ = names["model"].predict(texts, verbose=0)[:, 0]
    assert likes > leaves + 0.1, "it has learned something"
    printed = run_python(ALONE.format(folder=folder) + PREDICT)
    (found,) = eval(printed.strip().splitlines()[-1])[0]
    # Alone, without the padding that it had beside a longer text.
    assert found == pytest.approx(unseen, abs=1e-5)
