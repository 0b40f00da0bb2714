"""Progress of a run: how far, how fast, how long still."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Any

from dealerkit.planning import Limits

DELAY = 1.0  # seconds before a bar appears: short runs stay silent


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
        The bar fills as the nearer of the two limits is reached.
    shown : bool or None
        None: only on a terminal or in a notebook, and after a second.
    """

    def __init__(self, limits: Limits, shown: bool | None = None) -> None:
        self._limits = limits
        self._bar: Any = None
        self._shown = shown
        self._dealt = 0

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
                bar_format="{percentage:3.0f}% {bar:30} {desc} {elapsed}<{remaining}",
                file=sys.stderr,
            )
        return self

    def update(self, generated: int, produced: int) -> None:
        """Tell how many deals have been dealt and produced."""
        if self._bar is None:
            return
        parts = [
            done / limit
            for done, limit in ((generated, self._limits.generate), (produced, self._limits.produce))
            if limit
        ]
        self._bar.update(max(parts, default=0.0) - self._bar.n)
        elapsed = self._bar.format_dict["elapsed"] or 1e-9
        self._bar.set_description_str(
            f"{produced:,} of {generated:,} dealt, {generated / elapsed:,.0f} a second", refresh=False
        )

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.close()
