"""The number of threads that a backend is told before it is imported."""

import os
import sys

import pytest

from keras_cgru.training import fix_threads
from keras_cgru.training.threads import VARIABLES


@pytest.fixture
def environment(monkeypatch):
    """The variables as they are now; 7 at first, which is given back afterwards."""
    for name in VARIABLES:
        monkeypatch.setenv(name, "7")
    return lambda: {name: os.environ[name] for name in VARIABLES}


def test_the_number_replaces_what_is_there(environment, monkeypatch):
    monkeypatch.delitem(sys.modules, "keras")
    assert fix_threads(3) == 3
    assert environment() == dict.fromkeys(VARIABLES, "3")
    assert fix_threads(1) == 1
    assert environment() == dict.fromkeys(VARIABLES, "1")


def test_too_late_is_said_and_changes_nothing(environment):
    with pytest.warns(UserWarning, match="`threads` cannot be fixed, to 3, since"):
        assert fix_threads(3) is None
    assert environment() == dict.fromkeys(VARIABLES, "7")


def test_the_same_number_again_is_no_fault(environment):
    assert fix_threads(7) == 7


def test_the_package_is_there_before_keras(run_python):
    output = run_python(
        "import sys; from keras_cgru.training import fix_threads, run_cells\n"
        "print(fix_threads(2), 'keras' in sys.modules)\n"
        "import keras_cgru.training as training, keras_cgru.training.machine\n"
        "print(training.environment()['backend'], callable(training.fit_epochs))"
    )
    assert output.splitlines()[-2] == "2 False"
    assert output.splitlines()[-1].endswith("True")
