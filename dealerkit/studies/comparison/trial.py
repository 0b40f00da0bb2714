"""The result of a comparison of evaluators: frames, text, HTML, plot."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from dealerkit.appearance.latex import Section
from dealerkit.appearance.wording import shorten
from dealerkit.errors import ArgumentError, DealerkitWarning
from dealerkit.studies.results import StudyResult, format_sections, list_texts
from dealerkit.studies.sides import DECLARER_TEXTS, STRAIN_TEXTS

if TYPE_CHECKING:
    import pandas as pd

    from dealerkit.studies.comparison.decision_result import Decision
    from dealerkit.studies.comparison.predictions import Predictions

MAX_NAMES = 8  # evaluators whose pairs are shown as text


class TrialWarning(DealerkitWarning):
    """A comparison whose selection biases some of the compared evaluators."""


@dataclass(frozen=True, eq=False, repr=False)
class Trial(StudyResult):
    """Statistics of compared evaluators, as `compare` returns them.

    Parameters
    ----------
    frame : DataFrame
        A row for each evaluator: `R` correlation of prediction and target, `R2` its square, `lo` and
        `hi` the interval of R2, `sd` the standard deviation of the residuals of the prediction with its
        interval `sd_lo` and `sd_hi`; `cv_R2` and `cv_sd` the same for predictions of deals that were left
        out of the fit (cross-validation). If all have one predictor, also `slope`, target per unit, and
        `bias`, mean of the evaluator minus the mean of the target. `R_all`, `R2_all` and `sd_all`
        without the selection, if it uses a compared evaluator.
    differences : DataFrame
        A row for each evaluator but the first, minus the first: `R2`, `lo`, `hi`, and `sd`, `sd_lo`,
        `sd_hi`. The intervals of R2 are simultaneous: all contain their true values with the
        confidence; so are those of sd.
    pairs : DataFrame
        A row for each pair of evaluators: `first`, `second`, `difference` of R2, the first less the
        second, with simultaneous `lo` and `hi` for all pairs.
    best : DataFrame
        A row for each evaluator: `difference` of R2 less the best of the others, with `lo` and `hi`, and
        whether it is `possible` that it is the best: no other is better by the intervals of all pairs.
    coefficients : DataFrame
        A row for each predictor of each evaluator, and the constant: `coefficient`, `se`, `lo` and `hi`,
        clustered by deal; separate intervals, not simultaneous ones.
    deals, sides : int
        Number of deals (or clusters), and of rows: one or both sides of each.
    strain, declarer, target : str
    where : str or None
    confidence : float
    folds : int
        Parts of the deals for cross-validation.
    replicates, seed : int
        Of the samples with replacement for the intervals of the decision; the seed also of the folds.
    weighted : bool
        Whether the deals have weights.
    unselected : Trial or None
        The same without `where`, if `where` uses a compared evaluator.
    classes : dict of str to Trial
        A trial of each class of ``by=``.
    predictions : Predictions or None
        Calibration, residual spread and the events of ``events=``.
    decision : Decision or None
        What the evaluators gain as guides to the decision of ``decision=``.

    Examples
    --------
    >>> import dealerkit as dk
    >>> trial = dk.compare(["hcp", "controls"], sample=dk.solved_sample()[:10_000], strain="notrump")
    >>> trial
    <Trial of hcp, controls: 20,000 sides of 10,000 deals, Tricks in notrump>
    """

    frame: pd.DataFrame
    differences: pd.DataFrame
    pairs: pd.DataFrame
    best: pd.DataFrame
    coefficients: pd.DataFrame
    deals: int
    sides: int
    strain: str
    declarer: str
    target: str
    where: str | None
    confidence: float
    folds: int
    replicates: int
    seed: int
    weighted: bool = False
    unselected: Trial | None = None
    classes: Mapping[str, Trial] = field(default_factory=dict)
    predictions: Predictions | None = None
    decision: Decision | None = None

    @property
    def title(self) -> str:
        """The target, the strain and the selection, in one line."""
        where = f", where {self.where}" if self.where else ""
        target = "Tricks" if self.target == "tricks" else f"{self.target},"
        return f"{target} in {STRAIN_TEXTS.get(self.strain, self.strain)}{where}"

    @property
    def possible_best(self) -> list[str]:
        """Names of the evaluators that may be the best, the largest R2 first."""
        return [str(name) for name in self.frame.R2[self.best.possible].sort_values(ascending=False).index]

    @property
    def _basis(self) -> str:
        """Number of sides and deals, and how the intervals are estimated, in one line."""
        weighted = ", weighted" if self.weighted else ""
        return (
            f"{self.sides:,} sides of {self.deals:,} deals{weighted}, {DECLARER_TEXTS[self.declarer]}; "
            f"{100 * self.confidence:g} % intervals clustered by deal; cv: deals predicted from "
            f"others, {self.folds} folds, seed {self.seed}"
        )

    def _rows(self) -> list[list[str]]:
        """Return the rows of the table of evaluators, the head first."""
        rows = [["", "R", "R2", "interval of R2", "cv R2", "sd", "cv sd"]]
        slopes = "slope" in self.frame
        rows[0] += ["slope"] * slopes
        for name, row in self.frame.iterrows():
            cells = [f"{row.R:.3f}", *list_texts(row.R2, row.lo, row.hi), f"{row.cv_R2:.3f}"]
            rows.append([str(name), *cells, f"{row.sd:.3f}", f"{row.cv_sd:.3f}"])
            if slopes:
                rows[-1].append(f"{row.slope:.4f}")
        if self.unselected is not None:
            rows[0] += ["R2 of all", "sd of all"]
            for cells, row in zip(rows[1:], self.frame.itertuples(), strict=True):
                cells += [f"{row.R2_all:.3f}", f"{row.sd_all:.3f}"]
        return rows

    def _difference_rows(self) -> list[list[str]]:
        """Return the rows of the table of differences, the head first."""
        rows = [["", "R2", "interval", "sd", "interval"]]
        for name, row in self.differences.iterrows():
            cells = list_texts(row.R2, row.lo, row.hi, sign=True)
            rows.append([str(name), *cells, *list_texts(row.sd, row.sd_lo, row.sd_hi, sign=True)])
        if self.unselected is not None:
            rows[0] += ["R2 of all", "interval"]
            for cells, row in zip(rows[1:], self.unselected.differences.itertuples(), strict=True):
                cells += list_texts(row.R2, row.lo, row.hi, sign=True)
        return rows

    def _pair_rows(self) -> list[list[str]]:
        """Return the rows of the pairs that do not have the first evaluator, the head first."""
        rows = [["", "less", "R2", "interval"]]
        for row in self.pairs[self.pairs["first"] != self.frame.index[0]].itertuples():
            cells = list_texts(row.difference, row.lo, row.hi, sign=True)
            rows.append([str(row.first), str(row.second), *cells])
        return rows

    def _coefficient_rows(self) -> list[list[str]]:
        """Return the rows of the coefficients of the evaluators with several predictors, the head first."""
        rows = [["", "predictor", "coefficient", "interval"]]
        for (name, predictor), row in self.coefficients.iterrows():
            if len(self.coefficients.loc[name]) > 2:
                cells = list_texts(row.coefficient, row.lo, row.hi)
                rows.append([str(name), str(predictor), *cells])
        return rows

    def _class_rows(self) -> list[list[str]]:
        """Return the rows of the table of classes, the head first."""
        rows = [["", "deals", "", "R2", "interval of R2", "cv R2", "sd"]]
        for label, trial in self.classes.items():
            start = [label, f"{trial.deals:,}"]
            for name, row in trial.frame.iterrows():
                cells = list_texts(row.R2, row.lo, row.hi)
                rows.append([*start, str(name), *cells, f"{row.cv_R2:.3f}", f"{row.sd:.3f}"])
                start = ["", ""]
        return rows

    @property
    def class_frame(self) -> pd.DataFrame:
        """`frame` of all classes, with the columns `sides` and `deals`; the index has class and evaluator.

        Raises
        ------
        ArgumentError
            A trial without classes.
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
        """AUC and Brier score of each event and evaluator with intervals: see `Predictions.frame`."""
        return self._known_predictions.frame

    @property
    def residuals(self) -> pd.DataFrame:
        """Spread of the target around its prediction, by the prediction: see `Predictions.residuals`."""
        return self._known_predictions.residuals

    def calibration(
        self, name: str | None = None, event: str | None = None, kind: str = "line"
    ) -> pd.DataFrame:
        """Return what was predicted and what was observed for an evaluator: see `Predictions.calibrate`.

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

        Its columns are `evaluator`; those of `frame`; `R2_less`, R2 less that of the first, with
        `R2_less_lo` and `R2_less_hi`, missing in the first row; for each event `game_AUC` and `game_brier`
        with the ends of their intervals; `gain` as a guide to the decision, `gain_lo`, `gain_hi`, `threshold`
        and `bid`. All pairs are in `pairs`, classes in `class_frame`.
        """
        less = self.differences[["R2", "lo", "hi"]].set_axis(["R2_less", "R2_less_lo", "R2_less_hi"], axis=1)
        table = self.frame.join(less)
        if self.predictions is not None:
            for event in self.predictions.events:
                columns = ["AUC", "AUC_lo", "AUC_hi", "brier", "brier_lo", "brier_hi"]
                table = table.join(self.predictions.frame.loc[event][columns].add_prefix(f"{event}_"))
        if self.decision is not None:
            gains = self.decision.frame[["gain", "lo", "hi", "threshold", "bid"]]
            table = table.join(gains.rename(columns={"lo": "gain_lo", "hi": "gain_hi"}))
        return table.reset_index()

    def _sections(self) -> Iterator[Section]:
        yield "", self._rows()
        if len(self.differences):
            yield f"Less {self.frame.index[0]}, simultaneous intervals", self._difference_rows()
        if 2 < len(self.frame) <= MAX_NAMES:
            yield "Other pairs, simultaneous intervals for all pairs", self._pair_rows()
        yield from self._list_more()
        if self.decision is not None:
            for heading, rows in self.decision._sections():
                part = f": {heading[0].lower()}{heading[1:]}" if heading else ""
                yield f"{self.decision.title}{part}", rows

    def _list_more(self) -> Iterator[Section]:
        """Yield the tables of coefficients, classes and events."""
        if "slope" not in self.frame:
            yield "Coefficients", self._coefficient_rows()
        if self.classes:
            yield "Classes", self._class_rows()
        if self.predictions is not None:
            yield from self.predictions.sections()

    def _render(self) -> str:
        from dealerkit.studies.comparison.html import render_trial

        return render_trial(self)

    @property
    def _verdict(self) -> str:
        """Which evaluators may be the best, in one line; "" if there is one."""
        names = self.possible_best
        if len(self.frame) == 1:
            return ""
        which = f"is {names[0]}" if len(names) == 1 else f"may be any of {', '.join(names)}"
        return f"The best of {len(self.frame)} {which}, by the intervals of all pairs."

    def _notes(self) -> Iterator[str]:
        yield f"{self._basis}."
        yield from self._findings()

    def _findings(self) -> Iterator[str]:
        """Yield sentences about what the tables show."""
        if self._verdict:
            yield self._verdict
        if self.decision is not None:
            yield from (f"{self.decision.title}: {note}" for note in self.decision._notes())

    @property
    def text(self) -> str:
        """The statistics and differences as text."""
        findings = "".join(f"{line}\n" for line in self._findings())
        tables = format_sections(self._sections())
        return "".join([f"{self.title}\n{self._basis}\n", tables, "\n" if findings else "", findings])

    def __repr__(self) -> str:
        names = shorten(", ".join(map(str, self.frame.index)), 80)
        return f"<Trial of {names}: {self.sides:,} sides of {self.deals:,} deals, {shorten(self.title, 60)}>"

    def plot(self, ax: Any = None, show: str = "values", **options: Any) -> Any:
        """Plot the comparison.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Axes of the plot; by default of a new figure.
        show : str
            - ``values``: R2 of each evaluator with its interval, and its difference from the first
            - ``pairs``: a matrix of the differences of all pairs, grey where they are too close to call
            - ``best``: how far each is behind the best of the sample, and which may be the best
            - ``classes``: R2 of at most four evaluators, `names`, in each class of ``by=``
            - ``calibration``, ``residuals``: what was observed against what was predicted, and the spread of
              the residuals, as `Predictions.plot` draws them
            - ``gains``: what each gains as a guide to the decision of ``decision=``, as ``values``
            - ``decision``: this gain by threshold, as `Decision.plot` draws it
        **options
            Of `Predictions.plot` and `Decision.plot`: `names`, `event`, `kind`.

        Returns
        -------
        matplotlib Axes

        Raises
        ------
        ArgumentError
            An unknown `show`, or one of what was not computed: a decision without ``decision=``.
        """
        from dealerkit.plots.trial import plot_trial

        return plot_trial(self, ax, show, **options)
