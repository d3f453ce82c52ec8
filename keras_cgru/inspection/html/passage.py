"""The tokens of a passage as HTML."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from xml.etree.ElementTree import Element

from keras_cgru.inspection.carried import Carried
from keras_cgru.inspection.html.elements import classes, element
from keras_cgru.inspection.palette import Look
from keras_cgru.inspection.passage import DIRECTIONS, Mention, Passage
from keras_cgru.inspection.visible import visible
from keras_cgru.inspection.wording import count, percent

ARROWS = {"forward": "→", "backward": "←"}


def passage_element(
    name: str,
    passage: Passage,
    window: tuple[int, int],
    known: Mapping[int, Look],
    marks: Sequence[Carried],
) -> Element:
    """A section of a passage's tokens, with a note of those outside the window."""
    length = len(passage.tokens)
    return element(
        "section",
        element("h3", f"{name}, {count(length, 'token')}"),
        *_note(window[0], "before"),
        element(
            "p",
            *_Tokens(passage, window, known, marks).runs(),
            class_=classes("tokens", "read" if passage.alpha else ""),
        ),
        *_note(length - window[1], "after"),
    )


class _Tokens:
    """A window of a passage, with what is asked of each token looked up beforehand."""

    def __init__(
        self,
        passage: Passage,
        window: tuple[int, int],
        known: Mapping[int, Look],
        marks: Sequence[Carried],
    ) -> None:
        self.passage, self.window, self.known = passage, window, known
        self.marks = {
            place: mark for mark in marks for place in range(mark.start, mark.end)
        }
        self.layers = list(dict.fromkeys(layer for layer, _ in passage.alpha))
        self.linked = set(passage.linked)
        self.opening: dict[int, list[Mention]] = {}
        self.closing: dict[int, list[Mention]] = {}
        self.bracketed: set[tuple[int, int]] = set()
        for mention in filter(self._is_around_others, passage.mentions):
            start = max(mention.start, window[0])
            end = min(mention.end, window[1])
            if start < end:
                self.opening.setdefault(start, []).append(mention)
                # The longest opens first and closes last.
                self.closing.setdefault(end - 1, []).insert(0, mention)
                self.bracketed.update((at, mention.cluster) for at in range(start, end))

    def runs(self) -> Iterator[Element | str]:
        """Neighbouring tokens of one innermost cluster together, spaces between all."""
        ids = self.passage.clusters
        for cluster, run in groupby(
            range(*self.window), lambda place: next(iter(ids[place]), 0)
        ):
            places = list(run)
            numbers: dict[int, list[Element]] = {}
            # A bracket has a number of its own.
            if cluster and (places[-1], cluster) not in self.bracketed:
                numbers[places[-1]] = [element("sub", str(cluster))]
            inside: list[Element | str] = []
            for place in places:
                inside += [" "] if inside else []
                inside += self._token(place, numbers.get(place, []))
            yield from [self._mark(cluster, inside)] if cluster else inside
            yield " "

    def _mark(self, cluster: int, inside: list[Element | str]) -> Element:
        look, id = self._look(cluster), str(cluster)
        return element("mark", *inside, class_=look, data_c=id, tabindex="0")

    def _token(self, place: int, number: list[Element]) -> list[Element | str]:
        opening = [self._bracket("[", each) for each in self.opening.get(place, ())]
        closing = [
            self._bracket(f"]{each.cluster}", each)
            for each in self.closing.get(place, ())
        ]
        word = visible(self.passage.tokens[place])
        mark = self.marks.get(place)
        if mark is None and place not in self.linked and not number:
            return [*opening, word, *closing]
        parts = [element("span", word, *number, class_="w")]
        if mark is not None and place == mark.start:
            parts.append(element("small", percent(mark.probability)))
        parts += self._bars(place)
        names = "" if mark is None else "said" if mark.predicted else "rival"
        token = element(
            "span", *parts, class_=classes("t", names), title=self._weights(place)
        )
        return [*opening, token, *closing]

    def _bars(self, place: int) -> list[Element]:
        if place not in self.linked:
            return []
        alpha = self.passage.alpha
        strips = []
        for direction in DIRECTIONS:
            bars = []
            for layer in self.layers:
                weights = alpha.get((layer, direction))  # type: ignore[call-overload]
                weight = None if weights is None else weights[place]
                link = None if weight is None else f"--l:{100 * (1 - weight):.0f}%"
                bars.append(element("i", style=link))
            if any((layer, direction) in alpha for layer in self.layers):
                strips.append(element("span", *bars, class_="bars", aria_hidden="true"))
        return strips

    def _weights(self, place: int) -> str | None:
        """All weights of a token, for pointers and screen readers."""
        found = [
            f"{visible(layer)}{ARROWS[direction]} {weights[place]:.2f}"
            for (layer, direction), weights in self.passage.alpha.items()
            if weights[place] is not None
        ]
        return f"α {', '.join(found)}" if found else None

    def _bracket(self, text: str, mention: Mention) -> Element:
        return element(
            "b", text, class_=self._look(mention.cluster), data_c=str(mention.cluster)
        )

    def _look(self, cluster: int) -> str | None:
        look = self.known.get(cluster)
        return f"k{look.color} p{look.pattern}" if look else None

    def _is_around_others(self, mention: Mention) -> bool:
        ids = self.passage.clusters[mention.start : mention.end]
        return any(each[0] != mention.cluster for each in ids)


def _note(number: int, where: str) -> list[Element]:
    if not number:
        return []
    text = f"… {count(number, 'token')} {where}, not shown"
    return [element("p", text, class_="note")]
