"""Messages about characters that begin no token."""

from __future__ import annotations

import re

from dealerkit.cards.names import SEATS, SUITS
from dealerkit.language.dialects import Rules

_STRAY = {
    "&": "a single '&' is not an operator; write `and`",
    "|": "a single '|' is not an operator; write `or`",
    ";": "statements end by themselves; delete the ';'",
    "'": 'a text is written in double quotes: "..."',
    "[": "'[' is used inside shape{} only",
    "]": "']' is used inside shape{} only",
    "}": "this '}' closes nothing",
    "^": "'^' is not an operator",
    "\\": "outside of a text only \\n (a newline for printes) may follow a backslash",
    "\r": "a carriage return without a newline; save the script with ordinary line ends",
    "\f": "a form feed; delete it",
    "\0": "the script holds a NUL byte; it is not a text",
    "\N{NO-BREAK SPACE}": "a no-break space; write an ordinary blank",
    "\N{LESS-THAN OR EQUAL TO}": "write <=",
    "\N{GREATER-THAN OR EQUAL TO}": "write >=",
    "\N{NOT EQUAL TO}": "write !=",
    "\N{MINUS SIGN}": "write an ordinary minus, -",
    "\N{EN DASH}": "write an ordinary minus, -",
    "\N{MULTIPLICATION SIGN}": "write *",
} | dict.fromkeys("\u201c\u201d\u201e\u00ab\u00bb", 'write straight quotes: "..."')
_STRAY_PAIRS = {
    "=>": "'=>' is not an operator; write >=",
    "=<": "'=<' is not an operator; write <=",
    "<>": "'<>' is not an operator; write !=",
    "/*": "this comment is never closed; write */ where it ends",
}
_SYMBOLS = dict(zip("\u2660\u2665\u2666\u2663\u2664\u2661\u2662\u2667", SUITS * 2, strict=True))
_METHOD = re.compile(rf"(\w+)\.({'|'.join(SEATS)})\b")
_COMMENTS = re.compile(r'"[^"]*"|//[^\n]*|#[^\n]*|/\*(?s:.*?)(?:\*/|\Z)')
NESTED_COMMENT = (
    "a comment inside a comment is not possible: the first */ ends both; delete the inner /* and its */"
)


def find_nested_comment(text: str, position: int) -> int | None:
    """Return the offset of the inner ``/*`` if a position is between the ends of two nested comments."""
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
    # A comment inside a comment, and a pair of signs, explain more than the character alone.
    if find_nested_comment(text, position) is not None:
        return f"{NESTED_COMMENT}; this is a part of the outer one"
    if pair in _STRAY_PAIRS:
        return _STRAY_PAIRS[pair]
    # Signs that have a meaning elsewhere in a script.
    if character == '"':
        limit = " on its line" if rules.one_line_strings else ""
        return f'this text has no closing quote{limit}; write " where it ends'
    if character == "{":
        if previous == "SHAPE":
            return "this '{' is never closed; write } where the shapes end"
        return "braces are used after `shape` only; write '(' here and ')' where it ends"
    if character == "." and (match := _METHOD.match(text, text.rfind(" ", 0, position) + 1)):
        return f"a seat stands in parentheses: {match[1]}({match[2]})"
    if character == "#":
        return f"in {rules.name} a # comment must begin in column 1; write // here"
    if character == "$":
        if rules.modern_syntax:
            return "a '$' begins a script variable; write its name or digit after it, as $low or $0"
        if not rules.extensions and (name := re.match(r"\$\w+", text[position:])):
            return f"script variables ({name[0]}) are not known in {rules.name}; they are in modern"
        return "a '$' must be followed by the digit of a script variable, $0 to $9"
    # Characters that have none.
    if character in _STRAY:
        return _STRAY[character]
    if character in _SYMBOLS:
        return _describe_symbol(text, position)
    shown = character if character.isprintable() else f"U+{ord(character):04X}"
    return f"the character '{shown}' has no meaning in a script"


def _describe_symbol(text: str, position: int) -> str:
    """Return the message about a suit's symbol: in a card or holding a letter, elsewhere a word."""
    symbol, suit = text[position], _SYMBOLS[text[position]]
    letter = suit[0].upper()
    before = re.search(r"\b(10|[2-9TJQKA])\Z", text[max(position - 3, 0) : position])
    after = re.match(r"(?:10|[2-9TJQKAx])+\b", text[position + 1 : position + 30])
    if before:
        card = before[1].replace("10", "T") + letter
        return f"a card is written with the letter of its suit: {card}, not {before[1]}{symbol}"
    if after:
        ranks = after[0].replace("10", "T")
        is_card = bool(re.search(r"\bhascard\s*\(\s*\w+\s*,\s*\Z", text[max(position - 40, 0) : position]))
        holding = ranks + letter if is_card and len(ranks) == 1 else letter + ranks
        return f"a suit is written with its letter here: {holding}, not {symbol}{after[0]}"
    return f"suits are written out: {suit}, not {symbol}"
