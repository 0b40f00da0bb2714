"""Bidding systems, and what the calls of an auction say about the hands."""

from dealerkit.bidding.calls import parse_auction
from dealerkit.bidding.systems import list_systems

__all__ = ["list_systems", "parse_auction"]
