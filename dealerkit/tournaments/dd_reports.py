"""Results compared with double dummy: tricks by level and strain, the cost of leads and cards, par.

The tables of a board share its deal, so deals are clusters for the intervals; if the tables were treated as
independent, the intervals would be several times too narrow.
"""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.appearance.content import Chart, Note
from dealerkit.appearance.table import Column, Interval, Quantity, Table
from dealerkit.cards.names import SEAT_LETTERS, SUIT_LETTERS
from dealerkit.doubledummy.leads import LEAD_RULES, choose_leads
from dealerkit.errors import ArgumentError
from dealerkit.formats.auctions import name_card, read_auction
from dealerkit.scoring import convert_to_imps
from dealerkit.statistics import Estimate, check_confidence
from dealerkit.tournaments.clustered import LEAST_DEALS, ClusterMeans, estimate_mean
from dealerkit.tournaments.frames import TournamentFrames
from dealerkit.tournaments.pictures import draw_tricks
from dealerkit.tournaments.report import ResultsReport, list_rows, name_pair, name_result
from dealerkit.tournaments.skill import resample_ranks
from dealerkit.tournaments.solving import known_deals, score_double_dummy, tabulate_leads
from dealerkit.tournaments.standings import split_sides

if TYPE_CHECKING:
    import pandas as pd

_ORDER = (
    "notrump", "spades", "hearts", "diamonds", "clubs", "partscores", "games", "slams", "undoubled",
)  # fmt: skip
_DOUBLED = ("undoubled", "doubled", "redoubled")


class TrickDifferences:
    """Actual minus double-dummy tricks of all contracts and of groups, from results of one or more calls."""

    def __init__(self) -> None:
        self._means = ClusterMeans()
        self._n_made = self._n_expected = self._n = 0

    def update(self, read: TournamentFrames) -> None:
        """Add the solved results of a call; a deal belongs to this call only."""
        results = _require(read, "dd")
        own = results[results.dd.notna() & results.tricks.notna()]
        difference = (own.tricks.astype("Int16") - own.dd).to_numpy(np.float64)
        self._means.update(difference, own.deal_id.to_numpy(), _group_contracts(own))
        needed = own.level.astype("Int16") + 6
        self._n += len(own)
        self._n_made += int((own.tricks >= needed).sum())
        self._n_expected += int((own.dd >= needed).sum())

    def report(self, confidence: float = 0.95) -> ResultsReport:
        """Return the means with their intervals."""
        if not self._n:
            raise ArgumentError("no result has both tricks and double-dummy tricks")
        found = self._means.estimate(confidence, _ORDER)
        columns = [
            Column("group", "contracts", kind="text"),
            Column("n", "results", kind="count"),
            Column("deals", kind="count"),
            Column("mean", "actual minus double dummy", unit="tricks", sign=True, decimals=2),
        ]
        cells = [(name, mean.n, n_deals, mean) for (_, name), (mean, n_deals) in found.items()]
        frame = _to_frame([
            {"by": by, "group": name, "n": mean.n, "deals": n_deals, "mean": mean.value, "lo": mean.lo,
             "hi": mean.hi}
            for (by, name), (mean, n_deals) in found.items()
        ])  # fmt: skip
        shares: Note = [
            Quantity(100 * self._n_made / self._n, decimals=1),
            " % of the contracts were made; double dummy ",
            Quantity(100 * self._n_expected / self._n, decimals=1), " % would have been.",
        ]  # fmt: skip
        return ResultsReport(
            "Tricks against double dummy", frame, [Table(columns, cells)],
            notes=[shares, _describe_clusters()],
            charts=[Chart("tricks", partial(draw_tricks, frame, confidence))],
        )  # fmt: skip


def _group_contracts(own: pd.DataFrame) -> dict[str, np.ndarray]:
    """Return the groups of contracts: level, strain, kind, doubling and side of declarer."""
    level = own.level.to_numpy(np.int64)
    return {
        "all": np.full(len(own), "all contracts", object),
        "level": np.array([f"level {number}" for number in level.tolist()], object),
        "strain": own.strain.astype(str).map({"N": "notrump"} | dict(zip(
            "SHDC", ("spades", "hearts", "diamonds", "clubs"), strict=True))).to_numpy(object),
        "kind": np.where(level >= 6, "slams", _name_games(own)),
        "doubled": np.array([_DOUBLED[number] for number in own.doubled.to_numpy(np.int64)], object),
        "side": np.where(own.declarer.isin(["N", "S"]), "north-south declares", "east-west declares"),
    }  # fmt: skip


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
    """Return the results; raise ArgumentError if a double-dummy column is missing."""
    if name not in read.results or not read.results[name].notna().any():
        solved = {"lead_cost": "leads=True", "defence_cost": "plays=True", "par_ns": "par=True"}
        options = solved.get(name, "")
        raise ArgumentError(f"the results have no column {name}; solve them first: results.solve({options})")
    return read.results


def _to_frame(rows: list[dict[str, Any]]) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(rows)


# ---------------------------------------------------------------- leads


def compare_leads(read: TournamentFrames, confidence: float = 0.95) -> ResultsReport:
    """Return the cost of opening leads in tricks: all, by strain, and those that follow a rule."""
    # Group the leads by strain, by rule, and by whether partner bid the suit.
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
    # Compare the mean cost of each group with that of a random card from the same hands.
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
    """Return the leads that a rule allows, as truth values."""
    hands, strain = _list_leaders(read, own), own.strain.cat.codes.to_numpy()
    lead = own["lead"].to_numpy(object)
    follows = np.zeros(len(own), bool)
    # Rules depend on the strain, so hands with the same strain are evaluated together.
    for number in np.unique(strain).tolist():
        places = np.flatnonzero(strain == number)
        row, suit, rank = choose_leads(hands[places], number, rule)
        for place, card in zip(places[row].tolist(), (13 * suit + rank).tolist(), strict=True):
            follows[place] |= lead[place] == name_card(card)
    return follows


def _leads_partners_suit(read: TournamentFrames, own: pd.DataFrame) -> np.ndarray:
    """Return which leads are in a suit that the leader's partner bid, if the auction is known."""
    dealers = read.boards["dealer"].cat.codes.to_numpy()
    found = []
    for row in list_rows(own[["auction", "deal_id", "declarer", "lead"]]):
        dealer = int(dealers[row.deal_id])
        if row.auction is None or dealer < 0:
            found.append(False)
            continue
        # Find the suits that the leader's partner bid.
        partner = (SEAT_LETTERS.index(row.declarer) + 3) % 4
        calls = [call for call, _ in read_auction(row.auction)]
        suits = {call[1:] for place, call in enumerate(calls) if (dealer + place) % 4 == partner}
        found.append(row.lead[0] in suits & set(SUIT_LETTERS))
    return np.array(found, bool)


def _average_cards(read: TournamentFrames, own: pd.DataFrame) -> np.ndarray:
    """Return, for each result, the cost of a random card of the leader."""
    table = tabulate_leads(read)
    groups = table.groupby(["deal_id", "strain", "declarer"]).tricks
    mean = (groups.max() - groups.mean()).to_dict()
    keys = zip(
        own.deal_id.tolist(), own.strain.cat.codes.tolist(), own.declarer.cat.codes.tolist(), strict=True
    )
    return np.array([mean.get(key, math.nan) for key in keys])


# ---------------------------------------------------------------- plays


def compare_plays(read: TournamentFrames, confidence: float = 0.95) -> ResultsReport:
    """Return what leads, later defence and declarer cost in recorded plays, and the term for claims."""
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
        "Actual tricks are the double-dummy tricks, plus lead and defence, minus declarer, plus the claim.",
        _describe_clusters(),
    ]
    return ResultsReport("What cards cost", _to_frame(rows), [Table(columns, cells)], notes=notes)


# ---------------------------------------------------------------- gifts


def compare_gifts(read: TournamentFrames, confidence: float = 0.95) -> ResultsReport:
    """Return the tricks that cards of the opponents gave to each pair, against the field's mean on the board.

    Parameters
    ----------
    read : TournamentFrames
        Solved with ``plays=True``; or with ``leads=True``, when only leads count, for declaring sides.
    confidence : float in (0, 1)
        Confidence level of the intervals of all pairs together.
    """
    import pandas as pd

    check_confidence(confidence)
    has_plays = "defence_cost" in read.results and read.results.defence_cost.notna().any()
    results = _require(read, "defence_cost" if has_plays else "lead_cost")
    # Each table has two rows, one per side, with the cost of the opponents' cards and of the pair's own.
    sides = split_sides(results)
    costs = _list_costs(results, has_plays)
    of_ns, of_ew, is_ns = costs["NS"][sides.row], costs["EW"][sides.row], sides.side == "NS"
    sides["given"], sides["own"] = np.where(is_ns, of_ew, of_ns), np.where(is_ns, of_ns, of_ew)
    # Subtract the mean of the same side at all tables of the board; a single table cannot be compared.
    known = sides[sides.given.notna() | sides.own.notna()].copy()
    grouped = known.groupby(["field", "side"])
    for name in ("given", "own"):
        alone = grouped[name].transform("count") < 2
        known[f"{name}_more"] = (known[name] - grouped[name].transform("mean")).mask(alone)
    known = known[known.given_more.notna()].reset_index(drop=True)
    if not len(known):
        raise ArgumentError(
            "no board has recorded cards from two tables, which gifts need, because they are compared within "
            "a board"
        )
    # Compute the means of pairs, with simultaneous intervals.
    keys = list(zip(known.session_id.tolist(), known.pair.tolist(), strict=True))
    number, names = pd.factorize(pd.MultiIndex.from_tuples(keys))
    deals = known.deal_id.factorize()[0]
    frame = known.groupby(number)[["given", "given_more", "own", "own_more"]].mean()
    frame.insert(0, "session_id", [int(session) for session, _ in names])
    frame.insert(1, "pair", [pair for _, pair in names])
    frame.insert(2, "boards", known.groupby(number).size())
    frame[["lo", "hi"]] = math.nan
    if deals.max() + 1 >= LEAST_DEALS:
        ranks = resample_ranks(known.given_more.to_numpy(float), number, deals, confidence)
        frame["lo"], frame["hi"] = ranks.mean_low, ranks.mean_high
    frame = frame.sort_values("given_more", ascending=False, kind="stable", ignore_index=True)
    return ResultsReport("Gifts", frame, [_tabulate_gifts(read, frame)], notes=_describe_gifts(has_plays))


def _list_costs(results: pd.DataFrame, has_plays: bool) -> dict[str, np.ndarray]:
    """Return the cost of each side's cards at each table, in tricks; nan if unknown."""
    names = ("lead_cost", "defence_cost", "declarer_cost") if has_plays else ("lead_cost",)
    lead, *rest = (results[name].to_numpy(float, na_value=math.nan) for name in names)
    of_defence, of_declarer = (lead + rest[0], rest[1]) if rest else (lead, np.full(len(lead), math.nan))
    is_ns = results.declarer.isin(["N", "S"]).to_numpy()
    return {
        "NS": np.where(is_ns, of_declarer, of_defence),
        "EW": np.where(is_ns, of_defence, of_declarer),
    }


def _tabulate_gifts(read: TournamentFrames, frame: pd.DataFrame) -> Table:
    """Return the gifts to each pair as a table."""
    columns = [
        Column("pair", kind="name", longest=44),
        Column("boards", kind="count"),
        Column("given", "given by opponents", decimals=2),
        Column("given_more", "more than the field", interval="within", sign=True, decimals=1),
        Column("own", "own cards cost", decimals=2, optional=1),
        Column("own_more", "more than the field's", sign=True, decimals=2, optional=1),
    ]
    cells = []
    for row in list_rows(frame):
        more: Any = row.given_more if row.lo is None else Interval(row.given_more, row.lo, row.hi)
        name = name_pair(read, row.session_id, row.pair)
        cells.append((name, row.boards, row.given, more, row.own, row.own_more))
    return Table(columns, cells, "Tricks a board")


def _describe_gifts(has_plays: bool) -> list[Note]:
    """Return what the numbers of gifts mean, and what they do not."""
    counted = (
        "Given: what the opponents' cards cost them, double dummy, as declarer or in defence."
        if has_plays
        else "Given: what the opponents' opening leads cost them, double dummy, where the pair declares."
    )
    return [
        counted,
        "More than the field: minus the mean of all tables for the same side of the board. Intervals are "
        f"simultaneous for all pairs, from resampled boards; there is none for fewer than {LEAST_DEALS} "
        "deals.",
        "Good bidding and play make opponents' errors more likely, so gifts are not only luck.",
    ]


# ---------------------------------------------------------------- par


def compare_par(read: TournamentFrames, count: int = 10) -> ResultsReport:
    """Compare contracts with par: the largest gaps, split into contract and tricks."""
    # Compute gaps in IMPs, of the result and of its contract with double-dummy tricks.
    results = _require(read, "par_ns")
    own = results[results.par_ns.notna() & results.score_ns.notna()].copy()
    own["dd_score_ns"] = score_double_dummy(read, own)
    par = own.par_ns.to_numpy(np.float64)
    own["gap"] = convert_to_imps(own.score_ns.to_numpy(np.float64) - par)
    known = own.dd_score_ns.notna().to_numpy()
    contract = np.zeros(len(own), np.int64)
    contract[known] = convert_to_imps(own.dd_score_ns.to_numpy(np.float64)[known] - par[known])
    own["contract_gap"] = np.where(known, contract, np.nan)
    own["result"] = [name_result(row) for row in list_rows(own)]
    # Show the largest gaps.
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
    has_interval = math.isfinite(mean.lo)
    gap = Quantity(
        mean if has_interval else mean.value, sign=True, unit="IMPs", decimals=None if has_interval else 1
    )
    few = "" if has_interval else f"; there is no interval for fewer than {LEAST_DEALS} boards"
    notes: list[Note] = [
        ("North-south are ", gap, f" per result from par on average{few}."),
        "Par measures the deal, not the players: a pair can be ahead of the field but behind par.",
    ]
    frame = own[[column.name for column in columns] + ["deal_id", "dd_score_ns"]].reset_index(drop=True)
    cells = [tuple(row) for row in list_rows(shown)]
    return ResultsReport("Results against par", frame, [Table(columns, cells)], notes=notes)
