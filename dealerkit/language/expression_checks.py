"""Checks of the names, the units and the ranges in the expressions of a script."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

from dealerkit.errors import ScriptError
from dealerkit.language import nodes
from dealerkit.language.levels import describe_level_syntax
from dealerkit.language.operators import COMPARISONS
from dealerkit.language.script import Script
from dealerkit.language.source import ScriptSource, describe_place
from dealerkit.language.trees import walk
from dealerkit.language.units import find_hundredths
from dealerkit.language.unknown_names import describe_unknown_variable


class ConsequentError(Exception):
    """A use of a variable whose definition has a mistake."""


class ExpressionChecker:
    """Checks the expressions of a script with the variables that are defined so far."""

    def __init__(self, script: Script) -> None:
        self.script, self.rules = script, script.rules
        self.source = ScriptSource(script.text, script.rules, script.file)
        self.depths: dict[str, int] = {}
        self.definitions: dict[str, nodes.Expression] = {}
        # Variables whose definitions have mistakes, and unknown names that are reported already.
        self.unknown: set[str] = set()

    def error(self, message: str, node: nodes.Statement | nodes.Action | nodes.Argument) -> ScriptError:
        """Return the error to raise about a node."""
        return self.source.error_at(message, node.place)

    def check_expression(self, value: nodes.Expression | nodes.Action) -> int:
        """Check the names and units of an expression; return how many definitions deep its variables are."""
        depth = 0
        for node in walk(value):
            if type(node) is nodes.Name:
                if node.name not in self.definitions:
                    if node.name in self.unknown:
                        raise ConsequentError
                    self.unknown.add(node.name)
                    raise self._build_unknown_name_error(node)
                depth = max(depth, self.depths[node.name])
            elif type(node) is nodes.Chain and not self.rules.hundredths:
                self._check_units(node)
        return depth

    def _build_unknown_name_error(self, node: nodes.Name) -> ScriptError:
        definitions = (item for item in self.script.statements if isinstance(item, nodes.Definition))
        later = next((definition.place for definition in definitions if definition.name == node.name), None)
        if later is not None:
            message = f"'{node.name}' is defined only in {describe_place(later, node.place)}; define it first"
        elif node.name == "level" and self.rules.modern_syntax:
            message = describe_level_syntax()
        else:
            text = self.source.text_at(node.place)
            message = describe_unknown_variable(node.name, self.source, text, self.definitions)
        return self.error(message, node)

    def check_ranges(self, action: nodes.Action) -> None:
        """Check the ranges of a frequency: two or three numbers after each expression."""
        step = 3 if action.name == "frequency" else 4
        for start in range(0, len(action.arguments), step):
            value, low, high, *width = action.arguments[start : start + step]
            assert isinstance(low, nodes.Number) and isinstance(high, nodes.Number)
            if high.value < low.value:
                raise self.error(f"the range of this {action.name} ends before it begins", high)
            for number in width:
                if isinstance(number, nodes.Number) and number.value <= 0:
                    raise self.error("the width of a bucket must be more than 0", number)
            if not self.rules.hundredths:
                self._refuse_hundredths(value, (low, high))  # type: ignore[arg-type]

    # ------------------------------------------------------------ units
    def _check_units(self, chain: nodes.Chain) -> None:
        if chain.operators[0] not in COMPARISONS:
            return
        for left, right in itertools.pairwise(chain.operands):
            self._refuse_hundredths(left, (right,))
            self._refuse_hundredths(right, (left,))

    def _refuse_hundredths(self, value: nodes.Expression, others: Iterable[nodes.Argument]) -> None:
        for message, number in find_hundredths(value, others, self.definitions):
            raise self.error(message, number)
