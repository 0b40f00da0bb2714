"""The verbs about a script: `dealerkit explain`, `check` and `translate`."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from dealerkit.appearance.numbers import format_significant
from dealerkit.cli.arguments import DIALECTS, FAILED, Verb, add_shared, join_scripts, locate_script
from dealerkit.cli.language import print_functions
from dealerkit.cli.results import print_result, to_json, write_outputs
from dealerkit.cli.terminal import find_screen, write_text

if TYPE_CHECKING:
    from dealerkit.language.dialects import Rules
    from dealerkit.language.script import Script
    from dealerkit.language.script_variables import Params

FOUND = 1  # exit status
TARGETS = ("bbo", "v1", "v2", "modern")
SEED = 1  # for measured shares, so that equal scripts give equal blocks
N_MATCHES = 20_000  # number of deals for a hand type whose share must be measured, not counted
MAX_DEALT = 10_000  # deals dealt for each produced deal; dealer stops after ten million deals


# ------------------------------------------------------------ explain


def _add_explain_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    add_shared(parser, "file", "--dialect", "--plan", "--param", "--include", "--json", "--html")
    add_shared(parser, "-p --produce", help="explain a run that stops after N produced deals")
    add_shared(parser, "-g --generate", help="explain a run that stops after N deals dealt")
    parser.add_argument(
        "--deals",
        type=int,
        metavar="N",
        help="number of deals from which acceptance rates are estimated (default: 65,536)",
    )
    parser.add_argument(
        "--why",
        metavar="DEAL",
        help='show which clauses this deal passes and fails; give the deal in PBN notation, "N:..."',
    )
    parser.add_argument("--functions", action="store_true", help="the same as the verb functions")


def _run_explain(options: argparse.Namespace) -> int:
    """Explain the script and print; return the exit status, 2 for a script that cannot be run."""
    if options.functions:
        return print_functions(options, "")
    from dealerkit.advice.explain import PILOT_DEALS, explain
    from dealerkit.advice.why import why
    from dealerkit.language.script_variables import parse_variables

    script: Any = locate_script(options.file)
    params: Params = parse_variables(options.params)
    if options.why is not None:
        deal_explanation = why(
            script, options.why, dialect=options.dialect, params=params, include=options.include
        )
        print_result(deal_explanation, options)
        write_outputs(deal_explanation, options)
        return 0
    explanation = explain(
        script,
        dialect=options.dialect,
        params=params,
        include=options.include,
        deals=PILOT_DEALS if options.deals is None else options.deals,
        plan=options.plan,
        produce=options.produce,
        generate=options.generate,
    )
    print_result(explanation, options)
    write_outputs(explanation, options)
    return FAILED if explanation.error is not None else 0


EXPLAIN = Verb(
    "explain",
    "explain a dealer script",
    "Explain a dealer script in plain words, with the acceptance rate of each clause, the plan that a"
    " run uses, and likely mistakes.",
    _add_explain_arguments,
    _run_explain,
    examples=(
        "dealerkit explain stayman.dealer",
        "dealerkit explain stayman.dealer --produce 1000 --param low=15",
    ),
)


# ------------------------------------------------------------ check


def _add_check_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    add_shared(parser, "file", "--param", "--include", "--untrusted", "--json")
    parser.add_argument(
        "--for",
        dest="target",
        default="modern",
        choices=TARGETS,
        help="program that will run the script: dealer (v1), DealerV2 (v2), dealerkit (modern, the default) "
        "or the dealer box of Bridge Base Online (bbo)",
    )


def _run_check(options: argparse.Namespace) -> int:
    """Check the script and print the findings; return the exit status."""
    from dealerkit.advice.check import check
    from dealerkit.language.script_variables import parse_variables

    findings = check(
        locate_script(options.file),
        options.target,
        params=parse_variables(options.params),
        include=options.include,
        untrusted=options.untrusted,
    )
    if options.json:
        sys.stdout.write(to_json(findings))
    else:
        write_text("".join(f"{finding}\n" for finding in findings), find_screen(options))
    return FOUND if findings else 0


CHECK = Verb(
    "check",
    "check a script for other programs and for mistakes",
    "Report what another program would reject or understand differently in a script, its limits, and likely "
    "mistakes, one finding per line: FILE:line:column: kind: message, then the line of the script and a "
    "caret.",
    _add_check_arguments,
    _run_check,
    "Exit status: 0 if nothing is found; 1 if something is; 2 if the script cannot be read.",
    examples=(
        "dealerkit check stayman.dealer",
        "dealerkit check stayman.dealer --for bbo",
    ),
)


# ------------------------------------------------------------ translate


def _add_translate_arguments(parser: argparse.ArgumentParser) -> None:
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
        help="level the hand types (of `level`, or HandType_ variables) with a block of keep rates",
    )


def _run_translate(options: argparse.Namespace) -> int:
    """Translate the script and print it; return the exit status."""
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
    """Return a script with a block that levels its deals, and the warnings about it."""
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


TRANSLATE = Verb(
    "translate",
    "write a script in another dialect",
    "Write a script in the language of dealer (v1) or DealerV2 (v2), or in the modern language. Standard "
    "error lists every part whose meaning differs slightly there.",
    _add_translate_arguments,
    _run_translate,
    examples=("dealerkit translate stayman.dealer --to v2 > stayman.dl",),
)
