"""The text inside the braces of shape{}, with values for its script variables."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from dealerkit.language.dialects import Rules
from dealerkit.language.script_variables import NAME
from dealerkit.language.source import ScriptSource

# It returns the value of a variable from its name, that of the variable in which it is, those around it, and
# the offset of the brace in the script.
LookUp = Callable[[str, str, list[tuple[str, int, str]], int], str]


def find_variable_pattern(rules: Rules) -> str:
    """Return the pattern of the name of a script variable, which follows the sign."""
    return f"(?:{NAME})" if rules.modern_syntax else "[0-9]"


def expand_brace(source: ScriptSource, text: str, offset: int, start: int | None, look_up: LookUp) -> str:
    """Return the text inside shape{} with values for script variables and without comments.

    The text begins at `start` in the script, None for a brace in the value of a script variable; the source
    keeps where its pieces are.
    """
    if "$" not in text and "#" not in text:
        if start is not None:
            source.pieces[offset] = [(0, start)]
        return text
    parts, length = [], 0
    pieces: list[tuple[int, int | None]] = []
    for part, begin in _split_brace(text, source.rules, look_up, offset):
        pieces.append((length, None if begin is None or start is None else start + begin))
        parts.append(part)
        length += len(part)
    if start is not None:
        source.pieces[offset] = pieces
    return "".join(parts)


def _split_brace(text: str, rules: Rules, look_up: LookUp, offset: int) -> Iterator[tuple[str, int | None]]:
    """Yield the parts of a brace's text with their offsets in it; None for the value of a variable."""
    variable = rf"\$(?P<variable>{find_variable_pattern(rules)})"
    separators = re.compile(rf"{variable}|\#[^\n]*" if rules.comments_anywhere else variable)
    texts: list[tuple[str, int, str]] = []
    position, name = 0, ""
    while True:
        match = separators.search(text, position)
        end = match.start() if match else len(text)
        if end > position:
            yield text[position:end], None if texts else position
        if match is None:
            if not texts:
                return
            text, position, name = texts.pop()
        elif match[0].startswith("#"):
            position = match.end()
        else:
            value = look_up(match["variable"], name, texts, offset)
            texts.append((text, match.end(), name))
            text, position, name = value, 0, match["variable"]
