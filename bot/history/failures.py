"""What SQLite and the system say about the history file, as lines for the user.

Unwritable is for what keeps a file from being written though it may still be read: a full or
failing disk, a read-only folder.
"""

from __future__ import annotations

import errno
import sqlite3
from pathlib import Path

from kg.errors import BadInput, KgError, Unavailable

__all__ = ["Unwritable", "failure"]

_PRIMARY = 0xFF  # SQLite's extended codes say more in the higher bits
_LOCKED = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_NOT_WRITABLE = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM)


class Unwritable(Unavailable):
    """The file cannot be written now; it may be readable all the same."""


def failure(error: sqlite3.DatabaseError | OSError, path: Path) -> KgError:
    """The error to raise in place of this one."""
    if isinstance(error, OSError):
        return _of_system(error, path)
    text = str(error)
    code = (getattr(error, "sqlite_errorcode", None) or 0) & _PRIMARY
    if code in _LOCKED:
        return Unavailable(
            "Another program is using the conversations, so nothing was stored: "
            "close it and try again.",
            text,
            chinese="另一个程序正在使用对话记录，因此没有保存：请关闭它后重试。",
        )
    if code == sqlite3.SQLITE_FULL:
        return _full(path, text)
    if code == sqlite3.SQLITE_IOERR:
        return Unwritable(
            f"The disk that holds {path.parent} is full or fails: make room there, or check it.",
            f"{text} ({getattr(error, 'sqlite_errorname', '')})",
            chinese=f"{path.parent} 所在的磁盘已满或有故障：请腾出空间或检查磁盘。",
        )
    if code in _NOT_WRITABLE:
        return _not_writable(path, text)
    if isinstance(error, sqlite3.OperationalError):
        return KgError(
            "The conversations could not be read or written; the log says why.",
            text,
            chinese="无法读取或写入对话记录；原因见日志。",
        )
    return BadInput(
        f"{path} is not a readable history file: move it away, or restore a copy.",
        text,
        chinese=f"{path} 不是可读取的对话记录文件：请将其移走，或恢复备份。",
    )


def _of_system(error: OSError, path: Path) -> KgError:
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return _full(path, repr(error))
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return _not_writable(path, repr(error))
    return BadInput(
        f"{path} cannot be opened: {error.strerror}.",
        chinese=f"无法打开 {path}：{error.strerror}。",
    )


def _full(path: Path, detail: str) -> Unwritable:
    return Unwritable(
        f"The disk that holds {path.parent} is full: make room there, then try again.",
        detail,
        chinese=f"{path.parent} 所在的磁盘已满：请腾出空间后重试。",
    )


def _not_writable(path: Path, detail: str) -> Unwritable:
    return Unwritable(
        f"{path} cannot be written: check the permissions of it and its folder.",
        detail,
        chinese=f"无法写入 {path}：请检查该文件及其文件夹的权限。",
    )
