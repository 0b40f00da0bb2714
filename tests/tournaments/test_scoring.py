"""Worked examples of the rules, each with its source, and a second method that counts results one by one."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dealerkit as dk
from dealerkit.tournaments.field_scores import (
    apply_neuberg,
    count_matchpoints,
    find_datum,
    round_ratios,
    score_butler,
    score_small_field,
    sum_cross_imps,
)
from tests.support import events


def read(folder: Path, rows: str, scoring: str = "matchpoints", **rules: object) -> dk.TournamentResults:
    path = folder / "event.csv"
    path.write_text(
        "board,ns,ew,contract,declarer,tricks,score,score_ew\n" + rows, encoding="utf-8", newline=""
    )
    return dk.results(path, scoring, **rules)


# ------------------------------------------------------------ matchpoints


def test_neuberg_examples_of_the_english_bridge_union() -> None:
    """https://www.ebu.co.uk/lawsandethics/articles/neuberg/application.htm: 10 expected, 7 and 3 obtained."""
    seven = round_ratios(apply_neuberg(np.array([12, 10, 8, 6, 4, 2, 0]), 10), 1, 9)
    assert (seven[0], seven[1], seven[-1]) == (17.6, 14.7, 0.4)
    assert round_ratios(apply_neuberg(np.array([4, 2, 0]), 10), 1, 9).tolist() == [15.7, 9.0, 2.3]


def test_neuberg_of_a_french_final() -> None:
    """Board 1 of a national final: 21 results of 22, 27 matchpoints become 28.3 (42 is the top)."""
    ratios = apply_neuberg(np.array([27] * 21), 22)
    assert round_ratios(ratios, 1, 21).tolist() == [28.3] * 21


@given(st.lists(st.sampled_from([-100, -50, 0, 110, 140, 420]), min_size=2, max_size=12), st.integers(2, 14))
def test_matchpoints_against_a_count_of_pairs(scores: list[int], expected: int) -> None:
    by_hand = [
        sum(2 if own > other else 1 if own == other else 0 for k, other in enumerate(scores) if k != place)
        for place, own in enumerate(scores)
    ]
    counted = count_matchpoints(np.array(scores, float))
    assert counted.tolist() == by_hand
    factored = apply_neuberg(counted, expected)
    exact = [Fraction(points + 1) * expected / len(scores) - 1 for points in by_hand]
    assert factored.values.tolist() == [pytest.approx(float(value)) for value in exact]
    # Rounded exactly, halves towards the average.
    average = expected - 1
    for value, rounded in zip(exact, round_ratios(factored, 1, average).tolist(), strict=True):
        low = Fraction(int(10 * value // 1), 10)
        rest = value - low
        half = Fraction(1, 20)
        up = rest > half or rest == half and value < average
        assert rounded == pytest.approx(float(low + Fraction(up, 10)))


def test_weighted_score(tmp_path: Path) -> None:
    # 60 % of 420 and 40 % of -50 against 450, 420 and 100. By hand: 420 has 0 + 1 + 2 = 3, -50 has 0;
    # 0.6 * 3 = 1.8. The others: 450 has 6; 420 has 0 + (0.6 * 1 + 0.4 * 2) + 2 = 3.4; 100 has 0.4 * 2 = 0.8.
    rows = "1,1,2,,,,60% 420 40% -50,\n1,3,4,,,,450,\n1,5,6,,,,420,\n1,7,8,,,,100,\n"
    event = read(tmp_path, rows)
    assert event.results.mp_ns.tolist() == [pytest.approx(value) for value in (1.8, 6, 3.4, 0.8)]
    assert event.results.mp_ew.tolist() == [pytest.approx(6 - value) for value in (1.8, 6, 3.4, 0.8)]
    assert event.results.kind[0] == "assigned" and event.results.score_ns[0] == pytest.approx(232)
    # Cross-IMPs of the mean of both parts: 420 is -1 0 +8, -50 is -11 -10 -4; (0.6 * 7 - 0.4 * 25) / 3.
    imps = event.score("cross-imps").results
    assert imps.imp_ns[0] == pytest.approx((0.6 * 7 - 0.4 * 25) / 3)
    assert imps.imp_ns.sum() == pytest.approx(0)


def test_split_score(tmp_path: Path) -> None:
    # North-south keep 420, east-west get -100 instead of -420; the sides are compared for themselves.
    rows = "1,1,2,,,,420,-100\n1,3,4,,,,420,-420\n1,5,6,,,,100,-100\n"
    event = read(tmp_path, rows)
    assert event.results.kind.tolist() == ["assigned", "played", "played"]
    assert event.results.mp_ns.tolist() == [3, 3, 0]
    assert event.results.mp_ew.tolist() == [3, 0, 3]


def test_artificial_scores_and_session_averages(tmp_path: Path) -> None:
    # Boards 2 and 3: pair 1 has 2 of 4, and (2 + 1) * 3 / 2 - 1 = 3.5 of 4: 68.75 %, more than 60 %.
    rows = "1,1,2,,,,A6040,\n1,3,4,,,,420,\n1,5,6,,,,400,\n"
    rows += "2,1,4,,,,450,\n2,3,6,,,,500,\n2,5,2,,,,400,\n3,1,2,,,,50,\n3,3,6,,,,A+-,\n3,5,4,,,,-50,\n"
    results = read(tmp_path, rows).results
    assert results.mp_ns.tolist()[:3] == [2.75, 3.5, 0.5]
    # Pair 2 has 100 and 12.5 % on its other boards; average minus remains 40 %.
    assert results.mp_ew.tolist()[0] == pytest.approx(1.6)
    # Pair 3 has 87.5 and 100 %, pair 6 has 87.5 and 0 %: 40 % is less.
    assert results.mp_ns.tolist()[7] == pytest.approx(4 * (0.875 + 1) / 2)
    assert results.mp_ew.tolist()[7] == pytest.approx(4 * 0.4)


def test_artificial_scores_at_imps(tmp_path: Path) -> None:
    rows = "1,1,2,,,,A+-,\n1,3,4,,,,420,\n1,5,6,,,,-50,\n1,7,8,,,,420,\n"
    event = read(tmp_path, rows, "cross-imps", divisor="none")
    assert event.results.imp_ns.tolist()[0] == 9  # 3 for each of the three others, as in ACBLscore
    assert event.score("cross-imps").results.imp_ns[0] == 3  # Law 86A
    assert event.score("butler").results.imp_ew[0] == -3


def test_fouled_board(tmp_path: Path) -> None:
    """Law 87: each form is compared for itself and factored to the full field."""
    deals = ("N:KT9.QJ87.KJ75.Q3 8432.T654.982.J6 J.A93.AQ43.AK972 AQ765.K2.T6.T854",
             "N:KT9.QJ87.KJ75.Q3 8432.T654.98.J62 J.A93.AQ432.AK97 AQ765.K2.T6.T854")  # fmt: skip
    rows = "board,ns,ew,score,deal\n"
    for table, (score, deal) in enumerate(
        zip([420, 450, 400, -50, 430, 450], [0, 0, 0, 0, 1, 1], strict=True)
    ):
        rows += f"1,{2 * table + 1},{2 * table + 2},{score},{deals[deal]}\n"
        rows += f"2,{2 * table + 1},{2 * table + 2},{score},\n"
    path = tmp_path / "fouled.csv"
    path.write_text(rows, encoding="utf-8", newline="")
    event = dk.results(path, "matchpoints")
    first = event.results[event.results.board == 1]
    assert first.field.nunique() == 2 and event.expected == {0: 6}
    # M 4 6 2 0 of four, 0 2 of two, of six expected: 1.5 (M + 1) - 1 and 3 (M + 1) - 1.
    assert first.mp_ns.tolist() == [6.5, 9.5, 3.5, 0.5, 2, 8]
    assert "2 deals have this number" in " ".join(event.remarks.text)
    # White Book 4.2.3.3: two of six have 55 and 65 %.
    small = event.score("matchpoints", small_fields="EBU").results
    assert small[small.board == 1].share_ns.tolist()[4:] == [0.55, 0.65]
    assert score_small_field(np.array([3.0, 1, 2])).tolist() == [0.7, 0.5, 0.6]


def test_each_board_by_its_own_results(tmp_path: Path) -> None:
    rows = "1,1,2,,,,A+-,\n1,3,4,,,,420,\n1,5,6,,,,400,\n2,1,2,,,,50,\n2,3,4,,,,100,\n2,5,6,,,,-50,\n"
    event = read(tmp_path, rows, neuberg=False)
    assert event.results.mp_ns.tolist()[1:3] == [2, 0] and event.results.share_ns.tolist()[1:3] == [1, 0]
    assert read(tmp_path, rows, per_win=1).results.mp_ns.tolist()[3:] == [1, 2, 0]


# ------------------------------------------------------------ IMPs


def test_butler_example_of_the_bermuda_bowl() -> None:
    """BBO forum 48693: 3 x 980, 11 x 480, 7 x 450 and -50; mean 514.55, datum 510."""
    scores = np.repeat([980.0, 480, 450, -50], [3, 11, 7, 1])
    assert scores.mean() == pytest.approx(514.545, abs=1e-3)
    assert find_datum(scores, "mean") == 510
    assert score_butler(np.array([980.0, 480, 450, -50]), 510).tolist() == [10, -1, -2, -11]
    assert find_datum(scores, "median") == 480
    assert find_datum(scores, "butler-2") == 520  # (11320 - 980 + 50) / 20 = 519.5
    assert find_datum(scores, "acblscore") == 520  # 5 % of 22 results is one at each end


def test_datums_are_rounded_to_the_even_ten() -> None:
    """ACBLscore manual, 83: 425 becomes 420, 435 becomes 440."""
    assert [find_datum(np.array([value]), "mean") for value in (425.0, 435.0, -425.0, 424.9)] == [
        420, 440, -420, 420,
    ]  # fmt: skip


def test_a_printed_datum_is_used(tmp_path: Path) -> None:
    path = tmp_path / "butler.csv"
    text = "board,ns,ew,score,datum,imp_ns,imp_ew\n1,1,2,420,100,8,-8\n1,3,4,-50,100,-4,4\n"
    path.write_text(text, encoding="utf-8", newline="")
    event = dk.results(path, "butler")
    assert event.results.imp_ns.tolist() == [8, -4] and not len(event.compare_official().frame)
    mean = event.score("butler", datum="mean")
    assert mean.results.datum.tolist() == [180, 180] and mean.results.imp_ns.tolist() == [6, -6]


def test_cross_imps_example() -> None:
    """https://www.bridge.dk/4130/IMPs_across_the_field.html"""
    assert sum_cross_imps(np.array([140.0, 420, -50, 170, 140])).tolist() == [-3, 30, -26, 2, -3]


@given(st.lists(st.integers(-80, 80), min_size=2, max_size=9))
def test_cross_imps_against_single_differences(tens: list[int]) -> None:
    scores = [10 * value for value in tens]
    by_hand = [sum(dk.imps(own - other) for other in scores) for own in scores]
    assert sum_cross_imps(np.array(scores, float)).tolist() == by_hand


def test_divisors_of_cross_imps(tmp_path: Path) -> None:
    """PBN 2.1, 3.4.12: Cross, Cross1 and Cross2; with fewer results sum (E / A) / (E - 1), EBU forum 1041."""
    rows = "".join(
        f"1,{2 * k + 1},{2 * k + 2},,,,{score},\n" for k, score in enumerate((140, 420, -50, 170, 140))
    )
    for divisor, factor in (("none", 1), ("n", 1 / 5), ("n-1", 1 / 4)):
        found = read(tmp_path, rows, "cross-imps", divisor=divisor).results.imp_ns.tolist()
        assert found == [pytest.approx(factor * value) for value in (-3, 30, -26, 2, -3)]
    found = read(tmp_path, rows, "cross-imps", expected=7).results.imp_ns.tolist()
    assert found == [pytest.approx(value * (7 / 5) / 6) for value in (-3, 30, -26, 2, -3)]


# ------------------------------------------------------------ victory points


@pytest.mark.parametrize(
    ("boards", "points"),
    [
        (8, (10.44, 10.86, 12.05, 13.78, 15.23, 16.46, 18.37, 19.73, 20)),
        (16, (10.31, 10.61, 11.48, 12.80, 13.97, 15.00, 16.73, 18.09, 19.16, 20)),
        (20, (10.28, 10.55, 11.34, 12.53, 13.61, 14.58, 16.23, 17.56, 18.63, 19.49)),
        (32, (10.22, 10.44, 11.07, 12.05, 12.95, 13.78, 15.23, 16.46, 17.50, 18.37)),
    ],
)
def test_victory_points_of_the_world_bridge_federation(boards: int, points: tuple[float, ...]) -> None:
    margins = (1, 2, 5, 10, 15, 20, 30, 40, 50, 60)[: len(points)]
    assert dk.victory_points(np.array(margins), boards).tolist() == list(points)
    assert dk.victory_points(-margins[0], boards) == round(20 - points[0], 2)


def test_victory_points_that_klinger_printed() -> None:
    """R. Klinger, The new WBF IMPs to VPs scale, neapolitanclub: 14 boards."""
    assert [dk.victory_points(margin, 14) for margin in (2, 7, 10, 20)] == [10.66, 12.16, 12.97, 15.26]


def test_first_margin_of_twenty_points() -> None:
    for boards, first in ((8, 43), (16, 60), (20, 68), (32, 85)):
        assert dk.victory_points(first, boards) == 20 > dk.victory_points(first - 1, boards)


def test_a_table_of_victory_points() -> None:
    assert dk.victory_points([0, 1, 2, 9, -1], 16, table=[10, 11, 12.5]).tolist() == [10, 11, 12.5, 12.5, 9]
    for table in ([], [11, 12], [10, 9], [10, 25]):
        with pytest.raises(dk.ArgumentError):
            dk.victory_points(1, 16, table=table)


# ------------------------------------------------------------ totals and official points


def test_totals_are_sums_of_rounded_boards(tmp_path: Path) -> None:
    rows = "".join(
        f"{board},1,2,,,,A6040,\n{board},3,4,,,,420,\n{board},5,6,,,,400,\n{board},7,8,,,,50,\n"
        for board in (1, 2, 3)
    )
    exact = read(tmp_path, rows).pairs.set_index("id").total
    rounded = read(tmp_path, rows, decimals=1).pairs.set_index("id").total
    # M = 4 of three results, 4 expected: 5 * 4 / 3 - 1 = 5.6667
    assert exact["3"] == pytest.approx(17) and rounded["3"] == pytest.approx(17.1)


def test_official_differences_are_listed(tmp_path: Path) -> None:
    path = tmp_path / "event.csv"
    text = "board,ns,ew,score,mp_ns,mp_ew\n1,1,2,420,4.0,0\n1,3,4,100,1.0,2\n1,5,6,50,0,4\n"
    path.write_text(text, encoding="utf-8", newline="")
    found = dk.results(path).compare_official().frame
    assert found[["line", "board", "pair", "column", "official", "computed"]].values.tolist() == [
        [3, 1, "3", "official_mp_ns", 1.0, 2.0]
    ]


def test_official_ranks(tmp_path: Path) -> None:
    # Pairs 1 and 3 have the same result: programs that break the tie give them the ranks 1 and 2.
    def read(ranks: str) -> list[list[object]]:
        first, second, third = ranks.split()
        (tmp_path / "event.pbn").write_text(
            f'[Board "1"]\n[Vulnerable "None"]\n[Scoring "MatchPoints"]\n[Deal "{events.DEAL_1}"]\n'
            '[TotalScoreTable "Rank;PairId;Direction"]\n'
            f"{first} 1 NS\n{second} 3 NS\n{third} 5 NS\n"
            '[ScoreTable "PairId_NS;PairId_EW;Contract;Declarer;Result"]\n'
            "1 2 4H N 10\n3 4 4H S 10\n5 6 4H N 9\n",
            encoding="utf-8",
        )
        frame = dk.results(tmp_path / "event.pbn").compare_official().frame
        return frame[["pair", "column", "official", "computed"]].values.tolist()

    assert read("1 1 3") == [] and read("1 2 3") == [] and read("2 1 3") == []
    assert read("1 3 3") == [["3", "official_rank", 3, 1]]
    assert read("1 2 2") == [["5", "official_rank", 2, 3]]


def test_unknown_rules() -> None:
    for options in (
        {"method": "rubber"},
        {"datum": "mode"},
        {"per_win": 3},
        {"expected": 1},
        {"decimals": -1},
    ):
        with pytest.raises(dk.ArgumentError):
            dk.EventScoring(**options)
