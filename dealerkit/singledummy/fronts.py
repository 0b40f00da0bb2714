"""Fronts: sets of vectors of truth values, none of which covers another.

A vector says in which worlds a line makes enough tricks. It is a row of uint64 words, in which bit i is bit
i % 64 of word i // 64; unused bits are 0. A front is an array of such rows.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dealerkit.runtime.compiled import kernel

_CHUNK = 1 << 16  # vectors that are compared at once


def pack(bits: np.ndarray) -> np.ndarray:
    """Return rows of bits (0 or 1, with any integer or bool dtype) as rows of words.

    >>> pack(np.array([[1, 0, 1]])).tolist()
    [[5]]
    """
    n_rows, n_bits = bits.shape
    n_words = max(1, -(-n_bits // 64))
    padded = np.zeros((n_rows, 64 * n_words), np.uint8)
    padded[:, :n_bits] = bits
    packed = np.packbits(padded, axis=1, bitorder="little")
    return packed.view("<u8").astype(np.uint64, copy=False)


def unpack(vectors: np.ndarray, n_bits: int) -> np.ndarray:
    """Return rows of words as rows of bits, uint8 [rows, n_bits]."""
    octets = np.ascontiguousarray(vectors.astype("<u8", copy=False)).view(np.uint8)
    return np.unpackbits(octets, axis=1, bitorder="little", count=n_bits)


@kernel
def _select(vectors: np.ndarray, counts: np.ndarray, kept: np.ndarray) -> int:
    """Write the indices of the rows that no other row covers to `kept`, and return their number.

    The rows are in descending order of their numbers of ones, `counts`.
    """
    n_rows, n_words = vectors.shape
    n_kept = 0
    for row in range(n_rows):
        covered = False
        for number in range(n_kept):
            other = kept[number]
            covered = True
            for word in range(n_words):
                if vectors[row, word] & ~vectors[other, word]:
                    covered = False
                    break
            if covered:
                break
        if not covered:
            kept[n_kept] = row
            n_kept += 1
    return n_kept


def prune(vectors: np.ndarray) -> np.ndarray:
    """Return the vectors that no other covers, each once; those with most ones come first.

    >>> prune(np.array([[1], [3], [4], [3]], np.uint64)).tolist()
    [[3], [4]]
    """
    if len(vectors) < 2:
        return vectors
    counts = np.bitwise_count(vectors).sum(axis=1, dtype=np.int64)
    order = np.argsort(-counts, kind="stable")
    ordered = np.ascontiguousarray(vectors[order])
    kept = np.empty(len(vectors), np.int64)
    return ordered[kept[: _select(ordered, counts[order], kept)]]


def join(
    first: np.ndarray,
    second: np.ndarray,
    limit: int | None = None,
    check: Callable[[int], None] | None = None,
) -> np.ndarray:
    """Return the pruned vectors ``x and y`` of all pairs of vectors from two fronts.

    If there are more than `limit`, only those with most ones are returned. If there are many pairs, `check`
    is called from time to time with the number of vectors so far; an error that it raises ends the join.
    """
    if len(first) < len(second):
        first, second = second, first
    rows = max(1, _CHUNK // len(first))
    result = first[:0]
    for start in range(0, len(second), rows):
        if check is not None:
            check(len(result))
        pairs = second[start : start + rows, None, :] & first[None, :, :]
        result = prune(np.concatenate([result, _distinct(pairs.reshape(-1, first.shape[1]))]))
    return result if limit is None else result[:limit]


def _distinct(vectors: np.ndarray) -> np.ndarray:
    """Return each vector once, if finding the distinct ones is quicker than comparing all."""
    if len(vectors) < 256:
        return vectors
    if vectors.shape[1] == 1:
        return np.unique(vectors[:, 0])[:, None]
    return np.unique(vectors, axis=0)


def unite(fronts: list[np.ndarray], limit: int | None = None) -> np.ndarray:
    """Return the pruned union of fronts; if there are more than `limit` vectors, those with most ones."""
    result = fronts[0] if len(fronts) == 1 else prune(np.concatenate(fronts))
    return result if limit is None else result[:limit]
