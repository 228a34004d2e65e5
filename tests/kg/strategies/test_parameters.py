"""Settings from NAME=VALUE: read strictly, refused in one line."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from kg.errors import BadInput
from kg.strategies.parameters import Parameters, unused
from tests.graphs import retrieval


def test_parameters_are_read_as_they_are_named_in_the_papers() -> None:
    read = Parameters.read(
        {
            "ranking": "mmr", "reranker": "medcpt", "keep": "100", "top": "5", "k": "2",
            "top_k": "12", "delta": "0.75", "lc": "35", "oc": "15", "without": "ho, path",
            "ner": "prompt", "linking": "embedding",
        }
    )  # fmt: skip
    assert read == Parameters(
        ranking="mmr", reranker="medcpt", keep=100, top=5, k=2, top_k=12, delta=0.75, lc=35, oc=15,
        without=frozenset({"ho", "path"}), ner="prompt", linking="embedding",
    )  # fmt: skip


def test_the_defaults_are_the_papers_own() -> None:
    plain = Parameters.read({})
    assert (plain.keep, plain.top) == (200, 20)
    assert (plain.k, plain.top_k, plain.lc, plain.oc) == (3, 10, 10, 4)
    assert (plain.ranking, plain.reranker, plain.delta) == ("similarity", None, None)


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        ({"top": "0"}, "from 1 to 1000"),
        ({"top": "-1"}, "from 1 to 1000"),
        ({"top": "²"}, "from 1 to 1000"),
        ({"k": "x"}, "from 2 to 5"),
        ({"k": "9"}, "from 2 to 5"),
        ({"ranking": "best"}, "similarity, expansion, mmr"),
        ({"ner": "guess"}, "names, prompt"),
        ({"linking": "fuzzy"}, "names, embedding"),
        ({"delta": "1.5"}, "from 0 to 1"),
        ({"delta": "nan"}, "from 0 to 1"),
        ({"lc": "1"}, "from 2 to 1000"),
        ({"lc": "4"}, "must be less than lc"),
        ({"oc": "10"}, "must be less than lc"),
        ({"without": "ho,paths"}, "'paths'"),
        ({"reranker": ""}, "medcpt"),
        ({"temperature": "1"}, "no setting 'temperature'"),
    ],
)
def test_what_cannot_be_read_is_told_in_one_line(bad: dict[str, str], told: str) -> None:
    with pytest.raises(BadInput) as error:
        Parameters.read(bad)
    assert told in error.value.user_message and "\n" not in error.value.user_message
    chinese = error.value.message("zh")
    assert "\n" not in chinese and re.search("[一-鿿]", chinese)
    assert all(value in chinese for value in re.findall(r"'.*?'|\b\d+\b", told))


@pytest.mark.parametrize(
    ("given", "english", "chinese"),
    [
        ((), "", ""),
        (("top",), "", ""),
        (("top", "k"), "k is not used by kg-rank.", "kg-rank 不使用以下设置：k。"),
        (("lc", "k"), "lc, k are not used by kg-rank.", "kg-rank 不使用以下设置：lc、k。"),
    ],
)
def test_settings_that_a_strategy_does_not_use_are_told_in_one_line(
    given: tuple[str, ...], english: str, chinese: str
) -> None:
    found = replace(retrieval("x", []), strategy="kg-rank", parameters={"top": 20, "keep": 200})
    assert unused(given, replace(found, language="en")) == english
    assert unused(given, replace(found, language="zh")) == chinese
