"""Words: stop words, inflection, one spelling of each."""
