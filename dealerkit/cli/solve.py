"""``dealerkit solve``: solve the deals of a file double dummy, keep the results in the store."""

from __future__ import annotations

import argparse
import contextlib
import sys
import time
import warnings
from typing import TYPE_CHECKING

from dealerkit.appearance.numbers import format_count
from dealerkit.appearance.table import Column, Table
from dealerkit.cards.names import SEATS, STRAIN_LETTERS
from dealerkit.cli.arguments import add_shared
from dealerkit.cli.deal_files import locate_input, restate_errors, show_name
from dealerkit.cli.study_files import to_json
from dealerkit.errors import ArgumentError, DealError, SkippedWarning

if TYPE_CHECKING:
    import numpy as np

    from dealerkit.appearance.card import Card
    from dealerkit.cards.deals import Deals
    from dealerkit.doubledummy.ledger import Ledger

HELP = "solve deals double dummy; show the store of solved deals"
DESCRIPTION = (
    "Solve the deals of a file double dummy and keep the tricks in the store, in which all later runs "
    "look results up. Without a file: show the path and the size of the store."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument(
        "file",
        nargs="?",
        help="a file of deals: PBN, LIN, CSV ..., or a deal on each line as printoneline or the PBN tag Deal "
        "has it; - is standard input",
    )
    parser.add_argument("--strains", default="SHDCN", metavar="LETTERS", help="strains (default: SHDCN)")
    parser.add_argument("--declarers", default="NESW", metavar="LETTERS", help="declarers (default: NESW)")
    add_shared(parser, "--from", "--threads", "--scheduler", "--checkpoint")
    parser.add_argument("--tables", action="store_true", help="print the tricks of each deal")
    add_shared(parser, "--json")
    parser.add_argument(
        "--check",
        type=int,
        metavar="N",
        help="solve N deals of a file with tables again, and compare: the first, the last, others at random",
    )
    parser.add_argument(
        "--first",
        type=int,
        metavar="N",
        help="number of the first deal of the file, a part of a .zdd file",
    )
    parser.add_argument(
        "--install-solver",
        action="store_true",
        help="download the solver library DDS with pip, for a Python that endplay does not support",
    )


def run_verb(options: argparse.Namespace) -> int:
    """Solve, or show the store; return the exit status."""
    from dealerkit.doubledummy.store.database import current_store

    if options.install_solver:
        from dealerkit.doubledummy.library import install_library

        sys.stdout.write(f"the solver library is {install_library()}\n")
        if options.file is None:
            return 0
    if options.check is not None:
        _check_file(options)
        return 0
    if options.file is not None:
        _solve_file(options)
        if options.json:
            return 0
    sys.stdout.write(f"{current_store()!r}\n")
    return 0


def _check_file(options: argparse.Namespace) -> None:
    """Compare tables of a file with the solver, and print how many were equal."""
    from dealerkit.formats.checking import check_tables
    from dealerkit.formats.library import read

    if options.file is None:
        raise ArgumentError("--check needs a file with tables, such as rpdd.zrd")
    library = read(options.file, options.source_format, first=options.first)
    start = time.perf_counter()
    checked = check_tables(library, options.check, threads=options.threads)
    sys.stdout.write(
        f"{library!r}\n{len(checked.numbers)} deals solved again, {checked.n_results} results: all equal, "
        f"{time.perf_counter() - start:.1f} s\n"
    )


def _solve_file(options: argparse.Namespace) -> None:
    """Solve the deals of a file and print the counts of results."""
    from dealerkit.doubledummy.ledger import open_ledger
    from dealerkit.doubledummy.tables import dd_table

    deals = _read_deals(options.file, options.source_format, options.first)
    start = time.perf_counter()
    with open_ledger() as ledger:
        tables = dd_table(
            deals, options.strains, options.declarers, threads=options.threads, executor=options.executor,
            checkpoint=options.checkpoint,
        )  # fmt: skip
    if options.json:
        sys.stdout.write(to_json(tabulate_tricks(deals, tables, ledger)))
        return
    if options.tables:
        for line, table in zip(deals.to_pbn(), tables, strict=True):
            rows = (" ".join(f"{tricks:2d}" if tricks >= 0 else " -" for tricks in row) for row in table)
            strains = "   ".join(f"{letter} {row}" for letter, row in zip(STRAIN_LETTERS, rows, strict=True))
            sys.stdout.write(f"{line}\n  {strains}\n")
    sys.stdout.write(
        f"{format_count(len(deals), 'deal')}, {format_count(ledger.requested, 'result')}: "
        f"{ledger.solved:,} solved, {ledger.requested - ledger.solved:,} known before, "
        f"{time.perf_counter() - start:.1f} s\n"
    )


def tabulate_tricks(deals: Deals, tables: np.ndarray, ledger: Ledger) -> Card:
    """Return the tricks of deals as a card: a row for each deal and strain, None for what was not solved."""
    from dealerkit.appearance.card import Card  # only JSON needs it

    columns = [Column("deal", kind="text"), Column("strain", kind="label")]
    columns += [Column(seat, kind="count") for seat in SEATS]
    rows = [
        [deal, strain, *(tricks if tricks >= 0 else None for tricks in row)]
        for deal, table in zip(deals.to_pbn(), tables.tolist(), strict=True)
        for strain, row in zip(STRAIN_LETTERS, table, strict=True)
    ]
    n_known = ledger.requested - ledger.solved
    population = (
        format_count(len(deals), "deal"), f"{ledger.solved:,} solved", f"{n_known:,} known before",
    )  # fmt: skip
    return Card("Double-dummy tricks", population=population, tables=[Table(columns, rows)])


def _read_deals(file: str, form: str | None, first: int | None) -> Deals:
    """Return the deals of a file, or of standard input, without tables, which would not be stored.

    Raises
    ------
    FileError
        The file cannot be read or contains no deal.
    DealError
        A deal is not valid; the message names its line.
    """
    from dealerkit.cards.deals import Deals
    from dealerkit.formats.library import read

    with contextlib.ExitStack() as stack, warnings.catch_warnings():
        warnings.simplefilter("ignore", SkippedWarning)  # the first is an error
        path = locate_input(stack, file)
        with restate_errors(path, file):
            library = read(path, form, first=first)
        if library.content.skipped:
            line, reason = library.content.skipped[0]
            raise DealError(f"{show_name(file)}:{line}: {reason}")
        return Deals(library.deals.hands, check=False)
