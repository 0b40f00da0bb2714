"""`dealerkit translate`: a script written in another dialect."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from dealerkit.cli.arguments import DIALECTS, add_shared, join_scripts, locate_script


def add_parser(verbs: Any) -> argparse.ArgumentParser:
    """Return the parser of the verb, added to those of the command."""
    parser: argparse.ArgumentParser = verbs.add_parser(
        "translate",
        help="write a script in another dialect",
        description="Write a script in the language of dealer (v1), DealerV2 (v2) or in the modern language. "
        "Standard error lists what has a slightly different meaning there.",
    )
    add_shared(parser, "file", "--with")
    parser.add_argument("--to", required=True, choices=DIALECTS, help="dialect to write")
    parser.add_argument(
        "--from",
        dest="dialect",
        default="modern",
        choices=DIALECTS,
        help="dialect of the script (default: modern)",
    )
    for number in range(10):
        parser.add_argument(
            f"-{number}",
            dest=f"param_{number}",
            metavar="TEXT",
            help="value of the script variable $0, and so on to -9" if number == 0 else argparse.SUPPRESS,
        )
    return parser


def run_verb(options: argparse.Namespace) -> int:
    """Translate and print; return the exit status."""
    from dealerkit.language.dialects import find_rules
    from dealerkit.translate.scripts import translate

    params = [getattr(options, f"param_{number}") for number in range(10)]
    script = join_scripts(options.before, locate_script(options.file), options.dialect, params)
    text, warnings = translate(script, find_rules(options.to))
    sys.stdout.write(text)
    sys.stdout.flush()
    sys.stderr.writelines(f"dealerkit: {warning}\n" for warning in warnings)
    return 0
