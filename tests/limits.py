"""Child processes for which the disk is full, or files that are not writable really are not.

Each is a `preexec_fn` for subprocess.run. Permissions bind root too in such a process.
"""

from __future__ import annotations

import ctypes
import os
import resource
import sys

import pytest

__all__ = ["bound_by_permissions", "full_disk", "posix_only"]

posix_only = pytest.mark.skipif(sys.platform != "linux", reason="needs Linux' limits of processes")
_DROP_FROM_BOUNDING_SET = 24
_OVERRIDE, _READ_SEARCH = 1, 2


def full_disk() -> None:
    """No file of this process may grow: what writes gets an error, as on a full disk."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def bound_by_permissions() -> None:
    """Root loses the right to pass over permissions; it has others none to lose."""
    if os.geteuid() == 0:
        for capability in (_OVERRIDE, _READ_SEARCH):
            ctypes.CDLL(None).prctl(_DROP_FROM_BOUNDING_SET, capability, 0, 0, 0)
