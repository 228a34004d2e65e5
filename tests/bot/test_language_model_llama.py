"""The model layer and a prompted answer against a real llama.cpp server."""

from __future__ import annotations

import asyncio

import pytest

from bot.answering.prompted import Prompted, stream_answer
from bot.citations.checker import check
from bot.citations.numbers import Numbers
from bot.citations.sentences import find_markers
from bot.language_model import LanguageModel, Use
from kg.errors import ModelError
from tests.graphs import description, entity, item, retrieval, triple
from tests.llama import LlamaServer, llama_server  # noqa: F401

pytestmark = pytest.mark.integration


def run(server: LlamaServer, text: str, use: Use, name: str = "", max_tokens: int = 60) -> str:
    async def go() -> str:
        model = LanguageModel(
            name or server.model, base_url=server.base_url, max_tokens=max_tokens, temperature=0
        )
        try:
            return await model.complete([{"role": "user", "content": text}], use=use)
        finally:
            await model.close()

    return asyncio.run(go())


def test_it_answers_and_counts(llama_server: LlamaServer) -> None:  # noqa: F811
    use = Use()
    answer = run(llama_server, "What is the capital of France? Answer in one short sentence.", use)
    assert "Paris" in answer
    assert use.calls == 1 and use.tokens > 10 and use.finish == "stop"


def test_a_question_beyond_the_context_is_told(llama_server: LlamaServer) -> None:  # noqa: F811
    with pytest.raises(ModelError) as caught:
        run(llama_server, "word " * 6000, Use())
    assert "too long for the model's context" in caught.value.user_message


def test_a_prompted_answer_shows_only_numbers_that_exist(
    llama_server: LlamaServer,  # noqa: F811
) -> None:
    migraine = entity("migraine")
    evidence = [
        item(triple(entity("sumatriptan"), "treats", migraine)),
        description(migraine, "A headache disorder with recurring attacks."),
    ]
    asked = retrieval("What treats migraine?", evidence, migraine)
    shown: list[str] = []
    numbers = Numbers()

    async def show(text: str) -> None:
        shown.append(text)

    use = Use()

    async def go() -> Prompted:
        model = LanguageModel(
            llama_server.model, base_url=llama_server.base_url, max_tokens=120, temperature=0
        )
        try:
            return await stream_answer(asked, model, numbers, show, use=use)
        finally:
            await model.close()

    result = asyncio.run(go())
    assert result.text and "".join(shown).strip() == result.text
    assert use.tokens > 100 and use.calls == 1
    items = {item.key: item for item in asked.evidence}
    by_number = {number: items[key] for key, number in numbers.known.items()}
    assert {number for _, _, number in find_markers(result.text)} == set(by_number)
    sentences = check(result.text, by_number, cut_off=result.status == "cut off")
    assert all(s.verdict for s in sentences)
