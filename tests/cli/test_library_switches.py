"""The command with files of solved deals: ``run --source`` and ``solve --check``."""

from __future__ import annotations

from pathlib import Path

import pytest

import dealerkit as dk

SCRIPT = (
    "condition hcp(north) > 15 and dds(north, spades) > 9\naction average dds(north, spades), printoneline"
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    dk.solved_sample()[:3000].write(tmp_path / "deals.zrd")
    return tmp_path / "deals.zrd"


@pytest.mark.parametrize("switch", ["--source", "--library", "-L"])
def test_run_takes_the_deals_of_a_file(command, switch: str, path: Path):
    done = command("run", "-v", "-p", 20, switch, path, text=SCRIPT)
    expected = dk.run(SCRIPT, source=dk.solved_sample()[:3000], produce=20, statistics=False)
    assert (done.returncode, done.stdout) == (0, expected.text)


def test_run_takes_a_block_in_v2(command, path: Path):
    done = command("run", "--dialect", "v2", "-v", "-L", path, "-s", 7, text="produce 3 action printoneline")
    lines = dk.solved_sample()[700:703].to_lines()
    assert done.returncode == 0 and [line.split() for line in done.stdout.splitlines()] == [
        x.split() for x in lines
    ]


def test_solve_checks_a_file(command, path: Path):
    done = command("solve", "--check", 3, path)
    assert done.returncode == 0
    assert (
        "3 deals solved again, 60 results: all equal" in done.stdout and "3,000 solved deals" in done.stdout
    )
    deals = dk.solved_sample()[:3000]
    tables = deals.tables.copy()
    tables[0, 4, 0] = 13 - tables[0, 4, 0]
    deals.replace(tables=tables).write(path)
    done = command("solve", "--check", 3, path)
    assert done.returncode == 2 and "1 of 60 results differ" in done.stderr and "Traceback" not in done.stderr
    assert command("solve", "--check", 3).returncode == 2
