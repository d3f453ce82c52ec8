"""Names of one person or place: the same words, or a part of a fuller name."""

from __future__ import annotations

from keras_cgru.coref.sieve.mention import Mention
from keras_cgru.coref.sieve.people import FEMALE_TITLES, TITLES
from keras_cgru.coref.sieve.state import State


def link_names(state: State) -> None:
    """Merges names that are equal, then names of which one is a part of the other."""
    names = [mention for mention in state.mentions if mention.kind == "name"]
    for mention in state.mentions:
        words = _name_words(state, mention)
        if words:
            state.entities.names[mention.index] = words
    by_words: dict[tuple[str, ...], Mention] = {}
    for mention in names:
        key = _words(state, mention)
        first = by_words.setdefault(key, mention)
        if first is not mention:
            state.entities.merge(first.index, mention.index)
    fuller: dict[str, list[Mention]] = {}
    for key, mention in by_words.items():
        for word in {key[0], key[-1]}:
            fuller.setdefault(word, []).append(mention)
    for key, mention in by_words.items():
        bare = _without_titles(key)
        if not bare:
            continue
        for other in fuller.get(bare[-1], ()):
            longer = _words(state, other)
            if other is mention or not _is_part(bare, _without_titles(longer)):
                continue
            if not _titles_differ(key, longer):
                state.entities.merge(mention.index, other.index)


def _name_words(state: State, mention: Mention) -> frozenset[str]:
    """The words that name whom a mention names: of "her aunt Shaw", "shaw"."""
    text = state.text
    if mention.kind == "pronoun" or text.codes[mention.head] != "E":
        return frozenset()
    span = range(mention.start, mention.head + 1)
    words = (text.words[i] for i in span if text.codes[i] == "E")
    return frozenset(word for word in words if word not in TITLES)


def _words(state: State, mention: Mention) -> tuple[str, ...]:
    words = state.text.words[mention.start : mention.end]
    return tuple(words[1:] if words[0] == "the" and len(words) > 1 else words)


def _without_titles(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word for word in words if word not in TITLES)


def _titles_differ(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether both have a title, and just one of them a woman's: Mrs. and General."""
    titles = [TITLES.intersection(words) for words in (one, other)]
    women = [bool(FEMALE_TITLES & each) for each in titles]
    return all(titles) and women[0] != women[1]


def _is_part(short: tuple[str, ...], full: tuple[str, ...]) -> bool:
    if not full:
        return False
    return short == full or (len(short) == 1 and short[0] in (full[0], full[-1]))
