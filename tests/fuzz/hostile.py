"""Checks of what strangers send: scripts in untrusted mode, saved results and checkpoints with changed members.

A limit that is exceeded by more than a tenth is a finding. Scripts share one process, which is renewed now and
then, so that a hundred thousand need no hundred thousand processes.
"""

from __future__ import annotations

import functools
import io
import json
import os
import random
import sys
import tempfile
import time
import zipfile
from pathlib import Path

import dealerkit as dk
from dealerkit.runtime.confined import Confinement
from dealerkit.runtime.process import resident_bytes
from dealerkit.simulation.run import run_and_record

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))
try:
    from tests.support.files import damage_bytes
    from tests.support.scripts import DIALECTS, TOKENS, ScriptWriter, damage_text
finally:
    sys.path.remove(str(ROOT))

OK = "ok"
SECONDS, MEMORY, OUTPUT = 2.0, 300e6, 20_000
MORE = 1.1  # of each limit is permitted
N_SHARED = 500  # scripts that one process runs
# Statements that ask for much.
GREEDY = (
    "produce 100000000 action print(north, south, east, west)", "produce 100000000 action printall",
    "generate 2000000000 condition hcp(north) > 36", "action frequency(hcp(north) * 1000, 0, 900000)",
    "produce 1000000 action printpbn, printcompact, printoneline", "produce 1 " * 4000,
    "produce 50000000 action average rnd(100) * hcp(east)", "condition dds(north, spades) == 0",
    "produce 10000000 action printes(\"" + "x" * 20_000 + "\")", "x = 1 " + "+ 1 " * 900 + " condition x",
)  # fmt: skip


@functools.cache
def _share_process() -> list:
    """Return a list with the process and how many scripts it has run."""
    return [Confinement("hostile", SECONDS, MEMORY), 0]


def run_measured(text: str, options: dk.RunOptions) -> tuple[int, float, int]:
    """Run in the process of strangers; return the characters of the text, the seconds and the bytes that it took."""
    before = resident_bytes()
    if sys.platform == "linux":
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # the peak begins again
    began = time.perf_counter()
    result, _, _ = run_and_record(text, options, False, False)
    return len(result.text), time.perf_counter() - began, max(_peak_bytes() - before, 0)


def _peak_bytes() -> int:
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmHWM:"):
            return 1024 * int(line.split()[1])
    return 0


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
    limits = dk.RunLimits(seconds=SECONDS, memory=MEMORY, output=OUTPUT)
    produce = rng.choice((10, 40, None))
    options = dk.RunOptions(
        produce=produce, seed=1, dialect=dialect, threads=1, progress=False, limits=limits, untrusted=True,
        generate=None if produce is None else 100_000,
    )  # fmt: skip
    # Run it in the process of many.
    shared = _share_process()
    if shared[1] >= N_SHARED:
        shared[0].close()
        shared[:] = [Confinement("hostile", SECONDS, MEMORY), 0]
    shared[1] += 1
    shared[0].start()
    began = time.perf_counter()
    try:
        n_characters, seconds, n_bytes = shared[0].call("run_measured", text, options)
    except dk.TimeLimitError:
        seconds = time.perf_counter() - began
        return OK if seconds < MORE * SECONDS + 0.2 else f"killed after {seconds:.2f} s: {text!r:.300}"
    if n_characters > OUTPUT or seconds > MORE * SECONDS or n_bytes > MORE * MEMORY:
        return f"{n_characters} characters, {seconds:.2f} s, {n_bytes:,} bytes: {text!r:.300}"
    return OK


# ------------------------------------------------------------ results and checkpoints
SCRIPTS = (
    "condition hcp(north) > 14 action average hcp(south), frequency(hcp(east), 0, 30), printoneline",
    "action print(north), average \"points\" hcp(west), frequency(spades(north), 0, 13, hearts(north), 0, 13)",
)  # fmt: skip


@functools.cache
def _make_files(kind: str) -> tuple[dict[str, bytes], ...]:
    """Return the members of saved results or of checkpoints."""
    made = []
    with tempfile.TemporaryDirectory() as folder:
        for script in SCRIPTS:
            path = Path(folder, "a")
            path.unlink(missing_ok=True)
            options = {"checkpoint": path} if kind == "checkpoint" else {}
            result = dk.run(script, produce=20, seed=1, statistics=False, **options)
            if kind == "result":
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
    else:
        members[name] = damage_bytes(rng.randrange, members[name])
    target = io.BytesIO()
    compression = zipfile.ZIP_STORED if rng.random() < 0.8 else zipfile.ZIP_DEFLATED
    with zipfile.ZipFile(target, "w", compression) as file:
        for item, data in members.items():
            file.writestr(item, data)
    content = target.getvalue()
    return damage_bytes(rng.randrange, content) if rng.random() < 0.1 else content


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


def check_saved(rng: random.Random) -> str:
    """A changed result or checkpoint is refused, or has a result that can be shown and saved."""
    kind = rng.choice(("result", "checkpoint"))
    number = rng.randrange(len(SCRIPTS))
    data = _change(rng, _make_files(kind)[number])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "changed")
        path.write_bytes(data)
        if kind == "result":
            result = dk.load(path)
        else:
            result = dk.run(SCRIPTS[number], produce=20, seed=1, statistics=False, checkpoint=path)
        for report in result.reports:
            len(report.text), len(report.frame)
            mean = getattr(report, "sd", 0.0)
            if mean < 0:
                return f"a standard deviation of {mean}"
        result.to_html()
        result.save(os.path.join(folder, "again"))
    return OK
