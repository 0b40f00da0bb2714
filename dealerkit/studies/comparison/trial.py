"""The result of a comparison of evaluators: frames, card, plots."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from dealerkit.appearance.card import Card
from dealerkit.appearance.content import Chart, Note, Place, format_note, join_sentences, list_parts
from dealerkit.appearance.drawings import Difference, Rate
from dealerkit.appearance.numbers import format_count, format_level
from dealerkit.appearance.table import Column, Interval, Quantity, Table
from dealerkit.appearance.wording import shorten
from dealerkit.errors import ArgumentError, DealerkitWarning
from dealerkit.scoring import describe_leader, describe_leaders
from dealerkit.studies.comparison.plot import plot_trial
from dealerkit.studies.comparison.predictions import Predictions
from dealerkit.studies.comparison.tables import TrialTables
from dealerkit.studies.provenance import RepeatableResult
from dealerkit.studies.sides import DECLARER_TEXTS

if TYPE_CHECKING:
    import pandas as pd

MAX_NAMES = 8  # evaluators up to which all pairs are shown


class TrialWarning(DealerkitWarning):
    """A comparison whose selection biases some of the compared evaluators."""


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Trial(TrialTables, RepeatableResult):
    """Statistics of compared evaluators, as `compare` returns them.

    Attributes
    ----------
    frame : DataFrame
        A row for each evaluator: `R`, the correlation of prediction and target, `R2`, its square, with the
        interval `lo` to `hi`; `sd`, the standard deviation of the residuals, with its interval `sd_lo` to
        `sd_hi`; `cv_R2` and `cv_sd`, the same for predictions of deals that were left out of the fit
        (cross-validation). If every evaluator has one predictor, also `slope`, target per unit, and `bias`,
        mean of the evaluator minus mean of the target. If the selection uses a compared evaluator, also
        `R_all`, `R2_all` and `sd_all`, without the selection.
    differences : DataFrame
        A row for each evaluator except the first, minus the first: `R2`, `lo`, `hi`, and `sd`, `sd_lo`,
        `sd_hi`. The intervals of R2 are those of `pairs`; those of sd are also simultaneous for all pairs.
    pairs : DataFrame
        A row for each pair of evaluators: `first`, `second`, `difference` of R2, first minus second, with
        simultaneous `lo` and `hi`: all intervals together contain the true values with the given confidence.
    best : DataFrame
        A row for each evaluator: `difference` of R2 minus the best of the others, with `lo` and `hi`, which
        are valid whichever evaluator that is, and whether it is `possible` that it is the best: `hi` is not
        below 0.
    coefficients : DataFrame
        A row for the constant and each predictor of each evaluator: `coefficient`, `se`, `lo` and `hi`,
        clustered by deal; these intervals are separate, not simultaneous.
    fits : dict of str to MeasureFit
        The numbers of `frame` and `coefficients`: R2, sd and coefficients are `Estimate` objects with their
        standard errors.
    square_gains, sd_gains : dict of str to Estimate
        The numbers of `differences`.
    pair_gains, sd_pair_gains : dict of (str, str) to Estimate
        The numbers of `pairs`, and the same for sd.
    deals, sides : int
        Number of deals (or clusters), and of rows: one or both sides of each.
    strain, declarer, target : str
    where : str or None
    confidence : float
    folds : int
        Folds of the deals for cross-validation.
    replicates, seed : int
        Number and seed of the resamples for the intervals of the decision; the seed is also that of the
        folds.
    weighted : bool
        Whether the deals have weights.
    unselected : Trial or None
        The same without `where`, if `where` uses a compared evaluator.
    classes : dict of str to Trial
        A trial for each class of ``by=``.
    predictions : Predictions or None
        Calibration, spread of the residuals, and the events of ``events=``.
    decision : Decision or None
        What the evaluators gain as guides to the decision of ``decision=``.
    provenance : Provenance or None
        The call that repeats the study, with the versions.

    Examples
    --------
    >>> import dealerkit as dk
    >>> trial = dk.compare(["hcp", "controls"], sample=dk.solved_sample()[:10_000], strain="notrump")
    >>> trial
    <Trial of hcp, controls: 20,000 sides of 10,000 deals, Tricks in notrump>
    """

    @property
    def _basis(self) -> str:
        """The number of sides and deals, and how the intervals are estimated, in one sentence."""
        weighted = ", weighted" if self.weighted else ""
        return (
            f"{self._count_sides()}{weighted}, {DECLARER_TEXTS[self.declarer]}; "
            f"{format_level(self.confidence)} intervals clustered by deal; cv: deals predicted from "
            f"others, {self.folds} folds, seed {self.seed}."
        )

    def _count_sides(self) -> str:
        return f"{format_count(self.sides, 'side')} of {format_count(self.deals, 'deal')}"

    @property
    def class_frame(self) -> pd.DataFrame:
        """`frame` for all classes, with the columns `sides` and `deals`; the index is class and evaluator.

        Raises
        ------
        ArgumentError
            The trial has no classes.
        """
        import pandas as pd

        if not self.classes:
            raise ArgumentError("the trial has no classes; give by=, as in compare(..., by='fit')")
        parts = {
            name: trial.frame.assign(sides=trial.sides, deals=trial.deals)
            for name, trial in self.classes.items()
        }
        return pd.concat(parts, names=["class"])

    @property
    def events(self) -> pd.DataFrame:
        """AUC and Brier score of each event and evaluator, with intervals: see `Predictions.frame`."""
        return self._known_predictions.frame

    @property
    def residuals(self) -> pd.DataFrame:
        """Spread of the target around its prediction, by prediction: see `Predictions.residuals`."""
        return self._known_predictions.residuals

    def calibration(
        self, name: str | None = None, event: str | None = None, kind: str = "line"
    ) -> pd.DataFrame:
        """Tabulate what was predicted and what was observed for an evaluator: see `Predictions.calibrate`.

        Parameters
        ----------
        name, event, kind
            As for `Predictions.calibrate`.

        Returns
        -------
        DataFrame
        """
        return self._known_predictions.calibrate(name, event, kind)

    @property
    def _known_predictions(self) -> Predictions:
        if self.predictions is None:
            raise ArgumentError("the trial has no predictions; dk.compare makes trials that have them")
        return self.predictions

    def to_frame(self) -> pd.DataFrame:
        """Return one table with a row for each evaluator.

        Its columns are `evaluator`; those of `frame`; `R2_minus`, R2 minus that of the first, with
        `R2_minus_lo` and `R2_minus_hi`, missing in the first row; for each event `game_AUC` and `game_brier`
        with the ends of their intervals; and `gain` as a guide to the decision, `gain_lo`, `gain_hi`,
        `threshold` and `bid`. All pairs are in `pairs`, classes in `class_frame`.
        """
        less = self.differences[["R2", "lo", "hi"]].set_axis(
            ["R2_minus", "R2_minus_lo", "R2_minus_hi"], axis=1
        )
        table = self.frame.join(less)
        if self.predictions is not None:
            for event in self.predictions.events:
                columns = ["AUC", "AUC_lo", "AUC_hi", "brier", "brier_lo", "brier_hi"]
                table = table.join(self.predictions.frame.loc[event][columns].add_prefix(f"{event}_"))
        if self.decision is not None:
            gains = self.decision.frame[["gain", "lo", "hi", "threshold", "bid"]]
            table = table.join(gains.rename(columns={"lo": "gain_lo", "hi": "gain_hi"}))
        return table.reset_index()

    def card(self) -> Card:
        """The card: values, differences, classes, events and the decision, with the verdict."""
        tables = [self._build_values()]
        if len(self.differences):
            tables.append(self._build_differences())
        if 2 < len(self.frame) <= MAX_NAMES:
            tables.append(self._build_pairs())
        if not self.has_single_predictors:
            tables.append(self._build_coefficients())
        if self.classes:
            tables.append(self._build_classes())
        if self.predictions is not None:
            tables += self.predictions.list_tables()
        notes = []
        if self.decision is not None:
            title = self.decision.title
            for table in self.decision.list_tables():
                part = f": {table.heading[0].lower()}{table.heading[1:]}" if table.heading else ""
                tables.append(replace(table, heading=f"{title}{part}"))
            notes = [f"{title}: {self.decision.basis}"]
        return Card(
            self._title,
            self.finding,
            population=[self._count_sides(), f"seed {self.seed}"],
            about=[self._basis],
            tables=tables,
            charts=[Chart(show, partial(plot_trial, self, show=show)) for show in self._list_plots()],
            notes=notes,
            provenance=self._list_facts(),
        )

    def _build_values(self) -> Table:
        """Return a row for each evaluator: R2 on an axis from 0 to 1, and the other statistics."""
        columns = [
            Column("evaluator", "", "name"),
            Column("axis", "R², 0 to 1", "drawing"),
            Column("R2", "R²", interval="below", strong=True),
            Column("cv_R2", "cv R²", decimals=3, optional=1),
            Column("sd", decimals=3),
            Column("cv_sd", "cv sd", decimals=3, optional=1),
            Column("R", decimals=3, optional=2),
        ]
        if self.has_single_predictors:
            columns.append(Column("slope", decimals=4, optional=2))
        if self.unselected is not None:
            columns += [
                Column("R2_all", "R² of all", decimals=3, optional=1),
                Column("sd_all", "sd of all", decimals=3, optional=2),
            ]
        rows: list[list[Any]] = []
        for name, row in self.frame.iterrows():
            square = self.fits[str(name)].square
            others = [float(row[column.name]) for column in columns[3:]]
            rows.append([str(name), Rate(square), square, *others])
        return Table(columns, rows)

    def _build_differences(self) -> Table:
        """Return a row for each evaluator except the first: R2 and sd minus those of the first."""
        columns = [
            Column("evaluator", "", "name"),
            *_list_difference_columns(),
            Column("sd", interval="within", sign=True, optional=1),
        ]
        rows: list[list[Any]] = []
        for name, gain in self.square_gains.items():
            rows.append([name, Difference(gain), gain, self.sd_gains[name]])
        if self.unselected is not None:
            columns.append(Column("R2_all", "R² of all", interval="within", sign=True, optional=2))
            for cells, gain in zip(rows, self.unselected.square_gains.values(), strict=True):
                cells.append(gain)
        return Table(columns, rows, f"Minus {self.first}, simultaneous intervals")

    def _build_pairs(self) -> Table:
        """Return a row for each pair that does not contain the first evaluator."""
        rows: list[list[Any]] = [
            [f"{name} minus {other}", Difference(gain), gain]
            for (name, other), gain in self.pair_gains.items()
            if name != self.first
        ]
        columns = [Column("pair", "", "name"), *_list_difference_columns()]
        return Table(columns, rows, "Other pairs, simultaneous intervals for all pairs")

    def _build_coefficients(self) -> Table:
        """Return the coefficients of the evaluators with several predictors."""
        columns = [
            Column("evaluator", "", "name"),
            Column("predictor", kind="text"),
            Column("coefficient", interval="within", by_row=True, strong=True),
        ]
        rows = [
            [name, predictor, found]
            for name, fit in self.fits.items()
            if len(fit.coefficients) > 2
            for predictor, found in fit.coefficients.items()
        ]
        return Table(columns, rows, "Coefficients")

    def _build_classes(self) -> Table:
        """Return a row for each class and evaluator."""
        columns = [
            Column("class", "", "name"),
            Column("deals", kind="count", optional=2),
            Column("evaluator", "", "name"),
            Column("R2", "R²", interval="within", strong=True),
            Column("cv_R2", "cv R²", decimals=3, optional=1),
            Column("sd", decimals=3, optional=1),
        ]
        rows = [
            [label, trial.deals, name, fit.square, fit.cv_square, fit.sd.value]
            for label, trial in self.classes.items()
            for name, fit in trial.fits.items()
        ]
        return Table(columns, rows, "Classes")

    @property
    def verdict(self) -> str:
        """Which evaluators may be the best by R2 and as guides to the decision; "" if there is only one."""
        return format_note(self.finding)

    @property
    def finding(self) -> Note:
        """The verdict with its numbers as objects, for a card."""
        names = list(self.fits)
        if len(names) == 1:
            return ""
        # For two evaluators their difference, for more those that may be the best
        verdict: Note
        if len(names) == 2:
            first, name = names
            gain = self.square_gains[name]
            leader = describe_leader(name, first, gain, self.deals)
            verdict = (f"{name} against {first}: R² ", Quantity(gain, sign=True), f", {leader}.")
        else:
            others = [name for name in names if name not in self.possible_best]
            row = self.best.loc[self.possible_best[0]]
            ahead = Interval(row.difference, row.lo, row.hi)
            verdict = f"By R², {describe_leaders(self.possible_best, others, ahead, self.deals)}."
        if self.decision is None:
            return verdict
        contracts = f"{self.decision.contract} or {self.decision.other}"
        return join_sentences([verdict, (f"As guides to {contracts}, ", *list_parts(self.decision.finding))])

    def _list_plots(self) -> list[str]:
        """Return the plots of what was computed, the default one first."""
        has = {
            "values": True, "pairs": len(self.frame) > 1, "best": len(self.frame) > 1,
            "classes": bool(self.classes), "gains": self.decision is not None,
            "decision": self.decision is not None,
        }  # fmt: skip
        return [show for show, is_known in has.items() if is_known]

    def __repr__(self) -> str:
        names = shorten(", ".join(map(str, self.frame.index)), 80)
        return (
            f"<Trial of {names}: {format_count(self.sides, 'side')} of "
            f"{format_count(self.deals, 'deal')}, {shorten(self.title, 60)}>"
        )

    def plot(
        self,
        ax: Any = None,
        show: str = "values",
        *,
        figsize: tuple[float, float] | None = None,
        title: str | None = None,
        **options: Any,
    ) -> Any:
        """Plot the comparison.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Axes of the plot; by default of a new figure.
        show : str
            - ``values``: R2 of each evaluator with its interval, and its difference from the first
            - ``pairs``: a matrix of the differences of all pairs, grey where they are too close to call
            - ``best``: how far each is ahead of the best of the others, and which may be the best
            - ``classes``: R2 of at most four evaluators, `names`, in each class of ``by=``
            - ``calibration``, ``residuals``: what was observed against what was predicted, and the spread of
              the residuals, as `Predictions.plot` draws them
            - ``gains``: what each gains as a guide to the decision of ``decision=``, as ``values``
            - ``decision``: this gain by threshold, as `Decision.plot` draws it
        figsize : (float, float), optional
            Width and height of a new figure in inches.
        title : str, optional
            Title instead of the default one.
        **options
            Options of `Predictions.plot` and `Decision.plot`: `names`, `event`, `kind`.

        Returns
        -------
        matplotlib Axes

        Raises
        ------
        ArgumentError
            `show` is unknown, or is about something that was not computed, such as a decision without
            ``decision=``.
        """
        return plot_trial(self, Place(ax, figsize, title), show, **options)


def _list_difference_columns() -> list[Column]:
    """Return the columns of a difference of R2: its drawing and its number."""
    return [
        Column("axis", "who is ahead", "drawing"),
        Column("R2", "R²", interval="within", sign=True, strong=True),
    ]
