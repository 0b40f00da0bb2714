"""Contracts, the duplicate score, IMPs and matchpoints, on arrays."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from dealerkit.cards.names import STRAIN_LETTERS
from dealerkit.errors import ArgumentError, nearest

CONTRACT = re.compile(r"[xz]?([1-7])(NT|[SHDCN])(X{0,2})", re.IGNORECASE)

# Largest difference in score worth 0, 1, 2 ... IMPs; 24 beyond the last. "v1" and "v2" are the tables of
# the programs dealer and DealerV2: two bounds of both differ from the laws, and V2's bound of 12 IMPs has
# a wrong sign, so 12 never comes.
_OFFICIAL = (
    10, 40, 80, 120, 160, 210, 260, 310, 360, 420, 490, 590, 740, 890, 1090, 1290, 1490, 1740, 1990, 2240,
    2490, 2990, 3490, 3990,
)  # fmt: skip
_V1 = tuple({420: 410, 1290: 1190}.get(bound, bound) for bound in _OFFICIAL)
_V2 = tuple({740: 590}.get(bound, bound) for bound in _V1)
IMP_TABLES = {name: np.array(t) for name, t in (("official", _OFFICIAL), ("v1", _V1), ("v2", _V2))}


@dataclass(frozen=True, slots=True)
class Contract:
    """A contract without its declarer.

    Parameters
    ----------
    level : int, 1 to 7
    strain : int
        S H D C N = 0..4.
    doubled : int
        0, 1 (doubled) or 2 (redoubled).

    Examples
    --------
    >>> Contract.parse("4Sx")
    Contract(level=4, strain=0, doubled=1)
    >>> print(Contract.parse("z3Nxx"))
    3NTxx
    """

    level: int
    strain: int
    doubled: int = 0

    def __post_init__(self) -> None:
        if self.level not in range(1, 8) or self.strain not in range(5) or self.doubled not in range(3):
            raise ArgumentError(
                f"no contract has level {self.level}, strain {self.strain}, doubled {self.doubled}; "
                "these go from 1 to 7, 0 to 4 (S H D C N) and 0 to 2"
            )

    @classmethod
    def parse(cls, text: str) -> Contract:
        """Read ``4Sx``, ``3N``, ``3NT`` or the programs' ``x3N`` and ``z4Hxx``, in any case of letters.

        Raises
        ------
        ArgumentError
            The text is no contract.
        """
        match = CONTRACT.fullmatch(text.strip())
        if not match:
            raise ArgumentError(f"{text!r} is no contract; write one like 4S, 3NT, 5Dx or 2Hxx")
        level, strain, doubled = match.groups()
        return cls(int(level), STRAIN_LETTERS.index(strain[0].upper()), len(doubled))

    @classmethod
    def of(cls, contract: Any) -> Contract:
        """A contract from its text or from any object with `level`, `strain` and `doubled`."""
        if isinstance(contract, cls):
            return contract
        if isinstance(contract, str):
            return cls.parse(contract)
        try:
            return cls(int(contract.level), int(contract.strain), int(contract.doubled))
        except AttributeError:
            raise ArgumentError(f"{contract!r} is no contract; write one like '4S' or '3NTx'") from None

    def __str__(self) -> str:
        return f"{self.level}{'NT' if self.strain == 4 else STRAIN_LETTERS[self.strain]}{'x' * self.doubled}"


def score(contract: Any, tricks: Any, vulnerable: Any = False) -> Any:
    """The duplicate score for declarer.

    Parameters
    ----------
    contract : str or Contract or object with `level`, `strain` and `doubled`
        ``4Sx``, ``3NT``, ``x3N`` ...
    tricks : int or ndarray of int
        Tricks of declarer's side. Not range-checked: 15 tricks score two more overtricks than 13.
    vulnerable : bool or ndarray of bool
        Is declarer vulnerable? Broadcast against `tricks`.

    Returns
    -------
    int or ndarray of int64
        Negative when the contract fails.

    Raises
    ------
    ArgumentError
        `contract` is no contract.

    See Also
    --------
    score_arrays : the same for many contracts at once.

    Examples
    --------
    >>> score("3NT", 9), score("4Hx", 9, vulnerable=True)
    (400, -200)
    >>> score("4S", np.array([9, 10, 11]), vulnerable=np.array([False, True, True]))
    array([-50, 620, 650])
    """
    bid = Contract.of(contract)
    return score_arrays(bid.level, bid.strain, bid.doubled, tricks, vulnerable)


def score_arrays(level: Any, strain: Any, doubled: Any, tricks: Any, vulnerable: Any = False) -> Any:
    """The duplicate score where the contract itself varies; all arguments broadcast.

    Parameters
    ----------
    level : int or ndarray of int, 1 to 7
    strain : int or ndarray of int, S H D C N = 0..4
    doubled : int or ndarray of int, 0 to 2
    tricks, vulnerable
        As for `score`.

    Returns
    -------
    int or ndarray of int64

    References
    ----------
    World Bridge Federation, Laws of Duplicate Bridge 2017, Law 77.

    Examples
    --------
    >>> score_arrays(np.array([3, 4, 6]), np.array([4, 1, 2]), 0, 10)
    array([ 430,  420, -100])
    """
    level, strain, doubled, tricks = (np.asarray(a, np.int64) for a in (level, strain, doubled, tricks))
    vul = np.asarray(vulnerable, bool)
    value = np.where((strain == 2) | (strain == 3), 20, 30)
    basis = (level * value + np.where(strain == 4, 10, 0)) << doubled
    over = tricks - level - 6
    overtrick = np.where(doubled == 0, value, np.where(vul, 100, 50) << doubled)
    bonus = np.where(basis >= 100, np.where(vul, 500, 300), 50) + 50 * doubled
    slam = np.where(level == 6, 500, np.where(level == 7, 1000, 0))
    made = basis + bonus + np.where(vul, slam + slam // 2, slam) + over * overtrick
    plain = np.where(vul, 100, 50) * over
    # Doubled undertricks: vulnerable 200, then 300 each; else 100, 200, 200, then 300 each.
    steep = np.where(vul, 300 * over + 100, np.where(over >= -3, 200 * over + 100, 300 * over + 400))
    down = np.where(doubled == 0, plain, steep * np.maximum(doubled, 1))
    result = np.where(over >= 0, made, down)
    return int(result) if result.ndim == 0 else result


def imps(difference: Any, table: str = "official") -> Any:
    """Difference in score to international match points.

    Parameters
    ----------
    difference : int or ndarray of int
        Our score minus theirs.
    table : {"official", "v1", "v2"}
        The laws' table, or that of the programs dealer (v1) and DealerV2 (v2), which differ from it.

    Returns
    -------
    int or ndarray of int64, -24 to 24

    Raises
    ------
    ArgumentError
        Unknown table.

    References
    ----------
    World Bridge Federation, Laws of Duplicate Bridge 2017, Law 78B.

    Examples
    --------
    >>> imps(420), imps(-620)
    (9, -12)
    >>> imps(np.array([0, 20, 4000]))
    array([ 0,  1, 24])
    """
    if table not in IMP_TABLES:
        raise ArgumentError(f"unknown table of IMPs {table!r}{nearest(str(table), IMP_TABLES)}")
    points = np.asarray(difference)
    if points.dtype.kind != "f":
        points = points.astype(np.int64)
    result = np.sign(points).astype(np.int64) * np.searchsorted(IMP_TABLES[table], np.abs(points))
    return int(result) if result.ndim == 0 else result


def matchpoints(ours: Any, theirs: Any) -> Any:
    """Share of the matchpoints against one other score: 1, 0.5 for a tie, or 0.

    Parameters
    ----------
    ours, theirs : int or ndarray of int
        Scores of the same side, broadcast.

    Returns
    -------
    float or ndarray of float64

    References
    ----------
    World Bridge Federation, Laws of Duplicate Bridge 2017, Law 78A.

    Examples
    --------
    >>> matchpoints(np.array([620, 600, 140]), 600)
    array([1. , 0.5, 0. ])
    """
    ours, theirs = np.asarray(ours), np.asarray(theirs)
    result = (1.0 * (ours > theirs) + (ours >= theirs)) / 2
    return float(result) if result.ndim == 0 else result
