"""Hetionet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from kg.sources.statements import Progress, Skipped, SourceDetails, Statement

__all__ = ["HetionetImporter", "is_hetionet"]


class HetionetImporter:
    """Hetionet."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self.details = SourceDetails()
        self.skipped = Skipped()
        self.repaired = Skipped()
        self.inputs = list(paths)
        self.settings = ""

    def statements(self, progress: Progress) -> Iterator[Statement]:
        """All statements."""
        raise NotImplementedError
        yield


def is_hetionet(path: Path) -> bool:
    """Whether this file or folder is one."""
    return False
