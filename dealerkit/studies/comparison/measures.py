"""Measures, targets, selections and classes of a comparison, as values for each side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from dealerkit.arguments import is_listing
from dealerkit.cards.deals import Deals
from dealerkit.errors import ArgumentError, UnknownNameError
from dealerkit.registry import get_function
from dealerkit.studies.expressions import build_expression, expand_names, expand_tricks, find_evaluators
from dealerkit.studies.sides import (
    SideEvaluator,
    choose_strains,
    find_side_tricks,
    find_tricks_of_sides,
    require_tables,
)

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
        """Names of the evaluators in its expressions."""
        return set().union(*(find_evaluators(text) for text in self.predictors if isinstance(text, str)))


def collect_measures(measures: object) -> list[Measure]:
    """Return the compared measures.

    Raises
    ------
    ArgumentError
        No evaluator, a repeated one, or one that is neither a name, an expression nor an array.
    UnknownNameError
        An unknown name, with the nearest known one.
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
        raise ArgumentError("an evaluator has a name that is empty; give it one, as in {'mine': 'hcp'}")
    if not found:
        raise ArgumentError("no evaluator is given; give a list of names, such as ['hcp', 'ltc']")
    return found


def _check_names(names: Iterable[Any]) -> list[str]:
    """Return names of evaluators."""
    checked: list[str] = []
    for name in names:
        if not isinstance(name, str):
            raise ArgumentError(f"{name!r:.60} is no name; arrays go in a mapping: {{'mine': values}}")
        if name in checked:
            raise ArgumentError(f"{name} is listed twice")
        if not name.isidentifier():
            raise UnknownNameError(
                f"{name!r} is no name; give expressions in a mapping, as in {{'mine': {name!r}}}"
            )
        get_function(name)  # the error for an unknown name comes before those of the sample
        checked.append(name)
    return checked


def _collect_predictors(name: str, given: Any) -> tuple[str | np.ndarray, ...]:
    """Return the predictors of a measure of a mapping."""
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
    """Both sides of solved deals with the strain that each plays; rows are deals, north-south first.

    Parameters
    ----------
    deals : Deals
        With tables.
    rule : str
        As `dealerkit.studies.sides.parse_strain_rule` returns it.
    declarer : {"better", "mean"}

    Raises
    ------
    ArgumentError
        Deals that are not solved, an unknown declarer.
    """

    def __init__(self, deals: Deals, rule: str, declarer: str) -> None:
        self.deals, self.declarer = deals, declarer
        require_tables(deals)
        self.strains = choose_strains(deals, rule)
        self.tricks = find_side_tricks(deals, self.strains, declarer)

    @cached_property
    def tables(self) -> np.ndarray:
        """Tricks of the sides in each strain, float64 [n, 2, 5]."""
        return find_tricks_of_sides(require_tables(self.deals), self.declarer).astype(float)

    @cached_property
    def _evaluator(self) -> SideEvaluator:
        return SideEvaluator(self.deals, self.strains)

    def evaluate(self, text: str, tricks: bool = False) -> np.ndarray:
        """Return the values of an expression for both sides, each in the strain that it plays: [n, 2].

        `tricks` allows the tricks taken in that strain in the expression.
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
                f"{text!r:.60} has the tricks, which are predicted; they belong into target= or events=, not "
                "into measures, where= or by="
            )
        return self._evaluator.evaluate_text(text)

    def find_values(self, name: str, given: Any, tricks: bool = False) -> np.ndarray:
        """Return values of both sides, float64 [n, 2], of an expression or array.

        Raises
        ------
        ArgumentError
            Values of the wrong shape or type, or that are not finite.
        """
        values = self.evaluate(given, tricks) if isinstance(given, str) else np.asarray(given)
        if not values.ndim:
            raise ArgumentError(
                f"{name} is {given!r:.60}; give an expression, or values [{len(self.deals)}, 2] for NS and EW"
            )
        if values.shape != self.tricks.shape or values.dtype.kind not in "biuf":
            raise ArgumentError(
                f"{name} has shape {values.shape} and type {values.dtype}; values are numbers "
                f"[{len(self.deals)}, 2], for NS and EW"
            )
        if not np.isfinite(values).all():
            row = int(np.flatnonzero(~np.isfinite(values).all(axis=1))[0])
            raise ArgumentError(
                f"{name} has values that are not finite, the first for deal {row:,}; remove these deals"
            )
        return values.astype(float)

    def select(self, where: str) -> np.ndarray:
        """Return for which sides a condition is true, bool [n, 2]."""
        result: np.ndarray = self.evaluate(where) != 0
        return result

    def classify(self, by: Any) -> dict[str, np.ndarray]:
        """Return by name which sides are in each class, bool [n, 2].

        Parameters
        ----------
        by : str, mapping of str to str, or ndarray [shape=(n, 2)] or [shape=(n,)]
            An expression, each value of which is a class; conditions by name; or values.

        Raises
        ------
        ArgumentError
            More than 60 classes, or values of the wrong shape.
        """
        if isinstance(by, Mapping):
            if not by:
                raise ArgumentError("by has no classes; give conditions, as in {'fit of 8': 'fit == 8'}")
            return {str(name): self.select(condition) for name, condition in by.items()}
        values = self.evaluate(by) if isinstance(by, str) else np.asarray(by)
        if values.shape == self.tricks.shape[:1]:
            values = np.repeat(values[:, None], 2, axis=1)
        if values.shape != self.tricks.shape:
            raise ArgumentError(
                f"by has shape {values.shape}; give an expression, conditions by name, or values "
                f"[{len(self.deals)}, 2] for NS and EW"
            )
        import pandas as pd

        if pd.isna(values).any():
            raise ArgumentError(
                "by has missing values; give those sides a class, or leave them out by where="
            )
        if values.dtype == object and len({isinstance(value, str) for value in values.flat}) > 1:
            raise ArgumentError("by has texts and numbers; give texts or numbers")
        label = by if isinstance(by, str) and by.isidentifier() else ""
        known = np.unique(values)
        if len(known) > MAX_CLASSES:
            raise ArgumentError(
                f"by has {len(known)} values, from {known[0]} to {known[-1]}; {MAX_CLASSES} classes at most: "
                "give conditions, as in {'weak': 'hcp < 20', 'strong': 'hcp >= 20'}"
            )
        return {f"{label} {value}".strip(): values == value for value in known.tolist()}
