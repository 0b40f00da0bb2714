"""Double-dummy tricks and tricks at the table: the mean difference, by the level of the contract.

The figures are means of 30 million plays on OKbridge, each compared with the double-dummy tricks of its deal:
http://crystalwebsite.tripod.com/double_dummy_accurate.htm. In low contracts declarers take more tricks than
double dummy, mainly because the best lead is hard to find; in slams they take fewer, because they must guess.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from dealerkit.errors import ArgumentError, DoubleDummyBias, Parameter, quote, warn_caller
from dealerkit.language import nodes
from dealerkit.registry import find_function
from dealerkit.scoring import Contract

SOURCE = "30 million plays on OKbridge, crystalwebsite.tripod.com/double_dummy_accurate.htm"
BY_LEVEL = {1: 0.37, 2: 0.15, 3: 0.14, 4: -0.01, 5: 0.06, 6: -0.09, 7: -0.09}
IN_NOTRUMP = {1: 0.41, 2: 0.30}  # levels at which the source has separate figures
LEVELS = tuple("1234567")
NOTRUMP = 4
BIAS = (
    "tricks are double dummy, with all cards known; at the table declarers take 0.4 tricks more in 1NT, 0.15 "
    "more at the level of two and three, 0.1 fewer in slams"
)


def find_correction(contract: str | int | Contract) -> float:
    """Return by how many tricks declarers exceed double dummy in a contract, on average.

    Parameters
    ----------
    contract : str, int or Contract
        A contract such as "3NT" or "4S", or a level 1 to 7.

    Raises
    ------
    ArgumentError
        `contract` is neither a contract nor a level.

    Examples
    --------
    >>> find_correction("1NT"), find_correction("4S"), find_correction(6)
    (0.41, -0.01, -0.09)
    """
    level = str(contract).strip()
    if level in LEVELS:
        return BY_LEVEL[int(level)]
    try:
        bid = Contract.of(contract)
    except ArgumentError:
        raise ArgumentError(
            Parameter("real_play"), f" is {quote(contract)}; give a contract such as '3NT' or a level 1 to 7"
        ) from None
    return IN_NOTRUMP.get(bid.level, BY_LEVEL[bid.level]) if bid.strain == NOTRUMP else BY_LEVEL[bid.level]


def warn_of_bias(*advice: str | Parameter) -> None:
    """Warn that tricks are double dummy; Python shows the warning once for each place in a program.

    `advice` is a sequence of parts of a sentence that says which argument corrects the result.
    """
    warn_caller(DoubleDummyBias(f"{BIAS}; ", *advice))


def shift_tricks(node: Any, number: int, definitions: Mapping[str, Any]) -> Any:
    """Return a node in which each number of double-dummy tricks is changed by 1 or -1, within 0 and 13.

    Variables are replaced by their definitions.
    """
    while isinstance(node, nodes.Name) and node.name in definitions:
        node = definitions[node.name]
    changes: dict[str, Any] = {}
    for name in ("arguments", "operands", "conditions", "values"):
        if hasattr(node, name):
            changes[name] = tuple(shift_tricks(part, number, definitions) for part in getattr(node, name))
    for name in ("operand", "otherwise"):
        if hasattr(node, name):
            changes[name] = shift_tricks(getattr(node, name), number, definitions)
    node = replace(node, **changes) if changes else node
    function = find_function(node.function) if isinstance(node, nodes.Call) else None
    if function is None or function.operation != "tricks":
        return node
    moved = nodes.Chain((node, nodes.Number(1)), ("+" if number > 0 else "-",), place=node.place)
    name, limit = ("min", 13) if number > 0 else ("max", 0)
    return nodes.Call(name, (moved, nodes.Number(limit)), place=node.place)
