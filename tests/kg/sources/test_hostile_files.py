"""Lines and texts without end, wrong encodings, broken archives: refused or skipped, cheaply."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest

from kg.errors import BadInput
from kg.sources.hpo.importer import HpoImporter
from kg.sources.obo import syntax as obo_syntax
from kg.sources.obo.importer import OboImporter
from kg.sources.rdf import json_forms as rdf_json
from kg.sources.rdf import syntax as rdf_syntax
from kg.sources.rdf.importer import RdfImporter
from kg.sources.statements import Importer
from tests.kg.sources.test_hpo import NEW, TERMS
from tests.kg.sources.test_obo import ODD
from tests.kg.sources.test_rdf import RDF_NS, SYNTAXES, E

XML = f'<rdf:RDF xmlns:rdf="{RDF_NS}" xmlns:e="{E}"><rdf:Description rdf:about="{E}a"><e:p'
# What stands before and after 64 MB of one letter, and what is said of it.
ENDLESS = {
    "line.nt": (f'<{E}a> <{E}p> "', f'" .\n<{E}a> <{E}p> "last" .\n', "1 line 1: longer than"),
    "line.nq": ("", f'\n<{E}a> <{E}p> "last" .\n', "1 line 1: longer than"),
    "text.ttl": (f'<{E}a> <{E}p> "', '" .', "maximal size"),
    "iri.trig": (f"<{E}a> <{E}p> <{E}", "> .", "maximal size"),
    "comment.n3": (f"<{E}a> <{E}p> <{E}b> .\n#", "", "1"),
    "text.rdf": (XML + ">", "</e:p></rdf:Description></rdf:RDF>", "a text is longer than 16 MB"),
    "cdata.rdf": (XML + "><![CDATA[", "]]></e:p></rdf:Description></rdf:RDF>", "a text is longer"),
    "value.rdf": (XML + ' e:q="', '"/></rdf:Description></rdf:RDF>', "a tag or comment is longer"),
    "text.trix": (SYNTAXES["a.trix"].split("asthma")[0], "", "a text is longer than 16 MB"),
    "line.hext": ('["', '"]\n' + SYNTAXES["a.hext"], "2 line 1: longer than"),
    "line.obo": ("[Term]\nid: T:1\nname: ", "\n[Term]\nid: T:2\nname: last\n", "4 line 3: longer"),
}
READ = """
import resource, sys
from pathlib import Path
from kg.errors import KgError
from kg.sources.obo.importer import OboImporter
from kg.sources.rdf.importer import RdfImporter
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for path in map(Path, sys.argv[1:]):
    before = peak()
    try:
        importer = (OboImporter if path.suffix == ".obo" else RdfImporter)([path])
        count = sum(1 for _ in importer.statements(lambda *_: None))
        said = f"{count} {' '.join(importer.skipped.samples).partition(', ')[2]}"
    except KgError as error:
        said = error.user_message
    print(peak() - before, path.name, said)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="kilobytes of memory are told by Linux")
def test_one_endless_line_takes_little_memory(tmp_path: Path) -> None:
    for name, (before, after, _) in ENDLESS.items():
        with gzip.open(tmp_path / name, "wb", compresslevel=1) as file:
            file.write(before.encode())
            for _ in range(64):
                file.write(b"x" * (1 << 20))
            file.write(after.encode())
    command = [sys.executable, "-c", READ, *(str(tmp_path / name) for name in ENDLESS)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    lines = done.stdout.splitlines()
    assert len(lines) == len(ENDLESS)
    for line in lines:
        kilobytes, name, said = line.split(" ", 2)
        assert ENDLESS[name][2] in said, line
        assert int(kilobytes) < 60_000, line


def read(importer: Importer) -> int:
    return sum(1 for _ in importer.statements(lambda *_: None))


def refused(path: Path, content: bytes) -> str:
    path.write_bytes(content)
    with pytest.raises(BadInput) as caught:
        read((OboImporter if path.suffix == ".obo" else RdfImporter)([path]))
    message = caught.value.user_message
    assert message.startswith(path.name) and "\n" not in message
    return message


def test_json_that_is_too_large_or_has_too_many_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rdf_json, "LARGEST", 1_000)
    monkeypatch.setattr(rdf_json, "MOST_PARTS", 100)
    for content in (b'{"@id": "' + b"x" * 1_000, b"[" * 101, b"[" + b"{}," * 99):
        assert "too large for JSON-LD" in refused(tmp_path / "a.jsonld", content)


def test_a_stanza_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(obo_syntax, "MOST_TAGS", 100)
    for line in ("comment: x\n", "rubbish\n"):
        message = refused(tmp_path / "a.obo", f"[Term]\nid: T:1\n{line * 101}".encode())
        assert message.startswith("a.obo, line 1: ")


def test_a_long_line_of_obo_is_reported_with_its_term(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(obo_syntax, "LONGEST", 100)
    path = tmp_path / "a.obo"
    path.write_text(f"[Term]\nid: T:1\nname: one\ncomment: {'x' * 100}\n")
    importer = OboImporter([path])
    assert read(importer) > 0
    assert importer.skipped.samples[0].startswith("a.obo, line 4, T:1: ")


@pytest.mark.parametrize(
    "value",
    ["{" * 50_000, "[" * 50_000, " " * 50_000 + "x", '"' * 50_000, "{a=" * 20_000, '"\\' * 50_000],
)
def test_values_that_make_slow_patterns_slow(tmp_path: Path, value: str) -> None:
    path = tmp_path / "a.obo"
    tags = ("name", "def", "synonym", "xref", "is_a", "relationship", "creation_date", "comment")
    lines = [f"{tag}: {start}{value}" for tag in tags for start in ("", '"x" ', "a ")]
    path.write_text("\n".join(["[Term]", "id: T:1", *lines]))
    assert read(OboImporter([path])) > 0


def test_a_mended_file_may_not_be_without_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rdf_syntax, "LARGEST_MENDED", 100)
    content = f'<{E}a> <{E}p> "哮喘"@zh_CN .\n'
    (tmp_path / "a.ttl").write_text(content)
    assert read(RdfImporter([tmp_path / "a.ttl"])) == 1
    assert "line 1" in refused(tmp_path / "b.ttl", (content + "#" * 100).encode())


@pytest.mark.parametrize("size", [1, 2, 7, 40, 100])
def test_lines_are_whole_wherever_a_block_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr(rdf_syntax, "BLOCK", size)
    monkeypatch.setattr(rdf_syntax, "LONGEST_LINE", 100)
    lines = [
        f'<{E}a> <{E}p> "1" .',
        "",
        f'<{E}a> <{E}p> "{"x" * 200}" .',
        f'<{E}a> <{E}p> "2" .\r',
        "rubbish",
        f'<{E}a> <{E}p> "{"y" * 30}" .',
        f'<{E}a> <{E}p> "3" .',
    ]
    for ending in ("", "\n", "\n" + "z" * 300, "\n" + "z" * 300 + "\n"):
        path = tmp_path / "a.nt"
        path.write_text("\n".join(lines) + ending, newline="")
        importer = RdfImporter([path])
        values = [str(s.object) for s in importer.statements(lambda *_: None)]
        assert [value.strip('"')[:1] for value in values] == ["1", "2", "y", "3"]
        places = sorted(sample.split(":")[0] for sample in importer.skipped.samples)
        told = ["a.nt, line 3", "a.nt, line 5", "a.nt, line 8"]
        assert places == told[: 3 if "z" in ending else 2]


DECLARED = f'<?xml version="1.0" encoding="{{}}"?>{SYNTAXES["a.rdf"]}'
TRIX = f'<?xml version="1.0" encoding="{{}}"?>{SYNTAXES["a.trix"]}'


@pytest.mark.parametrize(
    ("name", "content"),
    [
        *((f"{e}.rdf", DECLARED.format(e).encode()) for e in ("ISO-8859-1", "gbk", "Shift_JIS")),
        *((f"{e}.rdf", DECLARED.format(e).encode()) for e in ("bogus", "US-ASCII", "x" * 99)),
        *((f"{e}.trix", TRIX.format(e).encode()) for e in ("gbk", "bogus")),
        ("a.ttl", f'<{E}a> <{E}p> "caf\xe9" .'.encode("latin-1")),
        ("a.trig", f'<{E}a> <{E}p> "哮喘" .'.encode("gb18030")),
        ("a.n3", f'<{E}a> <{E}p> "哮喘" .'.encode("gb18030")),
        ("a.jsonld", SYNTAXES["a.jsonld"].replace("asthma", "caf\xe9").encode("latin-1")),
        ("a.hext", SYNTAXES["a.hext"].replace("asthma", "caf\xe9").encode("latin-1")),
        ("a.obo", ODD.replace("giant", "哮喘").encode("gb18030")),
    ],
)
def test_wrong_encodings_are_named(tmp_path: Path, name: str, content: bytes) -> None:
    assert "UTF-8" in refused(tmp_path / name, content)


def test_lines_in_a_wrong_encoding_are_skipped(tmp_path: Path) -> None:
    path = tmp_path / "a.nt"
    path.write_bytes(f'<{E}a> <{E}p> "caf\xe9" .\n'.encode("latin-1") + SYNTAXES["a.nt"].encode())
    importer = RdfImporter([path])
    assert read(importer) == 2 and importer.skipped.count == 1
    assert "Invalid UTF-8" in importer.skipped.samples[0]


@pytest.mark.parametrize("name", sorted({*SYNTAXES, "a.obo"}))
def test_archives_that_break_off(tmp_path: Path, name: str) -> None:
    content = (SYNTAXES | {"a.obo": ODD})[name].encode()
    packed = gzip.compress(content * (1 if name in ("a.rdf", "a.trix", "a.jsonld") else 50))
    for length in (len(packed) - 1, len(packed) - 9, len(packed) // 2):
        assert "not a complete gzip file" in refused(tmp_path / name, packed[:length])


def test_annotations_that_break_off_or_are_in_a_wrong_encoding(tmp_path: Path) -> None:
    table = "\t".join(NEW) + "\nOMIM:1\tcaf\xe9\t\tHP:0001166\tPMID:1\tPCS\t\t\t\t\tP\t\n"
    (tmp_path / "hp.obo").write_text(TERMS)
    for content, words in (
        (table.encode("latin-1"), "phenotype.hpoa, line 2 is not UTF-8 text"),
        (gzip.compress(table.encode())[:-9], "phenotype.hpoa is not a complete gzip file"),
    ):
        (tmp_path / "phenotype.hpoa").write_bytes(content)
        with pytest.raises(BadInput) as caught:
            read(HpoImporter([tmp_path]))
        assert caught.value.user_message.startswith(words)


def test_bombs_of_names_in_json(tmp_path: Path) -> None:
    """Contexts that use each other without end end."""
    terms = {f"a{i}": f"a{i + 1}:a{i + 1}:" for i in range(300)}
    content = json.dumps({"@context": terms, "@id": f"{E}a", "a0:x": "y"}).encode()
    path = tmp_path / "a.jsonld"
    path.write_bytes(content)
    try:
        read(RdfImporter([path]))
    except BadInput as error:
        assert len(error.user_message) < 400
