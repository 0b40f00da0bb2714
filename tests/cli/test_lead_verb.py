"""The verb `lead` of the command."""

from __future__ import annotations

import csv

import pytest

from dealerkit.studies.leads import sampling

HAND = "QJ752.K83.94.T62"


@pytest.fixture(autouse=True)
def no_store(monkeypatch):
    monkeypatch.setenv("DEALERKIT_STORE", "off")


def test_table_and_files(command, tmp_path):
    names = [str(tmp_path / name) for name in ("lead.csv", "lead.html", "lead.png")]
    done = command(
        "lead", HAND, "3NT by south", "--given", "hcp(south) >= 15", "--produce", 4, "--seed", 1, "--scoring", "imps",
        "--vulnerable", "NS", "--csv", names[0], "--html", names[1], "--plot", names[2],
    )  # fmt: skip
    assert done.returncode == 0
    assert done.stdout.startswith(f"West leads from {HAND} against 3NT by south\n")
    assert done.stdout.splitlines()[2].startswith("4 deals, double dummy")
    assert "♠Q-J" in done.stdout and "Gain over the best of the other leads, per deal" in done.stdout
    assert "SmallSample" not in done.stderr and "below 30 its intervals are approximate" in done.stderr
    with open(names[0], encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert {row["lead"] for row in rows} >= {"SQ", "S7", "HK", "CT"}
    with open(names[1], encoding="utf-8") as file:
        assert "West leads from" in file.read()
    with open(names[2], "rb") as file:
        assert file.read(4) == b"\x89PNG"


def test_a_rule_and_a_declarer(command):
    done = command(
        "lead", HAND, "4S", "--declarer", "north", "--lead-rule", "fourth best", "--produce", 2, "--predeal",
        "south=SAK",
    )  # fmt: skip
    assert done.returncode == 0
    assert done.stdout.startswith(f"East leads from {HAND} against 4S by north")
    table = done.stdout.split("\n\n")[1]
    assert len(table.splitlines()) == 5


def test_an_interrupt_prints_the_table_so_far(command, monkeypatch):
    solve, calls = sampling.solve_leads, []

    def interrupted(*arguments, **options):
        calls.append(1)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return solve(*arguments, **options)

    monkeypatch.setattr(sampling, "solve_leads", interrupted)
    monkeypatch.setattr(sampling, "CHUNK", 2)
    done = command("lead", HAND, "3NT by south")
    assert done.returncode == 130
    assert "2 deals, double dummy" in done.stdout
    assert "the study ended early: it was interrupted" in done.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["QJ752.K83.94.T6", "3NT by south"], "has 12 cards"),
        ([HAND, "3NT"], "3NT has no declarer"),
        ([HAND, "3NT by south", "--given", "hcp(north) > 40"], "where west, who leads, has"),
        ([HAND, "3NT by south", "--plot", "lead.txt"], "--plot takes a file that ends with"),
    ],
)
def test_mistakes(command, words, message):
    done = command("lead", *words)
    assert done.returncode == 2
    assert message in done.stderr
    assert not done.stdout
