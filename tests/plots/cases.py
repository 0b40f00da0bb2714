"""Every plot of the package, of small results that the tests share, as functions of ax, figsize and title."""

from __future__ import annotations

import functools
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import dealerkit as dk
from tests.support.simulated_events import simulate_event

LONG = "points of both hands, in a name that is much longer than a figure of six inches is wide"
CJK = "南北 고점 の合計"
DEAL = "N:K4.KQ982.AQJ8.T3 AJ9875.4.T653.A9 63.AJT65.942.K65 QT2.73.K7.QJ8742"
PROBLEM = "N:AKQJ.T98.5432.32 - 7654.Axx.KQ.xxxx .KQJ.."
FINESSE_AND_DROP = ("cash the ace; then finesse the jack", "cash the ace; cash the king")
LEVEL = f"""level "{LONG}" hcp(south) < 8, "middle" hcp(south) >= 8 and hcp(south) < 12, "{CJK}" hcp(south) >= 12
produce 60"""


@functools.cache
def find_deals(n: int = 1500) -> dk.Deals:
    return dk.solved_sample()[:n]


@functools.cache
def run(script: str, n: int = 1500) -> dk.Result:
    return dk.run(script, source=find_deals(n))


def plot_script(script: str, n: int = 1500, **options: Any) -> Any:
    return run(script, n).plot(**options)


@functools.cache
def compare(many: bool = False) -> Any:
    names = ["hcp", "losers", "controls"]
    if many:
        names = {f"{k} for a control": f"hcp + 0.{k} * controls" for k in range(10, 50)}
        return dk.compare(names, sample=find_deals(300), replicates=100, seed=1)
    return dk.compare(
        {LONG: "hcp", "losers": "losers", CJK: "controls"}, sample=find_deals(), replicates=100, seed=1,
        events="game", by="fit", decision=("4M", "3M"),
    )  # fmt: skip


@functools.cache
def study_contracts(by: str | None = None, given: str = "fit(NS, spades) == 8") -> Any:
    return dk.contracts(find_deals(), ["3S", "4S"], declarer="south", by=by, vulnerable=["none", "both"])


@functools.cache
def tabulate(name: str, n: int = 1500, **options: Any) -> Any:
    return getattr(dk, name)(find_deals(n), **options)


@functools.cache
def deal_types() -> dk.Result:
    return dk.run(LEVEL, seed=1)


@functools.cache
def lead() -> Any:
    given = "hcp(south) >= 15 and hcp(south) <= 17 and hcp(north) >= 9"
    return dk.lead("KJ74.Q93.T85.J62", "3NT by south", given=given, produce=3, seed=1)


@functools.cache
def estimate(question: str, given: str = "", n: int = 300) -> Any:
    return dk.estimate(question, given=given or None, deals=find_deals(n), seed=1)


def sweep(**variables: Any) -> Any:
    script = f'condition hcp(north) >= {"$low" if "low" in variables else 10} action average "{CJK}" hcp(south) - $n'
    return dk.sweep(script, produce=100, **variables)


@functools.cache
def fit() -> Any:
    cards = {LONG: "aces", CJK: "kings", "queen": "queens", "minus": "losers"}
    return dk.fit_points(cards, sample=find_deals(), strain="notrump", total=40)


@functools.cache
def find_layouts() -> Any:
    return dk.layouts("AQ974.KJ3.86.Q72", keep="north", n=3, seed=1)


@functools.cache
def read_event(n_boards: int = 26, n_pairs: int = 16, scoring: str = "matchpoints") -> dk.TournamentResults:
    """Return a simulated event with the deals and a long and an eastern name, solved from the tables."""
    deals = find_deals(n_boards)
    text, _ = simulate_event(deals, n_pairs, np.zeros(n_pairs), seed=1)
    head, *rows = text.splitlines()
    cards = [deal.partition(":")[2] for deal in deals.to_pbn()]
    lines = [f"{head},north,deal"]
    for row in rows:
        board, ns, *_ = row.split(",")
        name = {"1": LONG.replace(",", ""), "2": CJK}.get(ns, f"player {ns}")
        lines.append(f"{row},{name},N:{cards[int(board) - 1]}")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "event.csv")
        path.write_text("\n".join(lines), encoding="utf-8")
        return dk.results(path, scoring)


@functools.cache
def compare_event_tricks(n_boards: int = 12) -> dk.ResultsReport:
    return read_event(n_boards).solve().compare_tricks()


@functools.cache
def study_strategies() -> Any:
    choices = [
        dk.strategy([(f"hcp(north) >= {points}", "3NT by south"), (True, "2NT by south")], name=name)
        for points, name in ((9, LONG), (8, CJK))
    ]
    return dk.contracts(find_deals(), [*choices, "2NT by south"], vulnerable=["none", "both"])


TABLE = pd.DataFrame({"value": [1.0, -2.0, 3.0], "lo": [0.5, -3.0, 2.9], "hi": [1.5, 4.0, 3.1]}, [3, 4, 5])
DIRECT = {CJK: {1: 0.1, 2: 0.4, 3: 0.9}, "falling": {3: 0.2, 1: 0.7}}
WIDE = {LONG: {k: 0.01 * k for k in range(40)}, CJK: {0: 0.1, 39: 0.39}, "third": {0: 0.3, 39: 0.38}}
CLASSES = {"eight trumps": "fit == 8", "nine trumps": "fit == 9", CJK: ("notrump", "fit < 8")}


def match_systems(n: int) -> dk.SystemComparison:
    """Return a match between two systems with long names, on some deals."""
    toy = """
    system "%s notrump"
    opening
    1NT  hcp %s, shape(any 4333 + any 4432 + any 5332)
    1S   hcp 11+, spades 5+
    1H   hcp 11+, hearts 5+
    P    otherwise
    after 1NT
    3NT  hcp 10+
    P    otherwise
    after 1M
    4M   hcp 10+, M 3+
    P    otherwise
    """
    systems = [dk.parse_system(toy % names) for names in (("Strong", "15-17"), ("Weak", "12-14"))]
    return dk.compare_systems(*systems, n, max_unfinished=1)


@functools.cache
def survey_boards(n: int) -> dk.AuctionSurvey:
    deals = dk.deal(n, seed=4, progress=False).number_boards()
    bidden = dk.bid_out(deals, "sayc", "precision")
    return dk.survey_auctions(deals, auctions=bidden.auctions)


PLOTS: dict[str, Callable[..., Any]] = {
    # Reports
    "averages": functools.partial(
        plot_script,
        f'action average "{LONG}" hcp(north), average "{CJK}" hcp(south) - 10, average hcp(east) > 9',
    ),
    "averages of three deals": functools.partial(plot_script, "action average hcp(north) - 20", 3),
    "frequency": functools.partial(plot_script, f'action frequency "{CJK}" (hcp(north) + hcp(south), 0, 37)'),
    "frequency of three deals": functools.partial(plot_script, "action frequency (hcp(north), 0, 37)", 3),
    "frequency of negative values": functools.partial(
        plot_script, f'action frequency "{LONG}" (hcp(north) - hcp(south), -37, 37)'
    ),
    "frequency of intervals": functools.partial(plot_script, "action bktfreq (cccc(north), 0, 30, 0.5)"),
    "two-way": functools.partial(
        plot_script, f'action frequency "{LONG}" (spades(north), 2, 4, hcp(south) - 10, -4, 6)'
    ),
    "two-way of many values": functools.partial(
        plot_script, f'action frequency "{CJK}" (hcp(north), 0, 37, hcp(south), 0, 37)'
    ),
    "two-way of three deals": functools.partial(
        plot_script, "action frequency (hcp(north), 0, 37, hcp(south), 0, 37)", 3
    ),
    "contract": functools.partial(plot_script, "action evalcontract(NS, z4S, vul)"),
    "contract of three deals": functools.partial(plot_script, "action evalcontract(NS, z4S, vul)", 3),
    "hand types": lambda **options: deal_types().plot(**options),
    "deal": lambda **options: dk.Deal(DEAL, vulnerable=1, dealer=1, board=2).plot(**options),
    "partial deal": lambda **options: dk.PartialDeal(PROBLEM, vulnerable=1, dealer=1, board=2).plot(
        **options
    ),
    # Series
    "series": lambda **options: dk.plot_series(
        DIRECT, options.pop("title", LONG), x=LONG, caption=LONG, percent=True, **options
    ),
    "series of forty values": lambda **options: dk.plot_series(
        WIDE, options.pop("title", CJK), x=CJK, subtitle=LONG, percent=True, **options
    ),
    "series with intervals": lambda **options: dk.plot_series(
        {"own": TABLE, LONG: TABLE}, options.pop("title", "Two series"), x="place", reference=1.5, **options
    ),
    # Bidding
    "survey of auctions": lambda **options: survey_boards(40).plot(**options),
    "frequencies of calls": lambda **options: dk.system("sayc").frequencies("1NT").plot(**options),
    "frequencies on deals": lambda **options: (
        dk.system("precision").frequencies(given=find_deals(60), seat="west").plot(**options)
    ),
    # Studies
    "estimate": lambda **options: estimate("cccc(south)", "hcp(south) >= 12").plot(**options),
    "estimate of negative values": lambda **options: estimate("hcp(south) - 30").plot(**options),
    "estimate of a chance": lambda **options: estimate("hcp(south) > 12", "", 20).plot(**options),
    "distribution": lambda **options: dk.distribution("losers(north)").plot(**options),
    "distribution of negative values": lambda **options: dk.distribution(
        "hcp(north) - 20 + 0 * losers(north) + 0 * controls(north) + 0 * spades(north) + 0 * hearts(north)"
    ).plot(**options),
    "sweep": lambda **options: sweep(n=range(1, 41)).plot(**options),
    "sweep of two variables": lambda **options: sweep(n=range(5, 10), low=[8, 12, 16]).plot(**options),
    "leads": lambda **options: lead().plot(**options),
    "contracts": lambda **options: study_contracts().plot(**options),
    "make rates": lambda **options: study_contracts().plot(show="makes", **options),
    "contracts by points": lambda **options: study_contracts("hcp(north) + hcp(south) - 40").plot(**options),
    "make rates by points": lambda **options: study_contracts("hcp(north) + hcp(south) - 40").plot(
        show="makes", **options
    ),
    "fitted points": lambda **options: fit().plot(**options),
    "layouts": lambda **options: find_layouts().plot(**options),
    "par of boards": lambda **options: dk.tabulate_par(find_deals(12), vulnerable="both").plot(**options),
    "par of forty boards": lambda **options: dk.tabulate_par(find_deals(40)).plot(**options),
    "par of many boards": lambda **options: dk.tabulate_par(find_deals(300)).plot(**options),
    "suit": lambda **options: dk.suit("AQT9", "xxxx").plot(**options),
    "suit of two tricks": lambda **options: dk.suit("AJ", "xx").plot(**options),
    "two lines of a suit": lambda **options: (
        dk.suit("AKJ32", "7654").compare(*FINESSE_AND_DROP).plot(**options)
    ),
    "two lines of many layouts": lambda **options: (
        dk.suit("KT95", "J632", 3).compare("low to the ten", "low to the king").plot(**options)
    ),
    "line of a suit": lambda **options: dk.suit("AQT98", "5432", 4).best(4).plot(**options),
    "line with many branches": lambda **options: dk.suit("KT95", "J632", 3).best(3).plot(**options),
    "line of two tricks": lambda **options: dk.suit("AJ", "xx", 2).best(2).plot(**options),
    "strategies": lambda **options: study_strategies().plot(**options),
    "make rates of strategies": lambda **options: study_strategies().plot(show="makes", **options),
    # Tournaments
    "contracts of an event": lambda **options: read_event().plot(**options),
    "contracts of two results": lambda **options: read_event(1, 4).plot(**options),
    "ranks": lambda **options: read_event().skill().plot(**options),
    "ranks of forty pairs": lambda **options: read_event(12, 40).skill().plot(**options),
    "ranks of two boards": lambda **options: read_event(2, 4).skill().plot(**options),
    "tricks against double dummy": lambda **options: compare_event_tricks().plot(**options),
    "tricks of two boards": lambda **options: compare_event_tricks(2).plot(**options),
    "scores of a board": lambda **options: read_event(12, 40).traveller(1).plot(**options),
    "scores of two results": lambda **options: read_event(1, 4).traveller(1).plot(**options),
    "recap": lambda **options: read_event().recap("1").plot(**options),
    "recap in IMPs": lambda **options: read_event(26, 16, "butler").recap("2").plot(**options),
    "recap of one board": lambda **options: read_event(1, 4).recap("1").plot(**options),
    # Tables
    "law": lambda **options: tabulate("law_of_total_tricks").plot(**options),
    "law of forty deals": lambda **options: tabulate("law_of_total_tricks", 40).plot(**options),
    "par": lambda **options: tabulate("par_statistics").plot(**options),
    "par of forty deals": lambda **options: tabulate("par_statistics", 40, vulnerable="both").plot(**options),
    "tricks": lambda **options: tabulate("tricks_by").plot(**options),
    "tricks by points": lambda **options: tabulate("tricks_by", fit=None).plot(**options),
    "best contracts": lambda **options: dk.best_contracts(
        find_deals(), where="fit == 8 and hcp >= 20", min_deals=30
    ).plot(**options),
    "best contracts by classes": lambda **options: dk.best_contracts(
        find_deals(), where="hcp >= 20", classes=CLASSES, min_deals=30
    ).plot(**options),
    "two systems": lambda **options: match_systems(2000).plot(**options),
    "two systems on forty deals": lambda **options: match_systems(40).plot(**options),
    # Comparisons
    "trial": lambda **options: compare().plot(**options),
    "trial of forty": lambda **options: compare(many=True).plot(**options),
    "pairs": lambda **options: compare().plot(show="pairs", **options),
    "pairs of forty": lambda **options: compare(many=True).plot(show="pairs", **options),
    "best": lambda **options: compare().plot(show="best", **options),
    "gains": lambda **options: compare().plot(show="gains", **options),
    "classes": lambda **options: compare().plot(show="classes", **options),
    "decision": lambda **options: compare().plot(show="decision", **options),
    "calibration": lambda **options: compare().plot(show="calibration", **options),
    "calibration of an event": lambda **options: compare().plot(show="calibration", event="game", **options),
    "residuals": lambda **options: compare().plot(show="residuals", **options),
}

# The function that draws each case, of all functions of the package that draw.
DRAWN_BY = {
    "actions.average.plot_averages": ("averages", "averages of three deals"),
    "actions.contracts.plot_contract": ("contract", "contract of three deals"),
    "actions.frequency.plot_frequency": (
        "frequency", "frequency of three deals", "frequency of negative values", "frequency of intervals",
    ),
    "actions.hand_types.plot_types": ("hand types",),
    "actions.two_way.plot_two_way": ("two-way", "two-way of many values", "two-way of three deals"),
    "bidding.survey.plot_positions": ("survey of auctions",),
    "bidding.frequencies.plot_frequencies": ("frequencies of calls", "frequencies on deals"),
    "charts.deal.plot_deal": ("deal", "partial deal"),
    "charts.series.plot_series": (
        "series", "series of forty values", "series with intervals", "sweep", "sweep of two variables",
    ),
    "simulation.value_shares._draw": ("distribution", "distribution of negative values"),
    "studies.comparison.decision_result.plot": ("decision",),
    "studies.comparison.plot._draw_values": ("trial", "trial of forty", "gains"),
    "studies.comparison.plot.draw_pairs": ("pairs", "pairs of forty"),
    "studies.comparison.plot.plot_best": ("best",),
    "studies.comparison.plot.plot_classes": ("classes",),
    "studies.comparison.predictions._plot_calibration": ("calibration", "calibration of an event"),
    "studies.comparison.predictions._plot_residuals": ("residuals",),
    "studies.contracts.plot._plot_rows": (
        "contracts", "make rates", "strategies", "make rates of strategies",
    ),
    "studies.contracts.plot._plot_values": ("contracts by points", "make rates by points"),
    "studies.estimate.result.plot_estimate": (
        "estimate", "estimate of negative values", "estimate of a chance",
    ),
    "studies.fit_points.result._draw": ("fitted points",),
    "studies.leads.result.plot_leads": ("leads",),
    "studies.par_table._draw": ("par of boards", "par of forty boards", "par of many boards"),
    "studies.suit_play.comparison._draw_layouts": ("two lines of a suit", "two lines of many layouts"),
    "studies.suit_play.result._draw_chances": ("suit", "suit of two tricks"),
    "studies.suit_play.result._draw_tree": (
        "line of a suit", "line with many branches", "line of two tricks",
    ),
    "studies.tables.contract_choice._draw": ("best contracts", "best contracts by classes"),
    "studies.tables.law._draw": ("law", "law of forty deals"),
    "studies.tables.layouts._draw": ("layouts",),
    "studies.tables.par_statistics._draw": ("par", "par of forty deals"),
    "studies.tables.tricks_result._draw_heat": ("tricks",),
    "studies.tables.tricks_result._draw_means": ("tricks by points",),
    "studies.system_comparison.result.plot_openings": ("two systems", "two systems on forty deals"),
    "tournaments.pictures.draw_contracts": ("contracts of an event", "contracts of two results"),
    "tournaments.pictures.draw_ranks": ("ranks", "ranks of forty pairs", "ranks of two boards"),
    "tournaments.pictures.draw_session": ("recap", "recap in IMPs", "recap of one board"),
    "tournaments.pictures.draw_spread": ("scores of a board", "scores of two results"),
    "tournaments.pictures.draw_tricks": ("tricks against double dummy", "tricks of two boards"),
}  # fmt: skip
