"""Studies and solving with a checkpoint: killed at any instant, the next start equals the unbroken call."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import dealerkit as dk
from dealerkit import FileError
from dealerkit.cli import main
from dealerkit.doubledummy.journal import Journal
from tests.support.platforms import needs_fork, needs_timers
from tests.support.stopped_saves import stop_after

pytestmark = pytest.mark.filterwarnings("ignore::dealerkit.errors.DealerkitWarning")

CALLS = {
    "dd_table": "dk.dd_table(dk.deal({n}, seed=1), 'SN', checkpoint=file)",
    "estimate": "dk.estimate('dds(south, spades) >= 10', given='spades(south) >= 5', precision={n}, seed=2, solved=None, "
    "checkpoint=file)",
    "contracts": "dk.contracts('hcp(north) + hcp(south) == 24', ['2NT', '3NT'], declarer='north', "
    "precision={n}, solved=None, checkpoint=file)",
    "lead": "dk.lead('KJ742.Q93.T85.J6', '3NT by south', given='hcp(south) >= 15', produce={n}, "
    "checkpoint=file)",
    "card": "dk.card('K54.AQ3.K52.AQ63', 'AQ2.K52.A873.T42', '3NT by south', 'HJ H2 H7', lead_rule='top of sequence', "
    "produce={n}, checkpoint=file)",
    "leads": "dk.leads(dk.deal({n}, seed=1), '3NT', 'south', measure='beats', checkpoint=file)",
    "compare": "dk.compare({{'slow': 'slow(north) + slow(south)', 'hcp': 'hcp', 'other': 'slow(north)'}}, sample=dk.solved_sample()[:{n}],"
    " checkpoint=file)",
}
PREPARE = """
import os, signal, sys, time, warnings
import numpy as np
import dealerkit as dk
from dealerkit.runtime import checkpoints
from dealerkit.doubledummy import bounds
warnings.simplefilter("ignore")
checkpoints.SAVE_SECONDS, checkpoints.SAVE_SHARE, bounds.WRITE_SECONDS = 0.0, 0.5, 0.0

def show(value):
    if hasattr(value, "tobytes"):
        return value.tobytes().hex()
    frame = value if hasattr(value, "iloc") else value.to_frame()
    return frame.drop(columns=["seconds"], errors="ignore").to_json(double_precision=15)
"""
# Each child is killed at another of the instants at which a file is written beside, renamed, or complete.
FORKED = """
from dealerkit.studies.estimate import two_phase
two_phase.CHUNK_NS = 1.0  # 16 deals
checkpoints.SAVE_SHARE = 1e9

def kill_at(n):
    count = [0]
    def wrap(function):
        def counted(*arguments):
            function(*arguments)
            count[0] += 1
            if count[0] == n:
                os.kill(os.getpid(), signal.SIGKILL)
        return counted
    os.fsync, os.replace = wrap(os.fsync), wrap(os.replace)

for name, call, instants in eval(sys.argv[2]):
    file = sys.argv[1] + name
    for n in instants:
        child = os.fork()
        if not child:
            kill_at(n)
            eval(call)
            os._exit(0)
        assert os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGKILL, (name, n)
    again, solve = show(eval(call)), None
    file = None
    assert again == show(eval(call)), name
print("equal")
"""


def run_python(*arguments: str) -> subprocess.Popen:
    """Start Python with a program and its arguments, without the store of solved deals."""
    environment = {**os.environ, "DEALERKIT_STORE": "off"}
    return subprocess.Popen(
        [sys.executable, "-c", *arguments], stdout=subprocess.PIPE, encoding="utf-8", env=environment
    )


@needs_fork
def test_killed_calls_continue(tmp_path: Path) -> None:
    calls = [
        ("dd_table", CALLS["dd_table"].format(n=2), (3,)),
        (
            "estimate",
            "dk.estimate('dds(north, spades) >= 8', deals=dk.deal(20, seed=1), method='plain', "
            "precision=0.01, checkpoint=file)",
            (1, 4),
        ),
    ]
    process = run_python(PREPARE + FORKED, f"{tmp_path}/", repr(calls))
    assert process.communicate()[0] == "equal\n"


class Stopped(Exception):
    """Raised in place of a kill."""


def test_the_time_before_counts_and_decisions_are_repeated(tmp_path: Path) -> None:
    file, values = tmp_path / "a.checkpoint", np.arange(3)
    with Journal(file, "test") as journal:
        journal.step(lambda: values)
        time.sleep(0.02)
        journal.step(lambda: values + 1)
        decisions = [journal.is_over(0.02), journal.is_over(60.0)]
    assert decisions == [True, False]
    with Journal(file, "test") as journal:
        assert journal.elapsed == 0
        assert [journal.is_over(limit) for limit in (60.0, 0.0)] == decisions  # those of the first start
        assert (journal.step(Stopped) == values).all() and (journal.step(Stopped) == values + 1).all()
        assert journal.is_over(0.02)


def test_a_limit_of_time_gives_the_same_result_again(tmp_path: Path) -> None:
    def estimate() -> str:
        result = dk.estimate(
            "cccc(north) + rnd(2)", given="hcp(north) == 12", precision=1e-5, max_seconds=0.05, seed=2,
            checkpoint=tmp_path / "a",
        )  # fmt: skip
        assert "was reached" in result.reason
        return result.to_frame().drop(columns="seconds").to_json()

    assert estimate() == estimate()


def test_an_interrupted_study_continues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    options = {"given": "hcp(north) == 12", "precision": 0.02, "seed": 2, "checkpoint": tmp_path / "a"}

    def interrupt(done: int, total: int) -> None:
        raise KeyboardInterrupt

    first = dk.estimate("cccc(north) + rnd(2)", progress=interrupt, **options)
    assert first.reason == "it was interrupted"
    again = dk.estimate("cccc(north) + rnd(2)", **options)
    unbroken = dk.estimate("cccc(north) + rnd(2)", **{**options, "checkpoint": None})
    assert again.n > first.n
    assert again.to_frame().drop(columns="seconds").equals(unbroken.to_frame().drop(columns="seconds"))


def test_files_of_other_calls_and_damaged_files_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.checkpoint"
    options = {"given": "hcp(north) == 12", "precision": 0.2, "seed": 2, "checkpoint": file}
    expected = dk.estimate("cccc(north)", **options).estimate
    content = file.read_bytes()
    for question, changed, reason in (
        (
            "cccc(south)",
            {},
            r"another call of dk.estimate, with question='cccc\(north\)' instead of 'cccc\(s",
        ),
        ("cccc(north)", {"seed": 3}, "seed=2 instead of 3"),
        ("cccc(north)", {"precision": 0.3}, "precision=0.2 instead of 0.3"),
        ("cccc(north)", {"given": "hcp(north) == 13"}, "with given="),
    ):
        with pytest.raises(FileError, match=f"a.checkpoint: this checkpoint belongs to .*{reason}"):
            dk.estimate(question, **{**options, **changed})
    with pytest.raises(FileError, match="belongs to dk.estimate, not to dk.dd_table; give another file"):
        dk.dd_table(dk.deal(1, seed=1), checkpoint=file)
    with pytest.raises(FileError, match="belongs to dk.estimate, not to dk.run"):
        dk.run("hcp(north) > 12", produce=1, checkpoint=file)
    assert file.read_bytes() == content
    rng = random.Random(7)
    for _ in range(12):
        damaged = bytearray(content)
        damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
        file.write_bytes(damaged)
        try:
            assert dk.estimate("cccc(north)", **options).estimate == expected
        except FileError as error:
            assert "a.checkpoint: this is not a checkpoint, or it is damaged" in str(error)
    with pytest.raises(FileError, match="no such folder"):
        dk.estimate("cccc(north)", **{**options, "checkpoint": tmp_path / "none" / "a"})
    file.write_bytes(content[:-30])
    with pytest.raises(FileError, match="this is not a checkpoint, or it is damaged"):
        dk.estimate("cccc(north)", **options)


def test_other_deals_with_equal_arguments_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.checkpoint"
    with Journal(file, "test") as journal:
        journal.step(lambda: np.arange(3), np.arange(2))
    with pytest.raises(FileError, match="from other deals, although the arguments are equal"):
        Journal(file, "test").step(lambda: np.arange(3), np.arange(4))


def test_attached_tables_are_not_those_of_the_solver(tmp_path: Path) -> None:
    deals = dk.solved_sample()[:5]
    assert (dk.dd_table(deals, checkpoint=tmp_path / "a") == deals.tables).all()
    with pytest.raises(FileError, match="with deals="):
        dk.dd_table(deals.replace(tables=None), checkpoint=tmp_path / "a")


def test_leads_and_measures_continue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from dealerkit.doubledummy import leads
    from dealerkit.studies.comparison.measures import Sides

    monkeypatch.setattr(leads, "JOURNAL_DEALS", 1)
    deals = dk.deal(3, seed=1)
    sample = dk.solved_sample()[:300]
    evaluated: list[str] = []
    find_values = Sides.find_values
    monkeypatch.setattr(
        Sides,
        "find_values",
        lambda self, name, *rest: evaluated.append(name) or find_values(self, name, *rest),
    )

    def compare(file: Path | None) -> object:
        return dk.compare(["hcp", "ltc", "zar"], sample=sample, checkpoint=file).frame

    for call in (lambda file: dk.leads(deals, "7NT", "south", measure="beats", checkpoint=file), compare):
        expected = call(None)
        with monkeypatch.context() as patch, pytest.raises(Stopped):
            stop_after(patch, 2, Stopped)
            call(tmp_path / "a")
        evaluated.clear()
        assert call(tmp_path / "a").equals(expected)
        (tmp_path / "a").unlink()
    assert evaluated == ["zar"]


VERBS = {
    "solve": ("dealerkit.doubledummy.tables.dd_table", ["FILE"]),
    "estimate": ("dealerkit.studies.estimate.estimate", ["cccc(north)"]),
    "contracts": ("dealerkit.studies.contracts.contracts", ["2NT", "--given", "1"]),
    "lead": ("dealerkit.studies.leads.lead", ["KJ742.Q93.T85.J6", "3NT by south"]),
    "compare": ("dealerkit.studies.comparison.compare", ["hcp"]),
}


@pytest.mark.parametrize("verb", VERBS)
def test_commands_take_a_checkpoint(verb: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    function, arguments = VERBS[verb]
    dk.deal(1, seed=1).write(tmp_path / "a.pbn")
    taken: dict = {}

    def take(*_: object, **options: object) -> None:
        taken.update(options)
        raise Stopped

    monkeypatch.setattr(function, take)
    with pytest.raises(Stopped):
        main([verb, *[str(tmp_path / "a.pbn") if each == "FILE" else each for each in arguments],
              "--checkpoint", "a.checkpoint"])  # fmt: skip
    assert taken["checkpoint"] == "a.checkpoint"


SLOW = """
@dk.function(name="slow", unit="points", replace=True)
def slow(deals, seat):
    end = time.process_time() + 0.3
    while time.process_time() < end:
        pass
    return (deals.hands[:, seat] % np.uint64(7)).astype(np.int64)
"""
SIZES = {
    "dd_table": 60,
    "estimate": 0.02,
    "contracts": 1.0,
    "lead": 200,
    "card": 200,
    "leads": 500,
    "compare": 30_000,
}


@pytest.mark.slow
@needs_timers
@pytest.mark.parametrize("name", SIZES)
def test_twenty_kills_at_random_instants(name: str, tmp_path: Path) -> None:
    # SIGPROF ends a process as SIGKILL does, and its timer does not depend on what else the machine does.
    program = "import signal, sys\nsignal.setitimer(signal.ITIMER_PROF, float(sys.argv[3]))\n" + PREPARE
    program += (SLOW if name == "compare" else "") + "file = sys.argv[1]\nprint(show(eval(sys.argv[2])))"
    call = CALLS[name].format(n=SIZES[name])

    def start(file: Path, seconds: float = 0.0) -> tuple[str, int]:
        process = run_python(program, str(file), call, str(seconds))
        return process.communicate()[0], process.returncode

    before = sum(os.times()[2:4])
    unbroken, _ = start(tmp_path / "unbroken")
    seconds, rng, n_killed, n_finished = sum(os.times()[2:4]) - before, random.Random(3), 0, 0
    file, sizes = tmp_path / "killed", []
    while n_killed < 20:
        text, code = start(file, 0.2 + rng.random() * max(seconds / 3, 1.2))
        if code == -signal.SIGPROF:
            n_killed += 1
            sizes.append(file.stat().st_size if file.exists() else 0)
        else:
            assert text == unbroken
            file.unlink()  # it came to its end between kills; begin again
            n_finished += 1
    assert start(file) == (unbroken, 0) and unbroken
    print(f"{name}: unbroken {seconds:.1f} s, 20 kills, {n_finished} calls ended between them; sizes {sizes}")
