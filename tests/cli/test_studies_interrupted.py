"""Studies on the command line after an interrupt: the result so far, and the status of an interrupt."""

from __future__ import annotations

import pytest

from dealerkit.singledummy import solution
from dealerkit.studies.contracts import sampler
from dealerkit.studies.contracts.outcomes import ContractQuestion
from dealerkit.studies.estimate import two_phase
from dealerkit.studies.estimate.question import Question


@pytest.mark.parametrize(
    ("owner", "method", "arguments"),
    [
        (Question, "value", ["estimate", "dds(south, spades) >= 14", "--max-solves", 9, "--method", "plain", "--solved", "none"]),
        (ContractQuestion, "solve", ["contracts", "2NT", "3NT", "--declarer", "north", "--given", "hcp(north) > 15", "--solved", "none"]),
    ],
)  # fmt: skip
def test_an_interrupt_prints_the_result_so_far(command, monkeypatch, owner, method, arguments):
    monkeypatch.setenv("DEALERKIT_STORE", "off")
    monkeypatch.setattr(two_phase, "CHUNK_NS", 1.0)  # a few deals at a time
    monkeypatch.setattr(sampler, "PILOT_DEALS", 2)
    compute, calls = getattr(owner, method), []

    def interrupted(*values, **options):
        calls.append(1)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return compute(*values, **options)

    monkeypatch.setattr(owner, method, interrupted)
    done = command(*arguments, "--precision", 0.01)
    assert done.returncode == 130
    assert "nded early: it was interrupted" in done.stdout
    assert "the study ended early: it was interrupted" in done.stderr


@pytest.mark.parametrize("line", [[], ["--line", "low to the queen"]])
def test_an_interrupted_search_for_lines_prints_bounds(command, monkeypatch, line):
    compute, calls = solution.list_outcomes, []

    def interrupted(*values):
        calls.append(1)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return compute(*values)

    monkeypatch.setattr(solution, "list_outcomes", interrupted)
    done = command("suit", "AQT98", "5432", "-t", "4", *line)
    assert done.returncode == 130
    assert line or "The search was interrupted; these are the lines found." in done.stdout


def test_folders_of_included_files(command, tmp_path):
    (tmp_path / "script").mkdir()
    (tmp_path / "script" / "Strong").write_text("strong = hcp(north) >= 20\n", encoding="utf-8")
    given = ["--given", '#include "script/Strong"\nstrong', "--include", tmp_path]
    done = command("estimate", "hcp(north)", *given)
    assert done.returncode == 0 and "21.1195     exact" in done.stdout
    for verb in (
        ["contracts", "2NT", "3NT", "--declarer", "north"],
        ["lead", "QJ752.K83.94.T62", "3NT by south"],
    ):
        done = command(*verb, *given, "--produce", 2)
        assert done.returncode == 0 and "2 deals" in done.stdout, done.stderr
