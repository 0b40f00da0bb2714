"""`dealerkit translate`: a script in the words of another program."""

from __future__ import annotations

import argparse
import sys
from typing import Any

DIALECTS = ("v1", "v2", "modern")


def add(verbs: Any) -> argparse.ArgumentParser:
    """Add the verb's arguments."""
    translate: argparse.ArgumentParser = verbs.add_parser(
        "translate",
        help="write a script in another dialect",
        description="Write a script in the words of dealer (v1), DealerV2 (v2) or the modern language. What "
        "means something slightly different there is told on standard error.",
    )
    translate.add_argument("file", nargs="?", help="the script; standard input if absent or -")
    translate.add_argument("--to", required=True, choices=DIALECTS, help="dialect of the text")
    translate.add_argument(
        "--from", dest="dialect", default="modern", choices=DIALECTS, help="of the script (default: modern)"
    )
    translate.add_argument(
        "--with", dest="before", action="append", default=[], metavar="FILE", help="a script that it rests on"
    )
    for number in range(10):
        translate.add_argument(
            f"-{number}",
            dest=f"param_{number}",
            metavar="TEXT",
            help="value of the script variable $0, and so on to -9" if number == 0 else argparse.SUPPRESS,
        )
    return translate


def execute(options: argparse.Namespace) -> int:
    """Translate and print; returns the exit status."""
    from dealerkit.cli.scripts import read_with, script_argument
    from dealerkit.language.dialects import find_rules
    from dealerkit.translate.scripts import translate

    params = [getattr(options, f"param_{number}") for number in range(10)]
    script = read_with(options.before, script_argument(options.file), options.dialect, params)
    text, warnings = translate(script, find_rules(options.to))
    sys.stdout.write(text)
    sys.stdout.flush()
    sys.stderr.writelines(f"dealerkit: {warning}\n" for warning in warnings)
    return 0
