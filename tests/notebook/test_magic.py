"""The cell magic, and the notebooks executed from the first cell to the last."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import dealerkit as dk
from dealerkit import registry

CELL = """
condition hcp(north) >= 20
action average "controls" controls(north), frequency "length" (spades(north), 0, 13)
"""


@pytest.fixture
def shell():
    from IPython.testing.globalipapp import get_ipython, start_ipython

    shell = start_ipython() or get_ipython()
    shell.run_line_magic("load_ext", "dealerkit")
    yield shell
    shell.user_ns.pop("result", None)


def test_cell_function_and_command_give_the_same_result(shell, tmp_path: Path) -> None:
    shown = shell.run_cell_magic("dealer", "-p 1000 -s 7 -o result", CELL)
    result = dk.run(CELL, produce=1000, seed=7)
    assert shown is shell.user_ns["result"]
    assert shown.deals.equals(result.deals)
    assert [report.n for report in shown.reports] == [1000, 1000]
    path = tmp_path / "cell.dealer"
    path.write_text(CELL, encoding="utf-8")
    command = [sys.executable, "-m", "dealerkit", "run", str(path), "-p", "1000", "-s", "7", "-v"]
    output = subprocess.run(command, capture_output=True, encoding="utf-8", check=True).stdout
    assert output == shown.text.rsplit("\n", 2)[0] + "\n" == result.text.rsplit("\n", 2)[0] + "\n"


def test_options_of_the_cell(shell, capsys: pytest.CaptureFixture[str]) -> None:
    shell.user_ns["some"] = dk.deal(500, seed=1)
    assert shell.run_cell_magic("dealer", "--source some --text", "action average hcp(north)") is None
    assert "500 deals" in capsys.readouterr().out
    result = shell.run_cell_magic(
        "dealer", "-p 5 -s 1 --param 0=20 -o mine", "condition hcp(north) >= $0 action"
    )
    assert (result.deals.eval("hcp(north)") >= 20).all() and shell.user_ns["mine"] is result


def test_values_of_script_variables_come_from_the_notebook(shell, capsys: pytest.CaptureFixture[str]) -> None:
    shell.user_ns |= {"n": 21, "shapes": "any 4333 + any 4432"}
    cell = "condition hcp(north) >= $low and shape(north, $shapes) action average hcp($0)"
    line = """-p 5 -s 1 --param low={n + 1} --param "shapes={shapes}" --param 0='north'"""
    shell.run_cell(f"%%dealer {line}\n{cell}").raise_error()
    result = shell.user_ns["result"]
    assert result.params == {"low": "22", "shapes": "any 4333 + any 4432", "0": "north"}
    assert (result.deals.eval("hcp(north) >= 22 and shape(north, any 4333 + any 4432)")).all()
    capsys.readouterr()
    for argument, message in (
        ("--param low={missing}", "'missing' has no value in this notebook"),
        ("--param low", "as low=15 or 0=spades"),
        ("--param 'low=1", "a quotation mark is not closed"),
        ("--param low=1 \\", "it ends with"),
        ("", "$low has no value"),
    ):
        assert not shell.run_cell(f"%%dealer -p 5 {argument}\n{cell}").success
        shown = "".join(capsys.readouterr())
        assert message in shown and "Traceback" not in shown


def test_a_backslash_alone_as_the_value_of_an_option_is_refused(shell, capsys) -> None:
    assert not shell.run_cell("%dealer --seed \\ hcp(north)").success
    shown = "".join(capsys.readouterr())
    assert "it ends with" in shown and "Traceback" not in shown


def test_a_cell_that_is_run_again_defines_its_function_again(shell) -> None:
    cell = "import dealerkit as dk\n@dk.function\ndef from_cell(deals, seat):\n    return deals.hand(seat) * 0 + {}"
    try:
        for number in (1, 2):
            shell.run_cell(cell.format(number)).raise_error()
            assert dk.deal(1, seed=1).eval("from_cell(north)").tolist() == [number]
    finally:
        registry.unregister("from_cell")


def test_options_shared_with_the_command(shell, capsys: pytest.CaptureFixture[str]) -> None:
    cell = "condition hcp(north) >= 28 action average $0"
    result = shell.run_cell_magic(
        "dealer", "-p 4 -s 1 --plan conditional --title 'two words' --param 0=hcp(south) --keep 3", cell
    )
    same = dk.run(cell, produce=4, seed=1, params=["hcp(south)"], plan="conditional")
    assert result.plan.name == "conditional" and len(result.deals) == 3
    assert result.deals.equals(same.deals[:3])
    assert result.plan.program.title == "two words"
    clustered = shell.run_cell_magic("dealer", "-p 40 -s 1 -x 2 --confidence 0.5 --threads 1", CELL)
    expected = dk.run_script(CELL, dk.RunOptions(produce=40, seed=1, swap=2, confidence=0.5))
    assert clustered.reports[0].mean == expected.reports[0].mean
    assert clustered.reports[0].mean.confidence == 0.5
    for option, word in (
        ("--plan fast", "conditional"),
        ("--keep some", "keep"),
        ("--opener up", "A seat is north, east, south or west"),
    ):
        assert not shell.run_cell(f"%%dealer {option}\n{CELL}").success
        shown = "".join(capsys.readouterr())
        assert word in shown and "Traceback" not in shown


def test_functions_are_completed_in_the_first_cell_of_a_session() -> None:
    code = """
from dealerkit.notebook.completion import complete_script
for token in ("zar", "karp", "par"):
    print(*complete_script(token, "")[1])
"""
    output = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True
    ).stdout
    zar, karp, par = output.splitlines()
    assert "zar" in zar.split() and "karpin" in karp.split() and {"par", "parcontract"} <= set(par.split())


def test_a_mistake_is_shown_without_a_traceback(shell, capsys: pytest.CaptureFixture[str]) -> None:
    done = shell.run_cell("%%dealer -p 5\ncondition hpc(north) > 3")
    assert not done.success
    shown = "".join(capsys.readouterr())
    assert "hcp" in shown and "^" in shown and "Traceback" not in shown
    assert "result" not in shell.user_ns


def test_names_are_completed_in_a_dealer_cell(shell) -> None:
    def offered(cell: str) -> set[str]:
        return {completion.text for completion in shell.Completer.completions(cell, len(cell))}

    assert {"controls", "condition"} <= offered("%%dealer -p 5\ncon")
    assert "printoneline" in offered("%%dealer\naction printone")
    assert "controls" not in offered("contr")


def test_the_vulnerability_of_the_deals_is_an_argument(shell):
    result = shell.run_cell_magic("dealer", "-p 3 -s 1 --vulnerable ns", "action average 1")
    assert result.deals.vulnerable.tolist() == [1, 1, 1]
    with pytest.raises(dk.ArgumentError, match="did you mean 'both'"):
        shell.run_cell_magic("dealer", "-p 3 --vulnerable bth", "action average 1")


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        ("%%dealer -p 3 -o my-var\n1", ["my-var", "variable"]),
        ("%%dealer -p 3 -o class\n1", ["class", "variable"]),
        ("%%dealer -p 3 --given hcp(north)>=20\n1", ["--given", "condition"]),
        ("%dealer -o chance hcp(north) >= 20", ["--output", "%%dealer"]),
        ("%dealer --plot hcp(north)", ["--plot", "%%dealer"]),
        ("%dealer -d v1 hcp(north)", ["--dialect", "%%dealer"]),
    ],
)
def test_options_that_would_do_nothing_are_refused(shell, cell: str, words: list[str]) -> None:
    done = shell.run_cell(cell)
    assert isinstance(done.error_in_exec, dk.ArgumentError)
    assert all(word in str(done.error_in_exec) for word in words)


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("hcp(", ["north", "east", "south", "west"]),
        ("hcp(n", ["north"]),
        ("dds(south, s", ["spades"]),
        ("condition hcp(north) >= 15 and losers(so", ["south"]),
        ("dds(north, n", ["notrump"]),
    ],
)
def test_arguments_that_fit_are_offered_first(text, first) -> None:
    from dealerkit.notebook.completion import complete_script

    assert complete_script(text, "")[1][: len(first)] == first


def test_inspection_shows_the_entry_of_a_word_of_the_language(shell) -> None:
    shell.user_ns.pop("losers", None)
    bundle = shell.object_inspect_mime("losers")
    assert bundle["text/plain"].startswith("losers(seat, suit?)") and "osing tricks" in bundle["text/plain"]
    assert "losers(north)" in bundle["text/html"]
    assert shell.object_inspect_mime("average")["text/plain"].startswith("average")
    shell.user_ns["losers"] = 3  # the notebook's own variables have precedence
    assert "int" in shell.object_inspect_mime("losers")["text/plain"]
    del shell.user_ns["losers"]
    with pytest.raises(KeyError):
        shell.object_inspect_mime("no_such_word")
