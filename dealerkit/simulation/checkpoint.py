"""Checkpoints: what a run has accumulated, in a file from which the next start continues.

A checkpoint belongs to one run: script, seed, limits, plan and deals are the same, or the file is refused.
It is written beside and renamed, so at any instant a complete one exists. The deals before it are not dealt
again, and the sums after it continue bit for bit.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
import zipfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from dealerkit.actions.saved_state import encode_action, restore_action
from dealerkit.cards.attached_columns import ATTACHED_COLUMNS
from dealerkit.cards.deals import Deals
from dealerkit.dealing.source import DealsSource
from dealerkit.doubledummy.ledger import Ledger
from dealerkit.errors import ArgumentError, FileError
from dealerkit.files import name_in_errors, write_atomically
from dealerkit.language.printer import to_text
from dealerkit.simulation.archive import DAMAGE, Arrays, store_in, write_arrays
from dealerkit.simulation.collector import Collector
from dealerkit.simulation.job import Job, RunOptions
from dealerkit.statistics import Counts
from dealerkit.statistics.saved_state import encode_accumulator, restore_accumulator

FORMAT, FORMAT_VERSION = "dealerkit checkpoint", 1
SAVE_SECONDS = 10.0  # between two checkpoints
SAVE_SHARE = 0.02  # of the time may be spent on writing them


def read_seed(path: str | os.PathLike) -> int | None:
    """Return the seed of the run that a checkpoint belongs to; None where there is no file yet.

    Raises
    ------
    FileError
        The file is no checkpoint, or damaged.
    """
    check_path(path)
    if not Path(path).exists():
        return None
    with name_in_errors(path), open(path, "rb") as stream:
        content, _ = _read(stream, path)
        return int(content["run"]["seed"])


def check_path(path: Any) -> None:
    """Raise ArgumentError unless a value can be the name of a file."""
    if not isinstance(path, str | os.PathLike):
        raise ArgumentError(f"checkpoint is {path!r:.60}; give the name of a file, as 'study.checkpoint'")


class Checkpoint:
    """The checkpoint of a job.

    Parameters
    ----------
    path : str or os.PathLike
    job : Job

    Raises
    ------
    ArgumentError
        The run writes files of its own, which a checkpoint does not have.
    """

    def __init__(self, path: str | os.PathLike, job: Job) -> None:
        check_path(path)
        self.path, self._job = path, job
        _check_options(job.options)
        self._run = _describe_run(job)
        self._saved_at = time.monotonic()
        self._interval = SAVE_SECONDS

    def restore(self, collector: Collector) -> None:
        """Put what the file has into an empty collector, if there is a file.

        Raises
        ------
        FileError
            The file belongs to another run, is damaged, or no checkpoint.
        """
        if not Path(self.path).exists():
            return
        with name_in_errors(self.path), open(self.path, "rb") as stream:
            content, file = _read(stream, self.path)
            self._check_run(content)
            try:
                _restore(collector, content, Arrays(file), self._job)
            except DAMAGE as error:
                raise _name_damage(self.path, error) from error

    def _check_run(self, content: dict[str, Any]) -> None:
        """Raise FileError unless the file belongs to this run."""
        saved = content["run"]
        for name, value in self._run.items():
            if saved.get(name) != value:
                raise FileError(
                    f"{self.path}: this checkpoint belongs to another run: its {name} is "
                    f"{saved.get(name)!r:.80}, not {value!r:.80}; give another file, or delete this one"
                )

    def save_sometimes(self, collector: Collector) -> None:
        """Write the file if the last one is old enough."""
        if time.monotonic() - self._saved_at >= self._interval:
            self.save(collector)

    def save(self, collector: Collector) -> None:
        """Write the file; FileError where that is not possible."""
        began = time.monotonic()
        arrays: dict[str, np.ndarray] = {}
        state = _describe(collector, arrays)
        content = {"format": FORMAT, "version": FORMAT_VERSION, "run": self._run, "state": state}
        with write_atomically(self.path) as temporary, open(temporary, "wb") as stream:
            with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as file:
                file.writestr("checkpoint.json", json.dumps(content, ensure_ascii=False))
                write_arrays(file, arrays)
            stream.flush()
            os.fsync(stream.fileno())  # complete before it has its name, also where the power fails
        self._saved_at = time.monotonic()
        self._interval = max(SAVE_SECONDS, (self._saved_at - began) / SAVE_SHARE)


def _check_options(options: RunOptions) -> None:
    """Raise ArgumentError if a run writes files that would lack what was written before it was killed."""
    for name, value, remedy in (
        ("files", options.files, "print without them"),
        ("frame", options.frame, "write the frame of the result, Result.to_frame"),
    ):
        if value:
            raise ArgumentError(f"checkpoint= is not possible with {name}=; {remedy}")


def _describe_run(job: Job) -> dict[str, Any]:
    """Return what makes a run the same run, as values that JSON has."""
    from dealerkit import __version__

    program, plan, source = job.program, job.plan, job.source
    described = {
        "dealerkit": __version__,
        "script": to_text(program.script),
        "dialect": program.script.rules.name,
        "seed": job.seed,
        "produce": job.limits.produce,
        "generate": job.limits.generate,
        "stream": job.options.stream,
        "plan": f"{plan.name} {plan.version}",
        "swap": job.options.swap,
        "predeal": repr(job.options.predeal),
        "settings": repr([program.opener, program.dealer, program.vulnerable, program.par_vulnerable]),
        "keep": job.n_kept,
        "source": source.description,
    }
    if isinstance(source, DealsSource):
        described["deals"] = hashlib.sha256(source.deals.hands.tobytes()).hexdigest()
    return json.loads(json.dumps(described))


def _describe(collector: Collector, arrays: dict[str, np.ndarray]) -> dict[str, Any]:
    """Return what a collector has accumulated as values that JSON has; add its arrays."""
    store, acceptance = store_in(arrays), collector.acceptance
    deals = collector.kept
    columns = {name: getattr(deals, name) for name in ("hands", *ATTACHED_COLUMNS)}
    return {
        "generated": acceptance.generated,
        "produced": acceptance.produced,
        "counts": None if acceptance.counts is None else encode_accumulator(acceptance.counts, store),
        "ledger": asdict(collector.ledger),
        "actions": [encode_action(action, store) for action in collector.actions],
        "deals": {name: store(array) for name, array in columns.items() if array is not None},
        "numbers": store(collector.numbers),
        "random_values": {str(slot): store(values) for slot, values in collector.random_values.items()},
        "texts": collector.texts,
    }


def _restore(collector: Collector, content: dict[str, Any], fetch: Arrays, job: Job) -> None:
    """Put a saved state into an empty collector."""
    state = content["state"]
    acceptance, counts = collector.acceptance, state["counts"]
    if (counts is None) != (acceptance.counts is None):
        raise ValueError("its counts are not those of its deals")
    if counts is not None:
        acceptance.counts = Counts((0, 1))
        restore_accumulator(acceptance.counts, counts, fetch)
    acceptance.generated, acceptance.produced = int(state["generated"]), int(state["produced"])
    actions = [
        restore_action(action, saved, fetch)
        for action, saved in zip(job.plan.actions, state["actions"], strict=True)
    ]
    columns: dict[str, Any] = {name: fetch(array) for name, array in state["deals"].items()}
    deals, numbers = Deals(columns.pop("hands"), **columns), fetch(state["numbers"])
    drawn = {int(slot): fetch(name) for slot, name in state["random_values"].items()}
    if any(array.shape != (len(deals),) for array in (numbers, *drawn.values())):
        raise ValueError("some of its deals are missing")
    collector.restore(actions, Ledger(**state["ledger"]), deals, numbers, drawn, state["texts"])


def _read(stream: Any, path: object) -> tuple[dict[str, Any], zipfile.ZipFile]:
    """Return the content of an open file, checked to be that of a checkpoint, and its archive."""
    try:
        file = zipfile.ZipFile(stream)
        content = json.loads(file.read("checkpoint.json"))
        if content["format"] != FORMAT:
            raise ValueError("it is no checkpoint")
        if content["version"] != FORMAT_VERSION:
            raise FileError(
                f"{path}: a checkpoint of another version of dealerkit; finish the run with that version, or "
                "delete the file to begin again"
            )
        if not isinstance(content["run"]["seed"], int) or not isinstance(content["state"], dict):
            raise TypeError("its state is missing")
    except DAMAGE as error:
        raise _name_damage(path, error) from error
    return content, file


def _name_damage(path: object, error: Exception) -> FileError:
    reason = str(error).partition("\n")[0] or type(error).__name__
    return FileError(
        f"{path}: no checkpoint, or a damaged one ({reason:.200}); give another file, or delete this one to "
        "begin the run again"
    )
