"""Readings as a page for the browser."""

from keras_cgru.inspection.html.page import as_page, write_page

__all__ = ["as_page", "write_page"]
