"""docs/reference/evaluators.md agrees with the registry; ``python tests/evaluators/test_evaluators_page.py`` writes the page."""

from __future__ import annotations

import re
from pathlib import Path

import dealerkit as dk
import dealerkit.language.functions  # noqa: F401  (it fills the registry)
from dealerkit import registry
from dealerkit.registry import Function

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "evaluators.md"
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

This page lists all evaluators of a hand or a side in dealerkit, with their values for the same cards. It is made from the program itself;
`dk.functions` has the same content as a DataFrame. You can use each evaluator as

- a function in scripts and in `deals.eval`: `hcp(north)`, `losers(south, hearts)`, `bergen(NS)`, `zar(NS, spades)`, `opc(EW, notrump)`;
- a column of `deals.to_frame("fifths", "opc")` and of `deals.sides("hcp", "zar", strain="best major", tricks=True)`;
- an argument of `dk.evaluate(deals, "zar", side="NS", suit="spades")`;
- an argument of a comparison: `dk.compare(["hcp", "zar", "losers"], strain="best major")` ([Which hand evaluator is best?](../howto/comparison.md)).

The column "pair" shows how to combine the values of two partners: `sum` means that you add them, and `24 - sum` that 24 minus the sum is an
estimate of their tricks. It is empty if the values do not add up. Ranges are for one hand, or for a side, in the unit of the evaluator.

Some programs compute an evaluator differently from what its author meant. Such an evaluator has variants: `intended`, the default, and
`coded`, as DealerV2 computes it, which is the default in scripts of that dialect. The Four C's also have `v1`, as dealer computes them. The
examples on this page are `intended`.

The article on the Four C's says "discount the first doubleton". The variant `intended` of `cccc` discounts the first distribution point of any
kind, as dealer does and as the calculators of R. Pavlicek and J. Goldsmith do, whose values it reproduces
([Published values](published-values.md)). `coded`, DealerV2's reading, discounts a doubleton only: about a quarter of all hands, those with
a void or singleton and no doubleton, count 1.00 more. `v1`, dealer's count, differs for doubleton queens, for tens in suits of seven cards or
more, and for some nines. `knr(side)` is DealerV2's count with the fit, and follows DealerV2's reading.

Point counts of a side take a seat, too: `bergen(north)` is north's share of the count, which depends on the fit and so on partner's cards. To
count one hand before the auction, use `bergenopening`, `gorenopening`, `karpinopening`, `pavlicekopening` or `zaropening` (or
`zarbasic(north)`, which has deductions for short honours); for Kaplan and Rubens, use `cccc`.

The examples are these hands; "E1 N" is north's hand of the first:

| example | north or east | south or west | description |
|---|---|---|---|
"""
REMARKS = {
    "E1": "north-south, a 6-3 fit in spades",
    "E2": "east-west of the same deal, a 4-5 fit in hearts",
    "E3": "three 4-4 fits, the same singleton",
    "E4": "no fit of eight cards",
}
GROUPS = {
    "Of one suit, or of a hand": "Without a suit, the value is that of the whole hand, the sum over its suits. The examples of `quality` are for spades.",
    "Of a hand": "These evaluators are not sums over suits: shape, rules for opening, the Four C's.",
    "Of a side": "",
    "Of a side in a strain": (
        "The values are those in the strain of the second argument or, without one, in the best fit of the two hands. With a seat, as in "
        "`zar(north, spades)`, the value is the share of that hand."
    ),
}
TAIL = """
## By number

DealerV2 has numbered metrics: `usereval(tag, side, slot)` is one of the 128 slots of a tag. All slots of a tag are computed together. The
tags {several} have slots of several point counts; the table has the others.

| tag | function | | tag | function |
|---|---|---|---|---|
{tags}

## Your own

A vectorised function of your own becomes a function of the language, a column of frames, an evaluator for `dk.compare` and, with a free
tag, a metric of `usereval`:

```python
@dk.function(args=["side"], outputs=("total", "adj"), tag=60, source="our notes")
def mine(deals, side):
    "points of both hands, twice if they have nine spades"
    points = dk.evaluate(deals, "hcp", seat=side) + dk.evaluate(deals, "hcp", seat=side + 2)
    has_nine = dk.evaluate(deals, "fit", side=side, suit="spades") >= 9
    return {{"total": points + points * has_nine, "adj": points * has_nine}}


deals.eval("mine(NS).adj + usereval(60, EW, 1)")  # each side is computed once
```

If the function is a sum over the suits, you can declare what each holding adds, as a table over the holdings 0 to 8191, in which bit 12 is
the ace and bit 0 the deuce. Probabilities are then exact, and hands that meet a condition on the function are sampled directly.

```python
@dk.function(args=["seat"], low=0, high=3, holding_table=(np.arange(8192) == 0).astype(int))
def voids(deals, seat):
    "number of voids"
    return sum((deals.hand(seat) >> 16 * lane & 0x1FFF == 0).astype(int) for lane in range(4))


dk.probability("voids(north) >= 1")  # 0.0510655 (exact)
```
"""


def group_of(function: Function) -> str | None:
    """Return the heading of a function, or None if it is not an evaluator."""
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


def example(function: Function, deals: dk.Deals, **arguments: str) -> str:
    if "suit" in function.arguments:
        arguments["suit"] = "spades"
    return number(float(dk.evaluate(deals, function.name, **arguments)[0]))


def variants(functions: list[Function]) -> str:
    """Return a line with the functions that have variants."""
    names: dict[tuple[str, ...], list[str]] = {}
    for function in functions:
        if function.variants:
            names.setdefault(function.variants, []).append(f"`{function.name}`")
    lines = [f"{', '.join(words)} ({', '.join(group)})" for group, words in names.items()]
    return f"Evaluators with variants: {'; '.join(lines)}." if lines else ""


def table(functions: list[Function]) -> list[str]:
    """Return the lines of a table of functions."""
    of_sides = "side" in functions[0].arguments[0]
    columns = list(SIDES if of_sides else SHOWN)
    pairs = {name: deals_of(*seats) for name, seats in SIDES.items()}
    rows = [
        f"| function | description | range | {'' if of_sides else 'pair | '}{' | '.join(columns)} | source |",
        "|---|---|---|" + ("" if of_sides else "---|") + "--:|" * len(columns) + "---|",
    ]
    for function in functions:
        if of_sides:
            values = [example(function, pairs[name], side="NS") for name in columns]
        else:
            seats = [("north" if name[3] in "NE" else "south") for name in columns]
            values = [
                example(function, pairs[name[:2]], seat=seat)
                for name, seat in zip(columns, seats, strict=True)
            ]
        aliases = (
            f" (also {', '.join(f'`{alias}`' for alias in function.aliases)})" if function.aliases else ""
        )
        bounds = f"{number(function.low or 0)} to {number(function.high or 0)} {function.unit}"
        description = function.summary.removesuffix("; for a seat, its share") + aliases
        pair = [] if of_sides else [function.combine]
        signature = f"`{function.signature.replace('|', ' or ')}`"  # a bar would end the cell
        rows.append(f"| {' | '.join([signature, description, bounds, *pair, *values, function.source])} |")
    return rows


def tags() -> tuple[str, list[str]]:
    """Return the tags of several point counts, and the rows of a table of the others."""
    names = {
        tag: function.name
        for function in registry.functions()
        for tag in function.tags
        if function.kind != "deal"
    }
    several = [str(tag) for tag in sorted(names) if names[tag] == "usereval"]
    single: dict[str, list[str]] = {}
    for tag in sorted(tag for tag in names if names[tag] != "usereval"):
        letter = f"'{chr(tag)}'" if tag >= 60 else str(tag)
        single.setdefault(names[tag], []).append(letter)
    cells = [f"{' or '.join(numbers)} | `{name}`" for name, numbers in single.items()]
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
        functions = [function for function in registry.functions() if group_of(function) == heading]
        rows += ["", f"## {heading}", "", *([remark, ""] if remark else []), *table(functions)]
        rows += ["", line] if (line := variants(functions)) else []
    several, lines = tags()
    return "\n".join(rows) + "\n" + TAIL.format(several=several, tags="\n".join(lines))


def test_page_agrees_with_the_registry() -> None:
    assert PAGE.read_text(encoding="utf-8") == page()


def test_page_has_each_evaluator_with_its_source() -> None:
    rows = {
        match[1]: line
        for line in PAGE.read_text("utf-8").splitlines()
        if (match := re.match(r"\| `(\w+)\(", line))
    }
    evaluators = [function for function in registry.functions() if group_of(function)]
    assert len(evaluators) > 70 and {function.name for function in evaluators} == set(rows)
    for function in evaluators:
        assert function.source and rows[function.name].endswith(f"{function.source} |")
        assert function.unit and function.summary


def test_page_has_the_values_of_the_reference() -> None:
    """Losing tricks, quick tricks, controls and points of the examples."""
    rows = {
        line.split("`")[1].split("(")[0]: line
        for line in PAGE.read_text("utf-8").splitlines()
        if "| `" in line
    }
    for name, values in {
        "controls": ["3", "1", "5"],
        "losers": ["7", "8", "7"],
        "ltc": ["7", "8.5", "7.5"],
        "quicktricks": ["2", "0.5", "3"],
        "altt050": ["11.5", "6", "14.5"],
    }.items():
        assert [cell.strip() for cell in rows[name].split("|")][5:8] == values, name


def test_code_of_the_page_runs() -> None:
    code = re.search(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.S)
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
