"""Likely mistakes in a script that can be run, each with its effect and what was probably meant.

Some can be seen in the text: replaced and unused statements, divisions of integers, expressions that programs
group differently, and tests of small cards that are meant to keep a share of the deals. Others are found by
evaluating the clauses on pilot deals.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from dealerkit.advice.certain_mistakes import ScriptClause
from dealerkit.appearance.numbers import format_count, format_number, format_significant
from dealerkit.appearance.wording import join_words, shorten
from dealerkit.cards.names import SUITS
from dealerkit.compiler.graph import OperationGraph
from dealerkit.compiler.operations import Range
from dealerkit.compiler.text_mistakes import (
    CertainMistakeReader,
    Mistake,
    find_empty_statements,
    find_spelling_mistakes,
)
from dealerkit.dealing.predeal import Predeal
from dealerkit.errors import DealerkitError, NotYetError, ScriptError
from dealerkit.language import nodes
from dealerkit.language.checks import Program
from dealerkit.language.dialects import C_LEVELS, V2_LEVELS
from dealerkit.language.levels import find_type_variables
from dealerkit.language.parser import parse_script
from dealerkit.language.printer import to_text
from dealerkit.language.script import Script
from dealerkit.language.trees import (
    COMPARISONS,
    MIRRORED,
    children,
    is_comparison,
    resolve_variable,
    walk,
)
from dealerkit.language.units import find_mixed_units
from dealerkit.planning.rates import EARLIER_CLAUSE, Rates, Tally, estimate_rates
from dealerkit.registry import get_function

MAX_COMPARED = 60_000  # longer scripts, in characters, are not parsed as another program parses them
MAX_UNUSED = 3  # up to this number, unused variables are reported one by one
MIN_EXPECTED = 20.0  # deals that must have been expected before their absence is reported
_LADDER_NAME = re.compile(r"keep(\d{2,3})")
_HIGHEST_SPOT = 7  # rank of the nine; the deuce is 0


def find_text_mistakes(program: Program, graph: OperationGraph) -> list[Mistake]:
    """Return the likely mistakes that can be seen in a script without dealing, in the order of the text.

    `graph` contains the operations of the program.
    """
    reader = _ExpressionReader(program, graph)
    mistakes = [*_find_replaced(program), *_find_unused(program), *_compare_dialects(program.script)]
    mistakes += [*find_biased_ladder(program), *find_spelling_mistakes(program)]
    mistakes += find_empty_statements(program)
    for root in (*program.definitions.values(), program.condition, program.level, *program.actions):
        for node in walk(root):
            mistakes += reader.find_mistakes(node)
        mixed = find_mixed_units(root, program.script.rules, program.definitions, program.points)
        mistakes += [Mistake("units", *mistake) for mistake in mixed]
    return sorted(mistakes, key=lambda mistake: mistake.position)


def _find_replaced(program: Program) -> Iterator[Mistake]:
    """Yield a mistake for each condition and action list that replaces an earlier one."""
    if not program.script.rules.last_condition_wins:
        return
    for kind, name, remedy in (
        (nodes.Condition, "condition", "join both with `and`"),
        (nodes.ActionList, "action list", "join both with a comma"),
    ):
        statements = [statement for statement in program.script.statements if isinstance(statement, kind)]
        for earlier, later in zip(statements, statements[1:], strict=False):
            line = f" in line {earlier.place.line}" if earlier.place else ""
            message = f"this {name} replaces the one{line}, which has no effect; {remedy}"
            yield Mistake("replaced", message, later.place)


def _find_unused(program: Program) -> Iterator[Mistake]:
    """Yield a mistake for variables that no condition or action uses, directly or through other variables."""
    statements = program.script.statements
    if program.condition is None and not any(isinstance(node, nodes.ActionList) for node in statements):
        return  # the script only defines variables for other scripts
    used = find_type_variables(program.definitions) if program.script.rules.modern_syntax else set()
    pending: list = [program.condition, program.level, *program.actions]
    pending += [program.definitions[name] for name in used]
    while pending:
        for node in walk(pending.pop()):
            if isinstance(node, nodes.Name) and node.name not in used:
                used.add(node.name)
                pending.append(program.definitions[node.name])
    unused = [node for node in statements if isinstance(node, nodes.Definition) and node.name not in used]
    if len(unused) > MAX_UNUSED:
        names = shorten(", ".join(definition.name for definition in unused))
        message = f"{len(unused)} variables are used by no condition and no action: {names}"
        yield Mistake("unused", message, unused[0].place)
        return
    for definition in unused:
        message = f"the variable '{definition.name}' is used by no condition and no action"
        yield Mistake("unused", message, definition.place)


class _ExpressionReader(CertainMistakeReader):
    """A search for likely mistakes in the expressions of one script."""

    def __init__(self, program: Program, graph: OperationGraph) -> None:
        super().__init__(program)
        self.graph = graph

    def find_mistakes(self, node: nodes.Argument) -> Iterator[Mistake]:
        """Yield the mistakes of one node, without those of the nodes below it."""
        yield from super().find_mistakes(node)
        if isinstance(node, nodes.And | nodes.Or):
            yield from self._find_repeated(node)
        elif isinstance(node, nodes.Action) and node.name == "average":
            yield from self._find_average_of_quotient(node)
        elif isinstance(node, nodes.Chain) and is_comparison(node) and self._is_simple(node):
            yield from self._find_compared_quotient(node)

    def _find_repeated(self, node: nodes.And | nodes.Or) -> Iterator[Mistake]:
        operator = "and" if isinstance(node, nodes.And) else "or"
        earlier: set = set()
        for operand in node.operands:
            if operand in earlier and not isinstance(operand, nodes.Number):
                message = f"`{self.print(operand)}` occurs twice in this `{operator}`"
                yield Mistake("repeat", message, operand.place)
            earlier.add(operand)

    # ------------------------------------------------------------ divisions of integers
    def _find_range(self, node: nodes.Expression) -> Range | None:
        """Return the range of an expression, or None if it cannot be computed."""
        try:
            return self.graph.operations[self.graph.add_expression(node)].range
        except (NotYetError, ScriptError):
            return None

    def _find_quotient(self, node: nodes.Expression) -> nodes.Chain | None:
        """Return a division of integers in an expression, or None."""
        for part in walk(resolve_variable(node, self.definitions)):
            if isinstance(part, nodes.Chain) and "/" in part.operators:
                bounds = self._find_range(part)
                if bounds is not None and not bounds.real:
                    return part
        return None

    def _find_compared_quotient(self, node: nodes.Chain) -> Iterator[Mistake]:
        """Yield a mistake for a comparison whose result changes because a division drops the remainder."""
        (left, right), (operator,) = node.operands, node.operators
        mirrored = MIRRORED.get(operator, operator)
        for side, other, relation in ((left, right, operator), (right, left, mirrored)):
            quotient = self._find_quotient(side)
            if quotient is None or (relation in (">=", "<") and self._is_harmless(side, quotient, other)):
                continue
            meant = ""
            if resolve_variable(side, self.definitions) is quotient and quotient.operators == ("/",):
                dividend, divisor = quotient.operands
                product: nodes.Expression = nodes.Chain((divisor, other), ("*",))
                if isinstance(divisor, nodes.Number) and isinstance(other, nodes.Number):
                    product = replace(other, value=divisor.value * other.value)
                pair = (dividend, product) if side is left else (product, dividend)
                meant = self.print(nodes.Chain(pair, (operator,)))
            message = f"`{self.print(quotient)}` is a division of integers, which drops the remainder"
            yield Mistake("division", message, quotient.place, meant)

    def _is_harmless(self, side: nodes.Expression, quotient: nodes.Chain, other: nodes.Expression) -> bool:
        """Return whether the remainder cannot change the result of >= and <.

        This is so for a quotient of non-negative integers that is compared with an integer.
        """
        if resolve_variable(side, self.definitions) is not quotient or quotient.operators != ("/",):
            return False
        dividend, divisor, limit = map(self._find_range, (*quotient.operands, other))
        if dividend is None or divisor is None or limit is None:
            return False
        if dividend.low is None or divisor.low is None or limit.real:
            return False
        return dividend.low >= 0 and divisor.low > 0

    def _find_average_of_quotient(self, node: nodes.Action) -> Iterator[Mistake]:
        """Yield a mistake for an average of a division of integers, unless the division is compared."""
        value: nodes.Expression = node.arguments[0]  # type: ignore[assignment]
        quotient = self._find_quotient(value)
        if quotient is None:
            return
        chains = (
            part for part in walk(resolve_variable(value, self.definitions)) if isinstance(part, nodes.Chain)
        )
        if not any(operator in COMPARISONS for chain in chains for operator in chain.operators):
            message = (
                f"`{self.print(quotient)}` in this average is a division of integers, which drops the "
                "remainder"
            )
            yield Mistake("division", message, quotient.place)


def _compare_dialects(script: Script) -> Iterator[Mistake]:
    """Yield a mistake for expressions that programs group differently.

    In DealerV2, every operator has a precedence of its own.
    """
    if len(script.text) > MAX_COMPARED:  # because it is parsed twice more
        return
    # Parse the text with the precedence of its own program and of the other.
    rules = script.rules
    is_v2 = rules.levels == V2_LEVELS
    foreign = replace(rules, levels=C_LEVELS if is_v2 else V2_LEVELS)
    try:
        same, other = (
            parse_script(script.text, levels, script.file, script.params) for levels in (rules, foreign)
        )
    except DealerkitError:  # for example, the script includes files
        return
    if same != script:
        return
    # Compare the two trees from the top down to the first nodes that are different.
    here, there = ("by DealerV2", "by dealer v1 and in modern scripts") if is_v2 else ("here", "by DealerV2")
    pending = list(zip(script.statements, other.statements, strict=False))
    while pending:
        ours, theirs = pending.pop()
        if ours == theirs:
            continue
        (our_operators, our_parts), (their_operators, their_parts) = _flatten(ours), _flatten(theirs)
        if (type(ours), our_operators, len(our_parts)) == (type(theirs), their_operators, len(their_parts)):
            pending.extend(zip(our_parts, their_parts, strict=True))
            continue
        printed = ((ours, rules), (ours, foreign), (theirs, rules))
        text, text_here, text_there = (shorten(to_text(node, levels)) for node, levels in printed)
        message = (
            f"`{text}` is parsed as `{text_here}` {here} and as `{text_there}` {there}; write parentheses"
        )
        yield Mistake("precedence", message, ours.place)


def _flatten(node: Any) -> tuple[tuple[str, ...], tuple]:
    """Return the operators and parts of a node; ``(a * b) / c`` has those of ``a * b / c``."""
    operators, parts = getattr(node, "operators", ()), children(node)
    while operators and isinstance(parts[0], nodes.Chain):
        together = {*operators, *parts[0].operators}
        if not any(together <= set(level) for level in C_LEVELS):
            break
        operators, parts = (*parts[0].operators, *operators), (*parts[0].operands, *parts[1:])
    return operators, parts


# ---------------------------------------------------------------- ladders of small cards
def find_biased_ladder(program: Program) -> list[Mistake]:
    """Find a condition that keeps a share of the deals by who holds small cards; return one mistake at most.

    A variable named ``keep`` with two or three digits is meant to be true for this percentage, or this number
    of thousandths, of the deals. If it consists of ``hascard`` with small cards, the kept deals favour one
    hand in the suit of these cards; and if the condition also depends on this suit, the share is wrong.

    Examples
    --------
    >>> from dealerkit.language import parse
    >>> from dealerkit.language.checks import check_script
    >>> script = "keep25 = hascard(west, 2C) condition clubs(north) > 5 and keep25"
    >>> find_biased_ladder(check_script(parse(script)))[0].instead
    'keep25 = rnd(100) < 25'
    """
    definitions = program.definitions
    ladder = {name: suits for name in definitions if (suits := _find_ladder_suits(name, definitions))}
    reached = _reach(program.condition, definitions, ladder)
    used = [name for name in ladder if name in reached.names]
    if not used:
        return []
    ladder_suits = sorted({suit for name in used for suit in ladder[name]})
    cards = join_words(f"small {SUITS[suit]}" for suit in ladder_suits)
    digits = _LADDER_NAME.fullmatch(used[0])[1]  # type: ignore[index]
    names = join_words(f"`{name}`" for name in used)
    effect = f"the kept deals favour one hand in {join_words(SUITS[suit] for suit in ladder_suits)}"
    affected = [suit for suit in ladder_suits if suit in reached.suits]
    if affected:
        about = join_words(SUITS[suit] for suit in affected)
        percent = int(digits) / (1 if len(digits) == 2 else 10)
        effect += (
            f", and since the condition is about {about}, the share kept is not "
            f"{format_number(percent, ascii=True)} %"
        )
    keep = "keep deals" if len(used) > 1 else "keeps deals"
    message = f"{names} {keep} by who holds {cards}: {effect}; use `level`, or rnd"
    sides = 10 ** len(digits)
    place = next(
        statement.place
        for statement in program.script.statements
        if isinstance(statement, nodes.Definition) and statement.name == used[0]
    )
    return [Mistake("ladder", message, place, f"{used[0]} = rnd({sides}) < {int(digits)}")]


def _find_ladder_suits(name: str, definitions: Mapping[str, nodes.Expression]) -> set[int]:
    """Return the suits of the small cards that a ``keep`` variable tests; empty for other variables."""
    if not _LADDER_NAME.fullmatch(name):
        return set()
    suits: set[int] = set()
    for node in walk(definitions[name]):
        if isinstance(node, nodes.Name):
            if not (own := _find_ladder_suits(node.name, definitions)):
                return set()
            suits |= own
        elif isinstance(node, nodes.CardLiteral):
            if node.rank > _HIGHEST_SPOT:
                return set()
            suits.add(node.suit)
        elif not isinstance(node, nodes.And | nodes.Or | nodes.Not | nodes.Seat) and not _is_card_test(node):
            return set()
    return suits


def _is_card_test(node: nodes.Argument) -> bool:
    """Return whether a node is a call about one card of one hand, such as ``hascard(west, 2C)``."""
    return isinstance(node, nodes.Call) and [*map(type, node.arguments)] == [nodes.Seat, nodes.CardLiteral]


class _Reached:
    """The ``keep`` variables that a condition uses, and the suits on which the rest of it depends."""

    def __init__(self) -> None:
        self.names: set[str] = set()
        self.suits: set[int] = set()


def _reach(
    condition: nodes.Expression | None,
    definitions: Mapping[str, nodes.Expression],
    ladder: Mapping[str, set[int]],
) -> _Reached:
    """Return the ``keep`` variables and the suits on which a condition depends, also through variables."""
    reached, seen = _Reached(), set()
    pending = [] if condition is None else [condition]
    while pending:
        for node in walk(pending.pop()):
            if not isinstance(node, nodes.Name):
                reached.suits.update(_list_suits(node))
            elif node.name in ladder:
                reached.names.add(node.name)
            elif node.name not in seen:
                seen.add(node.name)
                pending.append(definitions[node.name])
    return reached


def _list_suits(node: nodes.Argument) -> Iterator[int]:
    """Yield the suits that a node names, without those of the nodes below it; a shape names all four."""
    if isinstance(node, nodes.Suit):
        yield node.index
    elif isinstance(node, nodes.CardLiteral):
        yield node.suit
    elif isinstance(node, nodes.Call):
        if node.function in SUITS:
            yield SUITS.index(node.function)
        elif get_function(node.function).operation == "member":
            yield from range(4)


# ---------------------------------------------------------------- rates on pilot deals
def find_pilot_mistakes(
    clauses: Sequence[ScriptClause],
    rates: Rates,
    graph: OperationGraph,
    predeal: Predeal | None,
    explained: Collection[int] = (),
) -> Iterator[Mistake]:
    """Yield the likely mistakes that are found by evaluating the clauses on pilot deals.

    `explained` are the positions of clauses that have a certain mistake; for these, only a missing value is
    reported.
    """
    rates_without_predeal: Rates | None = None
    for position, clause in enumerate(clauses):
        alone, given = rates.alone[position], rates.given[position]
        if given.error and not given.error.startswith(EARLIER_CLAUSE):
            message = f"{clause.quoted} has no value: {given.error}; a run would stop there"
            yield Mistake("empty", message, clause.node.place)
        if position in explained:
            continue
        if alone.n_deals and alone.n_passed in (0, alone.n_deals):
            if predeal and rates_without_predeal is None:
                slots = [clause.slot for clause in clauses]
                rates_without_predeal = estimate_rates(graph, slots, rates.n_deals)
            unrestricted = None if rates_without_predeal is None else rates_without_predeal.alone[position]
            yield _report_constant(clause, alone, unrestricted)
        else:
            yield from _compare_with_earlier(clause, alone, given)


def _report_constant(clause: ScriptClause, alone: Tally, unrestricted: Tally | None) -> Mistake:
    """Return the mistake of a clause that is true in all pilot deals or in none.

    `unrestricted` are its counts on deals without the predeal, if there is one.
    """
    is_always = alone.n_passed > 0
    deals = f"{'all' if is_always else 'none'} of {format_count(alone.n_deals)} pilot deals"
    if unrestricted is not None and unrestricted.rate is not None:
        n_passed = unrestricted.n_passed
        n_different = unrestricted.n_deals - n_passed if is_always else n_passed
        if n_different >= MIN_EXPECTED:
            message = (
                f"the predeal seems to determine {clause.quoted}: true in {deals}, "
                "without the predeal in "
                f"{format_significant(100 * unrestricted.share, 3, trim=True, ascii=True)} %"
            )
            return Mistake("predeal", message, clause.node.place)
    kind = "always" if is_always else "never"
    return Mistake(kind, f"{clause.quoted} is true in {deals}", clause.node.place)


def _compare_with_earlier(clause: ScriptClause, alone: Tally, given: Tally) -> Iterator[Mistake]:
    """Yield the mistake of a clause that varies, but not in the deals that pass the clauses before it."""
    if given.error or alone.error or not given.n_deals:
        return
    deals = f"{format_count(given.n_deals)} pilot deals that passed those"
    if given.n_passed == 0 and given.n_deals * alone.share >= MIN_EXPECTED:
        message = f"{clause.quoted} contradicts the clauses before it: true in none of the {deals}"
        yield Mistake("contradiction", message, clause.node.place)
    elif given.n_passed == given.n_deals and given.n_deals * (1 - alone.share) >= MIN_EXPECTED:
        message = f"{clause.quoted} adds nothing to the clauses before it: true in all {deals}"
        yield Mistake("repeat", message, clause.node.place)
