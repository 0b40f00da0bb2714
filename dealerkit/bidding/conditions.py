"""Conditions of system files: about one hand, without the seat, as nodes of the dealer language.

The tokens of a condition are those of the language. Before the grammar of the language reads them, they are
rewritten: functions get the seat (north, in all nodes of this package), words and suit letters are replaced
by their meanings, ``hcp 15-17`` becomes two comparisons, and a comma becomes an ``and`` that binds weakest.
New tokens have the places of the tokens that they replace, so errors always refer to places in the file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import add, mul, sub
from typing import Any

import dealerkit.language.functions  # noqa: F401  (it fills the registry)
from dealerkit.cards.names import SEATS, SUITS
from dealerkit.compiler.graph import OperationGraph
from dealerkit.errors import ScriptError
from dealerkit.language import nodes
from dealerkit.language.checks import check_script
from dealerkit.language.dialects import MODERN
from dealerkit.language.grammar import UnexpectedToken, parse_tokens
from dealerkit.language.script import Script
from dealerkit.language.source import MAX_NESTING, ScriptSource, Token
from dealerkit.language.syntax_errors import build_syntax_error
from dealerkit.language.trees import find_deeper_node
from dealerkit.language.unknown_names import find_word_like
from dealerkit.language.vocabulary import SUIT_WORDS, is_function, list_keywords
from dealerkit.registry import find_function

BIDDER = 0  # the seat in all nodes: north
LETTERS = ("M", "m", "oM", "om", "x")  # a major, a minor, the other major, the other minor, any suit
SUITS_OF_LETTER = {"M": (0, 1), "m": (2, 3), "x": (0, 1, 2, 3)}
MAX_TOKENS = 20_000  # tokens of a condition after its words are replaced
MAX_DEPTH = 50  # depth of its parentheses, including those of words
_ARITHMETIC = ("PLUS", "MINUS")
_OPERATIONS: dict[str, Callable[[int, int], int]] = {"+": add, "-": sub, "*": mul}
_LARGEST = 10**6  # largest result that replaces an operation
_BEFORE_RANGE = ("*", "/", "%", "<", "<=", ">", ">=", "!=")
_OPERANDS = ("NUMBER", "NAME", "FUNCTION", "SUIT", "LPAR", "SHAPE", "NOT", "CARD")

Binding = Mapping[str, int]  # suits for letters and parameters


@dataclass(frozen=True)
class Word:
    """A word that a file defines.

    Attributes
    ----------
    name : str
    parameter : str
        The suit parameter; "" if it takes none.
    tokens : tuple of Token
        Tokens of its condition or value.
    words : mapping of str to Word
        Words defined before it, which the tokens may use.
    token : Token
        Token of its definition.
    depth : int
        Depth of nested parentheses after its words are replaced.
    """

    name: str
    parameter: str
    tokens: tuple[Token, ...] = field(repr=False)
    words: Mapping[str, Word] = field(repr=False)
    token: Token = field(repr=False)
    depth: int = 1


def parse_condition(tokens: Sequence[Token], words: Mapping[str, Word], binding: Binding) -> nodes.Expression:
    """Return the condition in tokens as an expression about north's hand.

    Parameters
    ----------
    tokens : sequence of Token
        At least one token.
    words : mapping of str to Word
    binding : mapping of str to int
        Suits S H D C = 0..3 for the suit letters.

    Raises
    ------
    ScriptError
        There is a mistake, with its place in the file.
    """
    find_depth(tokens, words)
    rewritten = _Rewriter(words, binding).rewrite(tokens)
    source = tokens[0].source
    try:
        statements: Any = parse_tokens(rewritten)
    except UnexpectedToken as unexpected:
        raise _locate_end(build_syntax_error(source, rewritten, unexpected), tokens, rewritten) from None
    if len(statements) != 1 or not isinstance(statements[0], nodes.Condition) or not statements[0].bare:
        raise tokens[0].error("a condition about the bidder's hand is needed here, such as hcp 12+")
    if (deep := find_deeper_node(statements, MAX_NESTING)) is not None:
        raise source.error_at("too many operations inside each other; give parts of it names", deep.place)
    # A script variable is often part of a sum: 15 + 2 is written as 17 wherever the condition is shown.
    condition: nodes.Expression = compute_constants(statements[0].value)
    _check_meaning(condition, source)
    return condition


def find_depth(tokens: Sequence[Token], words: Mapping[str, Word]) -> int:
    """Return how deep parentheses are nested once all words are replaced.

    Raises
    ------
    ScriptError
        The depth exceeds `MAX_DEPTH`.
    """
    depth = deepest = 0
    for token in tokens:
        depth += (token.type == "LPAR") - (token.type == "RPAR")
        word = words.get(token.text)
        deepest = max(deepest, depth + (word.depth if word else 0))
        if deepest > MAX_DEPTH:
            raise token.error(f"more than {MAX_DEPTH} parentheses and words inside each other", kind="limit")
    return deepest


def _locate_end(error: ScriptError, tokens: Sequence[Token], rewritten: Sequence[Token]) -> ScriptError:
    """Return an error at the end of a condition with the place of its last token, not the end of the file."""
    last, first = tokens[-1], tokens[0]
    places = {(token.place.line, token.place.column) for token in rewritten}
    if (error.line, error.column) in places or error.line == first.place.line:
        return error
    return last.source.error(error.reason, last.end, error.remedy, error.kind)


def _check_meaning(condition: nodes.Expression, source: ScriptSource) -> None:
    """Raise an error for names, units or values that a condition about one hand cannot have."""
    script = Script(
        (nodes.Condition(condition, bare=True, place=condition.place),), MODERN, source.text, source.file
    )
    graph = OperationGraph(MODERN, check_script(script))
    slot = graph.add_expression(condition)
    operation = graph.operations[slot]
    reason = ""
    if operation.seats & ~(1 << BIDDER):
        reason = "a meaning is about the bidder's hand; this depends on other hands"
    elif graph.has_kind([slot], "random"):
        reason = "a meaning has no random numbers"
    elif graph.has_kind([slot], "board"):
        reason = "a meaning does not depend on the number of the board"
    elif not operation.total:
        reason = "this may have no value, as a division by zero; a meaning is true or false for every hand"
    if reason:
        raise source.error_at(reason, condition.place)


def move_to_seat(node: Any, seat: int) -> Any:
    """Return an expression about north's hand as one about the hand of a seat.

    >>> from dealerkit.language.parser import parse_script
    >>> from dealerkit.language.printer import to_text
    >>> condition = parse_script("hcp(north) >= 12 and spades(north) > 4", MODERN).statements[0].value
    >>> to_text(move_to_seat(condition, 2))
    'hcp(south) >= 12 and spades(south) > 4'
    """
    if isinstance(node, nodes.Seat):
        return replace(node, index=seat)
    return _map_parts(node, lambda part: move_to_seat(part, seat))


def compute_constants(node: Any) -> Any:
    """Return an expression in which sums, differences and products of whole numbers are computed.

    >>> from dealerkit.language.parser import parse_script
    >>> from dealerkit.language.printer import to_text
    >>> to_text(compute_constants(parse_script("hcp(north) <= 15 + 2", MODERN).statements[0].value))
    'hcp(north) <= 17'
    """
    node = _map_parts(node, compute_constants)
    if not isinstance(node, nodes.Chain) or not _OPERATIONS.keys() >= {*node.operators}:
        return node
    numbers = [part.value for part in node.operands if isinstance(part, nodes.Number) and not part.decimal]
    if len(numbers) < len(node.operands):
        return node
    value = int(numbers[0])
    for sign, number in zip(node.operators, numbers[1:], strict=True):
        value = _OPERATIONS[sign](value, int(number))
    return nodes.Number(value, place=node.place) if 0 <= value <= _LARGEST else node


def _map_parts(node: Any, function: Callable[[Any], Any]) -> Any:
    """Return a node after applying a function to the nodes directly below it."""
    kind = type(node)
    if kind is nodes.Call:
        return replace(node, arguments=tuple(map(function, node.arguments)))
    if kind in (nodes.Chain, nodes.And, nodes.Or):
        return replace(node, operands=tuple(map(function, node.operands)))
    if kind in (nodes.Not, nodes.Negate):
        return replace(node, operand=function(node.operand))
    if kind is nodes.Choice:
        return replace(
            node,
            conditions=tuple(map(function, node.conditions)),
            values=tuple(map(function, node.values)),
            otherwise=function(node.otherwise),
        )
    return node


class _Rewriter:
    """Rewrites the tokens of one condition, using the words and suit letters that it may contain."""

    def __init__(self, words: Mapping[str, Word], binding: Binding) -> None:
        self.words, self.binding = words, binding
        self.size = 0

    def rewrite(self, tokens: Sequence[Token]) -> list[Token]:
        """Return the tokens of the dealer language for tokens with commas outside of calls."""
        parts: list[list[Token]] = [[]]
        depth = 0
        for token in tokens:
            depth += (token.type == "LPAR") - (token.type == "RPAR")
            if token.type == "COMMA" and depth == 0:
                if not parts[-1]:
                    raise token.error("a condition is missing before this comma")
                parts.append([])
            else:
                parts[-1].append(token)
        if not parts[-1]:
            raise tokens[-1].error("a condition is missing after this comma")
        rewritten = [self._rewrite_part(part) for part in parts]
        if len(rewritten) == 1:
            return rewritten[0]
        joined: list[Token] = []
        for part in rewritten:
            if joined:
                joined.append(_make("OPERATOR", "and", part[0]))
            joined += [_make("LPAR", "(", part[0]), *part, _make("RPAR", ")", part[-1])]
        return joined

    def _rewrite_part(self, tokens: list[Token]) -> list[Token]:
        """Return the tokens of a part without commas outside of parentheses."""
        result: list[Token] = []
        index = 0
        while index < len(tokens):
            value, after = self._rewrite_value(tokens, index)
            if value is None:
                result.append(tokens[index])
                index += 1
                continue
            if after < len(tokens) and tokens[after].type == "NUMBER":
                value, after = _rewrite_range(value, tokens, after, result)
            result += value
            index = after
            self.size += len(value)
            if self.size > MAX_TOKENS:
                raise tokens[0].error("the words in this condition expand to too long a text", kind="limit")
        return result

    def _rewrite_value(self, tokens: list[Token], index: int) -> tuple[list[Token] | None, int]:
        """Return the tokens of the value at an index, and the index after it; None for a sign."""
        token = tokens[index]
        end = index + 1
        if token.type == "LPAR":
            close = _find_close(tokens, index)
            return [token, *self.rewrite(tokens[index + 1 : close]), tokens[close]], close + 1
        if token.type in ("SEAT", "SIDE"):
            raise token.error(f"a meaning is about the bidder's hand; leave out '{token.text}'")
        if token.type == "STRING":
            raise token.error("write one text, after the condition")
        if token.type == "SHAPE":
            return self._rewrite_shape(tokens, index)
        is_word = token.type not in (
            "NUMBER",
            "OPERATOR",
            "PLUS",
            "MINUS",
            "EQUAL",
            "NOT",
            "QUESTION",
            "COLON",
        )
        if is_word and token.text in self.words:
            return self._rewrite_word(tokens, index)
        if token.text in self.binding:
            return self._add_seat(_make("SUIT", SUITS[self.binding[token.text]], token), tokens, end)
        if token.text in LETTERS and is_word:
            raise token.error(
                f"no suit is known for '{token.text}' here; the calls before it have no such letter"
            )
        function = find_function(token.text) if token.type in ("FUNCTION", "NAME", "SUIT") else None
        if token.type == "SUIT":
            return self._add_seat(token, tokens, end)
        if function is not None and is_function(token.text, MODERN):
            if function.kind == "value":
                return self._rewrite_call(_make("FUNCTION", token.text, token), tokens, end, [])
            if not function.arguments or not function.arguments[0].startswith("seat"):
                raise token.error(f"{token.text} is not about one hand; a meaning is about the bidder's hand")
            return self._add_seat(_make("FUNCTION", token.text, token), tokens, end)
        if token.type == "NAME":
            known = [*self.words, *list_keywords(MODERN)]
            raise token.error(
                f"unknown word '{token.text[:40]}'", find_word_like(token.text, known), "unknown word"
            )
        return None, end

    def _add_seat(self, name: Token, tokens: list[Token], index: int) -> tuple[list[Token], int]:
        """Return a call of a function of a hand, with the seat as first argument."""
        if index < len(tokens) and tokens[index].type == "LPAR" and name.type != "SUIT":
            return self._rewrite_call(name, tokens, index, [_make("SEAT", SEATS[BIDDER], name)])
        seat = [
            _make(kind, text, name) for kind, text in (("LPAR", "("), ("SEAT", SEATS[BIDDER]), ("RPAR", ")"))
        ]
        return [name, *seat], index

    def _rewrite_call(
        self, name: Token, tokens: list[Token], index: int, first: list[Token]
    ) -> tuple[list[Token], int]:
        """Return a call whose parenthesis is at an index; `first` contains tokens of its first argument."""
        if index >= len(tokens) or tokens[index].type != "LPAR":
            raise name.error(f"`{name.text}` takes its arguments in parentheses")
        close = _find_close(tokens, index)
        result = [name, tokens[index], *first]
        for argument in _split_arguments(tokens[index + 1 : close]):
            if not argument:
                continue
            if len(result) > 2:
                result.append(_make("COMMA", ",", argument[0]))
            suit = self._find_suit(argument)
            result += [suit] if suit is not None else self._rewrite_part(argument)
        return [*result, tokens[close]], close + 1

    def _find_suit(self, argument: list[Token]) -> Token | None:
        """Return the suit that is the only argument of a call, or None."""
        if len(argument) != 1:
            return None
        (token,) = argument
        if token.text in self.binding:
            return _make("SUIT", SUITS[self.binding[token.text]], token)
        return token if token.type in ("SUIT", "CARD", "CONTRACT", "STRAIN") else None

    def _rewrite_shape(self, tokens: list[Token], index: int) -> tuple[list[Token], int]:
        """Return a list of shapes with the seat."""
        token = tokens[index]
        following = tokens[index + 1] if index + 1 < len(tokens) else None
        if following is not None and following.type == "BRACE":
            return [token, following], index + 2  # the reader of the file has added the seat
        if following is None or following.type != "LPAR":
            raise token.error("shape takes a list of shapes in parentheses: shape(any 4333 + any 4432)")
        close = _find_close(tokens, index + 1)
        inside = tokens[index + 2 : close]
        if inside and inside[0].type == "SEAT":
            raise inside[0].error(f"a meaning is about the bidder's hand; leave out '{inside[0].text}'")
        seat, comma = _make("SEAT", SEATS[BIDDER], following), _make("COMMA", ",", following)
        return [token, following, seat, comma, *inside, tokens[close]], close + 1

    def _rewrite_word(self, tokens: list[Token], index: int) -> tuple[list[Token], int]:
        """Return the meaning of a word, in parentheses."""
        token, word = tokens[index], self.words[tokens[index].text]
        binding: dict[str, int] = {}
        end = index + 1
        if word.parameter:
            if end >= len(tokens) or tokens[end].type != "LPAR":
                raise token.error(f"'{word.name}' takes a suit in parentheses: {word.name}(spades)")
            close = _find_close(tokens, end)
            argument = tokens[end + 1 : close]
            suit = self._find_suit(argument)
            if suit is None or suit.text not in SUIT_WORDS:
                raise tokens[end].error(f"'{word.name}' takes one suit: {word.name}(spades)")
            binding[word.parameter] = SUIT_WORDS[suit.text]
            end = close + 1
        inner = _Rewriter(word.words, binding)
        inner.size = self.size
        body = inner.rewrite(word.tokens)
        return [_make("LPAR", "(", token), *body, _make("RPAR", ")", token)], end


def _rewrite_range(
    value: list[Token], tokens: list[Token], index: int, before: list[Token]
) -> tuple[list[Token], int]:
    """Return the comparisons of a value with the range at an index: ``12``, ``12+``, ``12-`` or ``12-14``."""
    number = tokens[index]
    if before and (before[-1].type in _ARITHMETIC or before[-1].text in _BEFORE_RANGE):
        raise before[-1].error(
            "a range applies to one value; put the sum before it in parentheses: (hcp + spades) 20+"
        )
    sign = tokens[index + 1] if index + 1 < len(tokens) else None
    last = tokens[index + 2] if index + 2 < len(tokens) else None
    after = index + 2
    if sign is not None and sign.type == "MINUS" and last is not None and last.type == "NUMBER":
        if float(last.text) < float(number.text):
            raise number.error(
                f"the range {number.text}-{last.text} is empty; write the smaller number first"
            )
        bounds = [(">=", number), ("<=", last)]
        after = index + 3
    elif sign is not None and sign.type == "PLUS":
        bounds = [(">=", number)]
    elif sign is not None and sign.type == "MINUS":
        bounds = [("<=", number)]
    else:
        bounds, after = [("==", number)], index + 1
    following = tokens[after] if after < len(tokens) else None
    if following is not None and following.type in _OPERANDS:
        raise following.error("a comma, `and` or `or` is missing before this condition")
    result: list[Token] = [_make("LPAR", "(", number)]
    for operator, bound in bounds:
        if len(result) > 1:
            result.append(_make("OPERATOR", "and", bound))
        kind = "EQUAL" if operator == "==" else "OPERATOR"
        result += [*value, _make(kind, operator, bound), bound]
    return [*result, _make("RPAR", ")", number)], after


def _make(type: str, text: str, place: Token) -> Token:
    """Return a token at the place of another."""
    return Token(type, text, place.start, place.end, place.source)


def _find_close(tokens: Sequence[Token], index: int) -> int:
    """Return the index of the parenthesis that closes the one at an index."""
    depth = 0
    for k in range(index, len(tokens)):
        depth += (tokens[k].type == "LPAR") - (tokens[k].type == "RPAR")
        if depth == 0:
            return k
    raise tokens[index].error("this '(' is never closed; write ')' where it ends", kind="unclosed")


def _split_arguments(tokens: Sequence[Token]) -> list[list[Token]]:
    """Return the tokens of the arguments of a call."""
    parts: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        depth += (token.type == "LPAR") - (token.type == "RPAR")
        if token.type == "COMMA" and depth == 0:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts
