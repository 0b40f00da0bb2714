"""Script variables with names, in every function that takes a script or an expression."""

from __future__ import annotations

import pickle
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import dealerkit as dk
from dealerkit.cli.arguments import join_scripts
from dealerkit.language.script_variables import ScriptVariables, format_value

SHAPES = "any 4333 + any 4432 + any 5332"


@pytest.mark.parametrize(
    ("text", "params", "same"),
    [
        ("hcp(north) >= $low", {"low": 15}, "hcp(north) >= 15"),
        ("hcp(north) >= $low and hcp(south) >= $lower", {"low": 15, "lower": 9},
         "hcp(north) >= 15 and hcp(south) >= 9"),  # the longest name
        ("shape(north, $shapes)", {"shapes": SHAPES}, f"shape(north, {SHAPES})"),
        ("shape{north, $shapes}", {"shapes": SHAPES}, f"shape{{north, {SHAPES}}}"),
        ("shape{north, $1xxx + $2xxx}", {1: "5", "2": "6"}, "shape{north, 5xxx + 6xxx}"),
        ("$a_1 > $_b", {"a_1": "$c + 1", "_b": 2, "c": "hcp(north)"}, "hcp(north) + 1 > 2"),
        ("hcp($0) >= $low", {"0": "north", "$low": 15}, "hcp(north) >= 15"),
        ("hcp($0) >= $1", ["north", 15], "hcp(north) >= 15"),
        ("hcp(north) >= $low", {"low": "0 + 15", "high": None}, "hcp(north) >= 0 + 15"),
        ("hcp(north) $1 $10", {1: ">="}, "hcp(north) >= >= 0"),  # $10 is $1 and 0
        ("$LOW > $low", {"low": 1, "LOW": 2}, "2 > 1"),
    ],
)  # fmt: skip
def test_values_replace_variables(text: str, params: object, same: str) -> None:
    if ">= >=" in same:
        with pytest.raises(dk.ScriptError) as caught:
            dk.parse(text, params=params)
        assert caught.value.column == text.index("$10") + 1
        return
    assert dk.parse(text, params=params) == dk.parse(same)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (15, "15"), (-3, "-3"), (np.int64(15), "15"), (np.uint8(7), "7"), (np.array(5), "5"),
        (True, "1"), (np.bool_(False), "0"), (12.5, "12.5"), (1e-7, "0.0000001"), (1e20, "100000000000000000000"),
        (np.float64(0.1), "0.1"), (np.float32(0.1), "0.1"), (Fraction(1, 8), "0.125"), (Decimal("1.50"), "1.50"),
        (np.str_("hcp(north)"), "hcp(north)"), (" any ", " any "),
    ],
)  # fmt: skip
def test_the_text_of_a_value(value: object, text: str) -> None:
    assert format_value("low", value) == text


@pytest.mark.parametrize("value", [float("nan"), float("inf"), [15], b"15", object(), np.array([1]), 1j,
                                   pytest.param(10**5000, id="huge"), pytest.param(Fraction(10**400), id="fraction"), Decimal("sNaN"), Decimal("Infinity")])  # fmt: skip
def test_values_that_have_no_text(value: object) -> None:
    with pytest.raises(dk.ArgumentError, match=r"the value of \$low is "):
        dk.parse("hcp(north) >= $low", params={"low": value})


def test_a_variable_without_value_is_named_with_its_place() -> None:
    with pytest.raises(dk.ScriptError) as caught:
        dk.run("condition\n  hcp(north) >= $low", params={"lwo": 15})
    error = caught.value
    assert (error.line, error.column) == (2, 17)
    assert "$low has no value; did you mean '$lwo'?" in error.message
    assert 'params={"low": ...}' in error.message and "--param low=12" in error.message
    assert str(error).endswith("  hcp(north) >= $low\n                  ^")
    with pytest.raises(dk.ScriptError, match=r"\$low has no value; set it in a line `# param low = 12`"):
        dk.parse("hcp(north) >= $low")


def test_mistakes_in_a_value_point_at_the_variable() -> None:
    with pytest.raises(dk.ScriptError, match=r"in the value of \$low: .*double quotes") as caught:
        dk.parse("1 >\n $low", params={"low": "'a'"})
    assert (caught.value.line, caught.value.column) == (2, 2)
    with pytest.raises(dk.ScriptError, match=r"\$low contains itself"):
        dk.parse("1 > $low", params={"low": "1 + $low"})
    with pytest.raises(dk.ScriptError, match="unknown variable 'True'") as caught:
        dk.run("condition 1 > $low", params={"low": "True"})
    assert caught.value.column == 15


@pytest.mark.parametrize("key", ["10", "1a", "", "a b", "a-b", 10, -1, 1.5, None, True, "$$a", "é"])
def test_names_of_variables(key: object) -> None:
    with pytest.raises(dk.ArgumentError, match=r"not a name of a script variable|is not a script variable"):
        dk.parse("1", params={key: 15})


def test_a_variable_with_two_values() -> None:
    with pytest.raises(dk.ArgumentError, match=r"gives \$0 twice"):
        dk.parse("hcp($0)", params={"0": "north", 0: "south"})


def test_values_that_a_script_does_not_use() -> None:
    with pytest.raises(
        dk.ArgumentError, match=r"params gives 'high' a value, but the script uses only \$low"
    ):
        dk.run("condition hcp(north) >= $low", params={"low": 15, "high": 17}, produce=1)
    with pytest.raises(dk.ArgumentError, match=r"does not use \$high"):
        dk.probability("hcp(north) >= 15", params={"high": 17})
    assert dk.parse("1", params=["north"]) == dk.parse("1", params={"3": "north"}) == dk.parse("1")
    with pytest.raises(dk.ArgumentError, match=r"does not use \$low"):
        dk.parse("1", "v2", params={"low": 1})


@pytest.mark.parametrize("dialect", ["v1", "v2"])
def test_names_belong_to_modern(dialect: str) -> None:
    with pytest.raises(dk.ScriptError) as caught:
        dk.parse("condition hcp(north) >= $low", dialect, params={"low": 15})
    assert caught.value.column == 25


def test_every_function_takes_values() -> None:
    deals = dk.deal(2000, seed=1)
    points = deals.eval("hcp(north)")
    assert (deals.eval("hcp(north) >= $low", params={"low": 15}) == (points >= 15)).all()
    assert len(deals.where("hcp(north) >= $low", params={"low": 15})) == (points >= 15).sum()
    frame = deals.to_frame("hcp_north", a="hcp(north) >= $low", b="$high", params={"low": 15, "high": 20})
    assert (frame.a == (points >= 15)).all() and (frame.b == 20).all()
    series = pd.DataFrame({"deal": dk.DealArray(deals)}).dealer
    assert (series.eval("hcp(north) - $low", params={"low": 15}) == points - 15).all()
    assert len(series.where("hcp(north) >= $low", params={"low": 15})) == (points >= 15).sum()
    given = {"given": "hcp(south) >= $high", "params": {"low": 15, "high": 20}}
    same = dk.probability("hcp(north) >= 15", given="hcp(south) >= 20")
    assert dk.probability("hcp(north) >= $low", **given).fraction == same.fraction
    assert dk.probability("hcp(north) >= 15", given="hcp(south) >= $x", params={"x": 20}) == same
    expected = dk.distribution("hcp(north)", given="hcp(south) >= 20")
    values = dk.distribution("$what", given="hcp(south) >= $x", params={"what": "hcp(north)", "x": 20})
    pd.testing.assert_frame_equal(values, expected)
    deal = deals[0]
    why = dk.why("condition hcp(north) >= $low", deal, params={"low": int(points[0])})
    assert why.passed
    assert not dk.why("condition hcp(north) > $low", deal, params={"low": int(points[0])}).passed


def test_one_frame_may_share_values_but_must_use_them() -> None:
    deals = dk.deal(3, seed=1)
    with pytest.raises(dk.ArgumentError, match=r"the script uses only \$low"):
        deals.to_frame(a="$low", params={"low": 15, "high": 20})


def test_a_result_keeps_the_values() -> None:
    results = [
        dk.run("condition hcp(north) >= $low action", produce=5, seed=1, params={"low": low})
        for low in np.arange(10, 12)
    ]
    assert [result.params["low"] for result in results] == [10, 11]
    assert all((result.deals.eval("hcp(north)") >= result.params["low"]).all() for result in results)
    assert dk.run("action", produce=1, seed=1).params == {}
    assert dk.run("condition hcp($0) > 3 action", produce=1, seed=1, params=["north"]).params == {
        "0": "north"
    }


def test_an_explanation_shows_the_values() -> None:
    script = "condition hcp(north) >= $low and shape(north, $shapes)"
    explanation = dk.explain(script, params={"low": 15, "shapes": SHAPES}, deals=500)
    assert f"Script variables\n  $low = 15\n  $shapes = {SHAPES}\n" in explanation.text
    assert "at least 15 points" in explanation.text
    assert "$low = 15" in explanation._repr_html_()
    assert "Script variables" not in dk.explain("condition hcp(north) >= 15", deals=500).text
    error = dk.explain(script, params={"low": 15}).error
    assert isinstance(error, dk.ScriptError) and "$shapes has no value" in error.message


def test_precedence_is_compared_with_the_values() -> None:
    explanation = dk.explain("condition 2 * $x / 3 >= 5", params={"x": "hcp(north)"}, deals=100)
    same = dk.explain("condition 2 * hcp(north) / 3 >= 5", deals=100)
    kinds = ["precedence", "division"]
    assert [m.kind for m in explanation.mistakes] == [m.kind for m in same.mistakes] == kinds
    script = dk.parse("condition 2 * $x / 3 >= 5", params={"x": "hcp(north)"})
    assert [m.kind for m in dk.explain(script, deals=100).mistakes] == kinds


def test_scripts_with_values_are_joined(tmp_path: Path) -> None:
    bids = dk.parse("strong = hcp(north) >= $low", params={"low": 15})
    joined = bids + dk.parse("condition strong and hcp(south) >= $high action", params={"high": 9})
    assert joined == dk.parse("strong = hcp(north) >= 15 condition strong and hcp(south) >= 9 action")
    copy = pickle.loads(pickle.dumps(joined))
    assert copy.params == joined.params == {"low": 15, "high": 9}
    result = dk.run(joined, produce=3, seed=1)
    assert result.params == {"low": 15, "high": 9}
    (tmp_path / "bids.dealer").write_text("strong = hcp(north) >= $low")
    names = [str(tmp_path / "bids.dealer")]
    same = join_scripts(names, "condition strong and hcp(south) >= $high action", "modern", result.params)
    assert same == joined
    with pytest.raises(dk.ArgumentError, match=r"uses only \$low"):
        join_scripts(names, "condition strong", "modern", result.params)


def test_several_scripts_share_one_collection() -> None:
    variables = ScriptVariables({"low": 15, "high": 17})
    from dealerkit.language.dialects import MODERN
    from dealerkit.language.parser import parse_script

    parse_script("hcp(north) >= $low", MODERN, params=variables)
    with pytest.raises(dk.ArgumentError, match="high"):
        variables.check_used()
    parse_script("hcp(north) <= $high", MODERN, params=variables)
    variables.check_used()
