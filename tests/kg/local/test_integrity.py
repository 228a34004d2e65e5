"""Damaged graph folders: said in one line, never built upon, mended by an import."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from kg.deadline import Deadline
from kg.errors import KgError
from kg.local import LocalGraph
from kg.local.generations import current_generation
from kg.local.info import graph_info
from kg.local.integrity import reading, verify
from kg.local.loader import drop_source
from kg.sources import import_source
from tests.limits import bound_by_permissions, posix_only

ROOT = Path(__file__).parents[3]
TURTLE = """
@prefix e: <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix dcterms: <http://purl.org/dc/terms/> .
e:%(name)s rdfs:label "%(name)s itis"@en , "%(name)s 关节炎病症"@zh ; rdfs:comment "A disease." .
e:%(name)s e:treats e:x {| dcterms:references <http://www.ncbi.nlm.nih.gov/pubmed/1> |} .
"""
Harm = Callable[[bytes], bytes]
HARMS: dict[str, Harm] = {
    "emptied": lambda _: b"",
    "cut": lambda content: content[: len(content) // 2],
    "random": lambda content: os.urandom(len(content)),
}


def turtle(folder: Path, name: str) -> Path:
    path = folder / f"{name}.ttl"
    path.write_text(TURTLE % {"name": name}, encoding="utf-8")
    return path


@pytest.fixture
def sources(tmp_path: Path, graph_folder: Path) -> dict[str, Path]:
    """Two sources in one graph, and the files that they come from."""
    paths = {name: turtle(tmp_path, name) for name in ("aa", "bb", "cc")}
    for name in ("aa", "bb"):
        import_source(graph_folder, "rdf", [paths[name]])
    return paths


def harm(path: Path, how: Harm) -> None:
    """Change a file in this generation only: segments share their files."""
    content = path.read_bytes()
    path.unlink()
    path.write_bytes(how(content))


def read_all(folder: Path) -> None:
    """Everything that commands and questions read."""
    graph = LocalGraph(folder)
    soon = Deadline.after(20)
    try:
        graph.identity()
        graph.mentions("aa itis, bb itsi and aa 关节炎丙症", soon)
        for name in ("aa itis", "aa itiss", "bb itis"):
            for candidate in graph.candidates(name, "en", soon):
                graph.describe([candidate.iri], "zh", soon)
                graph.triples(candidate.iri, "en", soon)
        graph.query("SELECT * { ?s ?p ?o }", soon)
        graph_info(folder)
    finally:
        graph.close()


def said(action: Callable[[], object], folder: Path) -> str:
    with pytest.raises(KgError) as caught:
        action()
    message = caught.value.user_message
    assert "is damaged" in message and str(folder) in message and "\n" not in message
    assert "损坏" in caught.value.message("zh")
    return message


@pytest.mark.parametrize("how", HARMS)
def test_every_damaged_file_is_found(
    sources: dict[str, Path], graph_folder: Path, how: str
) -> None:
    generation = current_generation(graph_folder)
    files = [
        path
        for path in sorted(generation.rglob("*"))
        if path.is_file() and path.stat().st_size and path.name not in ("LOCK", "LOG")
    ]
    assert {"store", "aa", "bb"} <= {path.parent.name for path in files}
    for path in files:
        whole = path.read_bytes()
        harm(path, HARMS[how])
        said(lambda: verify(graph_folder), graph_folder)
        if how != "random":
            said(lambda: read_all(graph_folder), graph_folder)
        else:  # what is read of it may be none of its business, but never a raw error
            try:
                read_all(graph_folder)
            except KgError as error:
                assert "is damaged" in error.user_message
        harm(path, lambda _, whole=whole: whole)  # type: ignore[misc]
    verify(graph_folder)
    read_all(graph_folder)


@pytest.mark.parametrize("how", HARMS)
@pytest.mark.parametrize("file", ["cards.data", "names.keys.npy", "annotations.data"])
def test_a_damaged_source_is_imported_anew(
    sources: dict[str, Path], graph_folder: Path, how: str, file: str
) -> None:
    harm(current_generation(graph_folder) / "sources/aa" / file, HARMS[how])
    assert "import aa again" in said(lambda: verify(graph_folder), graph_folder)
    report = import_source(graph_folder, "rdf", [sources["aa"]])
    assert not report.unchanged
    verify(graph_folder)
    read_all(graph_folder)
    assert import_source(graph_folder, "rdf", [sources["aa"]]).unchanged


@pytest.mark.parametrize("how", HARMS)
def test_no_other_source_is_put_beside_a_damaged_one(
    sources: dict[str, Path], graph_folder: Path, how: str
) -> None:
    generation = current_generation(graph_folder)
    for name in ("aa", "bb"):
        harm(generation / f"sources/{name}/names.data", HARMS[how])
    for name in ("cc", "aa"):
        said(lambda name=name: import_source(graph_folder, "rdf", [sources[name]]), graph_folder)  # type: ignore[misc]
    assert current_generation(graph_folder) == generation
    drop_source(graph_folder, "aa")
    assert "import bb again" in said(lambda: verify(graph_folder), graph_folder)
    import_source(graph_folder, "rdf", [sources["bb"]])
    import_source(graph_folder, "rdf", [sources["cc"]])
    verify(graph_folder)


def test_a_damaged_source_whose_files_are_gone_stays_damaged(
    sources: dict[str, Path], graph_folder: Path
) -> None:
    for path in (current_generation(graph_folder) / "sources/bb").iterdir():
        path.unlink()
    (current_generation(graph_folder) / "sources/bb").rmdir()
    drop_source(graph_folder, "aa")
    said(lambda: LocalGraph(graph_folder), graph_folder)
    import_source(graph_folder, "rdf", [sources["bb"]])
    read_all(graph_folder)


def test_a_damaged_store_is_made_anew_only_for_its_only_source(
    sources: dict[str, Path], graph_folder: Path
) -> None:
    def damage_store() -> None:
        for path in (current_generation(graph_folder) / "store").glob("*.sst"):
            harm(path, HARMS["random"])

    drop_source(graph_folder, "bb")
    damage_store()
    said(lambda: read_all(graph_folder), graph_folder)
    said(lambda: import_source(graph_folder, "rdf", [sources["bb"]]), graph_folder)
    assert not import_source(graph_folder, "rdf", [sources["aa"]]).unchanged
    read_all(graph_folder)
    import_source(graph_folder, "rdf", [sources["bb"]])
    damage_store()
    for name in ("aa", "bb"):
        message = said(lambda name=name: drop_source(graph_folder, name), graph_folder)  # type: ignore[misc]
        assert "delete it and import its sources again" in message


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("titles", None), ("titles", {"en": 3}), ("title", 7), ("name", "../../x"),
        ("name", None), ("triples", "many"), ("digest", None), ("licence", []),
    ],
)  # fmt: skip
def test_a_manifest_of_other_types_is_damaged(
    sources: dict[str, Path], graph_folder: Path, part: str, value: object
) -> None:
    path = current_generation(graph_folder) / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["sources"][0][part] = value
    path.write_text(json.dumps(manifest))
    for action in (
        lambda: LocalGraph(graph_folder),
        lambda: verify(graph_folder),
        lambda: import_source(graph_folder, "rdf", [sources["cc"]]),
    ):
        said(action, graph_folder)


def test_damage_of_a_source_that_is_not_asked_does_not_matter(
    sources: dict[str, Path], graph_folder: Path
) -> None:
    harm(current_generation(graph_folder) / "sources/aa/names.data", HARMS["emptied"])
    graph = LocalGraph(graph_folder, sources=["bb"])
    assert graph.candidates("bb itis", "en", Deadline.after(9))
    graph.close()


def test_a_graph_without_notes_is_read_and_still_never_a_raw_error(
    sources: dict[str, Path], graph_folder: Path
) -> None:
    generation = current_generation(graph_folder)
    manifest = json.loads((generation / "manifest.json").read_text())
    del manifest["files"]
    (generation / "manifest.json").write_text(json.dumps(manifest))
    (generation / "files.json").unlink()
    read_all(graph_folder)
    verify(graph_folder)
    for name in ("cards.data", "names.data", "names.starts.npy", "relations.json"):
        path = generation / "sources/aa" / name
        whole = path.read_bytes()
        for how in HARMS.values():
            harm(path, how)
            said(lambda: read_all(graph_folder), graph_folder)
        harm(path, lambda _, whole=whole: whole)  # type: ignore[misc]
    import_source(graph_folder, "rdf", [sources["cc"]])
    assert json.loads((current_generation(graph_folder) / "files.json").read_text())


def test_our_own_mistakes_are_not_called_damage(
    sources: dict[str, Path], graph_folder: Path
) -> None:
    generation = current_generation(graph_folder)
    with pytest.raises(ValueError, match="ours"), reading(generation):
        raise ValueError("ours")
    with pytest.raises(KgError) as caught, reading(generation):
        raise OSError(5, "Input/output error")
    message = f"The graph in {graph_folder} could not be read: Input/output error."
    assert caught.value.user_message == message


@posix_only
def test_a_folder_that_may_not_be_written_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "home"
    folder.mkdir(mode=0o555)
    code = (
        "import sys; from pathlib import Path; from kg.errors import KgError\n"
        "from kg.sources import import_source\n"
        "try: import_source(Path(sys.argv[1]), 'starter')\n"
        "except KgError as error: print(error.user_message)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(folder / "medical")],
        cwd=ROOT, capture_output=True, text=True, preexec_fn=bound_by_permissions,
    )  # fmt: skip
    assert done.stdout.count("\n") == 1, done
    assert f"{folder / 'medical'} cannot be written: Permission denied" in done.stdout
