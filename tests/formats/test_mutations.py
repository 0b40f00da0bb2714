"""Damaged files of every format: only errors of dealerkit, no hang, bounded memory, legal deals."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

import dealerkit as dk
from dealerkit.cards.text import format_lin_hand
from dealerkit.formats import pavlicek_deals
from dealerkit.formats.content import Records
from dealerkit.formats.format import find_formats

resource = pytest.importorskip("resource", reason="memory and time are measured as on POSIX")
FIRST = 70  # number in Pavlicek's library, as a .zdd file has no other deals
SECONDS = 10  # for a file, of the processor
MEMORY = 400 << 10  # kilobytes, more than before
N_LONG = 100_000  # characters of a long line, braces of a deep text
RECORDS = {
    "zrd": 23, "zdd": 10, "gib": 26, "dl52": 52, "dup": 156, "bri": 128, "dge": 128, "ber": 52, "rzd": 13, "cds": 14
}  # fmt: skip
MARKS = b'|,.;:"\n\r\t -=!?{}[]#%\\NESWAKQJT0123456789\0'
pytestmark = [
    pytest.mark.filterwarnings("ignore::dealerkit.errors.TermsWarning"),
    pytest.mark.filterwarnings("ignore::dealerkit.errors.SkippedWarning"),
    pytest.mark.filterwarnings("ignore::dealerkit.errors.LossWarning"),
]


# ---------------------------------------------------------------- changes
def flip_bits(data: bytearray, rng: np.random.Generator, size: int) -> bytearray:
    for place in rng.integers(0, len(data), rng.integers(1, 30)).tolist():
        data[place] ^= 1 << int(rng.integers(8))
    return data


def replace_bytes(data: bytearray, rng: np.random.Generator, size: int) -> bytearray:
    values = MARKS if rng.integers(2) else bytes(range(256))
    for place in rng.integers(0, len(data), rng.integers(1, 30)).tolist():
        data[place] = values[rng.integers(len(values))]
    return data


def cut(data: bytearray, rng: np.random.Generator, size: int) -> bytearray:
    return data[: rng.integers(len(data))]


def remove(data: bytearray, rng: np.random.Generator, size: int) -> bytearray:
    first, last = sorted(rng.integers(0, len(data), 2).tolist())
    del data[first : last if rng.integers(2) else first + int(rng.integers(1, 60))]
    return data


def repeat(data: bytearray, rng: np.random.Generator, size: int) -> bytearray:
    first, last = sorted(rng.integers(0, len(data), 2).tolist())
    data[first:first] = data[first:last] * int(rng.integers(1, 4))
    return data


def insert(data: bytearray, rng: np.random.Generator, size: int) -> bytearray:
    pieces = (
        rng.bytes(int(rng.integers(1, 60))), bytes(int(rng.integers(1, 100))), b"9" * int(rng.integers(5, 5000)),
        b"-1", b"1e999", b"NaN", b"\xff\xfe", b"\n\n", b'[Deal "', b"md|", b'"', b"\xf0\x9f\x82\xa1",
    )  # fmt: skip
    place = int(rng.integers(len(data) + 1))
    data[place:place] = pieces[rng.integers(len(pieces))]
    return data


def insert_much(data: bytearray, rng: np.random.Generator, size: int) -> bytearray:
    pieces = (b"{", b"[", b"x", b"A", b" ", b'"', b"|", b",", b"{\n", b"[[", b"mb|p|", b"=1=", b"1C ", b"%\n")
    place = int(rng.integers(len(data) + 1))
    piece = pieces[rng.integers(len(pieces))]
    data[place:place] = piece * int(rng.integers(1000, N_LONG // len(piece)))
    return data


def swap_records(data: bytearray, rng: np.random.Generator, size: int) -> bytearray:
    if size:
        records = [bytes(data[start : start + size]) for start in range(0, len(data), size)]
    else:
        records = bytes(data).split(b"\n")
    first, second = rng.integers(0, len(records), 2).tolist()
    records[first], records[second] = records[second], records[first]
    if rng.integers(2):
        rng.shuffle(records)
    return bytearray((b"" if size else b"\n").join(records))


CHANGES: tuple[Callable[[bytearray, np.random.Generator, int], bytearray], ...] = (
    flip_bits, replace_bytes, cut, remove, repeat, insert, swap_records,
)  # fmt: skip


def mutate(content: bytes, rng: np.random.Generator, size: int) -> bytes:
    """Return a content with one to three changes; a fiftieth have a very long line or a deep text."""
    data = bytearray(content)
    for _ in range(rng.integers(1, 4)):
        if data:
            data = CHANGES[rng.integers(len(CHANGES))](data, rng, size)
    if rng.integers(50) == 0:
        data = insert_much(data, rng, size)
    return bytes(data)


# ---------------------------------------------------------------- files
def write_ben(deals: dk.Deals) -> str:
    lines = [deal.removeprefix("N:") for deal in deals.to_pbn()]
    two = [f"{line}\nE N-S 1N* P 3N P P P\n" for line in lines]
    return "# boards\n" + "".join(two) + "".join(f"N Both {line} #1S-P-2S\n" for line in lines)


def write_dds(deals: dk.Deals) -> str:
    table = "TABLE 7 5 7 5 5 7 5 7 7 5 7 5 5 7 5 7 5 5 5 5 "
    rest = f'{table}\nPAR "NS 110" "EW -110" "NS:S 2S" "EW:S 2S" \nPLAY 8 "SAS2S3S4HAH2H3H4" \n'
    return f"NUMBER {len(deals)} \n" + "".join(f'PBN 1 2 4 0 "{deal}" \n{rest}' for deal in deals.to_pbn())


def write_compass(deals: dk.Deals) -> str:
    return "\n\n".join(deal.diagram() for deal in deals.number_boards())


def write_addresses(deals: dk.Deals) -> str:
    lines = []
    for number, deal in enumerate(deals.to_pbn()):
        hands = [
            "".join(f"{suit}{cards}" for suit, cards in zip("shdc", hand.split("."), strict=True))
            for hand in deal[2:].split()
        ]
        values = "&amp;".join(f"{seat}={hand}" for seat, hand in zip("nesw", hands, strict=True))
        lines.append(
            f'<a href="https://www.bridgebase.com/tools/handviewer.html?{values}&amp;d=n&amp;v=b&amp;b={number}'
            '&amp;nn=Zo%C3%AB&amp;a=1n!(15%20to%2017)p3nppp&amp;p=h4{a comment}">a board</a>'
        )
    return "<html>\n" + "\n".join(lines) + "\n</html>\n"


READ_ONLY = {"ben": write_ben, "dds": write_dds, "compass": write_compass, "handviewer": write_addresses}


def make_file(name: str, folder: Path) -> bytes:
    """Return a file of a format with all that it may hold."""
    deals = pavlicek_deals(FIRST, 40 if name in RECORDS else 8)
    n = np.arange(len(deals))
    tables = np.random.default_rng(1).integers(0, 14, (len(deals), 5, 4)).astype(np.int8)
    deals = deals.replace(
        tables=tables, board=n, dealer=n % 4, vulnerable=n % 5 - 1, weight=1 + n / 7, cluster=n // 2
    )
    texts: dict[str, list] = {
        "north": ['Zoë "Q"'] * len(deals),
        "auction": ["1NT=1= Pass 3NT X Pass Pass Pass", ""] * (len(deals) // 2),
        "auction_notes": ["1:15 to 17", ""] * (len(deals) // 2),
        "contract": ["3NTX", "4S"] * (len(deals) // 2),
        "declarer": ["N", "W"] * (len(deals) // 2),
        "result": ["9"] * len(deals),
        "lead": ["H2"] * len(deals),
        "comment": ["two\nlines"] * len(deals),
        "tags": [[["Event", "Club"], ["ScoreTable", "Place;Score", "1 2\n3 4"]]] * len(deals),
    }
    path = folder / f"whole.{name}"
    if name == "diagrams":
        return "".join(
            str(dk.run("produce 3 action printall", dialect=d, seed=1).text) for d in ("v2", "modern")
        ).encode()
    if name in READ_ONLY:
        return READ_ONLY[name](deals).encode()
    if name in ("dup", "dlm", "bhg", "cds", "bigdeal"):
        deals = deals.number_boards(5)
    options = {"zdd": {"first": FIRST}, "zrd": {"title": "some deals"}}.get(name, {})
    dk.Library(Records(deals, texts)).write(path, format=name, **options)
    more = dk.run("produce 3 action printcompact", seed=1).text if name == "oneline" else ""
    return path.read_bytes() + str(more).encode()


@pytest.fixture
def limits() -> Iterator[None]:
    """A test ends with an error if a file takes a minute, or if memory grows too much."""

    def stop(*arguments: object) -> None:
        raise TimeoutError("a file took a minute")

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    handler = signal.signal(signal.SIGALRM, stop)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, handler)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < MEMORY


def use(path: Path, **options: object) -> dk.Library | None:
    """Return what a file holds, or None if it is refused; the deals must be legal."""
    signal.alarm(60)
    start = time.process_time()
    try:
        library = dk.read(path, **options)
        deals, tables = library.deals, library.tables
        library.frame, library.skipped, repr(library)
    except dk.DealerkitError as error:
        assert len(str(error)) < 2000
        return None
    finally:
        signal.alarm(0)
        assert time.process_time() - start < SECONDS
    deals.check()
    assert (np.bitwise_count(deals.hands) == 13).all()
    assert tables is None or (tables.min(initial=-1) >= -1 and tables.max(initial=-1) <= 13)
    assert len(deals) == len(library)
    if path.suffix not in (".csv", ".parquet"):  # a table may have no rows
        assert len(library) + len(library.skipped) > 0
    return library


@pytest.mark.parametrize("n_files", [200, pytest.param(10_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", list(find_formats()))
def test_mutated_files(name: str, n_files: int, rng: np.random.Generator, tmp_path: Path, limits: None):
    content, path = make_file(name, tmp_path), tmp_path / f"changed.{name}"
    options: dict[str, object] = {"zdd": {"first": FIRST, "check": False}, "zrd": {"check": False}}.get(
        name, {}
    )
    path.write_bytes(content)
    assert len(dk.read(path, format=name, **options)) >= 6
    n_read = 0
    for number in range(n_files):
        path.write_bytes(mutate(content, rng, RECORDS.get(name, 0)))
        if number % 4 == 0:
            use(path)  # by its content
        library = use(path, format=name, **options)
        if library is None or not len(library):
            continue
        n_read += 1
        if number % 20 == 0:
            for copy in ("pbn", "lin", "csv", "parquet"):
                library.write(tmp_path / f"copy.{copy}")
                again = dk.read(tmp_path / f"copy.{copy}")
                assert again.deals.hands.tolist() == library.deals.hands.tolist()
    print(f"{name}: {n_files:,} changed files, {n_read:,} of them have boards")
    assert n_read > n_files / 50


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("n_files", [100, pytest.param(3_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", ["pbn", "lin", "handviewer", "csv"])
def test_mutated_lessons(name: str, n_files: int, rng: np.random.Generator, tmp_path: Path, limits: None):
    content, path = make_lesson(name, tmp_path), tmp_path / f"changed.{name}"
    path.write_bytes(content)
    assert len(dk.read(path, name, partial=True)) == 6
    n_read = 0
    for number in range(n_files):
        path.write_bytes(mutate(content, rng, 0))
        signal.alarm(60)
        start = time.process_time()
        try:
            lesson = dk.read(path, name, partial=True)
            html = lesson.page().html if number % 10 == 0 else ""
        except dk.DealerkitError as error:
            assert len(str(error)) < 2000
            continue
        finally:
            signal.alarm(0)
            assert time.process_time() - start < SECONDS
        # The same cards and texts are read again.
        n_read += bool(len(lesson))
        assert all(0 < sum(map(deal.count_known, range(4))) <= 52 for deal in lesson)
        assert html.count('<section class="one" id=') == len(lesson) or not html
        if number % 5 == 0 and len(lesson):
            lesson.write(tmp_path / "again.pbn")
            again = dk.read(tmp_path / "again.pbn", partial=True)
            assert [deal.pbn for deal in again] == [deal.pbn for deal in lesson]
    print(f"{name}: {n_files:,} changed lessons, {n_read:,} of them have boards")
    assert n_read > n_files / 4


def make_lesson(name: str, folder: Path) -> bytes:
    """Return a file of six boards with unknown hands, with all that a problem may have."""
    whole = dk.deal(6, seed=8).hands.tolist()
    known = [(0, 2), (0,), (2,), (0, 2), (1, 3), (0, 1, 2, 3)]
    if name == "handviewer":
        keys = [
            "&amp;".join(f"{'nesw'[seat]}={format_lin_hand(hands[seat]).lower()}" for seat in seats)
            for hands, seats in zip(whole, known, strict=True)
        ]
        return "".join(
            f"handviewer.html?{key}&amp;d=s&amp;v=b&amp;a=1n!(15-17)p3n?\n" for key in keys
        ).encode()
    deals = [
        dk.PartialDeal([hand if seat in seats else 0 for seat, hand in enumerate(hands)], 1, 2, number)
        for number, (hands, seats) in enumerate(zip(whole, known, strict=True), 1)
    ]
    if name in ("pbn", "csv"):
        deals[0] = dk.PartialDeal("N:AKxx.Qxx.xxx.xxx - QJT.AK9.A432.432 -", 0, 3, 1)
    texts = {
        "auction": ["1NT=1= Pass 3NT Pass Pass Pass"] * 6,
        "auction_notes": ["1:15 to 17"] * 6,
        "contract": ["3NT"] * 6,
        "declarer": ["S"] * 6,
        "lead": ["H2", ""] * 3,
        "comment": ["Plan the play.\nWhich lead is best?"] * 6,
    }
    dk.PartialDeals(deals, texts).write(folder / f"lesson.{name}")
    return (folder / f"lesson.{name}").read_bytes()
