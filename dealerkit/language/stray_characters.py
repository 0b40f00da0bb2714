"""Messages about characters that begin no token."""

from __future__ import annotations

import re

from dealerkit.language.dialects import Rules

_STRAY = {
    "&": "a single '&' is not an operator; write `and`",
    "|": "a single '|' is not an operator; write `or`",
    ";": "statements need no ';'; delete it",
    "'": 'a text is written in double quotes: "..."',
    "[": "'[' is used inside shape{} only",
    "]": "']' is used inside shape{} only",
    "}": "this '}' closes nothing",
    "\\": "outside a text, a backslash can only be part of \\n (a newline for printes)",
    "\r": "this is a carriage return without a newline; save the script with ordinary line ends",
    "\f": "this is a form feed; delete it",
    "\0": "the script contains a NUL byte, so it is not a text",
}
_COMMENTS = re.compile(r'"[^"]*"|//[^\n]*|#[^\n]*|/\*(?s:.*?)(?:\*/|\Z)')
NESTED_COMMENT = "a comment cannot contain a comment: the first */ ends both; delete the inner /* and its */"


def find_nested_comment(text: str, position: int) -> int | None:
    """Return the offset of the inner ``/*`` if a position is between the ends of nested comments, or None."""
    before = [match for match in _COMMENTS.finditer(text, 0, position) if match[0].startswith("/*")]
    if not before or "/*" not in before[-1][0][2:-2]:
        return None
    end = text.find("*/", before[-1].end())
    if end < 0 or position > end + 1 or "/*" in text[before[-1].end() : end]:
        return None
    return before[-1].start() + before[-1][0].index("/*", 2)


def describe_stray(text: str, position: int, rules: Rules, previous: str) -> str:
    """Return the message about a character of a text that begins no token.

    `previous` is the type of the token before it.
    """
    character, pair = text[position], text[position : position + 2]
    # Look for nested and endless comments first.
    if find_nested_comment(text, position) is not None:
        return f"{NESTED_COMMENT}; this is a part of the outer one"
    if pair == "/*":
        return "this comment is never closed; write */ where it ends"
    # Characters that have a meaning elsewhere in a script.
    if character == '"':
        limit = " on its line" if rules.one_line_strings else ""
        return f'this text has no closing quote{limit}; write " where it ends'
    if character == "{":
        if previous == "SHAPE":
            return "this '{' is never closed; write } where the shapes end"
        return "braces are used after `shape` only; write '(' here and ')' where it ends"
    if character == "#":
        return f"in {rules.name} a # comment must begin in column 1; write // here"
    if character == "$":
        if rules.modern_syntax:
            return "a '$' begins a script variable; write its name or digit after it, such as $low or $0"
        if not rules.extensions and (name := re.match(r"\$\w+", text[position:])):
            return f"script variables ({name[0]}) are not known in {rules.name}, only in modern"
        return "a '$' must be followed by the digit of a script variable, $0 to $9"
    # Other characters.
    if character in _STRAY:
        return _STRAY[character]
    shown = character if character.isprintable() else f"U+{ord(character):04X}"
    return f"the character '{shown}' has no meaning in a script"
