"""Plots of the best contract by class: what each candidate loses, or the best one in a grid of classes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dealerkit.plots import BLUE, create_axes
from dealerkit.wording import shorten

if TYPE_CHECKING:
    from dealerkit.studies.standard_tables.contract_choice import BestContracts

TEXT, QUIET = "#1f2328", "#57606a"
COLOURS = (BLUE, "#c05600", "#1a968a", "#4d1f63", "#855400", "#7d8590", "#a80a1e")
TINT, WEAK_TINT = 0.45, 0.15


def plot_best_contracts(table: BestContracts, ax: Any = None) -> Any:
    """Plot a grid: a row for each value of `by`.

    Without further classes a column for each candidate shows its gain over the best one, which is tinted;
    those that the deals do not distinguish from it are tinted weakly. With further classes, a column for each
    shows the best contract, weakly tinted if it is not decided.

    Parameters
    ----------
    table : BestContracts
    ax : matplotlib Axes, optional
        Axes of the plot; by default of a new figure.

    Returns
    -------
    matplotlib Axes
    """
    if table.classes is None:
        columns, cells = list(table.candidates), _list_candidates(table)
        about = f"Gain of each contract over the best one, {table.unit} a side."
        tints = "\nWeakly tinted: not distinguished from the best."
    else:
        columns, cells = list(table.classes), _list_best(table)
        about = f"Best by mean {table.unit} a side."
        tints = "Weakly tinted: not decided by these deals."
    values = sorted({value for value, _ in cells})
    ax = create_axes(ax, max(4.8, 1.4 + 1.3 * len(columns)), 1.5 + 0.27 * len(values))
    ax.set_xlim(0, len(columns))
    ax.set_ylim(len(values), 0)
    for (value, column), (text, colour, tint, weight) in cells.items():
        x, y = columns.index(column), values.index(value)
        if tint:
            ax.fill([x, x + 1, x + 1, x], [y, y, y + 1, y + 1], color=colour, alpha=tint, linewidth=0)
        ax.text(
            x + 0.5, y + 0.5, text, ha="center", va="center", fontsize=9, fontweight=weight,
            color=TEXT if tint else QUIET,
        )  # fmt: skip
    ax.set_xticks([k + 0.5 for k in range(len(columns))], [shorten(name, 18) for name in columns])
    ax.xaxis.tick_top()
    ax.set_yticks([k + 0.5 for k in range(len(values))], [f"{value:g}" for value in values])
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    ax.set_ylabel(shorten(table.by, 40))
    confidence = f"{100 * table.confidence:g} % intervals together in each row"
    ax.set_xlabel(
        f"{about} {tints}\n{table.n_deals:,} deals, double dummy; {confidence}.",
        fontsize=8, color=QUIET, loc="left",
    )  # fmt: skip
    state = "vulnerable" if table.vulnerable else "not vulnerable"
    ax.set_title(
        f"Best contract by {shorten(table.by, 24)}, {state}", fontsize=11, fontweight="bold", loc="left"
    )
    return ax


def _list_candidates(table: BestContracts) -> dict[tuple[float, str], tuple[str, str, float, str]]:
    """Return text, colour, tint and weight of each value and candidate."""
    cells = {}
    for (value, contract), row in table.gains.iterrows():
        if contract == table.frame.contract[value]:
            cells[value, contract] = "best", BLUE, TINT, "bold"
        else:
            decimals = 0 if table.scoring == "points" else 1
            text = f"{table.scale * row.gain:+.{decimals}f}".replace("-", "\N{MINUS SIGN}")
            cells[value, contract] = text, BLUE, WEAK_TINT if row.gain_hi >= 0 else 0, "normal"
    return cells


def _list_best(table: BestContracts) -> dict[tuple[float, str], tuple[str, str, float, str]]:
    """Return text, colour, tint and weight of each value and class."""
    cells = {}
    for (name, value), row in table.frame.iterrows():
        colour = COLOURS[table.candidates.index(row.contract) % len(COLOURS)]
        tint, weight = (TINT, "bold") if row.decided else (WEAK_TINT, "normal")
        cells[value, name] = row.contract, colour, tint, weight
    return cells
