"""System calls of Windows for which Python has no function: memory, and files that a process holds.

`temporary` and `process` call them only on Windows.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
from ctypes import wintypes

_SHARED = 1 | 2 | 4  # others may read the file, write to it, and rename or delete it


class _Memory(ctypes.Structure):
    """MEMORYSTATUSEX."""

    _fields_ = [
        ("size", wintypes.DWORD),
        ("percent_used", wintypes.DWORD),
        ("total", ctypes.c_ulonglong),
        *((name, ctypes.c_ulonglong) for name in ("free", "a", "b", "c", "d", "e")),
    ]


class _ProcessMemory(ctypes.Structure):
    """PROCESS_MEMORY_COUNTERS."""

    _fields_ = [
        ("size", wintypes.DWORD),
        ("n_faults", wintypes.DWORD),
        ("peak_resident", ctypes.c_size_t),
        ("resident", ctypes.c_size_t),
        *((name, ctypes.c_size_t) for name in ("a", "b", "c", "d", "e", "f")),
    ]


def memory_bytes() -> int:
    """Return the size of the memory in bytes; 0 if it is not known."""
    memory = _Memory(ctypes.sizeof(_Memory))
    if sys.platform == "win32":
        ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(memory))
    return int(memory.total)


def resident_bytes() -> int:
    """Return the memory that this process uses, in bytes; 0 if it is not known."""
    memory = _ProcessMemory(ctypes.sizeof(_ProcessMemory))
    if sys.platform == "win32":
        get_memory = ctypes.windll.kernel32.K32GetProcessMemoryInfo
        get_memory.argtypes = wintypes.HANDLE, ctypes.c_void_p, wintypes.DWORD
        this_process = wintypes.HANDLE(-1)  # the value that GetCurrentProcess returns
        get_memory(this_process, ctypes.byref(memory), memory.size)
    return int(memory.resident)


def hold_file(path: str | os.PathLike[str], is_shared: bool = True) -> int | None:
    """Hold a file open until `release_file` or the end of the process; return None if that is impossible.

    Other processes can rename and delete a file that is held, unlike one opened by Python's `open`. With
    `is_shared` False, a file cannot be held while anybody else has it open.
    """
    if sys.platform == "win32":
        import _winapi

        access, existing, mode = _winapi.GENERIC_READ, _winapi.OPEN_EXISTING, _SHARED if is_shared else 0
        with contextlib.suppress(OSError):
            return _winapi.CreateFile(os.fspath(path), access, mode, 0, existing, 0, 0)
    return None


def release_file(handle: int) -> None:
    """Close a file that `hold_file` has opened."""
    if sys.platform == "win32":
        import _winapi

        _winapi.CloseHandle(handle)
