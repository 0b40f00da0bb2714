"""Random files of deals in each format, and damage to them.

The choices come from ``choose(n)``, as for scripts.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable

import numpy as np

from dealerkit import Deals, solved_sample
from dealerkit.formats.format import find_formats
from dealerkit.formats.zrd import TABLE_BYTES
from tests.support.ranks import DEALS, unrank_deal

Choose = Callable[[int], int]

ZDD_TABLES = bytes.fromhex(  # of the first ten deals of Pavlicek's library
    "494949492b2a393967673737a3a3757539398585a2a2b2b29393a3a384847676a3a367678484757575755858a2a2b2b25858"
    "c1c1c1c1a3a3b2b2c1c13a3a3a3a494948483a3a4949494839394949676784846767494976769494a3a3585849494849b2a2"
)
FORMATS = ("pbn", "lin", "oneline", "diagrams", "csv", "parquet", "zrd", "zdd", "gib", "dl52")
MARKS = (
    b"\x00", b"\xff", b"\xef\xbb\xbf", b"\xff\xfe", b"\r", b"\n", b"\n\n", b"[", b"]", b'"', b"{", b"}",
    b"%", b";", b"|", b",", b".", b"-", b":", b"N:", b"md|", b"qx|o1|", b'[Board "', b'[Deal "N:',
    b"AKQJT98765432", b"10", b"X", b"999999999999999999999", b"-1", b"nan", b"1e400", b"\xe9",
    "\u2660".encode(), b"<script>", b"=1+1",
)  # fmt: skip


def draw_deals(choose: Choose, n: int, solved: bool = False) -> Deals:
    """Return n deals, with double-dummy tables if `solved`, without or with boards.

    >>> len(draw_deals(lambda n: 0, 3))
    3
    """
    if solved:
        sample = solved_sample()
        first = choose(len(sample) - n)
        return Deals(sample.hands[first : first + n], tables=sample[first : first + n].tables)
    deals = Deals(np.array([unrank_deal(choose(DEALS)) for _ in range(n)], np.uint64).reshape(-1, 4))
    return deals if choose(2) == 0 else deals.number_boards(1 + choose(30))


def build_file(choose: Choose, format: str) -> bytes:
    """Return the content of a valid file of one to five deals; a .zdd file begins with the library's deal 0.

    Examples
    --------
    >>> build_file(lambda n: 0, "pbn")[:5]
    b'% PBN'
    """
    if format == "zdd":
        return ZDD_TABLES[: TABLE_BYTES * (1 + choose(len(ZDD_TABLES) // TABLE_BYTES))]
    deals = draw_deals(
        choose, 1 + choose(5), solved=format == "gib" or (format != "diagrams" and choose(2) == 1)
    )
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "deals" + find_formats()[format].suffixes[0])
        deals.write(path, format=format) if find_formats()[format].write else _write_diagrams(deals, path)
        with open(path, "rb") as file:
            return file.read()


def _write_diagrams(deals: Deals, path: str) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(str(deal) for deal in deals))


def damage_bytes(choose: Choose, data: bytes) -> bytes:
    r"""Return content with one to four places changed, removed, repeated, exchanged, or cut off.

    >>> damage_bytes(lambda n: 0, b"[Board]")
    b'\xfeBoard]'
    """
    for _ in range(1 + choose(4)):
        place, kind = choose(len(data) + 1), choose(7)
        piece = data[place : place + choose(40)]
        if kind == 0:  # one byte
            piece = data[place : place + 1]
            data = data[:place] + bytes(255 - byte ^ 90 - choose(90) for byte in piece) + data[place + 1 :]
            continue
        rest = data[place + len(piece) :]
        if kind == 1:
            piece = b""
        elif kind == 2:
            piece = MARKS[choose(len(MARKS))]
        elif kind == 3:
            piece *= 2 + choose(50)
        elif kind == 4:
            rest = b""
        elif kind == 5:
            other = choose(len(data) + 1)
            piece = data[other : other + choose(40)]
        else:
            piece = bytes(choose(256) for _ in range(choose(20)))
        data = data[:place] + piece + rest
    return data
