"""`dealerkit par`: par of boards."""

from __future__ import annotations

import argparse
import contextlib
import re
from typing import TYPE_CHECKING

from dealerkit.cli.arguments import add_shared, parse_seat, parse_vulnerability

if TYPE_CHECKING:
    from dealerkit.cards.deals import Deals

HELP = "compute par of the boards of files, or of deals"
DESCRIPTION = (
    "Compute par: the score if both sides bid perfectly with all cards visible, and the contracts that score "
    "it. Deals without tricks in their file are solved double dummy."
)
_DEAL = re.compile(r"\s*[NESWnesw]:")  # a deal in the notation of PBN


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument(
        "deals",
        nargs="+",
        metavar="FILE|DEAL",
        help="files of deals: PBN, LIN, CSV ..., or - for standard input; or deals as 'N:AKQ.T98... ...'",
    )
    parser.add_argument(
        "--vulnerable",
        type=parse_vulnerability,
        metavar="SIDES",
        help="none, NS, EW or both, for all boards (default: as in the file, else by the board's number)",
    )
    parser.add_argument(
        "--dealer",
        type=parse_seat,
        metavar="SEAT",
        help="for all boards (default: as in the file, else by the board's number)",
    )
    add_shared(parser, "--from", "--threads", "--json", "--plot", "--html", "--csv", "--latex")


def run_verb(options: argparse.Namespace) -> int:
    """Solve and print; return the exit status."""
    from dealerkit.cards.deals import Deals
    from dealerkit.cli.deal_files import locate_input, report_skipped, restate_errors, solve_deals
    from dealerkit.cli.study_files import check_outputs, print_result, write_outputs
    from dealerkit.formats.library import read
    from dealerkit.studies.par_table import ParTable, tabulate_par

    check_outputs(options)
    texts = [name for name in options.deals if _DEAL.match(name)]
    parts: list[Deals] = []
    with contextlib.ExitStack() as stack:
        for name in options.deals:
            if name in texts:
                parts.append(Deals.from_pbn(name))
                continue
            path = locate_input(stack, name)
            with restate_errors(path, name):
                library = read(path, options.source_format)
            report_skipped([library])
            parts.append(library.deals)
        import pandas as pd

        frames = []
        for deals in parts:
            deals = deals.replace(tables=solve_deals(deals, options.threads))
            frames.append(tabulate_par(deals, options.vulnerable, options.dealer).frame)
    table = ParTable(pd.concat(frames, ignore_index=True))
    print_result(table, options)
    write_outputs(table, options)
    return 0
