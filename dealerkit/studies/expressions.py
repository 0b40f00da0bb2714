"""Names of evaluators as expressions of the language about one side, and their values for both."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

import numpy as np

import dealerkit.language.functions  # noqa: F401  (so that the registry has the whole list)
from dealerkit.cards.deals import Deals
from dealerkit.cards.names import STRAINS
from dealerkit.errors import ArgumentError, UnknownNameError
from dealerkit.registry import Function, find_function, get_function
from dealerkit.studies.sides import known_rule

_WORD = re.compile(r"(?<![\w.])([A-Za-z_]\w*)\b(?!\s*\()(?!\s*=[^=])")
_CALL = re.compile(r"(?<![\w.])([A-Za-z_]\w*)\s*\(")
_MEASURES = ("hand", "side", "pair", "deal")


def expression_of(name: str, strain: str = "notrump", played: bool = False) -> str:
    """The expression for the value of an evaluator for north and south together.

    Two hands are combined as the evaluator says (its field `combine`): added, or taken off a
    number as losing tricks are. ``fit`` is the fit in the strain that the side plays, and the
    longest in notrump.

    Parameters
    ----------
    name : str
        A function of the registry that asks nothing but a seat or a side.
    strain : str
        As for `dealerkit.studies.sides.played_strains`.
    played : bool
        Ask evaluators that take a strain for their value in `strain`, which is then one of the five;
        else for the value in the strain that they choose themselves.

    Raises
    ------
    UnknownNameError
        No such function.
    ArgumentError
        A function that takes more, or that does not say how two hands make a side.

    Examples
    --------
    >>> expression_of("hcp"), expression_of("fit", "hearts")
    ('(hcp(north) + hcp(south))', 'fit(NS, hearts)')
    >>> expression_of("zar", "hearts"), expression_of("zar", "hearts", played=True)
    ('zar(NS)', 'zar(NS, hearts)')
    """
    function = get_function(name)
    if function.name == "fit":
        return _fit(known_rule(strain))
    kinds, *rest = ([part for part in argument.split("|")] for argument in function.arguments or ("",))
    if played and "side" in kinds and any("strain" in (kind.rstrip("?") for kind in one) for one in rest):
        return f"{function.name}(NS, {known_rule(strain)})"
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


def written_out(text: str, strain: str = "notrump", played: bool = False) -> str:
    """An expression in which evaluators may stand without arguments, with their arguments.

    `strain` and `played` are as for `expression_of`.

    Examples
    --------
    >>> written_out("hcp >= 20 and fit(NS) >= 8")
    '(hcp(north) + hcp(south)) >= 20 and fit(NS) >= 8'
    """
    if not isinstance(text, str):
        raise ArgumentError(f"an expression is a text such as 'hcp >= 20', not {text!r:.60}")

    def replace(match: re.Match) -> str:
        word = match[1]
        return expression_of(word, strain, played) if _is_bare_measure(word) else word

    return _WORD.sub(replace, text)


def _is_bare_measure(word: str) -> bool:
    # A suit without arguments is the suit itself, as in hcp(north, spades).
    return word not in STRAINS and _is_measure(word)


def _is_measure(word: str) -> bool:
    function = find_function(word)
    return function is not None and function.kind in _MEASURES


def evaluators_in(text: str) -> set[str]:
    """Names of the evaluators that an expression mentions.

    >>> sorted(evaluators_in("hcp >= 20 and fit(NS, spades) >= 8"))
    ['fit', 'hcp']
    """
    words = {word for word in _WORD.findall(text) if _is_bare_measure(word)}
    words |= {word for word in _CALL.findall(text) if _is_measure(word)}
    return {get_function(word).name for word in words}


def both_sides(deals: Deals) -> Callable[[str], np.ndarray]:
    """A function that gives the value of an expression about north and south for both sides: [n, 2].

    For east-west the deals are turned, so that east's cards are north's.
    """
    turned = deals.rotate(opener="north", hand="east")

    def values(text: str) -> np.ndarray:
        return np.stack([deals.eval(text), turned.eval(text)], axis=1)

    return values


def texts_of(evaluators: object, strain: str) -> dict[str, str | np.ndarray]:
    """What is on trial, by name: expressions written out, or arrays.

    Raises
    ------
    ArgumentError
        Nothing, something twice, or something that is neither name, expression nor array.
    UnknownNameError
        A name that no evaluator has, with the nearest one.
    """
    if isinstance(evaluators, str):
        evaluators = [evaluators]
    if isinstance(evaluators, Mapping):
        given = {
            str(name): written_out(what, strain) if isinstance(what, str) else np.asarray(what)
            for name, what in evaluators.items()
        }
    else:
        given = _by_name(evaluators, strain)
    if not given:
        raise ArgumentError("no evaluator is given; give a list of names, such as ['hcp', 'ltc']")
    return given


def _by_name(evaluators: object, strain: str) -> dict[str, str | np.ndarray]:
    if not isinstance(evaluators, Iterable):
        raise ArgumentError(
            f"evaluators are {evaluators!r}; give a list of names, or a mapping of names to expressions"
        )
    given: dict[str, str | np.ndarray] = {}
    for name in evaluators:
        if not isinstance(name, str):
            raise ArgumentError(f"{name!r} is no name; give arrays in a mapping, as in {{'mine': values}}")
        if name in given:
            raise ArgumentError(f"{name} is listed twice")
        if not name.isidentifier():
            raise UnknownNameError(
                f"{name!r} is no name; give expressions in a mapping, as in {{'mine': {name!r}}}"
            )
        given[name] = expression_of(name, strain)
    return given
