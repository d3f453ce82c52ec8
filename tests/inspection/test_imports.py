import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2] / "keras_cgru"

SCRIPT = f"""
import sys, types
# The package without its face, which may import layers.
package = types.ModuleType("keras_cgru")
package.__path__ = [{str(PACKAGE)!r}]
sys.modules["keras_cgru"] = package
from keras_cgru.inspection import *
reading = Reading("r", Passage(["a", "b", "a"], [1, 0, 1]))
as_text(reading), as_page([reading]), reading_to_json(reading)
print(sorted({{"keras", "matplotlib", "jax", "torch"}} & set(sys.modules)))
as_image(reading)
print("matplotlib.pyplot" in sys.modules)
sys.modules["matplotlib"] = None
try:
    as_image(reading)
except ImportError as error:
    print(error)
"""


def test_neither_keras_nor_pyplot_is_imported_and_matplotlib_only_for_images():
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == [
        "[]",
        "False",
        'Images need the `matplotlib` package: pip install "keras-cgru[recipes]"',
    ]
