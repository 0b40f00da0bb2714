"""Match the arguments of a call with the kinds of argument that its function or action takes."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

from dealerkit import registry
from dealerkit.appearance.wording import join_words
from dealerkit.cards.names import SEATS, SIDES, SUITS, VULNERABILITIES
from dealerkit.errors import Remedy, find_name
from dealerkit.language import nodes
from dealerkit.language.dialects import Rules
from dealerkit.language.vocabulary import SUIT_WORDS

EXPRESSIONS = (
    nodes.Number, nodes.Name, nodes.Call, nodes.Not, nodes.Negate, nodes.Chain,
    nodes.And, nodes.Or, nodes.Choice,
)  # fmt: skip

OWN_VULNERABILITY = ("nv", "vul")  # of the declaring side, in score and evalcontract

_KIND_NAMES = {
    "seat": "a seat",
    "suit": "a suit",
    "strain": "a suit or notrump",
    "side": "a side (NS or EW)",
    "vulnerability": "a vulnerability (none, ns, ew or all)",
    "vulnerable": "nv or vul",
    "card": "a card",
    "contract": "a contract",
    "shapes": "a list of shapes",
    "expression": "an expression",
    "integer": "a whole number",
    "number": "a number",
    "string": "a text in quotes",
    "deal": "the keyword deal",
    "item": "trix or parcontract",
}
_NODE_NAMES = {
    nodes.Seat: "a seat",
    nodes.Suit: "a suit",
    nodes.Strain: "notrump",
    nodes.Side: "a side",
    nodes.Vulnerability: "a vulnerability",
    nodes.CardLiteral: "a card",
    nodes.ContractLiteral: "a contract",
    nodes.ShapeList: "a list of shapes",
    nodes.BraceShapes: "a list of shapes",
    nodes.Number: "a number",
    nodes.String: "a text",
    nodes.WholeDeal: "the keyword deal",
}
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


class ArgumentMismatch(Exception):
    """Wrong arguments; `position` is the index of the first of them, None if an argument is missing."""

    def __init__(self, message: str, position: int | None, remedy: Remedy | None = None) -> None:
        super().__init__(message)
        self.message, self.position, self.remedy = message, position, remedy


def match_arguments(
    name: str, kinds: tuple[str, ...], arguments: Sequence[nodes.Argument], rules: Rules
) -> tuple[nodes.Argument, ...]:
    """Return the arguments of a call, each as a node of the expected kind.

    A spelling with several meanings, such as ``NS`` (a side or a vulnerability) and ``3C`` (a card or a
    contract), becomes a node of the kind that is expected in its position.

    Parameters
    ----------
    name : str
        Name of the function or action, for messages.
    kinds : tuple of str
        The expected kinds, as in `registry.Function.arguments`.
    arguments : sequence of nodes
        The arguments as the grammar has read them.
    rules : Rules
        The rules of the script's dialect.

    Raises
    ------
    ArgumentMismatch
        There are too few or too many arguments, or one is of the wrong kind.
    """
    matched: list[nodes.Argument] = []
    position, count = 0, len(arguments)
    # Each kind takes the next argument; a kind that repeats takes all that follow and fit.
    for choices, optional, repeats in _parse_kinds(kinds):
        is_present = False
        while position < count:
            argument = _convert(choices, arguments[position], rules)
            if argument is None:
                break
            matched.append(argument)
            position += 1
            is_present = True
            if not repeats:
                break
        if not is_present and not optional and not repeats:
            raise _build_mismatch(name, kinds, arguments, position, rules)
    if position < count:
        raise _build_mismatch(name, kinds, arguments, position, rules)
    return tuple(matched)


@functools.lru_cache(maxsize=512)
def _parse_kinds(kinds: tuple[str, ...]) -> tuple[tuple[tuple[str, ...], bool, bool], ...]:
    """Return each kind as (alternatives, optional, repeats); a kind that repeats may also be absent."""
    return tuple(
        (tuple(kind.rstrip("?.").split("|")), kind.endswith("?"), kind.endswith("...")) for kind in kinds
    )


def _convert(choices: tuple[str, ...], argument: nodes.Argument, rules: Rules) -> nodes.Argument | None:
    """Return the argument as a node of one of these kinds; None if it is none of them."""
    is_item = isinstance(argument, nodes.Call) and registry.get_function(argument.function).kind == "item"
    for kind in choices:
        if kind in _CONVERSIONS:
            if (converted := _CONVERSIONS[kind](argument, rules)) is not None:
                return converted
        elif isinstance(argument, _TYPES[kind]) and is_item is (kind == "item"):
            if kind != "integer" or isinstance(argument.value, int):  # type: ignore[union-attr]
                return argument
    return None


def _convert_side(argument: nodes.Argument, rules: Rules) -> nodes.Side | None:
    if isinstance(argument, nodes.Side):
        return argument
    word = _lower_word(argument, rules)
    return nodes.Side(("ns", "ew").index(word), place=argument.place) if word in ("ns", "ew") else None


def _convert_vulnerable(argument: nodes.Argument, rules: Rules) -> nodes.Vulnerability | None:
    return _convert_vulnerability(argument, rules, own=True)


def _convert_vulnerability(
    argument: nodes.Argument, rules: Rules, own: bool = False
) -> nodes.Vulnerability | None:
    if isinstance(argument, nodes.Vulnerability):
        return argument if (argument.word in OWN_VULNERABILITY) is own else None
    word = _lower_word(argument, rules)
    if isinstance(argument, nodes.Side) and rules.any_case:
        word = SIDES[argument.index].lower()
    word = "both" if word == "all" else word
    is_known = word in (OWN_VULNERABILITY if own else VULNERABILITIES)
    return nodes.Vulnerability(word, place=argument.place) if is_known else None


def _lower_word(argument: nodes.Argument, rules: Rules) -> str:
    """Return a word in lower case if the rules allow any case, otherwise an empty text."""
    # NS and ns mean the same in v1 and in modern scripts, but not in v2.
    if isinstance(argument, nodes.Vulnerability) and (rules.any_case or not rules.extensions):
        return argument.word
    if isinstance(argument, nodes.Name) and rules.any_case:
        return argument.name.lower()
    return ""


def _convert_contract(argument: nodes.Argument, rules: Rules) -> nodes.ContractLiteral | None:
    if isinstance(argument, nodes.CardLiteral) and rules.modern_syntax and argument.rank <= 5:
        # 3C can be a card or a contract; here it is a contract.
        return nodes.ContractLiteral(argument.rank + 2, argument.suit, place=argument.place)
    return argument if isinstance(argument, nodes.ContractLiteral) else None


_CONVERSIONS: dict[str, Callable[[nodes.Argument, Rules], nodes.Argument | None]] = {
    "side": _convert_side,
    "vulnerability": _convert_vulnerability,
    "vulnerable": _convert_vulnerable,
    "contract": _convert_contract,
}
_TYPES: dict[str, type | tuple[type, ...]] = {
    "seat": nodes.Seat,
    "suit": nodes.Suit,
    "strain": (nodes.Suit, nodes.Strain),
    "card": nodes.CardLiteral,
    "shapes": (nodes.ShapeList, nodes.BraceShapes),
    "integer": nodes.Number,
    "number": nodes.Number,
    "string": nodes.String,
    "deal": nodes.WholeDeal,
    "item": nodes.Call,
    "expression": EXPRESSIONS,
}


# ---------------------------------------------------------------- messages
def describe_arguments(name: str, kinds: tuple[str, ...]) -> str:
    """Return a description of the arguments that a function or action takes.

    >>> describe_arguments("hcp", ("seat", "suit?"))
    'hcp takes a seat and, optionally, a suit'
    """
    required = [_describe_kind(kind) for kind in kinds if not kind.endswith(("?", "..."))]
    text = f"{name} takes {join_words(required) if required else 'no argument'}"
    optional = [_describe_kind(kind) for kind in kinds if kind.endswith("?")]
    if optional:
        text += f" and, optionally, {join_words(optional)}"
    return text + (", or several" if any(kind.endswith("...") for kind in kinds) else "")


def _describe_kind(kind: str) -> str:
    return join_words([_KIND_NAMES[choice] for choice in kind.rstrip("?.").split("|")], "or")


def _build_mismatch(
    name: str, kinds: tuple[str, ...], arguments: Sequence[nodes.Argument], position: int, rules: Rules
) -> ArgumentMismatch:
    head = describe_arguments(name, kinds)
    if position >= len(arguments):
        return ArgumentMismatch(f"{head}; the {_format_ordinal(position)} argument is missing", None)
    argument = arguments[position]
    if position >= len(kinds) and not any(kind.endswith("...") for kind in kinds):
        return ArgumentMismatch(f"{head}; the {_format_ordinal(position)} argument is one too many", position)
    if isinstance(argument, nodes.Side) and position == 0 and kinds[:1] == ("seat",):
        suits = [SUITS[other.index] for other in arguments[1:] if isinstance(other, nodes.Suit)]
        calls = [f"{name}({', '.join([seat, *suits])})" for seat in SEATS[argument.index :: 2]]
        return ArgumentMismatch(f"{name} takes one hand; for two hands write {' + '.join(calls)}", position)
    given = f"{_describe_argument(argument)}{_describe_spelling(kinds, argument, rules)}"
    remedy = _find_spelling(kinds, argument)
    return ArgumentMismatch(f"{head}; the {_format_ordinal(position)} argument is {given}", position, remedy)


def _format_ordinal(position: int) -> str:
    number = position + 1
    if number <= len(_ORDINALS):
        return _ORDINALS[position]
    suffix = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{suffix}"


def _describe_argument(argument: nodes.Argument) -> str:
    if isinstance(argument, nodes.Name):
        return f"the name '{argument.name[:40]}'"
    if isinstance(argument, nodes.Vulnerability):
        return f"the vulnerability '{argument.word}'"
    if isinstance(argument, nodes.Call):
        return f"{argument.function}(...)" if argument.arguments else argument.function
    return _NODE_NAMES.get(type(argument), "an expression")


def _list_kinds(kinds: tuple[str, ...]) -> set[str]:
    return {choice for kind in kinds for choice in kind.rstrip("?.").split("|")}


def _find_spelling(kinds: tuple[str, ...], argument: nodes.Argument) -> Remedy | None:
    """Return the seat, side or suit whose name is most similar to an unknown name."""
    if not isinstance(argument, nodes.Name) or len(argument.name) > 40:
        return None
    expected = _list_kinds(kinds)
    words = list(SEATS if "seat" in expected else ()) + list(SIDES if "side" in expected else ())
    words += list(SUIT_WORDS if expected & {"suit", "strain"} else ())
    return find_name(argument.name, words + ["notrump"] * ("strain" in expected))


def _describe_spelling(kinds: tuple[str, ...], argument: nodes.Argument, rules: Rules) -> str:
    """Return a hint how to write the expected kind of argument; empty if there is none."""
    expected = _list_kinds(kinds)
    if "contract" in expected and isinstance(argument, nodes.Name | nodes.Number | nodes.CardLiteral):
        example = "3NT, 4Sx" if rules.modern_syntax else "x3N, x4Sx" if rules.extensions else "x3N"
        return f"; a contract is written {example}"
    if "strain" in expected and isinstance(argument, nodes.Number) and argument.value in range(5):
        strain = ("clubs", "diamonds", "hearts", "spades", "notrump")[int(argument.value)]
        return f"; a strain is a word: write {strain} instead of {argument.value}"
    if "card" in expected:
        return "; a card is written AS, not SA"
    if isinstance(argument, nodes.Number) and argument.decimal and "integer" in expected:
        return " with a decimal point"
    return ""
