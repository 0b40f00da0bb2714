"""The progress bar of everything that may take over a second: part done, counts, rate, remaining time.

A bar appears after a second, on a terminal or in a notebook, and never where the output is redirected. Work
inside other work shows no bar of its own: of a study, its solver and its deals only the study has one.
"""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sized
from typing import Any, TypeVar

from dealerkit.errors import ArgumentError

DELAY = 1.0  # seconds before a bar appears: short work stays silent
REFRESH_SECONDS = 0.1  # between two changes of a bar
ITEMS_BETWEEN = 64  # items between two looks at the clock
Progress = Callable[[int, int], Any]
Shown = bool | Progress | None  # what public functions take as `progress`
Batch = TypeVar("Batch", bound=Sized)
Item = TypeVar("Item")

_FORMAT = "{percentage:3.0f}% {bar:12} {desc} {elapsed}<{remaining}"
_state = threading.local()  # `is_open`: work of this thread has a bar, or chose to have none


def in_notebook() -> bool:
    """Return whether this code runs in the kernel of a notebook."""
    module = sys.modules.get("IPython")
    shell = module.get_ipython() if module is not None else None
    return shell is not None and shell.__class__.__name__ == "ZMQInteractiveShell"


class ProgressBar:
    """One bar, on the terminal or in the notebook.

    Parameters
    ----------
    shown : bool or None
        None: only on a terminal or in a notebook, and after a second. True: at once, also into a file.
    """

    def __init__(self, shown: bool | None = None) -> None:
        self._bar: Any = None
        self.part = 0.0
        self._shown, self._begin, self._next = shown, time.perf_counter(), 0.0

    def __enter__(self) -> ProgressBar:
        is_wanted = self._shown
        if is_wanted is None:
            is_wanted = in_notebook() or sys.stderr is not None and sys.stderr.isatty()
        self._is_outermost = not getattr(_state, "is_open", False)
        self._is_wanted = is_wanted and self._is_outermost
        _state.is_open = True
        self._next = self._begin + (0.0 if self._shown else DELAY)
        return self

    @property
    def elapsed(self) -> float:
        """Seconds since the work began."""
        return max(time.perf_counter() - self._begin, 1e-9)

    @property
    def is_due(self) -> bool:
        """Whether `update` would change the bar now; the first time it appears."""
        return self._is_wanted and time.perf_counter() >= self._next

    def update(self, part: float, text: str) -> None:
        """Show which part of the work is done, 0 to 1, and a text beside it."""
        self.part = part
        if not self.is_due:
            return
        if self._bar is None:
            self._bar = _create_bar(self.elapsed)
        self._bar.n = min(max(part, 0.0), 1.0)
        self._bar.set_description_str(text)
        self._next = time.perf_counter() + REFRESH_SECONDS

    def __exit__(self, *error: Any) -> None:
        if self._is_outermost:
            _state.is_open = False
        if self._bar is not None:
            self._bar.close()


def _create_bar(elapsed: float) -> Any:
    """Return a bar of work that began some seconds ago."""
    import importlib.util

    has_widgets = in_notebook() and importlib.util.find_spec("ipywidgets") is not None
    # Without widgets tqdm.auto would warn, and show no bar in some notebooks.
    tqdm = importlib.import_module("tqdm.auto" if has_widgets else "tqdm").tqdm
    # Smoothing 0: the remaining time follows from the mean rate since the beginning.
    bar = tqdm(total=1.0, leave=False, smoothing=0, bar_format=_FORMAT, file=sys.stderr)
    bar.start_t -= elapsed
    return bar


@contextlib.contextmanager
def show_progress(shown: bool | Progress | None = None, unit: str = "deals") -> Iterator[Progress]:
    """Yield a function of the units done and of all units, which shows them with their rate.

    Parameters
    ----------
    shown : bool, callable or None
        As for `ProgressBar`; a function of the user is called, and no bar shown.
    unit : str
        What is counted, in the plural.

    Raises
    ------
    ArgumentError
        `shown` is something else.
    """
    if not (shown is None or isinstance(shown, bool) or callable(shown)):
        raise ArgumentError(f"progress is {shown!r:.60}; give True, False or a function of done and total")
    if callable(shown):
        with ProgressBar(False):
            yield shown
        return
    with ProgressBar(shown) as bar:

        def update(done: int, total: int) -> None:
            if bar.is_due:
                counts = f"{done:,} of {total:,} {unit}"
                bar.update(done / max(total, done, 1), f"{counts}, {done / bar.elapsed:,.0f} a second")

        if shown:
            bar.update(0.0, "")
        yield update


def track_items(
    items: Iterable[Item], total: int, unit: str = "deals", bar: ProgressBar | None = None, end: float = 1.0
) -> Iterator[Item]:
    """Yield items, with a bar of their number; `total` is that of all.

    With `bar`, which is open, they are a step of the work: the bar is at `end` when they are done.
    """
    with contextlib.ExitStack() as stack:
        if bar is None:
            bar = stack.enter_context(ProgressBar())
        begin_part = bar.part
        begin, step = time.perf_counter(), 1 if total < 1000 else ITEMS_BETWEEN
        for done, item in enumerate(items):
            if not done % step and bar.is_due:
                rate = done / max(time.perf_counter() - begin, 1e-9)
                part = begin_part + (end - begin_part) * done / max(total, done, 1)
                text = f", {rate:,.0f} a second" if rate >= 1 else ""
                bar.update(part, f"{done:,} of {total:,} {unit}{text}")
            yield item
        bar.part = end


def track(batches: Iterable[Batch], total: int, unit: str = "deals") -> Iterator[Batch]:
    """Yield batches, with a bar of the units that they contain; `total` is the number of all units."""
    done = 0
    with show_progress(None, unit) as update:
        for batch in batches:
            yield batch
            done += len(batch)
            update(done, total)
