"""RBN and RBX, and what can only be read: BEN, DDS, the hand viewer, diagrams and lines of other programs.

Files are written by hand from the descriptions; tests/data/boards has one deal in each format. The diagrams and lines
of Deal are what Debian's deal 3.1.9 printed, those of redeal are of its documentation.
"""

from __future__ import annotations

import time
from pathlib import Path

import pytest

import dealerkit as dk
from dealerkit.doubledummy.lookup import look_up_tables
from dealerkit.formats.format import find_format

BOARDS = Path(__file__).parents[1] / "data" / "boards"
DEAL = "N:AKQJ.T98.765.432 T98.765.432.AKQJ 765.432.AKQJ.T98 432.AKQJ.T98.765"
HANDS = DEAL[2:].split()
TABLE = [[7, 5, 7, 5], [5, 7, 5, 7], [7, 5, 7, 5], [5, 7, 5, 7], [5, 5, 5, 5]]  # S H D C NT
VIEWER = "https://www.bridgebase.com/tools/handviewer.html?"
CARDS = "n=sakqjht98d765c432&e=st98h765d432cakqj&s=s765h432dakqjct98&w=s432hakqjdt98c765"


@pytest.fixture
def read(tmp_path: Path):
    """A function that reads a text as a file."""

    def read_text(text: str, name: str = "some.txt", expected: str = "", **options) -> dk.Library:
        path = tmp_path / name
        path.write_bytes(text.encode())
        assert not expected or find_format(path).name == expected
        return dk.read(path, **options)

    return read_text


# ---------------------------------------------------------------- RBN
@pytest.mark.parametrize("name", ["rbn", "rbx"])
def test_rbn_made_by_hand(name: str, tmp_path: Path):
    source = BOARDS / f"board17.{name}"
    library = dk.read(source)
    deals, texts = library.deals, {key: values[0] for key, values in library.texts.items()}
    assert find_format(source).name == name and deals.to_pbn() == [DEAL] and not library.content.remarks
    assert (deals.board[0], deals.dealer[0], deals.vulnerable[0]) == (17, 0, 0)
    assert deals.tables[0].tolist() == TABLE
    assert texts["auction"] == "1S=1= Pass 2S Pass Pass Pass"
    assert texts["auction_notes"] == "1:five, or a strong four"
    assert (texts["contract"], texts["declarer"], texts["result"]) == ("2S", "N", "7")
    library.write(tmp_path / source.name)
    assert (tmp_path / source.name).read_bytes() == source.read_bytes()


MATCH = """\
% a line that programs skip
D 20240517:1930
T Spring cup:A. Writer
E Final::first half
L Bonn
S 1
F I
K Reds:Blues:3:0

N Ann+Bob:Carl+Dora:O
B 7
H N:AKQJ.T98.765.432:T98.765.432.AKQJ;765.432.AKQJ.T98:
A SB:1C*P1S!^2P:4SXRA
2 five {cards}
C 4SR:N
P HAT27:C4AC8H5
R 10+1080:3

{A comment
over two lines}
N Eve+Fay:Gus+Hal:C
A SB:A
R P

N Ivy+Jo:Kim+Lea
B 8a
C 3N:W:S
R 4-250
M ::57575=:!
"""


def test_a_match_in_rbn(read):
    library = read(MATCH.replace("{cards}", "cards"), "match.rbn", "rbn")
    deals, texts = library.deals, library.texts
    assert deals.to_pbn() == [DEAL] * 3 and library.skipped.empty
    assert deals.board.tolist() == [7, 7, -1]
    assert deals.dealer.tolist() == [2, 2, -1] and deals.vulnerable.tolist() == [3, 3, -1]
    names = [[texts[seat][row] for seat in ("north", "south", "west", "east")] for row in range(3)]
    assert names == ["Ann Bob Carl Dora".split(), "Eve Fay Gus Hal".split(), "Ivy Jo Kim Lea".split()]
    assert texts["auction"][0] == "1C=1= Pass 1S!=2= Pass 4S X XX Pass Pass Pass"
    assert texts["auction_notes"][0] == "1:Alert\n2:five cards"
    assert texts["auction"][1] == "Pass Pass Pass Pass"
    assert texts["contract"] == ["4SXX", "Pass", "3NT"] and texts["declarer"] == ["N", "", "W"]
    assert texts["result"] == ["10", "", "4"]
    assert texts["play"][0] == "HA HT H2 H7 C4 CA C8 H5" and texts["lead"][0] == "HA"
    assert texts["comment"][1] == "A comment over two lines"
    tags = [dict(row) for row in texts["tags"]]
    assert tags[0] == {
        "Room": "Open", "Site": "Bonn", "Event": "Final:first half", "Stage": "1", "Title": "Spring cup",
        "Author": "A. Writer", "Date": "2024.05.17", "Scoring": "IMP", "HomeTeam": "Reds", "VisitTeam": "Blues",
        "Carryover": "3:0", "ResultScore": "+1080:3",
    }  # fmt: skip
    assert tags[1]["Room"] == "Closed" and tags[2]["Board"] == "8a" and tags[2]["Leader"] == "S"
    # A side that is 13 less the other, seat by seat.
    assert deals.tables[2].tolist() == [[7, 6, 7, 6], [5, 8, 5, 8], [7, 6, 7, 6], [5, 8, 5, 8], [5, 8, 5, 8]]
    assert [reason for _, reason in library.content.remarks] == [
        "the opening leader is S, who does not sit on declarer's left"
    ]


def test_a_match_in_rbn_is_written_and_read_again(read, tmp_path: Path):
    library = read(MATCH.replace("{cards}", "cards"), "match.rbn")
    for name in ("rbn", "rbx"):
        library.write(tmp_path / f"again.{name}")
        again = dk.read(tmp_path / f"again.{name}")
        # The unusual leader is a tag, and not written; nor is the opinion on a call. Nothing else is lost.
        first, second = library.frame.drop(columns="tags"), again.frame.drop(columns="tags")
        first["auction"] = [text.replace("!", "") for text in first["auction"]]
        assert first.equals(second)
        tags = [[tag for tag in row if tag[0] != "Leader"] for row in library.texts["tags"]]
        assert [sorted(row) for row in again.texts["tags"]] == [sorted(row) for row in tags]
        assert again.deals.equals(library.deals)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("H W:AK.Q.J.T:2...:3...:4...\n", "line 1: .*missing"),
        ("H W::AKQJ.T98.765.432::\n", "line 1: partial deal"),
        (
            "B 1\nH N:AKQJ.T98.765.432:T98.765.432.AKQJ:765.432.AKQJ.T98:432.AKQJ.T98.765:2...\n",
            "5 hands, not 4",
        ),
    ],
)
def test_faulty_hands_of_rbn(read, text: str, message: str):
    with pytest.warns(dk.SkippedWarning, match=message):
        assert not len(read(text, "some.rbn", format="rbn"))


def test_remarks_on_rbn(read):
    hands = "H N:AKQJ.T98.765.432:T98.765.432.AKQJ:765.432.AKQJ.T98:\n"
    library = read(f"{hands}A NZ:1S?what\nC 8S:N\nP HAZZ\nM ::5757=:55757+55756\n\n", "some.rbn")
    assert [reason for _, reason in library.content.remarks] == [
        "'what' in an auction is not a call; the rest is not read",
        "'ZZ' in a play is not a card; the rest is not read",
        "'8S:N' is not a contract",
        "east and west have different tricks, and which is whose is unknown; they are left out",
    ]
    # East and west agree in four strains; in the fifth it is not known whose tricks are whose.
    assert library.deals.tables[0, :, 1].tolist() == [5, 7, 5, -1, 5]
    assert library.texts["auction"] == ["1S? ?"]
    # Without dealer and vulnerability the first caller is west.
    library = read(f"B 1\n{hands}A 1SA\n", "some.rbn")
    assert library.deals.dealer.tolist() == [3] and library.deals.vulnerable is None
    with pytest.raises(dk.FileError, match="this is not RBN"):
        read("T a title\n\nB 1\n", "some.rbn", format="rbn")


HANDS_OF_RBN = "H W:432.AKQJ.T98.765:AKQJ.T98.765.432:T98.765.432.AKQJ:\n"


@pytest.mark.parametrize(
    ("text", "boards", "comments", "line", "reason"),
    [
        # It ends with its board, whether another comment follows or not.
        ("B 1\n{H}{{no end\nC 2S:N\n\nB 2\n{H}", [1, 2], ["no end C 2S:N", ""], 3, "ends with its board"),
        ("B 1\n{H}\nB 2\n{H}{{no\nend\n\n\nB 3\n{H}{{an end}}\n", [1, 2, 3], ["", "no end", "an end"], 6,
         "ends with its board"),
        ("B 1\n{H}{{no end\nC 2S:N", [1], ["no end C 2S:N"], 3, "ends with the file"),
        # A brace closes it after a record; it has blank lines; a line that is skipped opens none.
        ("B 1\n{H}{{one\n\nB 2\n{H}}}\n\nB 3\n{H}", [1, 3], ["one B 2 " + HANDS_OF_RBN[:-1], ""], 3,
         "a comment up to line 7 has a deal, which is not read"),
        ("B 1\n{H}{{two\n\nA paragraph\n\n}}\n% {{\nhuh\n", [1], ["two A paragraph"], 9, "'huh' is not a field"),
    ],
)  # fmt: skip
def test_comments_of_rbn_that_are_not_closed(read, text, boards, comments, line, reason):
    library = read(text.format(H=HANDS_OF_RBN), "some.rbn")
    assert library.deals.board.tolist() == boards
    assert library.texts["comment"] == comments
    assert [number for number, _ in library.content.remarks] == [line]
    assert reason in library.content.remarks[0][1]


def test_a_comment_of_rbn_that_may_have_the_hands(read):
    with pytest.warns(dk.SkippedWarning, match="line 3: a comment is not closed; it ends with its board"):
        library = read(f"T a title\n\nB 1 {{no end\n{HANDS_OF_RBN}\nB 2\n{HANDS_OF_RBN}", "some.rbn")
    assert library.deals.board.tolist() == [2]
    with pytest.raises(dk.FileError, match=r"this is not RBN, because .*line 2: a comment is not closed"):
        read(f"B 1\n{{no end\n{HANDS_OF_RBN}", "some.rbn", format="rbn")


def test_many_comments_of_rbn_without_an_end_are_read_in_linear_time(read):
    library = read(f"B 1\n{HANDS_OF_RBN}{{no end\n\n" * 3000, "some.rbn")
    assert len(library) == 3000 == len(library.content.remarks)


def test_remarks_on_rbx(read):
    hands = HANDS_OF_RBN[2:].strip()
    library = read(f"B{{1}}H{{{hands}}}C{{2S:N\nB{{2}}H{{{hands}}}{{a comment}}C{{2S:N}}\n", "some.rbx")
    assert library.content.remarks == [(1, "'C{2S:N' is not a field, such as B{17}; it is not read")]
    assert library.texts["contract"] == ["", "2S"] and library.texts["comment"] == ["", "a comment"]


# ---------------------------------------------------------------- BEN
def test_ben(read):
    library = dk.read(BOARDS / "board17.ben")
    assert library.deals.to_pbn() == [DEAL] and library.deals.dealer.tolist() == [0]
    assert library.texts["contract"] == ["2S"] and library.texts["declarer"] == ["N"]
    hands = " ".join(HANDS)
    text = f"# boards\n{hands}\nE N-S 2NT*  P 3N P P P\n\nS Both {hands} #1S-P-2S\nW E-W {hands}\n{hands}\n"
    library = read(text, "some.ben", "ben")
    assert library.deals.to_pbn() == [DEAL] * 4
    assert library.deals.dealer.tolist() == [1, 2, 3, -1]
    assert library.deals.vulnerable.tolist() == [1, 3, 2, -1]
    assert library.texts["auction"] == ["2NT=1= Pass 3NT Pass Pass Pass", "1S Pass 2S", "", ""]
    assert library.texts["contract"] == ["3NT", "", "", ""] and library.texts["declarer"] == ["E", "", "", ""]
    library = read(f"{hands}\nN None 1S huh P\n")
    assert library.texts["auction"] == ["1S ?"]
    assert library.content.remarks == [(1, "'huh' in an auction is not a call; the rest is not read")]


# ---------------------------------------------------------------- DDS
def test_a_list_of_dds(read):
    table = " ".join(str(n) for row in TABLE for n in row)
    text = (
        f'NUMBER 2 \nPBN 2 1 4 3 "{DEAL}" \nFUT 2 0 1 5 7 0 0 3 3 \nTABLE {table} \n'
        f'PAR "NS 80" "EW -80" "NS:NS 1S" "EW:NS 1S" \nPLAY 4 "S4SAS8S5" \nTRACE 5 7 7 7 7 7 \n'
        f'PBN 0 2 0 1 "{DEAL}" \nTABLE 1 2 3 \nPBN 0 3 0 1 "N:... - - -" \nTABLE {table} \n'
    )
    with pytest.warns(dk.SkippedWarning, match="line 10"):
        library = read(text, "list2.txt", "dds")
    deals = library.deals
    assert deals.to_pbn() == [DEAL] * 2 and deals.dealer.tolist() == [2, 0]
    assert deals.vulnerable.tolist() == [3, 1]  # 1 both, 2 north-south
    assert deals.tables[0].tolist() == TABLE and (deals.tables[1] == -1).all()
    assert library.content.remarks == [(9, "the line TABLE is not 20 numbers of tricks")]
    assert library.texts["play"] == ["S4 SA S8 S5", ""]
    par = ["Par", "NS 80; EW -80; NS:NS 1S; EW:NS 1S"]
    assert library.texts["tags"][0] == [["Trump", "N"], ["Leader", "W"], par]


def test_the_table_of_the_deal_is_the_solver_s():
    solved = dk.read(BOARDS / "board17.rbn").deals.tables
    assert look_up_tables(dk.Deals.from_pbn([DEAL])).tolist() == solved.tolist() == [TABLE]


# ---------------------------------------------------------------- the hand viewer
def test_an_address_with_hands():
    library = dk.read(BOARDS / "board17.url")
    assert library.deals.to_pbn() == [DEAL] and library.deals.board.tolist() == [17]
    assert (library.deals.dealer[0], library.deals.vulnerable[0]) == (0, 0)
    assert library.texts["auction"] == ["1S Pass 2S Pass Pass Pass"]
    assert (library.texts["contract"], library.texts["declarer"]) == (["2S"], ["N"])


def test_parameters_of_an_address(read):
    shuffled = "n=d567HT98s10AKQJc432&e=st98h765d432cakqj&w=s432hakqjdt98c765"  # south is missing
    text = VIEWER + shuffled.replace("s10AKQJ", "sAKQJ").replace("HT98", "H1098").replace("&", "&amp;")
    more = "&d=w&v=B&nn=%u017Caba+K&en=Zo%C3%AB&a=1n!(15%20to%2017)pd!r{why}-p2c(a)ppp?&p=h4hT{a+<b>}H2c2"
    library = read(text + more + "\n", "some.html", "handviewer")
    texts = {name: values[0] for name, values in library.texts.items()}
    assert library.deals.to_pbn() == [DEAL] and (library.deals.dealer[0], library.deals.vulnerable[0]) == (
        3,
        3,
    )
    assert (texts["north"], texts["east"]) == ("żaba K", "Zoë")
    assert texts["auction"].startswith("1NT=1= Pass X=2= XX")
    assert texts["auction_notes"].startswith("1:Alert: 15 to 17\n2:Alert")
    assert texts["lead"] == "H4"


def test_a_comment_of_an_address_that_is_not_closed(read):
    library = read(f"{VIEWER}{CARDS}&d=n&a=1s{{five}}p2s{{no%20end&p=d5{{s2\n", "some.html", "handviewer")
    assert library.texts["auction"] == ["1S Pass 2S"] and library.texts["play"] == ["D5"]
    reason = "a comment is not closed; the rest of the auction or play is not read"
    assert library.content.remarks == [(1, reason)]


def test_addresses_of_a_web_page(read):
    lin = "lin=qx%7Co3%7Cmd%7C3S567H234DJQKAC89T%2CS234HJQKAD89TC567%2CSJQKAH89TD567C234%2C%7Csv%7Ce%7C"
    links = [CARDS + "&b=5", lin, "linurl=https%3A%2F%2Fa.b%2Fc.lin", "myhand=M-1-2", "n=sak&b=3"]
    page = "<!DOCTYPE html><html><p>" + "x" * 5000 + "\n"
    page += "".join(f'<a href="{VIEWER}{link}">board</a>\n' for link in links)
    with pytest.warns(dk.SkippedWarning, match="3 of 5 boards were skipped"):
        library = read(page, "some.html", "handviewer")
    assert library.deals.to_pbn() == [DEAL] * 2 and library.deals.board.tolist() == [5, 3]
    assert library.skipped.line.tolist() == [4, 5, 6]
    assert "linurl=" in library.skipped.reason[0] and "myhand=" in library.skipped.reason[1]
    assert library.skipped.reason[2].startswith("partial deal")
    assert len(read(page.replace(lin, CARDS + "&b=5").split("myhand")[0], "some.html", distinct=True)) == 1
    with pytest.raises(
        dk.FileError, match="this web page has no address of BBO's hand viewer.*download the file"
    ):
        read("<html><body>hello</body></html>\n", "some.html")


# ---------------------------------------------------------------- diagrams and lines
TCL = """\
          {S} ---
          {H} AKQJT96
          {D} 843
          {C} J92
 {S} ---             {S} ---
 {H} 3               {H} 87542
 {D} AKQJ972         {D} T65
 {C} K7654           {C} AQT83
          {S} AKQJT98765432
          {H} ---
          {D} ---
          {C} ---
--------------------------
"""
TCL_LINE = " AKQJT96 843 J92| 87542 T65 AQT83|AKQJT98765432   | 3 AKQJ972 K7654\n"
TCL_DEAL = "N:.AKQJT96.843.J92 .87542.T65.AQT83 AKQJT98765432... .3.AKQJ972.K7654"
REDEAL = "♠AQ53♡QJ9♢K963♣T9 ♠K♡AK853♢AQ87♣A42 ♠976♡7642♢T2♣KJ73 ♠JT842♡T♢J54♣Q865\nTries: 2\n"
REDEAL_DEAL = "N:AQ53.QJ9.K963.T9 K.AK853.AQ87.A42 976.7642.T2.KJ73 JT842.T.J54.Q865"
REDEAL_LONG = """\
           
           ♠
           ♡632
           ♢AKT92
           ♣K7652
                  
    ♠AJ85         ♠T962
    ♡KJ954        ♡7
    ♢QJ           ♢8763
    ♣QJ           ♣AT94
           
           ♠KQ743
           ♡AQT8
           ♢54
           ♣83

Tries: 1
"""  # noqa: W291, W293
REDEAL_LONG_DEAL = "N:.632.AKT92.K7652 T962.7.8763.AT94 KQ743.AQT8.54.83 AJ85.KJ954.QJ.QJ"


@pytest.mark.parametrize("signs", ["♠♥♦♣", "????", "SHDC"])
def test_diagrams_of_deal(read, signs: str):
    text = TCL.format(**dict(zip("SHDC", signs, strict=True)))
    library = read(text * 2, "some.txt", "compass")
    assert library.deals.to_pbn() == [TCL_DEAL] * 2 and library.deals.board is None


def test_diagrams_and_lines_of_redeal(read):
    assert read(REDEAL_LONG, "some.txt", "compass").deals.to_pbn() == [REDEAL_LONG_DEAL]
    assert read(REDEAL, "some.txt", "oneline").deals.to_pbn() == [REDEAL_DEAL]
    letters = REDEAL.translate(str.maketrans("♠♡♢♣", "SHDC"))
    assert read(letters, "some.txt", "oneline").deals.to_pbn() == [REDEAL_DEAL]
    filled = REDEAL.translate(str.maketrans("♡♢", "♥♦"))
    assert read(filled, "some.txt", "oneline").deals.to_pbn() == [REDEAL_DEAL]


def test_lines_of_deal_and_bare_hands(read):
    assert read(TCL_LINE, "some.txt", "oneline").deals.to_pbn() == [TCL_DEAL]
    line = " ".join(hand or "-" for hand in TCL_DEAL[2:].split())
    assert read(f"{line}\n{' '.join(HANDS)}\n", "some.txt", "oneline").deals.to_pbn() == [TCL_DEAL, DEAL]
    with pytest.warns(dk.SkippedWarning, match="line 2"):
        assert len(read(f"{' '.join(HANDS)}\n{HANDS[0]} {' '.join(HANDS[:3])}\n")) == 1


def test_diagrams_of_dealerkit(read):
    deals = dk.deal(20, seed=5).number_boards(7, dealer="west")
    for name in ("diagrams", "letters"):
        text = "\n\n".join(deal.diagram(symbols=name == "diagrams") for deal in deals)
        library = read(text, "some.txt", "compass")
        assert library.deals.equals(deals)


def test_a_faulty_diagram_is_skipped(read):
    text = TCL.format(S="♠", H="♥", D="♦", C="♣")
    with pytest.warns(dk.SkippedWarning, match="line 14: C2 is held by north and south|line 14: .*C2"):
        library = read(text + text.replace("J92", "J93"), "some.txt", "compass")
    assert len(library) == 1


# ---------------------------------------------------------------- recognised and not read
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            b"\0\1\0\0Standard Jet DB\0" + bytes(99),
            "Microsoft Access, such as a Bridgemate's .bws; the program",
        ),
        (
            b"<?xml version='1.0'?>\n<USEBIO Version='1.2'>\n<EVENT/>",
            "results in USEBIO's XML.*dealerkit.results reads them",
        ),
        (f"{' '.join(HANDS)}:75757575757575757575\n".encode(), "a list of GIB's deals with tricks"),
    ],
)
def test_what_is_recognised_and_not_read(content: bytes, message: str, tmp_path: Path):
    path = tmp_path / "some.dat2"
    path.write_bytes(content)
    with pytest.raises(dk.FileError, match=message):
        dk.read(path)


def test_formats_that_are_only_read_are_named(tmp_path: Path):
    for name in ("ben", "html"):
        with pytest.raises(dk.ArgumentError, match="can be read, not written"):
            dk.deal(1, seed=1).write(tmp_path / f"some.{name}")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("dlm", "[Document]\nBoard 01=aaaaaabffffffkkkkkklpppppp015\n{blanks}x\n"),
        ("rbn", "H W:432.AKQJ.T98.765:AKQJ.T98.765.432:T98.765.432.AKQJ:\nA NZ:1C{blanks}x\nC 1N{blanks}x\n"),
        ("rbn", "H W:432.AKQJ.T98.765:AKQJ.T98.765.432:T98.765.432.AKQJ:\nP HA{blanks}x\nR 9{blanks}x\n"),
        ("compass", TCL.format(S="S", H="H", D="D", C="C") + "S{blanks}x\nS A{blanks}S{blanks}x\n"),
        ("bigdeal", '"AKQJ"{blanks},"x"\n' + (BOARDS / "board17.csv").read_text(encoding="utf-8")),
    ],
)
def test_a_long_run_of_blanks_takes_no_time(read, name: str, text: str):
    start = time.process_time()
    library = read(text.format(blanks=" " * 50_000), f"some.{name}", format=name)
    assert len(library) <= 1 and time.process_time() - start < 5
