"""Runs on the classic streams that deal and evaluate together: random numbers, frames, errors, DealerV2's sorting."""

from __future__ import annotations

import sys

import numpy as np
import pandas as pd
import pytest

import dealerkit as dk
from dealerkit import Deals, RunOptions, registry
from dealerkit.dealing.classic import ClassicV1, ClassicV2
from dealerkit.simulation.deal_by_deal import find_program, run_deal_by_deal
from dealerkit.simulation.prepare import prepare


def run(script: str, **options) -> dk.Result:
    return dk.run_script(script, dk.RunOptions(**{"stream": "classic", "seed": 1, "keep": "all", **options}))


def deal_one(stream: ClassicV1 | ClassicV2) -> Deals:
    return Deals(stream.deal(1))


@pytest.mark.parametrize("dialect", ["v1", "v2", "modern"])
def test_a_frame_has_the_random_numbers_of_the_report(dialect):
    script = 'condition hcp(north) > 10 action average "r" rnd(1000), average "s" rnd(6) + hcp(south)'
    result = run(script, produce=50, dialect=dialect)
    frame = result.to_frame()
    assert frame["r"].mean() == pytest.approx(result["r"].mean.value)
    assert frame["s"].mean() == pytest.approx(result["s"].mean.value)
    if dialect != "v2":
        stream, drawn = ClassicV1(1), []
        while len(drawn) < 50:
            if int(deal_one(stream).eval("hcp(north)")[0]) > 10:
                drawn.append((stream.rnd(1000), stream.rnd(6)))
        assert frame["r"].tolist() == [first for first, _ in drawn]


def test_a_frame_file_of_shared_variables_with_random_numbers(tmp_path):
    script = (
        'a = hcp(north) b = rnd(5) + a condition b > 10 action average "r" rnd(1000) + b, average "c" a * b'
    )
    path = tmp_path / "deals.csv"
    result = run(script, produce=3000, frame=path)
    written, frame = pd.read_csv(path), result.to_frame()
    for column in ("a", "r"):
        assert written[column].tolist() == frame[column].tolist()
    assert written["r"].mean() == pytest.approx(result["r"].mean.value)
    assert written.columns.tolist() == frame.columns.tolist() and len(written) == 3000
    assert written["c"].mean() == pytest.approx(result["c"].mean.value)
    assert (written["c"] % written["a"] == 0).all()  # a is the same at each use, b is drawn at each


def test_no_deal_accepted():
    with pytest.warns(dk.NothingProducedWarning):
        text = run("condition hcp(north) > 37 action average rnd(3) == 1", generate=50, dialect="v1").text
    assert text.splitlines()[1:3] == ["Generated 50 hands", "Produced 0 hands"]


@pytest.mark.parametrize("dialect", ["v1", "v2"])
def test_random_numbers_under_swapping(dialect):
    result = run("condition rnd(3) == 1 action average rnd(3)", generate=600, swap=3, dialect=dialect)
    stream = ClassicV1(1, swap=3) if dialect == "v1" else ClassicV2(1, swap=3)
    numbers, drawn = [], []
    for number in range(600):
        stream.deal(1)
        if stream.rnd(3) == 1:
            numbers.append(number)
            if dialect == "v2":
                stream.accept(0)
            drawn.append(stream.rnd(3))
    assert result.numbers.tolist() == numbers
    assert result.deals.cluster.tolist() == [number // 6 for number in numbers]
    assert result.reports[0].mean.value == pytest.approx(np.mean(drawn))


def test_the_recursion_limit_is_not_changed():
    limit = sys.getrecursionlimit()
    chain = "\n".join(["v0 = hcp(north)", *(f"v{k} = v{k - 1} + 1" for k in range(1, 900))])
    result = run(f"{chain}\ncondition v899 > rnd(2) + 899 action average v899 + rnd(1)", generate=100)
    deals = result.deals
    assert sys.getrecursionlimit() == limit
    assert result.reports[0].mean.value == pytest.approx(deals.eval("hcp(north)").mean() + 899)


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("rnd(5) - 10 * rnd(7)", lambda rnd: rnd(5) - 10 * rnd(7)),
        ("rnd(5) < 3 and rnd(7) > 2", lambda rnd: rnd(5) < 3 and rnd(7) > 2),
        ("rnd(5) < 3 or rnd(7) > 2", lambda rnd: rnd(5) < 3 or rnd(7) > 2),
        (
            "rnd(3) ? 10 : rnd(4) ? rnd(8) : rnd(9)",
            lambda rnd: 10 if rnd(3) else rnd(8) if rnd(4) else rnd(9),
        ),
        ("0 * rnd(3) + (1 > 0 or rnd(9))", lambda rnd: 0 * rnd(3) + 1),
        ("a + a", lambda rnd: rnd(5) + rnd(5)),
        ("rnd(rnd(5) + 1)", lambda rnd: rnd(rnd(5) + 1)),
        ("max(rnd(5), rnd(9) - 3, 2)", lambda rnd: max(rnd(5), rnd(9) - 3, 2)),
        ("not (rnd(2) and not rnd(3))", lambda rnd: not (rnd(2) and not rnd(3))),
    ],
)
def test_random_numbers_are_drawn_in_the_order_of_the_text(expression, value):
    script = (
        f'a = rnd(5) condition ({expression}) >= 0 action average "x" {expression}, average "y" rnd(1000000)'
    )
    frame = run(script, generate=100, produce=100).to_frame()
    stream, rows = ClassicV1(1), []
    while len(rows) < 100:
        stream.deal(1)
        if value(stream.rnd) >= 0:
            rows.append((value(stream.rnd), stream.rnd(1_000_000)))
    assert list(zip(frame["x"].tolist(), frame["y"].tolist(), strict=True)) == rows[: len(frame)]


OPC = "condition hcp(north) > 9 and opc(NS) >= 22.0 and hcp(east) < 12"


@pytest.mark.parametrize("action", ["average hcp(south)", "average rnd(100)"])
def test_opc_in_a_condition_sorts_the_hands_of_v2(action):
    """DealerV2 sorts them where it evaluates opc, whether or not the deal is accepted."""
    result = run(f"{OPC} action {action}", produce=40, dialect="v2")
    stream, accepted, number = ClassicV2(1), [], 0
    while len(accepted) < 40:
        deal = deal_one(stream)
        is_sorted = bool(deal.eval("hcp(north) > 9")[0])
        stream.accept(0 if is_sorted else None)
        if is_sorted and deal.eval("opc(NS) >= 22.0 and hcp(east) < 12", dialect="v2")[0]:
            accepted.append(number)
            if "rnd" in action:
                stream.rnd(100)
        number += 1
    assert result.numbers.tolist() == accepted
    assert result.generated == accepted[-1] + 1


def test_a_division_by_zero_counts_only_up_to_the_last_deal():
    script = "condition 6 / (hcp(north) - 20) + rnd(2) < 9 action average rnd(2)"
    stream, number = ClassicV1(1), 0
    while int(deal_one(stream).eval("hcp(north)")[0]) != 20:
        stream.rnd(2)
        stream.rnd(2)  # every deal before is accepted
        number += 1
    assert run(script, produce=number).produced == number
    with pytest.raises(dk.DivisionByZeroError, match=rf"\(deal {number + 1} of the run\)"):
        run(script, produce=number + 1)
    in_action = "condition rnd(1) == 0 action average 6 / (hcp(north) - 20) + rnd(2)"
    assert run(in_action, produce=number).produced == number
    with pytest.raises(dk.DivisionByZeroError, match=rf"\(deal {number + 1} of the run\)"):
        run(in_action, generate=100_000)


def test_functions_that_no_kernel_computes():
    """Scores, Four C's and a user's function guard draws and feed their limits."""

    @dk.function("low_cards", low=0, high=13)
    def low_cards(deals, seat):
        return np.bitwise_count(deals.hand(seat) & np.uint64(0x00FF_00FF_00FF_00FF))

    try:
        script = """condition cccc(north) > 8 + rnd(5) and (low_cards(south) > 7 or rnd(2) == 1)
            action average "a" score(vul, 3NT, 7 + rnd(3)), average "b" rnd(low_cards(east) + 1)"""
        result = run(script, produce=60)
        frame, stream, rows = result.to_frame(), ClassicV1(1), []
        while len(rows) < 60:
            deal = deal_one(stream)
            points, low = float(deal.eval("cccc(north)")[0]), int(deal.eval("low_cards(south)")[0])
            if points - (8 + stream.rnd(5)) > 1e-9 and (low > 7 or stream.rnd(2) == 1):
                tricks, limit = 7 + stream.rnd(3), int(deal.eval("low_cards(east)")[0]) + 1
                rows.append((float(dk.score("3NT", tricks, vulnerable=True)), stream.rnd(limit)))
    finally:
        registry.unregister("low_cards")
    assert list(zip(frame["a"].tolist(), frame["b"].tolist(), strict=True)) == rows


def test_a_run_without_end_stops_after_the_seconds_given():
    with pytest.warns(dk.NothingProducedWarning):
        result = run("condition rnd(2) == 2 action average 1", generate=10**12, give_up=0.2, keep=0)
    assert result.produced == 0 and 0 < result.generated < 10**9


def test_numbers_of_boards_wrap_at_32_bits_as_all_integers_of_v2():
    """In C, 2,147,483,647 times 2 is -2 and times 3 is 2,147,483,645."""
    script = "action average 2147483647 * rnd(0), average rnd(1) + rnd(0) * 2147483647"
    means = [report.mean.value for report in run(script, generate=3, dialect="v2").reports]
    assert means == [pytest.approx((2147483647 - 2 + 2147483645) / 3)] * 2


def test_the_kernel_is_compiled_once():
    """An array of another layout, as that of one deal may have, would be compiled again for seconds."""
    from dealerkit.compiler.program_kernel import run_program

    deals = dk.deal(50, seed=1)
    for options in ({"produce": 1}, {"generate": 1}, {"produce": 20}, {"generate": 20, "swap": 3}):
        for dialect in ("v1", "v2", "modern"):
            run(
                "condition hcp(north) > rnd(12) action average rnd(3), average hcp(north)",
                dialect=dialect,
                **options,
            )
    for n in (1, 50):
        script = "condition rnd(0) < 3 action average rnd(3), average rnd(2) + 1"
        dk.run(script, source=deals[:n], dialect="v2")
    assert len(run_program.variants) == 1


@pytest.mark.parametrize(
    "script", ["condition 1 action average dds(north, spades)", "action average dds(north, spades) + rnd(2)"]
)
def test_batches_with_a_solver_take_about_a_second(script):
    job = prepare(script, RunOptions(generate=100_000, seed=1, dialect="v2", stream="classic"))
    program = find_program(job.plan, job.source)
    batches = run_deal_by_deal(job, program)
    first, second = next(batches), next(batches)
    batches.close()
    assert 1 <= len(first.produced) <= 1e9 / job.plan.solver_ns
    assert second.numbers[0] == first.generated == len(first.produced)
