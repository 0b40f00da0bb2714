"""The shared library: finding it, clear errors without it, one thread at a time, texts and structures."""

from __future__ import annotations

import ctypes
import signal
import subprocess
import sys
import threading
import time
import zipfile
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from dealerkit import ArgumentError, FileError, SolverError
from dealerkit.cli import main
from dealerkit.doubledummy import library, library_calls
from dealerkit.doubledummy.library import TEXTS

NO_TEXT = "Not a DDS error code"


def test_texts_are_those_of_the_library():
    buffer, texts = ctypes.create_string_buffer(80), {}
    for code in range(-400, 1):
        library.load_library().ErrorMessage(code, buffer)
        texts[code] = buffer.value.decode("ascii")
    assert {code: text for code, text in texts.items() if text != NO_TEXT} == TEXTS


def test_structures_have_the_sizes_of_the_header():
    # dll.h of DDS 2.9: 96 bytes a deal, 216 of futureTricks, 64 of ddTableDeal, 80 of ddTableResults.
    assert library.DEAL.itemsize == 96
    assert library.BOARDS.itemsize == 4 + 200 * (96 + 12)
    assert library.SOLVED.itemsize == 4 + 200 * 216
    assert library.DEALS.itemsize == 4 + 200 * 64
    assert library.TABLES.itemsize == 4 + 200 * 80


def test_endplay_and_pandas_are_not_imported():
    code = (
        "import sys, numpy as np\n"
        "from dealerkit.doubledummy.batches import solve_boards\n"
        "hands = np.array([[0x1FFF << 48, 0x1FFF << 32, 0x1FFF << 16, 0x1FFF]], dtype=np.uint64)\n"
        "assert solve_boards(hands, 0, 2)[0] == 13\n"
        "assert not {'endplay', 'pandas', 'matplotlib'} & set(sys.modules), sys.modules.keys()\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, stdin=subprocess.DEVNULL, timeout=120)


def test_the_environment_names_another_library(monkeypatch, tmp_path):
    real = library.library_path()
    monkeypatch.setenv("DEALERKIT_DDS", str(tmp_path / "libdds.so"))
    library.load_library.cache_clear()
    try:
        with pytest.raises(FileError, match="DEALERKIT_DDS"):
            library.load_library()
        (tmp_path / "libdds.so").write_bytes(b"no library")
        with pytest.raises(FileError, match="cannot be used"):
            library.load_library()
        monkeypatch.setenv("DEALERKIT_DDS", str(real))
        assert library.load_library()._name == str(real)
    finally:
        library.load_library.cache_clear()


def test_another_shared_library_is_refused(monkeypatch):
    import _ctypes

    monkeypatch.setenv("DEALERKIT_DDS", _ctypes.__file__)
    library.load_library.cache_clear()
    try:
        with pytest.raises(FileError, match="cannot be used as the solver library"):
            library.load_library()
    finally:
        library.load_library.cache_clear()


@pytest.fixture
def no_library(monkeypatch, tmp_path):
    """No library of endplay or installed before; returns the real one."""
    monkeypatch.delenv("DEALERKIT_DDS", raising=False)
    real = library.library_path()
    monkeypatch.setattr(library.importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(library, "installation_folder", lambda: tmp_path / "data")
    return real


@pytest.mark.parametrize(
    ("version", "command"),
    [((3, 13), "run 'pip install endplay'"), ((3, 14), "run 'dealerkit solve --install-solver'")],
)
def test_without_a_library_the_error_names_the_command(no_library, monkeypatch, version, command):
    monkeypatch.setattr(library.sys, "version_info", version)
    with pytest.raises(FileError, match=f"{command}, or set DEALERKIT_DDS"):
        library.library_path()


def test_the_library_of_a_wheel_is_installed(no_library, monkeypatch, tmp_path, capsys):
    def download(command, **_):
        assert command[1:4] == ["-m", "pip", "download"] and command[-1].startswith("endplay==")
        folder = Path(command[command.index("--dest") + 1])
        with zipfile.ZipFile(folder / "endplay-1-cp313-cp313-any.whl", "w") as wheel:
            wheel.write(no_library, f"endplay/_dds/{no_library.name}")
            wheel.writestr("endplay/_dds/__init__.py", "")
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(subprocess, "run", download)
    assert main(["solve", "--install-solver"]) == 0
    path = library.library_path()
    assert str(path) in capsys.readouterr().out and path.parent == tmp_path / "data"
    assert path.read_bytes() == no_library.read_bytes()
    assert ctypes.CDLL(str(path)).SolveAllBoardsBin


def test_a_failure_of_pip_is_reported(no_library, monkeypatch, capsys):
    failed = subprocess.CompletedProcess([], 1, "", "ERROR: No matching distribution found for endplay")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: failed)
    assert main(["solve", "--install-solver"]) == 2
    assert "No matching distribution found for endplay; build DDS 2.9" in capsys.readouterr().err


@pytest.mark.parametrize("count", [0, -1, 1.5, "two"])
def test_threads_are_whole_numbers(count):
    with pytest.raises(ArgumentError, match="threads"):
        library.set_threads(count)


def test_threads_are_set_by_default_or_by_call(monkeypatch):
    given = []

    class Fake:
        def SetResources(self, memory, threads):  # noqa: N802
            given.append(threads)

        def Anything(self, *arguments):  # noqa: N802
            return 1

    monkeypatch.setattr(library, "load_library", Fake)
    monkeypatch.setattr(library, "library_threads", 0)
    monkeypatch.setattr(library, "default_threads", 0)
    library.call("Anything")
    assert given == [library.n_processors()]
    assert library.set_threads(3) == 3
    library.call("Anything")
    library.call("Anything")
    assert given[1:] == [3]
    library.call("Anything", threads=1)
    assert given[2:] == [1]
    library.call("Anything")
    assert given[3:] == [3]
    assert library.set_threads() == library.n_processors()


def test_a_status_becomes_an_error(monkeypatch):
    class Fake:
        def SetResources(self, memory, threads):  # noqa: N802
            pass

        def SolveAllBoardsBin(self, *arguments):  # noqa: N802
            return -101

    monkeypatch.setattr(library, "load_library", Fake)
    monkeypatch.setattr(library, "library_threads", 0)
    with pytest.raises(SolverError, match="Too many boards") as caught:
        library.call("SolveAllBoardsBin")
    assert caught.value.code == -101 and isinstance(caught.value, ValueError)


def test_one_call_at_a_time(monkeypatch):
    inside, n_inside = [], []
    barrier = threading.Event()

    class Fake:
        def SetResources(self, memory, threads):  # noqa: N802
            pass

        def Anything(self, *arguments):  # noqa: N802
            inside.append(1)
            n_inside.append(len(inside))
            barrier.wait(0.02)  # time for other threads to enter
            inside.pop()
            return 1

    monkeypatch.setattr(library, "load_library", Fake)
    monkeypatch.setattr(library, "library_threads", 0)
    threads = [threading.Thread(target=library.call, args=("Anything",)) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert n_inside == [1] * 5


def test_holdings():
    hands = np.array([[1 << 60 | 1 << 48, 1 << 32, 0x1FFF << 16, 3]], dtype=np.uint64)
    expected = [[[0x4004, 0, 0, 0], [0, 4, 0, 0], [0, 0, 0x7FFC, 0], [0, 0, 0, 12]]]
    assert library.encode_holdings(hands).tolist() == expected


def test_an_interrupt_does_not_wait_for_the_library(monkeypatch):
    begun, ended = [], []

    class SlowLibrary:
        def SetResources(self, megabytes, threads):
            pass

        def SolveAllBoardsBin(self):
            begun.append(time.perf_counter())
            if len(begun) == 1:
                signal.raise_signal(signal.SIGINT)  # the main thread, which waits, receives it
            time.sleep(0.15)
            ended.append(time.perf_counter())
            return 1

    monkeypatch.setattr(library, "load_library", SlowLibrary)
    monkeypatch.setattr(library, "library_threads", 0)  # the real library keeps its number
    with pytest.raises(KeyboardInterrupt):
        library.call("SolveAllBoardsBin")
    assert begun and not ended
    library.call("SolveAllBoardsBin")
    assert begun[1] >= ended[0], "two threads in the library at once crash the process"


def test_slow_calls_are_followed_by_smaller_ones(monkeypatch):
    monkeypatch.setattr(library_calls, "_sizes", {})
    clock = [0.0]
    monkeypatch.setattr(library_calls, "time", SimpleNamespace(perf_counter=lambda: clock[0]))

    def list_sizes(seconds_per_board):
        sizes = []
        for part in library_calls.split_calls(np.zeros(200, np.int64), 24, 1, None):
            clock[0] += seconds_per_board * len(part)
            sizes.append(len(part))
        assert sum(sizes) == 200
        return sizes

    fast, slow = list_sizes(0.001), list_sizes(0.0625)
    assert fast[0] == library_calls.FIRST_PER_THREAD and max(fast) == 24
    assert slow[0] == 24 and slow[1:-1] == [11] * (len(slow) - 2)  # 0.7 seconds
    assert min(list_sizes(9)[1:-1]) == library_calls.MIN_PER_THREAD
