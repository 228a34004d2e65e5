"""`graphcite doctor`: what is set up, what is missing and what to do about it."""

from __future__ import annotations

import os
import platform
import socket
from collections.abc import Callable, Iterator
from importlib import metadata

from bot.doctor_models import examine_models, hosts_of_models
from bot.findings import Finding, State
from bot.model_errors import Server
from bot.runtime import Runtime
from bot.settings import Settings
from kg.errors import KgError
from kg.local.integrity import verify
from kg.ranking.cohere import COHERE
from kg.ranking.hub import hub_host
from kg.web_address import host_of

__all__ = ["examine", "hosts_contacted"]


def examine(runtime: Runtime) -> Iterator[Finding]:
    """Everything that a first answer depends on, cheapest first. Loads no model."""
    settings = runtime.settings
    versions = ", ".join(f"{name} {metadata.version(name)}" for name in ("chainlit", "pyoxigraph"))
    yield Finding("python", "ok", f"{platform.python_version()}; {versions}")
    yield _home(settings)
    yield _asked("history", lambda: _history(runtime))
    yield _asked("graph", lambda: _graph(runtime))
    yield from examine_models(settings)
    yield _chat_model(settings)
    yield _port(settings)
    yield Finding("hosts", "ok", _hosts(settings))


def hosts_contacted(settings: Settings) -> tuple[str, ...]:
    """Every host that the settings in force may contact, loopback included."""
    hosts: set[str] = set()
    server = Server.of(settings)
    if settings.model and server.refusal is None:
        hosts.add(server.host)
    return tuple(sorted(hosts | hosts_of_models(settings)))


def _hosts(settings: Settings) -> str:
    hosts = hosts_contacted(settings)
    if settings.offline:
        return ", ".join(hosts) or "none: nothing leaves this machine"
    others = (hub_host(), host_of(settings.cohere_base_url) or host_of(COHERE))
    more = " or ".join(host for host in others if host not in hosts)
    named = ", ".join(hosts) or "none"
    return f"{named}; a question asked with another re-ranker may add {more}" if more else named


def _home(settings: Settings) -> Finding:
    home = settings.home
    try:
        home.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        return Finding("home", "problem", f"{home} cannot be made: {error.strerror}.")
    if not os.access(home, os.W_OK):
        return Finding("home", "problem", f"{home} is not writable: set GRAPHCITE_HOME.")
    return Finding("home", "ok", str(home))


def _asked(what: str, look: Callable[[], str]) -> Finding:
    try:
        return Finding(what, "ok", look())
    except KgError as error:
        return Finding(what, "problem", error.user_message)


def _history(runtime: Runtime) -> str:
    unwritable = runtime.history.unwritable  # opening it brings an older one up to date
    if unwritable is not None:
        raise unwritable
    return str(runtime.settings.database)


def _graph(runtime: Runtime) -> str:
    verify(runtime.settings.graphs / "medical")
    identity = runtime.graph("medical").identity()
    sources = ", ".join(f"{s.title} {s.version or ''}".strip() for s in identity.sources)
    return f"{identity.name} {identity.version}: {sources or 'no source yet'}"


def _chat_model(settings: Settings) -> Finding:
    if settings.model is None:
        return Finding("chat model", "ok", "none: answers are composed from the evidence")
    server = Server.of(settings)
    if server.refusal is None:
        return Finding("chat model", "ok", f"{settings.model} at {server.address}")
    state: State = "warning" if server.host else "problem"
    return Finding("chat model", state, server.refusal.user_message)


def _port(settings: Settings) -> Finding:
    with socket.socket() as probe:
        if probe.connect_ex((settings.host, settings.port)) == 0:
            text = f"{settings.port} is taken: use graphcite serve --port, or set GRAPHCITE_PORT."
            return Finding("port", "warning", text)
    return Finding("port", "ok", f"{settings.host}:{settings.port} is free")
