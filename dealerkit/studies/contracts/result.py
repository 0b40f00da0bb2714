"""The result of a study of contracts: tables, text, HTML, plot."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dealerkit.appearance.latex import Section
from dealerkit.appearance.wording import shorten
from dealerkit.errors import ArgumentError, suggest_name
from dealerkit.scoring import SCORINGS
from dealerkit.statistics import Estimate
from dealerkit.studies.contracts import html, text
from dealerkit.studies.contracts.fields import ContractTables
from dealerkit.studies.results import StudyResult

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False)
class ContractStudy(ContractTables, StudyResult):
    """Contracts and strategies compared on the same deals, as `dealerkit.contracts` returns them.

    Attributes
    ----------
    outcomes : dict of (str, str) to Outcome
        By contract or strategy and vulnerability: the estimates `makes`, `tricks`, `score`, and numbers of
        deals.
    gains, second_gains : dict of (str, str) to Estimate
        By contract or strategy, without `against`, and vulnerability: the gain a deal in the unit of the
        scoring; the same in points, or in IMPs if the scoring is points. Empty if nothing is compared.
    value_outcomes : dict of (str, str, float) to ValueOutcome
        By contract, vulnerability and value of `by`: `deals` and the estimates `makes` and `gain`.
    frame : DataFrame
        A row for each contract or strategy and vulnerability: `makes`, `tricks`, `score` with the ends
        `_lo` and `_hi` of their intervals; `deals` solved for `makes`, `tricks_deals` for tricks and score.
        Of strategies: on the deals on which not all of them choose the same contract.
    differences : DataFrame or None
        A row for each but `against`, and vulnerability: `gain` a deal in the unit of the scoring, `se`, `lo`,
        `hi`, `deals`, and `verdict`: ahead, behind or not decided.
    rules : DataFrame or None
        A row for each rule of a strategy: `condition`, `contract`, `deals` to which it applies, `share`.
    values : DataFrame or None
        A row for each value of `by`: `deals`, `makes` and `gain` with their intervals.
    break_even : dict
        By contract and vulnerability, the `BreakEven` from which on it gains.
    deals, differing : int
        Number of deals, and of those on which not all strategies choose the same contract.
    scoring, given, by, against : str or None
    confidence : float
    provenance : Provenance
        Script, seed, arguments, versions and cost.
    reason : str
        Why the study ended before its precision; "" if it did not.
    tricks : dict of str to TrickShares
        How often each contract takes each number of tricks; not of strategies with several contracts.
    second_differences : DataFrame or None
        As `differences`, in points, or in IMPs if the scoring is points: `gain`, `lo`, `hi`, `verdict`, from
        the `deals` on which the numbers of tricks are known.

    Examples
    --------
    >>> import dealerkit as dk
    >>> deals = dk.solved_sample()[:10_000].where("hcp(north) + hcp(south) == 25")
    >>> dk.contracts(deals, ["2NT", "3NT"], declarer="north", vulnerable="none")
    <ContractStudy: 494 deals, 3NT by north +1.3 ± 0.4 IMPs over 2NT by north (none)>
    """

    def makes(self, contract: str | None = None) -> Estimate:
        """Return how often a contract makes.

        Parameters
        ----------
        contract : str, optional
            As it is named in `frame`, or without its declarer; by default the only one.

        Raises
        ------
        ArgumentError
            An unknown name, or several contracts and no name; a contract that is never bid.
        """
        name = self._find_name(contract, self.names)
        made = self.outcomes[name, self.states[0]].makes
        if made is None:
            raise ArgumentError(f"{name} bids nothing, so it has no chance to make")
        return made

    def difference(self, contract: str | None = None, vulnerable: str | None = None) -> Estimate:
        """Return the gain of a contract over `against`, in the unit of the scoring.

        Parameters
        ----------
        contract, vulnerable : str, optional
            As they are named in `differences`; by default the only ones.

        Raises
        ------
        ArgumentError
            An unknown name, or several and none is given; nothing is compared.
        """
        if not self.gains:
            raise ArgumentError("a single contract is compared with nothing; give another, or against=")
        name = self._find_name(contract, [name for name in self.names if name != self.against])
        state = self._find_name(vulnerable, self.states, "vulnerability")
        return self.gains[name, state]

    def _find_name(self, name: str | None, names: list[str], kind: str = "contract") -> str:
        """Return one of the names; a contract also without its declarer."""
        if name is None:
            if len(names) == 1:
                return names[0]
            raise ArgumentError(f"there are several; give the {kind}: {', '.join(names)}")
        found = [each for each in names if each.lower() == str(name).strip().lower()]
        found = found or [
            each for each in names if each.lower().split(" by ")[0] == str(name).strip().lower()
        ]
        if len(found) != 1:
            close = suggest_name(str(name), names) or f"; one of {', '.join(names)}"
            raise ArgumentError(f"unknown {kind} {name!r}{close}")
        return found[0]

    def to_frame(self) -> pd.DataFrame:
        """Return one table: rates and gains, or with `by` those of each value."""
        if self.values is not None:
            return self.values.reset_index()
        frame = self.frame.reset_index()
        if self.differences is None:
            return frame
        gains = self.differences.drop(columns=["se", "deals"])
        gains = gains.rename(columns={"lo": "gain_lo", "hi": "gain_hi"})
        return frame.join(gains, on=["contract", "vulnerable"])

    @property
    def text(self) -> str:
        """The tables as text."""
        return text.format_study(self)

    def __repr__(self) -> str:
        finding = ""
        if self.differences is not None:
            (name, state), row = next(iter(self.differences.iterrows()))
            gain = text.format_gain(row.gain, row.lo, row.hi, self.scoring, SCORINGS[self.scoring].unit)
            finding = f", {shorten(name, 40)} {gain} over {shorten(str(self.against), 40)} ({state})"
        return f"<ContractStudy: {self.deals:,} deals{finding}>"

    def _sections(self) -> Iterator[Section]:
        return text.list_sections(self)

    def _notes(self) -> Iterator[str]:
        yield from text.describe_sample(self)
        yield from text.describe_gains(self)
        yield from text.describe_break_even(self)

    def _render(self) -> str:
        return html.render_study(self)

    def plot(self, ax: Any = None, show: str | None = None) -> Any:
        """Plot gains or make rates with their intervals; with `by` against its values.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Axes of the plot; by default of a new figure.
        show : {"gain", "makes"}, optional
            By default the gain, for a single contract how often it makes.

        Returns
        -------
        matplotlib Axes
        """
        from dealerkit.plots.contracts import plot_contracts

        return plot_contracts(self, ax, show)
