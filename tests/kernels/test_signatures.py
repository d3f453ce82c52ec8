"""All kernels of a cell take the same arguments, by name, in one order."""

import ast
from pathlib import Path

import pytest

import keras_cgru.kernels
from keras_cgru.kernels.choose import KERNELS

FOLDER = Path(keras_cgru.kernels.__file__).parent


def signature(cell, backend):
    """Read off the file: the backend need not be installed."""
    tree = ast.parse((FOLDER / f"{cell}_{backend}.py").read_text(encoding="utf-8"))
    functions = [n for n in tree.body if isinstance(n, ast.FunctionDef)]
    (kernel,) = (function for function in functions if function.name == cell)
    return ast.unparse(kernel.args)


@pytest.mark.parametrize("cell", KERNELS)
def test_signatures(cell):
    first, *others = (signature(cell, backend) for backend in KERNELS[cell])
    assert first.startswith("*, x: Any, counts: Any, rows: Any, next_steps: Any")
    for other in others:
        assert other == first


def test_every_file_of_a_kernel_is_listed():
    files = {path.stem for path in FOLDER.glob("*_*.py") if "__" not in path.name}
    assert files == {
        f"{cell}_{backend}" for cell in KERNELS for backend in KERNELS[cell]
    }
