"""Tables by a mapping: every part of the format on small files, and what goes wrong in one line."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from pyoxigraph import Literal

from kg.errors import BadInput
from kg.sources.curies import curie_of
from kg.sources.statements import Statement
from kg.sources.tables import mapping as table_mapping
from kg.sources.tables.axioms import fillers
from kg.sources.tables.importer import TableImporter
from kg.sources.tables.lookups import combined
from kg.sources.tables.mapping import load_mapping, parse_mapping, shipped_mappings
from kg.sources.tables.rows import LONGEST_LINE

Fact = tuple[str, str, str]
Load = Callable[..., TableImporter]
FACT = """
[[table]]
files = "t.tsv"
{table}
[[table.fact]]
subject = "DOID:{{a}}"
relation = "{relation}"
object = "{object}"
{fact}
"""


@pytest.fixture
def load(tmp_path: Path) -> Load:
    """Write a mapping and its files; give the importer that reads their folder."""

    def make(mapping: str, **files: str | bytes) -> TableImporter:
        folder = tmp_path / "in"
        folder.mkdir(exist_ok=True)
        for name, content in files.items():
            data = content.encode() if isinstance(content, str) else content
            (folder / name.replace("__", ".")).write_bytes(data)
        path = tmp_path / "m.toml"
        path.write_text(mapping, encoding="utf-8")
        return TableImporter(str(path), [folder])

    return make


def simple(
    relation: str = "gc:treats", object: str = "{b}", table: str = "", fact: str = ""
) -> str:
    return FACT.format(relation=relation, object=object, table=table, fact=fact)


def statements(importer: TableImporter) -> list[Statement]:
    return list(importer.statements(lambda *_: None))


def short(term: object) -> str:
    """A term as it is easiest to compare: a CURIE, the end of an IRI, "text"@en."""
    if isinstance(term, Literal):
        return f"{term.value}@{term.language}" if term.language else term.value
    iri = str(term).strip("<>")
    for start in ("urn:graphcite:vocabulary:", "urn:graphcite:local:m:"):
        if iri.startswith(start):
            return ("gc:" if "vocabulary" in start else "local:") + iri.removeprefix(start)
    return curie_of(iri) or iri.rpartition("#")[2].rpartition("/")[2]


def facts(importer: TableImporter, *predicates: str) -> list[Fact]:
    """Its statements as texts, those of our vocabulary's own terms left out."""
    found = [(short(s.subject), short(s.predicate), short(s.object)) for s in statements(importer)]
    own = [one for one in found if not one[0].startswith("gc:")]
    return [one for one in own if not predicates or one[1] in predicates]


def error(act: Callable[[], object]) -> str:
    """The one line that this is refused with."""
    with pytest.raises(BadInput) as caught:
        act()
    assert "\n" not in caught.value.user_message
    return caught.value.user_message


# ── columns and templates ────────────────────────────────────────────────────


def test_a_fact_has_references_qualifiers_and_the_relation_its_labels(load: Load) -> None:
    mapping = simple(
        fact='reference = ["PMID:{pm}", "X:{b}"]\nqualifier = { frequency = "{f}", none = "{e}" }'
    )
    found = statements(load(mapping, t__tsv="a\tb\tpm\tf\te\n1\tMESH:D1\t7\trare\t\n"))
    fact = found[-1]
    assert (short(fact.subject), short(fact.object)) == ("DOID:1", "MESH:D1")
    assert fact.references == ("PMID:7", "X:MESH:D1")
    assert fact.qualifiers == (("frequency", "rare"),)
    assert fact.asserted
    told = {(short(s.subject), short(s.predicate), short(s.object)) for s in found[:-1]}
    assert ("gc:treats", "label", "用于治疗@zh") in told
    assert ("gc:treats", "gc:aspect", "treatment") in told


def test_a_template_with_an_empty_cell_states_nothing(load: Load) -> None:
    importer = load(simple(), t__tsv="a\tb\n1\t\n\tMESH:D1\n2\tMESH:D2\n")
    assert facts(importer) == [("DOID:2", "gc:treats", "MESH:D2")]
    assert importer.skipped.count == 0


def test_braces_are_written_twice(load: Load) -> None:
    importer = load(simple(object="{{{b}}}"), t__tsv="a\tb\n1\tx y\n")
    assert facts(importer, "label") == [("local:%7Bx%20y%7D", "label", "{x y}")]


def test_an_entity_has_names_identifiers_types_and_descriptions(load: Load) -> None:
    mapping = """
[[table]]
files = "t.tsv"
[[table.entity]]
id = "DOID:{a}"
type = ["gc:Disease", "{kind}"]
label = { en = "{en}", zh = "{zh}" }
synonym = ["{en}", "{other}"]
loose_synonym = "{loose}"
description = { en = "{text}" }
identifier = "MSH:{mesh}"
same_as = "umls:{cui}"
[type.Rare]
label = { en = "Rare thing", zh = "罕见" }
"""
    head = "a\tkind\ten\tzh\tother\tloose\ttext\tmesh\tcui\n"
    row = "1\tRare\tflu\t流感\tgrippe\tcold\tA  disease.\tD1\tC1\n"
    importer = load(mapping, t__tsv=head + row * 3)
    assert facts(importer) == [
        ("local:Rare", "label", "Rare thing@en"),
        ("local:Rare", "label", "罕见@zh"),
        ("DOID:1", "label", "flu@en"),
        ("DOID:1", "label", "流感@zh"),
        ("DOID:1", "altLabel", "grippe"),
        ("DOID:1", "hasRelatedSynonym", "cold"),
        ("DOID:1", "description", "A  disease.@en"),
        ("DOID:1", "type", "gc:Disease"),
        ("DOID:1", "type", "local:Rare"),
        ("DOID:1", "hasDbXref", "MESH:D1"),
        ("DOID:1", "exactMatch", "UMLS:C1"),
    ]


def test_words_without_an_identifier_name_a_thing_of_this_mapping(load: Load) -> None:
    importer = load(simple(), t__tsv="a\tb\n1\tskin rash\n2\tlocal:N:1\n3\tskin rash\n")
    assert facts(importer) == [
        ("local:skin%20rash", "label", "skin rash"),
        ("DOID:1", "gc:treats", "local:skin%20rash"),
        ("local:N%3A1", "label", "N:1"),
        ("DOID:2", "gc:treats", "local:N%3A1"),
        ("DOID:3", "gc:treats", "local:skin%20rash"),
    ]


def test_codes_that_the_mapping_labels_are_no_labels(load: Load) -> None:
    entity = '[[table.entity]]\nid = "{b}"\nlabel = "{c}"\n'
    importer = load(simple(table=entity), t__tsv="a\tb\tc\n1\tP01\tpollen\n1\tP02\t\n")
    assert facts(importer) == [
        ("local:P01", "label", "pollen"),
        ("DOID:1", "gc:treats", "local:P01"),
        ("local:P02", "label", "P02"),
        ("DOID:1", "gc:treats", "local:P02"),
    ]


def test_a_text_can_be_the_object(load: Load) -> None:
    mapping = simple(table="", fact='text = { zh = "{b}" }').replace('object = "{b}"\n', "")
    importer = load(mapping, t__tsv="a\tb\n1\t一天两次\n")
    assert facts(importer) == [("DOID:1", "gc:treats", "一天两次@zh")]


def test_own_prefixes_relations_and_free_relations(load: Load) -> None:
    mapping = (
        '[prefixes]\nX = "https://example.org/x/"\n'
        '[relation.raises]\nlabel = { en = "raises", zh = "升高" }\naspect = "cause"\n'
        + simple(relation="{r}", fact='aspect = "{s}"')
    )
    rows = "1\tX:a b\traises\t\n1\tX:2\tgoes with\tinteraction\n1\tX:3\tgoes with\tinteraction\n"
    importer = load(mapping, t__tsv="a\tb\tr\ts\n" + rows.replace("X:a b", "X:a"))
    assert facts(importer) == [
        ("local:raises", "label", "raises@en"),
        ("local:raises", "label", "升高@zh"),
        ("local:raises", "gc:aspect", "cause"),
        ("DOID:1", "local:raises", "a"),
        ("local:goes%20with", "label", "goes with"),
        ("local:goes%20with", "gc:aspect", "interaction"),
        ("DOID:1", "local:goes%20with", "2"),
        ("DOID:1", "local:goes%20with", "3"),
    ]


def test_constants_of_the_mapping(load: Load) -> None:
    mapping = (
        '[[entity]]\nid = "urn:graphcite:status:withdrawn"\n'
        'label = { en = "withdrawn", zh = "已撤市" }\n'
        + simple(relation="gc:hasRegulatoryStatus", object="urn:graphcite:status:{b}")
    )
    found = statements(load(mapping, t__tsv="a\tb\n1\twithdrawn\n"))
    assert found[0].subject == found[1].subject == found[-1].object
    assert [short(one.object) for one in found[:2]] == ["withdrawn@en", "已撤市@zh"]


# ── values ───────────────────────────────────────────────────────────────────


def value(text: str) -> str:
    return f"[table.value.v]\n{text}\n"


@pytest.mark.parametrize(
    ("steps", "cell", "made"),
    [
        ('column = "b"', " x ", ["x"]),
        ('text = "{b}-{a}"', "x", ["x-1"]),
        ('column = "b"\nsplit = "|"', "x| y||", ["x", "y"]),
        ("column = \"b\"\npattern = 'CID\\d0*([1-9]\\d*)'", "CID100085", ["85"]),
        ('column = "b"\npattern = "^x+$"', "xxx", ["xxx"]),
        ('column = "b"\npattern = "^x+$"', "xy", []),
        ("column = \"b\"\nreplace = [['_', ' '], ['(.) (.)', '\\2 \\1']]", "x_y", ["y x"]),
        ('column = "b"\nmap = { x = "one", y = "two" }', "y", ["two"]),
        ('column = "b"\nmap = { x = "one" }\notherwise = "{} of {a}"', "z", ["z of 1"]),
        ('column = "b"\nmap = { x = "one" }\notherwise = ""', "z", []),
        ('column = "b"\nformat = "{}-{}"', "x", ["x-x"]),
        ('column = "b"\nsplit = ","\nmap = { x = "1", y = "2" }\nformat = "N{}"', "x,y",
         ["N1", "N2"]),
        ('column = "b"\naxiom = "has symptom"', "'has symptom' some 'dry cough'", ["dry cough"]),
    ],
)  # fmt: skip
def test_the_steps_of_a_value(load: Load, steps: str, cell: str, made: list[str]) -> None:
    importer = load(simple(object="local:{v}", table=value(steps)), t__tsv=f"a\tb\n1\t{cell}\n")
    assert [o for _, _, o in facts(importer, "label")] == made
    assert importer.skipped.count == 0


def test_what_a_map_does_not_know_is_counted_once_for_a_row(load: Load) -> None:
    relation = value('column = "b"\nmap = { DM = "gc:treats", NOT = "gc:doesNotTreat" }')
    mapping = simple(relation="{v}", object="MESH:{a}", table=relation)
    mapping += '[[table.fact]]\nsubject = "DOID:1"\nrelation = "{v}"\nobject = "MESH:{a}"\n'
    importer = load(mapping, t__tsv="a\tb\n1\tDM\n2\tNOT\n3\tSYM\n")
    assert len(facts(importer)) == 4
    assert importer.skipped.count == 1
    assert importer.skipped.samples == ["in/t.tsv, line 4: 'SYM' is not in the map (value 'v')"]


def test_values_made_from_one_list_keep_together(load: Load) -> None:
    table = value('column = "b"\nsplit = ";"') + (
        '[table.value.id]\ncolumn = "v"\nmap = { x = "MESH:D1", y = "MESH:D2" }\n'
    )
    mapping = simple(object="{id}", table=table, fact='qualifier = { name = "{v}", all = "{c}" }')
    importer = load(mapping, t__tsv="a\tb\tc\n1\tx;y\tq\n")
    assert [(short(s.object), s.qualifiers) for s in statements(importer)][-2:] == [
        ("MESH:D1", (("name", "x"), ("all", "q"))),
        ("MESH:D2", (("name", "y"), ("all", "q"))),
    ]


def test_several_texts_of_a_reference_or_qualifier_are_all_kept(load: Load) -> None:
    table = value('column = "b"\nsplit = ";"')
    mapping = simple(
        object="MESH:{a}", table=table, fact='reference = "PMID:{v}"\nqualifier = { n = "{v}" }'
    )
    fact = statements(load(mapping, t__tsv="a\tb\n1\t8;9;8\n"))[-1]
    assert fact.references == ("PMID:8", "PMID:9")
    assert fact.qualifiers == (("n", "8; 9"),)


@pytest.mark.parametrize(
    ("where", "kept"),
    [
        ('b = "x"', ["x"]),
        ('b = ["x", "z"]', ["x", "z"]),
        ("b = 7", ["7"]),
        ('b = { not = "x" }', ["y", "z", "7"]),
        ('b = { not = ["x", "y"] }', ["z", "7"]),
        ('b = { matches = "[xy]" }', ["x", "y"]),
        ('b = { not = { matches = "[a-z]" } }', ["7"]),
        ('b = { matches = "[xyz]" }, a = { not = "2" }', ["x", "z"]),
        ('v = "small"', ["x"]),
    ],
)
def test_row_filters(load: Load, where: str, kept: list[str]) -> None:
    table = f"where = {{ {where} }}\n" + value(
        'column = "b"\nmap = { x = "small" }\notherwise = "big"'
    )
    importer = load(
        simple(object="local:{b}", table=table), t__tsv="a\tb\n1\tx\n2\ty\n3\tz\n4\t7\n"
    )
    assert [o for _, _, o in facts(importer, "label")] == kept
    assert importer.skipped.count == 0


# ── lookups ──────────────────────────────────────────────────────────────────

LOOKUP = '[lookup.l]\nfiles = "l.csv"\nkey = "{k}"\ngives = "{g}"\n'
USE = value('column = "b"\nlookup = "l"')


def test_a_lookup_through_another_file_gives_each_of_its_values(load: Load) -> None:
    importer = load(
        LOOKUP + simple(object="{v}", table=USE),
        t__tsv="a\tb\n1\tx\n2\tq\n",
        l__csv="k,g\nx,MESH:D1\nx,MESH:D2\nx,MESH:D1\n",
    )
    assert [o for _, _, o in facts(importer)] == ["MESH:D1", "MESH:D2"]
    assert importer.skipped.samples == ["in/t.tsv, line 3: 'q' is not in lookup l (value 'v')"]


@pytest.mark.parametrize(
    ("options", "kept"),
    [
        ("unique = true", ["MESH:D3"]),
        ("ignore_case = true", ["MESH:D1", "MESH:D2", "MESH:D3"]),
        ('entries = { X = "MESH:D9" }', ["MESH:D9", "MESH:D3"]),
        ('where = { g = { not = "MESH:D3" } }', []),
    ],
)
def test_options_of_a_lookup(load: Load, options: str, kept: list[str]) -> None:
    importer = load(
        LOOKUP + options + "\n" + simple(object="{v}", table=USE),
        t__tsv="a\tb\n1\tX\n2\tz\n",
        l__csv="k,g\nx,MESH:D1\nx,MESH:D2\nz,MESH:D3\n",
    )
    assert [o for _, _, o in facts(importer)] == kept


def test_a_lookup_can_use_one_before_it_and_combine_what_it_finds(load: Load) -> None:
    mapping = (
        LOOKUP
        + """
[lookup.often]
files = "often.tsv"
columns = ["x", "how"]
key = "{id}"
gives = "{how}"
combine = "range"
weakest = ["seen"]
[lookup.often.value.id]
column = "x"
lookup = "l"
otherwise = ""
"""
        + simple(
            object="{v}",
            table=USE + '[table.value.f]\ncolumn = "v"\nlookup = "often"\notherwise = ""\n',
            fact='qualifier = { frequency = "{f}" }',
        )
    )
    importer = load(
        mapping,
        t__tsv="a\tb\n1\tx\n1\ty\n1\tz\n",
        l__csv="k,g\nx,MESH:1\nxx,MESH:1\ny,MESH:2\nz,MESH:3\n",
        often__tsv="x\t2%\nxx\t11%\nx\trare\ny\tseen\nunknown\t9%\n",
    )
    found = [s.qualifiers for s in statements(importer)][-3:]
    assert found == [(("frequency", "2–11%"),), (("frequency", "seen"),), ()]


@pytest.mark.parametrize(
    ("texts", "made"),
    [
        (["5%"], "5%"),
        (["5%", "12%", "0.4%"], "0.4–12%"),
        (["1 to 3%", "2-9 %", "<1-15%"], "1–15%"),
        (["3", "7"], "3–7"),
        (["3", "7%"], "7%"),
        (["rare", "2%"], "2%"),
        (["rare", "seen", "common"], "rare; common"),
        (["seen"], "seen"),
    ],
)
def test_frequencies_combined(texts: list[str], made: str) -> None:
    assert combined(texts, ["seen"]) == made


def test_a_table_can_join_itself_by_label(load: Load) -> None:
    mapping = """
[lookup.by_name]
files = "t.tsv"
key = "{name}"
gives = "{a}"
[[table]]
files = "t.tsv"
[table.value.parent]
column = "is_a"
lookup = "by_name"
[[table.fact]]
subject = "{a}"
relation = "rdfs:subClassOf"
object = "{parent}"
"""
    rows = "a\tname\tis_a\nDOID:1\tdisease\t\nDOID:2\tflu\tdisease\n"
    assert facts(load(mapping, t__tsv=rows), "subClassOf") == [("DOID:2", "subClassOf", "DOID:1")]


# ── axioms ───────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("p some x", ("x",)),
        ("p some 'x y'", ("x y",)),
        ("p some 'Crohn's disease'", ("Crohn's disease",)),
        ("'q' some x", ()),
        ("p some (-)-carvone", ("(-)-carvone",)),
        ("p some N,N'-diethylthiourea", ("N,N'-diethylthiourea",)),
        ("p some ('x' or y or x)", ("x", "y")),
        ("p some (x and (q some z))", ("x",)),
        ("cancer and (p some x) and (q some y)", ("x",)),
        ("(p some x) or (p some y)", ("x", "y")),
        ("p exactly 1 x", ("x",)),
        ("p min 0 x", ()),
        ("p only x", ()),
        ("not (p some x)", ()),
        ("p some", None),
        ("p some (x", None),
        ("p some x)", None),
        ("p exactly x", None),
        ("and p", None),
        ("", None),
        ("(" * 5000 + "x" + ")" * 5000, None),
    ],
)
def test_class_expressions(text: str, made: tuple[str, ...] | None) -> None:
    assert fillers(text, "p") == made


def test_an_axiom_that_cannot_be_read_is_counted(load: Load) -> None:
    table = value('column = "b"\naxiom = "p"')
    importer = load(simple(object="local:{v}", table=table), t__tsv="a\tb\n1\tp some (x\n")
    assert facts(importer) == []
    assert importer.skipped.samples == ["in/t.tsv, line 2: no class expression: p some (x"]


# ── files ────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("table", "content"),
    [
        ("", "a\tb\n1\tx\n"),
        ("", "\ufeffa\tb\r\n1\tx\r\n"),
        ("", 'a\tb\n\n"1"\t"x"\n\n'),
        ('delimiter = "semicolon"', "a;b\n1;x\n"),
        ('delimiter = ","', 'a,b\n1," x "\n'),
        ('columns = ["a", "b"]', "1\tx\n"),
        ('columns = ["a", "b"]\nskip = 2', "one\ntwo\n1\tx\n"),
        ('comment = "#"', "# about: it\na\tb\n#1\ty\n1\tx\n"),
        ('optional_columns = ["c"]', "a\tb\n1\tx\n"),
        ("", gzip.compress(b"a\tb\n1\tx\n")),
        ("", "a\tb\n1\tx\t\t\n"),
    ],
)
def test_layouts(load: Load, table: str, content: str | bytes) -> None:
    importer = load(
        simple(object="local:{b}", table=table, fact='reference = "{a}"'), t__tsv=content
    )
    assert facts(importer, "label") == [("local:x", "label", "x")]
    assert importer.skipped.count == 0


def test_cells_of_several_lines_and_the_line_of_what_follows(load: Load) -> None:
    importer = load(
        simple(table='comment = "#"', object="local:{b}"),
        t__tsv='a\tb\n1\t"x\n# no comment\ny"\n2\n3\tz\n',
    )
    assert [o for _, _, o in facts(importer, "label")] == ["x # no comment y", "z"]
    assert importer.skipped.samples == ["in/t.tsv, line 5: 1 cells, not 2"]


def test_without_quotes_a_quote_is_a_letter(load: Load) -> None:
    importer = load(simple(table="quote = false", object="local:{b}"), t__tsv='a\tb\n1\t"x\n')
    assert facts(importer, "label") == [("local:%22x", "label", '"x')]


def test_rows_that_are_no_rows_are_counted_with_their_line(load: Load) -> None:
    content = 'a\tb\n1\n2\tx\ty\n3\t"x"y\n4\tz\n'
    importer = load(simple(object="local:{b}"), t__tsv=content)
    assert [o for _, _, o in facts(importer, "label")] == ["z"]
    assert [one.partition(":")[0] for one in importer.skipped.samples] == [
        f"in/t.tsv, line {line}" for line in (2, 3, 4)
    ]


def test_several_files_several_tables_and_json(load: Load, tmp_path: Path) -> None:
    mapping = """
[[table]]
files = ["part*.tsv", "sub/x.tsv"]
[[table.entity]]
id = "DOID:{a}"
label = "{b}"
[[table]]
files = "names.json"
format = "json"
[[table.entity]]
id = "DOID:{key}"
synonym = "{value}"
identifier = "N:{place}"
"""
    sub = tmp_path / "in" / "sub"
    sub.mkdir(parents=True)
    for folder, name in ((sub, "x.tsv"), (sub.parent, "x.tsv"), (sub, ".part3.tsv")):
        (folder / name).write_text("a\tb\n3\tthree\n", encoding="utf-8")
    importer = load(
        mapping,
        part1__tsv="a\tb\n1\tone\n",
        part2__tsv__gz=gzip.compress(b"b\ta\ntwo\t2\n"),
        names__json='{"1": ["uno", "un"], "2": "\\ud800 dos", "3": [null, {}]}',
    )
    assert sorted(facts(importer)) == [
        ("DOID:1", "altLabel", "un"),
        ("DOID:1", "altLabel", "uno"),
        ("DOID:1", "hasDbXref", "N:1"),
        ("DOID:1", "hasDbXref", "N:2"),
        ("DOID:1", "label", "one"),
        ("DOID:2", "altLabel", "? dos"),
        ("DOID:2", "hasDbXref", "N:1"),
        ("DOID:2", "label", "two"),
        ("DOID:3", "label", "three"),
    ]
    assert [path.name for path in importer.inputs] == [
        "names.json", "part1.tsv", "part2.tsv.gz", "x.tsv",
    ]  # fmt: skip


def test_a_mapping_without_file_names_reads_what_is_given(load: Load, tmp_path: Path) -> None:
    mapping = simple(object="local:{b}").replace('files = "t.tsv"\n', "")
    load(mapping, t__tsv="a\tb\n1\tx\n", readme__md="no table")
    assert len(facts(TableImporter(str(tmp_path / "m.toml"), [tmp_path / "in"]), "label")) == 1
    odd = tmp_path / "data.dat"
    odd.write_text("a\tb\n1\ty\n", encoding="utf-8")
    assert facts(TableImporter(str(tmp_path / "m.toml"), [odd]), "label")[0][2] == "y"


def test_details_from_the_mapping_and_from_a_files_comments(load: Load) -> None:
    mapping = """
[source]
title = { en = "A set", zh = "数据集" }
version = { header = "release", pattern = 'v(\\d+)' }
licence = { header = "license" }
date = 2026-08-04
homepage = { header = "nothing" }
""" + simple(table='comment = "#"')
    content = "# release: data/v12/x\n#  inner: 1\n# license: 'CC0'\na\tb\n# license: no\n1\tx\n"
    importer = load(mapping, t__tsv=content)
    importer.details.title = "My title"
    statements(importer)
    details = importer.details
    assert (details.title, details.titles) == ("My title", {"en": "A set", "zh": "数据集"})
    assert (details.version, details.licence, details.date) == ("12", "CC0", "2026-08-04")
    assert details.homepage is None


def test_settings_change_with_the_mapping(load: Load) -> None:
    one = load(simple(), t__tsv="a\tb\n")
    other = load(simple(relation="gc:relieves"), t__tsv="a\tb\n")
    assert one.settings != other.settings
    assert one.settings == load(simple(), t__tsv="a\tb\n").settings


# ── refused in one line ──────────────────────────────────────────────────────


def test_an_unknown_mapping_lists_those_that_ship() -> None:
    message = error(lambda: TableImporter("pharma", []))
    assert "'pharma'" in message
    assert all(name in message for name in ("pharmacotherapydb", "sider", "hpo-zh"))
    assert "nowhere.toml" in error(lambda: TableImporter("nowhere.toml", []))


@pytest.mark.parametrize("name", shipped_mappings())
def test_every_mapping_that_ships_says_what_its_source_is(name: str) -> None:
    mapping = load_mapping(name)
    assert {"title", "licence", "homepage"} <= set(mapping.details)
    assert {"en", "zh"} <= set(mapping.titles)
    assert name in error(lambda: TableImporter(name, []))


ONE = simple()
MAPPINGS = {
    "no TOML": "[[table]\n",
    "'file'; did you mean 'files'": ONE.replace("files =", "file ="),
    "unknown key 'tables'": ONE + "[[tables]]\n",
    "table 1, fact 1: unknown key 'refs'": simple(fact='refs = "{a}"'),
    "table 1, fact 1: 'relation' is missing": ONE.replace('relation = "gc:treats"\n', ""),
    "unknown relation 'gc:treat'": simple(relation="gc:treat"),
    "unknown relation 'treats'": simple(relation="treats"),
    "unknown relation 'foo:bar'": simple(relation="foo:bar"),
    "unknown relation or type 'gc:treat'": simple(
        relation="{v}", table=value('column = "a"\nmap = { x = "gc:treat" }')
    ),
    "unknown type 'gc:Diseases'": ONE + '[[table.entity]]\nid = "{a}"\ntype = "gc:Diseases"\n',
    "unknown aspect 'healing'": ONE + '[relation.r]\nlabel = "r"\naspect = "healing"\n',
    "'label' is missing": ONE + "[relation.r]\n",
    "is no IRI": ONE + '[prefixes]\nx = "not an iri"\n',
    "no language tag": ONE + '[[table.entity]]\nid = "{a}"\nlabel = { "e n" = "{a}" }\n',
    "has a lone {": simple(object="{b"),
    "names no column": simple(object="{}"),
    "either 'object' or 'text'": simple(fact='text = "{a}"'),
    "makes nothing": '[[table]]\nfiles = "t.tsv"\n',
    "has no [[table]]": '[source]\ntitle = "x"\n',
    "must be written [[table]]": '[table]\nfiles = "t.tsv"\n',
    "must be a table": 'table = ["x"]\n',
    "must be true or false": simple(table='optional = "yes"'),
    "must be a whole number": simple(table="skip = -1"),
    "'files' must be a text": ONE.replace('"t.tsv"', "[[1]]"),
    "'delimiter' must be one character": simple(table='delimiter = "||"'),
    "'comment' must say": simple(table='comment = " "'),
    "names a column twice": simple(table='columns = ["a", "a"]'),
    "'format' must be": simple(table='format = "xml"'),
    "needs either 'column' or 'text'": simple(table=value("")),
    "no regular expression": simple(table=value('column = "a"\npattern = "("')),
    "list of [pattern": simple(table=value('column = "a"\nreplace = ["x"]')),
    "is no replacement": simple(table=value("column = \"a\"\nreplace = [['x', '\\1']]")),
    "'split' must say": simple(table=value('column = "a"\nsplit = ""')),
    "both 'map' and 'lookup'": simple(table=value('column = "a"\nlookup = "l"\nmap = {}')),
    "neither 'map' nor 'lookup'": simple(table=value('column = "a"\notherwise = "x"')),
    "no lookup 'l' before it": simple(table=USE),
    "needs 'files' or 'entries'": ONE + '[lookup.l]\nkey = "{a}"\ngives = "{b}"\n',
    "'combine' can only": ONE + LOOKUP + 'combine = "sum"\n',
    "needs either 'matches' or 'not'": simple(table="where = { a = {} }"),
    "names no columns": ONE + '[[entity]]\nid = "{a}"\n',
    "nested too deeply": "x = " + "[" * 5000,
}  # fmt: skip


@pytest.mark.parametrize("problem", MAPPINGS)
def test_a_mapping_that_is_wrong(load: Load, problem: str) -> None:
    message = error(lambda: load(MAPPINGS[problem], t__tsv="a\tb\n1\tx\n"))
    assert problem in message
    assert message.startswith("Mapping m")


@pytest.mark.parametrize("content", [b"\xff\xfe", b"title = '\xe9'", b"a = 1\n" * 1_000_000])
def test_a_mapping_that_is_no_text(content: bytes) -> None:
    assert error(lambda: parse_mapping("m", content)).startswith("Mapping m")


@pytest.mark.parametrize(
    ("mapping", "problem"),
    [
        (simple(object="{c}"), "in/t.tsv has no column 'c' (Mapping m, table 1); its columns: 'a'"),
        (simple(table=value('column = "c"')), "no column 'c'"),
        (simple(table='where = { c = "x" }'), "no column 'c'"),
        (simple(table='[table.value.b]\ncolumn = "a"\n'), "'b' is called like a column"),
        (simple(object="{d}"), "two columns 'd'"),
    ],
)
def test_columns_that_are_not_there(load: Load, mapping: str, problem: str) -> None:
    importer = load(mapping, t__tsv="a\tb\td\td\n1\tx\ty\tz\n")
    assert problem in error(lambda: statements(importer))


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "is empty"),
        ("a\tb\n1\t√\n".encode("utf-16"), "line 1: not UTF-8"),
        ("a\tb\n1\tx\n".encode("utf-16-le"), "line 1: not UTF-8"),
        ("a\tb\n1\tx\n2\té\n".encode("latin-1"), "line 3: not UTF-8"),
        (gzip.compress(b"a\tb\n" + b"1\tx\n" * 9000)[:-20], "not a complete gzip file"),
        (b'a\tb\n1\t"x\n2\ty\n', "line 2: a quoted cell is not closed"),
        (b"a\tb\n1\t" + b"x" * LONGEST_LINE, "line 2: longer than 16 MB"),
        (b'a\tb\n1\t"' + b"x\n" * (LONGEST_LINE // 2 + 9), "line 2: a quoted cell goes on"),
    ],
)
def test_files_that_cannot_be_read(load: Load, content: bytes, problem: str) -> None:
    importer = load(simple(object="local:{b}"), t__tsv=content)
    message = error(lambda: statements(importer))
    assert "in/t.tsv" in message and problem in message


@pytest.mark.parametrize("content", [b"[1]", b"{", b"\xff", b"[" * 100_000])
def test_json_that_cannot_be_read(load: Load, content: bytes) -> None:
    mapping = '[[table]]\nfiles = "t.json"\nformat = "json"\n[[table.entity]]\nid = "X:{key}"\n'
    assert "in/t.json" in error(lambda: statements(load(mapping, t__json=content)))


def refusals(folder: Path, mapping: str) -> Iterable[tuple[list[Path], str]]:
    yield [], f"Nothing to import: give the files of mapping {mapping}"
    yield [folder / "none"], "There is no file"
    yield [folder / "odd.txt"], "odd.txt is no file of mapping m, which reads t.tsv, l.csv"
    yield [folder / "l.csv"], "Mapping m, table 1: there is no file t.tsv among those given"
    yield [folder / "t.tsv"], "Mapping m, lookup 'l': there is no file l.csv among those given"


def test_files_that_are_missing_or_have_no_use(load: Load, tmp_path: Path) -> None:
    load(LOOKUP + simple(), t__tsv="a\tb\n", l__csv="k,g\n", odd__txt="")
    for paths, problem in refusals(tmp_path / "in", "m"):
        assert problem in error(lambda p=paths: TableImporter(str(tmp_path / "m.toml"), p))


def test_what_is_no_identifier_relation_or_aspect_is_counted(load: Load) -> None:
    mapping = simple(relation="{r}", fact='aspect = "{s}"')
    content = "a\tb\tr\ts\n1\thttp://[\tgc:treats\t\n2\tx\tskos:treats\t\n3\tx\tp\tq\n"
    importer = load(mapping, t__tsv=content)
    assert [s for s, p, _ in facts(importer) if p != "label"] == ["DOID:3"]
    assert [one.partition(": ")[2] for one in importer.skipped.samples] == [
        "'http://[' is no identifier", "unknown relation 'skos:treats'", "unknown aspect 'q'",
    ]  # fmt: skip


# ── the README ───────────────────────────────────────────────────────────────


def test_the_readmes_example_does_what_the_readme_says(tmp_path: Path) -> None:
    readme = (Path(table_mapping.__file__).parent / "mappings" / "README.md").read_text("utf-8")
    blocks = dict(re.findall(r"```(\w+)\n(.*?)```", readme, re.S))
    (tmp_path / "trials.csv").write_text(blocks["csv"], encoding="utf-8")
    (tmp_path / "trials.toml").write_text(blocks["toml"], encoding="utf-8")
    importer = TableImporter(str(tmp_path / "trials.toml"), [tmp_path / "trials.csv"])
    found = [s for s in statements(importer) if s.qualifiers]
    assert [(short(s.subject), s.references, dict(s.qualifiers)) for s in found] == [
        ("DrugBank:DB00571", ("PMID:123", "PMID:456"), {"evidence": "strong"}),
        ("DrugBank:DB00273", ("PMID:789",), {"evidence": "strong"}),
        ("DrugBank:DB00945", (), {"evidence": "weak"}),
    ]
    assert [short(s.predicate) for s in found[:2]] == ["gc:treats", "gc:treats"]
    assert [short(s.object) for s in found] == ["DOID:6364", "DOID:6364", "DOID:8778"]
    assert importer.skipped.count == 0
    named = set(re.findall(r"table:([a-z-]+) ", readme))
    assert named == set(shipped_mappings())
    assert set(re.findall(r"^\| `([a-z-]+)` \|", readme, re.M)) == named


def test_lists_that_would_multiply_without_end_are_refused(load: Load) -> None:
    parts = "|".join(str(n) for n in range(400))
    mapping = simple(
        object="{objects}",
        table='[table.value.objects]\ncolumn = "b"\nsplit = "|"\n'
        '[table.value.subjects]\ncolumn = "a"\nsplit = "|"\n',
    ).replace('subject = "DOID:{a}"', 'subject = "DOID:{subjects}"')
    importer = load(mapping, t__tsv=f"a\tb\n{parts}\t{parts}\n")
    with pytest.raises(BadInput, match="more than 100,000 combinations"):
        statements(importer)
