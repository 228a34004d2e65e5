"""RDF in JSON: JSON-LD, which is read whole, and HexTuples, a line at a time.

Nothing is fetched: a JSON-LD context that lies elsewhere is refused by its address.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from pyoxigraph import BlankNode, Literal, NamedNode, Quad, RdfFormat, parse

from kg.errors import BadInput
from kg.sources.files import InputFile
from kg.sources.lines import LineFile
from kg.sources.statements import Skipped
from kg.sources.vocabulary import RDF

__all__ = ["hextuples", "json_ld"]

# JSON-LD is held in memory several times over, and each part of it costs more than its text.
LARGEST = 200 << 20  # bytes
MOST_PARTS = 20_000_000
_LANGUAGE = re.compile(r"[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*")
_NODE_KINDS: dict[str, type[NamedNode] | type[BlankNode]] = {
    "globalId": NamedNode,
    RDF + "namedNode": NamedNode,
    "localId": BlankNode,
    RDF + "blankNode": BlankNode,
}
_STRINGS = ("", "http://www.w3.org/2001/XMLSchema#string", RDF + "langString")

Node = NamedNode | BlankNode


def json_ld(file: InputFile, repaired: Skipped) -> Iterator[Quad]:
    """The quads of a JSON-LD file; BadInput or SyntaxError where it cannot be used."""
    document = _document(file)
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
    yield from parse(json.dumps(document), format=RdfFormat.JSON_LD)


def _document(file: InputFile) -> object:
    with file.open() as data:
        content = data.read(LARGEST + 1)
        if len(content) > LARGEST or sum(map(content.count, (b",", b"[", b"{"))) > MOST_PARTS:
            raise BadInput(
                f"{file.label} is too large for JSON-LD, which is read whole: convert it to "
                "N-Triples. Nothing was imported."
            )
        try:
            return json.loads(content.decode())
        except json.JSONDecodeError as error:
            raise BadInput(
                f"{file.label}, line {error.lineno}: {error.msg}. Nothing was imported."
            ) from error
        except RecursionError as error:
            raise BadInput(f"{file.label} is nested too deeply. Nothing was imported.") from error


def _check_context(file: InputFile, context: object) -> None:
    for one in context if isinstance(context, list) else [context]:
        address = one.get("@import") if isinstance(one, dict) else one
        if isinstance(address, str):
            raise BadInput(
                f"{file.label} needs the JSON-LD context {address}, which is not fetched: "
                "put the context itself into the file, or convert the file to Turtle."
            )


def hextuples(file: InputFile, skipped: Skipped, repaired: Skipped) -> Iterator[Quad]:
    """The quads of a file of HexTuples; lines that are none are skipped and counted."""
    for number, line in LineFile([file.path], skipped).lines():
        if not line.strip():
            continue
        place = f"{file.label}, line {number}"
        try:
            yield _hextuple(json.loads(line), place, repaired)
        except (ValueError, RecursionError) as error:
            reason = " ".join(str(error).split())[:160]
            skipped.add(f"{place}: {reason}: {line[:80].strip()}")


def _hextuple(row: object, place: str, repaired: Skipped) -> Quad:
    if not isinstance(row, list) or len(row) != 6 or not all(isinstance(one, str) for one in row):
        raise ValueError("not six texts in a list")
    subject, predicate, value, kind, language, _ = row
    return Quad(
        _node(subject), NamedNode(predicate), _object(value, kind, language, place, repaired)
    )


def _node(name: str) -> Node:
    return BlankNode(name[2:]) if name.startswith("_:") else NamedNode(name)


def _object(value: str, kind: str, language: str, place: str, repaired: Skipped) -> Node | Literal:
    if kind in _NODE_KINDS:
        return _NODE_KINDS[kind](value.removeprefix("_:"))
    value.encode()  # half a character is no text
    if language and not _LANGUAGE.fullmatch(language):
        repaired.add(f"{place}: bad language tag {language!r} dropped")
        language = ""
    if language:
        return Literal(value, language=language)
    return Literal(value) if kind in _STRINGS else Literal(value, datatype=NamedNode(kind))
