"""How readers of the bAbI tasks are trained: the options, and two settings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Training:
    """How every cell of a table is trained."""

    units: int = 64
    """Size of the state in each direction; even."""
    layers: int | None = None
    """Number of layers of every model; None takes each model's own, 3 or 1."""
    dropout: float = 0.3
    """Rate after each layer."""
    learning_rate: float = 0.005
    """Of Adam, at first."""
    halve_every: int = 400
    """Updates after which the learning rate is halved, again and again."""
    updates: int = 2400
    """Updates in all, unless validation is perfect before."""
    average: float | None = None
    """Momentum of a moving average of the weights, which is what is validated and
    tested; None has the weights themselves."""
    patience: int | None = 8
    """Validations in a row without a better one that end a training, one about every
    100 updates; None never ends it."""
    batch_size: int = 32
    """Questions in an update."""
    clip_norm: float = 10.0
    """Gradients are scaled down to this norm."""
    rename: float = 0.9
    """Share of the training examples whose entities get other names."""
    same_kind: bool = False
    """Whether these are names of the same kind, and not of any."""
    unknown_names: bool = False
    """Whether they are unknown words instead, names of nobody."""
    resolver: Literal["entities", "sieve"] = "entities"
    """Who links mentions: equal entity words, as the paper did, or a sieve that links
    pronouns too."""
    normalise: bool = True
    """Whether inflected words are read as one, mice as mouse."""
    by_word: bool = True
    """Whether a list or a path is answered word by word, and not as one class."""
    word_stddev: float = 0.25
    """Standard deviation of the initial word vectors."""
    share_memory: Literal["always", "softmax", "never"] = "softmax"
    """When a Coref-GRU's memory goes on from passage to question; softmax: where
    answers are classes. A pointer into the passage generalises better without."""
    query_words: bool = True
    """Whether readers are told which words of the passage stand in the question."""


SETTINGS = {
    "best": Training(),
    # Appendix B of the paper; it gives no number of updates. By 1,200 the learning
    # rate is a thousandth of the first; in 500 it falls to a sixteenth. Words of the
    # question are told there for WikiHop; without them GRU readers fall far short.
    # Word vectors as the code released for WikiHop draws them, sqrt(6 / (words + 64)),
    # and the question read without the passage's memory, as that code does.
    "paper": Training(
        dropout=0.1,
        learning_rate=0.01,
        halve_every=120,
        updates=1200,
        patience=5,
        rename=0.0,
        normalise=False,
        by_word=False,
        share_memory="never",
    ),
}
