"""Files: paths, inputs, outputs that a killed process leaves whole, locks, messages."""

from keras_cgru.files.atomic_write import atomic_write
from keras_cgru.files.console import Console, console
from keras_cgru.files.input_file import input_file
from keras_cgru.files.json_file import parse_json, read_json, write_json
from keras_cgru.files.lock import locked, locked_folder
from keras_cgru.files.outputs import check_output, check_output_folder
from keras_cgru.files.paths import is_empty_folder, to_path
from keras_cgru.files.short import short
from keras_cgru.files.text_lines import read_lines

__all__ = [
    "Console",
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
    "read_lines",
    "short",
    "to_path",
    "write_json",
]
