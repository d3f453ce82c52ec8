"""Whose clusters the recipe takes: a resolver's, or those of annotated files."""

import subprocess
import sys
from pathlib import Path

import pytest

from keras_cgru.coref import ExactMatchResolver
from keras_cgru.data.lambada import simulate_stories
from keras_cgru.evaluation import read_predictions
from keras_cgru.files import read_json

ROOT = Path(__file__).resolve().parents[2]
FILES = ("lambada_development_plain_text.txt", "lambada_test_plain_text.txt")
TINY = "--epochs 1 --units 8 --layers 1 --batch-size 32 --data-dir data".split()
TEXT = tuple("`` i saw mary , '' said john . she saw him . mary left".split())


@pytest.fixture(scope="module")
def make_resolver():
    sys.path.insert(0, str(ROOT / "recipes"))
    import lambada

    yield lambda **options: lambada.make_resolver(lambada.Settings(**options))
    sys.path.remove(str(ROOT / "recipes"))
    del sys.modules["lambada"]


def mentions(resolver):
    annotation = resolver.resolve(TEXT)
    return {
        frozenset(" ".join(TEXT[start:end]) for start, end in cluster)
        for cluster in annotation.clusters
    }


def test_resolvers(make_resolver):
    assert mentions(make_resolver()) == {frozenset({"mary"}), frozenset({"saw"})}
    assert frozenset({"mary", "she"}) in mentions(make_resolver(resolver="sieve"))
    names = mentions(make_resolver(resolver="sieve", links=("names",)))
    assert names == {frozenset({"mary"})}
    exact = sorted(map(len, ExactMatchResolver().resolve(TEXT).clusters))
    assert (
        sorted(map(len, make_resolver(resolver="random").resolve(TEXT).clusters))
        == exact
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Stories in LAMBADA's layout, and their annotations."""
    folder = tmp_path_factory.mktemp("clusters")
    inner = folder / "data" / "lambada-dataset"
    inner.mkdir(parents=True)
    for seed, name in enumerate(FILES):
        lines = [
            " ".join((*story.document, *story.query, *story.answer))
            for story in simulate_stories(64, seed)
        ]
        (inner / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def annotated(folder, recipe):
    pytest.importorskip("pyarrow", reason="the extra `recipes` is not installed")
    paths = []
    for name in FILES:
        paths.append(f"{name}.parquet")
        command = [
            *(sys.executable, str(ROOT / "tools" / "annotate.py")),
            *(f"data/lambada-dataset/{name}", "--resolver", "exact"),
            *("--option", "normalise=none", "--output", paths[-1]),
        ]
        subprocess.run(command, cwd=folder, env=recipe.environment, check=True)
    return paths


def test_annotated_files_give_what_their_resolver_gives(recipe, folder, annotated):
    output = recipe.succeed(folder, *TINY, "--run-dir", "resolved")
    # Ours are not the official passages: every figure says so.
    caution = "NOT the official files: unofficial"
    assert f"Test accuracy ({caution})" in output
    metrics = read_json(folder / "resolved" / "metrics.json")
    assert (metrics["data"], metrics["caution"]) == ("lambada-unofficial", caution)
    recipe.succeed(folder, *TINY, "--run-dir", "stored", "--annotations", *annotated)
    resolved, stored = (
        read_predictions(folder / name / "predictions.jsonl")
        for name in ("resolved", "stored")
    )
    assert resolved == stored and len(resolved) > 30


def test_a_text_without_annotation_stops_before_training(recipe, folder, annotated):
    options = ["--run-dir", "refused", "--annotations", annotated[0]]
    done = recipe(folder, *TINY, *options)
    assert done.returncode == 2
    assert f"{FILES[0]}.parquet: must hold every text that is read" in done.stderr
    assert not (folder / "refused").exists()
