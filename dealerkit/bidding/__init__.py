"""Bidding systems, and what the calls of an auction say about the hands."""

from dealerkit.bidding.calls import parse_auction

__all__ = ["parse_auction"]
