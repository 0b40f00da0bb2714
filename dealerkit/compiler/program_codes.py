"""Instructions of deal programs: an operation code, a register for the result, and two operands.

Registers are numbered; each has an integer and a real part. A truth value is an integer, 0 or 1.
`program_builder` makes the instructions, `program_kernel` executes them.
"""

from __future__ import annotations

# Jumps to the instruction that is the first operand, some depending on the second.
JUMP, JUMP_FALSE, JUMP_TRUE = 0, 1, 2
CALL, RETURN = 3, 4  # a subroutine that computes the register `result` once for each deal
# The condition is false, is true; the random numbers of the actions are complete.
REJECT, ACCEPT, FINISH = 5, 6, 7
SORT = 8  # DealerV2 sorts the hands
# Values of the cards of a seat, the second operand.
COUNT = 9  # cards in a mask, the first operand
SUM_SUITS = 10  # sum of a table over the four suits
HOLDING = 11  # value of a table for the holding ``4 * seat + suit``
PATTERN = 12
LOOK_UP = 13  # value of a table at the index in the second operand
# Values that do not come from the cards.
# A random integer below the register of the first operand. The limit 0 gives the number of the board if the
# state says `ZERO_IS_BOARD`; but not if the second operand is 1, for a limit that was compared with 0 already
# and is evaluated again.
RANDOM = 14
NUMBER = 15  # of the produced deal
EXTERNAL = 16  # computed by the caller of the kernel
# Integers from registers.
MOVE, SET = 17, 18  # a register; the number that is the first operand
ADD, SUBTRACT, MULTIPLY, DIVIDE, REMAINDER, WRAP = 19, 20, 21, 22, 23, 24
EQUAL, UNEQUAL, LESS, AT_MOST, NOT, LEAST, GREATEST = 25, 26, 27, 28, 29, 30, 31
# Reals from registers.
TO_REAL, MOVE_REAL = 32, 33
ADD_REAL, SUBTRACT_REAL, MULTIPLY_REAL, DIVIDE_REAL, REMAINDER_REAL = 34, 35, 36, 37, 38
LEAST_REAL, GREATEST_REAL = 39, 40
# Truth values from reals.
EQUAL_REAL, UNEQUAL_REAL, LESS_REAL, AT_MOST_REAL = 41, 42, 43, 44
FORGET = 45  # the subroutine that computes the register `result` is executed again

# What the kernel returns.
COMPLETED, NEEDS_VALUE, DIVIDES_BY_ZERO = 0, 1, 2

# Entries of the state that the kernel keeps between calls.
INSTRUCTION, DEPTH = 0, 1  # -1: the next deal; depth of calls
# Counts the deals, and a deal again when it is accepted: `stamps` holds the serial number at which a
# subroutine computed its register, so its value is that of the current deal and number of the board.
SERIAL = 2
N_DEALT, N_ACCEPTED = 3, 4  # in this batch
BOARD = 5  # number of the produced deal; while the condition is evaluated, that of produced deals
MAX_DEALT, MAX_ACCEPTED = 6, 7  # in this batch
FIRST, N_PRODUCED = 8, 9  # number of the batch's first deal in the run; deals produced before
FIRST_BOARD = 10  # number of the first board
ZERO_IS_BOARD = 11  # whether a limit 0 of `rnd` gives the number of the board
N_STATE = 12
