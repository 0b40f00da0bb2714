"""The numbers of a study of contracts as estimates, and their frames."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.appearance.content import format_note
from dealerkit.appearance.numbers import format_count
from dealerkit.appearance.table import Quantity
from dealerkit.appearance.wording import join_words, shorten
from dealerkit.runtime.process import cached_property
from dealerkit.scoring import Contract, Verdict, judge
from dealerkit.statistics import Estimate
from dealerkit.statistics.estimates import list_columns
from dealerkit.studies.frames import tabulate
from dealerkit.studies.provenance import Cost, Provenance

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class TrickShares:
    """How often the side of a study takes each number of tricks in a contract.

    Attributes
    ----------
    contract : Contract
    is_defended : bool
        Whether the other side declares it.
    shares : ndarray of float64 [14]
        Shares of the deals, by number of tricks of the study's side.
    scores : ndarray of int64 [states, 14]
        Scores of this side, by vulnerability and number of its tricks.
    """

    contract: Contract
    is_defended: bool
    shares: np.ndarray
    scores: np.ndarray

    @property
    def needed(self) -> int:
        """Number of tricks with which the side makes its contract, or beats theirs."""
        return 8 - self.contract.level if self.is_defended else self.contract.level + 6


@dataclass(frozen=True)
class Outcome:
    """The results of a contract or strategy at one vulnerability.

    Attributes
    ----------
    makes : Estimate or None
        How often it makes, on the deals on which the study's side declares; None if there are none.
    beaten : Estimate or None
        How often the contract is beaten, on the deals on which the other side declares.
    tricks : Estimate or None
        Tricks of the study's side, on all deals that are not passed out.
    score : Estimate
        Score of the study's side.
    deals, tricks_deals : int
        Number of deals for `makes` and `beaten` together, and for `tricks` and `score`.
    """

    makes: Estimate | None
    beaten: Estimate | None
    tricks: Estimate | None
    score: Estimate
    deals: int
    tricks_deals: int


@dataclass(frozen=True)
class ValueOutcome:
    """The results of a contract or strategy on the deals with one value of `by`.

    Attributes
    ----------
    deals : int
    makes, beaten : Estimate or None
        As in an `Outcome`.
    gain : Estimate or None
        None if nothing is compared.
    """

    deals: int
    makes: Estimate | None
    beaten: Estimate | None
    gain: Estimate | None


@dataclass(frozen=True, slots=True)
class BreakEven:
    """The value of an expression from which one contract gains over another.

    Attributes
    ----------
    value : float or None
        None if the gain has one sign at all values.
    lo, hi : float
        Ends of the interval; infinite if it does not end within the values that occur.
    lowest, highest : float
        Smallest and largest value that occurs.
    first_ahead : bool
        Whether the gain is above zero at all values; meaningful if `value` is None.
    confidence : float
    replicates : int
        Number of resamples.
    """

    value: float | None
    lo: float
    hi: float
    lowest: float
    highest: float
    first_ahead: bool
    confidence: float
    replicates: int

    def describe(self) -> list[str | Quantity]:
        """Return the value with its interval as parts of a sentence."""
        lowest, highest = Quantity(self.lowest), Quantity(self.highest)
        if self.value is None and self.first_ahead:
            return ["ahead at all values from ", lowest]
        if self.value is None:
            return ["behind at all values up to ", highest]
        low = ["below ", lowest] if math.isinf(self.lo) else [Quantity(self.lo, decimals=1)]
        high = ["above ", highest] if math.isinf(self.hi) else [Quantity(self.hi, decimals=1)]
        return [Quantity(self.value, decimals=1), ", ", *low, " to ", *high]

    def __str__(self) -> str:
        return format_note(self.describe())


@dataclass(frozen=True, eq=False, repr=False)
class ContractTables:
    """The numbers of a study of contracts; `ContractStudy` describes the attributes and shows them."""

    outcomes: Mapping[tuple[str, str], Outcome]
    gains: Mapping[tuple[str, str], Estimate]
    pairs: Mapping[tuple[str, str, str], Estimate]
    second_gains: Mapping[tuple[str, str], Estimate]
    value_outcomes: Mapping[tuple[str, str, float], ValueOutcome]
    rules: pd.DataFrame | None
    break_even: Mapping[tuple[str, str], BreakEven]
    deals: int
    differing: int
    scoring: str
    side: str
    given: str | None
    by: str | None
    field: Mapping[str, float]
    confidence: float
    provenance: Provenance
    reason: str
    tricks: Mapping[str, TrickShares] = dataclasses.field(default_factory=dict)
    is_predicted: bool = False

    @cached_property
    def frame(self) -> pd.DataFrame:
        """A row for each contract or strategy and vulnerability: makes, beaten, tricks, score."""
        rows = {
            key: self._list_rates(found)
            | list_columns("tricks", found.tricks)
            | list_columns("score", found.score)
            | {"deals": found.deals, "tricks_deals": found.tricks_deals}
            for key, found in self.outcomes.items()
        }
        return tabulate(rows, ["contract", "vulnerable"])

    @cached_property
    def differences(self) -> pd.DataFrame | None:
        """A row for each contract except `against` and vulnerability, with its gain; None without gains."""
        return self._tabulate_gains(self.gains)

    @cached_property
    def pair_differences(self) -> pd.DataFrame | None:
        """A row for each pair of contracts and vulnerability: the gain of the first; None without pairs."""
        return self._tabulate_gains(self.pairs)

    @cached_property
    def second_differences(self) -> pd.DataFrame | None:
        """As `differences`, in the `second_scoring`."""
        table = self._tabulate_gains(self.second_gains)
        return None if table is None else table.drop(columns="se")

    @cached_property
    def values(self) -> pd.DataFrame | None:
        """A row for each contract, vulnerability and value of `by`; None without `by`."""
        import pandas as pd

        if not self.value_outcomes:
            return None
        rows = []
        for (name, state, value), found in self.value_outcomes.items():
            row = {"contract": name, "vulnerable": state, "value": value, "deals": found.deals}
            gain = {} if found.gain is None else list_columns("gain", found.gain)
            rows.append(row | self._list_rates(found) | gain)
        frame = pd.DataFrame(rows)
        if not (frame.value % 1).any():
            frame["value"] = frame.value.astype(int)
        return frame.set_index(["contract", "vulnerable", "value"])

    def _list_rates(self, found: Outcome | ValueOutcome) -> dict[str, float | None]:
        """Return columns of how often a contract makes and, if contracts are defended, is beaten."""
        beaten = list_columns("beaten", found.beaten) if self.has_defended else {}
        return list_columns("makes", found.makes) | beaten

    @cached_property
    def has_defended(self) -> bool:
        """Whether the other side declares a contract."""
        return any(found.beaten is not None for found in self.outcomes.values())

    def _tabulate_gains(self, gains: Mapping[Any, Estimate]) -> pd.DataFrame | None:
        """Return a row for each gain, with its verdict; None without gains."""
        if not gains:
            return None
        is_pair = len(next(iter(gains))) == 3
        names = ["contract", "other", "vulnerable"] if is_pair else ["contract", "vulnerable"]
        rows = {
            key: {
                "gain": gain.value, "se": gain.se, "lo": gain.lo, "hi": gain.hi, "deals": gain.n,
                "verdict": judge(gain) if is_pair else self.judge(gain),
            }
            for key, gain in gains.items()
        }  # fmt: skip
        return tabulate(rows, names)

    @property
    def second_scoring(self) -> str:
        """The scoring of `second_gains`."""
        return "imps" if self.scoring == "points" else "points"

    @property
    def against(self) -> str | None:
        """The contract that the others are compared with, or "the field"; None: the best of the others."""
        if not self.field:
            return None
        return next(iter(self.field)) if len(self.field) == 1 else "the field"

    @property
    def compares_pairs(self) -> bool:
        """Whether all pairs are compared, so that gains are over the best of the others."""
        return bool(self.gains) and not self.field

    @property
    def opponent(self) -> str:
        """What a contract is compared with."""
        return "the best other" if self.compares_pairs else str(self.against)

    def judge(self, gain: Estimate) -> Verdict:
        """Return whether a contract is ahead, behind, or not decided.

        The interval of the gain over the best of the others begins at 0 or above if no other contract can be
        the best.
        """
        if not self.compares_pairs:
            return judge(gain)
        return "behind" if gain.hi < 0 else "ahead" if gain.lo >= 0 else "not decided"

    def find_possibly_best(self, vulnerable: str, gains: Mapping[tuple[str, str], Estimate]) -> list[str]:
        """Return the contracts that may be the best at a vulnerability, if all pairs are compared."""
        return [name for (name, state), gain in gains.items() if state == vulnerable and gain.hi >= 0]

    @property
    def cost(self) -> Cost:
        """Deals, solves and seconds that the study took."""
        return self.provenance.cost

    def describe_deals(self, n_deals: int | None = None) -> str:
        """The number of deals, by default of all, and how many of them are solved if that differs."""
        cost = self.cost
        if cost.from_solved and cost.from_solved == cost.deals:
            return f"{format_count(cost.deals, 'solved deal')}, double dummy"
        if cost.solved_deals < (cost.deals if cost.from_solved else self.differing):
            return cost.describe_solved(self.is_predicted)
        return f"{format_count(self.deals if n_deals is None else n_deals, 'deal')}, double dummy"

    @property
    def names(self) -> list[str]:
        """The contracts and strategies."""
        return list(dict.fromkeys(name for name, _ in self.outcomes))

    @property
    def states(self) -> list[str]:
        """The vulnerabilities."""
        return list(dict.fromkeys(state for _, state in self.outcomes))

    @property
    def title(self) -> str:
        """The contracts, in one line."""
        is_field = len(self.field) > 1
        compared = dict.fromkeys(name for name, _ in self.gains) if is_field else self.names
        names = [shorten(name, 40) for name in compared]
        shown = join_words(names) if len(names) < 6 else f"{', '.join(names[:4])} and {len(names) - 4} more"
        return f"{shown} against the field" if is_field else shown
