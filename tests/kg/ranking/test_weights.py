"""Folders of models that are not whole are refused: nothing ranks by weights drawn at random."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from kg.errors import ModelError
from kg.ranking.encoders import load_encoder
from kg.ranking.rerankers import RerankerOptions, load_reranker
from tests.kg.ranking.test_rerankers import save_model

Weights = Mapping[str, Any]
ENGLISH = frozenset({"en"})


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("models")
    return {
        "re-ranker": save_model(folder / "ce", "BertForSequenceClassification", num_labels=1),
        "encoder": save_model(folder / "enc", "BertModel"),
    }


def load(job: str, folder: Path) -> object:
    if job == "encoder":
        return load_encoder(str(folder), ENGLISH, offline=True)
    return load_reranker(str(folder), RerankerOptions(offline=True))


def changed(folder: Path, to: Path, change: Callable[[Weights], Weights]) -> Path:
    """A copy of the model's folder with other weights."""
    import safetensors.torch

    shutil.copytree(folder, to)
    file = to / "model.safetensors"
    weights = change(safetensors.torch.load_file(file))
    safetensors.torch.save_file(dict(weights), file, {"format": "pt"})
    return to


def dropping(part: str) -> Callable[[Weights], Weights]:
    return lambda weights: {name: one for name, one in weights.items() if part not in name}


@pytest.mark.parametrize(
    ("job", "part"),
    [("re-ranker", "classifier."), ("re-ranker", "bert.encoder"), ("encoder", "encoder.")],
)
def test_a_model_that_lacks_weights_is_refused(
    models: dict[str, Path], tmp_path: Path, job: str, part: str, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = changed(models[job], tmp_path / "cut", dropping(part))
    with pytest.raises(ModelError, match=f"The {job} .*lacks weights \\(.*fetch its folder again"):
        load(job, folder)
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("job", ["re-ranker", "encoder"])
def test_a_model_without_its_tokenizer_is_refused(
    models: dict[str, Path], tmp_path: Path, job: str
) -> None:
    folder = tmp_path / "bare"
    shutil.copytree(models[job], folder)
    for name in ("vocab.txt", "tokenizer.json", "tokenizer_config.json"):
        (folder / name).unlink(missing_ok=True)
    with pytest.raises(ModelError, match=f"The {job} "):
        load(job, folder)


@pytest.mark.parametrize("job", ["re-ranker", "encoder"])
def test_a_whole_model_is_taken(models: dict[str, Path], job: str) -> None:
    assert load(job, models[job])


def test_a_base_model_saved_under_another_prefix_is_whole(
    models: dict[str, Path], tmp_path: Path
) -> None:
    def prefixed(weights: Weights) -> Weights:
        return {f"bert.{name}": one for name, one in weights.items()}

    assert load("encoder", changed(models["encoder"], tmp_path / "x", prefixed))


@pytest.mark.parametrize("value", [float("nan"), 0.0])
def test_an_encoder_that_gives_no_numbers_is_said(
    models: dict[str, Path], tmp_path: Path, value: float
) -> None:
    import torch

    def filled(weights: Weights) -> Weights:
        return {name: torch.full_like(one, value) for name, one in weights.items()}

    folder = changed(models["encoder"], tmp_path / "x", filled)
    encoder = load_encoder(str(folder), ENGLISH, offline=True)
    with pytest.raises(ModelError, match="no usable vectors"):
        encoder.encode(["migraine"])
