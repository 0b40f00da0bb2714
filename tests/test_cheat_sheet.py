"""The cheat sheet: its expressions, statements and calls run; it has every verb of the command."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import dealerkit as dk
from dealerkit.cli import main

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "cheat-sheet.md"
PARTS_OF_ACTIONS = ("frequency", "evalcontract", "print")
# What the sheet leaves open, and a value for it.
OPEN = {
    "condition strong": "strong = 1 condition strong",
    '"weak" A': '"weak" hcp(north) < 9',
    '"strong" B': '"strong" hcp(north) >= 9',
    "$low": "hcp(north) >= $low",
}
ARGUMENTS = {
    '["3S", "4S"]': '["3S", "4S"], declarer="south"',
    'by south"': 'by south", produce=5, seed=1',
    '["hcp", "zar"]': '["hcp", "zar"], sample=deals',
    "precision=0.01": "precision=0.5",
}


def read_table(title: str) -> list[str]:
    """Return the code in the first column of the table below a bold title."""
    table = PAGE.read_text("utf-8").partition(f"**{title}**")[2].partition("\n\n|")[2].partition("\n\n")[0]
    cells = [row.partition(" | ")[0] for row in table.splitlines()[2:]]
    return [code for cell in cells for code in re.findall("`(.+?)`", cell)]


def fill(text: str, values: dict[str, str]) -> str:
    for part, value in values.items():
        text = text.replace(part, value)
    return text


@pytest.mark.parametrize("expression", read_table("Hands") + read_table("Tricks and scores"))
def test_expressions(expression: str) -> None:
    assert len(dk.solved_sample()[:3].eval(expression)) == 3


@pytest.mark.parametrize("line", [line for line in read_table("Script") if not line.startswith("--")])
def test_statements(line: str, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bids.dealer").write_text("quiet = hcp(east) < 12", encoding="utf-8")
    text = fill(f"action {line}" if line.startswith(PARTS_OF_ACTIONS) else line, OPEN)
    assert dk.parse(text, params={"low": 15} if "$low" in text else {}, include=["."]) is not None


def test_verbs(capsys) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    verbs = re.findall(r"^    (\w+)", capsys.readouterr().out.partition("VERB\n")[2], re.MULTILINE)
    assert len(verbs) > 20 and set(verbs) == {code.split()[0] for code in read_table("Command")}


@pytest.mark.filterwarnings("ignore::dealerkit.DealerkitWarning")
def test_calls() -> None:
    deals = dk.solved_sample()[:200]
    names = {"dk": dk, "deals": deals, "hand": "QJ752.K83.94.T62", "condition": "hcp(north) >= 20"}
    names |= {"question": "hcp(north)", "script": "condition hcp(north) >= 12 action average hcp(south)"}
    calls = [call for call in read_table("Python") if not re.search(r"read|write|results|^\.", call)]
    assert len(calls) > 10
    for call in calls:
        assert eval(fill(call, ARGUMENTS), names) is not None


def test_formats(tmp_path) -> None:
    deals = dk.solved_sample()[:4].number_boards(1)
    ends = re.findall(r"`(\.\w+)`", PAGE.read_text("utf-8").partition("**Files**")[2])
    for end in set(ends) - {".zdd"}:  # only the deals of one library can be written so
        deals.write(tmp_path / f"boards{end}")
        assert len(dk.read(tmp_path / f"boards{end}")) == 4
    assert len(ends) > 10
