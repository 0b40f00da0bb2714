"""Scripts that add up."""

from __future__ import annotations

import pickle

import pytest

import dealerkit as dk
from dealerkit import ArgumentError, DivisionByZeroError, FileError, Script, ScriptError, parse
from dealerkit.cli.arguments import join_scripts
from dealerkit.language.checks import check_script
from dealerkit.language.printer import to_text

BIDS = "# bids\nstrong = hcp(north) >= 16\nlong = spades(north) >= 5\n"


def bids(text: str = BIDS, **options: str) -> Script:
    return parse(text, file="bids.dealer", **options)


def study(text: str, **options: str) -> Script:
    return parse(text, file="study.dealer", **options)


def test_the_same_as_one_text() -> None:
    text = 'produce 100 condition strong and long action average "s" hcp(south)'
    added, whole = bids() + parse(text), parse(BIDS + text)
    assert added == whole
    assert dk.run(added, seed=4, statistics=False).text == dk.run(whole, seed=4, statistics=False).text


def test_several_scripts_in_any_grouping() -> None:
    a, b, c = parse("a = hcp(north)"), parse("b = a + 1"), parse("condition b > 5 action average a")
    assert (a + b) + c == a + (b + c) == parse("a = hcp(north) b = a + 1 condition b > 5 action average a")


def test_both_conditions_hold_and_both_lists_of_actions_are_taken() -> None:
    first = parse("condition hcp(east) < 10 and hcp(west) < 10 action printoneline")
    second = parse("hcp(north) > 12 or hcp(north) < 3 action average 1")
    expected = (
        "condition hcp(east) < 10 and hcp(west) < 10 and (hcp(north) > 12 or hcp(north) < 3) "
        "action printoneline, average 1"
    )
    assert first + second == parse(expected)


def test_the_condition_and_the_action_list_may_come_from_either_script() -> None:
    first, second = parse("condition hcp(east) < 10"), parse("action average 1")
    assert first + second == parse("condition hcp(east) < 10 action average 1")
    assert second + first == parse("action average 1 condition hcp(east) < 10")


def test_in_the_old_dialects_the_last_statements_win() -> None:
    first = parse("condition hcp(east) < 10 action printall", "v1")
    program = check_script(first + parse("condition hcp(east) > 30 action average 1", "v1"))
    assert to_text(program.condition) == "hcp(east) > 30"
    assert [action.name for action in program.actions] == ["average"]
    assert sum("replaces" in warning.reason for warning in program.warnings) == 2


def test_settings_and_predeal_add_up() -> None:
    first = parse("produce 3 predeal north SA pointcount 6 4")
    program = check_script(first + parse("produce 7 predeal south SK, HA altcount 3 2"))
    assert program.produce == 3 and "ignored" in program.warnings[0].reason  # as within one script
    assert program.predeal.cards == ((0, 0, 12), (2, 0, 11), (2, 1, 12))
    assert set(program.points) == {"hcp", "kings"}


def test_a_name_in_both_is_an_error_with_both_places() -> None:
    with pytest.raises(ScriptError) as caught:
        bids() + study("x = 1\n  strong = 2")
    error = caught.value
    assert (error.file, error.line, error.column, error.source) == ("study.dealer", 2, 3, "  strong = 2")
    assert "bids.dealer, line 2, column 1" in error.message


def test_texts_without_files_are_distinguished() -> None:
    with pytest.raises(ScriptError, match="line 2, column 1 of the other script"):
        parse(BIDS) + parse("strong = 2")


@pytest.mark.parametrize(
    ("second", "file", "line", "column", "source", "message"),
    [
        ("\ncondition strng", "study.dealer", 2, 11, "condition strng", "did you mean 'strong'"),
        (
            "condition later later = 1",
            "study.dealer",
            1,
            11,
            "condition later later = 1",
            "in line 1, column 17",
        ),
        ("action frequency(strong, 3, 1)", "study.dealer", 1, 29, "action frequency(strong, 3, 1)", "range"),
    ],
)
def test_errors_point_into_the_second_text(
    second: str, file: str, line: int, column: int, source: str, message: str
) -> None:
    with pytest.raises(ScriptError, match=message) as caught:
        check_script(bids() + study(second))
    error = caught.value
    assert (error.file, error.line, error.column, error.source) == (file, line, column, source)


def test_errors_point_into_the_first_text() -> None:
    first = bids("strong = hcp(north) >= 16\n  weak = strng")
    with pytest.raises(ScriptError) as caught:
        check_script(first + study("\n\n\ncondition strong"))
    error = caught.value
    assert (error.file, error.line, error.column, error.source) == ("bids.dealer", 2, 10, "  weak = strng")


def test_errors_of_formulas_point_into_the_first_text() -> None:
    first = bids("big = 9223372036854775807\nbigger = big + 1")
    with pytest.raises(ScriptError, match="64 bits") as caught:
        dk.run(first + study("\n\n\ncondition bigger > 0"), produce=1)
    assert (caught.value.file, caught.value.line, caught.value.source) == (
        "bids.dealer",
        2,
        "bigger = big + 1",
    )


def test_a_second_condition_within_the_second_script_is_still_an_error() -> None:
    with pytest.raises(ScriptError, match="the first is in line 1"):
        check_script(bids() + study("condition strong condition long"))


def test_warnings_name_the_file_they_come_from() -> None:
    first = parse("vulnerable both", "v2", file="bids.dealer")
    warnings = (first + parse("vulnerable both", "v2", file="study.dealer")).warnings
    expected = "line 1, column 12: `vulnerable both` means none in v2; write `vulnerable all`"
    assert list(map(str, warnings)) == [f"bids.dealer, {expected}", f"study.dealer, {expected}"]
    assert {(str(warning.place), str(warning.remedy)) for warning in warnings} == {
        ("Place(line=1, column=12)", "write `vulnerable all`")
    }


def test_warnings_are_kept_by_pickling() -> None:
    (warning,) = pickle.loads(pickle.dumps(parse("vulnerable both", "v2"))).warnings
    assert str(warning) == "line 1, column 12: `vulnerable both` means none in v2; write `vulnerable all`"
    assert (warning.place.column, warning.remedy.text) == (12, "vulnerable all")


def test_other_rules_and_other_things_are_refused() -> None:
    with pytest.raises(ArgumentError, match="v1"):
        parse("a = 1") + parse("b = 1", "v1")
    with pytest.raises(ArgumentError, match="parse it first"):
        parse("a = 1") + "b = 1"  # type: ignore[operator]


def test_sums_are_pickled() -> None:
    script = bids() + study("condition strong")
    copy = pickle.loads(pickle.dumps(script))
    assert copy == script and copy.statements[0].place.origin.file == "bids.dealer"


def test_join_scripts(tmp_path) -> None:  # noqa: ANN001
    (tmp_path / "a.dealer").write_text("a = hcp(north)")
    (tmp_path / "b.dealer").write_text("b = a + $0")
    names = [str(tmp_path / name) for name in ("a.dealer", "b.dealer")]
    joined = join_scripts(names, "condition b > 5", params=["7"])
    assert joined == parse("a = hcp(north) b = a + 7 condition b > 5")
    with pytest.raises(FileError, match="missing.dealer"):
        join_scripts(["missing.dealer"], "condition 1")


def test_a_division_by_zero_is_an_error_of_the_run() -> None:
    with pytest.raises(DivisionByZeroError):
        dk.run(parse("x = hcp(north) / 0") + parse("condition x > 1"), produce=1)
