"""Prompts: both languages, every variable filled, none left over."""

from __future__ import annotations

from pathlib import Path
from string import Template

import pytest

import prompts
from prompts import render

FOLDER = Path(prompts.__file__).parent
NAMES = sorted(path.stem for path in (FOLDER / "en").glob("*.md"))


def test_both_languages_have_the_same_prompts() -> None:
    assert sorted(path.stem for path in (FOLDER / "zh").glob("*.md")) == NAMES
    assert "answer" in NAMES


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", NAMES)
def test_every_prompt_renders(name: str, language: str) -> None:
    text = (FOLDER / language / f"{name}.md").read_text(encoding="utf-8")
    variables = {variable: f"«{variable}»" for variable in Template(text).get_identifiers()}
    rendered = render(name, language, **variables)
    assert "$" not in rendered
    assert all(value in rendered for value in variables.values())


def test_a_missing_or_unused_variable_raises() -> None:
    with pytest.raises(ValueError, match="missing .*abstention.*unused .*extra"):
        render("answer", "en", evidence="", question="", extra="")


def test_values_are_not_filled_in_again() -> None:
    rendered = render("answer", "en", evidence="$question $5", question="q", abstention="a")
    assert "$question $5" in rendered
