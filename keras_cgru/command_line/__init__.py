"""What the command lines of recipes and tools share."""

from keras_cgru.command_line.checks import check_counts, refuse
from keras_cgru.command_line.run_command import run_command
from keras_cgru.command_line.say import say

__all__ = ["check_counts", "refuse", "run_command", "say"]
