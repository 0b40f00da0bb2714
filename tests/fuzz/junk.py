"""Arguments of no use for every public function and constructor: one in each place, others as in a valid call.

python tests/fuzz/junk.py            # all, in some minutes; prints what is no error of dealerkit
python tests/fuzz/junk.py Deal imps  # some of them
"""

from __future__ import annotations

import functools
import inspect
import os
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any

import checks
import numpy as np
import pandas as pd

import dealerkit as dk

DEALS = dk.solved_sample()[:30]
FEW = DEALS[:2]
DEAL = DEALS[0]
RESULT = dk.run('condition hcp(north) > 9 action average "p" hcp(south)', produce=20, seed=1, threads=1)
PBN = FEW.to_pbn()[0]
ARRAY = dk.DealArray(DEALS)
ESTIMATE = dk.proportion(3, 10)

JUNK: tuple[Any, ...] = (
    None, "", "x", "\0", "\ud800", b"x", -1, 0, 2**63, 10**30, -(10**30), float("nan"), float("inf"), -float("inf"),
    1j, 1.5, True, object(), [], [None], {}, {"x": 1}, set(), (), range(0), Fraction(1, 3), Decimal("nan"), lambda: 0,
    int, np.float32("nan"), np.datetime64("NaT"), pd.NA, pd.NaT, np.array(object()), np.array(["a"]), np.zeros(0),
    np.zeros((2, 2, 2)), np.ma.masked, np.ma.array([1, 2], mask=[True, False]), np.ma.masked_all(30), "a" * 10_000,
    pd.Series([], dtype=object), pd.DataFrame({"x": [1]}), np.uint64(2**64 - 1), Exception("x"), np.array([1j, 2]),
)  # fmt: skip

ONE = {"threads": 1, "progress": False}
CALLS: dict[str, tuple[Callable, dict[str, Any]]] = {
    "run": (dk.run, {"script": "hcp(north) > 12 action average hcp(south)", "produce": 5, "seed": 1, **ONE}),
    "run on a source": (dk.run, {"script": "hcp(north) > 12", "source": DEALS, **ONE}),
    "deal": (dk.deal, {"n": 3, "seed": 1, **ONE}),
    "deal given": (dk.deal, {"n": 3, "given": "hcp(north) > 12", "seed": 1, "generate": 1000, **ONE}),
    "parse": (dk.parse, {"text": "hcp(north) > 12"}),
    "probability": (dk.probability, {"condition": "hcp(north) > imps(hcp(south))", "deals": 2000, "seed": 1}),
    "distribution": (dk.distribution, {"expression": "hcp(north) + imps(hcp(south))", "deals": 2000, "seed": 1}),
    "explain": (dk.explain, {"script": "hcp(north) > 12", "deals": 500}),
    "why": (dk.why, {"script": "hcp(north) > 12", "deal": DEAL}),
    "check": (dk.check, {"script": "hcp(north) > 12"}),
    "evaluate": (dk.evaluate, {"deals": FEW, "name": "hcp", "seat": "north"}),
    "evaluate a side": (dk.evaluate, {"deals": FEW, "name": "hcp", "side": "NS"}),
    "score": (dk.score, {"contract": "3NT", "tricks": 9, "vulnerable": "none", "declarer": "south"}),
    "imps": (dk.imps, {"difference": 420}),
    "matchpoints": (dk.matchpoints, {"ours": [1, 2], "theirs": [1, 3]}),
    "proportion": (dk.proportion, {"successes": 3, "n": 10}),
    "difference": (dk.difference, {"ours": [50, 100], "theirs": [0, 20], "measure": "points"}),
    "dd_table": (dk.dd_table, {"deals": FEW, **ONE}),
    "dd_tricks": (dk.dd_tricks, {"deals": FEW, "declarer": "south", "strain": "NT", **ONE}),
    "dd_makes": (dk.dd_makes, {"deals": FEW, "declarer": "south", "contract": "3NT", **ONE}),
    "par": (dk.par, {"deals_or_tables": FEW, "vulnerable": "none"}),
    "leads": (dk.leads, {"deals": FEW[:1], "contract": "3NT", "declarer": "south", **ONE}),
    "expected_tricks": (dk.expected_tricks, {"deals": FEW}),
    "level": (dk.level, {"script": "hcp(north) > 9", "by": {"a": "hcp(south) > 9", "b": "hcp(south) < 10"},
                         "produce": 4, "seed": 1, **ONE}),
    "Deal": (dk.Deal, {"hands": PBN}),
    "Deal.hand": (DEAL.hand, {"seat": "north"}),
    "Deals": (dk.Deals, {"hands": FEW.hands}),
    "Deals.from_pbn": (dk.Deals.from_pbn, {"texts": FEW.to_pbn()}),
    "Deals.from_lines": (dk.Deals.from_lines, {"lines": FEW.to_lines()}),
    "Deals.from_cards": (dk.Deals.from_cards, {"cards": FEW.to_cards()}),
    "Deals.from_deals": (dk.Deals.from_deals, {"deals": [DEAL]}),
    "Deals.concatenate": (dk.Deals.concatenate, {"parts": [FEW, FEW]}),
    "Deals.equals": (FEW.equals, {"other": FEW}),
    "Deals.hand": (FEW.hand, {"seat": "north"}),
    "Deals.eval": (FEW.eval, {"text": "hcp(north)"}),
    "Deals.where": (FEW.where, {"text": "hcp(north) > 9"}),
    "Deals.rotate": (FEW.rotate, {}),
    "Deals.number_boards": (FEW.number_boards, {"first": 1}),
    "Deals.page": (FEW.page, {}),
    "Deals.write": (FEW.write, {"path": "deals.pbn"}),
    "Deals.sides": (lambda name, strain="spades", declarer="longer", tricks=False: FEW.sides(
        name, strain=strain, declarer=declarer, tricks=tricks), {"name": "hcp"}),
    "Deals.to_frame": (lambda name, layout="wide", dialect="modern", opener=None, params=(): FEW.to_frame(
        name, layout=layout, dialect=dialect, opener=opener, params=params), {"name": "hcp"}),
    "Deals.replace": (lambda column, value: FEW.replace(**{column: value}), {"column": "board", "value": [1, 2]}),
    "Deals.replace tables": (lambda value: FEW.replace(tables=value), {"value": FEW.tables}),
    "Deals.replace vulnerable": (lambda value: FEW.replace(vulnerable=value), {"value": [0, 1]}),
    "Deals.replace weight": (lambda value: FEW.replace(weight=value), {"value": [0, 1]}),
    "DealArray": (dk.DealArray, {"deals": FEW}),
    "compare": (dk.compare, {"measures": ["hcp"], "sample": DEALS, "replicates": 100}),
    "fit_points": (dk.fit_points, {"predictors": ["hcp"], "sample": DEALS, "replicates": 100}),
    "opc_breakdown": (dk.opc_breakdown, {"deals": FEW}),
    "read": (dk.read, {"path": "nothing.pbn"}),
    "load": (dk.load, {"path": "nothing.dk"}),
    "solve_board": (dk.solve_board, {"positions": FEW[:1], "strain": "NT", "leader": "north"}),
    "break_even": (dk.break_even, {"contract": "4S", "other": "3S"}),
    "line": (dk.line, {"deal": DEAL, "contract": "3NT", "declarer": "south"}),
    "strategy": (dk.strategy, {"rules": [("hcp(north) > 9", "3NT")]}),
    "tricks_by": (dk.tricks_by, {"deals": DEALS}),
    "law_of_total_tricks": (dk.law_of_total_tricks, {"deals": DEALS}),
    "par_statistics": (dk.par_statistics, {"deals": DEALS}),
    "best_contracts": (dk.best_contracts, {"deals": DEALS, "min_deals": 30}),
    "estimate": (dk.estimate, {"question": "hcp(north) + imps(hcp(south))", "deals": 100, "seed": 1, "max_seconds": 1}),
    "all_deals": (dk.all_deals, {"predeal": {"north": "AKQJT98765432...", "south": ".AKQJT98765432.."}}),
    "function": (dk.function, {"name": "junk", "args": ["seat"]}),
    "Estimate.exactly": (dk.Estimate.exactly, {"value": 0.5}),
    "Estimate.from_dict": (dk.Estimate.from_dict, {"values": ESTIMATE.to_dict()}),
    "round": (lambda ndigits: round(ESTIMATE, ndigits), {"ndigits": 2}),
    "subtract": (lambda other: ESTIMATE - other, {"other": 0.3}),
    "format": (lambda spec: format(ESTIMATE, spec), {"spec": ".2f"}),
    "name of a report": (lambda name: RESULT[name], {"name": "p"}),
    "Result.to_frame": (RESULT.to_frame, {}),
    "Result.save": (RESULT.save, {"path": "result.dk"}),
    "Result.to_html": (RESULT.to_html, {}),
    "Result.concat": (dk.Result.concat, {"results": [RESULT]}),
    "index of deals": (lambda index: DEALS[index], {"index": 3}),
    "index of an array": (lambda index: ARRAY[index], {"index": 3}),
}  # fmt: skip


LONG = ("produce", "generate", "deals", "n", "replicates")


def junk_calls(name: str) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield calls of a function with junk in one place, each with its description."""
    function, valid = CALLS[name]
    for place in inspect.signature(function).parameters:
        if place in ("options", "kwargs"):
            continue
        for k, junk in enumerate(JUNK):
            if place in LONG and isinstance(junk, int | np.integer) and junk > 10**9:
                continue  # a run of that length
            yield f"{name}({place}={junk!r:.40}) [{k}]", functools.partial(function, **{**valid, place: junk})


def main(names: list[str]) -> None:
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name in names or CALLS:
            for text, call in junk_calls(name):
                counts[try_call(text, call)] += 1
    print(dict(counts))


def try_call(text: str, call: Callable[[], Any]) -> str:
    """Return whether a call has a result, is refused, or raises what is not dealerkit's, which is printed."""
    try:
        with checks.time_limit(), warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", dk.DealerkitWarning)
            repr(call())
    except dk.DealerkitError:
        return "refused"
    except (Exception, checks.TooSlow) as error:
        print(f"{text}: {type(error).__name__}: {str(error)[:100]}", flush=True)
        return "found"
    return "has a result"


if __name__ == "__main__":
    main(sys.argv[1:])
