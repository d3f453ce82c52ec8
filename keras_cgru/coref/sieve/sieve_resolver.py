"""The resolver by rules."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Sequence
from itertools import pairwise

from keras_cgru.coref.annotation import Annotation, Span
from keras_cgru.coref.resolver import check_tokens
from keras_cgru.coref.sieve.entities import Entities
from keras_cgru.coref.sieve.mention import Mention
from keras_cgru.coref.sieve.mentions import find_mentions
from keras_cgru.coref.sieve.name_genders import guess_name_genders
from keras_cgru.coref.sieve.name_pass import link_names
from keras_cgru.coref.sieve.noun_pass import link_nouns, link_owned
from keras_cgru.coref.sieve.perceptron import perceptron_tagger
from keras_cgru.coref.sieve.pronoun_pass import link_pronouns
from keras_cgru.coref.sieve.speaker_pass import link_speakers
from keras_cgru.coref.sieve.state import State
from keras_cgru.coref.sieve.text import read_text

LINKS = ("names", "nouns", "pronouns", "speakers")
Tagger = Callable[[list[str]], Sequence[str]]

# One pass after the other over the whole text, those that err least first.
_PASSES: tuple[Callable[[State], None], ...] = (
    link_names,
    link_speakers,
    link_nouns,
    guess_name_genders,
    link_pronouns,
    link_owned,
)


class SieveResolver:
    """Finds coreference by rules, without data files, in cased and lower-cased text.

    Mentions are pronouns, names and noun phrases with a determiner. Passes over the
    whole text merge them into entities, those that err least first: equal and shorter
    names; who speaks a quotation, and to whom; noun phrases that repeat a head;
    third-person pronouns; phrases with one owner ("her mother"). Each entity carries
    the gender and number of all its mentions, and nothing is merged against them.

    Args:
        links: Which mentions the clusters hold, of "names", "nouns", "pronouns" (of
            the third person) and "speakers" (pronouns of the first and second person).
            Whatever is chosen, the text is resolved as a whole: with "names" and
            "pronouns" alone, "he" is linked to the same name as with all four.
        tagger: A part-of-speech tagger: a function from the tokens of a sentence to
            Penn Treebank tags, or the path of a model for `perceptron_tagger`. None
            guesses word classes from lists and endings.

    Raises:
        ImportError: `tagger` is a path and nltk is not installed.
        OSError: `tagger` is a path that cannot be read.
        ValueError: `links` is empty or holds another word, or `tagger` is a path
            without a model.

    Example:

    >>> tokens = "`` where is my hat ? '' john asked mary . she had the hat .".split()
    >>> annotation = SieveResolver().resolve(tokens)
    >>> [[" ".join(tokens[a:b]) for a, b in cluster] for cluster in annotation.clusters]
    [['my', 'john'], ['my hat', 'the hat'], ['mary', 'she']]

    Reference:
        Lee et al. (2013), "Deterministic Coreference Resolution Based on
        Entity-Centric, Precision-Ranked Rules", https://aclanthology.org/J13-4004.
    """

    def __init__(
        self,
        links: Collection[str] = LINKS,
        tagger: Tagger | str | os.PathLike[str] | None = None,
    ) -> None:
        if isinstance(links, str) or not links or not set(links) <= set(LINKS):
            raise ValueError(
                f"`links` must hold some of {', '.join(LINKS)}. Received: {links!r}"
            )
        self.links = frozenset(links)
        if isinstance(tagger, str | os.PathLike):
            tagger = perceptron_tagger(tagger)
        self.tagger = tagger

    def resolve(
        self, tokens: Sequence[str], sentence_starts: Sequence[int] | None = None
    ) -> Annotation:
        """Finds the clusters of a text.

        Args:
            tokens: The text, one string a token, tokenised as in the Penn Treebank
                ("n't" and "'s" apart).
            sentence_starts: The position of each sentence's first token; None finds
                them.

        Returns:
            An annotation of these tokens. Its clusters hold two mentions or more.

        Raises:
            ValueError: The tokens or the sentence starts break a rule of `Annotation`,
                or the tagger's answer is not one Penn Treebank tag a token.
        """
        check_tokens(tokens)
        if sentence_starts is not None:
            sentence_starts = Annotation(
                tuple(tokens), (), tuple(sentence_starts)
            ).sentence_starts
        text = read_text(tokens, sentence_starts, self.tagger)
        mentions = find_mentions(text)
        state = State(text, mentions, Entities(mentions))
        for run in _PASSES:
            run(state)
        clusters: dict[int, list[Span]] = {}
        for mention in mentions:
            if _link(mention) in self.links:
                root = state.entities.root(mention.index)
                clusters.setdefault(root, []).append((mention.start, mention.end))
        chosen = map(_without_nesting, clusters.values())
        return Annotation(
            tuple(tokens),
            tuple(spans for spans in chosen if len(spans) > 1),
            tuple(text.starts),
        )


def _without_nesting(spans: list[Span]) -> tuple[Span, ...]:
    """Leaves out spans that hold another one of the cluster: a part is another thing.

    The spans come by their start, outer ones first.
    """
    kept = [one for one, other in pairwise(spans) if other[0] >= one[1]]
    return (*kept, spans[-1])


def _link(mention: Mention) -> str:
    """The member of `LINKS` that a mention belongs to."""
    if mention.kind == "pronoun":
        return "pronouns" if mention.person == 3 else "speakers"
    return mention.kind + "s"
