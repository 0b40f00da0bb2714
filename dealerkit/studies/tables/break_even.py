"""The make probability from which the higher of two contracts gains, from the table of scores alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.appearance.card import Card
from dealerkit.appearance.content import Note, format_note
from dealerkit.appearance.table import Column, Quantity, Table
from dealerkit.arguments import check_integer
from dealerkit.errors import ArgumentError, quote
from dealerkit.scoring import SCORINGS, Contract, check_scoring
from dealerkit.statistics import Estimate
from dealerkit.studies.contract_patterns import ContractPattern, check_vulnerable
from dealerkit.studies.provenance import RepeatableResult, repeatable

if TYPE_CHECKING:
    import pandas as pd

SHOWN = ("imps", "points", "matchpoints")  # board-a-match has the same probabilities as matchpoints
DECISIONS = (
    ("3NT", "2NT"), ("4M", "3M"), ("5m", "4m"), ("6NT", "3NT"), ("6M", "4M"), ("6m", "5m"),
    ("7NT", "6NT"), ("7M", "6M"), ("7m", "6m"),
)  # fmt: skip
_STRAINS = {"M": 0, "m": 3}


@dataclass(frozen=True, eq=False, repr=False)
class BreakEvenProbability(RepeatableResult):
    """The make probability at which two contracts gain equally, as `break_even` returns it.

    Attributes
    ----------
    contract, other : str
    vulnerable : bool
    scoring : {"imps", "matchpoints", "board-a-match", "points"}
    against : dict of str to Fraction
        The contracts that both are compared with, and their shares.
    fraction : Fraction or None
        The probability; 0 if the contract never loses, None if it gains nothing when it makes.
    gain, loss : Fraction
        Mean gain over the other contract when the contract makes, and when it fails.
    frame : DataFrame
        A row for each number of tricks: `tricks`, `share` (among the tricks that make, or among those that
        fail), `makes`, `score`, `other_score`, `gain`.
    chance, mean : Fraction or None
        Make probability and mean gain for the given distribution of tricks; None if none was given.
    provenance : Provenance or None
        The call that repeats the study, with the versions.

    Examples
    --------
    >>> import dealerkit as dk
    >>> chance = dk.break_even("4S", "3S")
    >>> chance.fraction, chance.gain, chance.loss
    (Fraction(5, 11), Fraction(6, 1), Fraction(-5, 1))
    >>> chance.to_frame()
       tricks  share  makes  score  other_score  gain
    0       9    1.0  False    -50          140  -5.0
    1      10    1.0   True    420          170   6.0
    """

    contract: str
    other: str
    vulnerable: bool
    scoring: str
    against: dict[str, Fraction]
    fraction: Fraction | None
    gain: Fraction
    loss: Fraction
    frame: pd.DataFrame
    chance: Fraction | None = None
    mean: Fraction | None = None

    @property
    def probability(self) -> float | None:
        """The probability as a float, or None if the contract gains nothing when it makes."""
        return None if self.fraction is None else float(self.fraction)

    def to_frame(self) -> pd.DataFrame:
        """Return the table of tricks."""
        return self.frame

    @property
    def title(self) -> str:
        """The contracts, vulnerability and scoring."""
        state = "vulnerable" if self.vulnerable else "not vulnerable"
        return f"{self.contract} or {self.other}, {state}, {SCORINGS[self.scoring].text}"

    @property
    def verdict(self) -> str:
        """The make probability in one sentence."""
        return format_note(self._find_verdict())

    def _find_verdict(self) -> Note:
        if self.fraction is None and self.loss > 0:
            limit = self.loss / (self.loss - self.gain)
            return (
                f"{self.contract} gains only when it fails: it gains over {self.other} if it makes on fewer "
                "than ", _show_share(limit), f" of the deals ({limit}).",
            )  # fmt: skip
        if self.fraction is None:
            return f"{self.contract} gains nothing over {self.other}, whether it makes or not."
        if not self.fraction:
            return f"{self.contract} gains over {self.other} at any chance of making."
        return (
            f"{self.contract} gains over {self.other} if it makes in more than ",
            _show_share(self.fraction), f" of the deals ({self.fraction}).",
        )  # fmt: skip

    def card(self) -> Card:
        """Return the card: the probability, and the scores of each number of tricks."""
        columns = [
            Column("tricks", kind="count"),
            Column("result", kind="name"),
            Column("share", kind="share", decimals=0),
            Column("score", self.contract, "count"),
            Column("other_score", self.other, "count"),
            Column("gain", f"gain, {SCORINGS[self.scoring].text}", sign=True),
        ]
        rows = [
            [row.tricks, "makes" if row.makes else "fails", row.share, row.score, row.other_score, row.gain]
            for row in self.frame.itertuples()
        ]
        return Card(
            self.title,
            verdict=self._find_verdict(),
            tables=[Table(columns, rows)],
            notes=list(self._list_notes()),
            provenance=self._list_facts(),
        )

    def _list_notes(self) -> Iterator[Note]:
        if len(self.frame) > 2:
            yield "Shares are among the tricks that make, or among those that fail."
        if self.scoring == "matchpoints":
            yield "Matchpoints are the share of a board above one half."
        if list(self.against) != [self.other]:
            parts: list[str | Quantity] = []
            for name, share in self.against.items():
                parts += [", " if parts else "", Quantity(float(share), unit="%", scale=100), f" {name}"]
            yield "Both contracts are compared with other tables: ", *parts, "."
        if self.chance is not None and self.mean is not None:
            yield (
                "With the given tricks, it makes on ", _show_share(self.chance), " of the deals and gains ",
                Quantity(float(self.mean), sign=True, decimals=2), f" {SCORINGS[self.scoring].text} per "
                "deal.",
            )  # fmt: skip

    def __repr__(self) -> str:
        return f"<BreakEvenProbability: {self.title}: {self.verdict}>"


@repeatable
def break_even(
    contract: str,
    other: str,
    *,
    vulnerable: bool = False,
    scoring: str = "imps",
    tricks: Mapping[int, float] | None = None,
    other_tricks: int | None = None,
    against: str | Mapping[str, float] | None = None,
) -> BreakEvenProbability:
    """Return the make probability from which one contract gains over another, exactly.

    Parameters
    ----------
    contract, other : str
        Such as ``4S`` and ``3S``, ``4M`` and ``3M`` for a major, ``5m`` and ``4m`` for a minor; ``4Sx`` is
        doubled.
    vulnerable : bool
        Whether the side that bids is vulnerable.
    scoring : {"imps", "matchpoints", "board-a-match", "points"}
    tricks : mapping of int to float, optional
        Weights of numbers of tricks in the contract. The probability in question changes how often the
        contract makes; the shares among the tricks that make, and among those that fail, stay the same. By
        default the contract makes exactly, or is down one.
    other_tricks : int, optional
        By how many tricks the other contract exceeds the contract, for contracts in different strains.
    against : str, or mapping of str to float, optional
        Contracts at the other tables, with their shares; the result of each contract is its mean against
        them. By default the other contract, so the two are compared with each other.

    Returns
    -------
    BreakEvenProbability

    Raises
    ------
    ArgumentError
        The contracts are equal, no number of tricks makes or none fails, or the strains differ and
        `other_tricks` is missing.

    Notes
    -----
    If g is the mean gain over the tricks that make, and l that over those that fail, the probability is -l /
    (g - l).

    Examples
    --------
    >>> print(break_even("4S", "3S", vulnerable=True))
    4S or 3S, vulnerable, IMPs
    4S gains over 3S if it makes in more than 37.5 % of the deals (3/8).
    <BLANKLINE>
      tricks  result  share    4S   3S  gain, IMPs
           9  fails   100 %  -100  140          -6
          10  makes   100 %   620  170         +10
    <BLANKLINE>
    >>> break_even("7S", "6S", against={"6S": 0.6, "4S": 0.4}).fraction
    Fraction(86, 125)
    """
    import pandas as pd

    # The contracts, the tricks of the first with their weights, and the contracts of the field
    first, second = (_read_contract(text) for text in (contract, other))
    if str(first) == str(second):
        raise ArgumentError(f"both contracts are {first}; give two different ones, such as '4S' and '3S'")
    vulnerable = check_vulnerable(vulnerable)
    scoring = check_scoring(scoring)
    shift = _check_shift(first, second, other_tricks)
    taken, weights = _check_tricks(first, tricks)
    shares = _check_tables(first, second, against)
    # Scores of all contracts by the tricks of the first one
    scores = {}
    for bid in dict.fromkeys((first, second, *map(_read_contract, shares))):
        number = taken + (shift if bid.strains != first.strains else 0)
        if number.min() < 0 or number.max() > 13:
            raise ArgumentError(
                f"{bid} would take {number.min()} to {number.max()} tricks; change other_tricks"
            )
        scores[str(bid)] = bid.score_tricks(vulnerable)[_find_strain(bid), number]
    # Gains of both over the field, as fractions, and of one over the other
    results = [
        sum(
            share * _to_fractions(SCORINGS[scoring].compare(scores[str(bid)], scores[name]))
            for name, share in shares.items()
        )
        for bid in (first, second)
    ]
    gains = results[0] - results[1]
    # The mean gain when the first contract makes, and when it fails
    makes = taken >= first.needed
    means = [sum(gains[part] * weights[part]) / sum(weights[part]) for part in (makes, ~makes)]
    totals = np.where(makes, sum(weights[makes]), sum(weights[~makes]))
    frame = pd.DataFrame(
        {
            "tricks": taken,
            "share": (weights / totals).astype(float),
            "makes": makes,
            "score": scores[str(first)],
            "other_score": scores[str(second)],
            "gain": gains.astype(float),
        }
    )
    # The make probability, if tricks are given
    chance = None if tricks is None else sum(weights[makes]) / sum(weights)
    mean = None if tricks is None else sum(gains * weights) / sum(weights)
    gain, loss = means
    return BreakEvenProbability(
        str(first),
        str(second),
        vulnerable,
        scoring,
        shares,
        _find_chance(gain, loss),
        gain,
        loss,
        frame,
        chance,
        mean,
    )


def _show_share(share: Fraction) -> Quantity:
    """Return an exact share with one decimal."""
    return Quantity(Estimate.exactly(share), "share", decimals=0)


def _find_chance(gain: Fraction, loss: Fraction) -> Fraction | None:
    """Return the probability at which a gain and a loss balance; None if making gains nothing."""
    if gain <= 0:
        return None
    return Fraction(0) if loss >= 0 else -loss / (gain - loss)


def _to_fractions(values: np.ndarray) -> np.ndarray:
    """Return multiples of one half as fractions, an array of objects."""
    return np.array([Fraction(value) for value in values.tolist()], object)


def _read_contract(text: Any) -> ContractPattern:
    pattern = ContractPattern.parse(str(text) if isinstance(text, Contract) else text)
    if pattern.strain == "X":
        raise ArgumentError(f"{pattern} has no strain, which its score needs; write M, m, NT or a suit")
    return pattern


def _find_strain(pattern: ContractPattern) -> int:
    return _STRAINS.get(pattern.strain, pattern.strains[0])


def _check_shift(first: ContractPattern, second: ContractPattern, other_tricks: Any) -> int:
    """Return by how many tricks the second contract exceeds the first."""
    if other_tricks is not None:
        shift = check_integer("other_tricks", other_tricks, None)
        if shift and first.strain == second.strain:
            raise ArgumentError(
                f"{first} and {second} have the same strain, in which both take the same tricks; leave out "
                "other_tricks="
            )
        return shift
    if first.strain == second.strain:
        return 0
    raise ArgumentError(
        f"{first} and {second} have different strains; give other_tricks=, how many tricks {second} takes "
        f"more than {first}, such as -1 or 0"
    )


def _check_tricks(first: ContractPattern, tricks: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return numbers of tricks, ascending, with their weights as fractions."""
    if tricks is None:
        tricks = {first.needed - 1: 1, first.needed: 1}
    if not isinstance(tricks, Mapping):
        raise ArgumentError(
            f"tricks is {quote(tricks, 40)}; give weights by number, such as {{9: 3, 10: 5}} for 9 and 10 "
            "tricks"
        )
    weights = {check_integer("a number of tricks", key): weight for key, weight in sorted(tricks.items())}
    for number, weight in weights.items():
        if (
            number > 13
            or isinstance(weight, bool)
            or not isinstance(weight, int | float | Fraction)
            or not 0 <= weight < 1e300
        ):
            raise ArgumentError(
                f"tricks has {number}: {quote(weight, 40)}; give 0 to 13 tricks, weights of 0 or more"
            )
    weights = {number: weight for number, weight in weights.items() if weight}
    for makes in (True, False):
        if not any((number >= first.needed) == makes for number in weights):
            raise ArgumentError(
                f"no number of tricks {'makes' if makes else 'fails in'} {first}, which takes "
                f"{first.needed}; a break-even chance needs both"
            )
    values = np.array([Fraction(str(weight)) for weight in weights.values()], object)
    return np.array(list(weights), int), values


def _check_tables(first: ContractPattern, second: ContractPattern, against: Any) -> dict[str, Fraction]:
    """Return the contracts at the other tables with shares that add up to 1."""
    if against is None:
        return {str(second): Fraction(1)}
    if not isinstance(against, str | Mapping):
        raise ArgumentError(
            f"against is {quote(against)}; give a contract such as '4S', or contracts with shares"
        )
    given = {against: 1} if isinstance(against, str) else against
    shares: dict[str, Fraction] = {}
    for text, share in given.items():
        bid = _read_contract(text)
        if bid.strain not in (first.strain, second.strain):
            raise ArgumentError(
                f"the tricks of {bid} are not known; against= takes strains of {first} and {second}"
            )
        if isinstance(share, bool) or not isinstance(share, int | float | Fraction) or not 0 < share < 1e300:
            raise ArgumentError(f"the share of {bid} is {quote(share, 40)}; give a number above 0")
        shares[str(bid)] = shares.get(str(bid), Fraction(0)) + Fraction(str(share))
    if not shares:
        raise ArgumentError("against= has no contract; give one such as '4S', or leave it out")
    total = sum(shares.values())
    return {name: share / total for name, share in shares.items()}


@dataclass(frozen=True, eq=False, repr=False)
class BreakEvenTable(RepeatableResult):
    """Break-even probabilities of games and slams, as `break_even_table` returns them.

    Attributes
    ----------
    frame : DataFrame
        A row for each decision, with index ``contract`` and ``other``, and a column of probabilities for each
        scoring and vulnerability, such as ``imps_vulnerable`` and ``imps_not_vulnerable``.
    provenance : Provenance or None
        The call that repeats the study, with the versions.

    Examples
    --------
    >>> import dealerkit as dk
    >>> dk.break_even_table().to_frame().iloc[:2, :4].round(3)
      contract other  imps_not_vulnerable  imps_vulnerable
    0      3NT   2NT                0.455            0.375
    1       4M    3M                0.455            0.375
    """

    frame: pd.DataFrame

    @property
    def title(self) -> str:
        """What the table has."""
        return "Chance of making from which a contract gains"

    def card(self) -> Card:
        """Return the card: a row for each decision, a column for each scoring and vulnerability."""
        columns = [Column("decision", "", "name")]
        for name in self.frame:
            scoring, _, state = name.partition("_")
            head = f"{SCORINGS[scoring].text}, {'nv' if state == 'not_vulnerable' else 'vul'}"
            columns.append(Column(name, head, "share", decimals=1))
        rows = [[f"{contract} over {other}", *row] for (contract, other), row in self.frame.iterrows()]
        note = (
            "The contract makes exactly or is down one, the other contract takes the same tricks, and nobody "
            "doubles."
        )
        return Card(self.title, tables=[Table(columns, rows)], notes=[note], provenance=self._list_facts())

    def __repr__(self) -> str:
        return f"<BreakEvenTable: {len(self.frame)} decisions>"


@repeatable
def break_even_table() -> BreakEvenTable:
    """Return the break-even probabilities of the usual games, slams and grand slams.

    Examples
    --------
    >>> break_even_table().frame.loc[("4M", "3M"), "imps_vulnerable"]
    np.float64(0.375)
    """
    import pandas as pd

    rows = {
        decision: {
            f"{scoring}_{'' if vulnerable else 'not_'}vulnerable": break_even(
                *decision, vulnerable=vulnerable, scoring=scoring
            ).probability
            for scoring in SHOWN
            for vulnerable in (False, True)
        }
        for decision in DECISIONS
    }
    frame = pd.DataFrame.from_dict(rows, orient="index")
    frame.index.names = ["contract", "other"]
    return BreakEvenTable(frame)
