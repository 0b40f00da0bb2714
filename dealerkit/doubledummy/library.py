"""The shared library DDS: its file, installation, lock, threads, structures and status codes.

Bo Haglund's and Soren Hein's double-dummy solver, version 2.9, is part of the wheels of endplay; the
environment variable ``DEALERKIT_DDS`` can point to another file. The library is loaded when something is
solved, without endplay itself, whose import takes half a second.

If two threads are inside the library at once, the process crashes. So every call goes through `call`, which
holds the only lock; the library divides the work among its own threads, whose number is set here. A call
cannot be stopped from outside. So the main thread, which alone receives interrupts, lets another thread make
the call and waits: an interrupt takes effect at once, the results of this call are lost, and the next call
waits until it has ended. A fork of the process waits in the same way, so that its child can solve too.

Endplay has no wheel for the newest versions of Python. But ctypes loads the library in a wheel, and the
library does not depend on the version of Python. So the wheel for an earlier Python, which pip cannot
install, contains a library that works.

References
----------
B. Haglund, S. Hein, DDS 2.9, https://github.com/dds-bridge/dds, file doc/DLL-dds.md.
"""

from __future__ import annotations

import ctypes
import functools
import importlib.util
import os
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import platformdirs

from dealerkit.arguments import check_integer
from dealerkit.cards.names import LANE_MASK, LANE_SHIFTS
from dealerkit.errors import DealerkitError, FileError
from dealerkit.runtime.executors import count_task_threads
from dealerkit.runtime.process import ForkSafeLock, n_processors

ENVIRONMENT = "DEALERKIT_DDS"
FILES = ("libdds.so", "libdds.dylib", "dds.dll", "libdds.dll")  # on Linux, macOS, Windows
COMMAND = "dealerkit solve --install-solver"
RELEASE, PYTHON = "0.5.12", "3.13"  # version of endplay, and the last Python for which it has wheels
MAX_THREADS = 16  # or two for each processor
MAX_BOARDS = 200  # boards in one call; the four declarers of a strain count as one board

# The structures of dll.h.
DEAL = np.dtype(
    [
        ("trump", "<i4"), ("first", "<i4"), ("trick_suit", "<i4", (3,)), ("trick_rank", "<i4", (3,)),
        ("holdings", "<i4", (4, 4)),
    ]
)  # fmt: skip
BOARDS = np.dtype(
    [
        ("count", "<i4"), ("deal", DEAL, (MAX_BOARDS,)), ("target", "<i4", (MAX_BOARDS,)),
        ("solutions", "<i4", (MAX_BOARDS,)), ("mode", "<i4", (MAX_BOARDS,)),
    ]
)  # fmt: skip
CARDS = np.dtype(
    [
        ("nodes", "<i4"), ("cards", "<i4"), ("suit", "<i4", (13,)), ("rank", "<i4", (13,)),
        ("equals", "<i4", (13,)), ("score", "<i4", (13,)),
    ]
)  # fmt: skip
SOLVED = np.dtype([("count", "<i4"), ("board", CARDS, (MAX_BOARDS,))])
DEALS = np.dtype([("count", "<i4"), ("holdings", "<i4", (MAX_BOARDS, 4, 4))])
TABLES = np.dtype([("count", "<i4"), ("tricks", "<i4", (MAX_BOARDS, 5, 4))])

# The texts of ErrorMessage in DDS 2.9; a test compares them with the library's.
TEXTS = {
    -1: "General error",
    -2: "Zero cards",
    -3: "Target exceeds number of tricks",
    -4: "Cards duplicated",
    -5: "Target is less than -1",
    -7: "Target is higher than 13",
    -8: "Solutions parameter is less than 1",
    -9: "Solutions parameter is higher than 3",
    -10: "Too many cards",
    -12: "currentTrickSuit or currentTrickRank has wrong data",
    -13: "Played card also remains in a hand",
    -14: "Wrong number of remaining cards in a hand",
    -15: "Thread index is not 0 .. maximum",
    -16: "Mode parameter is less than 0",
    -17: "Mode parameter is higher than 2",
    -18: "Trump is not in 0 .. 4",
    -19: "First is not in 0 .. 2",
    -98: "AnalysePlay input error",
    -99: "PBN string error",
    -101: "Too many boards requested",
    -102: "Could not create threads",
    -103: "Something failed waiting for thread to end",
    -104: "Multi-threading system not present",
    -201: "Denomination filter vector has no entries",
    -202: "Too many DD tables requested",
    -301: "Chunk size is less than 1",
}

_SUCCESS = 1
_SHIFTS = np.array(LANE_SHIFTS, dtype=np.uint64)
lock = ForkSafeLock()  # held by `call`; a caller can hold it to make several calls in succession
_busy = ForkSafeLock(is_awaited=True)  # held while the library works, even if its caller was interrupted
_WAIT = 0.1  # seconds; some systems notice interrupts only between two waits
default_threads = 0  # number set by `set_threads`; 0: it was not called
library_threads = 0  # number last passed to the library


class SolverError(DealerkitError, ValueError):
    """Invalid input of the solver, or an error reported by its library.

    Parameters
    ----------
    code : int
        Status code of DDS, a key of `TEXTS`.
    reason : str
        What exactly is wrong, where, and the remedy.
    index : int or None
        Index of the deal in the input.

    Attributes
    ----------
    text : str
        Text of DDS for the code.

    Examples
    --------
    >>> print(SolverError(-2, "no hand has a card", 7))
    deal 7: no hand has a card (DDS -2: Zero cards)
    """

    def __init__(self, code: int, reason: str = "", index: int | None = None) -> None:
        self.code, self.reason, self.index = int(code), reason, index
        self.text = TEXTS.get(self.code, "unknown status")
        place = "" if index is None else f"deal {index}: "
        status = f"DDS {self.code}: {self.text}"
        super().__init__(f"{place}{reason} ({status})" if reason else place + status)

    def __reduce__(self) -> tuple:
        return type(self), (self.code, self.reason, self.index)


def library_path() -> Path:
    """Return the path of the library.

    It is ``DEALERKIT_DDS``, otherwise the library of the installed endplay, otherwise the one that
    `install_library` has installed. Debian's libdds0 is not used, because it does not export
    SolveAllBoardsBin.

    Raises
    ------
    FileError
        There is no such file.
    """
    if path := os.environ.get(ENVIRONMENT):
        return Path(path)
    package = importlib.util.find_spec("endplay")
    folders = [Path(folder, "_dds") for folder in package.submodule_search_locations or ()] if package else []
    for folder in (*folders, installation_folder()):
        for name in FILES:
            if (file := folder / name).is_file():
                return file
    reason = "endplay is not installed" if package is None else "the installed endplay has no solver library"
    advice = f"run '{COMMAND}'" if sys.version_info >= (3, 14) else "run 'pip install endplay'"
    raise FileError(
        f"double dummy needs DDS, and {reason}: {advice}, or set {ENVIRONMENT} to the path of a libdds"
    )


def installation_folder() -> Path:
    """Return the folder of an installed library, in the user's folder for data."""
    return platformdirs.user_data_path("dealerkit", appauthor=False)


def install_library() -> Path:
    """Download the wheel of endplay with pip, and install the library that it contains; return its path.

    Raises
    ------
    FileError
        pip does not find a wheel for this platform, or the file cannot be written.
    """
    import shutil
    import subprocess
    import zipfile

    from dealerkit.runtime.files import write_atomically
    from dealerkit.runtime.temporary import open_folder

    with open_folder() as folder:
        # pip refuses to install a wheel of another Python, but downloads one.
        version = f"--python-version {PYTHON} --implementation cp --abi cp{PYTHON.replace('.', '')}"
        options = ["--no-deps", "--only-binary", ":all:", *version.split(), "--dest", str(folder)]
        command = [sys.executable, "-m", "pip", "download", *options, f"endplay=={RELEASE}"]
        done = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace")
        wheels = list(folder.glob("*.whl"))
        if done.returncode or not wheels:
            lines = done.stderr.strip().splitlines() or ["no wheel was downloaded"]
            raise FileError(
                f"pip cannot download the solver: {lines[-1]}; build DDS 2.9 from its source, "
                f"and set {ENVIRONMENT} to its libdds"
            )
        # Only the library in the wheel is installed.
        with zipfile.ZipFile(wheels[0]) as wheel:
            names = [name for name in wheel.namelist() if name in {f"endplay/_dds/{file}" for file in FILES}]
            if not names:
                raise FileError(f"{wheels[0].name} has no solver library")
            target = installation_folder() / names[0].rpartition("/")[2]
            target.parent.mkdir(parents=True, exist_ok=True)
            with (
                write_atomically(target) as temporary,
                wheel.open(names[0]) as source,
                temporary.open("wb") as file,
            ):
                shutil.copyfileobj(source, file)
    return target


@functools.cache
def load_library() -> ctypes.CDLL:
    """Load the library, once per process."""
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
    """Set the number of threads that the library uses by default.

    Parameters
    ----------
    count : int >= 1 or None
        None: the number of processors that this process may use. The library never uses more threads than the
        machine has processors. Each thread takes about 100 megabytes.

    Returns
    -------
    int
        The number of threads.

    Raises
    ------
    ArgumentError
        `count` is not a whole number of 1 or more.
    """
    global default_threads
    default_threads = n_processors() if count is None else _limit_threads(count)
    return default_threads


def n_threads(count: int | None = None) -> int:
    """Return the number of threads for one call: as given, else of the task, else that of `set_threads`."""
    if count is not None:
        return _limit_threads(count)
    return count_task_threads() or default_threads or n_processors()


def _limit_threads(count: Any) -> int:
    """Limit a number of threads to those that can be useful, since each takes solver memory."""
    return min(check_integer("threads", count, 1), max(MAX_THREADS, 2 * n_processors()))


def call(name: str, *arguments: Any, threads: int | None = None) -> None:
    """Call one function of the library while holding the lock.

    The arguments must have been checked, because with some invalid ones the library ends the process.

    Parameters
    ----------
    name : str
        ``SolveAllBoardsBin``, ``CalcAllTables``, ``Par`` ...: any function that returns a status.
    *arguments : ndarray or int
        Arrays are passed as pointers, so they must be contiguous; ints are passed as C's int.
    threads : int or None
        Number of the library's threads in this call; None: the default of `set_threads`.

    Raises
    ------
    SolverError
        The status is not 1.
    FileError
        The library is missing.
    """
    number = n_threads(threads)
    with lock:
        function = getattr(load_library(), name)
        if threading.current_thread() is not threading.main_thread():
            status = _call_function(function, arguments, number)
        else:
            status = _await_function(function, arguments, number)
    if status != _SUCCESS:
        raise SolverError(status, f"the library refused {name}")


def _call_function(function: Any, arguments: tuple[Any, ...], number: int) -> int:
    """Call a function of the library with this number of threads; return its status."""
    global library_threads
    converted = [
        value.ctypes.data_as(ctypes.c_void_p) if isinstance(value, np.ndarray) else int(value)
        for value in arguments
    ]
    with _busy:
        if number != library_threads:  # safe only while nothing is being solved
            load_library().SetResources(0, number)  # 0: the library's own limit of memory
            library_threads = number
        return int(function(*converted))


def _await_function(function: Any, arguments: tuple[Any, ...], number: int) -> int:
    """Run `_call_function` in another thread, so that this one can be interrupted meanwhile."""
    from concurrent.futures import Future, wait

    outcome: Future[int] = Future()

    def work() -> None:
        try:
            outcome.set_result(_call_function(function, arguments, number))
        except BaseException as error:  # raised again in the waiting thread
            outcome.set_exception(error)

    threading.Thread(target=work, name="dealerkit double dummy").start()
    while not outcome.done():
        wait([outcome], _WAIT)
    return outcome.result()


def encode_holdings(hands: np.ndarray) -> np.ndarray:
    """Return hands in the library's encoding.

    Parameters
    ----------
    hands : ndarray of uint64 [..., 4]

    Returns
    -------
    ndarray of int32 [..., 4, 4]
        For each seat (N E S W) and suit (S H D C) a bit set: bit 2 is the deuce, bit 14 the ace.
    """
    lanes = (hands[..., None] >> _SHIFTS) & np.uint64(LANE_MASK)
    return lanes.astype(np.int32) << 2
