"""Progress bars for everything that may take over a second: part done, counts, rate and remaining time.

A bar appears after half a second on a terminal or in a notebook, but not if the output is redirected. Work
inside other work shows no bar of its own: for a study that deals and solves, only the study has one.
`long_work` marks the public functions that may take over a second. While no part of their work has a bar,
they show a line with the elapsed time; and if an interrupt leaves no result, the error is one sentence.
"""

from __future__ import annotations

import contextlib
import contextvars
import functools
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sized
from typing import Any, ParamSpec, TypeVar

from dealerkit.appearance.numbers import format_count, format_number
from dealerkit.errors import NO_RESULT, ArgumentError, Interrupted, quote
from dealerkit.runtime.process import delay_interrupts_of_imports

DELAY = 0.5  # seconds before a bar appears, so that short work shows none
REFRESH_SECONDS = 0.1  # seconds between two changes of a bar on the terminal
NOTEBOOK_REFRESH = 0.5  # the same in a notebook, where each change is a message
STATUS_SECONDS = 2.0  # seconds between two changes of the text in a notebook
ITEMS_BETWEEN = 64  # items between two readings of the clock
Progress = Callable[[int, int], Any]
Shown = bool | Progress | None  # what public functions take as `progress`
Batch = TypeVar("Batch", bound=Sized)
Item = TypeVar("Item")
P = ParamSpec("P")
R = TypeVar("R")

_FORMAT = "{percentage:3.0f}% {bar:12} {desc} {elapsed}"
_HTML = (
    '<div style="align-items:center;display:flex;flex-wrap:wrap;font-variant-numeric:tabular-nums;gap:0 1em">'
    '<progress aria-label="Part done" max="1"{value} style="accent-color:var(--jp-brand-color1);'
    'width:160px"></progress>{percentage}<span role="status">{status}</span></div>'
)
# For this thread: `is_open`, whether work has a bar or has decided to have none; `bar`, the bar that shows
# steps; `waiting`, the line of the call.
_state = threading.local()
_marked: set[tuple[str, str]] = set()  # module and name of the functions of `long_work`


def in_notebook() -> bool:
    """Return whether this code runs in the kernel of a notebook."""
    module = sys.modules.get("IPython")
    shell = module.get_ipython() if module is not None else None
    return shell is not None and shell.__class__.__name__ == "ZMQInteractiveShell"


def has_viewer() -> bool:
    """Return whether somebody may be watching: at a terminal, or a notebook in a browser or an editor.

    Programs that execute notebooks, such as nbconvert, do not let a cell request input; then nobody watches.
    """
    if not in_notebook():
        return sys.stderr is not None and sys.stderr.isatty()
    kernel = getattr(sys.modules["IPython"].get_ipython(), "kernel", None)
    return bool(getattr(kernel, "_allow_stdin", True))


class ProgressBar:
    """One bar, on the terminal or in the notebook.

    Parameters
    ----------
    shown : bool or None
        None: the bar appears only if somebody may be watching, and after `DELAY`. True: it appears as soon as
        there is something to show, even if the output goes to a file. False: it never appears.
    has_steps : bool
        Whether `track_items` inside the work shows its items in this bar.

    Raises
    ------
    ArgumentError
        `shown` is something else.
    """

    def __init__(self, shown: bool | None = None, has_steps: bool = False) -> None:
        if not (shown is None or isinstance(shown, bool)):
            raise ArgumentError(f"progress is {quote(shown)}; give True, False or None")
        self._bar: _TerminalBar | _NotebookBar | None = None
        self.part = 0.0
        self.span, self.text = (0.0, 1.0), ""  # part of the work and text of the current step
        self._shown, self._has_steps = shown, has_steps
        self._begin, self._next = time.perf_counter(), 0.0

    def __enter__(self) -> ProgressBar:
        may_appear = has_viewer() if self._shown is None else self._shown
        self._is_outermost = not getattr(_state, "is_open", False)
        self._may_appear = may_appear and self._is_outermost
        if self._is_outermost:
            _state.is_open, _state.bar = True, self if self._has_steps else None
        self._next = self._begin + (0.0 if self._shown else DELAY)
        return self

    @property
    def elapsed(self) -> float:
        """Seconds since the work began."""
        return max(time.perf_counter() - self._begin, 1e-9)

    @property
    def is_due(self) -> bool:
        """Whether `update` would show or change the bar now."""
        return self._may_appear and time.perf_counter() >= self._next

    def update(self, part: float, text: str) -> None:
        """Show which part of the work is done, from 0 to 1, and a text beside it."""
        self.part = part
        if not self.is_due:
            return
        if self._bar is None:
            _hide_waiting(True)
            self._bar = _NotebookBar() if in_notebook() else _TerminalBar(self.elapsed)
        self._bar.show(min(max(part, 0.0), 1.0), text, self.elapsed)
        self._next = time.perf_counter() + self._bar.refresh

    def __exit__(self, *error: Any) -> None:
        if self._is_outermost:
            _state.is_open, _state.bar = False, None
        if self._bar is not None:
            self._bar.close()
            _hide_waiting(False)


class _TerminalBar:
    """A line on the terminal, for work that began `elapsed` seconds ago."""

    def __init__(self, elapsed: float) -> None:
        from tqdm import tqdm

        # With smoothing 0, the remaining time follows from the mean rate since the beginning. Without a
        # delay, tqdm would show an empty bar first.
        self._bar: Any = tqdm(total=1.0, leave=False, smoothing=0, delay=1e-9, file=sys.stderr)
        self._bar.start_t -= elapsed
        self.refresh = REFRESH_SECONDS

    def show(self, part: float | None, text: str, elapsed: float) -> None:
        self._bar.bar_format = _FORMAT + "<{remaining}" * ((part or 0) > 0)
        if part is None:  # the part is not known
            self._bar.bar_format = "{desc} {elapsed}"
        self._bar.n = part or 0.0
        self._bar.set_description_str(text)

    def close(self) -> None:
        self._bar.close()


class _NotebookBar:
    """A line of HTML below the cell, which is replaced by nothing at the end."""

    def __init__(self) -> None:
        self._handle: Any = None
        self._status, self._next_status = "", 0.0
        self.refresh = NOTEBOOK_REFRESH

    def show(self, part: float | None, text: str, elapsed: float) -> None:
        from IPython.display import DisplayHandle

        if elapsed >= self._next_status:  # change the text rarely, because screen readers read each change
            left = f", {_format_seconds(elapsed * (1 - part) / part)} left" if part else ""
            self._status = f"{text}, {_format_seconds(elapsed)}{left}"
            self._next_status = elapsed + STATUS_SECONDS
        from html import escape  # imported here, as runs without a notebook do not need it

        value = "" if part is None else f' value="{format_number(part, 4, ascii=True)}"'
        done = "" if part is None else f"{format_number(100 * part, 0)} %"

        content = {
            "text/html": _HTML.format(value=value, percentage=done, status=escape(self._status)),
            "text/plain": f"{done.replace(' ', '')} {self._status}".strip(),
        }
        if self._handle is None:
            self._handle = DisplayHandle()
            self._handle.display(content, raw=True)
        else:
            self._handle.update(content, raw=True)

    def close(self) -> None:
        self._handle.update({"text/html": "", "text/plain": ""}, raw=True)


class _Waiting:
    """A line with the time of a call, which appears if no part of its work has had a bar for a while."""

    def __init__(self) -> None:
        self._begin = self._last = time.perf_counter()
        self.text = "working"
        self._bar: _TerminalBar | _NotebookBar | None = None
        self._lock, self._ended, self._has_other = threading.Lock(), threading.Event(), False

    def start(self) -> None:
        """Begin to watch the call, in a thread."""
        context = contextvars.copy_context()  # in a notebook, it says which cell the line belongs to
        threading.Thread(target=context.run, args=(self._watch,), daemon=True).start()

    def _watch(self) -> None:
        """Show the line, and update the time in it, until the call ends."""
        while not self._ended.wait(DELAY / 4):
            with self._lock:
                now = time.perf_counter()
                if self._ended.is_set() or self._has_other or now - self._last < DELAY:
                    continue
                if self._bar is None:
                    self._bar = _NotebookBar() if in_notebook() else _TerminalBar(now - self._begin)
                self._bar.show(None, self.text, now - self._begin)

    def hide(self, has_other: bool) -> None:
        """Remove the line; it appears again when other work has had no bar for a while."""
        with self._lock:
            if self._bar is not None:
                self._bar.close()
            self._bar, self._has_other, self._last = None, has_other, time.perf_counter()

    def end(self) -> None:
        """Remove the line for good."""
        self._ended.set()
        self.hide(True)


def _hide_waiting(has_other: bool) -> None:
    """Remove the line of the call that this thread is in, if there is one."""
    waiting: _Waiting | None = getattr(_state, "waiting", None)
    if waiting is not None:
        waiting.hide(has_other)


@contextlib.contextmanager
def describe_waiting(text: str) -> Iterator[None]:
    """Let the line with the time of a call say what it waits for, inside the ``with`` statement."""
    waiting: _Waiting | None = getattr(_state, "waiting", None)
    if waiting is None:
        yield
        return
    waiting.text, before = text, waiting.text
    try:
        yield
    finally:
        waiting.text = before


def long_work(function: Callable[P, R]) -> Callable[P, R]:
    """Mark a public function that may take over a second: it shows that it works, and can be interrupted.

    An interrupt that leaves no result raises `Interrupted` with one sentence. If such functions call each
    other, only the outermost shows the time.
    """
    _marked.add((function.__module__, function.__qualname__))

    @functools.wraps(function)
    def call(*args: P.args, **options: P.kwargs) -> R:
        shown = options.get("progress")
        is_shown = (shown is None or shown is True) and has_viewer()
        waiting = None
        stack = contextlib.ExitStack()
        try:
            stack.enter_context(delay_interrupts_of_imports(call.__code__))  # type: ignore[attr-defined]
            is_inside = getattr(_state, "waiting", None) is not None or getattr(_state, "is_open", False)
            if is_shown and not is_inside:
                waiting = _state.waiting = _Waiting()
                waiting.start()
            return function(*args, **options)
        except KeyboardInterrupt as interrupt:
            raise Interrupted(*interrupt.args or (NO_RESULT,)) from None
        finally:
            stack.close()
            if waiting is not None:
                waiting.end()
                _state.waiting = None

    return call


def is_long_work(function: Callable[..., Any]) -> bool:
    """Return whether a function is marked by `long_work`."""
    return (function.__module__, function.__qualname__) in _marked


def _format_seconds(seconds: float) -> str:
    """Return a duration as a clock shows it.

    >>> _format_seconds(7.6), _format_seconds(3725)
    ('0:08', '1:02:05')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


@contextlib.contextmanager
def show_progress(shown: bool | Progress | None = None, unit: str = "deals") -> Iterator[Progress]:
    """Yield a function that shows the number of units done, the number of all units, and the rate.

    Parameters
    ----------
    shown : bool, callable or None
        As for `ProgressBar`. A function of the user is yielded itself, and no bar is shown.
    unit : str
        What is counted, in the plural.

    Yields
    ------
    callable
        ``update(done, total)``.

    Raises
    ------
    ArgumentError
        `shown` is something else.
    """
    if not (shown is None or isinstance(shown, bool) or callable(shown)):
        raise ArgumentError(f"progress is {quote(shown)}; give True, False or a function of done and total")
    if callable(shown):
        with ProgressBar(False):
            yield shown
        return
    with ProgressBar(shown) as bar:

        def update(done: int, total: int) -> None:
            if bar.is_due:
                counts = f"{format_count(done)} of {format_count(total)} {unit}"
                bar.update(
                    done / max(total, done, 1), f"{counts}, {format_number(done / bar.elapsed, 0)} a second"
                )

        yield update


def track_items(
    items: Iterable[Item], total: int, unit: str = "deals", bar: ProgressBar | None = None, end: float = 1.0
) -> Iterator[Item]:
    """Yield items while a bar shows their number.

    With `bar`, the items are a step of the work that this open bar shows. Items inside work whose bar has
    steps (`ProgressBar`) are such a step, too, and an item may have steps of its own.

    Parameters
    ----------
    items : iterable
    total : int
        Number of all items.
    unit : str
        What the items are, in the plural.
    bar : ProgressBar, optional
    end : float
        The part of the work, from 0 to 1, that is done after the last item; only with `bar`.
    """
    with contextlib.ExitStack() as stack:
        steps = getattr(_state, "bar", None) if bar is None else None
        bar = bar or steps or stack.enter_context(ProgressBar())
        low, high = steps.span if steps else (bar.part, end)
        outer = bar.text
        begin, between = time.perf_counter(), 1 if total < 1000 else ITEMS_BETWEEN
        for done, item in enumerate(items):
            if not done % between and (bar.is_due or steps):
                part = low + (high - low) * done / max(total, done, 1)
                rate = done / max(time.perf_counter() - begin, 1e-9)
                text = f"{format_count(done)} of {format_count(total)} {unit}"
                text += f", {format_number(rate, 0)} a second" if rate >= 1 else ""
                bar.text = f"{outer}; {text}" if outer else text
                bar.span = part, part + (high - low) / max(total, done, 1)
                bar.update(max(part, bar.part), bar.text)
            yield item
        bar.part, bar.span, bar.text = high, (low, high), outer


def track(batches: Iterable[Batch], total: int, unit: str = "deals") -> Iterator[Batch]:
    """Yield batches while a bar shows the units that they contain; `total` is the number of all units."""
    done = 0
    with show_progress(None, unit) as update:
        for batch in batches:
            yield batch
            done += len(batch)
            update(done, total)
