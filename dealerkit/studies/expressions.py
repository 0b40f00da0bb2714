"""Evaluators as expressions of the language for north-south."""

from __future__ import annotations

from collections.abc import Callable

import dealerkit.language.functions  # noqa: F401  (so that the registry has the whole list)
from dealerkit.cards.names import STRAINS
from dealerkit.errors import ArgumentError, ScriptError
from dealerkit.language import nodes
from dealerkit.language.dialects import MODERN
from dealerkit.language.parser import parse_script
from dealerkit.language.source import ScriptSource
from dealerkit.language.tokenizer import tokenize
from dealerkit.language.trees import walk
from dealerkit.registry import Function, find_function, get_function

_MEASURE_KINDS = ("hand", "side", "pair", "deal")


def build_expression(name: str, strain: str | None = None) -> str:
    """Return the expression for the value of an evaluator for north and south together.

    Two hands are combined by the evaluator's field `combine`: added, or subtracted from a number as
    losing tricks are.

    Parameters
    ----------
    name : str
        A function of the registry that requires only a seat or a side.
    strain : str, optional
        One of the five strains: evaluators that take a strain are evaluated in it, and a function of a side
        and a suit, such as ``fit``, in that suit (in notrump it is that of the longest suit). By default
        they choose it themselves.

    Raises
    ------
    UnknownNameError
        An unknown function.
    ArgumentError
        A function that requires more arguments, or does not define how two hands are combined.

    Examples
    --------
    >>> build_expression("hcp"), build_expression("fit", "hearts")
    ('(hcp(north) + hcp(south))', 'fit(NS, hearts)')
    >>> build_expression("zar"), build_expression("zar", "hearts")
    ('zar(NS)', 'zar(NS, hearts)')
    """
    function = get_function(name)
    if function.kind == "side" and "suit?" in function.arguments:
        return f"{function.name}(NS)" if strain in (None, "notrump") else f"{function.name}(NS, {strain})"
    kinds, *rest = ([part for part in argument.split("|")] for argument in function.arguments or ("",))
    takes_strain = any({"strain", "strain?"} & set(alternatives) for alternatives in rest)
    if strain is not None and "side" in kinds and takes_strain:
        return f"{function.name}(NS, {strain})"
    needed = [kind for kind in rest if not kind[-1].endswith(("?", "..."))]
    if function.kind not in _MEASURE_KINDS or needed or not {"seat", "side"} & set(kinds):
        raise ArgumentError(
            f"{function.signature} is no evaluator of a hand or a side by itself; "
            f"give an expression, as in {{'mine': '{function.name}(...)'}}"
        )
    if "side" in kinds:
        return f"{function.name}(NS)"
    return f"({_build_sum(function)})"


def _build_sum(function: Function) -> str:
    """Return the value of a side from those of its two hands, as an expression."""
    if not function.combine:
        raise ArgumentError(
            f"it is not defined how two hands of {function.name} are combined; give an expression, as in "
            f"{{'mine': '{function.name}(north) + {function.name}(south)'}}"
        )
    total = f"{function.name}(north) + {function.name}(south)"
    return total if function.combine == "sum" else function.combine.replace("sum", f"({total})")


def expand_names(text: str, strain: str | None = None) -> str:
    """Add the arguments of evaluators that an expression has without arguments.

    `strain` is as for `build_expression`.

    Examples
    --------
    >>> expand_names("hcp >= 20 and fit(NS) >= 8")
    '(hcp(north) + hcp(south)) >= 20 and fit(NS) >= 8'
    """
    if not isinstance(text, str):
        raise ArgumentError(f"an expression is a text such as 'hcp >= 20', not {text!r:.60}")
    return _replace_words(
        text, lambda word: build_expression(word, strain) if _is_bare_measure(word) else word
    )


def expand_tricks(text: str, declarer: str, strain: str) -> str:
    """Replace `tricks` without arguments by the tricks of north and south in a strain.

    `declarer` is as for `dealerkit.studies.sides.find_side_tricks`.

    Examples
    --------
    >>> expand_tricks("tricks >= 10", "better", "hearts")
    'max(tricks(north, hearts), tricks(south, hearts)) >= 10'
    """
    first, second = (f"tricks({seat}, {strain})" for seat in ("north", "south"))
    taken = f"max({first}, {second})" if declarer == "better" else f"(({first} + {second}) / 2.0)"
    return _replace_words(text, lambda word: taken if word == "tricks" else word)


def _replace_words(text: str, replace: Callable[[str], str]) -> str:
    """Replace the names that are neither called nor defined, not those in comments and texts.

    They are tokens, as an evaluator without arguments is no expression that the parser reads.
    """
    source = ScriptSource(text, MODERN)
    tokens, _ = tokenize(source, ())  # the evaluation of the expression raises the error
    for token, after in reversed([*zip(tokens, [*tokens[1:], None], strict=True)]):
        is_used = after is None or after.type not in ("LPAR", "ASSIGN")
        if token.source is source and token.type in ("FUNCTION", "NAME") and is_used:
            text = text[: token.start] + replace(token.text) + text[token.end :]
    return text


def _is_bare_measure(name: str) -> bool:
    """Return whether a name without arguments is that of an evaluator."""
    # A suit without arguments is the suit itself, as in hcp(north, spades).
    function = find_function(name)
    return name not in STRAINS and function is not None and function.kind in _MEASURE_KINDS


def find_evaluators(text: str) -> set[str]:
    """Return the names of the evaluators that an expression calls; none for a text that is no expression.

    >>> sorted(find_evaluators("hcp >= 20 and fit(NS, spades) >= 8"))
    ['fit', 'hcp']
    """
    try:
        script = parse_script(expand_names(text), MODERN, finds_all=False)
    except ScriptError:  # the evaluation of the text raises it
        return set()
    calls = (
        node for statement in script.statements for node in walk(statement) if isinstance(node, nodes.Call)
    )
    functions = (get_function(call.function) for call in calls)
    return {function.name for function in functions if function.kind in _MEASURE_KINDS}
