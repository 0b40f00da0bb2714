"""`dealerkit convert`: files of deals written in another format."""

from __future__ import annotations

import argparse
import sys

from dealerkit.cli.arguments import describe_exit_status
from dealerkit.cli.deal_files import (
    Output,
    add_input_arguments,
    add_output_arguments,
    count_boards,
    open_inputs,
    report_skipped,
    write_joined,
)

HELP = "write files of deals in another format"
DESCRIPTION = (
    "Write the boards of one or several files of deals as one file, in the format that the end of its name "
    "says: .pbn, .lin, .txt (dealer's printoneline), .csv, .tsv, .parquet, .zrd, .zdd, .dat (library.dat) or "
    ".dl52. Boards that cannot be read are listed on standard error."
)
EPILOG = describe_exit_status()


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("input", nargs="+", metavar="INPUT", help="a file of deals; - is standard input")
    parser.add_argument("output", metavar="OUTPUT", help="the file to write; - is standard output")
    add_input_arguments(parser)
    add_output_arguments(parser)


def run_verb(options: argparse.Namespace) -> int:
    """Convert; return the exit status."""
    output = Output(options.output, options.format, event=options.event)
    with open_inputs(options.input, options, output) as libraries:
        total = sum(map(len, libraries))
        write_joined(libraries, output)
        print(f"{count_boards(total)} written to {output}", file=sys.stderr)
        report_skipped(libraries)
    return 0
