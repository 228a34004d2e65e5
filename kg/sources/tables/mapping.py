"""Mapping files: those that we ship by their name, a user's own by its path.

The format is described in mappings/README.md.
"""

from __future__ import annotations

import hashlib
import tomllib
from importlib import resources
from pathlib import Path
from urllib.parse import quote

from pyoxigraph import NamedNode

from kg.aspects import ASPECTS
from kg.errors import BadInput
from kg.sources.files import readable
from kg.sources.tables.parts import (
    check_language,
    entity_spec,
    fact_spec,
    pattern_of,
    read_input,
    required_template,
)
from kg.sources.tables.section import Section
from kg.sources.tables.specs import (
    Detail,
    Lookup,
    OwnTerm,
    Table,
    TableMapping,
    local_base,
    templates_of,
)
from kg.sources.tables.templates import Template

__all__ = ["load_mapping", "parse_mapping", "shipped_mappings"]

_LARGEST = 4 << 20
_DETAILS = ("title", "version", "licence", "date", "homepage")
_ENDING = ".toml"


def shipped_mappings() -> tuple[str, ...]:
    """The names of the mappings that come with the program."""
    files = (file.name for file in _folder().iterdir())
    return tuple(sorted(name.removesuffix(_ENDING) for name in files if name.endswith(_ENDING)))


def load_mapping(mapping: str) -> TableMapping:
    """The mapping of this name or in this file; raises BadInput naming what is wrong in it."""
    if mapping in shipped_mappings():
        content = _folder().joinpath(mapping + _ENDING).read_bytes()
        return parse_mapping(mapping, content)
    path = Path(mapping)
    if not (mapping.lower().endswith(_ENDING) or path.is_file()):
        known = ", ".join(shipped_mappings())
        raise BadInput(
            f"There is no table mapping {mapping!r}: give the path of a .toml file, or one of "
            f"{known}."
        )
    with readable(mapping), path.open("rb") as file:
        content = file.read(_LARGEST + 1)
    return parse_mapping(path.stem, content)


def _folder() -> resources.abc.Traversable:
    return resources.files("kg.sources.tables").joinpath("mappings")


def parse_mapping(name: str, content: bytes) -> TableMapping:
    """Read the text of a mapping file; raises BadInput."""
    place = f"Mapping {name}"
    if len(content) > _LARGEST:
        raise BadInput(f"{place}: larger than {_LARGEST >> 20} MB; this is no mapping.")
    try:
        root = Section(tomllib.loads(content.decode("utf-8-sig")), place)
    except UnicodeDecodeError as error:
        raise BadInput(f"{place} is not UTF-8 text: save it as UTF-8.", repr(error)) from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        reason = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise BadInput(f"{place} is no TOML: {reason}.", repr(error)) from error
    digest = hashlib.blake2b(content, digest_size=8).hexdigest()
    return _mapping(name, digest, root)


def _mapping(name: str, digest: str, root: Section) -> TableMapping:
    details, titles = _details(root.section("source"))
    base = local_base(name)
    mapping = TableMapping(
        name,
        digest,
        details,
        titles,
        _prefixes(root.section("prefixes")),
        {key: _own_term(key, one, base) for key, one in root.section("relation").named()},
        {key: _own_term(key, one, base) for key, one in root.section("type").named()},
        tuple(_lookup(key, one) for key, one in root.section("lookup").named()),
        tuple(_table(one) for one in root.sections("table")),
        tuple(entity_spec(one) for one in root.sections("entity")),
    )
    root.finish()
    if not mapping.tables:
        raise root.wrong("has no [[table]]")
    _check_names(mapping, root)
    return mapping


def _details(section: Section) -> tuple[dict[str, Detail], dict[str, str]]:
    """Each detail of [source], and the title by language where it is given so."""
    details, titles = {}, {}
    for key in _DETAILS:
        value = section.anything(key)
        if key == "title" and isinstance(value, dict):
            titles = Section(value, f"{section.place}, title").entries()
            value = titles.get("en") or next(iter(titles.values()), None)
        if isinstance(value, dict):
            inner = Section(value, f"{section.place}, {key}")
            details[key] = Detail(None, inner.required("header"), pattern_of(inner, "pattern"))
            inner.finish()
        elif value is not None:
            details[key] = Detail(Section({key: value}, section.place).text(key))
    section.finish()
    return details, titles


def _own_term(name: str, section: Section, base: str) -> OwnTerm:
    label = section.anything("label")
    labels = {"en": label} if isinstance(label, str) else label
    term = OwnTerm(
        section.text("iri") or base + quote(name, safe=""),
        Section(labels if labels is not None else {}, f"{section.place}, label").entries(),
        section.text("aspect"),
    )
    section.finish()
    _check_iri(section, term.iri)
    if not term.labels:
        raise section.wrong("'label' is missing")
    for language in term.labels:
        check_language(section, language)
    if term.aspect is not None and term.aspect not in ASPECTS:
        raise section.wrong(f"unknown aspect {term.aspect!r}; there are: {', '.join(ASPECTS)}")
    return term


def _prefixes(section: Section) -> dict[str, str]:
    prefixes = section.entries()
    for iri in prefixes.values():
        _check_iri(section, iri)
    return prefixes


def _check_iri(section: Section, iri: str) -> None:
    try:
        NamedNode(iri)
    except ValueError as error:
        raise section.wrong(f"{iri!r} is no IRI") from error


def _lookup(name: str, section: Section) -> Lookup:
    entries = section.section("entries").entries()
    combine = section.text("combine")
    read = read_input(section)
    has_file = bool(read.patterns)
    if not has_file and not entries:
        raise section.wrong("needs 'files' or 'entries'")
    lookup = Lookup(
        name,
        read if has_file else None,
        required_template(section, "key") if has_file else Template.of(""),
        required_template(section, "gives") if has_file else Template.of(""),
        entries,
        section.flag("unique"),
        section.flag("ignore_case"),
        combine == "range",
        section.texts("weakest"),
    )
    section.finish()
    if combine not in (None, "range"):
        raise section.wrong("'combine' can only be 'range'")
    return lookup


def _table(section: Section) -> Table:
    table = Table(
        read_input(section),
        tuple(fact_spec(one) for one in section.sections("fact")),
        tuple(entity_spec(one) for one in section.sections("entity")),
    )
    section.finish()
    if not table.facts and not table.entities:
        raise section.wrong("makes nothing: it needs a [[table.fact]] or a [[table.entity]]")
    return table


def _check_names(mapping: TableMapping, root: Section) -> None:
    """Lookups that are used must come before, and constant entities name no column."""
    known: set[str] = set()
    inputs = [(one.input, one.name) for one in mapping.lookups]
    for read, makes in [*inputs, *((table.input, None) for table in mapping.tables)]:
        for value in read.values if read else ():
            if value.lookup is not None and value.lookup not in known:
                place = read.place if read else root.place
                raise BadInput(
                    f"{place}, value {value.name!r}: there is no lookup {value.lookup!r} before it."
                )
        if makes is not None:
            known.add(makes)
    for entity in mapping.entities:
        for template in templates_of(entity):
            if template.names:
                raise BadInput(f"{entity.place}: an [[entity]] outside a table names no columns.")
