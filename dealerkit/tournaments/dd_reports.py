"""Results against double dummy: tricks by level and strain, what leads and cards cost, contracts against par.

The tables of a board share their deal, so intervals have deals as clusters; treated as independent they
would be several times too narrow.
"""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.appearance.content import Chart, Note
from dealerkit.appearance.table import Column, Quantity, Table
from dealerkit.cards.names import SEAT_LETTERS, SUIT_LETTERS
from dealerkit.doubledummy.leads import LEAD_RULES, choose_leads
from dealerkit.errors import ArgumentError
from dealerkit.formats.auctions import name_card, read_auction
from dealerkit.scoring import convert_to_imps, score_contracts
from dealerkit.statistics import Estimate
from dealerkit.tournaments.clustered import LEAST_DEALS, estimate_mean, group_means
from dealerkit.tournaments.data import TournamentFrames
from dealerkit.tournaments.pictures import draw_tricks
from dealerkit.tournaments.report import ResultsReport, list_rows, name_result
from dealerkit.tournaments.solving import known_deals, tabulate_leads

if TYPE_CHECKING:
    import pandas as pd

_ORDER = (
    "notrump", "spades", "hearts", "diamonds", "clubs", "partscores", "games", "slams", "undoubled",
)  # fmt: skip
_DOUBLED = ("undoubled", "doubled", "redoubled")


def compare_tricks(read: TournamentFrames, confidence: float = 0.95) -> ResultsReport:
    """Return the mean of actual minus double-dummy tricks, of all contracts and of groups."""
    results = _require(read, "dd")
    chosen = results.dd.notna() & results.tricks.notna()
    own = results[chosen]
    if not len(own):
        raise ArgumentError("no result has both tricks and double-dummy tricks")
    difference = (own.tricks.astype("Int16") - own.dd).to_numpy(np.float64)
    deals = own.deal_id.to_numpy()
    level = own.level.to_numpy(np.int64)
    groups = {
        "all": np.full(len(own), "all contracts", object),
        "level": np.array([f"level {number}" for number in level.tolist()], object),
        "strain": own.strain.astype(str).map({"N": "notrump"} | dict(zip(
            "SHDC", ("spades", "hearts", "diamonds", "clubs"), strict=True))).to_numpy(object),
        "kind": np.where(level >= 6, "slams", _name_games(own)),
        "doubled": np.array([_DOUBLED[number] for number in own.doubled.to_numpy(np.int64)], object),
        "side": np.where(own.declarer.isin(["N", "S"]), "north-south declares", "east-west declares"),
    }  # fmt: skip
    rows, tables = [], []
    columns = [
        Column("group", "contracts", kind="text"),
        Column("n", "results", kind="count"),
        Column("deals", kind="count"),
        Column("mean", "actual minus double dummy", unit="tricks", sign=True, decimals=2),
    ]
    cells: list[tuple[Any, ...]] = []
    for by, names in groups.items():
        for name, (mean, n_deals) in group_means(difference, deals, names, confidence, _ORDER).items():
            cells.append((name, mean.n, n_deals, mean))
            rows.append({"by": by, "group": name, "n": mean.n, "deals": n_deals, "mean": mean.value,
                         "lo": mean.lo, "hi": mean.hi})  # fmt: skip
    tables.append(Table(columns, cells))
    made = own.tricks.astype("Int16") >= own.level.astype("Int16") + 6
    expected = own.dd.astype("Int16") >= own.level.astype("Int16") + 6
    shares: Note = [
        Quantity(100 * float(made.mean()), decimals=1), " % of the contracts were made; double dummy ",
        Quantity(100 * float(expected.mean()), decimals=1), " % would have been.",
    ]  # fmt: skip
    notes: list[Note] = [shares, _describe_clusters()]
    frame = _to_frame(rows)
    charts = [Chart("tricks", partial(draw_tricks, frame, confidence))]
    return ResultsReport("Tricks against double dummy", frame, tables, notes=notes, charts=charts)


def _name_games(own: pd.DataFrame) -> np.ndarray:
    """Return whether contracts below level 5 are games or partscores."""
    points = {"S": 30, "H": 30, "D": 20, "C": 20}
    columns = own.level.astype(int), own.strain.astype(str), own.doubled.astype(int)
    basis = [
        (level * points.get(strain, 30) + (10 if strain == "N" else 0)) * 2**doubled
        for level, strain, doubled in zip(*columns, strict=True)
    ]
    return np.where(np.array(basis) >= 100, "games", "partscores")


def _describe_clusters() -> str:
    return (
        "Intervals take the tables of a deal as one cluster, since they share its cards; groups with fewer "
        f"than {LEAST_DEALS} deals have none."
    )


def _require(read: TournamentFrames, name: str) -> pd.DataFrame:
    """Return the results; raise an ArgumentError if a double-dummy column is not there."""
    if name not in read.results or not read.results[name].notna().any():
        options = {"lead_cost": "leads=True", "defence_cost": "plays=True", "par_ns": "par=True"}.get(
            name, ""
        )
        raise ArgumentError(f"the results have no column {name}; solve them first: results.solve({options})")
    return read.results


def _to_frame(rows: list[dict[str, Any]]) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(rows)


# ---------------------------------------------------------------- leads


def compare_leads(read: TournamentFrames, confidence: float = 0.95) -> ResultsReport:
    """Return what the opening leads cost, in tricks: all, by strain, and those that follow a rule."""
    results = _require(read, "lead_cost")
    own = results[results.lead_cost.notna()]
    cost, deals = own.lead_cost.to_numpy(np.float64), own.deal_id.to_numpy()
    groups: list[tuple[str, np.ndarray]] = [("all leads", np.ones(len(own), bool))]
    is_notrump = (own.strain == "N").to_numpy()
    groups += [("against notrump", is_notrump), ("against suits", ~is_notrump)]
    groups += [(f"by rule: {rule}", _follows_rule(read, own, rule)) for rule in LEAD_RULES]
    partner = _leads_partners_suit(read, own)
    if partner.any():
        groups += [("partner's suit", partner)]
    rows, cells = [], []
    random = _average_cards(read, own)
    for name, chosen in groups:
        if not chosen.any():
            continue
        mean = estimate_mean(cost[chosen], deals[chosen], confidence)
        free = estimate_mean(random[chosen], deals[chosen], confidence)
        costly = float((cost[chosen] > 0).mean())
        cells.append((name, mean.n, mean, costly, free.value))
        rows.append({"group": name, "n": mean.n, "deals": len(np.unique(deals[chosen])), "mean": mean.value,
                     "lo": mean.lo, "hi": mean.hi, "costly": costly, "random": free.value})  # fmt: skip
    columns = [
        Column("group", "leads", kind="text"),
        Column("n", "results", kind="count"),
        Column("mean", "cost", unit="tricks", decimals=2),
        Column("costly", "cost a trick or more", kind="share", decimals=1),
        Column("random", "a random card", decimals=2),
    ]
    notes: list[Note] = [
        "Cost: tricks of the defence after its best lead, minus those after this one, double dummy.",
        _describe_clusters(),
    ]
    return ResultsReport("What opening leads cost", _to_frame(rows), [Table(columns, cells)], notes=notes)


def _list_leaders(read: TournamentFrames, own: pd.DataFrame) -> np.ndarray:
    """Return the hands of the leaders of results, uint64 [n]."""
    leader = (own.declarer.cat.codes.to_numpy(np.int64) + 1) % 4
    return known_deals(read).hands[own.deal_id.to_numpy(), leader]


def _follows_rule(read: TournamentFrames, own: pd.DataFrame, rule: str) -> np.ndarray:
    """Return which leads are those that a rule allows."""
    hands, strain = _list_leaders(read, own), own.strain.cat.codes.to_numpy()
    lead = own["lead"].to_numpy(object)
    follows = np.zeros(len(own), bool)
    for number in np.unique(strain).tolist():
        places = np.flatnonzero(strain == number)
        row, suit, rank = choose_leads(hands[places], number, rule)
        for place, card in zip(places[row].tolist(), (13 * suit + rank).tolist(), strict=True):
            follows[place] |= lead[place] == name_card(card)
    return follows


def _leads_partners_suit(read: TournamentFrames, own: pd.DataFrame) -> np.ndarray:
    """Return which leads are in a suit that the leader's partner bid, where the auction is known."""
    dealers = read.boards["dealer"].cat.codes.to_numpy()
    found = []
    for row in list_rows(own[["auction", "deal_id", "declarer", "lead"]]):
        dealer = int(dealers[row.deal_id])
        if row.auction is None or dealer < 0:
            found.append(False)
            continue
        partner = (SEAT_LETTERS.index(row.declarer) + 3) % 4
        calls = [call for call, _ in read_auction(row.auction)]
        suits = {call[1:] for place, call in enumerate(calls) if (dealer + place) % 4 == partner}
        found.append(row.lead[0] in suits & set(SUIT_LETTERS))
    return np.array(found, bool)


def _average_cards(read: TournamentFrames, own: pd.DataFrame) -> np.ndarray:
    """Return for each result what a random card of the leader would cost."""
    table = tabulate_leads(read)
    groups = table.groupby(["deal_id", "strain", "declarer"]).tricks
    mean = (groups.max() - groups.mean()).to_dict()
    keys = zip(
        own.deal_id.tolist(), own.strain.cat.codes.tolist(), own.declarer.cat.codes.tolist(), strict=True
    )
    return np.array([mean.get(key, math.nan) for key in keys])


# ---------------------------------------------------------------- plays


def compare_plays(read: TournamentFrames, confidence: float = 0.95) -> ResultsReport:
    """Return what leads, later defence and declarer cost in recorded plays, with the term of claims."""
    results = _require(read, "defence_cost")
    own = results[results.defence_cost.notna()]
    deals = own.deal_id.to_numpy()
    names = {
        "lead_cost": "opening lead", "defence_cost": "later defence", "declarer_cost": "declarer",
        "claim": "claim, or the tricks after the last card",
    }  # fmt: skip
    rows, cells = [], []
    for column, name in names.items():
        mean = estimate_mean(own[column].to_numpy(np.float64, na_value=math.nan), deals, confidence)
        cells.append((name, mean.n, mean))
        rows.append({"part": column, "n": mean.n, "mean": mean.value, "lo": mean.lo, "hi": mean.hi})
    columns = [
        Column("part", kind="text"),
        Column("n", "plays", kind="count"),
        Column("mean", "tricks a play", unit="tricks", sign=True, decimals=2),
    ]
    notes: list[Note] = [
        "Actual tricks are those of double dummy, plus lead and defence, minus declarer, plus the claim.",
        _describe_clusters(),
    ]
    return ResultsReport("What cards cost", _to_frame(rows), [Table(columns, cells)], notes=notes)


# ---------------------------------------------------------------- par


def compare_par(read: TournamentFrames, count: int = 10) -> ResultsReport:
    """Return contracts against par: the largest gaps, split into contract and tricks."""
    results = _require(read, "par_ns")
    own = results[results.par_ns.notna() & results.score_ns.notna()].copy()
    own["dd_score_ns"] = _score_double_dummy(read, own)
    par = own.par_ns.to_numpy(np.float64)
    own["gap"] = convert_to_imps(own.score_ns.to_numpy(np.float64) - par)
    known = own.dd_score_ns.notna().to_numpy()
    contract = np.zeros(len(own), np.int64)
    contract[known] = convert_to_imps(own.dd_score_ns.to_numpy(np.float64)[known] - par[known])
    own["contract_gap"] = np.where(known, contract, np.nan)
    own["result"] = [name_result(row) for row in list_rows(own)]
    order = own.assign(size=own.gap.abs()).sort_values("size", ascending=False, kind="stable")
    columns = [
        Column("board", kind="label"),
        Column("ns", "NS", kind="label"),
        Column("ew", "EW", kind="label"),
        Column("result", kind="contract"),
        Column("score_ns", "score, NS", decimals=0, sign=True),
        Column("par_ns", "par, NS", decimals=0, sign=True),
        Column("gap", "IMPs against par", decimals=0, sign=True),
        Column("contract_gap", "of the contract", decimals=0, sign=True),
    ]
    shown = order[[column.name for column in columns]].head(count)
    mean: Estimate = estimate_mean(own.gap.to_numpy(float), own.deal_id.to_numpy())
    notes: list[Note] = [
        ("North-south are ", Quantity(mean, sign=True, unit="IMPs"), " a result from par on average."),
        "Par measures the deal, not the players: a pair may be ahead of the field and behind par.",
    ]
    frame = own[[column.name for column in columns] + ["deal_id", "dd_score_ns"]].reset_index(drop=True)
    cells = [tuple(row) for row in list_rows(shown)]
    return ResultsReport("Results against par", frame, [Table(columns, cells)], notes=notes)


def _score_double_dummy(read: TournamentFrames, own: pd.DataFrame) -> np.ndarray:
    """Return the scores of north-south that the contracts have with double-dummy tricks."""
    scores = np.full(len(own), math.nan)
    scores[(own.level == 0).fillna(False).to_numpy(bool)] = 0
    known = (own.dd.notna() & own.declarer.notna()).to_numpy()
    part = own[known]
    vulnerable = known_deals(read).vulnerable
    assert vulnerable is not None
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
