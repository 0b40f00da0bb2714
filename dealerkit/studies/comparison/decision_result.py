"""The result of evaluators as guides to a decision: frames, card, the gain by threshold, plot."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.appearance.card import Card, Shown
from dealerkit.appearance.content import Chart
from dealerkit.appearance.drawings import Difference, Rate
from dealerkit.appearance.numbers import format_count
from dealerkit.appearance.table import Column, Interval, Quantity, Table
from dealerkit.appearance.wording import shorten
from dealerkit.charts.panels import Frame, format_ticks
from dealerkit.charts.style import N_SERIES, get_color, list_series, use_style
from dealerkit.errors import ArgumentError, suggest_name
from dealerkit.scoring import SCORINGS, TOO_CLOSE
from dealerkit.statistics import Moments
from dealerkit.statistics.intervals import student_quantile
from dealerkit.statistics.simultaneous import PairIntervals
from dealerkit.studies.comparison.thresholds import Threshold
from dealerkit.studies.contract_patterns import GainResult

if TYPE_CHECKING:
    import pandas as pd

MAX_POINTS = 60  # thresholds of a curve
MAX_PAIRS = 12  # shown; all are in the frame
SHOWN = 3  # evaluators of a plot, by default


@dataclass(frozen=True, eq=False, repr=False)
class Decision(GainResult, Shown):
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
            f"{self._count_sides()}, {100 * self.confidence:g} % intervals from "
            f"{self.replicates:,} samples of deals, seed {self.seed}."
        )

    @property
    def verdict(self) -> str:
        """Which evaluators may be the best, in one sentence."""
        best = list(map(str, self.frame.index[self.frame.best]))
        if len(self.frame) == 1:
            return ""
        if len(best) == 1:
            return f"{best[0]} gains most."
        return f"The best of them is one of {', '.join(best)}, {TOO_CLOSE} with {self.deals:,} deals."

    def card(self) -> Card:
        """Return what is shown: gains with their thresholds, and the differences between evaluators."""
        return Card(
            self.title,
            self.verdict,
            population=[self._count_sides(), f"seed {self.seed}"],
            about=[self.basis],
            tables=self.list_tables(),
            charts=[Chart("decision", self.plot, 4.4)],
        )

    def list_tables(self) -> list[Table]:
        """Return the tables of the card: gains, differences from the first, and all pairs."""
        tables = [self._build_gains()]
        if len(self.differences):
            tables.append(self._build_differences())
        if len(self.pairs) > 1:
            tables.append(self._build_pairs())
        return tables

    def _build_gains(self) -> Table:
        """Return a row for each evaluator; the last is perfect foresight, the end of the axis."""
        columns = [
            Column("evaluator", "", "name"),
            Column("axis", "of perfect foresight, 0 to 100 %", "drawing"),
            self._build_column("gain", f"gain, {self.unit}"),
            Column("reached", "of perfect", "share", interval="within", optional=1),
            Column("bid", "bids", "share", decimals=1, optional=1),
            Column("threshold", f"bids {self.contract} with", "text", optional=2),
            Column("spread", "in the parts", "text", optional=2),
        ]
        rows: list[list[Any]] = []
        for name, row in self.frame.iterrows():
            ends = [
                str(Threshold(end, row.rises)).partition(" ")[0]
                for end in (row.threshold_lo, row.threshold_hi)
            ]
            reached = self._measure(row.reached, row.reached_lo, row.reached_hi)
            rows.append([
                str(name), Rate(reached), self._measure(row.gain, row.lo, row.hi), reached, float(row.bid),
                Threshold(row.threshold, row.rises), " to ".join(dict.fromkeys(ends)),
            ])  # fmt: skip
        end = Interval(1.0, 1.0, 1.0, exact=True)
        all_of_it = Quantity(1.0, "share", decimals=0)
        perfect = self._measure(*self.perfect.values())
        return Table(columns, [*rows, ["perfect foresight", Rate(end), perfect, all_of_it, None, None, None]])

    def _build_differences(self) -> Table:
        """Return a row for each evaluator but the first: its gain minus that of the first."""
        rows: list[list[Any]] = []
        for name, row in self.differences.iterrows():
            gain = self._measure(row.gain, row.lo, row.hi)
            rows.append([str(name), Difference(gain, self.scale), _name_zero(gain)])
        return Table(
            [Column("evaluator", "", "name"), *self._list_gain_columns()],
            rows,
            f"Minus {self.frame.index[0]}",
        )

    def _build_pairs(self) -> Table:
        """Return the differences of all pairs, the clearest first, each with the larger gain first."""
        clear = self.pairs.gain.abs() - (self.pairs.hi - self.pairs.lo) / 2
        rows: list[list[Any]] = []
        for (name, other), row in self.pairs.loc[
            clear.sort_values(ascending=False, kind="stable").index
        ].iterrows():
            gain = self._measure(row.gain, row.lo, row.hi)
            if gain.value < 0:
                name, other, gain = other, name, self._measure(-row.gain, -row.hi, -row.lo)
            verdict = "ahead" if gain.lo > 0 else "the same decisions" if _is_zero(gain) else TOO_CLOSE
            rows.append([f"{name} minus {other}", Difference(gain, self.scale), _name_zero(gain), verdict])
        more = f", {MAX_PAIRS} of {len(rows)}" if len(rows) > MAX_PAIRS else ""
        return Table(
            [Column("pair", "", "name"), *self._list_gain_columns(), Column("verdict", "", "text")],
            rows[:MAX_PAIRS],
            f"All pairs{more} (all intervals together {100 * self.confidence:g} %)",
        )

    def _list_gain_columns(self) -> list[Column]:
        """Return the columns of a difference: its drawing and its number."""
        return [Column("axis", "who is ahead", "drawing"), self._build_column("gain", f"gain, {self.unit}")]

    def _build_column(self, name: str, head: str) -> Column:
        return Column(name, head, interval="within", sign=True, scale=self.scale, strong=True)

    def _measure(self, value: float, lo: float, hi: float) -> Interval:
        return Interval(float(value), float(lo), float(hi), confidence=self.confidence)

    def _count_sides(self) -> str:
        return f"{format_count(self.sides, 'side')} of {format_count(self.deals, 'deal')}"

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

    def plot(self, ax: Any = None, names: Sequence[str] | None = None) -> Any:
        """Plot the gain of evaluators by threshold, with a ribbon for the interval at each.

        With several evaluators, whose units differ, the axis is the share of sides that bid `contract`.
        A marker shows the threshold that gains most, a dashed line the gain with perfect foresight.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Axes of the plot; by default of a new figure.
        names : list of str, optional
            At most four evaluators; by default the first three.

        Returns
        -------
        matplotlib Axes

        Raises
        ------
        ArgumentError
            More than four evaluators, or an unknown one.
        """
        if isinstance(names, str):
            names = [names]
        chosen = list(self.frame.index[:SHOWN]) if names is None else list(names)
        if not 0 < len(chosen) <= N_SERIES:
            raise ArgumentError(f"{len(chosen)} evaluators; a plot takes 1 to {N_SERIES}, in names=")
        curves = [self.curve(name) for name in chosen]
        by_share = len(chosen) > 1
        state = "vulnerable" if self.vulnerable else "not vulnerable"
        with use_style(ax):
            frame = Frame(ax, 6.4, 4.4)
            frame.write(
                f"{self.contract} or {self.other}, {state}",
                f"Gain over always bidding {self.always}, {self.unit} a side, by "
                + (f"the share that bids {self.contract}" if by_share else "threshold"),
                f"{self._count_sides()}, double dummy. Ribbons: "
                f"{100 * self.confidence:g} % intervals at each threshold. Markers: the threshold that gains "
                "most.",
            )
            (panel,) = frame.add_panels(left=0.55, bottom=0.5)
            labels = []
            for name, curve, (colour, marker) in zip(chosen, curves, list_series(), strict=False):
                x = 100 * curve.bid.to_numpy() if by_share else curve.threshold.to_numpy()
                best = _draw_curve(panel, self, curve, x, colour, marker)
                text = str(Threshold(curve.threshold[best], bool(self.frame.rises[name])))
                labels.append((x[best], f"{shorten(str(name), 24)}, {text}", colour))
            perfect = self.scale * self.perfect["gain"]
            lowest = min(float(self.scale * curve.gain.min()) for curve in curves)
            panel.set_ylim(max(lowest, -0.8 * perfect) - 0.05 * perfect, 1.15 * perfect)
            panel.axhline(0, color=get_color("rule"), linewidth=0.8, zorder=1)
            panel.axhline(perfect, color=get_color("rule"), linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)
            panel.annotate(
                "perfect foresight", (panel.get_xlim()[1], perfect), (-2, 3), textcoords="offset points",
                ha="right", va="bottom", color=get_color("quiet"),
            )  # fmt: skip
            _label_curves(panel, labels)
            _label_axes(panel, f"sides that bid {self.contract}, %" if by_share else chosen[0])
            return frame.ax


def _is_zero(gain: Interval) -> bool:
    """Return whether two evaluators always decide alike, so that their gains differ in no sample."""
    return gain.value == gain.lo == gain.hi == 0


def _name_zero(gain: Interval) -> Interval | Quantity:
    """Return the cell of a difference: a plain 0 without an interval if both always decide alike."""
    return Quantity(0, "count") if _is_zero(gain) else gain


def _draw_curve(panel: Any, decision: Decision, curve: Any, x: np.ndarray, colour: str, marker: str) -> int:
    """Draw a curve with its ribbon; return the index of the threshold that gains most."""
    gain, lo, hi = (decision.scale * curve[column].to_numpy() for column in ("gain", "lo", "hi"))
    panel.fill_between(x, lo, hi, color=colour, alpha=0.18, linewidth=0)
    panel.plot(x, gain, color=colour, linewidth=1.6)
    best = int(gain.argmax())
    face = colour if marker == "o" else get_color("ground")
    panel.plot(x[best], gain[best], marker, color=colour, markersize=6, markerfacecolor=face, zorder=4)
    return best


def _label_curves(panel: Any, labels: Sequence[tuple[float, str, str]]) -> None:
    """Name the curves below the line of perfect foresight, on the side without the highest gain."""
    left, right = panel.get_xlim()
    at_right = np.mean([x for x, _, _ in labels]) < (left + right) / 2
    for row, (_, text, colour) in enumerate(labels):
        panel.annotate(
            text, (0.99 if at_right else 0.02, 1 / 1.15), (0, -14 - 14 * row), xycoords="axes fraction",
            textcoords="offset points", ha="right" if at_right else "left", va="top", color=colour,
        )  # fmt: skip


def _label_axes(panel: Any, name: str) -> None:
    """Name the horizontal axis; write gains with their signs."""
    panel.set_xlabel(shorten(name, 50))
    panel.grid(axis="y")
    panel.spines[["left", "bottom"]].set_visible(False)
    format_ticks(panel.yaxis, sign=True)
