"""Contracts with their declarer, such as ``3NT by north``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from dealerkit.cards.names import SEATS, seat_number
from dealerkit.errors import ArgumentError, Parameter, quote, suggest_name
from dealerkit.scoring.scores import Contract

_BY = re.compile(r"\s+by\s+", re.IGNORECASE)
_PASS = ("pass", "passed out", "passout")
_SEAT_AFTER = re.compile(r"(.+?)\s*(north|east|south|west|[nesw])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class DeclaredContract:
    """A contract and the seat of its declarer; both are None if the deal is passed out."""

    contract: Contract | None
    declarer: int | None

    @property
    def cell(self) -> tuple[int, int] | None:
        """Strain and declarer, whose tricks decide the score; None if the deal is passed out."""
        if self.contract is None or self.declarer is None:
            return None
        return self.contract.strain, self.declarer

    def __str__(self) -> str:
        if self.contract is None or self.declarer is None:
            return "pass"
        return f"{self.contract} by {SEATS[self.declarer]}"


PASS = DeclaredContract(None, None)


def parse_declared(contract: Any, declarer: Any = None) -> DeclaredContract:
    """Return a contract with its declarer, from ``3NT by north``, ``4Sx`` with a declarer, or ``pass``.

    Raises
    ------
    ArgumentError
        The text is not a contract, the seat is unknown, or there is no declarer or more than one.

    Examples
    --------
    >>> print(parse_declared("3nt by North"), parse_declared("4SX", "south"), parse_declared("pass"))
    3NT by north 4Sx by south pass
    """
    if isinstance(contract, DeclaredContract):
        return contract
    # A pass, or a contract and perhaps its declarer
    text, named = contract, None
    if isinstance(contract, str):
        if contract.strip().lower() in _PASS:
            return PASS
        text, *seats = _BY.split(contract.strip())
        if len(seats) > 1:
            raise ArgumentError(f"{quote(contract)} names two declarers; write one, such as '3NT by south'")
        named = seats[0] if seats else None
    try:
        parsed = Contract.of(text)
    except ArgumentError as error:
        close = (_suggest_by(text) or suggest_name(text.strip(), ["pass"])) if isinstance(text, str) else ""
        raise ArgumentError(f"{error}{close}" if "did you" not in str(error) else str(error)) from None
    # A declarer in the text takes precedence over the argument
    seat = named if named is not None else declarer
    if seat is None:
        raise ArgumentError(
            f"{parsed} has no declarer; write '{parsed} by south', or give ", Parameter("declarer=", "south")
        )
    try:
        return DeclaredContract(parsed, seat_number(seat))
    except ArgumentError as error:
        raise ArgumentError(f"declarer of {parsed}: {error}") from None


def _suggest_by(text: str) -> str:
    """Return the remedy for a seat that follows a contract without "by"; an empty text for any other text.

    >>> _suggest_by("4S W"), _suggest_by("3NTxS"), _suggest_by("4S wets")
    ("; did you mean '4S by west'?", "; did you mean '3NTx by south'?", '')
    """
    found = _SEAT_AFTER.fullmatch(text.strip())
    if found is None:
        return ""
    try:
        return f"; did you mean '{Contract.parse(found[1])} by {SEATS[seat_number(found[2])]}'?"
    except ArgumentError:
        return ""
