"""Contracts, duplicate scores, IMPs and matchpoints of arrays."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import Any, overload

import numpy as np

from dealerkit.arguments import check_integers, check_name, check_shapes, map_values
from dealerkit.cards.names import STRAIN_LETTERS, VULNERABILITIES, seat_number, vulnerability_number
from dealerkit.errors import ArgumentError, Parameter, quote

Whole = int | np.integer[Any]

CONTRACT = re.compile(r"[xz]?([1-7])(NT|[SHDCN])(X{0,2})", re.IGNORECASE)

_SUIT_WORDS = (("SPADES?", "S"), ("HEARTS?", "H"), ("DIAMONDS?", "D"), ("CLUBS?", "C"))

# Largest difference for 0, 1, 2 ... IMPs in the laws, dealer and DealerV2. Each program differs from the laws
# in two limits, and DealerV2's limit for 12 IMPs has a wrong sign, so that 12 IMPs never occur.
_OFFICIAL = (
    10, 40, 80, 120, 160, 210, 260, 310, 360, 420, 490, 590, 740, 890, 1090, 1290, 1490, 1740, 1990, 2240,
    2490, 2990, 3490, 3990,
)  # fmt: skip
_V1 = tuple({420: 410, 1290: 1190}.get(bound, bound) for bound in _OFFICIAL)
_V2 = tuple({740: 590}.get(bound, bound) for bound in _V1)
MAX_TRICKS = 10**12  # scores of more tricks would approach the limit of 64 bits
IMP_TABLES = {name: np.array(bounds) for name, bounds in (("official", _OFFICIAL), ("v1", _V1), ("v2", _V2))}


@dataclass(frozen=True, slots=True)
class Contract:
    """A contract without declarer.

    Parameters
    ----------
    level : int, 1 to 7
    strain : int, 0 to 4
        S H D C N.
    doubled : int
        0, 1 (doubled) or 2 (redoubled).

    Raises
    ------
    ArgumentError
        A number is out of range.

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
    @functools.lru_cache(1024)  # a column has many rows and few different contracts
    def parse(cls, text: str) -> Contract:
        """Return the contract of ``4Sx``, ``3N``, ``3NT`` or, as in scripts, ``x3N``, ``z4Hxx``, in any case.

        ArgumentError is raised for any other text.
        """
        match = CONTRACT.fullmatch(text.strip())
        if not match:
            close = _find_meant(text)
            hint = f"did you mean '{close}'?" if close else "write one like 4S, 3NT, 5Dx or 2Hxx"
            raise ArgumentError(f"{quote(text)} is not a contract; {hint}")
        level, strain, doubled = match.groups()
        return cls(int(level), STRAIN_LETTERS.index(strain[0].upper()), len(doubled))

    @classmethod
    def of(cls, contract: Any) -> Contract:
        """Return the contract of a text or of any object with `level`, `strain` and `doubled`."""
        if isinstance(contract, cls):
            return contract
        if isinstance(contract, str):
            return cls.parse(contract)
        try:
            return cls(int(contract.level), int(contract.strain), int(contract.doubled))
        except AttributeError:
            raise ArgumentError(f"{contract!r} is not a contract; write one like '4S' or '3NTx'") from None

    def __str__(self) -> str:
        return f"{self.level}{'NT' if self.strain == 4 else STRAIN_LETTERS[self.strain]}{'x' * self.doubled}"


def _find_meant(text: str) -> str | None:
    """Return the contract that a text such as ``3 NT``, ``4H!`` or ``4 spades`` means, or None."""
    letters = re.sub(r"[^0-9A-Z♠♥♦♣]", "", text.upper())
    for name, letter in (*zip("♠♥♦♣", "SHDC", strict=True), ("NOTRUMPS?", "N"), ("NT", "N"), *_SUIT_WORDS):
        letters = re.sub(name, letter, letters)
    match = re.fullmatch(r"(?:([1-7])([SHDCN])|([SHDCN])([1-7]))(X{0,2})", letters)
    if match is None:  # of an auction the last bid
        return bids[-1].upper() if all(map(CONTRACT.fullmatch, bids := re.split(r"[-,\s]+", text))) else None
    level, strain = (match[1], match[2]) if match[1] else (match[4], match[3])
    return f"{level}{strain.replace('N', 'NT')}{match[5].lower()}"


def parse_contracts(contract: Any) -> tuple[Any, Any, Any]:
    """Return level, strain and doubled of a contract as ints, or of n contracts as arrays of int64 [n].

    ArgumentError gives the index of the first element that is not a contract.

    >>> parse_contracts(["4S", "3NTx"])
    (array([4, 3]), array([0, 4]), array([0, 1]))
    """
    if isinstance(contract, np.ndarray):
        contract = contract.tolist()  # without dimensions: the text itself
    if isinstance(contract, str | bytes) or not hasattr(contract, "__len__"):
        parsed = Contract.of(contract)
        return parsed.level, parsed.strain, parsed.doubled
    rows = np.empty((len(contract), 3), np.int64)
    for row, element in enumerate(contract):
        try:
            parsed = Contract.of(element)
        except ArgumentError as reason:
            raise ArgumentError(f"contract {row}: {reason}") from None
        rows[row] = parsed.level, parsed.strain, parsed.doubled
    return rows[:, 0], rows[:, 1], rows[:, 2]


@overload
def score(
    contract: str | Contract,
    tricks: Whole,
    *,
    vulnerable: int | str | bool = False,
    declarer: int | str | None = None,
) -> int: ...
@overload
def score(
    contract: Any, tricks: np.ndarray, *, vulnerable: Any = False, declarer: Any = None
) -> np.ndarray: ...
@overload
def score(contract: Any, tricks: Any, *, vulnerable: Any = False, declarer: Any = None) -> Any: ...
def score(contract: Any, tricks: Any, *, vulnerable: Any = False, declarer: Any = None) -> Any:
    """Return the duplicate score of declarer's side, in points.

    Parameters
    ----------
    contract : str or Contract or object with `level`, `strain` and `doubled`, or a sequence of n
        ``4Sx``, ``3NT``, ``x3N`` ...
    tricks : int or ndarray of int
        Tricks of declarer's side, 0 or more. More than 13 count as additional overtricks.
    vulnerable : bool, int or str, or a sequence of n
        True, ``both``, ``all`` or 3 if declarer is vulnerable; False, ``none`` or 0 if not. With `declarer`,
        also the vulnerable side: ``ns`` or 1, ``ew`` or 2, as in `Deals.vulnerable`. All arguments broadcast.
    declarer : int or str, or a sequence of n, optional
        Declarer's seat: 0 to 3 (N E S W), or its name or letter.

    Returns
    -------
    int or ndarray of int64
        Negative if the contract fails.

    Raises
    ------
    ArgumentError
        A contract, seat or vulnerability cannot be read; `vulnerable` is a side, but `declarer` is missing; a
        vulnerability or number of tricks is unknown (-1); tricks are not whole numbers; lengths differ.

    Examples
    --------
    >>> score("3NT", 9), score("4Hx", 9, vulnerable=True)
    (400, -200)
    >>> score("4S", np.array([9, 10, 11]), vulnerable=np.array([False, True, True]))
    array([-50, 620, 650])
    >>> score(["4S", "3NT"], [10, 9], vulnerable=["none", "EW"], declarer=["south", "west"])
    array([420, 600])
    """
    vul = is_declarer_vulnerable(vulnerable, declarer)
    (level, strain, doubled), tricks = parse_contracts(contract), check_integers("tricks", tricks)
    if (tricks < 0).any():
        row = int((tricks < 0).argmax())
        raise ArgumentError(
            f"tricks is {tricks.flat[row]} in row {row}; it must be 0 or more (-1 means unknown)"
        )
    check_shapes(contract=level, tricks=tricks, vulnerable=vul)
    return score_contracts(level, strain, doubled, tricks, vul)


def is_declarer_vulnerable(vulnerable: Any, declarer: Any) -> np.ndarray:
    """Return whether declarer is vulnerable, from arguments as for `score`: bool in the broadcast shape.

    ArgumentError is raised as for `score`.

    >>> is_declarer_vulnerable([0, 1, 2, 3], "south")
    array([False,  True, False,  True])
    """
    sides = map_values(vulnerability_number, vulnerable)
    if declarer is None:
        is_one_side = (sides == 1) | (sides == 2)
        if is_one_side.any():
            name = VULNERABILITIES[sides.flat[is_one_side.argmax()]]
            raise ArgumentError(
                Parameter("vulnerable"),
                f" is {name}, the vulnerability of one side; give the seat of declarer, too, as ",
                Parameter("declarer="),
                ", or whether declarer is vulnerable, True or False",
            )
        return sides == 3
    seats = map_values(seat_number, declarer)
    check_shapes(vulnerable=sides, declarer=seats)
    return (sides >> (seats & 1) & 1).astype(bool)


def score_contracts(level: Any, strain: Any, doubled: Any, tricks: Any, vulnerable: Any = False) -> Any:
    """Return the duplicate score of contracts given as numbers; all arguments broadcast.

    Parameters
    ----------
    level : int or ndarray of int, 1 to 7
    strain : int or ndarray of int, S H D C N = 0..4
    doubled : int or ndarray of int, 0 to 2
    tricks : int or ndarray of int
        Tricks of declarer's side; negative numbers are scored as additional undertricks.
    vulnerable : bool or ndarray of bool
        True if declarer is vulnerable.

    Returns
    -------
    int or ndarray of int64

    References
    ----------
    World Bridge Federation, Laws of Duplicate Bridge 2017, Law 77.

    Examples
    --------
    >>> score_contracts(np.array([3, 4, 6]), np.array([4, 1, 2]), 0, 10)
    array([ 430,  420, -100])
    """
    if np.size(tricks) and not (np.min(tricks) >= -MAX_TRICKS and np.max(tricks) <= MAX_TRICKS):
        raise ArgumentError(f"scores are only computed for up to {MAX_TRICKS:,} tricks")
    level, strain, doubled, tricks = (np.asarray(part, np.int64) for part in (level, strain, doubled, tricks))
    vul = np.asarray(vulnerable, bool)
    value = np.where((strain == 2) | (strain == 3), 20, 30)
    basis = (level * value + np.where(strain == 4, 10, 0)) << doubled
    over = tricks - level - 6
    overtrick = np.where(doubled == 0, value, np.where(vul, 100, 50) << doubled)
    bonus = np.where(basis >= 100, np.where(vul, 500, 300), 50) + 50 * doubled
    slam = np.where(level == 6, 500, np.where(level == 7, 1000, 0))
    made = basis + bonus + np.where(vul, slam + slam // 2, slam) + over * overtrick
    undoubled = np.where(vul, 100, 50) * over
    # Doubled undertricks: 200, then 300 each if vulnerable; otherwise 100, 200, 200, then 300 each.
    penalty = np.where(vul, 300 * over + 100, np.where(over >= -3, 200 * over + 100, 300 * over + 400))
    failed = np.where(doubled == 0, undoubled, penalty * doubled)
    result = np.where(over >= 0, made, failed)
    return int(result) if result.ndim == 0 else result


@overload
def imps(difference: Whole, table: str = "official") -> int: ...
@overload
def imps(difference: np.ndarray, table: str = "official") -> np.ndarray: ...
@overload
def imps(difference: Any, table: str = "official") -> Any: ...
def imps(difference: Any, table: str = "official") -> Any:
    """Return the international match points (IMPs) for a difference in score.

    Parameters
    ----------
    difference : int or ndarray of int
        Our score minus theirs, a whole number.
    table : {"official", "v1", "v2"}
        The table of the laws, or those of the programs dealer (v1) and DealerV2 (v2), which differ from it.

    Returns
    -------
    int or ndarray of int64, -24 to 24

    Raises
    ------
    ArgumentError
        The table is unknown, or a difference is not a whole number.

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
    table = check_name("table of IMPs", table, IMP_TABLES)
    result = convert_to_imps(check_integers("difference", difference), table)
    return int(result) if result.ndim == 0 else result


def convert_to_imps(difference: np.ndarray, table: str = "official") -> np.ndarray:
    """Return the IMPs for an array of differences, which may be reals in scripts."""
    if np.isnan(difference).any():
        raise ArgumentError("IMPs are undefined for a value that is not a number")
    size = np.abs(np.clip(difference, -10_000, 10_000))  # the smallest 64-bit integer has no opposite
    if table != "official":  # the smallest 32-bit integer stays negative: 0 IMPs
        size = size * np.not_equal(difference, -(2**31))
    return np.sign(difference).astype(np.int64) * np.searchsorted(IMP_TABLES[table], size)


@overload
def matchpoints(ours: Whole, theirs: Whole) -> float: ...
@overload
def matchpoints(ours: np.ndarray, theirs: Any) -> np.ndarray: ...
@overload
def matchpoints(ours: Any, theirs: Any) -> Any: ...
def matchpoints(ours: Any, theirs: Any) -> Any:
    """Return the matchpoints against one other score: 1, 0.5 for a tie, or 0.

    Parameters
    ----------
    ours, theirs : int or ndarray of int
        Scores of the same side, broadcast.

    Returns
    -------
    float or ndarray of float64

    Raises
    ------
    ArgumentError
        Scores are not whole numbers, or shapes do not broadcast.

    References
    ----------
    World Bridge Federation, Laws of Duplicate Bridge 2017, Law 78A.

    Examples
    --------
    >>> matchpoints(np.array([620, 600, 140]), 600)
    array([1. , 0.5, 0. ])
    """
    ours, theirs = check_integers("ours", ours), check_integers("theirs", theirs)
    check_shapes(ours=ours, theirs=theirs)
    result = (1.0 * (ours > theirs) + (ours >= theirs)) / 2
    return float(result) if result.ndim == 0 else result
