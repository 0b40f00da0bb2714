"""The values of PBN: of the tags Board, Dealer, Vulnerable, Deal and Contract, and of the sections.

Sections are the auction, the play, and tables of double-dummy tricks. References: PBN 2.1, the standard.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import combinations, count

import numpy as np

from dealerkit.cards.names import (
    FULL_DECK,
    LANE_SHIFTS,
    RANKS,
    SEAT_LETTERS,
    SEATS,
    STRAIN_LETTERS,
    SUIT_LETTERS,
    board_dealer,
    board_vulnerability,
)
from dealerkit.cards.text import describe_fault, parse_hand
from dealerkit.errors import DealError
from dealerkit.formats.auctions import ALERT, find_winner

UNKNOWN = frozenset(("", "?", "-", "????.??.??"))  # values that mean unknown
_MAX_BOARD = 2**31 - 1
_SEATS = {"N": 0, "E": 1, "S": 2, "W": 3, "NORTH": 0, "EAST": 1, "SOUTH": 2, "WEST": 3}
_VULNERABLE = {
    **dict.fromkeys(("NONE", "LOVE", "-", "O", "0", "NIL", "ZERO", "NEITHER"), 0),
    **dict.fromkeys(("NS", "N-S", "N/S"), 1),
    **dict.fromkeys(("EW", "E-W", "E/W"), 2),
    **dict.fromkeys(("ALL", "BOTH", "FULL"), 3),
}
_SYMBOLS = str.maketrans({"♠": "S", "♥": "H", "♦": "D", "♣": "C", "♤": "S", "♡": "H", "♢": "D", "♧": "C"})
_SEAT = re.compile(r"\s*([NESW])\s*:\s*(.*)", re.IGNORECASE | re.DOTALL)
_SUIT_LETTER = re.compile(r"([SHDC]):?")
_SUIT_WORDS = re.compile(r"(?:[SHDC]:?[0-9AKQJT-]*(?:\s+|$)){8,16}")
_CONTRACT = re.compile(r"\^?([1-7])\s*(S|H|D|C|NT?)\s*(X{0,2})", re.IGNORECASE)
_CALL = re.compile(r"([1-7])([SHDC]|NT?)")
_SPACED_CALL = re.compile(
    r"(?<![\w$^])([1-7])\s+(?=(?:NT?|[SHDC])(?![A-Za-z]))|\ball\s+(?=pass\b)", re.IGNORECASE
)
_ANY_NOTE = re.compile(r"=\s*\d+\s*=|=([^=]+)=")
_SEPARATORS = re.compile(r"[(),;|]|(?<=[A-Za-z])[-.](?=\s|$|[1-7PXDR])")
_CALLS = {
    "P": "Pass", "PASS": "Pass", "X": "X", "D": "X", "DBL": "X", "DOUBLE": "X", "XX": "XX", "R": "XX",
    "RDBL": "XX", "REDBL": "XX", "REDOUBLE": "XX", "AP": "AP", "ALLPASS": "AP", "-": "-", "*": "*", "+": "+",
}  # fmt: skip
# Pass, double and redouble in Dutch, French, German, Italian, Polish, Portuguese, Scandinavian languages,
# Spanish.
FOREIGN_CALLS = {
    **dict.fromkeys(("PAS", "PASO", "PASSE", "PASSO", "PASST"), "Pass"),
    **dict.fromkeys(
        (
            "CONTRA", "CONTRE", "CONTRO", "DOBBEL", "DOBL", "DOBLA", "DOBLER", "DOBLET", "DOBLO", "DOBRO",
            "DOUBLET", "DUBBEL", "DUBBELT", "DUBLET", "K", "KONTRA", "KTR",
        ),
        "X",
    ),
    **dict.fromkeys(
        (
            "RD", "RE", "REDOBBEL", "REDOBL", "REDOBLA", "REDOBLER", "REDOBLET", "REDOBLO", "REDOBRO",
            "REDOUBLET", "REDUBBEL", "REDUBBELT", "REDUBLET", "REKONTRA", "REKTR", "RK", "RKTR", "SURCONTRE",
            "SURCONTRO",
        ),
        "XX",
    ),
}  # fmt: skip
_CALLS |= FOREIGN_CALLS
_WORD = re.compile(r"([^\s!?=$^]*)((?:[!?]{1,2}|=\d+=|\$\d+|\^[A-Za-z]\w*)*)")
_SPACED_NOTE = re.compile(r"=\s*(\d+)\s*=")
CARDS = [f"{suit}{rank}" for suit in SUIT_LETTERS for rank in RANKS]
_CARD_NUMBERS = {
    spelling: number
    for number, card in enumerate(CARDS)
    for suit in (card[0], card[0].lower())
    for spelling in (suit + card[1], suit + card[1].lower(), suit + card[1].replace("T", "10"))
} | {"-": -1}
_STRENGTHS = [  # strength of a card, by trump (the last is notrump), suit led, and card
    [
        [card % 13 + (26 if card // 13 == trump else 13 if card // 13 == led else 0) for card in range(52)]
        for led in range(4)
    ]
    for trump in range(5)
]
HEX_PLACES = [(STRAIN_LETTERS.index(s), SEAT_LETTERS.index(d)) for d in "NSEW" for s in "NSHDC"]
_HEX_TRICKS = {digit: n for n, digit in enumerate("0123456789abcd")} | {"*": -1, "-": -1}
_RESULTS = {str(n): n for n in range(14)} | {f"{n:02d}": n for n in range(10)} | dict.fromkeys("-?*", -1)
_TABLE_PLACES = {
    (declarer, name): [4 * strain + SEAT_LETTERS.index(seat) for seat in declarer]
    for declarer in (*SEAT_LETTERS, "NS", "EW")
    for strain, letter in enumerate(STRAIN_LETTERS)
    for name in (("N", "NT") if letter == "N" else (letter,))
}
_RESULT_COLUMNS = ("declarer", "denomination", "result")
_QUOTED = re.compile(r'"[^"]*"|[^\s"]+')
_HEADER_WIDTH = re.compile(r"\\\d*[LR]?", re.IGNORECASE)


# ---------------------------------------------------------------- board, dealer, vulnerability
def find_board(text: str) -> int:
    """Return the number of a board; -1 for any other text.

    >>> find_board("017"), find_board("3-2")
    (17, -1)
    """
    text = text.strip().lstrip("0")
    return (
        int(text) if text.isascii() and text.isdigit() and len(text) < 11 and int(text) <= _MAX_BOARD else -1
    )


def find_dealer(text: str, board: int) -> int:
    """Return the seat of the dealer, by the board's number if the text is empty; -1 if unknown.

    >>> find_dealer("S", 1), find_dealer("", 2), find_dealer("?", -1), find_dealer("Ann", 1)
    (2, 1, -1, -1)
    """
    if (value := text.strip().upper()) not in UNKNOWN:
        return _SEATS.get(value, -1)
    return board_dealer(board) if board > 0 else -1


def find_vulnerability(text: str | None, board: int) -> tuple[int, bool]:
    """Return the vulnerability, -1 if unknown, and whether the text could be read.

    For None, ``?`` and an empty text, the vulnerability is that of the board's number.

    >>> find_vulnerability("Love", 2), find_vulnerability(None, 2), find_vulnerability("Red", 2)
    ((0, True), (1, True), (-1, False))
    """
    if text is not None and (value := text.strip().upper()) not in ("", "?"):
        known = _VULNERABLE.get(value, -1)
        return known, known >= 0
    return (board_vulnerability(board) if board > 0 else -1), True


# ---------------------------------------------------------------- deal
def parse_deal_value(text: str) -> list[int]:
    """Return the four hands in the value of a Deal tag, north first.

    The first seat can be any, or missing (then it is north). Ranks can be in any order and case, and the ten
    can be ``10``. A void is ``-`` or empty. Letters or symbols of suits may precede the cards. A single
    unknown hand gets the remaining cards.

    Raises
    ------
    DealError
        The text is not a whole deal; the message says whether it is no deal, a partial deal, an ending, or
        wrong.

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
    # The first seat, and a text for each hand; without dots and seat it may be anything.
    value = text.translate(_SYMBOLS).upper()
    found = _SEAT.match(value)
    first, rest = (SEAT_LETTERS.index(found[1]), found[2]) if found else (0, value)
    texts = _split_hands(rest)
    if len(texts) != 4 or (not found and "." not in rest):
        raise DealError(f"bad deal: {text.strip()[:60]!r} is not four hands, such as 'N:AK32.T98...'")
    # An unknown hand is a dash, or only dots.
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
    # Turn the hands from the order of the text to north first.
    hands = known[4 - first :] + known[: 4 - first]
    return _complete(hands, sorted((first + place) % 4 for place in unknown))


def normalize_hands(text: str) -> str:
    """Return the value of a Deal tag, which may be partial, as a seat and four hands without other marks.

    If there are fewer than four hands after a seat, the missing ones are unknown.

    >>> normalize_hands("e: sAK.hQT2.. - ... t9.-.x."), normalize_hands("S:AK32.Q32.J32.432")
    ('E:AK.QT2.. - - T9..X.', 'S:AK32.Q32.J32.432 - - -')

    Raises
    ------
    DealError
        There are no hands, or more than four.
    """
    value = text.translate(_SYMBOLS).upper()
    found = _SEAT.match(value)
    first, rest = (found[1], found[2]) if found else ("N", value)
    hands = _split_hands(rest)
    if found and 0 < len(hands) < 4 and all(hand.count(".") == 3 for hand in hands):
        hands += ["-"] * (4 - len(hands))
    if len(hands) != 4:
        fault = f"bad deal: {text.strip()[:60]!r} is not four hands; write a dash for an unknown hand"
        raise DealError(fault if text.strip("?- ") else "no deal")
    return f"{first}:{' '.join('-' if hand in ('-', '...', '?') else _clean_hand(hand) for hand in hands)}"


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
    """Return the four suits of a hand with too many dots, or all parts if it is not clear which are too many.

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


def _complete(hands: list[int], unknown: list[int]) -> list[int]:
    """Return the hands of a whole deal, in which one may be unknown; raise DealError for any other deal."""
    union = hands[0] | hands[1] | hands[2] | hands[3]
    sizes = [hand.bit_count() for hand in hands]
    is_distinct = sum(sizes) == union.bit_count()
    # A single unknown hand has the cards that the others do not have.
    if len(unknown) == 1 and is_distinct and sum(sizes) == 39 and max(sizes) == 13:
        hands[unknown[0]] = FULL_DECK & ~union
        return hands
    if unknown:
        names = [SEATS[seat] for seat in unknown]
        if len(names) == 4:
            raise DealError("no deal: all hands are unknown")
        listed = f"{', '.join(names[:-1])} and {names[-1]} are" if len(names) > 1 else f"{names[0]} is"
        raise DealError(f"partial deal: the hand{'s' if len(names) > 1 else ''} of {listed} unknown")
    # The hands are a whole deal, or an ending with equally long hands, or wrong.
    if is_distinct and sizes == [13] * 4:
        return hands
    if is_distinct and len(set(sizes)) == 1:
        raise DealError(f"ending: {sizes[0]} cards in each hand" if sizes[0] else "no deal")
    raise DealError(f"bad deal: {describe_fault(hands)}")


def describe_spelling(text: str) -> str:
    """Return a remark on an unusual spelling of a Deal tag that can be read, or "".

    >>> for text in ("AK.T98.5.3 ...", "N:SAK.HT9 ...", "N:AK"):
    ...     describe_spelling(text)
    'the deal does not name its first seat; it is read as north'
    'the deal has letters of suits'
    ''
    """
    value = text.translate(_SYMBOLS).upper()
    found = _SEAT.match(value)
    if not found:
        return "the deal does not name its first seat; it is read as north"
    return "the deal has letters of suits" if re.search("[SHDC]", found[2]) else ""


# ---------------------------------------------------------------- contract and auction
def normalize_contract(text: str) -> str:
    """Return a contract as PBN writes it; other text is unchanged.

    >>> normalize_contract("3nx"), normalize_contract("pass"), normalize_contract("4S")
    ('3NTX', 'Pass', '4S')
    """
    if found := _CONTRACT.fullmatch(text.strip()):
        strain = found[2].upper()
        mark = "^" if text.strip().startswith("^") else ""
        return f"{mark}{found[1]}{'NT' if strain == 'N' else strain}{found[3].upper()}"
    return "Pass" if text.strip().upper() in ("PASS", "P", "PASSED OUT") else text.strip()


def split_items(rows: list[str]) -> list[tuple[str, str]] | None:
    """Return calls or cards with their suffixes, notes and NAGs; None if there is other text.

    >>> split_items(["1NT! =1=  Pass", "2C $2"])
    [('1NT', '!=1='), ('Pass', ''), ('2C', '$2')]
    """
    text = " ".join(rows)
    if "=" in text:
        text = _SPACED_NOTE.sub(r"=\1=", text)
    # Suffixes and notes after a blank belong to the call or card before them.
    items: list[tuple[str, str]] = []
    for word in text.split():
        item = _split_word(word)
        if item is None:
            return None
        if item[0]:
            items.append(item)
        elif items:
            items[-1] = items[-1][0], items[-1][1] + item[1]
        else:
            return None
    return items


@lru_cache(maxsize=4096)
def _split_word(word: str) -> tuple[str, str] | None:
    """Return a call or card, or "", and the suffixes, notes and NAGs that follow it; None for other text."""
    found = _WORD.fullmatch(word)
    return (found[1], found[2]) if found else None


def read_auction(rows: list[str], notes: list[str]) -> list[str]:
    """Return the calls of an auction, each with its suffixes and notes.

    ``AP`` is replaced by the passes that end the auction. Texts between ``=`` and the asterisk of an alerted
    call become lines of `notes`, which are ``1:text``.

    Raises
    ------
    ValueError
        A text is not a call; the message is this text.

    Examples
    --------
    >>> read_auction(["- - 1n p 3NT =1= AP"], [])
    ['-', '-', '1NT', 'Pass', '3NT=1=', 'Pass', 'Pass', 'Pass']
    >>> notes = []
    >>> read_auction(["1NT =15-17= D 2♥* (P)"], notes), notes
    (['1NT=1=', 'X', '2H=2=', 'Pass'], ['1:15-17', '2:Alert'])
    """
    items = split_items(rows)
    if items is None or not all(_normalize_call(text) for text, _ in items):
        words = _respell_auction(" ".join(rows), notes)
        items = split_items([" ".join(words)])
        if items is None:
            raise ValueError(next((word for word in words if _split_word(word) is None), words[0]))
    # AP means three passes after a bid, or four without one, minus those that are there.
    calls: list[str] = []
    n_passes, is_bid = 0, False
    for text, added in items:
        call = _normalize_call(text)
        if not call:
            raise ValueError(text)
        if call == "AP":
            calls += ["Pass"] * ((3 if is_bid else 4) - n_passes)
            continue
        n_passes = n_passes + 1 if call == "Pass" else n_passes if call in "*+-" else 0
        is_bid = is_bid or call[0].isdigit()
        calls.append(call + added)
    return calls


def find_foreign_calls(rows: list[str]) -> list[str]:
    """Return the calls of an auction in another language than English, as they are written.

    >>> find_foreign_calls(["1C Kontra pas 1S", "p kontra"])
    ['Kontra', 'pas']
    """
    words: dict[str, str] = {}
    for word in " ".join(rows).split():
        words.setdefault(word.upper(), word)
    return [word for name, word in words.items() if name in FOREIGN_CALLS]


def _respell_auction(text: str, notes: list[str]) -> list[str]:
    """Return the words of an auction in the spelling of PBN, and add their explanations to the notes."""
    numbers = {int(number) for note in notes if (number := note.partition(":")[0]).isdecimal()}
    numbers |= {int(number) for number in _SPACED_NOTE.findall(text)}

    def add_note(note: str) -> str:
        number = next(number for number in count(1) if number not in numbers)
        numbers.add(number)
        notes.append(f"{number}:{note.strip()}")
        return f"={number}="

    # Replace texts of notes by their numbers; then suit symbols, `1 NT`, `all pass`, brackets and commas.
    text = _ANY_NOTE.sub(lambda found: add_note(found[1]) if found[1] else found[0], text)
    text = _SPACED_CALL.sub(lambda found: found[0].strip(), text.translate(_SYMBOLS))
    words = _SEPARATORS.sub(" ", text).split()
    # An asterisk after a call is an alert; a note after it is the explanation.
    for place, word in enumerate(words):
        if len(word) > 1 and word.endswith("*") and _normalize_call(word.rstrip("*")):
            is_explained = words[place + 1 : place + 2] and words[place + 1].startswith("=")
            words[place] = word.rstrip("*") + ("" if is_explained else add_note(ALERT))
    return words


@lru_cache(maxsize=4096)
def _normalize_call(text: str) -> str:
    """Return a call as PBN writes it, or "" for other text."""
    text = text.upper()
    if found := _CALL.fullmatch(text):
        return f"{found[1]}{'NT' if found[2] == 'N' else found[2]}"
    return _CALLS.get(text, "")


# ---------------------------------------------------------------- play
def find_owners(hands: np.ndarray) -> list[list[int]]:
    """Return the seats that hold the cards of each deal, uint64 [n, 4], in the order of CARDS.

    The seat of a card that no hand has is -1.
    """
    bits = np.array([1 << (LANE_SHIFTS[suit] + rank) for suit in range(4) for rank in range(13)], np.uint64)
    are_held = (hands[:, :, None] & bits) != 0
    return np.where(are_held.any(axis=1), are_held.argmax(axis=1), -1).tolist()


def read_play(rows: list[str], leader: str, contract: str, owners: list[int]) -> list[str] | None:
    """Return the cards of a play in the order in which they were played, each with its notes.

    Rows should have the cards of the four seats from the opening leader on. If they do not, each card belongs
    to the seat that holds it.

    Parameters
    ----------
    rows : list of str
        Rows of the Play section.
    leader, contract : str
        Texts of the opening leader's seat and of the contract.
    owners : list of int
        The seats that hold the cards, from `find_owners`.

    Returns
    -------
    list of str or None
        None if the section has other text or a gap, or a card does not belong to the player whose turn it is.
    """
    items = split_items(rows)
    first = SEAT_LETTERS.find(leader.strip().upper()[:1] or "?")
    found = _CONTRACT.fullmatch(contract)
    if items is None or first < 0:
        return None
    # An asterisk ends a play that was not finished, and dashes fill its last row.
    if items and items[-1][0] == "*":
        items.pop()
    while items and items[-1][0] == "-":
        items.pop()
    # Refuse text that is not a card, a repeated card, and tricks with an unknown trump suit.
    cards = [_CARD_NUMBERS.get(text, -2) for text, _ in items]
    known = [card for card in cards if card >= 0]
    has_gap = len(known) < len(cards)
    if -2 in cards or len(set(known)) < len(known) or (len(items) > 4 and not found):
        return None
    # A card of an unknown hand belongs to the seat of its column.
    if -1 in owners:
        in_columns = {card: (first + place) % 4 for place, card in enumerate(cards)}
        owners = [in_columns.get(card, -1) if seat < 0 else seat for card, seat in enumerate(owners)]
    # Go trick by trick. The columns are right if each seat holds its card; the leader's card is played first.
    strengths = _STRENGTHS[SUIT_LETTERS.find(found[2].upper()) if found else -1]
    columns = [(first + k) % 4 for k in range(4)]
    played, seat, n_items = [], first, len(items)
    for start in range(0, n_items, 4):
        trick = list(range(start, min(start + 4, n_items)))  # numbers of the items
        if has_gap or len(trick) < 4 or [owners[card] for card in cards[start : start + 4]] != columns:
            by_seat = {owners[cards[item]]: item for item in trick if cards[item] >= 0}
            n_cards = sum(cards[item] >= 0 for item in trick)
            order = [by_seat.get((seat + k) % 4, -1) for k in range(4)]
            trick = order[:n_cards]
            if not trick or -1 in trick or (n_cards < 4 and start + 4 < n_items):
                return None
        else:
            turn = (seat - first) % 4
            trick = trick[turn:] + trick[:turn]
        played += trick
        values = [strengths[cards[trick[0]] // 13][cards[item]] for item in trick]
        seat = (seat + values.index(max(values))) % 4
    return [CARDS[cards[item]] + items[item][1] for item in played]


def arrange_play(played: list[str], leader: int, contract: str) -> list[list[str]] | None:
    """Return the rows of a Play section, with a card of each seat from the leader on.

    Return None if it is not known who won a trick, because there is no contract or a text is not a card.

    >>> arrange_play("H4 HA H2 H3 D5 D2 D9 DK".split(), 0, "3NT")
    [['H4', 'HA', 'H2', 'H3'], ['DK', 'D5', 'D2', 'D9']]
    """
    found = _CONTRACT.fullmatch(contract)
    if (not found and len(played) > 4) or not all(card[:2] in CARDS for card in played):
        return None
    # Arrange the order of play in columns; the winner of a trick leads to the next.
    trump = SUIT_LETTERS.find(found[2].upper()) if found else -1
    rows, seat = [], leader
    for start in range(0, len(played), 4):
        cards = played[start : start + 4]
        row = ["-"] * 4
        for place, card in enumerate(cards):
            row[(seat + place - leader) % 4] = card
        rows.append(row)
        seat = (seat + find_winner([_CARD_NUMBERS[card[:2]] for card in cards], trump)) % 4
    return rows


# ---------------------------------------------------------------- tricks
def read_hex_tricks(text: str) -> list[int] | None:
    """Return the 20 tricks of DoubleDummyTricks by strain (S H D C N) and declarer (N E S W), or None."""
    digits = text.strip().lower()
    if len(digits) != 20:
        return None
    tricks = [0] * 20
    for digit, (strain, seat) in zip(digits, HEX_PLACES, strict=True):
        if (number := _HEX_TRICKS.get(digit)) is None:
            return None
        tricks[4 * strain + seat] = number
    return tricks


def read_result_table(rows: list[str], columns: tuple[int, int, int, int] = (0, 1, 2, 3)) -> list[int] | None:
    """Return the tricks in the rows of OptimumResultTable, -1 if unknown; None if the rows cannot be read.

    A side as declarer means both of its seats.

    Parameters
    ----------
    rows : list of str
    columns : tuple
        Places of the columns, from `find_result_columns`.

    Examples
    --------
    >>> read_result_table(["N NT  9", "N  S  7"])[0::16]
    [7, 9]
    """
    # Values may be in quotes, and there may be more columns than the three.
    text = " ".join(rows).upper()
    words = _QUOTED.findall(text) if '"' in text else text.split()
    of_declarer, of_strain, of_result, width = columns
    tricks, n_known = [-1] * 20, 0
    if len(words) % width:
        return None
    # Both seats of a side, such as NS, have its tricks.
    for declarer, strain, number in zip(
        words[of_declarer::width], words[of_strain::width], words[of_result::width], strict=True
    ):
        places, result = _TABLE_PLACES.get((declarer, strain)), _RESULTS.get(number)
        if places is None or result is None:
            return None
        for place in places:
            tricks[place] = result
        n_known += result >= 0
    return tricks if n_known else None


@lru_cache(maxsize=64)
def find_result_columns(header: str) -> tuple[int, int, int, int] | None:
    r"""Return the places of declarer, denomination and result among the columns, and the number of columns.

    Return None if a column is missing.

    >>> find_result_columns("Declarer;Denomination\\2R;Result\\2R"), find_result_columns("Result;Declarer")
    ((0, 1, 2, 3), None)
    >>> find_result_columns("+Denomination;-Result;Declarer;Score")
    (2, 0, 1, 4)
    """
    if header.strip() in ("", "?"):
        return 0, 1, 2, 3
    names = [
        _HEADER_WIDTH.sub("", name).strip(" +-").lower() for name in re.split(r"[;\s]+", header.strip(" ;"))
    ]
    if any(names.count(name) != 1 for name in _RESULT_COLUMNS):
        return None
    declarer, strain, result = map(names.index, _RESULT_COLUMNS)
    return declarer, strain, result, len(names)


@lru_cache(maxsize=1024)
def read_ability(text: str) -> tuple[int, ...] | None:
    """Return the tricks in the tag Ability, which Deep Finesse writes; None for any other text.

    >>> read_ability("N:98786 E:45546 S:98786 W:45546")[:4]
    (8, 5, 8, 5)
    """
    found = re.fullmatch(r"\s*" + r"\s+".join(f"{seat}:([0-9a-dA-D]{{5}})" for seat in "NESW") + r"\s*", text)
    if not found:
        return None
    tricks = [0] * 20
    for seat in range(4):
        for digit, strain in zip(found[seat + 1], "NSHDC", strict=True):
            tricks[4 * STRAIN_LETTERS.index(strain) + seat] = int(digit, 16)
    return tuple(tricks)
