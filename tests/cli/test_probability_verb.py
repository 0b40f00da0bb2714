"""The verb `probability` of the command."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations, product
from math import comb

import pandas as pd
import pytest

import dealerkit as dk
from dealerkit import ArgumentError
from dealerkit.cli import main
from dealerkit.cli.arguments import parse_predeal


def run(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    assert main(["probability", *words]) == 0
    return capsys.readouterr().out.splitlines()


def test_an_exact_fraction(capsys):
    assert run(capsys, "spades(east) == 3", "--predeal", "n=AKQ2.K32.K32.432", "--predeal", "s=543.A54.A654.A65") == [
        "exactly 286/805",
        "35.528 %, 1 in 2.8147",
    ]  # fmt: skip
    lines = run(capsys, "spades($0) == 13", "--param", "0=west")
    assert lines == [f"exactly 1/{comb(52, 13)}", "1 deal in 635.01 billion"]


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
    title, about, _, head, *rows = run(capsys, "aces(north)", "--values")
    assert title == "aces(north)" and about.startswith("Exact, of ") and "Mean 1.0000" in about
    assert head.split() == ["value", "share", "up", "to", "here"]
    assert [line.split()[0] for line in rows] == list("01234")
    assert float(rows[4].split()[1]) == pytest.approx(100 * comb(48, 9) / comb(52, 13), abs=1e-4)
    assert "100.0000 %" in rows[4]
    bars = [line.count("▇") for line in rows]  # as long as the shares
    shares = [comb(4, aces) * comb(48, 13 - aces) / comb(52, 13) for aces in range(5)]
    assert bars == pytest.approx([max(bars) * share / max(shares) for share in shares], abs=1)


def test_the_table_of_values_is_that_of_python(capsys, tmp_path):
    words = ("aces(north)", "--given", "hcp(north) > 15", "--predeal", "south=SA")
    files = {name: tmp_path / f"aces.{name}" for name in ("plot", "html", "csv", "latex")}
    files["plot"] = tmp_path / "aces.svg"
    written = [word for name, file in files.items() for word in (f"--{name}", str(file))]
    lines = run(capsys, *words, "--values", *written)
    found = dk.distribution("aces(north)", "hcp(north) > 15", {"south": "SA"})
    assert lines == found.to_text(100).splitlines()
    assert found._repr_html_().count("<tr>") == files["html"].read_text("utf-8").count("<tr>") == 5
    assert pd.read_csv(files["csv"]).share.to_list() == pytest.approx(found.share.to_list(), rel=1e-12)
    assert files["plot"].read_text("utf-8").lstrip().startswith("<?xml")
    assert r"\toprule" in files["latex"].read_text("utf-8")
    assert main(["probability", *words, "--html", str(files["html"])]) == 2
    assert "--html needs the table of --values" in capsys.readouterr().err


def test_a_predeal_without_cards_raises():
    with pytest.raises(ArgumentError, match="north=SAKQ,H5"):
        parse_predeal(["north"])


def test_the_confidence_level_of_an_estimate_is_an_argument(capsys):
    line, _ = run(capsys, "cccc(north) > 15", "--confidence", "0.5")
    assert line == f"about {dk.probability('cccc(north) > 15', confidence=0.5)!r}"
    assert "50 %" in line


def count_rule_of_20() -> Counter[int]:
    """Count all 635 013 559 600 hands by points plus the two longest suits, from lengths and honours."""
    suits: list[Counter[int]] = [Counter() for _ in range(14)]  # ways by length, then by points
    for honours in product((0, 1), repeat=4):
        for small in range(10):
            points = sum(value for value, held in zip((4, 3, 2, 1), honours, strict=True) if held)
            suits[sum(honours) + small][points] += comb(9, small)
    counts: Counter[int] = Counter()
    for lengths in product(range(14), repeat=4):
        if sum(lengths) == 13 and list(lengths) == sorted(lengths, reverse=True):
            points = Counter({0: 1})
            for length in lengths:
                points = Counter(
                    {
                        total: sum(points[total - own] * ways for own, ways in suits[length].items())
                        for total in range(41)
                    }
                )
            n_orders = len(set(permutations(lengths)))
            for total, ways in points.items():
                counts[total + lengths[0] + lengths[1]] += ways * n_orders
    return +counts


def test_a_sum_of_points_and_lengths_is_counted(capsys):
    frame = dk.distribution("rule20(north)")
    expected = count_rule_of_20()
    assert sum(expected.values()) == comb(52, 13)
    assert dict(frame["fraction"]) == {
        value: Fraction(count, comb(52, 13)) for value, count in expected.items()
    }
    _, about, _, _, *rows = run(capsys, "rule20(north)", "--values")
    assert about.startswith("Exact, of ") and len(rows) == len(expected)
    deals = dk.deal(100_000, seed=3)
    for condition in ("rule22(north) >= 22", "zaropening(north) > 25 and hcp(south) > 9"):
        exact, share = dk.probability(condition), deals.eval(condition).mean()
        assert exact.fraction is not None and share == pytest.approx(exact.value, abs=0.008)  # five errors


def test_an_estimated_table_has_intervals(capsys):
    _, about, _, head, *rows = run(capsys, "cccc(north) >= 15 and quicktricks(south) < 2", "--values")
    assert "deals dealt" in about and head.count("95 % interval") == 1 and len(rows) == 2
    frame = dk.distribution("cccc(north) >= 15 and quicktricks(south) < 2")
    lo, hi = frame.lo.iloc[-1] * 100, frame.hi.iloc[-1] * 100
    assert f"{lo:.2f}" in rows[1] and f"{hi:.2f}" in rows[1]
