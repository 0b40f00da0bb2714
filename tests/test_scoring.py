"""Scores and IMPs compared with output of the old programs, the laws and another library."""

from __future__ import annotations

import csv
import itertools
import re
from types import SimpleNamespace

import numpy as np
import pytest

from dealerkit import ArgumentError, Estimate, deal, imps, matchpoints, score
from dealerkit.appearance.content import format_note
from dealerkit.scoring import SCORINGS, Contract, check_scoring, count_telling_deals, judge, score_contracts

CALL = re.compile(r"score\((nv|vul),([xz]\w+),(\d+)\)|imps\((0-)?(\d+)\)")


def cases(reference):
    """Yield (tables of IMPs, calls, expected values) of the cases that print only scores and IMPs."""
    with open(reference / "language-cases.csv", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            calls = CALL.findall(row["script"])
            expected = row["expected"].split()
            if calls and len(calls) == len(expected):
                tables = ("v1", "v2") if row["version"] == "both" else (row["version"],)
                yield row["id"], tables, calls, [int(x) for x in expected]


def test_scores_are_those_of_the_old_programs(reference):
    checked = 0
    for case, tables, calls, expected in cases(reference):
        for table in tables:
            scores = [
                score(contract, int(tricks), vulnerable=vulnerability == "vul")
                if vulnerability
                else imps(-int(number) if minus else int(number), table)
                for vulnerability, contract, tricks, minus, number in calls
            ]
            assert scores == expected, (case, table)
            checked += len(scores)
    assert checked > 600  # the file exists and was read


def law_score(level, suit, doubled, tricks, vulnerable):
    """Return the score by the tables of Law 77, trick by trick."""
    if tricks < level + 6:
        penalty = 0
        for k in range(1, level + 6 - tricks + 1):
            if not doubled:
                penalty += 100 if vulnerable else 50
            elif vulnerable:
                penalty += (200 if k == 1 else 300) * doubled
            else:
                penalty += (100 if k == 1 else 200 if k <= 3 else 300) * doubled
        return -penalty
    trick = {"S": 30, "H": 30, "D": 20, "C": 20, "N": 30}[suit]
    contract = sum((40 if suit == "N" and k == 0 else trick) for k in range(level)) * 2**doubled
    total = contract
    if contract < 100:
        total += 50
    else:
        total += 500 if vulnerable else 300
    total += {(6, False): 500, (6, True): 750, (7, False): 1000, (7, True): 1500}.get((level, vulnerable), 0)
    total += (0, 50, 100)[doubled]
    for _ in range(level + 6, tricks):
        total += (trick, 200 if vulnerable else 100, 400 if vulnerable else 200)[doubled]
    return total


def test_scores_are_those_of_the_laws():
    for level, suit, doubled, vulnerable in itertools.product(range(1, 8), "SHDCN", range(3), (False, True)):
        tricks = np.arange(16)  # the programs count 14 and more as further overtricks
        text = f"{level}{suit}{'x' * doubled}"
        expected = [law_score(level, suit, doubled, int(t), vulnerable) for t in tricks]
        assert score(text, tricks, vulnerable=vulnerable).tolist() == expected, text


def test_scores_are_those_of_another_library():
    types = pytest.importorskip("endplay.types")
    penalties = (types.Penalty.passed, types.Penalty.doubled, types.Penalty.redoubled)
    for level, (s, letter), doubled, side in itertools.product(
        range(1, 8), enumerate("SHDCN"), range(3), ("none", "both")
    ):
        for tricks in range(14):
            contract = types.Contract(
                level=level,
                denom=types.Denom.find(letter),
                declarer=types.Player.north,
                penalty=penalties[doubled],
                result=tricks - level - 6,
            )
            scores = score(SimpleNamespace(level=level, strain=s, doubled=doubled), tricks, vulnerable=side)
            assert scores == contract.score(types.Vul.find(side)), (level, letter, doubled, tricks, side)


def test_arrays_broadcast():
    level, strain, doubled = np.array([1, 4, 7]), np.array([3, 0, 4]), np.array([0, 1, 2])
    tricks, vulnerable = np.arange(14)[:, None], np.array([[[False]], [[True]]])
    many = score_contracts(level, strain, doubled, tricks, vulnerable)
    assert many.shape == (2, 14, 3)
    for v, t, c in itertools.product(range(2), range(14), range(3)):
        contract = Contract(int(level[c]), int(strain[c]), int(doubled[c]))
        assert many[v, t, c] == score(contract, t, vulnerable=bool(v))


def test_small_integers_do_not_overflow():
    assert score("7Nxx", np.array([13], np.int8), vulnerable=np.array([True])).tolist() == [2980]
    assert imps(np.array([-128, 127], np.int8)).tolist() == [-4, 4]
    assert imps(np.array([650], np.uint16)).tolist() == [12]


# Law 78B: the differences in score, in tens, that begin each number of IMPs.
LAW_78B = (
    (20, 1), (50, 2), (90, 3), (130, 4), (170, 5), (220, 6), (270, 7), (320, 8), (370, 9), (430, 10),
    (500, 11), (600, 12), (750, 13), (900, 14), (1100, 15), (1300, 16), (1500, 17), (1750, 18), (2000, 19),
    (2250, 20), (2500, 21), (3000, 22), (3500, 23), (4000, 24),
)  # fmt: skip


def test_imps_of_the_laws():
    for points_apart in range(0, 8000, 10):
        expected = max((points for start, points in LAW_78B if start <= points_apart), default=0)
        assert imps(points_apart) == expected
        assert imps(-points_apart) == -expected
    assert imps(np.array([430.0, -20.0])).tolist() == [10, -1]


def test_documented_errors_of_the_old_tables():
    assert [imps(d, "v1") for d in (410, 420, 1190, 1200, 1290)] == [9, 10, 15, 16, 16]
    assert 12 not in imps(np.arange(0, 5000), "v2")
    differ = [d for d in range(0, 5000, 10) if imps(d, "v1") != imps(d, "v2")]
    assert differ == list(range(600, 750, 10))


def test_contracts_in_all_notations():
    for level, (strain, letter), doubled in itertools.product(range(1, 8), enumerate("SHDCN"), range(3)):
        contract = Contract(level, strain, doubled)
        for text in (
            f"{level}{letter}",
            f"x{level}{letter}",
            f"z{level}{letter}",
            f"{level}{letter}".lower(),
        ):
            assert Contract.parse(text + "x" * doubled) == contract
        assert Contract.parse(str(contract)) == contract
    assert Contract.parse(" 3ntX ") == Contract(3, 4, 1)


@pytest.mark.parametrize("text", ["", "8S", "0N", "4", "S4", "4Sxxx", "4NTT", "y3N", "4S x"])
def test_texts_that_are_not_contracts_are_refused(text):
    with pytest.raises(ArgumentError, match="is not a contract"):
        score(text, 10)


def test_errors_suggest_corrections():
    with pytest.raises(ArgumentError, match="did you mean 'official'"):
        imps(100, "oficial")
    with pytest.raises(ArgumentError, match="is not a contract"):
        score(44, 10)
    with pytest.raises(ArgumentError, match="1 to 7"):
        Contract(8, 0)


def test_matchpoints_of_both_sides_add_up(rng):
    ours, theirs = rng.integers(-5, 5, (2, 200)) * 50
    share = matchpoints(ours, theirs)
    np.testing.assert_array_equal(share + matchpoints(theirs, ours), 1.0)
    assert ((share == 1) == (ours > theirs)).all()
    assert ((share == 0.5) == (ours == theirs)).all()
    assert matchpoints(-50, -100) == 1.0


def test_columns_of_contracts_declarers_and_vulnerabilities(rng):
    pd = pytest.importorskip("pandas")
    texts = [f"{level}{strain}{x}" for level in range(1, 8) for strain in "SHDCN" for x in ("", "x", "xx")]
    contracts, tricks = rng.choice(texts, 300), rng.integers(0, 14, 300)
    declarers, vulnerable = rng.integers(0, 4, 300), rng.integers(0, 4, 300).astype(np.int8)
    sides = {0: "", 1: "NS", 2: "EW", 3: "NESW"}  # vulnerable sides as in `Deals.vulnerable`
    expected = [
        score(text, int(t), vulnerable="NESW"[d] in sides[v])
        for text, t, d, v in zip(contracts, tricks, declarers, vulnerable, strict=True)
    ]
    assert score(contracts, tricks, vulnerable=vulnerable, declarer=declarers).tolist() == expected
    names = np.array(["none", "NS", "ew", "all"])[vulnerable]
    seats = pd.Series(np.array(["north", "E", "South", "w"])[declarers])
    table = pd.DataFrame({"contract": contracts, "tricks": tricks, "seat": seats}, index=range(7, 307))
    scores = score(table.contract, table.tricks, vulnerable=names, declarer=seats)
    assert isinstance(scores, np.ndarray) and scores.tolist() == expected
    assert score([Contract(3, 4), "4s"], 9).tolist() == [400, -50]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((["4S", "3X"], 9, False, None), "contract 1: '3X' is not a contract"),
        (("4S", 9, "NS", None), "vulnerable is ns.*declarer="),
        (("4S", 9, np.array([0, 2]), None), "vulnerable is ew.*declarer="),
        (("4S", 9, 2, None), "vulnerable is ew.*declarer="),
        (("4S", 9, [True, 1], None), "vulnerable is ns.*declarer="),
        (("4S", 9, np.array([0, -1], np.int8), 2), "row 1: unknown vulnerability -1"),
        (("4S", 9, "nobody", 2), "vulnerability"),
        (("4S", 9, "both", "soth"), "south"),
        (("4S", [9, 9.5], False, None), "tricks has the value .9.5."),
        (("4S", np.array([9, np.nan]), False, None), "whole numbers"),
        (("4S", "ten", False, None), "whole numbers"),
        (([["4S"]], [9], False, None), "contract 0"),
        ((["4S", None], 9, False, None), "contract 1: None"),
        ((["4S", "3S"], [9, 9, 9], False, None), r"contract \(2,\), tricks \(3,\)"),
    ],
)
def test_scores_of_wrong_or_unknown_values_are_refused(arguments, message):
    contract, tricks, vulnerable, declarer = arguments
    with pytest.raises(ArgumentError, match=message):
        score(contract, tricks, vulnerable=vulnerable, declarer=declarer)


@pytest.mark.parametrize(
    ("vulnerable", "points"),  # of 4S made by north and by east, by the laws: 420, vulnerable 620
    [
        (False, (420, 420)), ("none", (420, 420)), (0, (420, 420)), (True, (620, 620)), ("both", (620, 620)),
        ("all", (620, 620)), (3, (620, 620)), (np.True_, (620, 620)), ("NS", (620, 420)), ("ns", (620, 420)),
        (1, (620, 420)), ("ew", (420, 620)), (2, (420, 620)), (["ns", True], (620, 620)), ([0, "EW"], (420, 620)),
        (np.array([False, True]), (420, 620)),
    ],
)  # fmt: skip
def test_a_vulnerability_has_many_spellings(vulnerable, points):
    assert tuple(score("4S", [10, 10], vulnerable=vulnerable, declarer=["north", "east"])) == points
    if np.ndim(vulnerable) == 0 and points[0] == points[1]:  # the seat of declarer makes no difference
        assert score("4S", 10, vulnerable=vulnerable) == points[0]


@pytest.mark.parametrize("wrong", [np.nan, "x", np.array([50.0, np.inf])])
def test_wrong_differences_are_refused(wrong):
    with pytest.raises(ArgumentError, match="whole numbers"):
        imps(wrong)
    with pytest.raises(ArgumentError, match="whole numbers"):
        matchpoints(50, wrong)


def test_unknown_tricks_have_no_score() -> None:
    with pytest.raises(ArgumentError, match="tricks is -1 in row 2"):
        score("3NT", np.array([9, 10, -1]))
    # In scripts tricks may be any expression: 6 down, not vulnerable, scores -300.
    deals = deal(1, seed=1)
    assert deals.eval("score(nv, 4S, 10 - 6)").tolist() == [-300]
    assert deals.eval("score(nv, 4S, 2 - 3)").tolist() == [-550]


def test_of_an_auction_the_last_bid_is_the_contract():
    with pytest.raises(ArgumentError, match="did you mean '3NT'"):
        score("1NT-3NT", 9)


@pytest.mark.parametrize(
    ("name", "gains"),
    [
        ("imps", [6, 0, -5, 0]),
        ("points", [250, 0, -190, -10]),
        ("matchpoints", [0.5, 0, -0.5, -0.5]),
        ("board-a-match", [0.5, 0, -0.5, -0.5]),  # a win, a tie and two losses
    ],
)
def test_gains_of_scorings(name, gains):
    ours, theirs = np.array([420, 170, -50, 100]), np.array([170, 170, 140, 110])
    scoring = SCORINGS[name]
    assert scoring.compare(ours, theirs).tolist() == gains
    assert min(gains) >= scoring.limits.low and max(gains) <= scoring.limits.high


def test_names_of_scorings():
    assert [check_scoring(name) for name in ("IMPs", " Points", "bam", "MP")] == [
        "imps", "points", "board-a-match", "matchpoints",
    ]  # fmt: skip
    with pytest.raises(ArgumentError, match="did you mean 'imps'"):
        check_scoring("imp")
    with pytest.raises(ArgumentError, match="unknown scoring 'tricks'"):
        check_scoring("tricks")
    with pytest.raises(ArgumentError, match="do not follow from scores"):
        SCORINGS["tricks"].compare(np.array([1]), np.array([2]))


def test_verdicts():
    gains = [Estimate(value, 1.0, value - 2, value + 2, 30) for value in (3.0, -3.0, 2.0, -1.0)]
    assert [judge(gain) for gain in gains] == ["ahead", "behind", "not decided", "not decided"]
    sentences = [
        format_note(SCORINGS["points"].describe("4S", "3NT", {"": gain}, 1234)) for gain in gains[:3]
    ]
    assert sentences == [
        "4S against 3NT: +3.0 ± 2.0 points, 4S is ahead.",
        "4S against 3NT: -3.0 ± 2.0 points, 3NT is ahead.",
        "4S against 3NT: +2.0 ± 2.0 points, too close to call with 1,234 deals; about 5,000 would tell.",
    ]


@pytest.mark.parametrize(
    ("value", "half", "n", "needed"),
    [(15, 16, 500, 2300), (2, 2, 1234, 5000), (1, 4, 100, 6400), (0.99, 4, 100, None), (0, 0, 10, None)],
)
def test_deals_that_would_tell(value: float, half: float, n: int, needed: int | None):
    """With n' deals the half-width is half * sqrt(n / n'): at the number named it is half the difference."""
    assert count_telling_deals(Estimate(value, half / 2, value - half, value + half, n), n) == needed
