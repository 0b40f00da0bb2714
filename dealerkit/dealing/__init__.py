"""Dealing: the uniform sampler, the classic streams, and what is settled before the deal."""

from dealerkit.dealing.classic.streams import ClassicV1, ClassicV2
from dealerkit.dealing.predeal import Predeal
from dealerkit.dealing.random_words import BLOCK
from dealerkit.dealing.uniform.stream import STREAM_VERSION, cluster_of, deal_block, deal_rows

__all__ = [
    "BLOCK",
    "STREAM_VERSION",
    "ClassicV1",
    "ClassicV2",
    "Predeal",
    "cluster_of",
    "deal_block",
    "deal_rows",
]
