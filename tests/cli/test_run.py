"""The verbs run and deal, executed as a user does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

import dealerkit as dk
from dealerkit.cli import FAILED, main
from dealerkit.runtime.checkpoints import read_seed
from dealerkit.simulation.checkpoint import Checkpoint
from dealerkit.simulation.collector import Collector
from tests.support.interrupts import Interruptible
from tests.support.platforms import needs_named_pipes

Command = Callable[..., subprocess.CompletedProcess[str]]
SCRIPTS = sorted((Path(__file__).parents[2] / "data" / "scripts").glob("*.dealer"))


def test_there_are_scripts() -> None:
    assert len(SCRIPTS) >= 8


@pytest.mark.parametrize("script", SCRIPTS, ids=[path.stem for path in SCRIPTS])
def test_scripts_of_the_repository_run(command: Command, script: Path) -> None:
    done = command("run", script, "-s", "1", "-p", "20", "-g", "300000")
    warning = "dealerkit: no condition: the script accepts every deal\n" if script.stem == "bids" else ""
    assert done.returncode == 0 and done.stderr == warning and "seed 1" in done.stdout


def test_the_command_prints_the_text_of_run(command: Command) -> None:
    text = 'condition hcp(north) > 15 action average "south" hcp(south)'
    done = command("run", "-s", "3", "-p", "500", "-v", text=text)
    assert done.stdout == dk.run(text, produce=500, seed=3, statistics=False).text


def test_a_mistake_gives_exit_status_2_and_its_place(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "x.dealer"
    path.write_text("a = 3\ncondition hcp(nrth) > a\n")
    done = command("run", path)
    assert (done.returncode, done.stdout) == (2, "")
    lines = done.stderr.splitlines()
    assert lines[0].startswith(f"{path}:2:15: ") and "north" in lines[0]
    assert lines[1] == "  condition hcp(nrth) > a" and lines[2] == "  " + " " * 14 + "^"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("predeal north SAKQ, SAK action", "line"),
        ("predeal north SA east SA action", "ace of spades|SA|twice"),
        ("predeal north SAKQJT98765432,HA action", "13"),
        ("predeal spades(north)==7 spades(south)==7 action", "13|14"),
        ("predeal spades(north)==0 spades(east)==0 spades(south)==0 spades(west)==0 action", "13|spades"),
        ("condition shape(north, 5544)", "18"),
        ("condition shape(north, 99xx)", "18|13"),
        ('action printes("x', "quote|unterminated|end"),
        ("/* never ends", "comment"),
        ("condition hcp(north) > 3 / 0", "zero"),
        ("condition zar > 3", "'zar' is a function; write `zar("),
        ("action export(deal)", "seat|side"),
        ("condition frobnicate > 3", "frobnicate"),
    ],
)
def test_scripts_with_mistakes_are_refused(command: Command, text: str, words: str) -> None:
    done = command("run", "-s", "1", text=text)
    assert done.returncode == 2 and done.stdout == ""
    assert any(word in done.stderr for word in words.split("|")) or words == "line"
    assert "Traceback" not in done.stderr


def test_frame_page_and_plots_are_written(command: Command, tmp_path: Path) -> None:
    text = 'a = hcp(north) action average "a" a, frequency (controls(south), 0, 12)'
    done = command(
        "run", "-s", "1", "-p", "50", "--frame", tmp_path / "f.csv", "--html", tmp_path / "h.html", "--plot", tmp_path / "p", text=text
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    rows = (tmp_path / "f.csv").read_text("utf-8").splitlines()
    assert rows[0].startswith("deal,a,") and len(rows) == 51 and rows[1].startswith("N:")
    assert "Average of a" in (tmp_path / "h.html").read_text("utf-8")
    assert [path.name for path in sorted((tmp_path / "p").iterdir())] == ["01.png", "02.png"]
    done = command("run", "-s", "1", "-p", "50", "--frame", tmp_path / "f.parquet", text=text)
    import pandas as pd

    dk.DealArray  # noqa: B018 - loads the column type
    assert (pd.read_parquet(tmp_path / "f.parquet")["a"] == pd.read_csv(tmp_path / "f.csv")["a"]).all()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["f.csv", "f.parquet", "h.html", "p"]
    assert command("run", "--frame", tmp_path / "f.txt", text="action").returncode == 2
    done = command("run", "-p", "1", "--html", tmp_path / "no" / "h.html", text="action average 1")
    assert done.returncode == 2 and "h.html" in done.stderr


def test_script_variables_and_swapping(command: Command) -> None:
    done = command(
        "run",
        "-s",
        "1",
        "-p",
        "5",
        "-0",
        "20",
        "-v",
        text="condition hcp(north) >= $0 action printes(hcp(north), \\n)",
    )
    assert all(int(line) >= 20 for line in done.stdout.split())
    done = command("run", "--dialect", "v1", "-s", "1", "-p", "6", "-3", "-v", text="action printoneline")
    assert len({line.split()[1] for line in done.stdout.splitlines()}) == 1
    assert command("run", "--dialect", "v1", "-5", "x", text="action").returncode == 2


def test_the_verb_deal(command: Command) -> None:
    done = command("deal", "3", "-s", "1", "--format", "deal", "--north", "SAKQ,H5")
    deals = dk.Deals.from_pbn(done.stdout.split("\n")[:3])
    assert len(deals) == 3 and deals.eval(
        "hascard(north, AS) + hascard(north, QS) + hascard(north, 5H)"
    ).tolist() == [3, 3, 3]
    done = command("deal", "2", "--given", "hcp(south) > 20", "--format", "line")
    assert (dk.Deals.from_lines(done.stdout.splitlines()).eval("hcp(south)") > 20).all()
    assert "♠" in command("deal").stdout
    done = command("deal", "--north", "SAA")
    assert done.returncode == 2 and "SA is predealt twice" in done.stderr


def test_a_closed_pipe_ends_the_command_without_message() -> None:
    words = [sys.executable, "-m", "dealerkit", "deal", "200000", "-s", "1", "--format", "line"]
    first = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert first.stdout is not None and first.stderr is not None
    first.stdout.readline()
    first.stdout.close()
    assert first.wait(30) == 0 and first.stderr.read() == b""


def test_an_interrupt_prints_reports_and_exits_with_130() -> None:
    words = [sys.executable, "-m", "dealerkit", "run", "-s", "1", "-g", "1000000000000", "-m"]
    script = "action average hcp(north)"
    run = Interruptible(words, script, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert run.stderr is not None and run.stderr.read(1)  # the progress of the run, which has begun
    time.sleep(2)
    run.interrupt()
    run.wait(30)
    assert run.stdout is not None and "Average of hcp(north)" in run.stdout.read()
    assert run.returncode == 130


def test_version_needs_no_numpy() -> None:
    code = "import sys, dealerkit.cli\ntry: dealerkit.cli.main(['--version'])\nexcept SystemExit: print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout.split() == ["dealerkit", dk.__version__, "False"]


# What most runs do not need; the start would take longer with it.
NOT_FOR_A_PLAIN_RUN = [
    "pandas", "matplotlib", "scipy", "numba", "numpy.random",
    "sqlite3", "dealerkit.doubledummy.lookup", "dealerkit.doubledummy.store",
    "dealerkit.formats", "mmap", "html", "dealerkit.cards.html", "dealerkit.evaluators.opc.optimal_points",
    "csv", "difflib", "secrets", "dealerkit.advice.explain", "dealerkit.advice.check", "dealerkit.translate", "dealerkit.studies",
    "dealerkit.charts", "dealerkit.doubledummy.trick_model", "dealerkit.doubledummy.leads",
    "dealerkit.studies.lines", "dealerkit.statistics.two_phase", "tqdm",
]  # fmt: skip


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux starts without numba")
def test_a_plain_run_does_not_import_what_it_does_not_need(tmp_path: Path) -> None:
    script = tmp_path / "plain.dealer"
    script.write_text(
        "condition hcp(north) >= 15 && shape(south, any 4333) action printoneline, average hcp(south)"
    )
    # Fewer boards: quantiles of Student's t by scipy.
    code = (
        "import sys, dealerkit.cli; dealerkit.cli.main(['run', '-p', '100', '-s', '1', sys.argv[1]]);"
        "print(*sys.modules, sep=',')"
    )
    environment = {**os.environ, "DEALERKIT_KERNELS": ""}
    for _ in range(2):  # the first may have to compile
        done = subprocess.run(
            [sys.executable, "-c", code, str(script)],
            capture_output=True, encoding="utf-8", check=True, env=environment,
        )  # fmt: skip
    modules = set(done.stdout.splitlines()[-1].split(","))
    assert "dealerkit.simulation.run" in modules and not modules.intersection(NOT_FOR_A_PLAIN_RUN)


def test_a_frame_without_deals_has_its_columns(command: Command, tmp_path: Path) -> None:
    for name in ("f.csv", "f.parquet"):
        done = command("run", "-p", "0", "--frame", tmp_path / name, text="a = hcp(north) action average a")
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "f.csv").read_text("utf-8") == "deal,a\n"
    import pandas as pd

    assert list(pd.read_parquet(tmp_path / "f.parquet").columns) == ["deal", "a"]


def test_outputs_that_are_folders(command: Command, tmp_path: Path) -> None:
    (tmp_path / "folder.csv").mkdir()
    done = command("run", "-p", "3", "--frame", tmp_path / "folder.csv", text="action")
    assert done.returncode == 2 and "folder" in done.stderr and "Traceback" not in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["folder.csv"]


@needs_named_pipes
def test_outputs_that_are_pipes(command: Command, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE, encoding="utf-8")
    done = command("run", "-p", "3", "--html", pipe, text="action average 1")
    assert done.returncode == 0 and "Average of <code>1</code>" in reader.communicate(timeout=20)[0]
    assert pipe.is_fifo()


def test_standard_input_is_decoded_like_a_file(command: Command, tmp_path: Path) -> None:
    script = 'action average "für" hcp(north)'.encode("latin-1")
    (tmp_path / "x").write_bytes(script)
    words = ("run", "-s", "1", "-p", "10", "-v")
    piped, from_file = command(*words, text=script), command(*words, tmp_path / "x")
    assert piped.returncode == from_file.returncode == 0 and piped.stdout == from_file.stdout
    large = command(*words, text=b"#" * 300_000)
    assert large.returncode == 2 and "larger than" in large.stderr


def test_standard_output_that_is_closed_or_full() -> None:
    words = f"{sys.executable} -m dealerkit run -s 1 -p 5"
    closed = subprocess.run(
        f"echo action average 1 | {words} >&-", shell=True, capture_output=True, encoding="utf-8", check=False
    )
    assert (closed.returncode, closed.stderr) == (0, "")
    if Path("/dev/full").is_char_device():
        full = subprocess.run(
            f"echo action | {words} >/dev/full",
            shell=True,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert full.returncode == 2 and "No space" in full.stderr and "Traceback" not in full.stderr


@pytest.mark.parametrize("switch", ["--html", "--plot"])
def test_an_output_that_cannot_be_written_stops_the_command_before_the_run(
    switch: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script, file = tmp_path / "a.dl", tmp_path / "file"
    script.write_text("action printoneline")
    file.touch()
    assert main(["run", str(script), "-p", "1", switch, str(file / "a.html")]) == FAILED
    printed = capsys.readouterr()
    assert printed.out == "" and str(file) in printed.err


def test_the_confidence_level_of_the_intervals_is_an_argument(tmp_path, capsys):
    script = tmp_path / "points.dealer"
    script.write_text('action average "points" hcp(north)')
    assert main(["run", str(script), "-p", "100", "-s", "1", "--confidence", "0.5"]) == 0
    assert "50 % interval" in capsys.readouterr().out
    assert main(["run", str(script), "-p", "100", "-s", "1", "--confidence", "95"]) == FAILED
    assert "confidence is 95" in capsys.readouterr().err


@pytest.mark.parametrize(("sides", "tag"), [("ns", "NS"), ("ALL", "All"), ("2", "EW")])
def test_the_vulnerability_of_the_deals_is_an_argument(sides, tag, tmp_path, capsys):
    script = tmp_path / "deals.dealer"
    script.write_text("vulnerable none action printpbn")
    assert main(["run", str(script), "-p", "3", "-s", "1", "--vulnerable", sides]) == 0
    assert capsys.readouterr().out.count(f'[Vulnerable "{tag}"]') == 3


def test_a_checkpoint_continues_a_run_that_was_killed(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, text = tmp_path / "long.checkpoint", "hcp(north) > 15 action printoneline, average hcp(south)"
    arguments = ("run", "-p", "3000", "-v", "--checkpoint", file)
    save, saved = Checkpoint.save, []

    def save_and_stop(self: Checkpoint, collector: Collector) -> None:
        save(self, collector)
        saved.append(0)
        if len(saved) == 2:
            raise SystemExit(9)

    with monkeypatch.context() as patch:
        patch.setattr(Checkpoint, "save_sometimes", save_and_stop)
        assert command(*arguments, text=text).returncode == 9
    whole = dk.run(text, produce=3000, seed=read_seed(file), statistics=False)
    with zipfile.ZipFile(file) as archive:
        assert 0 < json.loads(archive.read("checkpoint.json"))["state"]["produced"] < whole.produced
    for _ in range(2):  # the second is complete already
        done = command(*arguments, text=text)
        assert (done.returncode, done.stdout + done.stderr) == (0, whole.text)


def test_a_checkpoint_does_not_replace_the_script(command: Command, tmp_path: Path) -> None:
    script = tmp_path / "x.dealer"
    script.write_text("action average 1")
    done = command("run", script, "--checkpoint", script)
    assert (
        done.returncode == 2
        and "--checkpoint" in done.stderr
        and script.read_text("utf-8") == "action average 1"
    )


@pytest.mark.parametrize("text", ["0", "-1", "nan", "inf", "much"])
def test_a_limit_of_memory_is_a_number_of_megabytes(command: Command, text: str) -> None:
    done = command("run", f"--max-memory={text}", text="produce 1")
    assert done.returncode == 2 and f"{text!r}; give a number of megabytes above 0" in done.stderr


def test_a_run_within_its_limit_of_memory_is_whole(command: Command) -> None:
    done = command("run", "-s", 1, "--max-memory", 1e6, text="produce 2 action printoneline")
    assert done.returncode == 0 and len(done.stdout.splitlines()) >= 2


def test_json_has_the_numbers_of_the_reports_in_place_of_the_text(command: Command, tmp_path: Path) -> None:
    text = "condition hcp(north) > 15 action average hcp(south), printoneline"
    script = tmp_path / "x.dealer"
    script.write_text(text)
    done = command("run", "--json", script, "-s", 1, "-p", 50)
    shown, result = json.loads(done.stdout), dk.run(text, produce=50, seed=1)
    assert (done.returncode, shown["produced"], shown["generated"]) == (0, 50, result.generated)
    assert shown["probability"] == result.probability.to_dict() and shown["seeds"] == [1]
    (report,) = shown["reports"]
    assert report["tables"][0]["rows"][0]["mean"] == result.reports[0].mean.to_dict()


@pytest.mark.parametrize("verb", ["run", "check", "explain"])
def test_standard_input_that_is_closed_is_an_error(
    verb: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", None)  # as Python has it for `<&-`
    assert main([verb, "-"]) == 2
    assert capsys.readouterr().err == "standard input is closed; give the name of a file\n"
