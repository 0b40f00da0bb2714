"""One family of errors and warnings.

Every error is a `DealerkitError` and also the built-in error that fits, so both
``except DealerkitError`` and ``except ValueError`` work.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class DealerkitError(Exception):
    """The root of all errors that dealerkit raises on purpose."""


class ScriptError(DealerkitError, SyntaxError):
    """A script that cannot be understood, with the place of the mistake.

    Parameters
    ----------
    message : str
        What is wrong, and where it is known, what to do instead.
    file : str or None
        Name of the script's file; None for text that came from elsewhere.
    line, column : int >= 1
        Place of the mistake.
    source : str
        The line of the script that holds the mistake, shown above a caret.

    Examples
    --------
    >>> print(ScriptError("unknown word 'hpc'", None, 1, 11, "condition hpc(north) > 5"))
    script:1:11: unknown word 'hpc'
      condition hpc(north) > 5
                ^
    """

    def __init__(
        self, message: str, file: str | None = None, line: int = 1, column: int = 1, source: str = ""
    ) -> None:
        super().__init__(message)
        self.message, self.file, self.line, self.column, self.source = message, file, line, column, source

    def __str__(self) -> str:
        head = f"{self.file or 'script'}:{self.line}:{self.column}: {self.message}"
        if not self.source:
            return head
        start = max(0, self.column - 60)
        shown = self.source[start : start + 100].replace("\t", " ")
        return f"{head}\n  {shown}\n  {' ' * (self.column - 1 - start)}^"

    def __reduce__(self) -> tuple:
        return type(self), (self.message, self.file, self.line, self.column, self.source)


class EvaluationError(DealerkitError, ArithmeticError):
    """An expression that has no value for some deal.

    `row` is the position of the first such deal in the block that was being
    evaluated; the run turns it into the number of the deal.
    """

    def __init__(self, message: str, row: int = 0) -> None:
        super().__init__(message)
        self.message, self.row = message, row

    def __reduce__(self) -> tuple:
        return type(self), (self.message, self.row)


class DivisionByZeroError(EvaluationError, ZeroDivisionError):
    """Division or remainder by zero in a branch that is taken."""


class DealError(DealerkitError, ValueError):
    """Cards that do not make a deal, or a text that does not describe one."""


class PredealError(DealerkitError, ValueError):
    """A predeal that no deal can satisfy."""


class ArgumentError(DealerkitError, ValueError):
    """An argument out of its range, or arguments that contradict each other."""


class UnknownNameError(DealerkitError, LookupError):
    """A name nobody has registered; the message offers the nearest one."""


class NotYetError(DealerkitError, NotImplementedError):
    """A word of the language that parses but is not computed yet."""


class FileError(DealerkitError, OSError):
    """A file that cannot be read or written."""


class MemoryLimitError(DealerkitError, MemoryError):
    """A request that would fill the memory; the message says with how many bytes."""


class DealerkitWarning(UserWarning):
    """The root of all warnings."""


class NothingProducedWarning(DealerkitWarning):
    """A run that accepted no deal."""


class UnsatisfiableWarning(NothingProducedWarning):
    """A condition that no deal can meet; nothing was dealt."""


class CompatibilityWarning(DealerkitWarning):
    """A script that means something else to another program or under other rules."""


class CacheWarning(DealerkitWarning):
    """Compiled kernels that could not be kept for the next start."""


def suggest_name(name: str, known: Iterable[str]) -> str:
    """The end of an error message that offers the nearest known name, or nothing.

    >>> suggest_name("nrth", ["north", "south"])
    "; did you mean 'north'?"
    >>> suggest_name("zzz", ["north"])
    ''
    """
    words = list(known)
    close = difflib.get_close_matches(name, words, n=1, cutoff=0.6) or difflib.get_close_matches(
        name.lower(), words, n=1, cutoff=0.6
    )
    return f"; did you mean '{close[0]}'?" if close else ""
