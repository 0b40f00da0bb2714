"""The source of a script: its text, the tokens in it, and places for messages."""

from __future__ import annotations

import bisect
import os
import re
from collections.abc import Sequence
from pathlib import Path

from dealerkit.errors import (
    ArgumentError,
    CompatibilityWarning,
    FileError,
    Remedy,
    ScriptError,
    describe_system_error,
    quote,
)
from dealerkit.language.dialects import Rules
from dealerkit.language.nodes import Origin, Place
from dealerkit.registry import find_function
from dealerkit.runtime.files import open_input
from dealerkit.runtime.process import cached_property

MAX_BYTES = 262_144  # size of a script in UTF-8, and of the text that its script variables expand to
MAX_FILE_NAME = 1000  # characters of the longest text that can be the name of a file
MAX_ERRORS = 10  # number of mistakes in a script that are reported together
MAX_NESTING = 200  # depth of parentheses, and of operations

_WORDS = (
    "condition|action|produce|generate|predeal|dealer|vulnerable|seed|pointcount|altcount|level|title|opener"
)
_BEGINNING = re.compile(  # comments, then a statement, a definition, a call or an operand
    rf"(?:\s|//[^\n]*|\#[^\n]*|/\*.*?\*/)*(?:(?:{_WORDS})\b|\w+\s*=|\w+\s*\(|[(!]|not\b|\d|Import,|\Z)",
    re.DOTALL,
)
_CALL_OF_SEAT = re.compile(r"\w\s*[({]\s*(?:north|east|south|west|[NESW]|NS|EW)\s*[,)}]", re.IGNORECASE)
_STATEMENT = re.compile(rf"^\s*(?:{_WORDS})\b|^#include\b", re.MULTILINE)


class Token:
    """A word or sign of a script; `start` and `end` are offsets in the script's text."""

    __slots__ = ("type", "text", "start", "end", "source")

    def __init__(self, type: str, text: str, start: int, end: int, source: ScriptSource) -> None:
        self.type, self.text, self.start, self.end, self.source = type, text, start, end, source

    @property
    def place(self) -> Place:
        """The line and column at which the token begins."""
        return self.source.place(self.start)

    def error(self, reason: str, remedy: Remedy | None = None, kind: str = "") -> ScriptError:
        """Return the error to raise about this token."""
        return self.source.error(reason, self.start, remedy, kind)

    def __repr__(self) -> str:
        return f"Token({self.type}, {self.text!r}, {self.start})"


class ScriptSource:
    """The text of one script and its rules; it makes the warnings and errors about places in the text.

    `main` is the source of the script that includes this one. Both share their lists of warnings and of open
    parentheses.
    """

    def __init__(
        self, text: str, rules: Rules, file: str | None = None, main: ScriptSource | None = None
    ) -> None:
        self.text, self.rules, self.file = text, rules, file
        self.origin = Origin(file, text, main is not None)
        self.main = self if main is None else main
        self.warnings: list[CompatibilityWarning] = [] if main is None else main.warnings
        self.open: list[Place] = [] if main is None else main.open  # the parentheses that are open
        # Messages about script variables that are empty because they have no value.
        self.empty_variables: list[str] = [] if main is None else main.empty_variables
        # For each brace, by its offset: where the pieces of its text begin, and their offsets in the script
        # (None for the value of a variable).
        self.pieces: dict[int, list[tuple[int, int | None]]] = {}

    @cached_property
    def _starts(self) -> list[int]:
        """The offset at which each line begins; computed only for messages and places."""
        return [0, *(match.end() for match in re.finditer("\n", self.text))]

    def place(self, offset: int) -> Place:
        """Return the line and column of an offset, from 1."""
        line = bisect.bisect_right(self._starts, offset)
        return Place(line, offset - self._starts[line - 1] + 1, self.origin)

    def _source_of(self, place: Place) -> ScriptSource:
        """Return the source that a place is in: this one, or that of another script or included file."""
        origin = place.origin
        if origin is None or origin == self.origin:
            return self
        return ScriptSource(origin.text, self.rules, origin.file)

    def text_at(self, place: Place | None) -> str:
        """Return at most 400 characters of the text from a place on; an empty text for None."""
        if place is None:
            return ""
        source = self._source_of(place)
        if place.line > len(source._starts):
            return ""
        start = source._starts[place.line - 1] + place.column - 1
        return source.text[start : start + 400]

    def brace_offset(self, brace: Token, offset: int) -> int:
        """Return where a character in the text of a brace is in the script, as an offset."""
        begin, start = max(
            (piece for piece in self.pieces.get(brace.start, ()) if piece[0] <= offset), default=(0, None)
        )
        return brace.start if start is None else start + offset - begin

    @cached_property
    def _lines(self) -> list[str]:
        return self.text.split("\n")  # once: a copy for each error would make many errors quadratic

    def error(self, reason: str, offset: int, remedy: Remedy | None = None, kind: str = "") -> ScriptError:
        """Return the error to raise about something at an offset."""
        return self.error_at(reason, self.place(min(max(offset, 0), len(self.text))), remedy, kind)

    def error_at(
        self, reason: str, place: Place | None, remedy: Remedy | None = None, kind: str = ""
    ) -> ScriptError:
        """Return the error to raise about something at a place."""
        place = place or Place(1, 1)
        source = self._source_of(place)
        if (place.origin or self.origin).is_included and not is_recognized(source.text):
            # Show no word of the file: a script from someone else may include any file of its folder.
            return ScriptError(
                f"{source.file} cannot be read, and does not look like a script, so its text is not shown; "
                f"`dealerkit check {source.file}` says what is wrong",
                source.file, place.line, place.column,
            )  # fmt: skip
        index = place.line - 1 if place.line <= len(source._lines) else 0
        line, following = (*source._lines[index : index + 2], "")[:2]
        return ScriptError(
            reason,
            source.file,
            place.line,
            place.column,
            line.rstrip("\r"),
            following=following.rstrip("\r"),
            remedy=remedy,
            kind=kind,
        )

    def warn(self, reason: str, offset: int, remedy: Remedy | None = None) -> None:
        """Add a warning about something at an offset."""
        self.warnings.append(self.warning_at(reason, self.place(offset), remedy))

    def warning_at(
        self, reason: str, place: Place | None, remedy: Remedy | None = None
    ) -> CompatibilityWarning:
        """Return a warning about a place; its text names the file if that is not the main script's."""
        location = describe_place(place, Place(1, 1, self.main.origin)) if place else ""
        return CompatibilityWarning(reason, remedy=remedy, place=place, location=location)


def describe_place(place: Place, other: Place | None) -> str:
    """Return a place as text; it names the file if another place is not in the same one.

    >>> describe_place(Place(2, 5), Place(9, 1))
    'line 2, column 5'
    >>> describe_place(Place(2, 5, Origin("bids.dealer", "")), Place(9, 1, Origin("study.dealer", "")))
    'bids.dealer, line 2, column 5'
    """
    text = f"line {place.line}, column {place.column}"
    if other is None or place.origin is None or place.origin == other.origin:
        return text
    return f"{place.origin.file}, {text}" if place.origin.file else f"{text} of the other script"


def read_source(script: bytes | os.PathLike[str]) -> tuple[str, str | None]:
    """Return the text of encoded bytes or of a file, and the file's name; see `read_encoded` for errors."""
    content, name = read_encoded(script)
    return decode_script(content), name


def read_encoded(script: bytes | os.PathLike[str]) -> tuple[bytes, str | None]:
    """Return the bytes of a script, and the name of its file (None for bytes).

    Raises
    ------
    ArgumentError
        The script is neither bytes nor a path.
    FileError
        The file cannot be read, or the script is larger than `MAX_BYTES`.
    """
    name = None
    if isinstance(script, os.PathLike):
        path = Path(script)
        name = str(path) if path.is_absolute() else path.as_posix()  # as in scripts and commands
        try:
            with open_input(script, accepts_pipes=True) as stream:
                script = stream.read(MAX_BYTES + 1)
        except FileError:
            raise
        except (OSError, ValueError) as reason:
            raise FileError(f"{name}: {describe_system_error(reason)}") from reason
    if not isinstance(script, bytes):
        raise ArgumentError(
            f"a script must be a text, the path of a file or a Script, not {quote(script, 40)}"
        )
    if len(script) > MAX_BYTES:
        raise FileError(f"{name or 'standard input'}: the script is larger than {MAX_BYTES:,} bytes")
    return script, name


def decode_script(content: bytes) -> str:
    """Return the text of a file in UTF-8, in UTF-16 (which editors call "Unicode"), or else in Latin-1."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")) and len(content) % 2 == 0:
        return content.decode("utf-16", "replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")  # the encoding of old scripts, in which every byte is a character


def is_recognized(text: str) -> bool:
    r"""Return whether a text looks like a script.

    It has a call with a seat, whose function may be misspelt; or it begins like a script and has a statement
    or a call of a known function.

    >>> is_recognized("// fragment\nstrong = hpc(north) > 15"), is_recognized("password = swordfish")
    (True, False)
    """
    if _CALL_OF_SEAT.search(text):
        return True
    if not _BEGINNING.match(text):
        return False
    called = set(re.findall(r"(\w+)\s*[({]", text))
    return bool(_STATEMENT.search(text)) or any(find_function(name) is not None for name in called)


def join_errors(errors: Sequence[ScriptError]) -> ScriptError:
    """Return the first error with the others as its further errors, at most `MAX_ERRORS` in all."""
    first, *further = errors
    return first.replace(further=further[: MAX_ERRORS - 1])


def add_file_hint(error: ScriptError, text: str) -> ScriptError:
    """Return an error about a script; if the text of the script is the name of a file, it says so.

    For a text of several lines the file system is not consulted.
    """
    name = text.strip()
    if not name or "\n" in name or len(name) > MAX_FILE_NAME or error.file is not None:
        return error
    try:
        is_file = os.path.isfile(name)
    except ValueError:  # a NUL
        return error
    if not is_file:
        return error
    hint = f"{name!r} is the name of a file; to read the script in it, pass Path({name!r})"
    return error.replace(reason=f"{error.reason}; {hint}")


def find_encoding_fault(text: str) -> tuple[str, int] | None:
    """Return why a text cannot be stored as a text file, and the offset of the fault; None if it can."""
    position = text.find("\0")
    if position >= 0:
        return "it contains a NUL byte, so it is not a text", position
    try:
        text.encode()
    except UnicodeEncodeError as reason:
        return f"it contains half of a character, U+{ord(text[reason.start]):04X}", reason.start
    return None
