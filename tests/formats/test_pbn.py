"""PBN files: what programs write, read board by board."""

from __future__ import annotations

import pytest

import dealerkit as dk
from dealerkit import Deals, FileError
from dealerkit.formats.pbn import recognise_pbn

# The same deal from each first seat.
N, E, S, W = "AKQJ.T98.5432.32", "T98.AKQ.JT98.JT9", "765.J765.AKQ.AKQ", "432.432.76.87654"
DEAL = f"N:{N} {E} {S} {W}"
HANDS = Deals.from_pbn(DEAL).hands[0].tolist()
OTHER = "N:73.QJT.AQ54.T752 QT6.876.KJ9.AQ84 A5.A932.872.KJ93 KJ9842.K54.T63.6"
SHAPE = "A.KJT.9654.AQ876 9743.74.QJ32.J95 J865.AQ92.KT8.T4 KQT2.8653.A7.K32"


def list_hands(library: dk.Library) -> list[list[int]]:
    return library.deals.hands.tolist()


# ---------------------------------------------------------------- bytes and lines
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_characters_and_line_ends(read, encoding, end):
    text = f'% PBN 2.1\n[North "Zoë Ångström"]\n[Deal "{DEAL}"]\n\n[North "Bo"]\n[Deal "{OTHER}"]'
    library = read(text.replace("\n", end).encode(encoding))
    assert library.texts["north"] == ["Zoë Ångström", "Bo"]
    assert list_hands(library)[0] == HANDS and library.skipped.empty


def test_bytes_that_no_encoding_has(read):
    assert read(b'[North "\x81\x8d\xff"]\n[Deal "' + DEAL.encode() + b'"]\x1a').texts["north"] == [
        "\x81\x8dÿ"
    ]


def test_lines_with_percent_are_passed_over(read):
    library = read(
        f'% PBN 2.1\n%Creator: x\n[Board "1"]\n% [Board "9"]\n[Deal "{DEAL}"]\n%\n[Auction "N"]\n1C\n%% 99\nPass\n'
        f'%\n\n%a\n[Board "2"]\n{{ first\n% kept\nlast }}\n[Deal "{DEAL}"]\n'
    )
    assert library.deals.board.tolist() == [1, 2]
    assert library.texts["auction"] == ["1C Pass", ""]
    assert library.texts["comment"] == ["", "first\n% kept\nlast"]


def test_comments(read):
    library = read(
        f'{{before}}\n[Board "1"] ; rest [Board "8"] {{\n{{a\n\n[Board "9"]\n\n[Deal "{OTHER}"] ; b}}'
        f'{{c {"{"} d}}\n[Deal "{DEAL}"]\n[Event "{{no; comment}}"]\n[Auction "N"]\n1C {{e}} Pass ; f\n1H Pass\n'
    )
    assert library.deals.board.tolist() == [1] and list_hands(library) == [HANDS]
    assert library.texts["comment"] == [
        f'before\nrest [Board "8"] {{\na\n\n[Board "9"]\n\n[Deal "{OTHER}"] ; b\nc {{ d\ne\nf'
    ]
    assert library.texts["auction"] == ["1C Pass 1H Pass"]
    assert ["Event", "{no; comment}"] in library.texts["tags"][0]


@pytest.mark.parametrize(
    ("text", "boards", "reason"),
    [
        ('[Board "1"]\n[Deal "D"]\n{ open\n\n[Board "2"]\n[Deal "D"]\n', [1, 2], "next board"),
        ('[Board "1"]\n[Deal "D"]\n{ open\n\n[Board "2"]\n[Deal "D"]\n{a}\n', [1, 2], "next board"),
        ('[Board "1"]\n[Deal "D"]\n{ open\n[Board "2"]\n[Deal "D"]', [1, 2], "next board"),
        ('[Board "1"]\n[Deal "D"]\n{ open\n[Deal "D"]', [1], "ends with the file"),
    ],
)
def test_a_comment_that_is_not_closed(read, text, boards, reason):
    library = read(text.replace('"D"', f'"{DEAL}"'))
    assert library.deals.board.tolist() == boards
    assert [line for line, remark in library.content.remarks if reason in remark] == [3]


def test_tags_in_any_arrangement(read):
    library = read(
        f'  [ board   "01" ] [DEALER "S"][Site "a \\"b\\" c\\\\d \\S"]\n[Vulnerable\n  "Love"\n]\n'
        f'[Event "The "big" one"]\n[Deal "{DEAL}"]\n \t \n<PBN>\n[Board "2"]\n[Deal "{DEAL}"]\n</PBN>\n'
    )
    assert library.deals.board.tolist() == [1, 2]
    assert library.deals.dealer.tolist() == [2, 1] and library.deals.vulnerable.tolist() == [0, 1]
    tags = library.texts["tags"][0]
    assert tags == [["Board", "01"], ["Site", 'a "b" c\\d \\S'], ["Event", 'The "big" one']]


def test_statistics_after_the_boards(read):
    library = read(
        f'\n\n[Board "1"]\n[Deal "{DEAL}"]\nGenerated 7 hands\n\nProduced 1 hands\nInitial random seed 3\n---- # --\n'
    )
    assert len(library) == 1 and library.skipped.empty
    assert library.content.remarks == [(5, "4 lines of text that belong to no board")]


# ---------------------------------------------------------------- deals
@pytest.mark.parametrize(
    "value",
    [
        DEAL, f"E:{E} {S} {W} {N}", f"S:{S} {W} {N} {E}", f"W:{W} {N} {E} {S}",
        f" n : {N}  {E}\t{S} {W} ".lower(), DEAL.replace("T", "10"), DEAL.removeprefix("N:"),
        f"N:JQAK.89T.2345.23 {E} {S} {W}", f"N:{N} - {S} {W}", f"N:{N} {E} {S} ...",
        "N:SAKQJ.HT98.D5432.C32 S:T98.H:AKQ.D:JT98.C:JT9 ♠765.♥J765.♦AKQ.♣AKQ 432.432.76.87654",
        "N:S:AKQJ H:T98 D:5432 C:32 S:T98 H:AKQ D:JT98 C:JT9 S:765 H:J765 D:AKQ C:AKQ S:432 H:432 D:76 C:87654",
    ],
)  # fmt: skip
def test_spellings_of_a_deal(read, value):
    assert list_hands(read(f'[Deal "{value}"]')) == [HANDS]


def test_voids(read):
    full = ".AKQJT98765432.. AKQJT98765432... ...AKQJT98765432 ..AKQJT98765432."
    library = read(f'[Deal "N:{full}"]\n\n[Deal "N:-.AKQJT98765432.-.- {full.split(" ", 1)[1]}"]\n')
    assert list_hands(library) == [[0x1FFF << 32, 0x1FFF << 48, 0x1FFF, 0x1FFF << 16]] * 2


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("", "no deal"),
        ("N:- - - -", "no deal"),
        ("N:... ... ... ...", "no deal"),
        (f"N:{N} - {S} -", "partial deal: the hands of east and west are unknown"),
        (f"E:{E} - - -", "partial deal: the hands of north, south and west are unknown"),
        ("N:AK.2.. QJ.3.. T9.4.. 87.5..", "ending: 3 cards in each hand"),
        ("N:AK.2.. QJ.3.. T9.4.. 87...", "bad deal"),
        (f"N:{N} {E} {S} 432.432.76.8765A", "bad deal: CA is held by south and west; C4 is missing"),
        (f"N:{N} {E} {S} 432.432.76.8765", "C4 is missing"),
        (f"N:{N} {E} {S}", "is not four hands"),
        (f"N:{N} {E} {S} 4322.432.76.8765", "has S2 twice"),
        (f"N:{N} {E} {S} xxx.432.76.87654", "unknown cards: 'XXX.432.76.87654' in the hand of west"),
        ("#", "bad deal"),
        ("see the book", "is not four hands"),
        (f"N:{N} {E} {S} 432.432.7é.87654", "is not a card"),
    ],
)
def test_boards_without_a_whole_deal_are_skipped(read, value, reason):
    library = read(f'[Board "7"]\n[Deal "{value}"]\n\n[Board "8"]\n[Deal "{DEAL}"]\n')
    assert library.deals.board.tolist() == [8]
    skipped = library.skipped
    assert skipped[["file", "line"]].values.tolist() == [["some.pbn", 2]]
    assert skipped.reason[0].startswith("board 7: ") and reason in skipped.reason[0]


def test_a_game_without_a_deal_is_skipped(read):
    library = read(f'[Event "Title page"]\n\n[Deal "{DEAL}"]\n')
    assert len(library) == 1 and library.skipped.values.tolist() == [["some.pbn", 1, "no deal"]]


def test_deals_without_blank_lines_are_boards_with_remarks(read):
    library = read(f'[Deal "{DEAL}"]\n' * 35)
    assert len(library) == 35 and len(library.content.remarks) == 34


@pytest.mark.parametrize(
    "value",
    [
        f"N:{N}. {E} {S} {W}",
        f"N:.{N} {E} {S} {W}",
        f"N:{N.replace('.', '..')} {E} {S} {W}",
        f"N:{N} .{E}. {S} {W}",
    ],
)
def test_needless_dots(read, value):
    assert list_hands(read(f'[Deal "{value}"]')) == [HANDS]


def test_needless_dots_beside_a_void_are_ambiguous(read):
    full = "N:.AKQJT9.AKQ.AKQJ. T98.8765.JT98.T9 AKQJ.432.765.876 765432..432.5432"
    library = read(f'[Deal "{full}"]')
    assert "5 suits, not 4" in library.skipped.reason[0]


@pytest.mark.parametrize(
    ("value", "remark"),
    [
        (DEAL.removeprefix("N:"), "the deal does not name its first seat; it is read as north"),
        ("N:SAKQJ.HT98.D5432.C32 " + " ".join((E, S, W)), "the deal has letters of suits"),
        (f"n: {N}  {E} {S}\t{W} ", None),
    ],
)
def test_remarks_about_spelling(read, value, remark):
    library = read(f'[Board "1"]\n[Deal "{value}"]')
    assert list_hands(library) == [HANDS] and library.content.remarks == ([(2, remark)] if remark else [])


def test_several_deals_in_a_game(read):
    library = read(
        f'[Event "x"]\n[Board "1"]\n[Deal "{DEAL}"]\n[Contract "3NT"]\n[Board "2"]\n[Dealer "W"]\n[Deal "{OTHER}"]\n'
        f'[Deal "{SHAPE.join(["E:", ""])}"]\n'
    )
    assert library.deals.board.tolist() == [1, 2, -1]
    assert library.deals.dealer.tolist() == [0, 3, -1]
    assert library.texts["contract"] == ["3NT", "", ""]
    # The example of the reference: east holds the first hand.
    assert library.deals[2:].to_pbn()[0].split()[1] == "A.KJT.9654.AQ876"
    assert [line for line, _ in library.content.remarks] == [7, 8]


# ---------------------------------------------------------------- tags
def test_dealer_and_vulnerability_by_the_number_of_the_board(read):
    # The table of the laws: boards 1 to 16, then again.
    sides = "None NS EW All NS EW All None EW All None NS All None NS EW".split()
    library = read("\n\n".join(f'[Board "{board}"]\n[Deal "{DEAL}"]' for board in range(1, 34)))
    known = ["None", "NS", "EW", "All"]
    assert [known[number] for number in library.deals.vulnerable] == (sides * 3)[:33]
    assert library.deals.dealer.tolist() == [0, 1, 2, 3] * 8 + [0]


@pytest.mark.parametrize(
    ("text", "dealer", "vulnerable"),
    [
        ('[Board "1"]\n[Dealer "W"]\n[Vulnerable "Both"]', 3, 3),
        ('[Board "2"]\n[Dealer "?"]\n[Vulnerable "?"]', 1, 1),
        ('[Board "2"]\n[Dealer ""]\n[Vulnerable ""]', 1, 1),
        ('[Board "2"]\n[Vulnerable "-"]', 1, 0),
        ('[Vulnerable "n-s"]', -1, 1),
        ('[Board "3-2"]\n[Vulnerable "purple"]', -1, -1),
        ('[Board "000000000019999999999"]', -1, -1),
        ('[Board "2"]\n[Dealer "purple"]', -1, 1),
        ('[Board "2"]\n[Dealer "-"]', 1, 1),
        ("", -1, -1),
    ],
)
def test_explicit_values_count(read, text, dealer, vulnerable):
    library = read(f'{text}\n[Deal "{DEAL}"]'.strip())
    assert (library.deals.dealer[0], library.deals.vulnerable[0]) == (dealer, vulnerable)
    assert any("'purple'" in remark for _, remark in library.content.remarks) == ("purple" in text)


def test_placeholders_mean_none(read):
    library = read(
        f'[Event "?"]\n[Site ""]\n[Date "????.??.??"]\n[West "-"]\n[North "?"]\n[Deal "{DEAL}"]\n[Scoring "?"]\n'
        '[Declarer "?"]\n[Contract "?"]\n[Result "?"]\n[Generator ""]\n'
    )
    assert library.texts == {"tags": [[["Generator", ""]]]}


def test_inherited_values(read):
    board = f'[Deal "{DEAL}"]\n'
    library = read(
        f'[Event "##Club"]\n[Site "Rome"]\n[Hidden "##"]\n{board}\n[Site "#"]\n{board}\n[Event "Final"]\n{board}\n'
        f'[Event "#"]\n{board}\n[Contract "#"]\n{board}\n[Section "#"]\n{board}'
    )
    tags = [dict(tags) for tags in library.texts["tags"]]
    assert [tag.get("Event") for tag in tags] == ["Club", "Club", "Final", "Final", "Club", "Club"]
    assert [tag.get("Site") for tag in tags] == ["Rome", "Rome", None, None, None, None]
    assert tags[5]["Section"] == "" and "contract" not in library.texts
    assert [(line, "cannot be inherited" in text) for line, text in library.content.remarks] == [(15, True)]


def test_the_first_of_repeated_tags_counts(read):
    library = read(
        f'[Board "1"]\n[North "Ann"]\n[North "Bob"]\n[Room "Open"]\n[Room "Closed"]\n[Deal "{DEAL}"]\n'
    )
    assert library.texts == {"north": ["Ann"], "tags": [[["Room", "Open"]]]}
    assert len(library.content.remarks) == 2


def test_another_table_of_the_same_board(read):
    library = read(
        f'[Board "3"]\n[Dealer "W"]\n[Deal "{DEAL}"]\n[Room "Open"]\n\n[Room "Closed"]\n[Auction "W"]\nAP\n\n[Event "x"]\n'
    )
    assert library.deals.board.tolist() == [3, 3] and library.deals.dealer.tolist() == [3, 3]
    assert list_hands(library) == [HANDS] * 2
    assert library.texts["auction"] == ["", "Pass Pass Pass Pass"]
    assert library.skipped.line.tolist() == [10]


def test_another_table_inherits_explicit_values(read):
    library = read(
        f'[Board "1"]\n[Dealer "S"]\n[Vulnerable "NS"]\n[Deal "{DEAL}"]\n[Auction "S"]\nAP\n\n'
        '[Board "1"]\n[Vulnerable "?"]\n[Auction "S"]\n1C AP\n\n[Board "2"]\n[Auction "S"]\n1C AP\n'
    )
    assert library.deals.dealer.tolist() == [2, 2] and library.deals.vulnerable.tolist() == [1, 1]
    assert library.texts["auction"] == ["Pass Pass Pass Pass", "1C Pass Pass Pass"]
    assert library.skipped.line.tolist() == [13]


def test_repeated_deals_of_a_tournament(read):
    text = "\n\n".join(f'[Board "1"]\n[Table "{table}"]\n[Deal "{DEAL}"]' for table in range(4))
    text += f'\n\n[Board "2"]\n[Table "0"]\n[Deal "{DEAL}"]\n'
    assert len(read(text)) == 5
    library = read(text, distinct=True)
    assert library.deals.board.tolist() == [1, 2]
    assert (library.content.n_games, library.content.n_repeated) == (5, 3)
    assert library.texts["tags"] == [[["Table", "0"]], [["Table", "0"]]]


@pytest.mark.parametrize(
    ("text", "guess"),
    [
        ("qx|o2|md|3S3479H47D23JQC59J|", "LIN"),
        ("<html><p>no boards</p>", "web page"),
        ("condition hcp(north) > 3\n", "script"),
        (f"n {N} e {E} s {S} w {W} \n", "printoneline"),
        ("just some text", "not PBN"),
        ("% PBN 2.1\n", "no boards in this file"),
        ("", "empty"),
    ],
)
def test_files_that_are_not_pbn(read, text, guess):
    with pytest.raises(FileError, match=guess):
        read(text, format="pbn")
    assert recognise_pbn(text.encode()) == text.startswith("% PBN")


# ---------------------------------------------------------------- auction and play
@pytest.mark.parametrize(
    ("dealer", "section", "calls"),
    [
        ("N", '"N"]\n1n p 3NT AP', "1NT Pass 3NT Pass Pass Pass"),
        ("N", '"N"] 1C\tpass 1H PASS\n\t\tX XX', "1C Pass 1H Pass X XX"),
        ("N", '"N"]\n1C Pass AP', "1C Pass Pass Pass"),
        ("N", '"N"]\nPass AP', "Pass Pass Pass Pass"),
        ("E", '"N"]\n- 1S! $2 2H =1= * ', "1S!$2 2H=1= *"),
        ("N", '"E"]\n1S 2H', "- 1S 2H"),
        ("?", '"S"]\n1S +', "1S +"),
        ("N", '"N"]\n1NT!=2=^S Pass', "1NT!=2=^S Pass"),
        ("N", '"N"]\n', ""),
        ("N", '"N"]\n1♠ D 2♥ R 1 NT Dbl all pass', "1S X 2H XX 1NT X Pass Pass Pass"),
        ("N", '"N"]\n1S (D) 2H, (P) 3S-P-4S', "1S X 2H Pass 3S Pass 4S"),
        ("N", '"N"]\n1C $1 D 1NT =1= X =2= D', "1C$1 X 1NT=1= X=2= X"),
    ],
)
def test_auctions(read, dealer, section, calls):
    library = read(f'[Dealer "{dealer}"]\n[Deal "{DEAL}"]\n[Auction {section}\n')
    assert library.texts.get("auction", [""]) == [calls]
    assert library.deals.dealer[0] == {"N": 0, "E": 1, "?": 2}[dealer]


def test_notes_and_auctions_that_cannot_be_read(read):
    library = read(
        f'[Dealer "N"]\n[Deal "{DEAL}"]\n[Auction "N"]\n1NT =1= Pass\n[Note "1:15-17 !S"]\n[Play "E"]\nSA =1=\n'
        f'[Note "1:lead"]\n\n[Deal "{DEAL}"]\n[Auction "N"]\n1NT ____ see below\n[Note "1:a"]\n'
    )
    assert library.texts["auction_notes"] == ["1:15-17 !S", ""]
    assert library.texts["auction"] == ["1NT=1= Pass", ""]
    assert library.texts["tags"][1] == [["Auction", "N", "1NT ____ see below"], ["Note", "1:a"]]


def test_alerts_and_texts_of_notes(read):
    section = '1NT =15-17= Pass 2C* =2= Pass 4N* X =to play, 2 NT=\n[Note "2:Stayman"]'
    library = read(f'[Dealer "N"]\n[Deal "{DEAL}"]\n[Auction "N"]\n{section}\n')
    assert library.texts["auction"] == ["1NT=1= Pass 2C=2= Pass 4NT=4= X=3="]
    assert library.texts["auction_notes"] == ["2:Stayman\n1:15-17\n3:to play, 2 NT\n4:Alert"]
    assert not library.content.remarks


def test_an_unknown_call_is_a_remark(read):
    library = read(f'[Dealer "N"]\n[Deal "{DEAL}"]\n[Auction "N"]\n1NT Pass gib 3NT\n')
    assert library.content.remarks == [
        (3, "'gib' in an auction is not a call; the auction is kept as it is written")
    ]


@pytest.mark.parametrize("first", ['[Event "x"]', '[Site "x"]', '% a comment\n[Board "{0}"]', '[Dealer "N"]'])
def test_an_unclosed_brace_ends_at_the_next_board(read, first):
    games = []
    for number in range(1, 37):
        opening = "{unclosed" if number == 3 else "{closed}" if number == 35 else ""
        games.append(
            f'{first.format(number)}\n[Dealer "N"]\n[Deal "{DEAL}"]\n[Auction "N"]\n1NT {opening} AP\n\n'
        )
    library = read("".join(games))
    assert len(library) == 36
    assert library.texts["auction"][3:] == ["1NT Pass Pass Pass"] * 33
    assert "not closed" in " ".join(remark for _, remark in library.content.remarks)


def test_deals_in_a_comment_are_a_remark(read):
    games = [
        f'[Event "x"]\n[Deal "{DEAL}"]\n[Auction "N"]\nAP {"{" * (k == 1)}{"}" * (k == 5)}\n\n'
        for k in range(9)
    ]
    library = read("".join(games))
    assert len(library) == 5
    assert library.content.remarks == [(9, "a comment up to line 29 has 4 deals, which are not read")]


# South leads to west's 3NT: tricks of which the first is won by north, the second led by north.
PLAY = '[Declarer "W"]\n[Contract "3NT"]\n[Result "9"]\n[Play "N"]\n'


@pytest.mark.parametrize(
    ("rows", "played"),
    [
        ("SA S8 S5 S2\nSK S9 S6 S3\n*", "SA S8 S5 S2 SK S9 S6 S3"),
        ("H8 HQ H5 H2\nD2 DJ DQ D6\n- - CA C4 *", "H8 HQ H5 H2 DJ DQ D6 D2 CA C4"),
        ("H8 HQ H5 H2\nDJ DQ D6 D2\n", "H8 HQ H5 H2 DJ DQ D6 D2"),  # the second row in order of play
        ("SA =1= S8 S5 S2\n", "SA=1= S8 S5 S2"),
        ("sa s8 s5 s2", "SA S8 S5 S2"),
        ("*", ""),
        ("", ""),
    ],
)
def test_plays(read, rows, played):
    library = read(f'[Deal "{DEAL}"]\n{PLAY}{rows}\n')
    assert library.texts.get("play", [""]) == [played]
    assert library.texts.get("lead", [""]) == [played[:2]]
    assert library.texts["declarer"] == ["W"] and library.texts["result"] == ["9"]


@pytest.mark.parametrize("rows", ["SA S8 - S2\nSK S9 S6 S3", "CA S8 S5 S2", "SA S8 S5 S2\n+", "not known"])
def test_plays_that_cannot_be_replayed_are_kept(read, rows, tmp_path):
    library = read(f'[Deal "{DEAL}"]\n{PLAY}{rows}\n')
    assert "play" not in library.texts and library.texts["tags"] == [[["Play", "N", rows]]]
    library.write(tmp_path / "again.pbn")
    assert dk.read(tmp_path / "again.pbn").texts == library.texts


# ---------------------------------------------------------------- double-dummy tricks
# A table of our own: tricks of declarer N 9 8 7 6 5 in NT S H D C, E 4 3 2 1 0, S 13 12 11 10 9, W 0 0 0 0 1.
HEX = "9876543210dcba900001"[:5] + "dcba9" + "43210" + "00001"  # N S E W
TRICKS = {"N": [9, 8, 7, 6, 5], "S": [13, 12, 11, 10, 9], "E": [4, 3, 2, 1, 0], "W": [0, 0, 0, 0, 1]}
EXPECTED = [[TRICKS[seat]["NSHDC".index(strain)] for seat in "NESW"] for strain in "SHDCN"]


def result_rows(order: str, strains: list[str]) -> str:
    return "\n".join(
        f"{seat} {strain:<2} {TRICKS[seat]['NSHDC'.index(strain[0])]:2d}"
        for seat in order
        for strain in strains
    )


@pytest.mark.parametrize(
    "tags",
    [
        f'[DoubleDummyTricks "{HEX}"]',
        f'[DoubleDummyTricks "{HEX.upper()}"]',
        '[Ability "N:98765 E:43210 S:dcba9 W:00001"]',
        *(
            f'[OptimumResultTable "Declarer;Denomination\\2R;Result\\2R"]\n{result_rows(order, strains.split())}'
            for order, strains in (("NSEW", "NT S H D C"), ("NESW", "C D H S NT"), ("NESW", "S H D C N"))
        ),
    ],
)
def test_tables(read, tags):
    library = read(f'[Deal "{DEAL}"]\n{tags}\n\n[Deal "{OTHER}"]\n')
    assert library.tables[0].tolist() == EXPECTED
    assert (library.tables[1] == -1).all() and not library.is_solved


def test_incomplete_and_wrong_tables(read):
    table = '[OptimumResultTable "Declarer;Denomination\\2R;Result\\2R"]\n'
    library = read(
        f'[Deal "{DEAL}"]\n{table}N NT  9\nE  S 10\n\n[Deal "{DEAL}"]\n[DoubleDummyTricks "*{HEX[1:]}"]\n\n'
        f'[Deal "{DEAL}"]\n{table}N NT 14\n\n[Deal "{DEAL}"]\n[DoubleDummyTricks "123"]\n\n'
        f'[Deal "{DEAL}"]\n[DoubleDummyTricks "{HEX}"]\n{table}N NT 3\n'
    )
    tables = library.tables
    assert (tables[0] >= 0).sum() == 2 and (tables[0, 4, 0], tables[0, 0, 1]) == (9, 10)
    assert tables[1, 4, 0] == -1 and (tables[1] >= 0).sum() == 19
    assert (tables[2:4] == -1).all() and tables[4].tolist() == EXPECTED
    assert library.texts["tags"][2][0][2] == "N NT 14"
    assert library.texts["tags"][3] == [["DoubleDummyTricks", "123"]]
    assert any("differs" in remark for _, remark in library.content.remarks)


@pytest.mark.parametrize(
    ("header", "rows"),
    [
        ("Denomination;Declarer;Result", "NT N 9\nS E 3"),
        ("Result\\2R;+Denomination\\2R;Declarer", "9 NT N\n3 S E"),
        ("Declarer;Denomination;Score;Result", 'N NT "a b" 9\nE S 110 3'),
        ("Declarer Denomination Result", "N N 9 E S 3"),
        ("", "N NT 9\nE S 3"),
    ],
)
def test_columns_of_a_result_table_in_any_order(read, header, rows):
    library = read(f'[Deal "{DEAL}"]\n[OptimumResultTable "{header}"]\n{rows}\n')
    assert library.tables[0, 4, 0] == 9 and library.tables[0, 0, 1] == 3
    assert (library.tables >= 0).sum() == 2 and "tags" not in library.texts


def test_sides_as_declarers_of_a_result_table(read):
    table = "".join(f"{side} {strain} {n}\n" for side in ("NS", "EW") for n, strain in enumerate("CDHS"))
    library = read(f'[Deal "{DEAL}"]\n[OptimumResultTable "Declarer;Denomination;Result"]\n{table}NS NT ?\n')
    assert library.tables[0].tolist() == [[3] * 4, [2] * 4, [1] * 4, [0] * 4, [-1] * 4]


def test_a_result_table_without_a_column_is_kept(read):
    library = read(f'[Deal "{DEAL}"]\n[OptimumResultTable "Declarer;Result"]\nN 9\n')
    assert library.texts["tags"] == [[["OptimumResultTable", "Declarer;Result", "N 9"]]]
    assert [line for line, _ in library.content.remarks] == [2]
