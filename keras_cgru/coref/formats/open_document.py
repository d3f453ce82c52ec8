"""A document of a CoNLL-2012 file while its rows come in."""

from __future__ import annotations

import re

from keras_cgru.coref.annotation import Span
from keras_cgru.coref.document import Document
from keras_cgru.coref.formats.fields import make_document, refuse

_MENTION = re.compile(r"(\()?(\d+)(\))?")
_NONE = frozenset(("-", "_", ""))
# What OntoNotes' files have in the place of each word before these are filled in.
PLACEHOLDER = "[WORD]"


class OpenDocument:
    """Collects tokens, sentences and mentions, and checks each row.

    Args:
        id: The document's name.
        where: File and line at which it begins.
    """

    def __init__(self, id: str, where: str) -> None:
        self.id = id
        self.where = where
        self._tokens: list[str] = []
        self._starts: list[int] = []
        self._in_sentence = False
        self._num_columns = 0
        self._clusters: dict[str, list[Span]] = {}
        # Of each cluster the mentions that have no end yet, the latest last.
        self._open: dict[str, list[tuple[int, str]]] = {}

    def add(self, where: str, columns: list[str]) -> None:
        """Takes the columns of a row."""
        if not self._in_sentence:
            self._starts.append(len(self._tokens))
            self._num_columns = len(columns)
            self._in_sentence = True
        if len(columns) != self._num_columns:
            rule = f"a row must have {self._num_columns} columns as the row above"
            refuse(where, rule, str(len(columns)))
        index = len(self._tokens) - self._starts[-1]
        if columns[2] != str(index):
            refuse(where, f"the third column must be {index}", repr(columns[2]))
        if not columns[3]:
            refuse(where, "the fourth column must hold a word", "an empty one")
        if columns[3] == PLACEHOLDER:
            rule = (
                "the fourth column must hold a word, as a script of the corpus fills in"
            )
            refuse(where, rule, f"{PLACEHOLDER}, which stands for one")
        self._tokens.append(columns[3])
        if columns[-1] not in _NONE:
            self._take_mentions(where, columns[-1])

    def end_sentence(self) -> None:
        """Takes an empty line."""
        self._in_sentence = False

    def close(self, where: str) -> Document:
        """Takes the end of the document."""
        for cluster, opened in self._open.items():
            for _, line in opened:
                rule = f"the mention of cluster {cluster} must end in its document"
                refuse(line, rule, f"no end up to {where}")
        clusters = self._clusters.values()
        return make_document(self.where, self.id, self._tokens, clusters, self._starts)

    def _take_mentions(self, where: str, cell: str) -> None:
        matches = [_MENTION.fullmatch(each) for each in cell.split("|")]
        token = len(self._tokens) - 1
        parts = [
            match.groups() for match in matches if match and any(match.groups()[::2])
        ]
        if len(parts) < len(matches):
            rule = "the last column must be like (3|4)|(5) or - for none"
            refuse(where, rule, repr(cell))
        # Ends first: what starts here can end here only as (3).
        for opens, cluster, closes in parts:
            if closes and not opens:
                if not self._open.get(cluster):
                    rule = f"a mention of cluster {cluster} must start before it ends"
                    refuse(where, rule, repr(cell))
                start, _ = self._open[cluster].pop()
                self._add_mention(cluster, (start, token + 1))
        for opens, cluster, closes in parts:
            if opens and closes:
                self._add_mention(cluster, (token, token + 1))
            elif opens:
                self._open.setdefault(cluster, []).append((token, where))

    def _add_mention(self, cluster: str, span: Span) -> None:
        self._clusters.setdefault(cluster, []).append(span)
