"""Scenarios as teachers write them run unchanged: the deals are those of Debian's dealer from the plain text.

The plain text is made here in another way: back-ticks cut out by one pattern, files pasted line by line.
"""

from __future__ import annotations

import re
import subprocess
import warnings
from pathlib import Path

import pytest

import dealerkit as dk
from dealerkit import CompatibilityWarning

FOLDER = Path(__file__).parent
SCENARIOS = sorted(
    path
    for path in FOLDER.rglob("*")
    if path.is_file() and path.suffix not in (".py", ".pyc") and path.parent.name != "script"
)
PARAMS = {"Minimum_Points.btn": {"$1": "15", "$2": "spades"}}
WARNED = {"No_Dealer_Text.btn"}
N_PRODUCED = 4


def decode(path: Path) -> str:
    content = path.read_bytes()
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252")


def make_plain(path: Path) -> str:
    """Return the text that a dealer program without includes reads."""
    text = decode(path).replace("\r\n", "\n")
    wrapped = re.search(r"setDealerCode\(\s*`(.*?)`", text, re.DOTALL)
    if wrapped:
        text = wrapped[1].replace("\\\\", "\\")
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    pasted: set[str] = set()

    def paste(text: str) -> str:
        lines = []
        for line in text.split("\n"):
            included = re.match(r'#include "script/([^"]*)"|Import,.*/script/([\w%-]+)', line)
            if included is None:
                lines.append(line)
                continue
            name = (included[1] or included[2]).replace("%2D", "-")
            if name not in pasted:
                pasted.add(name)
                lines.append(paste(decode(FOLDER / "script" / name)))
        return "\n".join(lines)

    text = paste(text)
    for variable, value in PARAMS.get(path.name, {}).items():
        text = text.replace(variable, value)
    return text


def test_there_is_a_scenario_for_each_convention() -> None:
    assert len(SCENARIOS) >= 45


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.name)
def test_the_deals_are_those_of_dealer(path: Path, dealer_program: str) -> None:
    plain = f"produce {N_PRODUCED}\n{make_plain(path)}\naction printoneline\n"
    run = subprocess.run(
        [dealer_program, "-s", "7", "-v"], input=plain, capture_output=True, encoding="utf-8"
    )
    expected = re.findall("^n .*$", run.stdout, re.MULTILINE)
    assert len(expected) == N_PRODUCED, run.stderr
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = dk.run(
            path, produce=N_PRODUCED, seed=7, stream="classic", statistics=False, include=[FOLDER]
        )
    assert result.deals.to_lines() == expected
    messages = [str(warning.message) for warning in caught if warning.category is CompatibilityWarning]
    assert messages == (["no condition: the script accepts every deal"] if path.name in WARNED else [])


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.name)
def test_it_is_read_in_v2_too(path: Path) -> None:
    modern, v2 = dk.parse(path, include=[FOLDER]), dk.parse(path, "v2", include=[FOLDER])
    assert len(v2.statements) == len(modern.statements)
    assert v2.metadata == modern.metadata


@pytest.mark.parametrize(
    ("name", "dealer", "vulnerable"),
    [
        ("PBS/Strong_Two", 2, None),
        ("PBS/Weak_NT_by_North", 0, None),
        ("PBS/West_Preempts", 3, None),
        ("PBS/Default_Seat", 2, None),
        ("PBS/Two_Seats", None, None),
        ("PBS/Own_Dealer", 1, None),
        ("PBS/Windows_Lines", 2, None),
        ("btn/Weak_Twos.btn", 2, 1),
        ("btn/Header_Dealer.btn", 3, None),
        ("btn/Vulnerable_Opponents.btn", 3, 2),
        ("dlr/Published.dlr", None, None),
    ],
)
def test_dealer_and_vulnerability(name: str, dealer: int | None, vulnerable: int | None) -> None:
    deals = dk.run(FOLDER / name, produce=1, seed=1, include=[FOLDER]).deals
    assert (None if deals.dealer is None else deals.dealer[0]) == dealer
    assert (None if deals.vulnerable is None else deals.vulnerable[0]) == vulnerable


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("PBS/Strong_Two", {
            "alias": "Strong_Two", "button-text": "Strong two", "seats": "S", "rotate": "true",
            "chat": "--- Strong two in spades,19 points",
        }),
        ("PBS/Calm_Strong", {"alias": "Calm_Strong", "seats": "S", "rotate": "false"}),
        ("PBS/Two_Seats", {"alias": "Two_Seats", "seats": "SN", "rotate": "true"}),
        ("btn/Header_Dealer.btn", {"alias": "Header_Dealer", "dealer-position": "W", "chat": "west deals"}),
        ("btn/Slashes.btn", {"alias": "Slashes"}),
        ("- test support", {}),
    ],
)  # fmt: skip
def test_metadata(name: str, expected: dict[str, str]) -> None:
    assert dk.parse(FOLDER / name, include=[FOLDER]).metadata == expected


def test_the_actions_of_both_lists_count() -> None:
    result = dk.run(FOLDER / "dlr/Two_Actions.dlr", seed=1)
    assert result.produced == 6
    assert result["south"].n == 6
    assert result.text.count('[Deal "') == 6


def test_parameters_replace_the_defaults() -> None:
    path = FOLDER / "btn/Minimum_Points.btn"
    deals = dk.run(path, produce=50, seed=1, params={"1": 20, "2": "clubs"}).deals
    assert deals.eval("hcp(south)").min() >= 20
    assert deals.eval("clubs(south)").min() >= 4
    with_default = dk.run(path, produce=50, seed=1, params={"2": "clubs"}).deals
    assert with_default.eval("hcp(south)").min() == 15


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.name)
def test_the_translation_is_plain_dealer_text(path: Path, dealer_program: str) -> None:
    """The live dealer deals the same from the translation, which needs no other file."""
    from dealerkit.language.dialects import V1
    from dealerkit.translate.scripts import translate

    text, _ = translate(dk.parse(path, include=[FOLDER]), V1)
    outputs = []
    for plain in (make_plain(path), text):
        script = f"produce {N_PRODUCED}\n{plain}\naction printoneline\n"
        run = subprocess.run(
            [dealer_program, "-s", "3", "-v"], input=script, capture_output=True, encoding="utf-8"
        )
        outputs.append(re.findall("^n .*$", run.stdout, re.MULTILINE))
    assert len(outputs[0]) == N_PRODUCED
    assert outputs[1] == outputs[0]
