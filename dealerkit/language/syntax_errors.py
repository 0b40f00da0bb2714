"""Syntax errors: the likely mistake at an unexpected token, its correction, and the further mistakes.

The grammar stops at the first token that it does not accept. To find the further mistakes of a script, each
of its statements is parsed separately. The parser imports this module only after a mistake.
"""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Callable, Sequence
from typing import Any

from dealerkit.appearance.wording import join_words
from dealerkit.cards.names import SEATS
from dealerkit.errors import Remedy, ScriptError
from dealerkit.language import nodes
from dealerkit.language.checks import find_further_errors
from dealerkit.language.grammar import UnexpectedToken, mark_words
from dealerkit.language.includes import Includes
from dealerkit.language.script import Script
from dealerkit.language.script_variables import ScriptVariables
from dealerkit.language.source import MAX_ERRORS, ScriptSource, Token, join_errors
from dealerkit.language.stray_characters import NESTED_COMMENT, find_nested_comment
from dealerkit.language.tokenizer import tokenize
from dealerkit.language.unknown_names import describe_unknown_function, find_word_like
from dealerkit.language.vocabulary import (
    STATEMENTS,
    TOKEN_MEANINGS,
    classify_word,
    is_function,
    list_keyword_tokens,
    list_keywords,
)

MAX_TEXT = 50_000  # characters of the longest script that is searched for further mistakes
_UNREADABLE = re.compile(r"(?:#|Import,)[^\n]*|\$?\w+(\.\w*)?|.", re.DOTALL)
_ENDLESS = ('"', "{", "/*")  # if what these begin has no end, nothing after it can be read

_OPERANDS = {"NUMBER", "NAME", "LPAR", "NOT", "MINUS", "FUNCTION", "SHAPE"}
_OPERATORS = {"OPERATOR", "PLUS", "MINUS", "EQUAL", "QUESTION"}
_ACTIONS = {"ACTION_BARE", "ACTION_CALL", "ACTION_OPTIONAL", "AVERAGE"}
_TOKEN_NAMES = {
    "ANY": "any",
    "ASSIGN": "'='",
    "BRACE": "'{'",
    "CARD": "a card (AS)",
    "COLON": "':'",
    "COMMA": "a comma",
    "CONTRACT": "a contract",
    "DEAL": "deal",
    "DISTRIBUTION": "a shape (5332, 54xx)",
    "EQUAL": "'=='",
    "HOLDING": "cards (SAKQ)",
    "ITEM": "an item of a report",
    "LPAR": "'('",
    "RPAR": "')'",
    "SEAT": "a seat (north, east, south, west)",
    "SIDE": "a side (NS, EW)",
    "STRAIN": "notrump",
    "STRING": 'a text in quotes ("...")',
    "SUIT": "a suit",
    "NUMBER": "a number",
    "PLUS": "'+'",
    "MINUS": "'-'",
}


def build_syntax_error(
    source: ScriptSource,
    tokens: list[Token],
    unexpected: UnexpectedToken,
    start: int = 0,
    end: int | None = None,
) -> ScriptError:
    """Return the error about a token that the grammar does not accept.

    `start` and `end` are the indices of the first token that was parsed and of the token after the last.
    """
    positions = (index for index, token in enumerate(tokens) if token is unexpected.token)
    index = next(positions, len(tokens) if end is None else end)
    return _MistakeFinder(source, tokens, index, unexpected.list_accepted(), start).find_mistake()


class _MistakeFinder:
    """Search for the likely mistake at a token that the grammar does not accept.

    `index` is the index of the token among the script's tokens, and `accepted` has the types of token that
    the grammar accepts instead; `start` is the index of the first token that was parsed. Mistakes that a
    single line explains are in the table of `notations.py`.
    """

    def __init__(
        self, source: ScriptSource, tokens: list[Token], index: int, accepted: set[str], start: int = 0
    ) -> None:
        self.source, self.tokens, self.index, self.accepted = source, tokens, index, accepted
        self.start, self.rules = start, source.rules
        absent = Token("", "", len(source.text.rstrip()), len(source.text.rstrip()), source)
        self.token = tokens[index] if index < len(tokens) else absent
        self.before = tokens[index - 1] if index else absent
        self.after = tokens[index + 1] if index + 1 < len(tokens) else absent

    def find_open_parentheses(self) -> list[int]:
        """Return the indices of the parentheses that are still open at the token."""
        indices: list[int] = []
        for index in range(self.start, self.index):
            if self.tokens[index].type == "LPAR":
                indices.append(index)
            elif self.tokens[index].type == "RPAR" and indices:
                indices.pop()
        return indices

    def find_mistake(self) -> ScriptError:
        """Return the error about the first known mistake that matches, or else about the unexpected token."""
        for match_mistake in (
            self._match_level_word, self._match_line_end, self._match_nested_comment,
            self._match_missing_parentheses, self._match_early_end, self._match_unknown_function,
            self._match_setting, self._match_equals_sign, self._match_misspelt_word,
            self._match_parentheses, self._match_comma,
        ):  # fmt: skip
            error = match_mistake()
            if error is not None:
                return error
        return self.token.error(f"{self._quote(self.token)} was not expected; {self._list_expected()}")

    # ------------------------------------------------------------ known mistakes
    def _match_level_word(self) -> ScriptError | None:
        """Match the word `level` in a dialect that does not have the statement."""
        word, name = self.before, self.rules.name
        is_level = self.token.type == "STRING" and word.type == "NAME" and word.text.lower() == "level"
        if not is_level or self.rules.modern_syntax:
            return None
        command = f"dealerkit translate --level --to {name} FILE"
        reason = f"there is no statement `level` in {name}; `{command}` writes keep rates instead"
        return word.error(reason, kind="level")

    def _match_line_end(self) -> ScriptError | None:
        """Match an operator at the end of a line where the next line begins a statement."""
        is_definition = self.token.type == "ASSIGN"
        index = self.index - is_definition
        if not self.start < index < len(self.tokens):
            return None
        operator, first = self.tokens[index - 1 : index + 1]
        if operator.type not in _OPERATORS or operator.source is not first.source:
            return None
        if not (first.type in STATEMENTS or is_definition):
            return None
        if "\n" not in first.source.text[operator.end : first.start]:
            return None
        what = f"the definition of '{first.text[:40]}'" if is_definition else f"`{first.text}`"
        return operator.error(
            f"an expression is missing after '{operator.text}'; the next line begins {what}; "
            f"complete this line or delete the '{operator.text}'"
        )

    def _match_nested_comment(self) -> ScriptError | None:
        """Match the text between the ends of a comment and of the comment around it."""
        source = self.token.source
        inner = find_nested_comment(source.text, self.token.start)
        return None if inner is None else source.error(NESTED_COMMENT, inner)

    def _match_early_end(self) -> ScriptError | None:
        """Match an open parenthesis before the next statement, and a script that ends too early."""
        is_end = not self.token.type
        if not is_end and not self._begins_statement(self.index):
            return None
        if "RPAR" in self.accepted and (open := self.find_open_parentheses()):
            reason = "this '(' is never closed; write ')' where it ends"
            return self.tokens[open[-1]].error(reason, kind="unclosed")
        if not is_end:
            return None
        return self.token.error(f"the script ends too early; {self._list_expected()}")

    def _begins_statement(self, index: int) -> bool:
        """Return whether a statement other than an expression begins at a token."""
        token, after = self.tokens[index], [token.type for token in self.tokens[index + 1 : index + 2]]
        return token.type in STATEMENTS or (token.type == "NAME" and after == ["ASSIGN"])

    def _match_missing_parentheses(self) -> ScriptError | None:
        """Match a function, suit or action whose arguments are not in parentheses."""
        before = self.before
        is_call = self.accepted == {"LPAR"} if before.type == "SUIT" else "LPAR" in self.accepted
        is_call = is_call and before.type in ("SUIT", "FUNCTION", "ACTION_CALL")
        if not is_call or self.token.type == "ASSIGN":
            return None
        is_beside = self.token.type and "\n" not in before.source.text[before.end : self.token.start]
        what = "the seat of a hand" if before.type == "SUIT" else "its arguments"
        place = self.token if is_beside else before
        return place.error(f"`{before.text}` takes {what} in parentheses")

    def _match_unknown_function(self) -> ScriptError | None:
        """Match an undefined name before an open parenthesis."""
        for index in reversed(self.find_open_parentheses()):
            name = self.tokens[max(index - 1, 0)]
            if name.type == "NAME" and name.text not in self._find_variables():
                return name.error(*describe_unknown_function(name.text, self.rules))
        return None

    def _find_variables(self) -> set[str]:
        """Return the variables that are defined before the token."""
        pairs = itertools.pairwise(self.tokens[: self.index + 1])
        return {name.text for name, after in pairs if after.type == "ASSIGN"}

    def _match_setting(self) -> ScriptError | None:
        """Match a setting with a wrong value."""
        word = self.before if self.before.type != "ASSIGN" else self.tokens[max(self.index - 2, 0)]
        unknown = " (`both` is not known here)" if self.token.text == "both" else ""
        takes = {
            "COUNT": f"a whole number of 0 or more: {word.text} 100",
            "SEAT_SETTING": f"a seat: {word.text} north",
            "TITLE": f'a text in quotes: {word.text} "..."',
            "VULNERABLE": f"none, NS, EW or all{unknown}",
        }.get(word.type)
        if takes is None:
            return None
        remedy = find_word_like(self.token.text, SEATS) if word.type == "SEAT_SETTING" else None
        reason = f"`{word.text}` takes {takes}; found {self._quote(self.token)}"
        if remedy is None and self.before.type == "ASSIGN":
            reason += f"; for a variable choose another name than `{word.text}`"
            return self.token.error(reason, kind="setting as variable")
        return self.token.error(reason, remedy)

    def _match_equals_sign(self) -> ScriptError | None:
        """Match a keyword that is used as a variable, and a single = in a comparison."""
        token = self.token if self.token.type == "ASSIGN" else self.after
        name = self.before if token is self.token else self.token
        if token.type != "ASSIGN" or not name.type or name.type in ("NAME", "RPAR", "NUMBER"):
            return None
        if name.text in ("<", ">", "!"):
            return name.error(f"'{name.text}=' is written without a blank")
        if name.text[:1].isalpha() or name.type in TOKEN_MEANINGS:
            meaning = TOKEN_MEANINGS.get(name.type, "a keyword")
            example = f", such as bid{name.text}" if name.text[0].isdigit() else ""
            return name.error(
                f"'{name.text}' is {meaning} and cannot be a variable; choose another name{example}"
            )
        return token.error("a comparison is written ==; a single '=' defines a variable")

    def _match_misspelt_word(self) -> ScriptError | None:
        """Match an undefined name, here or just before, that resembles a keyword or function."""
        joined = self.before.text + self.token.text
        is_word = joined in list_keyword_tokens(self.rules) or is_function(joined, self.rules)
        if is_word and "NAME" in (self.before.type, self.token.type):
            return self.before.error(f"'{joined}' is one word; delete the blank")
        if self.token.type == "NAME" and "NAME" not in self.accepted:
            if self.before.type == "NUMBER" and re.fullmatch("NT?x{0,2}|[CDHS]x{1,2}", self.token.text):
                contract = "x3N, x4Sx" if self.rules.extensions else "x3N"
                return self.before.error(f"a contract is written {contract}")
            reason = f"unknown word {self._quote(self.token)}; {self._list_expected()}"
            remedy = find_word_like(self.token.text, self._list_candidates())
            return self.token.error(reason, remedy, "unknown word")
        is_undefined = self.before.type == "NAME" and self.before.text not in self._find_variables()
        if is_undefined and self.token.type == "LPAR":
            return self.before.error(*describe_unknown_function(self.before.text, self.rules))
        if is_undefined and self.token.type != "ASSIGN":
            if remedy := find_word_like(self.before.text, list_keywords(self.rules)):
                return self.before.error(f"unknown word '{self.before.text[:40]}'", remedy, "unknown word")
        return None

    def _list_candidates(self) -> list[str]:
        """Return the words that the grammar accepts here, or all words if it accepts none."""
        words = list_keywords(self.rules)
        fitting = [word for word in words if classify_word(word, self.rules)[0] in self.accepted]
        return fitting or words

    def _match_parentheses(self) -> ScriptError | None:
        """Match a closing parenthesis without an opening one."""
        token = self.token
        if token.type == "RPAR" and not self.find_open_parentheses():
            return token.error("this ')' closes nothing; delete it or write '(' before", kind="unopened")
        return None

    def _match_comma(self) -> ScriptError | None:
        """Match an action without a comma, or without the word `action`, before it."""
        word = self.token.text
        if self.token.type not in _ACTIONS or not self.accepted & {"COMMA", "ACTION"}:
            return None
        if "COMMA" in self.accepted:
            return self.token.error("actions are separated by commas", Remedy(f", {word}", "word"))
        return self.token.error("actions are written after the word `action`")

    # ------------------------------------------------------------ descriptions
    def _quote(self, token: Token) -> str:
        special = {"": "the end of the script", "STRING": "a text", "BRACE": "'{'"}
        return special.get(token.type, f"'{token.text[:40]}'")

    def _list_expected(self) -> str:
        """Return a phrase that lists the tokens that the grammar accepts here."""
        accepted, words = set(self.accepted), []
        if accepted >= _OPERANDS:
            words.append("an expression")
            accepted -= _OPERANDS | {"SUIT"}
            if accepted >= {"SEAT", "CARD", "CONTRACT"}:
                return "an expression, a seat, a suit or another argument was expected here"
        if accepted >= {"OPERATOR", "QUESTION"}:
            words.append("an operator")
            accepted -= _OPERATORS
        if accepted & STATEMENTS:
            words.append("a new statement")
            accepted -= STATEMENTS | _OPERANDS | {"SUIT"}
            words = [word for word in words if word != "an expression"]
        if accepted & _ACTIONS:
            words.append("an action")
            accepted -= _ACTIONS
        words += sorted(_TOKEN_NAMES[kind] for kind in accepted if kind in _TOKEN_NAMES)
        if not words:
            return "nothing more was expected"
        return f"{join_words(words, 'or')} was expected here"


# ---------------------------------------------------------------- further mistakes
def add_further_errors(
    first: ScriptError,
    source: ScriptSource,
    variables: ScriptVariables,
    include: Sequence[str | os.PathLike[str]] | None,
    parse: Callable[[Any], Any],
) -> ScriptError:
    """Return the first mistake of a script with the mistakes in its other statements as further errors.

    Uses of a variable whose definition has a mistake are not reported. `include` has the folders of included
    files, whose mistakes are reported, too. A statement begins with a keyword, or with the name and the sign
    of a definition; an expression without a keyword is part of the statement before it.
    """
    if len(source.text) > MAX_TEXT:
        return first
    # Parse each statement separately, so that a mistake only affects its own statement.
    tokens, unreadable = _read_tokens(source, variables, include)
    errors: list[ScriptError] = []
    statements: list[nodes.Statement] = []
    unknown: set[str] = set()
    starts = [0, *(k for k in range(1, len(tokens)) if _begins_statement(tokens, k)), len(tokens)]
    for start, end in itertools.pairwise(starts):
        part = tokens[start:end]
        error = _find_unreadable(part, tokens[end : end + 1], start == 0, unreadable, source)
        if error is None:
            try:
                statements.extend(parse(part))
                continue
            except UnexpectedToken as unexpected:
                error = build_syntax_error(source, tokens, unexpected, start, end)
            except ScriptError as mistake:
                error = mistake
        if not _contains(part, tokens[end : end + 1], start == 0, first):
            errors.append(error)
        unknown |= {token.text for token in part if token.type == "NAME"}
        if len(errors) > MAX_ERRORS:
            break
    # Check the statements that could be parsed; ignore variables whose definitions could not.
    script = Script(tuple(statements), source.rules, source.text, source.file)
    errors += find_further_errors(script, unknown)
    # In v2, a script variable without a value is an empty text, which may have caused the mistake.
    if source.empty_variables:
        first = first.replace(reason=f"{first.reason}; {source.empty_variables[0]}")
    # Keep the first mistake first; of several at one place, keep the one that was found first.
    later = {
        (error.file != first.file, error.file or "", _position(error)): error
        for error in reversed(errors)
        if error.file != first.file or _position(error) > _position(first)
    }
    return join_errors([first, *(later[position] for position in sorted(later))])


def _contains(part: Sequence[Token], following: Sequence[Token], is_first: bool, error: ScriptError) -> bool:
    """Return whether an error is in the statement of some tokens; `following` has the token after them."""
    if part and part[0].source.file != error.file:
        return False
    places = [token.place for token in (*part[:1], *following) if token.source.file == error.file]
    start, *end = [(place.line, place.column) for place in places] or [(1, 1)]
    return (is_first or start <= _position(error)) and not (end and end[0] <= _position(error))


def _position(error: ScriptError) -> tuple[int, int]:
    return error.line, error.column


def _begins_statement(tokens: Sequence[Token], index: int) -> bool:
    """Return whether a statement begins at a token; a definition must be at the beginning of its line."""
    token, after = tokens[index], tokens[index + 1 : index + 2]
    if token.type in STATEMENTS:
        return True
    is_definition = token.type != "RPAR" and bool(after) and after[0].type == "ASSIGN"
    text = token.source.text
    return is_definition and not text[text.rfind("\n", 0, token.start) + 1 : token.start].strip()


def _find_unreadable(
    part: Sequence[Token],
    following: Sequence[Token],
    is_first: bool,
    unreadable: Sequence[tuple[int, ScriptError]],
    source: ScriptSource,
) -> ScriptError | None:
    """Return the error about a character in a statement that is not part of a token, or None."""
    if part and part[0].source is not source:
        return None  # the statement is in an included file
    end = following[0].start if following and following[0].source is source else float("inf")
    start = 0 if is_first or not part else part[0].start
    return next((error for offset, error in unreadable if start <= offset < end), None)


def _read_tokens(
    source: ScriptSource, variables: ScriptVariables, include: Sequence[str | os.PathLike[str]] | None
) -> tuple[list[Token], list[tuple[int, ScriptError]]]:
    """Return the tokens of a script that can be read, and the offset and error of each part that cannot."""
    text = source.text
    lines = text.split("\n")
    unreadable: list[tuple[int, ScriptError]] = []
    while True:
        readable = ScriptSource(text, source.rules, source.file)
        tokens, error = tokenize(readable, variables, Includes(source.file, include))
        mark_words(tokens, source.rules)
        if error is None or error.file != source.file or error.line > len(lines):
            break
        offset = sum(len(line) + 1 for line in lines[: error.line - 1]) + error.column - 1
        shown = lines[error.line - 1].rstrip("\r")
        error = error.replace(source=shown)
        is_new = all(offset != other for other, _ in unreadable)
        match = _UNREADABLE.match(text, offset)
        unreadable.append((offset, error))
        if not is_new or match is None or text.startswith(_ENDLESS, offset) or len(unreadable) > MAX_ERRORS:
            break
        text = text[:offset] + " " * len(match[0]) + text[match.end() :]
    for token in tokens:
        if token.source is readable:
            token.source = source
    return tokens, unreadable
