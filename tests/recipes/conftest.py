"""The recipes through their real command lines, and runs that tests share."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import keras
import pytest

ROOT = Path(__file__).resolve().parents[2]
RECIPES = ROOT / "recipes"
BACKENDS = ("jax", "tensorflow")
if keras.backend.backend() not in BACKENDS:
    # The recipe refuses other backends, which `test_lambada_errors` holds on these.
    collect_ignore_glob = ["test_*.py"]

# All splits, of 400, 192 and 400 stories, divide into batches of 8: each program is
# compiled for one shape. An epoch of 50 updates is long enough to be stopped inside.
UPDATES = 50
TINY = "--simulated --limit 400 --units 8 --layers 2 --batch-size 8 --update-freq 7"
# Long enough for a loaded machine; a run that hangs should not hang the tests.
TIMEOUT = 600


class Recipe:
    """The command line of a recipe, with an environment of its own.

    Args:
        script: Name of the recipe's file.
        environment: The environment variables of every run.
    """

    def __init__(self, script: str, environment: Mapping[str, str]) -> None:
        self.script = RECIPES / script
        self.environment = dict(environment)

    def start(
        self, folder: Path, *arguments: Any, **variables: str | None
    ) -> subprocess.Popen[str]:
        """Starts it in `folder`; a variable that is None is taken away."""
        changed = self.environment | variables
        return subprocess.Popen(
            [sys.executable, str(self.script), *map(str, arguments)],
            cwd=folder,
            env={name: value for name, value in changed.items() if value is not None},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def __call__(
        self, folder: Path, *arguments: Any, **variables: str | None
    ) -> subprocess.CompletedProcess[str]:
        """Runs it to its end, whatever that is."""
        process = self.start(folder, *arguments, **variables)
        try:
            stdout, stderr = process.communicate(timeout=TIMEOUT)
        finally:
            process.kill()
        return subprocess.CompletedProcess(
            process.args, process.returncode, stdout, stderr
        )

    def succeed(self, folder: Path, *arguments: Any, **variables: str | None) -> str:
        """Runs it, demands that it succeeds, and gives what it printed."""
        done = self(folder, *arguments, **variables)
        assert done.returncode == 0, done.stderr[-3000:]
        return done.stdout


class Run(NamedTuple):
    """A finished run: its folder, and what it printed."""

    folder: Path
    output: str

    def json(self, name: str) -> dict[str, Any]:
        return json.loads((self.folder / name).read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def make_run() -> type[Run]:
    """`make_run(folder, output)`: a run that a test started itself."""
    return Run


@pytest.fixture(scope="session")
def tiny() -> list[str]:
    """The options of a run that takes seconds."""
    return TINY.split()


@pytest.fixture(scope="session")
def recipe(environment: dict[str, str]) -> Recipe:
    """`recipes/lambada.py`."""
    return Recipe("lambada.py", environment)


@pytest.fixture(scope="session")
def babi(environment: dict[str, str]) -> Recipe:
    """`recipes/babi.py`."""
    return Recipe("babi.py", environment)


@pytest.fixture(scope="session")
def wikihop(environment: dict[str, str]) -> Recipe:
    """`recipes/wikihop.py`."""
    return Recipe("wikihop.py", environment)


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The variables of every run."""
    cache = tmp_path_factory.mktemp("compiled")
    inherited = {k: v for k, v in os.environ.items() if k != "KERAS_CGRU_DATA"}
    paths = [os.environ.get("PYTHONPATH", "")]
    if not _is_installed(cache):
        paths.insert(0, str(ROOT))
    return inherited | {
        "KERAS_BACKEND": keras.backend.backend(),
        "PYTHONPATH": os.pathsep.join(filter(None, paths)),
        "TF_CPP_MIN_LOG_LEVEL": "3",
        # The same programs are compiled again and again.
        "JAX_COMPILATION_CACHE_DIR": str(cache / "jax"),
        "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
        "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
        "TF_XLA_FLAGS": f"--tf_xla_persistent_cache_directory={cache / 'xla'}",
    }


def _is_installed(folder: Path) -> bool:
    """Whether a new process finds the package without being told where it is."""
    find = "import importlib.util as u; print(u.find_spec('keras_cgru') is not None)"
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    done = subprocess.run(
        [sys.executable, "-c", find],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip() == "True"


@pytest.fixture(scope="session")
def other_backend() -> str | None:
    """The backend that the tests do not run on, or None where it is not installed."""
    others = [name for name in BACKENDS if name != keras.backend.backend()]
    installed = [name for name in others if importlib.util.find_spec(name)]
    return installed[0] if installed else None


@pytest.fixture(scope="session")
def runs(
    recipe: Recipe,
    tiny: list[str],
    other_backend: str | None,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[dict[str, Future[Run]]]:
    """All uninterrupted runs, two at a time; `runs[name].result()` waits for one."""
    folder = tmp_path_factory.mktemp("runs")

    def run(name: str, options: str) -> Run:
        arguments = [*tiny, *options.split(), "--run-dir", name]
        return Run(folder / name, recipe.succeed(folder, *arguments))

    # To compile takes longest, and one layer half as long as two.
    first_loss = "--epochs 1 --layers 1 --dropout 0 --update-freq 1"
    wanted = {
        "coref_gru": "--epochs 5",
        "gru": "--epochs 1 --layers 1 --recurrence gru",
        "seed_2": "--epochs 1 --seed 2",
        "no_dropout": first_loss,
        "other_backend": f"{first_loss} --backend {other_backend}",
    }
    if other_backend is None:
        del wanted["other_backend"]
    with ThreadPoolExecutor(max_workers=2) as pool:
        yield {name: pool.submit(run, name, text) for name, text in wanted.items()}


@pytest.fixture(scope="session")
def finished_run(runs: dict[str, Future[Run]]) -> Run:
    """Five epochs of a Coref-GRU, never stopped."""
    return runs["coref_gru"].result()


@pytest.fixture(scope="session")
def updates_per_epoch() -> int:
    return UPDATES


@pytest.fixture(scope="session")
def logged_steps() -> Callable[[int], list[int]]:
    """The steps that train/ must hold after so many epochs."""

    def steps(epochs: int) -> list[int]:
        last = epochs * UPDATES
        return sorted({*range(7, last + 1, 7), *range(UPDATES, last + 1, UPDATES)})

    return steps


@pytest.fixture(scope="session")
def read_events() -> Callable[[Path], list[list[tuple[int, dict[str, float]]]]]:
    """Reads event files: for each file, in order, `[(step, {tag: value}), ...]`.

    Scalars alone, and not the marks where a run goes on.

    With TensorBoard's reader and not the package's own, as TensorBoard would.
    """
    loader = pytest.importorskip(
        "tensorboard.backend.event_processing.event_file_loader",
        reason="the extra `recipes` is not installed",
    )

    def read(folder: Path) -> list[list[tuple[int, dict[str, float]]]]:
        files = sorted(folder.glob("events.out.tfevents.*"))
        return [
            [
                (
                    event.step,
                    {v.tag: _scalar(v) for v in event.summary.value if _is_scalar(v)},
                )
                for event in loader.EventFileLoader(str(file)).Load()
                if event.HasField("summary")
            ]
            for file in files
        ]

    return read


def _is_scalar(value: Any) -> bool:
    return value.HasField("simple_value") or len(value.tensor.float_val) == 1


def _scalar(value: Any) -> float:
    # The reader turns plain scalars into tensors.
    if value.HasField("simple_value"):
        return value.simple_value
    return value.tensor.float_val[0]


@pytest.fixture(scope="session")
def contents() -> Callable[[Path], dict[str, bytes]]:
    """All files under a folder, to see whether anything has changed."""

    def read(folder: Path) -> dict[str, bytes]:
        files = [path for path in folder.rglob("*") if path.is_file()]
        return {str(path.relative_to(folder)): path.read_bytes() for path in files}

    return read


@pytest.fixture(scope="session")
def make_stub(
    tmp_path_factory: pytest.TempPathFactory, environment: dict[str, str]
) -> Callable[[str, str], str]:
    """`(module, code)` -> a PYTHONPATH on which `code` stands for that module."""

    def make(module: str, code: str) -> str:
        folder = tmp_path_factory.mktemp("stub")
        (folder / module).mkdir()
        (folder / module / "__init__.py").write_text(code + "\n", encoding="utf-8")
        return os.pathsep.join([str(folder), environment["PYTHONPATH"]])

    return make


@pytest.fixture(scope="session")
def check_refusal() -> Callable[..., None]:
    """`check_refusal(done, folder, *parts)`: one line, status 2, and nothing left."""

    def check(done: subprocess.CompletedProcess, folder: Path, *parts: str) -> None:
        # The frames that tyro draws break lines.
        message = re.sub(r"[\s│]+", " ", done.stderr)
        assert done.returncode == 2, message
        for part in parts:
            assert part in message
        assert "Traceback" not in message
        assert list(folder.iterdir()) == []

    return check
