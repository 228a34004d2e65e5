"""Importers: files of several kinds as statements, and what the properties in them mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kg.sources.statements import ImportReport

if TYPE_CHECKING:
    from kg.sources.importing import import_source

__all__ = ["ImportReport", "import_source"]


def __getattr__(name: str) -> object:
    # kg.local reads this package's vocabulary, and importing writes through kg.local: loading
    # the importers only when one is asked for keeps the two from needing each other at start.
    if name == "import_source":
        from kg.sources.importing import import_source

        return import_source
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
