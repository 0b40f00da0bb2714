"""`dealerkit check`: what of a script another program refuses, and its likely mistakes."""

from __future__ import annotations

import argparse
import sys

from dealerkit.cli.arguments import add_shared, locate_script
from dealerkit.cli.study_files import to_json

HELP = "check a script for other programs and for mistakes"
DESCRIPTION = (
    "Report what of a script a program refuses or takes in another way, its limits, and the likely mistakes, "
    "one finding to a line: FILE:line:column: kind: message, then the line of the script and a caret."
)
EPILOG = "Exit status: 0 if nothing is found; 1 if something is; 2 if the script cannot be read."
FOUND = 1  # exit status
TARGETS = ("bbo", "v1", "v2", "modern")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    add_shared(parser, "file", "--param", "--include", "--json")
    parser.add_argument(
        "--for",
        dest="target",
        default="modern",
        choices=TARGETS,
        help="program that is to run the script: dealer (v1), DealerV2 (v2), dealerkit (modern, the default) "
        "or the dealer box of Bridge Base Online (bbo)",
    )


def run_verb(options: argparse.Namespace) -> int:
    """Check and print; return the exit status."""
    from dealerkit.advice.check import check
    from dealerkit.language.script_variables import parse_variables

    findings = check(
        locate_script(options.file),
        options.target,
        params=parse_variables(options.params),
        include=options.include,
    )
    if options.json:
        sys.stdout.write(to_json(findings))
    else:
        sys.stdout.writelines(f"{finding}\n" for finding in findings)
    return FOUND if findings else 0
