"""From bytes to quads, one syntax at a time, with what real files need: bad lines, bad tags."""

from __future__ import annotations

import io
import json
import logging
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice

from pyoxigraph import BlankNode, Literal, NamedNode, Quad, RdfFormat, parse

from kg.errors import BadInput
from kg.sources.files import InputFile
from kg.sources.statements import Skipped
from kg.sources.trix import trix_quads
from kg.sources.xml_check import check_xml

__all__ = ["parsed_quads"]

_FORMATS = {
    "ttl": RdfFormat.TURTLE, "nt": RdfFormat.N_TRIPLES, "nq": RdfFormat.N_QUADS,
    "trig": RdfFormat.TRIG, "xml": RdfFormat.RDF_XML, "n3": RdfFormat.N3,
    "jsonld": RdfFormat.JSON_LD,
}  # fmt: skip
# Oxigraph holds one token of at most 16 MiB.
LONGEST_LINE = 15 << 20
LINES_AT_ONCE = 2_000
_LINE_TAG = re.compile(rb'(?<!\\)"@[A-Za-z0-9_.-]+(?=[\s.<])')
_UNDERSCORE_TAG = re.compile(rb"(?<=[^\\])([\"'])@[A-Za-z0-9-]+_[A-Za-z0-9_-]*")
_LANGUAGE = re.compile(r"[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*")


def parsed_quads(file: InputFile, skipped: Skipped, repaired: Skipped) -> Iterator[Quad]:
    """The quads of a file; BadInput with file and line where the syntax is broken."""
    if file.format in ("nt", "nq"):
        yield from _by_lines(file, skipped, repaired)
    elif file.format == "trix":
        yield from trix_quads(file, repaired)
    elif file.format == "hext":
        yield from _by_rdflib(file, repaired)
    elif file.format == "jsonld":
        yield from _json_ld(file, repaired)
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
        text, count = _UNDERSCORE_TAG.subn(rb"\1", data.read())
    if not count or file.format == "xml":
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
        number = 0
        while block := list(islice(data, LINES_AT_ONCE)):
            fitting = [line if len(line) <= LONGEST_LINE else b"\n" for line in block]
            try:
                yield from list(parse(b"".join(fitting), format=form))
            except SyntaxError:
                for place, line in enumerate(fitting, start=number + 1):
                    yield from _line(file, place, line, skipped, repaired)
            for place, line in enumerate(block, start=number + 1):
                if len(line) > LONGEST_LINE:
                    skipped.add(f"{file.label}, line {place}: longer than 15 MB")
            number += len(block)


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


def _json_ld(file: InputFile, repaired: Skipped) -> Iterator[Quad]:
    with file.open() as data:
        try:
            document = json.loads(data.read().decode())
        except json.JSONDecodeError as error:
            raise BadInput(
                f"{file.label}, line {error.lineno}: {error.msg}. Nothing was imported."
            ) from error
        except RecursionError as error:
            raise BadInput(f"{file.label} is nested too deeply. Nothing was imported.") from error
    stack = [document]
    while stack:
        node = stack.pop()
        if isinstance(node, dict):
            _check_context(file, node.get("@context"))
            tag = node.get("@language")
            if isinstance(tag, str) and not _LANGUAGE.fullmatch(tag):
                # Oxigraph would drop the text together with its tag.
                del node["@language"]
                repaired.add(f"{file.label}: bad language tag {tag!r} dropped")
            stack += node.values()
        elif isinstance(node, list):
            stack += node
    try:
        yield from parse(json.dumps(document), format=RdfFormat.JSON_LD)
    except (SyntaxError, MemoryError) as error:
        raise _refused(file, error) from error


def _check_context(file: InputFile, context: object) -> None:
    for one in context if isinstance(context, list) else [context]:
        address = one.get("@import") if isinstance(one, dict) else one
        if isinstance(address, str):
            raise BadInput(
                f"{file.label} needs the JSON-LD context {address}, which is not fetched: "
                "put the context itself into the file, or convert the file to Turtle."
            )


def _by_rdflib(file: InputFile, repaired: Skipped) -> list[Quad]:
    import rdflib  # slow to load, and needed for one rare syntax only

    dataset = rdflib.Dataset()
    with file.open() as data:
        content = data.read()
    try:
        with _silent(logging.getLogger("rdflib.term")), warnings.catch_warnings():
            # rdflib's own parsers use what rdflib has deprecated
            warnings.simplefilter("ignore", DeprecationWarning)
            dataset.parse(io.BytesIO(content), format=file.format)
            found = sorted(dataset.quads(), key=str)
            return [quad for s, p, o, _ in found for quad in _quad(s, p, o, file, repaired)]
    except Exception as error:  # rdflib's parsers raise whatever they stumble over
        reason = " ".join(str(error).split())[:160]
        raise BadInput(f"{file.label} cannot be read: {reason}. Nothing was imported.") from error


@contextmanager
def _silent(logger: logging.Logger) -> Iterator[None]:
    """Without what the logger says meanwhile: it is told to the user in another way."""

    def refuse(_: logging.LogRecord) -> bool:
        return False

    logger.addFilter(refuse)
    try:
        yield
    finally:
        logger.removeFilter(refuse)


def _quad(
    subject: object, predicate: object, value: object, file: InputFile, repaired: Skipped
) -> Iterator[Quad]:
    start = _node(subject, file, repaired)
    if isinstance(start, NamedNode | BlankNode):
        yield Quad(start, NamedNode(str(predicate)), _node(value, file, repaired))


def _node(term: object, file: InputFile, repaired: Skipped) -> NamedNode | BlankNode | Literal:
    import rdflib

    if isinstance(term, rdflib.URIRef):
        try:
            return NamedNode(str(term))
        except ValueError as error:
            raise ValueError(f"{str(term)[:80]!r}: {error}") from error
    if isinstance(term, rdflib.BNode):
        return BlankNode(str(term))
    assert isinstance(term, rdflib.Literal)
    if term.language and _LANGUAGE.fullmatch(term.language):
        return Literal(str(term), language=term.language)
    if term.language:
        repaired.add(f"{file.label}: bad language tag {term.language!r} dropped")
    return (
        Literal(str(term), datatype=NamedNode(str(term.datatype)))
        if term.datatype
        else Literal(str(term))
    )
