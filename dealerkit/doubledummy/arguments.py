"""Arguments of the functions of this package: strains, seats, hands, and numbers for each deal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dealerkit.cards.deal import Deal
from dealerkit.cards.deals import Deals
from dealerkit.cards.names import SEAT_LETTERS, STRAIN_LETTERS, seat_number, strain_number
from dealerkit.cards.text import parse_pbn
from dealerkit.errors import ArgumentError, Parameter


def to_strain_mask(strains: Any) -> np.ndarray:
    """Return a mask of strains, bool [5], from letters of ``SHDCN`` or five truth values.

    Raises
    ------
    ArgumentError
        A letter is unknown, the number of values is wrong, or there is no strain.

    Examples
    --------
    >>> to_strain_mask("NS")
    array([ True, False, False, False,  True])
    """
    return _build_mask("strains", strains, STRAIN_LETTERS)


def to_seat_mask(seats: Any) -> np.ndarray:
    """Return a mask of seats, bool [4], from letters of ``NESW`` or four bools; see `to_strain_mask`."""
    return _build_mask("declarers", seats, SEAT_LETTERS)


def _build_mask(name: str, chosen: Any, known: str) -> np.ndarray:
    """Return a mask of the known letters, from a text or a sequence of bool."""
    if isinstance(chosen, str):
        letters = chosen.strip().upper()
        if known == STRAIN_LETTERS:
            letters = letters.replace("NT", "N")
        if unknown := sorted(set(letters) - set(known)):
            raise ArgumentError(f"{unknown[0]!r} in {name} {chosen!r} is not one of {known}")
        mask = np.array([letter in letters for letter in known])
    else:
        mask = np.asarray(chosen)
        if mask.shape != (len(known),) or mask.dtype != bool:
            raise ArgumentError(
                Parameter(name), f" is {chosen!r}; it must be letters of {known} or {len(known)} bools"
            )
    if not mask.any():
        raise ArgumentError(Parameter(name), f" is {chosen!r}; give at least one of {known}")
    return mask


def to_numbers(name: str, values: Any, n: int, most: int) -> np.ndarray:
    """Return an argument as int8 [n], from one number or n numbers, each from 0 to `most`.

    Raises
    ------
    ArgumentError
        It gives the first value out of range, or the wrong shape.
    """
    array = np.asarray(values)
    if array.dtype.kind not in "iu" and array.size:
        raise ArgumentError(f"{name} has the type {array.dtype}; it must be integers 0 to {most}")
    if array.ndim and array.shape != (n,):
        raise ArgumentError(f"{name} has shape {array.shape}, not ({n},) for {n} deals")
    wrong = np.atleast_1d((array < 0) | (array > most))
    if wrong.any():
        row = int(wrong.argmax())
        raise ArgumentError(
            f"{name} is {np.atleast_1d(array)[row]} (deal {row}); it must be from 0 to {most}"
        )
    return np.broadcast_to(array.astype(np.int8), (n,))


def to_strain_numbers(strain: Any) -> Any:
    """Return the number of a strain, as an int, or of a sequence of strains, as an ndarray."""
    return _convert(strain, strain_number)


def to_seat_numbers(seat: Any) -> Any:
    """Return the number of a seat, as an int, or of a sequence of seats, as an ndarray."""
    return _convert(seat, seat_number)


def _convert(values: Any, number: Callable[[Any], int]) -> Any:
    """Return the number of one value, or an array of numbers for several; integer arrays are unchanged."""
    if isinstance(values, str) or np.ndim(values) == 0:
        return number(values.item() if isinstance(values, np.generic) else values)
    array = np.asarray(values)
    return array if array.dtype.kind in "iu" else np.array([number(v) for v in array.tolist()], dtype=np.int8)


def find_deals(deals: Any) -> Deals | None:
    """Return the Deals that an argument is or contains (a column or frame of pandas); otherwise None."""
    if isinstance(deals, Deals):
        return deals
    if isinstance(deals, Deal | str | np.ndarray):
        return None
    accessor = getattr(deals, "dealer", None)  # of a DataFrame or Series
    found = getattr(deals if accessor is None else accessor, "deals", None)  # DealArray has it too
    return found if isinstance(found, Deals) else None


def to_hands(deals: Any) -> np.ndarray:
    """Return the hands of deals or positions in any supported form.

    Parameters
    ----------
    deals : Deals, Deal, str or sequence of str, ndarray, or a column of deals
        Texts are in PBN notation, arrays are uint64 [n, 4] or [4]; a column is a DealArray, a Series, or a
        DataFrame that contains one.

    Returns
    -------
    ndarray of uint64 [n, 4]
        The hands of a deal are not checked against each other yet.

    Raises
    ------
    DealError
        A text is not a deal; the message gives the index of the first.
    ArgumentError
        The type or shape is another one.
    """
    if (found := find_deals(deals)) is not None:
        return found.hands
    if isinstance(deals, Deal):
        return np.array([deals.hands], dtype=np.uint64)
    if isinstance(deals, str):
        return parse_pbn([deals])
    if isinstance(deals, np.ndarray) and deals.dtype.kind in "iu":
        if deals.shape[-1:] == (4,) and deals.ndim <= 2:
            return deals.astype(np.uint64, copy=False).reshape(-1, 4)
        raise ArgumentError(f"hands has shape {deals.shape}, not (n, 4): north east south west")
    if isinstance(deals, list | tuple) and all(isinstance(text, str) for text in deals):
        return parse_pbn(deals)
    raise ArgumentError(
        f"a {type(deals).__name__} contains no deals; give Deals, PBN texts, or an array of uint64 [n, 4]"
    )
