"""Functions of users, and the registry."""

from __future__ import annotations

import pickle
from collections.abc import Callable

import numpy as np
import pytest

import dealerkit as dk
from dealerkit import registry


@pytest.fixture
def clean_registry():
    """Remove the functions that a test registers."""
    dk.function  # noqa: B018 - fills the registry
    before = {function.name for function in registry.functions()}
    yield
    for function in list(registry.functions()):
        if function.name not in before:
            registry.unregister(function.name)


def fits(deals: dk.Deals, side: int) -> np.ndarray:
    """Number of suits in which the side has eight cards or more"""
    both = deals.hand(side) | deals.hand(side + 2)
    return sum(
        (np.bitwise_count(both >> np.uint64(16 * lane) & np.uint64(0x1FFF)) >= 8).astype(int)
        for lane in range(4)
    )


def test_a_function_can_be_used_in_scripts(clean_registry) -> None:
    dk.function(args=["side"], unit="suits", source="this test", low=0, high=3)(fits)
    deals = dk.deal(5_000, seed=1)
    suits = ("spades", "hearts", "diamonds", "clubs")
    by_hand = sum((deals.eval(f"fit(NS, {suit}) >= 8")).astype(int) for suit in suits)
    assert (deals.eval("fits(NS)") == by_hand).all()
    assert (deals.to_frame("fits")["fits_ns"] == by_hand).all()
    script = 'condition fits(NS) >= 2 action average "other side" fits(EW), frequency (fits(NS), 0, 3)'
    sequential, parallel = (
        dk.run(script, generate=200_000, produce=10**9, seed=1, threads=threads) for threads in (1, 2)
    )
    assert sequential.deals.equals(parallel.deals) and sequential.reports[0].mean == parallel.reports[0].mean
    assert sequential.deals[: (by_hand >= 2).sum()].equals(deals.where("fits(NS) >= 2"))
    assert sequential.reports[1].n == sequential.produced
    assert "fits" in dk.functions.index and dk.functions.loc["fits", "summary"].startswith("Number of suits")
    with pytest.raises(dk.ScriptError, match="did you mean 'fits'"):
        deals.eval("fitss(NS)")
    with pytest.raises(dk.ScriptError, match="a side"):
        deals.eval("fits(north)")
    with pytest.raises(dk.ScriptError):  # unknown in the old dialects
        deals.eval("fits(NS)", dialect="v2")


def test_several_outputs_are_computed_once(clean_registry) -> None:
    calls = []

    @dk.function("lengths", args=["seat"], outputs=("longest", "shortest"))
    def lengths(deals, seat):
        calls.append(len(deals))
        hand = deals.hand(seat)
        each = [np.bitwise_count(hand >> np.uint64(16 * lane) & np.uint64(0x1FFF)) for lane in range(4)]
        return {"longest": np.maximum.reduce(each), "shortest": np.minimum.reduce(each)}

    script = "action average lengths(north).longest, average lengths(north).shortest, average lengths(north)"
    result = dk.run(script, generate=1_000, seed=1, threads=1)
    assert calls == [1_000]
    longest, shortest, first = (report.mean.value for report in result.reports)
    assert longest == first > 13 / 4 > shortest
    survivors = dk.run(
        "condition lengths(north).longest > 5 action average lengths(north).shortest", generate=1_000, seed=1
    )
    assert survivors.reports[0].mean.value < shortest
    text = "lengths(north).longest > 5 and lengths(south).shortest < 2"
    script = dk.parse(f"condition {text}")
    from dealerkit.language.printer import to_text

    assert dk.parse(to_text(script)) == script
    with pytest.raises(dk.ScriptError, match="longest, shortest"):
        dk.parse("condition lengths(north).widest > 5")
    with pytest.raises(dk.ScriptError, match="no output"):
        dk.parse("condition hcp(north).widest > 5")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (lambda deals, seat: np.zeros(3, int), r"wrong returned shape \(3,\)"),
        (lambda deals, seat: 3, "wrong returned 3, one value for 500 deals; it gets all deals at once"),
        (lambda deals, seat: np.zeros(len(deals)), "wrong returned values of type float64"),
        (lambda deals, seat: 1 / 0, "wrong failed: ZeroDivisionError"),
        (lambda deals, seat: np.full(len(deals), 99), "its range is 0 to 13"),
        (lambda deals: np.zeros(len(deals), int), "wrong failed: TypeError"),
    ],
)
def test_errors_of_wrong_bodies_name_the_function(clean_registry, body, message: str) -> None:
    dk.function("wrong", args=["seat"], low=0, high=13)(body)
    with pytest.raises(dk.ArgumentError, match=message):
        dk.run("action average wrong(north)", generate=500, seed=1)


def test_names_that_are_taken_or_wrong_are_refused(clean_registry) -> None:
    dk.function("mine")(lambda deals, seat: deals.hand(seat) > 0)
    with pytest.raises(dk.ArgumentError, match="taken"):
        dk.function("mine")(lambda deals, seat: deals.hand(seat) > 0)
    dk.function("mine", replace=True)(lambda deals, seat: deals.hand(seat) == 0)
    assert not dk.deal(10, seed=1).eval("mine(north)").any()
    for name in ("hcp", "pt0", "two words", "_x", "für"):
        with pytest.raises(dk.ArgumentError):
            dk.function(name)(lambda deals, seat: 0)
    with pytest.raises(dk.ArgumentError, match="kind"):
        dk.function("other", args=["deck"])(lambda deals, seat: 0)


def define(body: Callable, module: str, qualname: str, **options) -> None:
    """Register a function as if `module` defined it under this name."""
    body.__module__, body.__qualname__ = module, qualname
    dk.function("again", **options)(body)


def value() -> int:
    return int(dk.deal(1, seed=1).eval("again(north)")[0])


@pytest.mark.parametrize("module", ["__main__", "mylib"])
def test_a_function_that_is_defined_again_is_replaced(clean_registry, module: str) -> None:
    define(lambda deals, seat: np.full(len(deals), 1), module, "again", tag=60, low=0, high=2)
    before = dk.run("action average again(north)", produce=5, seed=1)
    define(lambda deals, seat: np.full(len(deals), 2), module, "again", tag=60, low=0, high=2)
    assert value() == 2 and dk.deal(1, seed=1).eval("usereval(60, north, 0)").tolist() == [2]
    define(lambda deals, side: np.full(len(deals), 2), module, "again")  # with other arguments, without tag
    assert dk.deal(1, seed=1).eval("again(NS)").tolist() == [2]
    assert registry.find_tagged_function(60) is None
    assert before.to_frame()["again(north)"].tolist() == [1] * 5  # a result keeps its functions


def test_another_function_of_the_name_is_an_error(clean_registry) -> None:
    define(lambda deals, seat: np.full(len(deals), 1), "mylib", "again")
    for module, qualname in (("mylib", "other"), ("otherlib", "again"), ("__main__", "again")):
        with pytest.raises(dk.ArgumentError, match=r"'again' is taken by a function of mylib, again\(seat\)"):
            define(lambda deals, seat: np.full(len(deals), 2), module, qualname)
    assert value() == 1
    define(lambda deals, seat: np.full(len(deals), 2), "otherlib", "again", replace=True)
    assert value() == 2
    define(lambda deals, seat: np.full(len(deals), 3), "__main__", "f", replace=True)
    define(lambda deals, seat: np.full(len(deals), 4), "__main__", "g")
    assert value() == 4


def test_names_of_the_language_are_not_replaced_by_accident(clean_registry) -> None:
    for name, owner in (("hcp", "a function of the language, hcp"), ("tricks", "another name of a function")):
        with pytest.raises(dk.ArgumentError, match=rf"{owner}.*@dk.function\('my_{name}'\)"):
            dk.function(name)(lambda deals, seat: deals.hand(seat) > 0)
    assert dk.deal(1, seed=1).eval("hcp(north)").dtype.kind == "i"


@pytest.mark.parametrize(
    ("name", "meaning"),
    [("any", "a keyword"), ("average", "a keyword"), ("north", "a keyword"), ("SAK", "a holding"),
     ("AS", "a card"), ("x100", "a shape"), ("z3NT", "a contract")],
)  # fmt: skip
def test_words_of_the_language_are_no_names_of_functions(clean_registry, name: str, meaning: str) -> None:
    with pytest.raises(dk.ArgumentError, match=f"'{name}' is {meaning} in scripts"):
        dk.function(name)(lambda deals, seat: deals.hand(seat) > 0)
    dk.parse("predeal south SAK condition shape(north, any 4333 + x100)")


def test_a_frame_has_the_first_of_several_values(clean_registry) -> None:
    @dk.function("pair", args=["seat"], outputs=("first", "second"))
    def pair(deals, seat):
        return {"first": np.full(len(deals), seat), "second": np.full(len(deals), 9)}

    row = dk.deal(1, seed=1).to_frame("pair", second="pair(west).second").iloc[0]
    assert row.drop("deal").tolist() == [0, 1, 2, 3, 9]


@pytest.mark.parametrize("value", [2**40, -(2**31) - 1, 2**63])
def test_integers_of_more_than_32_bits_need_bounds(clean_registry, value: int) -> None:
    large = np.uint64(value) if value >= 2**63 else value
    dk.function("large")(lambda deals, seat: np.full(len(deals), large))
    with pytest.raises(dk.ArgumentError, match="large returned .*32 bits need bounds"):
        dk.deal(2, seed=1).eval("large(north) * large(north)")
    dk.function("real_large", real=True)(lambda deals, seat: np.full(len(deals), large))
    assert dk.deal(2, seed=1).eval("real_large(north) * 2").tolist() == [2.0 * value] * 2


@pytest.mark.parametrize(("low", "high"), [("a", 3), (float("nan"), 3), (0, float("inf")), (5, 1), (0, [1])])
def test_bounds_are_numbers_in_order(clean_registry, low: object, high: object) -> None:
    with pytest.raises(dk.ArgumentError, match="low .*of bounded"):
        dk.function("bounded", low=low, high=high)(lambda deals, seat: deals.hand(seat) > 0)


def test_the_decorator_without_parentheses(clean_registry) -> None:
    @dk.function
    def top_bit(deals, seat):
        "1 with the ace of spades"
        return deals.hand(seat) >> np.uint64(60) & np.uint64(1) > 0

    @dk.function
    def joint(deals, side, suit, number=3):
        return np.full(len(deals), 100 * side + 10 * suit + number)

    @dk.function(unit="cards")
    def third(deals, whose):
        return np.full(len(deals), whose)

    @dk.function
    def spare(deals):
        return np.full(len(deals), 7)

    deals = dk.deal(300, seed=1)
    assert (deals.eval("top_bit(east)") == deals.eval("hascard(east, AS)")).all()
    assert "ace of spades" in dk.functions.loc["top_bit", "summary"]
    assert deals[:1].eval("joint(EW, hearts)").tolist() == [113]
    assert deals[:1].eval("joint(EW, hearts, 7)").tolist() == [117]
    assert deals[:1].eval("third(south)").tolist() == [2]
    assert deals[:2].eval("spare() + 1").tolist() == [8, 8]
    with pytest.raises(dk.ScriptError, match="a side"):
        deals.eval("joint(north, hearts)")


def test_a_holding_table_declares_a_single_value(clean_registry) -> None:
    with pytest.raises(dk.ArgumentError, match="tops has several outputs; a holding_table"):
        dk.function("tops", outputs=["a", "b"], holding_table=np.zeros(8192, int))(lambda deals, seat: {})


def test_the_first_parameter_is_not_a_hand(clean_registry) -> None:
    for body in (lambda hand: 1, lambda seat: 1):
        with pytest.raises(dk.ArgumentError, match=r"write def mine\(deals, seat\)"):
            dk.function("mine")(body)


@pytest.mark.parametrize("body", [lambda deals, a, b: 0, lambda: 0])
def test_kinds_that_cannot_be_inferred(clean_registry, body: Callable) -> None:
    with pytest.raises(dk.ArgumentError, match=r'@dk.function\(args=\["seat", ...\]\)'):
        dk.function("unclear")(body)


def test_real_values_and_expressions(clean_registry) -> None:
    @dk.function("half", args=["expression"], real=True)
    def half(deals, values):
        return values / 2

    deals = dk.deal(100, seed=1)
    assert (deals.eval("half(hcp(north)) * 2 == hcp(north)")).all()
    assert deals.eval("half(3)").tolist() == [1.5] * 100


def test_every_public_name_can_be_imported() -> None:
    assert len(dk.__all__) > 50 and dir(dk) == sorted(dk.__all__)
    for name in dk.__all__:
        assert getattr(dk, name) is not None


def test_a_name_may_begin_with_the_name_of_another_column(clean_registry) -> None:
    dk.function("shapeliness", args=["seat"], low=0, high=13)(lambda deals, seat: np.full(len(deals), 7))
    assert (dk.deal(5, seed=1).to_frame("shapeliness")["shapeliness_north"] == 7).all()


def test_deals_evaluate_only_expressions() -> None:
    deals = dk.deal(5, seed=1)
    for text in ("condition hcp(north) > 3 action printall", "produce 3 hcp(north)", "predeal north SA 1"):
        with pytest.raises(dk.ScriptError, match="only an expression"):
            deals.eval(text)
    assert (deals.eval("pointcount 1 a = hcp(north) a + 0") == deals.eval("aces(north)")).all()


def test_the_error_of_an_unknown_kind_of_argument_suggests_a_kind() -> None:
    with pytest.raises(dk.ArgumentError, match="did you mean 'seat'"):
        dk.function("seated", args=["seats"])(lambda deals, seat: deals.hands[:, 0])


def test_a_misspelt_function_gets_one_suggestion_everywhere() -> None:
    deals = dk.deal(2, seed=1)
    calls = (
        lambda: deals.to_frame("hpc"),
        lambda: deals.eval("hpc(north)"),
        lambda: dk.run("produce 1\ncondition hpc(north) > 10"),
        lambda: dk.evaluate(deals, "hpc", seat="north"),
        lambda: dk.compare(["hpc"], sample=deals),
    )
    for call in calls:
        with pytest.raises(dk.DealerkitError, match="did you mean 'hcp'"):
            call()


def test_every_function_can_be_sent_to_another_process() -> None:
    """Results contain the functions of their scripts, and untrusted runs send them from another process."""
    dk.function  # noqa: B018 - fills the registry
    for function in registry.functions():
        assert pickle.loads(pickle.dumps(function)).name == function.name


def test_a_function_in_place_of_a_condition_is_refused_with_the_way_to_use_it() -> None:
    with pytest.raises(
        dk.ArgumentError, match="not the text of a script.*register a function of yours with @"
    ):
        dk.deal(1, given=lambda deal: True)
