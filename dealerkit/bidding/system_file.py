"""Reading system files: one statement per line, made of tokens of the language."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from dealerkit.bidding.conditions import LETTERS, Word, find_depth, parse_condition
from dealerkit.bidding.contexts import Item, Pattern, find_pattern_fault, parse_item
from dealerkit.errors import Remedy, ScriptError, suggest_name
from dealerkit.language.dialects import MODERN
from dealerkit.language.includes import Includes
from dealerkit.language.scenarios import read_headers
from dealerkit.language.script_variables import ScriptVariables
from dealerkit.language.source import MAX_BYTES, ScriptSource, Token, find_encoding_fault, join_errors
from dealerkit.language.tokenizer import tokenize
from dealerkit.language.unknown_names import find_word_like

MAX_NESTING = 40  # depth of nested parentheses
MAX_WORDS = 300
_EXTENDS = re.compile(r'^[ \t]*extends[ \t]+"([^"\n]*)"', re.MULTILINE)
_CHUNK = re.compile(r"\S+")
_HEADER_WORDS = ("opening", "after")
STATEMENTS = ("system", "extends", "source", "opening", "after")
MARKS = ("forcing", "alert")
JUDGEMENT = "judgement"  # the source of a line that no published description contains
_RESERVED = {
    *STATEMENTS,
    *MARKS,
    *LETTERS,
    "otherwise",
    "seat",
    "from",
    "P",
    "X",
    "XX",
    "and",
    "or",
    "not",
    "any",
    "shape",
}
_SEATS = re.compile(r"([1-4])(?:-([1-4]))?")


@dataclass(frozen=True)
class Citation:
    """The place where a published description of a system says what a line says.

    Attributes
    ----------
    name : str
        Name of a source in the file or in the system that it extends; ``judgement``: no description says it.
    title : str
        Title of the description; "" for a judgement.
    section : str
        Chapter or page; "" for the whole description.
    """

    name: str
    title: str = ""
    section: str = ""

    def __str__(self) -> str:
        return ", ".join(part for part in (self.title or self.name, self.section) if part)


@dataclass(frozen=True)
class Line:
    """A line of a context: a call and the condition for it.

    Attributes
    ----------
    item : Item
        The call; its strain may be a letter.
    tokens : tuple of Token
        Tokens of the condition; empty if the call is made ``otherwise``.
    text : str
        The meaning in words.
    forcing, alert : bool
    sources : tuple of Citation
        Its own sources, otherwise those of its context.
    token : Token
        Token of the call.
    """

    item: Item
    tokens: tuple[Token, ...] = field(repr=False)
    text: str = ""
    forcing: bool = False
    alert: bool = False
    sources: tuple[Citation, ...] = ()
    token: Token = field(kw_only=True, repr=False, compare=False)


@dataclass(frozen=True)
class Context:
    """The choices after some calls, in their order."""

    pattern: Pattern
    lines: tuple[Line, ...]
    token: Token = field(repr=False, compare=False)
    words: Mapping[str, Word] = field(repr=False, compare=False)


@dataclass
class SystemContent:
    """What a system file contains.

    Attributes
    ----------
    source : ScriptSource
    title : str
    base : str
        Name of the system that it extends, or "".
    base_token : Token or None
    words : dict of str to Word
    contexts : list of Context
    parameters : dict of str to str
        Defaults of its script variables.
    sources : dict of str to str
        Titles of the descriptions that it cites, by name, including those of the system that it extends.
    """

    source: ScriptSource
    title: str = ""
    base: str = ""
    base_token: Token | None = None
    words: dict[str, Word] = field(default_factory=dict)
    contexts: list[Context] = field(default_factory=list)
    parameters: dict[str, str] = field(default_factory=dict)
    sources: dict[str, str] = field(default_factory=dict)


def read_system(
    text: str, file: str | None, variables: ScriptVariables, base: SystemContent | None = None
) -> SystemContent:
    """Return the content of a system file, whose conditions are not parsed yet.

    Parameters
    ----------
    text : str
    file : str or None
        Name of the file, for messages.
    variables : ScriptVariables
        Values of its script variables, to which the defaults of the file are added.
    base : SystemContent, optional
        Content of the system that it extends, whose words and sources are known.

    Raises
    ------
    ScriptError
        Its statements have mistakes; at most ten are reported.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    source = ScriptSource(text, MODERN, file)
    if (fault := find_encoding_fault(text)) is not None:
        raise source.error(f"this is not a system file: {fault[0]}", fault[1])
    if len(text) > MAX_BYTES:
        raise ScriptError(f"the system is longer than {MAX_BYTES:,} bytes", file, kind="limit")
    parameters = read_headers(text)[1]
    variables.add_defaults(parameters)
    tokens, end = tokenize(source, variables, Includes(None, None))
    if end is not None:
        raise end
    _prepare_braces(tokens, source)
    words, sources = (dict(base.words), dict(base.sources)) if base else ({}, {})
    reader = _Reader(SystemContent(source, words=words, parameters=parameters, sources=sources))
    for statement in _split_statements(tokens):
        reader.read(statement)
    reader.end_context()
    if reader.errors:
        raise join_errors(reader.errors)
    return reader.content


def _prepare_braces(tokens: Sequence[Token], source: ScriptSource) -> None:
    """Add the seat to lists of shapes in braces, and shift the places of their characters accordingly."""
    for token in tokens:
        if token.type == "BRACE":
            if match := re.match(r"\s*(north|east|south|west)\b", token.text):
                raise token.error(f"a meaning is about the bidder's hand; leave out '{match[1]}'")
            prefix = "north, "
            token.text = prefix + token.text
            pieces = source.pieces.get(token.start, [])
            source.pieces[token.start] = [(begin + len(prefix), offset) for begin, offset in pieces]


def _split_statements(tokens: Sequence[Token]) -> list[list[Token]]:
    """Return the tokens of each line; a line that ends with a comma continues."""
    statements: list[list[Token]] = []
    last_line = -1
    for token in tokens:
        line = token.place.line
        if not statements or (line != last_line and statements[-1][-1].type != "COMMA"):
            statements.append([])
        statements[-1].append(token)
        last_line = line + token.source.text.count("\n", token.start, token.end)
    return statements


class _Reader:
    """Reads the statements of a file one after another."""

    def __init__(self, content: SystemContent) -> None:
        self.content = content
        self.errors: list[ScriptError] = []
        self.pattern: Pattern | None = None
        self.header: Token | None = None
        self.lines: list[Line] = []
        self.cited: tuple[Citation, ...] = ()  # sources in the header of the current lines
        self.defined = set[str]()  # words of this file
        self.is_readable = True  # whether the header of the current lines could be read

    def read(self, tokens: list[Token]) -> None:
        """Read one statement and keep its error."""
        try:
            self._read_statement(tokens)
        except ScriptError as error:
            self.errors.append(error)

    def _read_statement(self, tokens: list[Token]) -> None:
        first = tokens[0]
        _check_nesting(tokens)
        if first.text == "system" and first.type == "NAME":
            self.content.title = _read_string(tokens, 'system "SAYC"')
        elif first.text == "extends":
            if self.content.contexts or self.lines or self.content.base:
                raise first.error("`extends` comes once, before all contexts")
            self.content.base = _read_string(tokens, 'extends "sayc"')
            self.content.base_token = tokens[1]
        elif first.text == "source":
            self._read_source(tokens)
        elif first.text in _HEADER_WORDS:
            self.end_context()
            self.is_readable = False
            tokens, self.cited = self._split_citations(tokens)
            self.pattern, self.header = read_header(tokens), first
            self.is_readable = True
        elif (assign := _find_assignment(tokens)) is not None:
            self._read_word(tokens, assign)
        else:
            self._read_line(tokens)

    def end_context(self) -> None:
        """Store the context whose lines have been read."""
        if self.pattern is not None and self.header is not None:
            if not self.lines and self.is_readable and not self.errors:
                self.errors.append(self.header.error("this context has no lines; write its calls below it"))
            context = Context(self.pattern, tuple(self.lines), self.header, self.content.words)
            self.content.contexts.append(context)
        self.pattern, self.lines, self.cited = None, [], ()

    def _read_source(self, tokens: list[Token]) -> None:
        """Store the title of a description: ``source booklet "ACBL SAYC System Booklet"``."""
        if [token.type for token in tokens[1:]] != ["NAME", "STRING"]:
            raise tokens[0].error('`source` takes a name and a text in quotes: source booklet "The booklet"')
        name = tokens[1].text
        if name in _RESERVED or name == JUDGEMENT or name in self.content.sources:
            raise tokens[1].error(f"'{name}' cannot be the name of a source; choose another name")
        self.content.sources[name] = tokens[2].text

    def _split_citations(self, tokens: list[Token]) -> tuple[list[Token], tuple[Citation, ...]]:
        """Return the tokens before ``from``, and the sources after it: ``from booklet "Raises"``."""
        start = next(
            (k for k, token in enumerate(tokens) if token.text == "from" and token.type == "NAME"), None
        )
        if start is None:
            return tokens, ()
        cited: list[Citation] = []
        rest = tokens[start + 1 :]
        while rest or not cited:
            name = rest.pop(0) if rest else tokens[start]
            if name.text != JUDGEMENT and name.text not in self.content.sources:
                known = (*self.content.sources, JUDGEMENT)
                raise name.error(
                    f"`from` takes the name of a source: {', '.join(known)}", find_word_like(name.text, known)
                )
            section = rest.pop(0).text if rest and rest[0].type == "STRING" else ""
            cited.append(Citation(name.text, self.content.sources.get(name.text, ""), section))
            if rest and rest.pop(0).type != "COMMA":
                raise name.error(
                    "sources are separated by commas, each with a section in quotes or without one"
                )
        return tokens[:start], tuple(cited)

    def _read_word(self, tokens: list[Token], assign: int) -> None:
        first, parameter = tokens[0], ""
        head = tokens[:assign]
        if len(head) == 4:
            parameter = head[2].text
        if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", first.text) or first.text in _RESERVED:
            raise first.error(f"'{first.text}' cannot be a word of a system; choose another name")
        if first.type in ("SEAT", "SUIT", "SIDE", "HOLDING", "CARD", "CONTRACT", "NUMBER"):
            raise first.error(f"'{first.text}' has a meaning in the language; choose another name")
        if self.pattern is not None:
            raise first.error("words are defined before the first context")
        body = tokens[assign + 1 :]
        if not body:
            raise tokens[assign].error("a condition is missing after '='")
        if first.text in self.defined:
            raise first.error(f"'{first.text}' is already defined; choose another name", kind="defined twice")
        if len(self.defined) == MAX_WORDS:
            raise first.error(f"a system has at most {MAX_WORDS} words", kind="limit")
        known = dict(self.content.words)
        self.defined.add(first.text)
        word = Word(first.text, parameter, tuple(body), known, first, 1 + find_depth(body, known))
        # A word with a suit parameter is tried with one suit.
        parse_condition(body, word.words, {parameter: 0} if parameter else {})
        self.content.words[word.name] = word

    def _read_line(self, tokens: list[Token]) -> None:
        first = tokens[0]
        text = first.source.text
        match = _CHUNK.match(text, first.start)
        chunk = match[0].partition("#")[0] if match else ""
        item = parse_item(chunk)
        if item is None or item.theirs or item.call in ("?", "*"):
            raise self._build_line_error(first, chunk)
        if self.pattern is None:
            if self.is_readable:
                raise first.error(
                    "this call is in no context; write `opening` or `after ...` in a line before it"
                )
            return
        rest, cited = self._split_citations(
            [token for token in tokens if token.start >= first.start + len(chunk)]
        )
        self.lines.append(_read_meaning(item, first, rest, cited or self.cited))

    def _build_line_error(self, first: Token, chunk: str) -> ScriptError:
        remedy = find_word_like(chunk, STATEMENTS)
        kinds = "a call (1C to 7NT, P, X, XX), a context or `word = condition`"
        reason = f"'{chunk[:20]}' cannot begin a line: write {kinds}"
        if re.fullmatch("(?i)dbl|double|d|rdbl|redouble", chunk):
            remedy = Remedy("XX" if chunk.lower().startswith("r") else "X", "word")
        elif re.fullmatch("(?i)[1-7](nt?|[shdcm])|pass|p|xx?", chunk):
            upper = chunk.upper().replace("PASS", "P")
            remedy = Remedy(f"{upper}T" if upper.endswith("N") else upper, "word")
        return first.error(reason, remedy)


def _check_nesting(tokens: Sequence[Token]) -> None:
    depth = 0
    for token in tokens:
        depth += (token.type == "LPAR") - (token.type == "RPAR")
        if depth > MAX_NESTING:
            raise token.error(
                f"more than {MAX_NESTING} parentheses inside each other; give parts names",
                kind="limit",
            )
        if depth < 0:
            raise token.error("this ')' closes nothing; delete it, or write '(' before", kind="unopened")


def _find_assignment(tokens: Sequence[Token]) -> int | None:
    """Return the index of the sign in a definition, ``word =`` or ``word(x) =``."""
    for index in (1, 4):
        if len(tokens) > index and tokens[index].type == "ASSIGN":
            if index == 1 or [tokens[k].type for k in (1, 3)] == ["LPAR", "RPAR"]:
                return index
    return None


def _read_string(tokens: Sequence[Token], example: str) -> str:
    if len(tokens) != 2 or tokens[1].type != "STRING":
        raise tokens[0].error(f"`{tokens[0].text}` takes one text in quotes: {example}")
    return tokens[1].text


def _read_meaning(item: Item, first: Token, tokens: list[Token], sources: tuple[Citation, ...]) -> Line:
    """Return the line of a call from the tokens after it."""
    text, marks = "", set[str]()
    rest = list(tokens)
    while rest and (rest[-1].type == "STRING" or rest[-1].text in MARKS):
        token = rest.pop()
        if token.type != "STRING":
            marks.add(token.text)
        elif text:
            raise token.error("a line has only one text")
        else:
            text = token.text
            if "\n" in text:
                raise token.error("this text has no closing quote")
    if rest and rest[-1].type == "COMMA":
        raise rest[-1].error("a condition is missing after this comma")
    if not rest:
        raise first.error(
            f"the condition of {item} is missing; for all hands that are left, write: {item} otherwise"
        )
    is_last = len(rest) == 1 and rest[0].text == "otherwise"
    if not is_last and any(token.text == "otherwise" for token in rest):
        place = next(token for token in rest if token.text == "otherwise")
        raise place.error("`otherwise` is the whole condition of a line")
    condition = () if is_last else tuple(rest)
    return Line(item, condition, text, "forcing" in marks, "alert" in marks, sources, token=first)


def read_header(tokens: Sequence[Token]) -> Pattern:
    """Return the pattern of a header: ``opening seat 3-4``, ``after 1M (2x) vulnerable``."""
    first, source = tokens[0], tokens[0].source
    chunks = [(m[0], m.start()) for m in _CHUNK.finditer(source.text, first.end, tokens[-1].end)]
    items: list[tuple[Item, int]] = []
    seats: tuple[int, ...] = ()
    vulnerable: bool | None = None
    while chunks:
        chunk, offset = chunks.pop(0)
        if chunk == "seat":
            match = _SEATS.fullmatch(chunks[0][0]) if chunks else None
            if match is None or int(match[2] or match[1]) < int(match[1]):
                raise source.error("`seat` takes a number, or two: seat 3-4", offset)
            chunks.pop(0)
            seats = tuple(range(int(match[1]), int(match[2] or match[1]) + 1))
        elif chunk == "vulnerable":
            vulnerable = True
        elif chunk == "not" and chunks and chunks[0][0] == "vulnerable":
            chunks.pop(0)
            vulnerable = False
        elif (item := parse_item(chunk)) is not None and first.text == "after":
            if seats or vulnerable is not None:
                raise source.error("the calls come before `seat` and `vulnerable`", offset)
            items.append((item, offset))
        else:
            close = suggest_name(chunk, ("seat", "vulnerable", "not"))
            what = "a call; calls of the opponents are in brackets: after 1H (1S)"
            if first.text == "opening":
                what = "`seat` or `vulnerable`; calls follow `after`"
            raise source.error(f"'{chunk[:20]}' is not {what}{close}", offset)
    if first.text == "after" and not items:
        raise first.error("`after` takes calls: after 1NT, after (1x), after 1H (1S)")
    index, fault = find_pattern_fault([item for item, _ in items])
    if fault:
        raise source.error(fault, items[index][1])
    return Pattern(tuple(item for item, _ in items), seats, vulnerable)


def read_base(text: str, file: str | None) -> tuple[str, Callable[[str], ScriptError]] | None:
    r"""Return the name of the system that a text extends, and a function that makes errors about it; or None.

    >>> read_base('system "Two over one"\nextends "sayc"', None)[0]
    'sayc'
    """
    match = _EXTENDS.search(text)
    if match is None:
        return None
    source = ScriptSource(text, MODERN, file)
    return match[1], lambda reason: source.error(reason, match.start(1))
