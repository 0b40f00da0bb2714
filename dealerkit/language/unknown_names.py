"""Messages about unknown functions and variables, which say what to write instead."""

from __future__ import annotations

import re
from collections.abc import Collection

from dealerkit import registry
from dealerkit.errors import Remedy, find_name
from dealerkit.language.dialects import DIALECTS, Rules
from dealerkit.language.scenarios import read_headers
from dealerkit.language.signatures import ACTIONS
from dealerkit.language.source import ScriptSource
from dealerkit.language.vocabulary import is_function, list_keyword_tokens, list_keywords

# For each word or phrase, the functions that it can mean.
FUNCTIONS = {
    "points": ("hcp", "cccc", "zar"), "high card": ("hcp",), "strength": ("hcp", "cccc"),
    "losing trick": ("losers", "ltc", "newltc"), "loser": ("losers", "ltc", "newltc"),
    "stopper": ("hascard", "top2", "top3"), "guard": ("hascard", "top2", "top3"),
    "kaplan": ("cccc", "knr", "kaplan", "quality"), "rubens": ("cccc", "knr"), "k&r": ("cccc", "knr"),
    "kr": ("cccc", "knr"), "four c": ("cccc", "quality"), "honour": ("top5", "top4", "top3", "top2"),
    "honor": ("top5", "top4", "top3", "top2"), "balanced": ("balanced", "semibalanced", "shape"),
    "distribution": ("shape", "freakness"),
    "pattern": ("shape",), "void": ("spades", "hearts", "diamonds", "clubs", "shape"),
    "singleton": ("spades", "hearts", "diamonds", "clubs", "shape"),
    "doubleton": ("spades", "hearts", "diamonds", "clubs", "shape"),
    "length": ("spades", "hearts", "diamonds", "clubs", "shape", "long", "fit"), "trump": ("fit", "dds"),
    "support": ("fit",), "double dummy": ("dds", "par"), "tricks": ("dds", "quicktricks", "playingtricks"),
    "control": ("controls",), "matchpoint": ("score", "imps"), "random": ("rnd",), "level": ("rnd",),
    "suit quality": ("quality", "top3", "top5"), "card": ("hascard",), "contract": ("score", "dds"),
    "opening": ("zaropening", "rule20", "rule22", "rule15"), "optimal": ("opc", "par"),
    "slam": ("dds", "par", "controls"), "game": ("dds", "par", "score"), "make": ("dds", "xtricks"),
    "fit": ("fit",), "weak two": ("hcp", "spades", "top3", "quality"), "preempt": ("hcp", "spades", "top3"),
    "1nt": ("shape", "hcp"), "stayman": ("shape", "hcp"), "transfer": ("spades", "hearts"),
    "shortness": ("short321", "short531", "freakness"), "board": ("board",),
}  # fmt: skip


# English words that resemble keywords but mean something else.
_ENGLISH = frozenset(
    "is has in if then else true false with but define let int here "
    "accept as at best by can cards count counts declare do does each equal equals even every few find "
    "first for from get give given hands have high hold holds import in into just keep last least less "
    "like make makes math most much must need no number of on one only other out over please puts round "
    "select show simulate some stop than that the their then there they this to two under until when "
    "where which who will without".split()
)

# Comments that look like includes.
_NO_INCLUDE = re.compile(
    r"""^[ \t]*\#(?:[ \t]*(?i:import)|[ \t]+include|Include|INCLUDE)\s*"([^"\n]{1,80})\"""", re.MULTILINE
)


def describe_unknown_function(name: str, rules: Rules) -> tuple[str, Remedy | None]:
    """Return the reason and the remedy for a call of a function or action that the dialect does not have."""
    elsewhere = [
        other.name
        for other in DIALECTS.values()
        if other.name != rules.name and (name in list_keyword_tokens(other) or is_function(name, other))
    ]
    if elsewhere:
        return f"'{name}' is not known in {rules.name}; it is in {' and '.join(elsewhere)}", None
    words = [word for word in list_keywords(rules) if is_function(word, rules) or word in ACTIONS]
    words += [word for word, (kind, _) in list_keyword_tokens(rules).items() if kind == "SUIT"]
    return f"unknown function '{name[:40]}'", find_word_like(name, words)


def describe_unknown_variable(
    name: str, source: ScriptSource, text: str, variables: Collection[str]
) -> tuple[str, Remedy | None, str]:
    """Return the reason, the remedy and the kind of the mistake for a name that is not defined.

    `text` is the script's text from the name on, and `variables` are the defined ones.
    """
    rules = source.rules
    if is_function(name, rules):
        return f"'{name}' is a function", Remedy(registry.get_function(name).signature), "unknown word"
    if text[len(name) :].lstrip().startswith("("):
        return *describe_unknown_function(name, rules), ""
    reason, kind = f"unknown variable '{name[:40]}'", "unknown variable"
    if rules.includes and name in read_headers(source.text)[1]:
        remedy = Remedy(f"${name[:40]}", "word")
        return f"{reason}; the name of a value from a line `# param` begins with $", remedy, kind
    if rules.includes and (match := _NO_INCLUDE.search(source.text)):
        line = source.text.count("\n", 0, match.end()) + 1
        reason += f'; line {line} is a comment; a file is included with #include "{match[1]}"'
        return reason, None, kind
    words = [*variables, *list_keywords(rules)]
    if "LEVEL" in source.text.upper() and rules.modern_syntax:
        words.append("share")
    return reason, find_word_like(name, words), kind


def find_functions(words: str) -> tuple[str, ...]:
    """Return the functions that a bridge player's words can mean, the most likely first.

    >>> find_functions("Losing tricks")
    ('losers', 'ltc', 'newltc')
    """
    text = " ".join(word.removesuffix("s") for word in words.lower().split())
    keys = [" ".join(word.removesuffix("s") for word in key.split()) for key in FUNCTIONS]
    found = dict(zip(keys, FUNCTIONS.values(), strict=True))
    said = [key for key in found if key in text]
    whole = [
        key for key in said if not any(key in other and key != other for other in said)
    ]  # not "tricks" alone
    parts = [key for key in found if text in key.split() and key not in said]
    matches = sorted(whole + parts, key=len, reverse=True)
    return tuple(dict.fromkeys(name for key in matches for name in found[key]))


def find_word_like(word: str, words: Collection[str]) -> Remedy | None:
    """Return the most similar of some words; None for a common English word or more than 40 letters."""
    return None if len(word) > 40 or word.lower() in _ENGLISH else find_name(word, words)
