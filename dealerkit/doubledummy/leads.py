"""Opening leads, double dummy: each distinct lead with its class and what it brings the defence.

At the first trick cards that touch in the leader's hand are the same lead; it is named by the
highest of them. Whether a lead beats the contract is a cheaper question than its tricks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.cards.names import LANE_MASK, LANE_SHIFTS, RANKS, SUIT_LETTERS
from dealerkit.cards.text import find_fault
from dealerkit.doubledummy.arguments import hands_of, numbers, seat_numbers
from dealerkit.doubledummy.library_calls import apart, batches, long_first, solve_some
from dealerkit.doubledummy.store.database import current_store
from dealerkit.errors import ArgumentError, DealError, suggest_name
from dealerkit.scoring import Contract, is_declarer_vulnerable, score

if TYPE_CHECKING:
    import pandas as pd

MEASURES = ("tricks", "beats")
KINDS = ("top of sequence", "fourth best", "honour", "other")
_EVERY, _QUERIES = 24, 64  # boards in one call for each thread
_TEN = RANKS.index("T")


def leads(
    deals: Any,
    contract: Any,
    declarer: Any,
    vulnerable: Any = False,
    measure: str = "tricks",
    *,
    threads: int | None = None,
    progress: Any = None,
) -> pd.DataFrame:
    """What each opening lead brings against a contract, if everybody sees all cards.

    Parameters
    ----------
    deals : Deals, Deal, str or sequence of str (PBN), or ndarray of uint64 [n, 4]
    contract : str or Contract
        ``3NT``, ``4S``, ``4Sx`` ...
    declarer : int or str, or a sequence of n
        N E S W = 0..3, or words and letters. The seat on its left leads.
    vulnerable : bool or array of bool [n], or who is vulnerable
        Is declarer vulnerable? For the score. As `dealerkit.scoring.score` takes it.
    measure : {"tricks", "beats"}
        ``beats`` asks only whether the contract goes down, about four times faster. Deals whose
        tables or store entry say that it makes are not solved for it.
    threads : int, optional
        Of the solver.
    progress : callable, optional
        ``progress(done, total)``, deals, after each call of the library.

    Returns
    -------
    DataFrame
        One row per deal and distinct lead, in order of deal, suit (S H D C) and rank.

        - deal: index in `deals`
        - card: ``"SQ"``, the highest of touching cards; equals: the others, ``"JT"``
        - suit: ``"S"``
        - kind: the first that fits. *top of sequence*: two or more touching cards, the highest a ten
          or better. *fourth best*: the fourth highest card of its suit is this card or touches it.
          *honour*: ten or better. *other*.
        - tricks (int8): of the defence, with the best play afterwards; only with ``tricks``
        - beats (bool): the contract fails
        - score (int64): declarer's; only with ``tricks``

    Raises
    ------
    DealError
        With the index of the first deal that has not 52 cards, 13 in each hand.
    ArgumentError
        No contract, no seat, no vulnerability, an unknown measure.
    FileError
        The solver library is missing.

    Examples
    --------
    >>> frame = leads("N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432", "7S", "south")
    >>> frame.to_dict("records")[0]["card"], int(frame.tricks[0]), int(frame.score[0])
    ('CA', 0, 1510)
    """
    import pandas as pd

    if not isinstance(measure, str) or measure not in MEASURES:
        raise ArgumentError(
            f"unknown measure {measure!r}{suggest_name(str(measure), MEASURES)}; tricks or beats"
        )
    bid = Contract.of(contract)
    hands = np.ascontiguousarray(hands_of(deals))
    if found := find_fault(hands):
        raise DealError(f"deal {found[0]}: {found[1]}; leads need whole deals")
    seats = numbers("declarer", seat_numbers(declarer), len(hands), 3)
    vul = is_declarer_vulnerable(vulnerable, seats)
    if vul.shape not in ((), (len(hands),)):
        raise ArgumentError(f"vulnerable has shape {vul.shape}, not ({len(hands)},) for {len(hands)} deals")
    vul = np.broadcast_to(vul, (len(hands),))
    tables = deals.tables if isinstance(deals, Deals) else None
    brings = _solved(hands, bid, seats, measure == "beats", tables, threads, progress)
    deal, suit, rank, length, kind = _distinct(hands[np.arange(len(hands)), (seats + 1) % 4])
    value = brings[deal, suit, rank]
    columns: dict[str, Any] = {
        "deal": deal,
        "card": _texts(lambda s, r: SUIT_LETTERS[s] + RANKS[r], suit, rank),
        "equals": _texts(lambda r, n: RANKS[r - n + 1 : r][::-1], rank, length),
        "suit": _texts(lambda s: SUIT_LETTERS[s], suit),
        "kind": _texts(lambda k: KINDS[k], kind),
    }
    if measure == "beats":
        return pd.DataFrame({**columns, "beats": value > 0})
    made = 13 - value.astype(np.int64)
    return pd.DataFrame(
        {**columns, "tricks": value, "beats": made < bid.level + 6, "score": score(bid, made, vul[deal])}
    )


def _texts(text: Any, *numbers_of: np.ndarray) -> np.ndarray:
    """Strings for small numbers, each made once."""
    code = np.zeros(len(numbers_of[0]), np.int64)
    for part in numbers_of:
        code = code * 16 + part
    kinds, back = np.unique(code, return_inverse=True)
    names = [text(*(int(k) >> 4 * i & 15 for i in range(len(numbers_of))[::-1])) for k in kinds]
    return np.array(names, dtype=object)[back]


def _distinct(hand: np.ndarray) -> tuple[np.ndarray, ...]:
    """Distinct leads of hands [n]: row, suit, rank of the highest card, how many touch, kind."""
    lanes = hand[:, None] >> np.array(LANE_SHIFTS, np.uint64) & np.uint64(LANE_MASK)
    held = (lanes[..., None] >> np.arange(13, dtype=np.uint64) & np.uint64(1)).astype(np.int8)
    run = held.copy()  # how many cards touch below and with this one
    for i in range(1, 13):
        run[..., i] += held[..., i] * run[..., i - 1]
    highest = held.astype(bool)
    highest[..., :-1] &= held[..., 1:] == 0
    row, suit, place = np.nonzero(highest[..., ::-1])
    rank = np.subtract(12, place)
    length = run[row, suit, rank]
    above = (held[row, suit] * (np.arange(13) > rank[:, None])).sum(axis=1)
    fourth = (above < 4) & (above + length >= 4)
    honour = rank >= _TEN
    kind = np.select([honour & (length > 1), fourth, honour], [0, 1, 2], 3)
    return row, suit, rank, length, kind


def _solved(
    hands: np.ndarray,
    bid: Contract,
    declarer: np.ndarray,
    beats: bool,
    tables: np.ndarray | None,
    threads: int | None,
    progress: Any,
) -> np.ndarray:
    """For each card [n, 4, 13] the tricks of the defence, or 1 where it beats the contract; else 0."""
    n, needed = len(hands), bid.level + 6
    brings = np.zeros((n, 4, 13), np.int8)
    ask = np.ones(n, bool)
    store, every = current_store(), np.arange(n)
    if beats:
        ask = store.look_up(hands)[0][every, bid.strain, declarer] < needed
        if tables is not None:
            ask &= tables[every, bid.strain, declarer] < needed
    rows = np.flatnonzero(ask)
    rows = rows[long_first(hands[rows], declarer[rows])]
    turn = apart(np.column_stack((hands[rows], declarer[rows].astype(np.uint64))))
    target = 14 - needed if beats else -1
    for part in batches(turn, _QUERIES if beats else _EVERY, threads, progress):
        some = rows[part]
        found = solve_some(
            hands[some], bid.strain, (declarer[some] + 1) % 4, target, 2 if beats else 3, threads=threads
        )
        real = np.arange(13) < found["cards"][:, None]  # what stands in the other places means nothing
        points = np.where(real, found["score"], 0).astype(np.int8)
        points = (points >= target).astype(np.int8) if beats else points
        bits = np.where(real, found["equals"] | np.left_shift(1, np.where(real, found["rank"], 0)), 0)
        board, place, rank = np.nonzero(bits[..., None] >> np.arange(2, 15) & 1)
        cards = some[board], found["suit"][board, place], rank
        np.maximum.at(brings, cards, points[board, place])
        best = brings[some].max(axis=(1, 2))
        low, high = np.zeros((len(some), 5, 4), np.int8), np.full((len(some), 5, 4), 13, np.int8)
        cell = np.arange(len(some)), bid.strain, declarer[some]
        low[cell] = np.where(best == 0, needed, 0) if beats else 13 - best
        high[cell] = np.where(best == 0, 13, needed - 1) if beats else 13 - best
        store.update(hands[some], low, high)
    return brings
