"""Panels in IPython: errors and warnings of dealerkit are shown without a traceback."""

from __future__ import annotations

import linecache
import sys
import traceback
import warnings
from types import TracebackType
from typing import TYPE_CHECKING, Any, TextIO

from dealerkit.errors import DealerkitError, DealerkitWarning

if TYPE_CHECKING:
    from dealerkit.notebook.panels import Code

_MAGIC_CALLS = ("run_cell_magic(", "run_line_magic(")


def install_panels(shell: Any) -> None:
    """Show errors and warnings of dealerkit as panels in this shell; other errors keep their traceback.

    DataFrames that contain deals show a diagram when the pointer is on a deal.
    """
    # Errors, each only once if the extension is loaded again
    if DealerkitError not in shell.custom_exceptions:
        others, show_other = shell.custom_exceptions, shell.CustomTB

        def show(
            self: Any, kind: type, error: BaseException, trace: TracebackType, tb_offset: int | None = None
        ) -> list[str]:
            if not isinstance(error, DealerkitError):
                return show_other(kind, error, trace, tb_offset=tb_offset)
            return show_error(self, error, trace)

        shell.set_custom_exc((DealerkitError, *others), show)
    # Warnings
    if not hasattr(warnings.showwarning, "shows_panels"):
        warnings.showwarning = _PanelWarnings(shell, warnings.showwarning)
    # DataFrames
    formatter = shell.display_formatter.formatters["text/html"]
    for module in ("pandas", "pandas.core.frame"):  # the class is in the second before pandas 3
        formatter.for_type_by_name(module, "DataFrame", _render_frame)


def _render_frame(frame: Any) -> str | None:
    from dealerkit.cards.frames import render_frame

    if hasattr(frame, "card"):  # a table of dealerkit's own, such as a distribution
        return str(frame._repr_html_())
    return render_frame(frame)


def show_error(shell: Any, error: DealerkitError, trace: TracebackType | None) -> list[str]:
    """Show an error as a panel and return its text as lines; `%debug` still finds the traceback."""
    from IPython.display import display

    from dealerkit.notebook.panels import build_panels

    cause = error.__cause__  # set if a function that the user defined has failed
    own = find_cell_line(shell, cause.__traceback__) if cause is not None else None
    place, code = own or find_cell_line(shell, trace) or ("", None)
    panels = build_panels(error, place, code)
    display(panels)
    sys.last_type, sys.last_value, sys.last_traceback = type(error), error, trace
    shell._last_traceback = str(panels).splitlines()  # the kernel's reply, for programs that run notebooks
    return shell._last_traceback


def find_cell_line(shell: Any, trace: TracebackType | None) -> tuple[str, Code] | None:
    """Return the place and the line of the innermost cell in a traceback, or None if it has no cell."""
    from dealerkit.notebook.panels import Code

    for frame in reversed(traceback.extract_tb(trace)):
        name = name_cell(shell, frame.filename)
        number, line = frame.lineno, linecache.getline(frame.filename, frame.lineno or 0).rstrip("\n")
        if name is None or number is None or any(call in line for call in _MAGIC_CALLS):
            continue
        start, end = frame.colno or 0, frame.end_colno or len(line)
        if frame.end_lineno != number or start >= end or not line.isascii():  # columns count bytes
            start, end = len(line) - len(line.lstrip()), len(line)
        return f"{name}, line {number}", Code(number, line[:start], line[start:end], line[end:])
    return None


def name_cell(shell: Any, file: str) -> str | None:
    """Return the name of a cell, such as ``cell [3]``, from the name of its file; None for other files."""
    names = getattr(shell.compile, "format_code_name", lambda name: None)(file)
    return None if names is None else f"cell {names[1].removeprefix('In')}"


class _PanelWarnings:
    """A replacement for `warnings.showwarning` that shows warnings of dealerkit as panels."""

    shows_panels = True

    def __init__(self, shell: Any, others: Any) -> None:
        self.shell, self.others = shell, others

    def __call__(
        self,
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        if file is not None or not issubclass(category, DealerkitWarning):
            self.others(message, category, filename, lineno, file, line)
            return
        from IPython.display import display

        from dealerkit.notebook.panels import build_warning

        name = name_cell(self.shell, filename)
        warning = message if isinstance(message, DealerkitWarning) else category(str(message))
        display(build_warning(warning, "" if name is None else f"{name}, line {lineno}"))
