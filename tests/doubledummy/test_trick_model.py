"""The trick model: its symmetries, its errors on held-out deals, and what it refuses."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import dealerkit as dk
from dealerkit.doubledummy.trick_model.network import load_weights
from dealerkit.doubledummy.trick_model.predictions import HELD_OUT, find_part, is_training_deal, predict


@pytest.fixture(scope="module")
def held_out():
    deals = dk.solved_sample()[:30_000]
    return deals[find_part(deals) == HELD_OUT]


def permute_suits(hands, order):
    """Return hands whose suit i (S H D C) has the cards that suit order[i] had."""
    lanes = [(hands >> np.uint64(16 * (3 - suit))) & np.uint64(0x1FFF) for suit in order]
    return sum(lane << np.uint64(16 * (3 - place)) for place, lane in enumerate(lanes))


def test_tricks_follow_the_cards_when_seats_turn_and_suits_change_places():
    hands = dk.deal(50, seed=3).hands
    spades, notrump = (dk.expected_tricks(hands, strain, "south") for strain in ("spades", "notrump"))
    turned = np.roll(hands, 1, axis=1)  # south's cards are west's
    assert np.allclose(dk.expected_tricks(turned, "spades", "west"), spades, atol=1e-4)
    for order in ([0, 3, 1, 2], [0, 2, 1, 3], [0, 3, 2, 1]):
        assert np.allclose(dk.expected_tricks(permute_suits(hands, order), "S", "S"), spades, atol=1e-4)
    changed = permute_suits(hands, [2, 3, 0, 1])  # the diamonds are the old spades
    assert np.allclose(dk.expected_tricks(changed, "diamonds", "south"), spades, atol=1e-4)
    assert np.allclose(dk.expected_tricks(changed, "notrump", "south"), notrump, atol=1e-4)


def test_chances_are_those_of_the_expected_tricks():
    prediction = predict(dk.deal(500, seed=4), "notrump", "east")
    chances = prediction.at_least
    assert chances.shape == (500, 14) and chances.dtype == np.float32
    assert (chances[:, 0] == 1).all() and (chances >= 0).all() and (chances <= 1).all()
    assert (np.diff(chances, axis=1) <= 0).all()
    assert np.allclose(prediction.expected, chances[:, 1:].sum(axis=1), atol=1e-5)


@pytest.mark.parametrize("strain, most", [("spades", 0.46), ("diamonds", 0.46), ("notrump", 0.54)])
def test_errors_on_held_out_deals_are_small(held_out, strain, most):
    error = dk.expected_tricks(held_out, strain, "south") - dk.dd_tricks(held_out, strain, "south")
    assert abs(error.mean()) < 0.03
    assert error.std() < most


def test_deals_of_one_batch_do_not_depend_on_each_other():
    deals = dk.deal(1_100, seed=5)
    together = predict(deals, "hearts", "north", load_weights(np.float64)).expected
    rows = [0, 511, 512, 1_099]
    alone = (deals[row : row + 1] for row in rows)
    singly = [predict(deal, "hearts", "north", load_weights(np.float64)).expected[0] for deal in alone]
    assert np.allclose(together[rows], singly, rtol=0, atol=1e-11)


def test_threads_get_the_same_estimates():
    deals = dk.deal(1_003, seed=10)
    with ThreadPoolExecutor(3) as executor:
        first, *others = executor.map(lambda _: predict(deals, "spades", "east").at_least, range(6))
    assert all(np.array_equal(first, other) for other in others)


def test_a_tenth_of_all_deals_is_held_out_by_a_rule_on_the_cards():
    deals = dk.deal(20_000, seed=6)
    share = 1 - is_training_deal(deals).mean()
    assert abs(share - 0.1) < 4 * np.sqrt(0.09 / 20_000)
    assert (is_training_deal(deals.hands[:9]) == is_training_deal(deals)[:9]).all()


def test_all_strains_and_declarers_have_the_place_of_a_table():
    deals = dk.deal(3, seed=7)
    table = dk.expected_tricks(deals)
    assert table.shape == (3, 5, 4) and table.dtype == np.float32
    assert np.allclose(table[:, 4, 1], dk.expected_tricks(deals, "NT", "east"), atol=1e-4)
    assert np.allclose(table[:, 2], dk.expected_tricks(deals, "diamonds", "all"), atol=1e-4)
    frame = deals.to_frame()
    assert np.allclose(dk.expected_tricks(frame, "all", "west"), table[:, :, 3], atol=1e-4)
    mixed = dk.expected_tricks(deals, ["S", "NT", "C"], ["north", "east", "west"])
    assert np.allclose(mixed, table[[0, 1, 2], [0, 4, 3], [0, 1, 3]], atol=1e-4)


def test_deals_with_missing_cards_are_refused():
    hands = dk.deal(3, seed=8).hands.copy()
    hands[1, 2] &= hands[1, 2] - np.uint64(1)
    with pytest.raises(dk.DealError, match=r"deal 1: .* is missing; .*the trick model needs all 52 cards"):
        dk.expected_tricks(hands, "S", "N")
    with pytest.raises(dk.ArgumentError, match="unknown strain 'spaids'; did you mean 'spades'"):
        dk.expected_tricks(dk.deal(3, seed=8), "spaids", "N")


# ------------------------------------------------------------ in scripts
def test_xtricks_is_the_estimate_in_hundredths_whatever_the_batch():
    deals = dk.deal(700, seed=9)
    values = deals.eval("xtricks(south, spades)")
    assert np.abs(values - dk.expected_tricks(deals, "spades", "south")).max() < 0.0051
    assert np.allclose(values * 100, np.rint(values * 100), rtol=0, atol=1e-9)
    assert np.array_equal(values[300:303], deals[300:303].eval("xtricks(south, spades)"))


def test_xtricks_in_conditions_actions_and_frames():
    result = dk.run(
        'condition xtricks(north, notrump) >= 9 produce 20 action average "x" xtricks(north, notrump)', seed=2
    )
    values = dk.expected_tricks(result.deals, "notrump", "north")
    assert len(values) == 20 and values.min() >= 8.99
    assert float(result["x"].mean) == pytest.approx(values.mean(), abs=0.005)
    assert np.allclose(result.deals.eval("xtricks(north, notrump)"), values, atol=0.0051)


def test_a_run_deal_by_deal_has_the_same_estimates():
    script = 'condition xtricks(north, notrump) >= 8 and rnd(2) < 1 produce 4 action average "x" xtricks(north, hearts) + rnd(1)'
    result = dk.run(script, seed=3, stream="classic")
    assert len(result.deals) == 4
    assert (result.deals.eval("xtricks(north, notrump)") >= 8).all()
    expected = result.deals.eval("xtricks(north, hearts)").mean()
    assert float(result["x"].mean) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("program", ["v1", "v2", "bbo"])
def test_other_programs_do_not_have_xtricks(tmp_path, capsys, program):
    from dealerkit.cli import main

    path = tmp_path / "script.dealer"
    path.write_text("condition xtricks(south, spades) >= 10\n")
    assert main(["check", "--for", program, str(path)]) == 1
    assert "'xtricks' is a function of dealerkit, which" in capsys.readouterr().out
