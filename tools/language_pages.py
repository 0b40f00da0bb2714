"""Write the pages of the manual about functions and actions from their entries in the code.

``python tools/language_pages.py`` rewrites the sections of the pages in the folder.
"""

from __future__ import annotations

import csv
import re
import warnings
from collections.abc import Iterator
from pathlib import Path

import dealerkit as dk
import dealerkit.language.parser  # noqa: F401  (it registers the functions)
from dealerkit import registry
from dealerkit.actions import Action
from dealerkit.cards.names import SEATS
from dealerkit.cli.language import format_action
from dealerkit.language.dialects import DIALECTS
from dealerkit.language.signatures import ActionSignature, load_all_actions
from dealerkit.language.vocabulary import has_action, is_function, list_keyword_tokens
from dealerkit.registry import Function

FOLDER = Path(__file__).parents[1] / "docs" / "reference" / "language"
DEAL = "N:KJ852.A4.KQT3.T7 73.QT98.A2.KQJ62 AQ94.K765.85.A93 T6.J32.J9764.854"
GROUPS = {
    "Suits, shape and cards": "Numbers of cards, and whether a hand has a shape or a card.",
    "Points of a hand": "Sums of points for honours, suits and shape. With a suit, they count only it.",
    "Controls, losers and tricks of a hand": "",
    "Points of a pair": (
        "Counts for both hands of a side, with points for their fit. Without a strain, trumps are the "
        "longest suit of the side. For a seat, the value is the share of its hand."
    ),
    "Double dummy": (
        "Tricks and scores of players who see all four hands. The solver computes them, unless the deals "
        "[have them already](../formats/libraries.md). They take milliseconds; all other functions take "
        "nanoseconds."
    ),
    "Scores and numbers": "",
}
EXPRESSIONS = {
    "100 / 7 % 3": "`v2` computes the operators in another order: first `%`, then `/`, then `*`",
    "2 == 2 != 0": "`v2` also computes `!=` before `==`, and `>=` before `>`, `<=` and `<`, in this order",
    "2147483647 + 1": "integers have 32 bits in `v1` and `v2`, 64 bits in `modern`",
    "3.25": "`v2` counts in hundredths, and reads 3.25 as 325",
    "hcp(north) + 0.5": "`v2` reads 0.5 as 50, so this is 13 + 50",
    "1.00 == 100": "`v2` reads 1.00 as 100",
    "-hcp(north)": "in `v1` and `v2`, a minus can only precede a number",
    "cccc(north)": "`v1` and `v2` count in hundredths",
    "ltc(north)": "`v2` counts in hundredths; `dealer` does not have the function",
    "score(nv, 3NT, 9)": "contracts are written `x3N` in the old programs",
    "score(nv, x3N, 9)": "this spelling works everywhere",
    "score(nv, x3Nx, 9)": "`dealer` has no doubled contracts",
    "imps(420)": "a mistake in the table of the old programs",
    "imps(600)": "a mistake in the table of DealerV2",
    "imps(1200)": "a mistake in the table of the old programs",
    "rnd(0)": "DealerV2 returns the number of the deal; in `modern` this is `board()`",
    "shape{north, 5M(xxx)}": "`dealer` needs another program for it",
    "fit(NS)": "only dealerkit has this function",
}
ACTION_GROUPS = {
    "Printing": (
        "These actions print something for each produced deal. The examples use the deal of the page "
        "[Functions](functions.md)."
    ),
    "Statistics": (
        "These actions print once, after the last deal. The examples use the first 1,000 deals of the\n"
        "sample of solved deals that comes with dealerkit; in Python, this is\n"
        "`dk.run(script, source=dk.solved_sample()[:1000])`."
    ),
}


def find_group(function: Function) -> str:
    """Return the heading under which a function is."""
    first, cards, points, tricks, pairs, solver, numbers = function.arguments[:1], *GROUPS
    if function.kind in ("deal", "item"):
        return solver
    if function.kind == "pair" or function.name == "opc":
        return pairs
    if not first or first[0].startswith(("expression", "vulnerable")):
        return numbers
    if function.unit in ("cards", "truth", "freakness"):
        return cards
    return tricks if function.unit in ("controls", "losers", "tricks") else points


def find_name(name: str, dialect: str) -> str | None:
    """Return the name that a function has in a dialect: its own, or another; None if it is not there."""
    rules = DIALECTS[dialect]
    names = (name, *registry.get_function(name).aliases)
    keywords = list_keyword_tokens(rules)
    return next((word for word in names if is_function(word, rules) or word in keywords), None)


def list_dialects(name: str) -> str:
    """Return the dialects that have a function, as text."""
    words = {dialect: find_name(name, dialect) for dialect in DIALECTS}
    return ", ".join(
        f"`{dialect}`" + (f" (as `{word}`)" if word != name else "")
        for dialect, word in words.items()
        if word is not None
    )


def read_deal() -> dk.Deals:
    """Return the deal of the page, solved."""
    deals = dk.Deals.from_pbn([DEAL])
    return dk.Deals(deals.hands, tables=dk.dd_table(deals))


def evaluate(calls: list[str]) -> dict[str, str]:
    """Return the value of each call, of the deal of the page, as the action csvrpt prints it."""
    text = dk.run(f"action printrpt({', '.join(calls)})", source=read_deal(), seed=1).text
    return dict(zip(calls, next(csv.reader([text.splitlines()[0]])), strict=True))


def list_calls() -> list[str]:
    """Return the calls of the page about functions."""
    return [call for function in registry.functions() for call in function.list_examples()]


def write_functions(values: dict[str, str] | None = None) -> Iterator[str]:
    """Yield the page about functions, with these values of the calls or those that they have."""
    values = values or evaluate(list_calls())
    functions = sorted(registry.functions(), key=lambda function: function.name)
    for group, introduction in GROUPS.items():
        yield f"## {group}\n\n"
        if introduction:
            yield f"{introduction}\n\n"
        for function in functions:
            if find_group(function) == group:
                yield from describe_function(function, values)


def describe_function(function: Function, values: dict[str, str]) -> Iterator[str]:
    """Yield the entry of a function."""
    signature = function.signature.replace("|", " or ")
    dialects = list_dialects(function.name)
    unit = f", {function.unit}" if function.unit else ""
    unit = ", 1 or 0" if function.unit == "truth" else unit
    hundredths = " (in hundredths)" if function.hundredths and "`v2`" in dialects else ""
    yield f"### {function.name}\n\n`{signature}`{unit}{hundredths}. Dialects: {dialects}.\n\n"
    summary = function.summary[:1].upper() + function.summary[1:]
    aliases = ", ".join(f"`{alias}`" for alias in function.aliases)
    yield f"{summary}." + (f" Also {aliases}." if aliases else "") + f" Source: {function.source}.\n\n"
    width = max(len(call) for call in function.list_examples())
    lines = [f"{call:<{width}}  {values[call]}\n" for call in function.list_examples()]
    yield f"```text\n{''.join(lines)}```\n\n"


def draw_deal() -> str:
    """Return the deal of the page as four columns."""
    hands = DEAL.removeprefix("N:").split()
    rows = [[seat.title() for seat in SEATS]]
    rows += [
        [f"{suit} {hand.split('.')[index] or '-'}" for hand in hands] for index, suit in enumerate("♠♥♦♣")
    ]
    return "\n".join("".join(f"{cell:<12}" for cell in row).rstrip() for row in rows)


def write_actions() -> Iterator[str]:
    """Yield the page about actions."""
    given = read_deal(), dk.solved_sample()[:1000]
    for group, introduction in ACTION_GROUPS.items():
        yield f"## {group}\n\n{introduction}\n\n"
        for action in sorted(load_all_actions().values(), key=lambda action: action.name):
            is_statistic = not (action.prints or Action.classes[action.name].prints)
            if is_statistic == (group == "Statistics"):
                yield from describe_action(action, given[is_statistic])


def describe_action(action: ActionSignature, deals: dk.Deals) -> Iterator[str]:
    """Yield the entry of an action."""
    dialects = [dialect for dialect, rules in DIALECTS.items() if has_action(action, rules)]
    names = ", ".join(f"`{dialect}`" for dialect in dialects)
    syntax = (
        format_action(action).replace("seat|side|deal|item|string|expression", "item").replace("|", " or ")
    )
    summary = action.summary[:1].upper() + action.summary[1:]
    if action.modern_arguments:
        kinds = ", ".join(action.modern_arguments).replace("|", " or ")
        names += f" (there `{action.name} ({kinds})`)"
    yield f"### {action.name}\n\n`{syntax}`. Dialects: {names}.\n\n{summary}.\n\n"
    for example in action.list_examples():
        yield f"```dealer\naction {example}\n```\n\n"
        shown = []
        for dialect in reversed(dialects):
            text = print_text(example, dialect, deals)
            if text not in shown:
                yield f"In `{dialect}`:\n\n```text\n{text}```\n\n"
            shown.append(text)
        if len(dialects) > 1 and len(set(shown)) == 1:
            yield "All dialects that have the action print the same text.\n\n"


def print_text(example: str, dialect: str, deals: dk.Deals) -> str:
    """Return the text of an action on deals."""
    script = f"action {example}"
    # With an odd number of deals printpbn in v1 prints the statistics after all.
    text = dk.run(script, source=deals, dialect=dialect, produce=len(deals), seed=1, statistics=False).text
    text = text.partition("Generated 1 hands")[0]
    text = re.sub(r'\[Date "[^"]*"\]', '[Date "2026.01.01"]', text).replace("\f", "").strip("\n")
    return "".join(f"{line.rstrip()}\n" for line in text.expandtabs().split("\n"))


def write_dialects() -> Iterator[str]:
    """Yield the sections of the page about dialects that have values and words."""
    yield "## Values\n\nThe values are those for the deal of the page [Functions](functions.md). "
    yield "If the cell says error, the dialect refuses the script with a message.\n\n"
    yield from write_table("expression", "`v1`", "`v2`", "`modern`", "reason")
    for expression, reason in EXPRESSIONS.items():
        values = [find_value(expression, dialect) for dialect in DIALECTS]
        yield write_row(f"`{expression}`", *values, reason)
    yield "\n## Words\n\nThese words are not in all dialects.\n\n"
    yield from write_table("", "in `v2` and `modern`", "in `modern`")
    functions = {function.name: list_names(function.name) for function in registry.functions()}
    actions = {
        name: [dialect for dialect, rules in DIALECTS.items() if has_action(action, rules)]
        for name, action in load_all_actions().items()
    }
    for kind, table in (("functions", functions), ("actions", actions)):
        cells = [
            " ".join(f"`{name}`" for name in sorted(table) if table[name] == dialects)
            for dialects in (["v2", "modern"], ["modern"])
        ]
        yield write_row(kind, *cells)
    yield write_row("statements", "`opener` `seed` `startboard` `title`", "`level`")


def write_mistakes() -> Iterator[str]:
    """Yield the sections of the page about mistakes, one for each dialect of their collection."""
    table = Path(__file__).parents[1] / "tests" / "data" / "newcomer-mistakes.csv"
    with table.open(encoding="utf-8", newline="") as stream:
        mistakes = list(csv.DictReader(stream))
    for dialect in ("modern", "v1", "v2"):
        rows = [mistake for mistake in mistakes if mistake["dialect"] == dialect]
        yield f"## In `{dialect}`\n\n"
        yield from write_table("mistake", "message", "remedy")
        for row in sorted(rows, key=lambda row: row["script"].lower()):
            reason = row["reason"].replace("&", "&amp;")  # else &gt; would become the sign that it writes
            cells = (f"`` {row['script']} ``", reason, row["remedy"] and f"`` {row['remedy']} ``")
            yield write_row(*(" ".join(cell.split()).replace("|", "\\|") for cell in cells))
        yield "\n"


def write_table(*headings: str) -> Iterator[str]:
    """Yield the heading of a table."""
    yield write_row(*headings)
    yield "|" + "---|" * len(headings) + "\n"


def write_row(*cells: str) -> str:
    """Return a row of a table."""
    return f"| {' | '.join(cells)} |\n"


def list_names(name: str) -> list[str]:
    """Return the dialects that have a function under one of its names."""
    return [dialect for dialect in DIALECTS if find_name(name, dialect)]


def find_value(expression: str, dialect: str) -> str:
    """Return the value of an expression as a dialect prints it, or that it is an error."""
    deals = dk.Deals.from_pbn([DEAL])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return dk.run(
                f"action printes({expression})", source=deals, dialect=dialect, seed=1, statistics=False
            ).text
        except dk.ScriptError:
            return "error"


def write_page(name: str, parts: Iterator[str]) -> str:
    """Return a page with new sections; what is before the first of them stays as it is."""
    sections = "".join(parts)
    page = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    head = page.partition(sections.partition("\n")[0] + "\n")[0]
    return f"{head}{sections}".rstrip() + "\n"


if __name__ == "__main__":
    for name, parts in (
        ("functions", write_functions()),
        ("actions", write_actions()),
        ("dialects", write_dialects()),
        ("mistakes", write_mistakes()),
    ):
        (FOLDER / f"{name}.md").write_text(write_page(name, parts), encoding="utf-8")
