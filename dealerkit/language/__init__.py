"""The dealer language: parser, checks, printer, and the functions and dialects that scripts use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dealerkit.language.script import Script

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    from dealerkit.language.script_variables import Params

__all__ = ["Script", "parse"]


def parse(
    text: str | os.PathLike[str],
    dialect: str = "modern",
    params: Params = (),
    file: str | os.PathLike[str] | None = None,
    include: Sequence[str | os.PathLike[str]] = (),
) -> Script:
    """Parse a script, and return it for use in several runs or to add it to another script.

    Parameters
    ----------
    text : str or os.PathLike
        The script as a str, or the path of its file as a `pathlib.Path`.
    dialect : {"modern", "v1", "v2"}
        The language of the script: dealerkit's own, that of ``dealer``, or that of DealerV2.
    params : mapping or sequence
        Values of the script variables: by name, as in ``{"low": 15}`` for ``$low``, or in the order of ``$0``
        to ``$9``. A value is a number, or a text that replaces the variable, such as an expression or a list
        of shapes; True and False become 1 and 0.
    file : str or os.PathLike, optional
        Name that messages show for the text.
    include : sequence of str or os.PathLike
        Folders to search for the files of ``#include "script/NAME"`` and ``Import,URL``, after the script's
        own folder.

    Returns
    -------
    Script
        The parsed script, which cannot be changed. Scripts that differ only in layout are equal.

    Raises
    ------
    ScriptError
        The script has a mistake. The message gives the file, line and column, shows the line with a caret
        below it, and says what to write instead.
    ArgumentError
        `params` has a name that the script does not use, or a value of another type.
    FileError
        The file, or a folder of `include`, does not exist or cannot be read.

    Examples
    --------
    >>> parse("produce 5 action printall") == parse("produce   5  action  printall")
    True
    >>> parse("condition hcp(north) >= $low", params={"low": 15}) == parse("condition hcp(north) >= 15")
    True
    """
    from dealerkit.language.dialects import find_rules
    from dealerkit.language.parser import read_text

    return read_text(text, find_rules(dialect), params, None if file is None else str(file), include)
