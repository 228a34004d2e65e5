"""A wheel, installed elsewhere, serves from any folder and writes nothing there."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen
from zipfile import ZipFile

import pytest

from tests.e2e.conftest import Server

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--quiet"]
        + ["--disable-pip-version-check", "--no-index", "--wheel-dir", str(folder), str(ROOT)],
        check=True,
        capture_output=True,
    )
    (built,) = folder.glob("graphcite-*.whl")
    return built


def test_the_wheel_carries_what_the_program_reads(wheel: Path) -> None:
    names = set(ZipFile(wheel).namelist())
    tracked = subprocess.run(
        ["git", "ls-files", "bot", "kg", "prompts"], cwd=ROOT, capture_output=True, text=True
    ).stdout.split()
    assert tracked, "not a git checkout"
    assert set(tracked) <= names
    site = {name.removeprefix("bot/site/") for name in names if name.startswith("bot/site/")}
    assert {"chainlit.md", "chainlit_zh-CN.md", ".chainlit/config.toml"} <= site
    assert {f"public/{p.relative_to(ROOT / 'public')}" for p in _files(ROOT / "public")} <= site
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"bot", "kg", "prompts"}


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_an_installed_wheel_serves_from_any_folder(wheel: Path, tmp_path: Path) -> None:
    site, elsewhere = tmp_path / "site", tmp_path / "elsewhere"
    elsewhere.mkdir()
    ZipFile(wheel).extractall(site)
    code = "import bot, kg, prompts; print(bot.__file__, kg.__file__, prompts.__file__)"
    environment = {**os.environ, "PYTHONPATH": str(site), "PYTHONDONTWRITEBYTECODE": "1"}
    found = subprocess.run(
        [sys.executable, "-c", code], cwd=elsewhere, env=environment, capture_output=True, text=True
    ).stdout.split()
    assert found and all(Path(file).is_relative_to(site) for file in found)
    server = Server(tmp_path / "home", folder=elsewhere, path=site)
    server.start()
    try:
        for place in ("/", "/public/elements/Evidence.jsx", "/public/graphcite.css"):
            with urlopen(server.url + place) as answer:
                assert answer.status == 200
    finally:
        assert server.stop() == 0
    assert list(elsewhere.iterdir()) == []
