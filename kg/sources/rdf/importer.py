"""RDF files of any syntax as statements: Turtle, N-Triples, N-Quads, TriG, RDF/XML, N3, JSON-LD
through pyoxigraph, TriX through expat, HexTuples as JSON.

Line formats (N-Triples, N-Quads, HexTuples) skip and count bad lines; every other syntax is refused
whole, with the line number. Graph names in the files are not kept: a source is one graph. Rules and
quoted formulas of N3 are no facts and are skipped. Nothing is fetched from the network.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from pyoxigraph import BlankNode, DefaultGraph, Literal, NamedNode, Triple

from kg.errors import BadInput
from kg.sources.files import InputFile, input_files
from kg.sources.rdf.metadata import WATCHED, DetailsReader
from kg.sources.rdf.options import meant_properties, settings_of
from kg.sources.rdf.reification import Reifications
from kg.sources.rdf.skos_xl import LabelNodes
from kg.sources.rdf.syntax import parsed_quads
from kg.sources.statements import ImportOptions, Progress, Skipped, SourceDetails, Statement

__all__ = ["RdfImporter"]

_EVERY = 20_000
# BCP 47 as far as the parsers check it.
_LANGUAGE = re.compile(r"[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*")

Subject = NamedNode | BlankNode | Triple
Object = Subject | Literal
Terms = tuple[Subject, NamedNode, Object]


class RdfImporter:
    """Reads RDF files and folders of them. The properties that `options` name as those of labels,
    synonyms and descriptions become rdfs:label, skos:altLabel and dcterms:description.
    """

    def __init__(self, paths: Sequence[Path], options: ImportOptions | None = None) -> None:
        self.details = SourceDetails()
        self.skipped = Skipped()
        self.repaired = Skipped()
        self._meant = meant_properties(options or ImportOptions())
        self._files = input_files(paths)
        self.inputs: Sequence[Path] = [file.path for file in self._files]
        self.settings = settings_of(self._meant)

    def statements(self, progress: Progress) -> Iterator[Statement]:
        """All statements of all files."""
        done = 0
        for file in self._files:
            if file.format in ("obo", "hpoa"):
                raise BadInput(f"{file.label} is no RDF: import it as {file.format} instead.")
            before = done
            for statement in self._of_file(file):
                done += 1
                if done % _EVERY == 0:
                    progress(f"reading {file.label}", done, None)
                yield statement
            if done == before:
                reason = f" {self.skipped.samples[0]}" if self.skipped.samples else ""
                raise BadInput(f"{file.label} holds no statement that can be read.{reason}")
        progress("reading", done, done)

    def _of_file(self, file: InputFile) -> Iterator[Statement]:
        digest, markers = file.scan((*Reifications.markers(file.format), LabelNodes.MARKER))
        has_labels = LabelNodes.MARKER in markers
        may_reify = bool(markers - {LabelNodes.MARKER})
        notes = Reifications()
        if may_reify:
            # Annotations may come before or after the facts: first learn which nodes they are.
            for terms in self._terms(file, digest, Skipped(), Skipped()):
                notes.learn(*terms)
        details, labels = DetailsReader(self.details), LabelNodes()
        for subject, predicate, value in self._terms(file, digest, self.skipped, self.repaired):
            if may_reify and notes.take(subject, predicate, value):
                continue
            if subject.__class__ is Triple or value.__class__ is Triple:
                self.skipped.add(f"{file.label}: a statement about a quoted triple")
                continue
            assert not isinstance(subject, Triple) and not isinstance(value, Triple)
            if predicate.value in WATCHED:
                details.see(subject, predicate, value)
            if has_labels and labels.take(subject, predicate, value):
                continue
            if self._meant and isinstance(value, Literal):
                predicate = self._meant.get(predicate.value, predicate)
            yield Statement(subject, predicate, value)
        details.finish()
        yield from labels.statements()
        yield from notes.statements()

    def _terms(
        self, file: InputFile, digest: str, skipped: Skipped, repaired: Skipped
    ) -> Iterator[Terms]:
        """The file's statements; its unnamed nodes get names that are its own and stay the same."""
        names: dict[str, BlankNode] = {}

        def term(node: Object) -> Object:
            if isinstance(node, BlankNode):
                known = names.get(node.value)
                if known is None:
                    known = names[node.value] = BlankNode(f"b{digest}n{len(names)}")
                return known
            if isinstance(node, Triple):
                inner = term(node.subject)
                assert not isinstance(inner, Literal)
                return Triple(inner, node.predicate, term(node.object))
            if isinstance(node, Literal) and node.language:
                return _with_valid_tag(node, file, repaired)
            return node

        for quad in parsed_quads(file, skipped, repaired):
            # Unpacked once: each look at a part of a quad makes a new object.
            subject, predicate, value, graph = quad
            if file.format == "n3" and not isinstance(graph, DefaultGraph):
                skipped.add(f"{file.label}: a statement inside an N3 formula")
                continue
            if subject.__class__ is not NamedNode:
                renamed = term(subject)
                assert not isinstance(renamed, Literal)
                subject = renamed
            yield subject, predicate, value if value.__class__ is NamedNode else term(value)


def _with_valid_tag(literal: Literal, file: InputFile, repaired: Skipped) -> Literal:
    if _LANGUAGE.fullmatch(literal.language or ""):
        return literal
    repaired.add(f"{file.label}: bad language tag {literal.language!r} dropped")
    return Literal(literal.value)
