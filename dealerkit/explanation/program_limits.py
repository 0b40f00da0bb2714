"""What the programs dealer and DealerV2 refuse although the dialects v1 and v2 read it, and their limits.

Each rule was observed by running dealer (Debian 20211121); those of DealerV2 are its 16-bit set of shapes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from dealerkit.appearance.wording import shorten
from dealerkit.compiler.graph import OperationGraph
from dealerkit.errors import DealerkitError
from dealerkit.explanation.findings import Finding, build_finding
from dealerkit.explanation.pieces import split_text
from dealerkit.language import nodes
from dealerkit.language.checks import Program
from dealerkit.language.printer import to_text
from dealerkit.language.source import ScriptSource
from dealerkit.language.trees import walk
from dealerkit.registry import find_function
from dealerkit.translate.scripts import MAX_SHAPES
from dealerkit.translate.shape_cover import find_covering_terms, limit_search

MAX_INTEGER = 2**31 - 1
MAX_TABLE = 2**31  # counts of a frequency for which dealer may still get memory
LARGE_TABLE = 100_000  # counts of a frequency, each a line or a column of the output
MAX_CHOICES = 2490  # `? :` in a row; its parser has 10,000 places, of which each takes four
MAX_ACTIONS = 4990  # in a list; each takes two places
_FOUR_DIGITS = re.compile(r"[a-z]+\s*\(\s*[a-z]+\s*\)\s*==\s*[0-9]{4}(?![0-9])")
_INCLUDE = re.compile(r"^#include\b.*", re.MULTILINE)
_SHAPES = {
    "v1": "dealer stops at the 32nd call of shape() with 'Too many shapes'; this script has {}",
    "v2": "DealerV2 takes the 17th call of shape() and later ones for the 16th; this script has {}",
}
_FEWER_SHAPES = (
    "; join alternatives in one call, shape(north, A + B), or name a shape that occurs twice and use its name"
)


def find_text_limits(source: ScriptSource) -> Iterator[Finding]:
    """Yield what dealer does not take as the text says, whether or not the rest of it can be read."""
    text = source.text
    if source.rules.name == "v1":
        for match in _INCLUDE.finditer(text):
            message = "dealer takes this line for a comment: no file is included; copy its text here"
            yield build_finding("differs", message, source, match.start())
        if (offset := find_comment_at_end(text)) is not None:
            message = "dealer refuses a comment in a last line that does not end; end it with a newline"
            yield build_finding("refused", message, source, offset)
    for piece in split_text(text):
        if piece.kind == "number" and piece.text.isdigit() and len(piece.text) > 9:
            value = int(piece.text[:40])
            if value > MAX_INTEGER and source.rules.bits == 32:
                wrapped = (value + 2**31) % 2**32 - 2**31
                message = f"the program counts to {MAX_INTEGER:,} only and takes this number for {wrapped}"
                yield build_finding("differs", message, source, piece.start)


def find_comment_at_end(text: str) -> int | None:
    """Return the offset of a comment, // or #, that ends the text without a newline; None if there is none.

    >>> find_comment_at_end("hcp(north) > 3 // strong"), find_comment_at_end('action average "//" 1')
    (15, None)
    """
    position, offset = 0, None
    for match in re.finditer(r'"[^"]*"|/\*(?s:.*?)\*/|//[^\n]*|^\#[^\n]*', text, re.MULTILINE):
        position = match.end()
        offset = match.start() if match[0].startswith(("//", "#")) else None
    return offset if position == len(text) else None


def find_program_limits(program: Program, source: ScriptSource) -> Iterator[Finding]:
    """Yield what the program of a script's dialect refuses or stops at."""
    yield from _find_shapes(program, source)
    yield from _find_actions(program, source)
    yield from _find_long_lists(program, source)
    if source.rules.name != "v1":
        return
    yield from _find_predeal(program, source)
    yield from _find_failures(program, source)


def _find_shapes(program: Program, source: ScriptSource) -> Iterator[Finding]:
    """Yield shape{} where there is none, and the first call beyond the limit."""
    name, most = source.rules.name, MAX_SHAPES[source.rules.name]
    calls = [
        node
        for statement in program.script.statements
        for node in walk(statement)
        if _find_operation(node) == "member"
    ]
    n_tried = limit_search(call.arguments[1].patterns for call in calls)
    for call in calls:
        shapes: Any = call.arguments[1]
        if name == "v1" and not isinstance(shapes, nodes.ShapeList):
            terms = nodes.ShapeList(find_covering_terms(shapes.patterns, n_tried), shapes.patterns)
            remedy = to_text(nodes.Call("shape", (call.arguments[0], terms)), source.rules)
            message = "dealer has no shape{} without its pre-processor"
            yield build_finding("refused", message, source, call.place, remedy)
    if len(calls) > most:
        message = _SHAPES[name].format(len(calls)) + _FEWER_SHAPES
        yield build_finding("refused" if name == "v1" else "differs", message, source, calls[most].place)


def _find_actions(program: Program, source: ScriptSource) -> Iterator[Finding]:
    for action in program.actions:
        if action.name == "evalcontract" and source.rules.name == "v1":
            message = "dealer has evalcontract, but stops when it prints; leave it out"
            yield build_finding("refused", message, source, action.place)
        if action.name == "frequency":
            bounds: Any = [action.arguments[k : k + 2] for k in range(1, len(action.arguments), 3)]
            extra = 1 if len(bounds) == 1 else 3
            size = 1
            for low, high in bounds:
                size *= max(high.value - low.value + extra, 0)
            if size > MAX_TABLE:
                message = f"dealer has no memory for a table of {size:,} counts; choose a smaller range"
                yield build_finding("refused", message, source, action.place)
            elif size > LARGE_TABLE:
                message = f"dealer prints all {size:,} counts of this table, also those that are 0"
                yield build_finding("differs", message, source, action.place)


def _find_operation(node: Any) -> str:
    """Return the operation of a call by the entry of its function; empty for other nodes."""
    function = find_function(node.function) if isinstance(node, nodes.Call) else None
    return "" if function is None else function.operation or ""


def _find_long_lists(program: Program, source: ScriptSource) -> Iterator[Finding]:
    """Yield lists for which the parsers of the programs have no memory."""
    for statement in program.script.statements:
        if isinstance(statement, nodes.ActionList) and len(statement.actions) > MAX_ACTIONS:
            message = f"a list may have about {MAX_ACTIONS:,} actions there"
            yield build_finding("refused", message, source, statement.place)
        for node in walk(statement):
            if isinstance(node, nodes.Choice) and len(node.conditions) > MAX_CHOICES:
                message = f"about {MAX_CHOICES:,} alternatives of ? : may follow each other there"
                yield build_finding("refused", message, source, node.place)


def _find_predeal(program: Program, source: ScriptSource) -> Iterator[Finding]:
    for statement in program.script.statements:
        if isinstance(statement, nodes.PredealLength) and statement.place:
            if _FOUR_DIGITS.match(source.text_at(statement.place)):
                message = "dealer takes a number of four digits for a shape; write the length without zeros"
                yield build_finding("refused", message, source, statement.place)


def _find_failures(program: Program, source: ScriptSource) -> Iterator[Finding]:
    """Yield the operations at which dealer may stop during the run."""
    used = list(_list_used(program))
    for node in used:
        if _find_operation(node) == "tricks":
            message = "dealer takes tricks() from the program GIB and stops where that is missing"
            yield build_finding("stops", message, source, node.place)
    try:
        graph = OperationGraph(source.rules, program)
    except DealerkitError:  # a table from which it computes losers
        tables = (node for node in program.script.statements if isinstance(node, nodes.PointTable))
        table = next((node for node in tables if node.number == 8), None)
        message = "dealer stops at a suit with a count of more than 3 or less than 0 in this table"
        yield build_finding("stops", message, source, table.place if table else None)
        return
    yield from _find_divisions(used, graph, source)


def _find_divisions(used: list[Any], graph: OperationGraph, source: ScriptSource) -> Iterator[Finding]:
    """Yield divisions by a value whose range contains 0."""
    seen = set()
    for node in used:
        if not isinstance(node, nodes.Chain) or node.place in seen:
            continue
        for operator, divisor in zip(node.operators, node.operands[1:], strict=True):
            if operator not in "/%":
                continue
            bounds = graph.operations[graph.add_expression(divisor)].range
            if bounds.low is None or bounds.high is None or bounds.low <= 0 <= bounds.high:
                seen.add(node.place)
                text = to_text(divisor, source.rules)
                message = f"dealer stops if it divides here at a deal with {shorten(text)} == 0"
                yield build_finding("stops", message, source, node.place)


def _list_used(program: Program) -> Iterator[Any]:
    """Yield the nodes of the condition and the actions, and of the variables that they use."""
    pending: list[Any] = [*filter(None, [program.condition]), *program.actions]
    names: set[str] = set()
    while pending:
        for node in walk(pending.pop()):
            yield node
            if isinstance(node, nodes.Name) and node.name not in names:
                names.add(node.name)
                pending.append(program.definitions[node.name])
