"""Who speaks each quotation, and to whom."""

from __future__ import annotations

from keras_cgru.coref.sieve.closed_words import EDGES, TERMINALS
from keras_cgru.coref.sieve.mention import Mention
from keras_cgru.coref.sieve.people import VOCATIVES
from keras_cgru.coref.sieve.pronouns import PERSON, SINGULAR
from keras_cgru.coref.sieve.state import State
from keras_cgru.coref.text.speech_verbs import SPEECH

_NEAR = 60
_TELL = frozenset(
    "told tells asked asks informed assured reminded warned begged".split()
)


def link_speakers(state: State) -> None:
    """Finds the speakers and links the first and second person to them."""
    _Speakers(state).run()


class _Speakers:
    def __init__(self, state: State) -> None:
        self.state = state
        self.words = state.text.words
        self.codes = state.text.codes
        self.entities = state.entities
        self.starting: dict[int, Mention] = {}
        self.ending: dict[int, Mention] = {}
        for mention in state.mentions:
            # Outer mentions come first and win.
            self.starting.setdefault(mention.start, mention)
            self.ending.setdefault(mention.end, mention)
        self.explicit: list[Mention | None] = []

    def run(self) -> None:
        state, entities = self.state, self.entities
        state.narrator = entities.add_unspoken(PERSON)
        for number in range(len(state.text.quotes)):
            state.speakers.append(entities.add_unspoken(PERSON))
            state.addressees.append(entities.add_unspoken(PERSON))
            entities.keep_apart(state.speakers[number], state.addressees[number])
        self.first_person_outside()
        for number in range(len(state.text.quotes)):
            speaker = self.attributed(number)
            self.explicit.append(speaker)
            if speaker is not None:
                # "said Mary": behind the verb, but its subject.
                speaker.subject = True
                entities.merge(speaker.index, state.speakers[number])
        self.vocatives()
        for number in range(1, len(state.text.quotes)):
            self.relate(number)
        self.inside()

    def first_person_outside(self) -> None:
        plural: Mention | None = None
        for mention in self.state.mentions:
            if mention.person != 1 or mention.quote >= 0:
                continue
            if mention.number == SINGULAR:
                self.entities.merge(self.state.narrator, mention.index)
            else:
                if plural is not None:
                    self.entities.merge(plural.index, mention.index)
                plural = mention

    def attributed(self, number: int) -> Mention | None:
        """The mention that the narrator names as the speaker."""
        return self.named_behind(number) or self.named_before(number)

    def named_behind(self, number: int) -> Mention | None:
        quote = self.state.text.quotes[number]
        position = self.skip(quote.end + 1)
        if position >= len(self.words) or self.state.text.quote_of[position] >= 0:
            return None
        if self.words[position] in SPEECH:
            mention = self.starting.get(self.skip(position + 1))
            return mention if self.may_speak(mention) else None
        mention = self.starting.get(position)
        if mention is None or not self.may_speak(mention):
            return None
        after = self.skip(mention.end)
        if after < len(self.words) and self.words[after] in SPEECH:
            return mention
        comma = self.words[quote.end - 1] == ","
        return mention if comma and mention.subject else None

    def named_before(self, number: int) -> Mention | None:
        quote = self.state.text.quotes[number]
        position = quote.start - 2
        if position < 0 or self.state.text.quote_of[position] >= 0:
            return None
        mark = self.words[position]
        if mark not in (",", ":") and mark not in SPEECH:
            return None
        sentence = self.state.text.sentence_of[position]
        start = self.state.text.starts[sentence]
        for verb in range(position, max(start, position - 14) - 1, -1):
            if self.state.text.quote_of[verb] >= 0:
                return None
            if self.words[verb] in SPEECH and self.codes[verb] != "N":
                return self.subject_before(verb, start)
        return self.subject_before(position, start) if mark == ":" else None

    def subject_before(self, verb: int, start: int) -> Mention | None:
        start = max(start, verb - _NEAR)
        for end in range(verb, start, -1):
            mention = self.ending.get(end)
            if mention is not None and mention.subject and self.may_speak(mention):
                return mention
        for end in range(verb, start, -1):
            mention = self.ending.get(end)
            if self.may_speak(mention):
                return mention
        return None

    def skip(self, position: int) -> int:
        while position < len(self.words) and self.codes[position] == "R":
            position += 1
        return position

    def may_speak(self, mention: Mention | None) -> bool:
        return (
            mention is not None
            and bool(mention.gender & PERSON)
            and mention.case not in ("object", "possessive", "reflexive")
            and mention.quote < 0
        )

    def vocatives(self) -> None:
        for mention in self.state.mentions:
            if mention.quote < 0 or mention.kind == "pronoun":
                continue
            if mention.kind == "noun" and not self.calls(mention):
                continue
            quote = self.state.text.quotes[mention.quote]
            before, after = mention.start - 1, mention.end
            opens = before < quote.start or self.words[before] in EDGES
            calls = before >= quote.start and self.codes[before] == "O"
            closes = after >= quote.end or self.words[after] in EDGES
            if closes and (opens or calls) and mention.gender & PERSON:
                self.entities.merge(mention.index, self.state.addressees[mention.quote])

    def calls(self, mention: Mention) -> bool:
        """Whether a noun may call somebody: "dear", "my boy"."""
        if mention.owner is not None:
            return mention.owner.person == 1
        return mention.word in VOCATIVES and mention.start == mention.head

    def relate(self, number: int) -> None:
        """Says what a quotation's speaker has to do with the one before."""
        state, entities = self.state, self.entities
        quote, before = state.text.quotes[number], state.text.quotes[number - 1]
        gap = range(before.end + 1, quote.start - 1)
        if len(gap) > _NEAR:
            return
        ends = sum(self.words[position] in TERMINALS for position in gap)
        speaker, last = state.speakers[number], state.speakers[number - 1]
        if quote.resumed or (len(gap) > 0 and not ends):
            self.same(number)
        elif len(gap) <= 0:
            entities.keep_apart(speaker, last)
            self.answers(number)
        elif self.explicit[number] is not None:
            if entities.are_apart(speaker, last):
                self.answers(number)
        elif self.explicit[number - 1] is not None and ends == 1:
            if self.words[before.end - 1] == "?":
                entities.keep_apart(speaker, last)
                self.answers(number)
            else:
                self.same(number)
        else:
            subject = self.actor(gap)
            if subject is not None and entities.merge(subject.index, speaker):
                if entities.root(last) == entities.root(speaker):
                    self.same_hearer(number)
                elif entities.are_apart(speaker, last):
                    self.answers(number)

    def same(self, number: int) -> None:
        state = self.state
        if self.entities.merge(state.speakers[number - 1], state.speakers[number]):
            self.same_hearer(number)

    def same_hearer(self, number: int) -> None:
        """Who spoke before goes on, to the same one unless another one is called."""
        before, now = self.state.addressees[number - 1], self.state.addressees[number]
        sizes, root = self.entities.sizes, self.entities.root
        if not sizes[root(before)] or not sizes[root(now)]:
            self.entities.merge(before, now)

    def answers(self, number: int) -> None:
        state = self.state
        self.entities.merge(state.addressees[number - 1], state.speakers[number])
        self.entities.merge(state.speakers[number - 1], state.addressees[number])

    def actor(self, gap: range) -> Mention | None:
        """The subject of the last sentence between two quotations."""
        text = self.state.text
        start = max(gap.start, text.starts[text.sentence_of[gap.stop - 1]])
        mention = self.starting.get(start)
        return (
            mention if mention and mention.subject and self.may_speak(mention) else None
        )

    def inside(self) -> None:
        """Links the first and second person of each quotation."""
        state, entities = self.state, self.entities
        plural: dict[int, Mention] = {}
        for mention in state.mentions:
            if mention.quote < 0 or mention.person == 3:
                continue
            if mention.person == 2:
                entities.merge(state.addressees[mention.quote], mention.index)
            elif mention.number == SINGULAR:
                entities.merge(state.speakers[mention.quote], mention.index)
            else:
                before = plural.get(mention.quote) or plural.get(mention.quote - 1)
                if before is not None:
                    entities.merge(before.index, mention.index)
                plural[mention.quote] = mention
