"""The text of dialect v1 compared with that of the installed program."""

from __future__ import annotations

import re
import subprocess
import warnings
from pathlib import Path

import pytest

import dealerkit as dk

TIME = re.compile(r"^Time needed .*$", re.MULTILINE)
SCRIPTS = {
    "everything": """
predeal north SAKQJ, HT98
produce 9
condition hcp(north)>14
action print(north,south), printes("x",hcp(north),\\n), printall, printew, average "a" hcp(south), average hcp(south),
  frequency (hcp(north),16,18), frequency "q" (hcp(north),16,18,hcp(south),3,6), printpbn
""",
    "pages with one seat twice": "produce 5 action print(west, west), print(north)",
    "compact": "produce 3 action printcompact, printcompact(hcp(north)*100), printoneline, printoneline(0-1)",
    "long suits": "produce 20 condition spades(north) > 8 action printall, printew, print(north)",
    "means as %g": 'produce 10 action average "x" hcp(north)/3-9, average 1000000*hcp(north), average 1234567, average 0',
    "no action": "produce 3",
    "an empty action": "generate 20 action",
    "no deal": 'generate 50 condition 0 action average "a" 1, frequency(1,0,2), frequency "two" (1,1,2,3,1,4), print(west)',
    "printpbn twice": "produce 3 action printpbn, printpbn",
    "printpbn, odd": "produce 3 dealer west vulnerable EW action printpbn",
    "rnd": 'produce 30 condition rnd(3) == 1 action printes(rnd(10), " ", rnd(0), " ", rnd(0-5), \\n), average rnd(100), printoneline',
    "rnd in a variable": 'produce 20 a = rnd(6) condition a + a == 7 action printes(a, a, "\\n"), printoneline',
    "tables of points": 'produce 20 pointcount 6 4 2 1 altcount 3 1 1 action printes(hcp(north), " ", pt1(north), \\n)',
    "coupled losers": "produce 200 altcount 1 1 1 1 1 action average losers(north), frequency (losers(east), 0, 12)",
    "wrapping": "produce 2 action printes(2147483647+hcp(north), \\n, 99999999999, \\n, 0-7/2, 0-7%4)",
    "two conditions": "produce 5 condition hcp(north)>20 hcp(east)>15 action printoneline",
    "a list that prints is replaced": "generate 50 action printoneline action frequency (hcp(north), 0, 3)",
    "lists that print nothing": "generate 50 action average 1 action average 2",
    "an empty list after one that prints": "generate 50 action printes(1) action",
    "lengths are ignored": "produce 3 predeal spades(west)==7 action printoneline",
}


def compare(
    script: str, folder: Path, program: str, switches: tuple[str, ...] = (), **options: object
) -> None:
    path = folder / "script"
    path.write_text(script)
    theirs = subprocess.run(
        [program, *switches, "-s", "1", str(path)], capture_output=True, encoding="utf-8", check=True
    ).stdout
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", dk.DealerkitWarning)
        run_options = dk.RunOptions(seed=1, dialect="v1", stream="classic", **options)  # type: ignore[arg-type]
        ours = dk.run_script(path, run_options).text
    assert TIME.sub("", ours) == TIME.sub("", theirs)


@pytest.mark.parametrize("name", SCRIPTS)
def test_text_equals_that_of_dealer(name: str, tmp_path: Path, dealer_program: str) -> None:
    compare(SCRIPTS[name], tmp_path, dealer_program)


@pytest.mark.parametrize("swap", [2, 3])
def test_swapped_deals_equal_those_of_dealer(swap: int, tmp_path: Path, dealer_program: str) -> None:
    script = "predeal north SA produce 50 condition hcp(east) > 9 action printoneline, average hcp(west)"
    compare(script, tmp_path, dealer_program, (f"-{swap}",), swap=swap)


def test_switches_equal_those_of_dealer(tmp_path: Path, dealer_program: str) -> None:
    compare(
        "action average hcp(north), printpbn",
        tmp_path,
        dealer_program,
        ("-v", "-q", "-p", "7"),
        statistics=False,
        quiet_pbn=True,
        produce=7,
    )
    compare(
        "condition hcp(north) > 12 action average hcp(north)",
        tmp_path,
        dealer_program,
        ("-g", "100"),
        generate=100,
    )
    script = "produce 3 generate 8 condition hcp(north) > 9 action average hcp(north)"
    compare(script, tmp_path, dealer_program, ("-p", "0", "-g", "0"), produce=0, generate=0)
