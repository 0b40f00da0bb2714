"""The comments of a scenario that say something: ``# key: value`` lines, the chat text, ``# param`` lines.

They are comments to every dealer program. A scenario is a script for teaching, as teachers write it for
Bridge Base Online.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from dealerkit.cards.names import seat_number
from dealerkit.errors import ArgumentError
from dealerkit.language.dialects import Rules
from dealerkit.language.script_variables import NAME

KEYS = (
    "alias", "title", "scenario-title", "button-text", "dealer-position", "gib-works", "bba-works",
    "bba-direct", "auction-filter", "convention-card", "convention-card-ns", "convention-card-ew", "curate",
    "quiz-control", "level-budget", "leveled-from",
)  # fmt: skip
_TITLES = ("title", "scenario-title", "button-text", "alias")  # of them the first that is there is the name
_COMMENT = re.compile(
    r"""/\*(?P<block>(?s:.*?))\*/ | "[^"]*" | //[^\n]* | ^[ \t]*\#(?P<line>[^\n]*) | \#[^\n]*""",
    re.VERBOSE | re.MULTILINE,
)
_HEADER = re.compile(r"\s*([a-z]+(?:-[a-z]+)*)\s*:\s*(.*)")
_PARAM = re.compile(rf"\s*param\s+\$?({NAME})\s*=\s*([^#]*)")
_CHAT = re.compile(r"\s*@chat\b(.*?)(?:@chat\s*)?\Z", re.DOTALL)


def read_headers(text: str) -> tuple[dict[str, str], dict[str, str]]:
    r"""Return the headers and the default values that the comments of a script give.

    Returns
    -------
    metadata : dict of str to str
        The values of the header lines by key, those of `KEYS` only, and ``chat``, the chat text.
    defaults : dict of str to str
        The values of script variables from lines such as ``# param low = 15  # points``, by name.

    Examples
    --------
    >>> read_headers("# alias: Demo\n# param 1 = 15  # least\n/*@chat\nTwo hearts\n@chat*/\nhcp(north) > $1")
    ({'alias': 'Demo', 'chat': 'Two hearts'}, {'1': '15'})
    """
    metadata: dict[str, str] = {}
    defaults: dict[str, str] = {}
    if "#" not in text and "@chat" not in text:
        return metadata, defaults
    for match in _COMMENT.finditer(text):
        if (block := match["block"]) is not None:
            if chat := _CHAT.match(block):
                metadata.setdefault("chat", "\n".join(line.rstrip() for line in chat[1].strip().splitlines()))
        elif (line := match["line"]) is not None:
            if (header := _HEADER.match(line)) and header[1] in KEYS and header[2].strip():
                metadata.setdefault(header[1], header[2].strip())
            elif (param := _PARAM.match(line)) and param[2].strip():
                defaults.setdefault(param[1], param[2].strip())
    return metadata, defaults


def find_scenario_name(metadata: Mapping[str, str]) -> str:
    """Return the name of a scenario from its headers; empty if they have none.

    >>> find_scenario_name({"alias": "Demo", "button-text": "Weak twos"})
    'Weak twos'
    """
    return next((metadata[key] for key in _TITLES if metadata.get(key)), "")


def find_dealer(metadata: Mapping[str, str], rules: Rules) -> int | None:
    """Return the dealer of a scenario that has no `dealer` statement; None if it is not said.

    The seats of a BBOalert wrapper come first, if they are one; then, in modern scripts, the header
    ``dealer-position``.

    Raises
    ------
    ArgumentError
        A header that is not a seat.

    Examples
    --------
    >>> from dealerkit.language.dialects import MODERN
    >>> find_dealer({"dealer-position": "S"}, MODERN)
    2
    """
    seats = metadata.get("seats", "")
    if len(seats) == 1:
        return seat_number(seats)
    if seats or not rules.modern_syntax or "dealer-position" not in metadata:
        return None
    try:
        return seat_number(metadata["dealer-position"].lower())
    except ArgumentError:
        raise ArgumentError(
            f"the line `# dealer-position: {metadata['dealer-position'][:40]}` names no seat; "
            "write N, E, S or W"
        ) from None
