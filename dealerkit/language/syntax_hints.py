"""Typical mistakes at a token that the grammar does not accept, each with the text to write instead.

Each function in `MATCHERS` returns the error about one kind of mistake, or None for other mistakes. They read
the token and its neighbours from an `UnexpectedTokenReader`.
"""

from __future__ import annotations

import re

from dealerkit import registry
from dealerkit.cards.names import SEATS, SUITS
from dealerkit.errors import ScriptError
from dealerkit.language.levels import LEVEL_EXAMPLE, describe_level_syntax
from dealerkit.language.source import ScriptSource, Token
from dealerkit.language.stray_characters import NESTED_COMMENT, find_nested_comment
from dealerkit.language.unknown_names import describe_letter, describe_letter_alone, find_shapes
from dealerkit.language.vocabulary import STATEMENTS

_SHAPE_WITH_SIGNS = re.compile(r"(\d)\s*([-=,./])\s*(\d)\s*\2\s*(\d)\s*\2\s*(\d)(?![\dx])")
_RANGE = re.compile(r"=\s*(\d+)\s*(?:-|–|\.\.|\bto\b)\s*(\d+)")
_BRACE_TERM = re.compile(r"[0-9MmshdcxX+\[\]]+")
_COMPARISONS = {"==", "!=", "<", "<=", ">", ">="}
_BOUNDARIES = {"and", "or"}
_OPERATORS = {"OPERATOR", "PLUS", "MINUS", "EQUAL", "QUESTION", "COLON", "NOT"}
_BETWEEN_SIDES = (",", "and", "+", "&&", "or", "/", "-")


class UnexpectedTokenReader:
    """A token that the grammar does not accept, among the tokens of the script.

    Attributes
    ----------
    token, before, after : Token
        The token and its neighbours; tokens without a type where there is none.
    accepted : set of str
        The types of token that the grammar accepts in its place.
    start : int
        Index of the first token that was parsed.
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
        """Return the indices of the parentheses before the token that are not closed there."""
        indices: list[int] = []
        for index in range(self.start, self.index):
            if self.tokens[index].type == "LPAR":
                indices.append(index)
            elif self.tokens[index].type == "RPAR" and indices:
                indices.pop()
        return indices


def match_level(mistake: UnexpectedTokenReader) -> ScriptError | None:
    """Match a hand type of `level` whose name, sign, share or comma is written in another way."""
    token, before = mistake.token, mistake.before
    if before.type == "LEVEL" and "STRING" in mistake.accepted:
        return token.error(describe_level_syntax())
    if not _is_in_level(mistake):
        return None
    if token.type == "SHARE" and before.type == "NAME" and token.text[0].isdigit():
        return before.error(f"a share follows the word share: share {token.text[:20]}")
    if before.type == "SHARE" and before.text[0].isdigit():
        return before.error(f"a share follows the word share: share {before.text[:20]}")
    earlier = mistake.tokens[mistake.index - 2]
    if before.type == "SHARE" and token.type == "ASSIGN":
        value = mistake.after.text if mistake.after.type == "NUMBER" else "2"
        return token.error(f"the share follows without a sign: share {value}; delete the '='")
    if before.type == "SHARE" or (earlier.type == "SHARE" and token.text in ("/", "%", "*")):
        share = before if before.type == "SHARE" else earlier
        return share.error("a share is a number above 0, not a percentage or calculation: share 2, share 0.5")
    if before.type == "STRING" and token.text in (":", "=", ",", "=="):
        return token.error(
            f"the expression follows the name of the hand type without a sign; delete the '{token.text}'"
        )
    if token.type == "STRING" and "COMMA" in mistake.accepted:
        return token.error(f'hand types are separated by commas; write a comma before "{token.text[:40]}"')
    return None


def match_level_word(mistake: UnexpectedTokenReader) -> ScriptError | None:
    """Match `level` with capitals, and in a dialect that does not have it."""
    word, token = mistake.before, mistake.token
    if token.type != "STRING" or word.type != "NAME" or word.text.lower() != "level":
        return None
    if mistake.rules.modern_syntax:
        return word.error(f"`level` is written in small letters: {LEVEL_EXAMPLE}")
    name = mistake.rules.name
    command = f"dealerkit translate --level --to {name} FILE"
    return word.error(f"there is no statement `level` in {name}; `{command}` writes keep rates in its place")


def match_line_end(mistake: UnexpectedTokenReader) -> ScriptError | None:
    """Match an operator at the end of a line where the next line begins a statement."""
    is_definition = mistake.token.type == "ASSIGN"
    index = mistake.index - is_definition
    if not mistake.start < index < len(mistake.tokens):
        return None
    operator, first = mistake.tokens[index - 1 : index + 1]
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


def match_nested_comment(mistake: UnexpectedTokenReader) -> ScriptError | None:
    """Match the text between the ends of a comment and of the comment around it."""
    source = mistake.token.source
    inner = find_nested_comment(source.text, mistake.token.start)
    return None if inner is None else source.error(NESTED_COMMENT, inner)


def match_braces(mistake: UnexpectedTokenReader) -> ScriptError | None:
    token = mistake.token
    if token.type != "BRACE" or mistake.before.type == "SHAPE":
        return None
    inside = " ".join(token.text.split())[:60]
    if re.match(rf"({'|'.join(SEATS)})\s*,", inside):
        return token.error(f"write the word shape before the brace: shape{{{inside}}}")
    return token.error(f"braces are used after `shape` only; write parentheses: ({inside})")


def match_shape(mistake: UnexpectedTokenReader) -> ScriptError | None:
    """Match what stands in the place of a shape."""
    token, before, accepted = mistake.token, mistake.before, mistake.accepted
    text = token.source.text[token.start : token.start + 60]
    # Before the seat: the shapes, or a letter, stand where the seat belongs.
    if accepted == {"SEAT"} and mistake.index - mistake.start > 1:
        word = mistake.tokens[mistake.index - 2]
        if word.type == "SHAPE" and (match := re.match(r"(any\s+)?[0-9x]{4}", text)):
            return token.error(f"shape takes a seat first: shape(north, {match[0]})")
        letter = describe_letter(token.text, ("seat",), 0) if len(token.text) == 1 else ""
        return token.error(letter) if letter and word.type == "SHAPE" else None
    # After the seat or a shape: a wrong operator, or no shapes at all.
    if token.text in ("or", "||") and before.type == "DISTRIBUTION":
        after = mistake.after.text[:20] if mistake.after.type in ("DISTRIBUTION", "ANY") else "5332"
        return token.error(f"shapes are joined with +, not with {token.text}: {before.text} + {after}")
    if "DISTRIBUTION" not in accepted:
        if token.type == "RPAR" and accepted == {"COMMA"} and before.type == "SEAT":
            return token.error(f"shape takes a seat and shapes: shape({before.text}, 5xxx)")
        return None
    # In the place of a shape: signs between the lengths, capitals, words, cards, notation of braces.
    if match := _SHAPE_WITH_SIGNS.match(text):
        digits = "".join(match.group(1, 3, 4, 5))
        return token.error(
            f"a shape is written without signs, spades first: {digits}; any {digits} allows every order"
        )
    if (match := re.match(r"[0-9xX]{4}(?!\w)", text)) and "X" in match[0]:
        return token.error(f"a suit of any length is a small x: {match[0].lower()}")
    if (match := re.match(r"[0-9xX]+(?!\w)", text)) and "X" in match[0]:
        return token.error(f"a shape has four digits or small x, as 5332 and 54xx; not {match[0]}")
    if token.type == "NAME" and (shapes := find_shapes(token.text)):
        return token.error(f"'{token.text}' is no shape; write {shapes}")
    if token.type in ("NAME", "HOLDING", "CARD") and re.fullmatch("[AKQJTCDHSx]+", token.text):
        return token.error(
            "a shape has numbers of cards, not cards: 5xxx; for a card write hascard(north, AS)"
        )
    match = _BRACE_TERM.match(text)
    if match and re.search(r"\d", match[0]) and re.search(r"[Mmshdc+\[]", match[0]):
        lengths = re.match(r"\d", match[0])
        length = lengths[0] if lengths else "5"
        examples = {
            "M": f"shape{{north, {length}Mxxx}} has a major of {length} cards",
            "m": f"shape{{north, {length}mxxx}} has a minor of {length} cards",
            "+": f"shape{{north, {length}+xxx}} has {length} or more spades",
        }
        sign = next((sign for sign in examples if sign in match[0]), "M")
        return token.error(f"{match[0]} is no shape here; letters and signs need braces: {examples[sign]}")
    return None


def match_equals_sign(mistake: UnexpectedTokenReader) -> ScriptError | None:
    """Match ``=`` in the place of a comparison."""
    token = mistake.token
    if token.type != "ASSIGN" or mistake.before.type not in ("NAME", "RPAR", "NUMBER"):
        return None
    text = token.source.text
    first = mistake.tokens[max(mistake.index - 3, mistake.start)]
    if (match := re.match(r"(\w+(?:-\w+)+)\s*=(?!=)", text[first.start :])) and first.type == "NAME":
        name = match[1].replace("-", "_")
        return first.error(f"a name has letters, digits and _, but no -: {name}")
    left = _find_operand(mistake, mistake.index - 1)
    if left and (match := _RANGE.match(text, token.start)):
        low, high = sorted(map(int, match.groups()))
        return token.error(f"a range takes two comparisons: {left} >= {low} and {left} <= {high}")
    if left and (match := re.match(r"=\s*([<>])\s*(\d+)", text[token.start :])):
        return token.error(f"write the sign the other way round: {left} {match[1]}= {match[2]}")
    if left and (match := re.match(r"=\s*(\d+)\+(?=\s*(?:\n|\)|$|and\b|or\b))", text[token.start :])):
        return token.error(f"{match[1]} or more is written >=: {left} >= {match[1]}")
    example = ""
    if left and (match := re.match(r"=\s*(\d+)(?!\w)", text[token.start :])):
        example = f": {left} == {match[1]}"
    return token.error(f"a comparison is written =={example}; a single '=' defines a variable")


def match_bare_comparison(mistake: UnexpectedTokenReader) -> ScriptError | None:
    """Match ``hcp(north) > 10 and < 14``, a comparison without its left side."""
    token, before = mistake.token, mistake.before
    if token.text not in _COMPARISONS or before.text not in _BOUNDARIES:
        return None
    index = mistake.index - 2
    while index > mistake.start and mistake.tokens[index].text not in _COMPARISONS | _BOUNDARIES:
        index -= 1
    left = _find_operand(mistake, index - 1) if mistake.tokens[index].text in _COMPARISONS else ""
    if not left:
        return None
    right = mistake.after.text if mistake.after.type == "NUMBER" else "..."
    return token.error(f"each comparison names its left side: {left} {token.text} {right}")


def match_missing_operator(mistake: UnexpectedTokenReader) -> ScriptError | None:
    """Match two expressions beside each other inside parentheses."""
    token, before = mistake.token, mistake.before
    operands = {"NUMBER", "NAME", "LPAR", "NOT", "FUNCTION", "SHAPE", "SUIT"}
    if token.type not in operands or token.start == before.end:
        return None
    if before.type not in ("RPAR", "NUMBER", "NAME") or "RPAR" not in mistake.accepted:
        return None
    if token.type == "NUMBER":
        left = _find_operand(mistake, mistake.index - 1)
        example = f": {left} == {token.text}, {left} >= {token.text}" if left else ""
        return token.error(f"a sign such as == or >= is missing before {token.text}{example}")
    if mistake.after.type == "ASSIGN" and "\n" in token.source.text[before.end : token.start]:
        opened = mistake.find_open_parentheses()
        return mistake.tokens[opened[-1]].error("this '(' is never closed; write ')' where it ends")
    return token.error(
        f"an operator is missing before '{token.text[:40]}'; write `and` or `or`, or a sign such as +"
    )


def match_seat(mistake: UnexpectedTokenReader) -> ScriptError | None:
    """Match a seat that is no argument."""
    token, after = mistake.token, mistake.after
    if token.type != "SEAT" or "SEAT" in mistake.accepted or mistake.accepted == {"LPAR"}:
        return None
    if mistake.before.type in ("LPAR", "COMMA", "ACTION_CALL", "FUNCTION") or after.type == "ASSIGN":
        return None
    text = token.source.text[token.start : token.start + 60]
    match = re.match(rf"{token.text}\s*\.\s*(\w+)", text)
    word = match[1] if match else after.text if after.type in ("FUNCTION", "SUIT") else ""
    function = word if registry.find_function(word) or word in SUITS else "hcp"
    return token.error(f"a seat stands in parentheses after a function: {function}({token.text})")


def match_lists(mistake: UnexpectedTokenReader) -> ScriptError | None:
    """Match lists and numbers with too few or too many commas, and a second side."""
    token, before, tokens = mistake.token, mistake.before, mistake.tokens
    if token.type == "HOLDING" and before.type == "HOLDING":
        return token.error(f"holdings are separated by commas: {before.text},{token.text}")
    earlier = tokens[mistake.index - 2] if mistake.index > 1 else before
    if token.type == "COMMA" and before.type == "NUMBER" and earlier.type == "COUNT":
        match = re.match(r"(\d+(?:,\d{3})+)(?!\d)", before.source.text[before.start :])
        if match:
            return before.error(f"a number has no commas: {match[0].replace(',', '')}")
    opened = mistake.find_open_parentheses()
    arguments = ("SEAT", "SUIT", "STRAIN", "SIDE", "CARD", "CONTRACT")
    if opened and "COMMA" in mistake.accepted and token.type in arguments and before.type in arguments:
        return token.error(f"a comma is missing: {before.text}, {token.text}")
    if token.type == "COMMA" and not opened and before.type in ("RPAR", "NUMBER", "NAME"):
        return token.error("conditions are joined with `and` or `or`, not with a comma")
    if token.type in ("SIDE", "VULWORD") and before.type == "VULWORD":
        return token.error("write `vulnerable all` where both sides are vulnerable")
    if before.type == "ASSIGN" or token.type != "ASSIGN":
        return None
    if before.type in ("CONDITION", "ACTION", "PREDEAL", "POINTCOUNT", "ALTCOUNT"):
        return token.error(f"`{before.text}` takes no sign; delete the '='")
    return None


def match_letter(mistake: UnexpectedTokenReader) -> ScriptError | None:
    """Match ``S`` as an argument: it is a holding, and means a seat or a suit."""
    token = mistake.token
    opened = mistake.find_open_parentheses()
    if token.type != "HOLDING" or len(token.text) > 1 or not opened or not opened[-1]:
        return None
    word = mistake.tokens[opened[-1] - 1]
    function = registry.find_function(word.text)
    if word.type == "SHAPE":
        return token.error(describe_letter(token.text, ("seat",), 0) or "shape takes a seat first")
    kinds = (
        ("seat",) if word.type == "SUIT" or word.text == "print" else function.arguments if function else ()
    )
    position = sum(other.type == "COMMA" for other in mistake.tokens[opened[-1] : mistake.index])
    message = describe_letter(token.text, kinds, position)
    return token.error(message) if message else None


def match_vulnerability(mistake: UnexpectedTokenReader) -> ScriptError | None:
    """Match ``vul all``, and two sides with a sign between them."""
    token, before, after = mistake.token, mistake.before, mistake.after
    sides = ("VULWORD", "SIDE", "NAME")
    if (
        token.type == "VULWORD"
        and token.text in ("vul", "nv")
        and after.type in sides
        and not _opens(mistake)
    ):
        value = after.text if after.type != "NAME" else "all"
        return token.error(
            f"vulnerability is written out: vulnerable {value if token.text == 'vul' else 'none'}"
        )
    earlier = mistake.tokens[mistake.index - 2] if mistake.index > 1 else before
    if earlier.type == "VULNERABLE" and token.text in _BETWEEN_SIDES and after.type in sides:
        return token.error("write `vulnerable all` where both sides are vulnerable")
    return None


def match_predeal_sign(mistake: UnexpectedTokenReader) -> ScriptError | None:
    """Match ``predeal north: SAK``."""
    token, before = mistake.token, mistake.before
    if before.type != "SEAT" or token.text not in (":", "=", "=="):
        return None
    statement = (other for other in reversed(mistake.tokens[mistake.start : mistake.index]))
    if next((other.type for other in statement if other.type in STATEMENTS), "") != "PREDEAL":
        return None
    return token.error(f"the cards follow the seat without a sign; delete the '{token.text}'")


def match_inner_parenthesis(mistake: UnexpectedTokenReader) -> ScriptError | None:
    """Match ``hcp((north) > 12`` and ``hcp((north)) > 12``."""
    token, before, index = mistake.token, mistake.before, mistake.index
    if token.type not in ("SEAT", "SIDE") or before.type != "LPAR" or index - mistake.start < 3:
        return None
    outer, word = mistake.tokens[index - 2], mistake.tokens[index - 3]
    if outer.type != "LPAR" or word.type not in ("FUNCTION", "SUIT", "SHAPE"):
        return None
    return before.error(f"an argument has no parentheses of its own: {word.text}({token.text})")


def match_include(mistake: UnexpectedTokenReader) -> ScriptError | None:
    """Match ``include "file"`` without its sign."""
    word, token = mistake.before, mistake.token
    if token.type != "STRING" or word.text.lower() not in ("include", "import") or not mistake.rules.includes:
        return None
    return word.error(f'a file is included with # at the beginning of a line: #include "{token.text[:60]}"')


def match_name_of_a_hand(mistake: UnexpectedTokenReader) -> ScriptError | None:
    """Match ``S > 12`` and ``NS > 12``, where an expression is expected; N, E and W are names."""
    token = mistake.token
    if "NUMBER" not in mistake.accepted or "LPAR" not in mistake.accepted or _opens(mistake):
        return None
    if token.type == "SIDE":
        first, second = (name for name in SEATS if name[0].upper() in token.text)
        return token.error(
            f"'{token.text}' is no value; the points of both hands are hcp({first}) + hcp({second})"
        )
    text = describe_letter_alone(token.text) if token.type == "HOLDING" else ""
    return token.error(text) if text else None


def _is_in_level(mistake: UnexpectedTokenReader) -> bool:
    """Return whether the statement of the token is `level`."""
    before = reversed(mistake.tokens[max(mistake.start, 0) : mistake.index])
    return next((token.type for token in before if token.type in STATEMENTS), "") == "LEVEL"


def _find_operand(mistake: UnexpectedTokenReader, index: int) -> str:
    """Return the text of the call, number or variable that ends with a token; "" if there is none."""
    tokens, start = mistake.tokens, index
    if index < mistake.start:
        return ""
    if tokens[index].type == "RPAR":
        depth = 0
        while start >= mistake.start:
            depth += (tokens[start].type == "RPAR") - (tokens[start].type == "LPAR")
            if not depth:
                break
            start -= 1
        if start > mistake.start and tokens[start - 1].type in ("FUNCTION", "SUIT", "NAME"):
            start -= 1
    elif tokens[index].type not in ("NAME", "NUMBER"):
        return ""
    first: Token = tokens[max(start, mistake.start)]
    text = first.source.text[first.start : tokens[index].end]
    return text if "\n" not in text and len(text) <= 60 else ""


def _opens(mistake: UnexpectedTokenReader) -> bool:
    """Return whether the token is an argument."""
    opened = mistake.find_open_parentheses()
    if not opened or opened[-1] == 0:
        return False
    word: Token = mistake.tokens[opened[-1] - 1]
    return word.type in ("FUNCTION", "SUIT", "SHAPE", "ACTION_CALL", "ACTION_OPTIONAL", "NAME")


# In this order: the first that matches gives the error.
MATCHERS = (
    match_vulnerability, match_predeal_sign, match_inner_parenthesis, match_include, match_level_word,
    match_line_end, match_level, match_nested_comment, match_braces, match_shape, match_letter,
    match_equals_sign, match_bare_comparison, match_missing_operator, match_seat, match_lists,
    match_name_of_a_hand,
)  # fmt: skip
