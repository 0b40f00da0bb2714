"""Sides of deals: the strain and declarer of each side, and its double-dummy tricks.

Arrays [n, 2] hold both sides of each deal, north-south first.
"""

from __future__ import annotations

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.cards.names import LANE_MASK, LANE_SHIFTS, STRAINS, strain_number
from dealerkit.errors import ArgumentError, suggest_name
from dealerkit.evaluators.pairs.pair import TrumpPair

RULES = ("best major", "longest fit", "best suit", *STRAINS)
STRAIN_TEXTS = {  # of the rules whose names are not those of strains
    "best major": "the longer major",
    "longest fit": "the longest suit",
    "best suit": "the best suit",
}
DECLARERS = ("better", "mean")
DECLARER_TEXTS = {"better": "the better declarer", "mean": "the mean of both declarers"}


def parse_strain_rule(strain: str) -> str:
    """Return the name of a rule; strains also from a letter, the singular, or ``NT``.

    Raises
    ------
    ArgumentError
        An unknown rule.

    Examples
    --------
    >>> [parse_strain_rule(text) for text in ("S", "heart", "NT", "Best Major")]
    ['spades', 'hearts', 'notrump', 'best major']
    """
    name = str(strain).strip().lower()
    if name in RULES:
        return name
    try:
        return STRAINS[strain_number(strain)]
    except ArgumentError:
        close = suggest_name(name, RULES)
        raise ArgumentError(f"unknown strain {strain!r}{close}; known: {', '.join(RULES)}") from None


def count_fits(deals: Deals) -> np.ndarray:
    """Return the combined length of each suit for both sides, int8 [n, 2, 4]."""
    both = deals.hands[:, :2] | deals.hands[:, 2:]
    shifts = np.array(LANE_SHIFTS, np.uint64)
    result: np.ndarray = np.bitwise_count(both[..., None] >> shifts & np.uint64(LANE_MASK)).astype(np.int8)
    return result


def require_tables(deals: Deals) -> np.ndarray:
    """Return the attached tables, or raise ArgumentError if some tricks are unknown."""
    if deals.tables is None:
        raise ArgumentError(
            "the sample has no double-dummy tables; take dk.solved_sample() or Deals with their tables"
        )
    unknown = np.flatnonzero((deals.tables < 0).any(axis=(1, 2)))
    if unknown.size:
        raise ArgumentError(
            f"tricks are unknown for {unknown.size:,} deals of the sample, the first of them deal "
            f"{unknown[0]:,}; remove these"
        )
    return deals.tables


def choose_strains(deals: Deals, strain: str = "best major") -> np.ndarray:
    """Return the strain that each side plays.

    Parameters
    ----------
    deals : Deals
    strain : str
        ``best major``: the major in which the side has more cards, spades where equal. ``longest fit``:
        the suit with most cards, the highest of equal ones. ``best suit``: the suit with most tricks
        (of equal ones the longest, then the highest), which is unknown at the table, but published
        correlations use it. Or one strain for all.

    Returns
    -------
    ndarray of int8 [shape=(n, 2)]
        S H D C N = 0..4 for north-south and east-west.

    Raises
    ------
    ArgumentError
        An unknown rule; ``best suit`` for deals that are not solved.
    """
    rule = parse_strain_rule(strain)
    if rule in STRAINS:
        return np.full((len(deals), 2), STRAINS.index(rule), np.int8)
    length = count_fits(deals)
    if rule == "best major":
        length = length[..., :2]
    elif rule == "best suit":
        length = length + 16 * find_tricks_of_sides(require_tables(deals), "better")[..., :4].astype(np.int16)
    result: np.ndarray = length.argmax(axis=2).astype(np.int8)
    return result


def find_tricks_of_sides(tables: np.ndarray, declarer: str) -> np.ndarray:
    """Return the tricks of both sides in all strains [n, 2, 5]."""
    first, second = tables[..., :2], tables[..., 2:]
    tricks = np.maximum(first, second) if declarer == "better" else (first + second) / 2
    result: np.ndarray = tricks.transpose(0, 2, 1)
    return result


def find_side_tricks(deals: Deals, strains: np.ndarray, declarer: str = "better") -> np.ndarray:
    """Return the double-dummy tricks of each side in its strain, from attached tables.

    Parameters
    ----------
    deals : Deals
        With tables.
    strains : ndarray of int [shape=(n, 2)]
        As returned by `choose_strains`.
    declarer : {"better", "mean"}
        The tricks of the hand that takes more tricks, as in published figures, or the mean of both
        hands. The better hand takes 0.05 tricks more in notrump.

    Returns
    -------
    ndarray of float64 [shape=(n, 2)]

    Raises
    ------
    ArgumentError
        Deals that are not solved, or an unknown declarer.
    """
    if not isinstance(declarer, str) or declarer not in DECLARERS:
        raise ArgumentError(f"declarer is {declarer!r}; it is one of {', '.join(DECLARERS)}")
    tricks = find_tricks_of_sides(require_tables(deals), declarer)
    return np.take_along_axis(tricks, strains[..., None].astype(np.intp), axis=2)[..., 0].astype(float)


def choose_declarers(deals: Deals, strains: np.ndarray) -> np.ndarray:
    """Return the declarer of each side, chosen by its cards: the hand with more trumps.

    With equal trumps, and in notrump, the hand with more points 4 3 2 1, then north or east.

    Parameters
    ----------
    deals : Deals
    strains : ndarray of int [shape=(n, 2)]
        As returned by `choose_strains`.

    Returns
    -------
    ndarray of int8 [shape=(n, 2)]
        N E S W = 0..3.

    Examples
    --------
    >>> deals = Deals.from_pbn("N:AKJT32.Q98.J98.9 76.J743.A2.KQ765 Q54.2.K6543.J432 98.AKT65.QT7.AT8")
    >>> [choose_declarers(deals, np.array([strains])).tolist() for strains in ([0, 1], [2, 3])]
    [[[0, 3]], [[2, 1]]]
    """
    seats = np.empty(strains.shape, np.int8)
    for side in (0, 1):
        for strain in np.unique(strains[:, side]):
            rows = np.flatnonzero(strains[:, side] == strain)
            pair = TrumpPair(deals.hands[rows, side], deals.hands[rows, side + 2], int(strain))
            seats[rows, side] = side + 2 * pair.declares[1]
    return seats
