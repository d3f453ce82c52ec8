"""Run a recipe's or a tool's main function from its command line."""

from __future__ import annotations

import contextlib
import dataclasses
import re
from collections.abc import Callable, Sequence
from typing import TypeVar

from keras_cgru.command_line.say import say
from keras_cgru.files import console

try:
    import tyro
except ImportError as error:
    _missing: ImportError | None = error
else:
    _missing = None

Settings = TypeVar("Settings")


def run_command(
    main: Callable[[Settings], int | None],
    settings_type: type[Settings],
    *,
    name: str,
    description: str | None = None,
    interrupted: str = "Stopped.",
    outlives_pipe: bool = False,
    arguments: Sequence[str] | None = None,
) -> int:
    """Parses the command line, calls `main`, and turns what it raises into one line.

    Args:
        main: Takes the settings; gives the exit status, None for 0.
        settings_type: A dataclass, each field an option with its text below it.
        name: What stands before the colon of an error.
        description: The module's docstring; None under `python -OO`.
        interrupted: What is printed after Ctrl-C.
        outlives_pipe: Whether `main` goes on when nobody reads what it prints, as a
            training must. Otherwise it ends there, quietly: write files first.
        arguments: The words of the command line. Default: those of the process.

    Returns:
        The exit status: 2 after an error, 130 after Ctrl-C.
    """
    with console(silent=outlives_pipe) as streams:
        try:
            settings = _parse(settings_type, description, arguments)
            status = main(settings)
            print(end="", flush=True)
            return status or 0
        except KeyboardInterrupt:
            with contextlib.suppress(BrokenPipeError):
                print(f"\n{interrupted}", flush=True)
            return 130
        except (ValueError, OSError, ImportError, RuntimeError) as error:
            if streams.reader_left and isinstance(error, BrokenPipeError):
                return 0
            say(f"{name}: {_message(error, settings_type)}")
            return 2


def _parse(
    settings_type: type[Settings],
    description: str | None,
    arguments: Sequence[str] | None,
) -> Settings:
    if _missing is not None:
        raise ImportError(
            "The command line needs the `tyro` package: "
            'pip install "keras-cgru[recipes]"'
        ) from _missing
    return tyro.cli(settings_type, description=description or "", args=arguments)


def _message(error: Exception, settings_type: type) -> str:
    text = str(error) or type(error).__name__
    if isinstance(error, OSError) and error.strerror:
        # Without the number, which nobody knows.
        text = f"{error.filename}: " * (error.filename is not None) + error.strerror
    fields = dataclasses.fields(settings_type)  # type: ignore[arg-type]
    names = {field.name for field in fields}

    def option(found: re.Match[str]) -> str:
        known = found[1] in names
        return "--" + found[1].replace("_", "-") if known else found[0]

    # The package names arguments; here they are options.
    return re.sub(r"`(\w+)`", option, " ".join(text.splitlines()))
