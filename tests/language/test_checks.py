"""The content of a script, and errors where its statements contradict each other."""

from __future__ import annotations

import pytest

from dealerkit import ScriptError, registry
from dealerkit.language import nodes
from dealerkit.language.checks import ALTERNATE_TABLES, MAX_CHAIN, Program, check_script
from dealerkit.language.dialects import MODERN, V1, V2, Rules
from dealerkit.language.parser import parse_script
from dealerkit.language.vocabulary import is_contextual, is_function

ALL = pytest.mark.parametrize("rules", [V1, V2, MODERN], ids=lambda rules: rules.name)


def program(text: str, rules: Rules = MODERN) -> Program:
    return check_script(parse_script(text, rules))


def refused(text: str, rules: Rules = MODERN) -> ScriptError:
    with pytest.raises(ScriptError) as caught:
        program(text, rules)
    return caught.value


@ALL
def test_an_empty_script(rules: Rules) -> None:
    empty = program("", rules)
    assert (empty.generate, empty.produce, empty.seed, empty.dealer, empty.vulnerable) == (None,) * 5
    assert empty.condition is None and empty.start_board == 1 and empty.title == ""
    assert [action.name for action in empty.actions] == ["printall"] and empty.prints


def test_settings() -> None:
    checked = program(
        'dealer west dealer east vulnerable EW seed 3 seed 4 title "a" title "b" opener south startboard 9'
    )
    assert (checked.dealer, checked.vulnerable, checked.seed, checked.title) == (1, 2, 4, "b")
    assert (checked.opener, checked.start_board) == (2, 9)


@ALL
def test_the_first_limits_hold_and_zero_is_unset(rules: Rules) -> None:
    checked = program("generate 0 generate 10 generate 20 produce 5 produce 0", rules)
    assert (checked.generate, checked.produce) == (10, 5)
    assert len(checked.warnings) == 2 and "first one counts" in checked.warnings[0].reason


def test_opener_has_no_effect_in_v2() -> None:
    checked = program("opener south", V2)
    assert checked.opener is None and "no effect" in checked.warnings[0].reason


def test_predeal() -> None:
    text = "predeal north SAK, H2 predeal south DT spades(west)==7"
    assert program(text).predeal.cards == ((0, 0, 12), (0, 0, 11), (0, 1, 0), (2, 2, 8))
    assert program(text).predeal.lengths == ((3, 0, 7),) == program(text, V2).predeal.lengths
    ignored = program(text, V1)
    assert ignored.predeal.lengths == () and "ignores a predeal of lengths" in ignored.warnings[0].reason


@pytest.mark.parametrize(
    "items",
    ["spades(north)==7 spades(south)==7", "spades(north)==7 hearts(north)==7", "spades(north)==3 " * 2],
)
def test_lengths_ignored_by_v1_are_checked(items: str) -> None:
    """As dealer does: Too many Spades, Suit lengths too long for North, length already set."""
    assert "twice" in str(error := refused(f"predeal {items}", V1)) or "more than 13" in str(error)


@ALL
def test_tables_of_points(rules: Rules) -> None:
    checked = program("pointcount 6 4 2 1 pointcount 5", rules).points
    assert checked == {"hcp": (5, *[0] * 12)}
    assert program("pointcount", rules).points == {"hcp": (0,) * 13}


def test_numbers_of_altcount() -> None:
    for rules in (V2, MODERN):
        for number, table in enumerate(ALTERNATE_TABLES):
            assert program(f"altcount {number} 3 1", rules).points == {table: (3, 1, *[0] * 11)}
        assert "tables 0 to 9, not 10" in str(refused("altcount 10 1", rules))
    for number, table in enumerate(("hcp", "controls", "tens", "jacks", "queens", "kings", "aces", "top2")):
        assert list(program(f"altcount {number} 3", V1).points) == [table]
    assert list(program("altcount 11 1", V1).points) == ["c13"]
    for number in (-1, 12):
        assert "tables 0 to 11" in str(refused(f"altcount {number} 1", V1))
    assert refused("altcount 1.5 1").column == 10


def test_hundredths_and_reals_in_tables() -> None:
    assert program("pointcount 4.5 3", V2).points["hcp"][:2] == (450, 3)
    assert program("pointcount 4.5 3").points["hcp"][:2] == (4.5, 3)


@ALL
def test_too_many_points(rules: Rules) -> None:
    error = refused("pointcount " + "1 " * 14, rules)
    assert "too many values" in str(error) and error.column == 12 + 2 * 13


# ---------------------------------------------------------------- names
@ALL
def test_names_are_defined_before_they_are_used(rules: Rules) -> None:
    assert list(program("b = 6 a = b condition a", rules).definitions) == ["b", "a"]
    error = refused("a = b\nb = 6", rules)
    assert (error.line, error.column) == (1, 5) and "defined later, in line 2, column 1" in str(error)
    assert "part of its own definition" in str(refused("a = a", rules))


@ALL
def test_a_name_is_defined_once(rules: Rules) -> None:
    error = refused("a = 1\n  a = 2", rules)
    assert (error.line, error.column) == (2, 3) and "line 1, column 1" in str(error)


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("balanced = 1 condition balnced", 24, "unknown variable 'balnced'; did you mean 'balanced'?"),
        ("condition 1 adn 2", 13, "did you mean 'and'?"),
        ("foo(3)", 1, "unknown function 'foo'"),
        ("action average x", 16, "unknown variable 'x'"),
        ('action frequency "f" (x, 1, 2)', 23, "unknown variable 'x'"),
        ("condition 1 and (2 or not imps(-zz))", 33, "unknown variable 'zz'"),
    ],
)
def test_unknown_names(text: str, column: int, message: str) -> None:
    error = refused(text)
    assert error.column == column and message in str(error)


def test_long_chains_of_definitions() -> None:
    def chain(length: int) -> str:
        return "a1 = 1 " + " ".join(f"a{n} = a{n - 1} + 1" for n in range(2, length + 1))

    assert len(program(chain(MAX_CHAIN)).definitions) == MAX_CHAIN
    assert "chain of more than 1000 definitions" in str(refused(chain(MAX_CHAIN + 1)))
    wide = "a0 = 1 " + " ".join(f"a{n} = a0 + 1" for n in range(1, 3000))
    assert len(program(wide).definitions) == 3000


# ---------------------------------------------------------------- conditions and actions
def test_a_second_condition() -> None:
    for rules in (V1, V2):
        checked = program("condition 1\n2 > 1", rules)
        assert isinstance(checked.condition, nodes.Chain)
        (warning,) = checked.warnings
        assert str(warning) == "line 2, column 1: a second condition replaces the one in line 1"
        assert (warning.place.line, warning.place.column) == (2, 1)
    error = refused("condition 1\n2 > 1")
    assert error.line == 2 and "join them with `and`" in str(error)


def test_a_second_action_list() -> None:
    for rules in (V1, V2):
        checked = program("action printall action average 1", rules)
        assert [action.name for action in checked.actions] == ["average"] and checked.warnings
        assert checked.prints  # the default of `produce` depends on all lists
        assert not program("action average 1 action average 2", rules).prints
    both = program("action printall action average 1")
    assert [action.name for action in both.actions] == ["printall", "average"] and both.prints
    assert not both.warnings


@pytest.mark.parametrize(
    ("actions", "v1", "modern"),
    [
        ("", False, False), ("average 1", False, False), ("frequency (1, 0, 1)", False, False),
        ("average 1, printew", True, True), ("print(north)", True, True), ("printes(1)", True, True),
        ("printpbn", True, True), ("printcompact", True, True), ("evalcontract(NS, x3N, vul)", True, False),
        ("csvrpt(1)", None, True), ("export(NS)", None, False), ("bktfreq(1, 0, 1, 1)", None, False),
    ],
)  # fmt: skip
def test_which_actions_print(actions: str, v1: bool | None, modern: bool) -> None:
    if v1 is not None:
        assert program("action " + actions, V1).prints == v1
    for rules in (V2, MODERN):
        assert program("action " + actions, rules).prints == modern


@ALL
def test_ranges_of_frequencies(rules: Rules) -> None:
    assert "ends before it begins" in str(refused("action frequency (1, 5, 3)", rules))
    assert "ends before it begins" in str(refused("action frequency (1, 1, 3, 1, 0, -1)", rules))
    assert program("action frequency (1, 3, 3)", rules).actions
    if rules.last_condition_wins:
        assert program("action frequency (1, 5, 3) action average 1", rules).warnings


def test_widths_of_buckets() -> None:
    for width in ("0", "-1"):
        assert "more than 0" in str(refused(f"action bktfreq (1, 0, 5, {width})"))
    assert "more than 0" in str(refused("action bktfreq (1, 0, 5, 1, 1, 0, 5, 0)", V2))


def test_functions_not_computed_yet_are_allowed() -> None:
    assert program(
        "condition opc(NS) > 25 and usereval(1, north, 2) > 3 and trick(north, spades) > 5"
    ).condition


# ---------------------------------------------------------------- units
@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("condition cccc(north) >= 1200", "12"),
        ("condition 550 < ltc(north)", "5.5"),
        ("condition quality(north, spades) == 1050", "10.5"),
        ("v = cccc(north) w = v condition w < 1245", "12.45"),
        ("condition cccc(north) + cccc(south) > 2500", "25"),
        ("condition hcp(north) > 5 and not (1 < cccc(north) < 1500)", "15"),
        ("action frequency (cccc(north), 1000, 2000)", "10"),
    ],
)
def test_hundredths_are_refused_under_natural_units(text: str, number: str) -> None:
    error = refused(text)
    assert f"write `{number}`" in str(error) and "not in hundredths" in str(error)
    text = text.replace("1 < cccc(north) < 1500", "1 < cccc(north)")
    assert program(text, V2).script


@pytest.mark.parametrize(
    "text",
    [
        "condition cccc(north) >= 12.45 or cccc(north) > 99 or cccc(north) < 100.0",
        "condition cccc(north) * 100 > 1245",
        "condition hcp(north) > 100",
        "condition (cccc(north) > 12) == 100",
    ],
)
def test_natural_units_pass(text: str) -> None:
    assert program(text).condition


# The words of the two programs' lexical analysers that begin a call.
DEALER_WORDS = (
    "hcp hcps ten tens jack jacks queen queens king kings ace aces top2 top3 top4 top5 c13 loser losers control "
    "controls quality cccc trick tricks score imp imps hascard shape rnd pt0 pt1 pt2 pt3 pt4 pt5 pt6 pt7 pt8 pt9"
)
DEALERV2_WORDS = "ltc dds par opc trix usereval parcontract"


def test_the_old_dialects_have_the_functions_of_their_programs():
    words = set(registry.spellings())
    assert {word for word in words if is_function(word, V1)} == set(DEALER_WORDS.split())
    expected = {*DEALER_WORDS.split(), *DEALERV2_WORDS.split()}
    assert {word for word in words if is_function(word, V2)} == expected
    assert {word for word in words if is_function(word, MODERN)} == words
    assert (
        is_contextual("zar", MODERN) and not is_contextual("hcp", MODERN) and not is_contextual("ltc", MODERN)
    )
