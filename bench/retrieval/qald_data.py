"""QALD's training questions with the answers that the DBpedia sets here hold, and a graph of these.

The graph: DBP15K's English infobox facts with their labels, the true triples behind the gold
answers, ESBM's descriptions. Entities of the last two come without names: each gets one from its
IRI, as DBP15K's were made. Right answers so stand among 243,000 facts about other things.
"""

from __future__ import annotations

import gzip
import json
import tarfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from archives import unpack
from esbm_data import ARCHIVE
from measures import SHARED_DATA
from pyoxigraph import Literal, NamedNode, Quad, RdfFormat, parse, serialize

from kg.sources.curies import readable_end
from kg.sources.importing import import_source
from kg.sources.vocabulary import RDFS_LABEL, is_evidence
from kg.text import clean_label

__all__ = ["Asked", "answer_key", "build_graph", "read_questions"]

DBPEDIA = SHARED_DATA / "dbpedia"
QALD = SHARED_DATA / "questions" / "qald"
VERSIONS = (9, 8, 7)
_RESOURCE = "http://dbpedia.org/resource/"
_FACTS = ("dbpedia_en_1.nt.gz", "dbpedia_en_2.nt.gz")
_COUNTED = ("COUNT(", "COUNT (")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with the answers that the graph holds, and the IRIs that its query names."""

    text: str
    answers: frozenset[str]
    names: frozenset[str]


def build_graph(folder: Path, scratch: Path) -> None:
    """Import everything into a graph folder; `scratch` takes what is unpacked on the way."""
    if folder.exists():
        return
    scratch.mkdir(parents=True, exist_ok=True)
    unpack(ARCHIVE, scratch)
    described = sorted((scratch / "dbpedia_data").glob("*/*_desc.nt"))
    gold = DBPEDIA / "qald_gold" / "derived_gold_triples.nt.gz"
    names = scratch / "names.nt"
    _write_names(names, [gold, *described])
    dbp15k = DBPEDIA / "dbp15k"
    making = folder.with_name(folder.name + ".making")
    import_source(making, "rdf", [dbp15k / name for name in _FACTS], "dbp15k")
    import_source(making, "rdf", [dbp15k / "derived_labels.nt.gz", names], "names")
    import_source(making, "rdf", [gold], "qald-gold")
    import_source(making, "rdf", described, "esbm")
    making.rename(folder)


def _write_names(path: Path, files: Iterable[Path]) -> None:
    """A name from its IRI for every resource in these files that DBP15K's names leave out."""
    labelled = {
        str(quad.subject)
        for quad in _quads(DBPEDIA / "dbp15k" / "derived_labels.nt.gz")
        if isinstance(quad.object, Literal) and quad.object.language == "en"
    }
    ends: dict[str, None] = {}
    for file in files:
        for quad in _quads(file):
            for term in (quad.subject, quad.object):
                if isinstance(term, NamedNode) and term.value.startswith(_RESOURCE):
                    ends.setdefault(term.value)
    unnamed = [iri for iri in sorted(ends) if f"<{iri}>" not in labelled]
    quads = [
        Quad(NamedNode(iri), NamedNode(RDFS_LABEL), Literal(_name(iri), language="en"))
        for iri in unnamed
    ]
    serialize(quads, str(path), format=RdfFormat.N_TRIPLES)


def _name(iri: str) -> str:
    """The title of a DBpedia page from its IRI."""
    return iri.removeprefix(_RESOURCE).replace("_", " ") or readable_end(iri)


def _quads(path: Path) -> Iterator[Quad]:
    """The statements of a file, gzipped or not, as leniently as the importer reads them."""
    data = path.read_bytes()
    data = gzip.decompress(data) if path.suffix == ".gz" else data
    yield from parse(data, format=RdfFormat.N_TRIPLES, lenient=True)


def answer_key(value: str, is_iri: bool) -> str:
    """What makes an answer the same one, in the gold and among our evidence."""
    return value if is_iri else f'"{clean_label(value)}'


def read_questions() -> tuple[list[Asked], int]:
    """The questions that can be measured, by text, and how many there are in all.

    The same question of several versions counts once, as the newest has it. Left out are yes-or-no
    questions, counts, and questions of which the graph holds no answer.
    """
    held = _held()
    newest: dict[str, Asked | None] = {}
    for version in VERSIONS:
        path = QALD / f"qald-{version}-train-multilingual.json.gz"
        with gzip.open(path, "rt", encoding="utf-8") as stream:
            for raw in json.load(stream)["questions"]:
                text = next(q["string"] for q in raw["question"] if q["language"] == "en").strip()
                newest.setdefault(text, _asked(text, raw, held))
    found = [asked for asked in newest.values() if asked is not None]
    return sorted(found, key=lambda asked: asked.text), len(newest)


def _asked(text: str, raw: dict[str, Any], held: set[str]) -> Asked | None:
    query = raw["query"].get("sparql", "")
    if any(word in query.upper() for word in _COUNTED):
        return None
    answers = {
        answer_key(cell["value"], cell["type"] == "uri")
        for part in raw["answers"]
        for row in part.get("results", {}).get("bindings", ())
        for cell in row.values()
    }
    present = frozenset(answers & held)
    return Asked(text, present, _named(query)) if present else None


def _named(query: str) -> frozenset[str]:
    """The resources that a query names, in full or with the prefix that QALD uses for them."""
    words = query.replace("<", " <").replace(">", "> ").replace(";", " ").split()
    full = {w.strip("<>") for w in words if w.startswith(f"<{_RESOURCE}") and w.endswith(">")}
    short = {
        _RESOURCE + w.split(":", 1)[1].rstrip(".").replace("\\", "")
        for w in words
        if w.startswith(("res:", "dbr:"))
    }
    return frozenset(iri for iri in full | short if iri != _RESOURCE)


def _held() -> set[str]:
    """The ends of all facts of the graph that count as evidence."""
    ends: set[str] = set()
    with tarfile.open(ARCHIVE) as archive:
        for member in archive.getmembers():
            stream = archive.extractfile(member) if member.name.endswith("_desc.nt") else None
            if stream is not None:
                ends |= _ends(parse(stream.read(), format=RdfFormat.N_TRIPLES))
    gold = DBPEDIA / "qald_gold" / "derived_gold_triples.nt.gz"
    for path in (gold, *(DBPEDIA / "dbp15k" / name for name in _FACTS)):
        ends |= _ends(_quads(path))
    return ends


def _ends(quads: Iterable[Quad]) -> set[str]:
    return {
        answer_key(term.value, isinstance(term, NamedNode))
        for quad in quads
        if is_evidence(quad.predicate.value)
        for term in (quad.subject, quad.object)
        if isinstance(term, NamedNode | Literal)
    }
