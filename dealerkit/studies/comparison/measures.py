"""Measures, targets, selections, classes and events of a comparison: values for each side."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from dealerkit.appearance.numbers import format_count
from dealerkit.arguments import is_listing
from dealerkit.cards.deals import Deals
from dealerkit.cards.names import STRAINS
from dealerkit.errors import (
    ArgumentError,
    Parameter,
    SmallSample,
    UnknownNameError,
    quote,
    suggest_name,
    warn_caller,
)
from dealerkit.registry import get_function
from dealerkit.runtime.process import cached_property
from dealerkit.studies.contract_patterns import LEVELS
from dealerkit.studies.sides import (
    PlayedContracts,
    SideEvaluator,
    build_expression,
    choose_strains,
    expand_names,
    expand_tricks,
    find_evaluators,
    find_side_tricks,
    find_tricks_of_sides,
    require_tables,
    set_tricks,
)

NEEDED = {  # tricks in each strain
    "game": np.array(LEVELS["game"]) + 6,
    "slam": np.array(LEVELS["small slam"]) + 6,
    "grand slam": np.array(LEVELS["grand slam"]) + 6,
}
MIN_CASES = 10  # least number of deals with the event, and without it
FEW_CASES = 30
MAX_CLASSES = 60


@dataclass(frozen=True)
class Measure:
    """A compared measure: predictors, each an expression for north and south or values [n, 2]."""

    name: str
    predictors: tuple[str | np.ndarray, ...]

    @property
    def labels(self) -> list[str]:
        """Names of the predictors."""
        if len(self.predictors) == 1:
            return [self.name]
        return [
            text if isinstance(text, str) else f"{self.name} {k}" for k, text in enumerate(self.predictors, 1)
        ]

    @property
    def evaluators(self) -> set[str]:
        """Names of the evaluators in the expressions of the measure."""
        return set().union(*(find_evaluators(text) for text in self.predictors if isinstance(text, str)))


def collect_measures(measures: object) -> list[Measure]:
    """Return the compared measures.

    Raises
    ------
    ArgumentError
        There is no evaluator, one is listed twice, or one is neither a name, an expression nor an array.
    UnknownNameError
        A name is unknown; the message gives the nearest known name.
    """
    if isinstance(measures, str):
        measures = [measures]
    if isinstance(measures, Mapping):
        found = [Measure(str(name), _collect_predictors(name, given)) for name, given in measures.items()]
    elif is_listing(measures):
        found = [Measure(name, (name,)) for name in _check_names(list(measures))]
    else:
        raise ArgumentError(
            f"evaluators are {measures!r}; give a list of names, or a mapping of names to expressions"
        )
    if not all(measure.name.strip() for measure in found):
        raise ArgumentError("the name of an evaluator is empty; name it, as in {'mine': 'hcp'}")
    if not found:
        raise ArgumentError("no evaluator is given; give a list of names, such as ['hcp', 'ltc']")
    return found


def _check_names(names: Iterable[Any]) -> list[str]:
    """Return names of evaluators."""
    checked: list[str] = []
    for name in names:
        if not isinstance(name, str):
            raise ArgumentError(f"{quote(name)} is not a name; give arrays in a mapping: {{'mine': values}}")
        if name in checked:
            raise ArgumentError(f"{name} is listed twice; remove one of them")
        if not name.isidentifier():
            raise UnknownNameError(
                f"{name!r} is not a name; give expressions in a mapping, as in {{'mine': {name!r}}}"
            )
        get_function(name)  # raise the error for an unknown name before errors of the sample
        checked.append(name)
    return checked


def _collect_predictors(name: str, given: Any) -> tuple[str | np.ndarray, ...]:
    """Return the predictors of one measure of a mapping."""
    is_list = isinstance(given, list | tuple) and any(isinstance(part, str) for part in given)
    parts = list(given) if is_list else [given]
    predictors: list[str | np.ndarray] = []
    for part in parts:
        if isinstance(part, str):
            predictors.append(part)
            continue
        values = np.asarray(part)
        predictors += [values[..., k] for k in range(values.shape[2])] if values.ndim == 3 else [values]
    if not predictors:
        raise ArgumentError(f"{name} has no predictors; give expressions, as in {{'{name}': ['hcp', 'fit']}}")
    return tuple(predictors)


class Sides:
    """Both sides of solved deals with the strain that each plays; rows are deals, columns are NS and EW.

    Parameters
    ----------
    deals : Deals
        With tables.
    rule : str
        The rule for the strain, as `dealerkit.studies.sides.parse_strain_rule` returns it.
    declarer : {"better", "mean"}

    Raises
    ------
    ArgumentError
        The deals are not solved, or the declarer is unknown.
    """

    def __init__(self, deals: Deals, rule: str, declarer: str) -> None:
        self.deals, self.declarer = deals, declarer
        require_tables(deals)
        self.strains = choose_strains(deals, rule)
        self.tricks = find_side_tricks(deals, self.strains, declarer)
        self.is_compared = np.ones(self.strains.shape, bool)

    @cached_property
    def tables(self) -> np.ndarray:
        """Tricks of the sides in each strain, float64 [n, 2, 5]."""
        return find_tricks_of_sides(require_tables(self.deals), self.declarer).astype(float)

    @cached_property
    def _evaluator(self) -> SideEvaluator:
        return SideEvaluator(self.deals, self.strains)

    def evaluate(self, text: str, tricks: bool = False) -> np.ndarray:
        """Return the values of an expression for both sides, each in the strain that it plays: [n, 2].

        With `tricks`, the expression may use the tricks taken in that strain.
        """
        if not isinstance(text, str):
            expand_names(text)  # raises the error
        if text.isidentifier() and text != "tricks":
            return self._evaluator.evaluate(lambda strain: build_expression(text, strain))
        if tricks:
            return self._evaluator.evaluate(
                lambda strain: expand_names(expand_tricks(text, self.declarer, strain), strain)
            )
        if expand_tricks(text, self.declarer, "notrump") != text:
            raise ArgumentError(
                f"{quote(text)} contains the tricks, which are predicted; use them in ", Parameter("target="),
                " or ", Parameter("events="), ", not in measures, ", Parameter("where="), " or ",
                Parameter("by="),
            )  # fmt: skip
        return self._evaluator.evaluate_text(text)

    def find_values(self, name: str, given: Any, tricks: bool = False) -> np.ndarray:
        """Return values of both sides, float64 [n, 2], from an expression or an array.

        Raises
        ------
        ArgumentError
            The values have the wrong shape or type, or are not finite.
        """
        values = self.evaluate(given, tricks) if isinstance(given, str) else np.asarray(given)
        if not values.ndim:
            raise ArgumentError(
                Parameter(name),
                f" is {quote(given)}; give an expression, or values [{len(self.deals)}, 2] for NS and EW",
            )
        if values.shape != self.tricks.shape or values.dtype.kind not in "biuf":
            raise ArgumentError(
                Parameter(name),
                f" has shape {values.shape} and type {values.dtype}; values are numbers "
                f"[{len(self.deals)}, 2], for NS and EW",
            )
        if not np.isfinite(values).all():
            row = int(np.flatnonzero(~np.isfinite(values).all(axis=1))[0])
            raise ArgumentError(
                Parameter(name),
                f" has values that are not finite, the first for deal {row:,}; remove these deals",
            )
        return values.astype(float)

    def select(self, where: str) -> np.ndarray:
        """Return the sides for which a condition is true, bool [n, 2]."""
        return self.evaluate(where) != 0

    def classify(self, by: Any) -> dict[str, np.ndarray]:
        """Return which sides are in each class, by name: bool [n, 2].

        Parameters
        ----------
        by : str, mapping of str to str, or ndarray [shape=(n, 2)] or [shape=(n,)]
            An expression, each value of which is a class; conditions by name; or values of the classes.

        Raises
        ------
        ArgumentError
            There are more than 60 classes, or values have the wrong shape.
        """
        # Conditions by name
        if isinstance(by, Mapping):
            if not by:
                raise ArgumentError("by has no classes; give conditions, as in {'fit of 8': 'fit == 8'}")
            return {str(name): self.select(condition) for name, condition in by.items()}
        # A class for each value, given by side or by deal
        values = self.evaluate(by) if isinstance(by, str) else np.asarray(by)
        if values.shape == self.tricks.shape[:1]:
            values = np.repeat(values[:, None], 2, axis=1)
        if values.shape != self.tricks.shape:
            raise ArgumentError(
                Parameter("by"),
                f" has shape {values.shape}; give an expression, conditions by name, or values "
                f"[{len(self.deals)}, 2] for NS and EW",
            )
        import pandas as pd

        if pd.isna(values).any():
            raise ArgumentError(
                Parameter("by"), " has missing values; give those sides a class, or leave them out with ",
                Parameter("where="),
            )  # fmt: skip
        if values.dtype == object and len({isinstance(value, str) for value in values.flat}) > 1:
            raise ArgumentError(
                Parameter("by"), " contains both texts and numbers; give only texts or only numbers"
            )
        # Few enough classes, named by their values
        label = by if isinstance(by, str) and by.isidentifier() else ""
        known = np.unique(values)
        if len(known) > MAX_CLASSES:
            raise ArgumentError(
                f"by has {len(known)} values, from {known[0]} to {known[-1]}; {MAX_CLASSES} classes at most: "
                "give conditions, as in {'weak': 'hcp < 20', 'strong': 'hcp >= 20'}"
            )
        return {f"{label} {value}".strip(): values == value for value in known.tolist()}


class PlayedSides(Sides):
    """The declaring sides of contracts that were played at tables; each contract counts as a deal.

    The tricks are those that declarer took. The defending sides are not compared.

    Parameters
    ----------
    contracts : PlayedContracts
    rule : str
        A strain, to compare only contracts in it; or "best major", the default of a comparison, for all
        contracts.

    Raises
    ------
    ArgumentError
        The rule is another one, although the strain is that of the contract; or no contract is in the strain.
    """

    def __init__(self, contracts: PlayedContracts, rule: str) -> None:
        chosen = np.ones(len(contracts.strain), bool)
        if rule in STRAINS:
            chosen = contracts.strain == STRAINS.index(rule)
        elif rule != "best major":
            raise ArgumentError(
                Parameter("strain"), f" is {rule!r}, but results have the strain of their contracts; leave "
                "it out, or give one strain"
            )  # fmt: skip
        if not chosen.any():
            raise ArgumentError(f"no result has a contract in {rule} with known cards and tricks")
        self.deals, self.declarer = contracts.deals[chosen], "table"
        self.strains = np.repeat(contracts.strain[chosen, None], 2, axis=1)
        self.tricks = np.repeat(contracts.tricks[chosen, None], 2, axis=1).astype(float)
        self.is_compared = contracts.side[chosen, None] == np.arange(2)

    @cached_property
    def tables(self) -> np.ndarray:
        """Unknown tricks, float64 [n, 2, 5], since results do not show the tricks of other contracts."""
        return np.full((*self.strains.shape, 5), np.nan)

    def evaluate(self, text: str, tricks: bool = False) -> np.ndarray:
        """Return the values of an expression for both sides; its `tricks` are those taken at the table."""
        if not (tricks and isinstance(text, str)) or set_tricks(text, "0") == text:
            return super().evaluate(text)
        parts = {
            taken: super(PlayedSides, self).evaluate(set_tricks(text, str(taken))) for taken in range(14)
        }
        return np.choose(self.tricks.astype(np.int64), list(parts.values()))


def collect_events(
    events: Any, tricks: np.ndarray, strain: np.ndarray, evaluate: Callable[[str], np.ndarray]
) -> dict[str, np.ndarray]:
    """Return the rows in which each event occurs, by name: bool [rows].

    Parameters
    ----------
    events : iterable of str, or mapping of str to str
        ``game`` (10 tricks in a major, 11 in a minor, 9 in notrump), ``slam`` (12), ``grand slam`` (13), or
        conditions for north and south such as ``tricks >= 9``; a mapping gives them names.
    tricks : ndarray of float64 [shape=(rows,)]
        Tricks of the side in the strain played.
    strain : ndarray of int [shape=(rows,)]
        S H D C N = 0..4.
    evaluate : function
        Returns the values of a condition: numbers [rows].

    Raises
    ------
    ArgumentError
        There is no event, or one is not a text.

    Examples
    --------
    >>> tricks, strain = np.array([10.0, 10.0, 12.0]), np.array([0, 2, 4])
    >>> found = collect_events(["game", "slam"], tricks, strain, evaluate=lambda text: tricks)
    >>> found["game"].tolist(), found["slam"].tolist()
    ([True, False, True], [False, False, True])
    """
    if isinstance(events, str):
        events = [events]
    if not is_listing(events):
        raise ArgumentError(
            f"events are {quote(events)}; give a list such as ['game', 'slam', 'tricks >= 9']"
        )
    given = list(events.items()) if isinstance(events, Mapping) else [(event, event) for event in events]
    if not given:
        raise ArgumentError("no event is given; give a list such as ['game', 'slam', 'tricks >= 9']")
    found = {}
    for name, event in given:
        if not isinstance(event, str):
            raise ArgumentError(
                f"{quote(event)} is not an event; give game, slam or a condition: 'tricks >= 9'"
            )
        text = " ".join(event.lower().split())
        if text in NEEDED:
            found[str(name)] = tricks >= NEEDED[text][strain]
        elif event.isidentifier() and (close := suggest_name(text, NEEDED)):
            raise ArgumentError(f"unknown event {event!r}{close}; known: {', '.join(NEEDED)}, or a condition")
        else:
            found[str(name)] = np.asarray(evaluate(event)) != 0
    return found


def check_cases(name: str, event: np.ndarray, deal: np.ndarray) -> int:
    """Return the number of deals with the event, or without it if these are fewer; warn if it is small.

    Parameters
    ----------
    name : str
    event : ndarray of bool [shape=(rows,)]
    deal : ndarray of int [shape=(rows,)]
        Ascending, from 0.

    Raises
    ------
    ArgumentError
        There are fewer than 10 such deals.
    """
    deals = int(deal[-1]) + 1
    counts = [int(np.count_nonzero(np.bincount(deal, rows, deals))) for rows in (event, ~event)]
    cases = min(counts)
    verb = "occurs" if counts[0] <= counts[1] else "fails to occur"
    text = f"{name} {verb} in {cases} of {format_count(deals, 'deal')}"
    if cases < MIN_CASES:
        raise ArgumentError(f"{text}; its figures need {MIN_CASES}: give more deals, or leave {name} out")
    if cases < FEW_CASES:
        warn_caller(f"{text}; with fewer than {FEW_CASES} its intervals are approximate", SmallSample)
    return cases
