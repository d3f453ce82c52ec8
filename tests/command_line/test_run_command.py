"""A command line from its options to its exit status."""

import io
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from keras_cgru.command_line import check_counts, refuse, run_command, say

SCRIPT = '''
"""Says é ’ for a text.

More about it.
"""
import sys, time
from dataclasses import dataclass
from keras_cgru.command_line import run_command


@dataclass(frozen=True)
class Settings:
    """What it says."""

    text: str = "’"
    """What is said, é."""
    lines: int = 1
    """How often."""


def main(settings):
    for i in range(settings.lines):
        print(settings.text)
        time.sleep(0.1 * (settings.lines > 1))
    print("worked", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(run_command(main, Settings, name="script", description=__doc__, OPTIONS))
'''


@dataclass(frozen=True)
class Settings:
    """What to do."""

    run_dir: str = "runs"
    """Where."""
    seeds: int | None = None
    """How many."""


@pytest.fixture
def run(capsys):
    """Runs a main function: status, output, errors."""

    def call(main, *arguments, **options):
        status = run_command(
            main, Settings, name="tool", arguments=arguments, **options
        )
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return call


def raising(error):
    def main(settings):
        raise error

    return main


def test_settings_and_status(run):
    assert run(lambda s: print(s.run_dir), "--run-dir", "x") == (0, "x\n", "")
    assert run(lambda s: 3)[0] == 3


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (ValueError("`run_dir` must be `x`. Received: y"), "--run-dir must be `x`."),
        (ImportError("needs\n`numpy`"), "needs `numpy`"),
        (RuntimeError(), "RuntimeError"),
        (FileNotFoundError(2, "No such file", "a/b"), "a/b: No such file"),
        (OSError(28, "No space left on device"), "No space left on device"),
        (BrokenPipeError(32, "Broken pipe", "host"), "host: Broken pipe"),
    ],
)
def test_an_error_is_one_line_and_status_2(run, error, line):
    status, out, errors = run(raising(error))
    assert (status, out, errors.count("\n")) == (2, "", 1)
    assert errors.startswith(f"tool: {line}")


def test_a_mistake_of_the_program_is_not_hidden(run):
    with pytest.raises(KeyError):
        run(raising(KeyError("x")))


def test_an_interrupt(run):
    status, out, _ = run(raising(KeyboardInterrupt), interrupted="It goes on later.")
    assert (status, out) == (130, "\nIt goes on later.\n")


def test_checks_name_the_option(run):
    status, _, errors = run(lambda s: check_counts(s, "seeds"), "--seeds", "0")
    assert (status, errors) == (2, "tool: --seeds must be at least 1. Received: 0\n")
    assert run(lambda s: check_counts(s, "seeds"))[0] == 0
    _, _, errors = run(lambda s: refuse("run_dir", "new", s.run_dir))
    assert errors == "tool: --run-dir must be new. Received: runs\n"
    assert run(lambda s: say("told"))[1:] == ("", "told\n")


def test_unknown_options_end_with_status_2(run):
    with pytest.raises(SystemExit) as ended:
        run(lambda s: 0, "--run-dirs", "x")
    assert ended.value.code == 2


def test_without_tyro_the_line_to_type_is_given(run, monkeypatch):
    module = sys.modules["keras_cgru.command_line.run_command"]
    monkeypatch.setattr(module, "_missing", ImportError("no tyro"))
    status, _, errors = run(lambda s: 0)
    assert status == 2 and 'pip install "keras-cgru[recipes]"' in errors


def test_in_a_notebook(monkeypatch):
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stdout", stream)
    run_command(lambda s: print("’"), Settings, name="tool", arguments=[])
    assert stream.getvalue() == "’\n"


@pytest.fixture
def script(tmp_path):
    """The script in a process of its own, through a shell."""

    def call(shell, outlives_pipe=False, flags=(), **variables):
        path = tmp_path / "script.py"
        options = f"outlives_pipe={outlives_pipe}"
        path.write_text(SCRIPT.replace("OPTIONS", options), encoding="utf-8")
        root = str(Path(__file__).resolve().parents[2])
        return subprocess.run(
            ["bash", "-c", shell, "-", sys.executable, *flags, str(path)],
            capture_output=True,
            env=os.environ | {"PYTHONPATH": root} | variables,
        )

    return call


@pytest.mark.parametrize("flags", [[], ["-OO"]])
@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_any_encoding_with_and_without_docstrings(script, encoding, flags):
    done = script('"$@"', flags=flags, PYTHONIOENCODING=encoding)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "’\n".encode(encoding, "backslashreplace")
    for wrong in ("--help", "--textt x", "--lines é"):
        done = script(f'"$@" {wrong}', flags=flags, PYTHONIOENCODING=encoding)
        assert done.returncode == (0 if wrong == "--help" else 2)
        assert b"Traceback" not in done.stderr + done.stdout


def test_a_closed_pipe_ends_a_tool_and_not_a_training(script):
    done = script('"$@" --lines 4 | head -1; exit ${PIPESTATUS[0]}')
    assert (done.returncode, done.stderr) == (0, b"")
    done = script('"$@" --lines 4 | head -1; exit ${PIPESTATUS[0]}', outlives_pipe=True)
    assert (done.returncode, done.stderr) == (0, b"worked\n")
    for shell in ('"$@" | true', '"$@" --help | true', '"$@" 2>&1 | true'):
        done = script(shell, PYTHONUNBUFFERED="1")
        assert done.stderr in (b"", b"worked\n")
