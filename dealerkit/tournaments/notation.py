"""Contracts, tricks, scores, cards and names as programs write them in files of results.

Each function returns what a text means, or a value that says that it cannot be read; then readers add a
remark.
"""

from __future__ import annotations

import functools
import math
import re
from typing import NamedTuple

from dealerkit.cards.names import RANKS, SEAT_LETTERS, STRAIN_LETTERS, SUIT_LETTERS

UNKNOWN = frozenset(("", "-", "?", "--", "*", "n/a"))
_SYMBOLS = str.maketrans({"♠": "S", "♥": "H", "♦": "D", "♣": "C", "×": "x", "−": "-", "–": "-"})
_CONTRACT = re.compile(
    r"([1-7])\s*(NT|SA|[SHDCN])\s*(?:(XX?|\*\*?|DBL|RDBL)(?![A-Z]))?\s*(?:by\s*)?([NESW])?\s*(XX?|\*\*?)?\s*"
    r"(=|[+-]\s?\d{1,2})?",
    re.IGNORECASE,
)
_PASSED = frozenset(("pass", "p", "passed", "passed out", "all pass", "ap", "po", "passout", "allpass", "0"))
_NOT_PLAYED = frozenset(("np", "not played", "notplayed", "not-played", "noplay", "no play", "unplayed"))
_BYE = frozenset(("bye", "sitout", "sit out", "sit-out", "phantom"))
_DOUBLES = {"x": 1, "*": 1, "dbl": 1, "xx": 2, "**": 2, "rdbl": 2}
_AVERAGE = re.compile(r"(?:a|ave|av|avg|average)\.?\s*([+=-]{0,2})", re.IGNORECASE)
_SHARES = re.compile(r"(?:a\s*)?(\d{2,3})\s*%?\s*[/:;,-]?\s*(\d{2,3})\s*%?", re.IGNORECASE)
_ONE_SHARE = re.compile(r"(\d{1,3})\s*%")
_NUMBER = re.compile(r"(?:(NS|EW)\s*)?([+-]?\d{1,5}(?:[.,]\d+)?)", re.IGNORECASE)
_WEIGHTED = re.compile(r"(\d{1,3}(?:[.,]\d+)?)\s*%\s*(?:of|[:*x])?\s*([+-]?\d{1,5})", re.IGNORECASE)
_PRODUCT = re.compile(r"(0?[.,]\d+|1)\s*[*x]\s*([+-]?\d{1,5})", re.IGNORECASE)
_AWARDS = {"+": 0.6, "=": 0.5, "-": 0.4}
_PARTNERS = re.compile(r"\s*;\s*|\s+[-/&+]\s+|\s*&\s*|\s*/\s*|\s+(?:and|et|und|y|og|och|en)\s+")


class CalledContract(NamedTuple):
    """A contract with its result; unknown numbers are -1.

    Attributes
    ----------
    level, strain, doubled : int
        Level 0 is a passed-out board.
    declarer : int
    tricks : int
    kind : str
        "played", "passed", "not played" or "bye"; "unknown" if the text is empty, "" if it cannot be read.
    """

    level: int = -1
    strain: int = -1
    doubled: int = -1
    declarer: int = -1
    tricks: int = -1
    kind: str = "unknown"


@functools.lru_cache(4096)  # a file has many rows and few different contracts
def parse_contract(text: str) -> CalledContract:
    """Return the contract of a text, with declarer and tricks if it has them.

    >>> parse_contract("4H*"), parse_contract("3NS+1")
    (CalledContract(level=4, strain=1, doubled=1, declarer=-1, tricks=-1, kind='played'), \
CalledContract(level=3, strain=4, doubled=0, declarer=2, tricks=10, kind='played'))
    >>> parse_contract("PASS").kind, parse_contract("Bye").kind, parse_contract("4Q").kind
    ('passed', 'bye', '')
    """
    word = text.translate(_SYMBOLS).strip()
    lower = word.lower()
    if lower in UNKNOWN:
        return CalledContract()
    if lower in _PASSED:
        return CalledContract(0, kind="passed")
    if lower in _NOT_PLAYED:
        return CalledContract(kind="not played")
    if lower in _BYE:
        return CalledContract(kind="bye")
    match = _CONTRACT.fullmatch(word)
    if match is None:
        return CalledContract(kind="")
    level, strain = int(match[1]), match[2].upper()
    doubled = _DOUBLES.get((match[3] or match[5] or "").lower(), 0)
    declarer = SEAT_LETTERS.index(match[4].upper()) if match[4] else -1
    tricks = parse_tricks(match[6], level) if match[6] else -1
    number = 4 if strain in ("NT", "SA", "N") else STRAIN_LETTERS.index(strain)
    return CalledContract(level, number, doubled, declarer, tricks, "played")


def parse_tricks(text: str, level: int) -> int:
    """Return declarer's tricks from their number or relative to the contract; -1 if it is neither.

    >>> [parse_tricks(text, 4) for text in ("10", "=", "+1", "-2", "NS 10", "made")]
    [10, 10, 11, 8, 10, -1]
    """
    word = text.translate(_SYMBOLS).strip().upper().removeprefix("NS").removeprefix("EW").strip()
    if not 1 <= level <= 7:
        return -1
    if word == "=":
        return level + 6
    sign, digits = word[:1], word.lstrip("+-").strip()
    if not digits.isascii() or not digits.isdigit() or len(digits) > 2:
        return -1
    number = int(digits)
    tricks = level + 6 + number if sign == "+" else level + 6 - number if sign == "-" else number
    return tricks if 0 <= tricks <= 13 else -1


class ReadScore(NamedTuple):
    """The meaning of a score in a file.

    Attributes
    ----------
    points : float
        Points; nan if there are none.
    side : str
        "NS" or "EW" if the text says which side's score it is.
    awards : tuple of float
        Shares of an artificial score: that of the side itself, and that of the other side if the text has
        both.
    kind : str
        "points", "artificial", "assigned", "not played", "bye", "unknown", or "" if it cannot be read.
    weights : str
        A weighted score, such as ``0.6*420+0.4*-50``.
    """

    points: float = math.nan
    side: str = ""
    awards: tuple[float, ...] = ()
    kind: str = "unknown"
    weights: str = ""


@functools.lru_cache(4096)
def parse_score(text: str) -> ReadScore:
    """Return what a score means: points, an artificial score, a weighted one, or nothing.

    >>> parse_score("-50").points, parse_score("EW 420"), parse_score("A+").awards
    (-50.0, ReadScore(points=420.0, side='EW', awards=(), kind='points', weights=''), (0.6,))
    >>> parse_score("A6040").awards, parse_score("A+=").awards, parse_score("60% 420 40% -50").weights
    ((0.6, 0.4), (0.6, 0.5), '0.6*420+0.4*-50')
    """
    word = text.translate(_SYMBOLS).strip()
    lower = word.lower()
    if lower in UNKNOWN:
        return ReadScore()
    if lower in _PASSED - {"0"}:
        return ReadScore(0.0, kind="points")
    if lower in _NOT_PLAYED:
        return ReadScore(kind="not played")
    if lower in _BYE:
        return ReadScore(kind="bye")
    if match := _NUMBER.fullmatch(word):
        return ReadScore(float(match[2].replace(",", ".")), (match[1] or "").upper(), kind="points")
    if match := _AVERAGE.fullmatch(word):
        return ReadScore(awards=tuple(_AWARDS[sign] for sign in match[1] or "="), kind="artificial")
    if match := _SHARES.fullmatch(word):
        shares = tuple(int(number) / 100 for number in match.groups())
        if max(shares) <= 1:
            return ReadScore(awards=shares, kind="artificial")
    if (match := _ONE_SHARE.fullmatch(word)) and int(match[1]) <= 100:
        return ReadScore(awards=(int(match[1]) / 100,), kind="artificial")
    return _parse_weighted(word)


def _parse_weighted(word: str) -> ReadScore:
    """Return a weighted score, such as ``60% 420 40% -50``; the kind is "" if the text is not one."""
    pattern, unit = (_WEIGHTED, 100.0) if "%" in word else (_PRODUCT, 1.0)
    parts = pattern.findall(word)
    rest = pattern.sub("", word).strip(" ,;+/")
    weights = [float(weight.replace(",", ".")) / unit for weight, _ in parts]
    if rest or not parts or abs(sum(weights) - 1) > 1e-6:
        return ReadScore(kind="")
    text = "+".join(f"{weight!r}*{int(points)}" for weight, (_, points) in zip(weights, parts, strict=True))
    mean = sum(weight * int(points) for weight, (_, points) in zip(weights, parts, strict=True))
    return ReadScore(mean, kind="assigned", weights=text)


def split_weights(text: str) -> list[tuple[float, float]]:
    """Return weights and points of a weighted score as `parse_score` writes it.

    >>> split_weights("0.6*420+0.4*-50")
    [(0.6, 420.0), (0.4, -50.0)]
    """
    return [(float(weight), float(points)) for weight, points in re.findall(r"([\d.e-]+)\*([+-]?\d+)", text)]


def negate_weights(text: str) -> str:
    """Return a weighted score as the other side sees it.

    >>> negate_weights("0.6*420+0.4*-50")
    '0.6*-420+0.4*50'
    """
    return "+".join(f"{weight!r}*{-int(points)}" for weight, points in split_weights(text))


@functools.lru_cache(256)
def parse_lead(text: str) -> str:
    """Return a card as ``H2``, from suit and rank in either order; "" if the text is not a card.

    >>> [parse_lead(text) for text in ("2H", "H10", "♠A", "10D", "SA", "?", "11H")]
    ['H2', 'HT', 'SA', 'DT', 'SA', '', '']
    """
    word = text.translate(_SYMBOLS).strip().upper().replace(" ", "").replace("-", "")
    for suit, rank in ((word[:1], word[1:]), (word[-1:], word[:-1])):
        rank = "T" if rank == "10" else rank
        if suit in SUIT_LETTERS and len(rank) == 1 and rank in RANKS and suit:
            return suit + rank
    return ""


def parse_seat(text: str) -> int:
    """Return the number of a seat by its letter or name, -1 for any other text.

    >>> parse_seat("S"), parse_seat("West"), parse_seat("-")
    (2, 3, -1)
    """
    word = text.strip().lower()
    names = ("north", "east", "south", "west")
    return next((seat for seat, name in enumerate(names) if word in (name, name[0])), -1)


def split_names(text: str) -> tuple[str, str]:
    """Return the names of two partners; if the text has only one name, the second is "".

    >>> split_names("Ann Alfa - Bob Bravo"), split_names("Alfa-Bravo"), split_names("The Foxes")
    (('Ann Alfa', 'Bob Bravo'), ('Alfa', 'Bravo'), ('The Foxes', ''))
    """
    text = " ".join(text.split())
    parts = [part.strip() for part in _PARTNERS.split(text)]
    if len(parts) == 1 and text.count("-") == 1 and " " not in text:
        parts = text.split("-")
    return (parts[0], parts[1]) if len(parts) == 2 and all(parts) else (text, "")


def normalize_name(text: str) -> str:
    """Return a name in the form that identifies a player: without case, order or punctuation.

    >>> normalize_name("ALFA, Ann") == normalize_name(" ann  Alfa ")
    True
    """
    family, comma, given = text.partition(",")
    words = f"{given} {family}" if comma else text
    return " ".join(sorted(re.sub(r"[.\s]+", " ", words).casefold().split()))


def count_decimals(text: str) -> int:
    """Return the number of decimals of a number as a file prints it, at most 6.

    >>> count_decimals("28.30"), count_decimals("28"), count_decimals("28,3 %"), count_decimals("0.9999999")
    (2, 0, 1, 6)
    """
    match = re.search(r"\d[.,](\d{1,6})", text)
    return len(match[1]) if match else 0


def parse_number(text: str) -> float:
    """Return a number from a file; nan if the text is not a number.

    >>> parse_number("52,08 %"), parse_number("-")
    (52.08, nan)
    """
    match = re.fullmatch(r"\s*([+-]?\d{1,9}(?:[.,]\d+)?)\s*%?\s*", text.translate(_SYMBOLS))
    return float(match[1].replace(",", ".")) if match else math.nan
