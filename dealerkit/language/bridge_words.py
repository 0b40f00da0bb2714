"""Words of bridge players that are not words of the language, and what to write or to look for instead."""

from __future__ import annotations

import re

from dealerkit.cards.names import SEATS, SUITS

BALANCED = "any 4333 + any 4432 + any 5332"
_SHAPES = {
    "balanced": BALANCED,
    "bal": BALANCED,
    "flat": "any 4333",
    "semibalanced": f"{BALANCED} + any 5422 + any 6322",
    "unbalanced": f"xxxx - {BALANCED.replace('+', '-')}",
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


_CALL = re.compile(r"\w+\s*\(\s*(north|east|south|west)\b(?:\s*,\s*(spades|hearts|diamonds|clubs)\b)?")


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
    match = re.match(
        r"\w+\s*\(\s*(north|east|south|west)\b(?:\s*,\s*(spades|hearts|diamonds|clubs)\b)?", call
    )
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
    """Return what a letter such as ``S`` stands for as an argument, in a message; "" if nothing is known."""
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
