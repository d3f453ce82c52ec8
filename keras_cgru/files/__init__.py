"""Files: paths, inputs, outputs that a killed process leaves whole, locks, messages."""

from keras_cgru.files.atomic_write import atomic_path, atomic_write
from keras_cgru.files.console import console
from keras_cgru.files.input_file import input_file
from keras_cgru.files.json_file import parse_json, read_json, write_json
from keras_cgru.files.json_list import read_json_list
from keras_cgru.files.lock import locked, locked_folder
from keras_cgru.files.outputs import check_output, check_output_folder
from keras_cgru.files.paths import is_empty_folder, to_path
from keras_cgru.files.short import short
from keras_cgru.files.text_lines import read_lines, split_lines

__all__ = [
    "atomic_path",
    "atomic_write",
    "check_output",
    "check_output_folder",
    "console",
    "input_file",
    "is_empty_folder",
    "locked",
    "locked_folder",
    "parse_json",
    "read_json",
    "read_json_list",
    "read_lines",
    "short",
    "split_lines",
    "to_path",
    "write_json",
]
