"""Calls in a separate process that is ended when it takes too much time or memory, for scripts of strangers.

The process is a new interpreter, not a fork, and works only for this one. On Linux and macOS the operating
system enforces limits that the process cannot raise, and a timer of the system ends it even if the caller
waits for a processor or is stopped. Windows has no such limits, but on every system the caller kills the
process when its time is over. Both processes run this package, so they can exchange pickles.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import pickle
import signal
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

from dealerkit.appearance.numbers import format_number
from dealerkit.appearance.wording import format_duration
from dealerkit.errors import DealerkitError, MemoryLimitError, TimeLimitError

SECONDS, MEMORY = 10.0, 1e9  # default limits of a call
START_SECONDS = 120.0  # limit for the imports of a new process
KILL_SHARE = 1.1  # a call that has not ended after this part of its time is killed
_FILE_BYTES = 64 << 20  # largest file that the process may write, for compiled kernels
_SYSTEM_BYTES = 512 << 20  # additional addresses for libraries that are loaded during a call
_LENGTH = struct.Struct("=Q")
_TIME_SIGNALS = [int(getattr(signal, name)) for name in ("SIGALRM", "SIGXCPU") if hasattr(signal, name)]
_PROGRAM = (
    "import sys; sys.path[:] = sys.argv[2:]; from dealerkit.runtime.confined import serve; serve(sys.argv[1])"
)


class Confinement:
    """A process that makes calls under limits, one after another.

    Parameters
    ----------
    module : str
        A module that the process imports before its first call, with the functions that are called.
    seconds : float
        Time limit of a call, which is killed when it has taken a tenth more.
    memory : float
        Bytes that a call may use in addition to those that the process uses at its start.

    Examples
    --------
    >>> with Confinement("math", seconds=60, memory=1e9) as process:
    ...     process.call("gcd", 12, 18)
    6
    """

    def __init__(self, module: str, seconds: float, memory: float) -> None:
        self._module, self._seconds, self._memory = module, seconds, memory
        self._process: subprocess.Popen | None = None

    def __enter__(self) -> Confinement:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            _close_pipes(self._process)
            self._process = None

    def call(self, name: str, *arguments: Any) -> Any:
        """Return what a function of the module returns, or raise the error that it raises.

        Raises
        ------
        TimeLimitError
            The call did not end in time.
        MemoryLimitError
            The call needed too much memory, or its process ended.
        DealerkitError
            The function raised this error.
        RuntimeError
            The function raised an error of another class, which is a fault of dealerkit.
        """
        process = self.start()
        request = pickle.dumps((name, arguments))
        is_error, value = self._exchange(process, request, KILL_SHARE * self._seconds)
        if is_error:
            raise value
        return value

    def start(self) -> subprocess.Popen:
        """Start the process if there is none; `call` does so too."""
        if self._process is None:
            root = str(Path(__file__).parents[2])
            settings = {"OPENBLAS_NUM_THREADS": "1", "DEALERKIT_STORE": "off"}
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", _PROGRAM, self._module, root, *filter(None, sys.path)],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                env={**os.environ, **settings}, start_new_session=True,
            )  # fmt: skip
            limits = pickle.dumps((self._seconds, self._memory))
            self._exchange(self._process, limits, START_SECONDS)
        return self._process

    def _exchange(self, process: subprocess.Popen, request: bytes, seconds: float) -> tuple[bool, Any]:
        """Send a message and return the answer; kill the process if there is no answer in time."""
        answers: list[bytes] = []  # stays empty if the process ends
        thread = threading.Thread(target=_send_and_receive, args=(process, request, answers), daemon=True)
        thread.start()
        try:
            thread.join(seconds)
            is_late = thread.is_alive()
        except BaseException:  # an interrupt
            self.close()
            raise
        if answers:
            return pickle.loads(answers[0])
        self._process = None
        if not is_late:  # the process is ending by itself; its status will say why
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(1.0)
        process.kill()
        thread.join()
        status = process.wait()
        _close_pipes(process)
        if is_late or -status in _TIME_SIGNALS:
            raise TimeLimitError(
                f"this takes longer than its limit of {format_duration(1e9 * self._seconds)} and was stopped "
                "without a result"
            )
        raise MemoryLimitError(
            f"the process of this script ended without a result (status {status}), probably because it needs "
            f"more than {_format_memory(self._memory)}, its limit"
        )


def _format_memory(size: float) -> str:
    return f"{format_number(size / 1e6, 0)} MB of memory"


def _close_pipes(process: subprocess.Popen) -> None:
    for pipe in (process.stdin, process.stdout):
        with contextlib.suppress(OSError):
            pipe.close()  # type: ignore[union-attr]


def _send_and_receive(process: subprocess.Popen, request: bytes, answers: list[bytes]) -> None:
    with contextlib.suppress(OSError, ValueError, EOFError):
        assert process.stdin is not None and process.stdout is not None
        _send(process.stdin, request)
        answers.append(_receive(process.stdout))


def _send(stream: IO[bytes], message: bytes) -> None:
    stream.write(_LENGTH.pack(len(message)))
    stream.write(message)
    stream.flush()


def _receive(stream: IO[bytes]) -> bytes:
    """Return the next message; EOFError if there is none."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        raise EOFError
    (length,) = _LENGTH.unpack(head)
    message = stream.read(length)
    if len(message) < length:
        raise EOFError
    return message


# ---------------------------------------------------------------- in the process
def serve(module: str) -> None:
    """Make the calls that arrive on standard input until it is closed.

    If the module has a function `prepare_calls`, it is called first, without limits. Without this, a short
    limit would stop the first call while kernels are compiled, and every later call as well.
    """
    # Only `_send` may write to the pipe for answers, so printed text goes to standard error.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    requests = sys.stdin.buffer
    sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115 - open to the end
    functions = importlib.import_module(module)
    if prepare := getattr(functions, "prepare_calls", None):
        prepare()
    with contextlib.suppress(EOFError, KeyboardInterrupt):
        seconds, memory = pickle.loads(_receive(requests))
        _limit_process(memory)
        _send(answers, pickle.dumps((False, None)))
        while True:
            name, arguments = pickle.loads(_receive(requests))
            with _limit_time(seconds):
                answer = _answer(getattr(functions, name), arguments, memory)
            _send(answers, answer)


def leave_folder() -> None:
    """Leave the folder of the caller, so that no message reveals whether a file with some name is in it."""
    os.chdir(Path(__file__).parent)


def _answer(function: Callable, arguments: tuple, memory: float) -> bytes:
    """Return the value of a call or the error that it raises, as a message."""
    try:
        return pickle.dumps((False, function(*arguments)))
    except DealerkitError as error:
        return pickle.dumps((True, error))
    except MemoryError:
        message = f"this needs more than {_format_memory(memory)}, its limit, and has no result"
        return pickle.dumps((True, MemoryLimitError(message)))
    except Exception as error:  # a fault of this package
        import traceback

        trace = "".join(traceback.format_exception(error))
        return pickle.dumps((True, RuntimeError(f"in the process of an untrusted script:\n{trace}")))


def _limit_process(memory: float) -> None:
    """Set the limits of the operating system, which apply to all calls."""
    if sys.platform == "win32":
        return
    import resource

    def limit(kind: int, value: int) -> None:
        _, hard = resource.getrlimit(kind)
        if hard != resource.RLIM_INFINITY:
            value = min(value, hard)
        with contextlib.suppress(OSError, ValueError):  # this system does not have the limit
            resource.setrlimit(kind, (value, value))

    limit(resource.RLIMIT_CORE, 0)
    limit(resource.RLIMIT_FSIZE, _FILE_BYTES)
    limit(resource.RLIMIT_NOFILE, 128)
    page = os.sysconf("SC_PAGE_SIZE")
    with contextlib.suppress(OSError, ValueError), open("/proc/self/statm", "rb") as file:
        total, _, _, _, _, data, _ = map(int, file.read().split())
        limit(resource.RLIMIT_AS, total * page + int(memory) + _SYSTEM_BYTES)
        limit(resource.RLIMIT_DATA, data * page + int(1.05 * memory))


@contextlib.contextmanager
def _limit_time(seconds: float) -> Iterator[None]:
    """Let the system end the process if the block takes a tenth more than its time, on all processors."""
    if sys.platform == "win32":
        yield
        return
    import resource

    allowed = time.process_time() + KILL_SHARE * seconds * (os.cpu_count() or 1) + 2
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    if hard == resource.RLIM_INFINITY or allowed < hard:
        resource.setrlimit(resource.RLIMIT_CPU, (int(allowed), hard))
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, KILL_SHARE * seconds)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
