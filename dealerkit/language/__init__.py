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
    """Return the parsed script.

    Parameters
    ----------
    text : str or os.PathLike
        The script, or the path of its file.
    dialect : {"modern", "v1", "v2"}
    params : mapping or sequence
        Values of the script variables: by name, as in ``{"low": 15}`` for ``$low``, or in the order of ``$0``
        to ``$9``. A number, or a text that replaces the variable, such as an expression or a list of shapes;
        a truth value is 1 or 0.
    file : str or os.PathLike, optional
        Name of the text for messages.
    include : sequence of str or os.PathLike
        Folders in which the files of ``#include "script/NAME"`` and ``Import,URL`` are looked for, after the
        folder of the file and those above it.

    Returns
    -------
    Script
        Frozen nodes; scripts that differ only in layout are equal.

    Raises
    ------
    ScriptError
        A mistake, with file, line, column, the line, a caret and the most similar name.
    ArgumentError
        A name in `params` that the script does not use, or a value of another type.

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
