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
            state.entities.set_names(mention.index, words)
    by_words: dict[tuple[str, ...], Mention] = {}
    for mention in names:
        key = _words(state, mention)
        first = by_words.setdefault(key, mention)
        if first is not mention:
            state.entities.merge(first.index, mention.index)
    _link_parts(state, by_words)


def _link_parts(state: State, by_words: dict[tuple[str, ...], Mention]) -> None:
    entities = state.entities
    fuller: dict[tuple[str, ...], list[tuple[Mention, bool | None]]] = {}
    for words, mention in by_words.items():
        bare = _without_titles(words)
        for part in {bare, bare[:1], bare[-1:]} - {()}:
            if part[-1] in (words[0], words[-1]):
                fuller.setdefault(part, []).append((mention, _womans_title(words)))
    for words, mention in by_words.items():
        bare = _without_titles(words)
        title = _womans_title(words)
        for other, other_title in fuller.get(bare, ()):
            # Mrs. and General are two.
            if title is None or other_title is None or title == other_title:
                entities.merge(mention.index, other.index)
        if bare in fuller:
            # Of what is one by now, one mention a kind of title is enough for the rest.
            kept = {
                (entities.root(each[0].index), each[1]): each for each in fuller[bare]
            }
            fuller[bare] = list(kept.values())


def _name_words(state: State, mention: Mention) -> set[str]:
    """The words that name whom a mention names: of "her aunt Shaw", "shaw"."""
    text = state.text
    if mention.kind == "pronoun" or text.codes[mention.head] != "E":
        return set()
    span = range(mention.start, mention.head + 1)
    words = (text.words[i] for i in span if text.codes[i] == "E")
    return {word for word in words if word not in TITLES}


def _words(state: State, mention: Mention) -> tuple[str, ...]:
    words = state.text.words[mention.start : mention.end]
    return tuple(words[1:] if words[0] == "the" and len(words) > 1 else words)


def _without_titles(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word for word in words if word not in TITLES)


def _womans_title(words: tuple[str, ...]) -> bool | None:
    """Whether there is a woman's among the titles; None where there is no title."""
    return (
        bool(FEMALE_TITLES.intersection(words)) if TITLES.intersection(words) else None
    )
