"""evalcontract: the score of a contract, double dummy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.actions.base import Action, ProducedDeals, Report
from dealerkit.cards.names import SEATS
from dealerkit.compiler.graph import OperationGraph
from dealerkit.language import nodes
from dealerkit.scoring import Contract, imps, score, score_contracts
from dealerkit.statistics import Counts, Coverage, Estimate, Moments
from dealerkit.statistics.coverage import estimate_mean, estimate_share
from dealerkit.statistics.rare_values import IMPS_RANGE, SIMILAR_POINTS, ValueRange

if TYPE_CHECKING:
    import pandas as pd

GAME = {0: 4, 1: 4, 2: 5, 3: 5, 4: 3}  # level of game by strain S H D C N
SLAM_TRICKS = 12


class ContractReport(Report):
    """A contract over the produced deals, double dummy.

    Attributes
    ----------
    contract : Contract
    declarer : int
        Seat N E S W = 0..3; of a side south or west, as in DealerV2.
    side : int
        NS, EW = 0, 1.
    vulnerable : bool
    score : Estimate
        Mean score of the side.
    made : Estimate
        Share of the deals on which the contract makes.
    missed_game, missed_slam : Estimate
        Share of the deals on which a lower contract takes enough tricks for game, or twelve.
    game_imps, slam_imps : Estimate
        Mean IMPs a deal (all deals counted) that bidding the game, or the slam, would have gained.
    tricks : ndarray of float64 [14]
        Deals (or their weights) by number of tricks.
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
        state = "vulnerable" if self.vulnerable else "not vulnerable"
        return f"{self.contract} by {SEATS[self.declarer]}, {state}"

    @property
    def n_tricks(self) -> int:
        """Number of tricks that make the contract."""
        return self.contract.level + 6

    @property
    def break_even(self) -> float | None:
        """The chance of making from which the contract gains IMPs over one level lower, else down one.

        None if it is doubled, of the first level, or gains nothing where it makes.
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
        """A row for each figure: index `figure`, columns value, se, lo, hi, n."""
        import pandas as pd

        names = ("score", "made", "missed_game", "missed_slam", "game_imps", "slam_imps")
        figures = [getattr(self, name) for name in names]
        rows = [(figure.value, figure.se, figure.lo, figure.hi, figure.n) for figure in figures]
        index = pd.Index(names, name="figure")
        return pd.DataFrame(rows, index=index, columns=["value", "se", "lo", "hi", "n"])


class EvalContract(Action):
    """``evalcontract(NS, x4S, vul)``, in modern also ``evalcontract(north, 4S, vul)``."""

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
        """Return the double-dummy tricks of the declarer."""
        strain = self.contract.strain
        literal = nodes.Strain(strain) if strain == 4 else nodes.Suit(strain)
        return (nodes.Call("dds", (nodes.Seat(self.declarer), literal), place=self.node.place),)

    def find_scores(self) -> ValueRange:
        """Return the range of the scores of the contract."""
        scores = score(self.contract, np.arange(14), vulnerable=self.vulnerable)
        return ValueRange(float(scores.min()), float(scores.max()), SIMILAR_POINTS)

    def reset(self) -> None:
        # Counts or Moments of each figure.
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

    def merge(self, other: Action) -> None:
        assert isinstance(other, EvalContract)
        for name, tally in self.tallies.items():
            tally.merge(other.tallies[name])

    def report(self, confidence: float, coverage: Coverage = "sample") -> ContractReport:
        return ContractReport(self, confidence, coverage)
