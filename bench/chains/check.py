"""Runs the benchmark on a small generated graph, in half a minute: that all find the same chains.

PYTHONPATH=bench/graphs python bench/chains/check.py
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

from make import hub

from kg.sources.importing import import_source

HERE = Path(__file__).parent
NEIGHBOURS = 400


def main() -> int:
    """1 when a peer finds other chains."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        triples, names, graph = folder / "hub.nt", folder / "names.txt", folder / "graph"
        triples.write_text("".join(hub(NEIGHBOURS)), encoding="utf-8")
        names.write_text("\n".join(f"entity {place}" for place in range(4)), encoding="utf-8")
        import_source(graph, "rdf", [triples], "hub")
        peers = ["networkx", "sparql", *(["igraph"] if find_spec("igraph") else [])]
        command = [sys.executable, HERE / "chains.py", graph, "en", names, "--peers", *peers]
        return subprocess.run(list(map(str, command)), check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
