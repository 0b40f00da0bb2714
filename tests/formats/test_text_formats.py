"""Lines and diagrams of the programs named dealer, and CSV.

Expected values: text that Debian's dealer printed for seed 1, and the live program.
"""

from __future__ import annotations

import csv
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest

import dealerkit as dk
from dealerkit import Library
from dealerkit.formats.content import Records
from dealerkit.formats.diagrams import parse_diagram
from dealerkit.formats.format import find_format

PBN = [
    "N:2.T98.K752.KJT84 5.J7642.986.9763 AQ8.AQ5.QJT.AQ52 KJT97643.K3.A43.",
    "N:Q7432.Q63.983.J4 .J92.QT6.A986532 KJT95.K854.K5.KT A86.AT7.AJ742.Q7",
]
LINES = """\
n 2.T98.K752.KJT84 e 5.J7642.986.9763 s AQ8.AQ5.QJT.AQ52 w KJT97643.K3.A43. 
n Q7432.Q63.983.J4 e .J92.QT6.A986532 s KJT95.K854.K5.KT w A86.AT7.AJ742.Q7 
"""  # noqa: W291
DIAGRAMS = """\
   1.
2                   5                   A Q 8               K J T 9 7 6 4 3 
T 9 8               J 7 6 4 2           A Q 5               K 3 
K 7 5 2             9 8 6               Q J T               A 4 3 
K J T 8 4           9 7 6 3             A Q 5 2             - 

   2.
Q 7 4 3 2           -                   K J T 9 5           A 8 6 
Q 6 3               J 9 2               K 8 5 4             A T 7 
9 8 3               Q T 6               K 5                 A J 7 4 2 
J 4                 A 9 8 6 5 3 2       K T                 Q 7 

"""  # noqa: W291
STATISTICS = """\
x: 6
Frequency f:
Low\t       3
    5	       1
    7	       1
Generated 2 hands
Produced 2 hands
Initial random seed 1
Time needed    0.005 sec
"""
COMPACT = LINES.replace(" e ", "\ne ").replace(" s ", "\ns ").replace(" w ", "\nw ").replace(" \n", "\n")


def read(tmp_path: Path, text: str | bytes, name: str = "deals.txt", **options: str) -> Library:
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return dk.read(path, **options)


@pytest.mark.parametrize(("text", "name"), [(LINES, "oneline"), (COMPACT, "oneline"), (DIAGRAMS, "diagrams")])
@pytest.mark.parametrize(
    "change", [str, lambda text: "noise\n" + text, lambda text: text.replace("\n", "\r\n")]
)
def test_output_of_dealer(text: str, name: str, change, tmp_path: Path):
    text = change(text + STATISTICS)
    library = read(tmp_path, text, "some.out")
    assert find_format(tmp_path / "some.out").name == name
    assert library.deals.to_pbn() == PBN
    assert not len(library.skipped)
    assert read(tmp_path, text.encode("utf-16"), "wide.out").deals.to_pbn() == PBN


def test_values_after_deals(tmp_path: Path):
    lines = LINES.splitlines()
    assert read(tmp_path, f"{lines[0]}12\n{lines[1]}-3\n").frame.value.tolist() == ["12", "-3"]
    rows = COMPACT.splitlines()
    text = "\n".join([*rows[:4], "12", *rows[4:], "-3", ""])
    library = read(tmp_path, text)
    assert library.deals.to_pbn() == PBN and library.frame.value.tolist() == ["12", "-3"]


@pytest.mark.parametrize("dialect", ["v1", "v2", "modern"])
@pytest.mark.parametrize("action", ["printall", "printoneline", "printcompact", "printoneline hcp(north)"])
def test_output_of_dealerkit(dialect: str, action: str, tmp_path: Path):
    if " " in action:
        action = "printoneline(hcp(north))"
    script = f"produce 30 action {action}, average hcp(north)"
    result = dk.run(script, dialect=dialect, seed=1)
    library = read(tmp_path, str(result.text))
    assert library.deals.to_pbn() == result.deals.to_pbn()
    assert not len(library.skipped)


@pytest.mark.parametrize("action", ["printall", "printoneline", "printcompact"])
@pytest.mark.parametrize("predeal", ["", "predeal north SAKQJT98765,H2", "predeal west DAKQJT9876543"])
def test_output_of_the_live_program(action: str, predeal: str, dealer_program: str, tmp_path: Path):
    """Suits of ten cards and more fill or exceed the columns of printall."""

    def run_dealer(name: str) -> str:
        script = f"{predeal}\nproduce 40\naction {name}, average hcp(north)\n"
        command = [dealer_program, "-s", "7"]
        return subprocess.run(command, input=script, capture_output=True, encoding="utf-8", check=True).stdout

    tags = [line[7:-2] for line in run_dealer("printpbn").splitlines() if line.startswith("[Deal ")]
    assert len(tags) == 40
    library = read(tmp_path, run_dealer(action))
    assert library.deals.to_pbn() == tags
    assert not len(library.skipped)
    if action == "printall":
        assert library.deals.board.tolist() == list(range(1, 41))


def test_bad_boards_become_rows(tmp_path: Path):
    lines = LINES.splitlines()
    bad = [lines[0].replace("KJT84", "KJT82"), lines[0].replace("T98", "T9A"), lines[0].replace(" w ", " e "),
           lines[0].replace("2.T98", "x.T98")]  # fmt: skip
    library = read(tmp_path, "\n".join([lines[0], *bad, lines[1], ""]))
    assert library.deals.to_pbn() == PBN
    assert library.skipped.line.tolist() == [2, 3, 4, 5]
    assert "C2 is held by north and south" in library.skipped.reason[0]
    rows = DIAGRAMS.splitlines()
    rows[2] = rows[2].replace("T 9 8 ", "T 9 7 ")
    library = read(tmp_path, "\n".join(rows))
    assert library.deals.to_pbn() == PBN[1:] and library.deals.board.tolist() == [2]
    assert library.skipped.values.tolist() == [
        ["deals.txt", 1, "H8 is missing; H7 is held by north and east"]
    ]
    rows = DIAGRAMS.splitlines()
    del rows[4]
    library = read(tmp_path, "\n".join(rows))
    assert len(library) == 1 and "3 rows" in library.skipped.reason[0]


def test_long_suits_in_columns():
    rows = [
        "A K Q J T 9 8 7 6 5 4 3 2 -                   -                   - ",
        "-                   A K Q J T 9 8 7 6 5 4 3 2 -                   - ",
        "-                   -                   A K Q J T 9 8 7 6 5 4 3 2 - ",
        "-                   -                   -                   A K Q J T 9 8 7 6 5 4 3 2 ",
    ]
    pbn = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
    assert parse_diagram(rows) == dk.Deals.from_pbn([pbn]).hands[0].tolist()


def test_lines_are_written(tmp_path: Path, dealer_program: str):
    deals = dk.Deals.from_pbn(PBN)
    deals.write(tmp_path / "deals.txt")
    assert (tmp_path / "deals.txt").read_text("utf-8") == LINES
    assert dk.read(tmp_path / "deals.txt").deals.equals(deals)
    with pytest.raises(dk.DealerkitError, match="deal 0"):
        dk.Deals(np.zeros((1, 4), np.uint64), check=False).write(tmp_path / "bad.txt")


# ---------------------------------------------------------------------------------------------- CSV
def test_a_table_with_pbn(tmp_path: Path):
    text = "Deal;hcp;Board;Dealer;vulnerable\n" + "".join(
        f"{pbn};{n};{n + 3};{dealer};{vul}\n"
        for n, (pbn, dealer, vul) in enumerate(zip(PBN, "Sw", ("NS", "all"), strict=True))
    )
    library = read(tmp_path, text, "deals.data")
    assert library.deals.to_pbn() == PBN
    assert library.deals.dealer.tolist() == [2, 3] and library.deals.vulnerable.tolist() == [1, 3]
    assert library.deals.board.tolist() == [3, 4] and library.frame.hcp.tolist() == ["0", "1"]


def test_a_table_with_four_hands(tmp_path: Path):
    rows = [pbn[2:].split() for pbn in PBN]
    text = "id,West,North,East,South\n" + "".join(
        f"{n},{w},{north},{e},{s}\n" for n, (north, e, s, w) in enumerate(rows)
    )
    library = read(tmp_path, text, "deals.csv")
    assert library.deals.to_pbn() == PBN and list(library.texts) == ["id"]


def test_bad_rows_and_bad_tables(tmp_path: Path):
    text = f'deal,note\n{PBN[0]},"two\nlines"\n{PBN[0][:-1]}K,x\n\n,\n{PBN[1]},a,b\n{PBN[1]},ok\nN:,no\n'
    library = read(tmp_path, text, "deals.csv")
    assert library.deals.to_pbn() == PBN and library.frame.note.tolist() == ["two\nlines", "ok"]
    assert library.skipped.line.tolist() == [4, 7, 9]
    with pytest.raises(dk.DealerkitError, match="neither a column 'deal'"):
        read(tmp_path, "a,b\n1,2\n", "deals.csv")
    with pytest.raises(dk.DealerkitError, match="same name"):
        read(tmp_path, "deal,Deal\n1,2\n", "deals.csv")


def test_a_table_is_written_and_read_back(rng, tmp_path: Path):
    tables = rng.integers(-1, 14, (40, 5, 4)).astype(np.int8)
    columns = {
        "board": np.arange(40) - 1,
        "dealer": np.arange(40) % 5 - 1,
        "vulnerable": np.arange(40) % 5 - 1,
    }
    deals = dk.deal(40, seed=1).replace(
        tables=tables, weight=rng.random(40), cluster=np.arange(40), **columns
    )
    texts = {
        "north": ['a "b", c'] * 40,
        "comment": ["x\ny"] * 40,
        "tags": [[["Event", "é"], ["Table", "1", "a\nb"]]] * 40,
    }
    Library(Records(deals, texts)).write(tmp_path / "deals.csv")
    library = dk.read(tmp_path / "deals.csv")
    assert library.deals.equals(deals)
    assert library.texts == texts
    with open(tmp_path / "deals.csv", newline="", encoding="utf-8") as file:
        row = list(csv.DictReader(file))[7]
    assert row["deal"] == deals.to_pbn()[7] and row["dealer"] == "east" and row["vulnerable"] == "ns"
    assert row["tricks_south_notrump"] == ("" if tables[7, 4, 2] < 0 else str(tables[7, 4, 2]))


def test_deals_only(tmp_path: Path):
    deals = dk.deal(20, seed=3)
    for name in ("a.csv", "a.txt"):
        deals.write(tmp_path / name)
        assert dk.read(tmp_path / name).deals.equals(deals)
    assert (tmp_path / "a.csv").read_text("utf-8").splitlines()[:2] == ["deal", f"{deals.to_pbn()[0]}"]


@pytest.mark.no_cover
def test_rows_without_columns_are_refused_quickly(tmp_path: Path):
    """Rows of many cards could be divided in millions of ways."""
    start = time.process_time()
    row = "A K Q J T 9 8 7 6 5 4 " * 4 + "\n"
    library = read(tmp_path, DIAGRAMS + "   3.\n" + row * 4)
    assert len(library) == 2 and library.skipped.line.tolist() == [13]
    assert time.process_time() - start < 5


def test_lines_in_the_notation_of_pbn(tmp_path: Path):
    deals = dk.deal(20, seed=5)
    text = "".join(f"{line}\n" for line in deals.to_pbn()) + "Generated 20 hands\n"
    library = read(tmp_path, text, "lines")
    assert library.deals.equals(deals) and not len(library.skipped)
    north, east, south, west = deals.to_pbn()[0][2:].split()
    assert read(tmp_path, f"s: {south} {west} {north} {east}\n").deals.equals(deals[:1])
    assert read(tmp_path, f"{deals[1]}\nN:AKQ.. x y z\n").skipped.line.tolist() == [2]


def test_control_characters_become_blanks(tmp_path):
    """A file with many of them could not be distinguished from binary data."""
    deals = dk.deal(1, seed=1)
    rows = f'deal,comment\n{deals.to_pbn()[0]},"a{chr(1) * 500}b"\n'
    (tmp_path / "deals.csv").write_text(rows)
    library = dk.read(tmp_path / "deals.csv", format="csv")
    assert library.frame.comment.tolist() == [f"a{' ' * 500}b"]
    for name in ("copy.pbn", "copy.lin", "copy.csv"):
        library.write(tmp_path / name)
        assert dk.read(tmp_path / name).deals.to_pbn() == deals.to_pbn()


def test_long_values_of_a_table_are_read(tmp_path):
    deals = dk.deal(1, seed=1)
    (tmp_path / "deals.csv").write_text(f"deal,comment\n{deals.to_pbn()[0]},{'x' * 200_000}\n")
    assert dk.read(tmp_path / "deals.csv").frame.comment.tolist() == ["x" * 200_000]


def test_texts_of_foreign_files_are_no_formulas_in_csv(tmp_path: Path) -> None:
    """A spreadsheet would execute them, in some countries after a semicolon too; they are read back unchanged."""
    names = [
        '=HYPERLINK("http://e.org")', "+1+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "'twas", "'=1+1", "''-3.5", "-3.5",
        "\t=1", "Bo;=1+1", "Bo\n-2+3", "Bo;'@x;5", "\uff1d1+1", "a = b; -2", "Bo",
    ]  # fmt: skip
    tags = [[["Event", "Club;=1+1"]]] * len(names)
    library = Library(Records(dk.deal(len(names), seed=1), {"north": names, "=1+1": names, "tags": tags}))
    library.write(tmp_path / "a.csv")
    for delimiter in ",;":
        for quote in (csv.QUOTE_MINIMAL, csv.QUOTE_NONE):
            with open(tmp_path / "a.csv", encoding="utf-8", newline="") as file:
                rows = csv.reader(file, delimiter=delimiter, quoting=quote)
                cells = [cell for row in rows for cell in row]
            assert not any(cell.startswith(("=", "+", "@", "-2", "\t", "\uff1d")) for cell in cells)
    text = (tmp_path / "a.csv").read_text("utf-8")
    assert ",'-2+3," in text and ",'=1+1," in text and ",'twas," in text and ",-3.5," in text
    assert "a = b; -2" in text and "Bo;'=1+1" in text and "Club;'=1+1" in text
    again = dk.read(tmp_path / "a.csv")
    assert list(again.texts["north"]) == list(again.texts["=1+1"]) == names
    assert list(again.texts["tags"]) == tags


def test_labels_of_scripts_are_no_formulas_in_frames(tmp_path: Path) -> None:
    script = 'action average "=1+1" hcp(north), frequency "x;@y" (hcp(south), 0, 9)'
    dk.run(script, produce=2, seed=1, frame=tmp_path / "a.csv")
    heading = (tmp_path / "a.csv").read_text("utf-8").splitlines()[0]
    assert heading == "deal,'=1+1,x;'@y"
