"""Boards for teaching: the student in the south, with dealer, vulnerability, name and text of the scenario."""

from __future__ import annotations

from pathlib import Path

import pytest

import dealerkit as dk
from dealerkit import ArgumentError, UnsatisfiableWarning
from dealerkit.cards import SEATS
from dealerkit.cli import main

SCENARIO = """# alias: Demo
# button-text: Strong openers
/*@chat
--- Strong openers
20 points; {braces} | bars
@chat*/
dealer DEALER
vulnerable NS
hcp(SEAT) >= 20
produce 3
action printpbn
"""


def write(folder: Path, seat: str, dealer: str = "west") -> Path:
    path = folder / "demo.btn"
    path.write_text(SCENARIO.replace("SEAT", seat).replace("DEALER", dealer))
    return path


@pytest.mark.parametrize("seat", SEATS)
def test_the_student_sits_south(tmp_path: Path, seat: str) -> None:
    result = dk.run(write(tmp_path, seat), seed=1)
    boards = result.boards(seat)
    places = (2 - SEATS.index(seat)) % 4
    for before, after in zip(result.deals.hands.tolist(), boards.deals.hands.tolist(), strict=True):
        assert after == [before[(k - places) % 4] for k in range(4)]
    assert (boards.deals.eval("hcp(south)") >= 20).all()
    assert boards.deals.dealer.tolist() == [(3 + places) % 4] * 3
    assert boards.deals.vulnerable.tolist() == [1 if places % 2 == 0 else 2] * 3
    assert boards.deals.board.tolist() == [1, 2, 3]


def test_without_statements_dealer_and_vulnerability_are_those_of_the_number() -> None:
    boards = dk.run("hcp(east) > 15", produce=5, seed=1).boards("east", first=4)
    assert boards.deals.board.tolist() == [4, 5, 6, 7, 8]
    assert boards.deals.dealer.tolist() == [3, 0, 1, 2, 3]  # W N E S W
    assert boards.deals.vulnerable.tolist() == [3, 1, 2, 3, 0]  # all NS EW all none
    assert boards.texts == {}


@pytest.mark.parametrize("end", ["pbn", "lin"])
def test_files_have_name_and_text(tmp_path: Path, end: str) -> None:
    file = tmp_path / f"boards.{end}"
    boards = dk.run(write(tmp_path, "north"), seed=1).boards("north", first=7)
    boards.write(file)
    back = dk.read(file)
    assert back.deals.to_pbn() == boards.deals.to_pbn()
    assert back.deals.board.tolist() == [7, 8, 9]
    assert back.deals.dealer.tolist() == [1, 1, 1]
    assert back.deals.vulnerable.tolist() == [1, 1, 1]
    comment = "Strong openers\n--- Strong openers\n20 points; {braces) | bars"
    if end == "lin":
        comment = comment.replace(")", "}").replace(" |", "")
    assert back.texts["comment"] == [comment, "Strong openers", "Strong openers"]
    if end == "pbn":
        assert file.read_text("utf-8").count('[Event "Strong openers"]') == 3


@pytest.mark.parametrize(
    ("statements", "given", "name"),
    [
        ("# alias: A\n# scenario-title: B\n# button-text: C\n", None, "B"),
        ("# alias: A\n", None, "A"),
        ('# alias: A\ntitle "D"\n', None, "D"),
        ('# alias: A\ntitle "D"\n', "E", "E"),
    ],
)
def test_the_name(statements: str, given: str | None, name: str) -> None:
    boards = dk.run(statements + "hcp(north) > 9", produce=1, seed=1).boards(title=given)
    assert boards.texts["tags"] == [[["Event", name]]]


def test_arguments() -> None:
    result = dk.run("hcp(north) > 9", produce=2, seed=1)
    assert result.boards(dealer="east", vulnerable="both").deals.dealer.tolist() == [1, 1]
    for arguments in ({"student": "nobody"}, {"first": 0}, {"title": 3}):
        with pytest.raises(ArgumentError):
            result.boards(**arguments)
    with pytest.warns(UnsatisfiableWarning):
        nothing = dk.run("# alias: A\n0", generate=5, seed=1, produce=1)
    assert len(nothing.boards("north")) == 0


def test_the_verb_deal_writes_boards_of_a_scenario(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    path, file = write(tmp_path, "east"), tmp_path / "out.pbn"
    arguments = ["deal", "--script", str(path), "--student", "east", "-s", "5", "-o", str(file)]
    assert main(arguments) == 0
    assert "3 boards written" in capsys.readouterr().err
    expected = dk.run(path, seed=5).boards("east")
    assert dk.read(file).deals.to_pbn() == expected.deals.to_pbn()
    assert main([*arguments[:3], "2", "-s", "5", "--format", "lin", "--event", "Lesson 4"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2
    assert all("|nt|Lesson 4|" in line and "md|2" in line for line in lines)  # west deals
    assert "|nt|20 points" in lines[0]
    assert "|nt|20 points" not in lines[1]


def test_the_verb_deal_refuses_what_does_not_fit(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    path = str(write(tmp_path, "east"))
    assert main(["deal", "--student", "north"]) == 2
    assert "give its file with --script" in capsys.readouterr().err
    assert main(["deal", "--script", path, "--given", "1"]) == 2
    assert "write one condition into the script" in capsys.readouterr().err


def test_included_folders_and_names_with_a_dash(
    tmp_path: Path, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "shared" / "script").mkdir(parents=True)
    (tmp_path / "shared" / "script" / "Strong").write_text("strong = hcp(south) > 19")
    (tmp_path / "- my test").write_text('#include "script/Strong"\nstrong\naction printoneline')
    monkeypatch.chdir(tmp_path)
    for verb in (["run", "-p", "2"], ["explain"], ["translate", "--to", "v1"]):
        assert main([*verb, "- my test"]) == 2
        assert "there is no file script/Strong" in "".join(capsys.readouterr())
        assert main([*verb, "- my test", "--include", "shared"]) == 0
        capsys.readouterr()
    assert main(["deal", "--script=- my test", "--include", "shared", "-s", "1"]) == 0


def test_rotated_boards_have_the_opener_where_the_number_has_the_dealer():
    sample = dk.solved_sample()[:6]
    boards = sample.number_boards(3, dealer="west", rotate=True)
    assert boards.dealer.tolist() == boards.number_boards(3).dealer.tolist() == [2, 3, 0, 1, 2, 3]
    assert boards.vulnerable.tolist() == boards.number_boards(3).vulnerable.tolist()
    turned = [sample[[i]].rotate(seat, "west") for i, seat in enumerate([2, 3, 0, 1, 2, 3])]
    assert boards.to_pbn() == [deals.to_pbn()[0] for deals in turned]
    assert all((boards.tables[i] == deals.tables[0]).all() for i, deals in enumerate(turned))


def test_rotated_boards_of_a_scenario_need_its_dealer_and_no_student():
    text = SCENARIO.replace("SEAT", "east")
    boards = dk.run(text.replace("DEALER", "east"), seed=1, produce=4).boards(rotate=True).deals
    assert boards.dealer.tolist() == [0, 1, 2, 3] and boards.vulnerable.tolist() == [0, 1, 2, 3]
    assert all(boards.eval(f"hcp({seat}) >= 20")[i] for i, seat in enumerate(SEATS))
    without = dk.run(text.replace("dealer DEALER", ""), seed=1, produce=4)
    with pytest.raises(ArgumentError, match="set the dealer"):
        without.boards(rotate=True)
    assert without.boards(rotate=True, dealer="east").deals.to_pbn() == boards.to_pbn()
    with pytest.raises(ArgumentError, match="student and rotate"):
        without.boards("east", rotate=True)
