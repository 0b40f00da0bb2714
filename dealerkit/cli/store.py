"""``dealerkit store``: show, merge, verify and export the store of solved deals."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from dealerkit.appearance.content import Note
from dealerkit.appearance.numbers import format_count
from dealerkit.appearance.table import Column, Quantity, Table
from dealerkit.cli.arguments import SHARED, add_shared, describe_exit_status
from dealerkit.cli.study_files import print_card

if TYPE_CHECKING:
    from dealerkit.appearance.card import Card
    from dealerkit.doubledummy.store.contents import Verification
    from dealerkit.doubledummy.store.database import Store

HELP = "show, merge, verify or export the store of solved deals"
DESCRIPTION = (
    "Without a word after it: show the path of the store, its number of deals and its size. The variable "
    "DEALERKIT_STORE names another file."
)
EPILOG = describe_exit_status(first="if verify finds damage")
STORE_SUFFIX = ".sqlite"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    add_shared(parser, "--json")
    works = parser.add_subparsers(dest="work", metavar="WORK")
    text = "add the results of other stores, of damaged ones as far as they are intact"
    merge = works.add_parser("merge", help=text, description=f"{text[0].upper()}{text[1:]}.")
    merge.add_argument("files", nargs="+", metavar="FILE", help="a file of the store; it is not changed")
    text = "read the whole store and check its structure, checksums and records"
    verify = works.add_parser("verify", help=text, description=f"{text[0].upper()}{text[1:]}.", epilog=EPILOG)
    verify.add_argument("file", nargs="?", help="another file than that of DEALERKIT_STORE")
    text = "write a copy of the store, or its solved deals"
    export = works.add_parser("export", help=text, description=f"{text[0].upper()}{text[1:]}.")
    export.add_argument(
        "file",
        help=f"with the suffix {STORE_SUFFIX} a copy of the store, for example for a read-only medium; "
        "with the suffix of a format of deals (.pbn, .zdd, .parquet ...) the deals whose twenty results are "
        "known, with their tables",
    )
    for work in works.choices.values():  # the default is that of the switch before the word
        work.add_argument("--json", **SHARED["--json"] | {"default": argparse.SUPPRESS})


def run_verb(options: argparse.Namespace) -> int:
    """Do the work on the store; return the exit status."""
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
    print_card(card, options.json)
    return status


def tabulate_store(store: Store, done: str = "") -> Card:
    """Return the file, the deals and the size of a store as a card, with what has been done to it."""
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
    """Return what a file of the store contains as a card, with its faults as notes."""
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
