"""The numbers in a script that a slider can change, with their ranges, and the controls for them."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from dealerkit.advice.sentences import RELATIONS, find_quantity
from dealerkit.appearance.wording import shorten
from dealerkit.cards.names import SEATS, SUITS
from dealerkit.errors import ArgumentError, DealerkitError, quote
from dealerkit.language import nodes
from dealerkit.language.dialects import MODERN
from dealerkit.language.parser import parse_script
from dealerkit.language.printer import to_text
from dealerkit.language.scenarios import read_headers
from dealerkit.language.script import Script
from dealerkit.language.script_variables import NAME, Params
from dealerkit.language.source import read_source
from dealerkit.language.trees import COMPARISONS, MIRRORED, children, walk
from dealerkit.planning import DEFAULT_PRODUCE
from dealerkit.registry import find_function

_NUMBER = re.compile(r"-?[ \t]*(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)")
_VARIABLE = re.compile(rf'/\*(?s:.*?)\*/|//[^\n]*|^[ \t]*#[^\n]*|"[^"]*"|\$(?P<name>{NAME})', re.MULTILINE)
_LABEL_LENGTH = 48


@dataclass(frozen=True)
class ScriptNumber:
    """A number in a script, or a script variable whose value is a number.

    Attributes
    ----------
    start, end : int
        Position of its first character in the text, from 0, and of the character after it.
    value : float
        The number.
    label : str
        What it limits, such as ``north: points at least``.
    low, high, step : float
        The ends of its slider and the size of a step.
    variable : str
        The name of the script variable without ``$``; empty for a number.
    """

    start: int
    end: int
    value: float
    label: str
    low: float
    high: float
    step: float
    variable: str = ""


def find_numbers(
    text: str, params: Params = (), include: Sequence[str | os.PathLike] = ()
) -> list[ScriptNumber]:
    """Return the numbers in a script's expressions, in the order of the text; none if it has a mistake.

    >>> for number in find_numbers("condition hcp(north) >= 15 and 5 <= spades(south)"):
    ...     print(number.start, number.value, number.label, number.low, number.high)
    24 15 north: points at least 0 37
    31 5 south: spades at least 0 13
    """
    try:
        script = parse_script(text, MODERN, None, params, include)
    except DealerkitError:
        return []
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    found: dict[int, ScriptNumber] = {}
    for statement in script.statements:
        for number, parents in _walk_numbers(statement):
            place = number.place
            if place is None or (place.origin is not None and place.origin.file is not None):
                continue
            start = starts[place.line - 1] + place.column - 1 if place.line <= len(starts) else len(text)
            variable = _VARIABLE.match(text, start) if text[start : start + 1] == "$" else None
            match = variable or _NUMBER.match(text, start)
            if match is None:
                continue
            name = variable["name"] if variable else ""
            found.setdefault(start, _describe(number, parents, start, match.end(), name or ""))
    return [found[start] for start in sorted(found)]


def find_variables(text: str) -> list[str]:
    r"""Return the names of the script variables that a script uses, without repetition.

    >>> find_variables("hcp(north) >= $low  // not $this\n and hcp(south) >= $low + $1")
    ['low', '1']
    """
    return list(dict.fromkeys(match["name"] for match in _VARIABLE.finditer(text) if match["name"]))


def move_places(old: str, new: str, places: Iterable[int]) -> list[int]:
    """Return the positions of characters after an edit, without those in the part that changed.

    >>> move_places("ab >= 15 and c > 3", "ab >= 15 and c > 4 or d < 2", [6, 17])
    [6]
    """
    first = 0
    while first < min(len(old), len(new)) and old[first] == new[first]:
        first += 1
    tail = 0
    while tail < min(len(old), len(new)) - first and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    moved = (
        place if place < first else place + len(new) - len(old)
        for place in places
        if place < first or place >= len(old) - tail
    )
    return sorted(moved)


def _walk_numbers(statement: nodes.Statement) -> Iterator[tuple[nodes.Number, tuple]]:
    """Yield the numbers in a statement with their parent nodes, except the ranges of frequencies."""
    pending: list[tuple] = [(statement, ())]
    while pending:
        node, parents = pending.pop()
        if isinstance(node, nodes.Number):
            yield node, parents
            continue
        below = children(node)
        if isinstance(node, nodes.Action):
            below = tuple(part for part in below if not isinstance(part, nodes.Number))
        pending.extend((part, (*parents, node)) for part in reversed(below))


def _describe(number: nodes.Number, parents: tuple, start: int, end: int, name: str) -> ScriptNumber:
    """Return a number with its label and the range of its slider."""
    parent = parents[-1] if parents else None
    label, bounds = "", (None, None)
    if isinstance(parent, nodes.Chain) and parent.operators[-1] in COMPARISONS and len(parent.operands) == 2:
        is_left = parent.operands[0] is number
        operator = parent.operators[0]
        if is_left:
            operator = MIRRORED.get(operator, operator)
        label, bounds = _describe_comparison(parent.operands[1 if is_left else 0], operator)
    elif isinstance(parent, nodes.Definition):
        label = parent.name
    elif isinstance(parent, nodes.Chain | nodes.Call | nodes.Negate | nodes.Choice | nodes.And | nodes.Or):
        label = f"in {shorten(to_text(parent), _LABEL_LENGTH)}"
    value = number.value
    low, high = bounds
    if low is None or high is None:
        size = max(10.0, 2 * abs(value))
        low, high = (-size if value < 0 else 0), size
    if isinstance(value, int) and float(low).is_integer() and float(high).is_integer():
        low, high = int(low), int(high)
    step = 1 if isinstance(value, int) else 10.0 ** -max(1, len(str(value).partition(".")[2]))
    low, high = min(low, value), max(high, value)
    return ScriptNumber(start, end, value, label or "number", low, high, step, name)


def describe_tricks(node: nodes.Expression) -> str | None:
    """Describe the double-dummy tricks of a seat in words; return None for other expressions."""
    if not isinstance(node, nodes.Call) or (function := find_function(node.function)) is None:
        return None
    if function.operation != "tricks" or not isinstance(node.arguments[0], nodes.Seat):
        return None
    strain = node.arguments[1]
    name = SUITS[strain.index] if isinstance(strain, nodes.Suit) else "notrump"
    return f"{SEATS[node.arguments[0].index]}: tricks in {name}"


def _describe_comparison(other: nodes.Expression, operator: str) -> tuple[str, tuple]:
    """Return a label for a number that is compared with an expression, and the expression's range."""
    relation = "" if operator == "==" else f" {RELATIONS[operator]}"
    quantity = find_quantity(other, {}, ())
    if quantity is not None:
        text = f"{quantity.owner}: {quantity.noun}{relation}"
    elif (tricks := describe_tricks(other)) is not None:
        return f"{tricks}{relation}", (0, 13)
    else:
        text = f"{shorten(to_text(other), _LABEL_LENGTH)}{relation}"
    calls = [other] if isinstance(other, nodes.Call) else list(getattr(other, "operands", ()))
    lows, highs = [], []
    for call in calls:
        function = find_function(call.function) if isinstance(call, nodes.Call) else None
        if function is None or function.low is None or function.high is None:
            return text, (None, None)
        lows.append(function.low)
        highs.append(function.high)
    if not calls or (isinstance(other, nodes.Chain) and set(other.operators) != {"+"}):
        return text, (None, None)
    return text, (sum(lows), sum(highs))


PRODUCE, PRODUCE_SOLVED = 10_000, 1_000  # default numbers of deals, unless a run prints them
_SOLVER_COST = 1e6  # nanoseconds per deal; functions that need the solver cost at least as much


@dataclass(frozen=True)
class Control:
    """A slider or a field of the explorer.

    Attributes
    ----------
    key : str
        ``$name`` of a script variable, or ``@5`` for the number that starts at character 5.
    label, text : str
        What it limits, and its value as text.
    number : ScriptNumber or None
        The number with the range of its slider; None for a field that takes any text.
    """

    key: str
    label: str
    text: str
    number: ScriptNumber | None


def list_controls(
    text: str, values: Mapping[str, str], numbers: Sequence[ScriptNumber], marked: Collection[int]
) -> list[Control]:
    """Return the sliders and fields of a script: first those of variables, then those of marked numbers."""
    # The best label of each variable: what it is compared with, rather than "in ..."
    defaults, comments = read_headers(text)[1], _read_comments(text)
    by_name: dict[str, ScriptNumber] = {}
    for number in numbers:
        known = by_name.get(number.variable)
        if number.variable and (known is None or known.label.startswith("in ")):
            by_name[number.variable] = number
    controls = []
    for name in find_variables(text):
        value = values.get(name, defaults.get(name, ""))
        found = by_name.get(name) if is_number(value) else None
        label = comments.get(name) or (found.label if found and not found.label.startswith("in ") else "")
        controls.append(Control(f"${name}", f"${name}: {label}" if label else f"${name}", value, found))
    for number in numbers:
        if number.start in marked:
            value = text[number.start : number.end]
            controls.append(Control(f"@{number.start}", number.label, value, number))
    return controls


def find_default_produce(script: Script) -> int:
    """Return the number of deals that a run produces: the script's own, or a default for what it does.

    >>> from dealerkit.language import parse
    >>> texts = "action average hcp(north)", "produce 3", "action printall"
    >>> [find_default_produce(parse(text)) for text in texts]
    [10000, 3, 40]
    """
    found = [node for statement in script.statements for node in walk(statement)]
    for node in found:
        if isinstance(node, nodes.Setting) and node.name == "produce" and int(node.value) > 0:
            return int(node.value)
    calls = (find_function(node.function) for node in found if isinstance(node, nodes.Call))
    if any(function is not None and function.cost >= _SOLVER_COST for function in calls):
        return PRODUCE_SOLVED
    names = {node.name for node in found if isinstance(node, nodes.Action)}
    return PRODUCE if names - {name for name in names if name.startswith("print")} else DEFAULT_PRODUCE


def read_text(script: str | os.PathLike | Script) -> str:
    """Return the text of a script.

    Raises
    ------
    ArgumentError
        It is neither a text nor a path nor a Script.
    FileError
        The file cannot be read.
    """
    if isinstance(script, str):
        return script
    if isinstance(script, Script):
        return script.text
    if isinstance(script, os.PathLike):
        return read_source(Path(script))[0]
    raise ArgumentError(
        f"{quote(script, 40)} is not a script; give its text, the path of its file, or a Script"
    )


def is_number(text: str) -> bool:
    """Return whether a text is a decimal number.

    >>> is_number(" -1.5"), is_number("1e5")
    (True, False)
    """
    return re.fullmatch(r"\s*-?(\d+(\.\d*)?|\.\d+)\s*", text) is not None


MOST_DIGITS = 18  # of a number that is typed into a field


def read_count(text: str) -> int | None:
    """Return a whole number from 0, which may have commas; None for another text.

    >>> read_count("10,000"), read_count("-1"), read_count("9" * 5000)
    (10000, None, None)
    """
    digits = text.replace(",", "").strip()
    return int(digits) if digits.isdecimal() and len(digits) <= MOST_DIGITS else None


def _read_comments(text: str) -> dict[str, str]:
    """Return the comments at the end of ``# param`` lines, by variable."""
    pattern = r"^[ \t]*#[ \t]*param[ \t]+\$?(\w+)[ \t]*=[^#\n]*#[ \t]*([^\n]*)"
    return {match[1]: match[2].strip() for match in re.finditer(pattern, text, re.MULTILINE)}
