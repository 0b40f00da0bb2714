"""A line of play in words, as a tree: what declarer plays, depending on the plays of the defenders."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from dealerkit.appearance.wording import join_words
from dealerkit.singledummy.search import ALL, Reply
from dealerkit.singledummy.states import Choice
from dealerkit.singledummy.strategies import EIGHT, Position

HAND_NAMES = ("north", "south")
RANK_NAMES = {
    12: "ace", 11: "king", 10: "queen", 9: "jack", 8: "ten", 7: "nine", 6: "eight", 5: "seven", 4: "six",
    3: "five", 2: "four", 1: "three", 0: "two",
}  # fmt: skip
MOST_TRICKS = 3  # tricks of a line that the words describe
ANY_ORDER = "play the cards in any order"  # all lines take the same tricks


def name_ranks(ranks: Sequence[int], conjunction: str = "or") -> str:
    """Return cards in words: ``king or queen``."""
    return join_words([RANK_NAMES[rank] for rank in ranks], conjunction)


@dataclass(frozen=True, eq=False)
class Move:
    """What declarer plays to one trick.

    Attributes
    ----------
    position : Position
        The position before the trick.
    lead : Choice
    thirds : dict of int to Choice or None
        The card of the third hand, by the group from which the second hand plays; -1: it shows out.
    """

    position: Position
    lead: Choice
    thirds: dict[int, Choice | None]

    def _name(self, choice: Choice) -> str:
        """Return the name of a card; of equivalent cards, the highest."""
        return RANK_NAMES[self.position.find_highest(choice)[1]]

    @property
    def defenders(self) -> tuple[str, str]:
        """The seats of the second and the fourth hand."""
        return ("East", "West") if self.lead.hand == 0 else ("West", "East")

    @property
    def low(self) -> int:
        """The lowest group from which the second hand can play."""
        return max(self.thirds)

    @property
    def words(self) -> str:
        """The trick in words."""
        exceptions = self.describe_exceptions()
        return f"{self.describe_lead()} ({exceptions})" if exceptions else self.describe_lead()

    def describe_lead(self) -> str:
        """Return the lead and the usual card of the third hand in words.

        The usual card is the one after a low card of the second hand.
        """
        third = self.thirds[self.low]
        is_low, is_low_third = self.position.is_low(self.lead), third is None or self.position.is_low(third)
        if self.lead.run == 0:
            text = f"cash the {self._name(self.lead)}"
            return text if third is None or is_low_third else f"{text} with the {self._name(third)}"
        if is_low and is_low_third:
            return "play low from both hands" if third is not None else "lead low"
        if is_low_third:
            return f"run the {self._name(self.lead)}"
        assert third is not None
        return f"{'low' if is_low else f'lead the {self._name(self.lead)}'} to the {self._name(third)}"

    def describe_exceptions(self) -> str:
        """Return the cards of the third hand after higher cards of the second hand, in words."""
        usual = self.thirds[self.low]
        by_third: dict[str, list[int]] = {}
        for second, third in self.thirds.items():
            if second < 0 or third == usual or third is None:
                continue
            if usual is not None and second < min(self.lead.run, usual.run) and third.run <= second:
                continue  # a card is covered by one that beats it, as anyone would do
            name = "low" if self.position.is_low(third) else f"the {self._name(third)}"
            by_third.setdefault(name, []).extend(self.position.blocks.groups[second])
        return "; ".join(
            f"{name} if {self.defenders[0]} plays the {name_ranks(sorted(ranks, reverse=True))}"
            for name, ranks in by_third.items()
        )

    def list_replies(self) -> Iterator[tuple[Choice | None, Reply]]:
        """Yield what the defenders may play, with the card of the hand opposite; both low first."""
        for second, third in self.thirds.items():
            replies = self.position.list_replies(self.lead, third, second)
            for reply in replies:
                if self.position.is_possible(reply):
                    yield third, reply

    def describe_reply(self, reply: Reply) -> str:
        """Return the cards of the defenders in words."""
        groups = self.position.blocks.groups
        lowest = len(groups) - 1
        seats = self.defenders
        for seat, group in zip(seats, (reply.second, reply.fourth), strict=True):
            if group < 0:
                return f"if {seat} shows out"
        parts = []
        if not reply.trick.won:
            winner = min((reply.second, reply.fourth))
            seat = seats[0] if reply.second <= reply.fourth else seats[1]
            parts.append(f"if {seat} wins with the {name_ranks(groups[winner])}")
            others = [(seats[0], reply.second)] if seat == seats[1] else [(seats[1], reply.fourth)]
        else:
            others = list(zip(seats, (reply.second, reply.fourth), strict=True))
        for seat, group in others:
            if group < lowest or len(groups) == 1 and groups[group][0] > EIGHT:
                parts.append(f"{'and' if parts else 'if'} {seat} plays the {name_ranks(groups[group])}")
        return " ".join(parts)

    @property
    def is_cash(self) -> bool:
        """Whether a card that beats all others is cashed, with a low or an equivalent card opposite."""
        return self.lead.run == 0


def choose_move(position: Position, preferred: Sequence[str] = ()) -> Move | None:
    """Return the simplest trick among those that reach the target, as a player would see it; None at the end.

    Order of preference: a trick in `preferred` (by `Move.words`); cashing a card that beats all others, from
    the shorter hand first; leading low to a card of the other hand; running a card; playing low from both
    hands.
    """
    if not position.leads:
        return None
    moves = [_complete_move(position, lead) for lead in position.leads]
    if preferred:
        by_words = {move.words: move for move in reversed(moves)}
        for words in preferred:
            if words in by_words:
                return by_words[words]
    return min(moves, key=_rate_move)


def _complete_move(position: Position, lead: Choice) -> Move:
    thirds = {}
    for second in sorted(position.list_seconds(lead), reverse=True):
        choices = position.list_thirds(lead, second)
        thirds[second] = choose_third(choices)
    return Move(position, lead, thirds)


def choose_third(choices: list[Choice | None]) -> Choice | None:
    """Return the cheapest card that reaches the target; None if the hand has no card."""
    cards = [choice for choice in choices if choice is not None]
    return cards[-1] if cards else None


def _rate_move(move: Move) -> tuple[int, ...]:
    """Return the rank of a move among those that reach the same: lower is better."""
    position, lead = move.position, move.lead
    exceptions = len({third for second, third in move.thirds.items() if second >= 0}) - 1
    third = move.thirds[move.low]
    if lead.run == 0:
        is_wasted = third is not None and not move.position.is_low(third)
        return 0, int(is_wasted), exceptions, position.state.count_cards(lead.hand)
    if third is not None and third.run < lead.run and not move.position.is_low(third):
        return 1, exceptions, -lead.run, lead.hand
    if not move.position.is_low(lead):
        return 2, exceptions, lead.run, lead.hand
    return 3, exceptions, lead.run, lead.hand


@dataclass(eq=False)
class Branch:
    """A branch of a line in words.

    Attributes
    ----------
    conditions : list of str
        What the defenders have played: any of these; empty at the root.
    action : str
        What declarer plays next; "" if there is no choice left.
    exceptions : str
        When the third hand plays another card than the action says; "" if never.
    possible : ndarray of bool [worlds]
        Worlds of the start in which the defenders can play like this.
    is_plain : bool
        Whether declarer only cashes winners from here on.
    branches : list of Branch
    """

    conditions: list[str]
    action: str
    exceptions: str
    possible: np.ndarray
    is_plain: bool = True
    branches: list[Branch] = field(default_factory=list)

    def list_lines(self, depth: int = 0) -> Iterator[tuple[int, Branch]]:
        """Yield the branches from the root down, with their depths."""
        yield depth, self
        for branch in self.branches:
            yield from branch.list_lines(depth + 1)

    @property
    def condition(self) -> str:
        """The conditions in words, without those that others contain; of many, only the first."""
        kept = [
            text for text in self.conditions if not any(_contains(text, other) for other in self.conditions)
        ]
        text = ", or ".join(kept[:MOST_CONDITIONS])
        return f"{text} or similarly" if len(kept) > MOST_CONDITIONS else text

    @property
    def sentence(self) -> str:
        """Conditions, action and exceptions."""
        text = f"{self.action} ({self.exceptions})" if self.exceptions else self.action
        return ": ".join(filter(None, (self.condition, text)))

    @property
    def words(self) -> str:
        """The actions while the defenders play low."""
        parts, branch = [self.action], self
        while branch.branches and branch.branches[0].condition in (USUAL, WON):
            branch = branch.branches[0]
            parts.append(branch.action)
        return "; then ".join(parts)


def _contains(text: str, other: str) -> bool:
    """Return whether a condition contains another one and something else.

    >>> _contains("if East wins with the ace and West plays the ten", "if West plays the ten")
    True
    """
    parts, others = (set(each.removeprefix("if ").split(" and ")) for each in (text, other))
    return parts > others


USUAL, WON, WINNERS_ONLY = "then", "if it wins", "if only winners are left"
MOST_CONDITIONS = 3  # conditions of a branch that the words list


def build_tree(position: Position, n_tricks: int = MOST_TRICKS, possible: np.ndarray | None = None) -> Branch:
    """Return a line in words.

    Parameters
    ----------
    position : Position
        The position at the beginning of the line.
    n_tricks : int
        Number of tricks that the words describe.
    possible : ndarray of bool [worlds], optional
        Worlds that are possible; by default all.
    """
    n_planes = position.state.longest if position.goal == ALL else 1
    n_worlds = len(position.target) // max(1, n_planes)
    possible = np.ones(n_worlds, bool) if possible is None else possible
    used: list[list[str]] = [[] for _ in range(n_tricks + 1)]
    root = _build_branch(position, [], np.arange(n_worlds), possible, used)
    _arrange(root)
    if not root.action and not root.branches:
        root.action = ANY_ORDER
    return root


def _build_branch(
    position: Position, conditions: list[str], worlds: np.ndarray, possible: np.ndarray, used: list[list[str]]
) -> Branch:
    """Return a branch, with one branch below it for each reply of the defenders.

    `worlds` contains the world of the position for each world of the start. `used` contains the moves in
    words that other branches have for this trick and each later one; the same moves are preferred, which
    keeps the tree short.
    """
    move = choose_move(position, used[0]) if position.is_open and len(used) > 1 else None
    if move is None:
        return Branch(conditions, "", "", possible)
    if move.words not in used[0]:
        used[0].append(move.words)
    branch = Branch(conditions, move.describe_lead(), move.describe_exceptions(), possible, move.is_cash)
    usual = max(move.thirds)
    replies = sorted(move.list_replies(), key=lambda each: not each[1].second == each[1].fourth == usual)
    below: list[tuple[int, Branch]] = []
    for third, reply in replies:
        still = possible & reply.valid[worlds]
        if not still.any():
            continue
        after = position.follow(move.lead, third, reply)
        is_usual = reply.second == reply.fourth == usual
        said = USUAL if is_usual else move.describe_reply(reply)
        child = _build_branch(after, [said], reply.worlds[worlds], still, used[1:])
        if child.action:
            below.append((reply.second + reply.fourth, child))
    branch.is_plain &= all(child.is_plain for _, child in below)
    if not branch.is_plain:  # the lowest cards come first
        branch.branches = [child for _, child in sorted(below, key=lambda each: -each[0])]
    return branch


def _arrange(branch: Branch) -> None:
    """Join the branches below that have the same play, the usual one first, and those that cash winners."""
    groups: list[Branch] = []
    plain: list[Branch] = []
    usual = [child for child in branch.branches if child.conditions == [USUAL]]
    kept = min(usual, key=lambda child: child.is_plain, default=None)  # even if it only cashes winners
    for child in branch.branches:
        if child.is_plain and child is not kept:
            plain.append(child)
            continue
        same = next((group for group in groups if _is_same(group, child)), None)
        if same is None:
            groups.append(child)
        else:
            same.possible = same.possible | child.possible
            same.conditions += [text for text in child.conditions if text not in same.conditions]
            same.branches += child.branches
    # If the defenders cannot both play low, the first branch is the usual one, after the lowest cards
    if groups:
        groups.sort(key=lambda group: USUAL not in group.conditions)
        is_won = any(" wins with " in text for child in branch.branches for text in child.conditions)
        groups[0].conditions = [WON if is_won and USUAL in groups[0].conditions else USUAL]
    for group in groups:
        _arrange(group)
    branch.branches = groups
    if plain:
        possible = np.logical_or.reduce([child.possible for child in plain])
        branch.branches.append(Branch([WINNERS_ONLY], "cash them", "", possible))


def _is_same(first: Branch, second: Branch) -> bool:
    """Return whether two branches have the same plays, now and in everything that can follow in both."""
    if (first.action, first.exceptions) != (second.action, second.exceptions):
        return False
    return all(
        _is_same(one, other)
        for one in first.branches
        for other in second.branches
        if not (one.is_plain or other.is_plain) and one.conditions[0] in other.conditions
    )
