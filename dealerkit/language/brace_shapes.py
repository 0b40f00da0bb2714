"""The notation of ``shape{seat, list}``: lengths, groups, majors and minors, and conditions.

Francois Dellacherie devised it. Lengths are 0 to 13 (0 to 9 in his program); a minus removes all shapes of
the term that follows it.

A condition on suit lengths, as in ``5+s4+h(xx):d>c or h+s==10``, is parsed into postfix order by operator
precedence and evaluated for all 560 shapes at once, without Python's eval.
"""

from __future__ import annotations

import functools
import itertools
import re
from dataclasses import dataclass
from typing import Any

from dealerkit.errors import ArgumentError
from dealerkit.language.shapes import ANY_LENGTH, EVERY_SHAPE, PATTERNS, place_lengths

LETTERS = {"english": "shdc", "french": "pckt"}  # spades, hearts, diamonds, clubs
MAJORS, MINORS = (0, 1), (2, 3)

_PLAIN = "Mmx0123456789or+:><=,() -[]!%*/|\t\r\n"
_ATOM = re.compile(
    r"(?P<length>[0-9])(?P<more>[-+]?)|\[(?P<set>[0-9][-0-9]*)\]|(?P<any>[xX])|(?P<letter>[A-Za-z])"
)
_MODERN_WORDS = {"any": "write parentheses: (4432)", "and": "write a comma"}
_ANY = re.compile(r"any\b\s*|any(?=[\d\[xX(])")
_CONDITION_END = re.compile(r"[()|?:]|(?<=\s)[-+](?=\s)")


_TOKEN = re.compile(r"\s*(?:(?P<number>[0-9]+)|(?P<word>[A-Za-z]+)|(?P<sign>==|!=|>=|<=|[-+*/%<>!,()]))")
_PARENTHESIS_NEXT, _NUMBER_NEXT = re.compile(r"\s*\("), re.compile(r"\s*0*[1-9]")
_PRECEDENCE = {
    "or": 1, "and": 2, "==": 3, "!=": 3, "<": 3, ">": 3, "<=": 3, ">=": 3,
    "+": 4, "-": 4, "*": 5, "/": 5, "%": 5, "not": 6,
}  # fmt: skip

_OPERATIONS = {  # functions of numpy, which is imported only if a script has a condition on shapes
    "+": "add", "-": "subtract", "*": "multiply", "/": "true_divide", "%": "remainder",
    "==": "equal", "!=": "not_equal", "<": "less", ">": "greater", "<=": "less_equal", ">=": "greater_equal",
    "and": "logical_and", "or": "logical_or",
}  # fmt: skip


class ShapeTextError(ArgumentError):
    """A mistake in a list of shapes, with its offset in the text."""

    def __init__(self, message: str, offset: int = 0) -> None:
        super().__init__(message)
        self.message, self.offset = message, offset

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.message, self.offset)


def parse_brace_shapes(text: str, extended: bool = True, language: str = "english") -> int:
    """Return the set of shapes that a list in braces describes.

    Parameters
    ----------
    text : str
        The list: what follows the seat and the comma inside ``shape{...}``.
    extended : bool
        Allow what dealerkit adds to the notation: capitals, ``any`` before four lengths, ``and``,
        ``not (...)`` and ``!=`` in conditions, signs without blanks, and a minus at the beginning, which
        means "everything except".
    language : {"english", "french"}
        Letters of the suits from spades to clubs: s h d c, or p c k t.

    Returns
    -------
    int
        Bit set over `dealerkit.language.shapes.PATTERNS`.

    Raises
    ------
    ShapeTextError
        A term is not in the notation, or no hand has this shape; the error has the offset.
    ArgumentError
        The language is another one.

    Examples
    --------
    >>> parse_brace_shapes("(4432) + 5M(332) - 4432").bit_count()
    17
    >>> parse_brace_shapes("5+s4+h(xx):d>c").bit_count()
    13
    """
    if language not in LETTERS:
        raise ArgumentError(f"unknown language {language!r} of suit letters; use {' or '.join(LETTERS)}")
    return _ListParser(text, extended, LETTERS[language]).parse()


class _ListParser:
    """A parser that reads one list from left to right."""

    def __init__(self, text: str, extended: bool, letters: str) -> None:
        self.text, self.extended, self.letters, self.position = text, extended, letters, 0

    def parse(self) -> int:
        text = self.text
        if not self.extended:
            self._refuse_unknown_words()
        self._skip_blanks()
        # The first term. A list that begins with a minus starts from every shape, one with a plus from none.
        if text.startswith(("-", "+"), self.position):
            if not self.extended:
                raise ShapeTextError("the first shape cannot have a sign", self.position)
            shapes = EVERY_SHAPE if text[self.position] == "-" else 0
        else:
            shapes = self._parse_term()
        # Add or remove the shapes of the following terms, from left to right.
        while self.position < len(text):
            sign = text[self.position]
            if sign not in "+-":
                raise ShapeTextError(f"'{sign}' was not expected after a complete shape", self.position)
            self._check_blanks()
            self.position += 1
            self._skip_blanks()
            term = self._parse_term()
            shapes = shapes | term if sign == "+" else shapes & ~term
        return shapes

    def _refuse_unknown_words(self) -> None:
        characters = set(_PLAIN + self.letters)
        for match in re.finditer(r"!=|[A-Za-z]+|\S", self.text):
            if match[0] == "!=":
                raise ShapeTextError("'!=' is not known inside shape{} here; write < or >", match.start())
            if not set(match[0]) <= characters:
                remedy = f" here; {_MODERN_WORDS[match[0]]}" if match[0] in _MODERN_WORDS else ""
                raise ShapeTextError(
                    f"'{match[0][:40]}' is not known inside shape{{}}{remedy}", match.start()
                )

    def _skip_blanks(self) -> None:
        while self.position < len(self.text) and self.text[self.position].isspace():
            self.position += 1

    def _check_blanks(self) -> None:
        """Raise an error if a sign has no blank on both sides, which only modern scripts allow."""
        before, after = self.text[self.position - 1], self.text[self.position + 1 : self.position + 2]
        if not self.extended and not (before.isspace() and after.isspace()):
            raise ShapeTextError("a sign between shapes needs a blank on both sides", self.position)

    # ------------------------------------------------------------ one term
    def _parse_term(self) -> int:
        """Return the shapes of alternatives separated by ``|``, up to a sign or the end."""
        shapes = self._parse_alternative()
        while self.text.startswith("|", self.position):
            self.position += 1
            self._skip_blanks()
            shapes |= self._parse_alternative()
        return shapes

    def _parse_alternative(self) -> int:
        begin = self.position
        lengths, suit_letters, grouped = self._parse_lengths(begin)
        condition: _ShapeCondition | None = None
        if self.text.startswith(":", self.position):
            self.position += 1
            condition = self._parse_condition()
        name = " ".join(self.text[begin : self.position].split())
        self._check_letters(suit_letters, condition.letters if condition else "", name, begin)
        shapes = self._select_shapes(lengths, suit_letters, grouped, condition)
        if not shapes:
            cards = [length.bit_length() - 1 for length in lengths if length & (length - 1) == 0]
            wrong = len(cards) == 4 and sum(cards) != 13
            problem = f"has {sum(cards)} cards, not 13" if wrong else "fits no hand"
            raise ShapeTextError(f"shape {name[:60]} {problem}", begin)
        return shapes

    def _parse_lengths(self, begin: int) -> tuple[list[int], str, int]:
        """Return the four sets of lengths (as bits), the letters, and the index where the group begins.

        The letters are in the order of the text. The index is 4 if there is no group.
        """
        text = self.text
        lengths: list[int] = []
        letters, group_start, closed = "", -1, False
        # Read lengths, letters and the group until the term ends.
        any_order = self.extended and _ANY.match(text, begin)
        if any_order:
            self.position = any_order.end()
        while True:
            self._skip_blanks_within(len(lengths), closed or group_start < 0)
            here = self.position
            character = text[here : here + 1]
            whole = len(lengths) == 4 and (closed or group_start < 0)
            if character in ("", ":", "|") or (whole and character in "+-"):
                break
            if closed:
                raise ShapeTextError("a group in parentheses must be the last part of a shape", here)
            if character == "(" and group_start < 0:
                group_start = len(lengths)
                self.position += 1
            elif character == ")" and group_start >= 0:
                closed = True
                self.position += 1
            else:
                match = _ATOM.match(text, here)
                if match is None:
                    raise self._build_atom_error(here)
                self.position = match.end()
                if match["letter"]:
                    if group_start >= 0:
                        raise ShapeTextError(
                            f"the letter '{match[0]}' cannot be inside a group in parentheses", here
                        )
                    letters += self._parse_letter(match[0], here)
                else:
                    if len(lengths) == 4:
                        raise self._build_length_error(begin, here)
                    lengths.append(self._parse_length(match, here))
        # Check the term only now that all of it has been read, because the messages show its text.
        if group_start >= 0 and not closed:
            raise ShapeTextError("this '(' is never closed", text.index("(", begin))
        name = text[begin : self.position].strip()
        if len(lengths) != 4:
            if not name:
                raise ShapeTextError("a shape is missing; write one such as 5431 or 'any 4333'", begin)
            example = "; write x for each other suit, as in 5Mxxx" if re.search("[Mm]", name) else ""
            count = f"{len(lengths)} length{'s' * (len(lengths) != 1)}"
            raise ShapeTextError(f"shape {name[:60]} has {count}, not 4{example}", begin)
        # `any` makes all four lengths one group.
        if any_order:
            if letters or group_start >= 0:
                raise ShapeTextError("'any' takes four lengths without letters or parentheses", begin)
            group_start = 0
        fixed = 4 if group_start < 0 else group_start
        if len(letters) > fixed:
            raise ShapeTextError(f"shape {name[:60]} names more suits than it has lengths for", begin)
        return lengths, letters, fixed

    def _skip_blanks_within(self, count: int, may_end: bool) -> None:
        """Skip blanks inside a term, where they have no meaning; before a sign they end the term."""
        self._skip_blanks()
        if count < 4 or not may_end:
            before = self.text[self.position - 1 : self.position]
            if before.isspace() and self.text[self.position : self.position + 1] in ("+", "-"):
                raise ShapeTextError(f"a shape ends here with {count} lengths, not 4", self.position)

    def _build_length_error(self, begin: int, here: int) -> ShapeTextError:
        shown = self.text[begin:].split()[0][:40]
        if self.text[here - 1 : here] in ("+", "-"):
            return ShapeTextError(
                f"in {shown} the '{self.text[here - 1]}' can belong to the length or separate two shapes; "
                "write blanks around a sign between shapes",
                here - 1,
            )
        return ShapeTextError(f"shape {shown} has more than 4 lengths", here)

    def _build_atom_error(self, here: int) -> ShapeTextError:
        text, character = self.text, self.text[here]
        if character == "[":
            return ShapeTextError("brackets contain digits and ranges, as in [013-68]", here)
        if character in "+-" and text[here + 1 : here + 2].isspace():
            return ShapeTextError("a sign was not expected here; a shape has four lengths", here)
        if character in "+-":
            return ShapeTextError("a sign between shapes needs a blank on both sides", here)
        return ShapeTextError(f"'{character}' is not a length of a suit", here)

    def _parse_letter(self, letter: str, here: int) -> str:
        """Return the letter of a suit, in lower case if capitals are allowed; M and m stay as they are."""
        if letter in "Mm":
            return letter
        suit = letter.lower() if self.extended else letter
        if suit not in self.letters:
            suits = f"the suits are {' '.join(self.letters)}, M a major, m a minor"
            raise ShapeTextError(f"'{letter}' is not a suit letter; {suits}", here)
        return suit

    def _parse_length(self, match: re.Match[str], here: int) -> int:
        """Return the lengths that a part of a shape allows, as bits."""
        if match["any"]:
            if match[0] == "X" and not self.extended:
                raise ShapeTextError("write a small x", here)
            return ANY_LENGTH
        if match["set"]:
            lengths = 0
            for first, last in re.findall(r"([0-9])(?:-([0-9]))?", match["set"]):
                if last and last < first:
                    raise ShapeTextError(f"the range {first}-{last} is empty", here)
                for length in range(int(first), int(last or first) + 1):
                    lengths |= 1 << length
            return lengths
        length = int(match["length"])
        exact = 1 << length
        return {"": exact, "+": ANY_LENGTH & ~(exact - 1), "-": 2 * exact - 1}[match["more"]]

    # ------------------------------------------------------------ condition
    def _parse_condition(self) -> _ShapeCondition:
        """Return the condition after a colon, up to the next sign between shapes or ``|``."""
        begin, depth = self.position, 0
        end = len(self.text)
        for match in _CONDITION_END.finditer(self.text, begin):
            sign = match[0]
            if sign in "()":
                depth += 1 if sign == "(" else -1
            elif sign in "?:":
                raise ShapeTextError("'?' and ':' cannot be in a condition of shapes", match.start())
            elif depth <= 0:
                end = match.start()
                break
        self.position = end
        try:
            return _parse_shape_condition(self.text[begin:end], self.letters, self.extended)
        except ValueError as reason:
            message, offset = reason.args
            raise ShapeTextError(message, begin + offset) from None

    # ------------------------------------------------------------ sets of shapes
    def _select_shapes(
        self, lengths: list[int], letters: str, fixed: int, condition: _ShapeCondition | None
    ) -> int:
        used = letters + (condition.letters if condition else "")
        shapes = 0
        for major in MAJORS if "M" in used else (0,):
            for minor in MINORS if "m" in used else (2,):
                wild = {"M": major, "m": minor}
                suits = [wild[letter] if letter in wild else self.letters.index(letter) for letter in letters]
                part = _place_groups(tuple(lengths), tuple(suits), fixed)
                if condition is not None and part:
                    part &= _select_satisfying(condition, self.letters, major, minor)
                shapes |= part
        return shapes

    def _check_letters(self, letters: str, in_condition: str, name: str, begin: int) -> None:
        for wild, members in (("M", self.letters[:2]), ("m", self.letters[2:])):
            both = letters.count(wild) + in_condition.count(wild)
            mixed = any(wild in part and set(members) & set(part) for part in (letters, in_condition))
            if both > 1 or mixed:
                rest = "" if both > 1 else f" and not beside {members[0]} or {members[1]}"
                message = f"shape {name[:60]}: {wild} can be used only once{rest}; write out the alternatives"
                raise ShapeTextError(message, begin)
        for letter in letters:
            if letters.count(letter) > 1:
                raise ShapeTextError(f"shape {name[:60]} names the suit {letter} twice", begin)


@functools.lru_cache(maxsize=1024)
def _place_groups(lengths: tuple[int, ...], suits: tuple[int, ...], fixed: int) -> int:
    """Return the shapes with these lengths: the first `fixed` in order, the others in any order."""
    rest = [suit for suit in range(4) if suit not in suits]
    in_order = [*suits, *rest[: fixed - len(suits)]]
    free = rest[fixed - len(suits) :]
    orders = set(itertools.permutations(lengths[fixed:]))
    any_order = functools.reduce(int.__or__, (place_lengths(free, order) for order in orders))
    return place_lengths(in_order, lengths) & any_order


@dataclass(frozen=True, slots=True)
class _ShapeCondition:
    """A condition in postfix order: numbers, letters of suits (and M, m), operators."""

    postfix: tuple[int | str, ...]
    letters: str  # suits, M and m, each as often as it was written


def _parse_shape_condition(text: str, letters: str, extended: bool) -> _ShapeCondition:
    """Return the parsed condition.

    Raises
    ------
    ValueError
        The condition has a mistake; the arguments of the error are the message and the offset in `text`.
    """
    output: list[int | str] = []
    pending: list[tuple[str, int]] = []  # operators and open parentheses, with their offsets
    letters_used, operand_next, position, end = "", True, 0, len(text.rstrip())

    def reduce(level: int) -> None:
        while pending and pending[-1][0] != "(" and _PRECEDENCE[pending[-1][0]] >= level:
            output.append(pending.pop()[0])

    while position < end:
        match = _TOKEN.match(text, position)
        if match is None:
            message = "this sign has no meaning in a condition of shapes"
            raise ValueError(message, len(text) - len(text[position:].lstrip()))
        here, position = match.start(match.lastgroup or 0), match.end()
        word = match[match.lastgroup or 0]
        if match["word"]:
            word = _normalise_word(word, letters, extended, here)
        word = {",": "and", "!": "not"}.get(word, word)
        # At the beginning and after an operator come a number, a suit, a parenthesis or `not`.
        if operand_next:
            if match["number"]:
                output.append(int(word[:6]) if len(word) < 6 else 10**6)
                operand_next = False
            elif word == "(" or word == "not":
                if match["word"] and not _PARENTHESIS_NEXT.match(text, position):
                    raise ValueError("write parentheses after not: not (s==4)", here)
                pending.append((word, here))
            elif word in _PRECEDENCE or word == ")":
                raise ValueError(f"a suit or a number is missing before '{match[0].strip()}'", here)
            else:
                output.append(word)
                letters_used += word
                operand_next = False
        # After an operand, a parenthesis completes what it encloses, and an operator completes the
        # operations before it that bind at least as tightly.
        elif word == ")":
            reduce(0)
            if not pending:
                raise ValueError("this ')' closes nothing", here)
            pending.pop()
        elif word in _PRECEDENCE and word != "not":
            level = _PRECEDENCE[word]
            if level == 3 and any(_PRECEDENCE.get(sign) == 3 for sign, _ in _pending_operators(pending)):
                raise ValueError("a condition of shapes cannot compare twice in a row; write 2<s,s<5", here)
            if word in "/%" and not _NUMBER_NEXT.match(text, position):
                raise ValueError(f"'{word}' must be followed by a number other than 0", here)
            reduce(level)
            pending.append((word, here))
            operand_next = True
        else:
            raise ValueError(f"an operator is missing before '{match[0].strip()}'", here)
    # At the end, every operator must have its operands and every parenthesis must be closed.
    if operand_next:
        raise ValueError("the condition ends too early", end)
    reduce(0)
    if pending:
        raise ValueError("this '(' is never closed", pending[-1][1])
    return _ShapeCondition(tuple(output), letters_used)


def _pending_operators(pending: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """Return the pending operators since the last parenthesis, `and` or `or`."""
    return list(itertools.takewhile(lambda entry: entry[0] not in ("(", "and", "or"), reversed(pending)))


def _normalise_word(word: str, letters: str, extended: bool, here: int) -> str:
    """Return an operator, M or m unchanged, and the letter of a suit in lower case."""
    if word in ("or", "M", "m") or (extended and word in ("and", "not")):
        return word
    suit = word.lower() if extended else word
    if len(suit) == 1 and suit in letters:
        return suit
    suits = f"the suits are {' '.join(letters)}, M a major, m a minor"
    raise ValueError(f"'{word[:40]}' is not a suit; {suits}", here)


@functools.cache
def _lengths() -> Any:
    """Return the lengths of the 560 shapes, float64 [4, 560]."""
    import numpy as np

    return np.array(PATTERNS, np.float64).T


@functools.lru_cache(maxsize=256)
def _select_satisfying(condition: _ShapeCondition, letters: str, major: int, minor: int) -> int:
    """Return the shapes for which a condition is true, as bits; M and m are the given suits."""
    import numpy as np

    # Evaluate the condition on all shapes at once.
    lengths = _lengths()
    suits = {letter: lengths[suit] for suit, letter in enumerate(letters)}
    suits |= {"M": lengths[major], "m": lengths[minor]}
    stack: list[Any] = []
    with np.errstate(all="ignore"):  # huge products become infinite and compare as such
        for item in condition.postfix:
            if isinstance(item, int):
                stack.append(np.float64(item))
            elif item in _OPERATIONS:
                right = stack.pop()
                value = getattr(np, _OPERATIONS[item])(stack.pop(), right)
                stack.append(value.astype(np.float64))  # truth values count as 0 and 1
            elif item == "not":
                stack.append(np.equal(stack.pop(), 0).astype(np.float64))
            else:
                stack.append(suits[item])
    # Pack the truth values of the shapes into bits.
    truth = np.not_equal(stack.pop(), 0)
    if not truth.ndim:  # the condition names no suit
        return EVERY_SHAPE if truth else 0
    return int.from_bytes(np.packbits(truth, bitorder="little").tobytes(), "little")
