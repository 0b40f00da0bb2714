"""The verb `probability` of the command."""

from __future__ import annotations

from math import comb

import pytest

import dealerkit as dk
from dealerkit.cli import main, probability
from dealerkit.errors import ArgumentError


def run(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    assert main(["probability", *words]) == 0
    return capsys.readouterr().out.splitlines()


def test_an_exact_fraction(capsys):
    assert run(capsys, "spades(east) == 3", "--predeal", "n=AKQ2.K32.K32.432", "--predeal", "s=543.A54.A654.A65") == [
        "exactly 286/805",
        "35.528 %, 1 in 2.8147",
    ]  # fmt: skip
    lines = run(capsys, "spades($0) == 13", "--param", "0=west")
    assert lines == [f"exactly 1/{comb(52, 13)}", f"1.5748e-10 %, 1 in {comb(52, 13):,}"]


def test_never_and_always(capsys):
    assert run(capsys, "hcp(north) > 37") == ["exactly 0", "never"]
    assert run(capsys, "hcp(north) + hcp(east) <= 40") == ["exactly 1", "always"]


def test_a_given_condition(capsys):
    assert run(capsys, "hascard(north, AS)", "--given", "hascard(north, KS)")[0] == "exactly 4/17"


def test_an_estimate_has_its_sample_size(capsys):
    first, second = run(capsys, "cccc(north) > 15")
    assert first.startswith("about 0.19") and "n = 1,000,000" in first
    assert second.endswith("1 in 5.17")


def test_a_table_of_values(capsys):
    head, *rows = run(capsys, "aces(north)", "--values")
    assert head.startswith("exactly, of ")
    assert [line.split()[0] for line in rows] == list("01234")
    assert float(rows[4].split()[1]) == pytest.approx(100 * comb(48, 9) / comb(52, 13), abs=1e-6)
    assert rows[4].endswith("100.000000 %")


def test_a_predeal_without_cards_raises():
    with pytest.raises(ArgumentError, match="north=SAKQ,H5"):
        probability.parse_predeal(["north"])


def test_the_confidence_level_of_an_estimate_is_an_argument(capsys):
    line, _ = run(capsys, "cccc(north) > 15", "--confidence", "0.5")
    assert line == f"about {dk.probability('cccc(north) > 15', confidence=0.5)!r}"
    assert "50 %" in line
