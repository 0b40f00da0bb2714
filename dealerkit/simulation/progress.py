"""The progress bar of a run: part done, rate, remaining time."""

from __future__ import annotations

from typing import Any

from dealerkit.appearance.numbers import format_significant
from dealerkit.planning import Limits
from dealerkit.planning.acceptance import AcceptanceForecast
from dealerkit.statistics import Estimate
from dealerkit.system.progress import ProgressBar

MIN_PRODUCED = 10  # produced deals from which the run itself shows the acceptance rate
MAX_EXPECTED = 0.99  # part of the bar that is filled by the forecast alone


class Progress:
    """A bar on the terminal or in the notebook; nothing where the output is redirected.

    Parameters
    ----------
    limits : Limits
        The bar fills as the nearer of the two limits is reached; under a conditional plan the first
        of them counts candidates.
    shown : bool or None
        None: only on a terminal or in a notebook, and after a second.
    forecast : AcceptanceForecast, optional
        Its rate is computed once, when the bar appears. It determines the remaining time until deals
        have been produced.
    share : float
        Share of all deals that are candidates; below 1 under a conditional plan.
    """

    def __init__(
        self,
        limits: Limits,
        shown: bool | None = None,
        forecast: AcceptanceForecast | None = None,
        share: float = 1.0,
    ) -> None:
        self._bar = ProgressBar(shown)
        self._limits, self._shown, self._forecast, self._share = limits, shown, forecast, share
        self._rate: Estimate | None = None
        self._part = 0.0

    def __enter__(self) -> Progress:
        self._bar.__enter__()
        if self._shown:
            self.update(0, 0)
        return self

    def update(self, generated: int, produced: int) -> None:
        """Show how many deals have been dealt (under a conditional plan: candidates) and produced."""
        if not self._bar.is_due:
            return
        if self._forecast is not None:
            rate, self._forecast = self._forecast.rate, None
            self._rate = rate if rate is not None and rate.hi > 0 else None
        self._part = max(self._part, self._compute_part(generated, produced))
        self._bar.update(self._part, self._describe(generated, produced, self._bar.elapsed))

    def _compute_part(self, generated: int, produced: int) -> float:
        """Return the part of the run that is done, in [0, 1]."""
        parts = [
            done / limit
            for done, limit in ((generated, self._limits.generate), (produced, self._limits.produce))
            if limit
        ]
        if self._rate is not None and self._rate.value and self._limits.produce and produced < MIN_PRODUCED:
            n_expected = self._limits.produce * self._share / self._rate.value
            parts.append(min(generated / n_expected, MAX_EXPECTED))
        return max(parts, default=0.0)

    def _describe(self, generated: int, produced: int, elapsed: float) -> str:
        """Return the text beside the bar."""
        unit = "candidates" if self._share < 1 else "dealt"
        counts = f"{produced:,} of {generated:,} {unit}"
        if self._rate is None or produced >= MIN_PRODUCED:
            return f"{counts}, {generated / elapsed:,.0f} a second"
        if self._rate.value:
            return f"1 deal in {format_significant(1 / self._rate.value)}; {counts}"
        return f"fewer than 1 deal in {format_significant(1 / self._rate.hi)}; {counts}"

    def __exit__(self, *error: Any) -> None:
        self._bar.__exit__(*error)
