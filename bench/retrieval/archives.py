"""Archives of the data sets, unpacked: what is no plain file inside the folder is refused."""

from __future__ import annotations

import tarfile
from pathlib import Path

__all__ = ["unpack"]


def unpack(archive: Path, folder: Path) -> None:
    """Write the archive's files below a folder. `extractall(filter=…)` needs Python 3.11.4."""
    with tarfile.open(archive) as opened:
        for member in opened:
            if member.isdir():
                continue
            target = (folder / member.name).resolve()
            content = opened.extractfile(member) if member.isfile() else None
            if content is None or not target.is_relative_to(folder.resolve()):
                raise ValueError(f"{archive}: {member.name} is no plain file inside it")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content.read())
