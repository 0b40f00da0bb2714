"""What a run accumulates from its batches: actions, texts, kept deals, counts."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import numpy as np

from dealerkit.actions import Report
from dealerkit.cards.deals import Deals
from dealerkit.doubledummy.ledger import Ledger, open_ledger
from dealerkit.simulation.acceptance import AcceptanceCounter
from dealerkit.simulation.batches import ordered_actions, unordered_actions
from dealerkit.simulation.frames import FrameFile
from dealerkit.simulation.job import Job
from dealerkit.simulation.loops import ProducedBatch
from dealerkit.simulation.text_files import open_outputs


class Collector:
    """Takes in the produced batches of a run in their order.

    Parameters
    ----------
    job : Job
    deal_by_deal : bool
        The batches come from the loop over single deals, whose actions nobody has updated yet.

    Attributes
    ----------
    acceptance : AcceptanceCounter
    ledger : Ledger
        Counts of the double-dummy results that were looked up or solved.
    printing : list of Action
        The actions that print.
    pieces : list of str
        The text so far; empty where the caller's `write` takes it.
    """

    def __init__(self, job: Job, deal_by_deal: bool) -> None:
        plan, options = job.plan, job.options
        self.job = job
        self.acceptance, self.ledger = AcceptanceCounter(job.source), Ledger()
        self.pieces: list[str] = []
        self.write = options.write or self.pieces.append
        unordered = {id(action): k for k, action in enumerate(unordered_actions(plan))}
        ordered = {id(action) for action in ordered_actions(plan)}
        self._actions = [action.copy_empty() for action in plan.actions]
        self._updated_here = [deal_by_deal or id(action) in ordered for action in plan.actions]
        self._batch_positions = [unordered.get(id(action), -1) for action in plan.actions]
        self.printing = [
            action
            for action in self._actions
            if action.prints and not (options.quiet_pbn and action.name == "printpbn")
        ]
        self._deals: list[Deals] = []
        self._numbers: list[np.ndarray] = []
        self._frame: FrameFile | None = None
        self._outputs: list[tuple[Callable[[str], Any], list]] = []

    def open(self, stack: contextlib.ExitStack) -> None:
        """Open the files of the run; `stack` completes them, or leaves old ones alone after a failure."""
        options = self.job.options
        if options.frame is not None:
            self._frame = stack.enter_context(FrameFile(options.frame, self.job.plan))
        files = {} if options.files is None else options.files
        self._outputs = open_outputs(self.printing, files, self.write, stack)

    def add(self, batch: ProducedBatch) -> None:
        """Take in the next batch."""
        with open_ledger() as ledger:  # printing evaluates expressions, double-dummy ones among them
            self._update_actions(batch)
            self._print(batch)
            if self._frame is not None:
                self._frame.add(batch.produced.deals, batch.produced.values)
        self.ledger += ledger
        if batch.ledger is not None:
            self.ledger += batch.ledger
        n_room = self.job.n_kept - self.acceptance.produced
        if n_room > 0:
            self._deals.append(batch.produced.deals[:n_room])
            self._numbers.append(batch.numbers[:n_room])
        self.acceptance.update(batch.numbers, batch.generated)

    def _update_actions(self, batch: ProducedBatch) -> None:
        for action, updated_here, position in zip(
            self._actions, self._updated_here, self._batch_positions, strict=True
        ):
            if not updated_here:
                action.merge(batch.actions[position])
            elif not action.prints:
                action.update(batch.produced)

    def _print(self, batch: ProducedBatch) -> None:
        """Write the texts of the produced deals, deal by deal to each output."""
        if not self.printing or not len(batch.produced):
            return
        columns = {id(action): self.job.text.format_deals(action, batch.produced) for action in self.printing}
        for emit, actions in self._outputs:
            rows = zip(*(columns[id(action)] for action in actions), strict=True)
            emit("".join(piece for row in rows for piece in row))

    def reports(self) -> tuple[Report, ...]:
        """Return the reports of the actions that have one."""
        reports = (action.report(self.job.options.level) for action in self._actions)
        return tuple(report for report in reports if report is not None)

    @property
    def deals(self) -> Deals:
        """The kept deals."""
        return Deals.concatenate(self._deals)

    @property
    def numbers(self) -> np.ndarray:
        """Numbers of the kept deals in the run, int64 [n]."""
        return np.concatenate([np.empty(0, np.int64), *self._numbers])
