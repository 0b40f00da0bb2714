"""Workers of dask: those of a Client, of a scheduler at an address, or workers started on this machine.

The scheduler repeats the tasks of a worker that is lost. A shared value is the result of a task, too, so each
worker gets it once, from another worker, and it is made again if all copies are lost.
"""

from __future__ import annotations

import gc
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from dealerkit.errors import ArgumentError, ExecutorError, IncompleteWarning, quote, warn_caller
from dealerkit.runtime.executors.workers import VERSION, Shared, Workers, run_task
from dealerkit.runtime.process import n_processors

CONNECT_SECONDS = 15
_ADDRESS = re.compile(r"[a-z]+://\S+|[\w.:\[\]-]+:\d+")  # a protocol and more, or a host and a port
COUNT_SECONDS = 2.0  # between two counts of the workers
PATIENCE_SECONDS = 60.0  # after this time without any worker, a warning says that the run waits for one

# The function is sent as text, so that it also runs where dealerkit cannot be imported.
_FIND_VERSION = """
def find_version():
    import sys
    try:
        import dealerkit
    except ImportError as error:
        return str(error)
    return dealerkit.__version__, f"{sys.version_info.major}.{sys.version_info.minor}"
"""


@contextmanager
def open_dask_workers(executor: Any) -> Iterator[Workers]:
    """Open the workers of a Client, of its executor, of a scheduler by its address, or of this machine."""
    # A client is opened and closed by the caller.
    if not isinstance(executor, str):
        client = getattr(executor, "_client", executor)  # an executor of Client.get_executor() has one
        yield DaskWorkers(client)
        return
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise ExecutorError(
            f"executor {executor!r} needs dask: run pip install 'dealerkit[cluster]'"
        ) from None
    # Start a cluster on this machine, or connect to the scheduler at an address.
    if executor == "local":
        with (
            LocalCluster(n_workers=n_processors(), threads_per_worker=1, dashboard_address=":0") as cluster,
            Client(cluster) as client,
        ):
            yield DaskWorkers(client)
        return
    with _connect(Client, executor) as client:
        yield DaskWorkers(client)


def _connect(client_class: Any, address: str) -> Any:
    """Return a Client of the scheduler at an address."""
    remedy = (
        "start one with 'dask scheduler', and give the address that it prints, such as tcp://10.0.0.5:8786"
    )
    if _ADDRESS.fullmatch(address) is None:
        raise ArgumentError(
            f"executor is {quote(address)}, which is not an address of a dask scheduler; {remedy}"
        )
    try:
        return client_class(address, timeout=CONNECT_SECONDS)
    except Exception as error:  # for a nonsensical address, dask raises AssertionError and others
        reason = str(error)
    gc.collect()  # delete the incomplete Client now: if another one is starting then, dask waits for ever
    raise ExecutorError(f"no dask scheduler answers at {address}: {reason}; {remedy}")


def _hold(data: bytes) -> bytes:
    """Return the shared value on a worker."""
    return data


class DaskWorkers(Workers):
    """The workers of a dask Client; their versions are checked at once."""

    def __init__(self, client: Any) -> None:
        super().__init__(client)
        self._n_threads, self._counted_until = 1, 0.0
        namespace: dict[str, Any] = {"__name__": "__main__"}
        exec(_FIND_VERSION, namespace)
        try:
            versions = client.run(namespace["find_version"])
        except Exception as error:
            raise ExecutorError(f"the dask workers do not answer: {error}") from None
        for address, version in sorted(versions.items()):
            if isinstance(version, str):
                raise ExecutorError(
                    f"the worker {address} cannot import dealerkit: {version}; install dealerkit "
                    f"{VERSION[0]} there"
                )
            if tuple(version) != VERSION:
                raise ExecutorError(
                    f"the worker {address} has dealerkit {version[0]} on Python {version[1]}, this program "
                    f"{VERSION[0]} on Python {VERSION[1]}; install the same versions on all machines"
                )

    @property
    def n_tasks(self) -> int:
        now = time.monotonic()
        if now >= self._counted_until:  # workers join and leave
            self._n_threads = max(sum(self.executor.nthreads().values()), 1)
            self._counted_until = now + COUNT_SECONDS
        return self._n_threads

    def share(self, value: Any, what: str = "the script") -> Shared:
        from dask import config

        shared = super().share(value, what)
        with config.set({"distributed.admin.large-graph-warning-threshold": "1 TB"}):
            handle = self.executor.submit(_hold, shared.data, key=f"dealerkit-{shared.digest}")
        return shared._replace(handle=handle)

    def send(self, shared: Shared, call: bytes, again: bool = False) -> Any:
        return self._submit_future(shared.digest, shared.handle, call)

    def _submit_future(self, digest: str, handle: Any, call: bytes) -> Any:
        return self.executor.submit(run_task, VERSION, digest, handle, call, pure=False)

    def wait(self, future: Any) -> bytes:
        from distributed import TimeoutError as WaitTimeout

        has_warned = False
        while True:
            try:
                return future.result(timeout=PATIENCE_SECONDS)
            except WaitTimeout:
                if not has_warned and not self.executor.nthreads():
                    has_warned = True
                    warn_caller(
                        IncompleteWarning("the dask cluster has no workers at present; waiting for one")
                    )
            except Exception as error:
                raise _explain(error) from None


def _explain(error: Exception) -> Exception:
    """Return an error with a remedy for an error of dask."""
    name = type(error).__name__
    if name == "KilledWorker":
        return ExecutorError(
            f"several workers were lost while they ran one task ({error}); they may lack memory: give each "
            "worker more memory or fewer threads"
        )
    if "Cancelled" in name or isinstance(error, OSError):
        return ExecutorError(f"the connection to the dask scheduler was lost: {error}; run again")
    if isinstance(error, ModuleNotFoundError):
        return ExecutorError(
            f"a worker cannot import {error.name}; install dealerkit with its dependencies there"
        )
    return error
