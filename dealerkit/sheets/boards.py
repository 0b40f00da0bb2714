"""The boards of a practice sheet: hands, points, dealer, vulnerability, auction, tricks and par."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dealerkit.arguments import check_integer
from dealerkit.cards.deals import Deals
from dealerkit.cards.html import count_points
from dealerkit.cards.names import SEAT_LETTERS, SEATS, SUIT_LETTERS, board_dealer, board_vulnerability
from dealerkit.cards.text import SUIT_SYMBOLS, format_hands
from dealerkit.doubledummy.lookup import look_up_tables
from dealerkit.doubledummy.par import par
from dealerkit.evaluators import evaluate
from dealerkit.formats.auctions import read_auction
from dealerkit.formats.partial import PartialDeals


@dataclass(frozen=True)
class ParContract:
    """A contract that scores par.

    Attributes
    ----------
    level, strain : int
        Level 1..7, and strain S H D C N = 0..4.
    doubled : bool
        Whether it is doubled.
    declarers : {"N", "S", "N-S", "E", "W", "E-W"}
        Who can declare it.
    """

    level: int
    strain: int
    doubled: bool
    declarers: str


@dataclass(frozen=True)
class Answer:
    """The double-dummy results of a board.

    Attributes
    ----------
    tricks : list of list of int
        Tricks by strain (S H D C N) and declarer (N E S W).
    score : int
        The par score of north-south.
    contracts : tuple of ParContract
        The contracts that score par; empty if the board is passed out.
    """

    tricks: list[list[int]]
    score: int
    contracts: tuple[ParContract, ...]


@dataclass(frozen=True)
class Board:
    """One board of a sheet.

    Attributes
    ----------
    number, dealer, vulnerable : int
        The number; the dealer, N E S W = 0..3; the vulnerable sides, 1 for north-south plus 2 for east-west.
    hands : tuple of tuple of str
        The texts of the four suits of each seat; an unknown hand has none.
    points : tuple of (int or None)
        High-card points of each seat; None if they are unknown.
    answer : Answer or None
        Double-dummy results, if they are known.
    calls : tuple of (str, str)
        The calls of the auction from the dealer on, each with its explanation or "".
    remarks : tuple of str
        What else a file says about a problem: the contract with its lead, and the paragraphs of its comment.
    solution : Board or None
        The whole board, if only the hands of a problem are shown.
    """

    number: int
    dealer: int
    vulnerable: int
    hands: tuple[tuple[str, ...], ...]
    points: tuple[int | None, ...]
    answer: Answer | None
    calls: tuple[tuple[str, str], ...] = ()
    remarks: tuple[str, ...] = ()
    solution: Board | None = None

    @property
    def has_answer(self) -> bool:
        """Whether there is more to show than the hands: tricks, an auction or remarks."""
        return self.answer is not None or bool(self.calls or self.remarks)


MAX_NUMBER = 10**9  # largest number of a first board
_DECLARERS = {1: "N", 4: "S", 5: "N-S", 2: "E", 8: "W", 10: "E-W"}


def list_boards(
    deals: Deals, first_board: int = 1, solve: bool = False, texts: Mapping[str, Sequence[str]] | None = None
) -> list[Board]:
    """Return deals as boards.

    Parameters
    ----------
    deals : Deals
        The deals. A dealer or vulnerability that they do not have is that of the board's number.
    first_board : int
        The number of the first deal, 1 to 10**9, if the deals have no numbers.
    solve : bool
        Whether to solve deals without a complete table; otherwise, they have no answer.
    texts : mapping of str to sequence of str, optional
        Columns of text, of which `auction` and `auction_notes` are used.

    Raises
    ------
    DealError
        A deal is missing or not valid.
    ArgumentError
        `first_board` is not an integer or is out of range.
    """
    # Numbers, dealers and vulnerabilities
    deals.check()
    numbers = np.arange(len(deals)) + check_integer("first_board", first_board, 1, MAX_NUMBER)
    if deals.board is not None:
        numbers = np.where(deals.board > 0, deals.board, numbers)
    dealers, vulnerabilities = board_dealer(numbers), board_vulnerability(numbers)
    if deals.dealer is not None:
        dealers = np.where(deals.dealer < 0, dealers, deals.dealer)
    if deals.vulnerable is not None:
        vulnerabilities = np.where(deals.vulnerable < 0, vulnerabilities, deals.vulnerable)
    # Hands, points, answers and auctions
    shown = [format_hands(deals.hands[:, seat]) for seat in range(4)]
    points = [evaluate(deals, "hcp", seat).tolist() for seat in range(4)]
    answers = _find_answers(deals, dealers, vulnerabilities, solve)
    auctions = _read_auctions(texts or {}, len(deals))
    return [
        Board(
            number, dealer, vulnerable, tuple(tuple(hand.split(".")) for hand in hands), values, answer, calls
        )
        for number, dealer, vulnerable, hands, values, answer, calls in zip(
            numbers.tolist(),
            dealers.tolist(),
            vulnerabilities.tolist(),
            zip(*shown, strict=True),
            zip(*points, strict=True),
            answers,
            auctions,
            strict=True,
        )
    ]


def list_problems(deals: PartialDeals, first_board: int = 1) -> list[Board]:
    """Return partial deals as boards, with their auctions, contracts, leads and comments.

    Points are known if all 13 cards of a hand are known; an `x` counts as a card without points. A dealer or
    vulnerability that the file does not have is that of the board's number.

    Raises
    ------
    ArgumentError
        `first_board` is not an integer or is out of range.

    Examples
    --------
    >>> from dealerkit.cards.partial import PartialDeal
    >>> lesson = PartialDeals([PartialDeal("N:AKxx.AKxx.xxx.xx - QJ... -")], {"contract": ["4S"]})
    >>> (board,) = list_problems(lesson)
    >>> board.hands[2], board.points, board.remarks
    (('QJ?', '?', '?', '?'), (14, None, None, None), ('Contract 4♠.',))
    """
    first_board = check_integer("first_board", first_board, 1, MAX_NUMBER)
    auctions = _read_auctions(deals.texts, len(deals))
    boards = []
    for row, (deal, calls) in enumerate(zip(deals, auctions, strict=True)):
        number = deal.board if deal.board is not None and deal.board > 0 else first_board + row
        dealer = board_dealer(number) if deal.dealer is None else deal.dealer
        vulnerable = board_vulnerability(number) if deal.vulnerable is None else deal.vulnerable
        counts = [deal.count_known(seat) for seat in range(4)]
        hands = tuple(
            tuple("" if cards == "-" else cards for cards in holdings) if count else ()
            for holdings, count in zip(deal.list_holdings(), counts, strict=True)
        )
        points = tuple(
            count_points(hand) if count == 13 else None
            for hand, count in zip(deal.hands, counts, strict=True)
        )
        if calls and not _has_ended(calls):
            calls = (*calls, ("?", ""))  # the call to find
        remarks = list_remarks({name: values[row] for name, values in deals.texts.items()})
        boards.append(Board(number, dealer, vulnerable, hands, points, None, calls, remarks))
    return boards


def _has_ended(calls: Sequence[tuple[str, str]]) -> bool:
    """Return whether an auction is complete: three passes follow another call."""
    return len(calls) > 3 and all(call == "Pass" for call, _ in calls[-3:])


def list_remarks(texts: Mapping[str, str]) -> tuple[str, ...]:
    """Return a sentence with contract, declarer and lead, and the paragraphs of the comment.

    >>> list_remarks({"contract": "3NT", "declarer": "S", "lead": "HK", "comment": "Plan the play."})
    ('Contract 3NT by South, lead ♥K.', 'Plan the play.')
    >>> list_remarks({"contract": "4SX", "declarer": "^N"})
    ('Contract 4♠X by North.',)
    """
    names = ("contract", "declarer", "lead")
    contract, declarer, lead = ((texts.get(name) or "").lstrip("^") for name in names)
    if (suit := SUIT_LETTERS.find(contract[1:2] or "?")) >= 0:
        contract = f"{contract[0]}{SUIT_SYMBOLS[suit]}{contract[2:]}"
    sentence = f"Contract {contract}" if contract else ""
    if contract and (seat := SEAT_LETTERS.find(declarer[:1].upper() or "?")) >= 0:
        sentence += f" by {SEATS[seat].capitalize()}"
    if len(lead) == 2:
        suit = SUIT_LETTERS.find(lead[0])
        sentence += f"{', lead' if sentence else 'Lead'} {SUIT_SYMBOLS[suit]}{lead[1]}"
    lines = [line.strip() for line in (texts.get("comment") or "").splitlines()]
    return tuple(line for line in (f"{sentence}." if sentence else "", *lines) if line)


def _read_auctions(texts: Mapping[str, Sequence[str]], n_boards: int) -> list[tuple[tuple[str, str], ...]]:
    """Return the calls of each board with explanations; empty if they do not start with the dealer."""
    auctions = texts.get("auction") or [""] * n_boards
    notes = texts.get("auction_notes") or [""] * n_boards
    found = []
    for text, lines in zip(auctions, notes, strict=True):
        explained = dict(line.split(":", 1) for line in (lines or "").split("\n") if ":" in line)
        calls = [] if (text or "-").lstrip().startswith("-") else read_auction(text)
        found.append(tuple((call, explained.get(str(note), "").strip()) for call, note in calls))
    return found


def _find_answers(
    deals: Deals, dealers: np.ndarray, vulnerable: np.ndarray, solve: bool
) -> list[Answer | None]:
    """Return the answer of each deal, or None for deals without a complete table."""
    # Complete tables and their par
    tables = look_up_tables(deals) if solve and len(deals) else deals.tables
    answers: list[Answer | None] = [None] * len(deals)
    if tables is None:
        return answers
    rows = np.flatnonzero((tables >= 0).all(axis=(1, 2)))
    result = par(tables[rows], vulnerable[rows], dealers[rows])
    # The contracts of each deal
    contracts: dict[int, list[ParContract]] = {}
    names = ["deal", "strain", "seats", "doubled", "level"]
    for key, group in itertools.groupby(result.contracts[names].tolist(), key=lambda row: row[:4]):
        deal, strain, seats, doubled = key
        level = max(row[4] for row in group)  # lower levels score the same
        contracts.setdefault(deal, []).append(ParContract(level, strain, bool(doubled), _DECLARERS[seats]))
    for place, (row, score) in enumerate(zip(rows.tolist(), result.score.tolist(), strict=True)):
        answers[row] = Answer(tables[row].tolist(), score, tuple(contracts.get(place, ())))
    return answers
