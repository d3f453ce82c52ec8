"""The file behind `ExactResume`: a training run's variables in one .npz."""

import io
import json
import os
import struct
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from keras_cgru.files import atomic_write, to_path

_VERSION = 1
_MANIFEST = "manifest"
# What `zipfile` and `numpy` raise for damaged bytes, by where the damage is.
_DAMAGE = (
    zipfile.BadZipFile,
    EOFError,
    KeyError,
    MemoryError,  # a shape that no file holds
    NotImplementedError,
    OSError,  # a seek to where the damaged directory points
    RuntimeError,
    TypeError,
    ValueError,
    struct.error,
    zlib.error,
)


@dataclass(frozen=True)
class TrainingState:
    """Everything that a resumed run starts from.

    Attributes:
        backend: The Keras backend that trained, such as "jax".
        finished_epochs: The number of epochs behind this state.
        paths: The variables' paths, in the order of `arrays`.
        dtypes: The variables' data types, in the order of `arrays`.
        arrays: The variables' values. One of a type that NumPy lacks (bfloat16,
            float8) comes back as float32, which holds it exactly.
        generators: The states of the backend's own random generators, by device.
    """

    backend: str
    finished_epochs: int
    paths: Sequence[str]
    dtypes: Sequence[str]
    arrays: Sequence[np.ndarray]
    generators: Mapping[str, np.ndarray] = field(default_factory=dict)


def write_state(path: str | os.PathLike[str], state: TrainingState) -> None:
    """Write `state` to the .npz file `path`, replacing it as a whole."""
    manifest = {
        "version": _VERSION,
        "backend": state.backend,
        "finished_epochs": state.finished_epochs,
        "paths": list(state.paths),
        "dtypes": list(state.dtypes),
        "generators": list(state.generators),
    }
    entries: dict[str, Any] = {
        _entry(i): _storable(array) for i, array in enumerate(state.arrays)
    }
    entries |= {f"generator_{name}": s for name, s in state.generators.items()}
    entries[_MANIFEST] = np.array(json.dumps(manifest))
    with atomic_write(path) as file:
        np.savez(file, **entries)


def read_state(path: str | os.PathLike[str]) -> TrainingState:
    """Read the file that `write_state` wrote.

    Raises:
        OSError: The file cannot be read.
        ValueError: The file is truncated, damaged or another kind of file.
    """
    # Read apart: what fails from here on is the fault of the content.
    content = io.BytesIO(to_path(path).read_bytes())
    try:
        # Reading an array alone does not check its checksum; `testzip` does.
        with zipfile.ZipFile(content) as archive:
            damaged = archive.testzip()
        if damaged is not None:
            raise ValueError(f"{damaged} fails its checksum")
        content.seek(0)
        with np.load(content, allow_pickle=False) as entries:
            manifest = json.loads(str(entries[_MANIFEST]))
            if manifest["version"] != _VERSION:
                raise ValueError(
                    f"its version must be {_VERSION}, it is {manifest['version']}"
                )
            count = len(manifest["paths"])
            return TrainingState(
                backend=manifest["backend"],
                finished_epochs=int(manifest["finished_epochs"]),
                paths=manifest["paths"],
                dtypes=manifest["dtypes"],
                arrays=[entries[_entry(i)] for i in range(count)],
                generators={
                    name: entries[f"generator_{name}"]
                    for name in manifest["generators"]
                },
            )
    except _DAMAGE as error:
        raise ValueError(
            f"{path}: must be a training state that ExactResume wrote; delete it to "
            f"start anew. Received: a damaged or foreign file ({str(error)[:200]})"
        ) from error


def _entry(index: int) -> str:
    return f"variable_{index:05d}"


def _storable(array: np.ndarray) -> np.ndarray:
    # NumPy's file format knows no ml_dtypes: it would keep their bytes as void.
    return array.astype("float32") if array.dtype.kind == "V" else array
