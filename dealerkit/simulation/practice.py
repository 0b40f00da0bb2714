"""`practice`: boards for practising a call, which is right or wrong in given shares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dealerkit.appearance.numbers import format_count
from dealerkit.arguments import check_integer, read_given
from dealerkit.bidding.auctions import Auction, auction, describe_unknown_call, print_clause
from dealerkit.bidding.calls import PASS, format_calls
from dealerkit.bidding.choices import Choices
from dealerkit.bidding.factors import Clause, build_factor, list_clauses
from dealerkit.cards.deals import Deals
from dealerkit.errors import ArgumentError, quote
from dealerkit.formats.auctions import format_note
from dealerkit.formats.content import Records
from dealerkit.formats.library import Library
from dealerkit.language import nodes
from dealerkit.runtime.progress import long_work
from dealerkit.simulation.level import level
from dealerkit.simulation.run import deal

_MANY_POINTS = 25  # from this limit on, the upper limit of a hand's points says nothing
OTHER = "other"  # stands for all calls of the context that are not named


@long_work
def practice(
    calls: str | Auction,
    produce: int = 24,
    shares: Mapping[str, float] | None = None,
    *,
    seed: int | None = None,
    predeal: Mapping[str, Any] | None = None,
    first: int = 1,
    rotate: bool = False,
) -> Library:
    """Return boards on which a player must find the last call of an auction, or another one.

    Parameters
    ----------
    calls : str or Auction
        The argument or result of `auction`. The last call is the one to practise; the calls before it are
        made on all boards.
    produce : int
        Number of boards.
    shares : mapping of str to float, optional
        Shares of boards for other calls instead, relative to that of the last call, which is 1 unless it is
        named too: ``{"other": 1}`` gives half of the boards another call of the system;
        ``{"2D": 2, "other": 0.5}``. None: the last call is right on all boards.
    seed : int, optional
        Seed; None: a new one.
    predeal : mapping, optional
        Known cards, as for `deal`.
    first : int
        Number of the first board.
    rotate : bool
        Rotate the hands of each board, so that the hand of the auction's dealer goes to the seat that deals
        the board.

    Returns
    -------
    Library
        Its text columns `auction` and `auction_notes` contain the calls that the system makes, up to the call
        to practise, with their meanings and points. `page` shows them with the answers; PBN and LIN files
        have them as explained calls. With `shares`, the deals have weights, as for `level`.

    Raises
    ------
    ArgumentError
        The system does not have the call, or says nothing there; no hand makes the call; a share is not a
        number above 0.
    ScriptError
        A call is rarer than 1 in 10^9.

    See Also
    --------
    dealerkit.level : Hand types of any kind in given shares.

    Examples
    --------
    >>> import dealerkit as dk
    >>> stayman = dk.auction("1NT-2C", dealer="south")
    >>> boards = dk.practice(stayman, 4, {"other": 1}, seed=1)
    >>> boards.texts["auction"]
    ['1NT=1= Pass 2C=2=', '1NT=1= Pass 3NT=2=', '1NT=1= Pass 2C=2=', '1NT=1= Pass Pass=2=']
    >>> boards.texts["auction_notes"][0].splitlines()[1]
    '2:Alert: Stayman, 8 points or more'
    """
    made = auction(calls)
    deals = deal_practice(made, produce, shares, seed=seed, predeal=predeal)
    numbered = deals.number_boards(
        first, dealer=made.dealer, vulnerable=None if rotate else made.vulnerable, rotate=rotate
    )
    return add_auctions(made, deals, numbered, with_others=shares is not None)


def deal_practice(
    made: Auction, produce: int, shares: Mapping[str, float] | None = None, **options: Any
) -> Deals:
    """Return deals in which the last call of an auction, and other calls, are right in given shares.

    Parameters
    ----------
    made : Auction
    produce : int
    shares : mapping of str to float, optional
        As for `practice`.
    **options
        Options of `deal` or `level`, which are called.
    """
    n = check_integer("produce", produce)
    if shares is None:
        return deal(n, given=made, **options)
    types, weights = _list_types(made, shares)
    before, _, _ = made.split_last()
    condition = read_given(before, options.get("predeal"))
    options |= {"produce": n, "keep": "all", "statistics": False}
    return level(f"condition {condition}", types, weights, **options).deals


def _list_types(made: Auction, shares: Mapping[str, float]) -> tuple[dict[str, str], dict[str, float]]:
    """Return the condition of each call that has a share, as text, and the shares."""
    _, choices, seat = made.split_last()
    last, number = made.calls[-1], len(made.calls) - 1
    if not isinstance(shares, Mapping) or not shares:
        raise ArgumentError(
            f'shares is {quote(shares)}; give a mapping of calls to numbers, such as {{"{OTHER}": 1}}'
        )
    weights = {last: 1.0} | {_read_call(call): share for call, share in shares.items()}
    # Each call excludes the lines before its own; what is left belongs to all other calls.
    types: dict[str, str] = {}
    named: list[nodes.Expression] = []
    for call in weights:
        if call == OTHER:
            continue
        if call not in choices.list_calls():
            raise ArgumentError(describe_unknown_call(call, choices, made.title_of(seat)))
        clauses = list_clauses(choices, call, number)
        factor = build_factor(clauses)
        if factor.figures is None:
            raise ArgumentError(f"no hand makes the call {call} {made.understood[-1].position}")
        named.append(_join_clauses(factor.clauses))
        types[call] = print_clause(Clause(named[-1], number), seat)
    if OTHER in weights:
        rest = [nodes.Not(condition) for condition in named]
        types[OTHER] = print_clause(Clause(_join_all([*rest, *_list_any_call(choices)]), number), seat)
    return types, weights


def _read_call(call: Any) -> str:
    """Return the full name of a call."""
    text = call.strip() if isinstance(call, str) else ""
    if text.lower() == OTHER:
        return OTHER
    name = text.upper()
    return PASS if name == "PASS" else f"{name}T" if name.endswith("N") else name


def _join_clauses(clauses: tuple[Clause, ...]) -> nodes.Expression:
    """Return the conjunction of clauses; true if there are none."""
    return _join_all([clause.condition for clause in clauses])


def _join_all(conditions: list[nodes.Expression]) -> nodes.Expression:
    if len(conditions) < 2:
        return conditions[0] if conditions else nodes.Number(1)
    return nodes.And(tuple(conditions))


def _list_any_call(choices: Choices) -> list[nodes.Expression]:
    """Return a list of the condition that some line takes the hand; empty if one line takes all hands."""
    conditions = [meaning.condition for meaning in choices.meanings]
    listed = [condition for condition in conditions if condition is not None]
    if len(listed) < len(conditions):
        return []
    return [listed[0] if len(listed) == 1 else nodes.Or(tuple(listed))]


def add_auctions(made: Auction, deals: Deals, boards: Deals, with_others: bool = False) -> Library:
    """Return boards with their auctions and the meanings of the calls.

    Parameters
    ----------
    made : Auction
    deals : Deals
        The deals with the hands at the seats of the auction.
    boards : Deals
        The same deals as boards, whose hands may have been rotated.
    with_others : bool
        Whether the last call is the one that the system makes with the hand; otherwise it is that of the
        auction.
    """
    known = [
        (each.call, _explain(made.find_choices(number), each.call, each.text), each.alert)
        for number, each in enumerate(made.understood)
    ]
    if with_others:
        _, choices, seat = made.split_last()
        chosen = choices.names[choices.choose(np.ascontiguousarray(deals.hands[:, seat]))].tolist()
        formatted = {}
        for call in set(chosen):
            meanings = [meaning for meaning in choices.meanings if meaning.call == call]
            text = "; ".join(dict.fromkeys(meaning.text for meaning in meanings if meaning.text))
            alert = any(meaning.alert for meaning in meanings)
            # "" marks a hand that no line takes, which a known hand may be.
            last = [(call, _explain(choices, call, text), alert)] if call else []
            formatted[call] = _format_calls([*known[:-1], *last])
        auctions = [formatted[call] for call in chosen]
    else:
        auctions = [_format_calls(known)] * len(boards)
    texts = {
        "auction": [calls for calls, _ in auctions],
        "auction_notes": [notes for _, notes in auctions],
    }
    before = f"{format_calls(made.calls[:-1])} ?" if len(made.calls) > 1 else "Openings"
    return Library(Records(boards, texts, name=before))


def _explain(choices: Choices | None, call: str, text: str) -> str:
    """Return what a call means with its points, if they are counted; "" if the system has no text for it."""
    if choices is None or not text:
        return text
    figures = build_factor(list_clauses(choices, call, 0)).figures
    if figures is None or not figures.is_exact:
        return text
    _, least, most = figures.points
    if most >= _MANY_POINTS:
        return f"{text}, {least} points or more" if least else text
    if not least:
        return f"{text}, at most {format_count(most, 'point')}"
    return f"{text}, {least} to {most} points" if least < most else f"{text}, {format_count(least, 'point')}"


def _format_calls(calls: Sequence[tuple[str, str, bool]]) -> tuple[str, str]:
    r"""Return calls with meanings and alerts in the form of the text columns of files.

    >>> _format_calls([("1NT", "15-17", False), ("P", "", False), ("2C", "Stayman", True)])
    ('1NT=1= Pass 2C=2=', '1:15-17\n2:Alert: Stayman')
    """
    words: list[str] = []
    notes: list[str] = []
    for call, text, alert in calls:
        word = "Pass" if call == PASS else call
        if note := format_note(text, alert):
            notes.append(f"{len(notes) + 1}:{note}")
            word += f"={len(notes)}="
        words.append(word)
    return " ".join(words), "\n".join(notes)
