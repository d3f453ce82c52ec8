"""What an example of WikiHop is made of, beside mentions and clusters."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from keras_cgru.coref.annotation import Annotation
from keras_cgru.coref.text.tokenise import tokenise
from keras_cgru.data.wikihop.record import WikiHopRecord
from keras_cgru.data.wikihop.written_document import WrittenDocument


def support_span(metadata: Mapping[str, Any], token: int) -> tuple[int, int, int]:
    """Where a token of an example's document stands in the record.

    Args:
        metadata: The example's.
        token: A position in its document.

    Returns:
        The support's place in the record, and the characters [start, end) of it.
    """
    number = sum(start <= token for start in metadata["document_starts"]) - 1
    start, end = metadata["token_offsets"][2 * token : 2 * token + 2]
    return metadata["support_order"][number], start, end


def metadata_of(
    record: WikiHopRecord, document: WrittenDocument, query: tuple[str, ...]
) -> dict[str, object]:
    """What an example says beside its tokens and clusters.

    * `annotations`, `relation`: as the record has them;
    * `written_document`, `written_query`: the tokens before they were put in lower
      case, as many as the example's;
    * `sentence_starts`, `document_starts`: the position of the first token of each
      sentence and of each support;
    * `support_order`: which of the record's supports each of these is;
    * `token_offsets`: an array of two numbers a token, the characters [start, end) of
      its support; see `support_span`;
    * `simulated`, if the package made the record up.

    Args:
        record: The record.
        document: Its supports, cut.
        query: The tokens of its query as they are written.
    """
    return {
        "relation": record.relation,
        "annotations": record.annotations,
        "written_document": document.tokens,
        "written_query": query,
        "sentence_starts": document.sentence_starts,
        "document_starts": document.document_starts,
        "support_order": document.support_order,
        "token_offsets": document.offsets,
        **({"simulated": True} if record.simulated else {}),
    }


def known_clusters(record: WikiHopRecord, document: WrittenDocument) -> Annotation:
    """The clusters that a simulated record comes with, as token positions.

    Args:
        record: The record; without `mentions` there is no cluster.
        document: Its supports, whole.
    """
    clusters = set()
    for cluster in record.mentions or ():
        places = {document.place(span) for span in cluster}
        clusters.add(tuple(sorted(each for each in places if each is not None)))
    found = tuple(cluster for cluster in clusters if cluster)
    return Annotation(document.tokens, found, document.sentence_starts)


@lru_cache(maxsize=1 << 16)
def tokens_of(candidate: str) -> tuple[str, ...]:
    """The tokens of a candidate, in lower case."""
    return lower(tokenise(candidate)[0] or (candidate.strip(),))


def lower(tokens: Sequence[str]) -> tuple[str, ...]:
    """Tokens in lower case and in Unicode's composed form."""
    return tuple(map(_lower_token, tokens))


# One string a word: a corpus has some thousands of words and some millions of tokens.
@lru_cache(maxsize=1 << 18)
def _lower_token(token: str) -> str:
    return unicodedata.normalize("NFC", token).lower()
