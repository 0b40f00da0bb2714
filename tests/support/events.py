"""Invented events in each format, with points worked out by hand."""

from __future__ import annotations

DEAL_1 = "N:KT9.QJ87.KJ75.Q3 8432.T654.982.J6 J.A93.AQ43.AK972 AQ765.K2.T6.T854"
DEAL_2 = "N:732.T952.3.A7532 94.KJ.KJ42.KQT64 AJ6.43.AQT765.J8 KQT85.AQ876.98.9"
DEAL_1_TURNED = "N:AQ765.K2.T6.T854 KT9.QJ87.KJ75.Q3 8432.T654.982.J6 J.A93.AQ43.AK972"

HEADER = (
    r"Section\1L;Table\2R;Round\2R;PairId_NS\2R;PairId_EW\2R;Contract\5L;Declarer\1R;Result\2R;Lead\3L;"
    r"Score_NS\6R;Score_EW\6R;MP_NS\5R;MP_EW\5R;Percentage_NS\3R;Percentage_EW\3R"
)

# Board 1: seven tables are planned, one has 60/40 (A+ for north-south). Of the other six, 450 is above four
# scores and equal to none: by hand, with A = 6 and E = 7, M' = 7 (M + 1) / 6 - 1, rounded to 0.1.
#   NS    450  420  420  400  -50 -100
#   M      10    7    7    4    2    0
#   M'   11.8  8.3  8.3  4.8  2.5  0.2     EW: 12 - M' = 0.2 3.7 3.7 7.2 9.5 11.8
# A+ is 60 % of the full top of 12: 7.2, average minus 4.8.
BOARD_1 = [
    'A 1 1 1 8 4H N 11 C6 "450" - 11.8 0.2 99 1',
    'A 2 1 2 9 4H N 10 - "420" - 8.3 3.7 69 31',
    'A 3 1 3 10 4H S 10 ♠5 - "-420" 8.3 3.7 69 31',
    'A 4 1 4 11 3N S 9 - "400" - 4.8 7.2 40 60',
    'A 5 1 5 12 4H N 9 - "-50" - 2.5 9.5 21 79',
    'A 6 1 6 13 4HX N 9 - - "100" 0.2 11.8 1 99',
    'A 7 1 7 14 - - - - "A+" "A-" 7.2 4.8 60 40',
]

# Board 2, north-south vulnerable: seven results, by hand:
#   NS   1100  500   50    0 -620 -620 -650
#   M      12   10    8    6    3    3    0
BOARD_2 = [
    'A 1 2 1 9 6DX W 7 - "1100" - 12.0 0.0 100 0',
    'A 2 2 2 10 5D* W 8 - "500" - 10.0 2.0 83 17',
    'A 3 2 3 11 4S W 9 - "50" - 8.0 4.0 67 33',
    'A 4 2 4 12 PASS - 0 - "0" - 6.0 6.0 50 50',
    'A 5 2 5 13 4S E 10 10D - "420" 3.0 9.0 25 75',
    'A 6 2 6 14 4S E 10 - - "420" 3.0 9.0 25 75',
    'A 7 2 7 8 4S E 11 - - "450" 0.0 12.0 0 100',
]

TOTALS = (
    '[TotalScoreTable "Rank\\2R;PairId\\2R;TotalScoreMP\\6R;TotalPercentage\\5R;Names\\30L;MemberID1;MemberID2"]\n'
    ' 1  1   23.8  99.2 "Ann Alfa - Bob Bravo" 101 102\n'
    ' 2  2   18.3  76.3 "Cyd Echo - Dan Foxtrot" 103 104\n'
    ' 3  3   16.3  67.9 "Eva India - Fay Juliett" 105 106\n'
)


def make_pbn(scoring: str = "MatchPoints;MP1", totals: str = TOTALS) -> str:
    """Return the event as PBN with score tables."""
    head = f'% PBN 2.1\n[Event "Invented pairs"]\n[Date "2026.11.02"]\n[Scoring "{scoring}"]\n'
    boards = []
    for number, deal, dealer, vulnerable, rows in (
        (1, DEAL_1, "N", "None", BOARD_1),
        (2, DEAL_2, "E", "NS", BOARD_2),
    ):
        event = head if number == 1 else '[Event "#"]\n[Date "#"]\n[Scoring "#"]\n'
        table = f'[ScoreTable "{HEADER if number == 1 else "#"}"]\n' + "\n".join(rows) + "\n"
        boards.append(
            f'{event}[Board "{number}"]\n[Dealer "{dealer}"]\n[Vulnerable "{vulnerable}"]\n[Deal "{deal}"]\n'
            f"{totals if number == 1 else ''}{table}"
        )
    return "\n".join(boards)


def split_rows() -> list[dict[str, str]]:
    """Return the rows of both boards as texts by column."""
    names = [part.split("\\")[0].lower() for part in HEADER.split(";")]
    rows = []
    for board, lines in ((1, BOARD_1), (2, BOARD_2)):
        for line in lines:
            values = [value.strip('"') for value in line.split()]
            rows.append({"board": str(board), **dict(zip(names, values, strict=True))})
    return rows


def make_csv() -> str:
    """Return the event as CSV: the score of north-south, artificial ones as 60/40."""
    lines = [
        "board,section,table,round,ns,ew,contract,declarer,tricks,lead,score,mp_ns,mp_ew,deal,vulnerable"
    ]
    deals = {"1": (DEAL_1, "none"), "2": (DEAL_2, "NS")}
    for row in split_rows():
        score = row["score_ns"] if row["score_ns"] != "-" else f"{-int(row['score_ew'])}"
        score = "60/40" if row["score_ns"] == "A+" else score
        names = (
            "section",
            "table",
            "round",
            "pairid_ns",
            "pairid_ew",
            "contract",
            "declarer",
            "result",
            "lead",
        )
        values = [row["board"], *(row[name].replace("-", "") for name in names), score]
        lines.append(",".join([*values, row["mp_ns"], row["mp_ew"], *deals[row["board"]]]))
    return "\n".join(lines) + "\n"


def make_usebio() -> str:
    """Return the event as USEBIO: hands apart from the lines, as some programs write them."""
    pairs = "".join(
        f"<PAIR><PAIR_NUMBER>{number}</PAIR_NUMBER><DIRECTION>{'NS' if number < 8 else 'EW'}</DIRECTION>"
        f"<PLAYER><PLAYER_NAME>{name}</PLAYER_NAME><NATIONAL_ID_NUMBER>{100 + number}</NATIONAL_ID_NUMBER></PLAYER>"
        "<PLAYER><PLAYER_NAME>Partner</PLAYER_NAME></PLAYER></PAIR>"
        for number, name in enumerate(["Ann Alfa", *[""] * 13], 1)
    )
    hands = ""
    for board, deal in ((1, DEAL_1), (2, DEAL_2)):
        hands += f"<BOARD><BOARD_NUMBER>{board}</BOARD_NUMBER>"
        for seat, hand in zip(("North", "East", "South", "West"), deal[2:].split(), strict=True):
            suits = zip(("SPADES", "HEARTS", "DIAMONDS", "CLUBS"), hand.split("."), strict=True)
            cards = "".join(f"<{suit}>{held.replace('T', '10')}</{suit}>" for suit, held in suits)
            hands += f"<HAND><DIRECTION>{seat}</DIRECTION>{cards}</HAND>"
        hands += "</BOARD>"
    lines = ""
    for board in ("1", "2"):
        lines += f"<BOARD><BOARD_NUMBER>{board}</BOARD_NUMBER>"
        for row in split_rows():
            if row["board"] != board:
                continue
            score = row["score_ns"] if row["score_ns"] != "-" else f"{-int(row['score_ew'])}"
            score = "A6040" if row["score_ns"] == "A+" else score
            lead = row["lead"][::-1].replace("-", "") if len(row["lead"]) == 2 else row["lead"]
            values = {
                "NS_PAIR_NUMBER": row["pairid_ns"], "EW_PAIR_NUMBER": row["pairid_ew"], "CONTRACT": row["contract"],
                "PLAYED_BY": row["declarer"], "LEAD": lead, "TRICKS": row["result"].replace("-", "0"),
                "SCORE": score, "NS_MATCH_POINTS": row["mp_ns"], "EW_MATCH_POINTS": row["mp_ew"],
            }  # fmt: skip
            inner = "".join(f"<{name}>{value}</{name}>" for name, value in values.items() if value != "-")
            lines += f"<TRAVELLER_LINE>{inner}</TRAVELLER_LINE>\n"
        lines += "</BOARD>"
    return (
        '<?xml version="1.0"?>\n<USEBIO Version="1.2"><EVENT EVENT_TYPE="MP_PAIRS">'
        "<EVENT_DESCRIPTION>Invented pairs</EVENT_DESCRIPTION><WINNER_TYPE>2</WINNER_TYPE><DATE>02/11/2026</DATE>"
        f"<PARTICIPANTS>{pairs}</PARTICIPANTS>{hands}{lines}</EVENT></USEBIO>\n"
    )


# A match of two boards: board 1 game in both rooms, board 2 a swing. By hand: 450 - 420 = 30 is 1 IMP for the
# home team; -420 - (+50) = -470 is 10 IMPs for the visitors.
LIN_DEAL_1 = "3SJHA93DAQ43CAK972,SAQ765HK2DT6CT854,SKT9HQJ87DKJ75CQ3,"
LIN_DEAL_2 = "4SAJ6H43DAQT765CJ8,SKQT85HAQ876D98C9,S732HT952D3CA7532,"
MATCH = (
    "vg|Invented final,Segment 1,I,1,2,Foxes,12,Owls,7|\n"
    "rs|4HN+1,4HN=,4SE=,4SW-1|\n"
    "pn|s1,w1,n1,e1,s2,w2,n2,e2|\n"
    f"qx|o1|md|{LIN_DEAL_1}|sv|o|mb|p|pg||\n"
    f"qx|c1|md|{LIN_DEAL_1}|sv|o|mb|p|pg||\n"
    f"qx|o2|md|{LIN_DEAL_2}|sv|n|mb|p|pg||\n"
    f"qx|c2|md|{LIN_DEAL_2}|sv|n|mb|p|pg||\n"
)
