"""The numbers of a script that a slider may change, with their ranges, and the controls for them."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from dealerkit.advice.sentences import RELATIONS, find_quantity
from dealerkit.appearance.wording import shorten
from dealerkit.cards.names import SEATS, SUITS
from dealerkit.errors import ArgumentError, DealerkitError
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
    """A number of a script, or a script variable that stands for one.

    Attributes
    ----------
    start, end : int
        Its place in the text.
    value : float
    label : str
        What it bounds, such as ``north: points at least``.
    low, high, step : float
        Of its slider.
    variable : str
        The name of the script variable without the sign; empty for a number.
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
    """Return the numbers in the expressions of a script, in the order of the text; none if it has a mistake.

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
    r"""Return the names of the script variables that a text uses, each once.

    >>> find_variables("hcp(north) >= $low  // not $this\n and hcp(south) >= $low + $1")
    ['low', '1']
    """
    return list(dict.fromkeys(match["name"] for match in _VARIABLE.finditer(text) if match["name"]))


def move_places(old: str, new: str, places: Iterable[int]) -> list[int]:
    """Return where places of the old text are in the new one, without those inside the part that changed.

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
    """Yield the numbers of a statement with the nodes above them; not the ranges of frequencies."""
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
    """Return a call of double-dummy tricks of a seat in words; None for other expressions."""
    if not isinstance(node, nodes.Call) or (function := find_function(node.function)) is None:
        return None
    if function.operation != "tricks" or not isinstance(node.arguments[0], nodes.Seat):
        return None
    strain = node.arguments[1]
    name = SUITS[strain.index] if isinstance(strain, nodes.Suit) else "notrump"
    return f"{SEATS[node.arguments[0].index]}: tricks in {name}"


def _describe_comparison(other: nodes.Expression, operator: str) -> tuple[str, tuple]:
    """Return the label of a number that an expression is compared with, and the range of the expression."""
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


PRODUCE, PRODUCE_SOLVED = 10_000, 1_000  # deals that a run produces by default, unless it prints them
_SOLVER_COST = 1e6  # nanoseconds a deal


@dataclass(frozen=True)
class Control:
    """A slider or a field of the explorer.

    Attributes
    ----------
    key : str
        ``$name`` of a script variable, or ``@5`` for the number that begins at character 5.
    label, text : str
        What it bounds, and its value as text.
    number : ScriptNumber or None
        The range of the slider; None: a field for any text.
    """

    key: str
    label: str
    text: str
    number: ScriptNumber | None


def list_controls(
    text: str, values: Mapping[str, str], numbers: Sequence[ScriptNumber], marked: Collection[int]
) -> list[Control]:
    """Return the sliders and fields of a script: of its variables first, then of the marked numbers."""
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
    """Return how many deals a run produces: as many as the script says, else by what it does.

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
    if isinstance(script, str):
        return script
    if isinstance(script, Script):
        return script.text
    if isinstance(script, os.PathLike):
        return read_source(Path(script))[0]
    raise ArgumentError(f"a script is its text, the path of its file or a Script, not {script!r:.40}")


def is_number(text: str) -> bool:
    return re.fullmatch(r"\s*-?(\d+(\.\d*)?|\.\d+)\s*", text) is not None


def _read_comments(text: str) -> dict[str, str]:
    """Return the comments behind ``# param`` lines, by variable."""
    pattern = r"^[ \t]*#[ \t]*param[ \t]+\$?(\w+)[ \t]*=[^#\n]*#[ \t]*([^\n]*)"
    return {match[1]: match[2].strip() for match in re.finditer(pattern, text, re.MULTILINE)}
