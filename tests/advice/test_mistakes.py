"""Mistakes: each kind has scripts with it and scripts without."""

from __future__ import annotations

import re
import time
import warnings
from pathlib import Path

import pytest

import dealerkit as dk
from dealerkit import explain
from dealerkit.compiler.text_mistakes import Mistake

SCRIPTS = sorted((Path(__file__).parents[2] / "data" / "scripts").glob("*.dealer"))
EXAMPLES = Path("/usr/share/doc/dealer/examples")


def find_mistakes(text: str, rules: str = "modern") -> list[Mistake]:
    explanation = explain(text, dialect=rules, deals=20_000)
    assert explanation.error is None
    return explanation.mistakes


def list_kinds(text: str, rules: str = "modern") -> list[str]:
    return [mistake.kind for mistake in find_mistakes(text, rules)]


GOOD = "hcp(north) >= 12 and spades(north) >= 5"


@pytest.mark.parametrize(
    ("kind", "bad", "good"),
    [
        ("never", "condition hcp(north) >= 36", f"condition {GOOD}"),
        ("never", "condition hcp(north) > 40", "condition hcp(north) > 4"),
        ("always", "condition hcp(north) >= 0", "condition hcp(north) >= 1"),
        (
            "always",
            "condition spades(north) + spades(south) <= 13",
            "condition spades(north) + spades(south) <= 12",
        ),
        (
            "predeal",
            "predeal north SAK condition hascard(north, AS)",
            "predeal north SAK condition hascard(north, QS)",
        ),
        ("predeal", "predeal north SAK condition hascard(south, AS)", "condition hascard(south, AS)"),
        (
            "predeal",
            "predeal north SAKQ condition spades(north) >= 3",
            "predeal north SAKQ condition spades(north) >= 5",
        ),
        (
            "predeal",
            "predeal north SAKQ condition hcp(north) >= 9",
            "predeal north SAKQ condition hcp(north) >= 10",
        ),
        (
            "predeal",
            "predeal north SAKQ south SJT condition fit(NS, spades) >= 5",
            "predeal north SAKQ south SJT condition fit(NS, spades) >= 6",
        ),
        (
            "predeal",
            "predeal spades(west) == 7 condition spades(west) > 6",
            "predeal spades(west) == 7 condition hearts(west) > 2",
        ),
        (
            "contradiction",
            "condition hcp(north) > 15 and hcp(north) < 10",
            "condition hcp(north) > 15 and hcp(south) < 10",
        ),
        (
            "contradiction",
            "condition spades(north) + hearts(north) > 9 and clubs(north) > 3",
            "condition spades(north) + hearts(north) > 9 and clubs(north) < 3",
        ),
        (
            "repeat",
            "condition hcp(north) > 9 and hcp(north) > 9",
            "condition hcp(north) > 9 and hcp(south) > 9",
        ),
        (
            "repeat",
            "condition hcp(north) > 9 or hcp(north) > 9",
            "condition hcp(north) > 9 or hcp(south) > 9",
        ),
        (
            "repeat",
            "a = hcp(north) > 9 b = hcp(north) > 9 condition a and b",
            "a = hcp(north) > 9 b = hcp(east) > 9 condition a and b",
        ),
        (
            "repeat",
            "condition hcp(north) > 9 and hcp(north) > 4",
            "condition hcp(north) > 4 and hcp(north) > 9",
        ),
        ("unused", f"x = hcp(east) condition {GOOD}", f"x = hcp(east) condition {GOOD} and x > 9"),
        (
            "unused",
            f"x = hcp(east) y = x + 1 condition {GOOD}",
            f"x = hcp(east) y = x + 1 condition {GOOD} action average y",
        ),
        ("chained", "condition 1 < hcp(north) < 5", "condition 1 < hcp(north) and hcp(north) < 5"),
        ("not", "condition not hcp(north) == 3", "condition not (hcp(north) == 3)"),
        ("not", "condition not hcp(north) + hcp(south) > 30", "condition not hascard(north, AS)"),
        ("truth", "condition hascard(north, AS) > 1", "condition hascard(north, AS) == 1"),
        (
            "truth",
            "condition 2 == shape(north, any 4333)",
            "condition hascard(north, AS) + hascard(north, KS) == 2",
        ),
        ("truth", "a = hcp(north) > 9 condition a == 2", "condition (hcp(north) > 9) == (hcp(south) > 9)"),
        (
            "or",
            "condition hcp(north) > 9 and spades(north) > 4 or hearts(north) > 4",
            "condition hcp(north) > 9 and (spades(north) > 4 or hearts(north) > 4)",
        ),
        (
            "or",
            "condition hearts(north) > 4 or hcp(north) > 9 and spades(north) > 4",
            "condition hearts(north) > 4 or (hcp(north) > 9 and spades(north) > 4)",
        ),
        (
            "or",
            "condition (hcp(north) > 9 or hcp(east) > 9) and hcp(west) > 9 or hcp(south) > 9",
            "condition ((hcp(north) > 9 or hcp(east) > 9) and hcp(west) > 9) or hcp(south) > 9",
        ),
        (
            "or",
            "condition (hcp(north) > 9 and hcp(east) > 4 or hcp(south) > 9)",
            "condition hcp(north) > 9 and hcp(east) > 4 or hcp(south) > 9 and hcp(west) > 4",
        ),
        ("precedence", "condition 2 * hcp(north) / 3 >= 5", "condition (2 * hcp(north)) / 3 >= 5"),
        ("precedence", "condition hcp(north) / 2 % 3 >= 1", "condition (hcp(north) / 2) % 3 >= 1"),
        (
            "division",
            "condition hcp(north, spades) >= hcp(north) / 2",
            "condition 2 * hcp(north, spades) >= hcp(north)",
        ),
        ("division", "condition hcp(north) / 2 > 5", "condition hcp(north) / 2 >= 5"),
        ("division", "condition hcp(north) / 2 >= 5.5", "condition hcp(north) / 2.0 >= 5.5"),
        (
            "division",
            "half = hcp(north) / 2 condition half == 5",
            "half = hcp(north) / 2.0 condition half == 5",
        ),
        ("division", "action average hcp(north) / 4", "action frequency (hcp(north) / 4, 0, 9)"),
        (
            "empty",
            "condition 10 / spades(north) >= 3",
            "condition spades(north) > 0 and 10 / spades(north) >= 3",
        ),
    ],
)
def test_kinds_in_modern_scripts(kind, bad, good):
    assert kind in list_kinds(bad)
    assert kind not in list_kinds(good)


@pytest.mark.parametrize(
    ("rules", "kind", "bad", "good"),
    [
        ("v1", "replaced", f"condition hcp(east) > 9 condition {GOOD}", f"condition {GOOD}"),
        (
            "v2",
            "replaced",
            "condition 1 action printall action printew",
            "condition 1 action printall, printew",
        ),
        ("v1", "units", "condition cccc(north) > 12", "condition cccc(north) > 1200"),
        ("v2", "units", "condition ltc(north) < 7", "condition ltc(north) < 7.0"),
        ("v2", "units", "condition hcp(north) > 12.5", "condition cccc(north) > 12.5"),
        (
            "v2",
            "units",
            "condition hcp(north) + ltc(north) > 13",
            "condition 100 * hcp(north) + ltc(north) > 1300",
        ),
        ("v2", "units", "x = ltc(north) condition 7 > x", "x = ltc(north) condition 700 > x"),
        ("v2", "units", "condition hcp(north) > 4.5", "pointcount 4.5 3 1.5 condition hcp(north) > 4.5"),
        ("v2", "units", "condition cccc(north) > 20", "condition cccc(north) > 0"),
        ("v2", "precedence", "condition 2 * hcp(north) / 3 >= 5", "condition 2 * (hcp(north) / 3) >= 5"),
        ("v2", "precedence", "condition 1 < hcp(north) <= 5", "condition 1 < hcp(north) and hcp(north) <= 5"),
        ("v1", "precedence", "condition hcp(north) / 2 % 3 == 1", "condition hcp(north) / (2 % 3) == 1"),
        ("v1", "chained", "condition 1 < hcp(north) < 5", "condition 1 < hcp(north) && hcp(north) < 5"),
    ],
)
def test_kinds_in_scripts_of_the_old_dialects(rules, kind, bad, good):
    assert kind in list_kinds(bad, rules)
    assert kind not in list_kinds(good, rules)


@pytest.mark.parametrize(
    ("text", "instead"),
    [
        ("condition 1 < hcp(north) < 5", "1 < hcp(north) and hcp(north) < 5"),
        ("condition hcp(north) > 9 or -2 < -1 <= 0", "-2 < -1 and -1 <= 0"),
        ("condition hcp(north) >= 15 <= 17", "hcp(north) >= 15 and hcp(north) <= 17"),
        ("condition not hcp(north) == 3", "not (hcp(north) == 3)"),
        (
            "condition hcp(north) > 1 and hcp(east) > 1 or hcp(west) > 1",
            "hcp(north) > 1 and (hcp(east) > 1 or hcp(west) > 1)",
        ),
        (
            "condition hcp(north) > 1 or hcp(east) > 1 and hcp(west) > 1",
            "(hcp(north) > 1 or hcp(east) > 1) and hcp(west) > 1",
        ),
        ("condition hcp(north, spades) >= hcp(north)/2", "2 * hcp(north, spades) >= hcp(north)"),
        ("condition hcp(north)/2 > 5", "hcp(north) > 10"),
    ],
)
def test_the_suggested_expression_is_without_the_mistake(text, instead):
    reported = find_mistakes(text)
    assert instead in [mistake.instead for mistake in reported]
    again = list_kinds(f"condition {instead}")
    assert not {mistake.kind for mistake in reported if mistake.instead} & set(again)


def test_mistakes_have_places_and_the_order_of_the_text():
    text = "half = hcp(north) / 2\nspare = hcp(west)\ncondition half == 5\n  and not hcp(east) == 3"
    reported = find_mistakes(text)
    assert [
        (mistake.kind, mistake.place.line, mistake.place.column) for mistake in reported if mistake.place
    ] == [
        ("division", 1, 8),
        ("unused", 2, 1),
        ("not", 4, 7),
    ]


def test_both_meanings_are_shown_with_parentheses():
    (reported,) = [
        mistake
        for mistake in find_mistakes("condition 2 * hcp(north) / 3 >= 5", "v2")
        if mistake.kind == "precedence"
    ]
    assert reported.message == (
        "`2 * hcp(north) / 3` is parsed as `2 * (hcp(north) / 3)` by DealerV2 and as `(2 * hcp(north)) / 3` "
        "by dealer v1 and in modern scripts; write parentheses"
    )


def test_messages_distinguish_counts_and_proofs():
    (rare,) = find_mistakes("condition hcp(north) >= 36")
    assert rare.message == "`hcp(north) >= 36` is true in none of 20,000 pilot deals"
    (never,) = find_mistakes("condition hcp(north) > 40")
    assert never.message == "`hcp(north) > 40` is never true: hcp(north) is 0 to 37"
    (both,) = find_mistakes("condition hcp(north) > 15 and hcp(north) < 10")
    assert both.message == "`hcp(north) < 10` can never be true together with the clauses before it"


def test_variables_of_a_script_without_condition_are_not_unused():
    assert list_kinds("weak = hcp(north) < 6") == []


def test_precedence_is_compared_with_values_of_script_variables():
    explanation = explain("condition 2 * $0 / 3 >= 5", params=["hcp(north)"], deals=100)
    assert "precedence" in [mistake.kind for mistake in explanation.mistakes]


def test_many_unused_variables_are_one_mistake():
    text = "".join(f"part{k} = hcp(north) > {k}\n" for k in range(9)) + "condition part3"
    (reported,) = find_mistakes(text)
    assert reported.message.startswith(
        "8 variables are used by no condition and no action: part0, part1, part2, "
    )
    assert reported.place.line == 1


def test_a_script_without_mistakes(stayman):
    assert find_mistakes(stayman) == []


@pytest.mark.parametrize("path", SCRIPTS, ids=[path.stem for path in SCRIPTS])
def test_scripts_of_the_repository_have_no_mistakes(path):
    assert find_mistakes(path.read_text(encoding="utf-8")) == []


@pytest.mark.skipif(not EXAMPLES.exists(), reason="Debian's dealer is not installed")
@pytest.mark.parametrize(
    ("name", "kind", "instead"),
    [
        ("you_hold", "chained", "diamonds(west) == clubs(west) and clubs(west) == 4"),
        ("weaktwo", "division", "2 * hcp(north, spades) >= hcp(north)"),
    ],
)
def test_mistakes_in_the_examples_of_dealer(name, kind, instead):
    reported = find_mistakes((EXAMPLES / f"Descr.{name}").read_text(encoding="latin-1"), "v1")
    assert [(mistake.kind, mistake.instead) for mistake in reported] == [(kind, instead)]


def test_what_a_predeal_is_said_to_determine_is_so_on_all_deals():
    predeals = (
        {"north": "SAKQ,H54"},
        {"north": "SAK", "south": "SQJT,HAK", "east": "DAKQJT98765432"},
        {"west": "SAxx,HKQx", "north": "S5432"},
    )
    values = ("hcp(north)", "spades(west)", "losers(north, spades)", "controls(south)", "fit(NS, hearts)")
    n_determined = 0
    for predeal in predeals:
        deals = dk.deal(2000, seed=2, predeal=predeal)
        cards = "predeal " + " ".join(f"{seat} {held}" for seat, held in predeal.items())
        for value in values:
            column = deals.eval(value)
            for operator, limit in ((">=", column.min()), (">", column.max()), ("==", column[0])):
                condition = f"{value} {operator} {limit}"
                kinds = [mistake.kind for mistake in find_mistakes(f"{cards} condition {condition}")]
                truth = deals.eval(condition)
                if "predeal" in kinds:
                    n_determined += 1
                    assert truth.all() or not truth.any(), (predeal, condition)
    assert n_determined >= 5


@pytest.mark.parametrize(
    ("text", "message", "instead"),
    [
        ("hcp(north) or hcp(south) >= 20", "`hcp(north)` has no comparison here, so it is true unless it is 0",
         "hcp(north) >= 20 or hcp(south) >= 20"),
        ("pointcount A=4 K=3 hcp(north) > 2",
         "`pointcount` has no values here, because a name followed by = defines a variable", "pointcount 4 3"),
    ],
)  # fmt: skip
def test_a_run_warns_of_statements_that_are_not_what_they_seem(text: str, message: str, instead: str) -> None:
    with pytest.warns(dk.MistakeWarning, match=re.escape(message)):
        dk.run(text, produce=1, seed=1)
    assert (message, instead) in [(finding.message, finding.remedy) for finding in dk.check(text)]
    assert message not in [finding.message for finding in dk.check(instead)]


def test_conditions_with_other_parts_are_no_mistakes() -> None:
    for text in ("hascard(north, AS) or hascard(south, AS)", "hcp(north) > 3 or hcp(south) > 3"):
        assert dk.check(text) == []
    assert dk.check("pointcount 4 3 2 1\naction average c13(north)") == []
    with warnings.catch_warnings():
        warnings.simplefilter("error", dk.MistakeWarning)
        dk.deal(3, seed=1, given="hcp(north) > 10")
        dk.solved_sample()[:9].where("hcp(north) > 10")


def test_the_time_of_check_is_proportional_to_the_warnings_of_a_line() -> None:
    def measure(n_statements: int) -> float:
        started = time.process_time()
        assert len(dk.check("produce 1 " * n_statements)) == n_statements - 1
        return time.process_time() - started

    measure(100)
    assert measure(16_000) < 10 * measure(4_000)  # sixteen times if each copied the line
