"""Files that a killed process leaves whole, and JSON with clear errors."""

from keras_cgru.files.atomic_write import atomic_write
from keras_cgru.files.json_file import read_json, write_json

__all__ = ["atomic_write", "read_json", "write_json"]
