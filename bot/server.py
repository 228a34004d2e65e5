"""`graphcite serve`: lays out the folder that Chainlit reads, and runs Chainlit in this process.

Listens on loopback only. The port is taken before anything heavy is loaded, so that a taken one
is said at once. Chainlit's own command is not used: it writes defaults where it stands, prints
much, and ends with success whatever happened.
"""

from __future__ import annotations

import asyncio
import errno
import importlib.util
import ipaddress
import json
import logging
import os
import secrets
import shutil
import socket
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import bot
from bot.settings import Settings
from kg.errors import BadInput

__all__ = ["serve"]

_PACKAGE = Path(bot.__file__).parent
_SITE = ("chainlit.md", "chainlit_zh-CN.md", ".chainlit/config.toml", "public")

# What differs from Chainlit's own words. The notice stands under the message box, always.
_WORDS: dict[str, dict[str, str]] = {
    "en": {
        "chat.watermark": "**Not medical advice, not a medical device.** In an emergency call "
        "your local emergency number.",
        "chat.input.placeholder": "Ask about a condition, a symptom or a medicine…",
        "alerts.caution": "Get help now",
        "alerts.warning": "Caution",
        "navigation.header.readme": "About",
        "navigation.newChat.button": "New conversation",
        "navigation.newChat.dialog.tooltip": "New conversation",
        "threadHistory.sidebar.empty": "No conversations found",
        "threadHistory.thread.actions.delete.description": "This deletes the conversation with "
        "its questions and answers. It cannot be undone.",
        "threadHistory.thread.actions.delete.success": "Conversation deleted",
        "threadHistory.thread.actions.delete.inProgress": "Deleting the conversation",
        "threadHistory.thread.actions.rename.title": "Rename conversation",
        "threadHistory.thread.actions.rename.description": "Enter a new name for this conversation",
        "threadHistory.thread.actions.rename.success": "Conversation renamed",
        "threadHistory.thread.actions.rename.inProgress": "Renaming the conversation",
    },
    "zh": {
        "chat.watermark": "**不构成医疗建议，也不是医疗器械。** "
        "紧急情况请拨打当地急救电话（中国大陆 120）。",
        "chat.input.placeholder": "请输入关于疾病、症状或药物的问题…",
        "alerts.caution": "请立即求助",
        "alerts.warning": "注意",
        "navigation.header.readme": "说明",
        "threadHistory.sidebar.title": "历史对话",
        "threadHistory.sidebar.filters.placeholder": "搜索对话…",
        "threadHistory.thread.actions.delete.description": "这将删除该对话及其所有问题和回答，"
        "且无法撤销。",
        # Chainlit has these in English only: public/graphcite.js puts them in.
        "graphcite.buttons.Close": "关闭",
        "graphcite.buttons.Toggle theme": "切换主题",
        "graphcite.buttons.Toggle Sidebar": "切换侧边栏",
    },
}
# Steps of ours have whole sentences as names.
_EVERYWHERE = {"chat.messages.status.using": "", "chat.messages.status.used": ""}
_NOTICE = ("chat.watermark",)


def serve(settings: Settings) -> None:
    """Serve the chat page until interrupted. Raises KgError when it cannot start."""
    listener = _listen(settings.host, settings.port)
    with listener:
        root = _lay_out(settings.home / "app")
        os.environ["CHAINLIT_APP_ROOT"] = str(root)
        os.environ["CHAINLIT_AUTH_SECRET"] = _secret(settings.home / "session-secret")
        # The app builds its own runtime from the settings in force: these are they.
        for name in ("home", "host", "port"):
            os.environ[f"GRAPHCITE_{name.upper()}"] = str(getattr(settings, name))
        _quiet_logs()
        with suppress(KeyboardInterrupt):  # Ctrl-C is how one ends it
            asyncio.run(_run(settings, listener))


def _listen(host: str, port: int) -> socket.socket:
    """The socket to serve on, already taken."""
    name = host.strip().strip("[]")
    try:
        address = ipaddress.ip_address("127.0.0.1" if name == "localhost" else name)
    except ValueError:
        address = None
    if address is None or not address.is_loopback:
        raise BadInput(
            f"{host} is not an address of this machine alone: use 127.0.0.1. "
            "Serving others needs users, which this version does not have."
        )
    family = socket.AF_INET6 if address.version == 6 else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((str(address), port))
        listener.listen(128)
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            raise BadInput(
                f"Port {port} is taken: stop the program that uses it, "
                "or choose another with --port or, for make run, GRAPHCITE_PORT."
            ) from error
        raise BadInput(f"{host}:{port} cannot be used: {error.strerror}.") from error
    return listener


def _lay_out(root: Path) -> Path:
    """Bring the folder up to date with what this version ships."""
    shipped = _PACKAGE / "site"
    if not shipped.is_dir():
        shipped = _PACKAGE.parent  # a checkout
    try:
        for folder in (root.parent, root):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        (root / ".chainlit" / "translations").mkdir(parents=True, exist_ok=True)
        shutil.rmtree(root / "public", ignore_errors=True)
        for name in _SITE:
            source, target = shipped / name, root / name
            if source.is_dir():
                shutil.copytree(source, target)
            else:
                shutil.copyfile(source, target)
        _write_translations(root / ".chainlit" / "translations")
    except OSError as error:
        raise BadInput(f"{root} cannot be written: {error.strerror}.", str(error)) from error
    return root


def _write_translations(target: Path) -> None:
    """Chainlit's translations with our words; a language that we do not speak gets our notice."""
    spec = importlib.util.find_spec("chainlit")
    assert spec is not None and spec.origin is not None
    for path in sorted((Path(spec.origin).parent / "translations").glob("*.json")):
        words = json.loads(path.read_text(encoding="utf-8"))
        language = path.stem.partition("-")[0]
        ours: Mapping[str, str] = _WORDS.get(language) or {
            name: _WORDS["en"][name] for name in _NOTICE
        }
        for name, text in {**_EVERYWHERE, **ours}.items():
            _put(words, name.split("."), text)
        text = json.dumps(words, ensure_ascii=False, indent=1)
        (target / path.name).write_text(text, encoding="utf-8")


def _put(words: dict[str, Any], path: list[str], text: str) -> None:
    for name in path[:-1]:
        words = words.setdefault(name, {})
    words[path[-1]] = text


def _secret(path: Path) -> str:
    """The key that signs sessions: made once, readable by its owner only."""
    try:
        descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except FileExistsError:
        text = path.read_text(encoding="ascii").strip()
        if len(text) >= 32:
            return text
        path.unlink()
        return _secret(path)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        text = secrets.token_urlsafe(48)
        file.write(text)
    return text


def _quiet_logs() -> None:
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    # Missing translations of a browser's language are no news; errors are.
    logging.getLogger("chainlit").setLevel(logging.ERROR)


async def _run(settings: Settings, listener: socket.socket) -> None:
    import uvicorn
    from chainlit.auth import ensure_jwt_secret
    from chainlit.config import config, load_module
    from chainlit.server import app

    config.run.host, config.run.port = settings.host, settings.port
    config.run.headless = True
    config.run.module_name = str(_PACKAGE / "app.py")
    load_module(config.run.module_name)
    ensure_jwt_secret()

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            host = f"[{settings.host}]" if ":" in settings.host else settings.host
            print(f"Graphcite is ready at http://{host}:{settings.port}", flush=True)

    # An open page keeps its connection: do not wait for it for ever.
    options = uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=3)
    await Server(options).serve([listener])
