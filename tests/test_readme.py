"""What the README shows is what happens."""

from __future__ import annotations

import re
import shlex
import textwrap
from pathlib import Path

from bot.cli import main
from tests.command import graphcite

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def squeezed(text: str) -> str:
    return " ".join(text.split())


def test_the_transcript_is_real(full_home: Path) -> None:
    block = next(b for b in re.findall(r"```\n(.*?)```", README, re.DOTALL) if b.startswith("$"))
    command, _, expected = block.removeprefix("$ ").partition("\n")
    program, *words = shlex.split(command)
    assert program == "graphcite"
    done = graphcite(full_home, *words, "--no-save")
    assert done.code == 0
    assert squeezed(expected) in squeezed(done.out)


def test_every_command_it_names_exists() -> None:
    block = next(b for b in re.findall(r"```\n(.*?)```", README, re.DOTALL) if "doctor" in b)
    named = {
        tuple(re.findall(r"^graphcite (\w+)(?: (\w+)\b)?", line)[0]) for line in block.splitlines()
    }
    for group, command in named:
        assert group in main.commands, group
        subcommands = getattr(main.commands[group], "commands", {})
        if subcommands:
            assert command in subcommands, command


def test_the_tree_names_folders_that_are_there() -> None:
    tree = next(b for b in re.findall(r"```\n(.*?)```", README, re.DOTALL) if b.startswith("bot/"))
    parent = ""
    for line in textwrap.dedent(tree).splitlines():
        name = line.split()[0]
        parent = "" if not line.startswith(" ") else parent
        assert (ROOT / parent / name).is_dir(), line
        parent = name if not line.startswith(" ") else parent


def test_the_settings_table_is_complete() -> None:
    from bot.settings import SETTINGS

    for setting in SETTINGS:
        shown = f"`{setting.default}`" if setting.default else "–"
        assert f"| `{setting.variable}` | {shown} | {setting.help} |" in README
