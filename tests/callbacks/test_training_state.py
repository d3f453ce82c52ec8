"""The file of a training state: what goes in comes out, or the file is refused."""

import contextlib

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keras_cgru.callbacks.training_state import TrainingState, read_state, write_state

ARRAYS = [
    np.arange(6, dtype="float32").reshape(2, 3),
    np.array(7, dtype="int64"),
    np.array([4294967295, 0], dtype="uint32"),
    np.array([1.5, -3.0], dtype=ml_dtypes.bfloat16),
]
GENERATORS = {"cpu": np.arange(4, dtype="uint8")}


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("state") / "state.npz"
    names = [f"layer/v{i}" for i in range(len(ARRAYS))]
    dtypes = [str(array.dtype) for array in ARRAYS]
    write_state(path, TrainingState("jax", 4, names, dtypes, ARRAYS, GENERATORS))
    return path


def test_round_trip(path):
    state = read_state(path)
    assert (state.backend, state.finished_epochs) == ("jax", 4)
    assert state.paths == ["layer/v0", "layer/v1", "layer/v2", "layer/v3"]
    assert state.dtypes == ["float32", "int64", "uint32", "bfloat16"]
    for want, got in zip(ARRAYS, state.arrays, strict=True):
        assert got.shape == want.shape
        np.testing.assert_array_equal(got, want.astype(got.dtype))
    np.testing.assert_equal(state.generators, GENERATORS)
    assert [str(a.dtype) for a in state.arrays] == [
        "float32",
        "int64",
        "uint32",
        "float32",
    ]


@settings(deadline=None)  # a disk has no deadline
@given(data=st.data())
def test_a_changed_byte_is_refused_or_harmless(path, data):
    """Zip files have bytes without meaning, such as times; no other may pass."""
    content = bytearray(path.read_bytes())
    where = data.draw(st.integers(0, len(content) - 1))
    content[where] ^= data.draw(st.integers(1, 255))
    damaged = path.with_name("damaged.npz")
    damaged.write_bytes(content)
    try:
        state = read_state(damaged)
    except ValueError as error:
        assert str(damaged) in str(error)
    else:
        for want, got in zip(ARRAYS, state.arrays, strict=True):
            np.testing.assert_array_equal(got, want.astype(got.dtype))


def test_each_byte_of_the_directory_may_be_damaged(path):
    """Where the offsets stand: some send a reader to before the file."""
    content = path.read_bytes()
    damaged = path.with_name("damaged.npz")
    for where in range(len(content) - 400, len(content)):
        changed = bytearray(content)
        changed[where] ^= 0xFF
        damaged.write_bytes(changed)
        with contextlib.suppress(ValueError):
            read_state(damaged)


@settings(deadline=None)  # a disk has no deadline
@given(st.data())
def test_a_cut_file_is_refused(path, data):
    content = path.read_bytes()
    cut = path.with_name("cut.npz")
    cut.write_bytes(content[: data.draw(st.integers(0, len(content) - 1))])
    with pytest.raises(ValueError, match="must be a training state"):
        read_state(cut)


def test_another_version_is_refused(path, monkeypatch):
    monkeypatch.setattr("keras_cgru.callbacks.training_state._VERSION", 2)
    with pytest.raises(ValueError, match="version must be 2, it is 1"):
        read_state(path)
