"""The checkpoint of a study: the results of its solver and its clock, in order.

Everything else in a study follows from its arguments. So a study that is started again quickly deals and
predicts the same, and takes from the journal what was computed before it was killed.
"""

from __future__ import annotations

import os
import time
import zlib
from collections.abc import Callable, Mapping
from dataclasses import astuple
from types import TracebackType
from typing import Any, NamedTuple

import numpy as np

from dealerkit.doubledummy.ledger import Ledger, current_ledger
from dealerkit.errors import FileError
from dealerkit.runtime.checkpoints import CheckpointFile
from dealerkit.runtime.process import uninterrupted


class _Step(NamedTuple):
    """One computation: of what, its values, what the solver counted, its time, and the study's at its end."""

    digest: int
    dtype: str
    shape: list[int]
    counts: list[float]
    seconds: float
    elapsed: float


class Journal:
    """The steps of a study and its decisions about time; without a file they are only computed.

    Parameters
    ----------
    path : str, os.PathLike or None
    purpose, arguments
        As for `CheckpointFile`.

    Raises
    ------
    FileError
        The file belongs to another call, is damaged, or is not a checkpoint.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for compute in (lambda: np.array([7]), lambda: np.array([8])):
    ...         with Journal(f"{folder}/a.checkpoint", "example") as journal:
    ...             print(journal.step(compute))
    [7]
    [7]
    """

    def __init__(
        self,
        path: str | os.PathLike | None = None,
        purpose: str = "",
        arguments: Mapping[str, Any] | None = None,
    ) -> None:
        self._file = None if path is None else CheckpointFile(path, purpose, arguments or {})
        self._steps: list[_Step] = []
        self._content = bytearray()
        self._decisions: list[bool] = []
        self._n_steps = self._n_decisions = self._n_bytes = 0  # numbers passed by this process
        self._is_saved = False
        self._begin, self._before = time.perf_counter(), 0.0
        self.step_seconds = 0.0  # seconds of the steps when they were computed
        if self._file is not None:
            with self._file.open() as saved:
                if saved is not None:
                    self._restore(*saved)

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None or issubclass(kind, KeyboardInterrupt):
            self.close()

    @property
    def elapsed(self) -> float:
        """Seconds of the study, including those before it was killed."""
        if self._n_steps < len(self._steps):
            return self._before
        return self._before + time.perf_counter() - self._begin

    def step(self, compute: Callable[[], np.ndarray], *inputs: np.ndarray) -> np.ndarray:
        """Return the value of a function, or its value from before the study was killed.

        Parameters
        ----------
        compute : callable
            Returns an array of numbers that follow from `inputs` and the arguments of the study.
        *inputs : ndarray

        Raises
        ------
        FileError
            The inputs differ from those before.
        """
        # A step in the checkpoint is not computed again.
        digest = 0
        for array in inputs:
            digest = zlib.crc32(np.ascontiguousarray(array).tobytes(), digest)
        if self._n_steps < len(self._steps):
            return self._repeat(digest)
        # Compute the step, and record its time and what the solver did.
        ledger = current_ledger()
        before, began = astuple(ledger or Ledger()), time.perf_counter()
        values = compute()
        seconds = time.perf_counter() - began
        self.step_seconds += seconds
        # Add it to the checkpoint.
        if self._file is not None:
            after = astuple(ledger or Ledger())
            counts = [b - a for a, b in zip(before, after, strict=True)]
            step = _Step(digest, values.dtype.str, list(values.shape), counts, seconds, self.elapsed)
            with uninterrupted():
                self._steps.append(step)
                self._n_steps += 1
                self._content += values.tobytes()
                self._is_saved = False
            self._is_saved = self._file.save_sometimes(self._describe)
        return values

    def is_over(self, seconds: float) -> bool:
        """Return whether the study has used this much time, or the decision from before it was killed."""
        if self._n_decisions < len(self._decisions):
            self._n_decisions += 1
            return self._decisions[self._n_decisions - 1]
        decision = self.elapsed >= seconds
        if self._file is not None:
            self._decisions.append(decision)
            self._n_decisions += 1
            self._is_saved = False
        return decision

    def close(self) -> None:
        """Write the file, unless it is complete; later steps are only computed."""
        if self._file is not None and not self._is_saved:
            self._file.save(self._describe)
        self._file = None
        del self._steps[self._n_steps :], self._decisions[self._n_decisions :]

    def _repeat(self, digest: int) -> np.ndarray:
        """Return the values of the next step."""
        step = self._steps[self._n_steps]
        if step.digest != digest:
            assert self._file is not None
            raise FileError(
                f"{self._file.path}: this checkpoint is from other deals, although the arguments are equal: "
                "an included file or a function has changed; give another file, or delete this one"
            )
        # The values, the time, and what the solver did
        dtype = np.dtype(step.dtype)
        count = int(np.prod(step.shape))
        values = np.frombuffer(self._content, dtype, count, self._n_bytes).reshape(step.shape).copy()
        self._n_bytes += values.nbytes
        self._n_steps += 1
        self.step_seconds += step.seconds
        self._before, self._begin = step.elapsed, time.perf_counter()
        ledger = current_ledger()
        if ledger is not None:
            ledger += _count(step)
        return values

    def _describe(self, store: Callable[[np.ndarray], str]) -> dict[str, Any]:
        content = store(np.frombuffer(bytes(self._content), np.uint8))
        return {"steps": self._steps, "decisions": self._decisions, "values": content}

    def _restore(self, state: dict[str, Any], fetch: Callable[[str], np.ndarray]) -> None:
        """Restore the contents of a file; raise an error of `DAMAGE` if they are incomplete."""
        self._steps = [_Step(*step) for step in state["steps"]]
        self._decisions = [bool(decision) for decision in state["decisions"]]
        self._content = bytearray(fetch(state["values"]).tobytes())
        n_bytes = 0
        for step in self._steps:
            dtype = np.dtype(step.dtype)
            if dtype.kind not in "iufb" or min(step.shape, default=0) < 0:
                raise ValueError("its values are not numbers")
            _count(step), float(step.elapsed), float(step.seconds), int(step.digest)
            n_bytes += dtype.itemsize * int(np.prod(step.shape))
        if n_bytes != len(self._content):
            raise ValueError("some of its values are missing")
        self._is_saved = True


def _count(step: _Step) -> Ledger:
    """Return the counts of the solver in a step."""
    requested, attached, stored, bounded, solved, seconds = step.counts
    return Ledger(int(requested), int(attached), int(stored), int(bounded), int(solved), float(seconds))
