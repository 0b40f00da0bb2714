"""How likely a condition is: an exact fraction where it can be counted, else an estimate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from dealerkit.arguments import check_integer
from dealerkit.cards.deals import Deals
from dealerkit.compiler.evaluation import BatchColumns, apply_clauses
from dealerkit.compiler.graph import OperationGraph
from dealerkit.counting.exact import count
from dealerkit.counting.features import NotAdditive, abstract, questions
from dealerkit.counting.suit_splits import Question, TooManyStates
from dealerkit.counting.suit_sums import Forms
from dealerkit.dealing.predeal import Predeal
from dealerkit.dealing.uniform.stream import deal_range
from dealerkit.errors import ArgumentError
from dealerkit.language import nodes
from dealerkit.language.checks import Program, check
from dealerkit.language.dialects import MODERN
from dealerkit.language.parser import parse_script
from dealerkit.planning.rates import FEWEST, PATIENCE, ROWS
from dealerkit.statistics import Estimate, proportion
from dealerkit.statistics.estimates import check_level

DEALS = 1_000_000  # that meet what is given, for an estimate
MOST_DEALT = 20_000_000  # in the search for them
MOST_VALUES = 20_000  # of an expression whose distribution is counted
SEED = int.from_bytes(b"dealerkit chance", "big")  # nobody's run

_STATEMENTS = (
    nodes.Definition, nodes.PointTable, nodes.Condition, nodes.PredealCards, nodes.PredealHand,
    nodes.PredealLength,
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Shares:
    """Values of an expression and how often each occurs.

    Attributes
    ----------
    values : ndarray [n]
        Integers, truth values or reals, rising.
    counts : list of int
        Deals that have the value: of all that there are if `exact`, else of those dealt.
    exact : bool
    why : str
        Why it is not exact.
    """

    values: np.ndarray
    counts: list[int]
    exact: bool
    why: str = ""

    @property
    def total(self) -> int:
        return sum(self.counts)


def probability(
    condition: str,
    given: str | None = None,
    predeal: Mapping[str, Any] | None = None,
    params: Sequence[str | None] = (),
    *,
    deals: int = DEALS,
    level: float = 0.95,
) -> Estimate:
    """How likely a deal meets a condition.

    Exact where the condition, and what is given, look at sums over suits only: points,
    controls, losers, lengths, shapes, single cards, of one hand, of partners, of several hands,
    in whatever combination, while not too many partial deals have to be told apart (the
    bounds stand in `dealerkit.counting.exact`). Else the share among deals dealt from a seed of
    its own, so that the same question always has the same answer.

    Parameters
    ----------
    condition : str
        An expression of the dealer language, after definitions of its own if it likes.
    given : str, optional
        Only deals that meet this count.
    predeal : mapping, optional
        Cards or suit lengths of seats, as for `dealerkit.deal`.
    params : sequence of str
        Values of the script variables ``$0`` to ``$9``.
    deals : int >= 1
        How many deals an estimate rests on, at most.
    level : float in (0, 1)
        Confidence level of its interval (Wilson's).

    Returns
    -------
    Estimate
        With `fraction` where it is exact.

    Raises
    ------
    ArgumentError
        No deal meets what is given.
    PredealError, ScriptError

    Examples
    --------
    >>> probability("spades(north) == 13").fraction
    Fraction(1, 635013559600)
    >>> probability("fit(NS, spades) >= 8", given="spades(north) == 5")
    0.543727 (exact)
    """
    deals = check_integer("deals", deals, 1)
    check_level(level)  # also where the answer is exact and has no use for them
    asked = read(condition, given, predeal, params)
    wanted = asked.graph.split_clauses(asked.node)
    try:
        forms = Forms(asked.graph)
        conditions = questions(forms, asked.given)
        all_of_it = questions(forms, [*asked.given, *wanted])
        cases = count(conditions, asked.predeal).get(1, 0) if asked.given else asked.predeal.deals
        if not cases:
            raise ArgumentError("no deal meets what is given, so nothing is likely or unlikely then")
        ways = count(all_of_it, asked.predeal).get(1, 0)
        return Estimate.exactly(Fraction(ways, cases), level=level)
    except (NotAdditive, TooManyStates):
        met = passed = 0
        for columns in _sample(asked, wanted, deals):
            met += len(columns)
            passed += len(apply_clauses(columns, wanted))
        return proportion(passed, met, level)


def shares(
    expression: str,
    given: str | None = None,
    predeal: Mapping[str, Any] | None = None,
    params: Sequence[str | None] = (),
    *,
    deals: int = DEALS,
) -> Shares:
    """The values of an expression and how often each occurs; arguments and errors as for `probability`.

    Examples
    --------
    >>> found = shares("hcp(north)", given="shape(north, any 4333) and hcp(north) > 35")
    >>> found.values.tolist(), found.exact
    ([36, 37], True)
    """
    asked = read(expression, given, predeal, params)
    slot = asked.graph.add_expression(asked.node)
    try:
        forms = Forms(asked.graph)
        told = abstract(forms, [slot])
        values: list[np.ndarray] = []

        def outcome(codes: np.ndarray) -> np.ndarray:
            found, position = _distinct(told.values(codes, slot))
            if len(found) > MOST_VALUES:
                raise TooManyStates(f"the expression has {len(found):,} values, more than {MOST_VALUES:,}")
            values[:] = [found]
            return position + 1

        ways = count([*questions(forms, asked.given), Question(told.codes(), outcome)], asked.predeal)
        result = Shares(values[0][[number - 1 for number in ways]], list(ways.values()), True)
    except (NotAdditive, TooManyStates) as reason:
        sampled = [columns.array(slot) for columns in _sample(asked, [slot], deals)]
        found, position = _distinct(np.concatenate(sampled))
        counts = np.bincount(position, minlength=len(found)).tolist() if len(position) else []
        return Shares(found, counts, False, str(reason))
    if not result.counts:
        raise ArgumentError("no deal meets what is given, so the expression has no values")
    return result


def _distinct(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Distinct values, and which of them each is; reals to nine digits behind the point, as they compare."""
    return np.unique(np.round(values, 9) if values.dtype.kind == "f" else values, return_inverse=True)


# ------------------------------------------------------------ what is asked
@dataclass(frozen=True, eq=False)
class Asked:
    """An expression, what is given, and the operations of both."""

    graph: OperationGraph
    node: nodes.Expression
    given: list[int]
    predeal: Predeal


def read(
    text: str,
    given: str | None = None,
    predeal: Mapping[str, Any] | None = None,
    params: Sequence[str | None] = (),
) -> Asked:
    """Read an expression and what is given.

    Raises
    ------
    ArgumentError
        Both define the same variable or table of points, differently.
    PredealError, ScriptError
    """
    program = _program(text, params)
    other = _program(given, params) if given is not None else None
    definitions, points, demanded = program.definitions, program.points, program.predeal
    if other is not None:
        definitions = _united(definitions, other.definitions)
        points = _united(points, other.points)
        demanded = demanded + other.predeal
    if predeal is not None:
        demanded = demanded + Predeal.from_mapping(predeal)
    demanded.check()
    graph = OperationGraph(MODERN, definitions, points, program.script)
    conditions = graph.split_clauses(other.condition) if other is not None and other.condition else []
    assert program.condition is not None
    return Asked(graph, program.condition, conditions, demanded)


def _program(text: str, params: Sequence[str | None]) -> Program:
    """A checked text that holds one expression."""
    program = check(parse_script(text, MODERN, params=params))
    for statement in program.script.statements:
        if not isinstance(statement, _STATEMENTS):
            OperationGraph(MODERN, script=program.script).raise_error(
                statement, "only an expression, after variables and a predeal of its own, has a probability"
            )
    if program.condition is None:
        raise ArgumentError(f"an expression is missing in {text!r:.60}; write one such as 'hcp(north) > 15'")
    return program


def _united(one: Mapping[str, Any], two: Mapping[str, Any]) -> dict[str, Any]:
    for name in one.keys() & two.keys():
        if one[name] != two[name]:
            raise ArgumentError(f"{name!r} is defined twice and differently; rename one of them")
    return {**two, **one}


def _sample(asked: Asked, slots: Sequence[int], deals: int) -> Any:
    """Columns of plain deals that meet what is given, up to so many."""
    every = [*asked.given, *slots]
    graph = asked.graph
    cost = max(graph.operations[slot].cost_ns for slot in every)
    wanted = min(deals, max(FEWEST, int(PATIENCE / max(cost, 1e-3))))
    seats = graph.find_seats(every) or 1
    met = 0
    for first in range(0, MOST_DEALT, ROWS):
        size = min(ROWS, wanted) if not asked.given else ROWS
        hands = deal_range(SEED, first, size, seats, asked.predeal or None)
        columns = BatchColumns(graph, Deals(hands, check=False), SEED & 0xFFFFFFFF, first + np.arange(size))
        columns = apply_clauses(columns, asked.given)
        if met + len(columns) > wanted:
            columns = columns.take(np.arange(wanted - met))
        met += len(columns)
        yield columns
        if met >= wanted:
            return
    if not met:
        raise ArgumentError(
            f"none of {MOST_DEALT:,} deals meets what is given, so nothing can be said; "
            "give less, or predeal the cards"
        )
