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

_WORD = re.compile(r"(?<![\w.])([A-Za-z_]\w*)\b(?!\s*\()(?!\s*=[^=])")
_CALL = re.compile(r"(?<![\w.])([A-Za-z_]\w*)\s*\(")
_MEASURES = ("hand", "side", "pair", "deal")


def build_expression(name: str, strain: str = "notrump", played: bool = False) -> str:
    """Return the expression for the value of an evaluator for north and south together.

    Two hands are combined by the evaluator's field `combine`: added, or subtracted from a number as
    losing tricks are. ``fit`` is the fit in the strain that the side plays, and the longest in notrump.

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
    if function.name == "fit":
        return _fit(parse_strain_rule(strain))
    kinds, *rest = ([part for part in argument.split("|")] for argument in function.arguments or ("",))
    if played and "side" in kinds and any({"strain", "strain?"} & set(alternatives) for alternatives in rest):
        return f"{function.name}(NS, {parse_strain_rule(strain)})"
    needed = [kind for kind in rest if not kind[-1].endswith(("?", "..."))]
    if function.kind not in _MEASURES or needed or not {"seat", "side"} & set(kinds):
        raise ArgumentError(
            f"{function.signature} is no evaluator of a hand or a side by itself; "
            f"give an expression, as in {{'mine': '{function.name}(...)'}}"
        )
    if "side" in kinds:
        return f"{function.name}(NS)"
    return f"({_combined(function)})"


def _combined(function: Function) -> str:
    if not function.combine:
        raise ArgumentError(
            f"the registry does not say how two hands of {function.name} make a side; "
            f"give an expression, as in {{'mine': '{function.name}(north) + {function.name}(south)'}}"
        )
    total = f"{function.name}(north) + {function.name}(south)"
    return total if function.combine == "sum" else function.combine.replace("sum", f"({total})")


def _fit(rule: str) -> str:
    if rule == "best suit":
        raise ArgumentError(
            "with strain='best suit' the fit depends on the tricks; write fit(NS) for the longest suit "
            "or fit(NS, spades)"
        )
    if rule == "best major":
        return "max(fit(NS, spades), fit(NS, hearts))"
    return "fit(NS)" if rule in ("notrump", "longest fit") else f"fit(NS, {rule})"


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
        word = match[1]
        return build_expression(word, strain, played) if _is_bare_measure(word) else word

    return _WORD.sub(replace, text)


def _is_bare_measure(word: str) -> bool:
    # A suit without arguments is the suit itself, as in hcp(north, spades).
    return word not in STRAINS and _is_measure(word)


def _is_measure(word: str) -> bool:
    function = find_function(word)
    return function is not None and function.kind in _MEASURES


def find_evaluators(text: str) -> set[str]:
    """Return the names of the evaluators in an expression.

    >>> sorted(find_evaluators("hcp >= 20 and fit(NS, spades) >= 8"))
    ['fit', 'hcp']
    """
    words = {word for word in _WORD.findall(text) if _is_bare_measure(word)}
    words |= {word for word in _CALL.findall(text) if _is_measure(word)}
    return {get_function(word).name for word in words}


def side_evaluator(deals: Deals) -> Callable[[str], np.ndarray]:
    """Return a function that evaluates an expression about north and south for both sides: [n, 2].

    For east-west the deals are rotated, so that east's cards are north's.
    """
    rotated = deals.rotate(opener="north", hand="east")

    def values(text: str) -> np.ndarray:
        return np.stack([deals.eval(text), rotated.eval(text)], axis=1)

    return values


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
        measures = _expressions_by_name(evaluators, strain)
    if not measures:
        raise ArgumentError("no evaluator is given; give a list of names, such as ['hcp', 'ltc']")
    return measures


def _expressions_by_name(evaluators: object, strain: str) -> dict[str, str | np.ndarray]:
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
