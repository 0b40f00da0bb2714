"""`--json` of verbs that print a result: the same numbers as the text, as JSON."""

from __future__ import annotations

import json
from math import comb

import pytest

import dealerkit as dk
from dealerkit.cli import main

HONOURS = "N:AKQ.AKQ.AKQ.AKQJ JT98.JT98.JT9.T9 765.765.8765.876 432.432.432.5432"


def read_json(capsys, *words: str, status: int = 0) -> dict:
    assert main([*words, "--json"]) == status
    return json.loads(capsys.readouterr().out)


def test_shapes(capsys) -> None:
    printed = read_json(capsys, "shapes", "(5332)", "x000")
    first, second = printed["tables"][0]["rows"]
    n_hands = 12 * comb(13, 5) * comb(13, 3) ** 2 * comb(13, 2)
    assert (first["shape"], first["patterns"], first["hands"]) == ("(5332)", 12, n_hands)
    assert first["share"] == n_hands / comb(52, 13) and first["terms"] == "any 5332"
    assert second["hands"] == 1 and printed["tables"][1]["rows"][-1] == {
        "shape": "x000", "spades": 13, "hearts": 0, "diamonds": 0, "clubs": 0,
    }  # fmt: skip


def test_probability_of_each_value(capsys) -> None:
    (table,) = read_json(capsys, "probability", "aces(north)", "--values")["tables"]
    expected = [comb(4, aces) * comb(48, 13 - aces) / comb(52, 13) for aces in range(5)]
    assert [row["value"] for row in table["rows"]] == [0, 1, 2, 3, 4]
    assert [row["share"] for row in table["rows"]] == pytest.approx(expected, rel=1e-12)
    assert [row["cumulative"] for row in table["rows"]][-1] == pytest.approx(1)


def test_solve(capsys, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("DEALERKIT_STORE", "off")
    file = tmp_path / "deals.pbn"
    dk.Deals.from_pbn([HONOURS]).write(file)
    printed = read_json(capsys, "solve", str(file), "--strains", "SN")
    rows = {row.pop("strain"): row for row in printed["tables"][0]["rows"]}
    assert rows["S"] == {"deal": HONOURS, "north": 12, "east": 1, "south": 12, "west": 1}
    assert rows["D"]["north"] is None and rows["N"]["north"] == 13
    assert printed["population"] == ["1 deal", "8 solved", "0 known before"]


def test_solve_without_a_file_and_with_a_check(capsys, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("DEALERKIT_STORE", "off")
    assert read_json(capsys, "solve")["tables"][0]["rows"] == []
    file = tmp_path / "solved.csv"
    deals = dk.Deals.from_pbn([HONOURS])
    deals.replace(tables=dk.dd_table(deals)).write(file)
    (row,) = read_json(capsys, "solve", str(file), "--check", "5")["tables"][0]["rows"]
    assert (row["deals"], row["results"]) == (1, 20) and row["seconds"] >= 0


def test_bench(capsys) -> None:
    rows = read_json(capsys, "bench", "--deals", "10000")["tables"][0]["rows"]
    assert [row["deals"] for row in rows] == [10_000, 10_000, 1000]
    assert all(abs(row["rate"] * row["seconds"] - row["deals"]) < 1e-6 for row in rows)
    tables = read_json(capsys, "bench", "--selftest", "--deals", "10000")["tables"]
    tests = {row["test"]: row for row in tables[0]["rows"]}
    assert tables[0]["heading"] == "all deals" and tests["seat of each card"]["freedom"] == 3 * 51
    assert tests["seat of each card"]["deals"] == 10_000 and 0 <= tests["seat of each card"]["p"] <= 1


def test_functions(capsys) -> None:
    functions, actions = read_json(capsys, "functions")["tables"]
    assert {"hcp", "losers"} <= {row["name"] for row in functions["rows"]}
    assert "average" in {row["name"] for row in actions["rows"]}
    assert read_json(capsys, "functions", "qqqqq", status=1)["tables"][0]["rows"] == []


def test_explain_and_check(capsys, tmp_path) -> None:
    file = tmp_path / "notrump.dealer"
    file.write_text("condition hcp(north) >= 15.5")
    assert read_json(capsys, "explain", str(file)) == json.loads(json.dumps(dk.explain(file).to_dict()))
    found = read_json(capsys, "check", str(file), "--for", "v1", status=1)
    assert found == json.loads(json.dumps(dk.check(file, "v1").to_dict()))
    why = read_json(capsys, "explain", str(file), "--why", HONOURS)
    assert why == json.loads(json.dumps(dk.why(file, HONOURS).to_dict()))
