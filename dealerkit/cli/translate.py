"""`dealerkit translate`: a script written in another dialect."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from dealerkit.appearance.numbers import format_significant
from dealerkit.cli.arguments import DIALECTS, add_shared, join_scripts, locate_script

if TYPE_CHECKING:
    from dealerkit.language.dialects import Rules
    from dealerkit.language.script import Script

SEED = 1  # of the measured shares, so that equal scripts give equal blocks
N_MATCHES = 20_000  # deals of each hand type on which a share that cannot be counted is measured
MAX_DEALT = 10_000  # for each produced deal; dealer stops after ten million deals

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

    parser.add_argument(
        "--level",
        action="store_true",
        help="level the hand types (of `level`, or HandType_ variables) by a block of keep rates",
    )


def run_verb(options: argparse.Namespace) -> int:
    """Translate and print; return the exit status."""
    from dealerkit.language.dialects import find_rules
    from dealerkit.language.script_variables import parse_variables
    from dealerkit.translate.scripts import translate

    params = parse_variables(options.params)
    script = join_scripts(
        options.before, locate_script(options.file), options.dialect, params, options.include
    )
    if options.level:
        text, warnings = _translate_levelled(script, find_rules(options.to))
    else:
        text, warnings = translate(script, find_rules(options.to))
    sys.stdout.write(text)
    sys.stdout.flush()
    sys.stderr.writelines(f"dealerkit: {warning}\n" for warning in warnings)
    return 0


def _translate_levelled(script: Script, rules: Rules) -> tuple[str, tuple[str, ...]]:
    """Return a script with a block that levels its deals, and warnings."""
    from dealerkit.simulation.levelling import measure_types
    from dealerkit.translate.levelling import find_keep_rates, find_levelling, translate_levelled

    levelled = find_levelling(script)
    rates = [rate.value for rate in measure_types(levelled.unlevelled, SEED, N_MATCHES)]
    text, warnings = translate_levelled(levelled, rates, rules)
    keep_rates = find_keep_rates(levelled.level, rates)
    n_dealt = 1 / sum(keep * rate for keep, rate in zip(keep_rates, rates, strict=True))
    about = f"about {format_significant(n_dealt)} deals are dealt for each that is produced"
    if n_dealt > MAX_DEALT:
        about += "; set a limit that allows for it, such as `generate 100000000`"
    return text, (*warnings, about)
