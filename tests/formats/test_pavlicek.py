"""The deals of Pavlicek's library, by their numbers.

Expected values are the published worked values and digests of the original file, the 20 records that are
published with a program of another author, and the recipe in plain integers (`deal_slowly`).
"""

from __future__ import annotations

import csv
import hashlib
from pathlib import Path

import numpy as np
import pytest

import dealerkit as dk
from dealerkit.formats import pavlicek_deals
from dealerkit.formats.pavlicek import GROUP, N_DEALS, compute_hands, seed_group, unrank_deals

N_ALL = 53_644_737_765_488_792_839_237_440_000
BYTES = {  # worked values: the cards of a record
    0: "72527a0ae17ae4f952e041fc7c",
    1: "affe56236997458c20707d20be",
    5: "bf243546d242e62ef85473a90f",
    16_383: "58123bbad10788d0b4dbf94da7",
    16_384: "ac496478d30ceee57239c64acd",
    123_456: "d077b2b497cbd761da3826840b",
    4_096_000: "102b9bfddbb1805374875aec92",
    10_469_376: "4e9c28ba2f969de1fc03de5114",
    10_485_759: "9bb3eb05d57386d086e17cc922",
}
SEEDS = {
    0: "F9FBB892 64FA73F9 D52D2B6C C46E6FDB 7085A4F6",
    1: "77DE08E6 E6F72ADD 4AC6CC20 E44BBE9F EA2EBB0A",
    250: "E8FE2A9A 55C50EA1 AD341B34 E28D5B43 3FA5347E",
    639: "31E23A3E DAC6F715 5FA54CB8 4DD60B17 1D93C0E2",
}
RANKS = {
    0: 0x5FF157E5_7194F664_8DB1EE2C,
    1: 0xAA5913B8_E85BB7DD_C1413908,
    5: 0xAC5920EF_4FC2289D_5E1E0805,
    16_383: 0x18F250DF_CC72CA0A_43A137F1,
    16_384: 0x278D6C3F_D771E109_D74825A2,
    123_456: 0x04CC36A7_947793BE_A1FA07B1,
    4_096_000: 0x02C6B33A_649C6829_254DAE30,
    10_469_376: 0x77D1BC0D_F32C9F32_BFB9B23E,
    10_485_759: 0x9D0104CB_76324A23_F4AB5298,
}
DIGESTS = {  # SHA-256 of the cards of a group in the original file
    0: "d50f1aa915a3640ca82e2b5f1b54cbc2227f2474888c82ac3e90dbe1a0c2f748",
    1: "724cbf7190e4544c2a77b2898a48f0b1ac2b9da82efbce670483aca647ef7620",
    250: "44bcab879617984d223afab62613dab26f0cc3bd63b9b0be2418d62cc90e0d17",
    500: "eb550142f41ed84d434de8accf53b62c3414f246eea37a98e828ca1781da43a8",
    639: "11fb0d47519b029782c20ddb4efa7eb52c8c80a99c80e4d4a8ea2a10a1c189cb",
}
DIGEST_OF_ALL = "db309dce0a77d34a02536a7f9dd0bdd293cae2b7c7cf07236afd9558ab61b58c"


def pack_cards(deals: dk.Deals) -> bytes:
    """Return the 13 bytes of each deal, from the text of its hands: W N E S = 0..3, two bits a card."""
    records = bytearray()
    for text in deals.to_pbn():
        owners = {}
        for code, hand in zip((1, 2, 3, 0), text[2:].split(), strict=True):
            for suit, holding in enumerate(hand.split(".")):
                owners |= {13 * suit + "AKQJT98765432".index(rank): code for rank in holding}
        records += sum(owners[card] << 2 * card for card in range(52)).to_bytes(13, "little")
    return bytes(records)


def pack_quickly(hands: np.ndarray) -> bytes:
    """Return the 13 bytes of each deal, from the bits of its hands."""
    owners = np.zeros((len(hands), 52), np.uint8)
    cards = [1 << (shift + rank) for shift in (48, 32, 16, 0) for rank in range(12, -1, -1)]
    for code, seat in ((1, 0), (2, 1), (3, 2)):
        owners += code * (hands[:, seat, None] & np.array(cards, np.uint64) != 0).astype(np.uint8)
    return (
        (owners.reshape(-1, 13, 4) << np.array([0, 2, 4, 6], np.uint8)).sum(axis=2, dtype=np.uint8).tobytes()
    )


def deal_slowly(rank: int) -> list[int]:
    """Return the owners (W N E S = 0..3) of the cards of a deal by its rank, in plain integers."""
    needed, ways, owners = [13] * 4, N_ALL, []
    for card in range(52):
        for seat in range(4):
            share = ways * needed[seat] // (52 - card)
            if rank < share:
                break
            rank -= share
        owners.append(seat)
        needed[seat] -= 1
        ways = share
    assert (rank, ways) == (0, 1)
    return owners


@pytest.mark.parametrize("number", BYTES)
def test_worked_deals(number):
    assert pack_cards(pavlicek_deals(number, 1)) == bytes.fromhex(BYTES[number])


@pytest.mark.parametrize("group", SEEDS)
def test_worked_seeds(group):
    assert seed_group(group) == [int(word, 16) for word in SEEDS[group].split()]


@pytest.mark.parametrize("group", DIGESTS)
def test_digests_of_the_original_file(group):
    cards = pack_quickly(pavlicek_deals(group * GROUP, GROUP).hands)
    assert len(cards) == 212_992
    assert hashlib.sha256(cards).hexdigest() == DIGESTS[group]


@pytest.mark.slow
def test_digest_of_all_deals():
    digest = hashlib.sha256()
    for first in range(0, N_DEALS, 16 * GROUP):
        digest.update(pack_quickly(pavlicek_deals(first, 16 * GROUP).hands))
    assert digest.hexdigest() == DIGEST_OF_ALL


def test_the_twenty_records():
    with open(Path(__file__).parents[1] / "data" / "pavlicek-20.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["index"]) for row in rows] == [*range(10), *range(10_485_750, 10_485_760)]
    for row in rows:
        assert pavlicek_deals(int(row["index"]), 1).to_pbn() == [row["pbn"]]


def test_ranks_agree_with_plain_integers():
    random = np.random.default_rng(1)
    ranks = [*RANKS.values(), 0, N_ALL - 1, N_ALL // 4 - 1, N_ALL // 4, N_ALL // 2, (1 << 64) - 1, 1 << 64]
    ranks += [int.from_bytes(random.bytes(16), "little") % N_ALL for _ in range(300)]
    low = np.array([rank & (1 << 64) - 1 for rank in ranks], np.uint64)
    high = np.array([rank >> 64 for rank in ranks], np.uint64)
    hands = np.zeros((4, 3 + len(ranks)), np.uint64)
    unrank_deals(low, high, hands, 3)
    assert not hands[:, :3].any()
    packed = pack_cards(dk.Deals(hands[:, 3:].T))
    expected = (sum(owner << 2 * card for card, owner in enumerate(deal_slowly(rank))) for rank in ranks)
    assert packed == b"".join(number.to_bytes(13, "little") for number in expected)
    for number, rank in RANKS.items():
        owners = deal_slowly(rank)
        assert sum(owner << 2 * card for card, owner in enumerate(owners)).to_bytes(
            13, "little"
        ) == bytes.fromhex(BYTES[number])


def test_numbers_in_any_order():
    numbers = np.array([10_485_759, 0, 16_384, 5, 16_383, 5, 123_456])
    assert pack_cards(dk.Deals(compute_hands(numbers))) == b"".join(
        bytes.fromhex(BYTES[n]) for n in numbers.tolist()
    )


def test_a_range_across_groups_is_its_deals():
    deals = pavlicek_deals(16_380, 10)
    assert deals.equals(dk.Deals.concatenate([pavlicek_deals(number, 1) for number in range(16_380, 16_390)]))
    assert len(pavlicek_deals(7, 0)) == 0


def test_wrap_around_continues_with_deal_0():
    wrapped = pavlicek_deals(N_DEALS - 3, 6, wrap=True)
    assert wrapped[:3].equals(pavlicek_deals(N_DEALS - 3, 3))
    assert wrapped[3:].equals(pavlicek_deals(0, 3))
    assert pavlicek_deals(N_DEALS + 1, 1, wrap=True).equals(pavlicek_deals(1, 1))


@pytest.mark.parametrize(
    ("first", "count", "wrap"),
    [(N_DEALS, 1, False), (N_DEALS - 1, 2, False), (0, N_DEALS + 1, False), (0, N_DEALS + 1, True)],
)
def test_deals_past_the_end_are_refused(first, count, wrap):
    with pytest.raises(dk.ArgumentError, match="0 to 10,485,759"):
        pavlicek_deals(first, count, wrap=wrap)


@pytest.mark.parametrize(("first", "count"), [(-1, 1), (0, -1), (1.5, 1), ("0", 1), (0, None)])
def test_arguments_are_checked(first, count):
    with pytest.raises(dk.ArgumentError, match="first|count"):
        pavlicek_deals(first, count)


def test_numbers_beyond_the_library_are_refused():
    for number in (-1, N_DEALS):
        with pytest.raises(dk.ArgumentError, match="10,485,759"):
            compute_hands(np.array([0, number]))
