"""dk.estimate: against exact numbers, tables of solved deals, and a model that knows nothing; bad input."""

from __future__ import annotations

import json
import re
import warnings
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import dealerkit as dk
from dealerkit.cli import main
from dealerkit.compiler.compilation import compile_conditions
from dealerkit.doubledummy.trick_model.predictions import is_training_deal
from dealerkit.studies.estimate import question as questions
from dealerkit.studies.estimate.population import ConditionPopulation, drop_training_deals
from dealerkit.studies.estimate.question import Part, Question
from dealerkit.studies.estimate.real_play import find_correction
from dealerkit.studies.estimate.two_phase import Measures, sample_means
from tests.plots.figure_texts import check_themes
from tests.studies.same_numbers import check_same_numbers

FIT = "fit(NS, spades) == 8 and hcp(north) + hcp(south) >= 20"
MAKES = "dds(south, spades) >= 10"
pytestmark = pytest.mark.filterwarnings("ignore::dealerkit.DoubleDummyBias")


@pytest.fixture(scope="module")
def held_out():
    """Solved deals that the trick model was not trained on."""
    deals = dk.solved_sample()
    return deals[~is_training_deal(deals)].where(FIT)


# ------------------------------------------------------------ exact
def test_files_that_texts_include_are_looked_for(tmp_path):
    (tmp_path / "script").mkdir()
    (tmp_path / "script" / "strong.dealer").write_text("strong = hcp(north) >= 20")
    given = '#include "script/strong.dealer"\nstrong'
    hand = "KJ74.Q93.T85.J62"
    options = {"given": given, "include": [tmp_path], "seed": 1}
    counted = dk.estimate("hcp(north)", **options)
    assert counted.estimate == dk.estimate("hcp(north)", given="hcp(north) >= 20").estimate
    with pytest.warns(dk.SmallSample):
        study = dk.lead(hand, "1NT by north", produce=2, **options)
    assert (study.deals.eval("hcp(north)") >= 20).all()
    del options["given"]
    with pytest.warns(dk.SmallSample):
        games = dk.contracts(given, ["1NT", "3NT"], declarer="north", produce=5, **options)
    assert games.deals == 5
    for call in (
        lambda: dk.lead(hand, "1NT by north", given=given),
        lambda: dk.contracts(given, "1NT by north"),
    ):
        with pytest.raises(dk.DealerkitError, match="strong.dealer"):
            call()


def test_what_can_be_counted_is_counted():
    result = dk.estimate("hcp(north)", given="spades(north) == 5")
    frame = dk.distribution("hcp(north)", given="spades(north) == 5")
    assert result.estimate.exact and result.value == pytest.approx(frame.attrs["mean"])
    assert dk.estimate("hcp(north)").estimate.fraction == 10
    assert (
        dk.estimate("spades(north) == 5").estimate.fraction == dk.probability("spades(north) == 5").fraction
    )
    assert (result.solves, result.interval) == (0, (result.value, result.value))


def test_a_condition_of_several_lines_is_shown_in_one():
    result = dk.estimate("hcp(north)", given="\n  hcp(south) >= 15\n  and hcp(south) < 18")
    assert "Given hcp(south) >= 15 and hcp(south) < 18.\n" in result.text


def test_exact_differences_ratios_and_quantiles():
    assert dk.estimate("hcp(north)", against="hcp(south)").estimate.fraction == 0
    ratio = dk.estimate("spades(north) == 5 and hcp(north) == 12", per="spades(north) == 5")
    assert ratio.estimate.fraction == dk.probability("hcp(north) == 12", given="spades(north) == 5").fraction
    frame = dk.distribution("hcp(north)")
    median = frame.index[(frame.cumulative >= 0.5).argmax()]
    assert dk.estimate("hcp(north)", quantile=0.5).estimate.fraction == Fraction(int(median))


def test_without_tricks_deals_are_dealt_and_none_is_solved():
    result = dk.estimate("cccc(north)", given="spades(north) == 5", precision=0.05, seed=2)
    values = dk.deal(20_000, given="spades(north) == 5", seed=9).eval("cccc(north)")
    assert result.solves == 0 and result.is_precise and result.method == "plain"
    assert abs(result.value - values.mean()) < 0.05 + 2 * values.std() / 20_000**0.5


# ------------------------------------------------------------ against solved deals
def test_all_deals_of_a_small_population_give_their_mean(held_out):
    tricks = held_out.tables[:, 0, 2]
    with pytest.warns(dk.TruncatedRun, match="all .* deals have been used"):
        result = dk.estimate(MAKES, deals=held_out, precision=1e-4, method="plain")
    assert result.value == pytest.approx((tricks >= 10).mean()) and result.n == len(held_out)
    with pytest.warns(dk.TruncatedRun):
        score = dk.estimate(
            "score(nv, 4S, dds(south, spades))", deals=held_out, precision=1e-3, method="plain"
        )
    assert score.value == pytest.approx(dk.score("4S", tricks).mean())


@pytest.mark.parametrize(
    ("question", "options", "precision"),
    [
        (MAKES, {}, 0.04),
        ("dds(south, spades)", {}, 0.12),
        ("imps(score(vul, 4S, dds(south, spades)) - score(vul, 3NT, dds(south, notrump)))", {}, 0.6),
        ("dds(south, spades)", {"against": "dds(south, notrump)"}, 0.12),
        (f"{MAKES} and hcp(south) >= 12", {"per": "hcp(south) >= 12"}, 0.06),
        ("dds(south, spades)", {"quantile": 0.25}, 0.5),
    ],
)
def test_the_model_gives_the_value_of_the_population(held_out, question, options, precision):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = dk.estimate(
            question, deals=held_out, precision=precision, seed=4, confidence=0.999, **options
        )
        finest = 0.5 if "quantile" in options else 1e-9
        whole = dk.estimate(question, deals=held_out, precision=finest, method="plain", **options)
    assert result.method == "model" and result.solves == 0
    assert result.interval[0] <= whole.value <= result.interval[1]


@pytest.mark.parametrize(
    ("question", "quantile", "precision"),
    [
        ("dds(south, spades)", 0.5, 0.5),
        ("dds(south, spades)", 0.2, 1),
        ("cccc(south)", 0.5, 0.15),
        ("0.5 * dds(south, spades)", 0.5, 0.25),
    ],
)
def test_a_quantile_ends_with_the_precision_of_the_interval_that_is_printed(question, quantile, precision):
    sample = dk.solved_sample()[:20_000]
    values = np.sort(sample.eval(question))
    truth = values[int(np.ceil(quantile * len(values))) - 1]
    n_within = 0
    for seed in range(20):
        result = dk.estimate(
            question, deals=sample, quantile=quantile, precision=precision, seed=seed, method="plain"
        )
        lo, hi = result.interval
        assert (hi - lo) / 2 <= precision + 1e-9 and result.is_precise and not result.reason
        assert 90 <= result.n < len(sample)
        n_within += lo <= truth <= hi
    assert n_within >= 18


def test_values_too_far_apart_for_the_precision_of_a_quantile():
    sample = dk.solved_sample()[:20_000]
    with pytest.raises(
        dk.ArgumentError, match="^precision is 0.4; .* whole numbers .*, so give 0.5 or more$"
    ):
        dk.estimate("dds(south, spades)", deals=sample, quantile=0.5, precision=0.4)
    counted = dk.estimate("hcp(north)", quantile=0.5, precision=0.1)
    assert counted.estimate.exact and counted.value == 10
    assert dk.estimate("dds(south, spades)", deals=sample, quantile=0.5).precision == 1
    score = "score(nv, 4S, dds(south, spades))"  # -50 and 420
    with pytest.warns(dk.TruncatedRun, match="the values next to the quantile are too far apart"):
        result = dk.estimate(score, deals=sample, quantile=0.8, precision=5, method="plain")
    assert not result.is_precise and result.n < len(sample)


@pytest.mark.parametrize(
    ("question", "precision"), [(MAKES, 0.1), (MAKES, 0.05), ("dds(south, spades)", 0.15)]
)
def test_plain_sampling_would_need_as_many_solves_as_are_said(held_out, question, precision):
    deviation = held_out.eval(question).astype(float).std()
    half = [stats.t.ppf(0.975, n - 1) * deviation / n**0.5 for n in range(2, 1000)]
    needed = 2 + int(np.argmax(np.array(half) <= precision))
    said = [
        dk.estimate(question, deals=held_out, precision=precision, seed=seed).plain_solves
        for seed in range(8)
    ]
    assert np.mean(said) == pytest.approx(needed, rel=0.1)


def test_equal_seeds_give_equal_estimates(held_out):
    first, second, other = (
        dk.estimate(MAKES, deals=held_out, precision=0.05, seed=seed) for seed in (1, 1, 2)
    )
    assert first.estimate.to_dict() == second.estimate.to_dict() != other.estimate.to_dict()


def test_deals_that_trained_the_model_are_left_out():
    sample = dk.solved_sample()[:2000]
    assert len(drop_training_deals(sample)) == np.count_nonzero(~is_training_deal(sample))
    dealt = dk.deal(500, seed=77)
    assert len(drop_training_deals(dealt)) == 500
    used = dk.estimate(MAKES, deals=sample.replace(tables=None), precision=0.2)
    assert used.deals <= np.count_nonzero(~is_training_deal(sample)) < 300
    trained = sample[is_training_deal(sample)][:40]
    with pytest.raises(dk.ArgumentError, match="trained on all 40 deals"):
        dk.estimate(MAKES, deals=trained.replace(tables=None))
    # With tables nothing is predicted, unless the question is about predictions
    plain = dk.estimate(MAKES, deals=sample, precision=0.02)
    assert plain.method == "plain" and plain.n > 1000 and not any("model" in note for note in plain.notes)
    with pytest.raises(dk.ArgumentError, match="trained on all 40 deals"):
        dk.estimate(f"{MAKES} and xtricks(south, spades) > 9", deals=trained)


def test_a_model_that_knows_nothing_costs_solves_only(held_out, monkeypatch):
    random = np.random.default_rng(1)

    def guess(hands, strain, declarer):
        return np.sort(random.random((len(hands), 14)), axis=1)[:, ::-1]

    options = {"deals": held_out, "precision": 0.06, "seed": 3, "confidence": 0.99}
    good = dk.estimate(MAKES, **options)
    monkeypatch.setattr(questions, "predict_chances", guess)
    poor = dk.estimate(MAKES, **options)
    truth = (held_out.tables[:, 0, 2] >= 10).mean()
    assert poor.interval[0] <= truth <= poor.interval[1]
    assert poor.n > good.n


def test_dealt_deals_are_solved():
    given = f"{FIT} and hcp(north) == 14"
    result = dk.estimate(MAKES, given=given, precision=0.15, seed=5, solved=None)
    assert result.is_precise and result.solves == result.n >= 30 and result.deals > 1000
    assert 0 < result.value < 1 and result.plain_solves > 0


# ------------------------------------------------------------ predictions
def ask(text, chances):
    """Return a question with a model that gives all deals the same chances."""
    compiled, trees = compile_conditions((text,))
    part = Part(compiled.graph.add_expression(trees[0]))

    def model(hands, strain, declarer):
        shares = chances[strain, declarer]
        return np.tile(np.cumsum(shares[::-1])[::-1], (len(hands), 1))

    return Question(compiled, [part], model=model)


def test_the_prediction_of_one_number_of_tricks_is_its_expectation():
    random = np.random.default_rng(2)
    shares = random.dirichlet(np.ones(14))
    deals, tricks = dk.deal(5, seed=1), np.arange(14)
    for text, values in [
        ("dds(south, spades)", tricks),
        (MAKES, tricks >= 10),
        ("score(nv, 4S, dds(south, spades))", dk.score("4S", tricks)),
        ("dds(south, spades) >= 10 ? 620 : -100", np.where(tricks >= 10, 620, -100)),
    ]:
        prediction = ask(text, {(0, 2): shares}).predict(deals)
        mean = shares @ values
        assert prediction.expected == pytest.approx(np.full((5, 1), mean))
        assert prediction.spread == pytest.approx(np.full((5, 1), (shares @ values**2 - mean**2) ** 0.5))


def test_the_prediction_of_several_numbers_of_tricks():
    sure = np.eye(14)
    prediction = ask(
        "dds(south, spades) - dds(north, notrump) + hcp(north)", {(0, 2): sure[10], (4, 0): sure[8]}
    ).predict(deals := dk.deal(7, seed=1))
    assert prediction.expected[:, 0] == pytest.approx(2 + deals.eval("hcp(north)"))
    assert prediction.spread == pytest.approx(0, abs=1e-6)


def test_a_prediction_without_a_value_is_none():
    prediction = ask("100 / dds(south, spades)", {(0, 2): np.full(14, 1 / 14)}).predict(dk.deal(3, seed=1))
    assert not prediction.expected.any() and prediction.spread.tolist() == [[1.0]] * 3


def test_values_are_those_of_the_tables(held_out):
    text = "dds(south, spades) >= 9 and dds(north, notrump) >= 8"
    values = ask(text, {}).value(held_out)
    assert values[:, 0].tolist() == held_out.eval(text).tolist()


# ------------------------------------------------------------ real play
def test_the_correction_for_real_play(held_out):
    assert find_correction("1NT") == 0.41 and find_correction("2H") == 0.15 and find_correction(7) == -0.09
    tricks = held_out.tables[:, 0, 2].astype(int)
    with pytest.warns(dk.TruncatedRun):
        result = dk.estimate(
            "dds(south, spades)", deals=held_out, real_play="2S", precision=1e-9, method="plain"
        )
    assert result.value == pytest.approx((0.85 * tricks + 0.15 * np.minimum(tricks + 1, 13)).mean())
    with pytest.warns(dk.TruncatedRun):
        makes = dk.estimate(
            "t = dds(south, spades) t >= 12", deals=held_out, real_play=6, precision=1e-9, method="plain"
        )
    assert makes.value == pytest.approx((0.91 * (tricks >= 12) + 0.09 * (tricks - 1 >= 12)).mean())
    assert any("OKbridge" in note for note in makes.notes)


def test_double_dummy_is_mentioned(held_out):
    with pytest.warns(dk.DoubleDummyBias, match="all cards known"):
        result = dk.estimate(MAKES, deals=held_out, precision=0.1)
    assert "double dummy" in result.text
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        dk.estimate(MAKES, deals=held_out, precision=0.1, real_play="4S")


# ------------------------------------------------------------ ends
def test_limits_give_a_partial_result(held_out):
    with pytest.warns(dk.TruncatedRun, match="the limit of 40 solves was reached"):
        result = dk.estimate(MAKES, given=FIT, precision=0.01, max_solves=40, seed=1, solved=None)
    assert 30 <= result.solves <= 40 and not result.is_precise
    assert result.reason == "the limit of 40 solves was reached"
    assert 0 < result.interval[1] - result.interval[0] < 1
    with pytest.warns(dk.TruncatedRun, match="was reached"):
        dk.estimate("dds(south, spades)", given=FIT, precision=0.001, max_seconds=0.5, seed=1, solved=None)


def test_an_interrupt_gives_a_partial_result():
    calls = []

    def value(deals):
        calls.append(len(deals))
        if len(calls) > 3:
            raise KeyboardInterrupt
        return deals.eval("hcp(north)")[:, None]

    population = ConditionPopulation.from_text(None, seed=1)
    with pytest.warns(dk.TruncatedRun, match="interrupted"):
        sampled = sample_means(population, value, Measures((0.01,), (False,), value_ns=1e7))
    assert sampled.cost.solved_deals == sum(calls[:3])
    assert sampled.estimates[0].lo < 10 < sampled.estimates[0].hi


def test_small_samples(held_out):
    with pytest.warns(dk.SmallSample, match="12 deals"), pytest.warns(dk.TruncatedRun):
        result = dk.estimate(MAKES, deals=held_out[:12])
    assert result.interval[0] < result.value < result.interval[1]
    with pytest.raises(dk.ArgumentError, match="1 deal cannot give an interval"):
        dk.estimate(MAKES, deals=held_out[:1])


def test_equal_values_have_an_interval(held_out):
    deals = held_out.where("dds(south, spades) >= 8")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for question in ("dds(south, spades) >= 5", "dds(south, spades) >= 5 ? 7.5 : 2"):
            result = dk.estimate(question, deals=deals[:100], method="plain")
            assert result.interval[0] < result.value <= result.interval[1]


def test_the_cost_is_stated():
    with pytest.raises(
        dk.ArgumentError,
        match="deals or more, too many for one study, must be solved, which takes .*max_seconds=",
    ):
        dk.estimate(MAKES, given=FIT, precision=1e-5)


# ------------------------------------------------------------ bad input
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"precision": 0}, "precision is 0; .* above 0"),
        ({"precision": "x"}, "precision is 'x'"),
        ({"precision": float("nan")}, "precision is nan"),
        ({"precision": True}, "precision is True"),
        ({"confidence": 95}, "confidence is 95"),
        ({"method": "modle"}, "unknown method 'modle'; did you mean 'model'"),
        ({"quantile": 1}, "quantile is 1; .*0.5 for the median"),
        ({"per": "1", "against": "1"}, "per= and against= exclude each other"),
        ({"real_play": "8NT"}, "real_play is '8NT'"),
        ({"real_play": "3NT"}, "the question does not use"),
        ({"seed": -1}, "seed is -1"),
        ({"max_seconds": 0}, "max_seconds is 0"),
        ({"max_solves": 0}, "max_solves is 0"),
        ({"deals": 3}, "deals is 3"),
        ({"deals": pd.DataFrame({"x": [1, 2]})}, "^deals is a DataFrame; give Deals"),
        ({"given": "hcp(north) > 40"}, "no deal"),
    ],
)
def test_wrong_arguments(options, message):
    with pytest.raises(dk.ArgumentError, match=message):
        dk.estimate("hcp(north) >= 12", **options)


def test_conditions_that_nobody_meets(held_out):
    with pytest.raises(dk.ArgumentError, match="none of the .* deals meets the given condition"):
        dk.estimate(MAKES, given="hcp(north) > 36", deals=held_out)
    with pytest.raises(dk.ArgumentError, match="no deal can meet the given condition"):
        dk.estimate(MAKES, given="spades(north) + spades(south) > 13")
    with pytest.raises(dk.ScriptError):
        dk.estimate("dds(south spades)")


# ------------------------------------------------------------ result and command
def test_the_result_shows_itself(held_out):
    result = dk.estimate(MAKES, deals=held_out, given="hcp(north) > 9", precision=0.1, seed=1)
    frame = result.to_frame()
    assert frame.value[0] == result.value == float(result) and frame.n[0] == result.n
    assert frame.attrs["provenance"]["script"] == f"{MAKES} given hcp(north) > 9"
    assert json.loads(json.dumps(result.to_dict()))["provenance"]["cost"]["deals"] == result.deals
    assert result.provenance.versions["dealerkit"] == dk.__version__
    part = f"{result.n} of {result.deals:,} deals solved, the others predicted and corrected.\n"
    assert result.n < result.deals and part in result.text
    assert len(repr(result)) <= 200 and "Plain sampling would have needed" in str(result)
    page = result._repr_html_()
    assert page.count("<svg") == 1 and "How it was computed" in page
    assert "Plain sampling would have needed" in page
    check_same_numbers(result)
    check_same_numbers(dk.estimate("hcp(north) + hcp(south)", given="hcp(north) >= 15"))
    data = result.to_dict()
    assert data["value"] == data["tables"][0]["rows"][0]["value"]["value"] == result.value
    assert f"{result:.1%}".count("%") == 2
    assert result.standard_error == result.estimate.se > 0


def test_plots(held_out):
    pytest.importorskip("matplotlib").use("Agg")
    for question in (MAKES, "score(nv, 4S, dds(south, spades)) + cccc(north)"):
        assert question in check_themes(dk.estimate(question, deals=held_out, precision=30).plot)
    assert "10, exact" in check_themes(dk.estimate("hcp(north)").plot)


def test_the_command(tmp_path, capsys):
    files = [f"--{kind}={tmp_path / name}" for kind, name in
             (("plot", "a.png"), ("html", "a.html"), ("csv", "a.csv"))]  # fmt: skip
    words = ["estimate", "cccc(north)", "--given", "spades(north) == 5", "--precision", "0.1", "-s", "1"]
    assert main([*words, *files]) == 0
    printed = capsys.readouterr().out
    assert "spades(north) == 5" in printed and "95 % interval" in printed
    assert (tmp_path / "a.png").read_bytes()[:4] == b"\x89PNG"
    assert "95 % interval" in (tmp_path / "a.html").read_text("utf-8")
    assert (tmp_path / "a.csv").read_text("utf-8").startswith("question,given,value,se")
    assert main([*words, "--plot", "a.txt"]) == 2
    assert "ends with .png, .svg or .pdf" in capsys.readouterr().err
    assert main(["estimate", "hcp(north)", "--per", "hcp(south)"]) == 0
    assert "      1     exact " in capsys.readouterr().out


def test_no_seed_deals_the_deals_that_trained_the_model():
    for seed in (20261122, 20261123):
        deals = ConditionPopulation.from_text(None, seed=seed).draw(1500)
        assert len(drop_training_deals(deals)) == 1500
        strong = ConditionPopulation.from_text("hcp(north) >= 15", seed=seed).draw(300)
        assert len(drop_training_deals(strong)) == 300
    assert len(drop_training_deals(dk.deal(1500, seed=20261122))) < 300  # they are in the sample


def test_given_deals_that_are_left_out_are_named():
    deals = dk.solved_sample()[:2000]
    n_training = int(np.count_nonzero(is_training_deal(deals)))
    with_model = dk.estimate(MAKES, deals=deals.replace(tables=None), precision=0.2, seed=1)
    assert any(note.startswith(f"{n_training:,} given deals trained") for note in with_model.notes)
    plain = dk.estimate(MAKES, deals=deals, precision=0.2, seed=1, method="plain")
    assert not any("left out" in note for note in plain.notes)


def test_a_rare_divisor_needs_more_than_the_first_deals():
    rare = "dds(south, spades) >= 12"
    with pytest.raises(dk.ArgumentError, match="0 in 4 deals, may be 0; give another expression"):
        dk.estimate(MAKES, per="dds(south, spades) >= 14", deals=dk.solved_sample()[:4], method="plain")
    deals = dk.solved_sample()[:20_000]
    deals = deals[np.argsort(deals.eval(rare), kind="stable")][-14_000:]
    shares = deals.eval(rare), deals.eval("dds(south, spades) >= 13")
    result = dk.estimate(
        "dds(south, spades) >= 13", per=rare, deals=deals, method="plain", precision=0.2, seed=2
    )
    truth = shares[1].sum() / shares[0].sum()
    assert result.interval[0] < truth < result.interval[1] and result.n < 14_000


def test_a_precision_beyond_all_deals_is_an_error_before_it_starts():
    with pytest.raises(dk.ArgumentError, match="give a larger precision, or a limit"):
        dk.estimate("cccc(north)", precision=1e-4, seed=1)


def test_a_limit_that_leaves_one_deal_names_the_limit(monkeypatch):
    monkeypatch.setenv("DEALERKIT_STORE", "off")
    with pytest.raises(
        dk.ArgumentError, match="ended early: the limit of 1 solve was reached; 1 deal cannot"
    ):
        dk.estimate("dds(south, spades)", given=FIT, max_solves=1, seed=1, solved=None)


def test_included_files_are_found(tmp_path):
    (tmp_path / "script").mkdir()
    (tmp_path / "script" / "strong.dl").write_text("strong = hcp(north) >= 20\n", encoding="utf-8")
    given = '#include "script/strong.dl"\nstrong'
    expected = dk.estimate("hcp(north)", given="hcp(north) >= 20")
    assert dk.estimate("hcp(north)", given=given, include=[tmp_path]).value == expected.value
    deals = dk.deal(200, given="hcp(north) >= 18", seed=1)
    few = dk.estimate("hcp(north)", given=given, include=[tmp_path], deals=deals, precision=20)
    assert few.value == deals.where("hcp(north) >= 20").eval("hcp(north)").mean()


def test_a_quantile_that_is_almost_a_tie_ends() -> None:
    """North and south together have half of all spade aces, as east and west have: a tie of two values."""
    with pytest.warns(
        dk.TruncatedRun, match="it is almost a tie whether the quantile is 0 or 3, and many more"
    ):
        result = dk.estimate(
            "3 * (hascard(north, AS) or hascard(east, AS))", given="cccc(north) + cccc(south) >= 25",
            quantile=0.5, precision=0.5, seed=1,
        )  # fmt: skip
    assert 9_000 < result.n < 100_000
    assert (result.interval, result.value) in (((0, 3), 0), ((0, 3), 3))


@pytest.mark.parametrize("column", ["weight", "cluster"])
def test_deals_with_weights_or_clusters_are_refused(column: str) -> None:
    deals = dk.solved_sample()[:40].replace(**{column: np.arange(40)})
    messages = []
    for study in (
        lambda: dk.estimate("hcp(north)", deals=deals),
        lambda: dk.contracts(deals, "3NT by south"),
        lambda: dk.estimate("dds(south, spades)", solved=deals),
    ):
        with pytest.raises(dk.ArgumentError, match="have weights or are swapped; give a plain") as caught:
            study()
        messages.append(str(caught.value))
    assert len(set(messages)) == 1
    remedy = re.search(r"deals\.to_frame.*\)", messages[0])
    assert remedy is not None
    assert len(eval(remedy[0], {"deals": deals})) == 1


def test_a_number_of_deals_is_solved() -> None:
    deals = dk.solved_sample()[:300]
    result = dk.estimate("dds(south, spades) >= 8", deals=deals, produce=300)
    makes = (deals.tables[:, 0, 2] >= 8).sum()
    assert result.estimate.to_dict() == dk.proportion(makes, 300).to_dict() | {
        "samples": sorted(result.estimate.samples), "se": pytest.approx(result.estimate.se),
        "lo": pytest.approx(dk.proportion(makes, 300).lo, abs=1e-3),
        "hi": pytest.approx(dk.proportion(makes, 300).hi, abs=1e-3),
    }  # fmt: skip
    assert (result.n, result.deals, result.reason, result.is_precise) == (300, 300, "", True)
    part = dk.estimate("dds(south, spades) >= 8", deals=deals, produce=100, seed=2)
    assert part.n == 100 and part.value != result.value
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        dealt = dk.estimate("cccc(north)", "hcp(north) == 12", produce=200, seed=3)
    assert (dealt.n, dealt.reason, dealt.method) == (200, "", "plain") and "Ended early" not in dealt.text
    assert eval(dealt.provenance.call).value == dealt.value
    assert dk.estimate("hcp(north)", produce=5).estimate.exact
    for wrong, message in (
        ({"precision": 0.1}, "not both"), ({"quantile": 0.5}, "for means and shares; give precision="),
    ):  # fmt: skip
        with pytest.raises(dk.ArgumentError, match=message):
            dk.estimate("cccc(north)", produce=5, **wrong)
