"""Saved readers load in a new process, in the default safe mode (scenario 28)."""

import numpy as np
import pytest
from reader_variants import VARIANTS

LOAD = """
import keras, numpy as np
import keras_cgru

batch = dict(np.load("{folder}/batch.npz"))
for number in range({count}):
    model = keras.saving.load_model(f"{folder}/{{number}}.keras")
    np.save(f"{folder}/{{number}}.npy", model.predict(batch, verbose=0))
print("loaded")
"""


@pytest.fixture(scope="module")
def reloaded(tmp_path_factory, readers, batch, run_python):
    """What the saved readers predict in a process of their own, by variant."""
    folder = tmp_path_factory.mktemp("readers")
    np.savez(folder / "batch.npz", **batch)
    for number, variant in enumerate(VARIANTS):
        readers[variant].save(folder / f"{number}.keras")
    script = LOAD.format(folder=folder, count=len(VARIANTS))
    assert run_python(script).strip().endswith("loaded")
    return {v: np.load(folder / f"{n}.npy") for n, v in enumerate(VARIANTS)}


@pytest.mark.parametrize("variant", VARIANTS)
def test_loads_without_custom_objects(reloaded, readers, batch, predict, variant):
    """Scenario 28."""
    want = predict(readers[variant], batch)
    np.testing.assert_allclose(reloaded[variant], want, atol=1e-6)
