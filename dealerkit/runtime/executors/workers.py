"""Tasks in other processes: what is sent there, and what is returned.

A task is a function in a module of dealerkit, called with a value that many tasks share and with arguments
of its own. The shared value is sent to each process once: it is identified by the digest of its bytes, and a
process that has it uses its copy. cloudpickle copies all values, also functions of a notebook. An error of a
task is raised where its result is read.

A task depends only on its arguments, and its result is used once. So if a process dies, its task can be
repeated elsewhere, and nothing is counted twice.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
import sys
import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Generator, Iterable
from contextvars import ContextVar
from itertools import islice
from typing import Any, NamedTuple

from dealerkit import __version__
from dealerkit.errors import DealerkitError, ExecutorError
from dealerkit.runtime.process import n_processors

TASK_SECONDS = 2.0  # intended length of a task: short enough to be repeated, long compared with sending it
TASKS_AHEAD = 3  # tasks submitted for each that can run, so that no worker waits for a slow one
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3  # from malloc.h
KEPT_BYTES = 64 << 20  # freed memory that a process keeps
MAX_CACHED = 4  # shared values that a process keeps, for runs that are executed at the same time
VERSION = (__version__, f"{sys.version_info.major}.{sys.version_info.minor}")


class Shared(NamedTuple):
    """A value that many tasks share, as bytes with their digest; `handle` is the executor's reference."""

    digest: str
    data: bytes
    handle: Any = None


class Missing(NamedTuple):
    """The result of a task in a process that has no copy of the shared value."""

    digest: str


class Failure(NamedTuple):
    """The result of a task that raised an error."""

    error: DealerkitError


_task_threads: ContextVar[int] = ContextVar("task_threads", default=0)
shared_values: OrderedDict[str, Any] = OrderedDict()
_values_lock = threading.Lock()


def dump(value: Any, what: str) -> bytes:
    """Return a value as bytes, including functions that the user has defined.

    Raises
    ------
    ExecutorError
        It contains something that exists only in this process. The message begins with `what`.
    """
    import cloudpickle

    try:
        return cloudpickle.dumps(value)
    except Exception as error:  # pickle raises errors of many types
        raise ExecutorError(
            f"{what} cannot be sent to other processes: {error}; functions of your own may use only values "
            "that can be copied, not open files, locks or connections"
        ) from None


def run_task(version: tuple[str, str], digest: str, data: bytes | None, call: bytes) -> bytes:
    """Run a task in a process of an executor.

    Parameters
    ----------
    version : tuple of str
        `VERSION` of the process that the task comes from.
    digest : str
        Digest of the shared value.
    data : bytes or None
        The shared value; None if this process probably has it.
    call : bytes
        A function and its arguments after the shared value.

    Returns
    -------
    bytes
        The result of the function, a `Failure` with its error, or `Missing`.

    Raises
    ------
    ExecutorError
        This process has another version of dealerkit or Python.
    """
    import cloudpickle

    # Another version might compute other results.
    if version != VERSION:
        raise ExecutorError(
            f"a worker has dealerkit {VERSION[0]} on Python {VERSION[1]}, this program {version[0]} on "
            f"Python {version[1]}; install the same versions on all machines"
        )
    try:
        # The shared value is sent only once to each process.
        if digest not in shared_values and data is None:
            return cloudpickle.dumps(Missing(digest))
        function, arguments = cloudpickle.loads(call)
        _keep_memory()
        token = _task_threads.set(_find_task_threads())
        try:
            return dump(function(_load_shared(digest, data), *arguments), "a result")
        finally:
            _task_threads.reset(token)
    except DealerkitError as error:
        return cloudpickle.dumps(Failure(error))


@functools.cache
def _keep_memory() -> None:
    """Let this process keep up to 64 MB of freed memory; only the first call has an effect.

    The nanny of a dask worker makes it return freed memory from 64 kB on, so each batch would request its
    memory from the system again, which took an eighth of the time.
    """
    if os.environ.get("MALLOC_TRIM_THRESHOLD_") != "65536" or not sys.platform.startswith("linux"):
        return
    with contextlib.suppress(AttributeError, OSError):  # another C library may lack the function
        library = ctypes.CDLL(None)
        library.mallopt(M_TRIM_THRESHOLD, KEPT_BYTES)
        library.mallopt(M_MMAP_THRESHOLD, KEPT_BYTES // 2)


def count_task_threads() -> int:
    """Return the number of threads that the solver of a task may use; 0 outside of tasks."""
    return _task_threads.get()


def _find_task_threads() -> int:
    """Return the number of threads of a dask worker, whose tasks solve one after another; elsewhere 1."""
    distributed = sys.modules.get("distributed")
    try:
        return distributed.get_worker().state.nthreads if distributed is not None else 1
    except ValueError:  # not on a dask worker
        return 1


def _load_shared(digest: str, data: bytes | None) -> Any:
    """Return the shared value of this process, created from its bytes at first use."""
    import cloudpickle

    with _values_lock:
        if digest not in shared_values:
            assert data is not None
            shared_values[digest] = cloudpickle.loads(data)
        shared_values.move_to_end(digest)
        while len(shared_values) > MAX_CACHED:
            shared_values.popitem(last=False)
        return shared_values[digest]


class Pending:
    """A task that was submitted."""

    def __init__(self, workers: Workers, shared: Shared, call: bytes) -> None:
        self._workers, self._shared, self._call = workers, shared, call
        self._future = workers.send(shared, call)

    def result(self) -> Any:
        """Wait for the result and return it, or raise the error of the task."""
        import cloudpickle

        result = cloudpickle.loads(self._workers.wait(self._future))
        if isinstance(result, Missing):  # a process that joined later, or began another run
            self._future = self._workers.send(self._shared, self._call, again=True)
            result = cloudpickle.loads(self._workers.wait(self._future))
        if isinstance(result, Failure):
            raise result.error
        return result

    def done(self) -> bool:
        """Return whether `result` returns at once."""
        return self._future.done()

    def cancel(self) -> None:
        """Cancel the task if no process has started it."""
        self._future.cancel()


class Workers:
    """The processes of an executor of `concurrent.futures`.

    Attributes
    ----------
    n_tasks : int
        Number of tasks that run at the same time.
    n_ahead : int
        Number of tasks that are submitted for each of them.
    """

    def __init__(self, executor: Any) -> None:
        self.executor, self._n_sent, self.n_ahead = executor, 0, TASKS_AHEAD

    @property
    def n_tasks(self) -> int:
        return getattr(self.executor, "_max_workers", None) or n_processors()

    def share(self, value: Any, what: str = "the script") -> Shared:
        """Return a value in the form in which tasks get it; raise ExecutorError if it cannot be sent."""
        import hashlib  # imported here, as most runs have no executor

        data = dump(value, what)
        return Shared(hashlib.sha256(data).hexdigest(), data)

    def submit(self, shared: Shared, function: Callable[..., Any], *arguments: Any) -> Pending:
        """Submit ``function(shared value, *arguments)``."""
        return Pending(self, shared, dump((function, arguments), "a task"))

    def map(
        self, shared: Shared, function: Callable[..., Any], calls: Iterable[tuple[Any, ...]]
    ) -> Generator[tuple[tuple[Any, ...], Any]]:
        """Yield arguments and result of each call in order; `calls` is read as tasks are submitted."""
        pending: deque[tuple[tuple[Any, ...], Pending]] = deque()
        waiting = iter(calls)
        try:
            while True:
                for call in islice(waiting, self.n_ahead * self.n_tasks - len(pending)):
                    pending.append((call, self.submit(shared, function, *call)))
                if not pending:
                    return
                call, task = pending.popleft()
                yield call, task.result()
        finally:
            for _, task in pending:
                task.cancel()

    def send(self, shared: Shared, call: bytes, again: bool = False) -> Any:
        """Submit a task; the first tasks, and one that is sent again, include the shared value."""
        self._n_sent += 1
        carries = again or self._n_sent <= self.n_tasks
        data = shared.data if carries else None
        return self._submit(run_task, VERSION, shared.digest, data, call)

    def _submit(self, *arguments: Any) -> Any:
        from concurrent.futures import BrokenExecutor

        try:
            return self.executor.submit(*arguments)
        except BrokenExecutor as error:
            raise _describe_broken_pool(error) from None
        except RuntimeError as error:  # it was shut down
            raise ExecutorError(f"the executor accepts no tasks: {error}; run with a new one") from None

    def wait(self, future: Any) -> bytes:
        """Return the bytes of a finished task."""
        from concurrent.futures import BrokenExecutor, CancelledError

        try:
            return future.result()
        except BrokenExecutor as error:
            raise _describe_broken_pool(error) from None
        except CancelledError:
            raise ExecutorError(
                "the executor was shut down before its tasks were complete; run with a new one"
            ) from None
        except ModuleNotFoundError as error:
            raise ExecutorError(
                f"a worker cannot import {error.name}; install dealerkit with its dependencies there"
            ) from None


def _describe_broken_pool(error: Exception) -> ExecutorError:
    return ExecutorError(
        f"a process of the executor ended ({error}), and this kind of executor does not replace it; the "
        "process may have lacked memory, or may not be able to import dealerkit. Run again with a new "
        'executor, or with executor="local", which replaces lost processes'
    )
