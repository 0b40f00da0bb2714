"""Deals, counts, reports and texts are what they were: every case has the hashes of ``fingerprints.json``.

A case that fails names the parts that differ. ``write.py`` says when the file may be written anew.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.no_cover  # hashes say that nothing changed, not that it is right

HERE = str(Path(__file__).parent)
sys.path.insert(0, HERE)
try:
    import cases
    import fingerprint
    import write
finally:
    sys.path.remove(HERE)

REMEDY = """\
If this is intended: raise the numbers that docs/contributing/releasing.md lists under "What a seed reproduces across
versions" (PLAN_VERSION and DEAL_VERSION if another plan is chosen), say so in CHANGELOG.md under "Changed numbers", and
run python tests/fingerprints/write.py; git diff then shows the cases that change."""

RECORDED = json.loads(write.FILE.read_text(encoding="utf-8"))
SAME_ARITHMETIC = RECORDED.pop(write.ARITHMETIC) == {"hash": fingerprint.arithmetic()}


def compared(part: str | None) -> str | None:
    """The hash by all bits; where the machine has another arithmetic, that of rounded reals."""
    return part if SAME_ARITHMETIC or part is None else part.split()[-1]


def check(name: str, found: dict[str, str]) -> None:
    expected = RECORDED[name]
    differ = [
        part for part in {**expected, **found} if compared(expected.get(part)) != compared(found.get(part))
    ]
    differences = "; ".join(
        f"{part}: recorded {expected.get(part)}, found {found.get(part)}" for part in differ
    )
    assert not differ, f"{name}: {differences}\n{REMEDY}"


def test_every_case_is_recorded() -> None:
    assert list(RECORDED) == [*cases.RUNS, *cases.VALUES, *cases.ALONE]


def test_reals_are_compared_by_all_their_bits() -> None:
    if not SAME_ARITHMETIC:
        pytest.skip(
            "this machine adds in another order than that of the file, or has other logarithms: reals are compared"
            " to nine digits, probabilities to twelve"
        )


@pytest.mark.parametrize("name", cases.RUNS)
def test_run(name: str) -> None:
    check(name, fingerprint.of_run(cases.RUNS[name]))


@pytest.mark.parametrize("name", cases.THREADED)
def test_two_threads_change_nothing(name: str) -> None:
    check(name, fingerprint.of_run({**cases.RUNS[name], "threads": 2}))


@pytest.mark.parametrize("name", cases.VALUES)
def test_value(name: str) -> None:
    check(name, fingerprint.of_value(cases.VALUES[name]))


def test_functions_of_ones_own() -> None:
    """In a process of their own: functions stay words of the language."""
    for name, found in write.from_a_process().items():
        check(name, found)
