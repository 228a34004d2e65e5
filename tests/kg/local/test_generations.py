"""Imports are all or nothing: generations, the lock, crashes, damaged and newer folders."""

from __future__ import annotations

import errno
import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from filelock import FileLock
from pyoxigraph import Literal, NamedNode

from kg.deadline import Deadline
from kg.errors import GraphBusy, GraphTooNew, GraphTooOld, KgError, NotFound
from kg.local import LocalGraph, loader
from kg.local.generations import current_generation, list_sources
from kg.local.info import graph_info
from kg.local.loader import drop_source, load_source
from kg.sources import import_source
from kg.sources.statements import ImportOptions, Progress, Skipped, SourceDetails, Statement
from tests.kg.conftest import MakeGraph

ROOT = Path(__file__).parents[3]
LABEL = NamedNode("http://www.w3.org/2000/01/rdf-schema#label")


def turtle(folder: Path, name: str, label: str) -> Path:
    path = folder / f"{name}.ttl"
    path.write_text(
        f'<http://example.org/{name}> <{LABEL.value}> "{label}" ; '
        f"<http://example.org/treats> <http://example.org/x> ."
    )
    return path


def labels(folder: Path) -> list[str]:
    graph = LocalGraph(folder)
    iris = [f"http://example.org/{name}" for name in "abc"]
    found = graph.describe(iris, "en", Deadline.after(5))
    graph.close()
    return [entity.label for entity in found.values()]


def test_each_import_is_a_generation_and_the_one_before_is_kept(
    tmp_path: Path, graph_folder: Path
) -> None:
    for number, label in enumerate(["one", "two", "three"], start=1):
        import_source(graph_folder, "rdf", [turtle(tmp_path, "a", label)])
        assert current_generation(graph_folder).name == f"g{number:06d}"
    assert labels(graph_folder) == ["three"]
    names = sorted(path.name for path in graph_folder.iterdir())
    assert names == ["CURRENT", "g000002", "g000003", "import.lock"]


def test_the_same_statements_change_nothing(tmp_path: Path, graph_folder: Path) -> None:
    path = turtle(tmp_path, "a", "one")
    first = import_source(graph_folder, None, [path])
    again = import_source(graph_folder, None, [path])
    assert (first.unchanged, again.unchanged) == (False, True)
    assert (again.triples, again.names) == (first.triples, first.names) == (2, 1)
    assert current_generation(graph_folder).name == "g000001"
    assert not list(graph_folder.glob("building-*"))


def test_other_sources_stay_and_share_their_index(tmp_path: Path, graph_folder: Path) -> None:
    import_source(graph_folder, "rdf", [turtle(tmp_path, "a", "one")])
    import_source(graph_folder, "rdf", [turtle(tmp_path, "b", "two")])
    assert labels(graph_folder) == ["one", "two"]
    old, new = (graph_folder / f"g00000{n}/sources/a/names.data" for n in (1, 2))
    assert old.stat().st_ino == new.stat().st_ino
    assert [source.name for source in list_sources(graph_folder)] == ["a", "b"]


@pytest.mark.parametrize("large", [100_000, 0])
def test_sources_are_dropped_the_last_one_too(
    tmp_path: Path, graph_folder: Path, monkeypatch: pytest.MonkeyPatch, large: int
) -> None:
    monkeypatch.setattr(loader, "LARGE", large)
    import_source(graph_folder, "rdf", [turtle(tmp_path, "a", "one")])
    import_source(graph_folder, "rdf", [turtle(tmp_path, "b", "two")])
    import_source(graph_folder, "rdf", [turtle(tmp_path, "b", "three")])
    assert labels(graph_folder) == ["one", "three"]
    drop_source(graph_folder, "a")
    assert labels(graph_folder) == ["three"]
    drop_source(graph_folder, "b")
    assert labels(graph_folder) == [] and list_sources(graph_folder) == ()
    graph = LocalGraph(graph_folder)
    assert graph.candidates("one", "en", Deadline.after(5)) == ()
    assert b'"bindings":[]' in graph.query("SELECT * { ?s ?p ?o }", Deadline.after(20))
    import_source(graph_folder, "rdf", [turtle(tmp_path, "c", "four")])
    assert graph.reload_if_changed() and labels(graph_folder) == ["four"]


def test_dropping_what_is_not_there_names_what_is(tmp_path: Path, graph_folder: Path) -> None:
    import_source(graph_folder, "rdf", [turtle(tmp_path, "a", "one")])
    with pytest.raises(NotFound, match="no source 'zz'. It has: a."):
        drop_source(graph_folder, "zz")
    assert labels(graph_folder) == ["one"]


def test_a_second_import_is_refused_at_once(tmp_path: Path, graph_folder: Path) -> None:
    import_source(graph_folder, "rdf", [turtle(tmp_path, "a", "one")])
    with FileLock(graph_folder / "import.lock"), pytest.raises(GraphBusy) as caught:
        import_source(graph_folder, "rdf", [turtle(tmp_path, "b", "two")])
    assert "Another import is running" in caught.value.user_message
    assert str(graph_folder) in caught.value.user_message
    assert labels(graph_folder) == ["one"]


def test_a_killed_import_leaves_the_old_graph_and_no_rubbish(
    tmp_path: Path, graph_folder: Path
) -> None:
    import_source(graph_folder, "rdf", [turtle(tmp_path, "a", "one")])
    big = tmp_path / "b.nt"
    with big.open("w") as file:
        file.writelines(f'<http://example.org/b{i}> <{LABEL.value}> "b" .\n' for i in range(30_000))
    code = (
        "import sys, time; from pathlib import Path; from kg.sources import import_source\n"
        "def progress(stage, done, total):\n"
        "    print(stage, flush=True)\n"
        "    if stage.startswith(sys.argv[3]): time.sleep(60)\n"
        "import_source(Path(sys.argv[1]), 'rdf', [Path(sys.argv[2])], progress=progress)\n"
    )
    for stage in ("reading b.nt", "indexing"):
        arguments = [sys.executable, "-c", code, str(graph_folder), str(big), stage]
        with subprocess.Popen(arguments, stdout=subprocess.PIPE, cwd=ROOT, text=True) as process:
            assert process.stdout is not None
            for line in process.stdout:
                if line.startswith(stage):
                    break
            process.send_signal(signal.SIGKILL)
        assert process.returncode == -signal.SIGKILL
        assert list(graph_folder.glob("building-*"))
        assert labels(graph_folder) == ["one"]
    import_source(graph_folder, "rdf", [turtle(tmp_path, "b", "two")])
    assert labels(graph_folder) == ["one", "two"]
    assert not list(graph_folder.glob("building-*"))


def test_a_crash_between_renaming_and_pointing_is_cleared(
    tmp_path: Path, graph_folder: Path
) -> None:
    import_source(graph_folder, "rdf", [turtle(tmp_path, "a", "one")])
    import_source(graph_folder, "rdf", [turtle(tmp_path, "a", "two")])
    (graph_folder / "CURRENT").write_text("g000001\n")
    assert labels(graph_folder) == ["one"]
    import_source(graph_folder, "rdf", [turtle(tmp_path, "a", "three")])
    assert labels(graph_folder) == ["three"]


class Failing:
    """An importer that ends in an error after one statement."""

    def __init__(self, error: BaseException) -> None:
        self.details, self.skipped, self.repaired = SourceDetails(), Skipped(), Skipped()
        self.inputs: list[Path] = []
        self.settings = ""
        self._error = error

    def statements(self, progress: Progress) -> Iterator[Statement]:
        yield Statement(NamedNode("http://example.org/b"), LABEL, Literal("two"))
        raise self._error


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), "is full"),
        (OSError("IO error: No space left on device: While appending to x\nx"), "is full"),
        (OSError(errno.EIO, "Input/output error"), "Input/output error"),
    ],
)
def test_a_full_or_failing_disk_is_one_line_and_the_graph_stays(
    tmp_path: Path, graph_folder: Path, error: OSError, words: str
) -> None:
    import_source(graph_folder, "rdf", [turtle(tmp_path, "a", "one")])
    with pytest.raises(KgError) as caught:
        load_source(graph_folder, "b", Failing(error), lambda *_: None)
    message = caught.value.user_message
    assert words in message and "stays as it was" in message
    assert str(graph_folder) in message and "\n" not in message
    assert "图谱保持原样" in caught.value.message("zh")
    assert labels(graph_folder) == ["one"] and not list(graph_folder.glob("building-*"))


def test_an_interrupted_import_cleans_up(tmp_path: Path, graph_folder: Path) -> None:
    import_source(graph_folder, "rdf", [turtle(tmp_path, "a", "one")])
    with pytest.raises(KeyboardInterrupt):
        load_source(graph_folder, "b", Failing(KeyboardInterrupt()), lambda *_: None)
    assert labels(graph_folder) == ["one"] and not list(graph_folder.glob("building-*"))


def test_a_missing_graph_says_what_to_run(graph_folder: Path) -> None:
    with pytest.raises(NotFound, match="graphcite kg import"):
        LocalGraph(graph_folder)


def test_a_newer_graph_is_refused_and_left_alone(tmp_path: Path, graph_folder: Path) -> None:
    import_source(graph_folder, "rdf", [turtle(tmp_path, "a", "one")])
    path = graph_folder / "g000001" / "manifest.json"
    manifest = json.loads(path.read_text())
    path.write_text(json.dumps({**manifest, "format": 99, "novelty": True}))
    for action in (
        lambda: LocalGraph(graph_folder),
        lambda: import_source(graph_folder, "rdf", [turtle(tmp_path, "b", "two")]),
    ):
        with pytest.raises(GraphTooNew, match="newer version"):
            action()
    assert json.loads(path.read_text())["format"] == 99


@pytest.mark.parametrize("content", ["", "{", "[]", '{"format": 1}', "\x00"])
def test_a_damaged_manifest_is_said(tmp_path: Path, graph_folder: Path, content: str) -> None:
    import_source(graph_folder, "rdf", [turtle(tmp_path, "a", "one")])
    (graph_folder / "g000001" / "manifest.json").write_text(content)
    with pytest.raises(KgError) as caught:
        LocalGraph(graph_folder)
    assert "damaged" in caught.value.user_message


def test_a_damaged_pointer_or_index_is_said(tmp_path: Path, graph_folder: Path) -> None:
    import_source(graph_folder, "rdf", [turtle(tmp_path, "a", "one")])
    (graph_folder / "g000001/sources/a/names.keys.npy").unlink()
    with pytest.raises(KgError) as caught:
        LocalGraph(graph_folder)
    assert "damaged" in caught.value.user_message
    (graph_folder / "CURRENT").write_text("../../etc")
    with pytest.raises(KgError) as caught:
        LocalGraph(graph_folder)
    assert "damaged" in caught.value.user_message


def test_a_reader_moves_on_between_questions(tmp_path: Path, make_graph: MakeGraph) -> None:
    graph = make_graph(a='e:x rdfs:label "asthma" .')
    version = graph.identity().version
    assert not graph.reload_if_changed()
    make_graph(a='e:x rdfs:label "gout" .')
    deadline = Deadline.after(5)
    assert graph.candidates("asthma", "en", deadline), "the old generation is still read"
    assert graph.reload_if_changed()
    assert graph.candidates("gout", "en", deadline) and not graph.candidates(
        "asthma", "en", deadline
    )
    assert graph.identity().version != version


def test_info_counts_relations_and_shows_those_without_aspect(
    make_graph: MakeGraph, graph_folder: Path
) -> None:
    make_graph(
        a='e:d rdfs:label "D" ; e:treats e:x, e:y ; e:frobnicates e:z .',
        b='<http://example.org/b> a <http://rdfs.org/ns/void#Dataset> ; dcterms:title "Bee"@en ; '
        'owl:versionInfo "7" ; dcterms:license <http://example.org/by> ; '
        'dcterms:modified "2024-05-06" . e:d e:treats e:x .',
    )
    info = graph_info(graph_folder)
    assert [(one.label, one.facts, one.aspect) for one in info.relations] == [
        ("treats", 3, "treatment"),
        ("frobnicates", 1, "other"),
    ]
    assert [one.label for one in info.without_aspect] == ["frobnicates"]
    (bee,) = graph_info(graph_folder, "b").sources
    assert (bee.title, bee.version, bee.licence) == ("Bee", "7", "http://example.org/by")
    assert (bee.date, bee.homepage) == ("2024-05-06", "http://example.org/b")
    with pytest.raises(NotFound, match="It has: a, b"):
        graph_info(graph_folder, "c")


def test_a_graph_of_an_older_version_is_said_and_made_anew_by_an_import(
    tmp_path: Path, graph_folder: Path
) -> None:
    import_source(graph_folder, "rdf", [turtle(tmp_path, "a", "one")])
    import_source(graph_folder, "rdf", [turtle(tmp_path, "b", "two")])
    manifest = current_generation(graph_folder) / "manifest.json"
    data = json.loads(manifest.read_text(encoding="utf-8"))
    manifest.write_text(json.dumps({**data, "format": 1}), encoding="utf-8")
    with pytest.raises(GraphTooOld) as caught:
        LocalGraph(graph_folder)
    assert "older version" in caught.value.user_message and "(a, b)" in caught.value.user_message
    assert "旧版" in caught.value.message("zh")
    assert not import_source(graph_folder, "rdf", [turtle(tmp_path, "a", "one")]).unchanged
    assert [source.name for source in list_sources(graph_folder)] == ["a"]


def test_what_the_user_says_of_a_source_goes_first(tmp_path: Path, graph_folder: Path) -> None:
    file = turtle(tmp_path, "a", "one")
    import_source(graph_folder, "rdf", [file])
    given = ImportOptions(details=SourceDetails(title="Ours", version="7", date="2026-01-02"))
    assert not import_source(graph_folder, "rdf", [file], options=given).unchanged
    (source,) = list_sources(graph_folder)
    assert (source.title, source.version, source.date) == ("Ours", "7", "2026-01-02")
    assert import_source(graph_folder, "rdf", [file], options=given).unchanged
