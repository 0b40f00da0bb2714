"""Parsed scripts, and their sums, in which the second script may use names that the first defines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from dealerkit.appearance.numbers import format_count
from dealerkit.appearance.wording import limit_repr
from dealerkit.errors import ArgumentError, CompatibilityWarning
from dealerkit.language.dialects import Rules
from dealerkit.language.nodes import ActionList, And, Condition, Definition, Expression, Place, Statement
from dealerkit.language.source import ScriptSource, describe_place
from dealerkit.language.trees import split_clauses


@limit_repr
@dataclass(frozen=True, slots=True, repr=False)
class Script:
    """A parsed script.

    Scripts can be added: in ``bids + study``, the script `study` may use names that `bids` defines. Scripts
    with equal statements and rules are equal.

    Attributes
    ----------
    statements : tuple of Statement
        The statements in the order of the text.
    rules : Rules
        What the dialect allows and how it computes.
    text : str
        The text that was parsed, of the second script of a sum.
    file : str or None
        The name of the file that the text is from.
    warnings : tuple of CompatibilityWarning
        Places that another program reads differently.
    params : mapping of str to value
        Values of the script variables by name.
    metadata : mapping of str to str
        The headers of a scenario, and what the file around it says.

    Examples
    --------
    >>> import dealerkit as dk
    >>> bids = dk.parse("opening = hcp(north) >= 15 and hcp(north) <= 17")
    >>> bids + dk.parse("condition opening")
    <Script: 2 statements, modern>
    """

    statements: tuple[Statement, ...]
    rules: Rules
    text: str = field(default="", compare=False, repr=False)
    file: str | None = field(default=None, compare=False)
    warnings: tuple[CompatibilityWarning, ...] = field(default=(), compare=False, repr=False)
    params: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)
    metadata: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)

    @property
    def single_condition(self) -> Expression | None:
        """The condition, if the script is one condition and nothing else."""
        only = self.statements[0] if len(self.statements) == 1 else None
        return only.value if isinstance(only, Condition) else None

    def __repr__(self) -> str:
        file = f", {self.file}" if self.file else ""
        return f"<Script: {format_count(len(self.statements), 'statement')}, {self.rules.name}{file}>"

    def __add__(self, other: Script) -> Script:
        """Return both scripts as one.

        The result has the statements of both scripts, those of the first one first. In modern scripts, which
        allow one condition only, the deals must meet the conditions of both, and the actions of both are
        executed. In v1 and v2, the condition and the action list of the second script replace those of the
        first.

        Parameters
        ----------
        other : Script
            A script of the same dialect.

        Returns
        -------
        Script
            The sum. Its nodes keep their places, each in its own text. The file, and the value of a script
            variable that both have, are those of the second script.

        Raises
        ------
        ScriptError
            Both scripts define the same name; in modern and v2, only if the definitions differ. The message
            has both places.
        ArgumentError
            `other` is not a script, or the dialects differ.

        Examples
        --------
        >>> from dealerkit.language import parse
        >>> from dealerkit.language.printer import to_text
        >>> bids = parse("strong = hcp(north) >= 16 condition hcp(east) < 12")
        >>> print(to_text(bids + parse("condition strong action printall")), end="")
        strong = hcp(north) >= 16
        condition hcp(east) < 12 and strong
        action printall
        """
        if not isinstance(other, Script):
            raise ArgumentError(
                f"a script can only be added to a script, not to a {type(other).__name__}; parse it first"
            )
        if self.rules != other.rules:
            raise ArgumentError(
                f"a script of {self.rules.name} and one of {other.rules.name} cannot be added; "
                "translate one of them"
            )
        # In modern scripts, join the conditions and the action lists of both.
        _refuse_second_definitions(self, other)
        first, second = list(self.statements), list(other.statements)
        if not self.rules.last_condition_wins:
            for kind in (Condition, ActionList):
                _merge_statements(first, second, kind)
        # Combine what belongs to the scripts as a whole.
        warnings = (*_warnings_with_file(self), *_warnings_with_file(other))
        params = {**self.params, **other.params}
        metadata = {**self.metadata, **other.metadata}
        return replace(
            other, statements=(*first, *second), warnings=warnings, params=params, metadata=metadata
        )


def _refuse_second_definitions(first: Script, second: Script) -> None:
    """Raise an error if the second script redefines a name, in modern and v2 only with another value."""
    definitions = {node.name: node for node in first.statements if isinstance(node, Definition)}
    for statement in second.statements:
        if isinstance(statement, Definition) and statement.name in definitions:
            if first.rules.includes and statement == definitions[statement.name]:
                continue
            place, here = definitions[statement.name].place, statement.place
            there = f" in {describe_place(place, here or Place(1, 1))}" if place else ""
            source = ScriptSource(second.text, second.rules, second.file)
            raise source.error_at(
                f"'{statement.name}' is already defined{there}; choose another name",
                here,
                kind="defined twice",
            )


def _merge_statements(first: list[Statement], second: list[Statement], kind: type) -> None:
    """Move the condition or the action list of the first script into that of the second."""
    in_first = [k for k, statement in enumerate(first) if type(statement) is kind]
    in_second = [k for k, statement in enumerate(second) if type(statement) is kind]
    if not in_first or not in_second:
        return
    earlier, later = first.pop(in_first[-1]), second[in_second[0]]
    if isinstance(earlier, Condition) and isinstance(later, Condition):
        operands = (*split_clauses(earlier.value, {}), *split_clauses(later.value, {}))
        second[in_second[0]] = replace(later, value=And(operands, place=later.value.place), bare=False)
    elif isinstance(earlier, ActionList) and isinstance(later, ActionList):
        second[in_second[0]] = replace(later, actions=earlier.actions + later.actions)


def _warnings_with_file(script: Script) -> tuple[CompatibilityWarning, ...]:
    """Return the parser's warnings, with the name of the script's file in their texts."""
    if script.file is None:
        return script.warnings
    elsewhere = ScriptSource("", script.rules)
    return tuple(
        elsewhere.warning_at(warning.reason, warning.place, warning.remedy) for warning in script.warnings
    )
