"""SPARQL over a generation, in a process of its own so that the deadline can end it.

pyoxigraph cannot stop a query: one that yields no row (a count over a product) would hold its
thread for ever. The process is killed when the time is up. Only reading is possible: the process
opens the store read-only and Oxigraph's query language has no updates. SERVICE is refused, since
Oxigraph would fetch from the address. Results come whole, in memory.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from pyoxigraph import NamedNode

from kg.deadline import Deadline
from kg.errors import BadQuery, DeadlineExceeded, KgError
from kg.local.integrity import damage

__all__ = ["run_query"]

# Taken out before looking for SERVICE: strings, comments, IRIs, variables, ends of prefixed names.
_NOISE = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*"""'
    r"|'''(?:[^'\\]|\\.|'(?!''))*'''"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'(?:[^'\\\n]|\\.)*'"
    r"|<[^<>\"{}|^`\\\x00-\x20]*>"
    r"|\#[^\n\r]*"
    r"|[?$]\w+"
    r"|(?<=:)[\w%-][\w%.-]*",
    re.DOTALL,
)
# An "IRI" between two comparison signs can hide a call: ?a<1)SERVICE?b#>…
_HIDDEN = re.compile(r"service(?:silent)?[?$:][^>]*#", re.IGNORECASE)


def run_query(store: Path, graphs: Sequence[NamedNode], sparql: str, deadline: Deadline) -> bytes:
    """SPARQL results JSON for SELECT and ASK, N-Triples for CONSTRUCT and DESCRIBE."""
    _refuse_service(sparql)
    job = json.dumps({"store": str(store), "graphs": [g.value for g in graphs], "query": sparql})
    try:
        done = subprocess.run(
            [sys.executable, "-P", str(Path(__file__).with_name("query_process.py"))],
            input=job.encode(),
            capture_output=True,
            timeout=max(deadline.remaining, 0.001),
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise DeadlineExceeded(
            "The query took too long and was stopped: add a LIMIT or narrow its patterns."
        ) from None
    if done.returncode == 0:
        return done.stdout
    message = done.stderr.decode(errors="replace").strip()
    if done.returncode == 3:
        raise BadQuery(f"The query cannot be read: {message}")
    raise damage(store.parent) or KgError("The query failed while it ran.", message)


def _refuse_service(sparql: str) -> None:
    hidden = any(_HIDDEN.search(found) for found in _NOISE.findall(sparql) if found[0] == "<")
    if hidden or "service" in _NOISE.sub(" ", sparql).lower():
        raise BadQuery(
            "SERVICE is not allowed: a query over the local graph does not reach other servers."
        )
