"""What a run gathers from its chunks: tallies, texts, kept deals, counts."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from dealerkit.actions import Report
from dealerkit.actions.text import ClassicText
from dealerkit.cards.deals import Deals
from dealerkit.dealing.source import Source
from dealerkit.doubledummy.ledger import Ledger, open_ledger
from dealerkit.planning import Plan
from dealerkit.simulation.acceptance import Acceptance
from dealerkit.simulation.batches import Chunk, ordered, tallied
from dealerkit.simulation.output import FrameFile
from dealerkit.simulation.textfile import outlets


class Harvest:
    """Takes in the chunks of a run in their order.

    Parameters
    ----------
    plan : Plan
    source : Source
    text : ClassicText
        Writes the printing actions.
    out : callable
        Takes the text.
    keeping : int
        So many of the first produced deals are kept.
    quiet_pbn : bool
        printpbn prints nothing.
    sequential : bool
        The chunks come deal by deal, tallied by nobody.

    Attributes
    ----------
    acceptance : Acceptance
    ledger : Ledger
        Where double-dummy answers came from.
    printing : list of Action
        The actions that print.
    """

    def __init__(
        self,
        plan: Plan,
        source: Source,
        text: ClassicText,
        out: Callable[[str], Any],
        keeping: int,
        quiet_pbn: bool,
        sequential: bool,
    ) -> None:
        self.acceptance, self.ledger = Acceptance(source), Ledger()
        self._text, self._out, self._keeping = text, out, keeping
        workers = {id(action): k for k, action in enumerate(tallied(plan))}
        in_order = {id(action) for action in ordered(plan)}
        self._actions = [action.fresh() for action in plan.actions]
        self._own = [sequential or id(action) in in_order for action in plan.actions]
        self._workers = [workers.get(id(action), -1) for action in plan.actions]
        self.printing = [a for a in self._actions if a.prints and not (quiet_pbn and a.name == "printpbn")]
        self._deals: list[Deals] = []
        self._numbers: list[np.ndarray] = []
        self._frame: FrameFile | None = None
        self._places: list[tuple[Callable[[str], Any], list]] = []

    def open(self, stack: contextlib.ExitStack, files: Mapping[str, Any], frame: FrameFile | None) -> None:
        """Open what is written to besides `out`; `stack` closes it, or leaves it alone after a failure."""
        self._frame = None if frame is None else stack.enter_context(frame)
        self._places = outlets(self.printing, files, self._out, stack)

    def take(self, chunk: Chunk) -> None:
        """Take in the next chunk."""
        with open_ledger() as ledger:  # what is printed is evaluated here, tricks and par among it
            self._take(chunk)
        self.ledger += ledger
        if chunk.ledger is not None:
            self.ledger += chunk.ledger
        self.acceptance.update(chunk.numbers, chunk.generated)

    def _take(self, chunk: Chunk) -> None:
        produced = chunk.produced
        for action, own, worker in zip(self._actions, self._own, self._workers, strict=True):
            if not own:
                action.merge(chunk.tallies[worker])
            elif not action.prints:
                action.update(produced)
        if self.printing and len(produced):
            columns = {id(action): self._text.deals(action, produced) for action in self.printing}
            for emit, actions in self._places:
                rows = zip(*(columns[id(action)] for action in actions), strict=True)
                emit("".join(piece for row in rows for piece in row))
        if self._frame is not None:
            self._frame.add(produced.deals, produced.values)
        if (room := self._keeping - self.acceptance.produced) > 0:
            self._deals.append(produced.deals[:room])
            self._numbers.append(chunk.numbers[:room])

    def reports(self, level: float) -> tuple[Report, ...]:
        """What the actions have to say at the end."""
        found = (action.report(level) for action in self._actions)
        return tuple(report for report in found if report is not None)

    @property
    def deals(self) -> Deals:
        """The kept deals."""
        return Deals.concatenate(self._deals)

    @property
    def numbers(self) -> np.ndarray:
        """Their numbers in the run."""
        return np.concatenate([np.empty(0, np.int64), *self._numbers])
