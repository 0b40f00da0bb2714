"""What a practice sheet shows of each board: hands, points, dealer, vulnerability, tricks and par."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dealerkit.arguments import check_integer
from dealerkit.cards.deals import Deals
from dealerkit.cards.names import board_dealer, board_vulnerability
from dealerkit.cards.text import format_hands
from dealerkit.doubledummy.lookup import look_up_tables
from dealerkit.doubledummy.par import par
from dealerkit.evaluators import evaluate
from dealerkit.formats.auctions import read_auction


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
    """One board of a sheet; `hands` has the texts of the four suits of each seat.

    `calls` has the calls of the auction from the dealer on, each with its explanation or "".
    """

    number: int
    dealer: int
    vulnerable: int
    hands: tuple[tuple[str, ...], ...]
    points: tuple[int, ...]
    answer: Answer | None
    calls: tuple[tuple[str, str], ...] = ()

    @property
    def has_answer(self) -> bool:
        """Whether there is something to say beside the hands: tricks or an auction."""
        return self.answer is not None or bool(self.calls)


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
