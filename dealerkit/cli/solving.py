"""The double-dummy verbs: `dealerkit par`, `solve` and `store`."""

from __future__ import annotations

import argparse
import contextlib
import re
import sys
import time
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from dealerkit.appearance.content import Note, format_note
from dealerkit.appearance.numbers import format_count
from dealerkit.appearance.screen import Screen
from dealerkit.appearance.table import Column, Quantity, Table
from dealerkit.appearance.text import render_table
from dealerkit.cards.names import SEATS, STRAIN_LETTERS
from dealerkit.cli.arguments import (
    SHARED,
    STUDY_FILES,
    Verb,
    add_shared,
    describe_exit_status,
)
from dealerkit.cli.deal_files import (
    locate_input,
    read_input,
    report_skipped,
    restate_errors,
    show_name,
    solve_deals,
)
from dealerkit.cli.results import check_outputs, print_result, to_json, write_outputs
from dealerkit.cli.terminal import find_screen, write_text
from dealerkit.errors import ArgumentError, DealError, SkippedWarning

if TYPE_CHECKING:
    import numpy as np

    from dealerkit.appearance.card import Card
    from dealerkit.cards.deals import Deals
    from dealerkit.doubledummy.ledger import Ledger
    from dealerkit.doubledummy.store.contents import Verification
    from dealerkit.doubledummy.store.database import Store

_DEAL = re.compile(r"\s*[NESWnesw]:")  # a deal in the notation of PBN
_STORE_STATUS = describe_exit_status(first="if verify finds damage")
STORE_SUFFIX = ".sqlite"


# ------------------------------------------------------------ par


def _add_par_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument(
        "deals",
        nargs="+",
        metavar="FILE|DEAL",
        help="files of deals: PBN, LIN, CSV ..., or - for standard input; or deals as 'N:AKQ.T98... ...'",
    )
    add_shared(
        parser,
        "--vulnerable",
        help="none, NS, EW or both, for all boards (default: that of the file, or of the board's number)",
    )
    add_shared(
        parser, "--dealer", help="dealer of all boards (default: that of the file, or of the board's number)"
    )
    add_shared(parser, "--from", "--distinct", "--threads", *STUDY_FILES)


def _run_par(options: argparse.Namespace) -> int:
    """Solve the deals and print par; return the exit status."""
    from dealerkit.cards.deals import Deals
    from dealerkit.cards.names import SEATS, VULNERABILITIES
    from dealerkit.studies.par_table import ParTable, tabulate_par

    check_outputs(options)
    # Read the deals: each word is a deal or a file.
    texts = [name for name in options.deals if _DEAL.match(name)]
    parts: list[Deals] = []
    with contextlib.ExitStack() as stack:
        for name in options.deals:
            if name in texts:
                parts.append(Deals.from_pbn(name))
                continue
            library = read_input(stack, name, options)
            report_skipped([library])
            parts.append(library.deals)

        # Solve the deals without tables, and join the par results.
        import pandas as pd

        vulnerable = None if options.vulnerable is None else VULNERABILITIES[options.vulnerable]
        dealer = None if options.dealer is None else SEATS[options.dealer]
        tables = []
        for deals in parts:
            deals = deals.replace(tables=solve_deals(deals, options.threads))
            tables.append(tabulate_par(deals, vulnerable, dealer))
    frame = pd.concat([table.frame for table in tables], ignore_index=True)
    table = ParTable(frame, provenance=tables[0].provenance)
    print_result(table, options)
    write_outputs(table, options)
    return 0


PAR = Verb(
    "par",
    "compute par of the boards of files, or of deals",
    "Compute par: the score if both sides bid and play perfectly with all cards visible, and the contracts "
    "that give it. Deals whose file has no tricks are solved double dummy.",
    _add_par_arguments,
    _run_par,
    examples=(
        "dealerkit par evening.pbn",
        "dealerkit par evening.pbn --vulnerable both --csv par.csv",
    ),
)


# ------------------------------------------------------------ solve


def _add_solve_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    add_shared(
        parser,
        "file",
        help="a file of deals: PBN, LIN, CSV ..., or one deal per line as in printoneline or the PBN tag "
        "Deal; "
        "- is standard input",
    )
    parser.add_argument("--strains", default="SHDCN", metavar="LETTERS", help="strains (default: SHDCN)")
    parser.add_argument("--declarers", default="NESW", metavar="LETTERS", help="declarers (default: NESW)")
    add_shared(parser, "--from", "--distinct", "--threads", "--scheduler", "--checkpoint")
    parser.add_argument("--tables", action="store_true", help="print the tricks of each deal")
    add_shared(parser, "--json")
    parser.add_argument(
        "--check",
        type=int,
        metavar="N",
        help="solve N deals of a file with tables again and compare: the first, the last, and others at "
        "random",
    )
    add_shared(parser, "--first", help="number of the first deal, if the file is a part of a .zdd file")
    parser.add_argument(
        "--install-solver",
        action="store_true",
        help="download the solver library DDS with pip, for a version of Python that endplay does not "
        "support",
    )


def _run_solve(options: argparse.Namespace) -> int:
    """Solve the deals, or show the store; return the exit status."""
    from dealerkit.doubledummy.store.database import current_store

    if options.install_solver:
        from dealerkit.doubledummy.library import install_library

        stream = sys.stderr if options.json else sys.stdout
        stream.write(f"the solver library is {install_library()}\n")
        if options.file is None and not options.json:
            return 0
    if options.check is not None:
        print_result(_check_file(options), options)
        return 0
    if options.file is not None:
        _solve_file(options)
        if options.json:
            return 0
    print_result(tabulate_store(current_store()), options)
    return 0


def _check_file(options: argparse.Namespace) -> Card:
    """Return a card that says how many tables of a file equal those of the solver."""
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
    """Solve the deals of a file; print the tricks if the option is set, and the counts of results."""
    from dealerkit.doubledummy.ledger import open_ledger
    from dealerkit.doubledummy.tables import dd_table

    # Solve the deals that the store does not have.
    deals = _read_deals(options.file, options.source_format, options.first, options.distinct)
    start = time.perf_counter()
    with open_ledger() as ledger:
        tables = dd_table(
            deals, options.strains, options.declarers, threads=options.threads, executor=options.executor,
            checkpoint=options.checkpoint,
        )  # fmt: skip
    seconds = time.perf_counter() - start

    # Print the results.
    card = tabulate_tricks(deals, tables, ledger)
    if options.json:
        sys.stdout.write(to_json(card))
        return
    if options.tables:
        _print_tables(card.tables[0], len(STRAIN_LETTERS), find_screen(options))
    n_results = format_count(ledger.requested, "result")
    counts = ", ".join(map(format_note, card.population[1:]))
    time_taken = Quantity(seconds, unit="s", decimals=1)
    print(format_note((f"{card.population[0]}, {n_results}: {counts}, ", time_taken)))


def _print_tables(table: Table, n_rows: int, screen: Screen) -> None:
    """Print each deal of a table, and below it the tricks of the strains that were solved."""
    for first in range(0, len(table.rows), n_rows):
        (deal, *_), *_ = rows = table.rows[first : first + n_rows]
        solved = [row[1:] for row in rows if any(tricks is not None for tricks in row[2:])]
        print(deal)
        write_text(render_table(Table(table.columns[1:], solved), screen), screen)


def tabulate_tricks(deals: Deals, tables: np.ndarray, ledger: Ledger) -> Card:
    """Return the tricks of deals as a card: one row per deal and strain, None for a result not solved."""
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


def _read_deals(file: str, form: str | None, first: int | None, distinct: bool) -> Deals:
    """Return the deals of a file or of standard input without their tables, which would not be stored.

    Raises
    ------
    FileError
        The file cannot be read or has no deal.
    DealError
        A deal is invalid; the message gives its line.
    """
    from dealerkit.cards.deals import Deals
    from dealerkit.formats.library import read

    with contextlib.ExitStack() as stack, warnings.catch_warnings():
        warnings.simplefilter("ignore", SkippedWarning)  # its first skipped board is an error here
        path = locate_input(stack, file)
        with restate_errors(path, file):
            library = read(path, form, distinct=distinct, first=first)
        if library.content.skipped:
            line, reason = library.content.skipped[0]
            raise DealError(f"{show_name(file)}:{line}: {reason}")
        return Deals(library.deals.hands, check=False)


SOLVE = Verb(
    "solve",
    "solve deals double dummy; show the store of solved deals",
    "Solve the deals of a file double dummy and keep the tricks in the store, where all later runs "
    "look them up. Without a file, show the path and the size of the store.",
    _add_solve_arguments,
    _run_solve,
    examples=(
        "dealerkit solve evening.pbn --tables",
        "dealerkit solve deals.zrd --check 100",
    ),
)


# ------------------------------------------------------------ store


def _add_store_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    add_shared(parser, "--json")
    works = parser.add_subparsers(dest="work", metavar="WORK")
    text = "add the results of other stores; of a damaged store, those that are intact"
    merge = works.add_parser("merge", help=text, description=f"{text[0].upper()}{text[1:]}.")
    merge.add_argument(
        "files", nargs="+", metavar="FILE", help="the file of another store; it is not changed"
    )
    text = "read the whole store and check its structure, checksums and records"
    verify = works.add_parser(
        "verify", help=text, description=f"{text[0].upper()}{text[1:]}.", epilog=_STORE_STATUS
    )
    verify.add_argument("file", nargs="?", help="the file of a store (default: that of DEALERKIT_STORE)")
    text = "write a copy of the store, or its solved deals"
    export = works.add_parser("export", help=text, description=f"{text[0].upper()}{text[1:]}.")
    export.add_argument(
        "file",
        help=f"with the suffix {STORE_SUFFIX}, a copy of the store, for example on a read-only medium; "
        "with that of a format of deals (.pbn, .zdd, .parquet ...), the deals whose twenty results are "
        "known, with their tables",
    )
    for work in works.choices.values():  # the default value is that of the switch before the word
        work.add_argument("--json", **SHARED["--json"] | {"default": argparse.SUPPRESS})


def _run_store(options: argparse.Namespace) -> int:
    """Show, merge, verify or export the store; return the exit status."""
    from dealerkit.appearance.card import Card
    from dealerkit.doubledummy.store.contents import verify_file
    from dealerkit.doubledummy.store.database import current_store

    store = current_store()
    status = 0
    if options.work == "merge":
        n_deals = store.merge(*options.files)
        card = tabulate_store(store, f"{format_count(n_deals, 'deal')} read")
    elif options.work == "verify":
        verification = verify_file(Path(options.file) if options.file else store.require_path())
        card, status = tabulate_verification(verification), int(bool(verification.faults))
    elif options.work == "export":
        if Path(options.file).suffix.lower() == STORE_SUFFIX:
            n_deals = store.export(options.file)
        else:
            deals = store.deals()
            deals.write(options.file)
            n_deals = len(deals)
        card = Card(f"{format_count(n_deals, 'deal')} written to {options.file}", is_part=True)
    else:
        card = tabulate_store(store)
    print_result(card, options)
    return status


def tabulate_store(store: Store, done: str = "") -> Card:
    """Return a card with the file, the number of deals and the size of a store, and what was done to it."""
    from dealerkit.appearance.card import Card

    columns = [
        Column("file", kind="text"),
        Column("deals", kind="count"),
        Column("size", unit="MB"),
        Column("limit", unit="MB"),
    ]
    rows, summary = [], list[Note]([done] if done else [])
    if store.path is None:
        summary.append("the store is off")
    else:
        n_deals, size = len(store), store.size / 1e6
        rows.append([str(store.path), n_deals, size, store.limit])
        sizes = Quantity(size, decimals=1), " of ", Quantity(store.limit, unit="MB", decimals=0)
        summary.append((f"{store.path}: {format_count(n_deals, 'deal')}, ", *sizes))
    table = Table(columns, rows, summary=summary)
    return Card("Store of solved deals", done, tables=[table], is_part=True)


def tabulate_verification(verification: Verification) -> Card:
    """Return a card with the contents of a store file, and its faults as notes."""
    from dealerkit.appearance.card import Card

    path, n_deals, n_results, faults = (
        verification.path, verification.n_deals, verification.n_results, verification.faults,
    )  # fmt: skip
    columns = [
        Column("file", kind="text"), Column("deals", kind="count"), Column("results", kind="count"),
    ]  # fmt: skip
    counts = f"{format_count(n_deals, 'deal')}, {format_count(n_results, 'result')} known exactly"
    table = Table(columns, [[str(path), n_deals, n_results]], summary=(f"{path}: {counts}",))
    verdict = f"{format_count(len(faults), 'fault')} found" if faults else "no fault was found"
    return Card("Verification of the store", verdict, tables=[table], notes=faults, is_part=True)


STORE = Verb(
    "store",
    "show, merge, verify or export the store of solved deals",
    "Without a further word, show the path, the number of deals and the size of the store. The variable "
    "DEALERKIT_STORE sets another file.",
    _add_store_arguments,
    _run_store,
    _STORE_STATUS,
    examples=(
        "dealerkit store",
        "dealerkit store merge laptop.sqlite",
        "dealerkit store export solved.zdd",
    ),
)
