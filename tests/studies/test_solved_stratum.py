"""Solved deals as the first stratum: which deals they are, their interval, new deals for the rest, named libraries."""

from __future__ import annotations

import json
import warnings

import numpy as np
import pytest

import dealerkit as dk
from dealerkit.cli import main
from dealerkit.doubledummy.store.records import encode_deals, hash_deals
from dealerkit.doubledummy.trick_model.predictions import is_training_deal
from dealerkit.formats.solved_libraries import list_solved
from dealerkit.statistics.known_sample import KnownSample, combine_means, predict_size
from dealerkit.statistics.two_phase import estimate_means
from dealerkit.studies.solved_stratum import turn_deals

pytestmark = pytest.mark.filterwarnings("ignore::dealerkit.errors.DealerkitWarning")

GIVEN = "hcp(north) + hcp(south) == 25"
MAKES = "dds(south, notrump) >= 9"


@pytest.fixture(scope="module")
def deals() -> dk.Deals:
    return dk.solved_sample()[:20_000]


@pytest.fixture(autouse=True)
def no_libraries():
    yield
    dk.use_solved()


def find_rows(deals: dk.Deals, given: str = GIVEN, question: str = MAKES):
    """Return the values of all rotations that meet a condition, and the deals that they are of."""
    values, owners = [], []
    for turn in range(4):
        turned = dk.Deals(
            np.stack([deals.hands[:, (seat + turn) % 4] for seat in range(4)], axis=1),
            tables=np.stack([deals.tables[:, :, (seat + turn) % 4] for seat in range(4)], axis=2),
        )
        chosen = np.flatnonzero(turned.eval(given))
        values.append(turned[chosen].eval(question).astype(float))
        owners.append(chosen)
    return np.concatenate(values), np.concatenate(owners)


def choose_rotations(deals: dk.Deals, given: str = GIVEN) -> dk.Deals:
    """Return each deal in one of the rotations that meet a condition, chosen by the upper half of its hash."""
    hashes = hash_deals(*encode_deals(deals.hands))
    turned = [turn_deals(deals, turn) for turn in range(4)]
    accepted = np.stack([each.eval(given).astype(bool) for each in turned], axis=1)
    chosen = [
        (row, np.flatnonzero(turns)[int(hashes[row] >> np.uint64(32)) % turns.sum()])
        for row, turns in enumerate(accepted)
        if turns.any()
    ]
    hands = np.stack([turned[turn].hands[row] for row, turn in chosen])
    return dk.Deals(hands, tables=np.stack([turned[turn].tables[row] for row, turn in chosen]))


# ------------------------------------------------------------ which deals
def test_every_rotation_that_meets_the_condition_counts_in_clusters(deals):
    study = dk.estimate(MAKES, GIVEN, precision=0.03, solved=deals)
    values, owners = find_rows(deals)
    assert study.method == "solved" and study.solves == 0 and study.deals == study.n == len(np.unique(owners))
    assert study.value == pytest.approx(values.mean()) and len(study.values) == len(values) > study.n
    # The error of a ratio of sums of clusters, by leaving out one cluster at a time
    sums, sizes = np.bincount(owners, values), np.bincount(owners)
    kept = (values.sum() - sums[sizes > 0]) / (len(values) - sizes[sizes > 0])
    jackknife = ((len(kept) - 1) / len(kept) * ((kept - kept.mean()) ** 2).sum()) ** 0.5
    assert study.standard_error == pytest.approx(jackknife, rel=0.01)


def test_contracts_use_one_rotation_of_a_deal_with_its_weight(deals):
    # A balanced hand of 12 to 14 points: one to four seats of a deal may have one
    given = "hcp(north) >= 12 and hcp(north) <= 14 and shape(north, any 4333 + any 4432 + any 5332)"
    study = dk.contracts(given, "1NT", declarer="north", vulnerable="none", precision=0.5, solved=deals)
    values, owners = find_rows(deals, given, "dds(north, notrump) >= 7")
    sizes = np.bincount(owners)
    sizes = sizes[sizes > 0]
    made = study.makes("1NT")
    assert study.deals == len(sizes) < len(owners) and {1, 2, 3} <= set(sizes.tolist())
    # The mean of all rotations, but for the choice among them; the first of each deal without weights differs more
    assert made.value == pytest.approx(values.mean(), abs=made.se)
    effective = sizes.sum() ** 2 / (sizes**2).sum()
    assert made.se == pytest.approx((made.value * (1 - made.value) / effective) ** 0.5, rel=0.05)


def test_tables_turn_with_the_deals():
    deals = dk.solved_sample()[:2]
    for turn in range(1, 4):
        turned = turn_deals(deals, turn)
        assert (dk.dd_table(dk.Deals(turned.hands)) == turned.tables).all()


def test_predealt_cards_are_a_condition(deals):
    predeal = {"north": "SA", "east": {"clubs": 3}}
    study = dk.estimate("dds(north, spades)", GIVEN, predeal, precision=9, solved=deals)
    values, owners = find_rows(
        deals, f"{GIVEN} and hascard(north, AS) and clubs(east) == 3", "dds(north, spades)"
    )
    assert study.value == pytest.approx(values.mean()) and study.n == len(np.unique(owners))


def test_a_condition_on_tricks_is_decided_by_the_tables(deals):
    given = "dds(south, spades) >= 12 and hcp(south) >= 15"
    study = dk.estimate("dds(south, notrump) >= 12", given, precision=0.2, solved=deals)
    values, owners = find_rows(deals, given, "dds(south, notrump) >= 12")
    assert (study.value, study.n, study.solves) == (pytest.approx(values.mean()), len(np.unique(owners)), 0)


def test_a_deal_counts_once(deals, tmp_path):
    deals[:9000].write(tmp_path / "first.zrd")
    alone = dk.estimate(MAKES, GIVEN, precision=0.03, solved=dk.read(tmp_path / "first.zrd"))
    twice = dk.Deals(np.tile(deals.hands[:9000], (2, 1)), tables=np.tile(deals.tables[:9000], (2, 1, 1)))
    again = dk.estimate(MAKES, GIVEN, precision=0.03, solved=twice)
    assert alone.n == again.n < 9000 and alone.estimate == again.estimate


def test_a_library_is_read_until_the_precision_is_reached(deals, tmp_path, monkeypatch):
    monkeypatch.setattr("dealerkit.studies.solved_stratum.FIRST_STEP", 4000)
    deals.write(tmp_path / "all.zrd")
    library = dk.read(tmp_path / "all.zrd")
    part = dk.estimate(MAKES, GIVEN, precision=0.05, solved=library)
    assert part.provenance.solved == f"{part.n} of the 4,000 deals of all.zrd"
    assert part.estimate == dk.estimate(MAKES, GIVEN, precision=0.05, solved=deals[:4000]).estimate
    more = dk.estimate(MAKES, GIVEN, precision=0.03, solved=library)
    assert more.provenance.solved == f"{more.n:,} of the 12,000 deals of all.zrd"


def test_questions_about_the_model_use_no_deals_that_trained_it(deals):
    question = "dds(south, spades) - xtricks(south, spades)"
    study = dk.estimate(question, GIVEN, precision=9, solved=deals)
    _, owners = find_rows(deals[~is_training_deal(deals)], question="1")
    assert study.n == len(np.unique(owners)) < 300


def test_nothing_is_looked_for_where_no_tricks_are_asked_for_or_deals_are_given(deals):
    assert dk.estimate("hcp(north)", "cccc(south) > 20", precision=0.5).from_solved == 0
    assert dk.estimate(MAKES, deals=deals[:500], precision=0.5).from_solved == 0
    assert dk.estimate(MAKES, GIVEN, precision=0.5, solved=None, max_solves=60).from_solved == 0


# ------------------------------------------------------------ new deals for the rest
def test_new_deals_give_the_missing_precision(deals):
    study = dk.estimate(MAKES, GIVEN, precision=0.08, solved=deals[:600], seed=2)
    assert study.is_precise and study.method == "model" and 0 < study.from_solved < 200 < study.deals
    assert study.n - study.from_solved < 300 and study.weights.sum() == pytest.approx(1)
    # The mean is that of solved deals and that of new ones, weighted by their sizes as predicted
    values, _ = find_rows(deals[:600])
    n = len(values)
    part = study.weights[:n].sum()
    assert part == pytest.approx(n * study.weights[0]) and 0 < part < 1
    assert (study.values[:n].mean(), len(study.values) - n) == (values.mean(), study.n - study.from_solved)
    again = eval(study.provenance.call, {"dk": dk, "deals": deals[:600]})
    assert again.estimate == study.estimate
    text = f"{study.n} of {study.deals:,} deals solved (of them {study.from_solved} from solved deals)"
    assert text in " ".join(study.text.split()) and "are not independent" in study.text


def test_weights_do_not_depend_on_values():
    random = np.random.default_rng(1)
    strata, rows = np.repeat([0, 1], 500), random.permutation(1000)[:200]
    expected, spread = np.repeat([[0.1], [0.8]], 500, axis=0), np.repeat([[0.3], [0.4]], 500, axis=0)
    size = predict_size(strata, expected, spread, rows)
    known = KnownSample(
        (random.random((50, 1)) < 0.4).astype(float), np.arange(50), np.ones(50), 50 / (50 + size)
    )
    values = (random.random((200, 1)) < expected[rows]).astype(float)
    both = combine_means(known.estimate(), estimate_means(strata, expected, rows, values), known.weight)
    # Of independent means the variances add up
    assert both.covariance[0, 0] == pytest.approx(
        known.weight**2 * known.estimate().covariance[0, 0]
        + (1 - known.weight) ** 2 * estimate_means(strata, expected, rows, values).covariance[0, 0]
    )
    assert 200 < size < 1000 and both.new_weight == pytest.approx(1 - known.weight)


def test_medians_and_ratios_begin_with_solved_deals_too(deals):
    median = dk.estimate("dds(south, spades)", GIVEN, quantile=0.5, solved=deals)
    values, owners = find_rows(deals, question="dds(south, spades)")
    assert median.value == np.median(values) and median.solves == 0 and median.n == len(np.unique(owners))
    ratio = dk.estimate(
        f"{MAKES} and hcp(north) > 12", GIVEN, per="hcp(north) > 12", precision=0.05, solved=deals
    )
    part, _ = find_rows(deals, f"{GIVEN} and hcp(north) > 12")
    assert ratio.value == pytest.approx(part.mean()) and ratio.solves == 0


# ------------------------------------------------------------ contracts
def test_contracts_from_solved_deals_are_those_of_the_deals(deals):
    options = {"declarer": "north", "vulnerable": "none"}
    chosen = choose_rotations(deals)  # of which each has two, so that they count alike
    given = dk.contracts(chosen, ["2NT", "3NT"], **options)
    study = dk.contracts(GIVEN, ["2NT", "3NT"], precision=0.5, solved=deals, **options)
    assert study.deals == len(chosen) and study.cost.solves == 0
    assert study.difference().value == pytest.approx(given.difference().value)
    assert study.difference().se == pytest.approx(given.difference().se, rel=1e-6)
    assert study.makes("3NT").value == pytest.approx(given.makes("3NT").value)
    assert f"{len(chosen):,} solved deals, double dummy" in study.text
    frame, other = study.to_frame(), given.to_frame()
    assert frame.filter(like="tricks").equals(other.filter(like="tricks"))


def test_strategies_that_differ_on_some_deals_begin_with_solved_deals(deals):
    sound = dk.strategy([(f"{GIVEN} and hcp(north) > 11", "3NT by north"), (True, "2NT by north")])
    bold = dk.strategy([(f"{GIVEN} and hcp(north) > 10", "3NT by north"), (True, "2NT by north")])
    options = {"vulnerable": "none", "seed": 3}
    given = dk.contracts(choose_rotations(deals), {"sound": sound, "bold": bold}, **options)
    alone = dk.contracts(GIVEN, {"sound": sound, "bold": bold}, precision=0.2, solved=deals, **options)
    assert (alone.deals, alone.differing, alone.rules.to_dict()) == (
        given.deals,
        given.differing,
        given.rules.to_dict(),
    )
    assert alone.difference().value == pytest.approx(given.difference().value)
    with pytest.warns(dk.TruncatedRun):
        both = dk.contracts(
            GIVEN,
            {"sound": sound, "bold": bold},
            precision=0.05,
            solved=deals[:3000],
            max_solves=40,
            **options,
        )
    assert both.deals > given.deals and 0 < both.cost.from_solved < both.cost.solved_deals
    assert "from solved deals)" in both.text


# ------------------------------------------------------------ named libraries
def test_libraries_are_used_after_the_sample(deals, tmp_path, monkeypatch):
    monkeypatch.setattr("dealerkit.formats.solved_libraries.solved_sample", lambda: deals[:500])
    deals[500:9000].write(tmp_path / "mine.zrd")
    dk.use_solved(tmp_path / "mine.zrd")
    study = dk.estimate(MAKES, GIVEN, precision=0.05)
    assert study.solves == 0 and "deals of the shipped sample and" in study.provenance.solved
    assert study.estimate == dk.estimate(MAKES, GIVEN, precision=0.05, solved=deals[:9000]).estimate
    dk.use_solved()
    assert len(list_solved("auto")) == 1


def test_the_configuration_names_libraries(deals, tmp_path, monkeypatch):
    monkeypatch.setenv("DEALERKIT_CONFIG", str(tmp_path / "config.toml"))
    deals[:200].write(tmp_path / "mine.zrd")
    (tmp_path / "config.toml").write_text('solved = ["mine.zrd"]\n', encoding="utf-8")
    assert [source.name for source in list_solved("auto")] == ["the shipped sample", "mine.zrd"]
    assert list_solved(None) == []
    for number, (text, reason) in enumerate(
        [
            ('solved = "mine.zrd"', "give a list of files"),
            ("solved = [", "this is not TOML"),
            ('solved = ["no.zrd"]', "no.zrd"),
        ]
    ):
        path = tmp_path / f"config-{number}.toml"
        path.write_text(text, encoding="utf-8")
        monkeypatch.setenv("DEALERKIT_CONFIG", str(path))
        with pytest.raises(dk.FileError, match=reason) as caught:
            list_solved("auto")
        assert path.name in str(caught.value)


def test_deals_that_are_no_solved_sample_are_refused(deals):
    for wrong, reason in (
        (dk.deal(10, seed=1), "complete double-dummy tables"),
        (deals[:0], "complete double-dummy tables"),
        (deals[:9].replace(weight=np.ones(9)), "have weights"),
        (5, "give 'auto', a library"),
        ("rpdd.zrd", "give 'auto', a library"),
    ):
        with pytest.raises(dk.ArgumentError, match=reason):
            dk.estimate(MAKES, GIVEN, solved=wrong)
    with pytest.raises(dk.FileError):
        dk.use_solved("no-such-file.zrd")
    with pytest.raises(dk.ArgumentError, match="no solved deals"):
        dk.use_solved(5)


def test_the_command_uses_libraries(deals, tmp_path, capsys):
    deals[:300].write(tmp_path / "mine.zrd")
    command = ["estimate", MAKES, "--given", GIVEN, "--precision", "0.02", "--json"]
    main([*command, "--solved", str(tmp_path / "mine.zrd")])
    found = json.loads(capsys.readouterr().out)
    assert found["provenance"]["cost"]["solves"] == 0 and found["method"] == "solved"
    assert found["provenance"]["solved"].endswith("of the shipped sample")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        main([*command, "--solved", "none", "--max-solves", "40"])
    found = json.loads(capsys.readouterr().out)
    assert found["provenance"]["cost"]["from_solved"] == 0 and found["provenance"]["solved"] == ""
    assert main([*command, "--solved", "none", "--solved", "x.zrd"]) == 2
