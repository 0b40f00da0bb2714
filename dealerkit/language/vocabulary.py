"""Which words a script knows, and what kind of token each of them is."""

from __future__ import annotations

import functools
import re

from dealerkit import registry
from dealerkit.cards.names import SEATS, SUITS
from dealerkit.language.dialects import Rules
from dealerkit.language.signatures import ACTIONS

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
_EXTENDED_SETTINGS = ("seed", "title", "opener", "startboard")

CLASSIC_FUNCTIONS = frozenset(
    "hcp hcps ten tens jack jacks queen queens king kings ace aces top2 top3 top4 top5 c13 loser losers "
    "control controls quality cccc trick tricks score imp imps hascard shape rnd".split()
) | {f"pt{number}" for number in range(10)}
EXTENDED_FUNCTIONS = CLASSIC_FUNCTIONS | set("ltc dds par opc trix usereval parcontract".split())

_ACTION_TYPES = {"yes": "ACTION_CALL", "optional": "ACTION_OPTIONAL", "no": "ACTION_BARE"}
_HOLDING = re.compile("[CDHS]A?K?Q?J?T?9?8?7?6?5?4?3?2?")
_CARD = re.compile("[TJQKA][CDHS]")
_DISTRIBUTION = re.compile("(?=[0-9]*x)[0-9x]{4}")
_CONTRACTS = {False: re.compile("x[1-7][CDHSN]"), True: re.compile("[xz][1-7][CDHSN]x{0,2}")}
_OWN_CONTRACT = re.compile("[xz][1-7](?:NT?|[CDHS])x{0,2}")


@functools.cache
def vocabulary(rules: Rules) -> dict[str, tuple[str, str]]:
    """The words with a fixed meaning under these rules: word -> (type of token, its canonical text)."""
    table: dict[str, tuple[str, str]] = {
        "and": ("OPERATOR", "and"),
        "or": ("OPERATOR", "or"),
        "not": ("NOT", "not"),
        "any": ("ANY", "any"),
        "shape": ("SHAPE", "shape"),
        "NS": ("SIDE", "NS"),
        "EW": ("SIDE", "EW"),
    }
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
        if rules.extensions or not action.extension:
            kind = _ACTION_TYPES[action.parenthesised] if action.name != "average" else "AVERAGE"
            table[action.name] = (kind, action.name)
    if rules.extensions:
        table["deal"] = ("DEAL", "deal")
    return table


def classify(word: str, rules: Rules) -> tuple[str, str]:
    """The type of token that a word is, and its canonical text.

    >>> from dealerkit.language.dialects import MODERN
    >>> classify("north", MODERN), classify("SAKQ", MODERN), classify("fits", MODERN)
    (('SEAT', 'north'), ('HOLDING', 'SAKQ'), ('NAME', 'fits'))
    """
    found = vocabulary(rules).get(word)
    if found is not None:
        return found
    if is_function(word, rules):
        function = registry.find_function(word)
        return ("ITEM" if function and function.kind == "item" else "FUNCTION"), word
    if len(word) <= 14:
        if _HOLDING.fullmatch(word):
            return "HOLDING", word
        if _CARD.fullmatch(word):
            return "CARD", word
        if _DISTRIBUTION.fullmatch(word):
            return "DISTRIBUTION", word
        contract = _OWN_CONTRACT if rules.modern_syntax else _CONTRACTS[rules.extensions]
        if contract.fullmatch(word):
            return "CONTRACT", word
    return "NAME", word


def is_function(word: str, rules: Rules) -> bool:
    """Is this a function under these rules? The user's own are known only where our own words are."""
    if word in CLASSIC_FUNCTIONS:
        return True
    if rules.modern_syntax:
        return registry.find_function(word) is not None
    return rules.extensions and word in EXTENDED_FUNCTIONS


def is_open(word: str, rules: Rules) -> bool:
    """Is this a function only where a parenthesis follows, and else free for variables?

    So are all functions that DealerV2 does not know: a new one breaks no script.
    """
    return rules.modern_syntax and word not in EXTENDED_FUNCTIONS and classify(word, rules)[0] == "FUNCTION"


def list_keywords(rules: Rules) -> list[str]:
    """All words that mean something under these rules, to offer the nearest of them."""
    functions = [word for word in (*CLASSIC_FUNCTIONS, *registry.spellings()) if is_function(word, rules)]
    return sorted({*vocabulary(rules), *functions})
