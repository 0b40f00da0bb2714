"""The command without a verb and with an unknown verb."""

from __future__ import annotations

from pathlib import Path

import pytest

from dealerkit.cli import VERBS, main


def test_without_a_verb_the_verbs_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    for module in VERBS:
        assert f"\n    {module.__name__.rpartition('.')[2]}" in shown.err


def test_an_unknown_verb(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["prob"])
    assert stopped.value.code == 2 and "'probability'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["deel"], "there is no verb 'deel'; did you mean 'deal'?"),
        (["deal", "--sead", "3"], "deal: unknown option --sead; did you mean '--seed'?"),
        (["deal", "twelve"], "not a whole number: 'twelve'"),
        (["lead", "KJ74", "Q93", "T85"], "'T85' was not expected; a text with spaces stands between quotes"),
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
