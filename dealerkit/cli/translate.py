"""`dealerkit translate`: a script written in another dialect."""

from __future__ import annotations

import argparse
import sys

from dealerkit.cli.arguments import DIALECTS, add_shared, join_scripts, locate_script

HELP = "write a script in another dialect"
DESCRIPTION = (
    "Write a script in the language of dealer (v1), DealerV2 (v2) or in the modern language. Standard "
    "error lists what has a slightly different meaning there."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    add_shared(parser, "file", "--with", "--param", "--include")
    parser.add_argument("--to", required=True, choices=DIALECTS, help="dialect to write")
    parser.add_argument(
        "--from",
        dest="dialect",
        default="modern",
        choices=DIALECTS,
        help="dialect of the script (default: modern)",
    )


def run_verb(options: argparse.Namespace) -> int:
    """Translate and print; return the exit status."""
    from dealerkit.language.dialects import find_rules
    from dealerkit.language.script_variables import parse_variables
    from dealerkit.translate.scripts import translate

    params = parse_variables(options.param)
    script = join_scripts(
        options.before, locate_script(options.file), options.dialect, params, options.include
    )
    text, warnings = translate(script, find_rules(options.to))
    sys.stdout.write(text)
    sys.stdout.flush()
    sys.stderr.writelines(f"dealerkit: {warning}\n" for warning in warnings)
    return 0
