"""Looks through XML before anything is read from it: whole, and with entities that stay small.

Entities that are made of entities grow without measure when they are put in, for Oxigraph as for
every parser; ontologies need short ones for their namespaces. What entities grow to together is
bounded by expat itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import IO
from xml.parsers.expat import ErrorString, ExpatError, ParserCreate, XMLParserType

from kg.errors import BadInput
from kg.sources.files import InputFile

__all__ = ["LONGEST_PIECE", "check_xml", "parse_xml", "watch_entities"]

# What expat has to hold at once: a tag with its attributes, a comment.
LONGEST_PIECE = 16 << 20  # bytes
# Oxigraph's time grows with the square of the depth.
DEEPEST = 2_000
# Entities of a document type may grow to this many characters each.
LONGEST_ENTITY = 10_000
_USE = re.compile(r"[&%]([\w:.-]+);")


def check_xml(file: InputFile) -> None:
    """Refuse XML that breaks off, which Oxigraph takes for the whole, and texts without end.

    And what says that it is not UTF-8, which Oxigraph does not read.
    """

    def declared(_: str, encoding: str | None, __: int) -> None:
        if encoding and encoding.upper() != "UTF-8":
            raise _wrong_encoding(file, encoding)

    parser = ParserCreate()
    parser.XmlDeclHandler = declared
    watch_entities(file, parser)
    _watch_texts(file, parser)
    with file.open() as data:
        for _ in parse_xml(file, parser, data):
            pass


def _watch_texts(file: InputFile, parser: XMLParserType) -> None:
    """Make the parser refuse texts longer than LONGEST_PIECE, elements deeper than DEEPEST."""
    length = depth = 0

    def text(part: str) -> None:
        nonlocal length
        length += len(part)
        if length > LONGEST_PIECE:
            raise BadInput(
                f"{file.label}, line {parser.CurrentLineNumber}: a text is longer than "
                f"{LONGEST_PIECE >> 20} MB. Nothing was imported."
            )

    def begins(*_: object) -> None:
        nonlocal length, depth
        length, depth = 0, depth + 1
        if depth > DEEPEST:
            raise BadInput(
                f"{file.label}, line {parser.CurrentLineNumber}: more than {DEEPEST} elements "
                "inside each other. Nothing was imported."
            )

    def ends(*_: object) -> None:
        nonlocal length, depth
        length, depth = 0, depth - 1

    parser.CharacterDataHandler = text
    parser.StartElementHandler, parser.EndElementHandler = begins, ends


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


def parse_xml(file: InputFile, parser: XMLParserType, data: IO[bytes]) -> Iterator[None]:
    """Give the parser the whole file, a piece at a time.

    Raises BadInput with the line where it is not well-formed, or a part of it is too long.
    """
    read = 0
    try:
        while chunk := data.read(1 << 20):
            parser.Parse(chunk, False)
            read += len(chunk)
            if read - parser.CurrentByteIndex > LONGEST_PIECE:
                raise BadInput(
                    f"{file.label}, line {parser.CurrentLineNumber}: a tag or comment is longer "
                    f"than {LONGEST_PIECE >> 20} MB. Nothing was imported."
                )
            yield
        parser.Parse(b"", True)
    except (LookupError, ValueError) as error:  # encodings that expat does not know
        raise _wrong_encoding(file, str(error)) from error
    except ExpatError as error:
        raise BadInput(
            f"{file.label}, line {error.lineno}: {ErrorString(error.code)}. Nothing was imported."
        ) from error


def _wrong_encoding(file: InputFile, what: str) -> BadInput:
    return BadInput(f"{file.label} is no UTF-8 text ({what[:60]}): save it as UTF-8.")
