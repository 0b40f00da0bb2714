"""Reading of the blocks of a damaged store, from the pages of its file.

SQLite gives up at the first page that it cannot follow. But each block has its length and a CRC-32, so
the intact ones can be recognized page by page, whatever else is damaged.

References
----------
SQLite, Database File Format, https://www.sqlite.org/fileformat2.html, sections 1.5, 1.6, 2.1 and 4.
"""

from __future__ import annotations

import contextlib
import functools
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

PAGE_BYTES = 4096  # SQLite's default since 2016
_LEAF = 0x0D  # page of rows
_HEAD_BYTES = 100  # before the first page's own header
_LOG_HEAD_BYTES, _FRAME_HEAD_BYTES = 32, 24
_INTEGER_BYTES = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8, 8: 0, 9: 0}  # by type in a row
_Pages = Callable[[int], bytes]


def salvage_blocks(path: Path) -> Iterator[bytes]:
    """Yield the content of all blocks with the right checksum, some of them in older states, too.

    Parameters
    ----------
    path : Path
        The file; its log, if there is one, is read as well.
    """
    frames = _read_log(Path(f"{path}-wal"))
    with path.open("rb") as file:
        head = file.read(_HEAD_BYTES)
        stated = int.from_bytes(head[16:18])
        sizes = {PAGE_BYTES, stated} if stated >= 512 and stated & stated - 1 == 0 else {PAGE_BYTES}
        file.seek(0, 2)
        n_bytes = file.tell()

        def read_page(number: int, size: int = PAGE_BYTES) -> bytes:
            file.seek((number - 1) * size)
            return file.read(size)

        for size in sizes:
            read = functools.partial(read_page, size=size)
            for number in range(1, n_bytes // size + 1):
                yield from _read_rows(read(number), number, read)
        for number, page in frames.items():
            yield from _read_rows(page, number, lambda number: frames.get(number) or read_page(number))


def _read_log(path: Path) -> dict[int, bytes]:
    """Return the last state of each page in the log."""
    frames: dict[int, bytes] = {}
    step = _FRAME_HEAD_BYTES + PAGE_BYTES
    with contextlib.suppress(OSError), path.open("rb") as file:
        salts = file.read(_LOG_HEAD_BYTES)[16:24]
        while len(frame := file.read(step)) == step:
            if frame[8:16] == salts:
                frames[int.from_bytes(frame[:4])] = frame[_FRAME_HEAD_BYTES:]
    return frames


def _read_rows(page: bytes, number: int, read_page: _Pages) -> Iterator[bytes]:
    """Yield the intact rows of a page."""
    begin = _HEAD_BYTES if number == 1 else 0
    if len(page) < 512:
        return
    place, stop = begin + 8, len(page)
    n_rows, content = int.from_bytes(page[begin + 3 : begin + 5]), int.from_bytes(page[begin + 5 : begin + 7])
    if page[begin] != _LEAF:
        if place + 2 * n_rows > content or content >= len(page):
            return  # an inner page, or the continuation of a block
        stop = place + 2 * n_rows
    while place < stop:  # the number of rows may be wrong: the places of rows end where the rows begin
        pointer = int.from_bytes(page[place : place + 2])
        place += 2
        if place <= pointer and (row := _read_row(page, pointer, read_page)):
            stop = min(stop, pointer)
            yield row


def _read_row(page: bytes, place: int, read_page: _Pages) -> bytes | None:
    """Return the content of the block that begins at a place of a page; None if it is damaged."""
    n_payload, place = _read_number(page, place)
    _, place = _read_number(page, place)  # the number of the block, which its records state, too
    if not 5 <= n_payload < 1 << 30:
        return None
    # The part of a long row that is in this page: section 1.6 of the reference.
    usable = len(page)
    n_local = n_payload
    if n_payload > usable - 35:
        least = (usable - 12) * 32 // 255 - 23
        n_local = least + (n_payload - least) % (usable - 4)
        n_local = n_local if n_local <= usable - 35 else least
    payload = bytearray(page[place : place + n_local])
    following = int.from_bytes(page[place + n_local : place + n_local + 4])
    while len(payload) < n_payload and following:
        more = read_page(following)
        if len(more) < 5:
            return None
        payload += more[4 : 4 + n_payload - len(payload)]
        following = int.from_bytes(more[:4])
    n_head, place = _read_number(payload, 0)
    null, place = _read_number(payload, place)
    kind, place = _read_number(payload, place)
    checksum_kind, place = _read_number(payload, place)
    length, n_checksum = (kind - 12) // 2, _INTEGER_BYTES.get(checksum_kind)
    if null or kind < 12 or kind % 2 or n_checksum is None or n_head != place:
        return None
    content = bytes(payload[place : place + length])
    checksum = payload[place + length :]
    value = int.from_bytes(checksum) if n_checksum else checksum_kind - 8
    is_whole = place + length + n_checksum == len(payload) == n_payload
    return content if is_whole and zlib.crc32(content) == value else None


def _read_number(data: bytes | bytearray, place: int) -> tuple[int, int]:
    """Return an integer of variable length, and the place after it; -1 if it does not end."""
    value = 0
    for i, byte in enumerate(data[place : place + 8]):
        value = value << 7 | byte & 127
        if byte < 128:
            return value, place + i + 1
    return -1, place
