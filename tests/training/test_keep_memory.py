"""Freed memory is kept: the next buffer of its size has been touched before."""

import platform
import subprocess
import sys

import pytest

from keras_cgru.training.keep_memory import keep_memory

# Pages that had to be fetched for the third of three buffers of 48 MiB.
SCRIPT = """
import importlib.util, resource, sys
import numpy as np
spec = importlib.util.spec_from_file_location("keep_memory", sys.argv[1])
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
if sys.argv[2] == "kept":
    assert module.keep_memory()
for _ in range(3):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    np.ones(6 * 2**20)
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


def faults(how):
    file = sys.modules[keep_memory.__module__].__file__
    command = [sys.executable, "-c", SCRIPT, file, how]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return int(done.stdout)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="needs glibc")
def test_a_buffer_is_used_again():
    # 12,288 pages of 4 KiB, fewer where the system has larger ones.
    given_back, kept = faults("given back"), faults("kept")
    assert given_back > 20
    assert kept < given_back / 4


def test_another_c_library(monkeypatch):
    monkeypatch.setattr(sys, "platform", "darwin")
    assert not keep_memory()
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr("ctypes.CDLL", lambda name: object())
    assert not keep_memory()
