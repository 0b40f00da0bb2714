"""Count the produced deals by hand type, of `level` or of HandType_ variables, and report the numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.actions.average import Average
from dealerkit.actions.base import Action, ProducedDeals, Report
from dealerkit.appearance.card import Card
from dealerkit.appearance.content import Chart, Note
from dealerkit.appearance.numbers import choose_share_decimals, format_count, format_level, format_share
from dealerkit.appearance.table import Column, Quantity, Table
from dealerkit.appearance.wording import join_words
from dealerkit.compiler.graph import OperationGraph
from dealerkit.errors import EvaluationError, NotYetError
from dealerkit.language import nodes
from dealerkit.language.checks import Program
from dealerkit.language.levels import find_hand_types, find_level_types
from dealerkit.statistics import Coverage, Estimate, Moments, proportion

if TYPE_CHECKING:
    import pandas as pd

NO_TYPE, SEVERAL_TYPES = "none of them", "several of them"


class TypeReport(Report):
    """Numbers of produced deals by hand type.

    Attributes
    ----------
    names : tuple of str
        Names of the hand types, in the order of the script.
    counts : ndarray of int64 [shape=(n_types,)]
        Number of produced deals of each type.
    n_without, n_several : int
        Number of produced deals of no type, and of several types; both 0 with `level`.
    natural : tuple of Estimate, or None
        With `level`, the natural share of each type among all deals that meet the condition and belong to a
        type, if it was measured.
    outside : Estimate or None
        With `level`, the share of deals of no type, which are never dealt, among all that meet the condition.
    """

    def __init__(
        self,
        label: str,
        names: Sequence[str],
        counts: np.ndarray,
        others: tuple[int, int],
        confidence: float,
        is_levelled: bool = False,
    ) -> None:
        self.is_levelled = is_levelled
        self.label, self.expression, self.names = label, "", tuple(names)
        self.counts, self.confidence = counts, confidence
        self.n_without, self.n_several = others
        self.n = int(counts.sum()) + sum(others)
        self.natural: tuple[Estimate, ...] | None = None
        self.outside: Estimate | None = None

    def set_samples(self, samples: frozenset[str]) -> None:
        super().set_samples(samples)
        if self.natural is not None:
            self.natural = tuple(replace(share, samples=samples) for share in self.natural)

    @property
    def shares(self) -> tuple[Estimate, ...]:
        """The share of each type among the produced deals; exact with `level`, which sets it."""
        if self.is_levelled and self.n:
            return tuple(Estimate.exactly(Fraction(int(count), self.n), self.n) for count in self.counts)
        shares = (proportion(int(count), self.n, self.confidence) for count in self.counts)
        return tuple(replace(share, samples=self.samples) for share in shares)

    @property
    def weights(self) -> np.ndarray | None:
        """Natural share divided by share among the produced deals, float64 [n_types], nan without deals.

        None without `level`.
        """
        if self.natural is None:
            return None
        natural = np.array([share.value for share in self.natural])
        return np.divide(natural * self.n, self.counts, np.full(len(natural), np.nan), where=self.counts > 0)

    @property
    def charts(self) -> list[Chart]:
        """The plot of the shares."""
        return [Chart("shares", lambda ax: plot_types(self, ax), find_height(self))]

    def card(self) -> Card:
        title = f"Deals by {self.title}"
        if not self.n:
            return Card.empty(title)
        outside = self.outside
        return Card(
            title,
            population=[format_count(self.n, "deal")],
            tables=[self._build_table()],
            charts=self.charts,
            notes=[_describe_outside(outside)] if outside is not None and outside.value else [],
            is_part=True,
        )

    def _build_table(self) -> Table:
        """Return a table with a row for each type: deals and share, with `level` also natural and weight."""
        counts, natural, weights = self.counts.tolist(), self.natural, self.weights
        columns = [Column("type", kind="name"), Column("deals", kind="count")]
        columns.append(Column("share", kind="share", decimals=2 if self.is_levelled else None))
        shares = [share.value if self.is_levelled else share for share in self.shares]
        rows: list[list[Any]] = [list(row) for row in zip(self.names, counts, shares, strict=True)]
        if natural is not None and weights is not None:
            columns += [
                Column("natural", "natural share", "share"),
                Column("weight", digits=4, missing="–"),
            ]
            for row, count, share, weight in zip(rows, counts, natural, weights.tolist(), strict=True):
                row += [share, weight if count else None]
        for name, count in ((NO_TYPE, self.n_without), (SEVERAL_TYPES, self.n_several)):
            if count:
                rows.append([name, count, count / self.n, *[None] * (len(columns) - 3)])
        return Table(columns, rows)

    @property
    def frame(self) -> pd.DataFrame:
        """A row for each type: deals, share, lo, hi; with `level` natural, natural_lo, natural_hi and weight.

        With `level` the share is set, so it has no lo and hi. Natural shares and weights are missing if they
        were not measured.
        """
        import pandas as pd

        columns: dict[str, object] = {
            "deals": self.counts,
            "share": [share.value for share in self.shares],
        }
        if not self.is_levelled:
            columns |= {"lo": [share.lo for share in self.shares], "hi": [share.hi for share in self.shares]}
        if self.natural is not None:
            columns |= {
                "natural": [share.value for share in self.natural],
                "natural_lo": [share.lo for share in self.natural],
                "natural_hi": [share.hi for share in self.natural],
                "weight": self.weights,
            }
        return pd.DataFrame(columns, index=pd.Index(self.names, name="type"))


def _describe_outside(outside: Estimate) -> Note:
    """Return a sentence about deals of no type, with their share among all that meet the condition."""
    about = "" if outside.exact else "about "
    return about, Quantity(outside, "share"), " of the deals belong to none of the types and are not dealt"


class TypeCounter(Action):
    """A counter of the produced deals by hand type.

    Parameters
    ----------
    label : str
        Title of the report.
    names : sequence of str
        Names of the hand types.
    values : sequence of Expression
        A condition for each type, which is true for its deals.
    graph : OperationGraph
        The graph that the conditions are added to.
    averages : sequence of int
        With `level`, slots of values whose moments are accumulated for each type.
    is_levelled : bool
        Whether the script has `level`: a deal that does not belong to exactly one type is then an error.
    """

    name, accumulated = "level", ("counts", "others", "moments")

    def __init__(
        self,
        label: str,
        names: Sequence[str],
        values: Sequence[nodes.Expression],
        graph: OperationGraph,
        averages: Sequence[int] = (),
        is_levelled: bool = False,
    ) -> None:
        self.names, self.averages, self.is_levelled = tuple(names), tuple(averages), is_levelled
        super().__init__(nodes.Action(self.name, tuple(values), label), graph)

    @property
    def columns(self) -> list[tuple[str, int]]:
        """The types of `level` as columns of a frame; variables are columns already."""
        return list(zip(self.names, self.slots, strict=True)) if self.is_levelled else []

    def reset(self) -> None:
        self.counts = np.zeros(len(self.names), np.int64)
        self.others = np.zeros(2, np.int64)
        self.moments = [[Moments() for _ in self.names] for _ in self.averages]

    def update(self, produced: ProducedDeals) -> None:
        if not len(produced):
            return
        truths = np.stack([produced.values(slot) != 0 for slot in self.slots])
        n_types = truths.sum(axis=0)
        if self.is_levelled and (n_types != 1).any():
            row = int((n_types != 1).argmax())
            labels = [f'"{name}"' for name, true in zip(self.names, truths[:, row], strict=True) if true]
            names = join_words(labels)
            (deal,) = produced.deals[row : row + 1].to_pbn()
            message = describe_overlap(f"hand types {names}", f"as in the deal {deal}")
            raise EvaluationError(message, produced.find_batch_row(row))
        self.counts += truths[:, n_types == 1].sum(axis=1)
        self.others += [(n_types == 0).sum(), (n_types > 1).sum()]
        for slot, moments in zip(self.averages, self.moments, strict=True):
            values = produced.values(slot)
            for rows, own in zip(truths, moments, strict=True):
                own.update(values[rows])

    def merge(self, other: Action) -> None:
        assert isinstance(other, TypeCounter)
        super().merge(other)
        self.counts = self.counts + other.counts
        self.others = self.others + other.others

    def report(self, confidence: float, coverage: Coverage = "sample") -> TypeReport:
        n_without, n_several = self.others.tolist()
        others = n_without, n_several
        return TypeReport(self.label or "", self.names, self.counts, others, confidence, self.is_levelled)


def describe_overlap(types: str, share: str) -> str:
    """Return the message about hand types that overlap, with a remedy."""
    return (
        f"{types} overlap, {share}; a deal must belong to one type only: begin one where the other ends, "
        "or add `and not (...)` with the expression of the other"
    )


def create_type_counters(
    program: Program, graph: OperationGraph, actions: Sequence[Action]
) -> tuple[TypeCounter, ...]:
    """Return the counters for a script's `level` and for its HandType_ and LevelType_ variables."""
    if not program.script.rules.modern_syntax:
        return ()
    counters = []
    if program.level is not None:
        types = program.level.types
        averages = [action.slots[0] for action in actions if isinstance(action, Average)]
        names, values = [item.label for item in types], [item.value for item in types]
        counters.append(TypeCounter("hand types", names, values, graph, averages, True))
    for title, found in (
        ("HandType_ variables", find_hand_types(program.definitions)),
        ("LevelType_ variables", find_level_types(program.definitions)),
    ):
        names, variables = [item.name for item in found], [nodes.Name(item.variable) for item in found]
        if found and all(_is_countable(variable, graph) for variable in variables):
            counters.append(TypeCounter(title, names, variables, graph))
    return tuple(counters)


def _is_countable(variable: nodes.Name, graph: OperationGraph) -> bool:
    """Return whether a variable has a value for every deal, which is the same at each use."""
    try:
        slot = graph.add_expression(variable)
    except NotYetError:
        return False
    return graph.operations[slot].total and not graph.has_kind([slot], "random")


def find_height(report: TypeReport) -> float:
    """Return the height of the plot in inches."""
    return 1.7 + (0.5 if report.natural is not None else 0.36) * len(report.names)


def plot_types(report: TypeReport, ax: Any = None) -> Any:
    """Plot the share of each hand type, and with `level` also its natural share with the interval.

    Parameters
    ----------
    report : TypeReport
        The numbers of deals.
    ax : matplotlib Axes, optional
        Axes to plot into; by default those of a new figure.

    Returns
    -------
    matplotlib Axes
        The axes of the plot.
    """
    from dealerkit.charts.panels import open_frame
    from dealerkit.charts.style import get_color, get_share

    with open_frame(ax, height=find_height(report)) as frame:
        n_types, is_levelled = len(report.names), report.natural is not None
        estimates = report.natural or report.shares
        has_intervals = not all(estimate.exact for estimate in estimates)
        parts = [format_count(report.n, "deal")]
        parts += [f"{format_level(report.confidence)} intervals"] if has_intervals else []
        parts += ["filled: as dealt by level; open: natural shares among all deals"] if is_levelled else []
        frame.write(f"Deals by {report.title}", "share of deals", "; ".join(parts) + ".")
        (panel,) = frame.add_panels()
        y, data, rule = np.arange(n_types), get_color("data"), get_color("rule")
        height = 0.36 if is_levelled else 0.6
        share = np.array([100 * estimate.value for estimate in report.shares])
        panel.barh(y - (height / 2 if is_levelled else 0), share, height, color=data, alpha=get_share("bar"))
        middle = y + height / 2 if is_levelled else y
        if is_levelled:
            natural = [100 * item.value for item in estimates]
            panel.barh(middle, natural, height, facecolor="none", edgecolor=rule, linewidth=1)
        estimated = [item for item in estimates if not item.exact]
        decimals = choose_share_decimals([item.lo for item in estimated], [item.hi for item in estimated])
        for item, row in zip(estimates, middle, strict=True):
            if not item.exact:
                panel.plot([100 * item.lo, 100 * item.hi], [row, row], color=get_color("text"), linewidth=1.4)
            text = format_share(item.value, item.lo, item.hi, decimals, exact=item.exact).value
            panel.annotate(
                text, (100 * max(item.value, item.hi), row), (5, 0), textcoords="offset points",
                va="center_baseline", color=get_color("text"), annotation_clip=False,
            )  # fmt: skip
        frame.name_rows(panel, report.names)
        frame.scale(panel.xaxis, 0, max([*share, *(100 * item.hi for item in estimates)]), unit=" %")
        return frame.ax
