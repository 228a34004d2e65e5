"""What `serve` lays out and refuses, without serving."""

from __future__ import annotations

import json
import os
import re
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from bot import server
from bot.settings import load_settings
from kg.errors import BadInput


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.5", "::", "example.org", "", "127.0.0.1.x"])
def test_only_this_machine_is_served(host: str) -> None:
    with pytest.raises(BadInput) as told:
        server._listen(host, 0)
    assert "\n" not in told.value.user_message
    assert "127.0.0.1" in told.value.user_message


def test_a_taken_port_is_said_before_anything_is_loaded(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        settings = load_settings({"GRAPHCITE_HOME": str(tmp_path), "GRAPHCITE_PORT": str(port)})
        with pytest.raises(BadInput) as told:
            server.serve(settings)
    assert told.value.user_message.startswith(f"Port {port} is taken")
    assert "--port" in told.value.user_message
    assert "GRAPHCITE_PORT" in told.value.user_message
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "127.0.0.2"])
def test_loopback_is_listened_on(host: str) -> None:
    listener = server._listen(host, 0)
    assert listener.getsockname()[0].startswith("127.0.0.")
    listener.close()


def test_the_folder_for_chainlit_is_complete_and_up_to_date(tmp_path: Path) -> None:
    root = tmp_path / "app"
    (root / "public").mkdir(parents=True)
    (root / "public" / "left-over.js").write_text("old")
    assert server._lay_out(root) == root
    server._lay_out(root)
    for name in (
        "chainlit.md",
        "chainlit_zh-CN.md",
        ".chainlit/config.toml",
        "public/theme.json",
        "public/graphcite.css",
        "public/graphcite.js",
        "public/elements/Evidence.jsx",
    ):
        assert (root / name).stat().st_size > 0
    assert not (root / "public" / "left-over.js").exists()


def test_home_and_folder_are_private(tmp_path: Path) -> None:
    root = tmp_path / "home" / "app"
    server._lay_out(root)
    assert [stat.S_IMODE(os.stat(path).st_mode) for path in (root.parent, root)] == [0o700, 0o700]


def test_the_page_speaks_of_conversations(tmp_path: Path) -> None:
    server._lay_out(tmp_path)
    words = {}
    for language in ("en-US", "zh-CN"):
        path = tmp_path / ".chainlit" / "translations" / f"{language}.json"
        words[language] = json.loads(path.read_text(encoding="utf-8"))
    for language, jargon in (("en-US", r'": "[^"]*(thread|chat)'), ("zh-CN", "会话|聊天")):
        history = words[language]["threadHistory"]
        actions = history["thread"]["actions"]
        used = [{"": history["sidebar"]["empty"]}, actions["rename"], actions["delete"]]
        assert not re.search(jargon, json.dumps(used, ensure_ascii=False), re.I)
    assert words["zh-CN"]["graphcite"]["buttons"]["Close"] == "关闭"


def test_every_language_has_the_medical_notice(tmp_path: Path) -> None:
    server._lay_out(tmp_path)
    notices = {}
    for path in (tmp_path / ".chainlit" / "translations").glob("*.json"):
        words = json.loads(path.read_text(encoding="utf-8"))
        notices[path.stem] = words["chat"]["watermark"]
        assert words["chat"]["messages"]["status"] == {"using": "", "used": ""}
    assert len(notices) > 20
    assert "不构成医疗建议" in notices["zh-CN"]
    assert notices["fr-FR"] == notices["en-US"]
    assert "Not medical advice" in notices["en-US"]


def test_the_readme_dialogs_have_the_notice_and_no_hazard(tmp_path: Path) -> None:
    from bot.page.hygiene import safe_markdown

    server._lay_out(tmp_path)
    for name, notice in (("chainlit.md", "Not medical"), ("chainlit_zh-CN.md", "不构成医疗建议")):
        text = (tmp_path / name).read_text(encoding="utf-8")
        assert notice in text
        assert safe_markdown(text) == text


def test_the_secret_is_made_once_and_private(tmp_path: Path) -> None:
    path = tmp_path / "session-secret"
    secret = server._secret(path)
    assert len(secret) >= 32
    assert server._secret(path) == secret
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    path.write_text("short")
    assert server._secret(path) not in ("short", secret)


def test_a_home_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "app").write_text("a file where a folder should be")
    with pytest.raises(BadInput) as told:
        server._lay_out(tmp_path / "app")
    assert "cannot be written" in told.value.user_message


def test_importing_the_server_does_not_import_chainlit(tmp_path: Path) -> None:
    code = "import sys, bot.server; print([m for m in sys.modules if m.startswith('chainlit')])"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


def test_a_history_that_cannot_be_opened_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "graphcite.sqlite").write_text("not a database, whatever its name says " * 100)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    code = (
        "from bot.server import serve; from bot.settings import load_settings\n"
        "from kg.errors import KgError\n"
        "try: serve(load_settings())\n"
        "except KgError as error: print(error.user_message)"
    )
    environment = os.environ | {"GRAPHCITE_HOME": str(tmp_path), "GRAPHCITE_PORT": str(port)}
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True
    )
    assert ran.stdout.endswith("is not a readable history file: move it away, or restore a copy.\n")
    assert ran.stdout.count("\n") == 1
    assert ran.stderr == ""
