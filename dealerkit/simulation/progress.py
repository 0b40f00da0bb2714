"""Progress of a run: how far, how fast, how long still."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import TracebackType
from typing import Any

from dealerkit.planning import Limits
from dealerkit.statistics import Estimate
from dealerkit.wording import format_number

DELAY = 1.0  # seconds before a bar appears: short runs stay silent
ENOUGH = 10  # produced deals from which the run itself tells how rare they are
NEARLY = 0.99  # as far as a bar fills on an expectation


def in_notebook() -> bool:
    """Does this code run in a notebook's kernel?"""
    module = sys.modules.get("IPython")
    shell = module.get_ipython() if module is not None else None
    return shell is not None and shell.__class__.__name__ == "ZMQInteractiveShell"


class Progress:
    """A bar on the terminal or in the notebook; nothing where the output is redirected.

    Parameters
    ----------
    limits : Limits
        The bar fills as the nearer of the two limits is reached; under a conditional plan the first
        of them counts candidates.
    shown : bool or None
        None: only on a terminal or in a notebook, and after a second.
    rate : callable, optional
        The probability of acceptance of a deal, or None, as far as it is known beforehand. It is asked
        once, when the bar appears: a rare condition is called so before the wait, and the time left
        rests on it until deals have been produced.
    share : float
        Of all deals that are candidates; below 1 under a conditional plan.
    """

    def __init__(
        self,
        limits: Limits,
        shown: bool | None = None,
        rate: Callable[[], Estimate | None] | None = None,
        share: float = 1.0,
    ) -> None:
        self._limits = limits
        self._bar: Any = None
        self._shown = shown
        self._ask, self._share = rate, share
        self._rate: Estimate | None = None

    def __enter__(self) -> Progress:
        notebook = in_notebook()
        if self._shown or (self._shown is None and (notebook or sys.stderr.isatty())):
            import importlib.util

            if notebook and importlib.util.find_spec("ipywidgets"):
                from tqdm.notebook import tqdm
            else:
                from tqdm import tqdm
            self._bar = tqdm(
                total=1.0,
                delay=0 if self._shown else DELAY,
                leave=False,
                bar_format="{percentage:3.0f}% {bar:12} {desc} {elapsed}<{remaining}",
                file=sys.stderr,
            )
            if self._shown:
                self.update(0, 0)
        return self

    def update(self, generated: int, produced: int) -> None:
        """Tell how many deals have been dealt (under a conditional plan: candidates) and produced."""
        if self._bar is None:
            return
        elapsed = self._bar.format_dict["elapsed"] or 1e-9
        if self._ask is not None and (self._shown or elapsed > DELAY):
            known, self._ask = self._ask(), None
            self._rate = known if known is not None and known.hi > 0 else None
        self._bar.update(max(self._done(generated, produced) - self._bar.n, 0))
        self._bar.set_description_str(self._words(generated, produced, elapsed), refresh=False)

    def _done(self, generated: int, produced: int) -> float:
        """How much of the run is behind."""
        parts = [
            done / limit
            for done, limit in ((generated, self._limits.generate), (produced, self._limits.produce))
            if limit
        ]
        if self._rate is not None and self._rate.value and self._limits.produce and produced < ENOUGH:
            wait = self._limits.produce * self._share / self._rate.value
            parts.append(min(generated / wait, NEARLY))
        return max(parts, default=0.0)

    def _words(self, generated: int, produced: int, elapsed: float) -> str:
        """The figures beside the bar."""
        what = "candidates" if self._share < 1 else "dealt"
        told = f"{produced:,} of {generated:,} {what}"
        if self._rate is None or produced >= ENOUGH:
            return f"{told}, {generated / elapsed:,.0f} a second"
        if self._rate.value:
            return f"1 deal in {format_number(1 / self._rate.value)}; {told}"
        return f"fewer than 1 deal in {format_number(1 / self._rate.hi)}; {told}"

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.close()
