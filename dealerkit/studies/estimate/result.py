"""The result of `dk.estimate`: the value with its interval, what it cost, text, HTML, frame, plot."""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.appearance.drawings import draw_rate
from dealerkit.appearance.html import render_facts
from dealerkit.appearance.latex import Section
from dealerkit.appearance.numbers import format_estimate, format_share, format_significant
from dealerkit.appearance.wording import shorten
from dealerkit.statistics import Estimate
from dealerkit.studies.html import render_notes
from dealerkit.studies.provenance import Cost, Provenance
from dealerkit.studies.results import StudyResult

if TYPE_CHECKING:
    import pandas as pd

_METHOD_TEXTS = {
    "exact": "Counted exactly",
    "model": "Predicted for all deals by the trick model, corrected by the true values of some",
    "plain": "From the true values of all deals",
}


@dataclass(frozen=True, eq=False, repr=False)
class EstimateResult(StudyResult):
    """An estimated mean, share, quantile or ratio of a population of deals, as `estimate` returns it.

    Parameters
    ----------
    question : str
        The expression, and what of it is estimated.
    given : str
        The condition of the population; "" for all deals.
    estimate : Estimate
        Value, standard error and interval; `exact` if it was counted.
    precision : float
        The half-width of the interval that was requested.
    method : {"exact", "model", "plain"}
        Counted; from predictions for many deals and the true values of some; from the true values of all.
    provenance : Provenance
        Script, seed, arguments, cost and versions.
    plain_solves : int
        Solves that plain sampling would have needed for the same interval.
    notes : tuple of str
        What else to know: why the study ended early, corrections, double dummy.
    reason : str
        Why the study ended before its precision; "" if it did not.
    values, weights : ndarray of float64 [n]
        Of the deals whose true values are known; the weights add up to 1.

    Examples
    --------
    >>> import dealerkit as dk
    >>> result = dk.estimate("hcp(north) >= 12 and spades(north) >= 5")
    >>> result.estimate, result.method
    (0.061201 (exact), 'exact')
    """

    question: str
    given: str
    estimate: Estimate
    precision: float
    method: str
    provenance: Provenance
    plain_solves: int = 0
    notes: tuple[str, ...] = ()
    reason: str = ""
    values: np.ndarray = field(default_factory=lambda: np.empty(0))
    weights: np.ndarray = field(default_factory=lambda: np.empty(0))

    @property
    def value(self) -> float:
        """The estimate."""
        return self.estimate.value

    @property
    def lo(self) -> float:
        """The lower end of the interval."""
        return self.estimate.lo

    @property
    def hi(self) -> float:
        """The upper end of the interval."""
        return self.estimate.hi

    @property
    def standard_error(self) -> float:
        """The standard error; 0 if the value is exact."""
        return self.estimate.se

    @property
    def interval(self) -> tuple[float, float]:
        """Both ends of the interval."""
        return self.lo, self.hi

    @property
    def cost(self) -> Cost:
        """Deals, solves and seconds."""
        return self.provenance.cost

    @property
    def n(self) -> int:
        """Number of deals whose true values are known."""
        return self.cost.solved_deals

    @property
    def deals(self) -> int:
        """Number of deals, those included for which a prediction is all that is known."""
        return self.cost.deals

    @property
    def solves(self) -> int:
        """Number of results that the double-dummy solver computed."""
        return self.cost.solves

    @property
    def seconds(self) -> float:
        """Wall time."""
        return self.cost.seconds

    @property
    def is_precise(self) -> bool:
        """Whether the interval is as narrow as the precision."""
        return self.estimate.exact or (self.estimate.hi - self.estimate.lo) / 2 <= self.precision

    def __float__(self) -> float:
        return self.value

    def __format__(self, spec: str) -> str:
        return format(self.estimate, spec) if spec else str(self)

    def __repr__(self) -> str:
        return f"<EstimateResult {shorten(self.question, 80)}: {self.estimate!r}, {self.solves:,} solves>"

    @property
    def title(self) -> str:
        """The question."""
        return self.question

    @property
    def text(self) -> str:
        """Value, interval, cost and notes, in a few lines."""
        return "".join(f"{name + ':' if name else '':<12}{value}\n" for name, value in self._rows())

    def _rows(self) -> list[tuple[str, str]]:
        """Return names and values of the lines of the text."""
        rows = [("question", self.question), ("given", " ".join(self.given.split()) or "all deals")]
        number = self.estimate.rounded()
        if self.estimate.exact:
            fraction = self.estimate.fraction
            rows.append(("value", f"{number} exactly" + (f", {fraction}" if fraction is not None else "")))
        else:
            ends = format_estimate(self.value, self.lo, self.hi, ascii=True).interval
            error = format_significant(self.standard_error, ascii=True)
            level = f"{100 * self.estimate.confidence:g} % interval {ends}, standard error {error}"
            rows += [("value", number), ("", level)]
        rows.append(("cost", "counted" if self.method == "exact" else str(self.cost)))
        if self.method == "model" and self.plain_solves > 0:
            part = (self.solves + self.cost.looked_up) / self.plain_solves
            rows.append(
                ("", f"plain sampling would have needed {self.plain_solves:,} solves ({part:.0%} used)")
            )
        seed = "given deals" if self.provenance.seed is None else f"seed {self.provenance.seed}"
        source = "all deals" if self.method == "exact" else seed
        rows.append(("from", f"{source}, dealerkit {self.provenance.versions['dealerkit']}"))
        rows += [("note", note) for note in self.notes]
        return rows

    def _render(self) -> str:
        number = self.estimate
        if self.shows_share:
            shown = format_share(number.value, number.lo, number.hi, exact=number.exact)
        else:
            shown = format_estimate(number.value, number.lo, number.hi)
        level = shown.interval
        if not number.exact:
            margin = f"{shown.margin}, " if shown.margin else ""
            level = f"{margin}{100 * number.confidence:g}\u00a0% interval {shown.interval}"
        elif number.fraction is not None:
            level = f"exact, {number.fraction}"
        drawing = draw_rate(number.value, (number.lo, number.hi), shown.value) if self.shows_share else ""
        given = f"Of the deals with {self.given}" if self.given else "Of all deals"
        notes = [f"{note[0].upper()}{note[1:]}." for note in self.notes]
        facts = [(name, value) for name, value in self._rows()[2:] if name != "value"]
        return (
            f"{self._render_head()}<p>{escape(given)}</p>"
            f'<p><span class="dk-number">{escape(shown.value)}</span> '
            f'<span class="dk-quiet">{escape(level)}</span></p>{drawing}'
            + render_notes([f"{_METHOD_TEXTS[self.method]}.", *notes])
            + render_facts("How it was computed", facts)
        )  # fmt: skip

    @property
    def shows_share(self) -> bool:
        """Whether all known values are 0 or 1, so that the mean is a share of the deals."""
        return bool(len(self.values) and np.isin(self.values, (0, 1)).all() and 0 <= self.value <= 1)

    def _sections(self) -> list[Section]:
        return [("", [["", ""], *map(list, self._rows())])]

    def to_dict(self) -> dict[str, Any]:
        """Return the estimate, its cost and its provenance by name, of types that JSON has."""
        return {
            "question": self.question,
            "given": self.given,
            **self.estimate.to_dict(),
            "precision": self.precision,
            "method": self.method,
            "plain_solves": self.plain_solves,
            "notes": list(self.notes),
            "provenance": self.provenance.to_dict(),
        }

    def to_frame(self) -> pd.DataFrame:
        """Return a frame of one row: the value, its interval and its cost; ``attrs`` has the provenance."""
        import pandas as pd

        estimate, cost = self.estimate, self.cost
        row = {
            "question": self.question, "given": self.given, "value": estimate.value, "se": estimate.se,
            "lo": estimate.lo, "hi": estimate.hi, "confidence": estimate.confidence, "exact": estimate.exact,
            "precision": self.precision, "method": self.method, "deals": cost.deals, "n": cost.solved_deals,
            "solves": cost.solves, "plain_solves": self.plain_solves, "seconds": cost.seconds,
        }  # fmt: skip
        frame = pd.DataFrame([row])
        frame.attrs = {"provenance": self.provenance.to_dict()}
        return frame

    def plot(self, ax: Any = None) -> Any:
        """Plot the distribution of the values, and the estimate with its interval.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Axes of the plot; by default of a new figure.

        Returns
        -------
        matplotlib Axes
        """
        from dealerkit.plots.estimate import plot_estimate

        return plot_estimate(self, ax)
