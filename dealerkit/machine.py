"""The number of processors."""

from __future__ import annotations

import os


def n_processors() -> int:
    """Return the number of processors that this process may use.

    >>> n_processors() >= 1
    True
    """
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
