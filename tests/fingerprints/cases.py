"""Runs and other questions whose numbers are held by ``fingerprints.json``.

`RUNS` has a script and fields of `RunOptions` by the name of the case, and
`VALUES` a function without arguments that returns numbers, arrays, tables, estimates or texts made of cards.
"""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import dealerkit as dk

SCRIPTS = Path(__file__).parents[2] / "data" / "scripts"
SEATS = ("north", "east", "south", "west")
SUITS = ("spades", "hearts", "diamonds", "clubs")
STRAINS = (*SUITS, "notrump")
SIDES = ("NS", "EW")

RUNS: dict[str, dict[str, Any]] = {}
VALUES: dict[str, Callable[[], Any]] = {}
ALONE: dict[str, dict[str, Any]] = {}  # runs with functions of one's own, in a process of their own


def run(name: str, script: str, **options: Any) -> None:
    assert name not in RUNS, name
    RUNS[name] = {"script": script, "seed": 1, "threads": 1, **options}


def script_file(name: str) -> str:
    return (SCRIPTS / f"{name}.dealer").read_text(encoding="utf-8")


# ------------------------------------------------------------ where deals come from
def solved(count: int, first: int = 0) -> dk.Deals:
    return dk.solved_sample()[first : first + count]


def dealt(count: int = 3000) -> dk.Deals:
    return dk.deal(count, seed=12, threads=1)


def weighted(count: int = 3000) -> dk.Deals:
    """Deals with weights 0, 0.5, 1, 1.5 in turn, and with dealers, vulnerabilities and numbers of boards."""
    numbers = list(range(count))
    return dealt(count).replace(
        weight=[number % 4 / 2 for number in numbers],
        dealer=[number % 4 for number in numbers],
        vulnerable=[number // 4 % 4 for number in numbers],
        board=[number + 1 for number in numbers],
    )


# ------------------------------------------------------------ plans
FLAT = "any 4333 + any 4432 + any 5332"
CONDITIONS: dict[str, str] = {
    "points of a seat": "hcp(north) >= 20",
    "points and shape of a seat": f"shape(north, {FLAT}) and hcp(north) >= 15 and hcp(north) <= 17",
    "rare seat": "hcp(east) >= 27 and controls(east) >= 9",
    "losers": "losers(south) <= 4 and spades(south) >= 5",
    "cards": "hascard(north, AS) and hascard(north, KH) and aces(south) == 2",
    "lengths of a seat": "spades(north) == 6 and hearts(north) == 4",
    "lengths of two seats": "spades(north) >= 6 and hearts(south) >= 6",
    "two seats": "hearts(east) >= 5 and hcp(east) >= 11 and shape(south, 5x5x + 5xx5) and hcp(south) >= 8",
    "partners": f"shape(south, {FLAT}) and hcp(south) >= 20 and hcp(south) <= 21 and hcp(north) >= 11",
    "three seats": "spades(north) >= 6 and hearts(east) >= 5 and diamonds(south) >= 5 and hcp(south) >= 9",
    "four seats": "hcp(north) >= 12 and hcp(east) >= 8 and hcp(south) >= 8 and hcp(west) <= 5 and clubs(west) >= 4",
    "sum of a side": "hcp(north) + hcp(south) >= 33",
    "fit of a side": "fit(NS, spades) >= 11",
    "points and fit of a side": "hcp(north) + hcp(south) >= 26 and spades(north) + spades(south) >= 10",
    "two sides": "hcp(north) + hcp(south) >= 25 and hearts(east) + hearts(west) >= 10",
    "or of partners": "hcp(north) >= 20 or hcp(south) >= 20",
    "or that overlaps": (
        "(hcp(north) >= 15 and spades(north) >= 5 or hcp(south) >= 14 and hearts(south) >= 4 or spades(north) >= 6)"
        " and hcp(east) <= 9 and hcp(north) >= 9"
    ),
    "or of three seats": "spades(north) >= 7 or hearts(east) >= 7 or diamonds(south) >= 7",
    "or of sides": "hcp(north) + hcp(south) >= 31 or spades(east) + spades(west) >= 10",
    "or with a filter": "hcp(north) >= 17 and cccc(south) >= 9 or hcp(south) >= 19",
    "or of eight": " or ".join(
        f"hcp({seat}) >= 17 and {suit}({seat}) >= 6" for seat in SEATS for suit in ("spades", "hearts")
    ),
    "two ors": (
        "(spades(north) >= 6 or spades(south) >= 7) and (hearts(east) >= 6 or hearts(west) >= 6 or hcp(west) >= 17)"
    ),
    "or with an impossible branch": "(hcp(north) >= 18 and hcp(south) > 8) or (hcp(south) >= 38 and hcp(west) > 2)",
    "filter": "hcp(north) >= 17 and cccc(south) >= 12",
    "filter of reals": "ltc(north) <= 5.5 and quality(north, spades) > 3 and spades(north) >= 5",
    "chance": "(hcp(north) >= 18 or hcp(south) >= 18) and rnd(10) < 6",
    "impossible points": "hcp(north) >= 38",
    "impossible lengths": "spades(north) >= 7 and spades(south) >= 7",
}
REPORTS = """
action average "points" hcp(east), average "share" hcp(south) > 9, average "fours" cccc(south),
  frequency "cards" (spades(west), 1, 5),
  frequency "both" (hcp(south), 5, 12, hearts(west), 2, 4)"""
# Conditions where one side can be dealt and evaluated before the other, and one where it cannot.
STAGED = {
    "two seats",
    "three seats",
    "four seats",
    "two sides",
    "or that overlaps",
    "or of sides",
    "or with a filter",
}
for _number, (_name, _condition) in enumerate(CONDITIONS.items()):
    _script = f"condition {_condition}{REPORTS}"
    _impossible = "impossible" in _name
    _few = {"generate": 20_000} if _impossible else {"produce": 300}
    run(f"plan conditional: {_name}", _script, plan="conditional", seed=_number, **_few)
    run(f"plan auto: {_name}", _script, plan="auto", seed=100 + _number, keep=50, **_few)
    if _number % 3 == 0 or _impossible:
        run(f"plan plain: {_name}", _script, plan="plain", seed=_number, generate=20_000)
    if _name in STAGED:
        run(f"plan staged: {_name}", _script, plan="staged", seed=_number, generate=20_000)
        run(f"plan staged, produce: {_name}", _script, plan="staged", seed=_number, produce=60)
    if not _impossible:
        run(f"plan auto, many: {_name}", _script, plan="auto", seed=200 + _number, produce=4000, keep=100)
    if _number % 4 == 2 and not _impossible:
        run(
            f"plan conditional, limit of deals: {_name}", _script, plan="conditional", seed=_number,
            generate=60_000,
        )  # fmt: skip
run(
    "plan conditional, both limits", f"condition {CONDITIONS['points of a seat']}{REPORTS}", plan="conditional",
    generate=40_000, produce=100,
)  # fmt: skip
run(
    "plan conditional, predeal", f"condition {CONDITIONS['or of partners']}{REPORTS}", plan="conditional",
    produce=300, predeal={"north": "SAK,D2", "west": "HA"},
)  # fmt: skip
run(
    "plan conditional, predealt lengths", f"condition hcp(north) >= 18 or hcp(east) >= 18{REPORTS}",
    plan="conditional", produce=300, predeal={"south": {"spades": 4}, "east": {"hearts": 5}},
)  # fmt: skip
run(
    "plan conditional, small cards", f"condition hcp(north) >= 14{REPORTS}", plan="conditional", produce=300,
    predeal={"north": "SAKxxx,HQx", "south": "SQx"},
)  # fmt: skip
run(
    "plan conditional, several blocks", f"condition {CONDITIONS['two seats']}{REPORTS}", plan="conditional",
    produce=150_000, keep=1000,
)  # fmt: skip
run(
    "plan conditional, mixture of several blocks", f"condition {CONDITIONS['or that overlaps']}{REPORTS}",
    plan="conditional", produce=90_000, keep=1000,
)  # fmt: skip
run(
    "plan plain, several blocks",
    f"condition hcp(north) >= 12{REPORTS}",
    plan="plain",
    generate=300_000,
    keep=1000,
)
run(
    "plan staged, several blocks",
    f"condition hcp(north) + hcp(south) >= 20 and hcp(east) >= 5 and spades(north) >= 4{REPORTS}", plan="staged",
    generate=300_000, keep=1000,
)  # fmt: skip

# ------------------------------------------------------------ dealing: predeal, swap, seeds, limits
for _seed in (0, 2, 12345, 4294967295, 2**40):
    run(f"seed {_seed}", f"condition hcp(north) > 10{REPORTS}", seed=_seed, generate=3000)
run(
    "seed of the script", "seed 77 produce 200 condition hcp(north) > 10 action average hcp(south)", seed=None
)
run("generate only", "action average hcp(north), frequency (spades(north), 0, 13)", generate=70_000, keep=100)
run("produce only", "condition controls(west) > 4 action average losers(west)", produce=500)
run("limits of the script", "generate 3000 produce 100 condition hcp(north) > 10 action average hcp(south)")
run("nothing kept", f"condition hcp(north) > 10{REPORTS}", generate=5000, keep=0)
run("ten kept", f"condition hcp(north) > 10{REPORTS}", generate=5000, keep=10)
run("all kept", "condition hcp(north) > 10", produce=2000, keep="all")
run("no action", "condition hcp(north) > 20", produce=None)
run("nothing produced", "condition cccc(north) > 34 action average hcp(south)", generate=2000)
run("level", f"condition hcp(north) > 10{REPORTS}", generate=5000, confidence=0.5)
run("predeal of cards", f"predeal north SAKQ, H5 east DAK condition hcp(south) > 5{REPORTS}", generate=5000)
run("predeal of small cards", f"predeal north AKxxx.Qxx.xxx.Jx south SJxx{REPORTS}", generate=5000)
run("predeal of a hand", f"predeal west SQJ964, HK73, D852, C64{REPORTS}", generate=5000)
run("predeal of lengths", f"predeal spades(north) == 6 predeal hearts(east) == 5{REPORTS}", generate=5000)
run("predeal of cards and lengths", f"predeal north SAK predeal spades(north) == 5{REPORTS}", generate=5000)
run("predeal by argument", f"action average hcp(north){REPORTS[7:].replace('average', ', average', 1)}",
    generate=5000, predeal={"south": "QTxx.J8x.9x.Q9xx"})  # fmt: skip
run("predeal of lengths by argument", REPORTS, generate=5000, predeal={"north": {"spades": 5, "hearts": 3}})
for _swap in (2, 3):
    run(f"swap {_swap}", f"condition hcp(north) > 10{REPORTS}", generate=6000, swap=_swap, seed=_swap)
    run(
        f"swap {_swap}, several blocks",
        f"condition hcp(north) > 10{REPORTS}",
        generate=150_000,
        keep=1000,
        swap=_swap,
    )
    run(
        f"swap {_swap}, predeal",
        f"predeal north SAKQ condition hcp(east) > 8{REPORTS}",
        generate=6000,
        swap=_swap,
    )

# ------------------------------------------------------------ classic streams and old dialects
OLD = """
spade_fit = spades(north) + spades(south)
condition shape(north, any 4333 + any 4432 + any 5332 - 5xxx) and hcp(north) >= 12 and spade_fit >= 5
action average "points" hcp(south), average hcp(east) * 100 / 7, average "four" cccc(south),
  frequency "cards" (spade_fit, 4, 8), frequency "both" (hcp(south), 3, 7, hearts(east), 2, 4)"""
for _dialect, _stream, _seed in itertools.product(("v1", "v2", "modern"), ("uniform", "classic"), (1, 42)):
    run(
        f"{_dialect}, {_stream}, seed {_seed}",
        OLD,
        dialect=_dialect,
        stream=_stream,
        seed=_seed,
        generate=4000,
    )
for _dialect in ("v1", "v2"):
    for _swap in (2, 3):
        for _stream in ("uniform", "classic"):
            run(
                f"{_dialect}, {_stream}, swap {_swap}", OLD, dialect=_dialect, stream=_stream, swap=_swap,
                generate=1500,
            )  # fmt: skip
    run(
        f"{_dialect}, classic, predeal", "predeal north SAKQ, H5 east DAK, CA" + OLD.replace("5xxx", "5332"),
        dialect=_dialect, stream="classic", generate=3000,
    )  # fmt: skip
    run(
        f"{_dialect}, classic, predeal by argument", "condition hcp(north) > 9 action printoneline, average hcp(south)",
        dialect=_dialect, stream="classic", produce=5, predeal={"south": "SAJ,HT", "west": "D5432"},
    )  # fmt: skip
    run(
        f"{_dialect}, classic, produce", "condition hcp(north) > 18 action printcompact(hcp(south))",
        dialect=_dialect, stream="classic", produce=6, seed=9,
    )  # fmt: skip
    run(
        f"{_dialect}, nothing produced", "condition hcp(north) > 36 action printall, average hcp(south)",
        dialect=_dialect, stream="classic", generate=300,
    )  # fmt: skip
run(
    "v2, classic, lengths", "predeal spades(north) == 6 condition hcp(north) > 9 action printoneline", dialect="v2",
    stream="classic", produce=6,
)  # fmt: skip

# ------------------------------------------------------------ actions
FULL = """
predeal north SAKQJ, HT98, D5432, C32 east ST98, HAKQ, DJT98, CJT9
  south S765, HJ765, DAKQ, CAKQ west S432, H432, D76, C87654"""
ACTIONS = {
    "printall": "printall",
    "printew": "printew",
    "printpbn": "printpbn",
    "print": "print(north, south), print(west)",
    "printcompact": "printcompact, printcompact(hcp(north) + 1)",
    "printoneline": "printoneline, printoneline(cccc(east))",
    "printes": 'printes("north ", hcp(north), " and ", losers(south), "; ", shape(north, any 4333), \\n)',
    "average": 'average hcp(north), average "label" hcp(south) - 3, average "truth" spades(north) > 3',
    "frequency": 'frequency (hcp(north), 5, 15), frequency "label" (spades(south) * 2, 4, 9)',
    "frequency in two dimensions": 'frequency "two" (hcp(north), 8, 12, hcp(south), 5, 14)',
    "everything": (
        'printes("a", \\n), average hcp(east), printall, frequency "f" (clubs(east), 0, 3), printcompact, printew'
    ),
}
NEWER = {
    "printns": "printns",
    "printside": "printside(EW), printside(NS)",
    "bktfreq": 'bktfreq "b" (hcp(north), 4, 16, 3), bktfreq (losers(north) * 100, 500, 900, 150)',
    "bktfreq in two dimensions": 'bktfreq "b" (hcp(north), 4, 16, 4, hcp(south), 5, 15, 5)',
    "export": "export(NS), export(west)",
    "csvrpt": 'csvrpt("a,b", hcp(north), east, NS, deal, ltc(south))',
    "printrpt": 'printrpt("text", south, EW, spades(north), cccc(north) + 1)',
}
HEAD = "dealer east produce 4 condition hcp(north) >= 10 action "
for _name, _actions in ACTIONS.items():
    for _dialect in ("v1", "v2"):
        run(f"{_dialect}, {_name}", HEAD + _actions, dialect=_dialect, stream="classic", seed=3)
    run(f"modern, {_name}", HEAD + _actions, seed=3)
for _name, _actions in NEWER.items():
    run(f"v2, {_name}", HEAD + _actions, dialect="v2", stream="classic", seed=3)
    run(f"modern, {_name}", HEAD.replace("4", "400", 1) + _actions, seed=3)
for _dialect in ("v1", "v2"):
    run(f"{_dialect}, printpbn without statistics", "vulnerable NS dealer south produce 3 action printpbn",
        dialect=_dialect, statistics=False)  # fmt: skip
run(
    "modern, bktfreq of reals",
    'produce 500 action bktfreq "r" (ltc(north), 4.5, 9, 0.5), bktfreq (fifths(east), 0, 20, .8)',
)
run(
    "modern, averages of reals",
    "produce 500 action average hcp(north) / 3.0, average cccc(north) * 1.5 - 2, average min(hcp(north), hcp(south), 9)",
)
run(
    "modern, titles and boards",
    'title "a title" startboard 7 produce 20 action average board(), print(north)',
)
run(
    "v2, titles and boards",
    'title "a title" produce 3 action printall, printpbn',
    dialect="v2",
    title="another",
)
run(
    "v2, decimals",
    "produce 30 condition cccc(north) > 9.75 action average ltc(south), printes(4.5 * 2, \\n)",
    dialect="v2",
)

# ------------------------------------------------------------ arithmetic of the dialects
SUMS = """
a = hcp(north) - hcp(south) * 2 % 7
b = a / 3 + hcp(east) % 4 - 7 / 2
c = not (a > b) ? a : b < 4 and a > 1 or hcp(west) == 9 ? 5 - -3 : 100 * a
action printes(a, " ", b, " ", c, " ", 2 - 3 - 4, " ", 7 * 3 % 4, " ", 5 != 5 < 3, \\n),
  average "a" a, average "b" b, average "c" c"""
for _dialect in ("v1", "v2", "modern"):
    run(f"{_dialect}, arithmetic", SUMS, dialect=_dialect, produce=40)
    run(f"{_dialect}, scores", """
        t = losers(north) + losers(south) > 24 ? 0 : 24 - losers(north) - losers(south) > 13 ? 13 : 24 - losers(north) - losers(south)
        s = score(vul, x4S, t) - score(nv, x3N, t)
        action average "s" s, average "i" imps(s), frequency "f" (imps(s), 0, 8), average "d" score(nv, x2H, t),
          printes(s, " ", imps(s), \\n)""", dialect=_dialect, produce=40)  # fmt: skip
run(
    "v2, doubled contracts",
    'action average "x" score(nv, x6Sx, 11) + score(vul, z3Cx, losers(north)) + score(vul, x3Nxx, 9)',
    produce=20,
    dialect="v2",
)
run(
    "modern, contracts",
    'produce 200 action average "x" score(nv, 6Sxx, 11 + rnd(3)) + score(vul, 3NT, hcp(north) > 12 ? 9 : 8)',
)

# ------------------------------------------------------------ chance
for _dialect, _stream in itertools.product(("v1", "v2", "modern"), ("uniform", "classic")):
    run(
        f"{_dialect}, {_stream}, rnd", """
        r = rnd(100)
        condition r < 40 and hcp(north) + rnd(5) > 10
        action printes(r, " ", rnd(6), " ", rnd(6) + rnd(2), \\n), average "r" rnd(1000), frequency "f" (rnd(4), 0, 3)""",
        dialect=_dialect, stream=_stream, generate=2000 if _stream == "uniform" else 300,
    )  # fmt: skip
for _dialect in ("v1", "v2"):
    for _stream in ("uniform", "classic"):
        run(
            f"{_dialect}, {_stream}, rnd of nothing",
            'condition hcp(north) > 12 action printes(rnd(0), " ", rnd(1), " ", rnd(hcp(south) - 5), \\n)',
            dialect=_dialect, stream=_stream, produce=8,
        )  # fmt: skip
run(
    "modern, rnd of an expression",
    "action average rnd(hcp(north) + 1), average rnd(3) * rnd(3)",
    generate=80_000,
    keep=10,
)
run(
    "modern, board",
    'startboard 3 condition hcp(north) > 12 produce 60 action average "b" board() % 4 * hcp(south)',
)

# ------------------------------------------------------------ evaluators
OF_SUITS = (
    "hcp tens jacks queens kings aces top2 top3 top4 top5 c13 controls losers ltc altt050 alta425 altat475 bumwrap "
    "woolsey andrews bwjgm opcjgm milton bumrap fifths banzai fouraces bamberger robertson kisst050 kissa425 kissat475 "
    "kisswoolsey kissbwjgm c13bw c13jgm littlejack newltc quicktricks playingtricks bodypoints"
).split()
OF_HANDS = (
    "cccc bumrap321 short321 bumrap531 short531 freakness longpoints zaropening rule20 rule22 rule15 spades hearts "
    "diamonds clubs bergenopening gorenopening karpinopening pavlicekopening"
).split()
OF_PAIRS = (
    "bergen bissell dkp goren kaplan karpin karpb knr larsson larb pavlicek sheinwold zarbasic zar roth"
).split()  # of a side or a seat
_OLD_SUITS = "hcp tens jacks queens kings aces top2 top3 top4 top5 c13 controls losers".split()


def averages(texts: list[str]) -> str:
    return "action " + ", ".join(f"average {text}" for text in texts)


def of_suits(names: list[str]) -> list[str]:
    each = itertools.cycle(SUITS)
    return [text for name in names for text in (f"{name}(north)", f"{name}(south, {next(each)})")]


def of_pairs(names: list[str]) -> list[str]:
    each = itertools.cycle(STRAINS)
    return [text for name in names for text in (f"{name}(NS)", f"{name}(EW, {next(each)})")]


run("modern, evaluators of suits", averages(of_suits(OF_SUITS)), produce=400)
run(
    "modern, evaluators of hands",
    averages([f"{name}({seat})" for name in OF_HANDS for seat in SEATS]),
    produce=400,
)
run("modern, evaluators of sides", averages(of_pairs([*OF_PAIRS, "opc"])), produce=400)
run(
    "modern, shares of seats",
    averages([f"{name}({seat})" for name in OF_PAIRS for seat in ("east", "south")]),
    produce=400,
)
run("modern, fits", averages(["fit(NS)", "fit(EW, hearts)", "fit(NS, clubs)"]), produce=400)
run(
    "modern, quality", averages([f"quality({seat}, {suit})" for seat in SEATS for suit in SUITS]), produce=400
)
run("modern, opener", averages(of_pairs(["opc"] * 5)), produce=300, opener="north")
run("modern, opener of the script", "opener east " + averages(of_pairs(["opc"] * 5)), produce=300)
run(
    "modern, usereval",
    averages(
        [f"usereval({tag}, {side}, {slot})" for tag in (0, 10, 12) for side in SIDES for slot in (0, 1, 5)]
    ),
    produce=200,
)
run("v2, evaluators of suits", averages(of_suits([*_OLD_SUITS, "ltc"])), produce=200, dialect="v2")
run(
    "v2, evaluators",
    averages(["cccc(west)", "quality(west, hearts)", *of_pairs(["opc"] * 5), *of_suits(["pt5", "pt9"])]),
    produce=200,
    dialect="v2",
)
run(
    "v2, usereval",
    averages(
        [f"usereval({tag}, {side}, {slot})" for tag in (0, 10, 12) for side in SIDES for slot in (0, 1, 5)]
    ),
    produce=200,
    dialect="v2",
)
run(
    "v1, evaluators",
    averages(
        [
            *of_suits(_OLD_SUITS),
            *of_suits([f"pt{k}" for k in range(10)]),
            "cccc(west)",
            "quality(west, clubs)",
        ]
    ),
    produce=200,
    dialect="v1",
)

# ------------------------------------------------------------ tables of points, shapes, parameters
_TABLES = averages(
    [
        "hcp(north)",
        "hcp(north, clubs)",
        "controls(south)",
        "losers(south)",
        "pt0(east)",
        "pt3(east, hearts)",
        "c13(west)",
    ]
)
for _dialect in ("v1", "v2", "modern"):
    run(f"{_dialect}, pointcount", "pointcount 6 4 2 1 " + _TABLES, dialect=_dialect, produce=200)
    for _table in (0, 3, 9):
        run(
            f"{_dialect}, altcount {_table}",
            f"altcount {_table} 5 4 3 2 1 " + _TABLES,
            dialect=_dialect,
            produce=200,
        )
run(
    "modern, pointcount in a condition",
    f"pointcount 7 5 3 1 condition hcp(north) >= 30{REPORTS}",
    produce=200,
)
for _dialect in ("v2", "modern"):
    for _k, _shapes in enumerate(
        (
            "5xxx + (44xx)",
            "4s5h2d2c + 5s4h2c2d",
            "(5431) - 5xxx + (6+xxx)",
            "5+M(xxx):s>h + 5m(xxx)",
            "(3+3+3+2+)",
            "5+3-xx + (1-xxx)",
        )
    ):
        run(f"{_dialect}, braces {_k}", f"condition shape{{north, {_shapes}}} action average hcp(north), frequency (spades(north), 0, 7)",
            dialect=_dialect, generate=5000)  # fmt: skip
run(
    "modern, braces of lengths",
    "condition shape{south, 5+M(xxx):s>h + xxxx:d+c<5 + 4432} action average hcp(south)",
    generate=5000,
)
run(
    "modern, shapes",
    "condition shape(north, any 5422 + 4xxx - 4333 + any 7xxx) action average hcp(north)",
    generate=5000,
)
run("modern, parameters", "condition shape{$0, $1} and hcp($0) >= $2 action average $3", generate=5000,
    params=("west", "5xxx + (4441)", "11", "hcp(east) + losers($0)"))  # fmt: skip
run("v2, parameters", "condition shape{$0, $1} and hcp($0) >= $2 action printes($3, \\n)", produce=10, dialect="v2",
    params=("west", "5xxx + (4441)", "11", '"value: ", hcp(east) + 1'), stream="classic")  # fmt: skip

# ------------------------------------------------------------ given deals
run("source", f"condition hcp(north) > 9{REPORTS}", source=dealt, generate=2000)
run("source, to its end", f"condition hcp(north) > 9{REPORTS}", source=dealt)
run("source, produce", f"condition hcp(north) > 9{REPORTS}", source=dealt, produce=17)
run(
    "source with weights",
    f'condition hcp(north) > 9{REPORTS}, bktfreq "b" (hcp(west), 0, 20, 4)',
    source=weighted,
)
run("source with weights, v2", f"condition hcp(north) > 9{REPORTS}", source=weighted, dialect="v2")
run("source with chance", "condition rnd(3) == 1 action average rnd(100), average board()", source=dealt)
run("source of a frame", f"condition hcp(north) > 9{REPORTS}", source=lambda: dealt(500).to_frame("hcp"))

# ------------------------------------------------------------ double dummy, tricks known
_TRICKS = averages([f"dds({seat}, {strain})" for seat in SEATS for strain in STRAINS])
_PAR = averages([f"par({side}, {state})" for side in SIDES for state in ("none", "ns", "ew", "both")])
for _dialect in ("modern", "v2"):
    run(f"{_dialect}, tricks", _TRICKS, source=lambda: solved(600), dialect=_dialect)
    run(f"{_dialect}, par", _PAR, source=lambda: solved(600), dialect=_dialect)
    run(f"{_dialect}, trix and par contracts", """
        condition dds(south, notrump) >= 9
        action printrpt(trix(deal), trix(north), parcontract(none), parcontract(both), "x", hcp(south)),
          csvrpt(trix(west), parcontract(ns), deal), average "p" par(NS, none)""",
        source=lambda: solved(60), dialect=_dialect)  # fmt: skip
    run(f"{_dialect}, evalcontract", """
        condition hcp(north) + hcp(south) >= 24
        action evalcontract(NS, x3N, vul), evalcontract(EW, x4H, nv), evalcontract(NS, x6Sx, nv),
          frequency "t" (dds(south, spades), 5, 11)""", source=lambda: solved(900), dialect=_dialect)  # fmt: skip
run("modern, evalcontract of vulnerable slams", "action evalcontract(EW, 5D, vul), evalcontract(NS, 7NTxx, vul), evalcontract(NS, 1S, vul)",
    source=lambda: solved(900, 900))  # fmt: skip
run(
    "modern, par of a vulnerability",
    "action average par(NS), printrpt(parcontract)",
    source=lambda: solved(40),
    vulnerable="both",
)
run("v1, tricks", 'condition tricks(south, notrump) > 7 action average tricks(south, spades), printes(tricks(west, hearts), " ")',
    source=lambda: solved(300), dialect="v1")  # fmt: skip

# ------------------------------------------------------------ double dummy, solved
run(
    "modern, solves tricks", "action average dds(west, clubs), average dds(north, notrump)", produce=5, seed=2
)
run(
    "modern, solves in a condition",
    "condition hcp(south) > 14 and dds(south, notrump) >= 9 action average hcp(north)",
    produce=2,
)
run(
    "v2, solves par",
    "action average par(NS, ns), printrpt(trix(deal), parcontract(none))",
    produce=1,
    dialect="v2",
    stream="classic",
)
run(
    "v1, solves tricks",
    "condition hcp(north) > 12 action average tricks(north, notrump), printoneline",
    produce=3,
    dialect="v1",
    stream="classic",
)
run(
    "modern, solves a contract",
    "condition hcp(north) + hcp(south) > 25 action evalcontract(NS, x3N, nv)",
    produce=4,
)

# ------------------------------------------------------------ scripts of data/scripts
for _name in ("frequency", "lead", "michaels", "notrump", "practice", "slam-try", "stayman", "weak-two"):
    for _dialect in ("modern", "v1", "v2"):
        if _dialect != "modern" and _name in ("michaels", "slam-try"):
            continue  # rare, and dealt plainly
        _limits = (
            {"generate": 20_000}
            if _dialect != "modern" or _name in ("frequency", "weak-two")
            else {"produce": 400}
        )
        run(f"{_dialect}, script {_name}", script_file(_name), dialect=_dialect, keep=500, **_limits)
for _name in ("hands", "reports", "tables"):
    run(f"v2, script {_name}", script_file(f"v2/{_name}"), dialect="v2", stream="classic")
run(
    "v2, script variables", script_file("v2/variables"), dialect="v2", stream="classic",
    params=("north", "5xxx - (5332) + (4432)", "hcp(south) - 2*7%4", '"value: "'),
)  # fmt: skip
run("modern, script bids", script_file("bids") + """
    condition north_1nt and (south_invites_hearts or south_forces_spades) or north_2s and east_passes
    action average hcp(south), frequency "cards" (spades(south), 0, 6)""", produce=300)  # fmt: skip


# ------------------------------------------------------------ functions of one's own
def add_functions() -> None:
    """Words that `ALONE` uses. They stay words of the process, so it is one of their own."""
    import numpy as np

    @dk.function("fingeraces", args=["seat"], low=0, high=4)
    def fingeraces(deals: dk.Deals, seat: int) -> np.ndarray:
        """Aces by their bits."""
        return np.bitwise_count(deals.hands[:, seat] & np.uint64(0x1000100010001000))

    @dk.function("fingerlengths", args=["side"], outputs=("spades", "clubs"), low=0, high=13, tag=94)
    def fingerlengths(deals: dk.Deals, side: int) -> dict[str, np.ndarray]:
        """Spades and clubs of both hands."""
        both = deals.hands[:, side] | deals.hands[:, side + 2]
        return {
            "clubs": np.bitwise_count(both & np.uint64(8191)),
            "spades": np.bitwise_count(both >> np.uint64(48)),
        }

    @dk.function("fingersides", args=["side", "suit?"], outputs=("total", "half"), real=True, tag=93)
    def fingersides(deals: dk.Deals, side: int, suit: int | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Cards of a suit in both hands, or the parity of the first hand."""
        both = deals.hands[:, side] | deals.hands[:, side + 2]
        lane = (both >> np.uint64(48 - 16 * (suit or 0))) & np.uint64(8191)
        total = np.bitwise_count(lane).astype(float)
        return total, total / 2


_OWN = """
condition fingeraces(north) >= 2 and hcp(south) >= 19
action average fingeraces(south), average fingersides(NS, hearts).half, average fingersides(EW),
  average usereval(93, NS, 1), frequency "a" (fingeraces(east) + fingeraces(west), 0, 3)"""
for _plan in ("auto", "plain", "conditional"):
    ALONE[f"own functions, {_plan}"] = {
        "script": _OWN, "seed": 4, "threads": 1, "produce": 400, "plan": _plan
    }  # fmt: skip
ALONE["own functions, classic"] = {
    "script": _OWN,
    "seed": 4,
    "threads": 1,
    "produce": 30,
    "stream": "classic",
}
ALONE["own functions, v2"] = {
    "script": "condition usereval(94, NS, 0) >= 7 action printoneline(usereval(94, EW, 1)), average usereval(94, NS, 1)",
    "seed": 4,
    "threads": 1,
    "produce": 5,
    "dialect": "v2",
    "stream": "classic",
}

# ------------------------------------------------------------ probabilities and distributions
PROBABILITIES: dict[str, dict[str, Any]] = {
    "a length": {"condition": "spades(north) == 13"},
    "fit": {"condition": "fit(NS, spades) >= 8", "given": "spades(north) == 5"},
    "a notrump opening": {"condition": f"shape(north, {FLAT}) and hcp(north) >= 15 and hcp(north) <= 17"},
    "or": {"condition": "hcp(north) >= 21 or hcp(south) >= 21"},
    "shapes of two": {"condition": "shape(north, any 5xxx) and spades(south) >= 4"},
    "controls": {"condition": "controls(north) + controls(south) >= 9", "given": "hcp(north) >= 15"},
    "predeal": {"condition": "spades(north) > 2", "predeal": {"south": "SAKQJ2,H2"}},
    "predealt lengths": {"condition": "hearts(east) == 3", "predeal": {"north": {"hearts": 6}}},
    "parameters": {"condition": "hcp($0) > $1", "params": ("east", "14")},
    "points": {"condition": "pointcount 6 4 2 1 hcp(north) > 20"},
    "estimate": {"condition": "cccc(north) > 12.5", "deals": 20_000},
    "estimate, given": {
        "condition": "zar(NS) > 60",
        "given": "hcp(north) > 12",
        "deals": 3000,
        "confidence": 0.9,
    },
    "estimate, chance": {"condition": "rnd(10) < 3 and hcp(north) > 9", "deals": 20_000},
}
for _name, _question in PROBABILITIES.items():
    VALUES[f"probability: {_name}"] = lambda question=_question: dk.probability(**question)
DISTRIBUTIONS: dict[str, dict[str, Any]] = {
    "points": {"expression": "hcp(north)"},
    "controls": {"expression": "controls(north)", "given": "hcp(north) == 15"},
    "fit": {"expression": "fit(NS, hearts)", "given": "hearts(south) == 5"},
    "both": {"expression": "hcp(north) + hcp(south)", "given": "spades(north) >= 6"},
    "truth": {"expression": "spades(north) > 3"},
    "predeal": {"expression": "spades(east)", "predeal": {"north": "SAKQ,H2", "south": "S432"}},
    "reals": {"expression": "fifths(north)"},
    "estimate": {"expression": "zaropening(north) + rnd(3)", "deals": 10_000},
    "estimate of reals": {"expression": "cccc(north)", "given": "hcp(north) == 12", "deals": 3000},
}
for _name, _question in DISTRIBUTIONS.items():
    VALUES[f"distribution: {_name}"] = lambda question=_question: dk.distribution(**question)

# ------------------------------------------------------------ deals
DEALS: dict[str, dict[str, Any]] = {
    "plain": {"n": 500, "seed": 3},
    "several blocks": {"n": 140_000, "seed": 5},
    "given": {"n": 200, "seed": 3, "given": "hcp(north) >= 20"},
    "given, limit": {"n": 200, "seed": 3, "given": "hcp(north) >= 20", "generate": 8000},
    "given by two": {"n": 200, "seed": 4, "given": "spades(north) >= 5 and spades(south) >= 4 and hcp(east) > 11"},
    "given with a filter": {"n": 50, "seed": 4, "given": "cccc(north) > 16 and rnd(2) == 1"},
    "predeal": {"n": 200, "seed": 5, "predeal": {"north": "SAKQ,H5", "east": {"clubs": 6}}},
    "small cards": {"n": 200, "seed": 6, "predeal": {"west": "QTxx.J8x.9x.Q9xx"}},
    "predeal and given": {"n": 100, "seed": 6, "predeal": {"west": "SA"}, "given": "hcp(west) < 8"},
    "swap 2": {"n": 200, "seed": 7, "swap": 2},
    "swap 3": {"n": 200, "seed": 8, "swap": 3},
    "nothing": {"n": 0, "seed": 8},
}  # fmt: skip
for _name, _question in DEALS.items():
    VALUES[f"deal: {_name}"] = lambda question=_question: dk.deal(threads=1, **question)


# ------------------------------------------------------------ evaluators from Python
def evaluated(names: list[str], variants: tuple[str | None, ...], where: list[dict[str, str]]) -> list[Any]:
    deals = dealt(200)
    return [
        dk.evaluate(deals, name, variant=variant, **place)
        for name in names
        for variant in variants
        for place in where
    ]


_PLACES = [{"seat": "north"}, {"seat": "west", "suit": "hearts"}]
_SIDE_PLACES = [{"side": "NS"}, {"side": "EW", "suit": "spades"}, {"side": "EW", "suit": "notrump"}]
_SHARES = [{"seat": "north"}, {"seat": "west", "suit": "hearts"}]
_VARIED = "altt050 alta425 altat475 bumwrap woolsey andrews bwjgm opcjgm".split()
_BOTH = ("intended", "coded")
VALUES |= {
    "evaluate: suits": lambda: evaluated(OF_SUITS, (None,), _PLACES),
    "evaluate: suits, variants": lambda: evaluated(_VARIED, _BOTH, _PLACES),
    "evaluate: quality": lambda: evaluated(["quality"], (*_BOTH, "v1"), _PLACES[1:]),
    "evaluate: hands": lambda: evaluated(OF_HANDS, (None,), _PLACES[:1]),
    "evaluate: cccc": lambda: evaluated(["cccc"], (*_BOTH, "v1"), _PLACES[:1]),
    "evaluate: sides": lambda: evaluated([*OF_PAIRS, "opc"], _BOTH, _SIDE_PLACES),
    "evaluate: shares": lambda: evaluated(OF_PAIRS, _BOTH, _SHARES),
    "evaluate: fit": lambda: evaluated(["fit"], (None,), _SIDE_PLACES[:2]),
    "to_frame": lambda: dealt(200).to_frame(
        "hcp", "fit", "shape", "losers", "cccc", "zar", "opc", "quicktricks", slam="hcp(north) + hcp(south) >= 33",
        ratio="hcp(north) / 3", sum="cccc(north) + ltc(south)",
    ),
    "sides": lambda: dealt(200).sides("hcp", "losers", "zar", "opc", lost="losers(north) * 2 + hcp(south)"),
    "sides, tricks": lambda: [
        solved(200).sides("hcp", "newltc", "karpin", strain=strain, declarer=declarer, tricks=True)
        for strain in ("best major", "longest fit", "notrump", "best suit", "diamonds")
        for declarer in ("longer", "better")
    ],
    "opc_breakdown": lambda: [
        dk.opc_breakdown(dealt(30), side, opener=opener, strain=strain, variant=variant)
        for side, opener, strain, variant in (
            ("NS", None, None, "intended"), ("EW", "east", "notrump", "intended"), ("NS", "north", "spades", "coded"),
        )
    ],
    "eval": lambda: [
        dealt(300).eval(text, dialect)
        for text in ("hcp(north) * 2 - losers(south) % 3", "cccc(east)", "spades(north) > 4 or hcp(west) < 3", "controls(west) / 2")
        for dialect in ("modern", "v1", "v2")
    ],
    "eval, opener": lambda: [dealt(100).eval("opc(NS)", opener=seat) for seat in ("north", "south")],
    "where": lambda: weighted(300).where("hcp(north) >= 13 and spades(south) > 2"),
    "rotate": lambda: solved(20).replace(dealer=[0, 1, 2, 3] * 5, vulnerable=[0, 1, 2, 3, -1] * 4).rotate("east", "north"),
    "texts of deals": lambda: [dealt(20).to_pbn(), dealt(20).to_lines(), dk.Deals.from_lines(dealt(20).to_lines())],
}  # fmt: skip

# ------------------------------------------------------------ studies, scores, double dummy from Python
_TABLE_SCORES = list(itertools.product(("1C", "3NT", "4S", "5Dx", "6H", "7NTxx"), (False, True)))


def trial(**options: Any) -> list[Any]:
    found = dk.compare(sample=solved(3000), replicates=200, **options)
    return [found.frame, found.differences, found.deals, found.sides]


def files_of_actions() -> list[str]:
    """What csvrpt and export write to files, in the dialect v2."""
    with tempfile.TemporaryDirectory() as folder:
        files = {name: Path(folder) / name for name in ("csvrpt", "export")}
        dk.run_script(
            "produce 3 action csvrpt(hcp(north), deal), export(NS)", dk.RunOptions(seed=1, dialect="v2", stream="classic",
            files={name: f"w:{path}" for name, path in files.items()}, threads=1,
        ))  # fmt: skip
        return [path.read_text("utf-8") for path in files.values()]


def positions() -> Any:
    frame = dk.solve_board(
        ["N:AQ2.3.. KJ3.2.. 54.A4.. 76.65..", "N:32... QJ... AT... K4..."], "notrump", "north", solutions=3
    )
    return frame


VALUES |= {
    "compare: major": lambda: trial(measures=["hcp", "fifths", "losers", "zar", "bergen"]),
    "compare: notrump": lambda: trial(measures=["hcp", "cccc", "banzai"], strain="notrump", declarer="mean", seed=3),
    "compare: where": lambda: trial(measures={"points": "hcp", "more": "hcp + 2 * fit"}, where="fit >= 8", confidence=0.8),
    "leads": lambda: [
        dk.leads(dk.deal(2, seed=4), "3NT", "south", threads=1),
        dk.leads(dk.deal(2, seed=4), "4S", "west", vulnerable=True, measure="beats", threads=1),
    ],
    "dd_table": lambda: [dk.dd_table(dk.deal(2, seed=5)), dk.dd_table(solved(50))],
    "dd_tricks": lambda: [dk.dd_tricks(dk.deal(2, seed=6), "hearts", "east"), dk.dd_makes(solved(50), "3NT", "north")],
    "par": lambda: [
        [found.score, [found.contracts[name] for name in found.contracts.dtype.names], found.texts("NS"), found.texts("EW")]
        for found in (
            dk.par(solved(200), vulnerable, dealer)
            for vulnerable, dealer in (("none", "north"), ("both", "east"), ("ns", "west"), ("ew", "south"))
        )
    ],
    "par, solved": lambda: dk.par(dk.deal(1, seed=9), "both").score,
    "solve_board": positions,
    "score": lambda: [
        [int(dk.score(contract, tricks, vulnerable=vulnerable)) for tricks in range(14)] for contract, vulnerable in _TABLE_SCORES
    ],
    "imps": lambda: [int(dk.imps(difference)) for difference in range(-4500, 4501, 30)],
    "files of actions": files_of_actions,
    "Estimates": lambda: [dk.proportion(k, 50, level) for k in (0, 1, 25, 50) for level in (0.5, 0.95)],
}  # fmt: skip

# Runs that two threads must not change.
THREADED = [
    "plan conditional, several blocks", "plan conditional, mixture of several blocks", "plan plain, several blocks",
    "plan staged, several blocks", "generate only", "swap 2, several blocks", "swap 3, several blocks",
    "modern, rnd of an expression", "plan conditional, both limits", "plan auto: or of eight",
    "plan conditional: three seats", "v1, uniform, seed 1", "v2, classic, seed 42", "source with weights", "modern, evaluators of sides",
    "modern, evalcontract", "modern, print", "modern, solves tricks",
]  # fmt: skip
