"""Arguments of no use for every public function, constructor and method: one in each place, others as in a valid call.

python tests/fuzz/junk.py            # all, in some minutes; prints what is no error of dealerkit
python tests/fuzz/junk.py Deal imps  # some of them
python tests/fuzz/junk.py --messages # also prints the errors that name neither the argument nor its value
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import io
import os
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any

import checks
import matplotlib
import numpy as np
import pandas as pd

import dealerkit as dk

matplotlib.use("Agg")
from matplotlib import pyplot as plt  # noqa: E402

DEALS = dk.solved_sample()[:30]
FEW = DEALS[:2]
DEAL = DEALS[0]
RESULT = dk.run('condition hcp(north) > 9 action average "p" hcp(south)', produce=20, seed=1, threads=1)
PBN = FEW.to_pbn()[0]
ARRAY = dk.DealArray(DEALS)
STUDY = dk.contracts(FEW, ["4S by north", "3NT by north"], progress=False)
LEAD = dk.lead("AKQ2.432.432.432", "3NT by south", produce=5, seed=1, threads=1, progress=False)
TRIAL = dk.compare(["hcp"], sample=DEALS, replicates=100, events=["tricks >= 9"])
SAMPLE = dk.solved_sample()[:1000]
TRICKS = dk.tricks_by(SAMPLE)
STRATEGY = dk.strategy([(True, "3NT by north")])
LIBRARY = RESULT.boards()
ESTIMATE = dk.proportion(3, 10)


class NoTruth:
    """An object that is neither true nor false."""

    def __bool__(self) -> bool:
        raise ValueError("no truth value")


JUNK: tuple[Any, ...] = (
    None, "", "x", "\0", "\ud800", b"x", -1, 0, 2**63, 10**30, -(10**30), float("nan"), float("inf"), -float("inf"),
    1j, 1.5, True, object(), [], [None], {}, {"x": 1}, set(), (), range(0), Fraction(1, 3), Decimal("nan"), lambda: 0,
    int, np.float32("nan"), np.datetime64("NaT"), pd.NA, pd.NaT, np.array(object()), np.array(["a"]), np.zeros(0),
    np.zeros((2, 2, 2)), np.ma.masked, np.ma.array([1, 2], mask=[True, False]), np.ma.masked_all(30), "a" * 10_000,
    pd.Series([], dtype=object), pd.DataFrame({"x": [1]}), np.uint64(2**64 - 1), Exception("x"), np.array([1j, 2]),
    "a\0b", ["\0"], {"": None}, np.int8(-1), np.bool_(True), np.str_("x"), [[]], iter(()), memoryview(b"x"), NoTruth(),
)  # fmt: skip


def _use_executor(executor: Any) -> None:
    with dk.use_executor(executor):
        dk.dd_table(FEW, "N", "N", progress=False)


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
    "evaluate a side": (dk.evaluate, {"deals": FEW, "name": "bergen", "side": "NS"}),
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
    "read": (dk.read, {"path": "deals.pbn"}),
    "load": (dk.load, {"path": "result.dk"}),
    "solve_board": (dk.solve_board, {"positions": FEW[:1], "strain": "NT", "leader": "north"}),
    "break_even": (dk.break_even, {"contract": "4S", "other": "3S"}),
    "line": (dk.line, {"deal": DEAL, "contract": "3NT", "declarer": "south"}),
    "strategy": (dk.strategy, {"rules": [("hcp(north) > 9", "3NT by north"), (True, "pass")]}),
    "tricks_by": (dk.tricks_by, {"deals": DEALS}),
    "law_of_total_tricks": (dk.law_of_total_tricks, {"deals": DEALS}),
    "par_statistics": (dk.par_statistics, {"deals": DEALS}),
    "best_contracts": (dk.best_contracts, {"deals": SAMPLE, "min_deals": 30}),
    "estimate": (dk.estimate, {"question": "hcp(north) + imps(hcp(south))", "deals": SAMPLE, "seed": 1,
                               "progress": False}),
    "all_deals": (dk.all_deals, {"predeal": {"north": "AKQJT98765432...", "south": ".AKQJT98765432.."}}),
    "break_even against": (dk.break_even, {"contract": "4S", "other": "3S", "tricks": {9: 0.5, 10: 0.5}}),
    "contracts": (dk.contracts, {"deals_or_given": FEW, "contracts": ["4S", "3NT"], "declarer": "north",
                                 "progress": False}),
    "contracts of a condition": (dk.contracts, {"deals_or_given": "hcp(north) > 20", "contracts": ["3NT"],
                                                "declarer": "north", "produce": 2, "seed": 1, "progress": False}),
    "lead": (dk.lead, {"hand": "AKQ2.432.432.432", "contract": "3NT", "declarer": "south", "produce": 2, "seed": 1,
                       **ONE}),
    "layouts": (dk.layouts, {"hands": DEAL, "n": 3, "seed": 1, **ONE}),
    "explore": (dk.explore, {"script": "hcp(north) > 9", "produce": 5, "seed": 1, "start": False}),
    "RunLimits": (dk.RunLimits, {}),
    "RunOptions": (lambda write=None, write_rest=None, quiet_pbn=False, files=None, title=None, opener=None,
        vulnerable=None, give_up=None, quote_formulas=False: dk.run_script(
        "hcp(north) > 12 action average hcp(south)", dk.RunOptions(
        produce=5, seed=1, write=write, write_rest=write_rest, quiet_pbn=quiet_pbn, files=files, title=title, opener=opener,
        vulnerable=vulnerable, give_up=give_up, quote_formulas=quote_formulas, **ONE)), {}),
    "run_script": (dk.run_script, {"script": "hcp(north) > 12", "options": dk.RunOptions(produce=5, seed=1, **ONE)}),
    "run with limits": (lambda seconds=None, memory=None, deals=None, output=None, limits=None: dk.run(
        "1", generate=5,
        limits=dk.RunLimits(seconds, memory, deals, output) if limits is None else limits), {}),
    "use_executor": (_use_executor, {"executor": None}),
    "Estimate.exactly n": (dk.Estimate.exactly, {"value": 0.5, "n": 3, "confidence": 0.9}),
    "Deal.diagram": (DEAL.diagram, {}),
    "DealArray.take": (ARRAY.take, {"indices": [1]}),
    "DealArray.isin": (ARRAY.isin, {"values": [DEAL]}),
    "ContractStudy.difference": (STUDY.difference, {"contract": "3NT by north", "vulnerable": "not vulnerable"}),
    "ContractStudy.makes": (STUDY.makes, {"contract": "3NT by north"}),
    "ContractStudy.plot": (STUDY.plot, {}),
    "LeadStudy.beats": (LEAD.beats, {"card": "SA"}),
    "LeadStudy.gain": (LEAD.gain, {"card": "SA", "other": "H2"}),
    "LeadStudy.mean_tricks": (LEAD.mean_tricks, {"card": "SA"}),
    "LeadStudy.plot": (LEAD.plot, {}),
    "Trial.calibration": (TRIAL.calibration, {}),
    "Trial.plot": (TRIAL.plot, {}),
    "TricksTable.pivot": (TRICKS.pivot, {"column": "tricks"}),
    "TricksTable.plot": (TRICKS.plot, {}),
    "Strategy.find_rules": (STRATEGY.find_rules, {"deals": FEW}),
    "Library.batches": (lambda size: list(LIBRARY.batches(size)), {"size": 10}),
    "Library.sample": (LIBRARY.sample, {"count": 3, "seed": 1}),
    "Library.page": (LIBRARY.page, {}),
    "Library.write": (LIBRARY.write, {"path": "library.pbn"}),
    "Library.where": (LIBRARY.where, {"text": "hcp(north) > 9"}),
    "Library.to_frame": (lambda name, dialect="modern", opener=None, params=(), vulnerable=None: LIBRARY.to_frame(
        name, dialect=dialect, opener=opener, params=params, vulnerable=vulnerable), {"name": "hcp"}),
    "Result.boards": (RESULT.boards, {}),
    "Result.plot": (RESULT.plot, {}),
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


LONG = ("produce", "generate", "deals", "n", "replicates", "size", "count")
CALLED = (
    "write",
    "write_rest",
    "progress",
    "lead_rule",
)  # with functions of the user, which raise what they raise
PYTHON_ERRORS: dict[str, tuple[type[Exception], ...]] = {  # what Python defines for these operations
    "round": (TypeError, OverflowError), "subtract": (TypeError, AttributeError), "format": (TypeError, ValueError),
    "index of deals": (IndexError, TypeError), "index of an array": (IndexError, TypeError, ValueError, OverflowError),
    "DealArray.take": (IndexError, TypeError, ValueError, OverflowError, Warning), "DealArray.isin": (TypeError, ValueError),
    "DealArray": (TypeError,),
}  # fmt: skip
NOT_CALLED = frozenset(  # results, which functions return; and what takes no argument
    "BestContracts BreakEvenProbability BreakEvenTable ContractStudy DealDtype Estimate EstimateResult Explorer Finding "
    "FittedPoints LawOfTotalTricks Layouts LeadStudy Library LineOfPlay ParStatistics Result Script Strategy Trial "
    "TricksTable break_even_table load_ipython_extension solved_sample".split()
)


def list_uncalled() -> set[str]:
    """Return the public names that no entry of `CALLS` calls."""
    public = {name for name in dk.__all__ if callable(value := getattr(dk, name))
              and not (isinstance(value, type) and issubclass(value, BaseException))}  # fmt: skip
    return public - {name.split()[0] for name in CALLS} - NOT_CALLED


def junk_calls(name: str) -> Iterator[tuple[str, str, Any, Callable[[], Any]]]:
    """Yield calls of a function with junk in one place: the description, the place, the junk, and the call."""
    function, valid = CALLS[name]
    for place in inspect.signature(function).parameters:
        if place in ("options", "kwargs", "expressions"):
            continue
        for k, junk in enumerate(JUNK):
            if place in LONG and isinstance(junk, int | np.integer) and junk > 10**9:
                continue  # a run of that length
            if place == "column" and not isinstance(junk, str):
                continue  # Python's own error
            if place in CALLED and callable(junk):
                continue
            call = functools.partial(function, **{**valid, place: junk})
            yield f"{name}({place}={junk!r:.40}) [{k}]", place, junk, call


def try_call(name: str, call: Callable[[], Any]) -> str:
    """Return "has a result", the message of an error of dealerkit after "refused: ", or what is wrong."""
    try:
        with checks.time_limit(), warnings.catch_warnings(), contextlib.redirect_stderr(io.StringIO()):
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", dk.DealerkitWarning)
            result = call()
            if not hasattr(result, "figure"):
                repr(result)
            plt.close("all")
    except dk.DealerkitError as error:
        return "refused: " + " ".join(str(error).split())
    except PYTHON_ERRORS.get(name, ()):
        return "refused by Python"
    except (Exception, checks.TooSlow) as error:
        return f"{type(error).__name__}: {error!s:.100}"
    return "has a result"


def names_argument(message: str, place: str, junk: Any) -> bool:
    """Return whether a message has the name of the argument, or its value."""
    text = " ".join(message.split())
    stems = (type(junk).__name__, place, place.rstrip("s"), place.replace("_", " "))
    return any(stem in text for stem in stems) or " ".join(repr(junk)[:20].split()) in text


def find_faults(name: str, with_messages: bool = False) -> tuple[Counter[str], list[str]]:
    """Return how many calls had which result, and those that raise what is not dealerkit's."""
    FEW.write("deals.pbn")
    RESULT.save("result.dk")
    function, valid = CALLS[name]
    result = try_call(name, functools.partial(function, **valid))
    counts: Counter[str] = Counter()
    found = [] if result == "has a result" else [f"{name}, a valid call: {result}"]
    for text, place, junk, call in junk_calls(name):
        result = try_call(name, call)
        kind = result.split(":")[0] if result.startswith(("has a", "refused")) else "found"
        counts[kind] += 1
        if kind == "found" or (
            with_messages and kind == "refused" and not names_argument(result, place, junk)
        ):
            found.append(f"{' '.join(text.split())}: {result}")
    return counts, found


def main(names: list[str]) -> int:
    """Print what was found; return 1 if a public name is called nowhere, or a call raises what is not dealerkit's."""
    if uncalled := list_uncalled():
        print(f"without an entry in CALLS: {', '.join(sorted(uncalled))}")
    with_messages, total = "--messages" in names, Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name in [name for name in names if name in CALLS] or CALLS:
            started = time.perf_counter()
            counts, found = find_faults(name, with_messages)
            total += counts
            print(f"{name}: {time.perf_counter() - started:.1f} s", file=sys.stderr, flush=True)
            for line in found:
                print(line.encode(errors="backslashreplace").decode(), flush=True)
    print(dict(total))
    return int(bool(uncalled or total["found"]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
