"""Typical mistakes in a word or in the sign after it, each with the text to write instead.

Each function returns the error about one kind of mistake, or None for other mistakes.
"""

from __future__ import annotations

from dealerkit.cards.names import SEATS
from dealerkit.errors import ScriptError
from dealerkit.language.bridge_words import describe_letter_alone
from dealerkit.language.dialects import Rules
from dealerkit.language.levels import LEVEL_EXAMPLE
from dealerkit.language.source import Token
from dealerkit.language.unexpected_token import STATEMENTS, UnexpectedTokenReader

_BETWEEN_SIDES = (",", "and", "+", "&&", "or", "/", "-")


def match_vulnerability(mistake: UnexpectedTokenReader) -> ScriptError | None:
    """Match ``vul all``, and two sides with a sign between them."""
    token, before, after = mistake.token, mistake.before, mistake.after
    sides = ("VULWORD", "SIDE", "NAME")
    if (
        token.type == "VULWORD"
        and token.text in ("vul", "nv")
        and after.type in sides
        and not _opens(mistake)
    ):
        value = after.text if after.type != "NAME" else "all"
        return token.error(
            f"vulnerability is written out: vulnerable {value if token.text == 'vul' else 'none'}"
        )
    earlier = mistake.tokens[mistake.index - 2] if mistake.index > 1 else before
    if earlier.type == "VULNERABLE" and token.text in _BETWEEN_SIDES and after.type in sides:
        return token.error("write `vulnerable all` where both sides are vulnerable")
    return None


def match_predeal_sign(mistake: UnexpectedTokenReader) -> ScriptError | None:
    """Match ``predeal north: SAK``."""
    token, before = mistake.token, mistake.before
    if before.type != "SEAT" or token.text not in (":", "=", "=="):
        return None
    statement = (other for other in reversed(mistake.tokens[mistake.start : mistake.index]))
    if next((other.type for other in statement if other.type in STATEMENTS), "") != "PREDEAL":
        return None
    return token.error(f"the cards follow the seat without a sign; delete the '{token.text}'")


def match_inner_parenthesis(mistake: UnexpectedTokenReader) -> ScriptError | None:
    """Match ``hcp((north) > 12`` and ``hcp((north)) > 12``."""
    token, before, index = mistake.token, mistake.before, mistake.index
    if token.type not in ("SEAT", "SIDE") or before.type != "LPAR" or index - mistake.start < 3:
        return None
    outer, word = mistake.tokens[index - 2], mistake.tokens[index - 3]
    if outer.type != "LPAR" or word.type not in ("FUNCTION", "SUIT", "SHAPE"):
        return None
    return before.error(f"an argument has no parentheses of its own: {word.text}({token.text})")


def match_include(mistake: UnexpectedTokenReader) -> ScriptError | None:
    """Match ``include "file"`` without its sign."""
    word, token = mistake.before, mistake.token
    if token.type != "STRING" or word.text.lower() not in ("include", "import") or not mistake.rules.includes:
        return None
    return word.error(f'a file is included with # at the beginning of a line: #include "{token.text[:60]}"')


def match_level_word(mistake: UnexpectedTokenReader) -> ScriptError | None:
    """Match `level` with capitals, and in a dialect that does not have it."""
    word, token = mistake.before, mistake.token
    if token.type != "STRING" or word.type != "NAME" or word.text.lower() != "level":
        return None
    if mistake.rules.modern_syntax:
        return word.error(f"`level` is written in small letters: {LEVEL_EXAMPLE}")
    return word.error(describe_level_elsewhere(mistake.rules))


def describe_level_elsewhere(rules: Rules) -> str:
    """Return the message about `level` in a dialect that does not have it."""
    command = f"dealerkit translate --level --to {rules.name} FILE"
    return f"there is no statement `level` in {rules.name}; `{command}` writes keep rates in its place"


def match_name_of_a_hand(mistake: UnexpectedTokenReader) -> ScriptError | None:
    """Match ``S > 12`` and ``NS > 12``, where an expression is expected; N, E and W are names."""
    token = mistake.token
    if "NUMBER" not in mistake.accepted or "LPAR" not in mistake.accepted or _opens(mistake):
        return None
    if token.type == "SIDE":
        first, second = (name for name in SEATS if name[0].upper() in token.text)
        return token.error(
            f"'{token.text}' is no value; the points of both hands are hcp({first}) + hcp({second})"
        )
    text = describe_letter_alone(token.text) if token.type == "HOLDING" else ""
    return token.error(text) if text else None


def _opens(mistake: UnexpectedTokenReader) -> bool:
    """Return whether the token is an argument."""
    opened = mistake.find_open_parentheses()
    if not opened or opened[-1] == 0:
        return False
    word: Token = mistake.tokens[opened[-1] - 1]
    return word.type in ("FUNCTION", "SUIT", "SHAPE", "ACTION_CALL", "ACTION_OPTIONAL", "NAME")


MATCHERS = (
    match_vulnerability, match_predeal_sign, match_inner_parenthesis, match_include, match_level_word,
)  # fmt: skip
