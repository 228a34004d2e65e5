"""Looks through XML before anything is read from it: whole, and with entities that stay small.

Entities that are made of entities grow without measure when they are put in, for Oxigraph as for
every parser; ontologies need short ones for their namespaces. What entities grow to together is
bounded by expat itself.
"""

from __future__ import annotations

import re
from typing import IO
from xml.parsers.expat import ErrorString, ExpatError, ParserCreate, XMLParserType

from kg.errors import BadInput
from kg.sources.files import InputFile

__all__ = ["check_xml", "parse_xml", "watch_entities"]

# Entities of a document type may grow to this many characters each.
LONGEST_ENTITY = 10_000
_USE = re.compile(r"[&%]([\w:.-]+);")


def check_xml(file: InputFile) -> None:
    """Refuse XML that breaks off: Oxigraph takes what stands before the break for the whole."""
    parser = ParserCreate()
    watch_entities(file, parser)
    with file.open() as data:
        parse_xml(file, parser, data)


def watch_entities(file: InputFile, parser: XMLParserType) -> None:
    """Make the parser refuse entities beyond LONGEST_ENTITY, and those of other files."""
    sizes: dict[str, int] = {}

    def declared(name: str, _: bool, value: str | None, *__: str | None) -> None:
        if value is None:
            raise BadInput(
                f"{file.label}: its entity {name!r} lies in another file, which is not fetched. "
                "Nothing was imported."
            )
        sizes[name] = len(value) + sum(sizes.get(used, 0) for used in _USE.findall(value))
        if sizes[name] > LONGEST_ENTITY:
            raise BadInput(
                f"{file.label}: its entity {name!r} grows to more than "
                f"{LONGEST_ENTITY} characters. Nothing was imported."
            )

    parser.EntityDeclHandler = declared


def parse_xml(file: InputFile, parser: XMLParserType, data: IO[bytes]) -> None:
    """Give the parser the whole file; BadInput with the line where it is not well-formed."""
    try:
        while chunk := data.read(1 << 20):
            parser.Parse(chunk, False)
        parser.Parse(b"", True)
    except ExpatError as error:
        raise BadInput(
            f"{file.label}, line {error.lineno}: {ErrorString(error.code)}. Nothing was imported."
        ) from error
