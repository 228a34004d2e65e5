"""RDF as it comes: every syntax, marks, bad lines and tags, unnamed nodes, hostile documents."""

from __future__ import annotations

import gzip
import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from kg.deadline import Deadline
from kg.errors import BadInput
from kg.local import LocalGraph
from kg.local.generations import list_sources
from kg.sources import ImportReport, import_source
from tests.needs import need

E = "http://example.org/"
LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
RDF_NS = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
MARK = b"\xef\xbb\xbf"
SYNTAXES = {
    "a.ttl": f'@prefix e: <{E}> .\ne:a e:p e:b ; <{LABEL}> "asthma" .',
    "a.n3": f'@prefix e: <{E}> .\ne:a e:p e:b ; <{LABEL}> "asthma" .',
    "a.nt": f'<{E}a> <{E}p> <{E}b> .\n<{E}a> <{LABEL}> "asthma" .\n',
    "a.nq": f'<{E}a> <{E}p> <{E}b> <{E}g> .\n<{E}a> <{LABEL}> "asthma" .\n',
    "a.trig": f'<{E}g> {{ <{E}a> <{E}p> <{E}b> ; <{LABEL}> "asthma" }}',
    "a.rdf": f'<rdf:RDF xmlns:rdf="{RDF_NS}" xmlns:e="{E}" xmlns:l="{LABEL[:-5]}">'
    f'<rdf:Description rdf:about="{E}a"><e:p rdf:resource="{E}b"/><l:label>asthma</l:label>'
    "</rdf:Description></rdf:RDF>",
    "a.jsonld": f'{{"@id": "{E}a", "{E}p": {{"@id": "{E}b"}}, "{LABEL}": "asthma"}}',
    "a.trix": f'<TriX xmlns="http://www.w3.org/2004/03/trix/trix-1/"><graph><triple><uri>{E}a</uri>'
    f"<uri>{E}p</uri><uri>{E}b</uri></triple><triple><uri>{E}a</uri><uri>{LABEL}</uri>"
    "<plainLiteral>asthma</plainLiteral></triple></graph></TriX>",
    "a.hext": f'["{E}a", "{E}p", "{E}b", "globalId", "", ""]\n'
    f'["{E}a", "{LABEL}", "asthma", "http://www.w3.org/2001/XMLSchema#string", "", ""]\n',
}
Run = Callable[..., ImportReport]


@pytest.fixture
def run(tmp_path: Path, graph_folder: Path) -> Run:
    """Write files and import them as one source; the kind is guessed."""

    def run_(files: dict[str, str | bytes], name: str | None = None) -> ImportReport:
        paths = []
        for file, content in files.items():
            path = tmp_path / file
            path.write_bytes(content.encode() if isinstance(content, str) else content)
            paths.append(path)
        return import_source(graph_folder, None, paths, name)

    return run_


def values(folder: Path, subject: str = "a") -> list[str]:
    graph = LocalGraph(folder)
    return [t.object.label for t in graph.triples(E + subject, "en", Deadline.after(9)).triples]


@pytest.mark.parametrize("file", SYNTAXES)
def test_every_syntax_with_and_without_a_byte_order_mark(
    run: Run, graph_folder: Path, file: str
) -> None:
    for content in (SYNTAXES[file].encode(), MARK + SYNTAXES[file].encode()):
        report = run({file: content}, "x")
        assert (report.triples, report.names, report.skipped) == (2, 1, 0)
        graph = LocalGraph(graph_folder)
        found = graph.triples(E + "a", "en", Deadline.after(9)).triples
        assert [(t.subject.label, t.object.iri) for t in found] == [("asthma", E + "b")]


@pytest.mark.parametrize("file", sorted(set(SYNTAXES) - {"a.n3", "a.trig"}))
def test_content_tells_the_syntax_when_the_name_does_not(run: Run, file: str) -> None:
    assert run({"data.dump": SYNTAXES[file]}).triples == 2


def test_folders_and_compressed_files(tmp_path: Path, graph_folder: Path) -> None:
    folder = tmp_path / "My Data (2024)"
    (folder / "deep").mkdir(parents=True)
    (folder / "deep" / "a.nt.gz").write_bytes(gzip.compress(SYNTAXES["a.nt"].encode()))
    (folder / "b.ttl").write_text(f"<{E}b> <{E}p> <{E}c> .")
    (folder / "README.md").write_text("no RDF")
    report = import_source(graph_folder, None, [folder])
    assert (report.name, report.triples) == ("my-data-2024", 3)


def test_a_utf16_file_is_refused_by_name(run: Run) -> None:
    with pytest.raises(BadInput, match=r"a\.ttl is UTF-16 text: save it as UTF-8"):
        run({"a.ttl": SYNTAXES["a.ttl"].encode("utf-16")})


@pytest.mark.parametrize(
    ("encoding", "said"),
    [
        ("utf-32", "UTF-32 text"),
        ("utf-16-le", "UTF-16 (without a byte order mark) text"),
        ("utf-16-be", "UTF-16 (without a byte order mark) text"),
        ("utf-32-le", "UTF-32 (without a byte order mark) text"),
        ("utf-32-be", "UTF-32 (without a byte order mark) text"),
    ],
)
@pytest.mark.parametrize("file", ["a.ttl", "a.rdf", "a.jsonld", "a.nt"])
def test_wide_encodings_are_named_rightly(run: Run, file: str, encoding: str, said: str) -> None:
    content = SYNTAXES[file].replace("asthma", "哮喘")
    with pytest.raises(BadInput) as caught:
        run({file: content.encode(encoding)})
    assert caught.value.user_message == f"{file} is {said}: save it as UTF-8."


def test_a_file_that_fails_while_it_is_read(graph_folder: Path) -> None:
    memory = Path("/proc/self/mem")
    need(memory.exists(), "Linux shows a process its memory as a file")
    for kind in ("rdf", "obo", None):
        with pytest.raises(BadInput) as caught:
            import_source(graph_folder, kind, [memory])
        assert caught.value.user_message == "mem cannot be read: Input/output error."


def test_unusable_paths_are_one_line(tmp_path: Path, graph_folder: Path, run: Run) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    truncated = tmp_path / "t.nt.gz"
    truncated.write_bytes(gzip.compress(SYNTAXES["a.nt"].encode() * 999)[:-9])
    for path, words in (
        (tmp_path / "no.ttl", "There is no file no.ttl"),
        (folder, "holds no file of a known kind"),
        (truncated, "not a complete gzip file"),
    ):
        with pytest.raises(BadInput) as caught:
            import_source(graph_folder, None, [path])
        assert words in caught.value.user_message and "\n" not in caught.value.user_message
    for content, words in (
        (b"", "is empty"),
        (b"just some words", "is of no known kind"),
        (b"\xff\xd8\x00\x01", "is of no known kind"),
    ):
        with pytest.raises(BadInput, match=words):
            run({"data.dump": content})
    with pytest.raises(BadInput, match="holds no statement"):
        run({"c.ttl": "# nothing\n@prefix e: <http://e/> ."})
    with pytest.raises(BadInput, match="give a file or a folder"):
        import_source(graph_folder, "rdf", [])
    assert not (graph_folder / "CURRENT").exists()


def test_a_file_that_may_not_be_read(
    tmp_path: Path, graph_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.ttl"
    path.write_text(SYNTAXES["a.ttl"])

    def refuse(self: Path, *_: object) -> None:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(BadInput, match=r"a\.ttl may not be read: check its permissions"):
        import_source(graph_folder, "rdf", [path])


@pytest.mark.parametrize(
    ("file", "line"), [("a.ttl", 3), ("a.trig", 3), ("a.n3", 3), ("a.jsonld", 3)]
)
def test_a_half_broken_file_is_refused_whole(
    run: Run, graph_folder: Path, file: str, line: int
) -> None:
    run({"old.ttl": f"<{E}old> <{E}p> <{E}x> ."}, "old")
    broken = {
        "a.jsonld": f'{{"@id": "{E}a",\n"{E}p": "x",\n"{E}q": }}',
    }.get(file, f"@prefix e: <{E}> .\ne:a e:p e:b .\ne:a e:p .\n")
    with pytest.raises(BadInput) as caught:
        run({file: broken})
    assert caught.value.user_message.startswith(f"{file}, line {line}: ")
    assert caught.value.user_message.endswith("Nothing was imported.")
    assert values(graph_folder) == [] and values(graph_folder, "old") == ["x"]


def test_broken_xml_is_refused_with_a_line(run: Run) -> None:
    with pytest.raises(BadInput, match=r"^a\.rdf, line 1: .*Nothing was imported"):
        run({"a.rdf": SYNTAXES["a.rdf"].replace("</rdf:RDF>", "")})


def test_bad_lines_are_skipped_and_counted(run: Run, graph_folder: Path) -> None:
    year = "http://www.w3.org/2001/XMLSchema#gYear"
    lines = [
        f'<{E}aspirin tablet> <{E}p> "x" .',
        f'<{E}a> <{E}death> "-0044"^^<{year}> .',
        f'<{E}a> <{E}born> "1982"^^<{year}> .',
        f'<{E}a> <{E}long> "' + "x" * (20 << 20) + '" .',
        "\ufffd not RDF at all",
        f'<{E}a> <{E}q"uote> <{E}b> .',
        f'<{E}a> <{E}last> "last" .',
        f'<{E}a> <{E}cut> "cut off in the mid',
    ]
    report = run({"dump.nt": "\n".join(lines)})
    assert (report.triples, report.skipped) == (3, 5)
    places = [sample.split(":")[0] for sample in report.skipped_samples]
    assert sorted(places) == [f"dump.nt, line {number}" for number in (1, 4, 5, 6, 8)]
    assert all(len(sample) <= 300 for sample in report.skipped_samples)
    assert values(graph_folder) == ["1982", "-0044", "last"]


def test_a_file_of_bad_lines_only_is_refused(run: Run) -> None:
    with pytest.raises(BadInput, match="holds no statement that can be read.*line 1"):
        run({"a.nt": "rubbish\nrubbish\n"})


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("a.nt", f'<{E}a> <{LABEL}> "哮喘"@zh_CN .\n<{E}a> <{E}p> "q"@en .\n'),
        ("a.ttl", f'<{E}a> <{LABEL}> "哮喘"@zh_CN ; <{E}p> "q"@en .'),
        ("b.ttl", f'<{E}a> <{LABEL}> "哮喘"@toolongatag ; <{E}p> "q"@en .'),
        (
            "a.rdf",
            SYNTAXES["a.rdf"].replace("<l:label>asthma", '<l:label xml:lang="mail.example">哮喘'),
        ),
        (
            "a.jsonld",
            f'{{"@id":"{E}a","{E}p":"q","{LABEL}":{{"@value":"哮喘","@language":"zh_CN"}}}}',
        ),
    ],
)
def test_bad_language_tags_go_and_the_text_stays(
    run: Run, graph_folder: Path, file: str, content: str
) -> None:
    report = run({file: content})
    assert (report.triples, report.repaired, report.skipped) == (2, 1, 0)
    assert "language tag" in report.repaired_samples[0]
    graph = LocalGraph(graph_folder)
    assert graph.candidates("哮喘", "zh", Deadline.after(9))[0].label == "哮喘"


def test_unnamed_nodes_of_two_files_are_two(run: Run, graph_folder: Path) -> None:
    first, second = (f'_:b0 <{E}p> "{word}" .\n<{E}a> <{E}has> _:b0 .\n' for word in ("one", "two"))
    run({"1.nt": first, "2.nt": second}, "both")
    assert sorted(values(graph_folder)) == ["p one", "p two"]
    again = run({"1.nt": first, "2.nt": second}, "both")
    assert again.unchanged
    run({"1.nt": first}, "first")
    run({"2.nt": second}, "second")
    assert sorted(values(graph_folder)) == ["p one", "p two"]
    assert [source.triples for source in list_sources(graph_folder)] == [4, 2, 2]


@pytest.mark.parametrize("file", ["a.ttl", "a.rdf", "a.jsonld"])
def test_nameless_nodes_do_not_double(run: Run, file: str) -> None:
    content = {
        "a.ttl": f'<{E}a> <{E}p> [ <{E}q> "x" ], [ <{E}q> [ <{E}r> "y" ] ] .',
        "a.rdf": SYNTAXES["a.rdf"].replace(
            "<l:label>", '<e:q rdf:parseType="Resource"><e:r>x</e:r></e:q><l:label>'
        ),
        "a.jsonld": f'{{"@id": "{E}a", "{E}p": [{{"{E}q": "x"}}, {{"{E}q": "y"}}]}}',
    }[file]
    first = run({file: content})
    again = run({file: content})
    assert again.unchanged and again.triples == first.triples


def test_a_remote_context_is_named_and_not_fetched(run: Run) -> None:
    for context in (
        '"https://schema.org/"',
        '["https://schema.org/", {}]',
        '{"@version": 1.1, "@import": "https://schema.org/"}',
        '{"p": {"@id": "http://e/p", "@context": {"@import": "https://schema.org/"}}}',
    ):
        with pytest.raises(BadInput, match="context https://schema.org/, which is not fetched"):
            run({"a.json": f'{{"@context": {context}, "@id": "{E}a", "name": "Asthma"}}'})


def test_entities_that_grow_without_measure_are_refused(run: Run) -> None:
    entities = '<!ENTITY a0 "aaaaaaaaaa">' + "".join(
        f'<!ENTITY a{i} "{f"&a{i - 1};" * 10}">' for i in range(1, 10)
    )
    bomb = f"<!DOCTYPE r [{entities}]>" + SYNTAXES["a.rdf"].replace("asthma", "&a9;")
    with pytest.raises(BadInput, match="grows to more than"):
        run({"a.rdf": bomb})
    harmless = f'<!DOCTYPE r [<!ENTITY e "{E}">]>' + SYNTAXES["a.rdf"].replace(f'"{E}b"', '"&e;b"')
    assert run({"a.rdf": harmless}).triples == 2


def trix(text: str, entities: str = "", kind: str = "plainLiteral") -> str:
    return f"<!DOCTYPE TriX [{entities}]>" + SYNTAXES["a.trix"].replace(
        "<plainLiteral>asthma</plainLiteral>", f"<{kind}>{text}</{kind.split()[0]}>"
    )


@pytest.mark.parametrize("depth", [4, 9])
def test_entities_of_trix_may_not_grow_either(run: Run, graph_folder: Path, depth: int) -> None:
    entities = '<!ENTITY a0 "lololololololololol">' + "".join(
        f'<!ENTITY a{i} "{f"&a{i - 1};" * 10}">' for i in range(1, depth + 1)
    )
    began = time.monotonic()
    with pytest.raises(BadInput, match="grows to more than"):
        run({"a.trix": trix(f"&a{depth};", entities)})
    # padding moves the declarations out of any look at the file's beginning
    with pytest.raises(BadInput, match="grows to more than"):
        run({"a.trix": trix(f"&a{depth};", f"<!--{'x' * (2 << 20)}-->" + entities)})
    assert time.monotonic() - began < 5
    assert run({"a.trix": trix("&a;", '<!ENTITY a "asthma">')}).names == 1
    assert values(graph_folder) == ["b"]


@pytest.mark.parametrize("file", ["a.trix", "a.rdf"])
def test_entities_of_other_files_are_not_fetched(run: Run, tmp_path: Path, file: str) -> None:
    (tmp_path / "secret").write_text("secret")
    head = f'<!DOCTYPE x [<!ENTITY a SYSTEM "{(tmp_path / "secret").as_uri()}">]>'
    with pytest.raises(BadInput, match="its entity 'a' lies in another file"):
        run({file: head + SYNTAXES[file].replace("asthma", "&a;")})


@pytest.mark.parametrize("file", ["a.trix", "a.rdf"])
def test_many_uses_of_one_entity_are_refused(run: Run, file: str) -> None:
    head = f'<!DOCTYPE x [<!ENTITY a "{"lo" * 4_000}">]>'
    began = time.monotonic()
    with pytest.raises(BadInput, match=r"line 1: .*Nothing was imported"):
        run({file: head + SYNTAXES[file].replace("asthma", "&a;" * 20_000)})
    assert time.monotonic() - began < 5


def test_a_long_text_in_trix_takes_no_longer_than_elsewhere(run: Run) -> None:
    began = time.monotonic()
    assert run({"a.trix": trix("ACGT\n" * 200_000)}).triples == 2
    assert time.monotonic() - began < 3


def test_literals_and_nodes_of_trix(run: Run, graph_folder: Path) -> None:
    year = "http://www.w3.org/2001/XMLSchema#gYear"
    content = f"""<?xml version="1.0"?>
    <TriX xmlns="http://www.w3.org/2004/03/trix/trix-1/"><graph><uri>{E}g</uri>
      <triple><uri> {E}a </uri><uri>{LABEL}</uri>
        <plainLiteral xml:lang="zh">哮喘</plainLiteral></triple>
      <triple><uri>{E}a</uri><uri>{E}q</uri>
        <plainLiteral xml:lang="zh_CN">x &lt; <![CDATA[<y>]]></plainLiteral></triple>
      <triple><uri>{E}a</uri><uri>{E}born</uri>
        <typedLiteral datatype="{year}">1982</typedLiteral></triple>
      <triple><uri>{E}a</uri><uri>{E}has</uri><id>x</id></triple>
      <triple><id>x</id><uri>{E}p</uri><plainLiteral>deep</plainLiteral></triple>
    </graph><graph/></TriX>"""
    report = run({"a.trix": content})
    assert (report.triples, report.names, report.repaired) == (5, 1, 1)
    assert set(values(graph_folder)) == {"1982", "p deep", "x < <y>"}


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("a.trix", SYNTAXES["a.trix"].replace(f"{E}b", "http://e/ x")),
        ("a.trix", SYNTAXES["a.trix"].replace(f"<uri>{E}b</uri>", "<id>a b</id>")),
        ("a.trix", SYNTAXES["a.trix"].replace(f"<uri>{E}b</uri>", "")),
        ("a.trix", SYNTAXES["a.trix"].replace("plainLiteral", "other")),
        ("a.trix", SYNTAXES["a.trix"].replace("plainLiteral", "typedLiteral")),
        ("a.trix", SYNTAXES["a.trix"].replace("</graph>", "")),
    ],
)
def test_broken_trix_is_refused_in_one_line(
    run: Run, capfd: pytest.CaptureFixture[str], file: str, content: str
) -> None:
    with pytest.raises(BadInput) as caught:
        run({file: content})
    message = caught.value.user_message
    assert message.startswith(file) and message.endswith("Nothing was imported.")
    assert "\n" not in message and len(message) < 400
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    "line",
    [
        f'["{E}a", "{E}p", "http://e/ x", "globalId", "", ""]',
        f'["{E}a", "\\ud800", "x", "", "", ""]',
        f'["{E}a", "{E}p", "\\ud800", "", "", ""]',
        f'["{E}a", "{E}p", 7, "globalId", "", ""]',
        f'["{E}a", "{E}p", "x", "no datatype", "", ""]',
        f'["{E}a", "{E}p", "x"]',
        f'{{"{E}a": "{E}p"}}',
        "rubbish",
        "[" * 100_000,
    ],
)
def test_bad_lines_of_hextuples_are_skipped(
    run: Run, capfd: pytest.CaptureFixture[str], line: str
) -> None:
    report = run({"a.hext": SYNTAXES["a.hext"] + line + "\n\n" + SYNTAXES["a.hext"]})
    assert (report.triples, report.skipped) == (2, 1)
    (sample,) = report.skipped_samples
    assert sample.startswith("a.hext, line 3: ") and "\n" not in sample and len(sample) <= 300
    assert capfd.readouterr() == ("", "")


def test_nodes_and_literals_of_hextuples(run: Run, graph_folder: Path) -> None:
    year = "http://www.w3.org/2001/XMLSchema#gYear"
    rows = [
        [f"{E}a", f"{E}has", "_:x", "localId", "", f"{E}g"],
        ["_:x", f"{E}p", "deep", "", "", ""],
        [f"{E}a", f"{E}born", "1982", year, "", ""],
    ]
    assert run({"a.hext": "\n".join(map(json.dumps, rows))}).triples == 3
    assert set(values(graph_folder)) == {"1982", "p deep"}


def test_a_bad_tag_in_hextuples_goes_and_the_text_stays(run: Run, graph_folder: Path) -> None:
    lang = "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString"
    line = f'["{E}a", "{LABEL}", "哮喘", "{lang}", "toolongatag", ""]\n'
    assert run({"a.hext": line}).repaired == 1
    graph = LocalGraph(graph_folder)
    assert graph.candidates("哮喘", "zh", Deadline.after(9))


def test_formulas_of_n3_are_no_facts(run: Run, graph_folder: Path) -> None:
    report = run(
        {"a.n3": f"@prefix e: <{E}> . {{ e:a e:p e:b }} => {{ e:c e:d e:e }} . e:a e:q e:z ."}
    )
    assert report.skipped == 2
    assert values(graph_folder) == ["z"]


def test_annotations_of_both_kinds(run: Run, graph_folder: Path) -> None:
    prefixes = (
        f"@prefix e: <{E}> . @prefix gc: <urn:graphcite:vocabulary:> .\n"
        "@prefix dcterms: <http://purl.org/dc/terms/> .\n"
        "@prefix prov: <http://www.w3.org/ns/prov#> .\n"
        f"@prefix rdf: <{RDF_NS}> .\n"
    )
    report = run(
        {
            "a.ttl": prefixes
            + """
            e:a e:p e:b {| dcterms:references <http://www.ncbi.nlm.nih.gov/pubmed/12> ;
                           gc:frequency "common" ; gc:stage e:lateStage |} .
            e:a e:q e:c .
            [] a rdf:Statement ; rdf:subject e:a ; rdf:predicate e:q ; rdf:object e:c ;
               dcterms:source "PMID:5" ; prov:wasDerivedFrom <http://e/doc> ; e:strength "strong" .
            e:note rdf:reifies <<( e:a e:q e:c )>> ; e:strength "weak" .
            << e:a e:unstated e:d >> dcterms:source "PMID:6" .
            """
        }
    )
    assert report.triples == 2, "nothing of the annotations is a triple"
    graph = LocalGraph(graph_folder)
    one, two = graph.triples(E + "a", "en", Deadline.after(9)).triples
    assert one.references == ("PMID:12",)
    assert dict(one.qualifiers) == {"frequency": "common", "stage": "late stage"}
    assert set(two.references) == {"PMID:5", "http://e/doc"}
    assert dict(two.qualifiers)["strength"] in ("strong; weak", "weak; strong")


def test_details_come_from_the_dataset_node(run: Run, graph_folder: Path) -> None:
    run(
        {
            "a.ttl": f"""
            @prefix dct: <http://purl.org/dc/terms/> .
            @prefix owl: <http://www.w3.org/2002/07/owl#> .
            <{E}thing> dct:title "not this" ; <{E}p> <{E}x> .
            <{E}onto> dct:license <https://creativecommons.org/licenses/by/4.0/> ;
              dct:title "Titre"@fr, "Title"@en ; dct:issued "2020-01-01" ; owl:versionInfo "1.2" ;
              <http://xmlns.com/foaf/0.1/homepage> <http://home/> ; a owl:Ontology .
            """
        }
    )
    (source,) = list_sources(graph_folder)
    assert (source.title, source.version, source.date) == ("Title", "1.2", "2020-01-01")
    assert source.licence == "https://creativecommons.org/licenses/by/4.0/"
    assert source.homepage == "http://home/"


@pytest.mark.parametrize("name", ["A", "a b", "../x", "-a", "a/b", "é", "x" * 65])
def test_names_of_sources_are_restricted(run: Run, name: str) -> None:
    with pytest.raises(BadInput, match="cannot be called"):
        run({"a.ttl": SYNTAXES["a.ttl"]}, name)


def test_unknown_kinds_and_wrong_kinds(run: Run, tmp_path: Path, graph_folder: Path) -> None:
    run({"a.ttl": SYNTAXES["a.ttl"]})
    for kind, words in (
        ("csv", "no kind of import 'csv'"),
        ("obo", r"holds no \[Term\]"),
        ("starter", "give no path"),
    ):
        with pytest.raises(BadInput, match=words):
            import_source(graph_folder, kind, [tmp_path / "a.ttl"])


def test_progress_is_told(tmp_path: Path, graph_folder: Path) -> None:
    path = tmp_path / "a.nt"
    path.write_text("".join(f"<{E}a{i}> <{E}p> <{E}b> .\n" for i in range(45_000)))
    told: list[tuple[str, int]] = []
    import_source(graph_folder, "rdf", [path], progress=lambda s, done, _: told.append((s, done)))
    assert ("reading a.nt", 20_000) in told and ("reading", 45_000) in told
    assert any(stage == "indexing" for stage, _ in told) and len(told) < 20
