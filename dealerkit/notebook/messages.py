"""Messages of errors and warnings, split into what is wrong, why, and the remedy."""

from __future__ import annotations

import re
from dataclasses import dataclass

from dealerkit import registry
from dealerkit.errors import ScriptError, find_word
from dealerkit.language.dialects import MODERN
from dealerkit.language.vocabulary import list_keywords

_HINT = re.compile(r"did you mean '([^']+)'\?")
_REMEDY = re.compile(
    r"\b(write|give|use|put|delete|choose|define|raise|lower|pass|try|install|close|add|omit|predeal|"
    r"probably meant|(is|are) written|it takes|known:|one of)\b"
)
_EXPLAINS = "; a single '=' defines"  # a reason that follows the remedy
_REPLACED = (  # messages whose remedy takes the place of the word at the error
    re.compile(r"\bwrite `?([^\s`'(){}]+?)`?$"),
    re.compile(r": (\w+), not \S+$"),
    re.compile(r"^a comparison is written (==)"),
)
_PLACE = re.compile(r"(?:(?P<file>.+), )?line (?P<line>\d+), column (?P<column>\d+): ", re.DOTALL)
_EXAMPLE = re.compile(r"(?P<fault>[^:]+): (?P<code>[^:\n]+?)(?:, not (?P<not>\S+))?$")
_ARGUMENTS = (
    "params",
    "keep",
    "stream",
    "plan",
    "source",
    "threads",
    "confidence",
    "deals",
    "target",
    "sample",
)
_NO_EXAMPLE = re.compile(r"in the value of|hand type '|.*(always|never) true:")


@dataclass(frozen=True)
class Message:
    """The parts of a message.

    Parameters
    ----------
    title : str
        What is wrong.
    place : str
        Where in a script; empty if it is not known.
    notes, remedies : tuple of str
        Further reasons, and what to do, each without a full stop.
    replacement : str
        What to write instead of the word at the place; empty if it is not known.
    """

    title: str
    place: str = ""
    notes: tuple[str, ...] = ()
    remedies: tuple[str, ...] = ()
    replacement: str = ""


def split_message(text: str, in_script: bool = False) -> Message:
    """Return the parts of a message; what follows a colon in one about a script says what to write.

    Examples
    --------
    >>> message = split_message("unknown function 'hpc'; did you mean 'hcp'?")
    >>> message.title, message.remedies, message.replacement
    ("Unknown function 'hpc'", ('the nearest name is `hcp`, high-card points',), 'hcp')
    >>> split_message("line 2, column 1: 11 alone is always true; probably meant: x == 10").remedies
    ('probably meant: `x == 10`',)
    """
    place = ""
    if (found := _PLACE.match(text)) is not None:
        text = text[found.end() :]
        place = f"{found['file'] or 'script'}, line {found['line']}, column {found['column']}"
    replacement = _find_replacement(text)
    title, *parts = text.split("; ")
    if _EXPLAINS in text:
        title, parts = parts[-1], [title, *parts[:-1]]
    hint = _HINT.search(text)
    remedies = [] if hint is None else [_name_nearest(hint[1])]
    remedies += [_mark_code(part) for part in parts if _REMEDY.search(part)]
    notes = [part for part in parts if not _REMEDY.search(part) and not _HINT.search(part)]
    example = _EXAMPLE.match(title) if in_script and not _NO_EXAMPLE.match(title) else None
    if not remedies and example is not None:
        title, other = example["fault"], example["not"]
        remedies = [f"write `{example['code']}`" + (f", not `{other}`" if other else "")]
    title = _HINT.sub("", title).strip(" ;")
    return Message(capitalize(title), place, tuple(notes), tuple(remedies), replacement)


def _find_replacement(text: str) -> str:
    """Return what to write in place of the word at the error; empty if the message does not say so."""
    matches = (pattern.search(text) for pattern in (_HINT, *_REPLACED))
    return next((match[1] for match in matches if match is not None), "")


def _name_nearest(name: str) -> str:
    """Return the remedy for a misspelt name."""
    function = registry.find_function(name)
    summary = function.summary.partition(":")[0] if function is not None else ""
    return f"the nearest name is `{name}`" + (f", {summary}" if summary else "")


def _mark_code(remedy: str) -> str:
    """Return a remedy, the expression after its colon marked as code."""
    match = re.fullmatch(r"(?P<start>[^`:]*: |.*\bwrite )(?P<code>[^`']*[({=<>+][^`']*|\w+)", remedy)
    return remedy if match is None else f"{match['start']}`{match['code']}`"


def capitalize(sentence: str) -> str:
    """Return a sentence with a capital, unless it begins with a name of the language.

    >>> capitalize("unknown variable 'y'"), capitalize("hcp takes one hand")
    ("Unknown variable 'y'", 'hcp takes one hand')
    """
    first = re.match(r"[a-z]+(?![\w(=])", sentence)
    if first is None or first[0] in _ARGUMENTS or first[0] in list_keywords(MODERN):
        return sentence
    return sentence[0].upper() + sentence[1:]


def correct_line(error: ScriptError, replacement: str) -> tuple[str, str, str] | None:
    """Return the line of an error with the replacement, as three parts; None if there is none.

    >>> correct_line(ScriptError("", None, 1, 1, "hpc(north) > 5"), "hcp")
    ('', 'hcp', '(north) > 5')
    """
    start, word = error.column - 1, find_word(error.source, error.column)
    if not replacement or not word.strip() or word == replacement:
        return None
    if (word[0].isalnum() or word[0] == "$") != (replacement[0].isalnum() or replacement[0] == "$"):
        if replacement not in ("and", "or"):
            return None
        replacement = replacement if error.source[start - 1 : start] == " " else f" {replacement} "
    return error.source[:start], replacement, error.source[start + len(word) :]
