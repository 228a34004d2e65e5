"""From the question to the stored record, with a real llama.cpp server writing the answer.

SmolLM2 writes fluent nonsense: this proves the wire, not the answers.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kg.sources import import_source
from tests.command import graphcite
from tests.llama import LlamaServer, llama_server

__all__ = ["llama_server"]  # the fixture


@pytest.mark.integration
def test_a_real_model_answers_from_the_starter_graph(
    tmp_path: Path, llama_server: LlamaServer
) -> None:
    import_source(tmp_path / "graphs" / "medical", "starter")
    settings = {
        "GRAPHCITE_MODEL": llama_server.model,
        "GRAPHCITE_MODEL_BASE_URL": llama_server.base_url,
        "GRAPHCITE_MODEL_MAX_TOKENS": "120",
        "GRAPHCITE_MODEL_TEMPERATURE": "0",
        "GRAPHCITE_OFFLINE": "0",
    }
    words = ("ask", "What are the treatments for migraine?", "--set", "top=6", "--json")
    document = graphcite(tmp_path, *words, **settings).json
    assert document["model"]["name"] == llama_server.model
    assert document["model"]["calls"] == {"answer": 1} and document["model"]["tokens"] > 0
    assert document["answer"].strip() and document["status"] in ("complete", "cut off")
    cited = {item["number"] for item in document["evidence"] if item["cited"]}
    shown = {int(number) for number in re.findall(r"(?<!\\)\[(\d+)\](?!\()", document["answer"])}
    assert shown == cited
    assert not re.search(r"\[E\d+\]", document["answer"])
    for sentence in document["sentences"]:
        assert sentence["verdict"] in ("supported", "partly", "unsupported", "uncited")
        assert set(sentence["citations"]) <= cited
        assert bool(sentence["citations"]) == bool(sentence["checks"])
    assert document["evidence"][0]["hops"][0]["object"]["label"] == "migraine"
    again = graphcite(tmp_path, "conversations", "show", document["conversation"], "--json").json
    assert again["turns"][0]["answers"] == [document]
