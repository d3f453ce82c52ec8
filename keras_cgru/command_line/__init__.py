"""What the command lines of recipes and tools share."""

from keras_cgru.command_line.checks import check_counts, refuse
from keras_cgru.command_line.options import Flat, Positional
from keras_cgru.command_line.run_command import run_command
from keras_cgru.command_line.say import print_in_utf8, say

__all__ = [
    "Flat",
    "Positional",
    "check_counts",
    "print_in_utf8",
    "refuse",
    "run_command",
    "say",
]
