"""Write scripts and their parts as text that parses to equal nodes."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from decimal import Decimal
from typing import Any

from dealerkit.cards.names import RANKS, SEATS, SIDES, STRAIN_LETTERS, STRAINS, SUIT_LETTERS, SUITS
from dealerkit.language import nodes
from dealerkit.language.dialects import MODERN, Rules
from dealerkit.language.script import Script
from dealerkit.language.signatures import ACTIONS
from dealerkit.language.trees import AND, ATOM, CHOICE, OR, UNARY, children, operator_levels, walk
from dealerkit.language.vocabulary import SETTINGS
from dealerkit.registry import find_function

WIDTH = 88  # characters; longer conditions and definitions are broken before `and`
_VULNERABLE = ("none", "NS", "EW", "all")


def to_text(node: Any, rules: Rules | None = None) -> str:
    """Return the text of a script or of any part of it.

    Parameters
    ----------
    node : Script or another node
        The script, or a part of it.
    rules : Rules, optional
        The dialect of the text, which determines parentheses and decimals; by default the script's own rules,
        and the modern rules for a part of a script.

    Returns
    -------
    str
        The text; that of a script ends in a newline. With the rules of the script that the node is from, it
        parses to an equal node.

    Examples
    --------
    >>> from dealerkit.language.parser import parse_script
    >>> script = parse_script("a=hcp(north)>9||(spades(north)>4)&&1 condition ! (a)", MODERN)
    >>> print(to_text(script), end="")
    a = hcp(north) > 9 or spades(north) > 4 and 1
    condition not a
    """
    rules = rules or (node.rules if isinstance(node, Script) else MODERN)
    if isinstance(node, Script):
        return "".join(line + "\n" for line in _print_statements(node.statements, rules))
    if isinstance(node, nodes.ShapeTerm):
        return _format_shape_terms((node,))
    return _render_nodes(node, rules)[id(node)][0]


def _print_statements(statements: Iterable[nodes.Statement], rules: Rules) -> Iterable[str]:
    statements = list(statements)
    for statement, following in itertools.zip_longest(statements, statements[1:]):
        text = to_text(statement, rules)
        if (
            isinstance(statement, nodes.ActionList)
            and text.endswith(("printcompact", "printoneline"))
            and isinstance(following, nodes.Condition)
            and following.bare
        ):
            text += ","  # otherwise a parenthesis that follows would belong to the action
        yield text


# ---------------------------------------------------------------- expressions and arguments
_Part = tuple[str, int]  # a text and the precedence level of its loosest operator


def _render_nodes(root: Any, rules: Rules) -> dict[int, _Part]:
    """Return the texts of a node and of all nodes below it by their ids, without recursion."""
    parts: dict[int, _Part] = {}
    for node in reversed(list(walk(root))):
        if id(node) not in parts:
            below = [parts[id(child)] for child in children(node)]
            parts[id(node)] = _RENDERERS[type(node)](node, below, rules)
    return parts


def _parenthesise(part: _Part, loosest: int) -> str:
    """Return the text, in parentheses if its operators bind less tightly than `loosest`."""
    return part[0] if part[1] >= loosest else f"({part[0]})"


def _print_number(node: nodes.Number, parts: list[_Part], rules: Rules) -> _Part:
    return format_numeral(node, rules), ATOM if node.value >= 0 else UNARY


def format_numeral(node: nodes.Number, rules: Rules) -> str:
    """Return the text of a number in the dialect of these rules.

    >>> format_numeral(nodes.Number(12.5, True), MODERN), format_numeral(nodes.Number(-3), MODERN)
    ('12.5', '-3')
    """
    if not node.decimal:
        # The old programs accept a minus before five digits but not before four, so write a leading zero.
        return f"{node.value:0=6d}" if rules.is_classic and -9999 <= node.value <= -1000 else str(node.value)
    value = Decimal(node.value).scaleb(-2) if rules.hundredths else Decimal(repr(node.value))
    text = f"{value:f}"
    return text if "." in text else text + ".0"


def _print_name(node: nodes.Name, parts: list[_Part], rules: Rules) -> _Part:
    # Before a blank these words would begin a statement; in parentheses they are names.
    return (f"({node.name})" if rules.loose_settings and node.name in SETTINGS else node.name), ATOM


def _print_call(node: nodes.Call, parts: list[_Part], rules: Rules) -> _Part:
    if not parts and (function := find_function(node.function)) is not None and function.kind == "item":
        return node.function, ATOM
    if parts and isinstance(node.arguments[-1], nodes.BraceShapes):
        return f"{node.function}{{{parts[0][0]}, {parts[1][0]}}}", ATOM
    output = f".{node.output}" if node.output else ""
    return f"{node.function}({', '.join(text for text, _ in parts)}){output}", ATOM


def _print_not(node: nodes.Not, parts: list[_Part], rules: Rules) -> _Part:
    return f"not {_parenthesise(parts[0], UNARY)}", UNARY


def _print_negate(node: nodes.Negate, parts: list[_Part], rules: Rules) -> _Part:
    text = _parenthesise(parts[0], UNARY)
    bare_number = isinstance(node.operand, nodes.Number)
    return f"-({text})" if bare_number else f"-{text}", UNARY


def _print_chain(node: nodes.Chain, parts: list[_Part], rules: Rules) -> _Part:
    levels = operator_levels(rules)
    text, level = parts[0]
    for operator, part in zip(node.operators, parts[1:], strict=True):
        here = levels[operator]
        text = f"{_parenthesise((text, level), here)} {operator} {_parenthesise(part, here + 1)}"
        level = here
    return text, level


def _make_operand_joiner(word: str, level: int) -> Callable[[Any, list[_Part], Rules], _Part]:
    def render(node: Any, parts: list[_Part], rules: Rules) -> _Part:
        return f" {word} ".join(_parenthesise(part, level + 1) for part in parts), level

    return render


def _print_choice(node: nodes.Choice, parts: list[_Part], rules: Rules) -> _Part:
    text = ""
    for condition, value in zip(parts[:-1:2], parts[1:-1:2], strict=True):
        text += f"{_parenthesise(condition, OR)} ? {_parenthesise(value, OR)} : "
    return text + _parenthesise(parts[-1], OR), CHOICE


def _format_shape_terms(terms: tuple[nodes.ShapeTerm, ...]) -> str:
    texts = [f"{term.sign} {'any ' if term.any else ''}{term.pattern}" for term in terms]
    return " ".join(texts).removeprefix("+ ")


def _format_contract(node: nodes.ContractLiteral) -> str:
    return f"x{node.level}{STRAIN_LETTERS[node.strain]}{'x' * node.doubled}"


# ---------------------------------------------------------------- statements
def _print_setting(node: nodes.Setting, parts: list[_Part], rules: Rules) -> _Part:
    kind = SETTINGS[node.name]
    if kind == "SEAT_SETTING":
        value = SEATS[int(node.value)]
    elif kind == "VULNERABLE":
        value = _VULNERABLE[int(node.value)]
    else:
        value = f'"{node.value}"' if kind == "TITLE" else str(node.value)
    return f"{node.name} {value}", ATOM


def _print_predeal_cards(node: nodes.PredealCards, parts: list[_Part], rules: Rules) -> _Part:
    holdings: list[str] = []
    last = (-1, -1)
    for suit, rank in node.cards:
        if suit == last[0] and rank < last[1]:
            holdings[-1] += RANKS[rank]
        else:
            holdings.append(SUIT_LETTERS[suit] + RANKS[rank])
        last = suit, rank
    return f"predeal {SEATS[node.seat]} {', '.join(holdings) or 'S'}", ATOM


def _print_point_table(node: nodes.PointTable, parts: list[_Part], rules: Rules) -> _Part:
    words = ["pointcount"] if node.number is None else ["altcount", str(node.number)]
    words += [format_numeral(nodes.Number(value, isinstance(value, float)), rules) for value in node.values]
    return " ".join(words), ATOM


def _print_definition(node: nodes.Definition, parts: list[_Part], rules: Rules) -> _Part:
    equals = "=" if rules.loose_settings and node.name in SETTINGS else " = "
    return _break_lines(f"{node.name}{equals}", node.value, parts[0], rules), ATOM


def _print_condition(node: nodes.Condition, parts: list[_Part], rules: Rules) -> _Part:
    if not node.bare:
        return _break_lines("condition ", node.value, parts[0], rules), ATOM
    text = _break_lines("", node.value, parts[0], rules)
    # These characters would continue the previous statement.
    continues = text[0] in "-0123456789" or text.startswith(SUITS)
    return f"({text})" if continues else text, ATOM


def _break_lines(head: str, value: nodes.Expression, part: _Part, rules: Rules) -> str:
    """Return a definition or condition; if it is long, each operand of `and` is on a line of its own."""
    if len(head) + len(part[0]) <= WIDTH or not isinstance(value, nodes.And):
        return head + part[0]
    parts = _render_nodes(value, rules)
    operands = [_parenthesise(parts[id(operand)], AND + 1) for operand in value.operands]
    return head + "\n    and ".join(operands)


def _print_level_type(node: nodes.LevelType, parts: list[_Part], rules: Rules) -> _Part:
    share = "" if node.share is None else f" share {format_numeral(node.share, rules)}"
    return f"{_quote(node.label, rules)} {parts[0][0]}{share}", ATOM


def _print_level(node: nodes.Level, parts: list[_Part], rules: Rules) -> _Part:
    return "level\n    " + ",\n    ".join(text for text, _ in parts), ATOM


def _print_action(node: nodes.Action, parts: list[_Part], rules: Rules) -> _Part:
    signature = ACTIONS[node.name]
    words = node.name if node.label is None else f"{node.name} {_quote(node.label, rules)}"
    arguments = ", ".join(text for text, _ in parts)
    if signature.parenthesised == "no" or (signature.parenthesised == "optional" and not parts):
        return f"{words} {arguments}".rstrip(" "), ATOM
    return f"{words}{'' if node.label is None else ' '}({arguments})", ATOM


def _print_action_list(node: nodes.ActionList, parts: list[_Part], rules: Rules) -> _Part:
    texts = [text for text, _ in parts]
    if len(texts) < 2:
        return " ".join(["action", *texts]), ATOM
    return "action\n    " + ",\n    ".join(texts), ATOM


def _print_string(node: nodes.String, parts: list[_Part], rules: Rules) -> _Part:
    return "\\n" if node.text == "\n" else _quote(node.text, rules), ATOM


def _quote(text: str, rules: Rules) -> str:
    """Return a text in quotes, without the closing one if the text ends with a newline in v2."""
    return f'"{text}' if rules.one_line_strings and text.endswith("\n") else f'"{text}"'


def _make_leaf_printer(text: Callable[[Any], str]) -> Callable[[Any, list[_Part], Rules], _Part]:
    return lambda node, parts, rules: (text(node), ATOM)


_RENDERERS: dict[type, Callable[[Any, list[_Part], Rules], _Part]] = {
    nodes.Seat: _make_leaf_printer(lambda node: SEATS[node.index]),
    nodes.Suit: _make_leaf_printer(lambda node: SUITS[node.index]),
    nodes.Strain: _make_leaf_printer(lambda node: STRAINS[node.index]),
    nodes.Side: _make_leaf_printer(lambda node: SIDES[node.index]),
    nodes.Vulnerability: _make_leaf_printer(lambda node: "all" if node.word == "both" else node.word),
    nodes.CardLiteral: _make_leaf_printer(lambda node: RANKS[node.rank] + SUIT_LETTERS[node.suit]),
    nodes.ContractLiteral: _make_leaf_printer(_format_contract),
    nodes.ShapeList: _make_leaf_printer(lambda node: _format_shape_terms(node.terms)),
    nodes.BraceShapes: _make_leaf_printer(lambda node: node.text),
    nodes.String: _print_string,
    nodes.WholeDeal: _make_leaf_printer(lambda node: "deal"),
    nodes.Number: _print_number,
    nodes.Name: _print_name,
    nodes.Call: _print_call,
    nodes.Not: _print_not,
    nodes.Negate: _print_negate,
    nodes.Chain: _print_chain,
    nodes.And: _make_operand_joiner("and", AND),
    nodes.Or: _make_operand_joiner("or", OR),
    nodes.Choice: _print_choice,
    nodes.Setting: _print_setting,
    nodes.PredealCards: _print_predeal_cards,
    nodes.PredealHand: _make_leaf_printer(lambda node: f"predeal {SEATS[node.seat]} {node.text}"),
    nodes.PredealLength: _make_leaf_printer(
        lambda node: f"predeal {SUITS[node.suit]}({SEATS[node.seat]}) == {node.length}"
    ),
    nodes.PointTable: _print_point_table,
    nodes.Definition: _print_definition,
    nodes.Condition: _print_condition,
    nodes.Level: _print_level,
    nodes.LevelType: _print_level_type,
    nodes.Action: _print_action,
    nodes.ActionList: _print_action_list,
}
