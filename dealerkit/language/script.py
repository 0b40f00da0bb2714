"""Parsed scripts, and their sums: the second script may use the names that the first defines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from dealerkit.appearance.numbers import format_count
from dealerkit.appearance.wording import limit_repr
from dealerkit.errors import ArgumentError, CompatibilityWarning
from dealerkit.language.dialects import Rules
from dealerkit.language.nodes import ActionList, And, Condition, Definition, Place, Statement
from dealerkit.language.source import ScriptSource, describe_place
from dealerkit.language.trees import split_clauses


@limit_repr
@dataclass(frozen=True, slots=True, repr=False)
class Script:
    """A parsed script; in ``bids + study`` the script `study` may use names that `bids` defines.

    Attributes
    ----------
    statements : tuple of Statement
        In the order of the text; scripts with equal statements and rules are equal.
    rules : Rules
        What the dialect allows and how it computes.
    text : str
    file : str or None
    warnings : tuple of CompatibilityWarning
        What other programs take in another way, not compared.
    params : mapping of str to value
        Values of the script variables by name, not compared.
    metadata : mapping of str to str
        What comments and wrapper of a scenario say, not compared.

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

    def __repr__(self) -> str:
        file = f", {self.file}" if self.file else ""
        return f"<Script: {format_count(len(self.statements), 'statement')}, {self.rules.name}{file}>"

    def __add__(self, other: Script) -> Script:
        """Return both scripts as one.

        The result is that of one text with the statements of both. But under rules that allow one
        condition only, the deals meet the conditions of both scripts, and the actions of both are taken,
        those of the first script first. Under the other rules the second script's condition and action
        list replace the first one's.

        Parameters
        ----------
        other : Script
            Read by the same rules.

        Returns
        -------
        Script
            Its nodes keep their places, each in its own text; its file is the second one's, and so is the
            value of a script variable that both have.

        Raises
        ------
        ScriptError
            A name that both define, with both places; in modern and v2 only if the definitions differ.
        ArgumentError
            Scripts of different rules, or an object that is not a script.

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
                f"a script is added to a script, not to a {type(other).__name__}; parse it first"
            )
        if self.rules != other.rules:
            raise ArgumentError(
                f"scripts of {self.rules.name} and of {other.rules.name} do not add up; translate one of them"
            )
        # Where all conditions and actions of a script count, those of both scripts are joined.
        _refuse_second_definitions(self, other)
        first, second = list(self.statements), list(other.statements)
        if not self.rules.last_condition_wins:
            for kind in (Condition, ActionList):
                _merge_statements(first, second, kind)
        # What belongs to a script as a whole.
        warnings = (*_warnings_with_file(self), *_warnings_with_file(other))
        params = {**self.params, **other.params}
        metadata = {**self.metadata, **other.metadata}
        return replace(
            other, statements=(*first, *second), warnings=warnings, params=params, metadata=metadata
        )


def _refuse_second_definitions(first: Script, second: Script) -> None:
    """Raise an error if the second script defines a name of the first otherwise, in v1 if at all."""
    definitions = {node.name: node for node in first.statements if isinstance(node, Definition)}
    for statement in second.statements:
        if isinstance(statement, Definition) and statement.name in definitions:
            if first.rules.includes and statement == definitions[statement.name]:
                continue
            place, here = definitions[statement.name].place, statement.place
            there = f" in {describe_place(place, here or Place(1, 1))}" if place else ""
            source = ScriptSource(second.text, second.rules, second.file)
            raise source.error_at(
                f"'{statement.name}' is defined already{there}; choose another name",
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
    """Return the parser's warnings, whose texts name the script's file."""
    if script.file is None:
        return script.warnings
    elsewhere = ScriptSource("", script.rules)
    return tuple(
        elsewhere.warning_at(warning.reason, warning.place, warning.remedy) for warning in script.warnings
    )
