"""Files of dealing machines: their bytes, made here from the descriptions card by card; limits, checksums, losses.

tests/data/boards has a deal as board 17 in each format, made by hand and not by dealerkit.
"""

from __future__ import annotations

import string
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import dealerkit as dk
from dealerkit.formats.format import find_format

BOARDS = Path(__file__).parents[1] / "data" / "boards"
DEAL = "N:AKQJ.T98.765.432 T98.765.432.AKQJ 765.432.AKQJ.T98 432.AKQJ.T98.765"
FORMATS = ("dup", "bri", "dge", "ber", "dlm", "bhg", "rzd", "cds", "bigdeal")
NUMBERED = ("dup", "dlm", "bhg", "cds", "bigdeal")
SUFFIX = {"bigdeal": "csv"}
RANKS = "AKQJT98765432"


# ---------------------------------------------------------------- bytes by the descriptions
def name_owners(deal: str) -> list[int]:
    """Return the seat of each card, from the ace of spades to the deuce of clubs."""
    hands = [hand.split(".") for hand in deal[2:].split()]
    return [
        next(seat for seat in range(4) if rank in hands[seat][suit]) for suit in range(4) for rank in RANKS
    ]


def make_bri(deals: list[str], first: int) -> bytes:
    return b"".join(make_digits(deal) + b" " * 32 + bytes(18) for deal in deals)


def make_digits(deal: str) -> bytes:
    owners = name_owners(deal)
    cards = [card + 1 for seat in range(3) for card in range(52) if owners[card] == seat]
    return "".join(f"{card:02}" for card in cards).encode()


def make_signs(deal: str) -> bytes:
    hands = [hand.split(".") for hand in deal[2:].split()]
    return "".join(
        sign + cards for hand in hands for sign, cards in zip("\6\3\4\5", hand, strict=True)
    ).encode()


def make_dge(deals: list[str], first: int) -> bytes:
    return b"".join(make_signs(deal) + bytes(60) for deal in deals)


def make_dup(deals: list[str], first: int) -> bytes:
    last = first + len(deals) - 1
    trailer = f"YN{first:<3d}0 {last:<3d}".encode()
    return b"".join(make_digits(deal) + make_signs(deal) + trailer for deal in deals)


def make_ber(deals: list[str], first: int) -> bytes:
    return "".join(str(seat + 1) for deal in deals for seat in name_owners(deal)).encode()


def make_dlm(deals: list[str], first: int) -> bytes:
    last = first + len(deals) - 1
    lines = [
        "[Document]", "Headline=", "Status=Show", "Duplicates=0", f"From board={first}", f"To board={last}",
        "Next board to duplimate=0", "PrintOuts=0", "Crypto key=0", f"Checksum={first ^ last ^ 1}",
    ]  # fmt: skip
    for number in range(1, 100):
        owners = [card // 13 for card in range(52)]
        if first <= number <= last:
            owners = name_owners(deals[number - first])
        letters = "".join(string.ascii_lowercase[4 * owners[k] + owners[k + 1]] for k in range(0, 52, 2))
        check = number
        for letter in letters:
            check ^= ord(letter)
        lines += [f"Duplicates {number:02d}=0", f"Board {number:02d}={letters}{check:03d}"]
    return "".join(line + "\r\n" for line in lines).encode()


def make_bhg(deals: list[str], first: int) -> bytes:
    lines = [""] * first
    for number, deal in enumerate(deals, first):
        owners, dealer = name_owners(deal), (number - 1) % 4
        cards = [card for k in range(4) for card in range(52) if owners[card] == (dealer + k) % 4]
        lines.append("".join(string.ascii_letters[(card + 26) % 52] for card in cards))
    return "".join(line + "\r\n" for line in lines).encode()


def make_ranks(deal: str, turn: int) -> bytes:
    owners = [(seat + turn) % 4 for seat in name_owners(deal)]
    return bytes(sum(owners[13 * suit + rank] * 4 ** (3 - suit) for suit in range(4)) for rank in range(13))


def make_rzd(deals: list[str], first: int) -> bytes:
    return bytes(divmod(len(deals), 256)[::-1]) + b" " * 11 + b"".join(make_ranks(deal, 0) for deal in deals)


def make_cds(deals: list[str], first: int) -> bytes:
    return b"".join(bytes([number]) + make_ranks(deal, 1) for number, deal in enumerate(deals, first))


def make_bigdeal(deals: list[str], first: int) -> bytes:
    # None NS EW All, and each four boards the next begins.
    sides = "- NS EW All NS EW All - EW All - NS All - NS EW".split()
    lines = []
    for number, deal in enumerate(deals, first):
        suits = [suit for hand in deal[2:].split() for suit in hand.split(".")]
        place = f"{'NESW'[(number - 1) % 4]}/{sides[(number - 1) % 16]}"
        lines.append(",".join(f'"{value}"' for value in (*suits, number, place)) + "\r\n")
    return "".join(lines).encode()


MAKE: dict[str, Callable[[list[str], int], bytes]] = {
    "bri": make_bri, "dge": make_dge, "dup": make_dup, "ber": make_ber, "dlm": make_dlm, "bhg": make_bhg,
    "rzd": make_rzd, "cds": make_cds, "bigdeal": make_bigdeal,
}  # fmt: skip


def deal_with_voids(count: int, first: int) -> dk.Deals:
    """Return random deals, the first with hands of one suit, the second with a void."""
    deals = dk.deal(count - 2, seed=4).to_pbn()
    whole = [f"{RANKS}...", f".{RANKS}..", f"..{RANKS}.", f"...{RANKS}"]
    rest = "N:.AKQJ.T9876.T987 AKQJ.T98.5432.32 T98765.765..AKQJ 432.432.AKQJ.654"
    return dk.Deals.from_pbn([f"N:{' '.join(whole)}", rest, *deals]).number_boards(first)


@pytest.mark.parametrize("first", [1, 9])
@pytest.mark.parametrize("name", FORMATS)
def test_bytes_are_those_of_the_description(name: str, first: int, tmp_path: Path):
    deals = deal_with_voids(36, first if name in NUMBERED else 1)
    path = tmp_path / f"some.{SUFFIX.get(name, name)}"
    deals.write(path, format=name)
    assert path.read_bytes() == MAKE[name](deals.to_pbn(), first)
    again = tmp_path / "unnamed"
    again.write_bytes(path.read_bytes())
    assert find_format(again).name == name
    library = dk.read(again)
    assert library.deals.equals(deals) and library.skipped.empty and not library.content.remarks


@pytest.mark.parametrize("name", [*FORMATS, "pbn"])
def test_a_board_made_by_hand(name: str, tmp_path: Path):
    source = BOARDS / f"board17.{SUFFIX.get(name, name)}"
    library = dk.read(source)
    assert library.deals.to_pbn() == [DEAL]
    assert library.deals.board.tolist() == ([17] if name in (*NUMBERED, "pbn") else [1])
    if name != "pbn":
        path = tmp_path / source.name
        deals = library.deals if name in NUMBERED else library.deals.number_boards(1)
        deals.write(path, format=name, **({"event": "invented"} if name == "dlm" else {}))
        assert path.read_bytes() == source.read_bytes()


# ---------------------------------------------------------------- numbers
@pytest.mark.parametrize("name", ["bri", "dge", "ber", "rzd"])
def test_boards_without_numbers_are_counted(name: str, tmp_path: Path):
    path = tmp_path / f"some.{name}"
    dk.deal(3, seed=1).write(path)
    assert dk.read(path).deals.board.tolist() == [1, 2, 3]
    deals = dk.read(path, first_board=16).deals
    assert (deals.board.tolist(), deals.dealer.tolist()) == ([16, 17, 18], [3, 0, 1])
    assert deals.vulnerable.tolist() == [2, 0, 1]
    with pytest.raises(dk.ArgumentError, match="first_board"):
        dk.read(path, first_board=0)
    with pytest.warns(dk.LossWarning, match=r"no place for numbers of boards.*begin with 4"):
        dk.deal(3, seed=1).number_boards(4).replace(dealer=None, vulnerable=None).write(path)


@pytest.mark.parametrize("name", ["dup", "dlm", "bhg", "cds", "rzd"])
def test_another_dealer_is_lost_with_a_warning(name: str, tmp_path: Path):
    deals = dk.deal(4, seed=1).number_boards(1, dealer="south", vulnerable="both")
    with pytest.warns(
        dk.LossWarning, match="dealers, which follow from the numbers .3 differ, first at board 1"
    ):
        deals.write(tmp_path / f"some.{name}")
    with pytest.warns(dk.LossWarning, match="vulnerabilities.*3 differ, first at board 1"):
        deals.write(tmp_path / f"some.{name}")


@pytest.mark.parametrize(
    ("name", "numbers", "message"),
    [
        ("dup", [1, 3], "board 3 follows board 1; a .dup file has consecutive numbers"),
        ("dlm", [2, 1], "board 1 follows board 2"),
        ("dup", [99, 100], "board 100: a .dup file has boards 1 to 99"),
        ("dlm", [99, 100], "board 100: a .dlm file has boards 1 to 99"),
        ("cds", [255, 256], "board 256: a .cds file has boards 1 to 255"),
        ("bhg", [2, 2], "the numbers of the boards do not rise"),
        ("bhg", [1, 10_000], "board 10000: a .bhg file has boards 1 to 9,999"),
        ("dup", [0, 1], "board 0: a .dup file has boards 1 to 99"),
        ("bigdeal", [-1, 2], "the board number, dealer or vulnerability is unknown"),
    ],
)
def test_limits(name: str, numbers: list[int], message: str, tmp_path: Path):
    deals = dk.deal(2, seed=1).replace(board=np.array(numbers))
    path = tmp_path / f"some.{SUFFIX.get(name, name)}"
    with pytest.raises(dk.ArgumentError, match=message):
        deals.write(path, format=name)
    assert not path.exists()


@pytest.mark.parametrize("name", FORMATS)
def test_a_missing_deal_is_not_written(name: str, tmp_path: Path):
    deals = dk.deal(2, seed=1)
    hands = deals.hands.copy()
    hands[1, 2] = 0
    path = tmp_path / f"some.{SUFFIX.get(name, name)}"
    with pytest.raises(dk.ArgumentError, match="deal 1: .*whole deals only"):
        dk.Deals(hands, check=False).write(path, format=name)
    assert not path.exists()


# ---------------------------------------------------------------- each format
def read(path: Path, content: bytes, **options) -> dk.Library:
    path.write_bytes(content)
    return dk.read(path, **options)


def test_dup_without_its_second_part_or_trailer(tmp_path: Path):
    deals, path = dk.deal(3, seed=2).to_pbn(), tmp_path / "some.dup"
    content = make_dup(deals, 17)
    # Blank in the first board, so that nobody sees it; a trailer in the first board only; counted backwards.
    blind = content[:78] + b" " * 68 + content[146:]
    library = read(path, blind)
    assert library.deals.to_pbn() == deals and not library.content.remarks
    short = content[:156] + b"".join(content[k : k + 146] + bytes(10) for k in (156, 312))
    assert read(path, short).deals.board.tolist() == [17, 18, 19]
    library = read(path, content.replace(b"YN17", b"YY17"))
    assert "backwards" in library.content.remarks[0][1] and library.deals.to_pbn() == deals
    # The second part has other cards; there is no lowest number; the number of boards instead of the highest.
    library = read(path, content[:78] + make_signs(DEAL) + content[146:])
    assert library.content.remarks == [(17, "the second part has other cards")]
    library = read(path, content.replace(b"YN17 ", b"YN   "))
    assert library.deals.board.tolist() == [1, 2, 3] and "lowest" in library.content.remarks[0][1]
    assert read(path, content.replace(b"0 19 ", b"0 3  ")).deals.board.tolist() == [17, 18, 19]


def test_a_dup_file_of_another_version_is_named(tmp_path: Path):
    with pytest.raises(dk.FileError, match="Only the version with 156 bytes for each board is read"):
        read(tmp_path / "some.dup", b"Dealer4 version 5\0" * 40)
    with pytest.raises(dk.FileError, match="Only the version with 156 bytes"):
        read(tmp_path / "some.dup", bytes(range(156)))


def test_bri_on_lines(tmp_path: Path):
    deals = dk.deal(3, seed=2).to_pbn()
    content = b"".join(make_digits(deal) + b"\r\n" for deal in deals)
    assert find_format_of(tmp_path / "some.dup", content) == "bri"
    assert read(tmp_path / "some.dup", content).deals.to_pbn() == deals


def find_format_of(path: Path, content: bytes) -> str:
    path.write_bytes(content)
    return find_format(path).name


def test_a_faulty_board_is_skipped(tmp_path: Path):
    deals = dk.deal(3, seed=2).to_pbn()
    content = bytearray(make_bri(deals, 1))
    content[128:130] = content[130:132]  # a card twice
    with pytest.warns(dk.SkippedWarning, match="1 of 3 boards was skipped: board 2"):
        library = read(tmp_path / "some.bri", bytes(content))
    assert library.deals.to_pbn() == [deals[0], deals[2]] and library.deals.board.tolist() == [1, 3]


def test_checksums_of_dlm(tmp_path: Path):
    path, deals = tmp_path / "some.dlm", dk.deal(16, seed=3).to_pbn()
    content = make_dlm(deals, 17)
    board = next(line for line in content.split(b"\r\n") if line.startswith(b"Board 20="))
    with pytest.warns(dk.SkippedWarning, match="board 20: the checksum is .* the cards were changed"):
        library = read(path, content.replace(board, board[:-3] + b"%03d" % (int(board[-3:]) ^ 1)))
    assert len(library) == 15
    # A program of clubs computes the checksum of the header from the number of boards.
    assert b"Checksum=48" in content
    library = read(path, content.replace(b"Checksum=48", b"Checksum=17"))
    assert len(library) == 16 and library.content.remarks == [(1, "Checksum is 17, and should be 48")]
    with pytest.raises(dk.FileError, match="encrypted"):
        read(path, content.replace(b"Crypto key=0", b"Crypto key=77"))
    # Keys in any case; line feeds alone.
    assert len(read(path, content.replace(b"From board", b"from Board").replace(b"\r\n", b"\n"))) == 16


def test_gaps_and_first_board_of_bhg(tmp_path: Path):
    deals, path = dk.deal(2, seed=3).to_pbn(), tmp_path / "some.bhg"
    lines = make_bhg(deals, 17).split(b"\r\n")
    library = read(path, b"\r\n".join([*lines[:18], b"", b"", make_bhg([deals[1]], 20).split(b"\r\n")[20]]))
    assert library.deals.board.tolist() == [17, 20] and library.deals.to_pbn() == deals
    # BigDeal begins with its lowest board at once, but turns the hands by its true number.
    short = b"\r\n" + b"\r\n".join(lines[17:])
    assert read(path, short, first_board=17).deals.to_pbn() == deals
    second = make_bhg([deals[0]], 2).split(b"\r\n")[2]
    assert read(path, b"\n" + second + b"\n").deals.to_pbn() != [deals[0]]
    assert read(path, b"\n" + second + b"\n", first_board=2).deals.to_pbn() == [deals[0]]


def test_numbers_of_rzd_and_cds(tmp_path: Path):
    deals = dk.deal(300, seed=3).to_pbn()
    library = read(tmp_path / "some.rzd", make_rzd(deals, 1))
    assert len(library) == 300 and not library.content.remarks
    library = read(tmp_path / "some.rzd", b"\5" + make_rzd(deals, 1)[1:])
    assert library.content.remarks == [(1, "the file says that it has 261 boards, but it has 300")]
    library = read(tmp_path / "some.cds", make_cds(deals[:255], 1))
    assert (
        library.deals.board.tolist() == [*range(1, 256)] and find_format(tmp_path / "some.cds").name == "cds"
    )


def test_lines_of_bigdeal(tmp_path: Path):
    deals = dk.deal(2, seed=3).to_pbn()
    content = make_bigdeal(deals, 1).replace(b"\r\n", b"\n")
    with pytest.warns(dk.SkippedWarning, match="line 3: 2 columns, not 18"):
        library = read(tmp_path / "some.csv", content + b"a,b\n")
    assert library.deals.to_pbn() == deals
