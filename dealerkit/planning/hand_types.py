"""Check the hand types of `level` before a run: count their rates and overlaps, if possible."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations

from dealerkit.actions.hand_types import describe_overlap
from dealerkit.appearance.numbers import format_odds, format_significant
from dealerkit.compiler.compilation import compile_program
from dealerkit.dealing.predeal import Predeal
from dealerkit.errors import ScriptError
from dealerkit.language import nodes
from dealerkit.language.checks import Program
from dealerkit.language.source import ScriptSource
from dealerkit.planning.plan import Plan, make_plan

COUNT_NS = 3e8  # nanoseconds of processor time that all counts of a script may take
MIN_RATE = Fraction(1, 10**9)  # smallest rate of a hand type


@dataclass(frozen=True, eq=False)
class HandTypePlan:
    """A hand type, and the plain plan of the deals that meet the condition and belong to it."""

    node: nodes.LevelType
    plan: Plan
    exact_rate: Fraction | None  # share of all deals; None if it cannot be counted


def plan_hand_types(program: Program, predeal: Predeal) -> tuple[HandTypePlan, ...]:
    """Return the hand types of a script that has `level`.

    Raises
    ------
    ScriptError
        A count proves that types overlap, or that a type is empty or rarer than 1 in 10^9; or a type contains
        random numbers.
    """
    assert program.level is not None
    types = program.level.types
    budget_ns = COUNT_NS / (len(types) + 2)
    hand_types = []
    for node in types:
        plan = _plan_deals(program, (node.value,))
        if plan.graph.has_kind([plan.graph.add_expression(node.value)], "random"):
            message = (
                f'the hand type "{node.label}" contains random numbers; a type may depend on the cards only'
            )
            raise build_type_error(program, node, message)
        rate = _count_rate(plan, predeal, budget_ns)
        if rate is not None and rate < MIN_RATE:
            raise build_rarity_error(program, node, rate)
        hand_types.append(HandTypePlan(node, plan, rate))
    _refuse_overlaps(program, types, predeal, budget_ns)
    return tuple(hand_types)


def plan_other_deals(program: Program, predeal: Predeal) -> tuple[Plan, Fraction | None]:
    """Return the plain plan of the deals that meet the condition and belong to no type, and their rate."""
    assert program.level is not None
    values = tuple(node.value for node in program.level.types)
    plan = _plan_deals(program, tuple(nodes.Not(value) for value in values))
    return plan, _count_rate(plan, predeal, COUNT_NS / (len(values) + 2))


def build_type_error(program: Program, node: nodes.LevelType, message: str) -> ScriptError:
    """Return the error about a hand type, with its place in the script."""
    script = program.script
    return ScriptSource(script.text, script.rules, script.file).error_at(message, node.place)


def build_rarity_error(program: Program, node: nodes.LevelType, rate: Fraction | float | None) -> ScriptError:
    """Return the error about a hand type that is empty or too rare.

    `rate` is its exact rate as a Fraction; or, as a float, an upper bound of the rate if none was dealt; or
    None if the type is empty.
    """
    if isinstance(rate, float):
        message = (
            f'the hand type "{node.label}" is empty or very rare: none was dealt, so it is '
            f"rarer than 1 in {format_significant(1 / rate)}"
        )
    elif rate:
        message = (
            f'the hand type "{node.label}" is too rare: {format_odds(float(rate))} deals, less than 1 in 10^9'
        )
    else:
        message = f'the hand type "{node.label}" is empty: no deal meets its expression and the condition'
    return build_type_error(program, node, f"{message}; widen its expression, or leave the type out")


def _plan_deals(program: Program, values: Sequence[nodes.Expression]) -> Plan:
    """Return the plain plan of the deals that meet the condition and all of these expressions."""
    operands = [*values] if program.condition is None else [program.condition, *values]
    condition = operands[0] if len(operands) == 1 else nodes.And(tuple(operands))
    own = replace(program, condition=condition, level=None, actions=(), prints=False)
    return make_plan(compile_program(own), counts_types=False)


def _count_rate(plan: Plan, predeal: Predeal, budget_ns: float) -> Fraction | None:
    """Return the exact share of the deals that meet a plan's clauses; None if they cannot be counted."""
    from dealerkit.counting.exact import count_share, find_countable  # few runs need these
    from dealerkit.counting.suit_splits import TooManyStates

    countable, obstacle = find_countable(plan.graph, dict.fromkeys(plan.clauses))
    if not countable:
        return None if obstacle else Fraction(1)
    try:
        rate = count_share(plan.graph, countable, predeal, budget_ns)
    except TooManyStates:
        return None
    return None if obstacle and rate else rate


def _refuse_overlaps(
    program: Program, types: Sequence[nodes.LevelType], predeal: Predeal, budget_ns: float
) -> None:
    """Raise ScriptError if a count proves that deals belong to two types."""
    if len(types) < 2:
        return
    truths = tuple(nodes.Not(nodes.Not(node.value)) for node in types)
    n_types = nodes.Chain(truths, ("+",) * (len(types) - 1))
    several = nodes.Chain((n_types, nodes.Number(2)), (">=",))
    if not _count_rate(_plan_deals(program, (several,)), predeal, budget_ns):
        return
    for first, second in combinations(types, 2):
        rate = _count_rate(_plan_deals(program, (first.value, second.value)), predeal, budget_ns)
        if rate:
            names = f'hand types "{first.label}" and "{second.label}"'
            message = describe_overlap(names, f"in {format_significant(100 * float(rate))} % of all deals")
            raise build_type_error(program, second, message)
