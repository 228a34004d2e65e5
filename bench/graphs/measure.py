"""What all scripts here share: parts in processes of their own, clocks, memory, tables.

A script runs itself again for each part, so that no part warms or burdens another. The part
prints its figures as one line of JSON.
"""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

__all__ = ["Figures", "evict", "memory", "percentiles", "report", "run_part", "table", "timed"]

Figures = dict[str, Any]


def run_part(script: str, *arguments: object) -> Figures:
    """The figures that a script prints when it is run with these arguments."""
    command = [sys.executable, script, *map(str, arguments)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed: see above.")
    figures: Figures = json.loads(done.stdout.splitlines()[-1])
    return figures


def report(figures: Mapping[str, Any]) -> None:
    """Hand figures to the process that runs this part."""
    print(json.dumps(figures), flush=True)


@contextmanager
def timed(figures: Figures, name: str = "") -> Iterator[None]:
    """Add the wall and CPU seconds of a block (all threads) to some figures."""
    wall, processor = time.perf_counter(), time.process_time()
    yield
    figures[f"{name}seconds"] = time.perf_counter() - wall
    figures[f"{name}cpu"] = time.process_time() - processor


def memory() -> dict[str, float]:
    """MB that this process holds now (all, own, mapped files), and at its peak."""
    text = Path("/proc/self/status").read_text(encoding="utf-8")
    rows = dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
    found = {name: int(rows[name].split()[0]) / 1000 for name in ("VmRSS", "RssAnon", "RssFile")}
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    return {"all": found["VmRSS"], "own": found["RssAnon"], "files": found["RssFile"], "peak": peak}


def evict(folder: Path) -> None:
    """Ask the system to forget the pages of all files of a folder, so that they are read anew."""
    for path in folder.rglob("*"):
        if path.is_file():
            handle = os.open(path, os.O_RDONLY)
            try:
                os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
            finally:
                os.close(handle)


def percentiles(seconds: Sequence[float]) -> dict[str, float]:
    """p50, p95 and p99 in milliseconds."""
    cuts = statistics.quantiles(seconds, n=100, method="inclusive")
    return {f"p{cut}": cuts[cut - 1] * 1000 for cut in (50, 95, 99)}


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A Markdown table; numbers with three digits that count."""
    lines = [head, ["---"] * len(head), *([_shown(cell) for cell in row] for row in rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _shown(cell: object) -> str:
    if not isinstance(cell, float):
        return f"{cell:,}" if isinstance(cell, int) else str(cell)
    if cell >= 100:
        return f"{cell:,.0f}"
    return f"{cell:.3g}"
