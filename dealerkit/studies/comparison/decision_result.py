"""The result of a decision between contracts: frames, card, the gain by threshold, plot."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.appearance.card import Card, Shown
from dealerkit.appearance.content import Chart, Note, Place, format_note
from dealerkit.appearance.drawings import Difference, Rate
from dealerkit.appearance.numbers import format_count, format_level
from dealerkit.appearance.table import Column, Quantity, Table
from dealerkit.arguments import check_name
from dealerkit.charts.panels import Frame, label_series, open_frame
from dealerkit.charts.style import N_SERIES, get_color, list_series
from dealerkit.errors import ArgumentError
from dealerkit.runtime.process import cached_property
from dealerkit.scoring import SCORINGS, TOO_CLOSE, describe_leaders
from dealerkit.statistics import Estimate, Moments
from dealerkit.statistics.estimates import list_columns
from dealerkit.studies.comparison.thresholds import Threshold
from dealerkit.studies.contract_patterns import GainResult
from dealerkit.studies.frames import tabulate

if TYPE_CHECKING:
    import pandas as pd

MAX_POINTS = 60  # number of thresholds of a curve
MAX_PAIRS = 12  # pairs that are shown; the frame has all
SHOWN = 3  # evaluators in a plot by default


@dataclass(frozen=True)
class Guide:
    """What one evaluator achieves as a guide to a decision.

    Attributes
    ----------
    gain : Estimate
        Gain per side over always bidding the better contract.
    reached : Estimate
        The gain as a share of the gain with perfect foresight.
    bid : float
        Share of sides that bid the first contract.
    thresholds : tuple of Threshold
        Thresholds chosen without each fold, and last on all data.
    is_possible_best : bool
        Whether it may be the best of all evaluators, by the intervals of all pairs.
    """

    gain: Estimate
    reached: Estimate
    bid: float
    thresholds: tuple[Threshold, ...]
    is_possible_best: bool

    @property
    def threshold(self) -> Threshold:
        """The threshold on all data."""
        return self.thresholds[-1]

    @property
    def spread(self) -> tuple[float, float]:
        """The smallest and largest threshold without a fold, in the same direction; nan without one."""
        values = [each.value for each in self.thresholds[:-1] if each.rises == self.threshold.rises]
        return min(values, default=math.nan), max(values, default=math.nan)


@dataclass(frozen=True, eq=False, repr=False)
class Decision(GainResult, Shown):
    """Evaluators as guides to a decision between two contracts: ``Trial.decision``.

    Attributes
    ----------
    frame : DataFrame
        A row for each evaluator:

        - gain: mean gain per side over always bidding `always`, with thresholds chosen on other
          deals; lo, hi: its interval
        - bid: share of sides that bid `contract`
        - threshold, rises: the threshold on all data, and whether values above it bid; infinite if it
          always or never bids
        - threshold_lo, threshold_hi: the smallest and largest threshold without one of the folds
        - reached: the gain as a share of the gain with perfect foresight; reached_lo, reached_hi
        - best: whether it may be the best of all, by the intervals of all pairs
    differences : DataFrame
        A row for each evaluator except the first: its gain minus that of the first, `gain`, `lo`, `hi`, as in
        `pairs`.
    pairs : DataFrame
        A row for each pair, with index `evaluator` and `other`: `gain` of the former minus that of the
        latter, with simultaneous `lo` and `hi`: all intervals together contain the true values with the given
        confidence.
    perfect : dict of str to float
        `gain`, `lo`, `hi` with perfect foresight, which bids the better contract on each side.
    guides : mapping of str to Guide
        The numbers of `frame` as estimates, with all thresholds.
    pair_gains : mapping of (str, str) to Estimate
        The numbers of `pairs` as estimates.
    alike : frozenset of (str, str)
        Pairs that make the same decisions on all sides and in all resamples, so that they gain the same.
    foresight : Estimate
        The gain with perfect foresight.
    contract, other : str
        The contract that is bid if the value passes the threshold, and the other one.
    always : str
        The contract that is better to bid always.
    vulnerable : bool
    scoring : {"imps", "points", "matchpoints"}
        Matchpoints are shares of a board.
    sides, deals, folds : int
    confidence : float
    replicates, seed : int
        Number and seed of the resamples of whole deals.
    """

    guides: Mapping[str, Guide]
    pair_gains: Mapping[tuple[str, str], Estimate]
    alike: frozenset[tuple[str, str]]
    foresight: Estimate
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

    @cached_property
    def frame(self) -> pd.DataFrame:
        """A row for each evaluator with its gain and its thresholds."""
        rows = {}
        for name, guide in self.guides.items():
            low, high = guide.spread
            row: dict[str, Any] = {
                "gain": guide.gain.value,
                "lo": guide.gain.lo,
                "hi": guide.gain.hi,
                "bid": guide.bid,
            }
            row |= {"threshold": guide.threshold.value, "rises": guide.threshold.rises}
            row |= {"threshold_lo": low, "threshold_hi": high} | list_columns("reached", guide.reached)
            rows[name] = row | {"best": guide.is_possible_best}
        return tabulate(rows, "evaluator")

    @cached_property
    def first_gains(self) -> Mapping[str, Estimate]:
        """The numbers of `differences` as estimates."""
        first = next(iter(self.guides))
        return {name: 0 - gain for (other, name), gain in self.pair_gains.items() if other == first}

    @cached_property
    def differences(self) -> pd.DataFrame:
        """A row for each evaluator except the first: its gain minus that of the first."""
        return _tabulate_gains(self.first_gains, "evaluator")

    @cached_property
    def pairs(self) -> pd.DataFrame:
        """A row for each pair: the gain of the first minus that of the second."""
        return _tabulate_gains(self.pair_gains, ["evaluator", "other"])

    @property
    def perfect(self) -> dict[str, float]:
        """The gain with perfect foresight and the ends of its interval."""
        return {"gain": self.foresight.value, "lo": self.foresight.lo, "hi": self.foresight.hi}

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
        """What the gains are relative to, and how they are counted, in two sentences."""
        return (
            f"Gains in {self.unit} per side over always bidding the better contract, {self.always}; each "
            f"threshold is chosen on deals other than those it is tested on ({self.folds} folds). "
            f"{self._count_sides()}, {format_level(self.confidence)} intervals from "
            f"{format_count(self.replicates, 'sample')} of deals, seed {self.seed}."
        )

    @property
    def verdict(self) -> str:
        """Which evaluators may be the best, in one sentence; "" if there is only one."""
        return format_note(self.finding)

    @property
    def finding(self) -> Note:
        """The verdict with its numbers as objects, for a card."""
        names = list(self.guides)
        if len(names) == 1:
            return ""
        # For two evaluators, the gain of one over the other
        if len(names) == 2:
            first, name = names
            if self.alike:
                return f"{name} and {first} lead to the same decisions."
            return SCORINGS[self.scoring].describe(name, first, {"": self.first_gains[name]}, self.deals)
        # For more evaluators, those that may be the best, with the gain of the first over the best of the
        # others
        ranked = sorted(names, key=lambda name: -self.guides[name].gain.value)
        best = [name for name in ranked if self.guides[name].is_possible_best]
        others = [name for name in ranked if name not in best]
        gain = self._find_gain(ranked[0], ranked[1])
        return f"{describe_leaders(best, others, gain, self.deals)}."

    def _find_gain(self, name: str, other: str) -> Estimate:
        """Return the gain of an evaluator over another."""
        found = self.pair_gains.get((name, other))
        return 0 - self.pair_gains[other, name] if found is None else found

    def card(self) -> Card:
        """The card: gains with their thresholds, and the differences between evaluators."""
        return Card(
            self.title,
            self.finding,
            population=[self._count_sides(), f"seed {self.seed}"],
            about=[self.basis],
            tables=self.list_tables(),
            charts=[Chart("decision", self.plot, 4.4)],
        )

    def list_tables(self) -> list[Table]:
        """Return the tables of the card: gains, differences from the first evaluator, and all pairs."""
        tables = [self._build_gains()]
        if self.first_gains:
            tables.append(self._build_differences())
        if len(self.pair_gains) > 1:
            tables.append(self._build_pairs())
        return tables

    def _build_gains(self) -> Table:
        """Return a row for each evaluator; the last row, perfect foresight, is the end of the axis."""
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
        for name, guide in self.guides.items():
            ends = (str(Threshold(end, guide.threshold.rises)).partition(" ")[0] for end in guide.spread)
            rows.append([
                name, Rate(guide.reached), guide.gain, guide.reached, guide.bid, guide.threshold,
                " to ".join(dict.fromkeys(ends)),
            ])  # fmt: skip
        whole = Estimate.exactly(1, confidence=self.confidence)
        all_of_it = Quantity(1.0, "share", decimals=0)
        rows.append(["perfect foresight", Rate(whole), self.foresight, all_of_it, None, None, None])
        return Table(columns, rows)

    def _build_differences(self) -> Table:
        """Return a row for each evaluator except the first: its gain minus that of the first."""
        first = next(iter(self.guides))
        rows = [
            [name, Difference(gain, self.scale), self._name_gain(name, first, gain)]
            for name, gain in self.first_gains.items()
        ]
        return Table(
            [Column("evaluator", "", "name"), *self._list_gain_columns()],
            rows,
            f"Minus {first}, simultaneous intervals",
        )

    def _build_pairs(self) -> Table:
        """Return the differences of all pairs, the clearest first; in each, the larger gain comes first."""
        rows: list[list[Any]] = []
        for (name, other), gain in sorted(
            self.pair_gains.items(), key=lambda item: -_find_clearance(item[1])
        ):
            if gain.value < 0:
                name, other, gain = other, name, 0 - gain
            cell = self._name_gain(name, other, gain)
            verdict = "ahead" if gain.lo > 0 else TOO_CLOSE if cell is gain else "the same decisions"
            rows.append([f"{name} minus {other}", Difference(gain, self.scale), cell, verdict])
        more = f", {MAX_PAIRS} of {len(rows)}" if len(rows) > MAX_PAIRS else ""
        return Table(
            [Column("pair", "", "name"), *self._list_gain_columns(), Column("verdict", "", "text")],
            rows[:MAX_PAIRS],
            f"All pairs{more} (all intervals together {format_level(self.confidence)})",
        )

    def _name_gain(self, name: str, other: str, gain: Estimate) -> Estimate | Quantity:
        """Return the cell of a difference: a plain 0 without an interval if both always decide alike."""
        return Quantity(0, "count") if {(name, other), (other, name)} & self.alike else gain

    def _list_gain_columns(self) -> list[Column]:
        """Return the columns of a difference: its drawing and its number."""
        return [Column("axis", "who is ahead", "drawing"), self._build_column("gain", f"gain, {self.unit}")]

    def _build_column(self, name: str, head: str) -> Column:
        return Column(name, head, interval="within", sign=True, scale=self.scale, strong=True)

    def _count_sides(self) -> str:
        return f"{format_count(self.sides, 'side')} of {format_count(self.deals, 'deal')}"

    def __repr__(self) -> str:
        return f"<Decision: {self.title}; {len(self.guides)} evaluators, {format_count(self.sides, 'side')}>"

    def curve(self, name: str) -> pd.DataFrame:
        """Return the gain of an evaluator by threshold, on all deals.

        Parameters
        ----------
        name : str
            An evaluator. If it has several predictors, the threshold applies to the predicted value.

        Returns
        -------
        DataFrame
            At most 60 rows: `threshold` (halfway between neighbouring values), `gain` per side over always
            bidding `always`, the ends `lo` and `hi` of its interval at this threshold, and `bid`, the share
            of sides that bid `contract`.

        Raises
        ------
        ArgumentError
            The evaluator is unknown.
        """
        import pandas as pd

        name = check_name("evaluator", name, self.values)
        # Thresholds between neighbouring values, or at quantiles of the sides if there are many
        values = self.values[name]
        levels = np.unique(values)
        middles = (levels[1:] + levels[:-1]) / 2
        if len(middles) > MAX_POINTS:
            shares = np.linspace(0.002, 0.998, MAX_POINTS)
            middles = np.unique(np.quantile(middles[np.searchsorted(levels[1:-1], values)], shares))
        # The gain at each threshold, as if it had been chosen in advance
        rises = self.guides[name].threshold.rises
        baseline = self.gains if self.always == self.contract else 0 * self.gains
        rows = []
        for middle in middles.tolist():
            bid = Threshold(middle, rises).find_bids(values)
            moments = Moments()
            moments.update(np.where(bid, self.gains, 0) - baseline, self.weight, self.deal)
            mean = moments.mean(self.confidence)
            rows.append((middle, mean.value, mean.lo, mean.hi, np.average(bid, weights=self.weight)))
        return pd.DataFrame(rows, columns=["threshold", "gain", "lo", "hi", "bid"])

    def plot(
        self,
        ax: Any = None,
        names: Sequence[str] | None = None,
        *,
        figsize: tuple[float, float] | None = None,
        title: str | None = None,
    ) -> Any:
        """Plot the gain of evaluators by threshold, with a ribbon for the interval at each threshold.

        For several evaluators, whose units differ, the axis is the share of sides that bid `contract`. A
        marker shows the threshold that gains most, and a dashed line the gain with perfect foresight.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Axes of the plot; by default of a new figure.
        names : list of str, optional
            At most four evaluators; by default the first three.
        figsize : (float, float), optional
            Width and height of a new figure in inches.
        title : str, optional
            Title instead of the default one.

        Returns
        -------
        matplotlib Axes

        Raises
        ------
        ArgumentError
            There are more than four evaluators, or one is unknown.
        """
        if isinstance(names, str):
            names = [names]
        chosen = list(self.guides)[:SHOWN] if names is None else list(names)
        if not 0 < len(chosen) <= N_SERIES:
            raise ArgumentError(f"{len(chosen)} evaluators; a plot takes 1 to {N_SERIES}, in names=")
        # Curves by threshold, or by the share that bids if units differ
        curves = [self.curve(name) for name in chosen]
        by_share = len(chosen) > 1
        state = "vulnerable" if self.vulnerable else "not vulnerable"
        with open_frame(Place.of(ax, figsize, title), height=4.4) as frame:
            frame.write(
                f"{self.contract} or {self.other}, {state}",
                f"Gain over always bidding {self.always}, {self.unit} per side, by "
                + (f"the share that bids {self.contract}" if by_share else "threshold"),
                f"{self._count_sides()}, double dummy. Ribbons: "
                f"{format_level(self.confidence)} intervals at each threshold. Markers: the threshold that "
                "gains most.",
            )
            (panel,) = frame.add_panels(lines=True)
            # A curve with its ribbon for each, and its best threshold
            labels = []
            for name, curve, (colour, marker) in zip(chosen, curves, list_series(), strict=False):
                x = 100 * curve.bid.to_numpy() if by_share else curve.threshold.to_numpy()
                best = _draw_curve(panel, self, curve, x, colour, marker)
                text = str(Threshold(curve.threshold[best], self.guides[name].threshold.rises))
                labels.append(f"{name}, {text}")
            # The line of perfect foresight; losses at useless thresholds must not determine the scale
            perfect = self.scale * self.foresight.value
            lowest = min(float(self.scale * curve.gain.min()) for curve in curves)
            panel.set_ylim(max(lowest, -0.8 * perfect) - 0.05 * perfect, 1.15 * perfect)
            panel.axhline(0, color=get_color("rule"), linewidth=0.8, zorder=1)
            panel.axhline(perfect, color=get_color("rule"), linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)
            panel.annotate(
                "perfect foresight", (panel.get_xlim()[1], perfect), (-2, 3), textcoords="offset points",
                ha="right", va="bottom", color=get_color("quiet"),
            )  # fmt: skip
            label_series(panel, labels)
            _label_axes(frame, panel, f"sides that bid {self.contract}, %" if by_share else chosen[0])
            return frame.ax


def _tabulate_gains(gains: Mapping[Any, Estimate], names: str | list[str]) -> pd.DataFrame:
    """Return gains with their intervals as a frame whose index has `names`."""
    rows = {key: (gain.value, gain.lo, gain.hi) for key, gain in gains.items()}
    return tabulate(rows, names, ["gain", "lo", "hi"]).astype(float)


def _find_clearance(gain: Estimate) -> float:
    """Return how far the interval of a difference is from 0; negative if it contains 0."""
    return abs(gain.value) - (gain.hi - gain.lo) / 2


def _draw_curve(panel: Any, decision: Decision, curve: Any, x: np.ndarray, colour: str, marker: str) -> int:
    """Draw a curve with its ribbon; return the index of the threshold that gains most."""
    gain, lo, hi = (decision.scale * curve[column].to_numpy() for column in ("gain", "lo", "hi"))
    panel.fill_between(x, lo, hi, color=colour, alpha=0.18, linewidth=0)
    panel.plot(x, gain, color=colour, linewidth=1.6)
    best = int(gain.argmax())
    face = colour if marker == "o" else get_color("ground")
    panel.plot(x[best], gain[best], marker, color=colour, markersize=6, markerfacecolor=face, zorder=4)
    return best


def _label_axes(frame: Frame, panel: Any, name: str) -> None:
    """Name the horizontal axis; write gains with their signs."""
    panel.set_xlabel(name)
    panel.spines["bottom"].set_visible(False)
    frame.number(panel.xaxis)
    frame.number(panel.yaxis, sign=True)
