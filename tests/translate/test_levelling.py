"""Levelling written for other programs."""

from __future__ import annotations

import re
import subprocess

import pytest
from scipy.stats import binomtest

import dealerkit as dk
from dealerkit.cli import main
from dealerkit.translate.levelling import BEGIN, END, find_levelling, find_limits

SCRIPT = """# Responses
produce 2000
condition hcp(north) >= 15 and hcp(north) <= 17
level "weak" hcp(south) <= 7, "invite" hcp(south) >= 8 and hcp(south) <= 9 share 2,
    "game hand" hcp(south) >= 10 and hcp(south) <= 17, "big" hcp(south) >= 18
action printoneline
"""
VARIABLES = """HandType_weak = hcp(south) <= 12
HandType_big = hcp(south) >= 19
HandType_big_Share = 2
### BEGIN GENERATED LEVELING ###
noLeveling = 1
levelTheDeal = noLeveling
### END GENERATED LEVELING ###
condition hcp(north) >= 10 and levelTheDeal
action printoneline
"""


def translate(text, tmp_path, capsys):
    path = tmp_path / "script.dealer"
    path.write_text(text)
    assert main(["translate", "--to", "v1", "--level", str(path)]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize(
    ("script", "shares"),
    [
        (SCRIPT, {"weak": 0.2, "invite": 0.4, "game_hand": 0.2, "big": 0.2}),
        (VARIABLES, {"weak": 1 / 3, "big": 2 / 3}),
    ],
    ids=["statement", "variables"],
)
@pytest.mark.parametrize(
    "seed", [1, pytest.param(2, marks=pytest.mark.slow), pytest.param(3, marks=pytest.mark.slow)]
)
def test_the_original_program_deals_the_same_shares(script, shares, seed, tmp_path, capsys, dealer_program):
    text = translate(script, tmp_path, capsys)
    flags = ", ".join(f'average "{name}" HandType_{name}' for name in shares)
    path = tmp_path / "v1.dealer"
    path.write_text(re.sub("action .*", f"action {flags}", text))
    switches = ["-s", str(seed), "-p", "1500", "-g", "100000000"]
    output = subprocess.run(
        [dealer_program, *switches, path], capture_output=True, encoding="utf-8", check=True
    ).stdout
    for name, share in shares.items():
        measured = float(re.search(rf"^{name}: (.*)$", output, re.MULTILINE)[1])
        assert binomtest(round(1500 * measured), 1500, share).pvalue > 1e-4, output


def test_each_type_has_rolls_of_its_own_between_the_markers(tmp_path, capsys):
    text = translate(SCRIPT, tmp_path, capsys)
    block = text[text.index(BEGIN) : text.index(END)]
    assert "roll = (rnd(1000) % 1000 + 1000) % 1000" in block
    assert re.search(r"^level_weak = HandType_weak and roll < \d+ and roll2 < \d+$", block, re.MULTILINE)
    assert re.search(r"^level_big = HandType_big$", block, re.MULTILINE)
    assert text.count("# Responses") == 1 and text.index(END) < text.index("condition")


def test_an_earlier_block_is_replaced(tmp_path, capsys):
    text = translate(VARIABLES, tmp_path, capsys)
    assert text.count(BEGIN) == text.count(END) == 1 and "noLeveling" not in text
    again = translate(text, tmp_path, capsys)
    assert again == text


def test_a_statement_without_the_option_is_an_error(tmp_path, capsys):
    path = tmp_path / "script.dealer"
    path.write_text(SCRIPT)
    assert main(["translate", "--to", "v1", str(path)]) != 0
    assert "--level" in capsys.readouterr().err


def test_a_script_without_hand_types_is_an_error(tmp_path, capsys):
    path = tmp_path / "script.dealer"
    path.write_text("condition hcp(north) > 15")
    assert main(["translate", "--to", "v1", "--level", str(path)]) != 0
    assert "no hand types" in capsys.readouterr().err


@pytest.mark.parametrize("rate", [1.0, 0.9996, 0.5, 0.1, 0.0999, 0.0223, 0.001, 0.00099, 1e-5, 3.3e-7])
def test_limits_of_rolls_keep_the_rate(rate):
    product = 1.0
    for limit in find_limits(rate):
        assert 1 <= limit < 1000
        product *= limit / 1000
    assert product == pytest.approx(rate, rel=0.005)


def test_a_ladder_of_small_cards_is_a_likely_mistake():
    ladder = "keep25 = hascard(west, 2C) keep75 = not keep25 "
    mistakes = dk.explain(ladder + "condition clubs(north) > 5 and keep75").mistakes
    (mistake,) = [item for item in mistakes if item.kind == "ladder"]
    assert "clubs" in mistake.message and "not 75 %" in mistake.message
    assert mistake.instead == "keep75 = rnd(100) < 75"
    # 39 of 52 places of the card are not west's; with six or more clubs north holds it more often
    assert dk.probability("not hascard(west, 2C)", given="clubs(north) > 5").value > 0.8
    for other in ("keep25 = hascard(west, AC)", "keep25 = rnd(4) == 0", "mine = hascard(west, 2C)"):
        name = other.split()[0]
        assert not [m for m in dk.explain(f"{other} condition {name}").mistakes if m.kind == "ladder"]


def test_a_type_with_share_0_is_not_dealt(tmp_path, capsys, dealer_program):
    text = translate(VARIABLES.replace("Share = 2", "Share = 0"), tmp_path, capsys)
    path = tmp_path / "v1.dealer"
    path.write_text(text.replace("printoneline", 'average "weak" HandType_weak, average "big" HandType_big'))
    command = [dealer_program, "-s", "1", "-p", "300", path]
    output = subprocess.run(command, capture_output=True, encoding="utf-8", check=True).stdout
    assert "weak: 1\n" in output and "big: 0\n" in output  # plainly 1 in 80 of them are big


def test_a_script_in_which_every_share_is_0_has_nothing_to_deal() -> None:
    script = VARIABLES.replace("Share = 2", "Share = 0") + "HandType_weak_Share = 0"
    with pytest.raises(dk.errors.ArgumentError, match="every hand type has share 0; give one of them"):
        find_levelling(dk.parse(script))


@pytest.mark.parametrize("share", ["1/2", "-1", "hcp(north)"])
def test_shares_of_variables_are_numbers(share: str) -> None:
    script = dk.parse(VARIABLES.replace("Share = 2", f"Share = {share}"))
    with pytest.raises(
        dk.errors.ArgumentError, match="HandType_big_Share is `.*`; a share is a number of 0 or more"
    ):
        find_levelling(script)
