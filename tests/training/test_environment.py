"""What a run's config says of the machine."""

import importlib.metadata
import json
import platform

import keras

import keras_cgru
from keras_cgru.training import environment


def test_backend_and_devices_are_the_active_ones():
    found = environment()
    assert found["backend"] == keras.backend.backend()
    assert found["platform"] == platform.platform()
    assert len(found["devices"]) == len(set(found["devices"])) >= 1
    assert all(":" in device for device in found["devices"])
    assert found["processor"] and found["cores"] >= 1


def test_versions_are_of_what_is_installed():
    versions = environment()["versions"]
    assert versions["python"] == platform.python_version()
    assert versions["keras_cgru"] == keras_cgru.__version__
    assert {"keras", "numpy", keras.backend.backend()} <= set(versions)
    for package in set(versions) - {"python", "keras_cgru"}:
        assert versions[package] == importlib.metadata.version(package)


def test_package_that_is_not_installed_is_left_out(monkeypatch):
    def version(package):
        if package == "numpy":
            raise importlib.metadata.PackageNotFoundError(package)
        return "1.0"

    monkeypatch.setattr(importlib.metadata, "version", version)
    versions = environment()["versions"]
    assert "numpy" not in versions
    assert versions["keras"] == "1.0"


def test_it_goes_into_json():
    found = environment()
    assert json.loads(json.dumps(found)) == found
