"""The registry of functions of the dealer language, built in or defined by users.

A `Function` is one entry. The parser checks calls against the entries, the evaluator calls their bodies, and
`explain` and the documentation describe them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from dealerkit.errors import ArgumentError, UnknownNameError, suggest_name
from dealerkit.function_entry import Function

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
