"""Closed word classes, each with the one-letter code that the sieve gives it.

Codes: D determiner, P personal pronoun, S possessive mark, X auxiliary, I preposition,
C conjunction, W question or relative word, R adverb, M number, T "to", O interjection,
Q quotation mark, "." end of a sentence, "," any other mark. Open classes have N noun,
E name, A adjective, V verb, G verb in -ing. Written from general knowledge of English.
"""

from __future__ import annotations

_DETERMINERS = """
a an the this that these those each every either neither some any no another such both
all many few several most yon yonder
"""

_AUXILIARIES = """
am is are was were be been being do does did have has had having can could shall should
will would may might must ought 'm 're 'll 'd 've ’m ’re ’ll ’d ’ve ca wo sha ai n't n’t
not cannot art wast wert hast hath dost doth shalt wilt canst
"""

_PREPOSITIONS = """
about above across after against along alongside amid amidst among amongst around as at
before behind below beneath beside besides between beyond by concerning despite down
during except for from in inside into like near of off on onto opposite out outside over
past per round since than through throughout till toward towards under underneath unlike
until unto up upon via with within without
"""

_CONJUNCTIONS = """
and or but nor so yet if unless because although though while whilst whereas whether &
plus cause 'cause lest
"""

_QUESTION_WORDS = """
who whom whose which what whatever whichever whoever whomever when whenever where
wherever why how however
"""

_ADVERBS = """
again ago ahead almost alone already also altogether always anyhow anymore anyway
anywhere apart aside away back backward backwards barely besides certainly clearly
downstairs downward else elsewhere enough especially even ever everywhere exactly far
finally first forever forth forward forwards further gently hardly hence here hither
home indeed indoors instead inward just largely last late lately later least less
likewise maybe meanwhile merely moreover much nearby nearly never nevertheless next
nonetheless nor now nowhere often once only otherwise outdoors outward over overhead
perhaps possibly pretty probably quite rather really scarcely seldom simply sometimes
somewhat somewhere soon still straight suddenly surely then thence there therefore
thereby thereupon thither thus today together tomorrow tonight too truly twice upstairs
upward upwards usually very well whence yes yesterday yet to-day to-morrow to-night
abroad afterwards afterward aloud anew better downtown forthwith inland likely onward
onwards presently sideways thereafter underfoot
"""

_NUMBERS = """
one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty
ninety hundred thousand million dozen
"""

_INTERJECTIONS = """
oh ah eh ha hah hey hi hello hullo hm hmm uh um er ow ouch wow yeah yep nope nah ok okay
please thanks alas o aye nay well yes no goodbye bye goodnight huh ugh gosh sure
congratulations damn dammit shit hell god jesus welcome sorry cheers amen bravo hurry
bullshit whoa yay oops
"""

_INDEFINITE = """
someone somebody something anyone anybody anything everyone everybody everything nobody
nothing none mine yours hers ours theirs oneself other others whoso self selves i.e.
e.g. etc etc. there
"""

QUOTE_MARKS = frozenset("`` '' \" “ ” ` ' ‘ ’ ’” « »".split())
TERMINALS = frozenset(". ! ? ... .. .... … ?! !? !! !!! ??".split())
# Between these a name or "dear" calls somebody.
EDGES = frozenset(", . ! ? ; : -- - ... `` '' “ ” ‘ ’ ' \"".split())
# "Chapter I" is a number and nobody.
NUMBERED = frozenset("chapter part book volume vol act scene canto section".split())
POSSESSIVE_MARKS = frozenset("'s ’s".split())


def _codes(**blocks: str) -> dict[str, str]:
    return {word: code for code, words in blocks.items() for word in words.split()}


CLOSED: dict[str, str] = {
    # Of a word in several classes the last one here wins.
    **_codes(O=_INTERJECTIONS, R=_ADVERBS, M=_NUMBERS),
    **_codes(W=_QUESTION_WORDS, I=_PREPOSITIONS, C=_CONJUNCTIONS),
    **_codes(X=_AUXILIARIES, D=_DETERMINERS, T="to na", U=_INDEFINITE),
    **dict.fromkeys(QUOTE_MARKS, "Q"),
    **dict.fromkeys(TERMINALS, "."),
    **dict.fromkeys(POSSESSIVE_MARKS, "S"),
}
"""Lower-cased word -> code; "U" is a word that no noun phrase is made of."""

# A mention may begin with these; the others say that nothing particular is meant.
DEFINITE = frozenset("the this that these those yon yonder".split())
INDEFINITE = frozenset(
    "a an some another any no each every either neither such".split()
)
SINGULAR_DETERMINERS = frozenset(
    "a an this that another each every either neither one".split()
)
PLURAL_DETERMINERS = frozenset("these those both all many few several most".split())
