"""The registry of functions of the dealer language, built in or defined by users.

A `Function` is one entry: name and aliases, kinds of its arguments, unit, range, cost and body. The parser
checks calls against the entries, the evaluator calls their bodies, and `explain` and the documentation
describe them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from dealerkit.errors import ArgumentError, UnknownNameError, suggest_name

ARGUMENT_KINDS = (
    "seat", "suit", "strain", "side", "vulnerability", "card", "contract", "shapes",
    "expression", "integer", "number", "string", "deal",
)  # fmt: skip
_COMBINE = re.compile(r"(\d+ - )?sum")


@dataclass(frozen=True, slots=True)
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
        ``item``: no value for each deal; only an item of the actions csvrpt and printrpt.
        ``special``: the evaluator has code for this function (rnd, shape, board).
    unit : str
        Unit of the value, such as ``points``, ``losers`` or ``cards``.
    hundredths : bool
        `body` returns integers in hundredths of the unit. Dialect modern divides them by 100; v1 and v2 use
        the integers.
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
    variants : tuple of str
        Values of the keyword ``variant`` of `body`; the first is the default.
    low, high : float or None
        Smallest and largest value for a hand of 13 cards, in `unit`; None: unknown.
    combine : str
        How the values of two hands give the value of their side: ``sum``, a number less the sum such as
        ``25 - sum`` (tricks from losers), or "" if they cannot be combined.
    direction : {1, -1}
        1: a larger value is better; -1: a smaller value is better, as for losers.
    summary, source : str
        One line of help; the book, article or program that defines the function.
    aliases : tuple of str
        Other names.
    tags : tuple of int
        First arguments of ``usereval`` that select this function.

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
    hundredths: bool = False
    pure: bool = True
    total: bool = True
    cost: float = 5.0
    real: bool = False
    outputs: tuple[str, ...] = ()
    table: str | None = None
    variants: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    combine: str = ""
    direction: int = 1
    summary: str = ""
    source: str = ""
    aliases: tuple[str, ...] = ()
    tags: tuple[int, ...] = ()

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

    @property
    def signature(self) -> str:
        """A call with the kinds of its arguments, for help and messages: ``hcp(seat, suit?)``."""
        return f"{self.name}({', '.join(self.arguments)})"


_functions: dict[str, Function] = {}
_spellings: dict[str, str] = {}
_tags: dict[int, str] = {}


def register(function: Function, replace: bool = False) -> Function:
    """Add a function to the registry and return it.

    Parameters
    ----------
    function : Function
    replace : bool
        Replace the function of the same name, if there is one.

    Raises
    ------
    ArgumentError
        If a name, alias or tag belongs to another function; the registry is then unchanged.
    """
    names = (function.name, *function.aliases)
    old = function.name if replace and function.name in _functions else None
    for name in names:
        if _spellings.get(name, old) != old:
            raise ArgumentError(f"the name {name!r} is taken by {_spellings[name]}")
    for tag in function.tags:
        if _tags.get(tag, old) != old:
            raise ArgumentError(
                f"tag {tag} of usereval is taken by {_tags[tag]}; choose another for {function.name}"
            )
    if old is not None:
        unregister(old)
    _functions[function.name] = function
    _spellings.update(dict.fromkeys(names, function.name))
    _tags.update(dict.fromkeys(function.tags, function.name))
    return function


def unregister(name: str) -> None:
    """Remove a function from the registry (for users' functions and tests).

    Raises
    ------
    UnknownNameError
        If there is no function of this name.
    """
    function = get_function(name)
    del _functions[function.name]
    for spelling in (function.name, *function.aliases):
        del _spellings[spelling]
    for tag in function.tags:
        del _tags[tag]


def find_function(name: str) -> Function | None:
    """Return the function with this name or alias, or None if there is none."""
    return _functions[_spellings[name]] if name in _spellings else None


def get_function(name: str) -> Function:
    """Return the function with this name or alias.

    Raises
    ------
    UnknownNameError
        If there is none; the message suggests the most similar name.
    ArgumentError
        If `name` is not a str.
    """
    if not isinstance(name, str):
        raise ArgumentError(f"{name!r:.60} is not a name of a function; give a text such as 'hcp'")
    function = find_function(name)
    if function is None:
        raise UnknownNameError(f"unknown function {name!r}{suggest_name(name, _spellings)}")
    return function


def find_tagged_function(tag: int) -> Function | None:
    """Return the function that ``usereval(tag, ...)`` evaluates, or None if the tag is free."""
    return _functions[_tags[tag]] if tag in _tags else None


def functions() -> Iterator[Function]:
    """Yield all functions in the order of their registration."""
    yield from list(_functions.values())


def spellings() -> tuple[str, ...]:
    """Return all names and aliases."""
    return tuple(_spellings)


def function(
    name: str | None = None,
    args: Sequence[str] = ("seat",),
    *,
    unit: str = "",
    source: str = "",
    summary: str | None = None,
    outputs: Sequence[str] = (),
    real: bool = False,
    pure: bool = True,
    total: bool = True,
    cost: float = 100.0,
    low: float | None = None,
    high: float | None = None,
    combine: str = "",
    direction: int = 1,
    tag: int | None = None,
    replace: bool = False,
) -> Callable[[Callable], Callable]:
    """Return a decorator that adds a vectorised Python function to the dealer language.

    Parameters
    ----------
    name : str or None
        Name in scripts: letters, digits and underscores. None: the name of the Python function.
    args : sequence of str
        Kinds of the arguments, as in `Function.arguments`: ``seat suit strain side expression integer
        number string`` ...
    unit, source, summary : str
        Shown by help and in reports; None as `summary` takes the first line of the docstring.
    outputs : sequence of str
        Names of several values that are computed together: ``name(north).output`` is the value of one of
        them, ``name(north)`` the value of the first.
    real : bool
        The values are floats, not integers or truth values.
    pure, total, combine, direction
        As in `Function`.
    cost : float
        Approximate cost in nanoseconds per deal.
    low, high : float or None
        Smallest and largest value, in `unit`.
    tag : int >= 0, optional
        A free tag: ``usereval(60, NS, 1)`` evaluates the function with ``tag=60`` and gives the second of its
        `outputs`; slot 0 is the only value of a function without `outputs`.
    replace : bool
        Replace a function of the same name, as when a cell of a notebook is run again.

    Returns
    -------
    callable
        The decorator; it returns the Python function unchanged. The function is called with a `Deals` and
        one value for each argument: seats, suits, strains and sides as numbers (N E S W, S H D C N, NS EW
        from 0), expressions as arrays [n], others as nodes of the language. It returns an array of numbers
        or bool [n], or with `outputs` a mapping or sequence of arrays. It is called with any number of
        deals, also 0, and from several threads at once.

    Raises
    ------
    ArgumentError
        The name is taken or not a name; a kind of argument is unknown; the tag is taken, or `usereval` cannot
        pass these arguments; `combine` is not a rule.

    Examples
    --------
    >>> @function("void", args=["seat"], unit="truth", source="an example")
    ... def void(deals, seat):
    ...     "1 if the hand has a void"
    ...     hand = deals.hand(seat)
    ...     return sum((hand >> 16 * lane & 0x1FFF == 0) for lane in range(4)) > 0
    >>> import dealerkit as dk
    >>> 0.04 < float(dk.deal(10_000, seed=1).eval("void(north)").mean()) < 0.06
    True
    >>> unregister("void")
    """

    def add(body: Callable) -> Callable:
        spelling = body.__name__ if name is None else name
        if not isinstance(spelling, str) or not re.fullmatch("[A-Za-z][A-Za-z0-9_]*", spelling):
            raise ArgumentError(
                f"{spelling!r} is not a name of a function; use letters, digits and underscores"
            )
        if not isinstance(args, list | tuple) or not all(isinstance(kind, str) for kind in args):
            raise ArgumentError(f"args of {spelling} is {args!r:.60}; it is a list of texts such as ['seat']")
        if tag is not None:
            _check_tag(spelling, tag, args)
        entry = Function(
            spelling, tuple(args), body, "deal", unit,
            pure=pure, total=total, cost=cost, real=real, outputs=tuple(outputs),
            low=low, high=high, combine=combine, direction=direction,
            summary=(body.__doc__ or "").strip().partition("\n")[0] if summary is None else summary,
            source=source, tags=() if tag is None else (tag,),
        )  # fmt: skip
        register(entry, replace)
        return body

    return add


def _check_tag(name: str, tag: int, args: Sequence[str]) -> None:
    """Raise an error unless ``usereval(tag, side or seat, suit, slot)`` can pass these arguments."""
    if not isinstance(tag, int) or isinstance(tag, bool) or tag < 0:
        raise ArgumentError(f"the tag of {name} is {tag!r}; it is a whole number, 0 or more")
    first, *more = args or ("",)
    if (
        first not in ("seat", "side")
        or len(more) > 1
        or not set(more) <= {"suit", "suit?", "strain", "strain?"}
    ):
        raise ArgumentError(
            f"{name}({', '.join(args)}) cannot have a tag: usereval passes a seat or a side, and then "
            "a suit or nothing"
        )
