"""What calls may be given: arguments checked against their kinds.

`match_arguments` turns words that mean several things (``NS``, ``3C``) into what is wanted
in their place; `ArgumentMismatch` says in words what was wanted.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

from dealerkit import registry
from dealerkit.cards.names import SEATS, SIDES, VULNERABILITIES
from dealerkit.errors import suggest_name
from dealerkit.language import nodes
from dealerkit.language.dialects import Rules
from dealerkit.language.vocabulary import SUIT_WORDS
from dealerkit.wording import join_words

EXPRESSIONS = (
    nodes.Number, nodes.Name, nodes.Call, nodes.Not, nodes.Negate, nodes.Chain,
    nodes.And, nodes.Or, nodes.Choice,
)  # fmt: skip

OWN_VULNERABILITY = ("nv", "vul")  # declarer's, of score and evalcontract
_TAKES_OWN_VULNERABILITY = ("score", "evalcontract")

_WORDS = {
    "seat": "a seat",
    "suit": "a suit",
    "strain": "a suit or notrump",
    "side": "a side (NS or EW)",
    "vulnerability": "a vulnerability",
    "card": "a card",
    "contract": "a contract",
    "shapes": "a list of shapes",
    "expression": "an expression",
    "integer": "a whole number",
    "number": "a number",
    "string": "a text in quotes",
    "deal": "the word deal",
    "item": "trix or parcontract",
}
_NODE_WORDS = {
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
    nodes.WholeDeal: "the word deal",
}
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


class ArgumentMismatch(Exception):
    """Arguments that do not fit; `position` is the first that does not, or None for a wrong number."""

    def __init__(self, message: str, position: int | None) -> None:
        super().__init__(message)
        self.message, self.position = message, position


def match_arguments(
    name: str, kinds: tuple[str, ...], arguments: Sequence[nodes.Argument], rules: Rules
) -> tuple[nodes.Argument, ...]:
    """The arguments, each as what its place in the call wants.

    Parameters
    ----------
    name : str
        Of the function or action, for messages and for the words of vulnerability that it takes.
    kinds : tuple of str
        As in `registry.Function.arguments`.
    arguments : sequence of nodes
        As they were parsed.
    rules : Rules

    Raises
    ------
    ArgumentMismatch
        Too few, too many, or something else than is wanted.
    """
    fitted: list[nodes.Argument] = []
    position, count = 0, len(arguments)
    for choices, optional, repeats in _slots(kinds):
        taken = False
        while position < count:
            argument = _as_kind(name, choices, arguments[position], rules)
            if argument is None:
                break
            fitted.append(argument)
            position += 1
            taken = True
            if not repeats:
                break
        if not taken and not optional and not repeats:
            raise _misfit(name, kinds, arguments, position, rules)
    if position < count:
        raise _misfit(name, kinds, arguments, position, rules)
    return tuple(fitted)


@functools.lru_cache(maxsize=512)
def _slots(kinds: tuple[str, ...]) -> tuple[tuple[tuple[str, ...], bool, bool], ...]:
    """Each kind as (alternatives, may be left out, may be repeated); what repeats may also be absent."""
    return tuple(
        (tuple(kind.rstrip("?.").split("|")), kind.endswith("?"), kind.endswith("...")) for kind in kinds
    )


def _as_kind(
    name: str, choices: tuple[str, ...], argument: nodes.Argument, rules: Rules
) -> nodes.Argument | None:
    """The argument as one of these kinds, or None if it is none of them."""
    for kind in choices:
        if kind == "expression":
            if isinstance(argument, EXPRESSIONS) and not _is_item(argument):
                return argument
        elif (fitted := _CONVERSIONS[kind](name, argument, rules)) is not None:
            return fitted
    return None


def _is_item(argument: nodes.Argument) -> bool:
    return isinstance(argument, nodes.Call) and registry.get_function(argument.function).kind == "item"


def _either_case(rules: Rules) -> bool:
    """Are NS and ns one word? In v1 and in the own language, not in v2."""
    return rules.any_case or not rules.extensions


def _side(name: str, argument: nodes.Argument, rules: Rules) -> nodes.Side | None:
    if isinstance(argument, nodes.Side):
        return argument
    word = _free_word(argument, rules)
    if word in ("ns", "ew"):
        return nodes.Side(("ns", "ew").index(word), place=argument.place)
    return None


def _vulnerability(name: str, argument: nodes.Argument, rules: Rules) -> nodes.Vulnerability | None:
    own = name in _TAKES_OWN_VULNERABILITY
    if isinstance(argument, nodes.Vulnerability):
        return argument if (argument.word in OWN_VULNERABILITY) is own else None
    word = _free_word(argument, rules)
    if isinstance(argument, nodes.Side) and rules.any_case:
        word = SIDES[argument.index].lower()
    word = "both" if word == "all" else word
    if word in (OWN_VULNERABILITY if own else VULNERABILITIES):
        return nodes.Vulnerability(word, place=argument.place)
    return None


def _free_word(argument: nodes.Argument, rules: Rules) -> str:
    """A word that is read in any case, where the rules allow it."""
    if isinstance(argument, nodes.Vulnerability) and _either_case(rules):
        return argument.word
    if isinstance(argument, nodes.Name) and rules.any_case:
        return argument.name.lower()
    return ""


def _contract(name: str, argument: nodes.Argument, rules: Rules) -> nodes.ContractLiteral | None:
    if isinstance(argument, nodes.ContractLiteral):
        return argument
    if isinstance(argument, nodes.CardLiteral) and rules.modern_syntax and argument.rank <= 5:
        return nodes.ContractLiteral(argument.rank + 2, argument.suit, place=argument.place)  # 3C is both
    return None


def _integer(name: str, argument: nodes.Argument, rules: Rules) -> nodes.Number | None:
    if isinstance(argument, nodes.Number) and isinstance(argument.value, int):
        return argument
    return None


def _exactly(*types: type):
    def convert(name: str, argument: nodes.Argument, rules: Rules) -> nodes.Argument | None:
        return argument if isinstance(argument, types) else None

    return convert


_CONVERSIONS = {
    "seat": _exactly(nodes.Seat),
    "suit": _exactly(nodes.Suit),
    "strain": _exactly(nodes.Suit, nodes.Strain),
    "side": _side,
    "vulnerability": _vulnerability,
    "card": _exactly(nodes.CardLiteral),
    "contract": _contract,
    "shapes": _exactly(nodes.ShapeList, nodes.BraceShapes),
    "integer": _integer,
    "number": _exactly(nodes.Number),
    "string": _exactly(nodes.String),
    "deal": _exactly(nodes.WholeDeal),
    "item": lambda name, argument, rules: argument if _is_item(argument) else None,
}


# ---------------------------------------------------------------- messages
def describe(name: str, kinds: tuple[str, ...]) -> str:
    """What a function or action takes, in words.

    >>> describe("hcp", ("seat", "suit?"))
    'hcp takes a seat and, optionally, a suit'
    """
    required = [_kind_words(name, kind) for kind in kinds if not kind.endswith(("?", "..."))]
    text = f"{name} takes {join_words(required) if required else 'no argument'}"
    optional = [_kind_words(name, kind) for kind in kinds if kind.endswith("?")]
    if optional:
        text += f" and, optionally, {join_words(optional)}"
    return text + (", or several" if any(kind.endswith("...") for kind in kinds) else "")


def _kind_words(name: str, kind: str) -> str:
    choices = [_WORDS[choice] for choice in kind.rstrip("?.").split("|")]
    if kind.startswith("vulnerability"):
        own = name in _TAKES_OWN_VULNERABILITY
        return "nv or vul" if own else "a vulnerability (none, ns, ew or all)"
    return join_words(choices, "or")


def _misfit(
    name: str, kinds: tuple[str, ...], arguments: Sequence[nodes.Argument], position: int, rules: Rules
) -> ArgumentMismatch:
    head = describe(name, kinds)
    if position >= len(arguments):
        return ArgumentMismatch(f"{head}; the {_ordinal(position)} argument is missing", None)
    argument = arguments[position]
    most = 999 if any(kind.endswith("...") for kind in kinds) else len(kinds)
    if position >= most:
        return ArgumentMismatch(f"{head}; the {_ordinal(position)} argument is one too many", position)
    found = f"{_found(argument)}{_hint(kinds, argument, rules)}"
    return ArgumentMismatch(f"{head}; the {_ordinal(position)} argument is {found}", position)


def _ordinal(position: int) -> str:
    return _ORDINALS[position] if position < len(_ORDINALS) else f"{position + 1}th"


def _found(argument: nodes.Argument) -> str:
    if isinstance(argument, nodes.Name):
        return f"the name '{argument.name[:40]}'"
    if isinstance(argument, nodes.Vulnerability):
        return f"the vulnerability '{argument.word}'"
    if isinstance(argument, nodes.Call):
        return f"{argument.function}(...)" if argument.arguments else argument.function
    return _NODE_WORDS.get(type(argument), "an expression")


def _hint(kinds: tuple[str, ...], argument: nodes.Argument, rules: Rules) -> str:
    """How to write what was meant, where that can be guessed."""
    wanted = {choice for kind in kinds for choice in kind.rstrip("?.").split("|")}
    if isinstance(argument, nodes.Name):
        known = [*(SEATS if "seat" in wanted else ()), *(SUIT_WORDS if wanted & {"suit", "strain"} else ())]
        known += [*(SIDES if "side" in wanted else ()), *(("notrump",) if "strain" in wanted else ())]
        if known and len(argument.name) <= 40 and (guess := suggest_name(argument.name, known)):
            return guess
    if "contract" in wanted and isinstance(argument, nodes.Name | nodes.Number | nodes.CardLiteral):
        example = "3NT, 4Sx" if rules.modern_syntax else "x3N, x4Sx" if rules.extensions else "x3N"
        return f"; a contract is written {example}"
    if "card" in wanted:
        return "; a card is written AS, not SA"
    if isinstance(argument, nodes.Number) and argument.decimal and "integer" in wanted:
        return " with a decimal point"
    return ""
