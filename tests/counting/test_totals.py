"""Clauses that the totals of the cards make impossible together, against arithmetic and deals."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dealerkit as dk
from dealerkit.compiler.compilation import compile_condition
from dealerkit.counting import SuitSums
from dealerkit.counting.totals import exclude_each_other
from dealerkit.dealing import Predeal

FOUR = "hcp(north)>=12 && hcp(east)>=12 && hcp(south)>=12 && hcp(west)>=12"  # 48 of 40 points
SEATS = ("north", "east", "south", "west")


def excluded(condition: str, predeal: dict | None = None) -> bool:
    compiled = compile_condition(condition)
    return exclude_each_other(SuitSums(compiled.graph), compiled.clauses, Predeal.from_mapping(predeal or {}))


@pytest.mark.parametrize(
    ("condition", "is_excluded"),
    [
        (FOUR, True),
        (FOUR.replace("12", "10"), False),  # 40 of 40
        (FOUR.replace(">=12", ">10"), True),
        (FOUR.replace(">=12", "<=9"), True),  # 36 of 40
        (FOUR.replace(">=12", "<11"), False),
        (FOUR.replace(">=12", "==10.5"), True),
        ("20 <= hcp(north) and 12 - hcp(east) <= 0 and hcp(south) + hcp(west) > 8", True),
        ("20 <= hcp(north) and 12 - hcp(east) <= 0 and hcp(south) + hcp(west) > 7", False),
        ("hcp(north) + hcp(east) >= 26 and hcp(south) + hcp(west) >= 15", True),
        ("hcp(north) + hcp(south) >= 26 and 2 * hcp(east) >= 16 and hcp(west) >= 7", True),
        (" and ".join(f"hearts({seat}) >= 4" for seat in SEATS), True),
        (" and ".join(f"hearts({seat}) <= 3" for seat in SEATS), True),
        (" and ".join(f"hearts({seat}) >= 3" for seat in SEATS), False),
        (" and ".join(f"hcp({seat}, spades) > 2" for seat in SEATS), True),
        (" and ".join(f"hcp({seat}, spades) > 2" for seat in SEATS[:3]), False),
        (" and ".join(f"controls({seat}) >= 4" for seat in SEATS), True),  # 16 of 12
        (" and ".join(f"losers({seat}) >= 9" for seat in SEATS), False),
        (" and ".join(f"losers({seat}) == 0" for seat in SEATS), False),  # thirteen cards of a suit each
        (" and ".join(f"quicktricks({seat}) >= 3" for seat in SEATS[:3]), True),  # at most two in each suit
        (" and ".join(f"quicktricks({seat}) > 2.5" for seat in SEATS[:3]), True),
        (" and ".join(f"quicktricks({seat}) >= 2.5" for seat in SEATS[:3]), False),
        (" and ".join(f"3 <= quicktricks({seat})" for seat in SEATS[:2]), False),
        ("quicktricks(north) + quicktricks(east) > 5 and 2 * quicktricks(west) >= 6", True),
    ],
)
def test_exclusion(condition: str, is_excluded: bool) -> None:
    assert excluded(condition) == is_excluded


def test_predealt_cards_count() -> None:
    rest = "hcp(east) >= 10 and hcp(south) >= 10 and hcp(west) >= 10"
    assert not excluded(rest) and not excluded(rest, {"north": "SAK,HK"})
    assert excluded(rest, {"north": "SAK,HAK"})


@settings(max_examples=60)
@given(
    st.sampled_from(("hcp", "losers", "quicktricks", "top3", "spades")),
    st.integers(0, 10_000),
    st.lists(st.tuples(st.integers(1, 15), st.integers(0, 3)), max_size=6),
)
def test_what_a_deal_meets_is_not_excluded(function: str, seed: int, parts: list[tuple[int, int]]) -> None:
    deal = dk.deal(1, seed=seed)
    clauses = []
    for number, relation in parts:
        arguments = "({}, hearts)" if function == "top3" else "({})"
        text = " + ".join(
            function + arguments.format(seat) for i, seat in enumerate(SEATS) if number >> i & 1
        )
        value = deal.eval(text)[0]
        clauses.append(f"{text} {('>=', '<=', '==', '<')[relation]} {value + (relation == 3)}")
    assert not excluded(" and ".join(clauses) or "1")


def test_the_public_calls_prove_it_at_once() -> None:
    began = time.process_time()
    impossible = dk.probability(FOUR)
    assert impossible.fraction == 0
    for generate in (None, 1000):
        with pytest.warns(dk.UnsatisfiableWarning, match=r"hcp\(north\) >= 12 and .*hcp\(west\) >= 12"):
            result = dk.run(f"condition {FOUR} and hearts(north) > 1", produce=10, seed=1, generate=generate)
        assert len(result.unsatisfiable) == 4  # without that about hearts
    with pytest.warns(dk.UnsatisfiableWarning):
        assert len(dk.deal(2, given=FOUR)) == 0
    with pytest.raises(dk.ArgumentError, match="no deal can meet the given condition"):
        dk.estimate("hcp(north)", given=FOUR)
    with pytest.raises(dk.ArgumentError, match="no deal"):
        dk.probability("hcp(north) > 13", given=FOUR)
    assert time.process_time() - began < 20  # dealing took minutes
