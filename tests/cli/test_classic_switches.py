"""The switches of the classic programs, by running the command."""

from __future__ import annotations

import argparse
import functools
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import dealerkit as dk
from dealerkit import ArgumentError, DivisionByZeroError, FileError
from dealerkit.cli import build_parser
from dealerkit.cli.run import RUN, SWITCHES, expand_switches
from dealerkit.doubledummy import library
from tests.support.platforms import needs_descriptors

Command = Callable[..., subprocess.CompletedProcess[str]]
PARSER = build_parser("run").get_default("verb_parser")
# The sample deal of the language reference, section 5, as predeal switches.
SAMPLE = (
    "-N", "SAKQJ,HT98,D5432,C32", "-E", "st98,hakq,djt98,cjt9", "-S", "S765,HJ765,DAKQ,CAKQ",
    "-W", "S432,H432,D76,C87654",
)  # fmt: skip


@pytest.fixture
def command(command: Command) -> Command:
    """The verb `run` of the command."""
    return functools.partial(command, "run")


# ---------------------------------------------------------------- letters
@pytest.mark.parametrize(
    ("words", "expanded"),
    [
        ("-p 10 -g20 -s -3 x", "--produce=10 --generate=20 --seed=-3 x"),
        ("-mqv -vp7", "--progress --quiet --no-statistics --no-statistics --produce=7"),
        ("-0 -2 -93", "--param=0=-2 --param=9=3"),
        ("--dialect v1 -0 -2 -3 -u", "--dialect=v1 --swap=0 --swap=2 --swap=3"),
        ("-3v --dialect=v1 -l 7", "--swap=3 --no-statistics --dialect=v1 --ginsberg=7"),
        ("--dialect v2 -lw:f -x3 -T -t", "--dialect=v2 --save-dl52=w:f --swap=3 --title=-t"),
        ("--dialect v2 -qv -v -mmm -q", "--dialect=v2 --progress"),
        ("-t 5", "--give-up=5"),
        ("--seed -5 --quiet x -", "--seed=-5 --quiet x -"),
        ("--title=a -- -p 5", "--title=a -- -p 5"),
    ],
)
def test_letters_are_expanded_as_getopt_parses_them(words: str, expanded: str) -> None:
    assert expand_switches(words.split(), PARSER) == expanded.split()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("-k", "-k is not a switch of dialect modern; see"),
        ("--dialect v1 -C f", "-C is not a switch of dialect v1; it is one of dialect v2 and modern"),
        ("--dialect v1 -5 x", "-5 is not a switch of dialect v1"),
        ("--dialect v2 -t 5", "-t is not a switch of dialect v2; it is one of dialect v1 and modern"),
        ("-p", "-p takes an argument"),
        ("-7", "-7 takes the text of a script variable"),
    ],
)
def test_unknown_letters_and_missing_arguments_raise(command: Command, words: str, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        expand_switches(words.split(), PARSER)
    done = command(*words.split())
    assert (done.returncode, done.stdout) == (2, "") and message in done.stderr


def test_every_letter_has_a_long_option() -> None:
    parser = argparse.ArgumentParser()
    RUN.add_arguments(parser)
    known = parser._option_string_actions
    for switches in SWITCHES.values():
        for option in filter(None, switches.values()):
            takes_none = known[option.split("=")[0]].nargs == 0
            assert takes_none == ("=" not in option)
    flags = [name for name, action in known.items() if action.nargs == 0 and name.startswith("--")]
    for name in flags:  # otherwise the next word would become its argument
        assert expand_switches([name, "x"], PARSER) == [name, "x"]
    explain = build_parser("explain").get_default("verb_parser")
    assert expand_switches(["explain", "--functions", "x"], explain) == ["explain", "--functions", "x"]


# ---------------------------------------------------------------- effects
def test_files_have_the_text_of_dealer_v2(command: Command, tmp_path: Path) -> None:
    rows, switches = tmp_path / "rows", tmp_path / "switches"
    script = 'action csvrpt("lab", hcp(north) + 1, north, NS, "a,b"), export(NS), printrpt("x"), export(west)'
    arguments = ("--dialect", "v2", *SAMPLE, "-p", 2, "-C", rows, "-X", f"w:{switches}", "-v")
    for _ in range(2):
        done = command(*arguments, text=script)
        assert (done.returncode, done.stdout, done.stderr) == (0, " 'x'\n 'x'\n", "")
    row = " 'lab',11,n AKQJ.T98.5432.32 ,n AKQJ.T98.5432.32 s 765.J765.AKQ.AKQ ,'a,b'\n"
    assert rows.read_text("utf-8") == row * 4  # appended
    hands = "-N SAKQJ,HT98,D5432,C32  -S S765,HJ765,DAKQ,CAKQ \n-W S432,H432,D76,C87654 \n"
    assert switches.read_text("utf-8") == hands * 2  # written anew
    assert sorted(path.name for path in tmp_path.iterdir()) == ["rows", "switches"]
    line = switches.read_text("utf-8").splitlines()[0].split()
    again = command(*line, "-p", 1, "-v", text="action printoneline").stdout
    assert again.startswith("n AKQJ.T98.5432.32 e ") and "s 765.J765.AKQ.AKQ w " in again
    everything = command("--dialect", "v2", *SAMPLE, "-p", 1, "-v", text=script).stdout
    assert everything == row + hands.splitlines()[0] + "\n 'x'\n" + hands.splitlines()[1] + "\n"


def test_one_file_for_both_actions_keeps_the_order(command: Command, tmp_path: Path) -> None:
    both = tmp_path / "both"
    script = "action export(north), csvrpt(1), export(south)"
    done = command("--dialect", "v2", *SAMPLE, "-p", 2, "-C", both, "-X", both, "-v", text=script)
    north, south = "-N SAKQJ,HT98,D5432,C32 \n", "-S S765,HJ765,DAKQ,CAKQ \n"
    assert done.stdout == "" and both.read_text("utf-8") == (north + " 1\n" + south) * 2


@needs_descriptors
def test_text_is_written_to_an_open_file() -> None:
    words = [sys.executable, "-m", "dealerkit", "run", *SAMPLE, "-p", "1", "-v", "-X", "/dev/stdout"]
    done = subprocess.run(
        words, input="action export(north)", capture_output=True, encoding="utf-8", check=False
    )
    assert done.stdout == "-N SAKQJ,HT98,D5432,C32 \n" and done.returncode == 0


def test_a_run_that_fails_does_not_change_the_files(tmp_path: Path) -> None:
    old = tmp_path / "old"
    old.write_text("before\n")
    script = "action csvrpt(1), printrpt(10 / (hcp(north) - 11)), export(north)"
    for target in (str(old), f"w:{old}"):
        with pytest.raises(DivisionByZeroError):
            dk.run_script(
                script,
                dk.RunOptions(produce=5000, seed=1, files={"csvrpt": target, "export": tmp_path / "new"}),
            )
    with pytest.raises(ArgumentError, match="'average' cannot have a file"):
        dk.run_script("action average 1", dk.RunOptions(produce=5, files={"average": old}))
    assert old.read_text("utf-8") == "before\n" and list(tmp_path.iterdir()) == [old]
    for target in (tmp_path / "none" / "f", tmp_path):
        with pytest.raises(FileError):
            dk.run_script("action csvrpt(1)", dk.RunOptions(produce=5, files={"csvrpt": target}))


def test_title_and_opener(command: Command) -> None:
    script = 'title "old" opener east action printns'
    done = command("--dialect", "v2", *SAMPLE, "-p", 1, "-T", "-new", "-v", text=script)
    assert done.stdout.startswith(f"{'':18}[-new]\n")
    assert "[" not in command("--dialect", "v2", *SAMPLE, "-p", 1, "-T", "", "-v", text=script).stdout
    assert (
        dk.run_script(script, dk.RunOptions(produce=1, seed=1, opener="S", title="t")).plan.program.opener
        == 2
    )
    assert dk.run(script, produce=1, seed=1).plan.program.opener == 1
    assert command("-O", "s", "-p", 1, text=script).returncode == 0
    assert "unknown seat 'q'" in command("-O", "q", text=script).stderr


def test_predealt_cards_replace_those_of_the_script(command: Command) -> None:
    script = "predeal north SA,HA south DA produce 5 action printes(hascard(north, SA), "
    script += "hascard(north, SK), spades(north), hascard(south, DA), \\n)"
    script = script.replace("SA)", "AS)").replace("SK)", "KS)").replace("DA)", "AD)")
    seeds = [command("-v", "-s", seed, "-N", "skxx", text=script) for seed in range(3)]
    lines = [line for done in seeds for line in done.stdout.splitlines()]
    assert len(lines) == 15 and {line[1:] for line in lines} == {"131"}  # south keeps its card
    assert "0" in {line[0] for line in lines}  # north does not
    assert "--north: these cards replace those that the script predeals to north\n" in seeds[0].stderr
    done = command("--dialect", "v2", "-v", "-s", 1, "-p", 40, "-N", "SK", text=script)
    assert {line[-1] for line in done.stdout.splitlines()} == {"0", "1"}  # v2 removes south's card, too
    assert "predeals to north, south\n" in done.stderr
    done = command("-W", "QTxx.J8x.9x.Q9xx", "-v", "-p", 9, text="action printoneline")
    assert (dk.Deals.from_lines(done.stdout).eval("shape(west, 4324)") == 1).all() and done.stderr == ""


def test_a_run_gives_up_after_the_time_limit(command: Command) -> None:
    impossible = "condition hcp(north) > 37 generate 2000000000 action printall"
    began = time.monotonic()
    done = command("--dialect", "v1", "-t", 1, "-s", 1, text=impossible)
    assert time.monotonic() - began < 20
    assert done.returncode == 1 and "Produced 0 hands" in done.stdout
    rare = "condition hcp(north) > 36 generate 1000 action printall"
    assert command("-t", 60, "-s", 1, "--plan", "plain", text=rare).returncode == 0  # it ended before
    assert command("-t", 60, "-s", 1, "-g", 1000, text=impossible).returncode == 3
    # a deal was accepted, so the run continues to its limit
    done = command("-t", 0.000001, "-s", 1, "-p", 100_000, text="action average hcp(north)")
    assert done.returncode == 0 and "100,000 deals" in done.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("-L f.zrd", "No such file"),
        ("-Z wN:none/such/file", "none/such/file: No such file"),
        ("-l w:none/such/file", "none/such/file: No such file"),
        ("--dialect v1 -l 5", "library.dat: there is no such file"),
        ("--first 5", "give the file with --source"),
        ("-U /x", "--evaluation-server is not supported; run"),
        ("-M 3", "invalid choice: 3"),
        ("-P 4", "unknown vulnerability 4"),
        ("-P bth", "did you mean 'both'"),
        ("-R 0", "1 or more"),
        ("-D x", "a level such as 1"),
        ("-t never", "above 0"),
        ("-x 7", "invalid choice: 7"),
        ("-p many", "not a whole number"),
        ("-N SAA", "SA is predealt twice to north"),
        ("-N AKxx.xx.xx", "four suits"),
        ("-C none/such/file", "none/such/file: No such file"),
        ("-X w:none/such/file", "none/such/file: No such file"),
    ],
)
def test_unsupported_switches_and_invalid_values_are_refused(
    command: Command, words: str, message: str
) -> None:
    done = command(*words.split(), text="produce 1 action export(north)")
    assert (done.returncode, done.stdout) == (2, "") and message in done.stderr
    assert "Traceback" not in done.stderr


def test_switches_without_effect_and_for_information(command: Command) -> None:
    script = "produce 3 action printoneline"
    plain = command("--dialect", "v1", "-s", 5, "-v", text=script)
    assert command("--dialect", "v1", "-us5", "-v", text=script).stdout == plain.stdout != ""
    shown = command("-D", "1.2", "-s", 5, "-v", text=script)
    assert "seed: 5\n" in shown.stderr and shown.stdout == plain.stdout
    assert command("-D0", "-s5", "-v", text=script).stderr == ""
    assert command("-V").stdout == f"dealerkit {dk.__version__}\n"
    usage = command("-h")
    assert usage.returncode == 0 and "-C FILE, --csvrpt FILE" in usage.stdout


@pytest.mark.parametrize(
    "words",
    [
        "-s1 -p3", "-vs1 -p3", "-v -s 1 -v -p3", "-vqv -s1 -p4", "-qq -p3 -s1 -v", "-p4 -s -1", "-s 4294967297 -p2",
        "-3 -s1 -p8", "-32 -s1 -p4 -v", "-2 -0 -s1 -p2 -v", "-p0 -g7 -s5", "-g 9 -p 2 -s 9", "-us3 -p1 -m", "-mm -s1 -p1",
    ],
)  # fmt: skip
def test_output_equals_that_of_dealer(
    command: Command, words: str, tmp_path: Path, dealer_program: str
) -> None:
    script = tmp_path / "script"
    script.write_text(
        "produce 5 condition hcp(north) > 9 action printpbn, printoneline, average hcp(north)\n"
    )
    theirs = subprocess.run(
        [dealer_program, *words.split(), script], capture_output=True, encoding="utf-8", check=True
    ).stdout
    ours = command("--dialect", "v1", "--stream", "classic", *words.split(), script)
    volatile = re.compile(r"^Time needed .*$", re.MULTILINE)
    assert (volatile.sub("", ours.stdout), ours.returncode) == (volatile.sub("", theirs), 0)


@pytest.mark.parametrize("seed", [2**63 - 1, -(2**63), 2**64])
def test_seeds_that_dealer_refuses(command: Command, seed: int, dealer_program: str) -> None:
    theirs = subprocess.run(
        [dealer_program, "-s", str(seed)], input="1", capture_output=True, encoding="utf-8"
    )
    ours = command("--dialect", "v1", "-s", seed, text="1")
    assert theirs.returncode == 255 and "Seed overflow" in theirs.stderr
    assert (ours.returncode, ours.stdout) == (2, "") and f"seed is {seed}; in v1 it is between" in ours.stderr


def test_switches_of_the_solver(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """Par of the deal that the language cases call d03: NS make 7NT, 1520 or, vulnerable, 2220."""
    script = """predeal north SAKQ, HAKQ, DAKQ, CAKQJ predeal east SJT98, HJT98, DJT9, CT9
    predeal south S765, H765, D8765, C876 predeal west S432, H432, D432, C5432
    action printrpt(par(NS), par(NS, none), parcontract, trix(north))"""
    monkeypatch.setattr(library, "default_threads", 0)  # -R sets it for the process; this restores it
    switches = ("--dialect", "v2", "-v", "-p", 1)
    assert command(*switches, text=script).stdout == " 1520,1520,' 7N  by NS none',13,13,12,12,13\n"
    vulnerable = command(*switches, "-M2", "-R1", "-P1", text=script)
    assert vulnerable.stdout == " 2220,1520,' 7N  by NS ns',13,13,12,12,13\n"
