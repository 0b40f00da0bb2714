"""Scripts and expressions compiled to operations: the entry points of this package."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from dealerkit.appearance.wording import limit_repr
from dealerkit.cards.names import seat_number, vulnerability_number
from dealerkit.compiler.graph import OperationGraph
from dealerkit.compiler.text_mistakes import warn_of_text_mistakes
from dealerkit.dealing.predeal import Predeal
from dealerkit.errors import ArgumentError, quote
from dealerkit.language import nodes
from dealerkit.language.checks import Program, check_script
from dealerkit.language.dialects import MODERN, Rules
from dealerkit.language.parser import read_script, read_text
from dealerkit.language.script import Script
from dealerkit.language.script_variables import Params, ScriptVariables
from dealerkit.language.source import ScriptSource
from dealerkit.runtime.process import cached_property

_VARIABLES = (nodes.Definition, nodes.PointTable)
_PREDEAL = (nodes.PredealCards, nodes.PredealHand, nodes.PredealLength)


@limit_repr
@dataclass(frozen=True, eq=False)
class CompiledScript:
    """A checked script with its operations.

    Attributes
    ----------
    program : Program
    graph : OperationGraph
        The operations of its variables and of every expression compiled since.
    given : tuple of int
        Slots of the clauses of a condition that is assumed to hold, as `given` of `dealerkit.probability`.
    """

    program: Program
    graph: OperationGraph = field(repr=False)
    given: tuple[int, ...] = ()

    @cached_property
    def clauses(self) -> tuple[int, ...]:
        """Slots of the clauses of the condition, in the order of the text."""
        condition = self.program.condition
        return () if condition is None else tuple(self.graph.split_clauses(condition))

    @cached_property
    def expression(self) -> int:
        """The slot of the whole condition."""
        assert self.program.condition is not None
        return self.graph.add_expression(self.program.condition)


def read_program(
    script: str | bytes | os.PathLike[str] | Script,
    rules: Rules = MODERN,
    *,
    params: Params | ScriptVariables = (),
    title: str | None = None,
    opener: int | str | None = None,
    vulnerable: int | str | bool | None = None,
    predeal: Mapping[str, Any] | None = None,
    include: Sequence[str | os.PathLike[str]] | None = (),
) -> Program:
    """Return a checked script, in which the caller's settings replace those of the script.

    Parameters and errors are those of `dealerkit.run`. The cards of `predeal` and those that the script
    predeals are all predealt.
    """
    program = check_script(read_script(script, rules, params, include))
    if title is not None:
        program = replace(program, title=title)
    if opener is not None:
        program = replace(program, opener=seat_number(opener))
    if vulnerable is not None:
        program = replace(program, par_vulnerable=vulnerability_number(vulnerable))
    # In classic dialects, the statement `vulnerable` applies to printpbn only, and the argument to par only.
    if not rules.is_classic:
        chosen = program.vulnerable if vulnerable is None else program.par_vulnerable
        program = replace(program, vulnerable=chosen, par_vulnerable=chosen or 0)
    return program if predeal is None else _add_predeal(program, Predeal.from_mapping(predeal))


def compile_program(program: Program, given: Program | None = None) -> CompiledScript:
    """Return a checked script with its operations and those of `given`, whose condition is assumed to hold.

    Raises
    ------
    ArgumentError
        Both define the same variable or table of points, differently.
    PredealError
        No deal complies with the predeal of both.
    ScriptError
        The script cannot be compiled; see `OperationGraph`.
    """
    if given is None:
        return CompiledScript(program, OperationGraph(program.script.rules, program))
    program = replace(
        _add_predeal(program, given.predeal),
        definitions=_merge_definitions(program.definitions, given.definitions),
        points=_merge_definitions(program.points, given.points),
    )
    graph = OperationGraph(program.script.rules, program)
    assert given.condition is not None
    return CompiledScript(program, graph, tuple(graph.split_clauses(given.condition)))


def compile_script(
    script: str | bytes | os.PathLike[str] | Script, rules: Rules = MODERN, **settings: Any
) -> CompiledScript:
    """Return a script with its operations; `settings` are those of `read_program`.

    Examples
    --------
    >>> compiled = compile_script("condition hcp(north) > 15 and fit(NS) > 7 action printpbn")
    >>> len(compiled.clauses), compiled.program.actions[0].name
    (2, 'printpbn')
    """
    return compile_program(read_program(script, rules, **settings))


def compile_expression(
    text: str | os.PathLike[str],
    rules: Rules = MODERN,
    params: Params | ScriptVariables = (),
    include: Sequence[str | os.PathLike[str]] | None = (),
    **settings: Any,
) -> CompiledScript:
    """Return the expression in a text or a file with its operations; definitions of variables may precede it.

    `settings` are those of `read_program` that apply to expressions: opener and vulnerable.

    Raises
    ------
    ScriptError
        The text has a mistake, has another statement, or has no expression.

    Examples
    --------
    >>> compiled = compile_expression("points = hcp(north) + hcp(south) points")
    >>> compiled.graph.operations[compiled.expression].range
    Range(low=0, high=74)
    """
    program = read_program(read_text(text, rules, params, include=include), rules, **settings)
    _refuse_other_statements(
        program, _VARIABLES, "only an expression can be evaluated on deals; only variables may precede it"
    )
    if program.condition is None:
        raise ScriptSource(program.script.text, rules).error_at(
            "an expression is missing, such as hcp(north) + hcp(south)", None
        )
    return compile_program(program)


def compile_condition(
    condition: str | os.PathLike[str],
    given: str | os.PathLike[str] | None = None,
    predeal: Mapping[str, Any] | None = None,
    params: Params | ScriptVariables = (),
    include: Sequence[str | os.PathLike[str]] | None = (),
) -> CompiledScript:
    """Return an expression, and a condition that is assumed to hold, with their operations.

    Each text has one expression, which definitions of variables and a predeal may precede. Both may use
    `params` and the folders `include`.

    Raises
    ------
    ArgumentError
        A text has no expression, both texts define the same variable or table of points differently, or
        neither uses a value of `params`.
    PredealError
        No deal complies with the predeal.
    ScriptError
        A text has a mistake, or has another statement.

    Examples
    --------
    >>> compiled = compile_condition("spades(north) == 5", given="hcp(north) > 15 and hcp(east) < 9")
    >>> len(compiled.clauses), len(compiled.given)
    (1, 2)
    """
    return compile_conditions((condition,), given, predeal, params, include=include)[0]


def compile_conditions(
    conditions: Sequence[str | os.PathLike[str]],
    given: str | os.PathLike[str] | None = None,
    predeal: Mapping[str, Any] | None = None,
    params: Params | ScriptVariables = (),
    *,
    include: Sequence[str | os.PathLike[str]] | None = (),
) -> tuple[CompiledScript, list[nodes.Expression]]:
    """Return the compiled script of the first expression, and the nodes of all expressions.

    The graph has the variables of all texts, which must not define a name differently. Parameters and errors
    are those of `compile_condition`.
    """
    # Check each text alone; it may have its own variables and predeal.
    programs = []
    variables = ScriptVariables.collect(params)
    for text in conditions if given is None else (*conditions, given):
        program = check_script(read_text(text, MODERN, variables, include=include))
        _refuse_other_statements(
            program,
            (*_VARIABLES, *_PREDEAL, nodes.Condition),
            "only an expression has a probability; only variables and predeals may precede it",
        )
        if program.condition is None:
            raise ArgumentError(
                f"an expression is missing in {quote(text)}; write one such as 'hcp(north) > 15'"
            )
        warn_of_text_mistakes(program)
        programs.append(program)
    variables.check_used()
    if predeal is not None:
        programs[0] = _add_predeal(programs[0], Predeal.from_mapping(predeal))
    # One program has the predeals and the definitions of all of them, and one graph their conditions.
    first, *others = programs[: len(conditions)]
    for other in others:
        first = replace(
            _add_predeal(first, other.predeal),
            definitions=_merge_definitions(first.definitions, other.definitions),
            points=_merge_definitions(first.points, other.points),
        )
    compiled = compile_program(first, *programs[len(conditions) :])
    return compiled, [part.condition for part in programs[: len(conditions)] if part.condition is not None]


def _refuse_other_statements(program: Program, allowed: tuple[type, ...], message: str) -> None:
    """Raise a ScriptError at a statement that is neither an expression nor one of the allowed types."""
    script = program.script
    for statement in script.statements:
        is_bare = isinstance(statement, nodes.Condition) and statement.bare
        if not is_bare and not isinstance(statement, allowed):
            raise ScriptSource(script.text, script.rules, script.file).error_at(message, statement.place)


def _add_predeal(program: Program, predeal: Predeal) -> Program:
    """Return a program with more cards and lengths predealt; raise PredealError if no deal complies."""
    combined = program.predeal + predeal
    combined.check()
    return replace(program, predeal=combined)


def _merge_definitions(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    """Return the definitions of both; raise ArgumentError if they define a name differently."""
    for name in first.keys() & second.keys():
        if first[name] != second[name]:
            raise ArgumentError(f"{name!r} has two different definitions; rename one of them")
    return {**second, **first}
