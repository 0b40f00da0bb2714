"""The shared library DDS: found, loaded, and called by one thread at a time.

Bo Haglund's and Soren Hein's double dummy solver, version 2.9, lies in the wheels of
endplay; the environment variable ``DEALERKIT_DDS`` names another file. It is loaded when
something is solved, and without endplay itself, whose import costs half a second.

Two threads inside the library at once crash the process, so every call goes through `call`,
which holds the one lock; the library's own threads divide the work inside. How many there
are is decided here as well. The structures of its header ``dll.h`` are structured dtypes.

References
----------
B. Haglund, S. Hein, DDS 2.9, https://github.com/dds-bridge/dds, file doc/DLL-dds.md.
"""

from __future__ import annotations

import ctypes
import functools
import importlib.util
import operator
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from dealerkit.cards.names import LANE_MASK, LANE_SHIFTS
from dealerkit.doubledummy.status_codes import SolverError
from dealerkit.errors import ArgumentError, FileError
from dealerkit.machine import n_processors

ENVIRONMENT = "DEALERKIT_DDS"
FILES = ("libdds.so", "libdds.dylib", "dds.dll", "libdds.dll")  # of Linux, macOS, Windows
MOST_BOARDS = 200  # of one call; a table of s strains counts as s boards

DEAL = np.dtype(
    [
        ("trump", "<i4"), ("first", "<i4"), ("trick_suit", "<i4", (3,)), ("trick_rank", "<i4", (3,)),
        ("holdings", "<i4", (4, 4)),
    ]
)  # fmt: skip
BOARDS = np.dtype(
    [
        ("count", "<i4"), ("deal", DEAL, (MOST_BOARDS,)), ("target", "<i4", (MOST_BOARDS,)),
        ("solutions", "<i4", (MOST_BOARDS,)), ("mode", "<i4", (MOST_BOARDS,)),
    ]
)  # fmt: skip
CARDS = np.dtype(
    [
        ("nodes", "<i4"), ("cards", "<i4"), ("suit", "<i4", (13,)), ("rank", "<i4", (13,)),
        ("equals", "<i4", (13,)), ("score", "<i4", (13,)),
    ]
)  # fmt: skip
SOLVED = np.dtype([("count", "<i4"), ("board", CARDS, (MOST_BOARDS,))])
DEALS = np.dtype([("count", "<i4"), ("holdings", "<i4", (MOST_BOARDS, 4, 4))])
TABLES = np.dtype([("count", "<i4"), ("tricks", "<i4", (MOST_BOARDS, 5, 4))])

_SUCCESS = 1
_SHIFTS = np.array(LANE_SHIFTS, dtype=np.uint64)
_lock = threading.RLock()
_default = 0  # threads asked for by `set_threads`; 0: it was not called
_told = 0  # threads that the library was last told of


def library_path() -> Path:
    """The file of the library: ``DEALERKIT_DDS``, else the one that endplay brings.

    Raises
    ------
    FileError
        There is none.
    """
    if named := os.environ.get(ENVIRONMENT):
        return Path(named)
    package = importlib.util.find_spec("endplay")
    for folder in package.submodule_search_locations or () if package else ():
        for name in FILES:
            if (path := Path(folder, "_dds", name)).is_file():
                return path
    where = "endplay is not installed" if package is None else "the installed endplay has no solver library"
    raise FileError(
        f"double dummy needs DDS, and {where}: run 'pip install endplay' (Python below 3.14), "
        f"or set {ENVIRONMENT} to the path of a libdds"
    )


@functools.cache
def _load() -> ctypes.CDLL:
    """The library, loaded once in the life of the process."""
    path = library_path()
    try:
        library = ctypes.CDLL(str(path))
        library.SolveAllBoardsBin, library.CalcAllTables, library.SetResources  # noqa: B018
    except (OSError, AttributeError) as reason:
        raise FileError(
            f"{path} cannot be used as the solver library DDS: {reason}; "
            f"set {ENVIRONMENT} to the path of a libdds 2.9, or unset it and install endplay"
        ) from None
    return library


def set_threads(count: int | None = None) -> int:
    """Decide how many threads of its own the library uses where a call does not say otherwise.

    Parameters
    ----------
    count : int >= 1 or None
        None: the processors that this process may use. More than the machine has make no sense,
        and the library does not use them; each takes about 100 megabytes.

    Returns
    -------
    int
        The number.

    Raises
    ------
    ArgumentError
        `count` is no whole number or below 1.
    """
    global _default
    _default = _number(count)
    return _default


def threads_of(count: int | None = None) -> int:
    """The number of threads for one call: as given, else what `set_threads` said."""
    return _default if count is None and _default else _number(count)


def _number(count: int | None) -> int:
    if count is None:
        return n_processors()
    try:
        if (number := operator.index(count)) >= 1:
            return number
    except TypeError:
        pass
    raise ArgumentError(f"threads is {count!r}; it takes a whole number of 1 or more")


@contextmanager
def alone() -> Iterator[None]:
    """Several calls with nobody else's between them."""
    with _lock:
        yield


def call(name: str, *arguments: Any, threads: int | None = None) -> None:
    """Call one function of the library, alone.

    The arguments must have been checked: on some faults the library ends the process.

    Parameters
    ----------
    name : str
        ``SolveAllBoardsBin``, ``CalcAllTables``, ``Par`` ...: any that returns a status.
    *arguments : ndarray or int
        Arrays are handed over as pointers, so they must be contiguous and live as long as the
        call; ints as C's int.
    threads : int or None
        The library's threads in this call; None: as `set_threads` said.

    Raises
    ------
    SolverError
        With the status, unless it is 1.
    FileError
        There is no library.
    """
    global _told
    wanted = threads_of(threads)
    handed = [a.ctypes.data_as(ctypes.c_void_p) if isinstance(a, np.ndarray) else int(a) for a in arguments]
    with _lock:
        library = _load()
        if wanted != _told:  # safe only while nothing is being solved
            library.SetResources(0, wanted)  # 0: the library's own limit of memory
            _told = wanted
        status = getattr(library, name)(*handed)
    if status != _SUCCESS:
        raise SolverError(status, f"the library refused {name}")


def error_message(code: int) -> str:
    """The library's own text of a status code."""
    text = ctypes.create_string_buffer(80)
    with _lock:
        _load().ErrorMessage(int(code), text)
    return text.value.decode("ascii")


def holdings(hands: np.ndarray) -> np.ndarray:
    """Hands as the library writes them.

    Parameters
    ----------
    hands : ndarray of uint64 [..., 4]

    Returns
    -------
    ndarray of int32 [..., 4, 4]
        For each seat (N E S W) and suit (S H D C) a bit set, deuce at bit 2, ace at bit 14.
    """
    lanes = (hands[..., None] >> _SHIFTS) & np.uint64(LANE_MASK)
    return lanes.astype(np.int32) << 2
