"""Mistakes that can be seen in the text of a script: expressions that do not mean what they seem to mean.

Whoever compiles an expression warns about them, because its value looks like an answer.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from dealerkit.appearance.numbers import format_number
from dealerkit.appearance.wording import join_words, limit_repr, shorten
from dealerkit.cards.names import RANKS
from dealerkit.compiler.operations import compare_values
from dealerkit.errors import MistakeWarning, Remedy, warn_caller
from dealerkit.language import nodes
from dealerkit.language.checks import Program
from dealerkit.language.levels import find_misspelled_types
from dealerkit.language.printer import to_text
from dealerkit.language.trees import children, has_truth_value, is_comparison, resolve_variable, walk

# Kinds of mistakes that can make a clause always or never true
CAUSES = frozenset(("truth", "chained", "not", "units", "range", "number"))
MAX_MISTAKES = 10  # that one text is warned of
MAX_TEXT = 100_000  # longer scripts are not searched for mistakes
_TOKENS = re.compile(r'"[^"]*"|#[^\n]*|//[^\n]*|/\*.*?\*/|[()]', re.DOTALL)  # texts, comments, parentheses


@limit_repr
@dataclass(frozen=True)
class Mistake:
    """A part of a script that its author probably did not intend.

    Parameters
    ----------
    kind : str
        Found in the text: ``replaced unused repeat chained not number range truth or precedence division
        units ladder spelling empty``; found by proofs or on pilot deals: ``never always predeal
        contradiction repeat empty``.
    message : str
        What the part means or does.
    place : Place or None
        Line and column in the script.
    instead : str
        The expression that was probably meant, in the dealer language; empty if it is not known.
    more_places : tuple of Place
        Further places of the same mistake, which are not reported again.
    """

    kind: str
    message: str
    place: nodes.Place | None = None
    instead: str = ""
    more_places: tuple[nodes.Place, ...] = ()

    def __str__(self) -> str:
        return f"{self.location}{self.message}{f'; probably meant: {self.instead}' if self.instead else ''}"

    @property
    def location(self) -> str:
        """The place in words, to start a line with; empty without a place."""
        return f"line {self.place.line}, column {self.place.column}: " if self.place else ""

    @property
    def position(self) -> tuple[int, int]:
        """Line and column, for sorting; zeros without a place."""
        return (self.place.line, self.place.column) if self.place else (0, 0)


def find_certain_text_mistakes(program: Program) -> list[Mistake]:
    """Return the certain mistakes that can be seen in the text of a script, in the order of the text."""
    if len(program.script.text) > MAX_TEXT:
        return []
    reader = CertainMistakeReader(program)
    roots = (*program.definitions.values(), program.condition, program.level, *program.actions)
    mistakes = [mistake for root in roots for node in walk(root) for mistake in reader.find_mistakes(node)]
    return merge_mistakes([*mistakes, *find_empty_statements(program), *find_spelling_mistakes(program)])


def warn_of_text_mistakes(program: Program) -> None:
    """Warn about the mistakes in the text of an expression; in the old dialects they are left alone."""
    if not program.script.rules.is_classic:
        warn_of_mistakes(find_certain_text_mistakes(program))


def warn_of_mistakes(mistakes: Iterable[Mistake]) -> None:
    """Warn about mistakes at the line of the caller's program, ten at most."""
    for mistake in itertools.islice(mistakes, MAX_MISTAKES):
        remedy = Remedy(mistake.instead, "", "probably meant") if mistake.instead else None
        warn_caller(MistakeWarning(mistake.message, remedy=remedy, place=mistake.place))


def find_empty_statements(program: Program) -> list[Mistake]:
    """Find point counts without values: ``pointcount A=4 K=3`` changes no count but defines variables."""
    mistakes = []
    statements = program.script.statements
    for index, statement in enumerate(statements):
        if isinstance(statement, nodes.PointTable) and not statement.values:
            named = [
                str(other.value.value)
                for other in itertools.takewhile(_is_rank_value, statements[index + 1 :])
                if isinstance(other, nodes.Definition) and isinstance(other.value, nodes.Number)
            ]
            if named:
                word = "pointcount" if statement.number is None else f"altcount {statement.number}"
                message = f"`{word}` has no values here, because a name followed by = defines a variable"
                mistakes.append(Mistake("empty", message, statement.place, f"{word} {' '.join(named)}"))
    return mistakes


def _is_rank_value(statement: nodes.Statement) -> bool:
    """Return whether a statement is ``K = 3``, a rank and a number."""
    return (
        isinstance(statement, nodes.Definition)
        and statement.name.upper() in RANKS
        and isinstance(statement.value, nodes.Number)
    )


def find_spelling_mistakes(program: Program) -> list[Mistake]:
    """Find variables whose names resemble a hand type or its share but are spelled differently."""
    if not program.script.rules.modern_syntax:
        return []
    return [
        Mistake("spelling", message, program.definitions[variable].place, meant)
        for variable, message, meant in find_misspelled_types(program.definitions)
    ]


def merge_mistakes(mistakes: Sequence[Mistake]) -> list[Mistake]:
    """Sort mistakes by place, and keep only the first of each kind at a place."""
    kept: list[Mistake] = []
    found: dict[nodes.Place, set[str]] = {}
    for mistake in sorted(mistakes, key=lambda mistake: mistake.position):
        kinds = set() if mistake.place is None else found.setdefault(mistake.place, set())
        is_consequence = mistake.kind in ("never", "always") and kinds & CAUSES
        if mistake.kind not in kinds and not is_consequence:
            kept.append(mistake)
            kinds.add(mistake.kind)
            for place in mistake.more_places:
                found.setdefault(place, set()).add(mistake.kind)
    return kept


def _distribute(
    value: nodes.Expression, number: nodes.Expression, operator: str, is_left: bool
) -> nodes.Expression | None:
    """Compare each value that `and`, `or` and `not` join with a number, and return the new expression.

    Return None if one of the values is a truth value or a variable, so that the meaning is not known.
    """
    if isinstance(value, nodes.Not):
        inner = _distribute(value.operand, number, operator, is_left)
        return None if inner is None else replace(value, operand=inner)
    if isinstance(value, nodes.And | nodes.Or):
        parts = [_distribute(operand, number, operator, is_left) for operand in value.operands]
        found = tuple(part for part in parts if part is not None)
        return replace(value, operands=found) if len(found) == len(parts) else None
    if has_truth_value(value, {}) or isinstance(value, nodes.Name):
        return None
    return nodes.Chain((value, number) if is_left else (number, value), (operator,))


def _compare_numbers(operands: Sequence[nodes.Expression]) -> list[nodes.Expression]:
    """Return operands in which each number after a comparison is replaced by the same comparison with it.

    Return an empty list if the first operand is not a comparison of two values.
    """
    compared: list[nodes.Expression] = []
    for operand in operands:
        before = compared[-1] if compared else operand
        if not (isinstance(before, nodes.Chain) and is_comparison(before) and len(before.operators) == 1):
            return []
        if isinstance(operand, nodes.Number):
            operand = replace(before, operands=(before.operands[0], operand))
        compared.append(operand)
    return compared


class CertainMistakeReader:
    """A search for certain mistakes in the expressions of one script."""

    def __init__(self, program: Program) -> None:
        self.rules, self.definitions, self.text = (
            program.script.rules,
            program.definitions,
            program.script.text,
        )
        self.indexed_text = ""
        self.line_starts = [0]

    def find_mistakes(self, node: nodes.Argument) -> Iterator[Mistake]:
        """Yield the mistakes of one node, without those of the nodes below it."""
        if isinstance(node, nodes.And | nodes.Or):
            yield from self._find_numbers(node)
            yield from self._find_shared_comparison(node)
        if isinstance(node, nodes.Or):
            yield from self._find_bare_and(node)
        elif isinstance(node, nodes.Chain) and is_comparison(node):
            if len(node.operators) > 1:
                yield self._report_chain(node)
            elif (negation := self._find_leading_not(node)) is not None:
                yield negation
            else:
                yield from self._find_compared_truth(node)
                yield from self._find_difference(node)

    def print(self, node: nodes.Argument) -> str:
        """Return the text of a node, shortened."""
        return shorten(to_text(node, self.rules))

    def _is_simple(self, node: nodes.Chain) -> bool:
        """Return whether a comparison has two sides and does not start with `not`."""
        return len(node.operators) == 1 and self._find_leading_not(node) is None

    def _find_numbers(self, node: nodes.And | nodes.Or) -> Iterator[Mistake]:
        """Yield a mistake for ``hcp(north) == 10 or 11 or 12``, where 11 and 12 are always true."""
        before: nodes.Expression | None = None
        for is_number, group in itertools.groupby(
            node.operands, lambda operand: isinstance(operand, nodes.Number)
        ):
            operands = list(group)
            numbers = [each for each in operands if isinstance(each, nodes.Number)] if is_number else []
            true = [number for number in numbers if number.value not in (0, 1)]
            if true:
                names = join_words(str(number.value) for number in true)
                is_one = len(true) == 1
                effect = f"so {'it adds' if is_one else 'they add'} nothing"
                if isinstance(node, nodes.Or):
                    effect = "so is the whole `or`"
                message = f"{names} alone {'is' if is_one else 'are'} always true, {effect}"
                if isinstance(before, nodes.And | nodes.Or):
                    before = before.operands[-1]
                compared = [] if before is None else _compare_numbers((before, *numbers))
                meant = to_text(type(node)(tuple(compared)), self.rules) if compared else ""
                places = tuple(number.place for number in true[1:] if number.place is not None)
                yield Mistake("number", message, true[0].place, meant, places)
            before = operands[-1]

    def _find_shared_comparison(self, node: nodes.And | nodes.Or) -> Iterator[Mistake]:
        """Yield a mistake for ``hcp(north) or hcp(south) >= 20``, where the first call is not compared."""
        last = node.operands[-1]
        if not isinstance(last, nodes.Chain) or not is_comparison(last) or len(last.operators) > 1:
            return
        (call, number), first = last.operands, node.operands[0]
        if not isinstance(call, nodes.Call) or not isinstance(number, nodes.Number):
            return
        others = node.operands[:-1]
        if has_truth_value(call, {}) or any(
            not isinstance(other, nodes.Call) or other.function != call.function for other in others
        ):
            return
        message = f"`{self.print(first)}` has no comparison here, so it is true unless it is 0"
        compared = tuple(replace(last, operands=(operand, number)) for operand in (*others, call))
        yield Mistake("number", message, node.place, self.print(replace(node, operands=compared)))

    def _find_difference(self, node: nodes.Chain) -> Iterator[Mistake]:
        """Yield a mistake for ``hcp(north) == 12-14`` or ``>= 12-14``, which compare with a difference."""
        (left, right), (operator,) = node.operands, node.operators
        if operator not in ("==", ">=") or not isinstance(right, nodes.Chain) or right.operators != ("-",):
            return
        low, high = right.operands
        if not (isinstance(low, nodes.Number) and isinstance(high, nodes.Number) and low.value < high.value):
            return
        message = (
            f"`{self.print(right)}` is the number "
            f"{format_number(low.value - high.value, ascii=True)}, not a range"
        )
        bounds = (nodes.Chain((left, low), (">=",)), nodes.Chain((left, high), ("<=",)))
        yield Mistake("range", message, node.place, self.print(nodes.And(bounds)))

    def _find_compared_truth(self, node: nodes.Chain) -> Iterator[Mistake]:
        """Yield a mistake for a comparison of a truth value that has the same result for 0 and 1."""
        (left, right), (operator,) = node.operands, node.operators
        for value, other in ((left, right), (right, left)):
            number = resolve_variable(other, self.definitions)
            if not isinstance(number, nodes.Number) or not has_truth_value(value, self.definitions):
                continue
            pairs = [(k, number.value) if value is left else (number.value, k) for k in (0, 1)]
            results = {
                bool(compare_values(operator, a, b, isinstance(number.value, float))) for a, b in pairs
            }
            if len(results) == 1:
                frequency = "always" if results.pop() else "never"
                message = f"`{self.print(value)}` is 0 or 1, so `{self.print(node)}` is {frequency} true"
                meant = _distribute(value, other, operator, value is left)
                yield Mistake("truth", message, value.place, "" if meant is None else self.print(meant))

    # ------------------------------------------------------------ precedence of operators
    def _report_chain(self, node: nodes.Chain) -> Mistake:
        """Return the mistake of ``1 < x < 5``, which compares a truth value with a number."""
        if (counted := self._find_counted(node)) is not None:
            message = f"`{self.print(node)}` is a chain of comparisons, as + binds tighter than =="
            return Mistake("chained", message, node.place, counted)
        first = nodes.Chain(node.operands[:2], node.operators[:1])
        rest = self.print(node.operands[2])
        operands = node.operands
        value, *numbers = (not isinstance(operand, nodes.Number) for operand in operands)
        if value and not any(numbers):  # in hcp(north) >= 15 <= 17, the pair 15 <= 17 would say nothing
            pairs = zip(itertools.repeat(operands[0]), node.operators, operands[1:], strict=False)
        else:
            pairs = zip(operands, node.operators, operands[1:], strict=False)
        parts = tuple(nodes.Chain((left, right), (operator,)) for left, operator, right in pairs)
        message = f"`{self.print(node)}` compares the value of `{self.print(first)}`, 0 or 1, with {rest}"
        return Mistake("chained", message, node.place, self.print(nodes.And(parts)))

    def _find_counted(self, node: nodes.Chain) -> str | None:
        """Return ``(a == 0) + (b == 0)`` for ``a == 0 + b == 0``, or None."""
        first, *middle, last = node.operands
        parts, left = [], first
        if set(node.operators) != {"=="} or not isinstance(last, nodes.Number):
            return None
        for operand in middle:
            if not (isinstance(operand, nodes.Chain) and operand.operators == ("+",)):
                return None
            number, right = operand.operands
            if not isinstance(number, nodes.Number):
                return None
            parts.append((left, number))
            left = right
        parts.append((left, last))
        return " + ".join(f"({self.print(nodes.Chain(pair, ('==',)))})" for pair in parts)

    def _find_leading_not(self, node: nodes.Chain) -> Mistake | None:
        """Return the mistake of ``not hcp(north) == 3``, which negates the points before comparing them."""
        path: list[nodes.Chain] = [node]
        while isinstance(first := path[-1].operands[0], nodes.Chain):
            path.append(first)
        if not isinstance(first, nodes.Not) or has_truth_value(first.operand, self.definitions):
            return None
        meant: nodes.Expression = first.operand
        for chain in reversed(path):
            meant = replace(chain, operands=(meant, *chain.operands[1:]))
        message = f"`not` binds tighter than `{node.operators[0]}`: `{self.print(first)}` is 0 or 1 here"
        return Mistake("not", message, first.place, f"not ({self.print(meant)})")

    def _find_bare_and(self, node: nodes.Or) -> Iterator[Mistake]:
        """Yield the mistake of ``a and b or c`` without parentheses, unless all operands contain `and`."""
        ands = [k for k, operand in enumerate(node.operands) if isinstance(operand, nodes.And)]
        bare = [k for k in ands if not self._is_in_parentheses(node.operands, k)]
        if not bare or len(ands) == len(node.operands):
            return
        group = node.operands[bare[0]]
        assert isinstance(group, nodes.And)
        meant = ""
        if bare == ands == [0]:
            last = nodes.Or((group.operands[-1], *node.operands[1:]))
            meant = self.print(nodes.And((*group.operands[:-1], last)))
        elif bare == ands == [len(node.operands) - 1]:
            alternatives = (*node.operands[:-1], group.operands[0])
            first = nodes.Or(tuple(_compare_numbers(alternatives)) or alternatives)
            meant = self.print(nodes.And((first, *group.operands[1:])))
        message = f"`and` binds tighter than `or`: `{self.print(group)}` is one alternative by itself"
        yield Mistake("or", message if meant else f"{message}; write parentheses", node.place, meant)

    def _is_in_parentheses(self, operands: tuple[nodes.Expression, ...], index: int) -> bool:
        """Return whether parentheses enclose exactly one operand, which has several parts."""
        place = operands[index].place
        text = place.origin.text if place is not None and place.origin is not None else self.text
        self._index_lines(text)
        start = self._offset(place)
        last = max(self._offset(part.place) for part in children(operands[index]))
        end = self._offset(operands[index + 1].place) if index + 1 < len(operands) else len(text) + 1
        before = self._offset(operands[index - 1].place) if index else -1
        position = start - 1
        while position > before and (text[position].isspace() or text[position] == "("):
            if text[position] == "(" and last < self._find_closing(position) < end:
                return True
            position -= 1
        return False

    def _index_lines(self, text: str) -> None:
        """Find where the lines of a text start; it is the script or a text that was added to it."""
        if text != self.indexed_text:
            self.indexed_text = text
            self.line_starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def _offset(self, place: nodes.Place | None) -> int:
        """Return the position of a place in the text."""
        if place is None:
            return 0
        start = self.line_starts[min(place.line, len(self.line_starts)) - 1]
        return min(start + place.column - 1, max(len(self.indexed_text) - 1, 0))

    def _find_closing(self, opening: int) -> int:
        """Return the position of the parenthesis that closes the one at `opening`."""
        depth = 0
        for match in _TOKENS.finditer(self.indexed_text, opening):
            depth += {"(": 1, ")": -1}.get(match.group(), 0)
            if depth == 0:
                return match.start()
        return len(self.indexed_text)
