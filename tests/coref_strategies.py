"""Annotated texts for hypothesis."""

from __future__ import annotations

from hypothesis import strategies as st

from keras_cgru.coref import Annotation, Document

# Words that tokenisers and file formats have trouble with, beside plain ones.
WORDS = ["ann", "Ben", "it", "-LRB-", "``", "''", "#", "(3)", "é", "do", "n't", "…"]


@st.composite
def spans(draw, length: int, longest: int = 6):
    start = draw(st.integers(0, length - 1))
    return start, draw(st.integers(start + 1, min(start + longest, length)))


@st.composite
def annotations(draw, max_tokens: int = 14, words=WORDS, one_token: bool = False):
    """Any annotation: spans nest, cross, and stand in several clusters."""
    tokens = draw(st.lists(st.sampled_from(words), max_size=max_tokens))
    if not tokens:
        return Annotation(())
    longest = 1 if one_token else 6
    cluster = st.frozensets(spans(len(tokens), longest), min_size=1, max_size=4)
    clusters = draw(st.frozensets(cluster, max_size=4))
    starts = draw(st.frozensets(st.integers(0, len(tokens) - 1))) | {0}
    return Annotation(tokens, [list(each) for each in clusters], sorted(starts))


def documents(**options):
    """Lists of documents with distinct names."""
    return st.lists(annotations(**options), max_size=3).map(
        lambda found: [Document(f"doc-{i}", each) for i, each in enumerate(found)]
    )
