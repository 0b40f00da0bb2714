"""Traversal of trees of nodes without recursion, for trees of any depth."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from dealerkit import registry
from dealerkit.language import nodes
from dealerkit.language.operators import COMPARISONS


def children(node: Any) -> tuple[Any, ...]:
    """Return the nodes directly below a node, in the order of the text."""
    kind = type(node)
    below: tuple[Any, ...] = ()
    if kind is nodes.Call or kind is nodes.Action:
        below = node.arguments
    elif kind is nodes.Chain or kind is nodes.And or kind is nodes.Or:
        below = node.operands
    elif kind is nodes.Not or kind is nodes.Negate:
        below = (node.operand,)
    elif kind is nodes.Choice:
        pairs = [part for pair in zip(node.conditions, node.values, strict=True) for part in pair]
        below = (*pairs, node.otherwise)
    elif kind is nodes.Level:
        below = node.types
    elif kind is nodes.Definition or kind is nodes.Condition or kind is nodes.LevelType:
        below = (node.value,)
    elif kind is nodes.ActionList:
        below = node.actions
    return below


def walk(node: Any) -> Iterator[Any]:
    """Yield a node and all nodes below it, each before those below it, left to right."""
    pending = [node]
    while pending:
        current = pending.pop()
        yield current
        below = children(current)
        if below:
            pending.extend(reversed(below))


def split_clauses(
    condition: nodes.Expression | None,
    definitions: Mapping[str, nodes.Expression],
    is_repeated: Callable[[str], bool] = lambda name: False,
) -> Iterator[nodes.Expression]:
    """Yield the clauses of a condition in the order of the text; those of a variable at its first use.

    A variable for which `is_repeated` is true has its clauses at every use.
    """
    expanded: set[str] = set()
    pending = [] if condition is None else [condition]
    while pending:
        node = pending.pop()
        if isinstance(node, nodes.And):
            pending.extend(reversed(node.operands))
        elif isinstance(node, nodes.Name) and isinstance(definitions.get(node.name), nodes.And):
            if node.name not in expanded or is_repeated(node.name):
                expanded.add(node.name)
                pending.append(definitions[node.name])
        else:
            yield node


def find_deeper_node(roots: Iterable[Any], limit: int) -> Any | None:
    """Return the first node more than `limit` levels below the roots, or None."""
    level = list(roots)
    for _ in range(limit + 1):
        level = [child for parent in level for child in children(parent)]
        if not level:
            return None
    return level[0]


def is_comparison(node: nodes.Argument) -> bool:
    """Return whether a node is one comparison or a chain of comparisons."""
    return isinstance(node, nodes.Chain) and node.operators[-1] in COMPARISONS


def resolve_variable(node: nodes.Expression, definitions: Mapping[str, nodes.Expression]) -> nodes.Expression:
    """Return the expression that a variable is defined as, through other variables; other nodes unchanged."""
    while isinstance(node, nodes.Name) and node.name in definitions:
        node = definitions[node.name]
    return node


def has_truth_value(node: nodes.Expression, definitions: Mapping[str, nodes.Expression]) -> bool:
    """Return whether an expression is true or false, rather than a number."""
    node = resolve_variable(node, definitions)
    if isinstance(node, nodes.Call):
        return registry.get_function(node.function).unit == "truth"
    return isinstance(node, nodes.Not | nodes.And | nodes.Or) or is_comparison(node)
