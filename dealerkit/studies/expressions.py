"""Evaluators as expressions of the language for north-south, and their values for both sides."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

import numpy as np

import dealerkit.language.functions  # noqa: F401  (so that the registry has the whole list)
from dealerkit.cards.deals import Deals
from dealerkit.cards.names import STRAINS
from dealerkit.errors import ArgumentError, UnknownNameError
from dealerkit.registry import Function, find_function, get_function
from dealerkit.studies.sides import parse_strain_rule

_NAME = re.compile(r"(?<![\w.])([A-Za-z_]\w*)\b(?!\s*\()(?!\s*=[^=])")
_CALL = re.compile(r"(?<![\w.])([A-Za-z_]\w*)\s*\(")
_MEASURE_KINDS = ("hand", "side", "pair", "deal")


def build_expression(name: str, strain: str = "notrump", played: bool = False) -> str:
    """Return the expression for the value of an evaluator for north and south together.

    Two hands are combined by the evaluator's field `combine`: added, or subtracted from a number as
    losing tricks are. A function of a side and a suit, such as ``fit``, is that of the suit that the side
    plays, and without a suit in notrump.

    Parameters
    ----------
    name : str
        A function of the registry that requires only a seat or a side.
    strain : str
        As for `dealerkit.studies.sides.choose_strains`.
    played : bool
        Evaluate evaluators that take a strain in `strain`, which must be one of the five; by default
        they choose the strain themselves.

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
    >>> build_expression("zar", "hearts"), build_expression("zar", "hearts", played=True)
    ('zar(NS)', 'zar(NS, hearts)')
    """
    function = get_function(name)
    if function.kind == "side" and "suit?" in function.arguments:
        return _build_in_suit(function.name, parse_strain_rule(strain))
    kinds, *rest = ([part for part in argument.split("|")] for argument in function.arguments or ("",))
    if played and "side" in kinds and any({"strain", "strain?"} & set(alternatives) for alternatives in rest):
        return f"{function.name}(NS, {parse_strain_rule(strain)})"
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
            f"the registry does not define how two hands of {function.name} are combined; "
            f"give an expression, as in {{'mine': '{function.name}(north) + {function.name}(south)'}}"
        )
    total = f"{function.name}(north) + {function.name}(south)"
    return total if function.combine == "sum" else function.combine.replace("sum", f"({total})")


def _build_in_suit(name: str, rule: str) -> str:
    """Return a function of a side and a suit in the strain of a rule, as an expression."""
    if rule == "best suit":
        raise ArgumentError(
            f"with strain='best suit' the {name} depends on the tricks; write {name}(NS) for the longest "
            f"suit or {name}(NS, spades)"
        )
    if rule == "best major":
        return f"max({name}(NS, spades), {name}(NS, hearts))"
    return f"{name}(NS)" if rule in ("notrump", "longest fit") else f"{name}(NS, {rule})"


def expand_names(text: str, strain: str = "notrump", played: bool = False) -> str:
    """Add the arguments of evaluators that an expression has without arguments.

    `strain` and `played` are as for `build_expression`.

    Examples
    --------
    >>> expand_names("hcp >= 20 and fit(NS) >= 8")
    '(hcp(north) + hcp(south)) >= 20 and fit(NS) >= 8'
    """
    if not isinstance(text, str):
        raise ArgumentError(f"an expression is a text such as 'hcp >= 20', not {text!r:.60}")

    def replace(match: re.Match) -> str:
        name = match[1]
        return build_expression(name, strain, played) if _is_bare_measure(name) else name

    return _NAME.sub(replace, text)


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


def side_evaluator(deals: Deals) -> Callable[[str], np.ndarray]:
    """Return a function that evaluates an expression about north and south for both sides: [n, 2].

    For east-west the deals are rotated, so that east's cards are north's.
    """
    both = deals, deals.rotate(opener="north", hand="east")
    return lambda text: np.stack([rotated.eval(text) for rotated in both], axis=1)


def collect_measures(evaluators: object, strain: str) -> dict[str, str | np.ndarray]:
    """Return the compared measures by name: complete expressions, or arrays.

    Raises
    ------
    ArgumentError
        No evaluator, a repeated one, or one that is neither a name, an expression nor an array.
    UnknownNameError
        An unknown name, with the nearest known one.
    """
    if isinstance(evaluators, str):
        evaluators = [evaluators]
    if isinstance(evaluators, Mapping):
        measures = {
            str(name): expand_names(measure, strain) if isinstance(measure, str) else np.asarray(measure)
            for name, measure in evaluators.items()
        }
    else:
        measures = _build_expressions(evaluators, strain)
    if not measures:
        raise ArgumentError("no evaluator is given; give a list of names, such as ['hcp', 'ltc']")
    return measures


def _build_expressions(evaluators: object, strain: str) -> dict[str, str | np.ndarray]:
    """Return the expressions of a list of names, by name."""
    if not isinstance(evaluators, Iterable):
        raise ArgumentError(
            f"evaluators are {evaluators!r}; give a list of names, or a mapping of names to expressions"
        )
    expressions: dict[str, str | np.ndarray] = {}
    for name in evaluators:
        if not isinstance(name, str):
            raise ArgumentError(f"{name!r} is no name; give arrays in a mapping, as in {{'mine': values}}")
        if name in expressions:
            raise ArgumentError(f"{name} is listed twice")
        if not name.isidentifier():
            raise UnknownNameError(
                f"{name!r} is no name; give expressions in a mapping, as in {{'mine': {name!r}}}"
            )
        expressions[name] = build_expression(name, strain)
    return expressions
