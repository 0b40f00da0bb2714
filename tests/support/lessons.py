"""A file of a lesson with boards of which only some cards are known, and some that cannot be read."""

from __future__ import annotations

LESSON = """\
% PBN 2.1
[Board "1"]
[Dealer "S"]
[Vulnerable "All"]
[Deal "N:AKQJ.T98.5432.32 - 765.AKxx.xx.xxxx -"]
{North holds four good spades. Plan the play.}

[Board "2"]
[Deal "S:♠KQ5.AJ6.K1087.Q92 - ... -"]

[Board "3"]
[Deal ""]

[Board "4"]
[Deal "N:AKQJ.T98.765.432 T98.765.432.AKQJ 765.432.AKQJ.T98 -"]

[Board "5"]
[Deal "N:AK... AQ... - -"]

[Board "6"]
[Deal "N:AK.Q.. - - -"]
[Auction "N"]
1S Pass
"""
