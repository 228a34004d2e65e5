"""From bytes to quads, one syntax at a time, with what real files need: bad lines, bad tags."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import IO

from pyoxigraph import NamedNode, Quad, RdfFormat, parse

from kg.errors import BadInput
from kg.sources.files import InputFile
from kg.sources.rdf.json_forms import hextuples, json_ld
from kg.sources.rdf.trix import trix_quads
from kg.sources.rdf.xml_check import check_xml
from kg.sources.statements import Skipped

__all__ = ["parsed_quads"]

_FORMATS = {
    "ttl": RdfFormat.TURTLE, "nt": RdfFormat.N_TRIPLES, "nq": RdfFormat.N_QUADS,
    "trig": RdfFormat.TRIG, "xml": RdfFormat.RDF_XML, "n3": RdfFormat.N3,
}  # fmt: skip
# Oxigraph holds one token of at most 16 MiB.
LONGEST_LINE = 15 << 20
BLOCK = 1 << 18  # bytes that are parsed at once
# Bytes of a file whose bad tags are mended, which takes it whole.
LARGEST_MENDED = 100 << 20
_LINE_TAG = re.compile(rb'(?<!\\)"@[A-Za-z0-9_.-]+(?=[\s.<])')
_UNDERSCORE_TAG = re.compile(rb"(?<=[^\\])([\"'])@[A-Za-z0-9-]+_[A-Za-z0-9_-]*")


def parsed_quads(file: InputFile, skipped: Skipped, repaired: Skipped) -> Iterator[Quad]:
    """The quads of a file; BadInput with file and line where the syntax is broken."""
    if file.format in ("nt", "nq"):
        yield from _by_lines(file, skipped, repaired)
    elif file.format == "trix":
        yield from trix_quads(file, repaired)
    elif file.format == "hext":
        yield from hextuples(file, skipped, repaired)
    elif file.format == "jsonld":
        try:
            yield from json_ld(file, repaired)
        except (SyntaxError, MemoryError) as error:
            raise _refused(file, error) from error
    else:
        yield from _whole(file, repaired)


def _refused(file: InputFile, error: SyntaxError | MemoryError) -> BadInput:
    line = getattr(error, "lineno", None)
    place = f"{file.label}, line {line}" if line else file.label
    message = " ".join(str(getattr(error, "msg", None) or error).split())[:200]
    message = re.sub(
        r"^Parser error at line \d+ (?:column|between columns) [\d and]+: ", "", message
    )
    return BadInput(f"{place}: {message}. Nothing was imported.")


def _whole(file: InputFile, repaired: Skipped) -> Iterator[Quad]:
    if file.format == "xml":
        check_xml(file)
    done = 0
    try:
        with file.open() as data:
            for quad in parse(data, format=_FORMATS[file.format]):
                done += 1
                yield quad
        return
    except MemoryError as error:
        raise _refused(file, error) from error
    except SyntaxError as error:
        first = error
    # A second reading mends bad language tags; the quads that are out already are passed over.
    try:
        yield from islice(_mended(file, first, repaired), done, None)
    except (SyntaxError, MemoryError) as error:
        raise _refused(file, first) from error


def _mended(file: InputFile, error: SyntaxError, repaired: Skipped) -> Iterator[Quad]:
    if "tag" in str(error):
        # Lenient parsing lets bad tags through; the importer drops and counts them.
        with file.open() as data:
            for quad in parse(data, format=_FORMATS[file.format], lenient=True):
                _check_iris(quad, error)
                yield quad
        return
    with file.open() as data:
        content = data.read(LARGEST_MENDED + 1) if file.format != "xml" else b""
    if len(content) > LARGEST_MENDED:
        raise error
    text, count = _UNDERSCORE_TAG.subn(rb"\1", content)
    if not count:
        raise error
    quads = parse(text, format=_FORMATS[file.format])
    for quad in quads:
        yield quad
    for _ in range(count):
        repaired.add(f"{file.label}: language tag with '_' dropped")


def _check_iris(quad: Quad, error: SyntaxError) -> None:
    """What strict parsing would have refused apart from tags is still refused."""
    for node in (quad.subject, quad.predicate, quad.object):
        if isinstance(node, NamedNode):
            try:
                NamedNode(node.value)
            except ValueError:
                raise error from None


def _by_lines(file: InputFile, skipped: Skipped, repaired: Skipped) -> Iterator[Quad]:
    form = _FORMATS[file.format]
    with file.open() as data:
        for number, block in _blocks(file, data, skipped):
            try:
                yield from list(parse(block, format=form))
            except SyntaxError:
                for place, line in enumerate(block.split(b"\n"), start=number):
                    yield from _line(file, place, line, skipped, repaired)


def _blocks(file: InputFile, data: IO[bytes], skipped: Skipped) -> Iterator[tuple[int, bytes]]:
    """Whole lines, about BLOCK bytes of them, each with its first line's number.

    A line that is too long is counted and passed over, without being held.
    """
    number, rest, passing = 1, b"", False
    while chunk := data.read(BLOCK):
        if passing:
            _, newline, chunk = chunk.partition(b"\n")
            passing = not newline
            number += len(newline)
        head, newline, tail = chunk.rpartition(b"\n")
        if newline:
            block = rest + head + newline
            yield number, block
            number, rest = number + block.count(b"\n"), tail
        else:
            rest += tail
        if len(rest) > LONGEST_LINE:
            skipped.add(f"{file.label}, line {number}: longer than 15 MB")
            rest, passing = b"", True
    if rest:
        yield number, rest


def _line(
    file: InputFile, place: int, line: bytes, skipped: Skipped, repaired: Skipped
) -> list[Quad]:
    form = _FORMATS[file.format]
    try:
        return list(parse(line, format=form))
    except SyntaxError as error:
        reason = " ".join(str(error.msg).split(": ", 1)[-1].split())
    try:
        quads = list(parse(_LINE_TAG.sub(b'"', line), format=form))
        repaired.add(f"{file.label}, line {place}: bad language tag dropped")
        return quads
    except SyntaxError:
        shown = line[:80].decode(errors="replace").strip()
        skipped.add(f"{file.label}, line {place}: {reason}: {shown}")
        return []
