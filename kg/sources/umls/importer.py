"""The UMLS Metathesaurus: a folder of RRF files, or the files, plain or gzipped.

MRCONSO is needed; MRREL, MRDEF and MRSTY should be there; MRSAT, MRCUI, MRRANK, MRDOC and
release.dat are used where they are. The files are read one after the other, sorted by concept as
they come; what is remembered of all concepts are 20 MB. Concepts without a name in the languages
and vocabularies that are asked for are left out with all that is said of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from kg.errors import BadInput
from kg.sources.lines import LineFile
from kg.sources.statements import ImportOptions, Progress, Skipped, SourceDetails, Statement
from kg.sources.umls.concepts import definitions, genes, retired, semantic_types
from kg.sources.umls.names import Ranks, UmlsNames
from kg.sources.umls.relation_names import RelationNames
from kg.sources.umls.relations import UmlsRelations
from kg.sources.umls.rrf import RrfTable, find_tables, is_table, release_file

__all__ = ["UmlsImporter", "is_umls"]

_EVERY = 20_000
_NAMES, _EXPECTED = "MRCONSO", ("MRREL", "MRDEF", "MRSTY")
_RELEASE = re.compile(r"(?<![A-Za-z0-9])(?:19|20)\d\d(?:AA|AB|AC|AD)(?![A-Za-z0-9])", re.IGNORECASE)
_DATE = re.compile(r"(\d{4})-?(\d\d)-?(\d\d)")


class UmlsImporter:
    """Reads a Metathesaurus folder; `options` choose languages, vocabularies and suppressed rows.

    Each fact and definition has as its reference the vocabulary (SAB) that states it.
    """

    def __init__(self, paths: Sequence[Path], options: ImportOptions) -> None:
        self.details = SourceDetails()
        self.skipped = Skipped()
        self.repaired = Skipped()
        self._tables = find_tables(paths)
        self._release = release_file(paths)
        self._paths = list(paths)
        self._options = options
        self.inputs = [file for files in self._tables.values() for file in files]
        if self._release:
            self.inputs.append(self._release)
        self.settings = (
            f"languages {sorted(options.languages)}, vocabularies {sorted(options.vocabularies)}, "
            f"suppressed {options.suppressed}"
        )
        if _NAMES not in self._tables:
            where = ", ".join(map(str, paths)) or "no path"
            raise BadInput(
                f"There is no MRCONSO.RRF in {where}: UMLS needs the folder META of a release with "
                "MRCONSO, MRREL, MRDEF and MRSTY (.RRF or .RRF.gz)."
            )

    def statements(self, progress: Progress) -> Iterator[Statement]:
        """Names and codes, then types, definitions, relations and identifiers."""
        missing = ", ".join(name for name in _EXPECTED if name not in self._tables)
        if missing:
            self.skipped.add(f"There is no {missing} (.RRF or .RRF.gz) beside {_NAMES}")
        self._describe()
        done = 0
        for stage, statements in self._stages():
            for statement in statements:
                done += 1
                if done % _EVERY == 0:
                    progress(f"reading {stage}", done, None)
                yield statement
        progress("reading", done, done)

    def _stages(self) -> Iterator[tuple[str, Iterator[Statement]]]:
        names = UmlsNames(self._options, Ranks(self._ranks()))
        yield _NAMES, names.statements(self._table(_NAMES))
        for name, read in (
            ("MRSTY", semantic_types),
            ("MRDEF", definitions),
            ("MRCUI", retired),
            ("MRSAT", genes),
        ):
            if name in self._tables:
                yield name, read(self._table(name), names)
        if "MRREL" in self._tables:
            relations = UmlsRelations(
                self._tables["MRREL"], names, RelationNames(self._documented("RELA"))
            )
            yield "MRREL", relations.statements(self.skipped)

    def _table(self, name: str) -> RrfTable:
        return RrfTable(name, self._tables[name], self.skipped)

    def _ranks(self) -> dict[tuple[str, str], int]:
        """MRRANK: vocabulary and term type → rank."""
        if "MRRANK" not in self._tables:
            return {}
        rows = self._table("MRRANK").rows()
        return {(row[1], row[2]): int(row[0]) for row in rows if re.fullmatch("[0-9]{1,9}", row[0])}

    def _documented(self, key: str) -> dict[str, str]:
        """MRDOC: the inverses of RELA, or what it says of the RELEASE."""
        kinds = {"RELA": "rela_inverse", "RELEASE": "release_info"}
        if "MRDOC" not in self._tables:
            return {}
        rows = self._table("MRDOC").rows(holding=f"|{kinds[key]}|")
        return {row[1]: row[3] for row in rows if row[0] == key and row[1] and row[3]}

    def _describe(self) -> None:
        """Fill what the user left empty of the source's details."""
        details = self.details
        details.title = details.title or "UMLS Metathesaurus"
        details.licence = details.licence or "UMLS Metathesaurus License"
        details.homepage = details.homepage or "https://www.nlm.nih.gov/research/umls/"
        release = self._documented("RELEASE")
        if self._release:
            lines = LineFile([self._release], self.skipped).lines()
            release |= {name.strip(): value.strip() for name, value in _properties(lines)}
        details.version = details.version or release.get("umls.release.name") or self._named()
        if date := _DATE.fullmatch(release.get("umls.release.date", "")):
            details.date = details.date or "-".join(date.groups())

    def _named(self) -> str | None:
        """The release that the folder is named after: 2025AA."""
        for path in self._paths:
            for part in reversed(path.resolve().parts):
                if found := _RELEASE.search(part):
                    return found.group().upper()
        inside = (_RELEASE.search(file.parent.parent.name) for file in self.inputs)
        return next((found.group().upper() for found in inside if found), None)


def _properties(lines: Iterator[tuple[int, str]]) -> Iterator[tuple[str, str]]:
    for _, line in lines:
        name, equals, value = line.partition("=")
        if equals and not line.startswith("#"):
            yield name, value


def is_umls(path: Path) -> bool:
    """Whether this is a file of the UMLS in RRF, or a folder with MRCONSO in it or in its META."""
    if path.is_dir():
        return _NAMES in find_tables([path])
    return path.is_file() and is_table(path.name)
