"""Decision lists that choose between contracts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dealerkit.appearance.wording import limit_repr
from dealerkit.arguments import is_listing
from dealerkit.cards.deals import Deals
from dealerkit.compiler.compilation import compile_expression
from dealerkit.compiler.frames import evaluate_text
from dealerkit.compiler.text_mistakes import warn_of_text_mistakes
from dealerkit.errors import (
    ArgumentError,
    MistakeWarning,
    ScriptError,
    quote,
    warn_caller,
)
from dealerkit.language.dialects import MODERN
from dealerkit.scoring import Contract, DeclaredContract, parse_declared


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of a decision list: a condition of the language, and the contract that it chooses."""

    condition: str
    choice: DeclaredContract

    @property
    def is_default(self) -> bool:
        """Whether the rule applies to all deals."""
        return self.condition == "True"

    def __str__(self) -> str:
        return f"{'else' if self.is_default else self.condition}: {self.choice}"


@limit_repr
@dataclass(frozen=True)
class Strategy:
    """A decision list: the contract is chosen by the first rule whose condition the deal meets.

    Attributes
    ----------
    name : str
    rules : tuple of Rule
        The last one applies to all deals.

    Examples
    --------
    >>> import dealerkit as dk
    >>> game = dk.strategy([("hcp(north) + hcp(south) >= 25", "3NT by north"), (True, "2NT by north")])
    >>> game.find_rules(dk.deal(5, seed=1))
    array([1, 0, 1, 1, 1])
    """

    name: str
    rules: tuple[Rule, ...]

    def describe(self) -> str | list[tuple[str | bool, str]]:
        """The contract of a single rule, otherwise the rules in the form that `strategy` takes."""
        if len(self.rules) == 1:
            return str(self.rules[0].choice)
        return [(rule.is_default or rule.condition, str(rule.choice)) for rule in self.rules]

    @property
    def choices(self) -> tuple[DeclaredContract, ...]:
        """The contract of each rule."""
        return tuple(rule.choice for rule in self.rules)

    def find_rules(self, deals: Deals) -> np.ndarray:
        """Return the index of the rule that applies to each deal, int64 [n].

        Parameters
        ----------
        deals : Deals [n]

        Returns
        -------
        ndarray of int64 [n], 0 to the number of rules less 1
        """
        if not isinstance(deals, Deals):
            raise ArgumentError(f"deals is {quote(deals)}; give Deals, as dk.deal or dk.read returns them")
        index = np.full(len(deals), len(self.rules) - 1)
        is_open = np.ones(len(deals), bool)
        for number, rule in enumerate(self.rules[:-1]):
            rows = np.flatnonzero(is_open)
            if not len(rows):
                break
            is_met = evaluate_text(deals[rows], rule.condition, warns=False) != 0
            index[rows[is_met]] = number
            is_open[rows[is_met]] = False
        return index


def strategy(rules: Iterable[Sequence[Any]], *, name: str = "strategy", declarer: Any = None) -> Strategy:
    """Return a strategy from a decision list, in which the first rule that applies decides.

    Parameters
    ----------
    rules : list of (condition, contract)
        Conditions of the dealer language; the last one is True, which applies to all other deals. Contracts
        with their declarer, such as ``"3NT by north"``, or ``"pass"``.
    name : str
    declarer : seat, optional
        Declarer of contracts written without one.

    Returns
    -------
    Strategy

    Raises
    ------
    ArgumentError
        There is no rule, a rule is not a pair, a contract cannot be read, or the last condition is not True.
    ScriptError
        A condition has a mistake; the message names the rule.

    Warns
    -----
    MistakeWarning
        A rule follows one that applies to all deals, or repeats the condition of an earlier rule, so it never
        applies.

    Examples
    --------
    >>> game = strategy([("hcp(north) + hcp(south) >= 25", "3NT by north"), (True, "2NT by north")])
    >>> [str(rule) for rule in game.rules]
    ['hcp(north) + hcp(south) >= 25: 3NT by north', 'else: 2NT by north']
    """
    if isinstance(rules, str) or not is_listing(rules):
        raise ArgumentError(
            f"rules are {quote(rules)}; give a list such as "
            "[('hcp(north) > 9', '3NT by south'), (True, 'pass')]"
        )
    # Each rule: a condition and a contract
    parsed = []
    for number, rule in enumerate(rules, 1):
        place = f"rule {number} of {name!r}"
        if isinstance(rule, str) or not isinstance(rule, Sequence) or len(rule) != 2:
            raise ArgumentError(
                f"{place} is {quote(rule)}; a rule is a condition and a contract: (True, 'pass')"
            )
        condition = _read_condition(rule[0], place)
        try:
            parsed.append(Rule(condition, parse_declared(rule[1], declarer)))
        except ArgumentError as error:
            raise ArgumentError(f"{place}: {error}") from None
    # The first rule that applies to all deals ends the list
    if not parsed:
        raise ArgumentError(f"{name!r} has no rule; give pairs such as (True, 'pass')")
    first_default = next((k for k, rule in enumerate(parsed) if rule.is_default), None)
    if first_default is None:
        raise ArgumentError(
            f"the last rule of {name!r} has the condition {quote(parsed[-1].condition)}; some deals may meet "
            "no rule, so end the list with (True, 'pass'), or another contract"
        )
    _warn_of_unreachable(name, parsed, first_default)
    return Strategy(name, tuple(parsed[: first_default + 1]))


def _read_condition(condition: Any, place: str) -> str:
    """Return a condition as text, ``True`` for all deals."""
    if isinstance(condition, bool | np.bool_):
        if not condition:
            raise ArgumentError(f"{place} has the condition False, which no deal meets; remove the rule")
        return "True"
    if not isinstance(condition, str):
        raise ArgumentError(f"{place}: {quote(condition)} is not a condition; give a text or True")
    if condition.strip().lower() in ("true", "1"):
        return "True"
    try:
        warn_of_text_mistakes(compile_expression(condition, MODERN).program)
    except ScriptError as error:
        error.file = place
        raise
    return condition.strip()


def _warn_of_unreachable(name: str, rules: list[Rule], first_default: int) -> None:
    """Warn of rules after one for all deals, and of repeated conditions."""
    seen: dict[str, int] = {}
    for number, rule in enumerate(rules, 1):
        text = "".join(rule.condition.split())
        before = first_default + 1 if number > first_default + 1 else seen.get(text)
        if before is not None:
            why = "which applies to all deals" if before == first_default + 1 else "with the same condition"
            warn_caller(
                f"rule {number} of {name!r} never applies, because it comes after rule {before}, {why}",
                MistakeWarning,
            )
        seen.setdefault(text, number)


def collect_strategies(contracts: Any, declarer: Any) -> list[Strategy]:
    """Return the strategies to compare; a contract becomes a strategy of one rule, named by its text."""
    # Strategies by name, a single one, a list of rules, or a list of contracts
    if isinstance(contracts, Mapping):
        strategies = [_name_strategy(str(name), given, declarer) for name, given in contracts.items()]
    elif isinstance(contracts, str | Contract | DeclaredContract | Strategy):
        strategies = [_build_strategy(contracts, declarer)]
    elif is_listing(contracts):
        given_list = list(contracts)
        if given_list and all(isinstance(item, tuple) for item in given_list):
            strategies = [strategy(given_list, declarer=declarer)]
        else:
            strategies = [_build_strategy(item, declarer) for item in given_list]
    else:
        raise ArgumentError(f"contracts are {quote(contracts)}; give a list such as ['2NT', '3NT']")
    if not strategies:
        raise ArgumentError("no contract is given; give a list such as ['2NT', '3NT']")
    # Different names
    names = [each.name for each in strategies]
    for name in names:
        if names.count(name) > 1:
            raise ArgumentError(f"{name} is given twice; give strategies different names in a dict")
    return strategies


def _build_strategy(given: Any, declarer: Any) -> Strategy:
    """Return a strategy from a contract, a Strategy, or a list of pairs, which is named by its position."""
    if isinstance(given, Strategy):
        return given
    if isinstance(given, list):
        return strategy(given, declarer=declarer)
    declared = parse_declared(given, declarer)
    return Strategy(str(declared), (Rule("True", declared),))


def _name_strategy(name: str, given: Any, declarer: Any) -> Strategy:
    """Return a strategy from a mapping, with its name."""
    if isinstance(given, Strategy):
        return Strategy(name, given.rules)
    if isinstance(given, str | Contract | DeclaredContract):
        return Strategy(name, _build_strategy(given, declarer).rules)
    return strategy(given, name=name, declarer=declarer)
