"""A bar that shows how far a study is."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from dealerkit.errors import ArgumentError
from dealerkit.simulation.progress import DELAY, in_notebook

Progress = Callable[[int, int], Any]


@contextmanager
def show_progress(shown: bool | Progress | None = None) -> Iterator[Progress | None]:
    """Yield a function of the deals solved and to be solved, which shows them; None where nothing is shown.

    Parameters
    ----------
    shown : bool, callable or None
        None: only on a terminal or in a notebook, and after a second. A function of the user is yielded as
        it is.

    Raises
    ------
    ArgumentError
        `shown` is something else.
    """
    if callable(shown):
        yield shown
        return
    if not (shown is None or isinstance(shown, bool)):
        raise ArgumentError(f"progress is {shown!r:.60}; give True, False or a function of done and total")
    if not (shown or (shown is None and (in_notebook() or sys.stderr.isatty()))):
        yield None
        return
    from tqdm import tqdm

    bar = tqdm(total=1, delay=0 if shown else DELAY, leave=False, unit=" deals", file=sys.stderr)

    def update(done: int, total: int) -> None:
        bar.total = max(total, done)
        bar.update(done - bar.n)

    try:
        yield update
    finally:
        bar.close()
