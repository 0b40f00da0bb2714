"""`dealerkit deal`: deal hands and print them."""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from dealerkit.cards.names import SEATS
from dealerkit.cli.arguments import (
    EXIT_STATUS,
    INTERRUPTED,
    UNSATISFIABLE,
    add_shared,
    parse_seat,
    parse_vulnerability,
)
from dealerkit.cli.deal_files import FORMATS, Output, check_different, check_target, count_boards, solve_deals
from dealerkit.errors import ArgumentError, UnsatisfiableWarning

if TYPE_CHECKING:
    from dealerkit.cards.deals import Deals

HELP = "deal hands; write them as a file"
DESCRIPTION = (
    "Deal hands and print a diagram of each deal, or write them as a file of boards: PBN, LIN and others. "
    "Dealer and vulnerability of a board follow from its number unless they are given."
)
EPILOG = EXIT_STATUS.format("")
_PRINTED = {"diagram": "diagrams", "line": "dealer's printoneline", "deal": "the PBN notation of a deal"}
_WITH_TABLES = ("pbn", "csv", "parquet", "zrd", "gib")  # formats for the tables of any deals


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("count", nargs="?", type=int, default=1, help="number of deals (default: 1)")
    parser.add_argument("-s", "--seed", type=int, metavar="N", help="random seed (default: a new one)")
    parser.add_argument(
        "--given",
        metavar="CONDITION",
        help="print only deals that meet a condition of the dealer language, such as 'hcp(north) > 15'",
    )
    for seat in SEATS:
        parser.add_argument(f"--{seat}", metavar="CARDS", help=f"predealt cards of {seat}, such as SAKQ,H5")
    add_shared(parser, "--param", "--plan", "--swap", "--threads")
    group = parser.add_argument_group("output")
    printed = ", ".join(f"{name} ({text})" for name, text in _PRINTED.items())
    group.add_argument(
        "-o", "--output", metavar="FILE", help="write a file, in the format that the end of its name says"
    )
    group.add_argument(
        "--format",
        metavar="FORMAT",
        help=f"format of the file, or of what is printed: {FORMATS}; {printed} (default: diagram)",
    )
    add_shared(group, "--sheet", "--sheet-hands")
    group.add_argument("--first-board", type=int, metavar="N", help="number of the first board (default: 1)")
    group.add_argument("--dealer", type=parse_seat, metavar="SEAT", help="dealer of all boards")
    group.add_argument(
        "--vulnerable",
        type=parse_vulnerability,
        metavar="SIDES",
        help="vulnerability of all boards: none, ns, ew or both",
    )
    group.add_argument("--event", metavar="TEXT", help="name of the event, in PBN; heading of the sheet")
    group.add_argument(
        "--solve",
        action="store_true",
        help="add the double-dummy tables of the deals, and par in PBN and the answers of the sheet",
    )


def run_verb(options: argparse.Namespace) -> int:
    """Deal, and print or write; return the exit status."""
    from dealerkit.language.script_variables import parse_variables
    from dealerkit.simulation.run import deal

    if options.first_board is not None and options.first_board < 1:
        raise ArgumentError(f"--first-board is {options.first_board}; it takes 1 or more")
    output = _open_output(options)
    if options.sheet is not None:
        check_target(Path(options.sheet))
        check_different("--sheet", options.sheet, options.output)
    seed = int.from_bytes(os.urandom(4), "little") if options.seed is None else options.seed
    predeal = {seat: cards for seat in SEATS if (cards := getattr(options, seat))}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UnsatisfiableWarning)
        deals = deal(
            options.count,
            seed=seed,
            predeal=predeal,
            given=options.given,
            params=parse_variables(options.param),
            plan=options.plan,
            swap=options.swap,
            threads=options.threads,
        )
    for warning in caught:
        warnings.showwarning(warning.message, warning.category, warning.filename, warning.lineno)
    is_unsatisfiable = any(issubclass(warning.category, UnsatisfiableWarning) for warning in caught)
    is_interrupted = len(deals) < options.count and not is_unsatisfiable
    if output is None and (options.sheet is None or options.format is not None):
        _print_deals(_number_boards(deals, options), options.format)
    files = [file for file in (output, options.sheet) if file is not None]
    if files and not is_unsatisfiable and not is_interrupted:
        if options.solve:
            deals = deals.replace(tables=solve_deals(deals, options.threads))
        if output is not None:
            output.write(_number_boards(deals, options))
        if options.sheet is not None:
            _write_sheet(_number_boards(deals, options), options, seed)
        names = " and ".join(map(str, files))
        print(f"{count_boards(len(deals))} written to {names}, seed {seed}", file=sys.stderr)
    if is_unsatisfiable:
        return UNSATISFIABLE
    return INTERRUPTED if is_interrupted else 0


def _open_output(options: argparse.Namespace) -> Output | None:
    """Return the file that is written; None where text for people is printed."""
    if _is_printed(options):
        if options.sheet is not None:
            return None
        if options.solve:
            raise ArgumentError("--solve needs a file, such as -o club.pbn, or --format pbn")
        if options.event is not None:
            raise ArgumentError("--event needs a file, such as -o club.pbn, or --format pbn")
        return None
    form = "oneline" if options.format == "line" else options.format
    output = Output(options.output or "-", form, event=options.event)
    name = output.entry.name
    if options.solve and name not in (*_WITH_TABLES, "zdd"):  # a .zdd file holds Pavlicek's deals only
        raise ArgumentError(f"--solve: {name} has no place for tables; use {', '.join(_WITH_TABLES)}")
    return output


def _is_printed(options: argparse.Namespace) -> bool:
    """Return whether the deals are printed as text for people, not as a file of deals."""
    return options.output is None and options.format in (None, *_PRINTED)


def _number_boards(deals: Deals, options: argparse.Namespace) -> Deals:
    """Return the deals with their boards' numbers; deals that are printed, only if an option sets one."""
    choices = (options.first_board, options.dealer, options.vulnerable)
    if _is_printed(options) and choices == (None, None, None):
        return deals
    first = 1 if options.first_board is None else options.first_board
    return deals.number_boards(first, dealer=options.dealer, vulnerable=options.vulnerable)


def _write_sheet(deals: Deals, options: argparse.Namespace, seed: int) -> None:
    title = options.event or "Practice"
    deals.page(hands=options.sheet_hands, title=title, note=f"seed {seed}").write(options.sheet)


def _print_deals(deals: Deals, form: str | None) -> None:
    if form == "deal":
        lines = deals.to_pbn()
    elif form == "line":
        lines = deals.to_lines()
    else:
        lines = [f"{deal.diagram()}\n" for deal in deals]
    sys.stdout.writelines(f"{line}\n" for line in lines)
