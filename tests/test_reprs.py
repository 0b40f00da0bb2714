"""The reprs of public objects have at most 200 characters, whatever the size of what they hold."""

from __future__ import annotations

import tempfile
import warnings
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import dealerkit as dk
from dealerkit.compiler.compilation import compile_script
from dealerkit.formats.content import Records
from dealerkit.registry import get_function
from tests.support.events import make_pbn

LONG_SUM = " + ".join(f"{i} * hcp({seat})" for i in range(1, 60) for seat in ("north", "south"))
LONG_NAME = "x" * 400
SCRIPT = "\n".join(
    [
        *(f"variable{i} = hcp(north) + {i}" for i in range(80)),
        "predeal east SAK, HAK, DAK, CAK",
        f"condition hcp(north) >= 12 and hcp(north) <= 24 and shape(north, any 4333 + any 4432 + any 5332) and {LONG_SUM} > 1000",
        f'action average "{LONG_NAME}" hcp(south), average {LONG_SUM}, frequency ({LONG_SUM}, 0, 9000),',
        f'frequency "{LONG_NAME}" (hcp(north), 0, 37, hcp(south), 0, 37), bktfreq (hcp(north), 0, 37, 2), printoneline,',
        "evalcontract (NS, 4S, nv), average dds(north, spades)",
    ]
)


def build_objects():
    """Yield public objects with large contents, and their parts, by name."""
    sample = dk.solved_sample()[:300]
    text = sample[0].pbn
    script = dk.parse(SCRIPT)
    yield "script", script
    yield from ((f"statement {i}", part) for i, part in enumerate(script.statements[-4:]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = dk.run("\n".join([*SCRIPT.split("\n")[:-1], "printew"]), produce=30, seed=1)
    yield "result", result
    yield "plan", result.plan
    yield "finding", dk.check(LONG_NAME, "v1")[0]
    yield "ledger", result.solver
    yield "graph", result.plan.graph
    yield "operation", result.plan.graph.operations[-1]
    yield "program", result.plan.program
    yield from ((f"report {i}", report) for i, report in enumerate(result.reports))
    yield from ((f"action {i}", action) for i, action in enumerate(result.plan.actions))
    conditional = dk.run("condition hcp(north) >= 24 and controls(south) >= 5", produce=5, seed=1)
    yield from (("conditional plan", conditional.plan), ("sampling", conditional.plan.sampling))
    others = dk.run("action evalcontract (NS, 4S, nv), print(north, south)", produce=2, seed=1)
    yield from ((f"other report {i}", report) for i, report in enumerate(others.reports))
    explanation = dk.explain(SCRIPT)
    yield from (
        ("explanation", explanation),
        ("part", explanation.condition),
        ("clause", explanation.clauses[-1]),
    )
    yield from ((f"mistake {i}", mistake) for i, mistake in enumerate(explanation.mistakes))
    yield "refused script", dk.explain(f"condition {LONG_NAME}(north)")
    reasons = dk.why(SCRIPT, sample[0])
    yield from (
        ("why", reasons),
        ("result of a part", reasons.condition),
        ("result of a clause", reasons.clauses[-1]),
    )
    yield "compiled script", compile_script(SCRIPT)
    board = 10**9
    yield "deal", dk.Deal(text, vulnerable=3, dealer=3, board=board)
    yield (
        "deals",
        sample.replace(
            vulnerable=np.full(300, 3),
            dealer=np.full(300, 3),
            board=np.full(300, board),
            weight=np.ones(300),
            cluster=np.arange(300),
        ),
    )
    partial = dk.PartialDeal("N:AKQJ.T98.5432.32 - 765.AKxx.xx.xxxx -", dealer=0)
    yield "partial deal", partial
    yield "partial deals", dk.PartialDeals([partial], name=f"{LONG_NAME}.pbn")
    yield "library", dk.Library(Records(sample, name=f"{LONG_NAME * 10}.pbn"))
    yield from (
        ("array", dk.DealArray(sample)),
        ("small array", dk.DealArray([text, None])),
        ("dtype", dk.DealDtype()),
    )
    yield "empty array", dk.DealArray([])
    yield "estimate", dk.proportion(123_456_789, 10**15, confidence=0.99)
    yield "exact estimate", dk.probability("spades(north) == 13") - Fraction(10**40, 10**41 + 1)
    yield (
        "trial",
        dk.compare(
            {f"{name} {LONG_NAME}": name for name in ("hcp", "zar", "losers")},
            sample=sample[:40],
            replicates=100,
        ),
    )
    with pytest.warns(dk.TrialWarning):
        selected = dk.compare(
            ["hcp", "losers"], sample=sample[:40], where=f"hcp{' + 0' * 200} > 15", replicates=100
        )
    yield "selected trial", selected
    yield "explorer", dk.explore("hcp(north) > 20", seed=1, start=False)
    yield "fitted points", dk.fit_points({f"{LONG_NAME} {k}": k for k in ("hcp", "fit")}, sample=sample[:40])
    yield "par", dk.par(sample)
    yield "statistics of par", dk.par_statistics(sample[:40])
    yield "par of boards", dk.tabulate_par(sample[:40])
    yield "best contracts", dk.best_contracts(sample, where=f"hcp >= 5{' + 0' * 200}", min_deals=30)
    yield from (("break-even chance", dk.break_even("4Sxx", "3Sxx")), ("chances", dk.break_even_table()))
    yield "tricks", dk.tricks_by(sample[:40], points=f"hcp{' + 0' * 200}", where=f"hcp{' + 0' * 200} >= 0")
    sweep = dk.sweep(
        f"{LONG_NAME} = hcp(north) >= $low condition {LONG_NAME} action average hcp(south){' + 0' * 200}",
        low=range(300), produce=1,
    )  # fmt: skip
    yield "sweep", sweep
    yield "layouts", dk.layouts(sample[0], n=1, strain="notrump")
    yield "law of total tricks", dk.law_of_total_tricks(sample[:40], where=f"hcp(north){' + 0' * 200} >= 0")
    with pytest.warns(dk.DoubleDummyBias):
        yield (
            "contracts",
            dk.contracts(sample[:40], {LONG_NAME: "3NT by north", f"{LONG_NAME}2": "2NT by north"}),
        )
        yield (
            "estimate of a study",
            dk.estimate("dds(north, spades)" + " + 0" * 200, deals=sample[:40], method="plain", precision=9),
        )
        with pytest.warns(dk.SmallSample):
            hands = ("AQ2.K52.A873.T42", "K54.AQ3.K52.AQ63")
            yield "cards", dk.card(*hands, "3NT by south", "HJ", given=f"1{' + 0' * 200}", produce=2)
            yield "leads", dk.lead("QJ752.K83.94.T62", "3NT by south", given=f"1{' + 0' * 200}", produce=2)
    yield "limits", dk.RunLimits(seconds=10**9, memory=10**15, deals=10**15, output=10**15)
    yield "options of a run", dk.RunOptions(produce=10, title=LONG_NAME, predeal={"north": LONG_NAME})
    yield "strategy", dk.strategy([(f"hcp(north){' + 0' * 200} > 9", "1NT by north"), (True, "pass")])
    yield "line of play", dk.line(sample[:1], "3NT", "south")
    yield "error of the solver", dk.SolverError(-1, LONG_NAME, 10**9)
    yield from ((name, get_function(name)) for name in ("hcp", "opc", "dds", "usereval"))
    play = dk.suit("AQT96", "8754", tricks=4)
    yield "suit", play
    yield "quiz", dk.suit_quiz(1, seed=1)
    yield "breaks", dk.breaks("KQJxx", west="2-4")
    yield "plan", dk.plan(["AKQ2 opposite 543, 4 tricks"] * 4, need=2)
    yield "lines compared", play.compare("cash the ace; low to the queen", "low to the queen")
    yield from build_bidding()
    yield from build_results()


def build_bidding():
    """Yield objects of a bidding system with a long title."""
    system = dk.parse_system(f'system "{LONG_NAME}"\nextends "sayc"\n')
    yield "system", system
    yield "check of a system", system.check()
    yield "frequencies of calls", system.frequencies()
    yield "description of calls", system.describe("1NT")
    yield "difference of systems", system.difference(system, "1NT")
    yield "notes of a system", system.notes()
    deals = dk.deal(3, seed=1)
    yield "explained auctions", system.explains(deals, ["1NT P P P"] * 3, dealer="north")
    yield (
        "survey of auctions",
        dk.survey_auctions(deals, [system], auctions=["1NT P P P"] * 3, dealer="north"),
    )
    yield "bidden deals", dk.bid_out(deals, system, system)
    yield "systems compared", dk.compare_systems("sayc", "acol", 40, max_unfinished=1)
    yield "auction", dk.auction("1NT-3NT", system=system, dealer="south")


def build_results():
    """Yield objects of an event whose names are long."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "evening.pbn"
        path.write_text(make_pbn().replace("Invented pairs", LONG_NAME), "utf-8")
        results = dk.results(path)
        yield "results of many files", dk.stream_results(folder)
    yield "results", results
    yield "report of results", results.recap("1")
    yield "rules of an event", dk.EventScoring("butler", datum="median", winners=2, by_section=True)


@pytest.fixture(scope="module")
def objects() -> dict[str, object]:
    return dict(build_objects())


CLASSES = [getattr(dk, name) for name in dk.__all__ if isinstance(getattr(dk, name), type)]
ERRORS = [
    kind
    for kind in CLASSES
    if issubclass(kind, dk.DealerkitError | dk.DealerkitWarning) and kind is not dk.SolverError
]


def test_reprs_have_at_most_200_characters(objects):
    lengths = {name: len(repr(value)) for name, value in objects.items()}
    assert len(lengths) > 40 and not {
        name: length for name, length in lengths.items() if not 0 < length <= 200
    }


@pytest.mark.parametrize("kind", ERRORS)
def test_reprs_of_errors(kind):
    assert len(ERRORS) > 15
    text = repr(kind(LONG_NAME))
    assert len(text) <= 200 and text.startswith(f"{kind.__name__}('xxx")
    assert str(kind(LONG_NAME)).count("x") >= 400  # the message itself is whole
    assert repr(kind("short")) == f"{kind.__name__}('short')"


def test_all_public_classes_are_covered(objects):
    public = {value for name in dk.__all__ if isinstance(value := getattr(dk, name), type)}
    assert public <= {type(value) for value in objects.values()} | set(ERRORS)
    reports = {type(value).__name__ for value in objects.values() if type(value).__name__.endswith("Report")}
    assert reports >= {"AverageReport", "FrequencyReport", "CrossReport", "ContractReport", "HandsReport"}


def test_text_of_a_trial_is_its_tables(objects):
    trial = objects["selected trial"]
    assert str(trial) == trial.text and trial.text.startswith("Tricks in")
    assert repr(trial).startswith("<Trial of hcp, losers: ")


def test_reprs_of_columns_show_their_length(objects):
    assert repr(objects["array"]).splitlines()[-1] == "Length: 300, dtype: deal"
    assert (
        repr(objects["small array"])
        == f"<DealArray>\n[{objects['small array'][0]}, ...]\nLength: 2, dtype: deal"
    )
