"""A line played out: against every layout of the cards and every defence, with actual cards."""

from __future__ import annotations

from itertools import combinations

RANKS = "23456789TJQKA"


def list_hands(missing):
    """Yield the cards of west and of east in each layout."""
    for n in range(len(missing) + 1):
        for west in combinations(missing, n):
            yield frozenset(west), frozenset(missing) - frozenset(west)


def count_tricks(position, hands, west, east):
    """The fewest tricks that any defence allows against a line from a position on."""
    if not any(hands) or not position.leads:
        return 0
    lead = position.leads[0]
    lead_card = position.find_card(lead)
    second, fourth = (east, west) if lead.hand == 0 else (west, east)
    least = 99
    for second_card in second or [None]:
        group = find_group(position, second_card)
        third = position.list_thirds(lead, group)[0]
        third_card = None if third is None else position.find_card(third)
        left = tuple(
            hand - {card[1] for card in (lead_card, third_card) if card is not None} for hand in hands
        )
        for fourth_card in fourth or [None]:
            last = find_group(position, fourth_card)
            ours = max(card[1] for card in (lead_card, third_card) if card is not None)
            won = all(ours > card for card in (second_card, fourth_card) if card is not None)
            reply = next(reply for reply in position.list_replies(lead, third, group) if reply.fourth == last)
            after = position.follow(lead, third, reply, (second_card, fourth_card))
            rest = second - {second_card}, fourth - {fourth_card}
            tricks = won + count_tricks(after, left, *(rest if lead.hand else rest[::-1]))
            least = min(least, tricks)
    return least


def find_group(position, card):
    """The number of the group that a card belongs to; -1 for none."""
    if card is None:
        return -1
    return next(number for number, group in enumerate(position.blocks.groups) if card in group)
