"""Bidding systems, and what the calls of an auction show about the hands."""

from dealerkit.bidding.calls import parse_auction
from dealerkit.bidding.system_file import JUDGEMENT, MARKS, STATEMENTS
from dealerkit.bidding.systems import list_systems

__all__ = ["JUDGEMENT", "MARKS", "STATEMENTS", "list_systems", "parse_auction"]
