"""Where the files of a run were found, and whether they are the official ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from keras_cgru.data.official import SIMULATED, Difference, caution_of, label_of

SourceKind = Literal["data-dir", "environment", "cache", "download", "simulated"]


@dataclass(frozen=True)
class DataSource:
    """The files of a run and how they were found; or that there are none.

    Args:
        kind: "data-dir" (an argument), "environment" (`KERAS_CGRU_DATA`), "cache" (an
            earlier download), "download" (just now) or "simulated" (stories that the
            package makes up).
        folder: The folder that holds the files; None for simulated stories.
        files: The files by their role: "development", "test" of LAMBADA, "qa1 train",
            ... of bAbI.
        sha256: The SHA-256 of each of these files, by file name, as found.
        name, title: Those of the `Corpus`.
        differences: How files differ from the official ones, by role.
        why: Why stories are simulated.
    """

    kind: SourceKind
    folder: Path | None = None
    files: Mapping[str, Path] = field(default_factory=dict)
    sha256: Mapping[str, str] = field(default_factory=dict)
    name: str = "data"
    title: str = "data"
    differences: Mapping[str, Difference] = field(default_factory=dict)
    why: str = ""

    @property
    def label(self) -> str:
        """What it is called wherever it is shown.

        "lambada" for the official files, "lambada-unofficial" for others,
        "babi-en-10k" for another known version, "simulated" for made-up stories.
        """
        if self.kind == SIMULATED:
            return SIMULATED
        return label_of(self.name, self.differences)

    @property
    def caution(self) -> str:
        """What must be said beside every figure; nothing for the official files."""
        return caution_of(self.label, self.name)

    def part(self, has_role: Callable[[str], bool]) -> DataSource:
        """The same with some of its files alone, by role."""
        files = {role: path for role, path in self.files.items() if has_role(role)}
        return replace(
            self,
            files=files,
            sha256={path.name: self.sha256[path.name] for path in files.values()},
            differences={r: d for r, d in self.differences.items() if r in files},
        )

    def describe(self) -> str:
        """How and where the data was found."""
        return SIMULATED if self.folder is None else f"{self.kind}: {self.folder}"

    def line(self, limit: int | None = None) -> str:
        """One line for the user: what it is, where from, and what differs.

        Args:
            limit: At most so many of each file are taken; None: all.
        """
        if self.kind == SIMULATED:
            line = f"Data: SIMULATED stories in place of {self.title}{self.why}"
            return line + (f"; the first {limit:,} of each split" if limit else "")
        line = f"Data: {self.title}, {self.describe()}"
        if said := caution_of(self.label, self.name, limit):
            line += f"; {said}"
        if not self.differences:
            return line
        texts = [difference.text for difference in self.differences.values()]
        more = f"; and {len(texts) - 3} more" if len(texts) > 3 else ""
        return f"{line} ({'; '.join(texts[:3])}{more})"

    def provenance(self) -> dict[str, Any]:
        """Label, hashes and differences, for a run's `config.json`."""
        if self.kind == SIMULATED:
            return {"kind": SIMULATED, "sha256": None}
        texts = {role: each.text for role, each in self.differences.items()}
        return {
            "kind": self.label,
            "found_by": self.kind,
            "sha256": dict(self.sha256),
            **({"differences": texts} if texts else {}),
        }
