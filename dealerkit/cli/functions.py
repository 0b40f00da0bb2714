"""`dealerkit functions`: the functions and actions of the language, all or those about a word."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from dealerkit.appearance.table import Column, Table
from dealerkit.appearance.text import wrap_note
from dealerkit.cli.arguments import add_shared, describe_exit_status
from dealerkit.cli.study_files import WIDTH, to_json

if TYPE_CHECKING:
    from dealerkit.appearance.card import Card
    from dealerkit.language.dialects import Rules
    from dealerkit.language.signatures import ActionSignature
    from dealerkit.registry import Function

HELP = "list or search the functions and actions of the language"
DESCRIPTION = (
    "List the functions and actions of the language, each with its unit, meaning and source; with a word, "
    "those about it, the best match first. Words of bridge players are known: dealerkit functions stopper."
)
NOT_FOUND = 1  # exit status
EPILOG = describe_exit_status(first="if no function or action is about the word")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument(
        "word", nargs="*", help="a name, or words of the description, such as losing tricks or Kaplan"
    )
    add_shared(parser, "--dialect", "--json")


def run_verb(options: argparse.Namespace) -> int:
    """Print the functions and actions; return the exit status."""
    return print_functions(options.dialect, " ".join(options.word), options.json)


def print_functions(dialect: str, words: str, as_json: bool) -> int:
    """Print the functions and actions, all or those about words; return the exit status."""
    functions, actions = find_functions_and_actions(dialect, words)
    is_found = bool(functions or actions)
    if as_json:
        sys.stdout.write(to_json(tabulate_functions(functions, actions)))
    elif is_found:
        sys.stdout.write("\n".join(describe_functions(functions, actions, bool(words.strip()))))
    else:
        sys.stdout.writelines(f"{line}\n" for line in describe_nothing(words, dialect))
    return 0 if is_found else NOT_FOUND


def find_functions_and_actions(
    dialect: str = "modern", words: str = ""
) -> tuple[list[Function], list[ActionSignature]]:
    """Return the functions and actions of a dialect.

    With words only those whose names or descriptions contain them, the best first.
    """
    import dealerkit.language.parser  # noqa: F401  (it registers the functions)
    from dealerkit.language.dialects import find_rules
    from dealerkit.language.signatures import load_all_actions
    from dealerkit.language.vocabulary import has_action

    rules = find_rules(dialect)
    functions = _find_functions(rules)
    actions = [action for action in load_all_actions().values() if has_action(action, rules)]
    if words.strip():
        functions = _search_functions(functions, words)
        scores = [(_score(words, (action.name,), action.summary), action) for action in actions]
        actions = [action for score, action in sorted(scores, key=lambda pair: -pair[0]) if score]
    return functions, actions


def tabulate_functions(functions: Sequence[Function], actions: Sequence[ActionSignature]) -> Card:
    """Return functions and actions as a card with a table of each."""
    from dealerkit.appearance.card import Card  # only JSON needs it

    columns = [
        Column(name, kind="text") for name in ("name", "signature", "unit", "summary", "source", "also")
    ]
    rows = [
        [each.name, each.signature, each.unit, each.summary, each.source, ", ".join(each.aliases)]
        for each in functions
    ]
    action_columns = [Column(name, kind="text") for name in ("name", "syntax", "summary")]
    action_rows = [[each.name, format_action(each), each.summary] for each in actions]
    tables = [Table(columns, rows, "Functions"), Table(action_columns, action_rows, "Actions")]
    return Card("Functions and actions", tables=tables)


def describe_functions(
    functions: Sequence[Function], actions: Sequence[ActionSignature], with_examples: bool
) -> Iterator[str]:
    """Yield a text of the functions and one of the actions: the signature, summary and source of each."""
    lines = {
        "Functions": [line for each in functions for line in _list_function_lines(each, with_examples)],
        "Actions": [line for each in actions for line in _list_action_lines(each, with_examples)],
    }
    for heading, part in lines.items():
        if part:
            yield "".join([f"{heading}\n", *part])


def _find_functions(rules: Rules) -> list[Function]:
    """Return the functions of a dialect."""
    from dealerkit import registry
    from dealerkit.language.vocabulary import is_function, list_keyword_tokens

    functions = [function for function in registry.functions() if function.kind != "item"]
    if rules.modern_syntax:
        return functions
    keywords = list_keyword_tokens(rules)
    return [
        function for function in functions if is_function(function.name, rules) or function.name in keywords
    ]


def _search_functions(functions: list[Function], words: str) -> list[Function]:
    """Return the functions about some words, the best match first."""
    from dealerkit.language.unknown_names import find_functions

    meant = find_functions(words)
    scores = []
    for function in functions:
        names = (function.name, *function.aliases)
        score = _score(words, names, f"{function.summary} {function.source} {function.unit}")
        if function.name in meant:
            score = max(score, 80 - meant.index(function.name))
        scores.append((score, function))
    return [function for score, function in sorted(scores, key=lambda pair: -pair[0]) if score]


def _score(words: str, names: tuple[str, ...], description: str) -> int:
    """Return how well names and a description match words; 0 if they do not contain them."""
    text, description = words.strip().lower(), description.lower()
    parts = [re.escape(part.removesuffix("s")) for part in re.findall(r"[\w&']+", text)]
    if any(text == name.lower() for name in names):
        return 100
    if any(name.lower().startswith(text) for name in names):
        return 90
    if any(text in name.lower() for name in names):
        return 70
    if not parts or not all(re.search(part, description) for part in parts):
        return 0
    if all(re.search(rf"\b{part}", description) for part in parts):
        return 60
    return 40 if min(map(len, parts)) > 3 else 0


def _list_function_lines(function: Function, with_examples: bool) -> Iterator[str]:
    """Yield lines of the signature and the unit of a function, and below them of all else."""
    unit = f", in {function.unit}" if function.unit else ""
    yield from wrap_note(f"{function.signature}{unit}", WIDTH, "  ")
    aliases = f"also {', '.join(function.aliases)}; " if function.aliases else ""
    missing = "not computed yet; " if function.body is None and function.kind != "special" else ""
    examples = f"for example {', '.join(function.list_examples())}" if with_examples else ""
    about = f"{missing}{aliases}{function.source}".rstrip("; ")
    for sentence in filter(None, (function.summary, about, examples)):
        yield from wrap_note(sentence, WIDTH, "      ")


def _list_action_lines(action: ActionSignature, with_examples: bool) -> Iterator[str]:
    """Yield lines of the syntax of an action, and below them of all else."""
    yield from wrap_note(format_action(action), WIDTH, "  ")
    example = f"for example {action.list_examples()[0]}" if with_examples else ""
    for sentence in filter(None, (action.summary, example)):
        yield from wrap_note(sentence, WIDTH, "      ")


def describe_nothing(words: str, dialect: str) -> Iterator[str]:
    """Yield lines that say that no function is about words, and name those with the most similar names."""
    import difflib

    from dealerkit.language.dialects import find_rules
    from dealerkit.language.signatures import ACTIONS
    from dealerkit.language.unknown_names import suggest_expression
    from dealerkit.language.vocabulary import is_function, list_keywords

    yield f"No function or action is about '{words}'."
    if remark := suggest_expression(words.strip()):
        yield remark.removeprefix("; ").capitalize()
    rules = find_rules(dialect)
    known = [word for word in list_keywords(rules) if is_function(word, rules) or word in ACTIONS]
    if nearest := difflib.get_close_matches(words.strip().lower(), known, n=5, cutoff=0.5):
        yield f"Names like it: {', '.join(nearest)}"


def format_action(action: ActionSignature) -> str:
    """Return the syntax of an action: ``frequency "text"? (expression, integer, integer)``."""
    arguments = ", ".join(action.arguments)
    if action.more:
        arguments += f" [, {', '.join(action.more)}]"
    if arguments and action.parenthesised == "yes":
        arguments = f"({arguments})"
    elif action.parenthesised == "optional":
        arguments = f"[({arguments})]"
    return " ".join(filter(None, (action.name, '"text"?' if action.label else "", arguments)))
