"""WikiHop as reading comprehension, and records that stand in for it."""
