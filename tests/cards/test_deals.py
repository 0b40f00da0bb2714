"""`Deals`: sequence, attached columns, order in memory, checks, arrays of cards."""

from __future__ import annotations

import pickle
import subprocess

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dealerkit as dk
from dealerkit import ArgumentError, Deal, DealError, Deals
from dealerkit.cards import MISSING, card_bit
from tests.support.ranks import unrank_deal
from tests.support.strategies import deals

PBN = "N:AKQJ.T98.5432.32 T98.AKQ.JT98.JT9 765.J765.AKQ.AKQ 432.432.76.87654"
CARDS = [suit + rank for suit in "SHDC" for rank in "AKQJT98765432"]  # the order of arrays of cards


def some(n: int, **columns) -> Deals:
    return Deals(np.array([unrank_deal(10**25 * (i + 1)) for i in range(n)], dtype=np.uint64), **columns)


@given(deals(attached=True), st.data())
def test_any_selection_of_rows_selects_attached_columns(whole, data):
    rows = np.arange(len(whole))
    keys = [
        data.draw(st.slices(len(whole))),
        data.draw(st.lists(st.booleans(), min_size=len(whole), max_size=len(whole))),
    ]
    keys[1] = np.array(keys[1], dtype=bool)
    if len(whole):
        keys.append(np.array(data.draw(st.lists(st.integers(-len(whole), len(whole) - 1))), dtype=int))
    for key in keys:
        part = whole[key]
        assert part.hands.tolist() == whole.hands[rows[key]].tolist()
        assert part.attached.keys() == whole.attached.keys()
        for name, values in part.attached.items():
            assert values.tolist() == getattr(whole, name)[rows[key]].tolist()


@given(deals(attached=True))
def test_index_and_iteration_agree(whole):
    singles = list(whole)
    assert (
        singles == [whole[i] for i in range(len(whole))] == [whole[i - len(whole)] for i in range(len(whole))]
    )
    assert [deal.pbn for deal in singles] == whole.to_pbn()
    for i, deal in enumerate(singles):
        if whole.vulnerable is not None:
            assert deal.vulnerable == (None if whole.vulnerable[i] < 0 else whole.vulnerable[i])


@given(deals(attached=True), st.integers(0, 8))
def test_slices_can_be_concatenated_and_pickled(whole, place):
    assert Deals.concatenate([whole[:place], whole[place:]]).equals(whole)
    assert pickle.loads(pickle.dumps(whole)).equals(whole)
    if len(whole):
        assert not whole[:-1].equals(whole)


@given(deals())
def test_round_trips_through_text(whole):
    assert Deals.from_pbn(whole.to_pbn()).equals(whole)
    assert Deals.from_lines(whole.to_lines()).equals(whole)
    assert Deals.from_lines("\n".join(whole.to_lines())).equals(whole)


@given(st.lists(st.none() | st.integers(1, 99)))
def test_from_deals_keeps_boards(boards):
    singles = [Deal(PBN, board=board) for board in boards]
    assert list(Deals.from_deals(singles)) == singles


def test_concatenate_fills_missing_columns_with_default_values():
    first = some(
        2, weight=[2.0, 3.0], cluster=[4, 4], vulnerable=[0, 3], tables=np.zeros((2, 5, 4)), board=[1, 2]
    )
    joined = Deals.concatenate([some(1), first, some(2)])
    assert joined.weight.tolist() == [1, 2, 3, 1, 1]
    assert joined.vulnerable.tolist() == [-1, 0, 3, -1, -1]
    assert joined.board.tolist() == [-1, 1, 2, -1, -1]
    assert (joined.tables[[0, 3, 4]] == -1).all() and (joined.tables[1:3] == 0).all()
    assert joined.cluster[1] == joined.cluster[2] == 4
    assert len(set(joined.cluster.tolist())) == 4  # each other deal is a cluster
    assert joined.dealer is None
    assert len(Deals.concatenate([])) == 0


def test_selection_shares_memory_and_keeps_its_order():
    hands = np.asfortranarray(some(5).hands)
    whole = Deals(hands)
    assert np.shares_memory(whole.hands, hands)
    assert np.shares_memory(whole.hand("east"), hands) and whole.hand("east").flags.c_contiguous
    for key in (slice(1, 4), np.array([0, 2, 4]), np.array([True, False, True, True, False])):
        part = whole[key]
        assert np.shares_memory(part.hand(2), part.hands)  # columns remain contiguous
    assert Deals.concatenate([whole, whole]).hands.flags.f_contiguous
    rows = Deals(some(5).hands)
    assert rows[[0, 3]].hands.flags.c_contiguous
    assert rows.hand("east").flags.c_contiguous and rows.hand("east").tolist() == hands[:, 1].tolist()


def test_deals_are_frozen():
    whole = some(2)
    with pytest.raises(AttributeError, match="frozen"):
        whole.weight = np.ones(2)
    with pytest.raises(AttributeError, match="frozen"):
        del whole.hands
    assert whole.replace(weight=[1, 2]).weight.tolist() == [1, 2] and whole.weight is None
    assert whole.replace(weight=[1, 2]).replace(weight=None).equals(whole)


def test_check_names_the_first_faulty_deal():
    hands = some(6).hands.copy()
    hands[4] = hands[0]
    hands[4, 1] = hands[0, 2]
    hands[3] = Deal(PBN).hands
    hands[3, 0] ^= np.uint64(card_bit(0, 12) | card_bit(0, 8))
    with pytest.raises(DealError, match="^deal 3: SA is missing; ST is held by north and east$"):
        Deals(hands)
    assert len(Deals(hands, check=False)) == 6
    with pytest.raises(DealError, match="^deal 4: .* more$"):
        Deals(np.delete(hands, 3, axis=0)[[0, 1, 2, 1, 3]])
    hands[3] = MISSING
    with pytest.raises(DealError, match="^deal 3: the deal is missing$"):
        Deals(hands)
    hands[3] = Deal(PBN).hands
    hands[3, 0] |= np.uint64(1 << 15)
    with pytest.raises(DealError, match="do not represent a card"):
        Deals(hands)


def test_hands_of_wrong_size_are_refused_if_no_card_is_missing():
    four = list(unrank_deal(0))
    four[0], four[1] = (
        four[0] | four[1] & -four[1],
        four[1] & (four[1] - 1),
    )  # a card moves from east to north
    with pytest.raises(DealError, match="deal 0: north has 14, east has 12 cards"):
        Deals([four])


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"weight": [1.0]}, r"weight has shape \(1,\), not \(2,\)"),
        ({"tables": np.zeros((2, 4, 5))}, "tables has shape"),
        ({"vulnerable": [0, 4]}, "deal 1: vulnerable is 4, not -1 to 3"),
        ({"dealer": [-2, 0]}, "deal 0: dealer is -2"),
        ({"tables": np.full((2, 5, 4), 14)}, "deal 0: tables is 14"),
        ({"weight": [1, -1]}, "deal 1: weight is -1.0, not 0 or more"),
        ({"weight": [np.nan, 1]}, "deal 0: weight is nan"),
    ],
)
def test_attached_columns_are_checked(columns, message):
    with pytest.raises(ArgumentError, match=message):
        some(2, **columns)
    with pytest.raises(ArgumentError, match=message):
        some(2).replace(**columns)


def test_unknown_columns_are_refused():
    with pytest.raises(ArgumentError, match="unknown column 'wieght'"):
        some(1).replace(wieght=[1])


@pytest.mark.parametrize("key", [2, -3, "a", [True], np.zeros((1, 2), dtype=bool), [0.5], None])
def test_wrong_keys_are_refused(key):
    with pytest.raises(IndexError):
        some(2)[key]


@pytest.mark.parametrize("hands", [np.zeros(4), np.zeros((2, 3)), [[1, 2]]])
def test_wrong_shapes_are_refused(hands):
    with pytest.raises(ArgumentError, match=r"not \(n, 4\)"):
        Deals(hands)


def test_repr_and_html():
    assert repr(some(1)) == "<Deals: 1 deal>"
    many = Deals.concatenate([some(1)] * 1000).replace(tables=np.full((1000, 5, 4), -1))
    assert repr(many) == "<Deals: 1,000 deals, with tables>"
    shown = many._repr_html_()
    assert shown.count('class="dk-deal"') == 48 and "48 of 1,000 deals are shown; deals[48:96]" in shown
    assert "dk-caption" not in some(2)._repr_html_().partition("</style>")[2]
    assert Deals([])._repr_html_().count('class="dk-deal"') == 0


def test_lines_of_the_live_program_round_trip(dealer_program):
    script = "generate 300\nproduce 300\naction printoneline, printpbn\n"
    output = subprocess.run(
        [dealer_program, "-s", "7"], input=script, capture_output=True, encoding="utf-8", check=True
    ).stdout
    lines = [line for line in output.splitlines() if line.startswith("n ")]
    tags = [line[7:-2] for line in output.splitlines() if line.startswith("[Deal ")]
    assert len(lines) == 300
    whole = Deals.from_lines(lines)
    assert whole.to_lines() == lines
    assert whole.to_pbn() == tags


SEATS = ("north", "east", "south", "west")


@given(deals(attached=True), st.sampled_from(SEATS), st.sampled_from(SEATS))
def test_rotate_moves_hands_and_attached_columns(whole, opener, hand):
    turned = whole.rotate(opener, hand)
    places = SEATS.index(opener) - SEATS.index(hand)
    assert turned.hand(opener).tolist() == whole.hand(hand).tolist()
    assert turned.attached.keys() == whole.attached.keys()
    sides = {"north": "NS", "south": "NS", "east": "EW", "west": "EW"}
    for old in range(4):
        new = (old + places) % 4
        for expression in ("hcp({})", "spades({}) - hcp({}, clubs)"):
            after, before = (expression.format(*[SEATS[seat]] * 2) for seat in (new, old))
            assert turned.eval(after).tolist() == whole.eval(before).tolist()
        if whole.tables is not None:
            assert turned.tables[:, :, new].tolist() == whole.tables[:, :, old].tolist()
        if whole.dealer is not None:
            assert ((turned.dealer == new) == (whole.dealer == old)).all()
        if whole.vulnerable is not None:
            # a seat is vulnerable if its side's bit is set; -1 is unknown
            bits = [1 if sides[SEATS[seat]] == "NS" else 2 for seat in (new, old)]
            known = whole.vulnerable >= 0
            assert ((turned.vulnerable >= 0) == known).all()
            assert ((turned.vulnerable[known] & bits[0] > 0) == (whole.vulnerable[known] & bits[1] > 0)).all()
    for name in ("board", "weight", "cluster"):
        if getattr(whole, name) is not None:
            assert getattr(turned, name).tolist() == getattr(whole, name).tolist()
    assert turned.rotate(hand, opener).equals(whole)
    turned.check()


def test_rotate_moves_the_hand_of_north_to_south_by_default():
    whole = some(5)
    assert whole.rotate().hand("south").tolist() == whole.hand("north").tolist()
    assert whole.rotate(opener="S").equals(whole.rotate(2, 0)) and whole.rotate("north").equals(whole)
    assert whole.rotate(opener="west").rotate(opener="east").equals(whole)
    with pytest.raises(ArgumentError, match="did you mean 'south'"):
        whole.rotate(opener="soth")


def test_cards_are_those_of_the_texts(rng: np.random.Generator):
    deals = dk.deal(200, seed=int(rng.integers(1 << 30)))
    cards = deals.to_cards()
    assert cards.dtype == bool and cards.shape == (200, 4, 52)
    for text, seats in zip(deals.to_pbn(), cards, strict=True):
        for hand, held in zip(text.removeprefix("N:").split(), seats, strict=True):
            named = [s + rank for s, ranks in zip("SHDC", hand.split("."), strict=True) for rank in ranks]
            assert named == [CARDS[place] for place in np.flatnonzero(held)]
    points = cards.reshape(200, 4, 4, 13)[..., :4].sum(axis=2) @ [4, 3, 2, 1]
    assert (points[:, 2] == deals.eval("hcp(south)")).all()


@pytest.mark.parametrize("order", ["C", "F"])
def test_deals_are_read_back(order):
    deals = dk.deal(100, seed=1)
    deals = Deals(np.array(deals.hands, order=order))
    for kind in (bool, np.uint8, np.int64, np.float32):
        assert Deals.from_cards(deals.to_cards().astype(kind)).equals(deals)
    assert Deals.from_cards(deals[::3].to_cards()[::-1]).equals(deals[::3][::-1])
    none = deals[:0].to_cards()
    assert none.shape == (0, 4, 52) and len(Deals.from_cards(none)) == 0


def test_other_arrays_are_refused():
    cards = dk.deal(3, seed=1).to_cards()
    for wrong in (cards[0], cards[:, :3], cards[..., :51], []):
        with pytest.raises(ArgumentError, match=r"not \(n, 4, 52\)"):
            Deals.from_cards(wrong)
    for wrong in (cards * 2, cards * 0.5, np.full(cards.shape, np.nan), cards.astype(str)):
        with pytest.raises(ArgumentError, match="other values than true and false"):
            Deals.from_cards(wrong)
    cards[1, 0] = ~cards[1, 0]
    with pytest.raises(DealError, match="deal 1"):
        Deals.from_cards(cards)
