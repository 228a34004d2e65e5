"""One turn of a conversation at a time, also over several tabs and processes.

A turn reads the conversation's numbers when it begins and writes them when it ends: two at once
would give one number to two facts. Those that come later wait; stopping them ends the wait.
"""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from filelock import FileLock, Timeout

__all__ = ["one_turn"]

_STRIPES = 64  # lock files: conversations that share one only wait a little more
_PAUSE = 0.05  # seconds between two looks


@asynccontextmanager
async def one_turn(home: Path, conversation: str | None) -> AsyncIterator[None]:
    """Hold the conversation; nothing to hold when the turn is not kept, or locks cannot be made."""
    if conversation is None:
        yield
        return
    stripe = zlib.crc32(conversation.encode()) % _STRIPES
    lock = FileLock(home / "locks" / f"{stripe:02}.lock", thread_local=False, is_singleton=False)
    try:
        await _acquire(lock)
    except OSError:  # a read-only or full disk: the history will say so, the answer need not wait
        yield
        return
    try:
        yield
    finally:
        lock.release()


async def _acquire(lock: FileLock) -> None:
    Path(lock.lock_file).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    while True:
        try:
            lock.acquire(timeout=0)
        except Timeout:
            await asyncio.sleep(_PAUSE)
        else:
            return
