"""Results: identity, names of reports and of columns, the exit status of the command, deals named in errors."""

from __future__ import annotations

import copy
import re
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import dealerkit as dk
from dealerkit.appearance.wording import number_names
from dealerkit.cli import main

STUDY = "condition hcp(north) > 15 action average hcp(south), frequency (spades(north), 0, 13)"


# ---------------------------------------------------------------- identity
def test_results_and_what_they_hold_compare_by_identity() -> None:
    result, same = (dk.run(STUDY, produce=20, seed=1) for _ in range(2))
    kept = {result: 1, same: 2, **{report: 3 for report in result.reports}}
    assert kept[result] == 1 and kept[same] == 2 and len(kept) == 4
    assert result != same and result == result and result in [same, result]
    assert {result.plan, result.plan} == {result.plan}
    other = copy.copy(result)
    assert other != result and other.deals.equals(result.deals)


def test_explanations_and_studies_compare_by_identity() -> None:
    deal = "N:AKQJ.T98.5432.32 T98.AKQ.JT98.JT9 765.J765.AKQ.AKQ 432.432.76.87654"
    explanations = [dk.explain("condition hcp(north) > 15", deals=100) for _ in range(2)]
    assert len({*explanations, *explanations}) == 2 and explanations[0] != explanations[1]
    assert len({dk.why("condition 1", deal), dk.why("condition 1", deal)}) == 2


# ---------------------------------------------------------------- names
def test_repeated_labels_lose_nothing() -> None:
    text = 'action average "p" hcp(north), average "p" hcp(south), frequency "p" (hcp(east), 0, 37)'
    result = dk.run(text, produce=200, seed=3)
    points = [result.deals.eval(f"hcp({seat})") for seat in ("north", "south", "east")]
    frame = result.to_frame()
    assert frame.columns.tolist() == ["deal", "p", "p 2", "p 3"]
    for name, values in zip(("p", "p 2", "p 3"), points, strict=True):
        assert (frame[name] == values).all()
        assert result[name].n == 200
    assert result["p"].mean.value == points[0].mean() and result["p 2"].mean.value == points[1].mean()
    assert [report.label for report in result.reports] == ["p"] * 3
    with pytest.raises(dk.ArgumentError, match="'p', 'p 2', 'p 3'"):
        result["p 4"]


def test_a_label_that_is_the_name_of_a_column() -> None:
    text = 'p = hcp(north) action average "p" hcp(south), average "deal" 7, average "p" p, average "q" p'
    result = dk.run(text, produce=50, seed=3)
    frame = result.to_frame()
    assert frame.columns.tolist() == ["deal", "p", "p 2", "deal 2", "q"]
    assert isinstance(frame.deal.dtype, type(pd.Series(dk.DealArray(result.deals)).dtype))
    assert (frame["p"] == result.deals.eval("hcp(north)")).all() and (frame["q"] == frame["p"]).all()
    assert (frame["p 2"] == result.deals.eval("hcp(south)")).all() and (frame["deal 2"] == 7).all()


def test_a_label_with_the_number_of_another() -> None:
    text = 'action average "p" 1, average "p 2" 2, average "p" 3'
    result = dk.run(text, produce=3, seed=3)
    assert {name: result.to_frame()[name][0] for name in ("p", "p 2", "p 3")} == {"p": 1, "p 2": 2, "p 3": 3}
    assert [result[name].mean.value for name in ("p", "p 2", "p 3")] == [1, 2, 3]
    assert number_names(["a", "a", "a 2", "a"]) == ["a", "a 3", "a 2", "a 4"]


def test_equal_expressions_are_one_column_and_equal_calls_of_rnd_are_two() -> None:
    text = "action average hcp(north), frequency (hcp(north), 0, 37), average rnd(1000), average rnd(1000)"
    result = dk.run(text, produce=100, seed=3)
    frame = result.to_frame()
    assert frame.columns.tolist() == ["deal", "hcp(north)", "rnd(1000)", "rnd(1000) 2"]
    assert (frame["rnd(1000)"] != frame["rnd(1000) 2"]).any()
    assert np.isclose(frame["rnd(1000) 2"].mean(), result["rnd(1000) 2"].mean.value)
    assert type(result["hcp(north)"]) is not type(result["hcp(north) 2"])


def test_a_file_has_the_same_columns(tmp_path: Path) -> None:
    text = 'action average "p" hcp(north), average "p" hcp(south)'
    result = dk.run(text, produce=50, seed=3, frame=tmp_path / "deals.csv")
    table = pd.read_csv(tmp_path / "deals.csv")
    assert table.columns.tolist() == ["deal", "p", "p 2"]
    assert (table["p 2"].to_numpy() == result.to_frame()["p 2"]).all()


@pytest.mark.parametrize("dialect", ["v1", "v2"])
def test_the_old_dialects_print_repeated_labels_as_they_are(dialect: str) -> None:
    text = 'action average "p" hcp(north), average "p" hcp(south)'
    result = dk.run(text, produce=50, seed=3, dialect=dialect)
    assert len(re.findall(r"^p: ", result.text, re.MULTILINE)) == 2 and "p 2" not in result.text


# ---------------------------------------------------------------- conditions that no deal meets
@pytest.mark.parametrize(
    ("script", "options", "status"),
    [
        ("condition hcp(north) > 37", [], 3),
        ("condition hcp(north) > 37 action average hcp(north)", ["--plan", "plain", "-g", "1000"], 3),
        ("condition spades(north) == 7 and spades(south) == 7", ["-g", "1000"], 3),
        ("predeal north SAxx condition spades(north) > 3", [], 3),
        ("condition hcp(north) > 36", ["--plan", "plain", "-g", "1000"], 0),  # AKQJ AKQ AKQ AKQ
        ("condition hcp(north) >= 0", ["-p", "1"], 0),
        ("condition hcp(north) > 37", ["-p", "0"], 0),
        ("condition hcp(north) >", [], 2),
    ],
)
@pytest.mark.filterwarnings("ignore::dealerkit.NothingProducedWarning")
def test_the_exit_status_of_a_run(tmp_path, capsys, script: str, options: list[str], status: int) -> None:
    path = tmp_path / "study.dealer"
    path.write_text(script)
    assert main(["run", str(path), "-s", "1", *options]) == status


def test_a_closed_suit_explains_a_contradiction() -> None:
    with pytest.warns(dk.UnsatisfiableWarning, match=r"> 3; the predeal determines it, in which an x"):
        dk.run("predeal north SAxx condition spades(north) > 3", produce=1, seed=1)
    assert dk.run("predeal north SA+ condition spades(north) > 3", produce=9, seed=1).produced == 9


@pytest.mark.filterwarnings("ignore::dealerkit.NothingProducedWarning")
def test_the_exit_status_of_deal(capsys) -> None:
    assert main(["deal", "2", "--given", "hcp(north) + hcp(south) > 40"]) == 3
    shown = capsys.readouterr()
    assert shown.out == "" and "no deal can meet the condition" in shown.err
    assert main(["deal", "2", "--given", "hcp(north) + hcp(south) > 30", "--format", "deal"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2
    for verb in ("run", "deal"):
        with pytest.raises(SystemExit):
            main([verb, "--help"])
        assert "3 if it is proved that no deal can meet" in " ".join(capsys.readouterr().out.split())


def test_a_result_has_the_clauses_that_exclude_all_deals() -> None:
    text = "condition clubs(north) > 3 and spades(north) == 7 and spades(south) == 7"
    with pytest.warns(dk.UnsatisfiableWarning, match="no deal can meet"):
        result = dk.run(text, generate=100, plan="plain", seed=1)
    assert result.unsatisfiable == ("spades(north) == 7", "spades(south) == 7")
    assert dk.run(STUDY, produce=1, seed=1).unsatisfiable == ()


# ---------------------------------------------------------------- deals without a value
@pytest.mark.parametrize(
    ("call", "text", "given"),
    [
        (dk.probability, "10 / (hcp(north) - 10) > 0", None),
        (dk.probability, "10 / (hcp(north) - 10) > 0", "cccc(south) > 10"),
        (dk.probability, "hcp(north) > 3", "hcp(south) > 12 and 10 / (hcp(north) - 10) > 0"),
        (dk.probability, "cccc(south) > 10 and 10 / (hcp(north) - 10) > 0", "hcp(east) > 10"),
        (dk.distribution, "10 % (hcp(north) - 10)", "cccc(east) > 10"),
    ],
)
@pytest.mark.parametrize("predeal", [None, {"west": "SA"}])
def test_a_probability_names_the_deal_without_a_value(call, text: str, given: str | None, predeal) -> None:
    with pytest.raises(dk.DivisionByZeroError) as caught:
        call(text, given, predeal)
    deal = str(caught.value).rpartition("as in the deal ")[2]
    deals = dk.Deals.from_pbn(deal)  # it is a whole deal, and it has no value
    assert deals.eval("hcp(north)").tolist() == [10]
    if given is not None and "/" not in given:
        assert len(deals.where(given)) == 1
    if predeal:
        assert len(deals.where("hascard(west, AS)")) == 1


def find_warnings(condition, **options):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        dk.run(condition, seed=1, **options)
    return [(warning.category.__name__, str(warning.message)) for warning in caught]


def test_one_warning_if_nothing_is_produced():
    hands = {"north": "AK32.32.K432.432", "east": "QJT.QJT.QJT.QJT9"}
    ((kind, message),) = find_warnings("hcp(north) > 30", source=dk.all_deals(hands), generate=1000)
    assert kind == "NothingProducedWarning"
    assert "first layouts in their order" in message and "without a generate limit" in message
    single = dk.all_deals(hands | {"south": "987654.A.A987.65"})
    ((kind, message),) = find_warnings("hcp(south) == 8 and rnd(1000000) == 1", source=single)
    assert kind == "NothingProducedWarning"
    assert "random numbers of this seed" in message and "limit" not in message


def test_a_warning_does_not_advise_a_limit_that_is_not_reached():
    deals = dk.deal(10, seed=1)
    ((_, message),) = find_warnings("hcp(north) > 30", source=deals)
    assert "no deal of 10" in message and "no more" in message and "limit" not in message
    ((_, message),) = find_warnings("hcp(north) > 30", source=deals, generate=5)
    assert "raise the generate limit" in message


@pytest.mark.parametrize("layout", ["wide", "long"])
def test_frames_have_further_columns(layout: str) -> None:
    script = "condition hcp(north) >= 20 action average hcp(south), average controls(north)"
    by = {"weak": "hcp(south) <= 5", "fair": "hcp(south) > 5"}  # with weights, a column of the long layout
    for result in (dk.run(script, produce=6, seed=1), dk.level(script, by, produce=6, seed=1)):
        own, frame = result.to_frame(layout=layout), result.to_frame("hcp", layout=layout, fit="fit(NS)")
        assert frame[own.columns].equals(own)
        added = frame.drop(columns=own.columns)
        measured = result.deals.to_frame("hcp", layout=layout, fit="fit(NS)")
        assert added.columns[-1] == "fit" and len(added.columns) == (5 if layout == "wide" else 2)
        assert added.equals(measured[added.columns])
        with pytest.raises(dk.ArgumentError, match="has a column .* already"):
            result.to_frame(layout=layout, **{own.columns[-1]: "fit(NS)"})
    with pytest.raises(dk.UnknownNameError, match="did you mean 'hcp'"):
        result.to_frame("hpc")
