"""What the files of dealing machines share: cards by number, whole deals, and the numbers of boards.

Cards are numbered 0 to 51: the spades from the ace down to the deuce, then hearts, diamonds and clubs. These
files contain no dealer and vulnerability, which follow from the number of the board; some contain no numbers.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import numpy as np

from dealerkit.appearance.numbers import format_count
from dealerkit.arguments import check_integer
from dealerkit.cards.deals import Deals
from dealerkit.cards.names import LANE_SHIFTS, board_dealer, board_vulnerability
from dealerkit.cards.text import describe_fault, find_fault
from dealerkit.errors import ArgumentError, FileError, LossWarning, warn_caller
from dealerkit.formats.content import DealSupply, Records, split_deals
from dealerkit.formats.text_files import NUMBERS, read_bytes
from dealerkit.runtime.files import write_atomically

CARDS = np.array([1 << (shift + rank) for shift in LANE_SHIFTS for rank in range(12, -1, -1)], np.uint64)
RANKS = b"AKQJT98765432"
_FULL = np.bitwise_or.reduce(CARDS)


# ---------------------------------------------------------------- reading
def read_records(path: str | os.PathLike, size: int, offset: int = 0) -> np.ndarray:
    """Return the records of a file, uint8 [n, size], after the first `offset` bytes.

    Raises
    ------
    FileError
        The file cannot be read, has no record, or does not consist of whole records.
    """
    data = read_bytes(path)[offset:]
    n_records, rest = divmod(len(data), size)
    if rest or not n_records:
        raise FileError(
            f"{path}: the {len(data):,} bytes are not whole boards of {size} bytes; the file is truncated, "
            "or of another format"
        )
    return np.frombuffer(data, np.uint8).reshape(n_records, size)


def join_owners(owners: np.ndarray) -> np.ndarray:
    """Return hands, uint64 [n, 4], from the seats of the 52 cards, [n, 52]; 4 and above mean no seat."""
    return np.stack([((owners == seat) * CARDS).sum(axis=1, dtype=np.uint64) for seat in range(4)], axis=1)


def find_owners(hands: np.ndarray) -> np.ndarray:
    """Return the seats of the 52 cards, uint8 [n, 52], from hands, uint64 [n, 4].

    >>> find_owners(np.array([[0x1FFF << shift for shift in (48, 32, 16, 0)]], np.uint64))[0, ::13].tolist()
    [0, 1, 2, 3]
    """
    return ((hands[:, :, None] & CARDS) != 0).argmax(axis=1).astype(np.uint8)


def are_deals(hands: np.ndarray) -> np.ndarray:
    """Return which hands, uint64 [n, 4], are whole deals, bool [n]."""
    union = np.bitwise_or.reduce(hands, axis=1)
    return (union == _FULL) & (np.bitwise_count(hands) == 13).all(axis=1)


def collect_deals(
    path: str | os.PathLike,
    hands: np.ndarray,
    numbers: np.ndarray,
    faults: Mapping[int, str] | None = None,
    remarks: Iterable[tuple[int, str]] = (),
) -> Records:
    """Return the boards of a file, with dealer and vulnerability by their numbers.

    Parameters
    ----------
    path : str or os.PathLike
    hands : ndarray of uint64 [n, 4]
        The hands; rows that are not whole deals are skipped, with the reason.
    numbers : ndarray of int [n]
        Numbers of the boards.
    faults : mapping of int to str
        Rows that are skipped for other reasons, with the reason.
    remarks : iterable of (int, str)
        Numbers of boards, and what is unusual about them.
    """
    faults = dict(faults or {})
    for row in np.flatnonzero(~are_deals(hands)).tolist():
        faults.setdefault(row, describe_fault(hands[row].tolist()))
    kept = np.setdiff1d(np.arange(len(hands)), sorted(faults))
    skipped = [(int(numbers[row]), reason) for row, reason in sorted(faults.items())]
    numbers = np.asarray(numbers, np.int32)[kept]
    deals = Deals(
        np.asfortranarray(hands[kept]),
        board=numbers,
        dealer=np.array([board_dealer(int(number)) for number in numbers], np.int8),
        vulnerable=np.array([board_vulnerability(int(number)) for number in numbers], np.int8),
        check=False,
    )
    records = Records(deals, {}, skipped, Path(path).name, remarks)
    records.place = "board"
    return records


def number_from(first_board: int, count: int) -> np.ndarray:
    """Return the numbers of `count` boards from the first on; raise ArgumentError if one is out of range."""
    first = check_integer("first_board", first_board, 1)
    if first + count > 2**31:
        raise ArgumentError(
            f"first_board is {first:,}; the numbers of all {count:,} boards must be below 2,147,483,648"
        )
    return np.arange(first, first + count)


# ---------------------------------------------------------------- writing
def gather_boards(
    deals: DealSupply, name: str, *, keeps_numbers: bool = True, highest: int = 2**31 - 1
) -> tuple[np.ndarray, np.ndarray]:
    """Return the hands, uint64 [n, 4], and the numbers, int64 [n], of the boards to write.

    Parameters
    ----------
    deals : Deals or Library
        Deals without numbers are numbered from 1.
    name : str
        Name of the format, for messages.
    keeps_numbers : bool
        Whether files of the format have numbers of boards.
    highest : int
        Highest number that a board may have.

    Raises
    ------
    ArgumentError
        A deal is missing or faulty, or a board has no number or one that is too high.

    Warns
    -----
    LossWarning
        Numbers, dealers or vulnerabilities differ from those that a reader of the file will find.
    """
    # Collect hands and columns of all boards.
    hands = [np.zeros((0, 4), np.uint64)]
    columns: dict[str, list[np.ndarray]] = {column: [] for column in NUMBERS}
    for rows, part in split_deals(deals):
        if fault := find_fault(part.hands):
            raise ArgumentError(f"deal {rows.start + fault[0]:,}: {fault[1]}; {name} has whole deals only")
        hands.append(part.hands)
        for column, values in columns.items():
            if (given := getattr(part, column)) is not None:
                values.append(given)
    boards, dealers, sides = (
        np.concatenate(values).astype(np.int64) if values else None for values in columns.values()
    )
    # These are the numbers that a reader will find; the deals' own columns are compared with what follows.
    positions = np.arange(1, len(deals) + 1)
    numbers = boards if keeps_numbers and boards is not None else positions
    if len(numbers) and (numbers.min() < 1 or numbers.max() > highest):
        wrong = int(numbers.min() if numbers.min() < 1 else numbers.max())
        which = f"board {wrong}" if wrong >= 0 else "a board without a number"
        raise ArgumentError(
            f"{which}: {name} has boards 1 to {highest:,}; deals.number_boards() numbers them from 1"
        )
    _warn_of_loss(name, numbers, boards, dealers, sides)
    return np.concatenate(hands), numbers


def _warn_of_loss(
    name: str,
    numbers: np.ndarray,
    boards: np.ndarray | None,
    dealers: np.ndarray | None,
    sides: np.ndarray | None,
) -> None:
    """Warn if numbers, dealers or vulnerabilities will be lost in the file."""
    lost = []
    if boards is not None and (boards != numbers).any():
        lost.append(f"numbers of boards, so that readers count from 1 (these begin with {boards[0]})")
    # A reader takes dealer and vulnerability from the number.
    for noun, column, find in (
        ("dealers", dealers, board_dealer),
        ("vulnerabilities", sides, board_vulnerability),
    ):
        if column is not None and len(column):
            differs = (column >= 0) & (column != np.array([find(int(number)) for number in numbers]))
            if differs.any():
                first = int(numbers[np.argmax(differs)])
                count = format_count(int(differs.sum()))
                lost.append(f"{noun}, which follow from the numbers ({count} differ, first at board {first})")
    if lost:
        warn_caller(f"{name} has no place for {'; nor for '.join(lost)}", LossWarning)


def check_consecutive(numbers: np.ndarray, name: str) -> None:
    """Raise ArgumentError if the numbers of boards are not consecutive."""
    gaps = np.flatnonzero(np.diff(numbers) != 1)
    if len(gaps):
        before, after = numbers[gaps[0]], numbers[gaps[0] + 1]
        raise ArgumentError(
            f"board {after} follows board {before}; {name} has consecutive numbers. Sort the boards, leave "
            "some out, or number them again with deals.number_boards()"
        )


def write_records(
    deals: DealSupply,
    path: str | os.PathLike,
    name: str,
    encode: Callable[[np.ndarray], np.ndarray],
    filler: bytes,
) -> None:
    """Write a record for each deal, in a format without numbers of boards.

    Parameters
    ----------
    deals : Deals or Library
    path : str or os.PathLike
    name : str
        Name of the format, for messages.
    encode : callable
        Returns the records, uint8 [n, size], of hands, uint64 [n, 4].
    filler : bytes
        Bytes that follow each record.

    Raises
    ------
    FileError
        The file cannot be written.
    ArgumentError
        A deal is missing.
    """
    hands, _ = gather_boards(deals, name, keeps_numbers=False)
    with write_atomically(path) as temporary, open(temporary, "wb") as file:
        file.writelines(record.tobytes() + filler for record in encode(hands))
