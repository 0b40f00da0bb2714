"""What a run accumulates from its batches: actions, texts, kept deals and counts."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.actions import Action
from dealerkit.cards.deals import Deals
from dealerkit.doubledummy.ledger import Ledger, open_ledger
from dealerkit.errors import EvaluationError
from dealerkit.simulation.acceptance import AcceptanceCounter
from dealerkit.simulation.batches import is_ordered
from dealerkit.simulation.job import Job
from dealerkit.simulation.loops import ProducedBatch, locate_error
from dealerkit.simulation.output_files import check_files, open_deal_files, open_outputs
from dealerkit.simulation.run_limits import Watch
from dealerkit.statistics import Coverage

if TYPE_CHECKING:
    from dealerkit.simulation.frames import FrameFile, FrameFolder, PartFolder

_PRINTED_TOGETHER = 256  # number of deals whose text is made at once in a run with limits


class Collector:
    """An accumulator of the produced batches of a run, which must be added in order.

    Parameters
    ----------
    job : Job

    Attributes
    ----------
    acceptance : AcceptanceCounter
    ledger : Ledger
        Counts of the double-dummy results that were looked up or solved.
    actions : list of Action
        Copies of the plan's actions, which accumulate.
    printing : list of Action
        The actions that print.
    pieces : list of str
        The text so far; empty if the caller's `write` takes it.
    write, write_rest : callable
        Take the text of the boards and all other text. They are the same function unless the caller separates
        them and an action prints boards.
    """

    def __init__(self, job: Job) -> None:
        self.job, options = job, job.options
        # What is counted
        self.acceptance, self.ledger = AcceptanceCounter(job.source), Ledger()
        # Destination of the text, up to the limit of the run
        self.pieces: list[str] = []
        self._texts: dict[str, list[str]] = {}
        self.watch = Watch(options.limits)
        self.write = self._count(self._record("text", options.write) or self.pieces.append)
        self.actions = [action.copy_empty() for action in job.plan.actions]
        self.printing = [
            action
            for action in self.actions
            if action.prints and not (options.quiet_pbn and action.name == "printpbn")
        ]
        has_boards = any(action.prints_boards for action in self.printing)
        write_rest = options.write_rest if has_boards else None
        rest = self._record("rest", write_rest)
        self.write_rest = self.write if rest is None else self._count(rest)
        # The kept deals, and the files that `open` opens
        self._deals: list[Deals] = []
        self._numbers: list[np.ndarray] = []
        self._drawn: dict[int, list[np.ndarray]] = {}
        self._frame: FrameFile | FrameFolder | None = None
        self._outputs: list[tuple[Callable[[str], Any], list]] = []
        self._deal_writers: list[Callable[[Deals], None]] = []

    def _record(self, name: str, write: Callable[[str], Any] | None) -> Callable[[str], Any] | None:
        """Return a function of the caller that takes text; for a checkpoint, it also keeps the text."""
        if write is None or self.job.options.checkpoint is None:
            return write
        pieces = self._texts.setdefault(name, [])

        def write_and_keep(text: str) -> None:
            pieces.append(text)
            write(text)

        return write_and_keep

    def _count(self, write: Callable[[str], Any]) -> Callable[[str], Any]:
        """Return a function that takes text up to the limit of the run."""
        if self.watch.limits.output is None:
            return write
        return lambda text: write(self.watch.count(text))

    @property
    def texts(self) -> dict[str, str]:
        """The texts so far, kept for the result or passed to the functions of the caller."""
        return {name: "".join(pieces) for name, pieces in {"": self.pieces, **self._texts}.items()}

    def restore(
        self,
        actions: list[Action],
        ledger: Ledger,
        deals: Deals,
        numbers: np.ndarray,
        random_values: dict[int, np.ndarray],
        texts: dict[str, str],
    ) -> None:
        """Continue from what another collector of the same job has accumulated; write its texts again."""
        self.ledger = ledger
        for own, action in zip(self.actions, actions, strict=True):
            for name in own.accumulated:
                setattr(own, name, getattr(action, name))
        self._deals, self._numbers = [deals], [numbers]
        self._drawn = {slot: [values] for slot, values in random_values.items()}
        self.pieces[:] = [texts[""]]
        for name, write in (("text", self.write), ("rest", self.write_rest)):
            if texts.get(name):
                write(texts[name])

    def open(self, stack: contextlib.ExitStack) -> None:
        """Open the files of the run; `stack` completes them, or restores the old ones after a failure."""
        options = self.job.options
        files = check_files(options.files)
        if options.frame is not None:
            from dealerkit.simulation.frames import open_frame  # few runs write one

            self._frame = open_frame(options.frame, self.job.plan, options.checkpoint)
            stack.enter_context(self._frame)
        self._deal_writers = open_deal_files(files, self.job.program.title, stack)
        boards = [action for action in self.printing if action.prints_boards]
        others = [action for action in self.printing if not action.prints_boards]
        if self.write_rest is self.write:
            boards, others = [], self.printing
        self._outputs = open_outputs(boards, {}, self.write, stack)
        self._outputs += [
            (emit if emit is self.write_rest else self._count(emit), actions)
            for emit, actions in open_outputs(others, files, self.write_rest, stack)
        ]

    def add(self, batch: ProducedBatch) -> None:
        """Add the next batch."""
        with open_ledger() as ledger:  # printing evaluates expressions, which may need the solver
            try:
                self._update(batch)
            except EvaluationError as error:  # only from what is evaluated in the order of the deals
                number = int(batch.numbers[batch.produced.find_row(error.row)])
                raise locate_error(error, number - error.row) from None
            if batch.frame is not None and (folder := self.frame_folder) is not None:
                folder.add_items(batch.frame)
            elif self._frame is not None:
                self._frame.add(batch.produced.deals, batch.produced.values)
            for write in self._deal_writers:
                write(batch.produced.deals)
        self.watch.reason = self.watch.reason or batch.limit
        self.ledger += ledger
        if batch.ledger is not None:
            self.ledger += batch.ledger
        n_missing = self.job.n_kept - self.acceptance.produced
        if n_missing > 0:
            self._deals.append(batch.produced.deals[:n_missing])
            self._numbers.append(batch.numbers[:n_missing])
            for slot, values in batch.random_values.items():
                self._drawn.setdefault(slot, []).append(values[:n_missing])
        if batch.counts is None:
            self.acceptance.update(batch.numbers, batch.generated)
        else:
            self.acceptance.merge(batch.n_produced, batch.generated, batch.counts)
        least = max((action.least_text for action in self.actions), default=0)
        self.watch.expect(least * self.acceptance.produced)

    def _update(self, batch: ProducedBatch) -> None:
        """Add the next batch to the actions, and print it."""
        for actions in batch.actions:
            for action, copy in zip(self.actions, actions, strict=True):
                if copy is not None:
                    action.merge(copy)
        for action, template in zip(self.actions, self.job.plan.actions, strict=True):
            if not action.prints and is_ordered(self.job.plan, template):
                action.update(batch.produced)
        self._print(batch)

    @property
    def n_used(self) -> int:
        """How many of the first produced deals are used, besides what actions accumulate of all."""
        is_used = any(is_ordered(self.job.plan, action) for action in self.job.plan.actions)
        is_written = self._frame is not None and self.part_folder is None
        if is_used or is_written or self._deal_writers:
            return sys.maxsize
        return self.job.n_kept

    @property
    def frame_folder(self) -> FrameFolder | None:
        """The frame of the run, if it is a folder."""
        if self._frame is None:
            return None
        from dealerkit.simulation.frames import FrameFolder

        return self._frame if isinstance(self._frame, FrameFolder) else None

    @property
    def part_folder(self) -> PartFolder | None:
        """Folder to which workers write the parts of the frame; None if they do not write them."""
        return None if self._frame is None else self._frame.part_folder

    def _print(self, batch: ProducedBatch) -> None:
        """Write the texts of the produced deals, deal by deal, to each output."""
        if not self.printing or not len(batch.produced):
            return
        # Under a limit, write a few deals at a time, since a script can print very much for each
        is_limited = self.job.options.limits is not None
        for produced in batch.produced.split(_PRINTED_TOGETHER) if is_limited else [batch.produced]:
            columns = {id(action): self.job.text.format_deals(action, produced) for action in self.printing}
            for emit, actions in self._outputs:
                rows = zip(*(columns[id(action)] for action in actions), strict=True)
                emit("".join(piece for row in rows for piece in row))
            if self.watch.is_full:
                break

    @property
    def coverage(self) -> Coverage:
        """What the deals dealt so far represent; with random numbers, even all deals are a sample."""
        coverage = self.acceptance.coverage
        return "sample" if coverage == "all" and self.job.plan.has_random else coverage

    @property
    def kept(self) -> Deals:
        """The kept deals as they were dealt."""
        return Deals.concatenate(self._deals)

    @property
    def deals(self) -> Deals:
        """The kept deals, with the dealer and the vulnerability that the script or the caller sets.

        They are concatenated once, at the end of the run.
        """
        self._deals = [_join_deals(self._deals)]
        (deals,), program = self._deals, self.job.program
        settings = {"dealer": program.dealer, "vulnerable": program.vulnerable}
        return deals.replace(
            **{
                name: np.full(len(deals), value, np.int8)
                for name, value in settings.items()
                if value is not None
            }
        )

    @property
    def numbers(self) -> np.ndarray:
        """Numbers of the kept deals in the run, int64 [n]."""
        return np.concatenate([np.empty(0, np.int64), *self._numbers])

    @property
    def random_values(self) -> dict[int, np.ndarray]:
        """Values of `rnd` in the actions for the kept deals, by slot, as in `ProducedBatch`."""
        return {slot: np.concatenate(values) for slot, values in self._drawn.items()}


def _join_deals(parts: list[Deals]) -> Deals:
    """Concatenate deals; each part is released as soon as it is copied."""
    names = {tuple(part.attached) for part in parts}
    if len(parts) < 2 or len(names) > 1:
        return Deals.concatenate(parts)
    columns = {name: np.concatenate([part.attached[name] for part in parts]) for name in names.pop()}
    hands = np.empty((4, sum(map(len, parts))), np.uint64).T  # each seat is contiguous
    row = 0
    parts.reverse()
    while parts:
        part = parts.pop()
        hands[row : row + len(part)] = part.hands
        row += len(part)
    return Deals(hands, check=False, **columns)
