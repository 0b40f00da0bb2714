"""What programs refuse: all errors in a script, and the limits of dealer and DealerV2 beyond their dialects.

After each error, the part that has it is replaced by a correct one, and the script is read again. Each
replacement has the length of the part, so that later errors keep their places. The limits of dealer were
found by running it (Debian 20211121); the limit of DealerV2 is its set of 16 bits for shapes.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from dealerkit.advice.findings import Finding, build_finding
from dealerkit.appearance.numbers import format_count
from dealerkit.appearance.wording import join_words, shorten
from dealerkit.compiler.graph import OperationGraph
from dealerkit.errors import DealerkitError, Remedy, ScriptError
from dealerkit.language import nodes
from dealerkit.language.checks import Program, check_script
from dealerkit.language.dialects import MODERN, V2, Rules
from dealerkit.language.parser import parse_script
from dealerkit.language.printer import to_text
from dealerkit.language.script import Script
from dealerkit.language.script_variables import Params
from dealerkit.language.signatures import ACTIONS
from dealerkit.language.source import ScriptSource
from dealerkit.language.trees import walk
from dealerkit.language.vocabulary import is_function, list_keyword_tokens
from dealerkit.registry import find_function
from dealerkit.translate.scripts import MAX_SHAPES
from dealerkit.translate.shape_cover import find_covering_terms, limit_search

PROGRAMS = {"v1": "dealer", "v2": "DealerV2", "modern": "dealerkit"}
MAX_INTEGER = 2**31 - 1  # largest number of dealer
MAX_TABLE = 2**31  # most counts of a frequency for which dealer can get memory
LARGE_TABLE = 100_000  # counts of a frequency; dealer prints each as a line or a column
MAX_CHOICES = 2490  # most `? :` in a row; each takes four of the 10,000 places of dealer's parser
MAX_ACTIONS = 4990  # most actions in a list; each takes two places
MAX_ERRORS = 50  # most errors that are reported
MAX_BYTES_READ = 2_000_000  # limit of what is read, because the script is read again after each error
_FOUR_DIGITS = re.compile(r"[a-z]+\s*\(\s*[a-z]+\s*\)\s*==\s*[0-9]{4}(?![0-9])")
_INCLUDE = re.compile(r"^#include\b.*", re.MULTILINE)
_SHAPES = {
    "v1": "dealer stops at the 32nd call of shape() with 'Too many shapes'; this script has {}",
    "v2": "DealerV2 evaluates the 17th and later calls of shape() like the 16th; this script has {}",
}
_FEWER_SHAPES = (
    "; join alternatives in one call, such as shape(north, A + B), or name a shape that occurs twice"
)
_OPERATORS = frozenset("and or not && || ! ? : , == != < <= > >= + - * / % =".split())
_BREAKS = frozenset("and or not && || ! ? : , = condition action average".split())
_STATEMENTS = frozenset(
    "condition action produce generate dealer vulnerable predeal pointcount altcount".split()
)
_STRAY = frozenset("#;'")  # characters that are a mistake wherever they occur
_FOREIGN_SETTINGS = frozenset("seed title opener startboard".split())


_PIECE = re.compile(
    r"""(?P<skip>[ \t\r\n\f\v]+|//[^\n]*|/\*(?s:.*?)\*/|^\#[^\n]*)
    | (?P<string>"[^"]*") | (?P<brace>\{[^}]*\}) | (?P<word>[A-Za-z][A-Za-z0-9_]*)
    | (?P<number>[0-9]+\.[0-9]*|\.[0-9]+|[0-9x]+) | (?P<sign>&&|\|\||[=!<>]=|.)
    """,
    re.VERBOSE | re.MULTILINE,
)


# ---------------------------------------------------------------- limits of dealer and DealerV2
def find_text_limits(source: ScriptSource) -> Iterator[Finding]:
    """Yield parts that the program reads differently; the script need not be free of errors."""
    text = source.text
    if source.rules.name == "v1":
        for match in _INCLUDE.finditer(text):
            message = "dealer reads this line as a comment and includes no file; copy the file's text here"
            yield build_finding("differs", message, source, match.start())
        if (offset := find_comment_at_end(text)) is not None:
            message = "dealer refuses a comment in a last line without a newline; add a newline"
            yield build_finding("refused", message, source, offset)
    for piece in split_text(text):
        if piece.kind == "number" and piece.text.isdigit() and len(piece.text) > 9:
            value = int(piece.text[:40])
            if value > MAX_INTEGER and source.rules.bits == 32:
                wrapped = (value + 2**31) % 2**32 - 2**31
                message = (
                    f"the largest number of the program is {format_count(MAX_INTEGER)}, and it reads this as "
                    f"{wrapped}; write a smaller number"
                )
                yield build_finding("differs", message, source, piece.start)


def find_comment_at_end(text: str) -> int | None:
    """Return the offset of a comment, // or #, at the end of a text without a final newline, or None.

    >>> find_comment_at_end("hcp(north) > 3 // strong"), find_comment_at_end('action average "//" 1')
    (15, None)
    """
    position, offset = 0, None
    for match in re.finditer(r'"[^"]*"|/\*(?s:.*?)\*/|//[^\n]*|^\#[^\n]*', text, re.MULTILINE):
        position = match.end()
        offset = match.start() if match[0].startswith(("//", "#")) else None
    return offset if position == len(text) else None


def find_program_limits(program: Program, source: ScriptSource) -> Iterator[Finding]:
    """Yield the parts that the program of a script's dialect refuses, or at which it can stop."""
    yield from _find_shapes(program, source)
    yield from _find_actions(program, source)
    yield from _find_long_lists(program, source)
    if source.rules.name != "v1":
        return
    yield from _find_predeal(program, source)
    yield from _find_failures(program, source)


def _find_shapes(program: Program, source: ScriptSource) -> Iterator[Finding]:
    """Yield each shape{} if the program does not have it, and the first call of shape beyond the limit."""
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
            message = "dealer knows evalcontract, but stops when it prints the result; leave it out"
            yield build_finding("refused", message, source, action.place)
        if action.name == "frequency":
            bounds: Any = [action.arguments[k : k + 2] for k in range(1, len(action.arguments), 3)]
            extra = 1 if len(bounds) == 1 else 3
            size = 1
            for low, high in bounds:
                size *= max(high.value - low.value + extra, 0)
            if size > MAX_TABLE:
                message = (
                    f"dealer cannot store a table of {format_count(size)} counts; choose a smaller range"
                )
                yield build_finding("refused", message, source, action.place)
            elif size > LARGE_TABLE:
                message = (
                    f"dealer prints all {format_count(size)} counts of this table, even zeros; choose a "
                    "smaller range"
                )
                yield build_finding("differs", message, source, action.place)


def _find_operation(node: Any) -> str:
    """Return the operation that the function of a call is registered with; empty for other nodes."""
    function = find_function(node.function) if isinstance(node, nodes.Call) else None
    return "" if function is None else function.operation or ""


def _find_long_lists(program: Program, source: ScriptSource) -> Iterator[Finding]:
    """Yield lists that are too long for the parsers of the programs."""
    for statement in program.script.statements:
        if isinstance(statement, nodes.ActionList) and len(statement.actions) > MAX_ACTIONS:
            message = (
                f"the program can read about {format_count(MAX_ACTIONS)} actions in a list; this one has "
                f"{format_count(len(statement.actions))}"
            )
            yield build_finding("refused", message, source, statement.place)
        for node in walk(statement):
            if isinstance(node, nodes.Choice) and len(node.conditions) > MAX_CHOICES:
                message = (
                    f"the program can read about {format_count(MAX_CHOICES)} alternatives of ? : in a row; "
                    f"these are {format_count(len(node.conditions))}"
                )
                yield build_finding("refused", message, source, node.place)


def _find_predeal(program: Program, source: ScriptSource) -> Iterator[Finding]:
    for statement in program.script.statements:
        if isinstance(statement, nodes.PredealLength) and statement.place:
            if _FOUR_DIGITS.match(source.text_at(statement.place)):
                message = "dealer reads a number of four digits as a shape; write the length without zeros"
                yield build_finding("refused", message, source, statement.place)


def _find_failures(program: Program, source: ScriptSource) -> Iterator[Finding]:
    """Yield the operations at which dealer can stop during the run."""
    used = list(_list_used(program))
    for node in used:
        if _find_operation(node) == "tricks":
            message = "dealer gets tricks() from the program GIB and stops if it is not installed"
            yield build_finding("stops", message, source, node.place)
    try:
        graph = OperationGraph(source.rules, program)
    except DealerkitError:  # the script changes the table from which dealer computes losers
        tables = (node for node in program.script.statements if isinstance(node, nodes.PointTable))
        table = next((node for node in tables if node.number == 8), None)
        message = "dealer stops at a suit whose count in this table is more than 3 or less than 0"
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
                message = (
                    f"dealer stops at a deal in which {shorten(text)} == 0, because it divides by it here"
                )
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


# ---------------------------------------------------------------- all errors of a script
def find_errors(
    text: str,
    rules: Rules,
    file: str | None = None,
    params: Params = (),
    include: Sequence[str | os.PathLike] | None = (),
    known: frozenset[str] = frozenset(),
) -> tuple[list[ScriptError], Program | None, bool]:
    """Find the errors in a script.

    Parameters
    ----------
    text, rules, file, params, include
        As for `parse_script`.
    known : frozenset of str
        Variables that included files define. The program does not read these files, but the variables are
        not reported as unknown.

    Returns
    -------
    errors : list of ScriptError
        The errors in the order in which they are found, at most `MAX_ERRORS`.
    program : Program or None
        The script without the parts that have errors; None if they could not be separated.
    is_complete : bool
        Whether `program` is the whole script, in which no part was replaced.
    """
    parse = partial(parse_script, rules=rules, file=file, params=params, include=include)
    # In a modern script, the parser finds all errors itself.
    if rules.modern_syntax:
        try:
            return [], check_script(parse(text)), True
        except ScriptError as error:
            return list(error.errors), None, False
        except DealerkitError as error:
            return [ScriptError(str(error), file)], None, False
    # In the old dialects, the part with an error is replaced by a correct one and the script is read again.
    errors: list[ScriptError] = []
    current, is_complete = text, True
    for _ in range(max(3, min(4 * MAX_ERRORS, MAX_BYTES_READ // (len(text) + 1)))):
        try:
            return errors, check_script(parse(current, finds_all=False)), is_complete
        except ScriptError as error:
            if error.file != file:
                errors += _list_included_errors(error, partial(parse, current))
                break
            patch = _Patch(current, error, rules)
            shown = ScriptSource(text, rules, file).error(*patch.describe())
            name = _find_word(text, _find_offset(text, error))
            is_known = name in known and error.kind == "unknown variable"
            if any((other.line, other.column) == (shown.line, shown.column) for other in errors):
                break
            if not is_known:
                errors.append(shown)
            is_complete = False
            patched = patch.patch()
            if patched is None or patched == current or len(errors) >= MAX_ERRORS:
                break
            current = patched
        except DealerkitError as error:
            errors.append(ScriptError(str(error), file))
            break
    return errors, None, False


def _list_included_errors(error: ScriptError, parse: Callable[[], Script]) -> Sequence[ScriptError]:
    """Return the errors in an included file, in which no part is replaced."""
    try:
        parse()
    except ScriptError as whole:
        return whole.errors
    return error.errors


def _find_offset(text: str, error: ScriptError) -> int:
    """Return the offset of an error in its script."""
    start = 0
    for _ in range(error.line - 1):
        start = text.find("\n", start) + 1
    return min(start + error.column - 1, len(text))


def _find_word(text: str, offset: int) -> str:
    match = re.compile("[A-Za-z0-9_]*").match(text, offset)
    return match[0] if match else ""


def _has_word(word: str, rules: Rules) -> bool:
    """Return whether a word is a keyword or a function of a dialect."""
    return word in list_keyword_tokens(rules) or is_function(word, rules)


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


class _Patch:
    """The replacement of the part of a script that has an error."""

    def __init__(self, text: str, error: ScriptError, rules: Rules) -> None:
        self.text, self.error, self.rules = text, error, rules
        self.offset = _find_offset(text, error)
        self.pieces = list(split_text(text))
        later = (k for k, piece in enumerate(self.pieces) if piece.end > self.offset)
        self.index = next(later, len(self.pieces))

    def patch(self) -> str | None:
        """Return the text, of the same length, without the error; None if no replacement is known."""
        character = self.text[self.offset : self.offset + 1]
        if self.index >= len(self.pieces) or self.error.kind == "unclosed":
            return None
        piece = self.pieces[self.index]
        if character == "#":
            return self._replace(self.offset, self.offset + 2, "//")
        if "$" in (character, piece.text):
            match = re.compile(r"\$[A-Za-z0-9_]*").match(self.text, self.offset)
            return self._replace(self.offset, match.end(), "1") if match else None
        if piece.kind == "number" and "." in piece.text:
            return self._replace(piece.start, piece.end, piece.text.split(".")[0] or "0")
        if character in ";'\f\r^@" or not character.isascii():
            return self._replace(self.offset, self.offset + 1, "")
        return (
            self._patch_action()
            or self._patch_level()
            or self._patch_names()
            or self._patch_setting()
            or self._patch_sign()
            or self._patch_part()
        )

    def describe(self) -> tuple[str, int, Remedy | None, str]:
        """Return the reason, offset, remedy and kind of the error, or those of a word of another dialect."""
        foreign = self._find_foreign_word()
        if foreign is None:
            return self.error.reason, self.offset, self.error.remedy, self.error.kind
        word = self.pieces[foreign].text
        names = [PROGRAMS[other.name] for other in (V2, MODERN) if _has_word(word, other)]
        is_setting = word in _FOREIGN_SETTINGS
        kind = "an action" if word in ACTIONS else "a statement" if is_setting else "a function"
        lacking = f"which {PROGRAMS[self.rules.name]} does not have"
        return f"'{word}' is {kind} of {join_words(names)}, {lacking}", self.pieces[foreign].start, None, ""

    def _find_foreign_word(self) -> int | None:
        """Return the index of the word of another dialect that the error is about."""
        pairs = match_parentheses(self.pieces)
        calls = sorted((k - 1 for k, closing in pairs.items() if k <= self.index <= closing), reverse=True)
        for index in (self.index, self.index - 1, *calls):
            word = self._text_at(index)
            is_known = not word.isidentifier() or _has_word(word, self.rules) or self._is_defined(index)
            if is_known or self._text_at(index + 1) == "=":
                continue
            if _has_word(word, V2) or _has_word(word, MODERN):
                return index
        return None

    def _replace(self, start: int, end: int, new: str) -> str:
        old = self.text[start:end]
        if new and self.text[max(start - 1, 0) : start].isalnum():
            new = " " + new  # a separate word
        if len(new) > len(old) or "\n" in old[: len(new)]:
            new = ""
        return self.text[:start] + new + _blank(old[len(new) :]) + self.text[end:]

    def _text_at(self, index: int) -> str:
        return self.pieces[index].text if 0 <= index < len(self.pieces) else ""

    # ------------------------------------------------------------ names
    def _patch_names(self) -> str | None:
        piece = self.pieces[self.index]
        if self.error.kind == "setting as variable":  # the error is at the value, after the word and =
            word = self._text_at(self.index - 2)
            positions = [k for k, other in enumerate(self.pieces) if other.text == word]
            return self._rename(positions, self._find_free_name(len(word)))
        if piece.kind not in ("word", "number"):
            return None
        if self._text_at(self.index + 1) == "=":
            positions = [self.index]
            if self.error.kind != "defined twice":
                positions = [k for k, other in enumerate(self.pieces) if other.text == piece.text]
            return self._rename(positions, self._find_free_name(len(piece.text)))
        is_unknown = self.error.kind in ("unknown variable", "unknown word")
        if is_unknown and self._text_at(self.index + 1) != "(" and piece.text not in _FOREIGN_SETTINGS:
            positions = [
                k
                for k, other in enumerate(self.pieces)
                if other.text == piece.text and self._text_at(k + 1) != "=" and not self._is_defined(k)
            ]
            return self._rename(positions, "1")
        return None

    def _is_defined(self, index: int) -> bool:
        """Return whether the name of a piece is defined before it."""
        name = self.pieces[index].text
        return any(self._text_at(k) == name and self._text_at(k + 1) == "=" for k in range(index - 1))

    def _rename(self, positions: list[int], new: str) -> str:
        text = self.text
        for position in positions:
            _, _, start, end = self.pieces[position]
            text = text[:start] + new.ljust(end - start) + text[end:]
        return text

    def _find_free_name(self, length: int) -> str:
        words = {piece.text for piece in self.pieces} | {"x"}
        if length == 1:
            return next((letter for letter in "jqzwuvkyabcdefghilmnoprst" if letter not in words), "j")
        names = (f"q{k}".ljust(length, "_")[:length] for k in range(10_000))
        return next((name for name in names if name not in words), "q" * length)

    # ------------------------------------------------------------ statements and signs
    def _patch_action(self) -> str | None:
        """Replace an action that the dialect does not have by one that it has; return None without one."""
        foreign = self._find_foreign_word()
        if foreign is None or self._text_at(foreign) not in ACTIONS:
            return None
        last = foreign + (self.pieces[min(foreign + 1, len(self.pieces) - 1)].kind == "string")
        if self._text_at(last + 1) == "(":
            last = match_parentheses(self.pieces).get(last + 1, last)
        return self._replace(self.pieces[foreign].start, self.pieces[last].end, "printew")

    def _patch_level(self) -> str | None:
        """Return the text without the statement `level`."""
        if self.error.kind != "level":
            return None
        following = range(self.index + 1, len(self.pieces))
        last = next((k for k in following if self._begins_statement(k)), len(self.pieces)) - 1
        return self._replace(self.pieces[self.index].start, self.pieces[last].end, "")

    def _begins_statement(self, index: int) -> bool:
        return self._text_at(index) in _STATEMENTS | _FOREIGN_SETTINGS or self._text_at(index + 1) == "="

    def _patch_setting(self) -> str | None:
        """Return the text without a statement such as ``title "..."``, or None."""
        for index in (self.index, self.index - 1, self.index - 2):
            if self._text_at(index) in _FOREIGN_SETTINGS:
                last = index + 1 + (self._text_at(index + 1) == "=")
                last += self._text_at(last) == "-"
                if last < len(self.pieces):
                    return self._replace(self.pieces[index].start, self.pieces[last].end, "")
        return None

    def _patch_sign(self) -> str | None:
        piece = self.pieces[self.index]
        if piece.text == ")" and self.error.kind == "unopened":
            return self._replace(piece.start, piece.end, "")
        if piece.text == "=" and self._text_at(self.index - 1) != "=":
            return self._replace(piece.start, piece.end, "<")
        return None

    # ------------------------------------------------------------ parts of expressions
    def _patch_part(self) -> str | None:
        """Replace the operand of `and`, `or` or `?`, or the entry of a list, with the error by a number."""
        # Start from the call around the error, if there is one
        pairs = match_parentheses(self.pieces)
        first = last = self.index
        if self.pieces[first].text in (*_OPERATORS, ")") and self.pieces[first].text != "-":
            return None
        for opening, closing in sorted(pairs.items(), reverse=True):
            if opening < first and closing >= last and self._is_call(opening):
                first, last = opening - 1, closing
            elif opening < first and closing >= last:
                break
        # Extend the part to both sides as far as the operand goes
        closings = {closing: opening for opening, closing in pairs.items()}
        while first > 0 and not self._is_break(first - 1, first):
            first = closings.get(first - 1, first - 1)
            if self._text_at(first) == "(" and self._is_call(first):
                first -= 1
        last = pairs.get(last + 1, last) if self._is_call(last + 1) else pairs.get(last, last)
        while last + 1 < len(self.pieces) and not self._is_break(last, last + 1):
            last = pairs.get(last + 1, last + 1)
        name = self._text_at(first)
        before = self._text_at(first - 1)
        is_action = name in ACTIONS and before in ("action", ",")
        return self._replace(self.pieces[first].start, self.pieces[last].end, "printew" if is_action else "1")

    def _is_call(self, opening: int) -> bool:
        """Return whether a parenthesis belongs to a call of a function or of a simple action."""
        if self._text_at(opening) != "(" or opening == 0:
            return False
        word = self.pieces[opening - 1]
        if word.text in ("frequency", "printes", "printcompact", "printoneline"):
            return False
        is_adjacent = self._text_at(opening - 2) not in ("=",) or word.kind == "word"
        return word.kind == "word" and word.text not in _BREAKS and is_adjacent

    def _is_break(self, left: int, right: int) -> bool:
        """Return whether an operand ends between two neighbouring pieces."""
        a, b = self.pieces[left], self.pieces[right]
        if a.text in _BREAKS or b.text in _BREAKS or a.text in _STATEMENTS or b.text in _STATEMENTS:
            return True
        if a.text == "(" or b.text == ")" or a.kind == "string" or {a.text, b.text} & _STRAY:
            return True
        if b.kind in ("string", "brace"):
            return False
        ends = a.kind in ("word", "number", "brace") or a.text == ")"
        starts = b.kind in ("word", "number")
        return ends and (starts or (b.text == "(" and a.kind != "word"))


class Piece(NamedTuple):
    """A word or sign in a script, with the offset of its first character and of the one after it."""

    kind: str
    text: str
    start: int
    end: int


def split_text(text: str) -> Iterator[Piece]:
    """Yield the words and signs of a script of any dialect, without comments."""
    for match in _PIECE.finditer(text):
        if match.lastgroup and match.lastgroup != "skip":
            yield Piece(match.lastgroup, match[0], *match.span())


def match_parentheses(pieces: list[Piece]) -> dict[int, int]:
    """Return the indices of closing parentheses, by the index of the opening one."""
    pairs: dict[int, int] = {}
    pending: list[int] = []
    for index, piece in enumerate(pieces):
        if piece.text == "(":
            pending.append(index)
        elif piece.text == ")" and pending:
            pairs[pending.pop()] = index
    return pairs
