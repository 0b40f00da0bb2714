"""Opening leads, double dummy: the kind of each different lead, and its tricks for the defence.

At the first trick cards that touch in the leader's hand are the same lead; it is named by the highest of
them. Solving whether a lead beats the contract costs less than solving its tricks.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.cards.names import LANE_MASK, LANE_SHIFTS, RANKS, SUIT_LETTERS
from dealerkit.cards.text import find_fault
from dealerkit.doubledummy.arguments import to_hands, to_numbers, to_seat_numbers
from dealerkit.doubledummy.journal import Journal
from dealerkit.doubledummy.library_calls import CARDS_PER_THREAD, TARGETS_PER_THREAD, solve_in_calls
from dealerkit.doubledummy.store.database import current_store
from dealerkit.errors import ArgumentError, DealError, suggest_name
from dealerkit.scoring import Contract, is_declarer_vulnerable, score
from dealerkit.system.progress import show_progress

if TYPE_CHECKING:
    import pandas as pd

MEASURES = ("tricks", "beats")
KINDS = ("top of sequence", "fourth best", "honour", "other")
JOURNAL_DEALS = 240  # solved between two entries of a checkpoint
_TEN = RANKS.index("T")


def leads(
    deals: Any,
    contract: Any,
    declarer: Any,
    *,
    vulnerable: Any = False,
    measure: str = "tricks",
    threads: int | None = None,
    progress: Any = None,
    checkpoint: str | os.PathLike | None = None,
) -> pd.DataFrame:
    """Solve each opening lead against a contract, double dummy.

    Parameters
    ----------
    deals : Deals, Deal, str or sequence of str (PBN), or ndarray of uint64 [n, 4]
    contract : str or Contract
        ``3NT``, ``4S``, ``4Sx`` ...
    declarer : int or str, or a sequence of n
        N E S W = 0..3, or names and letters. The seat on its left leads.
    vulnerable : bool, int or str, or a sequence of n
        For the score: the vulnerable sides, or whether declarer is vulnerable; as for `dealerkit.score`.
    measure : {"tricks", "beats"}
        ``beats`` solves only whether the contract goes down, about four times faster. Deals on which
        it makes according to their attached table or the store are not solved.
    threads : int, optional
        Threads of the solver.
    progress : bool, callable or None
        A bar; None: on a terminal or in a notebook, after a second; or ``progress(done, total)``, deals.
    checkpoint : str or os.PathLike, optional
        As for `dealerkit.dd_table`.

    Returns
    -------
    DataFrame
        One row per deal and distinct lead, in order of deal, suit (S H D C) and rank.

        - deal: index in `deals`
        - card: ``"SQ"``, the highest of touching cards; equals: the others, ``"JT"``
        - suit: ``"S"``
        - kind: the first that applies. *top of sequence*: two or more touching cards, the highest a ten
          or better. *fourth best*: the fourth highest card of its suit is this card or touches it.
          *honour*: ten or better. *other*.
        - tricks (int8): of the defence, with the best play afterwards; only for ``tricks``
        - beats (bool): the contract fails
        - score (int64): declarer's; only for ``tricks``

    Raises
    ------
    DealError
        With the index of the first deal that does not have 52 cards, 13 in each hand.
    ArgumentError
        An invalid contract, seat or vulnerability, or an unknown measure.
    FileError
        The solver library is missing.

    Examples
    --------
    >>> frame = leads("N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432", "7S", "south")
    >>> frame.to_dict("records")[0]["card"], int(frame.tricks[0]), int(frame.score[0])
    ('CA', 0, 1510)
    """
    import pandas as pd

    # Check and broadcast the arguments.
    if not isinstance(measure, str) or measure not in MEASURES:
        raise ArgumentError(
            f"unknown measure {measure!r}{suggest_name(str(measure), MEASURES)}; tricks or beats"
        )
    contract = Contract.of(contract)
    hands = np.ascontiguousarray(to_hands(deals))
    if fault := find_fault(hands):
        raise DealError(f"deal {fault[0]}: {fault[1]}; leads need whole deals")
    seats = to_numbers("declarer", to_seat_numbers(declarer), len(hands), 3)
    vul = is_declarer_vulnerable(vulnerable, seats)
    if vul.shape not in ((), (len(hands),)):
        raise ArgumentError(f"vulnerable has shape {vul.shape}, not ({len(hands)},) for {len(hands)} deals")
    vul = np.broadcast_to(vul, (len(hands),))
    # Solve all leads; with a checkpoint, in parts that are saved.
    tables = deals.tables if isinstance(deals, Deals) else None
    beats = measure == "beats"
    arguments = {"deals": hands, "tables": tables, "contract": contract, "declarer": seats, "beats": beats}
    size = max(len(hands), 1) if checkpoint is None else JOURNAL_DEALS
    values = np.empty((len(hands), 4, 13), np.int8)
    with show_progress(progress) as show, Journal(checkpoint, "leads", arguments) as journal:

        def solve(part: slice) -> np.ndarray:
            def report(done: int, total: int) -> None:
                show(part.start + done * len(hands[part]) // total, len(hands))

            known = None if tables is None else tables[part]
            return solve_leads(hands[part], contract, seats[part], beats, known, threads, report)

        for first in range(0, len(hands), size):
            part = slice(first, first + size)
            values[part] = journal.step(partial(solve, part))
    # One row for the highest of touching cards.
    deal, suit, rank, length, kind = find_distinct_leads(hands[np.arange(len(hands)), (seats + 1) % 4])
    value = values[deal, suit, rank]
    columns: dict[str, Any] = {
        "deal": deal,
        "card": _build_texts(lambda s, r: SUIT_LETTERS[s] + RANKS[r], suit, rank),
        "equals": _build_texts(lambda r, n: RANKS[r - n + 1 : r][::-1], rank, length),
        "suit": _build_texts(lambda s: SUIT_LETTERS[s], suit),
        "kind": _build_texts(lambda k: KINDS[k], kind),
    }
    if beats:
        return pd.DataFrame(columns | {"beats": value > 0})
    made = 13 - value.astype(np.int64)
    columns |= {"tricks": value, "beats": made < contract.level + 6}
    return pd.DataFrame(columns | {"score": score(contract, made, vulnerable=vul[deal])})


def _build_texts(build: Callable[..., str], *columns: np.ndarray) -> np.ndarray:
    """Return the text of each row of numbers 0..15; each different text is built once."""
    code = np.zeros(len(columns[0]), np.int64)
    for column in columns:
        code = code * 16 + column
    codes, inverse = np.unique(code, return_inverse=True)
    texts = [build(*(int(k) >> 4 * i & 15 for i in range(len(columns))[::-1])) for k in codes]
    return np.array(texts, dtype=object)[inverse]


def find_distinct_leads(hand: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return the different leads of hands [n]: row, suit, rank of the highest card, length, kind."""
    lanes = hand[:, None] >> np.array(LANE_SHIFTS, np.uint64) & np.uint64(LANE_MASK)
    held = (lanes[..., None] >> np.arange(13, dtype=np.uint64) & np.uint64(1)).astype(np.int8)
    run = held.copy()  # number of touching cards that end with this one
    for i in range(1, 13):
        run[..., i] += held[..., i] * run[..., i - 1]
    highest = held.astype(bool)
    highest[..., :-1] &= held[..., 1:] == 0
    row, suit, below_ace = np.nonzero(highest[..., ::-1])
    rank = np.subtract(12, below_ace)
    length = run[row, suit, rank]
    above = (held[row, suit] * (np.arange(13) > rank[:, None])).sum(axis=1)
    fourth = (above < 4) & (above + length >= 4)
    honour = rank >= _TEN
    kind = np.select([honour & (length > 1), fourth, honour], [0, 1, 2], 3)
    return row, suit, rank, length, kind


def solve_leads(
    hands: np.ndarray,
    contract: Contract,
    declarer: np.ndarray,
    beats: bool = False,
    tables: np.ndarray | None = None,
    threads: int | None = None,
    progress: Any = None,
) -> np.ndarray:
    """Solve each card of the opening leaders.

    Parameters
    ----------
    hands : ndarray of uint64 [n, 4]
        Whole deals.
    contract : Contract
    declarer : ndarray of int [n]
        N E S W = 0..3.
    beats : bool
        Solve only which cards beat the contract.
    tables : ndarray of int8 [n, 5, 4], optional
        Known tricks; with `beats` deals on which the contract makes are not solved.
    threads, progress
        As for `leads`.

    Returns
    -------
    ndarray of int8 [n, 4, 13]
        For each card, by suit and rank, the tricks of the defence, with `beats` 1 if it beats the contract;
        0 for cards that the leader does not hold.
    """
    # Deals on which the contract is known to make are not solved.
    n, needed = len(hands), contract.level + 6
    values = np.zeros((n, 4, 13), np.int8)
    is_open = np.ones(n, bool)
    store = current_store()
    if beats:
        cells = np.arange(n), contract.strain, declarer
        is_open = store.look_up(hands)[0][cells] < needed
        if tables is not None:
            is_open &= tables[cells] < needed
    # Solve the position before the lead, for each card of the leader.
    rows = np.flatnonzero(is_open)
    target = 14 - needed if beats else -1
    strains, targets = np.full((2, len(rows)), [[contract.strain], [target]])
    per_thread, solutions = (TARGETS_PER_THREAD, 2) if beats else (CARDS_PER_THREAD, 3)
    boards = hands[rows], strains, (declarer[rows] + 1) % 4, targets
    for part, solved in solve_in_calls(*boards, per_thread, solutions, threads=threads, progress=progress):
        # The library has one entry for equal cards: write its value for each of them.
        batch = rows[part]
        is_card = np.arange(13) < solved["cards"][:, None]  # the other entries are not filled
        tricks = np.where(is_card, solved["score"], 0).astype(np.int8)
        tricks = (tricks >= target).astype(np.int8) if beats else tricks
        bits = np.where(is_card, solved["equals"] | np.left_shift(1, np.where(is_card, solved["rank"], 0)), 0)
        board, entry, rank = np.nonzero(bits[..., None] >> np.arange(2, 15) & 1)
        np.maximum.at(values, (batch[board], solved["suit"][board, entry], rank), tricks[board, entry])
        # The best lead bounds declarer's tricks, which the store keeps.
        best = values[batch].max(axis=(1, 2))
        low, high = np.zeros((len(batch), 5, 4), np.int8), np.full((len(batch), 5, 4), 13, np.int8)
        cells = np.arange(len(batch)), contract.strain, declarer[batch]
        low[cells] = np.where(best == 0, needed, 0) if beats else 13 - best
        high[cells] = np.where(best == 0, 13, needed - 1) if beats else 13 - best
        store.update(hands[batch], low, high)
    return values
