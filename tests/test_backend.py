"""The choice of a backend, in processes that have not imported Keras."""

import json
import os
import subprocess
import sys
from pathlib import Path

import keras
import pytest

from keras_cgru.backend import BACKENDS, choose_backend, installed_backends

ROOT = Path(__file__).resolve().parents[1]
ACTIVE = keras.backend.backend()
CHOOSE = """
import os, runpy, sys
for name in {missing!r}:
    sys.modules[name] = None
choose_backend = runpy.run_path({path!r})["choose_backend"]
try:
    print(choose_backend({arguments}), os.environ["KERAS_BACKEND"])
except (ImportError, ValueError) as error:
    print(type(error).__name__, error)
assert "keras" not in sys.modules
"""


@pytest.fixture
def choose(tmp_path):
    """What the function says where some backends are missing."""

    def run(arguments="", missing=(), configured=None, variable=None):
        environment = {k: v for k, v in os.environ.items() if k != "KERAS_BACKEND"}
        environment |= {"KERAS_HOME": str(tmp_path)}
        if variable is not None:
            environment["KERAS_BACKEND"] = variable
        if configured is not None:
            (tmp_path / "keras.json").write_text(configured)
        path = str(ROOT / "keras_cgru" / "backend.py")
        code = CHOOSE.format(arguments=arguments, missing=tuple(missing), path=path)
        done = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            env=environment,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    return run


def others(name):
    return [other for other in BACKENDS if other != name]


def test_the_one_that_is_installed(choose):
    name = ACTIVE
    expected = f"{name} {name}"
    missing = others(name)
    assert choose(missing=missing) == expected
    assert choose(missing=missing, variable="") == expected
    # Keras's own default, and configurations that do not fit.
    for configured in (
        json.dumps({"backend": missing[0]}),
        "{",
        "[]",
        '{"backend": 1}',
    ):
        assert choose(missing=missing, configured=configured) == expected


def test_the_order_of_the_sources(choose):
    first, *rest = installed_backends()
    if not rest:
        pytest.skip("only one backend is installed")
    configured = json.dumps({"backend": rest[0]})
    assert choose() == f"{first} {first}"
    assert choose(configured=configured) == f"{rest[0]} {rest[0]}"
    assert choose(variable=first) == f"{first} {first}"
    assert choose(repr(rest[0]), variable=first) == f"{rest[0]} {rest[0]}"
    # One that the caller cannot use is passed over.
    assert choose(f"None, ({first!r},)") == f"{first} {first}"


def test_what_is_not_there_comes_with_the_line_to_type(choose):
    install = "is not installed. Install it with: pip install"
    assert choose("'torch'", missing=["torch"]) == (
        f'ImportError `backend` torch {install} "keras-cgru[torch]"'
    )
    assert choose(missing=["jax"], variable="jax") == (
        f'ImportError KERAS_BACKEND jax {install} "keras-cgru[jax]"'
    )
    assert f'{install} "keras-cgru[jax]"' in choose(missing=BACKENDS)


def test_what_will_not_do_is_refused(choose):
    assert choose("None, ('jax', 'tensorflow')", variable="torch") == (
        "ValueError KERAS_BACKEND must be one of jax, tensorflow. Received: torch"
    )
    # The variable may be our own choice, so it is not the one to blame.
    alone = choose(
        "None, ('jax', 'tensorflow')", missing=["jax", "tensorflow"], variable="torch"
    )
    assert alone.startswith("ImportError None of the backends jax, tensorflow is inst")
    assert alone.endswith('pip install "keras-cgru[jax]"')
    assert choose("'theano'").startswith("ValueError `backend` must be one of jax,")


def test_a_keras_that_is_imported_has_chosen(monkeypatch):
    monkeypatch.setenv("KERAS_BACKEND", others(ACTIVE)[0])
    assert choose_backend() == choose_backend(ACTIVE) == ACTIVE
    message = f"`backend` must be {ACTIVE}, on which Keras runs.*{others(ACTIVE)[0]}"
    with pytest.raises(ValueError, match=message):
        choose_backend(others(ACTIVE)[0])
    with pytest.raises(ValueError, match="The active Keras backend must be one of"):
        choose_backend(allowed=others(ACTIVE))
