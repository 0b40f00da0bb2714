"""Break-even chances against published figures and against sums over the tables of the laws."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dealerkit import ArgumentError, break_even, break_even_table
from dealerkit.studies.tables.break_even import DECISIONS
from tests.studies.laws import law_imps, law_score
from tests.studies.same_numbers import check_same_numbers

# Meeden and Prabhu, Percentages for bidding games, small slams and grand slams at duplicate teams; B. Hall and
# others give the same: 5 to 6 and 6 to 10 IMPs for games, 11 to 14 and 13 to 17 for grand slams.
PUBLISHED = {
    ("4S", "3S", False): (5, 6), ("4S", "3S", True): (6, 10), ("3NT", "2NT", True): (6, 10),
    ("3NT", "2NT", False): (5, 6), ("6S", "5S", False): (11, 11), ("6S", "5S", True): (13, 13),
    ("7S", "6S", False): (14, 11), ("7S", "6S", True): (17, 13), ("5C", "4C", True): (6, 10),
}  # fmt: skip


@pytest.mark.parametrize("contract, other, vulnerable", PUBLISHED)
def test_published_figures(contract, other, vulnerable):
    lost, gained = PUBLISHED[contract, other, vulnerable]
    result = break_even(contract, other, vulnerable=vulnerable)
    assert (-result.loss, result.gain) == (lost, gained)
    assert result.fraction == Fraction(lost, lost + gained)


def test_table_of_games_and_slams():
    table = break_even_table().frame
    assert list(table.index) == list(DECISIONS)
    assert table.imps_vulnerable["4M", "3M"] == 0.375
    assert 0.45 < table.imps_not_vulnerable["4M", "3M"] < 0.46
    assert (table.imps_vulnerable.loc[["6NT", "6M"]] == 0.5).all()
    for name in ("7NT", "7M", "7m"):
        assert 0.55 < table.imps_vulnerable[name, f"6{name[1:]}"] < 0.57
        assert 0.55 < table.imps_not_vulnerable[name, f"6{name[1:]}"] < 0.57
    assert (table[["matchpoints_vulnerable", "matchpoints_not_vulnerable"]] == 0.5).all(axis=None)
    for (contract, other), row in table.iterrows():
        bids = [text.replace("M", "H").replace("m", "D") for text in (contract, other)]
        needed = int(contract[0]) + 6
        for state in (True, False):
            lost, gained = (
                law_score(bids[0], tricks, state) - law_score(bids[1], tricks, state)
                for tricks in (needed - 1, needed)
            )
            name = "vulnerable" if state else "not_vulnerable"
            assert row[f"points_{name}"] == pytest.approx(-lost / (gained - lost))
    assert (
        "4M over 3M" in break_even_table().text and "37.5\N{NO-BREAK SPACE}%" in break_even_table().to_html()
    )


@pytest.mark.parametrize(
    "contract, other, shift", [("4S", "3S", 0), ("4Hx", "3H", 0), ("3NT", "3C", 1), ("6M", "4M", 0)]
)
@pytest.mark.parametrize("scoring", ["imps", "points", "matchpoints"])
@pytest.mark.parametrize("vulnerable", [False, True])
def test_distributions_of_tricks(contract, other, shift, scoring, vulnerable):
    needed = int(contract[0]) + 6
    weights = {needed - 3: 0.1, needed - 1: 0.35, needed: 0.4, needed + 1: 0.15}
    tables = {other: 0.75, contract: 0.25}
    result = break_even(
        contract,
        other,
        vulnerable=vulnerable,
        scoring=scoring,
        tricks=weights,
        other_tricks=shift,
        against=tables,
    )

    def score_of(bid, tricks):
        more = shift if bid == other else 0
        return law_score(bid.replace("M", "S"), tricks + more, vulnerable)

    def compare(ours, theirs):
        if scoring == "imps":
            return law_imps(ours - theirs)
        return ours - theirs if scoring == "points" else (ours > theirs) / 2 - (ours < theirs) / 2

    def mean(chance):
        """Mean gain if the contract makes with a chance."""
        total = 0.0
        for tricks, weight in weights.items():
            part = sum(w for t, w in weights.items() if (t >= needed) == (tricks >= needed))
            share = weight / part * (chance if tricks >= needed else 1 - chance)
            for table, frequency in tables.items():
                gains = [compare(score_of(bid, tricks), score_of(table, tricks)) for bid in (contract, other)]
                total += share * frequency * (gains[0] - gains[1])
        return total

    assert mean(result.probability) == pytest.approx(0, abs=1e-9)
    assert mean(result.probability + 0.01) > 0 > mean(result.probability - 0.01)
    assert float(result.chance) == pytest.approx(0.55) and float(result.mean) == pytest.approx(mean(0.55))


def test_contracts_that_never_or_always_gain():
    assert break_even("5S", "4S").fraction is None
    assert "gains nothing over 4S" in break_even("5S", "4S").text
    assert break_even("4S", "3NT", other_tricks=-1).fraction == 0
    # 2S makes 170 against 420, and is down 50 against 150: it gains only where it fails.
    fails = break_even("2S", "4S", tricks={7: 1, 10: 1})
    assert fails.fraction is None and "gains over 4S if it makes on fewer than 33.3 %" in fails.text
    assert "NT" in repr(break_even("3NT", "2NT")) and "<table" in break_even("3NT", "2NT").to_html()


@pytest.mark.parametrize(
    "contracts, options, message",
    [
        (("4S", "4s"), {}, "both contracts are 4S"), (("4S", "3H"), {}, "give other_tricks="),
        (("4S", "3X"), {}, "has no strain"), (("4S", "8S"), {}, "not a contract"),
        (("4S", "3S"), {"tricks": {10: 1}}, "no number of tricks fails in 4S"),
        (("4S", "3S"), {"tricks": {9: 1}}, "no number of tricks makes 4S"),
        (("4S", "3S"), {"tricks": {9: -1, 10: 1}}, "weights of 0 or more"),
        (("4S", "3S"), {"tricks": 10}, "weights by number"), (("4S", "3S"), {"against": "3NT"}, "not known"),
        (("4S", "3S"), {"against": {"3S": 0}}, "above 0"), (("4S", "3S"), {"vulnerable": "ns"}, "True or False"),
        (("4S", "3S"), {"other_tricks": -1}, "leave out other_tricks"),
        (("7S", "6NT"), {"other_tricks": 1}, "change other_tricks"),
    ],
)  # fmt: skip
def test_errors(contracts, options, message):
    with pytest.raises(ArgumentError, match=message):
        break_even(*contracts, **options)


def test_all_outputs_have_the_same_numbers() -> None:
    check_same_numbers(break_even("4S", "3S", tricks={8: 1, 9: 3, 10: 5, 11: 2}))
    check_same_numbers(break_even_table())
    chance = break_even("4S", "3S", vulnerable=True)
    assert chance.verdict in chance.text and "37.5" in chance.to_html() and "37.5" in chance.to_latex()
