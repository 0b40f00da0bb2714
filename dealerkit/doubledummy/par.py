"""Par: the score when both sides bid perfectly, seeing all cards, and the contracts that bring it.

Nobody gains by bidding on, and every contract that fails is doubled. Both sides know what each
contract brings each declarer, so the auction is a game that is solved backwards from 7NT. Who may
open first matters on few deals (both sides make 1NT and nothing else): the classic texts give the
view of either side, `par` that of a dealer.

References
----------
The definitions are those of B. Haglund and S. Hein's DDS 2.9 (functions Par, SidesPar, DealerPar),
computed here in another way, for many tables at once.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.cards.names import SIDES, STRAIN_LETTERS, VULNERABILITIES, vulnerability_number
from dealerkit.doubledummy.arguments import numbers, seat_numbers
from dealerkit.doubledummy.lookup import look_up_tables
from dealerkit.errors import ArgumentError
from dealerkit.scoring import score_contracts

STEP = 8192  # tables at once: 5 MB of scores
CONTRACTS = np.dtype(
    [
        ("deal", "i8"), ("level", "i1"), ("strain", "i1"), ("doubled", "i1"), ("seats", "u1"),
        ("tricks", "i1"), ("score", "i4"),
    ]
)  # fmt: skip
_FAR = 32_000  # beyond any score
_SEATS = {1: "N", 4: "S", 5: "NS", 2: "E", 8: "W", 10: "EW"}


@dataclass(frozen=True, eq=False)
class Par:
    """Par of some tables.

    Attributes
    ----------
    tables : ndarray of int8 [n, 5, 4]
        Tricks by strain (S H D C N) and declarer (N E S W).
    vulnerable, dealer : ndarray of int8 [n]
        0 none, 1 north-south, 2 east-west, 3 both; N E S W = 0..3.
    score : ndarray of int32 [n]
        For north-south; 0: passed out.

    Examples
    --------
    >>> table = np.tile(np.array([9, 4, 9, 4], np.int8), (5, 1))
    >>> table[4] = 7, 6, 7, 6
    >>> result = par(table[None], vulnerable="both")
    >>> result.score
    array([140], dtype=int32)
    >>> result.texts("NS"), result.texts("EW")
    ([('NS 140', 'NS:NS 123S,NS 123H')], [('EW -140', 'EW:NS 123S,NS 123H')])
    """

    tables: np.ndarray = field(repr=False)
    vulnerable: np.ndarray = field(repr=False)
    dealer: np.ndarray = field(repr=False)
    score: np.ndarray

    @functools.cached_property
    def contracts(self) -> np.ndarray:
        """All contracts that bring par, with this dealer.

        Returns
        -------
        structured ndarray
            A row for each, in order of deal, strain (N S H D C) and level: `deal` (index), `level`
            1 to 7, `strain` S H D C N = 0..4, `doubled` 0 or 1, `seats` (declarers, a bit set with
            N E S W = 1 2 4 8), `tricks`, `score` for north-south. No row for a deal passed out.
        """
        return _contracts(self.tables, self.vulnerable, _by_dealer(self.dealer))

    def texts(self, view: str = "NS") -> list[tuple[str, str]]:
        """The classic texts, when one side may open first.

        Parameters
        ----------
        view : {"NS", "EW"}
            That side; its score is given.

        Returns
        -------
        list of (str, str)
            Such as ``("NS -460", "NS:EW 5Cx")``; levels of equal score stand together (``23S``).

        Raises
        ------
        ArgumentError
            Another view.
        """
        first = _by_side(view, len(self.tables))
        points = _scores(self.tables, self.vulnerable, first)
        sign = 1 if view == "NS" else -1
        found: list[list[str]] = [[] for _ in points]
        for deal, text in _joined_levels(_contracts(self.tables, self.vulnerable, first)):
            found[deal].append(text)
        return [
            (f"{view} {sign * int(p)}", f"{view}:{','.join(texts)}")
            for p, texts in zip(points, found, strict=True)
        ]

    def __len__(self) -> int:
        return len(self.tables)


def par(deals_or_tables: Any, vulnerable: Any = "none", dealer: Any = "north") -> Par:
    """Par of deals or of tables of tricks.

    Parameters
    ----------
    deals_or_tables : Deals or array of int [n, 5, 4]
        Deals whose tables are not known are solved. Tricks by strain (S H D C N) and declarer (N E S W).
    vulnerable : {"none", "ns", "ew", "both"}, int 0 to 3, or array of int [n]
        0 none, 1 north-south, 2 east-west, 3 both, as in `Deals.vulnerable`; in any case of letters.
    dealer : int or str, or a sequence of n
        Who may open first: N E S W = 0..3, or words and letters.

    Returns
    -------
    Par
        `score`, `contracts` and `texts`.

    Raises
    ------
    ArgumentError
        A table with an unknown or impossible number, a vulnerability or dealer that is none.

    Examples
    --------
    >>> table = np.full((1, 5, 4), 6)
    >>> table[0, 4] = 7  # everybody makes 1NT, and nothing else
    >>> par(table, dealer="north").score, par(table, dealer="east").score
    (array([90], dtype=int32), array([-90], dtype=int32))
    >>> par(table).contracts[["level", "strain", "seats"]].tolist()
    [(1, 4, 1)]
    """
    if isinstance(deals_or_tables, Deals):
        tables = look_up_tables(deals_or_tables)
    else:
        tables = _checked(deals_or_tables)
    vul = _vulnerability(vulnerable, len(tables))
    dealers = numbers("dealer", seat_numbers(dealer), len(tables), 3)
    return Par(tables, vul, dealers, _scores(tables, vul, _by_dealer(dealers)))


def par_score(tables: np.ndarray, vulnerable: Any, side: int) -> np.ndarray:
    """Par as one side sees it; north-south may open first, as DealerV2's ``par`` has it.

    Parameters
    ----------
    tables : array of int [n, 5, 4]
    vulnerable
        As for `par`.
    side : int
        NS, EW = 0, 1.

    Returns
    -------
    ndarray of int32 [n]

    Examples
    --------
    >>> table = np.full((1, 5, 4), 6)
    >>> table[0, 0] = 10, 3, 10, 3
    >>> par_score(table, "ns", 0), par_score(table, "ns", 1)
    (array([620], dtype=int32), array([-620], dtype=int32))
    """
    tables = _checked(tables)
    first = _by_side("NS", len(tables))
    points = _scores(tables, _vulnerability(vulnerable, len(tables)), first)
    return -points if side else points


def par_contract_text(tables: np.ndarray, vulnerable: Any) -> list[str]:
    """The first par contract as DealerV2's ``parcontract`` prints it.

    Parameters
    ----------
    tables, vulnerable
        As for `par_score`.

    Returns
    -------
    list of str
        Level, strain, ``*`` if doubled, declarers and vulnerability: ``' 4S  by NS none'``. A deal
        that is passed out: ``' Pass none'``.

    Examples
    --------
    >>> table = np.full((1, 5, 4), 6)
    >>> table[0, 0] = 10, 3, 10, 3
    >>> par_contract_text(table, "ns")
    [' 4S  by NS ns']
    """
    tables = _checked(tables)
    vul = _vulnerability(vulnerable, len(tables))
    words = [VULNERABILITIES[v] for v in vul.tolist()]
    texts = [f" Pass {word}" for word in words]
    first = _by_side("NS", len(tables))
    rows = _contracts(tables, vul, first)
    _, begins = np.unique(rows["deal"], return_index=True)
    for deal, level, strain, doubled, seats, *_ in rows[begins].tolist():
        mark = "*" if doubled else " "
        texts[deal] = f"{level:2d}{STRAIN_LETTERS[strain]}{mark} by {_SEATS[seats]} {words[deal]}"
    return texts


# ---------------------------------------------------------------- arguments
def _checked(tables: Any) -> np.ndarray:
    array = np.asarray(tables)
    if array.dtype.kind not in "iu" or array.ndim != 3 or array.shape[1:] != (5, 4):
        raise ArgumentError(f"tables are whole numbers [n, 5, 4] (strain, declarer), not {array.shape}")
    wrong = ((array < 0) | (array > 13)).any(axis=(1, 2))
    if wrong.any():
        raise ArgumentError(f"table {int(wrong.argmax())}: par needs all twenty results, 0 to 13 tricks")
    return array.astype(np.int8, copy=False)


def _vulnerability(value: Any, n: int) -> np.ndarray:
    if isinstance(value, str):
        value = vulnerability_number(value)
    return numbers("vulnerable", value, n, 3)


def _by_side(view: str, n: int) -> np.ndarray:
    """In which turn each seat may open, int8 [n, 4], when either seat of a side may begin."""
    if view not in SIDES:
        raise ArgumentError(f"unknown view {view!r}; one of {', '.join(SIDES)}")
    return np.tile((np.arange(4, dtype=np.int8) + SIDES.index(view)) % 2, (n, 1))


def _by_dealer(dealer: np.ndarray) -> np.ndarray:
    return (np.arange(4, dtype=np.int8) - dealer[:, None]) % 4


# ---------------------------------------------------------------- the game
@functools.cache
def _worth() -> np.ndarray:
    """Score of declarer, int16 [5 strains, 14 tricks, 2 vulnerable, 7 levels]; doubled if it fails."""
    strain, made, vul, level = np.ogrid[:5, :14, :2, 1:8]
    return score_contracts(level, strain, made < level + 6, made, vul).astype(np.int16)


def _bids(tables: np.ndarray, vulnerable: np.ndarray) -> np.ndarray:
    """What each contract brings north-south, int16 [35, 4, n]: contracts from 1C up, declarers."""
    every = np.empty((7, 5, 4, len(tables)), np.int16)
    for seat in range(4):
        vul = vulnerable >> (seat & 1) & 1
        for place, strain in enumerate((3, 2, 1, 0, 4)):
            points = _worth()[strain, tables[:, strain, seat], vul].T
            every[:, place, seat] = -points if seat & 1 else points
    return every.reshape(35, 4, -1)


def _solved(bids: np.ndarray, first: np.ndarray) -> np.ndarray:
    """Par, int16 [n]; `first` says in which turn each seat may open."""
    n = bids.shape[2]
    # What a side reaches by the best bid above the current one, and by the best opening of a seat.
    above_ns, above_ew = np.full(n, -_FAR, np.int16), np.full(n, _FAR, np.int16)
    opening = np.empty((4, n), np.int16)
    opening[0::2], opening[1::2] = -_FAR, _FAR
    for bid in bids[::-1]:
        ns, ew = np.minimum(bid[0::2], above_ew), np.maximum(bid[1::2], above_ns)
        np.maximum(opening[0::2], ns, out=opening[0::2])
        np.minimum(opening[1::2], ew, out=opening[1::2])
        np.maximum(above_ns, ns.max(axis=0), out=above_ns)
        np.minimum(above_ew, ew.min(axis=0), out=above_ew)
    value = np.zeros(n, np.int16)  # all pass
    for turn in range(3, -1, -1):
        for seat, better in enumerate((np.maximum, np.minimum, np.maximum, np.minimum)):
            value = np.where(first[:, seat] == turn, better(value, opening[seat]), value)
    return value


def _parts(tables: np.ndarray, vulnerable: np.ndarray, first: np.ndarray) -> Iterator[tuple]:
    for start in range(0, len(tables), STEP):
        part = slice(start, start + STEP)
        bids = _bids(tables[part], vulnerable[part])
        yield part, bids, _solved(bids, first[part])


def _scores(tables: np.ndarray, vulnerable: np.ndarray, first: np.ndarray) -> np.ndarray:
    points = np.empty(len(tables), np.int32)
    for part, _, value in _parts(tables, vulnerable, first):
        points[part] = value
    return points


def _contracts(tables: np.ndarray, vulnerable: np.ndarray, first: np.ndarray) -> np.ndarray:
    """Contracts that bring par and that the other side cannot shut out.

    It shuts a contract out by one that is better for it than par: a higher one, or the same
    one, opened before.
    """
    found = [np.empty(0, CONTRACTS)]
    for part, bids, value in _parts(tables, vulnerable, first):
        better = np.stack(
            [bids[:, s] > value if s % 2 == 0 else bids[:, s] < value for s in range(4)], axis=1
        )
        by_side = better[:, :2] | better[:, 2:]
        above = np.zeros_like(by_side)
        above[:-1] = np.logical_or.accumulate(by_side[:0:-1])[::-1]
        listed = (bids == value) & ~np.tile(above[:, ::-1], (1, 2, 1))
        turn = first[part].T
        for seat in range(4):
            for other in ((seat + 1) % 4, (seat + 3) % 4):
                listed[:, seat] &= ~(better[:, other] & (turn[other] < turn[seat]))
        found.append(_rows(listed, value, tables[part], part.start))
    return np.concatenate(found)


def _rows(listed: np.ndarray, value: np.ndarray, tables: np.ndarray, start: int) -> np.ndarray:
    sides = np.stack([listed[:, 0] | listed[:, 2], listed[:, 1] | listed[:, 3]])
    side, bid, deal = np.nonzero(sides)
    level, strain = bid // 5 + 1, np.array((3, 2, 1, 0, 4))[bid % 5]
    order = np.lexsort((level, side, (strain + 1) % 5, deal))
    side, bid, deal, level, strain = (a[order] for a in (side, bid, deal, level, strain))
    has = [listed[bid, side + 2 * i, deal] for i in range(2)]
    rows = np.empty(len(deal), CONTRACTS)
    rows["deal"], rows["level"], rows["strain"] = deal + start, level, strain
    rows["seats"] = (has[0] + 4 * has[1].astype(np.uint8)) << side.astype(np.uint8)
    rows["tricks"] = tables[deal, strain, np.where(has[0], side, side + 2)]
    rows["doubled"] = rows["tricks"] < level + 6
    rows["score"] = value[deal]
    return rows


def _joined_levels(rows: np.ndarray) -> Iterator[tuple[int, str]]:
    """Contract texts with levels of the same strain and declarers written together."""
    each = rows[["deal", "strain", "seats", "doubled", "level"]].tolist()
    for (deal, strain, seats, doubled), group in itertools.groupby(each, key=lambda row: row[:4]):
        levels = "".join(str(row[4]) for row in group)
        yield deal, f"{_SEATS[seats]} {levels}{STRAIN_LETTERS[strain]}{'x' * doubled}"
