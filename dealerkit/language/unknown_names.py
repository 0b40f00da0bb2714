"""Messages about unknown functions and variables."""

from __future__ import annotations

import re
from collections.abc import Collection

from dealerkit import registry
from dealerkit.errors import suggest_name
from dealerkit.language.bridge_words import describe_letter_alone, suggest_expression
from dealerkit.language.dialects import DIALECTS
from dealerkit.language.headers import read_headers
from dealerkit.language.signatures import ACTIONS
from dealerkit.language.source import ScriptSource
from dealerkit.language.vocabulary import is_function, list_keyword_tokens, list_keywords

# Comments that look like an include, and definitions that lack their sign or have a name of two words.
_NO_INCLUDE = re.compile(
    r"""^[ \t]*\#(?:[ \t]*(?i:import)|[ \t]+include|Include|INCLUDE)\s*"([^"\n]{1,80})\"""", re.MULTILINE
)
_NO_SIGN = re.compile(r"[ \t]+((?:not[ \t]+)?\(*(\w+)[({][^\n]*)")
_TWO_WORDS = re.compile(r"[ \t]+(\w+)[ \t]*=(?!=)")


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
    if not (expression := suggest_expression(name)) and (hint := _suggest_line(name, source, text)):
        return f"unknown variable '{name[:40]}'; {hint}"
    words = [*variables, *list_keywords(source.rules)]
    if "LEVEL" in source.text.upper() and source.rules.modern_syntax:
        words.append("share")
    return f"unknown variable '{name[:40]}'{expression or suggest_word(name, words)}"


def _suggest_line(name: str, source: ScriptSource, text: str) -> str:
    """Return what to write in another place or line than that of an unknown name; "" if nothing is known."""
    rest = text[len(name) :]
    line = text.partition("\n")[0]
    if re.search(rf"^[ \t]*{re.escape(line)}", source.text, re.MULTILINE):
        if match := _TWO_WORDS.match(rest):
            return f"a name is one word: {name[:40]}_{match[1][:40]}"
        if (match := _NO_SIGN.match(rest)) and is_function(match[2], source.rules):
            line = re.split(r"\s*(?://|/\*|#)", match[1])[0].rstrip()
            return f"a definition has the sign =: {name[:40]} = {line if len(line) <= 60 else '...'}"
    if source.rules.includes:
        if name in read_headers(source.text)[1]:
            return f"a value from a line `# param` has the sign $: ${name[:40]}"
        if match := _NO_INCLUDE.search(source.text):
            line_number = source.text.count("\n", 0, match.end()) + 1
            return f'line {line_number} is a comment; a file is included with #include "{match[1]}"'
    return ""
