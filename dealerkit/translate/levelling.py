"""Level the deals in programs that have no `level`, with a block of definitions that contain keep rates."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from dealerkit.errors import ArgumentError
from dealerkit.language import nodes
from dealerkit.language.checks import check_script
from dealerkit.language.dialects import Rules
from dealerkit.language.levels import SHARE, find_hand_types
from dealerkit.language.printer import to_text
from dealerkit.language.script import Script
from dealerkit.language.trees import walk
from dealerkit.translate.scripts import translate

BEGIN, END = "### BEGIN GENERATED LEVELING ###", "### END GENERATED LEVELING ###"
SIDES = 1000  # number of values of a random number, which the block calls a roll
MIN_LIMIT = 100  # a smaller limit of a random number is too coarse, so another one is added
MAX_ROLLS = 4
_ALL, _NONE = "levelTheDeal", "noLeveling"


@dataclass(frozen=True)
class LevelScript:
    """A script whose hand types are variables, and their shares.

    Attributes
    ----------
    script : Script
        The script without `level` and without an earlier generated block. Its condition contains the variable
        ``levelTheDeal``, which is true for deals of all types.
    level : Level
        The hand types, each with its variable.
    """

    script: Script
    level: nodes.Level

    @property
    def unlevelled(self) -> Script:
        """The script with `level` and without the effect of ``levelTheDeal``, to measure natural shares."""
        statements = [
            nodes.Definition(_ALL, nodes.Number(1), place=node.place) if _is_definition(node, _ALL) else node
            for node in self.script.statements
        ]
        return replace(self.script, statements=(*statements, self.level))


def find_levelling(script: Script) -> LevelScript:
    """Return the hand types of a script: those of `level`, or else its variables named ``HandType_NAME``.

    Raises
    ------
    ScriptError
        The script has a mistake.
    ArgumentError
        The script has no hand types, all shares are 0, or a share is not a number of 0 or more.
    """
    program = check_script(script)
    statements = [node for node in script.statements if not _is_generated(node, script)]
    place = next((k for k, node in enumerate(statements) if isinstance(node, nodes.Level)), None)
    # Define a variable for each type of `level`.
    if place is not None:
        assert program.level is not None
        taken = set(program.definitions)
        new: list[nodes.Statement] = []
        types = []
        for item in program.level.types:
            name = re.sub(r"\W+", "_", item.label, flags=re.ASCII).strip("_") or "type"
            variable = _find_free_name(f"HandType_{name}", taken)
            taken.add(variable)
            new.append(nodes.Definition(variable, item.value, place=program.level.place))
            types.append(replace(item, label=variable.removeprefix("HandType_"), value=nodes.Name(variable)))
        statements[place : place + 1] = new
        place += len(new)
    else:
        # Without `level`, take the variables of the script.
        found = find_hand_types(program.definitions)
        if not found:
            raise ArgumentError(
                'the script has no hand types; add `level "weak" hcp(south) < 8, ...` '
                "or variables HandType_NAME"
            )
        for hand_type in found:
            _check_share(hand_type.variable, program.definitions.get(hand_type.variable + SHARE))
        types = [
            nodes.LevelType(item.name, nodes.Name(item.variable), _make_share(item.share))
            for item in found
            if item.share
        ]
        if not types:
            raise ArgumentError("every hand type has share 0; give one of them a share above 0, such as 1")
        variables = {item.variable for item in found}
        # The variable for all types together must follow them.
        place = 1 + max(
            k
            for k, node in enumerate(statements)
            if isinstance(node, nodes.Definition) and node.name in variables
        )
    values = tuple(item.value for item in types)
    together = nodes.Definition(_ALL, values[0] if len(values) == 1 else nodes.Or(values))
    statements.insert(place, together)
    statements = _use_in_condition(statements, place)
    return LevelScript(replace(script, statements=tuple(statements)), nodes.Level(tuple(types)))


def translate_levelled(
    levelled: LevelScript, rates: Sequence[float], rules: Rules
) -> tuple[str, tuple[str, ...]]:
    """Return a script as text in another dialect, with a block of definitions that levels its deals.

    Parameters
    ----------
    levelled : LevelScript
        The script with its hand types.
    rates : sequence of float
        The natural rate of each type, which is the share of deals that meet the condition and belong to it.
    rules : Rules
        The rules of the dialect to translate to.

    Returns
    -------
    text : str
        The script, which needs no `level`.
    warnings : tuple of str
        Differences in meaning, as from `translate`.

    Raises
    ------
    ScriptError
        The dialect cannot express the condition, a hand type or an action.
    """
    text, warnings = translate(levelled.script, rules)
    names = {node.name for node in levelled.script.statements if isinstance(node, nodes.Definition)}
    block = "\n".join(write_block(levelled.level, find_keep_rates(levelled.level, rates), names))
    lines = [line for line in text.split("\n") if line.strip() not in (BEGIN, END)]
    number = next(k for k, line in enumerate(lines) if line.startswith(f"{_ALL} ="))
    lines[number] = block
    return "\n".join(lines), warnings


def find_keep_rates(level: nodes.Level, rates: Sequence[float]) -> list[float]:
    """Return the probability of keeping a deal of each type: share divided by rate, scaled to at most 1.

    >>> from dealerkit.language import parse
    >>> script = parse('level "a" hcp(north) < 8, "b" hcp(north) > 15 share 2')
    >>> find_keep_rates(script.statements[0], [0.4, 0.1])
    [0.125, 1.0]
    """
    shares = [1 if item.share is None else item.share.value for item in level.types]
    ratios = [share / rate for share, rate in zip(shares, rates, strict=True)]
    return [ratio / max(ratios) for ratio in ratios]


def write_block(level: nodes.Level, keep_rates: Sequence[float], taken: set[str]) -> list[str]:
    """Return the lines of the block, with the same names as other generators use, unless they are `taken`.

    Each random number has a variable of its own, so the limits of a type are independent of each other also
    in a program that evaluates a variable once per deal instead of at each use.
    """
    limits = [find_limits(rate) for rate in keep_rates]
    used = set(taken) - {_ALL}
    rolls = []
    for number in range(max(map(len, limits))):
        rolls.append(_find_free_name("roll" if not number else f"roll{number + 1}", used))
        used.add(rolls[-1])
    lines = [BEGIN, *(f"{roll} = (rnd({SIDES}) % {SIDES} + {SIDES}) % {SIDES}" for roll in rolls)]
    kept = []
    for item, own in zip(level.types, limits, strict=True):
        assert isinstance(item.value, nodes.Name)
        kept.append(_find_free_name(f"level_{item.label}", used))
        used.add(kept[-1])
        tests = [f"{roll} < {limit}" for roll, limit in zip(rolls, own, strict=False)]
        lines.append(f"{kept[-1]} = {' and '.join([item.value.name, *tests])}")
    return [*lines, f"{_ALL} = {' or '.join(kept)}", END]


def find_limits(rate: float) -> list[int]:
    """Return limits for random numbers from 0 to 999 that are all met with this probability, within 0.5 %.

    >>> find_limits(1.0), find_limits(0.25), find_limits(0.0004)
    ([], [250], [1, 400])
    """
    limits: list[int] = []
    while rate * SIDES < MIN_LIMIT and len(limits) < MAX_ROLLS - 1:
        limits.append(max(1, math.ceil(rate * SIDES)))
        rate *= SIDES / limits[-1]
    last = max(1, round(rate * SIDES))
    return limits if last >= SIDES else [*limits, last]


def _check_share(variable: str, value: nodes.Expression | None) -> None:
    """Raise ArgumentError if the share of a hand type is not a number of 0 or more."""
    if value is not None and not (isinstance(value, nodes.Number) and value.value >= 0):
        raise ArgumentError(
            f"{variable}{SHARE} is `{to_text(value)}`; a share is a number of 0 or more, such as 2 or 0.5"
        )


def _make_share(share: float) -> nodes.Number | None:
    """Return a share as a node; None if it is 1."""
    if share == 1:
        return None
    return nodes.Number(int(share)) if share == int(share) else nodes.Number(share, True)


def _is_definition(node: nodes.Statement, name: str) -> bool:
    """Return whether a statement defines this variable."""
    return isinstance(node, nodes.Definition) and node.name == name


def _is_generated(node: nodes.Statement, script: Script) -> bool:
    """Return whether a statement belongs to an earlier generated block, or to a placeholder for one."""
    if _is_definition(node, _ALL) or _is_definition(node, _NONE):
        return True
    lines = script.text.split("\n")
    marked = [k for k, line in enumerate(lines, 1) if line.strip() in (BEGIN, END)]
    is_definition = isinstance(node, nodes.Definition) and node.place is not None
    return is_definition and len(marked) == 2 and marked[0] < node.place.line < marked[1]  # type: ignore[union-attr]


def _find_free_name(name: str, taken: set[str]) -> str:
    """Return a name, with underscores at its end if it is taken."""
    while name in taken:
        name += "_"
    return name


def _use_in_condition(statements: list[nodes.Statement], place: int) -> list[nodes.Statement]:
    """Return the statements with a condition that contains ``levelTheDeal``, which is defined at `place`."""
    together = nodes.Name(_ALL)
    users = [
        k for k, node in enumerate(statements) if k != place and any(part == together for part in walk(node))
    ]
    number = next((k for k, node in enumerate(statements) if isinstance(node, nodes.Condition)), None)
    # Without a condition, it becomes the condition.
    if number is None:
        return [*statements[: place + 1], nodes.Condition(together), *statements[place + 1 :]]
    condition = statements[number]
    assert isinstance(condition, nodes.Condition)
    if users:  # the author has used it in the right place
        if min(users) < place:
            moved = statements.pop(place)
            statements.insert(min(users), moved)
        return statements
    # Otherwise add it to the condition, which must follow the definition.
    value = condition.value
    operands = value.operands if isinstance(value, nodes.And) else (value,)
    statements[number] = replace(condition, value=nodes.And((*operands, together)), bare=False)
    if number < place:
        statements.insert(place, statements.pop(number))
    return statements
