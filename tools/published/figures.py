"""A published figure beside ours, and the rule by which they agree."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from dealerkit import Estimate

Z = 1.959963984540054  # of a 95 % interval


@dataclass(frozen=True)
class Item:
    """Published figures of one source.

    Parameters
    ----------
    id, title, rule, source : str
        What the figures are, how ours are computed, and who published them; Markdown.
    published : dict of str to str
        Each figure as printed by the source, such as ``"8.03 %"``.
    n : int, or dict of str to int, or None
        Deals of the published sample, for all figures or for each; None if unknown, 0 if there is none.
    why : dict of str to str
        For figures that differ: the reason.
    """

    id: str
    title: str
    rule: str
    source: str
    published: Mapping[str, str]
    n: int | Mapping[str, int] | None = None
    why: Mapping[str, str] = field(default_factory=dict)

    def deals(self, name: str) -> int | None:
        """Return the number of deals of the published figure, or None."""
        return self.n.get(name) if isinstance(self.n, Mapping) else self.n


def read_items() -> list[Item]:
    """Return the items of figures.toml."""
    with (Path(__file__).parent / "figures.toml").open("rb") as file:
        entries = tomllib.load(file)["item"]
    return [
        Item(**{k: v.strip() if isinstance(v, str) else v for k, v in entry.items()}) for entry in entries
    ]


def read_published(text: str) -> tuple[Fraction, Fraction]:
    """Return a printed number and half a unit of its last digit.

    >>> read_published("8.03 %") == (Fraction(803, 10_000), Fraction(5, 100_000))
    True
    """
    digits = text.removesuffix("%").strip().replace(",", "").replace("−", "-")
    decimals = len(digits.partition(".")[2])
    scale = 100 if text.endswith("%") else 1
    return Fraction(digits) / scale, Fraction(1, 2 * 10**decimals * scale)


def agrees(text: str, ours: Estimate, deals: int | None = None) -> bool:
    """Return whether a published figure agrees with ours.

    The two may differ by the rounding of the published figure, and by 1.96 standard errors of the difference.
    Its square is the sum of the squares of both standard errors; that of the published figure follows from
    ours by the numbers of deals. A figure may be a limit, ``"< 50 %"``, beyond which is our whole interval,
    or a range, ``"1 to 1.25"``, that our interval touches.
    """
    if text[0] in "<>":
        limit = float(read_published(text[1:].strip())[0])
        return ours.hi < limit if text[0] == "<" else ours.lo > limit
    if " to " in text:
        low, high = (float(read_published(part)[0]) for part in text.split(" to "))
        return ours.hi >= low and ours.lo <= high
    published, rounding = read_published(text)
    if ours.exact and deals is None:
        number = Fraction(ours.value) if ours.fraction is None else ours.fraction
        return abs(published - number) <= rounding
    distance = float(published) - ours.value
    own = (ours.hi - ours.value) if distance > 0 else (ours.value - ours.lo)
    if ours.exact:  # the published figure is a share of a sample
        other = Z * math.sqrt(ours.value * (1 - ours.value) / deals)
    else:
        other = Z * ours.se * math.sqrt(ours.n / deals) if deals else 0.0
    return abs(distance) <= float(rounding) + math.hypot(own, other)


def find_chance_limit(text: str, ours: Estimate) -> int:
    """Return the size of a published sample below which a figure that differs from ours would agree."""
    published, rounding = read_published(text)
    distance = float(published) - ours.value
    own = (ours.hi - ours.value) if distance > 0 else (ours.value - ours.lo)
    needed = math.sqrt((abs(distance) - float(rounding)) ** 2 - own**2)
    return int(ours.n * (Z * ours.se / needed) ** 2)


def format_ours(text: str, ours: Estimate) -> str:
    """Return our figure in the unit of the published one, a digit more where it is exact."""
    unit, scale = (" %", 100) if text.endswith("%") else ("", 1)
    decimals = (
        1 if text[0] in "<>" or " to " in text else len(text.removesuffix("%").strip().partition(".")[2])
    )
    if ours.exact:
        if ours.fraction is not None and ours.fraction.denominator == 1 and not unit:
            return f"{ours.fraction.numerator:,}"
        return f"{scale * ours.value:,.{decimals + 1}f}{unit}"
    low, high = scale * (ours.value - ours.lo), scale * (ours.hi - ours.value)
    digits = max(decimals, 1 - math.floor(math.log10((low + high) / 2)))
    if abs(low - high) > 0.1 * (low + high):
        ends = f"{scale * ours.lo:.{digits}f} to {scale * ours.hi:.{digits}f}"
        return f"{scale * ours.value:.{digits}f} ({ends}){unit}"
    return f"{scale * ours.value:.{digits}f} ± {(low + high) / 2:.{digits}f}{unit}"


def judge(item: Item, ours: Mapping[str, Estimate]) -> dict[str, bool]:
    """Return for each figure of an item whether it agrees."""
    return {name: agrees(text, ours[name], item.deals(name)) for name, text in item.published.items()}


def render_item(item: Item, ours: Mapping[str, Estimate]) -> str:
    """Return the section of an item as Markdown."""
    verdicts = judge(item, ours)
    missing = [name for name, good in verdicts.items() if not good and name not in item.why]
    if missing:
        rows = [
            f"{name}: {item.published[name]} and {format_ours(item.published[name], ours[name])}"
            for name in missing
        ]
        raise ValueError(f"{item.id} differs without a reason: {'; '.join(rows)}")
    lines = [f"### {item.id}: {item.title}", "", item.rule, "", f"Published: {item.source}.", ""]
    lines += ["| | published | dealerkit | verdict |", "|---|--:|--:|---|"]
    for name, text in item.published.items():
        verdict = "agrees"
        if not verdicts[name]:
            verdict = f"**differs**: {item.why[name]}"
            if item.deals(name) is None and not ours[name].exact:
                limit = float(f"{find_chance_limit(text, ours[name]):.2g}")
                verdict += f". This could be chance in a sample of fewer than {limit:,.0f} such deals"
        lines.append(f"| {name} | {text} | {format_ours(text, ours[name])} | {verdict} |")
    return "\n".join(lines) + "\n"
