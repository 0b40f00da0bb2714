"""``dealerkit solve``: solve the deals of a file double dummy, keep the results in the store."""

from __future__ import annotations

import argparse
import contextlib
import sys
import time
import warnings
from typing import TYPE_CHECKING

from dealerkit.appearance.content import format_note
from dealerkit.appearance.numbers import format_count
from dealerkit.appearance.table import Column, Quantity, Table
from dealerkit.appearance.text import render_table
from dealerkit.cards.names import SEATS, STRAIN_LETTERS
from dealerkit.cli.arguments import add_shared
from dealerkit.cli.deal_files import locate_input, restate_errors, show_name
from dealerkit.cli.store import tabulate_store
from dealerkit.cli.study_files import print_card, to_json
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

        stream = sys.stderr if options.json else sys.stdout
        stream.write(f"the solver library is {install_library()}\n")
        if options.file is None and not options.json:
            return 0
    if options.check is not None:
        print_card(_check_file(options), options.json)
        return 0
    if options.file is not None:
        _solve_file(options)
        if options.json:
            return 0
    print_card(tabulate_store(current_store()), options.json)
    return 0


def _check_file(options: argparse.Namespace) -> Card:
    """Return how many tables of a file equal those of the solver as a card."""
    from dealerkit.appearance.card import Card
    from dealerkit.formats.checking import check_tables
    from dealerkit.formats.library import read

    if options.file is None:
        raise ArgumentError("--check needs a file with tables, such as rpdd.zrd")
    library = read(options.file, options.source_format, first=options.first)
    start = time.perf_counter()
    checked = check_tables(library, options.check, threads=options.threads)
    seconds = time.perf_counter() - start
    columns = [Column(name, kind="count") for name in ("deals", "results")] + [Column("seconds")]
    n_deals, n_results = len(checked.numbers), checked.n_results
    summary = (
        f"{format_count(n_deals, 'deal')} solved again, {format_count(n_results, 'result')}: all equal, ",
        Quantity(seconds, unit="s", decimals=1),
    )
    table = Table(columns, [[n_deals, n_results, seconds]], summary=(f"{library!r}", summary))
    return Card("Deals solved again", population=[f"{library!r}"], tables=[table], is_part=True)


def _solve_file(options: argparse.Namespace) -> None:
    """Solve the deals of a file and print the tricks if they are asked for, and the counts of results."""
    from dealerkit.doubledummy.ledger import open_ledger
    from dealerkit.doubledummy.tables import dd_table

    # Solve what the store does not have.
    deals = _read_deals(options.file, options.source_format, options.first)
    start = time.perf_counter()
    with open_ledger() as ledger:
        tables = dd_table(
            deals, options.strains, options.declarers, threads=options.threads, executor=options.executor,
            checkpoint=options.checkpoint,
        )  # fmt: skip
    seconds = time.perf_counter() - start

    # Print what was found.
    card = tabulate_tricks(deals, tables, ledger)
    if options.json:
        sys.stdout.write(to_json(card))
        return
    if options.tables:
        _print_tables(card.tables[0], len(STRAIN_LETTERS))
    n_results = format_count(ledger.requested, "result")
    counts = ", ".join(map(format_note, card.population[1:]))
    time_taken = Quantity(seconds, unit="s", decimals=1)
    print(format_note((f"{card.population[0]}, {n_results}: {counts}, ", time_taken)))


def _print_tables(table: Table, n_rows: int) -> None:
    """Print each deal of a table, with the tricks of the strains that were solved below it."""
    for first in range(0, len(table.rows), n_rows):
        (deal, *_), *_ = rows = table.rows[first : first + n_rows]
        solved = [row[1:] for row in rows if any(tricks is not None for tricks in row[2:])]
        print(deal)
        print(render_table(Table(table.columns[1:], solved)), end="")


def tabulate_tricks(deals: Deals, tables: np.ndarray, ledger: Ledger) -> Card:
    """Return the tricks of deals as a card: a row for each deal and strain, None for what was not solved."""
    from dealerkit.appearance.card import Card

    columns = [Column("deal", kind="text"), Column("strain", "", kind="name")]
    columns += [Column(seat, kind="count", missing="-") for seat in SEATS]
    rows = [
        [deal, strain, *(tricks if tricks >= 0 else None for tricks in row)]
        for deal, table in zip(deals.to_pbn(), tables.tolist(), strict=True)
        for strain, row in zip(STRAIN_LETTERS, table, strict=True)
    ]
    n_known = ledger.requested - ledger.solved
    population = (
        format_count(len(deals), "deal"),
        (Quantity(ledger.solved, "count"), " solved"),
        (Quantity(n_known, "count"), " known before"),
    )
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
