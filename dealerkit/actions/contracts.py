"""The action `evalcontract`: double-dummy scores of contracts, and differences between two of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.actions.base import Action, ProducedDeals, Report
from dealerkit.appearance.card import Card
from dealerkit.appearance.content import Chart, format_quantity
from dealerkit.appearance.drawings import TRICKS_KEY, Difference, Rate, TrickColumns, choose_reach
from dealerkit.appearance.numbers import format_count, format_level
from dealerkit.appearance.table import Column, Quantity, Table
from dealerkit.cards.names import SEATS
from dealerkit.compiler.graph import OperationGraph
from dealerkit.language import nodes
from dealerkit.scoring import SCORINGS, Contract, describe_tie, imps, judge, score, score_contracts
from dealerkit.statistics import Counts, Coverage, Estimate, Moments, proportion
from dealerkit.statistics.coverage import estimate_mean, estimate_share
from dealerkit.statistics.rare_values import IMPS_RANGE, POINTS_RANGE, SIMILAR_POINTS, ValueRange

if TYPE_CHECKING:
    import pandas as pd

GAME = {0: 4, 1: 4, 2: 5, 3: 5, 4: 3}  # level of game by strain S H D C N
SLAM_TRICKS = 12
SIDE_NAMES = ("north-south", "east-west")
HEIGHT = 4.0  # inches


class ContractReport(Report):
    """The double-dummy results of a contract on the produced deals.

    Attributes
    ----------
    contract : Contract
        Level, strain and doubling.
    declarer : int
        Seat, N E S W = 0..3. If the script names a side, it is south or west, as in DealerV2.
    side : int
        NS, EW = 0, 1.
    vulnerable : bool
        Whether the declaring side is vulnerable.
    score : Estimate
        Mean score of the side in points.
    made : Estimate
        Share of the deals on which the contract makes.
    missed_game, missed_slam : Estimate
        Share of the deals on which the contract is below game, or slam, and takes enough tricks for it.
    game_imps, slam_imps : Estimate
        Mean gain per deal in IMPs, over all deals, from bidding the missed games, or slams.
    tricks : ndarray of float64 [shape=(14,)]
        Number of deals, or sum of their weights, by number of tricks.
    """

    def __init__(self, action: EvalContract, confidence: float, coverage: Coverage = "sample") -> None:
        tallies = action.tallies
        self.label = None
        self.contract, self.declarer, self.vulnerable = action.contract, action.declarer, action.vulnerable
        self.side = self.declarer & 1
        self.score: Estimate = estimate_mean(tallies["score"], confidence, coverage, action.find_scores())
        self.made: Estimate = estimate_share(tallies["made"], 1, confidence, coverage)
        self.missed_game: Estimate = estimate_share(tallies["missed_game"], 1, confidence, coverage)
        self.missed_slam: Estimate = estimate_share(tallies["missed_slam"], 1, confidence, coverage)
        self.game_imps: Estimate = estimate_mean(tallies["game_imps"], confidence, coverage, IMPS_RANGE)
        self.slam_imps: Estimate = estimate_mean(tallies["slam_imps"], confidence, coverage, IMPS_RANGE)
        self.tricks = tallies["tricks"].weights[1:-1]
        self.n = tallies["score"].n

    @property
    def title(self) -> str:
        """The contract with its declarer, such as ``4S by south, vulnerable``."""
        return f"{self.contract} by {SEATS[self.declarer]}, {self.state}"

    @property
    def state(self) -> str:
        """Whether the side is vulnerable, in words."""
        return "vulnerable" if self.vulnerable else "not vulnerable"

    @property
    def n_tricks(self) -> int:
        """Number of tricks needed to make the contract."""
        return self.contract.level + 6

    @property
    def break_even(self) -> float | None:
        """The chance of making above which the contract gains IMPs over the same one a level lower.

        When it fails, it is assumed to be down one. None if the contract is doubled or on level one, or if it
        gains nothing by making.
        """
        level, strain = self.contract.level, self.contract.strain
        if level == 1 or self.contract.doubled:
            return None
        made, down = (
            int(imps(
                score_contracts(level, strain, 0, tricks, self.vulnerable)
                - score_contracts(level - 1, strain, 0, tricks, self.vulnerable)
            ))
            for tricks in (self.n_tricks, self.n_tricks - 1)
        )  # fmt: skip
        return -down / (made - down) if made > 0 > down else None

    @property
    def frame(self) -> pd.DataFrame:
        """A row for each figure, with the index `figure` and the columns value, se, lo, hi, n."""
        names = ("score", "made", "missed_game", "missed_slam", "game_imps", "slam_imps")
        return _tabulate_figures({name: getattr(self, name) for name in names})

    @property
    def charts(self) -> list[Chart]:
        """The plot of the numbers of tricks."""
        return [Chart("tricks", lambda ax: plot_contract(self, ax), HEIGHT)]

    def card(self) -> Card:
        return self.join_cards([self])

    @property
    def group(self) -> str:
        """The side, whose contracts share one card."""
        return f"contracts of {SIDE_NAMES[self.side]}"

    @classmethod
    def join_cards(cls, reports: Sequence[Report]) -> Card:
        """Return one card for the contracts of a side, with rates of making, tricks, scores and misses."""
        contracts = [report for report in reports if isinstance(report, cls)]
        first, n_states = contracts[0], len({report.vulnerable for report in contracts})
        if len(contracts) == 1:
            title = f"Contract {first.title}"
        else:
            state = f", {first.state}" if n_states == 1 else ""
            title = f"Contracts of {SIDE_NAMES[first.side]}{state}"
        if not first.n:
            return Card.empty(title)
        tables = [_build_table(contracts, n_states > 1), *_build_missed(contracts)]
        differences = [report for report in reports if isinstance(report, ContractDifferenceReport)]
        tables += [replace(report.build_table(), heading=report.title) for report in differences]
        verdicts = [report.describe_verdict() for report in differences]
        if len(verdicts) > 1:
            verdicts = [f"{report.title}: {text}" for report, text in zip(differences, verdicts, strict=True)]
        return Card(
            title,
            " ".join(verdicts),
            population=["double dummy", format_count(first.n, "deal")],
            tables=tables,
            charts=[chart for report in contracts for chart in report.charts],
            is_part=True,
        )


def _build_table(reports: Sequence[ContractReport], with_state: bool) -> Table:
    """Return a table with a row for each contract."""
    marks = [report.break_even for report in reports]
    columns = [
        Column("contract", kind="contract"),
        Column("rate", "makes, 0 to 100 %", "drawing"),
        Column("makes", kind="share", interval="below"),
        Column("tricks", kind="drawing", optional=1),
        Column("score", "mean score", interval="below", sign=True),
        Column("break_even", "break-even", "share", decimals=1, optional=2, missing="–"),
    ]
    rows = [
        [
            f"{report.contract} by {SEATS[report.declarer]}" + (f", {report.state}" if with_state else ""),
            Rate(report.made, [mark] if mark else []), report.made,
            TrickColumns([float(count) for count in report.tricks], report.n_tricks), report.score, mark,
        ]
        for report, mark in zip(reports, marks, strict=True)
    ]  # fmt: skip
    key = TRICKS_KEY
    if any(marks):
        key += " Dashed: break-even, the chance above which it gains IMPs over one level lower."
    else:
        columns, rows = columns[:-1], [row[:-1] for row in rows]
    return Table(columns, rows, key=key)


def _build_missed(reports: Sequence[ContractReport]) -> list[Table]:
    """Return a table of the games and slams that contracts miss, if there are any."""
    columns = [
        Column("missed", "", "name"),
        Column("share", "share of deals", "share"),
        Column("imps", "cost in IMPs per deal", interval="within"),
    ]
    rows = []
    for report in reports:
        start = f"{report.contract}: " if len(reports) > 1 else ""
        for name, share, cost in (
            ("game missed", report.missed_game, report.game_imps),
            ("slam missed", report.missed_slam, report.slam_imps),
        ):
            if share.value:
                rows.append([start + name, share, cost])
    return [Table(columns, rows)] if rows else []


def _tabulate_figures(figures: Mapping[str, Estimate]) -> pd.DataFrame:
    """Return a frame with a row for each figure."""
    import pandas as pd

    rows = [(each.value, each.se, each.lo, each.hi, each.n) for each in figures.values()]
    index = pd.Index(list(figures), name="figure")
    return pd.DataFrame(rows, index=index, columns=["value", "se", "lo", "hi", "n"])


class EvalContract(Action):
    """The action ``evalcontract(NS, x4S, vul)``, in modern scripts also ``evalcontract(north, 4S, vul)``."""

    name, accumulated = "evalcontract", ("tallies",)

    def __init__(self, node: nodes.Action, graph: OperationGraph) -> None:
        if len(node.arguments) != 3:
            graph.raise_error(node, "evalcontract takes a side, a contract and nv or vul: (NS, x4S, nv)")
        seat, contract, state = node.arguments
        assert isinstance(seat, nodes.Side | nodes.Seat) and isinstance(state, nodes.Vulnerability)
        self.declarer = seat.index if isinstance(seat, nodes.Seat) else seat.index + 2  # as in DealerV2
        self.contract = Contract.of(contract)
        self.vulnerable = state.word == "vul"
        super().__init__(node, graph)

    def operands(self) -> tuple[nodes.Argument, ...]:
        """Return one expression, the double-dummy tricks of the declarer."""
        strain = self.contract.strain
        literal = nodes.Strain(strain) if strain == 4 else nodes.Suit(strain)
        return (nodes.Call("dds", (nodes.Seat(self.declarer), literal), place=self.node.place),)

    def find_scores(self) -> ValueRange:
        """Return the smallest and the largest score that the contract can have, as a range."""
        scores = score(self.contract, np.arange(14), vulnerable=self.vulnerable)
        return ValueRange(float(scores.min()), float(scores.max()), SIMILAR_POINTS)

    def reset(self) -> None:
        # Each figure has Counts or Moments.
        self.tallies: dict[str, Any] = {name: Moments() for name in ("score", "game_imps", "slam_imps")}
        self.tallies |= {name: Counts((0, 1)) for name in ("made", "missed_game", "missed_slam")}
        self.tallies["tricks"] = Counts((0, 13))

    def update(self, produced: ProducedDeals) -> None:
        tricks = produced.values(self.slots[0]).astype(np.int64)
        bid, strain = self.contract.level, self.contract.strain
        missed_game = (bid < GAME[strain]) & (tricks >= GAME[strain] + 6)
        missed_slam = (bid < SLAM_TRICKS - 6) & (tricks >= SLAM_TRICKS)
        undoubled = score_contracts(bid, strain, 0, tricks, self.vulnerable)
        in_game = score_contracts(GAME[strain], strain, 0, tricks, self.vulnerable)
        in_slam = score_contracts(np.maximum(tricks - 6, 6), strain, 0, tricks, self.vulnerable)
        table = self.graph.rules.imps
        columns = {
            "tricks": tricks,
            "made": tricks >= bid + 6,
            "missed_game": missed_game,
            "missed_slam": missed_slam,
            "score": score(self.contract, tricks, vulnerable=self.vulnerable),
            "game_imps": np.where(missed_game, imps(in_game - undoubled, table), 0),
            "slam_imps": np.where(missed_slam, imps(in_slam - undoubled, table), 0),
        }
        for name, values in columns.items():
            self.tallies[name].update(values, produced.deals.weight, produced.deals.cluster)

    def report(self, confidence: float, coverage: Coverage = "sample") -> ContractReport:
        return ContractReport(self, confidence, coverage)


class ContractDifferenceReport(Report):
    """The double-dummy score of a contract minus that of another one on the same deals.

    Attributes
    ----------
    first, second : str
        The contracts.
    side : int
        The side of both contracts: 0 north-south, 1 east-west.
    imps, points : Estimate
        Mean gain per deal of the side from playing the first contract instead of the second.
    """

    imps: Estimate
    points: Estimate

    def __init__(self, action: ContractDifference, confidence: float, coverage: Coverage = "sample") -> None:
        self.label = None
        self.first, self.second = str(action.pair[0].contract), str(action.pair[1].contract)
        self.side = action.pair[0].declarer & 1
        self.imps = estimate_mean(action.imps, confidence, coverage, IMPS_RANGE)
        self.points = estimate_mean(action.points, confidence, coverage, POINTS_RANGE)
        self.n = action.imps.n

    @property
    def title(self) -> str:
        """Both contracts, such as ``4S minus 3NT, deal by deal``."""
        return f"{self.first} minus {self.second}, deal by deal"

    def describe_verdict(self) -> str:
        """Return a sentence that says which contract is ahead at IMPs and at points."""
        parts = []
        for scoring, gain in ((SCORINGS["imps"], self.imps), (SCORINGS["points"], self.points)):
            verdict = judge(gain)
            if verdict == "not decided":
                parts.append(f"{scoring.at} it is {describe_tie(gain, self.n, with_deals=False)}")
            else:
                parts.append(f"{scoring.at} {self.first if verdict == 'ahead' else self.second} is ahead")
        text = "; ".join(parts)
        return f"{text[0].upper()}{text[1:]}."

    @property
    def frame(self) -> pd.DataFrame:
        """A row for each way of scoring, with the index `figure` and the columns value, se, lo, hi, n."""
        return _tabulate_figures({"imps": self.imps, "points": self.points})

    @property
    def group(self) -> str:
        """The side, whose contracts and their differences share one card."""
        return f"contracts of {SIDE_NAMES[self.side]}"

    def card(self) -> Card:
        if not self.n:
            return Card.empty(self.title)
        return Card(self.title, self.describe_verdict(), tables=[self.build_table()], is_part=True)

    @classmethod
    def join_cards(cls, reports: Sequence[Report]) -> Card:
        """Return the card of a side's contracts and their differences."""
        if len(reports) == 1:
            return reports[0].card()
        return ContractReport.join_cards(reports)

    def build_table(self) -> Table:
        """Return a table with a row for each way of scoring, each on an axis of its own."""
        columns = [
            Column("scoring", "", "name"),
            Column("axis", "who is ahead", "drawing"),
            Column("gain", "mean gain", by_row=True, sign=True, strong=True),
        ]
        rows = []
        for name, gain in (("IMPs", self.imps), ("points", self.points)):
            reach = choose_reach([gain.value, gain.lo, gain.hi])
            rows.append([name, Difference(gain, reach=reach), gain])
        return Table(columns, rows)


class ContractDifference(Action):
    """The comparison of two contracts of one side, deal by deal."""

    name, accumulated = "contract difference", ("imps", "points")

    def __init__(self, pair: tuple[EvalContract, EvalContract], graph: OperationGraph) -> None:
        self.pair = pair
        super().__init__(nodes.Action(self.name, tuple(action.operands()[0] for action in pair)), graph)

    @property
    def columns(self) -> list[tuple[str, int]]:
        """No columns, because the tricks are columns of the two actions."""
        return []

    def reset(self) -> None:
        self.imps, self.points = Moments(), Moments()

    def update(self, produced: ProducedDeals) -> None:
        scores = [
            score(action.contract, produced.values(slot), vulnerable=action.vulnerable)
            for action, slot in zip(self.pair, self.slots, strict=True)
        ]
        gain = scores[0] - scores[1]
        weight, cluster = produced.deals.weight, produced.deals.cluster
        self.points.update(gain, weight, cluster)
        self.imps.update(imps(gain, self.graph.rules.imps), weight, cluster)

    def report(self, confidence: float, coverage: Coverage = "sample") -> ContractDifferenceReport:
        return ContractDifferenceReport(self, confidence, coverage)


def compare_contracts(actions: Sequence[Action], graph: OperationGraph) -> tuple[ContractDifference, ...]:
    """Return actions that compare the first contract of each side with its other ones."""
    contracts = [action for action in actions if isinstance(action, EvalContract)]
    firsts: dict[int, EvalContract] = {}
    pairs = []
    for action in contracts:
        first = firsts.setdefault(action.declarer & 1, action)
        is_same = (action.contract, action.declarer) == (first.contract, first.declarer)
        if not is_same and action.vulnerable == first.vulnerable:
            pairs.append((first, action))
    return tuple(ContractDifference(pair, graph) for pair in pairs)


def plot_contract(report: ContractReport, ax: Any = None) -> Any:
    """Plot the share of each number of tricks with its interval; numbers that make are filled."""
    from dealerkit.charts.panels import open_frame
    from dealerkit.charts.style import get_color

    with open_frame(ax, height=HEIGHT) as frame:
        made, score = report.made, report.score
        rate = format_quantity(Quantity(made, "share"))
        points = format_quantity(Quantity(score, sign=True))
        frame.write(
            report.title,
            f"Makes {rate}, mean score {points}",
            f"{format_count(report.n, 'deal')}, double dummy. Filled: the contract is made. "
            f"Whiskers: {format_level(made.confidence)} intervals of each number of tricks.",
        )
        (panel,) = frame.add_panels(lines=True)
        total = report.tricks.sum()
        occurring = np.flatnonzero(report.tricks)
        tricks = np.arange(occurring[0], occurring[-1] + 1)
        share = 100 * report.tricks[tricks] / total
        data, rule = get_color("data"), get_color("rule")
        for number, height in zip(tricks, share, strict=True):
            is_made = number >= report.n_tricks
            style = {"color": data, "alpha": 0.6} if is_made else {"facecolor": "none", "edgecolor": rule}
            panel.bar(number, height, 0.8, linewidth=0 if is_made else 1, **style)
        if not made.exact:
            for number in tricks:
                own = proportion(
                    round(float(report.tricks[number] / total * report.n)), report.n, made.confidence
                )
                panel.plot([number] * 2, [100 * own.lo, 100 * own.hi], color=get_color("text"), linewidth=1.1)
        frame.number(panel.xaxis, integer=True)
        panel.set_xlim(tricks[0] - 0.7, tricks[-1] + 0.7)
        panel.set_xlabel("tricks")
        frame.number(panel.yaxis, unit=" %")
        panel.set_ylim(bottom=0)
        return frame.ax
