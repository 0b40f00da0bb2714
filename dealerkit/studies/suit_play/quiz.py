"""`suit_quiz`: suits from random deals whose best line beats the natural one, as problems with answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dealerkit.appearance.card import Card
from dealerkit.appearance.content import Note, format_note
from dealerkit.appearance.table import Column, Quantity, Table
from dealerkit.appearance.wording import limit_repr
from dealerkit.arguments import check_integer
from dealerkit.cards.names import LANE_MASK, LANE_SHIFTS, RANKS
from dealerkit.cards.pages import Page
from dealerkit.errors import ArgumentError, quote
from dealerkit.runtime.progress import Progress, long_work, show_progress
from dealerkit.sheets.suit_problems import SuitProblem as SheetProblem
from dealerkit.sheets.suit_problems import make_suit_page
from dealerkit.singledummy import (
    ALL,
    TEN,
    Combination,
    Position,
    Search,
    build_state,
    list_outcomes,
    order_blocks,
    split_blocks,
    sum_worlds,
    weigh_layouts,
)
from dealerkit.singledummy.search import OutOfTime
from dealerkit.studies.limits import INTERRUPT
from dealerkit.studies.provenance import RepeatableResult, repeatable
from dealerkit.studies.suit_play.comparison import LineComparison, format_share
from dealerkit.studies.suit_play.named_lines import find_outcomes
from dealerkit.studies.suit_play.result import SuitPlay
from dealerkit.studies.suit_play.study import suit
from dealerkit.studies.suit_play.trees import RANK_NAMES

if TYPE_CHECKING:
    import pandas as pd

SEED = int.from_bytes(b"suit quiz", "big")
GAIN = 0.05
FEWEST_CARDS, MOST_CARDS = 6, 9  # cards of the suit in both hands
LONGEST = 6  # longest suit of one hand
LARGEST_FRONT = 400  # lines that are not dominated, in the suits that are used
DEALS = 400  # number of deals at a time
MOST_TRIED = 2_000  # number of suits


class SuitQuestion(NamedTuple):
    """A problem of a quiz.

    Attributes
    ----------
    play : SuitPlay
        The suit with the number of tricks that is needed, and its best lines.
    comparison : LineComparison
        The comparison of the natural line with the best one.
    natural : str
        The natural line, in words.
    """

    play: SuitPlay
    comparison: LineComparison
    natural: str

    @property
    def tricks(self) -> int:
        """The number of tricks needed."""
        assert self.play.level is not None
        return self.play.level

    @property
    def chance(self) -> float:
        """The probability of the tricks with the best line."""
        return self.play.chances[self.tricks]

    @property
    def natural_chance(self) -> float:
        """The probability of the tricks with the natural line and the best play after it."""
        return self.comparison.chances[0].get(self.tricks, 0.0)


@limit_repr
@dataclass(frozen=True, eq=False, repr=False)
class SuitQuiz(RepeatableResult):
    """Suit problems with answers, as `suit_quiz` returns them.

    Attributes
    ----------
    questions : tuple of SuitQuestion
        Each with `play`, `tricks`, `chance`, `natural` and `natural_chance`.
    gain : float
        The smallest gain of the best line, 0 to 1.
    n_tried : int
        Number of suits from random deals that were examined.
    seed : int
    reason : str
        Why there are fewer problems than requested; "" if there are not.
    provenance : Provenance or None
        The call that repeats the study, with the versions.

    Examples
    --------
    >>> import dealerkit as dk
    >>> quiz = dk.suit_quiz(1, seed=1)
    >>> quiz.questions[0].chance - quiz.questions[0].natural_chance > 0.05
    True
    """

    questions: tuple[SuitQuestion, ...]
    gain: float
    n_tried: int
    seed: int
    reason: str = ""

    @property
    def frame(self) -> pd.DataFrame:
        """A row for each problem.

        - number (index): from 1
        - north, south: cards; tricks: number needed
        - line: the best line in words; chance: its probability of the tricks, 0 to 1
        - natural, natural_chance: the same for the natural line
        """
        return self._tabulate().to_frame().set_index("number")

    def _tabulate(self) -> Table:
        columns = [
            Column("number", "", "name"),
            Column("north", kind="cards"),
            Column("south", kind="cards"),
            Column("tricks", kind="count"),
            Column("line", "best line", "sentence"),
            Column("chance", kind="share", decimals=1),
            Column("natural", "natural line", "sentence"),
            Column("natural_chance", "chance", "share", decimals=1),
        ]
        rows = [
            [
                str(number), *_name_hands(question), question.tricks,
                question.play.best(question.tricks).words, question.chance, question.natural,
                question.natural_chance,
            ]
            for number, question in enumerate(self.questions, 1)
        ]  # fmt: skip
        return Table(columns, rows)

    @property
    def title(self) -> str:
        """The number of problems."""
        n_problems = len(self.questions)
        return f"{n_problems} suit {'problem' if n_problems == 1 else 'problems'}"

    def card(self) -> Card:
        """The card: the problems with their answers."""
        note = (
            "The natural line is low to the highest honour that a missing card can beat (or running this "
            "honour, "
            "if its hand also has the next card and nothing above it); without such an honour, winners are "
            "cashed. "
            "After this first play, the suit is played as well as possible."
        )
        about = [f"The search ended early: {self.reason}."] if self.reason else []
        return Card(
            self.title, self._summarize(), about=about, tables=[self._tabulate()], notes=[note],
            provenance=self._list_facts(),
        )  # fmt: skip

    def _summarize(self) -> Note:
        return (
            "The best line gains at least ", Quantity(self.gain, "share", decimals=1),
            f" over the natural one; {self.n_tried} suits from random deals were examined.",
        )  # fmt: skip

    def page(self, *, title: str = "Which line?", note: str = "", answers: bool = True) -> Page:
        """Return the problems as a practice sheet, a page to print.

        Parameters
        ----------
        title, note : str
            Heading and foot of each page.
        answers : bool
            Add the answers, on separate pages at the end.

        Returns
        -------
        Page
            ``.html`` is the text of the file, and ``.write(path)`` writes it.

        Examples
        --------
        >>> import dealerkit as dk
        >>> dk.suit_quiz(1, seed=1).page(title="Lesson 4").n_boards
        1
        """
        return make_suit_page(self._problems, title, note, answers)

    @cached_property
    def _problems(self) -> list[SheetProblem]:
        """Return the problems in the form that a sheet takes."""
        return [
            SheetProblem(
                number, *_name_hands(question), question.tricks,
                _capitalize(question.play.best(question.tricks).words), tuple(_explain(question)),
            )
            for number, question in enumerate(self.questions, 1)
        ]  # fmt: skip

    def __repr__(self) -> str:
        return f"<SuitQuiz: {self.title}; {format_note(self._summarize())}>"


def _name_hands(question: SuitQuestion) -> tuple[str, str]:
    combination = question.play.problem.combination
    return Combination.format_ranks(combination.north), Combination.format_ranks(combination.south)


def _capitalize(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}"


def _explain(question: SuitQuestion) -> Iterator[str]:
    """Yield the reasons of an answer: the probabilities, and the layouts that decide."""
    best, natural = format_share(question.chance), format_share(question.natural_chance)
    yield f"{best}. {_capitalize(question.natural)}: {natural}."
    comparison, needed = question.comparison, question.tricks
    makes = comparison.outcomes >= needed
    for which, words in (((1, 0), "Only the best line makes it"), ((0, 1), "Only the natural one makes it")):
        worlds = np.flatnonzero(makes[which[0]] & ~makes[which[1]] & (comparison.shares > 0))
        worlds = worlds[np.argsort(-comparison.shares[worlds], kind="stable")]
        if len(worlds):
            names = "; ".join(
                f"{west} – {east} ({format_share(comparison.shares[world])})"
                for world in worlds[:3]
                for west, east in [comparison.holdings[world]]
            )
            more = "" if len(worlds) <= 3 else f"; and {len(worlds) - 3} more"
            yield f"{words} with west – east: {names}{more}."


def find_natural_line(combination: Combination) -> str:
    """Return the line that most players would choose at first sight, in words.

    It is low to the highest honour that a missing card can beat and that beats another missing card; or this
    honour is run, if its hand also has the next card and nothing above it. Without such an honour, winners
    are cashed.

    >>> find_natural_line(Combination("AQT98", "5432")), find_natural_line(Combination("QJT9", "A432"))
    ('low to the queen', 'run the queen')
    """
    missing, hands = combination.missing, combination.hands
    for rank in range(11, TEN - 1, -1):
        for hand, other in (hands, hands[::-1]):
            if rank not in hand or not any(card > rank for card in missing) or rank < missing[-1]:
                continue
            if max(hand) == rank and rank - 1 in hand and any(card > rank for card in other):
                return f"run the {RANK_NAMES[rank]}"
            if other and min(other) < rank:
                return f"low to the {RANK_NAMES[rank]}"
    return "drop"


@long_work
@repeatable
def suit_quiz(
    n: int = 12,
    *,
    gain: float = GAIN,
    seed: int | None = None,
    progress: bool | Progress | None = None,
) -> SuitQuiz:
    """Return suit problems with answers: suits from random deals whose best line beats the natural one.

    The suits are those of declarer and dummy in random deals, with 6 to 9 cards in the two hands, at most 6
    in one, at least two honours, and at least one of ace to jack missing. The number of tricks is the one for
    which the best line gains most.

    Parameters
    ----------
    n : int
        Number of problems, from 1.
    gain : float
        The smallest difference between the probabilities of the tricks with the best and with the natural
        line, above 0 and below 1.
    seed : int >= 0, optional
        Seed of the deals. By default every call uses the same seed.
    progress
        As for `lead`.

    Returns
    -------
    SuitQuiz
        Frozen, with `questions`, `frame`, `text`, HTML, and `page` for a practice sheet. After an interrupt,
        it has the problems found so far.

    Raises
    ------
    ArgumentError
        A number is out of range, or too few suits have this gain.

    Examples
    --------
    >>> import dealerkit as dk
    >>> quiz = dk.suit_quiz(2, gain=0.1, seed=3)
    >>> len(quiz.questions), all(q.chance - q.natural_chance >= 0.1 for q in quiz.questions)
    (2, True)
    """
    n = check_integer("n", n, 1, 200)
    if not 0 < gain < 1:
        raise ArgumentError(f"gain is {quote(gain, 40)}; give a difference of probabilities such as 0.05")
    seed = SEED if seed is None else check_integer("seed", seed)
    questions: list[SuitQuestion] = []
    n_tried, reason = 0, ""
    with show_progress(progress, "problems") as show:
        try:
            for combination in _list_suits(seed):
                if n_tried == MOST_TRIED:
                    raise ArgumentError(
                        f"{len(questions)} of {MOST_TRIED:,} suits gain {format_share(gain)}, but {n} "
                        "problems are needed; give a smaller gain"
                    )
                tricks = _find_goal(combination, gain)
                if tricks:
                    questions.append(_ask(combination, tricks))
                    show(len(questions), n)
                n_tried += 1
                if len(questions) == n:
                    break
        except KeyboardInterrupt:
            if not questions:
                raise
            reason = INTERRUPT
    return SuitQuiz(tuple(questions), float(gain), n_tried, seed, reason)


def _list_suits(seed: int) -> Iterator[Combination]:
    """Yield different suits of north and south from random deals, one per deal."""
    from dealerkit.simulation.run import deal

    seen, block = set(), 0
    while True:
        block += 1
        deals = deal(DEALS * block, seed=seed, progress=False)  # its first deals are those of the last block
        if len(deals) < DEALS * block:
            raise KeyboardInterrupt  # an interrupt ended the dealing
        for place in range(DEALS * (block - 1), DEALS * block):
            shift = LANE_SHIFTS[place % 4]
            lanes = [int(deals.hands[place, seat]) >> shift & LANE_MASK for seat in (0, 2)]
            north, south = sorted(lanes, key=lambda lane: (-lane.bit_count(), -lane))
            n_cards, honours = (north | south).bit_count(), (north | south) >> TEN
            if not (FEWEST_CARDS <= n_cards <= MOST_CARDS and south > 0 and north.bit_count() <= LONGEST):
                continue
            if honours.bit_count() < 2 or honours >> 1 == 0b1111:  # a king or a queen is missing, or an ace
                continue
            if (north, south) not in seen:
                seen.add((north, south))
                yield Combination(_name_lane(north), _name_lane(south))


def _name_lane(lane: int) -> str:
    """Return the cards of a suit as text."""
    return "".join(RANKS[rank] for rank in range(13) if lane >> rank & 1)


def _find_goal(combination: Combination, gain: float) -> int:
    """Return the number of tricks for which the best line gains most over the natural one; 0: too little."""
    blocks = split_blocks(combination)
    state = build_state(blocks)
    blocks = order_blocks(blocks, state)
    shares = sum_worlds(combination, blocks.groups, weigh_layouts(combination))
    search = Search(largest=LARGEST_FRONT)
    target = np.zeros(state.longest * len(shares), bool)
    try:
        best = (list_outcomes(search, state, ALL) @ shares).max(axis=0)
        start = Position(search, state, blocks, ALL, target)
        natural = (find_outcomes(start, find_natural_line(combination)) @ shares).max(axis=0)
    except OutOfTime:
        return 0
    gains = (best - natural).round(9)
    return int(gains.argmax()) + 1 if gains.max() >= gain else 0


def _ask(combination: Combination, tricks: int) -> SuitQuestion:
    """Return the problem of a suit."""
    natural = find_natural_line(combination)
    north, south = (combination.format_ranks(hand) for hand in combination.hands)
    play = suit(north, south, tricks, seconds=None)
    if play.reason:
        raise KeyboardInterrupt  # an interrupt ended the search, which then has only bounds
    return SuitQuestion(play, play.compare(natural, play.best(tricks)), natural)
