"""Two evalcontract of one side in a script: their difference, deal by deal, in IMPs and in points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dealerkit.actions.base import Action, ProducedDeals, Report
from dealerkit.actions.contracts import EvalContract
from dealerkit.compiler.graph import OperationGraph
from dealerkit.language import nodes
from dealerkit.scoring import imps, score
from dealerkit.statistics import Coverage, Estimate, Moments
from dealerkit.statistics.coverage import estimate_mean
from dealerkit.statistics.rare_values import IMPS_RANGE, POINTS_RANGE

if TYPE_CHECKING:
    import pandas as pd


class ContractDifferenceReport(Report):
    """The score of a contract less that of another one on the same deals, double dummy.

    Attributes
    ----------
    first, second : str
        The contracts.
    side : int
        Of both: 0 north-south, 1 east-west.
    imps, points : Estimate
        Mean gain of the first contract, as the side scores it.
    """

    def __init__(self, action: ContractDifference, confidence: float, coverage: Coverage = "sample") -> None:
        self.label = None
        self.first, self.second = str(action.pair[0].contract), str(action.pair[1].contract)
        self.side = action.pair[0].declarer & 1
        self.imps: Estimate = estimate_mean(action.imps, confidence, coverage, IMPS_RANGE)
        self.points: Estimate = estimate_mean(action.points, confidence, coverage, POINTS_RANGE)
        self.n = action.imps.n

    @property
    def title(self) -> str:
        """Both contracts, as ``4S less 3NT, deal by deal``."""
        return f"{self.first} less {self.second}, deal by deal"

    def describe_verdict(self) -> str:
        """Return which contract is ahead, by each way of scoring."""
        parts = []
        for name, gain in (("at IMPs", self.imps), ("in total points", self.points)):
            if gain.lo > 0 or gain.hi < 0:
                parts.append(f"{name} {self.first if gain.lo > 0 else self.second} is ahead")
            else:
                parts.append(f"{name} the interval holds 0, so {self.n:,} deals do not decide")
        text = "; ".join(parts)
        return f"{text[0].upper()}{text[1:]}."

    @property
    def frame(self) -> pd.DataFrame:
        """A row for each way of scoring: index `figure`, columns value, se, lo, hi, n."""
        import pandas as pd

        rows = [(gain.value, gain.se, gain.lo, gain.hi, gain.n) for gain in (self.imps, self.points)]
        index = pd.Index(["imps", "points"], name="figure")
        return pd.DataFrame(rows, index=index, columns=["value", "se", "lo", "hi", "n"])


class ContractDifference(Action):
    """The accumulated differences of two contracts of one side."""

    name, accumulated = "contract difference", ("imps", "points")

    def __init__(self, pair: tuple[EvalContract, EvalContract], graph: OperationGraph) -> None:
        self.pair = pair
        super().__init__(nodes.Action(self.name, tuple(action.operands()[0] for action in pair)), graph)

    @property
    def columns(self) -> list[tuple[str, int]]:
        """None: the tricks are columns of the two actions."""
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


def create_contract_differences(
    actions: Sequence[Action], graph: OperationGraph
) -> tuple[ContractDifference, ...]:
    """Return the differences of the first contract of each side from its other ones; none in v1 and v2."""
    if not graph.rules.modern_syntax:
        return ()
    contracts = [action for action in actions if isinstance(action, EvalContract)]
    firsts: dict[int, EvalContract] = {}
    pairs = []
    for action in contracts:
        first = firsts.setdefault(action.declarer & 1, action)
        is_same = (action.contract, action.declarer) == (first.contract, first.declarer)
        if not is_same and action.vulnerable == first.vulnerable:
            pairs.append((first, action))
    return tuple(ContractDifference(pair, graph) for pair in pairs)
