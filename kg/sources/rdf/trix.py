"""TriX as quads, by expat's events. The names of graphs are passed over, as for every syntax."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.parsers.expat import ParserCreate

from pyoxigraph import BlankNode, Literal, NamedNode, Quad

from kg.errors import BadInput
from kg.sources.files import InputFile
from kg.sources.rdf.xml_check import LONGEST_PIECE, parse_xml, watch_entities
from kg.sources.statements import Skipped

__all__ = ["trix_quads"]

_NAMESPACE = "http://www.w3.org/2004/03/trix/trix-1/"
_LANGUAGE = "http://www.w3.org/XML/1998/namespace lang"
_TAG = re.compile(r"[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*")
_INSIDE = {
    "": {"TriX", "trix"},
    "TriX": {"graph"},
    "trix": {"graph"},
    "graph": {"uri", "id", "triple"},
    "triple": {"uri", "id", "plainLiteral", "typedLiteral"},
}

Term = NamedNode | BlankNode | Literal


def trix_quads(file: InputFile, repaired: Skipped) -> Iterator[Quad]:
    """All quads; BadInput with the line where the file is no TriX."""
    reader = _Reader(file, repaired)
    with file.open() as data:
        for _ in parse_xml(file, reader.parser, data):
            yield from reader.quads
            reader.quads.clear()
    yield from reader.quads


class _Reader:
    def __init__(self, file: InputFile, repaired: Skipped) -> None:
        self.quads: list[Quad] = []
        self._file, self._repaired = file, repaired
        self._open = [""]
        self._terms: list[Term] = []
        self._text: list[str] = []
        self._length = 0
        self._attributes: dict[str, str] = {}
        self.parser = ParserCreate(namespace_separator=" ")
        watch_entities(file, self.parser)
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._read

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        namespace, _, local = name.rpartition(" ")
        if namespace != _NAMESPACE or local not in _INSIDE.get(self._open[-1], ()):
            raise self._refused(f"an element {local!r} does not belong here")
        self._open.append(local)
        self._text.clear()
        self._length = 0
        self._attributes = attributes

    def _read(self, text: str) -> None:
        self._text.append(text)
        self._length += len(text)
        if self._length > LONGEST_PIECE:
            raise self._refused(f"a text is longer than {LONGEST_PIECE >> 20} MB")

    def _end(self, _: str) -> None:
        local = self._open.pop()
        if local == "triple":
            self._finish()
        elif self._open[-1] == "triple":
            text = "".join(self._text)
            try:
                self._terms.append(self._term(local, text))
            except ValueError as error:
                raise self._refused(f"{text.strip()[:80]!r}: {error}") from error

    def _term(self, kind: str, text: str) -> Term:
        if kind == "uri":
            return NamedNode(text.strip())
        if kind == "id":
            return BlankNode(text.strip().removeprefix("_:"))
        if kind == "typedLiteral":
            return Literal(text, datatype=NamedNode(self._attributes.get("datatype", "")))
        tag = self._attributes.get(_LANGUAGE, "")
        if tag and not _TAG.fullmatch(tag):
            self._repaired.add(f"{self._file.label}: bad language tag {tag!r} dropped")
            tag = ""
        return Literal(text, language=tag) if tag else Literal(text)

    def _finish(self) -> None:
        terms, self._terms = self._terms, []
        match terms:
            case [NamedNode() | BlankNode() as subject, NamedNode() as predicate, value]:
                self.quads.append(Quad(subject, predicate, value))
            case _:
                raise self._refused("a triple is not a node, a relation and a node or text")

    def _refused(self, reason: str) -> BadInput:
        line, words = self.parser.CurrentLineNumber, " ".join(reason.split())
        return BadInput(f"{self._file.label}, line {line}: {words}. Nothing was imported.")
