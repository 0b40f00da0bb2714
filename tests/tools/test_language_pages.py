"""The pages about the language are those that the entries of the code give, with the values that programs print."""

from __future__ import annotations

import importlib.util
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "reference" / "language"
VALUE = re.compile(r"^(\w+\(.*\))  +(\S.*)$", re.MULTILINE)


@pytest.fixture(scope="module")
def program():
    spec = importlib.util.spec_from_file_location("language_pages", ROOT / "tools" / "language_pages.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def page():
    return (FOLDER / "functions.md").read_text(encoding="utf-8")


def test_the_page_has_the_functions_of_the_registry(program, page):
    values = dict(VALUE.findall(page))
    assert program.write_page("functions", program.write_functions(values)) == page
    assert program.draw_deal() in page


def test_values_of_the_page_are_those_that_dealer_prints(program, page, dealer_program):
    names = [function.name for function in program.registry.functions() if not function.hundredths]
    names = [name for name in names if program.find_name(name, "v1") == name != "rnd"]
    values = {call: value for call, value in VALUE.findall(page) if call.partition("(")[0] in names}
    assert len(values) > 30
    hands = [
        ",".join(f"{suit}{cards}" for suit, cards in zip("SHDC", hand.split("."), strict=True))
        for hand in program.DEAL.removeprefix("N:").split()
    ]
    seats = zip(("north", "east", "south", "west"), hands, strict=True)
    # dealer has no doubled contracts
    calls = [call.replace("4S,", "x4S,") for call in values if "4Sx" not in call]
    items = ", ".join(f"{call}, \\n" for call in calls)
    script = (
        "".join(f"predeal {seat} {hand}\n" for seat, hand in seats) + f"produce 1 action printes({items})"
    )
    run = subprocess.run([dealer_program, "-v"], input=script, capture_output=True, text=True, check=True)
    printed = dict(zip(calls, run.stdout.split(), strict=True))
    assert printed == {call: values[call.replace("x4S,", "4S,")] for call in calls}


@pytest.mark.slow
def test_all_values_of_the_page_are_those_of_the_functions(program, page):
    assert program.evaluate(program.list_calls()) == dict(VALUE.findall(page))
