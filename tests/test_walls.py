"""Data sets are rooms of their own; `pyproject.toml` has the other walls."""

import ast
from pathlib import Path

import pytest

DATA = Path(__file__).resolve().parents[1] / "keras_cgru" / "data"
DATA_SETS = {path.parent.name for path in DATA.glob("*/source.py")}
FILES = sorted(DATA.rglob("*.py"))


def rooms_entered(path: Path) -> set[str]:
    """The data sets that a file imports from."""
    modules = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            modules |= {node.module, *(f"{node.module}.{a.name}" for a in node.names)}
        elif isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
    parts = [module.split(".") for module in modules]
    rooms = {p[2] for p in parts if p[:2] == ["keras_cgru", "data"] and len(p) > 2}
    return rooms & DATA_SETS


def test_the_data_sets_are_found():
    assert {"babi", "lambada"} <= DATA_SETS


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(DATA)))
def test_a_data_set_enters_no_other_and_what_they_share_enters_none(path):
    room = path.relative_to(DATA).parts[0]
    assert rooms_entered(path) <= {room}
