"""Text of dialect v2 for scripts in data/scripts/v2.

The expected texts follow the reference of the language, sections 2.2, 3.14 and 5; they were not printed by dealerkit.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import dealerkit as dk

ROOT = Path(__file__).parent
SCRIPTS = sorted((ROOT.parents[1] / "data" / "scripts" / "v2").glob("*.dealer"))
PARAMS = {"variables": ("north", "5xxx - (5332) + (4432)", "hcp(south) - 2*7%4", '"value: "')}


def test_each_script_has_an_expected_text() -> None:
    expected = {path.stem for path in (ROOT / "golden").glob("*.txt")}
    assert {path.stem for path in SCRIPTS} == expected and len(expected) >= 4


# Section 5 of the reference: its sample deal, 10 deals to a page.
DEAL = """predeal north SAKQJ, HT98, D5432, C32 predeal east ST98, HAKQ, DJT98, CJT9
predeal south S765, HJ765, DAKQ, CAKQ predeal west S432, H432, D76, C87654
"""
TITLE = f"{'':18}[Bidding Practice']\n"


def run_lines(script: str) -> list[str]:
    """Return the lines of a v2 script on the sample deal, those with cards left out."""
    with pytest.warns(dk.DealerkitWarning, match="line 3, column 7: this text has no closing quote"):
        text = dk.run(DEAL + script, dialect="v2", seed=1, statistics=False).text
    return [line for line in text.splitlines(keepends=True) if not line.startswith("     ") or "[" in line]


def test_a_title_without_closing_quote_ends_with_its_line() -> None:
    lines = run_lines("title \"Bidding Practice'\nproduce 1 action printall")
    assert lines == [TITLE, "   1. North              East                South               West \n", "\n"]


@pytest.mark.filterwarnings("ignore:line ., column .*closing quote")
def test_a_text_without_closing_quote_includes_the_newline() -> None:
    script = 'produce 2 action printes("points: \n, hcp(north), "; "), average "mean\nhcp(north)'
    text = dk.run(DEAL + script, dialect="v2", seed=1, statistics=False).text
    mean = "mean\n: Mean=   10.0000, Std Dev=    0.0000, Var=    0.0000, Sample Size=2 \n"
    assert text == "points: \n10; points: \n10; " + mean


def test_the_title_is_above_the_first_diagram_of_each_page() -> None:
    """printns, printew and printside share one title; printall has its own."""
    south, west = (f"{{}}. {left:<19}{right:<5}\n" for left, right in (("South", "North"), ("West", "East")))
    script = "title \"Bidding Practice'\nproduce 11 action printns, printew"
    expected = [TITLE]
    for number in range(1, 10):
        expected += [south.format(f"{number:4d}"), "\n", west.format(f"{number:4d}"), "\n"]
    expected += [south.format("  10"), "\n", "\f" + TITLE, west.format("  10"), "\n"]
    expected += ["\f" + TITLE, south.format("  11"), "\n", west.format("  11"), "\n"]
    assert "".join(run_lines(script)) == "".join(expected)
    both = run_lines("title \"Bidding Practice'\nproduce 1 action printall, printside(EW), printew, printall")
    assert both.count(TITLE) == 2


@pytest.mark.parametrize(("produce", "generated"), [(8, 8), (9, 10), (10, 10), (20, 10)])
def test_one_deal_too_many_is_counted_before_the_last(produce: int, generated: int) -> None:
    """Section 5.3: `generate 10 produce 9` prints 10."""
    text = dk.run(f"generate 10 produce {produce} action average 1", dialect="v2", seed=1).text
    assert f"\nGenerated {generated} hands\nProduced  {min(produce, 10)} hands\n" in text


@pytest.mark.filterwarnings("ignore::dealerkit.errors.DealerkitWarning")
def test_a_contract_without_deals() -> None:
    """C prints an empty mean as -nan."""
    script = "condition 0 generate 5 action evalcontract(NS, x3N, nv)"
    text = dk.run(script, dialect="v2", seed=1, statistics=False).text
    assert text.count("   -nan") == 7 and "Avg Result =    -nan, Made pct=   -nan, Fail pct=   -nan" in text


def test_a_game_of_printpbn() -> None:
    """The tags that DealerV2 4.3.3 printed for this script, seed and number of the board."""
    script = 'title "Testing Starting Board Number 26" produce 1 startboard 26 seed 347 action printpbn'
    text = dk.run(script, dialect="v2", stream="classic", statistics=False).text
    lines = [line for line in text.splitlines() if not line.startswith("[Date")]
    names = [f'[{name} "-"]' for name in ("West", "North", "East", "South")]
    ending = [f'[{name} "?"]' for name in ("Declarer", "Contract", "Result")]
    assert lines == [
        '[Event "Hand simulated by DealerV2_4 with file (null), seed 347"]',
        '[Site "-"]',
        '[Description "Testing Starting Board Number 26"]',
        '[Generator "Dealer Version 2.4 by Hans, Henk, and JGM"]',
        '[Board "26"]',
        *names,
        '[Dealer "E"]',
        '[Vulnerable "All"]',
        '[Deal "N:7.AK93.AQJT52.JT K943.Q74.7.K9874 AT865.2.9843.A52 QJ2.JT865.K6.Q63"]',
        *ending,
        "",
    ]


@pytest.mark.parametrize("more", ["", ", printes(rnd(3), \\n)"])
def test_the_body_of_east_and_west_is_0_for_the_first_deal(more: str) -> None:
    """The slots 126 and 127 of tag 41; the points beside them are those that DealerV2 printed for seed 337."""
    slots = ", ".join(f"usereval(41, EW, {slot})" for slot in (126, 127, 0, 24, 42, 45))
    script = f"startboard 7 produce 3 seed 337 action printrpt(EW, {slots}){more}"
    lines = dk.run(script, dialect="v2", stream="classic", statistics=False).text.splitlines()
    assert lines[0] == " e K5.A85.T9763.Q94 w J42.K76.AQJ84.A6 ,0,0,24,24,24,2375"
    for line in lines[1 + bool(more) :: 1 + bool(more)]:
        hands, *bodies = line.split(",")[:3]
        assert [int(body) for body in bodies] == [
            3 * hand.count("T") + 2 * hand.count("9") + hand.count("8") for hand in hands.split()[1::2]
        ]
    modern = dk.run(script.removesuffix(more), stream="classic", statistics=False).text.splitlines()[0]
    assert ",0,0," not in modern


@pytest.mark.parametrize("stream", ["uniform", "classic"])
@pytest.mark.parametrize("path", SCRIPTS, ids=[path.stem for path in SCRIPTS])
def test_the_text_is_as_expected(path: Path, stream: str) -> None:
    result = dk.run(
        path, dialect="v2", params=PARAMS.get(path.stem, ()), stream=stream, seed=1, statistics=False
    )
    expected = (ROOT / "golden" / f"{path.stem}.txt").read_text("utf-8")
    assert result.text.rstrip("\n").splitlines() == expected.rstrip("\n").splitlines()
