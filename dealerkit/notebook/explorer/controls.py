"""The sliders and fields of a script, and what else the explorer reads from it."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from dealerkit.errors import ArgumentError, ScriptError
from dealerkit.explanation.findings import Finding, from_error
from dealerkit.language import nodes
from dealerkit.language.headers import read_headers
from dealerkit.language.script import Script
from dealerkit.language.source import read_source
from dealerkit.language.trees import walk
from dealerkit.notebook.explorer.numbers import ScriptNumber, find_variables
from dealerkit.registry import find_function

PRODUCE, PRODUCE_SOLVED, PRODUCE_PRINTED = 10_000, 1_000, 40  # deals that a run produces by default
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
    return PRODUCE if names - {name for name in names if name.startswith("print")} else PRODUCE_PRINTED


def read_text(script: str | os.PathLike | Script) -> str:
    if isinstance(script, str):
        return script
    if isinstance(script, Script):
        return script.text
    if isinstance(script, os.PathLike):
        return read_source(Path(script))[0]
    raise ArgumentError(f"a script is its text, the path of its file or a Script, not {script!r:.40}")


def to_finding(error: Exception) -> Finding:
    """Return any error as a finding; one without a place has none of its lines."""
    if isinstance(error, ScriptError):
        return from_error(error)
    return Finding("refused", str(error), "", 0, 0, None, "")


def is_number(text: str) -> bool:
    return re.fullmatch(r"\s*-?(\d+(\.\d*)?|\.\d+)\s*", text) is not None


def _read_comments(text: str) -> dict[str, str]:
    """Return what comments behind ``# param`` lines say of variables."""
    pattern = r"^[ \t]*#[ \t]*param[ \t]+\$?(\w+)[ \t]*=[^#\n]*#[ \t]*([^\n]*)"
    return {match[1]: match[2].strip() for match in re.finditer(pattern, text, re.MULTILINE)}
