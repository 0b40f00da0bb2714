"""What a practice sheet shows of each board: hands, points, dealer, vulnerability, tricks and par."""

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
    """A contract that scores par: level, strain (S H D C N = 0..4), doubled, and who may declare it."""

    level: int
    strain: int
    doubled: bool
    declarers: str  # N, S, N-S, E, W or E-W


@dataclass(frozen=True)
class Answer:
    """Double-dummy results of a board: tricks by strain and declarer, par for north-south, its contracts."""

    tricks: list[list[int]]
    score: int
    contracts: tuple[ParContract, ...]


@dataclass(frozen=True)
class Board:
    """One board of a sheet; `hands` has the texts of the four suits of each seat, none of an unknown hand.

    `calls` has the calls of the auction from the dealer on, each with its explanation or "". `remarks` has
    what else a file says about a problem: the contract and its lead, the paragraphs of its comment.
    """

    number: int
    dealer: int
    vulnerable: int
    hands: tuple[tuple[str, ...], ...]
    points: tuple[int | None, ...]
    answer: Answer | None
    calls: tuple[tuple[str, str], ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def has_answer(self) -> bool:
        """Whether there is something to say beside the hands: tricks, an auction, remarks."""
        return self.answer is not None or bool(self.calls or self.remarks)


_DECLARERS = {1: "N", 4: "S", 5: "N-S", 2: "E", 8: "W", 10: "E-W"}


def list_boards(
    deals: Deals, first_board: int = 1, solve: bool = False, texts: Mapping[str, Sequence[str]] | None = None
) -> list[Board]:
    """Return the boards of deals.

    Parameters
    ----------
    deals : Deals
        What their columns do not say follows from the number of the board.
    first_board : int
        Number of the first deal, 1 or more, if the deals have no numbers.
    solve : bool
        Solve deals without a complete table; if not, they have no answer.
    texts : mapping of str to sequence of str, optional
        Text columns, of which `auction` and `auction_notes` are used.

    Raises
    ------
    DealError
        A deal is missing or not valid.
    """
    deals.check()
    numbers = np.arange(len(deals)) + check_integer("first_board", first_board, 1, 10**9)
    if deals.board is not None:
        numbers = np.where(deals.board > 0, deals.board, numbers)
    dealers, vulnerabilities = board_dealer(numbers), board_vulnerability(numbers)
    if deals.dealer is not None:
        dealers = np.where(deals.dealer < 0, dealers, deals.dealer)
    if deals.vulnerable is not None:
        vulnerabilities = np.where(deals.vulnerable < 0, vulnerabilities, deals.vulnerable)
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

    Points are those of hands of which 13 cards are known; a small card without a name has none. What the file
    does not say of dealer and vulnerability follows from the number of the board.

    >>> from dealerkit.cards.partial import PartialDeal
    >>> lesson = PartialDeals([PartialDeal("N:AKxx.AKxx.xxx.xx - QJ... -")], {"contract": ["4S"]})
    >>> (board,) = list_problems(lesson)
    >>> board.hands[2], board.points, board.remarks
    (('QJ?', '?', '?', '?'), (14, None, None, None), ('Contract 4♠.',))
    """
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
            calls = (*calls, ("?", ""))  # the call that the problem is about
        remarks = _list_remarks({name: values[row] for name, values in deals.texts.items()})
        boards.append(Board(number, dealer, vulnerable, hands, points, None, calls, remarks))
    return boards


def _has_ended(calls: Sequence[tuple[str, str]]) -> bool:
    """Return whether three passes follow a call, so that an auction is complete."""
    return len(calls) > 3 and all(call == "Pass" for call, _ in calls[-3:])


def _list_remarks(texts: Mapping[str, str]) -> tuple[str, ...]:
    """Return contract, declarer and lead as a sentence, and the paragraphs of the comment.

    >>> _list_remarks({"contract": "3NT", "declarer": "S", "lead": "HK", "comment": "Plan the play."})
    ('Contract 3NT by South, lead ♥K.', 'Plan the play.')
    >>> _list_remarks({"contract": "4SX"})
    ('Contract 4♠X.',)
    """
    contract, declarer, lead = (texts.get(name) or "" for name in ("contract", "declarer", "lead"))
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
    """Return the calls of each board with explanations; none if they do not begin with the dealer."""
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
    """Return the answer of each deal, None for those without a complete table."""
    tables = look_up_tables(deals) if solve and len(deals) else deals.tables
    answers: list[Answer | None] = [None] * len(deals)
    if tables is None:
        return answers
    rows = np.flatnonzero((tables >= 0).all(axis=(1, 2)))
    result = par(tables[rows], vulnerable[rows], dealers[rows])
    contracts: dict[int, list[ParContract]] = {}
    names = ["deal", "strain", "seats", "doubled", "level"]
    for key, group in itertools.groupby(result.contracts[names].tolist(), key=lambda row: row[:4]):
        deal, strain, seats, doubled = key
        level = max(row[4] for row in group)  # lower levels score the same
        contracts.setdefault(deal, []).append(ParContract(level, strain, bool(doubled), _DECLARERS[seats]))
    for place, (row, score) in enumerate(zip(rows.tolist(), result.score.tolist(), strict=True)):
        answers[row] = Answer(tables[row].tolist(), score, tuple(contracts.get(place, ())))
    return answers
