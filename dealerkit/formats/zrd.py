"""Files of solved deals with 23 bytes for each: Richard Pavlicek's library, and files that DealerV2 writes.

A record has 13 bytes of cards and 10 bytes of tricks. Bits are numbered from the lowest of the first byte.
Owners of cards are W N E S = 0..3, with two bits each, in the order spades, hearts, diamonds, clubs, from ace
to deuce. Tricks have four bits each, in the order NT S H D C, and within a strain by declarer W N E S. Ten
zero bytes are the table of a deal that was not solved. Records are read by their numbers, so only those that
are needed are decoded.

DealerV2's option ``-Z`` may put title records anywhere: 28 zero bits, the number of the segment (1 to 15),
and 19 bytes of text.
"""

from __future__ import annotations

import os

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.cards.names import LANE_SHIFTS, SEATS, STRAINS
from dealerkit.errors import ArgumentError, FileError, quote
from dealerkit.formats.checking import check_pairing
from dealerkit.formats.content import DealSupply, RecordFile, split_deals
from dealerkit.formats.format import Format
from dealerkit.formats.pavlicek import CREDIT, N_DEALS, TERMS, compute_hands
from dealerkit.runtime.compiled import kernel, popcount
from dealerkit.runtime.files import write_atomically
from dealerkit.runtime.process import cached_property

CARD_BYTES, TABLE_BYTES = 13, 10
BATCH = 65_536  # records encoded together

_MASK, _LANE = np.uint64((1 << 52) - 1), np.uint64(0x1FFF)
_0, _1, _2, _3, _4, _13, _15, _26, _39 = (np.uint64(i) for i in (0, 1, 2, 3, 4, 13, 15, 26, 39))
_16, _32, _48 = (np.uint64(i) for i in (16, 32, 48))
_CARDS = np.array([1 << (shift + rank) for shift in LANE_SHIFTS for rank in range(12, -1, -1)], np.uint64)


def _split_owners() -> np.ndarray:
    """Return for each byte the lower bits of its owners, first card highest, then the upper bits."""
    owners = np.arange(256)[:, None] >> np.array([0, 2, 4, 6]) & 3
    places = np.array([8, 4, 2, 1])
    return ((owners & 1) @ places + 16 * ((owners >> 1) @ places)).astype(np.uint8)


_OWNERS = _split_owners()


@kernel
def _decode_hands(records, rows, owners, seats, hands):
    """Set `hands` [4, n] of the requested seats; return the position of the first illegal deal, or -1."""
    for i in range(rows.size):
        row = rows[i]
        # The lower and the upper bits of the 52 owners as two numbers, the ace of spades highest.
        lower, upper = _0, _0
        for k in range(13):
            bits = np.uint64(owners[records[row, k]])
            lower = lower << _4 | bits & _15
            upper = upper << _4 | bits >> _4
        # Owners are W N E S = 0..3: a seat has the cards with its two bits, and west has the others.
        north, east, south = lower & ~upper, upper & ~lower, upper & lower
        if popcount(north) != _13 or popcount(east) != _13 or popcount(south) != _13:
            return i
        # Spread 52 bits without gaps to a lane of 16 bits for each suit.
        for seat in range(4):
            if seats >> seat & 1:
                cards = (north, east, south, _MASK & ~(lower | upper))[seat]
                hands[seat, i] = (
                    cards >> _39 << _48
                    | (cards >> _26 & _LANE) << _32
                    | (cards >> _13 & _LANE) << _16
                    | cards & _LANE
                )
    return -1


@kernel
def _decode_tables(records, rows, start, tables):
    """Set `tables` [n, 5, 4]; return the position of the first table with a number above 13, or -1."""
    for i in range(rows.size):
        row = rows[i]
        # Ten zero bytes mean that the deal was not solved.
        any_bit = 0
        for k in range(start, start + 10):
            any_bit |= records[row, k]
        if any_bit == 0:
            tables[i] = -1
            continue
        # Each strain, NT S H D C, has two bytes: the first with west low and north high, the second with east
        # low and south high.
        for k in range(5):
            west_north, east_south = records[row, start + 2 * k], records[row, start + 2 * k + 1]
            strain = (k + 4) % 5
            tables[i, strain, 0] = west_north >> 4
            tables[i, strain, 1] = east_south & 15
            tables[i, strain, 2] = east_south >> 4
            tables[i, strain, 3] = west_north & 15
            for seat in range(4):
                if tables[i, strain, seat] > 13:
                    return i
    return -1


def decode_hands(records: np.ndarray, rows: np.ndarray, seats: int = 15) -> tuple[np.ndarray, int]:
    """Return the hands of some records.

    Parameters
    ----------
    records : ndarray of uint8 [any, 13 or more]
        Records, whose first bytes are the cards.
    rows : ndarray of int64 [n]
        Numbers of the records.
    seats : int, 0..15
        Seats whose hands are needed, bit 0 north ... bit 3 west; the others are 0.

    Returns
    -------
    hands : ndarray of uint64 [n, 4]
        Hands N E S W, each seat contiguous.
    fault : int
        Position in `rows` of the first record without 13 cards for each seat; -1 if there is none. Hands
        from there on are not set.
    """
    hands = (np.empty if seats == 15 else np.zeros)((4, len(rows)), np.uint64)
    return hands.T, _decode_hands(records, rows, _OWNERS, seats, hands)


def decode_tables(records: np.ndarray, rows: np.ndarray, start: int) -> tuple[np.ndarray, int]:
    """Return the tables of some records.

    Parameters
    ----------
    records : ndarray of uint8 [any, start + 10 or more]
    rows : ndarray of int64 [n]
        Numbers of the records.
    start : int
        Byte of the record at which the table begins.

    Returns
    -------
    tables : ndarray of int8 [n, 5, 4]
        By strain (S H D C N) and declarer (N E S W); -1 for deals that were not solved.
    fault : int
        Position in `rows` of the first table with a number above 13; -1 if there is none. Tables from there
        on are not set.
    """
    tables = np.empty((len(rows), 5, 4), np.int8)
    return tables, _decode_tables(records, rows, start, tables)


def describe_cards(record: bytes) -> str:
    """Return which seat has the wrong number of cards in a record.

    >>> describe_cards(bytes(13))
    'north has 0 cards'
    """
    owners = int.from_bytes(record[:CARD_BYTES], "little")
    counts = [0] * 4
    for card in range(52):
        counts[((owners >> 2 * card & 3) - 1) % 4] += 1
    seat = next(seat for seat in range(4) if counts[seat] != 13)
    return f"{SEATS[seat]} has {counts[seat]} card{'' if counts[seat] == 1 else 's'}"


def describe_tricks(table: bytes) -> tuple[int, str]:
    """Return the byte with the first number above 13, and a description of it.

    >>> describe_tricks(bytes([0x49, 0x4E] + [0] * 8))
    (1, '14 tricks for east in notrump')
    """
    byte = next(k for k in range(TABLE_BYTES) if table[k] & 15 > 13 or table[k] >> 4 > 13)
    low, high = table[byte] & 15, table[byte] >> 4
    tricks, seat = (low, ("west", "east")[byte % 2]) if low > 13 else (high, ("north", "south")[byte % 2])
    return byte, f"{tricks} tricks for {seat} in {STRAINS[(byte // 2 + 4) % 5]}"


def encode_hands(hands: np.ndarray) -> np.ndarray:
    """Return the bytes of cards, uint8 [n, 13], of hands, uint64 [n, 4].

    >>> cards = np.frombuffer(bytes.fromhex("72527a0ae17ae4f952e041fc7c"), np.uint8)
    >>> encode_hands(decode_hands(cards[None], np.array([0]))[0]).tobytes().hex()
    '72527a0ae17ae4f952e041fc7c'
    """
    owners = np.zeros((len(hands), 52), np.uint8)
    for seat, code in ((0, 1), (1, 2), (2, 3)):
        owners += np.uint8(code) * (hands[:, seat, None] & _CARDS != 0)
    return (owners.reshape(-1, CARD_BYTES, 4) << np.array([0, 2, 4, 6], np.uint8)).sum(axis=2, dtype=np.uint8)


def encode_tables(tables: np.ndarray | None, n_deals: int) -> np.ndarray:
    """Return the bytes of tables, uint8 [n, 10]; zeros for deals without a complete table.

    >>> encode_tables(np.full((1, 5, 4), 7), 1).tobytes().hex()
    '77777777777777777777'
    """
    if tables is None:
        return np.zeros((n_deals, TABLE_BYTES), np.uint8)
    is_complete = np.asarray((tables >= 0).all(axis=(1, 2)))
    by_code = tables.astype(np.uint8)[:, [4, 0, 1, 2, 3]][:, :, [3, 0, 1, 2]].reshape(-1, TABLE_BYTES, 2)
    return np.where(is_complete[:, None], by_code[:, :, 0] | by_code[:, :, 1] << 4, 0).astype(np.uint8)


RECORD_BYTES = CARD_BYTES + TABLE_BYTES
BLOCK = 65_536  # deals in the smallest part of his library that Pavlicek's program writes
_MAX_SEGMENTS, _SEGMENT = 15, 19  # number of title records of a title, and of characters in each
_TITLE_BITS = 0x0FFF_FFFF


class SolvedFile(RecordFile):
    """A .zrd file.

    Parameters
    ----------
    path : str or os.PathLike
    check : bool
        Whether to check that tables belong to their deals.

    Attributes
    ----------
    title : str
        The text of DealerV2's title records.

    Raises
    ------
    FileError
        The file is damaged: its size is wrong, or a deal or table among about 400 that are checked, or the
        tables belong to other deals.
    """

    def __init__(self, path: str | os.PathLike, check: bool = True) -> None:
        super().__init__(path, RECORD_BYTES)
        self._check = check
        # Blocks of Pavlicek's library are recognised by their first deal; they have no title records.
        first = self._find_in_library()
        is_library = first is not None
        if self.n_records == N_DEALS and first != 0:
            raise FileError(
                f"{path}: the file has the size of Pavlicek's library, but does not begin with its first "
                "deal; it is damaged, or its records are shifted"
            )
        self._titles = np.empty(0, np.int64)
        self.title, self.is_solved = "", is_library
        if is_library:
            self.terms, self.credit = TERMS, CREDIT
        else:
            self._find_titles()
        # Decode about 400 records, and compare them with the library if the file is part of it.
        sample = self.sample_rows()
        deals = self.decode(sample)
        if first is not None and (wrong := (deals.hands != compute_hands(first + sample)).any(axis=1)).any():
            self.raise_fault(
                int(sample[np.argmax(wrong)]), 0, "this is not the deal of this number of Pavlicek's library"
            )
        if check:
            self.unchecked = check_pairing(deals, str(path))

    def _arguments(self) -> tuple:
        return self.path, self._check

    def _find_in_library(self) -> int | None:
        """Return the number of the first deal in Pavlicek's library; None if these are not its blocks."""
        if self.n_records % BLOCK or self.n_records > N_DEALS:
            return None
        hands, fault = decode_hands(self.read_records(np.zeros(1, np.int64)), np.zeros(1, np.int64))
        starts = np.arange(0, N_DEALS - self.n_records + 1, BLOCK)
        found = np.flatnonzero((compute_hands(starts) == hands).all(axis=1))
        return int(starts[found[0]]) if fault < 0 and len(found) else None

    def _find_titles(self) -> None:
        """Find the title records, and whether there are deals without a table."""
        # Title records begin with 28 zero bits and the number of the segment, which is not 0. A file is
        # solved if no record except titles has a table of ten zero bytes.
        titles, empty = [], []
        for first, records in self.iterate_records():
            heads = records[:, :4].copy().view("<u4")[:, 0]
            titles.append(first + np.flatnonzero(heads & _TITLE_BITS == 0))
            empty.append(first + np.flatnonzero(~records[:, CARD_BYTES:].any(axis=1)))
        self._titles = np.concatenate(titles)
        self.is_solved = not len(np.setdiff1d(np.concatenate(empty), self._titles))
        self.n_deals = self.n_records - len(self._titles)
        if not self.n_deals:
            raise FileError(f"{self.path}: the file has {self.n_records} title records and no deals")
        records = self.read_records(self._titles)
        numbers = records[:, :4].copy().view("<u4")[:, 0] >> 28
        if not numbers.all():
            place = int(np.argmin(numbers))
            self.raise_fault(int(self._titles[place]), 0, describe_cards(records[place].tobytes()))
        texts = (record[4:].tobytes() for record in records)
        self.title = "".join(text.rstrip(b"\0").decode("latin-1") for text in texts)

    @cached_property
    def _n_deals_before(self) -> np.ndarray:
        """Number of deals before each title record."""
        return self._titles - np.arange(len(self._titles))

    def _find_records(self, rows: np.ndarray) -> np.ndarray:
        """Return the numbers of the records of deals, which exclude title records."""
        if not len(self._titles):
            return rows
        return rows + np.searchsorted(self._n_deals_before, rows, side="right")

    def find_block(self, block: int, n_in_block: int) -> int:
        record = block * n_in_block
        return min(record - int((self._titles < record).sum()), self.n_deals - 1)

    def decode(self, rows: np.ndarray, seats: int = 15, tables: bool = True) -> Deals:
        # Find the records, because deals are numbered without the title records.
        places = self._find_records(np.asarray(rows, np.int64))
        records = self.read_records(places)
        every = np.arange(len(places))
        hands, fault = decode_hands(records, every, seats)
        if fault >= 0:
            self.raise_fault(int(places[fault]), 0, describe_cards(records[fault].tobytes()))
        if not tables:
            return Deals(hands, check=False)
        decoded, fault = decode_tables(records, every, CARD_BYTES)
        if fault >= 0:
            byte, reason = describe_tricks(records[fault, CARD_BYTES:].tobytes())
            self.raise_fault(int(places[fault]), CARD_BYTES + byte, reason)
        return Deals(hands, tables=decoded, check=False)


def recognise_zrd(head: bytes) -> bool:
    """Return whether a file begins with a deal and a table, or with a title record and text.

    >>> recognise_zrd(bytes.fromhex("72527a0ae17ae4f952e041fc7c494949492b2a39396767"))
    True
    >>> recognise_zrd(b'[Event "Club evening"]')
    False
    """
    if len(head) < RECORD_BYTES:
        return False
    record = np.frombuffer(head[:RECORD_BYTES], np.uint8)[None]
    if int.from_bytes(head[:4], "little") & _TITLE_BITS == 0:
        return head[3] >> 4 == 1
    first = np.zeros(1, np.int64)
    return decode_hands(record, first, 0)[1] < 0 and decode_tables(record, first, CARD_BYTES)[1] < 0


def write_zrd(deals: DealSupply, path: str | os.PathLike, title: str = "") -> None:
    """Write deals as a .zrd file.

    Parameters
    ----------
    deals : Deals or Library
        Deals without a complete table are written as not solved.
    path : str or os.PathLike
        The file appears when it is complete.
    title : str
        A text for title records, which DealerV2 skips: at most 284 characters of Latin-1.

    Raises
    ------
    ArgumentError
        The title is too long, or has other characters.
    FileError
        The file cannot be written.
    """
    titles = encode_title(title)
    with write_atomically(path) as temporary, open(temporary, "wb") as file:
        file.write(titles)
        for _, part in split_deals(deals):
            file.write(encode_records(part.hands, part.tables))


def encode_title(title: str) -> bytes:
    """Return the title records of a title.

    Raises
    ------
    ArgumentError
        The title is too long, or has characters that are not in Latin-1.
    """
    try:
        text = title.encode("latin-1")
    except (UnicodeEncodeError, AttributeError):
        raise ArgumentError(f"title is {quote(title)}; it must be a text of Latin letters") from None
    if len(text) >= _MAX_SEGMENTS * _SEGMENT or b"\0" in text:
        raise ArgumentError(f"title has {len(text)} characters; it can have at most 284, and no zero byte")
    segments = [text[start : start + _SEGMENT] for start in range(0, len(text), _SEGMENT)]
    return b"".join(
        bytes([0, 0, 0, number << 4]) + segment.ljust(_SEGMENT, b"\0")
        for number, segment in enumerate(segments, 1)
    )


def encode_records(hands: np.ndarray, tables: np.ndarray | None) -> bytes:
    """Return the records of deals; one without a complete table is written as not solved."""
    return np.concatenate([encode_hands(hands), encode_tables(tables, len(hands))], axis=1).tobytes()


FORMAT = Format(
    "zrd",
    (".zrd",),
    recognise_zrd,
    SolvedFile,
    write_zrd,
    read_options=("check",),
    write_options=("title",),
    is_text=False,
)
