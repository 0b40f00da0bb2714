"""Scripts that add up: what one defines, those after it may use."""

from __future__ import annotations

from dataclasses import replace

from dealerkit.errors import ArgumentError
from dealerkit.language.nodes import ActionList, And, Condition, Definition, Place, Script, Statement
from dealerkit.language.source import Scan, where


def join(first: Script, second: Script) -> Script:
    """Two scripts as one, as ``first + second`` gives it.

    Names of the first may be used in the second. Settings, predealt cards and tables of points add up
    as if the statements stood in one script. Under rules that allow one condition only, the
    conditions of both must hold, and the actions of both are taken, those of the first script
    first; under the others the second script's condition and action list replace the first one's, as
    they would in one script.

    Parameters
    ----------
    first, second : Script
        Read by the same rules.

    Returns
    -------
    Script
        Its nodes keep their places, each in its own text; its file is the second one's.

    Raises
    ------
    ScriptError
        A name that both define, with both places.
    ArgumentError
        Scripts that were read by different rules, or something that is no script.

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
    if not isinstance(second, Script):
        raise ArgumentError(
            f"a script is added to a script, not to a {type(second).__name__}; parse it first"
        )
    if first.rules != second.rules:
        raise ArgumentError(
            f"scripts of {first.rules.name} and of {second.rules.name} do not add up; translate one of them"
        )
    _refuse_clashes(first, second)
    before, after = list(first.statements), list(second.statements)
    if not first.rules.last_condition_wins:
        for kind in (Condition, ActionList):
            _merge(before, after, kind)
    warnings = (*_with_file(first), *_with_file(second))
    return replace(second, statements=(*before, *after), warnings=warnings)


def _refuse_clashes(first: Script, second: Script) -> None:
    defined = {one.name: one.place for one in first.statements if isinstance(one, Definition)}
    for statement in second.statements:
        if isinstance(statement, Definition) and statement.name in defined:
            place, here = defined[statement.name], statement.place
            there = f" in {where(place, here or Place(1, 1))}" if place else ""
            scan = Scan(second.text, second.rules, second.file)
            raise scan.error_at(f"'{statement.name}' is defined already{there}; choose another name", here)


def _merge(before: list[Statement], after: list[Statement], kind: type) -> None:
    """Move the condition or the action list of the first script into that of the second."""
    ours = [k for k, statement in enumerate(before) if type(statement) is kind]
    theirs = [k for k, statement in enumerate(after) if type(statement) is kind]
    if not ours or not theirs:
        return
    earlier, later = before.pop(ours[-1]), after[theirs[0]]
    if isinstance(earlier, Condition) and isinstance(later, Condition):
        operands = [
            operand
            for one in (earlier.value, later.value)
            for operand in (one.operands if isinstance(one, And) else (one,))
        ]
        after[theirs[0]] = replace(later, value=And(tuple(operands), place=later.value.place), bare=False)
    elif isinstance(earlier, ActionList) and isinstance(later, ActionList):
        after[theirs[0]] = replace(later, actions=earlier.actions + later.actions)


def _with_file(script: Script) -> tuple[str, ...]:
    """What the parser had to say, with the script's file."""
    if script.file is None:
        return script.warnings
    return tuple(f"{script.file}, {one}" if one.startswith("line ") else one for one in script.warnings)
