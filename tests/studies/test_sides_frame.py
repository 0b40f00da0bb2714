"""Sides as a table, against loops over deals and hands."""

from __future__ import annotations

import numpy as np
import pytest

import dealerkit as dk
from dealerkit import registry
from dealerkit.studies.sides import choose_declarers, count_fits

STRAINS = ("spades", "hearts", "diamonds", "clubs", "notrump")
POINTS = dict(zip("AKQJ", (4, 3, 2, 1), strict=True))


@pytest.fixture(scope="module")
def sample():
    return dk.solved_sample()[:400]


def hands_of(deals):
    """Texts of the four hands of each deal, suits S H D C."""
    return [[hand.split(".") for hand in text[2:].split()] for text in deals.to_pbn()]


def points_of(hand):
    return sum(POINTS.get(card, 0) for suit in hand for card in suit)


def test_a_row_for_each_deal_and_side(sample):
    table = sample.sides("hcp", "losers", "newltc", strain="best major", tricks=True)
    assert list(table.columns) == [
        "deal", "side", "strain", "fit", "declarer", "tricks", "hcp", "losers", "newltc"
    ]  # fmt: skip
    assert len(table) == 800 and table.index.tolist() == [k for k in range(400) for _ in (0, 1)]
    assert table.side.tolist() == ["NS", "EW"] * 400 and table.deal.iloc[7] == sample[3]
    assert [str(table[name].dtype) for name in ("fit", "tricks", "hcp")] == ["int8"] * 3
    for row, hands in enumerate(hands_of(sample)):
        for side in (0, 1):
            found, pair = table.iloc[2 * row + side], (hands[side], hands[side + 2])
            lengths = [len(pair[0][suit]) + len(pair[1][suit]) for suit in (0, 1)]
            suit = int(lengths[1] > lengths[0])
            trumps, points = [len(hand[suit]) for hand in pair], [points_of(hand) for hand in pair]
            second = (trumps[1], points[1]) > (trumps[0], points[0])
            seat = side + 2 * second
            assert (found.strain, found.fit) == (STRAINS[suit], lengths[suit])
            assert found.declarer == ("north", "east", "south", "west")[seat]
            assert found.tricks == sample.tables[row, suit, seat] and found.hcp == sum(points)
    # Losing tricks count as tricks: 24 or 25 less those of both hands, evaluated for each hand separately.
    for side in (0, 1):
        of_side = table[table.side == ("NS", "EW")[side]]
        for name, whole in (("losers", 24), ("newltc", 25)):
            both = sum(dk.evaluate(sample, name, seat=side + 2 * part) for part in (0, 1))
            np.testing.assert_array_equal(of_side[name], whole - both)


@pytest.mark.parametrize("strain", ["longest fit", "best suit", "notrump", "H"])
def test_measures_are_evaluated_in_the_strain(sample, strain):
    table = sample.sides("zar", "opc", "bergen", strain=strain, tricks=True, declarer="better")
    length = count_fits(sample)
    for side, name in enumerate(("NS", "EW")):
        rows = table[table.side == name]
        for k in rows.strain.cat.codes.unique():
            chosen = np.flatnonzero(rows.strain.cat.codes == k)
            for measure in ("zar", "opc", "bergen"):
                expected = dk.evaluate(sample[chosen], measure, side=name, suit=int(k))
                np.testing.assert_array_equal(rows[measure].to_numpy()[chosen], expected)
            best = sample.tables[chosen, k, side::2].max(axis=1)
            np.testing.assert_array_equal(rows.tricks.to_numpy()[chosen], best)
            in_strain = length[chosen, side].max(axis=1) if k == 4 else length[chosen, side, k]
            np.testing.assert_array_equal(rows.fit.to_numpy()[chosen], in_strain)
    if strain == "best suit":
        sides = sample.tables.reshape(-1, 5, 2, 2).max(axis=2).transpose(0, 2, 1)[..., :4].max(axis=2)
        np.testing.assert_array_equal(table.tricks.to_numpy().reshape(-1, 2), sides)
    elif strain != "longest fit":
        assert set(table.strain) == {"notrump" if strain == "notrump" else "hearts"}


def test_the_better_declarer(sample):
    longer = sample.sides(strain="spades", tricks=True)
    better = sample.sides(strain="spades", tricks=True, declarer="better")
    gain = better.tricks - longer.tricks
    assert (gain >= 0).all() and (gain > 0).any()
    # The hand changes where it gains, and only there.
    changed = better.declarer.astype(str) != longer.declarer.astype(str)
    np.testing.assert_array_equal(changed, gain > 0)


def test_unknown_tricks_are_solved(sample):
    few = sample[:2]
    known = few.sides(tricks=True, strain="longest fit")
    for unsolved in (few.replace(tables=None), few.replace(tables=np.where(few.tables > 6, -1, few.tables))):
        solved = unsolved.sides(tricks=True, strain="longest fit")
        assert solved.tricks.tolist() == known.tricks.tolist()
    best = few[:1].replace(tables=None).sides(tricks=True, strain="best suit")
    assert best.strain.tolist() == few[:1].sides(tricks=True, strain="best suit").strain.tolist()


def test_expressions_and_attached_columns(sample):
    deals = sample[:50].replace(weight=np.arange(50.0), cluster=np.arange(50) // 2)
    table = deals.sides(strain="hearts", voids="fit + hcp - hearts(north)", ours="zar")
    for side, seat in (("NS", "north"), ("EW", "east")):
        rows = table[table.side == side]
        partner = {"north": "south", "east": "west"}[seat]
        text = f"fit({side}, hearts) + hcp({seat}) + hcp({partner}) - hearts({seat})"
        np.testing.assert_array_equal(rows.voids, deals.eval(text))
        np.testing.assert_array_equal(rows.ours, deals.eval(f"zar({side}, hearts)"))
        np.testing.assert_array_equal(rows.weight, deals.weight)
        np.testing.assert_array_equal(rows["cluster"], deals.cluster)
    assert len(deals[:0].sides("hcp", "zar", tricks=True)) == 0


def test_swapped_sides_swap_rows(sample):
    """Rotated by one seat, the rows of north-south become those of east-west."""
    before = sample.sides("zar", "losers", "fifths")
    after = sample.rotate(opener="east", hand="north").sides("zar", "losers", "fifths")
    # East then is the second hand of her side; zar chooses the first of equal hands.
    for side, new_side, names in (("NS", "EW", ["zar"]), ("EW", "NS", [])):
        for name in ("fit", "strain", "losers", "fifths", *names):
            assert before[name][before.side == side].tolist() == after[name][after.side == new_side].tolist()


def test_declarers_of_equal_hands():
    deals = dk.Deals.from_pbn("N:AKQJ.T98.5432.32 T98.AKQ.JT98.JT9 765.J765.AKQ.AKQ 432.432.76.87654")
    # Notrump: south has 19 points to ten; clubs: west has five to three; points decide between equal diamonds.
    assert choose_declarers(deals, np.array([[4, 3]])).tolist() == [[2, 3]]
    assert choose_declarers(deals, np.array([[0, 0]])).tolist() == [[0, 1]]


@pytest.mark.parametrize(
    ("names", "options", "error", "message"),
    [
        (["quality"], {}, dk.ArgumentError, r"quality\(seat, suit\) does not evaluate a hand or a side"),
        (["rule20"], {}, dk.ArgumentError, "rule20 does not define how two hands"),
        (["hpc"], {}, dk.UnknownNameError, "did you mean"),
        (["hcp", "hcp"], {}, dk.ArgumentError, "already has a column 'hcp'"),
        (["fit"], {}, dk.ArgumentError, "already has a column 'fit'"),
        ([], {"side": "hcp"}, dk.ArgumentError, "already has a column 'side'"),
        ([], {"strain": "best mayor"}, dk.ArgumentError, "did you mean 'best major'"),
        ([], {"declarer": "weaker"}, dk.ArgumentError, "longer, better"),
        ([], {"declarer": "better"}, dk.ArgumentError, "tricks=True"),
        ([], {"mine": "zar(purple)"}, dk.ScriptError, "zar takes a side"),
    ],
)
def test_invalid_arguments(sample, names, options, error, message):
    with pytest.raises(error, match=message):
        sample[:3].sides(*names, **options)


def test_user_defined_functions(sample):
    @dk.function("longest", args=["seat"], combine="sum", low=4, high=13)
    def longest(deals, seat):
        return np.max(
            [np.bitwise_count(deals.hand(seat) >> np.uint64(16 * k) & np.uint64(0x1FFF)) for k in range(4)],
            axis=0,
        )

    @dk.function("trumps", args=["side", "strain"], low=0, high=13)
    def trumps(deals, side, strain):
        return count_fits(deals)[:, side, strain] if strain < 4 else np.zeros(len(deals), int)

    try:
        table = sample.sides("longest", "trumps", strain="longest fit")
        for side, seats in (("NS", (0, 2)), ("EW", (1, 3))):
            both = [
                sum(max(len(suit) for suit in hands[seat]) for seat in seats) for hands in hands_of(sample)
            ]
            assert table.longest[table.side == side].tolist() == both
        assert (table.trumps == table.fit).all()
        assert dk.compare(["longest", "hcp"], sample=dk.solved_sample()[:300], replicates=100).sides == 600
    finally:
        registry.unregister("longest")
        registry.unregister("trumps")
