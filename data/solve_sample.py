"""Solve deals for the sample that is part of the package, and pack them into its file.

    python data/solve_sample.py solve FOLDER
    python data/solve_sample.py pack FOLDER

`solve` solves the next deals of the recorded seeds and writes files of 250 deals into the folder,
``SEED-NUMBER.npz``. It may be interrupted at any time: at the next start it goes on with the first file that
is missing. It takes all processors at the lowest priority, and a minute or so for a file.

`pack` appends the deals of these files to ``dealerkit/data/solved.npz``, in the order of the seeds, up to the
first that is missing, and writes the number of deals of each seed into ``data/README.md``. Deals
of the sample keep their places. Files that are packed already are ignored, so the command can be repeated.
"""

from __future__ import annotations

import argparse
import os
import re
import time
from pathlib import Path

import numpy as np

import dealerkit as dk
from dealerkit.formats.checking import check_pairing
from dealerkit.runtime.files import write_atomically

SEEDS = (20261122, 20261123, 20261124)
N_DEALS = 60_000  # of each seed: the deals are those of dk.deal(N_DEALS, seed=seed)
N_IN_FILE = 250
ROOT = Path(__file__).parents[1]
SAMPLE = ROOT / "dealerkit" / "data" / "solved.npz"
README = ROOT / "data" / "README.md"
MAX_BYTES = 6_000_000


def load_sample(path: Path) -> dict[str, np.ndarray]:
    """Return the arrays of the sample: `hands` of north, east and south, `tables`, `origin`."""
    with np.load(path) as stored:
        return {name: stored[name] for name in ("hands", "tables", "origin")}


def solve(folder: Path, sample: Path = SAMPLE) -> None:
    """Solve the deals that neither the sample nor the folder has."""
    folder.mkdir(parents=True, exist_ok=True)
    os.nice(19)
    origin = load_sample(sample)["origin"]
    for seed in SEEDS:
        deals = dk.deal(N_DEALS, seed=seed)
        for first in range(int((origin == seed).sum()), N_DEALS, N_IN_FILE):
            target = folder / f"{seed}-{first:06d}.npz"
            if target.exists():
                continue
            start = time.perf_counter()
            part = deals[first : first + N_IN_FILE]
            tables = dk.dd_table(part)
            with write_atomically(target) as path, open(path, "wb") as file:
                np.savez_compressed(file, hands=part.hands, tables=tables)
            print(f"{target.name}: {time.perf_counter() - start:.0f} s", flush=True)


def check_part(deals: dk.Deals, tables: np.ndarray, path: Path, hands: np.ndarray) -> None:
    """Refuse a file whose deals are not those of its seed, or whose tables cannot be theirs."""
    if not np.array_equal(hands, deals.hands):
        raise SystemExit(f"{path}: the deals are not those of this seed and number; delete the file")
    if tables.shape != (len(deals), 5, 4) or tables.min() < 0 or tables.max() > 13:
        raise SystemExit(f"{path}: the tables are not complete; delete the file")
    check_pairing(deals.replace(tables=tables), str(path))


def append_solved(sample: dict[str, np.ndarray], folder: Path) -> dict[str, np.ndarray]:
    """Return the sample with the deals of the folder that follow it without a gap."""
    first_numbers: dict[int, dict[int, Path]] = {seed: {} for seed in SEEDS}
    for path in folder.iterdir():
        if (match := re.fullmatch(r"(\d+)-(\d+)\.npz", path.name)) and int(match[1]) in first_numbers:
            first_numbers[int(match[1])][int(match[2])] = path
    parts = [sample]
    for seed in SEEDS:
        deals = dk.deal(N_DEALS, seed=seed)
        n_packed = int((sample["origin"] == seed).sum())
        while path := first_numbers[seed].get(n_packed):
            with np.load(path) as stored:
                hands, tables = stored["hands"], stored["tables"].astype(np.int8)
            check_part(deals[n_packed : n_packed + len(hands)], tables, path, hands)
            parts.append(
                {"hands": hands[:, :3], "tables": tables, "origin": np.full(len(hands), seed, np.int32)}
            )
            n_packed += len(hands)
        if n_packed < N_DEALS:
            break  # deals of the next seed come after all of this one
    return {name: np.concatenate([part[name] for part in parts]) for name in sample}


def describe_origin(origin: np.ndarray) -> str:
    """Return a table, in Markdown, with the number of deals of each run in the order of the sample."""
    starts = np.flatnonzero(np.diff(origin, prepend=-1))
    lines = ["| `origin` | deals | places in the sample |", "|---|---|---|"]
    for first, end in zip(starts, [*starts[1:], len(origin)], strict=True):
        lines.append(f"| {origin[first]} | {end - first:,} | {first:,} to {end - 1:,} |")
    return "\n".join([*lines, f"| all | {len(origin):,} | |"])


def pack(folder: Path, sample: Path = SAMPLE, readme: Path = README) -> int:
    """Append the deals of the folder to the sample, and return the number of deals that it has then."""
    arrays = append_solved(load_sample(sample), folder)
    if len(np.unique(arrays["hands"], axis=0)) < len(arrays["hands"]):
        raise SystemExit("a deal would be in the sample twice; nothing is written")
    with write_atomically(sample) as path:
        with open(path, "wb") as file:
            np.savez_compressed(file, **arrays)
        if path.stat().st_size > MAX_BYTES:
            raise SystemExit(f"the sample would have {path.stat().st_size:,} bytes; nothing is written")
    text = readme.read_text(encoding="utf-8")
    table = describe_origin(arrays["origin"])
    text = re.sub(r"\| `origin` .*?\| all [^\n]*", lambda _: table, text, count=1, flags=re.DOTALL)
    readme.write_text(text, encoding="utf-8")
    print(f"{table}\n{sample}: {sample.stat().st_size:,} bytes")
    return len(arrays["hands"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("command", choices=["solve", "pack"])
    parser.add_argument("folder", type=Path)
    arguments = parser.parse_args()
    {"solve": solve, "pack": pack}[arguments.command](arguments.folder)


if __name__ == "__main__":
    main()
