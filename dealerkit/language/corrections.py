"""Write in the dealer language what a script has in the notation of another program or in plain English.

Each function takes the match of a pattern of `notations.NOTATIONS` and returns the text to write instead; an
empty text means that it knows none. `PARTS` has the groups of the patterns, in which ``~`` means any number
of blanks.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable

from dealerkit import registry
from dealerkit.cards.names import RANKS, SEATS, SUITS
from dealerkit.errors import find_name
from dealerkit.language.dialects import Rules
from dealerkit.language.vocabulary import classify_word, is_function, list_keyword_tokens, list_keywords

Match = re.Match[str]

_CALL = r"\w+~\((?:[^()]|\([^()]*\))*\)"
_NO_KEYWORD = (
    r"(?!(?:and|or|not|if|in|is|to|condition|action|average|any|between|either|neither|nor|has|than|more|less|"
    r"least|most|where|accept|return|only|unless|then|else|produce|generate|predeal)\b)"
)
_OPERAND = rf"(?:{_NO_KEYWORD}(?:{_CALL}|\b[a-z_]\w*))"
_OPERAND_PATTERN = _OPERAND.replace("~", r"\s*")
PARTS = {
    "value": rf"{_OPERAND}(?:~[-+*]~{_OPERAND})*",
    "other": rf"{_OPERAND}(?:~[-+*]~{_OPERAND})*",
    "function": r"\b[a-z]\w*",
    "name": r"\b[a-z_]\w*",
    "seat": rf"\b(?:{'|'.join(SEATS)})\b",
    "second": rf"\b(?:{'|'.join(SEATS)})\b",
    "suit": r"\b(?:spade|heart|diamond|club)s?\b",
    "sign": "[<>=!]=|[<>]",
    "n": r"\d+(?:\.\d+)?",
    "low": r"\d+(?:\.\d+)?",
    "high": r"\d+(?:\.\d+)?",
    "from": r"\d+(?:\.\d+)?",
    "to": r"\d+(?:\.\d+)?",
    "label": r'"[^"]*"',
    "rest": r"\S(?:.*\S)?",
    "also": r"\b(?:spade|heart|diamond|club)s?\b",
    "owner": rf"\b(?:{'|'.join(SEATS)}|[NESW])\b",
    "unit": r"(?:hcp|points|pts|(?:spade|heart|diamond|club)s?|controls?|losers?|cccc)",
    "inner": r"(?:[^()]|\([^()]*\))*",
    "card": "(?-i:(?:[2-9TJQKA]|10)[CDHS]|[CDHS](?:[2-9TJQKA]|10))",
}

# Words of other languages, in the order north, east, south, west and spades, hearts, diamonds, clubs.
SEAT_WORDS = {
    word: seat
    for words in (
        "nord ost süd west", "nord osten sued westen", "norden est sud ouest", "noord oost zuid ovest",
        "norte este sur oeste", "n e s w", "north_hand east_hand south_hand west_hand",
    )
    for word, seat in zip(words.split(), SEATS, strict=True) if word != seat
}  # fmt: skip
SUIT_WORDS = {
    word: suit
    for words in (
        "pik herz karo treff", "piks herzen karos kreuz", "pique coeur carreau trefle",
        "piques coeurs carreaux trefles", "schoppen harten ruiten klaveren", "picche cuori quadri fiori",
        "picas corazones diamantes treboles",
    )
    for word, suit in zip(words.split(), SUITS, strict=True)
}  # fmt: skip
OPERATOR_WORDS = {
    "und": "and", "oder": "or", "nicht": "not", "et": "and", "ou": "or", "en": "and", "of": "or",
    "with": "and", "but": "and", "plus": "+", "minus": "-", "times": "*", "mod": "%", "modulo": "%",
}  # fmt: skip
COMPARISON_WORDS = {
    "is equal to": "==",
    "equal to": "==",
    "equals": "==",
    "is at least": ">=",
    "at least": ">=",
    "is at most": "<=",
    "at most": "<=",
    "is more than": ">",
    "more than": ">",
    "is greater than": ">",
    "greater than": ">",
    "is less than": "<",
    "less than": "<",
    "fewer than": "<",
    "is over": ">",
    "over": ">",
    "above": ">",
    "under": "<",
    "below": "<",
    "is not": "!=",
    "is": "==",
    "exactly": "==",
    "not >": "<=",
    "not <": ">=",
}
COMPARISON_SIGNS = {
    "===": "==", "= =": "==", "=>": ">=", "=<": "<=", "<>": "!=",
    "=!": "!=", "~=": "!=", "!==": "!=", "!>": "<=", "!<": ">=",
    ">>": ">", "<<": "<", "> >": ">", "< <": "<",
}  # fmt: skip
OPERATOR_SIGNS = {
    "&": "and", "|": "or", "≤": "<=", "≥": ">=", "≠": "!=", "–": "-", "−": "-", "×": "*", "÷": "/",
}  # fmt: skip
NUMBERS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty"
).split()
_BALANCED = "any 4333 + any 4432 + any 5332"
_SHAPES = {
    "balanced": _BALANCED,
    "bal": _BALANCED,
    "isbalanced": _BALANCED,
    "is_balanced": _BALANCED,
    "flat": "any 4333",
    "semibalanced": f"{_BALANCED} + any 5422 + any 6322",
    "unbalanced": f"xxxx - {_BALANCED.replace('+', '-')}",
    "threesuited": "any 4441 + any 5440",
}
# What to write instead of a word; {seat} is the seat of the call, or north.
EXPRESSIONS = {word: f"shape({{seat}}, {shapes})" for word, shapes in _SHAPES.items()} | {
    "points": "hcp({seat})", "pts": "hcp({seat})", "point": "hcp({seat})", "highcardpoints": "hcp({seat})",
    "ace": "aces({seat})", "king": "kings({seat})", "queen": "queens({seat})", "jack": "jacks({seat})",
    "ten": "tens({seat})", "control": "controls({seat})", "loser": "losers({seat})",
    "length": "spades({seat})", "len": "spades({seat})", "suit": "spades({seat})",
    "void": "shape({seat}, any 0xxx)", "singleton": "shape({seat}, any 1xxx)",
    "doubleton": "shape({seat}, any 2xxx)", "voids": "shape({seat}, any 0xxx)",
    "singletons": "shape({seat}, any 1xxx)", "doubletons": "shape({seat}, any 2xxx)",
    "longest": "max(spades({seat}), hearts({seat}), diamonds({seat}), clubs({seat}))",
    "shortest": "min(spades({seat}), hearts({seat}), diamonds({seat}), clubs({seat}))",
    "major": "max(spades({seat}), hearts({seat}))", "majors": "max(spades({seat}), hearts({seat}))",
    "minor": "max(diamonds({seat}), clubs({seat}))", "minors": "max(diamonds({seat}), clubs({seat}))",
    "has": "hascard({seat}, AS)", "holds": "hascard({seat}, AS)", "card": "hascard({seat}, AS)",
    "hascards": "hascard({seat}, AS) and hascard({seat}, KS)",
    "stopper": "(hascard({seat}, AS) or hascard({seat}, KS) and spades({seat}) >= 2)",
    "honors": "top5({seat}, spades)", "honours": "top5({seat}, spades)",
    "toptricks": "quicktricks({seat})", "qt": "quicktricks({seat})",
    "tricks": "dds({seat}, notrump)", "random": "rnd(100)", "rand": "rnd(100)",
}  # fmt: skip
# The same for modern scripts, which have functions for it.
_MODERN_EXPRESSIONS = {
    "bal": "balanced({seat})", "isbalanced": "balanced({seat})", "unbalanced": "not balanced({seat})",
}  # fmt: skip
LONGEST_SUIT = 7  # the largest number that more likely means a length than points
HTML_SIGNS = {160: " ", 8804: "<=", 8805: ">=", 8800: "!="}
_RANK_WORDS = "ace king queen jack ten"


def join_hands(match: Match, rules: Rules) -> str:
    """Return ``hcp(north) >= 20 or hcp(south) >= 20`` for ``hcp(north or south) >= 20``."""
    function, first, second = match["function"], match["seat"].lower(), match["second"].lower()
    sign = match["joint"].strip().lower()
    comparison = f" {match['sign']} {match['n']}" if match["n"] else ""
    if sign in ("or", "and", "||", "&&") and comparison:
        word = {"||": "or", "&&": "and"}.get(sign, sign)
        return f"{function}({first}){comparison} {word} {function}({second}){comparison}"
    return f"{function}({first}) + {function}({second}){comparison}"


def write_side(match: Match, rules: Rules) -> str:
    """Return ``fit(NS, spades)`` for ``fit(north, south, spades)``, for functions that take a side."""
    function = registry.find_function(match["function"])
    if function is None or function.arguments[:1] != ("side",):
        return ""
    side = "NS" if match["seat"][0].lower() in "ns" else "EW"
    return f"{match['function']}({side}{match['strain']})"


def name_each_hand(match: Match, rules: Rules) -> str:
    """Return one comparison for each of the four hands, for ``hcp(all) > 3``."""
    word = " or " if match["who"].lower().startswith("any") else " and "
    return word.join(f"{match['function']}({seat}) {match['sign']} {match['n']}" for seat in SEATS)


def join_suits(match: Match, rules: Rules) -> str:
    """Return one comparison for each suit, or one of their sum, for ``spades or hearts(north) >= 5``."""
    suits = [suit.lower() for suit in re.findall(PARTS["suit"], match["suits"], re.IGNORECASE)]
    seat, comparison = match["seat"].lower(), f"{match['sign']} {match['n']}"
    if "+" in match["suits"]:
        return f"{' + '.join(f'{suit}({seat})' for suit in suits)} {comparison}"
    word = " and " if re.search("and|&|,", match["suits"], re.IGNORECASE) else " or "
    return word.join(f"{suit}({seat}) {comparison}" for suit in suits)


def write_call(match: Match, rules: Rules) -> str:
    """Return ``hcp(north)`` for ``north.hcp`` and ``points of north``."""
    unit = match["unit"].lower()
    function = (
        "hcp" if unit in ("points", "pts") else unit if unit in ("hcp", "cccc") else unit.rstrip("s") + "s"
    )
    groups = match.groupdict()
    seat = groups.get("owner") or groups.get("seat") or "north"
    return f"{function}({_find_seat(seat)})"


def _find_seat(text: str) -> str:
    return next(seat for seat in SEATS if seat[0] == text[0].lower())


def count_cards(match: Match, rules: Rules) -> str:
    """Return ``spades(north) >= 5`` for ``5+ spades`` and ``north has at least 5 spades``."""
    call = write_call(match, rules)
    if match["high"]:
        return f"{call} >= {match['low']} and {call} <= {match['high']}"
    sign = COMPARISON_WORDS.get(" ".join((match["words"] or "").lower().split()), "==")
    sign = {"+": ">=", "-": "<="}.get(match["more"] or "", sign)
    return f"{call} {sign} {match['low'] or 0}"


def write_range(match: Match, rules: Rules) -> str:
    """Return two comparisons, for ``hcp(north) = 15-17``."""
    groups = match.groupdict()
    value, low, high = match["value"], match["low"] or groups["from"], match["high"] or groups["to"]
    return f"{value} >= {low} and {value} <= {high}"


def write_range_of_side(match: Match, rules: Rules) -> str:
    """Return two comparisons of the sum of both hands, for ``hcp(NS) between 20 and 25``."""
    value = add_hands(match, rules)
    return f"{value} >= {match['low']} and {value} <= {match['high']}"


def add_seat(match: Match, rules: Rules) -> str:
    """Return a suit with the last seat before it in the line, or with north."""
    seats = re.findall(PARTS["seat"], match.string[: match.start()], re.IGNORECASE)
    seat = seats[-1].lower() if seats else "north"
    return f"{match['suit'].lower().rstrip('s')}s({seat}){match['blank']}"


def write_shape(match: Match, rules: Rules) -> str:
    """Return a call of shape with a list of four lengths each, ``any``, ``+`` and ``-``."""
    text, seat = match["shapes"].strip(), match["seat"].lower()
    negation = re.match(r"(?:not\b|!)\s*\(?", text)
    text = text[negation.end() :] if negation else text
    text = re.sub(r"(?<![\dx])([\dx])\s*([-=,./])\s*([\dx])\s*\2\s*([\dx])\s*\2\s*([\dx])(?![\dx])",
                  r"\1\3\4\5", text)  # fmt: skip
    text = re.sub(r"[\[\]()\"]", "", text)
    text = re.sub(r"\s*(?:\|\|?|&&?|/|;|\b(?:or|and|und|oder)\b)\s*", " + ", text)
    text = re.sub(r"\bany(?=[\dx])", "any ", text)
    text = re.sub(r"\b([\dx]{4})\s+(?:any|in any order)\b", r"any \1", text)
    text = re.sub(r"[\dxX]+", _fit_lengths, text)
    text = _SHAPES.get(text.lower().replace("_", ""), text)
    return f"{'not ' if negation else ''}shape({seat}, {text})"


def write_brace_shape(match: Match, rules: Rules) -> str:
    """Return a call of shape with braces if its list has groups, letters or signs."""
    shapes = match["shapes"]
    is_brace = re.search(r"[(+Mmcdhs]", shapes) and re.search(r"\d", shapes)
    return f"shape{{{match['seat'].lower()}, {shapes.replace('X', 'x')}}}" if is_brace else ""


def _fit_lengths(match: Match) -> str:
    """Return a shape with four lengths for one with more or fewer, such as ``5xxxx`` or ``543``."""
    text = match[0].lower()
    if len(text) == 3 and text.isdigit() and 0 <= 13 - sum(map(int, text)) <= 9:
        return f"{text}{13 - sum(map(int, text))}"
    if "x" in text and 2 <= len(text) <= 6:
        extra = len(text) - 4
        return text.replace("x", "", extra) if extra > 0 and text.count("x") > extra else text.ljust(4, "x")
    return text


def write_suit_with_cards(match: Match, rules: Rules) -> str:
    """Return the length and honours of ``shape(north, AKxxx)`` as conditions; without a suit in spades."""
    seat, cards = match["seat"].lower(), match["cards"]
    suit, ranks = (cards[0], cards[1:]) if cards[0] in "SHDC" else ("S", cards)
    lengths = "".join(str(len(ranks)) if letter == suit else "x" for letter in "SHDC")
    held = [f"hascard({seat}, {rank}{suit})" for rank in ranks if rank != "x"]
    return " and ".join([f"shape({seat}, {lengths})", *held])


def write_hascard(match: Match, rules: Rules) -> str:
    """Return a call of hascard for each card in the text."""
    text = match["cards"]
    seat = (match["seat"] or "north").lower()
    if not match["seat"] and not re.fullmatch(PARTS["card"], text):
        return ""
    for word in _RANK_WORDS.split():
        text = re.sub(rf"\b{word}\b", word[0].upper(), text, flags=re.IGNORECASE)
    text = re.sub(rf"({PARTS['suit']})", lambda suit: suit[0][0].upper(), text, flags=re.IGNORECASE)
    text = re.sub(r"\b([2-9TJQKA]|10)\s*(?:,|of)?\s*([CDHS])\b", r"\1\2", text)
    text = re.sub(r"\b([CDHS])\s*,?\s*([2-9TJQKA]|10)\b", r"\2\1", text)
    cards = re.findall(r"\b(?:10|[2-9TJQKA])[CDHS]\b", text)
    joint = " or " if re.search(r"\bor\b|\|", text) else " and "
    return (
        joint.join(f"hascard({seat}, {card.replace('10', 'T')})" for card in cards) or f"hascard({seat}, AS)"
    )


def write_holding(match: Match, rules: Rules) -> str:
    """Return a predeal of one holding, in spades if the text names no suit."""
    text = re.sub(r"[^A-Za-z0-9]", "", match["cards"]).replace("10", "T")
    if re.fullmatch("[AKQJT2-9]+[CDHS]", text):
        text = text[-1] + text[:-1]
    suit = "S" if text[0].upper() not in "CDHS" else text[0].upper()
    ranks = text[1:] if text[0].upper() in "CDHS" else text
    high = "".join(sorted(set(ranks.upper()) & set(RANKS), key=RANKS.index, reverse=True))
    small = "x" * ranks.lower().count("x") if rules.modern_syntax else ""
    return f"predeal {_find_seat(match['owner'])} {suit}{high}{small}"


def write_print(match: Match, rules: Rules) -> str:
    hands = match["hands"].upper().replace("NS", "N S").replace("EW", "E W")
    return f"print({', '.join(map(_find_seat, re.findall('[A-Z]+', hands)))})"


def name_dealer(match: Match, rules: Rules) -> str:
    return f"dealer {_find_seat(match['at'])}"


def name_strain(match: Match, rules: Rules) -> str:
    """Return ``hcp(north, spades)`` for ``hcp(north, S)``."""
    strain = next((suit for suit in SUITS if suit[0] == match["at"][0].lower()), "notrump")
    return f"{match['function']}({match['seat'].lower()}, {strain})"


def add_hands(match: Match, rules: Rules) -> str:
    """Return the sum of both hands for ``hcp(NS)``, points for ``N > 12``, a length for ``C > 4``."""
    side = match["side"].upper()
    if side == "S" and (number := re.match(r"\s*[<>=!]+\s*(\d+)", match.string[match.end() :])):
        side = "SPADES" if int(number[1]) <= LONGEST_SUIT else side  # a larger number means south's points
    function = match.groupdict().get("function") or "hcp"
    if side in ("C", "D", "H", "SPADES"):
        return f"{next(suit for suit in SUITS if suit[0].upper() == side[0])}(north) "
    seats = map(_find_seat, side if side in ("NS", "EW") else side[:1])
    suits = match.groupdict().get("suits") or ""
    text = " + ".join(f"{function}({seat}{suits.rstrip()})" for seat in seats)
    return text if match.groupdict().get("function") else f"{text} "


def name_hand_types(match: Match, rules: Rules) -> str:
    """Return a `level` that names its hand types."""
    types = re.split(r",\s*(?![^()]*\))", match["at"].strip())
    return "level " + ", ".join(f'"type {number}" {text}' for number, text in enumerate(types, 1))


def write_vulnerability(match: Match, rules: Rules) -> str:
    who = match["who"].upper()
    if who[:2] in ("NS", "N-", "N/", "EW", "E-", "E/"):
        return f"vulnerable {who[0]}{who[-1]}"
    return f"vulnerable {'all' if who[0] in 'BAG' else 'none'}"


def write_frequency(match: Match, rules: Rules) -> str:
    """Return an action frequency with a range: that of the text, or the range of the function."""
    value = match["value"].strip()
    low, high = match["low"], match["high"]
    if low is None:
        name = value.partition("(")[0].strip()
        function = registry.find_function(name)
        largest = function.high if function and function.high is not None else 13 if name in SUITS else 37
        low, high = "0", f"{math.ceil(largest)}"
    label = f" {match['label']} " if match["label"] else ""
    return f"frequency{label}({value}, {low}, {high})"


def write_abs(match: Match, rules: Rules) -> str:
    value = match["inner"].strip()
    if rules.modern_syntax:
        return f"max({value}, 0 - ({value}))"
    return f"(({value}) < 0 ? 0 - ({value}) : ({value}))"


def compare_each(match: Match, rules: Rules) -> str:
    """Return ``a > 12 or b > 12`` for ``any(a, b) > 12``, and the same with `and` for ``all(a, b) > 12``."""
    values = re.findall(_OPERAND_PATTERN, match["inner"])
    word = " or " if match["who"].lower() == "any" else " and "
    return word.join(f"{value} {match['sign']} {match['n']}" for value in values)


def add_values(match: Match, rules: Rules) -> str:
    return f"({' + '.join(re.findall(_OPERAND_PATTERN, match['inner']))})"


def write_score(match: Match, rules: Rules) -> str:
    contract = f"{match['level']}{match['strain'][0].upper()}"
    strain = match["strain"].upper() if len(match["strain"]) < 3 else contract[1:].replace("N", "NT")
    text = f"{match['level']}{strain}" if rules.modern_syntax else f"x{contract}"
    whose = "vul" if (match["whose"] or "").lower() == "vul" else "nv"
    return f"score({whose}, {text}, {match['inner'].strip()})"


def write_tricks(match: Match, rules: Rules) -> str:
    """Return ``dds(north, notrump)`` for ``dds(NS, 3NT)``, and likewise for ``dds(spades, north)``."""
    arguments = [part.strip() for part in match["inner"].split(",")]
    seat, strain = "north", "notrump"
    for argument in arguments:
        word = argument.lower()
        letter = re.fullmatch(r"[1-7]?(nt?|[cdhs])|(spade|heart|diamond|club)s?", word)
        if letter:
            first = (letter[1] or letter[2])[0]
            strain = next((suit for suit in SUITS if suit[0] == first), "notrump")
        elif word in ("ns", "ew") or word in SEATS:
            seat = {"ns": "north", "ew": "east"}.get(word, word)
    return f"{match['function']}({seat}, {strain})"


def write_condition(match: Match, rules: Rules) -> str:
    """Return the condition of ``accept if ...``, in which ``deal.north.hcp`` becomes ``hcp(north)``."""
    return "condition " + re.sub(rf"\bdeal\.({PARTS['seat']})\.(\w+)", r"\2(\1)", match["rest"].strip())


def define_for_north(match: Match, rules: Rules) -> str:
    """Return ``weak_north = hcp(north) < 8``, a definition for one hand, for ``weak(seat) = ...``."""
    if classify_word(match["name"].lower(), rules)[0] != "NAME":
        return ""  # a comparison of a function
    names = "|".join({*re.findall(r"\w+", match[0][match[0].index("(") : match[0].index(")")]), "north"})
    value = re.sub(rf"\b(?:{names})\b", "north", match["rest"])
    return f"{match['name']}_north = {value}"


def write_expression(match: Match, rules: Rules) -> str:
    """Return the expression that a player's word means, for ``points(south)`` and ``void(north, hearts)``."""
    word = match["word"].lower().replace("_", "")
    if is_function(word, rules):  # with other arguments
        return ""
    text = EXPRESSIONS[word]
    if rules.modern_syntax:
        text = _MODERN_EXPRESSIONS.get(word, text)
    suit = (match["suit"] or "spades").lower().rstrip("s") + "s"
    if word == "suit" and not match["suit"]:
        return ""
    # With a suit, its length is compared; without one, any suit may have this length.
    if match["suit"] and (length := re.search(r"any (\d)xxx", text)):
        text = f"{suit}({{seat}}) == {length[1]}"
        if re.match(r"\s*[<>=!]", match.string[match.end() :]):
            text = f"({text})"
    text = text if "hearts" in text else text.replace("spades", suit)
    return text.format(seat=(match["seat"] or "north").lower())


def write_seat(match: Match, rules: Rules) -> str:
    """Return ``balanced(south)`` for ``balanced south``, in dialects that have the function."""
    word = match["at"].lower()
    return (
        f"{word}({(match['seat'] or match['second'] or 'north').lower()})" if is_function(word, rules) else ""
    )


def define_name(match: Match, rules: Rules) -> str:
    """Return ``weak = hcp(south) < 8`` for ``weak hcp(south) < 8``."""
    names = match["name"].lower(), match["function"].lower()
    known = [classify_word(name, rules)[0] != "NAME" or is_function(name, rules) for name in names]
    if known != [False, True] or find_name(names[0], list_keywords(rules)):  # a misspelt word
        return ""
    return f"{match['name']} = {match['rest']}"


def name_symbol(match: Match, rules: Rules) -> str:
    """Return a suit for its symbol: its letter in a card or holding, its word elsewhere."""
    suit = SUITS["♠♥♦♣♤♡♢♧".index(match["at"]) % 4]
    before, after = match["before"] or "", match["after"] or ""
    if not before and not after:
        return suit
    is_card = before or (len(after.replace("10", "T")) == 1 and "hascard" in match.string[: match.start()])
    ranks = (before or after).replace("10", "T")
    return f"{ranks}{suit[0].upper()}" if is_card else f"{suit[0].upper()}{ranks}"


def write_count(match: Match, rules: Rules) -> str:
    """Return ``generate 1000000`` for ``generate 1e6``, ``1M`` and ``1 million``."""
    unit = (match["unit"] or "").lower()
    power = int(match["power"] or (3 if unit in ("k", "thousand") else 6))
    return f"{match['word']} {float(match['n']) * 10**power:.0f}"


def write_suit_holding(match: Match, rules: Rules) -> str:
    """Return ``predeal north SAKQ`` for ``predeal north spades AKQ``."""
    return f"predeal {_find_seat(match['owner'])} {match['suit'][0].upper()}{match['cards']}"


def write_card_holding(match: Match, rules: Rules) -> str:
    """Return ``predeal north SA`` for ``predeal north ace of spades``."""
    return f"predeal {_find_seat(match['owner'])} {match['suit'][0].upper()}{match['rank'][0].upper()}"


def write_decimal(match: Match, rules: Rules) -> str:
    """Return ``> 6.5`` for ``> 6,5`` in modern scripts."""
    return f"{match['sign']} {match['low']}.{match['high']}" if rules.modern_syntax else ""


def compare_with_each(match: Match, rules: Rules) -> str:
    """Return ``(a == 12 or a == 14)`` for ``a in {12, 14}``."""
    numbers = re.findall(r"\d+", match["set"] or match["numbers"])
    value = match["value"]
    return f"({' or '.join(f'{value} == {number}' for number in numbers)})"


def write_truth(match: Match, rules: Rules) -> str:
    """Return ``balanced(north)`` for ``balanced(north) = true``."""
    return ("" if match["truth"].lower() in ("true", "yes") else "not ") + match["test"]


def is_outside(match: Match) -> bool:
    """Return whether all parentheses before a match are closed."""
    before = match.string[: match.start()]
    return before.count("(") == before.count(")")


def write_comment(match: re.Match[str], rules: Rules) -> str:
    """Return a comment with //; empty for # in the old dialects, which has an error of its own."""
    return "" if "#" in match["at"] and not rules.modern_syntax else f" // {match['text']}"


def write_integer(match: Match, rules: Rules) -> str:
    """Return the comparison with a whole number that means the same, for dialects without decimals."""
    if rules.modern_syntax or rules.extensions:
        return ""
    number, sign = float(match["at"]), match["sign"]
    function = registry.find_function(match["value"].partition("(")[0].strip())
    if function is not None and function.hundredths:
        return f"{match['value']} {sign} {round(100 * number)}"
    if number.is_integer():
        return f"{match['value']} {sign} {int(number)}"
    return f"{match['value']} {sign[0]}= {math.ceil(number) if sign[0] == '>' else math.floor(number)}"


def write_small(match: Match, rules: Rules) -> str:
    word = match["word"].lower()
    kind, _ = list_keyword_tokens(rules).get(word, ("FUNCTION" if is_function(word, rules) else "", word))
    return word if kind and kind != "VULWORD" else ""


def look_up(words: dict[str, str]) -> Callable[[Match, Rules], str]:
    return lambda match, rules: words[" ".join(match["word"].lower().split())]


def write_sign(match: Match, rules: Rules) -> str:
    """Return the sign for a comparison in words, such as ``>=`` for ``at least``."""
    return f" {COMPARISON_WORDS[' '.join(match['word'].lower().split())]} "


def alternatives(words: dict[str, str] | list[str]) -> str:
    """Return a pattern that matches any of some words or signs, trying the longest first."""
    texts = [re.escape(word).replace(r"\ ", r"\s+") for word in sorted(words, key=len, reverse=True)]
    texts = [text.replace(r"\~", r"\x7e") for text in texts]  # not a blank of `_expand`
    return "|".join(rf"\b{text}\b" if text[0].isalpha() and text[-1].isalpha() else text for text in texts)
