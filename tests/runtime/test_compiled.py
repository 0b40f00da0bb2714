"""Machine code of kernels: stored, loaded without numba, compiled again where it is out of date or damaged."""

from __future__ import annotations

import concurrent.futures
import importlib
import importlib.util
import os
import pickle
import pkgutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

import dealerkit
from dealerkit.errors import CacheWarning
from dealerkit.runtime.compiled import Kernel, kernel, numba_functions, stored_code
from dealerkit.runtime.compiled.definitions import Unsupported, digest_code
from dealerkit.runtime.ownership import is_own_folder
from tests.support.platforms import needs_permissions, needs_stored_code

SOURCE = """
from dealerkit.runtime.compiled import kernel

FACTOR = 2

@kernel
def multiply(value):
    return value * FACTOR

@kernel
def multiply_all(values):
    for i in range(values.size):
        values[i] = multiply(values[i])
"""


@pytest.fixture(params=[pytest.param("stored", marks=needs_stored_code), "numba"])
def way(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """How kernels are called; their code is in `tmp_path`."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "code"))
    monkeypatch.setattr("numba.core.config.CACHE_DIR", str(tmp_path / "code"))
    monkeypatch.setenv("DEALERKIT_KERNELS", "numba" if request.param == "numba" else "")
    for function in (stored_code.find_folder, stored_code.describe_installation):
        function.cache_clear()
    yield request.param
    for function in (stored_code.find_folder, stored_code.describe_installation):
        function.cache_clear()


def run_kernel(folder: Path, source: str = SOURCE) -> tuple[list[int], int]:
    """Return what a kernel makes of 0 to 3 in a new process, and whether that process imported numba."""
    (folder / "multiplying.py").write_text(source)
    path = [str(folder), *(path or os.getcwd() for path in sys.path)]
    code = (  # some installations on Windows ignore PYTHONPATH
        f"import sys; sys.path[:] = {path}; import numpy as np, multiplying; values = np.arange(4);"
        "multiplying.multiply_all(values); print(*values.tolist(), 'numba' in sys.modules)"
    )
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    run = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, encoding="utf-8", check=True
    )
    *values, imported = run.stdout.split()
    return [int(value) for value in values], imported == "True"


def list_stored(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


@pytest.mark.slow
@needs_stored_code
def test_the_second_start_does_not_import_numba(way: str, tmp_path: Path) -> None:
    assert run_kernel(tmp_path) == ([0, 2, 4, 6], True)
    files = {path: path.stat().st_mtime_ns for path in list_stored(tmp_path / "code")}
    assert run_kernel(tmp_path) == ([0, 2, 4, 6], way == "numba")
    assert files == {path: path.stat().st_mtime_ns for path in list_stored(tmp_path / "code")}


@pytest.mark.slow
@pytest.mark.parametrize(
    "change",
    [("FACTOR = 2", "FACTOR = 3"), ("value * FACTOR", "value * (FACTOR + 1)")],
    ids=["value", "callee"],
)
def test_a_change_of_what_a_kernel_refers_to_is_noticed(way: str, tmp_path: Path, change: tuple) -> None:
    assert run_kernel(tmp_path)[0] == [0, 2, 4, 6]
    source = SOURCE.replace(*change)
    stamp = (tmp_path / "multiplying.py").stat()
    assert run_kernel(tmp_path, source)[0] == [0, 3, 6, 9]
    if way == "stored":
        assert len(list_stored(tmp_path / "code")) == 1  # the code of the former kernel is deleted
    (tmp_path / "multiplying.py").write_text(SOURCE)
    os.utime(tmp_path / "multiplying.py", ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    assert run_kernel(tmp_path)[0] == [0, 2, 4, 6]


DAMAGES = {
    "empty": lambda content: b"",
    "nonsense": lambda content: b"nonsense",
    "half": lambda content: content[: len(content) // 2],
    "one bit": lambda content: content[:-9] + bytes([content[-9] ^ 1]) + content[-8:],
}


@pytest.mark.slow
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_replaced(way: str, tmp_path: Path, damage: str) -> None:
    run_kernel(tmp_path)
    for path in list_stored(tmp_path / "code"):
        if way == "numba" and damage == "one bit":
            continue  # numba has no checksum
        path.write_bytes(DAMAGES[damage](path.read_bytes()))
    assert run_kernel(tmp_path)[0] == [0, 2, 4, 6]
    assert run_kernel(tmp_path) == ([0, 2, 4, 6], way == "numba")


@pytest.mark.slow
@needs_permissions
@needs_stored_code
def test_code_that_others_may_write_is_not_executed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "code"))
    monkeypatch.setenv("DEALERKIT_KERNELS", "")
    run_kernel(tmp_path)
    (tmp_path / "code" / "dealerkit").chmod(0o777)
    assert run_kernel(tmp_path) == ([0, 2, 4, 6], True)


class _Hostile:
    """A pickle that creates a folder when it is read."""

    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __reduce__(self) -> tuple:
        return os.makedirs, (str(self.marker), 0o777, True)


@needs_permissions
@pytest.mark.parametrize(
    ("place", "kernels"),
    [
        ("folder", ""),
        *(
            pytest.param(place, "numba", marks=pytest.mark.slow)
            for place in ("folder", "folder above", "file", "none")
        ),
    ],
)
def test_pickles_that_others_may_have_written_are_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str, kernels: str
) -> None:
    shared = tmp_path / "shared"
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(shared))
    monkeypatch.setenv("DEALERKIT_KERNELS", "numba")
    run_kernel(tmp_path)
    (index,) = shared.rglob("*multiply_all*.nbi")
    index.write_bytes(pickle.dumps(_Hostile(tmp_path / "executed")))
    open_path = {"folder": index.parent, "folder above": shared, "file": index, "none": tmp_path}[place]
    open_path.chmod(0o666 if place == "file" else 0o700 if place == "none" else 0o777)
    if place != "none" and not kernels:  # another user made the folder of dealerkit's own files, too
        (shared / "dealerkit").mkdir(exist_ok=True)
        (shared / "dealerkit").chmod(0o777)
    monkeypatch.setenv("DEALERKIT_KERNELS", kernels)
    assert run_kernel(tmp_path)[0] == [0, 2, 4, 6]
    assert (tmp_path / "executed").exists() == (place == "none" and kernels == "numba")  # the attack works


def load(folder: Path, source: str, name: str) -> Any:
    """Return a kernel from the text of a function, as in a new process."""
    path = folder / f"{name}_module.py"
    path.write_text(f"import numpy as np\n{source}")
    spec = importlib.util.spec_from_file_location(f"{name}_module", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return kernel(getattr(module, name))


CASES = [
    ("def f(a): return a + 1", [(3,), (-(1 << 62),), (np.uint64(1 << 63),), (2.5,), (np.int64(-7),), (True,)]),
    ("def f(a, b): return a / b", [(1.0, 3.0), (np.float64(2), 7), (5, 2)]),
    ("def f(a):\n    a[0] = 7", [(np.zeros(3),), (np.zeros(3, np.int8),), (np.zeros((2, 2), order="F"),)]),
    ("def f(a): return a.sum()", [(np.arange(12).reshape(3, 4),), (np.arange(12)[::-3],), (np.arange(6) > 2,)]),
    ("def f(a): return a[1, 0] * a.shape[1]", [(np.arange(12.0).reshape(3, 4).T,), (np.ones((2, 3), "f4"),)]),
    ("def f(t): return t[0][0] + t[1][1]", [((np.arange(3), (4, np.uint64(5))),), ((np.ones(2), (1, 2.5)),)]),
    ("def f(a): return a, a + 1", [(3,), (2.5,), (np.uint64(9),)]),
    ("def f(a): return a, 0.5", [(3,)]),  # a tuple of different types
    ("def f(a): return np.zeros(a)", [(3,)]),  # needs numba's memory
    ("def f(a): return a > 2", [(3,), (1.0,)]),
    ("def f(a): return a['x'][0]", [(np.array([(3, 1.5)], [("x", "i4"), ("y", "f8")]),)]),
    ("def f(a): return a[0]", [([5, 6],), ((5, 6),), (np.array([1 + 2j]),)]),
    ("def f(a): return a", [(None,), ((1 << 63),), (np.float32(1.5),)]),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*reflected list")
@pytest.mark.parametrize(("source", "calls"), CASES, ids=[source for source, _ in CASES])
def test_values_of_all_types_are_those_of_numba(way: str, tmp_path: Path, source: str, calls: list) -> None:
    compiled = load(tmp_path, source, "f")
    for _ in range(2):
        for arguments in calls:
            copies, expected_copies = pickle.loads(pickle.dumps((arguments, arguments)))
            np.testing.assert_equal(compiled(*copies), numba.njit(compiled.function)(*expected_copies))
            np.testing.assert_equal(copies, expected_copies)
        compiled = load(tmp_path, source, "f")


@needs_stored_code
def test_stored_code_is_called_and_damaged_code_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored_code, "find_folder", lambda: tmp_path / "code")
    (tmp_path / "code").mkdir()
    source = "def f(a, b): return a[0] // b"
    compiled = []
    compile_once = stored_code.compile_code
    monkeypatch.setattr(
        stored_code, "compile_code", lambda *rest: compiled.append(rest) or compile_once(*rest)
    )
    assert load(tmp_path, source, "f")(np.array([7]), 2) == 3 and len(compiled) == 1
    again = load(tmp_path, source, "f")
    assert again(np.array([9]), 2) == 4 and again(np.array([-9]), 2) == -5 and len(compiled) == 1
    with pytest.raises(ZeroDivisionError):
        again(np.array([7]), 0)
    (stored,) = (tmp_path / "code").iterdir()
    content = stored.read_bytes()
    assert len(content) > 500 and (os.name == "nt" or stored.stat().st_mode & 0o077 == 0)
    for number, damage in enumerate(DAMAGES.values(), 2):
        stored.write_bytes(damage(content))
        assert load(tmp_path, source, "f")(np.array([9]), 2) == 4 and len(compiled) == number
        assert stored.read_bytes() == content
    assert load(tmp_path, source.replace("//", "*"), "f")(np.array([9]), 2) == 18
    assert not stored.exists() and len(list((tmp_path / "code").iterdir())) == 1


CONSTANTS = """
import numpy as np, types
inner = types.ModuleType("inner")
inner.FACTOR, FACTOR, LARGE, STRIDED = 2, 2, np.arange(200_000), np.arange(20)[::2]
"""


@pytest.mark.slow
@needs_stored_code
@pytest.mark.filterwarnings("ignore:Cannot cache compiled function")
@pytest.mark.parametrize("value", ["LARGE[a]", "STRIDED[a]", "np.zeros(a)[0]", "np.argsort(LARGE[:a])[0]"])
def test_code_that_needs_this_process_is_not_stored(way: str, tmp_path: Path, value: str) -> None:
    compiled = load(tmp_path, f"{CONSTANTS}def f(a): return {value}", "f")
    assert compiled(2) == numba.njit(compiled.function)(2)
    if way == "stored":  # a checksum alone: numba calls the function
        (path,) = (tmp_path / "code" / "dealerkit").iterdir()
        assert path.stat().st_size == 32


@pytest.mark.slow
@needs_stored_code
def test_errors_are_those_of_numba(way: str, tmp_path: Path) -> None:
    compiled = load(tmp_path, "def f(a):\n    if a > 1: raise KeyError('a')\n    return a", "f")
    assert compiled(1) == 1
    with pytest.raises(KeyError, match="a"):
        compiled(2)


def test_digests_differ_for_different_values_of_names() -> None:
    def digest(text: str, change: str = "") -> str:
        names: dict[str, Any] = {"kernel": kernel, "__name__": "m"}
        exec(f"{CONSTANTS}{text}\n{change}", names)
        return digest_code(names["f"])

    callee = "@kernel\ndef g(a): return a * FACTOR\nf = g\n"
    text = f"{callee}@kernel\ndef f(a): return g(a) + inner.FACTOR + STRIDED[0]"
    changes = ["", "inner.FACTOR = 3", "FACTOR = 3", "FACTOR = 2.0", "FACTOR = True", "STRIDED[3] = 7"]
    same_name = [
        f"@kernel\ndef f(a): return a {sign} 1\nh = f\n@kernel\ndef f(a): return h(a)" for sign in "+-"
    ]
    assert len({*(digest(text, change) for change in changes), *map(digest, same_name)}) == 8
    for value in ("[2]", "types.SimpleNamespace()", "lambda: 2", "inner"):
        with pytest.raises(Unsupported):
            digest(text, f"inner.FACTOR = {value}")


@needs_stored_code
def test_a_value_that_changes_in_the_process_is_not_stored_with_an_earlier_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored_code, "find_folder", lambda: tmp_path)
    names: dict[str, Any] = {"kernel": kernel, "__name__": "m"}
    exec("@kernel\ndef g(a): return a * FACTOR\n@kernel\ndef f(a): return g(a)", names)
    for names["FACTOR"], argument, expected in ((2, 5, 10), (3, 5.0, 15)):
        assert names["f"](argument) == expected


def test_code_that_may_not_be_stored_is_compiled_with_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored_code, "find_folder", lambda: None)
    monkeypatch.setattr(numba_functions, "is_own_folder", lambda folder: False)
    numba_functions.warn_of_no_folder.cache_clear()
    with pytest.warns(CacheWarning, match="compiled at every start; set NUMBA_CACHE_DIR"):
        assert load(tmp_path, "def f(a): return a + 1", "f")(3) == 4


@pytest.mark.skipif(
    sys.platform != "win32", reason="only Windows has folders that are the user's by their place"
)
def test_folders_of_a_user_of_windows() -> None:
    assert is_own_folder(Path.home()) and is_own_folder(Path(dealerkit.__file__).parent)
    assert not is_own_folder(Path.home().anchor) and not is_own_folder("C:\\windows")


@needs_permissions
@needs_stored_code
@pytest.mark.parametrize("mode", [0o777, 0o770, 0o500])
def test_a_folder_of_others_is_not_used(way: str, tmp_path: Path, mode: int) -> None:
    if way == "stored":
        folder = tmp_path / "code" / "dealerkit"
        assert stored_code.find_folder() == folder and folder.stat().st_mode & 0o777 == 0o700
        stored_code.find_folder.cache_clear()
        folder.chmod(mode)
        if mode & 0o022 or os.getuid():  # everything can be written by root
            assert stored_code.find_folder() is None
    else:
        assert stored_code.find_folder() is None


def test_threads_may_make_the_first_call(way: str, tmp_path: Path) -> None:
    compiled = load(tmp_path, "def f(a): return a * 3", "f")
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert list(pool.map(compiled, range(100))) == list(range(0, 300, 3))


def list_kernels() -> dict[str, Kernel]:
    """Return all kernels of dealerkit by their names."""
    kernels: dict[str, Kernel] = {}
    for module in pkgutil.walk_packages(dealerkit.__path__, "dealerkit."):
        spec = importlib.util.find_spec(module.name)
        if spec and spec.origin and "kernel" in Path(spec.origin).read_text(encoding="utf-8"):
            values = vars(importlib.import_module(module.name)).values()
            kernels |= {value.name: value for value in values if isinstance(value, Kernel)}
    return kernels


@needs_stored_code
def test_the_command_does_not_import_numba(tmp_path: Path) -> None:
    (tmp_path / "a.dealer").write_text(
        "condition hcp(north) > 12 and shape(south, any 4333) action print(north)"
    )
    code = (
        "import sys; from dealerkit.cli import main; sys.argv[1:] = ['run', 'a.dealer', '-p', '20'];"
        "main(); print(*{'numba', 'scipy', 'pandas', 'matplotlib', 'endplay'} & sys.modules.keys())"
    )
    environment = {**os.environ, "DEALERKIT_KERNELS": ""}
    environment["PYTHONPATH"] = os.pathsep.join(path or os.getcwd() for path in sys.path)
    for _ in range(2):  # the first may have to compile
        run = subprocess.run(
            [sys.executable, "-c", code],
            env=environment,
            capture_output=True,
            encoding="utf-8",
            check=True,
            cwd=tmp_path,
        )
    assert "20 deals of" in run.stdout and run.stdout.endswith("\n\n")


def test_the_code_of_every_kernel_can_be_described() -> None:
    """Otherwise numba would be imported for it."""
    kernels = list_kernels()
    assert len(kernels) > 30 and all(pickle.loads(pickle.dumps(item)) is item for item in kernels.values())
    assert len({digest_code(item) for item in kernels.values()}) == len(kernels)


SCRIPTS = """
import sys, dealerkit as dk
runs = [
    dict(script="condition hcp(north) >= 15 and shape(north, any 4333 + any 4432) and controls(south) > 3"),
    dict(script="condition hcp(north) >= 25 and spades(north) >= 6"),
    dict(script="condition hcp(north) + hcp(south) >= 30 and spades(north) == 4 and hearts(south) >= 5"),
    dict(script="predeal south SAKQ condition rnd(10) > 3", stream="classic", dialect="v1"),
    dict(script="condition rnd(10) > 3 and hcp(west) > 11", stream="classic", dialect="v2"),
    dict(script="condition hcp(west) > 11", predeal={"north": {"spades": 5}, "east": "HAKxx"}),
]
for arguments in runs:
    script = arguments.pop("script")
    options = dk.RunOptions(**arguments, produce=300, seed=4, keep="all", statistics=False)
    print(dk.run_script(script, options).deals.to_pbn())
print('numba' in sys.modules)
"""


@pytest.mark.slow
@needs_stored_code
def test_both_ways_deal_the_same_cards_and_one_of_them_without_numba() -> None:
    texts = {}
    for setting in ("", "", "numba"):
        environment = {**os.environ, "DEALERKIT_KERNELS": setting}
        environment["PYTHONPATH"] = os.pathsep.join(path or os.getcwd() for path in sys.path)
        run = subprocess.run(
            [sys.executable, "-c", SCRIPTS],
            env=environment,
            capture_output=True,
            encoding="utf-8",
            check=True,
        )
        texts[setting] = run.stdout.rpartition("\n")[0].rsplit("\n", 1)
    assert [used for _, used in texts.values()] == ["False", "True"]
    assert len(texts[""][0]) > 100_000 and texts[""][0] == texts["numba"][0]


@pytest.mark.slow
def test_numba_loads_stored_code_without_its_compiler_tables() -> None:
    """numba imports its modules for linear algebra and text only for compilation."""
    code = (
        "import sys, dealerkit as dk; dk.deal(10, seed=1);"
        "print('numba.np.linalg' in sys.modules, 'numba.typed.typeddict' in sys.modules)"
    )
    environment = {**os.environ, "DEALERKIT_KERNELS": "numba"}
    for _ in range(2):  # the first may have to compile
        run = subprocess.run(
            [sys.executable, "-c", code], env=environment, capture_output=True, encoding="utf-8", check=True
        )
    assert run.stdout.split() == ["False", "False"]
