"""Each file format: bytes of a board, boards read and written in a second of the processor.

    python tests/benchmarks/file_formats.py [--quick]

The boards are random deals with numbers, dealer and vulnerability, without other columns. A format that has a
limit of boards gets a file of that many, which is read and written many times.
"""

from __future__ import annotations

import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from common import Row, least, main  # noqa: E402

import dealerkit as dk  # noqa: E402
from dealerkit.cards.html import link_viewer  # noqa: E402
from dealerkit.formats import pavlicek_deals  # noqa: E402
from dealerkit.formats.format import find_formats  # noqa: E402

TABLES = {
    "formats": (
        "format",
        "boards of a file",
        "bytes a board",
        "read, boards a CPU second",
        "written, boards a CPU second",
    )
}
LIMITS = {"dup": 99, "dlm": 99, "cds": 255, "bhg": 9999}
TABLE = "TABLE 7 5 7 5 5 7 5 7 7 5 7 5 5 7 5 7 5 5 5 5 "
READ_ONLY: dict[str, Callable[[dk.Deals], str]] = {
    "ben": lambda deals: "".join(f"{deal[2:]}\nN None 1NT P 3NT P P P\n" for deal in deals.to_pbn()),
    "compass": lambda deals: "\n\n".join(deal.diagram() for deal in deals),
    "dds": lambda deals: (
        f"NUMBER {len(deals)} \n" + "".join(f'PBN 0 0 4 1 "{deal}" \n{TABLE}\n' for deal in deals.to_pbn())
    ),
    "diagrams": lambda deals: str(dk.run("action printall", source=deals, produce=len(deals)).text),
    "handviewer": lambda deals: "".join(
        f"{link_viewer(deal.hands, deal.vulnerable, deal.dealer, deal.board)}\n" for deal in deals
    ),
}


def measure(quick: bool) -> Iterator[Row]:
    """Yield a row for each format."""
    warnings.simplefilter("ignore")
    n = 2_000 if quick else 20_000
    with tempfile.TemporaryDirectory() as folder:
        for name, entry in find_formats().items():
            if name == "zdd":  # Pavlicek's library from its first deal on, in `libraries.py`
                continue
            size = min(n, LIMITS.get(name, n))
            path, repeats = Path(folder, f"deals.{name}"), max(1, n // size // 4)
            deals = dk.deal(size, seed=1).number_boards()
            checked: dict[str, object] = {}
            if name in ("zrd", "gib"):  # libraries of solved deals
                sample = dk.solved_sample()
                deals = pavlicek_deals(0, size).replace(tables=sample.tables[:size])
                size, checked = len(deals), {"check": False}
            if entry.write is None:
                path.write_text(READ_ONLY[name](deals), encoding="utf-8")
                written: str | float = ""
            else:
                write = partial(deals.write, path, format=name)
                write()
                written = size * repeats / least(partial(repeat, write, repeats), 3)
            n_bytes = path.stat().st_size / size
            read = partial(read_deals, path, name, size, checked)
            yield (
                "formats",
                (name, size, n_bytes, size * repeats / least(partial(repeat, read, repeats), 3), written),
            )


def read_deals(path: Path, name: str, size: int, options: dict[str, object]) -> None:
    """Read all deals of a file, also those of libraries, which are decoded when they are used."""
    assert len(dk.read(path, name, **options).deals.hands) == size


def repeat(body: Callable[[], object], times: int) -> None:
    """Call a function some times."""
    for _ in range(times):
        body()


if __name__ == "__main__":
    main(TABLES, measure, __doc__)
