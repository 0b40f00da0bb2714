"""Sweeps: results of a script, or of a question, for several values of one or two script variables."""

from __future__ import annotations

import itertools
import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.actions import AverageReport
from dealerkit.appearance.card import Card
from dealerkit.appearance.content import Chart, Code, Place
from dealerkit.appearance.numbers import format_count, format_level
from dealerkit.appearance.table import Column, Table
from dealerkit.appearance.wording import join_words, number_names, shorten
from dealerkit.arguments import Given, check_optional_integer, read_given
from dealerkit.errors import ArgumentError, Parameter, quote, suggest_name, warn_caller
from dealerkit.language import nodes
from dealerkit.language.checks import Program, check_script
from dealerkit.language.dialects import find_rules
from dealerkit.language.parser import read_script
from dealerkit.language.printer import to_text
from dealerkit.language.script_variables import Params, ScriptVariables
from dealerkit.language.trees import has_truth_value, walk
from dealerkit.runtime.progress import long_work, track_items
from dealerkit.simulation.calls import read_text
from dealerkit.simulation.job import RunOptions
from dealerkit.simulation.run import run_script
from dealerkit.statistics import Estimate
from dealerkit.studies.estimate import estimate
from dealerkit.studies.limits import INTERRUPT
from dealerkit.studies.provenance import DEFAULT_SEEDS, RepeatableResult, repeatable

if TYPE_CHECKING:
    import pandas as pd

MAX_RUNS = 400  # largest number of combinations of values
PRODUCE = 10_000  # deals for each combination, if the script sets no number
COMPARED = 1000  # number of deals that are compared for equality
MAX_SERIES = 4  # largest number of lines in a plot
NAME_LENGTH = 40
MODERN = find_rules("modern")
PROBABILITY = "probability"  # the name of the condition's probability as a measure
SEED = 1  # of the deals of scripts, so that equal calls return equal results
PREDEALS = (nodes.PredealCards, nodes.PredealHand, nodes.PredealLength)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Sweep(RepeatableResult):
    """Results for several values of one or two script variables, as `dealerkit.sweep` returns them.

    Attributes
    ----------
    variables : dict of str to tuple
        The values of each variable.
    measures : dict of str to dict
        The `Estimate` by the label of a report and the values of the variables. "probability" is the label of
        the condition's probability.
    shares : frozenset of str
        The measures that are shares of deals.
    same_deals : tuple of str
        The variables that do not influence the condition: results for all of their values come from the same
        deals.
    deals : dict of tuple to int
        Number of deals, by the values of the variables.
    script : str
    seed : int or None
        None: the default seed of questions.
    confidence : float
    provenance : Provenance
        The call that repeats the sweep, with the versions.

    Examples
    --------
    >>> import dealerkit as dk
    >>> script = 'condition hcp(north) >= $low action average "south" hcp(south)'
    >>> swept = dk.sweep(script, low=range(15, 18), produce=1000, seed=1)
    >>> swept.frame.columns.tolist(), swept.same_deals
    (['low', 'measure', 'value', 'lo', 'hi', 'deals'], ())
    """

    variables: Mapping[str, tuple[Any, ...]]
    measures: Mapping[str, Mapping[tuple[Any, ...], Estimate]]
    shares: frozenset[str]
    same_deals: tuple[str, ...]
    deals: Mapping[tuple[Any, ...], int]
    script: str
    seed: int | None
    confidence: float

    @property
    def frame(self) -> pd.DataFrame:
        """A row for each combination of values and each measure.

        Columns: the variables; `measure`; `value`, with `lo` and `hi`, the ends of its interval; `deals`.
        """
        import pandas as pd

        rows = [
            (*values, name, found.value, found.lo, found.hi, self.deals[values])
            for values in itertools.product(*self.variables.values())
            for name, by_values in self.measures.items()
            if (found := by_values.get(values)) is not None
        ]
        return pd.DataFrame(rows, columns=[*self.variables, "measure", "value", "lo", "hi", "deals"])

    def to_frame(self) -> pd.DataFrame:
        """Return `frame`."""
        return self.frame

    def estimate(self, measure: str | None = None, **values: Any) -> Estimate:
        """Return a measure for values of the variables.

        Parameters
        ----------
        measure : str, optional
            By default the first.
        **values
            Values of all variables.

        Raises
        ------
        ArgumentError
            The measure is unknown, or the values were not swept.
        """
        name = next(iter(self.measures)) if measure is None else measure
        if name not in self.measures:
            known = list(self.measures)
            raise ArgumentError(f"unknown measure {name!r}{suggest_name(name, known) or f'; one of {known}'}")
        key = tuple(values.get(variable) for variable in self.variables)
        if set(values) != set(self.variables) or key not in self.measures[name]:
            raise ArgumentError(f"no values {values}; give one of {dict(self.variables)} for each variable")
        return self.measures[name][key]

    def card(self) -> Card:
        names = join_words([f"${name}" for name in self.variables])
        measures = list(self.measures)
        is_counted = not max(self.deals.values())
        intervals = "" if is_counted else f"{format_level(self.confidence)} intervals. "
        tables = [self._build_table()] if len(self.variables) == 1 else list(map(self._cross, measures))
        return Card(
            f"{measures[0] if len(measures) == 1 else 'Results'} by {names}",
            about=[f"{intervals}{self._describe_deals()}"],
            tables=tables,
            charts=[Chart(name, partial(self._draw, name)) for name in measures],
            notes=[("Script: ", Code(" ".join(self.script.split())))],
            provenance=self._list_facts(),
        )

    def _count_deals(self) -> str:
        """Return the number of deals of each combination, or the smallest and largest number."""
        low, high = min(self.deals.values()), max(self.deals.values())
        number = format_count(high, "deal")
        return number if low == high else f"{format_count(low)} to {number}"

    def _describe_deals(self) -> str:
        """Return sentences that say which results come from the same deals."""
        if not max(self.deals.values()):
            return "Counted exactly."
        number = self._count_deals()
        seed = "" if self.seed is None else f", seed {self.seed}"
        each = "row" if len(self.variables) == 1 else "cell"
        about = f"{number[0].upper()}{number[1:]} for each {each}{seed}."
        own = [f"${name}" for name in self.variables if name not in self.same_deals]
        if self.same_deals:
            names = join_words([f"${name}" for name in self.same_deals])
            about += f" The condition does not depend on {names}: all of its values have the same deals."
        if own:
            about += f" Each value of {join_words(own)} has its own deals."
        return about

    def _build_table(self) -> Table:
        """Return a row for each value of the variable, with a column for each measure."""
        ((variable, values),) = self.variables.items()
        columns = [Column(variable, f"${variable}", "label")]
        for name in self.measures:
            kind: Any = "share" if name in self.shares else "value"
            columns.append(Column(name, shorten(name, NAME_LENGTH), kind, interval="within"))
        columns.append(Column("deals", kind="count", optional=1))
        rows = [
            [
                str(value),
                *(found.get((value,)) for found in self.measures.values()),
                self.deals[value,] or None,
            ]
            for value in values
        ]
        return Table(columns, rows)

    def _cross(self, name: str) -> Table:
        """Return a measure by both variables: the first down, the second across."""
        (down, downs), (across, acrosses) = self.variables.items()
        kind: Any = "share" if name in self.shares else "value"
        columns = [Column(down, f"${down}", "label")]
        columns += [
            Column(f"{across}_{value}", f"${across} = {value}", kind, interval="within") for value in acrosses
        ]
        found = self.measures[name]
        rows = [[str(value), *(found.get((value, other)) for other in acrosses)] for value in downs]
        return Table(columns, rows, shorten(name, NAME_LENGTH))

    def _draw(self, name: str, place: Any) -> Any:
        """Draw a measure against the variable with more values, as one series for each value of the other."""
        from dealerkit.charts.series import plot_series

        place, is_share, found = Place.of(place), name in self.shares, self.measures[name]
        names = sorted(self.variables, key=lambda variable: -len(self.variables[variable]))
        across = names[0]
        others = self.variables[names[1]] if len(names) > 1 else (None,)
        if len(others) > MAX_SERIES:
            raise ArgumentError(
                f"a plot has at most {MAX_SERIES} lines; give ${names[1]} at most {MAX_SERIES} values, or "
                "plot the frame"
            )
        series = {}
        for other in others:
            points = {}
            for value in self.variables[across]:
                key = tuple(value if variable == across else other for variable in self.variables)
                if key in found:
                    estimate = found[key]
                    points[_to_place(value, self.variables[across])] = {
                        "value": estimate.value, "lo": estimate.lo, "hi": estimate.hi,
                    }  # fmt: skip
            import pandas as pd

            label = name if other is None else f"${names[1]} = {other}"
            series[label] = pd.DataFrame.from_dict(points, orient="index")
        level, number = format_level(self.confidence), self._count_deals()
        has_sample = max(self.deals.values()) > 0
        return plot_series(
            series, place.title or f"{name} by ${across}", x=f"${across}", percent=is_share,
            caption=f"{number} for each value; {level} intervals." if has_sample else "Counted exactly.",
            ax=place.ax, figsize=place.figsize,
        )  # fmt: skip

    def __repr__(self) -> str:
        names = ", ".join(f"{name} {values[0]} to {values[-1]}" for name, values in self.variables.items())
        return f"<Sweep over {shorten(names, 80)}: {shorten(', '.join(self.measures), 80)}>"


def _to_place(value: Any, values: Sequence[Any]) -> float:
    """Return the position of a value on the axis: the number itself, or its index among texts."""
    is_scale = all(isinstance(each, int | float | np.number) for each in values)
    return float(value) if is_scale else float(list(values).index(value))


@long_work
@repeatable
def sweep(
    script: str | os.PathLike[str],
    given: Given | None = None,
    *,
    produce: int | None = None,
    precision: float | None = None,
    seed: int | None = None,
    predeal: Mapping[str, Any] | None = None,
    params: Params = (),
    confidence: float = 0.95,
    include: Sequence[str | os.PathLike[str]] = (),
    variables: Mapping[str, Iterable[Any]] | None = None,
    **names: Iterable[Any],
) -> Sweep:
    """Return the results of a script or a question for several values of one or two script variables.

    A script with actions is run for each value; its averages are compared, and so is the probability of its
    condition if that depends on a variable. An expression is a question: its mean, or how often it is true,
    is estimated on deals that meet `given`, as `dealerkit.estimate` does.

    All results have the same seed. If the condition does not depend on a variable, they come from the same
    deals, so differences between its values are more precise than their intervals suggest. The card says for
    which variables this is the case.

    Parameters
    ----------
    script : str or os.PathLike
        Text or file of the dealer language, with script variables such as ``$low``.
    given : str, os.PathLike or Auction, optional
        The condition that the deals of a question meet; script variables are allowed.
    produce : int, optional
        Number of deals of a script for each combination of values; by default that of the script, otherwise
        10,000.
    precision : float, optional
        For a question: the half-width of its intervals, as for `dealerkit.estimate`.
    seed : int, optional
        Seed; by default that of the script, otherwise 1.
    predeal : mapping, optional
        Cards that are known in addition to those of the script, as for `dealerkit.deal`.
    params : mapping or sequence
        Values of the other script variables, as for `run`.
    confidence : float in (0, 1)
        Confidence level of all intervals, each taken separately.
    include : sequence of str or os.PathLike
        Folders to search for included files, as for `parse`.
    variables : mapping of str to iterable, optional
        The same as `names`, for variables whose name is that of a parameter.
    **names : iterable
        The values of one or two variables, such as ``low=range(12, 18)``: numbers, or texts that replace the
        variable.

    Returns
    -------
    Sweep

    Raises
    ------
    ArgumentError
        There is no variable or more than two, no value, more than 400 combinations, or a script without
        averages.
    ScriptError

    Examples
    --------
    >>> swept = sweep("losers(north) <= $most", "hcp(north) == $points", most=[6, 7], points=[10, 12, 14],
    ...               precision=0.05)
    >>> swept.estimate(most=7, points=12) > swept.estimate(most=6, points=12)
    True
    >>> swept.same_deals
    ('most',)
    """
    chosen = _check_variables({**(variables or {}), **names})
    seed = check_optional_integer("seed", seed)
    fixed = dict(params) if isinstance(params, Mapping) else {str(k): text for k, text in enumerate(params)}
    combinations = list(itertools.product(*chosen.values()))
    given = read_given(given)
    # The script with its first values decides whether it has actions or is a question.
    here = fixed | dict(zip(chosen, combinations[0], strict=True))
    program = check_script(read_script(script, MODERN, ScriptVariables(here), include))
    is_question = given is not None or not any(
        isinstance(statement, nodes.ActionList) for statement in program.script.statements
    )
    if is_question and produce is not None:
        raise ArgumentError("a question needs a precision; give ", Parameter("precision="))
    if not is_question and precision is not None:
        raise ArgumentError("a script with actions needs a number of deals; give ", Parameter("produce="))
    ask = partial(_ask_question, given=given, precision=precision)
    measure = ask if is_question else partial(_run_script, produce=produce or program.produce or PRODUCE)
    options: dict[str, Any] = {"predeal": predeal, "confidence": confidence, "include": include}
    # The results for each combination; a warning that several of them share is issued once
    parts = []
    caught: dict[tuple[str, type[Warning]], Warning] = {}
    for combination in track_items(combinations, len(combinations), "values"):
        here = fixed | dict(zip(chosen, combination, strict=True))
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            parts.append(measure(script, here, seed=seed, **options))
        caught |= {(str(warning.message), warning.category): warning.message for warning in found}  # type: ignore[misc]
        seed = parts[-1].seed
    for warning in caught.values():
        warn_caller(warning)
    results = dict(zip(combinations, parts, strict=True))
    same = tuple(name for name in chosen if _is_independent(name, chosen, results))
    measures: dict[str, dict[tuple[Any, ...], Estimate]] = {}
    for combination, part in results.items():
        for name, estimate_ in part.measures.items():
            measures.setdefault(name, {})[combination] = estimate_
    if len(same) == len(chosen):
        measures.pop(PROBABILITY, None)
    if not measures:
        raise ArgumentError("the script has no average to compare; add one: action average hcp(south)")
    given_text = "" if given is None else f", given {getattr(given, 'shown', read_text(given))}"
    return Sweep(
        variables=chosen, measures=measures,
        shares=frozenset(name for part in parts for name in part.shares), same_deals=same,
        deals={combination: part.deals for combination, part in results.items()},
        script=f"{read_text(script)}{given_text}", seed=None if seed in DEFAULT_SEEDS.values() else seed,
        confidence=confidence,
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class _Part:
    """The result for one combination of values."""

    measures: dict[str, Estimate]
    shares: set[str]
    deals: int
    seed: int | None
    condition: tuple[Any, ...]  # equal for equal conditions
    hands: np.ndarray  # hands of the first deals, if known


def _check_variables(variables: Mapping[str, Iterable[Any]]) -> dict[str, tuple[Any, ...]]:
    """Return the values of one or two variables, each value once."""
    chosen: dict[str, tuple[Any, ...]] = {}
    for name, values in variables.items():
        if isinstance(values, str) or not isinstance(values, Iterable):
            raise ArgumentError(f"{name} is {quote(values)}; give its values, such as {name}=range(12, 18)")
        chosen[name] = tuple(dict.fromkeys(values))
        if not chosen[name]:
            raise ArgumentError(f"{name} has no values; give some, such as {name}=range(12, 18)")
    if not 1 <= len(chosen) <= 2:
        raise ArgumentError(
            f"{len(chosen)} variables are swept; give one or two, such as low=range(12, 18) for $low"
        )
    n_runs = int(np.prod([len(values) for values in chosen.values()]))
    if n_runs > MAX_RUNS:
        raise ArgumentError(f"{format_count(n_runs)} combinations of values; at most {MAX_RUNS} are computed")
    return chosen


def _run_script(
    script: Any,
    params: Mapping[str, Any],
    *,
    produce: int,
    seed: int | None,
    predeal: Any,
    confidence: float,
    include: Any,
) -> _Part:
    """Return the averages of a run, and the probability of its condition."""
    options = RunOptions(
        params=params, produce=produce, seed=SEED if seed is None else seed, keep=COMPARED, predeal=predeal,
        confidence=confidence, include=include,
    )  # fmt: skip
    result = run_script(script, options)
    if result.interrupted:
        raise KeyboardInterrupt
    averages = [report for report in result.reports if isinstance(report, AverageReport)]
    names = number_names(str(report.label or report.expression) for report in averages)
    measures = {name: report.mean for name, report in zip(names, averages, strict=True)}
    shares = {name for name, report in zip(names, averages, strict=True) if report.truth}
    measures[PROBABILITY] = result.probability
    condition = _describe_condition(result.plan.program)
    hands = result.deals.hands[:COMPARED]
    return _Part(measures, shares | {PROBABILITY}, result.produced, result.seed, condition, hands)


def _ask_question(
    question: Any,
    params: Mapping[str, Any],
    *,
    given: Any,
    precision: float | None,
    seed: int | None,
    predeal: Any,
    confidence: float,
    include: Any,
) -> _Part:
    """Return the estimate of a question."""
    # Each text gets only values for its own variables, since others would be rejected.
    texts = " ".join([read_text(question), "" if given is None else read_text(given)])
    used = {name: value for name, value in params.items() if f"${name}" in texts}
    result = estimate(
        question, given, predeal=predeal, params=used, precision=precision, seed=seed, confidence=confidence,
        include=include,
    )  # fmt: skip
    if result.reason == INTERRUPT:
        raise KeyboardInterrupt
    name = shorten(" ".join(read_text(question).split()), NAME_LENGTH)
    condition: tuple[Any, ...] = ()
    if given is not None:
        condition = _describe_condition(
            check_script(read_script(given, MODERN, ScriptVariables(used), include))
        )
    asked = check_script(read_script(question, MODERN, ScriptVariables(used), include))
    is_truth = asked.condition is not None and has_truth_value(asked.condition, asked.definitions)
    shares = {name} if is_truth else set()
    return _Part(
        {name: result.estimate},
        shares,
        result.cost.deals,
        result.provenance.seed,
        condition,
        np.empty((0, 4), np.uint64),
    )


def _describe_condition(program: Program) -> tuple[Any, ...]:
    """Return the condition of a program with the definitions that it uses, and its predealt cards."""
    texts: dict[str, str] = {}
    left = [program.condition] if program.condition is not None else []
    while left:
        for node in walk(left.pop()):
            name = getattr(node, "name", None) if isinstance(node, nodes.Name) else None
            if name in program.definitions and name not in texts:
                texts[name] = to_text(program.definitions[name])
                left.append(program.definitions[name])
    predeal = [to_text(each) for each in program.script.statements if isinstance(each, PREDEALS)]
    return to_text(program.condition) if program.condition is not None else "", texts, predeal


def _is_independent(
    name: str, variables: Mapping[str, Sequence[Any]], parts: Mapping[tuple[Any, ...], _Part]
) -> bool:
    """Return whether the deals are the same for all values of a variable, whatever the value of the other."""
    place = list(variables).index(name)
    groups: dict[tuple[Any, ...], _Part] = {}
    for combination, part in parts.items():
        first = groups.setdefault(combination[:place] + combination[place + 1 :], part)
        if first.condition != part.condition or not np.array_equal(first.hands, part.hands):
            return False
    return True
