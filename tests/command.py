"""The `graphcite` command as a process of its own, as a user runs it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = ["Result", "graphcite"]

_SECONDS = 120


@dataclass(frozen=True)
class Result:
    """What a command printed and how it ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output as the one JSON document that it must be."""
        return json.loads(self.out)

    @property
    def problem(self) -> str:
        """The one line on standard error that explains exit code 1."""
        assert self.code == 1, self
        assert "Traceback" not in self.err
        (line,) = [line for line in self.err.splitlines() if line.startswith("Error: ")]
        return line.removeprefix("Error: ")


def graphcite(home: Path, *words: str, **variables: str) -> Result:
    """Run a command over a home; `variables` are further settings."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("GRAPHCITE_", "OPENAI_"))}
    settings = {"GRAPHCITE_HOME": str(home), "GRAPHCITE_OFFLINE": "1", **variables}
    done = subprocess.run(
        [sys.executable, "-m", "bot.cli", *words],
        capture_output=True,
        env={**kept, **settings},
        timeout=_SECONDS,
        check=False,
    )
    return Result(done.returncode, done.stdout.decode(), done.stderr.decode())
