"""Words of the language that a script defines as variables: ``opener = hcp(north) > 12``."""

from __future__ import annotations

from collections.abc import Sequence

from dealerkit.language.source import Token

_ACTIONS = ("ACTION_BARE", "ACTION_CALL", "ACTION_OPTIONAL", "AVERAGE")
_SETTINGS = {"COUNT": "NUMBER", "SEAT_SETTING": "SEAT", "TITLE": "STRING"}  # and what each takes
_FREE = {*_ACTIONS, *_SETTINGS, "FUNCTION", "ITEM", "DEAL", "VULWORD", "HOLDING"}
_RESERVED = ("produce", "generate", "dealer")  # `produce = 10` is a mistake, also for the program dealer
# After these an operand follows, never a statement.
_BEFORE_OPERANDS = {
    "OPERATOR", "PLUS", "MINUS", "EQUAL", "QUESTION", "COLON", "NOT", "LPAR", "ASSIGN",
    "CONDITION", "AVERAGE",
}  # fmt: skip


def mark_variables(tokens: Sequence[Token]) -> None:
    """Make words that the script defines NAME tokens, from their definitions on.

    Any word may be a variable but operators, `any`, `shape`, seats, suits, sides, cards, contracts and the
    statements of dealer. Before a parenthesis a function stays a function; a setting with its value stays a
    statement, and a word after `action` or a comma of an action list an action.
    """
    definitions = [
        index
        for index, token in enumerate(tokens[1:])
        if token.type == "ASSIGN" and tokens[index].type in _FREE and tokens[index].text not in _RESERVED
    ]
    if not definitions:
        return
    absent = Token("", "", 0, 0, tokens[0].source)
    names: set[str] = set()
    depth = 0
    padded = [*tokens, absent, absent, absent]
    before = earlier = absent
    for index, token in enumerate(tokens):
        depth += (token.type == "LPAR") - (token.type == "RPAR")
        after, value, end = padded[index + 1 : index + 4]
        if token.type in _FREE and token.text not in _RESERVED:
            if after.type == "ASSIGN":
                if _is_setting(token, value, end, tokens[index + 2 :]):
                    before, earlier = token, before
                    continue
                names.add(token.text)
            if token.text in names and not _is_keyword(token, after, before, earlier, depth):
                token.type = "NAME"
        before, earlier = token, before


def _is_setting(token: Token, value: Token, end: Token, rest: Sequence[Token]) -> bool:
    """Return whether ``seed = 5`` or ``opener = north`` means the setting, which takes no sign."""
    if value.type != _SETTINGS.get(token.type):
        return False
    if value.type != "NUMBER":
        return True
    is_sum = end.type in ("OPERATOR", "PLUS", "MINUS", "EQUAL", "QUESTION")
    return not is_sum and not any(other.text == token.text and other.type == token.type for other in rest)


def _is_keyword(token: Token, after: Token, before: Token, earlier: Token, depth: int) -> bool:
    """Return whether a word that is a variable, too, has its own meaning here."""
    if after.type == "ASSIGN":
        return False
    if token.type in ("FUNCTION", "ITEM"):
        return after.type == "LPAR"
    if token.type in _ACTIONS:
        return before.type == "ACTION" or (before.type == "COMMA" and depth == 0)
    if token.type in _SETTINGS:
        return after.type == _SETTINGS[token.type] and before.type not in _BEFORE_OPERANDS
    if token.type == "HOLDING":
        return before.type == "SEAT" or (before.type == "COMMA" and earlier.type == "HOLDING")
    return token.type == "VULWORD" and before.type == "VULNERABLE"
