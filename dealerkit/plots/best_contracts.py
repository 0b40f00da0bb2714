"""Plots of the best contract by class: what each candidate loses, or the best one in a grid of classes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dealerkit.appearance.numbers import format_estimate
from dealerkit.appearance.wording import shorten
from dealerkit.charts.panels import Frame
from dealerkit.charts.style import get_color, use_style

if TYPE_CHECKING:
    from dealerkit.studies.standard_tables.contract_choice import BestContracts

COLOURS = ("data", "exact", "cat3", "cat4", "warn", "rest", "hearts")  # tokens
TINT, WEAK_TINT = 0.45, 0.12
CELL = 0.24  # height of a row in inches


def plot_best_contracts(table: BestContracts, ax: Any = None) -> Any:
    """Plot a grid: a row for each value of `by`.

    Without further classes a column for each candidate shows its gain over the best one, which is tinted;
    those that the deals do not distinguish from it are tinted weakly. With further classes, a column for each
    shows the best contract, weakly tinted if it is not decided.

    Parameters
    ----------
    table : BestContracts
    ax : matplotlib Axes, optional
        Axes in which the grid lies, as its ``child_axes``; by default of a new figure.

    Returns
    -------
    matplotlib Axes
    """
    if table.classes is None:
        columns, cells = list(table.candidates), _list_candidates(table)
        about = f"Gain of each contract over the best one, {table.unit} a side"
        tints = "Weakly tinted: not distinguished from the best."
    else:
        columns, cells = list(table.classes), _list_best(table)
        about, tints = f"The contract with the most {table.unit} a side", "Weakly tinted: not decided."
    values = sorted({value for value, _ in cells})
    with use_style(ax):
        frame = Frame(ax, max(4.8, 1.4 + 1.3 * len(columns)), CELL * len(values) + 1.75)
        state = "vulnerable" if table.vulnerable else "not vulnerable"
        frame.write(
            f"Best contract by {shorten(table.by, 24)}, {state}",
            about if table.where is None else f"{about}; {shorten(table.where, 50)}",
            f"{table.n_deals:,} deals, double dummy. {100 * table.confidence:g} % intervals, "
            f"together for all contracts of a class. {tints}",
        )
        names = [f"{value:g}" for value in values]
        (panel,) = frame.add_panels(left=0.3 + frame.measure(names), top=0.3, bottom=0.1)
        for (value, column), (text, colour, tint, weight) in cells.items():
            x, y = columns.index(column), values.index(value)
            if tint:
                panel.fill_between([x, x + 1], y, y + 1, color=get_color(colour), alpha=tint, linewidth=0)
            panel.text(
                x + 0.5, y + 0.5, text, ha="center", va="center", weight=weight,
                color=get_color("text" if tint else "quiet"),
            )  # fmt: skip
        panel.set_xlim(0, len(columns))
        panel.set_ylim(len(values), 0)
        panel.set_xticks([k + 0.5 for k in range(len(columns))], [shorten(name, 18) for name in columns])
        panel.xaxis.tick_top()
        panel.set_yticks([k + 0.5 for k in range(len(values))], names)
        panel.tick_params(length=0)
        panel.spines[:].set_visible(False)
        return frame.ax


def _list_candidates(table: BestContracts) -> dict[tuple[float, str], tuple[str, str, float, str]]:
    """Return text, token of the colour, tint and weight of each value and candidate."""
    cells = {}
    for (value, contract), row in table.gains.iterrows():
        if contract == table.frame.contract[value]:
            cells[value, contract] = "best", "data", TINT, "bold"
        else:
            ends = (table.scale * row.gain_lo, table.scale * row.gain_hi)
            text = format_estimate(table.scale * row.gain, *ends, sign=True).value
            cells[value, contract] = text, "data", WEAK_TINT if row.gain_hi >= 0 else 0, "normal"
    return cells


def _list_best(table: BestContracts) -> dict[tuple[float, str], tuple[str, str, float, str]]:
    """Return text, token of the colour, tint and weight of each value and class."""
    cells = {}
    for (name, value), row in table.frame.iterrows():
        colour = COLOURS[table.candidates.index(row.contract) % len(COLOURS)]
        tint, weight = (TINT, "bold") if row.decided else (WEAK_TINT, "normal")
        cells[value, name] = row.contract, colour, tint, weight
    return cells
