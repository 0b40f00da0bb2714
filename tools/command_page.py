"""Write docs/reference/command.md from the arguments of the command, with an example of each verb.

``python tools/command_page.py`` rewrites the page. Outputs of examples stay as they are; ``python
tools/pages.py docs/reference/command.md`` renews them.
"""

from __future__ import annotations

import argparse
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

from dealerkit.cli import VERBS, build_parser

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "command.md"
EXAMPLES = {
    "run": ["run study.dealer -s 1"],
    "deal": ["deal --given 'hcp(north) >= 20' -s 1", "deal 4 -s 1 -o club.pbn"],
    "convert": ["convert club.pbn club.lin"],
    "filter": ["filter club.pbn --given 'hcp(south) >= 10' --format oneline"],
    "sheet": ["sheet club.pbn -o sheet.html --hands S --no-answers"],
    "explain": ["explain study.dealer"],
    "check": ["check wrong.dealer"],
    "functions": ["functions losing tricks"],
    "probability": ["probability 'hcp(north) + hcp(south) >= 25'", "probability 'fit(NS)' --values"],
    "estimate": ["estimate 'losers(north)' --given 'hcp(north) == 15' --precision 0.1"],
    "contracts": [
        "contracts 2NT 3NT --declarer north --given 'hcp(north) == 15 and hcp(south) == 10' -p 100"
    ],
    "lead": ["lead QJ752.K83.94.T62 '3NT by south' --given 'hcp(south) >= 15 and hcp(south) <= 17' -p 50"],
    "auction": ["auction '1H (1S) 2H' --dealer south"],
    "system": ["system frequencies precision"],
    "compare": ["compare hcp bumrap --strain notrump"],
    "par": ["par 'N:KJ852.A4.KQT3.T7 73.QT98.A2.KQJ62 AQ94.K765.85.A93 T6.J32.J9764.854'"],
    "suit": ["suit AQT98 5432 -t 4"],
    "plan": [
        "plan 'clubs AKQ2 opposite 543, 4 tricks' 'spades AQ2 opposite 543, 2 tricks' --losers 0",
    ],
    "breaks": ["breaks Kxxx --vacant 7,11"],
    "results": ["results evening.pbn"],
    "shapes": ["shapes '5M(332)'"],
    "solve": ["solve club.pbn --strains N --declarers NS --tables"],
    "translate": ["translate study.dealer --to v1"],
}
# A page in the browser, a file of the machine, and figures that differ each time.
NOT_RUN = {
    "card": ["card match.lin --board 12 --trick 5"],
    "explore": ["explore study.dealer"],
    "store": ["store"],
    "bench": ["bench"],
}


def build_page(old: str) -> str:
    """Return the page; its beginning and the outputs of examples are those of the old page."""
    outputs = dict(re.findall(r"^\$ (dealerkit .*)\n((?:(?!\$ |```).*\n)*)", old, re.MULTILINE))
    head = old.partition("\n## ")[0]
    return f"{head}\n{''.join(write_verbs(outputs))}".rstrip() + "\n"


def write_verbs(outputs: dict[str, str]) -> Iterator[str]:
    """Yield a section for each verb."""
    for name in VERBS:
        parser = find_verb(build_parser(name), name)
        yield f"## {name}\n\n{mark_code(parser.description or '')}\n\n"
        if name in NOT_RUN:
            yield "```sh\n" + "".join(f"dealerkit {words}\n" for words in NOT_RUN[name]) + "```\n\n"
        else:
            commands = [f"dealerkit {words}" for words in EXAMPLES[name]]
            yield (
                "```console\n"
                + "".join(f"$ {line}\n{outputs.get(line, '')}" for line in commands)
                + "```\n\n"
            )
        yield from write_arguments(parser)
        status, _, examples = (parser.epilog or "").partition("\n\nExamples:\n")
        if status:
            yield f"{mark_code(status)}\n\n"
        if examples:
            yield f"```sh\n{textwrap.dedent(examples)}\n```\n\n"


def find_verb(parser: argparse.ArgumentParser, name: str) -> argparse.ArgumentParser:
    """Return the parser of a verb."""
    return find_verbs(parser)[name]


def find_verbs(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """Return the parsers of the words that may follow, by these words."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    return {}


def write_arguments(parser: argparse.ArgumentParser) -> Iterator[str]:
    """Yield tables of the arguments of a parser, and of the words that may follow it."""
    for group in parser._action_groups:
        actions = [action for action in group._group_actions if is_shown(action)]
        if not actions:
            continue
        title = {"positional arguments": "argument", "options": "switch"}.get(
            group.title or "", group.title or ""
        )
        yield f"| {mark_code(title)} | meaning |\n|---|---|\n"
        for action in actions:
            text = parser._get_formatter()._expand_help(action)
            yield f"| {describe_switch(action)} | {mark_code(text).replace('|', chr(92) + '|')} |\n"
        yield "\n"
    for word, inner in find_verbs(parser).items():
        yield f"### {parser.prog.split()[-1]} {word}\n\n{mark_code(inner.description or '')}\n\n"
        yield from write_arguments(inner)


def is_shown(action: argparse.Action) -> bool:
    """Return whether an argument is in the table: not help, nor words with sections of their own."""
    hidden = isinstance(action, (argparse._HelpAction, argparse._SubParsersAction))
    return not hidden and action.help != argparse.SUPPRESS


def describe_switch(action: argparse.Action) -> str:
    """Return an argument as it is written: ``-p N`` ``--produce N``."""
    value = action.metavar or ("" if action.nargs == 0 else "" if not action.option_strings else action.dest)
    if isinstance(value, tuple):
        value = " ".join(value)
    if action.choices is not None and not action.metavar:
        value = "{" + ",".join(map(str, action.choices)) + "}"
    if not action.option_strings:
        many = {"*": " ...", "+": " ...", argparse.REMAINDER: " ..."}.get(str(action.nargs), "")
        return f"`{(value or action.dest) + many}`".replace("|", "\\|")
    return ", ".join(f"`{f'{switch} {value}'.strip()}`" for switch in action.option_strings)


def mark_code(text: str) -> str:
    """Return a text of the command with what is typed marked as code."""
    found = r"(#include \"[^\"]+\")|(?<!\w)'([^'\n]+)'(?!\w)|(?<![\w'`-])(--?[A-Za-z0-9][\w-]*|--?(?= |$))"
    return re.sub(found, lambda match: f"`{match[1] or match[2] or match[3]}`", text).replace("<", "&lt;")


if __name__ == "__main__":
    PAGE.write_text(build_page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
