"""Contexts of system files: patterns of the calls after which the calls of a context are chosen."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dealerkit.bidding.calls import BIDS, PASS, RANKS, State, check_calls
from dealerkit.bidding.conditions import SUITS_OF_LETTER, Binding
from dealerkit.cards.names import SUIT_LETTERS
from dealerkit.errors import ArgumentError, quote

MAX_WILDCARDS = 3  # number of wildcards for any number of calls in one header
_CALL = re.compile(r"(?P<level>[1-7])(?P<strain>NT?|[SHDC]|oM|om|[Mmx])|(?P<other>P|Pass|XX|X|\?|\*)")
OTHER = {"oM": "M", "om": "m"}

Seen = tuple[tuple[bool, str], ...]  # whether the opponents made a call, and the call


@dataclass(frozen=True)
class Item:
    """A call of a pattern.

    Attributes
    ----------
    call : str
        ``1NT``, ``P``, ``X``, ``?`` for any single call, ``*`` for any number of calls; only the level if the
        strain is a letter.
    letter : str
        ``M``, ``m``, ``oM``, ``om``, ``x`` or "".
    theirs : bool
        Whether it is a call of the opponents, in brackets.
    """

    call: str
    letter: str = ""
    theirs: bool = False

    def __str__(self) -> str:
        text = self.call + self.letter
        return f"({text})" if self.theirs else text

    def name_call(self, suit: int) -> str:
        """Return the bid in the suit of a letter."""
        return self.call + SUIT_LETTERS[suit]

    def list_bindings(self, binding: Binding) -> Iterator[tuple[str, dict[str, int]]]:
        """Yield the calls that the item stands for, each with the suits that it fixes for letters."""
        if not self.letter:
            yield self.call, dict(binding)
            return
        letter = OTHER.get(self.letter, self.letter)
        suits = (binding[letter],) if letter in binding else SUITS_OF_LETTER[letter]
        for suit in suits:
            called = suit
            if self.letter in OTHER:
                first, second = SUITS_OF_LETTER[letter]
                called = first + second - suit
            yield self.name_call(called), {**binding, letter: suit}


def parse_item(text: str) -> Item | None:
    """Return a call of a pattern, or None if the text is something else.

    >>> str(parse_item("(1x)")), parse_item("1Z")
    ('(1x)', None)
    """
    theirs = text.startswith("(") and text.endswith(")")
    match = _CALL.fullmatch(text[1:-1] if theirs else text)
    if match is None:
        return None
    if match["other"]:
        return Item(PASS if match["other"] == "Pass" else match["other"], "", theirs)
    strain = match["strain"]
    if strain in ("N", "NT"):
        return Item(f"{match['level']}NT", "", theirs)
    return Item(match[0], "", theirs) if strain in SUIT_LETTERS else Item(match["level"], strain, theirs)


def add_other_letters(binding: Binding) -> dict[str, int]:
    """Return the suits of letters together with the other major and the other minor."""
    complete = dict(binding)
    for other, letter in OTHER.items():
        if letter in binding:
            first, second = SUITS_OF_LETTER[letter]
            complete[other] = first + second - binding[letter]
    return complete


@dataclass(frozen=True)
class Pattern:
    """When a context applies.

    Attributes
    ----------
    items : tuple of Item
        The calls so far; empty for an opening.
    seats : tuple of int
        Seats 1 to 4 of the opener, counted from the dealer; empty means all.
    vulnerable : bool or None
        Vulnerability of the calling side; None: either.
    """

    items: tuple[Item, ...] = ()
    seats: tuple[int, ...] = ()
    vulnerable: bool | None = None

    def __str__(self) -> str:
        words = ["after", *map(str, self.items)] if self.items else ["opening"]
        if self.seats:
            first, last = self.seats[0], self.seats[-1]
            words += ["seat", str(first) if first == last else f"{first}-{last}"]
        if self.vulnerable is not None:
            words.append("vulnerable" if self.vulnerable else "not vulnerable")
        return " ".join(words)

    def match(self, seen: Seen, seat: int, vulnerable: bool | None) -> dict[str, int] | None:
        """Return the suits for letters if the pattern fits calls, or None.

        Parameters
        ----------
        seen : as of `calls.list_seen`
        seat : int
            Seat of the opener, 1 to 4.
        vulnerable : bool or None
            None: unknown.

        Examples
        --------
        >>> Pattern((Item("1", "M"), Item("2", "M"))).match(((False, "1S"), (False, "2S")), 1, None)
        {'M': 0}
        """
        if self.seats and seat not in self.seats:
            return None
        if self.vulnerable is not None and vulnerable is not self.vulnerable:
            return None
        return _match_items(self.items, seen, {})

    def is_within(self, other: Pattern) -> bool:
        """Return whether another pattern fits all calls that this one fits, if that is easy to tell."""
        if (other.seats and not set(self.seats or (1, 2, 3, 4)) <= set(other.seats)) or (
            other.vulnerable is not None and other.vulnerable is not self.vulnerable
        ):
            return False
        if any(item.call in ("?", "*") for item in self.items):
            return self.items == other.items
        return all(_match_items(other.items, seen, {}) is not None for seen in self.list_instances())

    def fill(self, binding: Binding) -> Seen | None:
        """Return the calls with suits for the letters; None if no auction has them, such as 1S after 1S."""
        complete = add_other_letters(binding)
        seen = tuple(
            (item.theirs, item.name_call(complete[item.letter]) if item.letter else item.call)
            for item in self.items
        )
        return seen if _is_rising(seen) else None

    def describe(self, binding: Binding) -> str:
        """Return the calls with the suits of letters as text: ``1H (1S)``."""
        complete = add_other_letters(binding)
        calls = [item.name_call(complete[item.letter]) if item.letter else item.call for item in self.items]
        return " ".join(
            f"({call})" if item.theirs else call for item, call in zip(self.items, calls, strict=True)
        )

    def list_bindings(self) -> list[dict[str, int]]:
        """Return the suits that the letters can stand for."""
        bindings: list[dict[str, int]] = [{}]
        for item in self.items:
            bindings = [bound for binding in bindings for _, bound in item.list_bindings(binding)]
        return bindings

    def list_instances(self) -> list[Seen]:
        """Return the calls that a pattern without wildcards fits."""
        instances: list[tuple[Seen, dict[str, int]]] = [((), {})]
        for item in self.items:
            instances = [
                ((*seen, (item.theirs, call)), bound)
                for seen, binding in instances
                for call, bound in item.list_bindings(binding)
            ]
        return [seen for seen, _ in instances if _is_rising(seen)]


class PatternIndex:
    """Patterns by the first call and the sides of all calls, so that only few are compared with an auction.

    Parameters
    ----------
    patterns : sequence of Pattern
    """

    def __init__(self, patterns: Sequence[Pattern]) -> None:
        self._fixed: dict[tuple[bool, ...], list[int]] = {}  # by the sides, if there is no *
        self._open: list[int] = []
        self._first: list[frozenset[str]] = []  # the first calls that a pattern fits; none: all
        for number, pattern in enumerate(patterns):
            items = pattern.items
            if any(item.call == "*" for item in items):
                self._open.append(number)
            else:
                self._fixed.setdefault(tuple(item.theirs for item in items), []).append(number)
            calls = [call for item in items[:1] for call, _ in item.list_bindings({})]
            self._first.append(frozenset() if {"?", "*"} & set(calls) else frozenset(calls))
        self._candidates: dict[tuple[str, tuple[bool, ...]], tuple[int, ...]] = {}

    def list_candidates(self, seen: Seen) -> tuple[int, ...]:
        """Return the numbers of the patterns that can fit calls, in their order.

        >>> index = PatternIndex([Pattern(), Pattern((Item("1NT"),)), Pattern((Item("1", "M"), Item("*")))])
        >>> index.list_candidates(((False, "1S"),)), index.list_candidates(())
        ((2,), (0, 2))
        """
        first = seen[0][1] if seen else ""
        sides = tuple(theirs for theirs, _ in seen)
        key = first, sides
        if key not in self._candidates:
            numbers = sorted([*self._fixed.get(sides, ()), *self._open])
            fitting = (k for k in numbers if not (first and self._first[k]) or first in self._first[k])
            self._candidates[key] = tuple(fitting)
        return self._candidates[key]


def _is_rising(seen: Seen) -> bool:
    ranks = [RANKS[call] for _, call in seen if call in RANKS]
    return all(low < high for low, high in zip(ranks, ranks[1:], strict=False))


def _match_items(items: Sequence[Item], seen: Seen, binding: dict[str, int]) -> dict[str, int] | None:
    """Return the suits for letters with which items fit calls, or None."""
    if not items:
        return None if seen else binding
    item, rest = items[0], items[1:]
    if item.call == "*":
        for n in range(len(seen) + 1):
            if item.theirs and any(not theirs for theirs, _ in seen[:n]):
                return None
            if (found := _match_items(rest, seen[n:], binding)) is not None:
                return found
        return None
    if not seen or seen[0][0] != item.theirs:
        return None
    if item.call == "?":
        return _match_items(rest, seen[1:], binding)
    for call, bound in item.list_bindings(binding):
        if call == seen[0][1] and (found := _match_items(rest, seen[1:], bound)) is not None:
            return found
    return None


def find_pattern_fault(items: Sequence[Item]) -> tuple[int, str]:
    """Return the index and fault of the first item that no auction can have there; empty if there is none.

    >>> find_pattern_fault([Item("2S"), Item("1H")])
    (1, '1H after 2S is too low')
    """
    last = ""
    for number, item in enumerate(items):
        before = items[number - 1] if number else None
        if item.call == PASS:
            if not any(other.call not in (PASS, "?", "*") for other in items[:number]) and not any(
                other.call in ("?", "*") for other in items[:number]
            ):
                return number, "leave out passes before the first bid; use `seat 3-4` for passed hands"
            if item.theirs:
                return number, "leave out passes of the opponents: (P)"
        if before is not None and before.theirs and item.theirs and "*" not in (before.call, item.call):
            return number, f"a call of our side is missing between {before} and {item}; write P for a pass"
        if item.call in BIDS:
            if last and RANKS[item.call] <= RANKS[last]:
                return number, f"{item.call} after {last} is too low"
            last = item.call
        elif item.letter or item.call in ("?", "*"):
            last = ""
    if sum(item.call == "*" for item in items) > MAX_WILDCARDS:
        return 0, f"more than {MAX_WILDCARDS} times * in one header"
    return 0, ""


def restore_calls(seen: Seen) -> list[str]:
    """Return all calls of an auction from those that determine a context, restoring the passes.

    >>> restore_calls(((False, "1NT"), (False, "2C")))
    ['1NT', 'P', '2C', 'P']
    """
    calls: list[str] = []
    before: bool | None = None
    for theirs, call in seen:
        if before is not None and before == theirs:
            calls.append(PASS)
        calls.append(call)
        before = theirs
    if before is False:
        calls.append(PASS)
    return calls


def find_state(seen: Seen) -> State:
    """Return the state of the auction in which the next player has seen these calls."""
    return State.after(restore_calls(seen))


def parse_position(text: str) -> list[str]:
    """Return all calls so far, from the calls as the next player sees them.

    >>> parse_position("1H (1S)"), parse_position("1NT"), parse_position("P P")
    (['1H', '1S'], ['1NT', 'P'], ['P', 'P'])

    Calls of one side may be joined by hyphens, as in an auction.

    >>> parse_position("1S-2S") == parse_position("1S 2S") == ["1S", "P", "2S", "P"]
    True
    """
    items = []
    if not isinstance(text, str) or len(text) > 2000:
        raise ArgumentError(f"calls are a text such as '1NT' or '1H (1S)', not {quote(text, 40)}")
    words = re.sub(r"(?<=\w)[-–](?=\w)", " ", text).split()
    n_passes = next((k for k, word in enumerate(words) if word.strip("()") not in (PASS, "Pass")), len(words))
    for word in words[n_passes:]:
        item = parse_item(word)
        if item is None or item.letter or item.call in ("?", "*"):
            raise ArgumentError(
                f"{word[:20]!r} is not a call; write calls as the player sees them, such as '1NT' or '1H "
                "(1S)'"
            )
        items.append((item.theirs, item.call))
    calls = restore_calls(tuple(items))
    _check_sides(items, text)
    calls = [PASS] * n_passes + calls
    check_calls(calls)
    return calls


def _check_sides(items: Sequence[tuple[bool, str]], text: str) -> None:
    for (theirs, call), (also, other) in zip(items, items[1:], strict=False):
        if theirs and also:
            raise ArgumentError(
                f"a call of our side is missing between ({call}) and ({other}) in {quote(text)}; write P"
            )
