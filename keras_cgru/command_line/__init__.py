"""What the command lines of recipes and tools share."""

from keras_cgru.command_line.checks import check_counts, refuse
from keras_cgru.command_line.run_command import run_command
from keras_cgru.command_line.say import print_in_utf8, say

__all__ = ["check_counts", "refuse", "print_in_utf8", "run_command", "say"]
