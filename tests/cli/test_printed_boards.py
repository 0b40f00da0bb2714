"""Scripts that print boards into a file or a pipe: the boards alone are on standard output."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest

import dealerkit as dk

SCRIPT = 'produce 5 startboard 16 condition hcp(north) > 15 action {}, average hcp(south), printes("text ", hcp(east), \\n)'


@pytest.mark.parametrize(
    ("action", "form"), [("printpbn", "pbn"), ("printlin", "lin"), ("printoneline", "oneline")]
)
def test_output_is_a_file_of_boards(command, action: str, form: str, tmp_path: Path):
    done = command("run", "-s", 1, text=SCRIPT.format(action))
    assert done.returncode == 0 and "text" not in done.stdout and "Average" not in done.stdout
    assert done.stderr.count("text ") == 5
    assert (
        done.stderr.index("text ") < done.stderr.index("Average of hcp(south)") < done.stderr.index("seed 1")
    )
    path = tmp_path / "boards"
    path.write_text(done.stdout)
    library = dk.read(path)
    assert library.content.skipped == [] and type(library.content) is type(dk.read(path, form).content)
    expected = dk.run(SCRIPT.format(action), seed=1).deals
    assert np.array_equal(library.deals.hands, expected.hands)
    if form != "oneline":
        assert library.deals.board.tolist() == [16, 17, 18, 19, 20]
        assert library.deals.dealer.tolist() == [3, 0, 1, 2, 3]
        assert library.deals.vulnerable.tolist() == [2, 0, 1, 2, 3]


def test_the_script_sets_dealer_and_vulnerability(command, tmp_path: Path):
    for action in ("printpbn", "printlin"):
        text = f"produce 3 dealer east vulnerable both action {action}"
        (tmp_path / "boards").write_text(command("run", "-s", 1, text=text).stdout)
        deals = dk.read(tmp_path / "boards").deals
        assert deals.dealer.tolist() == [1] * 3 and deals.vulnerable.tolist() == [3] * 3


def test_boards_of_a_file_keep_their_numbers(command, tmp_path: Path):
    deals = dk.deal(6, seed=1).number_boards(11, vulnerable="ew")
    deals.write(tmp_path / "a.pbn")
    for action in ("printpbn", "printlin"):
        words = ["run", "-g", 6, "-L", tmp_path / "a.pbn"]
        done = command(*words, text=f"condition hcp(north) > 10 action {action}")
        (tmp_path / "boards").write_text(done.stdout)
        assert dk.read(tmp_path / "boards").deals.equals(deals.where("hcp(north) > 10"))


def test_reports_and_diagrams_are_on_standard_output(command):
    done = command("run", "-s", 1, text="produce 5 action average hcp(south), printes(hcp(east), \\n)")
    assert "Average" in done.stdout and done.stderr == ""
    done = command("run", "-s", 1, text="produce 1 action printall, average hcp(south)")
    assert "Average" in done.stdout and done.stderr == ""


@pytest.mark.parametrize("dialect", ["v1", "v2"])
def test_old_dialects_print_everything_on_standard_output(command, dialect: str):
    text = SCRIPT.format("printoneline").replace("startboard 16", "")
    done = command("run", "-s", 1, "--dialect", dialect, text=text)
    assert "text " in done.stdout and "Generated" in done.stdout and done.stderr == ""
    assert command("run", "--dialect", dialect, text="action printlin").returncode == 2


def test_write_rest_takes_the_text_that_is_no_board():
    boards, rest = io.StringIO(), io.StringIO()
    script = SCRIPT.format("printlin")
    result = dk.run_script(script, dk.RunOptions(seed=1, write=boards.write, write_rest=rest.write))
    assert boards.getvalue().count("md|") == 5 and "Average" in rest.getvalue() and result.text == ""
    rest.seek(0)
    dk.run_script(
        "produce 5 action average 1", dk.RunOptions(seed=1, write=boards.write, write_rest=rest.write)
    )
    assert boards.getvalue().endswith(" s\n")
    with pytest.raises(dk.ArgumentError, match="write_rest is 5"):
        dk.run_script(script, dk.RunOptions(write_rest=5))
    assert dk.run(script, seed=1).text.count("md|") == 5


def test_translate_refuses_printlin(command):
    done = command("translate", "--to", "v2", text="action printlin")
    assert done.returncode == 2 and "v2 cannot express the action printlin" in done.stderr
    assert command("translate", "--to", "modern", text="action printlin").stdout.strip() == "action printlin"
