"""Bidding systems: the call that a hand makes after given calls, and the meaning of each call."""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from dealerkit.appearance.content import show_condition
from dealerkit.appearance.numbers import format_count
from dealerkit.appearance.wording import join_words, limit_repr, shorten
from dealerkit.arguments import Given, check_integer, read_given
from dealerkit.bidding.calls import PASS, list_legal, list_seen
from dealerkit.bidding.choices import Choices, Meaning
from dealerkit.bidding.conditions import parse_condition
from dealerkit.bidding.contexts import PatternIndex, Seen, add_other_letters, find_state, parse_position
from dealerkit.bidding.descriptions import ContextDescription, describe_choices, join_tokens
from dealerkit.bidding.difference import SystemDifference, compare_choices
from dealerkit.bidding.explanations import ExplainedAuctions, explain_auctions, read_boards
from dealerkit.bidding.frequencies import CallFrequencies, count_frequencies
from dealerkit.bidding.notes import SystemNotes, read_comments
from dealerkit.bidding.system_check import SystemCheck, check_contexts
from dealerkit.bidding.system_file import Context, Line, SystemContent, read_base, read_system
from dealerkit.cards.deals import Deals
from dealerkit.cards.names import SEATS, seat_number
from dealerkit.errors import ArgumentError, ScriptError, quote, suggest_name
from dealerkit.language import nodes
from dealerkit.language.scenarios import read_headers
from dealerkit.language.script_variables import Params, ScriptVariables
from dealerkit.language.source import MAX_ERRORS, decode_script, join_errors, read_source
from dealerkit.runtime.process import cached_property
from dealerkit.runtime.progress import long_work

MAX_EXTENDED = 4  # number of systems that extend each other
N_GIVEN = 100_000  # deals for a given condition
MAX_FOUND = 200_000  # positions whose choices a system keeps
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?")
_FOLDER = Path(__file__).with_name("systems")


@limit_repr
class System:
    """A bidding system, as `dealerkit.system` and `dealerkit.parse_system` return it.

    Parameters
    ----------
    content, base, variables, name
        What was read from the file and from the files that it extends.

    Attributes
    ----------
    title : str
    name : str
        The name of an included system, the name of its file, or "".
    base : System or None
        The system that it extends.
    parameters : dict of str to str
        Its script variables with their values.

    Examples
    --------
    >>> import dealerkit as dk
    >>> sayc = dk.system("sayc")
    >>> sayc.bid(dk.deal(3, seed=1), "south").tolist()
    ['P', '1NT', 'P']
    """

    def __init__(
        self, content: SystemContent, base: System | None, variables: ScriptVariables, name: str = ""
    ) -> None:
        self._content, self.base, self._variables, self.name = content, base, variables, name
        self._changes: Mapping[str, str] = {}  # if the system is made by `with_changes`
        self._conditions: dict[tuple[int, tuple[tuple[str, int], ...]], nodes.Expression | None] = {}
        self._choices: dict[tuple[object, ...], Choices] = {}
        self._found: dict[tuple[object, ...], Choices | None] = {}  # by what the next player has seen
        self._index = PatternIndex([context.pattern for context in content.contexts])

    @property
    def title(self) -> str:
        """The title that the file gives, or the name; with the script variables that have other values."""
        if self._changes:  # the title says what is changed, and has the variables of the base
            return self.format_title([])
        defaults = self._list_defaults()
        return self.format_title([name for name, text in self.parameters.items() if text != defaults[name]])

    def format_title(self, variables: Iterable[str]) -> str:
        """Return the title that the file gives, or the name, with the values of some script variables.

        Parameters
        ----------
        variables : iterable of str

        Examples
        --------
        >>> import dealerkit as dk
        >>> dk.system("sayc").format_title(["notrump"])
        'SAYC, notrump 15'
        """
        title = self._content.title or self.name or "a system"
        return ", ".join([title, *(f"{name} {self.parameters[name]}" for name in variables)])

    @property
    def parameters(self) -> dict[str, str]:
        """Script variables by name, with their values as text."""
        names = [*self._content.parameters, *(self.base.parameters if self.base else ())]
        return {name: str(self._variables.find_text(name)) for name in dict.fromkeys(names)}

    def _list_defaults(self) -> dict[str, str]:
        """Return the values that the script variables have in the files."""
        return (self.base._list_defaults() if self.base else {}) | self._content.parameters

    @property
    def text(self) -> str:
        """The text of the file."""
        return self._content.source.text

    def __str__(self) -> str:
        return self.text

    def format_call(self) -> str:
        """Return the call of dealerkit that returns the system again."""
        if self._changes and self.base is not None:
            return f"{self.base.format_call()}.with_changes({dict(self._changes)!r})"
        if self.name in list_systems():
            function, source = "system", self.name
        else:
            function, source = "parse_system", self.text
        options = f", {self.parameters!r}" if self.parameters else ""
        return f"dk.{function}({source!r}{options})"

    def __repr__(self) -> str:
        return f"<System {self.title!r}: {len(self._content.contexts)} contexts>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, System):
            return NotImplemented
        return (self.text, self.parameters, self.base) == (other.text, other.parameters, other.base)

    def __hash__(self) -> int:
        return hash((self.text, self.base))

    @property
    def own_contexts(self) -> tuple[Context, ...]:
        """The contexts of this file, without those of the system that it extends."""
        return tuple(self._content.contexts)

    def list_contexts(self) -> list[Context]:
        """Return the contexts in the order in which they are searched, those of the base system last."""
        return [*self._content.contexts, *(self.base.list_contexts() if self.base else ())]

    @long_work
    def with_changes(self, changes: Mapping[str, str]) -> System:
        r"""Return the system with other lines in some contexts, for example with or without a convention.

        Parameters
        ----------
        changes : mapping of str to str
            For each header of a context, such as ``"after 1NT"``, its lines in the notation of system files.
            They replace all lines of a context with this header; a header that the system lacks adds a
            context.

        Returns
        -------
        System

        Raises
        ------
        ArgumentError
            There are no changes, or something is not a text.
        ScriptError
            There is a mistake in a header or a line; the message gives its place.

        Examples
        --------
        >>> import dealerkit as dk
        >>> sayc = dk.system("sayc")
        >>> plain = sayc.with_changes({"after 1NT": "3NT  hcp 10+\nP  otherwise"})
        >>> plain.title, plain.bid(dk.deal(20, seed=1), "north", after="1NT").tolist().count("2C")
        ('SAYC, changed after 1NT', 0)
        """
        if not isinstance(changes, Mapping) or not changes:
            raise ArgumentError(
                f"changes is {quote(changes)}; give the lines of contexts by their headers, as in "
                "{'after 1NT': '2C  hcp 8+, hearts 4+\\nP  otherwise'}"
            )
        if not all(isinstance(text, str) for pair in changes.items() for text in pair):
            raise ArgumentError("changes must have only texts; give each header and its lines as texts")
        title = f"{self.title}, changed {join_words(changes)}".replace('"', "'")
        contexts = [f"{header}\n{lines}" for header, lines in changes.items()]
        text = "\n\n".join([f'system "{shorten(title, 100)}"', *contexts]) + "\n"
        content = read_system(text, "changes", self._variables, self._content)
        changed = System(content, self, self._variables)
        changed._changes = dict(changes)
        changed._check_conditions()
        return changed

    # ------------------------------------------------------------ the choice after some calls
    def _find_context(
        self, seen: Seen, seat: int = 1, vulnerable: bool | None = None
    ) -> tuple[System, Context, dict[str, int]] | None:
        """Return the first context that applies, the system that has it, and the suits for its letters."""
        contexts = self._content.contexts
        for number in self._index.list_candidates(seen):
            context = contexts[number]
            binding = context.pattern.match(seen, seat, vulnerable)
            if binding is not None:
                return self, context, binding
        return self.base._find_context(seen, seat, vulnerable) if self.base else None

    def find_choices(self, calls: Sequence[str], vulnerable: bool | None = None) -> Choices | None:
        """Return the choices of the next player; None if no context fits the calls.

        Parameters
        ----------
        calls : sequence of str
            All calls so far, from the dealer on.
        vulnerable : bool, optional
            Vulnerability of the next player's side; without it, contexts that require a vulnerability do not
            apply.

        Returns
        -------
        Choices or None
        """
        seen = list_seen(calls)
        first = next((k for k, call in enumerate(calls) if call != PASS), len(calls))
        has_seats, has_vulnerable = self._distinctions
        seat = first % 4 + 1 if has_seats else 1
        # What was seen determines the answer, whatever the passes; auctions of many deals share it.
        key = seen, seat, vulnerable if has_vulnerable else None
        if key not in self._found:
            if len(self._found) == MAX_FOUND:
                self._found.clear()
            self._found[key] = self._build_choices(calls, seen, seat, vulnerable)
        return self._found[key]

    @cached_property
    def _distinctions(self) -> tuple[bool, bool]:
        """Whether some context depends on the opener's seat, and on vulnerability."""
        patterns = [context.pattern for context in self.list_contexts()]
        return any(each.seats for each in patterns), any(each.vulnerable is not None for each in patterns)

    def _build_choices(
        self, calls: Sequence[str], seen: Seen, seat: int, vulnerable: bool | None
    ) -> Choices | None:
        found = self._find_context(seen, seat, vulnerable)
        if found is None:
            return None
        system, context, binding = found
        legal = list_legal(find_state(seen))
        is_forced = self.is_forcing(calls, vulnerable)
        key = (id(context), tuple(sorted(binding.items())), legal, is_forced)
        if key not in self._choices:
            meanings = tuple(
                meaning
                for meaning in system._list_meanings(context, binding)
                if meaning.call in legal and not (is_forced and meaning.call == PASS)
            )
            self._choices[key] = Choices(context, meanings, is_forced)
        return self._choices[key]

    def is_forcing(self, calls: Sequence[str], vulnerable: bool | None) -> bool:
        """Return whether the last call is a pass after a forcing call of partner's.

        Parameters
        ----------
        calls : sequence of str
            All calls so far, from the dealer on.
        vulnerable : bool or None
            Vulnerability of the next player's side; None: unknown.

        Returns
        -------
        bool
        """
        if len(calls) < 2 or calls[-1] != PASS or calls[-2] == PASS:
            return False
        choices = self.find_choices(calls[:-2], vulnerable)
        made = [] if choices is None else [m for m in choices.meanings if m.call == calls[-2]]
        return bool(made) and all(meaning.forcing for meaning in made)

    def _list_meanings(self, context: Context, binding: dict[str, int]) -> list[Meaning]:
        """Return the meanings of a context of this file for given suits of its letters, in order.

        Raises
        ------
        ScriptError
            A mistake in a condition.
        """
        meanings = []
        for line in context.lines:
            for call, bound in line.item.list_bindings(binding):
                condition = self._parse(line, context, add_other_letters(bound))
                meanings.append(Meaning(call, condition, line.text, line.forcing, line.alert, line))
        return meanings

    def _parse(self, line: Line, context: Context, binding: dict[str, int]) -> nodes.Expression | None:
        if not line.tokens:
            return None
        key = (id(line), tuple(sorted(binding.items())))
        if key not in self._conditions:
            self._conditions[key] = parse_condition(line.tokens, context.words, binding)
        return self._conditions[key]

    def _check_conditions(self) -> None:
        """Raise ScriptError with the mistakes in the conditions of this file, at most ten."""
        errors: list[ScriptError] = []
        for context in self._content.contexts:
            instances = list(context.pattern.list_bindings())
            for line in context.lines:
                try:
                    for _, bound in line.item.list_bindings(instances[0]):
                        self._parse(line, context, add_other_letters(bound))
                except ScriptError as error:
                    errors.append(error)
                    if len(errors) == MAX_ERRORS:
                        raise join_errors(errors) from None
        if errors:
            raise join_errors(errors)

    # ------------------------------------------------------------ public questions
    @long_work
    def bid(
        self, deals: Deals | np.ndarray, seat: int | str = "north", after: str = "",
        vulnerable: bool | None = None,
    ) -> np.ndarray:  # fmt: skip
        """Return the call of each hand.

        Parameters
        ----------
        deals : Deals, or ndarray of uint64 [n] of hands
        seat : int or str
            Seat of the hands, N E S W = 0..3.
        after : str
            The calls so far, as the player sees them: ``"1NT"`` is partner's call, ``"(1H)"`` an opponent's,
            and ``"1H (1S)"`` has both. Empty: the player opens. Passes before the first bid count: ``"P P"``
            means third seat.
        vulnerable : bool, optional
            Vulnerability of the player's side.

        Returns
        -------
        ndarray of str [n]
            ``1C`` to ``7NT``, ``P``, ``X``, ``XX``; "" if no line of the system takes the hand.

        Raises
        ------
        ArgumentError
            The calls cannot be read, or the system says nothing after them.
        """
        choices = self._find_choices_after(after, vulnerable)
        hands = np.asarray(deals) if isinstance(deals, np.ndarray) else deals.hands[:, seat_number(seat)]
        if hands.ndim != 1 or hands.dtype != np.uint64:
            raise ArgumentError("hands are an array of uint64 [n], or deals")
        return choices.names[choices.choose(np.ascontiguousarray(hands))]

    @long_work
    def frequencies(
        self, after: str = "", vulnerable: bool | None = None, *, given: Given | Deals | None = None,
        seat: int | str | None = None, produce: int = N_GIVEN, seed: int = 0,
    ) -> CallFrequencies:  # fmt: skip
        """Return how often each call is chosen after given calls, with overlaps and gaps.

        Parameters
        ----------
        after : str
            As for `bid`.
        vulnerable : bool, optional
        given : str, os.PathLike, Auction or Deals, optional
            A condition on all hands, for which deals are dealt; or the deals. Without it, shares refer to all
            hands, and the cards in partner's hand are not excluded.
        seat : int or str, optional
            Seat whose hands bid in these deals, N E S W = 0..3. If `given` is an auction, the default is the
            player whose turn it is, otherwise north.
        produce, seed : int
            Number of deals to deal for `given`, and their seed.

        Returns
        -------
        CallFrequencies
            Without `given`, exact if all conditions are functions of sums over suits, otherwise from a
            million hands; with `given`, from the deals.

        Examples
        --------
        >>> import dealerkit as dk
        >>> print(f"{dk.system('sayc').frequencies()['1NT']:.4%}")
        4.8656%
        >>> opener = dk.auction("1NT", dealer="south")
        >>> print(f"{dk.system('sayc').frequencies('1NT', given=opener)['2C'].value:.1%}")
        17.7%
        """
        choices = self._find_choices_after(after, vulnerable)
        hands = self._deal_hands(given, after, seat, produce, seed)
        return count_frequencies(self.title, choices, after, hands, _name_population(given))

    def _deal_hands(
        self, given: Given | Deals | None, after: str, seat: int | str | None, produce: int, seed: int
    ) -> np.ndarray | None:
        """Return the hands of a seat in deals that meet a condition, uint64 [n]; None without a condition."""
        if given is None:
            return None
        if seat is None:
            seat = 0
            # An auction has a dealer, so the calls so far determine who is next.
            if (dealer := getattr(given, "dealer", None)) in SEATS:
                seat = (SEATS.index(dealer) + len(parse_position(after))) % 4
        if not isinstance(given, Deals):
            from dealerkit.simulation.run import deal

            given = deal(check_integer("produce", produce, 1), seed=seed, given=given, progress=False)
        if not len(given):
            raise ArgumentError("no deal meets given, so there is nothing to count")
        return np.ascontiguousarray(given.hands[:, seat_number(seat)])

    @long_work
    def difference(
        self, other: str | os.PathLike[str] | System, after: str = "", vulnerable: bool | None = None, *,
        given: Given | Deals | None = None, seat: int | str | None = None, produce: int = N_GIVEN,
        seed: int = 0,
    ) -> SystemDifference:  # fmt: skip
        """Return how often another system makes a different call with the same hand, and which calls.

        Parameters
        ----------
        other : str, os.PathLike or System
        after, vulnerable, given, seat, produce, seed
            As for `frequencies`.

        Returns
        -------
        SystemDifference
            Exact in the same cases as `frequencies`.

        Examples
        --------
        >>> import dealerkit as dk
        >>> difference = dk.system("sayc").difference("two-over-one", "1S")
        >>> difference.pairs[0].call, difference.pairs[0].other
        ('2S', '2S')
        """
        second = system(other)
        choices = self._find_choices_after(after, vulnerable), second._find_choices_after(after, vulnerable)
        hands = self._deal_hands(given, after, seat, produce, seed)
        titles = self.title, second.title
        return compare_choices(titles, choices, after, hands, _name_population(given))

    @long_work
    def explains(
        self, boards: Any, auctions: Sequence[str] | None = None, *,
        other: str | os.PathLike[str] | System | None = None, dealer: int | str | None = None,
    ) -> ExplainedAuctions:  # fmt: skip
        """Compare the calls of real boards with those of the system, call by call.

        Parameters
        ----------
        boards : Library or Deals
            Result of `read` for a file with auctions, or deals.
        auctions : sequence of str, optional
            The auction of each deal: all calls in turn from the dealer on, as in PBN.
        other : str, os.PathLike or System, optional
            System of east-west; by default this one.
        dealer : int or str, optional
            Dealer, if the boards do not give one.

        Returns
        -------
        ExplainedAuctions
            For each call, whether the system makes it; or the hand meets a line of it, but an earlier line
            takes precedence; or the hand does not meet it; or the system has calls here, but not this one; or
            it has none.

        Raises
        ------
        ArgumentError
            The boards have no auctions.
        """
        systems = self, self if other is None else system(other)
        first = None if dealer is None else seat_number(dealer)
        deals, texts, dealers = read_boards(boards, auctions, first)
        return explain_auctions(deals, texts, systems, dealers)

    def describe(self, after: str = "", vulnerable: bool | None = None) -> ContextDescription:
        """Return the choices after given calls as a card: meaning, condition and share of each line.

        Parameters
        ----------
        after : str
            As for `bid`.
        vulnerable : bool, optional

        Returns
        -------
        ContextDescription

        Examples
        --------
        >>> import dealerkit as dk
        >>> dk.system("precision").describe("1C").calls[0].text
        'negative'
        """
        return describe_choices(self.title, self._find_choices_after(after, vulnerable))

    def notes(self) -> SystemNotes:
        """Return all calls of the system as notes for a partner; `to_html` of them is a page.

        Returns
        -------
        SystemNotes
            The contexts of this file, then those of the system that it extends, with their conditions as in
            the files.
        """
        words = {
            f"{word.name}({word.parameter})" if word.parameter else word.name: join_tokens(word.tokens)
            for word in self._content.words.values()
        }
        return SystemNotes(
            self.title, tuple(self.list_contexts()), words, self.parameters, read_comments(self.text)
        )

    @long_work
    def check(self, overlaps: bool = False) -> SystemCheck:
        r"""Return what is wrong: lines that no hand chooses, gaps, hidden contexts, illegal calls.

        Parameters
        ----------
        overlaps : bool
            Also report hands that meet lines with different calls, where the order of the lines decides.

        Returns
        -------
        SystemCheck
            The findings about this file, without the system that it extends.

        Examples
        --------
        >>> import dealerkit as dk
        >>> dk.parse_system("opening\n1C hcp 12+\n1D hcp 15+\nP otherwise").check().findings[0].message
        '1D: all hands that meet it take an earlier line: 1C'
        """
        return check_contexts(self.title, self.own_contexts, self._list_meanings, overlaps)

    def _find_choices_after(self, after: str, vulnerable: bool | None) -> Choices:
        calls = parse_position(after)
        choices = self.find_choices(calls, vulnerable)
        if choices is None:
            position = f"after {after.strip()}" if after.strip() else "for openings"
            raise ArgumentError(
                f"{self.title!r} says nothing {position}; its contexts: {self._name_contexts()}"
            )
        return choices

    def _name_contexts(self, limit: int = 8) -> str:
        names = [str(context.pattern) for context in self.list_contexts()]
        return ", ".join(names[:limit]) + (f" and {len(names) - limit} more" if len(names) > limit else "")


def _name_population(given: Given | Deals | None) -> str:
    """Return the hands to which shares refer, in words."""
    if given is None:
        return "of all hands"
    if isinstance(given, Deals):
        return f"of the hands of {format_count(len(given), 'deal')}"
    condition = read_given(given)
    return f"of hands given {show_condition(condition) if isinstance(condition, str) else condition}"


# ------------------------------------------------------------ finding and reading systems
def list_systems() -> list[str]:
    """Return the names of the included systems."""
    return sorted(file.stem for file in _FOLDER.glob("*.system"))


def system(name: str | os.PathLike[str] | System, params: Params = ()) -> System:
    """Return a bidding system.

    Parameters
    ----------
    name : str, os.PathLike or System
        The name of an included system, such as ``"sayc"``, or the path of a ``.system`` file. A system is
        returned as it is.
    params : mapping
        Values of its script variables, such as ``{"notrump": 12}``.

    Returns
    -------
    System

    Raises
    ------
    ArgumentError
        The name is unknown, or the file does not use a value.
    FileError
        The file cannot be read.
    ScriptError
        The file has a mistake; the message gives its place.

    See Also
    --------
    dealerkit.parse_system : A system from a text.

    Examples
    --------
    >>> import dealerkit as dk
    >>> dk.system("sayc").title
    'SAYC'
    """
    if isinstance(name, System):
        if ScriptVariables.collect(params).values:
            raise ArgumentError("this system has already been read; give its name and params to `system`")
        return name
    if isinstance(name, os.PathLike):
        text, file = read_source(name)
        return _build(text, file, ScriptVariables.collect(params), Path(name).stem, is_checked=True)
    variables = ScriptVariables.collect(params)
    return _read_shipped(name, variables) if variables.values else _read_unchanged(name)


@functools.cache
def _read_unchanged(name: str) -> System:
    """Return an included system with the default values of its variables; it is read only once."""
    return _read_shipped(name, ScriptVariables.collect(()))


def _read_shipped(name: str, variables: ScriptVariables, depth: int = 0) -> System:
    names = list_systems()
    key = name.strip().lower() if isinstance(name, str) else ""
    if key not in names:
        raise ArgumentError(
            f"unknown system {quote(name)}{suggest_name(key, names)}; shipped: {', '.join(names)}; a file is "
            "given as Path('mine.system')"
        )
    text = decode_script((_FOLDER / f"{key}.system").read_bytes())
    return _build(text, f"{key}.system", variables, key, depth)


def _build(
    text: str,
    file: str | None,
    variables: ScriptVariables,
    name: str,
    depth: int = 0,
    is_checked: bool = False,
) -> System:
    """Return the system in a text, together with those that it extends."""
    base: System | None = None
    # The base is named at the beginning, because the conditions of this file may use its words.
    found = read_base(text, file)
    if found is not None:
        base_name, token_error = found
        if depth == MAX_EXTENDED or base_name.strip().lower() not in list_systems():
            raise token_error(
                f"there is no system {base_name[:40]!r} to extend; shipped: {', '.join(list_systems())}"
            )
        variables.add_defaults(read_headers(text)[1])
        base = _read_shipped(base_name, variables, depth + 1)
    content = read_system(text, file, variables, base._content if base else None)
    built = System(content, base, variables, name)
    if depth == 0:
        variables.check_used()
        _check_numbers(built)
    if is_checked:
        built._check_conditions()
    return built


def _check_numbers(built: System) -> None:
    """Raise ArgumentError for a text if the default is a number, since 12-14 would mean -2."""
    defaults = built._list_defaults()
    for name, value in built.parameters.items():
        default = defaults.get(name, "")
        if _NUMBER.fullmatch(default.strip()) and not _NUMBER.fullmatch(value.strip()):
            raise ArgumentError(f"{name} is {quote(value)}; the system takes a number, such as {default}")


def parse_system(text: str, params: Params = ()) -> System:
    """Return the bidding system described by a text.

    Parameters
    ----------
    text : str
        In the notation of ``.system`` files. No file is read except the included system that it extends, and
        no code is run.
    params : mapping
        Values of its script variables.

    Returns
    -------
    System
        Its text is ``str(system)``.

    Raises
    ------
    ScriptError
        The text has mistakes; each is reported with line, column and a correction.
    ArgumentError
        `text` is not a text, or the text does not use a value of `params`.

    Examples
    --------
    >>> import dealerkit as dk
    >>> toy = dk.parse_system('''
    ... opening
    ... 1NT  hcp 15-17, shape(any 4333 + any 4432 + any 5332)
    ... P    otherwise
    ... ''')
    >>> print(f"{toy.frequencies()['1NT']:.4%}")
    4.8656%
    """
    if not isinstance(text, str):
        raise ArgumentError(
            f"{quote(text, 40)} is not the text of a system; a file is read with system(Path(...))"
        )
    return _build(text, None, ScriptVariables.collect(params), "", is_checked=True)
