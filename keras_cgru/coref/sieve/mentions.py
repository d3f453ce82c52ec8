"""Finds mentions: pronouns, names and noun phrases."""

from __future__ import annotations

from dataclasses import dataclass

from keras_cgru.coref.sieve.attributes import set_attributes
from keras_cgru.coref.sieve.closed_words import (
    CLOSED,
    DEFINITE,
    EDGES,
    INDEFINITE,
    NUMBERED,
)
from keras_cgru.coref.sieve.lexicon import is_plural
from keras_cgru.coref.sieve.mention import Mention
from keras_cgru.coref.sieve.names import is_kin_name
from keras_cgru.coref.sieve.people import PERSON_NOUNS, TIMES, TITLES, VOCATIVES
from keras_cgru.coref.sieve.pronouns import PRONOUNS
from keras_cgru.coref.sieve.text import Text

# "the end of the street of the town of ...": so many within one another.
_MAX_DEPTH = 4
_STARTS = frozenset("DpAMNE")
_ADVERBS_IN_PHRASE = frozenset("very most more too so rather quite less least".split())
# "Any nook", "no table": nothing that a later word could take up.
_EMPTY = frozenset("no any every each either neither".split())
_PREDETERMINERS = frozenset("all both half such many quite".split())


def find_mentions(text: Text) -> list[Mention]:
    """Gives the mentions of a text, sorted by their start, outer ones first."""
    finder = _Finder(text)
    finder.run()
    found = sorted(finder.found, key=lambda mention: (mention.start, -mention.end))
    for index, mention in enumerate(found):
        mention.index = index
        mention.sentence = text.sentence_of[mention.start]
        mention.quote = text.quote_of[mention.start]
        set_attributes(mention, text)
    return found


@dataclass(slots=True)
class _Phrase:
    """The core of a noun phrase, determiner to head."""

    start: int
    head: int
    determiner: str
    owner: Mention | None


class _Finder:
    def __init__(self, text: Text) -> None:
        self.words = text.words
        self.codes = text.codes
        self.count = len(text.words)
        self.found: list[Mention] = []

    def run(self) -> None:
        position = 0
        while position < self.count:
            code = self.codes[position]
            if code == "P":
                self.pronoun(position)
                position += 1
            elif code in _STARTS:
                position = self.phrase(position)
            else:
                position += 1

    def pronoun(self, position: int) -> Mention | None:
        word = self.words[position]
        if word == "i" and position and self.words[position - 1] in NUMBERED:
            return None
        facts = PRONOUNS[word]
        mention = Mention(
            position,
            position + 1,
            position,
            "pronoun",
            word,
            facts.person,
            facts.number,
            facts.gender,
            "possessive" if self.codes[position] == "p" else facts.case,
        )
        self.found.append(mention)
        return mention

    def phrase(self, start: int, depth: int = 0) -> int:
        """Reads a noun phrase with its possessives; gives where to go on."""
        core, position = self.core(start, None)
        owners = 0
        while core is not None:
            mention = self.mention(core, position)
            owners += 1
            if owners > _MAX_DEPTH or not self.possessive(position):
                if mention is not None:
                    self.found.append(mention)
                    position = self.of_phrase(mention, position, depth)
                break
            following, after = self.core(position + 1, mention)
            if mention is not None:
                self.found.append(mention)
            if following is None:
                break
            following.start = core.start
            core, position = following, after
        return max(position, start + 1)

    def core(self, start: int, owner: Mention | None) -> tuple[_Phrase | None, int]:
        codes, words = self.codes, self.words
        position = start
        determiner = ""
        if codes[position] == "D" and owner is None:
            determiner = words[position]
            position += 1
            if (
                position < self.count
                and determiner in _PREDETERMINERS
                and codes[position] == "D"
            ):
                determiner = words[position]
                position += 1
        if position < self.count and codes[position] == "p" and owner is None:
            owner = self.pronoun(position)
            determiner = "'s"
            position += 1
        head = -1
        while position < self.count:
            code = codes[position]
            if code in "NE":
                if head >= 0 and code != codes[head] and self.parts(head, determiner):
                    break
                head = position
            elif code == "A" or code == "M":
                if head >= 0:
                    break
            elif not (head < 0 and self.joins(position)):
                break
            position += 1
        if head < 0 and position > start and words[position - 1] in VOCATIVES:
            # "dear" is an adjective but where it calls somebody.
            head = position - 1
            start = start if determiner else head
        if head < 0:
            return None, position
        return _Phrase(start, head, determiner, owner), head + 1

    def parts(self, head: int, determiner: str) -> bool:
        """Whether a name and a noun that meet behind `head` are two phrases."""
        if self.codes[head] == "E":
            # "the London nursery" is one, "Margaret half (suspected)" is not.
            return not determiner
        # "her aunt Shaw" is one, "the words Margaret (heard)" is not.
        return self.words[head] not in PERSON_NOUNS and self.words[head] not in TITLES

    def joins(self, position: int) -> bool:
        """Whether an adverb, a comma or "and" stands between adjectives here."""
        word = self.words[position]
        if position + 1 >= self.count:
            return False
        after = self.codes[position + 1]
        if word in _ADVERBS_IN_PHRASE or self.codes[position] == "R":
            # Before a noun, what looks like an adverb is an adjective: "burly men".
            return after == "A" or (after in "NE" and word.endswith("ly"))
        if word in (",", "and", "but"):
            goes_on = after == "A" or self.words[position + 1] in _ADVERBS_IN_PHRASE
            return goes_on and self.codes[position - 1] == "A"
        return False

    def possessive(self, position: int) -> bool:
        """Whether a possessive mark at `position` binds what follows."""
        if position + 1 >= self.count:
            return False
        word = self.words[position]
        if self.codes[position] != "S":
            if word != "'" or not self.words[position - 1].endswith("s"):
                return False
        after = position + 1
        if self.codes[after] == "E" and self.codes[position - 1] == "N":
            # "his name 's George"
            return self.words[position - 1] in PERSON_NOUNS
        while after < self.count and self.codes[after] in "AM":
            after += 1
        return after < self.count and self.codes[after] in "NE"

    def of_phrase(self, mention: Mention, position: int, depth: int) -> int:
        """Takes "of" and a noun phrase into the mention before."""
        if (
            depth >= _MAX_DEPTH
            or position + 1 >= self.count
            or self.words[position] != "of"
            or self.codes[position + 1] not in _STARTS
        ):
            return position
        before = len(self.found)
        end = self.phrase(position + 1, depth + 1)
        if len(self.found) > before and mention.kind == "noun":
            mention.end = max(found.end for found in self.found[before:])
        return end

    def mention(self, core: _Phrase, end: int) -> Mention | None:
        """The mention of a phrase, or None where it names nothing particular."""
        words, codes, head = self.words, self.codes, core.head
        word = words[head]
        name = codes[head] == "E" and (not core.determiner or core.determiner == "the")
        bare = not core.determiner and core.owner is None
        if bare and not name:
            before = words[core.start - 1] if core.start else "."
            if head == core.start and is_kin_name(word, before):
                name = True
            elif word in VOCATIVES and self.words[head - 1] in EDGES:
                pass
            elif word in PERSON_NOUNS and is_plural(word):
                pass
            elif codes[core.start] == "M" and is_plural(word):
                pass
            else:
                return None
        if word in TIMES and not name:
            return None
        if core.determiner in _EMPTY and word not in PERSON_NOUNS:
            return None
        first = core.start
        while first < head and codes[first] in "Dp":
            first += 1
        return Mention(
            core.start,
            end,
            head,
            "name" if name else "noun",
            word,
            definite=name or core.owner is not None or core.determiner in DEFINITE,
            indefinite=core.determiner in INDEFINITE,
            modifiers=tuple(
                words[i]
                for i in range(first, head)
                if codes[i] in "NEAM" or (codes[i] == "R" and words[i] not in CLOSED)
            ),
            owner=core.owner,
        )
