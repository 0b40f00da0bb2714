"""Runs with double-dummy clauses: only the deals needed are solved, and results equal those of tables."""

from __future__ import annotations

import numpy as np
import pytest

import dealerkit as dk
from dealerkit.dealing.random_words import keyed_integers
from dealerkit.registry import unregister

# The clause about tricks is evaluated on the deals that satisfy the others, wherever it is written.
NTRIX = """
s = dds(south, spades)  h = dds(south, hearts)  d = dds(south, diamonds)
c = dds(south, clubs)   n = dds(south, notrump)
m1 = s > h ? s : h  m2 = m1 > d ? m1 : d  m3 = m2 > c ? m2 : c  ntrix = m3 > n ? m3 : n
balanced = shape(north, any 4333 + any 4432 + any 5332)
"""
OTHERS = "balanced and hcp(north) >= 15 and hcp(north) <= 18 and hcp(south) <= 12"


@pytest.mark.parametrize("limit", [{"produce": 12}, {"generate": 400}])
def test_the_solver_comes_last_wherever_it_is_written(limit):
    first = dk.run(f"{NTRIX} condition ntrix > 6 and {OTHERS}", seed=1, **limit)
    last = dk.run(f"{NTRIX} condition {OTHERS} and ntrix > 6", seed=1, **limit)
    assert first.deals.equals(last.deals)
    assert first.solver.solved == last.solver.solved
    survivors = dk.run(f"{NTRIX} condition {OTHERS}", seed=1, generate=first.generated).produced
    assert first.produced <= survivors
    # Five strains at most for each survivor, and one at least; a batch may be solved beyond the last produced.
    assert survivors <= first.solver.requested <= 5 * (survivors + 20)


def test_no_deal_is_solved_after_the_last_produced_one():
    result = dk.run("action average dds(west, clubs)", produce=7, seed=2)
    assert result.solver.solved == result.solver.requested == 7


def test_what_is_printed_is_counted_and_solved_once():
    items = "par(NS, none), par(NS, ns), par(EW, none), parcontract(both), trix(deal), trix(north)"
    result = dk.run(f"action printrpt({items})", produce=2, seed=1)
    assert result.solver.requested == result.solver.solved == 2 * 20


def test_attached_tables_are_used_before_the_solver():
    tables = np.full((50, 5, 4), 9)
    tables[:20, 4, 2] = 10
    deals = dk.deal(50, seed=1).replace(tables=tables)
    result = dk.run(
        "condition dds(south, notrump) >= 10\naction average dds(south, spades)", source=deals, seed=1
    )
    assert (result.produced, result.generated) == (20, 50)
    assert result.solver.solved == 0 and result.solver.attached == 50 + 20
    assert result.reports[0].mean.value == 9


def test_a_guarded_division_keeps_its_place():
    tables = np.full((4, 5, 4), 9)
    tables[0] = 0
    deals = dk.deal(4, seed=1).replace(tables=tables)
    guarded = "condition dds(south, spades) > 0 and 18 / dds(south, spades) == 2"
    assert dk.run(guarded, source=deals).produced == 3
    with pytest.raises(dk.DivisionByZeroError):
        dk.run("condition 18 / dds(south, spades) == 2 and dds(south, spades) > 0", source=deals)


def test_random_numbers_of_a_classic_stream_with_tricks():
    script = "condition rnd(2) == 1 and dds(south, spades) >= 7\naction average dds(south, spades)"
    result = dk.run(script, produce=3, seed=1, dialect="v2", stream="classic")
    assert result.produced == 3
    assert (result.deals.eval("dds(south, spades)") >= 7).all()


def test_tricks_evaluated_deal_by_deal_are_counted():
    script = "condition rnd(2) == 1 and dds(south, spades) >= 0\naction average dds(south, hearts)"
    by_deal = dk.run(script, produce=4, seed=1, stream="classic").solver
    assert (
        by_deal.requested == by_deal.solved == 2 * 4
    )  # each deal occurs once, and none whose rnd is 0 is solved
    assert by_deal.seconds > 0


def test_a_random_number_belongs_to_its_deal_in_both_loops():
    # rnd(0) of DealerV2 makes the run go deal by deal; the first number of the first deal is still its own.
    script = "condition rnd(0) >= 0\naction average rnd(1000000)"
    mean = dk.run(script, produce=1, seed=1, dialect="v2").reports[0].mean.value
    assert mean == keyed_integers(1, np.array([0]), 1, np.array([1_000_000]))[0]


@pytest.mark.parametrize("stream", ["uniform", "classic"])
def test_an_error_names_its_deal_by_the_same_number_in_both_loops(stream):
    with pytest.raises(dk.DivisionByZeroError, match=r"\(deal 1 of the run\)"):
        dk.run("condition 1 / (rnd(2) * 0) == 1", produce=1, seed=1, stream=stream)


def test_tags_of_the_users_own_on_a_classic_stream():
    @dk.function("strength", args=["side"], tag=61, outputs=("points", "cards"))
    def strength(deals, side):
        hands = deals.eval(f"hcp({('north', 'east')[side]}) + hcp({('south', 'west')[side]})")
        return {"points": hands, "cards": np.full(len(deals), 26)}

    try:
        script = "condition usereval(61, NS, 0) >= 20 and rnd(2) == 1\naction average usereval(61, NS, 1)"
        result = dk.run(script, produce=3, seed=1, dialect="v2", stream="classic")
    finally:
        unregister("strength")
    assert result.reports[0].mean.value == 26
    assert (result.deals.eval("hcp(north) + hcp(south)") >= 20).all()


@pytest.mark.parametrize(("vulnerable", "score"), [("none", 460), ("both", 660)])
def test_the_vulnerability_holds_where_rnd_takes_the_numbers_of_a_classic_stream(vulnerable, score):
    """The deal makes 3NT with two overtricks: 460 not vulnerable, 660 vulnerable."""
    script = "action average par(NS), average rnd(2)"
    result = dk.run_script(script, dk.RunOptions(stream="classic", vulnerable=vulnerable, produce=1, seed=1))
    assert result.reports[0].mean.value == score


@pytest.mark.parametrize(
    ("dialect", "statement", "argument", "score"),  # 660 or 460 as above: modern has the statement, v2 has not
    [
        ("modern", "vulnerable ns", None, 660), ("modern", "vulnerable ew", None, 460),
        ("modern", "vulnerable ns", "none", 460), ("modern", "", True, 660), ("modern", "", 1, 660),
        ("v2", "vulnerable ns", None, 460), ("v2", "vulnerable ew", "ns", 660), ("v2", "", "all", 660),
    ],
)  # fmt: skip
def test_the_vulnerability_of_par_is_that_of_the_run(dialect, statement, argument, score):
    deal = dk.run("action average rnd(2)", stream="classic", produce=1, seed=1).deals
    script = f"{statement} action average par(NS)"
    result = dk.run_script(script, dk.RunOptions(source=deal, dialect=dialect, vulnerable=argument))
    assert result.reports[0].mean.value == score
    assert result.to_frame()["par(NS)"].tolist() == [score]


# ------------------------------------------------------------ solved deals first
CONDITION = "condition hcp(north) >= 10"


def test_solved_deals_come_first_and_new_ones_after_them() -> None:
    """The solved deals are those of the library, in order; then come the deals of the seed, which are solved."""
    library = dk.solved_sample()[:500]
    script = f"{CONDITION} action average dds(south, notrump)"
    result = dk.run(script, solved=library, generate=520, seed=1)
    found = library.where("hcp(north) >= 10")
    new = dk.deal(20, seed=1).where("hcp(north) >= 10")
    assert result.deals.to_pbn() == found.to_pbn() + new.to_pbn()
    assert (result.solver.attached, result.solver.requested) == (len(found), len(found) + len(new))
    tricks = [*found.tables[:, 4, 2], *dk.dd_table(new)[:, 4, 2]]
    assert result.reports[0].mean.value == pytest.approx(np.mean(tricks))


@pytest.mark.parametrize("threads", [1, 2])
def test_a_run_over_several_libraries_is_that_of_all_their_deals(threads: int) -> None:
    sample = dk.solved_sample()
    dk.use_solved(dk.deal(5000, seed=3).replace(tables=np.full((5000, 5, 4), 13, np.int8)))  # recognisable
    try:
        result = dk.run(
            "action average dds(west, clubs) == 13, average hcp(north)", solved="auto", generate=len(sample) + 5000,
            threads=threads, seed=1,
        )  # fmt: skip
    finally:
        dk.use_solved()
    n_made = (sample.tables[:, 3, 3] == 13).sum() + 5000
    assert result.reports[0].mean.value == pytest.approx(n_made / (len(sample) + 5000))
    points = [*sample.eval("hcp(north)"), *dk.deal(5000, seed=3).eval("hcp(north)")]
    assert result.reports[1].mean.value == pytest.approx(np.mean(points))
    assert result.solver.solved == 0


def test_runs_on_the_same_solved_deals_are_not_combined() -> None:
    first, second = (dk.run(CONDITION, solved="auto", produce=30, seed=seed) for seed in (1, 2))
    with pytest.raises(dk.ArgumentError, match="contains 30 deals that an earlier one also contains"):
        first + second


@pytest.mark.parametrize(
    ("script", "options", "message"),
    [
        (CONDITION, {"solved": 3}, "solved is 3; give 'auto', a library"),
        (CONDITION, {"solved": "auto", "source": "all"}, "solved= cannot be combined with source="),
        (CONDITION, {"solved": "auto", "plan": "conditional"}, "takes deals that exist already"),
        (CONDITION, {"solved": "auto", "untrusted": True}, "solved= cannot be combined with untrusted=True"),
        (
            "predeal north SA",
            {"solved": "auto"},
            "without predealt cards; write the cards into the condition",
        ),
    ],
)
def test_solved_deals_exclude_other_sources(script: str, options: dict, message: str) -> None:
    with pytest.raises(dk.ArgumentError, match=message):
        dk.run(script, produce=1, **options)
