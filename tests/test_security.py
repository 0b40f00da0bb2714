"""What `SECURITY.md` promises of scripts and files of strangers, by the events that Python reports to audit hooks.

docs/contributing/robustness.md lists the other tests of its promises.
"""

from __future__ import annotations

import io
import json
import os
import pickle
import random
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

import dealerkit as dk
from tests.support import events
from tests.support.files import FORMATS, build_file, damage_bytes
from tests.support.scripts import DIALECTS, ScriptWriter, damage_text

ROOT = Path(__file__).parents[1]

# Runs what the lines on standard input say, and prints the files, processes and connections that this opens. Code
# of the package and of its dependencies is read and compiled.
WATCHED = """
import json, os, sys, warnings
import dealerkit as dk
from dealerkit.runtime.compiled.stored_code import find_folder

OWN = [sys.prefix, sys.base_prefix, os.path.dirname(os.path.dirname(dk.__file__)), str(find_folder()), os.devnull]
OWN += [*filter(None, sys.path), "/usr/share/zoneinfo", "/proc/cpuinfo"]  # packages; pandas, numba
STARTED = ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork", "os.startfile")
CHANGED = ("os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.link", "os.symlink", "os.truncate")
events, is_watching = set(), False

def watch(event, arguments):
    if not is_watching:
        return
    if event == "open" and not isinstance(arguments[0], int):
        path = os.path.abspath(os.fsdecode(arguments[0]))
        if not any(path.startswith(own) for own in OWN):
            writes = arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
            events.add(("written" if writes else "read", path))
    elif event in STARTED or event in CHANGED or event.startswith(("socket.", "urllib.", "ctypes.dlopen")):
        place = os.path.abspath(os.fsdecode(arguments[0])) if event in CHANGED else ""
        if not any(place.startswith(own) for own in OWN):
            events.add((event, place))
    elif event == "pickle.find_class" and not is_of_kernels(*arguments[:2]):
        events.add((event, str(arguments)))

def is_of_kernels(module, name):  # on Windows numba loads stored kernels from pickles of its own
    known = module.split(".")[0] in ("numba", "dealerkit", "copyreg") or (module, name) == ("builtins", "object")
    return sys.platform == "win32" and known

warnings.simplefilter("ignore")
sys.addaudithook(watch)
n_done = 0
for line in sys.stdin:
    kind, value, dialect = json.loads(line)
    is_watching = kind != "first"
    try:
        if kind == "result":
            dk.load(value).to_html()
        elif kind == "tournament":
            dk.results(value).to_text()
        elif kind == "system":
            dk.system(value)
        elif kind == "checkpoint":
            dk.run(dialect, produce=20, seed=1, progress=False, checkpoint=value).text
        elif kind == "file":
            library = dk.read(value, format=dialect)
            library.frame, library.deals.tables, repr(library)
        else:
            dk.run(value, produce=5, generate=1000, seed=1, dialect=dialect, progress=False).to_html()
        n_done += 1
    except dk.DealerkitError:
        pass
    is_watching = False
print(json.dumps([n_done, sorted(events)]))
"""


def watch(tmp_path: Path, tasks: list[tuple[str, str, str | None]]) -> tuple[int, list[list[str]]]:
    """Return how many tasks ended without an error, and the events of all of them; the first is not watched."""
    (tmp_path / "work").mkdir()
    done = subprocess.run(
        [sys.executable, "-c", WATCHED],
        input="\n".join(map(json.dumps, tasks)), capture_output=True, encoding="utf-8", cwd=tmp_path / "work",
        env=os.environ | {"DEALERKIT_STORE": "off", "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert not list((tmp_path / "work").iterdir())
    n_done, events = json.loads(done.stdout)
    return n_done, events


def test_scripts_open_no_file_start_no_process_and_connect_to_nothing(tmp_path: Path) -> None:
    choose = random.Random(1).randrange
    tasks: list[tuple[str, str, str | None]] = [("first", "action average hcp(north), printall", "modern")]
    for number in range(60):
        dialect = DIALECTS[number % len(DIALECTS)]
        text = ScriptWriter(choose, dialect).write_script()
        tasks.append(("run", damage_text(choose, text) if number % 4 == 0 else text, dialect))
    actions = (
        'csvrpt(hcp(north), "a")', "export(deal)", "printpbn", "printoneline", "printes(hcp(north), \\n)",
        'print(north), average "../a.csv" hcp(north), frequency "/etc/passwd" (hcp(east), 0, 9)',
    )  # fmt: skip
    tasks += [("run", f"action {action}", "v2" if "export" in action else "modern") for action in actions]
    lines = (
        '#include "a"',
        '#include "/etc/passwd"',
        "Import,https://example.org/script/Calm",
        '"/etc/passwd"',
    )
    tasks += [("run", f"{line}\n1", "modern") for line in lines]
    n_done, events = watch(tmp_path, tasks)
    assert n_done > 30 and events == []


class _Code:
    """An object whose pickle makes a folder when it is read."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __reduce__(self) -> tuple:
        return os.makedirs, (str(self._folder),)


def test_reading_results_and_checkpoints_executes_no_code(tmp_path: Path) -> None:
    """Each of their arrays is one of objects, which numpy would unpickle."""
    script, marker = "condition hcp(north) > 9 action average hcp(south), printoneline", tmp_path / "executed"
    files = {"result": tmp_path / "a.zip", "checkpoint": tmp_path / "a.checkpoint"}
    dk.run(script, produce=20, seed=1, checkpoint=files["checkpoint"]).save(files["result"])
    stream = io.BytesIO()
    np.save(stream, np.array([_Code(marker)], object), allow_pickle=True)
    tasks: list[tuple[str, str, str | None]] = [("first", script, "modern")]
    for kind, path in files.items():
        with zipfile.ZipFile(path) as file:
            members = {name: file.read(name) for name in file.namelist()}
        for name in [name for name in members if name.endswith(".npy")]:
            changed = tmp_path / f"{len(tasks)}.{kind}"
            with zipfile.ZipFile(changed, "w") as file:
                for item, data in members.items():
                    file.writestr(item, stream.getvalue() if item == name else data)
            tasks.append((kind, str(changed), script))
    n_done, events = watch(tmp_path, tasks)
    assert len(tasks) == 5 and n_done == 1 and not marker.exists()
    assert {event for event, _ in events} == {"read"} and {path for _, path in events} == {
        path for _, path, _ in tasks[1:]
    }
    with pytest.raises(FileExistsError):  # the attack works
        np.load(io.BytesIO(stream.getvalue()), allow_pickle=True)
        pickle.loads(pickle.dumps(_Code(marker)))


def test_reading_results_of_tournaments_and_systems_opens_nothing_else(tmp_path: Path) -> None:
    choose = random.Random(1).randrange
    external = '<!DOCTYPE a SYSTEM "file:///etc/hostname"><?xml-stylesheet href="file:///etc/passwd"?>'
    texts = {
        "event.pbn": events.make_pbn(), "event.csv": events.make_csv(), "event.xml": events.make_usebio(),
        "outside.xml": events.make_usebio().replace("<USEBIO", external + "<USEBIO", 1), "match.lin": events.MATCH,
        "a.system": (ROOT / "dealerkit/bidding/systems/sayc.system").read_text(encoding="utf-8"),
        "b.system": 'system "x"\nextends "../../etc/passwd"\n#include "/etc/passwd"\n',
    }  # fmt: skip
    tasks: list[tuple[str, str, str | None]] = [("first", "action average hcp(north)", "modern")]
    for number in range(4):
        for name, text in texts.items():
            path = tmp_path / f"{number}{name}"
            path.write_bytes(damage_bytes(choose, text.encode()) if number else text.encode())
            tasks.append(("system" if name.endswith("system") else "tournament", str(path), None))
    n_done, found = watch(tmp_path, tasks)
    assert n_done > len(texts)
    assert {event for event, _ in found} == {"read"}
    assert {path for _, path in found} <= {path for _, path, _ in tasks[1:]}


def test_reading_files_of_deals_opens_nothing_else(tmp_path: Path) -> None:
    choose = random.Random(1).randrange
    tasks: list[tuple[str, str, str | None]] = [("first", "1", "modern")]
    for number in range(6 * len(FORMATS)):
        name = FORMATS[number % len(FORMATS)]
        data = build_file(choose, name)
        path = tmp_path / f"{number}.{name}"
        path.write_bytes(damage_bytes(choose, data) if number >= 2 * len(FORMATS) else data)
        tasks.append(("file", str(path), name))
    n_done, events = watch(tmp_path, tasks)
    assert n_done > len(FORMATS)
    assert {event for event, _ in events} == {"read"}
    assert {path for _, path in events} <= {path for _, path, _ in tasks[1:]}
