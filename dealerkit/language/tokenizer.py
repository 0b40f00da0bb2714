"""Split the text of a script into tokens, each as long as possible in the script's dialect.

Script variables (``$low``, ``$0`` to ``$9``) are replaced by the tokens of their values. A value ends the
token before it and may contain other variables; its tokens have the place of the variable. A line that
includes a file is replaced by the tokens of the file, which have their places in that file. The braces of
``shape{}`` and what they contain are one token; its text has the values of the variables in it.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator

from dealerkit.errors import ScriptError
from dealerkit.language.dialects import Rules
from dealerkit.language.includes import Includes
from dealerkit.language.scenarios import read_headers
from dealerkit.language.script_variables import NAME, Params, ScriptVariables
from dealerkit.language.source import MAX_BYTES, MAX_NESTING, ScriptSource, Token, find_encoding_fault
from dealerkit.language.stray_characters import describe_stray
from dealerkit.language.vocabulary import SETTINGS, classify_word, is_contextual

MAX_TOKENS = MAX_BYTES // 2
_OPERATORS = {
    "&&": ("OPERATOR", "and"), "||": ("OPERATOR", "or"), "!": ("NOT", "not"), "==": ("EQUAL", "=="),
    "+": ("PLUS", "+"), "-": ("MINUS", "-"), "?": ("QUESTION", "?"), ":": ("COLON", ":"),
    "=": ("ASSIGN", "="), "(": ("LPAR", "("), ")": ("RPAR", ")"), ",": ("COMMA", ","),
} | {sign: ("OPERATOR", sign) for sign in ("!=", "<=", ">=", "<", ">", "*", "/", "%")}  # fmt: skip

_NESTING = ("NOT", "MINUS", "QUESTION", "COLON")


@functools.cache
def _pattern(rules: Rules) -> re.Pattern[str]:
    """Return the pattern of all tokens; of alternatives that can begin alike, the longer one comes first."""
    # Parts that depend on the rules; (?!) matches nothing.
    include = r"\#include\b[^\n]*" if rules.comments_anywhere else r"^\#include\b[^\n]*"
    include += r"|^Import,[^\n]*" if rules.includes else ""
    hash_comment = r"\#[^\n]*" if rules.comments_anywhere else r"^\#[^\n]*"
    brace_comment = r"|\#[^\n]*+" if rules.comments_anywhere else ""
    own_contract = r"[1-7]NT?x{0,2}|1[CDHS]x{0,2}|[2-7][CDHS]x{1,2}" if rules.modern_syntax else r"(?!)"
    variable = _find_variable_pattern(rules)
    output = r"(?<=\))\.[A-Za-z][A-Za-z0-9_]*" if rules.modern_syntax else r"(?!)"
    string = r'[^"\n]*["\n]' if rules.one_line_strings else '[^"]*"'
    hand = r"[AKQJT2-9x]*(?:\.[AKQJT2-9x]*){3}" if rules.modern_syntax else r"(?!)"
    return re.compile(
        rf"""(?:[ \t\n]+|\r+\n)+ | //[^\n]* | /\*(?s:.*?)\*/
        | (?P<include>{include}) | {hash_comment}
        | (?P<hand>{hand})
        | (?P<word>[A-Za-z][A-Za-z0-9_]*)
        | (?P<sign>&&|\|\||==|!=|<=|>=|=(?![<>])|<(?!>)|/(?!\*)|[-+*%>!?:(),])
        | (?P<contract>{own_contract})
        | (?P<decimal>[0-9]+\.[0-9]*|\.[0-9]+)
        | (?P<card>[2-9][CDHS])
        | (?P<distribution>(?=[0-9]{{0,3}}x)[0-9x]{{4}})
        | (?P<number>[0-9]+)
        | "(?P<string>{string})
        | (?P<newline>\\n)
        | \$(?P<variable>{variable})
        | (?P<output>{output})
        | \{{(?P<brace>(?:[^}}{chr(92) + "#" if brace_comment else ""}]{brace_comment})*+)\}}
        """,
        re.VERBOSE | re.MULTILINE,
    )


_SMALL_CARDS = re.compile("[CDHS]A?K?Q?J?T?9?8?7?6?5?4?3?2?x+")  # a holding with cards below the ten
_PARENTHESIS = re.compile(r"\s*\(")


# A function that returns the value of a variable. Its arguments are the name of the variable, the name of the
# variable whose value contains it, the texts around it, and the offset of the brace in the script.
_LookUp = Callable[[str, str, list[tuple[str, int, str]], int], str]


def tokenize(
    source: ScriptSource, params: Params | ScriptVariables, includes: Includes | None = None
) -> tuple[list[Token], ScriptError | None]:
    """Return the tokens of a script, and the error that ends them, if any.

    Returns
    -------
    tokens : list of Token
        All tokens, or those before the error.
    error : ScriptError or None
        An error about a character that begins no token; a text, comment or brace that is not closed; too many
        tokens or nested parentheses; a script variable that has no value or contains itself; or a file that
        cannot be included.
    """
    tokenizer = _Tokenizer(source, ScriptVariables.collect(params), includes or Includes(source.file))
    try:
        return tokenizer.run(), None
    except ScriptError as error:
        return tokenizer.tokens, error


class _Tokenizer:
    def __init__(self, source: ScriptSource, variables: ScriptVariables, includes: Includes) -> None:
        self.source, self.variables, self.remaining_bytes = source, variables, MAX_BYTES
        self.includes = includes
        self.tokens: list[Token] = []
        self.words: dict[str, tuple[str, str]] = {}
        self.signs = self.question_marks = 0  # consecutive prefixes; `?` without its `:` so far
        self.shape_depth = -1  # depth of parentheses inside the current shape(...); -1: none

    def run(self) -> list[Token]:
        pattern, tokens, add = _pattern(self.source.rules), self.tokens, self._add
        # `texts` has the texts to resume, the script and the values of script variables around the current
        # one; `including` has the scripts that include the current one.
        texts: list[tuple[str, int, str]] = []
        including: list[tuple[ScriptSource, int]] = []
        text, position, name = self.source.text, 0, ""
        outer: tuple[int, int] | None = None  # start and end of the outermost variable
        read = pattern.match
        while True:
            match = read(text, position)
            # At the end of a text, resume the value, the file or the script around it.
            if match is None:
                if position < len(text):
                    raise self._build_error(text, position, outer, name)
                if texts:
                    text, position, name = texts.pop()
                    outer = outer if texts else None
                elif including:
                    self.includes.close()
                    self.source, position = including.pop()
                    text = self.source.text
                else:
                    return tokens
                continue
            # Skip blanks and comments, which have no group. An include or a variable begins another text.
            kind = match.lastgroup
            start, position = match.span()
            if kind is None:
                continue
            if kind == "include":
                included = None if outer else self._read_include(match[kind], start)
                if included is not None:
                    including.append((self.source, position))
                    self.source, text, position = included, included.text, 0
            elif kind == "variable":
                span = outer or (start, position)
                value = self._look_up_variable(match[kind], name, texts, span[0])
                texts.append((text, position, name))
                text, position, name, outer = value, 0, match[kind], span
            else:
                add(kind, match[kind], text, start, position, outer)
                if len(tokens) > MAX_TOKENS:
                    message = f"the script has more than {MAX_TOKENS:,} words and signs"
                    raise self.source.error(message, outer[0] if outer else start, kind="limit")

    def _read_include(self, line: str, offset: int) -> ScriptSource | None:
        """Return the source of the file that a line includes; None if the line is a comment."""
        source = self.source
        request = self.includes.find_request(line, source, offset)
        if request is None:
            return None
        if not source.rules.includes:
            source.warn(f"in {source.rules.name} #include is a comment; the file is not read", offset)
            return None
        included = self.includes.read(request, source, offset)
        self.variables.add_defaults(read_headers(included.text)[1])
        return included

    def _add(
        self, kind: str, value: str, text: str, start: int, end: int, outer: tuple[int, int] | None
    ) -> None:
        """Add the token of a match in the script, or in the value of the variable at `outer`."""
        tokens, source = self.tokens, self.source
        if kind == "sign":
            if value == "+" and self._extend_holding(start if outer is None else outer[0]):
                return
            type, value = _OPERATORS[value]
            if type == "LPAR":
                self._open(start if outer is None else outer[0])
            elif type == "RPAR" and source.open:
                if len(source.open) == self.shape_depth:
                    self.shape_depth = -1
                source.open.pop()
            elif type in _NESTING:
                self._nest(type, start if outer is None else outer[0])
        elif kind == "word":
            type, value = self._classify_word(value, text, end)
        elif kind == "number":
            type = "DISTRIBUTION" if self.shape_depth >= 0 and len(value) == 4 else "NUMBER"
        elif kind == "decimal":
            type = "NUMBER"
            if not source.rules.decimals:
                offset = outer[0] if outer else start
                raise source.error(f"{source.rules.name} has no numbers with a decimal point", offset)
        elif kind == "string":
            type, value = "STRING", self._end_string(value, start if outer is None else outer[0])
        elif kind == "newline":
            type, value = "STRING", "\n"
        elif kind == "brace":
            type = "BRACE"
            offset, begin = (start, start + 1) if outer is None else (outer[0], None)
            value = _expand_brace(source, value, offset, begin, self._look_up_variable)
        else:
            type = kind.upper()
        if outer is not None:
            start, end = outer
        tokens.append(Token(type, value, start, end, source))

    def _end_string(self, text: str, offset: int) -> str:
        """Return the text of a string without the closing quote, or the end of the line that replaces it.

        As in DealerV2, the newline is then part of the text, except in a title.
        """
        if text.endswith('"'):
            return text[:-1]
        self.source.warn("this text has no closing quote; it ends with its line", offset)
        before = [token.type for token in self.tokens[-2:] if token.type != "ASSIGN"]
        return text[:-1] if before[-1:] == ["TITLE"] else text

    def _classify_word(self, word: str, text: str, end: int) -> tuple[str, str]:
        """Return the type and text of a word's token, which depend on what precedes and follows it."""
        rules = self.source.rules
        if rules.modern_syntax and _SMALL_CARDS.fullmatch(word) and self._is_predealing():
            return "HOLDING", word
        if self.tokens and (word_type := self._classify_vulnerability(word)):
            return word_type
        token = self.words.get(word)
        if token is None:
            token = self.words[word] = classify_word(word, rules)
        if token[0] == "FUNCTION" and not _PARENTHESIS.match(text, end) and is_contextual(word, rules):
            return "NAME", word
        if rules.loose_settings and word in SETTINGS and not text.startswith((" ", "\t", "\n", "\r"), end):
            return "NAME", word
        return token

    def _extend_holding(self, offset: int) -> bool:
        """Add the + of a predealt ``HA+`` to the holding before it; return whether it was one."""
        last = self.tokens[-1] if self.tokens else None
        is_part = (
            last is not None
            and last.type == "HOLDING"
            and last.end == offset
            and self.source.rules.modern_syntax
            and self._is_predealing()
        )
        if is_part:
            assert last is not None
            self.tokens[-1] = Token("HOLDING", f"{last.text}+", last.start, offset + 1, last.source)
        return is_part

    def _is_predealing(self) -> bool:
        """Return whether the tokens so far end inside a predeal."""
        for token in reversed(self.tokens):
            if token.type not in ("SEAT", "HOLDING", "HAND", "COMMA"):
                return token.type == "PREDEAL" or token.type == "NUMBER"
        return False

    def _classify_vulnerability(self, word: str) -> tuple[str, str] | None:
        """Return the type and text of a word after `vulnerable`, which takes more spellings, or None."""
        before = self.tokens[-1]
        if before.type == "ASSIGN" and len(self.tokens) > 1:
            before = self.tokens[-2]
        if before.type != "VULNERABLE":
            return None
        rules = self.source.rules
        words = ["none", "ns", "ew", "all"] + ["both"] * (rules.vulnerable_both is not None)
        spelling = word.lower() if rules.extensions or word in ("NS", "EW") else word
        return ("VULWORD", spelling) if spelling in words else ("NAME", word)

    def _open(self, offset: int) -> None:
        self.source.open.append(self.source.place(offset))
        if len(self.source.open) > MAX_NESTING:
            reason = f"more than {MAX_NESTING} parentheses inside each other; define parts of it as variables"
            raise self.source.error(reason, offset, kind="limit")
        if self.tokens and self.tokens[-1].type == "SHAPE":
            self.shape_depth = len(self.source.open)

    def _nest(self, type: str, offset: int) -> None:
        """Count nested operations without parentheses; raise an error if there are too many."""
        if type == "QUESTION":
            self.question_marks += 1
        elif type == "COLON":
            self.question_marks = max(0, self.question_marks - 1)
        elif self.tokens and self.tokens[-1].type in ("NOT", "MINUS"):
            self.signs += 1
        else:
            self.signs = 1
        if max(self.signs, self.question_marks) > MAX_NESTING:
            reason = f"more than {MAX_NESTING} operations inside each other; define parts of it as variables"
            raise self.source.error(reason, offset, kind="limit")

    # ---------------------------------------------------------------- script variables
    def _look_up_variable(
        self, variable: str, name: str, texts: list[tuple[str, int, str]], offset: int
    ) -> str:
        """Return the value of a variable inside the value of `name` and of the variables in `texts`."""
        rules = self.source.rules
        if not rules.extensions:
            raise self.source.error(f"script variables (${variable}) are not known in {rules.name}", offset)
        # A variable without a value is a mistake in modern scripts, and an empty text in v2.
        value = self.variables.find_text(variable)
        if value is None:
            if rules.modern_syntax:
                remedy = self.variables.suggest_value(variable)
                raise self.source.error(f"the script variable ${variable} has no value{remedy}", offset)
            remedy = self.variables.suggest_value(variable).removeprefix("; ")
            self.source.warn(f"${variable} has no value and is an empty text; {remedy}", offset)
            self.source.empty_variables.append(f"${variable} has no value; {remedy}")
            return ""
        # Check that the value does not contain itself, is not too long, and can be stored as a text.
        if variable == name or any(variable == outer for _, _, outer in texts):
            raise self.source.error(f"the script variable ${variable} contains itself", offset)
        self.remaining_bytes -= len(value)
        if self.remaining_bytes < 0:
            message = f"the values of the script variables are longer than {MAX_BYTES:,} characters in all"
            raise self.source.error(message, offset)
        if (fault := find_encoding_fault(value)) is not None:
            raise self.source.error(f"the value of ${variable}: {fault[0]}", offset)
        return value

    # ---------------------------------------------------------------- errors
    def _build_error(self, text: str, position: int, outer: tuple[int, int] | None, name: str) -> ScriptError:
        """Return the error about a character that begins no token, in the script or a variable's value."""
        previous = self.tokens[-1].type if self.tokens else ""
        reason = describe_stray(text, position, self.source.rules, previous)
        is_open = text.startswith("/*", position) or (text[position] == "{" and previous == "SHAPE")
        if outer is not None:
            return self.source.error(f"in the value of ${name}: {reason}", outer[0])
        kind = "unclosed" if is_open else "comment" if text[position] == "#" else ""
        return self.source.error(reason, position, kind=kind)


def _find_variable_pattern(rules: Rules) -> str:
    """Return the pattern of a script variable's name, which follows the dollar sign."""
    return f"(?:{NAME})" if rules.modern_syntax else "[0-9]"


def _expand_brace(source: ScriptSource, text: str, offset: int, start: int | None, look_up: _LookUp) -> str:
    """Return the text inside shape{} with the values of script variables and without comments.

    `start` is the offset of the text in the script, None for a brace in the value of a script variable. The
    source stores the offsets of the pieces that the text consists of.
    """
    if "$" not in text and "#" not in text:
        if start is not None:
            source.pieces[offset] = [(0, start)]
        return text
    parts, length = [], 0
    pieces: list[tuple[int, int | None]] = []
    for part, begin in _split_brace(text, source.rules, look_up, offset):
        pieces.append((length, None if begin is None or start is None else start + begin))
        parts.append(part)
        length += len(part)
    if start is not None:
        source.pieces[offset] = pieces
    return "".join(parts)


def _split_brace(text: str, rules: Rules, look_up: _LookUp, offset: int) -> Iterator[tuple[str, int | None]]:
    """Yield the parts of a brace's text with their offsets in it, None in the value of a variable."""
    variable = rf"\$(?P<variable>{_find_variable_pattern(rules)})"
    separators = re.compile(rf"{variable}|\#[^\n]*" if rules.comments_anywhere else variable)
    texts: list[tuple[str, int, str]] = []
    position, name = 0, ""
    while True:
        match = separators.search(text, position)
        end = match.start() if match else len(text)
        # Yield the text before the next variable or comment, or before the end.
        if end > position:
            yield text[position:end], None if texts else position
        # At the end of a value, resume the text around it.
        if match is None:
            if not texts:
                return
            text, position, name = texts.pop()
        elif match[0].startswith("#"):
            position = match.end()
        else:
            value = look_up(match["variable"], name, texts, offset)
            texts.append((text, match.end(), name))
            text, position, name = value, 0, match["variable"]
