"""Messages about unknown functions and variables."""

from __future__ import annotations

from collections.abc import Collection

from dealerkit import registry
from dealerkit.errors import suggest_name
from dealerkit.language.bridge_words import describe_letter_alone, suggest_expression
from dealerkit.language.dialects import DIALECTS
from dealerkit.language.signatures import ACTIONS
from dealerkit.language.source import ScriptSource
from dealerkit.language.vocabulary import is_function, list_keyword_tokens, list_keywords


def describe_unknown_function(name: str, source: ScriptSource, call: str = "") -> str:
    """Return the message about a call of a function or action that does not exist.

    `call` is the text from the name on.
    """
    rules = source.rules
    elsewhere = [
        other.name
        for other in DIALECTS.values()
        if other.name != rules.name and (name in list_keyword_tokens(other) or is_function(name, other))
    ]
    if elsewhere:
        return f"'{name}' is not known in {rules.name}; it is in {' and '.join(elsewhere)}"
    words = [word for word in list_keywords(rules) if is_function(word, rules) or word in ACTIONS]
    words += [word for word, (kind, _) in list_keyword_tokens(rules).items() if kind == "SUIT"]
    hint = suggest_expression(name, call) or suggest_word(name, words)
    return f"unknown function '{name[:40]}'{hint}"


def suggest_word(word: str, words: Collection[str]) -> str:
    """Return `suggest_name` for words of at most 40 letters."""
    return suggest_name(word, words) if len(word) <= 40 else ""


def describe_unknown_variable(name: str, source: ScriptSource, text: str, variables: Collection[str]) -> str:
    """Return the message about a name that is not defined.

    `text` is that of the script from the name on, `variables` are those that are defined.
    """
    if is_function(name, source.rules):
        return f"'{name}' is a function; write {registry.get_function(name).signature}"
    if text[len(name) :].lstrip().startswith("("):
        return describe_unknown_function(name, source, text)
    if not {name.lower(), name.upper()} & {*variables} and (alone := describe_letter_alone(name)):
        return alone
    words = [*variables, *list_keywords(source.rules)]
    return f"unknown variable '{name[:40]}'{suggest_expression(name) or suggest_word(name, words)}"
