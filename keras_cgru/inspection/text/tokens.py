"""The tokens of a passage in lines, with brackets, numbers and colours for mentions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rich.style import Style
from rich.text import Text

from keras_cgru.inspection.carried import Carried
from keras_cgru.inspection.palette import COLORS, Look, ink_on
from keras_cgru.inspection.passage import Mention, Passage
from keras_cgru.inspection.text.glyphs import Glyphs
from keras_cgru.inspection.visible import columns, visible
from keras_cgru.inspection.wording import percent

BRACKETS = (("[", "]"), ("{", "}"), ("<", ">"), ("(", ")"))


def marked_tokens(
    passage: Passage,
    window: tuple[int, int],
    known: Mapping[int, Look],
    marks: Sequence[Carried],
    glyphs: Glyphs,
) -> list[Text]:
    """Each token of a window with the brackets that open and close at it.

    `[mary]1` is a mention of cluster 1; `=62 %` behind it is what it carried of the
    answer's probability. Mentions over an edge of the window open or close at it.

    Args:
        passage: The document or the query.
        window: Its first token and the one behind its last.
        known: The chains' looks. Other clusters get no colour.
        marks: What carried the answer.
        glyphs: What the stream can show.
    """
    opening, closing = brackets_for(passage.tokens)
    mentions = list(_inside(passage.mentions, window))
    # The longest opens first and closes last.
    mentions.sort(key=lambda each: each.start - each.end)
    shares = {mark.end: mark.probability for mark in marks}
    marked = []
    for place in range(*window):
        token = Text()
        ids = passage.clusters[place]
        style = mention_style(ids, known)
        starting = sum(each.start == place for each in mentions)
        token.append(opening * starting)
        token.append(visible(passage.tokens[place], glyphs.ascii), style)
        for each in reversed(mentions):
            if each.end == place + 1:
                token.append(f"{closing}{each.cluster}")
        if place + 1 in shares:
            # A space that is no place to break the line.
            share = percent(shares[place + 1]).replace(" ", "")
            token.append(f"={share}", Style(bold=True))
        marked.append(token)
    return marked


def wrap(tokens: Iterable[Text], width: int, indent: str = "  ") -> list[Text]:
    """Puts tokens into lines no wider than `width`; a longer token is broken."""
    room = max(width - len(indent), 1)
    lines: list[Text] = []
    used = room
    for token in tokens:
        for part in _parts(token, room):
            wide = columns(part.plain)
            if lines and used + 1 + wide <= room:
                lines[-1].append(" ").append_text(part)
                used += 1 + wide
            else:
                lines.append(Text(indent).append_text(part))
                used = wide
    return lines


def mention_style(ids: Sequence[int], known: Mapping[int, Look]) -> Style:
    """The colour of the innermost mention that is of a chain."""
    look = next((known[cluster] for cluster in ids if cluster in known), None)
    if look is None:
        return Style()
    color = COLORS[look.color]
    return Style(
        color=ink_on(color),
        bgcolor=color,
        underline=look.pattern in (1, 3),
        italic=look.pattern in (2, 3),
    )


def brackets_for(tokens: Iterable[str]) -> tuple[str, str]:
    """A pair of brackets that no token holds; the first where all are in use."""
    used = set("".join(tokens))
    return next((pair for pair in BRACKETS if not used & set(pair)), BRACKETS[0])


def _inside(mentions: Iterable[Mention], window: tuple[int, int]) -> Iterable[Mention]:
    first, last = window
    for start, end, cluster in mentions:
        if max(start, first) < min(end, last):
            yield Mention(max(start, first), min(end, last), cluster)


def _parts(token: Text, room: int) -> list[Text]:
    """The token, in pieces where it is too wide for a line."""
    if columns(token.plain) <= room:
        return [token]
    cuts, used = [], 0
    for place, character in enumerate(token.plain):
        wide = columns(character)
        if used and used + wide > room:
            cuts.append(place)
            used = 0
        used += wide
    return list(token.divide(cuts))
