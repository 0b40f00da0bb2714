"""`dealerkit filter`: the deals of files that meet a condition."""

from __future__ import annotations

import argparse
import sys

from dealerkit.appearance.numbers import format_count
from dealerkit.cli.arguments import add_shared, describe_exit_status, locate_text
from dealerkit.cli.deal_files import (
    Output,
    add_input_arguments,
    add_output_arguments,
    open_inputs,
    report_skipped,
    write_joined,
)

HELP = "select the deals of a file that meet a condition"
DESCRIPTION = (
    "Write the boards that meet a condition of the dealer language, with everything that the file says about "
    "them. Double-dummy results are taken from the tables of the file; deals without tables are solved."
)
EPILOG = describe_exit_status()


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("file", nargs="+", metavar="FILE", help="a file of deals; - is standard input")
    parser.add_argument(
        "--given",
        type=locate_text,
        metavar="CONDITION",
        required=True,
        help="a condition of the dealer language, such as 'hcp(north) > 15 and dds(north, notrump) >= 9'",
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", default="-", help="the file to write (default: standard output)"
    )
    add_shared(parser, "--param")
    add_input_arguments(parser)
    add_output_arguments(parser)


def run_verb(options: argparse.Namespace) -> int:
    """Select and write; return the exit status."""
    from dealerkit.language.script_variables import parse_variables

    output = Output(options.output, options.format, event=options.event)
    params = parse_variables(options.params)
    with open_inputs(options.file, options, output) as libraries:
        chosen = [library.where(options.given, params=params) for library in libraries]
        total = sum(map(len, chosen))
        write_joined(chosen, output)
        n_deals = sum(map(len, libraries))
        print(f"{total:,} of {format_count(n_deals, 'deal')} written to {output}", file=sys.stderr)
        report_skipped(libraries)
    return 0
