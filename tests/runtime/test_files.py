"""Writing of files: complete or not at all, by one writer at a time, and never through a planted link."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest

import dealerkit as dk
from dealerkit.runtime.files import replace_file, write_atomically
from dealerkit.runtime.temporary import open_folder
from tests.support.interrupts import Interruptible
from tests.support.platforms import (
    needs_descriptors,
    needs_limits,
    needs_links,
    needs_named_pipes,
    needs_permissions,
)

DEAL = "N:AKQJ.T98.5432.32 T98.AKQ.JT98.JT9 765.J765.AKQ.AKQ 432.432.76.87654"


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_closed_pipe_is_not_an_error_of_the_file(tmp_path: Path) -> None:
    with pytest.raises(BrokenPipeError), write_atomically(tmp_path / "a.csv"):
        raise BrokenPipeError
    assert not list(tmp_path.iterdir())
    files = ["--frame", "a.csv", "--csvrpt", "b.csv", "--html", "c.html"]
    command = [sys.executable, "-m", "dealerkit", "run", "-p", "20000", "-s", "1", *files]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path
    ) as process:
        assert process.stdin and process.stdout and process.stderr
        process.stdin.write(b"action printoneline, csvrpt(1)")
        process.stdin.close()
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b"" and process.wait() == 0
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError("disk"), ValueError, dk.FileError("other")])
def test_nothing_remains_of_an_incomplete_file(error: BaseException, tmp_path: Path) -> None:
    target = tmp_path / "a.txt"
    target.write_text("before")
    for write in (write_atomically, replace_file):
        with pytest.raises(BaseException) as info, write(target) as path:
            path.write_text("half")
            raise error
        assert isinstance(info.value, dk.FileError | KeyboardInterrupt | OSError | ValueError)
        assert target.read_text("utf-8") == "before" and os.listdir(tmp_path) == ["a.txt"]
    with write_atomically(target) as path:  # and it can be written again
        path.write_text("after")
    assert target.read_text("utf-8") == "after" and os.listdir(tmp_path) == ["a.txt"]


def test_errors_of_the_run_are_not_errors_of_its_files(tmp_path: Path) -> None:
    def write(text: str) -> None:
        raise OSError("the other output")

    files = {"csvrpt": tmp_path / "a.csv"}
    with pytest.raises(OSError, match=r"^the other output$"):
        dk.run_script(
            "action printoneline, csvrpt(1)",
            dk.RunOptions(produce=5, write=write, files=files, frame=tmp_path / "f.csv"),
        )
    assert not list(tmp_path.iterdir())


@needs_permissions
def test_mode(tmp_path: Path) -> None:
    target = tmp_path / "a.txt"
    for umask, expected in ((0o022, 0o644), (0o077, 0o600)):
        before = os.umask(umask)
        try:
            with write_atomically(target) as path:
                path.write_text("new")
                assert mode(path) == expected
        finally:
            os.umask(before)
        assert mode(target) == expected
        target.unlink()
    target.write_text("secret")
    for kept in (0o600, 0o640, 0o666):
        target.chmod(kept)
        dk.run_script("action csvrpt(1)", dk.RunOptions(produce=2, files={"csvrpt": target}))
        assert mode(target) == kept and target.read_text("utf-8").startswith("secret")


@needs_links
def test_links(tmp_path: Path) -> None:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    (folder / "real.csv").write_text("before")
    (folder / "real.csv").chmod(0o640)
    link, second = tmp_path / "link.csv", tmp_path / "second.csv"
    link.symlink_to("elsewhere/real.csv")
    second.symlink_to(link)
    dk.Deals.from_pbn(DEAL).write(second)
    assert second.is_symlink() and link.is_symlink() and os.readlink(link) == "elsewhere/real.csv"
    assert DEAL in (folder / "real.csv").read_text("utf-8") and mode(folder / "real.csv") == 0o640
    assert os.listdir(folder) == ["real.csv"]
    dangling = tmp_path / "dangling.csv"
    dangling.symlink_to(folder / "new.csv")
    dk.Deals.from_pbn(DEAL).write(dangling)
    assert dangling.is_symlink() and (folder / "new.csv").is_file()
    with write_atomically(link), pytest.raises(dk.FileError, match="being written"):
        dk.Deals.from_pbn(DEAL).write(folder / "real.csv")  # the same file by another name
    for name, other in (("a", "b"), ("b", "a")):
        (tmp_path / f"{name}.csv").symlink_to(tmp_path / f"{other}.csv")
    with pytest.raises(dk.FileError, match=r"a\.csv: Too many levels"):
        dk.Deals.from_pbn(DEAL).write(tmp_path / "a.csv")


@needs_links
def test_a_planted_link_is_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, victim = tmp_path / "open", tmp_path / "victim"
    folder.mkdir()
    victim.write_text("precious")
    # Names as they could be predicted, and the random name itself.
    monkeypatch.setattr(os, "urandom", lambda count: bytes(count))
    for name in (f".a.{os.getpid()}.csv", "a.csv.tmp", ".a.csv.tmp", "a.csv~", f".a.{'00' * 8}.csv"):
        (folder / name).symlink_to(victim)
    with pytest.raises(dk.FileError, match="exists"):
        dk.Deals.from_pbn(DEAL).write(folder / "a.csv")
    monkeypatch.undo()
    dk.Deals.from_pbn(DEAL).write(folder / "a.csv")
    assert victim.read_text("utf-8") == "precious" and DEAL in (folder / "a.csv").read_text("utf-8")
    with write_atomically(folder / "b.csv") as first:
        pass
    with write_atomically(folder / "b.csv") as second:
        assert first != second and second.parent == folder


def run_both(target: Path, **options) -> list[str]:
    """Run a script in two threads at once; return the messages of the errors."""
    barrier, errors = threading.Barrier(2), []

    def work(seed: int) -> None:
        barrier.wait()
        try:
            dk.run_script(
                "x = hcp(north) action csvrpt(deal, x)", dk.RunOptions(produce=3000, seed=seed, **options)
            )
        except dk.FileError as error:
            errors.append(str(error))

    threads = [threading.Thread(target=work, args=(seed,)) for seed in (1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return errors


def test_two_threads_and_one_file(tmp_path: Path) -> None:
    for name, options in (
        ("r.csv", {"files": {"csvrpt": tmp_path / "r.csv"}}),
        ("f.csv", {"frame": tmp_path / "f.csv"}),
        ("f.parquet", {"frame": tmp_path / "f.parquet"}),
    ):
        if name.endswith("parquet"):
            pytest.importorskip("pyarrow", reason="pyarrow is not installed (extra parquet)")
        written = []
        for seed in (1, 2):
            dk.run_script(
                "x = hcp(north) action csvrpt(deal, x)", dk.RunOptions(produce=3000, seed=seed, **options)
            )
            written.append((tmp_path / name).read_bytes())
            (tmp_path / name).unlink()
        errors = run_both(tmp_path / name, **options)
        assert all(f"{name}: this file is being written already" in error for error in errors)
        assert len(errors) <= 1
        content = (tmp_path / name).read_bytes()
        one_after_the_other = [*written, written[0] + written[1], written[1] + written[0]]  # csvrpt appends
        assert content in (written if errors or name != "r.csv" else one_after_the_other)
        assert os.listdir(tmp_path) == [name]
        (tmp_path / name).unlink()
    with pytest.raises(dk.FileError, match="being written already"), write_atomically(tmp_path / "x.csv"):
        dk.run_script("action csvrpt(1)", dk.RunOptions(produce=1, files={"csvrpt": f"w:{tmp_path}/./x.csv"}))
    frame = tmp_path / "same.csv"
    with pytest.raises(dk.FileError, match="being written already"):
        dk.run_script("action csvrpt(1)", dk.RunOptions(produce=1, files={"csvrpt": frame}, frame=frame))
    assert not list(tmp_path.iterdir())


HOLD = """
import sys, time
from dealerkit.runtime.files import write_atomically
with write_atomically(sys.argv[1]) as path:
    path.write_text("half")
    print("writing", flush=True)
    time.sleep(60)
"""


@pytest.mark.parametrize("start", [subprocess.Popen, Interruptible])
def test_two_processes_and_one_file(start: type[subprocess.Popen], tmp_path: Path) -> None:
    target = tmp_path / "a.csv"
    command = [sys.executable, "-c", HOLD, str(target)]
    with start(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8") as process:
        assert process.stdout and process.stdout.readline() == "writing\n"
        with pytest.raises(dk.FileError, match=r"a\.csv: this file is being written already"):
            dk.Deals.from_pbn(DEAL).write(target)
        dk.Deals.from_pbn(DEAL).write(tmp_path / "b.csv")  # another file is free
        is_interrupt = isinstance(process, Interruptible)
        process.interrupt() if is_interrupt else process.kill()
    assert len(os.listdir(tmp_path)) == (1 if is_interrupt else 2)
    dk.Deals.from_pbn(DEAL).write(target)  # the lock ended with its process
    assert sorted(os.listdir(tmp_path)) == ["a.csv", "b.csv"]  # and what it had written is removed


def test_temporary_files_of_others_remain(tmp_path: Path) -> None:
    begin = "x" * 30  # so that the names of the temporary files begin alike
    others = [
        tmp_path / f".{begin}.{'0' * 15}.csv",
        tmp_path / f".{begin}.mine.csv",
        tmp_path / f".{begin}.csv",
    ]
    for other in others:
        other.touch()
    with write_atomically(tmp_path / f"{begin}1.csv") as first, write_atomically(tmp_path / f"{begin}2.csv"):
        assert first.exists()
    assert all(other.exists() for other in others) and len(os.listdir(tmp_path)) == 5


def test_folders_of_killed_processes_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    hold = "import time\nfrom dealerkit.runtime.temporary import open_folder\nwith open_folder() as folder:\n"
    hold += "    (folder / 'a').touch()\n    print(folder, flush=True)\n    time.sleep(60)"
    with subprocess.Popen(
        [sys.executable, "-c", hold],
        stdout=subprocess.PIPE,
        env=os.environ | dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(tmp_path)),
    ) as process:
        assert process.stdout
        held = Path(process.stdout.readline().decode().strip())
        with open_folder():
            assert (held / "a").exists()
        process.kill()
    with open_folder() as folder:
        assert not held.exists() and folder.exists()
    assert not os.listdir(tmp_path)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows takes the folder of caches from no variable")
def test_without_locks_of_the_system_this_process_is_considered(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where the folder should be")
    code = """if 1:
        import sys
        from dealerkit.runtime import files
        assert files._open_lock_file() is None
        with files.write_atomically(sys.argv[1]) as path:
            path.write_text("complete")
            try:
                with files.write_atomically(sys.argv[1]):
                    raise SystemExit("written twice")
            except files.FileError as error:
                print(error)
    """
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache"), "HOME": str(tmp_path / "cache")}
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "a")],
        env=environment,
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 0 and "being written already" in done.stdout, done.stderr
    assert (tmp_path / "a").read_text("utf-8") == "complete"


@needs_named_pipes
@pytest.mark.parametrize("name", ["deals.csv", "deals.parquet", "report", "deals.pbn"])
def test_named_pipes(name: str, tmp_path: Path) -> None:
    if name.endswith("parquet"):
        pytest.importorskip("pyarrow", reason="pyarrow is not installed (extra parquet)")
    pipe = tmp_path / name
    os.mkfifo(pipe)
    received: list[bytes] = []
    reader = threading.Thread(target=lambda: received.append(pipe.read_bytes()), daemon=True)
    reader.start()
    if name == "report":
        dk.run_script("action csvrpt(deal)", dk.RunOptions(produce=3000, seed=1, files={"csvrpt": pipe}))
    elif name == "deals.pbn":
        dk.deal(3000, seed=1).write(pipe)
    else:
        dk.run("", produce=3000, seed=1, frame=pipe)
    reader.join(timeout=20)
    assert stat.S_ISFIFO(pipe.stat().st_mode) and os.listdir(tmp_path) == [name]
    (tmp_path / f"file{pipe.suffix}").write_bytes(received[0])
    if name == "report":
        assert received[0].count(b"\n") == 3000
    else:
        back = dk.read(tmp_path / f"file{pipe.suffix}").deals
        assert (back.hands == dk.run("", produce=3000, seed=1, keep=3000).deals.hands).all()


@needs_descriptors
def test_devices_and_standard_output(tmp_path: Path) -> None:
    code = "import dealerkit as dk; dk.run('', produce=3, seed=1, frame='f.csv')"
    command = [sys.executable, "-c", code]
    (tmp_path / "f.csv").symlink_to("/dev/stdout")
    piped = subprocess.run(command, capture_output=True, cwd=tmp_path)
    assert piped.stdout.count(b"N:") == 3 and piped.stdout.startswith(b"deal\n"), piped.stderr
    with open(tmp_path / "out.txt", "wb") as stream:
        subprocess.run(command, stdout=stream, cwd=tmp_path, check=True)
    assert (tmp_path / "out.txt").read_bytes() == piped.stdout
    assert sorted(os.listdir(tmp_path)) == ["f.csv", "out.txt"] and (tmp_path / "f.csv").is_symlink()
    for suffix in (".csv", ".pbn", ".lin", ".zrd", ".parquet"):
        with contextlib.suppress(ImportError):
            if suffix == ".parquet":
                import pyarrow  # noqa: F401
            link = tmp_path / f"null{suffix}"
            link.symlink_to("/dev/null")
            dk.solved_sample()[:10].write(link)
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


@needs_descriptors
@pytest.mark.parametrize("name", ["full.csv", "full.parquet", "full.zrd", "full.lin"])
def test_a_full_disk(name: str, tmp_path: Path) -> None:
    if not os.path.exists("/dev/full"):
        pytest.skip("the system has no /dev/full")
    if name.endswith("parquet"):
        pytest.importorskip("pyarrow", reason="pyarrow is not installed (extra parquet)")
    (tmp_path / name).symlink_to("/dev/full")
    with pytest.raises(dk.FileError, match=rf"{name}: .*No space left on device"):
        dk.solved_sample()[:1000].write(tmp_path / name)
    if name in ("full.csv", "full.parquet"):
        with pytest.raises(dk.FileError, match=rf"{name}: .*No space left on device"):
            dk.run("", produce=1000, frame=tmp_path / name)
        with pytest.raises(dk.FileError, match=rf"{name}: No space left on device"):
            dk.run_script("action csvrpt(1)", dk.RunOptions(produce=1000, files={"csvrpt": tmp_path / name}))


@needs_limits
def test_a_file_that_cannot_grow(tmp_path: Path) -> None:
    target = tmp_path / "a.csv"
    target.write_text("before")
    code = """if 1:
        import resource, sys
        import dealerkit as dk
        deals = dk.deal(5000, seed=1)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
        try:
            deals.write(sys.argv[1])
        except dk.FileError as error:
            print(error)
    """
    done = subprocess.run([sys.executable, "-c", code, target], capture_output=True, encoding="utf-8")
    assert done.stdout == f"{target}: File too large\n", done.stderr
    assert target.read_text("utf-8") == "before" and os.listdir(tmp_path) == ["a.csv"]


@contextlib.contextmanager
def without_privileges():
    """Take the rights of an ordinary user, if these are the superuser's."""
    if os.geteuid():
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@needs_permissions
def test_no_permission() -> None:
    folder = Path(tempfile.mkdtemp())
    try:
        (folder / "closed").mkdir()
        (folder / "mine.csv").write_text("before")
        (folder / "mine.csv").chmod(0o444)
        (folder / "closed").chmod(0o555)
        folder.chmod(0o755)
        with without_privileges():
            with pytest.raises(dk.FileError, match=r"mine\.csv: the file cannot be written"):
                dk.Deals.from_pbn(DEAL).write(folder / "mine.csv")
            with pytest.raises(
                dk.FileError, match=r"new\.csv: no file can be created in the folder .*closed"
            ):
                dk.Deals.from_pbn(DEAL).write(folder / "closed" / "new.csv")
        assert os.listdir(folder / "closed") == [] and (folder / "mine.csv").read_text("utf-8") == "before"
    finally:
        (folder / "closed").chmod(0o755)
        shutil.rmtree(folder)


def test_names_that_are_no_files(tmp_path: Path) -> None:
    (tmp_path / "folder.csv").mkdir()
    for name, message in (
        ("folder.csv", "this is a folder"),
        ("missing/a.csv", "No such file"),
        ("\0.csv", "null"),
        ("a" * 300 + ".csv", "too long|No such file"),  # the reason of Linux, and that of Windows
    ):
        for write in (
            lambda path: dk.Deals.from_pbn(DEAL).write(path),
            lambda path: dk.run("", produce=1, frame=path),
            lambda path: dk.run_script("action csvrpt(1)", dk.RunOptions(produce=1, files={"csvrpt": path})),
        ):
            with pytest.raises(dk.FileError, match=message):
                write(tmp_path / name)
    assert os.listdir(tmp_path) == ["folder.csv"]
    # 244 bytes, whatever the encoding of names: the temporary name must not be longer.
    long = tmp_path / (os.fsdecode("ä".encode() * 120) + ".csv")
    dk.Deals.from_pbn(DEAL).write(long)
    assert os.listdir(tmp_path / "folder.csv") == [] and long.is_file()


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="names of files are UTF-8 in every locale")
def test_names_that_the_locale_does_not_have(tmp_path: Path) -> None:
    code = "import dealerkit as dk, sys\nsys.stdout.reconfigure(encoding='utf-8')\n" + (
        "try:\n    dk.deal(1, seed=1).write('M\\xfcller.csv')\nexcept dk.FileError as error:\n    print(error)\n"
    )
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    command = [sys.executable, "-c", code]
    done = subprocess.run(
        command, cwd=tmp_path, env=os.environ | plain, capture_output=True, encoding="utf-8", check=True
    )
    assert done.stdout.startswith("Müller.csv: file names cannot contain 'ü' in this locale (")
    assert "choose another name" in done.stdout and os.listdir(tmp_path) == []


@needs_named_pipes
def test_pipes_that_nobody_writes_to_are_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dealerkit.runtime.files.PIPE_SECONDS", 0.1)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for call in (dk.run, dk.check, dk.parse):
        with pytest.raises(dk.FileError, match="nothing is written to this pipe"):
            call(pipe)
    for read in (dk.load, dk.read, lambda path: dk.run("1", produce=1, checkpoint=path)):
        with pytest.raises(dk.FileError, match="this is a pipe, not a file"):
            read(pipe)


@needs_descriptors
def test_devices_without_an_end_are_not_read() -> None:
    device = Path("/dev/zero")
    for read in (dk.load, dk.read, lambda path: dk.run("1", produce=1, checkpoint=path)):
        with pytest.raises(dk.FileError, match="this is a device, not a file"):
            read(device)
    for call in (dk.run, dk.check, dk.parse):
        with pytest.raises(dk.DealerkitError):
            call(device)


@needs_named_pipes
def test_scripts_are_read_from_pipes(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for call in (lambda path: dk.run(path, produce=3, seed=1).produced, lambda path: len(dk.check(path))):
        thread = threading.Thread(target=pipe.write_text, args=("condition hcp(north) > 3",))
        thread.start()
        assert call(pipe) in (0, 3)
        thread.join()
