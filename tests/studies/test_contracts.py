"""Studies of contracts, compared with the laws' tables written out, and with the program endplay."""

from __future__ import annotations

import itertools
import math
import sys
import warnings
from functools import partial
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from scipy import stats

import dealerkit as dk
from dealerkit import imps, proportion, score
from dealerkit.scoring import Contract, parse_declared
from dealerkit.studies.contracts.outcomes import ContractQuestion, list_states, solve_thresholds
from dealerkit.studies.contracts.study import build_question
from tests.plots.figure_texts import check_themes

sys.path.insert(0, str(Path(__file__).parent))
from laws import law_imps, law_score

GAME_POINTS = "hcp(north) + hcp(south)"


pytestmark = pytest.mark.filterwarnings("ignore::dealerkit.DoubleDummyBias")


@pytest.fixture(scope="module")
def deals() -> dk.Deals:
    return dk.solved_sample()[:4000]


@pytest.fixture(scope="module")
def invitations() -> dk.Deals:
    return dk.solved_sample()[:20_000].where(f"{GAME_POINTS} >= 23 and {GAME_POINTS} <= 26")[:600]


def test_the_laws_table_written_out_here_agrees_with_the_package() -> None:
    """So that the independent computations below test the study, and not two scores."""
    for level in range(1, 8):
        for strain in ("C", "D", "H", "S", "NT"):
            for doubled in ("", "x", "xx"):
                for tricks in range(14):
                    for vulnerable in (False, True):
                        text = f"{level}{strain}{doubled}"
                        assert score(text, tricks, vulnerable=vulnerable) == law_score(
                            text, tricks, vulnerable
                        )
    for difference in range(-8000, 8001, 10):
        assert imps(difference) == law_imps(difference)


def compute_gains(tricks: np.ndarray, ours: str, theirs: str, vulnerable: bool, scoring: str) -> list[float]:
    """Return the gain of each deal of one contract over another of the same strain and declarer."""
    gains = []
    for taken in tricks.tolist():
        difference = law_score(ours, taken, vulnerable) - law_score(theirs, taken, vulnerable)
        if scoring == "imps":
            gains.append(float(law_imps(difference)))
        elif scoring == "matchpoints":
            gains.append(0.5 if difference > 0 else -0.5 if difference < 0 else 0.0)
        else:
            gains.append(float(difference))
    return gains


@pytest.mark.parametrize("scoring", ["imps", "matchpoints", "points"])
def test_gains_and_rates_equal_an_independent_computation(invitations: dk.Deals, scoring: str) -> None:
    study = dk.contracts(invitations, ["2NT", "3NT"], declarer="north", scoring=scoring)
    tricks = invitations.tables[:, 4, 0]
    for state, vulnerable in (("not vulnerable", False), ("vulnerable", True)):
        gains = np.array(compute_gains(tricks, "3NT", "2NT", vulnerable, scoring))
        estimate = study.difference("3NT", state)
        se = gains.std(ddof=1) / math.sqrt(len(gains))
        assert estimate.value == pytest.approx(gains.mean())
        assert estimate.se == pytest.approx(se, rel=2e-3)
        half = stats.t.ppf(0.975, len(gains) - 1) * se
        assert (estimate.hi - estimate.lo) / 2 == pytest.approx(half, rel=2e-3)
        row = study.frame.loc[("3NT by north", state)]
        points = np.array([law_score("3NT", taken, vulnerable) for taken in tricks.tolist()])
        assert row.score == pytest.approx(points.mean())
        assert row.tricks == pytest.approx(tricks.mean())
    made = proportion(int((tricks >= 9).sum()), len(tricks))
    assert study.makes("3NT").value == pytest.approx(made.value)
    assert study.makes("3NT").hi == pytest.approx(made.hi, abs=0.002)


def test_contracts_of_different_strains_and_sides(invitations: dk.Deals) -> None:
    """Scores are from the view of the first declarer's side; each side has its vulnerability."""
    study = dk.contracts(
        invitations, ["3NT by north", "4Sx by west"], scoring="points", against="3NT by north",
        vulnerable=["EW", "none"],
    )  # fmt: skip
    ours, theirs = invitations.tables[:, 4, 0].tolist(), invitations.tables[:, 0, 3].tolist()
    for state, vulnerable in (("EW", True), ("none", False)):
        game = [law_score("3NT", taken, False) for taken in ours]
        sacrifice = [-law_score("4Sx", taken, vulnerable) for taken in theirs]
        assert study.difference("4Sx by west", state).value == pytest.approx(
            np.subtract(sacrifice, game).mean()
        )
        assert study.frame.loc[("4Sx by west", state)].score == pytest.approx(np.mean(sacrifice))


def test_agreeing_deals_are_zeros_and_are_not_solved(deals: dk.Deals) -> None:
    part = deals.where(f"{GAME_POINTS} >= 20")
    bold = [(f"{GAME_POINTS} >= 24", "3NT by north"), (True, "2NT by north")]
    sound = [(f"{GAME_POINTS} >= 26", "3NT by north"), (True, "2NT by north")]
    tables = part.tables.copy()
    points = part.eval(GAME_POINTS)
    agrees = (points < 24) | (points >= 26)
    tables[agrees] = -1  # these deals are not looked up at all
    study = dk.contracts(part.replace(tables=tables), {"sound": sound, "bold": bold}, vulnerable="none")
    gains = np.zeros(len(part))
    gains[~agrees] = compute_gains(part.tables[~agrees, 4, 0], "3NT", "2NT", False, "imps")
    assert study.difference().value == pytest.approx(gains.mean())
    assert study.difference().se == pytest.approx(gains.std(ddof=1) / math.sqrt(len(gains)), rel=2e-3)
    assert (study.deals, study.differing) == (len(part), int((~agrees).sum()))
    assert study.cost.solves == 0
    assert study.rules is not None
    assert study.rules.loc["bold"].deals.tolist() == [int((points >= 24).sum()), int((points < 24).sum())]
    assert study.makes("bold").value == pytest.approx((part.tables[~agrees, 4, 0] >= 9).mean())


def test_the_first_rule_that_applies_decides(deals: dk.Deals) -> None:
    strategy = dk.strategy(
        [("hcp(north) > 9", "1NT by north"), ("hcp(south) > 9", "1NT by south"), (True, "pass")]
    )
    north, south = deals.eval("hcp(north)"), deals.eval("hcp(south)")
    expected = np.where(north > 9, 0, np.where(south > 9, 1, 2))
    assert (strategy.find_rules(deals) == expected).all()


@pytest.mark.parametrize("scoring", ["imps", "matchpoints", "points"])
@pytest.mark.parametrize("names", [["2NT", "3NT"], ["3S", "4S", "2S"], ["6H", "5H", "4H"]])
def test_thresholds_give_the_gains_of_exact_tricks(deals: dk.Deals, names: list[str], scoring: str) -> None:
    question = build_question(names, "north", None, scoring, None)
    _, choices = question.choose(deals)
    assert question.find_thresholds(choices[:, 0].tolist()) is not None
    exact = question.solve(deals, choices)
    cheap = question.solve(deals, choices, exactly=False)
    assert (question.find_gains(choices, exact) == question.find_gains(choices, cheap)).all()
    assert len(np.unique(cheap)) < len(np.unique(exact))


def test_numbers_of_tricks_where_thresholds_are_many() -> None:
    question = build_question(["4S by south", "3NT by south"], None, None, "matchpoints", None)
    assert question.find_thresholds([0, 1]) is None  # two strains: who has more tricks counts
    doubled = build_question(["4S by south", "4Sx by south"], None, None, "points", None)
    assert doubled.find_thresholds([0, 1]) is None


def test_thresholds_ask_once_where_a_query_decides(deals: dk.Deals) -> None:
    for thresholds in ((9,), (8, 9), (7, 8, 10)):
        found = solve_thresholds(deals, (4, 1), thresholds, None)
        for threshold in thresholds:
            assert ((found >= threshold) == (deals.tables[:, 4, 1] >= threshold)).all()


def test_precision_ends_a_study_of_given_deals(deals: dk.Deals) -> None:
    study = dk.contracts(deals, ["2NT", "3NT"], declarer="north", precision=0.5, seed=3, vulnerable="none")
    assert (study.difference().hi - study.difference().lo) / 2 <= 0.5
    assert study.cost.solved_deals < len(deals)


@pytest.mark.slow
def test_a_precise_study_solves_deals_until_the_interval_is_narrow() -> None:
    balanced = " and ".join(f"shape({seat}, any 4333 + any 4432)" for seat in ("north", "south"))
    given = f"{GAME_POINTS} == 25 and {balanced}"
    options = {"declarer": "north", "precision": 1, "seed": 3, "vulnerable": "none", "solved": None}
    study = dk.contracts(given, ["2NT", "3NT"], **options)
    assert (study.difference().hi - study.difference().lo) / 2 <= 1
    assert 0 < study.cost.solved_deals < study.deals
    assert study.cost.solves < 1.7 * study.cost.solved_deals + 200  # thresholds, and 200 numbers of tricks
    assert study.provenance.seed == 3
    again = dk.contracts(given, ["2NT", "3NT"], **options)
    assert again.difference().value == study.difference().value


def test_by_values_and_break_even(deals: dk.Deals) -> None:
    part = deals.where("fit(NS, spades) >= 8")
    study = dk.contracts(part, ["3S", "4S"], declarer="south", by=GAME_POINTS)
    points, tricks = part.eval(GAME_POINTS), part.tables[:, 0, 2]
    for value in (20, 24):
        row = study.values.loc[("4S by south", "vulnerable", value)]
        at = points == value
        gains = compute_gains(tricks[at], "4S", "3S", True, "imps")
        assert row.deals == at.sum()
        assert (row.gain, row.makes) == pytest.approx((np.mean(gains), (tricks[at] >= 10).mean()))
        assert row.gain_lo < row.gain < row.gain_hi
        first = study.values.loc[("3S by south", "vulnerable", value)]
        assert (first.deals, first.makes) == (at.sum(), pytest.approx((tricks[at] >= 9).mean()))
        assert np.isnan(first.gain)
    safe, bold = (study.break_even["4S by south", state] for state in ("not vulnerable", "vulnerable"))
    assert bold.value < safe.value and safe.lo < safe.value < safe.hi
    assert not study.values.loc["4S by south"].isna().any().any()
    assert not study.values.makes.isna().any()


def test_the_table_by_values_has_the_rates_of_both_contracts(deals: dk.Deals) -> None:
    part = deals.where("fit(NS, spades) >= 8 and hcp(north) + hcp(south) == 24")
    options = {"declarer": "south", "by": GAME_POINTS, "vulnerable": "none"}
    rates = [f" {100 * (part.tables[:, 0, 2] >= tricks).mean():.0f} " for tricks in (9, 10)]
    text = dk.contracts(part, ["3S", "4S"], **options).text
    head, row = text.partition("3S by south and 4S by south at each value of")[2].splitlines()[1:3]
    assert "3S makes" in head and "4S makes" in head and "gain of 4S" in head
    assert row.split()[0] == "24" and row.index(rates[0]) < row.index(rates[1])
    # Several are compared with one, or each with the best of the others
    three = dk.contracts(part, ["2S", "3S", "4S"], against="2S", **options).text
    assert three.count("2S by south and") == 2 and three.count("2S makes") == 2
    assert "2S by south at each" not in three
    pairs = dk.contracts(part, ["2S", "3S", "4S"], **options).text
    assert pairs.count("at each value") == 3 and "2S makes" not in pairs
    passed = dk.contracts(part, ["pass", "3S"], **options).text
    assert "pass makes" not in passed and "makes" in passed


@pytest.mark.parametrize("width", [80, 90])
def test_the_table_by_values_fits_a_terminal(deals: dk.Deals, width: int) -> None:
    part = deals.where("fit(NS, spades) >= 8 and hcp(north) + hcp(south) >= 18")
    study = dk.contracts(part, ["3S", "4S"], declarer="south", by=GAME_POINTS)
    table = study.to_text(width).partition("at each value of")[2]
    assert "4S makes" in table and max(map(len, table.splitlines())) <= width


def test_play_at_the_table(invitations: dk.Deals) -> None:
    """1NT takes 0.41 tricks more than double dummy, 3NT 0.14: on these shares of the deals one trick each."""
    study = dk.contracts(invitations, ["1NT", "3NT"], declarer="north", vulnerable="none", real_play=True)
    gains, made = [], []
    for taken in invitations.tables[:, 4, 0].tolist():
        more = min(taken + 1, 13)
        pairs = ((0.14, more, more), (0.41 - 0.14, more, taken), (0.59, taken, taken))
        gains.append(sum(
            share * law_imps(law_score("3NT", three, False) - law_score("1NT", one, False))
            for share, one, three in pairs
        ))  # fmt: skip
        made.append(0.14 * (more >= 9) + 0.86 * (taken >= 9))
    assert study.difference().value == pytest.approx(np.mean(gains))
    assert study.makes("3NT").value == pytest.approx(np.mean(made))
    tricks = study.frame.tricks.to_numpy() - invitations.tables[:, 4, 0].mean()
    assert tricks == pytest.approx([0.41, 0.14])
    assert "play at the table" in study.text


def test_thresholds_of_play_at_the_table(deals: dk.Deals) -> None:
    question = build_question(["2NT", "3NT", "pass"], "north", None, "imps", None, True)
    _, choices = question.choose(deals)
    exact, cheap = question.solve(deals, choices), question.solve(deals, choices, exactly=False)
    assert question.find_gains(choices, cheap) == pytest.approx(question.find_gains(choices, exact))


# ---------------------------------------------------------------- bad input
@pytest.mark.parametrize(
    ("contracts", "arguments", "message"),
    [
        (["3 NT"], {"declarer": "north"}, "'3 NT' is not a contract; did you mean '3NT'"),
        (["4H!"], {"declarer": "north"}, "'4H!' is not a contract; did you mean '4H'"),
        (["3NT by nroth"], {}, "did you mean 'north'"),
        (["3NT"], {"declarer": "suoth"}, "did you mean 'south'"),
        (["3NT by north by south"], {}, "names two declarers"),
        (["3NT", "4Sx W"], {"declarer": "north"}, "did you mean '4Sx by west'"),
        (["3NT", "4S-south"], {"declarer": "north"}, "'4S-south' is not a contract; write one like 4S"),
        (["3NT"], {}, "3NT has no declarer; write '3NT by south'"),
        (["3NT", "2NT", "3nt"], {"declarer": "north"}, "3NT by north is given twice"),
        ([], {}, "no contract is given"),
        (["pass"], {}, "all deals are passed out"),
        (["2NT", "3NT"], {"declarer": "north", "scoring": "imp"}, "did you mean 'imps'"),
        (["2NT", "3NT"], {"declarer": "north", "vulnerable": "nsew"}, "unknown vulnerability"),
        (["2NT", "3NT"], {"declarer": "north", "precision": 0}, "a number above 0"),
        (["2NT", "3NT"], {"declarer": "north", "precision": float("inf")}, "precision is inf; give a number"),
        (["2NT", "3NT"], {"declarer": "north", "precision": 1, "produce": 5}, "not both"),
        (["2NT", "3NT"], {"declarer": "north", "produce": 5_000}, "there are 4,000 deals; leave it out"),
        (
            ["2NT", "3NT"],
            {"declarer": "north", "params": {"a": 1}},
            "apply to a condition, and deals are given",
        ),
        (["2NT", "3NT"], {"declarer": "north", "against": "4HH"}, "is not a contract"),
        ([[("hcp(north) > 9", "1NT by north")], "pass"], {}, "end the list with"),
        ([[("hcp(nroth) > 9", "1NT by north"), (True, "pass")], "pass"], {}, "rule 1 of 'strategy':1:5"),
        ([[("hcp(north) > 9", "9NT by north"), (True, "pass")], "pass"], {}, "rule 1 of 'strategy': '9NT'"),
        ({"a": [(True, "1NT by north")], "b": "1NT by north"}, {}, "same contract on all deals"),
    ],
)
def test_what_is_wrong_is_said(deals: dk.Deals, contracts: object, arguments: dict, message: str) -> None:
    with pytest.raises(dk.DealerkitError, match=message.replace("(", r"\(").replace("|", r"\|")):
        dk.contracts(deals, contracts, **arguments)


@pytest.mark.parametrize("given", [5, None, ["hcp(north) > 9"]])
def test_what_is_neither_deals_nor_a_condition(given: object) -> None:
    with pytest.raises(dk.ArgumentError, match="is not a condition; give a text, or Deals"):
        dk.contracts(given, "3NT by north")
    with pytest.raises(dk.ArgumentError, match="^a DataFrame is not a condition; give a text, or Deals"):
        dk.contracts(pd.DataFrame({"x": [1, 2]}), "3NT by north")


def test_strategies_that_never_differ_are_an_error(deals: dk.Deals) -> None:
    strategies = {
        "one": [("hcp(north) >= 38", "1NT by north"), (True, "pass")],
        "two": [("hcp(north) >= 39", "1NT by north"), (True, "pass")],
    }
    with pytest.raises(dk.ArgumentError, match="one and two choose the same contract on all 4,000 deals"):
        dk.contracts(deals, strategies)

    with pytest.raises(dk.ArgumentError, match="so there is nothing to compare"):
        dk.contracts("hcp(north) <= 20", strategies)


def test_a_condition_that_no_deal_meets_is_an_error() -> None:
    with pytest.raises(dk.ArgumentError, match="no deal can meet"):
        dk.contracts("hcp(north) > 37", ["2NT", "3NT"], declarer="north")


def test_few_deals_are_a_warning_and_no_interval_has_width_zero(deals: dk.Deals) -> None:
    strong = deals.where("hcp(north) >= 20")[:8]
    tables = strong.tables.copy()
    tables[:, 4, 0] = 10  # equal tricks on all deals: the differences have no variance
    with pytest.warns(dk.SmallSample):
        study = dk.contracts(strong.replace(tables=tables), ["2NT", "3NT", "pass"], declarer="north")
    for table, columns in ((study.differences, ("lo", "hi")), (study.frame, ("score_lo", "score_hi"))):
        width = table[columns[1]] - table[columns[0]]
        is_pass_score = (table.index.get_level_values("contract") == "pass") & (columns[0] == "score_lo")
        assert (width[~is_pass_score] > 0).all()  # a pass scores exactly 0
    assert not study.differences.drop(columns="verdict").isna().any().any()
    assert "nan" not in study.text


def test_one_or_no_deal(deals: dk.Deals) -> None:
    with pytest.raises(dk.ArgumentError, match="1 deal cannot give an interval"):
        dk.contracts(deals[:1], ["2NT", "3NT"], declarer="north")
    with pytest.raises(dk.ArgumentError, match="there is no deal"):
        dk.contracts(deals[:0], ["2NT", "3NT"], declarer="north")


def test_unreachable_rules_are_warned_of(deals: dk.Deals) -> None:
    with pytest.warns(dk.MistakeWarning, match="rule 2 of 'strategy' never applies.*after rule 1"):
        dk.strategy([(True, "pass"), ("hcp(north) > 9", "1NT by north")])
    with pytest.warns(dk.MistakeWarning, match="rule 2 of 'strategy' never applies.*same condition"):
        dk.strategy([("hcp(north)>9", "1NT by north"), ("hcp(north) > 9", "2NT by north"), (True, "pass")])
    taken = [("hcp(north) > 9", "1NT by north"), ("hcp(north) > 12", "2NT by north"), (True, "pass")]
    with pytest.warns(dk.MistakeWarning, match="rule 2 of 'strategy' applies to none of 4,000 deals"):
        dk.contracts(deals, [taken, "pass"], against="pass")


def test_differences_in_points_beside_those_in_imps(invitations: dk.Deals) -> None:
    """Also where strategies differ on some deals only: against the mean and interval of all deals."""
    tricks = invitations.tables[:, 4, 0]
    points = invitations.eval(GAME_POINTS)
    gains = np.array([law_score("3NT", n, False) - law_score("2NT", n, False) for n in tricks.tolist()])
    rules = [(f"{GAME_POINTS} >= 25", "3NT"), (True, "2NT")]
    for contract, expected in (("3NT", gains), (rules, np.where(points >= 25, gains, 0))):
        study = dk.contracts(
            invitations, {"2NT": "2NT", "other": contract}, declarer="north", vulnerable="none"
        )
        row = study.second_differences.loc[("other", "none")]
        half = stats.t.interval(0.95, len(gains) - 1)[1] * stats.sem(expected)
        assert row.gain == pytest.approx(expected.mean())
        assert (row.lo, row.hi) == pytest.approx((row.gain - half, row.gain + half), abs=0.05 * half)
        shares = study.tricks["2NT"].shares
        taken = tricks if contract == "3NT" else tricks[points >= 25]
        assert shares == pytest.approx(np.bincount(taken, minlength=14) / len(taken))
    assert "other" not in study.tricks  # it bids two contracts


# ---------------------------------------------------------------- what it shows
def test_texts_and_plots(invitations: dk.Deals) -> None:
    study = dk.contracts(invitations, ["2NT", "3NT"], declarer="north")
    text = str(study)
    assert "3NT by north" in text and "Gain over 2NT by north per deal" in text
    assert "ahead of" in text or "too close to call" in text
    page = study.to_html()
    assert page.startswith("<!doctype html>") and page.count('role="img"') == 2 + 2 + 2
    assert "makes, 0 to 100" in page and "<wbr" not in page
    assert len(repr(study)) <= 200
    panel = study.plot()
    assert len(panel.get_yticks()) == 2
    panel = study.plot(show="makes")
    assert panel.get_xlim() == (0, 100)
    dots = [line.get_xdata()[0] for line in panel.lines if line.get_marker() == "o"]
    assert dots == pytest.approx(100 * study.frame.makes.groupby(level=0, sort=False).first().to_numpy())
    assert "Gain over 2NT by north" in check_themes(study.plot)
    one = dk.contracts(invitations, ["2NT", "3NT"], declarer="north", vulnerable="both", by=GAME_POINTS)
    assert "Gain of 3NT by north over 2NT by north, both vulnerable" in check_themes(one.plot)
    both = one.plot(show="makes")
    assert [text.get_text() for text in both.get_legend().get_texts()] == ["2NT by north", "3NT by north"]
    three = dk.contracts(
        invitations,
        ["1NT", "2NT", "3NT"],
        declarer="north",
        against="1NT by north",
        by=GAME_POINTS,
        vulnerable="NS",
    )
    assert "Gain over 1NT by north, NS vulnerable" in check_themes(three.plot)
    assert "How often they make" in check_themes(partial(three.plot, show="makes"))
    with pytest.raises(dk.ArgumentError, match="known: gain, makes"):
        study.plot(show="tricks")
    single = dk.contracts(invitations, "3NT by north", by=GAME_POINTS)
    assert single.differences is None and single.plot().get_ylim() == (0, 102)
    check_themes(single.plot)


def test_contracts_with_declarers() -> None:
    assert str(parse_declared("4SX by South")) == "4Sx by south"
    assert str(parse_declared(Contract.parse("3nt"), "w")) == "3NT by west"
    assert str(parse_declared(" Pass ")) == "pass"


def test_states_of_one_and_of_two_sides() -> None:
    one, two = (
        [parse_declared(text) for text in texts] for texts in (["1S by north"], ["1S by north", "2H by east"])
    )
    assert len(list_states(None, one)) == 2 and len(list_states(None, two)) == 4
    assert list_states(True, two) == (("both", 3),)
    assert isinstance(build_question("1S by north", None, None, "imps", None), ContractQuestion)


@pytest.mark.slow
def test_200_deals_equal_endplay_called_directly() -> None:
    """Contracts in spades and notrump, solved by endplay, scored by the laws' tables written out."""
    from endplay.dds import calc_all_tables
    from endplay.types import Deal, Denom, Player

    deals = dk.deal(200, seed=15, given=f"{GAME_POINTS} >= 23 and fit(NS, spades) >= 8")
    texts = deals.to_pbn()
    excluded = [Denom.hearts, Denom.diamonds, Denom.clubs]
    spades, notrump = [], []
    for first in range(0, 200, 40):
        for table in calc_all_tables([Deal(text) for text in texts[first : first + 40]], exclude=excluded):
            spades.append(table[Denom.spades, Player.south])
            notrump.append(table[Denom.nt, Player.south])
    study = dk.contracts(deals, ["3NT", "4S"], declarer="south")
    for state, vulnerable in (("not vulnerable", False), ("vulnerable", True)):
        games = [law_score("4S", taken, vulnerable) for taken in spades]
        threes = [law_score("3NT", taken, vulnerable) for taken in notrump]
        gains = [law_imps(a - b) for a, b in zip(games, threes, strict=True)]
        assert study.difference("4S", state).value == pytest.approx(np.mean(gains), abs=1e-12)
        assert study.frame.loc[("4S by south", state)].score == pytest.approx(np.mean(games), abs=1e-9)
        assert study.frame.loc[("3NT by south", state)].score == pytest.approx(np.mean(threes), abs=1e-9)
    assert study.makes("4S").value == pytest.approx(np.mean(np.array(spades) >= 10), abs=1e-12)
    assert study.frame.loc["3NT by south"].tricks.iloc[0] == pytest.approx(np.mean(notrump), abs=1e-12)


def test_crossings_are_those_of_isotonic_regression(rng: np.random.Generator) -> None:
    """Also with levels without deals, equal means, and gains that fall."""
    from scipy.optimize import isotonic_regression

    from dealerkit.studies.contracts.estimates import find_crossings

    kinds = set()
    for _ in range(400):
        n, is_rising = int(rng.integers(1, 12)), bool(rng.integers(2))
        levels = np.sort(rng.choice(40, n, replace=False)).astype(float)
        counts = rng.integers(0, 4, (20, n))
        counts[:, rng.integers(n)] += 1
        trend = np.arange(n) - n // 2 if rng.integers(2) else 0
        sums = np.where(counts > 0, rng.integers(-5, 6, (20, n)) + trend, 0).astype(float)
        crossings = find_crossings(levels, counts, sums, is_rising)
        for found, number, total in zip(crossings, counts, sums, strict=True):
            held = number > 0
            fit = isotonic_regression(total[held] / number[held], weights=number[held], increasing=is_rising)
            gains = fit.x if is_rising else -fit.x
            above = int(np.sum(gains <= 0))
            if above in (0, len(gains)):
                assert found == (-np.inf if above == 0 else np.inf)
            else:
                at = np.interp(0, gains[above - 1 : above + 1], levels[held][above - 1 : above + 1])
                assert found == pytest.approx(at, abs=1e-9)
            kinds.add((is_rising, np.isfinite(found)))
    assert len(kinds) == 4


@pytest.mark.slow
def test_coverage_of_the_break_even() -> None:
    """The interval of samples of the solved deals holds the break-even of all of them in 93 to 97 %."""
    from dealerkit.studies.contracts.estimates import find_break_even

    deals = dk.solved_sample().where(f"fit(NS, spades) == 8 and {GAME_POINTS} >= 17")
    points = deals.eval(GAME_POINTS)
    gains = np.array(compute_gains(deals.tables[:, 0, 2], "4S", "3S", False, "imps"))
    truth = find_break_even(points, gains).value
    random, held = np.random.default_rng(4), 0
    for number in range(400):
        rows = random.integers(0, len(points), 1000)
        found = find_break_even(points[rows], gains[rows], seed=number)
        held += found.lo <= truth <= found.hi
    assert 0.92 <= held / 400 <= 0.98


def test_double_dummy_tricks_are_warned_of(invitations: dk.Deals) -> None:
    with pytest.warns(dk.DoubleDummyBias, match="tricks are double dummy"):
        dk.contracts(invitations, ["2NT", "3NT"], declarer="north")


def test_no_warning_without_reason(invitations: dk.Deals) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", dk.DoubleDummyBias)
        dk.contracts(invitations, ["2NT", "3NT"], declarer="north", by=GAME_POINTS)


@pytest.mark.slow
def test_a_limit_of_time_ends_a_study_whose_values_cost_more_than_stated():
    """Tricks after the lead of a rule take ten times as long as others; a chunk of 250 deals took 15 seconds."""
    with pytest.warns(dk.TruncatedRun):
        study = dk.contracts(
            "spades(north) > 4",
            ["4S", "3NT"],
            declarer="north",
            precision=0.001,
            seed=1,
            max_seconds=0.1,
            solved=None,
        )
    assert 30 <= study.provenance.cost.solved_deals < 100


def test_how_often_a_contract_makes_has_the_error_of_the_binomial() -> None:
    twelve = dk.solved_sample()[:12]
    for contract in ("1NT", "3NT", "4S"):
        study = dk.contracts(twelve, contract, declarer="south")
        makes = study.makes()
        made = int((twelve.tables[:, 4 if "N" in contract else 0, 2] >= int(contract[0]) + 6).sum())
        assert makes.n == 12 and makes.value == made / 12
        if 0 < made < 12:
            assert makes.se == pytest.approx(math.sqrt(made * (12 - made) / 12**3), rel=1e-12)
        row = study.frame.loc[f"{contract} by south"].iloc[0]
        assert (row.makes, row.makes_lo, row.makes_hi) == (makes.value, makes.lo, makes.hi)


def test_board_a_match_is_won_tied_or_lost(deals: dk.Deals) -> None:
    few = deals[:40]
    study = dk.contracts(few, ["2S", "4S"], declarer="south", scoring="BAM", vulnerable="none")
    taken = few.tables[:, 0, 2].tolist()
    scores = [(law_score("4S", tricks, False), law_score("2S", tricks, False)) for tricks in taken]
    won = [1 if ours > theirs else 0.5 if ours == theirs else 0 for ours, theirs in scores]
    assert study.scoring == "board-a-match"
    assert study.difference("4S").value == pytest.approx(np.mean(won) - 0.5)
    assert study.difference("4S").value == study.gains["4S by south", "none"].value
    assert "% of boards" in study.text


def test_contracts_of_the_other_side_are_beaten_and_tricks_are_those_of_one_side(deals: dk.Deals) -> None:
    """A strategy that bids on some deals and defends on others counts both sides apart."""
    bid = [("hcp(north) > 9", "3NT by north"), (True, "4Sx by west")]
    study = dk.contracts(deals, {"bid": bid, "defend": "4Sx by west"}, vulnerable="none")
    bids = deals.eval("hcp(north) > 9") == 1
    ours, theirs = deals.tables[:, 4, 0], deals.tables[:, 0, 3]
    assert study.side == "NS" and "NS tricks" in study.text and "NS score" in study.text
    assert study.makes("bid").value == pytest.approx((ours[bids] >= 9).mean())
    assert study.beaten("defend").value == pytest.approx((theirs[bids] < 10).mean())
    assert study.frame.loc[("defend", "none")].tricks == pytest.approx(13 - theirs[bids].mean())
    known = study.tricks["defend"]
    assert known.shares == pytest.approx(np.bincount(13 - theirs[bids], minlength=14) / bids.sum())
    assert (known.needed, known.scores[0, 4], known.scores[0, 3]) == (4, 100, -590)
    with pytest.raises(dk.ArgumentError, match=r"NS defend against defend; give study.beaten\('defend'\)"):
        study.makes("defend")
    with pytest.raises(dk.ArgumentError, match="NS never defend with bid"):
        study.beaten("bid")


@pytest.mark.parametrize("scoring", ["imps", "matchpoints"])
def test_the_verdict_on_a_sacrifice_names_the_side_that_gains(deals: dk.Deals, scoring: str) -> None:
    """The same two contracts in both orders: the same one is ahead, for the side that the text names."""
    game = deals.where("hcp(north) + hcp(south) >= 27 and fit(NS, hearts) >= 9 and fit(EW, spades) >= 9")
    texts = {}
    for side, names in (("NS", ["4H by north", "4Sx by west"]), ("EW", ["4Sx by west", "4H by north"])):
        study = dk.contracts(game, names, vulnerable="none", scoring=scoring)
        assert study.side == side
        texts[side] = study.text
        assert (
            f"All gains and verdicts are from the point of view of {side}. {names[1]} against {names[0]}: "
            in study.text
        )
        assert f"Gain of {side} over {names[0]} per deal" in study.text
        assert study.text.count("In total points: ") == 1
    one_side = dk.contracts(game, ["3H by north", "4H by north"], vulnerable="none").text
    assert "point of view" not in one_side and "Gain over 3H by north" in one_side


def test_the_order_of_typing_changes_no_finding(deals: dk.Deals) -> None:
    """Five options in all 120 orders: the same gains over the best of the others, intervals and verdicts."""
    part = deals.where(f"{GAME_POINTS} >= 22 and {GAME_POINTS} <= 25")[:150]
    names = ["pass", "1NT by north", "2NT by north", "3NT by north", "3C by south"]
    first = dk.contracts(part, names, vulnerable="both")
    columns = ["gain", "se", "lo", "hi"]
    orders = list(itertools.permutations(names))
    for order in orders[::7]:
        other = dk.contracts(part, list(order), vulnerable="both")
        assert other.differences[columns].to_numpy() == pytest.approx(first.differences[columns].to_numpy())
        assert other.differences.verdict.to_dict() == first.differences.verdict.to_dict()
        assert other.card().notes[:2] == first.card().notes[:2]
        for a, b in (("3NT", "pass"), ("pass", "3NT"), ("3C", "2NT")):
            assert other.difference(a, b).lo == pytest.approx(first.difference(a, b).lo)
    assert first.against is None and "Gain over the best other" in first.text


def test_gains_over_the_best_other_follow_from_all_pairs(invitations: dk.Deals) -> None:
    """Hsu 1996: between the smallest lower and the smallest upper end of the gains over the others."""
    names = ["1NT", "2NT", "3NT", "4NT"]
    study = dk.contracts(invitations, names, declarer="north", vulnerable="none", scoring="points")
    tricks = invitations.tables[:, 4, 0].tolist()
    points = np.array([[law_score(name, taken, False) for taken in tricks] for name in names])
    quantile = stats.t.ppf(1 - 0.05 / 2 / 6, len(tricks) - 1)  # six pairs share the error
    ends = {}
    for k, name in enumerate(names):
        gains = np.delete(points[k] - points, k, axis=0)
        means, errors = gains.mean(axis=1), stats.sem(gains, axis=1)
        low, high = (means - quantile * errors).min(), (means + quantile * errors).min()
        found, width = study.difference(name), 0.05 * quantile * errors.max()
        ends[name] = low, high
        assert found.value == pytest.approx(means.min())
        assert (found.lo, found.hi) == pytest.approx((low, high), abs=width)
        for other, mean, error in zip(np.delete(names, k), means, errors, strict=True):
            pair = study.difference(name, other)
            assert (pair.value, pair.se) == pytest.approx((mean, error), rel=0.02)
    expected = {name for name, (_, high) in ends.items() if high >= 0}
    possible = study.differences.query("verdict != 'behind'").index.get_level_values("contract")
    assert {name.split()[0] for name in possible} == expected and len(expected) < 4


def test_a_field_is_the_mean_of_comparisons_with_its_members(deals: dk.Deals) -> None:
    part = deals.where("fit(NS, spades) >= 8")
    options = {"declarer": "south", "vulnerable": "none"}
    study = dk.contracts(part, ["3S", "4S", "6S"], against={"4S": 7, "6S": 3}, **options)
    tricks = part.tables[:, 0, 2]
    for name in ("3S", "4S", "6S"):
        gains = [
            share * np.array(compute_gains(tricks, name, other, False, "imps"))
            for other, share in (("4S", 0.7), ("6S", 0.3))
        ]
        assert study.difference(name).value == pytest.approx(np.sum(gains, axis=0).mean())
    assert study.field == pytest.approx({"4S by south": 0.7, "6S by south": 0.3})
    assert "The field: 70 % 4S by south, 30 % 6S by south." in study.text.replace("\u00a0", " ")
    alone = dk.contracts(part, ["3S"], against={"4S": 1}, **options)
    assert alone.difference().value == pytest.approx(
        dk.contracts(part, ["4S", "3S"], **options).difference().value
    )
    for wrong, message in (({"4S": 0}, "give a number above 0"), ({}, "has no contract")):
        with pytest.raises(dk.ArgumentError, match=message):
            dk.contracts(part, ["3S"], against=wrong, **options)
    with pytest.raises(dk.ArgumentError, match="are not compared with each other"):
        study.difference("3S", "4S")


@pytest.mark.slow
@pytest.mark.parametrize(("size", "repeats"), [(60, 300), (240, 200), (1500, 80)])
def test_equal_options_are_seldom_distinguished(size: int, repeats: int) -> None:
    """Four majors exchanged at random in each deal are equally good; judged by a binomial interval."""
    deals = dk.solved_sample().where("fit(NS, spades) >= 8 or fit(NS, hearts) >= 8")[:20_000]
    names = ["4S by north", "4S by south", "4H by north", "4H by south"]
    cells = [(0, 0), (0, 2), (1, 0), (1, 2)]
    random, wrong = np.random.default_rng(21), 0
    for _ in range(repeats):
        part = deals[np.sort(random.choice(len(deals), size, replace=False))]
        tables = part.tables.copy()
        tricks = np.stack([tables[:, strain, seat] for strain, seat in cells], axis=1)
        for (strain, seat), column in zip(cells, random.permuted(tricks, axis=1).T, strict=True):
            tables[:, strain, seat] = column
        study = dk.contracts(part.replace(tables=tables), names, vulnerable="none")
        wrong += bool((study.differences.verdict != "not decided").any())
    assert stats.binomtest(wrong, repeats, 0.05, alternative="greater").pvalue > 0.01, wrong


def test_the_head_says_how_many_deals_are_solved(invitations: dk.Deals) -> None:
    """Of a study that predicts, of one that ends early, and of one that solves every deal."""
    with pytest.warns(dk.TruncatedRun):
        predicted = dk.contracts(
            f"{GAME_POINTS} == 25", ["2NT", "3NT"], declarer="north", vulnerable="none", max_solves=60, seed=1,
            solved=None,
        )  # fmt: skip
    solved, dealt = predicted.cost.solved_deals, predicted.deals
    assert solved < 200 < 4000 < dealt
    lines = predicted.text.splitlines()
    known = f"{solved} of {dealt:,} deals solved, the others predicted and corrected"
    assert lines[2] == f"{known}; 95 % intervals."
    caption = "\n".join(text.get_text() for text in predicted.plot().figure.findobj(plt.Text))
    assert known in " ".join(caption.split()) and "double dummy" not in caption
    unsolved = dk.Deals(invitations.hands[:300])
    ended = dk.contracts(unsolved, ["2NT", "3NT"], declarer="north", vulnerable="none", max_solves=60)
    n = ended.cost.solved_deals
    assert n < 100 and f"\n{n} of 300 deals solved; 95 % intervals.\n" in ended.text
    assert ended.difference("3NT").n == n and "300 deals." not in ended.text
    whole = dk.contracts(invitations, ["2NT", "3NT"], declarer="north", vulnerable="none")
    assert "\n600 deals, double dummy; 95 % intervals.\n" in whole.text


def test_deals_solved_for_mean_tricks_only_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEALERKIT_STORE", "off")
    solved = []
    monkeypatch.setattr(
        ContractQuestion,
        "solve",
        lambda question, deals, *options, solve=ContractQuestion.solve: (
            solved.append(len(deals)) or solve(question, deals, *options)
        ),
    )
    study = dk.contracts(
        f"{GAME_POINTS} == 25", ["2NT", "3NT"], declarer="north", vulnerable="none", precision=2, seed=1,
        solved=None,
    )  # fmt: skip
    assert solved[-1] == 200 == sum(solved) - study.cost.solved_deals
    assert study.cost.solves + study.cost.looked_up >= sum(solved)  # of some deals two thresholds are tested


def test_given_deals_that_are_not_all_solved_give_a_warning(invitations: dk.Deals) -> None:
    unsolved = dk.Deals(invitations.hands[:300])
    options = {"declarer": "north", "vulnerable": "none"}
    with pytest.warns(dk.TruncatedRun, match=r"the limit of 60 solves was reached; it used \d+ of 300 deals"):
        dk.contracts(unsolved, ["2NT", "3NT"], max_solves=60, **options)
    with warnings.catch_warnings():
        warnings.simplefilter("error", dk.TruncatedRun)
        dk.contracts(invitations, ["2NT", "3NT"], max_solves=60, **options)


def test_tricks_by_points_are_those_of_all_deals_if_these_are_few() -> None:
    given = "hcp(north) + hcp(south) >= 23 and hcp(north) + hcp(south) <= 26"
    deals = dk.deal(40, given=given, seed=3)
    study = dk.contracts(
        deals, ["2NT", "3NT"], declarer="north", by="hcp(north) + hcp(south)", vulnerable="none"
    )
    assert "Tricks and scores are from" not in study.text
    assert study.frame.tricks.tolist() == pytest.approx([dk.dd_table(deals)[:, 4, 0].mean()] * 2)
