"""Instructions of deal programs: an operation code, a register for the result, and two operands.

Registers are numbered; each has an integer and a real part. A truth value is an integer, 0 or 1.
`program_builder` makes the instructions, and `program_kernel` executes them.
"""

from __future__ import annotations

# Jumps to the instruction in the first operand; two of them depend on the register in the second operand.
JUMP, JUMP_FALSE, JUMP_TRUE = 0, 1, 2
CALL, RETURN = 3, 4  # a subroutine that computes the register `result` once for each deal
# The condition is false; it is true; the random numbers of the actions are complete.
REJECT, ACCEPT, FINISH = 5, 6, 7
SORT = 8  # DealerV2 sorts the hands
# Values of the cards of a seat, which is the second operand.
COUNT = 9  # cards in a mask, the first operand
SUM_SUITS = 10  # sum of a table over the four suits
HOLDING = 11  # value of a table for the holding ``4 * seat + suit``
PATTERN = 12
LOOK_UP = 13  # value of a table at the index in the second operand
# Values that do not come from the cards.
RANDOM = 14  # an integer below the limit, which is the register in the first operand
# If the limit of `RANDOM` is 0 and the state has `ZERO_IS_BOARD`, the value is the number of the board; but
# not if the second operand is 1, which marks a limit that was compared with 0 before and is evaluated again.
NUMBER = 15  # of the produced deal
EXTERNAL = 16  # computed by the caller of the kernel
# Integers from registers.
MOVE, SET = 17, 18  # the value of a register; the number in the first operand
ADD, SUBTRACT, MULTIPLY, DIVIDE, REMAINDER, WRAP = 19, 20, 21, 22, 23, 24
EQUAL, UNEQUAL, LESS, AT_MOST, NOT, LEAST, GREATEST = 25, 26, 27, 28, 29, 30, 31
# Reals from registers.
TO_REAL, MOVE_REAL = 32, 33
ADD_REAL, SUBTRACT_REAL, MULTIPLY_REAL, DIVIDE_REAL, REMAINDER_REAL = 34, 35, 36, 37, 38
LEAST_REAL, GREATEST_REAL = 39, 40
# Truth values from reals.
EQUAL_REAL, UNEQUAL_REAL, LESS_REAL, AT_MOST_REAL = 41, 42, 43, 44
FORGET = 45  # the next call executes the subroutine of the register `result` again

# What the kernel returns.
COMPLETED, NEEDS_VALUE, DIVIDES_BY_ZERO = 0, 1, 2

# Entries of the state that the kernel keeps between calls.
INSTRUCTION, DEPTH = 0, 1  # the next instruction, or -1 for the next deal; depth of calls
# A serial number, which increases with each deal and each acceptance. `stamps` has the serial number at which
# a subroutine computed its register: if it is the current one, the value is still valid.
SERIAL = 2
N_DEALT, N_ACCEPTED = 3, 4  # in this batch
BOARD = 5  # number of the produced deal; while the condition is evaluated, that of deals produced before
MAX_DEALT, MAX_ACCEPTED = 6, 7  # in this batch
FIRST, N_PRODUCED = 8, 9  # number of the batch's first deal in the run; deals produced before
FIRST_BOARD = 10  # number of the first board
ZERO_IS_BOARD = 11  # whether `rnd` with the limit 0 is the number of the board
N_STATE = 12
