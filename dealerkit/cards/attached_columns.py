"""What may stand beside the hands of deals: the list, what "not known" is, the ranges."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from dealerkit.errors import ArgumentError

# Of each companion its type, its shape for one deal, what says "not known",
# lowest and highest value (None: any). A cluster has no such value: see `Deals.concatenate`.
COMPANIONS: dict[str, tuple[type, tuple[int, ...], float | None, int | None, int | None]] = {
    "tables": (np.int8, (5, 4), -1, -1, 13),
    "vulnerable": (np.int8, (), -1, -1, 3),
    "dealer": (np.int8, (), -1, -1, 3),
    "board": (np.int32, (), -1, None, None),
    "weight": (np.float64, (), 1.0, 0, None),
    "cluster": (np.int64, (), None, None, None),
}


def neutral(name: str, count: int, free: int = 0) -> np.ndarray:
    """What a companion is for deals of which it is not known, `count` rows.

    Unknown (-1), weight 1, or the cluster numbers from `free` upwards, a new one for each deal.
    """
    kind, shape, value, *_ = COMPANIONS[name]
    if value is None:
        return np.arange(free, free + count, dtype=kind)
    return np.full((count, *shape), value, dtype=kind)


def check_companions(companions: Mapping[str, np.ndarray]) -> None:
    """Refuse companions with a value out of range.

    Raises
    ------
    ArgumentError
        With the index of the first such deal and the value.
    """
    for name, values in companions.items():
        _, _, _, low, high = COMPANIONS[name]
        wrong = np.zeros(values.shape, dtype=bool) if low is None else ~(values >= low)
        if high is not None:
            wrong |= values > high
        if wrong.any():
            place = tuple(np.argwhere(wrong)[0])
            limits = f"{low} or more" if high is None else f"{low} to {high}"
            raise ArgumentError(f"deal {place[0]}: {name} is {values[place]}, not {limits}")
