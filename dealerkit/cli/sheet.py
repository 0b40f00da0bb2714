"""`dealerkit sheet`: practice sheets made from the boards of files."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from dealerkit.cli.arguments import SHARED, Verb, add_shared, check_sheet, describe_exit_status
from dealerkit.cli.deal_files import (
    add_input_arguments,
    check_different,
    check_target,
    count_boards,
    open_inputs,
    read_partial_inputs,
    report_skipped,
    show_name,
)


def _add_sheet_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument(
        "file", nargs="+", metavar="FILE", help="a file of deals, or a folder of them; - is standard input"
    )
    parser.add_argument(
        "-o", "--output", dest="sheet", metavar="FILE", required=True, help="the HTML page to write"
    )
    parser.add_argument(
        "--hands",
        dest="sheet_hands",
        metavar="SEATS",
        help=f"{SHARED['--sheet-hands']['help']}; with --partial, the default is the seats with known cards",
    )
    add_shared(parser, "--problem", "--contract")
    add_shared(
        parser,
        "--lead-rule",
        default="fourth best",
        help="rule for the lead of a play problem, as for lead (default: 'fourth best')",
    )
    parser.add_argument(
        "--title", metavar="TEXT", help="heading of the sheet (default: the name of the file)"
    )
    parser.add_argument(
        "--solve", action="store_true", help="solve deals whose tricks are not known, for the answers"
    )
    parser.add_argument("--no-answers", action="store_true", help="leave out the pages with the answers")
    add_input_arguments(parser)
    add_shared(parser, "--partial")


def _run_sheet(options: argparse.Namespace) -> int:
    """Write the sheet; return the exit status."""
    from dealerkit.cards.deals import Deals
    from dealerkit.formats.content import Records
    from dealerkit.formats.library import JoinedDeals, Library

    check_sheet(options)
    check_target(Path(options.sheet))
    check_different("--output", options.sheet, *options.file)
    settings = {name: getattr(options, name) for name in ("solve", "problem", "contract", "lead_rule")}
    settings |= {
        "title": options.title or Path(show_name(options.file[0])).stem,
        "hands": options.sheet_hands,
        "answers": not options.no_answers,
    }
    if options.partial:
        boards = read_partial_inputs(options.file, options)
        boards.page(**settings).write(options.sheet)
        print(f"{count_boards(len(boards))} written to {options.sheet}", file=sys.stderr)
        return 0
    with open_inputs(options.file, options) as libraries:
        joined = JoinedDeals(libraries)
        parts = list(joined.batches())
        deals = Deals.concatenate(parts) if len(parts) > 1 else parts[0]
        Library(Records(deals, joined.texts)).page(**settings).write(options.sheet)
        print(f"{count_boards(len(deals))} written to {options.sheet}", file=sys.stderr)
        report_skipped(libraries)
    return 0


SHEET = Verb(
    "sheet",
    "write a practice sheet of the boards of files",
    "Write the boards of files of deals as a practice sheet: an HTML page to print, or one board at a time "
    "for a telephone. Boards whose tricks or auctions are known, or solved with --solve, have answers at the "
    "end.",
    _add_sheet_arguments,
    _run_sheet,
    describe_exit_status(),
    examples=(
        "dealerkit sheet club.pbn -o sheet.html",
        "dealerkit sheet club.pbn -o south.html --hands S --solve",
        "dealerkit sheet lesson.pbn -o lesson.html --partial",
        "dealerkit sheet club.pbn -o play.html --problem play --solve",
    ),
)
