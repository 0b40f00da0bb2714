"""Double-dummy columns of results: tricks, par, and what leads and other cards cost.

Equal situations are solved only once: tables of a board that play the same strain from the same seat, and
equal leads and plays.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.cards.names import MISSING, SEAT_LETTERS, STRAIN_LETTERS
from dealerkit.doubledummy.leads import leads
from dealerkit.doubledummy.par import par
from dealerkit.doubledummy.tables import dd_tricks
from dealerkit.errors import ArgumentError, DealError, Parameter
from dealerkit.runtime.progress import track_items
from dealerkit.scoring import score_contracts
from dealerkit.studies.lines import play_line
from dealerkit.tournaments.contents import Remark
from dealerkit.tournaments.frames import TournamentFrames

if TYPE_CHECKING:
    import pandas as pd

    from dealerkit.cards.deals import Deals

COLUMNS = ("dd", "par_ns", "lead_cost", "defence_cost", "declarer_cost", "claim")


class Situations:
    """Results with a contract, a declarer and known cards, as numbers.

    Attributes
    ----------
    rows : ndarray of int64 [n]
        Index of each among all results.
    deal, strain, declarer, tricks : ndarray of int64 [n]
        Index of the deal; strain S H D C N = 0..4; declarer N E S W = 0..3; tricks of declarer, -1 if
        unknown.
    """

    def __init__(self, read: TournamentFrames) -> None:
        results = read.results
        has_cards = known_deals(read).hands[:, 0] != np.uint64(MISSING)
        deal = results.deal_id.to_numpy()
        level = results.level.fillna(-1).to_numpy(np.int64)
        declarer = results.declarer.cat.codes.to_numpy(np.int64)
        chosen = (level > 0) & (declarer >= 0) & has_cards[deal]
        self.rows = np.flatnonzero(chosen)
        self.deal = deal[chosen].astype(np.int64)
        self.strain = results.strain.cat.codes.to_numpy(np.int64)[chosen]
        self.declarer = declarer[chosen]
        self.tricks = results.tricks.fillna(-1).to_numpy(np.int64)[chosen]

    def distinct(self, *columns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the distinct rows of columns, and the index of each row among them."""
        return np.unique(np.column_stack(columns), axis=0, return_inverse=True)


def known_deals(read: TournamentFrames) -> Deals:
    """Return the deals of the boards, including missing ones, with the tables in the files."""
    deals: Deals = read.boards["deal"].array.deals
    return deals


def solve_results(
    read: TournamentFrames, leads: bool, plays: bool, par: bool, threads: int | None = None
) -> tuple[pd.DataFrame, list[Remark]]:
    """Return the results with double-dummy columns, and remarks; see `TournamentResults.solve`."""
    results = read.results.copy()
    situations = Situations(read)
    if not len(situations.rows):
        raise ArgumentError(
            "no result has a contract, a declarer and known cards; give the deals to dealerkit.results as ",
            Parameter("deals="),
        )
    values = {name: np.full(len(results), -1, np.int64) for name in COLUMNS}
    is_known = {name: np.zeros(len(results), bool) for name in COLUMNS}

    def store(name: str, rows: np.ndarray, numbers: np.ndarray) -> None:
        values[name][rows], is_known[name][rows] = numbers, True

    # Always solve tricks; solve par, leads and plays if requested.
    store("dd", situations.rows, _find_tricks(read, situations, threads))
    if par:
        rows, scores = _find_par(read)
        store("par_ns", rows, scores)
    if leads:
        rows, costs = _find_lead_costs(read, situations, threads)
        store("lead_cost", rows, costs)
    remarks: list[Remark] = []
    if plays:
        for row, found in _find_play_costs(read, situations, remarks).items():
            for name, cost in found.items():
                store(name, np.array([row]), np.array([cost]))
    _set_columns(results, values, is_known)
    return results, remarks


def _set_columns(
    results: pd.DataFrame, values: dict[str, np.ndarray], is_known: dict[str, np.ndarray]
) -> None:
    """Set the columns of results; values that were not solved are missing."""
    import pandas as pd

    for name in COLUMNS:
        dtype = "int16" if name == "par_ns" else "int8"
        if is_known[name].any() or name not in results:
            results[name] = pd.arrays.IntegerArray(values[name].astype(dtype), ~is_known[name])


def _find_tricks(read: TournamentFrames, situations: Situations, threads: int | None) -> np.ndarray:
    """Return the double-dummy tricks of declarer for each situation."""
    # Solve each deal, strain and declarer once, however many tables have it.
    distinct, places = situations.distinct(situations.deal, situations.strain, situations.declarer)
    deals = known_deals(read)[distinct[:, 0]]
    tricks = dd_tricks(deals, distinct[:, 1], distinct[:, 2], threads=threads)
    return tricks[places.ravel()].astype(np.int64)


def _find_par(read: TournamentFrames) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows of results whose deal has a par, and par for north-south."""
    deals = known_deals(read)
    assert deals.vulnerable is not None and deals.dealer is not None
    # Par depends on vulnerability and dealer, so both must be known.
    whole = (deals.hands[:, 0] != np.uint64(MISSING)) & (deals.vulnerable >= 0) & (deals.dealer >= 0)
    numbers = np.flatnonzero(whole)
    chosen = deals[numbers]
    scores = np.zeros(len(deals), np.int64)
    if len(numbers):
        scores[numbers] = par(chosen, chosen.vulnerable, chosen.dealer).score
    deal = read.results.deal_id.to_numpy()
    rows = np.flatnonzero(whole[deal])
    return rows, scores[deal[rows]]


def score_double_dummy(read: TournamentFrames, own: pd.DataFrame) -> np.ndarray:
    """Return north-south's scores of contracts with double-dummy tricks, which are in the column `dd`.

    Returns
    -------
    ndarray of float64 [n]
        Points; 0 for a passed-out board, nan if the contract or its tricks are unknown.
    """
    scores = np.full(len(own), math.nan)
    scores[(own.level == 0).fillna(False).to_numpy(bool)] = 0
    known = (own.dd.notna() & own.declarer.notna()).to_numpy()
    part = own[known]
    vulnerable = known_deals(read).vulnerable
    assert vulnerable is not None
    # Compute the points of declarer's side with its vulnerability, then take north-south's view.
    declarer = part.declarer.cat.codes.to_numpy(np.int64)
    state = vulnerable[part.deal_id.to_numpy()].astype(np.int64)
    points = score_contracts(
        part.level.to_numpy(np.int64),
        part.strain.cat.codes.to_numpy(np.int64),
        part.doubled.to_numpy(np.int64),
        part.dd.to_numpy(np.int64),
        (state >> (declarer % 2) & 1) > 0,
    )
    scores[known] = np.where(declarer % 2 == 0, points, -points)
    return scores


# ---------------------------------------------------------------- leads


def tabulate_leads(read: TournamentFrames, threads: int | None = None) -> pd.DataFrame:
    """Return the defence's tricks after each lead of each distinct situation of the results.

    Returns
    -------
    DataFrame
        `deal_id`, `strain` and `declarer` as numbers; `card`, with a row for each of equivalent cards;
        `tricks`.
    """
    return _tabulate_leads(read, Situations(read), threads)


def _tabulate_leads(read: TournamentFrames, situations: Situations, threads: int | None) -> pd.DataFrame:
    import pandas as pd

    distinct, _ = situations.distinct(situations.strain, situations.deal, situations.declarer)
    parts = []
    strains = np.unique(distinct[:, 0]).tolist()
    for strain in track_items(strains, len(strains), "strains"):
        own = distinct[distinct[:, 0] == strain]
        # The level has no effect on the tricks.
        contract = f"1{'NT' if strain == 4 else STRAIN_LETTERS[strain]}"
        frame = leads(known_deals(read)[own[:, 1]], contract, own[:, 2], threads=threads)
        # Make a row for each card: the solver names one of several equivalent cards and lists the others.
        for equals in (False, True):
            part = frame[["deal", "tricks"]].copy()
            cards = frame.card if not equals else frame["equals"].map(list)
            part["card"] = cards
            part["suit"] = frame.suit
            if equals:
                part = part.explode("card").dropna(subset=["card"])
                part["card"] = part.suit + part.card
            number = part.deal.to_numpy(np.int64)
            part["deal_id"], part["strain"], part["declarer"] = own[number, 1], strain, own[number, 2]
            parts.append(part.drop(columns=["deal", "suit"]))
    return pd.concat(parts, ignore_index=True)


def _find_lead_costs(
    read: TournamentFrames, situations: Situations, threads: int | None
) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows with a lead, and the tricks that it cost the defence."""
    lead = read.results["lead"].iloc[situations.rows].fillna("").to_numpy(object)
    chosen = lead != ""
    part = Situations.__new__(Situations)
    for name in ("rows", "deal", "strain", "declarer", "tricks"):
        setattr(part, name, getattr(situations, name)[chosen])
    if not chosen.any():
        return part.rows, part.rows
    # Compare the tricks after each lead with those after the best one.
    table = _tabulate_leads(read, part, threads)
    keys = zip(table.deal_id, table.strain, table.declarer, table.card, strict=True)
    tricks = dict(zip(keys, table.tricks.tolist(), strict=True))
    best = table.groupby(["deal_id", "strain", "declarer"]).tricks.max().to_dict()
    costs, rows = [], []
    for row, deal, strain, declarer, card in zip(
        part.rows.tolist(), part.deal.tolist(), part.strain.tolist(), part.declarer.tolist(), lead[chosen],
        strict=True,
    ):  # fmt: skip
        # Leads that the leader does not hold were removed when the file was read.
        if (deal, strain, declarer, card) in tricks:
            rows.append(row)
            costs.append(best[deal, strain, declarer] - tricks[deal, strain, declarer, card])
    return np.array(rows, np.int64), np.array(costs, np.int64)


# ---------------------------------------------------------------- plays


def _find_play_costs(
    read: TournamentFrames, situations: Situations, remarks: list[Remark]
) -> dict[int, dict[str, int]]:
    """Return what lead, later defence, declarer and claim cost in tricks, for each row with a play."""
    results, hands = read.results, known_deals(read).hands
    plays = results["play"].iloc[situations.rows].fillna("").tolist()
    known: dict[tuple[int, int, int, str], Any] = {}
    costs: dict[int, dict[str, int]] = {}
    rows = zip(situations.rows.tolist(), situations.deal.tolist(), situations.strain.tolist(),
               situations.declarer.tolist(), situations.tricks.tolist(), plays, strict=True)  # fmt: skip
    for row, deal, strain, declarer, tricks, play in track_items(rows, len(plays), "results"):
        if not play:
            continue
        # Solve equal plays once; add a remark about a play that cannot be followed.
        key = deal, strain, declarer, play
        if key not in known:
            try:
                known[key] = _split_play(tuple(hands[deal].tolist()), strain, declarer, play)
            except DealError as reason:
                known[key] = None
                line = results.line.iloc[row]
                remarks.append(
                    Remark(
                        str(results.file.iloc[row]),
                        0 if line != line or line is None else int(line),
                        int(results.board.iloc[row]),
                        f"the play by {SEAT_LETTERS[declarer]} cannot be followed: {reason}",
                    )
                )
        if known[key] is not None:
            parts, after = known[key]
            costs[row] = parts | ({"claim": tricks - after} if tricks >= 0 else {})
    return costs


@functools.lru_cache(maxsize=10_000)
def _split_play(hands: tuple[int, ...], strain: int, declarer: int, play: str) -> tuple[dict[str, int], int]:
    """Return the result of `split_costs`, which is cached, so that a repeated call continues quickly."""
    return split_costs(hands, strain, declarer, [card.split("=")[0] for card in play.split()])


def split_costs(
    hands: Sequence[int], strain: int, declarer: int, cards: Sequence[str]
) -> tuple[dict[str, int], int]:
    """Return what the cards of a play cost, by who played them, and declarer's tricks after the last card.

    Parameters
    ----------
    hands : sequence of four ints
        Hands N E S W.
    strain, declarer : int
        Strain S H D C N = 0..4, declarer N E S W = 0..3.
    cards : sequence of str
        The cards from the opening lead on.

    Returns
    -------
    costs : dict of str to int
        `lead_cost`, `defence_cost` (all later cards of the defenders) and `declarer_cost` (also dummy's
        cards), in tricks lost by the side that plays. Declarer's tricks are the double-dummy tricks, plus
        `lead_cost` and `defence_cost`, minus `declarer_cost`.
    tricks : int
        Declarer's tricks in the whole deal if both sides play double dummy after the last card.

    Raises
    ------
    DealError
        A card is not held by the player whose turn it is, or does not follow suit.

    Examples
    --------
    >>> suits = [0x1FFF << 48, 0x1FFF << 32, 0x1FFF << 16, 0x1FFF]
    >>> split_costs(suits, 1, 2, ["C5", "S2", "H2", "D2"])
    ({'lead_cost': 0, 'defence_cost': 0, 'declarer_cost': 0}, 0)
    """
    # Add the cost of each card to that of the side that played it.
    line = play_line(hands, strain, declarer, cards)[: len(cards)]
    costs = {"lead_cost": 0, "defence_cost": 0, "declarer_cost": 0}
    for card in line:
        is_declaring = (card.seat - declarer) % 2 == 0
        name = "declarer_cost" if is_declaring else "lead_cost" if card.number == 1 else "defence_cost"
        costs[name] += card.cost
    return costs, line[-1].tricks
