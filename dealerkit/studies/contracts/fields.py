"""The tables of a study of contracts, and what they are from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dealerkit.studies.contracts.break_even import BreakEven
from dealerkit.studies.provenance import Cost, Provenance
from dealerkit.wording import join_words, shorten

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False)
class ContractTables:
    """The tables of a study of contracts; `ContractStudy` shows them.

    Attributes
    ----------
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
    """

    frame: pd.DataFrame
    differences: pd.DataFrame | None
    rules: pd.DataFrame | None
    values: pd.DataFrame | None
    break_even: Mapping[tuple[str, str], BreakEven]
    deals: int
    differing: int
    scoring: str
    given: str | None
    by: str | None
    against: str | None
    confidence: float
    provenance: Provenance
    reason: str

    @property
    def cost(self) -> Cost:
        """Deals, solves and seconds that the study took."""
        return self.provenance.cost

    @property
    def names(self) -> list[str]:
        """The contracts and strategies."""
        return list(dict.fromkeys(self.frame.index.get_level_values("contract")))

    @property
    def states(self) -> list[str]:
        """The vulnerabilities."""
        return list(dict.fromkeys(self.frame.index.get_level_values("vulnerable")))

    @property
    def title(self) -> str:
        """The contracts, in one line."""
        names = [shorten(name, 40) for name in self.names]
        return join_words(names) if len(names) < 6 else f"{', '.join(names[:4])} and {len(names) - 4} more"
