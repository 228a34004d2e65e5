"""OBO ontologies as statements: names, definitions, synonyms, cross-references, is-a, relations.

Obsolete terms and logical definitions (intersection_of, disjoint_from) are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from pyoxigraph import Literal, NamedNode

from kg.errors import BadInput
from kg.sources.curies import iri_of_curie
from kg.sources.files import input_files
from kg.sources.obo.syntax import Stanza, Tag, identifier, plain, quoted, stanzas
from kg.sources.statements import Progress, Skipped, SourceDetails, Statement
from kg.sources.vocabulary import (
    OBO,
    OBO_IN_OWL,
    RDFS,
    RDFS_LABEL,
    SUBCLASS_OF,
    vocabulary_statements,
)

__all__ = ["OboImporter", "term_statements"]

_EVERY = 20_000
_SCOPES = {"EXACT": "Exact", "RELATED": "Related", "NARROW": "Narrow", "BROAD": "Broad"}
# Types of synonyms that are no names to go by.
_POOR_TYPES = frozenset({"obsolete_synonym", "HP:0034334", "DEPRECATED"})
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:?\d{2})?)?")
_LABEL = NamedNode(RDFS_LABEL)
_DEFINITION = NamedNode(OBO + "IAO_0000115")
_COMMENT = NamedNode(RDFS + "comment")
_XREF = NamedNode(OBO_IN_OWL + "hasDbXref")
_ALTERNATIVE = NamedNode(OBO_IN_OWL + "hasAlternativeId")
_IS_A = NamedNode(SUBCLASS_OF)


class OboImporter:
    """Reads OBO files."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self.details = SourceDetails()
        self.skipped = Skipped()
        self.repaired = Skipped()
        self._files = input_files(paths)
        self.inputs: Sequence[Path] = [file.path for file in self._files]
        self.settings = ""

    def statements(self, progress: Progress) -> Iterator[Statement]:
        """All statements of all files."""
        yield from vocabulary_statements([SUBCLASS_OF])
        done = 0
        for file in self._files:
            terms = 0
            for stanza in stanzas(file.path, self.skipped):
                terms += stanza.kind == "Term"
                if not stanza.kind:
                    read_header(stanza, self.details)
                for statement in term_statements(stanza, file.label, self.skipped):
                    done += 1
                    if done % _EVERY == 0:
                        progress(f"reading {file.label}", done, None)
                    yield statement
            if not terms:
                raise BadInput(f"{file.label} holds no [Term]: it is no OBO ontology.")
        progress("reading", done, done)


def read_header(stanza: Stanza, details: SourceDetails) -> None:
    """Title, version, licence and date from the lines before the first term."""
    version = stanza.first("data-version")
    if version and details.version is None:
        found = re.search(r"\d{4}-\d{2}-\d{2}", version)
        details.version = found.group() if found else version
        details.date = details.date or (found.group() if found else None)
    for tag in stanza.all("property_value"):
        name, _, value = tag.value.partition(" ")
        quotes = quoted(value)
        text = quotes.text if quotes else plain(value)
        if name.endswith((":title", "/title")):
            details.title = details.title or text
        elif name.endswith((":license", "/license")):
            details.licence = details.licence or text
    details.title = details.title or stanza.first("ontology") or stanza.first("default-namespace")


def term_statements(stanza: Stanza, label: str, skipped: Skipped) -> Iterator[Statement]:
    """What a [Term] or [Typedef] says; odd lines go to `skipped` with file, line and term."""
    if stanza.kind not in ("Term", "Typedef") or stanza.first("is_obsolete") == "true":
        return
    own = next(stanza.all("id"), None)
    name = identifier(own.value) if own else None
    if name is None:
        skipped.add(f"{label}, line {stanza.line}: a [{stanza.kind}] without a readable id")
        return
    node = NamedNode(iri_of_curie(name))
    for tag in stanza.unreadable:
        skipped.add(f"{label}, line {tag.line}, {name}: cannot be read: {tag.value}")
    for tag in stanza.tags:
        statement = _statement(node, tag) if stanza.kind == "Term" else _named(node, tag)
        if statement is not None:
            yield statement
        problem = _problem(tag)
        if problem:
            skipped.add(f"{label}, line {tag.line}, {name}: {problem}: {tag.name}: {tag.value}")


def _problem(tag: Tag) -> str | None:
    """What is odd about a line."""
    if tag.name in ("synonym", "def"):
        found = quoted(tag.value)
        if found is None:
            return "text without closing quote"
        return None if found.sound else "its reference list cannot be read"
    if tag.name in ("is_a", "alt_id") and identifier(tag.value) is None:
        return "no identifier"
    if tag.name == "relationship" and _relationship(tag.value) is None:
        return "no relation and identifier"
    if tag.name == "creation_date" and not _DATE.fullmatch(plain(tag.value)):
        return "no date"
    return None


def _named(node: NamedNode, tag: Tag) -> Statement | None:
    if tag.name == "name" and plain(tag.value):
        return Statement(node, _LABEL, Literal(plain(tag.value)))
    return None


def _statement(node: NamedNode, tag: Tag) -> Statement | None:
    if tag.name in ("synonym", "def"):
        return _quoted_statement(node, tag)
    if tag.name == "comment":
        text = plain(tag.value)
        return Statement(node, _COMMENT, Literal(text)) if text else None
    if tag.name == "xref":
        text = plain(re.split(r"\s[\"!{]", tag.value)[0])
        return Statement(node, _XREF, Literal(text)) if text else None
    if tag.name == "relationship":
        parts = _relationship(tag.value)
        return Statement(node, *parts) if parts else None
    if tag.name in ("is_a", "alt_id"):
        other = identifier(tag.value)
        if other is None:
            return None
        if tag.name == "alt_id":
            return Statement(node, _ALTERNATIVE, Literal(other))
        return Statement(node, _IS_A, NamedNode(iri_of_curie(other)))
    return _named(node, tag)


def _quoted_statement(node: NamedNode, tag: Tag) -> Statement | None:
    found = quoted(tag.value)
    if found is None or not found.text:
        return None
    if tag.name == "def":
        return Statement(node, _DEFINITION, Literal(found.text))
    scope = _SCOPES.get(found.words[0] if found.words else "RELATED", "Related")
    if _POOR_TYPES.intersection(found.words):
        scope = "Related"
    return Statement(node, NamedNode(f"{OBO_IN_OWL}has{scope}Synonym"), Literal(found.text))


def _relationship(value: str) -> tuple[NamedNode, NamedNode] | None:
    relation, _, rest = value.partition(" ")
    target = identifier(rest)
    if not relation or target is None:
        return None
    return NamedNode(iri_of_curie(relation)), NamedNode(iri_of_curie(target))
