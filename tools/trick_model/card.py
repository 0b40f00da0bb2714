"""The tables of the model card: errors, reliability of chances, and solves saved, on held-out deals."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

import dealerkit as dk
from dealerkit.doubledummy.trick_model.network import load_weights, prepare_weights
from dealerkit.doubledummy.trick_model.predictions import HELD_OUT, find_part, predict
from trick_model.populations import POPULATIONS, load_population

STRATA = 12
N_STRAINS, NOTRUMP = 5, 4
QUESTIONS = (  # title, strains, cards in the fit, fewest and most points of the side, tricks
    ("suit, eight-card fit, 21-26 points: ten tricks", "suits", 8, 21, 26, 10),
    ("suit, eight-card fit, 24-26 points: ten tricks", "suits", 8, 24, 26, 10),
    ("spades, eight-card fit, 21-26 points: 4S", "spades", 8, 21, 26, 10),
    ("suit, eight or more cards, 28-32 points: twelve tricks", "suits", None, 28, 32, 12),
    ("notrump, 23-27 points: 3NT", "notrump", None, 23, 27, 9),
    ("notrump, 25 points: 3NT", "notrump", None, 25, 25, 9),
    ("notrump, 20-22 points: 1NT", "notrump", None, 20, 22, 7),
)


class Cells:
    """Deals with predictions in all strains and by all declarers.

    A *cell* is a deal, a strain and a declarer. All arrays have the shape [n, 5, 4]: `tricks` and `expected`,
    `points` and `fit` of declarer's side;
    `at_least` has a further axis of 14.
    """

    def __init__(self, deals: dk.Deals, path: Path | None = None) -> None:
        weights = load_weights()
        if path is not None:
            with np.load(path) as stored:
                weights = prepare_weights(dict(stored))
        n = len(deals)
        self.tricks = deals.tables
        self.at_least = np.empty((n, 5, 4, 14), np.float32)
        for strain, declarer in np.ndindex(5, 4):
            self.at_least[:, strain, declarer] = predict(deals, strain, declarer, weights).at_least
        self.expected = self.at_least[..., 1:].sum(axis=-1)
        cards = deals.to_cards().reshape(n, 4, 4, 13)
        points = cards[..., :4].sum(axis=2) @ np.array([4, 3, 2, 1])
        side = points + np.roll(points, 2, axis=1)
        self.points = np.repeat(side[:, None, :], N_STRAINS, axis=1)
        lengths = cards.sum(axis=3).transpose(0, 2, 1)
        self.fit = np.zeros((n, 5, 4), np.int64)
        self.fit[:, :4] = lengths + np.roll(lengths, 2, axis=2)


def describe_errors(tricks: np.ndarray, expected: np.ndarray) -> str:
    """Return a line of the table of errors: cells, variance explained, sd, mean, exact, within one."""
    error = expected - tricks
    distance = np.abs(np.rint(expected) - tricks)
    explained = 1 - (error**2).mean() / tricks.var()
    return (
        f"{len(tricks):,} | {explained:.3f} | {error.std():.3f} | {error.mean():+.3f} | "
        f"{100 * (distance == 0).mean():.1f} % | {100 * (distance <= 1).mean():.1f} % |"
    )


def list_groups(cells: Cells) -> Iterator[tuple[str, np.ndarray]]:
    """Return the groups of cells of the table of errors, with their masks [n, 5, 4]."""
    in_suit = np.arange(N_STRAINS)[:, None] < NOTRUMP
    everywhere = np.ones(cells.tricks.shape, bool)
    yield "suits", everywhere & in_suit
    for number, name in enumerate(("spades", "hearts", "diamonds", "clubs", "notrump")):
        yield name, everywhere & (np.arange(N_STRAINS)[:, None] == number)
    for low, high in ((0, 6), (7, 7), (8, 8), (9, 9), (10, 13)):
        name = f"{low} cards" if low == high else f"{low} cards or more" if low == 10 else "6 cards or fewer"
        yield f"suits, fit of {name}", (cells.fit >= low) & (cells.fit <= high) & in_suit
    for low, high in ((0, 16), (17, 20), (21, 26), (27, 32), (33, 40)):
        for kind, mask in (("suits", in_suit), ("notrump", ~in_suit)):
            yield (
                f"{kind}, side of {low} to {high} points",
                (cells.points >= low) & (cells.points <= high) & mask,
            )


def measure_errors(cells: Cells) -> list[str]:
    """Return the table of errors."""
    lines = [
        "| held-out deals | cells | variance explained | sd of error | mean error | exact | within one |"
    ]
    lines.append("|---|---|---|---|---|---|---|")
    for name, mask in list_groups(cells):
        lines.append(f"| {name} | {describe_errors(cells.tricks[mask], cells.expected[mask])}")
    return lines


def measure_reliability(cells: Cells) -> list[str]:
    """Return the table of chances: what was predicted and how often it happened."""
    edges = [0, 0.02, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.98, 1]
    lines = ["| predicted chance | 4S 4H: cells | predicted | happened | 3NT: cells | predicted | happened |"]
    lines.append("|---|---|---|---|---|---|---|")
    games = [
        (cells.at_least[:, strains, :, tricks].ravel(), (cells.tricks[:, strains] >= tricks).ravel())
        for strains, tricks in ((slice(0, 2), 10), (slice(4, 5), 9))
    ]
    for low, high in zip(edges, edges[1:], strict=False):
        line = f"| {100 * low:.0f} % to {100 * high:.0f} % |"
        for chance, happened in games:
            mask = (chance >= low) & (chance < high if high < 1 else chance <= 1)
            line += (
                f" {mask.sum():,} | {100 * chance[mask].mean():.1f} % | {100 * happened[mask].mean():.1f} % |"
            )
        lines.append(line)
    return lines


def stratified_ratio(chance: np.ndarray, makes: np.ndarray) -> float:
    """Return the variance of a stratified mean with Neyman allocation, plain sampling = 1.

    Strata by predicted chance p, each with the same sum of the square roots of p(1 - p), about as T. Dalenius
    and J. Hodges advise (Cochran, Sampling Techniques, 5A.7); the variance from the truth in each.
    """
    order = np.argsort(chance)
    mass = np.cumsum(np.sqrt(chance * (1 - chance))[order].astype(np.float64))
    stratum = np.minimum((mass / mass[-1] * STRATA).astype(int), STRATA - 1)
    weighted = sum(
        (stratum == k).mean() * makes[order][stratum == k].std()
        for k in range(STRATA)
        if (stratum == k).any()
    )
    return float(weighted**2 / makes.var())


def measure_savings(cells: Cells) -> list[str]:
    """Return the table of the solves that a study needs, plain sampling = 1."""
    lines = [
        "| question | cells | mean tricks | makes, control variate | makes, strata |",
        "|---|---|---|---|---|",
    ]
    for title, strains, fit, low, high, tricks in QUESTIONS:
        chosen = {"suits": slice(0, 4), "spades": slice(0, 1), "notrump": slice(4, 5)}[strains]
        part = (slice(None), chosen, slice(2, 4))  # south for north-south, west for east-west
        mask = (cells.points[part] >= low) & (cells.points[part] <= high)
        if fit is not None:
            mask &= cells.fit[part] == fit
        elif strains != "notrump":
            mask &= cells.fit[part] >= 8
        truth, expected = cells.tricks[part][mask], cells.expected[part][mask]
        chance, makes = cells.at_least[part][mask][:, tricks], truth >= tricks
        lines.append(
            f"| {title} | {len(truth):,} | {(truth - expected).var() / truth.var():.3f} | "
            f"{(makes - chance).var() / makes.var():.3f} | {stratified_ratio(chance, makes):.3f} |"
        )
    return lines


def measure_populations(path: Path | None = None) -> list[str]:
    """Return the table of unusual deals: errors by all declarers, and the solves for north's longest fit.

    The interval of a mean error is that of the means of the deals, each of which has twenty cells.
    """
    lines = [
        "| 700 deals each | sd, suits | mean error, suits | sd, notrump | mean error, notrump "
        "| largest error | mean tricks | makes, strata |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name in POPULATIONS:
        cells = Cells(load_population(name, "held out"), path)
        error = cells.expected - cells.tricks
        columns = [name]
        for part in (error[:, :NOTRUMP].reshape(len(error), -1), error[:, NOTRUMP]):
            of_deals = part.mean(axis=1)
            half = 1.96 * of_deals.std(ddof=1) / np.sqrt(len(of_deals))
            columns += [f"{part.std():.3f}", f"{of_deals.mean():+.3f} ± {half:.3f}"]
        truth, expected, at_least = take_longest_fit(cells)
        needed = int(np.median(truth))
        ratio = (truth - expected).var() / truth.var()
        strata = stratified_ratio(at_least[:, needed], truth >= needed)
        columns += [f"{abs(error).max():.1f}", f"{ratio:.3f}", f"{strata:.3f}"]
        lines.append(f"| {' | '.join(columns)} |")
    return lines


def take_longest_fit(cells: Cells) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return tricks, expected tricks and chances [n, 14] of north in the longest suit of north-south."""
    rows, strain = np.arange(len(cells.tricks)), cells.fit[:, :NOTRUMP, 0].argmax(axis=1)
    return cells.tricks[rows, strain, 0], cells.expected[rows, strain, 0], cells.at_least[rows, strain, 0]


def format_card(deals: dk.Deals, path: Path | None = None) -> str:
    """Return the tables of the card, in Markdown, measured on the held-out ones of some solved deals."""
    cells = Cells(deals[find_part(deals) == HELD_OUT], path)
    tables = (
        measure_errors(cells), measure_reliability(cells), measure_savings(cells), measure_populations(path)
    )  # fmt: skip
    return "\n\n".join("\n".join(lines) for lines in tables)
