"""The pages about functions and actions are those that the code gives, with what dealer prints, too."""

from __future__ import annotations

import importlib.util
import re
import subprocess
from pathlib import Path

import pytest

from dealerkit.language.signatures import load_all_actions

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "reference" / "language"
VALUE = re.compile(r"^(\w+\(.*\))  +(\S.*)$", re.MULTILINE)
BLOCKS = re.compile(
    r"```dealer\naction (.*)\n```(?:\n\nIn `\w+`:\n\n```text\n[^`]*```)*\n\nIn `v1`:\n\n```text\n([^`]*)```"
)


@pytest.fixture(scope="module")
def program():
    spec = importlib.util.spec_from_file_location("language_pages", ROOT / "tools" / "language_pages.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def functions():
    return (FOLDER / "functions.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def actions():
    return (FOLDER / "actions.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def run_dealer(program, dealer_program):
    """Return the text that dealer prints of an action on the deal of the pages."""
    hands = zip(("north", "east", "south", "west"), program.DEAL.removeprefix("N:").split(), strict=True)
    suits = {seat: zip("SHDC", hand.split("."), strict=True) for seat, hand in hands}
    predeal = "".join(f"predeal {seat} {','.join(map(''.join, suits[seat]))}\n" for seat in suits)

    def run(action: str) -> str:
        return subprocess.run(
            [dealer_program, "-v", "-s", "1"],
            input=f"{predeal} produce 1 action {action}",
            capture_output=True,
            encoding="utf-8",
        ).stdout

    return run


def test_the_page_has_the_functions_of_the_registry(program, functions):
    values = dict(VALUE.findall(functions))
    assert program.write_page("functions", program.write_functions(values)) == functions
    assert program.draw_deal() in functions


def test_the_page_has_the_actions_of_the_table(actions):
    missing = [name for name in load_all_actions() if f"\n### {name}\n" not in actions]
    assert not missing, "python tools/language_pages.py writes their entries"


def test_values_of_the_page_are_those_that_dealer_prints(program, functions, run_dealer):
    names = [function.name for function in program.registry.functions() if not function.hundredths]
    names = [name for name in names if program.find_name(name, "v1") == name != "rnd"]
    values = {call: value for call, value in VALUE.findall(functions) if call.partition("(")[0] in names}
    assert len(values) > 30
    # dealer has no doubled contracts
    calls = [call.replace("4S,", "x4S,") for call in values if "4Sx" not in call]
    text = run_dealer(f"printes({', '.join(f'{call}, {chr(92)}n' for call in calls)})")
    printed = dict(zip(calls, text.split(), strict=True))
    assert printed == {call: values[call.replace("x4S,", "4S,")] for call in calls}


def test_deals_are_printed_as_dealer_prints_them(actions, run_dealer):
    shown = BLOCKS.findall(actions[: actions.index("## Statistics")])
    assert [action.partition("(")[0] for action, _ in shown] == ["print", "printall", "printew", "printpbn"]
    for action, expected in shown:
        text = run_dealer(action).partition("Generated")[0].replace("\f", "").strip()
        text = re.sub(r"\d{4}\.\d\d\.\d\d", "2026.01.01", text)
        assert [line.rstrip() for line in text.splitlines()] == expected.strip().splitlines()


def test_values_of_v1_are_those_of_dealer(program, run_dealer):
    page = (FOLDER / "dialects.md").read_text(encoding="utf-8")
    for expression in program.EXPRESSIONS:
        if "{" not in expression:  # for which dealer needs another program
            text = run_dealer(f"printes({expression})") or "error"
            assert f"| `{expression}` | {text} |" in page


@pytest.mark.slow
@pytest.mark.parametrize("name", ["actions", "dialects", "mistakes"])
def test_the_page_is_what_scripts_print(program, name):
    page = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    assert program.write_page(name, getattr(program, f"write_{name}")()) == page


@pytest.mark.slow
def test_all_values_of_the_page_are_those_of_the_functions(program, functions):
    assert program.evaluate(program.list_calls()) == dict(VALUE.findall(functions))
