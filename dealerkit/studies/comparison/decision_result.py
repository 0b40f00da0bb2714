"""The result of evaluators as guides to a decision: frames, text, HTML, the gain by threshold, plot."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.appearance.latex import Section
from dealerkit.appearance.numbers import format_share_with_interval, format_with_interval
from dealerkit.errors import ArgumentError, suggest_name
from dealerkit.scoring import SCORINGS, TOO_CLOSE
from dealerkit.statistics import Moments
from dealerkit.statistics.intervals import student_quantile
from dealerkit.statistics.simultaneous import PairIntervals
from dealerkit.studies.comparison.thresholds import Threshold
from dealerkit.studies.contract_patterns import GainResult
from dealerkit.studies.html import render_notes
from dealerkit.studies.results import StudyResult

if TYPE_CHECKING:
    import pandas as pd

MAX_POINTS = 60  # thresholds of a curve
MAX_PAIRS = 12  # shown as text


@dataclass(frozen=True, eq=False, repr=False)
class Decision(GainResult, StudyResult):
    """Evaluators as guides to a decision between two contracts, as ``Trial.decision`` has them.

    Attributes
    ----------
    frame : DataFrame
        A row for each evaluator:

        - gain: mean gain a side over always bidding `always`, with thresholds that were chosen on other
          deals; lo, hi: its interval
        - bid: share of the sides that bid `contract`
        - threshold, rises: the threshold of all data, and whether values above it bid; infinite if it
          always or never bids
        - threshold_lo, threshold_hi: the smallest and largest threshold without one of the folds
        - reached: the gain as a share of the gain with perfect foresight; reached_lo, reached_hi
        - best: whether it may be the best of all, by the intervals of all pairs
    differences : DataFrame
        A row for each evaluator but the first, minus the first: `gain`, `lo`, `hi`.
    pairs : DataFrame
        A row for each pair, index `evaluator` and `other`: `gain` of the former minus the latter's, with
        simultaneous `lo` and `hi`: all pairs contain their true values with the confidence.
    perfect : dict of str to float
        `gain`, `lo`, `hi` with perfect foresight: the better contract for each side.
    contract, other : str
        The contract that is bid where the value passes the threshold, and the other one.
    always : str
        The better contract to bid always.
    vulnerable : bool
    scoring : {"imps", "points", "matchpoints"}
        Matchpoints are shares of a board.
    sides, deals, folds : int
    confidence : float
    replicates, seed : int
        Of the samples of whole deals with replacement.
    """

    frame: pd.DataFrame
    differences: pd.DataFrame
    pairs: pd.DataFrame
    perfect: dict[str, float]
    contract: str
    other: str
    always: str
    vulnerable: bool
    scoring: str
    sides: int
    deals: int
    folds: int
    confidence: float
    replicates: int
    seed: int
    values: Mapping[str, np.ndarray] = field(repr=False)
    gains: np.ndarray = field(repr=False)
    deal: np.ndarray = field(repr=False)
    weight: np.ndarray | None = field(repr=False)

    @classmethod
    def build(
        cls,
        names: list[str],
        thresholds: list[list[Threshold]],
        bids: np.ndarray,
        means: np.ndarray,
        samples: np.ndarray,
        pairs: PairIntervals,
        *,
        confidence: float,
        **settings: Any,
    ) -> Decision:
        """Return the result.

        Parameters
        ----------
        names : list of str
        thresholds : list of list of Threshold
            Of each evaluator: without each fold, last of all data.
        bids : ndarray of float [k]
            Share of the sides that bid the first contract.
        means : ndarray of float [k + 1]
            Mean gain of each evaluator, and of perfect foresight.
        samples : ndarray of float [R, k + 1]
            The same of samples.
        pairs : PairIntervals
        confidence, settings
            The other fields.
        """
        import pandas as pd

        errors = (samples - samples.mean(axis=0)) * np.sqrt(settings["deals"] / (settings["deals"] - 1))
        quantile = student_quantile(confidence, settings["deals"] - 1)
        half = quantile * errors.std(axis=0, ddof=1)
        lo, hi = means - half, means + half
        reached = means[:-1] / means[-1]
        reached_half = quantile * (errors[:, :-1] - reached * errors[:, -1:]).std(axis=0, ddof=1) / means[-1]
        index = pd.Index(names, name="evaluator")
        folds = [[each.value for each in row[:-1] if each.rises == row[-1].rises] for row in thresholds]
        frame = pd.DataFrame(
            {
                "gain": means[:-1], "lo": lo[:-1], "hi": hi[:-1], "bid": bids,
                "threshold": [row[-1].value for row in thresholds],
                "rises": [row[-1].rises for row in thresholds],
                "threshold_lo": [min(row, default=math.nan) for row in folds],
                "threshold_hi": [max(row, default=math.nan) for row in folds],
                "reached": reached, "reached_lo": reached - reached_half,
                "reached_hi": reached + reached_half,
                "best": pairs.find_best(),
            },
            index=index,
        )  # fmt: skip
        less = means[1:-1] - means[0]
        less_half = quantile * (errors[:, 1:-1] - errors[:, :1]).std(axis=0, ddof=1)
        differences = pd.DataFrame(
            {"gain": less, "lo": less - less_half, "hi": less + less_half}, index=index[1:]
        )
        table = pd.DataFrame(
            {"gain": pairs.difference, "lo": pairs.lo, "hi": pairs.hi},
            index=pd.MultiIndex.from_arrays(
                [[names[k] for k in pairs.first], [names[k] for k in pairs.second]],
                names=["evaluator", "other"],
            ),
        )
        perfect = {"gain": float(means[-1]), "lo": float(lo[-1]), "hi": float(hi[-1])}
        return cls(frame, differences, table, perfect, confidence=confidence, **settings)

    def to_frame(self) -> pd.DataFrame:
        """Return `frame` with the evaluators as a column."""
        return self.frame.reset_index()

    @property
    def title(self) -> str:
        """The contracts, vulnerability and scoring."""
        state = "vulnerable" if self.vulnerable else "not vulnerable"
        return f"{self.contract} or {self.other}, {state}, {SCORINGS[self.scoring].text}"

    @property
    def basis(self) -> str:
        """What gains are counted over, and how, in two sentences."""
        return (
            f"Gains in {self.unit} a side over always bidding the better contract, {self.always}; each "
            f"threshold is chosen on other deals than those that it is judged on ({self.folds} parts). "
            f"{self.sides:,} sides of {self.deals:,} deals, {100 * self.confidence:g} % intervals from "
            f"{self.replicates:,} samples of deals, seed {self.seed}."
        )

    def rows(self) -> list[list[str]]:
        """Return the table of evaluators as text, the head first; the last row is perfect foresight."""
        shown = f"bids {self.contract} with"
        rows = [["", f"gain, {self.unit}", "of perfect", "bids", shown, "in the parts"]]
        for name, row in self.frame.iterrows():
            threshold = Threshold(row.threshold, row.rises)
            ends = [
                str(Threshold(end, row.rises)).partition(" ")[0]
                for end in (row.threshold_lo, row.threshold_hi)
            ]
            spread = ends[0] if ends[0] == ends[1] else " to ".join(ends)
            reached = format_share_with_interval(row.reached, row.reached_lo, row.reached_hi, ascii=True)
            gain = self._format(row.gain, row.lo, row.hi)
            rows.append([str(name), gain, reached, f"{100 * row.bid:.1f} %", str(threshold), spread])
        perfect = self._format(*self.perfect.values())
        return [*rows, ["perfect foresight", perfect, "100 %", "", "", ""]]

    def difference_rows(self) -> list[list[str]]:
        """Return the table of differences from the first as text, the head first."""
        rows = [["", f"gain, {self.unit}"]]
        return rows + [[str(name), self._format(*row)] for name, row in self.differences.iterrows()]

    def pair_rows(self) -> list[list[str]]:
        """Return the table of all pairs as text, the clearest first, each with the larger gain first."""
        rows = [["", f"gain, {self.unit}", ""]]
        table = self.pairs.assign(clear=self.pairs.gain.abs() - (self.pairs.hi - self.pairs.lo) / 2)
        for (name, other), row in table.sort_values("clear", ascending=False, kind="stable").iterrows():
            gain, lo, hi = (row.gain, row.lo, row.hi) if row.gain >= 0 else (-row.gain, -row.hi, -row.lo)
            pair = f"{name} less {other}" if row.gain >= 0 else f"{other} less {name}"
            verdict = "ahead" if lo > 0 else "the same decisions" if lo == hi == 0 else TOO_CLOSE
            rows.append([pair, self._format(gain, lo, hi), verdict])
        return rows

    def _format(self, gain: float, lo: float, hi: float) -> str:
        """Return a gain with its interval, in the unit that is shown."""
        gain, lo, hi = (self.scale * number for number in (gain, lo, hi))
        if lo == hi == gain == 0:
            return "0"
        return format_with_interval(gain, lo, hi, sign=True, ascii=True)

    @property
    def verdict(self) -> str:
        """Which evaluators may be the best, in one sentence."""
        best = list(map(str, self.frame.index[self.frame.best]))
        if len(self.frame) == 1:
            return ""
        if len(best) == 1:
            return f"{best[0]} gains most."
        return f"The best of them is one of {', '.join(best)}, {TOO_CLOSE} with {self.deals:,} deals."

    def _sections(self) -> Iterator[Section]:
        yield "", self.rows()
        if len(self.differences):
            yield f"Less {self.frame.index[0]}", self.difference_rows()
        if len(self.pairs) > 1:
            more = f", {MAX_PAIRS} of {len(self.pairs)}" if len(self.pairs) > MAX_PAIRS else ""
            heading = f"All pairs{more} (all intervals together {100 * self.confidence:g} %)"
            yield heading, self.pair_rows()[: MAX_PAIRS + 1]

    def _notes(self) -> Iterator[str]:
        if self.verdict:
            yield self.verdict
        yield self.basis

    def _render(self) -> str:
        from dealerkit.studies.comparison.html import render_decision

        return self._render_head() + render_decision(self) + render_notes(self._notes())

    def __repr__(self) -> str:
        return f"<Decision: {self.title}; {len(self.frame)} evaluators, {self.sides:,} sides>"

    def curve(self, name: str) -> pd.DataFrame:
        """Return the gain of an evaluator by threshold, on all deals.

        Parameters
        ----------
        name : str
            An evaluator. With several predictors the threshold is one of the predicted value.

        Returns
        -------
        DataFrame
            At most 60 rows: `threshold` (the middle between neighbouring values), `gain` a side over always
            bidding `always`, `lo` and `hi`, its interval for this threshold, and `bid`, the share of sides
            that bid `contract`.

        Raises
        ------
        ArgumentError
            An unknown evaluator.
        """
        import pandas as pd

        if name not in self.values:
            raise ArgumentError(f"no evaluator {name!r:.60}{suggest_name(str(name), list(self.values))}")
        values = self.values[name]
        levels = np.unique(values)
        middles = (levels[1:] + levels[:-1]) / 2
        if len(middles) > MAX_POINTS:
            shares = np.linspace(0.002, 0.998, MAX_POINTS)
            middles = np.unique(np.quantile(middles[np.searchsorted(levels[1:-1], values)], shares))
        rises = bool(self.frame.rises[name])
        baseline = self.gains if self.always == self.contract else 0 * self.gains
        rows = []
        for middle in middles.tolist():
            bid = Threshold(middle, rises).find_bids(values)
            moments = Moments()
            moments.update(np.where(bid, self.gains, 0) - baseline, self.weight, self.deal)
            mean = moments.mean(self.confidence)
            rows.append((middle, mean.value, mean.lo, mean.hi, np.average(bid, weights=self.weight)))
        return pd.DataFrame(rows, columns=["threshold", "gain", "lo", "hi", "bid"])

    def plot(self, ax: Any = None, names: list[str] | None = None) -> Any:
        """Plot the gain of evaluators by threshold; by default of the first three.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Axes of the plot; by default of a new figure.
        names : list of str, optional
            At most four evaluators.

        Returns
        -------
        matplotlib Axes
        """
        from dealerkit.plots.decision import plot_decision

        return plot_decision(self, ax, names)
