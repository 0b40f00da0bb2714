"""Entries of the registry: what a function of the dealer language takes, computes and is declared to be."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from dealerkit.errors import ArgumentError, suggest_name
from dealerkit.wording import limit_repr

if TYPE_CHECKING:
    import numpy as np

ARGUMENT_KINDS = (
    "seat", "suit", "strain", "side", "vulnerability", "vulnerable", "card", "contract", "shapes",
    "expression", "integer", "number", "string", "deal",
)  # fmt: skip
EXAMPLES = {
    "seat": "north", "suit": "spades", "strain": "notrump", "side": "NS", "vulnerability": "ns",
    "vulnerable": "nv", "card": "AS", "contract": "4S", "shapes": "any 5332", "expression": "hcp(north)",
    "integer": "1", "number": "1.5", "string": '"text"', "deal": "deal",
}  # fmt: skip
_COMBINE = re.compile(r"(\d+ - )?sum")


class Settings(NamedTuple):
    """What the script and the program for which it is written determine for all calls of a function.

    Parameters
    ----------
    rules : Rules
        Of the script's dialect.
    points : mapping of str to tuple
        The tables of points that the script redefines.
    opener : int or None
        The seat that opens.
    vulnerable : {0, 1, 2, 3}
        The vulnerability for par scores: none, ns, ew, both.
    """

    rules: Any
    points: Mapping[str, tuple] = {}
    opener: int | None = None
    vulnerable: int = 0


@limit_repr
@dataclass(frozen=True, slots=True, repr=False)
class Function:
    """A function of the dealer language: an entry of the registry.

    A *hand* below is the cards of one seat in n deals, uint64 [n], as in `dealerkit.cards.names`. A *column*
    is an array [n] with a value for each deal.

    Parameters
    ----------
    name : str
        Name of the function in scripts, and the first part of column names such as ``hcp_north``.
    arguments : tuple of str
        Kind of each argument, from `ARGUMENT_KINDS`. ``a|b`` allows either kind; ``?`` at the end makes the
        argument optional; ``...`` at the end allows any number of them.
    body : callable or None
        Computes the values; its arguments depend on `kind`. None: calls can be parsed, not evaluated.
    kind : {"hand", "side", "pair", "value", "deal", "item", "special"}
        How `body` is called. `rest` are the further arguments of the call, as numbers, columns or nodes.

        ``hand``: ``body(hand, *rest)`` with the hand of the seat that is the first argument.
        ``side``: ``body(first, second, *rest)`` with the two hands of the side that is the first argument.
        ``pair``: as ``side``; if the first argument is a seat, with the hands of its side and the keyword
        ``part``: 0 for north and east, 1 for south and west.
        ``value``: ``body(*rest)``, for functions of numbers such as ``imps``.
        ``deal``: ``body(deals, *rest)`` with a `Deals`.
        ``item``: ``body(deals, *rest)`` returns a text for each deal; only an item of the actions csvrpt and
        printrpt.
        ``special``: no body; see `operation`.
    operation : str
        Kind of the operation that a call is compiled to. ``call``: of `body`. ``least`` and ``greatest``: of
        `body` too, which returns the smallest or largest of its arguments. Others have code in the compiler:
        ``member`` (shape), ``random`` (rnd), ``board``, ``tricks`` (dds), ``tag`` (usereval).
    unit : str
        Unit of the value, such as ``points``, ``losers`` or ``cards``.
    hundredths : bool
        `body` returns integers in hundredths of the unit. Dialect modern divides them by 100; v1 and v2 use
        the integers.
    similar : float
        Values that differ by no more are of the same kind, as scores of a contract that makes: a sample with
        values of one kind only says little about others, and intervals of means are then wider.
    pure, total : bool
        Pure: equal deals always have equal values. Total: every deal has a value. Only calls that are both
        may be evaluated in another order, once for several uses, or not at all.
    cost : float
        Approximate cost of evaluation in nanoseconds per deal. Cheap clauses are evaluated first.
    real : bool
        The values are floats. Otherwise they are integers or truth values: those between `low` and `high`,
        or 32-bit integers if these are None. Not used if `hundredths` is true.
    outputs : tuple of str
        Names of the values if `body` returns several, as a mapping or in this order.
    table : str or None
        Name of the table of points that `body` takes as its keyword ``weights``. Scripts change tables by
        ``pointcount`` and ``altcount``.
    shared_tables : tuple of str
        Names of the tables of points from which dealer derives the values too (`Rules.shared_tables`).
    variants : tuple of str
        Values of the keyword ``variant`` of `body`; the first is the default.
    low, high : float or None
        Smallest and largest value for a hand of 13 cards, in `unit`; None: unknown.
    bounds : callable or None
        For integers whose bounds depend on the arguments: ``bounds(*ranges)``, with the smallest and largest
        value of each expression among these as a pair, returns the pair of the function.
    options : callable or None
        Keywords of `body` that the script or its dialect determines: ``options(settings)``, with `Settings`,
        returns them as a dict, such as the table of IMPs.
    holding_table : callable or None
        Declares that the value is a sum over the suits of the hand, or of both hands of the side:
        ``holding_table(*rest, **keywords)``, with the arguments and keywords of `body` but for the hands,
        returns what each holding adds, an array of integers [8192] for all suits or [4, 8192] for S H D C, in
        hundredths if `body` returns these; None for arguments with which the value is no such sum. It is
        called when a table is needed. Exact counts and conditional sampling rely on it.
        `dealerkit.compiler.suit_tables` gives the tables of a compiled call.
    length_table : callable or None
        Likewise declares that the value depends on the lengths of the suits only, counted in both hands of a
        side together: ``length_table(*rest, **keywords)`` returns the values [4096] by
        ``spades << 8 | hearts << 4 | diamonds``, or None.
    combine : str
        How the values of two hands give the value of their side: ``sum``, a number less the sum such as
        ``25 - sum`` (tricks from losers), or "" if they cannot be combined.
    direction : {1, -1}
        1: a larger value is better; -1: a smaller value is better, as for losers.
    summary, source : str
        One line of help; the book, article or program that defines the function.
    noun : str
        What a hand holds as many of as the value, for explanations: ``points``, ``honours (AKQ)``; ``card``
        for the card that is an argument. By default the rest of a summary that begins with "number of".
    aliases : tuple of str
        Other names.
    dealer, dealerv2 : tuple of str
        Those of all names that dealer has, and those that DealerV2 adds. In modern scripts all others are
        functions only before a parenthesis.
    sorts_hands : bool
        DealerV2 sorts the cards of all hands before it evaluates the function, as when it accepts a deal; its
        next shuffle begins with them.
    definition : callable or None
        For translation to programs without the function: ``definition(*arguments)``, with seats, sides and
        suits as numbers, returns the value as an expression of other functions.
    tags : tuple of int
        First arguments of ``usereval`` that select this function.
    examples : tuple of str
        Calls for help and documentation, where those of `list_examples` would say little.

    Raises
    ------
    ArgumentError
        If `combine` or a kind in `arguments` is none of those above.

    Examples
    --------
    >>> Function("longest", ("seat",), unit="cards", low=4, high=13).signature
    'longest(seat)'
    """

    name: str
    arguments: tuple[str, ...]
    body: Callable | None = None
    kind: str = "hand"
    unit: str = ""
    operation: str = "call"
    hundredths: bool = False
    similar: float = 0.0
    pure: bool = True
    total: bool = True
    cost: float = 5.0
    real: bool = False
    outputs: tuple[str, ...] = ()
    table: str | None = None
    shared_tables: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    bounds: Callable[..., tuple[int, int]] | None = None
    options: Callable[[Settings], dict[str, Any]] | None = None
    holding_table: Callable[..., np.ndarray | None] | None = None
    length_table: Callable[..., np.ndarray | None] | None = None
    combine: str = ""
    direction: int = 1
    summary: str = ""
    source: str = ""
    noun: str = ""
    aliases: tuple[str, ...] = ()
    dealer: tuple[str, ...] = ()
    dealerv2: tuple[str, ...] = ()
    sorts_hands: bool = False
    definition: Callable[..., str] | None = None
    tags: tuple[int, ...] = ()
    examples: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.combine and not _COMBINE.fullmatch(self.combine):
            raise ArgumentError(
                f"{self.name}: combine is {self.combine!r}; it is 'sum', a number less the sum such as "
                "'24 - sum', or '' if the values of two hands cannot be combined"
            )
        for argument in self.arguments:
            for kind in argument.rstrip("?.").split("|"):
                if kind not in ARGUMENT_KINDS:
                    close, kinds = suggest_name(kind, ARGUMENT_KINDS), ", ".join(ARGUMENT_KINDS)
                    raise ArgumentError(
                        f"{self.name}: unknown kind of argument {kind!r}{close}; it is one of {kinds}"
                    )

    def __repr__(self) -> str:
        return f"<Function {self.signature}: {self.summary}>"

    @property
    def signature(self) -> str:
        """A call with the kinds of its arguments, for help and messages: ``hcp(seat, suit?)``."""
        return f"{self.name}({', '.join(self.arguments)})"

    def list_examples(self) -> tuple[str, ...]:
        """Return calls for help: one for each kind of the first argument, and one with all arguments.

        >>> Function("bergen", ("side|seat", "strain?")).list_examples()
        ('bergen(NS)', 'bergen(north)', 'bergen(NS, notrump)')
        """
        if self.examples:
            return self.examples
        calls = [[EXAMPLES[kind.rstrip("?.").split("|")[0]] for kind in self.arguments]]
        needed = sum(not kind.endswith("?") for kind in self.arguments)
        if needed:
            firsts = self.arguments[0].rstrip("?.").split("|")
            calls = [[EXAMPLES[first], *calls[0][1:needed]] for first in firsts] + calls
        elif self.arguments:
            calls.insert(0, [])
        return tuple(dict.fromkeys(f"{self.name}({', '.join(call)})" for call in calls))
