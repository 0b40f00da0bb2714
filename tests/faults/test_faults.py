"""Full disks, folders that cannot be written, killed workers, clocks that jump, interrupts, threads."""

from __future__ import annotations

import ast
import os
import random
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import pytest

import dealerkit as dk

resource = pytest.importorskip("resource")
SCRIPT = 'condition hcp(north) >= 15 action average "points" hcp(south), frequency "f" (hcp(east), 0, 20), printoneline'


def run_python(code: str, *, limit: int | None = None, timeout: float = 120, **environment: str):
    """Run a program in a process whose files cannot grow beyond `limit` bytes."""

    def limit_files() -> None:
        if limit is not None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, encoding="utf-8", timeout=timeout,
        env=os.environ | environment, preexec_fn=limit_files,
    )  # fmt: skip


# ------------------------------------------------------------ disk full, read-only
WRITERS = {
    "pbn": "dk.deal(3000, seed=1).write(PATH + '.pbn')",
    "lin": "dk.deal(3000, seed=1).write(PATH + '.lin')",
    "csv": "dk.deal(3000, seed=1).write(PATH + '.csv')",
    "zrd": "dk.deal(3000, seed=1).write(PATH + '.zrd')",
    "parquet": "dk.deal(3000, seed=1).write(PATH + '.parquet')",
    "result": "dk.run('action average hcp(north)', produce=5000, seed=1, keep=5000).save(PATH + '.dkr')",
    "frame": "dk.run('action average \"x\" hcp(north)', produce=5000, seed=1, frame=PATH + '.csv')",
    "checkpoint": "dk.run('action average hcp(north)', produce=10**8, seed=1, checkpoint=PATH + '.checkpoint')",
    "page": "dk.deal(300, seed=1).page().write(PATH + '.html')",
    "csvrpt": "dk.run_script('action csvrpt(deal)', dk.RunOptions(produce=3000, seed=1, files={'csvrpt': PATH + '.csv'}))",
}  # fmt: skip
TRY_ALL = """
import os, sys
import dealerkit as dk
for name, code in {writers!r}.items():
    folder = {folder!r}
    PATH = os.path.join(folder, name)
    try:
        exec(code)
    except dk.FileError as error:
        print(name, "refused" if str(error).strip() else "no message")
    except BaseException as error:
        print(name, repr(error)[:300])
    else:
        print(name, "written")
"""


def try_writers(folder: Path | str, limit: int | None, writers: dict[str, str] = WRITERS) -> dict[str, str]:
    done = run_python(TRY_ALL.format(writers=writers, folder=str(folder)), limit=limit, DEALERKIT_STORE="off")
    assert done.returncode == 0, done.stderr
    return dict(line.split(" ", 1) for line in done.stdout.splitlines())


@pytest.mark.slow  # kernels that are not stored yet cannot be stored either
def test_a_full_disk_leaves_no_part_of_a_file_and_keeps_the_old_one(tmp_path):
    for name in ("pbn", "lin", "zrd"):
        (tmp_path / f"{name}.{name}").write_text("old")
    results = try_writers(tmp_path, 4096)
    assert results == dict.fromkeys(WRITERS, "refused")
    assert {path.name: path.read_text("utf-8") for path in tmp_path.iterdir()} == {
        f"{name}.{name}": "old" for name in ("pbn", "lin", "zrd")
    }


@pytest.mark.slow
def test_a_folder_that_cannot_be_written():
    # Nobody, root neither, can create files in /proc.
    if not Path("/proc/self").exists():
        pytest.skip("no /proc")
    assert try_writers("/proc/self", None) == dict.fromkeys(WRITERS, "refused")


@pytest.mark.slow
@pytest.mark.parametrize("store", ["/proc/self/store", "FULL"])
def test_a_store_that_cannot_be_written_changes_no_result(store, tmp_path):
    code = "import dealerkit as dk; print(dk.dd_table(dk.deal(2, seed=1), strains='N', threads=1).tolist())"
    plain = run_python(code, DEALERKIT_STORE="off")
    path = str(tmp_path / "store") if store == "FULL" else store
    done = run_python(code.replace("import d", "import warnings; warnings.simplefilter('ignore'); import d"),
                      limit=0 if store == "FULL" else None, DEALERKIT_STORE=path)  # fmt: skip
    assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr
    assert done.stdout == plain.stdout != ""


@pytest.mark.slow
def test_no_writable_cache(tmp_path):
    """No file can be written at all, and every warning is an error."""
    code = f"import dealerkit as dk; print(dk.run({SCRIPT!r}, produce=20, seed=1, statistics=False).text)"
    done = run_python(code, limit=0, DEALERKIT_STORE="off", HOME=str(tmp_path), XDG_CACHE_HOME=str(tmp_path),
                      PYTHONDONTWRITEBYTECODE="1")  # fmt: skip
    assert done.returncode == 0, done.stderr
    expected = dk.run(SCRIPT, produce=20, seed=1, statistics=False).text
    assert done.stdout.strip() == expected.strip()


@pytest.mark.slow
def test_without_compilation():
    code = (
        f"import dealerkit as dk; print(dk.run({SCRIPT!r}, produce=20, seed=1, statistics=False).text);"
        "print(dk.run('condition hcp(north) > 20', produce=2, seed=1, dialect='v1', stream='classic').text);"
        "print(dk.run('hcp(north) > 25 and spades(south) > 5', produce=3, seed=1, plan='conditional').deals.to_pbn())"
    )
    texts = [run_python(code, timeout=600, DEALERKIT_STORE="off", **environment)
             for environment in ({}, {"NUMBA_DISABLE_JIT": "1"})]  # fmt: skip
    assert [done.returncode for done in texts] == [0, 0], texts[1].stderr
    lines = [
        [line for line in done.stdout.splitlines() if not line.startswith("Time needed")] for done in texts
    ]
    assert lines[0] == lines[1]


# ------------------------------------------------------------ workers, clocks, threads
def end_process(*_) -> None:
    os._exit(9)


@pytest.mark.slow
def test_a_killed_worker_is_an_error_of_dealerkit():
    with ProcessPoolExecutor(1) as pool:
        pool.submit(end_process)
        with pytest.raises(dk.DealerkitError):
            dk.run("hcp(north) > 9 action average hcp(south)", produce=100_000, seed=1, executor=pool)


@pytest.mark.parametrize("jump", [-1e9, 1e9, "random"])
def test_a_clock_that_jumps_changes_nothing(jump, monkeypatch):
    expected = dk.run(SCRIPT, produce=3000, seed=1, statistics=False)
    now, rng = time.time, random.Random(1)
    monkeypatch.setattr(time, "time", lambda: now() + (rng.uniform(-1e9, 1e9) if jump == "random" else jump))
    result = dk.run(SCRIPT, produce=3000, seed=1, statistics=False, progress=False)
    assert result.text == expected.text and result.deals.equals(expected.deals)
    value = dk.probability("imps(90 * hcp(north) - 90 * hcp(south)) > rnd(9)", deals=10_000, seed=1)
    assert value.n == 10_000


def test_runs_in_threads_equal_runs_alone():
    def run(seed: int) -> str:
        return dk.run(SCRIPT, produce=300, seed=seed, statistics=False, threads=2).text

    alone = [run(seed) for seed in range(6)]
    with ThreadPoolExecutor(6) as threads:
        assert list(threads.map(run, range(6))) == alone


def test_a_run_in_a_thread_while_the_main_thread_is_interrupted():
    """As in a notebook: a run in the background goes on when a cell is interrupted."""
    texts: list[str] = []

    def run() -> None:
        texts.append(dk.run(SCRIPT, produce=20_000, seed=3, statistics=False).text)

    thread = threading.Thread(target=run)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
    thread.join()
    run()
    assert texts[0] == texts[1]


COMMANDS = {  # that would take hours
    "run": ["run", "--produce", "1000000000", "SCRIPT"],
    "run that solves": ["run", "--produce", "1000000", "SOLVES"],
    "solve": ["solve", "DEALS"],
    "estimate": ["estimate", "dds(north, spades)", "--precision", "0.001", "--max-seconds", "9999"],
    "lead": ["lead", "AKQ2.432.432.432", "3NT by south", "--precision", "0.001", "--max-seconds", "9999"],
    "contracts": ["contracts", "3NT by north", "1NT by north", "--given", "hcp(north) > 15", "--precision", "0.01",
                  "--max-seconds", "9999"],
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_interrupts_at_random_moments(command, tmp_path):
    """The command ends with 130 and no traceback, at whichever moment of its imports or its work."""
    (tmp_path / "SCRIPT").write_text("condition hcp(north) >= 15 action average hcp(south)\n")
    (tmp_path / "SOLVES").write_text("condition hcp(north) >= 15 action average dds(north, spades)\n")
    dk.deal(3000, seed=1).write(tmp_path / "DEALS", format="pbn")
    rng = random.Random(5)
    for _ in range(20 if command == "run" else 8):
        process = subprocess.Popen(
            [sys.executable, "-W", "ignore", "-m", "dealerkit", *COMMANDS[command]], cwd=tmp_path,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", env=os.environ | {"DEALERKIT_STORE": "off"},
        )  # fmt: skip
        time.sleep(rng.uniform(0.05, 4))
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        assert process.returncode in (130, -signal.SIGINT), errors
        assert "Traceback" not in errors, errors


CELLS = {
    "begin": f"""
import threading, warnings, dealerkit as dk
warnings.simplefilter("ignore")
results = {{}}
def run(seed):
    results[seed] = dk.run({SCRIPT!r}, produce=60_000, seed=seed, statistics=False).text
def solve():
    results["tables"] = dk.dd_table(dk.deal(8, seed=4), strains="N").tolist()
threads = [threading.Thread(target=run, args=(seed,)) for seed in (1, 2)] + [threading.Thread(target=solve)]
[thread.start() for thread in threads]
""",
    "long": "print('begun', flush=True)\ndk.estimate('dds(north, spades)', precision=1e-3, seed=1, max_seconds=9999, solved=None)",
    "end": "[thread.join() for thread in threads]\nprint(repr(results))",
}


@pytest.mark.slow
def test_threads_in_a_notebook(tmp_path):
    """Runs and solving in threads of a kernel, of which a cell that solves too is interrupted."""
    manager = pytest.importorskip("jupyter_client.manager")
    kernel, client = manager.start_new_kernel(cwd=str(tmp_path), env=os.environ | {"DEALERKIT_STORE": "off"})
    texts: list[str] = []

    def keep(message: dict) -> None:
        texts.append(message["content"].get("text", ""))
        if "begun" in texts[-1]:
            threading.Timer(2.0, kernel.interrupt_kernel).start()

    try:
        for cell in ("begin", "long", "end"):
            texts.clear()
            reply = client.execute_interactive(CELLS[cell], timeout=200, output_hook=keep)["content"]
            assert reply["status"] == "ok" or (cell, reply["ename"]) == ("long", "KeyboardInterrupt"), reply
        results = ast.literal_eval("".join(texts))
    finally:
        client.stop_channels()
        kernel.shutdown_kernel(now=True)
    alone = {seed: dk.run(SCRIPT, produce=60_000, seed=seed, statistics=False).text for seed in (1, 2)}
    assert results == alone | {"tables": dk.dd_table(dk.deal(8, seed=4), strains="N").tolist()}


@pytest.mark.slow
def test_two_versions_write_one_store(tmp_path):
    """Two processes of different versions solve the same and other deals, with one file of solved deals."""
    code = """
import sys, dealerkit
dealerkit.__version__ = sys.argv[1]
import dealerkit as dk
for seed in range(6):
    print(dk.dd_table(dk.deal(3, seed=seed), strains='N', threads=1).tolist())
"""
    environment = os.environ | {"DEALERKIT_STORE": str(tmp_path / "store")}
    expected = subprocess.run([sys.executable, "-c", code, "0.1.0"], capture_output=True, encoding="utf-8",
                              env=os.environ | {"DEALERKIT_STORE": "off"})  # fmt: skip
    for _ in range(2):
        running = [
            subprocess.Popen([sys.executable, "-c", code, version], env=environment, encoding="utf-8",
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            for version in ("0.1.0", "9.9.9")
        ]  # fmt: skip
        outputs = [process.communicate(timeout=300) for process in running]
        assert [output[0] for output in outputs] == [expected.stdout] * 2, outputs
