"""Prompts: plain Markdown files with $variables, one job each, in English and Chinese.

`render` puts values in as they are: text from users or a graph must be made harmless before.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from string import Template

__all__ = ["render"]


def render(name: str, language: str, **variables: str) -> str:
    """The prompt with its variables filled in. A missing or unused variable raises ValueError."""
    template = _template(name, language)
    wanted, given = set(template.get_identifiers()), set(variables)
    if wanted != given:
        missing, unused = sorted(wanted - given), sorted(given - wanted)
        raise ValueError(f"prompt {name} ({language}): missing {missing}, unused {unused}")
    return template.substitute(variables).strip()


@lru_cache(maxsize=64)
def _template(name: str, language: str) -> Template:
    path = Path(__file__).parent / language / f"{name}.md"
    template = Template(path.read_text(encoding="utf-8"))
    if not template.is_valid():
        raise ValueError(f"prompt {name} ({language}): a lone $ must be written $$")
    return template
