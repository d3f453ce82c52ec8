"""The rows of the bAbI tables, and the settings that they are trained with."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ModelRow:
    """A row: its recurrence and number of layers, and how it is called.

    Args:
        title: As in the paper's Table 1.
        recurrence: See `ga_reader`.
        layers: Number K of gated-attention layers.
        random_links: Whether coreference is replaced with as many random links.
    """

    title: str
    recurrence: str
    layers: int
    random_links: bool = False


MODELS = {
    "bi_gru": ModelRow("Bi-GRU", "gru", 1),
    "bi_coref_gru": ModelRow("Bi-C-GRU", "coref_gru", 1),
    "ga_gru": ModelRow("GA w/ GRU", "gru", 3),
    "ga_gru_onehot": ModelRow("GA w/ GRU + 1-hot", "gru_onehot", 3),
    "ga_coref_gru": ModelRow("GA w/ C-GRU", "coref_gru", 3),
    "ga_random_gru": ModelRow("GA w/ random-GRU", "coref_gru", 3, random_links=True),
}


@dataclass(frozen=True)
class Training:
    """How every cell of a table is trained.

    Args:
        units: Size of the state in each direction.
        layers: Number of layers of every model; None takes each model's own.
        dropout: Rate after each layer.
        learning_rate: Of Adam, at first.
        halve_every: Updates after which the learning rate is halved, again and again.
        updates: Updates in all, unless validation is perfect before.
        average: Momentum of a moving average of the weights, which is what is
            validated and tested; None has the weights themselves.
        patience: Validations in a row without a better one that end a training, one
            about every 100 updates; None never ends it.
        batch_size: Questions in an update.
        clip_norm: Gradients are scaled down to this norm.
        rename: Share of the training examples whose entities get other names.
        same_kind: Whether these are names of the same kind, and not of any.
        unknown_names: Whether they are unknown words instead, names of nobody.
        resolver: Who links the mentions: "entities" links equal entity words, as the
            paper did, "sieve" is `SieveResolver`.
        normalise: Whether inflected words are read as one, "mice" as "mouse".
        by_word: Whether a list or a path is answered word by word, and not as one
            class.
        word_stddev: Standard deviation of the initial word vectors. Where it is large,
            more questions are learnt by heart.
        share_memory: When a Coref-GRU's memory goes on from passage to question, as if
            both were one text: "always", "never", or with the "softmax" head alone. A
            pointer into the passage generalises better without.
        query_words: Whether the reader is told which words of the passage stand in
            the question (`query_word_layer` of `ga_reader`, with the word vectors).
    """

    units: int = 64
    layers: int | None = None
    dropout: float = 0.3
    learning_rate: float = 0.005
    halve_every: int = 400
    updates: int = 2400
    average: float | None = None
    patience: int | None = 8
    batch_size: int = 32
    clip_norm: float = 10.0
    rename: float = 0.9
    same_kind: bool = False
    unknown_names: bool = False
    resolver: str = "entities"
    normalise: bool = True
    by_word: bool = True
    word_stddev: float = 0.25
    share_memory: str = "softmax"
    query_words: bool = True


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
        word_stddev=0.25,
        share_memory="never",
        query_words=True,
    ),
}
