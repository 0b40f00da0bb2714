"""Sides of deals: which strain a side plays, and how many tricks it takes there.

Both sides of every deal stand side by side: arrays [n, 2], north-south first.
"""

from __future__ import annotations

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.cards.names import LANE_MASK, LANE_SHIFTS, STRAINS, strain_number
from dealerkit.doubledummy.lookup import Query, look_up
from dealerkit.errors import ArgumentError, suggest_name
from dealerkit.evaluators.pairs.trump_pair import TrumpPair

RULES = ("best major", "longest fit", "best suit", *STRAINS)
DECLARERS = ("better", "mean")
NOTRUMP = 4


def known_rule(strain: str) -> str:
    """The rule by its name; a strain also by its letter, in the singular, or ``NT``.

    Raises
    ------
    ArgumentError
        For anything else.

    Examples
    --------
    >>> known_rule("S"), known_rule("heart"), known_rule("NT"), known_rule("Best Major")
    ('spades', 'hearts', 'notrump', 'best major')
    """
    word = strain.strip().lower() if isinstance(strain, str) else strain
    if isinstance(word, str) and word in RULES:
        return word
    try:
        return STRAINS[strain_number(strain)]
    except ArgumentError:
        raise ArgumentError(
            f"unknown strain {strain!r}{suggest_name(str(word), RULES)}; known: {', '.join(RULES)}"
        ) from None


def fits(deals: Deals) -> np.ndarray:
    """Combined length of every suit for both sides, int8 [n, 2, 4]."""
    both = deals.hands[:, :2] | deals.hands[:, 2:]
    shifts = np.array(LANE_SHIFTS, np.uint64)
    return np.bitwise_count(both[..., None] >> shifts & np.uint64(LANE_MASK)).astype(np.int8)


def solved_tables(deals: Deals) -> np.ndarray:
    """The tables of the deals, none unknown.

    Raises
    ------
    ArgumentError
        Deals without tables, or with unknown tricks.
    """
    if deals.tables is None:
        raise ArgumentError(
            "the sample has no double-dummy tables; take dk.solved_sample() or Deals with their tables"
        )
    unknown = np.flatnonzero((deals.tables < 0).any(axis=(1, 2)))
    if unknown.size:
        raise ArgumentError(
            f"tricks are unknown for {unknown.size:,} deals of the sample, the first of them deal "
            f"{unknown[0]:,}; leave these out"
        )
    return deals.tables


def played_strains(deals: Deals, strain: str = "best major") -> np.ndarray:
    """The strain that each side plays.

    Parameters
    ----------
    deals : Deals
    strain : str
        ``best major``: the major in which the side has more cards, spades where equal. ``longest fit``:
        the suit with most cards, the highest of equal ones. ``best suit``: the suit with most tricks,
        which nobody knows at the table, but published correlations rest on it (of equal ones the
        longest, then the highest). Or one strain for all.

    Returns
    -------
    ndarray of int8 [shape=(n, 2)]
        S H D C N = 0..4 for north-south and east-west.

    Raises
    ------
    ArgumentError
        An unknown rule; ``best suit`` of deals that are not solved.
    """
    rule = known_rule(strain)
    if rule in STRAINS:
        return np.full((len(deals), 2), STRAINS.index(rule), np.int8)
    length = fits(deals)
    if rule == "best major":
        length = length[..., :2]
    elif rule == "best suit":
        length = length + 16 * _by_declarer(solved_tables(deals), "better")[..., :4].astype(np.int16)
    return length.argmax(axis=2).astype(np.int8)


def _by_declarer(tables: np.ndarray, declarer: str) -> np.ndarray:
    """Tricks of both sides in all strains [n, 2, 5]."""
    first, second = tables[..., :2], tables[..., 2:]
    tricks = np.maximum(first, second) if declarer == "better" else (first + second) / 2
    return tricks.transpose(0, 2, 1)


def side_tricks(deals: Deals, strains: np.ndarray, declarer: str = "better") -> np.ndarray:
    """Double-dummy tricks of each side in its strain.

    Parameters
    ----------
    deals : Deals
        With tables.
    strains : ndarray of int [shape=(n, 2)]
        As `played_strains` gives them.
    declarer : {"better", "mean"}
        Which hand of the side declares: the one that takes more tricks, as published figures have it,
        or either with the mean of both. The better hand takes 0.05 tricks more in notrump.

    Returns
    -------
    ndarray of float64 [shape=(n, 2)]

    Raises
    ------
    ArgumentError
        Deals that are not solved, or another word for the declarer.
    """
    if not isinstance(declarer, str) or declarer not in DECLARERS:
        raise ArgumentError(f"declarer is {declarer!r}; it is one of {', '.join(DECLARERS)}")
    tricks = _by_declarer(solved_tables(deals), declarer)
    return np.take_along_axis(tricks, strains[..., None].astype(np.intp), axis=2)[..., 0].astype(float)


def declarers(deals: Deals, strains: np.ndarray) -> np.ndarray:
    """The hand of each side that declares, as far as its cards tell: the one with more trumps.

    Of equals, and in notrump, the one with more points 4 3 2 1, then north or east.

    Parameters
    ----------
    deals : Deals
    strains : ndarray of int [shape=(n, 2)]
        As `played_strains` gives them.

    Returns
    -------
    ndarray of int8 [shape=(n, 2)]
        N E S W = 0..3.

    Examples
    --------
    >>> deals = Deals.from_pbn("N:AKJT32.Q98.J98.9 76.J743.A2.KQ765 Q54.2.K6543.J432 98.AKT65.QT7.AT8")
    >>> declarers(deals, np.array([[0, 1]])).tolist(), declarers(deals, np.array([[2, 3]])).tolist()
    ([[0, 3]], [[2, 1]])
    """
    seats = np.empty(strains.shape, np.int8)
    for side in (0, 1):
        for strain in np.unique(strains[:, side]):
            rows = np.flatnonzero(strains[:, side] == strain)
            pair = TrumpPair(deals.hands[rows, side], deals.hands[rows, side + 2], int(strain))
            seats[rows, side] = side + 2 * pair.declares[1]
    return seats


def declarers_tricks(deals: Deals, strains: np.ndarray, seats: np.ndarray) -> np.ndarray:
    """Double-dummy tricks of both sides' declarers, from the companions, else the store or the solver.

    Parameters
    ----------
    deals : Deals
    strains, seats : ndarray of int [shape=(n, 2)]
        As from `played_strains` and `declarers`.

    Returns
    -------
    ndarray of int8 [shape=(n, 2)]
    """
    queries = [Query(strains[:, side], seats[:, side]) for side in (0, 1)]
    return np.stack(look_up(deals, queries), axis=1)
