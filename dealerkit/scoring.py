"""Contracts, the duplicate score, IMPs and matchpoints, on arrays."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from dealerkit.arguments import check_integers, check_shapes
from dealerkit.cards.names import STRAIN_LETTERS, seat_number, vulnerability_number
from dealerkit.errors import ArgumentError, suggest_name

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


def parse_contracts(contract: Any) -> tuple[Any, Any, Any]:
    """Level, strain and doubled of a contract as ints, of a column of contracts as arrays.

    Parameters
    ----------
    contract : str or Contract, or a sequence of n

    Returns
    -------
    level, strain, doubled : int or ndarray of int64 [n]

    Raises
    ------
    ArgumentError
        With the position of the first entry that is no contract.

    Examples
    --------
    >>> parse_contracts(["4S", "3NTx"])
    (array([4, 3]), array([0, 4]), array([0, 1]))
    """
    if isinstance(contract, np.ndarray):
        contract = contract.tolist()  # of no dimension: the text itself
    if isinstance(contract, str | bytes) or not hasattr(contract, "__len__"):
        bid = Contract.of(contract)
        return bid.level, bid.strain, bid.doubled
    bids: dict[str, Contract] = {}  # a column has many rows and few different contracts
    rows = np.empty((len(contract), 3), np.int64)
    for row, text in enumerate(contract):
        try:
            bid = bids[text] if isinstance(text, str) and text in bids else Contract.of(text)
        except ArgumentError as reason:
            raise ArgumentError(f"contract {row}: {reason}") from None
        if isinstance(text, str):
            bids[text] = bid
        rows[row] = bid.level, bid.strain, bid.doubled
    return rows[:, 0], rows[:, 1], rows[:, 2]


def score(contract: Any, tricks: Any, vulnerable: Any = False, declarer: Any = None) -> Any:
    """The duplicate score for declarer.

    Parameters
    ----------
    contract : str or Contract or object with `level`, `strain` and `doubled`, or a sequence of n
        ``4Sx``, ``3NT``, ``x3N`` ...
    tricks : int or ndarray of int
        Tricks of declarer's side, 0 or more. 15 tricks score two more overtricks than 13.
    vulnerable : bool or ndarray of bool
        Is declarer vulnerable? With `declarer` also who is: ``none``, ``NS``, ``EW``, ``both`` or 0 to
        3, or an array of these, such as `Deals.vulnerable`. All arguments broadcast.
    declarer : int or str, or a sequence of n, optional
        N E S W = 0..3, or words and letters.

    Returns
    -------
    int or ndarray of int64
        Negative when the contract fails.

    Raises
    ------
    ArgumentError
        No contract, seat or vulnerability; words or numbers as `vulnerable` without `declarer`; a
        vulnerability or tricks that are not known (-1); tricks that are not whole; lengths that differ.

    See Also
    --------
    score_contracts : the same from levels and strains.

    Examples
    --------
    >>> score("3NT", 9), score("4Hx", 9, vulnerable=True)
    (400, -200)
    >>> score("4S", np.array([9, 10, 11]), vulnerable=np.array([False, True, True]))
    array([-50, 620, 650])
    >>> score(["4S", "3NT", "5Dx"], [10, 9, 10], ["none", "EW", "both"], declarer=["south", "west", "N"])
    array([ 420,  600, -200])
    """
    vul = _plain_truth(vulnerable) if declarer is None else is_declarer_vulnerable(vulnerable, declarer)
    bids, taken = parse_contracts(contract), check_integers("tricks", tricks)
    if (taken < 0).any():
        row = int((taken < 0).argmax())
        raise ArgumentError(f"tricks is {taken.flat[row]} in row {row}; it is 0 or more, -1 not known")
    check_shapes(contract=bids[0], tricks=taken, vulnerable=vul)
    return score_contracts(*bids, taken, vul)


def is_declarer_vulnerable(vulnerable: Any, declarer: Any) -> np.ndarray:
    """Is declarer vulnerable, given who is?

    Parameters
    ----------
    vulnerable, declarer
        As for `score`; truth values of `vulnerable` are about declarer already.

    Returns
    -------
    ndarray of bool, broadcast

    Raises
    ------
    ArgumentError
        No vulnerability, no seat, or -1 (not known).

    Examples
    --------
    >>> is_declarer_vulnerable([0, 1, 2, 3], "south")
    array([False,  True, False,  True])
    """
    given = np.asarray(vulnerable)
    if given.dtype == bool:
        return given
    if (given.dtype.kind in "iu") and (given == -1).any():
        row = int(np.atleast_1d(given == -1).argmax())
        raise ArgumentError(f"vulnerable is -1, not known, for deal {row}; give none, NS, EW or both")
    sides, seats = _numbers(given, vulnerability_number), _numbers(np.asarray(declarer), seat_number)
    check_shapes(vulnerable=sides, declarer=seats)
    return (sides >> (seats & 1) & 1).astype(bool)


def _numbers(values: np.ndarray, number: Any) -> np.ndarray:
    """Each value read by `number`, in the same shape."""
    if values.dtype == object:  # None may be among them, which cannot be sorted
        return np.array([number(one) for one in values.ravel()], np.int64).reshape(values.shape)
    kinds, place = np.unique(values, return_inverse=True)
    return np.array([number(kind) for kind in kinds.tolist()], np.int64)[place].reshape(values.shape)


def _plain_truth(vulnerable: Any) -> np.ndarray:
    vul = np.asarray(vulnerable)
    if vul.dtype != bool and (vul.ndim or vul.dtype.kind not in "iu" or vul not in (0, 1)):
        raise ArgumentError(
            f"vulnerable is {vulnerable!r}; give True or False for declarer, or who is vulnerable "
            "together with declarer="
        )
    return vul.astype(bool)


def score_contracts(level: Any, strain: Any, doubled: Any, tricks: Any, vulnerable: Any = False) -> Any:
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
    >>> score_contracts(np.array([3, 4, 6]), np.array([4, 1, 2]), 0, 10)
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
        Our score minus theirs. Between whole points the table of the laws says nothing.
    table : {"official", "v1", "v2"}
        The laws' table, or that of the programs dealer (v1) and DealerV2 (v2), which differ from it.

    Returns
    -------
    int or ndarray of int64, -24 to 24

    Raises
    ------
    ArgumentError
        Unknown table, or a difference that is no whole number.

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
    if not isinstance(table, str) or table not in IMP_TABLES:
        raise ArgumentError(f"unknown table of IMPs {table!r}{suggest_name(str(table), IMP_TABLES)}")
    result = convert_to_imps(check_integers("difference", difference), table)
    return int(result) if result.ndim == 0 else result


def convert_to_imps(difference: np.ndarray, table: str = "official") -> np.ndarray:
    """The same for arrays, also of reals, which the language knows: compared with the bounds as they are."""
    return np.sign(difference).astype(np.int64) * np.searchsorted(IMP_TABLES[table], np.abs(difference))


def matchpoints(ours: Any, theirs: Any) -> Any:
    """Share of the matchpoints against one other score: 1, 0.5 for a tie, or 0.

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
        Scores that are not whole numbers, or shapes that do not broadcast.

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
