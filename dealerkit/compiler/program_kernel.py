"""Kernels that deal from a classic stream and execute the program of a script on each deal."""

from __future__ import annotations

import numpy as np

from dealerkit.compiler import program_codes as codes
from dealerkit.compiler.operations import TOLERANCE
from dealerkit.dealing.classic.kernels import INCREMENT, MASK, MULTIPLIER, deal_rows, refill, sort_hands
from dealerkit.runtime.compiled import inlined, kernel, popcount

_A, _C, _M = np.uint64(MULTIPLIER), np.uint64(INCREMENT), np.uint64(MASK)
_HOLDING = np.uint64(0x1FFF)


@inlined
def _draw(
    limit: np.int64, version: int, stream_state: np.ndarray, free: np.ndarray, raw: np.ndarray,
    places: np.ndarray,
) -> np.int64:  # fmt: skip
    """Return the next random integer below `limit`, from the generator of the deals."""
    if version == 1:
        position = stream_state[0]
        if position == raw.size:
            refill(raw, places, free)
            position = 31
        stream_state[0] = position + 1
        return np.int64(float(limit) * float(raw[position] >> np.uint32(1)) / 2147483648.0)
    x = (np.uint64(stream_state[0]) * _A + _C) & _M
    stream_state[0] = x
    return np.int64(float(x) * (1.0 / 281474976710656.0) * float(limit))


@inlined
def _read_cards(
    operation: int, result: int, first: int, second: int, integers: np.ndarray, out: np.ndarray, row: int,
    tables: np.ndarray, masks: np.ndarray,
) -> None:  # fmt: skip
    """Execute an instruction on the cards of a seat or on a table."""
    if operation == codes.COUNT:
        integers[result] = popcount(out[row, second] & masks[first])
    elif operation == codes.SUM_SUITS:
        hand, total = out[row, second], np.int64(0)
        for _ in range(4):
            total += tables[first + np.int64(hand & _HOLDING)]
            hand >>= np.uint64(16)
        integers[result] = total
    elif operation == codes.HOLDING:
        hand = out[row, second >> 2] >> np.uint64(48 - 16 * (second & 3))
        integers[result] = tables[first + np.int64(hand & _HOLDING)]
    elif operation == codes.PATTERN:
        lengths = np.uint64(0)
        for suit in range(3):
            holding = out[row, second] >> np.uint64(48 - 16 * suit) & _HOLDING
            lengths = lengths << np.uint64(4) | popcount(holding)
        integers[result] = lengths
    else:
        integers[result] = tables[first + integers[second]]


@inlined
def _calculate(operation: int, result: int, first: int, second: int, integers: np.ndarray) -> bool:
    """Execute an instruction on integers; return whether it divides by zero."""
    left, right = integers[first], integers[second]
    if operation == codes.ADD:
        integers[result] = left + right
    elif operation == codes.SUBTRACT:
        integers[result] = left - right
    elif operation == codes.MULTIPLY:
        integers[result] = left * right
    elif operation == codes.DIVIDE or operation == codes.REMAINDER:
        if right == 0:
            return True
        quotient, remainder = -left, np.int64(0)
        if right != -1:  # the processor cannot divide the least integer by -1
            quotient = left // right
            remainder = left - quotient * right
            if remainder != 0 and (left < 0) != (right < 0):  # round towards zero, as C does
                quotient += 1
                remainder -= right
        integers[result] = quotient if operation == codes.DIVIDE else remainder
    elif operation == codes.WRAP:
        integers[result] = ((left + 0x80000000) & 0xFFFFFFFF) - 0x80000000
    elif operation == codes.EQUAL:
        integers[result] = left == right
    elif operation == codes.UNEQUAL:
        integers[result] = left != right
    elif operation == codes.LESS:
        integers[result] = left < right
    elif operation == codes.AT_MOST:
        integers[result] = left <= right
    elif operation == codes.NOT:
        integers[result] = left == 0
    elif operation == codes.LEAST:
        integers[result] = min(left, right)
    else:
        integers[result] = max(left, right)
    return False


@inlined
def _calculate_real(
    operation: int, result: int, first: int, second: int, integers: np.ndarray, reals: np.ndarray
) -> bool:
    """Execute an instruction on reals; return whether it divides by zero."""
    left, right = reals[first], reals[second]
    if operation == codes.ADD_REAL:
        reals[result] = left + right
    elif operation == codes.SUBTRACT_REAL:
        reals[result] = left - right
    elif operation == codes.MULTIPLY_REAL:
        reals[result] = left * right
    elif operation == codes.DIVIDE_REAL or operation == codes.REMAINDER_REAL:
        if right == 0.0:
            return True
        reals[result] = left / right if operation == codes.DIVIDE_REAL else np.fmod(left, right)
    elif operation == codes.LEAST_REAL:
        reals[result] = min(left, right)
    elif operation == codes.GREATEST_REAL:
        reals[result] = max(left, right)
    elif operation == codes.EQUAL_REAL:
        integers[result] = left == right or abs(left - right) < TOLERANCE  # also true for infinite values
    elif operation == codes.UNEQUAL_REAL:
        integers[result] = not (left == right or abs(left - right) < TOLERANCE)
    elif operation == codes.LESS_REAL:
        integers[result] = left - right < -TOLERANCE
    else:
        integers[result] = left == right or left - right < TOLERANCE
    return False


@kernel
def run_program(
    code: np.ndarray, integers: np.ndarray, reals: np.ndarray, stamps: np.ndarray, stack: np.ndarray,
    tables: np.ndarray, masks: np.ndarray, draws: np.ndarray, state: np.ndarray, given: np.ndarray,
    out: np.ndarray, numbers: np.ndarray, random_values: np.ndarray, version: int,
    stream_state: np.ndarray, pack: np.ndarray, small: np.ndarray, free: np.ndarray,
    exchanges: np.ndarray, raw: np.ndarray, places: np.ndarray,
) -> tuple[int, int]:  # fmt: skip
    """Deal and evaluate until the batch is complete, the caller must compute a value, or an error occurs.

    Parameters
    ----------
    code, tables, masks, draws : ndarray
        Attributes of the `DealProgram`; `draws` are its `draw_registers`.
    integers, reals : ndarray of int64 and float64 [r]
        The registers.
    stamps : ndarray of int64 [r]
        The serial number at which the subroutine of each register was executed last.
    stack : ndarray of int64 [n_subroutines + 1]
        The instructions at which calls continue.
    state : ndarray of int64 [N_STATE]
        See `program_codes`; the caller sets the limits and the first number of the batch.
    given : ndarray of uint64 [n, 4]
        Hands of the batch if they are not from a classic stream (`version` 0).
    out : ndarray of uint64 [rows, 4]
        Set to the hands of the accepted deals; the row after them has the current deal.
    numbers : ndarray of int64 [rows]
        Set to the numbers of the accepted deals in the run.
    random_values : ndarray of int64 [d, rows]
        Set to the random numbers of the actions for the accepted deals.
    version, stream_state, pack, small, free, exchanges, raw, places
        The `StreamArrays` of the stream.

    Returns
    -------
    status : int
        `COMPLETED`, `NEEDS_VALUE` or `DIVIDES_BY_ZERO`.
    register : int
        The register of the instruction that needs a value or divides by zero. If the caller sets its value,
        the next call continues after the instruction.
    """
    at, depth = state[codes.INSTRUCTION], state[codes.DEPTH]
    serial, row = state[codes.SERIAL], state[codes.N_ACCEPTED]
    status, result = codes.COMPLETED, 0
    while True:
        if at < 0:  # the next deal of the batch
            if state[codes.N_DEALT] >= state[codes.MAX_DEALT] or row >= state[codes.MAX_ACCEPTED]:
                break
            if version == 0:
                for seat in range(4):
                    out[row, seat] = given[state[codes.N_DEALT], seat]
            else:
                deal_rows(
                    out, row, row + 1, False, version, stream_state, pack, small, free, exchanges, raw, places
                )
            state[codes.N_DEALT] += 1
            state[codes.BOARD] = state[codes.N_PRODUCED] + row
            serial += 1
            at = depth = 0
        operation, result, first, second = code[at, 0], code[at, 1], code[at, 2], code[at, 3]
        at += 1
        if operation <= codes.JUMP_TRUE:
            if operation == codes.JUMP or (integers[second] != 0) == (operation == codes.JUMP_TRUE):
                at = first
        elif codes.COUNT <= operation <= codes.LOOK_UP:
            _read_cards(operation, result, first, second, integers, out, row, tables, masks)
        elif operation == codes.RANDOM:
            if integers[first] == 0 and second == 0 and state[codes.ZERO_IS_BOARD]:
                integers[result] = state[codes.BOARD]
            elif version == 0:
                status = codes.NEEDS_VALUE
                break
            else:
                integers[result] = _draw(integers[first], version, stream_state, free, raw, places)
        elif operation == codes.NUMBER:
            integers[result] = state[codes.BOARD]
        elif operation == codes.EXTERNAL:
            status = codes.NEEDS_VALUE
            break
        elif operation == codes.REJECT:
            at = -1
        elif operation == codes.ACCEPT:
            numbers[row] = state[codes.FIRST] + state[codes.N_DEALT] - 1
            state[codes.BOARD] = state[codes.N_PRODUCED] + row + state[codes.FIRST_BOARD]
            for register in draws:
                integers[register] = 0  # for actions that do not generate this number for this deal
            serial += 1
        elif operation == codes.FINISH:
            for i in range(draws.size):
                random_values[i, row] = integers[draws[i]]
            row += 1
            at = -1
        elif operation == codes.SORT:
            sort_hands(pack, out, row)
        elif operation == codes.CALL:
            if stamps[result] != serial:
                stack[depth] = at
                depth += 1
                at = first
        elif operation == codes.RETURN:
            stamps[result] = serial
            depth -= 1
            at = stack[depth]
        elif operation == codes.FORGET:
            stamps[result] = 0
        elif operation == codes.MOVE:
            integers[result] = integers[first]
        elif operation == codes.SET:
            integers[result] = first
        elif operation == codes.TO_REAL:
            reals[result] = float(integers[first])
        elif operation == codes.MOVE_REAL:
            reals[result] = reals[first]
        elif (operation < codes.TO_REAL and _calculate(operation, result, first, second, integers)) or (
            operation > codes.MOVE_REAL and _calculate_real(operation, result, first, second, integers, reals)
        ):
            status = codes.DIVIDES_BY_ZERO
            break
    state[codes.INSTRUCTION], state[codes.DEPTH], state[codes.SERIAL] = at, depth, serial
    state[codes.N_ACCEPTED] = row  # the next call continues with this state
    return status, result
