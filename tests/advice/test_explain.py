"""Explanations of scripts: acceptance rates, limits, errors, text and HTML."""

from __future__ import annotations

import argparse
import json
import math
import re
from html.parser import HTMLParser

import pandas as pd
import pytest

import dealerkit as dk
from dealerkit import ArgumentError, Estimate, FileError, ScriptError, explain, proportion
from dealerkit.appearance.numbers import format_significant
from dealerkit.cli.scripts import EXPLAIN
from dealerkit.compiler.compilation import compile_program
from dealerkit.language.checks import check_script
from dealerkit.language.dialects import MODERN
from dealerkit.language.parser import parse_script
from dealerkit.language.trees import split_clauses
from dealerkit.planning import make_plan
from dealerkit.planning.rates import Rates, Tally, estimate_rates

SIGMAS = 4.5  # a comparison fails by chance once in 150,000


def agree(first: Estimate, second: Estimate) -> bool:
    """Return whether two estimates of a share differ by no more than their common error."""
    return abs(first.value - second.value) <= SIGMAS * math.hypot(first.se, second.se) + 1e-12


@pytest.mark.parametrize(
    ("share", "condition"),
    [
        # The Official Encyclopedia of Bridge, tables of suit distributions and of point counts.
        (0.105361 + 0.215512 + 0.155168, "shape(north, any 4333 + any 4432 + any 5332)"),
        (0.044237 + 0.033109 + 0.023617, "hcp(east) >= 15 and hcp(east) <= 17"),
        (0.25, "hascard(south, AS)"),
        (0.25 * 13 / 51 / 0.25 * 0.25, "hascard(south, AS) and hascard(west, KS)"),
    ],
)
def test_rates_agree_with_published_tables(share, condition):
    explanation = explain(f"condition {condition}")
    assert explanation.probability.exact
    assert explanation.probability.value == pytest.approx(share, abs=2e-6)
    pilot = explanation.pilot
    assert abs(pilot.value - share) < SIGMAS * math.sqrt(share * (1 - share) / pilot.n)
    assert pilot.n == 65_536


SCRIPTS = [
    "condition shape(east, any 4333 + any 4432) and hcp(east) >= 12 and hcp(east) <= 17 and hcp(west) <= 9",
    "weak = hcp(west) < 9 long = spades(west) > 4 condition weak and long and (hcp(north) > 9 or aces(east))",
    "predeal north SAK, H2 condition spades(north) >= 5 and hcp(north) >= 10 and hcp(south) > hcp(north)",
    "predeal spades(west) == 6 condition hcp(west) >= 6 and hcp(west) <= 10 and hearts(east) >= 4",
    "condition spades(north) > 0 and 10 / spades(north) >= 3 and cccc(south) > 10.5",
]


@pytest.mark.parametrize("script", SCRIPTS)
def test_rates_are_those_of_runs_on_other_seeds(script):
    """Each clause alone and given those before, compared with runs whose condition it is."""
    explanation = explain(script)
    head, _, _ = script.partition("condition")
    passed = None
    for k, clause in enumerate(explanation.clauses):
        before = " and ".join(f"({earlier.text})" for earlier in explanation.clauses[: k + 1])
        result = dk.run(f"{head} condition {before} action", generate=200_000, seed=1000 + k, keep=0)
        given = proportion(result.produced, 200_000 if passed is None else passed)
        # `passed` comes from another seed, so its error is added.
        error = 0.0 if passed is None else given.value / math.sqrt(passed)
        assert clause.given is not None
        assert abs(clause.given.value - given.value) <= SIGMAS * math.hypot(clause.given.se, given.se, error)
        passed = result.produced
        if clause.alone is not None:
            alone = dk.run(f"{head} condition {clause.text} action", generate=200_000, seed=2000 + k, keep=0)
            assert agree(clause.alone, alone.probability)
    whole = dk.run(f"{script} action", generate=400_000, seed=3000, keep=0)
    assert explanation.probability is not None
    assert agree(explanation.probability, whole.probability)


def test_the_acceptance_rate_is_the_product_of_the_shares_in_order(stayman):
    explanation = explain(stayman)
    assert math.prod(float(clause.given) for clause in explanation.clauses) == pytest.approx(
        explanation.pilot.value
    )
    first = explanation.clauses[0]
    assert first.alone == first.given
    assert explanation.deals_per_produced.value == pytest.approx(1 / explanation.probability.value)
    assert explanation.deals_per_produced.lo == pytest.approx(1 / explanation.probability.hi)


def test_clauses_have_the_order_of_the_plan(stayman):
    for script in (*SCRIPTS, stayman):
        program = check_script(parse_script(script, MODERN))
        plan = make_plan(compile_program(program))
        clauses = list(split_clauses(program.condition, program.definitions))
        assert [plan.graph.add_expression(node) for node in clauses] == list(plan.clauses)


def test_a_script_has_the_same_rates_each_time_and_not_those_of_a_run(stayman):
    assert explain(stayman).text == explain(stayman).text
    explanation = explain("condition hcp(north) >= 12 action", deals=65_536).pilot
    runs = [
        dk.run("condition hcp(north) >= 12 action", generate=65_536, seed=seed, keep=0) for seed in range(5)
    ]
    assert round(explanation.value * 65_536) not in [run.produced for run in runs]


def test_more_pilot_deals_narrow_the_interval():
    script = "condition hcp(north) >= 20"
    few, many = explain(script, deals=1000).pilot, explain(script, deals=200_000).pilot
    assert (few.n, many.n) == (1000, 200_000)
    assert (few.hi - few.lo) > 10 * (many.hi - many.lo)


def test_clauses_as_a_frame(stayman):
    frame = pd.DataFrame(explain(stayman).clauses)
    assert list(frame.columns) == ["number", "text", "alone", "given", "line", "column", "note"]
    assert frame.given.astype(float).iloc[0] == pytest.approx(0.476, abs=0.01)
    assert (frame.line.iloc[0], frame.column.iloc[0]) == (2, 16)


def test_the_product_holds_for_clauses_evaluated_on_fewer_deals():
    """The interval becomes wider, the rate remains the product of the shares."""
    given = (Tally(60_000, 30_000), Tally(100, 50), Tally(50, 10))
    share = Rates(60_000, given, given).probability
    assert share.value == pytest.approx(0.5 * 0.5 * 0.2)
    assert share.lo < share.value < share.hi
    assert share.hi - share.lo > 0.04
    plain = Rates(100, (), (Tally(100, 50), Tally(50, 10))).probability
    assert plain == proportion(10, 100)


def test_an_expensive_function_is_evaluated_on_few_pilot_deals():
    import numpy as np

    from dealerkit import registry
    from dealerkit.compiler.graph import OperationGraph

    sizes = []

    def slow(hand):
        sizes.append(len(hand))
        return np.ones(len(hand), np.int16)

    registry.register(registry.Function("expensive", ("seat",), slow, low=0, high=1, cost=1e7))
    try:
        graph = OperationGraph(MODERN)
        program = check_script(parse_script("hcp(north) > 9 and expensive(north) == 1", MODERN))
        rates = estimate_rates(
            graph, [graph.add_expression(node) for node in program.condition.operands], 65_536
        )
    finally:
        registry.unregister("expensive")
    assert 190 <= rates.alone[1].n_deals == rates.given[1].n_deals <= 200  # two seconds at 10 ms each
    assert max(sizes) <= 200
    assert rates.probability.n == rates.given[1].n_deals


# ---------------------------------------------------------------- scripts that cannot be run
@pytest.mark.parametrize(
    ("script", "rules", "message"),
    [
        ("condition hcp(north) = 15", "modern", "a comparison is written =="),
        ("condition hpc(north) == 15", "modern", "did you mean 'hcp'?"),
        ("condition hcp(north) > 1 condition hcp(east) > 1", "modern", "a second condition"),
        ("condition ltc(north) < 550", "modern", "not in hundredths"),
        ("condition board() > 3", "modern", "in actions only"),
        ("predeal north SA\npredeal south SA", "modern", "predealt to north and to south"),
        ("altcount 99 1 2", "v2", "altcount"),
    ],
)
def test_scripts_that_cannot_be_run_are_explained_by_their_error(script, rules, message):
    explanation = explain(script, dialect=rules)
    assert isinstance(explanation.error, ScriptError)
    assert message in explanation.text
    assert explanation.text.startswith("The script cannot be run\n")
    assert "^" in explanation.text
    assert message.split("'")[0].split("==")[0] in explanation._repr_html_()


def test_the_place_of_a_contradictory_predeal_is_reported():
    error = explain("predeal north SA\npredeal south SA\ncondition 1").error
    assert (error.line, error.column) == (2, 9)


def test_invalid_arguments_raise():
    with pytest.raises(ArgumentError, match="1 or more"):
        explain("condition 1", deals=0)
    with pytest.raises(ArgumentError):
        explain("condition 1", dialect="v3")


def test_scripts_from_files(tmp_path):
    path = tmp_path / "a.dealer"
    path.write_text("condition hcp(north) = 3")
    assert str(path) in explain(path).text
    with pytest.raises(FileError):
        explain(tmp_path / "missing.dealer")


def test_a_script_with_a_function_that_is_not_computed_yet_is_explained(unfinished):
    explanation = explain("condition hcp(north) > 9 and unfinished(NS) > 3 and hcp(south) > 9")
    assert explanation.error is None
    assert [clause.given is None for clause in explanation.clauses] == [False, True, False]
    assert "not computed yet" in explanation.clauses[1].note
    assert explanation.probability is None


def test_clauses_have_notes():
    explanation = explain(
        "condition spades(north) > 0 and 10 / spades(north) > 2 and rnd(3) == 0", deals=30_000
    )
    assert [bool(clause.note) for clause in explanation.clauses] == [False, True, True]
    assert explanation.clauses[1].alone is None
    assert explanation.clauses[1].given is not None
    assert explanation.clauses[2].alone.value == pytest.approx(1 / 3, abs=0.02)
    counted = explain("condition rnd(0) > 3", dialect="v2")
    assert "deals that were produced before" in counted.clauses[0].note
    assert counted.probability is None
    old = explain("predeal spades(west) == 7 condition hcp(west) > 3", dialect="v1")
    assert any("ignores a predeal of lengths" in note for note in old.notes)


# ---------------------------------------------------------------- text
@pytest.mark.parametrize(
    ("script", "lines"),
    [
        (
            "condition hascard(north, AS)",
            [
                "A run stops at 40 deals produced, by default, after about 160 dealt.",
                "It stops at the latest at 10,000,000 deals dealt, by default.",
            ],
        ),
        (
            "produce 10 condition hascard(north, AS)",
            ["A run stops at 10 deals produced, as set in the script, after about 40 dealt."],
        ),
        (
            "generate 1000 condition hascard(north, AS) action",
            ["A run stops at 1,000 deals dealt, as set in the script, with about 250 produced."],
        ),
        (
            "generate 100 produce 90 condition hascard(north, AS)",
            ["that would need about 360 dealt.", "It stops at the latest at 100 deals dealt"],
        ),
        (
            "generate 100 action",
            ["A run stops at 100 deals dealt, as set in the script.", "every deal is produced"],
        ),
        (
            "condition hcp(north) > 9",
            ["depends on north; the hands of east and west are dealt for produced deals only."],
        ),
        ("condition hcp(north) > hcp(east)", ["The condition depends on north and east."]),
    ],
)
def test_limits_and_seats_in_the_text(script, lines):
    text = explain(script).text
    for line in lines:
        assert line in text


def test_numbers_have_two_significant_digits():
    assert format_significant(4123.0) == "4,100"
    assert format_significant(987654) == "990,000"
    assert format_significant(1.04) == "1.0"


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.most = 0

    def handle_starttag(self, tag, attrs):
        if tag not in ("br", "meta"):
            self.open.append(tag)
            self.most = max(self.most, len(self.open))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_html_is_well_formed_and_escaped(stayman):
    explanation = explain(stayman + '\n# <script>alert("x")</script>')
    html = explanation._repr_html_()
    tags = Tags()
    tags.feed(html)
    assert tags.open == []
    assert tags.most > 6
    assert "<code>hcp(east) &lt;= 17</code>" in html
    body = html.partition("</pre>")[2]
    for words in re.findall(r"^ +[\d, ]*  (\w.*points)$", explanation.text, re.MULTILINE):
        assert words in body


# ---------------------------------------------------------------- the command
def command(capsys, *words: str) -> tuple[int, str]:
    parser = argparse.ArgumentParser()
    EXPLAIN.add_arguments(parser)
    return EXPLAIN.run(parser.parse_args(words)), capsys.readouterr().out


def test_the_command_prints_the_text(tmp_path, capsys, stayman):
    path = tmp_path / "stayman.dealer"
    path.write_text(stayman)
    assert command(capsys, str(path)) == (0, explain(stayman).text)
    assert command(capsys, str(path), "--deals", "500") == (0, explain(stayman, deals=500).text)
    path.write_text("condition hcp(north) >= $0")
    status, out = command(capsys, str(path), "--param", "0=12")
    assert status == 0
    assert "at least 12 points" in out
    path.write_text("condition hcp(north) = 12")
    assert command(capsys, str(path))[0] == 2
    for text in ("12", "10=12", "x y=12"):
        with pytest.raises(ArgumentError, match="as low=15 or 0=spades"):
            command(capsys, str(path), "--param", text)


def test_the_command_explains_a_deal(tmp_path, capsys):
    path = tmp_path / "a.dealer"
    path.write_text("condition hcp(north) >= 12")
    deal = "N:AKQJ.T98.5432.32 T98.AKQ.JT98.JT9 765.J765.AKQ.AKQ 432.432.76.87654"
    status, out = command(capsys, str(path), "--why", deal)
    assert status == 0
    assert "hcp(north) = 10, required at least 12" in out


def test_the_command_lists_functions_and_actions(capsys):
    from dealerkit import registry
    from dealerkit.language.signatures import ACTIONS

    status, out = command(capsys, "--functions")
    text = " ".join(out.split())  # of wrapped lines
    assert status == 0
    for function in registry.functions():
        if function.kind != "item":
            assert function.signature in out
            assert function.source in text
            assert function.summary in text
    assert all(f"\n  {name}" in out and action.summary in text for name, action in ACTIONS.items())
    assert max(map(len, out.splitlines())) <= 80
    _, old = command(capsys, "--functions", "--dialect", "v1")
    assert "hcp(seat, suit?)" in old
    assert "spades(seat)" in old
    assert "ltc" not in old
    assert "csvrpt" not in old


@pytest.mark.parametrize(
    ("condition", "acceptance"),
    [
        ("1", "every deal is produced, counted without dealing"),
        ("hcp(north) <= 37", "every deal is produced, counted without dealing"),
        (
            "not (hcp(north) == 37)",
            "exactly 99.9999999993701 % of all deals are produced, counted without dealing",
        ),
        ("not (spades(north) == 4)", "exactly 76.14 % of all deals are produced, counted without dealing"),
        ("spades(north) == 4", "exactly 1 deal in 4.1910 is produced, counted without dealing"),
        ("hcp(north) > 40", "no deal is produced: not one meets the condition, counted without dealing"),
    ],
)
def test_the_sentence_about_the_acceptance_rate_fits_its_size(condition, acceptance):
    # 4 of the 635,013,559,600 hands hold 37 points, C(13, 4) C(39, 9) of them four spades.
    assert explain(f"condition {condition}", deals=100).acceptance == acceptance


def test_a_run_that_deals_nothing_has_no_limits():
    assert explain("condition hcp(north) > 40", deals=100).limits == ()


def test_an_estimate_above_a_half_is_a_percentage():
    explanation = explain("condition hcp(north) / (spades(north) + 1) < 5", deals=1000)
    passed = round(1000 * explanation.probability.value)
    assert explanation.acceptance.startswith(f"about {passed / 10:.1f} % of all deals are produced (")
    assert explanation.acceptance.endswith(f"): {passed} of 1,000 pilot deals")


# ---------------------------------------------------------------- data
def test_the_card_has_the_numbers_of_the_explanation(stayman):
    explanation = explain(stayman)
    data = json.loads(json.dumps(explanation.to_dict()))
    assert data["probability"]["value"] == explanation.probability.value
    (clauses,) = (
        table for table in data["tables"] if "alone" in [column["name"] for column in table["columns"]]
    )
    for row, clause in zip(clauses["rows"], explanation.clauses, strict=True):
        assert (row["clause"], row["alone"]["value"]) == (clause.text, clause.alone.value)
        assert row["given"]["lo"] == clause.given.lo
    assert explanation.to_frame().given.tolist() == [clause.given.value for clause in explanation.clauses]
    assert all(text in explanation.to_latex() for text in ("47.7 $\\pm$ 0.4", "east holds 15 to 17 points"))


def test_the_lines_of_a_narrow_text_fit():
    explanation = explain(
        "condition 11 < hcp(north) and shape(north, any 4333 + any 4432 + any 5332 + any 5422)"
    )
    lines = explanation.card().to_text(70).splitlines()
    assert max(map(len, lines)) <= 70
    assert "any 5422" in " ".join(lines)
    assert " ".join("".join(lines).split()).count("shape(north,") == 1


def test_an_error_is_a_table():
    data = explain("condition hcp(north) = 15").to_dict()
    assert data["title"] == "The script cannot be run"
    (row,) = data["tables"][0]["rows"]
    assert (row["line"], row["column"], row["source"]) == (1, 22, "condition hcp(north) = 15")
