"""Checks of what strangers send: scripts in untrusted mode, saved results and checkpoints with changed members.

A limit that is exceeded by more than a tenth is a finding. Scripts share processes, which are renewed now and then,
so that a hundred thousand need no hundred thousand processes. On a machine that others use, a process waits for a
processor; this time, which the system counts, is not the script's.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import io
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from pathlib import Path
from typing import Any

import dealerkit as dk
from dealerkit.runtime.confined import Confinement

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))
try:
    from tests.support.files import damage_bytes
    from tests.support.scripts import DIALECTS, TOKENS, ScriptWriter, damage_text
finally:
    sys.path.remove(str(ROOT))

OK = "ok"
SECONDS, MEMORY, OUTPUT = 1.0, 300e6, 20_000
MORE = 1.1  # of each limit is permitted
LATE = 0.02  # seconds: the time of processors is counted in hundredths
N_SHARED = 500  # scripts that one process runs
# Statements that ask for much.
GREEDY = (
    "produce 100000000 action print(north, south, east, west)", "produce 100000000 action printall",
    "generate 2000000000 condition hcp(north) > 36", "action frequency(hcp(north) * 1000, 0, 900000)",
    "produce 1000000 action printpbn, printcompact, printoneline", "produce 1 " * 4000,
    "produce 50000000 action average rnd(100) * hcp(east)", "condition dds(north, spades) == 0",
    "produce 10000000 action printes(\"" + "x" * 20_000 + "\")", "x = 1 " + "+ 1 " * 900 + " condition x",
)  # fmt: skip


most: dict[str, float] = {}  # that any script has used, by kind


class Use:
    """What a call uses, measured from outside of its process a hundred times a second; for Linux.

    `seconds` is time by the clock, which goes on while others use the processors; `waited` is how long this process
    and that of the call could have run but waited for a processor. `bytes` is the largest memory, less that at the
    beginning, `processor` the processor time.
    """

    def __init__(self, process: subprocess.Popen) -> None:
        self._folder = Path(f"/proc/{process.pid}")
        self._done = threading.Event()
        self._watcher = threading.Thread(target=self._watch, daemon=True)
        self.seconds = self.processor = self.waited = 0.0
        self.bytes = 0

    def __enter__(self) -> Use:
        (self._folder / "clear_refs").write_text("5", encoding="ascii")  # the largest memory begins again
        self._before = self._last = self._measure()
        self._waited_here = _read_wait(Path("/proc/thread-self"))
        self._watcher.start()
        self._began = time.perf_counter()
        return self

    def __exit__(self, *_: object) -> None:
        self.seconds = time.perf_counter() - self._began
        self._done.set()
        self._watcher.join()
        self.bytes, self.processor, waited_there = (
            now - before for now, before in zip(self._last, self._before, strict=True)
        )
        self.waited = waited_there + _read_wait(Path("/proc/thread-self")) - self._waited_here

    def _watch(self) -> None:
        with contextlib.suppress(OSError, ValueError, IndexError):  # the process has ended
            while not self._done.wait(0.01):
                self._last = self._measure()
            self._last = self._measure()

    def _measure(self) -> tuple[int, float, float]:
        status = (self._folder / "status").read_text(encoding="utf-8")
        peak = 1024 * int(status.partition("VmHWM:")[2].split()[0])
        ticks = (self._folder / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()[11:13]
        return peak, sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK"), _read_wait(self._folder)


def _read_wait(folder: Path) -> float:
    """Return the seconds in which the main thread of a process was ready to run and did not."""
    return int((folder / "schedstat").read_text(encoding="ascii").split()[1]) / 1e9


_processes: dict[str, tuple[Confinement, int]] = {}  # of a module, and how many scripts it has had


def _call(module: str, name: str, *arguments: object) -> tuple[Any, Use]:
    """Return the value of a call, or the error that it raises, and what it used."""
    confinement, count = _processes.get(module, (None, N_SHARED))
    if confinement is None or count == N_SHARED:
        if confinement is not None:
            confinement.close()
        confinement, count = Confinement(module, SECONDS, MEMORY), 0
    _processes[module] = confinement, count + 1
    if confinement.start().poll() is not None:  # its timer has ended it while this process was stopped
        confinement.close()
    with Use(confinement.start()) as use:
        try:
            return confinement.call(name, *arguments), use
        except dk.DealerkitError as error:
            return error, use


def check_untrusted(rng: random.Random) -> str:
    """A script, damaged or greedy or jumbled, keeps to its time, memory and output."""
    # Write the script.
    dialect = rng.choice(DIALECTS)
    text = ScriptWriter(rng.randrange, dialect).write_script()
    kind = rng.random()
    if kind < 0.4:
        text = damage_text(rng.randrange, text)
    elif kind < 0.6:
        text = " ".join(rng.choices(TOKENS, k=rng.randrange(60)))
    elif kind < 0.62:
        text += "\n" + rng.choice(GREEDY)
    # Check or run it in the process of many.
    n_characters = 0
    if rng.random() < 0.2:
        value, use = _call("dealerkit.advice.check", "check_here", text, dialect, ())
    else:
        produce = rng.choice((10, 40, 40, None))
        options = dk.RunOptions(
            produce=produce, generate=None if produce is None else 100_000, seed=1, dialect=dialect, threads=1,
            progress=False, limits=dk.RunLimits(seconds=SECONDS, memory=MEMORY, output=OUTPUT), untrusted=True,
        )  # fmt: skip
        value, use = _call("dealerkit.simulation.run", "run_and_record", text, options, False, False)
        if isinstance(value, tuple):
            n_characters = len(value[0].text)
    # A limit that is named was reached, nearly.
    if isinstance(value, dk.TimeLimitError) and max(use.seconds, use.processor) < 0.8 * SECONDS:
        return f"ended before its limit of time, after {use.seconds} s: {value} of {text!r:.300}"
    if isinstance(value, dk.MemoryLimitError) and use.bytes < 0.1 * MEMORY:
        return f"ended before its limit of memory, with {use.bytes} bytes: {value} of {text!r:.300}"
    # Compare what it used with its limits.
    values = {
        "seconds": use.seconds, "seconds without waiting": use.seconds - use.waited,
        "seconds of the processor": use.processor, "bytes": use.bytes, "characters": n_characters,
    }  # fmt: skip
    most.update({name: max(number, most.get(name, 0)) for name, number in values.items()})
    is_late = use.seconds - use.waited > MORE * SECONDS + LATE or use.processor > MORE * SECONDS + LATE
    if is_late or use.bytes > MORE * MEMORY or n_characters > OUTPUT:
        return f"{values}: {type(value).__name__} of {text!r:.300}"
    if isinstance(value, dk.DealerkitError) and not isinstance(
        value, dk.TimeLimitError | dk.MemoryLimitError
    ):
        raise value
    return OK


# ------------------------------------------------------------ results and checkpoints
SCRIPTS = (
    "condition hcp(north) > 14 action average hcp(south), frequency(hcp(east), 0, 30), printoneline",
    "action print(north), average \"points\" hcp(west), frequency(spades(north), 0, 13, hearts(north), 0, 13)",
    "condition rnd(3) < 2 action average rnd(100), printrpt(rnd(10), hcp(east)), frequency(losers(west), 0, 12)",
)  # fmt: skip


@functools.cache
def _make_files(kind: str) -> tuple[dict[str, bytes], ...]:
    """Return the members of saved results or of checkpoints; the last result is levelled."""
    made = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a")
        for script in (*SCRIPTS, *(["levelled"] if kind == "results" else [])):
            path.unlink(missing_ok=True)
            options = {"checkpoint": path} if kind == "checkpoints" else {}
            if script == "levelled":
                types = {"weak": "hcp(south) <= 8", "strong": "hcp(south) >= 10"}
                result = dk.level(SCRIPTS[-1], types, produce=20, seed=1)
            else:
                result = dk.run(script, produce=20, seed=1, statistics=False, **options)
            if kind == "results":
                result.save(path)
            with zipfile.ZipFile(path) as file:
                made.append({name: file.read(name) for name in file.namelist()})
    return tuple(made)


def _change(rng: random.Random, members: dict[str, bytes]) -> bytes:
    """Return a zip file in which one member is changed: some bytes, a value of its JSON, or it is gone."""
    members = dict(members)
    name = rng.choice(sorted(members))
    kind = rng.random()
    if kind < 0.05:
        del members[name]
    elif name.endswith(".json") and kind < 0.8:
        members[name] = _change_json(rng, members[name])
    elif name.endswith(".npy") and kind < 0.8:
        members[name] = _change_numbers(rng, members[name])
    else:
        members[name] = damage_bytes(rng.randrange, members[name])
    target = io.BytesIO()
    compression = zipfile.ZIP_STORED if rng.random() < 0.95 else zipfile.ZIP_DEFLATED
    with zipfile.ZipFile(target, "w", compression) as file:
        for item, data in members.items():
            file.writestr(item, data)
    content = target.getvalue()
    return damage_bytes(rng.randrange, content) if rng.random() < 0.05 else content


def _change_numbers(rng: random.Random, data: bytes) -> bytes:
    """Return an array, as a file has it, in which one to three numbers are others."""
    changed, begin = bytearray(data), 10 + int.from_bytes(data[8:10], "little")  # of the numbers
    for _ in range(rng.randrange(1, 4) if begin < len(data) else 0):
        size = rng.choice((1, 8))
        place = begin + size * rng.randrange((len(data) - begin) // size or 1)
        old = int.from_bytes(data[place : place + size], "little")
        new = rng.choice((0, 1, old + 1, old - 1, old ^ 1 << rng.randrange(8 * size), -1, 1 << 8 * size - 1))
        changed[place : place + size] = (new % (1 << 8 * size)).to_bytes(size, "little")
    return bytes(changed[: len(data)])


def _change_json(rng: random.Random, data: bytes) -> bytes:
    """Return JSON in which one value, anywhere, is another."""
    content = json.loads(data)
    place = content
    while isinstance(place, dict | list) and place:
        key = rng.choice(sorted(place)) if isinstance(place, dict) else rng.randrange(len(place))
        inner = place[key]
        if not isinstance(inner, dict | list) or not inner or rng.random() < 0.2:
            place[key] = rng.choice(
                (
                    None,
                    -1,
                    0,
                    1,
                    10**30,
                    -(10**30),
                    0.5,
                    "",
                    "x",
                    "-1",
                    "1/0",
                    [],
                    {},
                    [[]],
                    True,
                    1e300,
                    "9" * 5000,
                )
            )
            break
        place = inner
    return json.dumps(content).encode()


def check_saved(rng: random.Random, kind: str) -> str:
    """A changed result or checkpoint is refused, or has a result that can be shown and saved."""
    files = _make_files(kind)
    number = rng.randrange(len(files))
    data = _change(rng, files[number])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "changed")
        path.write_bytes(data)
        if kind == "results":
            result = dk.load(path)
        else:
            result = dk.run(SCRIPTS[number], produce=20, seed=1, statistics=False, checkpoint=path)
        for report in result.reports:
            len(report.text), len(report.frame)
            if getattr(report, "sd", 0.0) < 0:
                return f"a standard deviation of {report.sd}"
        if not (isinstance(result.produced, int) and result.produced >= 0):
            return f"{result.produced} deals produced"
        ast.parse(result.call)
        result.to_html()
        result.save(os.path.join(folder, "again"))
    return OK
