"""Functions of the user with tags, and messages for wrong calls of evaluators."""

from __future__ import annotations

import numpy as np
import pytest

import dealerkit as dk
from dealerkit import registry
from dealerkit.evaluators import usereval


@pytest.fixture
def deals():
    return dk.deal(3_000, seed=11)


@pytest.fixture
def mine():
    """Register a function of a side with two outputs and tag 60, and return the list of its calls."""
    calls = []

    @dk.function(args=["side", "suit?"], outputs=("total", "adj"), tag=60, combine="")
    def mine(deals, side, suit=None):
        calls.append((side, suit))
        first, second = deals.hand(side), deals.hand(side + 2)
        aces = sum(
            ((hand >> np.uint64(16 * lane + 12)) & np.uint64(1)).astype(int)
            for hand in (first, second)
            for lane in range(4)
        )
        return {"total": aces + 10 * side, "adj": -aces if suit is None else np.full(len(deals), suit)}

    yield calls
    registry.unregister("mine")


def test_outputs_are_slots_and_are_computed_once(deals, mine):
    aces = deals.eval("aces(north) + aces(south)")
    assert (deals.eval("usereval(60, NS, 0)") == aces).all()
    assert (deals.eval("usereval(60, NS, 1)") == -aces).all()
    assert (deals.eval("usereval(60, EW, 0)") == 14 - aces).all()
    assert set(deals.eval("usereval(60, NS, clubs, 1)")) == {3}
    mine.clear()
    text = "mine(NS).adj * 100 + usereval(60, NS, 1) * 10 + usereval(60, NS, 0) + mine(NS).total + mine(NS)"
    assert (deals.eval(text) == -107 * aces).all()
    assert mine == [(0, None)]


def test_scripts_of_dialect_v2(deals, mine):
    aces = deals.eval("aces(north) + aces(south)")
    assert (deals.eval("usereval(60, NS, 1) + 0", dialect="v2") == -aces).all()
    script = "condition usereval(60, NS, 0) == 3\naction average usereval(60, NS, 1)"
    result = dk.run(script, produce=200, seed=2, dialect="v2", stream="uniform")
    assert result.reports[0].mean.value == -3
    by_name = dk.run("condition mine(NS) == 3", produce=200, seed=2)
    assert by_name.deals.hands.tolist() == result.deals.hands.tolist()


def test_one_value_is_slot_0(deals):
    @dk.function(args=["seat"], tag=61, real=True)
    def halves(deals, seat):
        return dk.evaluate(deals, "hcp", seat=seat) / 2

    try:
        assert (deals.eval("usereval(61, west, 0)") == deals.eval("hcp(west)") / 2).all()
        with pytest.raises(dk.ScriptError, match=r"halves\(seat\), which has slot 0 and not slot 1"):
            deals.eval("usereval(61, west, 1)")
        with pytest.raises(dk.ScriptError, match="halves takes one hand; for two hands write"):
            deals.eval("usereval(61, NS, 0)")
        with pytest.raises(dk.ScriptError, match="halves returns real numbers.*integers"):
            deals.eval("usereval(61, west, 0)", dialect="v2")
    finally:
        registry.unregister("halves")
    with pytest.raises(dk.ScriptError, match="no tag 61.*dk.function"):
        deals.eval("usereval(61, west, 0)")


def test_suit_of_usereval_is_a_strain(deals):
    @dk.function(args=["side", "strain?"], tag=64)
    def strain_of(deals, side, strain=4):
        return np.full(len(deals), 10 * side + strain)

    try:
        assert set(deals.eval("usereval(64, EW, hearts, 0)")) == {11}
        assert set(deals.eval("usereval(64, NS, 0)")) == {4}
        assert set(deals.eval("strain_of(EW, notrump)")) == {14}
    finally:
        registry.unregister("strain_of")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("usereval(60, NS, 2)", "slots 0 to 1 \\(total and adj\\) and not slot 2"),
        ("usereval(60, north, 0)", "mine takes a side"),
        ("usereval(62, NS, 0)", "no tag 62"),
        ("mine(NS).total2", "total, adj"),
    ],
)
def test_unknown_slots(deals, mine, text, message):
    with pytest.raises(dk.ScriptError, match=message):
        deals.eval(text)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"tag": 0}, "tag 0 of usereval is taken by bergen"),
        ({"tag": ord("Z")}, "tag 90 of usereval is taken by zar"),
        ({"tag": 23}, "taken by bumwrap"),
        ({"tag": 40}, "taken by usereval"),
        ({"tag": 60}, "taken by mine"),
        ({"tag": -1}, "0 or more"),
        ({"tag": "60"}, "0 or more"),
        ({"tag": True}, "0 or more"),
        ({"tag": 63, "args": ["expression"]}, "a seat or a side"),
        ({"tag": 63, "args": []}, "a seat or a side"),
        ({"tag": 63, "args": ["side", "suit", "integer"]}, "then a suit or nothing"),
        ({"combine": "summe"}, "combine is 'summe'"),
        ({"combine": "mean"}, "'24 - sum'"),
        ({"name": "hcp"}, "name 'hcp' is taken by a function of the language"),
    ],
)
def test_rejected_functions_are_not_registered(mine, options, message):
    before = {function.name: function for function in registry.functions()}
    with pytest.raises(dk.ArgumentError, match=message):
        dk.function(**{"name": "other", **options})(lambda deals, seat: 0)
    assert {function.name: function for function in registry.functions()} == before


def test_registering_again(deals, mine):
    def other(deals, side):
        return np.full(len(deals), 7)

    with pytest.raises(dk.ArgumentError, match="tag 40"):  # the registered function remains
        dk.function("mine", args=["side"], tag=40, replace=True)(other)
    assert set(deals.eval("usereval(60, NS, 0)")) <= {0, 1, 2, 3, 4}
    dk.function("mine", args=["side"], tag=60, replace=True)(other)
    assert set(deals.eval("usereval(60, NS, 0)")) == {7}
    dk.function("mine", args=["side"], tag=61, replace=True)(other)
    assert registry.find_tagged_function(60) is None and registry.find_tagged_function(
        61
    ) is registry.get_function("mine")


def test_all_tags_have_functions():
    functions = {tag: registry.find_tagged_function(tag) for tag in usereval.TAGS}
    assert all(functions.values())
    assert functions[13].name == "zar" and functions[27].name == "opcjgm" and functions[88].name == "usereval"
    assert registry.find_tagged_function(ord("k")) is registry.get_function("knr")
    free = set(range(200)) - {tag for function in registry.functions() for tag in function.tags}
    assert free & set(range(60, 66)) == set(range(60, 66))
    for tag in free:
        with pytest.raises(dk.ArgumentError, match=f"no tag {tag};"):
            usereval.filled_slots(tag)


def test_combine_of_a_user_function(deals):
    dk.function("weak", args=["seat"], combine="26 - sum", direction=-1)(
        lambda deals, seat: deals.hand(seat) % 5
    )
    try:
        assert registry.get_function("weak").direction == -1
        by_hand = [26 - int(hands[0]) % 5 - int(hands[2]) % 5 for hands in deals.hands[:50]]
        sides = deals[:50].sides("weak")
        assert sides.weak[sides.side == "NS"].tolist() == by_hand
    finally:
        registry.unregister("weak")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "zar(NS, purple)",
            "zar takes a side .* a suit or notrump; the second argument is the name 'purple'",
        ),
        ("hcp(north, notrump)", "hcp takes a seat and, optionally, a suit; the second argument is notrump"),
        ("fit(NS, notrump)", "fit takes a side .* the second argument is notrump"),
        ("fit(north)", "`fit` takes a side, NS or EW; write `fit"),
        ("opc(south)", "`opc` takes a side, NS or EW; write `opc"),
        ("losers(EW)", "a function takes one hand; write"),
        ("bergen(north, 3)", "bergen takes a side .* the second argument is a number"),
        ("roth()", "roth takes a side"),
        ("quality(north)", "quality takes a seat and a suit"),
    ],
)
def test_wrong_calls_in_scripts(deals, text, message):
    with pytest.raises(dk.ScriptError, match=message):
        deals.eval(text)


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("zar", {"side": "NS", "suit": "purple"}, r"zar\(side\|seat, strain\?\): unknown strain 'purple'"),
        ("hcp", {"seat": "north", "suit": "notrump"}, r"hcp\(seat, suit\?\): unknown suit 'notrump'"),
        ("fit", {"side": "NS", "suit": 4}, r"fit\(side, suit\?\): "),
        ("fit", {"seat": "north"}, "fit measures a side, not one hand"),
        ("opc", {"seat": "north"}, "opc measures a side"),
        ("losers", {"side": "NS"}, "losers measures one hand, not a side"),
        ("quality", {"seat": "north"}, "quality measures one suit"),
        ("cccc", {"seat": "north", "suit": "spades"}, "cccc has no values for single suits"),
        ("zar", {"side": "NS", "seat": "north"}, "zar measures a side or a seat's share"),
        ("zar", {"side": "NS", "variant": "codde"}, "unknown variant 'codde' of zar; known: intended, coded"),
        ("opc", {"side": "NS", "variant": "v1"}, "unknown variant 'v1' of opc"),
        ("hcp", {"seat": "north", "variant": "coded"}, "hcp has one definition only"),
    ],
)
def test_wrong_arguments_of_evaluate(deals, name, arguments, message):
    with pytest.raises(dk.ArgumentError, match=message):
        dk.evaluate(deals, name, **arguments)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (lambda deals, side: np.zeros((len(deals), 2), int), r"mine\.total returned shape"),
        (lambda deals, side: 1 / 0, "mine failed: ZeroDivisionError"),
    ],
)
def test_errors_of_bodies_have_the_name_of_the_function(deals, body, message):
    def both(deals, side):
        return {"total": body(deals, side), "adj": np.zeros(len(deals), int)}

    dk.function("mine", args=["side"], outputs=("total", "adj"), tag=60)(both)
    try:
        with pytest.raises(dk.ArgumentError, match=message):
            deals.eval("usereval(60, NS, 1)")
        with pytest.raises(dk.ArgumentError, match=message):
            deals.sides(mine="mine(NS).adj")
    finally:
        registry.unregister("mine")
