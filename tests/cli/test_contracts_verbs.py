"""``dealerkit contracts`` and ``dealerkit par``: what they print and write."""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import dealerkit as dk
from dealerkit.cli import main
from dealerkit.cli.studies import parse_strategy

BALANCED = "N:AKQJ.T98.5432.32 T98.AKQ.JT98.JT9 765.J765.AKQ.AKQ 432.432.76.87654"


@pytest.fixture(scope="module")
def solved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("deals") / "solved.csv"
    dk.solved_sample()[:400].write(path)
    return path


def test_contracts_of_a_file(solved: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = {name: tmp_path / f"result.{name}" for name in ("csv", "html", "png", "latex")}
    assert main([
        "contracts", "2NT", "3NT", "--declarer", "north", "--deals", str(solved), "--vulnerable", "NS",
        "--csv", str(files["csv"]), "--html", str(files["html"]), "--plot", str(files["png"]),
        "--latex", str(files["latex"]),
    ]) == 0  # fmt: skip
    printed = capsys.readouterr().out
    assert "400 deals, double dummy" in printed and "Gain over 2NT by north per deal" in printed
    frame = pd.read_csv(files["csv"]).set_index("contract")
    tricks = dk.solved_sample()[:400].tables[:, 4, 0]
    assert frame.makes["3NT by north"] == pytest.approx((tricks >= 9).mean())
    assert "\\toprule" in files["latex"].read_text("utf-8")
    assert "<table" in files["html"].read_text("utf-8") and files["png"].read_bytes()[:4] == b"\x89PNG"


def test_deals_of_the_shipped_sample(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "gains.csv"
    points = "hcp(north) + hcp(south)"
    assert main([
        "contracts", "3S", "4S", "--declarer", "south", "--deals", "sample", "--vulnerable", "none",
        "--by", points, "--given", f"fit(NS, spades) == 8 and {points} == 25", "--csv", str(path),
    ]) == 0  # fmt: skip
    deals = dk.solved_sample()
    points_together = deals.eval("hcp(north)") + deals.eval("hcp(south)")
    spades = deals.eval("spades(north)") + deals.eval("spades(south)")
    makes = deals.eval("dds(south, spades)")[(points_together == 25) & (spades == 8)] >= 10
    assert f"{len(makes):,} deals, double dummy" in capsys.readouterr().out
    frame = pd.read_csv(path).set_index("contract")
    assert frame.makes["4S by south"] == pytest.approx(makes.mean())


def test_strategies(solved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = "sound: hcp(north) + hcp(south) >= 25 -> 3NT by north; 2NT by north"
    assert (
        main(
            ["contracts", "2NT by north", "--strategy", rules, "--deals", str(solved), "--scoring", "points"]
        )
        == 0
    )
    assert "deals where the strategies differ (" in capsys.readouterr().out
    assert parse_strategy("a: pass") == ("a", [(True, "pass")])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["2NT", "--declarer", "north"], "--given is missing"),
        (["3 NT", "--declarer", "north", "--given", "1"], "did you mean '3NT'"),
        (["3NT", "--declarer", "nrth", "--given", "1"], "did you mean 'north'"),
        (["3NT", "--declarer", "north", "--given", "hcp(nrth) > 3"], "did you mean 'north'"),
        (["3NT", "--strategy", "sound", "--given", "1"], "--strategy takes"),
        (["3NT", "--declarer", "north", "--given", "1", "--plot", "a.txt"], "--plot takes a file"),
    ],
)
def test_mistakes(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["contracts", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_known_hands_are_condition_enough(capsys: pytest.CaptureFixture[str]) -> None:
    hands = {"south": "AKJ76.Q4.A83.K62", "north": "Q94.KJ32.K42.753"}
    typed = [["--predeal", f"{seat}={hand}"] for seat, hand in hands.items()]
    words = ["contracts", "3NT", "4S", "--declarer", "south", "-p", "5", *typed[0], *typed[1]]
    assert main(words) == 0
    printed = capsys.readouterr().out
    assert "default seed, south has AKJ76.Q4.A83.K62, north has Q94.KJ32.K42.753;" in printed
    # As a hand is typed, with blanks and 10, and with the condition that is always true.
    spaced = [word.replace(".", " ") for word in words]
    assert main([*spaced, "--given", "1"]) == 0
    numbers = [text.partition(", double dummy")[0] for text in (printed, capsys.readouterr().out)]
    assert numbers[0] == numbers[1]


def test_par_of_a_file_and_of_a_deal(
    solved: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "par.csv"
    assert main(["par", str(solved), "--vulnerable", "both", "--csv", str(table)]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("400 boards")
    expected = dk.par(dk.solved_sample()[:400], "both").score
    assert (pd.read_csv(table).score.to_numpy() == np.asarray(expected)).all()
    assert main(["par", BALANCED]) == 0
    assert "+430  3NT by NS, 4NT by NS" in capsys.readouterr().out


def test_par_takes_dealer_and_vulnerability_of_the_board(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    deals = dk.solved_sample()[:3]
    path = tmp_path / "boards.pbn"
    deals.replace(board=np.array([2, 7, 4], np.int32)).write(path)
    assert main(["par", str(path)]) == 0
    rows = [line.split()[:3] for line in capsys.readouterr().out.splitlines()[3:6]]
    assert rows == [["2", "east", "NS"], ["7", "south", "both"], ["4", "west", "both"]]


def test_json_is_the_dict_of_the_result(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["par", "--json", BALANCED, "--vulnerable", "both"]) == 0
    table = dk.tabulate_par(dk.Deals.from_pbn(BALANCED), "both")
    assert json.loads(capsys.readouterr().out) == table.to_dict()
    assert main(["estimate", "hcp(north)", "--given", "spades(north) == 5", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    expected = dk.estimate("hcp(north)", given="spades(north) == 5")
    assert printed == json.loads(json.dumps(expected.to_dict()))
    assert printed["exact"] and printed["value"] == expected.value


def test_plots_of_few_and_of_many_boards() -> None:
    few, many = (dk.tabulate_par(dk.solved_sample()[:n]).plot() for n in (5, 100))
    assert len(few.get_yticks()) == 5 and sum(bar.get_height() for bar in many.patches) == 100


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["contracts", "3S", "--given", "1"],
            "3S has no declarer; write '3S by south', or give --declarer south\n",
        ),
        (["lead", "KJ74.Q93.T85.J62", "3NT"], "or give --declarer south\n"),
        (
            ["contracts", "3S by south", "--given", "1", "--precision", "1", "-p", "5"],
            "give --precision or --produce, not",
        ),
        (["estimate", "hcp(north)", "--precision", "0"], "--precision is 0.0; give a number above 0"),
        (
            ["run", "-", "--plan", "staged", "--stream", "classic"],
            "--plan staged is not possible: --stream classic",
        ),
        (
            ["contracts", "3S by south", "4S by south", "--deals", "sample", "--predeal", "south=SAKQ"],
            "--predeal only applies to dealing; leave it out if --deals is given",
        ),
        (["compare", "hcp", "--folds", "1"], "--folds is 1; give"),
        (["probability", "hcp(north) > 9", "--confidence", "2"], "--confidence is 2.0; it must"),
        (["bench", "--deals", "5"], "--deals is 5; it must be 10,000 or more"),
    ],
)
def test_messages_name_the_options_of_the_command(words, message, capsys, monkeypatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"hcp(north) > 9"), encoding="utf-8"))
    assert main(words) == 2
    assert message in capsys.readouterr().err


def test_a_warning_names_the_option_with_its_value(solved, capsys) -> None:
    words = ["compare", "hcp", "zar", "--sample", str(solved), "--where", "hcp >= 18", "--replicates", "100"]
    assert main(words) == 0
    assert "dealerkit: --where 'hcp >= 18' selects by compared evaluators" in capsys.readouterr().err
