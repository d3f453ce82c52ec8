"""tools/annotate.py on Ray, started on this machine."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from keras_cgru.coref.annotating.raw_document import CHUNK_CHARACTERS

pytest.importorskip("pyarrow", reason="the tool writes Parquet")

ROOT = Path(__file__).resolve().parents[2]
needs_ray = pytest.mark.skipif(
    importlib.util.find_spec("ray") is None,
    reason='ray is not installed: pip install "keras-cgru[ray]"',
)
FAILING = """
from keras_cgru.coref import ExactMatchResolver

class Failing(ExactMatchResolver):
    def resolve(self, tokens, sentence_starts=None):
        if tokens[0] == "d2":
            raise OverflowError("no luck")
        return super().resolve(tokens, sentence_starts)

class Gone(ExactMatchResolver):
    def resolve(self, tokens, sentence_starts=None):
        raise ConnectionError("no server at all")
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Five documents, each a chunk, and resolvers that fail."""
    folder = tmp_path_factory.mktemp("ray")
    (folder / "failing_resolver.py").write_text(FAILING)
    text = " ".join([f"{'x' * 99} cat"] * (CHUNK_CHARACTERS // 100))
    lines = [f"d{n} cat , {text} end\n" for n in range(5)]
    (folder / "lambada_test_plain_text.txt").write_text("".join(lines))
    return folder


def run(folder, output, *arguments):
    path = os.pathsep.join([str(ROOT), str(folder), *sys.path])
    passages = folder / "lambada_test_plain_text.txt"
    command = [sys.executable, ROOT / "tools" / "annotate.py", passages]
    command += ["--output", folder / output, *arguments]
    environment = {k: v for k, v in os.environ.items() if k != "RAY_ADDRESS"}
    return subprocess.run(
        [str(part) for part in command],
        env=environment | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=300,
    )


@needs_ray
def test_the_output_does_not_depend_on_the_engine(folder):
    exact = ("--resolver", "exact", "--jobs", "2")
    here = run(folder, "here", *exact)
    ray = run(folder, "ray", *exact, "--engine", "ray")
    assert (here.returncode, ray.returncode) == (0, 0), ray.stderr
    assert (folder / "ray").read_bytes() == (folder / "here").read_bytes()


@needs_ray
def test_a_document_that_fails_is_named(folder):
    resolver = ("--resolver", "failing_resolver:Failing", "--jobs", "2")
    done = run(folder, "failing", *resolver, "--engine", "ray")
    assert done.returncode == 1
    assert "document test-00002: OverflowError: no luck" in done.stderr
    # A run may go on with another engine.
    done = run(folder, "failing", *resolver, "--resume", "--skip-failed")
    assert done.returncode == 0, done.stderr


@needs_ray
def test_what_ends_the_work_is_said(folder):
    resolver = ("--resolver", "failing_resolver:Gone", "--jobs", "1")
    done = run(folder, "gone", *resolver, "--engine", "ray")
    assert done.returncode == 2
    (line,) = [s for s in done.stderr.splitlines() if s.startswith("annotate:")]
    assert "no server at all" in line


def test_ray_is_optional(folder):
    if importlib.util.find_spec("ray") is not None:
        pytest.skip("ray is installed")
    done = run(folder, "none", "--resolver", "exact", "--engine", "ray")
    assert done.returncode == 2
    assert 'pip install "keras-cgru[ray]"' in done.stderr
    assert not (folder / "none.parts").exists()
