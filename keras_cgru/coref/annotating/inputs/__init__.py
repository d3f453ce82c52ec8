"""What users bring: files of many kinds, as documents that are to be annotated."""
