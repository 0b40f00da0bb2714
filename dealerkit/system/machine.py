"""The number of processors and the size of the memory."""

from __future__ import annotations

import os
import sys


def n_processors() -> int:
    """Return the number of processors that this process may use.

    >>> n_processors() >= 1
    True
    """
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def memory_bytes() -> int:
    """Return the size of the memory in bytes; eight gigabytes where the system does not tell it.

    >>> memory_bytes() > 1 << 20
    True
    """
    if hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return sys.maxsize if sys.maxsize < 1 << 33 else 8 << 30
