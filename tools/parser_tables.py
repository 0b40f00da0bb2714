"""Write the tables of the parser, `dealerkit/language/parser_tables.py`, from the grammar beside them.

    python tools/parser_tables.py

lark computes them; a test compares the file with what this writes.
"""

from __future__ import annotations

import textwrap
from pathlib import Path

from lark import Lark
from lark.grammar import Rule

FOLDER = Path(__file__).parents[1] / "dealerkit/language"
TABLES = FOLDER / "parser_tables.py"
HEAD = '''"""The tables of the parser, written from grammar.lark by `python tools/parser_tables.py`.

A state is the index of a row of `ACTIONS`. The row has the next step for each symbol, which is a type of
token or the name of a rule. A step of 0 or more is the next state; a step below 0 is -1 - k and reduces
production k. A production has the name of its rule, its number of symbols, and the name of the method of
`Builder` that makes a node of its parts, or "" if its only part stays as it is.
"""

'''


def main() -> None:
    """Write the file."""
    TABLES.write_text(build_tables(), encoding="utf-8")


def build_tables() -> str:
    """Return the text of the file, with states and productions in an order that only the grammar decides."""
    grammar = (FOLDER / "grammar.lark").read_text(encoding="utf-8")
    table = Lark(grammar, parser="lalr", maybe_placeholders=False).parser.parser._parse_table
    start, end = table.start_states["start"], table.end_states["start"]
    rules = {step for row in table.states.values() for _, step in row.values() if isinstance(step, Rule)}
    productions = sorted(map(describe_rule, rules))
    # Number the states as they are reached from the first one.
    states = [start]
    for state in states:
        following = [step for _, (_, step) in sorted(table.states[state].items())]
        states += [step for step in following if not isinstance(step, Rule) and step not in states]
    numbers = {state: number for number, state in enumerate(states)}
    numbers |= {rule: -1 - productions.index(describe_rule(rule)) for rule in rules}
    rows = []
    for state in states:
        steps = sorted((symbol, numbers[step]) for symbol, (_, step) in table.states[state].items())
        rows.append(", ".join(f'"{symbol}": {number}' for symbol, number in steps))
    lines = [f'    ("{name}", {len(symbols)}, "{method}"),' for name, symbols, method in productions]
    return (
        f"{HEAD}# fmt: off\nEND = {numbers[end]}  # the state after a whole script\n"
        f"PRODUCTIONS: tuple[tuple[str, int, str], ...] = (\n" + "\n".join(lines) + "\n)\n"
        "ACTIONS: tuple[dict[str, int], ...] = (\n" + "\n".join(map(wrap_row, rows)) + "\n)\n"
    )


def describe_rule(rule: Rule) -> tuple[str, tuple[str, ...], str]:
    """Return the name of a production, its symbols and its method."""
    is_kept = rule.options.expand1 and rule.alias is None and len(rule.expansion) == 1
    name = str(rule.origin.name)
    return name, tuple(symbol.name for symbol in rule.expansion), "" if is_kept else str(rule.alias or name)


def wrap_row(row: str) -> str:
    """Return a row of the table in lines of the width of the code."""
    return textwrap.fill(
        f"{{{row}}},", 110, initial_indent="    ", subsequent_indent="     ", break_long_words=False
    )


if __name__ == "__main__":
    main()
