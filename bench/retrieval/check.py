"""Runs every benchmark here on a small part, in under a minute: that they work, not how well.

python bench/retrieval/check.py
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent


def main() -> int:
    """Each script once; the first that fails ends it."""
    with tempfile.TemporaryDirectory() as home:
        for command in (
            ["esbm.py", "--entities", "10", "--encoder", "--worst", "1"],
            ["qald.py", "kg-rank@lexical", "auto@lexical", "--questions", "30", "--home", home]
            + ["--show", "nothing-linked"],
            ["relations.py", "--encoders", "all-MiniLM-L6-v2", "--questions", "30"],
        ):
            print(f"\n{' '.join(command)}\n", flush=True)
            script, *arguments = command
            done = subprocess.run([sys.executable, str(HERE / script), *arguments], check=False)
            if done.returncode:
                return done.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main())
