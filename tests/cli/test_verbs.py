"""The command: its verbs, the order of its words, and texts that are in files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import dealerkit as dk
from dealerkit.cli import VERBS, main
from tests.cli.conftest import Command


def test_without_a_verb_the_verbs_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    for verb in VERBS:
        assert f"\n    {verb}" in shown.err


def test_an_unknown_verb(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["prob"])
    assert stopped.value.code == 2 and "'probability'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["deel"], "there is no verb 'deel'; did you mean 'deal'?"),
        (["deal", "--sead", "3"], "deal: unknown option --sead; did you mean '--seed'?"),
        (["suit", "AQT98", "432", "--need", "4"], "suit: unknown option --need; did you mean '--tricks'?"),
        (["deal", "--condition", "1"], "deal: unknown option --condition; did you mean '--given'?"),
        (
            ["contracts", "3NT", "--south", "A.K.Q.J"],
            "unknown option --south; write known cards as --predeal south=AKT75.A43.KQ52.7",
        ),
        (
            ["convert", "a.pbn", "b.pbn", "-o", "a.lin"],
            "unknown option -o; OUTPUT is written without an option",
        ),
        (["deal", "twelve"], "not a whole number: 'twelve'"),
        (
            ["lead", "KJ74", "Q93", "T85"],
            "'T85' was not expected; put quotes around a text that contains spaces",
        ),
        (["deal", "--dealer", "X"], "a seat is north, east, south or west"),
    ],
)
def test_wrong_words_are_named_in_two_lines(words, message, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(words)
    shown = capsys.readouterr().err
    assert stopped.value.code == 2 and message in shown and shown.count("\n") == 2


def test_named_values_of_script_variables(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    script = tmp_path / "study.dealer"
    script.write_text("condition hcp(north) >= $low and hcp(north) <= $high action printoneline")
    bids = tmp_path / "bids.dealer"
    bids.write_text("produce $n")
    values = ["--param", "low=35", "--param=high=36"]
    same = tmp_path / "same.dealer"
    same.write_text("condition hcp(north) >= 35 and hcp(north) <= 36 action printoneline")

    def read(*words: object) -> str:
        assert main(list(map(str, words))) == 0
        return capsys.readouterr().out

    run = ["-s", "1", "-v", "-p", "2"]
    assert read("run", script, *run, *values) == read("run", same, *run)
    limits = ["-s", "1", "-v", "--param", "n=2"]
    assert read("run", script, "--with", bids, *limits, *values) == read("run", same, *run)
    assert read("translate", "--to", "v2", script, *values) == read("translate", "--to", "v2", same)
    assert "35 to 36 points" in read("explain", script, *values, "--deals", "100")
    condition = "hcp(north) >= $low"
    chance = read("probability", condition, "--given", "hcp(north) <= $high", *values)
    assert chance == read("probability", "hcp(north) >= 35", "--given", "hcp(north) <= 36")
    deals = read("deal", "2", "-s", "1", "--format", "line", "--given", condition, *values[:2])
    assert deals == read("deal", "2", "-s", "1", "--format", "line", "--given", "hcp(north) >= 35")
    for words, message in (
        (["run", script, *values[:2]], "study.dealer:1:48: the script variable $high has no value"),
        (["run", script, *values, "--param", "lwo=1"], "params gives 'lwo' a value, but"),
    ):
        assert main(list(map(str, words))) == 2
        assert message in capsys.readouterr().err


def test_deal_takes_a_plan_and_swapping(capsys: pytest.CaptureFixture[str]) -> None:
    def read_hands(*words: str) -> list[list[str]]:
        assert main(["deal", "4", "-s", "1", "--format", "deal", *words]) == 0
        return [line[2:].split() for line in capsys.readouterr().out.splitlines()]

    hands = read_hands("--swap", "2")
    for dealt, swapped in (hands[:2], hands[2:]):
        assert swapped == [dealt[seat] for seat in (0, 3, 2, 1)]
    strong = ["--given", "hcp(north) >= 20"]
    assert read_hands(*strong, "--plan", "plain") != read_hands(*strong, "--plan", "conditional")
    with pytest.raises(SystemExit):
        main(["deal", "--plan", "shuffle"])


@pytest.mark.parametrize(
    "words",
    [
        ["contracts", "2NT", "3NT", "--declarer", "north", "--produce", "40"],
        ["lead", "QJ752.K83.94.T62", "3NT by south", "--produce", "10"],
        ["estimate", "hcp(north)"],
        ["probability", "spades(north) >= 5"],
        ["probability", "spades(north)", "--values"],
        ["deal", "3", "--seed", "1"],
        ["filter", "deals.csv"],
    ],
    ids=lambda words: f"{words[0]}{len(words)}",
)
def test_the_given_condition_may_be_a_file(command: Command, tmp_path, monkeypatch, words: list[str]) -> None:
    monkeypatch.chdir(tmp_path)
    dk.solved_sample()[:40].write("deals.csv")
    Path("strong.dealer").write_text(
        "// of the fourth seat\nstrong = hcp(south) >= 15\nstrong\n", encoding="utf-8"
    )
    from_file = command(*words, "--given", "strong.dealer")
    assert from_file.returncode == 0, from_file.stderr
    of_text = command(*words, "--given", "hcp(south) >= 15")
    rows = [
        [
            row
            for row in output.stdout.splitlines()
            if re.search(r"\d", row) and "hcp" not in row and "verbose" not in row
        ]
        for output in (from_file, of_text)
    ]
    assert rows[0] == rows[1] != []


def test_expressions_may_be_files(command: Command, tmp_path) -> None:
    path = tmp_path / "points.dealer"
    path.write_text("hcp(north)")
    words = ("--given", "hcp(north) == 15")
    assert "15" in command("estimate", path, *words).stdout
    assert re.search(r" 0 +exact", command("estimate", "hcp(north)", "--against", path).stdout)
    assert re.search(r" 1 +exact", command("estimate", "hcp(north)", "--per", path).stdout)
    assert "never" in command("probability", path, "--given", "hcp(north) == 0").stdout


@pytest.mark.parametrize(
    "words",
    [
        ["contracts", "--given", "1", "2NT", "3NT", "--declarer", "north"],
        ["contracts", "2NT", "--declarer", "north", "3NT", "--given", "1"],
        ["contracts", "2NT", "--declarer=north", "--given", "1", "3NT"],
    ],
)
def test_arguments_and_switches_have_any_order(command: Command, words: list[str]) -> None:
    output = command(*words, "--produce", "5", "--seed", "2", "--verbose")
    assert output.returncode == 0, output.stderr
    assert "2NT by north, 3NT by north; condition 1" in output.stdout


def test_an_unknown_switch_between_arguments_is_named(command: Command) -> None:
    refused = command("contracts", "2NT", "--declarer", "north", "3NT", "--gven", "1")
    assert refused.returncode == 2 and "unknown option --gven; did you mean '--given'?" in refused.stderr
