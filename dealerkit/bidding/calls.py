"""Calls, their legality, and the notations of auctions.

A call is a text: ``1C`` to ``7NT``, ``P``, ``X``, ``XX``. The full form of an auction has all calls in turn,
from the dealer on: ``1NT P 3NT P P P``. The short form, which contains a hyphen or a bracket, has the calls
of one side, with those of the opponents in brackets and without their passes: ``1NT-3NT``, ``1H (1S) 2H``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from dealerkit.appearance.wording import shorten
from dealerkit.cards.names import SEATS, STRAIN_LETTERS
from dealerkit.errors import ArgumentError, quote
from dealerkit.formats.auctions import count_passes, name_call, parse_calls, read_auction, seat_of

PASS, DOUBLE, REDOUBLE = "P", "X", "XX"
_STRAINS = ("C", "D", "H", "S", "NT")
BIDS = tuple(f"{level}{strain}" for level in range(1, 8) for strain in _STRAINS)
CALLS = (PASS, DOUBLE, REDOUBLE, *BIDS)
RANKS = {bid: number for number, bid in enumerate(BIDS)}
SUIT_BY_LETTER = {letter: suit for suit, letter in enumerate("SHDC")}
MAX_CALLS = 319  # calls of the longest possible auction
_MAX_TEXT = 10_000  # largest number of characters of an auction
_WORD = re.compile(r"(\()?\s*([^\s()-]+(?:\s*pass\b)?)\s*(\))?", re.IGNORECASE)
_CALL = re.compile(r"!?(all\s?pass|ap|pass|p|redbl|rdbl|dbl|xx|x|r|d|[1-7](?:nt?|[shdc]))!?", re.IGNORECASE)
_SIGNS = str.maketrans("♠♥♦♣–—", "SHDC--", "\N{VARIATION SELECTOR-15}\N{VARIATION SELECTOR-16}")
_PBN = re.compile(r'\[Auction\s+"([NESW])"\]', re.IGNORECASE)
_LIN = re.compile(r"mb\|([^|]*)\|")


def find_strain(bid: str) -> int:
    """Return the strain of a bid, S H D C N = 0..4.

    >>> find_strain("1NT"), find_strain("4H")
    (4, 1)
    """
    return STRAIN_LETTERS.index(bid[1])


@dataclass(frozen=True)
class State:
    """What the calls so far determine about the next call.

    Attributes
    ----------
    n_calls : int
    bid : str
        The last bid; "" if there is none.
    bidder : int
        Number of the call that made it.
    doubled : {0, 1, 2}
    n_passes : int
        Number of passes since the last other call.
    """

    n_calls: int = 0
    bid: str = ""
    bidder: int = -1
    doubled: int = 0
    n_passes: int = 0

    @classmethod
    def after(cls, calls: Sequence[str]) -> State:
        """Return the state after some legal calls."""
        state = cls()
        for call in calls:
            state = state.follow(call)
        return state

    @property
    def is_over(self) -> bool:
        """Whether the auction has ended."""
        return self.n_passes == (3 if self.bid else 4)

    def follow(self, call: str) -> State:
        """Return the state after a further, legal call."""
        number = self.n_calls + 1
        if call == PASS:
            return State(number, self.bid, self.bidder, self.doubled, self.n_passes + 1)
        if call in (DOUBLE, REDOUBLE):
            return State(number, self.bid, self.bidder, 1 if call == DOUBLE else 2)
        return State(number, call, self.n_calls)

    def find_fault(self, call: str) -> str:
        """Return why a call is illegal; an empty text if it is legal.

        >>> State.after(["2S"]).find_fault("2H"), State.after(["1S"]).find_fault("X")
        ('2H after 2S is too low', '')
        """
        if self.is_over:
            return f"{call} is made after the auction has ended"
        if call == PASS:
            return ""
        is_theirs = bool(self.bid) and (self.n_calls - self.bidder) % 2 == 1
        if call == DOUBLE:
            return "" if is_theirs and not self.doubled else "there is no bid of the opponents to double"
        if call == REDOUBLE:
            ours = bool(self.bid) and not is_theirs
            return "" if ours and self.doubled == 1 else "there is no double of the opponents to redouble"
        if self.bid and RANKS[call] <= RANKS[self.bid]:
            return f"{call} after {self.bid} is too low"
        return ""


def list_legal(state: State) -> frozenset[str]:
    """Return the legal calls.

    >>> sorted(list_legal(State.after(["7H"])))
    ['7NT', '7S', 'P', 'X']
    """
    return frozenset(call for call in CALLS if not state.find_fault(call))


def check_calls(calls: Sequence[str]) -> None:
    """Raise ArgumentError for the first illegal call."""
    state = State()
    for number, call in enumerate(calls, start=1):
        if fault := state.find_fault(call):
            raise ArgumentError(f"{fault} (call {number} of {format_calls(calls)})")
        state = state.follow(call)


def close_auction(calls: Sequence[str]) -> tuple[str, ...]:
    """Return the calls with the final passes of the auction.

    >>> close_auction(["1NT", "P", "3NT"])
    ('1NT', 'P', '3NT', 'P', 'P', 'P')
    """
    return (*calls, *[PASS] * count_passes(["Pass" if call == PASS else call for call in calls]))


def format_calls(calls: Sequence[str]) -> str:
    """Return the full form of an auction; final passes are written as AP.

    >>> format_calls(["1NT", "P", "3NT", "P", "P", "P"]), format_calls(["P", "P"])
    ('1NT P 3NT AP', 'P P')
    """
    state = State.after(calls)
    if state.is_over and state.bid:
        return " ".join([*calls[:-3], "AP"])
    return " ".join(calls)


def parse_auction(text: str, dealer: int) -> tuple[tuple[str, ...], int, int]:
    """Return all calls of an auction, its dealer, and the side that it is about.

    The third value is the parity of the calls of this side, 0 for the dealer's side. In the short form, it is
    the side whose calls are not in brackets; in the full form, the side that makes the first bid.

    Parameters
    ----------
    text : str
        In the short form, in the full form, as a value of PBN with or without the tag ``[Auction "N"]``, or
        as LIN, ``mb|1N|mb|p|``.
    dealer : int
        N E S W = 0..3, used if the text does not give the dealer.

    Raises
    ------
    ArgumentError
        A word that is not a call, or a call that is not legal.

    Examples
    --------
    >>> parse_auction("1H (1S) 2H", 2)
    (('1H', '1S', '2H'), 2, 0)
    >>> parse_auction("1NT-3NT", 0)
    (('1NT', 'P', '3NT'), 0, 0)
    """
    if not isinstance(text, str) or not text.strip():
        raise ArgumentError(
            f"an auction is a text such as '1NT-3NT', '1H (1S) 2H' or '1NT P 3NT AP', not {quote(text, 40)}"
        )
    if len(text) > _MAX_TEXT:
        raise ArgumentError(f"the auction has {len(text):,} characters; write at most {_MAX_TEXT:,}")
    text = text.translate(_SIGNS)
    if tag := _PBN.search(text):
        dealer = seat_of(tag[1])
        text = text[tag.end() :].partition("[")[0]
    if "mb|" in text:
        calls = [call for value in _LIN.findall(text) for call, _ in parse_calls(value)]
        calls, ours = _convert(calls, text), -1
    elif re.search(r"[-()]", re.sub(r"=\d+=", "", text)):
        calls, ours = _parse_short(text)
    else:
        read = [call for call, _ in read_auction(text)]
        _refuse_unread(text)
        calls, ours = _convert(read, text), -1
    try:
        check_calls(calls)
    except ArgumentError as error:
        raise _suggest_full_form(error, text) from None
    if ours < 0:
        ours = next((number % 2 for number, call in enumerate(calls) if call != PASS), 0)
    return tuple(calls), dealer, ours


def _suggest_full_form(error: ArgumentError, text: str) -> ArgumentError:
    """Return an error with a remedy, if hyphens join the calls of all players, legal without them."""
    full = " ".join(text.replace("-", " ").split())
    if "-" not in text or "(" in text:
        return error
    try:
        parse_auction(full, 0)
    except ArgumentError:
        return error
    return ArgumentError(
        f"{error}; hyphens join the calls of one side: for those of all players write {full!r}"
    )


def read_calls(text: str) -> tuple[str, ...]:
    """Return the calls of a text column `auction` of a file, from the dealer on.

    Raises
    ------
    ArgumentError
        There is no call, a call cannot be read or is illegal, or the dealer does not begin.

    Examples
    --------
    >>> read_calls("1NT=1= Pass 3NT AP")
    ('1NT', 'P', '3NT', 'P', 'P', 'P')
    """
    if text.lstrip().startswith("-"):
        raise ArgumentError("the dealer does not make the first call")
    calls = tuple(_convert([call for call, _ in read_auction(text)], text))
    check_calls(calls)
    return calls


def _convert(calls: Sequence[str], text: str) -> list[str]:
    """Return calls in the notation of this module, from those of file formats; AP becomes passes."""
    converted: list[str] = []
    for call in calls:
        if call == "?":
            raise ArgumentError(f"{shorten(text, 60)!r} has a call that cannot be read")
        if call == "AP":
            converted = list(close_auction(converted))
        else:
            converted.append(PASS if call == "Pass" else call)
    if not converted:
        raise ArgumentError(f"{shorten(text, 60)!r} has no call; write an auction such as '1NT-3NT'")
    return converted


def _refuse_unread(text: str) -> None:
    """Raise an error for the first word in the full form of an auction that is not a call."""
    rest = re.sub(r"=\d+=|\$\d+|\ball\s+pass\b", " ", text, flags=re.IGNORECASE)
    for word in rest.split():
        if word == "?" or (not _CALL.fullmatch(word.strip(",;!?")) and word.strip("!?^-")):
            raise _build_word_error(word, text)


def _build_word_error(word: str, text: str) -> ArgumentError:
    remedy = "a call is 1C to 7NT, P, X or XX"
    if "10" in word or word[:1] in "089":
        remedy = "the levels are 1 to 7"
    return ArgumentError(f"{word[:20]!r} in the auction {shorten(text, 60)!r} is not a call; {remedy}")


def _parse_short(text: str) -> tuple[list[str], int]:
    """Return the calls of the short form, with its hidden passes, and the parity of our side."""
    calls: list[str] = []
    position, ours = 0, -1  # the parity of the calls of our side; -1: not known yet
    text = text.strip()
    for match in _WORD.finditer(text):
        between = text[position : match.start()].strip(" \t\n-,;")
        if between:
            raise _build_word_error(between, text)
        position = match.end()
        is_theirs, word = match[1] is not None, match[2].strip(",;")
        if is_theirs != (match[3] is not None):
            raise ArgumentError(f"a bracket is not closed in the auction {shorten(text, 60)!r}")
        if not (found := _CALL.fullmatch(word)):
            raise _build_word_error(word, text)
        call = name_call(found[1])
        if ours < 0:
            ours = 1 if is_theirs else 0
        is_our_turn = len(calls) % 2 == ours
        if call == "AP":
            calls = list(close_auction(calls))
            continue
        if is_our_turn and is_theirs:
            raise ArgumentError(
                f"a call of our side is missing before ({word}) in the auction {shorten(text, 60)!r}; "
                "the short form leaves out only passes of the opponents, so write P"
            )
        if not is_our_turn and not is_theirs:
            calls.append(PASS)
        calls.append(PASS if call == "Pass" else call)
    if text[position:].strip(" \t\n-,;"):
        raise _build_word_error(text[position:].strip(), text)
    return calls, max(ours, 0)


def describe_position(calls: Sequence[str], number: int) -> str:
    """Return the calls before a call as its bidder sees them: those of the opponents in brackets.

    >>> describe_position(["1NT", "P", "3NT"], 2), describe_position(["1H", "1S", "2H"], 1)
    ('after 1NT', 'after (1H)')
    """
    sequence = list_seen(calls[:number])
    if not sequence:
        return "as opening"
    return "after " + " ".join(f"({call})" if theirs else call for theirs, call in sequence)


def list_seen(calls: Sequence[str]) -> tuple[tuple[bool, str], ...]:
    """Return the calls that determine a context, as the next caller sees them: (made by opponents, call).

    Passes of the opponents, and passes before the first bid, are left out.

    >>> list_seen(["P", "1H", "P", "P"])
    ((True, '1H'), (False, 'P'))
    """
    n = len(calls)
    first = next((k for k, call in enumerate(calls) if call != PASS), n)
    seen = []
    for k in range(first, n):
        is_theirs = (n - k) % 2 == 1
        if calls[k] != PASS or not is_theirs:
            seen.append((is_theirs, calls[k]))
    return tuple(seen)


def name_seat(dealer: int, number: int) -> str:
    """Return the seat that makes a call, by its number from 0.

    >>> name_seat(2, 1)
    'west'
    """
    return SEATS[(dealer + number) % 4]
