"""Some numbers of each family, and more in the slow set; `run.py` runs a million."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st

import dealerkit as dk
from tests.support import strategies
from tests.support.platforms import needs_timers

HERE = str(Path(__file__).parent)
sys.path.insert(0, HERE)
try:
    import checks
finally:
    sys.path.remove(HERE)


def find_faults(family: str, numbers: range) -> dict[int, str]:
    results = {number: checks.check(family, number) for number in numbers}
    assert checks.OK in results.values() or family in ("jumble", "damaged")
    return {number: text for number, text in results.items() if text not in (checks.OK, checks.REFUSED)}


@pytest.mark.parametrize("family", ["uniform", "classic", "damaged", "expressions", "damaged-files"])
def test_some_of_each_family(family):
    assert not find_faults(family, range(10**9, 10**9 + 6))


@pytest.mark.slow
@pytest.mark.parametrize("family", checks.FAMILIES)
def test_more_of_each_family(family):
    assert not find_faults(family, range(10**9, 10**9 + 2_000))


@pytest.mark.slow
def test_junk_in_every_argument_of_every_public_name(tmp_path):
    """In a process of its own: some 8,000 junk calls, each with a result, an error of dealerkit, or Python's own."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", Path(HERE) / "junk.py"],
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stdout[-5_000:] + done.stderr[-1_000:]
    assert "has a result" in done.stdout and "found" not in done.stdout


@needs_timers
def test_faults_are_found(monkeypatch):
    def loop(rng):
        while True:
            pass

    def give_up(rng):
        raise KeyError("x")

    monkeypatch.setattr(checks, "MAX_SECONDS", 0.05)
    monkeypatch.setattr(checks, "FAMILIES", {"loop": loop, "error": give_up})
    assert checks.check("loop", 1).startswith("no end after")
    assert checks.check("error", 1).startswith("KeyError")


@settings(max_examples=2, database=None)
@given(st.data(), st.sampled_from(checks.DIALECTS), st.sampled_from(checks.FORMATS))
def test_strategies(data, dialect, format):
    n_valid = 0
    for strategy in (strategies.scripts, strategies.damaged_scripts, strategies.conditions, strategies.calls):
        with contextlib.suppress(dk.ScriptError):
            dk.parse(data.draw(strategy(dialect)), dialect=dialect)
            n_valid += 1
    assert n_valid
    assert data.draw(strategies.files(format)) and data.draw(strategies.damaged_files(format)) is not None


@pytest.mark.slow
def test_a_failing_script_becomes_short():
    script = find(
        strategies.scripts(),
        lambda text: "hearts(west)" in text,
        settings=settings(database=None, max_examples=3000),
    )
    assert len(script.splitlines()) <= 4
