"""UMLS in RRF: how the files may come, and what is wrong with them."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from kg.errors import BadInput
from kg.sources import lines
from kg.sources.statements import Statement
from kg.sources.umls.importer import is_umls
from tests.kg.sources.umls_folder import (
    BOTH_WAYS,
    DEFINITIONS,
    HEAD,
    HEADACHE,
    MIGRAINE,
    NAMES,
    SUMATRIPTAN,
    TABLES,
    TYPES,
    conso,
    definition,
    importer_of,
    names,
    read,
    rel,
    write,
)


@pytest.fixture
def meta(tmp_path: Path) -> Path:
    return write(tmp_path / "META")


def _same(one: list[Statement], other: list[Statement]) -> bool:
    return sorted(map(str, one)) == sorted(map(str, other))


def test_gzip_parts_and_single_files_read_the_same(meta: Path, tmp_path: Path) -> None:
    plain = read(meta)
    packed, cut = tmp_path / "packed" / "META", tmp_path / "cut" / "META"
    packed.mkdir(parents=True)
    cut.mkdir(parents=True)
    for file in meta.glob("*.RRF"):
        content = file.read_bytes()
        (packed / f"{file.name}.gz").write_bytes(gzip.compress(content))
        middle = len(content) // 2  # inside a line
        (cut / f"{file.name}.aa.gz").write_bytes(gzip.compress(content[:middle]))
        (cut / f"{file.name}.ab.gz").write_bytes(gzip.compress(content[middle:]))
    assert _same(read(packed.parent), plain)
    assert _same(read(cut.parent), plain)
    assert _same(read(*sorted(meta.glob("*.RRF"))), plain)
    assert len(importer_of(cut).inputs) == 2 * len(TABLES)


def test_an_unpacked_table_goes_before_its_gz(meta: Path) -> None:
    (meta / "MRCONSO.RRF.gz").write_bytes(b"broken")
    assert (meta / "MRCONSO.RRF.gz") not in importer_of(meta).inputs
    assert read(meta)


def test_a_byte_order_mark_and_windows_line_ends(meta: Path) -> None:
    plain = read(meta)
    for file in meta.glob("*.RRF"):
        content = file.read_bytes().replace(b"\n", b"\r\n")
        file.write_bytes(b"\xef\xbb\xbf" + content)
    assert _same(read(meta), plain)


def test_a_last_line_that_was_cut_is_named(tmp_path: Path) -> None:
    folder = write(tmp_path / "META")
    cut = "|".join(NAMES[0].split("|")[:9])
    (folder / "MRCONSO.RRF").write_text("\n".join([*NAMES[:5], cut]), "utf-8")
    importer = importer_of(folder)
    found = list(importer.statements(lambda *_: None))
    assert len({n[1] for n in names(found, MIGRAINE)}) == 4  # two differ in case only
    assert importer.skipped.samples == ["MRCONSO.RRF, line 6: 9 columns instead of 18"]


def test_broken_rows_of_every_table_are_counted(tmp_path: Path) -> None:
    folder = write(
        tmp_path / "META",
        MRCONSO=[*NAMES, "X1" + NAMES[0][8:], conso(HEAD, " ", "MSH/ET/1")],
        MRREL=[*BOTH_WAYS, "a|b|", rel("nothing", "RO", HEAD), rel(HEAD, "ZZ", HEADACHE)],
        MRDEF=[*DEFINITIONS, definition("?", "MSH", "x"), definition(HEAD, "MSH", "a|b")],
        MRSTY=[*TYPES, f"{HEAD}|Tx|A|Odd|AT||"],
    )
    importer = importer_of(folder)
    list(importer.statements(lambda *_: None))
    assert importer.skipped.count == 8
    assert importer.skipped.samples[0] == (
        f"MRCONSO.RRF, line {len(NAMES) + 1}: 'X1' is no concept identifier"
    )


def test_a_file_that_is_not_sorted_gives_one_label(tmp_path: Path) -> None:
    folder = write(tmp_path / "META", MRCONSO=[*NAMES[1:], NAMES[0]])
    found = [n for n in names(read(folder), MIGRAINE) if n[2] == "en"]
    assert [name for kind, name, _ in found if kind == "label"] == ["Migraine Disorders"]
    assert ("exact", "Migraine", "en") in found


def test_tables_that_are_not_there(tmp_path: Path) -> None:
    importer = importer_of(write(tmp_path / "a", MRREL=[], MRDEF=[], MRSTY=[]))
    assert names(importer.statements(lambda *_: None), HEAD)
    assert importer.skipped.samples == [
        "There is no MRREL, MRDEF, MRSTY (.RRF or .RRF.gz) beside MRCONSO"
    ]
    with pytest.raises(BadInput) as caught:
        importer_of(write(tmp_path / "b", MRCONSO=[]))
    assert "There is no MRCONSO.RRF" in caught.value.user_message
    assert "MRREL, MRDEF and MRSTY" in caught.value.user_message


def _refusal(folder: Path, **options: object) -> str:
    with pytest.raises(BadInput) as caught:
        read(folder, **options)
    assert "\n" not in caught.value.user_message
    return caught.value.user_message


def test_what_is_asked_for_and_not_there_is_told(meta: Path) -> None:
    message = _refusal(meta, languages=("FRE",), vocabularies=("MSH", "XX"))
    assert "the languages fr and the vocabularies MSH, XX" in message
    assert "CHITERMS" in message and "en, es, zh" in message
    assert "'?' is no language" in _refusal(meta, languages=("?",))


def test_unreadable_files_are_refused(meta: Path) -> None:
    file = meta / "MRCONSO.RRF"
    text = file.read_text("utf-8")
    file.write_text(text, "utf-16")
    assert "UTF-16" in _refusal(meta)
    file.write_bytes(text.replace("ñ", "\xf1").encode("latin-1", "replace"))
    assert "line 14 is not UTF-8 text" in _refusal(meta)
    file.write_text("a,b,c\nd,e,f\n")
    assert "18 columns" in _refusal(meta)
    file.write_text("")
    assert "holds no name" in _refusal(meta)
    file.unlink()
    packed = gzip.compress(text.encode())
    (meta / "MRCONSO.RRF.gz").write_bytes(packed[: len(packed) // 2])
    assert "MRCONSO.RRF.gz is not a complete gzip file" in _refusal(meta)


def test_a_huge_line_is_left_out(meta: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = read(meta)
    monkeypatch.setattr(lines, "LONGEST_LINE", 4096)
    file = meta / "MRREL.RRF"
    rows = file.read_text("utf-8").splitlines(keepends=True)
    rows.insert(2, rel(MIGRAINE, "RO", SUMATRIPTAN, "x" * 20_000) + "\n")
    file.write_text("".join(rows), "utf-8")
    importer = importer_of(meta)
    assert _same(list(importer.statements(lambda *_: None)), plain)
    assert importer.skipped.samples == ["MRREL.RRF, line 3: longer than 16 MB"]


def test_packed_tables_of_an_nlm_archive_are_refused(meta: Path) -> None:
    (meta / "MRREL.RRF").unlink()
    rows = "\n".join([BOTH_WAYS[0], "|||" + BOTH_WAYS[1].split("|", 3)[3]])
    (meta / "MRREL.RRF.aa.gz").write_bytes(gzip.compress(rows.encode()))
    assert "Run MetamorphoSys" in _refusal(meta)


def test_settings_tell_what_changes_the_statements(meta: Path) -> None:
    one = importer_of(meta).settings
    assert one == importer_of(meta).settings
    different = [{"languages": ("ENG",)}, {"vocabularies": ("MSH",)}, {"suppressed": True}]
    assert len({one, *(importer_of(meta, **option).settings for option in different)}) == 4


def test_a_folder_or_file_is_recognised(meta: Path, tmp_path: Path) -> None:
    assert is_umls(meta) and is_umls(meta.parent) and is_umls(meta / "MRREL.RRF")
    other = tmp_path / "other"
    other.mkdir()
    (other / "MRCONSO.txt").write_text("x")
    assert not is_umls(other) and not is_umls(other / "MRCONSO.txt")
    assert not is_umls(tmp_path / "missing" / "MRCONSO.RRF")
