"""Types and names of the public interface, as type checkers and editors see them."""

from __future__ import annotations

import ast
import importlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import dealerkit as dk

PACKAGE = Path(dk.__file__).parent
PROGRAM = """\
import numpy as np
import dealerkit as dk

result = dk.run("condition hcp(north) > 15 action average hcp(south)", produce=10)
deals = dk.deal(3, given="hcp(north) > $low", params={"low": 15}, include=["shared"])


@dk.function
def double(deals: dk.Deals, seat: int) -> int:
    return 2


@dk.function(args=("seat",), unit="points")
def triple(deals: dk.Deals, seat: int) -> int:
    return 3


"""
ARRAY = "ndarray[tuple[Any, ...], dtype[Any]]"
TYPES = {
    "result": "Result",
    "result.produced": "int",
    "result + result": "Result",
    "dk.Result.concat([result, result])": "Result",
    "result.seeds": "tuple[int, ...]",
    "result.save('study.zip')": "None",
    "dk.load('study.zip')": "Result",
    "result.generated": "int | None",
    "result.deals": "Deals",
    "result.to_frame()": "DataFrame",
    "result.probability": "Estimate",
    "result.types": "DataFrame",
    "dk.level('', {'weak': 'hcp(south) < 8'}, {'weak': 2}, produce=10)": "Result",
    "result.probability.value": "float",
    "dk.explore('')": "Explorer",
    "dk.explore('').result": "Any",
    "dk.explore('').python": "str",
    "result.text": "str",
    "dk.results('evening.pbn')": "TournamentResults",
    "dk.stream_results('folder', 'matchpoints').players()": "ResultsReport",
    "dk.results(['a.pbn', 'b.xml'], 'butler', datum='median').score('cross-imps')": "TournamentResults",
    "dk.results('evening.pbn').traveller(1)": "ResultsReport",
    "dk.results('evening.pbn').pairs": "DataFrame",
    "dk.victory_points(10, 16)": "float",
    "result.reports": "tuple[Report, ...]",
    "result['hcp(south)'].n": "int",
    "result['hcp(south)'].frame": "DataFrame",
    "deals": "Deals",
    "deals[0]": "Deal",
    "deals[:2]": "Deals",
    "deals.where('hcp(north) > 3')": "Deals",
    "deals.rotate('east')": "Deals",
    "deals.page().html": "str",
    "deals.replace(board=[1])": "Deals",
    "deals.eval('hcp(north)')": ARRAY,
    "deals.to_frame('hcp')": "DataFrame",
    "deals.sides('hcp')": "DataFrame",
    "deals.vulnerable": f"{ARRAY} | None",
    "deals.to_pbn()": "list[str]",
    "dk.Deals.from_pbn('')": "Deals",
    "deals.to_cards()": ARRAY,
    "dk.Deals.from_cards([])": "Deals",
    "dk.solved_sample()": "Deals",
    "dk.use_solved()": "None",
    "dk.read('deals.zrd')": "Library",
    "dk.read('lesson.pbn', partial=True)": "PartialDeals",
    "dk.read('lesson.pbn', partial=True)[0]": "PartialDeal",
    "dk.read('lesson.pbn', partial=True).complete(3)": "Deals",
    "dk.all_deals(predeal={'north': 'SA'})": "Library",
    "dk.read('deals.zrd')[:3]": "Library",
    "dk.read('deals.zrd')[3]": "Deal",
    "dk.read('deals.zrd').deals": "Deals",
    "dk.read('deals.zrd').where('hcp(north) > 3')": "Library",
    "dk.read('deals.zrd').sample(10, seed=1)": "Library",
    "dk.read('deals.zrd').to_frame('hcp')": "DataFrame",
    "dk.read('deals.zrd').frame": "DataFrame",
    "dk.parse('') + dk.parse('')": "Script",
    "dk.check('', 'v1')": "Findings",
    "dk.check('')[0].line": "int",
    "dk.explain('', include=['shared'])": "ScriptExplanation",
    "dk.explain('').text": "str",
    "dk.why('', '')": "DealExplanation",
    "dk.probability('', include=['shared'])": "Probability",
    "dk.distribution('', include=['shared'])": "Distribution",
    "dk.proportion(1, 2)": "Estimate",
    "dk.difference([1], [2])": "Estimate",
    "dk.RunLimits(seconds=60).seconds": "float | None",
    "dk.compare(['hcp'])": "Trial",
    "dk.contracts(deals, ['2NT', '3NT'])": "ContractStudy",
    "dk.contracts('', '4S by south').frame": "DataFrame",
    "dk.contracts('', '4S by south').makes()": "Estimate",
    "dk.strategy([(True, 'pass')])": "Strategy",
    "dk.compare(['hcp']).frame": "DataFrame",
    "dk.law_of_total_tricks(deals)": "LawOfTotalTricks",
    "dk.law_of_total_tricks().frame": "DataFrame",
    "dk.par_statistics(deals)": "ParStatistics",
    "dk.tricks_by(deals)": "TricksTable",
    "dk.tricks_by(deals).r": "float",
    "dk.layouts(deals, 'NS')": "Layouts",
    "dk.layouts('AKQJ32.AK.AKQ.AK').by_hand": "DataFrame",
    "dk.fit_points({'A': 'aces'}, unit={'A': 4})": "FittedPoints",
    "dk.fit_points(['aces']).points": "dict[str, float]",
    "dk.fit_points(['aces']).frame": "DataFrame",
    "dk.compare(['hcp'], events=['game']).calibration('hcp', 'game')": "DataFrame",
    "dk.opc_breakdown(deals)": "DataFrame",
    "dk.par(deals)": "Par",
    "dk.par(deals).score": ARRAY,
    "dk.leads(deals, '3NT', 'south')": "DataFrame",
    "dk.lead('KJ74.Q93.T85.J62', '3NT by south')": "LeadStudy",
    "dk.lead('KJ74.Q93.T85.J62', '3NT by south').frame": "DataFrame",
    "dk.line(deals[0], '3NT by south')": "LineOfPlay",
    "dk.break_even('4S', '3S').probability": "float | None",
    "dk.break_even_table()": "BreakEvenTable",
    "dk.best_contracts(deals)": "BestContracts",
    "dk.line(deals[0], '3NT', 'south').frame": "DataFrame",
    "dk.solve_board(deals, 'S', 'north')": "DataFrame",
    "dk.dd_table(deals)": ARRAY,
    "dk.dd_tricks(deals, 'S', 'north')": ARRAY,
    "dk.expected_tricks(deals, 'S', 'north')": ARRAY,
    "dk.evaluate(deals, 'hcp')": ARRAY,
    "dk.score('3NT', 9)": "int",
    "dk.score('3NT', np.arange(9))": ARRAY,
    "dk.imps(50)": "int",
    "dk.imps(np.arange(9))": ARRAY,
    "dk.matchpoints(50, 30)": "float",
    "dk.functions": "FunctionsTable",
    "dk.__version__": "str",
    "double": {"mypy": "def (deals: Deals, seat: int) -> int", "pyright": "(deals: Deals, seat: int) -> int"},
    "triple": {"mypy": "def (deals: Deals, seat: int) -> int", "pyright": "(deals: Deals, seat: int) -> int"},
}
MISTAKES = {  # with a part of each checker's message
    "dk.nothing": {"mypy": 'no attribute "nothing"', "pyright": '"nothing" is not a known attribute'},
    "dk.run('', 10)": {"mypy": "Too many positional", "pyright": "Expected 1 positional"},
    "dk.run('', level=0.9)": {"mypy": 'keyword argument "level"', "pyright": 'parameter named "level"'},
    "dk.run('', produce='many')": {"mypy": "incompatible type", "pyright": "cannot be assigned"},
    "dk.score('3NT', 9, True)": {"mypy": "No overload", "pyright": "No overloads"},
    "deals.wher('')": {"mypy": 'no attribute "wher"', "pyright": 'Cannot access attribute "wher"'},
    "result.probability.mean": {"mypy": 'no attribute "mean"', "pyright": 'Cannot access attribute "mean"'},
}
Checker = Callable[[Path], tuple[dict[int, str], dict[int, str]]]


def _run(*command: str, folder: Path) -> str:
    """Run a checker on the program in a folder, where the package is found as an installed one would be."""
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent)}
    done = subprocess.run(
        [*command, "program.py"],
        cwd=folder,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        timeout=300,
    )
    return done.stdout + done.stderr


def run_mypy(folder: Path) -> tuple[dict[int, str], dict[int, str]]:
    """Return the types and the errors that mypy reports, by line."""
    pytest.importorskip("mypy")
    # As in an installed package, mypy need not check the bodies of functions.
    (folder / "mypy.ini").write_text("[mypy]\n[mypy-dealerkit.*]\nignore_errors = True\n")
    options = ("--strict", "--config-file=mypy.ini", "--cache-dir", str(folder / "cache"))
    output = _run(sys.executable, "-m", "mypy", *options, folder=folder)
    types = re.findall(r'^program\.py:(\d+): note: Revealed type is "(.*)"$', output, re.M)
    errors = re.findall(r"^program\.py:(\d+): error: (.*)$", output, re.M)
    return _by_line(types), _by_line(errors)


def run_pyright(folder: Path) -> tuple[dict[int, str], dict[int, str]]:
    """Return the types and the errors that pyright reports, by line."""
    command = shutil.which("pyright", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    if command is None:
        pytest.skip("pyright is not installed")
    output = _run(command, "--pythonpath", sys.executable, folder=folder)
    if "0 errors" not in output and " errors, " not in output:
        pytest.skip(f"pyright does not run here: {output[-200:]}")
    types = re.findall(r'program\.py:(\d+):\d+ - information: Type of ".*" is "(.*)"$', output, re.M)
    errors = re.findall(r"program\.py:(\d+):\d+ - error: (.*)$", output, re.M)
    return _by_line(types), _by_line(errors)


def _by_line(found: list[tuple[str, str]]) -> dict[int, str]:
    """Return texts by line, with the names of types without their modules."""
    return {int(line): re.sub(r"\b(?:\w+\.)+(\w+)", r"\1", text) for line, text in found}


@pytest.mark.parametrize(
    ("name", "check"), [("mypy", run_mypy), pytest.param("pyright", run_pyright, marks=pytest.mark.slow)]
)
def test_a_type_checker_knows_the_public_interface(name: str, check: Checker, tmp_path: Path) -> None:
    first = PROGRAM.count("\n") + 1
    lines = [f"reveal_type({expression})" for expression in TYPES]
    (tmp_path / "program.py").write_text(PROGRAM + "\n".join([*lines, *MISTAKES]) + "\n")
    types, errors = check(tmp_path)
    for line, (expression, expected) in enumerate(TYPES.items(), first):
        if not isinstance(expected, str):
            expected = expected[name]
        if name == "mypy" and expected == "DataFrame" and types[line] == "Any":
            continue  # pandas has no types unless its stubs are installed
        assert types[line] == expected, expression
    for line, (expression, messages) in enumerate(MISTAKES.items(), first + len(TYPES)):
        assert messages[name] in errors.pop(line), expression
    assert errors == {}


def test_the_stub_has_the_names_of_the_package() -> None:
    tree = ast.parse((PACKAGE / "__init__.pyi").read_text(encoding="utf-8"))
    imported: dict[str, str] = {}
    declared = set()
    for statement in tree.body:
        if isinstance(statement, ast.ImportFrom):
            (alias,) = statement.names
            assert alias.asname == alias.name, "only a name imported as itself is exported by a stub"
            assert statement.module is not None
            imported[alias.name] = statement.module
        elif isinstance(statement, ast.AnnAssign):
            assert isinstance(statement.target, ast.Name)
            declared.add(statement.target.id)
        else:
            assert ast.unparse(statement) == "import dealerkit.compiler.functions_table"
    assert declared == {"__version__", "functions"}
    assert sorted([*imported, *declared]) == dk.__all__ == dir(dk)
    for name, module in imported.items():
        assert getattr(dk, name) is getattr(importlib.import_module(module), name)


def test_names_that_do_not_exist_are_refused() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        dk.nothing  # noqa: B018
