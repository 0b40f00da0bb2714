"""The result of a comparison of evaluators: frames, text, HTML, plot."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any

from dealerkit.actions.html import render_rows
from dealerkit.actions.text_modern import format_table
from dealerkit.errors import DealerkitWarning
from dealerkit.studies.latex import Section
from dealerkit.studies.results import StudyResult, show_minus
from dealerkit.wording import shorten

if TYPE_CHECKING:
    import pandas as pd

_STRAIN_TEXTS = {
    "best major": "the longer major",
    "longest fit": "the longest suit",
    "best suit": "the best suit",
}


class TrialWarning(DealerkitWarning):
    """A comparison whose selection biases some of the compared evaluators."""


@dataclass(frozen=True, eq=False, repr=False)
class Trial(StudyResult):
    """Statistics of compared evaluators, as `compare` returns them.

    Parameters
    ----------
    frame : DataFrame
        A row for each evaluator: `R` correlation with tricks, `R2` its square, `lo` and `hi` the
        interval of R2, `sd` the standard deviation in tricks of the residuals of a straight
        line, `slope` tricks per unit, `bias` mean of the evaluator minus the mean of tricks. `R_all`,
        `R2_all` and `sd_all` without the selection, if it uses a compared evaluator.
    differences : DataFrame
        A row for each evaluator but the first, minus the first: `R2`, `lo`, `hi`, and `sd`, `sd_lo`, `sd_hi`.
    deals, sides : int
        Number of deals, and of rows: one or both sides of each.
    strain, declarer : str
    where : str or None
    confidence : float
    replicates, seed : int
        Of the samples with replacement for the intervals.
    unselected : Trial or None
        The same without `where`, if `where` uses a compared evaluator.
    """

    frame: pd.DataFrame
    differences: pd.DataFrame
    deals: int
    sides: int
    strain: str
    declarer: str
    where: str | None
    confidence: float
    replicates: int
    seed: int
    unselected: Trial | None = field(default=None)

    @property
    def title(self) -> str:
        """The strain and the selection, in one line."""
        where = f", where {self.where}" if self.where else ""
        return f"Tricks in {_STRAIN_TEXTS.get(self.strain, self.strain)}{where}"

    @property
    def _basis(self) -> str:
        """Number of sides and deals, and how the intervals are estimated, in one line."""
        tricks = "the better declarer" if self.declarer == "better" else "mean of both declarers"
        return (
            f"{self.sides:,} sides of {self.deals:,} deals, {tricks}; {100 * self.confidence:g} % intervals "
            f"from {self.replicates:,} samples of deals, seed {self.seed}"
        )

    def _rows(self) -> list[list[str]]:
        """Return the rows of the table of evaluators, the head first."""
        rows = [["", "R", "R2", "interval of R2", "sd", "slope"]]
        for name, row in self.frame.iterrows():
            cells = [f"{row.R:.3f}", f"{row.R2:.3f}", f"{row.lo:.3f} to {row.hi:.3f}"]
            rows.append([str(name), *cells, f"{row.sd:.3f}", f"{row.slope:.4f}"])
        if self.unselected is not None:
            rows[0] += ["R2 of all", "sd of all"]
            for cells, row in zip(rows[1:], self.frame.itertuples(), strict=True):
                cells += [f"{row.R2_all:.3f}", f"{row.sd_all:.3f}"]
        return rows

    def _difference_rows(self) -> list[list[str]]:
        """Return the rows of the table of differences, the head first."""
        rows = [["", "R2", "interval", "sd", "interval"]]
        for name, row in self.differences.iterrows():
            cells = [f"{row.R2:+.4f}", f"{row.lo:+.4f} to {row.hi:+.4f}"]
            rows.append([str(name), *cells, f"{row.sd:+.4f}", f"{row.sd_lo:+.4f} to {row.sd_hi:+.4f}"])
        if self.unselected is not None:
            rows[0] += ["R2 of all", "interval"]
            for cells, row in zip(rows[1:], self.unselected.differences.itertuples(), strict=True):
                cells += [f"{row.R2:+.4f}", f"{row.lo:+.4f} to {row.hi:+.4f}"]
        return rows

    def to_frame(self) -> pd.DataFrame:
        """Return a row for each evaluator: `frame`, and R2 less that of the first with its interval.

        These columns are `R2_less`, `R2_less_lo` and `R2_less_hi`, missing in the first row.
        """
        less = self.differences[["R2", "lo", "hi"]]
        less.columns = ["R2_less", "R2_less_lo", "R2_less_hi"]
        return self.frame.join(less).reset_index()

    def _sections(self) -> Iterator[Section]:
        yield "", self._rows()
        if len(self.differences):
            yield f"Less {self.frame.index[0]}", self._difference_rows()

    def _notes(self) -> list[str]:
        return [f"{self._basis}."]

    @property
    def text(self) -> str:
        """The statistics and differences as text."""
        parts = [f"{self.title}\n{self._basis}\n"]
        for heading, rows in self._sections():
            parts += ["\n", f"{heading}\n" if heading else "", format_table(rows)]
        return "".join(parts)

    def __repr__(self) -> str:
        names = shorten(", ".join(map(str, self.frame.index)), 80)
        return f"<Trial of {names}: {self.sides:,} sides of {self.deals:,} deals, {shorten(self.title, 60)}>"

    def _render(self) -> str:
        parts = []
        for heading, rows in self._sections():
            shown = [[show_minus(cell) for cell in row] for row in rows]
            parts.append(f"<h4>{escape(heading or self.title)}</h4>{render_rows(shown)}")
        return f"{''.join(parts)}<p>{escape(self._basis)}</p>"

    def plot(self, ax: Any = None) -> Any:
        """Plot R2 of each evaluator with its interval, and its difference from the first.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Axes of the plot; by default of a new figure.

        Returns
        -------
        matplotlib Axes
        """
        from dealerkit.plots.trial import plot_trial

        return plot_trial(self, ax)
