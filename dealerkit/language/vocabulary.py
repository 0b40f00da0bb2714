"""The keywords of the language, the token type of each word, and words that a script defines as variables."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence

from dealerkit import registry
from dealerkit.cards.names import SEATS, SUITS
from dealerkit.language.dialects import MODERN, Rules
from dealerkit.language.signatures import ACTIONS, ActionSignature, load_action, load_all_actions
from dealerkit.language.source import Token

SUIT_WORDS = {word: index for index, name in enumerate(SUITS) for word in (name, name[:-1])}
NOTRUMP_WORDS = ("notrump", "notrumps")
SETTINGS = {
    "generate": "COUNT", "produce": "COUNT", "seed": "COUNT", "startboard": "COUNT",
    "dealer": "SEAT_SETTING", "opener": "SEAT_SETTING", "vulnerable": "VULNERABLE", "title": "TITLE",
}  # fmt: skip
_LISTS = {
    "predeal": "PREDEAL", "pointcount": "POINTCOUNT", "altcount": "ALTCOUNT",
    "condition": "CONDITION", "action": "ACTION",
}  # fmt: skip
# The types of token that begin a statement.
STATEMENTS = {
    "ACTION", "CONDITION", "PREDEAL", "POINTCOUNT", "ALTCOUNT",
    "COUNT", "LEVEL", "SEAT_SETTING", "VULNERABLE", "TITLE",
}  # fmt: skip
_EXTENDED_SETTINGS = ("seed", "title", "opener", "startboard")
# Types of token of the words that a script may define as variables.
_ACTION_WORDS = ("ACTION_BARE", "ACTION_CALL", "ACTION_OPTIONAL", "AVERAGE")
_SETTING_VALUES = {"COUNT": "NUMBER", "SEAT_SETTING": "SEAT", "TITLE": "STRING"}  # and their values' types
_FREE = {*_ACTION_WORDS, *_SETTING_VALUES, "FUNCTION", "ITEM", "DEAL", "VULWORD", "HOLDING"}
_RESERVED = ("produce", "generate", "dealer")  # `produce = 10` is a mistake, in the program dealer too
# After these types an operand follows, never a statement.
_BEFORE_OPERANDS = {
    "OPERATOR", "PLUS", "MINUS", "EQUAL", "QUESTION", "COLON", "NOT", "LPAR", "ASSIGN",
    "CONDITION", "AVERAGE",
}  # fmt: skip

_ACTION_TYPES = {"yes": "ACTION_CALL", "optional": "ACTION_OPTIONAL", "no": "ACTION_BARE"}
TOKEN_MEANINGS = {
    "HOLDING": "a holding",
    "CARD": "a card",
    "DISTRIBUTION": "a shape",
    "CONTRACT": "a contract",
}
_HOLDING = re.compile("[CDHS]A?K?Q?J?T?9?8?7?6?5?4?3?2?")
_CARD = re.compile("[TJQKA][CDHS]")
_DISTRIBUTION = re.compile("(?=[0-9]*x)[0-9x]{4}")
_CONTRACTS = {False: re.compile("x[1-7][CDHSN]"), True: re.compile("[xz][1-7][CDHSN]x{0,2}")}
_MODERN_CONTRACT = re.compile("[xz][1-7](?:NT?|[CDHS])x{0,2}")


def has_action(action: ActionSignature, rules: Rules) -> bool:
    """Return whether a dialect has an action."""
    return rules.modern_syntax or not (action.modern or (action.extension and not rules.extensions))


def list_keyword_tokens(rules: Rules) -> dict[str, tuple[str, str]]:
    """Return the keywords of a dialect, each with its type of token and its canonical text."""
    return _build_keyword_tokens(rules, len(ACTIONS))


@functools.cache
def _build_keyword_tokens(rules: Rules, n_actions: int) -> dict[str, tuple[str, str]]:
    """Return the keywords of a dialect; `n_actions` is part of the cache's key, since actions are loaded."""
    table: dict[str, tuple[str, str]] = {
        "and": ("OPERATOR", "and"),
        "or": ("OPERATOR", "or"),
        "not": ("NOT", "not"),
        "any": ("ANY", "any"),
        "shape": ("SHAPE", "shape"),
        "NS": ("SIDE", "NS"),
        "EW": ("SIDE", "EW"),
    }
    # Add the words of bridge, then the statements and actions that the dialect has.
    vulnerabilities = ["nv", "vul", "none", "ns", "ew", "all"] + ["both"] * rules.extensions
    table |= {word: ("VULWORD", word) for word in vulnerabilities}
    table |= {word: ("SEAT", word) for word in SEATS}
    table |= {word: ("SUIT", word) for word in SUIT_WORDS}
    table |= {word: ("STRAIN", "notrump") for word in NOTRUMP_WORDS}
    table |= {word: (kind, word) for word, kind in _LISTS.items()}
    table |= {
        word: (kind, word)
        for word, kind in SETTINGS.items()
        if rules.extensions or word not in _EXTENDED_SETTINGS
    }
    for action in ACTIONS.values():
        if has_action(action, rules):
            takes_value = action.parenthesised == "no" and action.arguments
            kind = "AVERAGE" if takes_value else _ACTION_TYPES[action.parenthesised]
            table[action.name] = (kind, action.name)
    if rules.extensions:
        table["deal"] = ("DEAL", "deal")
    return table


def classify_word(word: str, rules: Rules) -> tuple[str, str]:
    """Return the type of token of a word, and its canonical text.

    >>> from dealerkit.language.dialects import MODERN
    >>> classify_word("north", MODERN), classify_word("SAKQ", MODERN), classify_word("fits", MODERN)
    (('SEAT', 'north'), ('HOLDING', 'SAKQ'), ('NAME', 'fits'))
    """
    token = list_keyword_tokens(rules).get(word)
    if token is None and rules.modern_syntax and load_action(word):
        token = list_keyword_tokens(rules).get(word)
    if token is not None:
        return token
    if is_function(word, rules):
        function = registry.find_function(word)
        return ("ITEM" if function and function.kind == "item" else "FUNCTION"), word
    return _classify_cards(word, rules), word


def _classify_cards(word: str, rules: Rules) -> str:
    """Return the type of token of a holding, card, shape or contract; NAME for other words."""
    contract = _MODERN_CONTRACT if rules.modern_syntax else _CONTRACTS[rules.extensions]
    patterns = {"HOLDING": _HOLDING, "CARD": _CARD, "DISTRIBUTION": _DISTRIBUTION, "CONTRACT": contract}
    matches = (kind for kind, pattern in patterns.items() if len(word) <= 14 and pattern.fullmatch(word))
    return next(matches, "NAME")


def find_meaning(word: str) -> str | None:
    """Return what a word other than a function means in modern scripts, for messages; None for a name.

    >>> find_meaning("any"), find_meaning("x100"), find_meaning("fits")
    ('a keyword', 'a shape', None)
    """
    if word in list_keyword_tokens(MODERN):
        return "a keyword"
    return TOKEN_MEANINGS.get(_classify_cards(word, MODERN))


registry.reserve_words(find_meaning)


def is_function(word: str, rules: Rules) -> bool:
    """Return whether a word is a function in a dialect; functions of users are in modern scripts only."""
    function = registry.find_function(word)
    if function is None:
        return False
    return rules.modern_syntax or word in function.dealer or (rules.extensions and word in function.dealerv2)


def is_contextual(word: str, rules: Rules) -> bool:
    """Return whether a word is a function only before a parenthesis, and otherwise a variable.

    This is so for all functions that the old programs do not have, so that a new one breaks no script.
    """
    function = registry.find_function(word)
    is_new = function is not None and word not in (*function.dealer, *function.dealerv2)
    return rules.modern_syntax and is_new and classify_word(word, rules)[0] == "FUNCTION"


def list_keywords(rules: Rules) -> list[str]:
    """Return all keywords and functions of a dialect, for suggestions."""
    load_all_actions()
    functions = [word for word in registry.spellings() if is_function(word, rules)]
    return sorted({*list_keyword_tokens(rules), *functions})


def mark_variables(tokens: Sequence[Token]) -> None:
    """Turn the tokens of words that the script defines as variables into NAME tokens, in place.

    They change from the definition on. Any word can be a variable except operators, `any`, `shape`, seats,
    suits, sides, cards, contracts and the statements of dealer. A function before a parenthesis stays a
    function, a setting with its value stays a statement, and a word after `action` or a comma of an action
    list stays an action.
    """
    # Return early, because most scripts define no such word.
    definitions = [
        index
        for index, token in enumerate(tokens[1:])
        if token.type == "ASSIGN" and tokens[index].type in _FREE and tokens[index].text not in _RESERVED
    ]
    if not definitions:
        return
    # Look at each token with the two before and the three after it.
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
    """Return whether ``seed = 5`` or ``opener = north`` was meant as the setting, which takes no sign."""
    if value.type != _SETTING_VALUES.get(token.type):
        return False
    if value.type != "NUMBER":
        return True
    is_sum = end.type in ("OPERATOR", "PLUS", "MINUS", "EQUAL", "QUESTION")
    return not is_sum and not any(other.text == token.text and other.type == token.type for other in rest)


def _is_keyword(token: Token, after: Token, before: Token, earlier: Token, depth: int) -> bool:
    """Return whether a word that is also a variable is used in its own meaning here."""
    if after.type == "ASSIGN":
        return False
    if token.type in ("FUNCTION", "ITEM"):
        return after.type == "LPAR"
    if token.type in _ACTION_WORDS:
        return before.type == "ACTION" or (before.type == "COMMA" and depth == 0)
    if token.type in _SETTING_VALUES:
        return after.type == _SETTING_VALUES[token.type] and before.type not in _BEFORE_OPERANDS
    if token.type == "HOLDING":
        return before.type == "SEAT" or (before.type == "COMMA" and earlier.type == "HOLDING")
    return token.type == "VULWORD" and before.type == "VULNERABLE"
