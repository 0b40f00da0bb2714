"""One chance of a plan: a suit played by a line until its tricks are made or lost, and what it loses.

A chance is played until it has its tricks, or until no layout that agrees with the cards seen lets the line
make them. In a layout, the defenders may be able to bring about several *ends*: the tricks are made, or
missed, after a number of tricks was lost. All of them count, so a plan succeeds in a layout only if it
succeeds after each.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from dealerkit.cards.names import SUITS
from dealerkit.errors import ArgumentError, quote
from dealerkit.singledummy import (
    Combination,
    Position,
    Search,
    build_state,
    find_boundaries,
    find_worlds,
    is_symmetric,
    list_outcomes,
    list_worlds,
    order_blocks,
    restrict_layouts,
    split_blocks,
    sum_worlds,
)
from dealerkit.singledummy.fronts import pack
from dealerkit.singledummy.search import OutOfTime
from dealerkit.singledummy.solution import LIMITS
from dealerkit.singledummy.states import Choice
from dealerkit.studies.suit_play.hidden_hands import SeenHands
from dealerkit.studies.suit_play.named_lines import (
    Action,
    Seen,
    Step,
    find_outcomes,
    match_leads,
    match_thirds,
    parse_line,
    search_third,
)
from dealerkit.studies.suit_play.trees import build_tree, choose_move, choose_third

MADE, MISSED = 1, 2  # ends without a lost trick, as bits; each lost trick shifts them by two bits
LARGEST_FRONT = 4000  # number of lines that are not dominated, above which the search would take too long
GRAMMAR = (
    "a chance is written as 'AKQ2 opposite 543, 4 tricks: cash the ace', with the name of a suit before it "
    "if you "
    "like; after the number of tricks you can add 'west K 2+', 'east 2-4', '1 entry to south'; what "
    "follows the "
    "colon is a line of play, and can be left out; with whole hands the suit's name is enough: 'clubs, 4 "
    "tricks'"
)
_HEAD = re.compile(r"(?:(\w+) )?(\S+) opposite (\S+)(?: for (\d+) tricks?)?", re.IGNORECASE)
_NAME = re.compile(r"(\w+)(?: for (\d+) tricks?)?", re.IGNORECASE)
_TRICKS = re.compile(r"(?:for )?(\d+) tricks?", re.IGNORECASE)
_KNOWN = re.compile(r"(west|east) (?:has )?(.+)", re.IGNORECASE)
_ENTRIES = re.compile(r"(no|\d+) entr(?:y|ies) (?:to|in) (north|south)", re.IGNORECASE)


@dataclass(frozen=True)
class Chance:
    """A suit of a plan, the number of tricks needed from it, and the line by which it is played.

    Attributes
    ----------
    suit : str
        Name of the suit; "" if it has none.
    north, south : str
    tricks : int
    line : str
        In the grammar of named lines; "" is the line with the best probability of the tricks.
    west, east : str
        What is known about the defenders' cards in the suit.
    entries : (int, int) or None
        Entries of north and south outside the suit, -1 for any number; None: any number in both hands.
    """

    suit: str
    north: str
    south: str
    tricks: int
    line: str = ""
    west: str = ""
    east: str = ""
    entries: tuple[int, int] | None = None

    @classmethod
    def parse(cls, text: str, hands: SeenHands | None = None) -> Chance:
        """Return a chance from its text.

        Parameters
        ----------
        text : str
        hands : SeenHands, optional
            Whole hands, which contain the cards; the text then has only the name of the suit.

        Raises
        ------
        ArgumentError
            A part of the text is not understood; the message gives it.

        Examples
        --------
        >>> chance = Chance.parse("clubs AKQ2 opposite 543, 4 tricks, 1 entry to south: cash the ace")
        >>> chance.suit, chance.tricks, chance.entries, chance.line
        ('clubs', 4, (-1, 1), 'cash the ace')
        """
        head, _, line = " ".join(str(text).split()).partition(":")
        first, *parts = [part.strip() for part in head.split(",")]
        suit, north, south, tricks = _read_suit(first, str(text), hands)
        known, entries = {"west": "", "east": ""}, [-1, -1]
        for part in parts:
            if found := _TRICKS.fullmatch(part):
                tricks = found[1]
            elif found := _ENTRIES.fullmatch(part):
                entries[found[2].lower() == "south"] = 0 if found[1].lower() == "no" else int(found[1])
            elif found := _KNOWN.fullmatch(part):
                seat = found[1].lower()
                known[seat] = f"{known[seat]} {found[2]}".strip()
            else:
                raise ArgumentError(
                    f"{quote(part, 40)} in the chance {quote(text, 80)} is not understood; {GRAMMAR}"
                )
        if tricks is None:
            raise ArgumentError(
                f"the chance {quote(text, 80)} does not say how many tricks it needs; {GRAMMAR}"
            )
        return cls(
            suit, north, south, int(tricks), line.strip(), known["west"], known["east"],
            None if entries == [-1, -1] else (entries[0], entries[1]),
        )  # fmt: skip

    @cached_property
    def combination(self) -> Combination:
        """The cards of the suit."""
        return Combination(self.north, self.south)

    @property
    def title(self) -> str:
        """The suit with its cards."""
        return f"{self.suit} {self.combination}".strip()

    @cached_property
    def allowed(self) -> np.ndarray:
        """The layouts that agree with what is known: bool array [2 ** missing cards]."""
        combination = self.combination
        allowed = restrict_layouts(combination, self.west, self.east)
        if not allowed.any():
            raise ArgumentError(
                f"no layout of {self.title} agrees with what is known: west {self.west or 'anything'}, "
                f"east {self.east or 'anything'}"
            )
        return allowed


def _read_suit(text: str, whole: str, hands: SeenHands | None) -> tuple[str, str, str, str | None]:
    """Return the suit, the cards of both hands, and the number of tricks, from the first part of a text."""
    match = _HEAD.fullmatch(text)
    if match is None and hands is not None and (named := _NAME.fullmatch(text)):
        suit, tricks = named[1].lower(), named[2]
    elif match is not None:
        suit, tricks = (match[1] or "").lower(), match[4]
    else:
        raise ArgumentError(f"the chance {quote(whole, 80)} is not understood; {GRAMMAR}")
    if suit and suit not in SUITS:
        raise ArgumentError(f"{quote(suit, 20)} in the chance {quote(whole, 80)} is not a suit; {GRAMMAR}")
    if match is None and hands is not None:
        return suit, *hands.find_holdings(suit), tricks
    if hands is not None:
        raise ArgumentError(
            f"the chance {quote(whole, 80)} names cards, which the whole hands have already; write only the "
            "suit, as in "
            "'clubs, 4 tricks'"
        )
    assert match is not None
    north, south = ("" if hand == "-" else hand for hand in (match[2], match[3]))
    return suit, north, south, tricks


@dataclass(frozen=True, eq=False)
class PlayedChance:
    """The results of a chance in each layout, if a certain number of tricks may be lost.

    Attributes
    ----------
    words : str
        What declarer plays.
    ends : ndarray of int [2 ** missing cards]
        For each layout, the ends that the defenders can bring about, as a sum of bits: ``MADE`` or
        ``MISSED``, shifted by two bits for each lost trick.
    is_best : bool
        Whether no line that the words allow is better; otherwise, no better one was found in time.
    """

    words: str
    ends: np.ndarray
    is_best: bool


def play_chance(
    chance: Chance, weights: np.ndarray, losers: int | None, deadline: float | None
) -> PlayedChance:
    """Return the results of a chance in each layout.

    Parameters
    ----------
    chance : Chance
    weights : ndarray of float [2 ** missing cards]
        Weights of the layouts: what the line leaves open is played to succeed in most of them.
    losers : int, optional
        Tricks that may be lost in the suit; None: any number.
    deadline : float, optional
        A limit of `time.thread_time`. If it is too early to compare all lines, or there are too many, the
        line is the best of some lines.

    Raises
    ------
    ArgumentError
        The tricks cannot be made, or the line is not understood.
    """
    combination = chance.combination
    if not weights.any():
        raise ArgumentError(f"{chance.title}: no layout agrees with all that is known about the hidden hands")
    blocks = split_blocks(combination, find_boundaries(combination, weights))
    state = build_state(blocks, chance.entries, -1 if losers is None else losers)
    blocks = order_blocks(blocks, state)
    if chance.tricks < 1:
        raise ArgumentError(f"{chance.title}: give a number of tricks from 1")
    try:
        combination.check_tricks(chance.tricks)
    except ArgumentError as error:
        raise ArgumentError(f"{chance.title}: {error}") from None
    # All lines that the words allow; if these are too many, the best of some
    is_alike = not (chance.west or chance.east) and is_symmetric(weights)
    now = time.thread_time()
    half = None if deadline is None else now + (deadline - now) / 2
    search = Search(is_alike, None, half, None if deadline is None else LARGEST_FRONT)
    shares, worlds = sum_worlds(combination, blocks.groups, weights), find_worlds(combination, blocks.groups)
    start = Position(search, state, blocks, chance.tricks, np.zeros(len(shares), bool))
    try:
        best = _play_best(chance, start, shares)
    except OutOfTime:
        best = None
    is_best = best is not None
    for limit in () if is_best else LIMITS:
        search = Search(is_alike, limit, None if limit == LIMITS[0] else deadline)
        try:
            found = _play_best(chance, replace(start, search=search), shares)
        except OutOfTime:
            break
        best = found if best is None else max(best, found, key=lambda line: line.chance)
    assert best is not None
    return PlayedChance(best.words, best.ends[worlds], is_best)


class _PlayedLine(NamedTuple):
    """A line: its words, its probability of the tricks, and its ends by world."""

    words: str
    chance: float
    ends: np.ndarray


def _play_best(chance: Chance, start: Position, shares: np.ndarray) -> _PlayedLine:
    """Return the line with the best probability among those that the words of a chance allow."""
    if chance.line:
        outcomes = find_outcomes(start, chance.line)
    else:
        outcomes = list_outcomes(start.search, start.state, chance.tricks)
    chances = outcomes[:, 0] @ shares
    number = chances.round(9).argmax()
    position = replace(start, target=outcomes[number, 0] & (shares > 0))
    steps = parse_line(chance.line) if chance.line else []
    ends = _Walk({}).find_ends(position, steps, None)
    words = chance.line or build_tree(position, possible=shares > 0).words
    return _PlayedLine(words, float(chances[number]), ends)


@dataclass(eq=False)
class _Walk:
    """The ends at the positions of a line, each computed once."""

    known: dict[tuple[object, ...], np.ndarray]

    def find_ends(self, position: Position, steps: Sequence[Step], seen: Seen | None) -> np.ndarray:
        """Return the ends for each world of a position; its goal is the number of tricks still to be made."""
        n_worlds = len(list_worlds(position.state.groups))
        if not position.target.any():  # declarer can see that the line misses its tricks
            return np.full(n_worlds, MISSED)
        if not position.state.groups:  # no card is missing any longer
            return np.full(n_worlds, MADE)
        # The words say what is played, or nothing: then, of all plays that reach the target, the one that
        # loses least
        action = steps[0].choose(seen) if steps and not position.is_known else None
        if action is not None and match_leads(position, action):
            for tighter in _list_tighter(position):
                move = _find_named_move(tighter, steps, action)
                if move is not None:
                    return self._play(tighter, *move, steps[1:])
        tightest = next(tighter for tighter in _list_tighter(position) if tighter.is_covered)
        return self._find_free_ends(tightest)

    def _find_free_ends(self, position: Position) -> np.ndarray:
        """Return the ends of the simplest play that reaches the target."""
        key = position.state, position.goal, position.target.tobytes(), position.is_known, position.blocks
        if key not in self.known:
            move = None if position.is_known else choose_move(position)
            if move is not None:
                lead, thirds = move.lead, move.thirds
            else:
                lead = position.leads[0]
                thirds = {
                    second: choose_third(position.list_thirds(lead, second))
                    for second in position.list_seconds(lead)
                }
            self.known[key] = self._play(position, lead, thirds, [])
        return self.known[key]

    def _play(
        self, position: Position, lead: Choice, thirds: dict[int, Choice | None], steps: Sequence[Step]
    ) -> np.ndarray:
        """Return the ends after a lead, with the cards of the third hand by those of the second hand."""
        ends = np.zeros(len(list_worlds(position.state.groups)), np.int64)
        for second, third in thirds.items():
            for reply in position.list_replies(lead, third, second):
                if not position.is_possible(reply):
                    continue
                won = reply.trick.won
                if won >= position.goal:
                    ends |= np.where(reply.valid, MADE, 0)
                    continue
                after = position.follow(lead, third, reply)
                seen = Seen.of(position, lead, reply) if steps else None
                later = self.find_ends(after, steps, seen)
                ends |= np.where(reply.valid, later[reply.worlds] << (0 if won else 2), 0)
        return ends


def _list_tighter(position: Position) -> Iterator[Position]:
    """Yield the position with each limit of lost tricks, from none up to its own."""
    for losers in range(max(position.state.losers, 0)):
        yield replace(position, state=position.state._replace(losers=losers))
    yield position


def _find_named_move(
    position: Position, steps: Sequence[Step], action: Action
) -> tuple[Choice, dict[int, Choice | None]] | None:
    """Return the lead and third-hand cards that the words allow and that reach the target, or None."""
    free = replace(position, target=np.zeros_like(position.target))  # for the fronts, which claim nothing
    target = pack(position.target[None, :])
    for lead in match_leads(position, action):
        thirds: dict[int, Choice | None] = {}
        for second in position.list_seconds(lead):
            options = match_thirds(position, action, lead, second)
            if options is None:
                fits = position.search.list_thirds(position.state, lead)
                fronts = [
                    position.search.find_third_front(position.state, position.goal, lead, third, second)
                    for third in fits
                ]
            else:
                fits = options
                fronts = [search_third(free, steps, lead, third, second) for third in fits]
            reaching = [
                third
                for third, front in zip(fits, fronts, strict=True)
                if (~(target & ~front).any(axis=1)).any()
            ]
            if not reaching:
                break
            thirds[second] = choose_third(reaching)
        else:
            return lead, thirds
    return None
