"""Scripts translated to another dialect keep their meaning."""

from __future__ import annotations

import dataclasses
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import dealerkit as dk
from dealerkit import DealerkitError, Script, ScriptError, parse
from dealerkit.dealing import Predeal
from dealerkit.language import nodes
from dealerkit.language.dialects import DIALECTS, find_rules
from dealerkit.language.trees import walk
from dealerkit.translate.scripts import translate

SCRIPTS = sorted((Path(__file__).parents[2] / "data" / "scripts").glob("*.dealer"))
EXAMPLES = sorted(Path("/usr/share/doc/dealer/examples").glob("Descr.*"))
VOLATILE = re.compile(r'^(Time needed .*|\[Date ".*"\]|\[Event ".*"\])$', re.MULTILINE)


def translated_text(
    text: str, source: str = "modern", target: str = "v1", params: tuple[str, ...] = ()
) -> str:
    return translate(parse(text, source, params=params), find_rules(target))[0]


def translation_warnings(text: str, source: str = "modern", target: str = "v1") -> tuple[str, ...]:
    return translate(parse(text, source), find_rules(target))[1]


# ---------------------------------------------------------------- the original program
def run_original(program: str, path: Path, *switches: object) -> str:
    process = subprocess.run(
        [program, *map(str, switches), path], capture_output=True, encoding="utf-8", check=True
    )
    assert process.stderr == ""
    return VOLATILE.sub("", process.stdout)


def without_predeal(script: Script) -> Script:
    kept = tuple(node for node in script.statements if not isinstance(node, nodes.PredealCards))
    return dataclasses.replace(script, statements=kept)


@pytest.mark.filterwarnings("ignore::dealerkit.errors.DealerkitWarning")
@pytest.mark.parametrize("path", SCRIPTS, ids=[path.stem for path in SCRIPTS])
def test_translations_in_the_original_program(path: Path, dealer_program: str, tmp_path: Path) -> None:
    """The original program accepts the translation, deals what we deal, and keeps what the original keeps."""
    original = parse(path.read_text(encoding="utf-8"), file=path.name)
    if path.stem == "bids":
        original += parse("condition east_passes and north_1s and south_invites_spades action printoneline")
    text, warnings = translate(original, DIALECTS["v1"])
    assert warnings == ()
    file = tmp_path / path.name
    file.write_text(text)
    original_output = run_original(dealer_program, file, "-s", 7, "-p", 30, "-g", 20_000)
    limits = {"produce": 30, "generate": 20_000, "seed": 7}
    output = dk.run(text, dialect="v1", stream="classic", **limits)
    assert VOLATILE.sub("", output.text).splitlines() == original_output.splitlines()
    all_deals = without_predeal_result(text, limits)
    rerun = dk.run(without_predeal(original), source=all_deals, produce=30)
    np.testing.assert_array_equal(rerun.numbers, output.numbers)


def without_predeal_result(text: str, limits: dict[str, int]) -> dk.Deals:
    """All deals of the classic stream, those that the condition does not meet included."""
    script = parse(text, "v1")
    kept = tuple(
        node for node in script.statements if not isinstance(node, nodes.Condition | nodes.ActionList)
    )
    script = dataclasses.replace(script, statements=(*kept, nodes.ActionList(())))
    count = limits["generate"]
    return dk.run(script, produce=count, generate=count, seed=7, stream="classic", keep="all").deals


@pytest.mark.parametrize("path", EXAMPLES, ids=[path.name for path in EXAMPLES])
def test_examples_there_and_back(path: Path, dealer_program: str, tmp_path: Path) -> None:
    original = path.read_text(encoding="latin-1")
    modern = translated_text(original, "v1", "modern")
    file = tmp_path / "again.dealer"
    file.write_text(translated_text(modern, "modern", "v1"))
    limits = ("-s", 3, "-g", 100_000)
    assert run_original(dealer_program, file, *limits) == run_original(dealer_program, path, *limits)


# ---------------------------------------------------------------- expressions mean the same
SEATS = st.sampled_from(["north", "east", "south", "west"])
COUNTS = st.builds(
    "{}({})".format, st.sampled_from(["hcp", "spades", "clubs", "controls", "losers", "aces", "top3"]), SEATS
)
SMALL = st.integers(-3, 14).map(str)
OWN = st.sampled_from(
    ["fit(NS)", "fit(EW, hearts)", "max(hcp(north), hcp(south), 9)", "min(spades(west) + 1, hcp(east) / 2)",
     "12.5", "0.25", "3.0", "hcp(north) / 2.0", "(hcp(east) + 1) / 2.5", "shape{south, 5+M(xxx):s>h}"]
)  # fmt: skip
LTC = st.builds("ltc({})".format, SEATS)
DOTNUMS = st.sampled_from(["5.5", ".75", "12.", "0.05", "700", "1250", "100"])


def combined(leaves: st.SearchStrategy[str], divisors: str, minus: str = "") -> st.SearchStrategy[str]:
    """Expressions of these leaves; division only by positive literals."""

    def larger(below: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        inside = below.map("({})".format)
        forms = [
            st.builds("{} {} {}".format, inside, st.sampled_from("+ - *".split()), inside),
            st.builds("{} {} {}".format, inside, st.sampled_from("== != < <= > >=".split()), inside),
            st.builds("{} {} {}".format, inside, st.sampled_from(["and", "or"]), inside),
            st.builds("{} ? {} : {}".format, inside, inside, inside),
            st.builds(
                "{} {} {}".format, inside, st.sampled_from(["/", "%"]), st.sampled_from(divisors.split())
            ),
            st.builds("not {}".format, inside),
        ]
        return st.one_of(*forms, *([st.builds("-{}".format, inside)] if minus else []))

    return st.recursive(leaves, larger, max_leaves=6)


@pytest.fixture(scope="module")
def deals() -> dk.Deals:
    return dk.deal(400, seed=11)


def truth(deals: dk.Deals, translated: str, target: str) -> np.ndarray:
    """Which deals meet the condition of a translation."""
    named = re.sub("^condition ", "condition_ = ", translated, flags=re.MULTILINE)
    return deals.eval(f"{named} not (not condition_)", dialect=target)  # a real close to 0 is not true


def same_truth(deals: dk.Deals, text: str, source: str, target: str) -> None:
    try:
        translated = translated_text(f"condition {text}", source, target)
    except ScriptError as error:
        assert re.search("cannot express", str(error))
        assume(False)
    try:
        expected = deals.eval(text, dialect=source) != 0
    except DealerkitError:
        assume(False)  # beyond 64 bits
    result = truth(deals, translated, target)
    np.testing.assert_array_equal(result, expected, err_msg=f"{text}\n{translated}")


@pytest.mark.parametrize("n_examples", [100, pytest.param(250, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("source", "targets", "texts"),
    [
        ("modern", ["v1"], combined(st.one_of(COUNTS, SMALL, OWN), "2 3 7", "minus")),
        ("modern", ["v2"], combined(st.one_of(COUNTS, SMALL, OWN, LTC), "2 3 2.5", "minus")),
        ("v2", ["modern"], combined(st.one_of(COUNTS, SMALL, LTC, DOTNUMS), "2 3 100")),
        ("v1", ["v2", "modern"], combined(st.one_of(COUNTS, SMALL), "2 3 7")),
    ],
    ids=["modern-v1", "modern-v2", "v2-modern", "v1-others"],
)
def test_conditions_elsewhere(deals: dk.Deals, source, targets, texts, n_examples) -> None:
    @settings(max_examples=n_examples)
    @given(text=texts, target=st.sampled_from(targets))
    def check(text: str, target: str) -> None:
        same_truth(deals, text, source, target)

    check()


def test_remainders_of_ltc_in_modern(deals: dk.Deals) -> None:
    same_truth(deals, "((2) + (ltc(north))) % 2", "v2", "modern")


# ---------------------------------------------------------------- single rewrites
@pytest.mark.parametrize(
    ("source", "target", "text", "expected"),
    [
        ("modern", "v1", "condition -hcp(north) < -3", "condition 0 - hcp(north) < -3\n"),
        ("modern", "v2", "condition ltc(north) < 5.5", "condition ltc(north) < 5.50\n"),
        ("modern", "v1", "condition cccc(north) >= 12.45", "condition cccc(north) >= 1245\n"),
        ("v1", "modern", "condition cccc(north) >= 1245", "condition cccc(north) >= 12.45\n"),
        ("v2", "modern", "condition ltc(north) >= ltc(south)", "condition ltc(north) >= ltc(south)\n"),
        ("v2", "v1", "condition hcp(north) > 12.50", "condition hcp(north) > 1250\n"),
        ("modern", "v1", "condition hcp(north) >= 11.5", "condition hcp(north) >= 12\n"),
        ("modern", "v1", "action average score(vul, 3NT, 9)", "action average score(vul, x3N, 9)\n"),
        ("modern", "v1", "condition fit(NS, spades) > 7", "condition spades(north) + spades(south) > 7\n"),
        ("v2", "modern", "condition 0 == ltc(north) == 5.5", "condition 0 == ltc(north) == 550.0\n"),
        ("v2", "modern", "condition 2 * 7 % 4 == 6", "condition 2 * (7 % 4) == 6\n"),
        ("v1", "v2", "condition 2 * 7 % 4 == 2", "condition (2 * 7) % 4 == 2\n"),
        ("modern", "v1", "altcount 5 1 1 1", "altcount 7 1 1 1\n"),
        ("v1", "modern", "altcount 0 6 4", "pointcount 6 4\n"),
        ("modern", "v2", "pointcount 4.5 3 1.5", "pointcount 450 300 150\n"),
        ("modern", "v1", "action printside(EW)", "action printew\n"),
        ("modern", "v2", 'action printes("a\nb")', 'action printes("a", \\n, "b")\n'),
        ("modern", "v2", "action printes(board())", "action printes(rnd(0))\n"),
        ("v2", "modern", "action printes(rnd(0))", "action printes(board())\n"),
        ("v1", "modern", "condition rnd(0) == 0", "condition 0 == 0\n"),
        ("modern", "v1", "vulnerable both dealer north", "vulnerable all\ndealer north\n"),
        ("v2", "v1", "vulnerable both", "vulnerable none\n"),
        ("v2", "v1", "condition shape{$0, $1}", "condition shape(south, 5xxx + x5xx)\n"),
        ("modern", "v2", "condition shape{south, 5M(xxx)}", "condition shape{south, 5M(xxx)}\n"),
        ("modern", "v2", "condition shape{south, any 5332}", "condition shape(south, any 5332)\n"),
        ("modern", "v1", "predeal spades(west) == 7", "condition spades(west) == 7\n"),
        ("modern", "v1", "predeal east HA+, S2", "predeal east HA, S2\n"),
        ("modern", "modern", "predeal east HA+, S2x", "predeal east HA+, S2x\n"),
        ("modern", "v2", "predeal north AKQJT98765432...", "predeal north SAKQJT98765432\n"),
        ("v1", "modern", "predeal spades(west) == 7 produce 3", "produce 3\n"),
        ("v1", "modern", "1 action average 1 hcp(south) > 9", "action average 1\ncondition hcp(south) > 9\n"),
        ("v2", "modern", "action bktfreq(ltc(east), 1.0, 3.0, .5)", "action bktfreq(ltc(east), 1, 3, 0.5)\n"),
    ],
)  # fmt: skip
def test_wording(source: str, target: str, text: str, expected: str) -> None:
    params = ("south", "5M(xxx)") if "$" in text else ()
    assert translated_text(text, source, target, params) == expected


def test_predealt_small_cards_become_a_condition() -> None:
    script = parse("predeal east HA9xx south HTx condition spades(west) == 3")
    translated, warnings = translate(script, DIALECTS["v1"])
    assert [warning.split(": ")[1] for warning in warnings] == [
        "predealt small cards become a condition in v1, which takes longer"
    ] * 2
    predealt = "predeal east HA9\npredeal south HT\n"
    assert translated.startswith(predealt)
    # The deals are the same: as many of them, and each meets the condition.
    condition = translated.removeprefix(predealt + "condition ")
    named = Predeal.from_mapping({"east": "HA9", "south": "HT"})
    share = dk.probability(condition, predeal={"east": "HA9", "south": "HT"}).fraction
    own = dk.probability("spades(west) == 3", predeal={"east": "HA9xx", "south": "HTx"}).fraction
    assert share * named.n_deals == own * Predeal.from_mapping({"east": "HA9xx", "south": "HTx"}).n_deals
    assert dk.run(script, produce=100, seed=1, keep="all").deals.eval(condition).all()


def test_names_that_are_keywords_are_changed() -> None:
    text = "par = hcp(north) max = par + 1 z3N = 3 par_ = 2 condition par + max > z3N + par_"
    script = parse(text, "v1")
    translated, warnings = translate(script, DIALECTS["modern"])
    names = [node.name for node in parse(translated).statements if isinstance(node, nodes.Definition)]
    assert names == ["par__", "max", "z3N_", "par_"]
    assert translated.splitlines()[-1] == "condition par__ + max > z3N_ + par_"
    assert len(warnings) == 2 and warnings[0].startswith("line 1, column 1: 'par'")


def test_the_error_lists_all_that_cannot_be_expressed() -> None:
    text = "soft = ltc(north) < 6\ncondition soft and board() > 3\naction printns, average score(nv, 4Sx, 9)"
    with pytest.raises(ScriptError) as caught:
        translated_text(text)
    error = caught.value
    assert (error.line, error.column, error.source) == (1, 8, "soft = ltc(north) < 6")
    for part in ("ltc()", "board()", "line 2", "printns", "the doubled contract x4Sx", "line 3"):
        assert part in error.message


def test_unused_definitions_are_left_out_with_a_warning() -> None:
    text = 'soft = ltc(north) < 6 softer = soft and 1 produce 5 seed 9 title "x" startboard 3 action printall'
    translated, warnings = translate(parse(text), DIALECTS["v1"])
    assert translated == "produce 5\naction printall\n"
    assert sorted(re.findall("'(soft.*?)'|`(.*?)`", " ".join(warnings))) == [
        ("", "seed"), ("", "startboard"), ("", "title"), ("soft", ""), ("softer", ""),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("source", "target", "text", "message"),
    [
        ("modern", "v1", "action average imps(hcp(north))", "some values of imps differ"),
        ("modern", "v1", "condition quality(north, spades) > 3", "some values of quality differ"),
        ("modern", "v2", "action average ltc(north)", "100 times"),
        ("v2", "modern", "action average ltc(north)", "natural units"),
        ("v2", "modern", "condition hcp(north) > 0.50", "0.50 is the integer 50"),
        ("modern", "v2", "opener south", "opener"),
        ("modern", "v1", "predeal clubs(north) == 5", "becomes a condition"),
        ("modern", "v2", 'title "a\nb"', "one line"),
        ("v1", "modern", "hcp(north) > 9 hcp(south) > 9", "replaces"),
    ],
)
def test_differences_are_warnings(source: str, target: str, text: str, message: str) -> None:
    warnings = translation_warnings(text, source, target)
    assert len(warnings) == 1 and message in warnings[0] and warnings[0].startswith("line 1, column ")


@pytest.mark.parametrize(
    ("source", "target", "text"),
    [
        ("modern", "v1", "condition hcp(north) > 5000000000"),
        ("modern", "v1", "condition hcp(north) * 0.00001 > 1"),
        ("modern", "v2", "condition max(rnd(3), rnd(4)) > 1"),
        ("modern", "v2", "condition hcp(north) / (0.5 + hcp(south)) > 1"),
        ("modern", "v2", "condition rnd(3) + usereval(1, NS, 2) and imps(hcp(north) / 2.0)"),
        ("modern", "v1", "altcount 6 1 condition losers(north) > 3"),
        ("v1", "modern", "altcount 1 1 condition controls(north) > 3"),
        ("v2", "modern", "condition rnd(0) > 3"),
        ("v2", "v1", "action average par(NS)"),
        ("v2", "v1", "action bktfreq(hcp(north), 0, 20, 5)"),
    ],
)
def test_refusals(source: str, target: str, text: str) -> None:
    with pytest.raises(ScriptError, match=f"{target} cannot express"):
        translated_text(text, source, target)


def test_comments_keep_their_places() -> None:
    text = """// first  line

/* one
   two */
predeal # cards
  north SA
a = 1  # trailing
condition a and /* inside */ "x" == 1
# last
""".replace('"x" == 1', "1")
    assert translated_text(text) == (
        "# first  line\n\n# one\n# two\n# cards\npredeal north SA\n# trailing\na = 1\n# inside\n"
        "condition a and 1\n# last\n"
    )


def test_comments_of_added_scripts_stay_with_their_script() -> None:
    script = parse("# of a\na = 1\n# end of a") + parse("# of b\ncondition a")
    assert translate(script, DIALECTS["v1"])[0] == "# of a\na = 1\n# of b\ncondition a\n# end of a\n"


@pytest.mark.parametrize(("target", "most"), [("v1", 31), ("v2", 16)])
def test_too_many_shapes_become_lengths(target: str, most: int, deals: dk.Deals) -> None:
    patterns = [f"{s}{h}{13 - s - h - 2}2" for s in range(3, 7) for h in range(2, 6)]
    seats = ("north", "south", "west")
    text = " or ".join(
        f"shape({seat}, {pattern})" for seat in seats for pattern in [*patterns, "any 5431 - 54xx"]
    )
    translated, warnings = translate(parse(f"condition {text}"), find_rules(target))
    calls = [node for statement in parse(translated, target).statements for node in walk(statement)]
    assert sum(isinstance(node, nodes.Call) and node.function == "shape" for node in calls) == most
    assert len(warnings) == 1 and str(most) in warnings[0]
    np.testing.assert_array_equal(truth(deals, translated, target), deals.eval(text))


def test_the_original_program_takes_31_shapes(dealer_program: str, tmp_path: Path) -> None:
    """Our number of 31 is the program's own."""
    path = tmp_path / "x.dealer"
    for count, status in ((31, 0), (32, 255)):
        path.write_text("condition " + " or ".join(["shape(north, 5xxx)"] * count) + "\naction\n")
        process = subprocess.run([dealer_program, "-p", "1", path], capture_output=True, check=False)
        assert process.returncode == status


def test_translating_into_the_same_dialect_changes_nothing() -> None:
    for path in SCRIPTS:
        script = parse(path.read_text("utf-8"))
        text, warnings = translate(script, script.rules)
        assert parse(text).statements == tuple(
            dataclasses.replace(node, bare=False) if isinstance(node, nodes.Condition) else node
            for node in script.statements
        )
        assert warnings == ()


def test_frequency_of_hundredths(deals: dk.Deals) -> None:
    text = "action frequency(ltc(north) - ltc(south), -400, 400, hcp(north), 0, 20)"
    modern = translated_text(text, "v2", "modern")
    assert modern == "action bktfreq(ltc(north) - ltc(south), -4, 4, 0.01, hcp(north), 0, 20, 1)\n"
    original_output = dk.run(text, dialect="v2", source=deals, produce=400).reports[0]
    output = dk.run(modern, source=deals, produce=400).reports[0]
    np.testing.assert_array_equal(output.frame.to_numpy(), original_output.frame.to_numpy())


def test_frequencies_there_and_back() -> None:
    text = "action frequency(cccc(north), 0, 3000)"
    modern = translated_text(text, "v1", "modern")
    assert modern == "action bktfreq(cccc(north), 0, 30, 0.01)\n"
    assert translated_text(modern) == text + "\n"
