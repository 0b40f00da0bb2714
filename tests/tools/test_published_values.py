"""docs/reference/published-values.md: verdicts by hand, the figures that are cheap on the page, all figures if slow tests run."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path

import pytest

from dealerkit import Estimate

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reference" / "published-values.md"
CHEAP = "E3 E6 E8 E9 E10 E12 E13 H1 H2 H3 H4 H5 H6 H7 H8 H9 H10".split()


@pytest.fixture(scope="module")
def program():
    sys.path.insert(0, str(ROOT / "tools"))
    spec = importlib.util.spec_from_file_location("published_values", ROOT / "tools" / "published_values.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module
    sys.path.remove(str(ROOT / "tools"))
    for name in [name for name in sys.modules if name.partition(".")[0] == "published"]:
        del sys.modules[name]


def test_cheap_figures_are_those_of_the_page(program):
    page = PAGE.read_text(encoding="utf-8")
    items = [item for item in program.read_items() if item.id in CHEAP]
    assert len(items) == len(CHEAP)
    for item in items:
        assert program.render_item(item, program.COMPUTE[item.id](item)) in page


def test_the_page_has_every_item_and_counts_its_verdicts(program):
    page = PAGE.read_text(encoding="utf-8")
    items = program.read_items()
    assert re.findall(r"^### (\w+):", page, re.MULTILINE) == [item.id for item in items]
    assert {item.id for item in items} == set(program.COMPUTE)
    published = re.findall(r"^\| [^|]+ \| ([^|]+) \| [^|]+ \| (agrees|\*\*differs)", page, re.MULTILINE)
    assert [text for text, _ in published] == [text for item in items for text in item.published.values()]
    total, same = map(int, re.search(r"Of (\d+) figures (\d+) agree", page).groups())
    assert (total, same) == (len(published), sum(verdict == "agrees" for _, verdict in published))


@pytest.mark.parametrize(
    ("text", "ours", "deals", "expected"),
    [
        ("8.03 %", Estimate.exactly(0.0803499), None, True),  # rounds to it
        ("8.03 %", Estimate.exactly(0.0803501), None, False),
        ("50 %", Estimate.exactly(0.5), 100, True),
        ("61 %", Estimate.exactly(0.5), 100, False),  # 9.8 from the sample of 100, 0.5 from rounding
        ("60 %", Estimate.exactly(0.5), 100, True),
        ("2.0", Estimate(1.5, 0.1, 1.304, 1.696, 100), None, False),
        ("1.7", Estimate(1.5, 0.1, 1.304, 1.696, 100), None, True),
        ("2.0", Estimate(1.5, 0.1, 1.304, 1.696, 100), 10, True),  # its standard error is 0.1 √10
        ("-0.05", Estimate(0.10, 0.01, 0.08, 0.12, 100), None, False),
        ("< 50 %", Estimate(0.45, 0.01, 0.43, 0.47, 100), None, True),
        ("> 50 %", Estimate(0.51, 0.01, 0.49, 0.53, 100), None, False),
        ("1 to 1.25", Estimate(1.3, 0.1, 1.1, 1.5, 100), None, True),
        ("1 to 1.25", Estimate(1.3, 0.01, 1.28, 1.32, 100), None, False),
    ],
)
def test_verdicts(program, text, ours, deals, expected):
    assert program.judge(program_item(program, text, deals), {"figure": ours}) == {"figure": expected}


def program_item(program, text, deals):
    item = program.read_items()[0]
    return type(item)("X", "title", "rule", "source", {"figure": text}, deals)


def test_a_difference_needs_a_reason(program):
    with pytest.raises(ValueError, match="X differs without a reason: figure: 61 % and 50.0 %"):
        program.render_item(program_item(program, "61 %", None), {"figure": Estimate.exactly(0.5)})


def test_a_small_published_sample_may_differ_by_chance(program):
    ours = Estimate(1.5, 0.1, 1.304, 1.696, 100)
    section = program.render_item(
        type(program.read_items()[0])("X", "", "", "", {"figure": "2.0"}, why={"figure": "no reason"}),
        {"figure": ours},
    )
    # 0.45 beyond the rounding is sqrt(0.196² + (0.196 sqrt(100 / n))²) for n = 23.4
    assert "differs**: no reason. This could be chance in a sample of fewer than 23 such deals |" in section


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::dealerkit.DoubleDummyBias")
def test_the_page_is_that_of_the_program(program):
    lines, found = PAGE.read_text(encoding="utf-8").splitlines(), program.build_page().splitlines()
    assert len(lines) == len(found)
    number = re.compile(r"(?<![\w.])\d+\.\d+")
    for line, other in zip(lines, found, strict=True):
        assert number.sub("#", line) == number.sub("#", other)
        for first, second in zip(number.findall(line), number.findall(other), strict=True):
            # Sums of another order, as another number of threads has them, may change the last digit.
            assert abs(float(first) - float(second)) < 1.1 * 10.0 ** -len(first.partition(".")[2]), line
