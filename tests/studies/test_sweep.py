"""Sweeps: equal to runs and estimates of the single values, on the same deals where the condition allows."""

from __future__ import annotations

from math import comb
from pathlib import Path

import matplotlib
import pytest

import dealerkit as dk
from tests.cli.conftest import Command, command  # noqa: F401  (a fixture)

matplotlib.use("Agg")
SCRIPT = 'condition hcp(north) >= $low action average "south" hcp(south), average "fit" spades(north) + spades(south) >= $n'


@pytest.fixture(scope="module")
def swept() -> dk.Sweep:
    return dk.sweep(SCRIPT, low=range(14, 17), n=[8, 9], produce=200, seed=3)


def test_each_number_is_that_of_a_run(swept):
    for low in (14, 15, 16):
        for n in (8, 9):
            result = dk.run(SCRIPT, params={"low": low, "n": n}, produce=200, seed=3)
            for measure in ("south", "fit"):
                found = swept.estimate(measure, low=low, n=n)
                assert found.to_dict() == result[measure].mean.to_dict()
            assert swept.estimate("probability", low=low, n=n).value == result.probability.value


def test_it_says_which_results_are_from_the_same_deals(swept):
    assert swept.same_deals == ("n",)
    south = swept.frame.query("measure == 'south'").pivot(index="low", columns="n", values="value")
    assert (south[8] == south[9]).all() and south[8].is_unique  # n is about the other report only
    assert "The condition does not depend on $n" in swept.text
    assert "Each value of $low has its own deals" in swept.text


def test_a_definition_that_the_condition_uses_makes_its_deals_differ():
    script = "strong = hcp(north) >= $low\ncondition strong and spades(north) > 4\naction average hcp(south)"
    assert dk.sweep(script, low=[10, 11], produce=50).same_deals == ()
    script = "strong = hcp(south) >= $low\ncondition spades(north) > 4\naction average strong"
    assert dk.sweep(script, low=[10, 11], produce=50).same_deals == ("low",)


def test_a_question_is_counted_where_it_can_be():
    """Against the number of hands with n spades: C(13, n) C(39, 13 - n) of C(52, 13)."""
    found = dk.sweep("spades(north) >= $n", n=range(4, 7))
    for n in range(4, 7):
        share = sum(comb(13, k) * comb(39, 13 - k) for k in range(n, 14)) / comb(52, 13)
        assert found.estimate(n=n).exact and found.estimate(n=n).value == pytest.approx(share, rel=1e-12)
    assert "Counted exactly" in found.text


def test_predealt_cards_are_those_of_every_value():
    """With four spades predealt: C(9, n - 4) C(39, 13 - n) of C(48, 9) hands; a run has the same deals."""
    known = {"north": "SAKQJ"}
    found = dk.sweep("spades(north) == $n", n=range(4, 7), predeal=known)
    for n in range(4, 7):
        share = comb(9, n - 4) * comb(39, 13 - n) / comb(48, 9)
        assert found.estimate(n=n).value == pytest.approx(share, rel=1e-12)
    script = 'condition hcp(south) >= $low action average "spades" spades(north)'
    swept = dk.sweep(script, low=[8, 10], predeal=known, produce=100, seed=3)
    for low in (8, 10):
        result = dk.run_script(script, dk.RunOptions(params={"low": low}, predeal=known, produce=100, seed=3))
        assert swept.estimate("spades", low=low).to_dict() == result["spades"].mean.to_dict()
    assert eval(swept.provenance.call, {"dk": dk}).frame.equals(swept.frame)
    with pytest.raises(dk.PredealError, match="predeal is 'x'"):
        dk.sweep(script, low=[8], predeal="x", produce=10)


def test_frame_plot_call_and_pages(swept):
    assert swept.frame.columns.tolist() == ["low", "n", "measure", "value", "lo", "hi", "deals"]
    assert len(swept.frame) == 3 * 2 * 3 and (swept.frame.deals == 200).all()
    assert swept.plot().get_title(loc="left") or swept.plot().texts
    again = eval(swept.provenance.call, {"dk": dk})
    assert again.frame.equals(swept.frame)
    assert "$n = 8" in swept.to_html() and len(repr(swept)) < 200


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "0 variables are swept"),
        ({"low": 3}, "low is 3; give its values"),
        ({"low": []}, "low has no values"),
        ({"low": [1], "n": [1], "x": [1]}, "3 variables are swept"),
        ({"low": range(30), "n": range(30)}, "900 combinations"),
        ({"low": [15], "n": [8], "precision": 0.1}, "give produce="),
        ({"low": [15], "other": [1]}, r"\$n has no value"),
    ],
)
def test_mistakes(arguments, message):
    with pytest.raises(dk.DealerkitError, match=message):
        dk.sweep(SCRIPT, **arguments)


def test_the_command(command: Command, tmp_path: Path):  # noqa: F811
    file = tmp_path / "points.dealer"
    file.write_text('condition hcp(north) >= $low action average "south" hcp(south)')
    done = command("run", file, "--sweep", "low=14..16", "--produce", 50, "--plot", tmp_path / "plots")
    assert done.returncode == 0, done.stderr
    assert [line.split()[0] for line in done.stdout.splitlines() if line.startswith("    1")] == [
        "14",
        "15",
        "16",
    ]
    assert sorted(each.name for each in (tmp_path / "plots").iterdir()) == ["01.png", "02.png"]
    refused = command("run", file, "--sweep", "low=14..16", "--generate", 5)
    assert refused.returncode == 2 and "--sweep cannot be combined with --generate" in refused.stderr
    refused = command("run", file, "--sweep", "low=16..14")
    assert refused.returncode == 2 and "rise from the first to the last" in refused.stderr
