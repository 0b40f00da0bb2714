"""``dealerkit store``: show, merge, verify and export the store of solved deals."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from dealerkit.cli.arguments import describe_exit_status

HELP = "show, merge, verify or export the store of solved deals"
DESCRIPTION = (
    "Without a word after it: show the path of the store, its number of deals and its size. The variable "
    "DEALERKIT_STORE names another file."
)
EPILOG = describe_exit_status(first="if verify finds damage")
STORE_SUFFIX = ".sqlite"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
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


def run_verb(options: argparse.Namespace) -> int:
    """Do the work on the store; return the exit status."""
    from dealerkit.doubledummy.store.contents import verify_file
    from dealerkit.doubledummy.store.database import current_store

    store = current_store()
    status = 0
    if options.work == "merge":
        n_deals = store.merge(*options.files)
        text = f"{n_deals:,} deals read\n{store!r}"
    elif options.work == "verify":
        verification = verify_file(Path(options.file) if options.file else store.require_path())
        text, status = str(verification), int(bool(verification.faults))
    elif options.work == "export":
        if Path(options.file).suffix.lower() == STORE_SUFFIX:
            n_deals = store.export(options.file)
        else:
            deals = store.deals()
            deals.write(options.file)
            n_deals = len(deals)
        text = f"{n_deals:,} deals written to {options.file}"
    else:
        text = repr(store)
    sys.stdout.write(f"{text}\n")
    return status
