"""Documents that are too long to be annotated at once: cut before, joined after."""
