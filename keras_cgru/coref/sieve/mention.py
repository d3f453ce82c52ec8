"""A mention and what the sieve knows of it."""

from __future__ import annotations

from dataclasses import dataclass

from keras_cgru.coref.sieve.pronouns import ANY_GENDER, ANY_NUMBER


@dataclass(slots=True, eq=False)
class Mention:
    """A span that may refer, with its attributes.

    Args:
        start: First token.
        end: One past the last token.
        head: The token that names the thing: "man" of "the old man".
        kind: "name", "noun" or "pronoun".
        word: The head, lower-cased and, of a plural noun, as it stands.
        person: 1, 2 or 3.
        number: Bits of `pronouns.SINGULAR` and `PLURAL` that are possible.
        gender: Bits of `MALE`, `FEMALE` and `NEUTER` that are possible.
        case: Of a pronoun: "subject", "object", "possessive", "reflexive" or "".
        definite: Begins with "the", "this", a possessive; a name too.
        indefinite: Begins with "a", "some", "no": something new.
        modifiers: The content words of the span before the head, lower-cased.
        owner: The mention whose possessive begins this one.
        sentence: Index of the sentence.
        quote: Index of the quotation it stands in, -1 for none.
        subject: Stands before a verb as its subject does.
        index: Its number among the mentions of the text.
    """

    start: int
    end: int
    head: int
    kind: str
    word: str
    person: int = 3
    number: int = ANY_NUMBER
    gender: int = ANY_GENDER
    case: str = ""
    definite: bool = False
    indefinite: bool = False
    modifiers: tuple[str, ...] = ()
    owner: Mention | None = None
    sentence: int = 0
    quote: int = -1
    subject: bool = False
    index: int = -1
