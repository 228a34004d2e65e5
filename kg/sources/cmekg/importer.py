"""CMeKG, the Chinese Medical Knowledge Graph, as the package PyCMeKG ships it or as JSON.

Every triple of the dictionary is one fact under its own relation, apart from what relations.toml
calls names and identifiers of the subject. Entities are told apart by their exact spelling, full-
width and half-width forms too; blanks around a name and invisible characters go. The graph was
extracted by machine and is noisy: nothing of it is put right here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from urllib.parse import quote

from pyoxigraph import Literal, NamedNode

from kg.errors import BadInput
from kg.sources.cmekg.files import (
    find_dictionary,
    is_dictionary,
    package_version,
    read_dictionary,
)
from kg.sources.cmekg.relations import (
    NAMESPACE,
    CmekgRelation,
    is_name,
    mapping_digest,
    relation_named,
)
from kg.sources.statements import Progress, Skipped, SourceDetails, Statement
from kg.sources.vocabulary import (
    ASPECT,
    DCTERMS,
    GC,
    RDF_TYPE,
    RDFS_LABEL,
    SKOS,
    vocabulary_statements,
)
from kg.text import clean_label, is_cjk

__all__ = ["CmekgImporter", "is_cmekg"]

_EVERY = 20_000
LONGEST_NAME, LONGEST_TEXT = 200, 2_000  # characters
_TITLES = {"en": "CMeKG", "zh": "中文医学知识图谱CMeKG"}
_LICENCE = "MIT (the package PyCMeKG); none is stated for CMeKG itself"
_HOMEPAGE = "https://pypi.org/project/PyCMeKG/"
_RELEASED = {"0.2.5": "2019-07-05"}
_LABEL, _TYPE, _ASPECT = NamedNode(RDFS_LABEL), NamedNode(RDF_TYPE), NamedNode(ASPECT)
_SYNONYM, _IDENTIFIER = NamedNode(SKOS + "altLabel"), NamedNode(DCTERMS + "identifier")
_HALF_CHARACTER = re.compile("[\ud800-\udfff]")
# What stands where a name is not known.
_NO_NAMES = frozenset({"无", "不详", "暂无", "尚不明确"})

is_cmekg = is_dictionary


class CmekgImporter:
    """Reads cmekg.pkl or a JSON file of the same shape; without a path, the installed package's."""

    def __init__(self, paths: Sequence[Path]) -> None:
        if len(paths) > 1:
            raise BadInput("CMeKG is one file: give one path, or none for the installed package.")
        self._path = find_dictionary(paths[0] if paths else None)
        self.inputs: Sequence[Path] = [self._path]
        self.settings = mapping_digest()
        version = package_version(self._path)
        self.details = SourceDetails(
            title=_TITLES["en"],
            titles=dict(_TITLES),
            version=version,
            licence=_LICENCE,
            date=_RELEASED.get(version or ""),
            homepage=_HOMEPAGE,
        )
        self.skipped = Skipped()
        self.repaired = Skipped()
        self._named: set[str] = set()
        self._typed_already: set[tuple[str, str]] = set()
        self._relations: dict[str, CmekgRelation] = {}

    def statements(self, progress: Progress) -> Iterator[Statement]:
        """Facts by subject, each entity's label before its first fact; at the end the relations."""
        dictionary = read_dictionary(self._path)
        total = sum(len(objects) for facts in dictionary.values() for objects in facts.values())
        done = 0
        for subject, facts in dictionary.items():
            yield from self._subject(subject, facts)
            before, done = done, done + sum(map(len, facts.values()))
            if before // _EVERY != done // _EVERY:
                progress("reading CMeKG", done, total)
        yield from self._vocabulary()
        progress("reading CMeKG", done, total)

    def _subject(self, text: str, facts: Mapping[str, Sequence[str]]) -> Iterator[Statement]:
        name = self._clean(text, LONGEST_NAME)
        if name is None:
            for value in (value for objects in facts.values() for value in objects):
                self._skip(f"its subject has no name: {value!r}")
            return
        yield from self._entity(name)
        relations = {key: self._relation(key) for key, objects in facts.items() if objects}
        types = {relation.subject for relation in relations.values()} - {None}
        if len(types) == 1:  # where the relations disagree, none of them is believed
            yield from self._typed(name, types.pop())
        for key, relation in relations.items():
            seen: set[str] = set()
            for value in facts[key]:
                cleaned = self._clean(value, LONGEST_TEXT)
                if cleaned is None:
                    self._skip(f"no name and no text: {name} {key} {value!r}")
                elif cleaned in seen:
                    self._skip(f"stated twice: {name} {key} {value}")
                else:
                    seen.add(cleaned)
                    yield from self._fact(name, relation, cleaned)

    def _fact(self, subject: str, relation: CmekgRelation, value: str) -> Iterator[Statement]:
        node, predicate = _node(subject), _relation_node(relation.iri)
        if relation.value == "identifier":
            yield Statement(node, _IDENTIFIER, Literal(f"{relation.prefix}:{value}"))
        elif relation.value == "name":
            yield from self._names(subject, relation, value)
        elif is_name(relation, value):
            yield from self._entity(value)
            if relation.object:
                yield from self._typed(value, relation.object)
            yield Statement(node, predicate, _node(value))
        else:
            yield Statement(node, predicate, Literal(value, language="zh"))

    def _names(self, subject: str, relation: CmekgRelation, value: str) -> Iterator[Statement]:
        """Each of the names that stand in one value; what holds Chinese is Chinese."""
        names = [name for name in map(str.strip, re.split("[；;]", value)) if name]
        names = [name for name in names if name not in _NO_NAMES]
        if not names:
            self._skip(f"no name: {subject}: {value}")
        for name in names:
            language = "zh" if is_cjk(name) else relation.language
            yield Statement(_node(subject), _SYNONYM, Literal(name, language=language))

    def _entity(self, name: str) -> Iterator[Statement]:
        """Its label, the first time that it is met."""
        if name not in self._named:
            self._named.add(name)
            yield Statement(_node(name), _LABEL, Literal(name, language="zh"))

    def _typed(self, name: str, kind: str | None) -> Iterator[Statement]:
        if kind and (kind, name) not in self._typed_already:
            self._typed_already.add((kind, name))
            yield Statement(_node(name), _TYPE, NamedNode(GC + kind))

    def _relation(self, text: str) -> CmekgRelation:
        relation = self._relations.get(text)
        if relation is None:
            relation = self._relations[text] = relation_named(clean_label(text)[:LONGEST_NAME])
        return relation

    def _vocabulary(self) -> Iterator[Statement]:
        """Labels and aspects of the relations that were met, and of the types."""
        kinds = {kind for kind, _ in self._typed_already}
        shared = {one.iri for one in self._relations.values() if one.shared}
        yield from vocabulary_statements(sorted({*shared, *(GC + kind for kind in kinds)}))
        for relation in self._relations.values():
            if relation.shared or relation.value in ("name", "identifier"):
                continue
            node = _relation_node(relation.iri)
            yield Statement(node, _LABEL, Literal(relation.chinese, language="zh"))
            if relation.english:
                yield Statement(node, _LABEL, Literal(relation.english, language="en"))
            if relation.aspect:
                yield Statement(node, _ASPECT, Literal(relation.aspect))

    def _clean(self, text: str, longest: int) -> str | None:
        """The text without what cannot be seen; None where nothing is left, or far too much."""
        cleaned = clean_label(text)
        if not 0 < len(cleaned) <= longest or _HALF_CHARACTER.search(cleaned):
            return None
        if cleaned != text:
            self.repaired.add(f"{self._path.name}: blanks dropped: {text[:40]!r}")
        return cleaned

    def _skip(self, reason: str) -> None:
        self.skipped.add(f"{self._path.name}: {reason}")


@lru_cache(maxsize=65536)
def _node(name: str) -> NamedNode:
    return NamedNode(NAMESPACE + quote(name, safe=""))


@lru_cache(maxsize=1024)
def _relation_node(iri: str) -> NamedNode:
    return NamedNode(iri)
