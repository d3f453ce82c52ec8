"""The packages' faces: what they hand on is used, and what goes past them is known."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "keras_cgru"
FACES = sorted(PACKAGE.rglob("__init__.py"))
CODE = sorted(
    path
    for folder in ("keras_cgru", "recipes", "tools")
    for path in (ROOT / folder).rglob("*.py")
)
TEXTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def _module(path: Path) -> str:
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    return name.removesuffix(".__init__")


def _imports(path: Path) -> Iterator[tuple[str, str]]:
    """Module and name of each `from keras_cgru... import name` of a file."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            if node.module.split(".")[0] == "keras_cgru":
                yield from ((node.module, alias.name) for alias in node.names)


def _names_used(path: Path) -> set[str]:
    """Those imported from the package, and those of attributes: `training.start`."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    attributes = {n.attr for n in ast.walk(tree) if isinstance(n, ast.Attribute)}
    return attributes | {name for _, name in _imports(path)}


def _exported(path: Path) -> list[str]:
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return ast.literal_eval(node.value)
    return []


@pytest.fixture(scope="module")
def used_from() -> dict[str, set[str]]:
    """The files outside a name's own package that import it, by the name."""
    found = defaultdict(set)
    for path in CODE:
        for name in _names_used(path):
            found[name].add(_module(path))
    return found


@pytest.mark.parametrize("face", FACES, ids=_module)
def test_a_face_hands_on_nothing_that_nobody_takes(face, used_from):
    package = _module(face)
    texts = "\n".join(path.read_text(encoding="utf-8") for path in TEXTS)
    unused = [
        name
        for name in _exported(face)
        if f"`{name}`" not in texts
        and all(f"{user}.".startswith(f"{package}.") for user in used_from[name])
        and not (PACKAGE / name).exists()
        and name != "__version__"
    ]
    assert not unused


# What the command lines take from below the faces. A line more says that a face lacks
# a name, or that a tool does what the package should.
BELOW = sorted(
    """
    keras_cgru.backend
    keras_cgru.callbacks.event_files
    keras_cgru.callbacks.hparams_files
    keras_cgru.coref.annotating.inputs.documents
    keras_cgru.coref.annotating.inputs.input_kinds
    keras_cgru.coref.annotating.inputs.input_paths
    keras_cgru.coref.annotating.inputs.each_document
    keras_cgru.coref.annotating.outputs.job
    keras_cgru.coref.annotating.outputs.kept_options
    keras_cgru.coref.annotating.engines.local_engine
    keras_cgru.coref.annotating.outputs.output_files
    keras_cgru.coref.annotating.outputs.part
    keras_cgru.coref.annotating.outputs.part_folder
    keras_cgru.coref.annotating.progress_line
    keras_cgru.coref.annotating.raw_document
    keras_cgru.coref.annotating.engines.ray_engine
    keras_cgru.coref.annotating.outputs.report
    keras_cgru.coref.annotating.resolver_settings
    keras_cgru.coref.annotating.run
    keras_cgru.coref.annotating.inputs.stored_annotations
    keras_cgru.coref.annotating.engines.worker
    keras_cgru.coref.formats.conll2012
    keras_cgru.data.babi.asker
    keras_cgru.data.babi.load
    keras_cgru.data.babi.models
    keras_cgru.data.babi.results.cell
    keras_cgru.data.babi.results.cell_files
    keras_cgru.data.babi.results.training_options
    keras_cgru.data.babi.results.changes
    keras_cgru.data.babi.results.curve
    keras_cgru.data.babi.results.plots
    keras_cgru.data.babi.results.tables
    keras_cgru.data.lambada.asker
    keras_cgru.data.lambada.input_kind
    keras_cgru.data.lambada.results
    keras_cgru.data.lambada.splits
    keras_cgru.data.splits
    keras_cgru.data.wikihop.asker
    keras_cgru.data.wikihop.input_kind
    keras_cgru.data.wikihop.results
    keras_cgru.data.wikihop.splits
    keras_cgru.data.wikihop.trivial
    keras_cgru.evaluation.coref_errors
    keras_cgru.evaluation.coref_scores
    keras_cgru.evaluation.gap
    keras_cgru.evaluation.seed_groups
    keras_cgru.evaluation.seed_plots
    keras_cgru.evaluation.seed_run
    keras_cgru.evaluation.seed_table
""".split()
)


def test_what_recipes_and_tools_import_from_below_the_faces():
    faces = {_module(path) for path in FACES}
    below = {
        module
        for path in CODE
        if path.parts[len(ROOT.parts)] in ("recipes", "tools")
        for module, name in _imports(path)
        if module not in faces
    }
    assert sorted(below) == BELOW
