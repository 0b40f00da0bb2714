"""``dealerkit solve``: fill the store of solved deals from a file, and show what it holds."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from dealerkit.cards.names import STRAIN_LETTERS
from dealerkit.errors import DealError, FileError

if TYPE_CHECKING:
    from dealerkit.cards.deals import Deals


def add(verbs: argparse._SubParsersAction) -> argparse.ArgumentParser:
    """Add the verb's arguments."""
    solve: argparse.ArgumentParser = verbs.add_parser(
        "solve",
        help="solve deals double dummy; show the store of what was solved",
        description="Solve the deals of a file double dummy and keep the tricks in the store, which all "
        "later runs ask first. Without a file: say where the store is and what it holds.",
    )
    solve.add_argument(
        "file",
        nargs="?",
        help="deals, one to a line as printoneline or a PBN Deal tag writes them, or a PBN file; - reads "
        "standard input",
    )
    solve.add_argument("--strains", default="SHDCN", metavar="LETTERS", help="default: SHDCN, all")
    solve.add_argument("--declarers", default="NESW", metavar="LETTERS", help="default: NESW, all")
    solve.add_argument("--threads", type=int, metavar="N", help="of the solver; default: all processors")
    solve.add_argument("--tables", action="store_true", help="print the tricks of each deal")
    return solve


def execute(options: argparse.Namespace) -> int:
    """Solve, or show the store; returns the exit status."""
    from dealerkit.doubledummy.store.database import current_store

    if options.file is not None:
        _solve(options)
    sys.stdout.write(f"{current_store()!r}\n")
    return 0


def _solve(options: argparse.Namespace) -> None:
    from tqdm import tqdm

    from dealerkit.doubledummy.ledger import open_ledger
    from dealerkit.doubledummy.lookup import look_up_tables

    deals = _read(options.file)
    began = time.perf_counter()
    with (
        open_ledger() as ledger,
        tqdm(total=0, unit=" results", disable=not sys.stderr.isatty(), delay=1) as bar,
    ):

        def show(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        tables = look_up_tables(
            deals, options.strains, options.declarers, threads=options.threads, progress=show
        )
    if options.tables:
        for line, table in zip(deals.to_pbn(), tables, strict=True):
            rows = (" ".join(f"{tricks:2d}" if tricks >= 0 else " -" for tricks in row) for row in table)
            strains = "   ".join(f"{letter} {row}" for letter, row in zip(STRAIN_LETTERS, rows, strict=True))
            sys.stdout.write(f"{line}\n  {strains}\n")
    known = ledger.requested - ledger.solved
    sys.stdout.write(
        f"{len(deals):,} deals, {ledger.requested:,} results: {ledger.solved:,} solved, "
        f"{known:,} known before, {time.perf_counter() - began:.1f} s\n"
    )


def _read(file: str) -> Deals:
    """The deals of a file, or of standard input.

    Raises
    ------
    FileError, DealError
        With the line of the first deal that is none.
    """
    from dealerkit.cards.deals import Deals

    try:
        if file == "-":
            text, file = sys.stdin.read(), "standard input"
        else:
            text = Path(file).read_text(encoding="utf-8", errors="replace")
    except (OSError, ValueError) as reason:
        raise FileError(f"{file}: {getattr(reason, 'strerror', None) or reason}") from reason
    found = [(k, deal) for k, line in enumerate(text.splitlines(), 1) if (deal := _deal_text(line))]
    if not found:
        raise FileError(
            f"{file}: no deal in it; a line holds one as 'N:AKQJ.T98.5432.32 ...', or 'n AKQJ...'"
        )
    try:
        return Deals.from_pbn([deal for _, deal in found])
    except DealError:
        for line, deal in found:
            try:
                Deals.from_pbn(deal)
            except DealError as reason:
                raise DealError(f"{file}:{line}: {str(reason).removeprefix('deal 0: ')}") from None
        raise


def _deal_text(line: str) -> str:
    """The deal of a line in the notation of PBN's Deal tag; empty where there is none."""
    line = line.strip()
    if line.startswith("[Deal ") and line.count('"') >= 2:
        return line.split('"')[1]
    if line[:2].upper() in ("N:", "E:", "S:", "W:"):
        return line
    words = line.split()
    return "N:" + " ".join(words[1:8:2]) if words[:7:2] == ["n", "e", "s", "w"] else ""
