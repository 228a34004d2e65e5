"""phenotype.hpoa: its heading, old or new, and its rows. Columns are found by their names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from kg.errors import BadInput
from kg.sources.curies import reference_of
from kg.sources.lines import LineFile
from kg.sources.statements import Skipped
from kg.text import clean_label

__all__ = ["HpoaFile", "HpoaRow"]

# A file without one of these could turn an absent finding into a present one, or lose its proof.
_NEEDED = (
    "database_id", "disease_name", "qualifier", "hpo_id", "reference", "frequency", "aspect",
)  # fmt: skip
_OTHER = ("evidence", "onset", "sex", "modifier")
_BY_LETTERS = {name.replace("_", ""): name for name in (*_NEEDED, *_OTHER)}
_BY_LETTERS |= {"dbreference": "reference", "evidencecode": "evidence", "hpoterm": "hpo_id"}
_TERM = re.compile(r"HP:\d{7}")
_DISEASE = re.compile(r"[A-Za-z]+:\w+")
_ZERO = re.compile(r"0+\s*/\s*\d+|0+(?:\.0+)?\s*%")
_EXCLUDED = "HP:0040285"
_NUMBERED = re.compile(r"^[#%*+^]?\d{6}\s+")
_ROMAN_OR_CODE = re.compile(r"[IVX]+|.*\d.*")


@dataclass(frozen=True, slots=True)
class HpoaRow:
    """One annotation, its cells cleaned; `place` is file and line."""

    place: str
    disease: str
    disease_names: tuple[str, ...]
    term: str
    aspect: str
    is_absent: bool
    references: tuple[str, ...]
    frequency: str
    evidence: str
    onset: str
    sex: str
    modifier: str


class HpoaFile:
    """An annotation file; `version` is known once its rows have been read."""

    def __init__(self, path: Path, skipped: Skipped) -> None:
        self._path, self._skipped = path, skipped
        self.version: str | None = None

    def rows(self) -> Iterator[HpoaRow]:
        """All rows that can be used; others are counted."""
        columns: dict[str, int] | None = None
        for number, line in LineFile([self._path], self._skipped).lines():
            if not line.strip():
                continue
            if columns is None:
                if "\t" in line and "hpo" in line.lower() or not line.startswith("#"):
                    columns = self._columns(line)
                elif match := re.match(r"#\s*(?:version|date)\s*:\s*(\S+)", line):
                    self.version = self.version or match.group(1)
                continue
            if line.startswith("#"):
                continue
            row = self._row(f"{self._path.name}, line {number}", line.split("\t"), columns)
            if row is not None:
                yield row
        if columns is None:
            raise BadInput(f"{self._path.name} has no heading line: it is no phenotype.hpoa.")

    def _columns(self, line: str) -> dict[str, int]:
        columns: dict[str, int] = {}
        for place, cell in enumerate(line.split("\t")):
            name = _BY_LETTERS.get(re.sub(r"[^a-z]", "", cell.lower()))
            if name is not None:
                columns.setdefault(name, place)
        missing = [name for name in _NEEDED if name not in columns]
        if missing:
            raise BadInput(
                f"{self._path.name} has no column {', '.join(missing)}: "
                "it is not complete, or of a format that is not known yet."
            )
        return columns

    def _row(self, place: str, cells: list[str], columns: dict[str, int]) -> HpoaRow | None:
        cell = {
            name: cells[position].strip() if position < len(cells) else ""
            for name, position in columns.items()
        }
        disease, term = cell["database_id"], cell["hpo_id"]
        if disease.lower() == "database_id":  # two files that were put together
            return None
        if not _DISEASE.fullmatch(disease) or not _TERM.fullmatch(term):
            self._skipped.add(f"{place}: no disease {disease[:40]!r} or no term {term[:40]!r}")
            return None
        if len(cells) <= columns["aspect"]:
            self._skipped.add(f"{place}: the row ends before its aspect")
            return None
        frequency = cell["frequency"]
        absent = cell["qualifier"].upper() == "NOT" or frequency == _EXCLUDED
        return HpoaRow(
            place=place,
            disease=disease,
            disease_names=_names(cell["disease_name"]),
            term=term,
            aspect=cell["aspect"],
            is_absent=absent or _ZERO.fullmatch(frequency) is not None,
            references=_references(cell["reference"]),
            frequency=frequency,
            evidence=cell.get("evidence", ""),
            onset=cell.get("onset", ""),
            sex=cell.get("sex", ""),
            modifier=cell.get("modifier", ""),
        )


# The same few values stand in thousands of rows.
@lru_cache(maxsize=4096)
def _references(text: str) -> tuple[str, ...]:
    cleaned = (clean_label(one) for one in text.split(";"))
    return tuple(dict.fromkeys(reference_of(one) for one in cleaned if one))


@lru_cache(maxsize=4096)
def _names(text: str) -> tuple[str, ...]:
    """OMIM writes "NAME; ABBREVIATION", sometimes with its number before and all in capitals."""
    text = _NUMBERED.sub("", clean_label(text))
    first, *others = [part.strip() for part in text.split(";") if part.strip()] or [""]
    names = [_sentence_case(first), *others]
    return tuple(dict.fromkeys(name for name in names if name))


def _sentence_case(name: str) -> str:
    """MARFAN SYNDROME → Marfan syndrome; a name in mixed case, or one short word, is left alone."""
    if name != name.upper() or " " not in name:
        return name
    words = [w if _ROMAN_OR_CODE.fullmatch(w) else w.lower() for w in name.split()]
    joined = " ".join(words)
    return joined[:1].upper() + joined[1:]
