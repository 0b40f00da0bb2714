"""The tables of a study of contracts, and what they are from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from dealerkit.appearance.wording import join_words, shorten
from dealerkit.scoring import Contract
from dealerkit.studies.contracts.break_even import BreakEven
from dealerkit.studies.provenance import Cost, Provenance

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class TrickShares:
    """How often a contract takes each number of tricks.

    Attributes
    ----------
    contract : Contract
    shares : ndarray of float64 [14]
        Of the deals, by number of tricks.
    scores : ndarray of int64 [states, 14]
        Of the side of the first declarer, by vulnerability and number of tricks.
    """

    contract: Contract
    shares: np.ndarray
    scores: np.ndarray

    @property
    def needed(self) -> int:
        """Number of tricks that make the contract."""
        return self.contract.level + 6


@dataclass(frozen=True, eq=False, repr=False)
class ContractTables:
    """The tables of a study of contracts; `ContractStudy` describes the attributes, and shows them."""

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
    tricks: Mapping[str, TrickShares] = field(default_factory=dict)
    second_differences: pd.DataFrame | None = None

    @property
    def second_scoring(self) -> str:
        """The scoring of `second_differences`."""
        return "imps" if self.scoring == "points" else "points"

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
