"""What reading a WikiHop file gave, with what was left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from keras_cgru.data.read_result import ReadResult
from keras_cgru.data.unusable_passage import UnusablePassage
from keras_cgru.data.wikihop.record import WikiHopRecord
from keras_cgru.data.wikihop.record_reader import ReadRecord, RecordReader
from keras_cgru.data.wikihop.results import Annotations


@dataclass(frozen=True)
class WikiHopReadResult(ReadResult):
    """A `ReadResult`; all further counts are over the usable examples.

    `num_dropped_clusters` are those beyond the number that was asked for, or hidden
    within others.

    Args:
        num_unselected_clusters: Clusters that have to do with no candidate and not
            with the head entity.
        num_kept_clusters: Clusters that tokens carry.
        num_candidates: Candidates, each once a record.
        num_absent_candidates: Those of them that are mentioned nowhere.
        num_merged_candidates: Candidates that had the tokens of another.
        num_cut: Documents that were cut.
        num_cut_tokens: Tokens that were cut off them.
        annotations: What annotators said of each record, usable or not, by id.
    """

    num_unselected_clusters: int = 0
    num_kept_clusters: int = 0
    num_candidates: int = 0
    num_absent_candidates: int = 0
    num_merged_candidates: int = 0
    num_cut: int = 0
    num_cut_tokens: int = 0
    annotations: Mapping[str, Annotations] = field(default_factory=dict)

    def counts(self) -> dict[str, int]:
        """The counts of clusters, candidates and cuts, by name."""
        return {
            name: getattr(self, name)
            for name in (
                "num_kept_clusters",
                "num_dropped_clusters",
                "num_unselected_clusters",
                "num_candidates",
                "num_absent_candidates",
                "num_merged_candidates",
                "num_cut",
                "num_cut_tokens",
            )
        }

    def describe(self) -> str:
        """Two lines: `summary()`, and the counts of clusters and of candidates."""
        return (
            f"{self.summary()}\n"
            f"  clusters: {self.num_kept_clusters:,} kept, "
            f"{self.num_dropped_clusters:,} beyond the limit, "
            f"{self.num_unselected_clusters:,} of nothing asked for; candidates: "
            f"{self.num_candidates:,}, {self.num_absent_candidates:,} not mentioned, "
            f"{self.num_merged_candidates:,} merged; documents cut: {self.num_cut:,}, "
            f"by {self.num_cut_tokens:,} tokens"
        )


def read_all(
    records: Iterable[WikiHopRecord], reader: RecordReader, source: str
) -> WikiHopReadResult:
    """Makes examples of records, held one at a time.

    Args:
        records: The records.
        reader: Says how.
        source: Where they come from.

    Raises:
        ValueError: See `RecordReader.read`; a record that cannot be used is counted.
    """
    found: list[ReadRecord] = []
    skipped: Counter[str] = Counter()
    annotations: dict[str, Annotations] = {}
    for record in records:
        annotations[record.id] = record.annotations
        try:
            found.append(reader.read(record))
        except UnusablePassage as error:
            skipped[error.reason] += 1
    clusters = [each.clusters for each in found]
    return WikiHopReadResult(
        examples=tuple(each.example for each in found),
        num_total=len(found) + skipped.total(),
        skipped=dict(sorted(skipped.items())),
        source=source,
        num_dropped_clusters=sum(each.num_dropped for each in clusters),
        num_unselected_clusters=sum(each.num_unselected for each in clusters),
        num_kept_clusters=sum(max(each.ids) for each in clusters),
        num_candidates=sum(len(each.example.candidates) for each in found),
        num_absent_candidates=sum(each.num_absent for each in found),
        num_merged_candidates=sum(each.num_merged for each in found),
        num_cut=sum(each.num_cut > 0 for each in found),
        num_cut_tokens=sum(each.num_cut for each in found),
        annotations=annotations,
    )
