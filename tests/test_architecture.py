"""The arrows between the rooms, read from the imports."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MODULES = sorted(
    path.relative_to(ROOT)
    for package in ("bot", "kg", "prompts")
    for path in (ROOT / package).rglob("*.py")
)
# chainlit costs over a second to import and writes files: only the page may
CHAINLIT_ROOMS = ("bot/app.py", "bot/page/", "bot/history/data_layer.py", "bot/server.py")
HEAVY = ("torch", "sentence_transformers", "transformers", "chainlit", "openai", "opencc", "jieba")


def imports(path: Path, *, top_level_only: bool = False) -> set[str]:
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    nodes = tree.body if top_level_only else ast.walk(tree)
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: import absolutely"
            found.add(node.module or "")
    return found


def starts_with(name: str, *packages: str) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)


@pytest.mark.parametrize("path", MODULES, ids=str)
def test_imports_point_down(path: Path) -> None:
    names = imports(path)
    place = path.as_posix()
    if place.startswith(("kg/", "prompts/")):
        assert not [name for name in names if starts_with(name, "bot")]
    if place.startswith("kg/"):
        assert not [name for name in names if starts_with(name, "openai")]
    if place.startswith(("kg/local/", "kg/sources/", "kg/remote/")):
        upwards = ("kg.strategies", "kg.linking", "kg.ranking")
        assert not [name for name in names if starts_with(name, *upwards)]
    if not place.startswith(CHAINLIT_ROOMS):
        assert not [name for name in names if starts_with(name, "chainlit")]
    assert not [name for name in names if starts_with(name, "bot.app")]


@pytest.mark.parametrize("path", MODULES, ids=str)
def test_heavy_packages_are_imported_when_first_needed(path: Path) -> None:
    if path.as_posix().startswith(CHAINLIT_ROOMS):
        return
    names = imports(path, top_level_only=True)
    assert not [name for name in names if starts_with(name, *HEAVY)]
