"""docs/evaluators.md is what the registry says. ``python tests/evaluators/test_evaluators_page.py`` writes it anew."""

from __future__ import annotations

import re
from pathlib import Path

import dealerkit as dk
import dealerkit.language.functions  # noqa: F401  (it fills the registry)
from dealerkit import registry
from dealerkit.registry import Function

PAGE = Path(__file__).parents[2] / "docs" / "evaluators.md"
HANDS = {
    "E1 N": "AKJT32.Q98.J98.9",
    "E1 S": "Q54.2.K6543.J432",
    "E2 E": "76.J743.A2.KQ765",
    "E2 W": "98.AKT65.QT7.AT8",
    "E3 N": "AJ73.2.KQ93.QJ42",
    "E3 S": "KQ84.3.AJ84.K983",
    "E4 N": "AQT94.KJ832.73.6",
    "E4 S": "J3.Q7.AKQ64.8742",
}
SIDES = {"E1": ("E1 N", "E1 S"), "E2": ("E2 E", "E2 W"), "E3": ("E3 N", "E3 S"), "E4": ("E4 N", "E4 S")}
SHOWN = ("E1 N", "E1 S", "E2 W", "E4 N")
HEAD = """# Evaluators

Every published way to measure a hand or a partnership that dealerkit knows, with its values for the same cards. Written from the
registry; `dk.functions` is the same as a DataFrame. Each is

- a word of a script and of `deals.eval`: `hcp(north)`, `losers(south, hearts)`, `bergen(NS)`, `zar(NS, spades)`, `opc(EW, notrump)`;
- a column of `deals.to_frame("fifths", "opc")` and of `deals.sides("hcp", "zar", strain="best major", tricks=True)`;
- an argument of `dk.evaluate(deals, "zar", side="NS", suit="spades")`;
- a candidate in a trial: `dk.compare(["hcp", "zar", "losers"], strain="best major")`.

"Pair" tells how the values of two hands make one of their side: `sum`, or tricks as a number less the sum; nothing where they do not
add up. Where a program computes something else than the author of a rule means, there are variants: `intended`, the default, `coded`
as DealerV2 has it, the default in scripts of that dialect, and for the Four C's `v1`; examples are as intended. Ranges are of one hand,
or of a side, in the unit named.

The examples:

| | north or east | south or west | |
|---|---|---|---|
"""
REMARKS = {
    "E1": "north-south, a 6-3 fit in spades",
    "E2": "east-west of the same deal, a 4-5 fit in hearts",
    "E3": "three 4-4 fits, the same singleton",
    "E4": "no fit of eight cards",
}
GROUPS = {
    "Of one suit, or of a hand": "Without a suit the value of the hand: the sum over its suits. `quality` is of spades in the examples.",
    "Of a hand": "What is not a sum over suits: shape, rules for opening, the Four C's.",
    "Of a side": "",
    "Of a side in a strain": (
        "In the strain that is named, or in the best fit of the two hands. Of a seat, as in `zar(north, spades)`, the share of that hand."
    ),
}
TAIL = """
## By number

`usereval(tag, side, slot)` gives the numbered metrics of DealerV2 as that program lays them out: 128 slots for each tag. All slots of
one tag are computed at once, those of {several} hold several counts together.

| tag | word | | tag | word |
|---|---|---|---|---|
{tags}

## Your own

A vectorised function becomes a word of the language, a column, a candidate in a trial, and with a free tag a number of `usereval`:

```python
@dk.function(args=["side"], outputs=("total", "adj"), tag=60, source="our notes")
def mine(deals, side):
    "points of both hands, and as many again where they have nine spades"
    points = dk.evaluate(deals, "hcp", seat=side) + dk.evaluate(deals, "hcp", seat=side + 2)
    nine = dk.evaluate(deals, "fit", side=side, suit="spades") >= 9
    return {{"total": points + points * nine, "adj": points * nine}}


deals.eval("mine(NS).adj + usereval(60, EW, 1)")  # each side is computed once
```
"""


def group_of(function: Function) -> str | None:
    """The heading under which a function stands; None if it is no evaluator."""
    first, *more = function.arguments or ("",)
    if function.kind not in ("hand", "side", "pair") or "card" in more or "integer" in function.arguments:
        return None
    kinds = {kind.rstrip("?") for kind in more}
    if "side" in first:
        return "Of a side in a strain" if "strain" in kinds else "Of a side"
    return "Of one suit, or of a hand" if kinds else "Of a hand"


def number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def deals_of(north: str, south: str) -> dk.Deals:
    return dk.deal(1, seed=1, predeal={"north": HANDS[north], "south": HANDS[south]})


def example(function: Function, deals: dk.Deals, **place: str) -> str:
    if "suit" in function.arguments:
        place["suit"] = "spades"
    return number(float(dk.evaluate(deals, function.name, **place)[0]))


def variants(functions: list[Function]) -> str:
    """A line on which of these have variants."""
    named: dict[tuple[str, ...], list[str]] = {}
    for one in functions:
        if one.variants:
            named.setdefault(one.variants, []).append(f"`{one.name}`")
    lines = [f"{', '.join(known)}: {', '.join(words)}" for known, words in named.items()]
    return f"Variants {'; '.join(lines)}." if lines else ""


def table(functions: list[Function]) -> list[str]:
    of_sides = "side" in functions[0].arguments[0]
    columns = list(SIDES if of_sides else SHOWN)
    pairs = {name: deals_of(*seats) for name, seats in SIDES.items()}
    rows = [
        f"| word | what | range | {'' if of_sides else 'pair | '}{' | '.join(columns)} | source |",
        "|---|---|---|" + ("" if of_sides else "---|") + "--:|" * len(columns) + "---|",
    ]
    for one in functions:
        if of_sides:
            values = [example(one, pairs[name], side="NS") for name in columns]
        else:
            seats = [("north" if name[3] in "NE" else "south") for name in columns]
            values = [
                example(one, pairs[name[:2]], seat=seat) for name, seat in zip(columns, seats, strict=True)
            ]
        also = f" (also {', '.join(f'`{alias}`' for alias in one.aliases)})" if one.aliases else ""
        extent = f"{number(one.low or 0)} to {number(one.high or 0)} {one.unit}"
        what = one.summary.removesuffix("; of a seat, its share") + also
        pair = [] if of_sides else [one.combine]
        word = f"`{one.signature.replace('|', ' or ')}`"  # a bar would end the cell
        rows.append(f"| {' | '.join([word, what, extent, *pair, *values, one.source])} |")
    return rows


def tags() -> tuple[str, list[str]]:
    """The tags of several counts, and rows of two columns of the others."""
    words = {tag: one.name for one in registry.functions() for tag in one.tags if one.kind != "deal"}
    several = [str(tag) for tag in sorted(words) if words[tag] == "usereval"]
    single: dict[str, list[str]] = {}
    for tag in sorted(tag for tag in words if words[tag] != "usereval"):
        letter = f"'{chr(tag)}'" if tag >= 60 else str(tag)
        single.setdefault(words[tag], []).append(letter)
    cells = [f"{' or '.join(known)} | `{word}`" for word, known in single.items()]
    half = (len(cells) + 1) // 2
    left, right = cells[:half], cells[half:] + ["| "] * (2 * half - len(cells))
    return ", ".join(several), [f"| {a} | | {b} |" for a, b in zip(left, right, strict=True)]


def page() -> str:
    examples = [
        f"| {name} | `{HANDS[first]}` | `{HANDS[second]}` | {REMARKS[name]} |"
        for name, (first, second) in SIDES.items()
    ]
    rows = [HEAD + "\n".join(examples)]
    for heading, remark in GROUPS.items():
        functions = [one for one in registry.functions() if group_of(one) == heading]
        rows += ["", f"## {heading}", "", *([remark, ""] if remark else []), *table(functions)]
        rows += ["", line] if (line := variants(functions)) else []
    several, lines = tags()
    return "\n".join(rows) + "\n" + TAIL.format(several=several, tags="\n".join(lines))


def test_the_page_is_what_the_registry_says() -> None:
    assert PAGE.read_text(encoding="utf-8") == page()


def test_every_evaluator_stands_there_with_its_source() -> None:
    rows = {
        match[1]: line for line in PAGE.read_text().splitlines() if (match := re.match(r"\| `(\w+)\(", line))
    }
    measures = [one for one in registry.functions() if group_of(one)]
    assert len(measures) > 70 and {one.name for one in measures} == set(rows)
    for one in measures:
        assert one.source and rows[one.name].endswith(f"{one.source} |") and one.unit and one.summary


def test_values_that_the_reference_prints() -> None:
    """Losing tricks, quick tricks, controls and points of the examples."""
    rows = {line.split("`")[1].split("(")[0]: line for line in PAGE.read_text().splitlines() if "| `" in line}
    for word, values in {
        "controls": ["3", "1", "5"],
        "losers": ["7", "8", "7"],
        "ltc": ["7", "8.5", "7.5"],
        "quicktricks": ["2", "0.5", "3"],
        "altt050": ["11.5", "6", "14.5"],
    }.items():
        assert [cell.strip() for cell in rows[word].split("|")][5:8] == values, word


def test_the_function_of_the_page_runs() -> None:
    code = re.search(r"```python\n(.*?)```", PAGE.read_text(), re.S)
    assert code
    deals = dk.deal(2_000, seed=1)
    try:
        exec(code[1], names := {"dk": dk, "deals": deals})  # noqa: S102
        adjusted = deals.eval("(fit(NS, spades) >= 9) * (hcp(north) + hcp(south))")
        assert (deals.eval("usereval(60, NS, 1)") == adjusted).all() and adjusted.any() and "mine" in names
    finally:
        registry.unregister("mine")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
