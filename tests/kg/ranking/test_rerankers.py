"""Cross-encoders: a real, tiny one is made here; what is none is refused in one line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kg.deadline import Deadline
from kg.errors import ModelError
from kg.protocols import Reranker
from kg.ranking.encoders import packaged_weights
from kg.ranking.rerankers import RerankerOptions, load_reranker
from tests.kg.ranking.fakes import long, past

OFFLINE = RerankerOptions(offline=True)
WORDS = "[PAD] [UNK] [CLS] [SEP] [MASK] migraine aura nausea treats what".split()
PAIRS = [("what treats migraine", f"aura {'nausea ' * n}treats migraine") for n in range(30)]


def save_model(folder: Path, kind: str, **config: Any) -> Path:
    """A BERT of random weights and ten words, as transformers saves it."""
    import torch
    import transformers

    folder.mkdir()
    (folder / "vocab.txt").write_text("\n".join(WORDS))
    transformers.BertTokenizerFast(str(folder / "vocab.txt")).save_pretrained(folder)
    torch.manual_seed(7)
    sizes = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}
    sizes |= {"intermediate_size": 16, "vocab_size": len(WORDS), "max_position_embeddings": 64}
    settings = transformers.BertConfig(**{**sizes, "initializer_range": 1.0, **config})
    getattr(transformers, kind)(settings).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def cross_encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models") / "tiny-cross-encoder"
    return save_model(folder, "BertForSequenceClassification", num_labels=1)


@pytest.fixture(scope="module")
def reranker(cross_encoder: Path) -> Reranker:
    return load_reranker(str(cross_encoder), OFFLINE)


def refusal(name: str | Path, options: RerankerOptions = OFFLINE) -> ModelError:
    with pytest.raises(ModelError) as caught:
        load_reranker(str(name), options)
    for line in (caught.value.user_message, caught.value.message("zh")):
        assert "\n" not in line and "Traceback" not in line
    assert caught.value.user_message.startswith("The re-ranker ")
    assert caught.value.message("zh").startswith("重排模型")
    return caught.value


def test_scores_are_those_of_the_model_between_0_and_1(
    cross_encoder: Path, reranker: Reranker
) -> None:
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    scores = reranker.scores(PAIRS, long())
    assert scores.shape == (30,) and scores.dtype == np.float32
    assert 0 <= scores.min() < scores.max() <= 1
    tokenizer = AutoTokenizer.from_pretrained(cross_encoder)
    model = AutoModelForSequenceClassification.from_pretrained(cross_encoder).eval()
    for place in (0, 9, 29):
        with torch.no_grad():
            logit = model(**tokenizer(*PAIRS[place], return_tensors="pt")).logits.item()
        assert scores[place] == pytest.approx(1 / (1 + np.exp(-logit)), abs=1e-5)


def test_the_folder_names_it_and_is_left_as_it_was(cross_encoder: Path) -> None:
    before = sorted((file.name, file.stat().st_mtime_ns) for file in cross_encoder.iterdir())
    loaded = load_reranker(str(cross_encoder), RerankerOptions(frozenset({"zh"}), offline=True))
    assert loaded.name == "tiny-cross-encoder"
    assert loaded.languages == {"zh"}
    assert loaded.scores(PAIRS[:1], long()).shape == (1,)
    after = sorted((file.name, file.stat().st_mtime_ns) for file in cross_encoder.iterdir())
    assert after == before


def test_what_is_too_long_for_the_model_is_cut(reranker: Reranker) -> None:
    text = "aura " * 500
    assert np.isfinite(reranker.scores([(text, text)], long())).all()
    assert reranker.scores([], long()).shape == (0,)
    assert reranker.scores([("", "")], long()).shape == (1,)


def test_the_deadline_is_looked_at_between_small_batches(reranker: Reranker) -> None:
    assert reranker.scores(PAIRS, past()).shape == (0,)
    looks: list[bool] = []

    def stopped() -> bool:
        looks.append(True)
        return len(looks) > 2

    scores = reranker.scores(PAIRS, Deadline.after(600, stopped))
    assert 16 <= len(scores) < 30
    assert np.allclose(scores, reranker.scores(PAIRS, long())[: len(scores)], atol=1e-5)


def test_a_model_that_breaks_while_it_reads_is_a_model_error(
    cross_encoder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded = load_reranker(str(cross_encoder), OFFLINE)
    model = loaded._model  # type: ignore[attr-defined]

    def nothing(pairs: Sequence[object], **_: object) -> object:
        return np.full(len(pairs), np.nan)

    def broken(pairs: Sequence[object], **_: object) -> object:
        raise RuntimeError("shapes cannot be multiplied\nlong story")

    for fake, message in ((nothing, "no numbers"), (broken, "RuntimeError")):
        monkeypatch.setattr(model, "predict", fake)
        with pytest.raises(ModelError) as caught:
            loaded.scores(PAIRS, long())
        assert caught.value.user_message == (
            f"The re-ranker failed while it read ({message}): use another in GRAPHCITE_RERANKER; "
            "the order stays without it."
        )


def test_an_encoder_is_refused(tmp_path: Path) -> None:
    plain = save_model(tmp_path / "encoder", "BertModel")
    assert "is no cross-encoder (BertModel)" in refusal(plain).user_message
    packaged = packaged_weights()
    assert packaged is not None
    assert "is no cross-encoder (BertModel)" in refusal(packaged).user_message
    writer = save_model(tmp_path / "writer", "BertLMHeadModel", is_decoder=True)
    assert "is no cross-encoder" in refusal(writer).user_message


def test_several_labels_are_refused(tmp_path: Path) -> None:
    folder = save_model(tmp_path / "nli", "BertForSequenceClassification", num_labels=3)
    assert "has 3 labels: use a cross-encoder with one" in refusal(folder).user_message


def test_what_is_no_model_folder_is_refused(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("no model")
    assert f"cannot be loaded from {text}: it is a file" in refusal(text).user_message
    assert "it is not there" in refusal(tmp_path / "missing").user_message
    assert "it is not there" in refusal("~/no/such/folder").user_message
    empty = tmp_path / "empty"
    empty.mkdir()
    assert "it holds no such model" in refusal(empty).user_message
    (empty / "config.json").write_text("{not JSON")
    assert "it holds no such model" in refusal(empty).user_message


def test_a_folder_without_its_weights_is_refused(tmp_path: Path) -> None:
    folder = save_model(tmp_path / "cut", "BertForSequenceClassification", num_labels=1)
    (folder / "model.safetensors").write_bytes(b"\x08")
    assert "it holds no such model" in refusal(folder).user_message


@pytest.mark.parametrize("name", ["medcpt", "bge", "someone/some-reranker", "not a name"])
def test_offline_a_name_that_is_not_here_asks_for_a_folder(name: str) -> None:
    message = refusal(name).user_message
    assert "is not on this machine" in message and "put the path of its folder" in message


def test_languages_of_known_names(cross_encoder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from kg.ranking import rerankers

    for name, languages in (("medcpt", {"en"}), ("bge", {"en", "zh"})):
        known = rerankers._KNOWN[name][1]
        monkeypatch.setitem(rerankers._KNOWN, name, (str(cross_encoder), known))
        assert load_reranker(name, OFFLINE).languages == languages
    assert load_reranker(str(cross_encoder), OFFLINE).languages == {"en"}
