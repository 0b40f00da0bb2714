"""Scripts of strangers: their own process, its limits, no files; the results are those of other runs."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

import dealerkit as dk
from dealerkit.cli import main
from dealerkit.runtime import confined
from dealerkit.runtime.compiled.stored_code import find_folder
from dealerkit.runtime.confined import Confinement

SCRIPT = "condition hcp(north) >= 15 action average hcp(south), printoneline, print(east)"
TIME = dk.RunLimits(seconds=600)  # where kernels are compiled, on a busy machine
LIMITS = dk.RunLimits(seconds=600, memory=1e9, output=2000)
posix_only = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limits of a process")


def test_the_result_is_that_of_another_run() -> None:
    expected = dk.run(SCRIPT, produce=20, seed=1, statistics=False)
    result = dk.run(SCRIPT, produce=20, seed=1, statistics=False, untrusted=True, limits=TIME)
    assert result.text == expected.text and result.deals.equals(expected.deals)
    assert result.reports[0].mean == expected.reports[0].mean


def test_functions_of_tables_and_of_shapes_are_known_to_the_other_process() -> None:
    script = "condition losers(north) < 7 and balanced(south) action average ltc(west), average cccc(east)"
    expected = dk.run(script, produce=20, seed=1, statistics=False)
    assert (
        dk.run(script, produce=20, seed=1, statistics=False, untrusted=True, limits=TIME).text
        == expected.text
    )


def test_a_fault_in_the_other_process_is_no_limit() -> None:
    with Confinement("time", seconds=600, memory=1e9) as process:
        with pytest.raises(RuntimeError, match="TypeError: "):
            process.call("gmtime", "noon")
        assert process.call("sleep", 0) is None  # in the same process


@pytest.mark.skipif(find_folder() is None, reason="numba stores the kernels")
def test_kernels_are_compiled_before_the_time_of_a_script_begins(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A limit shorter than the first compilation would otherwise stop each run, before anything is stored."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("DEALERKIT_KERNELS", "local")  # without the code of the package
    with Confinement("dealerkit.simulation.run", seconds=600, memory=1e9) as process:
        process.start()
        stored = {path.name.rpartition("-")[0] for path in (tmp_path / "dealerkit").iterdir()}
        assert any("deal_cards" in name or "sample" in name for name in stored)


def test_texts_and_warnings_reach_the_caller() -> None:
    boards: list[str] = []
    rest: list[str] = []
    options = dk.RunOptions(
        produce=5, seed=1, statistics=False, untrusted=True, limits=TIME,
        write=boards.append, write_rest=rest.append,
    )  # fmt: skip
    with pytest.warns(dk.MistakeWarning, match="is always true"):
        result = dk.run_script("condition hcp(north) < 99 action printoneline, average hcp(south)", options)
    assert result.text == "" and len("".join(boards).splitlines()) == 5 and "Average" in "".join(rest)


def test_the_limits_of_a_run_hold() -> None:
    with pytest.warns(dk.TruncatedRun, match="2,000 characters"):
        result = dk.run(SCRIPT, produce=10**6, seed=1, untrusted=True, limits=LIMITS)
    assert len(result.text) == 2000


def test_a_call_that_does_not_end_is_killed() -> None:
    with Confinement("time", seconds=0.5, memory=1e9) as process:
        with pytest.raises(dk.TimeLimitError, match="limit of 500 ms"):
            process.call("sleep", 3600)
        assert process.call("sleep", 0) is None  # in a new process


@posix_only
def test_a_call_ends_in_time_without_its_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    """A timer of the system ends it; here the caller, busy or stopped, would kill it after minutes only."""
    monkeypatch.setattr(confined, "KILL_SHARE", 2000)
    began = time.monotonic()
    with Confinement("time", seconds=0.5, memory=1e9) as process, pytest.raises(dk.TimeLimitError):
        process.call("sleep", 3600)
    assert time.monotonic() - began < 500


def test_a_process_that_dies_is_an_error() -> None:
    with Confinement("os", seconds=60, memory=1e9) as process, pytest.raises(dk.MemoryLimitError):
        process.call("_exit", 3)


@posix_only
def test_the_process_has_limits_of_the_system(tmp_path: Path) -> None:
    with Confinement("builtins", seconds=600, memory=1e8) as process:
        assert len(process.call("bytes", 20_000_000)) == 20_000_000
        if sys.platform == "linux":
            with pytest.raises(dk.MemoryLimitError, match="more than 100 MB"):
                process.call("bytes", 130_000_000)
    with Confinement("resource", seconds=7, memory=1e8) as process:
        import resource

        assert process.call("getrlimit", resource.RLIMIT_CORE) == (0, 0)
        assert process.call("getrlimit", resource.RLIMIT_FSIZE)[1] <= 1 << 30
        assert process.call("getrlimit", resource.RLIMIT_CPU)[0] < 60 + 8 * (os.cpu_count() or 1)


@pytest.mark.parametrize("call", [dk.run, dk.check])
def test_nothing_is_included_and_no_file_is_named(
    call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bids").write_text("strong = hcp(north) > 20")
    (tmp_path / "study").write_text('#include "bids"\nstrong')
    messages = []
    for script in (Path("study"), '#include "bids"\nstrong', b'#include "bids"\nstrong', "bids"):
        try:
            messages.append(str(call(script, untrusted=True)))
        except dk.ScriptError as error:
            messages.append(str(error))
    assert all("a script that is not trusted cannot include files" in message for message in messages[:3])
    assert "unknown variable 'bids'" in messages[3] and "name of a file" not in messages[3]
    assert len(dk.parse(Path("study")).statements) == 2


@pytest.mark.parametrize(
    "option",
    [{"frame": "a.csv"}, {"checkpoint": "a"}, {"executor": "local"}, {"include": ["."]}, {"source": "all"}],
    ids=str,
)
def test_options_that_use_files_or_other_processes_are_refused(option: dict) -> None:
    with pytest.raises(
        dk.ArgumentError, match=f"{next(iter(option))}= cannot be combined with untrusted=True"
    ):
        dk.run("1", produce=1, untrusted=True, **option)


def test_a_parsed_script_is_refused() -> None:
    for call in (dk.run, dk.check):
        with pytest.raises(dk.ArgumentError, match="a text or a file"):
            call(dk.parse("1"), untrusted=True)
    with pytest.raises(dk.ArgumentError, match="leave out include="):
        dk.check("1", untrusted=True, include=["."])


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.dealer"
    file.write_text(SCRIPT)
    assert main(["run", str(file), "--untrusted", "-p", "3", "-s", "1", "--max-seconds", "600"]) == 0
    trusted = capsys.readouterr()
    assert main(["run", str(file), "-p", "3", "-s", "1"]) == 0
    again = capsys.readouterr()
    assert trusted.out == again.out and trusted.err.rpartition(";")[0] == again.err.rpartition(";")[0]
    file.write_text('#include "b"')
    assert main(["check", str(file), "--untrusted"]) == 1
    assert "cannot include files" in capsys.readouterr().out
    assert main(["run", str(file), "--untrusted", "--include", str(tmp_path)]) == 2
    assert "leave out --with" in capsys.readouterr().err
