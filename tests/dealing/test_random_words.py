"""Simple checks of the random words: balance, correlation and avalanche, with the counters in use."""

from __future__ import annotations

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.stats import chi2, norm

from dealerkit.dealing import block_key, derive_key, fill_random_words, random_word

KEY = block_key(2026, 7)


def words(counters, key=KEY):
    out = np.empty(len(counters), dtype=np.uint64)
    fill_random_words(out, np.asarray(counters, dtype=np.uint64), np.uint64(0), key)
    return out


def counters_in_use():
    """All first words of a block's stages 0, 1, 2, in the order of the deals."""
    rows = np.arange(65536, dtype=np.uint64) << np.uint64(20)
    return (rows[:, None] | np.arange(3, dtype=np.uint64) << np.uint64(18)).ravel()


def bits(values):
    return np.unpackbits(values.view(np.uint8).reshape(-1, 8), axis=1)


def test_the_vector_loop_and_the_single_word_agree():
    counters = counters_in_use()[:1000]
    assert [int(random_word(c, KEY)) for c in counters] == words(counters).tolist()


def test_bits_are_balanced_and_do_not_depend_on_their_neighbours():
    many = np.concatenate([words(counters_in_use(), block_key(1, block)) for block in range(8)])
    sample = bits(many)
    n = len(sample)
    z = (sample.sum(axis=0, dtype=np.int64) - n / 2) / np.sqrt(n / 4)
    assert chi2.sf((z**2).sum(), 64) > 1e-3
    signs = sample[: n // 4].astype(np.float32) * 2 - 1
    n = len(signs)
    for lag in (1, 2, 3, 6, 256 * 3):  # next stage, next deal and so on: 64 x 64 pairs of bits
        z = (signs[:-lag].T @ signs[lag:]) / np.sqrt(n - lag)
        assert chi2.sf(float((z.astype(float) ** 2).sum()), 64 * 64) > 1e-4
        assert np.abs(z).max() < norm.isf(1e-4 / 4096)


def test_every_bit_of_counter_and_key_changes_each_bit_half_of_the_time():
    counters = counters_in_use()[::24]
    before = words(counters)
    n = len(counters)
    changes = [(words(counters ^ np.uint64(1 << bit))) for bit in range(36)]
    for part in (0, 1):
        for bit in range(0, 64, 7):
            key = KEY.copy()
            key[part] ^= np.uint64(1 << bit)
            changes.append(words(counters, key))
    for after in changes:
        share = bits(after ^ before).mean(axis=0)
        if len(np.unique(after ^ before)) > 1:
            assert np.abs(share - 0.5).max() < 5 * 0.5 / np.sqrt(n)


def test_bytes_are_uniform_in_pairs():
    many = np.concatenate([words(counters_in_use(), block_key(3, block)) for block in range(20)])
    for shift in (0, 8, 24, 40, 48):
        pairs = np.bincount((many >> np.uint64(shift) & np.uint64(0xFFFF)).astype(np.int64), minlength=65536)
        mean = len(many) / 65536
        assert 1e-3 < chi2.sf(((pairs - mean) ** 2 / mean).sum(), 65535) < 1 - 1e-3


def test_keys_differ_from_block_to_block_and_seed_to_seed():
    keys = {
        tuple(block_key(seed, block).tolist())
        for seed in (0, 1, 2**32, 2**64, 2**200)
        for block in range(200)
    }
    assert len(keys) == 1000
    assert len({part for key in keys for part in key}) == 4000


@given(
    st.integers(0, 2**300),
    st.lists(st.integers(0, 2**70), min_size=1, max_size=4),
    st.integers(1, 9),
)
@example(0, [0], 1)
@example(2**128, [2**32], 4)
def test_keys_are_those_of_numpy(seed: int, spawn_key: list[int], size: int) -> None:
    expected = np.random.SeedSequence(seed, spawn_key=spawn_key).generate_state(size, np.uint64)
    assert derive_key(seed, spawn_key, size).tolist() == expected.tolist()
