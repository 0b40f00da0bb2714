"""`level`: a run whose produced deals have hand types in given shares."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from numbers import Real
from typing import Any

from dealerkit.errors import ArgumentError, ScriptError, quote
from dealerkit.language import nodes
from dealerkit.language.dialects import MODERN
from dealerkit.language.parser import parse_script, read_script
from dealerkit.language.script import Script
from dealerkit.language.script_variables import ScriptVariables
from dealerkit.runtime.progress import long_work
from dealerkit.simulation.job import RunOptions
from dealerkit.simulation.result import Result
from dealerkit.simulation.run import run_script


@long_work
def level(
    script: str | os.PathLike | Script,
    by: Mapping[str, str],
    shares: Mapping[str, float] | None = None,
    *,
    produce: int | None = None,
    seed: int | None = None,
    **options: Any,
) -> Result:
    """Run a script whose produced deals have hand types in equal or given shares.

    Each type gets its share of the `produce` deals, to within one deal, in random order. The deals of a type
    are a random sample of all deals that meet the condition and belong to it. Deals that belong to none of
    the types are not dealt.

    Parameters
    ----------
    script : str, os.PathLike or Script
        Text, file, or result of `parse`, in the modern dialect. Without a condition, all deals meet it.
    by : mapping of str to str
        Hand types: a name, and an expression that is true for its deals. A deal must belong to at most one
        type. Expressions may use the variables of the script and the script variables of `params`.
    shares : mapping of str to float, optional
        Shares of some types relative to the others, which have the share 1.
    produce : int or None
        Number of deals. None: that of the script; otherwise 40 if the script prints deals, and 10,000 if not.
    seed : int or None
    **options
        Other options of a run, as in `RunOptions`, except those that `level` excludes: `source`, `swap`, a
        classic `stream`, and dialects other than modern.

    Returns
    -------
    Result
        `types` is a table of the hand types: deals, share, natural share with its interval, weight. `deals`
        have weights (natural share divided by the share among the produced deals), so weighted means are
        means at natural frequencies. Reports of `average` have `mean` for the levelled deals, and `natural`.

    Raises
    ------
    ScriptError
        Hand types overlap, or one of them is empty or rarer than 1 in 10^9. If a count proves it, nothing is
        dealt.
    EvaluationError
        A deal of the run belongs to two types.
    ArgumentError
        A type or share is invalid.

    Examples
    --------
    >>> by = {"weak": "hcp(south) <= 8", "invite": "hcp(south) == 9", "game": "hcp(south) >= 10"}
    >>> script = "condition hcp(north) >= 15 action average hcp(south)"
    >>> result = level(script, by, shares={"game": 2}, produce=1000, seed=1)
    >>> result.types.deals.to_dict()
    {'weak': 250, 'invite': 250, 'game': 500}
    >>> result["hcp(south)"].mean.value > result["hcp(south)"].natural.value
    True
    """
    if options.get("dialect", "modern") != "modern":
        raise ArgumentError(
            f"dialect is {options['dialect']!r}; hand types can only be levelled in modern scripts"
        )
    params = ScriptVariables(options.pop("params", ()))
    first = read_script(script, MODERN, params, options.pop("include", ()))
    is_parsed = isinstance(script, Script)
    variables = ScriptVariables(first.params) if is_parsed else params
    statement = _build_statement(by, {} if shares is None else shares, variables)
    if not is_parsed:
        variables.check_used()
    levelled = replace(first, statements=(*first.statements, statement))
    return run_script(levelled, RunOptions(produce=produce, seed=seed, **options))


def _build_statement(
    by: Mapping[str, str], shares: Mapping[str, float], variables: ScriptVariables
) -> nodes.Level:
    """Return the statement `level` with these types and shares."""
    if not isinstance(by, Mapping) or not by:
        raise ArgumentError(
            f'by is {quote(by)}; give a mapping of names to expressions, such as {{"weak": "hcp(south) < 8"}}'
        )
    if not isinstance(shares, Mapping):
        raise ArgumentError(
            f'shares is {quote(shares)}; give a mapping of names to numbers, such as {{"weak": 2}}'
        )
    for name in shares:
        if name not in by:
            raise ArgumentError(
                f"shares has {quote(name)}, which is not a hand type in by: {', '.join(map(repr, by))}"
            )
    types = []
    for name, text in by.items():
        value = _parse_expression(_check_name(name), text, variables)
        share = _read_share(name, shares.get(name))
        types.append(nodes.LevelType(name, value, share, place=value.place))  # in the text of the expression
    return nodes.Level(tuple(types), place=types[0].place)


def _check_name(name: str) -> str:
    """Return the name of a hand type, if a script can contain it."""
    if not isinstance(name, str) or not name.strip() or '"' in name or "\n" in name:
        raise ArgumentError(f"a hand type is named {quote(name)}; give a text on one line without quotes")
    return name


def _read_share(name: str, share: float | None) -> nodes.Number | None:
    """Return the share of a hand type as a node; None if it is 1."""
    if share is None:
        return None
    if isinstance(share, bool) or not isinstance(share, Real) or not 0 < share < float("inf"):
        raise ArgumentError(f"the share of {name!r} is {quote(share)}; give a number above 0")
    if Decimal(str(share)) == int(share):
        return nodes.Number(int(share))
    return nodes.Number(float(share), True)


def _parse_expression(name: str, text: str, variables: ScriptVariables) -> nodes.Expression:
    """Return the expression of a hand type."""
    if not isinstance(text, str):
        raise ArgumentError(
            f"the hand type {name!r} is {quote(text)}; give an expression, such as 'hcp(south) < 8'"
        )
    try:
        expression = parse_script(text, MODERN, None, variables).single_condition
    except ScriptError as error:
        raise error.replace(reason=f"hand type {name!r}: {error.reason}", file=None, further=()) from None
    if expression is None:
        raise ArgumentError(
            f"the hand type {name!r} is {quote(text)}; give one expression, such as 'hcp(south) < 8'"
        )
    return expression
