"""Levelled runs: shares, natural frequencies, weights, and hand types that are refused."""

from __future__ import annotations

import doctest
import re
import warnings
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binomtest

import dealerkit as dk
from dealerkit.language.levels import find_hand_types
from dealerkit.simulation import levelling
from dealerkit.simulation.levelling import assign_types, normalise_rates
from dealerkit.simulation.loops import run_batches
from dealerkit.simulation.probability import count_values

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "levelling.md"
NOTRUMP = "condition hcp(north) >= 15 and hcp(north) <= 17 "
TYPES = {
    "weak": "hcp(south) <= 7",
    "invite": "hcp(south) == 8 or hcp(south) == 9",
    "game": "hcp(south) >= 10 and hcp(south) <= 14",
    "slam": "hcp(south) >= 15 and hcp(south) <= 20",
    "big": "hcp(south) >= 21",
}
SIX = {  # the last two are about 1 in 4,000 and 1 in 2,600
    "weak": "hcp(south) <= 7",
    "invite": "hcp(south) == 8 or hcp(south) == 9",
    "game": "hcp(south) >= 10 and hcp(south) <= 14",
    "strong": "hcp(south) >= 15 and hcp(south) <= 22",
    "hearts": "hcp(south) >= 23 and hcp(south) <= 24 and hearts(south) >= 5",
    "big": "hcp(south) >= 25 and hcp(south) <= 26",
}


def test_types_have_their_shares_in_random_order():
    result = dk.level("action", TYPES, {"game": 2, "big": 0.5}, produce=1100, seed=1)
    assert result.types.deals.tolist() == [200, 200, 400, 200, 100]
    of_type = np.stack([result.deals.eval(text) for text in TYPES.values()])
    assert of_type.sum(axis=1).tolist() == [200, 200, 400, 200, 100]
    numbers = of_type.argmax(axis=0)
    n_changes = (numbers[1:] != numbers[:-1]).sum()  # about 1 - sum of squared shares
    assert binomtest(int(n_changes), 1099, 1 - (3 * 4 + 16 + 1) / 121).pvalue > 1e-4


def test_shares_that_give_no_whole_numbers_are_right_on_average():
    shares = [Fraction(1, 3), Fraction(1, 6), Fraction(1, 2)]
    counts = np.array([np.bincount(assign_types(shares, 7, seed), minlength=3) for seed in range(3000)])
    assert (np.abs(counts - [7 / 3, 7 / 6, 7 / 2]) < 1).all()
    assert counts.mean(axis=0) == pytest.approx([7 / 3, 7 / 6, 7 / 2], abs=0.04)


def test_random_words_are_ordered_in_parts_as_at_once(monkeypatch):
    monkeypatch.setattr(levelling, "PART", 64)
    words = np.random.default_rng(1).integers(0, 2**64, 10_000, dtype=np.uint64)
    words[5000:] = words[:5000]  # equal words keep their order
    parts = list(levelling.sort_in_parts(words))
    assert len(parts) == 10_000 // 64 and max(map(len, parts)) < 150
    assert np.array_equal(np.concatenate(parts), np.argsort(words, kind="stable"))


def test_deals_of_a_type_are_distributed_as_those_of_plain_dealing():
    result = dk.level(NOTRUMP + "action average hearts(south)", TYPES, produce=5000, seed=2)
    south, north = result.deals.eval("hcp(south)"), result.deals.eval("hcp(north)")
    assert ((north >= 15) & (north <= 17)).all()
    exact = dk.probability("hcp(south) == 9", given=TYPES["invite"]).value  # not exact with north, but close
    n_invite = int(((south == 8) | (south == 9)).sum())
    assert n_invite == 1000
    assert binomtest(int((south == 9).sum()), n_invite, exact).pvalue > 1e-3


@pytest.mark.slow
def test_natural_shares_agree_with_exact_probabilities():
    result = dk.level(NOTRUMP + "action", TYPES, produce=100, seed=3)
    union = " or ".join(f"({text})" for text in TYPES.values())
    given = NOTRUMP.removeprefix("condition ") + f"and ({union})"
    for name, row in result.types.iterrows():
        exact = dk.probability(TYPES[name], given=given).value
        margin = max(2.5 * (row.natural_hi - row.natural_lo) / 2, 1e-9)
        assert row.natural == pytest.approx(exact, abs=margin)
    assert result.types.natural.sum() == pytest.approx(1)


def test_weighted_means_are_those_at_natural_frequencies():
    script = "action average hcp(south), average spades(south) == 5"
    result = dk.level(script, SIX, produce=1200, seed=4)
    points, weights = result.deals.eval("hcp(south)"), result.deals.weight
    assert np.average(points, weights=weights) == pytest.approx(result["hcp(south)"].natural.value, abs=1e-9)
    assert result["hcp(south)"].mean.value == pytest.approx(points.mean())
    frame = result["hcp(south)"].frame
    assert frame.natural[0] == result["hcp(south)"].natural.value
    assert "at natural frequencies: " in result.text and "big" in result.text


def exact_mean(expression, given):
    shares = count_values(expression, given=given)
    assert shares.exact
    return (
        sum(value * count for value, count in zip(shares.values.tolist(), shares.counts, strict=True))
        / shares.total
    )


@pytest.mark.slow
def test_intervals_at_natural_frequencies_cover_the_exact_mean():
    script = "action average hcp(south), average hearts(south) >= 5, average controls(south)"
    union = " or ".join(f"({text})" for text in SIX.values())
    exact = [
        exact_mean(expression, union)
        for expression in ("hcp(south)", "hearts(south) >= 5", "controls(south)")
    ]
    covered, errors = np.zeros(3), []
    for seed in range(200):
        reports = dk.level(script, SIX, produce=600, seed=seed).reports[:3]
        covered += [r.natural.lo <= value <= r.natural.hi for r, value in zip(reports, exact, strict=True)]
        errors.append([(r.natural.value - x) / r.natural.se for r, x in zip(reports, exact, strict=True)])
    assert ((covered >= 180) & (covered <= 198)).all(), covered
    assert (np.abs(np.mean(errors, axis=0)) < 4 / np.sqrt(200)).all()


def test_the_statement_and_the_function_give_the_same_deals():
    statement = 'level "a" hcp(south) < 10, "b" hcp(south) >= 10 share 3 action'
    by = {"a": "hcp(south) < 10", "b": "hcp(south) >= 10"}
    first, second = (
        dk.run(statement, produce=40, seed=5),
        dk.level("action", by, {"b": 3}, produce=40, seed=5),
    )
    assert first.deals.to_pbn() == second.deals.to_pbn()
    assert dk.run(statement, produce=40, seed=5, threads=1).deals.to_pbn() == first.deals.to_pbn()


def test_level_and_share_remain_names_of_variables():
    script = 'level = 12 share = level + 1 condition hcp(north) > share level "x" hcp(south) > level action'
    assert (dk.run(script, produce=5, seed=1).deals.eval("hcp(north)") > 13).all()


@pytest.mark.parametrize(
    ("script", "message", "column"),
    [
        ('level "a" hcp(south) > 8, "b" hcp(south) > 12', '"a" and "b" overlap, in 27 % of all deals', 27),
        ('level "a" hcp(south) > 8, "b" hcp(south) > 37', '"b" is empty', 27),
        (
            'level "a" hcp(south) > 8, "b" spades(south) == 13',
            '"b" is too rare: 1 in 635,013,559,600 deals',
            27,
        ),
        ('condition hcp(south) > 20 level "a" hcp(south) < 8', '"a" is empty', 33),
        ('level "a" hcp(south) > 8 share 0', "a share must be more than 0", 32),
        ('level "a" hcp(south) > 8, "a" hcp(south) < 3', 'a second hand type "a"', 27),
        ('level "a" rnd(2) == 1', "contains random numbers", 7),
        ("level weak hcp(south) < 8", 'write `level "weak" hcp(south) < 8`', 7),
        ('level "a" hcp(south) > 8 level "b" hcp(south) < 8', "a second `level`", 26),
    ],
)
def test_hand_types_that_cannot_be_levelled_are_named(script, message, column):
    with pytest.raises(dk.ScriptError, match="(?s)") as caught:
        dk.run(script, produce=10, seed=1)
    assert message in str(caught.value) and f":1:{column}:" in str(caught.value)


def test_an_overlap_that_no_count_proves_ends_the_run_at_its_first_deal():
    with pytest.raises(
        dk.EvaluationError, match=r'"a" and "b" overlap, as in the deal N:.* \(deal \d+ of the run'
    ):
        dk.run('level "a" cccc(south) > 8, "b" cccc(south) > 12', produce=50, seed=1)


@pytest.mark.parametrize(
    "options",
    [{"source": dk.deal(10, seed=1)}, {"swap": 2}, {"stream": "classic"}],
    ids=["source", "swap", "classic"],
)
def test_level_deals_anew(options):
    with pytest.raises(dk.ArgumentError, match="`level` is not possible"):
        dk.run_script('level "a" hcp(south) > 8', dk.RunOptions(produce=10, **options))


@pytest.mark.parametrize(
    ("by", "shares", "message"),
    [
        ({}, None, "give a mapping"),
        ({"a": "hcp(south) > 8"}, {"b": 2}, "is not a hand type"),
        ({"a": "hcp(south) > 8"}, {"a": -1}, "a number above 0"),
        ({"a": 'hcp(south) > 8, "b" 1'}, None, "hand type 'a'"),
        ({'"': "hcp(south) > 8"}, None, "without quotes"),
        ({"a": 8}, None, "give an expression"),
    ],
)
def test_wrong_types_and_shares_are_refused(by, shares, message):
    with pytest.raises((dk.ArgumentError, dk.ScriptError), match=message):
        dk.level("action", by, shares)


def test_errors_show_the_expression_of_the_hand_type_as_it_was_given():
    with pytest.raises(dk.ScriptError, match="empty") as raised:
        dk.level("x = hcp(south)\naction", {"weak": "x<8", "huge": "1==1 and x>37"})
    assert (raised.value.line, raised.value.column, raised.value.source) == (1, 1, "1==1 and x>37")


def test_a_generate_limit_ends_a_run_early():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = dk.level(
            "action", {"a": "hcp(south) > 28", "b": "hcp(south) < 9"}, produce=50, generate=500, seed=1
        )
    assert result.produced < 50 and any('hand type "a"' in str(item.message) for item in caught)


def test_variables_of_other_programs_are_counted():
    script = """
    HandType_weak = hcp(south) < 8   HandType_game = hcp(south) > 12   HandType_game_Share = 2
    LevelType_long = spades(south) > 5
    condition hcp(north) > 12 action
    """
    result = dk.run(script, produce=300, seed=2)
    points = result.deals.eval("hcp(south)")
    types, levels = result.reports
    assert [item.share for item in find_hand_types(result.plan.program.definitions)] == [1, 2]
    script = script.replace("Share = 2", "Share = 0")
    assert find_hand_types(dk.run(script, produce=1).plan.program.definitions)[1].share == 0
    assert types.counts.tolist() == [(points < 8).sum(), (points > 12).sum()]
    assert types.n_without == 300 - types.counts.sum() and types.n_several == 0
    assert levels.counts.tolist() == [(result.deals.eval("spades(south)") > 5).sum()]
    assert "none of them" in result.text and "HandType_ variables" in types._repr_html_()


def test_plots_show_both_shares():
    pytest.importorskip("matplotlib").use("Agg")
    result = dk.level("action", TYPES, produce=50, seed=1)
    ax = result.reports[-1].plot()
    panel = ax
    widths = [round(bar.get_width(), 6) for bar in panel.patches]
    natural = [round(100 * share, 6) for share in result.types.natural]
    assert widths == [20.0] * 5 + natural


def test_the_page_runs():
    options = doctest.NORMALIZE_WHITESPACE
    failed, tried = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8", optionflags=options)
    assert tried > 10 and failed == 0


def test_hand_types_may_use_script_variables() -> None:
    types = {"weak": "hcp(south) <= $x", "strong": "hcp(south) > $x"}
    result = dk.level("hcp(north) > $low", types, params={"low": 12, "x": 8}, produce=40, seed=1)
    plain = {"weak": "hcp(south) <= 8", "strong": "hcp(south) > 8"}
    same = dk.level("hcp(north) > 12", plain, produce=40, seed=1)
    assert result.deals.to_lines() == same.deals.to_lines()
    parsed = dk.parse("x = $x hcp(north) > x", params={"x": 8})
    assert dk.level(parsed, types, produce=4, seed=1).types.deals.tolist() == [2, 2]
    with pytest.raises(
        dk.ScriptError, match=r"script:1:15: hand type 'weak': the script variable \$x has no value"
    ):
        dk.level("hcp(north) > $low", types, params={"low": 12}, produce=4)
    with pytest.raises(dk.errors.ArgumentError, match="the script uses only"):
        dk.level("hcp(north) > 12", types, params={"x": 8, "y": 9}, produce=4)


def test_the_end_of_a_run_states_how_many_deals_plain_dealing_would_need():
    by = {
        "weak": "hcp(south) <= 7",
        "game": "hcp(south) >= 10 and hcp(south) <= 14",
        "big": "hcp(south) >= 19",
    }
    result = dk.level(NOTRUMP + "action", by, {"game": 2}, produce=400, seed=1)
    # plain dealing ends when the type that fills its share last has all its deals: 100, 200 and 100
    plain = dk.run(NOTRUMP + "generate 200000 action", produce=200_000, seed=2, plan="plain")
    points = plain.deals.eval("hcp(south)")
    hits = [(points <= 7).sum(), ((points >= 10) & (points <= 14)).sum(), (points >= 19).sum()]
    needed = max(count * plain.generated / n for count, n in zip([100, 200, 100], hits, strict=True))
    assert result.equivalent == pytest.approx(needed, rel=5 / np.sqrt(min(hits)))
    stated = float(re.search(r"400 deals of about ([\d,]+),", result.text)[1].replace(",", ""))
    assert stated == pytest.approx(result.equivalent, rel=0.006)
    assert f"about {result.equivalent:,.0f} deals" in repr(result)
    assert result.equivalent == pytest.approx(400 / result.probability.value)


def test_a_type_without_a_deal_is_a_warning_and_no_nan():
    script = "condition hcp(north) < 12 or hcp(north) == 27 action average hcp(south), average hcp(west) > 9"
    by = {"weak": "hcp(north) < 8", "middle": "hcp(north) > 7 and hcp(north) < 12", "big": "hcp(north) == 27"}
    with pytest.warns(dk.IncompleteWarning, match=r"of the hand type .* produce at least 3 deals") as caught:
        result = dk.level(script, by, produce=2, seed=1)
    deals = result.types.deals
    assert deals.sum() == 2 and f'the hand type "{deals.idxmin()}" ' in str(caught[0].message)
    html = re.sub(r"<script.*?</script>", "", result.to_html(), flags=re.DOTALL)
    assert "nan" not in result.text.lower() and "nan" not in re.sub("provenance", "", html.lower())
    assert result.text.count("at natural frequencies: unknown, a type has no deal") == 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        dk.level(script, by, produce=3, seed=1)


def test_types_that_need_the_solver_state_their_cost_before_they_are_measured():
    script = 'level "made" tricks(south, spades) >= 10, "down" tricks(south, spades) < 10 action'
    with (
        warnings.catch_warnings(),
        pytest.raises(
            dk.CostWarning, match=r"shares up to 3,072 deals .* double dummy, .* at most .* seconds"
        ),
    ):
        warnings.simplefilter("error", dk.CostWarning)
        dk.run(script, produce=20, seed=1)


LEVELLED = "condition hcp(north) >= 15 action average hcp(south)"
BY_POINTS = {"weak": "hcp(south) <= 7", "strong": "hcp(south) > 7 and cccc(south) > 8"}


def test_natural_shares_can_be_left_out(tmp_path: Path) -> None:
    full = dk.level(LEVELLED, BY_POINTS, {"weak": 3}, produce=40, seed=1)
    result = dk.level(LEVELLED, BY_POINTS, {"weak": 3}, produce=40, seed=1, natural_shares=False)
    assert result.deals.replace(weight=None).equals(full.deals.replace(weight=None))
    assert full.deals.weight is not None and result.deals.weight is None
    assert result["hcp(south)"].mean.to_dict() == full["hcp(south)"].mean.to_dict()
    assert result["hcp(south)"].natural is None and result.types.columns.tolist() == ["deals", "share"]
    assert result.types.share.tolist() == [0.75, 0.25] and np.isnan(result.equivalent)
    assert "natural" not in result.text and "40 deals of an unknown number" in result.text
    assert "nan" not in result.text and "an unknown number of deals" in repr(result)
    result.plot()
    result.save(tmp_path / "result.zip")
    assert dk.load(tmp_path / "result.zip").types.equals(result.types)
    # Unknown rates are no part of the rates of combined runs
    second = dk.level(LEVELLED, BY_POINTS, {"weak": 3}, produce=40, seed=2, natural_shares=False)
    assert (result + second).types.deals.tolist() == [60, 20] and "natural" not in (result + second).text


def test_without_natural_shares_few_deals_are_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    measured = []

    def count_deals(job):
        measured.append(job.limits.generate or 0)
        return run_batches(job)

    monkeypatch.setattr(levelling, "run_batches", count_deals)
    script = 'level "made" tricks(south, spades) >= 10, "down" tricks(south, spades) < 10 action'
    options = {"produce": 4, "seed": 1, "natural_shares": False}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        dk.run_script(script, dk.RunOptions(**options))
    assert 0 < sum(measured) <= 2 * (16 + 256)  # with natural shares 3 * 1,024
    for empty in ("tricks(south, spades) > 13 and hcp(south) < 5", "cccc(south) > 90"):
        with pytest.raises(dk.ScriptError, match="is empty or very rare: none was dealt"):
            dk.run_script(f'level "a" {empty}, "b" hcp(south) == 9 action', dk.RunOptions(**options))


def test_misspelled_variables_of_hand_types_are_reported():
    definitions = (
        "HandType_weak = hcp(south) < 8\nHandType_weka_Share = 2\nHandType_weak_share = 3\n"
        "Handtype_slam = hcp(south) > 16\nHandType_game = hcp(south) > 12\nHandType_game_Share = 2\n"
    )
    script = definitions + "condition hcp(north) > 10\naction average hcp(north)"
    with pytest.warns(dk.MistakeWarning) as caught:
        dk.run(script, produce=10, seed=1)
    lines = [str(warning.message).split(":")[0] for warning in caught]
    assert lines == ["line 2, column 23", "line 3, column 23", "line 4, column 17"]
    assert "HandType_weak_Share" in str(caught[1].message) and "HandType_slam" in str(caught[2].message)
    findings = [finding.message for finding in dk.check(script)]
    assert not any("HandType_game" in message for message in findings)  # its deals are counted: it is used


def test_shares_of_types_never_seen_or_alone_have_an_interval():
    never, alone = normalise_rates([dk.proportion(0, 1000), dk.proportion(300, 1000)], 0.95)
    assert (never.value, never.lo, alone.value, alone.hi) == (0, 0, 1, 1)
    assert 0.003 < never.hi < 0.02 and 0.98 < alone.lo < 0.997
