"""The errors and warnings of dealerkit.

Every error is a `DealerkitError` and also an instance of the built-in error that fits, so that both
``except DealerkitError`` and ``except ValueError`` catch it.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from dealerkit.appearance.wording import escape_controls, limit_repr


@dataclass(frozen=True)
class Parameter:
    """The name of a parameter in a message, so that the command can show its switch instead.

    Parameters
    ----------
    name : str
        As in the sentence, with ``=`` where the message says what to give.
    value : optional
        The value that the parameter has or takes; None: only the name is shown.

    Examples
    --------
    >>> print(Parameter("lead_rule"), Parameter("lead_rule="), Parameter("lead_rule=", "attitude"))
    lead_rule lead_rule= lead_rule='attitude'
    >>> Parameter("lead_rule=", "top of sequence").format({"lead_rule": "--lead-rule"})
    "--lead-rule 'top of sequence'"
    """

    name: str
    value: Any = None

    def __str__(self) -> str:
        return self.name if self.value is None else f"{self.name}{self.value!r}"

    def format(self, switches: Mapping[str, str]) -> str:
        """Return the switch of the parameter, or its name in Python if it has no switch."""
        switch = switches.get(self.name.rstrip("="))
        if switch is None:
            return str(self)
        if self.value is None or self.value is True:
            return switch
        import shlex  # only a message of the command needs it

        values = self.value if isinstance(self.value, list | tuple) else [self.value]
        return f"{switch} {shlex.quote(','.join(map(str, values)))}"


def describe_system_error(error: Exception) -> str:
    """Return why the system refused an operation, in the same English words on every system.

    >>> describe_system_error(FileNotFoundError(2, "Die Datei wurde nicht gefunden"))
    'No such file or directory'
    """
    if getattr(error, "winerror", None) in _OPEN_ELSEWHERE:
        return "a program has the file open; close it there first"
    if isinstance(error, UnicodeEncodeError) and error.encoding == sys.getfilesystemencoding() != "utf-8":
        reason = f"file names cannot contain '{error.object[error.start]}' in this locale ({error.encoding})"
        return f"{reason}; choose another name, or set LC_ALL=C.UTF-8"
    number = getattr(error, "errno", None)
    return os.strerror(number) if number else str(error)


_OPEN_ELSEWHERE = (32, 33, 1224)  # ERROR_SHARING_VIOLATION, _LOCK_VIOLATION and _USER_MAPPED_FILE of Windows


@dataclass(frozen=True)
class Remedy:
    """The correction of a mistake in a script.

    Parameters
    ----------
    text : str
        The corrected text, in the dealer language.
    replaces : {"line", "word", ""}
        What the text replaces: the line of the mistake, the word at its position, or ("") a part of a line
        that has other mistakes too, so that there is no corrected line.
    lead : {"write", "did you mean", "probably meant"}
        How the message introduces it: an uncertain correction is a question, or "probably meant".

    Examples
    --------
    >>> print(Remedy("hcp(north) == 15"), Remedy("hcp", "word", "did you mean"))
    write `hcp(north) == 15` did you mean 'hcp'?
    """

    text: str
    replaces: str = ""
    lead: str = "write"

    def __str__(self) -> str:
        if self.lead == "did you mean":
            return f"did you mean '{self.text}'?"
        return f"probably meant: {self.text}" if self.lead == "probably meant" else f"write `{self.text}`"


class _Message(Exception):
    """An error or a warning whose message is a text, or a sequence of texts and names of parameters.

    Attributes
    ----------
    parts : tuple of str and Parameter
    remedy : Remedy or None
        The correction at the end of the message; None if there is none.
    """

    def __init__(self, *parts: str | Parameter, remedy: Remedy | None = None) -> None:
        end = "" if remedy is None else f"; {remedy}"
        super().__init__("".join(map(str, parts)) + end)
        self.parts, self.remedy = (*parts, end) if end else parts, remedy

    def format(self, switches: Mapping[str, str]) -> str:
        """Return the message with the switches of a command in place of names of parameters in Python."""
        if not any(isinstance(part, Parameter) for part in self.parts):
            return str(self)
        return "".join(part.format(switches) if isinstance(part, Parameter) else part for part in self.parts)


class Interrupted(KeyboardInterrupt):
    """Interrupted work that has no result; the message says what was kept, if anything.

    A notebook shows it as one line instead of a traceback.
    """

    def _render_traceback_(self) -> list[str]:
        """Return what IPython shows instead of a traceback."""
        return [str(self)]


NO_RESULT = "stopped before the first result"


@limit_repr
class DealerkitError(_Message):
    """The base class of all errors that dealerkit raises on purpose."""

    def __str__(self) -> str:
        return escape_controls(super().__str__())

    def _render_traceback_(self) -> list[str]:
        """Return the lines that IPython shows instead of a traceback, if no panel is shown."""
        return [f"{type(self).__name__}: {self}"]


class ScriptError(DealerkitError, SyntaxError):
    """A script that cannot be read, with the position of the mistake.

    Parameters
    ----------
    reason : str
        What is wrong.
    file : str or None
        Name of the script's file; None if the script is a text.
    line, column : int >= 1
        Position of the mistake.
    source : str
        The line of the script with the mistake, shown above a caret.
    further : sequence of ScriptError
        Other mistakes of the script that are not consequences of this one.
    following : str
        The next line of the script.
    remedy : Remedy, optional
        The correction.
    kind : str
        The kind of mistake, such as "unknown variable", where programs need to know it; otherwise empty.

    Attributes
    ----------
    message : str
        The reason and the remedy.
    errors : tuple of ScriptError
        This error, then the others; ten at most.
    msg, filename, lineno, offset, text, end_lineno, end_offset
        Message and position, as for every SyntaxError; the end is that of the word at the position.

    Examples
    --------
    >>> print(ScriptError("unknown word 'hpc'", None, 1, 11, "condition hpc(north) > 5"))
    script:1:11: unknown word 'hpc'
      condition hpc(north) > 5
                ^
    """

    def __init__(
        self,
        reason: str,
        file: str | None = None,
        line: int = 1,
        column: int = 1,
        source: str = "",
        further: Iterable[ScriptError] = (),
        following: str = "",
        remedy: Remedy | None = None,
        kind: str = "",
    ) -> None:
        super().__init__(reason, remedy=remedy)
        self.kind, self.message = kind, "".join(map(str, self.parts))
        self.reason, self.file, self.line, self.column, self.source = reason, file, line, column, source
        self.further, self.following = tuple(further), following
        self.filename, self.text = file or "script", source or None
        self.lineno = self.end_lineno = line
        self.offset, self.end_offset = column, column + len(find_word(source, column))

    @property
    def errors(self) -> tuple[ScriptError, ...]:
        """The error itself, then the other mistakes of the script."""
        return (self, *self.further)

    @property
    def corrected(self) -> str | None:
        """The line of the mistake after its correction; None if no correction replaces a line or a word.

        >>> ScriptError("", None, 1, 1, "hpc(north) > 5", remedy=Remedy("hcp", "word")).corrected
        'hcp(north) > 5'
        """
        if self.remedy is None or not self.remedy.replaces or not self.source:
            return None
        if self.remedy.replaces == "line":
            return self.source[: len(self.source) - len(self.source.lstrip())] + self.remedy.text
        start, word = self.column - 1, find_word(self.source, self.column)
        return self.source[:start] + self.remedy.text + self.source[start + len(word) :]

    def replace(self, **changes: Any) -> ScriptError:
        """Return the error with some of its parameters changed."""
        return type(self)(**{**dict(zip(_SCRIPT_ERROR, self._list_parameters(), strict=True)), **changes})

    def _list_parameters(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in _SCRIPT_ERROR)

    def __str__(self) -> str:
        head = f"{self.file or 'script'}:{self.line}:{self.column}: {self.message}"
        if not self.source:
            return escape_controls(head)
        start = max(0, self.column - 60)
        shown = shorten_line(self.source, self.column).replace("\t", " ")
        return escape_controls(f"{head}\n  {shown}\n  {' ' * (self.column - 1 - start)}^")

    def __reduce__(self) -> tuple:
        return type(self), self._list_parameters()


_SCRIPT_ERROR = ("reason", "file", "line", "column", "source", "further", "following", "remedy", "kind")


class EvaluationError(DealerkitError, ArithmeticError):
    """An expression that has no value for some deal.

    Parameters
    ----------
    message : str
    row : int >= 0
        Index of the first deal without a value, counted among the deals evaluated together. `run` converts it
        to the number of the deal.
    """

    def __init__(self, message: str, row: int = 0) -> None:
        super().__init__(message)
        self.message, self.row = message, row

    def __reduce__(self) -> tuple:
        return type(self), (self.message, self.row)


class DivisionByZeroError(EvaluationError, ZeroDivisionError):
    """A division or remainder by zero in a branch of the expression that is evaluated."""


class DealError(DealerkitError, ValueError):
    """Cards that do not form a deal, or a text that does not describe a deal."""


class PredealError(DealerkitError, ValueError):
    """Predealt cards or suit lengths that no deal can have."""


class ArgumentError(DealerkitError, ValueError):
    """An argument of a wrong type or out of range, or arguments that contradict each other."""


class UnknownNameError(DealerkitError, LookupError):
    """An unknown name; the message suggests the most similar known name."""


class NotYetError(DealerkitError, NotImplementedError):
    """A function of the language that can be parsed but is not implemented yet."""


class FileError(DealerkitError, OSError):
    """A file that cannot be read or written."""


class MemoryLimitError(DealerkitError, MemoryError):
    """A request that needs too much memory; the message states the number of bytes."""


class TimeLimitError(DealerkitError, TimeoutError):
    """A script run as untrusted that reached its time limit before it had a result."""


class ExecutorError(DealerkitError, RuntimeError):
    """An executor whose processes cannot be reached, or cannot run what they receive."""


@limit_repr
class DealerkitWarning(_Message, UserWarning):
    """The base class of all warnings of dealerkit.

    Attributes
    ----------
    reason : str
        The message without the place and the correction.
    place : Place or None
        Line and column of the script that the warning is about.
    location : str
        The place in words, at the beginning of the message; by default without the file.
    """

    def __init__(
        self, *parts: str | Parameter, remedy: Remedy | None = None, place: Any = None, location: str = ""
    ) -> None:
        super().__init__(*parts, remedy=remedy)
        self.reason, self.place = "".join(map(str, parts)), place
        self.location = location or (f"line {place.line}, column {place.column}" if place else "")

    def __str__(self) -> str:
        return f"{self.location}: {super().__str__()}" if self.location else super().__str__()


class NothingProducedWarning(DealerkitWarning):
    """A run that accepted no deal."""


class UnsatisfiableWarning(NothingProducedWarning):
    """A condition that no deal can meet, or no layout of the known cards."""


class MistakeWarning(DealerkitWarning):
    """An expression of a script that cannot mean what its author intended."""


class CompatibilityWarning(DealerkitWarning):
    """A script that has another meaning in another program or dialect."""


class IncompleteWarning(DealerkitWarning):
    """A run on the first part of all deals in their order, which says nothing about the others."""


class CostWarning(DealerkitWarning):
    """A run that takes very long."""


class DoubleDummyBias(DealerkitWarning):
    """Double-dummy tricks, for which all cards are known, used where players do not see all cards."""


class DependentEstimates(DealerkitWarning):
    """A sum or difference of estimates from the same deals; its interval allows for any dependence."""


class SmallSample(DealerkitWarning):
    """An estimate from so few deals that its interval is only approximate."""


class TruncatedRun(DealerkitWarning):
    """A run that ended at a limit, or a study that ended before its interval reached the precision."""


class AuctionWarning(DealerkitWarning):
    """A known hand that would not make its calls; nothing is inferred from them."""


class TermsWarning(DealerkitWarning):
    """The terms on which the data of a file may be used."""


class SkippedWarning(DealerkitWarning):
    """Boards of a file that cannot be read, or a file that is skipped."""


class LossWarning(DealerkitWarning):
    """Contents of boards that are lost because the format of the written file cannot store them."""


class CacheWarning(DealerkitWarning):
    """Compiled functions that cannot be stored on disk for the next start."""


# Packages whose frames can be between this package and the caller's program: decorators, magics, methods of
# frames
_BETWEEN = {"dealerkit", "contextlib", "functools", "IPython", "pandas"}


def warn_caller(message: str | Warning, category: type[Warning] | None = None) -> None:
    """Issue a warning at the line of the caller's program, not of the package, that led here.

    A warning that has attributes of its own is passed as an object, without a category.
    """
    text: Any = message
    level, frame = 1, sys._getframe(0)
    while frame.f_back is not None and str(frame.f_globals.get("__name__", "")).split(".")[0] in _BETWEEN:
        level, frame = level + 1, frame.f_back
    warnings.warn(text, category, stacklevel=level)


def shorten_line(line: str, column: int) -> str:
    """Return the part of a script line around a column, counted from 1, that a message shows."""
    start = max(0, column - 60)
    return line[start : start + 100]


def find_word(line: str, column: int) -> str:
    """Return the word, number or operator at a column, counted from 1, of a script line.

    >>> find_word("hcp(north) =< 12.5", 12), find_word("hcp(north) =< 12.5", 15), find_word("(", 2)
    ('=<', '12.5', ' ')
    """
    import re  # only a message needs it

    match = re.compile(r"[$]?[A-Za-z0-9_]+(?:\.[0-9]+)?|[<>=!]+|.", re.DOTALL).match(line, column - 1)
    return match[0] if match else " "


def quote(value: object, length: int = 60) -> str:
    """Return the repr of a value for a message; in a long one, dots stand for the part before the last sign.

    >>> quote("hcp"), quote("hcp(north) >= 15", 12)
    ("'hcp'", "'hcp(north…'")
    """
    text = repr(value)
    return text if len(text) <= length else f"{text[: length - 2]}…{text[-1]}"


def suggest_name(name: str, names: Iterable[str]) -> str:
    """Return the end of an error message that suggests the most similar known name, or "".

    >>> suggest_name("nrth", ["north", "south"]), suggest_name("zzz", ["north"])
    ("; did you mean 'north'?", '')
    """
    close = find_name(name, names)
    return f"; {close}" if close else ""


def find_name(name: str, names: Iterable[str]) -> Remedy | None:
    """Return the most similar known name as a remedy; None if none is similar.

    The same letters in another order come first.

    >>> print(find_name("hpc", ["opc", "hcp"]))
    did you mean 'hcp'?
    """
    known_names = list(names)
    letters = sorted(name.lower())
    for other in known_names:
        if len(other) == len(name) and sorted(other.lower()) == letters:
            return Remedy(other, "word", "did you mean")
    import difflib  # only a message with a misspelt name needs it

    for spelling in (name, name.lower()):
        if close := difflib.get_close_matches(spelling, known_names, n=1, cutoff=0.7):
            return Remedy(close[0], "word", "did you mean")
    return None
