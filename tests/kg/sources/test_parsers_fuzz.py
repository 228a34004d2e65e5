"""Whatever stands in a file of RDF, OBO, HPO or CMeKG: it is read, or refused in one line."""

from __future__ import annotations

import gzip
import json
import pickle
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyoxigraph import BlankNode, Literal, NamedNode

from kg.errors import KgError
from kg.sources.cmekg.importer import CmekgImporter, is_cmekg
from kg.sources.hpo.importer import HpoImporter
from kg.sources.obo.importer import OboImporter
from kg.sources.rdf.importer import RdfImporter
from kg.sources.statements import Importer
from tests.kg.sources.test_cmekg import SMALL
from tests.kg.sources.test_hpo import NEW, ROWS, TERMS
from tests.kg.sources.test_obo import ODD
from tests.kg.sources.test_rdf import SYNTAXES

# Sound files with what is seldom: notes about facts, lists, entities, contexts, formulas.
MORE = {
    "a.ttl": '@prefix e: <http://e/> . e:a e:p e:b {| e:q "x"@en-GB |} ; e:l (1 -2.5 "c"^^e:t) .'
    ' [] <http://www.w3.org/1999/02/22-rdf-syntax-ns#subject> e:a . << e:a e:p e:c >> e:q _:x .',
    "a.trig": '@prefix e: <http://e/> . e:g { e:a e:p "x"@zh-Hans , "y"@zh_CN . }',
    "a.n3": '@prefix e: <http://e/> . { e:a e:p ?x } => { ?x e:q e:a } . e:a e:p """t""" .',
    "a.rdf": '<?xml version="1.0"?><!DOCTYPE r [<!ENTITY e "http://e/">]><rdf:RDF xmlns:rdf='
    '"http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:p="&e;" xml:base="http://b/"><p:C '
    'rdf:ID="x" p:q="y"><p:r rdf:parseType="Collection"><p:C/></p:r><p:s xml:lang="en">é</p:s>'
    "</p:C></rdf:RDF>",
    "a.jsonld": '{"@context": {"@base": "http://b/", "e": "http://e/", "p": {"@id": "e:p", "@type":'
    ' "@id"}}, "@graph": [{"@id": "a", "p": ["b"], "e:q": {"@value": "x", "@language": "zh_CN"}}]}',
    "a.nt": '<http://e/a> <http://e/p> "x\\u00e9"@en-us .\n_:b <http://e/p> _:b . # note\n',
    "a.nq": '_:b <http://e/p> "1"^^<http://e/t> <http://e/g> .\n',
}  # fmt: skip
RDF = [(name, text) for files in (SYNTAXES, MORE) for name, text in files.items()]
TOKENS = st.sampled_from(
    r"""
    " ' < > [ ] { } ( ) . ; , : @ ^ | \ / # & % = ! ~ é 哮 @en ^^ << >> {| |} _: -- ]]> <!-- &e;
    null <![CDATA[ &#0; &#xD800; \u \ud800 \U0010FFFF 1e999 "@id" "@context" "@list" "@set" "@type"
    "@graph" "@value" "@reverse" @prefix @base rdf:li rdf:about rdf:nodeID xml:base [Term] id: is_a:
    synonym: EXACT NOT HP:0000118 HP:0001250 encoding="gbk" encoding="x" <!ENTITY <!DOCTYPE {a="b"}
    """.split()
    + ['"""', " ", "\n", "\r", "\t", "\0", "\ufeff", "\ud7ff", "\u2028"]
).map(str.encode)


@st.composite
def damaged(draw: st.DrawFn, text: str | bytes) -> bytes:
    """The text with a few pieces cut out, doubled, moved or put in; now and then packed or cut."""
    content = text.encode() if isinstance(text, str) else text
    for _ in range(draw(st.integers(1, 4))):
        start, end = sorted(draw(st.tuples(*[st.integers(0, len(content))] * 2)))
        piece = draw(TOKENS | st.binary(max_size=4) | st.just(content[start : start + 40]))
        keeps = draw(st.booleans())
        content = content[:start] + piece + content[start if keeps else min(end, start + 30) :]
    kind = draw(st.integers(0, 19))
    if kind == 0:
        return gzip.compress(content)[: -draw(st.integers(1, 30))]
    if kind == 1:
        return gzip.compress(content)
    return content[: draw(st.integers(0, len(content)))] if kind == 2 else content


def ends_well(make: Callable[[Sequence[Path]], Importer], files: dict[str, bytes]) -> None:
    """Reads to the end, every term one that can be stored, or refuses in one line."""
    with tempfile.TemporaryDirectory() as folder:
        for name, content in files.items():
            Path(folder, name).write_bytes(content)
        try:
            for statement in make([Path(folder, name) for name in files]).statements(quiet):
                for term in (statement.subject, statement.predicate, statement.object):
                    assert isinstance(term, NamedNode | BlankNode | Literal)
                    str(term).encode()
        except KgError as error:
            assert "\n" not in error.user_message and len(error.user_message) < 600


def quiet(stage: str, done: int, total: int | None) -> None:
    """Progress that nobody watches."""


FUZZ = settings(
    deadline=None,
    max_examples=120,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)


@pytest.mark.parametrize(
    ("name", "text"), RDF, ids=[f"{name}-{i}" for i, (name, _) in enumerate(RDF)]
)
@FUZZ
@given(st.data())
def test_damaged_rdf(name: str, text: str, data: st.DataObject) -> None:
    ends_well(RdfImporter, {name: data.draw(damaged(text))})


@FUZZ
@given(st.binary(max_size=200), st.sampled_from([name for name, _ in RDF] + ["a.dump"]))
def test_any_bytes_as_rdf(content: bytes, name: str) -> None:
    ends_well(RdfImporter, {name: content})


TREES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inside: (
        st.lists(inside, max_size=3)
        | st.dictionaries(
            st.text(max_size=4)
            | st.sampled_from(
                "@id @type @graph @context @list @set @value @language @reverse".split()
            ),
            inside,
            max_size=3,
        )
    ),
    max_leaves=10,
)


@FUZZ
@given(TREES)
def test_any_json_as_json_ld_and_as_cmekg(tree: object) -> None:
    content = json.dumps(tree).encode()
    ends_well(RdfImporter, {"a.jsonld": content})
    ends_well(CmekgImporter, {"a.json": content})


@FUZZ
@given(st.lists(st.lists(st.none() | st.integers() | st.text(max_size=5), max_size=7), max_size=3))
def test_any_hextuples(rows: list[list[object]]) -> None:
    ends_well(RdfImporter, {"a.hext": "\n".join(map(json.dumps, rows)).encode()})


@FUZZ
@given(damaged(ODD) | st.binary(max_size=200))
def test_damaged_obo(content: bytes) -> None:
    ends_well(OboImporter, {"a.obo": content})


TABLE = "\n".join(
    ["#version: 2025-01-16", "\t".join(NEW)]
    + ["\t".join(row.get(column, "") for column in NEW) for row in ROWS]
)


@FUZZ
@given(damaged(TERMS), damaged(TABLE))
def test_damaged_hpo(terms: bytes, table: bytes) -> None:
    ends_well(HpoImporter, {"hp.obo": terms, "phenotype.hpoa": TABLE.encode()})
    ends_well(HpoImporter, {"hp.obo": TERMS.encode(), "phenotype.hpoa": table})


@FUZZ
@given(damaged(json.dumps(SMALL, ensure_ascii=False)))
def test_damaged_cmekg_in_json(content: bytes) -> None:
    ends_well(CmekgImporter, {"a.json": content})


PICKLES = [pickle.dumps(SMALL, protocol) for protocol in (0, 2, 4, 5)]


@FUZZ
@given(
    st.binary(max_size=120).map(lambda content: b"\x80\x04" + content + b".")
    | st.sampled_from(PICKLES).flatmap(damaged)
)
def test_damaged_cmekg_pickles(content: bytes) -> None:
    ends_well(CmekgImporter, {"a.pkl": content})


TEXTS = st.text(max_size=8)


@FUZZ
@given(st.dictionaries(TEXTS, st.dictionaries(TEXTS, st.lists(TEXTS, max_size=3), max_size=3)))
def test_any_names_in_cmekg(dictionary: dict[str, dict[str, list[str]]]) -> None:
    ends_well(CmekgImporter, {"a.pkl": pickle.dumps(dictionary)})


@FUZZ
@given(st.binary(max_size=60), st.sampled_from(["a.json", "a.json.gz", "a.pkl", "a.ttl"]))
def test_any_file_can_be_asked_whether_it_is_cmekg(content: bytes, name: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(content)
        is_cmekg(path)
