"""The result of `suit`: the best lines of a suit combination, with the tricks of each in each layout."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.appearance.card import Card, Shown
from dealerkit.appearance.content import Chart, Note, format_note
from dealerkit.appearance.table import Column, Indented, Kind, Quantity, Table
from dealerkit.appearance.wording import limit_repr
from dealerkit.cards.names import RANKS
from dealerkit.charts.panels import draw_whisker, label_end, open_frame
from dealerkit.charts.style import get_color
from dealerkit.runtime.progress import long_work
from dealerkit.singledummy import ALL, EIGHT, TEN, Blocks, Combination, Position, Solution, State, list_worlds
from dealerkit.studies.limits import INTERRUPT
from dealerkit.studies.provenance import RepeatableResult
from dealerkit.studies.suit_play.comparison import LineComparison, draw_share
from dealerkit.studies.suit_play.named_lines import find_outcomes
from dealerkit.studies.suit_play.trees import Branch, build_tree

if TYPE_CHECKING:
    import pandas as pd

ROW = 0.22  # height of a row of the plot in inches
TREE_WIDTH = 8.0  # width of the tree
TREE_ROW = 0.45  # height of a row of the tree, whose names are sentences
CLOSE = 1e-9  # shares that differ by less are considered equal
MOST_COMPARED = 1500  # lines that can be compared with each other at matchpoints
_COUNTS = ("", "one", "two", "three", "four", "five", "six", "seven", "eight")


@dataclass(frozen=True, eq=False)
class SuitProblem:
    """A suit to play: the cards, the state, and the probability of each world.

    Attributes
    ----------
    combination : Combination
    blocks : Blocks
        The runs and groups of the cards.
    state : State
    shares : ndarray of float [worlds]
    """

    combination: Combination
    blocks: Blocks
    state: State
    shares: np.ndarray

    @cached_property
    def holdings(self) -> list[tuple[str, str]]:
        """The cards of west and east in each world, in words."""
        counts = list_worlds(self.state.groups).tolist()
        return [
            (self._name_holding(row), self._name_holding(np.subtract(self.state.groups, row).tolist()))
            for row in counts
        ]

    def _name_holding(self, counts: Sequence[int]) -> str:
        """Return a holding with this number of cards of each group as text; small cards are x."""
        plain, some = "", []
        for group, count in zip(self.blocks.groups, counts, strict=True):
            if not count:
                continue
            is_last = group is self.blocks.groups[-1]
            if group[0] <= EIGHT or is_last and (group[0] <= TEN or len(group) > 3):
                plain += "x" * count
            elif count == len(group):
                plain += "".join(RANKS[rank] for rank in group)
            else:
                some.append(f"{_COUNTS[count]} of {''.join(RANKS[rank] for rank in group)}")
        return ", ".join([*some, plain] if plain else some) or "-"


class Line(Shown):
    """A line of play of a suit.

    Attributes
    ----------
    name : str
        ``"A"``, ``"B"`` ... in a result.
    level : int or None
        The number of tricks in question, which table and plot are about; None: the mean.
    outcomes : ndarray of int [worlds]
        Tricks of the line against best defence, in the order of the rows of `SuitPlay.layouts`.
    """

    def __init__(
        self, name: str, problem: SuitProblem, solution: Solution, number: int, level: int | None = None
    ) -> None:
        self.name, self.level = name, level
        self._problem, self._solution, self._number = problem, solution, number

    @property
    def outcomes(self) -> np.ndarray:
        """Tricks in each world."""
        return self._solution.outcomes[self._number].sum(axis=0)

    @cached_property
    def chances(self) -> dict[int, float]:
        """The probability of at least each number of tricks, 0 to 1."""
        shares = self._solution.outcomes[self._number] @ self._problem.shares
        return {level: min(1.0, float(share)) for level, share in enumerate(shares, 1)}

    @property
    def mean(self) -> float:
        """The mean number of tricks."""
        return float(self.outcomes @ self._problem.shares)

    @cached_property
    def start(self) -> Position:
        """The position before the first trick."""
        problem, target = self._problem, self._solution.outcomes[self._number].ravel()
        return Position(self._solution.search, problem.state, problem.blocks, ALL, target)

    @cached_property
    def tree(self) -> Branch:
        """What declarer plays, in words: a branch for each way in which the defenders can play."""
        return build_tree(self.start, possible=self._problem.shares > 0)

    @property
    def words(self) -> str:
        """What declarer plays as long as the defenders play low."""
        return self.tree.words

    def card(self) -> Card:
        """The card: the line as a tree."""
        return Card(
            f"{self._problem.combination}: line {self.name}", tables=[self.tabulate(self.level)],
            charts=[Chart("tree", partial(_draw_tree, self))], is_part=True,
        )  # fmt: skip

    def tabulate(self, level: int | None, heading: Any = "") -> Table:
        """Return the tree as a table: how often each branch is possible, and how often it reaches a goal.

        Parameters
        ----------
        level : int, optional
            A number of tricks; None shows the mean tricks of the branch.
        heading : note
        """
        rows = [
            [Indented(branch.sentence, depth), *self.rate(branch, level)]
            for depth, branch in self.tree.list_lines()
        ]
        last = (
            Column("value", "tricks then", "value", decimals=2)
            if level is None
            else Column("value", f"≥ {level} then", "share", decimals=1)
        )
        columns = [
            Column("line", f"line {self.name}", "sentence"),
            Column("possible", kind="share", decimals=1),
            last,
        ]
        return Table(columns, rows, heading)

    def rate(self, branch: Branch, level: int | None) -> tuple[float, float]:
        """Return how often a branch is possible, and how often it then makes a number of tricks.

        Parameters
        ----------
        branch : Branch
            A branch of `tree`.
        level : int, optional
            None: return the mean number of tricks instead of how often.
        """
        shares = self._problem.shares * branch.possible
        share = float(shares.sum())
        values = self.outcomes if level is None else self.outcomes >= level
        return share, float(values @ shares) / share

    def __repr__(self) -> str:
        return f"<Line {self.name} of {self._problem.combination}: {self.words}>"


@limit_repr
@dataclass(frozen=True, eq=False, repr=False)
class SuitPlay(RepeatableResult):
    """The best lines of a suit combination against best defence, as `suit` returns them.

    Attributes
    ----------
    problem : SuitProblem
    solution : Solution
    level : int or None
        The number of tricks in question.
    n_shown : int
        Largest number of lines to show.
    facts : tuple of str
        The assumptions, in words.
    provenance : Provenance or None
        The call that repeats the study, with the versions.

    Examples
    --------
    >>> import dealerkit as dk
    >>> play = dk.suit("AQT98", "5432", tricks=4)
    >>> round(play.chances[4], 4), round(play.mean, 4), play.exact
    (0.8278, 4.0313, True)
    """

    problem: SuitProblem
    solution: Solution
    level: int | None = None
    n_shown: int = 6
    facts: tuple[str, ...] = ()

    @property
    def exact(self) -> bool:
        """Whether all numbers are exact; otherwise `bounds` contains what is known.

        If there was not enough time for all lines, the lines found may still reach the bounds.
        """
        if self.solution.is_complete:
            return True
        highs = [high for _, high in self.solution.chances.values()]
        is_reached = (self._chances.max(axis=0) > np.array(highs) - CLOSE).all()
        return bool(is_reached) and self.mean > self.solution.mean[1] - CLOSE

    @property
    def reason(self) -> str:
        """Why the search ended early, such as "it was interrupted"; empty if it is complete."""
        return {"interrupt": INTERRUPT, "time": "the time was over"}.get(self.solution.reason, "")

    @property
    def chances(self) -> dict[int, float]:
        """The probability of at least each number of tricks, 0 to 1, with the best line for this number.

        If there was not enough time, it is the lower end in `bounds`.
        """
        return {level: min(1.0, low) for level, (low, _) in self.solution.chances.items()}

    @property
    def mean(self) -> float:
        """The mean number of tricks of the line that is best on average."""
        return self.solution.mean[0]

    @property
    def bounds(self) -> dict[int | str, tuple[float, float]]:
        """The least and the greatest that each chance, and the ``"mean"``, can be; equal where exact."""
        bounds: dict[int | str, tuple[float, float]] = {"mean": self.solution.mean}
        return bounds | self.solution.chances

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """All lines that no other line dominates: those that are shown first, then by their mean."""
        order = [*self._shown, *(i for i in np.argsort(-self._means, kind="stable") if i not in self._shown)]
        return tuple(
            Line(_name_line(place), self.problem, self.solution, int(number), self.level)
            for place, number in enumerate(order)
        )

    def best(self, level: int | None = None) -> Line:
        """Return the best line for a purpose.

        Parameters
        ----------
        level : int, optional
            For at least this number of tricks; by default for the most tricks on average.

        Examples
        --------
        >>> import dealerkit as dk
        >>> dk.suit("AQT98", "5432").best(5).words
        'low to the queen; then cash the ace'
        """
        return self.lines[self._shown.index(self._find_best(level))]

    @long_work
    def compare(self, first: str | Line, second: str | Line) -> LineComparison:
        """Compare two lines: in which layouts each makes more tricks than the other, and how often.

        Parameters
        ----------
        first, second : str or Line
            The name of a line that is shown, ``"A"``; or what is played,
            ``"cash the ace; then low to the queen"``. What this leaves open is played as well as possible for
            the number of tricks that the result is about, otherwise for the mean.

        Returns
        -------
        LineComparison
            With `wins`, `losses`, `chances`, `means`, `frame`, `text` and HTML.

        Raises
        ------
        ArgumentError
            A line is not understood (the message lists what is), or cannot be played.

        Examples
        --------
        >>> import dealerkit as dk
        >>> play = dk.suit("AQT96", "8754")
        >>> lines = play.compare("low to the queen", "low to the ten")
        >>> round(lines.losses - lines.wins, 4)
        0.0365
        """
        found = [self._read_line(line) for line in (first, second)]
        outcomes = np.array([tricks for _, tricks in found])
        problem = self.problem
        return LineComparison(
            self.title, (found[0][0], found[1][0]), outcomes, problem.shares, problem.holdings, self.level
        )

    def _read_line(self, line: str | Line) -> tuple[str, np.ndarray]:
        """Return a line in words, and its tricks in each world."""
        if isinstance(line, str):
            known = {known.name: known for known in self.lines}
            line = known.get(line.strip().upper(), line)
        if isinstance(line, Line):
            return line.words, line.outcomes
        outcomes = find_outcomes(self.lines[0].start, line)
        chances = np.round(outcomes @ self.problem.shares, 9)
        means = chances.sum(axis=1)
        keys = [means] if self.level is None else [means, chances[:, self.level - 1]]
        return " ".join(line.split()), outcomes[np.lexsort(keys)[-1]].sum(axis=0)

    @cached_property
    def _chances(self) -> np.ndarray:
        """Probabilities of the lines: float array [lines, levels]."""
        return self.solution.outcomes @ self.problem.shares

    @cached_property
    def _means(self) -> np.ndarray:
        return np.round(self._chances.sum(axis=1), 9)

    def _find_best(self, level: int | None) -> int:
        """Return the number of the line in the solution; of equal ones that with the higher mean."""
        if level is None:
            return int(self._means.argmax())
        chances = np.round(self._chances[:, level - 1], 9)
        candidates = np.flatnonzero(chances == chances.max())
        return int(candidates[self._means[candidates].argmax()])

    @cached_property
    def _shown(self) -> list[int]:
        """The lines that are best for something: a number of tricks, the average, or matchpoints."""
        numbers = [] if self.level is None else [self._find_best(self.level)]
        numbers += [self._find_best(level) for level in self._open_levels]
        numbers += [self._find_best(None)]
        if self._matchpoints is not None:
            numbers.append(self._matchpoints)
        return list(dict.fromkeys(numbers))

    @property
    def _open_levels(self) -> list[int]:
        """Numbers of tricks that are neither certain nor impossible."""
        return [level for level, chance in self.chances.items() if CLOSE < chance < 1 - CLOSE]

    @cached_property
    def _matchpoints(self) -> int | None:
        """The line that beats every other one more often than it loses to it, if there is one."""
        tricks = self.solution.outcomes.sum(axis=1)
        if len(tricks) > MOST_COMPARED:
            return None
        for number in np.argsort(-self._means, kind="stable"):
            if (self._compare(int(number), tricks) >= -CLOSE).all():
                return int(number)
        return None

    def _compare(self, number: int, tricks: np.ndarray) -> np.ndarray:
        """Return how much more often a line makes more tricks than each other than fewer."""
        return np.sign(tricks[number] - tricks) @ self.problem.shares

    @property
    def frame(self) -> pd.DataFrame:
        """A row for each line that is not dominated.

        - line (index): its name; words: what declarer plays, for lines that are shown
        - at_least_1 ...: the probability of at least this number of tricks
        - mean: the mean number of tricks
        """
        import pandas as pd

        names = [line.name for line in self.lines]
        order = [line._number for line in self.lines]
        n_shown = len(self._shown)
        columns: dict[str, Any] = {
            "words": [line.words if place < n_shown else "" for place, line in enumerate(self.lines)]
        }
        for level in self.chances:
            columns[f"at_least_{level}"] = self._chances[order, level - 1]
        columns["mean"] = self._chances[order].sum(axis=1)
        return pd.DataFrame(columns, pd.Index(names, name="line"))

    @property
    def layouts(self) -> pd.DataFrame:
        """A row for each possible layout, in which equivalent cards count as the same.

        - west, east: their cards; x is a small card
        - probability: 0 to 1
        - double_dummy: tricks with all cards visible
        - A, B ...: tricks of each line that is shown
        """
        import pandas as pd

        possible = self.problem.shares > 0
        holdings = [
            pair for pair, is_possible in zip(self.problem.holdings, possible, strict=True) if is_possible
        ]
        double = self.solution.search.find_double_dummy(self.problem.state)
        columns: dict[str, Any] = {
            "west": [west for west, _ in holdings],
            "east": [east for _, east in holdings],
            "probability": self.problem.shares[possible],
            "double_dummy": double[possible],
        }
        columns |= {line.name: line.outcomes[possible] for line in self._list_shown()}
        frame = pd.DataFrame(columns)
        return frame.sort_values("probability", ascending=False, kind="stable", ignore_index=True)

    def _list_shown(self) -> tuple[Line, ...]:
        return self.lines[: min(len(self._shown), self.n_shown)]

    @property
    def title(self) -> str:
        """The cards of the two hands."""
        return str(self.problem.combination)

    def card(self) -> Card:
        """The card: the best lines, the line for the number of tricks as a tree, and the layouts."""
        best = self.best(self.level)
        heading = "On average" if self.level is None else f"For {self.level} tricks"
        tables = [
            self._tabulate_lines(),
            best.tabulate(self.level, f"{heading}: line {best.name}"),
            self._tabulate_layouts(),
        ]
        return Card(
            self.title, self._summarize(), about=self.facts, tables=tables,
            charts=[Chart("chances", partial(_draw_chances, self))], notes=list(self._list_notes()),
            provenance=self._list_facts(),
        )  # fmt: skip

    def _summarize(self) -> Note:
        """Return the value of the combination in one line; if it is not known, that of the line found."""
        at_least, line = "" if self.exact else "at least ", self.best(self.level)
        if self.level is None:
            return at_least, Quantity(line.mean, decimals=2), " tricks on average: ", line.words, "."
        share = Quantity(line.chances[self.level], "share", decimals=1)
        return f"{self.level} tricks: {at_least}", share, f": {line.words}."

    def _tabulate_lines(self) -> Table:
        tricks = self.solution.outcomes.sum(axis=1)
        margins = None if self._matchpoints is None else -self._compare(self._matchpoints, tricks)
        shown = self._list_shown()
        columns = [Column("line", kind="name"), Column("words", "what declarer plays", "sentence")]
        levels = [level for level, chance in self.chances.items() if chance > CLOSE][-4:]
        columns += [Column(f"at_least_{level}", f"≥ {level}", "percent", decimals=1) for level in levels]
        columns.append(Column("mean", kind="value", decimals=3))
        if margins is not None and len(shown) > 1:
            columns.append(Column("matchpoints", "at matchpoints", "percent", sign=True, decimals=1))
        rows = []
        for line in shown:
            row: list[Any] = [line.name, line.words, *(line.chances[level] for level in levels), line.mean]
            if margins is not None and len(shown) > 1:
                row.append("best" if line._number == self._matchpoints else float(margins[line._number]))
            rows.append(row)
        return Table(columns, rows, "The best lines, in per cent")

    def _tabulate_layouts(self) -> Table:
        frame = self.layouts
        # Layouts that differ only in small cards are one row
        keys = [name for name in frame if name != "probability"]
        frame = frame.groupby(keys, sort=False, as_index=False).probability.sum()[list(frame)]
        frame = frame.sort_values("probability", ascending=False, kind="stable")
        columns = [
            Column("west", kind="cards"),
            Column("east", kind="cards"),
            Column("probability", kind="share", decimals=2),
            Column("double_dummy", "double dummy", "count"),
            *(Column(line.name, kind="count") for line in self._list_shown()),
        ]
        rows = frame.itertuples(index=False, name=None)
        return Table(columns, list(rows), "Tricks in each layout", is_detail=True)

    def _list_notes(self) -> Iterator[Note]:
        """Yield the sentences below the tables."""
        if not self.solution.is_complete:
            why = "The search was interrupted" if self.reason == INTERRUPT else "There was not enough time"
            if self.exact:
                yield f"{why}; these are the lines found. Best play does not take more tricks."
            else:
                yield self._describe_bounds(why)
        level = self.level
        if level is not None and (best := self.best(level)).name != (average := self.best()).name:
            gain = Quantity(average.mean - best.mean, decimals=3)
            first, second = (Quantity(line.chances[level], "share", decimals=1) for line in (best, average))
            yield (
                f"A contract that needs {level} tricks makes in ", first, f" with line {best.name} and in ",
                second, f" with line {average.name}, which has ", gain, " tricks more on average.",
            )  # fmt: skip
        n_others = len(self.solution.outcomes) - len(self._list_shown())
        if n_others:
            yield (
                f"{n_others} other lines are not dominated, but are not best for any of these."
                if n_others > 1
                else "One other line is not dominated, but is not best for any of these."
            )
        if len(self.solution.outcomes) > MOST_COMPARED:
            yield "There are too many lines to compare at matchpoints."
        elif self._matchpoints is None:
            yield "At matchpoints no line is best: each loses to another more often than it wins."
        elif len(self._list_shown()) > 1:
            yield (
                "At matchpoints: how often a line takes more tricks than the best one, minus how often fewer."
            )
        yield (
            "Possible: the layouts in which the defenders can play like this. They see all cards and know "
            "the line, "
            "so the tricks of a line are those against the best defence in each layout."
        )

    def _describe_bounds(self, why: str) -> Note:
        """Return the largest values that best play can have, if no line found has them."""
        parts: list[str | Quantity] = [f"{why}; these are the lines found. With best play it is at most "]
        for number, (_, high) in self.solution.chances.items():
            if high > self._chances[:, number - 1].max() + CLOSE:
                parts += [Quantity(high, "share", decimals=1), f" for {number} tricks, "]
        return (*parts, Quantity(self.solution.mean[1], decimals=2), " tricks on average.")

    def __repr__(self) -> str:
        return f"<SuitPlay of {self.title}: {format_note(self._summarize())}>"


def _draw_chances(play: SuitPlay, ax: Any) -> Any:
    """Draw the probability of each number of tricks with the best line for it."""
    chances = {level: chance for level, chance in play.chances.items() if chance > CLOSE}
    with open_frame(ax, height=1.6 + ROW * len(chances)) as frame:
        note = "Best lines against best defence." if play.exact else "Best lines found; at least."
        frame.write(play.title, "Probability of at least this number of tricks", note)
        (panel,) = frame.add_panels()
        frame.name_rows(panel, [f"{level} tricks" if level > 1 else "1 trick" for level in chances])
        frame.scale(panel.xaxis, 0, 100, unit=" %")
        for y, chance in enumerate(chances.values()):
            draw_share(panel, chance, y)
        return frame.ax


def _draw_tree(line: Line, ax: Any) -> Any:
    """Draw a line as a tree: a row for each branch, at its probability or mean tricks."""
    branches = list(line.tree.list_lines())
    rates = [line.rate(branch, line.level) for _, branch in branches]
    scale = 1.0 if line.level is None else 100.0
    kind: Kind = "value" if line.level is None else "share"
    decimals = 2 if line.level is None else 1
    goal = "Mean tricks" if line.level is None else f"Chance of {line.level} tricks"
    with open_frame(ax, height=1.7 + TREE_ROW * len(branches), width=TREE_WIDTH) as frame:
        frame.write(
            f"{line._problem.combination}: line {line.name}", f"{goal} after each play of the defenders",
            "The larger a dot, the more often the defenders can play like this. Best defence.",
        )  # fmt: skip
        (panel,) = frame.add_panels()
        frame.name_rows(panel, [branch.sentence for _, branch in branches])
        if line.level is None:
            frame.scale(panel.xaxis, 0, max(value for _, value in rates))
        else:
            frame.scale(panel.xaxis, 0, 100, unit=" %")
        least, most = panel.get_xlim()
        panel.set_xlim(least - 0.03 * (most - least), most)  # room for a dot at 0
        # From each branch, a line down and across to the branches that follow it
        above: list[int] = []  # the branches from the root to here
        ends: dict[int, int] = {}  # how far down the line from a branch reaches so far
        for y, (depth, _) in enumerate(branches):
            x = start = scale * rates[y][1]
            if depth:
                parent = above[depth - 1]
                start = scale * rates[parent][1]
                panel.plot(
                    [start, start, x], [ends.get(parent, parent), y, y], color=get_color("rule"),
                    linewidth=1, zorder=2, solid_joinstyle="miter", clip_on=False,
                )  # fmt: skip
                ends[parent] = y
            above[depth:] = [y]
            size = 3 + 4 * rates[y][0] ** 0.5
            draw_whisker(panel, x, x, x, y, get_color("data"), markersize=size)
            # The number on the side that no line comes from
            number = Quantity(rates[y][1], kind, decimals=decimals).format().value
            if x > start - CLOSE:
                label_end(panel, number, x, y, 1)
            elif x > 0.2 * most:
                label_end(panel, number, x, y, -1)
            else:  # above the line, because the names are on the left
                panel.annotate(
                    number, (x, y), (5, 3), textcoords="offset points", color=get_color("text"),
                    annotation_clip=False,
                )  # fmt: skip
        return frame.ax


def _name_line(place: int) -> str:
    """Return a letter, and after Z a number.

    >>> _name_line(0), _name_line(26)
    ('A', '27')
    """
    return chr(ord("A") + place) if place < 26 else str(place + 1)
