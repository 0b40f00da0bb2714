"""Evaluators as expressions of the language for north-south."""

from __future__ import annotations

import re

import dealerkit.language.functions  # noqa: F401  (so that the registry has the whole list)
from dealerkit.cards.names import STRAINS
from dealerkit.errors import ArgumentError
from dealerkit.registry import Function, find_function, get_function

_NAME = re.compile(r"(?<![\w.])([A-Za-z_]\w*)\b(?!\s*\()(?!\s*=[^=])")
_CALL = re.compile(r"(?<![\w.])([A-Za-z_]\w*)\s*\(")
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
    return _NAME.sub(
        lambda match: build_expression(match[1], strain) if _is_bare_measure(match[1]) else match[1], text
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
    return _NAME.sub(lambda match: taken if match[1] == "tricks" else match[1], text)


def _is_bare_measure(name: str) -> bool:
    """Return whether a name without arguments is that of an evaluator."""
    # A suit without arguments is the suit itself, as in hcp(north, spades).
    return name not in STRAINS and _is_measure(name)


def _is_measure(name: str) -> bool:
    """Return whether a name is that of an evaluator."""
    function = find_function(name)
    return function is not None and function.kind in _MEASURE_KINDS


def find_evaluators(text: str) -> set[str]:
    """Return the names of the evaluators in an expression.

    >>> sorted(find_evaluators("hcp >= 20 and fit(NS, spades) >= 8"))
    ['fit', 'hcp']
    """
    names = [*filter(_is_bare_measure, _NAME.findall(text)), *filter(_is_measure, _CALL.findall(text))]
    return {get_function(name).name for name in names}
