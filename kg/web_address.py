"""What a base URL says of a server: host and port, for messages and for what may be asked."""

from __future__ import annotations

import ipaddress
from urllib.parse import SplitResult, urlsplit

__all__ = ["host_of", "is_this_machine", "shown_address", "web_parts"]


def web_parts(base_url: str) -> SplitResult | None:
    """The parts of a web address; None for anything else."""
    try:
        parts = urlsplit(base_url)
        usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:  # a port that is no number or too high, a bracket that does not close
        return None
    return parts if usable else None


def host_of(base_url: str) -> str:
    """The host's name in lower case; empty when the base URL is no web address."""
    parts = web_parts(base_url)
    return (parts.hostname or "") if parts else ""


def shown_address(base_url: str) -> str:
    """Host and, where it is written, port, without credentials, path and query."""
    parts = web_parts(base_url)
    if parts is None:
        return "?"
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else str(parts.hostname)
    return f"{host}:{parts.port}" if parts.port else host


def is_this_machine(host: str) -> bool:
    """Whether a host's name or address is a loopback one."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
