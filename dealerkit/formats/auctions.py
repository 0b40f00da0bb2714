"""Auctions and play of boards: calls and cards as text, the contract, and the tricks.

The text column `auction` has the calls from the dealer on, as in PBN: ``1NT Pass 3NT Pass Pass Pass``, with
``X`` and ``XX``. ``=1=`` after a call refers to the line of `auction_notes` with this number. The note of an
alerted call begins with ``Alert``: ``Alert: Stayman``, or only ``Alert`` without an explanation. The column
`play` has the cards in the order of play: ``H4 HK HA H2``. An unknown call is ``?``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from dealerkit.cards.names import RANKS, SEAT_LETTERS, STRAIN_LETTERS, SUIT_LETTERS, card_bit

ALERT = "Alert"  # the note of an alert without an explanation, and the beginning of one that has it
_CALL = r"all\s?pass|ap|pass|p|redbl|rdbl|dbl|xx|x|r|d|[1-7]\s?(?:nt|[shdcn])"
_CALLS = re.compile(rf"[ ,;-]*(!?)({_CALL})(!?)", re.IGNORECASE)
_PBN = re.compile(
    rf"\s*(?:(?P<call>{_CALL})(?![a-z])|=(?P<note>\d+)=|\$\d+|[!?]+(?=\s|[=$]|$)|\^\w|-)", re.IGNORECASE
)
_CARDS = [f"{suit}{rank}" for suit in SUIT_LETTERS for rank in RANKS]
_CARD_NUMBERS = {card: number for number, card in enumerate(_CARDS)}
_DOUBLES = {"d": "X", "dbl": "X", "x": "X", "r": "XX", "rdbl": "XX", "redbl": "XX", "xx": "XX"}


def name_call(text: str) -> str:
    """Return a call as PBN writes it; "AP" means the final passes of an auction.

    >>> [name_call(text) for text in ("p", "1n", "d", "7S", "all pass")]
    ['Pass', '1NT', 'X', '7S', 'AP']
    """
    call = text.lower().replace(" ", "")
    if call in ("p", "pass"):
        return "Pass"
    if call in ("ap", "allpass"):
        return "AP"
    return _DOUBLES.get(call) or f"{call[0]}{'NT' if call[1] == 'n' else call[1].upper()}"


def format_note(text: str, is_alerted: bool) -> str:
    """Return the note of a call from its alert and explanation; "" if it has neither.

    >>> format_note("15-17", False), format_note("Stayman", True), format_note("", True)
    ('15-17', 'Alert: Stayman', 'Alert')
    """
    return f"{ALERT}: {text}" if text and is_alerted else text or (ALERT if is_alerted else "")


def split_note(note: str) -> tuple[str, bool]:
    """Return the explanation of a note, and whether the call was alerted.

    >>> split_note("15-17"), split_note("Alert: Stayman"), split_note("Alert")
    (('15-17', False), ('Stayman', True), ('', True))
    """
    text = note.strip()
    beginning, separator, rest = text.partition(":")
    is_alerted = beginning == ALERT and bool(separator or text == ALERT)
    return (rest.strip(), True) if is_alerted else (text, False)


def parse_calls(text: str) -> list[tuple[str, bool]]:
    """Return the calls in a value of LIN with their alerts; anything else becomes the call "?".

    >>> parse_calls("1n!"), parse_calls("1Cp1H"), parse_calls("hm")
    ([('1NT', True)], [('1C', False), ('Pass', False), ('1H', False)], [('?', False)])
    """
    calls: list[tuple[str, bool]] = []
    position = 0
    while match := _CALLS.match(text, position):
        calls.append((name_call(match[2]), bool(match[1] or match[3])))
        position = match.end()
    return calls if not text[position:].strip(" -,;") else [*calls, ("?", False)]


def read_auction(text: str) -> list[tuple[str, int]]:
    """Return the calls of a text column up to an unknown call, each with the number of its note, or 0.

    >>> read_auction("1NT=2= X AP")
    [('1NT', 2), ('X', 0), ('Pass', 0), ('Pass', 0), ('Pass', 0)]
    """
    calls: list[tuple[str, int]] = []
    position = 0
    while match := _PBN.match(text, position):
        position = match.end()
        if match["note"] and calls:
            calls[-1] = (calls[-1][0], int(match["note"][:9]))
        elif match["call"]:
            name = name_call(match["call"])
            if name == "AP":
                calls += [("Pass", 0)] * count_passes([call for call, _ in calls])
            else:
                calls.append((name, 0))
    return calls


def count_passes(calls: Sequence[str]) -> int:
    """Return how many passes end an auction: three after a bid, four without a bid."""
    n_last = 0
    while n_last < len(calls) and calls[-1 - n_last] == "Pass":
        n_last += 1
    return max(0, (4 if n_last == len(calls) else 3) - n_last)


def find_contract(calls: Sequence[str], dealer: int, *, played: bool = False) -> tuple[str, str]:
    """Return the contract of an auction and its declarer, in the form of text columns.

    Parameters
    ----------
    calls : sequence of str
        Calls as PBN writes them, from the dealer on.
    dealer : int, 0..3, or -1 if unknown
    played : bool
        Whether cards were played, so that the auction has ended.

    Returns
    -------
    contract : str
        A contract such as ``3NTX``, or ``Pass``; "" if the auction has not ended or has unknown calls.
    declarer : str
        N, E, S or W; "" if there is no declarer, or it is unknown.

    Examples
    --------
    >>> find_contract(["Pass", "1S", "X", "4S", "X", "Pass", "Pass", "Pass"], dealer=0)
    ('4SX', 'E')
    """
    if not calls or "?" in calls or (count_passes(calls) and not played):
        return "", ""
    bids = [(number, call) for number, call in enumerate(calls) if call[0].isdigit()]
    if not bids:
        return ("" if played else "Pass"), ""
    last, bid = bids[-1]
    doubles = [call for call in calls[last:] if call in ("X", "XX")]
    contract = bid + (doubles[-1] if doubles else "")
    first = next(number for number, call in bids if call[1:] == bid[1:] and (number - last) % 2 == 0)
    return contract, "" if dealer < 0 else SEAT_LETTERS[(dealer + first) % 4]


def count_tricks(result: str, contract: str, declarer: str) -> int | None:
    """Return declarer's tricks from a text, or None.

    Programs write the number of tricks, ``NS 10`` for a side, or ``+1``, ``=`` and ``-2`` relative to the
    contract.

    Parameters
    ----------
    result : str
        The text.
    contract : str
        A contract such as ``4SX``; without it, relative numbers are unknown.
    declarer : str
        The letter of a seat; without it, the tricks of a side are unknown.

    Examples
    --------
    >>> count_tricks("10", "4S", "N"), count_tricks("+1", "3NT", "E"), count_tricks("=", "3NT", "")
    (10, 10, 9)
    >>> count_tricks("NS 9", "4S", "E"), count_tricks("EW 4 NS 9", "4S", "N"), count_tricks("^9", "", "")
    (4, 9, 9)
    >>> count_tricks("", "4S", "N"), count_tricks("0", "Pass", ""), count_tricks("made", "4S", "N")
    (None, None, None)
    """
    text = " ".join(result.strip().lstrip("^").upper().split())
    if contract.strip().lstrip("^").lower() == "pass" or not text:
        return None
    tricks: int | None = None
    if re.fullmatch(r"\d{1,2}", text, re.ASCII):
        tricks = int(text)
    elif found := re.fullmatch(r"(=|[+-] ?\d{1,2})", text, re.ASCII):
        level = contract.strip().lstrip("^")[:1]
        if level.isdigit():
            tricks = int(level) + 6 + (0 if found[1] == "=" else int(found[1].replace(" ", "")))
    elif sides := re.fullmatch(r"(NS|EW) (\d{1,2})(?: (?!\1)(NS|EW) (\d{1,2}))?", text, re.ASCII):
        declaring = {"N": "NS", "S": "NS", "E": "EW", "W": "EW"}.get(declarer.strip().lstrip("^")[:1].upper())
        of_side = {sides[1]: int(sides[2])} | ({sides[3]: int(sides[4])} if sides[3] else {})
        if declaring and sum(of_side.values()) <= 13 and (not sides[3] or sum(of_side.values()) == 13):
            tricks = of_side.get(declaring, 13 - int(sides[2]))
    return tricks if tricks is not None and 0 <= tricks <= 13 else None


def parse_card(text: str) -> int:
    """Return the number of a card, suit * 13 + rank, or -1.

    >>> parse_card("h4"), parse_card("SA"), parse_card("D10"), parse_card("?")
    (15, 12, 34, -1)
    """
    number = _CARD_NUMBERS.get(text)
    return _CARD_NUMBERS.get(text.strip().upper().replace("10", "T"), -1) if number is None else number


def name_card(card: int) -> str:
    """Return a card as text.

    >>> name_card(15)
    'H4'
    """
    return _CARDS[card]


class Play:
    """The play of a board, trick by trick, up to a card that the player whose turn it is does not hold.

    Parameters
    ----------
    hands : sequence of int
        Four hands. A card that nobody holds is assumed to belong to the player whose turn it is.
    leader : int, 0..3
        Seat that leads to the first trick.
    strain : int, 0..4
    cards : sequence of int
        Numbers of the cards (`parse_card`), in the order of play.
    by_seats : bool
        Whether the cards of a trick may be in another order, as in PBN's tables.

    Attributes
    ----------
    cards : list of int
        The cards that could be followed, in the order of play.
    tricks : list of int
        Numbers of tricks won by north-south and east-west.
    is_complete : bool
        Whether 13 tricks were played.
    """

    def __init__(
        self, hands: Sequence[int], leader: int, strain: int, cards: Sequence[int], by_seats: bool = False
    ) -> None:
        self.cards: list[int] = []
        self.tricks = [0, 0]
        for trick in _split_tricks(cards):
            # The play ends at a card that is not held by the player whose turn it is, or was played before.
            owners = [find_owner(hands, card) for card in trick]
            if by_seats and sorted(owners) == [0, 1, 2, 3]:
                trick = [trick[owners.index((leader + k) % 4)] for k in range(4)]
            elif any(owner not in (-1, (leader + k) % 4) for k, owner in enumerate(owners)):
                break
            if set(trick) & set(self.cards):
                break
            self.cards += trick
            if len(trick) < 4:
                break
            leader = (leader + find_winner(trick, strain)) % 4
            self.tricks[leader % 2] += 1
        self.is_complete = len(self.cards) == 52


def _split_tricks(cards: Sequence[int]) -> Iterator[list[int]]:
    """Yield the cards in groups of four, up to an unknown card."""
    known = list(cards)
    if -1 in known:
        known = known[: known.index(-1)]
    return (known[first : first + 4] for first in range(0, len(known), 4))


def find_winner(trick: Sequence[int], strain: int) -> int:
    """Return the place of the winning card in a trick, 0 for the card led.

    It is the highest trump or, without trumps, the highest card of the suit led.

    >>> find_winner([23, 25, 0, 38], 0), find_winner([23, 38], 4)
    (2, 0)
    """
    led = trick[0] // 13
    ranked = [(card // 13 == strain, card // 13 == led, card % 13) for card in trick]
    return max(range(len(trick)), key=ranked.__getitem__)


def find_owner(hands: Sequence[int], card: int) -> int:
    """Return the seat that holds a card, or -1."""
    bit = card_bit(card // 13, card % 13)
    return next((seat for seat, hand in enumerate(hands) if hand & bit), -1)


def play_contract(
    hands: Sequence[int], contract: str, declarer: int, cards: Sequence[int], by_seats: bool = False
) -> Play | None:
    """Return the play of a contract such as ``3NTX``; None if contract or declarer are unknown."""
    if declarer < 0 or not contract[:1].isdigit():
        return None
    return Play(hands, (declarer + 1) % 4, STRAIN_LETTERS.index(contract[1]), cards, by_seats)


def seat_of(letter: str) -> int:
    """Return the number of a seat by the first letter of its name, or -1.

    >>> seat_of("west"), seat_of("^S"), seat_of("?")
    (3, 2, -1)
    """
    letter = letter.strip().lstrip("^")[:1].upper()
    return SEAT_LETTERS.find(letter) if letter else -1
