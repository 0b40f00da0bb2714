"""The compiler of expressions to operations; `call_operations` compiles calls of functions.

Expressions are rewritten on the way: `language.trees.split_clauses` splits a condition into clauses,
`add_binary` computes operations of constants, and `trick_thresholds` reduces comparisons of
double-dummy tricks to thresholds.
"""

from __future__ import annotations

from typing import Any

from dealerkit.compiler.call_operations import compile_call
from dealerkit.compiler.operation_list import OperationList
from dealerkit.compiler.operations import TRUTH, Operation, Range, calculate_number, combine_ranges, wrap
from dealerkit.compiler.trick_thresholds import reduce_comparison, split_extreme
from dealerkit.errors import NotYetError
from dealerkit.language import nodes
from dealerkit.language.checks import Program
from dealerkit.language.dialects import Rules
from dealerkit.language.operators import COMPARISONS
from dealerkit.language.trees import split_clauses


class OperationGraph(OperationList):
    """The operations of a script, compiled on demand.

    Parameters
    ----------
    rules, program : as for `OperationList`

    Raises
    ------
    NotYetError
        A function without an implementation.
    ScriptError
        An integer that may not fit 64 bits, or too many operations.
    """

    def __init__(self, rules: Rules, program: Program | None = None) -> None:
        super().__init__(rules, program)
        self._variables: dict[str, int | nodes.Expression | NotYetError] = {}
        if rules.shared_tables:
            # dealer v1 refuses these tables even in a script without losers.
            from dealerkit.evaluators.hands import build_shared_losers

            build_shared_losers(self.program.points, "top3")
        for name, value in self.program.definitions.items():
            n_random_calls = self.n_random_calls
            try:
                slot = self.add_expression(value)
            except NotYetError as error:  # raised only where the variable is used
                self._variables[name] = error
                continue
            # A variable with random numbers has new ones at each use, so its expression is kept.
            self._variables[name] = slot if self.n_random_calls == n_random_calls else value

    def add_expression(self, node: nodes.Expression) -> int:
        """Return the slot of an expression."""
        slot: int = _COMPILERS[type(node)](self, node)
        return slot

    def split_clauses(self, condition: nodes.Expression) -> list[int]:
        """Return the slots of a condition's clauses in the order of the text; variables are expanded."""

        def is_random(name: str) -> bool:  # each use of the variable has numbers of its own
            return not isinstance(self._variables[name], int)

        clauses = split_clauses(condition, self.program.definitions, is_random)
        return [self.add_expression(clause) for clause in clauses]

    def add_binary(self, operator: str, left: int, right: int, node: nodes.Expression) -> int:
        """Return the slot of ``left operator right``."""
        if operator in COMPARISONS:
            return self._add_comparison(operator, left, right, node)
        x, y = self.constant_value(left), self.constant_value(right)
        total = operator not in "/%" or (y is not None and y != 0)
        if x is not None and y is not None and total:
            value = calculate_number(operator, x, y)
            if isinstance(value, int):
                self._limit_range(Range(value, value), operator, node)
                value = wrap(value, self.rules.bits)
            return self.add_constant(value, node)
        a, b = self.operations[left].range, self.operations[right].range
        bounds = self._limit_range(combine_ranges(operator, a, b), operator, node)
        detail = (operator, (a, b, bounds))
        operation = Operation(
            "arithmetic", (left, right), detail=detail, range=bounds, total=total, node=node
        )
        return self.add_operation(operation, operator)

    def _add_comparison(self, operator: str, left: int, right: int, node: nodes.Expression) -> int:
        split = split_extreme(self, operator, left, right)
        if split is not None:
            kind, comparisons = split
            return self.add_junction(kind, [self.add_binary(*parts, node) for parts in comparisons], node)
        is_real = self.operations[left].range.real or self.operations[right].range.real
        operation = Operation("compare", (left, right), detail=(operator, is_real), range=TRUTH, node=node)
        return reduce_comparison(self, self.add_operation(operation, operator))

    def _limit_range(self, bounds: Range, operator: str, node: nodes.Expression) -> Range:
        """Return the range of a result, which wraps beyond 32 bits; beyond 64 bits it is an error."""
        bits = self.rules.bits
        if bounds.real or bounds.fits(bits):
            return bounds
        if bits == 64:
            self.raise_error(
                node, f"'{operator}' may give an integer beyond 64 bits; a factor 1.0 makes it a real number"
            )
        return Range.of_bits(bits)

    def _add_number(self, node: nodes.Number) -> int:
        return self.add_constant(node.value, node)

    def _add_name(self, node: nodes.Name) -> int:
        target = self._variables.get(node.name)
        if target is None:
            self.raise_error(node, f"unknown variable {node.name!r}")
        if isinstance(target, NotYetError):
            raise target
        return target if isinstance(target, int) else self.add_expression(target)

    def _add_not(self, node: nodes.Not) -> int:
        operand = self.add_expression(node.operand)
        return self.add_operation(Operation("not", (operand,), range=TRUTH, node=node))

    def _add_negation(self, node: nodes.Negate) -> int:
        return self.add_binary("-", self.add_constant(0), self.add_expression(node.operand), node)

    def _add_chain(self, node: nodes.Chain) -> int:
        slot = self.add_expression(node.operands[0])
        for operator, operand in zip(node.operators, node.operands[1:], strict=True):
            slot = self.add_binary(operator, slot, self.add_expression(operand), node)
        return slot

    def _add_and_or(self, node: nodes.And | nodes.Or) -> int:
        kind = "and" if isinstance(node, nodes.And) else "or"
        return self.add_junction(kind, [self.add_expression(operand) for operand in node.operands], node)

    def _add_choice(self, node: nodes.Choice) -> int:
        parts = (*node.conditions, *node.values, node.otherwise)
        slots = tuple(self.add_expression(part) for part in parts)
        conditions, values = slots[: len(node.conditions)], slots[len(node.conditions) :]
        bounds = Range.spanning([self.operations[slot].range for slot in values])
        detail = (conditions, values)
        operation = Operation("choice", *self.split_guarded(slots), detail=detail, range=bounds, node=node)
        return self.add_operation(operation, detail)


_COMPILERS: dict[type, Any] = {
    nodes.Number: OperationGraph._add_number,
    nodes.Name: OperationGraph._add_name,
    nodes.Not: OperationGraph._add_not,
    nodes.Negate: OperationGraph._add_negation,
    nodes.Chain: OperationGraph._add_chain,
    nodes.And: OperationGraph._add_and_or,
    nodes.Or: OperationGraph._add_and_or,
    nodes.Choice: OperationGraph._add_choice,
    nodes.Call: compile_call,
}
