"""Messages about unknown functions and variables: what to write instead of a word that players use."""

from __future__ import annotations

import re
from collections.abc import Collection

from dealerkit import registry
from dealerkit.cards.names import SEATS, SUITS
from dealerkit.errors import suggest_name
from dealerkit.language.dialects import DIALECTS
from dealerkit.language.scenarios import read_headers
from dealerkit.language.signatures import ACTIONS
from dealerkit.language.source import ScriptSource
from dealerkit.language.vocabulary import is_function, list_keyword_tokens, list_keywords

_BALANCED = "any 4333 + any 4432 + any 5332"
_SHAPES = {
    "balanced": _BALANCED,
    "bal": _BALANCED,
    "flat": "any 4333",
    "semibalanced": f"{_BALANCED} + any 5422 + any 6322",
    "unbalanced": f"xxxx - {_BALANCED.replace('+', '-')}",
    "threesuited": "any 4441 + any 5440",
}
# What to write for a word; {seat} is the seat of the call or north.
_EXPRESSIONS = {word: f"shape({{seat}}, {shapes})" for word, shapes in _SHAPES.items()} | {
    "points": "hcp({seat})", "pts": "hcp({seat})", "point": "hcp({seat})", "highcardpoints": "hcp({seat})",
    "ace": "aces({seat})", "king": "kings({seat})", "queen": "queens({seat})", "jack": "jacks({seat})",
    "ten": "tens({seat})", "control": "controls({seat})", "loser": "losers({seat})",
    "length": "spades({seat})", "len": "spades({seat})", "suit": "spades({seat})",
    "void": "spades({seat}) == 0", "singleton": "spades({seat}) == 1", "doubleton": "spades({seat}) == 2",
    "longest": "max(spades({seat}), hearts({seat}), diamonds({seat}), clubs({seat}))",
    "shortest": "min(spades({seat}), hearts({seat}), diamonds({seat}), clubs({seat}))",
    "major": "max(spades({seat}), hearts({seat}))", "majors": "max(spades({seat}), hearts({seat}))",
    "minor": "max(diamonds({seat}), clubs({seat}))", "minors": "max(diamonds({seat}), clubs({seat}))",
    "has": "hascard({seat}, AS)", "holds": "hascard({seat}, AS)", "card": "hascard({seat}, AS)",
    "hascards": "hascard({seat}, AS) and hascard({seat}, KS)",
    "stopper": "(hascard({seat}, AS) or hascard({seat}, KS) and spades({seat}) >= 2)",
    "honors": "top5({seat}, spades)", "honours": "top5({seat}, spades)",
    "toptricks": "quicktricks({seat})", "qt": "quicktricks({seat})", "abs": "max(x, 0 - x)",
    "tricks": "dds({seat}, notrump)", "random": "rnd(100)", "rand": "rnd(100)",
}  # fmt: skip
# Words of other languages, and what this one has in their place.
_REMARKS = {
    "if": "a condition is written without if: hcp(north) > 14; a choice is written a ? b : c",
    "then": "a choice is written a ? b : c",
    "else": "a choice is written a ? b : c",
    "between": "a range takes two comparisons, such as hcp(north) >= 12 and hcp(north) <= 14",
    "in": "a range takes two comparisons, such as hcp(north) >= 12 and hcp(north) <= 14",
    "true": "write 1",
    "false": "write 0",
    "xor": "write a != b",
    "is": "write ==",
    "with": "write and",
    "but": "write and",
    "define": "a variable is defined as name = expression",
    "let": "a variable is defined as name = expression",
    "int": "a variable is defined as name = expression",
}
# For each word or phrase, the functions that it means.
FUNCTIONS = {
    "points": ("hcp", "cccc", "zar"), "high card": ("hcp",), "strength": ("hcp", "cccc"),
    "losing trick": ("losers", "ltc", "newltc"), "loser": ("losers", "ltc", "newltc"),
    "stopper": ("hascard", "top2", "top3"), "guard": ("hascard", "top2", "top3"),
    "kaplan": ("cccc", "knr", "kaplan", "quality"), "rubens": ("cccc", "knr"), "k&r": ("cccc", "knr"),
    "kr": ("cccc", "knr"), "four c": ("cccc", "quality"), "honour": ("top5", "top4", "top3", "top2"),
    "honor": ("top5", "top4", "top3", "top2"), "balanced": ("shape",), "distribution": ("shape", "freakness"),
    "pattern": ("shape",), "void": ("spades", "hearts", "diamonds", "clubs", "shape"),
    "singleton": ("spades", "hearts", "diamonds", "clubs", "shape"),
    "doubleton": ("spades", "hearts", "diamonds", "clubs", "shape"),
    "length": ("spades", "hearts", "diamonds", "clubs", "shape", "fit"), "trump": ("fit", "dds"),
    "support": ("fit",), "double dummy": ("dds", "par"), "tricks": ("dds", "quicktricks", "playingtricks"),
    "control": ("controls",), "matchpoint": ("score", "imps"), "random": ("rnd",), "level": ("rnd",),
    "suit quality": ("quality", "top3", "top5"), "card": ("hascard",), "contract": ("score", "dds"),
    "opening": ("zaropening", "rule20", "rule22", "rule15"), "optimal": ("opc", "par"),
    "slam": ("dds", "par", "controls"), "game": ("dds", "par", "score"), "make": ("dds", "xtricks"),
    "fit": ("fit",), "weak two": ("hcp", "spades", "top3", "quality"), "preempt": ("hcp", "spades", "top3"),
    "1nt": ("shape", "hcp"), "stayman": ("shape", "hcp"), "transfer": ("spades", "hearts"),
    "shortness": ("short321", "short531", "freakness"), "board": ("board",),
}  # fmt: skip


# Words that resemble keywords and mean something else.
_ENGLISH = frozenset(
    "accept as at best by can cards count counts declare do does each equal equals even every few find "
    "first for from get give given hands have high hold holds import in into just keep last least less "
    "like make makes math most much must need no number of on one only other out over please puts round "
    "select show simulate some stop than that the their then there they this to two under until when "
    "where which who will without".split()
)

# A call with a seat and perhaps a suit, which the text to write takes over.
_CALL = re.compile(r"\w+\s*\(\s*(north|east|south|west)\b(?:\s*,\s*(spades|hearts|diamonds|clubs)\b)?")

# Comments that look like an include, and definitions that lack their sign or have a name of two words.
_NO_INCLUDE = re.compile(
    r"""^[ \t]*\#(?:[ \t]*(?i:import)|[ \t]+include|Include|INCLUDE)\s*"([^"\n]{1,80})\"""", re.MULTILINE
)
_NO_SIGN = re.compile(r"[ \t]+((?:not[ \t]+)?\(*(\w+)[({][^\n]*)")
_TWO_WORDS = re.compile(r"[ \t]+(\w+)[ \t]*=(?!=)")


def describe_unknown_function(name: str, source: ScriptSource, call: str = "") -> str:
    """Return the message about a call of a function or action that does not exist.

    `call` is the text from the name on.
    """
    rules = source.rules
    elsewhere = [
        other.name
        for other in DIALECTS.values()
        if other.name != rules.name and (name in list_keyword_tokens(other) or is_function(name, other))
    ]
    if elsewhere:
        return f"'{name}' is not known in {rules.name}; it is in {' and '.join(elsewhere)}"
    words = [word for word in list_keywords(rules) if is_function(word, rules) or word in ACTIONS]
    words += [word for word, (kind, _) in list_keyword_tokens(rules).items() if kind == "SUIT"]
    hint = suggest_expression(name, call) or suggest_word(name, words)
    return f"unknown function '{name[:40]}'{hint}"


def describe_unknown_variable(name: str, source: ScriptSource, text: str, variables: Collection[str]) -> str:
    """Return the message about a name that is not defined.

    `text` is that of the script from the name on, `variables` are those that are defined.
    """
    if is_function(name, source.rules):
        return f"'{name}' is a function; write {registry.get_function(name).signature}"
    if text[len(name) :].lstrip().startswith("("):
        return describe_unknown_function(name, source, text)
    if not {name.lower(), name.upper()} & {*variables} and (alone := describe_letter_alone(name)):
        return alone
    if not (expression := suggest_expression(name)) and (hint := _suggest_line(name, source, text)):
        return f"unknown variable '{name[:40]}'; {hint}"
    words = [*variables, *list_keywords(source.rules)]
    if "LEVEL" in source.text.upper() and source.rules.modern_syntax:
        words.append("share")
    return f"unknown variable '{name[:40]}'{expression or suggest_word(name, words)}"


def find_shapes(word: str) -> str | None:
    """Return the list of shapes that a word such as ``balanced`` means, or None."""
    return _SHAPES.get(word.lower().replace("_", ""))


def suggest_expression(word: str, call: str = "") -> str:
    """Return the end of a message about an unknown word: what to write instead, or nothing.

    `call` is the text from the word on.

    >>> suggest_expression("balanced", "balanced(south)")
    '; write shape(south, any 4333 + any 4432 + any 5332)'
    >>> suggest_expression("if"), suggest_expression("fits")
    ('; a condition is written without if: hcp(north) > 14; a choice is written a ? b : c', '')
    """
    key = word.lower().replace("_", "")
    if key in _REMARKS:
        return f"; {_REMARKS[key]}"
    expression = _EXPRESSIONS.get(key)
    if expression is None:
        return ""
    match = _CALL.match(call)
    seat, suit = match.groups() if match else ("north", None)
    text = expression.format(seat=seat or "north")
    return f"; write {text.replace('spades', suit) if suit and 'hearts' not in text else text}"


def find_functions(words: str) -> tuple[str, ...]:
    """Return the functions that words of bridge players mean, the most likely first.

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


def describe_letter(text: str, kinds: tuple[str, ...], position: int) -> str:
    """Return the message about a letter such as ``S`` as an argument; "" if its meaning is not known."""
    kind = kinds[min(position, len(kinds) - 1)] if kinds else ""
    choices = kind.rstrip("?.").split("|")
    for choice, names, what in (
        ("seat", SEATS, "seats"),
        ("suit", SUITS, "suits"),
        ("strain", SUITS, "suits"),
    ):
        word = next((name for name in names if name[0] == text.lower()), None)
        if choice in choices and word:
            return f"{what} are written out: {word}, not {text}"
    return "write notrump" if "strain" in choices and text.upper() in ("N", "NT") else ""


def describe_letter_alone(letter: str) -> str:
    """Return the message about the letter of a seat or suit in the place of a value; "" for others.

    >>> describe_letter_alone("N"), describe_letter_alone("x")
    ("'N' is no value; the points of this hand are hcp(north)", '')
    """
    seat = next((name for name in SEATS if name[0] == letter.lower()), "")
    suit = next((name for name in SUITS if name[0] == letter.lower()), "")
    points = f"the points of this hand are hcp({seat})" if seat else ""
    length = f"the number of {suit} is {suit}(north)" if suit else ""
    meanings = ", ".join(filter(None, (points, length)))
    return f"'{letter}' is no value; {meanings}" if len(letter) == 1 and meanings else ""


def suggest_word(word: str, words: Collection[str]) -> str:
    """Return `suggest_name` for words of at most 40 letters that are no ordinary English words."""
    return "" if len(word) > 40 or word.lower() in _ENGLISH else suggest_name(word, words)


def _suggest_line(name: str, source: ScriptSource, text: str) -> str:
    """Return the end of a message: a correction of the line of an unknown name, or of another; or ""."""
    rest = text[len(name) :]
    line = text.partition("\n")[0]
    if re.search(rf"^[ \t]*{re.escape(line)}", source.text, re.MULTILINE):
        if match := _TWO_WORDS.match(rest):
            return f"a name is one word: {name[:40]}_{match[1][:40]}"
        if (match := _NO_SIGN.match(rest)) and is_function(match[2], source.rules):
            line = re.split(r"\s*(?://|/\*|#)", match[1])[0].rstrip()
            return f"a definition has the sign =: {name[:40]} = {line if len(line) <= 60 else '...'}"
    if source.rules.includes:
        if name in read_headers(source.text)[1]:
            return f"a value from a line `# param` has the sign $: ${name[:40]}"
        if match := _NO_INCLUDE.search(source.text):
            line_number = source.text.count("\n", 0, match.end()) + 1
            return f'line {line_number} is a comment; a file is included with #include "{match[1]}"'
    return ""
