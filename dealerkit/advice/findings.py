"""What `check` finds in a script: the place, the reason and the remedy."""

from __future__ import annotations

from dataclasses import dataclass

from dealerkit.appearance.wording import limit_repr
from dealerkit.errors import ScriptError
from dealerkit.language.nodes import Place
from dealerkit.language.source import ScriptSource


@limit_repr
@dataclass(frozen=True)
class Finding:
    """A part of a script that a program refuses or takes in another way, or that is probably a mistake.

    Parameters
    ----------
    kind : {"refused", "stops", "differs", "mistake", "limit"}
        ``refused``: the program does not run the script. ``stops``: it may stop during the run, if a deal
        makes it so. ``differs``: it runs the script, but with another meaning or effect. ``mistake``: the
        author probably meant something else, whatever the program. ``limit``: dealerkit does not read this
        part, so the rest of it is not checked.
    message : str
        The reason.
    remedy : str
        What to write instead; empty if it is not known.
    line, column : int >= 1
    file : str or None
        None: the text is not from a file.
    source : str
        The line of the script.

    Examples
    --------
    >>> print(Finding("refused", "v1 has no numbers with a decimal point", "hcp(north) >= 5", 1, 14,
    ...               None, "hcp(north) > 4.5"))
    script:1:14: v1 has no numbers with a decimal point; write: hcp(north) >= 5
      hcp(north) > 4.5
                   ^
    """

    kind: str
    message: str
    remedy: str
    line: int
    column: int
    file: str | None
    source: str

    def __str__(self) -> str:
        message = self.message + (f"; write: {self.remedy}" if self.remedy else "")
        return str(ScriptError(message, self.file, self.line, self.column, self.source))

    def _repr_html_(self) -> str:
        from html import escape

        return f"<pre>{escape(str(self))}</pre>"


def build_finding(
    kind: str, message: str, source: ScriptSource, place: Place | int | None, remedy: str = ""
) -> Finding:
    """Return a finding at a place or an offset of a script."""
    if isinstance(place, int):
        return from_error(source.error(message, place), kind, remedy)
    if place is not None and place.origin is not None and place.origin.file == source.file:
        place = Place(place.line, place.column)  # the text of the origin may be one with replacements
    return from_error(source.error_at(message, place), kind, remedy)


def from_error(error: ScriptError, kind: str = "refused", remedy: str = "") -> Finding:
    """Return an error as a finding."""
    return Finding(kind, error.message, remedy, error.line, error.column, error.file, error.source)
