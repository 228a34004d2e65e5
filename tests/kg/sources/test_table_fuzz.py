"""Mappings and tables of any kind: read, or refused with one line, and nothing else."""

from __future__ import annotations

import gzip
import json
import random
import tempfile
import tomllib
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from kg.errors import KgError
from kg.sources.tables import mapping as table_mapping
from kg.sources.tables.axioms import fillers
from kg.sources.tables.importer import TableImporter
from kg.sources.tables.mapping import parse_mapping, shipped_mappings
from kg.sources.tables.templates import Template, TemplateError

FOLDER = Path(table_mapping.__file__).parent / "mappings"
SHIPPED = [(FOLDER / f"{name}.toml").read_text(encoding="utf-8") for name in shipped_mappings()]
MAPPING = """
[lookup.l]
files = "t.tsv"
{layout}
key = "{{a}}"
gives = "{{b}}"
combine = "range"
[[table]]
files = "t.tsv"
{layout}
[table.value.v]
column = "b"
split = ";"
pattern = "[a-z:]+"
lookup = "l"
otherwise = "{{}}"
[table.value.w]
column = "c"
axiom = "p"
[[table.entity]]
id = "{{v}}"
type = "{{c}}"
label = {{ en = "{{b}}" }}
identifier = "{{a}}"
same_as = "{{w}}"
[[table.fact]]
subject = "{{a}}"
relation = "{{v}}"
object = "{{b}}"
reference = "{{w}}"
aspect = "{{c}}"
[[table.fact]]
subject = "{{a}}"
relation = "gc:treats"
text = {{ zh = "{{c}}" }}
"""
LAYOUTS = (
    "",
    'columns = ["a", "b", "c"]',
    'quote = false\ncomment = "#"\nskip = 1',
    'delimiter = ","\noptional_columns = ["c"]',
)
CELLS = st.text(
    alphabet=st.sampled_from("abc:;%5-19\"'() \t,#{}[]<>/\\\r\né中\U0001f600"), max_size=20
)
KEYS = st.sampled_from(
    "source prefixes relation type lookup table entity fact value files columns key gives where "
    "map entries id label subject object text column split pattern replace axiom otherwise "
    "format not matches qualifier title version header delimiter comment skip quote optional "
    "optional_columns unique ignore_case combine weakest iri aspect en zh x".split()
)
LEAVES = st.one_of(
    st.sampled_from(
        ["", "{", "{a}", "{}", "gc:treats", "gc:Disease", "t.tsv", "\\1", "(", "range"]
    ),
    st.integers(-3, 3),
    st.booleans(),
    st.floats(allow_nan=False),
    st.dates(),
    st.text(max_size=8),
)
TREES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=30,
)
CHANCE = st.randoms(use_true_random=False)
OWN = [MAPPING.format(layout=layout) for layout in LAYOUTS]


def one_line(act: object, *arguments: object) -> object:
    """What a call gives; an error must be ours and of one line."""
    assert callable(act)
    try:
        return act(*arguments)
    except KgError as error:
        assert "\n" not in error.user_message
        return None


def read(importer: TableImporter) -> int:
    return len(list(importer.statements(lambda *_: None)))


def import_text(mapping: str, content: bytes) -> None:
    """Read a table by a mapping to its end."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "m.toml").write_text(mapping, encoding="utf-8", errors="replace")
        (folder / "t.tsv").write_bytes(content)
        importer = one_line(TableImporter, str(folder / "m.toml"), [folder / "t.tsv"])
        if importer is not None:
            one_line(read, importer)


@settings(max_examples=300, deadline=None)
@given(st.sampled_from([*SHIPPED, *OWN]), st.lists(TREES, min_size=1, max_size=3), CHANCE)
def test_mappings_with_anything_anywhere_are_read_or_refused(
    text: str, put: list[object], chance: random.Random
) -> None:
    tree = tomllib.loads(text)
    for new in put:
        _change(tree, new, chance)
    damaged = "\n".join(f"{json.dumps(key)} = {_toml(value)}" for key, value in tree.items())
    import_text(damaged, b"a\tb\tc\nDOID:1\tx;y\tp some z\nDOID:2\tt\tgc:treats\n")


def _change(tree: dict[str, object], new: object, chance: random.Random) -> None:
    """Put something else somewhere: over a value, or over a key's name."""
    node: object = tree
    while True:
        assert isinstance(node, dict | list) and node
        key = chance.choice(list(node) if isinstance(node, dict) else range(len(node)))
        inner = node[key]
        if isinstance(inner, dict | list) and inner and chance.random() < 0.9:
            node = inner
        elif isinstance(node, dict) and chance.random() < 0.2:
            node[str(new)[:9]] = node.pop(key)
            return
        else:
            node[key] = new
            return


def _toml(value: object) -> str:
    """A value as TOML on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(k)} = {_toml(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, str | bool):
        return json.dumps(value, ensure_ascii=False)
    return str(value)


@settings(max_examples=200)
@given(st.sampled_from(SHIPPED), CHANCE, st.text(max_size=4))
def test_damaged_mappings_are_refused(text: str, chance: random.Random, other: str) -> None:
    start = chance.randrange(len(text))
    damaged = text[:start] + other + text[start + chance.randrange(12) :]
    one_line(parse_mapping, "m", damaged.encode("utf-8", "replace"))


@given(st.binary(max_size=200))
def test_any_bytes_are_a_mapping_or_refused(content: bytes) -> None:
    one_line(parse_mapping, "m", content)


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(LAYOUTS), st.lists(st.lists(CELLS, max_size=4), max_size=6), st.booleans())
def test_any_table_is_read_or_refused(layout: str, rows: list[list[str]], packed: bool) -> None:
    content = "\n".join(["a\tb\tc", *("\t".join(cells) for cells in rows)]).encode()
    import_text(MAPPING.format(layout=layout), gzip.compress(content) if packed else content)


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(LAYOUTS), st.binary(max_size=300), st.booleans())
def test_any_bytes_are_a_table_or_refused(layout: str, content: bytes, packed: bool) -> None:
    data = gzip.compress(content)[: -len(content) % 30 or None] if packed else content
    import_text(MAPPING.format(layout=layout), data)


@settings(max_examples=60, deadline=None)
@given(st.one_of(st.binary(max_size=80), st.text('{}[]"\\ud80,:1a', max_size=60)))
def test_any_json_is_read_or_refused(content: bytes | str) -> None:
    mapping = '[[table]]\nfiles = "t.tsv"\nformat = "json"\n[[table.entity]]\nid = "{key}"\n'
    data = content if isinstance(content, bytes) else content.encode()
    import_text(mapping + 'label = "{value}"\n', data)


@settings(max_examples=500)
@given(st.lists(st.sampled_from(["'", "(", ")", " ", "p", "some", "or", "not", "x", "min", "1"])))
def test_any_expression_is_read_or_not(pieces: list[str]) -> None:
    found = fillers("".join(pieces), "p")
    assert found is None or all(found)
    found = fillers(" ".join(pieces), "p")
    assert found is None or all(found)


@given(st.text("{}ab \n"))
def test_any_template_is_read_or_refused(text: str) -> None:
    try:
        template = Template.of(text)
    except TemplateError:
        return
    slots = {name: place for place, name in enumerate(template.names)}
    assert template.getter(slots)(["x"] * len(template.names)).count("x") == len(template.names)
