"""Files that another program cuts off while they are read: an error of dealerkit, or whole deals; no bus error."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import dealerkit as dk
from dealerkit.formats import pavlicek_deals
from tests.support.platforms import needs_posix_files

pytestmark = needs_posix_files  # Windows cuts off no file that is open
N, FIRST = 5000, 70

# A thread cuts the file off and puts it back all the time.
READING = """
import random, sys, threading, warnings
import numpy as np
import dealerkit as dk

path, n_calls = sys.argv[1], int(sys.argv[2])
options = {"first": 70, "check": False} if path.endswith("zdd") else {}
content, done = open(path, "rb").read(), threading.Event()

def cut():
    rng = random.Random(1)
    while not done.is_set():
        with open(path, "r+b") as file:
            file.truncate(rng.choice((0, 1, rng.randrange(len(content)), len(content) // 2)))
        with open(path, "r+b") as file:
            file.write(content)

warnings.simplefilter("ignore")
threading.Thread(target=cut).start()
rng, counts = random.Random(2), {"read": 0, "refused": 0}
try:
    for number in range(n_calls):
        try:
            library = dk.read(path, **options)
            deals = rng.choice((lambda: library[rng.randrange(len(library)):].deals, lambda: library.deals))()
            library.tables
            if rng.random() < 0.2:
                dk.run("action average hcp(north)", source=library, produce=1000, seed=1, progress=False)
            deals.check()
            counts["read"] += 1
        except dk.DealerkitError:
            counts["refused"] += 1
finally:
    done.set()
print(counts["read"] + counts["refused"], counts)
"""


def write_file(name: str, folder: Path) -> Path:
    path = folder / f"deals.{name}"
    deals = dk.solved_sample()[:N]
    if name == "zdd":  # it has no other deals than those of the library
        deals = pavlicek_deals(FIRST, N).replace(tables=deals.tables)
    options = {"zdd": {"first": FIRST}, "gib": {"format": "gib"}}.get(name, {})
    deals.write(path, **options)
    return path


@pytest.mark.parametrize("name", ["zrd", "zdd", "gib", "dl52", "parquet"])
def test_a_file_that_is_cut_off_after_it_was_opened(name: str, tmp_path: Path) -> None:
    path = write_file(name, tmp_path)
    whole = path.read_bytes()
    options = {"first": FIRST, "check": False} if name == "zdd" else {}
    expected = dk.read(path, **options).deals.hands.tolist()
    for size in (0, 1, len(whole) // 3):
        path.write_bytes(whole)
        library = dk.read(path, **options)
        os.truncate(path, size)
        try:
            assert library.deals.hands.tolist() == expected  # of what was read when it was opened
        except dk.FileError as error:
            assert str(path) in str(error)


@pytest.mark.parametrize("n_calls", [20, pytest.param(2000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", ["zrd", "zdd", "gib", "dl52", "parquet"])
def test_a_file_that_is_cut_off_at_any_instant(name: str, n_calls: int, tmp_path: Path) -> None:
    command = [sys.executable, "-c", READING, str(write_file(name, tmp_path)), str(n_calls)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, f"{done.returncode} {done.stderr}"  # a bus error is -7
    assert done.stdout.startswith(f"{n_calls} ")
