"""The starter graph against the public data that it cites: bench/starter/check.py finds no error."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from tests.needs import need

ROOT = Path(__file__).parent.parent
DATA = ROOT.parent / "shared" / "data"


def test_every_identifier_and_reference_is_right_and_treatments_are_confirmed() -> None:
    need((DATA / "medical").is_dir(), "the public data is in ../shared/data")
    done = subprocess.run(
        [sys.executable, str(ROOT / "bench" / "starter" / "check.py"), "--data", str(DATA)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr
    found = re.search(
        r"knows both sides of (\d+) and confirms (\d+) .* calls (\d+) no indication", done.stdout
    )
    assert found is not None
    both, confirmed, denied = map(int, found.groups())
    assert both > 600 and confirmed / both >= 0.9 and denied == 0
