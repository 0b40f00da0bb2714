"""Lines of play in words: a small grammar, and the results of such a line with best play of the rest.

A text has one play for each trick, joined by "then" or a semicolon: ``cash the ace; then low to the queen``.
Plays that begin with "if" are alternatives for the next trick: the one is chosen whose condition the last
trick meets. A play without a condition, or with "otherwise", is for all other cases.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from dealerkit.errors import ArgumentError, quote
from dealerkit.singledummy import ALL, Position
from dealerkit.singledummy.fronts import pack, prune, unite, unpack
from dealerkit.singledummy.search import Reply
from dealerkit.singledummy.states import Choice, list_choices, list_leads, list_worlds
from dealerkit.singledummy.strategies import TEN
from dealerkit.studies.suit_play.trees import RANK_NAMES

_RANKS = {name: rank for rank, name in RANK_NAMES.items()} | {
    letter.lower(): rank for rank, letter in enumerate("23456789TJQKA")
}
_RANKS |= {"10": TEN}
_CARD = r"(?:the )?(\w+)"
_ACTIONS = (
    ("cash", re.compile(rf"cash {_CARD}(?: with {_CARD})?")),
    ("low to", re.compile(rf"(?:(?:lead |play )?low to|finesse) {_CARD}")),
    ("run", re.compile(rf"run {_CARD}")),
    ("low", re.compile(r"play low(?: from both hands)?|lead low|duck")),
    ("drop", re.compile(r"(?:play for the )?drop")),
)
_CONDITIONS = (
    ("wins", re.compile(r"(?:it|that|the trick) (?:wins|is won)")),
    ("loses", re.compile(rf"(?:it|that|the trick) (?:loses|is lost)(?: to {_CARD})?")),
    ("no honour", re.compile(r"no honou?r (?:falls|appears)")),
    ("honour", re.compile(r"an? honou?r (?:falls|appears)")),
    ("falls", re.compile(rf"{_CARD} (?:falls|appears)")),
    ("shows out", re.compile(r"(east|west) shows out")),
    ("follows", re.compile(r"(east|west) follows")),
    ("plays low", re.compile(r"(east|west) plays low")),
    ("plays", re.compile(rf"(east|west) plays {_CARD}")),
)
GRAMMAR = (
    "a line is made of: cash the ace; low to the queen (or: finesse the queen); run the jack; play low; "
    "drop; joined by 'then'; after 'if ...:' it depends on the last trick: it wins, it loses to the king, "
    "the king falls, an honour falls, no honour falls, West plays the jack, West plays low, West follows, "
    "West shows out; 'otherwise:' is for all else"
)


class Action(NamedTuple):
    """A play to a trick: its kind and the cards that it names."""

    kind: str
    cards: tuple[int, ...]


class Condition(NamedTuple):
    """What the last trick has shown: its kind, and the seat and card that it names, if any."""

    kind: str
    seat: str
    card: int | None


@dataclass(frozen=True)
class Step:
    """The plays to one trick: an action for each condition, where None means any."""

    choices: tuple[tuple[Condition | None, Action], ...]

    def choose(self, seen: Seen | None) -> Action | None:
        """Return the action after what the last trick showed; None if the step does not cover it."""
        for condition, action in self.choices:
            if condition is None or seen is not None and seen.meets(condition):
                return action
        return None


@dataclass(frozen=True)
class Seen:
    """The last trick: the ranks equal to each defender's card, and whether it was won."""

    cards: dict[str, tuple[int, ...]]
    low: tuple[int, ...]
    won: bool

    @classmethod
    def of(cls, position: Position, lead: Choice, reply: Reply) -> Seen:
        """Return what a trick of a position has shown."""
        seats = ("east", "west") if lead.hand == 0 else ("west", "east")
        groups = position.blocks.groups
        cards = {
            seat: groups[group] if group >= 0 else ()
            for seat, group in zip(seats, (reply.second, reply.fourth), strict=True)
        }
        return cls(cards, groups[-1], bool(reply.trick.won))

    def meets(self, condition: Condition) -> bool:
        """Return whether the trick meets a condition."""
        kind, seat, card = condition
        ranks = [rank for cards in self.cards.values() for rank in cards]
        honours = any(rank >= TEN for rank in ranks)
        return {
            "wins": self.won,
            "loses": not self.won and (card is None or card in max(self.cards.values(), default=())),
            "no honour": not honours,
            "honour": honours,
            "falls": card in ranks,
            "shows out": not self.cards.get(seat),
            "follows": bool(self.cards.get(seat)),
            "plays low": self.cards.get(seat) == self.low,
            "plays": card in self.cards.get(seat, ()),
        }[kind]


def parse_line(text: str) -> list[Step]:
    """Return the steps of a line.

    Raises
    ------
    ArgumentError
        Something is not in the grammar, which the message lists.

    Examples
    --------
    >>> steps = parse_line("cash the ace; if the king falls: cash the queen; low to the queen")
    >>> [len(step.choices) for step in steps]
    [1, 2]
    """
    steps: list[list[tuple[Condition | None, Action]]] = []
    is_open = False  # whether the last step has only conditional plays
    for part in re.split(r"\s*(?:;|,?\s*\bthen\b|\n)\s*", " ".join(str(text).lower().split())):
        if not (part := part.strip(" .,")):
            continue
        condition, action, is_rest = _parse_part(part, text)
        if (condition is not None or is_rest) and not steps:
            raise ArgumentError(
                f"the line {quote(text, 80)} begins with a condition before the first trick; {GRAMMAR}"
            )
        if is_open:
            steps[-1].append((condition, action))
        else:
            steps.append([(condition, action)])
        is_open = condition is not None
    if not steps:
        raise ArgumentError(f"the line is empty; {GRAMMAR}")
    return [Step(tuple(step)) for step in steps]


def _parse_part(part: str, text: str) -> tuple[Condition | None, Action, bool]:
    """Return the condition, the action, and whether the part is for all other cases."""
    condition, is_rest = None, False
    if match := re.match(r"otherwise\b[:, ]*(.*)", part):
        part, is_rest = match[1], True
    elif part.startswith("if "):
        head, separator, rest = part[3:].partition(":")
        if not separator:
            head, separator, rest = part[3:].partition(",")
        condition, part = _parse_condition(head.strip(), text), rest.strip()
    for kind, pattern in _ACTIONS:
        if match := pattern.fullmatch(part):
            cards = tuple(_find_rank(word, text) for word in match.groups() if word)
            return condition, Action(kind, cards), is_rest
    raise ArgumentError(f"{quote(part)} in the line {quote(text, 80)} is not understood; {GRAMMAR}")


def _parse_condition(words: str, text: str) -> Condition:
    for kind, pattern in _CONDITIONS:
        if match := pattern.fullmatch(words):
            named = [word for word in match.groups() if word]
            seat = named.pop(0) if named and named[0] in ("east", "west") else ""
            return Condition(kind, seat, _find_rank(named[0], text) if named else None)
    raise ArgumentError(
        f"the condition {quote(words)} in the line {quote(text, 80)} is not understood; {GRAMMAR}"
    )


def _find_rank(word: str, text: str) -> int:
    if word not in _RANKS:
        raise ArgumentError(f"{quote(word, 40)} in the line {quote(text, 80)} is not a card; {GRAMMAR}")
    return _RANKS[word]


def find_outcomes(position: Position, text: str) -> np.ndarray:
    """Return the outcomes of a named line, with each best continuation.

    Parameters
    ----------
    position : Position
        The beginning. Its target is ignored.
    text : str

    Returns
    -------
    ndarray of bool [lines, planes, worlds]
        The outcomes that are not dominated. There is one plane, or with the goal `ALL` one for each number of
        tricks.

    Raises
    ------
    ArgumentError
        The text is not understood, or its first play is impossible.
    """
    steps = parse_line(text)
    position = replace(position, target=np.zeros_like(position.target))  # nothing is reached yet
    action = steps[0].choices[0][1]
    if not match_leads(position, action):
        raise ArgumentError(
            f"the line {quote(text, 80)} cannot begin like that: {_describe_fault(position, action)}; the "
            "hands "
            "are "
            f"{position.describe_hands()}"
        )
    front = _search(position, steps, None)
    n_worlds = len(list_worlds(position.state.groups))
    n_planes = len(position.target) // n_worlds
    return unpack(front, n_planes * n_worlds).astype(bool).reshape(len(front), n_planes, n_worlds)


def _describe_fault(position: Position, action: Action) -> str:
    """Return why no card can be led for an action."""
    if action.cards and not any(card[1] == action.cards[0] for run in position.blocks.runs for card in run):
        return f"neither hand has the {RANK_NAMES[action.cards[0]]}"
    if action.kind == "cash":
        return f"the {RANK_NAMES[action.cards[0]]} does not beat all missing cards"
    if action.kind == "drop":
        return "no card beats all missing cards"
    return "no low card can be led to it"


def _search(position: Position, steps: Sequence[Step], seen: Seen | None) -> np.ndarray:
    """Return the front of the lines that follow the steps from a position on."""
    state, goal, search = position.state, position.goal, position.search
    action = steps[0].choose(seen) if steps else None
    leads = [] if action is None or position.is_known or not state.groups else match_leads(position, action)
    if not leads or action is None:
        if position.is_known or not state.groups:
            return search.find_bound(state, goal)
        return search.find_front(state, goal)
    fronts: list[np.ndarray] = []
    for lead in leads:
        result: np.ndarray | None = None
        for second in search.list_seconds(state):
            thirds = match_thirds(position, action, lead, second)
            if thirds is None:
                front = search.find_second_front(state, goal, lead, second)
            else:
                front = unite([search_third(position, steps, lead, third, second) for third in thirds])
            result = front if result is None else search.join(result, front)
        assert result is not None  # a defender can always play a card
        fronts.append(result)
    return prune(np.concatenate(fronts))


def search_third(
    position: Position, steps: Sequence[Step], lead: Choice, third: Choice | None, second: int
) -> np.ndarray:
    """Return the front after a lead and the cards of the second and the third hand."""
    goal, search = position.goal, position.search
    result = pack(np.ones((1, len(position.target)), np.uint8))
    for reply in position.list_replies(lead, third, second):
        if goal != ALL and reply.trick.won >= goal:  # the tricks have been made
            continue
        after = position.follow(lead, third, reply)
        front = _search(after, steps[1:], Seen.of(position, lead, reply))
        result = search.join(result, search.map_front(position.state, goal, reply, front))
    return result


def match_leads(position: Position, action: Action) -> list[Choice]:
    """Return the leads that an action allows."""
    leads = list_leads(position.state)
    if action.kind == "cash":
        return [lead for lead in leads if lead.run == 0 and _has(position, lead, action.cards[0])]
    if action.kind == "drop":
        return [lead for lead in leads if lead.run == 0]
    if action.kind == "run":
        return [lead for lead in leads if _has(position, lead, action.cards[0])]
    lowest = {hand: choices[-1] for hand in (0, 1) if (choices := list_choices(position.state, hand))}
    leads = [lead for lead in leads if lead == lowest[lead.hand]]
    if action.kind == "low":
        return leads
    holders = [
        choice.hand
        for hand in (0, 1)
        for choice in list_choices(position.state, hand)
        if _has(position, choice, action.cards[0])
    ]
    return [lead for lead in leads if 1 - lead.hand in holders]


def match_thirds(position: Position, action: Action, lead: Choice, second: int) -> list[Choice | None] | None:
    """Return the third-hand cards that an action allows; None: any, and the line ends there."""
    thirds = position.search.list_thirds(position.state, lead)
    if second < 0:
        return None
    if action.kind == "low to":
        if second != len(position.state.groups) - 1:
            return thirds
        return [third for third in thirds if third and _has(position, third, action.cards[0])]
    if len(action.cards) > 1:
        return [third for third in thirds if third and _has(position, third, action.cards[1])] or thirds[-1:]
    if action.kind in ("run", "low") and second < lead.run:
        return thirds  # covered
    return thirds[-1:]


def _has(position: Position, choice: Choice, rank: int) -> bool:
    """Return whether a card is one of the equal cards of a choice."""
    run = position.blocks.runs[choice.run]
    place = choice.place
    while place < len(run) and run[place][0] == choice.hand:
        if run[place][1] == rank:
            return True
        place += 1
    return False
