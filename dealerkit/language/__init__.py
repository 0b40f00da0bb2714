"""The dealer language: parser, checks, printer, and the functions and dialects that scripts use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dealerkit.language.script import Script

if TYPE_CHECKING:
    import os

__all__ = ["Script", "parse"]


def parse(
    text: str,
    dialect: str = "modern",
    params: Sequence[str | None] = (),
    file: str | os.PathLike | None = None,
) -> Script:
    """Return the parsed script.

    Parameters
    ----------
    text : str
    dialect : {"modern", "v1", "v2"}
    params : sequence of str
        Values of the script variables ``$0`` to ``$9``.
    file : str or os.PathLike, optional
        Name for messages.

    Returns
    -------
    Script
        Frozen nodes; scripts that differ only in layout are equal.

    Raises
    ------
    ScriptError
        A mistake, with file, line, column, the line, a caret and the most similar name.

    Examples
    --------
    >>> parse("produce 5 action printall") == parse("produce   5  action  printall")
    True
    """
    from dealerkit.language.dialects import find_rules
    from dealerkit.language.parser import parse_script

    return parse_script(text, find_rules(dialect), file=None if file is None else str(file), params=params)
