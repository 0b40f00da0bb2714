"""Scenarios, which are scripts for teaching on Bridge Base Online: their comments, and files for BBOalert.

Lines ``# key: value``, the chat text and lines ``# param`` are comments for every dealer program.

A file for BBOalert, a browser extension, has records of one line each: ``Import,URL``, ``Script,NAME`` to
``Script``, ``Button,TEXT,CHAT,STYLE``. The dealer text is an argument of a JavaScript call between the two
Script lines: setDealerCode(`TEXT`, "S", true).
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from dealerkit.cards.names import seat_number
from dealerkit.errors import ArgumentError, ScriptError
from dealerkit.language.dialects import Rules
from dealerkit.language.script_variables import NAME
from dealerkit.language.source import ScriptSource

KEYS = (
    "alias", "title", "scenario-title", "button-text", "dealer-position", "gib-works", "bba-works",
    "bba-direct", "auction-filter", "convention-card", "convention-card-ns", "convention-card-ew", "curate",
    "quiz-control", "level-budget", "leveled-from",
)  # fmt: skip
_TITLES = ("title", "scenario-title", "button-text", "alias")  # the first of these headers is the name
# Patterns in comments.
_COMMENT = re.compile(
    r"""/\*(?P<block>(?s:.*?))\*/ | "[^"]*" | //[^\n]* | ^[ \t]*\#(?P<line>[^\n]*) | \#[^\n]*""",
    re.VERBOSE | re.MULTILINE,
)
_HEADER = re.compile(r"\s*([a-z]+(?:-[a-z]+)*)\s*:\s*(.*)")
_PARAM = re.compile(rf"\s*param\s+\$?({NAME})\s*=\s*([^#]*)")
_CHAT = re.compile(r"\s*@chat\b(.*?)(?:@chat\s*)?\Z", re.DOTALL)
# Patterns in files for BBOalert.
_CALL = re.compile(
    r"""/\*(?s:.*?)(?:\*/|\Z) | //[^\n]* | ^[ \t]*\#[^\n]* | "[^"\n]*" | '[^'\n]*'
    | (?<!function\s)\bsetDealerCode\s*\(\s*(?P<quote>[`"']?)""",
    re.VERBOSE | re.MULTILINE,
)
_BODIES = {
    "`": re.compile(r"(?:[^`\\]|\\(?s:.))*+"),
    '"': re.compile(r'(?:[^"\\\n]|\\.)*+'),
    "'": re.compile(r"(?:[^'\\\n]|\\.)*+"),
}
_REST = re.compile(
    r"""\s*(?:,\s*(?P<quote>["'`])(?P<seats>[^"'`\n]*)(?P=quote)\s*)?(?:,\s*(?P<rotate>true|false|!?[01])\s*)?,?\s*\)"""
)
_BUTTON = re.compile(r"^Button,(?P<text>[^,\n]*),?(?P<chat>(?:[^,\\\n]|\\(?:\r\n|(?s:.)))*+)", re.MULTILINE)
_SCRIPT = re.compile(r"^Script,([^,\n]+)", re.MULTILINE)
_RECORD = re.compile(r"^(?:(?:Button|Script|Option|Javascript|Alias|Shortcut),|BBOalert\b)", re.MULTILINE)
_IGNORED = re.compile(r'/\*(?s:.*?)(?:\*/|\Z)|//[^\n]*|^[ \t]*#[^\n]*|"[^"\n]*"', re.MULTILINE)
_ENTRY = re.compile(r"^\[[A-Za-z][^\]\n]*\]|\([A-Za-z][\w -]*:[A-Za-z]+\)", re.MULTILINE)
_LAYOUT = re.compile(r"\s*(?:\[[^\]\n]*\]|-{3,}[ \t]*\r?$)", re.MULTILINE)


def read_headers(text: str) -> tuple[dict[str, str], dict[str, str]]:
    r"""Return the headers, and the default values of script variables, in the comments of a script.

    Returns
    -------
    metadata : dict of str to str
        The values of the header lines, by those keys that are in `KEYS`; and ``chat``, the chat text.
    defaults : dict of str to str
        The values of script variables by name, from lines such as ``# param low = 15  # points``.

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
    """Return the name of a scenario from its headers; empty if there is none.

    >>> find_scenario_name({"alias": "Demo", "button-text": "Weak twos"})
    'Weak twos'
    """
    return next((metadata[key] for key in _TITLES if metadata.get(key)), "")


def find_dealer(metadata: Mapping[str, str], rules: Rules) -> int | None:
    """Return the dealer (N E S W = 0..3) of a scenario without a `dealer` statement; None if unknown.

    It is the seat in the call of a BBOalert file, if there is exactly one; without such a call, in modern
    scripts, that of the header ``dealer-position``.

    Raises
    ------
    ArgumentError
        The header is not a seat.

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


def unwrap(source: ScriptSource) -> tuple[str, dict[str, str]] | None:
    r"""Return the dealer text of a file for BBOalert; None if the text is not such a file.

    Returns
    -------
    text : str
        The dealer text, with blanks in place of the rest of the file, so that places in both are the same.
    metadata : dict of str to str
        ``seats``, the letters of the seats that may deal; ``rotate``, ``true`` or ``false``; and, if the file
        has them, ``button-text``, ``alias`` (the name of the script) and ``chat`` (the text of the button).

    Raises
    ------
    ScriptError
        The file is cut off, has JavaScript in place of the text, or has seats that are not seats; or the
        dialect is v1, which has no such files.

    Examples
    --------
    >>> from dealerkit.language.dialects import MODERN
    >>> file = 'Script,Demo\nsetDealerCode(`hcp(south)>9`, "N", false)\nScript'
    >>> text, metadata = unwrap(ScriptSource(file, MODERN))
    >>> text
    '           \n               hcp(south)>9                \n      '
    >>> metadata
    {'alias': 'Demo', 'seats': 'N', 'rotate': 'false'}
    """
    text = source.text
    if "setDealerCode" not in text:
        return None
    # Find the calls of the function outside comments and texts. In v1 they are an error.
    calls = [match for match in _CALL.finditer(text) if match["quote"] is not None]
    if calls and not source.rules.includes:
        name = source.rules.name
        raise source.error(
            f"{name} reads dealer text, and this is a file for BBOalert; use the dialect modern",
            calls[0].start(),
        )
    # The script is in the first call whose text is not blank.
    for call in calls:
        quote, start = call["quote"], call.end()
        if not quote:
            continue
        end = _BODIES[quote].match(text, start).end()  # type: ignore[union-attr]
        if text[end : end + 1] != quote:
            kind = "back-tick" if quote == "`" else "quote"
            raise source.error(
                f"the {kind} that begins the dealer text is never closed; the file seems to be cut off: it "
                'ends with `, "S", true) and the line Script',
                start - 1,
            )
        if text[start:end].strip():
            return _blank(text, start, end), _read_records(source, start, end)
    # If there is none, say what the calls of the file have instead.
    if calls and not calls[-1]["quote"]:
        raise source.error(
            "the first argument of setDealerCode is not a text; write the dealer text there in back-ticks",
            calls[-1].end(),
        )
    if calls:
        raise source.error("this call only opens the dialog; the file has no dealer text", calls[-1].start())
    return None


def _blank(text: str, start: int, end: int) -> str:
    r"""Return a text with blanks outside one part of it, and instead of backslashes that escape characters.

    Between back-ticks in JavaScript, ``\\n`` is ``\n``, and a backslash at the end of a line joins it to the
    next line.
    """
    inside = re.sub(r"\\(?=[\\`\"'$\r\n])(.)?", lambda match: " " + (match[1] or ""), text[start:end])
    return re.sub(r"[^\n]", " ", text[:start]) + inside + re.sub(r"[^\n]", " ", text[end:])


def _read_records(source: ScriptSource, start: int, end: int) -> dict[str, str]:
    """Return the metadata in the arguments after the dealer text and in the other records."""
    text, metadata = source.text, {}
    # Check the end of the call, which has the seats and the rotation.
    rest = _REST.match(text, end + 1)
    if rest is None:
        message = 'after the dealer text the seats and the rotation are missing: `, "S", true)'
        if ")" not in text[end:]:
            message += "; the file seems to be cut off"
        raise source.error(message, end)
    # Take the name and the text of the button from the records around the call.
    if name := _SCRIPT.search(text, 0, start):
        metadata["alias"] = name[1].strip()
    if button := _BUTTON.search(text, end) or _BUTTON.search(text, 0, start):
        if label := _read_field(button["text"]):
            metadata["button-text"] = label
        if chat := _read_field(re.sub(r"%[^%\n]*%", "", button["chat"])):
            metadata["chat"] = chat
    # Take the seats, each once, and the rotation.
    seats = "S" if rest["seats"] is None else rest["seats"].strip().upper()
    if not set(seats) <= set("SWNE"):
        raise source.error("the seats that may deal must be letters of SWNE", rest.start("seats"))
    metadata["seats"] = "".join(dict.fromkeys(seats)) or "S"
    metadata["rotate"] = "false" if rest["rotate"] in ("false", "!1", "0") else "true"
    return metadata


def _read_field(text: str) -> str:
    r"""Return the text of a record's field; in it a full-width comma is a comma, and ``\n`` begins a line."""
    text = re.sub(r"\\\r?\n", "", text).replace("\N{FULLWIDTH COMMA}", ",").replace("\\n", "\n")
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


def describe_foreign(text: str) -> str | None:
    """Return a message that says what a text is if it is not dealer text; None if that is not recognised."""
    # Formats that can be recognised by their first characters.
    head = text[:4000].lstrip()
    if re.match(r'(?:%.*\n\s*)*(?:% *(?:PBN|EXPORT)\b|\[(?:Event|Board|Deal) ")', head):
        return (
            "this is a PBN file of deals, not a script; to run a script on its deals, pass it with --source"
        )
    if re.match(r"(?:pn|qx|vg|md|st|rs)\|", head):
        return (
            "this is a LIN file of deals, not a script; to run a script on its deals, pass it with --source"
        )
    if head[:1] in ("{", "["):
        import json  # needed for messages only

        try:
            json.loads(text)
        except (ValueError, RecursionError):
            pass
        else:
            return "this is JSON, not dealer text; give the file of a scenario"
    # Files for BBOalert without dealer text.
    bare = _IGNORED.sub("", text)
    if "setDealerCode" not in bare and _RECORD.search(bare):
        return (
            "this file has records of BBOalert without dealer text: it is an index of scenarios, or cut "
            "off before setDealerCode(`...`); give the file of a scenario"
        )
    if _LAYOUT.match(bare) or _ENTRY.search(bare):
        return "this is a layout of buttons, not dealer text; give the file of a scenario that it names"
    return None


def refuse_foreign(error: ScriptError, text: str) -> ScriptError:
    """Return the error about a text; if the text is not dealer text, return one that says what it is."""
    message = describe_foreign(text)
    return error if message is None else ScriptError(message, error.file, 1, 1, text.split("\n", 1)[0][:200])
