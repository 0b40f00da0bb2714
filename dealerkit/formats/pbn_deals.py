"""The values of Deal tags as programs and people write them."""

from __future__ import annotations

import re
from itertools import combinations

from dealerkit.cards.names import FULL_DECK, SEAT_LETTERS, SEATS
from dealerkit.cards.text import describe_fault, parse_hand
from dealerkit.errors import DealError

_SYMBOLS = str.maketrans({"♠": "S", "♥": "H", "♦": "D", "♣": "C", "♤": "S", "♡": "H", "♢": "D", "♧": "C"})
_SEAT = re.compile(r"\s*([NESW])\s*:\s*(.*)", re.IGNORECASE | re.DOTALL)
_SUIT_LETTER = re.compile(r"([SHDC]):?")
_SUIT_WORDS = re.compile(r"(?:[SHDC]:?[0-9AKQJT-]*(?:\s+|$)){8,16}")


def parse_deal_value(text: str) -> list[int]:
    """Return the four hands of the value of a Deal tag, north first.

    Accepted are any first seat or none (north), ranks in any order and case, ``10``, ``-`` or nothing for a
    void, letters or symbols of suits before the cards. Of one unknown hand the cards are those that remain.

    Raises
    ------
    DealError
        This is no whole deal; the message says what it is: no deal, a partial deal, an ending, or wrong.

    Examples
    --------
    >>> hands = parse_deal_value("e: t98.akq.jt98.10j9 765.J765.AKQ.AKQ 432.432.76.87654 -")
    >>> hex(hands[0])
    '0x1e0001c0000f0003'
    >>> parse_deal_value("N:AKQJ.T98.5432.32 - - -")
    Traceback (most recent call last):
    dealerkit.errors.DealError: partial deal: the hands of east, south and west are unknown
    """
    if not text.strip() or text.strip() in ("?", "-"):
        raise DealError("no deal")
    value = text.translate(_SYMBOLS).upper()
    found = _SEAT.match(value)
    first, rest = (SEAT_LETTERS.index(found[1]), found[2]) if found else (0, value)
    texts = _split_hands(rest)
    if len(texts) != 4 or (not found and "." not in rest):
        raise DealError(f"bad deal: {text.strip()[:60]!r} is not four hands, as in 'N:AK32.T98...'")
    unknown = [place for place, hand in enumerate(texts) if hand in ("-", "...")]
    known: list[int] = []
    for place, hand in enumerate(texts):
        if place in unknown:
            known.append(0)
            continue
        if "X" in hand or "?" in hand:
            raise DealError(f"unknown cards: {hand!r} in the hand of {SEATS[(first + place) % 4]}")
        try:
            known.append(parse_hand(_clean_hand(hand)))
        except DealError as reason:
            raise DealError(f"bad deal: {reason}") from None
    hands = known[4 - first :] + known[: 4 - first]
    return _complete(hands, sorted((first + place) % 4 for place in unknown))


def _split_hands(rest: str) -> list[str]:
    """Return the texts of hands, suits separated by dots."""
    rest = rest.strip()
    if "." in rest or not _SUIT_WORDS.fullmatch(rest):
        return rest.split()
    hands: list[list[str]] = []
    last = 4
    for word in rest.split():
        suit = "SHDC".index(word[0])
        if suit <= last:
            hands.append(["", "", "", ""])
        hands[-1][suit] = word[1:].lstrip(":")
        last = suit
    return [".".join(hand) for hand in hands]


def _clean_hand(hand: str) -> str:
    """Return a hand without letters of suits and without dashes for voids."""
    holdings = _drop_dots(hand.split("."))
    return ".".join("" if (cards := _SUIT_LETTER.sub("", holding)) == "-" else cards for holding in holdings)


def _drop_dots(holdings: list[str]) -> list[str]:
    """Return the four suits of a hand with needless dots, or all parts if it is not clear which are needless.

    >>> _drop_dots(["AK", "Q", "J", "T", ""]), len(_drop_dots(["", "AK", "Q", "J", ""]))
    (['AK', 'Q', 'J', 'T'], 5)
    """
    n_more = len(holdings) - 4
    empty = [place for place, cards in enumerate(holdings) if not cards]
    if not 0 < n_more <= len(empty) <= 6:
        return holdings
    readings = {
        tuple(cards for place, cards in enumerate(holdings) if place not in dropped)
        for dropped in combinations(empty, n_more)
    }
    return list(readings.pop()) if len(readings) == 1 else holdings


def describe_spelling(text: str) -> str:
    """Return what is unusual in the value of a Deal tag that can be read, or "".

    >>> describe_spelling("AK.T98.5.3 ..."), describe_spelling("N:SAK.HT9 ..."), describe_spelling("N:AK")
    ('a deal without its first seat; it is north', 'letters of suits in a deal', '')
    """
    value = text.translate(_SYMBOLS).upper()
    found = _SEAT.match(value)
    if not found:
        return "a deal without its first seat; it is north"
    return "letters of suits in a deal" if re.search("[SHDC]", found[2]) else ""


def _complete(hands: list[int], unknown: list[int]) -> list[int]:
    """Return whole deals, with the cards of one unknown hand; raise DealError for others."""
    union = hands[0] | hands[1] | hands[2] | hands[3]
    sizes = [hand.bit_count() for hand in hands]
    is_distinct = sum(sizes) == union.bit_count()
    if len(unknown) == 1 and is_distinct and sum(sizes) == 39 and max(sizes) == 13:
        hands[unknown[0]] = FULL_DECK & ~union
        return hands
    if unknown:
        names = [SEATS[seat] for seat in unknown]
        if len(names) == 4:
            raise DealError("no deal: all hands are unknown")
        listed = f"{', '.join(names[:-1])} and {names[-1]} are" if len(names) > 1 else f"{names[0]} is"
        raise DealError(f"partial deal: the hand{'s' if len(names) > 1 else ''} of {listed} unknown")
    if is_distinct and sizes == [13] * 4:
        return hands
    if is_distinct and len(set(sizes)) == 1:
        raise DealError(f"ending: {sizes[0]} cards in each hand" if sizes[0] else "no deal")
    raise DealError(f"bad deal: {describe_fault(hands)}")
