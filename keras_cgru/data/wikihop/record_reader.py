"""Makes examples of WikiHop's records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from keras_cgru.coref.annotation import Annotation
from keras_cgru.coref.resolver import Resolver
from keras_cgru.coref.sieve import SieveResolver
from keras_cgru.coref.text.tokenise import tokenise
from keras_cgru.data.example import Example
from keras_cgru.data.unusable_passage import UnusablePassage
from keras_cgru.data.wikihop.example_parts import (
    known_clusters,
    lower,
    metadata_of,
    tokens_of,
)
from keras_cgru.data.wikihop.find_mentions import (
    MENTION_RULES,
    MentionFinder,
    MentionRule,
    Span,
    positions_of,
)
from keras_cgru.data.wikihop.record import WikiHopRecord
from keras_cgru.data.wikihop.select_clusters import (
    NEAR_HEAD,
    NearHead,
    SelectedClusters,
    select_clusters,
)
from keras_cgru.data.wikihop.written_document import ORDER_SEED, WrittenDocument

# The number of clusters of the paper's WikiHop experiments.
NUM_CLUSTERS = 50
# Longer ones are rare; what a batch needs in memory grows with the longest.
MAX_TOKENS = 2200

NO_ANSWER = "answer not in document"
NO_CANDIDATE = "no candidate in document"
LOST_ANSWER = "answer lost to the cut"


@dataclass(frozen=True)
class ReadRecord:
    """What became of a record.

    Args:
        example: The example.
        clusters: Its clusters, with what was left out.
        num_merged: How many candidates had the same tokens as one before them.
        num_absent: How many candidates the document does not mention.
        num_cut: How many tokens were cut off.
    """

    example: Example
    clusters: SelectedClusters
    num_merged: int
    num_absent: int
    num_cut: int


@dataclass(frozen=True, kw_only=True)
class RecordReader:
    """How records become examples.

    The supports, one behind the other in an order that `order_seed` and the record
    decide, are the document. It is cut before mentions and clusters are taken. Tokens
    of document, query and candidates are in lower case; the resolver reads them as
    they are written, and never the candidates.

    Args:
        resolver: Finds the clusters. None takes those that simulated records know, and
            for others a `SieveResolver`. It reads upper and lower case, so one by exact
            match should be an `ExactMatchResolver(normalise=str.lower)`.
        num_clusters: At most so many clusters; see `select_clusters`.
        max_tokens: The length at which a document is cut; None: nowhere.
        mention_rule: Whether a mention of a candidate is all of its words ("whole"), or
            each token that equals any of them ("any_word"), as in the released code.
        near_head: Where a cluster must have a mention to co-occur with the head entity:
            in a "support" or "sentence" that mentions it; "anywhere" keeps all
            clusters. None: anywhere for the clusters that simulated records know, whose
            chains run through texts that mention neither it nor a candidate; else in
            the support.
        link_head: Whether the query's head entity has the cluster of its mentions.
        order_seed: Of the order of the supports; None leaves them as they come.

    Raises:
        ValueError: An argument is out of its range.
    """

    resolver: Resolver | None = None
    num_clusters: int | None = NUM_CLUSTERS
    max_tokens: int | None = MAX_TOKENS
    mention_rule: MentionRule = "whole"
    near_head: NearHead | None = None
    link_head: bool = False
    order_seed: int | None = ORDER_SEED

    def __post_init__(self) -> None:
        for name, least in (("num_clusters", 0), ("max_tokens", 1), ("order_seed", 0)):
            value = getattr(self, name)
            if value is not None and value < least:
                raise ValueError(
                    f"`{name}` must be at least {least}. Received: {name}={value}"
                )
        choices = (("mention_rule", MENTION_RULES), ("near_head", NEAR_HEAD))
        for name, known in choices:
            if getattr(self, name) not in (*known, *[None] * (name == "near_head")):
                raise ValueError(
                    f"`{name}` must be one of {', '.join(known)}. Received: "
                    f"{getattr(self, name)!r}"
                )

    def read(self, record: WikiHopRecord) -> ReadRecord:
        """Makes an example of a record.

        Its `metadata` are those of `metadata_of`.

        Raises:
            UnusablePassage: The document mentions no candidate, or not the answer, or
                no longer.
            ValueError: The resolver annotates other tokens than it was given.
        """
        whole = WrittenDocument.of(record.supports, record.id, self.order_seed)
        document = whole.cut(self.max_tokens)
        finder = MentionFinder(document.tokens)
        candidates = tuple(dict.fromkeys(map(tokens_of, record.candidates)))
        answer = tokens_of(record.answer)
        spans = {each: self._find(finder, each) for each in candidates}
        if not spans[answer]:
            raise UnusablePassage(self._why(whole, document, answer, spans))
        head = tokenise(record.head)[0]
        heads = finder.whole(head) if head else []
        clusters = select_clusters(
            self._annotate(record, whole).window(0, len(document.tokens)),
            [span for found in spans.values() for span in found],
            heads,
            self._passage_starts(record, document),
            self.num_clusters,
        )
        example = Example(
            id=record.id,
            document=lower(document.tokens),
            query=lower((record.relation, *head)),
            candidates=candidates,
            answer=answer,
            document_clusters=clusters.ids,
            query_clusters=self._query_clusters(clusters.ids, heads, len(head)),
            metadata=metadata_of(record, document, (record.relation, *head)),
            mentions=tuple(positions_of(found) for found in spans.values()),
        )
        num_absent = sum(not found for found in spans.values())
        num_merged = len(record.candidates) - len(candidates)
        return ReadRecord(example, clusters, num_merged, num_absent, document.num_cut)

    def _find(self, finder: MentionFinder, tokens: tuple[str, ...]) -> list[Span]:
        any_word = self.mention_rule == "any_word"
        return finder.any_word(tokens) if any_word else finder.whole(tokens)

    def _why(
        self,
        whole: WrittenDocument,
        document: WrittenDocument,
        answer: tuple[str, ...],
        spans: dict[tuple[str, ...], list[Span]],
    ) -> str:
        if document.num_cut and self._find(MentionFinder(whole.tokens), answer):
            return LOST_ANSWER
        return NO_ANSWER if any(spans.values()) else NO_CANDIDATE

    def _annotate(self, record: WikiHopRecord, document: WrittenDocument) -> Annotation:
        """The clusters of all tokens, so that stored ones serve at any length."""
        if self._knows_clusters(record):
            return known_clusters(record, document)
        resolver = self.resolver or SieveResolver()
        found = resolver.resolve(document.tokens, document.sentence_starts)
        if found.tokens != document.tokens:
            raise ValueError(
                f"{record.id}: the resolver must annotate the tokens that it is given "
                f"({len(document.tokens)}). Received: {len(found.tokens)} tokens, or "
                "others"
            )
        return found

    def _passage_starts(
        self, record: WikiHopRecord, document: WrittenDocument
    ) -> Sequence[int] | None:
        near = self.near_head
        if near is None:
            near = "anywhere" if self._knows_clusters(record) else "support"
        if near == "anywhere":
            return None
        starts = document.document_starts, document.sentence_starts
        return starts[near == "sentence"]

    def _knows_clusters(self, record: WikiHopRecord) -> bool:
        return self.resolver is None and record.mentions is not None

    def _query_clusters(
        self, ids: Sequence[int], heads: Sequence[Span], num_words: int
    ) -> tuple[int, ...]:
        linked = Counter(
            ids[position]
            for position in positions_of(heads)
            if self.link_head and ids[position]
        )
        most = linked.most_common(1)
        return (0, *[most[0][0] if most else 0] * num_words)
