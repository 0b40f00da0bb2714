"""The fingerprint of a run: short hashes of its deals, counts, reports and texts, and its plan by name.

Numbers are hashed as they are, reals by all their bits and a second time rounded, for machines whose library of
linear algebra adds in another order, or whose logarithms have another last bit (`arithmetic`). Words are not
hashed, but for texts of the dialects v1 and v2, cards, seats and suits.
"""

from __future__ import annotations

import hashlib
import math
import re
import warnings
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

import dealerkit as dk

COMPANIONS = ("tables", "vulnerable", "dealer", "board", "weight")
# Time and day of the run.
VOLATILE = re.compile(r'^(Time needed .*|\[Date ".*"\])$', re.MULTILINE)
SEATS = ("north", "east", "south", "west")
# Columns of cards, seats and suits, which are hashed though they are texts.
NAMING = {
    *SEATS, *(f"shape_{seat}" for seat in SEATS), "card", "cards", "equals", "suit", "rank", "seat", "side", "strain",
    "declarer",
}  # fmt: skip

# The mathematical functions of the system's library that results need.
FUNCTIONS = (math.exp, math.expm1, math.log, math.log1p, math.lgamma, math.erf, lambda number: number**0.3)

Real = Callable[[float], str]  # how a real number is written before it is hashed


def rounded(value: float) -> str:
    """Nine digits, no more than seven behind the point."""
    return f"{round(value, 7) + 0.0:.9g}"


def twelve_digits(value: float) -> str:
    """Twelve significant digits, for probabilities, which may be small."""
    return f"{value:.12g}"


def short(parts: Iterator[bytes]) -> str:
    """The first 64 bits of SHA-256, in hexadecimal digits."""
    found = hashlib.sha256()
    for part in parts:
        found.update(len(part).to_bytes(8, "little"))
        found.update(part)
    return found.hexdigest()[:16]


def both(value: Any, real: Real = rounded) -> str:
    """The hash by all bits, and that of rounded reals where it is another."""
    one, two = short(pieces(value)), short(pieces(value, real))
    return one if one == two else f"{one} {two}"


def pieces(value: Any, real: Real = float.hex) -> Iterator[bytes]:
    """A number, text, array, table, estimate or list of these as bytes that tell it from any other."""
    if value is None or value is pd.NA:
        yield b"none"
    elif isinstance(value, str):
        yield b"text " + value.encode()
    elif isinstance(value, bool | np.bool_):
        yield b"true" if value else b"false"
    elif isinstance(value, int | np.integer):
        yield b"%d" % int(value)
    elif isinstance(value, float | np.floating):
        yield real(float(value)).encode()
    elif isinstance(value, Fraction):
        yield f"{value.numerator}/{value.denominator}".encode()
    elif isinstance(value, np.ndarray):
        yield f"{value.dtype.kind} {value.shape}".encode()
        for one in value.ravel().tolist():
            yield from pieces(one, real)
    elif isinstance(value, pd.DataFrame):
        yield from pieces_of_frame(value, real)
    elif isinstance(value, dk.Deals):
        yield from pieces_of_deals(value)
    elif isinstance(value, dk.Deal):
        yield from pieces([int(hand) for hand in value.hands])
    elif isinstance(value, dk.Estimate):
        yield from pieces([value.value, value.se, value.lo, value.hi, value.n, value.fraction], real)
    elif isinstance(value, list | tuple):
        yield b"list %d" % len(value)
        for one in value:
            yield from pieces(one, real)
    else:
        raise TypeError(f"no fingerprint of a {type(value).__name__}")


def pieces_of_frame(frame: pd.DataFrame, real: Real) -> Iterator[bytes]:
    """Numbers of a frame, of its index and of the labels of its columns, and the columns of cards and seats."""
    yield f"{frame.shape}".encode()
    yield from numbers(frame.index, real)
    yield from numbers(frame.columns, real)
    for k, name in enumerate(frame.columns):
        column = frame.iloc[:, k]
        if name in NAMING:
            yield from pieces([str(one) for one in column])
        else:
            yield from numbers(column, real)


def numbers(values: Any, real: Real) -> Iterator[bytes]:
    """The values in their order; a word only says that it is there."""
    for one in values:
        yield from pieces("" if isinstance(one, str) else one, real)


def pieces_of_deals(deals: dk.Deals) -> Iterator[bytes]:
    """Hands as little-endian 64-bit integers, and what stands beside them."""
    yield np.ascontiguousarray(deals.hands, dtype="<u8").tobytes()
    for name in COMPANIONS:
        values = getattr(deals, name)
        if values is not None:
            yield name.encode()
            yield from pieces(np.asarray(values))


def arithmetic() -> str:
    """A hash of products of arrays and of functions, which depend on the processor and on the libraries."""
    table = np.random.default_rng(1).random((120_000, 6))
    products = [table[:n].T @ table[:n] for n in (50, 400, 6000, 120_000)]
    products += [table[:n, 0].copy() @ table[:n, 1].copy() for n in (50, 400, 6000, 120_000)]
    products += [
        np.ones((200, 3000)) @ table[:3000],
        np.random.default_rng(2).random((200, 3000)) @ table[:3000],
    ]
    numbers = table[:400].ravel().tolist()
    functions = [[function(number) for number in numbers] for function in FUNCTIONS]
    return short(pieces([*products, *functions, np.exp(numbers), np.log(numbers)]))


def of_run(options: dict[str, Any]) -> dict[str, str]:
    """The parts of a run."""
    options = dict(options)
    if "source" in options:
        options["source"] = options["source"]()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", dk.DealerkitWarning)
        result = dk.run_script(options.pop("script"), dk.RunOptions(**options))
    deals, chance = result.deals, result.probability
    counts = [result.produced, result.generated, result.proposed, result.seed]
    parts = {
        "plan": result.plan.name,
        "deals": short(pieces_of_deals(deals)),
        "numbers": short(pieces(np.asarray(result.numbers))),
        "counts": short(pieces(counts)),
        "probability": both([chance.value, chance.se, chance.lo, chance.hi], twelve_digits),
    }
    for number, report in enumerate(result.reports, 1):
        parts[f"report {number}"] = both([report.label, report.frame])
    if options.get("dialect", "modern") != "modern":
        parts["text"] = short(pieces(VOLATILE.sub("", result.text)))
    return parts


def of_value(function: Callable[[], Any]) -> dict[str, str]:
    """The one part of what a function returns."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", dk.DealerkitWarning)
        return {"values": both(function())}
