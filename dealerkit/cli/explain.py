"""`dealerkit explain`: what a script asks for, how often deals pass, and what may be wrong with it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from typing import Any

from dealerkit.cards.names import SUITS

FAILED = 2


def add(verbs: Any) -> argparse.ArgumentParser:
    """Add the verb's arguments."""
    explain: argparse.ArgumentParser = verbs.add_parser(
        "explain",
        help="explain a dealer script",
        description="Explain a dealer script: in plain words, with the acceptance rate of each clause and "
        "the likely mistakes.",
    )
    explain.add_argument("file", nargs="?", help="the script; standard input if absent or -")
    explain.add_argument(
        "--dialect", default="modern", choices=("modern", "v1", "v2"), help="default: modern"
    )
    explain.add_argument(
        "--plan",
        default="auto",
        choices=("auto", "plain", "staged", "conditional"),
        help="how to deal (default: auto, the cheapest)",
    )
    explain.add_argument("-p", "--produce", type=int, metavar="N", help="of the run that is explained")
    explain.add_argument("-g", "--generate", type=int, metavar="N", help="of the run that is explained")
    explain.add_argument("--deals", type=int, metavar="N", help="pilot deals (default: 65,536)")
    explain.add_argument(
        "--why", metavar="DEAL", help='which clauses this deal (PBN, "N:...") passes or fails'
    )
    explain.add_argument("--functions", action="store_true", help="list all functions and actions instead")
    explain.add_argument(
        "--param", action="append", default=[], metavar="N=TEXT", help="value of the script variable $N"
    )
    return explain


def execute(options: argparse.Namespace) -> int:
    """Explain and print; returns the exit status, 2 for a script that cannot be run."""
    if options.functions:
        sys.stdout.writelines(f"{line}\n" for line in functions_table(options.dialect))
        return 0
    from dealerkit.cli.scripts import script_argument
    from dealerkit.explanation.explain import PILOT_DEALS, explain
    from dealerkit.explanation.why import why
    from dealerkit.language.source import parse_variables

    script: Any = script_argument(options.file)
    params = parse_variables(options.param)
    if options.why is not None:
        sys.stdout.write(why(script, options.why, options.dialect, params).text)
        return 0
    deals = PILOT_DEALS if options.deals is None else options.deals
    told = explain(
        script,
        options.dialect,
        params,
        deals,
        plan=options.plan,
        produce=options.produce,
        generate=options.generate,
    )
    sys.stdout.write(told.text)
    return FAILED if told.error is not None else 0


def functions_table(dialect: str = "modern") -> Iterator[str]:
    """All functions, then all actions: how each is written, its unit, one line of help, its source."""
    import dealerkit.language.parser  # noqa: F401  (it registers the functions)
    from dealerkit import registry
    from dealerkit.language.dialects import find_rules
    from dealerkit.language.signatures import ACTIONS
    from dealerkit.language.vocabulary import is_function

    rules = find_rules(dialect)
    known = [one for one in registry.functions() if one.kind != "item"]
    if not rules.modern_syntax:
        known = [one for one in known if is_function(one.name, rules) or one.name in SUITS]
    width = max(len(one.signature) for one in known)
    unit = max(len(one.unit) for one in known)
    yield "Functions"
    for one in known:
        yield f"  {one.signature:<{width}}  {one.unit:<{unit}}  {one.summary}".rstrip()
        also = f"also {', '.join(one.aliases)}; " if one.aliases else ""
        missing = "not computed yet; " if one.body is None and one.kind != "special" else ""
        yield f"      {missing}{also}{one.source}".rstrip("; ")
    yield ""
    yield "Actions"
    for action in ACTIONS.values():
        if rules.extensions or not action.extension:
            yield f"  {_action_text(action)}"
            yield f"      {action.summary}"


def _action_text(action: Any) -> str:
    """How an action is written: ``frequency "text"? (expression, integer, integer)``."""
    arguments = ", ".join(action.arguments)
    if action.more:
        arguments += f" [, {', '.join(action.more)}]"
    if arguments and action.parenthesised == "yes":
        arguments = f"({arguments})"
    elif action.parenthesised == "optional":
        arguments = f"[({arguments})]"
    return " ".join(filter(None, (action.name, '"text"?' if action.label else "", arguments)))
