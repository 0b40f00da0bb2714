"""The checkpoint of a run: what it has accumulated, in a file from which the next start continues.

The file is only accepted if script, seed, limits, plan and deals are the same. The deals before it are not
dealt again, and the sums after it continue bit for bit.
"""

from __future__ import annotations

import os
from dataclasses import asdict
from functools import partial
from typing import Any

from dealerkit.actions.saved_state import encode_action, restore_action
from dealerkit.cards.deals import Deals
from dealerkit.cards.sequence import ATTACHED_COLUMNS
from dealerkit.dealing.source import DealsSource
from dealerkit.doubledummy.ledger import Ledger
from dealerkit.errors import ArgumentError
from dealerkit.language.printer import to_text
from dealerkit.runtime.checkpoints import Arrays, CheckpointFile
from dealerkit.simulation.collector import Collector
from dealerkit.simulation.job import Job
from dealerkit.statistics import Counts
from dealerkit.statistics.saved_state import Store, encode_accumulator, restore_accumulator


class Checkpoint:
    """The checkpoint of a job.

    Parameters
    ----------
    path : str or os.PathLike
    job : Job

    Raises
    ------
    ArgumentError
        The run writes files of text or deals, which a checkpoint does not contain.
    """

    def __init__(self, path: str | os.PathLike, job: Job) -> None:
        if job.options.files:  # these would lack what was written before the run was killed
            raise ArgumentError("checkpoint= cannot be combined with files=; leave out one of them")
        self._job = job
        self._file = CheckpointFile(path, "run", _describe_run(job))

    def restore(self, collector: Collector) -> None:
        """Restore an empty collector from the file, if there is one.

        Raises
        ------
        FileError
            The file belongs to another run, is damaged, or is not a checkpoint.
        """
        with self._file.open() as saved:
            if collector.frame_folder is not None:
                collector.frame_folder.restore(None if saved is None else saved[0].get("frame"))
            if saved is not None:
                _restore(collector, *saved, self._job)

    def save_sometimes(self, collector: Collector) -> None:
        """Write the file if the last one is old enough."""
        self._file.save_sometimes(partial(_describe, collector))

    def save(self, collector: Collector) -> None:
        """Write the file; raise FileError if that is impossible."""
        self._file.save(partial(_describe, collector))


def _describe_run(job: Job) -> dict[str, Any]:
    """Return the settings that identify a run, as values that JSON has."""
    program, plan, source = job.program, job.plan, job.source
    described = {
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
        "frame": None if job.options.frame is None else os.path.realpath(job.options.frame),
    }
    if isinstance(source, DealsSource):
        described["deals"] = source.deals.hands
    return described


def _describe(collector: Collector, store: Store) -> dict[str, Any]:
    """Return the state of a collector as values that JSON has; its arrays are stored."""
    acceptance = collector.acceptance
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
        "frame": None if collector.frame_folder is None else collector.frame_folder.describe(),
    }


def _restore(collector: Collector, state: dict[str, Any], fetch: Arrays, job: Job) -> None:
    """Restore an empty collector from a saved state."""
    acceptance, counts = collector.acceptance, state["counts"]
    if (counts is None) != (acceptance.counts is None):
        raise ValueError("its counts are not those of its deals")
    if counts is not None:
        acceptance.counts = Counts((0, 1))
        restore_accumulator(acceptance.counts, counts, fetch)
    acceptance.generated, acceptance.produced = int(state["generated"]), int(state["produced"])
    if not 0 <= acceptance.produced <= acceptance.generated < 1 << 63:  # numbers of deals have 64 bits
        raise ValueError("its numbers of deals are impossible")
    if not all(isinstance(text, str) for text in state["texts"].values()):
        raise TypeError("a text is something else")
    actions = [
        restore_action(action, saved, fetch)
        for action, saved in zip(job.plan.actions, state["actions"], strict=True)
    ]
    columns: dict[str, Any] = {name: fetch(array) for name, array in state["deals"].items()}
    deals, numbers = Deals(columns.pop("hands"), **columns), fetch(state["numbers"])
    random_values = {int(slot): fetch(name) for slot, name in state["random_values"].items()}
    if any(array.shape != (len(deals),) for array in (numbers, *random_values.values())):
        raise ValueError("some of its deals are missing")
    ledger = Ledger.from_dict(state["ledger"])
    collector.restore(actions, ledger, deals, numbers, random_values, state["texts"])
