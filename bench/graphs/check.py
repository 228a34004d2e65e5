"""Runs every benchmark here on a small graph, in under a minute: that they work, not how fast.

python bench/graphs/check.py
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from generate import size_of, write_graph

from kg.sources.importing import import_source

HERE = Path(__file__).parent
TRIPLES, NAMES = 50_000, 7_500


def main() -> int:
    """Each script once; the first that fails ends it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        triples, home = folder / "graph.nt", folder / "home"
        write_graph(triples, size_of(TRIPLES, NAMES))
        import_source(home, "rdf", [triples])
        peers = ["rdflib", *(["virtuoso"] if shutil.which("virtuoso-t") else [])]
        for command in (
            ["import_rate.py", "rdf", triples, "--repeat", "1", "--scratch", folder / "import"],
            ["lookup.py", home, "--count", "200", "--triples", triples, "--peers", *peers],
            ["questions.py", home],
            ["memory.py", home],
            ["reckon.py", "--parts", "5000", "2000", "--scratch", folder / "reckon"],
        ):
            print(f"\n{' '.join(map(str, command))}\n", flush=True)
            script, *arguments = map(str, command)
            done = subprocess.run([sys.executable, str(HERE / script), *arguments], check=False)
            if done.returncode:
                return done.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main())
