"""Likely mistakes in expressions without parentheses, which operators group in an unexpected way."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from dealerkit.errors import DealerkitError
from dealerkit.explanation.phrases import has_truth_value, is_comparison
from dealerkit.language import nodes
from dealerkit.language.dialects import C_LEVELS, V2_LEVELS
from dealerkit.language.parser import parse_script
from dealerkit.language.printer import to_text
from dealerkit.language.script import Script
from dealerkit.language.trees import children
from dealerkit.planning.certain_mistakes import Mistake
from dealerkit.wording import shorten

_TOKENS = re.compile(r'"[^"]*"|#[^\n]*|//[^\n]*|/\*.*?\*/|[()]', re.DOTALL)  # texts, comments, parentheses


class PrecedenceReader:
    """The precedence mistakes of the expressions of one script.

    Parameters
    ----------
    script : Script
    definitions : mapping of str to Expression
        Its variables.
    """

    def __init__(self, script: Script, definitions: Mapping[str, nodes.Expression]) -> None:
        self.script, self.definitions = script, definitions
        self.line_starts = [0, *(match.end() for match in re.finditer("\n", script.text))]

    def find_mistakes(self, node: nodes.Argument) -> Iterator[Mistake]:
        """Yield the mistakes of one node, not of those below it."""
        if isinstance(node, nodes.Or):
            yield from self._find_bare_and(node)
        elif isinstance(node, nodes.Chain) and is_comparison(node):
            if len(node.operators) > 1:
                yield self._report_chain(node)
            else:
                yield from self._find_leading_not(node)

    def _print(self, node: nodes.Argument) -> str:
        return shorten(to_text(node, self.script.rules))

    def _report_chain(self, node: nodes.Chain) -> Mistake:
        """Return the mistake of ``1 < x < 5``, which compares a truth value with a number."""
        first = nodes.Chain(node.operands[:2], node.operators[:1])
        rest = self._print(node.operands[2])
        pairs = zip(node.operands, node.operators, node.operands[1:], strict=False)
        parts = tuple(nodes.Chain((left, right), (operator,)) for left, operator, right in pairs)
        message = f"`{self._print(node)}` compares the value of `{self._print(first)}`, 0 or 1, with {rest}"
        return Mistake("chained", message, node.place, self._print(nodes.And(parts)))

    def _find_leading_not(self, node: nodes.Chain) -> Iterator[Mistake]:
        """Yield the mistake of ``not hcp(north) == 3``, which negates the points before it compares."""
        path: list[nodes.Chain] = [node]
        while isinstance(first := path[-1].operands[0], nodes.Chain):
            path.append(first)
        if not isinstance(first, nodes.Not) or has_truth_value(first.operand, self.definitions):
            return
        meant: nodes.Expression = first.operand
        for chain in reversed(path):
            meant = replace(chain, operands=(meant, *chain.operands[1:]))
        message = f"`not` binds tighter than `{node.operators[0]}`: `{self._print(first)}` is 0 or 1 here"
        yield Mistake("not", message, first.place, f"not ({self._print(meant)})")

    def _find_bare_and(self, node: nodes.Or) -> Iterator[Mistake]:
        """Yield the mistake of ``a and b or c`` without parentheses, unless all operands are such."""
        ands = [k for k, operand in enumerate(node.operands) if isinstance(operand, nodes.And)]
        bare = [k for k in ands if not self._is_in_parentheses(node.operands, k)]
        if not bare or len(ands) == len(node.operands):
            return
        group = node.operands[bare[0]]
        assert isinstance(group, nodes.And)
        meant = ""
        if bare == ands == [0]:
            last = nodes.Or((group.operands[-1], *node.operands[1:]))
            meant = self._print(nodes.And((*group.operands[:-1], last)))
        elif bare == ands == [len(node.operands) - 1]:
            first = nodes.Or((*node.operands[:-1], group.operands[0]))
            meant = self._print(nodes.And((first, *group.operands[1:])))
        message = f"`and` binds tighter than `or`: `{self._print(group)}` is one alternative by itself"
        yield Mistake("or", message if meant else f"{message}; write parentheses", node.place, meant)

    def _is_in_parentheses(self, operands: tuple[nodes.Expression, ...], index: int) -> bool:
        """Return whether parentheses enclose one operand with several parts and nothing else."""
        text = self.script.text
        start = self._offset(operands[index].place)
        last = max(self._offset(part.place) for part in children(operands[index]))
        end = self._offset(operands[index + 1].place) if index + 1 < len(operands) else len(text) + 1
        before = self._offset(operands[index - 1].place) if index else -1
        position = start - 1
        while position > before and (text[position].isspace() or text[position] == "("):
            if text[position] == "(" and last < self._find_closing(position) < end:
                return True
            position -= 1
        return False

    def _offset(self, place: nodes.Place | None) -> int:
        """Return the position of a place in the text."""
        if place is None:
            return 0
        start = self.line_starts[min(place.line, len(self.line_starts)) - 1]
        return min(start + place.column - 1, max(len(self.script.text) - 1, 0))

    def _find_closing(self, opening: int) -> int:
        """Return the position of the parenthesis that closes another; texts and comments are skipped."""
        depth = 0
        for match in _TOKENS.finditer(self.script.text, opening):
            depth += {"(": 1, ")": -1}.get(match.group(), 0)
            if depth == 0:
                return match.start()
        return len(self.script.text)


def compare_dialects(script: Script, params: Sequence[str | None]) -> Iterator[Mistake]:
    """Yield expressions that programs group differently: DealerV2 has a level for each operator."""
    rules = script.rules
    is_v2 = rules.levels == V2_LEVELS
    foreign = replace(rules, levels=C_LEVELS if is_v2 else V2_LEVELS)
    try:
        same, other = (parse_script(script.text, levels, params=params) for levels in (rules, foreign))
    except DealerkitError:  # the nodes do not come from this text alone
        return
    if same != script:
        return
    here, there = ("by DealerV2", "by dealer v1 and in modern scripts") if is_v2 else ("here", "by DealerV2")
    pending = list(zip(script.statements, other.statements, strict=False))
    while pending:
        ours, theirs = pending.pop()
        if ours == theirs:
            continue
        (our_operators, our_parts), (their_operators, their_parts) = _flatten(ours), _flatten(theirs)
        if (type(ours), our_operators, len(our_parts)) == (type(theirs), their_operators, len(their_parts)):
            pending.extend(zip(our_parts, their_parts, strict=True))
            continue
        printed = ((ours, rules), (ours, foreign), (theirs, rules))
        text, text_here, text_there = (shorten(to_text(node, levels)) for node, levels in printed)
        message = (
            f"`{text}` is parsed as `{text_here}` {here} and as `{text_there}` {there}; write parentheses"
        )
        yield Mistake("precedence", message, ours.place)


def _flatten(node: Any) -> tuple[tuple[str, ...], tuple]:
    """Return the operators and parts of a node, ``(a * b) / c`` like the equivalent ``a * b / c``."""
    operators, parts = getattr(node, "operators", ()), children(node)
    while operators and isinstance(parts[0], nodes.Chain):
        together = {*operators, *parts[0].operators}
        if not any(together <= set(level) for level in C_LEVELS):
            break
        operators, parts = (*parts[0].operators, *operators), (*parts[0].operands, *parts[1:])
    return operators, parts
