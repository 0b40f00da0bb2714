"""Calls written as Python, which say how to compute a result again."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.arguments import HasCall, HasCondition, is_empty
from dealerkit.cards.deal import Deal
from dealerkit.cards.deals import Deals
from dealerkit.dealing.source import Source
from dealerkit.errors import ArgumentError, DealerkitError, ScriptError
from dealerkit.language.dialects import DIALECTS
from dealerkit.language.parser import parse_script
from dealerkit.language.printer import to_text
from dealerkit.language.script import Script
from dealerkit.language.source import read_source

if TYPE_CHECKING:
    from dealerkit.simulation.job import RunOptions

LARGEST_ARRAY = 10  # an argument with more values is written as its name
WITHOUT_EFFECT = (  # on the numbers of a result
    "progress", "executor", "threads", "checkpoint", "frame", "files", "write", "write_rest", "screen",
)  # fmt: skip
NOT_OF_OPTIONS = ("seed", "params", "dialect", "include", *WITHOUT_EFFECT)  # not described in a call
OF_RUN_SCRIPT = (  # options that `run` does not have
    "predeal", "swap", "quiet_pbn", "title", "opener", "give_up", "vulnerable", "quote_formulas",
    "natural_shares",
)  # fmt: skip


class Name(str):
    """A name in a call, of deals or of a function, which `repr` writes without quotes."""

    __slots__ = ()
    __repr__ = str.__str__


def read_text(text: str | os.PathLike[str]) -> str:
    """Return a text of the dealer language, from a text or its file, so that the result contains it."""
    return read_source(text)[0] if isinstance(text, os.PathLike) else text


def describe_value(value: Any, name: str = "values") -> Any:
    """Return an argument as values that JSON has and whose `repr` is an argument again.

    Deals and large arrays are written as names.
    """
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, np.ndarray) and value.size > LARGEST_ARRAY:
        return Name(name if name.isidentifier() else "values")
    if isinstance(value, np.generic | np.ndarray):
        return describe_value(value.tolist())
    if isinstance(value, Mapping):
        return {
            key if isinstance(key, int) else str(key): describe_value(part, str(key))
            for key, part in value.items()
        }
    if isinstance(value, Deals | Source):
        return Name("deals")
    if isinstance(value, Deal):
        return value.pbn
    if callable(value):
        return Name(value.__name__)
    if isinstance(value, HasCondition):
        return value.find_condition()[0]
    if isinstance(value, HasCall):
        return Name(value.format_call())
    if isinstance(value, Iterable):
        parts = [describe_value(part, name) for part in value]
        return tuple(parts) if isinstance(value, tuple) else parts
    return str(value)


def drop_empty(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments that were given; None and empty values are the defaults of all others.

    >>> drop_empty({"given": "hcp(north) > 9", "params": (), "predeal": None})
    {'given': 'hcp(north) > 9'}
    """
    return {name: value for name, value in arguments.items() if not is_empty(value)}


def format_call(function: str, arguments: Mapping[str, Any]) -> str:
    """Return the call of a function of dealerkit; `deals` is the name of given deals.

    >>> format_call("estimate", {"question": "hcp(north)", "seed": 7})
    "dk.estimate(question='hcp(north)', seed=7)"
    """
    parts = (f"{name}={describe_value(value, name)!r}" for name, value in arguments.items())
    return f"dk.{function}({', '.join(parts)})"


def describe_options(options: RunOptions) -> dict[str, Any]:
    """Return the options of a run that change its result, as values that JSON has.

    Seed, dialect and script variables are taken from the result.

    >>> from dealerkit import RunLimits, RunOptions
    >>> describe_options(RunOptions(produce=9, threads=2, limits=RunLimits(deals=100)))
    {'produce': 9, 'limits': {'deals': 100}}
    """
    given = {
        option.name: value
        for option in fields(options)
        if option.name not in ("source", *NOT_OF_OPTIONS)
        and (value := getattr(options, option.name)) != option.default
    }
    if options.source is not None:
        given["source"] = options.source if isinstance(options.source, str) else "deals"
    if options.limits is not None:
        given["limits"] = drop_empty(asdict(options.limits))
    return {name: describe_value(value, name) for name, value in drop_empty(given).items()}


def format_run(script: Script, seed: int, options: Mapping[str, Any]) -> str:
    """Return the call of a run with options in the form of `describe_options`.

    The script is the given text. It is written anew if it consists of several scripts or includes files. The
    call is empty if the script cannot be written as text.
    """
    arguments: dict[str, Any] = {"script": script.text, "params": script.params}
    try:
        if parse_script(script.text, script.rules, None, script.params, None).statements != script.statements:
            raise ArgumentError("the script has other parts than its text")
    except DealerkitError:
        try:
            arguments = {"script": format_script(script)}
        except ArgumentError:
            return ""
    arguments |= {"seed": seed, **options}
    if script.rules.name != "modern":
        arguments["dialect"] = script.rules.name
    for name, word in (("source", "all"), ("solved", "auto")):
        if arguments.get(name, word) != word:
            arguments[name] = Name("deals")
    if "limits" in arguments:
        arguments["limits"] = Name(format_call("RunLimits", arguments["limits"]))
    arguments = drop_empty(arguments)
    if arguments.keys().isdisjoint(OF_RUN_SCRIPT):
        return format_call("run", arguments)
    text = arguments.pop("script")
    return f"dk.run_script({text!r}, {format_call('RunOptions', arguments)})"


def format_script(script: Script) -> str:
    """Return a script as text, without script variables and included files, that parses to the same script.

    Raises
    ------
    ArgumentError
        The script has no such text.
    """
    remedy = "write it as one text in the dialect modern, v1 or v2 and run that"
    if DIALECTS.get(script.rules.name) != script.rules:
        raise ArgumentError(f"a script under rules of your own cannot be saved; {remedy}")
    text = to_text(script)
    try:
        reason = "its text would mean something else"
        same = parse_script(text, script.rules).statements == script.statements
    except ScriptError as error:
        same, reason = False, error.message
    if not same:
        raise ArgumentError(f"the script cannot be saved, as it has no text ({reason}); {remedy}")
    return text
