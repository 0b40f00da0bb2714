"""Par: the score if both sides bid perfectly with all cards visible, and the contracts that give it.

At par, neither side gains by another bid, and every failing contract is doubled. The score of each contract
and declarer is known, so the auction is a game that is solved backwards from 7NT. The seat that may open
first matters on few deals, such as those on which both sides make 1NT and nothing else. So `Par.texts` has
the classic texts for either side opening first, while `par` takes a dealer.

The definitions are those of B. Haglund and S. Hein's DDS 2.9 (Par, SidesPar, DealerPar); the computation is
different.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from dealerkit.appearance.numbers import format_count
from dealerkit.arguments import check_name, map_values
from dealerkit.cards.deals import Deals
from dealerkit.cards.names import SIDES, STRAIN_LETTERS, VULNERABILITIES, vulnerability_number
from dealerkit.doubledummy.arguments import to_numbers, to_seat_numbers
from dealerkit.doubledummy.lookup import look_up_tables
from dealerkit.errors import ArgumentError
from dealerkit.runtime.process import cached_property
from dealerkit.runtime.progress import Shown, long_work
from dealerkit.scoring import score_contracts

BATCH = 8192  # tables whose auctions are solved together: 5 MB of scores
CONTRACTS = np.dtype({
    "names": ["deal", "level", "strain", "doubled", "seats", "tricks", "score"],
    "formats": ["i8", "i1", "i1", "i1", "u1", "i1", "i4"],
})  # fmt: skip
_INFINITY = 32_000  # beyond any score
_IS_EAST_WEST = np.array([False, True, False, True])[:, None]
_DECLARERS = {1: "N", 4: "S", 5: "NS", 2: "E", 8: "W", 10: "EW"}


@dataclass(frozen=True, eq=False, repr=False)
class Par:
    """Par scores of tables, and the contracts that give them.

    Attributes
    ----------
    tables : ndarray of int8 [n, 5, 4]
        Tricks by strain (S H D C N) and declarer (N E S W).
    vulnerable, dealer : ndarray of int8 [n]
        0 none, 1 north-south, 2 east-west, 3 both; N E S W = 0..3.
    score : ndarray of int32 [n]
        For north-south; 0 if the deal is passed out.

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

    tables: np.ndarray
    vulnerable: np.ndarray
    dealer: np.ndarray
    score: np.ndarray

    def __repr__(self) -> str:
        return f"<Par of {format_count(len(self.score))} deal{'s' * (len(self.score) != 1)}>"

    @cached_property
    def contracts(self) -> np.ndarray:
        """All contracts that give the par score with this dealer.

        Returns
        -------
        structured ndarray
            A row for each contract, ordered by deal, strain (N S H D C) and level: `deal` (index), `level` 1
            to 7, `strain` S H D C N = 0..4, `doubled` 0 or 1, `seats` (declarers, a bit set with N E S W = 1
            2 4 8), `tricks`, `score` for north-south. There is no row for a deal that is passed out.
        """
        return _par_contracts(self.tables, self.vulnerable, _turns_of_dealer(self.dealer))

    def texts(self, view: str = "NS") -> list[tuple[str, str]]:
        """Return par and its contracts as the texts of DDS's SidesPar, if one side may open first.

        Parameters
        ----------
        view : {"NS", "EW"}
            The side that may open first, for which the score is given.

        Returns
        -------
        list of (str, str)
            Texts such as ``("NS -460", "NS:EW 5Cx")``; levels with the same score are joined (``23S``).

        Raises
        ------
        ArgumentError
            The view is unknown.
        """
        turns = _turns_of_side(view, len(self.tables))
        points = _par_scores(self.tables, self.vulnerable, turns) * (1 if view == "NS" else -1)
        contracts: list[list[str]] = [[] for _ in points]
        for deal, text in _join_levels(_par_contracts(self.tables, self.vulnerable, turns)):
            contracts[deal].append(text)
        return [
            (f"{view} {value}", f"{view}:{','.join(texts)}")
            for value, texts in zip(points, contracts, strict=True)
        ]

    def __len__(self) -> int:
        return len(self.tables)


@long_work
def par(
    deals_or_tables: Any, vulnerable: Any = "none", dealer: Any = "north", *, progress: Shown = None
) -> Par:
    """Return par for deals or for tables of tricks.

    Parameters
    ----------
    deals_or_tables : Deals or array of int [n, 5, 4]
        Deals are solved unless their tables are known. Tables have tricks by strain (S H D C N) and declarer
        (N E S W).
    vulnerable : {"none", "ns", "ew", "both", "all"}, int 0 to 3 or bool, or a sequence of n
        0 none, 1 north-south, 2 east-west, 3 both, as in `Deals.vulnerable`; names in any case. True is both,
        False none.
    dealer : int or str, or a sequence of n
        The seat that may open first: N E S W = 0..3, or names and letters.
    progress : bool, callable or None
        Progress of the solver, as for `dealerkit.dd_table`.

    Returns
    -------
    Par
        `score`, `contracts` and `texts`.

    Raises
    ------
    ArgumentError
        A table contains an unknown or impossible number, or a vulnerability or dealer is unknown.

    Examples
    --------
    >>> table = np.full((1, 5, 4), 6)
    >>> table[0, 4] = 7  # all four seats make 1NT, and nothing else
    >>> par(table, dealer="north").score, par(table, dealer="east").score
    (array([90], dtype=int32), array([-90], dtype=int32))
    >>> par(table).contracts[["level", "strain", "seats"]].tolist()
    [(1, 4, 1)]
    """
    is_deals = isinstance(deals_or_tables, Deals)
    tables = look_up_tables(deals_or_tables, progress=progress) if is_deals else _to_tables(deals_or_tables)
    vul = _to_vulnerability(vulnerable, len(tables))
    dealers = to_numbers("dealer", to_seat_numbers(dealer), len(tables), 3)
    return Par(tables, vul, dealers, _par_scores(tables, vul, _turns_of_dealer(dealers)))


def par_score(tables: np.ndarray, vulnerable: Any, side: int) -> np.ndarray:
    """Return par for one side; north-south may open first, as in DealerV2's ``par``.

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
    tables, vul, turns = _north_south_opens(tables, vulnerable)
    points = _par_scores(tables, vul, turns)
    return -points if side else points


def par_contract_text(tables: np.ndarray, vulnerable: Any) -> list[str]:
    """Return the first par contract as DealerV2's ``parcontract`` prints it.

    Parameters
    ----------
    tables, vulnerable
        As for `par_score`.

    Returns
    -------
    list of str
        Level, strain, ``*`` if doubled, declarers and vulnerability: ``' 4S  by NS none'``. For a deal that
        is passed out: ``' Pass none'``.

    Examples
    --------
    >>> table = np.full((1, 5, 4), 6)
    >>> table[0, 0] = 10, 3, 10, 3
    >>> par_contract_text(table, "ns")
    [' 4S  by NS ns']
    """
    tables, vul, turns = _north_south_opens(tables, vulnerable)
    contracts = [" Pass"] * len(tables)
    rows = _par_contracts(tables, vul, turns)
    _, first_rows = np.unique(rows["deal"], return_index=True)
    for deal, level, strain, doubled, seats, *_ in rows[first_rows].tolist():
        mark = "*" if doubled else " "
        contracts[deal] = f"{level:2d}{STRAIN_LETTERS[strain]}{mark} by {_DECLARERS[seats]}"
    return [f"{text} {VULNERABILITIES[k]}" for text, k in zip(contracts, vul.tolist(), strict=True)]


def _to_tables(tables: Any) -> np.ndarray:
    """Return complete tables as int8 [n, 5, 4], or raise ArgumentError."""
    array = np.asarray(tables)
    if array.dtype.kind not in "iu" or array.ndim != 3 or array.shape[1:] != (5, 4):
        raise ArgumentError(
            f"tables are {array.dtype} {array.shape}; give whole numbers [n, 5, 4] (strain, declarer)"
        )
    wrong = ((array < 0) | (array > 13)).any(axis=(1, 2))
    if wrong.any():
        raise ArgumentError(f"table {int(wrong.argmax())}: par needs all twenty results, 0 to 13 tricks")
    return array.astype(np.int8, copy=False)


def _north_south_opens(tables: Any, vulnerable: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return checked tables and vulnerabilities, and the turns of the seats if north-south opens first."""
    tables = _to_tables(tables)
    return tables, _to_vulnerability(vulnerable, len(tables)), _turns_of_side("NS", len(tables))


def _to_vulnerability(value: Any, n: int) -> np.ndarray:
    """Return vulnerabilities as int8 [n], from one or n of the values that `par` takes."""
    return to_numbers("vulnerable", map_values(vulnerability_number, value), n, 3)


def _turns_of_side(view: str, n: int) -> np.ndarray:
    """Return the turn in which each seat may open, int8 [n, 4], if both seats of a side open first."""
    view = check_name("view", view, SIDES)
    return np.tile((np.arange(4, dtype=np.int8) + SIDES.index(view)) % 2, (n, 1))


def _turns_of_dealer(dealer: np.ndarray) -> np.ndarray:
    """Return the turn in which each seat may open, int8 [n, 4], if the dealer opens first."""
    return (np.arange(4, dtype=np.int8) - dealer[:, None]) % 4


# ---------------------------------------------------------------- the game
@functools.cache
def _contract_scores() -> np.ndarray:
    """Return declarer's scores, int16 [5 strains, 14 tricks, 2 vulnerable, 7 levels]; doubled if failing."""
    strain, made, vul, level = np.ogrid[:5, :14, :2, 1:8]
    return score_contracts(level, strain, made < level + 6, made, vul).astype(np.int16)


def _score_bids(tables: np.ndarray, vulnerable: np.ndarray) -> np.ndarray:
    """Return north-south's score of each contract, int16 [35, 4, n]: contracts from 1C up, declarers."""
    scores = np.empty((7, 5, 4, len(tables)), np.int16)
    for seat in range(4):
        vul = vulnerable >> (seat & 1) & 1
        for rank, strain in enumerate((3, 2, 1, 0, 4)):
            points = _contract_scores()[strain, tables[:, strain, seat], vul].T
            scores[:, rank, seat] = -points if seat & 1 else points
    return scores.reshape(35, 4, -1)


def _solve_auction(bids: np.ndarray, turns: np.ndarray) -> np.ndarray:
    """Return par for north-south, int16 [n], given the turn in which each seat may open."""
    n = bids.shape[2]
    # The value of the best bid of a side above the current one, and of the best opening bid of a seat
    above_ns, above_ew = np.full(n, -_INFINITY, np.int16), np.full(n, _INFINITY, np.int16)
    opening = np.empty((4, n), np.int16)
    opening[0::2], opening[1::2] = -_INFINITY, _INFINITY
    for bid in bids[::-1]:
        ns, ew = np.minimum(bid[0::2], above_ew), np.maximum(bid[1::2], above_ns)
        np.maximum(opening[0::2], ns, out=opening[0::2])
        np.minimum(opening[1::2], ew, out=opening[1::2])
        np.maximum(above_ns, ns.max(axis=0), out=above_ns)
        np.minimum(above_ew, ew.min(axis=0), out=above_ew)
    value = np.zeros(n, np.int16)  # all pass
    for turn in range(3, -1, -1):
        for seat, better in enumerate((np.maximum, np.minimum, np.maximum, np.minimum)):
            value = np.where(turns[:, seat] == turn, better(value, opening[seat]), value)
    return value


def _solve_batches(tables: np.ndarray, vulnerable: np.ndarray, turns: np.ndarray) -> Iterator[tuple]:
    """Yield, for each batch, its rows, the scores of its contracts, and par."""
    for start in range(0, len(tables), BATCH):
        part = slice(start, start + BATCH)
        bids = _score_bids(tables[part], vulnerable[part])
        yield part, bids, _solve_auction(bids, turns[part])


def _par_scores(tables: np.ndarray, vulnerable: np.ndarray, turns: np.ndarray) -> np.ndarray:
    """Return par for north-south, int32 [n]."""
    values = [value for *_, value in _solve_batches(tables, vulnerable, turns)]
    return np.concatenate([np.empty(0, np.int32), *values])


def _par_contracts(tables: np.ndarray, vulnerable: np.ndarray, turns: np.ndarray) -> np.ndarray:
    """Return the contracts that give the par score and that the other side cannot prevent.

    A side prevents a contract with one that is better for it than par: a higher contract, or the same one in
    an earlier turn.
    """
    rows = [np.empty(0, CONTRACTS)]
    for part, bids, value in _solve_batches(tables, vulnerable, turns):
        better = np.where(_IS_EAST_WEST, bids < value, bids > value)
        by_side = better[:, :2] | better[:, 2:]
        above = np.zeros_like(by_side)
        above[:-1] = np.logical_or.accumulate(by_side[:0:-1])[::-1]
        is_par = (bids == value) & ~np.tile(above[:, ::-1], (1, 2, 1))
        turn = turns[part].T
        for seat in range(4):
            for other in ((seat + 1) % 4, (seat + 3) % 4):
                is_par[:, seat] &= ~(better[:, other] & (turn[other] < turn[seat]))
        rows.append(_contract_rows(is_par, value, tables[part], part.start))
    return np.concatenate(rows)


def _contract_rows(is_par: np.ndarray, value: np.ndarray, tables: np.ndarray, start: int) -> np.ndarray:
    """Return the rows of `CONTRACTS` for contracts and declarers, bool [35, 4, n], in their order."""
    side, bid, deal = np.nonzero((is_par[:, :2] | is_par[:, 2:]).transpose(1, 0, 2))
    level, strain = bid // 5 + 1, np.array((3, 2, 1, 0, 4))[bid % 5]
    order = np.lexsort((level, side, (strain + 1) % 5, deal))
    side, bid, deal, level, strain = (a[order] for a in (side, bid, deal, level, strain))
    declares = [is_par[bid, side + 2 * i, deal] for i in range(2)]
    rows = np.empty(len(deal), CONTRACTS)
    rows["deal"], rows["level"], rows["strain"] = deal + start, level, strain
    rows["seats"] = (declares[0] + 4 * declares[1].astype(np.uint8)) << side.astype(np.uint8)
    rows["tricks"] = tables[deal, strain, np.where(declares[0], side, side + 2)]
    rows["doubled"] = rows["tricks"] < level + 6
    rows["score"] = value[deal]
    return rows


def _join_levels(rows: np.ndarray) -> Iterator[tuple[int, str]]:
    """Yield deals and contract texts, joining levels of the same strain and declarers."""
    keys = rows[["deal", "strain", "seats", "doubled", "level"]].tolist()
    for (deal, strain, seats, doubled), group in itertools.groupby(keys, key=lambda row: row[:4]):
        levels = "".join(str(row[4]) for row in group)
        yield deal, f"{_DECLARERS[seats]} {levels}{STRAIN_LETTERS[strain]}{'x' * doubled}"
