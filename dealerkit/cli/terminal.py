"""The terminal that a verb writes to: its width, its colours, and messages on standard error."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Any, TextIO

from dealerkit.appearance.screen import MIN_WIDTH, Screen, wrap_words
from dealerkit.appearance.wording import escape_controls

PIPE_WIDTH = 80  # width of lists that are always wrapped, where lines may have any length
COLORS = ("auto", "always", "never")
_ERROR, _WARNING, _END = "\x1b[91m", "\x1b[33m", "\x1b[0m"


def find_screen(options: argparse.Namespace | None = None, stream: TextIO | None = None) -> Screen:
    """Return the screen that texts for a stream, by default standard output, are written for.

    The width is COLUMNS, or that of the terminal; lines of files and pipes have any length, unless COLUMNS is
    set. Terminals show colour, unless NO_COLOR is set or --color says otherwise.
    """
    stream = sys.stdout if stream is None else stream
    is_terminal = is_tty(stream)
    columns = os.environ.get("COLUMNS", "")
    has_width = is_terminal or (columns.isdecimal() and int(columns) > 0)
    width = None
    if has_width:
        import shutil  # a file has no width, and the import takes milliseconds

        width = max(shutil.get_terminal_size().columns, MIN_WIDTH)
    color = getattr(options, "color", None) or "auto"
    has_color = color == "always" or (color == "auto" and is_terminal and _can_use_color())
    return Screen(width, has_color, bool(getattr(options, "verbose", False)))


def is_tty(stream: Any) -> bool:
    """Return whether a stream, which may be closed, is a terminal."""
    try:
        return bool(stream.isatty())
    except (AttributeError, ValueError):
        return False


def _can_use_color() -> bool:
    """Return whether the environment allows colour and the terminal can show it."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    if sys.platform == "win32":  # older consoles print the codes
        return any(os.environ.get(name) for name in ("WT_SESSION", "ANSICON", "TERM"))
    return True


def write_text(text: str, screen: Screen, stream: TextIO | None = None) -> None:
    """Write a text with marks to a stream, by default standard output."""
    stream = sys.stdout if stream is None else stream
    stream.write(screen.paint(escape_controls(text) if is_tty(stream) else text))


def print_message(text: str, options: argparse.Namespace | None = None, is_error: bool = False) -> None:
    """Print an error or a warning on standard error; on a terminal, sentences are wrapped and indents kept.

    Lines that begin with two or more spaces show a script, with a caret below the place, and are not wrapped.
    """
    stream = sys.stderr
    if stream is None:
        return
    screen, lines = find_screen(options, stream), []
    for line in escape_controls(text).split("\n"):
        is_whole = screen.width is None or not is_tty(stream) or line.startswith("  ")
        lines += [line] if is_whole else wrap_words(line, screen.width or PIPE_WIDTH, "", "  ") or [""]
    if screen.has_color:
        head, colon, rest = lines[0].partition(": ")
        lines[0] = f"{_ERROR if is_error else _WARNING}{head}{colon}{_END}{rest}"
    if "tqdm" in sys.modules and is_tty(stream):  # a progress bar may be shown, which moves below the message
        sys.modules["tqdm"].tqdm.write("\n".join(lines), file=stream)
        return
    print("\n".join(lines), file=stream)
